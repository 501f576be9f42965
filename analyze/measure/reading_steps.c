#include "analyze/measure/reading_steps.h"

#include <math.h>

double ws_usual_s(const ws_metered_channel *c)
{
    const ws_channel_summary *r = &c->summary;
    if (c->meter.usual_s > 0)
        return c->meter.usual_s;
    return r->samples > 1 && r->duration_s > 0 ? r->duration_s / (double)(r->samples - 1) : 0;
}

double ws_step_of(double value)
{
    double step_w = 1;
    while (step_w > 0.0015 && fabs(value / step_w - rint(value / step_w)) > 1e-6 + 4e-16 * fabs(value) / step_w)
        step_w /= 10;
    return step_w;
}

double ws_step_of_readings(const ws_metered_channel *c)
{
    const double some[] = {c->summary.min, c->summary.max, c->meter.first_value, c->meter.last_value,
                           ws_total_value(&c->meter.total, WS_PARTS)};
    double step_w = 1;
    for (size_t i = 0; i < sizeof some / sizeof *some; i++)
        step_w = fmin(step_w, ws_step_of(some[i]));
    return step_w;
}
