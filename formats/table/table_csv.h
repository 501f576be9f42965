/* The reader of delimited tables, for record formats that add to what it reads. */
#ifndef WS_FORMATS_TABLE_CSV_H
#define WS_FORMATS_TABLE_CSV_H

#include "formats/format.h"
#include "formats/table/rows.h"

ws_status ws_table_csv_read(ws_input *input, const ws_read_options *options, ws_table *table, ws_error *error);

/* The policy of rows of a table of runs; the table has its source. */
ws_row_policy ws_table_row_policy(ws_table *table);

/* What stands between the cells of the first line that is neither blank nor a remark: , ; | or a tab. */
char ws_table_csv_delimiter(ws_span head);

/* "1,5" between semicolons or tabs is a number where its whole column of `texts` is written so: it gets a point, and
 * `table` a note. With other delimiters nothing happens. */
void ws_table_csv_read_commas(ws_table *texts, char delimiter, ws_table *table);

/* The first line with all of these names, NULL ends them, and what follows it; n = 0 where there is none. */
ws_span ws_table_csv_find(ws_span head, const char *const *names);

/* Does the first line that is neither blank nor a remark hold all of these names? NULL ends them. */
bool ws_table_csv_has(ws_span head, const char *const *names);

#endif
