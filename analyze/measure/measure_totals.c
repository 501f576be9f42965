/* Sums over the devices of a measure. */
#include "analyze/measure/measure.h"

#include "analyze/measure/run_overlap.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static double larger(double a, double b)
{
    return isnan(a) || b > a ? b : a;
}

static double added(double a, double b)
{
    return isnan(a) ? b : a + b;
}

/* What a device with an energy may say of it, from harmless to grave. */
static int gravity(const char *status)
{
    static const char *const order[] = {"ok",           "no-duration",  "long-gap",     "short-trace", "counter-reset",
                                        "out-of-order", "runs-overlap", "files-overlap"};
    for (int i = 0; i < (int)(sizeof order / sizeof *order); i++)
        if (strcmp(status, order[i]) == 0)
            return i;
    return 0;
}

static void add_sum(ws_device_sum *to, const ws_device_sum *from)
{
    to->devices += from->devices;
    to->without += from->without;
    to->samples += from->samples;
    to->missing += from->missing;
    if (!from->devices)
        return;
    to->energy_j = added(to->energy_j, from->energy_j);
    to->power_w = added(to->power_w, from->power_w);
    to->energy_lo_j = added(to->energy_lo_j, from->energy_lo_j);
    to->energy_hi_j = added(to->energy_hi_j, from->energy_hi_j);
    if (gravity(from->status) > gravity(to->status))
        to->status = from->status;
    to->duration_s = larger(to->duration_s, from->duration_s);
    to->max_gap_s = larger(to->max_gap_s, from->max_gap_s);
    to->coverage = isnan(to->coverage) || from->coverage < to->coverage ? from->coverage : to->coverage;
}

static const ws_device_sum no_devices = {0, 0, 0, 0, NAN, NAN, NAN, NAN, NAN, NAN, NAN, "ok"};

/* A device that never had a power or energy column (a host's CPU load, say) is no device without energy; a GPU is. */
static ws_device_sum sum_of_device(const ws_device *d)
{
    const ws_reading *r = d->energy ? &d->energy->reading : NULL;
    if (!r || isnan(r->energy_j)) {
        ws_device_sum none = no_devices;
        none.without = d->is_metered || d->domain == WS_GPU ? 1 : 0;
        return none;
    }
    return (ws_device_sum){.devices = 1,
                           .samples = r->samples,
                           .missing = r->missing,
                           .energy_j = r->energy_j,
                           .energy_lo_j = r->energy_lo_j,
                           .energy_hi_j = r->energy_hi_j,
                           .power_w = r->mean,
                           .duration_s = r->duration_s,
                           .max_gap_s = r->max_gap_s,
                           .coverage = r->coverage,
                           .status = d->lacks_rest ? "files-overlap" : r->status};
}

static bool is_part(int domain)
{
    return domain == WS_GPU || domain == WS_CPU || domain == WS_DRAM;
}

static bool is_whole(int domain)
{
    return domain == WS_NODE || domain == WS_WALL;
}

/* The total of GPU + CPU + DRAM; without any of them, that of the first of node and wall that there is. Where nothing
 * gave an energy, what should have is counted. */
static void sum_domains(ws_totals *t)
{
    bool parts = t->domain[WS_GPU].devices || t->domain[WS_CPU].devices || t->domain[WS_DRAM].devices;
    int whole = t->domain[WS_NODE].devices ? WS_NODE : WS_WALL;
    bool none = !parts && !t->domain[whole].devices;
    t->all = no_devices;
    for (int d = 0; d < WS_DOMAIN_N; d++) {
        if (none && (is_part(d) || is_whole(d)))
            t->all.without += t->domain[d].without;
        if (none || (parts ? !is_part(d) : d != whole))
            continue;
        add_sum(&t->all, &t->domain[d]);
        if (t->domain[d].devices) {
            size_t used = strlen(t->scope);
            snprintf(t->scope + used, sizeof t->scope - used, "%s%s", used ? "+" : "", ws_domain_name((ws_domain)d));
        }
    }
}

static double longest_span(const ws_measure *m, const ws_device_filter *f)
{
    double longest = NAN;
    for (size_t i = 0; i < m->n_channels; i++) {
        const ws_measured *c = &m->channels[i];
        if (ws_measured_passes(c, f) && c->reading.samples)
            longest = larger(longest, c->reading.span_s);
    }
    return longest;
}

/* A device that was seen for a part of the time only covers that part of the whole; being short by less than one of its
 * own steps is how sampling is. */
static double coverage_of_whole(const ws_reading *r, double wall_s)
{
    return wall_s - r->span_s > r->max_gap_s ? r->coverage * r->span_s / wall_s : r->coverage;
}

/* The domains of one run, alone or of several that are added. */
static void total_run(const ws_measure *m, const ws_device_filter *f, bool is_added, ws_totals *t)
{
    *t = (ws_totals){.wall_s = longest_span(m, f)};
    for (int d = 0; d < WS_DOMAIN_N; d++)
        t->domain[d] = no_devices;
    for (size_t i = 0; i < m->n_devices; i++) {
        const ws_device *d = &m->devices[i];
        if (!ws_device_passes(d, f) || (is_added && d->again_in))
            continue;
        ws_device_sum sum = sum_of_device(d);
        if (sum.devices)
            sum.coverage = coverage_of_whole(&d->energy->reading, t->wall_s);
        if (is_added && d->overlaps)
            sum.status = "runs-overlap";
        add_sum(&t->domain[d->domain], &sum);
    }
}

/* What follows in time: durations add up, too. Unknown ones stay unknown. */
static void add_later(ws_device_sum *to, const ws_device_sum *from)
{
    double time_s = from->duration_s, power_w = from->power_w;
    if (to->devices && from->devices) {
        time_s += to->duration_s;
        power_w = (to->power_w * to->duration_s + from->power_w * from->duration_s) / time_s;
    }
    add_sum(to, from);
    if (from->devices) {
        to->duration_s = time_s;
        to->power_w = power_w;
    }
}

static bool is_first_of_run(const ws_measure *m, size_t index, const ws_device_filter *f)
{
    if (!ws_device_passes(&m->devices[index], f))
        return false;
    for (size_t i = 0; i < index; i++)
        if (ws_device_passes(&m->devices[i], f) && strcmp(m->devices[i].run, m->devices[index].run) == 0)
            return false;
    return true;
}

static void total_runs(const ws_measure *m, const ws_device_filter *f, ws_totals *t)
{
    size_t runs = 0;
    *t = (ws_totals){.wall_s = NAN};
    for (int d = 0; d < WS_DOMAIN_N; d++)
        t->domain[d] = no_devices;
    for (size_t i = 0; i < m->n_devices; i++) {
        if (!is_first_of_run(m, i, f))
            continue;
        ws_totals run;
        total_run(m, &(ws_device_filter){f->source, m->devices[i].run, f->node}, true, &run);
        for (int d = 0; d < WS_DOMAIN_N; d++)
            add_later(&t->domain[d], &run.domain[d]);
        t->wall_s = added(t->wall_s, run.wall_s);
        runs++;
    }
    for (int d = 0; d < WS_DOMAIN_N && runs > 1; d++)
        if (t->domain[d].devices)
            t->domain[d].duration_s = fmin(t->domain[d].duration_s, ws_measure_covered_s(m, f, (ws_domain)d));
}

void ws_measure_totals(const ws_measure *m, const ws_device_filter *f, ws_totals *t)
{
    if (f->run)
        total_run(m, f, false, t);
    else
        total_runs(m, f, t);
    sum_domains(t);
}

const char *ws_device_sum_status(const ws_device_sum *sum)
{
    static const double ENOUGH = 0.95;
    if (!sum->devices)
        return "no-energy";
    if (sum->without)
        return "devices-missing";
    return sum->coverage < ENOUGH ? "low-coverage" : sum->status;
}
