#include "analyze/identity/agreement.h"

#include "analyze/measure/likeness.h"

#include <math.h>

/* Proof that two logs are from one node: the largest chance; the least factor of one figure; how much the GPUs of one
 * log must differ (relative) for a figure to count; how much closer the logs must be. Ours. */
static const double BY_CHANCE = 1e-6, LEAST_CHANCE = 0.01, TELLS_APART = 1e-3, CLOSER = 20;

/* The largest chance that cards of one kind under one load agree so well, whose means spread by ws_alike (standard
 * deviation). Ours. */
static const double CARDS_BY_CHANCE = 1e-4;

bool ws_spread_tells(const ws_gpu_spread *s)
{
    return s->sd > TELLS_APART * fabs(s->mean);
}

/* That two draws from a normal distribution of that spread are so close: the density of their difference at 0 times its
 * width. */
double ws_chance_in_log(double difference, const ws_gpu_spread *s)
{
    double chance = ws_spread_tells(s) ? fabs(difference) / (sqrt(acos(-1)) * s->sd) : 1;
    return isnan(chance) || chance > 1 ? 1 : fmax(chance, LEAST_CHANCE);
}

double ws_chance_of_cards(double difference, double mean)
{
    return ws_chance_in_log(difference, &(ws_gpu_spread){.mean = mean, .sd = ws_alike * fabs(mean)});
}

bool ws_is_far_closer(double difference, const ws_gpu_spread *s)
{
    return difference * CLOSER < s->high - s->low;
}

bool ws_agree_by_no_chance(const ws_agreement *a)
{
    return a->as_in_log < BY_CHANCE && a->as_cards < CARDS_BY_CHANCE;
}
