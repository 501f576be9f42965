#include "core/exactsum.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { FRACTION_BITS = 128, LIMBS = 4 };

static void negate(ws_sum *sum)
{
    unsigned carry = 1;
    for (int i = 0; i < LIMBS; i++) {
        sum->limb[i] = ~sum->limb[i] + carry;
        carry = carry && sum->limb[i] == 0;
    }
}

/* Add or subtract three limbs from `from` on; what is left to carry runs up to the top. */
static void add_at(ws_sum *sum, const uint64_t piece[3], int from, bool negative)
{
    uint64_t carry = 0;
    for (int i = 0; from + i < LIMBS; i++) {
        uint64_t *limb = &sum->limb[from + i], value = i < 3 ? piece[i] : 0, before = *limb, partial;
        if (i >= 3 && !carry)
            return;
        if (negative) {
            partial = before - value;
            *limb = partial - carry;
            carry = (before < value) | (partial < carry);
        } else {
            partial = before + value;
            *limb = partial + carry;
            carry = (partial < value) | (*limb < carry);
        }
    }
}

/* Add +-magnitude * 2^shift, shift counted from 2^-128; bits below that are dropped. */
static void add_shifted(ws_sum *sum, unsigned __int128 magnitude, int shift, bool negative)
{
    if (shift < 0) {
        magnitude = shift <= -128 ? 0 : magnitude >> -shift;
        shift = 0;
    }
    int bits = shift % 64;
    uint64_t low = (uint64_t)magnitude, high = (uint64_t)(magnitude >> 64);
    uint64_t piece[3] = {low << bits, high << bits, 0};
    if (bits) {
        piece[1] |= low >> (64 - bits);
        piece[2] = high >> (64 - bits);
    }
    add_at(sum, piece, shift / 64, negative);
}

/* The bits of an IEEE double: sign, 11 of exponent, 52 of mantissa with an implied one in front unless it is subnormal.
 */
void ws_sum_add_times(ws_sum *sum, double term, int64_t factor)
{
    uint64_t bits;
    memcpy(&bits, &term, sizeof bits);
    int exponent = (int)(bits >> 52 & 0x7ff);
    uint64_t mantissa = bits & ((UINT64_C(1) << 52) - 1);
    if (exponent)
        mantissa |= UINT64_C(1) << 52;
    else
        exponent = 1;
    bool negative = (bits >> 63) != (factor < 0);
    uint64_t size = factor < 0 ? 0 - (uint64_t)factor : (uint64_t)factor;
    if (mantissa && size)
        add_shifted(sum, (unsigned __int128)mantissa * size, exponent - 1075 + FRACTION_BITS, negative);
}

void ws_sum_add(ws_sum *sum, double term)
{
    ws_sum_add_times(sum, term, 1);
}

void ws_sum_add_square_times(ws_sum *sum, double term, int64_t factor)
{
    double high = term * term, low = fma(term, term, -high);
    ws_sum_add_times(sum, high, factor);
    ws_sum_add_times(sum, low, factor);
}

void ws_sum_add_units(ws_sum *sum, __int128 units, int places)
{
    unsigned __int128 magnitude = units < 0 ? 0 - (unsigned __int128)units : (unsigned __int128)units;
    if (magnitude)
        add_shifted(sum, magnitude, FRACTION_BITS - places, units < 0);
}

int ws_sum_places(double largest)
{
    enum { MOST_PLACES = 62 };
    int exponent;
    frexp(largest, &exponent);
    return WS_UNIT_BITS - exponent < MOST_PLACES ? WS_UNIT_BITS - exponent : MOST_PLACES;
}

static inline unsigned __int128 half_of(const ws_sum *sum, int i)
{
    return (unsigned __int128)sum->limb[2 * i + 1] << 64 | sum->limb[2 * i];
}

void ws_sum_merge(ws_sum *sum, const ws_sum *other)
{
    unsigned __int128 low = half_of(sum, 0) + half_of(other, 0);
    unsigned __int128 high = half_of(sum, 1) + half_of(other, 1) + (low < half_of(other, 0));
    *sum = (ws_sum){{(uint64_t)low, (uint64_t)(low >> 64), (uint64_t)high, (uint64_t)(high >> 64)}};
}

static int leading_bit(const ws_sum *magnitude)
{
    for (int i = LIMBS - 1; i >= 0; i--)
        if (magnitude->limb[i])
            return i * 64 + 63 - __builtin_clzll(magnitude->limb[i]);
    return -1;
}

static uint64_t bits_from(const ws_sum *magnitude, int start, int count)
{
    unsigned __int128 window = magnitude->limb[start / 64];
    if (start / 64 + 1 < LIMBS)
        window |= (unsigned __int128)magnitude->limb[start / 64 + 1] << 64;
    return (uint64_t)(window >> (start % 64)) & ((UINT64_C(1) << count) - 1);
}

static bool any_below(const ws_sum *magnitude, int position)
{
    for (int i = 0; i < position / 64; i++)
        if (magnitude->limb[i])
            return true;
    uint64_t mask = (UINT64_C(1) << (position % 64)) - 1;
    return (magnitude->limb[position / 64] & mask) != 0;
}

double ws_sum_value(const ws_sum *sum)
{
    ws_sum magnitude = *sum;
    bool negative = magnitude.limb[LIMBS - 1] >> 63;
    if (negative)
        negate(&magnitude);
    int top = leading_bit(&magnitude);
    if (top < 0)
        return 0;
    double value;
    if (top < 53) {
        value = ldexp((double)bits_from(&magnitude, 0, 53), -FRACTION_BITS);
    } else {
        int start = top - 52;
        uint64_t mantissa = bits_from(&magnitude, start, 53);
        bool half = bits_from(&magnitude, start - 1, 1);
        bool rest = start > 1 && any_below(&magnitude, start - 1);
        mantissa += half && (rest || (mantissa & 1));
        value = ldexp((double)mantissa, start - FRACTION_BITS);
    }
    return negative ? -value : value;
}

void ws_sum_pair(const ws_sum *sum, double *high, double *low)
{
    *high = ws_sum_value(sum);
    ws_sum rest = *sum;
    ws_sum_add(&rest, -*high);
    *low = ws_sum_value(&rest);
}
