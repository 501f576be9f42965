#include "analyze/measure/fingerprint.h"

#include "core/avx2.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WORD_VALUES = WS_FINGERPRINT_VALUES, VALUES_BEFORE = WORD_VALUES - 1 };

/* Of 16 and 16 words of two sensors in fine steps none is shared by chance, and of ten different values up to seven; of
 * one sensor a twentieth of whose readings differ, four in five are. So half of them have to be, and in short traces
 * four. Ours. */
enum { LEAST_SHARED = 4 };

/* A copy that lacks a row, or a few, shares more than this of its words, and one word in eight at most comes again. So
 * few words prove nothing. Ours. */
static const double COPIED_WORDS = 0.75, COME_AGAIN = 0.125;
enum { ENOUGH_WORDS = 8 };

/* The largest chance that as many readings agree; the least number of them, and of different values among them: cards
 * that are idle or at their limit show few. Ours. */
const double ws_fingerprint_by_chance = 1e-9;
enum { ENOUGH_READINGS = 4, ENOUGH_VALUES = 8 };

/* The share of readings that agree in a copy; a third is enough where two readings of one trace agree by less than
 * SELDOM_AGREE: the copy may hold a part. Ours. */
static const double COPIED_READINGS = 0.9, SELDOM_AGREE = 0.05, COPIED_PART = 1 / 3.0;

/* --- which readings are chosen: hardly any --- */

static const uint64_t CHOOSES = UINT64_C(0x9e3779b97f4a7c15);

/* Words by the upper bits of a hash, first by those of their last value alone; samples by a rank, a hash of the stamp:
 * 24 bits of it are enough, since stamps that share them cost a sample. */
enum { UPPER_BITS = 10, RANK_BITS = 24, RANK_FOLD = 17 };

/* Of 0 and -0, which follow each other as one value does, the same. */
static uint64_t bits_of(double value)
{
    uint64_t bits;
    value += 0.0;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static uint32_t upper_of(double value)
{
    return (uint32_t)(bits_of(value) * CHOOSES >> (64 - UPPER_BITS));
}

static uint32_t rank_of(int64_t t_ns)
{
    uint64_t t = (uint64_t)t_ns;
    return (uint32_t)((t ^ t >> RANK_FOLD) * CHOOSES >> (64 - RANK_BITS));
}

/* Readings are looked at so many at a time, a bit each. */
enum { PIECE = 64 };

#if defined __x86_64__

typedef uint64_t quad __attribute__((vector_size(32)));
typedef int64_t signed_quad __attribute__((vector_size(32)));

WS_AVX2 static inline quad four_at(const void *from)
{
    quad x;
    memcpy(&x, from, sizeof x);
    return x;
}

/* Bit i: the hash of number i of eight, without its lowest `shift` bits, is above `most`. */
WS_AVX2 static inline uint64_t bits_above(quad first, quad second, int shift, uint32_t most)
{
    const signed_quad limit = (signed_quad)_mm256_set1_epi64x(most);
    __m256d low = (__m256d)((signed_quad)(first * CHOOSES >> shift) > limit);
    __m256d high = (__m256d)((signed_quad)(second * CHOOSES >> shift) > limit);
    return (uint64_t)(_mm256_movemask_pd(low) | _mm256_movemask_pd(high) << 4);
}

WS_AVX2 static inline quad four_bits_of(const double *value)
{
    return (quad)(_mm256_loadu_pd(value) + _mm256_setzero_pd());
}

WS_AVX2 static uint64_t low_uppers_avx2(const double *value, uint32_t most)
{
    uint64_t above = 0;
    for (int i = 0; i < PIECE; i += 8)
        above |= bits_above(four_bits_of(value + i), four_bits_of(value + i + 4), 64 - UPPER_BITS, most) << i;
    return ~above;
}

WS_AVX2 static inline quad folded(quad t)
{
    return t ^ t >> RANK_FOLD;
}

WS_AVX2 static uint64_t low_ranks_avx2(const int64_t *t_ns, uint32_t most)
{
    uint64_t above = 0;
    for (int i = 0; i < PIECE; i += 8)
        above |= bits_above(folded(four_at(t_ns + i)), folded(four_at(t_ns + i + 4)), 64 - RANK_BITS, most) << i;
    return ~above;
}

#else
#define low_uppers_avx2(value, most) UINT64_MAX
#define low_ranks_avx2(t_ns, most) UINT64_MAX
#endif

/* Bit i: upper_of(value[i]) may be at most that. Some other bits are set where that is not known. */
static uint64_t low_uppers(const double *value, size_t n, uint32_t most)
{
    return n < PIECE ? (UINT64_C(1) << n) - 1 : ws_has_avx2() ? low_uppers_avx2(value, most) : UINT64_MAX;
}

/* The same of rank_of(t_ns[i]). */
static uint64_t low_ranks(const int64_t *t_ns, size_t n, uint32_t most)
{
    return n < PIECE ? (UINT64_C(1) << n) - 1 : ws_has_avx2() ? low_ranks_avx2(t_ns, most) : UINT64_MAX;
}

/* --- words --- */

static uint64_t folded_bits_of(double value)
{
    return bits_of(value) ^ bits_of(value) >> 32;
}

/* value: WORD_VALUES of them. */
static uint32_t hash_of(const double *value)
{
    static const uint64_t by = UINT64_C(0xff51afd7ed558ccd), last = UINT64_C(0xbf58476d1ce4e5b9);
    uint64_t hash = folded_bits_of(value[0]);
    for (int i = 1; i < WORD_VALUES; i++)
        hash = hash * by + folded_bits_of(value[i]);
    uint32_t lower = (uint32_t)((hash ^ hash >> 29) * last >> (32 + UPPER_BITS));
    return upper_of(value[VALUES_BEFORE]) << (32 - UPPER_BITS) | lower;
}

/* The largest hash that is kept. */
static uint32_t most_word(const uint32_t *word, uint32_t n)
{
    return n < WS_FINGERPRINT_WORDS ? UINT32_MAX : word[WS_FINGERPRINT_WORDS - 1];
}

/* No value follows itself; of those that go on in one direction, as in a slow rise, all cards have the same. */
static bool tells(const double *value)
{
    bool rises = value[0] < value[1] && value[1] < value[2] && value[2] < value[3];
    bool falls = value[0] > value[1] && value[1] > value[2] && value[2] > value[3];
    return !rises && !falls && value[0] != value[2] && value[1] != value[3] && value[0] != value[3];
}

static void insert_word(ws_fingerprint_kept *f, uint32_t word, unsigned times)
{
    uint32_t at = f->n_words;
    while (at && f->word[at - 1] >= word)
        at--;
    if (at == WS_FINGERPRINT_WORDS)
        return;
    if (at < f->n_words && f->word[at] == word) {
        times += f->times[at];
        f->times[at] = (uint8_t)(times < UINT8_MAX ? times : UINT8_MAX);
        return;
    }
    f->n_words += f->n_words < WS_FINGERPRINT_WORDS;
    size_t behind = f->n_words - at - 1;
    memmove(&f->word[at + 1], &f->word[at], behind * sizeof *f->word);
    memmove(&f->times[at + 1], &f->times[at], behind * sizeof *f->times);
    f->word[at] = word;
    f->times[at] = (uint8_t)times;
}

static uint32_t least_of(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static uint32_t most_taken_word(const ws_fingerprint_taker *f)
{
    uint32_t most = most_word(f->print.word, f->print.n_words);
    return f->is_stretch ? least_of(most, f->most_word) : most;
}

static void take_word(ws_fingerprint_taker *f, const double *word)
{
    uint32_t hash = hash_of(word);
    if (hash <= most_taken_word(f) && tells(word))
        insert_word(&f->print, hash, 1);
}

/* The last values without repeats up to value[n - 1], of the trace so far and of these, the latest behind; of f->last
 * there are VALUES_BEFORE. */
static void find_last(const ws_fingerprint_taker *f, const double *value, size_t n, double last[VALUES_BEFORE])
{
    int missing = VALUES_BEFORE, from = VALUES_BEFORE;
    for (; n && missing; n--)
        if (missing == VALUES_BEFORE || value[n - 1] != last[missing])
            last[--missing] = value[n - 1];
    from -= missing < VALUES_BEFORE && last[missing] == f->last[VALUES_BEFORE - 1];
    while (missing)
        last[--missing] = f->last[--from];
}

static void push_words(ws_fingerprint_taker *f, const double *value, size_t n)
{
    for (; n && f->n_values < VALUES_BEFORE; value++, n--)
        if (!f->n_values || *value != f->last[f->n_values - 1]) {
            f->first[f->n_values] = f->last[f->n_values] = *value;
            f->n_values++;
        }
    uint32_t most = most_taken_word(f) >> (32 - UPPER_BITS);
    for (uint64_t low = low_uppers(value, n, most); low; low &= low - 1) {
        size_t i = (size_t)__builtin_ctzll(low);
        if (upper_of(value[i]) > most || value[i] == (i ? value[i - 1] : f->last[VALUES_BEFORE - 1]))
            continue;
        double word[WORD_VALUES];
        find_last(f, value, i, word);
        word[VALUES_BEFORE] = value[i];
        take_word(f, word);
        most = most_taken_word(f) >> (32 - UPPER_BITS);
    }
    double last[VALUES_BEFORE];
    if (!n)
        return;
    find_last(f, value, n, last);
    memcpy(f->last, last, sizeof last);
}

/* --- samples --- */

/* Powers are compared to these steps, in W. */
static const double steps_w[WS_FINGERPRINT_STEPS] = {0.001, 0.01, 0.1, 1};

static bool agree(float a, float b, double step)
{
    static const double half = 0.5005;
    return fabs((double)a - (double)b) <= half * step;
}

/* As ws_fingerprint_sample.before. */
static uint8_t agreement_with(float value, float before)
{
    uint8_t step = 0;
    while (step < WS_FINGERPRINT_STEPS && !agree(value, before, steps_w[step]))
        step++;
    return step;
}

/* Of one stamp the first reading stays. */
static void insert_sample(ws_fingerprint_kept *f, ws_fingerprint_sample sample)
{
    uint32_t from = 0, at = f->n_samples;
    while (from < at) { /* the first that has no smaller rank */
        uint32_t middle = (from + at) / 2;
        if (f->sample[middle].rank < sample.rank)
            from = middle + 1;
        else
            at = middle;
    }
    if (at == WS_FINGERPRINT_SAMPLES || (at < f->n_samples && f->sample[at].rank == sample.rank))
        return;
    f->n_samples += f->n_samples < WS_FINGERPRINT_SAMPLES;
    memmove(&f->sample[at + 1], &f->sample[at], (f->n_samples - at - 1) * sizeof *f->sample);
    f->sample[at] = sample;
}

/* The largest rank that is kept. */
static uint32_t most_rank(const ws_fingerprint_kept *f)
{
    return f->n_samples < WS_FINGERPRINT_SAMPLES ? UINT32_MAX : f->sample[WS_FINGERPRINT_SAMPLES - 1].rank;
}

static uint32_t most_taken_rank(const ws_fingerprint_taker *f)
{
    uint32_t most = most_rank(&f->print);
    return f->is_stretch ? least_of(most, f->most_rank) : most;
}

static void push_samples(ws_fingerprint_taker *f, const int64_t *t_ns, const double *value, size_t n)
{
    uint32_t most = most_taken_rank(f);
    for (uint64_t low = low_ranks(t_ns, n, most); low; low &= low - 1) {
        size_t i = (size_t)__builtin_ctzll(low);
        uint32_t rank = rank_of(t_ns[i]);
        if (rank > most)
            continue;
        bool is_alone = !i && !f->has_any;
        float value_w = (float)value[i], before_w = (float)(i ? value[i - 1] : f->latest_w);
        uint8_t before = is_alone ? WS_FINGERPRINT_ALONE : agreement_with(value_w, before_w);
        insert_sample(&f->print, (ws_fingerprint_sample){
                                     .rank = rank & WS_FINGERPRINT_MOST_RANK, .before = before, .value_w = value_w});
        most = most_taken_rank(f);
    }
}

/* Readings from `from` on that count without a break. */
static size_t count_run(const ws_fingerprint_taker *f, const ws_block *b, size_t from)
{
    size_t n = 0;
    for (; from + n < b->n && !isnan(b->value[from + n]); n++)
        if (f->has_window && b->t_ns &&
            (b->t_ns[from + n] < f->window_start_ns || b->t_ns[from + n] > f->window_end_ns))
            break;
    return n;
}

/* At most PIECE readings. */
static void push_piece(ws_fingerprint_taker *f, const int64_t *t_ns, const double *value, size_t n)
{
    push_words(f, value, n);
    if (t_ns)
        push_samples(f, t_ns, value, n);
    f->first_rank = f->has_any || !t_ns ? f->first_rank : rank_of(*t_ns);
    f->latest_w = value[n - 1];
    f->has_any = true;
}

static void push_run(ws_fingerprint_taker *f, const int64_t *t_ns, const double *value, size_t n)
{
    for (size_t from = 0, length; from < n; from += length) {
        length = n - from < PIECE ? n - from : PIECE;
        push_piece(f, t_ns ? t_ns + from : NULL, value + from, length);
    }
}

void ws_fingerprint_push(ws_fingerprint_taker *f, const ws_block *b, const ws_value_range *range)
{
    if (!range->lacks_some && !(f->has_window && b->t_ns)) {
        push_run(f, b->t_ns, b->value, b->n);
        return;
    }
    for (size_t i = 0, n; i < b->n; i += n + 1) {
        n = count_run(f, b, i);
        push_run(f, b->t_ns ? b->t_ns + i : NULL, b->value + i, n);
    }
}

static const uint32_t kwh_mj = 3600000000U;

/* A count of 0 is a read that failed, or one that was set back. */
void ws_fingerprint_push_counter(ws_fingerprint_taker *f, const ws_block *b)
{
    static const double mj = 1e3, most_j = 1e15;
    uint32_t most = most_taken_rank(f);
    f->print.is_counter = true;
    for (size_t i = 0; b->t_ns && i < b->n; i++) {
        uint32_t rank = rank_of(b->t_ns[i]);
        bool is_inside = !f->has_window || (b->t_ns[i] >= f->window_start_ns && b->t_ns[i] <= f->window_end_ns);
        if (rank > most || !(b->value[i] > 0 && b->value[i] < most_j) || !is_inside)
            continue;
        uint32_t count_mj = (uint32_t)((uint64_t)(b->value[i] * mj) % kwh_mj);
        insert_sample(&f->print,
                      (ws_fingerprint_sample){.rank = rank & WS_FINGERPRINT_MOST_RANK, .count_mj = count_mj});
        most = most_taken_rank(f);
        f->has_any = true;
    }
}

void ws_fingerprint_begin_stretch(ws_fingerprint_taker *stretch, const ws_fingerprint_taker *whole)
{
    *stretch = (ws_fingerprint_taker){.has_window = whole->has_window,
                                      .window_start_ns = whole->window_start_ns,
                                      .window_end_ns = whole->window_end_ns,
                                      .is_stretch = true,
                                      .most_word = most_taken_word(whole),
                                      .most_rank = most_taken_rank(whole)};
}

void ws_fingerprint_merge(ws_fingerprint_taker *into, const ws_fingerprint_taker *next)
{
    const ws_fingerprint_kept *f = &next->print;
    into->print.is_counter |= f->is_counter;
    if (!next->has_any)
        return;
    push_words(into, next->first, next->n_values);
    for (uint32_t i = 0; i < f->n_words; i++)
        insert_word(&into->print, f->word[i], f->times[i]);
    if (next->n_values == VALUES_BEFORE)
        memcpy(into->last, next->last, sizeof into->last);
    for (uint32_t i = 0; i < f->n_samples; i++) {
        ws_fingerprint_sample s = f->sample[i];
        if (into->has_any && s.before == WS_FINGERPRINT_ALONE && s.rank == next->first_rank)
            s.before = agreement_with(s.value_w, (float)into->latest_w);
        insert_sample(&into->print, s);
    }
    into->first_rank = into->has_any ? into->first_rank : next->first_rank;
    into->latest_w = next->latest_w;
    into->has_any = true;
}

/* --- kept ones --- */

void ws_fingerprint_cut(ws_fingerprint_taker *f, size_t n_channels)
{
    static const uint32_t most[] = {96, 96, 48, 32}, least = 16;
    uint32_t n = n_channels < sizeof most / sizeof *most ? most[n_channels] : least;
    if (f->print.n_samples <= n)
        return;
    memset(&f->print.sample[n], 0, (f->print.n_samples - n) * sizeof *f->print.sample);
    f->print.n_samples = n;
}

ws_fingerprint ws_fingerprint_of(const ws_fingerprint_taker *f)
{
    const ws_fingerprint_kept *kept = &f->print;
    return (ws_fingerprint){kept->word,    kept->times,     kept->sample,
                            kept->n_words, kept->n_samples, kept->is_counter != 0};
}

static const void *copy(ws_arena *arena, const void *from, size_t size)
{
    return size ? memcpy(ws_arena_alloc(arena, size), from, size) : NULL;
}

ws_fingerprint ws_fingerprint_copy(ws_arena *arena, const ws_fingerprint_taker *taker)
{
    ws_fingerprint f = ws_fingerprint_of(taker);
    f.sample = copy(arena, f.sample, f.n_samples * sizeof *f.sample);
    f.word = copy(arena, f.word, f.n_words * sizeof *f.word);
    f.times = copy(arena, f.times, f.n_words * sizeof *f.times);
    return f;
}

static int order_of(const void *a, const void *b, size_t size)
{
    return size ? memcmp(a, b, size) : 0;
}

int ws_fingerprints_order(const ws_fingerprint *a, const ws_fingerprint *b)
{
    int order = a->is_counter - b->is_counter;
    order = order ? order : (a->n_words > b->n_words) - (a->n_words < b->n_words);
    order = order ? order : (a->n_samples > b->n_samples) - (a->n_samples < b->n_samples);
    order = order ? order : order_of(a->word, b->word, a->n_words * sizeof *a->word);
    order = order ? order : order_of(a->times, b->times, a->n_words * sizeof *a->times);
    return order ? order : order_of(a->sample, b->sample, a->n_samples * sizeof *a->sample);
}

/* --- comparison --- */

/* Of the words that both would have kept. */
typedef struct shared_words {
    int shared, either, again; /* again: those that come again in one of the two */
} shared_words;

/* Counts no further once more than `most_alone` are of one of them alone. */
static shared_words compare_words(const ws_fingerprint *a, const ws_fingerprint *b, int most_alone)
{
    shared_words s = {0};
    uint32_t most_of_a = most_word(a->word, a->n_words), most_of_b = most_word(b->word, b->n_words);
    uint32_t most = most_of_a < most_of_b ? most_of_a : most_of_b;
    for (uint32_t i = 0, k = 0; (i < a->n_words || k < b->n_words) && s.either - s.shared <= most_alone; s.either++) {
        bool of_a = i < a->n_words && (k >= b->n_words || a->word[i] <= b->word[k]);
        bool of_b = k < b->n_words && (i >= a->n_words || b->word[k] <= a->word[i]);
        if ((of_a ? a->word[i] : b->word[k]) > most)
            break;
        s.shared += of_a && of_b;
        s.again += (of_a && a->times[i] > 1) || (of_b && b->times[k] > 1);
        i += of_a;
        k += of_b;
    }
    return s;
}

static int count_repeated(const ws_fingerprint *f)
{
    int n = 0;
    for (uint32_t i = 0; i < f->n_words; i++)
        n += f->times[i] > 1;
    return n;
}

bool ws_fingerprints_match(const ws_fingerprint *a, const ws_fingerprint *b)
{
    shared_words s = compare_words(a, b, 2 * WS_FINGERPRINT_WORDS);
    int n_words = (int)(a->n_words < b->n_words ? a->n_words : b->n_words);
    return s.shared >= LEAST_SHARED + 8 * (count_repeated(a) + count_repeated(b)) && 2 * s.shared >= n_words;
}

bool ws_fingerprints_are_one(const ws_fingerprint *a, const ws_fingerprint *b)
{
    if (a->n_words < ENOUGH_WORDS || b->n_words < ENOUGH_WORDS)
        return false;
    const int most_alone = (int)((1 / COPIED_WORDS - 1) * WS_FINGERPRINT_WORDS); /* shared are at most all of one */
    shared_words s = compare_words(a, b, most_alone);
    return s.shared >= ENOUGH_WORDS && s.shared >= COPIED_WORDS * s.either && s.again <= COME_AGAIN * s.either;
}

static bool is_multiple(float value, double step)
{
    static const double float_digits = 2e-7;
    return fabs(value - step * round(value / step)) <= 1e-3 * step + float_digits * fabsf(value);
}

/* The last digit that its readings have, as one of steps_w. */
static int last_step_of(const ws_fingerprint *f)
{
    int step = WS_FINGERPRINT_STEPS - 1;
    for (uint32_t i = 0; i < f->n_samples; i++)
        while (step && !is_multiple(f->sample[i].value_w, steps_w[step]))
            step--;
    return step;
}

static int by_size(const void *left, const void *right)
{
    float a = *(const float *)left, b = *(const float *)right;
    return (a > b) - (a < b);
}

double ws_fingerprint_step_w(const ws_fingerprint *f)
{
    return steps_w[last_step_of(f)];
}

/* The share of two readings at any times that agree. */
static double any_two_agree(const ws_fingerprint *f, double step)
{
    float value[WS_FINGERPRINT_SAMPLES];
    int same = 0, n = (int)f->n_samples;
    for (int i = 0; i < n; i++)
        value[i] = f->sample[i].value_w;
    qsort(value, (size_t)n, sizeof *value, by_size);
    for (int i = 0; i < n; i++)
        for (int k = i + 1; k < n && agree(value[i], value[k], step); k++)
            same++;
    return 2. * same / (n * (n - 1.));
}

/* The chance that the reading of another device is the same: the share of readings that are as the one before, never 0,
 * since few were asked. Where the sensor holds its reading over several of fine steps, the share of any two, and what a
 * load that both have in common adds to it. Ours. */
static double self_agreement(const ws_fingerprint *f, int step)
{
    static const double fine_w = 0.15, states = 4, least = 0.01;
    int n = 0, same = 0;
    for (uint32_t i = 0; i < f->n_samples; i++) {
        n += f->sample[i].before != WS_FINGERPRINT_ALONE;
        same += f->sample[i].before <= step;
    }
    double as_before = (same + 1.) / (n + 2.), step_w = steps_w[step];
    return step_w < fine_w && f->n_samples > 1 ? fmin(as_before, states * any_two_agree(f, step_w) + least) : as_before;
}

/* The chance that n readings agree so often that each does with chance p: Chernoff's bound. */
static double chance_of(int n, int n_agree, double p)
{
    double share = (double)n_agree / n, rest = 1 - share;
    if (share <= p)
        return 1;
    return exp(-n * (share * log(share / p) + (rest > 0 ? rest * log(rest / (1 - p)) : 0)));
}

static int count_different(float *value, int n)
{
    int different = 0;
    qsort(value, (size_t)n, sizeof *value, by_size);
    for (int i = 0; i < n; i++)
        different += !i || value[i] != value[i - 1];
    return different;
}

static ws_shared_readings compare_readings(const ws_fingerprint *a, const ws_fingerprint *b, double step_w)
{
    float value[WS_FINGERPRINT_SAMPLES];
    ws_shared_readings s = {0};
    for (uint32_t i = 0, k = 0; i < a->n_samples && k < b->n_samples;) {
        uint32_t x = a->sample[i].rank, y = b->sample[k].rank;
        if (x == y && agree(a->sample[i].value_w, b->sample[k].value_w, step_w))
            value[s.n_agree++] = roundf(a->sample[i].value_w / (float)step_w);
        s.n += x == y;
        i += x <= y;
        k += y <= x;
    }
    s.n_values = count_different(value, s.n_agree);
    return s;
}

/* Of the first readings at the same times of a copy, and of all of them, at least one in so many agrees; among the
 * first stamps of both it has some of the other's, as a copy with every tenth row does. Ours. */
enum { FIRST_READINGS = 16, AGREE_ONE_IN = 4, FIRST_STAMPS = 40 };

static bool may_be_copy(const ws_shared_readings *s)
{
    return s->n < FIRST_READINGS || AGREE_ONE_IN * s->n_agree >= s->n;
}

/* To the coarsest step, which finer ones cannot exceed. Hardly any two of the devices of a log agree, and no more is
 * asked of those whose first readings do not. */
static ws_shared_readings compare_coarsely(const ws_fingerprint *a, const ws_fingerprint *b)
{
    const double coarsest_w = steps_w[WS_FINGERPRINT_STEPS - 1];
    const ws_fingerprint_sample *x = a->sample, *end_of_a = x + a->n_samples;
    const ws_fingerprint_sample *y = b->sample, *end_of_b = y + b->n_samples;
    ws_shared_readings s = {0};
    for (int stamps = 0; x < end_of_a && y < end_of_b; stamps++) {
        uint32_t of_a = x->rank, of_b = y->rank;
        if (of_a == of_b) {
            s.n_agree += agree(x->value_w, y->value_w, coarsest_w);
            s.n++;
            if (!may_be_copy(&s))
                break;
        } else if (stamps >= FIRST_STAMPS && !s.n) {
            break;
        }
        x += of_a <= of_b;
        y += of_b <= of_a;
    }
    return s;
}

/* Modulo 1 kWh, between -0.5 and 0.5. */
static int64_t minus_mj(uint32_t a, uint32_t b)
{
    int64_t kwh = kwh_mj, rise_mj = ((int64_t)a - (int64_t)b + kwh) % kwh;
    return 2 * rise_mj > kwh ? rise_mj - kwh : rise_mj;
}

static int64_t largest_divisor(int64_t a, int64_t b)
{
    while (b) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a < 0 ? -a : a;
}

/* How far two counters rose between the first stamp that they share and the others. */
typedef struct shared_rises {
    int n_stamps;
    uint32_t first_of_a, first_of_b;
    int64_t least_mj, most_mj, step_mj; /* step_mj: what all rises are multiples of */
} shared_rises;

/* Do both rise alike, to the last digits that copies have? */
static bool take_rise(shared_rises *r, uint32_t of_a, uint32_t of_b, int64_t *rise_mj)
{
    static const int64_t same_mj = 2;
    *rise_mj = minus_mj(of_a, r->first_of_a);
    r->least_mj = *rise_mj < r->least_mj ? *rise_mj : r->least_mj;
    r->most_mj = *rise_mj > r->most_mj ? *rise_mj : r->most_mj;
    r->step_mj = largest_divisor(*rise_mj, r->step_mj);
    return llabs(*rise_mj - minus_mj(of_b, r->first_of_b)) <= same_mj;
}

/* The chance that a counter of another device rises alike: the two part by a hundredth of what they draw. Of steps that
 * are as large nothing is told. Ours. */
static double chance_of_rises(const shared_rises *r)
{
    static const double least = 0.005, parts = 0.01, most = 0.2;
    double chance = (double)r->step_mj / (parts * (double)(r->most_mj - r->least_mj));
    return chance <= most ? fmax(least, chance) : 1;
}

static ws_shared_readings compare_counters(const ws_fingerprint *a, const ws_fingerprint *b)
{
    enum { FEW = 3 };
    float value[WS_FINGERPRINT_SAMPLES];
    ws_shared_readings s = {0};
    shared_rises r = {0};
    for (uint32_t i = 0, k = 0; i < a->n_samples && k < b->n_samples && (s.n < FEW || s.n_agree);) {
        uint32_t x = a->sample[i].rank, y = b->sample[k].rank;
        uint32_t of_a = a->sample[i].count_mj, of_b = b->sample[k].count_mj;
        int64_t rise_mj;
        if (x == y && !r.n_stamps++) {
            r.first_of_a = of_a;
            r.first_of_b = of_b;
        } else if (x == y) {
            s.n++;
            if (take_rise(&r, of_a, of_b, &rise_mj))
                value[s.n_agree++] = (float)rise_mj;
        }
        i += x <= y;
        k += y <= x;
    }
    s.n_values = count_different(value, s.n_agree);
    s.chance = chance_of_rises(&r);
    return s;
}

/* To the coarser of their steps; .chance: that of one reading. Where too few agree, whatever the step, none does. */
static ws_shared_readings compare(const ws_fingerprint *a, const ws_fingerprint *b)
{
    if (a->is_counter || b->is_counter)
        return a->is_counter && b->is_counter ? compare_counters(a, b) : (ws_shared_readings){.chance = 1};
    ws_shared_readings s = compare_coarsely(a, b);
    bool may_agree =
        s.n_agree && may_be_copy(&s) && (s.n_agree >= ENOUGH_READINGS || s.n_agree >= COPIED_READINGS * s.n);
    if (!may_agree)
        return (ws_shared_readings){.n = s.n, .chance = 1};
    int step_of_a = last_step_of(a), step_of_b = last_step_of(b), step = step_of_a > step_of_b ? step_of_a : step_of_b;
    s = compare_readings(a, b, steps_w[step]);
    s.chance = fmax(self_agreement(a, step), self_agreement(b, step));
    return s;
}

void ws_fingerprints_compare(ws_shared_readings *sum, const ws_fingerprint *a, const ws_fingerprint *b)
{
    enum { ASKED = 2 * ENOUGH_VALUES };
    ws_shared_readings s = compare(a, b);
    sum->n += s.n;
    sum->n_agree += s.n_agree;
    sum->n_values += s.n_values;
    sum->n_asked += s.n_agree < ASKED ? s.n_agree : ASKED;
    sum->chance *= s.n ? chance_of(s.n, s.n_agree, s.chance) : 1;
}

bool ws_are_shared_readings(const ws_shared_readings *s)
{
    return s->n_agree >= ENOUGH_READINGS && s->n_agree >= COPIED_READINGS * s->n && 2 * s->n_values > s->n_asked &&
           s->chance <= ws_fingerprint_by_chance;
}

bool ws_fingerprints_share_readings(const ws_fingerprint *a, const ws_fingerprint *b, double by_chance)
{
    ws_shared_readings s = compare(a, b);
    int enough = s.n_agree < ENOUGH_VALUES ? ENOUGH_READINGS : ENOUGH_VALUES;
    bool is_copy = s.n_agree >= COPIED_READINGS * s.n;
    bool is_part = s.chance <= SELDOM_AGREE && s.n_agree >= COPIED_PART * s.n;
    return s.n_values >= enough && (is_copy || is_part) &&
           by_chance * chance_of(s.n, s.n_agree, s.chance) <= ws_fingerprint_by_chance;
}

/* --- sums --- */

/* Stamps that sum and parts share at least; what powers may differ by, relative; how much more the sums change than
 * they differ, or than rounding lets them, since idle cards add up by chance; and counters, which rise anyway and must
 * agree to a smaller part. Ours. */
enum { ENOUGH_SUMS = 8 };
static const double SUM_DIFFERS = 0.003, SUM_CHANGES = 10, COUNT_RISES = 1e4;

typedef struct sum_comparison {
    int n, n_agree;
    double least, most, apart; /* of the sums; the largest difference of those that agree, or what rounding makes it */
} sum_comparison;

static void compare_sum(sum_comparison *c, double own, double others, double rounding, double most_apart)
{
    double apart = fmax(fabs(own - others), rounding);
    bool is_near = fabs(own - others) <= fmax(most_apart, rounding);
    c->least = c->n ? fmin(c->least, own) : own;
    c->most = c->n ? fmax(c->most, own) : own;
    c->apart = is_near ? fmax(c->apart, apart) : c->apart;
    c->n_agree += is_near;
    c->n++;
}

static const ws_fingerprint_sample *sample_of_rank(const ws_fingerprint *f, uint32_t rank)
{
    uint32_t from = 0, end = f->n_samples;
    while (from < end) {
        uint32_t middle = (from + end) / 2;
        if (f->sample[middle].rank < rank)
            from = middle + 1;
        else
            end = middle;
    }
    return from < f->n_samples && f->sample[from].rank == rank ? &f->sample[from] : NULL;
}

static bool is_of_all(const ws_fingerprint *parts, size_t n, uint32_t rank)
{
    size_t i = 0;
    while (i < n && sample_of_rank(&parts[i], rank))
        i++;
    return i == n;
}

static sum_comparison compare_sums_of_powers(const ws_fingerprint *sum, const ws_fingerprint *parts, size_t n)
{
    sum_comparison c = {0};
    double rounding_w = steps_w[last_step_of(sum)] / 2;
    for (size_t i = 0; i < n; i++)
        rounding_w += steps_w[last_step_of(&parts[i])] / 2;
    for (uint32_t k = 0; k < sum->n_samples; k++) {
        double others_w = 0;
        if (!is_of_all(parts, n, sum->sample[k].rank))
            continue;
        for (size_t i = 0; i < n; i++)
            others_w += sample_of_rank(&parts[i], sum->sample[k].rank)->value_w;
        compare_sum(&c, sum->sample[k].value_w, others_w, rounding_w, SUM_DIFFERS * others_w);
    }
    return c;
}

static sum_comparison compare_sums_of_counters(const ws_fingerprint *sum, const ws_fingerprint *parts, size_t n)
{
    sum_comparison c = {0};
    uint32_t first = sum->n_samples;
    int64_t step_mj = 0;
    for (uint32_t k = 0; k < sum->n_samples; k++) {
        uint32_t rank = sum->sample[k].rank;
        if (!is_of_all(parts, n, rank))
            continue;
        first = first < sum->n_samples ? first : k;
        int64_t own_mj = minus_mj(sum->sample[k].count_mj, sum->sample[first].count_mj), others_mj = 0;
        for (size_t i = 0; i < n; i++) {
            int64_t rise_mj = minus_mj(sample_of_rank(&parts[i], rank)->count_mj,
                                       sample_of_rank(&parts[i], sum->sample[first].rank)->count_mj);
            others_mj += rise_mj;
            step_mj = largest_divisor(rise_mj, step_mj);
        }
        int64_t kwh = kwh_mj, apart_mj = llabs((own_mj - others_mj) % kwh); /* both are modulo 1 kWh */
        apart_mj = 2 * apart_mj > kwh ? kwh - apart_mj : apart_mj;
        if (k != first)
            compare_sum(&c, (double)own_mj, (double)(own_mj - apart_mj), (double)(n + 1) * (double)step_mj, 0);
    }
    return c;
}

ws_sum_likeness ws_fingerprints_add_up(const ws_fingerprint *sum, const ws_fingerprint *parts, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (parts[i].is_counter != sum->is_counter)
            return WS_NO_SUM;
    sum_comparison c =
        sum->is_counter ? compare_sums_of_counters(sum, parts, n) : compare_sums_of_powers(sum, parts, n);
    double changes = sum->is_counter ? COUNT_RISES : SUM_CHANGES;
    if (c.n < ENOUGH_SUMS)
        return WS_SUM_UNKNOWN;
    return c.n_agree >= COPIED_READINGS * c.n && c.most - c.least > changes * c.apart ? WS_SUM : WS_NO_SUM;
}
