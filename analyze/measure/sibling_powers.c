#include "analyze/measure/sibling_powers.h"

#include <math.h>
#include <string.h>

/* Beside at least so many others; each at least half in use in every reading, and by means that differ by a twentieth
 * of full use at most. A GPU that waits in a spin lock is in use and draws a fifth of its largest power. Ours. */
enum { OTHERS = 2 };
static const double in_use = 0.5, as_much_use = 0.05;

/* The lowest reading is below a seventh of the lowest of all others, or the largest above seven times the largest; and
 * the mean is a tenth off, as a moment between two kernels does not make it. Ours. */
static const double of_another_scale = 7, mean_is_off = 0.1;

static bool is_always_in_use(const ws_device *d)
{
    return d->domain == WS_GPU && d->energy && d->energy->channel.quantity == WS_POWER &&
           !isnan(d->energy->summary.energy_j) && d->util && d->util->summary.min >= in_use;
}

static bool are_beside(const ws_device *a, const ws_device *b)
{
    return strcmp(a->source, b->source) == 0 && strcmp(a->run, b->run) == 0 && strcmp(a->node, b->node) == 0;
}

/* The powers of the others. */
typedef struct others {
    size_t n;
    double least_w, most_w, least_mean_w, most_mean_w, sum_w;
    bool are_alike;
} others;

static void see(others *o, const ws_device *d, const ws_device *other)
{
    const ws_channel_summary *r = &other->energy->summary;
    o->are_alike &= is_always_in_use(other) && fabs(other->util->summary.mean - d->util->summary.mean) <= as_much_use;
    o->least_w = fmin(o->least_w, r->min), o->most_w = fmax(o->most_w, r->max);
    o->least_mean_w = fmin(o->least_mean_w, r->mean), o->most_mean_w = fmax(o->most_mean_w, r->mean);
    o->sum_w += r->mean;
    o->n++;
}

double ws_sibling_excess_j(const ws_measure *m, const ws_device *d)
{
    if (!is_always_in_use(d))
        return 0;
    const ws_device *from = d, *end = m->devices + m->n_devices;
    others o = {.least_w = INFINITY, .most_w = 0, .least_mean_w = INFINITY, .are_alike = true};
    while (from > m->devices && are_beside(from - 1, d))
        from--;
    for (; from < end && are_beside(from, d) && o.are_alike; from++)
        if (from != d && from->domain == WS_GPU && from->energy)
            see(&o, d, from);
    const ws_channel_summary *r = &d->energy->summary;
    bool is_lower = r->min * of_another_scale < o.least_w && r->mean < (1 - mean_is_off) * o.least_mean_w;
    bool is_higher = r->max > of_another_scale * o.most_w && r->mean > (1 + mean_is_off) * o.most_mean_w;
    bool is_off = o.n >= OTHERS && o.are_alike && (is_lower || is_higher);
    return is_off ? (r->mean - o.sum_w / (double)o.n) * r->duration_s : 0;
}
