/* Which cap, by curves of time and energy through those measured, within the measured range only: a parabola in logs,
 * or a power law above a floor where AICc prefers it, as it does of a time that stops falling. */
#include "analyze/commands/advise.h"

#include "fit/estimate.h"
#include "fit/laws/laws.h"
#include "fit/choice/optimum_place.h"
#include "fit/laws/predict.h"

#include <math.h>
#include <string.h>

static ws_status fit_curve(const ws_advice *a, const ws_choice_points *p, const double *y, ws_fit *fit, ws_error *error)
{
    const ws_law_input in = {.x = p->choice, .y = y, .n = p->n_runs, .level = a->level, .in_logs = true};
    ws_fit floored;
    ws_status status = ws_fit_lognormal(&in, fit, NULL, error);
    if (status == WS_OK)
        status = ws_fit_floor(&in, &floored, NULL, error);
    if (status == WS_OK && floored.status == WS_FIT_OK && (fit->status != WS_FIT_OK || floored.aicc < fit->aicc))
        *fit = floored;
    return status;
}

static void say_curve(ws_advice *a, const char *group, const char *y, const ws_fit *fit)
{
    ws_advice_say(a, group, y, "%s against %s by %s: R2 %s in logs, %s", y, a->choice_name,
                  strcmp(fit->model, "floor") == 0 ? "a power law above a floor" : "a parabola in logs",
                  ws_words_r2(fit->r2).text, ws_fit_words_points(fit, a->choice_name).text);
}

static ws_status add_best(ws_advice *a, const char *group, const ws_choice_points *p, const ws_fit *time,
                          const ws_fit *energy, ws_error *error)
{
    static const char *const limits[] = {
        [WS_PLACE_ENERGY] = "energy", [WS_PLACE_TIME] = "slow-down", [WS_PLACE_END] = "end"};
    ws_place best;
    ws_prediction of_time, of_energy;
    ws_status status = ws_find_place(time, energy, p->choice, p->n_runs, a->slowdown, a->level, &best, error);
    if (status == WS_OK)
        status = ws_predict(time, p->choice, p->n_runs, a->level, &best.x, 1, &of_time, error);
    if (status == WS_OK)
        status = ws_predict(energy, p->choice, p->n_runs, a->level, &best.x, 1, &of_energy, error);
    if (status != WS_OK)
        return status;
    const ws_advice_row row = {.basis = "curves",
                               .question = "least energy within the slow-down",
                               .limited_by = limits[best.limit],
                               .status = "ok",
                               .choice = best.x,
                               .choice_se = best.se,
                               .choice_lo = best.lo,
                               .choice_hi = best.hi,
                               .time_h = of_time.value,
                               .energy_kwh = of_energy.value,
                               .error = NAN,
                               .front_probability = NAN,
                               .front_error = NAN};
    ws_advice_add(a, group, &row);
    say_curve(a, group, a->time_name, time);
    say_curve(a, group, a->energy_name, energy);
    return WS_OK;
}

ws_status ws_advise_caps(ws_advice *a, const char *group, const ws_choice_points *p, ws_error *error)
{
    ws_fit time, energy;
    ws_status status = fit_curve(a, p, p->time_h, &time, error);
    if (status == WS_OK)
        status = fit_curve(a, p, p->energy_kwh, &energy, error);
    if (status != WS_OK)
        return status;
    if (time.status == WS_FIT_OK && energy.status == WS_FIT_OK)
        return add_best(a, group, p, &time, &energy, error);
    bool is_time = time.status != WS_FIT_OK;
    char why[2 * sizeof time.sentence];
    ws_data_words(is_time ? time.sentence : energy.sentence, a->choice_name, is_time ? a->time_name : a->energy_name,
                  why, sizeof why);
    ws_advice_say(a, group, "curves", "no advice by curves through the caps: %s", why);
    return WS_OK;
}
