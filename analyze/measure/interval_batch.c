/* Many readings that look back at once: energies of intervals, and means over them.
 *
 * Nearly all are decimals of up to 34 bits of millionths whose stamps rise, inside the window. They are added as
 * integers. The mean power of an energy is no decimal as a rule: a double, counted in units of one power of two for the
 * whole batch. Whatever else comes - a missing cell, an energy of zero, a repeated stamp, an interval without a length,
 * an edge of the window - ends the batch and is taken by itself (meter.c). Any way of cutting readings into batches
 * gives the same bits. */
#include "analyze/measure/meter_internal.h"

#include <math.h>
#include <stdlib.h>

/* Bounds that keep 128-bit sums from overflowing: squares of 2^68 times 2^40 ns, twice, of 1024 readings at most. */
enum { MOST_READINGS = 1024, TALLIES = 8, MARGIN_PLACES = 4 };
static const double MOST_WHOLE = 0x1p34;

typedef __int128 wide;

/* The intervals of one quarter octave. */
typedef struct interval_tally {
    int64_t from_ns, width_ns, total_ns;
    uint64_t count;
    wide integral, squares; /* in millionths, times ns */
    wide means;             /* in units of the batch, times ns */
} interval_tally;

typedef struct intervals {
    bool holds_energies;
    double scale; /* 2^places: a mean power counts in units of its inverse */
    int places;
    uint64_t n;
    int64_t least, most, last_t, longest_ns;
    wide total, squares;
    int n_tallies;
    interval_tally tallies[TALLIES], *current;
} intervals;

/* NULL: there are too many kinds of intervals. */
static interval_tally *find_tally(intervals *s, int64_t ns)
{
    for (int i = 0; i < s->n_tallies; i++)
        if ((uint64_t)(ns - s->tallies[i].from_ns) < (uint64_t)s->tallies[i].width_ns)
            return &s->tallies[i];
    if (s->n_tallies == TALLIES)
        return NULL;
    int octave = 63 - __builtin_clzll((uint64_t)ns);
    int64_t width = octave >= 2 ? INT64_C(1) << (octave - 2) : 1;
    s->tallies[s->n_tallies] = (interval_tally){.from_ns = ns / width * width, .width_ns = width};
    return &s->tallies[s->n_tallies++];
}

static inline interval_tally *tally_of(intervals *s, int64_t ns)
{
    if (s->current && (uint64_t)(ns - s->current->from_ns) < (uint64_t)s->current->width_ns)
        return s->current;
    return s->current = find_tally(s, ns);
}

/* Adds both ends of the interval, which are its mean. */
static inline bool add_mean(const intervals *s, interval_tally *t, int64_t whole, int64_t ns)
{
    int64_t units;
    double mean_w = (double)whole / WS_PARTS / ((double)ns / WS_NS_PER_S);
    if (ws_millionths(mean_w, &units)) {
        t->integral += (wide)units * ns * 2;
        return true;
    }
    if (!ws_sum_units(mean_w, s->scale, &units))
        return false;
    t->means += (wide)units * ns * 2;
    return true;
}

static inline void add_power(interval_tally *t, int64_t whole, int64_t ns)
{
    t->integral += (wide)whole * ns * 2;
    t->squares += (wide)whole * whole * ns * 2;
}

static void end_intervals(const intervals *s, ws_meter *m)
{
    for (int i = 0; i < s->n_tallies; i++) {
        const interval_tally *t = &s->tallies[i];
        if (!t->count)
            continue;
        ws_interval_bucket *bucket = ws_meter_bucket(m, ws_quarter_octave(t->from_ns));
        bucket->count += t->count;
        bucket->total_ns = ws_ns_plus(bucket->total_ns, t->total_ns);
        ws_total_add_parts(&bucket->integral, t->integral, 1);
        ws_total_add_parts(&bucket->squares, t->squares, 1);
        if (t->means)
            ws_sum_add_units(&bucket->integral.other, t->means, s->places);
    }
    ws_total_add_parts(&m->total, s->total, 1);
    ws_total_add_parts(&m->squares, s->squares, 1);
    double least = (double)s->least / WS_PARTS, most = (double)s->most / WS_PARTS;
    m->samples += s->n;
    m->min = least < m->min ? least : m->min;
    m->max = most > m->max ? most : m->max;
    m->longest_ns = s->longest_ns > m->longest_ns ? s->longest_ns : m->longest_ns;
    m->last_t = s->last_t;
}

/* Room for means some times as large as the first one. */
static void choose_unit(intervals *s, double value, int64_t ns)
{
    double mean_w = ns > 0 ? fabs(value) / ((double)ns / WS_NS_PER_S) : 0;
    s->places = ws_sum_places(fmin(mean_w, 0x1p60)) - MARGIN_PLACES;
    s->scale = ldexp(1, s->places);
}

size_t ws_meter_push_intervals(ws_meter *m, const ws_block *block, size_t first)
{
    bool is_behind_zero = ws_rule_holds_energies(m->rule) && m->last_value == 0;
    if (!m->has_last || !block->t_ns || m->time == WS_TIME_NONE || is_behind_zero)
        return 0;
    intervals s = {.holds_energies = ws_rule_holds_energies(m->rule),
                   .least = INT64_MAX,
                   .most = INT64_MIN,
                   .last_t = m->last_t,
                   .longest_ns = 0};
    size_t i = first, stop = block->n - first > MOST_READINGS ? first + MOST_READINGS : block->n;
    choose_unit(&s, block->value[first],
                block->interval_ns ? block->interval_ns[first] : ws_ns_minus(block->t_ns[first], m->last_t));
    for (; i < stop; i++) {
        int64_t t = block->t_ns[i], whole;
        int64_t ns = block->interval_ns ? block->interval_ns[i] : ws_ns_minus(t, s.last_t);
        if (t <= s.last_t || t < INT64_MIN / 2 || ns <= 0 || ns > WS_MOST_FACTOR ||
            !ws_millionths(block->value[i], &whole) || llabs(whole) > (int64_t)MOST_WHOLE ||
            !ws_meter_is_inside(m, t - ns) || !ws_meter_is_inside(m, t) || (whole == 0 && s.holds_energies))
            break;
        interval_tally *tally = tally_of(&s, ns);
        if (!tally || (s.holds_energies && !add_mean(&s, tally, whole, ns)))
            break;
        if (!s.holds_energies)
            add_power(tally, whole, ns);
        tally->count++;
        tally->total_ns += ns;
        s.total += whole;
        s.squares += (wide)whole * whole;
        if (whole <= 0)
            ws_meter_see(whole < 0 ? &m->negatives : &m->zeros, block->line ? block->line[i] : 0);
        s.least = whole < s.least ? whole : s.least;
        s.most = whole > s.most ? whole : s.most;
        s.longest_ns = ns > s.longest_ns ? ns : s.longest_ns;
        s.last_t = t;
    }
    s.n = i - first;
    if (!s.n)
        return 0;
    end_intervals(&s, m);
    m->last_value = ws_as_stated(block->value[i - 1]);
    return s.n;
}
