/* A meter and how it takes a reading: integrate the interval before it, then count it; and how it tells the paces of
 * the log. meter_batch.c takes blocks of readings, with the same result to the last bit. */
#include "analyze/measure/meter.h"

#include "analyze/measure/meter_internal.h"
#include "core/arena.h"
#include "core/avx2.h"
#include "core/time_steps.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void ws_meter_init(ws_meter *meter, const ws_channel *channel, ws_rule rule, const ws_meter_options *options)
{
    *meter =
        (ws_meter){.rule = rule,
                   .time = channel->time,
                   .domain = channel->domain,
                   .counter_range_j = channel->counter_range_j,
                   .are_windows = channel->are_windows,
                   .counter_from_zero = channel->counter_from_zero && rule == WS_RULE_COUNTER && !options->continues,
                   .options = *options,
                   .refused_from_ns = INT64_MAX,
                   .refused_until_ns = INT64_MIN,
                   .min = INFINITY,
                   .max = -INFINITY};
    bool is_relative = channel->time == WS_TIME_RELATIVE;
    meter->window_misfits =
        options->has_window && (channel->time == WS_TIME_NONE || is_relative != options->window_is_relative);
    if (meter->window_misfits)
        meter->options.has_window = false;
}

void ws_meter_release(ws_meter *meter)
{
    if (meter->head)
        ws_meter_release(meter->head);
    free(meter->head);
    free(meter->buckets);
    free(meter->falls);
    free(meter->rising);
    free(meter->still.ended);
    free(meter->pace.buckets);
}

void ws_meter_free(ws_meter *meter)
{
    ws_meter_release(meter);
    *meter = (ws_meter){0};
}

/* One that saw nothing. */
static ws_meter new_like(const ws_meter *m)
{
    return (ws_meter){.rule = m->rule,
                      .time = m->time,
                      .domain = m->domain,
                      .counter_range_j = m->counter_range_j,
                      .are_windows = m->are_windows,
                      .options = m->options,
                      .refused_from_ns = INT64_MAX,
                      .refused_until_ns = INT64_MIN,
                      .min = INFINITY,
                      .max = -INFINITY};
}

void ws_meter_clear(ws_meter *m)
{
    ws_meter new = new_like(m);
    new.window_misfits = m->window_misfits;
    new.buckets = m->buckets;
    new.bucket_capacity = m->bucket_capacity;
    m->buckets = NULL;
    ws_meter_free(m);
    *m = new;
}

ws_meter *ws_meter_head(ws_meter *m)
{
    if (!m->head) {
        m->head = ws_alloc(sizeof *m->head);
        *m->head = new_like(m);
        m->head->options.continues = false;
        m->head->is_head = true;
    }
    return m->head;
}

void ws_meter_set_usual(ws_meter *m, const ws_meter *whole, double usual_s)
{
    m->usual_s = usual_s;
    m->usual_quarter_octave = ws_meter_median_bucket(whole);
    ws_pace_free(&m->pace);
    ws_pace_merge(&m->pace, &whole->pace);
}

int64_t ws_meter_start_ns(const ws_meter *m)
{
    return m->head && m->head->has_last ? m->head->first_t : m->first_t;
}

void ws_meter_add_rising(ws_meter *m, int64_t end_ns)
{
    if (m->n_rising == WS_RISING_KEPT)
        return;
    m->rising = ws_grow(m->rising, &m->rising_capacity, m->n_rising + 1, sizeof *m->rising);
    m->rising[m->n_rising++] = (ws_rising){m->rising_start, end_ns};
}

/* --- readings --- */

/* Adds the trapezoid of dt ns between two readings to a bucket; a negative dt subtracts it. */
static ws_interval_bucket *add_trapezoid(ws_meter *m, int quarter_octave, double v0, double v1, int64_t dt)
{
    ws_interval_bucket *bucket = ws_meter_bucket(m, quarter_octave);
    bucket->total_ns = ws_ns_plus(bucket->total_ns, dt);
    ws_total_add_times(&bucket->integral, v0, dt);
    ws_total_add_times(&bucket->integral, v1, dt);
    if (ws_rule_holds_energies(m->rule))
        return bucket; /* which have no spread */
    ws_total_add_square_times(&bucket->squares, v0, dt);
    ws_total_add_square_times(&bucket->squares, v1, dt);
    return bucket;
}

static void add_interval(ws_meter *m, int64_t t0, double v0, int64_t t1, double v1)
{
    int64_t length = ws_ns_minus(t1, t0);
    if (!ws_meter_clip(&m->options, &t0, &v0, &t1, &v1))
        return;
    if (length > m->longest_ns)
        m->longest_ns = length;
    int64_t dt = ws_ns_minus(t1, t0);
    add_trapezoid(m, ws_quarter_octave(dt), v0, v1, dt)->count++;
}

/* The clock was set back a little, or two rows changed places: the time between the stamps was counted already and is
 * subtracted again. It goes to the bucket of the shortest intervals, which are never gaps. */
static void take_back(ws_meter *m, const ws_meter_sample *s)
{
    int64_t t0 = s->t_ns, t1 = m->last_t;
    double v0 = s->value, v1 = m->last_value;
    if (ws_ns_minus(t1, t0) < WS_LONGEST_SET_BACK_NS && ws_meter_clip(&m->options, &t0, &v0, &t1, &v1))
        add_trapezoid(m, 0, v0, v1, ws_ns_minus(t0, t1));
}

/* An energy spread evenly over the interval that ends at t. */
static void add_energy(ws_meter *m, int64_t t, int64_t length_ns, double energy_j)
{
    double mean_w = energy_j / ((double)length_ns / WS_NS_PER_S);
    if (length_ns > 0)
        add_interval(m, ws_ns_minus(t, length_ns), mean_w, t, mean_w);
}

/* A rise of a counter over the interval that ends at t: exact in the integral, too, unless a window cuts it. */
static void add_rise(ws_meter *m, const ws_meter_sample *s, int64_t length_ns, double rise_j)
{
    if (length_ns <= 0)
        return;
    if (!ws_meter_is_inside(m, m->last_t) || !ws_meter_is_inside(m, s->t_ns)) {
        add_energy(m, s->t_ns, length_ns, rise_j);
        return;
    }
    m->longest_ns = length_ns > m->longest_ns ? length_ns : m->longest_ns;
    ws_interval_bucket *bucket = ws_meter_bucket(m, ws_quarter_octave(length_ns));
    bucket->count++;
    bucket->total_ns = ws_ns_plus(bucket->total_ns, length_ns);
    ws_total_add_counter(&bucket->integral, s->value, WS_INTEGRAL_PER_J);
    ws_total_add_counter(&bucket->integral, m->last_value, -WS_INTEGRAL_PER_J);
}

static bool creeps(const ws_meter *m, const ws_meter_sample *s, int64_t length_ns)
{
    double most_j = ws_creep_w(m->domain) * ((double)length_ns / WS_NS_PER_S);
    return s->value > m->last_value && ws_counter_rise(m->last_value, s->value) < most_j;
}

/* The step of a counter from the last reading to this one. The sum is over readings, not over their differences,
 * because a difference of decimals is not exact. */
static void add_step(ws_meter *m, const ws_meter_sample *s, int64_t length_ns)
{
    bool falls = s->value < m->last_value;
    bool does_creep = creeps(m, s, length_ns), is_still = s->value == m->last_value || does_creep;
    int64_t collects_ns = does_creep ? length_ns : ws_meter_collects_ns(m, s->t_ns, length_ns);
    if (!is_still && collects_ns > length_ns)
        ws_meter_see_hidden(m, collects_ns, length_ns);
    if (is_still)
        ws_meter_see_still(m);
    else
        ws_meter_see_move(m, s->t_ns, ws_meter_moved_j(m, s, collects_ns), falls);
    if (falls ? ws_meter_add_decrease(m, s, collects_ns) : ws_meter_add_step_over_wrap(m, s))
        return;
    ws_total_add_counter(&m->steps, s->value, 1);
    if (falls) {
        ws_meter_see(&m->resets, s->line);
        m->reset_ns = ws_ns_plus(m->reset_ns, collects_ns);
        add_energy(m, s->t_ns, length_ns, s->value);
    } else {
        ws_total_add_counter(&m->steps, m->last_value, -1);
        double rise_j = ws_counter_rise(m->last_value, s->value);
        add_rise(m, s, length_ns, rise_j);
        ws_meter_see_rise(m, rise_j, collects_ns);
    }
}

int64_t ws_meter_since_last(ws_meter *m, int64_t t, int64_t line)
{
    if (!m->has_last)
        return 0;
    if (t == m->last_t)
        ws_meter_see(&m->duplicates, line);
    if (t < m->last_t)
        ws_meter_see(&m->back_steps, line);
    if (ws_ns_minus(t, m->last_t) <= -WS_LONGEST_SET_BACK_NS) {
        ws_meter_add_rising(m, m->last_t);
        m->rising_start = t;
    }
    return t > m->last_t ? ws_ns_minus(t, m->last_t) : 0;
}

/* Two rows of a second that stand under one stamp differ in their last digits; whole joules may be the same. */
static const double fine_from_j = 1000;

void ws_meter_see_again(ws_meter *m, const ws_meter_sample *s)
{
    bool is_fine = s->value >= fine_from_j || (s->value > 0 && s->value != rint(s->value));
    bool is_again = m->has_last && s->t_ns == m->last_t && s->value == m->last_value;
    if (!is_again || m->rule == WS_RULE_COUNTER || (m->rule == WS_RULE_INTERVAL && !is_fine) ||
        !ws_meter_is_inside(m, s->t_ns))
        return;
    ws_meter_see(&m->again, s->line);
    if (m->rule == WS_RULE_INTERVAL)
        ws_total_add_times(&m->again_j, s->value, 1);
}

void ws_meter_integrate(ws_meter *m, const ws_meter_sample *s)
{
    ws_meter_see_again(m, s);
    int64_t since = ws_meter_since_last(m, s->t_ns, s->line);
    int64_t length = s->has_interval ? s->interval_ns : since;
    switch (m->rule) {
    case WS_RULE_COUNTER:
        if (m->has_last)
            add_step(m, s, since);
        break;
    case WS_RULE_INTERVAL:
    case WS_RULE_GIVEN:
        m->first_interval_unknown |= !m->has_last && !s->has_interval;
        add_energy(m, s->t_ns, length, s->value);
        break;
    case WS_RULE_RECTANGLE:
        if (length > 0)
            add_interval(m, ws_ns_minus(s->t_ns, length), s->value, s->t_ns, s->value);
        break;
    default:
        if (since > 0)
            add_interval(m, m->last_t, m->last_value, s->t_ns, s->value);
        else if (m->has_last && s->t_ns < m->last_t)
            take_back(m, s);
    }
    if (!m->has_last) {
        m->rising_start = s->t_ns;
        m->still.from_ns = m->rule == WS_RULE_COUNTER ? s->t_ns : 0;
        m->first_t = ws_rule_looks_back(m->rule) && s->has_interval ? ws_ns_minus(s->t_ns, s->interval_ns) : s->t_ns;
    }
    m->last_t = s->t_ns;
}

/* A counter that stood at 0 when the interval of its first sample began: a first reading that no row states. */
static void begin_at_zero(ws_meter *m, const ws_meter_sample *s)
{
    m->counter_from_zero = s->has_interval && s->interval_ns > 0 && ws_is_reading(s->value);
    if (!m->counter_from_zero)
        return;
    m->first_t = m->last_t = m->rising_start = ws_ns_minus(s->t_ns, s->interval_ns);
    m->first_value = m->last_value = 0;
    m->has_last = true;
}

static void count_value(ws_meter *m, const ws_meter_sample *s)
{
    if (m->time != WS_TIME_NONE && !ws_meter_is_inside(m, s->t_ns))
        return;
    m->samples++;
    if (s->value < 0)
        ws_meter_see(&m->negatives, s->line);
    if (s->value == 0)
        ws_meter_see(&m->zeros, s->line);
    if (s->value < m->min)
        m->min = s->value;
    if (s->value > m->max)
        m->max = s->value;
    if (m->rule == WS_RULE_COUNTER)
        return; /* nobody asks for the sum of its readings */
    ws_total_add_times(&m->total, s->value, 1);
    ws_total_add_square_times(&m->squares, s->value, 1);
}

/* A leading zero of a counter: a reading or a failed read (ws_meter.head). */
static bool is_undecided_zero(const ws_meter *m, double value)
{
    return value == 0 && m->rule == WS_RULE_COUNTER && !m->has_last && !m->is_head && !m->counter_from_zero;
}

void ws_meter_see_behind_zero(ws_meter *m, const ws_meter_sample *s)
{
    bool is_behind = m->rule == WS_RULE_INTERVAL && m->has_last && m->last_value == 0 && s->value > 0;
    if (!is_behind || !ws_meter_is_inside(m, s->t_ns))
        return;
    bool is_first = !m->behind_zero.n++;
    ws_total_add_times(&m->behind_zero.j, s->value, 1);
    m->behind_zero.least_j = is_first ? s->value : fmin(m->behind_zero.least_j, s->value);
    m->behind_zero.most_j = is_first ? s->value : fmax(m->behind_zero.most_j, s->value);
}

void ws_meter_push_one(ws_meter *m, const ws_block *block, size_t i)
{
    ws_meter_sample s = {.value = ws_as_stated(block->value[i]),
                         .t_ns = block->t_ns ? block->t_ns[i] : 0,
                         .line = block->line ? block->line[i] : 0,
                         .has_interval = block->interval_ns != NULL,
                         .interval_ns = block->interval_ns ? block->interval_ns[i] : 0};
    if (is_undecided_zero(m, s.value)) {
        ws_meter_see(&m->head_zeros, s.line);
        ws_meter_push_one(ws_meter_head(m), block, i);
        return;
    }
    if (m->counter_from_zero && !m->has_last)
        begin_at_zero(m, &s);
    bool failed_read = m->rule == WS_RULE_COUNTER && s.value == 0 && m->has_last && m->last_value > 0;
    if (!ws_is_reading(s.value) || failed_read) {
        if (failed_read)
            ws_meter_see(&m->zero_reads, s.line);
        else
            ws_meter_see_refused(m, s.t_ns, s.line);
        m->missing += ws_meter_is_inside(m, s.t_ns);
        return;
    }
    count_value(m, &s);
    ws_meter_see_behind_zero(m, &s);
    if (block->t_ns)
        ws_meter_integrate(m, &s);
    if (!m->has_last) {
        m->first_value = s.value;
        m->first = s;
    }
    m->last_value = s.value;
    m->has_last = true;
}

/* --- the paces of the log --- */

/* So many steps make a pace. Ours. */
static const uint64_t least_steps = 3;

/* Two steps are of one pace where neither is more than 1.5 times as long as the other: loggers jitter. Ours. Longer
 * ones than INT64_MAX / 4 are of none. */
static inline bool are_of_pace(int64_t least_ns, int64_t most_ns)
{
    return least_ns > 0 && most_ns < INT64_MAX / 4 && 2 * most_ns <= 3 * least_ns;
}

static inline bool is_of_pace(int64_t a_ns, int64_t b_ns)
{
    return a_ns < b_ns ? are_of_pace(a_ns, b_ns) : are_of_pace(b_ns, a_ns);
}

void ws_pace_free(ws_pace *pace)
{
    free(pace->buckets);
    *pace = (ws_pace){0};
}

static void add_time(ws_pace *pace, int quarter_octave, int64_t ns)
{
    size_t i = 0;
    while (i < pace->n_buckets && pace->buckets[i].quarter_octave < quarter_octave)
        i++;
    if (i == pace->n_buckets || pace->buckets[i].quarter_octave != quarter_octave) {
        pace->buckets = ws_grow(pace->buckets, &pace->capacity, pace->n_buckets + 1, sizeof *pace->buckets);
        for (size_t k = pace->n_buckets++; k > i; k--)
            pace->buckets[k] = pace->buckets[k - 1];
        pace->buckets[i] = (ws_pace_bucket){.quarter_octave = quarter_octave};
    }
    pace->buckets[i].ns = ws_ns_plus(pace->buckets[i].ns, ns);
}

static bool is_pace(const ws_pace_run *run)
{
    return run->n >= least_steps && run->first_ns > 0;
}

static void count(ws_pace *pace, const ws_pace_run *run)
{
    if (is_pace(run))
        add_time(pace, ws_quarter_octave(run->first_ns), ws_ns_minus(run->to_ns, run->from_ns));
}

static ws_pace_run *open_run(ws_pace *pace)
{
    return pace->last.n ? &pace->last : &pace->first;
}

/* Behind all others, and not of the pace of the open one. */
static void begin_run(ws_pace *pace, const ws_pace_run *run)
{
    ws_pace_run *open = open_run(pace);
    if (open == &pace->last)
        count(pace, open);
    *(open->n ? &pace->last : open) = *run;
}

static void add_run(ws_pace *pace, const ws_pace_run *run)
{
    ws_pace_run *open = open_run(pace);
    if (!open->n || !is_of_pace(open->last_ns, run->first_ns)) {
        begin_run(pace, run);
        return;
    }
    open->to_ns = run->to_ns;
    open->last_ns = run->last_ns;
    open->n += run->n;
}

static void add_pace_step(ws_pace *pace, int64_t t_ns)
{
    int64_t step_ns = ws_ns_minus(t_ns, pace->last_t);
    ws_pace_run *open = open_run(pace);
    if (open->n && is_of_pace(open->last_ns, step_ns)) {
        open->to_ns = t_ns;
        open->last_ns = step_ns;
        open->n++;
        return;
    }
    const ws_pace_run run = {pace->last_t, t_ns, step_ns, step_ns, 1};
    begin_run(pace, &run);
}

static void add_reading(ws_pace *pace, int64_t t_ns)
{
    if (pace->has_any)
        add_pace_step(pace, t_ns);
    else
        pace->first_t = t_ns;
    pace->has_any = true;
    pace->last_t = t_ns;
}

/* The shortest and the longest step; one back, or longer than int64_t holds, is below 0. */
typedef struct range_of_steps {
    int64_t least_ns, most_ns;
} range_of_steps;

static void add_steps(range_of_steps *range, const int64_t *t_ns, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        int64_t step = (int64_t)((uint64_t)t_ns[i] - (uint64_t)t_ns[i - 1]);
        range->least_ns = step < range->least_ns ? step : range->least_ns;
        range->most_ns = step > range->most_ns ? step : range->most_ns;
    }
}

#if defined __x86_64__
WS_AVX2 static inline __m256i chosen(__m256i a, __m256i b, __m256i takes_b)
{
    return _mm256_blendv_epi8(a, b, takes_b);
}

/* Four at a time and without a branch, since every power of every trace passes here. */
WS_AVX2 static void add_steps_avx2(range_of_steps *range, const int64_t *t_ns, size_t n)
{
    __m256i least = _mm256_set1_epi64x(range->least_ns), most = _mm256_set1_epi64x(range->most_ns);
    int64_t leasts[4], mosts[4];
    size_t i = 1;
    for (; i + 4 <= n; i += 4) {
        __m256i step = _mm256_sub_epi64(_mm256_loadu_si256((const __m256i *)(t_ns + i)),
                                        _mm256_loadu_si256((const __m256i *)(t_ns + i - 1)));
        least = chosen(least, step, _mm256_cmpgt_epi64(least, step));
        most = chosen(most, step, _mm256_cmpgt_epi64(step, most));
    }
    _mm256_storeu_si256((__m256i *)leasts, least);
    _mm256_storeu_si256((__m256i *)mosts, most);
    for (int k = 0; k < 4; k++) {
        range->least_ns = leasts[k] < range->least_ns ? leasts[k] : range->least_ns;
        range->most_ns = mosts[k] > range->most_ns ? mosts[k] : range->most_ns;
    }
    add_steps(range, t_ns + i - 1, n - i + 1);
}
#else
#define add_steps_avx2 add_steps
#endif

static range_of_steps steps_of(const int64_t *t_ns, size_t n)
{
    range_of_steps range = {INT64_MAX, -INT64_MAX};
    (ws_has_avx2() ? add_steps_avx2 : add_steps)(&range, t_ns, n);
    return range;
}

/* Nearly all readings go on at the pace of those before. Where no step is more than 1.5 times as long as another, none
 * is as long beside its neighbour. */
static bool goes_on(ws_pace *pace, const int64_t *t_ns, size_t n)
{
    ws_pace_run *open = open_run(pace);
    if (n < 2 || !open->n)
        return false;
    range_of_steps steps = steps_of(t_ns, n);
    int64_t first_ns = ws_ns_minus(t_ns[0], pace->last_t);
    if (!are_of_pace(steps.least_ns, steps.most_ns) || !is_of_pace(open->last_ns, first_ns) ||
        !is_of_pace(first_ns, t_ns[1] - t_ns[0]))
        return false;
    open->n += n;
    open->last_ns = t_ns[n - 1] - t_ns[n - 2];
    open->to_ns = pace->last_t = t_ns[n - 1];
    return true;
}

/* Rows without a reading are steps of the log, too. */
void ws_pace_push(ws_pace *pace, const ws_block *b)
{
    enum { PIECE = 32 };
    if (!b->t_ns || !b->n || goes_on(pace, b->t_ns, b->n))
        return;
    for (size_t from = 0, n; from < b->n; from += n) {
        n = b->n - from < PIECE ? b->n - from : PIECE;
        if (goes_on(pace, b->t_ns + from, n))
            continue;
        for (size_t i = from; i < from + n; i++)
            add_reading(pace, b->t_ns[i]);
    }
}

void ws_pace_merge(ws_pace *into, const ws_pace *next)
{
    if (!next->has_any)
        return;
    add_reading(into, next->first_t);
    into->last_t = next->last_t;
    if (next->first.n)
        add_run(into, &next->first);
    for (size_t i = 0; i < next->n_buckets; i++)
        add_time(into, next->buckets[i].quarter_octave, next->buckets[i].ns);
    if (next->last.n)
        begin_run(into, &next->last);
}

int64_t ws_pace_ns(const ws_pace *pace, int quarter_octave)
{
    const ws_pace_run *const ends[] = {&pace->first, &pace->last};
    int64_t ns = 0;
    for (size_t i = 0; i < pace->n_buckets; i++)
        if (abs(pace->buckets[i].quarter_octave - quarter_octave) <= 1)
            ns = ws_ns_plus(ns, pace->buckets[i].ns);
    for (size_t i = 0; i < 2; i++)
        if (is_pace(ends[i]) && abs(ws_quarter_octave(ends[i]->first_ns) - quarter_octave) <= 1)
            ns = ws_ns_plus(ns, ws_ns_minus(ends[i]->to_ns, ends[i]->from_ns));
    return ns;
}
