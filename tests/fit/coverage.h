/* How often does an interval hold the truth, a test reject what is true? Experiments are drawn from simulate.h, and
 * each share is held against what is asked of it.
 *
 * Short form: 400 campaigns (fewer for slow fits) of each of three seeds, together. A share of N draws is off by four
 * binomial standard deviations, 4 sqrt(p (1 - p) / N), once in 16,000 times, so that is what it may be off the bounds.
 * COVERAGE_SETS=10000 is the full form: every seed alone has to keep the bounds as they are, and the table of
 * docs/methods.md is printed (a tenth of the sets for the slowest). COVERAGE_FROM=10 takes seeds 11 to 13,
 * COVERAGE_ONLY=speed-up the rows whose first name holds that; none loses its random numbers by it. */
#ifndef WS_TESTS_FIT_COVERAGE_H
#define WS_TESTS_FIT_COVERAGE_H

#include "harness.h"
#include "tests/fit/simulate.h"

#include "fit/fit.h"

#include <string.h>

enum { SEEDS = 3, MANY = 400, SOME = 80, FEW = 20, MOST_ROWS = 6 };

/* One number a row: 1 the interval holds the truth (or the test rejects), 0 not, NaN there was none. */
typedef void trial(sim *s, double *result);

typedef struct experiment {
    trial *run;
    size_t short_sets; /* of each seed in the short form: MANY, SOME, FEW by what they cost */
    struct {
        const char *what;
        double least, most; /* in per cent; 0 and 100 where the share is reported only */
    } row[MOST_ROWS];
} experiment;

static inline double holds(const ws_estimate *e, double truth)
{
    return isnan(e->ci_lo) || isnan(e->ci_hi) ? NAN : e->ci_lo <= truth && truth <= e->ci_hi;
}

static inline double fit_holds(const ws_fit *fit, const char *name, double truth)
{
    const ws_estimate *e = ws_fit_estimate(fit, name);
    return e ? holds(e, truth) : (double)NAN;
}

static inline double rejects(double p)
{
    return isnan(p) ? NAN : p <= 0.05;
}

typedef struct tally {
    double yes[MOST_ROWS], all[MOST_ROWS];
} tally;

static inline void run_sets(const experiment *e, uint64_t seed, uint64_t stream, size_t sets, tally *t)
{
    sim s = sim_begin(seed, stream);
    for (size_t i = 0; i < sets; i++) {
        double result[MOST_ROWS];
        for (size_t r = 0; r < MOST_ROWS; r++)
            result[r] = NAN;
        e->run(&s, result);
        for (size_t r = 0; r < MOST_ROWS; r++) {
            t->yes[r] += isnan(result[r]) ? 0 : result[r];
            t->all[r] += !isnan(result[r]);
        }
    }
}

static inline void check_share(const experiment *e, size_t r, const tally *t, double allowance)
{
    double share = 100 * t->yes[r] / t->all[r], least = e->row[r].least, most = e->row[r].most;
    double low = least - 100 * allowance * sqrt(least * (100 - least) / 1e4 / t->all[r]);
    double high = most + 100 * allowance * sqrt(most * (100 - most) / 1e4 / t->all[r]);
    ck_assert_msg(t->all[r] > 0, "%s: never defined", e->row[r].what);
    ck_assert_msg(share >= low && share <= high, "%s: %.2f %% of %.0f, not %.2f to %.2f", e->row[r].what, share,
                  t->all[r], low, high);
}

static inline void print_rows(const experiment *e, const tally *t, size_t sets)
{
    for (size_t r = 0; r < MOST_ROWS && e->row[r].what; r++) {
        printf("| %s |", e->row[r].what);
        for (size_t seed = 0; seed < SEEDS; seed++)
            printf(" %.2f |", 100 * t[seed].yes[r] / t[seed].all[r]);
        if (e->row[r].most < 100)
            printf(" %g to %g |", e->row[r].least, e->row[r].most);
        else if (e->row[r].least > 0)
            printf(" %g or more |", e->row[r].least);
        else
            printf(" reported |");
        printf(" %.2f |\n", 100 * (1 - t[0].all[r] / (double)sets));
    }
}

static inline void run_experiment(const experiment *e, uint64_t stream)
{
    const char *asked = getenv("COVERAGE_SETS"), *from = getenv("COVERAGE_FROM");
    uint64_t first = from ? strtoul(from, NULL, 10) + 1 : 1;
    size_t full = asked ? strtoul(asked, NULL, 10) : 0,
           sets = full ? full / (e->short_sets == FEW ? 10 : 1) : e->short_sets;
    tally each[SEEDS] = {{{0}, {0}}}, all = {{0}, {0}};
    for (size_t seed = 0; seed < SEEDS; seed++) {
        run_sets(e, first + seed, stream, sets, &each[seed]);
        for (size_t r = 0; r < MOST_ROWS; r++) {
            all.yes[r] += each[seed].yes[r];
            all.all[r] += each[seed].all[r];
        }
    }
    if (full)
        print_rows(e, each, sets);
    for (size_t r = 0; r < MOST_ROWS && e->row[r].what; r++)
        if (full)
            for (size_t seed = 0; seed < SEEDS; seed++)
                check_share(e, r, &each[seed], 0);
        else
            check_share(e, r, &all, 4);
}

/* Each with random numbers of its own, from `stream` on. */
static inline void run_experiments(const experiment *experiments, size_t n, uint64_t stream)
{
    const char *only = getenv("COVERAGE_ONLY");
    for (size_t k = 0; k < n; k++)
        if (!only || strstr(experiments[k].row[0].what, only))
            run_experiment(&experiments[k], stream + k);
}

#endif
