/* run   wall [s]  energy ± u [kWh]
 * ----  --------  ----------------
 * a64    1203.42        52.1 ± 0.9
 * a128         -        61.0 ± 1.2
 *
 * With headings, remarks and meanings (ws_column_place), which keep a table within a screen of 80 columns:
 *
 *   parameter    value ± stderr
 *   ---------  ----------------
 * lbs256 (n 9, R2 0.99996)
 *   slope     0.26539 ± 0.00067
 *   peak                      -
 *   peak: there is none
 *
 *   slope: large x counts most
 *
 * A table with screen_keys that is wider than a screen stands in parts below each other:
 *
 *   gpus  wall [s]          gpus  energy [kWh]
 *   ----  --------          ----  ------------
 *      1   1203.42             1          52.1
 */
#include "report/table/table_forms.h"

#include "report/table/table_print.h"
#include "report/utf8.h"

#include <stdlib.h>
#include <string.h>

enum { SCREEN = 80 };
static const char missing[] = "-", unremarkable[] = "ok";

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

static void put_line(FILE *stream, const ws_printed *printed, const size_t *width, size_t row, const ws_table *table,
                     size_t indent)
{
    char buffer[WS_CELL_TEXT];
    size_t owed = indent;
    for (size_t i = 0; i < printed->n; i++) {
        const ws_printed_column *column = &printed->columns[i];
        put_cell(stream, cell(table, column, row, buffer), width[i], column->is_number, &owed);
    }
    fputc('\n', stream);
}

static void table_text_put_head(FILE *stream, const ws_printed *printed, const size_t *width, size_t indent,
                                bool colour)
{
    size_t owed = indent;
    fputs(colour ? "\x1b[1m" : "", stream);
    for (size_t i = 0; i < printed->n; i++)
        put_cell(stream, printed->columns[i].title, width[i], printed->columns[i].is_number, &owed);
    fputs(colour ? "\x1b[0m\n" : "\n", stream);
    for (size_t i = 0; i < printed->n; i++) {
        put_times(stream, ' ', i ? 2 : indent);
        put_times(stream, '-', width[i]);
    }
    fputc('\n', stream);
}

/* The columns of a table by where they stand. */
typedef struct text_layout {
    ws_printed beside, headings, remarks, meanings;
    size_t indent, *width; /* of the columns that stand beside each other */
} text_layout;

static bool is_heading(ws_column_place place)
{
    return place == WS_HEADING || place == WS_NAMED_HEADING;
}

static ws_printed columns_with(const ws_table *table, const ws_printed *all, ws_column_place place, ws_arena *arena)
{
    ws_printed some = {.columns = ws_arena_alloc(arena, (all->n + 1) * sizeof *some.columns)};
    for (size_t i = 0; i < all->n; i++) {
        ws_column_place own = table->columns[all->columns[i].column].place;
        if (own == place || (is_heading(own) && is_heading(place)))
            some.columns[some.n++] = all->columns[i];
    }
    return some;
}

static bool begins_block(const ws_table *table, const ws_printed *headings, size_t row)
{
    if (row == 0)
        return true;
    for (size_t i = 0; i < headings->n; i++) {
        const ws_column *c = &table->columns[headings->columns[i].column];
        if (c->kind == WS_TEXT && strcmp(c->text[row] ? c->text[row] : "", c->text[row - 1] ? c->text[row - 1] : ""))
            return true;
    }
    return false;
}

/* "lbs256, measured (n 9, R2 0.99996)"; "all" is the name of the only group where none is asked for. */
static void put_heading(FILE *stream, const ws_table *table, const ws_printed *headings, size_t row, bool colour)
{
    char buffer[WS_CELL_TEXT];
    size_t texts = 0, numbers = 0;
    fputs(colour ? "\x1b[1m" : "", stream);
    for (size_t i = 0; i < headings->n; i++) {
        const ws_printed_column *column = &headings->columns[i];
        const char *text = ws_printed_cell(table, column, row, buffer);
        if (!text || column->is_number)
            continue;
        fputs(texts++ ? ", " : "", stream);
        if (table->columns[column->column].place == WS_NAMED_HEADING)
            fprintf(stream, "%s ", column->title);
        ws_utf8_put(stream, text, NULL);
    }
    for (size_t i = 0; i < headings->n; i++) {
        const ws_printed_column *column = &headings->columns[i];
        const char *text = ws_printed_cell(table, column, row, buffer);
        if (!text || !column->is_number)
            continue;
        fprintf(stream, "%s%s %s", numbers++ ? ", " : " (", column->title, text);
    }
    fputs(numbers ? ")" : texts ? "" : missing, stream);
    fputs(colour ? "\x1b[0m\n" : "\n", stream);
}

/* A paragraph of lines that keep to the screen, words whole. */
static void put_wrapped(FILE *stream, const char *text)
{
    enum { FIRST = 2, NEXT = 4 };
    size_t used = 0;
    for (ws_span rest = ws_span_of(text), word; ws_span_split(&rest, ' ', &word);) {
        char one[WS_CELL_TEXT];
        snprintf(one, sizeof one, "%.*s", (int)word.n, word.p);
        size_t width = ws_utf8_width(one), before = used ? 1 : FIRST;
        if (used && used + 1 + width > SCREEN) {
            fputc('\n', stream);
            used = 0;
            before = NEXT;
        }
        put_times(stream, ' ', before);
        ws_utf8_put(stream, one, NULL);
        used += before + width;
    }
    fputc('\n', stream);
}

/* A text of a column of remarks or meanings, and the first cells of the rows that have it. */
typedef struct text_told {
    const char *text, *names;
    size_t n_names;
} text_told;

static bool is_among(const char *names, const char *name)
{
    ws_span rest = ws_span_of(names), one;
    while (ws_span_split(&rest, ',', &one))
        if (ws_span_eq(ws_span_trim(one), name))
            return true;
    return false;
}

static void add_name(text_told *told, const char *name, ws_arena *arena)
{
    enum { MOST = 8 };
    if (is_among(told->names, name) || told->n_names > MOST)
        return;
    name = told->n_names++ == MOST ? "..." : name;
    told->names = ws_arena_printf(arena, "%s%s%s", told->names, *told->names ? ", " : "", name);
}

/* "floor, lognormal: 5 points are too few": each text of a column once, behind the first cells of its rows from `first`
 * up to `end`. */
static void put_texts(FILE *stream, const ws_table *table, const text_layout *l, size_t column, size_t first,
                      size_t end)
{
    char buffer[WS_CELL_TEXT];
    ws_arena arena = {0};
    text_told *told = NULL;
    size_t n = 0, capacity = 0, at;
    for (size_t row = first; row < end; row++) {
        const char *text = table->columns[column].text[row];
        if (!text || strcmp(text, unremarkable) == 0)
            continue;
        for (at = 0; at < n && strcmp(told[at].text, text) != 0;)
            at++;
        told = ws_grow(told, &capacity, n + 1, sizeof *told);
        if (at == n)
            told[n++] = (text_told){.text = text, .names = ""};
        add_name(&told[at], cell(table, &l->beside.columns[0], row, buffer), &arena);
    }
    for (at = 0; at < n; at++)
        put_wrapped(stream, ws_arena_printf(&arena, "%s: %s", told[at].names, told[at].text));
    free(told);
    ws_arena_free(&arena);
}

static void put_all_texts(FILE *stream, const ws_table *table, const text_layout *l, const ws_printed *of, size_t first,
                          size_t end)
{
    for (size_t i = 0; i < of->n && l->beside.n; i++)
        put_texts(stream, table, l, of->columns[i].column, first, end);
}

static void put_rows(FILE *stream, const ws_table *table, const text_layout *l, bool colour)
{
    size_t first = 0;
    for (size_t row = 0; l->beside.n && row < table->n_rows; row++) {
        bool begins = l->headings.n && begins_block(table, &l->headings, row);
        if (begins && row)
            put_all_texts(stream, table, l, &l->remarks, first, row);
        if (begins)
            put_heading(stream, table, &l->headings, first = row, colour);
        put_line(stream, &l->beside, l->width, row, table, l->indent);
    }
    put_all_texts(stream, table, l, &l->remarks, first, table->n_rows);
    if (l->meanings.n && l->beside.n) {
        fputc('\n', stream);
        put_all_texts(stream, table, l, &l->meanings, 0, table->n_rows);
    }
}

static size_t width_of_columns(const size_t *width, size_t from, size_t end)
{
    size_t sum = 0;
    for (size_t i = from; i < end; i++)
        sum += width[i] + 2;
    return sum;
}

static void put_part(FILE *stream, const ws_table *table, const text_layout *l, bool colour)
{
    if (l->beside.n)
        table_text_put_head(stream, &l->beside, l->width, l->indent, colour);
    put_rows(stream, table, l, colour);
}

/* Parts that keep to the screen, each with the keys in front; remarks and meanings below the last. Keys that are wider
 * than KEYS say too much to stand in every part: then everything stands side by side. */
static void put_parts(FILE *stream, const ws_table *table, const text_layout *all, ws_arena *arena, bool colour)
{
    enum { KEYS = 50 };
    size_t keys = table->screen_keys < all->beside.n ? table->screen_keys : all->beside.n, end;
    size_t of_keys = all->indent + width_of_columns(all->width, 0, keys);
    bool fits = all->indent + width_of_columns(all->width, 0, all->beside.n) <= SCREEN + 2;
    if (!keys || fits || of_keys > KEYS) {
        put_part(stream, table, all, colour);
        return;
    }
    for (size_t from = keys; from < all->beside.n; from = end) {
        text_layout l = *all;
        l.width = ws_arena_alloc(arena, all->beside.n * sizeof *l.width);
        l.beside.columns = ws_arena_alloc(arena, all->beside.n * sizeof *l.beside.columns);
        end = from + 1;
        while (end < all->beside.n && of_keys + width_of_columns(all->width, from, end + 1) <= SCREEN + 2)
            end++;
        l.beside.n = 0;
        for (size_t i = 0; i < end; i = i + 1 == keys ? from : i + 1) {
            l.width[l.beside.n] = all->width[i];
            l.beside.columns[l.beside.n++] = all->beside.columns[i];
        }
        l.remarks.n = end == all->beside.n ? all->remarks.n : 0;
        l.meanings.n = end == all->beside.n ? all->meanings.n : 0;
        fputs(from > keys ? "\n" : "", stream);
        put_part(stream, table, &l, colour);
    }
}

static size_t *widths_of(const ws_table *table, const ws_printed *beside, ws_arena *arena)
{
    size_t *width = ws_arena_alloc(arena, (beside->n + 1) * sizeof *width);
    for (size_t i = 0; i < beside->n; i++)
        width[i] = width_of(table, &beside->columns[i]);
    return width;
}

void ws_table_write_text(FILE *stream, const ws_table *table, const ws_write_options *options)
{
    ws_printed all;
    ws_printed_init(&all, table, options);
    text_layout l = {.beside = all};
    l.width = widths_of(table, &all, &all.arena);
    bool fits = width_of_columns(l.width, 0, all.n) <= SCREEN + 2;
    if (!options->all_columns && !(table->heads_if_wide && fits)) {
        l.beside = columns_with(table, &all, WS_AS_COLUMN, &all.arena);
        l.headings = columns_with(table, &all, WS_HEADING, &all.arena);
        l.remarks = columns_with(table, &all, WS_REMARK, &all.arena);
        l.meanings = columns_with(table, &all, WS_MEANING, &all.arena);
        l.width = widths_of(table, &l.beside, &all.arena);
    }
    l.indent = l.headings.n ? 2 : 0;
    if (options->all_columns)
        put_part(stream, table, &l, options->colour);
    else
        put_parts(stream, table, &l, &all.arena, options->colour);
    ws_printed_free(&all);
}
