/* Least squares with heteroscedasticity-consistent standard errors.
 *
 *     V(b) = B diag(g_i e_i^2) B',  b = B y;  HC0: g = 1, HC1: n / (n - p), HC2: 1 / (1 - h_i), HC3: 1 / (1 - h_i)^2
 *
 * The estimates are those of ordinary least squares; errors need be independent only, not of one variance. Below some
 * 250 points HC0 and HC1 are too small and HC3 is the one to take; below 20 all of them are rough, and the sentence
 * says so. White 1980; MacKinnon and White 1985; Long and Ervin 2000, American Statistician 54. */
#include "fit/linear/weighted.h"

#include "core/arena.h"
#include "fit/linear/least_squares.h"

#include <math.h>
#include <stdlib.h>

enum { MAX = WS_FIT_MAX_ESTIMATES, ROUGH_BELOW = 20 };

const char *ws_hc_name(ws_hc kind)
{
    static const char *const names[] = {"HC0", "HC1", "HC2", "HC3"};
    return (size_t)kind < sizeof names / sizeof *names ? names[kind] : "unknown";
}

/* Of a squared residual; NaN where a point of leverage 1 leaves none. */
static double factor(ws_hc kind, double leverage, double n, double df)
{
    double rest = 1 - leverage;
    if (kind == WS_HC0 || kind == WS_HC1)
        return kind == WS_HC0 ? 1 : n / df;
    if (rest < 1e-12)
        return NAN;
    return kind == WS_HC2 ? 1 / rest : 1 / (rest * rest);
}

static void replace_errors(ws_fit *fit, ws_hc kind, const ws_ls_detail *detail, const double *residual, double level)
{
    double n = (double)fit->n;
    for (size_t j = 0; j < fit->n_estimates; j++) {
        long double sum = 0;
        for (size_t i = 0; i < fit->n; i++) {
            long double term = (long double)detail->share[j * fit->n + i] * residual[i];
            sum += term * term * factor(kind, detail->leverage[i], n, fit->df);
        }
        fit->estimate[j].se = (double)sqrtl(sum);
        ws_estimate_infer(&fit->estimate[j], fit->df, level);
    }
}

static void say_sandwich(ws_fit *fit, ws_hc kind, const double *leverage)
{
    fit->sentence[0] = '\0';
    char *text = fit->sentence;
    size_t size = sizeof fit->sentence;
    for (size_t j = 0; j < fit->n_estimates; j++)
        ws_say(text, size, "%s%s %s", j ? ", " : "", fit->estimate[j].name,
               ws_words_with_error(fit->estimate[j].value, fit->estimate[j].se).text);
    ws_say(text, size, " (%s)", ws_hc_name(kind));
    for (size_t i = 0; i < fit->n && isnan(fit->estimate[0].se); i++)
        if (isnan(factor(kind, leverage[i], 1, 1))) {
            ws_say(text, size, "; point %zu alone settles a coefficient, so %s is undefined: use HC1", i + 1,
                   ws_hc_name(kind));
            break;
        }
    ws_ls_say_quality(fit, "the predictors", "");
    if (fit->n < ROUGH_BELOW)
        ws_say(text, size, "; below %d points such intervals are rough", ROUGH_BELOW);
}

ws_status ws_fit_sandwich(const double *const *columns, const char *const *names, size_t k, const double *y, size_t n,
                          ws_hc kind, double level, ws_fit *fit, double *residual, ws_error *error)
{
    const double *column[MAX] = {NULL};
    const char *name[MAX] = {"intercept"};
    double *work = ws_realloc(NULL, (MAX + 2) * n + 1, sizeof *work), *rest = work + MAX * n;
    ws_status status = ws_fit_regression(columns, names, k, y, n, level, fit, rest, error);
    if (status == WS_OK && fit->status == WS_FIT_OK) {
        for (size_t j = 0; j < k; j++) {
            column[j + 1] = columns[j];
            name[j + 1] = names[j];
        }
        const ws_ls_input in = {.column = column, .name = name, .p = k + 1, .y = y, .n = n, .level = level};
        ws_ls_detail detail = {.leverage = rest + n, .share = work};
        ws_fit again;
        ws_fit_begin(&again, "sandwich", "centred", n);
        status = ws_ls_fit_detail(&in, &again, rest, &detail, error);
        fit->model = "sandwich";
        replace_errors(fit, kind, &detail, rest, level);
        say_sandwich(fit, kind, detail.leverage);
        if (status == WS_OK)
            status = ws_fit_check_range(fit, error);
    }
    for (size_t i = 0; residual && status == WS_OK && i < n; i++)
        residual[i] = rest[i];
    free(work);
    return status;
}
