/* What a test of a hypothesis returns. */
#ifndef WS_FIT_TEST_H
#define WS_FIT_TEST_H

#include "fit/fit.h"

typedef struct ws_test {
    const char *name;     /* static text: "lack of fit", "Breusch-Pagan" */
    ws_fit_status status; /* OK, or why there is no statistic */
    char sentence[500];
    double statistic;
    double df1, df2; /* df2 is NaN where the law has one number of degrees of freedom, both where it has none */
    double p_value;
} ws_test;

#endif
