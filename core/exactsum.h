/* Sums that do not depend on the order of their terms.
 *
 * A ws_sum is a 256-bit two's-complement number in units of 2^-128. A double between 2^-75 and 2^126 in magnitude is
 * added exactly, and so is its product with an int64; smaller ones lose what lies below 2^-128, each term for itself,
 * so that any order, split or merge of the same terms gives the same bits. Watts times nanoseconds of a campaign of a
 * thousand years stay below 2^96. Idea: Kulisch 1971, "long accumulator", cut to the range that energy needs. */
#ifndef WS_CORE_EXACTSUM_H
#define WS_CORE_EXACTSUM_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct ws_sum {
    uint64_t limb[4]; /* least significant first; {0} is zero */
} ws_sum;

void ws_sum_add(ws_sum *sum, double term);                              /* sum += term; term must be finite */
void ws_sum_add_times(ws_sum *sum, double term, int64_t factor);        /* sum += term * factor, without rounding */
void ws_sum_add_square_times(ws_sum *sum, double term, int64_t factor); /* sum += term^2 * factor, likewise */
/* sum += units * 2^-places, exact up to 128 places */
__extension__ void ws_sum_add_units(ws_sum *sum, __int128 units, int places);

/* Terms of like size in bulk: as integers, in units of 2^-places. ws_sum_places: as many places as leave room for
 * `largest`, which is finite. ws_sum_units: the value as a whole number of units below 2^WS_UNIT_BITS (scale is
 * 2^places); false where it is none. */
enum { WS_UNIT_BITS = 61 };
int ws_sum_places(double largest);
static inline bool ws_sum_units(double value, double scale, int64_t *units)
{
    double scaled = value * scale;
    if (!(fabs(scaled) < (double)(INT64_C(1) << WS_UNIT_BITS)))
        return false;
    *units = (int64_t)scaled;
    return (double)*units == scaled;
}

void ws_sum_merge(ws_sum *sum, const ws_sum *other);
double ws_sum_value(const ws_sum *sum); /* correctly rounded, ties to even */

/* The value as an unevaluated pair: high = rounded value, low = rounded rest. */
void ws_sum_pair(const ws_sum *sum, double *high, double *low);

#endif
