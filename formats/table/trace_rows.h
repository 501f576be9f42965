/* The rows of a trace, from where `rows` are up to the end of the bytes that they have. */
#ifndef WS_FORMATS_TRACE_ROWS_H
#define WS_FORMATS_TRACE_ROWS_H

#include "formats/table/trace_section.h"

/* Takes them to the sink. */
ws_status ws_trace_take_rows(ws_trace *trace, ws_error *error);

/* Remembers the last cell of a line, by which a cut one is told. */
void ws_trace_remember_last_line(ws_trace *trace, ws_span line);

/* Do the rows to come depend on nothing but the plan and the devices of the first section? Then a later reading may
 * begin where this one ends. */
bool ws_trace_may_go_on(const ws_trace *trace);

/* All whole lines are taken: pushes what the lanes hold and tells whoever asks (formats/log_place.h). `cut` is the row
 * without a line end that follows them, or NULL. Once a trace. */
void ws_trace_reach_place(ws_trace *trace, const ws_row *cut);

#endif
