/* One writer a form; table_write.c chooses. They write and leave errors to the stream's own flag. */
#ifndef WS_REPORT_TABLE_FORMS_H
#define WS_REPORT_TABLE_FORMS_H

#include "core/table.h"

#include <stdbool.h>
#include <stdio.h>

typedef struct ws_write_options {
    bool all_columns;  /* text, md, tex leave out detail and columns that are missing in every row unless this is set */
    bool colour;       /* text only */
    bool no_footnotes; /* tex only: ws_latex_put_footnotes puts them elsewhere */
    size_t longest;    /* tex only: longer texts are cut to as many characters, the last an ellipsis; 0: none is cut */
    bool no_constants; /* tex only: no column but the first says the same in each row (ws_latex_constants tells it) */
    size_t line;       /* tex only: longer texts stand in lines of at most as many columns; 0: in one */
} ws_write_options;

typedef void ws_table_writer(FILE *stream, const ws_table *table, const ws_write_options *options);

ws_table_writer ws_table_write_text;
ws_table_writer ws_table_write_csv;
ws_table_writer ws_table_write_json;
ws_table_writer ws_table_write_jsonl;
ws_table_writer ws_table_write_markdown;
ws_table_writer ws_table_write_latex;

/* For writers that put texts between tables: a quoted JSON string; an array of notes; a text as LaTeX takes it, special
 * characters escaped. */
void ws_json_put_text(FILE *stream, const char *text);
void ws_json_put_notes(FILE *stream, const ws_notes *notes);
void ws_latex_put_text(FILE *stream, const char *text);
void ws_latex_put_number(FILE *stream, const char *text); /* "-1.5e-07 ± 2e-09" as LaTeX sets numbers */

/* The footnotes below a table, a small paragraph each. */
void ws_latex_put_footnotes(FILE *stream, const ws_table *table);

/* Of a table as ws_table_write_latex writes it: does it need the package longtable, having more rows than a page
 * holds? How many letters wide is it, gaps between columns included? */
bool ws_latex_is_long(const ws_table *table);
size_t ws_latex_width(const ws_table *table, const ws_write_options *options);
/* "model ResNet50, scaling strong": what no_constants leaves out; "": nothing. */
const char *ws_latex_constants(ws_arena *arena, const ws_table *table);

#endif
