/* Time by --law and the power of a GPU by a power law of its own where three GPU counts tell it (else its mean), both
 * through the means of configurations in logs. The scatter of those means is what configurations differ by, so that
 * intervals need no test of lack of fit to hold; but a law that goes another way than the means says nothing between
 * and beyond them. It is not used where
 *
 *   - a parameter is not settled, or cannot be (a negative serial fraction);
 *   - the means bend away from it: the coefficient of (ln n)^2 beside the law's own derivatives differs from zero at
 *     p < 0.01, and a mean is off by more than 1 %;
 *   - the means miss it by more than their repeats differ, at p < 0.001, and one is off by more than 10 %;
 *   - one is off by more than 10 %, and fewer than half as many repeats as counts could tell whether that is chance.
 *
 * Configurations that differ by 2 to 3 % without a bend stay below the second share, and their scatter widens the
 * ranges of the answers. The test alone would leave out laws of precise runs for what rounding makes. */
#include "analyze/commands/advise_model.h"

#include "fit/estimate.h"
#include "fit/laws/laws.h"
#include "fit/tests/repeats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double BEND_P = 0.01, BEND_SHARE = 0.01, LACKING_P = 0.001, LACKING_SHARE = 0.1;

/* In logs; `near` as in laws.h. `residual` gets n values, or is NULL. */
static ws_status fit_time(const ws_advice_law *law, const double *gpus, const double *time_h, size_t n, double level,
                          const double *near, ws_fit *fit, double *residual, ws_error *error)
{
    const ws_law_input in = {
        .x = gpus, .y = time_h, .n = n, .level = level, .in_logs = true, .without_loocv = true, .near = near};
    return law->fit(&in, fit, residual, error);
}

static double value_of(const ws_fit *fit, const char *name)
{
    const ws_estimate *e = ws_fit_estimate(fit, name);
    return e ? e->value : NAN;
}

/* Amdahl's law of a serial fraction of 0 or 1, whichever the fit has passed: times that fall as GPUs grow, or that do
 * not change, by the least squares in logs that are left. */
static void hold_serial_fraction(const ws_advice_model *m, const double *time_h, ws_fit *fit)
{
    double serial = value_of(fit, "serial-fraction") < 0 ? 0 : 1, ln_at_1 = 0;
    for (size_t i = 0; i < m->n; i++)
        ln_at_1 += (log(time_h[i]) + (serial == 0 ? log(m->gpus[i]) : 0)) / (double)m->n;
    for (size_t i = 0; i < fit->n_estimates; i++)
        if (strcmp(fit->estimate[i].name, "serial-fraction") == 0)
            fit->estimate[i].value = serial;
        else if (strcmp(fit->estimate[i].name, "time-at-1") == 0)
            fit->estimate[i].value = exp(ln_at_1);
}

ws_status ws_advise_refit(const ws_advice_model *m, const double *time_h, double level, ws_fit *fit, ws_error *error)
{
    double near[WS_FIT_MAX_ESTIMATES];
    for (size_t i = 0; i < m->time.n_estimates; i++)
        near[i] = m->time.estimate[i].value;
    ws_status status = fit_time(m->law, m->gpus, time_h, m->n, level, near, fit, NULL, error);
    if (status == WS_OK && fit->status == WS_FIT_OK && value_of(fit, "floor") < 0)
        status = ws_fit_powerlaw(m->gpus, time_h, m->n, level, fit, NULL, error);
    else if (status == WS_OK && fit->status == WS_FIT_OK && fit->curve == WS_CURVE_AMDAHL &&
             fabs(value_of(fit, "serial-fraction") - 0.5) > 0.5)
        hold_serial_fraction(m, time_h, fit);
    return status;
}

ws_law_curve ws_law_curve_of(const ws_fit *fit)
{
    double first = value_of(fit, "time-at-1"), serial = value_of(fit, "serial-fraction"),
           floor = value_of(fit, "floor");
    double at_1 = 1 / value_of(fit, "gamma"), alpha = value_of(fit, "alpha"), beta = value_of(fit, "beta");
    if (fit->curve == WS_CURVE_AMDAHL)
        return (ws_law_curve){first * (1 - serial), -1, first * serial, 0};
    if (fit->curve == WS_CURVE_USL)
        return (ws_law_curve){at_1 * (1 - alpha), -1, at_1 * (alpha - beta), at_1 * beta};
    return (ws_law_curve){value_of(fit, "factor"), value_of(fit, "exponent"), isnan(floor) ? 0 : floor, 0};
}

double ws_law_curve_at(const ws_law_curve *law, double ln_n)
{
    double at = law->factor * exp(law->exponent * ln_n) + law->floor;
    return law->rise == 0 ? at : at + law->rise * exp(ln_n);
}

double ws_law_curve_least(const ws_law_curve *law)
{
    double of_rise = law->rise > 0 && law->factor > 0 ? 2 * sqrt(law->factor * law->rise) : 0;
    return fmax(law->floor + of_rise, 0);
}

/* A parameter that is not half known, or that time cannot have. NULL where all is well. */
static const char *why_unphysical(const ws_fit *fit, ws_arena *arena)
{
    static const struct {
        const char *name;
        bool may_be_zero;
        double most;
    } parameters[] = {
        {"time-at-1", false, INFINITY}, {"serial-fraction", true, 1}, {"gamma", false, INFINITY}, {"alpha", true, 1},
        {"beta", true, INFINITY},       {"factor", false, INFINITY},  {"floor", true, INFINITY}};
    for (size_t i = 0; i < sizeof parameters / sizeof *parameters; i++) {
        const ws_estimate *e = ws_fit_estimate(fit, parameters[i].name);
        if (!e)
            continue;
        if (e->value < 0 || e->value > parameters[i].most)
            return ws_arena_printf(arena, "its %s is %s, which cannot be", e->name,
                                   ws_words_with_error(e->value, e->se).text);
        if (!parameters[i].may_be_zero && !(e->value > 2 * e->se))
            return ws_arena_printf(arena, "its %s, %s, is not settled", e->name,
                                   ws_words_with_error(e->value, e->se).text);
    }
    const ws_estimate *exponent = ws_fit_estimate(fit, "exponent");
    if (fit->curve == WS_CURVE_FLOOR && exponent && !(exponent->value < 0))
        return "its exponent is not below zero: no time that falls towards a floor";
    return NULL;
}

double ws_advise_extra_p(const double *const *columns, size_t k, const double *residual, size_t n, ws_error *error)
{
    static const char *const names[] = {"extra", "first", "second", "third"};
    ws_fit fit = {.status = WS_FIT_TOO_FEW};
    ws_status status = ws_fit_regression(columns, names, k, residual, n, 0.95, &fit, NULL, error);
    return status == WS_OK && fit.status == WS_FIT_OK ? ws_fit_estimate(&fit, names[0])->p_value : NAN;
}

/* p of the coefficient of (ln n)^2 in the residuals beside the law's derivatives; NaN without room for it. The
 * derivative by the law's size is the intercept of that regression: a sum of the terms, so that one of them is left
 * out. */
static double bend_p(const ws_advice_law *of, const ws_fit *fit, const double *gpus, const double *residual, size_t n,
                     ws_error *error)
{
    double *room = ws_alloc((3 * n + 1) * sizeof *room);
    const double *columns[3] = {room};
    size_t k = 1;
    ws_law_curve law = ws_law_curve_of(fit);
    for (size_t i = 0; i < n; i++) {
        double ln = log(gpus[i]), y = ws_law_curve_at(&law, ln);
        room[i] = ln * ln;
        room[n + i] = of->has_exponent ? ln * (y - law.floor) / y : 1 / y;
        room[2 * n + i] = of->has_rise ? gpus[i] / y : 1 / y;
    }
    columns[k++] = room + n;
    if ((of->has_exponent && of->has_floor) || of->has_rise)
        columns[k++] = room + 2 * n;
    double p = ws_advise_extra_p(columns, k, residual, n, error);
    free(room);
    return p;
}

/* p of the lack of fit of the runs against the spread of their repeats; NaN without repeats. */
static double lack_p(const ws_advice *a, const ws_advice_law *law, const ws_choice_points *p, const double *y,
                     const ws_means *m, ws_error *error)
{
    ws_fit runs;
    ws_test test;
    const ws_repeats repeats = {
        .n = m->n_runs, .n_groups = m->n, .pure_error = m->repeat_sd * m->repeat_sd * m->repeat_df, .df = m->repeat_df};
    if (!(m->repeat_df > 0) || fit_time(law, p->choice, y, p->n_runs, a->level, NULL, &runs, NULL, error) != WS_OK ||
        isnan(runs.rss))
        return NAN;
    ws_lack_of_fit(&repeats, runs.rss, (size_t)((double)runs.n - runs.df + 0.5), &test);
    return test.p_value;
}

/* Why the means go another way than the law: NULL where they do not, or not by much. */
static const char *why_lacking(const ws_advice *a, const ws_advice_law *law, const ws_fit *fit, const double *residual,
                               const ws_choice_points *p, const double *y, const ws_means *m, ws_error *error)
{
    size_t worst = 0;
    for (size_t i = 1; i < m->n; i++)
        if (fabs(residual[i]) > fabs(residual[worst]))
            worst = i;
    double share = expm1(fabs(residual[worst]));
    double bend = share > BEND_SHARE ? bend_p(law, fit, m->x, residual, m->n, error) : NAN;
    double lack = share > LACKING_SHARE ? lack_p(a, law, p, y, m, error) : NAN;
    ws_arena *arena = &a->cli->arena;
    const char *off = ws_arena_printf(arena, "by %s %% at %g", ws_words_digits(100 * share, 2).text, m->x[worst]);
    if (bend < BEND_P)
        return ws_arena_printf(arena, "the measured means bend away from it (%s), %s", ws_words_p(bend).text, off);
    if (lack < LACKING_P)
        return ws_arena_printf(arena, "it misses the measured means by more than their repeats differ (%s), %s",
                               ws_words_p(lack).text, off);
    if (share > LACKING_SHARE && 2 * m->repeat_df < (double)m->n)
        return ws_arena_printf(
            arena, "it misses what was measured %s, and too few counts were measured twice to say that this is chance",
            off);
    return NULL;
}

/* The place of a choice among the points, which ascend. */
static size_t point_at(const ws_choice_points *p, double choice)
{
    size_t low = 0, high = p->n;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (p->items[middle].choice <= choice)
            low = middle;
        else
            high = middle;
    }
    return low;
}

ws_status ws_advise_average(const ws_choice_points *p, const double *y, ws_means *m, ws_error *error)
{
    size_t *unit = ws_alloc((p->n_runs + 1) * sizeof *unit);
    for (size_t i = 0; i < p->n_runs; i++)
        unit[i] = point_at(p, p->choice[i]);
    ws_status status = ws_means_take(p->choice, y, unit, p->n_runs, true, m, error);
    free(unit);
    return status;
}

/* The power of a GPU of each run, and their geometric mean. */
static double powers_of(const ws_choice_points *p, double *power)
{
    double sum = 0;
    for (size_t i = 0; i < p->n_runs; i++) {
        power[i] = p->energy_kwh[i] / (p->choice[i] * p->time_h[i]);
        sum += log(power[i]) / (double)p->n_runs;
    }
    return exp(sum);
}

static void keep_means(ws_advice_model *m, const ws_means *times, const ws_means *powers)
{
    m->n = times->n;
    m->room = ws_alloc((3 * m->n + 1) * sizeof *m->room);
    m->gpus = m->room;
    m->time_h = m->gpus + m->n;
    m->power_kw = m->time_h + m->n;
    memcpy(m->gpus, times->x, m->n * sizeof *m->gpus);
    memcpy(m->time_h, times->y, m->n * sizeof *m->time_h);
    memcpy(m->power_kw, powers->y, m->n * sizeof *m->power_kw);
}

ws_status ws_advise_fit_other(const ws_advice *a, const ws_choice_points *p, const ws_advice_law *law,
                              const ws_advice_model *m, ws_advice_model *other, bool *usable, ws_error *error)
{
    double *residual = ws_alloc((m->n + 1) * sizeof *residual);
    ws_means times = {.n = 0};
    *other = *m;
    other->law = law;
    *usable = false;
    ws_status status = fit_time(law, m->gpus, m->time_h, m->n, a->level, NULL, &other->time, residual, error);
    if (status == WS_OK && other->time.status == WS_FIT_OK && !why_unphysical(&other->time, &a->cli->arena)) {
        status = ws_advise_average(p, p->time_h, &times, error);
        *usable = status == WS_OK && !why_lacking(a, law, &other->time, residual, p, p->time_h, &times, error);
    }
    ws_means_free(&times);
    free(residual);
    return status;
}

/* Fits both laws to the means; `why` the law of time does not hold, and that of the power, or NULL. */
static ws_status fit_laws(const ws_advice *a, const ws_choice_points *p, const double *power, const ws_means *times,
                          const ws_means *powers, ws_advice_model *m, const char **why, const char **why_power,
                          ws_error *error)
{
    double *residual = ws_alloc((m->n + 1) * sizeof *residual);
    ws_status status = fit_time(m->law, m->gpus, m->time_h, m->n, a->level, NULL, &m->time, residual, error);
    bool is_fitted = status == WS_OK && m->time.status == WS_FIT_OK;
    *why = is_fitted ? why_unphysical(&m->time, &a->cli->arena) : NULL;
    if (is_fitted && !*why)
        *why = why_lacking(a, m->law, &m->time, residual, p, p->time_h, times, error);
    if (is_fitted)
        ws_means_describe(times, &m->time);
    if (status == WS_OK && m->n > 2)
        status = ws_fit_powerlaw(m->gpus, m->power_kw, m->n, a->level, &m->power, residual, error);
    m->has_power = status == WS_OK && m->n > 2 && (m->power.status == WS_FIT_OK || m->power.status == WS_FIT_PERFECT);
    *why_power = status == WS_OK && m->has_power
                     ? why_lacking(a, ws_advice_law_find("powerlaw"), &m->power, residual, p, power, powers, error)
                     : NULL;
    m->knows_power = !*why_power;
    m->has_power = m->has_power && m->knows_power;
    free(residual);
    return status;
}

const char *ws_advise_y_name(const ws_advice *a)
{
    return a->law->of_throughput ? ws_arena_printf(&a->cli->arena, "1 / %s", a->time_name) : a->time_name;
}

/* Runs on part of a node hold the rest of it in their energy, so that no law of the power goes through them and those
 * on whole nodes. */
static const char *hint_at_nodes(const ws_advice *a, const ws_advice_model *m)
{
    double of_node = a->gpus_of_node;
    if (a->per_node > 1 || (m->lowest >= of_node && fmod(m->lowest, of_node) == 0))
        return "";
    if (isnan(of_node))
        return m->lowest < 4 ? "; where these are part of a node, whose rest is in their energy, --per-node N leaves "
                               "them out"
                             : "";
    return ws_arena_printf(&a->cli->arena,
                           "; runs on part of a node of %g GPUs have its rest in their energy: --per-node %g leaves "
                           "them out",
                           of_node, of_node);
}

static void say_why(ws_advice *a, const char *group, const ws_advice_model *m, const char *why, const char *why_power)
{
    char sentence[900];
    ws_data_words(m->time.sentence, a->choice_name, ws_advise_y_name(a), sentence, sizeof sentence);
    if (m->time.status != WS_FIT_OK)
        ws_advice_say(a, group, m->law->name, "no advice by the law: %s", sentence);
    else if (why)
        ws_advice_say(a, group, m->law->name, "the law is not used, only what was measured: %s", why);
    else if (why_power)
        ws_advice_say(a, group, "power", "no energies by a law, as the power of a GPU follows none: %s%s", why_power,
                      hint_at_nodes(a, m));
}

ws_status ws_advise_fit(ws_advice *a, const char *group, const ws_choice_points *p, ws_advice_model *m, bool *usable,
                        ws_error *error)
{
    double *power = ws_alloc((p->n_runs + 1) * sizeof *power);
    ws_means times = {.n = 0}, powers = {.n = 0};
    const char *why = NULL, *why_power = NULL;
    *usable = false;
    m->lowest = p->items[0].choice;
    m->highest = p->items[p->n - 1].choice;
    m->mean_kw = powers_of(p, power);
    ws_status status = ws_advise_average(p, p->time_h, &times, error);
    if (status == WS_OK && isfinite(m->mean_kw) && m->mean_kw > 0)
        status = ws_advise_average(p, power, &powers, error);
    if (status == WS_OK && !powers.n)
        ws_advice_say(a, group, m->law->name,
                      "no advice by the law: the energy per GPU hour is beyond the range of numbers");
    if (status == WS_OK && powers.n) {
        keep_means(m, &times, &powers);
        status = fit_laws(a, p, power, &times, &powers, m, &why, &why_power, error);
        if (status == WS_OK)
            say_why(a, group, m, why, why_power);
        *usable = status == WS_OK && m->time.status == WS_FIT_OK && !why;
    }
    ws_means_free(&times);
    ws_means_free(&powers);
    free(power);
    return status;
}
