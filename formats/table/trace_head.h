/* The first rows of a file: its delimiter, its header, and the plan (trace_plan.h) that they lead to. */
#ifndef WS_FORMATS_TRACE_HEAD_H
#define WS_FORMATS_TRACE_HEAD_H

#include "formats/table/trace_plan.h"
#include "formats/table/rows.h"
#include <stdbool.h>
#include <stddef.h>

char ws_delimiter_guess(ws_span head);

/* Names instead of readings. */
bool ws_row_is_header(const ws_row *row, const ws_map *map);

typedef struct ws_head_rows {
    ws_input *input; /* of the head alone */
    ws_arena arena;
    ws_row *row; /* good until close */
    size_t n;
    bool has_stamp_lines; /* as in ws_rows_have_stamp_lines */
} ws_head_rows;

/* The first rows inside the head, at most so many; a last one that the head cuts is left out. `bytes` must outlive
 * them. After an error there is nothing to close. */
enum { WS_HEAD_ROWS = 1024 };
ws_status ws_head_rows_open(ws_head_rows *head, const char *source, ws_span bytes, char delimiter, size_t most,
                            const ws_rows_options *options, ws_error *error);
void ws_head_rows_close(ws_head_rows *head_rows);

/* "#" off a header that begins with it; other rows as they are. */
ws_row ws_clean_row(ws_arena *arena, const ws_row *row, const ws_map *map);

bool ws_row_is_comment(const ws_row *row);
bool ws_row_is_remark(const ws_row *row); /* of one cell: no header inside a file, even "# power" */

/* The settled plan of the first rows, header or not. Notes go to the context. */
ws_status ws_first_plan(ws_plan *plan, const ws_plan_context *context, const ws_head_rows *head, ws_error *error);

/* The same of the head's bytes, over as few rows as will do. */
ws_status ws_plan_of_head(ws_plan *plan, const ws_plan_context *context, ws_span bytes, char delimiter,
                          const ws_rows_options *options, ws_error *error);

/* --- lines that are no table --- */

/* What loops of a few lines of shell or a program's logger write and no table of cells can hold: rows whose stamp
 * stands in front of the first of several devices alone, and stamps whose own comma parts the cells.
 *
 *   2026-02-11 08:00:00, 251.20 W        echo "$(date +%T), $(nvidia-smi ...)" of two GPUs
 *   249.00 W
 *   2026-02-11 08:00:00,120,251.2        Python's logging, date -Ins */

/* Is it so? `what` is why such rows are refused, with the command that makes a table of them. */
enum { WS_LOOP_LINES = 240 };
bool ws_loop_lines_find(const ws_row *rows, size_t n, char delimiter, char what[WS_LOOP_LINES]);

#endif
