/* Is B worse than A? The question of a script that has repeats of both. */
#ifndef WS_FIT_VERDICT_H
#define WS_FIT_VERDICT_H

#include "fit/tests/mean_and_spread.h"

#include <stdint.h>

typedef enum ws_verdict_kind {
    WS_NO_WORSE = 0, /* B is not worse by as much as min_effect */
    WS_WORSE,        /* B is worse by more than that */
    WS_UNDECIDED,    /* the interval holds min_effect: more repeats are needed */
    WS_UNUSABLE      /* no values, or values of which no ratio can be made */
} ws_verdict_kind;
const char *ws_verdict_name(ws_verdict_kind kind); /* "no-worse worse undecided unusable" */

/* What is compared. RATIOS: geometric means, of pairs that of their ratios; errors in proportion to the value, and
 * values above zero. RANKS: Hodges and Lehmann's shift of the logarithms (ranks.h). */
typedef enum ws_verdict_method { WS_BY_MEANS = 0, WS_BY_RATIOS, WS_BY_RANKS } ws_verdict_method;

typedef struct ws_verdict_input {
    const double *a, *b; /* of a pair in the same place where is_paired, then n_a == n_b */
    size_t n_a, n_b;
    bool is_paired;
    ws_verdict_method method; /* not MEANS: every value above zero, and no draws */
    bool more_is_better;      /* throughput; else time, energy, error */
    double level;             /* of the two-sided interval */
    double min_effect;        /* 0.02: up to 2 % counts as no worse; at least 0 */
    size_t draws;             /* bootstrap; 0: Student's t */
    uint64_t seed;
} ws_verdict_input;

typedef struct ws_verdict {
    ws_verdict_kind kind;
    char sentence[900];
    ws_sample a, b;
    double change, ci_lo, ci_hi; /* b / a - 1 by the method and its interval, NaN where there is none */
    double p_value;              /* two-sided, of no difference: Welch's t, that of the pairs, or of ranks */
    size_t repeats;              /* a side, in all, that would probably decide; 0 where nothing is to be decided */
} ws_verdict;

/* WS_USAGE, WS_DATA as the estimators of this folder. */
ws_status ws_judge(const ws_verdict_input *in, ws_verdict *verdict, ws_error *error);

/* The same question with a further setting held: of_a[i] and of_b[i] number the value that it has in the runs of a[i]
 * and b[i]. `change` is that between runs of one value, by logarithms (of pairs those that agree, by in->method);
 * UNUSABLE where no value is on both sides, or every pair agrees, or a value is not above zero. No sentence unless
 * paired. (verdict_held.c) */
ws_status ws_judge_held(const ws_verdict_input *in, const size_t *of_a, const size_t *of_b, ws_verdict *held,
                        ws_error *error);

/* Is a decided verdict another one with that setting held, and the change outside of its interval? Then the shares of
 * the setting may be all that differs, and the verdict is none. */
bool ws_verdict_hangs_on(const ws_verdict *plain, const ws_verdict *held);

/* kind, and repeats and the sentence, from change and its interval, which are set. */
void ws_verdict_decide(const ws_verdict_input *in, ws_verdict *verdict);

/* n groups at once, with a chance of 1 - level for any wrong verdict among all of them (Holm). in[i].level need not be
 * set: it becomes the level of verdict[i]'s interval. n_judged: the groups that had an interval, and so a part in this.
 */
ws_status ws_judge_family(ws_verdict_input *in, size_t n, double level, ws_verdict *verdict, size_t *n_judged,
                          ws_error *error);

#endif
