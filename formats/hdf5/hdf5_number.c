#include "formats/hdf5/hdf5_number.h"

#include <string.h>
#if defined __SSE2__
#include <emmintrin.h>
#endif

#define CONVERT(name, type)                                  \
    static void name(const void *from, double *to, size_t n) \
    {                                                        \
        const type *stored = from;                           \
        for (size_t i = 0; i < n; i++)                       \
            to[i] = (double)stored[i];                       \
    }
CONVERT(from_double, double)
CONVERT(from_u32, uint32_t)
CONVERT(from_u64, uint64_t)
CONVERT(from_i32, int32_t)
CONVERT(from_i64, int64_t)

/* What perun stores: four at once where the machine can. */
static void from_float(const void *from, double *to, size_t n)
{
    const float *stored = from;
    size_t i = 0;
#if defined __SSE2__
    for (; n - i >= 4; i += 4) {
        __m128 four = _mm_loadu_ps(stored + i);
        _mm_storeu_pd(to + i, _mm_cvtps_pd(four));
        _mm_storeu_pd(to + i + 2, _mm_cvtps_pd(_mm_movehl_ps(four, four)));
    }
#endif
    for (; i < n; i++)
        to[i] = (double)stored[i];
}

/* HDF5 file format specification, IV.A.2.d: class and version, bits, size, first bit and number of bits; of
 * floating-point numbers where exponent and mantissa stand, and what is taken off the exponent. */
static const ws_hdf5_number_type types[] = {
    {true, 4, true, from_float, {0x11, 0x20, 31, 0, 4, 0, 0, 0, 0, 0, 32, 0, 23, 8, 0, 23, 127}, 20},
    {true, 8, true, from_double, {0x11, 0x20, 63, 0, 8, 0, 0, 0, 0, 0, 64, 0, 52, 11, 0, 52, 0xff, 3}, 20},
    {false, 4, false, from_u32, {0x10, 0, 0, 0, 4, 0, 0, 0, 0, 0, 32, 0}, 12},
    {false, 8, false, from_u64, {0x10, 0, 0, 0, 8, 0, 0, 0, 0, 0, 64, 0}, 12},
    {false, 4, true, from_i32, {0x10, 8, 0, 0, 4, 0, 0, 0, 0, 0, 32, 0}, 12},
    {false, 8, true, from_i64, {0x10, 8, 0, 0, 8, 0, 0, 0, 0, 0, 64, 0}, 12},
};
enum { TYPES = sizeof types / sizeof *types };

const ws_hdf5_number_type *ws_hdf5_number_type_find(bool is_float, size_t size, bool is_signed)
{
    for (size_t i = 0; i < TYPES; i++)
        if (types[i].is_float == is_float && types[i].size == size && types[i].is_signed == is_signed)
            return &types[i];
    return NULL;
}

/* Only where the machine's own numbers begin with their little end, too. */
const ws_hdf5_number_type *ws_hdf5_number_type_spelled(ws_span encoded)
{
    const uint16_t one = 1;
    if (!*(const unsigned char *)&one)
        return NULL;
    for (size_t i = 0; i < TYPES; i++)
        if (types[i].encoded_size == encoded.n && memcmp(types[i].encoded, encoded.p, encoded.n) == 0)
            return &types[i];
    return NULL;
}
