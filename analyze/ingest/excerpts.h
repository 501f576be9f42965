/* Runs whose traces are excerpts of them. */
#ifndef WS_ANALYZE_EXCERPTS_H
#define WS_ANALYZE_EXCERPTS_H

#include "core/table.h"

/* Runs of which the traces show a window: wall_s becomes job_wall_s, and energies the mean power of the window times
 * that (Frey et al. 2022); coverage says how small the window was. Without job_wall_s a run stays as it is, with a
 * note. */
void ws_runs_extend_excerpts(ws_table *runs);

#endif
