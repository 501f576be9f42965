/* `wattscale energy` on several processes: files that others read, and what came of them. */
#ifndef WS_COMMANDS_ENERGY_RANKS_H
#define WS_COMMANDS_ENERGY_RANKS_H

#include "analyze/commands/energy_read.h"

/* Hands the files out, where there are other processes. They do not read a file again: what asks for that is read here
 * alone. */
void ws_energy_begin_round(ws_energy_job *job, unsigned threads);

/* False: the file has to be read here. */
bool ws_energy_take_answer(const ws_energy_job *job, size_t item, ws_energy_part *part, ws_rank_answer *answer);

#endif
