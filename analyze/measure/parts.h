/* A device whose trace is spread over several files in time: a log that was rotated, or restarted into another file. */
#ifndef WS_ANALYZE_PARTS_H
#define WS_ANALYZE_PARTS_H

#include "analyze/measure/measure.h"

/* Before ws_measure_finish, among the sources of one run: what the same device (by uuid, else by its name on one node) gave in
 * stretches of the calendar that follow each other becomes one trace under the first of the sources, the interval between
 * them included (note "continued"). Stretches that overlap stay apart, and so do those with other columns of power or energy,
 * given totals, and traces that know no date. */
void ws_measure_join_parts(ws_measure *measure, ws_notes *notes);

#endif
