/* Each struct of a measure is described once, in the order of its fields, and the description both writes and reads it
 * (packer_internal.h). A struct that grows does not compile until its description is looked at (OF_SIZE). pack_write.c
 * and pack_read.c include this, each for one direction: the code of both at once is 60 KB, which the caches of a
 * processor feel. */
#ifndef WS_ANALYZE_PACK_FIELDS_INTERNAL_H
#define WS_ANALYZE_PACK_FIELDS_INTERNAL_H

#include "analyze/measure/pack.h"

#include "analyze/measure/packer_internal.h"

#include <math.h>
#include <stdlib.h>

/* The descriptions below are complete for structs of these sizes. */
#if defined __x86_64__
#define OF_SIZE(type, size) \
    _Static_assert(sizeof(type) == (size), "describe the fields of " #type " below, and raise WS_RECORD_VERSION")
#else
#define OF_SIZE(type, size) _Static_assert(1, "")
#endif

static void pack_i128(ws_packer *p, __int128 *value)
{
    uint64_t limbs[2] = {(uint64_t)*value, (uint64_t)((unsigned __int128)*value >> 64)};
    ws_pack_wide(p, limbs, 2);
    *value = (__int128)((unsigned __int128)limbs[1] << 64 | limbs[0]);
}

static void pack_total(ws_packer *p, ws_total *total)
{
    ws_pack_wide(p, total->other.limb, 4);
    ws_pack_wide(p, total->parts.limb, 4);
}

static void pack_seen(ws_packer *p, ws_seen *seen)
{
    ws_pack_u64(p, &seen->count);
    ws_pack_i64(p, &seen->line);
}

static void pack_status(ws_packer *p, ws_energy_status *status)
{
    const char *text = *status ? ws_energy_status_name(*status) : NULL;
    ws_pack_text(p, &text);
    *status = WS_STATUS_OK;
    p->failed |= text && !ws_energy_status_named(text, status);
}

static void pack_question(ws_packer *p, ws_question *question)
{
    ws_energy_status status = ws_question_status(*question);
    pack_status(p, &status);
    *question = ws_question_of(ws_energy_status_name(status));
    p->failed |= status && !*question;
}

static bool is_seen(const ws_seen *seen)
{
    return seen->count || seen->line;
}

static bool is_zero(const ws_total *total)
{
    uint64_t any = 0;
    for (size_t i = 0; i < 4; i++)
        any |= total->other.limb[i] | total->parts.limb[i];
    return !any;
}

/* --- the meter --- */

OF_SIZE(ws_meter_sample, 40);
static void pack_sample(ws_packer *p, ws_meter_sample *s)
{
    ws_pack_i64(p, &s->t_ns);
    ws_pack_i64(p, &s->line);
    ws_pack_double(p, &s->value);
    ws_pack_bool(p, &s->has_interval);
    ws_pack_i64(p, &s->interval_ns);
}

enum { MOST_QUARTER_OCTAVES = 4 * 64 };

OF_SIZE(ws_interval_bucket, 152);
static void pack_bucket(ws_packer *p, ws_interval_bucket *b)
{
    ws_pack_int(p, &b->quarter_octave, 0, MOST_QUARTER_OCTAVES);
    ws_pack_u64(p, &b->count);
    ws_pack_i64(p, &b->total_ns);
    pack_total(p, &b->integral);
    pack_total(p, &b->squares);
}

OF_SIZE(ws_decrease_kind, 32);
OF_SIZE(ws_decrease_bucket, 448);
static void pack_fall(ws_packer *p, ws_decrease_bucket *b)
{
    WS_PACK_ENUM(p, &b->kind.time, WS_FALL_BACK + 1);
    ws_pack_int(p, &b->kind.octave, 0, WS_OCTAVES);
    ws_pack_double(p, &b->kind.range_j);
    ws_pack_int(p, &b->kind.wrap_quarter_octave, -1, MOST_QUARTER_OCTAVES);
    ws_pack_bool(p, &b->kind.may_slip);
    ws_pack_int(p, &b->kind.step_quarter_octave, -1, MOST_QUARTER_OCTAVES);
    ws_pack_int(p, &b->kind.length_quarter_octave, -1, MOST_QUARTER_OCTAVES);
    pack_seen(p, &b->seen);
    ws_pack_i64(p, &b->total_ns);
    ws_pack_i64(p, &b->back_ns);
    ws_total *const totals[] = {&b->before, &b->after, &b->undone, &b->as_wrap, &b->as_reset, &b->as_signed};
    for (size_t i = 0; i < sizeof totals / sizeof *totals; i++)
        pack_total(p, totals[i]);
}

/* Numbers of eight bytes of which most are 0: the places of the others, and their values. Counts are packed as such,
 * others as doubles. */
static void pack_sparse(ws_packer *p, void *numbers, size_t n, bool are_counts)
{
    uint64_t *counts = are_counts ? numbers : NULL;
    double *values = are_counts ? NULL : numbers;
    size_t used = 0, at = 0;
    for (size_t i = 0; i < n && WS_PACKER_WRITES(p); i++)
        used += are_counts ? counts[i] != 0 : values[i] != 0;
    ws_pack_count(p, &used);
    for (size_t k = 0; k < used && !p->failed; k++) {
        while (WS_PACKER_WRITES(p) && (are_counts ? counts[at] == 0 : values[at] == 0))
            at++;
        size_t place = at;
        ws_pack_size(p, &place);
        p->failed |= place >= n;
        if (!p->failed && are_counts)
            ws_pack_u64(p, &counts[place]);
        else if (!p->failed)
            ws_pack_double(p, &values[place]);
        at = place + 1;
    }
}

OF_SIZE(ws_still_bucket, 40);
OF_SIZE(ws_rising, 16);
static bool has_stood_still(const ws_meter *m)
{
    bool any = m->still.has_moved || m->still.n || m->still.lead_n || m->still.n_ended || m->still.from_ns ||
               m->still.lead_ns || m->still.lead_move_ns || m->still.ended_ns || m->still.least_rise_j != 0 ||
               m->still.lead_move_j != 0 || !is_zero(&m->still.ended_j);
    for (size_t i = 0; i < WS_RAPL_RANGES; i++)
        any |= m->still.hidden[i] != 0;
    return any;
}

static void pack_still(ws_packer *p, ws_meter *m)
{
    if (!ws_pack_whether(p, has_stood_still(m)))
        return;
    ws_pack_bool(p, &m->still.has_moved);
    ws_pack_double(p, &m->still.least_rise_j);
    ws_pack_i64(p, &m->still.from_ns);
    ws_pack_u64(p, &m->still.n);
    ws_pack_i64(p, &m->still.lead_ns);
    ws_pack_u64(p, &m->still.lead_n);
    ws_pack_i64(p, &m->still.lead_move_ns);
    ws_pack_double(p, &m->still.lead_move_j);
    ws_pack_i64(p, &m->still.ended_ns);
    pack_total(p, &m->still.ended_j);
    pack_sparse(p, m->still.hidden, WS_RAPL_RANGES, false);
    if (ws_pack_whether(p, m->still.brief.n)) {
        ws_pack_u64(p, &m->still.brief.n);
        ws_pack_i64(p, &m->still.brief.still_ns);
        ws_pack_i64(p, &m->still.brief.ns);
        pack_total(p, &m->still.brief.j);
        ws_pack_double(p, &m->still.brief.most_rise_j);
    }
    ws_pack_count(p, &m->still.n_ended);
    if (!WS_PACKER_WRITES(p) && m->still.n_ended)
        m->still.ended = ws_grow(NULL, &m->still.ended_capacity, m->still.n_ended, sizeof *m->still.ended);
    for (size_t i = 0; i < m->still.n_ended && !p->failed; i++) {
        ws_still_bucket *b = &m->still.ended[i];
        ws_pack_int(p, &b->power_quarter_octave, -MOST_QUARTER_OCTAVES, MOST_QUARTER_OCTAVES);
        ws_pack_i64(p, &b->longest_ns);
        ws_pack_u64(p, &b->readings);
        ws_pack_i64(p, &b->all_ns);
        ws_pack_u64(p, &b->all_readings);
    }
}

static void pack_lists(ws_packer *p, ws_meter *m)
{
    ws_pack_count(p, &m->n_buckets);
    if (!WS_PACKER_WRITES(p) && m->n_buckets)
        m->buckets = ws_grow(NULL, &m->bucket_capacity, m->n_buckets, sizeof *m->buckets);
    for (size_t i = 0; i < m->n_buckets && !p->failed; i++)
        pack_bucket(p, &m->buckets[i]);
    ws_pack_count(p, &m->n_falls);
    if (!WS_PACKER_WRITES(p) && m->n_falls)
        m->falls = ws_grow(NULL, &m->fall_capacity, m->n_falls, sizeof *m->falls);
    for (size_t i = 0; i < m->n_falls && !p->failed; i++)
        pack_fall(p, &m->falls[i]);
    ws_pack_count(p, &m->n_rising);
    if (!WS_PACKER_WRITES(p) && m->n_rising)
        m->rising = ws_grow(NULL, &m->rising_capacity, m->n_rising, sizeof *m->rising);
    for (size_t i = 0; i < m->n_rising && !p->failed; i++) {
        ws_pack_i64(p, &m->rising[i].start_ns);
        ws_pack_i64(p, &m->rising[i].end_ns);
    }
}

static void pack_pace_run(ws_packer *p, ws_pace_run *run)
{
    ws_pack_i64(p, &run->from_ns);
    ws_pack_i64(p, &run->to_ns);
    ws_pack_i64(p, &run->first_ns);
    ws_pack_i64(p, &run->last_ns);
    ws_pack_u64(p, &run->n);
}

OF_SIZE(ws_pace, 128);
static void pack_pace(ws_packer *p, ws_pace *pace)
{
    if (!ws_pack_whether(p, pace->has_any))
        return;
    pace->has_any = true;
    ws_pack_i64(p, &pace->first_t);
    ws_pack_i64(p, &pace->last_t);
    if (ws_pack_whether(p, pace->first.n))
        pack_pace_run(p, &pace->first);
    if (ws_pack_whether(p, pace->last.n))
        pack_pace_run(p, &pace->last);
    ws_pack_count(p, &pace->n_buckets);
    if (!WS_PACKER_WRITES(p) && pace->n_buckets)
        pace->buckets = ws_grow(NULL, &pace->capacity, pace->n_buckets, sizeof *pace->buckets);
    for (size_t i = 0; i < pace->n_buckets && !p->failed; i++) {
        ws_pack_int(p, &pace->buckets[i].quarter_octave, 0, MOST_QUARTER_OCTAVES);
        ws_pack_i64(p, &pace->buckets[i].ns);
    }
}

/* Of a counter. */
static bool has_steps(const ws_meter *m)
{
    bool any = m->wide_wraps || m->assumed_range_j != 0 || m->unlike_wraps_j != 0 || m->reset_ns;
    for (size_t i = 0; i < WS_OCTAVES; i++)
        any |= m->most_w[i] != 0;
    return any;
}

static void pack_counts(ws_packer *p, ws_meter *m)
{
    ws_seen *const seen[] = {&m->refused, &m->back_steps, &m->duplicates, &m->zero_reads, &m->wraps, &m->resets,
                             &m->slips,   &m->negatives,  &m->zeros,      &m->head_zeros, &m->again};
    uint64_t which = 0;
    for (size_t i = 0; i < sizeof seen / sizeof *seen; i++)
        which |= (uint64_t)is_seen(seen[i]) << i;
    ws_pack_u64(p, &which);
    for (size_t i = 0; i < sizeof seen / sizeof *seen; i++)
        if (which >> i & 1)
            pack_seen(p, seen[i]);
    if (m->again.count)
        pack_total(p, &m->again_j);
    if (ws_pack_whether(p, m->behind_zero.n)) {
        ws_pack_u64(p, &m->behind_zero.n);
        pack_total(p, &m->behind_zero.j);
        ws_pack_double(p, &m->behind_zero.least_j);
        ws_pack_double(p, &m->behind_zero.most_j);
    }
    if (m->refused.count) {
        ws_pack_i64(p, &m->refused_from_ns);
        ws_pack_i64(p, &m->refused_until_ns);
    }
    if (ws_pack_whether(p, has_steps(m))) {
        ws_pack_u64(p, &m->wide_wraps);
        ws_pack_double(p, &m->assumed_range_j);
        ws_pack_double(p, &m->unlike_wraps_j);
        ws_pack_i64(p, &m->reset_ns);
        pack_sparse(p, m->most_w, WS_OCTAVES, false);
    }
    ws_pack_int(p, &m->usual_quarter_octave, 0, MOST_QUARTER_OCTAVES);
    ws_pack_double(p, &m->usual_s);
    ws_pack_i64(p, &m->rising_start);
}

static void pack_meter(ws_packer *p, ws_meter *m);

/* The leading zeros of a counter, a meter of their own. */
static void pack_head(ws_packer *p, ws_meter *m)
{
    bool has_head = m->head;
    ws_pack_bool(p, &has_head);
    p->failed |= has_head && m->is_head;
    if (!has_head || p->failed)
        return;
    if (!WS_PACKER_WRITES(p)) {
        m->head = ws_alloc(sizeof *m->head);
        *m->head = (ws_meter){.rule = m->rule,
                              .time = m->time,
                              .domain = m->domain,
                              .counter_range_j = m->counter_range_j,
                              .options = m->options,
                              .refused_from_ns = INT64_MAX,
                              .refused_until_ns = INT64_MIN,
                              .is_head = true};
        m->head->options.continues = false;
    }
    pack_meter(p, m->head);
}

/* The options are those of the measure: the meter was initialised with them. */
OF_SIZE(ws_meter, 1800);
static void pack_meter(ws_packer *p, ws_meter *m)
{
    ws_pack_double(p, &m->counter_range_j);
    ws_pack_bool(p, &m->counter_from_zero);
    ws_pack_u64(p, &m->samples);
    ws_pack_u64(p, &m->missing);
    ws_pack_double(p, &m->min);
    ws_pack_double(p, &m->max);
    pack_total(p, &m->total);
    pack_total(p, &m->squares);
    pack_total(p, &m->steps);
    ws_pack_bool(p, &m->has_last);
    ws_pack_i64(p, &m->first_t);
    ws_pack_i64(p, &m->last_t);
    ws_pack_double(p, &m->last_value);
    ws_pack_double(p, &m->first_value);
    pack_sample(p, &m->first);
    ws_pack_bool(p, &m->first_interval_unknown);
    ws_pack_i64(p, &m->longest_ns);
    pack_lists(p, m);
    pack_counts(p, m);
    pack_pace(p, &m->pace);
    pack_still(p, m);
    pack_head(p, m);
}

/* --- what watches beside the meter --- */

OF_SIZE(ws_counter_glitch, 328);
static void pack_glitch(ws_packer *p, ws_counter_glitch *g)
{
    p->failed |= WS_PACKER_WRITES(p) && g->n; /* those that wait were flushed */
    if (!ws_pack_whether(p, g->has_last || is_seen(&g->seen) || g->last_t || g->moved_ns || g->pace_w != 0))
        return;
    ws_pack_bool(p, &g->has_last);
    ws_pack_double(p, &g->last_value);
    ws_pack_i64(p, &g->last_t);
    ws_pack_i64(p, &g->moved_ns);
    ws_pack_double(p, &g->pace_w);
    pack_seen(p, &g->seen);
}

OF_SIZE(ws_limits, 440);
static void pack_high(ws_packer *p, ws_high *high)
{
    if (!ws_pack_whether(p, is_seen(&high->seen) || high->most_w != 0 || !is_zero(&high->sum)))
        return;
    pack_seen(p, &high->seen);
    ws_pack_double(p, &high->most_w);
    pack_total(p, &high->sum);
}

static void pack_limits(ws_packer *p, ws_limits *l)
{
    ws_pack_bool(p, &l->has_last);
    ws_pack_i64(p, &l->last_t);
    ws_pack_double(p, &l->last_value);
    ws_pack_double(p, &l->least_w);
    ws_pack_double(p, &l->watts_least_w);
    pack_high(p, &l->odd);
    pack_high(p, &l->rare);
    pack_seen(p, &l->impossible);
    if (ws_pack_whether(p, is_seen(&l->tiny) || isfinite(l->tiny_least_w) || l->tiny_most_w != 0 ||
                               !is_zero(&l->tiny_sum))) {
        pack_seen(p, &l->tiny);
        ws_pack_double(p, &l->tiny_least_w);
        ws_pack_double(p, &l->tiny_most_w);
        pack_total(p, &l->tiny_sum);
    }
    bool *const lows[] = {&l->lows.has_any, &l->lows.first_is, &l->lows.last_is};
    ws_pack_flags(p, lows, 3);
    ws_pack_double(p, &l->lows.next_w);
    if (ws_pack_whether(p, is_seen(&l->lows.seen) || l->lows.stretches || l->lows.most_w != 0)) {
        pack_seen(p, &l->lows.seen);
        ws_pack_u64(p, &l->lows.stretches);
        ws_pack_double(p, &l->lows.most_w);
    }
}

OF_SIZE(ws_power_size, 40);
OF_SIZE(ws_power_times, 984);
static void pack_power_times(ws_packer *p, ws_power_times *times)
{
    bool is_watched = times->is_watched;
    ws_pack_bool(p, &is_watched);
    if (is_watched && !times->is_watched)
        ws_power_times_init(times, INT64_MIN, INT64_MAX);
    for (int i = 0; i < WS_POWER_SIZES && is_watched && !p->failed; i++) {
        ws_power_size *size = &times->of[i];
        if (!ws_pack_whether(p, size->inside || size->before || size->behind))
            continue;
        ws_pack_u64(p, &size->inside);
        ws_pack_u64(p, &size->before);
        ws_pack_u64(p, &size->behind);
        ws_pack_i64(p, &size->first_ns);
        ws_pack_i64(p, &size->last_ns);
    }
}

OF_SIZE(ws_unused_time, 56);
static void pack_unused(ws_packer *p, ws_unused_time *u)
{
    ws_pack_i64(p, &u->first_ns);
    ws_pack_i64(p, &u->last_ns);
    ws_pack_double(p, &u->first);
    ws_pack_double(p, &u->last);
    ws_pack_i64(p, &u->ns);
}

OF_SIZE(ws_quiet, 1568);
static void pack_quiet(ws_packer *p, ws_quiet *q)
{
    bool *const flags[] = {&q->has_any, &q->first_is, &q->last_is, &q->has_more};
    ws_pack_flags(p, flags, 4);
    ws_pack_count(p, &q->n);
    p->failed |= q->n > WS_QUIET_KEPT;
    for (size_t i = 0; i < q->n && !p->failed; i++) {
        ws_pack_i64(p, &q->kept[i].from_ns);
        ws_pack_i64(p, &q->kept[i].to_ns);
        ws_pack_u64(p, &q->kept[i].n);
    }
}

OF_SIZE(ws_power_top, 64);
static void pack_top(ws_packer *p, ws_power_top *top)
{
    bool *const flags[] = {&top->has_any, &top->first_is, &top->last_is};
    bool stands_apart = ws_power_top_stands_apart(top);
    if (!ws_pack_whether(p, stands_apart)) { /* nearly all: as if all readings were of this power */
        ws_pack_double(p, &top->most_w);
        if (!WS_PACKER_WRITES(p))
            top->next_w = top->most_w;
        top->has_any = true;
        return;
    }
    ws_pack_flags(p, flags, 3);
    ws_pack_double(p, &top->most_w);
    ws_pack_double(p, &top->next_w);
    pack_seen(p, &top->seen);
    ws_pack_u64(p, &top->stretches);
}

static void pack_order(ws_packer *p, ws_order *order)
{
    ws_seen moved;
    uint64_t missing;
    ws_order_counts(order, &moved, &missing);
    pack_seen(p, &moved);
    ws_pack_u64(p, &missing);
    ws_order_set_counts(order, &moved, missing);
}

static void pack_still_run(ws_packer *p, ws_standstill_run *run)
{
    ws_pack_double(p, &run->value);
    ws_pack_i64(p, &run->from_ns);
    ws_pack_i64(p, &run->to_ns);
    ws_pack_u64(p, &run->n);
}

static void pack_still_sum(ws_packer *p, ws_standstill_sum *sum)
{
    if (!ws_pack_whether(p, sum->ns != 0))
        return; /* none counted: all of it is 0 */
    ws_pack_i64(p, &sum->ns);
    ws_pack_i64(p, &sum->longest_ns);
    ws_pack_u64(p, &sum->longest_n);
    ws_pack_double(p, &sum->energy_j);
}

OF_SIZE(ws_standstill, 320);
static void pack_standstill(ws_packer *p, ws_standstill *s)
{
    pack_still_run(p, &s->first);
    pack_still_run(p, &s->last);
    for (int i = 0; i < WS_STANDSTILL_KINDS; i++)
        pack_still_sum(p, &s->of[i]);
    if (s->steps != WS_STILL_EQUAL)
        return;
    pack_still_sum(p, &s->brief);
    if (s->brief.ns)
        ws_pack_u64(p, &s->n_brief);
}

/* A number near another one; a damaged record may wrap round. */
static void pack_beside(ws_packer *p, int64_t *value, int64_t other)
{
    int64_t more = (int64_t)((uint64_t)*value - (uint64_t)other);
    ws_pack_i64(p, &more);
    *value = (int64_t)((uint64_t)other + (uint64_t)more);
}

static void pack_run_beside(ws_packer *p, ws_standstill_run *run, const ws_standstill_run *equal)
{
    if (!ws_pack_whether(p, memcmp(run, equal, sizeof *run) != 0)) {
        *run = *equal;
        return;
    }
    if (ws_pack_whether(p, memcmp(&run->value, &equal->value, sizeof run->value) != 0))
        ws_pack_double(p, &run->value);
    else
        run->value = equal->value;
    pack_beside(p, &run->from_ns, equal->from_ns);
    pack_beside(p, &run->to_ns, equal->to_ns);
    ws_pack_u64(p, &run->n);
}

/* Mostly nearly the same as that of equal readings, which is packed before it. */
static void pack_wavering(ws_packer *p, ws_standstill *s, const ws_standstill *equal)
{
    pack_run_beside(p, &s->first, &equal->first);
    pack_run_beside(p, &s->last, &equal->last);
    if (ws_pack_whether(p, memcmp(s->of, equal->of, sizeof s->of) != 0))
        for (int i = 0; i < WS_STANDSTILL_KINDS; i++)
            pack_still_sum(p, &s->of[i]);
    else
        memcpy(s->of, equal->of, sizeof s->of);
}

static void pack_step(ws_packer *p, ws_sampling_step *step)
{
    ws_pack_i64(p, &step->cost);
    ws_pack_int(p, &step->octave, 0, WS_SAMPLING_OCTAVES - 1);
}

/* A step that is mostly the same as another one, which is packed before it. */
static void pack_step_beside(ws_packer *p, ws_sampling_step *step, const ws_sampling_step *other)
{
    if (ws_pack_whether(p, step->cost != other->cost || step->octave != other->octave))
        pack_step(p, step);
    else
        *step = *other;
}

static void pack_octave(ws_packer *p, ws_sampling_octave *o)
{
    __int128 squares = (__int128)o->squares;
    ws_pack_u64(p, &o->intervals);
    ws_pack_i64(p, &o->total_ns);
    pack_i128(p, &squares);
    pack_i128(p, &o->products);
    if (ws_pack_whether(p, o->chained != o->products)) /* where a step is in each interval they are equal */
        pack_i128(p, &o->chained);
    else
        o->chained = o->products;
    o->squares = (unsigned __int128)squares;
}

static bool is_empty(const ws_sampling_octave *o)
{
    return !o->intervals && !o->total_ns && !o->squares && !o->products && !o->chained;
}

OF_SIZE(ws_sampling, 2448);
static void pack_sampling(ws_packer *p, ws_sampling *s)
{
    bool *const flags[] = {&s->has_last, &s->has_inside};
    ws_pack_flags(p, flags, 2);
    ws_pack_i64(p, &s->first_t);
    ws_pack_i64(p, &s->last_t);
    double *const values[] = {&s->first_value, &s->last_value, &s->first_inside, &s->last_inside};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        ws_pack_double(p, values[i]);
    ws_pack_u64(p, &s->intervals);
    ws_pack_u64(p, &s->steps);
    pack_step(p, &s->first);
    pack_step(p, &s->last);
    pack_step_beside(p, &s->first_move, &s->first);
    pack_step_beside(p, &s->last_move, &s->last);
    ws_pack_u64(p, &s->rows_before);
    ws_pack_u64(p, &s->rows_behind);
    pack_sparse(p, s->held, WS_SAMPLING_HELD, true);
    size_t used = 0;
    for (size_t i = 0; i < WS_SAMPLING_OCTAVES && WS_PACKER_WRITES(p); i++)
        used += !is_empty(&s->octave[i]);
    ws_pack_count(p, &used);
    for (size_t k = 0, at = 0; k < used && !p->failed; k++) {
        while (WS_PACKER_WRITES(p) && is_empty(&s->octave[at]))
            at++;
        int place = (int)at;
        ws_pack_int(p, &place, 0, WS_SAMPLING_OCTAVES - 1);
        if (p->failed)
            return;
        pack_octave(p, &s->octave[place]);
        ws_pack_i64(p, &s->largest[place]);
        at = (size_t)place + 1;
    }
}

/* Powers that come from a text have three decimals at most; NO_DECIMALS: their bits are packed. */
static const double decimals[] = {1, 10, 100, 1000};
enum { NO_DECIMALS = sizeof decimals / sizeof *decimals };

/* The nearest whole number, below 2^62; round() is a call. */
static int64_t nearest(double value)
{
    return (int64_t)(value + (value < 0 ? -0.5 : 0.5));
}

static bool has_decimals(float value, double by)
{
    return fabsf(value) < 1e6F && (float)((double)nearest(value * by) / by) == value;
}

static int decimals_of(const ws_fingerprint_kept *f)
{
    int at = 0;
    for (uint32_t i = 0; i < f->n_samples; i++)
        while (at < NO_DECIMALS && !has_decimals(f->sample[i].value_w, decimals[at]))
            at++;
    return at;
}

/* A whole number in any case. */
static int64_t number_of(float value, int at)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return at == NO_DECIMALS ? bits : nearest(value * decimals[at]);
}

static float value_of(int64_t number, int at)
{
    uint32_t bits = (uint32_t)number;
    float value;
    memcpy(&value, &bits, sizeof value);
    return at == NO_DECIMALS ? value : (float)((double)number / decimals[at]);
}

/* Above the least of them. */
static void pack_powers(ws_packer *p, ws_fingerprint_kept *f)
{
    uint64_t above[WS_FINGERPRINT_SAMPLES];
    int at = WS_PACKER_WRITES(p) ? decimals_of(f) : 0;
    int64_t least = INT64_MAX;
    for (uint32_t i = 0; i < f->n_samples && WS_PACKER_WRITES(p); i++)
        least = number_of(f->sample[i].value_w, at) < least ? number_of(f->sample[i].value_w, at) : least;
    ws_pack_int(p, &at, 0, NO_DECIMALS);
    ws_pack_i64(p, &least);
    for (uint32_t i = 0; i < f->n_samples && WS_PACKER_WRITES(p); i++)
        above[i] = (uint64_t)(number_of(f->sample[i].value_w, at) - least);
    ws_pack_numbers(p, above, f->n_samples);
    for (uint32_t i = 0; i < f->n_samples && !WS_PACKER_WRITES(p); i++)
        f->sample[i].value_w = value_of((int64_t)((uint64_t)least + above[i]), at);
}

static void pack_risen(ws_packer *p, ws_fingerprint_kept *f)
{
    uint64_t count[WS_FINGERPRINT_SAMPLES];
    for (uint32_t i = 0; i < f->n_samples; i++)
        count[i] = WS_PACKER_WRITES(p) ? f->sample[i].count_mj : 0;
    ws_pack_numbers(p, count, f->n_samples);
    for (uint32_t i = 0; i < f->n_samples && !WS_PACKER_WRITES(p); i++)
        f->sample[i].count_mj = (uint32_t)count[i];
}

static void pack_samples(ws_packer *p, ws_fingerprint_kept *f)
{
    enum { A_WORD = 16, BITS = 4, WORDS = (WS_FINGERPRINT_SAMPLES + A_WORD - 1) / A_WORD };
    uint64_t rise[WS_FINGERPRINT_SAMPLES], before[WORDS] = {0};
    uint32_t rank = 0;
    int n = (int)f->n_samples;
    ws_pack_int(p, &n, 0, WS_FINGERPRINT_SAMPLES);
    f->n_samples = p->failed ? 0 : (uint32_t)n;
    if (!f->n_samples)
        return;
    for (uint32_t i = 0; i < f->n_samples && WS_PACKER_WRITES(p); i++) {
        rise[i] = (uint64_t)f->sample[i].rank - rank;
        rank = f->sample[i].rank;
        before[i / A_WORD] |= (uint64_t)f->sample[i].before << i % A_WORD * BITS;
    }
    ws_pack_numbers(p, rise, f->n_samples);
    if (f->is_counter) {
        pack_risen(p, f);
    } else {
        ws_pack_numbers(p, before, (f->n_samples + A_WORD - 1) / A_WORD);
        pack_powers(p, f);
    }
    for (uint32_t i = 0; i < f->n_samples && !WS_PACKER_WRITES(p); i++) {
        rank += (uint32_t)rise[i];
        f->sample[i].rank = rank & WS_FINGERPRINT_MOST_RANK;
        f->sample[i].before = before[i / A_WORD] >> i % A_WORD * BITS & ((1 << BITS) - 1);
    }
}

static void pack_words(ws_packer *p, ws_fingerprint_kept *f)
{
    uint64_t word[WS_FINGERPRINT_WORDS], times[WS_FINGERPRINT_WORDS];
    int n = (int)f->n_words;
    bool come_again = false;
    ws_pack_int(p, &n, 0, WS_FINGERPRINT_WORDS);
    f->n_words = p->failed ? 0 : (uint32_t)n;
    for (uint32_t i = 0; i < f->n_words; i++) {
        word[i] = f->word[i];
        times[i] = WS_PACKER_WRITES(p) ? f->times[i] : 1;
        come_again |= times[i] > 1;
    }
    ws_pack_numbers(p, word, f->n_words);
    if (ws_pack_whether(p, come_again))
        ws_pack_numbers(p, times, f->n_words);
    for (uint32_t i = 0; i < f->n_words && !WS_PACKER_WRITES(p); i++) {
        f->word[i] = (uint32_t)word[i];
        f->times[i] = (uint8_t)times[i];
    }
}

/* The values at both ends: thousandths, else as they are. */
static void pack_ends(ws_packer *p, ws_fingerprint_taker *f)
{
    enum { MOST = 2 * (WS_FINGERPRINT_VALUES - 1) + 1 };
    double *value[MOST] = {&f->latest_w};
    uint64_t number[MOST] = {0};
    bool are_thousandths = true;
    size_t n = 1;
    for (int i = 0; i < f->n_values; i++) {
        value[n++] = &f->first[i];
        value[n++] = &f->last[i];
    }
    for (size_t i = 0; i < n && WS_PACKER_WRITES(p); i++) {
        int64_t thousandths = fabs(*value[i]) < 1e6 ? nearest(*value[i] * 1e3) : 0;
        are_thousandths &= (double)thousandths / 1e3 == *value[i] && !signbit(*value[i]);
        number[i] = are_thousandths ? (uint64_t)thousandths : 0;
    }
    are_thousandths = ws_pack_whether(p, are_thousandths);
    if (are_thousandths)
        ws_pack_numbers(p, number, n);
    for (size_t i = 0; i < n; i++)
        if (!are_thousandths)
            ws_pack_double(p, value[i]);
        else if (!WS_PACKER_WRITES(p))
            *value[i] = (double)number[i] / 1e3;
}

/* The window is that of the measure. */
OF_SIZE(ws_fingerprint_kept, 860);
OF_SIZE(ws_fingerprint_taker, 952);
static void pack_fingerprint(ws_packer *p, ws_fingerprint_taker *f)
{
    int n_values = f->n_values;
    uint64_t first_rank = f->first_rank;
    ws_pack_bool(p, &f->has_any);
    ws_pack_int(p, &n_values, 0, WS_FINGERPRINT_VALUES - 1);
    f->n_values = p->failed ? 0 : (uint8_t)n_values;
    ws_pack_u64(p, &first_rank);
    f->first_rank = (uint32_t)first_rank;
    pack_ends(p, f);
    pack_words(p, &f->print);
    pack_samples(p, &f->print);
}

static void pack_counter_print(ws_packer *p, ws_fingerprint_taker *f)
{
    ws_pack_bool(p, &f->has_any);
    f->print.is_counter = true;
    pack_samples(p, &f->print);
}

/* --- channels, facts, notes --- */

OF_SIZE(ws_channel, 96);
static void pack_channel(ws_packer *p, ws_channel *c)
{
    const char **const texts[] = {&c->run, &c->node, &c->device, &c->device_id, &c->identity, &c->column};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        ws_pack_word(p, texts[i]);
    WS_PACK_ENUM(p, &c->domain, WS_DOMAIN_N);
    WS_PACK_ENUM(p, &c->quantity, WS_QUANTITY_N);
    WS_PACK_ENUM(p, &c->rule, WS_RULE_N);
    WS_PACK_ENUM(p, &c->time, WS_TIME_RELATIVE + 1);
    ws_pack_int(p, &c->preference, INT32_MIN, INT32_MAX);
    ws_pack_double(p, &c->counter_range_j);
    bool *const flags[] = {&c->counter_from_zero, &c->are_windows, &c->unit_is_given};
    ws_pack_flags(p, flags, 3);
    pack_question(p, &c->ask);
    pack_status(p, &c->assumed);
}

/* One that is read gets everything that the options of the measure say of it before its fields. */
static ws_metered_channel *new_channel(ws_packer *p, ws_measure *m)
{
    ws_channel channel = {0};
    ws_rule rule = WS_RULE_NONE;
    const char *source = "";
    ws_pack_word(p, &source);
    pack_channel(p, &channel);
    WS_PACK_ENUM(p, &rule, WS_RULE_N);
    return p->failed ? NULL : ws_measure_restore(m, &channel, source, rule);
}

OF_SIZE(ws_power_watch, 5424);
OF_SIZE(ws_metered_channel, 4984);
static void pack_metered(ws_packer *p, ws_measure *m, size_t i)
{
    ws_metered_channel *c = WS_PACKER_WRITES(p) ? &m->channels[i] : NULL;
    if (WS_PACKER_WRITES(p)) {
        ws_pack_word(p, &c->source);
        pack_channel(p, &c->channel);
        WS_PACK_ENUM(p, &c->meter.rule, WS_RULE_N);
    } else if (!(c = new_channel(p, m))) {
        return;
    }
    pack_glitch(p, &c->glitch);
    pack_limits(p, &c->limits);
    if (c->channel.quantity == WS_POWER) {
        pack_standstill(p, &c->watch->still[WS_STILL_EQUAL]);
        pack_wavering(p, &c->watch->still[WS_STILL_EVEN], &c->watch->still[WS_STILL_EQUAL]);
        pack_wavering(p, &c->watch->still[WS_STILL_ODD], &c->watch->still[WS_STILL_EQUAL]);
        pack_sampling(p, &c->watch->sampling);
        pack_fingerprint(p, &c->watch->fingerprint);
        pack_top(p, &c->watch->top);
    }
    if (c->channel.quantity == WS_ENERGY_COUNTER)
        pack_counter_print(p, &c->watch->fingerprint);
    if (c->channel.quantity == WS_UTIL)
        pack_unused(p, &c->unused);
    if (c->channel.quantity == WS_POWER || c->channel.quantity == WS_UTIL)
        pack_quiet(p, &c->quiet);
    if (ws_quantity_gives_energy(c->channel.quantity))
        pack_power_times(p, &c->watch->times);
    if (c->order)
        pack_order(p, c->order);
    pack_meter(p, &c->meter);
}

OF_SIZE(ws_kept_fact, 56);
static void pack_fact(ws_packer *p, ws_kept_fact *fact)
{
    ws_pack_word(p, &fact->source);
    ws_pack_word(p, &fact->run);
    ws_pack_word(p, &fact->node);
    ws_pack_word(p, &fact->device);
    ws_pack_word(p, &fact->key);
    ws_pack_text(p, &fact->text);
    ws_pack_double(p, &fact->number);
}

static void pack_measure(ws_packer *p, ws_measure *m)
{
    size_t n = m->n_channels;
    if (WS_PACKER_WRITES(p))
        ws_measure_cut_fingerprints(m);
    ws_begin_texts(p, &m->arena);
    bool *const flags[] = {&m->is_incomplete, &m->asks_period};
    ws_pack_flags(p, flags, 2);
    ws_pack_count(p, &n);
    if (!WS_PACKER_WRITES(p))
        ws_measure_expect(m, n);
    for (size_t i = 0; i < n && !p->failed; i++)
        pack_metered(p, m, i);
    ws_pack_count(p, &m->n_facts);
    if (!WS_PACKER_WRITES(p) && m->n_facts)
        m->facts = ws_grow(NULL, &m->fact_capacity, m->n_facts, sizeof *m->facts);
    for (size_t i = 0; i < m->n_facts && !p->failed; i++)
        pack_fact(p, &m->facts[i]);
}

/* A note's text has so much room (core/note.c): one that fills it may have been cut. */
enum { FULL_TEXT = 499 };

/* What was chosen of a table (chosen, n_chosen, n_all) and what a recipe lacks are no findings of a trace. */
OF_SIZE(ws_note, 80);
static void pack_note(ws_packer *p, ws_note *note)
{
    WS_PACK_ENUM(p, &note->finding, WS_FINDING_N);
    ws_pack_word(p, &note->source);
    ws_pack_word(p, &note->subject);
    ws_pack_i64(p, &note->line);
    ws_pack_u64(p, &note->count);
    ws_pack_word(p, &note->text);
    p->failed |= strlen(note->text) >= FULL_TEXT;
}

/* --- the record --- */

static const unsigned char magic[4] = {'W', 'S', 'R', WS_RECORD_VERSION};
enum { CHECKSUM = 8 };

#endif
