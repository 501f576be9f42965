/* Where an axis begins and ends, and which ticks and labels it has.
 *
 * Linear axes step by 1, 2 or 5 times a power of ten, with equal decimals on all labels; base-2 axes label powers of
 * two; base-10 axes decades, and 2 and 5 between them where there is room; narrow ones step as linear axes do. Category
 * axes label every category. The minus sign is U+2212, powers are written "10^{5}". An axis with tick values of its own
 * labels these and no others; it reaches from the first to the last at least. */
#ifndef WS_REPORT_FIGURE_TICKS_H
#define WS_REPORT_FIGURE_TICKS_H

#include "report/figure/figure.h"

typedef struct ws_tick {
    double position;   /* on the axis: the value, or its logarithm */
    const char *label; /* NULL: none */
    bool minor;
} ws_tick;

typedef struct ws_ticks {
    double lo, hi; /* the whole axis, in positions; lo < hi */
    ws_tick *items;
    size_t n, capacity;
} ws_ticks;

typedef struct ws_tick_room {
    double length_mm; /* of the axis */
    double wanted_mm; /* from label to label on a linear axis */
    double least_mm;  /* labels nearer to each other than this would touch */
} ws_tick_room;

/* Ticks for data between the positions lo and hi (lo > hi: no data). Labels live in the arena, items until
 * ws_ticks_free. */
void ws_ticks_make(ws_ticks *ticks, ws_arena *arena, const ws_axis *axis, double lo, double hi,
                   const ws_tick_room *room);
void ws_ticks_free(ws_ticks *ticks);

#endif
