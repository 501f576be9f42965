/* NAME_carbontracker.log, a block an epoch:
 *
 *   2026-02-11 08:02:21 - Epoch 1:
 *   2026-02-11 08:02:21 - Duration: 0:02:21.90
 *   2026-02-11 08:02:21 - Average power usage (W) for gpu: [136.8 140.2]
 *   2026-02-11 08:02:21 - Average power usage (W) for cpu: [13.4]
 *
 * A list of more than a line's length goes on in the next lines, as NumPy prints it, and newer versions write a power
 * alone, "136.8".
 *
 * The stamp is the local time of the epoch's end; each power is the mean over its duration, without the PUE that
 * carbontracker puts on its energies. */
#include "formats/table/row_trace.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char power_label[] = "Average power usage (W) for ", duration_label[] = "Duration: ";

static const struct {
    const char *component;
    ws_domain domain;
} components[] = {{"gpu", WS_GPU}, {"cpu", WS_CPU}};

typedef struct epoch {
    int64_t end_ns, duration_ns;
    bool has_end;
    bool is_open; /* a list of powers, which goes on in the next line */
    char component[32], list[8192];
    size_t n;
} epoch;

static ws_domain domain_of(ws_span component)
{
    for (size_t i = 0; i < sizeof components / sizeof *components; i++)
        if (ws_span_eq(component, components[i].component))
            return components[i].domain;
    return WS_OTHER;
}

/* "[136.8, 140.2]", "[136.8 140.2]", "136.8" or "None". */
static ws_status take_powers(ws_row_trace *t, ws_span component, ws_span list, ws_error *error)
{
    const epoch *e = t->state;
    char column[64], item[32];
    int64_t n = 0;
    ws_span word;
    ws_status status = WS_OK;
    snprintf(column, sizeof column, "Average power usage (W) for %.*s", component.n > 16 ? 16 : (int)component.n,
             component.p);
    while (status == WS_OK && ws_span_word(&list, &word)) {
        while (word.n && (*word.p == '[' || *word.p == ','))
            word = (ws_span){word.p + 1, word.n - 1};
        while (word.n && (word.p[word.n - 1] == ']' || word.p[word.n - 1] == ','))
            word.n--;
        if (!word.n)
            continue;
        snprintf(item, sizeof item, "%.*s %d", component.n > 16 ? 16 : (int)component.n, component.p, (int)n);
        ws_samples_key key = {.id = ws_span_of(item),
                              .identity = "position",
                              .number = n++,
                              .domain = domain_of(component),
                              .quantity = WS_POWER,
                              .column = column,
                              .rule = WS_RULE_RECTANGLE,
                              .are_windows = true,
                              .time = t->stamps.base};
        ws_samples_reading reading = {.t_ns = e->end_ns, .interval_ns = e->duration_ns, .line = t->line};
        reading.value = ws_samples_number(&t->samples, word, WS_POWER, NULL, column, t->line);
        status = ws_samples_push(&t->samples, &key, &reading, error);
    }
    return status;
}

static void take_stamp(ws_row_trace *t, ws_span line)
{
    epoch *e = t->state;
    ws_span stamp, rest;
    if (!ws_span_cut(line, " - ", &stamp, &rest))
        return;
    if (t->stamps.form == WS_STAMP_NONE)
        ws_timecol_settle(&t->stamps, ws_span_trim(stamp));
    e->has_end = ws_timecol_read(&t->stamps, ws_span_trim(stamp), &e->end_ns);
}

/* A piece of a list; the powers are taken when it is whole. */
static ws_status add_to_list(ws_row_trace *t, ws_span piece, ws_error *error)
{
    epoch *e = t->state;
    if (piece.n + 1 < sizeof e->list - e->n) {
        memcpy(e->list + e->n, piece.p, piece.n);
        e->n += piece.n;
        e->list[e->n++] = ' ';
    }
    ws_span list = ws_span_trim((ws_span){e->list, e->n});
    e->is_open = ws_span_has_prefix(list, "[") && !ws_span_has_suffix(list, "]");
    return e->is_open ? WS_OK : take_powers(t, ws_span_of(e->component), list, error);
}

static ws_status begin_list(ws_row_trace *t, ws_span component, ws_span list, ws_error *error)
{
    epoch *e = t->state;
    snprintf(e->component, sizeof e->component, "%.*s", component.n > 30 ? 30 : (int)component.n, component.p);
    e->n = 0;
    return add_to_list(t, list, error);
}

static ws_status carbontracker_log_take_line(ws_row_trace *t, const ws_row *row, ws_error *error)
{
    ws_span line = *row->cells;
    epoch *e = t->state;
    ws_span before, after, component, list;
    if (ws_row_trace_is_cut(t))
        return WS_OK;
    if (e->is_open && !ws_span_contains(line, " - "))
        return add_to_list(t, line, error);
    if (e->is_open)
        ws_row_trace_note(t, WS_FINDING_SKIPPED_LINE, "a list of powers does not end before this line:", line);
    e->is_open = false;
    take_stamp(t, line);
    if (ws_span_cut(line, duration_label, &before, &after) &&
        !ws_duration_parse(ws_span_trim(after), &e->duration_ns)) {
        ws_row_trace_note(t, WS_FINDING_BAD_DURATION, "no duration:", after);
        e->duration_ns = 0;
    }
    if (!ws_span_cut(line, power_label, &before, &after) || !ws_span_cut(after, ":", &component, &list))
        return WS_OK;
    if (e->has_end && e->duration_ns > 0)
        return begin_list(t, component, list, error);
    ws_row_trace_note(t, WS_FINDING_SKIPPED_LINE, "a power without the stamp or the duration of its epoch:", line);
    return WS_OK;
}

static ws_status read_carbontracker(ws_input *input, const ws_read_options *options, const ws_sink *sink,
                                    ws_notes *notes, ws_error *error)
{
    epoch state = {0};
    static const ws_row_trace_kind kind = {.delimiter = WS_LINES,
                                           .holds_rows_alone = true,
                                           .take = carbontracker_log_take_line,
                                           .what = "no epoch with its duration and power"};
    return ws_row_trace_read(&kind, input, options, sink, notes, &state, error);
}

static int score_carbontracker_log(const char *path, ws_span head)
{
    (void)path;
    return ws_span_contains(head, power_label) ? 93 : 0;
}

const ws_format ws_format_carbontracker_log = {
    .name = "carbontracker-log",
    .title = "log of carbontracker: mean power of each epoch",
    .example = "2026-02-11 08:02:21 - Duration: 0:02:21.90\n"
               "2026-02-11 08:02:21 - Average power usage (W) for gpu: [136.8 140.2]",
    .tier = 3,
    .gives = WS_GIVES_POWER,
    .tried = WS_TRIED_HAND_MADE,
    .score = score_carbontracker_log,
    .read = read_carbontracker,
};
