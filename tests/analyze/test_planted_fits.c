/* Fits of synthetic campaigns against the models that were planted in them. */
#include "planted.h"

#include "fit/fit.h"

#include <gsl/gsl_cdf.h>

/* Columns of one series on at least so many GPUs. */
static size_t take(const planted *p, const char *series, double least, const char *x_name, const char *y_name,
                   double *x, double *y)
{
    size_t n = 0;
    for (size_t row = 0; row < p->runs.n_rows; row++) {
        if (strcmp(word(&p->runs, row, "series"), series) != 0 || cell(&p->runs, row, "gpus") < least)
            continue;
        x[n] = cell(&p->runs, row, x_name);
        y[n++] = cell(&p->runs, row, y_name);
        ck_assert_uint_le(n, PER_SERIES);
    }
    return n;
}

/* 95 % for all intervals of one kind together: nine are looked at, so each is stated at 1 - 0.05 / 9 (Bonferroni). */
static const double LEVEL = 1 - 0.05 / (CAMPAIGNS * SERIES);

static void ck_inside(const ws_estimate *e, double planted_value)
{
    ck_assert_msg(e->ci_lo < planted_value && planted_value < e->ci_hi, "%s: %.9g is not in %.9g to %.9g", e->name,
                  planted_value, e->ci_lo, e->ci_hi);
}

/* wall_s = t1_s gpus^-beta times a normal factor of relative standard deviation time_sd. That the interval is not just
 * wide: sigma^2 (n - 2) / time_sd^2 is chi-square distributed, again at 1 - 0.05 / 9. */
START_TEST(planted_exponents_lie_in_their_intervals)
{
    if (!is_built)
        skip_because("wattscale-synth is not built");
    for (int c = 0; c < CAMPAIGNS; c++) {
        size_t i;
        json_t *series;
        ck_assert_uint_eq(json_array_size(json_object_get(campaigns[c].truth, "series")), SERIES);
        json_array_foreach(json_object_get(campaigns[c].truth, "series"), i, series)
        {
            double x[PER_SERIES], y[PER_SERIES], sd = number(series, "time_sd");
            ws_fit fit;
            size_t n = take(&campaigns[c], text(series, "series"), 1, "gpus", "wall_s", x, y);
            ck_assert_uint_eq(n, PER_SERIES);
            ck_assert_int_eq(ws_fit_powerlaw(x, y, n, LEVEL, &fit, NULL, NULL), WS_OK);
            ck_assert_int_eq(fit.status, WS_FIT_OK);
            ck_inside(ws_fit_estimate(&fit, "exponent"), -number(series, "beta"));
            ck_inside(ws_fit_estimate(&fit, "factor"), number(series, "t1_s"));
            double chi2 = fit.df * fit.sigma * fit.sigma / (sd * sd);
            ck_assert_msg(gsl_cdf_chisq_P(chi2, fit.df) > (1 - LEVEL) / 2 &&
                              gsl_cdf_chisq_Q(chi2, fit.df) > (1 - LEVEL) / 2,
                          "sigma is %g where %g was planted", fit.sigma, sd);
        }
    }
}
END_TEST

/* On full nodes a GPUh costs the planted power of a GPU and of its share of sockets and memory. */
START_TEST(planted_factors_lie_in_their_intervals)
{
    if (!is_built)
        skip_because("wattscale-synth is not built");
    for (int c = 0; c < CAMPAIGNS; c++) {
        size_t i;
        json_t *series;
        json_array_foreach(json_object_get(campaigns[c].truth, "series"), i, series)
        {
            double x[PER_SERIES], y[PER_SERIES];
            ws_fit fit;
            size_t n = take(&campaigns[c], text(series, "series"), 4, "gpu_h", "energy_kwh", x, y);
            ck_assert_uint_eq(n, 3 * REPEATS); /* on 4, 8 and 16 GPUs */
            ck_assert_int_eq(ws_fit_origin(x, y, n, LEVEL, &fit, NULL, NULL), WS_OK);
            ck_assert_int_eq(fit.status, WS_FIT_OK);
            ck_inside(ws_fit_estimate(&fit, "slope"), number(series, "kwh_per_gpuh_full_nodes"));
        }
    }
}
END_TEST

/* At constant local batch samples and passes are one rate in two units; at constant global batch they are two. */
START_TEST(regression_says_where_rates_are_one)
{
    if (!is_built)
        skip_because("wattscale-synth is not built");
    static const char *const names[] = {"samples_per_gpuh", "passes_per_gpuh"};
    static const struct {
        const char *series;
        ws_fit_status status;
    } planted_statuses[] = {{"lbs256", WS_FIT_COLLINEAR}, {"gbs256", WS_FIT_OK}, {"gbs1024", WS_FIT_OK}};
    for (int c = 0; c < CAMPAIGNS; c++) {
        for (size_t i = 0; i < SERIES; i++) {
            double x[2][PER_SERIES], y[PER_SERIES], factor = NAN;
            const double *columns[] = {x[0], x[1]};
            bool collinear = planted_statuses[i].status == WS_FIT_COLLINEAR;
            ws_fit fit;
            ws_correlation r;
            take(&campaigns[c], planted_statuses[i].series, 1, names[1], "gpu_power_w", x[1], y);
            size_t n = take(&campaigns[c], planted_statuses[i].series, 1, names[0], "gpu_power_w", x[0], y);
            ck_assert_int_eq(ws_fit_regression(columns, names, 2, y, n, 0.95, &fit, NULL, NULL), WS_OK);
            ck_assert_int_eq(fit.status, planted_statuses[i].status);
            ck_assert(ws_are_proportional(x[1], x[0], n, EXACT, &factor) == collinear);
            ck_assert_int_eq(ws_pearson(x[0], x[1], n, 0.95, &r, NULL), WS_OK);
            ck_assert_int_eq(r.status, collinear ? WS_FIT_PERFECT : WS_FIT_OK);
            if (collinear)
                ck_close(factor, 256, EXACT, 0);
        }
    }
}
END_TEST

int main(void)
{
    const TTest *const cases[] = {planted_exponents_lie_in_their_intervals, planted_factors_lie_in_their_intervals,
                                  regression_says_where_rates_are_one};
    return run_planted("planted fits", cases, sizeof cases / sizeof *cases, plant_small);
}
