/* The two laws of a group over the numbers of GPUs, and what they answer. */
#ifndef WS_ANALYZE_ADVISE_CURVE_H
#define WS_ANALYZE_ADVISE_CURVE_H

#include "analyze/commands/advise_model.h"

typedef enum ws_gpus_asked {
    WS_LEAST_ENERGY,
    WS_LEAST_EDP,
    WS_LEAST_ED2P,
    WS_IN_TIME,
    WS_IN_BUDGET,
    WS_GPUS_QUESTIONS
} ws_gpus_asked;

/* The first three make energy^e time^t least. */
typedef struct ws_gpus_question {
    const char *text;
    int energy, time;
} ws_gpus_question;
extern const ws_gpus_question ws_gpus_questions[WS_GPUS_QUESTIONS];

/* At 1 .. n steps of GPUs; `upper_h` is the bound that one run's time keeps at the given risk. NaN where the number of
 * GPUs lies too far from what was measured. The arrays are the caller's. */
typedef struct ws_advice_curve {
    size_t step, n;
    double *time_h, *energy_kwh, *upper_h;
    const double *ln; /* of the numbers of GPUs */
} ws_advice_curve;

/* `line`: one of its arrays. `devices` is a number of steps. */
double ws_advice_curve_at(const ws_advice_curve *curve, const double *line, double devices);

/* Is the number near enough to what was measured? */
bool ws_advice_tries(const ws_advice *advice, const ws_advice_model *model, double devices);

/* Fills the arrays by the model's laws. */
ws_status ws_advice_curve_draw(const ws_advice *advice, const ws_advice_model *model, ws_advice_curve *curve,
                               ws_error *error);

/* The number of GPUs that answers each question by the laws; 0: none does. */
ws_status ws_advice_curve_answers(const ws_advice *advice, const ws_advice_curve *curve,
                                  size_t answers[WS_GPUS_QUESTIONS], ws_error *error);

/* The ranges of the answers by the model's own law and by others; `also` gets the names of those, NULL the rest. */
enum { WS_LAWS_WEIGHED = 2 };
ws_status ws_advice_curve_ranges(const ws_advice *advice, const ws_choice_points *points, const ws_advice_model *model,
                                 const ws_advice_curve *curve, double ranges[WS_GPUS_QUESTIONS][2],
                                 const char *also[WS_LAWS_WEIGHED], ws_error *error);

#endif
