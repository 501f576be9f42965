/* Amdahl's law: y = T1 (s + (1 - s) / x), a serial fraction s that x devices do not speed up.
 *
 * Linear in 1/x, so the start is the minimum itself where y is fitted. max-speedup = 1 / s, standard error se(s) / s^2,
 * interval 1 / (ends of the interval of s). s below zero means a speed-up beyond linear: reported, not cut. Karp-Flatt:
 * s_x = (1/S - 1/x) / (1 - 1/x) from a single speed-up S. Amdahl 1967; Karp and Flatt 1990, CACM 33. */
#include "fit/laws/law.h"

#include "core/arena.h"
#include "fit/estimate.h"

#include <math.h>
#include <stdlib.h>

static double value(double x, const double *b, double *gradient)
{
    double shape = b[1] + (1 - b[1]) / x;
    gradient[0] = shape;
    gradient[1] = b[0] * (1 - 1 / x);
    return b[0] * shape;
}

static size_t amdahl_starts(const double *x, const double *y, size_t n, double *start)
{
    double *inverse = ws_realloc(NULL, n, sizeof *inverse), b[2];
    const double *const column[] = {NULL, inverse};
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        inverse[i] = 1 / x[i];
    if (ws_law_start(column, 2, y, n, b) && b[0] + b[1] != 0) {
        start[0] = b[0] + b[1];
        start[1] = b[0] / start[0];
        count++;
    }
    free(inverse);
    static const double fractions[] = {0.001, 0.1};
    for (size_t k = 0; k < 2; k++, count++) {
        start[2 * count] = y[0] / (fractions[k] + (1 - fractions[k]) / x[0]);
        start[2 * count + 1] = fractions[k];
    }
    return count;
}

static void add_limit(ws_fit *fit, const ws_nls_detail *detail, double level)
{
    const ws_estimate s = fit->estimate[1];
    bool exists = s.value > 0 && isfinite(1 / s.value) && isfinite(1 / (s.value * s.value));
    const double gradient[] = {0, exists ? -1 / (s.value * s.value) : NAN};
    ws_estimate *limit = ws_law_add(fit, "max-speedup", exists ? 1 / s.value : NAN, gradient, 2, detail, level);
    limit->null_value = 1;
    limit->p_value = NAN;
    limit->ci_lo = exists && s.ci_hi > 0 ? 1 / s.ci_hi : NAN;
    limit->ci_hi = exists && s.ci_lo > 0 && isfinite(1 / s.ci_lo) ? 1 / s.ci_lo : NAN;
    char *text = fit->sentence;
    size_t size = sizeof fit->sentence;
    if (!exists)
        ws_say(text, size, "; the serial fraction is not above zero%s: the largest speed-up is undefined",
               s.ci_hi < 0 ? ", faster than linear" : "");
    else if (isnan(limit->ci_hi) && fit->status == WS_FIT_OK)
        ws_say(text, size, "; largest speed-up %s, its upper limit undefined since the serial fraction may be zero",
               ws_words_to_error(limit->value, limit->se).text);
    else if (fit->status == WS_FIT_OK)
        ws_say(text, size, "; largest speed-up %s (%s: %s to %s)", ws_words_to_error(limit->value, limit->se).text,
               ws_words_level(level).text, ws_words_to_error(limit->ci_lo, limit->se).text,
               ws_words_to_error(limit->ci_hi, limit->se).text);
    if (fit->estimate[0].value * (1 - s.value) < 0)
        ws_say(text, size, "; y rises with x by this fit: is y a time?");
}

/* y = even[0] + even[1] / x: a y that grows with x may have no time at 1, and s goes to infinity. */
static double even_value(double x, const double *even, double *gradient)
{
    gradient[0] = 1;
    gradient[1] = 1 / x;
    return even[0] + even[1] / x;
}

static void even_parameters(double middle, const double *b, double *even)
{
    (void)middle;
    even[0] = b[0] * b[1];
    even[1] = b[0] - even[0];
}

static void from_even(double middle, const double *even, double *b)
{
    (void)middle;
    b[0] = even[0] + even[1];
    b[1] = even[0] / b[0];
}

static const char *const names[] = {"time-at-1", "serial-fraction"};
const ws_law_form ws_form_amdahl = {"amdahl",
                                    names,
                                    2,
                                    2,
                                    value,
                                    NULL,
                                    .even_value = even_value,
                                    .even_parameters = even_parameters,
                                    .from_even = from_even,
                                    .starts = amdahl_starts};

ws_status ws_fit_amdahl(const ws_law_input *in, ws_fit *fit, double *residual, ws_error *error)
{
    ws_nls_detail detail;
    ws_status status = ws_law_fit(&ws_form_amdahl, in, fit, residual, &detail, error);
    if (status != WS_OK)
        return status;
    if (!ws_law_has_values(fit)) {
        ws_fit_add(fit, "max-speedup", NAN, NAN);
        return WS_OK;
    }
    ws_law_say(fit, 2, in->in_logs ? " in logs" : "");
    add_limit(fit, &detail, in->level);
    return WS_OK;
}

double ws_karp_flatt(double n, double speedup)
{
    return n > 1 && speedup > 0 ? (1 / speedup - 1 / n) / (1 - 1 / n) : NAN;
}

/* Serial fractions of the points beyond the smallest x; returns how many. */
static size_t serial_fractions(const ws_law_input *in, double *n, double *fraction)
{
    double least = INFINITY, sum = 0, runs = 0;
    size_t count = 0;
    for (size_t i = 0; i < in->n; i++)
        least = fmin(least, in->x[i]);
    for (size_t i = 0; i < in->n; i++) {
        sum += in->x[i] == least ? in->y[i] : 0;
        runs += in->x[i] == least;
    }
    for (size_t i = 0; i < in->n; i++) {
        double s = ws_karp_flatt(in->x[i] / least, sum / runs / in->y[i]);
        if (!isfinite(s))
            continue;
        n[count] = in->x[i];
        fraction[count++] = s;
    }
    return count;
}

ws_status ws_karp_flatt_trend(const ws_law_input *in, ws_test *test, ws_error *error)
{
    ws_fit line = {.status = WS_FIT_TOO_FEW};
    ws_test_begin(test, "Karp-Flatt trend");
    ws_status status = ws_fit_check(in->x, in->y, in->n, in->level, error);
    if (status != WS_OK || in->n == 0)
        return status;
    double *n = ws_realloc(NULL, 2 * in->n, sizeof *n);
    size_t count = serial_fractions(in, n, n + in->n);
    if (count > 2)
        status = ws_fit_line(n, n + in->n, count, in->level, &line, NULL, error);
    free(n);
    char *text = test->sentence;
    size_t size = sizeof test->sentence;
    const ws_estimate *slope = ws_fit_estimate(&line, "slope");
    if (status != WS_OK)
        return status;
    if (line.status != WS_FIT_OK) {
        test->status = line.status;
        ws_say(text, size, "no test of a trend of the serial fraction: ");
        if (count > 2)
            ws_fit_say_refusal(&line, text, size);
        else
            ws_say(text, size, "%zu point%s beyond the smallest x", count, count == 1 ? "" : "s");
        return WS_OK;
    }
    test->df1 = line.df;
    if (ws_test_set(test, slope->value / slope->se, slope->p_value))
        ws_say(text, size, "the serial fraction of single speed-ups %s with x (%s)%s",
               slope->p_value >= 1 - in->level ? "does not change noticeably"
               : slope->value > 0              ? "grows"
                                               : "falls",
               ws_words_p(slope->p_value).text,
               slope->p_value < 1 - in->level ? ": no fixed serial fraction, so Amdahl's law does not hold" : "");
    return WS_OK;
}
