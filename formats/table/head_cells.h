/* Lines of a file's head as cells, for telling what the file is before it is read. */
#ifndef WS_FORMATS_HEAD_CELLS_H
#define WS_FORMATS_HEAD_CELLS_H

#include "core/text.h"

#include <stdbool.h>
#include <stdint.h>

/* The next cell of a line off the front of *rest, without the blanks and quotes around it; a quoted one may hold the
 * delimiter, and keeps doubled quotes. False where there is none. */
bool ws_head_cell(ws_span *rest, char delimiter, ws_span *cell);

/* The cells of a line between commas, semicolons, tabs or bars, whichever it has most of, without the blanks and quotes
 * around them: `most` of them at most. */
uint32_t ws_head_cells(ws_span line, ws_span *cells, uint32_t most);

#endif
