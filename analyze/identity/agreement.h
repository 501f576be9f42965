/* By what chance do the GPUs of two logs agree as well as they do? Either draw as differently as the GPUs of one log;
 * or, where GPUs of one number do the same work in every node, as stages of a pipeline, as cards of one kind under one
 * load. */
#ifndef WS_ANALYZE_AGREEMENT_H
#define WS_ANALYZE_AGREEMENT_H

#include <stdbool.h>

/* What the figures (means, standard deviations) of the GPUs of a log spread by; in W. */
typedef struct ws_gpu_spread {
    double low, high, mean, sd;
} ws_gpu_spread;

/* The chance of all GPUs together: the product over them. */
typedef struct ws_agreement {
    double as_in_log, as_cards;
} ws_agreement;

/* Of one GPU, whose figures of that mean differ by so much. `spread`: of the figures in a log. */
double ws_chance_in_log(double difference, const ws_gpu_spread *spread);
double ws_chance_of_cards(double difference, double mean);

/* Is it closer than GPUs of one log are to each other? */
bool ws_is_far_closer(double difference, const ws_gpu_spread *spread);

/* Then they are of one node: neither chance explains it. */
bool ws_agree_by_no_chance(const ws_agreement *agreement);

/* Do the figures of a log differ enough to tell anything? */
bool ws_spread_tells(const ws_gpu_spread *spread);

#endif
