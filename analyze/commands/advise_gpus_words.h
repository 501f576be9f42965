/* The advice on GPUs in sentences. */
#ifndef WS_ANALYZE_ADVISE_GPUS_WORDS_H
#define WS_ANALYZE_ADVISE_GPUS_WORDS_H

#include "analyze/commands/advise_curve.h"

#define WS_NO_LESS "no number needs measurably less"

/* The answer to one question as it is printed. */
typedef struct ws_gpus_answer {
    const char *question;
    size_t by_law;                          /* 0: none */
    double n;                               /* 0: none */
    const ws_choice_point *measured;        /* takes the place of the law's answer, or contradicts it */
    const ws_choice_point *shown;           /* whose time and energy are printed; NULL: those of the law */
    const ws_choice_point *missed;          /* missed the deadline or the budget where the law says that it is kept */
    bool is_asked, is_contradicted, is_any; /* every number that was tried needs as little */
    bool at_end;                            /* the law's own answer is an end of what was tried */
} ws_gpus_answer;

/* All answers; `most` is the largest number that was tried. */
void ws_advice_say_answers(ws_advice *advice, const char *group, const ws_choice_points *points,
                           const ws_advice_model *model, size_t most, const ws_gpus_answer *answers);

/* The energy of a GPU hour over the configurations on whole nodes: the mean of their ratios, or that there is no single
 * factor, as `fit origin` says it. */
void ws_advice_say_factor(ws_advice *advice, const char *group, const ws_choice_points *points);

#endif
