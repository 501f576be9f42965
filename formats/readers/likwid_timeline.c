/* Timeline of likwid-perfctr -t, of a group that has energies:
 *
 *   # GID|MetricsCount|CpuCount|Total runtime [s]|Runtime (RDTSC) [s]|Energy [J]|Power [W]|Energy DRAM [J]
 *   1 4 2 1.0002 1.0001 1.0001 55.2 0 55.2 0 6.1 0
 *
 * Group, metrics, hardware threads, seconds since the start, then each metric for each thread, between blanks or (-O)
 * commas. Groups that take turns have a head each, in the order of their numbers. Energies are of the interval. Only the first thread of a socket has them: the zeros of the others are no
 * readings. */
#include "formats/table/line_trace.h"

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

static void likwid_timeline_take_header(ws_line_trace *t, ws_span line)
{
    timeline *l = t->state;
    ws_span name;
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
            g->metrics[g->n++] = ws_arena_strndup(&t->feed.arena, name.p, name.n);
    }
}

static ws_domain domain_of(const char *metric)
{
    size_t i = 0;
    while (!ws_span_contains(ws_span_of(metric), domains[i].word))
        i++;
    return domains[i].domain;
}

static bool next_cell(ws_span *rest, ws_span *cell)
{
    while (rest->n && (*rest->p == ' ' || *rest->p == ',' || *rest->p == '\t' || *rest->p == '\r'))
        *rest = (ws_span){rest->p + 1, rest->n - 1};
    size_t n = 0;
    while (n < rest->n && rest->p[n] != ' ' && rest->p[n] != ',' && rest->p[n] != '\t' && rest->p[n] != '\r')
        n++;
    *cell = (ws_span){rest->p, n};
    *rest = (ws_span){rest->p + n, rest->n - n};
    return n > 0;
}

static ws_status push(ws_line_trace *t, const char *metric, int64_t thread, int64_t t_ns, ws_span cell, ws_error *error)
{
    char id[32];
    bool is_energy = ws_span_has_suffix(ws_span_of(metric), "[J]");
    if (!is_energy && !ws_span_has_suffix(ws_span_of(metric), "[W]"))
        return WS_OK;
    snprintf(id, sizeof id, "thread %d", (int)thread);
    ws_feed_key key = {.id = ws_span_of(id),
                       .identity = "position",
                       .number = -1,
                       .domain = domain_of(metric),
                       .quantity = is_energy ? WS_ENERGY_INTERVAL : WS_POWER,
                       .column = metric,
                       .rule = is_energy ? WS_RULE_INTERVAL : WS_RULE_RECTANGLE,
                       .time = WS_TIME_RELATIVE};
    double value = ws_feed_number(&t->feed, cell, key.quantity, NULL, metric, t->lines.number);
    if (value == 0 && !ws_feed_has(&t->feed, &key))
        return WS_OK;
    ws_feed_reading reading = {.t_ns = t_ns, .value = value, .line = t->lines.number};
    reading.interval_ns = t_ns - ((const timeline *)t->state)->last_ns;
    return ws_feed_push(&t->feed, &key, &reading, error);
}

/* The four numbers that a row begins with. */
static bool read_lead(ws_span *rest, int64_t *number, int64_t *metrics, int64_t *threads, int64_t *t_ns)
{
    ws_span cell[LEAD];
    for (size_t i = 0; i < LEAD; i++)
        if (!next_cell(rest, &cell[i]))
            return false;
    return ws_span_i64(cell[0], number) && ws_span_i64(cell[1], metrics) && ws_span_i64(cell[2], threads) &&
           ws_seconds_to_ns(cell[3], t_ns) && *metrics > 0 && *threads > 0 && *threads <= MOST_THREADS;
}

static const group *group_of(const timeline *l, int64_t number)
{
    return number >= 1 && (uint64_t)number <= l->n ? &l->groups[number - 1] : NULL;
}

static ws_status likwid_timeline_take_row(ws_line_trace *t, ws_span line, ws_error *error)
{
    timeline *l = t->state;
    int64_t number, metrics, threads, t_ns;
    ws_span rest = line, cell;
    ws_status status = WS_OK;
    bool is_row = read_lead(&rest, &number, &metrics, &threads, &t_ns);
    if (is_row && t_ns <= l->last_ns) /* another call in the same file */
        l->last_ns = 0;
    const group *g = is_row ? group_of(l, number) : NULL;
    if (!g || (size_t)metrics != g->n) {
        ws_line_trace_note(t, WS_FINDING_SKIPPED_LINE, "no row of the timeline:", line);
        l->last_ns = is_row ? t_ns : l->last_ns;
        return WS_OK;
    }
    for (int64_t i = 0; i < metrics * threads && status == WS_OK; i++) {
        if (!next_cell(&rest, &cell)) {
            ws_line_trace_note(t, WS_FINDING_SHORT_ROW, "a row ends before its last value:", line);
            break;
        }
        status = push(t, g->metrics[i / threads], i % threads, t_ns, cell, error);
    }
    l->has_rows = true;
    l->last_ns = t_ns;
    return status;
}

static bool is_header(ws_span line)
{
    return ws_span_has_prefix(line, "#") && ws_span_contains(line, "|MetricsCount|CpuCount|");
}

static ws_status likwid_timeline_take_line(ws_line_trace *t, ws_span line, ws_error *error)
{
    const timeline *l = t->state;
    if (is_header(line)) {
        likwid_timeline_take_header(t, line);
        return WS_OK;
    }
    if (t->lines.unfinished) {
        ws_line_trace_note(t, WS_FINDING_TRUNCATED_LINE, "the last line may be cut and was left out:", line);
        return WS_OK;
    }
    /* the program's own output may stand between the rows */
    return l->n && *line.p >= '0' && *line.p <= '9' ? likwid_timeline_take_row(t, line, error) : WS_OK;
}

static ws_status read_timeline(ws_input *input, const ws_read_options *options, const ws_sink *sink, ws_notes *notes,
                               ws_error *error)
{
    timeline state = {.n = 0};
    return ws_line_trace_read(input, options, sink, notes, WS_STAMP_ELAPSED, likwid_timeline_take_line, &state,
                              "no energy or power in a timeline: a group such as ENERGY has them", error);
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
