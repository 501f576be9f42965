/* The place of each row within its poll, for devices that take turns, as in the output of `nvidia-smi` without an
 * index. The order within a poll is fixed, so places are counted; the time since the poll began and the memory in use
 * show where a row was lost, is late or was written twice. */
#ifndef WS_FORMATS_POLL_PLACES_H
#define WS_FORMATS_POLL_PLACES_H

#include "formats/table/trace_plan.h"

typedef struct ws_poll {
    uint32_t next;     /* place of the next row */
    int64_t start_ns;  /* of the poll; of the last row if the rows are spread evenly */
    int64_t poll_ns;   /* from one poll to the next, recently; 0: not known */
    bool is_running;   /* a poll has begun: start_ns is set */
    double *marks;     /* last memory in use at each place; NaN: not known */
    uint64_t last_row; /* hash of the row before; 0: none */
    uint32_t extra;    /* consecutive rows without a place in their poll */
    uint32_t before;   /* rows of the poll that a line between polls ended */
    uint32_t unsure;   /* of WS_POLL_SHORT: so many places were counted in a poll that lacks a row, and nothing says
                        * whose it was; 0: the memory in use, or the time, told */
} ws_poll;

typedef enum ws_poll_event {
    WS_POLL_ROW,     /* the row has a place */
    WS_POLL_SHORT,   /* it has, but a row is missing, in the poll before or earlier in this one */
    WS_POLL_REPEATED /* it has none: it repeats the row before, or the poll is full */
} ws_poll_event;

/* The event of a row, and its place. The stamp is ignored if the plan only counts rows. */
ws_poll_event ws_poll_take(ws_poll *poll, const ws_plan *plan, const ws_row *row, int64_t t_ns, uint32_t *place);
void ws_poll_restart(ws_poll *poll); /* a line between polls, such as a date, begins the next poll */
void ws_poll_free(ws_poll *poll);

#endif
