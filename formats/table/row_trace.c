#include "formats/table/row_trace.h"

#include <string.h>

enum { NOTE_TEXT = 80 };

typedef struct row_trace_call {
    ws_row_trace *trace;
    ws_row_trace_taker *take;
    bool counts_lines;
} row_trace_call;

static ws_status row_trace_take(void *state, const ws_row *row, ws_error *error)
{
    const row_trace_call *call = state;
    ws_row_trace *t = call->trace;
    t->row = row;
    t->line = row->line;
    uint64_t added = t->samples.n_added;
    if (t->plain.current)
        t->stamps = t->plain.current->plan.stamps;
    ws_status status = call->take(t, row, error);
    if (t->stamps.has_ambiguous_zone)
        ws_note_ambiguous_zone(t->samples.notes, t->samples.source, row->line, &t->stamps);
    if (t->plain.current)
        t->plain.current->plan.stamps = t->stamps;
    if (call->counts_lines && t->samples.n_added > added)
        ws_unread_reading(&t->plain.unread);
    else if (call->counts_lines)
        ws_unread_line(&t->plain.unread, row);
    return status;
}

ws_status ws_row_trace_end_plain_lines(ws_row_trace *t, ws_error *error)
{
    ws_trace_section *s = t->plain.current;
    t->plain.current = NULL;
    return s ? ws_trace_section_flush(s, error) : WS_OK;
}

static void row_trace_note_there(void *state, ws_notes *notes)
{
    const row_trace_call *call = state;
    call->trace->samples.notes = call->trace->policy.notes = notes;
}

static ws_status read_rows(ws_row_trace *t, const ws_row_trace_kind *kind, ws_error *error)
{
    row_trace_call call = {t, kind->take, kind->holds_rows_alone};
    if (!kind->takes_plain_lines)
        return ws_rows_take(t->plain.rows, row_trace_take, &call, error);
    t->plain.take_row = row_trace_take;
    t->plain.taker = &call;
    t->plain.set_notes = kind->goes_on ? row_trace_note_there : NULL;
    return ws_trace_read_rows(&t->plain, t->input, error);
}

ws_status ws_row_trace_read(const ws_row_trace_kind *kind, ws_input *input, const ws_read_options *options,
                            const ws_sink *sink, ws_notes *notes, void *state, ws_error *error)
{
    bool goes_on = ws_trace_goes_on(options);
    if (goes_on && !(kind->takes_plain_lines && kind->goes_on)) {
        options->log->is_refused = true;
        return WS_OK;
    }
    ws_row_trace t = {.options = options,
                      .input = input,
                      .policy = kind->policy,
                      .stamps = {.form = kind->form, .zone = options->zone},
                      .state = state,
                      .plain = {.options = options,
                                .sink = sink,
                                .later_notes = notes,
                                .delimiter = kind->delimiter,
                                .context = {.source = ws_input_path(input), .notes = goes_on ? NULL : notes}}};
    t.policy.source = ws_input_path(input);
    t.policy.notes = t.plain.context.notes;
    ws_samples_init(&t.samples, t.policy.source, goes_on ? &t.plain.own_sink : sink, t.policy.notes);
    t.samples.is_naive_noted = kind->notes_time;
    ws_status status = ws_rows_open(&t.plain.rows, input, kind->delimiter, &options->rows, error);
    if (status == WS_OK)
        status = read_rows(&t, kind, error);
    t.row = NULL;
    if (status == WS_OK && kind->end)
        status = kind->end(&t, error);
    if (status == WS_OK && kind->holds_rows_alone)
        ws_unread_note(&t.plain.unread, kind->takes_plain_lines ? 1 : ws_unread_readings_a_line(&t.plain.unread),
                       t.samples.notes, t.samples.source);
    ws_status flushed = ws_row_trace_end_plain_lines(&t, error);
    status = status == WS_OK ? flushed : status;
    flushed = ws_samples_flush(&t.samples, error);
    status = status == WS_OK ? flushed : status;
    if (status == WS_OK && !t.samples.n && !(goes_on && options->log->is_refused))
        status = ws_fail_at(error, WS_DATA, t.samples.source, 0, "%s", kind->what);
    ws_trace_free(&t.plain);
    ws_samples_free(&t.samples);
    return status;
}

void ws_row_trace_note(ws_row_trace *trace, ws_finding finding, const char *text, ws_span found)
{
    ws_notes_add(trace->samples.notes, finding, trace->samples.source, "", trace->line, "%s '%.*s'", text,
                 found.n > NOTE_TEXT ? NOTE_TEXT : (int)found.n, found.p);
}

bool ws_row_trace_is_cut(ws_row_trace *trace)
{
    if (trace->row->unfinished)
        ws_row_note_cut(&trace->policy, trace->row);
    return trace->row->unfinished;
}

ws_status ws_row_trace_push(ws_row_trace *trace, const ws_samples_key *key, int64_t t_ns, double value, ws_error *error)
{
    ws_samples_reading reading = {.t_ns = t_ns, .value = value, .line = trace->line};
    return ws_samples_push(&trace->samples, key, &reading, error);
}

int64_t ws_period_time(const ws_read_options *options, int64_t n, ws_time_base *base)
{
    int64_t t_ns = 0, period_ns = ws_read_period(options);
    bool fits = period_ns && !__builtin_mul_overflow(n, period_ns, &t_ns);
    *base = fits ? WS_TIME_RELATIVE : WS_TIME_NONE;
    return t_ns;
}

ws_span ws_file_stem(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path, *dot = strchr(name, '.');
    return (ws_span){name, dot ? (size_t)(dot - name) : strlen(name)};
}
