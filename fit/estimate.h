/* Parts that the estimators of this folder share: an empty fit, checks of the input, intervals and tests by Student's
 * t, and the words of a sentence. Internal to fit/. */
#ifndef WS_FIT_ESTIMATE_H
#define WS_FIT_ESTIMATE_H

#include "core/text.h"
#include "fit/fit.h"
#include "fit/test.h"

/* Every number NaN, no estimates, status WS_FIT_TOO_FEW until something has been fitted. */
void ws_fit_begin(ws_fit *fit, const char *model, const char *r2_kind, size_t n);

ws_status ws_fit_check_level(double level, ws_error *error);
ws_status ws_fit_check_finite(const char *name, const double *value, size_t n, ws_error *error);

/* x, y and level at once. */
ws_status ws_fit_check(const double *x, const double *y, size_t n, double level, ws_error *error);

/* Of a fit with coefficients: is rss finite, every value and every standard error that there is? */
ws_status ws_fit_check_range(const ws_fit *fit, ws_error *error);

/* Are there x or y (y may be NULL) that have no logarithm? Then status and sentence are set: `what` cannot be fitted.
 */
bool ws_fit_refuse_logs(const double *x, const double *y, const char *what, ws_fit *fit);

/* How many different rows do these p columns of n values have? A column that is NULL does not vary. p is at most
 * WS_FIT_MAX_ESTIMATES. */
size_t ws_count_rows(const double *const *column, size_t p, size_t n);
size_t ws_count_distinct(const double *value, size_t n);

/* Do the values differ by no more than the rounding of a double? True for n = 0. */
bool ws_fit_is_constant(const double *value, size_t n);

/* The upper point t of Student's distribution with P(|T| <= t) = level, and P(|T| >= |t|); df INFINITY: the normal. */
double ws_student_quantile(double level, double df);
double ws_student_two_sided(double t, double df);
double ws_normal_quantile(double level);                    /* P(|Z| <= z) = level */
double ws_chi2_upper(double x, double df);                  /* P(chi2 >= x) */
double ws_f_upper(double f, double df1, double df2);        /* P(F >= f) */
double ws_f_quantile(double level, double df1, double df2); /* P(F <= f) = level */

/* Degrees of freedom of a sum of two independent variances (Satterthwaite 1946). */
double ws_satterthwaite(double a, double df_a, double b, double df_b);

void ws_test_begin(ws_test *test, const char *name); /* every number NaN, status TOO_FEW */

/* Status OK and the two numbers; false, with status and sentence, where they are beyond the range of a number. */
bool ws_test_set(ws_test *test, double statistic, double p_value);

/* Interval and p-value from value, se and null_value, which are set; NaN where se is NaN. */
void ws_estimate_infer(ws_estimate *estimate, double df, double level);

/* The same with degrees of freedom of its own, which e->df names where they are not those of the fit. */
void ws_estimate_take_df(ws_estimate *estimate, double df, double of_fit, double level);

/* Of an estimate in proportion to y, where y is known up to a factor that all its values have in common, with this
 * relative standard uncertainty: standard error and interval take it up, as the root of the sum of squares. p stays, as
 * no factor takes a value to zero. */
void ws_estimate_allow_factor(ws_estimate *estimate, double relative, double level);

/* Add an estimate with these values, everything else NaN, and return it. */
ws_estimate *ws_fit_add(ws_fit *fit, const char *name, double value, double se);

/* Append to a sentence, cut at a whole character when it is full. */
void ws_say(char *text, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Has the fit as many coefficients as there are different x, with repeats beside them? Then it goes through the mean of
 * each, whatever they are, and nothing could speak against it. */
bool ws_fit_is_saturated(const ws_fit *fit);

/* Append "; 8 points at 4 values of x" (`of`: "x"), and that these are too few where the fit is saturated. */
void ws_fit_say_points(ws_fit *fit, const char *of);

/* Append why a fit whose status is not OK has nothing to test or to compare: that of a refused one in its own words. */
void ws_fit_say_refusal(const ws_fit *fit, char *text, size_t size);

/* Numbers as a sentence shows them, by value so that they can stand in an argument list. */
typedef struct ws_words {
    char text[2 * WS_DOUBLE_TEXT + 8];
} ws_words;
ws_words ws_words_number(double value); /* up to 6 digits, no trailing zeros: "10.125" */
ws_words ws_words_digits(double value, int digits);
ws_words ws_words_to_error(double value, double se); /* as many decimals as two digits of se have: "0.824" for 0.018 */
ws_words ws_words_with_error(double value, double se); /* "0.824 ± 0.018"; the number alone where se is NaN */
ws_words ws_words_r2(double r2);                       /* never rounded up to 1 */
ws_words ws_words_p(double p);                         /* "p 0.69", "p < 0.001" */
ws_words ws_words_values(size_t n, const char *of);    /* "1 value of x", "4 values of x" */
ws_words ws_words_level(double level);                 /* "95 %" */
ws_words ws_words_level_of(double level, double df);   /* the same; "95 %, t(1)" where few df make an interval far wider
                                                          than two standard errors either way */

/* "8 points", and "8 points at 4 values of x" where repeats would pass for values of x. */
ws_words ws_fit_words_points(const ws_fit *fit, const char *of);

#endif
