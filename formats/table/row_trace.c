#include "formats/table/row_trace.h"

enum { NOTE_TEXT = 80 };

typedef struct row_trace_call {
    ws_row_trace *trace;
    ws_row_trace_taker *take;
} row_trace_call;

static ws_status row_trace_take(void *state, const ws_row *row, ws_error *error)
{
    const row_trace_call *call = state;
    ws_row_trace *t = call->trace;
    ws_status status = call->take(t, row, error);
    ws_note_ambiguous_zone(t->feed.notes, t->feed.source, row->line, &t->stamps);
    return status;
}

ws_status ws_row_trace_read(const ws_row_trace_kind *kind, ws_input *input, const ws_read_options *options,
                            const ws_sink *sink, ws_notes *notes, void *state, ws_error *error)
{
    ws_rows *rows;
    ws_row_trace t = {.options = options, .policy = kind->policy, .stamps.zone = options->zone, .state = state};
    t.policy.source = ws_input_path(input);
    t.policy.notes = notes;
    ws_feed_init(&t.feed, t.policy.source, sink, notes);
    ws_status status = ws_rows_open(&rows, input, kind->delimiter, &options->rows, error);
    if (status == WS_OK)
        status = ws_rows_take(rows, row_trace_take, &(row_trace_call){&t, kind->take}, error);
    if (status == WS_OK && kind->end)
        status = kind->end(&t, error);
    ws_status flushed = ws_feed_flush(&t.feed, error);
    status = status == WS_OK ? flushed : status;
    if (status == WS_OK && !t.feed.n)
        status = ws_fail_at(error, WS_DATA, t.feed.source, 0, "%s", kind->what);
    ws_rows_close(rows);
    ws_feed_free(&t.feed);
    return status;
}

void ws_row_trace_note(ws_row_trace *trace, ws_finding finding, const ws_row *row, const char *text, ws_span found)
{
    ws_notes_add(trace->feed.notes, finding, trace->feed.source, "", row->line, "%s '%.*s'", text,
                 found.n > NOTE_TEXT ? NOTE_TEXT : (int)found.n, found.p);
}
