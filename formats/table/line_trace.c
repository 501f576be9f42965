#include "formats/table/line_trace.h"

#include "formats/table/row_policy.h"

#include <string.h>

enum { NOTE_TEXT = 80 };

static ws_status take_lines(ws_line_trace *t, ws_line_taker *take, ws_error *error)
{
    ws_span line;
    ws_status status;
    while ((status = ws_lines_next(&t->lines, &line, error)) == WS_OK && line.p) {
        if (ws_span_trim(line).n && (status = take(t, line, error)) != WS_OK)
            break;
        ws_note_ambiguous_zone(t->feed.notes, t->feed.source, t->lines.number, &t->stamps);
    }
    if (status == WS_OK && t->wants_end)
        status = take(t, (ws_span){NULL, 0}, error);
    return status;
}

ws_status ws_line_trace_read(ws_input *input, const ws_read_options *options, const ws_sink *sink, ws_notes *notes,
                             ws_stamp_form form, ws_line_taker *take, void *state, const char *what, ws_error *error)
{
    ws_line_trace t = {.options = options, .state = state};
    t.stamps = (ws_timecol){.form = form, .zone = options->zone};
    ws_lines_init(&t.lines, input);
    ws_feed_init(&t.feed, ws_input_path(input), sink, notes);
    ws_status status = take_lines(&t, take, error);
    ws_status flushed = ws_feed_flush(&t.feed, error);
    status = status == WS_OK ? flushed : status;
    if (status == WS_OK && !t.feed.n)
        status = ws_fail_at(error, WS_DATA, t.feed.source, 0, "%s", what);
    ws_feed_free(&t.feed);
    ws_lines_free(&t.lines);
    return status;
}

void ws_line_trace_note(ws_line_trace *trace, ws_finding finding, const char *text, ws_span found)
{
    ws_notes_add(trace->feed.notes, finding, trace->feed.source, "", trace->lines.number, "%s '%.*s'", text,
                 found.n > NOTE_TEXT ? NOTE_TEXT : (int)found.n, found.p);
}

bool ws_line_trace_is_cut(ws_line_trace *trace)
{
    if (trace->lines.unfinished)
        ws_note_cut_line(trace->feed.notes, trace->feed.source, "", trace->lines.number);
    return trace->lines.unfinished;
}

void ws_line_trace_no_data(ws_line_trace *trace, const char *text, ws_span line)
{
    if (!ws_line_trace_is_cut(trace))
        ws_line_trace_note(trace, WS_FINDING_SKIPPED_LINE, text, line);
}

ws_status ws_line_trace_push(ws_line_trace *trace, ws_feed_key *key, int64_t t_ns, double value, ws_error *error)
{
    ws_feed_reading reading = {.t_ns = t_ns, .value = value, .line = trace->lines.number};
    return ws_feed_push(&trace->feed, key, &reading, error);
}

int64_t ws_period_time(const ws_read_options *options, int64_t n, ws_time_base *base)
{
    int64_t t_ns = 0;
    bool fits = options->period_ns && !__builtin_mul_overflow(n, options->period_ns, &t_ns);
    *base = fits ? WS_TIME_RELATIVE : WS_TIME_NONE;
    return t_ns;
}

ws_span ws_file_stem(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path, *dot = strchr(name, '.');
    return (ws_span){name, dot ? (size_t)(dot - name) : strlen(name)};
}
