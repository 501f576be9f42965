/* A campaign description guessed from a folder. */
#ifndef WS_ANALYZE_PROPOSE_H
#define WS_ANALYZE_PROPOSE_H

#include "formats/campaign.h"
#include "core/note.h"
#include "core/status.h"

/* Look at every file below the folder, recognise traces and side files, and turn what varies in their paths into fields:
 * "4g256b4w10e" is read as the authors of Huber et al. name their folders, a number of five digits or more is a job, a
 * number at the end of a file name is a node, folders that differ are configurations or repeats. What could not be inferred is a note. `campaign` is filled from empty.
 * WS_DATA: no trace was found. */
ws_status ws_propose_campaign(const char *folder, unsigned threads, ws_campaign *campaign, ws_notes *notes,
                              ws_error *error);

#endif
