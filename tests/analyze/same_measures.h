/* The comparison of two measures that are not finished, and of what they come to. */
#ifndef WS_TESTS_ANALYZE_SAME_MEASURES_H
#define WS_TESTS_ANALYZE_SAME_MEASURES_H

#include "same_meters.h"

#include "analyze/measure/measure.h"

static inline void ck_same_notes(const ws_notes *a, const ws_notes *b)
{
    ck_assert_uint_eq(a->n, b->n);
    for (size_t i = 0; i < a->n; i++) {
        ck_assert_int_eq(a->items[i].finding, b->items[i].finding);
        ck_assert_str_eq(a->items[i].source, b->items[i].source);
        ck_assert_str_eq(a->items[i].subject, b->items[i].subject);
        ck_assert_str_eq(a->items[i].text, b->items[i].text);
        ck_assert_int_eq(a->items[i].line, b->items[i].line);
        ck_assert_uint_eq(a->items[i].count, b->items[i].count);
    }
}

/* Finishes both. */
static inline void ck_same_measures(ws_measure *a, ws_measure *b)
{
    ws_notes of_a = {0}, of_b = {0};
    ck_assert_uint_eq(a->n_channels, b->n_channels);
    ck_assert_uint_eq(a->n_facts, b->n_facts);
    for (size_t i = 0; i < a->n_channels; i++)
        ck_same(&a->channels[i].meter, &b->channels[i].meter);
    ws_measure_finish(a, &of_a);
    ws_measure_finish(b, &of_b);
    ck_same_notes(&of_a, &of_b);
    for (size_t i = 0; i < a->n_channels; i++) {
        const ws_metered_channel *x = &a->channels[i], *y = &b->channels[i];
        ck_assert_str_eq(x->source, y->source);
        ck_assert_str_eq(x->channel.node, y->channel.node);
        ck_assert_str_eq(x->channel.column, y->channel.column);
        ck_assert(memcmp(&x->summary.energy_j, &y->summary.energy_j, sizeof(double)) == 0);
        ck_assert(memcmp(&x->summary.sd, &y->summary.sd, sizeof(double)) == 0);
        ck_assert(memcmp(&x->budget, &y->budget, sizeof x->budget) == 0);
        ck_assert_int_eq(x->summary.status, y->summary.status);
    }
    ws_notes_free(&of_a);
    ws_notes_free(&of_b);
}

#endif
