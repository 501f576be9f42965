/* What the model of advise_model.h answers, question by question, and its words. */
#ifndef WS_ANALYZE_ADVISE_ANSWERS_H
#define WS_ANALYZE_ADVISE_ANSWERS_H

#include "analyze/commands/advise_model.h"

enum { WS_LEAST_ENERGY, WS_LEAST_EDP, WS_LEAST_ED2P, WS_IN_TIME, WS_IN_BUDGET, WS_GPUS_QUESTIONS };
#define WS_NO_LESS "no number needs measurably less"

/* The answer to one question as it is printed. */
typedef struct ws_gpus_answer {
    const char *question;
    size_t by_law;                          /* 0: none */
    double n;                               /* 0: none */
    const ws_choice_point *measured;        /* takes the place of the law's answer, or contradicts it */
    const ws_choice_point *missed;          /* missed the deadline or the budget where the law says that it is kept */
    bool is_asked, is_contradicted, is_any; /* every number that was tried needs as little */
    bool at_end;                            /* the law's own answer is an end of what was tried */
} ws_gpus_answer;

/* Sentences on all answers; `most` is the largest number that was tried. */
void ws_advise_gpus_say(ws_advice *advice, const char *group, const ws_choice_points *points,
                        const ws_advice_model *model, size_t most, const ws_gpus_answer *answers);

#endif
