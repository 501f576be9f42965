/* The look of short texts that differ in their digits only: "86.35 W", the "01.021" of a stamp. It is learnt from one of
 * them; then a text as long as that is checked and read as one word, without looking at its bytes. */
#ifndef WS_FORMATS_DIGIT_TEMPLATE_H
#define WS_FORMATS_DIGIT_TEMPLATE_H

#include "core/avx2.h"
#include "core/text.h"

#define WS_EACH_BYTE UINT64_C(0x0101010101010101)

/* Of the eight bytes that end with the text, the first lowest. */
typedef struct ws_digit_template {
    uint64_t fixed;  /* '0' where digits stand, else what stands there */
    uint64_t most;   /* by how much a byte may be another one: 9 where digits stand, 255 before the text, else 0 */
    uint64_t before; /* the bytes of the digits before the point */
    uint64_t others; /* of those behind it, or of all where there is none */
    uint64_t order;  /* the bytes that digits stand in, moved to the end; bit 7: none */
    uint8_t shift;   /* what moves the last digit to the end */
} ws_digit_template;

/* Text of one to eight bytes: `whole` digits, and where `decimals` is not 0 any one byte and so many digits more, and
 * anything after that. One digit at least. */
ws_digit_template ws_digit_template_of(ws_span text, size_t whole, size_t decimals);

/* The digits, whole and decimals, of the text before `end`, as one number; false where it looks different. It is as long as
 * the one that was learnt, and eight bytes before `end` must be there. */
typedef bool ws_digit_template_reader(const ws_digit_template *look, const char *end, uint32_t *digits);

static inline bool ws_digit_template_read(const ws_digit_template *look, const char *end, uint32_t *digits)
{
    const uint64_t top = 0x80 * WS_EACH_BYTE;
    uint64_t d = ws_word_before(end) ^ look->fixed;
    uint64_t lift = ~look->most & ~top; /* takes a byte that is too large, and is none before the text, to bit 7 */
    if (((d + lift) | d) & ~look->most & top)
        return false;
    *digits = (uint32_t)ws_eight_digits(((d & look->before) << 8 | (d & look->others)) << look->shift);
    return true;
}

#if defined __x86_64__
WS_AVX2 static inline __m128i ws_low_half(uint64_t word)
{
    return _mm_cvtsi64_si128((int64_t)word);
}

/* The same. Neighbours are joined by one multiplication each for digits, pairs and fours. */
WS_AVX2 static inline bool ws_digit_template_read_avx2(const ws_digit_template *look, const char *end, uint32_t *digits)
{
    const __m128i tens = _mm_set1_epi16(0x010a), hundreds = _mm_set1_epi32(0x00010064);
    const __m128i myriads = _mm_set1_epi32(0x00012710);
    __m128i d = _mm_xor_si128(ws_low_half(ws_word_before(end)), ws_low_half(look->fixed));
    __m128i beyond = _mm_subs_epu8(d, ws_low_half(look->most));
    if (!_mm_testz_si128(beyond, beyond))
        return false;
    __m128i pairs = _mm_maddubs_epi16(_mm_shuffle_epi8(d, ws_low_half(look->order)), tens);
    __m128i fours = _mm_madd_epi16(pairs, hundreds);
    *digits = (uint32_t)_mm_cvtsi128_si32(_mm_madd_epi16(_mm_packus_epi32(fours, fours), myriads));
    return true;
}
#endif

#endif
