/* The devices of a file and the channels announced for them: a device keeps its name and its channels from one header
 * to the next. Inside formats/ only. */
#ifndef WS_FORMATS_TRACE_DEVICES_H
#define WS_FORMATS_TRACE_DEVICES_H

#include "core/arena.h"
#include "core/sample.h"
#include "core/text.h"

#include <stddef.h>
#include <stdint.h>

typedef struct ws_trace_device {
    const char *node, *id, *identity, *house;
    ws_domain domain;
    size_t last_channel; /* its place among the channels, counted from 1; 0: none */
} ws_trace_device;

typedef struct ws_trace_channel {
    const char *column;
    ws_quantity quantity;
    int id;
    size_t before; /* the channel of the same device before it, as last_channel */
} ws_trace_channel;

typedef struct ws_trace_devices {
    ws_trace_device *items;
    size_t n, capacity;
    ws_trace_channel *channels;
    size_t n_channels, channel_capacity;
    ws_arena *arena; /* the caller's */
} ws_trace_devices;

/* number: of the house name "gpu<number>", -1 for the next free one. Returns the index of the device. */
size_t ws_trace_device_find(ws_trace_devices *devices, ws_domain domain, ws_span node, ws_span id, const char *identity,
                            int64_t number);

/* Announces the channel, once for each (device, column, quantity). */
ws_status ws_trace_channel_find(ws_trace_devices *devices, const ws_sink *sink, size_t device,
                                const ws_channel *channel, int *id, ws_error *error);

void ws_trace_devices_free(ws_trace_devices *devices);

#endif
