/* Lines of a text file, for formats whose lines are not rows of cells. */
#ifndef WS_FORMATS_LINES_H
#define WS_FORMATS_LINES_H

#include "core/status.h"
#include "core/text.h"
#include "formats/input/input.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct ws_lines {
    ws_input *input;
    ws_span rest; /* of the last piece of input */
    char end;     /* '\n', or '\r' in a file whose head has that alone */
    char *joined; /* a line that spans two pieces */
    size_t joined_n, joined_capacity;
    int64_t number;  /* of the line handed out last, 1-based */
    bool unfinished; /* the file ends inside that line: no line end after it */
} ws_lines;

/* The input stays the caller's and must outlive the lines. */
void ws_lines_init(ws_lines *lines, ws_input *input);
void ws_lines_free(ws_lines *lines); /* leaves nothing to free */

/* The next line if it is whole in the last piece of input, so that nothing has to be read. It and the lines handed out
 * before are good until the next call of ws_lines_next. */
bool ws_lines_at_hand(ws_lines *lines, ws_span *line);

/* The next line without its LF, CRLF or CR; line->p is NULL at the end. Good until the
 * next call. WS_FORMAT: a line without end (a binary file), or whatever ws_input_read says. */
ws_status ws_lines_next(ws_lines *lines, ws_span *line, ws_error *error);

#endif
