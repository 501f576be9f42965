/* A device whose trace is spread over several files: a log that was rotated, or restarted into another file.
 *
 * Two files of one run that hold the same device (by uuid, else by its name on one node) and have dates:
 *
 *     their times                               verdict
 *     follow each other                         one trace, including the interval between them (continued)
 *     share less than half of the shorter one   one trace: the earlier file counts up to its end, the later one after
 *     (nine tenths for the same uuid)           it (overlap-cut); such files are read twice
 *     share more                                the same time measured twice (duplicates.h)
 *
 * Channels with a given total, and counters that begin at zero, are never joined. */
#ifndef WS_ANALYZE_CONTINUED_H
#define WS_ANALYZE_CONTINUED_H

#include "analyze/measure/measure.h"

/* Joins stretches of a device that follow each other in the sources of one run, under the first source. Stretches with
 * different columns of power or energy are not joined. Call it before ws_measure_finish. */
void ws_measure_join_parts(ws_measure *measure, ws_notes *notes);

/* Overlapping files. A meter cannot forget readings, so such files are read a second time:
 *     if (ws_seams_find(seams, measures, n))
 *         ... read again into new measures through ws_seams_sink ... */
typedef struct ws_seams ws_seams;

ws_seams *ws_seams_new(void);
void ws_seams_free(ws_seams *seams); /* NULL too */

/* Finds the seams between the files of one run, in its measure or those of its windows, and returns how many there are.
 * Call it before ws_measure_finish. */
size_t ws_seams_find(ws_seams *seams, ws_measure *const *measures, size_t n);

void ws_seams_note(const ws_seams *seams, ws_notes *notes);

/* A sink that passes everything on to `inner` except the readings before the seam, which count in an earlier file.
 * `inner` must outlive it. */
void ws_seams_begin(ws_seams *seams, const char *source, const char *node); /* see ws_measure_begin */
ws_sink ws_seams_sink(ws_seams *seams, const ws_sink *inner);

#endif
