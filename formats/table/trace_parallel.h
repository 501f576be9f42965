/* One large plain file on several threads. Inside formats/ only. */
#ifndef WS_FORMATS_TRACE_AHEAD_H
#define WS_FORMATS_TRACE_AHEAD_H

#include "formats/table/trace_section.h"

/* Are there threads to use, and is the input a plain file that is large enough? */
bool ws_trace_may_read_ahead(const ws_trace *trace, const ws_input *input);

/* In place of ws_trace_take_rows, with the same result. */
ws_status ws_trace_read_ahead(ws_trace *trace, ws_input *input, ws_error *error);

#endif
