/* Random numbers from a seed, and damage to bytes, the same everywhere. */
#ifndef WS_TESTS_DAMAGE_H
#define WS_TESTS_DAMAGE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static uint64_t damage_state;

static inline uint64_t damage_next(void)
{
    uint64_t z = (damage_state += UINT64_C(0x9E3779B97F4A7C15));
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

/* One to four damages; returns the new length, at most `capacity`. */
static inline size_t damage_bytes(uint8_t *bytes, size_t n, size_t capacity)
{
    for (uint64_t k = 1 + damage_next() % 4; k && n; k--) {
        size_t at = damage_next() % n, length = damage_next() % (n - at) % 64 + 1;
        switch (damage_next() % 6) {
        case 0:
            bytes[at] ^= (uint8_t)(1u << (damage_next() % 8));
            break;
        case 1:
            n = at;
            break;
        case 2:
            bytes[at] = (uint8_t) ",;\"\n\r\t 0-.eE[{}]:|"[damage_next() % 18];
            break;
        case 3: /* a piece twice */
            if (n + length <= capacity && at + length <= n) {
                memmove(bytes + at + length, bytes + at, n - at);
                n += length;
            }
            break;
        case 4: /* a piece taken out */
            if (at + length <= n) {
                memmove(bytes + at, bytes + at + length, n - at - length);
                n -= length;
            }
            break;
        default:
            bytes[at] = (uint8_t)damage_next();
        }
    }
    return n;
}

#endif
