/* Tail probabilities and quantiles against the laws that have a closed form, far out and with next to no degrees of
 * freedom. */
#include "harness.h"

#include "fit/estimate.h"

#include <math.h>

static const double far_out[] = {1e-6, 0.1, 1, 3, 20, 1e3, 1e6, 1e12, 1e100};

/* df 1: P = 2 atan(1 / t) / pi. df 2: 1 - t / sqrt(2 + t^2), written without a difference. */
START_TEST(student)
{
    double pi = acos(-1);
    for (size_t i = 0; i < sizeof far_out / sizeof *far_out; i++) {
        double t = far_out[i], root = sqrt(2 + t * t);
        ck_close(ws_student_two_sided(t, 1), 2 * atan(1 / t) / pi, 1e-13, 0);
        ck_close(ws_student_two_sided(-t, 2), 2 / (root * (root + t)), 1e-13, 0);
        ck_close(ws_student_two_sided(t, INFINITY), erfc(t / sqrt(2)), 1e-14, 0);
    }
    for (double level = 0.5; level < 1; level = (1 + level) / 2) {
        double tail = (1 - level) / 2;
        if (tail < 1e-9)
            break;
        ck_close(ws_student_quantile(level, 1), 1 / tan(pi * tail), 1e-13, 0);
        ck_close(ws_student_quantile(level, 2), (1 - 2 * tail) / sqrt(2 * tail * (1 - tail)), 1e-13, 0);
        ck_close(erfc(ws_student_quantile(level, INFINITY) / sqrt(2)), 1 - level, 1e-12, 0);
    }
}
END_TEST

/* chi2 with 2 degrees of freedom: exp(-x / 2). F with 2 and d: (1 + 2 f / d)^(-d / 2). */
START_TEST(chi2_and_f)
{
    for (size_t i = 0; i < sizeof far_out / sizeof *far_out; i++) {
        double x = far_out[i];
        if (x < 1400)
            ck_close(ws_chi2_upper(x, 2), exp(-x / 2), 1e-13, 0);
        for (double d = 1; d < 50; d *= 3) {
            double p = exp(-d / 2 * log1p(2 * x / d));
            if (p > 1e-280)
                ck_close(ws_f_upper(x, 2, d), p, 1e-11, 0);
        }
    }
    for (double level = 0.5; level < 0.9999; level = (1 + level) / 2)
        ck_close(ws_f_quantile(level, 2, 5), 2.5 * expm1(-log1p(-level) * 2 / 5), 1e-10, 0);
}
END_TEST

TEST_MAIN("fit tails", student, chi2_and_f)
