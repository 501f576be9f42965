/* | run | wall [s] |
 * | :--- | ---: |
 * | a64 | 1203.42 |
 *
 * The dialect is GitHub's. A cell is text, never markup: whatever could begin emphasis, code, a link, HTML, a formula
 * or the next cell is escaped. */
#include "report/table/table_forms.h"

#include "report/table/table_print.h"
#include "report/utf8.h"

#include <string.h>

static const char *escape(uint32_t point, const char *rest)
{
    static const char *const escaped[128] = {
        ['\\'] = "\\\\", ['`'] = "\\`", ['*'] = "\\*", ['_'] = "\\_", ['|'] = "\\|",
        ['<'] = "\\<",   ['&'] = "\\&", ['~'] = "\\~", ['$'] = "\\$"};
    if (point == ']') /* alone it is no link, and titles look better without */
        return *rest && strchr("([:", *rest) ? "\\]" : NULL;
    return point < 128 ? escaped[point] : NULL;
}

static void put_row(FILE *stream, const ws_table *table, const ws_printed *printed, size_t row)
{
    char buffer[WS_CELL_TEXT];
    fputc('|', stream);
    for (size_t i = 0; i < printed->n; i++) {
        const char *text = ws_printed_cell(table, &printed->columns[i], row, buffer);
        fputc(' ', stream);
        ws_utf8_put(stream, text ? text : "-", escape);
        ws_utf8_put(stream, ws_printed_mark(table, &printed->columns[i], row), escape);
        fputs(" |", stream);
    }
    fputc('\n', stream);
}

/* A paragraph of its own. */
static void put_footnote(FILE *stream, const ws_footnote *footnote)
{
    fputc('\n', stream);
    ws_utf8_put(stream, footnote->mark, escape);
    fputs(*footnote->mark ? " " : "", stream);
    ws_utf8_put(stream, footnote->text, escape);
    fputc('\n', stream);
}

void ws_table_write_markdown(FILE *stream, const ws_table *table, const ws_write_options *options)
{
    ws_printed printed;
    ws_printed_init(&printed, table, options);
    for (size_t i = 0; i < printed.n; i++) {
        fputs(i ? " " : "| ", stream);
        ws_utf8_put(stream, printed.columns[i].title, escape);
        fputs(" |", stream);
    }
    for (size_t i = 0; i < printed.n; i++)
        fprintf(stream, "%s%s |", i ? " " : "\n| ", printed.columns[i].is_number ? "---:" : ":---");
    fputs(printed.n ? "\n" : "", stream);
    for (size_t row = 0; printed.n && row < table->n_rows; row++)
        put_row(stream, table, &printed, row);
    for (size_t i = 0; printed.n && i < table->n_footnotes; i++)
        put_footnote(stream, &table->footnotes[i]);
    ws_printed_free(&printed);
}
