#include "fit/linear/errors_in_both.h"
#include "fit/estimate.h"
#include "fit/laws/laws.h"
#include "fit/laws/onset.h"
#include "fit/linear/robust.h"
#include "fit/linear/weighted.h"
#include "harness.h"

#include <gsl/gsl_errno.h>
#include <math.h>
#include <string.h>

START_TEST(numbers_in_words)
{
    ck_assert_str_eq(ws_words_number(8).text, "8");
    ck_assert_str_eq(ws_words_number(10.125).text, "10.125");
    ck_assert_str_eq(ws_words_number(1000).text, "1000");
    ck_assert_str_eq(ws_words_number(0).text, "0");
    ck_assert_str_eq(ws_words_number(NAN).text, "undefined");
    ck_assert_str_eq(ws_words_number(1.0 / 3).text, "0.333333");
}
END_TEST

START_TEST(decimals_follow_the_error)
{
    ck_assert_str_eq(ws_words_with_error(0.99612, 0.00412).text, "0.9961 ± 0.0041");
    ck_assert_str_eq(ws_words_with_error(-537.05, 36.96).text, "-537 ± 37");
    ck_assert_str_eq(ws_words_with_error(0.33, 0.794).text, "0.33 ± 0.79");
    ck_assert_str_eq(ws_words_with_error(-0.614034, 0.0009996).text, "-0.6140 ± 0.0010");
    ck_assert_str_eq(ws_words_with_error(0.00049993, 9.1e-6).text, "0.0004999 ± 0.0000091"); /* one notation */
    ck_assert_str_eq(ws_words_with_error(4.9993e-5, 9.1e-7).text, "0.00004999 ± 0.00000091");
    ck_assert_str_eq(ws_words_with_error(-0.824010219404148, 2.1e-18).text, "-0.824010219404148 ± 2.1e-18");
    ck_assert_str_eq(ws_words_with_error(8.18e-7, 2.1e-8).text, "8.18e-07 ± 2.1e-08");
    ck_assert_str_eq(ws_words_with_error(2.5, NAN).text, "2.5");
    ck_assert_str_eq(ws_words_with_error(NAN, NAN).text, "undefined");
    ck_assert_str_eq(ws_words_to_error(0.0012, 3).text, "0.0012");
}
END_TEST

START_TEST(r2_is_never_rounded_up_to_one)
{
    ck_assert_str_eq(ws_words_r2(0.99998).text, "0.99998");
    ck_assert_str_eq(ws_words_r2(0.9919346).text, "0.992");
    ck_assert_str_eq(ws_words_r2(0.25).text, "0.250");
    ck_assert_str_eq(ws_words_r2(1).text, "1");
    for (double rest = 0.3; rest > 1e-12; rest *= 0.7)
        ck_assert_int_eq(ws_words_r2(1 - rest).text[0], '0');
}
END_TEST

START_TEST(p_values_and_levels)
{
    ck_assert_str_eq(ws_words_p(0.6873).text, "p 0.69");
    ck_assert_str_eq(ws_words_p(0.00099).text, "p < 0.001");
    ck_assert_str_eq(ws_words_p(NAN).text, "p undefined");
    ck_assert_str_eq(ws_words_level(0.95).text, "95 %");
    ck_assert_str_eq(ws_words_level(0.999).text, "99.9 %");
    ck_assert_str_eq(ws_words_level_of(0.95, 1).text, "95 %, t(1)");
    ck_assert_str_eq(ws_words_level_of(0.95, 1.8342).text, "95 %, t(1.8)");
    ck_assert_str_eq(ws_words_level_of(0.95, 2.49).text, "95 %, t(2.5)");
    ck_assert_str_eq(ws_words_level_of(0.95, 2.5).text, "95 %");
}
END_TEST

START_TEST(full_text_ends_at_a_whole_character)
{
    char text[8];
    text[0] = '\0';
    ws_say(text, sizeof text, "%s", "12345");
    ws_say(text, sizeof text, "%s", "6± and more");
    ck_assert_str_eq(text, "123456");
    ws_say(text, sizeof text, "%s", "78");
    ck_assert_str_eq(text, "1234567");
    text[0] = '\0';
    ws_say(text, sizeof text, "%s", "12345±6");
    ck_assert_str_eq(text, "12345±");
}
END_TEST

START_TEST(student_and_normal)
{
    /* closed forms: one degree of freedom is Cauchy's distribution, two have t^2 = 2 p^2 / (1 - p^2) */
    ck_close(ws_student_quantile(0.95, 1), tan(acos(-1) * 0.475), 1e-13, 0);
    ck_close(ws_student_quantile(0.95, 2), sqrt(2 * 0.9025 / 0.0975), 1e-13, 0);
    ck_close(ws_student_two_sided(1, 1), 0.5, 1e-14, 0);
    ck_close(ws_student_two_sided(-1, 1), 0.5, 1e-14, 0);
    ck_close(ws_student_two_sided(INFINITY, 3), 0, 0, 0);
    ck_close(ws_normal_quantile(0.95), 1.959963984540054, 1e-14, 0);
}
END_TEST

static int handled;

static void count_errors(const char *reason, const char *file, int line, int code)
{
    (void)reason, (void)file, (void)line, (void)code;
    handled++;
}

START_TEST(error_handler_is_put_back)
{
    static const double x[] = {1, 2, 3, 5}, y[] = {1, 3, 2, 6};
    ws_fit fit;
    ws_correlation c;
    gsl_error_handler_t *before = gsl_set_error_handler(count_errors);
    ck_assert_int_eq(ws_fit_origin(x, y, 4, 0.95, &fit, NULL, NULL), WS_OK);
    ck_assert_int_eq(ws_spearman(x, y, 4, 0.95, &c, NULL), WS_OK);
    ck_assert(gsl_set_error_handler(before) == count_errors);
    ck_assert_int_eq(handled, 0);
}
END_TEST

START_TEST(constant_to_rounding)
{
    static const double same[] = {0.3, 0.1 + 0.2}, far[] = {-1.7e308, 1.7e308}, close[] = {1, 1 + 1e-14},
                        zeros[] = {0, 0};
    ck_assert(ws_fit_is_constant(same, 2));
    ck_assert(ws_fit_is_constant(zeros, 2));
    ck_assert(ws_fit_is_constant(NULL, 0));
    ck_assert(!ws_fit_is_constant(far, 2));
    ck_assert(!ws_fit_is_constant(close, 2));
}
END_TEST

static const double at_four[] = {1, 1, 2, 2, 4, 4, 8, 8}, falling[] = {10, 11, 5, 5.2, 2.1, 2, 1.2, 1.1},
                    rising[] = {10, 11, 10.5, 10.3, 17, 17.2, 29, 28.8};

static void ck_says(const char *sentence, const char *words)
{
    ck_assert_msg(strstr(sentence, words) != NULL, "'%s' does not say '%s'", sentence, words);
}

/* Eight points are not eight values of x. */
START_TEST(repeats_do_not_pass_for_values_of_x)
{
    const ws_law_input in = {.x = at_four, .y = falling, .n = 8, .level = 0.95},
                       up = {.x = at_four, .y = rising, .n = 8, .level = 0.95};
    static const char words[] = "; 8 points at 4 values of x,";
    ws_fit fit;
    ws_fit_line(in.x, in.y, 8, 0.95, &fit, NULL, NULL);
    ck_assert_uint_eq(fit.n_x, 4);
    ck_says(fit.sentence, words);
    ws_fit_origin(in.x, in.y, 8, 0.95, &fit, NULL, NULL);
    ck_says(fit.sentence, words);
    ws_fit_powerlaw(in.x, in.y, 8, 0.95, &fit, NULL, NULL);
    ck_says(fit.sentence, words);
    ws_fit_polynomial(in.x, in.y, 8, 2, 0.95, &fit, NULL, NULL);
    ck_says(fit.sentence, words);
    ws_fit_theil_sen(in.x, in.y, 8, 0.95, &fit, NULL, NULL);
    ck_says(fit.sentence, words);
    ws_fit_huber(in.x, in.y, 8, 0.95, &fit, NULL, NULL, NULL);
    ck_says(fit.sentence, words);
    ws_fit_deming(in.x, in.y, 8, 1, 0.95, &fit, NULL, NULL);
    ck_says(fit.sentence, "; 8 points at 4 values of x");
    ws_status (*const laws[])(const ws_law_input *, ws_fit *, double *,
                              ws_error *) = {ws_fit_powerlaw_direct, ws_fit_floor, ws_fit_amdahl, ws_fit_lognormal};
    for (size_t i = 0; i < sizeof laws / sizeof *laws; i++) {
        laws[i](&in, &fit, NULL, NULL);
        ck_assert_uint_eq(fit.n_x, 4);
        ck_says(fit.sentence, words);
    }
    ws_fit_onset(&up, &fit, NULL, NULL, NULL);
    ck_says(fit.sentence, words);
    ws_fit_gustafson(&up, &fit, NULL, NULL);
    ck_says(fit.sentence, "; 6 points at 3 values of x,");
}
END_TEST

START_TEST(points_of_several_predictors)
{
    static const double second[] = {1, 1, 2, 2, 4, 4, 8, 16}, weight[] = {1, 2, 3, 4, 5, 6, 7, 8};
    const double *const two[] = {at_four, second};
    static const char *const names[] = {"gpus", "batch"};
    const ws_weighting weighting = {.weight = weight};
    ws_fit fit;
    ws_weighted weighted;
    ws_fit_regression(two, names, 2, rising, 8, 0.95, &fit, NULL, NULL);
    ck_says(fit.sentence, "; 8 points at 5 values of the predictors,");
    ws_fit_weighted(two, names, 2, rising, 8, &weighting, 0.95, &weighted, NULL, NULL);
    ck_says(weighted.fit.sentence, "; 8 points at 5 values of the predictors,");
}
END_TEST

/* As many values of x as coefficients: the curve goes through the mean of each, whatever they are. */
START_TEST(two_values_show_no_law)
{
    static const double x[] = {8, 8, 8, 64, 64, 64}, y[] = {801, 802, 803, 152, 152.5, 153};
    static const char words[] = "; 6 points at 2 values of x (too few to show whether the law holds), R2 0.9999";
    const ws_law_input in = {.x = x, .y = y, .n = 6, .level = 0.95};
    ws_fit fit;
    ws_fit_line(x, y, 6, 0.95, &fit, NULL, NULL);
    ck_says(fit.sentence, words);
    ws_fit_powerlaw(x, y, 6, 0.95, &fit, NULL, NULL);
    ck_says(fit.sentence, words);
    ws_fit_amdahl(&in, &fit, NULL, NULL);
    ck_says(fit.sentence, words);
    ws_fit_origin(x, y, 3, 0.95, &fit, NULL, NULL);
    ck_says(fit.sentence, "; 3 points at 1 value of x (too few to show whether the law holds)");
    ws_fit_polynomial(at_four, falling, 8, 3, 0.95, &fit, NULL, NULL);
    ck_says(fit.sentence, "; 8 points at 4 values of x (too few to show whether the law holds)");
    ws_fit_origin(x, y, 6, 0.95, &fit, NULL, NULL);
    ck_says(fit.sentence, "; 6 points at 2 values of x, R2");
}
END_TEST

TEST_MAIN("fit sentences", numbers_in_words, decimals_follow_the_error, r2_is_never_rounded_up_to_one,
          p_values_and_levels, full_text_ends_at_a_whole_character, student_and_normal, error_handler_is_put_back,
          constant_to_rounding, repeats_do_not_pass_for_values_of_x, points_of_several_predictors,
          two_values_show_no_law)
