/* Configurations' means, unweighted: with c_i the error of configuration i and e_ij that of its run j,
 *
 *     y_ij = f(x_i) + c_i + e_ij,   Var(mean y_i) = Var(c) + Var(e) / n_i
 *
 * the means are independent whatever Var(c) is, and a fit of k means with p coefficients has k - p degrees of freedom.
 * A fit of all runs ignores c: its intervals shrink with every further repeat, and hold the truth in only half of all
 * cases if c is as large as e and there are five repeats. Unequal n_i make the variances unequal, which matters where
 * the mean of the fewest runs decides a coefficient, as that of the largest count often does: ws_variance_of_means
 * allows for it. Weights in proportion to n_i would be right for Var(c) = 0 only. Kish 1965, Survey Sampling, chapter
 * 5; Moulton 1990, Review of Economics and Statistics 72, on the errors of ignoring c. */
#include "fit/means.h"

#include "core/arena.h"
#include "fit/estimate.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

static void allocate(ws_means *m, size_t n)
{
    m->x = ws_alloc((4 * n + 1) * sizeof *m->x);
    m->y = m->x + n;
    m->deviation = m->y + n;
    m->sd = m->deviation + n;
    m->count = ws_alloc((3 * n + 1) * sizeof *m->count);
    m->first = m->count + n;
    m->of = m->first + n;
}

/* Numbers the configurations in the order of their first runs. */
static void number_units(const size_t *unit, size_t n, ws_means *m)
{
    size_t *number = ws_alloc((n + 1) * sizeof *number);
    for (size_t i = 0; i < n; i++)
        number[i] = SIZE_MAX;
    for (size_t i = 0; i < n; i++) {
        size_t *of = &number[unit[i]];
        if (*of == SIZE_MAX) {
            *of = m->n++;
            m->count[*of] = 0;
            m->first[*of] = i;
        }
        m->of[i] = *of;
        m->count[*of]++;
    }
    free(number);
}

/* Exact if all values of a configuration are equal. */
void ws_means_of_column(const ws_means *m, const double *value, double *mean)
{
    bool in_logs = m->in_logs;
    for (size_t c = 0; c < m->n; c++)
        mean[c] = 0;
    for (size_t i = 0; i < m->n_runs; i++) {
        double of_first = value[m->first[m->of[i]]];
        mean[m->of[i]] += (in_logs ? log(value[i] / of_first) : value[i] - of_first) / (double)m->count[m->of[i]];
    }
    for (size_t c = 0; c < m->n; c++)
        mean[c] = in_logs ? value[m->first[c]] * exp(mean[c]) : value[m->first[c]] + mean[c];
}

static void set_spread(const double *x, const double *y, ws_means *m)
{
    long double squares = 0, shares = 0;
    m->same_x = true;
    for (size_t c = 0; c < m->n; c++)
        m->sd[c] = 0;
    for (size_t i = 0; i < m->n_runs; i++) {
        size_t c = m->of[i];
        m->deviation[i] = m->in_logs ? log(y[i] / m->y[c]) : y[i] - m->y[c];
        squares += (long double)m->deviation[i] * m->deviation[i];
        m->sd[c] += m->deviation[i] * m->deviation[i];
        m->same_x = m->same_x && x[i] == x[m->first[c]];
    }
    for (size_t c = 0; c < m->n; c++)
        shares += 1.0L / (long double)m->count[c] / (long double)m->n;
    for (size_t c = 0; c < m->n; c++)
        m->sd[c] = m->count[c] > 1 ? sqrt(m->sd[c] / ((double)m->count[c] - 1)) : NAN;
    m->repeat_df = (double)(m->n_runs - m->n);
    m->repeat_sd = m->repeat_df > 0 ? (double)sqrtl(squares / (long double)m->repeat_df) : NAN;
    m->one_more = m->repeat_df > 0 ? m->repeat_sd * m->repeat_sd * (double)(1 - shares) : 0;
}

ws_status ws_means_take(const double *x, const double *y, const size_t *unit, size_t n, bool in_logs, ws_means *m,
                        ws_error *error)
{
    *m = (ws_means){.n_runs = n, .in_logs = in_logs, .repeat_sd = NAN};
    ws_status status = ws_fit_check(x, y, n, 0.5, error);
    if (status != WS_OK)
        return status;
    allocate(m, n);
    number_units(unit, n, m);
    ws_means_of_column(m, x, m->x);
    ws_means_of_column(m, y, m->y);
    set_spread(x, y, m);
    if (m->repeat_df > 0 && !isfinite(m->repeat_sd)) {
        ws_means_free(m);
        return ws_fail(error, WS_DATA, "the values are too large for a variance; express them in another unit");
    }
    return WS_OK;
}

ws_replication ws_means_replication(const ws_means *m)
{
    long double squares = 0;
    if (!(m->repeat_df > 0))
        return (ws_replication){.count = NULL};
    for (size_t i = 0; i < m->n_runs; i++) {
        long double share = (long double)m->deviation[i] / m->y[m->of[i]];
        squares += share * share;
    }
    double relative = m->in_logs ? (double)NAN : (double)(squares / (long double)m->repeat_df);
    return (ws_replication){.count = m->count,
                            .variance = m->repeat_sd * m->repeat_sd,
                            .relative = isfinite(relative) ? relative : NAN,
                            .df = m->repeat_df};
}

ws_variance ws_variance_of_means(const ws_replication *r, double of_run, const double *square, const double *leverage,
                                 size_t n, double plain, double df)
{
    static const double LEAST = 0.5; /* below that share of the plain variance r is not known well enough */
    long double sum = 0, sum_over_n = 0, rest_over_n = 0;
    ws_variance v = {plain, df};
    if (!r || !r->count || !(of_run > 0) || !(df > 0))
        return v;
    for (size_t i = 0; i < n; i++) {
        long double runs = (long double)r->count[i];
        sum += square[i];
        sum_over_n += square[i] / runs;
        rest_over_n += (1 - (long double)leverage[i]) / runs;
    }
    double alone = (double)(of_run * sum * rest_over_n / df), more = of_run * (double)sum_over_n - alone,
           all = plain + more;
    if (!(fabs(more) > 1e-9 * plain) || !(all > LEAST * plain) ||
        !isfinite(all)) /* rounding of equal numbers of runs */
        return v;
    return (ws_variance){all, more > 0 ? ws_satterthwaite(fmax(plain, alone), df, more, r->df) : df};
}

void ws_means_free(ws_means *m)
{
    free(m->x);
    free(m->count);
    *m = (ws_means){.repeat_sd = NAN};
}

void ws_means_describe(const ws_means *m, ws_fit *fit)
{
    char *text = fit->sentence;
    size_t size = sizeof fit->sentence;
    fit->n_runs = m->n_runs;
    if (m->n_runs == m->n)
        return;
    fit->repeat_sd = m->repeat_sd;
    fit->repeat_df = m->repeat_df;
    fit->one_more = m->one_more;
    ws_say(text, size, "; each point is the mean of a configuration's runs (%zu runs in all, which differ from it by ",
           m->n_runs);
    if (m->in_logs)
        ws_say(text, size, "%s %%)", ws_words_digits(100 * m->repeat_sd, 2).text);
    else
        ws_say(text, size, "%s)", ws_words_digits(m->repeat_sd, 2).text);
}

ws_status ws_means_spread_test(const ws_means *m, ws_test *test, ws_error *error)
{
    enum { LEAST = 5 }; /* with four the least p of ranks is 2 / 4! = 0.08 */
    double *level = ws_alloc((3 * m->n + 1) * sizeof *level), *sd = level + m->n, *squares = sd + m->n;
    size_t k = 0;
    ws_correlation r = {.status = WS_FIT_TOO_FEW};
    ws_test_begin(test, "spread against level");
    for (size_t i = 0; i < m->n_runs; i++)
        squares[m->of[i]] += m->deviation[i] * m->deviation[i];
    for (size_t c = 0; c < m->n; c++) {
        if (m->count[c] < 2)
            continue;
        level[k] = m->y[c];
        sd[k++] = sqrt(squares[c] / (double)(m->count[c] - 1));
    }
    ws_status status = k >= LEAST ? ws_spearman(level, sd, k, 0.95, &r, error) : WS_OK;
    free(level);
    bool has_p = r.status == WS_FIT_OK || r.status == WS_FIT_PERFECT; /* perfect: ranks in one order */
    test->status = r.status;
    if (status != WS_OK || !has_p || !ws_test_set(test, r.r, r.p_value))
        return status;
    if (r.p_value < 0.05)
        ws_say(test->sentence, sizeof test->sentence,
               "repeats spread %s where y is larger (rank correlation %s, %s): %s", r.r > 0 ? "more" : "less",
               ws_words_digits(r.r, 2).text, ws_words_p(r.p_value).text,
               m->in_logs ? "their errors are not in proportion to y; standard errors by --errors HC3 allow for that"
               : r.r > 0  ? "errors in proportion to y; --weights proportional, or a law in logs, allows for that"
                          : "the interval takes them to be of one size");
    return WS_OK;
}

void ws_leverage_of_one(const double *x, const double *y, size_t n, ws_test *test)
{
    /* Below either, intervals hold the truth in 93 % of cases even with errors in proportion to y. */
    static const double LARGE = 0.6;
    static const double RANGE = 3;
    double mean = 0, squares = 0, most = 0, least_y = INFINITY, most_y = 0;
    ws_test_begin(test, "leverage");
    for (size_t i = 0; i < n; i++)
        mean += x[i] / (double)n;
    for (size_t i = 0; i < n; i++) {
        double square = (x[i] - mean) * (x[i] - mean);
        squares += square;
        most = fmax(most, square);
        least_y = fmin(least_y, fabs(y[i]));
        most_y = fmax(most_y, fabs(y[i]));
    }
    if (!(squares > 0))
        return;
    test->status = WS_FIT_OK;
    test->statistic = most / squares;
    if (test->statistic > LARGE && most_y > RANGE * least_y && n > 3)
        ws_say(test->sentence, sizeof test->sentence,
               "one of %zu points decides %s %% of the slope: if errors grow with y, as they do for most times and "
               "energies, the interval is too narrow (--weights proportional, or a law in logs, allows for that)",
               n, ws_words_digits(100 * test->statistic, 2).text);
}

void ws_leverage_in_logs(const double *x, const double *y, size_t n, ws_test *test)
{
    static const double LARGE = 0.6, RANGE = 3; /* counts that double lie below either: 0.45 at four of them */
    double mean = 0, squares = 0, most = 0, least_y = INFINITY, most_y = 0;
    ws_test_begin(test, "leverage");
    for (size_t i = 0; i < n; i++)
        mean += log(x[i]) / (double)n;
    for (size_t i = 0; i < n; i++) {
        double square = pow(log(x[i]) - mean, 2);
        squares += square;
        most = fmax(most, square);
        least_y = fmin(least_y, y[i]);
        most_y = fmax(most_y, y[i]);
    }
    if (!(squares > 0))
        return;
    test->status = WS_FIT_OK;
    test->statistic = most / squares;
    if (test->statistic > LARGE && most_y > RANGE * least_y && n > 3)
        ws_say(
            test->sentence, sizeof test->sentence,
            "one of %zu points decides %s %% of the exponent, and how much it varies is not known from the others: the "
            "interval is wide for that reason, and a count between would narrow it",
            n, ws_words_digits(100 * test->statistic, 2).text);
}

void ws_span_of_values(const double *y, size_t n, ws_test *test)
{
    static const double SPAN = 10; /* below it, or with fewer than MANY, it holds in 93 % of cases all the same */
    enum { MANY = 6 };
    double least = INFINITY, most = 0;
    ws_test_begin(test, "span of y");
    for (size_t i = 0; i < n; i++) {
        least = fmin(least, y[i]);
        most = fmax(most, y[i]);
    }
    if (!(least > 0))
        return;
    test->status = WS_FIT_OK;
    test->statistic = most / least;
    if (test->statistic > SPAN && n >= MANY)
        ws_say(test->sentence, sizeof test->sentence,
               "y spans a factor of %s over %zu points: the interval takes errors to be in proportion to y, and is too "
               "narrow if they are of one size (standard errors by --errors HC3 allow for that)",
               ws_words_digits(test->statistic, 2).text, n);
}
