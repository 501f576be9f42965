/* Which of several models fits the same points best? */
#ifndef WS_FIT_CHOICE_H
#define WS_FIT_CHOICE_H

#include "fit/test.h"

enum { WS_CHOICE_MAX = 16 };

/* One model of a comparison, in the order in which it was given. */
typedef struct ws_candidate {
    const ws_fit *fit;
    bool is_compared; /* false: `reason` says why not */
    char reason[sizeof(((ws_fit *)0)->sentence)];
    double aicc, bic;     /* of y, whatever the scale of the fit */
    double delta, weight; /* AICc above the best; Akaike weight, they add up to 1 */
    double evidence;      /* weight of the best over this one's; NaN beyond the range of a number */
    double loocv_rmse;    /* root of fit->loocv; NaN where it is undefined or on another scale than the first model's */
} ws_candidate;

typedef struct ws_choice {
    size_t n_candidates, n_compared;
    ws_candidate candidate[WS_CHOICE_MAX];
    size_t best, best_by_bic, best_by_loocv; /* places in candidate; SIZE_MAX where there is none, and best_by_loocv
                                                where fewer than two have such an error */
    char sentence[1200];
} ws_choice;

/* Compare fits of the same n points. Where one is WS_FIT_PERFECT, its likelihood has no bound: none is compared, and
 * the sentence names it. y are those points: a fit in logs (its r2_kind ends in "in logs") gets the Jacobian -sum ln y,
 * so that it can stand beside fits of y itself; y may be NULL where all are on one scale. The fits must outlive the
 * choice. WS_USAGE: no fit or more than WS_CHOICE_MAX. */
ws_status ws_choose(const ws_fit *const *fits, size_t n_fits, const double *y, size_t n, ws_choice *choice,
                    ws_error *error);

/* Does the larger of two nested models, fitted to the same points on the same scale, earn its further parameters?
 * F = ((rss_small - rss_large) / (df_small - df_large)) / (rss_large / df_large). */
void ws_nested_f(const ws_fit *smaller, const ws_fit *larger, ws_test *test);

#endif
