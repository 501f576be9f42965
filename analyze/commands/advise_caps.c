/* Which cap, by curves of time and energy through those measured, within the measured range only: a parabola in logs, or a
 * power law above a floor where AICc prefers it, as it does of a time that stops falling. */
#include "analyze/commands/advise.h"

#include "fit/estimate.h"
#include "fit/laws.h"
#include "fit/predict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 400 };

typedef struct cap_curves {
    double at[STEPS + 1];
    ws_prediction time[STEPS + 1], energy[STEPS + 1];
} cap_curves;

static ws_status fit_curve(const ws_advice *a, const ws_choice_points *p, const double *y, cap_curves *c,
                           ws_prediction *to, ws_fit *fit, ws_error *error)
{
    const ws_law_input in = {.x = p->choice, .y = y, .n = p->n_runs, .level = a->level, .in_logs = true};
    ws_fit floored;
    ws_status status = ws_fit_lognormal(&in, fit, NULL, error);
    if (status == WS_OK)
        status = ws_fit_floor(&in, &floored, NULL, error);
    if (status == WS_OK && floored.status == WS_FIT_OK && (fit->status != WS_FIT_OK || floored.aicc < fit->aicc))
        *fit = floored;
    if (status == WS_OK)
        status = ws_predict(fit, p->choice, p->n_runs, a->level, c->at, STEPS + 1, to, error);
    return status;
}

static void say_curve(ws_advice *a, const char *group, const char *y, const ws_fit *fit)
{
    ws_advice_say(a, group, y, "%s against %s by %s: R2 %s in logs, %zu points", y, a->choice_name,
                  strcmp(fit->model, "floor") == 0 ? "a power law above a floor" : "a parabola in logs",
                  ws_words_r2(fit->r2).text, fit->n);
}

/* The place with the least energy whose time is within the bound. */
static size_t best_within(const cap_curves *c, double bound)
{
    size_t best = STEPS;
    for (size_t i = 0; i <= STEPS; i++)
        if (c->time[i].value <= bound && c->energy[i].value < c->energy[best].value)
            best = i;
    return best;
}

ws_status ws_advise_caps(ws_advice *a, const char *group, const ws_choice_points *p, ws_error *error)
{
    cap_curves *c = ws_alloc(sizeof *c);
    ws_fit time, energy;
    double lowest = p->items[0].choice, highest = p->items[p->n - 1].choice;
    for (size_t i = 0; i <= STEPS; i++)
        c->at[i] = lowest + (highest - lowest) * (double)i / STEPS;
    ws_status status = fit_curve(a, p, p->time_h, c, c->time, &time, error);
    if (status == WS_OK)
        status = fit_curve(a, p, p->energy_kwh, c, c->energy, &energy, error);
    if (status == WS_OK && time.status == WS_FIT_OK && energy.status == WS_FIT_OK) {
        size_t best = best_within(c, c->time[STEPS].value * (1 + a->slowdown));
        const ws_advice_row row = {.basis = "curves",
                                   .question = "least energy within the slow-down",
                                   .status = "ok",
                                   .choice = c->at[best],
                                   .choice_lo = NAN,
                                   .choice_hi = NAN,
                                   .time_h = c->time[best].value,
                                   .energy_kwh = c->energy[best].value,
                                   .error = NAN};
        ws_advice_add(a, group, &row);
        say_curve(a, group, a->time_name, &time);
        say_curve(a, group, a->energy_name, &energy);
    } else if (status == WS_OK) {
        ws_advice_say(a, group, "curves", "no advice by curves through the caps: %s",
                      time.status != WS_FIT_OK ? time.sentence : energy.sentence);
    }
    free(c);
    return status;
}
