/* What a rank is told of files: how they are read, with all that the leader knows of their description, and what they
 * were when the leader looked. Each function writes, or reads, as those of measure/packer_internal.h. */
#ifndef WS_ANALYZE_RANK_REQUEST_H
#define WS_ANALYZE_RANK_REQUEST_H

#include "analyze/measure/cutter.h"
#include "analyze/measure/pack.h"
#include "analyze/mpi_ranks.h"
#include "analyze/source.h"
#include "analyze/store/file_state.h"

struct ws_packer; /* measure/packer_internal.h */

/* What decides how samples are measured; what ws_measure_finish alone uses stays with the leader. */
void ws_rank_pack_measure(struct ws_packer *p, ws_measure_options *options);

/* Counts, registers and open inputs are each process's own. */
void ws_rank_pack_source(struct ws_packer *p, ws_source_options *options);

void ws_rank_pack_state(struct ws_packer *p, ws_file_state *state); /* size and time of the last change */
void ws_rank_pack_cut(struct ws_packer *p, ws_cut *cut);            /* without its measure */
void ws_rank_pack_bytes(struct ws_packer *p, ws_packed *bytes);     /* read: to be freed */

/* False, and why: this process cannot read the file, or sees another one under its name. */
bool ws_rank_sees(const char *path, const ws_file_state *state, char *why, size_t size);

/* Notes that the leader read what a rank could not. */
void ws_rank_note_refusal(ws_notes *notes, const ws_rank_answer *answer);

#endif
