/* The usual samples of a channel whose readings are no small integers (meter_batch.c), many at once.
 *
 * Usual is a reading of a rate (power, utilisation, ...) with a later stamp than the one before, inside the window, and
 * a whole multiple of 2^-places below 2^61 of them. Such readings are added as integers: two multiplications in place of
 * a dozen steps on 256 bits, and the same sums to the last bit. The first sample that is not usual ends the run. */
#include "analyze/measure/meter_steps.h"

#include <math.h>
#include <string.h>

/* Bounds that keep the 128-bit sums of a run from running over: 2 * 2^122 * 2^40 * 2^20 in two halves of 64 bits. */
enum { LEAST_PLACES = 2, MOST_SAMPLES = 1 << 20, WINDOWS = 4 };
static const uint64_t LONGEST_STEP_NS = UINT64_C(1) << 40;

typedef __int128 wide;
typedef unsigned __int128 uwide;

/* A number of 192 bits in two overlapping halves: low + high * 2^64. */
typedef struct halves {
    uwide low, high;
} halves;

/* The intervals of one quarter octave, as in a ws_interval_bucket. */
typedef struct window {
    uint64_t from_ns, width_ns, count, total_ns;
    wide integral;
    halves squares;
} window;

typedef struct run {
    int places; /* readings count in units of 2^-places */
    double scale;
    int64_t last; /* the reading before, in units */
    uwide last_square;
    wide total;
    halves squares;
    window windows[WINDOWS], *current;
    size_t n_windows;
} run;

static uwide square(int64_t units)
{
    return (uwide)((wide)units * units);
}

static inline void add_times(halves *sum, uwide term, uint64_t factor)
{
    sum->low += (uwide)(uint64_t)term * factor;
    sum->high += (uwide)(uint64_t)(term >> 64) * factor;
}

/* No float is: the millionths are too far apart for its 24 bits to come near one that they do not hold. */
static inline bool is_decimal_only(double value)
{
    return (double)(float)value != value && ws_is_decimal_only(value);
}

static bool begin(run *r, const ws_meter *m)
{
    *r = (run){.places = ws_sum_places(m->min <= m->max ? fmax(fabs(m->min), fabs(m->max)) : 0)};
    r->scale = ldexp(1, r->places);
    if (r->places < LEAST_PLACES || is_decimal_only(m->last_value) || !ws_sum_units(m->last_value, r->scale, &r->last))
        return false; /* readings near the largest that counts as one go the long way */
    r->last_square = square(r->last);
    r->current = r->windows; /* of no width yet */
    return true;
}

static inline bool holds(const window *w, uint64_t step)
{
    return step - w->from_ns < w->width_ns;
}

static bool find_window(run *r, uint64_t step)
{
    for (size_t i = 0; i < r->n_windows; i++) {
        r->current = &r->windows[i];
        if (holds(r->current, step))
            return true;
    }
    if (r->n_windows == WINDOWS || step > LONGEST_STEP_NS)
        return false;
    int octave = 63 - __builtin_clzll(step);
    r->current = &r->windows[r->n_windows++];
    r->current->width_ns = octave >= 2 ? UINT64_C(1) << (octave - 2) : 1;
    r->current->from_ns = step / r->current->width_ns * r->current->width_ns;
    return true;
}

static inline void meter_run_add(window *w, int64_t both, uwide squared, uint64_t step)
{
    w->count++;
    w->total_ns += step;
    w->integral += (wide)both * (int64_t)step;
    add_times(&w->squares, squared, step);
}

static void add_halves(ws_sum *sum, const halves *h, int places)
{
    ws_sum_add_units(sum, (wide)h->low, places);
    ws_sum_add_units(sum, (wide)h->high, places - 64);
}

static void end(const run *r, ws_meter *m)
{
    ws_sum_add_units(&m->total.other, r->total, r->places);
    add_halves(&m->squares.other, &r->squares, 2 * r->places);
    for (size_t i = 0; i < r->n_windows; i++) {
        const window *w = &r->windows[i];
        ws_interval_bucket *bucket = ws_meter_bucket(m, ws_quarter_octave((int64_t)w->from_ns));
        bucket->count += w->count;
        bucket->total_ns = ws_ns_plus(bucket->total_ns, (int64_t)w->total_ns);
        ws_sum_add_units(&bucket->integral.other, w->integral, r->places);
        add_halves(&bucket->squares.other, &w->squares, 2 * r->places);
    }
}

bool ws_meter_is_usual(const ws_meter *m, const ws_block *block)
{
    bool is_rate = m->rule == WS_RULE_TRAPEZOID || m->rule == WS_RULE_NONE || m->rule == WS_RULE_PERUN ||
                   m->rule == WS_RULE_MEAN_TIMES_TIME;
    return is_rate && m->has_last && block->t_ns && m->time != WS_TIME_NONE && ws_meter_is_inside(m, m->last_t);
}

void ws_meter_see_missing(ws_meter *m, const ws_block *block, size_t i)
{
    ws_meter_see(&m->refused, block->line ? block->line[i] : 0);
    m->missing += ws_meter_is_inside(m, block->t_ns[i]);
}

void ws_meter_see_not_positive(ws_meter *m, const ws_block *block, size_t i)
{
    ws_meter_see(block->value[i] < 0 ? &m->negatives : &m->zeros, block->line ? block->line[i] : 0);
}

/* What a stretch adds up to beside its windows: kept in registers. */
typedef struct stretch {
    uint64_t n, missing, longest_ns;
    int64_t least, most, last_t; /* least, most: in units */
} stretch;

static void end_stretch(const run *r, ws_meter *m, const stretch *s)
{
    if (!s->n)
        return;
    double least = (double)s->least / r->scale, most = (double)s->most / r->scale;
    m->samples += s->n;
    m->min = least < m->min ? least : m->min;
    m->max = most > m->max ? most : m->max;
    m->last_t = s->last_t;
    m->last_value = (double)r->last / r->scale;
    m->longest_ns = (int64_t)s->longest_ns > m->longest_ns ? (int64_t)s->longest_ns : m->longest_ns;
}

/* A later stamp, whose interval has a window now. */
static bool opens_window(run *r, int64_t t, int64_t last_t)
{
    return t > last_t && find_window(r, (uint64_t)t - (uint64_t)last_t);
}

static size_t take(run *r, ws_meter *m, const ws_block *block, size_t first)
{
    size_t i = first, stop = block->n - first > MOST_SAMPLES ? first + MOST_SAMPLES : block->n;
    int64_t end_ns = m->options.has_window ? m->options.window_end_ns : INT64_MAX, last = r->last, units;
    stretch s = {.least = INT64_MAX, .most = INT64_MIN, .last_t = m->last_t};
    uwide last_square = r->last_square;
    wide total = 0;
    halves squares = {0};
    for (; i < stop; i++) {
        int64_t t = block->t_ns[i];
        uint64_t step = (uint64_t)t - (uint64_t)s.last_t;
        if (!ws_sum_units(block->value[i], r->scale, &units) || is_decimal_only(block->value[i])) {
            if (!isnan(block->value[i]))
                break;
            ws_meter_see_missing(m, block, i);
            s.missing++;
            continue;
        }
        /* no window holds a step that goes back */
        if (t > end_ns || (!holds(r->current, step) && !opens_window(r, t, s.last_t)))
            break;
        uwide squared = square(units);
        meter_run_add(r->current, last + units, last_square + squared, step);
        total += units;
        squares.low += (uint64_t)squared;
        squares.high += (uint64_t)(squared >> 64);
        if (units <= 0)
            ws_meter_see_not_positive(m, block, i);
        s.least = units < s.least ? units : s.least;
        s.most = units > s.most ? units : s.most;
        s.longest_ns = step > s.longest_ns ? step : s.longest_ns;
        s.last_t = t;
        last = units;
        last_square = squared;
    }
    r->last = last;
    r->total = total;
    r->squares = squares;
    s.n = i - first - s.missing;
    end_stretch(r, m, &s);
    return i - first;
}

size_t ws_meter_run(ws_meter *m, const ws_block *block, size_t first)
{
    run r;
    if (!ws_meter_is_usual(m, block) || !begin(&r, m))
        return 0;
    size_t taken = take(&r, m, block, first);
    end(&r, m);
    return taken;
}
