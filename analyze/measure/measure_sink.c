/* What a measure takes: channels, blocks, facts. */
#include "analyze/measure/measure_steps.h"

#include <string.h>

/* Most texts of a channel are those of the one before. */
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

ws_measured *ws_measure_add_channel(ws_measure *m, const ws_channel *channel, const char *source, ws_rule rule)
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

void ws_measure_add_fact(ws_measure *m, const ws_fact *fact, const char *source)
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

/* The rule for a channel: its own, unless the user asked for another that fits its quantity. */
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
    ws_measured *new = ws_measure_add_channel(m, channel, m->source, rule_of(channel, m->options.rule));
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
    ws_measure_add_fact(m, fact, m->source);
}

ws_sink ws_measure_sink(ws_measure *measure)
{
    return (ws_sink){.state = measure,
                     .channel = take_channel,
                     .block = take_block,
                     .fact = take_fact,
                     .every_fact = measure->options.every_fact,
                     .wants = wants,
                     .fork = ws_measure_fork,
                     .join = ws_measure_join_stretch,
                     .drop = ws_measure_drop_stretch};
}
