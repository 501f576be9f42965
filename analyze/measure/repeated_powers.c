#include "analyze/measure/repeated_powers.h"

#include "analyze/measure/meter_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- powers that stand still --- */

/* W. Below it a step of the readings may be larger than their noise. Ours. */
static const double still_low_w = 20;

void ws_standstill_init(ws_standstill *s, ws_standstill_steps steps)
{
    *s = (ws_standstill){.steps = steps, .window_start_ns = INT64_MIN, .window_end_ns = INT64_MAX};
}

/* What a reading shares with those of its run: the power itself, or the step that it lies in, a quarter or three
 * quarters into it where it has two decimals. Low powers, beside which a step is large, and powers beyond reason share
 * none. */
typedef struct shared {
    double power_w;
    int64_t step; /* NO_STEP: shared with no other */
} shared;

#define NO_STEP INT64_MIN

static inline __attribute__((always_inline)) int64_t step_of(ws_standstill_steps steps, double power_w)
{
    static const double most_w = 1e9, steps_a_watt = 1 / WS_STANDSTILL_STEP_W;
    const double shift = steps == WS_STILL_EVEN ? 0.25 : 0.75;
    bool has_step = power_w >= still_low_w && power_w < most_w;
    return has_step ? (int64_t)(power_w * steps_a_watt + shift) : NO_STEP;
}

static inline __attribute__((always_inline)) shared shared_of(ws_standstill_steps steps, double power_w)
{
    return (shared){power_w, steps == WS_STILL_EQUAL ? NO_STEP : step_of(steps, power_w)};
}

static inline __attribute__((always_inline)) bool shares(ws_standstill_steps steps, double power_w, const shared *with)
{
    if (steps == WS_STILL_EQUAL)
        return power_w == with->power_w;
    return with->step != NO_STEP && step_of(steps, power_w) == with->step;
}

static inline __attribute__((always_inline)) bool is_same(ws_standstill_steps steps, double a, double b)
{
    const shared of_b = shared_of(steps, b);
    return shares(steps, a, &of_b);
}

/* Limits are multiples of 10 or 25 W (320, 575 W), and a device that is held at one reads that, or a watt beside it; of
 * small cards that alone. Ours. */
static const double low_limit_w = 100;

static bool lies_beside(double power_w, double of_w, double beside_w)
{
    return fabs(power_w - of_w * rint(power_w / of_w)) <= beside_w;
}

static bool may_be_limit(double power_w)
{
    static const double of_w = 25, of_small_w = 10, beside_w = 1;
    if (power_w < low_limit_w)
        return lies_beside(power_w, of_small_w, 0);
    return lies_beside(power_w, of_small_w, beside_w) || lies_beside(power_w, of_w, beside_w);
}

static ws_standstill_kind kind_of(double power_w)
{
    static const double lowest_w = 2;
    if (fabs(power_w) < still_low_w)
        return fabs(power_w) < lowest_w ? WS_STILL_BELOW_2_W : WS_STILL_BELOW_20_W;
    if (power_w != floor(power_w))
        return WS_STILL_FINER;
    return !may_be_limit(power_w) ? WS_STILL_WHOLE : power_w < low_limit_w ? WS_STILL_LOW_LIMIT : WS_STILL_LIMIT;
}

/* Of equal ones a few may count. */
static inline __attribute__((always_inline)) size_t least_readings(ws_standstill_steps steps)
{
    return steps == WS_STILL_EQUAL ? WS_STANDSTILL_BRIEF_READINGS : WS_STANDSTILL_READINGS;
}

/* Of two longest ones as long the one with more readings, in any order. */
void ws_standstill_add(ws_standstill_sum *sum, const ws_standstill_sum *more)
{
    sum->ns += more->ns;
    sum->energy_j += more->energy_j;
    if (more->longest_ns < sum->longest_ns ||
        (more->longest_ns == sum->longest_ns && more->longest_n <= sum->longest_n))
        return;
    sum->longest_ns = more->longest_ns;
    sum->longest_n = more->longest_n;
}

static void count(ws_standstill *s, const ws_standstill_run *run)
{
    int64_t from = run->from_ns > s->window_start_ns ? run->from_ns : s->window_start_ns, ns;
    int64_t to = run->to_ns < s->window_end_ns ? run->to_ns : s->window_end_ns;
    if (run->n < least_readings(s->steps) || __builtin_sub_overflow(to, from, &ns) || run->value == 0)
        return;
    bool is_long = run->n >= WS_STANDSTILL_READINGS && (double)ns >= WS_STANDSTILL_S * 1e9;
    bool is_brief = !is_long && s->steps == WS_STILL_EQUAL && (double)ns >= WS_STANDSTILL_BRIEF_S * 1e9 &&
                    kind_of(run->value) == WS_STILL_FINER;
    if (!is_long && !is_brief)
        return;
    const double parts = 1024; /* whole ones, whose sum is the same in any order */
    ws_standstill_sum one = {.ns = ns,
                             .longest_ns = ns,
                             .longest_n = run->n,
                             .energy_j = rint(run->value * ((double)ns / 1e9) * parts) / parts};
    ws_standstill_add(is_long ? &s->of[kind_of(run->value)] : &s->brief, &one);
    s->n_brief += is_brief;
}

static ws_standstill_run *open_run(ws_standstill *s)
{
    return s->last.n ? &s->last : &s->first;
}

/* A run behind all others: goes on with the open one, or ends it. */
static void add_run(ws_standstill *s, const ws_standstill_run *run)
{
    ws_standstill_run *open = open_run(s);
    if (!open->n) {
        *open = *run;
    } else if (is_same(s->steps, open->value, run->value)) {
        open->to_ns = run->to_ns;
        open->n += run->n;
    } else {
        if (open == &s->last)
            count(s, open);
        s->last = *run;
    }
}

static ws_standstill_run run_of(const ws_block *b, size_t from, size_t to)
{
    return (ws_standstill_run){b->value[from], b->t_ns[from], b->t_ns[to - 1], to - from};
}

/* The end of the run that begins at i. */
static inline __attribute__((always_inline)) size_t end_of_run(ws_standstill_steps steps, const ws_block *b, size_t i)
{
    const shared run = shared_of(steps, b->value[i]);
    size_t end = i + 1;
    while (end < b->n && shares(steps, b->value[end], &run))
        end++;
    return end;
}

/* Where the last run begins. */
static inline __attribute__((always_inline)) size_t start_of_last(ws_standstill_steps steps, const ws_block *b)
{
    size_t i = b->n - 1;
    const shared run = shared_of(steps, b->value[i]);
    bool may_last = steps == WS_STILL_EQUAL || run.step != NO_STEP;
    const double *v = b->value, last = run.power_w;
    while (may_last && i >= 4 && v[i - 1] == last && v[i - 2] == last && v[i - 3] == last && v[i - 4] == last)
        i -= 4;
    while (may_last && i > 0 && shares(steps, v[i - 1], &run))
        i--;
    return i;
}

/* The next run from i on that begins there or may count; shorter ones before it are passed over: of ten readings two
 * neighbours stand at every ninth place. */
static inline __attribute__((always_inline)) size_t next_run(ws_standstill_steps steps, const ws_block *b, size_t i,
                                                             size_t last)
{
    const size_t reach = least_readings(steps) - 1;
    while (i + reach < last && !is_same(steps, b->value[i + reach], b->value[i + reach - 1]))
        i += reach;
    if (i + reach >= last)
        return last;
    size_t start = i + reach - 1;
    while (start > i && is_same(steps, b->value[start - 1], b->value[start]))
        start--;
    return start;
}

/* Readings without a missing cell among them. Made for each kind of steps. */
static inline __attribute__((always_inline)) void push_readings_by(ws_standstill *s, const ws_block *b,
                                                                   ws_standstill_steps steps)
{
    static const ws_standstill_run between = {.value = NAN, .n = 1}; /* stands for short ones: it is like no other */
    size_t last = start_of_last(steps, b), i = 0;
    while (i < b->n) {
        size_t end = i < last ? end_of_run(steps, b, i) : b->n;
        ws_standstill_run run = run_of(b, i, end);
        add_run(s, &run);
        i = end < last ? next_run(steps, b, end, last) : end;
        if (i > end)
            add_run(s, &between);
    }
}

static bool moves(double a, double b)
{
    return fabs(a - b) > WS_STANDSTILL_STEP_W;
}

/* Readings with no long run among them, none of two at either end, and none that goes on from those before. */
static bool move_throughout(ws_standstill_steps steps, const double *value, size_t n, double before)
{
    const size_t reach = least_readings(steps) - 1;
    if (n < 2 || !moves(before, value[0]) || !moves(value[0], value[1]) || !moves(value[n - 2], value[n - 1]))
        return false;
    for (size_t i = reach; i < n; i += reach)
        if (!moves(value[i - 1], value[i]))
            return false;
    return true;
}

static void push_readings(ws_standstill *s, const ws_block *b)
{
    if (s->steps == WS_STILL_EQUAL)
        push_readings_by(s, b, WS_STILL_EQUAL);
    else
        push_readings_by(s, b, s->steps);
}

/* Readings of one run. */
static bool are_one_run(ws_standstill_steps steps, const ws_power_range *range)
{
    return range->least == range->most ? steps == WS_STILL_EQUAL || step_of(steps, range->most) != NO_STEP
                                       : steps != WS_STILL_EQUAL && is_same(steps, range->least, range->most);
}

/* None of which is missing: nearly all blocks are of one run, of low powers, or of powers that move. */
static void push_whole(ws_standstill *s, const ws_block *b, const ws_power_range *range)
{
    bool is_inside = s->last.n && s->last.n < least_readings(s->steps);
    if (are_one_run(s->steps, range)) {
        const ws_standstill_run run = run_of(b, 0, b->n);
        add_run(s, &run);
    } else if (s->steps != WS_STILL_EQUAL && b->n > 1 && range->most < still_low_w) {
        /* each is a run of its own, which does not count */
        const ws_block begin = ws_block_part(b, 0, 1), end = ws_block_part(b, b->n - 1, b->n);
        push_readings(s, &begin);
        push_readings(s, &end);
    } else if (is_inside && move_throughout(s->steps, b->value, b->n, s->last.value)) {
        s->last = run_of(b, b->n - 1, b->n); /* as all that follows would leave it */
    } else {
        push_readings(s, b);
    }
}

static size_t next_missing(const ws_block *b, size_t i)
{
    while (i < b->n && !isnan(b->value[i]))
        i++;
    return i;
}

/* A missing cell says nothing: the readings on both sides of it follow each other. */
void ws_standstill_push(ws_standstill *s, const ws_block *b, const ws_power_range *range)
{
    if (b->t_ns && b->n && !range->lacks_some)
        push_whole(s, b, range);
    for (size_t from = 0, to; range->lacks_some && b->t_ns && from < b->n; from = to + 1) {
        to = next_missing(b, from);
        ws_block readings = ws_block_part(b, from, to);
        if (readings.n)
            push_readings(s, &readings);
    }
}

void ws_standstill_merge(ws_standstill *into, const ws_standstill *next)
{
    if (!next->first.n)
        return;
    add_run(into, &next->first);
    if (!next->last.n)
        return;
    if (open_run(into) == &into->last)
        count(into, &into->last);
    for (int i = 0; i < WS_STANDSTILL_KINDS; i++)
        ws_standstill_add(&into->of[i], &next->of[i]);
    ws_standstill_add(&into->brief, &next->brief);
    into->n_brief += next->n_brief;
    into->last = next->last;
}

static ws_standstill all_runs(const ws_standstill *s)
{
    ws_standstill all = *s;
    count(&all, &s->first);
    count(&all, &s->last);
    return all;
}

void ws_standstill_read(const ws_standstill *s, ws_standstill_sum of[WS_STANDSTILL_KINDS])
{
    const ws_standstill all = all_runs(s);
    memcpy(of, all.of, sizeof all.of);
}

uint64_t ws_standstill_read_brief(const ws_standstill *s, ws_standstill_sum *brief)
{
    const ws_standstill all = all_runs(s);
    *brief = all.brief;
    return all.n_brief;
}

/* --- fingerprints --- */

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

/* words */

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

static void take_word(ws_fingerprint_kept *f, const double *word)
{
    uint32_t hash = hash_of(word);
    if (hash <= most_word(f->word, f->n_words) && tells(word))
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
    uint32_t most = most_word(f->print.word, f->print.n_words) >> (32 - UPPER_BITS);
    for (size_t i = 0; i < n; i++) {
        if (upper_of(value[i]) > most || value[i] == (i ? value[i - 1] : f->last[VALUES_BEFORE - 1]))
            continue;
        double word[WORD_VALUES];
        find_last(f, value, i, word);
        word[VALUES_BEFORE] = value[i];
        take_word(&f->print, word);
        most = most_word(f->print.word, f->print.n_words) >> (32 - UPPER_BITS);
    }
    double last[VALUES_BEFORE];
    if (!n)
        return;
    find_last(f, value, n, last);
    memcpy(f->last, last, sizeof last);
}

/* samples */

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

/* 24 bits are enough: stamps that share them cost a sample. */
static uint32_t rank_of(int64_t t_ns)
{
    enum { BITS = 24 };
    uint64_t t = (uint64_t)t_ns;
    return (uint32_t)((t ^ t >> 17) * UINT64_C(0x9e3779b97f4a7c15) >> (64 - BITS));
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

static void push_samples(ws_fingerprint_taker *f, const int64_t *t_ns, const double *value, size_t n)
{
    uint32_t most = most_rank(&f->print);
    for (size_t i = 0; i < n; i++) {
        uint32_t rank = rank_of(t_ns[i]);
        if (rank > most)
            continue;
        bool is_alone = !i && !f->has_any;
        float value_w = (float)value[i], before_w = (float)(i ? value[i - 1] : f->latest_w);
        uint8_t before = is_alone ? WS_FINGERPRINT_ALONE : agreement_with(value_w, before_w);
        insert_sample(&f->print, (ws_fingerprint_sample){
                                     .rank = rank & WS_FINGERPRINT_MOST_RANK, .before = before, .value_w = value_w});
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

static const uint32_t kwh_mj = 3600000000U;

/* A count of 0 is a read that failed, or one that was set back. */
void ws_fingerprint_push_counter(ws_fingerprint_taker *f, const ws_block *b)
{
    static const double mj = 1e3, most_j = 1e15;
    uint32_t most = most_rank(&f->print);
    f->print.is_counter = true;
    for (size_t i = 0; b->t_ns && i < b->n; i++) {
        uint32_t rank = rank_of(b->t_ns[i]);
        bool is_inside = !f->has_window || (b->t_ns[i] >= f->window_start_ns && b->t_ns[i] <= f->window_end_ns);
        if (rank > most || !(b->value[i] > 0 && b->value[i] < most_j) || !is_inside)
            continue;
        uint32_t count_mj = (uint32_t)((uint64_t)(b->value[i] * mj) % kwh_mj);
        insert_sample(&f->print,
                      (ws_fingerprint_sample){.rank = rank & WS_FINGERPRINT_MOST_RANK, .count_mj = count_mj});
        most = most_rank(&f->print);
        f->has_any = true;
    }
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

/* comparison */

/* Of the words that both would have kept. */
typedef struct shared_words {
    int shared, either, again; /* again: those that come again in one of the two */
} shared_words;

static shared_words compare_words(const ws_fingerprint *a, const ws_fingerprint *b)
{
    shared_words s = {0};
    uint32_t most_of_a = most_word(a->word, a->n_words), most_of_b = most_word(b->word, b->n_words);
    uint32_t most = most_of_a < most_of_b ? most_of_a : most_of_b;
    for (uint32_t i = 0, k = 0; i < a->n_words || k < b->n_words; s.either++) {
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
    shared_words s = compare_words(a, b);
    int n_words = (int)(a->n_words < b->n_words ? a->n_words : b->n_words);
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
    static const double coarse_w = 1;
    const ws_fingerprint_sample *x = a->sample, *end_of_a = x + a->n_samples;
    const ws_fingerprint_sample *y = b->sample, *end_of_b = y + b->n_samples;
    ws_shared_readings s = {0};
    for (int stamps = 0; x < end_of_a && y < end_of_b; stamps++) {
        uint32_t of_a = x->rank, of_b = y->rank;
        if (of_a == of_b) {
            s.n_agree += agree(x->value_w, y->value_w, coarse_w);
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
