/* How the rows under one header are read: which column is the time, which says whose row it is, which hold values. A
 * plan is made from the header (or, without one, from the look of the cells), then settled over some first rows: form
 * of the stamps, the column that tells devices apart, units that the numbers contradict. And the first rows of a file:
 * its delimiter, and the plan that they lead to. */
#ifndef WS_FORMATS_TRACE_PLAN_H
#define WS_FORMATS_TRACE_PLAN_H

#include "formats/table/trace_context.h"
#include "formats/table/column_stats.h"

bool ws_row_is_header(const ws_row *row, const ws_map *map);

/* The plan of a header, or of the first row of a file without one. WS_USAGE: the map names a column that does not
 * exist. WS_FORMAT, WS_DATA: no usable column. */
ws_status ws_plan_from_header(ws_plan *plan, const ws_plan_context *context, const ws_row *header, ws_error *error);
ws_status ws_plan_from_cells(ws_plan *plan, const ws_plan_context *context, const ws_row *first, ws_error *error);

/* What each column is about, by its name, or by the look of its first cell where there is no header (column_rules.c).
 * They live in the context's arena; the texts in them are the row's. WS_USAGE: the map names a column that is not
 * there. */
ws_status ws_meanings_of_names(ws_meaning **meanings, ws_plan *plan, const ws_plan_context *context, const ws_row *row,
                               ws_error *error);

/* Completes the plan from the first rows: the form of the stamps, then whose rows these are, then what the numbers
 * mean. WS_FORMAT, WS_DATA: the devices cannot be told apart, or the rows are not readings. */
ws_status ws_plan_settle(ws_plan *plan, const ws_plan_context *context, const ws_trace_sample *sample, ws_error *error);

/* Its parts. reading_rules.c: everything but the stamps; and of a later header, what tells its devices apart, which may
 * be zones of RAPL where that was so before. */
ws_status ws_plan_decide_readings(ws_plan *plan, const ws_plan_context *context, const ws_trace_sample *sample,
                                  ws_error *error);
void ws_plan_decide_identity(ws_plan *plan, const ws_plan_context *context, const ws_trace_sample *sample,
                             bool may_name_zones);
/* trace_turns.c: how many devices take turns if no column tells their rows
 * apart. Rows that would be mixed up are refused, or read as one device with a note ("shared-stamps",
 * "ask-devices"). */
ws_status ws_plan_settle_turns(ws_plan *plan, const ws_plan_context *context, const ws_trace_sample *sample,
                               ws_error *error);
/* Do the rows of the first device follow each other as those of one do? Else more of them have to be seen. */
bool ws_plan_has_plain_steps(const ws_plan *plan, const ws_trace_sample *sample);
/* May rows of one index be those of several nodes? */
bool ws_plan_may_be_of_nodes(const ws_plan *plan, const ws_plan_context *context);

/* Would any number of further rows lead to the same plan? `sample`: the rows that the plan was settled with. */
bool ws_plan_is_certain(const ws_plan *plan, const ws_plan_context *context, const ws_trace_sample *sample);

/* For a later header of the same file: columns of the same name keep what was settled before; `first`, a row under the
 * new header, decides the rest. The plan stays unsettled if that row has no stamp. */
void ws_plan_settle_after(ws_plan *plan, const ws_plan_context *context, const ws_plan *before, const ws_row *first);

/* --- from the first rows of a file --- */

char ws_delimiter_guess(ws_span head);

typedef struct ws_head_rows {
    ws_input *input; /* of the head alone */
    ws_arena arena;
    ws_row *row; /* good until close */
    size_t n;
    bool has_stamp_lines; /* as in ws_rows_have_stamp_lines */
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

/* The settled plan of the first rows, header or not. Notes go to the context. */
ws_status ws_first_plan(ws_plan *plan, const ws_plan_context *context, const ws_head_rows *head, ws_error *error);

/* The same of the head's bytes, over as few rows as will do. */
ws_status ws_plan_of_head(ws_plan *plan, const ws_plan_context *context, ws_span bytes, char delimiter,
                          const ws_rows_options *options, ws_error *error);

#endif
