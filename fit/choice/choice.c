/* Choice among models by information criteria and by leaving points out.
 *
 *     AICc = AIC + 2k(k+1)/(n-k-1), k counts the error variance;  weight_i = exp(-delta_i / 2) / sum exp(-delta / 2)
 *
 * A weight is the share of evidence for a model being the nearest of those compared, no probability that it is true.
 * Likelihoods are comparable on one scale of y only: a density of ln y becomes one of y by the factor 1/y, ln of which
 * is the -sum ln y added to fits in logs. Burnham and Anderson 2002, Model Selection and Multimodel Inference, chapter
 * 2. */
#include "fit/choice/choice.h"

#include "fit/estimate.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

static bool is_in_logs(const ws_fit *fit)
{
    return ws_span_has_suffix(ws_span_of(fit->r2_kind), "in logs");
}

static bool is_perfect(const ws_fit *fit)
{
    return fit->status == WS_FIT_PERFECT && !ws_fit_is_saturated(fit);
}

/* A likelihood without bound has no place among others. */
static bool any_is_perfect(const ws_fit *const *fits, size_t n_fits)
{
    for (size_t i = 0; i < n_fits; i++)
        if (is_perfect(fits[i]))
            return true;
    return false;
}

/* Set reason where the fit cannot be compared; otherwise its criteria, `shift` being -2 (-sum ln y). */
static void choice_judge(ws_candidate *c, size_t n, bool has_shift, double shift, bool beside_perfect)
{
    const ws_fit *fit = c->fit;
    char *text = c->reason;
    size_t size = sizeof c->reason;
    if (fit->n != n)
        ws_say(text, size, "it was fitted to %zu of the %zu points", fit->n, n);
    else if (ws_fit_is_saturated(fit))
        ws_say(text, size,
               "as many coefficients as values of x (%zu): a curve through the mean of each, whatever they are",
               fit->n_x);
    else if (fit->status != WS_FIT_OK)
        ws_fit_say_refusal(fit, text, size);
    else if (beside_perfect)
        ws_say(text, size, "another model meets all points within rounding");
    else if (isnan(fit->aicc))
        ws_say(text, size, "%zu points are too few for its AICc", n);
    else if (is_in_logs(fit) && !has_shift)
        ws_say(text, size, "it is in logs, others are not, and the points to convert it were not given");
    if (text[0])
        return;
    c->is_compared = true;
    c->aicc = fit->aicc + (is_in_logs(fit) ? shift : 0);
    c->bic = fit->bic + (is_in_logs(fit) ? shift : 0);
}

static void set_weights(ws_choice *choice)
{
    double best = choice->candidate[choice->best].aicc, sum = 0;
    for (size_t i = 0; i < choice->n_candidates; i++) {
        ws_candidate *c = &choice->candidate[i];
        if (!c->is_compared)
            continue;
        c->delta = c->aicc - best;
        c->weight = exp(-c->delta / 2);
        c->evidence = isfinite(exp(c->delta / 2)) ? exp(c->delta / 2) : NAN;
        sum += c->weight;
    }
    for (size_t i = 0; i < choice->n_candidates; i++)
        choice->candidate[i].weight /= sum;
}

static size_t least(const ws_choice *choice, size_t offset)
{
    size_t best = SIZE_MAX;
    double lowest = INFINITY;
    for (size_t i = 0; i < choice->n_candidates; i++) {
        const ws_candidate *c = &choice->candidate[i];
        double value = c->is_compared ? *(const double *)((const char *)c + offset) : NAN;
        if (value < lowest) {
            lowest = value;
            best = i;
        }
    }
    return best;
}

/* "LEAD floor and usl (5 points are too few for its AICc), amdahl (...)". */
static void say_left_out(const ws_choice *choice, const char *lead, char *text, size_t size)
{
    for (size_t i = 0; i < choice->n_candidates; i++) {
        const char *reason = choice->candidate[i].reason;
        size_t before = 0, left = 0;
        for (size_t j = 0; j < choice->n_candidates; j++) {
            bool same = reason[0] && strcmp(choice->candidate[j].reason, reason) == 0;
            before += same && j < i;
            left += same && j > i;
        }
        if (!reason[0] || before)
            continue;
        ws_say(text, size, "%s %s", lead, choice->candidate[i].fit->model);
        lead = ",";
        for (size_t j = i + 1; left; j++)
            if (strcmp(choice->candidate[j].reason, reason) == 0)
                ws_say(text, size, "%s%s", --left ? ", " : " and ", choice->candidate[j].fit->model);
        ws_say(text, size, " (%s)", reason);
    }
}

/* Of models that meet all points, the one with the fewest coefficients. */
static void say_perfect(const ws_choice *choice, char *text, size_t size)
{
    const ws_fit *simplest = NULL;
    for (size_t i = 0; i < choice->n_candidates; i++) {
        const ws_fit *fit = choice->candidate[i].fit;
        if (is_perfect(fit) && (!simplest || fit->df > simplest->df))
            simplest = fit;
    }
    ws_say(text, size, "%s meets all points within rounding, and no model with fewer coefficients does",
           simplest->model);
}

static const ws_candidate *second_best(const ws_choice *choice)
{
    const ws_candidate *second = NULL;
    for (size_t i = 0; i < choice->n_candidates; i++) {
        const ws_candidate *c = &choice->candidate[i];
        if (i != choice->best && c->is_compared && (!second || c->delta < second->delta))
            second = c;
    }
    return second;
}

/* What no time or energy does: the law fits best as a shape, and its parameters are no answer. */
static void say_impossible(const ws_fit *best, char *text, size_t size)
{
    const ws_estimate *floor_of = ws_fit_estimate(best, "floor"), *s = ws_fit_estimate(best, "serial-fraction");
    if (floor_of && floor_of->value < 0)
        ws_say(text, size, "; its floor is below zero, which no time or energy has: y bends the other way%s",
               floor_of->ci_hi < 0 ? " from a power law than above a floor"
                                   : ", or not at all, since the floor may be zero");
    if (strcmp(best->model, "amdahl") == 0 && s && (s->value < 0 || s->value > 1))
        ws_say(text, size, "; its serial fraction is %s",
               s->value < 0 ? "below zero: faster than linear" : "above 1: y grows with x");
}

static void say_choice(ws_choice *choice, bool has_perfect)
{
    char *text = choice->sentence;
    size_t size = sizeof choice->sentence;
    const ws_candidate *second = second_best(choice);
    const char *best = choice->n_compared ? choice->candidate[choice->best].fit->model : NULL;
    if (has_perfect)
        say_perfect(choice, text, size);
    else if (!best)
        ws_say(text, size, "none of the models can be compared");
    else if (!second)
        ws_say(text, size, "%s alone can be compared, which makes it no better than the others", best);
    else
        ws_say(text, size, "%s fits best (Akaike weight %s among %zu laws); next %s, AICc %s higher%s", best,
               ws_words_digits(choice->candidate[choice->best].weight, 2).text, choice->n_compared, second->fit->model,
               ws_words_digits(second->delta, 2).text, second->delta < 2 ? ", which is as good" : "");
    if (best && !has_perfect)
        say_impossible(choice->candidate[choice->best].fit, text, size);
    if (second && choice->best_by_loocv != SIZE_MAX && choice->best_by_loocv != choice->best &&
        !isnan(choice->candidate[choice->best].loocv_rmse))
        ws_say(text, size, "; leaving points out prefers %s", choice->candidate[choice->best_by_loocv].fit->model);
    say_left_out(choice, has_perfect || best ? "; not compared:" : ":", text, size);
}

ws_status ws_choose(const ws_fit *const *fits, size_t n_fits, const double *y, size_t n, ws_choice *choice,
                    ws_error *error)
{
    memset(choice, 0, sizeof *choice);
    choice->best = choice->best_by_bic = choice->best_by_loocv = SIZE_MAX;
    if (n_fits < 1 || n_fits > WS_CHOICE_MAX)
        return ws_fail(error, WS_USAGE, "a choice is among 1 to %d models, not %zu", WS_CHOICE_MAX, n_fits);
    ws_status status = y ? ws_fit_check_finite("y", y, n, error) : WS_OK;
    if (status != WS_OK)
        return status;
    long double logs = 0;
    bool one_scale = true;
    for (size_t i = 0; y && i < n; i++)
        logs += logl(y[i]);
    for (size_t i = 1; i < n_fits; i++)
        one_scale = one_scale && is_in_logs(fits[i]) == is_in_logs(fits[0]);
    bool has_shift = one_scale || (y && isfinite((double)logs)), has_perfect = any_is_perfect(fits, n_fits);
    size_t left_out = 0;
    choice->n_candidates = n_fits;
    for (size_t i = 0; i < n_fits; i++) {
        ws_candidate *c = &choice->candidate[i];
        *c = (ws_candidate){.fit = fits[i], .aicc = NAN, .bic = NAN, .delta = NAN, .weight = NAN, .evidence = NAN};
        choice_judge(c, n, has_shift, one_scale ? 0 : 2 * (double)logs, has_perfect);
        c->loocv_rmse = is_in_logs(fits[i]) == is_in_logs(fits[0]) ? sqrt(fits[i]->loocv) : NAN;
        choice->n_compared += c->is_compared;
        left_out += c->is_compared && !isnan(c->loocv_rmse);
    }
    choice->best = least(choice, offsetof(ws_candidate, aicc));
    choice->best_by_bic = least(choice, offsetof(ws_candidate, bic));
    if (left_out > 1)
        choice->best_by_loocv = least(choice, offsetof(ws_candidate, loocv_rmse));
    if (choice->best != SIZE_MAX)
        set_weights(choice);
    say_choice(choice, has_perfect);
    return WS_OK;
}

void ws_nested_f(const ws_fit *smaller, const ws_fit *larger, ws_test *test)
{
    ws_test_begin(test, "nested F");
    char *text = test->sentence;
    size_t size = sizeof test->sentence;
    if (smaller->n != larger->n || is_in_logs(smaller) != is_in_logs(larger) || !(smaller->df > larger->df)) {
        ws_say(text, size, "%s and %s are not nested fits of the same points", smaller->model, larger->model);
        return;
    }
    if (larger->status != WS_FIT_OK) {
        test->status = larger->status;
        ws_say(text, size, "%s has no residuals to test with: ", larger->model);
        ws_fit_say_refusal(larger, text, size);
        return;
    }
    test->df1 = smaller->df - larger->df;
    test->df2 = larger->df;
    double f = fmax(0, (smaller->rss - larger->rss) / test->df1 / (larger->rss / test->df2));
    if (!ws_test_set(test, f, ws_f_upper(f, test->df1, test->df2)))
        return;
    ws_say(text, size, "%s %s its further parameters over %s (F %s, %s)", larger->model,
           test->p_value < 0.05 ? "earns" : "does not earn", smaller->model, ws_words_digits(test->statistic, 3).text,
           ws_words_p(test->p_value).text);
}
