/* How many GPUs, by one model:
 *
 *     energy(n) = n power(n) time(n)
 *
 * time by --law, the power of a GPU by a power law of its own where three GPU counts tell it (else its mean), both
 * through the means of configurations in logs. So the energy bends where the time does. A law that misses the means by
 * more than their repeats explain, or whose parameters are not settled or cannot be, is not used; nor is an answer that
 * a measured configuration contradicts: the measured ones stand alone then, with the reason. The range of each answer
 * is that of the same answer from 300 campaigns drawn from the two laws (residual errors, their size drawn from its
 * chi-square law, so that few counts widen it; Efron and Tibshirani 1993, chapter 6). */
#include "analyze/commands/advise.h"

#include "fit/choice/optimum.h"
#include "fit/estimate.h"
#include "fit/laws/laws.h"
#include "fit/laws/predict.h"
#include "fit/means.h"
#include "fit/random.h"
#include "fit/tests/repeats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DRAWS = 300, MOST = 100000 };

/* The means of the configurations, and the two laws through them. */
typedef struct model {
    const char *law;
    size_t n; /* GPU counts */
    double *gpus, *time_h, *power_kw, *room;
    ws_fit time, power;
    bool has_power; /* a law of it; else the mean */
    double mean_kw;
} model;

static ws_status fit_law(const char *law, const double *gpus, const double *time_h, size_t n, double level, ws_fit *fit,
                         double *residual, ws_error *error)
{
    const ws_law_input in = {.x = gpus, .y = time_h, .n = n, .level = level, .in_logs = true, .without_loocv = true};
    if (strcmp(law, "floor") == 0)
        return ws_fit_floor(&in, fit, residual, error);
    if (strcmp(law, "amdahl") == 0)
        return ws_fit_amdahl(&in, fit, residual, error);
    return ws_fit_powerlaw(gpus, time_h, n, level, fit, residual, error);
}

static double value_of(const ws_fit *fit, const char *name)
{
    const ws_estimate *e = ws_fit_estimate(fit, name);
    return e ? e->value : NAN;
}

/* factor n^exponent + floor, which Amdahl's law is, too: T1 (1 - s) / n + T1 s. */
typedef struct law_curve {
    double factor, exponent, floor;
} law_curve;

static law_curve curve_of(const ws_fit *fit)
{
    double first = value_of(fit, "time-at-1"), serial = value_of(fit, "serial-fraction"),
           floor = value_of(fit, "floor");
    if (strcmp(fit->model, "amdahl") == 0)
        return (law_curve){first * (1 - serial), -1, first * serial};
    return (law_curve){value_of(fit, "factor"), value_of(fit, "exponent"), isnan(floor) ? 0 : floor};
}

static double law_at(const law_curve *law, double n)
{
    return law->factor * pow(n, law->exponent) + law->floor;
}

/* A parameter that is not half known, or that time cannot have. NULL where all is well. */
static const char *why_unphysical(const ws_fit *fit, ws_arena *arena)
{
    static const struct {
        const char *name;
        bool may_be_zero;
    } parameters[] = {{"time-at-1", false}, {"serial-fraction", true}, {"factor", false}, {"floor", true}};
    for (size_t i = 0; i < sizeof parameters / sizeof *parameters; i++) {
        const ws_estimate *e = ws_fit_estimate(fit, parameters[i].name);
        if (!e)
            continue;
        if (e->value < 0)
            return ws_arena_printf(arena, "its %s is %s, which cannot be", e->name,
                                   ws_words_with_error(e->value, e->se).text);
        if (!parameters[i].may_be_zero && !(e->value > 2 * e->se))
            return ws_arena_printf(arena, "its %s, %s, is not settled", e->name,
                                   ws_words_with_error(e->value, e->se).text);
    }
    const ws_estimate *exponent = ws_fit_estimate(fit, "exponent");
    if (strcmp(fit->model, "floor") == 0 && exponent && !(exponent->value < 0))
        return "its exponent is not below zero: no time that falls towards a floor";
    return NULL;
}

/* Do the means miss the law by more than the repeats explain? */
static const char *why_lacking(const ws_advice *a, const char *law, const ws_choice_points *p, const double *y,
                               const ws_means *m, ws_error *error)
{
    ws_fit runs;
    ws_test test;
    const ws_repeats repeats = {
        .n = m->n_runs, .n_groups = m->n, .pure_error = m->repeat_sd * m->repeat_sd * m->repeat_df, .df = m->repeat_df};
    if (!(m->repeat_df > 0) || fit_law(law, p->choice, y, p->n_runs, a->level, &runs, NULL, error) != WS_OK ||
        isnan(runs.rss))
        return NULL;
    ws_lack_of_fit(&repeats, runs.rss, (size_t)((double)runs.n - runs.df + 0.5), &test);
    return test.p_value < 0.05
               ? ws_arena_printf(&a->cli->arena, "it misses the measured means by more than their repeats differ (%s)",
                                 ws_words_p(test.p_value).text)
               : NULL;
}

/* Means of the runs of each GPU count: of the time, and of the power of a GPU. */
static ws_status average(const ws_choice_points *p, const double *y, ws_means *m, ws_error *error)
{
    size_t *unit = ws_alloc((p->n_runs + 1) * sizeof *unit);
    for (size_t i = 0; i < p->n_runs; i++)
        for (size_t k = 0; k < p->n; k++)
            if (p->items[k].choice == p->choice[i])
                unit[i] = k;
    ws_status status = ws_means_take(p->choice, y, unit, p->n_runs, true, m, error);
    free(unit);
    return status;
}

/* Fills the model and says why a law is not used; `usable` where the law of time is. */
static ws_status fit_model(ws_advice *a, const char *group, const ws_choice_points *p, model *m, bool *usable,
                           ws_error *error)
{
    double *power = ws_alloc((p->n_runs + 1) * sizeof *power), sum = 0;
    ws_means times = {.n = 0}, powers = {.n = 0};
    char sentence[900];
    *usable = false;
    for (size_t i = 0; i < p->n_runs; i++) {
        power[i] = p->energy_kwh[i] / (p->choice[i] * p->time_h[i]);
        sum += log(power[i]) / (double)p->n_runs;
    }
    m->mean_kw = exp(sum);
    ws_status status = average(p, p->time_h, &times, error);
    if (status == WS_OK && isfinite(m->mean_kw) && m->mean_kw > 0)
        status = average(p, power, &powers, error);
    if (status != WS_OK || !powers.n) {
        ws_means_free(&times);
        free(power);
        if (status == WS_OK)
            ws_advice_say(a, group, a->law,
                          "no advice by the law: the energy per GPU hour is beyond the range of numbers");
        return status;
    }
    m->n = times.n;
    m->room = ws_alloc((3 * m->n + 1) * sizeof *m->room);
    m->gpus = m->room;
    m->time_h = m->gpus + m->n;
    m->power_kw = m->time_h + m->n;
    for (size_t i = 0; i < m->n; i++) {
        m->gpus[i] = times.x[i];
        m->time_h[i] = times.y[i];
        m->power_kw[i] = powers.y[i];
    }
    status = fit_law(a->law, m->gpus, m->time_h, m->n, a->level, &m->time, NULL, error);
    if (status == WS_OK && m->time.status == WS_FIT_OK)
        ws_means_describe(&times, &m->time);
    if (status == WS_OK && m->n > 2)
        status = ws_fit_powerlaw(m->gpus, m->power_kw, m->n, a->level, &m->power, NULL, error);
    m->has_power = status == WS_OK && m->n > 2 && (m->power.status == WS_FIT_OK || m->power.status == WS_FIT_PERFECT);
    const char *why = NULL;
    if (status == WS_OK && m->time.status == WS_FIT_OK)
        why = why_unphysical(&m->time, &a->cli->arena);
    if (status == WS_OK && m->time.status == WS_FIT_OK && !why)
        why = why_lacking(a, a->law, p, p->time_h, &times, error);
    if (status == WS_OK && m->time.status == WS_FIT_OK && !why && m->has_power) {
        const char *lacks = why_lacking(a, "powerlaw", p, power, &powers, error);
        why = lacks ? ws_arena_printf(&a->cli->arena, "the power of a GPU follows no power law: %s", lacks) : NULL;
    }
    ws_data_words(m->time.sentence, a->choice_name, a->time_name, sentence, sizeof sentence);
    if (status == WS_OK && m->time.status != WS_FIT_OK)
        ws_advice_say(a, group, a->law, "no advice by the law: %s", sentence);
    else if (status == WS_OK && why)
        ws_advice_say(a, group, a->law, "the law is not used, only what was measured: %s", why);
    *usable = status == WS_OK && m->time.status == WS_FIT_OK && !why;
    ws_means_free(&times);
    ws_means_free(&powers);
    free(power);
    return status;
}

/* The two laws at 1 .. n steps of GPUs; `upper_h` is the bound that one run's time keeps at the given risk. */
typedef struct curve {
    size_t step, n;
    double *time_h, *energy_kwh, *upper_h;
} curve;

static double on(const curve *c, const double *line, double devices)
{
    return line[(size_t)(devices / (double)c->step) - 1];
}

typedef struct view {
    const curve *curve;
    const double *time_h;
} view;

static double time_of(const void *state, double devices)
{
    const view *v = state;
    return on(v->curve, v->time_h, devices);
}

static double energy_of(const void *state, double devices)
{
    const view *v = state;
    return on(v->curve, v->curve->energy_kwh, devices);
}

static bool is_tried(const ws_advice *a, const model *m, double devices)
{
    return devices <= m->gpus[m->n - 1] * a->beyond && devices * a->beyond >= m->gpus[0];
}

/* One of `time` and `power` each; where devices are too far from the measured there is no value. */
static void draw_curve(const ws_advice *a, const model *m, const ws_fit *time, const ws_fit *power, curve *c)
{
    law_curve of_time = curve_of(time), of_power = {m->mean_kw, 0, 0};
    if (m->has_power)
        of_power = curve_of(power);
    for (size_t i = 0; i < c->n; i++) {
        double n = (double)((i + 1) * c->step);
        c->time_h[i] = is_tried(a, m, n) ? law_at(&of_time, n) : NAN;
        c->energy_kwh[i] = n * c->time_h[i] * law_at(&of_power, n);
    }
}

static ws_status draw_bound(const ws_advice *a, const model *m, curve *c, ws_error *error)
{
    double *places = ws_alloc((c->n + 1) * sizeof *places);
    ws_prediction *found = ws_alloc((c->n + 1) * sizeof *found);
    for (size_t i = 0; i < c->n; i++)
        places[i] = (double)((i + 1) * c->step);
    ws_status status = ws_predict(&m->time, m->gpus, m->n, 1 - 2 * a->risk, places, c->n, found, error);
    for (size_t i = 0; i < c->n && status == WS_OK; i++)
        c->upper_h[i] = is_tried(a, m, places[i]) ? found[i].hi : NAN;
    free(places);
    free(found);
    return status;
}

static ws_status ask(const ws_advice *a, const curve *c, const double *time_h, ws_optimum *best, ws_error *error)
{
    const view v = {c, time_h};
    const ws_optimum_input in = {.time_h = time_of,
                                 .energy_kwh = energy_of,
                                 .state = &v,
                                 .power_kw = NAN,
                                 .step = c->step,
                                 .most = c->n * c->step,
                                 .deadline_h = a->deadline_h,
                                 .budget_kwh = a->budget_kwh};
    return ws_find_optimum(&in, best, error);
}

/* What is asked of the model, where its answer stands in ws_optimum, and energy^e time^t that it makes least. */
typedef struct question {
    const char *text;
    size_t offset;
    int energy, time;
} question;
enum { LEAST_ENERGY, LEAST_EDP, LEAST_ED2P, IN_TIME, IN_BUDGET, QUESTIONS };
static const question questions[QUESTIONS] = {
    {"least energy", offsetof(ws_optimum, least_energy), 1, 0},
    {"least energy x time", offsetof(ws_optimum, least_edp), 1, 1},
    {"least energy x time^2", offsetof(ws_optimum, least_ed2p), 1, 2},
    {"fewest in time at the risk", offsetof(ws_optimum, fewest_in_time), 0, 0},
    {"most within the energy", offsetof(ws_optimum, most_in_budget), 0, 0}};

static size_t answer_of(const ws_optimum *o, size_t q)
{
    return *(const size_t *)((const char *)o + questions[q].offset);
}

static int compare_sizes(const void *a, const void *b)
{
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

/* Times or powers as another campaign might have had them: the law, residual errors of a size that is drawn as well. */
static void draw_values(ws_random *random, const model *m, const ws_fit *fit, double *to)
{
    double chi2 = 0;
    for (size_t i = 0; i < (size_t)fit->df; i++)
        chi2 += pow(ws_random_normal(random), 2);
    double sd = fit->sigma * sqrt(fit->df / chi2);
    law_curve law = curve_of(fit);
    for (size_t i = 0; i < m->n; i++)
        to[i] = law_at(&law, m->gpus[i]) * exp(sd * ws_random_normal(random));
}

/* The 2.5 and 97.5 % points (by --level) of each answer over campaigns drawn from the model; an answer of none counts
 * as beyond the end that was tried, or below its begin for a budget. */
static ws_status find_ranges(const ws_advice *a, const model *m, const curve *c, size_t ranges[QUESTIONS][2],
                             ws_error *error)
{
    ws_random random = {1};
    curve drawn = *c;
    double *room = ws_alloc((2 * c->n + 2 * m->n + 1) * sizeof *room), *time = room + 2 * c->n, *power = time + m->n;
    size_t *answers = ws_alloc(QUESTIONS * DRAWS * sizeof *answers), n = 0;
    ws_status status = WS_OK;
    drawn.time_h = room;
    drawn.energy_kwh = room + c->n;
    for (size_t d = 0; d < DRAWS && status == WS_OK; d++) {
        ws_fit of_time, of_power = m->power;
        ws_optimum best;
        draw_values(&random, m, &m->time, time);
        status = fit_law(a->law, m->gpus, time, m->n, a->level, &of_time, NULL, error);
        if (status == WS_OK && m->has_power && m->power.status == WS_FIT_OK) {
            draw_values(&random, m, &m->power, power);
            status = ws_fit_powerlaw(m->gpus, power, m->n, a->level, &of_power, NULL, error);
        }
        if (status != WS_OK || of_time.status != WS_FIT_OK || of_power.status == WS_FIT_TOO_FEW)
            continue;
        draw_curve(a, m, &of_time, &of_power, &drawn);
        status = ask(a, &drawn, drawn.time_h, &best, error);
        for (size_t q = 0; q < QUESTIONS; q++) {
            size_t found = answer_of(&best, q);
            answers[q * DRAWS + n] = !found && q == IN_TIME ? c->n * c->step : found;
        }
        n += status == WS_OK;
    }
    for (size_t q = 0; q < QUESTIONS; q++) {
        qsort(answers + q * DRAWS, n, sizeof *answers, compare_sizes);
        double tail = (1 - a->level) / 2;
        ranges[q][0] = n ? answers[q * DRAWS + (size_t)(tail * (double)(n - 1))] : 0;
        ranges[q][1] = n ? answers[q * DRAWS + (size_t)ceil((1 - tail) * (double)(n - 1))] : 0;
    }
    free(answers);
    free(room);
    return status;
}

/* A measured configuration that does better than the best by the law, or keeps a budget with more GPUs, or one that the
 * law takes and that missed: NULL where there is none. */
static const ws_choice_point *contradicting(const ws_advice *a, const ws_choice_points *p, const curve *c, size_t q,
                                            double n)
{
    double wish = questions[q].energy * log(on(c, c->energy_kwh, n)) + questions[q].time * log(on(c, c->time_h, n));
    for (size_t i = 0; i < p->n; i++) {
        const ws_choice_point *m = &p->items[i];
        if (fmod(m->choice, (double)c->step) != 0)
            continue;
        double measured = questions[q].energy * log(m->energy_kwh) + questions[q].time * log(m->time_h);
        bool better = q <= LEAST_ED2P && m->choice != n && measured < wish;
        bool late = q == IN_TIME && m->choice == n && m->time_h > a->deadline_h;
        bool fits = q == IN_BUDGET && m->choice > n && m->energy_kwh <= a->budget_kwh;
        bool over = q == IN_BUDGET && m->choice == n && m->energy_kwh > a->budget_kwh;
        if (better || late || fits || over)
            return m;
    }
    return NULL;
}

static void add_answer(ws_advice *a, const char *group, const ws_choice_points *p, const model *m, const curve *c,
                       size_t q, size_t devices, const size_t *range)
{
    double n = (double)devices;
    const ws_choice_point *against = devices ? contradicting(a, p, c, q, n) : NULL;
    bool outside = devices && (n > m->gpus[m->n - 1] || n < m->gpus[0]);
    if (against) {
        ws_advice_say(a, group, questions[q].text,
                      "no answer by the law: it says %zu, and the measured run on %g (%.4g h, %.4g kWh) contradicts it",
                      devices, against->choice, against->time_h, against->energy_kwh);
        return;
    }
    const ws_advice_row row = {
        .basis = ws_arena_printf(&a->cli->arena, "%s with %s", a->law, m->has_power ? "power law" : "mean power"),
        .question = questions[q].text,
        .flag = outside ? "outside of what was measured" : NULL,
        .status = devices ? "ok" : "none",
        .choice = devices ? n : NAN,
        .choice_se = NAN,
        .choice_lo = devices && range[0] ? fmin((double)range[0], n) : NAN,
        .choice_hi = devices && range[1] ? fmax((double)range[1], n) : NAN,
        .time_h = devices ? on(c, c->time_h, n) : NAN,
        .energy_kwh = devices ? on(c, c->energy_kwh, n) : NAN,
        .error = NAN,
        .front_probability = NAN,
        .front_error = NAN};
    ws_advice_add(a, group, &row);
}

/* What the law's time never falls below; 0 where it falls without end. */
static double least_time(const ws_fit *fit)
{
    double floor = value_of(fit, "floor"), serial = value_of(fit, "time-at-1") * value_of(fit, "serial-fraction");
    return isfinite(floor) ? floor : isfinite(serial) ? fmax(serial, 0) : 0;
}

static void say(ws_advice *a, const char *group, const model *m, const curve *c, const ws_optimum *best,
                const ws_optimum *safe)
{
    char sentence[900], deadline[WS_DOUBLE_TEXT], risk[WS_DOUBLE_TEXT], least[WS_DOUBLE_TEXT];
    ws_data_words(m->time.sentence, a->choice_name, a->time_name, sentence, sizeof sentence);
    ws_advice_say(a, group, a->law, "%s", sentence);
    if (m->has_power) {
        ws_data_words(m->power.sentence, a->choice_name, "power of a GPU", sentence, sizeof sentence);
        ws_advice_say(a, group, "power", "%s", sentence);
    }
    ws_double_text(deadline, a->deadline_h);
    ws_double_text_digits(least, least_time(&m->time), 3);
    ws_double_text(risk, round(1e8 * a->risk) / 1e6);
    if (isfinite(a->deadline_h) && safe->fewest_in_time)
        ws_advice_say(a, group, "deadline", "with %zu a run takes longer than %s h at a risk of %s %% at most",
                      safe->fewest_in_time, deadline, risk);
    else if (isfinite(a->deadline_h) && least_time(&m->time) >= a->deadline_h)
        ws_advice_say(a, group, "deadline", "no number keeps %s h: by the law a run never takes less than %s h",
                      deadline, least);
    else if (isfinite(a->deadline_h))
        ws_advice_say(a, group, "deadline", "no number up to %zu keeps %s h at a risk of %s %%", c->n * c->step,
                      deadline, risk);
    ws_advice_say(a, group, "least", "least energy with %zu, least energy x time with %zu%s", best->least_energy,
                  best->least_edp, best->least_edp + c->step > c->n * c->step ? ", the end of what was tried" : "");
}

static ws_status add_answers(ws_advice *a, const char *group, const ws_choice_points *p, const model *m, curve *c,
                             ws_error *error)
{
    ws_optimum best, safe;
    size_t ranges[QUESTIONS][2] = {{0}};
    draw_curve(a, m, &m->time, &m->power, c);
    ws_status status = draw_bound(a, m, c, error);
    if (status == WS_OK)
        status = ask(a, c, c->time_h, &best, error);
    if (status == WS_OK)
        status = ask(a, c, c->upper_h, &safe, error);
    if (status == WS_OK)
        status = find_ranges(a, m, c, ranges, error);
    if (status != WS_OK)
        return status;
    for (size_t q = 0; q < QUESTIONS; q++)
        if ((q != IN_TIME || isfinite(a->deadline_h)) && (q != IN_BUDGET || isfinite(a->budget_kwh)))
            add_answer(a, group, p, m, c, q, answer_of(q == IN_TIME ? &safe : &best, q), ranges[q]);
    say(a, group, m, c, &best, &safe);
    return WS_OK;
}

ws_status ws_advise_gpus(ws_advice *a, const char *group, const ws_choice_points *p, ws_error *error)
{
    model m = {.law = a->law};
    bool usable;
    ws_status status = fit_model(a, group, p, &m, &usable, error);
    size_t n = usable ? (size_t)(fmin(m.gpus[m.n - 1] * a->beyond, MOST) / (double)a->per_node) : 0;
    if (status == WS_OK && usable && !n)
        ws_advice_say(a, group, a->law, "no advice by the law: one node is beyond what may be asked of it");
    if (status == WS_OK && usable && n) {
        double *all = ws_alloc((3 * n + 1) * sizeof *all);
        curve c = {.step = a->per_node, .n = n, .time_h = all, .energy_kwh = all + n, .upper_h = all + 2 * n};
        status = add_answers(a, group, p, &m, &c, error);
        free(all);
    }
    free(m.room);
    return status;
}
