/* What the readings of a channel pass on their way to a meter. */
#ifndef WS_ANALYZE_FILTERS_H
#define WS_ANALYZE_FILTERS_H

#include "analyze/measure/meter.h"

/* Readings that no device can have: those that are only odd are counted, those that cannot be are missing. */
typedef struct ws_limits {
    double odd_w, impossible_w; /* powers above them */
    ws_quantity quantity;
    ws_domain domain;
    bool has_last;
    int64_t last_t; /* of the last reading that may be */
    double last_value;
    ws_seen odd, impossible;
    double largest_w; /* of the odd ones */
    double *values;   /* a copy of a block that holds impossible ones */
    size_t capacity;
} ws_limits;

/* Powers and energies of domains without limits pass, and so does everything else. */
void ws_limits_init(ws_limits *limits, const ws_channel *channel);
void ws_limits_free(ws_limits *limits);

/* Is each reading judged without the one before? Then the channel may be cut anywhere. */
bool ws_limits_stand_alone(const ws_limits *limits);

/* `block`, or a copy in which readings that cannot be are NaN; good until the next call. */
ws_block ws_limits_check(ws_limits *limits, const ws_block *block);

/* Forgets what it saw. */
void ws_limits_clear(ws_limits *limits);
void ws_limits_merge(ws_limits *into, const ws_limits *next, int64_t lines); /* as ws_meter_merge */
void ws_limits_notes(const ws_limits *limits, const char *source, const char *subject, ws_notes *notes);

/* Readings whose stamps step back: left out, or put in the place of their stamp. This works on the readings of one
 * channel in the order of the file, so that what comes out depends neither on how they are cut into blocks nor on the
 * number of threads. */
typedef enum ws_back_steps {
    WS_BACK_UNSAID = 0, /* as WS_BACK_KEEP, unless a campaign says otherwise */
    WS_BACK_KEEP,       /* the order of the file; the meter says what a step back holds */
    WS_BACK_DROP,       /* a reading earlier than one before it is left out, and missing */
    WS_BACK_SORT /* a reading goes before those of the last WS_SORT_REACH that are later than it; one that belongs
                         further back stays where it is, and the meter notes the step */
} ws_back_steps;

enum { WS_SORT_REACH = 64 };

/* "keep", "drop", "sort". */
bool ws_back_steps_find(const char *name, ws_back_steps *policy);

typedef struct ws_order ws_order;

/* NULL where the order of the file is kept. */
ws_order *ws_order_new(ws_back_steps policy);
void ws_order_free(ws_order *order); /* NULL too */

void ws_order_push(ws_order *order, const ws_block *block, ws_meter *meter);
void ws_order_flush(ws_order *order, ws_meter *meter); /* what still waits for its place */

/* Add what a flushed one has seen, of the same channel further on; `lines` as in ws_meter_merge. NULL where the order
 * of the file is kept. */
void ws_order_merge(ws_order *into, const ws_order *next, int64_t lines);

/* Readings left out that lie inside the meter's window. */
uint64_t ws_order_missing(const ws_order *order);
void ws_order_notes(const ws_order *order, const char *source, const char *subject, ws_notes *notes);

#endif
