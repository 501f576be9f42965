/* The frame of a trace reader that takes row by row: rows, their policy, stamps and feed in, status out. */
#ifndef WS_FORMATS_ROW_TRACE_H
#define WS_FORMATS_ROW_TRACE_H

#include "formats/format.h"
#include "formats/table/feed.h"
#include "formats/table/row_policy.h"
#include "formats/table/rows.h"
#include "formats/table/timecol.h"

typedef struct ws_row_trace {
    const ws_read_options *options;
    ws_row_policy policy;
    ws_feed feed;
    ws_timecol stamps;
    void *state; /* the reader's own */
} ws_row_trace;

typedef ws_status ws_row_trace_taker(ws_row_trace *trace, const ws_row *row, ws_error *error);

/* How a reader wants its rows. */
typedef struct ws_row_trace_kind {
    char delimiter;       /* or WS_WORDS */
    ws_row_policy policy; /* what it chooses of one */
    ws_row_trace_taker *take;
    ws_status (*end)(ws_row_trace *trace, ws_error *error); /* after the last row; NULL: nothing is held back */
    const char *what; /* what a file of this kind holds, for the message about one without: "no rows below a header" */
} ws_row_trace_kind;

/* Hand every row to `take`, then flush. */
ws_status ws_row_trace_read(const ws_row_trace_kind *kind, ws_input *input, const ws_read_options *options,
                            const ws_sink *sink, ws_notes *notes, void *state, ws_error *error);

/* A note about a row, with the offending text. */
void ws_row_trace_note(ws_row_trace *trace, ws_finding finding, const ws_row *row, const char *text, ws_span found);

#endif
