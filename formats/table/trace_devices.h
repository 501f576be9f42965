/* The devices of a file and the channels announced for them: a device keeps its name and its channels from one header
 * to the next. */
#ifndef WS_FORMATS_TRACE_DEVICES_H
#define WS_FORMATS_TRACE_DEVICES_H

#include "core/arena.h"
#include "core/sample.h"
#include "core/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ws_trace_device {
    const char *node, *id, *identity, *house;
    ws_domain domain;
    int64_t number;      /* -1: none */
    size_t section;      /* in which it was seen first */
    size_t last_channel; /* its place among the channels, counted from 1; 0: none */
} ws_trace_device;

typedef struct ws_trace_channel {
    const char *column;
    ws_quantity quantity;
    int id, preference;
    size_t section; /* in which it was announced */
    size_t before;  /* the channel of the same device before it, as last_channel */
} ws_trace_channel;

typedef struct ws_trace_devices {
    ws_trace_device *items;
    size_t n, capacity;
    ws_trace_channel *channels;
    size_t n_channels, channel_capacity;
    size_t section;  /* how many headers there were before this one */
    ws_arena *arena; /* the caller's */
} ws_trace_devices;

/* number: of the house name "gpu<number>", -1 for the next free one. Rows that give no more than an index are of the
 * device that had it beside a uuid or bus id under an earlier header. Returns the index of the device. */
size_t ws_trace_device_find(ws_trace_devices *devices, ws_domain domain, ws_span node, ws_span id, const char *identity,
                            int64_t number);

/* Announces the channel, once for each (device, column, quantity). */
ws_status ws_trace_channel_find(ws_trace_devices *devices, const ws_sink *sink, size_t device,
                                const ws_channel *channel, int *id, ws_error *error);

/* The first choice among the device's channels of that quantity under earlier headers; NULL where there is none. Good
 * until the next channel is announced. */
const ws_trace_channel *ws_trace_channel_before(const ws_trace_devices *devices, size_t device, ws_quantity quantity);

bool ws_trace_channel_is_known(const ws_trace_devices *devices, size_t device, const char *column,
                               ws_quantity quantity);

void ws_trace_devices_free(ws_trace_devices *devices);

#endif
