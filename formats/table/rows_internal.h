/* What rows.h does with a line, by AVX2. Apart from it, since the header of the intrinsics takes longer to compile than
 * most files, and few need them. */
#ifndef WS_FORMATS_ROWS_INTERNAL_H
#define WS_FORMATS_ROWS_INTERNAL_H

#include "core/avx2.h"
#include "formats/table/rows.h"

#if defined __x86_64__
WS_AVX2 static inline __m128i ws_low_half(uint64_t word)
{
    return _mm_cvtsi64_si128((int64_t)word);
}

/* ws_digit_template_read. Neighbours are joined by one multiplication each for digits, pairs and fours. */
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

WS_AVX2 static inline __m256i ws_half_word(const char *bytes)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)bytes);
}

WS_AVX2 static inline uint64_t ws_bits_of(__m256i low, __m256i high)
{
    return (uint32_t)_mm256_movemask_epi8(low) | (uint64_t)(uint32_t)_mm256_movemask_epi8(high) << 32;
}

WS_AVX2 static inline ws_masks ws_masks_avx2(const char *bytes, const ws_marks *marks)
{
    __m256i low = ws_half_word(bytes), high = ws_half_word(bytes + WS_WORD / 2);
    __m256i delimiter = ws_half_word(marks->delimiter), newline = ws_half_word(marks->newline);
    __m256i quote = ws_half_word(marks->quote), carriage_return = ws_half_word(marks->carriage_return);
    __m256i odd_low = _mm256_or_si256(_mm256_cmpeq_epi8(low, quote), _mm256_cmpeq_epi8(low, carriage_return));
    __m256i odd_high = _mm256_or_si256(_mm256_cmpeq_epi8(high, quote), _mm256_cmpeq_epi8(high, carriage_return));
    __m256i odd = _mm256_or_si256(odd_low, odd_high);
    ws_masks m = {ws_bits_of(_mm256_cmpeq_epi8(low, delimiter), _mm256_cmpeq_epi8(high, delimiter)),
                  ws_bits_of(_mm256_cmpeq_epi8(low, newline), _mm256_cmpeq_epi8(high, newline)), 0};
    if (!_mm256_testz_si256(odd, odd))
        m.odd = ws_bits_of(odd_low, odd_high);
    return m;
}
#endif

#endif
