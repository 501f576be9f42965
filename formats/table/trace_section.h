/* A trace being read: its devices and the lanes of their rows, and the sections, one under each header. */
#ifndef WS_FORMATS_TRACE_SECTION_H
#define WS_FORMATS_TRACE_SECTION_H

#include "formats/format.h"
#include "formats/table/rows.h"
#include "formats/table/trace_plan.h"
#include "formats/table/poll_places.h"
#include "formats/table/unread_lines.h"
#include "core/arena.h"
#include "core/sample.h"
#include "core/text.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* --- the devices of a file, and the channels announced for them, which they keep from one header to the next --- */

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

/* --- lanes: for each device the rows that wait to be pushed to the sink --- */

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
enum { WS_LANE_ROWS = 128, WS_LANES_FEW = 64, WS_LANE_ROWS_OF_MANY = 8 };

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

/* --- sections: the rows under one header, and whose they are --- */

/* One device under one header: the owner of its rows. */
typedef struct ws_row_owner {
    ws_span node, id;          /* as the cells spell them */
    char names[62];            /* the text of both cells in the last line, up to the delimiter after them */
    uint16_t names_n;          /* 0: not seen yet, or too long */
    ws_domain domain;          /* of the values whose columns name none */
    int64_t first_ns, last_ns; /* stamps of its rows; first_ns: where stops_at_repeats */
    ws_lane lane;
} ws_row_owner;

/* The rows under one header. */
typedef struct ws_trace_section {
    ws_plan plan;
    bool is_unusable;                    /* its rows are skipped */
    bool stops_at_repeats;               /* a row with the stamp of its owner's row before is no plain one */
    const struct ws_trace_section *like; /* an earlier section with the same devices in the same order, or NULL */
    ws_row_owner *owners;
    size_t n, capacity, next; /* next: the owner that probably comes next */
    ws_poll poll;             /* if rows take turns */
    ws_span *place_ids;       /* of the rows at each place then; empty: no row was there yet */
    /* The values of the plan that the sink wants for some device, in the order of first use. */
    uint32_t *used;
    size_t n_used;
} ws_trace_section;

typedef struct ws_trace {
    ws_plan_context context;
    const ws_read_options *options;
    const ws_sink *sink;
    ws_sink own_sink;      /* that `sink` is, where the trace goes on from an earlier reading */
    ws_notes *later_notes; /* that are noted then, and nothing before */
    ws_input *input;
    bool has_reached; /* the end of its whole lines */
    char delimiter;
    ws_rows *rows;
    ws_trace_section **sections;
    size_t n_sections, section_capacity;
    ws_trace_section *current;       /* NULL before the first header */
    struct ws_line_layouts *layouts; /* of the lines of the current section (trace_rows.h); NULL before */
    ws_trace_devices devices;
    ws_stamp date_line; /* the last stamp on a line of its own; it applies to the rows below */
    bool has_date_line, is_naive_noted;
    ws_row_policy policy;
    ws_unread_lines unread; /* at the ends; plain lines have readings */
    size_t zeros_at_end;    /* bytes of zero behind the last row */
    /* Takes the rows that are not plain, for a reader with rules of its own; NULL: those of trace_csv.c. It sets
     * `current` once plain lines may be read, and back to NULL where they no longer may. */
    ws_row_taker *take_row;
    void *taker;
    /* Of such a reader that can go on from an earlier reading, if its rows are those of one header, and all that it
     * knows of them is in `current`: tells it where to note from now on. NULL: it cannot. */
    void (*set_notes)(void *taker, ws_notes *notes);
} ws_trace;

/* A line gave a reading: what was not read before it is told apart from what follows (unread_lines.h). */
static inline void ws_trace_has_reading(ws_trace *trace)
{
    if (trace->unread.current.n)
        ws_unread_end_stretch(&trace->unread);
    trace->unread.has_reading = true;
}

/* All rows of an input that ws_rows_open has opened in `rows`: plain lines of the current section by the fast path, on
 * several threads where the file is large, the others one by one (trace_csv.c). Pushes what lanes hold in the end. */
ws_status ws_trace_read_rows(ws_trace *trace, ws_input *input, ws_error *error);

/* Does it go on from an earlier reading? Then context.notes are NULL at first, and later_notes are set. Whoever asked
 * for it is told where it could not. */
bool ws_trace_goes_on(const ws_read_options *options);

/* Closes its rows, too. */
void ws_trace_free(ws_trace *trace);

/* Adds a note that quotes the cell, if it is not empty. */
void ws_trace_note(ws_trace *trace, ws_finding finding, int64_t line, const char *text, ws_span cell);

/* The owner of a row, made if it is new. *found = NULL with WS_OK: the device cannot be identified, which
 * a note says. */
ws_status ws_row_owner_find(ws_trace *trace, ws_trace_section *section, const ws_row *row, int64_t t_ns,
                            ws_row_owner **found, ws_error *error);

/* The existing owner with these names, or that the row's cells name; NULL if there is none (yet). */
ws_row_owner *ws_row_owner_known(ws_trace_section *section, ws_span node, ws_span id);
ws_row_owner *ws_row_owner_of(ws_trace_section *section, const ws_row *row);

ws_status ws_trace_section_flush(ws_trace_section *section, ws_error *error); /* pushes what the lanes hold */
ws_trace_section *ws_trace_section_add(ws_trace *trace);
void ws_trace_section_start(ws_trace_section *section); /* after its plan has been made */

void ws_trace_section_free(ws_trace_section *section);

#endif
