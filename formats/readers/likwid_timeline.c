/* Timeline of likwid-perfctr -t, of a group that has energies:
 *
 *   # GID|MetricsCount|CpuCount|Total runtime [s]|Runtime (RDTSC) [s]|Energy [J]|Power [W]|Energy DRAM [J]
 *   1 4 2 1.0002 1.0001 1.0001 55.2 0 55.2 0 6.1 0
 *
 * Group, metrics, hardware threads, seconds since the start, then each metric for each thread, between blanks or (-O)
 * commas. Groups that take turns have a head each, in the order of their numbers. Energies are of the interval. Only
 * the first thread of a socket has them: the zeros of the others are no readings.
 *
 * No description of preset.h: each row says how many cells it has and which of the heads is its own, and a head names
 * metrics, not columns. */
#include "formats/table/row_trace.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { LEAD = 4, MOST_GROUPS = 16, MOST_METRICS = 256, MOST_THREADS = 4096 };

/* Words in the name of a metric, the strongest first. */
static const struct {
    const char *word;
    ws_domain domain;
} domains[] = {{"DRAM", WS_DRAM}, {"PP0", WS_CPU_CORE}, {"PP1", WS_CPU_GFX}, {"PLATFORM", WS_PSYS}, {"", WS_CPU}};

typedef struct group {
    const char *metrics[MOST_METRICS];
    size_t n;
} group;

typedef struct timeline {
    group groups[MOST_GROUPS]; /* of number i + 1 */
    size_t n;
    bool has_rows;
    int64_t last_ns; /* where the interval of a row begins: at the row before, or at the start */
} timeline;

static void likwid_timeline_take_header(ws_row_trace *t, const ws_row *row)
{
    timeline *l = t->state;
    ws_span name, line = ws_row_line(row);
    size_t place = 0;
    if (l->has_rows) /* of another call */
        l->n = 0;
    l->has_rows = false;
    if (l->n == MOST_GROUPS)
        return;
    group *g = &l->groups[l->n++];
    for (g->n = 0; ws_span_split(&line, '|', &name) && g->n < MOST_METRICS; place++) {
        name = ws_span_trim(name);
        if (place >= LEAD && name.n)
            g->metrics[g->n++] = ws_arena_strndup(&t->samples.arena, name.p, name.n);
    }
}

static ws_domain domain_of(const char *metric)
{
    size_t i = 0;
    while (!ws_span_contains(ws_span_of(metric), domains[i].word))
        i++;
    return domains[i].domain;
}

static ws_status likwid_timeline_push(ws_row_trace *t, const char *metric, int64_t thread, int64_t t_ns, ws_span cell,
                                      int64_t line, ws_error *error)
{
    char id[32];
    bool is_energy = ws_span_has_suffix(ws_span_of(metric), "[J]");
    if (!is_energy && !ws_span_has_suffix(ws_span_of(metric), "[W]"))
        return WS_OK;
    snprintf(id, sizeof id, "thread %d", (int)thread);
    ws_samples_key key = {.id = ws_span_of(id),
                          .identity = "position",
                          .number = -1,
                          .domain = domain_of(metric),
                          .quantity = is_energy ? WS_ENERGY_INTERVAL : WS_POWER,
                          .column = metric,
                          .rule = is_energy ? WS_RULE_INTERVAL : WS_RULE_RECTANGLE,
                          .time = WS_TIME_RELATIVE};
    double value = ws_samples_number(&t->samples, cell, key.quantity, NULL, metric, line);
    if (value == 0 && !ws_samples_has(&t->samples, &key))
        return WS_OK;
    ws_samples_reading reading = {.t_ns = t_ns, .value = value, .line = line};
    reading.interval_ns = t_ns - ((const timeline *)t->state)->last_ns;
    return ws_samples_push(&t->samples, &key, &reading, error);
}

/* The four numbers that a row begins with. */
static bool read_lead(const ws_row *row, int64_t *number, int64_t *metrics, int64_t *threads, int64_t *t_ns)
{
    return row->n_cells >= LEAD && ws_span_i64(row->cells[0], number) && ws_span_i64(row->cells[1], metrics) &&
           ws_span_i64(row->cells[2], threads) && ws_seconds_to_ns(row->cells[3], t_ns) && *metrics > 0 &&
           *threads > 0 && *threads <= MOST_THREADS;
}

static const group *group_of(const timeline *l, int64_t number)
{
    return number >= 1 && (uint64_t)number <= l->n ? &l->groups[number - 1] : NULL;
}

static ws_status likwid_timeline_take_row(ws_row_trace *t, const ws_row *row, ws_error *error)
{
    timeline *l = t->state;
    int64_t number, metrics, threads, t_ns;
    ws_status status = WS_OK;
    bool is_row = read_lead(row, &number, &metrics, &threads, &t_ns);
    if (is_row && t_ns <= l->last_ns) /* another call in the same file */
        l->last_ns = 0;
    const group *g = is_row ? group_of(l, number) : NULL;
    if (!g || (size_t)metrics != g->n) {
        ws_row_note_no_data(&t->policy, row);
        l->last_ns = is_row ? t_ns : l->last_ns;
        return WS_OK;
    }
    t->policy.n_columns = (uint32_t)(LEAD + metrics * threads);
    if (ws_row_is_usable(&t->policy, row))
        for (uint32_t c = LEAD; c < row->n_cells && c < t->policy.n_columns && status == WS_OK; c++)
            status = likwid_timeline_push(t, g->metrics[(c - LEAD) / threads], (c - LEAD) % threads, t_ns,
                                          row->cells[c], row->line, error);
    l->has_rows = true;
    l->last_ns = t_ns;
    return status;
}

static bool is_header(ws_span line)
{
    return ws_span_has_prefix(line, "#") && ws_span_contains(line, "|MetricsCount|CpuCount|");
}

static ws_status likwid_timeline_take(ws_row_trace *t, const ws_row *row, ws_error *error)
{
    const timeline *l = t->state;
    if (is_header(ws_row_line(row))) {
        likwid_timeline_take_header(t, row);
        return WS_OK;
    }
    /* the program's own output may stand between the rows */
    bool may_be_row = l->n && *row->cells->p >= '0' && *row->cells->p <= '9';
    return ws_row_is_cut(&t->policy, row) || !may_be_row ? WS_OK : likwid_timeline_take_row(t, row, error);
}

static ws_status read_timeline(ws_input *input, const ws_read_options *options, const ws_sink *sink, ws_notes *notes,
                               ws_error *error)
{
    static const ws_row_trace_kind kind = {.delimiter = WS_WORDS_AND_COMMAS,
                                           .policy.keeps_short = true,
                                           .holds_rows_alone = true,
                                           .take = likwid_timeline_take,
                                           .what = "no energy or power in a timeline: a group such as ENERGY has them"};
    timeline state = {.n = 0};
    return ws_row_trace_read(&kind, input, options, sink, notes, &state, error);
}

static int score_likwid_timeline(const char *path, ws_span head)
{
    (void)path;
    ws_span line;
    while (ws_span_split(&head, '\n', &line))
        if (is_header(line))
            return 95;
    return 0;
}

const ws_format ws_format_likwid_timeline = {
    .name = "likwid-timeline",
    .title = "timeline of likwid-perfctr -t with energies",
    .example = "# GID|MetricsCount|CpuCount|Total runtime [s]|Runtime (RDTSC) [s]|Energy [J]|Power [W]\n"
               "1 3 2 1.0002 1.0001 1.0001 55.2 0 55.2 0",
    .tier = 3,
    .gives = WS_GIVES_POWER | WS_GIVES_ENERGY,
    .tried = WS_TRIED_HAND_MADE,
    .score = score_likwid_timeline,
    .read = read_timeline,
};
