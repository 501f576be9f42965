#include "analyze/measure/fingerprint.h"

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

/* The share of readings that agree in a copy; less is enough where two readings of one trace agree by less than this:
 * the copy may hold a part. Ours. */
static const double COPIED_READINGS = 0.9, SELDOM_AGREE = 0.05;

/* --- words --- */

static uint64_t bits_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits ^ bits >> 32;
}

/* The upper bits of a word's hash, by its last value alone: most words are passed over by it. */
enum { UPPER_BITS = 10 };

static uint32_t upper_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return (uint32_t)(bits * UINT64_C(0x9e3779b97f4a7c15) >> (64 - UPPER_BITS));
}

/* value: WORD_VALUES of them. */
static uint32_t hash_of(const double *value)
{
    static const uint64_t by = UINT64_C(0xff51afd7ed558ccd), last = UINT64_C(0xbf58476d1ce4e5b9);
    uint64_t hash = ((bits_of(value[0]) * by + bits_of(value[1])) * by + bits_of(value[2])) * by + bits_of(value[3]);
    uint32_t lower = (uint32_t)((hash ^ hash >> 29) * last >> (32 + UPPER_BITS));
    return upper_of(value[VALUES_BEFORE]) << (32 - UPPER_BITS) | lower;
}

/* The largest hash that is kept. */
static uint32_t most_word(const ws_fingerprint *f)
{
    return f->n_words < WS_FINGERPRINT_WORDS ? UINT32_MAX : f->word[WS_FINGERPRINT_WORDS - 1];
}

/* No value follows itself; of those that go on in one direction, as in a slow rise, all cards have the same. */
static bool tells(const double *value)
{
    bool rises = value[0] < value[1] && value[1] < value[2] && value[2] < value[3];
    bool falls = value[0] > value[1] && value[1] > value[2] && value[2] > value[3];
    return !rises && !falls && value[0] != value[2] && value[1] != value[3] && value[0] != value[3];
}

static void insert_word(ws_fingerprint *f, uint32_t word, unsigned times)
{
    int at = f->n_words;
    while (at && f->word[at - 1] >= word)
        at--;
    if (at == WS_FINGERPRINT_WORDS)
        return;
    if (at < f->n_words && f->word[at] == word) {
        times += f->times[at];
        f->times[at] = (uint8_t)(times < UINT8_MAX ? times : UINT8_MAX);
        return;
    }
    f->n_words = (uint16_t)(f->n_words < WS_FINGERPRINT_WORDS ? f->n_words + 1 : f->n_words);
    size_t behind = (size_t)(f->n_words - at - 1);
    memmove(&f->word[at + 1], &f->word[at], behind * sizeof *f->word);
    memmove(&f->times[at + 1], &f->times[at], behind * sizeof *f->times);
    f->word[at] = word;
    f->times[at] = (uint8_t)times;
}

static void take_word(ws_fingerprint *f, const double *word)
{
    uint32_t hash = hash_of(word);
    if (hash <= most_word(f) && tells(word))
        insert_word(f, hash, 1);
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
    uint32_t most = most_word(&f->print) >> (32 - UPPER_BITS);
    for (size_t i = 0; i < n; i++) {
        if (upper_of(value[i]) > most || value[i] == (i ? value[i - 1] : f->last[VALUES_BEFORE - 1]))
            continue;
        double word[WORD_VALUES];
        find_last(f, value, i, word);
        word[VALUES_BEFORE] = value[i];
        take_word(&f->print, word);
        most = most_word(&f->print) >> (32 - UPPER_BITS);
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

/* As ws_fingerprint.before. */
static uint8_t agreement_with(float value, float before)
{
    uint8_t step = 0;
    while (step < WS_FINGERPRINT_STEPS && !agree(value, before, steps_w[step]))
        step++;
    return step;
}

/* 24 bits are enough: stamps that share them cost a sample. */
static uint32_t rank_of(int64_t t_ns)
{
    enum { BITS = 24 };
    uint64_t t = (uint64_t)t_ns;
    return (uint32_t)((t ^ t >> 17) * UINT64_C(0x9e3779b97f4a7c15) >> (64 - BITS));
}

/* Of one stamp the first reading stays. */
static void insert_sample(ws_fingerprint *f, uint32_t rank, float value_w, uint8_t before)
{
    int at = f->n_samples;
    while (at && f->rank[at - 1] >= rank)
        at--;
    if (at == WS_FINGERPRINT_SAMPLES || (at < f->n_samples && f->rank[at] == rank))
        return;
    f->n_samples = (uint16_t)(f->n_samples < WS_FINGERPRINT_SAMPLES ? f->n_samples + 1 : f->n_samples);
    size_t behind = (size_t)(f->n_samples - at - 1);
    memmove(&f->rank[at + 1], &f->rank[at], behind * sizeof *f->rank);
    memmove(&f->value_w[at + 1], &f->value_w[at], behind * sizeof *f->value_w);
    memmove(&f->before[at + 1], &f->before[at], behind * sizeof *f->before);
    f->rank[at] = rank;
    f->value_w[at] = value_w;
    f->before[at] = before;
}

/* The largest rank that is kept. */
static uint32_t most_rank(const ws_fingerprint *f)
{
    return f->n_samples < WS_FINGERPRINT_SAMPLES ? UINT32_MAX : f->rank[WS_FINGERPRINT_SAMPLES - 1];
}

static void push_samples(ws_fingerprint_taker *f, const int64_t *t_ns, const double *value, size_t n)
{
    uint32_t most = most_rank(&f->print);
    for (size_t i = 0; i < n; i++) {
        uint32_t rank = rank_of(t_ns[i]);
        if (rank > most)
            continue;
        bool is_alone = !i && !f->has_any;
        float value_w = (float)value[i], before_w = (float)(i ? value[i - 1] : f->latest_w);
        insert_sample(&f->print, rank, value_w, is_alone ? WS_FINGERPRINT_ALONE : agreement_with(value_w, before_w));
        most = most_rank(&f->print);
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

static void push_run(ws_fingerprint_taker *f, const int64_t *t_ns, const double *value, size_t n)
{
    if (!n)
        return;
    push_words(f, value, n);
    if (t_ns)
        push_samples(f, t_ns, value, n);
    f->first_rank = f->has_any || !t_ns ? f->first_rank : rank_of(*t_ns);
    f->latest_w = value[n - 1];
    f->has_any = true;
}

void ws_fingerprint_push(ws_fingerprint_taker *f, const ws_block *b, const ws_power_range *range)
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

void ws_fingerprint_merge(ws_fingerprint_taker *into, const ws_fingerprint_taker *next)
{
    const ws_fingerprint *f = &next->print;
    if (!next->has_any)
        return;
    push_words(into, next->first, next->n_values);
    for (int i = 0; i < f->n_words; i++)
        insert_word(&into->print, f->word[i], f->times[i]);
    if (next->n_values == VALUES_BEFORE)
        memcpy(into->last, next->last, sizeof into->last);
    for (int i = 0; i < f->n_samples; i++) {
        bool follows = into->has_any && f->before[i] == WS_FINGERPRINT_ALONE && f->rank[i] == next->first_rank;
        uint8_t before = follows ? agreement_with(f->value_w[i], (float)into->latest_w) : f->before[i];
        insert_sample(&into->print, f->rank[i], f->value_w[i], before);
    }
    into->first_rank = into->has_any ? into->first_rank : next->first_rank;
    into->latest_w = next->latest_w;
    into->has_any = true;
}

/* --- comparison --- */

/* Of the words that both would have kept. */
typedef struct shared_words {
    int shared, either, again; /* again: those that come again in one of the two */
} shared_words;

static shared_words compare_words(const ws_fingerprint *a, const ws_fingerprint *b)
{
    shared_words s = {0};
    uint32_t most = most_word(a) < most_word(b) ? most_word(a) : most_word(b);
    for (int i = 0, k = 0; i < a->n_words || k < b->n_words; s.either++) {
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
    for (int i = 0; i < f->n_words; i++)
        n += f->times[i] > 1;
    return n;
}

bool ws_fingerprints_match(const ws_fingerprint *a, const ws_fingerprint *b)
{
    shared_words s = compare_words(a, b);
    int n_words = a->n_words < b->n_words ? a->n_words : b->n_words;
    return s.shared >= LEAST_SHARED + 8 * (count_repeated(a) + count_repeated(b)) && 2 * s.shared >= n_words;
}

bool ws_fingerprints_are_one(const ws_fingerprint *a, const ws_fingerprint *b)
{
    shared_words s = compare_words(a, b);
    return s.shared >= ENOUGH_WORDS && s.shared >= COPIED_WORDS * s.either && s.again <= COME_AGAIN * s.either;
}

static bool is_multiple(float value, double step)
{
    static const double float_digits = 2e-7;
    return fabs(value - step * round(value / step)) <= 1e-3 * step + float_digits * fabsf(value);
}

/* The last digit that its readings have, as one of steps_w. */
static int step_of(const ws_fingerprint *f)
{
    int step = WS_FINGERPRINT_STEPS - 1;
    for (int i = 0; i < f->n_samples; i++)
        while (step && !is_multiple(f->value_w[i], steps_w[step]))
            step--;
    return step;
}

static int by_size(const void *left, const void *right)
{
    float a = *(const float *)left, b = *(const float *)right;
    return (a > b) - (a < b);
}

/* The share of two readings at any times that agree. */
static double any_two_agree(const ws_fingerprint *f, double step)
{
    float value[WS_FINGERPRINT_SAMPLES];
    int same = 0, n = f->n_samples;
    for (int i = 0; i < n; i++)
        value[i] = f->value_w[i];
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
    for (int i = 0; i < f->n_samples; i++) {
        n += f->before[i] != WS_FINGERPRINT_ALONE;
        same += f->before[i] <= step;
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

/* Of the readings at the same times. */
typedef struct shared_readings {
    int n, n_agree, n_values; /* n_values: different ones among those that agree */
} shared_readings;

static shared_readings compare_readings(const ws_fingerprint *a, const ws_fingerprint *b, double step_w)
{
    float value[WS_FINGERPRINT_SAMPLES];
    shared_readings s = {0};
    for (int i = 0, k = 0; i < a->n_samples && k < b->n_samples;) {
        uint32_t x = a->rank[i], y = b->rank[k];
        if (x == y && agree(a->value_w[i], b->value_w[k], step_w))
            value[s.n_agree++] = roundf(a->value_w[i] / (float)step_w);
        s.n += x == y;
        i += x <= y;
        k += y <= x;
    }
    s.n_values = count_different(value, s.n_agree);
    return s;
}

/* Do enough of them agree to the coarsest step, which finer ones cannot exceed? Hardly any two of the devices of a log
 * do, and no more is asked of those that do not. */
static bool may_agree(const ws_fingerprint *a, const ws_fingerprint *b)
{
    int n = 0, n_agree = 0;
    for (int i = 0, k = 0; i < a->n_samples && k < b->n_samples;) {
        uint32_t x = a->rank[i], y = b->rank[k];
        n_agree += x == y && agree(a->value_w[i], b->value_w[k], steps_w[WS_FINGERPRINT_STEPS - 1]);
        n += x == y;
        i += x <= y;
        k += y <= x;
    }
    return n_agree && (n_agree >= ENOUGH_READINGS || n_agree >= COPIED_READINGS * n);
}

/* To the coarser of their steps; *chance: that of one reading. */
static shared_readings compare(const ws_fingerprint *a, const ws_fingerprint *b, double *chance)
{
    *chance = 1;
    if (!may_agree(a, b))
        return (shared_readings){0};
    int step_of_a = step_of(a), step_of_b = step_of(b), step = step_of_a > step_of_b ? step_of_a : step_of_b;
    *chance = fmax(self_agreement(a, step), self_agreement(b, step));
    return compare_readings(a, b, steps_w[step]);
}

double ws_fingerprints_chance(const ws_fingerprint *a, const ws_fingerprint *b)
{
    double chance;
    shared_readings s = compare(a, b, &chance);
    bool tells = s.n_agree && s.n_agree >= COPIED_READINGS * s.n && 2 * s.n_values > s.n_agree;
    return tells ? chance_of(s.n, s.n_agree, chance) : 1;
}

bool ws_fingerprints_share_readings(const ws_fingerprint *a, const ws_fingerprint *b, double by_chance)
{
    double chance;
    shared_readings s = compare(a, b, &chance);
    int enough = s.n_agree < ENOUGH_VALUES ? ENOUGH_READINGS : ENOUGH_VALUES;
    return s.n_values >= enough && (s.n_agree >= COPIED_READINGS * s.n || chance <= SELDOM_AGREE) &&
           by_chance * chance_of(s.n, s.n_agree, chance) <= ws_fingerprint_by_chance;
}
