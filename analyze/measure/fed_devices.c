#include "analyze/measure/fed_devices.h"

#include <math.h>
#include <string.h>

/* W: what always draws more is on. Means over times that differ by no more than this share are of one time. Ours. */
static const double least_of_on_w = 2, same_time = 0.02;

static bool is_meter(const ws_device *d)
{
    return (d->domain == WS_NODE || d->domain == WS_WALL) && d->energy && !isnan(d->energy->summary.energy_j);
}

/* Two supplies of a node share what it feeds, and one of them may rest. */
static bool shares_its_load(const ws_measure *m, const ws_device *meter)
{
    for (size_t i = 0; i < m->n_devices; i++) {
        const ws_device *d = &m->devices[i];
        if (d != meter && is_meter(d) && !d->is_alternative && d->domain == meter->domain &&
            strcmp(d->source, meter->source) == 0 && strcmp(d->run, meter->run) == 0 &&
            strcmp(d->node, meter->node) == 0)
            return true;
    }
    return false;
}

/* A rail of a board has a name of its own, and may be fed by another supply. */
static bool is_fed_by(const ws_device *d, const ws_device *meter)
{
    bool is_inside = d->domain == WS_GPU || d->domain == WS_CPU || d->domain == WS_DRAM;
    return is_inside && d->energy && !d->is_alternative && !isnan(d->energy->summary.energy_j) &&
           strcmp(d->run, meter->run) == 0 && strcmp(d->node, meter->node) == 0;
}

static bool are_of_one_time(const ws_metered_channel *a, const ws_metered_channel *b)
{
    const ws_channel_summary *x = &a->summary, *y = &b->summary;
    double late_s = fabs((double)a->meter.first_t - (double)b->meter.first_t) / 1e9;
    return x->has_start == y->has_start && y->duration_s > 0 && late_s <= same_time * y->duration_s &&
           fabs(x->duration_s - y->duration_s) <= same_time * y->duration_s;
}

static bool is_always_on(const ws_metered_channel *c)
{
    return c->channel.quantity == WS_POWER && !c->meter.zeros.count && !c->meter.negatives.count &&
           isfinite(c->limits.least_w) && c->limits.least_w >= least_of_on_w;
}

static void find_fed(const ws_measure *m, ws_device *meter)
{
    for (size_t i = 0; i < m->n_devices; i++) {
        const ws_device *d = &m->devices[i];
        if (!is_fed_by(d, meter) || !are_of_one_time(d->energy, meter->energy))
            continue;
        meter->fed_j += d->energy->summary.energy_j;
        meter->feeds_others |= is_always_on(d->energy);
    }
}

void ws_measure_find_fed(ws_measure *m)
{
    for (size_t i = 0; i < m->n_devices; i++) {
        ws_device *d = &m->devices[i];
        d->fed_j = 0;
        d->feeds_others = false;
        if (is_meter(d) && m->n_devices > 1 && !shares_its_load(m, d))
            find_fed(m, d);
    }
}
