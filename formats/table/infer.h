/* From cells as written to columns with a kind. */
#ifndef WS_FORMATS_INFER_H
#define WS_FORMATS_INFER_H

#include "core/table.h"
#include "core/text.h"

/* Add to the empty `table` the columns and rows of `texts`, whose columns are all WS_TEXT. A column of whole numbers
 * becomes WS_INTEGER and one of numbers WS_NUMBER, missing cells aside; all others stay text, and so do names of digits
 * that a number would change ("007", a 20-digit id). */
void ws_infer_columns(const ws_table *texts, ws_table *table);

/* `name`, or `name_2`, `name_3` ... where the table has it already; in the table's arena. "#4" for an empty name of the
 * fourth column. */
const char *ws_infer_free_name(ws_table *table, ws_span name);

#endif
