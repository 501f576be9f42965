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

static inline unsigned __int128 half_of(const ws_sum *sum, int i)
{
    return (unsigned __int128)sum->limb[2 * i + 1] << 64 | sum->limb[2 * i];
}

static inline void add_halves(ws_sum *sum, unsigned __int128 low, unsigned __int128 high)
{
    unsigned __int128 below = half_of(sum, 0) + low, above = half_of(sum, 1) + high + (below < low);
    *sum = (ws_sum){{(uint64_t)below, (uint64_t)(below >> 64), (uint64_t)above, (uint64_t)(above >> 64)}};
}

/* Add +-magnitude * 2^shift, shift counted from 2^-128; bits below that are dropped. */
static void add_shifted(ws_sum *sum, unsigned __int128 magnitude, int shift, bool negative)
{
    enum { HALF = 128 };
    unsigned __int128 low = 0, high = 0;
    if (shift <= 0)
        low = shift > -HALF ? magnitude >> -shift : 0;
    else if (shift < HALF)
        low = magnitude << shift, high = magnitude >> (HALF - shift);
    else if (shift < 2 * HALF)
        high = magnitude << (shift - HALF);
    if (negative)
        low = 0 - low, high = ~high + !low;
    add_halves(sum, low, high);
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

void ws_sum_merge(ws_sum *sum, const ws_sum *other)
{
    add_halves(sum, half_of(other, 0), half_of(other, 1));
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

/* ldexp where nothing overflows or becomes subnormal: the exponent is between -128 and 127. */
static double times_power(double value, int exponent)
{
    uint64_t bits = (uint64_t)(exponent + 1023) << 52;
    double power;
    memcpy(&power, &bits, sizeof power);
    return value * power;
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
        value = times_power((double)bits_from(&magnitude, 0, 53), -FRACTION_BITS);
    } else {
        int start = top - 52;
        uint64_t mantissa = bits_from(&magnitude, start, 53);
        bool half = bits_from(&magnitude, start - 1, 1);
        bool rest = start > 1 && any_below(&magnitude, start - 1);
        mantissa += half && (rest || (mantissa & 1));
        value = times_power((double)mantissa, start - FRACTION_BITS);
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
