/* Fields are free, so a slip makes one more column and leaves the one that was meant empty. */
#ifndef WS_ANALYZE_FIELD_NAMES_H
#define WS_ANALYZE_FIELD_NAMES_H

#include "analyze/ingest/run_list.h"

/* A note `maybe-misspelt` on each field of a run, a rule, the defaults or --set that is nearly called as a standard
 * column which none of them gives. */
void ws_note_misspelt_fields(const ws_campaign *campaign, const ws_run_list *list, const ws_fields *set,
                             ws_notes *notes);

/* Is it a standard column, or a name that a reader or a recipe asks for? */
bool ws_field_is_known(const char *name);

#endif
