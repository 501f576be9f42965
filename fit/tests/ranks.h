/* Two sets of repeats compared by ranks: no law of the errors is assumed, and one odd run changes little. */
#ifndef WS_FIT_RANKS_H
#define WS_FIT_RANKS_H

#include "fit/fit.h"

typedef struct ws_ranks {
    ws_fit_status status; /* OK; TOO_FEW: no interval of this level from so few values; CONSTANT: all are the same */
    char sentence[300];
    double shift;        /* Hodges and Lehmann 1963: by how much b lies above a */
    double ci_lo, ci_hi; /* order statistics of the differences; NaN where TOO_FEW */
    double level;        /* that the interval really has, at least the one asked for; NaN of the normal law */
    double p_value;      /* two-sided, of no shift */
    bool p_is_exact;     /* also with ties: all arrangements of the mid-ranks are counted */
} ws_ranks;

/* Independent sets: Mann and Whitney 1947, exact up to 50 values in all, else normal with the correction for ties.
 * WS_USAGE: more than ten million pairs. */
ws_status ws_mann_whitney(const double *a, size_t n_a, const double *b, size_t n_b, double level, ws_ranks *result,
                          ws_error *error);

/* Values a side where both have as many, or pairs, below which no interval reaches the level: 4 and 6 for 0.95. Of
 * unequal sides 3 and 5, or 2 and 8, do, too. level in (0, 1). */
size_t ws_ranks_least(bool is_paired, double level);

/* The same in words: "4 a side, 3 and 5 or 2 and 8", "6 pairs". */
typedef struct ws_ranks_text {
    char text[80];
} ws_ranks_text;
ws_ranks_text ws_ranks_say_least(bool is_paired, double level);

/* Pairs: Wilcoxon's signed ranks of d = b - a, exact up to 50 pairs; differences of zero are left out of the test. */
ws_status ws_signed_ranks(const double *d, size_t n, double level, ws_ranks *result, ws_error *error);

#endif
