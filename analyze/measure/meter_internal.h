/* Steps that the parts of the meter share. */
#ifndef WS_ANALYZE_METER_INTERNAL_H
#define WS_ANALYZE_METER_INTERNAL_H

#include "analyze/measure/meter.h"
#include "core/time_steps.h"
#include "core/arena.h"
#include "core/device_limits.h"

#include <math.h>

static const double WS_NS_PER_S = 1e9;
enum { WS_INTEGRAL_PER_J = 2000000000 }; /* in an integral, whose unit is half a W ns */

/* A step back of at least this length is a clock that was set, the end of summer time or a restarted log, and begins a
 * new stretch of rising stamps (copies.h). A shorter one is jitter. */
static const int64_t WS_LONGEST_SET_BACK_NS = 1000000000;

static inline void ws_meter_see(ws_seen *what, int64_t line)
{
    if (!what->count++)
        what->line = line;
}

static inline void ws_meter_see_refused(ws_meter *m, int64_t t_ns, int64_t line)
{
    ws_meter_see(&m->refused, line);
    m->refused_from_ns = t_ns < m->refused_from_ns ? t_ns : m->refused_from_ns;
    m->refused_until_ns = t_ns > m->refused_until_ns ? t_ns : m->refused_until_ns;
}

/* A line number in a stretch that follows `lines` lines; 0 (no line) stays 0. */
static inline int64_t ws_line_behind(int64_t line, int64_t lines)
{
    return line ? line + lines : 0;
}

/* Adds what was seen in the stretch behind `into`, whose line numbers count from its own start. */
static inline void ws_seen_add(ws_seen *into, const ws_seen *next, int64_t lines)
{
    if (!into->count)
        into->line = ws_line_behind(next->line, lines);
    into->count += next->count;
}

/* Larger values count as missing, like NaN: no device comes near the bound, and below it the sums stay exact. */
static inline bool ws_is_reading(double value)
{
    return fabs(value) <= 1e18;
}

static inline bool ws_meter_is_inside(const ws_meter *m, int64_t t)
{
    return !m->options.has_window || (t >= m->options.window_start_ns && t <= m->options.window_end_ns);
}

static inline bool ws_rule_holds_energies(ws_rule rule)
{
    return rule == WS_RULE_COUNTER || rule == WS_RULE_INTERVAL || rule == WS_RULE_GIVEN;
}

/* Does each reading describe the interval before it (whose length the row may state)? */
static inline bool ws_rule_looks_back(ws_rule rule)
{
    return rule == WS_RULE_INTERVAL || rule == WS_RULE_GIVEN || rule == WS_RULE_RECTANGLE;
}

/* A gap is long if it has at least about eight times the median interval (three octaves). */
enum { WS_LONG_GAP_QUARTER_OCTAVES = 12 };

/* The quarter octave of the median interval, or of that of the log (ws_meter_set_usual); 0 if there are no intervals.
 */
static inline int ws_meter_median_bucket(const ws_meter *m)
{
    if (m->usual_quarter_octave)
        return m->usual_quarter_octave;
    uint64_t all = 0, below = 0;
    for (size_t i = 0; i < m->n_buckets; i++)
        all += m->buckets[i].count;
    size_t i = 0;
    while (i < m->n_buckets && (below + m->buckets[i].count) * 2 < all)
        below += m->buckets[i++].count;
    return i < m->n_buckets ? m->buckets[i].quarter_octave : 0;
}

/* Are the steps of the bucket mostly those of a pace of the log? Then they are long because it reads rarely. */
static inline bool ws_meter_is_pace(const ws_meter *m, const ws_interval_bucket *bucket)
{
    return ws_pace_ns(&m->pace, bucket->quarter_octave) >= bucket->total_ns / 2;
}

static inline bool ws_meter_is_long_gap(const ws_meter *m, const ws_interval_bucket *bucket)
{
    return bucket->quarter_octave >= ws_meter_median_bucket(m) + WS_LONG_GAP_QUARTER_OCTAVES &&
           !ws_meter_is_pace(m, bucket);
}

/* The bucket of a quarter octave, made on first use. Good until the next call. */
static inline ws_interval_bucket *ws_meter_bucket(ws_meter *m, int key)
{
    size_t i = 0;
    while (i < m->n_buckets && m->buckets[i].quarter_octave < key)
        i++;
    if (i < m->n_buckets && m->buckets[i].quarter_octave == key)
        return &m->buckets[i];
    m->buckets = ws_grow(m->buckets, &m->bucket_capacity, m->n_buckets + 1, sizeof *m->buckets);
    for (size_t j = m->n_buckets++; j > i; j--)
        m->buckets[j] = m->buckets[j - 1];
    m->buckets[i] = (ws_interval_bucket){.quarter_octave = key};
    return &m->buckets[i];
}

/* Clips an interval to the window and interpolates its end values. False if nothing is left. */
static inline bool ws_meter_clip(const ws_meter_options *o, int64_t *t0, double *v0, int64_t *t1, double *v1)
{
    if (!o->has_window)
        return true;
    int64_t a = *t0 > o->window_start_ns ? *t0 : o->window_start_ns;
    int64_t b = *t1 < o->window_end_ns ? *t1 : o->window_end_ns;
    if (a >= b)
        return false;
    double slope = (*v1 - *v0) / (double)ws_ns_minus(*t1, *t0), at_a = *v0 + slope * (double)ws_ns_minus(a, *t0);
    double at_b = b == *t1 ? *v1 : *v0 + slope * (double)ws_ns_minus(b, *t0);
    *v0 = a == *t0 ? *v0 : at_a;
    *v1 = at_b;
    *t0 = a, *t1 = b;
    return true;
}

/* Counts a reading that repeats the one before it. */
void ws_meter_see_again(ws_meter *meter, const ws_meter_sample *sample);

/* Of a reading behind the last one. */
void ws_meter_see_behind_zero(ws_meter *meter, const ws_meter_sample *sample);

/* Takes reading i of a block by itself. */
void ws_meter_push_one(ws_meter *meter, const ws_block *block, size_t i);

/* Takes rising readings of a counter from `first` on; returns how many, 0 where the first is none (counter_batch.c). */
size_t ws_meter_push_rises(ws_meter *meter, const ws_block *block, size_t first);

/* Takes energies of intervals and means over them from `first` on; returns how many (interval_batch.c). */
size_t ws_meter_push_intervals(ws_meter *meter, const ws_block *block, size_t first);

/* Does a counter stand above zero and only rise or stand still in this block, at stamps that rise, and by less than
 * most_w in each step? False also where that is not sure. */
bool ws_block_rises_slowly(const ws_block *block, double most_w);

/* Integrates from the last reading to this one. The caller counts the value and makes it the last reading. */
void ws_meter_integrate(ws_meter *meter, const ws_meter_sample *sample);

/* Nanoseconds since the last sample; 0 for the first sample, a repeated stamp and a step back (which are counted). */
int64_t ws_meter_since_last(ws_meter *meter, int64_t t_ns, int64_t line);

/* Ends the current stretch of rising stamps. */
void ws_meter_add_rising(ws_meter *meter, int64_t end_ns);

/* The meter of the undecided leading zeros (see ws_meter.head), made on first use. */
ws_meter *ws_meter_head(ws_meter *meter);

/* Makes `whole` a copy of `meter` with its leading zeros and its falls decided. The caller frees it. */
void ws_meter_settle(const ws_meter *meter, ws_meter *whole);

/* How long a counter has collected what the step of length_ns up to t_ns shows: since it last moved, as its readings
 * may be old ones. */
int64_t ws_meter_collects_ns(const ws_meter *meter, int64_t t_ns, int64_t length_ns);

/* Rounds that may be hidden behind a time without a move, and of them those of a range that range_of gives. */
void ws_meter_see_hidden(ws_meter *meter, int64_t collects_ns, int64_t length_ns);
double ws_meter_hidden_while_still(const ws_meter *meter, double range_j);

/* Of which counters the usual ranges of RAPL may hold. A counter that a tool has started with its log has none. */
static inline bool ws_has_usual_ranges(const ws_meter *m)
{
    bool is_rapl = m->domain == WS_CPU || m->domain == WS_DRAM || m->domain == WS_CPU_CORE || m->domain == WS_CPU_GFX;
    return is_rapl && m->rule == WS_RULE_COUNTER && !m->counter_from_zero;
}

/* W. Up to this power whole rounds may be hidden between two readings of a counter: nothing of its domain draws more.
 */
static inline double ws_counter_most_w(const ws_meter *m)
{
    return m->domain == WS_DRAM ? ws_limits_of_domain[WS_DRAM].rare_w : WS_PACKAGE_HELD_MOST_W;
}

/* The least usual range that holds a reading; 0: none does. */
static inline double ws_usual_range(double reading_j)
{
    int i = 0;
    while (i < WS_RAPL_RANGES && ws_rapl_ranges[i] < reading_j)
        i++;
    return i < WS_RAPL_RANGES ? ws_rapl_ranges[i] : 0;
}

/* Remembers the power of a rise: falls are compared with the largest. */
void ws_meter_see_rise(ws_meter *meter, double rise_j, int64_t length_ns);

/* A fall from the last reading to this one, after `collects_ns`. False: the counter was reset; no other explanation is
 * possible. */
bool ws_meter_add_decrease(ws_meter *meter, const ws_meter_sample *sample, int64_t collects_ns);
/* The same of a rise at a stamp that steps back: the reading from before a wrap came after one from behind it. */
bool ws_meter_add_step_over_wrap(ws_meter *meter, const ws_meter_sample *sample);
void ws_meter_merge_falls(ws_meter *into, const ws_meter *next, int64_t lines);
void ws_meter_classify_falls(ws_meter *meter); /* decides what all falls were */

/* May a counter have risen by so much in this time, as far as its other steps tell? */
bool ws_meter_may_rise(const ws_meter *meter, double rise_j, int64_t length_ns);

/* What a counter lost that stood still again and again for a short time; 0 where the steps behind made up for it.
 * *still_s gets that time. */
double ws_meter_stalled_j(const ws_meter *meter, double *still_s);

/* Domains that draw power whenever they are on. A processor's graphics may be switched off. */
bool ws_draws_always(ws_domain domain);

/* The next reading of a counter is the last one again, or another.
 *
 * Joules from the last reading to `s`, as far as the step shows them; infinite where a wrap may have hidden a round. */
double ws_meter_moved_j(const ws_meter *meter, const ws_meter_sample *s, int64_t length_ns);
double ws_creep_w(ws_domain domain); /* W: a rise of a counter by less is none; 0: any rise is one */
void ws_meter_see_still(ws_meter *meter);
void ws_meter_see_move(ws_meter *meter, int64_t t_ns, double rise_j, bool falls);
void ws_meter_merge_still(ws_meter *into, const ws_meter *next); /* the step between the two was seen already */
void ws_meter_add_ended(ws_meter *into, const ws_meter *next);   /* still.ended alone */

/* How long a counter stood still that should have risen, 0 if it did not, and in how many readings. */
double ws_meter_stuck_s(const ws_meter *meter, uint64_t *readings);

/* As ws_meter_free, of a meter whose memory goes with it: it is not emptied. */
void ws_meter_release(ws_meter *meter);

#endif
