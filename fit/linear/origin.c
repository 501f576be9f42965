/* y = slope x, a line through the origin, and the other figures that are called "y per x".
 *
 *     slope           sum xy / sum x^2     least squares, the same error at every x      weight 1
 *     ratio-of-sums   sum y / sum x        least squares, variance growing with x        weight 1/x
 *     mean-of-ratios  mean of y/x          least squares, error in proportion to x       weight 1/x^2
 *     slope-with-intercept, intercept      ordinary least squares: y per further x
 *
 * The three are one weighted fit and each has its own standard error with n - 1 degrees of freedom; that of the mean of
 * ratios is their sd / sqrt(n). Those of the others hold for the errors of their weights alone; unequal.c has errors
 * that hold for one size and for errors in proportion to y. R2 is about zero, 1 - rss / sum y^2, and cannot be compared
 * with that of a line. Eisenhauer 2003, Teaching Statistics 25; Cochran 1977, Sampling Techniques, chapter 6. */
#include "fit/linear/least_squares.h"
#include "fit/linear/unequal.h"

#include "core/arena.h"

#include <math.h>
#include <string.h>
#include <stdlib.h>

static bool all_positive(const double *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!(x[i] > 0))
            return false;
    return true;
}

/* A fit with weights x^-power: x and y times the root of the weight. */
static ws_status add_ratio(ws_fit *fit, const char *name, int power, const double *x, const double *y, double level,
                           ws_error *error)
{
    double *scaled = ws_realloc(NULL, 2 * fit->n, sizeof *scaled);
    for (size_t i = 0; i < fit->n; i++) {
        double root = power == 1 ? sqrt(x[i]) : x[i];
        scaled[i] = power == 1 ? root : 1;
        scaled[fit->n + i] = y[i] / root;
    }
    const double *const column[] = {scaled};
    const ws_ls_input in = {.column = column, .name = &name, .p = 1, .y = scaled + fit->n, .n = fit->n, .level = level};
    ws_fit ratio;
    ws_fit_begin(&ratio, name, "about zero", fit->n);
    ws_status status = ws_ls_fit(&in, &ratio, NULL, error);
    free(scaled);
    if (status == WS_OK)
        fit->estimate[fit->n_estimates++] = ratio.estimate[0];
    return status;
}

static ws_status add_sisters(ws_fit *fit, const double *x, const double *y, bool unequal,
                             const ws_replication *replication, double level, ws_error *error)
{
    ws_status status = WS_OK;
    if (all_positive(x, fit->n)) {
        status = add_ratio(fit, "ratio-of-sums", 1, x, y, level, error);
        if (status == WS_OK)
            status = add_ratio(fit, "mean-of-ratios", 2, x, y, level, error);
    } else {
        ws_fit_add(fit, "ratio-of-sums", NAN, NAN);
        ws_fit_add(fit, "mean-of-ratios", NAN, NAN);
    }
    ws_fit line;
    if (status == WS_OK)
        status = unequal ? ws_fit_line_of_means(x, y, fit->n, replication, level, &line, NULL, error)
                         : ws_fit_line(x, y, fit->n, level, &line, NULL, error);
    if (status != WS_OK)
        return status;
    fit->estimate[fit->n_estimates] = line.estimate[1];
    fit->estimate[fit->n_estimates++].name = "slope-with-intercept";
    fit->estimate[fit->n_estimates++] = line.estimate[0];
    return WS_OK;
}

static void say_undefined(ws_fit *fit)
{
    static const char *const names[] = {"slope", "ratio-of-sums", "mean-of-ratios", "slope-with-intercept",
                                        "intercept"};
    fit->n_estimates = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        ws_fit_add(fit, names[i], NAN, NAN);
    if (fit->status != WS_FIT_COLLINEAR)
        return;
    fit->status = WS_FIT_CONSTANT;
    fit->sentence[0] = '\0';
    ws_say(fit->sentence, sizeof fit->sentence, "x is 0 in all %zu points, so there is no slope", fit->n);
}

void ws_ratio_range(const double *x, const double *y, size_t n, double *least, double *most)
{
    *least = n ? INFINITY : NAN;
    *most = n ? -INFINITY : NAN;
    for (size_t i = 0; i < n; i++) {
        if (!(x[i] > 0)) {
            *least = *most = NAN;
            return;
        }
        *least = fmin(*least, y[i] / x[i]);
        *most = fmax(*most, y[i] / x[i]);
    }
}

bool ws_origin_needs_intercept(const ws_fit *fit, double level)
{
    const ws_estimate *intercept = ws_fit_estimate(fit, "intercept");
    return fit->status == WS_FIT_OK && intercept && intercept->p_value < 1 - level;
}

/* One factor for all, if there is one: the mean of ratios, whose interval holds however errors grow with x. */
static void say_factor(ws_fit *fit, const double *x, const double *y, double level)
{
    const ws_estimate *ratios = &fit->estimate[2], *intercept = &fit->estimate[4];
    char *text = fit->sentence;
    size_t size = sizeof fit->sentence;
    double least, most;
    ws_ratio_range(x, y, fit->n, &least, &most);
    if (isnan(least)) {
        ws_say(text, size, "ratios y/x are undefined, since not every x is above zero");
        return;
    }
    ws_words from = ws_words_digits(least, 3), to = ws_words_digits(most, 3);
    bool differ = strcmp(from.text, to.text) != 0; /* as far as anybody reads them */
    if (ws_origin_needs_intercept(fit, level) && differ)
        ws_say(text, size, "no single factor: %s to %s, since a line needs an intercept (%s); ", from.text, to.text,
               ws_words_p(intercept->p_value).text);
    ws_say(text, size, "y per x %s (mean of ratios", ws_ls_words(fit, ratios).text);
    if (fit->status == WS_FIT_OK && !isnan(ratios->ci_lo))
        ws_say(text, size, "; %s: %s to %s", ws_words_level(level).text,
               ws_words_to_error(ratios->ci_lo, ratios->se).text, ws_words_to_error(ratios->ci_hi, ratios->se).text);
    ws_say(text, size, "; single ratios %s to %s)", from.text, to.text);
}

static void say_origin(ws_fit *fit, const double *x, const double *y, double level)
{
    const ws_estimate *slope = &fit->estimate[0], *sums = slope + 1, *steep = slope + 3, *intercept = slope + 4;
    char *text = fit->sentence;
    size_t size = sizeof fit->sentence;
    if (fit->status == WS_FIT_CONSTANT) {
        ws_say(text, size, "y is 0 in all %zu points: the slope is 0, R2 and likelihood are undefined", fit->n);
        return;
    }
    say_factor(fit, x, y, level);
    ws_say(text, size, "; slope through the origin %s", ws_ls_words(fit, slope).text);
    if (!isnan(sums->value))
        ws_say(text, size, ", ratio of sums %s", ws_ls_words(fit, sums).text);
    if (isnan(steep->value))
        ws_say(text, size, "; a line with intercept is undefined, since x does not vary");
    else if (fit->status == WS_FIT_OK && isnan(steep->se))
        ws_say(text, size, "; a line with intercept meets both points: its standard errors are undefined");
    else if (fit->status == WS_FIT_OK && !isnan(intercept->p_value))
        ws_say(text, size, "; with an intercept (%s, %s) the slope is %s",
               intercept->p_value < 1 - level ? "needed" : "not needed", ws_words_p(intercept->p_value).text,
               ws_words_to_error(steep->value, steep->se).text);
    ws_ls_say_quality(fit, "x", " about zero");
}

void ws_fit_origin_allow_factor(const double *x, const double *y, double relative, double level, ws_fit *fit)
{
    for (size_t i = 0; i < fit->n_estimates; i++)
        ws_estimate_allow_factor(&fit->estimate[i], relative, level);
    if (!ws_ls_has_values(fit) || fit->n_estimates < 5)
        return;
    if (relative > 0) /* ratios that differ by less are no evidence against one factor */
        fit->estimate[4].p_value = NAN;
    fit->sentence[0] = '\0';
    say_origin(fit, x, y, level);
}

static ws_status fit_origin_of(const double *x, const double *y, size_t n, bool unequal,
                               const ws_replication *replication, double level, ws_fit *fit, double *residual,
                               ws_error *error)
{
    const double *const column[] = {x};
    const char *const name[] = {"slope"};
    const ws_ls_input in = {.column = column, .name = name, .p = 1, .y = y, .n = n, .level = level};
    ws_fit_begin(fit, "origin", "about zero", n);
    ws_status status = ws_fit_check(x, y, n, level, error);
    if (status == WS_OK)
        status = ws_ls_fit(&in, fit, residual, error);
    if (status == WS_OK && ws_ls_has_values(fit)) {
        status = add_sisters(fit, x, y, unequal, replication, level, error);
        if (status == WS_OK && unequal)
            ws_origin_allow_proportion(x, y, n, replication, level, fit);
        if (status == WS_OK)
            say_origin(fit, x, y, level);
    } else if (status == WS_OK) {
        say_undefined(fit);
    }
    return status;
}

ws_status ws_fit_origin(const double *x, const double *y, size_t n, double level, ws_fit *fit, double *residual,
                        ws_error *error)
{
    return fit_origin_of(x, y, n, false, NULL, level, fit, residual, error);
}

ws_status ws_fit_origin_unequal(const double *x, const double *y, size_t n, double level, ws_fit *fit, double *residual,
                                ws_error *error)
{
    return fit_origin_of(x, y, n, true, NULL, level, fit, residual, error);
}

ws_status ws_fit_origin_of_means(const double *x, const double *y, size_t n, const ws_replication *replication,
                                 double level, ws_fit *fit, double *residual, ws_error *error)
{
    return fit_origin_of(x, y, n, true, replication, level, fit, residual, error);
}
