/* Slices of a card, and copies inside one file: devices of a source whose readings are those of another one. What
 * follows from it stands in the table of identity/duplicates.h. */
#ifndef WS_ANALYZE_SLICES_H
#define WS_ANALYZE_SLICES_H

#include "analyze/measure/metered.h"

/* Slices of a card and copies inside a file. Compares the devices of each source; part of ws_measure_finish.
 * A slice that repeats its card loses its energy (status "measured-twice") and leaves the sums; one that perhaps does
 * gets the status "maybe-measured-twice". */
void ws_measure_find_duplicates_inside(ws_measure *measure, ws_notes *notes);

/* Two devices in the sums whose readings are all equal: the note "same-readings". */
void ws_note_equal_devices(const ws_measure *measure, ws_device *a, ws_device *b, ws_notes *notes);

#endif
