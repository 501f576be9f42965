/* What the readings of a channel pass before its meter: limits that drop impossible ones and stamps put in order; and
 * what watches time not in use. */
#ifndef WS_ANALYZE_FILTERS_H
#define WS_ANALYZE_FILTERS_H

#include "analyze/measure/meter.h"
#include "analyze/measure/suspect_powers.h"

/* Powers above zero and below WS_LOW_W, which a device in use does not draw: do they stand alone among others? */
#define WS_LOW_W 3.0
typedef struct ws_lows {
    ws_seen seen;           /* their count and first place */
    uint64_t stretches;     /* of low powers that follow each other */
    double most_w;          /* the largest of them, */
    double next_w;          /* and the least of the others; INFINITY for none */
    bool has_any;           /* a power above zero, low or not: */
    bool first_is, last_is; /* is the first of them low, and the last? */
} ws_lows;

/* Readings above a limit: their count and first place, the largest power, and the sum of their powers in W, or of what
 * they add to the energy in J; in WS_PARTS. */
typedef struct ws_high {
    ws_seen seen;
    double most_w;
    ws_total sum;
} ws_high;

/* Readings that no device can have: odd ones are counted, impossible ones become missing. */
typedef struct ws_limits {
    double rare_w, odd_w, impossible_w; /* powers above them */
    ws_quantity quantity;
    ws_domain domain;
    bool has_last;
    int64_t last_t; /* of the last possible reading; of a counter: since when it stands at that */
    double last_value;
    ws_high odd, rare; /* rare: of those that are not odd; empty once they are settled */
    ws_seen impossible;
    int64_t window_start_ns, window_end_ns; /* outside of it no power is tiny */
    double least_w;                         /* of the powers above zero, where there are limits; INFINITY for none */
    ws_seen tiny;                     /* powers that may be kW (ws_most_of_kilowatts): their count and first place, */
    double tiny_least_w, tiny_most_w; /* the least (INFINITY for none), the largest, and their sum in WS_PARTS */
    ws_total tiny_sum;
    double watts_least_w; /* the least of the others; INFINITY for none */
    ws_lows lows;
    double *values; /* a copy of a block that holds impossible ones */
    size_t capacity;
} ws_limits;

/* Powers and energies of domains without limits pass, and so does everything else. */
/* W. Below it a power may be kW: nodes of many cards draw several, large cards 1.4. */
double ws_most_of_kilowatts(ws_domain domain);

void ws_limits_init(ws_limits *limits, const ws_channel *channel);
void ws_limits_free(ws_limits *limits);

/* Is each reading checked by itself? Then the channel may be cut anywhere. */
bool ws_limits_stand_alone(const ws_limits *limits);

/* `block`, or a copy in which impossible readings are NaN; good until the next call. */
ws_block ws_limits_check(ws_limits *limits, const ws_block *block);

/* Forgets all readings. */
void ws_limits_clear(ws_limits *limits);
void ws_limits_merge(ws_limits *into, const ws_limits *next, int64_t lines); /* as ws_meter_merge */
/* Once all readings are known: those that are rare are odd where they stand out. The energy in J, the time in s and the
 * number of readings are the channel's. */
void ws_limits_settle(ws_limits *limits, double energy_j, double duration_s, uint64_t samples);
void ws_limits_notes(const ws_limits *limits, const char *source, const char *subject, ws_notes *notes);

/* Readings whose stamps step back: left out, or sorted by stamp. This works on the readings of one channel in the order
 * of the file, so the result depends neither on the blocks that they come in nor on the number of threads. */
typedef enum ws_back_steps {
    WS_BACK_UNSAID = 0, /* as WS_BACK_KEEP, unless a campaign says otherwise */
    WS_BACK_KEEP,       /* the order of the file; the meter notes each step back */
    WS_BACK_DROP,       /* a reading earlier than one before it counts as missing */
    WS_BACK_SORT /* a reading goes before those of the last WS_SORT_REACH that are later than it; one that belongs
                         further back stays where it is, and the meter notes the step */
} ws_back_steps;

enum { WS_SORT_REACH = 64 };

/* "keep", "drop", "sort". */
bool ws_back_steps_find(const char *name, ws_back_steps *policy);

typedef struct ws_order ws_order;

/* NULL if the order of the file is kept. */
ws_order *ws_order_new(ws_back_steps policy);
void ws_order_free(ws_order *order); /* NULL too */

void ws_order_push(ws_order *order, const ws_block *block, ws_meter *meter);
void ws_order_flush(ws_order *order, ws_meter *meter); /* what still waits for its place */

/* Adds the counts of `next`, which has been flushed, for a later stretch of the same channel; `lines` as in
 * ws_meter_merge. NULL if the order of the file is kept. */
void ws_order_merge(ws_order *into, const ws_order *next, int64_t lines);

/* What it counted, once it has been flushed, for those who keep it (pack.h). */
void ws_order_counts(const ws_order *order, ws_seen *moved, uint64_t *missing);
void ws_order_set_counts(ws_order *order, const ws_seen *moved, uint64_t missing);

/* Readings left out that lie inside the meter's window. */
uint64_t ws_order_missing(const ws_order *order);
void ws_order_notes(const ws_order *order, const char *source, const char *subject, ws_notes *notes);

/* The time in which a device is not in use: steps between two readings of its utilisation below WS_UNUSED_SHARE. */
typedef struct ws_unused_time {
    int64_t window_start_ns, window_end_ns; /* what lies outside of it does not count */
    int64_t first_ns, last_ns;              /* the first and the last reading, */
    double first, last;                     /* NaN where there is none */
    int64_t ns;
} ws_unused_time;

void ws_unused_init(ws_unused_time *unused);
void ws_unused_push(ws_unused_time *unused, const ws_block *utilisations);
void ws_unused_merge(ws_unused_time *into, const ws_unused_time *next); /* the following stretch of the channel */

#endif
