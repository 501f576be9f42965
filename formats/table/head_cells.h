/* Lines of a file's head as cells, for telling what the file is before it is read. Inside formats/ only. */
#ifndef WS_FORMATS_HEAD_CELLS_H
#define WS_FORMATS_HEAD_CELLS_H

#include "core/text.h"

#include <stdint.h>

/* The cells of a line between commas, semicolons, tabs or bars, whichever it has most of, without the blanks and quotes around
 * them: `most` of them at most. */
uint32_t ws_head_cells(ws_span line, ws_span *cells, uint32_t most);

#endif
