/* Analysis of covariance: lines of their own, parallel lines, one line for k groups.
 *
 *     equal slopes        F = ((rss_parallel - rss_separate) / (k - 1)) / (rss_separate / (n - 2k))
 *     equal intercepts    F = ((rss_one - rss_parallel) / (k - 1)) / (rss_parallel / (n - k - 1))   given one slope
 *     one line            F = ((rss_one - rss_separate) / (2k - 2)) / (rss_separate / (n - 2k))
 *
 * Pairs use the pooled variance rss_separate / (n - 2k). Assumes normal errors of one variance in all groups
 * (ws_bartlett asks that). Draper and Smith 1998, Applied Regression Analysis, 3rd ed., chapter 14.
 *
 * Where groups may spread unequally pairs have the variances of both groups, Satterthwaite's degrees of freedom, and
 * equal slopes Welch's F, b the slopes, w = 1 / se^2, W = sum w, B = sum w b / W, f the degrees of freedom of se, n - 2
 * of a group's own residuals (Welch 1951, Biometrika 38):
 *
 *     F = sum w (b - B)^2 / (k - 1) / (1 + 2 (k - 2) A / (k^2 - 1)),  A = sum (1 - w / W)^2 / f,  df2 = (k^2 - 1) / (3
 * A)
 *
 * Of more groups than WS_SLOPE_GROUPS_IN_PAIRS each is set against the common slope B, the mean by 1 / variance that
 * holds the group itself: var(b - B) = var(b) - var(B), the analysis of means. Nelson, Wludyka and Copeland 2005,
 * The Analysis of Means, chapter 2. */
#include "fit/tests/groups.h"

#include "core/arena.h"
#include "fit/estimate.h"

#include <float.h>
#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>

/* Differences of slopes two by two.
 *
 * Holm 1979, Scand. J. Statistics 6: the i-th smallest of m p-values times m - i + 1, never below its predecessor.
 * Equivalence by two one-sided tests (Schuirmann 1987): p = max of P(T > (margin + d) / se), P(T > (margin - d) / se).
 * A p-value above 5 % of a difference does not show that slopes are the same; only this does. */

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

static void slopes_begin(ws_slopes *s, size_t n, size_t k)
{
    *s = (ws_slopes){.status = WS_FIT_TOO_FEW,
                     .n = n,
                     .n_groups = k,
                     .rss_separate = NAN,
                     .rss_parallel = NAN,
                     .rss_one = NAN,
                     .sigma = NAN,
                     .df = NAN};
    s->common = (ws_estimate){"common-slope", NAN, NAN, NAN, NAN, 0, NAN, 0};
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

static ws_status check_margin(double margin, ws_error *error)
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

static ws_slope_pair compare_two(size_t a, size_t b, double difference, double variance, double df, double level,
                                 double margin)
{
    ws_estimate e = {.name = "difference", .value = difference, .se = sqrt(variance)};
    ws_estimate_infer(&e, df, level);
    ws_slope_pair pair = {a, b, e.value, e.se, e.ci_lo, e.ci_hi, e.p_value, NAN, NAN, NAN};
    if (margin > 0 && e.se > 0)
        pair.p_equivalent = fmax(one_sided((margin + e.value) / e.se, df), one_sided((margin - e.value) / e.se, df));
    return pair;
}

static void adjust(ws_slopes *s)
{
    size_t m = s->n_pairs;
    double *p = ws_realloc(NULL, 2 * m + 1, sizeof *p);
    for (size_t i = 0; i < m; i++)
        p[i] = s->pair[i].p_value;
    ws_holm(p, m, p + m);
    for (size_t i = 0; i < m; i++) {
        s->pair[i].p_bonferroni = fmin(1, p[i] * (double)m);
        s->pair[i].p_holm = p[m + i];
    }
    free(p);
}

/* value[k] and variance[k]: two by two, or each against their mean by 1 / variance. own_df: those of each variance, or
 * NULL where all have df. */
static void slope_pairs(ws_slopes *s, const double *value, const double *variance, const double *own_df, double df,
                        double level, double margin)
{
    size_t k = s->n_groups;
    bool by_two = k <= WS_SLOPE_GROUPS_IN_PAIRS;
    long double weights = 0, mean = 0;
    for (size_t g = 0; g < k; g++) {
        weights += 1 / (long double)variance[g];
        mean += value[g] / (long double)variance[g];
    }
    s->pair = ws_realloc(NULL, by_two ? k * (k - 1) / 2 : k, sizeof *s->pair);
    for (size_t a = 0; a < k; a++) {
        for (size_t b = a + 1; by_two && b < k; b++)
            s->pair[s->n_pairs++] = compare_two(
                a, b, value[a] - value[b], variance[a] + variance[b],
                own_df ? ws_satterthwaite(variance[a], own_df[a], variance[b], own_df[b]) : df, level, margin);
        if (!by_two)
            s->pair[s->n_pairs++] = compare_two(a, WS_SLOPE_COMMON, (double)(value[a] - mean / weights),
                                                fmax(0, (double)(variance[a] - 1 / weights)), df, level, margin);
    }
    adjust(s);
}

static void slope_pairs_say(ws_slopes *s, double level, double margin)
{
    size_t differ = 0, equivalent = 0;
    char *text = s->sentence;
    size_t size = sizeof s->sentence;
    bool by_two = s->n_groups <= WS_SLOPE_GROUPS_IN_PAIRS;
    for (size_t i = 0; i < s->n_pairs; i++) {
        differ += s->pair[i].p_holm < 1 - level;
        equivalent += s->pair[i].p_equivalent < 1 - level;
    }
    if (!by_two)
        ws_say(text, size, "; %zu of %zu groups differ from it (Holm), by one variance for all", differ, s->n_pairs);
    else if (s->n_pairs > 1)
        ws_say(text, size, "; %zu of %zu pairs differ (Holm)", differ, s->n_pairs);
    if (margin > 0)
        ws_say(text, size, "; %zu of %zu %s shown to be the same%s within %s (TOST)", equivalent, s->n_pairs,
               !by_two          ? "groups are"
               : s->n_pairs > 1 ? "pairs are"
                                : "is",
               by_two ? "" : " as it", ws_words_number(margin).text);
    else if (differ == 0)
        ws_say(text, size, "; that shows no sameness, which takes a margin");
    if (!by_two)
        ws_say(text, size, "; pairs are shown of up to %d groups: --exclude leaves some out", WS_SLOPE_GROUPS_IN_PAIRS);
}

typedef struct sums {
    size_t n;
    long double x, y, sxx, sxy, syy; /* means, and sums about them */
} sums;

/* The points of one group, or of all, by their places. */
typedef struct part {
    const double *x, *y;
    const size_t *place;
    size_t n;
} part;

static sums sum_up(const part *p)
{
    sums s = {.n = p->n};
    for (size_t i = 0; i < p->n; i++) {
        s.x += p->x[p->place[i]];
        s.y += p->y[p->place[i]];
    }
    s.x /= (long double)s.n;
    s.y /= (long double)s.n;
    for (size_t i = 0; i < p->n; i++) {
        long double x = p->x[p->place[i]] - s.x, y = p->y[p->place[i]] - s.y;
        s.sxx += x * x;
        s.sxy += x * y;
        s.syy += y * y;
    }
    return s;
}

/* Residuals one by one, since a difference of sums would cancel. */
static long double rss_about(const part *p, const sums *s, long double slope)
{
    long double rss = 0;
    for (size_t i = 0; i < p->n; i++) {
        long double e = p->y[p->place[i]] - s->y - slope * (p->x[p->place[i]] - s->x);
        rss += e * e;
    }
    return rss;
}

static ws_group_line own_line(const sums *s, long double rss)
{
    ws_group_line l = {.n = s->n,
                       .slope = (double)(s->sxy / s->sxx),
                       .rss = (double)rss,
                       .x_mean = (double)s->x,
                       .y_mean = (double)s->y,
                       .sxx = (double)s->sxx};
    l.intercept = (double)(s->y - s->sxy / s->sxx * s->x);
    l.df = s->n > 2 ? (double)s->n - 2 : 0;
    l.se = s->n > 2 ? (double)sqrtl(rss / (long double)(s->n - 2) / s->sxx) : NAN;
    l.r2 = s->syy > 0 ? (double)(1 - rss / s->syy) : NAN;
    return l;
}

static void add_lines(const part *parts, const part *whole, ws_slopes *out, double level)
{
    size_t k = out->n_groups, n = out->n;
    sums *s = ws_realloc(NULL, k, sizeof *s), all = sum_up(whole);
    long double sxx = 0, sxy = 0, separate = 0, parallel = 0;
    for (size_t g = 0; g < k; g++) {
        s[g] = sum_up(&parts[g]);
        sxx += s[g].sxx;
        sxy += s[g].sxy;
    }
    for (size_t g = 0; g < k; g++) {
        long double rss = rss_about(&parts[g], &s[g], s[g].sxy / s[g].sxx);
        out->line[g] = own_line(&s[g], rss);
        separate += rss;
        parallel += rss_about(&parts[g], &s[g], sxy / sxx);
    }
    free(s);
    out->rss_separate = (double)separate;
    out->rss_parallel = (double)parallel;
    out->rss_one = (double)rss_about(whole, &all, all.sxy / all.sxx);
    out->df = (double)n - 2 * (double)k;
    out->sigma = out->df > 0 ? sqrt(out->rss_separate / out->df) : NAN;
    double df = (double)n - (double)k - 1;
    out->common.value = (double)(sxy / sxx);
    out->common.se = df > 0 ? (double)sqrtl(parallel / df / sxx) : NAN;
    ws_estimate_infer(&out->common, df, level);
}

static void test_f(ws_test *test, double small, double large, double df1, double df2, double level, const char *differ,
                   const char *same)
{
    double f = fmax(0, (small - large) / df1 / (large / df2));
    test->df1 = df1;
    test->df2 = df2;
    if (ws_test_set(test, f, ws_f_upper(f, df1, df2)))
        ws_say(test->sentence, sizeof test->sentence, "%s (F %s, %s)", test->p_value < 1 - level ? differ : same,
               ws_words_digits(test->statistic, 3).text, ws_words_p(test->p_value).text);
}

/* Sets status and sentence where a group has no line. */
static bool groups_refuse(const part *parts, ws_slopes *s)
{
    char *text = s->sentence;
    size_t size = sizeof s->sentence;
    if (s->n_groups < 2) {
        ws_say(text, size, "%zu group%s: nothing to compare", s->n_groups, s->n_groups == 1 ? "" : "s");
        return true;
    }
    for (size_t g = 0; g < s->n_groups; g++) {
        double low = INFINITY, high = -INFINITY;
        size_t count = parts[g].n;
        for (size_t i = 0; i < count; i++) {
            low = fmin(low, parts[g].x[parts[g].place[i]]);
            high = fmax(high, parts[g].x[parts[g].place[i]]);
        }
        if (count > 1 && high / 2 - low / 2 > 2 * DBL_EPSILON * fmax(fabs(low), fabs(high)))
            continue;
        s->status = count > 1 ? WS_FIT_CONSTANT : WS_FIT_TOO_FEW;
        if (count > 1)
            ws_say(text, size, "x does not vary in group %zu, so it has no slope", g + 1);
        else
            ws_say(text, size, "group %zu has %zu point%s: a slope needs two", g + 1, count, count == 1 ? "" : "s");
        return true;
    }
    return false;
}

static void settle_status(const double *y, ws_slopes *s)
{
    long double size = 0;
    for (size_t i = 0; i < s->n; i++)
        size += (long double)y[i] * y[i];
    double noise = 32 * DBL_EPSILON * (double)sqrtl(size);
    s->status = !(s->df > 0) ? WS_FIT_EXACT : s->rss_separate <= noise * noise ? WS_FIT_PERFECT : WS_FIT_OK;
    if (s->status == WS_FIT_OK)
        return;
    s->common.se = s->common.ci_lo = s->common.ci_hi = s->common.p_value = NAN;
    ws_say(s->sentence, sizeof s->sentence,
           s->status == WS_FIT_EXACT
               ? "every group has two points only: its slope is exact, and nothing is left to test with"
               : "every group lies on its line within rounding: tests of the slopes mean nothing");
}

static bool has_own_variances(const ws_slopes *s)
{
    bool all = s->n_groups <= WS_SLOPE_GROUPS_IN_PAIRS;
    for (size_t g = 0; g < s->n_groups; g++)
        all = all && s->line[g].se > 0;
    return all;
}

static void test_welch(ws_slopes *s, double level)
{
    long double weights = 0, mean = 0, a = 0, between = 0, k = (long double)s->n_groups;
    for (size_t g = 0; g < s->n_groups; g++) {
        long double w = 1 / ((long double)s->line[g].se * s->line[g].se);
        weights += w;
        mean += w * s->line[g].slope;
    }
    mean /= weights;
    for (size_t g = 0; g < s->n_groups; g++) {
        long double w = 1 / ((long double)s->line[g].se * s->line[g].se), off = s->line[g].slope - mean;
        between += w * off * off / (k - 1);
        a += (1 - w / weights) * (1 - w / weights) / (long double)s->line[g].df;
    }
    ws_test *test = &s->equal_slopes;
    double f = (double)(between / (1 + 2 * (k - 2) * a / (k * k - 1)));
    test->df1 = (double)(k - 1);
    test->df2 = (double)((k * k - 1) / (3 * a));
    test->sentence[0] = '\0';
    if (ws_test_set(test, f, ws_f_upper(f, test->df1, test->df2)))
        ws_say(test->sentence, sizeof test->sentence, "%s (Welch's F %s, %s)",
               test->p_value < 1 - level ? "slopes differ" : "slopes do not differ noticeably",
               ws_words_digits(test->statistic, 3).text, ws_words_p(test->p_value).text);
}

/* One line for all is ruled out by slopes that differ or by intercepts that do: twice the smaller p (Bonferroni), since
 * the F of all residuals takes one variance for them. */
static void test_one_line(ws_slopes *s, double level)
{
    ws_test *test = &s->coincident;
    double p = fmin(1, 2 * fmin(s->equal_slopes.p_value, s->equal_intercepts.p_value));
    test->statistic = test->df1 = test->df2 = NAN;
    test->p_value = p;
    test->sentence[0] = '\0';
    ws_say(test->sentence, sizeof test->sentence, "%s (%s, of slopes and intercepts)",
           p < 1 - level ? "one line does not do for all" : "one line for all is not ruled out", ws_words_p(p).text);
}

/* Errors of slopes that are given take the place of those of the residuals, if every group has one. */
static void take_own(ws_slopes *s, const ws_slope_error *own)
{
    for (size_t g = 0; g < s->n_groups; g++)
        if (!(own[g].se > 0) || !(own[g].df > 0))
            return;
    for (size_t g = 0; g < s->n_groups; g++) {
        s->line[g].se = own[g].se;
        s->line[g].df = own[g].df;
    }
}

static void compare(ws_slopes *s, bool unequal, double level, double margin)
{
    double k = (double)s->n_groups, *value = ws_realloc(NULL, 3 * s->n_groups, sizeof *value);
    double *variance = value + s->n_groups, *own_df = variance + s->n_groups;
    bool is_own = unequal && has_own_variances(s);
    test_f(&s->equal_slopes, s->rss_parallel, s->rss_separate, k - 1, s->df, level, "slopes differ",
           "slopes do not differ noticeably");
    test_f(&s->equal_intercepts, s->rss_one, s->rss_parallel, k - 1, (double)s->n - k - 1, level,
           "given one slope, intercepts differ", "given one slope, intercepts do not differ noticeably");
    test_f(&s->coincident, s->rss_one, s->rss_separate, 2 * k - 2, s->df, level, "one line does not do for all",
           "one line for all is not ruled out");
    for (size_t g = 0; g < s->n_groups; g++) {
        value[g] = s->line[g].slope;
        variance[g] = is_own ? s->line[g].se * s->line[g].se : s->sigma * s->sigma / s->line[g].sxx;
        own_df[g] = s->line[g].df;
    }
    if (is_own) {
        test_welch(s, level);
        test_one_line(s, level);
    }
    slope_pairs(s, value, variance, is_own ? own_df : NULL, s->df, level, margin);
    free(value);
    ws_say(s->sentence, sizeof s->sentence, "%s; common slope %s", s->equal_slopes.sentence,
           ws_words_with_error(s->common.value, s->common.se).text);
    slope_pairs_say(s, level, margin);
}

/* The places of each group's points, behind each other in `place`, in their order. */
static void sort_parts(const double *x, const double *y, const size_t *group, size_t n, size_t k, part *parts,
                       size_t *place)
{
    size_t begin = 0;
    for (size_t g = 0; g < k; g++)
        parts[g] = (part){x, y, NULL, 0};
    for (size_t i = 0; i < n; i++)
        parts[group[i]].n++;
    for (size_t g = 0; g < k; g++) {
        parts[g].place = place + begin;
        begin += parts[g].n;
        parts[g].n = 0;
    }
    for (size_t i = 0; i < n; i++) {
        part *p = &parts[group[i]];
        place[(size_t)(p->place - place) + p->n++] = i;
    }
}

static ws_status compare_parts(const part *parts, const part *whole, bool unequal, const ws_slope_error *own,
                               double level, double margin, ws_slopes *slopes, ws_error *error)
{
    if (groups_refuse(parts, slopes))
        return WS_OK;
    slopes->line = ws_realloc(NULL, slopes->n_groups, sizeof *slopes->line);
    add_lines(parts, whole, slopes, level);
    if (!isfinite(slopes->rss_one) || !isfinite(slopes->common.value))
        return ws_fail(error, WS_DATA, "the values are too large or too small for a fit; express them in another unit");
    settle_status(whole->y, slopes);
    if (slopes->status == WS_FIT_OK && own)
        take_own(slopes, own);
    if (slopes->status == WS_FIT_OK)
        compare(slopes, unequal, level, margin);
    return WS_OK;
}

static ws_status compare_groups(const double *x, const double *y, const size_t *group, size_t n, size_t k, bool unequal,
                                const ws_slope_error *own, double level, double margin, ws_slopes *slopes,
                                ws_error *error)
{
    slopes_begin(slopes, n, k);
    ws_status status = ws_fit_check(x, y, n, level, error);
    if (status == WS_OK)
        status = check_margin(margin, error);
    for (size_t i = 0; status == WS_OK && i < n; i++)
        if (group[i] >= k)
            return ws_fail(error, WS_USAGE, "point %zu is of group %zu, but there are %zu groups", i + 1, group[i] + 1,
                           k);
    if (status != WS_OK)
        return status;
    size_t *place = ws_realloc(NULL, 2 * n + 1, sizeof *place);
    part *parts = ws_realloc(NULL, k + 1, sizeof *parts), whole = {x, y, place + n, n};
    sort_parts(x, y, group, n, k, parts, place);
    for (size_t i = 0; i < n; i++)
        place[n + i] = i;
    status = compare_parts(parts, &whole, unequal, own, level, margin, slopes, error);
    free(parts);
    free(place);
    return status;
}

ws_slope_error ws_slope_error_of(const double *x, const double *y, size_t n, bool in_logs, double level)
{
    ws_fit fit;
    ws_status status = (in_logs ? ws_fit_powerlaw_unequal : ws_fit_line_unequal)(x, y, n, level, &fit, NULL, NULL);
    const ws_estimate *e = &fit.estimate[in_logs ? 0 : 1]; /* the exponent, or the slope */
    if (status != WS_OK || fit.status != WS_FIT_OK)
        return (ws_slope_error){0, 0};
    return (ws_slope_error){e->se, e->df > 0 ? e->df : fit.df};
}

ws_status ws_compare_slopes(const double *x, const double *y, const size_t *group, size_t n, size_t k, double level,
                            double margin, ws_slopes *slopes, ws_error *error)
{
    return compare_groups(x, y, group, n, k, false, NULL, level, margin, slopes, error);
}

ws_status ws_compare_slopes_unequal(const double *x, const double *y, const size_t *group, size_t n, size_t k,
                                    const ws_slope_error *own, double level, double margin, ws_slopes *slopes,
                                    ws_error *error)
{
    return compare_groups(x, y, group, n, k, true, own, level, margin, slopes, error);
}

/* Are slopes that were printed with standard errors the same? Cochran's Q.
 *
 *     pooled = sum (b / se^2) / sum (1 / se^2),  Q = sum ((b - pooled) / se)^2, chi2 with k - 1 degrees of freedom
 *
 * Takes each slope as normal with a known standard error, which after 5 to 10 points it is not: Q then finds
 * differences too easily. The points themselves are better (groups.c). Cochran 1954, Biometrics 10. */

static void test_q(const double *value, const double *se, ws_slopes *s, double level)
{
    long double weights = 0, mean = 0, q = 0;
    for (size_t j = 0; j < s->n_groups; j++) {
        weights += 1 / ((long double)se[j] * se[j]);
        mean += value[j] / ((long double)se[j] * se[j]);
    }
    mean /= weights;
    for (size_t j = 0; j < s->n_groups; j++)
        q += (value[j] - mean) / se[j] * ((value[j] - mean) / se[j]);
    s->common.value = (double)mean;
    s->common.se = (double)(1 / sqrtl(weights));
    ws_estimate_infer(&s->common, INFINITY, level);
    ws_test *test = &s->equal_slopes;
    test->name = "Cochran's Q";
    test->df1 = (double)(s->n_groups - 1);
    if (!ws_test_set(test, (double)q, ws_chi2_upper((double)q, test->df1)))
        return;
    ws_say(test->sentence, sizeof test->sentence, "%s (Q %s, %s)",
           test->p_value < 1 - level ? "slopes differ" : "slopes do not differ noticeably",
           ws_words_number(test->statistic).text, ws_words_p(test->p_value).text);
}

ws_status ws_printed_slopes(const double *value, const double *se, size_t k, double level, double margin, ws_slopes *s,
                            ws_error *error)
{
    slopes_begin(s, k, k);
    ws_status status = ws_fit_check_level(level, error);
    if (status == WS_OK)
        status = check_margin(margin, error);
    if (status == WS_OK)
        status = ws_fit_check_finite("slope", value, k, error);
    if (status == WS_OK)
        status = ws_fit_check_finite("standard error", se, k, error);
    for (size_t j = 0; status == WS_OK && j < k; j++)
        if (!(se[j] > 0))
            return ws_fail(error, WS_DATA, "standard error of slope %zu is not above zero; leave the slope out", j + 1);
    if (status != WS_OK)
        return status;
    if (k < 2) {
        ws_say(s->sentence, sizeof s->sentence, "%zu slope%s: nothing to compare", k, k == 1 ? "" : "s");
        return WS_OK;
    }
    s->status = WS_FIT_OK;
    test_q(value, se, s, level);
    double *variance = ws_realloc(NULL, k, sizeof *variance);
    for (size_t j = 0; j < k; j++)
        variance[j] = se[j] * se[j];
    slope_pairs(s, value, variance, NULL, INFINITY, level, margin);
    free(variance);
    ws_say(s->sentence, sizeof s->sentence, "%s; pooled %s", s->equal_slopes.sentence,
           ws_words_with_error(s->common.value, s->common.se).text);
    slope_pairs_say(s, level, margin);
    return WS_OK;
}
