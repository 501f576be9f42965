/* What loops of a few lines of shell or a program's logger write and no table of cells can hold: rows whose stamp
 * stands in front of the first of several devices alone, and stamps whose own comma parts the cells.
 *
 *   2026-02-11 08:00:00, 251.20 W        echo "$(date +%T), $(nvidia-smi ...)" of two GPUs
 *   249.00 W
 *   2026-02-11 08:00:00,120,251.2        Python's logging, date -Ins */
#ifndef WS_FORMATS_LOOP_LINES_H
#define WS_FORMATS_LOOP_LINES_H

#include "formats/table/rows.h"

#include <stdbool.h>
#include <stddef.h>

/* Is it so? `what` is why such rows are refused, with the command that makes a table of them. */
enum { WS_LOOP_LINES = 240 };
bool ws_loop_lines_find(const ws_row *rows, size_t n, char delimiter, char what[WS_LOOP_LINES]);

#endif
