/* Readings that no device can have, on their way to a meter: those that are only odd are counted, those that cannot be
 * are missing. */
#ifndef WS_ANALYZE_LIMITS_H
#define WS_ANALYZE_LIMITS_H

#include "analyze/measure/meter.h"

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

#endif
