/* What the module wattscale-mpi.so gives: the transport of analyze/mpi_ranks.h over MPI. */
#ifndef WS_ANALYZE_MPI_MODULE_H
#define WS_ANALYZE_MPI_MODULE_H

#include "analyze/mpi_ranks.h"

extern const ws_rank_transport ws_mpi_transport;

#endif
