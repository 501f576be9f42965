#include "analyze/measure/baseline.h"

#include "core/device_limits.h"
#include "core/text.h"

#include <math.h>
#include <string.h>

static bool find_domain(ws_span name, ws_domain *domain)
{
    for (int d = 0; d < WS_DOMAIN_N; d++) {
        *domain = (ws_domain)d;
        if (ws_span_eq(name, ws_domain_name(*domain)))
            return true;
    }
    return false;
}

/* More than a device of the domain can draw is no idle power: watts written as milliwatts, say. */
static double most_of(ws_domain domain)
{
    return ws_limits_of_domain[domain].what ? ws_limits_of_domain[domain].odd_w : 1e9;
}

bool ws_baseline_state(ws_baseline *b, const char *text)
{
    ws_span rest = ws_span_of(text), watts, name;
    ws_domain domain;
    double number;
    while (ws_span_split(&rest, ',', &watts)) {
        if (!ws_span_split(&watts, '=', &name) || !find_domain(ws_span_trim(name), &domain) ||
            !ws_span_double(ws_span_trim(watts), &number) || !(number >= 0) || number > most_of(domain) ||
            !isnan(b->watts[domain]))
            return false;
        b->watts[domain] = number;
        b->is_stated = true;
    }
    return b->is_stated;
}

static double idle_power(const ws_measure *idle, const ws_device *of)
{
    for (size_t i = 0; idle && i < idle->n_devices; i++) {
        const ws_device *d = &idle->devices[i];
        bool is_same = d->domain == of->domain && strcmp(d->run, of->run) == 0 && strcmp(d->node, of->node) == 0 &&
                       strcmp(d->device, of->device) == 0;
        if (is_same && d->energy && !isnan(d->energy->summary.energy_j))
            return d->energy->summary.mean;
    }
    return NAN;
}

void ws_measure_set_baselines(ws_measure *m, const ws_baseline *b, const ws_measure *idle, ws_notes *notes)
{
    m->has_baselines = true;
    for (size_t i = 0; i < m->n_devices; i++) {
        ws_device *d = &m->devices[i];
        if (!d->energy || isnan(d->energy->summary.energy_j))
            continue;
        double watts = b->is_measured ? idle_power(idle, d) : NAN;
        d->baseline_w = isnan(watts) ? b->watts[d->domain] : watts;
        if (isnan(d->baseline_w))
            ws_notes_add(notes, WS_FINDING_NO_BASELINE, d->source, d->device, 0,
                         "%s: it has no net energy, and the sums it belongs to have none",
                         b->is_measured ? "the idle stretch holds no energy of the device"
                                        : "no baseline is stated for devices of its domain");
    }
}
