/* Traces that tell the same thing twice: ranks that each logged the whole node, and files of different nodes with the same
 * readings. */
#ifndef WS_ANALYZE_TWINS_H
#define WS_ANALYZE_TWINS_H

#include "analyze/measure/measure.h"

/* After ws_measure_finish, among devices of different sources in one run:
 * - the same device, by uuid, by bus id or name on one node, read at overlapping times, counts once: of its entries all
 *   but that with the most samples become alternatives (note "measured-twice");
 * - files that name no node and each hold the same devices count once where together they hold `gpus` GPUs as often as
 *   there are files (`gpus` as the run is described, NaN where it is not);
 * - different devices with equal readings are noted ("same-readings") and stay in the sums. */
void ws_measure_find_twins(ws_measure *measure, double gpus, ws_notes *notes);

/* GPUs, each once, however many files it is spread over. */
size_t ws_measure_count_gpus(const ws_measure *measure, const char *run);

#endif
