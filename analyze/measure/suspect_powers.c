#include "analyze/measure/suspect_powers.h"

#include "analyze/measure/meter_internal.h"
#include "core/arena.h"
#include "core/avx2.h"
#include "core/device_limits.h"
#include "core/time_steps.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- the range of a block --- */

static void add_all_to_range(ws_value_range *range, const double *value, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        range->lacks_some |= isnan(value[i]);
        range->least = value[i] < range->least ? value[i] : range->least;
        range->most = value[i] > range->most ? value[i] : range->most;
    }
}

#if defined __x86_64__
/* Four at a time and without a branch, since all powers and utilisations pass here. Of a missing one and another, the
 * minimum and the maximum are the other: the second operand. */
WS_AVX2 static void add_fours_to_range(ws_value_range *range, const double *value, size_t n)
{
    __m256d least = _mm256_set1_pd(INFINITY), most = _mm256_set1_pd(-INFINITY), missing = _mm256_setzero_pd();
    size_t i = 0;
    for (; i + 4 <= n; i += 4) {
        __m256d x = _mm256_loadu_pd(value + i);
        least = _mm256_min_pd(x, least);
        most = _mm256_max_pd(x, most);
        missing = _mm256_or_pd(missing, _mm256_cmp_pd(x, x, _CMP_UNORD_Q));
    }
    for (int k = 0; k < 4; k++) {
        range->least = least[k] < range->least ? least[k] : range->least;
        range->most = most[k] > range->most ? most[k] : range->most;
    }
    range->lacks_some |= _mm256_movemask_pd(missing) != 0;
    add_all_to_range(range, value + i, n - i);
}
#else
#define add_fours_to_range add_all_to_range
#endif

ws_value_range ws_value_range_of(const ws_block *b)
{
    ws_value_range range = {.least = INFINITY, .most = -INFINITY};
    (ws_has_avx2() ? add_fours_to_range : add_all_to_range)(&range, b->value, b->n);
    return range;
}

/* --- readings that no device can have --- */

/* Readings beyond what nearly all devices of a domain draw are odd where they stand out from the mean of the others by
 * this factor, and are one, or one in so many: what draws as much does so for longer. And where their own mean is so
 * many times that of the others: a unit that slips by a thousand. Ours. */
static const double stands_out = 10, is_one_in = 100, slips_by = 200;

void ws_limits_init(ws_limits *limits, const ws_channel *channel)
{
    *limits = (ws_limits){.quantity = channel->quantity,
                          .domain = channel->domain,
                          .least_w = INFINITY,
                          .tiny_least_w = INFINITY,
                          .watts_least_w = INFINITY,
                          .lows.next_w = INFINITY,
                          .window_start_ns = INT64_MIN,
                          .window_end_ns = INT64_MAX};
    bool is_meter = channel->domain == WS_WALL || channel->domain == WS_OTHER; /* whose counters count anything */
    bool has_limits = is_meter
                          ? channel->quantity == WS_POWER
                          : ws_quantity_gives_energy(channel->quantity) && ws_limits_of_domain[channel->domain].what;
    const ws_reading_limits *of = &ws_limits_of_domain[channel->domain];
    limits->rare_w = has_limits ? of->rare_w : INFINITY;
    limits->odd_w = has_limits ? of->odd_w : INFINITY;
    limits->impossible_w = has_limits ? of->impossible_w : INFINITY;
}

void ws_limits_free(ws_limits *limits)
{
    free(limits->values);
    *limits = (ws_limits){.quantity = WS_POWER};
}

bool ws_limits_stand_alone(const ws_limits *l)
{
    return l->quantity == WS_POWER || l->rare_w == INFINITY;
}

void ws_limits_clear(ws_limits *l)
{
    *l = (ws_limits){.least_w = INFINITY,
                     .tiny_least_w = INFINITY,
                     .watts_least_w = INFINITY,
                     .lows.next_w = INFINITY,
                     .rare_w = l->rare_w,
                     .odd_w = l->odd_w,
                     .impossible_w = l->impossible_w,
                     .quantity = l->quantity,
                     .domain = l->domain,
                     .window_start_ns = l->window_start_ns,
                     .window_end_ns = l->window_end_ns,
                     .values = l->values,
                     .capacity = l->capacity};
}

/* The power that reading i means; NaN where nothing says. *adds gets what the reading adds to its sum. */
static double power_of(const ws_limits *l, const ws_block *b, size_t i, double *adds)
{
    *adds = b->value[i];
    if (l->quantity == WS_POWER)
        return b->value[i];
    int64_t since_ns = l->has_last && b->t_ns ? ws_ns_minus(b->t_ns[i], l->last_t) : 0;
    bool is_counter = l->quantity == WS_ENERGY_COUNTER;
    int64_t length_ns = !is_counter && b->interval_ns ? b->interval_ns[i] : since_ns;
    double energy_j = *adds = is_counter ? b->value[i] - l->last_value : b->value[i];
    return length_ns > 0 && (l->has_last || !is_counter) ? energy_j / ((double)length_ns / WS_NS_PER_S) : NAN;
}

static bool is_inside(const ws_limits *l, const ws_block *b, size_t i)
{
    return !b->t_ns || (b->t_ns[i] >= l->window_start_ns && b->t_ns[i] <= l->window_end_ns);
}

static void count_low(ws_lows *lows, bool is_low, double power_w, int64_t line)
{
    if (is_low) {
        lows->stretches += !lows->last_is;
        lows->most_w = fmax(lows->most_w, power_w);
        ws_meter_see(&lows->seen, line);
    } else {
        lows->next_w = fmin(lows->next_w, power_w);
    }
    lows->first_is = lows->has_any ? lows->first_is : is_low;
    lows->last_is = is_low;
    lows->has_any = true;
}

static void merge_lows(ws_lows *into, const ws_lows *next, int64_t lines)
{
    bool goes_on = into->last_is && next->first_is;
    if (!next->has_any)
        return;
    into->stretches += next->stretches - goes_on;
    ws_seen_add(&into->seen, &next->seen, lines);
    into->most_w = fmax(into->most_w, next->most_w);
    into->next_w = fmin(into->next_w, next->next_w);
    into->first_is = into->has_any ? into->first_is : next->first_is;
    into->last_is = next->last_is; /* which has some */
    into->has_any = true;
}

double ws_most_of_kilowatts(ws_domain domain)
{
    return domain == WS_NODE ? WS_NODE_KILOWATTS : domain == WS_GPU ? WS_GPU_KILOWATTS : 1;
}

/* Powers that may be kW, low ones and the least of the others: of most devices there are none, and `least`, that of the
 * block, says it all. */
static void count_tiny(ws_limits *l, const ws_block *b, double least)
{
    bool is_whole = l->window_start_ns == INT64_MIN && l->window_end_ns == INT64_MAX;
    double most_w = ws_most_of_kilowatts(l->domain);
    if (is_whole && least >= fmax(WS_LOW_W, most_w)) {
        l->watts_least_w = fmin(l->watts_least_w, least);
        if (isfinite(least))
            count_low(&l->lows, false, least, 0);
        return;
    }
    for (size_t i = 0; i < b->n; i++) {
        double power_w = b->value[i];
        if (!(power_w > 0) || !is_inside(l, b, i))
            continue;
        count_low(&l->lows, power_w < WS_LOW_W, power_w, b->line ? b->line[i] : 0);
        if (power_w >= most_w) {
            l->watts_least_w = fmin(l->watts_least_w, power_w);
            continue;
        }
        ws_meter_see(&l->tiny, b->line ? b->line[i] : 0);
        ws_total_add_times(&l->tiny_sum, power_w, 1);
        l->tiny_least_w = fmin(l->tiny_least_w, power_w);
        l->tiny_most_w = fmax(l->tiny_most_w, power_w);
    }
}

static double least_above_zero(const ws_block *b, const ws_value_range *range)
{
    double least = INFINITY;
    if (range->least > 0)
        return range->least;
    for (size_t i = 0; i < b->n; i++)
        least = b->value[i] > 0 && b->value[i] < least ? b->value[i] : least;
    return least;
}

static bool may_be_odd(ws_limits *l, const ws_block *b, const ws_value_range *range)
{
    if (l->quantity != WS_POWER)
        return true;
    double least = least_above_zero(b, range);
    l->least_w = fmin(l->least_w, least);
    count_tiny(l, b, least);
    return range->most > l->rare_w;
}

/* A zero of a counter is mostly a failed read, and no reading to count from. */
static void remember(ws_limits *l, const ws_block *b, size_t i)
{
    bool is_no_reading = isnan(b->value[i]) || (l->quantity == WS_ENERGY_COUNTER && b->value[i] == 0);
    if (is_no_reading || !b->t_ns)
        return;
    bool stands_still =
        l->quantity == WS_ENERGY_COUNTER && l->has_last && b->value[i] == l->last_value && b->t_ns[i] >= l->last_t;
    l->last_t = stands_still ? l->last_t : b->t_ns[i]; /* a counter may show old readings and catch up */
    l->has_last = true;
    l->last_value = b->value[i];
}

/* Works in a copy, made for the first such reading of a block. */
static void leave_out(ws_limits *l, const ws_block *block, ws_block *checked, size_t i)
{
    if (checked->value == block->value) {
        l->values = ws_grow(l->values, &l->capacity, block->n, sizeof *l->values);
        memcpy(l->values, block->value, block->n * sizeof *l->values);
        checked->value = l->values;
    }
    l->values[i] = NAN;
}

/* The rises of a counter from one reading to the next are all possible: what is left is to remember the last. The first
 * one was remembered. */
static void pass_through(ws_limits *l, const ws_block *b)
{
    size_t last = b->n - 1, rise = last;
    while (rise > 0 && b->value[rise] == b->value[rise - 1])
        rise--;
    l->last_t = rise > 0 ? b->t_ns[rise] : l->last_t;
    l->last_value = b->value[last];
}

static bool is_slow_counter(const ws_limits *l, const ws_block *b)
{
    double adds;
    return l->quantity == WS_ENERGY_COUNTER && ws_block_rises_slowly(b, l->rare_w) &&
           !(power_of(l, b, 0, &adds) > l->rare_w);
}

static void see_high(ws_high *high, double power_w, double adds, int64_t line)
{
    ws_meter_see(&high->seen, line);
    ws_total_add_times(&high->sum, adds, 1);
    high->most_w = power_w > high->most_w ? power_w : high->most_w;
}

static void merge_high(ws_high *into, const ws_high *next, int64_t lines)
{
    ws_seen_add(&into->seen, &next->seen, lines);
    ws_total_merge(&into->sum, &next->sum);
    into->most_w = next->most_w > into->most_w ? next->most_w : into->most_w;
}

ws_block ws_limits_check(ws_limits *l, const ws_block *block, ws_value_range *range)
{
    ws_block checked = *block;
    if (l->rare_w == INFINITY)
        return checked;
    if (!may_be_odd(l, block, range))
        return checked;
    if (is_slow_counter(l, block)) {
        remember(l, block, 0);
        pass_through(l, block);
        return checked;
    }
    for (size_t i = 0; i < block->n; i++) {
        double adds, power_w = power_of(l, block, i, &adds);
        int64_t line = block->line ? block->line[i] : 0;
        if (power_w > l->impossible_w) {
            leave_out(l, block, &checked, i);
            ws_meter_see(&l->impossible, line);
            continue;
        }
        if (power_w > l->rare_w)
            see_high(power_w > l->odd_w ? &l->odd : &l->rare, power_w, adds, line);
        remember(l, block, i);
    }
    if (range && checked.value != block->value)
        *range = ws_value_range_of(&checked);
    return checked;
}

void ws_limits_merge(ws_limits *into, const ws_limits *next, int64_t lines)
{
    merge_high(&into->odd, &next->odd, lines);
    merge_high(&into->rare, &next->rare, lines);
    ws_seen_add(&into->tiny, &next->tiny, lines);
    ws_total_merge(&into->tiny_sum, &next->tiny_sum);
    into->tiny_least_w = fmin(into->tiny_least_w, next->tiny_least_w);
    into->tiny_most_w = fmax(into->tiny_most_w, next->tiny_most_w);
    into->watts_least_w = fmin(into->watts_least_w, next->watts_least_w);
    merge_lows(&into->lows, &next->lows, lines);
    ws_seen_add(&into->impossible, &next->impossible, lines);
    if (next->has_last) {
        into->has_last = true;
        into->last_t = next->last_t;
        into->last_value = next->last_value;
    }
    into->least_w = fmin(into->least_w, next->least_w);
}

void ws_limits_settle(ws_limits *l, double energy_j, double duration_s, uint64_t samples)
{
    bool rare_is_first = l->rare.seen.count && !(l->odd.seen.count && l->odd.seen.line < l->rare.seen.line);
    ws_high high = rare_is_first ? l->rare : l->odd;
    merge_high(&high, rare_is_first ? &l->odd : &l->rare, 0);
    l->rare = (ws_high){0};
    double high_j = ws_total_value(&high.sum, WS_PARTS), share = (double)high.seen.count / (double)samples;
    double others_w = (energy_j - high_j) / (duration_s * (1 - share)), high_w = high_j / (duration_s * share);
    bool is_rare = high.seen.count <= 1 || share * is_one_in <= 1;
    if (others_w > 0 && ((is_rare && high.most_w > stands_out * others_w) || high_w > slips_by * others_w))
        l->odd = high;
}

void ws_limits_notes(const ws_limits *l, const char *source, const char *subject, ws_notes *notes)
{
    bool is_power = l->quantity == WS_POWER;
    ws_notes_add_many(notes, l->odd.seen.count, is_power ? WS_FINDING_IMPLAUSIBLE_POWER : WS_FINDING_IMPLAUSIBLE_ENERGY,
                      source, subject, l->odd.seen.line,
                      is_power
                          ? "up to %.6g W for a %s, kept as data: check the unit (mW written as W?) or the sensor"
                          : "an energy that means up to %.6g W for a %s, kept as data: check the unit or the sensor",
                      l->odd.most_w, ws_limits_of_domain[l->domain].what);
    ws_notes_add_many(notes, l->impossible.count, WS_FINDING_IMPOSSIBLE_POWER, source, subject, l->impossible.line,
                      "a reading above %g W, which no %s draws, is left out as missing: a number that stands for no "
                      "reading, or another unit or domain (--columns unit=, domain=)",
                      l->impossible_w, ws_limits_of_domain[l->domain].what);
}

/* --- stretches of 0 W, or without use --- */

void ws_quiet_init(ws_quiet *q)
{
    *q = (ws_quiet)WS_QUIET_EMPTY;
}

static void add_quiet(ws_quiet *q, const ws_quiet_stretch *stretch)
{
    if (q->n < WS_QUIET_KEPT)
        q->kept[q->n++] = *stretch;
    else
        q->has_more = true;
}

/* Goes on with the last stretch, unless that was not kept. */
static void extend_quiet(ws_quiet *q, const ws_quiet_stretch *stretch)
{
    if (q->has_more)
        return;
    q->kept[q->n - 1].to_ns = stretch->to_ns;
    q->kept[q->n - 1].n += stretch->n;
}

static void add_state(ws_quiet *q, bool is_quiet)
{
    q->first_is = q->has_any ? q->first_is : is_quiet;
    q->last_is = is_quiet;
    q->has_any = true;
}

static void add_quiet_run(ws_quiet *q, const ws_quiet_stretch *run)
{
    if (q->last_is)
        extend_quiet(q, run);
    else
        add_quiet(q, run);
    add_state(q, true);
}

static void add_quiet_reading(ws_quiet *q, int64_t t_ns, bool is_quiet)
{
    if (t_ns < q->window_start_ns || t_ns > q->window_end_ns)
        return;
    if (is_quiet)
        add_quiet_run(q, &(ws_quiet_stretch){t_ns, t_ns, 1});
    else
        add_state(q, false);
}

/* All readings of nearly all blocks are quiet, or none is. */
static void push_quiet(ws_quiet *q, const ws_block *b, const ws_value_range *range, double below)
{
    bool is_whole = q->window_start_ns == INT64_MIN && q->window_end_ns == INT64_MAX && b->n && !range->lacks_some;
    if (!b->t_ns)
        return;
    if (is_whole && range->least >= below) {
        add_state(q, false); /* of the last of them */
    } else if (is_whole && range->most < below && range->least > -below) {
        add_quiet_run(q, &(ws_quiet_stretch){b->t_ns[0], b->t_ns[b->n - 1], b->n});
    } else {
        for (size_t i = 0; i < b->n; i++)
            if (!isnan(b->value[i]))
                add_quiet_reading(q, b->t_ns[i], fabs(b->value[i]) < below);
    }
}

void ws_quiet_push_powers(ws_quiet *q, const ws_block *b, const ws_value_range *range)
{
    static const double least_w = 0x1p-1022; /* no other power is below it */
    push_quiet(q, b, range, least_w);
}

void ws_quiet_push_use(ws_quiet *q, const ws_block *b, const ws_value_range *range)
{
    push_quiet(q, b, range, WS_UNUSED_SHARE);
}

void ws_quiet_merge(ws_quiet *into, const ws_quiet *next)
{
    if (!next->has_any)
        return;
    size_t from = into->last_is && next->first_is;
    if (from)
        extend_quiet(into, &next->kept[0]);
    for (size_t i = from; i < next->n; i++)
        add_quiet(into, &next->kept[i]);
    into->has_more |= next->has_more;
    into->first_is = into->has_any ? into->first_is : next->first_is;
    into->last_is = next->last_is;
    into->has_any = true;
}

/* The first stretch without use that ends at or behind the time. */
static const ws_quiet_stretch *quiet_at(const ws_quiet *use, int64_t t_ns)
{
    for (size_t i = 0; i < use->n; i++)
        if (use->kept[i].to_ns >= t_ns)
            return &use->kept[i];
    return NULL;
}

double ws_quiet_share_in_use(const ws_quiet *powers, const ws_quiet *use, int64_t slack_ns)
{
    uint64_t known = 0, unused = 0;
    for (size_t i = 0; i < powers->n; i++) {
        const ws_quiet_stretch *off = &powers->kept[i];
        const ws_quiet_stretch *rest = quiet_at(use, ws_ns_minus(off->to_ns, slack_ns));
        if (!rest && use->has_more)
            break;
        known += off->n;
        unused += rest && rest->from_ns <= ws_ns_plus(off->from_ns, slack_ns) ? off->n : 0;
    }
    return known ? 1 - (double)unused / (double)known : 1;
}

/* --- time in which a device is not in use --- */

void ws_unused_init(ws_unused_time *u)
{
    *u = (ws_unused_time)WS_UNUSED_EMPTY;
}

static void add_unused(ws_unused_time *u, int64_t from, double before, int64_t to, double behind)
{
    int64_t start = from > u->window_start_ns ? from : u->window_start_ns, ns;
    int64_t end = to < u->window_end_ns ? to : u->window_end_ns;
    bool is_unused = before < WS_UNUSED_SHARE && behind < WS_UNUSED_SHARE && start < end;
    if (is_unused && !__builtin_sub_overflow(end, start, &ns))
        u->ns = ws_ns_plus(u->ns, ns);
}

static void add_use(ws_unused_time *u, int64_t t_ns, double share)
{
    if (isnan(u->first)) {
        u->first = share;
        u->first_ns = t_ns;
    }
    add_unused(u, u->last_ns, u->last, t_ns, share);
    u->last = share;
    u->last_ns = t_ns;
}

void ws_unused_push(ws_unused_time *u, const ws_block *b, const ws_value_range *range)
{
    bool in_use = b->n && !range->lacks_some && range->least >= WS_UNUSED_SHARE; /* throughout: its ends say it all */
    if (b->t_ns && in_use) {
        add_use(u, b->t_ns[0], b->value[0]);
        add_use(u, b->t_ns[b->n - 1], b->value[b->n - 1]);
        return;
    }
    for (size_t i = 0; b->t_ns && i < b->n; i++)
        if (!isnan(b->value[i]))
            add_use(u, b->t_ns[i], b->value[i]);
}

void ws_unused_merge(ws_unused_time *into, const ws_unused_time *next)
{
    if (isnan(next->first))
        return;
    if (isnan(into->first)) {
        *into = *next;
        return;
    }
    add_unused(into, into->last_ns, into->last, next->first_ns, next->first);
    into->ns = ws_ns_plus(into->ns, next->ns);
    into->last = next->last;
    into->last_ns = next->last_ns;
}

/* --- numbers that stand for no reading --- */

/* A logger or a driver that could not read writes the largest number of its field:
 *
 *     2026/10/14 17:48:20.002, 0, 231.88 W
 *     2026/10/14 17:48:21.002, 0, 655.35 W      16 bits, all set, in hundredths
 *     2026/10/14 17:48:22.002, 0, 233.40 W
 *
 * Such numbers are the same to the last digit, one or two at a time, and lie apart from what the device draws. No real
 * log of the corpus has powers of its device that do all of this. The limits are ours. */

/* The others are at least so many times smaller; at most so many follow each other; at most one reading in so many. */
static const double apart = 1.25, at_a_time = 2, one_in = 5;

void ws_power_top_init(ws_power_top *top)
{
    *top = (ws_power_top)WS_POWER_TOP_EMPTY;
}

/* All readings so far are below what comes. */
static void pass_below(ws_power_top *top)
{
    top->next_w = top->most_w;
    top->seen = (ws_seen){0};
    top->stretches = 0;
    top->first_is = top->last_is = false;
}

static void add_to_top(ws_power_top *top, double power_w, int64_t line)
{
    if (power_w > top->most_w) {
        pass_below(top);
        top->most_w = power_w;
    }
    bool is_most = power_w == top->most_w;
    if (is_most) {
        top->stretches += !top->last_is;
        ws_meter_see(&top->seen, line);
    } else {
        top->next_w = fmax(top->next_w, power_w);
    }
    top->first_is = top->has_any ? top->first_is : is_most;
    top->last_is = is_most;
    top->has_any = true;
}

/* Is the largest power none that stands for no reading, and does the block, whose largest is most_w, leave that so? */
static bool stays_ordinary(const ws_power_top *top, double most_w)
{
    return !ws_power_top_stands_apart(top) && most_w < apart * top->most_w;
}

void ws_power_top_push(ws_power_top *top, const ws_block *b, const ws_value_range *range)
{
    bool is_whole = top->window_start_ns == INT64_MIN && top->window_end_ns == INT64_MAX;
    if (stays_ordinary(top, range->most) && (is_whole || range->most <= top->most_w)) { /* nearly all blocks */
        top->next_w = range->most > top->most_w ? top->most_w : top->next_w;
        top->most_w = fmax(top->most_w, range->most);
        return;
    }
    if (is_whole && b->n && !range->lacks_some && range->most < top->most_w) {
        top->next_w = fmax(top->next_w, range->most);
        top->last_is = false;
        return;
    }
    if (is_whole && range->most > top->most_w) {
        pass_below(top);
        top->most_w = range->most;
    }
    for (size_t i = 0; i < b->n; i++) {
        bool is_inside = !b->t_ns || (b->t_ns[i] >= top->window_start_ns && b->t_ns[i] <= top->window_end_ns);
        if (is_inside && !isnan(b->value[i]))
            add_to_top(top, b->value[i], b->line ? b->line[i] : 0);
        if (is_whole && !ws_power_top_stands_apart(top)) /* nor will it by what follows in the block */
            return;
    }
}

void ws_power_top_merge(ws_power_top *into, const ws_power_top *next, int64_t lines)
{
    bool is_first = !into->has_any;
    if (!next->has_any)
        return;
    if (next->most_w > into->most_w) {
        pass_below(into);
        into->most_w = next->most_w;
    }
    bool is_same = next->most_w == into->most_w;
    into->next_w = fmax(into->next_w, is_same ? next->next_w : next->most_w);
    if (is_same) {
        into->stretches += next->stretches - (into->last_is && next->first_is);
        ws_seen_add(&into->seen, &next->seen, lines);
    }
    into->first_is = is_first ? next->first_is : into->first_is;
    into->last_is = is_same && next->last_is;
    into->has_any = true;
}

/* Of any number that comes again: so often at least, in readings of a tenth of a watt or finer. */
static const double comes_again = 3, fine_w = 0.15;

/* All bits of a field, or all digits: in W, in tenths and in hundredths. */
static const double of_fields[] = {127, 255, 999, 1023, 4095, 9999, 32767, 65535, 99999};

/* Is it one of so many parts of a watt that has at least so many digits? */
static bool is_of_field(double power_w, double least)
{
    static const double parts[] = {1, 10, 100, 1000};
    for (size_t i = 0; i < sizeof of_fields / sizeof *of_fields; i++)
        for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
            if (of_fields[i] >= least && power_w == of_fields[i] / parts[k])
                return true;
    return false;
}

/* One of five digits says enough by itself; a whole number has to be that of a field. */
static bool is_sentinel(double power_w, double times, double step_w)
{
    enum { FIVE_DIGITS = 10000 };
    bool is_fine = step_w < fine_w;
    return (is_fine && is_of_field(power_w, FIVE_DIGITS)) ||
           (times >= comes_again && (is_fine || is_of_field(power_w, 0)));
}

bool ws_power_top_stands_apart(const ws_power_top *top)
{
    return !top->has_any || !(top->next_w > 0) || top->most_w >= apart * top->next_w;
}

double ws_sentinel_sum_w(const ws_power_top *top, double samples, double mean_w, double step_w)
{
    double n = (double)top->seen.count;
    bool stand_alone = n > 0 && n <= at_a_time * (double)top->stretches && one_in * n <= samples && top->next_w > 0 &&
                       ws_power_top_stands_apart(top);
    if (!stand_alone || !is_sentinel(top->most_w, n, step_w))
        return 0;
    double others_w = (mean_w * samples - n * top->most_w) / (samples - n);
    return n * (top->most_w - others_w);
}
