/* The rows of a trace, from where `rows` are up to the end of the bytes that they have. */
#ifndef WS_FORMATS_TRACE_ROWS_H
#define WS_FORMATS_TRACE_ROWS_H

#include "formats/table/trace_section.h"

/* Takes them to the sink. */
ws_status ws_trace_take_rows(ws_trace *trace, ws_error *error);

/* Remembers the last cell of a line, by which a cut one is told. */
void ws_trace_remember_last_line(ws_trace *trace, ws_span line);

#endif
