/* The sums of many readings at once, as the meter's batches need them. Inside analyze/measure/ only. */
#ifndef WS_ANALYZE_BATCH_SUMS_H
#define WS_ANALYZE_BATCH_SUMS_H

#include <stdbool.h>
#include <stdint.h>

/* Readings are whole units of up to so many bits: the squares of a batch fit into 64. */
enum { WS_BATCH = 64, WS_BATCH_UNIT_BITS = 29 };

/* The intervals of one quarter octave, as in a ws_interval_bucket. */
typedef struct ws_interval_sums {
    uint64_t count;
    int64_t total_ns;
    __int128 integral, squares;
} ws_interval_sums;

typedef struct ws_batch_sums {
    int64_t least, most, total;
    uint64_t squares;
    int64_t shortest_ns, longest_ns;
    ws_interval_sums shorter, longer; /* longer: of the quarter octave of the longest */
} ws_batch_sums;

/* Of WS_BATCH readings with their stamps; the reading before them stands in front. False, with the sums in any state, where intervals
 * are none, are longer than four seconds, or belong to others than one quarter octave and the one below it, and on
 * machines without AVX2. */
bool ws_sum_batch(ws_batch_sums *sums, const int64_t *units, const int64_t *t_ns);

#endif
