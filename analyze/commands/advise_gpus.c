/* How many GPUs, by a law of time and a power per GPU. */
#include "analyze/commands/advise.h"

#include "fit/laws.h"
#include "fit/optimum.h"
#include "fit/predict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Times at 1 .. n steps of GPUs. */
typedef struct curve {
    size_t step, n;
    double *time_h, *lo, *hi, *upper; /* the curve, its interval, and the bound that one run keeps at the given risk */
} curve;

static size_t place_of(const curve *c, double devices)
{
    return (size_t)(devices / (double)c->step) - 1;
}

static double time_of(const void *state, double devices)
{
    const curve *c = state;
    return c->time_h[place_of(c, devices)];
}

static double lo_of(const void *state, double devices)
{
    const curve *c = state;
    return c->lo[place_of(c, devices)];
}

static double hi_of(const void *state, double devices)
{
    const curve *c = state;
    return c->hi[place_of(c, devices)];
}

static double upper_of(const void *state, double devices)
{
    const curve *c = state;
    return c->upper[place_of(c, devices)];
}

static ws_status fit_law(const ws_advice *a, const ws_choice_points *p, ws_fit *fit, ws_error *error)
{
    const ws_law_input in = {.x = p->choice, .y = p->time_h, .n = p->n_runs, .level = a->level, .in_logs = true};
    if (strcmp(a->law, "floor") == 0)
        return ws_fit_floor(&in, fit, NULL, error);
    if (strcmp(a->law, "amdahl") == 0)
        return ws_fit_amdahl(&in, fit, NULL, error);
    return ws_fit_powerlaw(in.x, in.y, in.n, in.level, fit, NULL, error);
}

static ws_status fill(const ws_advice *a, const ws_choice_points *p, const ws_fit *fit, curve *c, ws_error *error)
{
    ws_prediction *curve_at = ws_alloc(2 * (c->n + 1) * sizeof *curve_at), *bound_at = curve_at + c->n;
    double *at = ws_alloc((c->n + 1) * sizeof *at);
    for (size_t i = 0; i < c->n; i++)
        at[i] = (double)((i + 1) * c->step);
    ws_status status = ws_predict(fit, p->choice, p->n_runs, a->level, at, c->n, curve_at, error);
    if (status == WS_OK)
        status = ws_predict(fit, p->choice, p->n_runs, 1 - 2 * a->risk, at, c->n, bound_at, error);
    for (size_t i = 0; i < c->n && status == WS_OK; i++) {
        bool near = curve_at[i].beyond <= a->beyond; /* what is NaN is not considered */
        c->time_h[i] = near ? curve_at[i].value : NAN;
        c->lo[i] = near ? curve_at[i].ci_lo : NAN;
        c->hi[i] = near ? curve_at[i].ci_hi : NAN;
        c->upper[i] = near ? bound_at[i].hi : NAN;
    }
    free(curve_at);
    free(at);
    return status;
}

typedef struct asker {
    ws_advice *advice;
    const char *group;
    const curve *curve;
    double power_kw, measured_most, measured_least;
} asker;

static ws_status ask(const asker *k, double (*time_h)(const void *, double), ws_optimum *best, ws_error *error)
{
    const ws_optimum_input in = {.time_h = time_h,
                                 .state = k->curve,
                                 .power_kw = k->power_kw,
                                 .step = k->curve->step,
                                 .most = k->curve->n * k->curve->step,
                                 .deadline_h = k->advice->deadline_h,
                                 .budget_kwh = k->advice->budget_kwh};
    return ws_find_optimum(&in, best, error);
}

static void add(const asker *k, const char *question, size_t devices, double lo, double hi)
{
    double n = (double)devices, time = devices ? time_of(k->curve, n) : NAN;
    bool outside = devices && (n > k->measured_most || n < k->measured_least);
    const ws_advice_row row = {.basis = k->advice->law,
                               .question = question,
                               .flag = outside ? "outside of what was measured" : NULL,
                               .status = devices ? "ok" : "none",
                               .choice = devices ? n : NAN,
                               .choice_lo = lo,
                               .choice_hi = hi,
                               .time_h = time,
                               .energy_kwh = k->power_kw * n * time,
                               .error = NAN};
    ws_advice_add(k->advice, k->group, &row);
}

static double number_or_nan(size_t devices)
{
    return devices ? (double)devices : NAN;
}

/* What the law's time never falls below; 0 where it falls without end. */
static double least_time(const ws_fit *fit)
{
    const ws_estimate *floor = ws_fit_estimate(fit, "floor"), *first = ws_fit_estimate(fit, "time-at-1");
    const ws_estimate *serial = ws_fit_estimate(fit, "serial-fraction");
    double time = floor ? floor->value : first && serial ? first->value * serial->value : 0;
    return fmax(time, 0);
}

static void say(const asker *k, const ws_fit *fit, const ws_optimum *best, const ws_optimum *safe)
{
    const ws_advice *a = k->advice;
    char sentence[900], deadline[WS_DOUBLE_TEXT], risk[WS_DOUBLE_TEXT], least[WS_DOUBLE_TEXT];
    ws_data_words(fit->sentence, a->choice_name, a->time_name, sentence, sizeof sentence);
    ws_advice_say(k->advice, k->group, a->law, "%s", sentence);
    ws_double_text(deadline, a->deadline_h);
    ws_double_text_digits(least, least_time(fit), 3);
    ws_double_text(risk, round(1e8 * a->risk) / 1e6);
    if (isfinite(a->deadline_h) && safe->fewest_in_time)
        ws_advice_say(k->advice, k->group, "deadline",
                      "with %zu a run takes longer than %s h at a risk of %s %% at most", safe->fewest_in_time,
                      deadline, risk);
    else if (isfinite(a->deadline_h) && least_time(fit) >= a->deadline_h)
        ws_advice_say(k->advice, k->group, "deadline",
                      "no number keeps %s h: by the law a run never takes less than %s h", deadline, least);
    else if (isfinite(a->deadline_h))
        ws_advice_say(k->advice, k->group, "deadline", "no number up to %zu keeps %s h at a risk of %s %%",
                      k->curve->n * k->curve->step, deadline, risk);
    ws_advice_say(k->advice, k->group, "least", "least energy with %zu, least energy x time with %zu%s",
                  best->least_energy, best->least_edp,
                  best->least_edp + k->curve->step > k->curve->n * k->curve->step ? ", the end of what was tried" : "");
}

static ws_status add_answers(const asker *k, const ws_fit *fit, ws_error *error)
{
    ws_optimum best, early, late, safe;
    ws_status status = ask(k, time_of, &best, error);
    if (status == WS_OK)
        status = ask(k, lo_of, &early, error);
    if (status == WS_OK)
        status = ask(k, hi_of, &late, error);
    if (status == WS_OK)
        status = ask(k, upper_of, &safe, error);
    if (status != WS_OK)
        return status;
    add(k, "least energy", best.least_energy, NAN, NAN);
    add(k, "least energy x time", best.least_edp, NAN, NAN);
    add(k, "least energy x time^2", best.least_ed2p, NAN, NAN);
    if (isfinite(k->advice->deadline_h))
        add(k, "fewest in time at the risk", safe.fewest_in_time, number_or_nan(early.fewest_in_time),
            number_or_nan(late.fewest_in_time));
    if (isfinite(k->advice->budget_kwh))
        add(k, "most within the energy", best.most_in_budget, number_or_nan(late.most_in_budget),
            number_or_nan(early.most_in_budget));
    say(k, fit, &best, &safe);
    return WS_OK;
}

/* Sum of energy over sum of GPU hours. */
static double mean_power_kw(const ws_choice_points *p)
{
    double energy = 0, gpu_h = 0;
    for (size_t i = 0; i < p->n_runs; i++) {
        energy += p->energy_kwh[i];
        gpu_h += p->choice[i] * p->time_h[i];
    }
    return energy / gpu_h;
}

ws_status ws_advise_gpus(ws_advice *a, const char *group, const ws_choice_points *p, ws_error *error)
{
    enum { MOST = 100000 };
    ws_fit fit;
    ws_status status = fit_law(a, p, &fit, error);
    if (status != WS_OK)
        return status;
    if (fit.status != WS_FIT_OK) {
        ws_advice_say(a, group, a->law, "no advice by the law: %s", fit.sentence);
        return WS_OK;
    }
    double power_kw = mean_power_kw(p), most = p->items[p->n - 1].choice;
    if (!(power_kw > 0) || !isfinite(power_kw)) {
        ws_advice_say(a, group, a->law, "no advice by the law: the energy per GPU hour is beyond the range of numbers");
        return WS_OK;
    }
    curve c = {.step = a->per_node, .n = (size_t)(fmin(most * a->beyond, MOST) / (double)a->per_node)};
    if (!c.n) {
        ws_advice_say(a, group, a->law, "no advice by the law: one node is beyond what may be asked of it");
        return WS_OK;
    }
    c.time_h = ws_alloc(4 * c.n * sizeof(double));
    c.lo = c.time_h + c.n;
    c.hi = c.lo + c.n;
    c.upper = c.hi + c.n;
    status = fill(a, p, &fit, &c, error);
    const asker k = {a, group, &c, power_kw, most, p->items[0].choice};
    if (status == WS_OK)
        status = add_answers(&k, &fit, error);
    free(c.time_h);
    return status;
}
