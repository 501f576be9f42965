/* run   wall [s]  energy ± u [kWh]
 * ----  --------  ----------------
 * a64    1203.42        52.1 ± 0.9
 * a128         -        61.0 ± 1.2 */
#include "report/table/table_forms.h"

#include "report/table/table_print.h"
#include "report/utf8.h"

static const char missing[] = "-";

static const char *cell(const ws_table *table, const ws_printed_column *column, size_t row, char *buffer)
{
    const char *text = ws_printed_cell(table, column, row, buffer);
    return text ? text : missing;
}

static size_t width_of(const ws_table *table, const ws_printed_column *column)
{
    char buffer[WS_CELL_TEXT];
    size_t widest = ws_utf8_width(column->title);
    for (size_t row = 0; row < table->n_rows; row++) {
        size_t width = ws_utf8_width(cell(table, column, row, buffer));
        widest = width > widest ? width : widest;
    }
    return widest;
}

static void put_times(FILE *stream, char c, size_t times)
{
    while (times--)
        putc_unlocked(c, stream);
}

/* *owed are the blanks before the next visible character: none end a line. */
static void put_cell(FILE *stream, const char *text, size_t width, bool to_the_right, size_t *owed)
{
    size_t own = ws_utf8_width(text), pad = width > own ? width - own : 0;
    if (own) {
        put_times(stream, ' ', *owed + (to_the_right ? pad : 0));
        ws_utf8_put(stream, text, NULL);
        *owed = to_the_right ? 0 : pad;
    } else {
        *owed += width;
    }
    *owed += 2;
}

static void table_text_put_head(FILE *stream, const ws_printed *printed, const size_t *width, bool colour)
{
    size_t owed = 0;
    fputs(colour ? "\x1b[1m" : "", stream);
    for (size_t i = 0; i < printed->n; i++)
        put_cell(stream, printed->columns[i].title, width[i], printed->columns[i].is_number, &owed);
    fputs(colour ? "\x1b[0m\n" : "\n", stream);
    for (size_t i = 0; i < printed->n; i++) {
        fputs(i ? "  " : "", stream);
        put_times(stream, '-', width[i]);
    }
    fputc('\n', stream);
}

void ws_table_write_text(FILE *stream, const ws_table *table, const ws_write_options *options)
{
    char buffer[WS_CELL_TEXT];
    ws_printed printed;
    ws_printed_init(&printed, table, options);
    size_t *width = ws_arena_alloc(&printed.arena, printed.n * sizeof *width);
    for (size_t i = 0; i < printed.n; i++)
        width[i] = width_of(table, &printed.columns[i]);
    if (printed.n)
        table_text_put_head(stream, &printed, width, options->colour);
    for (size_t row = 0; printed.n && row < table->n_rows; row++) {
        size_t owed = 0;
        for (size_t i = 0; i < printed.n; i++) {
            const ws_printed_column *column = &printed.columns[i];
            put_cell(stream, cell(table, column, row, buffer), width[i], column->is_number, &owed);
        }
        fputc('\n', stream);
    }
    ws_printed_free(&printed);
}
