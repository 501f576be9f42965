/* Runs of one file that read the same device at the same time, as a job's batch script and the steps that it starts. */
#ifndef WS_ANALYZE_RUN_OVERLAP_H
#define WS_ANALYZE_RUN_OVERLAP_H

#include "analyze/measure/metered.h"

/* Of a measure whose devices are grouped, the entries of one device in different runs of a source whose stamps are instants. Of
 * two that hold the same time the shorter one is left out of sums over runs (`again_in`) where the other holds at least half of
 * it; `overlaps` is set on that one where what is left out reaches beyond, and on both where they stay although they share more than
 * stamps of whole seconds leave open. */
void ws_measure_find_overlaps(ws_measure *measure);

/* The time that the devices of the domain cover together, whatever their run: those that the filter passes, which have an energy and
 * are not left out. NaN where one of them knows no instants. */
double ws_measure_covered_s(const ws_measure *measure, const ws_device_filter *filter, ws_domain domain);

#endif
