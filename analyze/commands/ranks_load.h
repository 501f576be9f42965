/* Is this process one of several that a launcher of MPI has started? Then they work on one command together. */
#ifndef WS_ANALYZE_RANKS_LOAD_H
#define WS_ANALYZE_RANKS_LOAD_H

#include "analyze/mpi_ranks.h"

typedef enum ws_rank_role {
    WS_ROLE_ALONE,  /* no launcher, or one process */
    WS_ROLE_LEADER, /* to run the command, and then ws_ranks_leave */
    WS_ROLE_SERVED, /* has served, and ends */
    WS_ROLE_REFUSED /* *error says why */
} ws_rank_role;

ws_rank_role ws_ranks_join(int argc, char **argv, ws_error *error);
void ws_ranks_leave(void); /* no effect for WS_ROLE_ALONE */

/* Of a rank that serves: reads a file that `energy` asks for. */
ws_rank_work ws_rank_read_trace;

#endif
