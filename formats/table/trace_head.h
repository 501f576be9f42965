/* The first rows of a delimited trace: its delimiter, and the plan they lead to. */
#ifndef WS_FORMATS_TRACE_HEAD_H
#define WS_FORMATS_TRACE_HEAD_H

#include "formats/table/trace_plan.h"

char ws_delimiter_guess(ws_span head);

typedef struct ws_head_rows {
    ws_input *input; /* of the head alone */
    ws_arena arena;
    ws_row *row; /* good until close */
    size_t n;
} ws_head_rows;

/* The first rows inside the head, at most so many; a last one that the head cuts is left out. `bytes` must outlive
 * them. */
enum { WS_HEAD_ROWS = 1024 };
ws_status ws_head_rows_open(ws_head_rows *head, const char *source, ws_span bytes, char delimiter, size_t most,
                            const ws_rows_options *options, ws_error *error);
void ws_head_rows_close(ws_head_rows *head_rows);

/* "#" off a header that begins with it; other rows as they are. */
ws_row ws_clean_row(ws_arena *arena, const ws_row *row, const ws_map *map);

bool ws_row_is_comment(const ws_row *row);
bool ws_row_is_remark(const ws_row *row); /* of one cell: no header inside a file, even "# power" */

/* The stamp on a line of its own above the rows that it holds for, as `date` prints it in a loop: a calendar stamp in
 * any form, maybe behind "Timestamp:" or between signs ("=== ... ==="), or the seconds of `date +%s` where the table
 * has several columns. A comma in it makes two cells; `buffer` then holds the stamp. False where the row is none. */
enum { WS_DATE_LINE = 80 };
bool ws_row_is_date_line(const ws_row *row, uint32_t n_columns, char *buffer, ws_span *stamp);

/* The same of a line of text that is no row of a table. */
bool ws_text_is_date_line(ws_span text, ws_span *stamp);

/* The settled plan of the first rows, header or not. Notes go to the context. */
ws_status ws_first_plan(ws_plan *plan, const ws_plan_context *context, const ws_head_rows *head, ws_error *error);

/* The same of the head's bytes, over as few rows as will do. */
ws_status ws_plan_of_head(ws_plan *plan, const ws_plan_context *context, ws_span bytes, char delimiter,
                          const ws_rows_options *options, ws_error *error);

#endif
