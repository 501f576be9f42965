/* Sums of readings, which files state in decimals.
 *
 * A power of "86.35" is no binary fraction. A reading that is a whole number of thousandths counts as exactly that number,
 * and is summed as an integer; any other counts as the double it is, and goes to a ws_sum. Which of both is a matter of the
 * reading (and of its factor) alone: any order, split or merge of the same terms gives the same total, and it is rounded
 * once, where it is read. */
#ifndef WS_CORE_TOTAL_H
#define WS_CORE_TOTAL_H

#include "core/exactsum.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef struct ws_total {
    ws_sum other;
    __int128 parts; /* how many, of which WS_PARTS or WS_SQUARE_PARTS make one */
} ws_total;

enum { WS_PARTS = 1000, WS_SQUARE_PARTS = 1000000 };

/* Up to 268 kW, and factors of up to 18 minutes in nanoseconds: 2^28 such squares and more fit into 128 bits. */
#define WS_MOST_THOUSANDTHS 0x1p28
#define WS_MOST_FACTOR (INT64_C(1) << 40)

/* Added, it leaves the nearest whole number in the low bits of a double. */
#define WS_TO_WHOLE 0x1.8p52
#define WS_BESIDE (0x1p-51 / WS_PARTS)

static inline int64_t ws_low_bits(double shifted)
{
    uint64_t bits;
    memcpy(&bits, &shifted, sizeof bits);
    return (int32_t)(uint32_t)bits;
}

/* Is the value a whole number of thousandths, which ws_low_bits(*shifted) then tells? So is what lies beside one by two to
 * four units in the last place: what is left of a decimal that was read, scaled to SI and rounded at each step. NaN is none. */
static inline bool ws_is_thousandths(double value, double *shifted)
{
    *shifted = value * WS_PARTS + WS_TO_WHOLE;
    double whole = *shifted - WS_TO_WHOLE;
    return fabs(whole / WS_PARTS - value) <= fabs(whole) * WS_BESIDE && fabs(whole) <= WS_MOST_THOUSANDTHS;
}

static inline bool ws_thousandths(double value, int64_t *whole)
{
    double shifted;
    bool is_whole = ws_is_thousandths(value, &shifted);
    *whole = ws_low_bits(shifted);
    return is_whole;
}

/* The reading that a value stands for: the nearest double of the thousandths that it counts as, else the value itself. */
static inline double ws_as_stated(double value)
{
    int64_t whole;
    return ws_thousandths(value, &whole) ? (double)whole / WS_PARTS : value;
}

/* As ws_thousandths, but for those that a double holds exactly: they count the same both ways. */
bool ws_is_decimal_only(double value);

/* total += value * factor; of a total in WS_PARTS. The value must be finite. */
void ws_total_add_times(ws_total *total, double value, int64_t factor);
/* total += value^2 * factor; of a total in WS_SQUARE_PARTS */
void ws_total_add_square_times(ws_total *total, double value, int64_t factor);
void ws_total_merge(ws_total *total, const ws_total *other);

/* Of a total in `parts`. Sum: down to 2^-128, where its last bit is set if there is a rest. Value: correctly rounded above
 * 2^-70. Pair: high = rounded value, low = rounded rest. */
ws_sum ws_total_sum(const ws_total *total, int parts);
double ws_total_value(const ws_total *total, int parts);
void ws_total_pair(const ws_total *total, int parts, double *high, double *low);

#endif
