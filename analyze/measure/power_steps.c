#include "analyze/measure/power_steps.h"

#include "core/avx2.h"
#include "core/time_steps.h"

#include <math.h>
#include <string.h>

/* --- steps --- */

/* No step costs more, so that the sums of 2^27 such stay below 2^127. */
static const double most_cost = 0x1p50;

/* W ns of a unit. */
static const double per_w_ns = 1e-9 / WS_SAMPLING_UNIT_J;

void ws_sampling_init(ws_sampling *s)
{
    *s = (ws_sampling)WS_SAMPLING_EMPTY;
}

static int octave_of(int64_t ns)
{
    int octave = 63 - __builtin_clzll((uint64_t)ns) - WS_SAMPLING_FIRST_OCTAVE;
    return octave < 0 ? 0 : octave < WS_SAMPLING_OCTAVES ? octave : WS_SAMPLING_OCTAVES - 1;
}

static int64_t cost_of(double rise_w, int64_t ns)
{
    return (int64_t)rint(fmax(-most_cost, fmin(most_cost, rise_w * (double)ns * per_w_ns)));
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static void add_product(ws_sampling *s, const ws_sampling_step *a, const ws_sampling_step *b)
{
    s->octave[a->octave > b->octave ? a->octave : b->octave].products += (__int128)a->cost * b->cost;
}

/* The bucket of so many rows, and the most rows of a bucket. */
static size_t bucket_of(uint64_t rows)
{
    if (rows <= 8)
        return (size_t)rows - 1;
    int octave = 63 - __builtin_clzll(rows);
    size_t bucket = 8 + 4 * (size_t)(octave - 3) + (rows >> (octave - 2) & 3);
    return bucket < WS_SAMPLING_HELD ? bucket : WS_SAMPLING_HELD - 1;
}

static double rows_of(size_t bucket)
{
    size_t above = bucket - 8;
    return bucket < 8 ? (double)bucket + 1 : (double)((5 + above % 4) << (1 + above / 4)) - 1;
}

static void add_chained(ws_sampling *s, const ws_sampling_step *a, const ws_sampling_step *b)
{
    s->octave[a->octave > b->octave ? a->octave : b->octave].chained += (__int128)a->cost * b->cost;
}

/* An interval behind all others, with a step or without. */
static void see_step(ws_sampling *s, bool is_step, const ws_sampling_step *step)
{
    s->rows_behind++;
    if (!is_step)
        return;
    if (s->steps++) {
        s->held[bucket_of(s->rows_behind)]++;
        add_chained(s, &s->last_move, step);
    } else {
        s->rows_before = s->rows_behind;
        s->first_move = *step;
    }
    s->last_move = *step;
    s->rows_behind = 0;
}

/* Stamps of a broken clock may be centuries apart: such an interval is none. */
static void add_interval(ws_sampling *s, int64_t t, double value)
{
    int64_t ns;
    if (__builtin_sub_overflow(t, s->last_t, &ns) || ns <= 0 || t <= s->window_start_ns ||
        s->last_t >= s->window_end_ns)
        return;
    ws_sampling_step step = {cost_of(value - s->last_value, ns), octave_of(ns)};
    ws_sampling_octave *sums = &s->octave[step.octave];
    sums->intervals++;
    sums->total_ns = ws_ns_plus(sums->total_ns, ns);
    sums->squares += (unsigned __int128)((__int128)step.cost * step.cost);
    s->largest[step.octave] = larger(s->largest[step.octave], step.cost < 0 ? -step.cost : step.cost);
    if (s->intervals++)
        add_product(s, &s->last, &step);
    else
        s->first = step;
    s->last = step;
    see_step(s, value != s->last_value, &step);
}

static void add_reading(ws_sampling *s, int64_t t, double value)
{
    if (s->has_last) {
        add_interval(s, t, value);
    } else {
        s->has_last = true;
        s->first_t = t;
        s->first_value = value;
    }
    s->last_t = t;
    s->last_value = value;
    if (t < s->window_start_ns || t > s->window_end_ns)
        return;
    s->first_inside = s->has_inside ? s->first_inside : value;
    s->last_inside = value;
    s->has_inside = true;
}

/* many intervals of one octave at once, with the same sums: a multiple of four */

enum { BATCH = 64, LEAST_BATCH = 8 };

typedef struct batch_sums {
    size_t n;
    int64_t squares, products, largest;
    int64_t shortest_ns;
    uint64_t moves, n_moves; /* bit i: interval i has a step; and how many have one */
    int32_t cost[BATCH];
} batch_sums;

#if defined __x86_64__

static const double small_cost = 0x1p28; /* the sums of a batch fit into 63 bits */

typedef double four __attribute__((vector_size(32)));
typedef uint64_t four_whole __attribute__((vector_size(32))); /* wraps round where a batch is not taken */

WS_AVX2 static inline int64_t total_of(four_whole x)
{
    return (int64_t)(x[0] + x[1] + x[2] + x[3]);
}

WS_AVX2 static inline four_whole widened(const int32_t *from)
{
    return (four_whole)_mm256_cvtepi32_epi64(_mm_loadu_si128((const __m128i *)from));
}

/* Of stamps below 2^32 ns apart. */
WS_AVX2 static inline four as_double(four_whole ns)
{
    const four_whole base = (four_whole)_mm256_set1_pd(0x1p52);
    return (four)(ns | base) - _mm256_set1_pd(0x1p52);
}

/* Four readings or stamps from `from` on, and those one place before them. */
WS_AVX2 static inline __m256i four_of(const void *from)
{
    return _mm256_loadu_si256((const __m256i *)from);
}

WS_AVX2 static inline __m256i behind(__m256i numbers, int64_t before)
{
    enum { ONE_ON = 0x90 };
    return _mm256_insert_epi64(_mm256_permute4x64_epi64(numbers, ONE_ON), before, 0);
}

/* What all intervals of a batch come to. */
typedef struct interval_sums {
    four_whole any, least, squares, is_small;
    __m128i largest;
} interval_sums;

/* Bit k: there is a step in interval k of the four. */
WS_AVX2 static inline uint64_t add_four(interval_sums *sums, int32_t *costs, four rise, four_whole ns)
{
    const four no_sign = (four)_mm256_set1_epi64x(INT64_MAX);
    four cost = rise * as_double(ns) * per_w_ns;
    sums->any |= ns;
    sums->least = (four_whole)_mm256_min_epu32((__m256i)sums->least, (__m256i)ns);
    sums->is_small &= (four_whole)(_mm256_and_pd(cost, no_sign) < small_cost);
    __m128i whole = _mm256_cvtpd_epi32(cost);
    _mm_storeu_si128((__m128i *)costs, whole);
    sums->largest = _mm_max_epi32(sums->largest, _mm_abs_epi32(whole));
    __m256i wide = _mm256_cvtepi32_epi64(whole);
    sums->squares += (four_whole)_mm256_mul_epi32(wide, wide);
    return (uint64_t)_mm256_movemask_pd((four)(rise != 0));
}

/* The intervals up to each of sums->n readings; `before`, `before_ns`: the reading before them. False if one of them is
 * not in the octave of the shortest, or a step is large or no number. */
WS_AVX2 static bool sum_batch(batch_sums *sums, double before, int64_t before_ns, const double *value,
                              const int64_t *t_ns)
{
    interval_sums all = {.least = (four_whole)_mm256_set1_epi64x(UINT32_MAX),
                         .is_small = (four_whole)_mm256_set1_epi64x(-1)};
    int64_t before_bits;
    memcpy(&before_bits, &before, sizeof before_bits);
    __m256i first = four_of(value), first_ns = four_of(t_ns);
    sums->moves = add_four(&all, sums->cost, (four)first - (four)behind(first, before_bits),
                           (four_whole)first_ns - (four_whole)behind(first_ns, before_ns));
    for (size_t i = 4; i < sums->n; i += 4)
        sums->moves |= add_four(&all, sums->cost + i, (four)four_of(value + i) - (four)four_of(value + i - 1),
                                (four_whole)four_of(t_ns + i) - (four_whole)four_of(t_ns + i - 1))
                       << i;
    uint64_t most = all.any[0] | all.any[1] | all.any[2] | all.any[3], shortest = all.least[0];
    for (int i = 1; i < 4; i++)
        shortest = all.least[i] < shortest ? all.least[i] : shortest;
    const four_whole is_small = all.is_small;
    if (!(is_small[0] & is_small[1] & is_small[2] & is_small[3]) || most > UINT32_MAX || !shortest ||
        octave_of((int64_t)most) != octave_of((int64_t)shortest))
        return false;
    four_whole products = {0};
    size_t i = 0;
    for (; i + 4 < sums->n; i += 4)
        products +=
            (four_whole)_mm256_mul_epi32((__m256i)widened(sums->cost + i), (__m256i)widened(sums->cost + i + 1));
    sums->products = total_of(products);
    for (; i + 1 < sums->n; i++)
        sums->products += (int64_t)sums->cost[i] * sums->cost[i + 1];
    int32_t most_of[4];
    _mm_storeu_si128((__m128i *)most_of, all.largest);
    sums->largest = larger(larger(most_of[0], most_of[1]), larger(most_of[2], most_of[3]));
    sums->squares = total_of(all.squares);
    sums->n_moves = (uint64_t)__builtin_popcountll(sums->moves);
    sums->shortest_ns = (int64_t)shortest;
    return true;
}

static bool sum_whole_batch(batch_sums *sums, const ws_sampling *s, const double *value, const int64_t *t_ns)
{
    return ws_has_avx2() && sum_batch(sums, s->last_value, s->last_t, value, t_ns);
}

#else

static bool sum_whole_batch(batch_sums *sums, const ws_sampling *s, const double *value, const int64_t *t_ns)
{
    (void)sums, (void)s, (void)value, (void)t_ns;
    return false;
}

#endif

static int first_of(uint64_t bits)
{
    return __builtin_ctzll(bits);
}

static int last_of(uint64_t bits)
{
    return 63 - __builtin_clzll(bits);
}

/* The intervals of a batch. The first step follows one of before. Of the others nearly all follow the one right before
 * them: the products of these are those of all neighbours, since an interval without a step costs nothing. Like those
 * the products over a time without a step fit into 63 bits. */
static void see_steps(ws_sampling *s, const batch_sums *sums, int octave)
{
    if (!sums->moves) {
        s->rows_behind += sums->n;
        return;
    }
    int first = first_of(sums->moves), last = last_of(sums->moves);
    const ws_sampling_step first_move = {sums->cost[first], octave};
    s->rows_behind += (uint64_t)first;
    see_step(s, true, &first_move);
    uint64_t others = sums->moves & (sums->moves - 1), n_in_turn = sums->n_moves - 1;
    int64_t chained = sums->products;
    for (uint64_t late = others & ~(sums->moves << 1); late; late &= late - 1, n_in_turn--) {
        int i = first_of(late), before = last_of(sums->moves & ((UINT64_C(1) << i) - 1));
        s->held[bucket_of((uint64_t)(i - before))]++;
        chained += (int64_t)sums->cost[before] * sums->cost[i];
    }
    s->steps += sums->n_moves - 1;
    s->held[0] += n_in_turn;
    s->octave[octave].chained += chained;
    s->last_move = (ws_sampling_step){sums->cost[last], octave};
    s->rows_behind = sums->n - 1 - (size_t)last;
}

/* The next n readings; false where they are not as in a steady trace. */
static bool add_batch(ws_sampling *s, const double *value, const int64_t *t_ns, size_t n)
{
    batch_sums sums = {.n = n};
    if (!s->has_inside || s->last_t < s->window_start_ns || t_ns[n - 1] > s->window_end_ns ||
        !sum_whole_batch(&sums, s, value, t_ns))
        return false;
    int octave = octave_of(sums.shortest_ns);
    ws_sampling_step first = {sums.cost[0], octave};
    ws_sampling_octave *to = &s->octave[octave];
    to->intervals += n;
    to->total_ns = ws_ns_plus(to->total_ns, ws_ns_minus(t_ns[n - 1], s->last_t));
    to->squares += (unsigned __int128)sums.squares;
    s->largest[octave] = larger(s->largest[octave], sums.largest);
    to->products += sums.products;
    if (s->intervals)
        add_product(s, &s->last, &first);
    else
        s->first = first;
    s->intervals += n;
    see_steps(s, &sums, octave);
    s->last = (ws_sampling_step){sums.cost[n - 1], octave};
    s->last_t = t_ns[n - 1];
    s->last_value = s->last_inside = value[n - 1];
    return true;
}

/* How many of n readings to take together. */
static size_t batch_of(size_t n)
{
    return n >= BATCH ? BATCH : n >= LEAST_BATCH ? n / 4 * 4 : 0;
}

void ws_sampling_push(ws_sampling *s, const ws_block *b)
{
    for (size_t i = 0, n, end; b->t_ns && i < b->n;) {
        n = batch_of(b->n - i);
        if (n && add_batch(s, b->value + i, b->t_ns + i, n)) {
            i += n;
            continue;
        }
        for (end = s->has_inside && n ? i + n : i + 1; i < end; i++)
            if (fabs(b->value[i]) <= 1e18)
                add_reading(s, b->t_ns[i], b->value[i]);
    }
}

static void merge_steps(ws_sampling *into, const ws_sampling *next)
{
    uint64_t rows = into->rows_behind + (next->steps ? next->rows_before : next->rows_behind);
    into->rows_behind = next->steps ? next->rows_behind : rows;
    if (!next->steps)
        return;
    if (into->steps) {
        into->held[bucket_of(rows)]++;
        add_chained(into, &into->last_move, &next->first_move);
    } else {
        into->rows_before = rows;
        into->first_move = next->first_move;
    }
    into->last_move = next->last_move;
    into->steps += next->steps;
    for (int i = 0; i < WS_SAMPLING_HELD; i++)
        into->held[i] += next->held[i];
}

void ws_sampling_merge(ws_sampling *into, const ws_sampling *next)
{
    if (!next->has_last)
        return;
    add_reading(into, next->first_t, next->first_value);
    if (next->intervals) {
        if (into->intervals)
            add_product(into, &into->last, &next->first);
        else
            into->first = next->first;
        into->last = next->last;
        into->intervals += next->intervals;
    }
    merge_steps(into, next);
    for (int i = 0; i < WS_SAMPLING_OCTAVES; i++) {
        into->octave[i].intervals += next->octave[i].intervals;
        into->octave[i].total_ns = ws_ns_plus(into->octave[i].total_ns, next->octave[i].total_ns);
        into->octave[i].squares += next->octave[i].squares;
        into->octave[i].products += next->octave[i].products;
        into->octave[i].chained += next->octave[i].chained;
        into->largest[i] = larger(into->largest[i], next->largest[i]);
    }
    if (next->has_inside) {
        into->first_inside = into->has_inside ? into->first_inside : next->first_inside;
        into->last_inside = next->last_inside;
        into->has_inside = true;
    }
    into->last_t = next->last_t;
    into->last_value = next->last_value;
}

/* The octave of the shortest long gap counts: the usual interval may lie in it, too. */
static ws_sampling_sums sum_steps(const ws_sampling *s, int64_t long_ns)
{
    int last = long_ns > 0 ? octave_of(long_ns) : WS_SAMPLING_OCTAVES - 1;
    uint64_t intervals = 0;
    int64_t ns = 0;
    unsigned __int128 squares = 0;
    __int128 products = 0, chained = 0;
    double step_w = 0;
    const double square = WS_SAMPLING_UNIT_J * WS_SAMPLING_UNIT_J;
    for (int i = 0; i <= last; i++) {
        intervals += s->octave[i].intervals;
        ns = ws_ns_plus(ns, s->octave[i].total_ns);
        squares += s->octave[i].squares;
        products += s->octave[i].products;
        chained += s->octave[i].chained;
        if (s->largest[i])
            step_w = fmax(step_w, (double)s->largest[i] * (double)s->octave[i].intervals /
                                      ((double)s->octave[i].total_ns * per_w_ns));
    }
    return (ws_sampling_sums){.intervals = (double)intervals,
                              .time_s = (double)ns / 1e9,
                              .squares = (double)squares * square,
                              .products = (double)products * square,
                              .chained = (double)chained * square,
                              .step_w = step_w};
}

/* A sensor that shows each value for some rows is read less often than it seems: up to so many rows, and this period. A
 * power that stays the same for longer is steady. */
static const double longest_period_s = 1, most_rows = 20;

/* Sensors of boards, racks and distribution units are refreshed each 2 to 30 s: then hardly a value is held for less,
 * unlike values of a power that is steady now and then. */
static const double slowest_s = 40, least_moves = 4;

/* The rows for which a value is held in this share of all times, from the shortest on. */
static double held_in(const ws_sampling *s, double share)
{
    uint64_t all = 0, below = 0;
    size_t i = 0;
    for (size_t k = 0; k < WS_SAMPLING_HELD; k++)
        all += s->held[k];
    while (i + 1 < WS_SAMPLING_HELD && (double)(below + s->held[i]) <= share * (double)all)
        below += s->held[i++];
    return rows_of(i);
}

/* Where most values are held for about as many rows as the shortest ones. A power that is steady now and then holds
 * some of its values for long and others for one row. */
static const double soonest = 0.1, mostly = 0.75, again = 3, wider = 1.4;

static bool is_refreshed(const ws_sampling *s, double shortest)
{
    return held_in(s, mostly) <= again * shortest;
}

/* Rows for which a fast sensor shows each value. */
static double held_for(const ws_sampling *s, double usual_s, double intervals)
{
    double held = s->steps ? intervals / (double)s->steps : INFINITY, most = fmax(1, longest_period_s / usual_s);
    if (held > most_rows || (double)s->steps < least_moves)
        return 1;
    double shortest = held_in(s, soonest);
    return fmax(1, fmin(is_refreshed(s, shortest) ? fmin(held, wider * shortest) : shortest, most));
}

/* Rows for which a slow sensor shows each value; 0 for a sensor that is none. A value may come again by chance. */
static double slow_rows(const ws_sampling *s, double usual_s, double intervals)
{
    if ((double)s->steps < least_moves)
        return 0;
    double shortest = held_in(s, soonest), rows = fmin(intervals / (double)s->steps, wider * shortest);
    bool is_slow = shortest >= 2 && is_refreshed(s, shortest);
    return is_slow && rows * usual_s > longest_period_s && rows * usual_s <= slowest_s ? rows : 0;
}

ws_sampling_sums ws_sampling_sum(const ws_sampling *s, int64_t long_ns)
{
    ws_sampling_sums t = sum_steps(s, long_ns);
    t.held_rows = 1;
    if (!(t.intervals > 0) || !(t.time_s > 0))
        return t;
    t.usual_s = t.time_s / t.intervals;
    t.slow_rows = slow_rows(s, t.usual_s, t.intervals);
    t.held_rows = t.slow_rows > 0 ? t.slow_rows : held_for(s, t.usual_s, t.intervals);
    return t;
}

double ws_sampling_held_s(const ws_sampling *s, int64_t long_ns)
{
    const ws_sampling_sums t = ws_sampling_sum(s, long_ns);
    return t.slow_rows * t.usual_s;
}

/* --- powers that stand still --- */

/* W. Below it a step of the readings may be larger than their noise. Ours. */
static const double still_low_w = 20;

void ws_standstill_init(ws_standstill *s, ws_standstill_steps steps)
{
    *s = (ws_standstill)WS_STANDSTILL_EMPTY(steps);
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
    sum->ns = ws_ns_plus(sum->ns, more->ns);
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

/* Up to so many readings are looked at together, a bit each. */
enum { PIECE = 64 };

static uint64_t close_pairs_portable(const double *value, size_t n, size_t from)
{
    uint64_t close = 0;
    for (size_t i = from; i < n; i++)
        close |= (uint64_t)!moves(value[i - 1], value[i]) << i;
    return close;
}

#if defined __x86_64__
WS_AVX2 static uint64_t close_pairs_avx2(const double *value, size_t n)
{
    const four no_sign = (four)_mm256_set1_epi64x(INT64_MAX), step = _mm256_set1_pd(WS_STANDSTILL_STEP_W);
    uint64_t close = 0;
    size_t i = 1;
    for (; i + 4 <= n; i += 4) {
        four rise = _mm256_and_pd(_mm256_loadu_pd(value + i) - _mm256_loadu_pd(value + i - 1), no_sign);
        close |= (uint64_t)_mm256_movemask_pd(_mm256_cmp_pd(rise, step, _CMP_NGT_UQ)) << i;
    }
    return close | close_pairs_portable(value, n, i);
}
#else
#define close_pairs_avx2(value, n) close_pairs_portable(value, n, 1)
#endif

/* Bit i: reading i does not move away from the one before it. The first bit is 0. */
static uint64_t close_pairs(const double *value, size_t n)
{
    return ws_has_avx2() ? close_pairs_avx2(value, n) : close_pairs_portable(value, n, 1);
}

/* Are so many bits that follow each other all set somewhere? */
static bool has_run(uint64_t bits, size_t length)
{
    for (size_t have = 1, more; bits && have < length; have += more) {
        more = have < length - have ? have : length - have;
        bits &= bits >> more;
    }
    return bits != 0;
}

/* Does the open run, too short to count, end with the reading before a piece, and hold the piece no run that counts?
 * `close`: of the piece, which ends with two readings that move. */
static bool move_throughout(const ws_standstill *s, const ws_block *b, uint64_t close)
{
    const size_t least = least_readings(s->steps);
    return s->last.n && s->last.n < least && moves(s->last.value, b->value[0]) && !has_run(close, least - 1);
}

static void push_readings(ws_standstill *s, const ws_block *b)
{
    if (s->steps == WS_STILL_EQUAL)
        push_readings_by(s, b, WS_STILL_EQUAL);
    else
        push_readings_by(s, b, s->steps);
}

/* Readings of one run. */
static bool are_one_run(ws_standstill_steps steps, const ws_value_range *range)
{
    return range->least == range->most ? steps == WS_STILL_EQUAL || step_of(steps, range->most) != NO_STEP
                                       : steps != WS_STILL_EQUAL && is_same(steps, range->least, range->most);
}

/* None of which is missing. Of one run, of low powers, or of others. */
static void push_whole(ws_standstill *s, const ws_block *b, const ws_value_range *range)
{
    if (are_one_run(s->steps, range)) {
        const ws_standstill_run run = run_of(b, 0, b->n);
        add_run(s, &run);
    } else if (s->steps != WS_STILL_EQUAL && b->n > 1 && range->most < still_low_w) {
        /* each is a run of its own, which does not count */
        const ws_block begin = ws_block_part(b, 0, 1), end = ws_block_part(b, b->n - 1, b->n);
        push_readings(s, &begin);
        push_readings(s, &end);
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
static void push_between(ws_standstill *s, const ws_block *b)
{
    for (size_t from = 0, to; from < b->n; from = to + 1) {
        to = next_missing(b, from);
        const ws_block readings = ws_block_part(b, from, to);
        if (readings.n)
            push_readings(s, &readings);
    }
}

/* None of which is missing. Nearly all are of powers that move: then the last reading begins the open run, and no other
 * counts. */
static void push_piece(ws_standstill still[WS_STANDSTILL_STEPS], const ws_block *b)
{
    uint64_t close = close_pairs(b->value, b->n);
    bool ends_move = b->n > 1 && !(close >> 1 & 1) && !(close >> (b->n - 1) & 1), has_range = false;
    ws_value_range range;
    for (ws_standstill *s = still; s < still + WS_STANDSTILL_STEPS; s++) {
        if (ends_move && move_throughout(s, b, close)) {
            s->last = run_of(b, b->n - 1, b->n);
            continue;
        }
        range = has_range ? range : ws_value_range_of(b);
        has_range = true;
        push_whole(s, b, &range);
    }
}

void ws_standstills_push(ws_standstill still[WS_STANDSTILL_STEPS], const ws_block *b, const ws_value_range *range)
{
    if (!b->t_ns)
        return;
    for (size_t from = 0, n; !range->lacks_some && from < b->n; from += n) {
        n = b->n - from < PIECE ? b->n - from : PIECE;
        push_piece(still, &(ws_block){.n = n, .t_ns = b->t_ns + from, .value = b->value + from});
    }
    for (int i = 0; range->lacks_some && i < WS_STANDSTILL_STEPS; i++)
        push_between(&still[i], b);
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

bool ws_standstill_may_be(const ws_standstill *s)
{
    size_t least = least_readings(s->steps);
    bool may = s->brief.ns != 0 || s->first.n >= least || s->last.n >= least;
    for (int i = 0; i < WS_STANDSTILL_KINDS; i++)
        may |= s->of[i].ns != 0;
    return may;
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
