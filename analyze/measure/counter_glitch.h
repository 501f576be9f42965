/* Readings of a counter that jump away and come back: they are left out, since the counter goes on as if they had never
 * been. Works on the readings of a channel in the order of the file, before all other filters. */
#ifndef WS_ANALYZE_COUNTER_GLITCH_H
#define WS_ANALYZE_COUNTER_GLITCH_H

#include "analyze/measure/meter.h"

/* A counter comes back within so many readings, or it has been set to another value. Ours. */
enum { WS_GLITCH_READINGS = 8 };

typedef struct ws_counter_glitch {
    bool has_last; /* a reading that is no glitch: its value, its stamp, and since when the counter stands at it */
    double last_value;
    int64_t last_t, moved_ns;
    double pace_w; /* of its last rise */
    /* Readings that wait until it is known whether the counter comes back; the first one jumped away. */
    size_t n;
    bool has_interval, has_line;
    int64_t t_ns[WS_GLITCH_READINGS], interval_ns[WS_GLITCH_READINGS], line[WS_GLITCH_READINGS];
    double value[WS_GLITCH_READINGS];
    ws_seen seen; /* left out */
} ws_counter_glitch;

/* Takes the readings that have passed; a block is good during the call alone. */
typedef void ws_block_taker(void *state, const ws_block *block);

/* Zeros and missing cells pass: they have rules of their own. Without stamps everything does. */
void ws_glitch_push(ws_counter_glitch *glitch, const ws_block *block, ws_block_taker *take, void *state);
void ws_glitch_flush(ws_counter_glitch *glitch, ws_block_taker *take, void *state); /* those that wait pass */

#endif
