/* The laws of time that `wattscale advise --law` knows, a line each. */
#include "analyze/commands/advise_laws.h"

#include "core/arena.h"

#include <stdlib.h>
#include <string.h>

/* Of throughputs 1 / time. In logs the errors are those of the times with the other sign. */
static ws_status fit_throughput(const ws_law_input *of_time, ws_fit *fit, double *residual, ws_error *error)
{
    double *throughput = ws_alloc((of_time->n + 1) * sizeof *throughput);
    ws_law_input in = *of_time;
    for (size_t i = 0; i < in.n; i++)
        throughput[i] = 1 / of_time->y[i];
    in.y = throughput;
    ws_status status = ws_fit_usl_bounded(&in, fit, residual, error);
    for (size_t i = 0; residual && i < in.n; i++)
        residual[i] = -residual[i];
    free(throughput);
    return status;
}

static ws_status fit_power(const ws_law_input *in, ws_fit *fit, double *residual, ws_error *error)
{
    return ws_fit_powerlaw(in->x, in->y, in->n, in->level, fit, residual, error);
}

/* The first is used where none is named. */
static const ws_advice_law laws[] = {
    {"powerlaw", fit_power, .has_exponent = true},
    {"floor", ws_fit_floor, .has_exponent = true, .has_floor = true},
    {"amdahl", ws_fit_amdahl, .has_floor = true},
    {"usl", fit_throughput, .has_floor = true, .has_rise = true, .of_throughput = true},
};

const ws_advice_law *ws_advice_law_find(const char *name)
{
    for (size_t i = 0; i < sizeof laws / sizeof *laws; i++)
        if (!name || strcmp(name, laws[i].name) == 0)
            return &laws[i];
    return NULL;
}
