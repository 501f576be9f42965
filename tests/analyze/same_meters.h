/* The comparison of two meters, bit for bit. */
#ifndef WS_TESTS_ANALYZE_SAME_METERS_H
#define WS_TESTS_ANALYZE_SAME_METERS_H

#include "harness.h"

#include "analyze/measure/meter.h"

#include <string.h>

/* A 64th may stand on either side of a total; what both sides come to is one number. */
static inline bool same_total(const ws_total *a, const ws_total *b, int64_t parts)
{
    ws_sum x = ws_total_sum(a, parts), y = ws_total_sum(b, parts);
    return memcmp(&x, &y, sizeof x) == 0;
}

static inline bool same_buckets(const ws_meter *a, const ws_meter *b)
{
    bool same = a->n_buckets == b->n_buckets;
    for (size_t i = 0; same && i < a->n_buckets; i++) {
        const ws_interval_bucket *x = &a->buckets[i], *y = &b->buckets[i];
        same = x->quarter_octave == y->quarter_octave && x->count == y->count && x->total_ns == y->total_ns &&
               same_total(&x->integral, &y->integral, WS_PARTS) &&
               same_total(&x->squares, &y->squares, WS_SQUARE_PARTS);
    }
    return same;
}

static inline bool same_kind(const ws_decrease_kind *x, const ws_decrease_kind *y)
{
    return x->time == y->time && x->octave == y->octave && x->wrap_quarter_octave == y->wrap_quarter_octave &&
           x->step_quarter_octave == y->step_quarter_octave && x->length_quarter_octave == y->length_quarter_octave;
}

static inline bool same_fall(const ws_decrease_bucket *x, const ws_decrease_bucket *y)
{
    return x->seen.count == y->seen.count && x->seen.line == y->seen.line && x->total_ns == y->total_ns &&
           x->back_ns == y->back_ns && same_total(&x->before, &y->before, WS_PARTS) &&
           same_total(&x->after, &y->after, WS_PARTS) && same_total(&x->as_wrap, &y->as_wrap, WS_PARTS) &&
           same_total(&x->as_reset, &y->as_reset, WS_PARTS) && same_total(&x->as_signed, &y->as_signed, WS_PARTS);
}

static inline bool same_rising(const ws_meter *a, const ws_meter *b)
{
    bool same = a->n_rising == b->n_rising && a->rising_start == b->rising_start;
    for (size_t i = 0; same && i < a->n_rising; i++)
        same = a->rising[i].start_ns == b->rising[i].start_ns && a->rising[i].end_ns == b->rising[i].end_ns;
    return same;
}

/* In any order. */
static inline bool same_falls(const ws_meter *a, const ws_meter *b)
{
    size_t found = 0;
    for (size_t i = 0; i < a->n_falls; i++)
        for (size_t j = 0; j < b->n_falls; j++)
            found += same_kind(&a->falls[i].kind, &b->falls[j].kind) && same_fall(&a->falls[i], &b->falls[j]);
    return found == a->n_falls && found == b->n_falls;
}

/* Every number of the two meters, bit for bit. */
static inline void ck_same(const ws_meter *a, const ws_meter *b)
{
    const ws_seen *seen_a[] = {&a->refused, &a->back_steps, &a->duplicates, &a->zero_reads, &a->wraps,
                               &a->resets,  &a->slips,      &a->negatives,  &a->zeros,      &a->again};
    const ws_seen *seen_b[] = {&b->refused, &b->back_steps, &b->duplicates, &b->zero_reads, &b->wraps,
                               &b->resets,  &b->slips,      &b->negatives,  &b->zeros,      &b->again};
    for (size_t i = 0; i < sizeof seen_a / sizeof *seen_a; i++) {
        ck_assert_uint_eq(seen_a[i]->count, seen_b[i]->count);
        ck_assert_int_eq(seen_a[i]->line, seen_b[i]->line);
    }
    ck_assert_uint_eq(a->samples, b->samples);
    ck_assert_uint_eq(a->missing, b->missing);
    ck_assert(same_total(&a->total, &b->total, WS_PARTS));
    ck_assert(same_total(&a->squares, &b->squares, WS_SQUARE_PARTS));
    ck_assert(same_total(&a->steps, &b->steps, WS_PARTS));
    ck_assert(memcmp(&a->min, &b->min, sizeof a->min) == 0 && memcmp(&a->max, &b->max, sizeof a->max) == 0);
    ck_assert_int_eq(a->has_last, b->has_last);
    ck_assert_int_eq(a->first_t, b->first_t);
    ck_assert_int_eq(a->last_t, b->last_t);
    ck_assert(memcmp(&a->first_value, &b->first_value, sizeof a->first_value) == 0);
    ck_assert(memcmp(&a->last_value, &b->last_value, sizeof a->last_value) == 0);
    ck_assert_int_eq(a->first_interval_unknown, b->first_interval_unknown);
    ck_assert_int_eq(a->longest_ns, b->longest_ns);
    ck_assert(same_buckets(a, b));
    ck_assert(same_falls(a, b));
    ck_assert(same_rising(a, b));
    ck_assert(memcmp(a->most_w, b->most_w, sizeof a->most_w) == 0);
    ck_assert_int_eq(a->still.from_ns, b->still.from_ns);
    ck_assert_int_eq(a->still.lead_ns, b->still.lead_ns);
    ck_assert_uint_eq(a->still.n, b->still.n);
    ck_assert_uint_eq(a->still.lead_n, b->still.lead_n);
    ck_assert_int_eq(a->still.ended_ns, b->still.ended_ns);
    ck_assert_uint_eq(a->still.n_ended, b->still.n_ended);
    ck_assert(same_total(&a->still.ended_j, &b->still.ended_j, WS_PARTS));
    ck_assert(memcmp(a->still.hidden, b->still.hidden, sizeof a->still.hidden) == 0);
    ck_assert(a->still.least_rise_j == b->still.least_rise_j);
    ck_assert_int_eq(a->head != NULL, b->head != NULL);
    if (a->head)
        ck_same(a->head, b->head);
}

#endif
