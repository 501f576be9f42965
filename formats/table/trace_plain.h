/* Plain lines of data, read straight from the text without cutting them into cells first. */
#ifndef WS_FORMATS_TRACE_PLAIN_H
#define WS_FORMATS_TRACE_PLAIN_H

#include "formats/table/trace_section.h"

/* Is all that a plain row of the current section comes to known from itself and the section? */
bool ws_trace_rows_are_known(const ws_trace *trace);
/* Can threads read such rows, too, whose samples go through stretches? */
bool ws_trace_rows_stand_alone(const ws_trace *trace);

/* Text that begins with a line, and how much of it has been read. */
typedef struct ws_plain_lines {
    ws_span text;     /* in: all of it; out: the rest */
    int64_t first, n; /* number of the first line, and how many lines were read */
    ws_span last;     /* the last line that was read, with its line end */
} ws_plain_lines;

/* Reads lines as long as they are plain data of known devices. */
ws_status ws_trace_take_plain(ws_trace *trace, ws_plain_lines *lines, ws_error *error);

void ws_trace_plain_free(ws_trace *trace); /* what it has learnt of lines */

#endif
