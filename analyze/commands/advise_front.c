/* How sure a place on the front is, given the spread of the repeats. */
#include "analyze/commands/advise.h"

#include "fit/choice/pareto.h"

#include <math.h>
#include <stdlib.h>

enum { DRAWS = 10000, LEAST_DRAWS = 100, SEED = 20250601 };

/* Each draw compares every pair: from 100 configurations on there are fewer. */
static size_t draws_for(size_t n)
{
    const double pairs = 1e8;
    double draws = pairs / ((double)n * (double)n);
    return draws > DRAWS ? DRAWS : draws < LEAST_DRAWS ? LEAST_DRAWS : (size_t)draws;
}

static size_t place_of(const ws_choice_points *p, double choice)
{
    size_t at = 0;
    while (p->items[at].choice != choice)
        at++;
    return at;
}

/* Relative to the mean of the first point; false where their squares come near the end of a double's range. */
static bool scale_runs(const ws_choice_points *p, const double *value, double one, double *scaled)
{
    const double most = 1e100;
    bool usable = true;
    for (size_t i = 0; i < p->n_runs; i++) {
        scaled[i] = one > 0 ? value[i] / one : value[i];
        usable = usable && fabs(scaled[i]) < most;
    }
    return usable;
}

ws_status ws_advise_front(const ws_advice *a, ws_choice_points *p, ws_error *error)
{
    for (size_t i = 0; i < p->n; i++)
        if (p->items[i].n_runs < 2 || a->without_draws)
            return WS_OK;
    size_t n = p->n_runs, k = a->error_name ? 3 : 2;
    double *scaled = ws_alloc((3 * n + 2 * p->n) * sizeof *scaled), *probability = scaled + 3 * n;
    size_t *row = ws_alloc(n * sizeof *row);
    bool usable = scale_runs(p, p->time_h, p->items[0].time_h, scaled) &&
                  scale_runs(p, p->energy_kwh, p->items[0].energy_kwh, scaled + n) &&
                  scale_runs(p, p->error, p->items[0].error, scaled + 2 * n);
    for (size_t i = 0; i < n; i++)
        row[i] = place_of(p, p->choice[i]);
    const double *const objective[] = {scaled, scaled + n, scaled + 2 * n};
    ws_status status = WS_OK;
    if (usable)
        status = ws_pareto_probability(objective, k, row, n, p->n, draws_for(p->n), SEED, probability,
                                       probability + p->n, error);
    for (size_t i = 0; i < p->n && usable && status == WS_OK; i++) {
        p->items[i].front_probability = probability[i];
        p->items[i].front_error = probability[p->n + i];
    }
    free(scaled);
    free(row);
    return status;
}
