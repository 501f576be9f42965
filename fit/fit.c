#include "fit/estimate.h"

#include <math.h>
#include <string.h>

const char *ws_fit_status_name(ws_fit_status status)
{
    static const char *const names[] = {"ok",      "exact",        "perfect",       "collinear",     "constant",
                                        "too-few", "not-positive", "not-converged", "not-identified"};
    return (size_t)status < sizeof names / sizeof *names ? names[status] : "unknown";
}

const ws_estimate *ws_fit_estimate(const ws_fit *fit, const char *name)
{
    for (size_t i = 0; i < fit->n_estimates; i++)
        if (strcmp(fit->estimate[i].name, name) == 0)
            return &fit->estimate[i];
    return NULL;
}

void ws_fit_begin(ws_fit *fit, const char *model, const char *r2_kind, size_t n)
{
    memset(fit, 0, sizeof *fit);
    fit->model = model;
    fit->status = WS_FIT_TOO_FEW;
    fit->n = n;
    fit->r2_kind = r2_kind;
    fit->df = fit->rss = fit->sigma = fit->r2 = NAN;
    fit->log_likelihood = fit->aic = fit->aicc = fit->bic = fit->loocv = NAN;
}

ws_status ws_fit_check_level(double level, ws_error *error)
{
    if (level > 0 && level < 1)
        return WS_OK;
    return ws_fail(error, WS_USAGE, "a level of %s does not lie between 0 and 1; 0.95 asks for 95 %% intervals",
                   ws_words_number(level).text);
}

ws_status ws_fit_check_finite(const char *name, const double *value, size_t n, ws_error *error)
{
    for (size_t i = 0; i < n; i++)
        if (!isfinite(value[i]))
            return ws_fail(error, WS_DATA, "%s of point %zu is not a finite number; leave the point out", name, i + 1);
    return WS_OK;
}

ws_status ws_fit_check(const double *x, const double *y, size_t n, double level, ws_error *error)
{
    ws_status status = ws_fit_check_level(level, error);
    if (status == WS_OK)
        status = ws_fit_check_finite("x", x, n, error);
    if (status == WS_OK)
        status = ws_fit_check_finite("y", y, n, error);
    return status;
}

ws_status ws_fit_check_range(const ws_fit *fit, ws_error *error)
{
    bool finite = isfinite(fit->rss);
    for (size_t j = 0; j < fit->n_estimates; j++)
        finite = finite && isfinite(fit->estimate[j].value) && !isinf(fit->estimate[j].se);
    if (finite)
        return WS_OK;
    return ws_fail(error, WS_DATA, "the values are too large or too small for a fit; express them in another unit");
}

bool ws_fit_is_saturated(const ws_fit *fit)
{
    return fit->n_x > 0 && fit->n_x < fit->n && (double)fit->n_x <= (double)fit->n - fit->df;
}

void ws_fit_say_refusal(const ws_fit *fit, char *text, size_t size)
{
    if (fit->status == WS_FIT_EXACT)
        ws_say(text, size, "%zu point%s, as many as coefficients", fit->n, fit->n == 1 ? "" : "s");
    else if (fit->status == WS_FIT_PERFECT)
        ws_say(text, size, "all %zu points are met within rounding", fit->n);
    else
        ws_say(text, size, "%s", fit->sentence);
}

ws_words ws_fit_words_points(const ws_fit *fit, const char *of)
{
    ws_words words = {""};
    ws_say(words.text, sizeof words.text, "%zu point%s", fit->n, fit->n == 1 ? "" : "s");
    if (fit->n_x > 0 && fit->n_x < fit->n)
        ws_say(words.text, sizeof words.text, " at %s", ws_words_values(fit->n_x, of).text);
    return words;
}

void ws_fit_say_points(ws_fit *fit, const char *of)
{
    ws_say(fit->sentence, sizeof fit->sentence, "; %s%s", ws_fit_words_points(fit, of).text,
           ws_fit_is_saturated(fit) ? " (too few to show whether the law holds)" : "");
}

/* Names the points, since the user has to take them out or mend them. */
bool ws_fit_refuse_logs(const double *x, const double *y, const char *what, ws_fit *fit)
{
    enum { NAMED = 8 };
    size_t found = 0;
    char list[200] = "";
    for (size_t i = 0; i < fit->n; i++) {
        if (x[i] > 0 && (!y || y[i] > 0))
            continue;
        if (found < NAMED)
            ws_say(list, sizeof list, "%s%zu", found ? ", " : "", i + 1);
        else if (found == NAMED)
            ws_say(list, sizeof list, ", ...");
        found++;
    }
    if (!found)
        return false;
    fit->status = WS_FIT_NOT_POSITIVE;
    ws_say(fit->sentence, sizeof fit->sentence,
           "%zu of %zu points have an x%s that is not above zero and no logarithm (point%s %s); leave them out to "
           "fit %s",
           found, fit->n, y ? " or y" : "", found == 1 ? "" : "s", list, what);
    return true;
}
