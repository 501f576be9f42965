/* Readings whose stamps step back, on their way to a meter: left out, or put in the place of their stamp.
 *
 * It works on the readings of one channel in the order of the file, so that what comes out depends neither on how they
 * are cut into blocks nor on the number of threads. */
#ifndef WS_ANALYZE_ORDER_H
#define WS_ANALYZE_ORDER_H

#include "analyze/measure/meter.h"

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
