/* run,wall_s,comment
 * a64,1203.4218750000001,"first run, ""cold"" cache"
 * a128,,
 *
 * RFC 4180 with LF line ends. A missing cell is empty, an empty text is "". */
#include "report/table/table_forms.h"

#include "core/arena.h"
#include "core/text.h"
#include "report/table/table_print.h"

#include <stdlib.h>
#include <string.h>

/* A line in the making: one call of the stream a line rather than two a cell. */
typedef struct line {
    char *bytes;
    size_t n, capacity;
} line;

static void put(line *to, const char *bytes, size_t n)
{
    to->bytes = ws_grow(to->bytes, &to->capacity, to->n + n, 1);
    memcpy(to->bytes + to->n, bytes, n);
    to->n += n;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* Readers may trim blanks that no quotes protect. */
static bool needs_quotes(const char *text, size_t n)
{
    bool needs = n == 0 || is_blank(text[0]) || is_blank(text[n - 1]);
    for (size_t i = 0; i < n && !needs; i++)
        needs = text[i] == ',' || text[i] == '"' || text[i] == '\r' || text[i] == '\n';
    return needs;
}

static void put_text(line *to, const char *text)
{
    size_t n = strlen(text);
    if (!needs_quotes(text, n)) {
        put(to, text, n);
        return;
    }
    put(to, "\"", 1);
    for (; *text; text++)
        put(to, *text == '"' ? "\"\"" : text, *text == '"' ? 2 : 1);
    put(to, "\"", 1);
}

static void put_cell(line *to, const ws_table *table, size_t column, size_t row)
{
    char number[WS_DOUBLE_TEXT];
    bool is_alone = table->n_columns == 1; /* an empty line would be no row */
    if (!ws_cell_is_missing(table, column, row) && table->columns[column].kind != WS_TEXT)
        put(to, number, ws_table_number_text(table, column, row, number));
    else if (!ws_cell_is_missing(table, column, row))
        put_text(to, table->columns[column].text[row]);
    else if (is_alone)
        put_text(to, "");
}

static void end_line(line *to, FILE *stream)
{
    put(to, "\n", 1);
    fwrite(to->bytes, 1, to->n, stream);
    to->n = 0;
}

void ws_table_write_csv(FILE *stream, const ws_table *table, const ws_write_options *options)
{
    (void)options;
    line now = {0};
    if (!table->n_columns)
        return;
    for (size_t i = 0; i < table->n_columns; i++) {
        put(&now, ",", i > 0);
        put_text(&now, table->columns[i].name);
    }
    end_line(&now, stream);
    for (size_t row = 0; row < table->n_rows; row++) {
        for (size_t i = 0; i < table->n_columns; i++) {
            put(&now, ",", i > 0);
            put_cell(&now, table, i, row);
        }
        end_line(&now, stream);
    }
    free(now.bytes);
}
