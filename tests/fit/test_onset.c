#include "fit/laws/onset.h"

#include "fit/estimate.h"

#include "tests/fit/reference.h"

/* A plateau at 0.25 up to 2048 and 0.03 a doubling beyond, with errors of at most 0.002 that are orthogonal to nothing.
 */
static const double x[] = {64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768};
static const double error_of[] = {1, -2, 0.5, 1.5, -1, -0.5, 1, -1.5, 2, -1};
enum { N = 10 };

static void plant(double *y, double scale)
{
    for (int i = 0; i < N; i++)
        y[i] = 0.25 + 0.03 * fmax(log2(x[i] / 2048), 0) + scale * error_of[i];
}

static double rss_with_onset_at(const double *y, double onset)
{
    double mean_h = 0, mean_y = 0, hh = 0, hy = 0, yy = 0;
    for (int i = 0; i < N; i++) {
        mean_h += fmax(log2(x[i] / onset), 0) / N;
        mean_y += y[i] / N;
    }
    for (int i = 0; i < N; i++) {
        double h = fmax(log2(x[i] / onset), 0) - mean_h, v = y[i] - mean_y;
        hh += h * h;
        hy += h * v;
        yy += v * v;
    }
    return yy - hy * hy / hh;
}

START_TEST(planted)
{
    double y[N], residual[N], squares = 0;
    ws_fit fit;
    ws_test test;
    plant(y, 0.001);
    const ws_law_input in = {.x = x, .y = y, .n = N, .level = 0.95};
    ck_assert_int_eq(ws_fit_onset(&in, &fit, residual, &test, NULL), WS_OK);
    ck_assert_int_eq(fit.status, WS_FIT_OK);
    const ws_estimate *plateau = ws_fit_estimate(&fit, "plateau"), *rise = ws_fit_estimate(&fit, "rise-per-doubling"),
                      *onset = ws_fit_estimate(&fit, "onset");
    ck_close(plateau->value, 0.25, 0, 3 * plateau->se);
    ck_close(rise->value, 0.03, 0, 3 * rise->se);
    ck_assert(onset->ci_lo < 2048 && onset->ci_hi > 2048 && onset->ci_lo > 1024 && onset->ci_hi < 4096);
    for (int i = 0; i < N; i++)
        squares += residual[i] * residual[i];
    ck_close(squares, fit.rss, 1e-9, 0);
    ck_close(rss_with_onset_at(y, onset->value), fit.rss, 1e-9, 0);
    /* F(1, 7) at 95 % is 5.591447851: both ends of the profile reach it, and no onset on a fine grid fits better. */
    double limit = fit.rss * (1 + 5.591447851 / 7);
    ck_close(rss_with_onset_at(y, onset->ci_lo), limit, 1e-6, 0);
    ck_close(rss_with_onset_at(y, onset->ci_hi), limit, 1e-6, 0);
    for (double b = 65; b < 32000; b *= 1.01)
        ck_assert(rss_with_onset_at(y, b) >= fit.rss * (1 - 1e-9));
    ck_close(test.p_value, 0.001, 1e-12, 0); /* no draw of 999 comes near */
}
END_TEST

/* Of four points no interval is drawn. */
START_TEST(an_onset_without_a_shape_of_few_points)
{
    static const double few_x[] = {1, 2, 4, 8, 16}, few_y[] = {1, 1.02, 3, 5, 7};
    for (size_t n = 4; n <= 5; n++) {
        double residual[5] = {1, -1.5, 1, -0.5, 0.5};
        ws_fit fit;
        const ws_law_input in = {.x = few_x, .y = few_y, .n = n, .level = 0.95};
        ws_fit_begin(&fit, "onset", "centred", n);
        fit.status = WS_FIT_OK;
        fit.df = (double)n - 3;
        fit.sigma = 0.1;
        ws_fit_add(&fit, "plateau", 1, 0.01);
        ck_assert_int_eq(ws_onset_isotonic(&in, residual, &fit, NULL), WS_OK);
        const ws_estimate *e = ws_fit_estimate(&fit, "onset-isotonic");
        ck_assert_double_eq(e->value, 4);
        ck_assert((e->ci_lo == 4 && e->ci_hi == 4) == (n == 4));
    }
}
END_TEST

START_TEST(refusals)
{
    double y[N];
    ws_fit fit;
    ws_test test;
    ws_law_input in = {.x = x, .y = y, .n = N, .level = 0.95};
    const struct {
        double start, slope;
        size_t n;
        ws_fit_status status;
        const char *says;
    } cases[] = {{1, -0.1, N, WS_FIT_NOT_IDENTIFIED, "does not rise"},
                 {1, 0.1, N, WS_FIT_NOT_IDENTIFIED, "from the smallest x on"},
                 {1, 0, N, WS_FIT_CONSTANT, "does not vary"},
                 {1, 0.1, 3, WS_FIT_TOO_FEW, "fewer than 4"}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        for (int i = 0; i < N; i++)
            y[i] = cases[c].start + cases[c].slope * (log2(x[i]) - 6);
        in.n = cases[c].n;
        ck_assert_int_eq(ws_fit_onset(&in, &fit, NULL, &test, NULL), WS_OK);
        ck_assert_int_eq(fit.status, cases[c].status);
        ck_assert_msg(strstr(fit.sentence, cases[c].says) != NULL, "'%s'", fit.sentence);
        ck_assert(isnan(ws_fit_estimate(&fit, "onset")->value));
    }
    plant(y, 0);
    in.n = N;
    ck_assert_int_eq(ws_fit_onset(&in, &fit, NULL, &test, NULL), WS_OK);
    ck_assert_int_eq(fit.status, WS_FIT_PERFECT);
    ck_close(ws_fit_estimate(&fit, "onset")->value, 2048, 1e-6, 0);
    ck_assert(isnan(ws_fit_estimate(&fit, "onset")->ci_lo));
}
END_TEST

/* Noise alone: the test holds its level. 200 data sets, 5 % of them 10; 20 is 3.2 standard deviations more. */
START_TEST(level)
{
    double y[N];
    ws_fit fit;
    ws_test test;
    const ws_law_input in = {.x = x, .y = y, .n = N, .level = 0.95};
    unsigned state = 12345;
    int rejected = 0;
    for (int set = 0; set < 200; set++) {
        for (int i = 0; i < N; i++) {
            double sum = 0;
            for (int k = 0; k < 12; k++)
                sum += (state = state * 1664525u + 1013904223u) / 4294967296.0;
            y[i] = sum - 6;
        }
        ck_assert_int_eq(ws_fit_onset(&in, &fit, NULL, &test, NULL), WS_OK);
        rejected += test.p_value < 0.05;
    }
    ck_assert_msg(rejected <= 20, "%d of 200", rejected);
}
END_TEST

/* Where a plateau does as well, the sentence must not tell of a rise as of a finding. */
START_TEST(no_onset_shown)
{
    static const double flat[] = {0.2412, 0.2391, 0.2403, 0.2420, 0.2379, 0.2408, 0.2395, 0.2401, 0.2416, 0.2409};
    const ws_law_input in = {.x = x, .y = flat, .n = N, .level = 0.95};
    ws_fit fit;
    ws_test test;
    ck_assert_int_eq(ws_fit_onset(&in, &fit, NULL, &test, NULL), WS_OK);
    ck_assert_int_eq(fit.status, WS_FIT_OK);
    ck_assert(test.p_value > 0.1);
    ck_assert_int_eq(strncmp(fit.sentence, "no onset is shown (p 0.", 23), 0);
    ck_assert_int_eq(ws_fit_onset(&in, &fit, NULL, NULL, NULL), WS_OK);
    ck_assert_int_eq(strncmp(fit.sentence, "y stays at", 10), 0);
}
END_TEST

/* By hand: 3, 1 are pooled to 2, then 2.5 and 1.5 to 2, which joins them; 6, 5 to 5.5; 9. Blocks 2 (four points), 5.5
 * (two), 9; the deviation about plateau and rise is less than 1.7, so the first x more than two of them above a plateau
 * near 2 is 16. */
START_TEST(isotonic_by_hand)
{
    const double at[] = {64, 1, 2, 4, 8, 16, 32}, y[] = {9, 3, 1, 2.5, 1.5, 6, 5};
    const ws_law_input in = {.x = at, .y = y, .n = 7, .level = 0.95};
    double residual[7];
    ws_fit fit;
    ck_assert_int_eq(ws_fit_onset(&in, &fit, residual, NULL, NULL), WS_OK);
    ck_assert_int_eq(fit.status, WS_FIT_OK);
    ck_assert(fit.sigma > 0 && fit.sigma < 1.7);
    ck_assert_int_eq(ws_onset_isotonic(&in, residual, &fit, NULL), WS_OK);
    const ws_estimate *e = ws_fit_estimate(&fit, "onset-isotonic");
    ck_assert(e->value == 16);
    ck_assert(e->ci_lo >= 2 && e->ci_lo <= 16 && e->ci_hi >= 16 && e->ci_hi <= 64);
    ck_assert_ptr_nonnull(strstr(fit.sentence, "without a shape"));
    fit.status = WS_FIT_TOO_FEW;
    ck_assert_int_eq(ws_onset_isotonic(&in, residual, &fit, NULL), WS_USAGE);
}
END_TEST

TEST_MAIN("onset", an_onset_without_a_shape_of_few_points, isotonic_by_hand, planted, refusals, level, no_onset_shown)
