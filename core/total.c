#include "core/total.h"

typedef __int128 wide;
typedef unsigned __int128 uwide;

static bool is_short(int64_t factor)
{
    return factor >= -WS_MOST_FACTOR && factor <= WS_MOST_FACTOR;
}

bool ws_is_decimal_only(double value)
{
    enum { ODD_PART = 125 }; /* of 1000: multiples of 125 thousandths are eighths */
    int64_t whole;
    return ws_thousandths(value, &whole) && (whole % ODD_PART || (double)whole / WS_PARTS != value);
}

void ws_total_add_times(ws_total *total, double value, int64_t factor)
{
    int64_t whole;
    if (is_short(factor) && ws_thousandths(value, &whole))
        total->parts += (wide)whole * factor;
    else
        ws_sum_add_times(&total->other, value, factor);
}

void ws_total_add_square_times(ws_total *total, double value, int64_t factor)
{
    int64_t whole;
    if (is_short(factor) && ws_thousandths(value, &whole))
        total->parts += (wide)whole * whole * factor;
    else
        ws_sum_add_square_times(&total->other, value, factor);
}

void ws_total_merge(ws_total *total, const ws_total *other)
{
    ws_sum_merge(&total->other, &other->other);
    total->parts += other->parts;
}

/* Long division, 64 bits a step, rounded down. */
ws_sum ws_total_sum(const ws_total *total, int parts)
{
    wide whole = total->parts / parts, rest = total->parts % parts;
    if (rest < 0) {
        rest += parts;
        whole--;
    }
    ws_sum sum = {{0, 0, (uint64_t)whole, (uint64_t)((uwide)whole >> 64)}};
    for (int i = 1; i >= 0; i--) {
        rest <<= 64;
        sum.limb[i] = (uint64_t)(rest / parts);
        rest %= parts;
    }
    ws_sum_merge(&sum, &total->other);
    sum.limb[0] |= rest > 0;
    return sum;
}

double ws_total_value(const ws_total *total, int parts)
{
    ws_sum sum = ws_total_sum(total, parts);
    return ws_sum_value(&sum);
}

void ws_total_pair(const ws_total *total, int parts, double *high, double *low)
{
    ws_sum sum = ws_total_sum(total, parts);
    ws_sum_pair(&sum, high, low);
}
