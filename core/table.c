#include "core/table.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void ws_table_init(ws_table *table, const char *name)
{
    *table = (ws_table){0};
    table->name = ws_arena_strdup(&table->arena, name);
    table->source = "";
}

void ws_table_free(ws_table *table)
{
    for (size_t i = 0; i < table->n_columns; i++) {
        free(table->columns[i].number);
        free(table->columns[i].integer);
        free(table->columns[i].text);
    }
    free(table->columns);
    free(table->line);
    free(table->mark);
    ws_notes_free(&table->notes);
    ws_arena_free(&table->arena);
    *table = (ws_table){0};
}

static void set_missing(ws_column *column, size_t row)
{
    if (column->kind == WS_NUMBER)
        column->number[row] = NAN;
    else if (column->kind == WS_INTEGER)
        column->integer[row] = WS_NO_INTEGER;
    else
        column->text[row] = NULL;
}

static void make_room(ws_column *column, size_t rows)
{
    if (column->kind == WS_NUMBER)
        column->number = ws_grow(column->number, &column->capacity, rows, sizeof *column->number);
    else if (column->kind == WS_INTEGER)
        column->integer = ws_grow(column->integer, &column->capacity, rows, sizeof *column->integer);
    else
        column->text = ws_grow(column->text, &column->capacity, rows, sizeof *column->text);
}

size_t ws_table_add_column(ws_table *table, const char *name, ws_column_kind kind)
{
    table->columns = ws_grow(table->columns, &table->column_capacity, table->n_columns + 1, sizeof *table->columns);
    ws_column *column = &table->columns[table->n_columns];
    *column = (ws_column){.name = ws_arena_strdup(&table->arena, name), .kind = kind};
    make_room(column, table->n_rows + 1);
    for (size_t row = 0; row < table->n_rows; row++)
        set_missing(column, row);
    return table->n_columns++;
}

void ws_table_set_detail(ws_table *table, size_t column)
{
    table->columns[column].detail = true;
}

void ws_table_set_place(ws_table *table, size_t column, ws_column_place place)
{
    table->columns[column].place = place;
}

void ws_table_hide_same(ws_table *table, size_t column, const char *text)
{
    for (size_t row = 0; row < table->n_rows; row++) {
        const char *cell = table->columns[column].text[row];
        if (!cell || strcmp(cell, text) != 0)
            return;
    }
    ws_table_set_detail(table, column);
}

void ws_table_expect(ws_table *table, size_t rows)
{
    for (size_t i = 0; rows && i < table->n_columns; i++)
        make_room(&table->columns[i], table->n_rows + rows);
}

size_t ws_table_add_row(ws_table *table)
{
    size_t row = table->n_rows++;
    for (size_t i = 0; i < table->n_columns; i++) {
        make_room(&table->columns[i], table->n_rows);
        set_missing(&table->columns[i], row);
    }
    return row;
}

size_t ws_table_add_row_at(ws_table *table, int64_t line)
{
    size_t row = ws_table_add_row(table);
    table->line = ws_grow(table->line, &table->line_capacity, table->n_rows, sizeof *table->line);
    table->line[row] = line;
    return row;
}

void ws_table_mark_row(ws_table *table, size_t row, const char *mark)
{
    size_t known = table->mark_capacity;
    table->mark = ws_grow(table->mark, &table->mark_capacity, table->n_rows, sizeof *table->mark);
    for (; known < table->mark_capacity; known++)
        table->mark[known] = NULL;
    table->mark[row] = ws_arena_printf(&table->arena, "%s%s", table->mark[row] ? table->mark[row] : "", mark);
}

const char *ws_table_mark_of(const ws_table *table, size_t row)
{
    return row < table->mark_capacity && table->mark[row] ? table->mark[row] : "";
}

void ws_table_add_footnote(ws_table *table, const char *mark, const char *text)
{
    if (table->n_footnotes < WS_MOST_FOOTNOTES)
        table->footnotes[table->n_footnotes++] =
            (ws_footnote){ws_arena_strdup(&table->arena, mark), ws_arena_strdup(&table->arena, text)};
}

/* The first letter tells most names apart: this is asked for every row of large tables. */
static bool is_name(const char *own, const char *name)
{
    return own[0] == name[0] && strcmp(own, name) == 0;
}

bool ws_table_find(const ws_table *table, const char *name, size_t *column)
{
    for (size_t i = 0; i < table->n_columns; i++) {
        if (is_name(table->columns[i].name, name)) {
            *column = i;
            return true;
        }
    }
    for (size_t i = 0; i < table->n_columns; i++) {
        if (table->columns[i].alias && is_name(table->columns[i].alias, name)) {
            *column = i;
            return true;
        }
    }
    return false;
}

void ws_table_set_alias(ws_table *table, size_t column, const char *alias)
{
    table->columns[column].alias = ws_arena_strdup(&table->arena, alias);
}

const ws_column *ws_table_column(const ws_table *table, const char *name)
{
    size_t i;
    return ws_table_find(table, name, &i) ? &table->columns[i] : NULL;
}

void ws_table_set_number(ws_table *table, size_t column, size_t row, double value)
{
    table->columns[column].number[row] = value;
}

void ws_table_set_integer(ws_table *table, size_t column, size_t row, int64_t value)
{
    table->columns[column].integer[row] = value;
}

/* Many texts are those of the row before: names of files, units, states. */
void ws_table_set_text(ws_table *table, size_t column, size_t row, const char *text)
{
    const char **cell = &table->columns[column].text[row];
    if (text && row && cell[-1] && strcmp(cell[-1], text) == 0)
        *cell = cell[-1];
    else
        *cell = text ? ws_arena_strdup(&table->arena, text) : NULL;
}

void ws_table_set_span(ws_table *table, size_t column, size_t row, ws_span text)
{
    table->columns[column].text[row] = text.n ? ws_arena_strndup(&table->arena, text.p, text.n) : NULL;
}

double ws_table_number(const ws_table *table, size_t column, size_t row)
{
    const ws_column *c = &table->columns[column];
    if (c->kind == WS_NUMBER)
        return c->number[row];
    if (c->kind == WS_INTEGER && c->integer[row] != WS_NO_INTEGER)
        return (double)c->integer[row];
    return NAN;
}

bool ws_table_is_missing(const ws_table *table, size_t column, size_t row)
{
    const ws_column *c = &table->columns[column];
    if (c->kind == WS_TEXT)
        return c->text[row] == NULL;
    return c->kind == WS_NUMBER ? isnan(c->number[row]) : c->integer[row] == WS_NO_INTEGER;
}

bool ws_table_has_values(const ws_table *table, size_t column)
{
    for (size_t row = 0; row < table->n_rows; row++)
        if (!ws_table_is_missing(table, column, row))
            return true;
    return false;
}

double ws_table_cell_number(const ws_table *table, size_t column, size_t row)
{
    double value;
    const ws_column *c = &table->columns[column];
    if (c->kind != WS_TEXT)
        return ws_table_number(table, column, row);
    return c->text[row] && ws_span_double(ws_span_of(c->text[row]), &value) ? value : NAN;
}

size_t ws_table_number_text(const ws_table *table, size_t column, size_t row, char *buffer)
{
    const ws_column *c = &table->columns[column];
    return c->kind == WS_INTEGER ? ws_integer_text(buffer, c->integer[row]) : ws_double_text(buffer, c->number[row]);
}

const char *ws_table_cell_text(const ws_table *table, size_t column, size_t row, char *buffer)
{
    const ws_column *c = &table->columns[column];
    if (ws_table_is_missing(table, column, row))
        return "";
    if (c->kind == WS_TEXT)
        return c->text[row];
    ws_table_number_text(table, column, row, buffer);
    return buffer;
}

const char *ws_table_place(const ws_table *table, size_t row, char *buffer)
{
    if (table->line && *table->source)
        snprintf(buffer, 320, "%.280s:%" PRId64, table->source, table->line[row]);
    else
        snprintf(buffer, 320, "row %zu", row + 1);
    return buffer;
}

static void copy_cell(const ws_table *from, size_t column, size_t row, ws_table *to, size_t at)
{
    const ws_column *c = &from->columns[column];
    if (ws_table_is_missing(from, column, row))
        return;
    if (c->kind == WS_TEXT)
        ws_table_set_text(to, column, at, c->text[row]);
    else if (c->kind == WS_INTEGER)
        ws_table_set_integer(to, column, at, c->integer[row]);
    else
        ws_table_set_number(to, column, at, c->number[row]);
}

void ws_table_copy_ordered(const ws_table *table, const size_t *rows, size_t n, ws_table *out)
{
    ws_table_init(out, table->name);
    out->source = ws_arena_strdup(&out->arena, table->source ? table->source : "");
    out->synthetic = table->synthetic;
    out->units_are_known = table->units_are_known;
    out->has_few_digits = table->has_few_digits;
    out->energy_u = table->energy_u;
    out->mixed_settings = table->mixed_settings ? ws_arena_strdup(&out->arena, table->mixed_settings) : NULL;
    out->looks = table->looks;
    ws_notes_append(&out->notes, &table->notes);
    for (size_t i = 0; i < table->n_columns; i++) {
        size_t column = ws_table_add_column(out, table->columns[i].name, table->columns[i].kind);
        if (table->columns[i].alias)
            ws_table_set_alias(out, column, table->columns[i].alias);
        if (table->columns[i].detail)
            ws_table_set_detail(out, column);
    }
    for (size_t k = 0; k < n; k++) {
        size_t row = rows[k];
        size_t at = table->line ? ws_table_add_row_at(out, table->line[row]) : ws_table_add_row(out);
        for (size_t i = 0; i < table->n_columns; i++)
            copy_cell(table, i, row, out, at);
        if (*ws_table_mark_of(table, row))
            ws_table_mark_row(out, at, ws_table_mark_of(table, row));
    }
    out->marked_column = table->marked_column ? ws_arena_strdup(&out->arena, table->marked_column) : NULL;
    for (size_t i = 0; i < table->n_footnotes; i++)
        ws_table_add_footnote(out, table->footnotes[i].mark, table->footnotes[i].text);
}

void ws_table_copy_rows(const ws_table *table, const bool *keep, ws_table *out)
{
    size_t *rows = ws_alloc((table->n_rows + 1) * sizeof *rows), n = 0;
    for (size_t row = 0; row < table->n_rows; row++)
        if (keep[row])
            rows[n++] = row;
    ws_table_copy_ordered(table, rows, n, out);
    free(rows);
}

void ws_table_filter(ws_table *table, const bool *keep)
{
    size_t kept = 0;
    for (size_t row = 0; row < table->n_rows; row++) {
        if (!keep[row])
            continue;
        for (size_t i = 0; i < table->n_columns; i++) {
            ws_column *c = &table->columns[i];
            if (c->kind == WS_NUMBER)
                c->number[kept] = c->number[row];
            else if (c->kind == WS_INTEGER)
                c->integer[kept] = c->integer[row];
            else
                c->text[kept] = c->text[row];
        }
        if (table->line)
            table->line[kept] = table->line[row];
        if (kept < table->mark_capacity)
            table->mark[kept] = row < table->mark_capacity ? table->mark[row] : NULL;
        kept++;
    }
    for (size_t row = kept; row < table->mark_capacity; row++)
        table->mark[row] = NULL;
    table->n_rows = kept;
}

void ws_table_drop_column(ws_table *table, size_t column)
{
    ws_column *c = &table->columns[column];
    free(c->number);
    free(c->integer);
    free(c->text);
    table->n_columns--;
    memmove(c, c + 1, (table->n_columns - column) * sizeof *c);
}

static const char synthetic_name[] = "synthetic", synthetic_mark[] = "yes";

void ws_table_add_synthetic_mark(ws_table *table)
{
    size_t column;
    if (!table->synthetic || ws_table_find(table, synthetic_name, &column))
        return;
    column = ws_table_add_column(table, synthetic_name, WS_TEXT);
    ws_table_set_detail(table, column);
    for (size_t row = 0; row < table->n_rows; row++)
        ws_table_set_text(table, column, row, synthetic_mark);
}

/* A list of data sets may well have a column of that name with other answers in it: that one stays. */
void ws_table_take_synthetic_mark(ws_table *table)
{
    size_t column;
    if (!ws_table_find(table, synthetic_name, &column) || table->columns[column].kind != WS_TEXT || !table->n_rows)
        return;
    for (size_t row = 0; row < table->n_rows; row++)
        if (ws_table_is_missing(table, column, row) || strcmp(table->columns[column].text[row], synthetic_mark) != 0)
            return;
    ws_table_drop_column(table, column);
    table->synthetic = true;
}
