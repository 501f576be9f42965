/* Files of a run that follow each other: a log that was rotated, or restarted into another file (entries.h). */
#ifndef WS_ANALYZE_JOINS_H
#define WS_ANALYZE_JOINS_H

#include "analyze/measure/measure.h"

/* Joins stretches of a device that follow each other in the sources of one run, under the first source. Stretches with
 * different columns of power or energy are not joined. Call it before ws_measure_finish. */
void ws_measure_join_parts(ws_measure *measure, ws_notes *notes);

#endif
