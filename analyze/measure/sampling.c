#include "analyze/measure/sampling.h"

#include "core/avx2.h"
#include "core/time_steps.h"

#include <math.h>
#include <string.h>

/* No step costs more, so that the sums of 2^27 such stay below 2^127. */
static const double most_cost = 0x1p50;

/* W ns of a unit. */
static const double per_w_ns = 1e-9 / WS_SAMPLING_UNIT_J;

void ws_sampling_init(ws_sampling *s)
{
    *s = (ws_sampling){.window_start_ns = INT64_MIN, .window_end_ns = INT64_MAX};
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

/* --- many intervals of one octave at once, with the same sums --- */

enum { BATCH = 64 };

typedef struct batch_sums {
    int64_t squares, products, steps, largest;
    int64_t shortest_ns;
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

/* The intervals between BATCH + 1 readings. False if one of them is not in the octave of the shortest, or a step is
 * large or no number. */
WS_AVX2 static bool sum_batch(batch_sums *sums, const double *value, const int64_t *t_ns)
{
    const four no_sign = (four)_mm256_set1_epi64x(INT64_MAX);
    four_whole any = {0}, least = (four_whole)_mm256_set1_epi64x(UINT32_MAX), squares = {0}, steps = {0};
    four_whole is_small = (four_whole)_mm256_set1_epi64x(-1);
    __m128i largest = _mm_setzero_si128();
    for (int i = 0; i < BATCH; i += 4) {
        four rise = _mm256_loadu_pd(value + i + 1) - _mm256_loadu_pd(value + i);
        four_whole ns = (four_whole)_mm256_loadu_si256((const __m256i *)(t_ns + i + 1)) -
                        (four_whole)_mm256_loadu_si256((const __m256i *)(t_ns + i));
        any |= ns;
        least = (four_whole)_mm256_min_epu32((__m256i)least, (__m256i)ns);
        four cost = rise * as_double(ns) * per_w_ns;
        is_small &= (four_whole)(_mm256_and_pd(cost, no_sign) < small_cost);
        __m128i whole = _mm256_cvtpd_epi32(cost);
        _mm_storeu_si128((__m128i *)(sums->cost + i), whole);
        largest = _mm_max_epi32(largest, _mm_abs_epi32(whole));
        __m256i wide = _mm256_cvtepi32_epi64(whole);
        squares += (four_whole)_mm256_mul_epi32(wide, wide);
        steps -= (four_whole)(rise != 0);
    }
    uint64_t most = any[0] | any[1] | any[2] | any[3], shortest = least[0];
    for (int i = 1; i < 4; i++)
        shortest = least[i] < shortest ? least[i] : shortest;
    if (!(is_small[0] & is_small[1] & is_small[2] & is_small[3]) || most > UINT32_MAX || !shortest ||
        octave_of((int64_t)most) != octave_of((int64_t)shortest))
        return false;
    four_whole products = {0};
    int i = 0;
    for (; i + 4 < BATCH; i += 4)
        products +=
            (four_whole)_mm256_mul_epi32((__m256i)widened(sums->cost + i), (__m256i)widened(sums->cost + i + 1));
    sums->products = total_of(products);
    for (; i + 1 < BATCH; i++)
        sums->products += (int64_t)sums->cost[i] * sums->cost[i + 1];
    int32_t most_of[4];
    _mm_storeu_si128((__m128i *)most_of, largest);
    sums->largest = larger(larger(most_of[0], most_of[1]), larger(most_of[2], most_of[3]));
    sums->squares = total_of(squares);
    sums->steps = total_of(steps);
    sums->shortest_ns = (int64_t)shortest;
    return true;
}

static bool sum_whole_batch(batch_sums *sums, const double *value, const int64_t *t_ns)
{
    return ws_has_avx2() && sum_batch(sums, value, t_ns);
}

#else

static bool sum_whole_batch(batch_sums *sums, const double *value, const int64_t *t_ns)
{
    (void)sums, (void)value, (void)t_ns;
    return false;
}

#endif

/* The intervals of a batch. The first step follows one of before; the products of the others fit into 63 bits, as those
 * of the batch do. */
static void see_steps(ws_sampling *s, const batch_sums *sums, const double *value, int octave)
{
    if (sums->steps == BATCH) { /* mostly there is one in each */
        ws_sampling_step first = {sums->cost[0], octave};
        see_step(s, true, &first);
        s->steps += BATCH - 1;
        s->held[0] += BATCH - 1;
        s->octave[octave].chained += sums->products;
        s->last_move = (ws_sampling_step){sums->cost[BATCH - 1], octave};
        return;
    }
    int i = 0;
    for (bool is_step = false; i < BATCH && !is_step; i++) {
        ws_sampling_step step = {sums->cost[i], octave};
        is_step = value[i + 1] != value[i];
        see_step(s, is_step, &step);
    }
    int64_t chained = 0, last = s->last_move.cost;
    uint64_t rows = s->rows_behind, next_row = 0, steps = 0;
    for (; i < BATCH; i++) {
        bool is_step = value[i + 1] != value[i];
        rows++;
        if (!is_step)
            continue;
        steps++;
        if (rows == 1)
            next_row++;
        else
            s->held[bucket_of(rows)]++;
        chained += last * sums->cost[i];
        last = sums->cost[i];
        rows = 0;
    }
    s->steps += steps;
    s->held[0] += next_row;
    s->octave[octave].chained += chained;
    if (steps)
        s->last_move = (ws_sampling_step){last, octave};
    s->rows_behind = rows;
}

/* The next BATCH readings; false where they are not as in a steady trace. */
static bool add_batch(ws_sampling *s, const double *values, const int64_t *stamps)
{
    batch_sums sums;
    double value[BATCH + 1];
    int64_t t_ns[BATCH + 1];
    if (!s->has_inside || s->last_t < s->window_start_ns || stamps[BATCH - 1] > s->window_end_ns)
        return false;
    value[0] = s->last_value;
    t_ns[0] = s->last_t;
    memcpy(value + 1, values, BATCH * sizeof *values);
    memcpy(t_ns + 1, stamps, BATCH * sizeof *stamps);
    if (!sum_whole_batch(&sums, value, t_ns))
        return false;
    int octave = octave_of(sums.shortest_ns);
    ws_sampling_step first = {sums.cost[0], octave};
    ws_sampling_octave *to = &s->octave[octave];
    to->intervals += BATCH;
    to->total_ns = ws_ns_plus(to->total_ns, ws_ns_minus(t_ns[BATCH], t_ns[0]));
    to->squares += (unsigned __int128)sums.squares;
    s->largest[octave] = larger(s->largest[octave], sums.largest);
    to->products += sums.products;
    if (s->intervals)
        add_product(s, &s->last, &first);
    else
        s->first = first;
    s->intervals += BATCH;
    see_steps(s, &sums, value, octave);
    s->last = (ws_sampling_step){sums.cost[BATCH - 1], octave};
    s->last_t = t_ns[BATCH];
    s->last_value = s->last_inside = value[BATCH];
    return true;
}

void ws_sampling_push(ws_sampling *s, const ws_block *b)
{
    size_t i = 0;
    while (b->t_ns && i < b->n) {
        size_t end = i + BATCH < b->n ? i + BATCH : b->n;
        if (i + BATCH <= b->n && add_batch(s, b->value + i, b->t_ns + i))
            i = end;
        for (; i < end; i++)
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

/* Of a trace, in J^2 and s, and its largest step in W. */
typedef struct sums {
    double intervals, time_s, squares, products, chained, step_w;
} sums;

/* The octave of the shortest long gap counts: the usual interval may lie in it, too. */
static sums sums_of(const ws_sampling *s, int64_t long_ns)
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
    return (sums){(double)intervals,         (double)ns / 1e9,         (double)squares * square,
                  (double)products * square, (double)chained * square, step_w};
}

/* A sensor that shows each value for some rows is read less often than it seems: up to so many rows, and this period. A
 * power that stays the same for longer is steady. */
static const double longest_period_s = 1, most_rows = 20;

/* From this interval on a load may be shorter than the interval; below, iterations of a training are seen. */
static const double load_s = 1;

/* Iterations repeat: where an interval is shorter than this, the places of their steps in it are spread more evenly
 * than by chance, down to half of the variance. */
static const double even_s = 0.5;

/* Of the power's variance: what hides in a load in step with the samples, which then looks steady. */
static const double hidden_share = 0.23, slow_hidden_share = 0.12;

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

double ws_sampling_held_s(const ws_sampling *s, int64_t long_ns)
{
    sums t = sums_of(s, long_ns);
    double usual_s = t.intervals > 0 ? t.time_s / t.intervals : 0;
    return usual_s > 0 ? slow_rows(s, usual_s, t.intervals) * usual_s : 0;
}

/* Of the time between refreshes nothing is seen. Smooth powers are met better than steps, and few refreshes say less of
 * what a load does. Found by trial, as the share that hides in step. */
static double slow_variance(const ws_sampling *s, double squares, double cancels, double roughness)
{
    double few = 1 + 8 / (double)s->steps, rough = 0.5 + 0.5 * roughness;
    return few * rough * (squares + 6 * cancels) / 12;
}

/* How often a fast sensor is refreshed; so much of its lag is no window. */
static const double usual_refresh_s = 0.1;

/* A mean over a window moves by no more than the range of the power times the time between two means over the window:
 * how far the readings of a sensor lag that is not better known, half of the longest window that their steepest step
 * leaves, and a refresh. */
static double lag_of(const sums *t, const ws_sampled_power *power, double refresh_s)
{
    double window_s = t->step_w > 0 ? power->range_w * refresh_s / t->step_w : INFINITY;
    return fmin(power->lag_s, window_s / 2 + usual_refresh_s);
}

/* The squares of the steps of the power a second, W^2/s: how many there are the readings tell, whose neighbours rise
 * together where a window spreads each step over several. */
static double steps_per_s(const sums *t, double lag_s)
{
    double usual_s = t->time_s / t->intervals, alike = t->squares > 0 ? fmax(0, t->products / t->squares) : 0;
    double spread = fmin(fmax(1, 2 * lag_s / usual_s), (1 + alike) / fmax(1e-3, 1 - alike));
    return t->squares * spread / (usual_s * usual_s * t->time_s);
}

/* The lag shifts the trace: its ends count, and what the power did within the window before each of them, of which a
 * mean tells less. A step of A at a random place of a window of 2 L leaves A^2 L^2 / 30 open. late_s: a sensor that is
 * read no more often than it is refreshed shows values that are as old. */
static double lag_variance(double lag_s, double late_s, double rise_w, double per_s)
{
    return (lag_s + late_s) * (lag_s + late_s) * rise_w * rise_w / 3 + 4 * lag_s * lag_s * lag_s * per_s / 30;
}

/* A slow sensor that is read at its own pace shows no value twice, and nothing tells it from a fast one that is read
 * rarely: what nobody knows more of may be late by so much of the interval beyond a second. By trial. */
static const double late_share = 1.25, in_time_s = 1;

static double late_by(const ws_sampled_power *power, double usual_s)
{
    return power->may_be_slow ? late_share * fmax(0, usual_s - in_time_s) : 0;
}

/* Between a refresh and the reading that shows it time goes by, which differs from step to step where the two have
 * paces of their own: a step of A is shown late by up to a refresh, however many readings a window spreads it over. A
 * sensor that shows a value for some rows tells its refresh, which is in `held` already. */
static double refresh_variance(const sums *t, double per_s, double usual_s, double held)
{
    double refresh_s = fmin(usual_refresh_s, usual_s) / held;
    return per_s * t->time_s * refresh_s * refresh_s / 12;
}

/* Of the time between two samples a mean over a window has seen the share s. It spreads a step of A over both intervals
 * that meet in the window: their squares come to A^2 (1 - s / 3), their product to A^2 s / 6, which is the correlation
 * a = s / (6 - 2 s) of neighbouring steps; and the trapezoid is off by a uniform error of (1 - s) A at most in place of
 * A: (1 - s)^2 of the variance. So the squares leave open (1 - s)^2 / (1 - s / 3) of what those of points do. Powers
 * that rise steadily under a noise look alike: at least a twentieth. Intervals of twice the window that the lag leaves
 * show nothing of it: the same products come of a longer one, whose lag nobody knows; and few readings prove nothing.
 */
static double unseen_by(const sums *t, double lag_s, double refresh_s)
{
    static const double least = 0.05;
    double alike = t->squares > 0 ? fmax(0, 1 - 8 / t->intervals) * fmax(0, t->products / t->squares) : 0;
    double window_s = fmax(0, 2 * (lag_s - usual_refresh_s));
    double most = window_s > 0 ? fmax(0, fmin(1, 2 - refresh_s / window_s)) : 0;
    double seen = fmin(most, 6 * alike / (1 + 2 * alike));
    return fmax(least, (1 - seen) * (1 - seen) / (1 - seen / 3));
}

/* Where samples are seconds apart, phases of the load are, too, and what the formula takes for the worst is rare: less
 * of the variance from a second on, a third of it at 5 s. Found by trial. */
static double rarely(double usual_s)
{
    return 1 - 0.32 * fmax(0, fmin(1, log(usual_s) / log(5)));
}

double ws_sampling_u_j(const ws_sampling *s, int64_t long_ns, const ws_sampled_power *power)
{
    sums t = sums_of(s, long_ns);
    if (!(t.intervals > 0) || !(t.time_s > 0))
        return 0;
    double usual_s = t.time_s / t.intervals, slow = slow_rows(s, usual_s, t.intervals);
    double held = slow > 0 ? slow : held_for(s, usual_s, t.intervals), rows = fmax(1, slow);
    double spread = power->sd_w > 0 ? power->sd_w * power->sd_w : 0;
    double roughness = spread > 0 ? fmin(1, rows * t.squares / (t.intervals * usual_s * usual_s * spread)) : 0;
    double short_loads = fmin(1, held * usual_s / load_s);
    double cancels = fmin(fmax(0, -(slow > 0 ? t.chained : t.products)), t.squares / 2);
    double share = slow > 0 ? slow_hidden_share : hidden_share;
    double hidden = share * short_loads * spread * rows * usual_s * t.time_s * pow(roughness, 3);
    double rise_w = s->last_inside - s->first_inside;
    if (slow > 0) {
        double variance = slow_variance(s, slow * slow * t.squares, slow * slow * cancels, roughness);
        double lag_j = hypot(power->lag_s / sqrt(3), slow * usual_s / 2) * rise_w;
        return sqrt(variance + lag_j * lag_j + hidden);
    }
    double chance = 0.5 + 0.5 * fmin(1, held * usual_s / even_s);
    double variance = held * held * chance * (t.squares + 12 * short_loads * cancels) / 12;
    double lag_s = lag_of(&t, power, held * usual_s), unseen = unseen_by(&t, lag_s, held * usual_s);
    double per_s = steps_per_s(&t, lag_s), lag = lag_variance(lag_s, late_by(power, usual_s), rise_w, per_s);
    double refresh = chance * refresh_variance(&t, per_s, usual_s, held);
    return sqrt(rarely(usual_s) * unseen * (variance + hidden) + lag + refresh);
}
