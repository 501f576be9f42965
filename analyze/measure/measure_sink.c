/* The sink of a measure: takes channels, blocks and facts, from one thread or in stretches from several. */
#include "analyze/measure/measure.h"

#include <stdlib.h>
#include <string.h>

/* Shares the text of the previous channel if it is the same, as it mostly is. */
static const char *copy_text(ws_arena *arena, const char *text, const char *before)
{
    if (!text || !*text)
        return "";
    return strcmp(text, before) == 0 ? before : ws_arena_strdup(arena, text);
}

static ws_channel copy_channel(ws_measure *m, const ws_channel *from)
{
    static const ws_channel none = {.run = "", .node = "", .device = "", .device_id = "", .identity = "", .column = ""};
    const ws_channel *before = m->n_channels ? &m->channels[m->n_channels - 1].channel : &none;
    ws_channel copy = *from;
    copy.run = copy_text(&m->arena, from->run, before->run);
    copy.node = copy_text(&m->arena, from->node, before->node);
    copy.device = copy_text(&m->arena, from->device, before->device);
    copy.device_id = copy_text(&m->arena, from->device_id, before->device_id);
    copy.identity = copy_text(&m->arena, from->identity, before->identity);
    copy.column = copy_text(&m->arena, from->column, before->column);
    return copy;
}

/* Copies all texts except `source`, which must be in the arena of the measure. The result is good until the next
 * channel is added. */
static ws_measured *measure_add_channel(ws_measure *m, const ws_channel *channel, const char *source, ws_rule rule)
{
    m->channels = ws_grow(m->channels, &m->channel_capacity, m->n_channels + 1, sizeof *m->channels);
    ws_measured *new = &m->channels[m->n_channels];
    *new = (ws_measured){.channel = copy_channel(m, channel), .source = source};
    ws_meter_init(&new->meter, channel, rule, &m->options.meter);
    new->order = ws_order_new(m->options.back_steps);
    ws_limits_init(&new->limits, channel);
    m->n_channels++;
    return new;
}

static const char *keep(ws_arena *arena, const char *text)
{
    return text ? ws_arena_strdup(arena, text) : "";
}

static void measure_add_fact(ws_measure *m, const ws_fact *fact, const char *source)
{
    m->facts = ws_grow(m->facts, &m->fact_capacity, m->n_facts + 1, sizeof *m->facts);
    m->facts[m->n_facts++] = (ws_kept_fact){.source = source,
                                            .run = keep(&m->arena, fact->run),
                                            .node = keep(&m->arena, fact->node),
                                            .device = keep(&m->arena, fact->device),
                                            .key = keep(&m->arena, fact->key),
                                            .text = fact->text ? ws_arena_strdup(&m->arena, fact->text) : NULL,
                                            .number = fact->number};
}

/* A stretch is a measure with the same channels in the same order, whose meters continue those of the whole. */

/* A channel can be split if nothing but the seam of its meters depends on readings before the stretch. */
static bool may_be_cut(const ws_measured *c)
{
    return !c->order && !c->meter.counter_from_zero && ws_limits_stand_alone(&c->limits);
}

static void *fork_stretch(void *state)
{
    const ws_measure *m = state;
    for (size_t i = 0; i < m->n_channels; i++)
        if (!may_be_cut(&m->channels[i]))
            return NULL;
    ws_measure *stretch = ws_alloc(sizeof *stretch);
    ws_measure_init(stretch, &m->options);
    stretch->options.meter.continues = true;
    stretch->n_channels = m->n_channels;
    stretch->channels = ws_alloc(m->n_channels * sizeof *stretch->channels);
    for (size_t i = 0; i < m->n_channels; i++) {
        const ws_measured *of = &m->channels[i];
        ws_meter_init(&stretch->channels[i].meter, &of->channel, of->meter.rule, &stretch->options.meter);
        ws_limits_init(&stretch->channels[i].limits, &of->channel);
    }
    return stretch;
}

static void join_stretch(void *state, void *stretch, int64_t lines)
{
    ws_measure *m = state, *next = stretch;
    for (size_t i = 0; i < next->n_channels; i++) {
        ws_measured *to = &m->channels[i], *from = &next->channels[i];
        ws_meter_merge(&to->meter, &from->meter, lines);
        ws_limits_merge(&to->limits, &from->limits, lines);
        ws_meter_clear(&from->meter);
        ws_limits_clear(&from->limits);
    }
}

static void drop_stretch(void *stretch)
{
    ws_measure_free(stretch);
    free(stretch);
}

/* The rule for a channel: its own, unless the user asked for another one that fits its quantity. */
static ws_rule rule_of(const ws_channel *channel, ws_rule asked)
{
    bool power_rule = asked == WS_RULE_TRAPEZOID || asked == WS_RULE_RECTANGLE || asked == WS_RULE_MEAN_TIMES_TIME;
    if (channel->quantity == WS_POWER && power_rule)
        return asked;
    if (channel->quantity == WS_POWER && asked == WS_RULE_PERUN && channel->rule == WS_RULE_TRAPEZOID)
        return WS_RULE_PERUN;
    return ws_quantity_gives_energy(channel->quantity) ? channel->rule : WS_RULE_NONE;
}

static bool wants(void *state, ws_quantity quantity)
{
    const ws_measure *m = state;
    return !m->options.quantities || (m->options.quantities >> quantity & 1);
}

static ws_status take_channel(void *state, const ws_channel *channel, int *id, ws_error *error)
{
    (void)error;
    ws_measure *m = state;
    *id = -1;
    if (!wants(m, channel->quantity))
        return WS_OK;
    *id = (int)m->n_channels;
    ws_measured *new = measure_add_channel(m, channel, m->source, rule_of(channel, m->options.rule));
    if (!*new->channel.node)
        new->channel.node = m->node;
    return WS_OK;
}

static ws_status take_block(void *state, int id, const ws_block *block, ws_error *error)
{
    (void)error;
    ws_measure *m = state;
    ws_measured *c = &m->channels[id];
    ws_block checked = ws_limits_check(&c->limits, block);
    if (c->order)
        ws_order_push(c->order, &checked, &c->meter);
    else
        ws_meter_push(&c->meter, &checked);
    return WS_OK;
}

static void take_fact(void *state, const ws_fact *fact)
{
    ws_measure *m = state;
    measure_add_fact(m, fact, m->source);
}

ws_sink ws_measure_sink(ws_measure *measure)
{
    return (ws_sink){.state = measure,
                     .channel = take_channel,
                     .block = take_block,
                     .fact = take_fact,
                     .every_fact = measure->options.every_fact,
                     .wants = wants,
                     .fork = fork_stretch,
                     .join = join_stretch,
                     .drop = drop_stretch};
}

/* --- joining measures of adjacent stretches of the same sources --- */

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

/* The first channel with these names that is not taken: columns of the same name are told apart by their order.
 * Channels mostly come in the same order, so that all before *begin are taken. */
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
    return measure_add_channel(m, &like->channel, ws_arena_strdup(&m->arena, like->source), like->meter.rule);
}

static void add_fact(ws_measure *m, const ws_kept_fact *fact)
{
    ws_fact same = {.run = fact->run,
                    .node = fact->node,
                    .device = fact->device,
                    .key = fact->key,
                    .text = fact->text,
                    .number = fact->number};
    measure_add_fact(m, &same, ws_arena_strdup(&m->arena, fact->source));
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
