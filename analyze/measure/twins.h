/* Traces that tell the same thing twice: ranks that each logged the whole node, and files of different nodes with the same
 * readings. */
#ifndef WS_ANALYZE_TWINS_H
#define WS_ANALYZE_TWINS_H

#include "analyze/measure/measure.h"

/* After ws_measure_finish, among devices of different sources in one run:
 * - the same device, by uuid or by its name on one node, read at overlapping times, counts once: of its entries all
 *   but that with the most samples become alternatives (note "measured-twice"), and so do those without dates whose readings are
 *   equal; where they are not, both stay in the sums (note "maybe-measured-twice");
 * - devices of the same name on one node are different ones where each is alone in its file, the files' names differ in
 *   numbers and their readings differ (note "file-a-device");
 * - files that name no node: see ranks.h (`gpus` as the run is described, NaN where it is not);
 * - different devices with equal readings are noted ("same-readings") and stay in the sums.
 * True where the sums may hold a device twice (note "maybe-measured-twice"). */
bool ws_measure_find_twins(ws_measure *measure, double gpus, ws_notes *notes);

/* GPUs, each once, however many files it is spread over. */
size_t ws_measure_count_gpus(const ws_measure *measure, const char *run);

#endif
