/* Measures of adjacent stretches of the same sources become one. */
#include "analyze/measure/measure_steps.h"

#include <stdlib.h>
#include <string.h>

static bool same_texts(const ws_channel *a, const ws_channel *b)
{
    return strcmp(a->device, b->device) == 0 && strcmp(a->column, b->column) == 0 && strcmp(a->node, b->node) == 0 &&
           strcmp(a->run, b->run) == 0 && strcmp(a->device_id, b->device_id) == 0 &&
           strcmp(a->identity, b->identity) == 0;
}

static bool is_same(const ws_measured *a, const ws_measured *b)
{
    return a->channel.domain == b->channel.domain && a->channel.quantity == b->channel.quantity &&
           a->channel.rule == b->channel.rule && same_texts(&a->channel, &b->channel) &&
           strcmp(a->source, b->source) == 0;
}

/* The first that nobody took yet: two columns may have the same name, and then their order tells them apart. Channels mostly
 * come in the same order, so those before *begin are all taken. */
static ws_measured *find_same(ws_measure *m, size_t n, const ws_measured *wanted, size_t *begin, bool *taken)
{
    while (*begin < n && taken[*begin])
        ++*begin;
    for (size_t i = *begin; i < n; i++) {
        if (!taken[i] && is_same(&m->channels[i], wanted)) {
            taken[i] = true;
            return &m->channels[i];
        }
    }
    return NULL;
}

static ws_measured *add_channel(ws_measure *m, const ws_measured *like)
{
    return ws_measure_add_channel(m, &like->channel, ws_arena_strdup(&m->arena, like->source), like->meter.rule);
}

static void add_fact(ws_measure *m, const ws_kept_fact *fact)
{
    ws_fact same = {.run = fact->run,
                    .node = fact->node,
                    .device = fact->device,
                    .key = fact->key,
                    .text = fact->text,
                    .number = fact->number};
    ws_measure_add_fact(m, &same, ws_arena_strdup(&m->arena, fact->source));
}

void ws_measure_join(ws_measure *into, ws_measure *next, int64_t lines)
{
    ws_measure_flush(into);
    ws_measure_flush(next);
    size_t n = into->n_channels, begin = 0;
    bool *taken = ws_alloc(n * sizeof *taken);
    for (size_t i = 0; i < next->n_channels; i++) {
        ws_measured *from = &next->channels[i], *to = find_same(into, n, from, &begin, taken);
        if (!to)
            to = add_channel(into, from);
        ws_meter_merge(&to->meter, &from->meter, lines);
        ws_order_merge(to->order, from->order, lines);
        ws_limits_merge(&to->limits, &from->limits, lines);
    }
    for (size_t i = 0; i < next->n_facts; i++)
        add_fact(into, &next->facts[i]);
    into->is_incomplete |= next->is_incomplete;
    free(taken);
    ws_measure_free(next);
}
