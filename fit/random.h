/* Random numbers that are the same everywhere for the same seed. Internal to fit/. */
#ifndef WS_FIT_RANDOM_H
#define WS_FIT_RANDOM_H

#include <stddef.h>
#include <stdint.h>

typedef struct ws_random {
    uint64_t state;
} ws_random; /* {seed} */

uint64_t ws_random_bits(ws_random *random);
size_t ws_random_below(ws_random *random, size_t n); /* 0 .. n - 1, n > 0 */
double ws_random_uniform(ws_random *random);         /* above 0, below 1 */
double ws_random_normal(ws_random *random);

#endif
