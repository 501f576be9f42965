/* SplitMix64 (Steele, Lea and Flood 2014, OOPSLA): one word of state, any seed, passes BigCrush. */
#include "fit/random.h"

#include <math.h>

uint64_t ws_random_bits(ws_random *random)
{
    uint64_t z = random->state += 0x9e3779b97f4a7c15U;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9U;
    z = (z ^ z >> 27) * 0x94d049bb133111ebU;
    return z ^ z >> 31;
}

/* The upper half of a product (Lemire 2019); its bias is below n / 2^64. */
size_t ws_random_below(ws_random *random, size_t n)
{
    uint64_t bits = ws_random_bits(random), low = bits & 0xffffffffU, high = bits >> 32;
    return (size_t)((high * n + (low * n >> 32)) >> 32);
}

double ws_random_uniform(ws_random *random)
{
    return ((double)(ws_random_bits(random) >> 12) + 0.5) * 0x1p-52;
}

double ws_random_normal(ws_random *random) /* Box and Muller 1958 */
{
    double radius = sqrt(-2 * log(ws_random_uniform(random)));
    return radius * cos(2 * acos(-1) * ws_random_uniform(random));
}
