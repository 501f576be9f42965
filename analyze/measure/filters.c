#include "analyze/measure/filters.h"
#include "analyze/measure/meter_internal.h"

#include "core/avx2.h"
#include "core/arena.h"
#include "core/device_limits.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

/* Four at a time and without a branch, since every power of every trace passes here. *least becomes the least value
 * above zero that is below it. Made for each kind of machine, and the same on all. */
static inline __attribute__((always_inline)) bool is_above(const double *value, size_t n, double bound, double *least)
{
    typedef double four __attribute__((vector_size(32)));
    typedef int64_t four_bits __attribute__((vector_size(32)));
    four_bits above = {0};
    four lowest = {*least, *least, *least, *least};
    size_t i = 0;
    for (; i + 4 <= n; i += 4) {
        four x;
        memcpy(&x, value + i, sizeof x);
        above |= x > bound;
        four_bits lower = (x > 0) & (x < lowest);
        lowest = (four)(((four_bits)x & lower) | ((four_bits)lowest & ~lower));
    }
    bool is_any = above[0] | above[1] | above[2] | above[3];
    *least = fmin(fmin(lowest[0], lowest[1]), fmin(lowest[2], lowest[3]));
    for (; i < n; i++) {
        is_any |= value[i] > bound;
        *least = value[i] > 0 && value[i] < *least ? value[i] : *least;
    }
    return is_any;
}

static bool is_above_portable(const double *value, size_t n, double bound, double *least)
{
    return is_above(value, n, bound, least);
}

#if defined __x86_64__
WS_AVX2 static bool is_above_avx2(const double *value, size_t n, double bound, double *least)
{
    return is_above(value, n, bound, least);
}
#else
#define is_above_avx2 is_above_portable
#endif

static bool is_any_above(const double *value, size_t n, double bound, double *least)
{
    return (ws_has_avx2() ? is_above_avx2 : is_above_portable)(value, n, bound, least);
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
    if (!next->has_any)
        return;
    into->stretches += next->stretches - (into->last_is && next->first_is);
    ws_seen_add(&into->seen, &next->seen, lines);
    into->most_w = fmax(into->most_w, next->most_w);
    into->next_w = fmin(into->next_w, next->next_w);
    into->first_is = into->has_any ? into->first_is : next->first_is;
    into->last_is = next->last_is;
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

static bool may_be_odd(ws_limits *l, const ws_block *b)
{
    if (l->quantity != WS_POWER)
        return true;
    double least = INFINITY;
    bool is_odd = is_any_above(b->value, b->n, l->rare_w, &least);
    l->least_w = fmin(l->least_w, least);
    count_tiny(l, b, least);
    return is_odd;
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

ws_block ws_limits_check(ws_limits *l, const ws_block *block)
{
    ws_block checked = *block;
    if (l->rare_w == INFINITY)
        return checked;
    if (!may_be_odd(l, block))
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

/* --- readings whose stamps step back --- */

enum { HELD = 256 }; /* when full, all but WS_SORT_REACH of them are passed on */

struct ws_order {
    ws_back_steps policy;
    ws_seen moved;    /* left out, or put elsewhere */
    uint64_t missing; /* left out inside the window */
    bool has_latest;
    int64_t latest; /* stamp of the readings kept */

    /* Of WS_BACK_SORT: readings that wait, which all have an interval and a line, or none has. */
    size_t n;
    bool has_interval, has_line;
    int64_t t_ns[HELD], interval_ns[HELD], line[HELD];
    double value[HELD];
};

bool ws_back_steps_find(const char *name, ws_back_steps *policy)
{
    static const struct {
        const char *name;
        ws_back_steps policy;
    } known[] = {{"keep", WS_BACK_KEEP}, {"drop", WS_BACK_DROP}, {"sort", WS_BACK_SORT}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strcmp(name, known[i].name) == 0) {
            *policy = known[i].policy;
            return true;
        }
    }
    return false;
}

ws_order *ws_order_new(ws_back_steps policy)
{
    if (policy != WS_BACK_DROP && policy != WS_BACK_SORT)
        return NULL;
    ws_order *order = ws_alloc(sizeof *order);
    order->policy = policy;
    return order;
}

void ws_order_free(ws_order *order)
{
    free(order);
}

static void push_stretch(ws_meter *meter, const ws_block *b, size_t from, size_t to)
{
    ws_block part = ws_block_part(b, from, to);
    if (part.n)
        ws_meter_push(meter, &part);
}

/* A missing cell is counted by the meter, and its stamp says nothing about the readings after it. */
static void drop(ws_order *o, const ws_block *b, ws_meter *meter)
{
    size_t from = 0;
    for (size_t i = 0; i < b->n; i++) {
        if (isnan(b->value[i]))
            continue;
        if (!o->has_latest || b->t_ns[i] >= o->latest) {
            o->latest = b->t_ns[i];
            o->has_latest = true;
            continue;
        }
        ws_meter_see(&o->moved, b->line ? b->line[i] : 0);
        o->missing += ws_meter_is_inside(meter, b->t_ns[i]);
        push_stretch(meter, b, from, i);
        from = i + 1;
    }
    push_stretch(meter, b, from, b->n);
}

static void let_go(ws_order *o, ws_meter *meter, size_t keep)
{
    size_t n = o->n - keep;
    ws_block held = {.n = n,
                     .t_ns = o->t_ns,
                     .value = o->value,
                     .interval_ns = o->has_interval ? o->interval_ns : NULL,
                     .line = o->has_line ? o->line : NULL};
    push_stretch(meter, &held, 0, n);
    memmove(o->t_ns, o->t_ns + n, keep * sizeof *o->t_ns);
    memmove(o->value, o->value + n, keep * sizeof *o->value);
    memmove(o->interval_ns, o->interval_ns + n, keep * sizeof *o->interval_ns);
    memmove(o->line, o->line + n, keep * sizeof *o->line);
    o->n = keep;
}

/* After every held reading that is not later; at the end if that place is out of reach. */
static size_t place_of(const ws_order *o, int64_t t_ns)
{
    size_t reach = o->n < WS_SORT_REACH ? o->n : WS_SORT_REACH, i = o->n;
    while (i > o->n - reach && o->t_ns[i - 1] > t_ns)
        i--;
    bool is_out_of_reach = i > 0 && o->t_ns[i - 1] > t_ns;
    return is_out_of_reach ? o->n : i;
}

static void insert(ws_order *o, const ws_block *b, size_t from)
{
    size_t at = place_of(o, b->t_ns[from]), behind = o->n - at;
    memmove(o->t_ns + at + 1, o->t_ns + at, behind * sizeof *o->t_ns);
    memmove(o->value + at + 1, o->value + at, behind * sizeof *o->value);
    memmove(o->interval_ns + at + 1, o->interval_ns + at, behind * sizeof *o->interval_ns);
    memmove(o->line + at + 1, o->line + at, behind * sizeof *o->line);
    o->t_ns[at] = b->t_ns[from];
    o->value[at] = b->value[from];
    o->interval_ns[at] = b->interval_ns ? b->interval_ns[from] : 0;
    o->line[at] = b->line ? b->line[from] : 0;
    o->n++;
    if (behind)
        ws_meter_see(&o->moved, o->line[at]);
}

static void sort(ws_order *o, const ws_block *b, ws_meter *meter)
{
    bool like_held = o->has_interval == (b->interval_ns != NULL) && o->has_line == (b->line != NULL);
    if (!like_held)
        let_go(o, meter, 0);
    o->has_interval = b->interval_ns != NULL;
    o->has_line = b->line != NULL;
    for (size_t i = 0; i < b->n; i++) {
        if (o->n == HELD)
            let_go(o, meter, WS_SORT_REACH + 1); /* one more than the reach, to see whether a place is beyond it */
        insert(o, b, i);
    }
}

void ws_order_push(ws_order *o, const ws_block *b, ws_meter *meter)
{
    if (!b->t_ns)
        ws_meter_push(meter, b);
    else if (o->policy == WS_BACK_DROP)
        drop(o, b, meter);
    else
        sort(o, b, meter);
}

void ws_order_flush(ws_order *o, ws_meter *meter)
{
    let_go(o, meter, 0);
}

void ws_order_merge(ws_order *into, const ws_order *next, int64_t lines)
{
    if (!into || !next)
        return;
    ws_seen_add(&into->moved, &next->moved, lines);
    into->missing += next->missing;
}

void ws_order_counts(const ws_order *o, ws_seen *moved, uint64_t *missing)
{
    *moved = o->moved;
    *missing = o->missing;
}

void ws_order_set_counts(ws_order *o, const ws_seen *moved, uint64_t missing)
{
    o->moved = *moved;
    o->missing = missing;
}

uint64_t ws_order_missing(const ws_order *o)
{
    return o->missing;
}

void ws_order_notes(const ws_order *o, const char *source, const char *subject, ws_notes *notes)
{
    bool drops = o->policy == WS_BACK_DROP;
    ws_notes_add_many(notes, o->moved.count, drops ? WS_FINDING_BACK_STEP_DROPPED : WS_FINDING_BACK_STEP_SORTED, source,
                      subject, o->moved.line, "%s",
                      drops ? "a reading whose time stamp is earlier than one before it is left out"
                            : "a reading whose time stamp is earlier than those before it was put in its place");
}

/* --- time in which a device is not in use --- */

void ws_unused_init(ws_unused_time *u)
{
    *u = (ws_unused_time){.window_start_ns = INT64_MIN, .window_end_ns = INT64_MAX, .first = NAN, .last = NAN};
}

static void add_unused(ws_unused_time *u, int64_t from, double before, int64_t to, double behind)
{
    int64_t start = from > u->window_start_ns ? from : u->window_start_ns, ns;
    int64_t end = to < u->window_end_ns ? to : u->window_end_ns;
    bool is_unused = before < WS_UNUSED_SHARE && behind < WS_UNUSED_SHARE && start < end;
    if (is_unused && !__builtin_sub_overflow(end, start, &ns))
        u->ns += ns;
}

void ws_unused_push(ws_unused_time *u, const ws_block *b)
{
    for (size_t i = 0; b->t_ns && i < b->n; i++) {
        if (isnan(b->value[i]))
            continue;
        if (isnan(u->first)) {
            u->first = b->value[i];
            u->first_ns = b->t_ns[i];
        }
        add_unused(u, u->last_ns, u->last, b->t_ns[i], b->value[i]);
        u->last = b->value[i];
        u->last_ns = b->t_ns[i];
    }
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
    into->ns += next->ns;
    into->last = next->last;
    into->last_ns = next->last_ns;
}
