/* Numbers a, b, c, d of two bytes each:
 *
 *   a0 b0 c0 d0 a1 b1 c1 d1   becomes   a0 a1 b0 b1 c0 c1 d0 d1
 *
 * With SSE2, which every x86-64 has, sixteen numbers at once: bytes of two rows are interleaved to pairs, pairs to
 * fours, fours to eights. */
#include "formats/hdf5/library/unshuffle.h"

#if defined __SSE2__
#include <emmintrin.h>
#endif

static void unshuffle_bytewise(const unsigned char *from, unsigned char *to, size_t first, size_t n, size_t size)
{
    for (size_t i = first; i < n; i++)
        for (size_t byte = 0; byte < size; byte++)
            to[i * size + byte] = from[byte * n + i];
}

#if defined __SSE2__
enum { AT_ONCE = 16 };

static inline __m128i unshuffle_load(const unsigned char *from)
{
    return _mm_loadu_si128((const __m128i *)from);
}

static inline void store(unsigned char *to, size_t place, __m128i bytes)
{
    _mm_storeu_si128((__m128i *)to + place, bytes);
}

/* Sixteen numbers of which the rows r0..r3 hold a byte each, as four times four numbers of four bytes. */
static inline void join_four(__m128i r0, __m128i r1, __m128i r2, __m128i r3, __m128i fours[4])
{
    __m128i low01 = _mm_unpacklo_epi8(r0, r1), high01 = _mm_unpackhi_epi8(r0, r1);
    __m128i low23 = _mm_unpacklo_epi8(r2, r3), high23 = _mm_unpackhi_epi8(r2, r3);
    fours[0] = _mm_unpacklo_epi16(low01, low23);
    fours[1] = _mm_unpackhi_epi16(low01, low23);
    fours[2] = _mm_unpacklo_epi16(high01, high23);
    fours[3] = _mm_unpackhi_epi16(high01, high23);
}

static inline void take_four_rows(const unsigned char *from, size_t n, __m128i fours[4])
{
    join_four(unshuffle_load(from), unshuffle_load(from + n), unshuffle_load(from + 2 * n),
              unshuffle_load(from + 3 * n), fours);
}

static size_t unshuffle_4(const unsigned char *from, unsigned char *to, size_t n)
{
    size_t i = 0;
    for (; n - i >= AT_ONCE; i += AT_ONCE) {
        __m128i fours[4];
        take_four_rows(from + i, n, fours);
        for (size_t k = 0; k < 4; k++)
            store(to + i * 4, k, fours[k]);
    }
    return i;
}

static size_t unshuffle_8(const unsigned char *from, unsigned char *to, size_t n)
{
    size_t i = 0;
    for (; n - i >= AT_ONCE; i += AT_ONCE) {
        __m128i low[4], high[4];
        take_four_rows(from + i, n, low);
        take_four_rows(from + i + 4 * n, n, high);
        for (size_t k = 0; k < 4; k++) {
            store(to + i * 8, 2 * k, _mm_unpacklo_epi32(low[k], high[k]));
            store(to + i * 8, 2 * k + 1, _mm_unpackhi_epi32(low[k], high[k]));
        }
    }
    return i;
}
#else
static size_t unshuffle_4(const unsigned char *from, unsigned char *to, size_t n)
{
    (void)from, (void)to, (void)n;
    return 0;
}
#define unshuffle_8 unshuffle_4
#endif

void ws_unshuffle(const unsigned char *from, unsigned char *to, size_t n, size_t size)
{
    size_t done = size == 4 ? unshuffle_4(from, to, n) : size == 8 ? unshuffle_8(from, to, n) : 0;
    unshuffle_bytewise(from, to, done, n, size);
}
