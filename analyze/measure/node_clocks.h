/* Nodes of a job whose clocks differ from the scheduler's: cut at the job's window, their logs begin with an idle
 * stretch and end in the midst of the work, or the other way round, and the other nodes' logs do not. */
#ifndef WS_ANALYZE_NODE_CLOCKS_H
#define WS_ANALYZE_NODE_CLOCKS_H

#include "analyze/measure/measure_groups.h"
#include "analyze/measure/metered.h"

/* What the work outside of the window may have come to, by the mean power of the node's devices and by their highest.
 */
typedef struct ws_clock_doubt {
    double joules, most_j;
} ws_clock_doubt;

/* Compares the GPUs, or else the processors, of the nodes of a run that is cut at a window; a note "node-clock" for
 * each node that works at least 10 s later or earlier than most others, and goes on beyond the window. */
ws_clock_doubt ws_measure_find_node_clocks(const ws_measure *measure, const ws_measure_group *run, int64_t start_ns,
                                           int64_t end_ns, const char *id, ws_notes *notes);

#endif
