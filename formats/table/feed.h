/* Passes single readings of many devices on to the sink: for readers whose lines are not the rows of one table. */
#ifndef WS_FORMATS_FEED_H
#define WS_FORMATS_FEED_H

#include "core/note.h"
#include "core/unit.h"
#include "formats/table/trace_devices.h"

/* What a reading is about. One channel for each run, device, quantity and column. Texts are good for the call. */
typedef struct ws_feed_key {
    const char *run; /* inside a file of several; NULL: none */
    ws_span node, id;
    const char *identity; /* what kind of id; see ws_channel */
    int64_t number;       /* in the device's name, 3 of "gpu3"; -1: the next free one */
    const char *device;   /* the device's name, good as long as the feed; NULL: by domain and number */
    ws_domain domain;
    ws_quantity quantity;
    const char *column;
    ws_rule rule; /* WS_RULE_NONE: the usual one of the quantity */
    int preference;
    bool counter_from_zero; /* see ws_channel */
    const char *assumed;    /* of the first reading, as in ws_channel */
    bool has_intervals;     /* its readings state their intervals, even if that of the first one is 0 */
    ws_time_base time;      /* that of the first reading counts */
} ws_feed_key;

typedef struct ws_feed_reading {
    int64_t t_ns, interval_ns; /* interval_ns 0: not known */
    double value;              /* SI; NaN is missing */
    int64_t line;
} ws_feed_reading;

typedef struct ws_feed {
    const char *source;
    const ws_sink *sink;
    ws_notes *notes;
    const ws_unit *usual[WS_QUANTITY_N]; /* ws_usual_unit of each */
    ws_trace_devices devices;
    struct ws_feed_channel *channels;
    size_t n, capacity, last; /* last: the channel found last; it or the one that followed it is likely to come next */
    size_t *slots;            /* of a hash table by key: place of the channel + 1, 0 for an empty slot */
    size_t n_slots;           /* a power of two */
    const char **names;
    size_t n_names, name_capacity;
    bool is_naive_noted;
    ws_arena arena;
} ws_feed;

/* In place: the feed must not be moved afterwards. */
void ws_feed_init(ws_feed *feed, const char *source, const ws_sink *sink, ws_notes *notes);

/* WS_FORMAT when there are more devices than any machine has, or more channels than a file of many runs. */
ws_status ws_feed_push(ws_feed *feed, const ws_feed_key *key, const ws_feed_reading *reading, ws_error *error);

/* A copy of the text for ws_feed_key.column, made once. Searches all copies: for a handful of different texts. */
const char *ws_feed_name(ws_feed *feed, ws_span name);

bool ws_feed_has(ws_feed *feed, const ws_feed_key *key);

/* Tells the sink a fact about a device that has a channel: "gpu.name", "gpu.driver". Nothing where `text` is missing.
 */
void ws_feed_push_text(ws_feed *feed, const ws_feed_key *key, const char *fact, ws_span text);

/* A cell in SI. Its own unit wins over `unit` (NULL: the usual one of the quantity). A cell without a reading is NaN,
 * and so is one that cannot be read, which is noted. */
double ws_feed_number(ws_feed *feed, ws_span cell, ws_quantity quantity, const ws_unit *unit, const char *column,
                      int64_t line);

ws_status ws_feed_flush(ws_feed *feed, ws_error *error);
void ws_feed_free(ws_feed *feed);

#endif
