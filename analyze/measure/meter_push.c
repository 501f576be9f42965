/* How a meter takes readings: one at a time (integrate the interval before the reading, then count the reading), or
 * many usual ones at once (meter_batch.c), with the same result to the last bit. */
#include "analyze/measure/meter.h"
#include "analyze/measure/meter_internal.h"

#include <math.h>

/* Adds the trapezoid of dt ns between two readings to a bucket; a negative dt subtracts it. */
static ws_interval_bucket *add_trapezoid(ws_meter *m, int quarter_octave, double v0, double v1, int64_t dt)
{
    ws_interval_bucket *bucket = ws_meter_bucket(m, quarter_octave);
    bucket->total_ns = ws_ns_plus(bucket->total_ns, dt);
    ws_total_add_times(&bucket->integral, v0, dt);
    ws_total_add_times(&bucket->integral, v1, dt);
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

/* The step of a counter from the last reading to this one. The sum is over readings, not over their differences,
 * because a difference of decimals is not exact. */
static void add_step(ws_meter *m, const ws_meter_sample *s, int64_t length_ns)
{
    bool falls = s->value < m->last_value;
    if (s->value == m->last_value)
        ws_meter_see_still(m);
    else
        ws_meter_see_move(m, s->t_ns, falls ? INFINITY : ws_counter_rise(m->last_value, s->value));
    if (falls && ws_meter_add_decrease(m, s))
        return;
    ws_total_add_counter(&m->steps, s->value, 1);
    if (falls) {
        ws_meter_see(&m->resets, s->line);
        add_energy(m, s->t_ns, length_ns, s->value);
    } else {
        ws_total_add_counter(&m->steps, m->last_value, -1);
        double rise_j = ws_counter_rise(m->last_value, s->value);
        add_energy(m, s->t_ns, length_ns, rise_j);
        ws_meter_see_rise(m, rise_j, length_ns);
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

void ws_meter_integrate(ws_meter *m, const ws_meter_sample *s)
{
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
    if (!m->has_last)
        m->rising_start = m->still.from_ns = s->t_ns;
    if (!m->has_last)
        m->first_t = ws_rule_looks_back(m->rule) && s->has_interval ? ws_ns_minus(s->t_ns, s->interval_ns) : s->t_ns;
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
    ws_total_add_times(&m->total, s->value, 1);
    ws_total_add_square_times(&m->squares, s->value, 1);
}

/* A leading zero of a counter: a reading or a failed read (ws_meter.head). */
static bool is_undecided_zero(const ws_meter *m, double value)
{
    return value == 0 && m->rule == WS_RULE_COUNTER && !m->has_last && !m->is_head && !m->counter_from_zero;
}

static void push_one(ws_meter *m, const ws_block *block, size_t i)
{
    ws_meter_sample s = {.value = ws_as_stated(block->value[i]),
                         .t_ns = block->t_ns ? block->t_ns[i] : 0,
                         .line = block->line ? block->line[i] : 0,
                         .has_interval = block->interval_ns != NULL,
                         .interval_ns = block->interval_ns ? block->interval_ns[i] : 0};
    if (is_undecided_zero(m, s.value)) {
        ws_meter_see(&m->head_zeros, s.line);
        push_one(ws_meter_head(m), block, i);
        return;
    }
    if (m->counter_from_zero && !m->has_last)
        begin_at_zero(m, &s);
    bool failed_read = m->rule == WS_RULE_COUNTER && s.value == 0 && m->has_last && m->last_value > 0;
    if (!ws_is_reading(s.value) || failed_read) {
        ws_meter_see(failed_read ? &m->zero_reads : &m->refused, s.line);
        m->missing += ws_meter_is_inside(m, s.t_ns);
        return;
    }
    count_value(m, &s);
    if (block->t_ns)
        ws_meter_integrate(m, &s);
    if (!m->has_last) {
        m->first_value = s.value;
        m->first = s;
    }
    m->last_value = s.value;
    m->has_last = true;
}

/* Takes many usual samples from `first` on; none if the first is not usual itself. */
static size_t push_many(ws_meter *m, const ws_block *block, size_t first)
{
    enum { WORTH_A_BULK = 4 };
    if (block->n - first < WORTH_A_BULK)
        return 0;
    size_t taken = ws_meter_batches(m, block, first);
    return taken ? taken : ws_meter_bulk(m, block, first);
}

void ws_meter_push(ws_meter *m, const ws_block *block)
{
    for (size_t i = 0, taken; i < block->n; i += taken) {
        taken = push_many(m, block, i);
        if (!taken) {
            push_one(m, block, i);
            taken = 1;
        }
    }
}
