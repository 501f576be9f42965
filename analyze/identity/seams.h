/* Files of a run that overlap in part: the time that both hold counts once (entries.h). A meter cannot forget readings,
 * so such files are read a second time:
 *     if (ws_seams_find(seams, measures, n))
 *         ... read again into new measures through ws_seams_sink ... */
#ifndef WS_ANALYZE_SEAMS_H
#define WS_ANALYZE_SEAMS_H

#include "analyze/measure/measure.h"

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
