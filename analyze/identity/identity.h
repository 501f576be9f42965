/* What is there twice? The one step that decides it, for a file and for the files of a run. What is compared is the
 * list of devices, files and times (entries.h) with the figures of their readings (measure/likeness.h); what follows:
 *
 *     one file     a log behind itself, two loggers in one file    copies count once where they are proven (copies.h),
 *                                                                  else asked for (measure/repeated_time.h)
 *                  slices of a card, a device under two names      when its meters are read (measure/slices.h)
 *     files of     one device in files that follow each other      one trace (joins.h)
 *     a run        ... that overlap in part                        cut where the earlier one ends (seams.h)
 *                  ... at one time, under one or two names         counts once, twice, or in doubt (duplicates.h)
 *                  logs of ranks that name no node                 compared as a whole, before that (rank_logs.h)
 *     files or     one node read by two of them                    both stand, in doubt (seen_devices.h)
 *     runs         one that was merged from others                in doubt, the others are not (merged.h)
 *                  byte for byte the same                          both stand, with a note (same_data.h)
 *
 *     identity = ws_identity_new();
 *     ... read all files into measures ...
 *     ws_identity_read_once(identity, &again, &notes);     reads again where a file holds something twice
 *     duplicates = ws_identity_settle(measure, ...);       one trace a device, meters read, one entry a device */
#ifndef WS_ANALYZE_IDENTITY_H
#define WS_ANALYZE_IDENTITY_H

#include "analyze/identity/duplicates.h"

typedef struct ws_identity ws_identity;

ws_identity *ws_identity_new(void);
void ws_identity_free(ws_identity *identity); /* NULL too */

/* How the files are read again. */
typedef struct ws_rereading {
    void *state;
    /* Forgets what was read, its notes as well, and reads all files once more, each through ws_identity_sink. */
    void (*read)(void *state, ws_identity *without);
    ws_measure *const *measures; /* that are filled: of the files, or of their windows; at these places each time */
    size_t n;
} ws_rereading;

/* After a first reading, before ws_measure_finish: reads again as often as it takes until each reading counts once, and
 * adds notes of what was left out. Returns whether anything was read again. */
bool ws_identity_read_once(ws_identity *identity, const ws_rereading *again, ws_notes *notes);

/* A sink that passes on to `inner` what counts of a file. Blocks must arrive in the order of the file (no fork).
 * `inner` and the identity must outlive it. */
void ws_identity_begin(ws_identity *identity, const char *source, const char *node); /* see ws_measure_begin */
ws_sink ws_identity_sink(ws_identity *identity, const ws_sink *inner);

/* Of the files of one run: joins what goes on in another file, reads the meters (ws_measure_finish), and decides which
 * entries count. `gpus`, `nodes`: as the run is described; NaN if it is not. */
ws_duplicates ws_identity_settle(ws_measure *measure, double gpus, double nodes, ws_notes *notes);

#endif
