/* The figures of docs/papers.md from the printed numbers, each worked out by hand beside what fit/ says. */
#include "harness.h"

#include "fit/tests/groups.h"
#include "fit/laws/laws.h"

#include <math.h>

/* Tables 3 to 6 with one standard error s: Q = sum (beta - mean)^2 / s^2, and with two degrees of freedom
 * p = exp(-Q / 2). Two exponents d apart are the same within m with p = P(Z > (m - d) / (s sqrt 2)). */
static const struct {
    double beta[3], farthest;
} tables[] = {
    {{0.97, 0.90, 0.82}, 0.15},
    {{0.93, 0.84, 0.82}, 0.11},
    {{0.91, 0.86, 0.87}, 0.05},
    {{0.83, 0.83, 0.84}, 0.01},
};

static ws_slopes ask(size_t table, double se)
{
    const double errors[] = {se, se, se};
    ws_slopes s;
    ck_assert_int_eq(ws_printed_slopes(tables[table].beta, errors, 3, 0.95, 0.05, &s, NULL), WS_OK);
    return s;
}

static double least_sure_sameness(const ws_slopes *s)
{
    double p = 0;
    for (size_t k = 0; k < s->n_pairs; k++)
        p = fmax(p, s->pair[k].p_equivalent);
    return p;
}

START_TEST(caps_and_beta)
{
    static const double q[] = {12.5185, 7.6296, 1.5556, 0.0741};
    for (size_t t = 0; t < 4; t++) {
        const double *b = tables[t].beta;
        double mean = (b[0] + b[1] + b[2]) / 3, sum = 0;
        for (size_t k = 0; k < 3; k++)
            sum += (b[k] - mean) * (b[k] - mean);
        ws_slopes s = ask(t, 0.03);
        ck_close(s.equal_slopes.statistic, sum / 0.0009, 1e-12, 0);
        ck_close(s.equal_slopes.statistic, q[t], 0, 0.0001);
        ck_close(s.equal_slopes.p_value, exp(-sum / 0.0018), 1e-10, 0);
        ck_assert((s.equal_slopes.p_value < 0.05) == (t < 2));
        ck_close(least_sure_sameness(&s), erfc((0.05 - tables[t].farthest) / 0.06) / 2, 1e-10, 0);
        ck_assert(least_sure_sameness(&s) > 0.05);
        ws_slopes_free(&s);
    }
}
END_TEST

/* -2 ln 0.05 = 5.991 is the limit of Q, so the errors that let differences pass are sqrt(sum / 5.991): 0.0434, 0.0339.
 * For sameness s sqrt 2 times 1.645 has to stay below 0.04: 0.0172. */
START_TEST(errors_that_the_claim_needs)
{
    static const double passes[] = {0.044, 0.034}, fails[] = {0.043, 0.0335};
    for (size_t t = 0; t < 2; t++) {
        ws_slopes wide = ask(t, passes[t]), narrow = ask(t, fails[t]);
        ck_assert(wide.equal_slopes.p_value > 0.05 && narrow.equal_slopes.p_value < 0.05);
        ws_slopes_free(&wide);
        ws_slopes_free(&narrow);
    }
    ws_slopes fine = ask(3, 0.017), coarse = ask(3, 0.0175), never = ask(2, 1e-4);
    ck_assert(least_sure_sameness(&fine) < 0.05 && least_sure_sameness(&coarse) > 0.05);
    ck_close(least_sure_sameness(&never), 0.5, 0, 1e-6);
    ws_slopes_free(&fine);
    ws_slopes_free(&coarse);
    ws_slopes_free(&never);
}
END_TEST

static double implied_se(double beta, double r2, double n)
{
    return beta * sqrt((1 / r2 - 1) / (n - 2));
}

/* Points about a power law with the exponent -0.87, moved up and down until they have the R2 asked for. */
START_TEST(r2_and_standard_error)
{
    static const double shape[] = {1, -1, 1, -1, 0, -1, 1, -1, 1}, r2[] = {0.97, 0.99}, se[] = {0.058, 0.033};
    for (size_t k = 0; k < 2; k++) {
        double x[9], y[9], sxx = 0, squares = 0;
        for (size_t i = 0; i < 9; i++) {
            x[i] = ldexp(1, (int)i + 1);
            sxx += pow(((double)i - 4) * log(2), 2);
            squares += shape[i] * shape[i];
        }
        double size = sqrt(0.87 * 0.87 * sxx * (1 / r2[k] - 1) / squares);
        for (size_t i = 0; i < 9; i++)
            y[i] = pow(x[i], -0.87) * exp(size * shape[i]);
        ws_fit fit;
        ck_assert_int_eq(ws_fit_powerlaw(x, y, 9, 0.95, &fit, NULL, NULL), WS_OK);
        ck_close(fit.r2, r2[k], 1e-12, 0);
        ck_close(fit.estimate[0].se, implied_se(0.87, r2[k], 9), 1e-12, 0);
        ck_close(fit.estimate[0].se, se[k], 0, 0.0005);
    }
    /* 0.03 as printed asks for 28 points, or 10.5. */
    ck_close(implied_se(0.87, 0.97, 28), 0.03, 0, 0.0005);
    ck_close(implied_se(0.87, 0.99, 10.5), 0.03, 0, 0.0005);
}
END_TEST

START_TEST(resnet50_twice)
{
    static const double beta[] = {0.52, 0.84};
    const double se[] = {implied_se(0.52, 0.95, 9), implied_se(0.84, 0.99, 9)};
    ck_close(se[0], 0.045, 0, 0.0005);
    ck_close(se[1], 0.032, 0, 0.0005);
    ws_slopes s;
    ck_assert_int_eq(ws_printed_slopes(beta, se, 2, 0.95, 0, &s, NULL), WS_OK);
    ck_close(s.pair[0].se, hypot(se[0], se[1]), 1e-12, 0);
    ck_close(s.pair[0].p_value, erfc(0.32 / hypot(se[0], se[1]) / sqrt(2)), 1e-9, 0);
    ck_assert(s.pair[0].p_value < 1e-7);
    ws_slopes_free(&s);
}
END_TEST

START_TEST(a_pair_of_fourcastnet)
{
    static const double gpus[] = {16, 64}, gpu_h[] = {651, 1034}, kwh[] = {136, 195};
    ws_fit line, power;
    ws_fit_line(gpu_h, kwh, 2, 0.95, &line, NULL, NULL);
    ck_assert_int_eq(line.status, WS_FIT_EXACT);
    ck_close(ws_fit_estimate(&line, "slope")->value, 59.0 / 383, 1e-13, 0);
    ck_close(ws_fit_estimate(&line, "slope")->value, 0.154, 0, 0.0005);
    ck_close(ws_fit_estimate(&line, "intercept")->value, 136 - 651 * 59.0 / 383, 1e-12, 0);
    ws_fit_powerlaw(gpus, gpu_h, 2, 0.95, &power, NULL, NULL);
    ck_close(power.estimate[0].value, log(1034.0 / 651) / log(4), 1e-13, 0);
    ck_close(pow(4, 1 - power.estimate[0].value), 2.518, 0, 0.0005);
}
END_TEST

START_TEST(h100_against_a100)
{
    static const double a100[] = {139.92, 43.28, 28.42}, h100[] = {105.32, 32.26, 20.72};
    static const double a100_kwh[] = {120.70, 144.87, 175.72}, h100_kwh[] = {115.63, 145.31, 174.25};
    ws_fit time, energy;
    ws_fit_origin(a100, h100, 3, 0.95, &time, NULL, NULL);
    ws_fit_origin(a100_kwh, h100_kwh, 3, 0.95, &energy, NULL, NULL);
    /* Ratios 0.75272, 0.74538 and 0.72906; 0.95800, 1.00304 and 0.99163. */
    ck_close(ws_fit_estimate(&time, "mean-of-ratios")->value, (0.75272 + 0.74538 + 0.72906) / 3, 0, 1e-5);
    ck_close(ws_fit_estimate(&energy, "mean-of-ratios")->value, (0.95800 + 1.00304 + 0.99163) / 3, 0, 1e-5);
}
END_TEST

START_TEST(jigsaw)
{
    static const double at_peak[] = {256 * 0.23, 256 * 0.28}, tflops[] = {9000, 11000}, gpus[] = {256};
    static const double efficiency[] = {0.68, 0.72, 0.51}, serial[] = {0.3213, 0.2811, 0.4919};
    ws_fit peak, weak;
    ws_fit_origin(at_peak, tflops, 2, 0.95, &peak, NULL, NULL);
    ck_close(ws_fit_estimate(&peak, "ratio-of-sums")->value, 20000 / (256 * 0.51), 1e-12, 0);
    ck_close(ws_fit_estimate(&peak, "mean-of-ratios")->value, (152.853 + 153.460) / 2, 0, 0.001);
    for (size_t k = 0; k < 3; k++) {
        const double speedup[] = {256 * efficiency[k]};
        const ws_law_input in = {.x = gpus, .y = speedup, .n = 1, .level = 0.95};
        ws_fit_gustafson(&in, &weak, NULL, NULL);
        ck_close(weak.estimate[0].value, 256 * (1 - efficiency[k]) / 255, 1e-13, 0);
        ck_close(weak.estimate[0].value, serial[k], 0, 0.00005);
    }
}
END_TEST

TEST_MAIN("papers", caps_and_beta, errors_that_the_claim_needs, r2_and_standard_error, resnet50_twice,
          a_pair_of_fourcastnet, h100_against_a100, jigsaw)
