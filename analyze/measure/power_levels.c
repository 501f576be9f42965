#include "analyze/measure/power_levels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void ws_power_levels_init(ws_power_levels *levels, double threshold_w)
{
    *levels = (ws_power_levels){.threshold_w = threshold_w, .node = ""};
    levels->count = ws_alloc(WS_LEVELS * sizeof *levels->count);
    memset(levels->count, 0, WS_LEVELS * sizeof *levels->count);
}

void ws_power_levels_free(ws_power_levels *levels)
{
    free(levels->count);
    free(levels->channels);
    ws_arena_free(&levels->arena);
    *levels = (ws_power_levels){0};
}

void ws_power_levels_begin(ws_power_levels *levels, const char *node)
{
    levels->node = ws_arena_strdup(&levels->arena, node ? node : "");
}

static bool wants_power(void *state, ws_quantity quantity)
{
    (void)state;
    return quantity == WS_POWER;
}

static ws_status take_channel(void *state, const ws_channel *channel, int *id, ws_error *error)
{
    (void)error;
    ws_power_levels *l = state;
    *id = -1;
    if (channel->quantity != WS_POWER)
        return WS_OK;
    const char *node = channel->node && *channel->node ? channel->node : l->node;
    const char *device = ws_arena_printf(&l->arena, "%s %s", node, channel->device ? channel->device : "");
    bool is_new = channel->domain == WS_GPU;
    for (size_t i = 0; i < l->n && is_new; i++)
        is_new = !l->channels[i].device || strcmp(l->channels[i].device, device) != 0;
    l->channels = ws_grow(l->channels, &l->capacity, l->n + 1, sizeof *l->channels);
    l->channels[l->n] = (ws_level_channel){.device = is_new ? device : NULL};
    *id = (int)l->n++;
    return WS_OK;
}

static size_t step_of(double watts)
{
    double step = floor(watts / WS_LEVEL_STEP_W + 0.5);
    return step < 0 ? 0 : step >= WS_LEVELS ? WS_LEVELS - 1 : (size_t)step;
}

static ws_status take_block(void *state, int id, const ws_block *block, ws_error *error)
{
    (void)error;
    ws_power_levels *l = state;
    ws_level_channel *c = &l->channels[id];
    for (size_t i = 0; c->device && i < block->n; i++) {
        double watts = block->value[i];
        if (!isfinite(watts))
            continue;
        bool is_below = watts < l->threshold_w;
        l->dips += c->has_reading && is_below && !c->is_below;
        c->is_below = is_below;
        c->has_reading = true;
        l->count[step_of(watts)]++;
        l->readings++;
    }
    return WS_OK;
}

ws_sink ws_power_levels_sink(ws_power_levels *levels)
{
    return (ws_sink){.state = levels, .channel = take_channel, .block = take_block, .wants = wants_power};
}

double ws_power_levels_quantile(const ws_power_levels *levels, double share, double below_w)
{
    size_t end = isfinite(below_w) ? step_of(below_w) : WS_LEVELS;
    uint64_t n = 0, seen = 0;
    for (size_t i = 0; i < end; i++)
        n += levels->count[i];
    for (size_t i = 0; i < end && n; i++) {
        seen += levels->count[i];
        if ((double)seen >= share * (double)n && seen)
            return (double)i * WS_LEVEL_STEP_W;
    }
    return NAN;
}
