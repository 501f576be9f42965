/* Steps of a counter that are not plain rises. A counter that falls wrapped at its range, was reset to zero or set to
 * another reading, slipped back a little, or its rows changed places; a zero before a rise may be a failed read; one
 * that does not move may be stuck. */
#include "analyze/measure/meter_internal.h"

#include "core/arena.h"
#include "core/device_limits.h"

#include <math.h>
#include <stdlib.h>

/* A fall is not a wrap, and its reading not the energy since a reset, if that would mean more than this many times the
 * mean power of the other steps. A fall by less than one part in this many of the reading may be a slip. */
static const double many_times = 10;

/* ... unless that is at most this many times the largest power of a step of at least half its length: an hour of work
 * in idle days. */
static const double few_times = 2;

/* W. After a fall, a reading that means more than this since the reading before is no energy since a reset to zero: the
 * counter was set to another value. More than a package draws for the length of a poll. */
static const double reset_most_w = 1e3;

/* A counter is stuck if it does not move for at least this time, this many readings, and this many times the time that
 * its smallest rise takes at its usual power: meters of whole watt hours rise seldom. */
static const double stuck_s = 20;
static const uint64_t stuck_readings = 9; /* behind the first, which is as they are */
static const double stuck_rises = 10;

/* Of one that stands still for two readings nowhere else it is enough: it rises from reading to reading, or nearly. */
static const double stuck_steady_rises = 4;

/* ... but not if the step that ends the stretch makes up for this share of its energy at the usual power: then the
 * readings were stale, and nothing is lost. */
static const double caught_up = 0.5;

/* A counter that stalls again and again: each time for so long and so many readings, since a slow one shows its value
 * once more between two refreshes, and together for so long. */
static const double least_stall_s = 1.5, stalls_s = 5;
static const uint64_t stall_readings = 2;

/* A coarse counter rises by one count after it stood still, or by two. A fine one by any energy. */
static const double most_counts = 1.5, of_a_count = 0.01;

/* W. What draws power whenever it is on draws more, a memory at rest too: a counter that creeps by a count or two (61
 * uJ) a reading stands still. Ours. */
static const double creep_w = 0.01;

/* The part of a usual range below its top from where a fall may be a wrap when no range is stated: resets happen
 * anywhere. Ours. */
static const double near_top = 0.05;

typedef enum cause { WRAPPED, BEGAN_AGAIN, WAS_SET, SLIPPED, WENT_BACK, CLOCK_WAS_SET } cause;

static int octave_of(int64_t ns)
{
    return ns > 0 ? ws_quarter_octave(ns) / 4 : 0;
}

void ws_meter_see_rise(ws_meter *m, double rise_j, int64_t length_ns)
{
    if (length_ns <= 0)
        return;
    double *most_w = &m->most_w[octave_of(length_ns)], power_w = rise_j / ((double)length_ns / WS_NS_PER_S);
    *most_w = power_w > *most_w ? power_w : *most_w;
}

static double power_over(double joules, int64_t ns)
{
    return ns > 0 ? joules / ((double)ns / WS_NS_PER_S) : 0;
}

/* Quarter octave of mW. */
static int power_key(double power_w)
{
    static const double most_mw = 1e18;
    return ws_quarter_octave((int64_t)fmin(power_w * 1e3, most_mw) + 1);
}

/* The lower end of a quarter octave. */
static double least_of(int quarter_octave)
{
    return ldexp(1 + quarter_octave % 4 / 4.0, quarter_octave / 4);
}

static bool same_kind(const ws_decrease_kind *a, const ws_decrease_kind *b)
{
    return a->time == b->time && a->range_j == b->range_j && a->octave == b->octave && a->may_slip == b->may_slip &&
           a->wrap_quarter_octave == b->wrap_quarter_octave && a->step_quarter_octave == b->step_quarter_octave &&
           a->length_quarter_octave == b->length_quarter_octave;
}

/* The bucket of a kind, made if there is none. */
static ws_decrease_bucket *bucket_of(ws_meter *m, const ws_decrease_kind *kind)
{
    for (size_t i = 0; i < m->n_falls; i++)
        if (same_kind(&m->falls[i].kind, kind))
            return &m->falls[i];
    m->falls = ws_grow(m->falls, &m->fall_capacity, m->n_falls + 1, sizeof *m->falls);
    m->falls[m->n_falls] = (ws_decrease_bucket){.kind = *kind};
    return &m->falls[m->n_falls++];
}

static void add_twice(ws_total *integral, double mean_w, int64_t ns)
{
    ws_total_add_times(integral, mean_w, ns);
    ws_total_add_times(integral, mean_w, ns);
}

/* Reading and stamp go back together, over `back_ns`; with a range, over the wrap at it. */
static void open_back(ws_meter *m, const ws_meter_sample *s, double depth_j, double range_j, int64_t back_ns)
{
    ws_decrease_kind kind = {.time = WS_FALL_BACK,
                             .octave = octave_of(back_ns),
                             .range_j = range_j,
                             .wrap_quarter_octave = -1,
                             .step_quarter_octave = -1,
                             .length_quarter_octave = ws_quarter_octave(back_ns)};
    ws_decrease_bucket *fall = bucket_of(m, &kind);
    ws_meter_see(&fall->seen, s->line);
    fall->total_ns = ws_ns_minus(fall->total_ns, back_ns);
    ws_total_add_counter(&fall->before, m->last_value, -1);
    ws_total_add_counter(&fall->before, s->value, 1);
    int64_t t0 = s->t_ns, t1 = m->last_t;
    double at0 = depth_j / ((double)back_ns / WS_NS_PER_S), at1 = at0, mean_w = at0;
    if (!ws_meter_clip(&m->options, &t0, &at0, &t1, &at1))
        return;
    fall->back_ns = ws_ns_minus(fall->back_ns, ws_ns_minus(t1, t0));
    add_twice(&fall->as_signed, mean_w, ws_ns_minus(t0, t1));
}

/* The part of a fall inside the window, `length_ns` long as a whole. */
static void open_inside(ws_meter *m, ws_decrease_bucket *fall, double step_j, double depth_j, int64_t length_ns,
                        int64_t dt)
{
    double seconds = (double)length_ns / WS_NS_PER_S;
    add_twice(&fall->as_wrap, (fall->kind.range_j - depth_j) / seconds, dt);
    add_twice(&fall->as_reset, step_j / seconds, dt);
    add_twice(&fall->as_signed, -depth_j / seconds, dt);
    m->longest_ns = length_ns > m->longest_ns ? length_ns : m->longest_ns;
    ws_interval_bucket *bucket = ws_meter_bucket(m, fall->kind.length_quarter_octave);
    bucket->count++;
    bucket->total_ns = ws_ns_plus(bucket->total_ns, dt);
}

/* Time inside the window of the interval of `length_ns` that ends at t1; 0 for none. */
static int64_t inside_ns(const ws_meter *m, int64_t t1, int64_t length_ns)
{
    int64_t t0 = ws_ns_minus(t1, length_ns);
    double at0 = 0, at1 = 0;
    return length_ns > 0 && ws_meter_clip(&m->options, &t0, &at0, &t1, &at1) ? ws_ns_minus(t1, t0) : 0;
}

int64_t ws_meter_collects_ns(const ws_meter *m, int64_t t_ns, int64_t length_ns)
{
    int64_t since_ns = m->still.n ? ws_ns_minus(t_ns, m->still.from_ns) : 0;
    return length_ns > 0 && since_ns > length_ns ? since_ns : length_ns;
}

/* Where a counter that falls from this reading may have wrapped; 0: nowhere. Where no range is stated it is a usual one
 * whose top is near. */
static double range_above(const ws_meter *m, double reading_j)
{
    if (m->counter_range_j > 0 || !ws_has_usual_ranges(m))
        return m->counter_range_j;
    double range_j = ws_usual_range(reading_j);
    return reading_j >= (1 - near_top) * range_j ? range_j : 0;
}

/* The kind of a fall, other than a step back. */
static ws_decrease_kind kind_of(const ws_meter *m, double step_j, double depth_j, int64_t length_ns, int64_t dt)
{
    bool at_once = length_ns <= 0;
    double seconds = at_once ? 1 : (double)length_ns / WS_NS_PER_S;
    double range_j = range_above(m, m->last_value), wrap_j = range_j - depth_j;
    bool may_wrap = range_j > 0 && wrap_j >= 0 && (at_once || wrap_j <= WS_COUNTER_MOST_W * seconds);
    bool may_slip = depth_j < step_j / many_times;
    bool may_be_set = step_j > reset_most_w * seconds;
    return (ws_decrease_kind){.time = at_once ? WS_FALL_AT_ONCE : WS_FALL_LATER,
                              .octave = octave_of(length_ns),
                              .range_j = may_wrap ? range_j : 0,
                              .wrap_quarter_octave = may_wrap ? power_key(wrap_j / seconds) : -1,
                              .may_slip = may_slip,
                              .step_quarter_octave = may_slip || may_be_set ? power_key(step_j / seconds) : -1,
                              .length_quarter_octave = dt > 0 ? ws_quarter_octave(dt) : -1};
}

bool ws_meter_add_decrease(ws_meter *m, const ws_meter_sample *s, int64_t collects_ns)
{
    int64_t length_ns = ws_ns_minus(s->t_ns, m->last_t), back_ns = ws_ns_minus(m->last_t, s->t_ns);
    double depth_j = -ws_counter_rise(m->last_value, s->value);
    if (back_ns > 0 && depth_j <= WS_COUNTER_MOST_W * ((double)back_ns / WS_NS_PER_S)) {
        open_back(m, s, depth_j, 0, back_ns);
        return true;
    }
    int64_t dt = inside_ns(m, s->t_ns, length_ns);
    ws_decrease_kind kind = kind_of(m, s->value, depth_j, collects_ns, dt);
    if (kind.wrap_quarter_octave < 0 && kind.step_quarter_octave < 0)
        return false;
    ws_decrease_bucket *fall = bucket_of(m, &kind);
    ws_meter_see(&fall->seen, s->line);
    fall->total_ns = ws_ns_plus(fall->total_ns, collects_ns > 0 ? collects_ns : 0);
    ws_total_add_counter(&fall->before, m->last_value, -1);
    ws_total_add_counter(&fall->after, s->value, 1);
    ws_total_add_counter(&fall->undone, s->value, -1);
    ws_total_add_counter(&m->steps, s->value, 1);
    if (dt > 0)
        open_inside(m, fall, s->value, depth_j, length_ns, dt);
    return true;
}

bool ws_meter_add_step_over_wrap(ws_meter *m, const ws_meter_sample *s)
{
    int64_t back_ns = ws_ns_minus(m->last_t, s->t_ns);
    double rise_j = ws_counter_rise(m->last_value, s->value), range_j = range_above(m, s->value);
    double depth_j = range_j - rise_j, most_j = WS_COUNTER_MOST_W * ((double)back_ns / WS_NS_PER_S);
    if (back_ns <= 0 || range_j <= 0 || rise_j <= most_j || depth_j < 0 || depth_j > most_j)
        return false;
    open_back(m, s, depth_j, range_j, back_ns);
    return true;
}

void ws_meter_merge_falls(ws_meter *into, const ws_meter *next, int64_t lines)
{
    for (size_t i = 0; i < next->n_falls; i++) {
        const ws_decrease_bucket *from = &next->falls[i];
        ws_decrease_bucket *to = bucket_of(into, &from->kind);
        ws_seen_add(&to->seen, &from->seen, lines);
        to->total_ns = ws_ns_plus(to->total_ns, from->total_ns);
        to->back_ns = ws_ns_plus(to->back_ns, from->back_ns);
        ws_total_merge(&to->before, &from->before);
        ws_total_merge(&to->after, &from->after);
        ws_total_merge(&to->undone, &from->undone);
        ws_total_merge(&to->as_wrap, &from->as_wrap);
        ws_total_merge(&to->as_reset, &from->as_reset);
        ws_total_merge(&to->as_signed, &from->as_signed);
    }
}

/* Mean power of the steps that do not fall; NaN without any. */
static double usual_power(const ws_meter *m)
{
    ws_total after = {0};
    int64_t ns = ws_ns_minus(m->last_t, m->first_t);
    for (size_t i = 0; i < m->n_falls; i++) {
        ws_total_merge(&after, &m->falls[i].after);
        ns = ws_ns_minus(ns, m->falls[i].total_ns);
    }
    double joules = ws_total_value(&m->steps, WS_PARTS) - ws_total_value(&after, WS_PARTS);
    return ns > 0 && joules > 0 ? joules / ((double)ns / WS_NS_PER_S) : NAN;
}

/* What is usual in a log; NaN where it does not say. */
typedef struct usual {
    double power_w, interval_s;
    int interval_quarter_octave;
    double most_w[WS_OCTAVES]; /* in a step of an octave of ns, or a longer one */
} usual;

static usual usual_of(const ws_meter *m)
{
    int quarter_octave = ws_meter_median_bucket(m);
    usual u = {.power_w = usual_power(m),
               .interval_s = m->n_buckets ? least_of(quarter_octave) / WS_NS_PER_S : NAN,
               .interval_quarter_octave = quarter_octave};
    double most_w = 0;
    for (int i = WS_OCTAVES - 1; i >= 0; i--)
        u.most_w[i] = most_w = fmax(most_w, m->most_w[i]);
    return u;
}

/* Power that may be, in a step of this octave; NaN without a usual one. */
static double limit_of(const usual *u, int octave)
{
    return isnan(u->power_w) ? NAN : fmax(u->power_w * many_times, u->most_w[octave] * few_times);
}

/* The range at which falls of a kind wrapped: a usual one holds all readings of the log. 0: they did not. */
static double wrap_range(const ws_meter *m, const ws_decrease_kind *fall)
{
    if (m->counter_range_j > 0 || fall->range_j == 0)
        return fall->range_j;
    double range_j = ws_usual_range(fmax(m->max, fall->range_j * (1 - near_top)));
    return m->first_value > 0 && range_j > 0 && range_j * (1 - near_top) <= fall->range_j ? fmax(range_j, fall->range_j)
                                                                                          : 0;
}

/* Comparisons with NaN are false: a wrap where nothing speaks against it. */
static cause cause_of(const ws_meter *m, const ws_decrease_kind *fall, const usual *u)
{
    if (fall->time == WS_FALL_BACK && fall->range_j > 0 && !(wrap_range(m, fall) > 0))
        return CLOCK_WAS_SET; /* where nothing wrapped */
    if (fall->time == WS_FALL_BACK)
        return fall->length_quarter_octave < u->interval_quarter_octave + WS_LONG_GAP_QUARTER_OCTAVES ? WENT_BACK
                                                                                                      : CLOCK_WAS_SET;
    bool at_once = fall->time == WS_FALL_AT_ONCE;
    double seconds = at_once ? u->interval_s : 1;
    double limit_w = limit_of(u, at_once ? u->interval_quarter_octave / 4 : fall->octave);
    bool exceeds = fall->step_quarter_octave >= 0 && least_of(fall->step_quarter_octave) / 1e3 / seconds > limit_w;
    if (exceeds && fall->may_slip)
        return SLIPPED;
    bool may_wrap = fall->wrap_quarter_octave >= 0 && wrap_range(m, fall) > 0 &&
                    !(least_of(fall->wrap_quarter_octave) / 1e3 / seconds > fmin(limit_w, WS_COUNTER_MOST_W));
    return may_wrap ? WRAPPED : exceeds ? WAS_SET : BEGAN_AGAIN;
}

static void see_all(ws_seen *what, const ws_seen *seen)
{
    what->line = !what->count || seen->line < what->line ? seen->line : what->line;
    what->count += seen->count;
}

static bool goes_over_wrap(const ws_decrease_bucket *fall, cause f)
{
    return f == WENT_BACK && fall->kind.range_j > 0;
}

/* May a wrap be a reset as well? It would mean far more power than any other step of the counter. */
static bool is_unlike(const ws_meter *m, const ws_decrease_kind *fall, double usual_s)
{
    double most_w = 0, seconds = fall->time == WS_FALL_AT_ONCE ? usual_s : 1;
    for (int i = 0; i < WS_OCTAVES; i++)
        most_w = fmax(most_w, m->most_w[i]);
    return most_w > 0 && least_of(fall->wrap_quarter_octave) / 1e3 / seconds > few_times * most_w;
}

static void take_steps(ws_meter *m, const ws_decrease_bucket *fall, cause f, double usual_s)
{
    if (f == WRAPPED || f == SLIPPED || f == WENT_BACK)
        ws_total_merge(&m->steps, &fall->before);
    if (f == WAS_SET)
        ws_total_merge(&m->steps, &fall->undone);
    int64_t n = (int64_t)fall->seen.count;
    if (f == WRAPPED || goes_over_wrap(fall, f))
        ws_total_add_counter(&m->steps, wrap_range(m, &fall->kind), f == WRAPPED ? n : -n);
    if (f == WRAPPED && is_unlike(m, &fall->kind, usual_s))
        m->unlike_wraps_j +=
            (double)n * wrap_range(m, &fall->kind) + ws_total_value(&fall->before, WS_PARTS); /* in place of a reset */
    if (f == WRAPPED && !(m->counter_range_j > 0))
        m->assumed_range_j = wrap_range(m, &fall->kind);
    double mean_s = (double)fall->total_ns / (double)fall->seen.count / WS_NS_PER_S;
    if (f == WRAPPED && ws_counter_most_w(m) * mean_s >= wrap_range(m, &fall->kind))
        m->wide_wraps += fall->seen.count;
}

/* A stretch that was counted twice is taken from the shortest intervals, which are no gaps. */
static void take_integral(ws_meter *m, const ws_decrease_bucket *fall, cause f)
{
    int length = f == WENT_BACK ? 0 : fall->kind.length_quarter_octave;
    if (length < 0 || f == CLOCK_WAS_SET)
        return;
    ws_interval_bucket *bucket = ws_meter_bucket(m, length);
    bucket->total_ns = ws_ns_plus(bucket->total_ns, fall->back_ns);
    if (f != WAS_SET)
        ws_total_merge(&bucket->integral, f == WRAPPED       ? &fall->as_wrap
                                          : f == BEGAN_AGAIN ? &fall->as_reset
                                                             : &fall->as_signed);
}

void ws_meter_classify_falls(ws_meter *m)
{
    ws_seen passed = {0}; /* noted as steps of the clock */
    ws_seen *seen[] = {[WRAPPED] = &m->wraps, [BEGAN_AGAIN] = &m->resets, [WAS_SET] = &m->resets,
                       [SLIPPED] = &m->slips, [WENT_BACK] = &passed,      [CLOCK_WAS_SET] = &passed};
    usual u = usual_of(m);
    uint64_t undone = 0; /* of the falls on both sides of a step back over a wrap one is the wrap */
    for (size_t i = 0; i < m->n_falls; i++) {
        const ws_decrease_bucket *fall = &m->falls[i];
        cause f = cause_of(m, &fall->kind, &u);
        see_all(seen[f], &fall->seen);
        undone += goes_over_wrap(fall, f) ? fall->seen.count : 0;
        m->reset_ns = f == BEGAN_AGAIN || f == WAS_SET ? ws_ns_plus(m->reset_ns, fall->total_ns) : m->reset_ns;
        take_steps(m, fall, f, u.interval_s);
        take_integral(m, fall, f);
    }
    m->wraps.count -= undone < m->wraps.count ? undone : m->wraps.count;
    free(m->falls);
    m->falls = NULL;
    m->n_falls = m->fall_capacity = 0;
}

/* Where it did not, a step is lost; where it did and this is denied, no more than one. So the largest step decides, and
 * not the mean; without other steps the bound of all devices. */
bool ws_meter_may_rise(const ws_meter *m, double rise_j, int64_t length_ns)
{
    double most_w = 0, power_w = power_over(rise_j, length_ns);
    for (int i = 0; i < WS_OCTAVES; i++)
        most_w = fmax(most_w, m->most_w[i]);
    return length_ns > 0 && power_w <= (most_w > 0 ? most_w * few_times : WS_COUNTER_MOST_W);
}

/* --- standing still --- */

typedef struct stillness {
    int64_t ns;
    uint64_t n;
} stillness;

static bool is_stall(stillness s)
{
    return (double)s.ns / WS_NS_PER_S >= least_stall_s && s.n >= stall_readings;
}

static bool is_long(stillness s)
{
    return (double)s.ns / WS_NS_PER_S >= stuck_s && s.n >= stuck_readings;
}

static stillness longer(stillness a, stillness b)
{
    return a.ns > b.ns || (a.ns == b.ns && a.n >= b.n) ? a : b;
}

static void keep_ended(ws_meter *m, int power_quarter_octave, stillness s, stillness all)
{
    size_t i = 0;
    while (i < m->still.n_ended && m->still.ended[i].power_quarter_octave != power_quarter_octave)
        i++;
    if (i == m->still.n_ended) {
        m->still.ended =
            ws_grow(m->still.ended, &m->still.ended_capacity, m->still.n_ended + 1, sizeof *m->still.ended);
        m->still.ended[m->still.n_ended++] = (ws_still_bucket){.power_quarter_octave = power_quarter_octave};
    }
    ws_still_bucket *bucket = &m->still.ended[i];
    stillness longest = longer((stillness){bucket->longest_ns, bucket->readings}, s);
    bucket->longest_ns = longest.ns;
    bucket->readings = longest.n;
    bucket->all_ns = ws_ns_plus(bucket->all_ns, all.ns);
    bucket->all_readings += all.n;
}

/* The stretch that goes on ends with its last reading at last_ns, and with a step at t_ns. */
static void end_stretch(ws_meter *m, int64_t last_ns, int64_t t_ns, double rise_j)
{
    stillness s = {ws_ns_minus(last_ns, m->still.from_ns), m->still.n};
    if (!m->still.has_moved) {
        m->still.has_moved = true;
        m->still.lead_ns = s.ns;
        m->still.lead_n = s.n;
        m->still.lead_move_ns = t_ns;
        m->still.lead_move_j = rise_j;
    } else if (is_long(s) && isfinite(rise_j)) {
        int64_t ns = ws_ns_minus(t_ns, m->still.from_ns);
        keep_ended(m, power_key(power_over(rise_j, ns)), s, s);
        m->still.ended_ns = ws_ns_plus(m->still.ended_ns, ns);
        ws_total_add_counter(&m->still.ended_j, rise_j, 1);
    } else if (is_stall(s) && isfinite(rise_j)) {
        m->still.brief.n++;
        m->still.brief.still_ns = ws_ns_plus(m->still.brief.still_ns, s.ns);
        m->still.brief.ns = ws_ns_plus(m->still.brief.ns, ws_ns_minus(t_ns, m->still.from_ns));
        ws_total_add_counter(&m->still.brief.j, rise_j, 1);
        m->still.brief.most_rise_j = fmax(m->still.brief.most_rise_j, rise_j);
    }
}

static void see_least(ws_meter *m, double rise_j)
{
    if (rise_j > 0 && isfinite(rise_j) && !(m->still.least_rise_j > 0 && m->still.least_rise_j <= rise_j))
        m->still.least_rise_j = rise_j;
}

double ws_meter_moved_j(const ws_meter *m, const ws_meter_sample *s, int64_t length_ns)
{
    if (s->value >= m->last_value)
        return ws_counter_rise(m->last_value, s->value);
    double range_j = range_above(m, m->last_value), seconds = (double)length_ns / WS_NS_PER_S;
    double wrap_j = range_j + ws_counter_rise(m->last_value, s->value);
    if (range_j > 0 && wrap_j >= 0 && ws_counter_most_w(m) * seconds < range_j)
        return wrap_j; /* no further round fits in the time */
    if (range_j > 0)
        return INFINITY;
    return s->value <= reset_most_w * ((double)length_ns / WS_NS_PER_S) ? s->value : 0;
}

void ws_meter_see_hidden(ws_meter *m, int64_t collects_ns, int64_t length_ns)
{
    for (int i = 0; i < WS_RAPL_RANGES; i++) {
        double range_j = m->counter_range_j > 0 ? m->counter_range_j : ws_rapl_ranges[i];
        m->still.hidden[i] += floor(ws_counter_most_w(m) * ((double)collects_ns / WS_NS_PER_S) / range_j) -
                              floor(ws_counter_most_w(m) * ((double)length_ns / WS_NS_PER_S) / range_j);
    }
}

double ws_meter_hidden_while_still(const ws_meter *m, double range_j)
{
    int i = 0;
    while (i < WS_RAPL_RANGES - 1 && !(m->counter_range_j > 0) && ws_rapl_ranges[i] != range_j)
        i++;
    return m->still.hidden[i];
}

bool ws_draws_always(ws_domain domain)
{
    return domain == WS_GPU || domain == WS_CPU || domain == WS_DRAM || domain == WS_NODE || domain == WS_WALL;
}

double ws_creep_w(ws_domain domain)
{
    return ws_draws_always(domain) ? creep_w : 0;
}

void ws_meter_see_still(ws_meter *m)
{
    m->still.n++;
}

void ws_meter_see_move(ws_meter *m, int64_t t_ns, double rise_j, bool falls)
{
    if (!falls) /* the rise of a wrap follows from a range that may be a guess */
        see_least(m, rise_j);
    end_stretch(m, m->last_t, t_ns, rise_j);
    m->still.from_ns = t_ns;
    m->still.n = 0;
}

void ws_meter_add_ended(ws_meter *into, const ws_meter *next)
{
    for (size_t i = 0; i < next->still.n_ended; i++) {
        const ws_still_bucket *from = &next->still.ended[i];
        keep_ended(into, from->power_quarter_octave, (stillness){from->longest_ns, from->readings},
                   (stillness){from->all_ns, from->all_readings});
    }
    into->still.ended_ns = ws_ns_plus(into->still.ended_ns, next->still.ended_ns);
    ws_total_merge(&into->still.ended_j, &next->still.ended_j);
    into->still.brief.n += next->still.brief.n;
    into->still.brief.still_ns = ws_ns_plus(into->still.brief.still_ns, next->still.brief.still_ns);
    into->still.brief.ns = ws_ns_plus(into->still.brief.ns, next->still.brief.ns);
    ws_total_merge(&into->still.brief.j, &next->still.brief.j);
    into->still.brief.most_rise_j = fmax(into->still.brief.most_rise_j, next->still.brief.most_rise_j);
}

void ws_meter_merge_still(ws_meter *into, const ws_meter *next)
{
    see_least(into, next->still.least_rise_j);
    for (int i = 0; i < WS_RAPL_RANGES; i++)
        into->still.hidden[i] += next->still.hidden[i];
    if (!next->still.has_moved) {
        into->still.n += next->still.n;
        return;
    }
    into->still.n += next->still.lead_n;
    end_stretch(into, ws_ns_plus(next->first_t, next->still.lead_ns), next->still.lead_move_ns,
                next->still.lead_move_j);
    ws_meter_add_ended(into, next);
    into->still.from_ns = next->still.from_ns;
    into->still.n = next->still.n;
}

typedef struct motion {
    double joules;
    int64_t ns;
} motion;

/* Beside the long stretches. */
static motion motion_of(const ws_meter *m, stillness lead, stillness open)
{
    motion moves = {.joules = ws_total_value(&m->steps, WS_PARTS) - ws_total_value(&m->still.ended_j, WS_PARTS),
                    .ns = ws_ns_minus(ws_ns_minus(m->last_t, m->first_t), m->still.ended_ns)};
    if (is_long(lead)) {
        moves.ns = ws_ns_minus(moves.ns, ws_ns_minus(m->still.lead_move_ns, m->first_t));
        moves.joules -= isfinite(m->still.lead_move_j) ? m->still.lead_move_j : 0;
    }
    moves.ns = is_long(open) ? ws_ns_minus(moves.ns, open.ns) : moves.ns;
    return moves;
}

/* Where no other power is left, that of the whole log. */
static double moving_power(const ws_meter *m, stillness lead, stillness open)
{
    motion moves = motion_of(m, lead, open);
    double power_w = power_over(moves.joules, moves.ns);
    return power_w > 0 ? power_w : power_over(ws_total_value(&m->steps, WS_PARTS), ws_ns_minus(m->last_t, m->first_t));
}

/* Long ones of one counter: the longest, and all of them. */
typedef struct standstills {
    stillness longest, all;
} standstills;

static void add_standstill(standstills *sum, stillness longest, stillness all)
{
    if (!is_long(longest))
        return;
    sum->longest = longer(sum->longest, longest);
    sum->all.ns = ws_ns_plus(sum->all.ns, all.ns);
    sum->all.n += all.n;
}

double ws_meter_stuck_s(const ws_meter *m, uint64_t *readings)
{
    stillness lead = {m->still.has_moved ? m->still.lead_ns : 0, m->still.lead_n};
    stillness open = {ws_ns_minus(m->last_t, m->still.from_ns), m->still.n};
    double usual_w = moving_power(m, lead, open), least_w = usual_w * caught_up;
    standstills sum = {0};
    add_standstill(&sum, open, open);
    if (power_over(m->still.lead_move_j, ws_ns_minus(m->still.lead_move_ns, m->first_t)) < least_w)
        add_standstill(&sum, lead, lead);
    for (size_t i = 0; i < m->still.n_ended; i++) {
        const ws_still_bucket *b = &m->still.ended[i];
        if (least_of(b->power_quarter_octave) / 1e3 < least_w)
            add_standstill(&sum, (stillness){b->longest_ns, b->readings}, (stillness){b->all_ns, b->all_readings});
    }
    double rises = m->still.brief.n ? stuck_rises : stuck_steady_rises;
    bool may_be_slow = (double)sum.longest.ns / WS_NS_PER_S < rises * m->still.least_rise_j / usual_w;
    *readings = sum.all.n;
    return is_long(sum.longest) && m->last_value > 0 && !may_be_slow ? (double)sum.all.ns / WS_NS_PER_S : 0;
}

static bool is_count(double rise_j, double count_j)
{
    return fabs(rise_j / count_j - rint(rise_j / count_j)) < of_a_count;
}

static bool is_coarse(const ws_meter *m, double brief_j)
{
    double count_j = m->still.least_rise_j;
    return brief_j < most_counts * count_j * (double)m->still.brief.n && is_count(brief_j, count_j) &&
           is_count(m->still.brief.most_rise_j, count_j);
}

double ws_meter_stalled_j(const ws_meter *m, double *stall_s)
{
    stillness lead = {m->still.has_moved ? m->still.lead_ns : 0, m->still.lead_n};
    stillness open = {ws_ns_minus(m->last_t, m->still.from_ns), m->still.n};
    motion others = motion_of(m, lead, open);
    double brief_j = ws_total_value(&m->still.brief.j, WS_PARTS);
    others.joules -= brief_j;
    others.ns = ws_ns_minus(others.ns, m->still.brief.ns);
    double usual_j = power_over(others.joules, others.ns) * (double)m->still.brief.ns / WS_NS_PER_S;
    *stall_s = (double)m->still.brief.ns / WS_NS_PER_S;
    bool stalls = (double)m->still.brief.still_ns / WS_NS_PER_S >= stalls_s && !is_coarse(m, brief_j) &&
                  brief_j < caught_up * usual_j;
    return stalls ? usual_j - brief_j : 0;
}
