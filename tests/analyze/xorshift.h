/* A small generator of its own (Marsaglia 2003, xorshift). */
#ifndef WS_TESTS_ANALYZE_XORSHIFT_H
#define WS_TESTS_ANALYZE_XORSHIFT_H

#include <stdint.h>

static uint32_t state; /* not 0 */

static inline uint32_t draw(uint32_t below)
{
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state % below;
}

#endif
