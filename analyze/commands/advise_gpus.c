/* How many GPUs, by a law of time and one of energy: a power law of its own, or the mean power of a GPU where too few
 * GPU counts tell its exponent. */
#include "analyze/commands/advise.h"

#include "fit/laws/laws.h"
#include "fit/choice/optimum.h"
#include "fit/laws/predict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A curve at 1 .. n steps of GPUs, with its interval. */
typedef struct band {
    double *value, *lo, *hi;
} band;

typedef struct curve {
    size_t step, n;
    band time_h, energy_kwh;
    double *upper_h; /* the bound that the time of one run keeps at the given risk */
} curve;

/* Which lines an answer rests on. */
typedef struct view {
    const curve *curve;
    const double *time_h, *energy_kwh;
} view;

static double at(const curve *c, const double *line, double devices)
{
    return line[(size_t)(devices / (double)c->step) - 1];
}

static double time_of(const void *state, double devices)
{
    const view *v = state;
    return at(v->curve, v->time_h, devices);
}

static double energy_of(const void *state, double devices)
{
    const view *v = state;
    return at(v->curve, v->energy_kwh, devices);
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

static curve allocate_curve(size_t step, size_t n)
{
    double *all = ws_alloc(7 * (n + 1) * sizeof *all);
    return (curve){.step = step,
                   .n = n,
                   .time_h = {all, all + n, all + 2 * n},
                   .energy_kwh = {all + 3 * n, all + 4 * n, all + 5 * n},
                   .upper_h = all + 6 * n};
}

/* One prediction for each place of the curve; too far from the measured it is NaN, and not considered. */
static ws_status predict(const ws_advice *a, const ws_choice_points *p, const ws_fit *fit, double level, const curve *c,
                         ws_prediction *found, ws_error *error)
{
    double *places = ws_alloc((c->n + 1) * sizeof *places);
    for (size_t i = 0; i < c->n; i++)
        places[i] = (double)((i + 1) * c->step);
    ws_status status = ws_predict(fit, p->choice, p->n_runs, level, places, c->n, found, error);
    for (size_t i = 0; i < c->n && status == WS_OK; i++)
        if (found[i].beyond > a->beyond)
            found[i].value = found[i].ci_lo = found[i].ci_hi = found[i].hi = NAN;
    free(places);
    return status;
}

static void set_band(const ws_prediction *found, size_t n, const band *to)
{
    for (size_t i = 0; i < n; i++) {
        to->value[i] = found[i].value;
        to->lo[i] = found[i].ci_lo;
        to->hi[i] = found[i].ci_hi;
    }
}

/* The energy follows `energy`, or where that is NULL the times at one power of a GPU. */
static ws_status fill(const ws_advice *a, const ws_choice_points *p, const ws_fit *time, const ws_fit *energy,
                      double power_kw, const curve *c, ws_error *error)
{
    ws_prediction *found = ws_alloc((c->n + 1) * sizeof *found);
    ws_status status = predict(a, p, time, 1 - 2 * a->risk, c, found, error);
    for (size_t i = 0; i < c->n && status == WS_OK; i++)
        c->upper_h[i] = found[i].hi;
    if (status == WS_OK)
        status = predict(a, p, time, a->level, c, found, error);
    if (status == WS_OK)
        set_band(found, c->n, &c->time_h);
    for (size_t i = 0; i < c->n && !energy && status == WS_OK; i++) {
        double power = power_kw * (double)((i + 1) * c->step);
        found[i].value *= power;
        found[i].ci_lo *= power;
        found[i].ci_hi *= power;
    }
    if (status == WS_OK && energy)
        status = predict(a, p, energy, a->level, c, found, error);
    if (status == WS_OK)
        set_band(found, c->n, &c->energy_kwh);
    free(found);
    return status;
}

typedef struct asker {
    ws_advice *advice;
    const char *group, *basis;
    const curve *curve;
    double measured_most, measured_least;
} asker;

static ws_status ask(const asker *k, const double *time_h, const double *energy_kwh, ws_optimum *best, ws_error *error)
{
    const view v = {k->curve, time_h, energy_kwh};
    const ws_optimum_input in = {.time_h = time_of,
                                 .energy_kwh = energy_of,
                                 .state = &v,
                                 .power_kw = NAN,
                                 .step = k->curve->step,
                                 .most = k->curve->n * k->curve->step,
                                 .deadline_h = k->advice->deadline_h,
                                 .budget_kwh = k->advice->budget_kwh};
    return ws_find_optimum(&in, best, error);
}

static void add(const asker *k, const char *question, size_t devices, double lo, double hi)
{
    const curve *c = k->curve;
    double n = (double)devices;
    bool outside = devices && (n > k->measured_most || n < k->measured_least);
    const ws_advice_row row = {.basis = k->basis,
                               .question = question,
                               .flag = outside ? "outside of what was measured" : NULL,
                               .status = devices ? "ok" : "none",
                               .choice = devices ? n : NAN,
                               .choice_se = NAN,
                               .choice_lo = lo,
                               .choice_hi = hi,
                               .time_h = devices ? at(c, c->time_h.value, n) : NAN,
                               .energy_kwh = devices ? at(c, c->energy_kwh.value, n) : NAN,
                               .error = NAN,
                               .front_probability = NAN,
                               .front_error = NAN};
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
    const band *time = &k->curve->time_h, *energy = &k->curve->energy_kwh;
    ws_status status = ask(k, time->value, energy->value, &best, error);
    if (status == WS_OK)
        status = ask(k, time->lo, energy->lo, &early, error);
    if (status == WS_OK)
        status = ask(k, time->hi, energy->hi, &late, error);
    if (status == WS_OK)
        status = ask(k, k->curve->upper_h, energy->value, &safe, error);
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

/* Does a power law of the energy hold its own? Its exponent takes three GPU counts. A perfect one does, without
 * interval. */
static ws_status fit_energy(ws_advice *a, const char *group, const ws_choice_points *p, ws_fit *energy, bool *usable,
                            ws_error *error)
{
    char sentence[900];
    *usable = false;
    if (p->n < 3)
        return WS_OK;
    ws_status status = ws_fit_powerlaw(p->choice, p->energy_kwh, p->n_runs, a->level, energy, NULL, error);
    if (status != WS_OK)
        return status;
    *usable = energy->status == WS_FIT_OK || energy->status == WS_FIT_PERFECT;
    ws_data_words(energy->sentence, a->choice_name, a->energy_name, sentence, sizeof sentence);
    ws_advice_say(a, group, "energy", "%s%s", *usable ? "" : "mean power of a GPU, for energy has no law: ", sentence);
    return WS_OK;
}

static ws_status advise_by(ws_advice *a, const char *group, const ws_choice_points *p, const ws_fit *time,
                           double power_kw, ws_error *error)
{
    enum { MOST = 100000 };
    double most = p->items[p->n - 1].choice;
    size_t n = (size_t)(fmin(most * a->beyond, MOST) / (double)a->per_node);
    if (!n) {
        ws_advice_say(a, group, a->law, "no advice by the law: one node is beyond what may be asked of it");
        return WS_OK;
    }
    ws_fit energy;
    bool has_law;
    ws_status status = fit_energy(a, group, p, &energy, &has_law, error);
    if (status != WS_OK)
        return status;
    curve c = allocate_curve(a->per_node, n);
    status = fill(a, p, time, has_law ? &energy : NULL, power_kw, &c, error);
    const char *basis = ws_arena_printf(&a->cli->arena, "%s with %s", a->law, has_law ? "energy law" : "mean power");
    const asker k = {a, group, basis, &c, most, p->items[0].choice};
    if (status == WS_OK)
        status = add_answers(&k, time, error);
    free(c.time_h.value);
    return status;
}

ws_status ws_advise_gpus(ws_advice *a, const char *group, const ws_choice_points *p, ws_error *error)
{
    ws_fit time;
    ws_status status = fit_law(a, p, &time, error);
    if (status != WS_OK)
        return status;
    double power_kw = mean_power_kw(p);
    if (time.status != WS_FIT_OK)
        ws_advice_say(a, group, a->law, "no advice by the law: %s", time.sentence);
    else if (!(power_kw > 0) || !isfinite(power_kw))
        ws_advice_say(a, group, a->law, "no advice by the law: the energy per GPU hour is beyond the range of numbers");
    else
        return advise_by(a, group, p, &time, power_kw, error);
    return WS_OK;
}
