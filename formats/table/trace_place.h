/* The place up to which a trace consists of whole lines, and whether a later reading may begin there. */
#ifndef WS_FORMATS_TRACE_PLACE_H
#define WS_FORMATS_TRACE_PLACE_H

#include "formats/table/trace_section.h"

/* Do the rows to come depend on nothing but the plan and the devices of the first section? */
bool ws_trace_may_go_on(const ws_trace *trace);

/* All whole lines are taken: pushes what the lanes hold and tells whoever asks (formats/log_place.h). `cut` is the row
 * without a line end that follows them, or NULL. Once a trace. */
void ws_trace_reach_place(ws_trace *trace, const ws_row *cut);

#endif
