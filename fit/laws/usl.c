/* Gunther's universal scalability law: throughput y = gamma x / (1 + alpha (x - 1) + beta x (x - 1)).
 *
 *     peak at x* = sqrt((1 - alpha) / beta),  limit gamma / alpha: the throughput of endless x were beta zero
 *
 * Parameters named as in R's usl 2 and later. alpha < 0 is a speed-up beyond linear, beta <= 0 has no peak: both are
 * reported, not cut. Peak and limit are what others divide by, so that their intervals are those of 1 / peak^2 = beta /
 * (1 - alpha) and 1 / limit = alpha / gamma, which are nearly linear, turned over. Where beta may be zero a peak may be
 * anywhere beyond, and where alpha may be, the limit: then there is a lower end alone. Starts: x / y = (1 +
 * alpha (x - 1) + beta x (x - 1)) / gamma is linear. Assumes errors of one size on the fitted scale. Gunther 2007,
 * Guerrilla Capacity Planning. */
#include "fit/laws/law.h"

#include "core/arena.h"
#include "fit/estimate.h"
#include "fit/linear/least_squares.h"

#include <math.h>
#include <stdlib.h>

static double value(double x, const double *b, double *gradient)
{
    double below = 1 + b[1] * (x - 1) + b[2] * x * (x - 1);
    if (!(below > 0))
        return NAN;
    double y = b[0] * x / below;
    gradient[0] = x / below;
    gradient[1] = -y * (x - 1) / below;
    gradient[2] = -y * x * (x - 1) / below;
    return y;
}

/* y = x / (even[0] + even[1] (x - 1) + even[2] x (x - 1)), even of 1, alpha and beta over gamma: points without small x
 * may have a throughput of one that is endless, where gamma and alpha run off together. */
static double even_value(double x, const double *even, double *gradient)
{
    double below = even[0] + even[1] * (x - 1) + even[2] * x * (x - 1);
    if (!(below > 0))
        return NAN;
    double y = x / below;
    gradient[0] = -y / below;
    gradient[1] = -y * (x - 1) / below;
    gradient[2] = -y * x * (x - 1) / below;
    return y;
}

static void even_parameters(double middle, const double *b, double *even)
{
    (void)middle;
    even[0] = 1 / b[0];
    even[1] = b[1] / b[0];
    even[2] = b[2] / b[0];
}

static void from_even(double middle, const double *even, double *b)
{
    even_parameters(middle, even, b);
}

/* power 0: x/y as it is; 1 and 2: weighted by y and y^2, since a small y makes a large x/y. */
static bool start_linear(const double *x, const double *y, size_t n, int power, double *start)
{
    double *work = ws_realloc(NULL, 4 * n, sizeof *work), b[3];
    for (size_t i = 0; i < n; i++) {
        double weight = pow(fabs(y[i]), power);
        work[i] = weight;
        work[n + i] = weight * (x[i] - 1);
        work[2 * n + i] = weight * x[i] * (x[i] - 1);
        work[3 * n + i] = y[i] != 0 ? weight * x[i] / y[i] : 0;
    }
    const double *const column[] = {work, work + n, work + 2 * n};
    bool found = ws_law_start(column, 3, work + 3 * n, n, b) && b[0] != 0;
    free(work);
    if (!found)
        return false;
    start[0] = 1 / b[0];
    start[1] = b[1] / b[0];
    start[2] = b[2] / b[0];
    return true;
}

static size_t usl_starts(const double *x, const double *y, size_t n, double *start)
{
    static const double guesses[][2] = {{0.01, 1e-4}, {0.1, 1e-3}, {0.01, 0}};
    size_t count = 0, first = 0;
    for (int power = 0; power < 3; power++)
        count += start_linear(x, y, n, power, start + 3 * count);
    for (size_t i = 1; i < n; i++)
        first = x[i] < x[first] ? i : first;
    for (size_t k = 0; k < sizeof guesses / sizeof *guesses; k++, count++) {
        start[3 * count] = y[first] / x[first];
        start[3 * count + 1] = guesses[k][0];
        start[3 * count + 2] = guesses[k][1];
    }
    return count;
}

/* By value^-power -+ t times its standard error, power se / value^(power + 1). None of peak and limit is below zero, so
 * that a p against zero says nothing. */
static void infer_inverse(ws_estimate *e, int power, double of_fit, double level)
{
    double df = e->df > 0 ? e->df : of_fit;
    double t = df > 0 ? ws_student_quantile(level, df) : (double)NAN, half = t * power * e->se / e->value;
    e->ci_lo = e->value * pow(1 + half, -1.0 / power);
    e->ci_hi = half < 1 ? e->value * pow(1 - half, -1.0 / power) : (double)NAN;
    e->p_value = NAN;
}

/* By its logarithm; without an upper end where the peak has none. */
static void infer_throughput(ws_estimate *e, bool is_bounded, double of_fit, double level)
{
    double df = e->df > 0 ? e->df : of_fit;
    double half = df > 0 ? ws_student_quantile(level, df) * e->se / e->value : (double)NAN;
    e->ci_lo = e->value * exp(-half);
    e->ci_hi = is_bounded ? e->value * exp(half) : (double)NAN;
    e->p_value = NAN;
}

/* The interval of the peak is that of beta / (1 - alpha): where beta is known well from zero, 1 - alpha may not be. */
static const char *why_no_peak(const ws_estimate *alpha, const ws_estimate *beta, double df, double level, char *text,
                               size_t size)
{
    double p = ws_student_two_sided((1 - alpha->value) / alpha->se, alpha->df > 0 ? alpha->df : df);
    bool may_beta = !(beta->p_value < 1 - level), may_alpha = !(p < 1 - level);
    text[0] = '\0';
    if (may_beta || may_alpha)
        ws_say(text, size, "%s is not distinguishable from zero (%s)", may_beta ? "beta" : "1 - alpha",
               ws_words_p(may_beta ? beta->p_value : p).text);
    else
        ws_say(text, size, "beta / (1 - alpha) is not distinguishable from zero, though each of the two is");
    return text;
}

static void add_peak(ws_fit *fit, const ws_nls_detail *detail, double level)
{
    double b[3], slope[3] = {0};
    for (size_t j = 0; j < 3; j++)
        b[j] = fit->estimate[j].value;
    double peak = sqrt((1 - b[1]) / b[2]);
    bool has_peak = b[2] > 0 && b[1] < 1 && isfinite(peak), has_limit = b[1] > 0 && isfinite(b[0] / b[1]);
    const double by_peak[] = {0, -peak / (2 * (1 - b[1])), -peak / (2 * b[2])};
    /* The throughput is flat at its peak, so the peak's own movement does not count. */
    double top = has_peak ? value(peak, b, slope) : NAN;
    const double by_limit[] = {1 / b[1], -b[0] / (b[1] * b[1]), 0};
    ws_law_add(fit, "peak", has_peak ? peak : NAN, has_peak ? by_peak : b, 3, detail, level);
    ws_law_add(fit, "peak-throughput", top, slope, 3, detail, level);
    const ws_estimate *beta = &fit->estimate[2];
    char why[120];
    infer_inverse(&fit->estimate[3], 2, fit->df, level);
    bool is_shown = !(fit->df > 0) || isfinite(fit->estimate[3].ci_hi);
    infer_throughput(&fit->estimate[4], is_shown, fit->df, level);
    ws_law_add(fit, "limit", has_limit ? b[0] / b[1] : NAN, has_limit ? by_limit : b, 3, detail, level);
    infer_inverse(&fit->estimate[5], 1, fit->df, level);
    char *text = fit->sentence;
    size_t size = sizeof fit->sentence;
    if (has_peak && is_shown)
        ws_say(text, size, "; highest at x = %s", ws_ls_words(fit, &fit->estimate[3]).text);
    else if (has_peak)
        ws_say(text, size, "; no peak is shown, since %s; it would be at x = %s, and is beyond %s",
               why_no_peak(&fit->estimate[1], beta, fit->df, level, why, sizeof why),
               ws_ls_words(fit, &fit->estimate[3]).text, ws_words_digits(fit->estimate[3].ci_lo, 2).text);
    else
        ws_say(text, size, "; no peak: it is undefined unless beta > 0 and alpha < 1");
    if (b[1] > 1)
        ws_say(text, size, "; alpha above 1 stands for y that falls with x: is y a throughput?");
    if (!has_limit)
        ws_say(text, size, "; alpha is not above zero%s: the limit is undefined",
               fit->estimate[1].ci_hi < 0 ? ", faster than linear" : "");
}

static const char *const names[] = {"gamma", "alpha", "beta"};
const ws_law_form ws_form_usl = {"usl",
                                 names,
                                 3,
                                 5,
                                 value,
                                 NULL,
                                 .even_value = even_value,
                                 .even_parameters = even_parameters,
                                 .from_even = from_even,
                                 .starts = usl_starts};

ws_status ws_fit_usl(const ws_law_input *in, ws_fit *fit, double *residual, ws_error *error)
{
    ws_nls_detail detail;
    ws_status status = ws_law_fit(&ws_form_usl, in, fit, residual, &detail, error);
    if (status != WS_OK)
        return status;
    if (ws_law_has_values(fit)) {
        ws_law_say(fit, 3, in->in_logs ? " in logs" : "");
        add_peak(fit, &detail, in->level);
        return WS_OK;
    }
    ws_fit_add(fit, "peak", NAN, NAN);
    ws_fit_add(fit, "peak-throughput", NAN, NAN);
    ws_fit_add(fit, "limit", NAN, NAN);
    return WS_OK;
}
