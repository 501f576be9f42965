/* Differences of slopes two by two.
 *
 * Holm 1979, Scand. J. Statistics 6: the i-th smallest of m p-values times m - i + 1, never below its predecessor.
 * Equivalence by two one-sided tests (Schuirmann 1987): p = max of P(T > (margin + d) / se), P(T > (margin - d) / se).
 * A p-value above 5 % of a difference does not show that slopes are the same; only this does. */
#include "fit/tests/slope_pairs.h"

#include "core/arena.h"
#include "fit/estimate.h"

#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>

void ws_holm(const double *p, size_t n, double *adjusted)
{
    size_t *order = ws_realloc(NULL, n + 1, sizeof *order);
    double highest = 0;
    gsl_sort_index(order, p, 1, n);
    for (size_t i = 0; i < n; i++) {
        highest = fmax(highest, fmin(1, p[order[i]] * (double)(n - i)));
        adjusted[order[i]] = highest;
    }
    free(order);
}

void ws_slopes_begin(ws_slopes *s, size_t n, size_t k)
{
    *s = (ws_slopes){.status = WS_FIT_TOO_FEW,
                     .n = n,
                     .n_groups = k,
                     .rss_separate = NAN,
                     .rss_parallel = NAN,
                     .rss_one = NAN,
                     .sigma = NAN,
                     .df = NAN};
    s->common = (ws_estimate){"common-slope", NAN, NAN, NAN, NAN, 0, NAN};
    ws_test_begin(&s->equal_slopes, "equal slopes");
    ws_test_begin(&s->equal_intercepts, "equal intercepts");
    ws_test_begin(&s->coincident, "one line");
}

void ws_slopes_free(ws_slopes *s)
{
    free(s->line);
    free(s->pair);
    s->line = NULL;
    s->pair = NULL;
    s->n_pairs = 0;
}

ws_status ws_check_margin(double margin, ws_error *error)
{
    if (margin >= 0 && isfinite(margin))
        return WS_OK;
    return ws_fail(error, WS_USAGE, "a margin of %s is none; slopes count as the same within a margin above zero",
                   ws_words_number(margin).text);
}

static double one_sided(double t, double df)
{
    double p = ws_student_two_sided(t, df) / 2;
    return t > 0 ? p : 1 - p;
}

static ws_slope_pair compare(size_t a, size_t b, const double *value, const double *variance, double df, double level,
                             double margin)
{
    ws_estimate e = {.name = "difference", .value = value[a] - value[b], .se = sqrt(variance[a] + variance[b])};
    ws_estimate_infer(&e, df, level);
    ws_slope_pair pair = {a, b, e.value, e.se, e.ci_lo, e.ci_hi, e.p_value, NAN, NAN, NAN};
    if (margin > 0 && e.se > 0)
        pair.p_equivalent = fmax(one_sided((margin + e.value) / e.se, df), one_sided((margin - e.value) / e.se, df));
    return pair;
}

void ws_slope_pairs(ws_slopes *s, const double *value, const double *variance, double df, double level, double margin)
{
    size_t m = s->n_groups * (s->n_groups - 1) / 2;
    s->pair = ws_realloc(NULL, m, sizeof *s->pair);
    for (size_t a = 0; a < s->n_groups; a++)
        for (size_t b = a + 1; b < s->n_groups; b++)
            s->pair[s->n_pairs++] = compare(a, b, value, variance, df, level, margin);
    double *p = ws_realloc(NULL, 2 * m, sizeof *p);
    for (size_t i = 0; i < m; i++)
        p[i] = s->pair[i].p_value;
    ws_holm(p, m, p + m);
    for (size_t i = 0; i < m; i++) {
        s->pair[i].p_bonferroni = fmin(1, p[i] * (double)m);
        s->pair[i].p_holm = p[m + i];
    }
    free(p);
}

void ws_slope_pairs_say(ws_slopes *s, double level, double margin)
{
    size_t differ = 0, equivalent = 0;
    char *text = s->sentence;
    size_t size = sizeof s->sentence;
    for (size_t i = 0; i < s->n_pairs; i++) {
        differ += s->pair[i].p_holm < 1 - level;
        equivalent += s->pair[i].p_equivalent < 1 - level;
    }
    if (s->n_pairs > 1)
        ws_say(text, size, "; %zu of %zu pairs differ (Holm)", differ, s->n_pairs);
    if (margin > 0)
        ws_say(text, size, "; %zu of %zu %s shown to be the same within %s (TOST)", equivalent, s->n_pairs,
               s->n_pairs > 1 ? "pairs are" : "is", ws_words_number(margin).text);
    else if (differ == 0)
        ws_say(text, size, "; that shows no sameness, which takes a margin");
}
