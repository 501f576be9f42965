#include "analyze/measure/power_range.h"

#include "core/avx2.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* Four at a time and without a branch, since every power of every trace passes here. Made for each kind of machine, and
 * the same on all. */
static inline __attribute__((always_inline)) ws_power_range range_of(const double *value, size_t n)
{
    typedef double four __attribute__((vector_size(32)));
    typedef int64_t four_bits __attribute__((vector_size(32)));
    four least = {INFINITY, INFINITY, INFINITY, INFINITY}, most = -least;
    four_bits missing = {0};
    size_t i = 0;
    for (; i + 4 <= n; i += 4) {
        four x;
        memcpy(&x, value + i, sizeof x);
        four_bits lower = x<least, higher = x> most;
        missing |= x != x;
        least = (four)(((four_bits)x & lower) | ((four_bits)least & ~lower));
        most = (four)(((four_bits)x & higher) | ((four_bits)most & ~higher));
    }
    ws_power_range range = {.lacks_some = missing[0] | missing[1] | missing[2] | missing[3],
                            .least = fmin(fmin(least[0], least[1]), fmin(least[2], least[3])),
                            .most = fmax(fmax(most[0], most[1]), fmax(most[2], most[3]))};
    for (; i < n; i++) {
        range.lacks_some |= isnan(value[i]);
        range.least = value[i] < range.least ? value[i] : range.least;
        range.most = value[i] > range.most ? value[i] : range.most;
    }
    return range;
}

static ws_power_range range_portable(const double *value, size_t n)
{
    return range_of(value, n);
}

#if defined __x86_64__
WS_AVX2 static ws_power_range range_avx2(const double *value, size_t n)
{
    return range_of(value, n);
}
#else
#define range_avx2 range_portable
#endif

ws_power_range ws_power_range_of(const ws_block *b)
{
    return (ws_has_avx2() ? range_avx2 : range_portable)(b->value, b->n);
}
