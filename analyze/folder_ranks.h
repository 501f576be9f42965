/* What a rank does of listing folders (folder_walk.h). */
#ifndef WS_ANALYZE_FOLDER_RANKS_H
#define WS_ANALYZE_FOLDER_RANKS_H

#include "analyze/mpi_ranks.h"

/* Lists one of them and all below it. */
ws_rank_work ws_rank_list_folder;

#endif
