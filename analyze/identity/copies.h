/* Files that hold some time twice: a log that was appended to itself, or two loggers that write into one file.
 *
 * Stretches of rising stamps that overlap hold the same time twice; their readings tell why. Equal readings at equal
 * stamps are copies and count once. Without that proof the time may be someone else's (repeated_time.h).
 *
 * A meter cannot forget readings, so such files are read a second time:
 *     if (ws_copies_find(copies, measures, n))
 *         ... read again into new measures through ws_copies_sink; then ws_copies_keep_proven tells whether it was
 * right */
#ifndef WS_ANALYZE_COPIES_H
#define WS_ANALYZE_COPIES_H

#include "analyze/measure/metered.h"

typedef struct ws_copies ws_copies;

ws_copies *ws_copies_new(void);
void ws_copies_free(ws_copies *copies); /* NULL too */

/* Finds the sources of these measures that hold time twice and returns how many; 0 if --back-steps was given. Call it
 * before ws_measure_finish. */
size_t ws_copies_find(ws_copies *copies, ws_measure *const *measures, size_t n);

/* A sink that passes everything on to `inner` except readings that an earlier stretch of the channel already had, with
 * the same stamp and value. `inner` must outlive it. Blocks must arrive in the order of the file (no fork). */
void ws_copies_begin(ws_copies *copies, const char *source); /* see ws_measure_begin */
ws_sink ws_copies_sink(ws_copies *copies, const ws_sink *inner);

/* After the second reading: returns for how many sources the copies are proven, which means that nearly all powers and
 * energies of the repeated time were copies, and enough of them vary. The other sources are forgotten; if there are
 * any, read all once more through the sink, which now leaves them complete. */
size_t ws_copies_keep_proven(ws_copies *copies);
void ws_copies_note(const ws_copies *copies, ws_notes *notes);

#endif
