/* run,wall_s,comment
 * a64,1203.4218750000001,"first run, ""cold"" cache"
 * a128,,
 *
 * RFC 4180 with LF line ends. A missing cell is empty, an empty text is "". */
#include "report/table_forms.h"

#include "core/text.h"
#include "report/table_print.h"

#include <string.h>

/* Readers may trim blanks that no quotes protect. */
static bool needs_quotes(const char *text)
{
    size_t n = strcspn(text, ",\"\r\n");
    return n == 0 || text[n] || text[0] == ' ' || text[0] == '\t' || text[n - 1] == ' ' || text[n - 1] == '\t';
}

static void put_text(FILE *stream, const char *text)
{
    if (!needs_quotes(text)) {
        fputs(text, stream);
        return;
    }
    fputc('"', stream);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', stream);
        fputc(*text, stream);
    }
    fputc('"', stream);
}

static void put_cell(FILE *stream, const ws_table *table, size_t column, size_t row)
{
    char number[WS_DOUBLE_TEXT];
    bool is_alone = table->n_columns == 1; /* an empty line would be no row */
    if (ws_cell_is_missing(table, column, row))
        fputs(is_alone ? "\"\"" : "", stream);
    else if (table->columns[column].kind == WS_TEXT)
        put_text(stream, table->columns[column].text[row]);
    else
        fputs(ws_table_cell_text(table, column, row, number), stream);
}

void ws_table_write_csv(FILE *stream, const ws_table *table, const ws_write_options *options)
{
    (void)options;
    if (!table->n_columns)
        return;
    for (size_t i = 0; i < table->n_columns; i++) {
        fputs(i ? "," : "", stream);
        put_text(stream, table->columns[i].name);
    }
    fputc('\n', stream);
    for (size_t row = 0; row < table->n_rows; row++) {
        for (size_t i = 0; i < table->n_columns; i++) {
            if (i)
                fputc(',', stream);
            put_cell(stream, table, i, row);
        }
        fputc('\n', stream);
    }
}
