/* The frame of a trace reader that takes line by line: input, stamps and feed in, status out. */
#ifndef WS_FORMATS_LINE_TRACE_H
#define WS_FORMATS_LINE_TRACE_H

#include "formats/table/feed.h"
#include "formats/format.h"
#include "formats/input/lines.h"
#include "formats/table/timecol.h"

typedef struct ws_line_trace {
    const ws_read_options *options;
    ws_lines lines; /* number and unfinished are those of the line being taken */
    ws_feed feed;
    ws_timecol stamps;
    void *state;    /* the reader's own */
    bool wants_end; /* set by the reader: take once more at the end, with a line of NULL */
} ws_line_trace;

typedef ws_status ws_line_taker(ws_line_trace *trace, ws_span line, ws_error *error);

/* Hand every line that is not blank to `take`, then flush. `form` is that of the stamps, WS_STAMP_NONE to settle it.
 * `what` names what a file of this kind holds, for the message about one without: "no lines of tegrastats". */
ws_status ws_line_trace_read(ws_input *input, const ws_read_options *options, const ws_sink *sink, ws_notes *notes,
                             ws_stamp_form form, ws_line_taker *take, void *state, const char *what, ws_error *error);

/* A note about the line being taken, with the offending text. */
void ws_line_trace_note(ws_line_trace *trace, ws_finding finding, const char *text, ws_span found);

/* Does the file end inside the current line? A note says so, since nothing in that line can be trusted. */
bool ws_line_trace_is_cut(ws_line_trace *trace);

/* A line that says nothing which is known here: cut where the file ends inside it, else passed over. */
void ws_line_trace_no_data(ws_line_trace *trace, const char *text, ws_span line);

/* Push a reading of the line being taken. */
ws_status ws_line_trace_push(ws_line_trace *trace, ws_feed_key *key, int64_t t_ns, double value, ws_error *error);

/* The time of the n-th sample of a file without stamps: by the period that the user gave, else none. */
int64_t ws_period_time(const ws_read_options *options, int64_t n, ws_time_base *base);

/* "node_7" of "power/node_7.txt". */
ws_span ws_file_stem(const char *path);

#endif
