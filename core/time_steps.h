/* Steps from one time to another, in ns, and how they are told apart by length. */
#ifndef WS_CORE_TIME_STEPS_H
#define WS_CORE_TIME_STEPS_H

#include <stdint.h>

/* Saturating: stamps of a broken clock may be centuries apart. */
static inline int64_t ws_ns_plus(int64_t a, int64_t b)
{
    int64_t sum;
    return !__builtin_add_overflow(a, b, &sum) ? sum : a < 0 ? INT64_MIN : INT64_MAX;
}

static inline int64_t ws_ns_minus(int64_t a, int64_t b)
{
    int64_t difference;
    return !__builtin_sub_overflow(a, b, &difference) ? difference : a < 0 ? INT64_MIN : INT64_MAX;
}

/* Roughly floor(4 log2(ns)), from the top bits, so that every machine gets the same result. */
static inline int ws_quarter_octave(int64_t ns)
{
    int octave = 63 - __builtin_clzll((uint64_t)ns);
    uint64_t below = octave >= 2 ? (uint64_t)ns >> (octave - 2) & 3 : (uint64_t)ns << (2 - octave) & 3;
    return octave * 4 + (int)below;
}

#endif
