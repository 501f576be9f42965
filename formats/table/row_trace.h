/* The frame of a trace reader that takes row by row: rows, their policy, stamps and samples in, status out. A reader of
 * lines that are no table takes rows of one cell, which is the line (WS_LINES). */
#ifndef WS_FORMATS_ROW_TRACE_H
#define WS_FORMATS_ROW_TRACE_H

#include "formats/format.h"
#include "formats/table/rows.h"
#include "formats/table/samples.h"
#include "formats/table/timecol.h"
#include "formats/table/trace_section.h"

typedef struct ws_row_trace {
    const ws_read_options *options;
    ws_input *input;
    ws_row_policy policy;
    ws_samples samples;
    ws_timecol stamps;
    const ws_row *row; /* being taken; NULL behind the last one */
    int64_t line;      /* of the row being taken, or of the last one */
    void *state;       /* the reader's own */
    /* Of a kind that takes plain lines: while the reader has set plain.current to a section of its own, the fast path
     * reads plain lines into it, and only the others go to `take`; `stamps` are that section's then. */
    ws_trace plain;
} ws_row_trace;

typedef ws_status ws_row_trace_taker(ws_row_trace *trace, const ws_row *row, ws_error *error);

/* How a reader wants its rows. */
typedef struct ws_row_trace_kind {
    char delimiter;         /* or WS_WORDS, WS_BARS, WS_LINES */
    ws_stamp_form form;     /* of the stamps; WS_STAMP_NONE: the reader settles it */
    ws_row_policy policy;   /* what it chooses of one */
    bool notes_time;        /* the reader notes stamps without a zone by itself */
    bool takes_plain_lines; /* may set ws_row_trace.plain.current; of text between delimiters */
    bool goes_on;           /* while it has, it knows nothing else of the rows before (ws_trace.set_notes) */
    bool holds_rows_alone;  /* lines without a reading at its ends are noted where they are alike */
    ws_row_trace_taker *take;
    ws_status (*end)(ws_row_trace *trace, ws_error *error); /* after the last row; NULL: nothing is held back */
    const char *what; /* what a file of this kind holds, for the message about one without: "no rows below a header" */
} ws_row_trace_kind;

/* Hand every row that is not blank to `take`, then flush. */
ws_status ws_row_trace_read(const ws_row_trace_kind *kind, ws_input *input, const ws_read_options *options,
                            const ws_sink *sink, ws_notes *notes, void *state, ws_error *error);

/* A note about the row being taken, with the offending text. */
void ws_row_trace_note(ws_row_trace *trace, ws_finding finding, const char *text, ws_span found);

/* No plain lines any more: what the lanes of the section still hold goes to the sink. */
ws_status ws_row_trace_end_plain_lines(ws_row_trace *trace, ws_error *error);

/* Does the file end inside the row being taken? A note says so, since nothing in that line can be trusted. For lines
 * that are no table; tables ask their policy. */
bool ws_row_trace_is_cut(ws_row_trace *trace);

/* Push a reading of the row being taken. */
ws_status ws_row_trace_push(ws_row_trace *trace, const ws_samples_key *key, int64_t t_ns, double value,
                            ws_error *error);

/* The time of the n-th sample of a file without stamps: by the period that the user gave, else none. */
int64_t ws_period_time(const ws_read_options *options, int64_t n, ws_time_base *base);

/* "node_7" of "power/node_7.txt". */
ws_span ws_file_stem(const char *path);

#endif
