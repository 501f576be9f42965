/* Are the errors of a power law of one size, or in proportion to y?
 *
 *     d_i = ln f(y_i | log-log fit) - ln f(y_i | direct fit),  z = sum d / (sqrt(n) sd(d))
 *
 * f: log-normal density about the log-log line (its Jacobian -ln y included) and normal density about the direct fit,
 * each with its own variance rss / n. z is about standard normal where both are equally far from the truth; both have
 * two coefficients, so no correction. Vuong 1989, Econometrica 57; Clauset et al. 2009, SIAM Review 51. An
 * approximation: below 20 points rough, and the sentence says so. */
#include "fit/laws/laws.h"

#include "core/arena.h"
#include "fit/estimate.h"

#include <math.h>
#include <stdlib.h>

enum { LEAST = 4, ROUGH_BELOW = 20 };

static double log_density(double residual, double variance)
{
    return -0.5 * (log(2 * acos(-1) * variance) + residual * residual / variance);
}

static void compare(const double *y, const double *direct, const double *logs, const ws_fit *a, const ws_fit *b,
                    ws_test *test)
{
    long double sum = 0, squares = 0;
    double n = (double)a->n;
    for (size_t i = 0; i < a->n; i++) {
        double d = log_density(logs[i], b->rss / n) - log(y[i]) - log_density(direct[i], a->rss / n);
        sum += d;
        squares += (long double)d * d;
    }
    long double mean = sum / n, variance = (squares - n * mean * mean) / (n - 1);
    char *text = test->sentence;
    size_t size = sizeof test->sentence;
    if (!(variance > 0) || !isfinite((double)variance)) {
        test->status = WS_FIT_CONSTANT;
        ws_say(text, size, "both laws of the errors are equally likely at every point");
        return;
    }
    double z = (double)(sum / sqrtl(n * variance));
    if (!ws_test_set(test, z, ws_student_two_sided(z, INFINITY)))
        return;
    ws_say(text, size, "errors %s (z %s, %s)%s",
           test->p_value >= 0.05 ? "of one size and in proportion to y describe the data equally well"
           : test->statistic > 0 ? "in proportion to y describe the data better"
                                 : "of one size describe the data better",
           ws_words_number(test->statistic).text, ws_words_p(test->p_value).text,
           a->n < ROUGH_BELOW ? "; rough below 20 points" : "");
}

ws_status ws_power_errors(const ws_law_input *in, ws_test *test, ws_error *error)
{
    ws_test_begin(test, "Vuong");
    ws_fit direct, logs;
    double *residual = ws_realloc(NULL, 2 * in->n + 1, sizeof *residual);
    const ws_law_input plain = {.x = in->x, .y = in->y, .n = in->n, .level = in->level};
    ws_status status = ws_fit_powerlaw(in->x, in->y, in->n, in->level, &logs, residual + in->n, error);
    if (status == WS_OK)
        status = ws_fit_powerlaw_direct(&plain, &direct, residual, error);
    if (status == WS_OK && in->n < LEAST) {
        ws_say(test->sentence, sizeof test->sentence, "%zu point%s: the law of the errors needs at least %d", in->n,
               in->n == 1 ? "" : "s", LEAST);
    } else if (status == WS_OK && (logs.status != WS_FIT_OK || direct.status != WS_FIT_OK)) {
        const ws_fit *failed = logs.status != WS_FIT_OK ? &logs : &direct;
        test->status = failed->status;
        ws_say(test->sentence, sizeof test->sentence, "%s", failed->sentence);
    } else if (status == WS_OK) {
        compare(in->y, residual, residual + in->n, &direct, &logs, test);
    }
    free(residual);
    return status;
}
