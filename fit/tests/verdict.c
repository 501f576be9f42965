/* Four answers from one interval of the change c = mean b / mean a - 1, turned so that more is worse:
 *
 *     no worse   upper end <= m        worse   lower end > m        undecided   otherwise
 *
 * The interval is Fieller's with Welch's degrees of freedom, for pairs with their covariance and n - 1, or that of the
 * bootstrap; of ratios exp(d -+ t se(d)) - 1 with d the difference of mean logarithms (Welch) or the mean logarithm of
 * the pairs' ratios (n - 1), of ranks that of the shift of the logarithms. With m = 0 two equal programs are hardly
 * ever "no worse": an m that matters has to be named. Each wrong answer has a chance of (1 - level) / 2 a comparison.
 * Repeats that would decide: as many that (z + z_0.8) standard errors of the ratio fit between the change seen and m.
 * Schuirmann 1987, J. Pharmacokinetics 15, on deciding by intervals. */
#include "fit/tests/verdict.h"

#include "fit/tests/bootstrap.h"
#include "fit/tests/ranks.h"
#include "fit/linear/effects.h"

#include "core/arena.h"
#include "fit/estimate.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_REPEATS = 100000, ROUGH_BELOW = 20 };
static const double Z_POWER = 0.8416212335729143; /* the normal's 80 % point */

const char *ws_verdict_name(ws_verdict_kind kind)
{
    static const char *const names[] = {"no-worse", "worse", "undecided", "unusable"};
    return (size_t)kind < sizeof names / sizeof *names ? names[kind] : "unknown";
}

static double covariance(const ws_verdict_input *in, const ws_verdict *v)
{
    long double sum = 0;
    for (size_t i = 0; i < in->n_a; i++)
        sum += ((long double)in->a[i] - v->a.mean) * ((long double)in->b[i] - v->b.mean);
    return (double)(sum / (long double)(in->n_a - 1));
}

static double ratio_of(const void *state, const size_t *index, size_t n)
{
    const ws_verdict_input *in = state;
    double a = 0, b = 0;
    size_t n_a = 0, n_b = 0;
    for (size_t i = 0; i < n; i++) {
        bool is_a = in->is_paired || index[i] < in->n_a;
        if (is_a) {
            a += in->a[index[i]];
            n_a++;
        }
        if (!is_a || in->is_paired) {
            b += in->b[in->is_paired ? index[i] : index[i] - in->n_a];
            n_b++;
        }
    }
    return n_a && n_b ? b / (double)n_b / (a / (double)n_a) : NAN;
}

static ws_status by_bootstrap(const ws_verdict_input *in, ws_verdict *v, ws_error *error)
{
    size_t n = in->is_paired ? in->n_a : in->n_a + in->n_b;
    size_t *stratum = ws_alloc((n + 1) * sizeof *stratum);
    ws_bootstrap b;
    for (size_t i = 0; i < n; i++)
        stratum[i] = !in->is_paired && i >= in->n_a;
    ws_status status = ws_bootstrap_bca(ratio_of, in, n, stratum, in->draws, in->seed, in->level, &b, error);
    free(stratum);
    if (status == WS_OK && b.status == WS_FIT_OK) {
        v->ci_lo = b.ci_lo - 1;
        v->ci_hi = b.ci_hi - 1;
    }
    if (status == WS_OK && (isnan(v->ci_lo) || isnan(v->ci_hi)))
        ws_say(v->sentence, sizeof v->sentence, "no interval by the bootstrap: %s", b.sentence);
    return status;
}

static void by_student(const ws_verdict_input *in, ws_verdict *v)
{
    ws_ratio ratio;
    if (!in->is_paired) {
        ws_ratio_of_means(&v->b, &v->a, in->level, &ratio);
        v->ci_lo = ratio.ci_lo - 1;
        v->ci_hi = ratio.ci_hi - 1;
        return;
    }
    double n = (double)in->n_a, lo, hi;
    if (ws_fieller(v->b.mean, v->a.mean, v->b.se * v->b.se, covariance(in, v) / n, v->a.se * v->a.se,
                   ws_student_quantile(in->level, n - 1), &lo, &hi)) {
        v->ci_lo = lo - 1;
        v->ci_hi = hi - 1;
    }
}

static void test_difference(const ws_verdict_input *in, ws_verdict *v)
{
    if (!in->is_paired) {
        ws_test welch;
        ws_welch(&v->a, &v->b, &welch);
        v->p_value = welch.p_value;
        return;
    }
    double n = (double)in->n_a;
    double variance = v->a.sd * v->a.sd + v->b.sd * v->b.sd - 2 * covariance(in, v);
    if (variance > 0)
        v->p_value = ws_student_two_sided((v->b.mean - v->a.mean) / sqrt(variance / n), n - 1);
}

/* "+9.97 %" */
static ws_words percent(double share)
{
    ws_words words = {""};
    ws_say(words.text, sizeof words.text, "%s%s %%", share < 0 ? "-" : "+",
           ws_words_to_error(100 * fabs(share), fmax(10 * fabs(share), 1e-3)).text);
    return words;
}

/* d and its standard error to the change, its interval and p. */
static void set_ratio(double d, double se, double df, double level, ws_verdict *v)
{
    double reach = ws_student_quantile(level, df) * se;
    v->change = expm1(d);
    if (!(se > 0))
        return;
    v->ci_lo = expm1(d - reach);
    v->ci_hi = expm1(d + reach);
    v->p_value = ws_student_two_sided(d / se, df);
}

static ws_status by_ratios(const ws_verdict_input *in, const double *ln_a, const double *ln_b, const double *ln_ratio,
                           ws_verdict *v, ws_error *error)
{
    ws_sample a, b;
    ws_test welch;
    if (in->is_paired) {
        ws_status status = ws_sample_describe(ln_ratio, in->n_a, in->level, &a, error);
        if (status == WS_OK)
            set_ratio(a.mean, a.se, (double)in->n_a - 1, in->level, v);
        return status;
    }
    ws_status status = ws_sample_describe(ln_a, in->n_a, in->level, &a, error);
    if (status == WS_OK)
        status = ws_sample_describe(ln_b, in->n_b, in->level, &b, error);
    if (status != WS_OK)
        return status;
    ws_welch(&a, &b, &welch);
    set_ratio(b.mean - a.mean, hypot(a.se, b.se), welch.df1, in->level, v);
    return WS_OK;
}

static ws_status by_ranks(const ws_verdict_input *in, const double *ln_a, const double *ln_b, const double *ln_ratio,
                          ws_verdict *v, ws_error *error)
{
    ws_ranks r;
    ws_status status = in->is_paired ? ws_signed_ranks(ln_ratio, in->n_a, in->level, &r, error)
                                     : ws_mann_whitney(ln_a, in->n_a, ln_b, in->n_b, in->level, &r, error);
    if (status != WS_OK)
        return status;
    v->change = expm1(r.shift);
    v->ci_lo = expm1(r.ci_lo);
    v->ci_hi = expm1(r.ci_hi);
    v->p_value = r.p_value;
    if (isnan(r.ci_lo))
        ws_say(v->sentence, sizeof v->sentence, "%s from %zu and %zu runs, but no interval: %s",
               percent(v->change).text, in->n_a, in->n_b, r.sentence);
    return WS_OK;
}

/* Ratios and ranks are those of the logarithms. */
static ws_status by_logarithms(const ws_verdict_input *in, ws_verdict *v, ws_error *error)
{
    double *ln_a = ws_alloc((2 * in->n_a + in->n_b + 1) * sizeof *ln_a), *ln_b = ln_a + in->n_a,
           *ln_ratio = ln_b + in->n_b;
    for (size_t i = 0; i < in->n_a; i++)
        ln_a[i] = log(in->a[i]);
    for (size_t i = 0; i < in->n_b; i++)
        ln_b[i] = log(in->b[i]);
    for (size_t i = 0; in->is_paired && i < in->n_a; i++)
        ln_ratio[i] = ln_b[i] - ln_a[i];
    ws_status status = (in->method == WS_BY_RATIOS ? by_ratios : by_ranks)(in, ln_a, ln_b, ln_ratio, v, error);
    free(ln_a);
    return status;
}

/* Variance of the ratio from one repeat a side. */
static double variance_of_one(const ws_verdict_input *in, const ws_verdict *v)
{
    double r = v->b.mean / v->a.mean, a = v->a.sd / v->a.mean, b = v->b.sd / v->a.mean;
    double shared = in->is_paired ? 2 * r * covariance(in, v) / (v->a.mean * v->a.mean) : 0;
    return fmax(0, r * r * a * a + b * b - shared);
}

static size_t repeats_to_decide(const ws_verdict_input *in, const ws_verdict *v, double distance)
{
    size_t have = in->n_a < in->n_b ? in->n_a : in->n_b;
    if (in->method == WS_BY_RANKS && have + 1 < ws_ranks_least(in->is_paired, in->level))
        have = ws_ranks_least(in->is_paired, in->level) - 1;
    double z = ws_normal_quantile(in->level) + Z_POWER;
    double n = ceil(z * z * variance_of_one(in, v) / (distance * distance)) + 1;
    if (!(n < MOST_REPEATS))
        return MOST_REPEATS;
    return (size_t)n > have ? (size_t)n : have + 1;
}

static void say_verdict(const ws_verdict_input *in, ws_verdict *v)
{
    char *text = v->sentence;
    size_t size = sizeof v->sentence;
    ws_say(text, size, "%s (%s: %s to %s) from %zu and %zu runs: ", percent(v->change).text,
           ws_words_level(in->level).text, percent(v->ci_lo).text, percent(v->ci_hi).text, in->n_a, in->n_b);
    char margin[WS_DOUBLE_TEXT + 4] = "";
    ws_say(margin, sizeof margin, "%s %%", ws_words_number(100 * in->min_effect).text);
    if (v->kind == WS_NO_WORSE)
        ws_say(text, size, "no worse by %s or more", margin);
    else if (v->kind == WS_WORSE)
        ws_say(text, size, "worse by more than %s", margin);
    else if (v->repeats < MOST_REPEATS)
        ws_say(text, size, "undecided about %s; some %zu runs a side would probably decide", margin, v->repeats);
    else
        ws_say(text, size, "undecided about %s, which is where the change lies: more runs will hardly decide", margin);
    if (in->draws && in->n_a + in->n_b < ROUGH_BELOW)
        ws_say(text, size, "; below %d runs a bootstrap is too narrow", ROUGH_BELOW);
}

/* The change turned so that more of it is worse, against the margin. */
void ws_verdict_decide(const ws_verdict_input *in, ws_verdict *v)
{
    double worst = in->more_is_better ? -v->ci_lo : v->ci_hi, best = in->more_is_better ? -v->ci_hi : v->ci_lo;
    double seen = in->more_is_better ? -v->change : v->change;
    v->kind = worst <= in->min_effect ? WS_NO_WORSE : best > in->min_effect ? WS_WORSE : WS_UNDECIDED;
    if (v->kind == WS_UNDECIDED)
        v->repeats = repeats_to_decide(in, v, seen - in->min_effect);
    say_verdict(in, v);
}

static bool verdict_refuse(const ws_verdict_input *in, ws_verdict *v)
{
    char *text = v->sentence;
    size_t size = sizeof v->sentence;
    v->kind = WS_UNUSABLE;
    if (!in->n_a || !in->n_b)
        ws_say(text, size, "there is no value on %s",
               in->n_a   ? "the side of B"
               : in->n_b ? "the side of A"
                         : "either side");
    else if (!(v->a.mean > 0) || !(v->b.mean > 0))
        ws_say(text, size, "a mean that is not above zero: no change in percent can be given");
    else if (in->method != WS_BY_MEANS && !(v->a.min > 0 && v->b.min > 0))
        ws_say(text, size, "a value that is not above zero has no ratio: compare means (--method means)");
    else if (in->n_a < 2 || in->n_b < 2) {
        v->kind = WS_UNDECIDED;
        v->repeats = in->method == WS_BY_RANKS ? ws_ranks_least(in->is_paired, in->level) : 2;
        v->change = v->b.mean / v->a.mean - 1;
        ws_say(text, size, "%zu and %zu runs: their spread is unknown, ", in->n_a, in->n_b);
        if (in->method == WS_BY_RANKS)
            ws_say(text, size, "and ranks take %s", ws_ranks_say_least(in->is_paired, in->level).text);
        else
            ws_say(text, size, "at least %zu a side are needed", v->repeats);
    } else if (!(v->a.sd > 0) && !(v->b.sd > 0))
        ws_say(text, size, "the runs of either side agree in every digit, which measurements do not: are they copies?");
    else
        return false;
    return true;
}

ws_status ws_judge(const ws_verdict_input *in, ws_verdict *v, ws_error *error)
{
    *v = (ws_verdict){.kind = WS_UNUSABLE, .change = NAN, .ci_lo = NAN, .ci_hi = NAN, .p_value = NAN};
    if (!(in->min_effect >= 0) || !isfinite(in->min_effect))
        return ws_fail(error, WS_USAGE, "a smallest effect of %s is none", ws_words_number(in->min_effect).text);
    if (in->is_paired && in->n_a != in->n_b)
        return ws_fail(error, WS_USAGE, "pairs need as many values of A (%zu) as of B (%zu)", in->n_a, in->n_b);
    ws_status status = ws_sample_describe(in->a, in->n_a, in->level, &v->a, error);
    if (status == WS_OK)
        status = ws_sample_describe(in->b, in->n_b, in->level, &v->b, error);
    if (status != WS_OK || verdict_refuse(in, v))
        return status;
    v->change = v->b.mean / v->a.mean - 1;
    if (in->method == WS_BY_MEANS)
        test_difference(in, v);
    if (in->method != WS_BY_MEANS)
        status = by_logarithms(in, v, error);
    else if (in->draws)
        status = by_bootstrap(in, v, error);
    else
        by_student(in, v);
    if (status != WS_OK)
        return status;
    if (isnan(v->ci_lo) || isnan(v->ci_hi)) {
        v->kind = WS_UNDECIDED;
        v->repeats = repeats_to_decide(in, v, (in->more_is_better ? -v->change : v->change) - in->min_effect);
        if (!v->sentence[0])
            ws_say(v->sentence, sizeof v->sentence,
                   "the spread leaves no interval of the change from %zu and %zu runs: add some", in->n_a, in->n_b);
        return WS_OK;
    }
    ws_verdict_decide(in, v);
    return WS_OK;
}
