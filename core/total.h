/* Sums of readings, which files state in decimals.
 *
 * A power of "86.35" is no binary fraction. A reading of up to six decimals, a whole number of millionths, counts as
 * exactly that number and is summed as an integer; any other counts as the double it is, and goes to a ws_sum. Which of
 * the two is a matter of the reading (and of its factor) alone: any order, split or merge of the same terms gives the
 * same total, and it is rounded once, where it is read. */
#ifndef WS_CORE_TOTAL_H
#define WS_CORE_TOTAL_H

#include "core/exactsum.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef struct ws_total {
    ws_sum other;
    ws_sum parts; /* an integer of 256 bits: how many of WS_PARTS or WS_SQUARE_PARTS to one */
} ws_total;

#define WS_PARTS INT64_C(1000000)
#define WS_SQUARE_PARTS INT64_C(1000000000000)

/* Up to 1.1 MW, and factors of up to 18 minutes in nanoseconds. */
#define WS_MOST_PARTS 0x1p40
#define WS_MOST_FACTOR (INT64_C(1) << 40)

/* A double plus this is rounded to a whole number, which is how far its bits lie above those of this one. */
#define WS_TO_WHOLE 0x1.8p52

static inline int64_t ws_low_bits(double shifted)
{
    const double zero = WS_TO_WHOLE;
    uint64_t bits, zero_bits;
    memcpy(&bits, &shifted, sizeof bits);
    memcpy(&zero_bits, &zero, sizeof zero_bits);
    return (int64_t)(bits - zero_bits);
}

/* A decimal that was read, scaled to SI and rounded at each step is off by up to this much of itself. */
#define WS_BESIDE 0x1p-51

/* Is the value a whole number of units, of which `per` make 1, or off by `beside` of itself at most? Then
 * ws_low_bits(*shifted) is their number, which is not above `most`. NaN is none. */
static inline bool ws_is_whole(double value, double per, double beside, double most, double *shifted)
{
    *shifted = value * per + WS_TO_WHOLE;
    double whole = *shifted - WS_TO_WHOLE, back = whole / per;
    return fabs(back - value) <= fabs(back) * beside && fabs(whole) <= most;
}

/* Does the value count as a decimal, and as how many millionths? */
static inline bool ws_millionths(double value, int64_t *whole)
{
    double shifted;
    bool is_whole = ws_is_whole(value, WS_PARTS, WS_BESIDE, WS_MOST_PARTS, &shifted);
    *whole = ws_low_bits(shifted);
    return is_whole;
}

/* The reading that a value stands for: the double nearest to the decimal that it counts as, else the value itself. */
static inline double ws_as_stated(double value)
{
    int64_t whole;
    return ws_millionths(value, &whole) ? (double)whole / WS_PARTS : value;
}

/* As ws_millionths, except for those that a double holds exactly: they count the same both ways. */
bool ws_is_decimal_only(double value);

/* How many millionths a reading of a counter counts as; false where it counts as the double it is. A counter may run
 * for years: one up to 1.1 GJ counts by its millionths, a larger one by its thousandths, as long as a double holds
 * them. */
bool ws_counter_millionths(double value, int64_t *whole);
/* to - from, of two readings of a counter */
double ws_counter_rise(double from, double to);
/* total += times * value, a reading of a counter; of a total in WS_PARTS */
void ws_total_add_counter(ws_total *total, double value, int64_t times);

/* total += value * factor; of a total in WS_PARTS. The value must be finite. */
void ws_total_add_times(ws_total *total, double value, int64_t factor);
/* total += value^2 * factor; of a total in WS_SQUARE_PARTS */
void ws_total_add_square_times(ws_total *total, double value, int64_t factor);
/* total += units * scale, in its parts */
__extension__ void ws_total_add_parts(ws_total *total, __int128 units, int64_t scale);
void ws_total_merge(ws_total *total, const ws_total *other);

/* Of a total in `parts`. Sum: down to 2^-128, where its last bit is set if there is a rest. Value: correctly rounded
 * above 2^-70. Pair: high = rounded value, low = rounded rest. */
ws_sum ws_total_sum(const ws_total *total, int64_t parts);
double ws_total_value(const ws_total *total, int64_t parts);
void ws_total_pair(const ws_total *total, int64_t parts, double *high, double *low);

#endif
