/* <td data-v="52.1034">52.1 ± 0.9</td>: what is read, and what it is sorted by. A missing cell has no data-v and goes
 * last. */
#include "report/page/page_parts.h"

#include "core/text.h"
#include "report/table/table_print.h"

static void page_table_put_head(FILE *stream, const ws_printed *printed)
{
    fputs("<thead><tr>", stream);
    for (size_t i = 0; i < printed->n; i++) {
        fprintf(stream, "<th scope=\"col\" aria-sort=\"none\"%s><button type=\"button\">",
                printed->columns[i].is_number ? " class=\"n\"" : "");
        ws_html_put_text(stream, printed->columns[i].title);
        fputs("</button></th>", stream);
    }
    fputs("</tr></thead>\n", stream);
}

static void put_mark(FILE *stream, const char *mark)
{
    if (!*mark)
        return;
    fputs("<sup>", stream);
    ws_html_put_text(stream, mark);
    fputs("</sup>", stream);
}

static void put_cell(FILE *stream, const ws_table *table, const ws_printed_column *column, size_t row)
{
    char shown[WS_CELL_TEXT], grouped[WS_CELL_TEXT], exact[WS_DOUBLE_TEXT];
    const char *text = ws_printed_cell(table, column, row, shown);
    if (text && column->is_number)
        text = ws_grouped_cell(table, column, text, grouped);
    fputs(column->is_number ? "<td class=\"n\"" : "<td", stream);
    if (text && column->is_number)
        fprintf(stream, " data-v=\"%s\"", ws_table_cell_text(table, column->column, row, exact));
    fputc('>', stream);
    ws_html_put_text(stream, text ? text : "–");
    put_mark(stream, ws_printed_mark(table, column, row));
    fputs("</td>", stream);
}

void ws_page_put_table(FILE *stream, const ws_page_table *page_table)
{
    static const ws_write_options options;
    const ws_table *table = page_table->table;
    ws_printed printed;
    ws_printed_init(&printed, table, &options);
    fprintf(stream, "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-labelledby=\"caption-%s\">\n",
            page_table->id);
    fprintf(stream, "<table class=\"sort\" aria-labelledby=\"caption-%s\">\n", page_table->id);
    page_table_put_head(stream, &printed);
    fputs("<tbody>\n", stream);
    for (size_t row = 0; row < table->n_rows; row++) {
        fputs("<tr>", stream);
        for (size_t i = 0; i < printed.n; i++)
            put_cell(stream, table, &printed.columns[i], row);
        fputs("</tr>\n", stream);
    }
    fputs("</tbody>\n</table>\n</div>\n", stream);
    for (size_t i = 0; i < table->n_footnotes; i++) {
        fputs("<p class=\"caption\">", stream);
        put_mark(stream, table->footnotes[i].mark);
        fputs(*table->footnotes[i].mark ? " " : "", stream);
        ws_html_put_text(stream, table->footnotes[i].text);
        fputs("</p>\n", stream);
    }
    ws_printed_free(&printed);
}
