#include "analyze/measure/profile_tap.h"

#include <stdlib.h>
#include <string.h>

static bool tap_wants(void *state, ws_quantity quantity)
{
    const ws_profile_tap *t = state;
    ws_sink profiled = ws_profiles_sink(t->profiles);
    return ws_sink_wants(&t->to, quantity) || ws_sink_wants(&profiled, quantity);
}

static ws_status tap_channel(void *state, const ws_channel *channel, int *id, ws_error *error)
{
    ws_profile_tap *t = state;
    ws_sink profiled = ws_profiles_sink(t->profiles);
    struct ws_tapped_channel new = {-1, -1};
    ws_status status = t->to.channel(t->to.state, channel, &new.to, error);
    if (status == WS_OK)
        status = profiled.channel(profiled.state, channel, &new.profiled, error);
    *id = -1;
    if (status != WS_OK || (new.to < 0 && new.profiled < 0))
        return status;
    t->channels = ws_grow(t->channels, &t->capacity, t->n + 1, sizeof *t->channels);
    *id = (int)t->n;
    t->channels[t->n++] = new;
    return WS_OK;
}

static ws_status tap_block(void *state, int id, const ws_block *block, ws_error *error)
{
    ws_profile_tap *t = state;
    struct ws_tapped_channel c = t->channels[id];
    if (c.profiled >= 0 && t->stretch && block->t_ns)
        ws_profile_push(&t->stretch[id], block->t_ns, block->value, block->n);
    else if (c.profiled >= 0 && !t->stretch && !t->is_broken) {
        ws_sink profiled = ws_profiles_sink(t->profiles);
        profiled.block(profiled.state, c.profiled, block, error);
    }
    return c.to >= 0 ? t->to.block(t->to.state, c.to, block, error) : WS_OK;
}

static void tap_fact(void *state, const ws_fact *fact)
{
    const ws_profile_tap *t = state;
    ws_sink_pass_fact(&t->to, fact);
}

static ws_profile *whole_of(const ws_profile_tap *t, size_t i)
{
    return &t->profiles->channels[t->channels[i].profiled].profile;
}

static bool may_be_forked(const ws_profile_tap *t)
{
    for (size_t i = 0; i < t->n; i++)
        if (t->channels[i].profiled >= 0 && t->profiles->channels[t->channels[i].profiled].channel.quantity != WS_POWER)
            return false;
    return true;
}

static void *fork_tap(void *state)
{
    ws_profile_tap *t = state;
    void *to = t->to.fork(t->to.state);
    if (!to)
        return NULL;
    ws_profile_tap *stretch = ws_alloc(sizeof *stretch);
    *stretch = (ws_profile_tap){.to = t->to, .n = t->n};
    stretch->to.state = to;
    stretch->stretch = ws_alloc((t->n + 1) * sizeof *stretch->stretch);
    stretch->channels = ws_alloc((t->n + 1) * sizeof *stretch->channels);
    t->is_broken |= !may_be_forked(t);
    for (size_t i = 0; i < t->n; i++) {
        stretch->channels[i] = t->channels[i];
        if (t->is_broken)
            stretch->channels[i].profiled = -1;
    }
    return stretch;
}

static bool join_tap(void *state, void *stretch, int64_t lines)
{
    ws_profile_tap *t = state, *next = stretch;
    bool fits = t->to.join(t->to.state, next->to.state, lines);
    for (size_t i = 0; i < next->n; i++) {
        if (next->channels[i].profiled < 0)
            continue;
        if (fits)
            ws_profile_merge(whole_of(t, i), &next->stretch[i]);
        ws_profile_clear(&next->stretch[i], whole_of(t, i)->shift);
    }
    return fits;
}

static void drop_tap(void *stretch)
{
    ws_profile_tap *t = stretch;
    t->to.drop(t->to.state);
    for (size_t i = 0; i < t->n; i++)
        ws_profile_free(&t->stretch[i]);
    free(t->stretch);
    ws_profile_tap_free(t);
    free(t);
}

ws_sink ws_profile_tap_sink(ws_profile_tap *tap)
{
    bool has_stretches = tap->to.fork;
    return (ws_sink){.state = tap,
                     .channel = tap_channel,
                     .block = tap_block,
                     .fact = tap_fact,
                     .every_fact = tap->to.every_fact,
                     .wants = tap_wants,
                     .fork = has_stretches ? fork_tap : NULL,
                     .join = has_stretches ? join_tap : NULL,
                     .drop = has_stretches ? drop_tap : NULL};
}

void ws_profile_tap_free(ws_profile_tap *tap)
{
    free(tap->channels);
    tap->channels = NULL;
    tap->n = tap->capacity = 0;
}
