/* Which cap: the slow-down is that against the highest cap, and its one-sided upper limit at 1 - --risk must keep
 * --slowdown. By curves of time and energy in logs through the means of caps (a parabola, or a power law above a floor
 * where AICc prefers it, as it does of a time that stops falling; the limit must hold by either), within the measured
 * caps only, from four caps on. As times under a cap are convex, the straight line between two measured caps is above
 * the true time: a cap that is too slow by that line is none to advise either. Curves that go another way than the
 * means by more than half the bound are not used. Of the measured caps the limit is that of the ratio of two means by
 * their own repeats (ws_ratio_of_logs), or by the pooled spread of all repeats where one of them is a single run; and
 * at least that by the scatter of the means about the curve of time, which holds what a cap as a whole is off, unless
 * the means bend away from it. Below four caps, which have no curve, each is taken to be 1 % off. */
#include "analyze/commands/advise_model.h"

#include "fit/choice/optimum_place.h"
#include "fit/estimate.h"
#include "fit/laws/laws.h"
#include "fit/laws/predict.h"
#include "fit/tests/mean_and_spread.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char least_energy[] = "least energy within the slow-down", lowest_cap[] = "lowest within the slow-down";
static const double BEND_P = 0.05, LACKING_P = 0.001;

/* Below four caps no curve leaves a residual that tells what a cap as a whole is off its law, by temperature or place:
 * 1 % (standard deviation, ours) is allowed for. By repeats alone 13 % of the advised caps were too slow. */
enum { FEW_CAPS = 4 };
static const double OFF_BY = 0.01;

/* The standard deviation of a mean about the curve of time, in logs; NaN where no curve tells. */
typedef struct cap_scatter {
    double sd, df;
} cap_scatter;

typedef struct cap_model {
    ws_means times, energies;        /* of each cap */
    ws_fit time, energy, other_time; /* the last: of the other form */
    double *residual;                /* of the means from the curve of time, then from that of energy */
    cap_scatter scatter;
} cap_model;

static ws_sample sample_at(const ws_means *m, double choice, double ln_mean)
{
    size_t c = 0;
    while (c + 1 < m->n && m->x[c] != choice)
        c++;
    return (ws_sample){.n = m->count[c], .mean = ln_mean, .sd = m->sd[c], .se = m->sd[c] / sqrt((double)m->count[c])};
}

/* By how much ln(time / time at the highest cap) of a measured cap may be more than its value, by the repeats; 0
 * without. */
static double margin_by_repeats(const ws_advice *a, const ws_choice_point *point, const ws_choice_point *highest,
                                const ws_means *times, double value)
{
    if (!(times->repeat_df > 0))
        return 0;
    const ws_sample own = sample_at(times, point->choice, value), top = sample_at(times, highest->choice, 0);
    ws_ratio ratio;
    ws_ratio_of_logs(&own, &top, 1 - 2 * a->risk, &ratio);
    if (ratio.status == WS_FIT_OK)
        return log(ratio.ci_hi) - value;
    double se = times->repeat_sd * sqrt(1. / (double)point->n_runs + 1. / (double)highest->n_runs);
    return ws_student_quantile(1 - 2 * a->risk, times->repeat_df) * se;
}

/* The upper limit of ln(time / time at the highest cap) of a measured cap. */
static double upper_limit(const ws_advice *a, const ws_choice_points *p, const cap_model *m, size_t i)
{
    const ws_choice_point *point = &p->items[i], *highest = &p->items[p->n - 1];
    double value = log(point->time_h / highest->time_h), margin;
    if (i + 1 == p->n)
        return value;
    margin = margin_by_repeats(a, point, highest, &m->times, value);
    if (m->scatter.sd > 0)
        margin = fmax(margin, ws_student_quantile(1 - 2 * a->risk, m->scatter.df) * m->scatter.sd * sqrt(2));
    else if (p->n < FEW_CAPS)
        margin = hypot(margin, ws_normal_quantile(1 - 2 * a->risk) * OFF_BY * sqrt(2));
    return value + margin;
}

/* A measured cap below the highest has no limit to judge it by where nothing was repeated and no curve tells: no answer
 * rather than one that half of the time is too slow. */
static void add_judged(ws_advice *a, const char *group, const char *question, const ws_choice_points *p,
                       const cap_model *m, size_t i)
{
    ws_advice_row row = ws_advice_measured(&p->items[i]);
    row.question = question;
    if (i + 1 < p->n && !(m->times.repeat_df > 0) && !(m->scatter.sd > 0)) {
        row.status = "no-limit";
        row.choice = row.time_h = row.energy_kwh = row.error = NAN;
        row.n_runs = 0;
    }
    ws_advice_add(a, group, &row);
}

/* Of the measured caps from the highest down to the first that is too slow. */
static void add_measured(ws_advice *a, const char *group, const ws_choice_points *p, const cap_model *m)
{
    size_t lowest = p->n - 1, best = lowest;
    while (lowest > 0 && upper_limit(a, p, m, lowest - 1) <= log1p(a->slowdown))
        lowest--;
    for (size_t i = lowest; i < p->n; i++)
        if (p->items[i].energy_kwh < p->items[best].energy_kwh)
            best = i;
    add_judged(a, group, least_energy, p, m, best);
    add_judged(a, group, lowest_cap, p, m, lowest);
    if (m->times.repeat_df > 0 && p->n < FEW_CAPS && p->n > 1)
        ws_advice_say(a, group, "measured",
                      "%zu caps do not tell by how much a cap as a whole is off: %g %% is allowed for", p->n,
                      100 * OFF_BY);
    if (!(m->times.repeat_df > 0))
        ws_advice_say(a, group, "measured", "%s",
                      m->scatter.sd > 0 ? "no cap was measured twice: how sure their slow-downs are is judged by their "
                                          "scatter about a smooth curve"
                                        : "no cap was measured twice, and no curve tells how much they scatter: of a "
                                          "measured cap below the highest nobody can say that it keeps the slow-down");
}

enum { FEW = 64, MANY = 256 };

/* Of hundreds of caps the means of 64 stretches of them tell where the search for a floor begins: every start through
 * every cap would take seconds. False: they hold no floor, and what they do not tell all caps tell hardly better. */
static bool begin_near(const ws_law_input *all, double *near, ws_error *error)
{
    double x[FEW] = {0}, y[FEW] = {0};
    ws_law_input few = *all;
    ws_fit fit;
    for (size_t k = 0; k < FEW; k++) {
        size_t from = k * all->n / FEW, to = (k + 1) * all->n / FEW;
        for (size_t i = from; i < to; i++) {
            x[k] += log(all->x[i]) / (double)(to - from);
            y[k] += log(all->y[i]) / (double)(to - from);
        }
        x[k] = exp(x[k]);
        y[k] = exp(y[k]);
    }
    few.x = x;
    few.y = y;
    few.n = FEW;
    if (ws_fit_floor(&few, &fit, NULL, error) != WS_OK || (fit.status != WS_FIT_OK && fit.status != WS_FIT_PERFECT))
        return false;
    for (size_t j = 0; j < 3; j++)
        near[j] = fit.estimate[j].value;
    return true;
}

/* How much higher the AICc of the second curve is: both have three parameters, so that their corrections are the same,
 * which five caps and fewer do not have. */
static double aicc_above(const ws_fit *second, const ws_fit *first)
{
    return (double)first->n * log(second->rss / first->rss);
}

/* The curve with the lower AICc; `other`, if not NULL, gets the second one. */
static ws_status fit_curve(const ws_advice *a, const ws_means *m, ws_fit *fit, ws_fit *other, double *residual,
                           ws_error *error)
{
    ws_law_input in = {.x = m->x, .y = m->y, .n = m->n, .level = a->level, .in_logs = true, .without_loocv = true};
    double near[3];
    ws_fit floored = {.status = WS_FIT_TOO_FEW};
    double *of_floor = ws_alloc((m->n + 1) * sizeof *of_floor);
    ws_status status = ws_fit_lognormal(&in, fit, residual, error);
    bool may_have_floor = m->n < MANY || begin_near(&in, near, error);
    in.near = m->n < MANY ? NULL : near;
    if (status == WS_OK && may_have_floor)
        status = ws_fit_floor(&in, &floored, of_floor, error);
    ws_fit second = floored;
    if (status == WS_OK && floored.status == WS_FIT_OK && (fit->status != WS_FIT_OK || aicc_above(&floored, fit) < 0)) {
        second = *fit;
        *fit = floored;
        memcpy(residual, of_floor, m->n * sizeof *residual);
    }
    if (other)
        *other = second;
    if (status == WS_OK && fit->status == WS_FIT_OK)
        ws_means_describe(m, fit);
    free(of_floor);
    return status;
}

/* p of a further bend in the residuals: (ln x)^3 beside a parabola, (ln x)^2 beside the derivatives of a floored law.
 */
static double bend_p(const ws_fit *fit, const ws_means *m, const double *residual, ws_error *error)
{
    bool is_floor = fit->curve == WS_CURVE_FLOOR;
    ws_law_curve law = ws_law_curve_of(fit);
    double *room = ws_alloc((3 * m->n + 1) * sizeof *room), middle = 0;
    for (size_t i = 0; i < m->n; i++)
        middle += log(m->x[i]) / (double)m->n;
    for (size_t i = 0; i < m->n; i++) {
        double ln = log(m->x[i]), u = ln - middle, y = is_floor ? ws_law_curve_at(&law, ln) : 1;
        room[i] = is_floor ? u * u : u * u * u;
        room[m->n + i] = is_floor ? u * (y - law.floor) / y : u;
        room[2 * m->n + i] = is_floor ? 1 / y : u * u;
    }
    const double *const columns[] = {room, room + m->n, room + 2 * m->n};
    double p = ws_advise_extra_p(columns, 3, residual, m->n, error);
    free(room);
    return p;
}

/* p of F of the means about the curve against their repeats; NaN without repeats. */
static double lack_p(const ws_fit *fit, const ws_means *m, const double *residual)
{
    double squares = 0;
    for (size_t i = 0; i < m->n; i++)
        squares += (double)m->count[i] * residual[i] * residual[i];
    if (!(m->repeat_df > 0) || !(m->repeat_sd > 0) || !(fit->df > 0))
        return NAN;
    return ws_f_upper(squares / fit->df / (m->repeat_sd * m->repeat_sd), fit->df, m->repeat_df);
}

/* Why a curve does not say what the means say, within half the bound; NULL where it does. */
static const char *why_lacking(const ws_advice *a, const ws_fit *fit, const ws_means *m, const double *residual,
                               ws_error *error)
{
    double worst = 0, where = NAN;
    for (size_t i = 0; i < m->n; i++)
        if (fabs(residual[i]) > worst) {
            worst = fabs(residual[i]);
            where = m->x[i];
        }
    if (!(worst > log1p(a->slowdown) / 2))
        return NULL;
    double bend = bend_p(fit, m, residual, error), lack = lack_p(fit, m, residual);
    if (!(bend < BEND_P) && !(lack < LACKING_P))
        return NULL;
    return ws_arena_printf(&a->cli->arena, "%s (%s), by %s %% at %g",
                           bend < BEND_P ? "the measured means bend away from it"
                                         : "it misses the measured means by more than their repeats differ",
                           ws_words_p(bend < BEND_P ? bend : lack).text, ws_words_digits(100 * expm1(worst), 2).text,
                           where);
}

/* The lowest cap from `x` on that is not too slow by the straight lines between measured caps. */
static double kept_by_lines(const ws_choice_points *p, double x, double most_h)
{
    static const double ROUNDING = 1e-12; /* exp(ln x) is not quite the cap that was measured */
    if (fabs(x - p->items[0].choice) <= ROUNDING * x)
        x = p->items[0].choice;
    for (size_t i = 0; i + 1 < p->n; i++) {
        const ws_choice_point *low = &p->items[i], *high = &p->items[i + 1];
        if (high->choice <= x)
            continue;
        double from = fmax(x, low->choice), slope = (high->time_h - low->time_h) / (high->choice - low->choice);
        double here = low->time_h + slope * (from - low->choice);
        if (here <= most_h)
            return from;
        if (high->time_h <= most_h)
            return high->choice - (most_h - high->time_h) / -slope;
    }
    return p->items[p->n - 1].choice;
}

/* A measured cap from `lowest` on that keeps the bound and uses less than `energy_kwh`: the one that uses least, or
 * NULL. Below it one of many caps would keep the bound by chance. */
static const ws_choice_point *refuting(const ws_advice *a, const ws_choice_points *p, const cap_model *m, double lowest,
                                       double energy_kwh)
{
    const ws_choice_point *found = NULL;
    for (size_t i = 0; i < p->n; i++)
        if (p->items[i].choice >= lowest && upper_limit(a, p, m, i) <= log1p(a->slowdown) &&
            p->items[i].energy_kwh < energy_kwh && (!found || p->items[i].energy_kwh < found->energy_kwh))
            found = &p->items[i];
    return found;
}

static void say_curve(ws_advice *a, const char *group, const char *y, const ws_fit *fit)
{
    ws_advice_say(a, group, y, "%s against %s by %s: R2 %s in logs, %s", y, a->choice_name,
                  fit->curve == WS_CURVE_FLOOR ? "a power law above a floor" : "a parabola in logs",
                  ws_words_r2(fit->r2).text, ws_fit_words_points(fit, a->choice_name).text);
}

static ws_status add_place(ws_advice *a, const char *group, const cap_model *m, const ws_choice_point *measured,
                           const char *question, const ws_place *place, ws_error *error)
{
    static const char *const limits[] = {
        [WS_PLACE_ENERGY] = "energy", [WS_PLACE_TIME] = "slow-down", [WS_PLACE_END] = "end"};
    ws_prediction time = {.value = NAN}, energy = {.value = NAN};
    double x = measured ? measured->choice : place->x;
    ws_status status = ws_predict(&m->time, m->times.x, m->times.n, a->level, &x, 1, &time, error);
    if (status == WS_OK)
        status = ws_predict(&m->energy, m->energies.x, m->energies.n, a->level, &x, 1, &energy, error);
    const ws_advice_row row = {.basis = measured ? "curves (measured)" : "curves",
                               .question = question,
                               .limited_by = limits[place->limit],
                               .status = "ok",
                               .choice = x,
                               .choice_se = place->se,
                               .choice_lo = isnan(place->lo) ? NAN : fmin(place->lo, x),
                               .choice_hi = isnan(place->hi) ? NAN : fmax(place->hi, x),
                               .time_h = measured ? measured->time_h : time.value,
                               .energy_kwh = measured ? measured->energy_kwh : energy.value,
                               .error = NAN,
                               .front_probability = NAN,
                               .front_error = NAN,
                               .n_runs = measured ? measured->n_runs : 0};
    if (status == WS_OK)
        ws_advice_add(a, group, &row);
    return status;
}

/* Which of two curves has the lower AICc is chance where both are near, and neither need be the true one: the cap has
 * to keep the bound by both. One that goes past the means is in doubt by as much, and its limit is the wider for it. */
static ws_status keep_by_other(const ws_advice *a, const cap_model *m, ws_place *safe, double *lowest, ws_error *error)
{
    ws_place by_other;
    double lowest_by_other;
    ws_status status = ws_find_safe_place(&m->other_time, &m->energy, m->times.x, m->times.n, a->slowdown, a->risk,
                                          &by_other, &lowest_by_other, error);
    if (status != WS_OK || !(lowest_by_other > *lowest))
        return status;
    *lowest = lowest_by_other;
    if (safe->x < lowest_by_other)
        *safe = by_other;
    return WS_OK;
}

/* The best cap and the lowest, with the interval of the place where the curves themselves decide. */
static ws_status add_places(ws_advice *a, const char *group, const ws_choice_points *p, const cap_model *m,
                            ws_error *error)
{
    ws_place best, safe;
    ws_prediction energy;
    double lowest, most_h = p->items[p->n - 1].time_h * (1 + a->slowdown);
    const double *x = m->times.x;
    size_t n = m->times.n;
    ws_status status = ws_find_place(&m->time, &m->energy, x, n, a->slowdown, a->level, &best, error);
    if (status == WS_OK)
        status = ws_find_safe_place(&m->time, &m->energy, x, n, a->slowdown, a->risk, &safe, &lowest, error);
    if (status == WS_OK && m->other_time.status == WS_FIT_OK)
        status = keep_by_other(a, m, &safe, &lowest, error);
    if (status == WS_OK)
        status = ws_predict(&m->energy, x, n, a->level, &safe.x, 1, &energy, error);
    if (status != WS_OK)
        return status;
    double kept = kept_by_lines(p, safe.x, most_h);
    best.limit = kept >= p->items[p->n - 1].choice ? WS_PLACE_END : kept > safe.x ? WS_PLACE_TIME : safe.limit;
    best.x = kept;
    status = ws_predict(&m->energy, x, n, a->level, &best.x, 1, &energy, error);
    const ws_place at_limit = {kept_by_lines(p, lowest, most_h), NAN, NAN, NAN, WS_PLACE_TIME};
    const ws_choice_point *against = status == WS_OK ? refuting(a, p, m, at_limit.x, energy.value) : NULL;
    if (against)
        ws_advice_say(a, group, least_energy,
                      "at %g the measured mean is %.4g kWh, less than what the curves say of their %.5g (%.4g kWh)",
                      against->choice, against->energy_kwh, best.x, energy.value);
    if (status == WS_OK)
        status = add_place(a, group, m, against, least_energy, &best, error);
    if (status == WS_OK)
        status = add_place(a, group, m, NULL, lowest_cap, &at_limit, error);
    say_curve(a, group, a->time_name, &m->time);
    say_curve(a, group, a->energy_name, &m->energy);
    return status;
}

static ws_status advise_by_curves(ws_advice *a, const char *group, const ws_choice_points *p, cap_model *m,
                                  ws_error *error)
{
    bool is_time = m->time.status != WS_FIT_OK;
    char words[2 * sizeof m->time.sentence];
    if (is_time || m->energy.status != WS_FIT_OK) {
        ws_data_words(is_time ? m->time.sentence : m->energy.sentence, a->choice_name,
                      is_time ? a->time_name : a->energy_name, words, sizeof words);
        ws_advice_say(a, group, "curves", "no advice by curves through the caps: %s", words);
        return WS_OK;
    }
    const char *of_time = why_lacking(a, &m->time, &m->times, m->residual, error),
               *why = of_time ? of_time : why_lacking(a, &m->energy, &m->energies, m->residual + m->times.n, error);
    if (!why)
        return add_places(a, group, p, m, error);
    ws_advice_say(a, group, "curves", "no advice by curves, only measured caps, as that of the %s does not hold: %s",
                  of_time ? "time" : "energy", why);
    return WS_OK;
}

/* The curves of time and energy, and the scatter of times about theirs, from four caps on: of one residual Student's t
 * (one-sided 6.3, of six caps 2.4) allows for how little it tells. */
static ws_status fit_curves(const ws_advice *a, cap_model *m, ws_error *error)
{
    m->scatter.sd = NAN;
    ws_status status = fit_curve(a, &m->times, &m->time, &m->other_time, m->residual, error);
    if (status == WS_OK)
        status = fit_curve(a, &m->energies, &m->energy, NULL, m->residual + m->times.n, error);
    if (status == WS_OK && m->time.status == WS_FIT_OK && m->time.df > 0 &&
        !(bend_p(&m->time, &m->times, m->residual, error) < BEND_P))
        m->scatter = (cap_scatter){m->time.sigma, m->time.df};
    return status;
}

ws_status ws_advise_caps(ws_advice *a, const char *group, const ws_choice_points *p, ws_error *error)
{
    cap_model m = {.residual = ws_alloc((2 * p->n + 1) * sizeof *m.residual)};
    ws_status status = ws_advise_average(p, p->time_h, &m.times, error);
    if (status == WS_OK)
        status = ws_advise_average(p, p->energy_kwh, &m.energies, error);
    if (status == WS_OK)
        status = fit_curves(a, &m, error);
    if (status == WS_OK) {
        add_measured(a, group, p, &m);
        status = advise_by_curves(a, group, p, &m, error);
    }
    ws_means_free(&m.times);
    ws_means_free(&m.energies);
    free(m.residual);
    return status;
}
