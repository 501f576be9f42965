#include "analyze/measure/batch_sums.h"

#include "analyze/measure/meter_internal.h"
#include "core/avx2.h"

#include <string.h>

#if defined __x86_64__

typedef uint64_t four __attribute__((vector_size(32)));
typedef int64_t four_signed __attribute__((vector_size(32)));

/* What four intervals or many come to. Products have up to 64 bits and are summed in two halves: the low 32 bits and the rest. */
typedef struct terms {
    four integral[2], squares[2];
} terms;

enum { FOURS = WS_BATCH / 4 };
static const four LOW = {UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX};
static const four EVERY = {UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX};

/* Added to the sum of two readings, so that it is not below zero. */
static const uint64_t RAISE = UINT64_C(2) << WS_BATCH_UNIT_BITS;

WS_AVX2 static inline four load(const void *from)
{
    four words;
    memcpy(&words, from, sizeof words);
    return words;
}

/* Of the low 32 bits. */
WS_AVX2 static inline four times(four a, four b)
{
    return (four)_mm256_mul_epu32((__m256i)a, (__m256i)b);
}

WS_AVX2 static inline four square_of(four units)
{
    return (four)_mm256_mul_epi32((__m256i)units, (__m256i)units);
}

WS_AVX2 static inline terms terms_of(four before, four units, four step)
{
    four integral = times(before + units + RAISE, step);
    four both = square_of(before) + square_of(units), squares = times(both, step);
    return (terms){.integral = {integral & LOW, integral >> 32},
                   .squares = {squares & LOW, (squares >> 32) + times(both >> 32, step)}};
}

WS_AVX2 static inline void add_where(terms *sum, const terms *term, four where)
{
    for (int half = 0; half < 2; half++) {
        sum->integral[half] += term->integral[half] & where;
        sum->squares[half] += term->squares[half] & where;
    }
}

WS_AVX2 static inline uint64_t total_of(four x)
{
    return x[0] + x[1] + x[2] + x[3];
}

WS_AVX2 static inline __int128 joined(const four *halves)
{
    uint64_t low = total_of(halves[0]), middle = total_of(halves[1] & LOW), high = total_of(halves[1] >> 32);
    return ((__int128)high << 64) + ((__int128)middle << 32) + low;
}

WS_AVX2 static inline ws_interval_sums sums_of(const terms *t, uint64_t count, uint64_t ns)
{
    return (ws_interval_sums){count, (int64_t)ns, joined(t->integral) - (__int128)RAISE * ns, joined(t->squares)};
}

static ws_interval_sums rest_of(const ws_interval_sums *all, const ws_interval_sums *part)
{
    return (ws_interval_sums){all->count - part->count, all->total_ns - part->total_ns, all->integral - part->integral,
                              all->squares - part->squares};
}

/* False where an interval is none or too long. */
WS_AVX2 static inline bool find_steps(ws_batch_sums *sums, four *step, const int64_t *t_ns)
{
    four any = {0}, shortest = LOW, longest = {0};
    for (int i = 0; i < FOURS; i++) {
        step[i] = load(t_ns + 4 * i + 1) - load(t_ns + 4 * i);
        any |= step[i];
        shortest = (four)_mm256_min_epu32((__m256i)shortest, (__m256i)step[i]);
        longest = (four)_mm256_max_epu32((__m256i)longest, (__m256i)step[i]);
    }
    uint64_t least = shortest[0], most = longest[0];
    for (int i = 1; i < 4; i++) {
        least = shortest[i] < least ? shortest[i] : least;
        most = longest[i] > most ? longest[i] : most;
    }
    sums->shortest_ns = (int64_t)least;
    sums->longest_ns = (int64_t)most;
    return least > 0 && (any[0] | any[1] | any[2] | any[3]) <= UINT32_MAX;
}

WS_AVX2 static inline void sum_readings(ws_batch_sums *sums, const int64_t *units)
{
    four total = {0}, squares = {0}, least = load(units), most = least;
    for (int i = 0; i < FOURS; i++) {
        four next = load(units + 4 * i);
        total += next;
        squares += square_of(next);
        least = (four)_mm256_min_epi32((__m256i)least, (__m256i)next);
        most = (four)_mm256_max_epi32((__m256i)most, (__m256i)next);
    }
    sums->total = (int64_t)total_of(total);
    sums->squares = total_of(squares);
    sums->least = (int32_t)least[0], sums->most = (int32_t)most[0];
    for (int i = 1; i < 4; i++) {
        sums->least = (int32_t)least[i] < sums->least ? (int32_t)least[i] : sums->least;
        sums->most = (int32_t)most[i] > sums->most ? (int32_t)most[i] : sums->most;
    }
}

/* Where the quarter octave of an interval begins. */
static int64_t quarter_octave_from(int64_t ns)
{
    int octave = 63 - __builtin_clzll((uint64_t)ns), below = octave >= 2 ? octave - 2 : 0;
    return ns >> below << below;
}

WS_AVX2 static bool sum_batch(ws_batch_sums *sums, const int64_t *units, const int64_t *t_ns)
{
    four step[FOURS];
    if (!find_steps(sums, step, t_ns) || ws_quarter_octave(sums->longest_ns) - ws_quarter_octave(sums->shortest_ns) > 1)
        return false;
    terms all = {0}, longer = {0};
    four longer_n = {0}, longer_ns = {0};
    int64_t from = quarter_octave_from(sums->longest_ns);
    for (int i = 0; i < FOURS; i++) {
        terms term = terms_of(load(units + 4 * i), load(units + 4 * i + 1), step[i]);
        four is_longer = (four)((four_signed)step[i] > from - 1);
        longer_n -= is_longer; /* -1 where it is true */
        longer_ns += step[i] & is_longer;
        add_where(&all, &term, EVERY);
        add_where(&longer, &term, is_longer);
    }
    sum_readings(sums, units + 1);
    ws_interval_sums whole = sums_of(&all, WS_BATCH, (uint64_t)t_ns[WS_BATCH] - (uint64_t)t_ns[0]);
    sums->longer = sums_of(&longer, total_of(longer_n), total_of(longer_ns));
    sums->shorter = rest_of(&whole, &sums->longer);
    return true;
}

bool ws_sum_batch(ws_batch_sums *sums, const int64_t *units, const int64_t *t_ns)
{
    return ws_has_avx2() && sum_batch(sums, units, t_ns);
}

#else

bool ws_sum_batch(ws_batch_sums *sums, const int64_t *units, const int64_t *t_ns)
{
    (void)sums, (void)units, (void)t_ns;
    return false;
}

#endif
