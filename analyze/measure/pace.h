/* The paces of a log: stretches of readings that are about equally far apart. A logger that reads each second under
 * load and each 10 s at rest has two, and its steps of 10 s are neither gaps nor have they lost rows:
 *
 *     steps of 1 s, 1 s, 1 s, 10 s, 10 s, 10 s, 10 s, 1 s, 1 s ...
 *
 * A step that is long because rows are lost is mostly followed by a usual one. */
#ifndef WS_ANALYZE_PACE_H
#define WS_ANALYZE_PACE_H

#include "core/sample.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Steps of which each is about as long as the one before. */
typedef struct ws_pace_run {
    int64_t from_ns, to_ns;
    int64_t first_ns, last_ns; /* length of its first and its last step */
    uint64_t n;                /* steps; 0: there is no run */
} ws_pace_run;

/* Runs of several steps, by the quarter octave of their first one. */
typedef struct ws_pace_bucket {
    int quarter_octave;
    int64_t ns;
} ws_pace_bucket;

typedef struct ws_pace {
    bool has_any;
    int64_t first_t, last_t;
    ws_pace_run first, last; /* the first run, and the one that goes on where that is another */
    ws_pace_bucket *buckets; /* of the runs between */
    size_t n_buckets, capacity;
} ws_pace;

void ws_pace_free(ws_pace *pace); /* leaves an empty one */
void ws_pace_push(ws_pace *pace, const ws_block *block);
void ws_pace_merge(ws_pace *into, const ws_pace *next); /* the following stretch of the channel */

/* The time in runs of steps of about this length. */
int64_t ws_pace_ns(const ws_pace *pace, int quarter_octave);

#endif
