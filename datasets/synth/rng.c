#include "datasets/synth/rng.h"

#include <math.h>

static uint64_t splitmix64(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

static uint64_t rotate_left(uint64_t x, int k)
{
    return (x << k) | (x >> (64 - k));
}

void ws_synth_rng_init(ws_synth_rng *rng, uint64_t seed, uint64_t stream)
{
    uint64_t mixed = splitmix64(&seed) ^ stream;
    for (int i = 0; i < 4; i++)
        rng->state[i] = splitmix64(&mixed);
}

uint64_t ws_synth_rng_next(ws_synth_rng *rng)
{
    uint64_t *s = rng->state;
    uint64_t result = rotate_left(s[1] * 5, 7) * 9;
    uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate_left(s[3], 45);
    return result;
}

double ws_synth_rng_uniform(ws_synth_rng *rng, double low, double high)
{
    return low + (high - low) * ldexp((double)(ws_synth_rng_next(rng) >> 11), -53);
}

/* Marsaglia's polar method. Its second variate is dropped, so that a stream has no hidden state. */
double ws_synth_rng_normal(ws_synth_rng *rng)
{
    double x, y, square;
    do {
        x = ws_synth_rng_uniform(rng, -1, 1);
        y = ws_synth_rng_uniform(rng, -1, 1);
        square = x * x + y * y;
    } while (square >= 1 || square == 0);
    return x * sqrt(-2 * log(square) / square);
}
