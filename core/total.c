#include "core/total.h"

enum { LIMBS = 4, LAST_PLACE = 128 };

typedef __int128 wide;
typedef unsigned __int128 uwide;

static bool is_short(int64_t factor)
{
    return factor >= -WS_MOST_FACTOR && factor <= WS_MOST_FACTOR;
}

bool ws_is_decimal_only(double value)
{
    enum { ODD_PART = 15625 }; /* of 10^6: multiples of 15625 millionths are 64ths */
    int64_t whole;
    return ws_millionths(value, &whole) && (whole % ODD_PART || (double)whole / WS_PARTS != value);
}

void ws_total_add_parts(ws_total *total, __int128 units, int64_t scale)
{
    uwide low = (uwide)(uint64_t)units * (uint64_t)scale;
    wide high = (wide)(int64_t)(units >> 64) * scale + (wide)(low >> 64);
    ws_sum term = {{(uint64_t)low, (uint64_t)high, (uint64_t)(high >> 64), high < 0 ? UINT64_MAX : 0}};
    ws_sum_merge(&total->parts, &term);
}

void ws_total_add_times(ws_total *total, double value, int64_t factor)
{
    int64_t whole;
    if (is_short(factor) && ws_millionths(value, &whole))
        ws_total_add_parts(total, (wide)whole * factor, 1);
    else
        ws_sum_add_times(&total->other, value, factor);
}

bool ws_counter_millionths(double value, int64_t *whole)
{
    enum { THOUSANDTHS = 1000 };
    const double most =
        0x1p50; /* from here on a double is further from the next than reading and scaling may move it */
    double shifted;
    int64_t scale = 1;
    bool is_whole = ws_is_whole(value, WS_PARTS, WS_BESIDE, most, &shifted);
    if (!is_whole) {
        is_whole = ws_is_whole(value, THOUSANDTHS, WS_BESIDE, most, &shifted);
        scale = WS_PARTS / THOUSANDTHS;
    }
    *whole = is_whole ? ws_low_bits(shifted) * scale : 0;
    return is_whole;
}

double ws_counter_rise(double from, double to)
{
    int64_t before, after;
    bool both = ws_counter_millionths(from, &before) && ws_counter_millionths(to, &after);
    return both ? (double)(after - before) / WS_PARTS : to - from;
}

void ws_total_add_counter(ws_total *total, double value, int64_t times)
{
    int64_t whole;
    if (ws_counter_millionths(value, &whole))
        ws_total_add_parts(total, (wide)whole * times, 1);
    else
        ws_sum_add_times(&total->other, value, times);
}

void ws_total_add_square_times(ws_total *total, double value, int64_t factor)
{
    int64_t whole;
    if (is_short(factor) && ws_millionths(value, &whole))
        ws_total_add_parts(total, (wide)whole * whole * factor, 1);
    else
        ws_sum_add_square_times(&total->other, value, factor);
}

void ws_total_merge(ws_total *total, const ws_total *other)
{
    ws_sum_merge(&total->other, &other->other);
    ws_sum_merge(&total->parts, &other->parts);
}

/* -x = ~x + 1 */
static void complement(ws_sum *sum, bool and_one)
{
    for (int i = 0; i < LIMBS; i++)
        sum->limb[i] = ~sum->limb[i];
    ws_sum_add_units(sum, and_one, LAST_PLACE);
}

/* Long division, 64 bits a step, rounded down. */
ws_sum ws_total_sum(const ws_total *total, int64_t parts)
{
    ws_sum size = total->parts, sum = {{0}};
    bool is_negative = size.limb[LIMBS - 1] >> 63;
    if (is_negative)
        complement(&size, true);
    int top = LIMBS - 1;
    while (top >= 0 && !size.limb[top])
        top--;
    uwide rest = 0;
    for (int i = top; i >= -2 && (i >= 0 || rest); i--) {
        rest = rest << 64 | (i >= 0 ? size.limb[i] : 0);
        uint64_t quotient = (uint64_t)(rest / (uint64_t)parts);
        if (i + 2 < LIMBS)
            sum.limb[i + 2] = quotient;
        rest -= (uwide)quotient * (uint64_t)parts;
    }
    if (is_negative)
        complement(&sum, !rest);
    ws_sum_merge(&sum, &total->other);
    sum.limb[0] |= rest > 0;
    return sum;
}

double ws_total_value(const ws_total *total, int64_t parts)
{
    ws_sum sum = ws_total_sum(total, parts);
    return ws_sum_value(&sum);
}

void ws_total_pair(const ws_total *total, int64_t parts, double *high, double *low)
{
    ws_sum sum = ws_total_sum(total, parts);
    ws_sum_pair(&sum, high, low);
}
