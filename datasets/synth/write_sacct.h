/* sacct.txt, built while the runs are written: one add_run a run, failed ones too. */
#ifndef WS_SYNTH_WRITE_SACCT_H
#define WS_SYNTH_WRITE_SACCT_H

#include "datasets/synth/outfile.h"
#include "datasets/synth/write.h"

void ws_synth_sacct_add_run(ws_synth_text *text, const ws_synth_job *job);

#endif
