/* Steps that the parts of the meter share. */
#ifndef WS_ANALYZE_METER_INTERNAL_H
#define WS_ANALYZE_METER_INTERNAL_H

#include "analyze/measure/meter.h"

#include <math.h>

static const double WS_NS_PER_S = 1e9;

/* From here on a step back is a clock that was set, a change from summer time or a log that was started again, and what follows is
 * a stretch of its own (copies.h); below it is jitter. */
static const int64_t WS_LONGEST_SET_BACK_NS = 1000000000;

/* Stamps of a broken clock may lie centuries apart: times stop at the ends of int64. */
static inline int64_t ws_ns_plus(int64_t a, int64_t b)
{
    int64_t sum;
    return !__builtin_add_overflow(a, b, &sum) ? sum : a < 0 ? INT64_MIN : INT64_MAX;
}

static inline int64_t ws_ns_minus(int64_t a, int64_t b)
{
    int64_t difference;
    return !__builtin_sub_overflow(a, b, &difference) ? difference : a < 0 ? INT64_MIN : INT64_MAX;
}

static inline void ws_meter_see(ws_seen *what, int64_t line)
{
    if (!what->count++)
        what->line = line;
}

/* A line of what stands behind so many lines; 0 means nothing there, either. */
static inline int64_t ws_line_behind(int64_t line, int64_t lines)
{
    return line ? line + lines : 0;
}

/* `next` was seen behind `into`, its lines counted from there. */
static inline void ws_seen_add(ws_seen *into, const ws_seen *next, int64_t lines)
{
    if (!into->count)
        into->line = ws_line_behind(next->line, lines);
    into->count += next->count;
}

/* No quantity of any device comes near the bound: larger cells are missing ones, as NaN is, and the sums stay exact. */
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

/* Does each reading stand for the interval before it, which the row may state? */
static inline bool ws_rule_looks_back(ws_rule rule)
{
    return rule == WS_RULE_INTERVAL || rule == WS_RULE_GIVEN || rule == WS_RULE_RECTANGLE;
}

/* floor(4 log2(ns)) read off the top bits, which any machine does alike. */
static inline int ws_quarter_octave(int64_t ns)
{
    int octave = 63 - __builtin_clzll((uint64_t)ns);
    uint64_t below = octave >= 2 ? (uint64_t)ns >> (octave - 2) & 3 : (uint64_t)ns << (2 - octave) & 3;
    return octave * 4 + (int)below;
}

/* Integrate from the last reading to this one, which becomes the last; a value of its own is counted elsewhere. */
void ws_meter_integrate(ws_meter *meter, const ws_meter_sample *sample);

/* Nanoseconds since the last sample; 0 for the first, for a repeated stamp and for a clock that went back. */
int64_t ws_meter_since_last(ws_meter *meter, int64_t t_ns, int64_t line);

/* The stretch of rising stamps that is open ends here. */
void ws_meter_add_rising(ws_meter *meter, int64_t end_ns);

/* The meter of the zeros that wait; made where there is none. */
ws_meter *ws_meter_head(ws_meter *meter);

/* A meter of its own that holds what the head and the rest of `meter` come to, its falls judged. */
void ws_meter_settle(const ws_meter *meter, ws_meter *whole);

/* A rise over an interval: falls are held against the largest. */
void ws_meter_see_rise(ws_meter *meter, double rise_j, int64_t length_ns);

/* A fall from the last reading to this one. False where the counter began again and nothing else explains it. */
bool ws_meter_add_decrease(ws_meter *meter, const ws_meter_sample *sample);
void ws_meter_merge_falls(ws_meter *into, const ws_meter *next, int64_t lines);
void ws_meter_judge_falls(ws_meter *meter); /* none is left open */

/* Cut an interval to the window, values interpolated on the line between them. False when nothing is left. */
bool ws_meter_clip(const ws_meter_options *options, int64_t *t0, double *v0, int64_t *t1, double *v1);

/* A gap is long from about eight times the median interval on (three octaves). */
enum { WS_LONG_GAP_QUARTER_OCTAVES = 12 };

/* The quarter octave that holds the median interval; 0 without any. */
int ws_meter_median_bucket(const ws_meter *meter);

/* The bucket of a quarter octave; made where there is none. Good until the next call. */
ws_interval_bucket *ws_meter_bucket(ws_meter *meter, int quarter_octave);

/* Does the rule weigh each reading with the time beside it, and is there a reading before? */
bool ws_meter_is_usual(const ws_meter *meter, const ws_block *block);

void ws_meter_see_missing(ws_meter *meter, const ws_block *block, size_t i);
void ws_meter_see_not_positive(ws_meter *meter, const ws_block *block, size_t i);

/* The usual samples from block->value[first] on, up to the first unusual one: how many were taken. Batches take small integers
 * in some unit, the run takes what needs more bits. */
size_t ws_meter_batches(ws_meter *meter, const ws_block *block, size_t first);
size_t ws_meter_run(ws_meter *meter, const ws_block *block, size_t first);

#endif
