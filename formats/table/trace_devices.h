/* The devices of a file and the channels announced for them: a device keeps its name and its channels from one header
 * to the next. And the lanes: for each device the rows that wait to be pushed to the sink. */
#ifndef WS_FORMATS_TRACE_DEVICES_H
#define WS_FORMATS_TRACE_DEVICES_H

#include "core/arena.h"
#include "core/sample.h"
#include "core/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ws_trace_device {
    const char *node, *id, *identity, *name;
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

/* number: that in the name "gpu<number>", -1 for the next free one. Rows with only an index belong to the device that
 * had this index beside a uuid or bus id under an earlier header. Returns the index of the device. */
size_t ws_trace_device_find(ws_trace_devices *devices, ws_domain domain, ws_span node, ws_span id, const char *identity,
                            int64_t number);

/* Announces the channel, once for each (device, column, quantity). */
ws_status ws_trace_channel_find(ws_trace_devices *devices, const ws_sink *sink, size_t device,
                                const ws_channel *channel, int *id, ws_error *error);

/* The first choice among the device's channels of that quantity under earlier headers; NULL if there is none. Valid
 * until the next channel is announced. */
const ws_trace_channel *ws_trace_channel_before(const ws_trace_devices *devices, size_t device, ws_quantity quantity);

bool ws_trace_channel_is_known(const ws_trace_devices *devices, size_t device, const char *column,
                               ws_quantity quantity);

void ws_trace_devices_free(ws_trace_devices *devices);

/* --- lanes --- */

/* Rows of one device on their way to the sink: one time, and one value for each of its channels. */
typedef struct ws_lane {
    const ws_sink *sink;
    size_t n_channels, n_rows, most_rows; /* rows that wait for the next push, and how many there may be */
    size_t n_pushed;                      /* rows of the last push, which stay in place until the next row comes */
    bool has_time;
    int *id;                            /* of the sink, one a channel; negative: not wanted */
    uint32_t *from;                     /* which of the row's values is the channel's */
    int64_t *t_ns, *interval_ns, *line; /* interval_ns: NULL without intervals */
    double *value;                      /* most_rows for each channel, one channel after the other */
    int64_t count;                      /* rows taken since the lane was made */
} ws_lane;

/* Enough rows that a push costs little per row; fewer in the lanes after the first WS_LANES_FEW, so that those of a
 * thousand devices fit into a megabyte. */
enum { WS_LANE_ROWS = 64, WS_LANES_FEW = 64, WS_LANE_ROWS_OF_MANY = 8 };

/* `index`: how many lanes there are already. The caller sets id[0..n_channels), and from[], which is 0, 1, 2 ...
 * otherwise. */
void ws_lane_init(ws_lane *lane, size_t index, const ws_sink *sink, size_t n_channels, bool has_time,
                  bool has_interval);

ws_status ws_lane_flush(ws_lane *lane, ws_error *error);
void ws_lane_free(ws_lane *lane); /* without a flush */

/* An empty lane has had its last row elsewhere. */
void ws_lane_repeat_last(ws_lane *lane, const ws_lane *of);

/* Where to put the value of a channel in the next row. */
static inline double *ws_lane_place(ws_lane *lane, size_t channel)
{
    return &lane->value[channel * lane->most_rows + lane->n_rows];
}

/* The value of a channel in the last row. The lane has had one. */
static inline double ws_lane_last(const ws_lane *lane, size_t channel)
{
    return lane->value[channel * lane->most_rows + (lane->n_rows ? lane->n_rows : lane->n_pushed) - 1];
}

/* The row whose values have been put is complete. */
static inline ws_status ws_lane_close_row(ws_lane *lane, int64_t t_ns, int64_t interval_ns, int64_t line,
                                          ws_error *error)
{
    size_t row = lane->n_rows++;
    lane->t_ns[row] = t_ns;
    lane->line[row] = line;
    if (lane->interval_ns)
        lane->interval_ns[row] = interval_ns;
    lane->count++;
    return lane->n_rows == lane->most_rows ? ws_lane_flush(lane, error) : WS_OK;
}

/* Of a lane with one channel; NaN is missing. */
static inline ws_status ws_lane_add_one(ws_lane *lane, int64_t t_ns, int64_t interval_ns, int64_t line, double value,
                                        ws_error *error)
{
    lane->value[lane->n_rows] = value;
    return ws_lane_close_row(lane, t_ns, interval_ns, line, error);
}

/* values: where from[] says, NaN is missing. */
static inline ws_status ws_lane_add(ws_lane *lane, int64_t t_ns, int64_t interval_ns, int64_t line,
                                    const double *values, ws_error *error)
{
    for (size_t c = 0; c < lane->n_channels; c++)
        *ws_lane_place(lane, c) = values[lane->from[c]];
    return ws_lane_close_row(lane, t_ns, interval_ns, line, error);
}

#endif
