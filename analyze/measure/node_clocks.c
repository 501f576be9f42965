#include "analyze/measure/node_clocks.h"

#include "core/arena.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Nodes of a job begin and end some seconds apart. Ours. */
static const double apart_s = 10;

/* Of the time by which a node is late, as far as it was watched, this share is spent at work behind the window, and
 * this time at least: a job ends some seconds behind its window. */
static const double goes_on = 0.25, goes_on_s = 5;

/* Where in the window a node works: from `lead_s` after its start to `tail_s` before its end; and for how long it works
 * around the window. */
typedef struct node_work {
    const char *node, *source;
    bool is_seen; /* the work has an end at one side of the window */
    double lead_s, tail_s, before_s, behind_s, mean_w, most_w, step_s;
} node_work;

static double seconds(int64_t from_ns, int64_t to_ns)
{
    return ((double)to_ns - (double)from_ns) / 1e9;
}

static bool is_counted(const ws_device *d)
{
    bool is_part = d->domain == WS_GPU || d->domain == WS_CPU || d->domain == WS_DRAM;
    return is_part && !d->is_alternative && *d->node && d->energy && !isnan(d->energy->summary.energy_j);
}

/* The GPUs, or the processors of a run without GPUs. */
static ws_domain watched_domain(const ws_measure *m, const ws_measure_group *run)
{
    for (size_t i = 0; i < run->n_devices; i++)
        if (is_counted(&m->devices[run->devices[i]]) && m->devices[run->devices[i]].domain == WS_GPU)
            return WS_GPU;
    return WS_CPU;
}

static node_work *find_node(node_work *nodes, size_t *n, const ws_device *d)
{
    for (size_t i = *n; i-- > 0;) /* devices of a node are adjacent */
        if (strcmp(nodes[i].node, d->node) == 0)
            return &nodes[i];
    nodes[*n] = (node_work){.node = d->node, .source = d->source, .lead_s = INFINITY, .tail_s = INFINITY};
    return &nodes[(*n)++];
}

static double usual_s(const ws_channel_summary *r)
{
    return r->samples > 1 ? r->duration_s / (double)(r->samples - 1) : 0;
}

static void add_work(node_work *node, const ws_device *d, const ws_power_work *work, int64_t start_ns, int64_t end_ns)
{
    double step_s = usual_s(&d->energy->summary);
    node->is_seen = true;
    node->lead_s = fmin(node->lead_s, seconds(start_ns, work->from_ns));
    node->tail_s = fmin(node->tail_s, seconds(work->to_ns, end_ns));
    node->before_s = fmax(node->before_s, (double)work->before * step_s);
    node->behind_s = fmax(node->behind_s, (double)work->behind * step_s);
}

/* A node works when one of its devices does. One that draws the same around the window works all the time where it
 * draws as much as others at work; else it never does, and tells nothing of the node. */
static size_t find_work(const ws_measure *m, const ws_measure_group *run, int64_t start_ns, int64_t end_ns,
                        node_work *nodes)
{
    ws_domain domain = watched_domain(m, run);
    ws_power_work work;
    int least_size = WS_POWER_SIZES;
    size_t n = 0, kept = 0;
    for (size_t i = 0; i < run->n_devices; i++) {
        const ws_device *d = &m->devices[run->devices[i]];
        if (!is_counted(d))
            continue;
        node_work *node = find_node(nodes, &n, d);
        node->mean_w += d->energy->summary.mean;
        node->most_w += d->energy->summary.most_w;
        node->step_s = fmax(node->step_s, d->energy->summary.max_gap_s);
        if (d->domain != domain || !ws_power_times_of_work(&d->energy->watch->times, &work) || !work.is_seen)
            continue;
        least_size = work.least_size < least_size ? work.least_size : least_size;
        add_work(node, d, &work, start_ns, end_ns);
    }
    for (size_t i = 0; i < run->n_devices; i++) {
        const ws_device *d = &m->devices[run->devices[i]];
        if (!is_counted(d) || d->domain != domain || !ws_power_times_of_work(&d->energy->watch->times, &work))
            continue;
        node_work *node = find_node(nodes, &n, d);
        if (!node->is_seen && work.most_size >= least_size)
            node->lead_s = node->tail_s = 0;
    }
    for (size_t i = 0; i < n; i++)
        if (isfinite(nodes[i].lead_s))
            nodes[kept++] = nodes[i];
    return kept;
}

static int by_size(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* The lower median: of two nodes the earlier one. */
static double usual(const node_work *nodes, size_t n, bool is_tail)
{
    double *all = ws_alloc((n + 1) * sizeof *all);
    for (size_t i = 0; i < n; i++)
        all[i] = is_tail ? nodes[i].tail_s : nodes[i].lead_s;
    qsort(all, n, sizeof *all, by_size);
    double median = all[(n - 1) / 2];
    free(all);
    return median;
}

/* Work that is moved goes on at the other side of the window; a node that begins later than the others does not. */
static bool is_moved(double shift_s, double beyond_s, double step_s)
{
    return beyond_s >= fmax(fmax(goes_on_s, 2 * step_s), goes_on * fmin(shift_s, WS_AROUND_S));
}

ws_clock_doubt ws_measure_find_node_clocks(const ws_measure *m, const ws_measure_group *run, int64_t start_ns,
                                           int64_t end_ns, const char *id, ws_notes *notes)
{
    ws_clock_doubt doubt = {0};
    node_work *nodes = ws_alloc((run->n_devices + 1) * sizeof *nodes);
    size_t n = find_work(m, run, start_ns, end_ns, nodes);
    double lead_s = n > 1 ? usual(nodes, n, false) : 0, tail_s = n > 1 ? usual(nodes, n, true) : 0;
    for (size_t i = 0; i < n && n > 1; i++) {
        const node_work *node = &nodes[i];
        double slack_s = fmax(apart_s, 3 * node->step_s);
        double late_s = node->lead_s - lead_s, early_s = node->tail_s - tail_s;
        bool is_late = late_s > slack_s && is_moved(late_s, node->behind_s, node->step_s);
        bool is_early = early_s > slack_s && is_moved(early_s, node->before_s, node->step_s);
        double shift_s = is_late ? late_s : early_s;
        if (is_late == is_early)
            continue;
        doubt.joules += shift_s * fabs(node->mean_w);
        doubt.most_j += shift_s * fmax(0, node->most_w);
        ws_notes_add(notes, WS_FINDING_NODE_CLOCK, node->source, id, 0,
                     "node %s %s %.4g s %s than the others in the window of the job: is its clock, or the zone of its "
                     "stamps, another one than the scheduler's?",
                     node->node, is_late ? "begins to work" : "ends its work", shift_s, is_late ? "later" : "earlier");
    }
    free(nodes);
    return doubt;
}
