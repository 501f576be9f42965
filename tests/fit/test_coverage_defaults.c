/* Coverage of the intervals that `wattscale fit` prints by default: through the means of configurations, in logs for
 * laws of time or energy. Repeats of a configuration share its error; see coverage.h. */
#include "tests/fit/coverage.h"

#include "fit/laws/laws.h"
#include "fit/linear/robust.h"
#include "fit/linear/weighted.h"
#include "fit/means.h"
#include "fit/tests/mean_and_spread.h"
#include "fit/tests/repeats.h"
#include "fit/tests/groups.h"
#include "fit/tests/random_effects.h"

static const double LEVEL = 0.95;

/* How the errors of a configuration and of its runs come to a value. */
typedef enum error_kind {
    LOGNORMAL,  /* a factor exp(error) */
    PROPORTION, /* added, in proportion to the value */
    ONE_SIZE    /* added, of one size at all configurations */
} error_kind;

/* How often a configuration is repeated. */
typedef enum repeat_kind {
    ANY,      /* 1 to 5 times, in one half of the campaigns as often all */
    FALLS,    /* 5 times, and once the largest, runs spread 2 to 4 times as much as configurations */
    LACKS_ONE /* 5 times, and 4 times the largest, as where one job failed */
} repeat_kind;

typedef struct design {
    size_t least, most; /* configurations */
    error_kind kind;
    double far_off; /* how many times farther out the last count lies than twice the one before; 0: not */
    repeat_kind repeats;
    const double *gpus; /* the counts, as many as `most`, where they do not double */
} design;

typedef struct drawn {
    double x[SIM_RUNS], y[SIM_RUNS];
    size_t unit[SIM_RUNS], n;
} drawn;

typedef double law(double gpus);

static double gpus_at(const design *d, double first, size_t k, size_t counts)
{
    if (d->gpus)
        return d->gpus[k];
    return ldexp(first, (int)k) * (d->far_off > 0 && k + 1 == counts ? d->far_off : 1);
}

/* The spread of runs over that of configurations. */
static const struct {
    double least, most;
} run_spread[] = {[ANY] = {0.2, 2}, [FALLS] = {2, 4}, [LACKS_ONE] = {0.2, 2}};

/* GPU counts that double, 1 to 5 repeats of each, in one half of the campaigns as many of all. `from` makes the x of a
 * run, `truth` its true value. Errors of configurations are 1 to 5 % (of one size: of the least value), those of their
 * runs between a fifth and twice as large. */
static void draw(sim *s, const design *d, law *from, law *truth, drawn *to)
{
    size_t counts = sim_from_to(s, d->least, d->most), repeats = sim_from_to(s, 1, SIM_REPEATS);
    double first = (double)(1U << sim_from_to(s, 0, 2)), sd = sim_uniform(s, 0.01, 0.05);
    double of_run = sd * sim_uniform(s, run_spread[d->repeats].least, run_spread[d->repeats].most), least = INFINITY;
    bool even = sim_bits(s) & 1;
    for (size_t k = 0; k < counts; k++)
        least = fmin(least, truth(gpus_at(d, first, k, counts)));
    to->n = 0;
    for (size_t k = 0; k < counts; k++) {
        double gpus = gpus_at(d, first, k, counts), value = truth(gpus), own = sd * sim_normal(s);
        size_t n = d->repeats == ANY     ? even ? repeats : sim_from_to(s, 1, SIM_REPEATS)
                       : k + 1 < counts ? SIM_REPEATS
                   : d->repeats == FALLS ? 1
                                         : SIM_REPEATS - 1;
        for (size_t r = 0; r < n; r++, to->n++) {
            double error = own + of_run * sim_normal(s);
            to->x[to->n] = from(gpus);
            to->unit[to->n] = k;
            to->y[to->n] = d->kind == LOGNORMAL    ? value * exp(error)
                           : d->kind == PROPORTION ? value * (1 + error)
                                                   : value + least * error;
        }
    }
}

static double count(double gpus)
{
    return gpus;
}

/* GPU hours of a strong scaling with exponent 0.8: a range of three from 1 to 256 GPUs. */
static double gpu_hours(double gpus)
{
    return 100 * pow(gpus, 0.2);
}

static double run_time(double gpus)
{
    return 3600 * pow(gpus, -0.8);
}

static double line_in_hours(double gpus)
{
    return 5 + 0.25 * gpu_hours(gpus);
}

static double share_of_hours(double gpus)
{
    return 0.25 * gpu_hours(gpus);
}

static double line_in_gpus(double gpus)
{
    return 20 + gpus;
}

static double share_of_gpus(double gpus)
{
    return 0.25 * gpus;
}

static double amdahl_time(double gpus)
{
    return 3600 * (0.02 + 0.98 / gpus);
}

typedef ws_status fit_function(const double *x, const double *y, size_t n, const ws_replication *runs, double level,
                               ws_fit *fit, double *residual, ws_error *error);

/* Of fits that take all means as equally good. */
#define OF_MEANS_ALIKE(name, function)                                                                          \
    static ws_status name(const double *x, const double *y, size_t n, const ws_replication *runs, double level, \
                          ws_fit *fit, double *residual, ws_error *error)                                       \
    {                                                                                                           \
        (void)runs;                                                                                             \
        return function(x, y, n, level, fit, residual, error);                                                  \
    }
OF_MEANS_ALIKE(powerlaw_unequal, ws_fit_powerlaw_unequal)
OF_MEANS_ALIKE(powerlaw_equal, ws_fit_powerlaw)
OF_MEANS_ALIKE(line_equal, ws_fit_line)

static ws_fit through_means(sim *s, const design *d, law *from, law *truth, bool in_logs, fit_function *function)
{
    drawn runs;
    ws_means means;
    ws_fit fit;
    draw(s, d, from, truth, &runs);
    ck_assert_int_eq(ws_means_take(runs.x, runs.y, runs.unit, runs.n, in_logs, &means, NULL), WS_OK);
    const ws_replication of_runs = ws_means_replication(&means);
    ck_assert_int_eq(function(means.x, means.y, means.n, &of_runs, LEVEL, &fit, NULL, NULL), WS_OK);
    ws_means_free(&means);
    return fit;
}

#define EXPONENT(name, least, most, kind)                                           \
    static void name(sim *s, double *result)                                        \
    {                                                                               \
        const design d = {least, most, kind, 0, ANY, NULL};                         \
        ws_fit fit = through_means(s, &d, count, run_time, true, powerlaw_unequal); \
        result[0] = fit_holds(&fit, "exponent", -0.8);                              \
        result[1] = fit_holds(&fit, "factor", 3600);                                \
    }
EXPONENT(exponent_lognormal, 3, 9, LOGNORMAL)
EXPONENT(exponent_proportion, 3, 9, PROPORTION)
EXPONENT(exponent_of_three, 3, 3, LOGNORMAL)
EXPONENT(exponent_of_three_one_size, 3, 3, ONE_SIZE)
EXPONENT(exponent_one_size, 3, 5, ONE_SIZE)
EXPONENT(exponent_one_size_of_many, 6, 9, ONE_SIZE)
EXPONENT(exponent_of_ten, 10, 10, ONE_SIZE)

static void exponent_of_far_one(sim *s, error_kind kind, double *result)
{
    const design d = {3, 3, kind, 50, ANY, NULL};
    ws_fit fit = through_means(s, &d, count, run_time, true, powerlaw_unequal);
    result[0] = fit_holds(&fit, "exponent", -0.8);
    result[1] = fit_holds(&fit, "factor", 3600);
}

static void exponent_of_far_one_size(sim *s, double *result)
{
    exponent_of_far_one(s, ONE_SIZE, result);
}

static void exponent_of_far_lognormal(sim *s, double *result)
{
    exponent_of_far_one(s, LOGNORMAL, result);
}

/* One count far off, and two clusters of counts: each design in one campaign of eight. */
typedef struct gpu_counts {
    size_t n;
    double gpus[8];
} gpu_counts;

static void exponent_over_any_of(const gpu_counts *uneven, size_t n, sim *s, error_kind kind, double *result)
{
    const gpu_counts *at = &uneven[sim_from_to(s, 0, n - 1)];
    const design d = {at->n, at->n, kind, 0, ANY, at->gpus};
    ws_fit fit = through_means(s, &d, count, run_time, true, powerlaw_unequal);
    result[0] = fit_holds(&fit, "exponent", -0.8);
    result[1] = fit_holds(&fit, "factor", 3600);
}

static void exponent_over_a_gap(sim *s, error_kind kind, double *result)
{
    static const gpu_counts uneven[] = {{4, {4, 6, 8, 128}},        {4, {2, 3, 4, 64}},        {4, {8, 12, 16, 128}},
                                        {5, {16, 24, 32, 48, 512}}, {6, {4, 5, 6, 7, 8, 128}}, {5, {2, 3, 8, 96, 256}},
                                        {4, {3, 4, 32, 128}},       {6, {1, 2, 3, 8, 64, 96}}};
    exponent_over_any_of(uneven, sizeof uneven / sizeof *uneven, s, kind, result);
}

/* Counts that double but for one or two, or nearly. */
static void exponent_over_uneven_counts(sim *s, error_kind kind, double *result)
{
    static const gpu_counts uneven[] = {{7, {4, 6, 8, 16, 32, 64, 128}}, {7, {1, 2, 4, 8, 16, 24, 32}},
                                        {7, {2, 3, 5, 8, 14, 30, 64}},   {6, {4, 8, 16, 32, 48, 64}},
                                        {8, {1, 2, 3, 4, 6, 8, 16, 32}}, {7, {1, 2, 4, 6, 8, 16, 32}},
                                        {7, {4, 8, 16, 24, 32, 48, 64}}};
    exponent_over_any_of(uneven, sizeof uneven / sizeof *uneven, s, kind, result);
}

static void exponent_over_uneven_one_size(sim *s, double *result)
{
    exponent_over_uneven_counts(s, ONE_SIZE, result);
}

static void exponent_over_uneven_lognormal(sim *s, double *result)
{
    exponent_over_uneven_counts(s, LOGNORMAL, result);
}

/* Over 1, 2, 3 ... or 4, 8, 12 ... GPUs, of which the first is far from the others in logarithms: times that fall, and
 * energies that rise. */
static void over_linear_counts(sim *s, error_kind kind, law *truth, double exponent, double factor, double *result)
{
    static const double linear[SIM_COUNTS] = {4, 8, 12, 16, 20, 24, 28, 32, 36};
    const design d = {3, SIM_MOST_COUNTS, kind, 0, ANY, linear};
    ws_fit fit = through_means(s, &d, count, truth, true, powerlaw_unequal);
    result[0] = fit_holds(&fit, "exponent", exponent);
    result[1] = fit_holds(&fit, "factor", factor);
}

static void exponent_over_linear_counts(sim *s, double *result)
{
    over_linear_counts(s, LOGNORMAL, run_time, -0.8, 3600, result);
    over_linear_counts(s, ONE_SIZE, run_time, -0.8, 3600, result + 2);
}

static void rising_exponent_over_linear_counts(sim *s, double *result)
{
    over_linear_counts(s, LOGNORMAL, share_of_gpus, 1, 0.25, result);
    over_linear_counts(s, ONE_SIZE, share_of_gpus, 1, 0.25, result + 2);
}

static void exponent_over_a_gap_one_size(sim *s, double *result)
{
    exponent_over_a_gap(s, ONE_SIZE, result);
}

static void exponent_over_a_gap_lognormal(sim *s, double *result)
{
    exponent_over_a_gap(s, LOGNORMAL, result);
}

#define LINE(name, least, most, kind, from, truth, slope, intercept)                 \
    static void name(sim *s, double *result)                                         \
    {                                                                                \
        const design d = {least, most, kind, 0, ANY, NULL};                          \
        ws_fit fit = through_means(s, &d, from, truth, false, ws_fit_line_of_means); \
        result[0] = fit_holds(&fit, "slope", slope);                                 \
        result[1] = fit_holds(&fit, "intercept", intercept);                         \
    }
LINE(line_lognormal, 3, 9, LOGNORMAL, gpu_hours, line_in_hours, 0.25, 5)
LINE(line_proportion, 3, 9, PROPORTION, gpu_hours, line_in_hours, 0.25, 5)
LINE(line_one_size, 3, 9, ONE_SIZE, gpu_hours, line_in_hours, 0.25, 5)
LINE(line_of_three, 3, 3, PROPORTION, gpu_hours, line_in_hours, 0.25, 5)
LINE(line_of_many, 8, 10, PROPORTION, gpu_hours, line_in_hours, 0.25, 5)
LINE(line_over_gpus_one_size, 3, 9, ONE_SIZE, count, line_in_gpus, 1, 20)
LINE(line_over_gpus_proportion, 3, 9, PROPORTION, count, line_in_gpus, 1, 20)
LINE(line_over_many_gpus_proportion, 7, 10, PROPORTION, count, line_in_gpus, 1, 20)

#define FACTOR(name, least, most, kind, from, truth)                                   \
    static void name(sim *s, double *result)                                           \
    {                                                                                  \
        const design d = {least, most, kind, 0, ANY, NULL};                            \
        ws_fit fit = through_means(s, &d, from, truth, false, ws_fit_origin_of_means); \
        result[0] = fit_holds(&fit, "mean-of-ratios", 0.25);                           \
        result[1] = fit_holds(&fit, "slope", 0.25);                                    \
        result[2] = fit_holds(&fit, "ratio-of-sums", 0.25);                            \
        result[3] = fit_holds(&fit, "slope-with-intercept", 0.25);                     \
        result[4] = fit_holds(&fit, "intercept", 0);                                   \
    }
FACTOR(factor_lognormal, 3, 9, LOGNORMAL, count, share_of_gpus)
FACTOR(factor_proportion, 3, 9, PROPORTION, count, share_of_gpus)
FACTOR(factor_of_three, 3, 3, PROPORTION, count, share_of_gpus)
FACTOR(factor_one_size, 3, 9, ONE_SIZE, gpu_hours, share_of_hours)
FACTOR(factor_over_gpus_one_size, 3, 9, ONE_SIZE, count, share_of_gpus)

/* One run each of 1 to 100 GPUs, as a monitor of many jobs gives them. */
static void many_points(sim *s, error_kind kind, double *result)
{
    enum { N = 100 };
    double x[N], y[N], sd = sim_uniform(s, 0.01, 0.05);
    ws_fit line, origin;
    for (size_t i = 0; i < N; i++) {
        x[i] = (double)i + 1;
        y[i] = share_of_gpus(x[i]) + sd * share_of_gpus(kind == ONE_SIZE ? 1 : x[i]) * sim_normal(s);
    }
    ck_assert_int_eq(ws_fit_line_unequal(x, y, N, LEVEL, &line, NULL, NULL), WS_OK);
    ck_assert_int_eq(ws_fit_origin_unequal(x, y, N, LEVEL, &origin, NULL, NULL), WS_OK);
    result[0] = fit_holds(&line, "slope", 0.25);
    result[1] = fit_holds(&line, "intercept", 0);
    result[2] = fit_holds(&origin, "slope", 0.25);
    result[3] = fit_holds(&origin, "ratio-of-sums", 0.25);
    result[4] = fit_holds(&origin, "mean-of-ratios", 0.25);
}

static void many_points_one_size(sim *s, double *result)
{
    many_points(s, ONE_SIZE, result);
}

static void many_points_proportion(sim *s, double *result)
{
    many_points(s, PROPORTION, result);
}

static ws_status amdahl_in_logs(const double *x, const double *y, size_t n, const ws_replication *runs, double level,
                                ws_fit *fit, double *residual, ws_error *error)
{
    const ws_law_input in = {
        .x = x, .y = y, .n = n, .level = level, .in_logs = true, .without_loocv = true, .replication = runs};
    return ws_fit_amdahl(&in, fit, residual, error);
}

static void amdahl(sim *s, double *result)
{
    const design d = {4, 9, LOGNORMAL, 0, ANY, NULL};
    ws_fit fit = through_means(s, &d, count, amdahl_time, true, amdahl_in_logs);
    result[0] = fit_holds(&fit, "serial-fraction", 0.02);
}

static ws_status usl_in_logs(const double *x, const double *y, size_t n, const ws_replication *runs, double level,
                             ws_fit *fit, double *residual, ws_error *error)
{
    const ws_law_input in = {
        .x = x, .y = y, .n = n, .level = level, .in_logs = true, .without_loocv = true, .replication = runs};
    return ws_fit_usl_bounded(&in, fit, residual, error);
}

static ws_status floor_in_logs(const double *x, const double *y, size_t n, const ws_replication *runs, double level,
                               ws_fit *fit, double *residual, ws_error *error)
{
    const ws_law_input in = {
        .x = x, .y = y, .n = n, .level = level, .in_logs = true, .without_loocv = true, .replication = runs};
    return ws_fit_floor(&in, fit, residual, error);
}

/* Contention of 2 % and a coherency that bends, hardly bends, or is not there; and no contention. */
static double usl_rate(double gpus, double alpha, double beta)
{
    return 100 * gpus / (1 + alpha * (gpus - 1) + beta * gpus * (gpus - 1));
}

static double rate_bent(double gpus)
{
    return usl_rate(gpus, 0.02, 3e-4);
}

static double rate_weak(double gpus)
{
    return usl_rate(gpus, 0.02, 1e-5);
}

static double rate_without_coherency(double gpus)
{
    return usl_rate(gpus, 0.02, 0);
}

static double rate_without_contention(double gpus)
{
    return usl_rate(gpus, 0, 3e-4);
}

#define USL(name, least, most, kind, truth, true_alpha, true_beta)          \
    static void name(sim *s, double *result)                                \
    {                                                                       \
        const design d = {least, most, kind, 0, ANY, NULL};                 \
        ws_fit fit = through_means(s, &d, count, truth, true, usl_in_logs); \
        result[0] = fit_holds(&fit, "alpha", true_alpha);                   \
        result[1] = fit_holds(&fit, "beta", true_beta);                     \
    }

/* Of an interval that may have no upper end; a peak without a value has no interval. */
static double peak_holds(const ws_fit *fit, double truth)
{
    const ws_estimate *e = ws_fit_estimate(fit, "peak");
    if (!e || isnan(e->ci_lo))
        return NAN;
    return e->ci_lo <= truth && !(e->ci_hi < truth);
}

static void usl_weak(sim *s, double *result)
{
    const design d = {5, 6, LOGNORMAL, 0, ANY, NULL};
    ws_fit fit = through_means(s, &d, count, rate_weak, true, usl_in_logs);
    result[0] = fit_holds(&fit, "alpha", 0.02);
    result[1] = fit_holds(&fit, "beta", 1e-5);
    result[2] = peak_holds(&fit, sqrt(0.98 / 1e-5));
}

static void usl_bent_within_few(sim *s, double *result)
{
    const design d = {5, 6, LOGNORMAL, 0, ANY, NULL};
    ws_fit fit = through_means(s, &d, count, rate_bent, true, usl_in_logs);
    result[0] = peak_holds(&fit, sqrt((1 - 0.02) / 3e-4));
}

static void usl_bent(sim *s, double *result)
{
    const design d = {8, 8, PROPORTION, 0, ANY, NULL};
    ws_fit fit = through_means(s, &d, count, rate_bent, true, usl_in_logs);
    double peak = sqrt((1 - 0.02) / 3e-4);
    result[0] = fit_holds(&fit, "alpha", 0.02);
    result[1] = fit_holds(&fit, "beta", 3e-4);
    result[2] = peak_holds(&fit, peak);
    result[3] = fit_holds(&fit, "peak-throughput", rate_bent(peak));
    result[4] = fit_holds(&fit, "limit", rate_bent(1) / 0.02);
}

USL(usl_without_coherency, 5, 8, LOGNORMAL, rate_without_coherency, 0.02, 0)
USL(usl_without_contention, 5, 8, LOGNORMAL, rate_without_contention, 0, 3e-4)

static double floored_time(double gpus)
{
    return 3600 * pow(gpus, -0.9) + 100;
}

static void floored(sim *s, double *result)
{
    const design d = {5, 9, PROPORTION, 0, ANY, NULL};
    ws_fit fit = through_means(s, &d, count, floored_time, true, floor_in_logs);
    result[0] = fit_holds(&fit, "exponent", -0.9);
    result[1] = fit_holds(&fit, "floor", 100);
}

/* Every count run five times but the largest, which was run once. */
static void line_where_repeats_fall(sim *s, double *result)
{
    const design d = {4, 9, PROPORTION, 0, FALLS, NULL}, of_one_size = {4, 9, ONE_SIZE, 0, FALLS, NULL};
    ws_fit fit = through_means(s, &d, count, line_in_gpus, false, ws_fit_line_of_means);
    result[0] = fit_holds(&fit, "slope", 1);
    result[1] = fit_holds(&fit, "intercept", 20);
    fit = through_means(s, &of_one_size, gpu_hours, line_in_hours, false, ws_fit_line_of_means);
    result[2] = fit_holds(&fit, "slope", 0.25);
    fit = through_means(s, &d, gpu_hours, share_of_hours, false, ws_fit_origin_of_means);
    result[3] = fit_holds(&fit, "slope-with-intercept", 0.25);
    result[4] = fit_holds(&fit, "slope", 0.25);
    result[5] = fit_holds(&fit, "mean-of-ratios", 0.25);
}

static void laws_where_repeats_fall(sim *s, double *result)
{
    const design d = {6, 9, LOGNORMAL, 0, FALLS, NULL};
    ws_fit fit = through_means(s, &d, count, amdahl_time, true, amdahl_in_logs);
    result[0] = fit_holds(&fit, "serial-fraction", 0.02);
    fit = through_means(s, &d, count, floored_time, true, floor_in_logs);
    result[1] = fit_holds(&fit, "exponent", -0.9);
    result[2] = fit_holds(&fit, "floor", 100);
    fit = through_means(s, &d, count, rate_bent, true, usl_in_logs);
    result[3] = fit_holds(&fit, "beta", 3e-4);
    result[4] = peak_holds(&fit, sqrt((1 - 0.02) / 3e-4));
    fit = through_means(s, &d, count, run_time, true, powerlaw_unequal);
    result[5] = fit_holds(&fit, "exponent", -0.8);
}

static void laws_where_a_run_is_missing(sim *s, double *result)
{
    const design three = {3, 3, LOGNORMAL, 0, LACKS_ONE, NULL}, five = {5, 5, LOGNORMAL, 0, LACKS_ONE, NULL};
    ws_fit fit = through_means(s, &three, count, amdahl_time, true, amdahl_in_logs);
    result[0] = fit_holds(&fit, "serial-fraction", 0.02);
    fit = through_means(s, &five, count, floored_time, true, floor_in_logs);
    result[1] = fit_holds(&fit, "exponent", -0.9);
    result[2] = fit_holds(&fit, "floor", 100);
    fit = through_means(s, &five, count, rate_bent, true, usl_in_logs);
    result[3] = fit_holds(&fit, "alpha", 0.02);
    result[4] = fit_holds(&fit, "beta", 3e-4);
    fit = through_means(s, &three, count, line_in_gpus, false, ws_fit_line_of_means);
    result[5] = fit_holds(&fit, "slope", 1);
}

/* By --errors equal, as textbooks have it; by weights 1/y^2; and by HC3 in logs. */
static void equal_errors(sim *s, double *result)
{
    const design many = {6, 9, ONE_SIZE, 0, ANY, NULL}, grows = {3, 9, PROPORTION, 0, ANY, NULL};
    ws_fit fit = through_means(s, &many, count, run_time, true, powerlaw_equal);
    result[0] = fit_holds(&fit, "exponent", -0.8);
    fit = through_means(s, &grows, count, line_in_gpus, false, line_equal);
    result[1] = fit_holds(&fit, "slope", 1);
}

static ws_status weighted_line_of(const double *x, const double *y, size_t n, double level, ws_fit *fit,
                                  double *residual, ws_error *error)
{
    static const char *const names[] = {"slope"};
    double weight[SIM_COUNTS];
    const ws_weighting weighting = {.weight = weight};
    ws_weighted weighted;
    for (size_t i = 0; i < n; i++)
        weight[i] = 1 / (y[i] * y[i]);
    ws_status status = ws_fit_weighted(&x, names, 1, y, n, &weighting, level, &weighted, residual, error);
    *fit = weighted.fit;
    return status;
}

static ws_status logs_by_hc3_of(const double *x, const double *y, size_t n, double level, ws_fit *fit, double *residual,
                                ws_error *error)
{
    static const char *const names[] = {"exponent"};
    double ln_x[SIM_COUNTS], ln_y[SIM_COUNTS];
    const double *const columns[] = {ln_x};
    for (size_t i = 0; i < n; i++) {
        ln_x[i] = log(x[i]);
        ln_y[i] = log(y[i]);
    }
    return ws_fit_sandwich(columns, names, 1, ln_y, n, WS_HC3, level, fit, residual, error);
}

OF_MEANS_ALIKE(weighted_line, weighted_line_of)
OF_MEANS_ALIKE(logs_by_hc3, logs_by_hc3_of)

static void proportional_line(sim *s, double *result)
{
    const design d = {3, 9, PROPORTION, 0, ANY, NULL};
    ws_fit fit = through_means(s, &d, count, line_in_gpus, false, weighted_line);
    result[0] = fit_holds(&fit, "slope", 1);
    result[1] = fit_holds(&fit, "intercept", 20);
}

static void exponent_by_hc3(sim *s, double *result)
{
    const design d = {6, 9, ONE_SIZE, 0, ANY, NULL};
    ws_fit fit = through_means(s, &d, count, run_time, true, logs_by_hc3);
    result[0] = fit_holds(&fit, "exponent", -0.8);
}

/* What runs as points would say of the same campaigns. */
static void exponent_of_runs(sim *s, double *result)
{
    const design d = {3, 9, LOGNORMAL, 0, ANY, NULL};
    drawn runs;
    ws_fit fit;
    draw(s, &d, count, run_time, &runs);
    ck_assert_int_eq(ws_fit_powerlaw(runs.x, runs.y, runs.n, LEVEL, &fit, NULL, NULL), WS_OK);
    result[0] = fit_holds(&fit, "exponent", -0.8);
}

/* Several models whose true exponents differ: the mean of all that might have been taken, and the exponent of one more.
 */
static void mean_of_models(sim *s, double *result)
{
    enum { MODELS = 8 };
    const design d = {5, 9, LOGNORMAL, 0, ANY, NULL};
    double x[MODELS * SIM_COUNTS] = {0}, y[MODELS * SIM_COUNTS] = {0}, value[MODELS], se[MODELS];
    double between = sim_uniform(s, 0, 0.1), one_more = -0.8 + between * sim_normal(s);
    size_t group[MODELS * SIM_COUNTS] = {0}, n = 0, k = sim_from_to(s, 3, MODELS);
    ws_slopes slopes;
    ws_random_effects r;
    for (size_t g = 0; g < k; g++) {
        drawn runs;
        ws_means means;
        double own = between * sim_normal(s);
        draw(s, &d, count, run_time, &runs);
        ck_assert_int_eq(ws_means_take(runs.x, runs.y, runs.unit, runs.n, true, &means, NULL), WS_OK);
        for (size_t i = 0; i < means.n; i++, n++) {
            x[n] = log(means.x[i]);
            y[n] = log(means.y[i]) + own * x[n];
            group[n] = g;
        }
        ws_means_free(&means);
    }
    ck_assert_int_eq(ws_compare_slopes(x, y, group, n, k, LEVEL, 0, &slopes, NULL), WS_OK);
    for (size_t g = 0; g < k; g++) {
        value[g] = slopes.line[g].slope;
        se[g] = slopes.sigma / sqrt(slopes.line[g].sxx);
    }
    ck_assert_int_eq(ws_random_effects_of(value, se, k, LEVEL, &r, NULL), WS_OK);
    ws_slopes_free(&slopes);
    result[0] = holds(&r.alike, -0.8);
    result[1] = r.next_lo <= one_more && one_more <= r.next_hi;
    result[2] = holds(&r.mean, -0.8);
}

/* A table of means with the number of their runs, 1 to 5, and their RMSE; the last mean's runs spread `times` as much
 * as the first one's, and configurations have errors of their own of `own` times the runs'. Weights by the number of
 * runs
 * (`pooled`), or by each mean's own spread. */
static double weighted_holds(sim *s, double own, double times, bool by_own_spread)
{
    static const char *const names[] = {"exponent"};
    double x[SIM_COUNTS], y[SIM_COUNTS], weight[SIM_COUNTS], of_run = sim_uniform(s, 0.01, 0.05);
    const double *const columns[] = {x};
    const ws_weighting weighting = {.weight = weight, .are_rough = true};
    double variance[SIM_COUNTS], runs[SIM_COUNTS], squares = 0, df = 0;
    size_t n = sim_from_to(s, 3, 9);
    ws_weighted weighted;
    for (size_t i = 0; i < n; i++) {
        double sd = of_run * pow(times, (double)i / (double)(n - 1)), value[SIM_REPEATS], mean = 0, about = 0;
        runs[i] = (double)sim_from_to(s, i ? 1 : 2, SIM_REPEATS);
        for (size_t r = 0; r < (size_t)runs[i]; r++) {
            value[r] = sd * sim_normal(s);
            mean += value[r] / runs[i];
        }
        for (size_t r = 0; r < (size_t)runs[i]; r++)
            about += (value[r] - mean) * (value[r] - mean);
        variance[i] = about / (runs[i] - 1);
        squares += about;
        df += runs[i] - 1;
        x[i] = log(ldexp(1, (int)i));
        y[i] = log(run_time(ldexp(1, (int)i))) + mean + own * of_run * sim_normal(s);
    }
    for (size_t i = 0; i < n; i++)
        weight[i] = runs[i] / (by_own_spread && runs[i] > 1 ? variance[i] : squares / df);
    ck_assert_int_eq(ws_fit_weighted(columns, names, 1, y, n, &weighting, LEVEL, &weighted, NULL, NULL), WS_OK);
    return fit_holds(&weighted.fit, "exponent", -0.8);
}

static void weighted_exponent(sim *s, double *result)
{
    result[0] = weighted_holds(s, 0, 1, false);
    result[1] = weighted_holds(s, 1, 1, false);
    result[2] = weighted_holds(s, 0, 10, false);
}

static void exponent_weighted_by_own(sim *s, double *result)
{
    result[0] = weighted_holds(s, 0, 1, true);
    result[1] = weighted_holds(s, 1, 1, true);
    result[2] = weighted_holds(s, 0, 10, true);
}

static ws_status huber_of_logs(const double *x, const double *y, size_t n, ws_fit *huber, ws_fit *theil_sen)
{
    double ln_x[SIM_COUNTS], ln_y[SIM_COUNTS];
    for (size_t i = 0; i < n; i++) {
        ln_x[i] = log(x[i]);
        ln_y[i] = log(y[i]);
    }
    ws_status status = ws_fit_huber(ln_x, ln_y, n, LEVEL, huber, NULL, NULL, NULL);
    return status == WS_OK ? ws_fit_theil_sen(ln_x, ln_y, n, LEVEL, theil_sen, NULL, NULL) : status;
}

static void robust_exponents(sim *s, double *result)
{
    const design d = {6, 9, LOGNORMAL, 0, ANY, NULL};
    drawn runs;
    ws_means means;
    ws_fit huber, theil_sen;
    draw(s, &d, count, run_time, &runs);
    ck_assert_int_eq(ws_means_take(runs.x, runs.y, runs.unit, runs.n, true, &means, NULL), WS_OK);
    ck_assert_int_eq(huber_of_logs(means.x, means.y, means.n, &huber, &theil_sen), WS_OK);
    ws_means_free(&means);
    result[0] = fit_holds(&huber, "slope", -0.8);
    result[1] = fit_holds(&theil_sen, "slope", -0.8);
}

static double covers_ratio(const ws_ratio *ratio, double truth)
{
    return isnan(ratio->ci_lo) ? NAN : ratio->ci_lo <= truth && truth <= ratio->ci_hi;
}

enum { RATIO_COUNTS = 5 };

/* The largest of five configurations over the least, as 'wattscale scale' takes them: by the spread pooled over all
 * five, and by the repeats of the two alone. sd: of the logarithms of each. */
static void ratio_of(sim *s, const size_t runs[RATIO_COUNTS], const double sd[RATIO_COUNTS], double *result)
{
    double ln[SIM_RUNS], count[SIM_RUNS];
    size_t n = 0, from[RATIO_COUNTS + 1] = {0};
    ws_sample of[2];
    ws_repeats all;
    ws_ratio own, pooled;
    for (size_t k = 0; k < RATIO_COUNTS; k++) {
        for (size_t r = 0; r < runs[k]; r++, n++) {
            count[n] = (double)(1U << k);
            ln[n] = -0.8 * (double)k + sd[k] * sim_normal(s);
        }
        from[k + 1] = n;
    }
    ws_sample_describe(ln, from[1], LEVEL, &of[0], NULL);
    ws_sample_describe(ln + from[4], from[5] - from[4], LEVEL, &of[1], NULL);
    ws_repeats_find(count, ln, n, &all, NULL);
    ws_ratio_of_logs(&of[0], &of[1], LEVEL, &own);
    ws_ratio_pooled(&of[0], &of[1], all.pooled_sd, all.df, LEVEL, &pooled);
    ws_repeats_free(&all);
    result[0] = covers_ratio(&pooled, exp(3.2));
    result[1] = covers_ratio(&own, exp(3.2));
}

/* The largest with `times` the spread of the others. */
static void ratio_of_spreads(sim *s, size_t least, size_t most, double times, double *result)
{
    double alike = sim_uniform(s, 0.005, 0.03), sd[RATIO_COUNTS];
    size_t runs[RATIO_COUNTS];
    for (size_t k = 0; k < RATIO_COUNTS; k++) {
        runs[k] = sim_from_to(s, least, most);
        sd[k] = (k == RATIO_COUNTS - 1 ? times : 1) * alike;
    }
    ratio_of(s, runs, sd, result);
}

/* A speed-up of configurations with unequal numbers of runs, the first with `times` the spread of the other. */
static double unequal_holds(sim *s, size_t n_a, size_t n_b, double times)
{
    double ln_a[SIM_RUNS], ln_b[SIM_RUNS];
    ws_sample a, b;
    ws_ratio ratio;
    for (size_t i = 0; i < n_a; i++)
        ln_a[i] = 3.2 + 0.02 * times * sim_normal(s);
    for (size_t i = 0; i < n_b; i++)
        ln_b[i] = 0.02 * sim_normal(s);
    ws_sample_describe(ln_a, n_a, LEVEL, &a, NULL);
    ws_sample_describe(ln_b, n_b, LEVEL, &b, NULL);
    ws_ratio_of_logs(&a, &b, LEVEL, &ratio);
    return ratio.ci_lo <= exp(3.2) && exp(3.2) <= ratio.ci_hi;
}

static void ratio_of_unequal_repeats(sim *s, double *result)
{
    result[0] = unequal_holds(s, 2, 5, 1);
    result[1] = unequal_holds(s, 2, 5, 2);
    result[2] = unequal_holds(s, 2, 20, 1);
    result[3] = unequal_holds(s, 3, 10, 1);
    result[4] = unequal_holds(s, 3, 10, 3);
    result[5] = unequal_holds(s, 5, 10, 0.5);
}

static void ratio_alike(sim *s, double *result)
{
    ratio_of_spreads(s, 3, 5, 1, result);
}

static void ratio_of_threes(sim *s, double *result)
{
    ratio_of_spreads(s, 3, 3, 1, result);
}

/* Of one run on one side or both there is no interval by the repeats of both. */
static void ratio_run_once(sim *s, double *result)
{
    static const size_t runs[][RATIO_COUNTS] = {{1, 3, 3, 3, 3}, {3, 3, 3, 3, 1}, {1, 1, 3, 1, 1}, {3, 1, 1, 1, 1}};
    double sd[RATIO_COUNTS], alike = sim_uniform(s, 0.005, 0.03), both[2];
    for (size_t k = 0; k < RATIO_COUNTS; k++)
        sd[k] = alike;
    for (size_t i = 0; i < 4; i++) {
        ratio_of(s, runs[i], sd, both);
        result[i] = both[0];
    }
}

/* Times of one size of error, 1 % of those at the fewest: at the most GPUs a share that is nine times as large. */
static void ratio_one_size(sim *s, double *result)
{
    static const size_t runs[RATIO_COUNTS] = {3, 3, 3, 3, 3};
    double sd[RATIO_COUNTS];
    for (size_t k = 0; k < RATIO_COUNTS; k++)
        sd[k] = 0.002 * exp(0.8 * (double)k);
    ratio_of(s, runs, sd, result);
}

static void ratio_of_any(sim *s, double *result)
{
    ratio_of_spreads(s, 1, 5, 1, result);
}

static void ratio_apart(sim *s, double *result)
{
    ratio_of_spreads(s, 3, 5, pow(10, sim_uniform(s, -1, 1)), result);
}

static void ratio_wider(sim *s, double *result)
{
    ratio_of_spreads(s, 3, 5, 10, result);
}

static void ratio_narrower(sim *s, double *result)
{
    ratio_of_spreads(s, 3, 5, 0.1, result);
}

static void ratio_of_pairs_alike(sim *s, double *result)
{
    ratio_of_spreads(s, 2, 2, 1, result);
}

static void ratio_of_pairs_wider(sim *s, double *result)
{
    ratio_of_spreads(s, 2, 2, 10, result);
}

/* Laws assume errors in proportion to y; what their intervals come to where these are of one size. */
static void laws_with_errors_of_one_size(sim *s, double *result)
{
    const design d = {6, 9, ONE_SIZE, 0, ANY, NULL};
    ws_fit fit = through_means(s, &d, count, amdahl_time, true, amdahl_in_logs);
    result[0] = fit_holds(&fit, "serial-fraction", 0.02);
    fit = through_means(s, &d, count, rate_bent, true, usl_in_logs);
    result[1] = fit_holds(&fit, "beta", 3e-4);
    fit = through_means(s, &d, count, floored_time, true, floor_in_logs);
    result[2] = fit_holds(&fit, "exponent", -0.9);
    result[3] = fit_holds(&fit, "floor", 100);
}

static const experiment experiments[] = {
    {exponent_lognormal, MANY, {{"default exponent, lognormal errors", 93, 97}, {"... its factor", 93, 100}}},
    {exponent_proportion,
     MANY,
     {{"default exponent, errors added in proportion", 93, 97}, {"... its factor", 93, 100}}},
    {exponent_of_three, MANY, {{"default exponent, three configurations", 93, 97}, {"... its factor", 93, 97}}},
    {exponent_of_three_one_size,
     MANY,
     {{"default exponent, three configurations, errors of one size", 93, 97}, {"... its factor", 93, 100}}},
    {exponent_of_far_one_size, MANY, {{"... one of them far off", 93, 100}, {"... its factor", 93, 100}}},
    {exponent_of_far_lognormal,
     MANY,
     {{"... one of them far off, lognormal errors", 93, 100}, {"... its factor", 93, 100}}},
    {exponent_one_size,
     MANY,
     {{"default exponent, errors of one size, 3 to 5 counts", 93, 97}, {"... its factor", 93, 100}}},
    {exponent_one_size_of_many,
     MANY,
     {{"default exponent, errors of one size, 6 to 9 counts", 93, 97}, {"... its factor", 93, 100}}},
    {exponent_of_ten, MANY, {{"default exponent, errors of one size, 10 counts", 93, 97}, {"... its factor", 93, 100}}},
    {exponent_by_hc3, MANY, {{"default exponent, errors of one size, 6 to 9 counts, --errors HC3", 93, 97}}},
    {line_lognormal, MANY, {{"default line, lognormal errors: slope", 93, 97}, {"... intercept", 93, 97}}},
    {line_proportion, MANY, {{"default line, errors added in proportion: slope", 93, 97}, {"... intercept", 93, 97}}},
    {line_one_size, MANY, {{"default line, errors of one size: slope", 93, 97}, {"... intercept", 93, 97}}},
    {line_of_three, MANY, {{"default line, three configurations: slope", 93, 97}, {"... intercept", 93, 97}}},
    {line_of_many,
     MANY,
     {{"default line, 8 to 10 configurations, errors in proportion: slope", 93, 97}, {"... intercept", 93, 97}}},
    {line_over_gpus_one_size,
     MANY,
     {{"default line over counts that double, errors of one size: slope", 93, 99}, {"... intercept", 93, 97}}},
    {line_over_gpus_proportion,
     MANY,
     {{"default line over counts that double, errors in proportion: slope", 93, 97}, {"... intercept", 93, 100}}},
    {line_over_many_gpus_proportion, MANY, {{"... 7 to 10 counts: slope", 93, 100}, {"... intercept", 93, 100}}},
    {equal_errors,
     MANY,
     {{"--errors equal: exponent, errors of one size, 6 to 9 counts", 0, 100},
      {"... slope over counts that double, errors in proportion", 0, 100}}},
    {proportional_line,
     MANY,
     {{"line over counts that double, in proportion, --weights proportional: slope", 93, 97},
      {"... intercept", 93, 97}}},
    {factor_lognormal,
     MANY,
     {{"headline factor (mean of ratios), lognormal errors", 93, 97},
      {"... slope through the origin", 93, 100},
      {"... ratio of sums", 93, 97},
      {"... slope with intercept", 93, 97},
      {"... its intercept", 93, 100}}},
    {factor_proportion,
     MANY,
     {{"headline factor, errors added in proportion", 93, 97},
      {"... slope through the origin", 93, 100},
      {"... ratio of sums", 93, 97},
      {"... slope with intercept", 93, 97},
      {"... its intercept", 93, 100}}},
    {factor_of_three,
     MANY,
     {{"headline factor, three configurations", 93, 97},
      {"... slope through the origin", 93, 100},
      {"... ratio of sums", 93, 97},
      {"... slope with intercept", 93, 97},
      {"... its intercept", 93, 100}}},
    {factor_one_size,
     MANY,
     {{"headline factor, errors of one size", 93, 97},
      {"... slope through the origin", 93, 100},
      {"... ratio of sums", 93, 97},
      {"... slope with intercept", 93, 97},
      {"... its intercept", 93, 100}}},
    {factor_over_gpus_one_size,
     MANY,
     {{"headline factor over counts that double, errors of one size", 93, 100},
      {"... slope through the origin", 93, 100},
      {"... ratio of sums", 93, 100},
      {"... slope with intercept", 93, 100},
      {"... its intercept", 93, 100}}},
    {amdahl, SOME, {{"default Amdahl: serial fraction", 93, 97}}},
    {usl_bent,
     SOME,
     {{"default USL, 8 counts: alpha", 93, 97},
      {"... beta", 93, 97},
      {"... peak, perhaps without an upper end", 93, 97},
      {"... its throughput, where it has one", 93, 97},
      {"... limit, where alpha is above zero", 93, 97}}},
    {usl_weak,
     SOME,
     {{"default USL, 5 or 6 counts, weak coherency: alpha", 93, 100},
      {"... beta", 93, 100},
      {"... peak, perhaps without an upper end", 93, 100}}},
    {usl_bent_within_few, SOME, {{"default USL, 5 or 6 counts: peak, perhaps without an upper end", 93, 100}}},
    {usl_without_coherency, SOME, {{"default USL, no coherency cost: alpha", 93, 100}, {"... beta", 93, 100}}},
    {usl_without_contention, SOME, {{"default USL, no contention: alpha", 93, 100}, {"... beta", 93, 100}}},
    {floored, SOME, {{"default floor: exponent", 93, 97}, {"... floor", 93, 97}}},
    {laws_with_errors_of_one_size,
     SOME,
     {{"default Amdahl, errors of one size, 6 to 9 counts: serial fraction", 0, 100},
      {"... USL: beta", 93, 100},
      {"... floor: exponent", 93, 100},
      {"... floor: floor", 0, 100}}},
    {line_where_repeats_fall,
     MANY,
     {{"repeats fall (5 of each, 1 of the largest): line over counts, in proportion: slope", 93, 100},
      {"... intercept", 93, 100},
      {"... line over GPU hours, errors of one size: slope", 93, 100},
      {"... slope with intercept over GPU hours, in proportion", 93, 100},
      {"... slope through the origin", 93, 100},
      {"... mean of ratios", 93, 97}}},
    {laws_where_repeats_fall,
     SOME,
     {{"repeats fall: Amdahl's serial fraction", 93, 97},
      {"... exponent above a floor", 93, 97},
      {"... its floor", 93, 97},
      {"... USL: beta", 93, 97},
      {"... peak, perhaps without an upper end", 93, 97},
      {"... exponent of the power law", 93, 97}}},
    {exponent_of_runs, MANY, {{"exponent, every run a point (--unit run)", 0, 100}}},
    {mean_of_models,
     MANY,
     {{"mean exponent of 3 to 8 models, each alike", 93, 97},
      {"... exponent of one more model", 93, 100},
      {"... weighted mean (random effects)", 93, 97}}},
    {weighted_exponent,
     MANY,
     {{"exponent, --weights pooled, errors of runs alone", 93, 97},
      {"... errors of configurations as large", 93, 97},
      {"... spread that grows ten times with x", 93, 97}}},
    {exponent_weighted_by_own,
     MANY,
     {{"exponent, --weights own, errors of runs alone", 93, 97},
      {"... errors of configurations as large", 93, 97},
      {"... spread that grows ten times with x", 93, 97}}},
    {robust_exponents,
     MANY,
     {{"huber --logs, 6 to 9 counts: exponent", 0, 100}, {"theil-sen --logs, 6 to 9 counts: exponent", 93, 100}}},
    {ratio_alike,
     MANY,
     {{"speed-up, 3 to 5 repeats, spreads alike", 93, 97}, {"... by the repeats of both alone", 93, 97}}},
    {ratio_of_pairs_alike,
     MANY,
     {{"speed-up, 2 repeats, spreads alike", 93, 97}, {"... by the repeats of both alone", 93, 100}}},
    {ratio_apart,
     MANY,
     {{"speed-up, spread between a tenth and ten times the others'", 0, 100},
      {"... by the repeats of both alone", 93, 97}}},
    {ratio_wider,
     MANY,
     {{"speed-up, ten times the others' spread", 0, 100}, {"... by the repeats of both alone", 93, 97}}},
    {ratio_narrower,
     MANY,
     {{"speed-up, a tenth of the others' spread", 93, 100}, {"... by the repeats of both alone", 93, 97}}},
    {ratio_of_pairs_wider,
     MANY,
     {{"speed-up, 2 repeats, ten times the others' spread", 0, 100}, {"... by the repeats of both alone", 93, 100}}},
    {exponent_over_a_gap_one_size,
     MANY,
     {{"default exponent, counts with a gap, errors of one size", 93, 100}, {"... its factor", 93, 100}}},
    {exponent_over_a_gap_lognormal,
     MANY,
     {{"default exponent, counts with a gap, lognormal errors", 93, 100}, {"... its factor", 93, 100}}},
    {exponent_over_linear_counts,
     MANY,
     {{"default exponent over linear counts, lognormal errors", 93, 97},
      {"... its factor", 93, 100},
      {"... exponent, errors of one size", 93, 100},
      {"... its factor", 93, 100}}},
    {rising_exponent_over_linear_counts,
     MANY,
     {{"default exponent over linear counts, of a y that rises, lognormal errors", 93, 100},
      {"... its factor", 93, 100},
      {"... exponent, errors of one size", 93, 100},
      {"... its factor", 93, 100}}},
    {laws_where_a_run_is_missing,
     MANY,
     {{"5 repeats and 4 of the largest, 3 counts: Amdahl's serial fraction", 93, 100},
      {"... exponent above a floor, 5 counts", 93, 97},
      {"... its floor", 93, 97},
      {"... USL, 5 counts: alpha", 93, 100},
      {"... beta", 93, 100},
      {"... slope of the line, 3 counts", 93, 100}}},
    {exponent_over_uneven_one_size,
     MANY,
     {{"default exponent, uneven counts, errors of one size", 93, 97}, {"... its factor", 93, 100}}},
    {exponent_over_uneven_lognormal,
     MANY,
     {{"default exponent, uneven counts, lognormal errors", 93, 100}, {"... its factor", 93, 100}}},
    {ratio_of_unequal_repeats,
     MANY,
     {{"speed-up by the repeats of both alone, 2 runs beside 5, spreads alike", 93, 100},
      {"... twice the spread in the 2", 93, 97},
      {"... 2 beside 20, spreads alike", 93, 100},
      {"... 3 beside 10, spreads alike", 93, 97.5},
      {"... three times the spread in the 3", 93, 97},
      {"... 5 beside 10, half the spread in the 5", 93, 97}}},
    {many_points_one_size,
     MANY,
     {{"default line through 100 points, errors of one size: slope", 93, 97},
      {"... intercept", 93, 97},
      {"... slope through the origin", 93, 97},
      {"... ratio of sums", 93, 97},
      {"... mean of ratios", 93, 100}}},
    {many_points_proportion,
     MANY,
     {{"default line through 100 points, errors in proportion: slope", 93, 97},
      {"... intercept", 93, 97},
      {"... slope through the origin", 93, 97},
      {"... ratio of sums", 93, 97},
      {"... mean of ratios", 93, 97}}},
    {ratio_of_threes,
     MANY,
     {{"speed-up, 3 repeats, spreads alike", 93, 97}, {"... by the repeats of both alone", 93, 97.5}}},
    {ratio_of_any, MANY, {{"speed-up, 1 to 5 repeats, unequal, spreads alike", 93, 97}}},
    {ratio_run_once,
     MANY,
     {{"speed-up over a reference that was run once, 3 runs elsewhere", 93, 97},
      {"... of a configuration run once", 93, 97},
      {"... both run once, 3 runs of one other", 93, 97},
      {"... all run once, 3 runs of the reference", 93, 97}}},
    {ratio_one_size,
     MANY,
     {{"speed-up, 3 repeats, times with errors of one size", 0, 100}, {"... by the repeats of both alone", 93, 97}}},
};

START_TEST(defaults_hold_the_truth_as_often_as_they_say)
{
    run_experiments(experiments, sizeof experiments / sizeof *experiments, 100);
}
END_TEST

TEST_MAIN("coverage_defaults", defaults_hold_the_truth_as_often_as_they_say)
