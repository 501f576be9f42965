/* What the two laws answer: how long a run takes and what it needs on each number of GPUs, where that is best, and how
 * far another campaign might have answered otherwise. The range of each answer is that of the same answer from 200
 * campaigns drawn from the two laws (residual errors, their size drawn from its chi-square law, so that few counts
 * widen it; Efron and Tibshirani 1993, chapter 6), and of the same with the law of time of another form that the means
 * do not refute. */
#include "analyze/commands/advise_curve.h"

#include "fit/choice/optimum.h"
#include "fit/laws/predict.h"
#include "fit/random.h"

#include <math.h>
#include <stdlib.h>

enum { DRAWS = 200 };

double ws_advice_curve_at(const ws_advice_curve *c, const double *line, double devices)
{
    return line[(size_t)(devices / (double)c->step) - 1];
}

typedef struct view {
    const ws_advice_curve *curve;
    const double *time_h;
} view;

static double time_of(const void *state, double devices)
{
    const view *v = state;
    return ws_advice_curve_at(v->curve, v->time_h, devices);
}

static double energy_of(const void *state, double devices)
{
    const view *v = state;
    return ws_advice_curve_at(v->curve, v->curve->energy_kwh, devices);
}

bool ws_advice_tries(const ws_advice *a, const ws_advice_model *m, double devices)
{
    return devices <= m->highest * a->beyond && devices * a->beyond >= m->lowest;
}

/* By a fit of times and one of powers; NaN where the number of GPUs lies too far from what was measured. */
static void draw_curve(const ws_advice *a, const ws_advice_model *m, const ws_fit *time, const ws_fit *power,
                       ws_advice_curve *c)
{
    ws_law_curve of_time = ws_law_curve_of(time), of_power = {m->knows_power ? m->mean_kw : NAN, 0, 0, 0};
    if (m->has_power)
        of_power = ws_law_curve_of(power);
    for (size_t i = 0; i < c->n; i++) {
        double n = (double)((i + 1) * c->step);
        c->energy_kwh[i] = c->time_h[i] = NAN;
        if (!ws_advice_tries(a, m, n))
            continue;
        c->time_h[i] = ws_law_curve_at(&of_time, c->ln[i]);
        c->energy_kwh[i] = n * c->time_h[i] * ws_law_curve_at(&of_power, c->ln[i]);
    }
}

static ws_status draw_bound(const ws_advice *a, const ws_advice_model *m, ws_advice_curve *c, ws_error *error)
{
    double *places = ws_alloc((c->n + 1) * sizeof *places);
    ws_prediction *found = ws_alloc((c->n + 1) * sizeof *found);
    for (size_t i = 0; i < c->n; i++)
        places[i] = (double)((i + 1) * c->step);
    ws_status status = ws_predict(&m->time, m->gpus, m->n, 1 - 2 * a->risk, places, c->n, found, error);
    for (size_t i = 0; i < c->n && status == WS_OK; i++)
        c->upper_h[i] = !ws_advice_tries(a, m, places[i]) ? NAN : m->law->of_throughput ? 1 / found[i].lo : found[i].hi;
    free(places);
    free(found);
    return status;
}

ws_status ws_advice_curve_draw(const ws_advice *a, const ws_advice_model *m, ws_advice_curve *c, ws_error *error)
{
    draw_curve(a, m, &m->time, &m->power, c);
    return draw_bound(a, m, c, error);
}

static ws_status ask(const ws_advice *a, const ws_advice_curve *c, const double *time_h, ws_optimum *best,
                     ws_error *error)
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

const ws_gpus_question ws_gpus_questions[WS_GPUS_QUESTIONS] = {[WS_LEAST_ENERGY] = {"least energy", 1, 0},
                                                               [WS_LEAST_EDP] = {"least energy x time", 1, 1},
                                                               [WS_LEAST_ED2P] = {"least energy x time^2", 1, 2},
                                                               [WS_IN_TIME] = {"fewest in time at the risk", 0, 0},
                                                               [WS_IN_BUDGET] = {"most within the energy", 0, 0}};

static size_t answer_of(const ws_optimum *o, size_t q)
{
    const size_t answers[WS_GPUS_QUESTIONS] = {[WS_LEAST_ENERGY] = o->least_energy,
                                               [WS_LEAST_EDP] = o->least_edp,
                                               [WS_LEAST_ED2P] = o->least_ed2p,
                                               [WS_IN_TIME] = o->fewest_in_time,
                                               [WS_IN_BUDGET] = o->most_in_budget};
    return answers[q];
}

ws_status ws_advice_curve_answers(const ws_advice *a, const ws_advice_curve *c, size_t answers[WS_GPUS_QUESTIONS],
                                  ws_error *error)
{
    ws_optimum best, safe;
    ws_status status = ask(a, c, c->time_h, &best, error);
    if (status == WS_OK)
        status = ask(a, c, c->upper_h, &safe, error);
    for (size_t q = 0; status == WS_OK && q < WS_GPUS_QUESTIONS; q++)
        answers[q] = answer_of(q == WS_IN_TIME ? &safe : &best, q);
    return status;
}

static int compare_sizes(const void *a, const void *b)
{
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

/* Times or powers as another campaign might have had them: the law, residual errors of a size that is drawn as well. */
static void draw_values(ws_random *random, const ws_advice_model *m, const ws_fit *fit, double *to)
{
    double chi2 = 0;
    for (size_t i = 0; i < (size_t)fit->df; i++)
        chi2 += pow(ws_random_normal(random), 2);
    double sd = fit->sigma * sqrt(fit->df / chi2);
    ws_law_curve law = ws_law_curve_of(fit);
    for (size_t i = 0; i < m->n; i++)
        to[i] = ws_law_curve_at(&law, log(m->gpus[i])) * exp(sd * ws_random_normal(random));
}

/* The 2.5 and 97.5 % points (by --level) of each answer over campaigns drawn from the model; an answer of none counts
 * as beyond the end that was tried, or below its begin for a budget. */
static ws_status find_ranges(const ws_advice *a, const ws_advice_model *m, const ws_advice_curve *c,
                             double ranges[WS_GPUS_QUESTIONS][2], ws_error *error)
{
    ws_random random = {1};
    ws_advice_curve drawn = *c;
    double *room = ws_alloc((2 * c->n + 2 * m->n + 1) * sizeof *room), *time = room + 2 * c->n, *power = time + m->n;
    size_t *answers = ws_alloc(WS_GPUS_QUESTIONS * DRAWS * sizeof *answers), n = 0;
    ws_status status = WS_OK;
    drawn.time_h = room;
    drawn.energy_kwh = room + c->n;
    for (size_t d = 0; d < DRAWS && status == WS_OK; d++) {
        ws_fit of_time, of_power = m->power;
        ws_optimum best;
        draw_values(&random, m, &m->time, time);
        status = ws_advise_refit(m, time, a->level, &of_time, error);
        if (status == WS_OK && m->has_power && m->power.status == WS_FIT_OK) {
            draw_values(&random, m, &m->power, power);
            status = ws_fit_powerlaw(m->gpus, power, m->n, a->level, &of_power, NULL, error);
        }
        if (status != WS_OK || of_time.status != WS_FIT_OK || of_power.status == WS_FIT_TOO_FEW)
            continue;
        draw_curve(a, m, &of_time, &of_power, &drawn);
        status = ask(a, &drawn, drawn.time_h, &best, error);
        for (size_t q = 0; q < WS_GPUS_QUESTIONS; q++) {
            size_t found = answer_of(&best, q);
            answers[q * DRAWS + n] = !found && q == WS_IN_TIME ? c->n * c->step : found;
        }
        n += status == WS_OK;
    }
    for (size_t q = 0; q < WS_GPUS_QUESTIONS; q++) {
        qsort(answers + q * DRAWS, n, sizeof *answers, compare_sizes);
        double tail = (1 - a->level) / 2;
        ranges[q][0] = n ? (double)answers[q * DRAWS + (size_t)(tail * (double)(n - 1))] : NAN;
        ranges[q][1] = n ? (double)answers[q * DRAWS + (size_t)ceil((1 - tail) * (double)(n - 1))] : NAN;
    }
    free(answers);
    free(room);
    return status;
}

/* The laws whose answers the ranges hold besides, where the means do not refute them: of a few counts one law of time
 * is rarely told from another, and Amdahl's law, which has the fewest parameters, is too sure of its own optimum. One
 * that fits worse by an AIC of more than 10 has next to no support (Burnham and Anderson 2002, section 2.6). */
static const char *const weighed[] = {"floor", "usl"};
_Static_assert(sizeof weighed / sizeof *weighed == WS_LAWS_WEIGHED, "a name for each");
static const double SUPPORTED_AIC = 10;

static bool has_support(const ws_advice_model *m, const ws_fit *other)
{
    double n = (double)m->n, more = m->time.df - other->df; /* parameters */
    return n * log(other->rss / m->time.rss) + 2 * more <= SUPPORTED_AIC;
}

ws_status ws_advice_curve_ranges(const ws_advice *a, const ws_choice_points *p, const ws_advice_model *m,
                                 const ws_advice_curve *c, double ranges[WS_GPUS_QUESTIONS][2],
                                 const char *also[WS_LAWS_WEIGHED], ws_error *error)
{
    ws_status status = find_ranges(a, m, c, ranges, error);
    size_t n = 0;
    for (size_t i = 0; i < WS_LAWS_WEIGHED && status == WS_OK; i++) {
        ws_advice_model other;
        double by_other[WS_GPUS_QUESTIONS][2];
        const ws_advice_law *law = ws_advice_law_find(weighed[i]);
        bool usable = law != m->law;
        if (usable)
            status = ws_advise_fit_other(a, p, law, m, &other, &usable, error);
        if (status != WS_OK || !usable || !has_support(m, &other.time))
            continue;
        status = find_ranges(a, &other, c, by_other, error);
        for (size_t q = 0; q < WS_GPUS_QUESTIONS; q++) {
            ranges[q][0] = fmin(ranges[q][0], by_other[q][0]);
            ranges[q][1] = fmax(ranges[q][1], by_other[q][1]);
        }
        also[n++] = weighed[i];
    }
    return status;
}
