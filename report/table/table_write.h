/* Writers of tables: one model, six forms, the same columns in each. */
#ifndef WS_REPORT_TABLE_WRITE_H
#define WS_REPORT_TABLE_WRITE_H

#include "core/status.h"
#include "core/table.h"
#include "report/table/table_forms.h"

#include <stdbool.h>
#include <stdio.h>

typedef enum ws_table_form {
    WS_FORM_TEXT = 0, /* for people: aligned, unit in the head, digits by uncertainty where a column has one */
    WS_FORM_CSV,      /* every digit; RFC 4180 quoting, LF line ends */
    WS_FORM_JSON,     /* {"schema":"wattscale.NAME/1","rows":[{...}],"notes":[...]} */
    WS_FORM_JSONL,    /* a row a line, then nothing: notes go to stderr only */
    WS_FORM_MARKDOWN, /* as text */
    WS_FORM_LATEX     /* booktabs, escaped, $\pm$ */
} ws_table_form;

bool ws_table_form_find(const char *name, ws_table_form *form); /* text csv json jsonl md tex */

/* Write to a stream. The stream stays open. WS_IO when it takes no more. Notes are part of JSON only; the command shows
 * them on stderr for every form. */
ws_status ws_table_write(FILE *stream, const ws_table *table, ws_table_form form, const ws_write_options *options,
                         ws_error *error);

/* Notes for people, a line each: "gpu0.csv:418: [truncated-line] the last line was cut and left out (2 times)". */
void ws_notes_write(FILE *stream, const ws_notes *notes);

#endif
