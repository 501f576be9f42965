/* F test of a fitted curve against the spread of repeats.
 *
 *     F = ((rss - pure error) / (groups - p)) / (pure error / (n - groups))
 *
 * A large F: the means depart from the curve by more than their repeats explain. Assumes normal errors of one variance.
 * Draper and Smith 1998, Applied Regression Analysis, 3rd ed., section 2.1. */
#include "fit/tests/repeats.h"

#include "fit/estimate.h"

#include <math.h>

void ws_lack_of_fit(const ws_repeats *r, double rss, size_t p, ws_test *test)
{
    ws_test_begin(test, "lack of fit");
    char *text = test->sentence;
    size_t size = sizeof test->sentence;
    if (!(r->df > 0) || r->n_groups <= p) {
        test->status = WS_FIT_TOO_FEW;
        if (r->df > 0)
            ws_say(text, size, "%s for %zu coefficients: no room for a lack of fit",
                   ws_words_values(r->n_groups, "x").text, p);
        else
            ws_say(text, size, "no x was measured twice: no pure error to test the fit against");
        return;
    }
    if (!(r->pure_error > 0)) {
        test->status = WS_FIT_PERFECT;
        ws_say(text, size, "all repeats agree with each other exactly: any departure from the fit is a lack of fit");
        return;
    }
    test->df1 = (double)(r->n_groups - p);
    test->df2 = r->df;
    double f = fmax(0, rss - r->pure_error) / test->df1 / (r->pure_error / test->df2);
    if (!ws_test_set(test, f, ws_f_upper(f, test->df1, test->df2)))
        return;
    ws_say(text, size, "%s (F %s, %s)",
           test->p_value < 0.05 ? "the means depart from the fit by more than the spread of repeats explains"
                                : "no lack of fit beyond the spread of repeats",
           ws_words_digits(test->statistic, 3).text, ws_words_p(test->p_value).text);
}
