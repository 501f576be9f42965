#include "formats/table/trace_devices.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static bool is_taken(const ws_trace_devices *devices, ws_span node, const char *name)
{
    for (size_t i = 0; i < devices->n; i++)
        if (ws_span_eq(node, devices->items[i].node) && strcmp(devices->items[i].name, name) == 0)
            return true;
    return false;
}

static const char *device_name(ws_trace_devices *devices, ws_domain domain, ws_span node, ws_span id, int64_t number)
{
    const char *word = ws_domain_name(domain), *name;
    bool is_counted = domain == WS_GPU || domain == WS_CPU || domain == WS_DRAM;
    if (is_counted && number >= 0) {
        name = ws_arena_printf(devices->arena, "%s%" PRId64, word, number);
        if (!is_taken(devices, node, name))
            return name;
    }
    if (!is_counted) {
        name = domain == WS_OTHER && id.n ? ws_arena_strndup(devices->arena, id.p, id.n) : word;
        if (!is_taken(devices, node, name))
            return name;
    }
    size_t k = 0;
    for (size_t i = 0; i < devices->n; i++)
        k += devices->items[i].domain == domain && ws_span_eq(node, devices->items[i].node);
    for (;; k++) {
        name = ws_arena_printf(devices->arena, "%s%zu", word, k);
        if (!is_taken(devices, node, name))
            return name;
    }
}

static bool had_index(const ws_trace_devices *devices, const ws_trace_device *d, int64_t number)
{
    return number >= 0 && d->number == number && d->section < devices->section &&
           (strcmp(d->identity, "uuid") == 0 || strcmp(d->identity, "bus id") == 0);
}

size_t ws_trace_device_find(ws_trace_devices *devices, ws_domain domain, ws_span node, ws_span id, const char *identity,
                            int64_t number)
{
    for (size_t i = devices->n; i-- > 0;) { /* the last one is asked for most */
        const ws_trace_device *d = &devices->items[i];
        if (d->domain == domain && ws_span_eq(node, d->node) && ws_span_eq(id, d->id))
            return i;
    }
    for (size_t i = strcmp(identity, "index") == 0 ? devices->n : 0; i-- > 0;) {
        const ws_trace_device *d = &devices->items[i];
        if (d->domain == domain && ws_span_eq(node, d->node) && had_index(devices, d, number))
            return i;
    }
    devices->items = ws_grow(devices->items, &devices->capacity, devices->n + 1, sizeof *devices->items);
    ws_trace_device added = {.node = ws_arena_strndup(devices->arena, node.p, node.n),
                             .id = ws_arena_strndup(devices->arena, id.p, id.n),
                             .identity = identity,
                             .name = device_name(devices, domain, node, id, number),
                             .domain = domain,
                             .number = number,
                             .section = devices->section};
    devices->items[devices->n] = added;
    return devices->n++;
}

const ws_trace_channel *ws_trace_channel_before(const ws_trace_devices *devices, size_t device, ws_quantity quantity)
{
    const ws_trace_channel *best = NULL;
    for (size_t i = devices->items[device].last_channel; i > 0; i = devices->channels[i - 1].before) {
        const ws_trace_channel *c = &devices->channels[i - 1];
        if (c->quantity == quantity && c->section < devices->section && (!best || c->preference <= best->preference))
            best = c;
    }
    return best;
}

/* NULL: not announced yet. */
static const ws_trace_channel *find_channel(const ws_trace_devices *devices, size_t device, const char *column,
                                            ws_quantity quantity)
{
    for (size_t i = devices->items[device].last_channel; i > 0; i = devices->channels[i - 1].before) {
        const ws_trace_channel *c = &devices->channels[i - 1];
        if (c->quantity == quantity && strcmp(c->column, column) == 0)
            return c;
    }
    return NULL;
}

bool ws_trace_channel_is_known(const ws_trace_devices *devices, size_t device, const char *column, ws_quantity quantity)
{
    return find_channel(devices, device, column, quantity) != NULL;
}

ws_status ws_trace_channel_find(ws_trace_devices *devices, const ws_sink *sink, size_t device,
                                const ws_channel *channel, int *id, ws_error *error)
{
    const ws_trace_channel *known = find_channel(devices, device, channel->column, channel->quantity);
    if (known) {
        *id = known->id;
        return WS_OK;
    }
    ws_trace_device *d = &devices->items[device];
    ws_channel announced = *channel;
    announced.node = d->node;
    announced.device = d->name;
    announced.device_id = d->id;
    announced.identity = d->identity;
    ws_status status = sink->channel(sink->state, &announced, id, error);
    if (status != WS_OK)
        return status;
    devices->channels =
        ws_grow(devices->channels, &devices->channel_capacity, devices->n_channels + 1, sizeof *devices->channels);
    devices->channels[devices->n_channels++] = (ws_trace_channel){.column = channel->column,
                                                                  .quantity = channel->quantity,
                                                                  .id = *id,
                                                                  .preference = channel->preference,
                                                                  .section = devices->section,
                                                                  .before = d->last_channel};
    d->last_channel = devices->n_channels;
    return WS_OK;
}

void ws_trace_devices_free(ws_trace_devices *devices)
{
    free(devices->items);
    free(devices->channels);
    memset(devices, 0, sizeof *devices);
}

/* --- lanes --- */

void ws_lane_init(ws_lane *lane, size_t index, const ws_sink *sink, size_t n_channels, bool has_time, bool has_interval)
{
    size_t rows = index < WS_LANES_FEW ? WS_LANE_ROWS : WS_LANE_ROWS_OF_MANY;
    *lane = (ws_lane){.sink = sink, .n_channels = n_channels, .most_rows = rows, .has_time = has_time};
    lane->id = ws_alloc(n_channels * sizeof *lane->id);
    lane->from = ws_alloc(n_channels * sizeof *lane->from);
    for (size_t c = 0; c < n_channels; c++)
        lane->from[c] = (uint32_t)c;
    lane->t_ns = ws_realloc(NULL, rows, sizeof *lane->t_ns);
    lane->interval_ns = has_interval ? ws_realloc(NULL, rows, sizeof *lane->interval_ns) : NULL;
    lane->line = ws_realloc(NULL, rows, sizeof *lane->line);
    lane->value = ws_realloc(NULL, n_channels * rows, sizeof *lane->value);
}

ws_status ws_lane_flush(ws_lane *lane, ws_error *error)
{
    ws_status status = WS_OK;
    for (size_t c = 0; c < lane->n_channels && status == WS_OK && lane->n_rows; c++) {
        ws_block block = {.n = lane->n_rows,
                          .t_ns = lane->has_time ? lane->t_ns : NULL,
                          .value = lane->value + c * lane->most_rows,
                          .interval_ns = lane->interval_ns,
                          .line = lane->line};
        if (lane->id[c] >= 0)
            status = lane->sink->block(lane->sink->state, lane->id[c], &block, error);
    }
    lane->n_pushed = lane->n_rows ? lane->n_rows : lane->n_pushed;
    lane->n_rows = 0;
    return status;
}

void ws_lane_repeat_last(ws_lane *lane, const ws_lane *of)
{
    for (size_t c = 0; c < lane->n_channels; c++)
        lane->value[c * lane->most_rows] = ws_lane_last(of, c);
    lane->n_pushed = 1;
}

void ws_lane_free(ws_lane *lane)
{
    free(lane->id);
    free(lane->from);
    free(lane->t_ns);
    free(lane->interval_ns);
    free(lane->line);
    free(lane->value);
    memset(lane, 0, sizeof *lane);
}
