#include "analyze/measure/fingerprint.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WORD_VALUES = WS_FINGERPRINT_VALUES, VALUES_BEFORE = WORD_VALUES - 1 };

/* Of 32 and 32 words of two sensors in fine steps none is shared by chance; of one sensor a twentieth of whose readings
 * differ, four in five are. Ours. */
enum { LEAST_SHARED = 4 };

/* A copy that lacks a row, or a few, shares more than this of its words, and one word in eight at most comes again. So
 * few words prove nothing. Ours. */
static const double COPIED_WORDS = 0.75, COME_AGAIN = 0.125;
enum { ENOUGH_WORDS = 10, ENOUGH_KEPT_WORDS = 6 };

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
    f->n_words = (uint8_t)(f->n_words < WS_FINGERPRINT_WORDS ? f->n_words + 1 : f->n_words);
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
static void find_last(const ws_fingerprint *f, const double *value, size_t n, double last[VALUES_BEFORE])
{
    int missing = VALUES_BEFORE, from = VALUES_BEFORE;
    for (; n && missing; n--)
        if (missing == VALUES_BEFORE || value[n - 1] != last[missing])
            last[--missing] = value[n - 1];
    from -= missing < VALUES_BEFORE && last[missing] == f->last[VALUES_BEFORE - 1];
    while (missing)
        last[--missing] = f->last[--from];
}

static void push_words(ws_fingerprint *f, const double *value, size_t n)
{
    for (; n && f->n_values < VALUES_BEFORE; value++, n--)
        if (!f->n_values || *value != f->last[f->n_values - 1]) {
            f->first[f->n_values] = f->last[f->n_values] = *value;
            f->n_values++;
        }
    uint32_t most = most_word(f) >> (32 - UPPER_BITS);
    for (size_t i = 0; i < n; i++) {
        if (upper_of(value[i]) > most || value[i] == (i ? value[i - 1] : f->last[VALUES_BEFORE - 1]))
            continue;
        double word[WORD_VALUES];
        find_last(f, value, i, word);
        word[VALUES_BEFORE] = value[i];
        take_word(f, word);
        most = most_word(f) >> (32 - UPPER_BITS);
    }
    double last[VALUES_BEFORE];
    if (!n)
        return;
    find_last(f, value, n, last);
    memcpy(f->last, last, sizeof last);
}

/* --- samples --- */

static uint32_t rank_of(int64_t t_ns)
{
    uint64_t t = (uint64_t)t_ns;
    return (uint32_t)((t ^ t >> 17) * UINT64_C(0x9e3779b97f4a7c15) >> 32);
}

static bool is_before(const ws_fingerprint_sample *s, uint32_t rank, int64_t t_ns)
{
    uint32_t of_it = rank_of(s->t_ns);
    return of_it < rank || (of_it == rank && s->t_ns < t_ns);
}

/* By rank; of one stamp the first reading stays. */
static void insert_sample(ws_fingerprint *f, const ws_fingerprint_sample *s)
{
    uint32_t rank = rank_of(s->t_ns);
    int at = 0, end = f->n_samples;
    while (at < end) {
        int middle = (at + end) / 2;
        if (is_before(&f->sample[middle], rank, s->t_ns))
            at = middle + 1;
        else
            end = middle;
    }
    if (at == WS_FINGERPRINT_SAMPLES || (at < f->n_samples && f->sample[at].t_ns == s->t_ns))
        return;
    f->n_samples = (uint8_t)(f->n_samples < WS_FINGERPRINT_SAMPLES ? f->n_samples + 1 : f->n_samples);
    memmove(&f->sample[at + 1], &f->sample[at], (size_t)(f->n_samples - at - 1) * sizeof *f->sample);
    f->sample[at] = *s;
}

/* The largest rank that is kept. */
static uint32_t most_rank(const ws_fingerprint *f)
{
    return f->n_samples < WS_FINGERPRINT_SAMPLES ? UINT32_MAX : rank_of(f->sample[WS_FINGERPRINT_SAMPLES - 1].t_ns);
}

static void push_samples(ws_fingerprint *f, const int64_t *t_ns, const double *value, size_t n)
{
    uint32_t most = most_rank(f);
    for (size_t i = 0; i < n; i++) {
        if (rank_of(t_ns[i]) > most)
            continue;
        double before_w = i ? value[i - 1] : f->has_any ? f->latest_w : NAN;
        insert_sample(f, &(ws_fingerprint_sample){t_ns[i], (float)value[i], (float)before_w});
        most = most_rank(f);
    }
}

/* Readings from `from` on that count without a break. */
static size_t count_run(const ws_fingerprint *f, const ws_block *b, size_t from)
{
    size_t n = 0;
    for (; from + n < b->n && !isnan(b->value[from + n]); n++)
        if (f->has_window && b->t_ns &&
            (b->t_ns[from + n] < f->window_start_ns || b->t_ns[from + n] > f->window_end_ns))
            break;
    return n;
}

static void push_run(ws_fingerprint *f, const int64_t *t_ns, const double *value, size_t n)
{
    if (!n)
        return;
    push_words(f, value, n);
    if (t_ns)
        push_samples(f, t_ns, value, n);
    f->first_ns = f->has_any || !t_ns ? f->first_ns : *t_ns;
    f->latest_w = value[n - 1];
    f->has_any = true;
}

void ws_fingerprint_push(ws_fingerprint *f, const ws_block *b, const ws_power_range *range)
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

void ws_fingerprint_merge(ws_fingerprint *into, const ws_fingerprint *next)
{
    if (!next->has_any)
        return;
    push_words(into, next->first, next->n_values);
    for (int i = 0; i < next->n_words; i++)
        insert_word(into, next->word[i], next->times[i]);
    if (next->n_values == VALUES_BEFORE)
        memcpy(into->last, next->last, sizeof into->last);
    for (int i = 0; i < next->n_samples; i++) {
        ws_fingerprint_sample s = next->sample[i];
        if (isnan(s.before_w) && s.t_ns == next->first_ns && into->has_any)
            s.before_w = (float)into->latest_w;
        insert_sample(into, &s);
    }
    into->first_ns = into->has_any ? into->first_ns : next->first_ns;
    into->latest_w = next->latest_w;
    into->has_any = true;
}

/* --- comparison --- */

/* The words of a fingerprint of any size. */
typedef struct words {
    const uint32_t *word;
    const uint8_t *times;
    int n;
    uint32_t most; /* the largest one that would be kept */
} words;

static words words_of(const ws_fingerprint *f)
{
    return (words){f->word, f->times, f->n_words, most_word(f)};
}

static words kept_words_of(const ws_kept_fingerprint *f)
{
    uint32_t most = f->n_words < WS_FINGERPRINT_KEPT_WORDS ? UINT32_MAX : f->word[WS_FINGERPRINT_KEPT_WORDS - 1];
    return (words){f->word, f->times, f->n_words, most};
}

/* Of the words that both would have kept. */
typedef struct shared_words {
    int shared, either, again; /* again: those that come again in one of the two */
} shared_words;

static shared_words compare_words(const words *a, const words *b)
{
    shared_words s = {0};
    uint32_t most = a->most < b->most ? a->most : b->most;
    for (int i = 0, k = 0; i < a->n || k < b->n; s.either++) {
        bool of_a = i < a->n && (k >= b->n || a->word[i] <= b->word[k]);
        bool of_b = k < b->n && (i >= a->n || b->word[k] <= a->word[i]);
        if ((of_a ? a->word[i] : b->word[k]) > most)
            break;
        s.shared += of_a && of_b;
        s.again += (of_a && a->times[i] > 1) || (of_b && b->times[k] > 1);
        i += of_a;
        k += of_b;
    }
    return s;
}

static bool are_one(const words *a, const words *b, int enough)
{
    shared_words s = compare_words(a, b);
    return s.shared >= enough && s.shared >= COPIED_WORDS * s.either && s.again <= COME_AGAIN * s.either;
}

bool ws_fingerprints_match(const ws_fingerprint *a, const ws_fingerprint *b)
{
    const words x = words_of(a), y = words_of(b);
    shared_words s = compare_words(&x, &y);
    return s.shared >= LEAST_SHARED + 4 * s.again;
}

bool ws_fingerprints_are_one(const ws_fingerprint *a, const ws_fingerprint *b)
{
    const words x = words_of(a), y = words_of(b);
    return are_one(&x, &y, ENOUGH_WORDS);
}

bool ws_kept_fingerprints_are_one(const ws_kept_fingerprint *a, const ws_kept_fingerprint *b)
{
    const words x = kept_words_of(a), y = kept_words_of(b);
    return are_one(&x, &y, ENOUGH_KEPT_WORDS);
}

static bool is_multiple(float value, double step)
{
    static const double float_digits = 2e-7;
    return fabs(value - step * round(value / step)) <= 1e-3 * step + float_digits * fabsf(value);
}

/* The last digit that its readings have, down to 1 mW. */
static double step_of(const ws_fingerprint *f)
{
    static const double steps[] = {1, 0.1, 0.01, 0.001};
    enum { N = sizeof steps / sizeof *steps };
    int at = 0;
    for (int i = 0; i < f->n_samples && at < N - 1; i++)
        while (at < N - 1 && !is_multiple(f->sample[i].value_w, steps[at]))
            at++;
    return steps[at];
}

static bool agree(float a, float b, double step)
{
    static const double half = 0.5005;
    return fabs((double)a - (double)b) <= half * step;
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
static double self_agreement(const ws_fingerprint *f, double step)
{
    static const double fine_w = 0.15, states = 4, least = 0.01;
    int n = 0, same = 0;
    for (int i = 0; i < f->n_samples; i++) {
        n += !isnan(f->sample[i].before_w);
        same += !isnan(f->sample[i].before_w) && agree(f->sample[i].value_w, f->sample[i].before_w, step);
    }
    double as_before = (same + 1.) / (n + 2.);
    return step < fine_w && f->n_samples > 1 ? fmin(as_before, states * any_two_agree(f, step) + least) : as_before;
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

void ws_fingerprint_keep(ws_kept_fingerprint *kept, const ws_fingerprint *f)
{
    memset(kept, 0, sizeof *kept);
    kept->n_words = f->n_words < WS_FINGERPRINT_KEPT_WORDS ? f->n_words : WS_FINGERPRINT_KEPT_WORDS;
    kept->n_samples = f->n_samples < WS_FINGERPRINT_KEPT_SAMPLES ? f->n_samples : WS_FINGERPRINT_KEPT_SAMPLES;
    memcpy(kept->word, f->word, sizeof kept->word);
    memcpy(kept->times, f->times, sizeof kept->times);
    for (int i = 0; i < kept->n_samples; i++) {
        kept->rank[i] = rank_of(f->sample[i].t_ns);
        kept->value_w[i] = f->sample[i].value_w;
    }
    kept->step_w = (float)step_of(f);
    kept->self_agreement = (float)self_agreement(f, kept->step_w);
}

/* Of the readings at the same times. */
typedef struct shared_readings {
    int n, n_agree, n_values; /* n_values: different ones among those that agree */
} shared_readings;

/* The ranks are those of the stamps; `step_w`: the coarser of both. */
static shared_readings compare_readings(const ws_kept_fingerprint *a, const ws_kept_fingerprint *b)
{
    float value[WS_FINGERPRINT_KEPT_SAMPLES], step = fmaxf(a->step_w, b->step_w);
    shared_readings s = {0};
    for (int i = 0, k = 0; i < a->n_samples && k < b->n_samples;) {
        uint32_t x = a->rank[i], y = b->rank[k];
        if (x == y) {
            if (agree(a->value_w[i], b->value_w[k], step))
                value[s.n_agree++] = roundf(a->value_w[i] / step);
            s.n++;
        }
        i += x <= y;
        k += y <= x;
    }
    s.n_values = count_different(value, s.n_agree);
    return s;
}

double ws_kept_fingerprints_chance(const ws_kept_fingerprint *a, const ws_kept_fingerprint *b)
{
    shared_readings s = compare_readings(a, b);
    bool tells = s.n_agree && s.n_agree >= COPIED_READINGS * s.n && 2 * s.n_values > s.n_agree;
    return tells ? chance_of(s.n, s.n_agree, fmax(a->self_agreement, b->self_agreement)) : 1;
}

static shared_readings compare_samples(const ws_fingerprint *a, const ws_fingerprint *b, double step)
{
    float value[WS_FINGERPRINT_SAMPLES];
    shared_readings s = {0};
    for (int i = 0, k = 0; i < a->n_samples && k < b->n_samples;) {
        const ws_fingerprint_sample *x = &a->sample[i], *y = &b->sample[k];
        bool is_same = x->t_ns == y->t_ns, is_first = !is_same && is_before(x, rank_of(y->t_ns), y->t_ns);
        if (is_same && agree(x->value_w, y->value_w, step))
            value[s.n_agree++] = roundf(x->value_w / (float)step);
        s.n += is_same;
        i += is_same || is_first;
        k += !is_first;
    }
    s.n_values = count_different(value, s.n_agree);
    return s;
}

bool ws_fingerprints_share_readings(const ws_fingerprint *a, const ws_fingerprint *b)
{
    static const double any_w = 1e6;
    if (compare_samples(a, b, any_w).n < ENOUGH_READINGS)
        return false;
    double step_of_a = step_of(a), step_of_b = step_of(b), step = fmax(step_of_a, step_of_b);
    shared_readings s = compare_samples(a, b, step);
    double p = fmax(self_agreement(a, step), self_agreement(b, step));
    int enough = s.n_agree < ENOUGH_VALUES ? ENOUGH_READINGS : ENOUGH_VALUES;
    return s.n_values >= enough && (s.n_agree >= COPIED_READINGS * s.n || p <= SELDOM_AGREE) &&
           chance_of(s.n, s.n_agree, p) <= ws_fingerprint_by_chance;
}
