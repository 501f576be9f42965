/* A campaign in sentences: what was measured, how sure it is, what stands out, what was left out. */
#ifndef WS_ANALYZE_STORY_H
#define WS_ANALYZE_STORY_H

#include "core/status.h"
#include "core/table.h"
#include "report/page/page.h"

/* Adds facts and four sections to the page. `scale` holds the configurations of the runs, as ws_scale makes them, and
 * the notes of both; `sources` says what the files were ("18 perun-hdf5"), or is "". Every sentence is computed; what
 * the campaign does not have is not mentioned. */
ws_status ws_story_tell(const ws_table *runs, const ws_table *scale, const char *sources, ws_page *page,
                        ws_error *error);

#endif
