#include "analyze/measure/node_clocks.h"

#include "core/arena.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Nodes of a job begin and end some seconds apart. Ours. */
static const double apart_s = 10;

/* Where in the window a node works: from `lead_s` after its start to `tail_s` before its end. */
typedef struct node_work {
    const char *node, *source;
    double lead_s, tail_s, mean_w, most_w, step_s;
} node_work;

static double seconds(int64_t from_ns, int64_t to_ns)
{
    return ((double)to_ns - (double)from_ns) / 1e9;
}

static bool is_watched(const ws_device *d)
{
    return !d->is_alternative && d->domain == WS_GPU && *d->node && d->energy &&
           d->energy->channel.quantity == WS_POWER && !isnan(d->energy->summary.energy_j);
}

static node_work *find_node(node_work *nodes, size_t *n, const ws_device *d)
{
    for (size_t i = *n; i-- > 0;) /* devices of a node are adjacent */
        if (strcmp(nodes[i].node, d->node) == 0)
            return &nodes[i];
    nodes[*n] = (node_work){.node = d->node, .source = d->source, .lead_s = INFINITY, .tail_s = INFINITY};
    return &nodes[(*n)++];
}

/* A node works when one of its GPUs does. */
static size_t find_work(const ws_measure *m, const ws_measure_group *run, int64_t start_ns, int64_t end_ns,
                        node_work *nodes)
{
    size_t n = 0;
    for (size_t i = 0; i < run->n_devices; i++) {
        const ws_device *d = &m->devices[run->devices[i]];
        int64_t from_ns, to_ns;
        if (!is_watched(d) || !ws_power_times_of_work(&d->energy->times, &from_ns, &to_ns))
            continue;
        node_work *node = find_node(nodes, &n, d);
        node->lead_s = fmin(node->lead_s, seconds(start_ns, from_ns));
        node->tail_s = fmin(node->tail_s, seconds(to_ns, end_ns));
        node->mean_w += d->energy->summary.mean;
        node->most_w += d->energy->summary.most_w;
        node->step_s = fmax(node->step_s, d->energy->summary.max_gap_s);
    }
    return n;
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
        bool is_late = late_s > slack_s && early_s <= slack_s, is_early = early_s > slack_s && late_s <= slack_s;
        double shift_s = is_late ? late_s : early_s;
        if (!is_late && !is_early)
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
