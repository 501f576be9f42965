/* The model behind the advice on GPUs: energy(n) = n power(n) time(n), from the means of one group's configurations. */
#ifndef WS_ANALYZE_ADVISE_MODEL_H
#define WS_ANALYZE_ADVISE_MODEL_H

#include "analyze/commands/advise.h"
#include "analyze/commands/advise_laws.h"
#include "fit/laws/laws.h"
#include "fit/means.h"

typedef struct ws_advice_model {
    const ws_advice_law *law;
    size_t n;                                /* GPU counts */
    double *gpus, *time_h, *power_kw, *room; /* in the order of the runs */
    double lowest, highest;                  /* GPU counts */
    ws_fit time, power;
    bool has_power;   /* a law of it; else the mean */
    bool knows_power; /* false: that law does not hold, and only the time has answers */
    double mean_kw;
} ws_advice_model;

/* Fits `model`, whose `law` is set. `usable`: the law of time holds; what does not, a note says with the reason. The
 * caller frees model->room. */
ws_status ws_advise_fit(ws_advice *advice, const char *group, const ws_choice_points *points, ws_advice_model *model,
                        bool *usable, ws_error *error);

/* `other` is the model with another law of time, and the same law of the power; it shares model->room. `usable`: the
 * measured means do not refute that law either, and its parameters can be and are settled. */
ws_status ws_advise_fit_other(const ws_advice *advice, const ws_choice_points *points, const ws_advice_law *law,
                              const ws_advice_model *model, ws_advice_model *other, bool *usable, ws_error *error);

/* The law of time of a model through other times at its GPU counts, which are near those that it was fitted to. */
ws_status ws_advise_refit(const ws_advice_model *model, const double *time_h, double level, ws_fit *fit,
                          ws_error *error);

/* Means, geometric, of the runs of each choice. */
ws_status ws_advise_average(const ws_choice_points *points, const double *y, ws_means *means, ws_error *error);

/* p of the first of k columns in a regression of n residuals on them and an intercept; NaN without room for it. */
double ws_advise_extra_p(const double *const *columns, size_t k, const double *residual, size_t n, ws_error *error);

/* factor n^exponent + floor + rise n, which all of these laws are: Amdahl's is T1 (1 - s) / n + T1 s, Gunther's
 * T1 (1 - alpha) / n + T1 (alpha - beta) + T1 beta n. */
typedef struct ws_law_curve {
    double factor, exponent, floor, rise;
} ws_law_curve;
ws_law_curve ws_law_curve_of(const ws_fit *fit);
double ws_law_curve_at(const ws_law_curve *curve, double ln_n);

/* The least time that the law has for any number of devices; 0 where it falls without end. */
double ws_law_curve_least(const ws_law_curve *curve);

const char *ws_advise_y_name(const ws_advice *advice); /* what the law is fitted to, in words */

#endif
