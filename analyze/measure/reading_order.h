/* The readings of one channel in order: those whose stamps step back are left out, or sorted by stamp. It goes by the
 * order of the file, so the result depends neither on the blocks that they come in nor on the number of threads. */
#ifndef WS_ANALYZE_READING_ORDER_H
#define WS_ANALYZE_READING_ORDER_H

#include "analyze/measure/meter.h"
#include "core/sample.h"

#include <stdbool.h>
#include <stdint.h>

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

/* policy: WS_BACK_DROP or WS_BACK_SORT; a channel whose readings keep the order of the file has no order. */
ws_order *ws_order_new(ws_back_steps policy);
void ws_order_free(ws_order *order);

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

#endif
