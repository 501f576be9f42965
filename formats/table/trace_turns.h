/* Rows that take turns, as those of `nvidia-smi` without an index: which place in its poll a row has. The order within
 * a poll is fixed, so places are counted; the time since the poll began and the memory in use tell where a row was
 * lost, comes late or stands twice. */
#ifndef WS_FORMATS_TRACE_TURNS_H
#define WS_FORMATS_TRACE_TURNS_H

#include "formats/table/trace_plan.h"

typedef struct ws_poll {
    uint32_t next;             /* place of the next row */
    int64_t start_ns, poll_ns; /* of the poll, or the last row where rows are spread; from one poll to the next, as of
                                  late, 0: not known */
    bool is_running;           /* start_ns is that of a row */
    double *marks;             /* memory in use at each place, as read last; NaN: not known */
    uint64_t last_row;         /* hash of the row before; 0: none */
    uint32_t extra;            /* rows in succession that had no place in their poll */
} ws_poll;

typedef enum ws_poll_event {
    WS_POLL_ROW,     /* has its place */
    WS_POLL_SHORT,   /* the poll before it, or its own in front of it, lacks a row */
    WS_POLL_REPEATED /* has none: the row before stands twice, or the poll is full */
} ws_poll_event;

/* The event of a row and its place. The stamp is of no use where the plan counts alone. */
ws_poll_event ws_poll_take(ws_poll *poll, const ws_plan *plan, const ws_row *row, int64_t t_ns, uint32_t *place);
void ws_poll_restart(ws_poll *poll); /* a line between polls, as a date, begins the next one */
void ws_poll_free(ws_poll *poll);

#endif
