#include "core/exactsum.h"

#include <math.h>
#include <stdbool.h>

enum { FRACTION_BITS = 128, LIMBS = 4 };

static void negate(ws_sum *sum)
{
    unsigned carry = 1;
    for (int i = 0; i < LIMBS; i++) {
        sum->limb[i] = ~sum->limb[i] + carry;
        carry = carry && sum->limb[i] == 0;
    }
}

static void add_limbs(ws_sum *sum, const ws_sum *other)
{
    uint64_t carry = 0;
    for (int i = 0; i < LIMBS; i++) {
        uint64_t partial, total;
        uint64_t c1 = __builtin_add_overflow(sum->limb[i], other->limb[i], &partial);
        uint64_t c2 = __builtin_add_overflow(partial, carry, &total);
        sum->limb[i] = total;
        carry = c1 | c2;
    }
}

/* Add +-magnitude * 2^shift, shift counted from 2^-128; bits below that are dropped. */
static void add_shifted(ws_sum *sum, unsigned __int128 magnitude, int shift, bool negative)
{
    if (shift < 0) {
        magnitude = shift <= -128 ? 0 : magnitude >> -shift;
        shift = 0;
    }
    int limb = shift / 64, bits = shift % 64;
    uint64_t low = (uint64_t)magnitude, high = (uint64_t)(magnitude >> 64);
    uint64_t piece[3] = {low << bits, high << bits, 0};
    if (bits) {
        piece[1] |= low >> (64 - bits);
        piece[2] = high >> (64 - bits);
    }
    ws_sum term = {{0}};
    for (int i = 0; i < 3 && limb + i < LIMBS; i++)
        term.limb[limb + i] = piece[i];
    if (negative)
        negate(&term);
    add_limbs(sum, &term);
}

void ws_sum_add_times(ws_sum *sum, double term, int64_t factor)
{
    int exponent;
    double fraction = frexp(fabs(term), &exponent);
    uint64_t mantissa = (uint64_t)ldexp(fraction, 53);
    bool negative = signbit(term) != (factor < 0);
    uint64_t size = factor < 0 ? 0 - (uint64_t)factor : (uint64_t)factor;
    if (mantissa && size)
        add_shifted(sum, (unsigned __int128)mantissa * size, exponent - 53 + FRACTION_BITS, negative);
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

void ws_sum_merge(ws_sum *sum, const ws_sum *other)
{
    add_limbs(sum, other);
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
