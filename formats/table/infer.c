#include "formats/table/infer.h"

#include <string.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Would a number print as it was written? Not "007". */
static bool has_leading_zero(ws_span cell)
{
    size_t sign = cell.n && (*cell.p == '-' || *cell.p == '+');
    return cell.n > sign + 1 && cell.p[sign] == '0' && is_digit(cell.p[sign + 1]);
}

static bool is_all_digits(ws_span cell)
{
    for (size_t i = 0; i < cell.n; i++)
        if (!is_digit(cell.p[i]))
            return false;
    return true;
}

static ws_column_kind kind_of(ws_span cell)
{
    int64_t integer;
    double number;
    if (has_leading_zero(cell))
        return WS_TEXT;
    if (ws_span_i64(cell, &integer))
        return WS_INTEGER;
    return ws_span_double(cell, &number) && !is_all_digits(cell) ? WS_NUMBER : WS_TEXT;
}

static ws_column_kind kind_of_column(const ws_column *texts, size_t n)
{
    bool any = false;
    ws_column_kind kind = WS_INTEGER;
    for (size_t row = 0; row < n && kind != WS_TEXT; row++) {
        ws_span cell = ws_span_of(texts->text[row]);
        if (ws_span_is_missing(cell))
            continue;
        ws_column_kind this_kind = kind_of(cell);
        kind = this_kind == WS_INTEGER ? kind : this_kind;
        any = true;
    }
    return any ? kind : WS_NUMBER;
}

/* In a column of words "none" and "unknown" are words. */
static bool is_missing_text(ws_span cell)
{
    static const char *const words[] = {"", "n/a", "[n/a]", "na", "nan", "null"};
    cell = ws_span_trim(cell);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (ws_span_eq_nocase(cell, words[i]))
            return true;
    return false;
}

static void set_cell(ws_table *table, size_t column, size_t row, ws_span cell)
{
    int64_t integer;
    double number;
    switch (table->columns[column].kind) {
    case WS_INTEGER:
        if (ws_span_i64(cell, &integer))
            ws_table_set_integer(table, column, row, integer);
        break;
    case WS_NUMBER:
        if (ws_span_double(cell, &number))
            ws_table_set_number(table, column, row, number);
        break;
    case WS_TEXT:
        if (!is_missing_text(cell))
            ws_table_set_span(table, column, row, cell);
        break;
    }
}

void ws_infer_columns(const ws_table *texts, ws_table *table)
{
    for (size_t c = 0; c < texts->n_columns; c++)
        ws_table_add_column(table, texts->columns[c].name, kind_of_column(&texts->columns[c], texts->n_rows));
    for (size_t row = 0; row < texts->n_rows; row++) {
        if (texts->line)
            ws_table_add_row_at(table, texts->line[row]);
        else
            ws_table_add_row(table);
        for (size_t c = 0; c < texts->n_columns; c++)
            set_cell(table, c, row, ws_span_of(texts->columns[c].text[row]));
    }
}

/* How many columns have the name or a numbered form of it. */
static int count_named(const ws_table *table, const char *base)
{
    int n = 0;
    size_t length = strlen(base);
    for (size_t c = 0; c < table->n_columns; c++) {
        const char *name = table->columns[c].name;
        bool is_numbered = strncmp(name, base, length) == 0 && name[length] == '_' &&
                           strspn(name + length + 1, "0123456789") == strlen(name + length + 1);
        n += is_numbered || strcmp(name, base) == 0;
    }
    return n;
}

const char *ws_infer_free_name(ws_table *table, ws_span name)
{
    char *free_name = name.n ? ws_arena_strndup(&table->arena, name.p, name.n)
                             : ws_arena_printf(&table->arena, "#%zu", table->n_columns + 1);
    const char *base = free_name;
    if (!ws_table_column(table, base))
        return base;
    for (int i = count_named(table, base) + 1; ws_table_column(table, free_name); i++)
        free_name = ws_arena_printf(&table->arena, "%s_%d", base, i);
    return free_name;
}
