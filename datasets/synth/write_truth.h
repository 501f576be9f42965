/* truth.json, built while the runs are written: begin, one add_run a run that is not excluded, end. */
#ifndef WS_SYNTH_WRITE_TRUTH_H
#define WS_SYNTH_WRITE_TRUTH_H

#include "datasets/synth/outfile.h"
#include "datasets/synth/write.h"

#define WS_SYNTH_FAILED_REASON "a node failed during the run and its traces are cut short"

void ws_synth_truth_number(ws_synth_text *text, const char *name, double value); /* ,"name":value */
void ws_synth_truth_begin(ws_synth_text *text, const ws_synth_campaign *campaign, ws_arena *arena);
void ws_synth_truth_add_run(ws_synth_text *text, const ws_synth_job *job, bool first);
void ws_synth_truth_end(ws_synth_text *text);

#endif
