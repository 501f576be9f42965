/* likwid-powermeter:
 *
 *   Runtime: 10.0021 s
 *   Measure for socket 0 on CPU 0
 *   Domain PKG:
 *   Energy consumed: 551.2 Joules
 *   Power consumed: 55.1 Watt
 *   Domain DRAM:
 *   Energy consumed: 61.0 Joules
 *
 * Each energy is given for the whole runtime. PP0 and PP1 lie inside PKG, PLATFORM holds all. A further call in the
 * same file is a run of its own. */
#include "formats/table/row_trace.h"
#include "formats/table/dictionary.h"

#include <stdio.h>

typedef struct powermeter {
    int64_t runtime_ns, socket, calls;
    bool has_domain;
    ws_rapl_zone zone;
    char name[32];
} powermeter;

static ws_status likwid_power_push(ws_row_trace *t, ws_span text, ws_error *error)
{
    const powermeter *p = t->state;
    char run[24], id[64];
    double joules;
    ws_span rest;
    if (!p->has_domain || !ws_span_number(text, &joules, &rest) || !ws_span_eq(rest, "Joules")) {
        ws_row_trace_note(t, WS_FINDING_SKIPPED_LINE, "no energy of a RAPL domain:", text);
        return WS_OK;
    }
    snprintf(run, sizeof run, "%d", (int)p->calls);
    snprintf(id, sizeof id, "socket %d %s", (int)p->socket, p->name);
    ws_samples_key key = {.run = p->calls > 1 ? run : "",
                          .id = ws_span_of(id),
                          .identity = "name",
                          .number = p->socket,
                          .domain = p->zone.domain,
                          .quantity = WS_ENERGY_INTERVAL,
                          .column = "Energy consumed",
                          .rule = WS_RULE_GIVEN,
                          .time = p->runtime_ns > 0 ? WS_TIME_RELATIVE : WS_TIME_NONE};
    ws_samples_reading reading = {
        .t_ns = p->runtime_ns, .interval_ns = p->runtime_ns, .value = joules, .line = t->line};
    return ws_samples_push(&t->samples, &key, &reading, error);
}

static void take_runtime(ws_row_trace *t, ws_span text)
{
    powermeter *p = t->state;
    ws_span number, rest = text;
    p->calls++;
    p->has_domain = false;
    if (!ws_span_word(&rest, &number) || !ws_seconds_to_ns(number, &p->runtime_ns)) {
        ws_row_trace_note(t, WS_FINDING_BAD_DURATION, "no duration:", text);
        p->runtime_ns = 0;
    }
}

static ws_status likwid_power_take_line(ws_row_trace *t, const ws_row *row, ws_error *error)
{
    ws_span line = *row->cells;
    powermeter *p = t->state;
    ws_span before, after, word;
    if (ws_row_trace_is_cut(t)) {
        return WS_OK;
    } else if (ws_span_cut(line, "Energy consumed:", &before, &after)) {
        return likwid_power_push(t, after, error);
    } else if (ws_span_has_prefix(line, "Runtime:")) {
        ws_span_cut(line, ":", &before, &after);
        take_runtime(t, after);
    } else if (ws_span_cut(line, "Measure for socket ", &before, &after)) {
        if (!ws_span_word(&after, &word) || !ws_span_i64(word, &p->socket))
            p->socket = 0;
    } else if (ws_span_has_prefix(line, "Domain") && ws_span_cut(line, ":", &before, &after)) {
        ws_span name = ws_span_trim(before.n > 7 ? (ws_span){before.p + 7, before.n - 7}
                                                 : after); /* "Domain: PKG" of older versions */
        snprintf(p->name, sizeof p->name, "%.*s", WS_SPAN_ARG(name));
        p->has_domain = ws_rapl_zone_find(name, &p->zone);
    }
    return WS_OK;
}

static ws_status read_powermeter(ws_input *input, const ws_read_options *options, const ws_sink *sink, ws_notes *notes,
                                 ws_error *error)
{
    powermeter state = {0};
    static const ws_row_trace_kind kind = {
        .delimiter = WS_LINES, .take = likwid_power_take_line, .what = "no 'Energy consumed:' below a 'Domain'"};
    return ws_row_trace_read(&kind, input, options, sink, notes, &state, error);
}

static int score_likwid_power(const char *path, ws_span head)
{
    (void)path;
    return ws_span_contains(head, "Energy consumed:") && ws_span_contains(head, "\nDomain") ? 92 : 0;
}

const ws_format ws_format_likwid_power = {
    .name = "likwid-powermeter",
    .title = "likwid-powermeter: energies of RAPL domains over a runtime",
    .example = "Runtime: 10.0021 s\nMeasure for socket 0 on CPU 0\nDomain PKG:\nEnergy consumed: 551.2 Joules",
    .tier = 3,
    .gives = WS_GIVES_ENERGY,
    .tried = WS_TRIED_HAND_MADE,
    .report = "Runtime:",
    .score = score_likwid_power,
    .read = read_powermeter,
};
