/* Parts of the HTML page, a file each; page.c puts them together. Internal to report/. */
#ifndef WS_REPORT_PAGE_PARTS_H
#define WS_REPORT_PAGE_PARTS_H

#include "report/page/page.h"

extern const char *const ws_page_style, *const ws_page_script; /* page_style.c, page_script.c */

/* A text between tags or inside a quoted attribute. */
void ws_html_put_text(FILE *stream, const char *text);

/* page_table.c: head with a button a column, cells with what they are sorted by. */
void ws_page_put_table(FILE *stream, const ws_page_table *table);

/* page_svg.c: the drawing in line, its ids made unique by `prefix`, with the points above it. */
ws_status ws_page_put_svg(FILE *stream, const ws_page_figure *figure, const char *prefix, ws_error *error);

/* page_findings.c: notes by kind, and what was read. */
void ws_page_put_findings(FILE *stream, const ws_notes *notes);
void ws_page_put_provenance(FILE *stream, const ws_provenance *provenance);

#endif
