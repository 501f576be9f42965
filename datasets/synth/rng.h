/* Random numbers that are the same on every machine: xoshiro256** (Blackman and Vigna 2018), seeded by splitmix64. */
#ifndef WS_SYNTH_RNG_H
#define WS_SYNTH_RNG_H

#include <stdint.h>

typedef struct ws_synth_rng {
    uint64_t state[4];
} ws_synth_rng;

/* A stream of its own for each (seed, stream): what one run draws does not depend on what another one drew. */
void ws_synth_rng_init(ws_synth_rng *rng, uint64_t seed, uint64_t stream);
uint64_t ws_synth_rng_next(ws_synth_rng *rng);
double ws_synth_rng_uniform(ws_synth_rng *rng, double low, double high); /* low <= x < high */
double ws_synth_rng_normal(ws_synth_rng *rng);                           /* mean 0, standard deviation 1 */

#endif
