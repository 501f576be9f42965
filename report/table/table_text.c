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
 *
 * Keys that are too long to stand in front of every part have lines of their own, above their rows:
 *
 *     wall [s]  energy [kWh]
 *     --------  ------------
 *   traces/llama2_70b_lora__result_5740-240517044141819407406_10
 *      1203.42          52.1
 *
 * A single row that would stand in parts has a line for each column instead:
 *
 *   gpus          1
 *   wall [s]      1203.42
 *   energy [kWh]  52.1
 *
 * Texts that are too long for the screen go on in their column, where the table folds_texts.
 */
#include "report/table/table_forms.h"

#include "report/table/table_print.h"
#include "report/utf8.h"

#include <stdlib.h>
#include <string.h>

enum { SCREEN = 80, LEAST_TEXT = 24 };
static const char missing[] = "-", unremarkable[] = "ok";

enum { CELL = 1024 }; /* also a name with its marks */

static const char *bare_cell(const ws_table *table, const ws_printed_column *column, size_t row, char *buffer)
{
    const char *text = ws_printed_cell(table, column, row, buffer);
    return text ? text : missing;
}

/* With the mark of its row, and behind numbers as many blanks in its place, so that digits stay below each other. */
static const char *cell(const ws_table *table, const ws_printed_column *column, size_t row, char *buffer)
{
    char number[WS_CELL_TEXT];
    if (column->cells)
        return column->cells[row];
    if (!column->mark_width)
        return bare_cell(table, column, row, buffer);
    const char *text = bare_cell(table, column, row, number), *mark = ws_printed_mark(table, column, row);
    int blanks = column->is_number ? (int)(column->mark_width - ws_utf8_width(mark)) : 0;
    snprintf(buffer, CELL, "%s%s%*s", text, mark, blanks, "");
    return buffer;
}

/* Widths are known before the first line, and so cells are kept from then on: of tables that are read on a screen. */
enum { MOST_ROWS_KEPT = 100000 };

static void write_cells(const ws_table *table, ws_printed_column *column, ws_arena *arena)
{
    char buffer[CELL];
    bool keeps = table->n_rows <= MOST_ROWS_KEPT;
    const char **cells = keeps ? ws_arena_alloc(arena, (table->n_rows + 1) * sizeof *cells) : NULL;
    column->width = ws_utf8_width(column->title);
    for (size_t row = 0; row < table->n_rows; row++) {
        const char *text = cell(table, column, row, buffer);
        size_t width = ws_utf8_width(text);
        column->width = width > column->width ? width : column->width;
        if (keeps)
            cells[row] = text == buffer ? ws_arena_strdup(arena, text) : text;
    }
    column->cells = cells;
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
    char buffer[CELL];
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
    ws_printed beside, above, headings, remarks, meanings;
    const ws_printed_column *name; /* what remarks and meanings call a row: the first column that is no heading */
    size_t indent, *width;         /* of the columns that stand beside each other */
    size_t keys;                   /* of a later part: rows with nothing behind its keys are left out there; else 0 */
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

/* One series without a name needs no heading. */
static bool has_cells(const ws_table *table, const ws_printed *some)
{
    char buffer[CELL];
    for (size_t i = 0; i < some->n; i++)
        for (size_t row = 0; row < table->n_rows; row++) {
            const char *text = ws_printed_cell(table, &some->columns[i], row, buffer);
            if (text && *text)
                return true;
        }
    return false;
}

static bool begins_block(const ws_table *table, const ws_printed *texts, size_t row)
{
    if (row == 0)
        return true;
    for (size_t i = 0; i < texts->n; i++) {
        const ws_column *c = &table->columns[texts->columns[i].column];
        if (c->kind == WS_TEXT && strcmp(c->text[row] ? c->text[row] : "", c->text[row - 1] ? c->text[row - 1] : ""))
            return true;
    }
    return false;
}

/* Where a line of at most `most` columns ends: behind a blank, else behind another mark between the words of a name,
 * else anywhere. */
static size_t line_end(const char *text, size_t most)
{
    size_t width = 0, blank = 0, mark = 0;
    const char *at = text, *next = text;
    for (; *at; at = next) {
        char one[8];
        ws_utf8_next(&next);
        snprintf(one, sizeof one, "%.*s", (int)(next - at), at);
        width += ws_utf8_width(one);
        if (width > most && *at == ' ')
            return (size_t)(next - text);
        if (width > most && at > text)
            return blank ? blank : mark ? mark : (size_t)(at - text);
        blank = *at == ' ' ? (size_t)(next - text) : blank;
        mark = strchr("/_-,:=", *at) ? (size_t)(next - text) : mark;
    }
    return (size_t)(at - text);
}

/* The same as put_line, of texts that go on below. */
static void put_lines(FILE *stream, const ws_table *table, const text_layout *l, size_t row)
{
    char buffer[CELL];
    ws_arena arena = {0};
    const char **rest = ws_arena_alloc(&arena, (l->beside.n + 1) * sizeof *rest);
    for (size_t i = 0; i < l->beside.n; i++)
        rest[i] = ws_arena_strdup(&arena, cell(table, &l->beside.columns[i], row, buffer));
    for (bool goes_on = true; goes_on;) {
        size_t owed = l->indent;
        goes_on = false;
        for (size_t i = 0; i < l->beside.n; i++) {
            size_t n = line_end(rest[i], l->width[i]), shown = n;
            while (shown && rest[i][shown - 1] == ' ')
                shown--;
            put_cell(stream, ws_arena_strndup(&arena, rest[i], shown), l->width[i], l->beside.columns[i].is_number,
                     &owed);
            rest[i] += n;
            goes_on |= *rest[i] != '\0';
        }
        fputc('\n', stream);
    }
    ws_arena_free(&arena);
}

/* A text in a line that has come to a column already; what does not fit the screen goes on below, at `next`. */
static void put_behind(FILE *stream, const char *text, size_t at, size_t next)
{
    ws_arena arena = {0};
    for (size_t n; *text; text += n) {
        n = line_end(text, SCREEN - at);
        size_t shown = n;
        while (shown && text[shown - 1] == ' ')
            shown--;
        ws_utf8_put(stream, ws_arena_strndup(&arena, text, shown), NULL);
        if (text[n]) {
            fputc('\n', stream);
            put_times(stream, ' ', next);
        }
        at = next;
    }
    ws_arena_free(&arena);
}

/* The same of a whole line, at an indent. */
static void put_folded(FILE *stream, const char *text, size_t indent, size_t next, bool colour)
{
    fputs(colour ? "\x1b[1m" : "", stream);
    put_times(stream, ' ', indent);
    put_behind(stream, text, indent, next);
    fputs(colour ? "\x1b[0m\n" : "\n", stream);
}

/* "lbs256, measured (n 9, R2 0.99996)"; "all" is the name of the only group where none is asked for. */
static const char *heading_of(const ws_table *table, const ws_printed *headings, size_t row, ws_arena *arena)
{
    char buffer[CELL];
    const char *texts = "", *numbers = "";
    for (size_t i = 0; i < headings->n; i++) {
        const ws_printed_column *column = &headings->columns[i];
        const char *text = ws_printed_cell(table, column, row, buffer);
        bool is_named = table->columns[column->column].place == WS_NAMED_HEADING;
        if (text && column->is_number)
            numbers = ws_arena_printf(arena, "%s%s%s %s", numbers, *numbers ? ", " : "", column->title, text);
        else if (text)
            texts = ws_arena_printf(arena, "%s%s%s%s%s", texts, *texts ? ", " : "", is_named ? column->title : "",
                                    is_named ? " " : "", text);
    }
    if (*numbers)
        return ws_arena_printf(arena, "%s (%s)", texts, numbers);
    return *texts ? texts : missing;
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
 * up to `end`; behind its title where it stands here for want of room. */
static void put_texts(FILE *stream, const ws_table *table, const text_layout *l, const ws_printed_column *of,
                      size_t first, size_t end)
{
    const ws_column *column = &table->columns[of->column];
    const char *title = column->place == WS_AS_COLUMN ? of->title : NULL;
    char buffer[CELL];
    ws_arena arena = {0};
    text_told *told = NULL;
    size_t n = 0, capacity = 0, at;
    for (size_t row = first; row < end; row++) {
        const char *text = column->text[row];
        if (!text || (!title && strcmp(text, unremarkable) == 0))
            continue;
        for (at = 0; at < n && strcmp(told[at].text, text) != 0;)
            at++;
        told = ws_grow(told, &capacity, n + 1, sizeof *told);
        if (at == n)
            told[n++] = (text_told){.text = text, .names = ""};
        add_name(&told[at], bare_cell(table, l->name, row, buffer), &arena);
    }
    for (at = 0; at < n; at++)
        put_folded(
            stream,
            ws_arena_printf(&arena, "%s: %s%s%s", told[at].names, title ? title : "", title ? " " : "", told[at].text),
            2, 4, false);
    free(told);
    ws_arena_free(&arena);
}

static void put_all_texts(FILE *stream, const ws_table *table, const text_layout *l, const ws_printed *of, size_t first,
                          size_t end)
{
    for (size_t i = 0; i < of->n && l->beside.n; i++)
        put_texts(stream, table, l, &of->columns[i], first, end);
}

/* The keys above a row, a line each. */
static void put_keys(FILE *stream, const ws_table *table, const text_layout *l, size_t row)
{
    char buffer[CELL], bare[WS_CELL_TEXT];
    for (size_t i = 0; i < l->above.n; i++) {
        const char *text = cell(table, &l->above.columns[i], row, buffer);
        if (ws_printed_cell(table, &l->above.columns[i], row, bare))
            put_folded(stream, text, l->indent - 2, l->indent + 2, false);
    }
}

static bool says_nothing(const ws_table *table, const text_layout *l, size_t row)
{
    char buffer[CELL];
    for (size_t i = l->keys; i < l->beside.n; i++)
        if (ws_printed_cell(table, &l->beside.columns[i], row, buffer))
            return false;
    return true;
}

static void put_rows(FILE *stream, const ws_table *table, const text_layout *l, bool colour)
{
    size_t first = 0;
    bool owes_heading = false, owes_keys = false;
    ws_arena arena = {0};
    for (size_t row = 0; l->beside.n && row < table->n_rows; row++) {
        bool begins = l->headings.n && begins_block(table, &l->headings, row);
        if (begins && row)
            put_all_texts(stream, table, l, &l->remarks, first, row);
        first = begins ? row : first;
        owes_heading |= begins;
        owes_keys |= l->above.n && (begins || begins_block(table, &l->above, row));
        if (l->keys && says_nothing(table, l, row))
            continue;
        if (owes_heading)
            put_folded(stream, heading_of(table, &l->headings, row, &arena), 0, 4, colour);
        if (owes_keys)
            put_keys(stream, table, l, row);
        owes_heading = owes_keys = false;
        if (table->folds_texts)
            put_lines(stream, table, l, row);
        else
            put_line(stream, &l->beside, l->width, row, table, l->indent);
    }
    put_all_texts(stream, table, l, &l->remarks, first, table->n_rows);
    if (l->meanings.n && l->beside.n) {
        fputc('\n', stream);
        put_all_texts(stream, table, l, &l->meanings, 0, table->n_rows);
    }
    ws_arena_free(&arena);
}

static size_t width_of_columns(const size_t *width, size_t from, size_t end)
{
    size_t sum = 0;
    for (size_t i = from; i < end; i++)
        sum += width[i] + 2;
    return sum;
}

/* What the i-th column needs at least. Names of rows stay in one line. */
static size_t least_width(const ws_table *table, const text_layout *l, size_t i)
{
    const ws_printed_column *column = &l->beside.columns[i];
    size_t title = ws_utf8_width(column->title), least = title > LEAST_TEXT ? title : LEAST_TEXT;
    return i && table->folds_texts && !column->is_number && l->width[i] > least ? least : l->width[i];
}

static const size_t *least_widths(const ws_table *table, const text_layout *l, ws_arena *arena)
{
    size_t *least = ws_arena_alloc(arena, (l->beside.n + 1) * sizeof *least);
    for (size_t i = 0; i < l->beside.n; i++)
        least[i] = least_width(table, l, i);
    return least;
}

/* Takes from the widest texts what is too much for the screen. */
static void fold_texts(const ws_table *table, text_layout *l)
{
    size_t all = l->indent + width_of_columns(l->width, 0, l->beside.n);
    while (table->folds_texts && all > SCREEN + 2) {
        size_t widest = 0, most = 0;
        for (size_t i = 0; i < l->beside.n; i++) {
            size_t spare = l->width[i] - least_width(table, l, i);
            if (spare > most)
                widest = i, most = spare;
        }
        size_t less = all - (SCREEN + 2) < most ? all - (SCREEN + 2) : most;
        if (!less)
            return;
        l->width[widest] -= less;
        all -= less;
    }
}

static void put_part(FILE *stream, const ws_table *table, const text_layout *l, bool colour)
{
    if (l->beside.n)
        table_text_put_head(stream, &l->beside, l->width, l->indent, colour);
    put_rows(stream, table, l, colour);
}

static size_t widest_number(const ws_table *table, const text_layout *l, size_t from)
{
    size_t widest = 0;
    for (size_t i = from; i < l->beside.n; i++)
        if (table->columns[l->beside.columns[i].column].kind != WS_TEXT && l->width[i] > widest)
            widest = l->width[i];
    return widest;
}

/* Key `at` goes from beside its rows to above them. */
static void move_above(text_layout *l, size_t at)
{
    l->above.columns[l->above.n++] = l->beside.columns[at];
    l->indent += l->above.n == 1 ? 2 : 0;
    l->beside.n--;
    for (size_t i = at; i < l->beside.n; i++) {
        l->beside.columns[i] = l->beside.columns[i + 1];
        l->width[i] = l->width[i + 1];
    }
}

/* Keys leave room for the widest of the other columns, and for more than one of them: texts go above their rows until
 * they do. Returns how many keys stay. */
static size_t shorten_keys(const ws_table *table, text_layout *l, size_t keys, ws_arena *arena)
{
    enum { KEYS = 54 };
    l->above.columns = ws_arena_alloc(arena, (keys + 1) * sizeof *l->above.columns);
    while (keys) {
        size_t of_keys = l->indent + width_of_columns(l->width, 0, keys), longest = keys;
        if (of_keys <= KEYS && of_keys + widest_number(table, l, keys) <= SCREEN)
            break;
        for (size_t i = 0; i < keys; i++)
            if (table->columns[l->beside.columns[i].column].kind == WS_TEXT &&
                (longest == keys || l->width[i] > l->width[longest]))
                longest = i;
        if (longest == keys)
            break;
        move_above(l, longest);
        keys--;
    }
    return keys;
}

/* Texts that are too long beside the keys stand below, as remarks do. */
static void move_below(const ws_table *table, text_layout *l, size_t keys, ws_arena *arena)
{
    size_t of_keys = l->indent + width_of_columns(l->width, 0, keys), n = keys;
    ws_printed below = {.columns = ws_arena_alloc(arena, (l->remarks.n + l->beside.n) * sizeof *below.columns)};
    for (size_t i = 0; i < l->remarks.n; i++)
        below.columns[below.n++] = l->remarks.columns[i];
    for (size_t i = keys; i < l->beside.n; i++) {
        if (table->columns[l->beside.columns[i].column].kind == WS_TEXT && of_keys + l->width[i] > SCREEN) {
            below.columns[below.n++] = l->beside.columns[i];
            continue;
        }
        l->width[n] = l->width[i];
        l->beside.columns[n++] = l->beside.columns[i];
    }
    l->beside.n = n;
    l->remarks = below;
}

/* A line for each column: its title, and what the only row has there. */
static void put_upright(FILE *stream, const ws_table *table, const ws_printed *columns, bool colour)
{
    char buffer[CELL];
    size_t widest = 0;
    ws_arena arena = {0};
    for (size_t i = 0; i < columns->n; i++) {
        size_t width = ws_utf8_width(columns->columns[i].title);
        widest = width > widest ? width : widest;
    }
    for (size_t i = 0; i < columns->n; i++) {
        const char *title = columns->columns[i].title;
        const char *text = ws_arena_strdup(&arena, cell(table, &columns->columns[i], 0, buffer));
        fprintf(stream, colour ? "\x1b[1m%s\x1b[0m" : "%s", title);
        put_times(stream, ' ', widest - ws_utf8_width(title) + 2);
        put_behind(stream, text, widest + 2, widest + 4);
        fputc('\n', stream);
    }
    ws_arena_free(&arena);
}

/* Parts that keep to the screen, each with the keys in front; remarks and meanings below the last. */
static void put_parts(FILE *stream, const ws_table *table, const text_layout *of, const ws_printed *columns,
                      ws_arena *arena, bool colour)
{
    text_layout all = *of;
    size_t keys = table->screen_keys < all.beside.n ? table->screen_keys : all.beside.n, end;
    bool fits = all.indent + width_of_columns(least_widths(table, &all, arena), 0, all.beside.n) <= SCREEN + 2;
    if (fits || !keys || keys == all.beside.n) {
        fold_texts(table, &all);
        put_part(stream, table, &all, colour);
        return;
    }
    if (table->n_rows == 1) {
        put_upright(stream, table, columns, colour);
        return;
    }
    keys = shorten_keys(table, &all, keys, arena);
    if (!table->folds_texts)
        move_below(table, &all, keys, arena);
    size_t of_keys = all.indent + width_of_columns(all.width, 0, keys);
    const size_t *least = least_widths(table, &all, arena);
    for (size_t from = keys; from < all.beside.n; from = end) {
        text_layout l = all;
        l.width = ws_arena_alloc(arena, all.beside.n * sizeof *l.width);
        l.beside.columns = ws_arena_alloc(arena, all.beside.n * sizeof *l.beside.columns);
        end = from + 1;
        while (end < all.beside.n && of_keys + width_of_columns(least, from, end + 1) <= SCREEN + 2)
            end++;
        l.beside.n = 0;
        l.keys = from > keys ? keys : 0;
        for (size_t i = 0; i < end; i++) {
            if (i >= keys && i < from)
                continue;
            l.width[l.beside.n] = all.width[i];
            l.beside.columns[l.beside.n++] = all.beside.columns[i];
        }
        l.remarks.n = end == all.beside.n ? all.remarks.n : 0;
        l.meanings.n = end == all.beside.n ? all.meanings.n : 0;
        fputs(from > keys ? "\n" : "", stream);
        fold_texts(table, &l);
        put_part(stream, table, &l, colour);
    }
}

static size_t *widths_of(const ws_printed *beside, ws_arena *arena)
{
    size_t *width = ws_arena_alloc(arena, (beside->n + 1) * sizeof *width);
    for (size_t i = 0; i < beside->n; i++)
        width[i] = beside->columns[i].width;
    return width;
}

/* Below the table: "* doubtful energy: long-gap". */
static void put_footnotes(FILE *stream, const ws_table *table)
{
    ws_arena arena = {0};
    fputs(table->n_footnotes ? "\n" : "", stream);
    for (size_t i = 0; i < table->n_footnotes; i++) {
        const ws_footnote *f = &table->footnotes[i];
        put_folded(stream, ws_arena_printf(&arena, "%s%s%s", f->mark, *f->mark ? " " : "", f->text), 2, 4, false);
    }
    ws_arena_free(&arena);
}

void ws_table_write_text(FILE *stream, const ws_table *table, const ws_write_options *options)
{
    ws_printed all;
    ws_printed_init(&all, table, options);
    for (size_t i = 0; i < all.n; i++)
        write_cells(table, &all.columns[i], &all.arena);
    text_layout l = {.beside = all};
    l.width = widths_of(&all, &all.arena);
    bool fits = width_of_columns(l.width, 0, all.n) <= SCREEN + 2;
    if (!options->all_columns && !(table->heads_if_wide && fits)) {
        l.beside = columns_with(table, &all, WS_AS_COLUMN, &all.arena);
        l.headings = columns_with(table, &all, WS_HEADING, &all.arena);
        l.headings.n = has_cells(table, &l.headings) ? l.headings.n : 0;
        l.remarks = columns_with(table, &all, WS_REMARK, &all.arena);
        l.meanings = columns_with(table, &all, WS_MEANING, &all.arena);
        l.width = widths_of(&l.beside, &all.arena);
    }
    ws_printed_column name = l.beside.n ? l.beside.columns[0] : (ws_printed_column){0};
    l.name = &name;
    l.indent = l.headings.n ? 2 : 0;
    if (options->all_columns)
        put_part(stream, table, &l, options->colour);
    else
        put_parts(stream, table, &l, &all, &all.arena, options->colour);
    if (all.n)
        put_footnotes(stream, table);
    ws_printed_free(&all);
}
