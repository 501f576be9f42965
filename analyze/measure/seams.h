/* Files of one device whose times overlap in part, as where a logger was restarted before the old one ended: they follow each
 * other, and the time that two of them hold counts with the earlier one, up to its end.
 *
 * What a meter has seen cannot be taken from it again, so such files are read a second time:
 *     if (ws_seams_find(seams, measures, n))
 *         ... read again into new measures through ws_seams_sink ... */
#ifndef WS_ANALYZE_SEAMS_H
#define WS_ANALYZE_SEAMS_H

#include "analyze/measure/measure.h"

typedef struct ws_seams ws_seams;

ws_seams *ws_seams_new(void);
void ws_seams_free(ws_seams *seams);

/* Of the measures of one run, or of the windows cut out of its files, before ws_measure_finish. Devices are the same as in
 * ws_measure_join_parts. Two series are the same time measured twice, and have no seam, where they share at least half of the shorter
 * one; nine tenths where a uuid says that the device is the same. Returns how many seams there are. */
size_t ws_seams_find(ws_seams *seams, ws_measure *const *measures, size_t n);

void ws_seams_note(const ws_seams *seams, ws_notes *notes);

/* What goes on to `inner`, which must outlive the sink, is without the readings that an earlier file counts for. */
void ws_seams_begin(ws_seams *seams, const char *source, const char *node); /* see ws_measure_begin */
ws_sink ws_seams_sink(ws_seams *seams, const ws_sink *inner);

#endif
