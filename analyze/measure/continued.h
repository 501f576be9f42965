/* A device whose trace is spread over several files: a log that was rotated, or restarted into another file.
 *
 * Of two files of one run that hold a device (by uuid, else by its name on one node), and know dates:
 *
 *     their times                               what they are
 *     follow each other                         one trace, the interval between them included (continued)
 *     share less than half of the shorter one   one trace: the earlier file counts up to its end, the later one from
 *     (nine tenths where a uuid is the same)    there (overlap-cut); such files are read twice
 *     share more                                the same time measured twice (duplicates.h)
 *
 * Given totals, and counters that begin at zero, stay apart. */
#ifndef WS_ANALYZE_CONTINUED_H
#define WS_ANALYZE_CONTINUED_H

#include "analyze/measure/measure.h"

/* Before ws_measure_finish, among the sources of one run: stretches of a device that follow each other become one trace
 * under the first of the sources. Those with other columns of power or energy stay apart. */
void ws_measure_join_parts(ws_measure *measure, ws_notes *notes);

/* Overlaps. What a meter has seen cannot be taken from it again, so:
 *     if (ws_seams_find(seams, measures, n))
 *         ... read again into new measures through ws_seams_sink ... */
typedef struct ws_seams ws_seams;

ws_seams *ws_seams_new(void);
void ws_seams_free(ws_seams *seams); /* NULL too */

/* Of the measures of one run, or of the windows cut out of its files, before ws_measure_finish. Returns how many seams
 * there are. */
size_t ws_seams_find(ws_seams *seams, ws_measure *const *measures, size_t n);

void ws_seams_note(const ws_seams *seams, ws_notes *notes);

/* What goes on to `inner`, which must outlive the sink, is without the readings that an earlier file counts for. */
void ws_seams_begin(ws_seams *seams, const char *source, const char *node); /* see ws_measure_begin */
ws_sink ws_seams_sink(ws_seams *seams, const ws_sink *inner);

#endif
