#include "report/table/table_print.h"

#include "core/text.h"
#include "report/table/column_title.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const companions[] = {"se", "rmse", "u", "sd", "stderr"};

bool ws_cell_is_missing(const ws_table *table, size_t column, size_t row)
{
    const ws_column *c = &table->columns[column];
    return c->kind == WS_NUMBER ? !isfinite(c->number[row]) : ws_table_is_missing(table, column, row);
}

static bool is_empty(const ws_table *table, size_t column)
{
    for (size_t row = 0; row < table->n_rows; row++)
        if (!ws_cell_is_missing(table, column, row))
            return false;
    return table->n_rows > 0;
}

static bool find_number(const ws_table *table, const char *name, size_t *column)
{
    return ws_table_find(table, name, column) && table->columns[*column].kind == WS_NUMBER;
}

/* A merged column must show what its two columns hold: there has to be a row with both. */
static bool share_a_row(const ws_table *table, size_t a, size_t b)
{
    for (size_t row = 0; row < table->n_rows; row++)
        if (!ws_cell_is_missing(table, a, row) && !ws_cell_is_missing(table, b, row))
            return true;
    return table->n_rows == 0;
}

/* X_se of X, and stem_se_unit of stem_unit. */
static bool find_companion(ws_arena *arena, const ws_table *table, size_t of, const char *word, size_t *companion)
{
    const char *name = table->columns[of].name;
    size_t stem;
    const char *behind = ws_arena_printf(arena, "%s_%s", name, word);
    const char *inside =
        ws_column_unit(name, &stem) ? ws_arena_printf(arena, "%.*s_%s%s", (int)stem, name, word, name + stem) : behind;
    bool is_value = strcmp(name, "value") == 0 && strcmp(word, "stderr") == 0;
    return (find_number(table, behind, companion) || find_number(table, inside, companion) ||
            (is_value && find_number(table, "stderr", companion))) &&
           share_a_row(table, of, *companion);
}

typedef struct pairing {
    size_t companion;
    const char *word;  /* of the companion, NULL where there is none */
    bool is_companion; /* takes none itself: of a, a_se and a_se_se, the last is printed apart */
    bool is_merged;
} pairing;

static void find_pairing(ws_arena *arena, const ws_table *table, size_t column, pairing *pair)
{
    for (size_t i = 0; !pair->word && i < sizeof companions / sizeof *companions; i++)
        if (find_companion(arena, table, column, companions[i], &pair->companion))
            pair->word = companions[i];
}

static pairing *pair_up(ws_arena *arena, const ws_table *table)
{
    pairing *pairs = ws_arena_alloc(arena, table->n_columns * sizeof *pairs);
    for (size_t i = 0; i < table->n_columns; i++) {
        if (table->columns[i].kind != WS_TEXT)
            find_pairing(arena, table, i, &pairs[i]);
        if (pairs[i].word)
            pairs[pairs[i].companion].is_companion = true;
    }
    for (size_t i = 0; i < table->n_columns; i++)
        if (pairs[i].word && !pairs[i].is_companion)
            pairs[pairs[i].companion].is_merged = true;
    return pairs;
}

void ws_printed_init(ws_printed *printed, const ws_table *table, const ws_write_options *options)
{
    *printed = (ws_printed){0};
    printed->columns = ws_arena_alloc(&printed->arena, table->n_columns * sizeof *printed->columns);
    const pairing *pairs = pair_up(&printed->arena, table);
    for (size_t i = 0; i < table->n_columns; i++) {
        if (pairs[i].is_merged || (!options->all_columns && (table->columns[i].detail || is_empty(table, i))))
            continue;
        const char *word = pairs[i].is_companion ? NULL : pairs[i].word;
        bool is_number = table->columns[i].kind != WS_TEXT;
        printed->columns[printed->n++] = (ws_printed_column){
            .column = i,
            .companion = word ? pairs[i].companion : WS_NO_COMPANION,
            .title = ws_column_title(&printed->arena, table->columns[i].name, is_number, word),
            .is_number = is_number,
        };
    }
}

void ws_printed_free(ws_printed *printed)
{
    ws_arena_free(&printed->arena);
    *printed = (ws_printed){0};
}

static void print_plain(char *buffer, double value)
{
    ws_double_text_digits(buffer, value, 6);
    if (!strchr(buffer, '.') || strchr(buffer, 'e'))
        return;
    size_t n = strlen(buffer);
    while (buffer[n - 1] == '0')
        n--;
    buffer[n - (buffer[n - 1] == '.')] = '\0';
}

/* Decimal places that an uncertainty leaves: read off "d.de+xx", whatever the locale's point looks like. */
static int places_of(double uncertainty, bool two_digits)
{
    char text[WS_DOUBLE_TEXT];
    snprintf(text, sizeof text, "%.1e", uncertainty);
    int exponent = atoi(strchr(text, 'e') + 1);
    return two_digits || text[0] == '1' ? 1 - exponent : -exponent;
}

void ws_print_pair(char *buffer, double value, double uncertainty, bool two_digits)
{
    char first[WS_DOUBLE_TEXT], second[WS_DOUBLE_TEXT];
    int places = uncertainty > 0 ? places_of(uncertainty, two_digits) : 0;
    bool is_fixed = places <= 9 && fabs(value) < 1e15 && uncertainty < 1e15;
    if (uncertainty > 0 && is_fixed) {
        ws_double_text_decimals(first, value, places);
        ws_double_text_decimals(second, uncertainty, places);
    } else { /* zero, or far from everyday sizes */
        print_plain(first, value);
        ws_double_text_digits(second, uncertainty, 2);
    }
    snprintf(buffer, WS_CELL_TEXT, "%s ± %s", first, second);
}

const char *ws_printed_cell(const ws_table *table, const ws_printed_column *printed, size_t row, char *buffer)
{
    const ws_column *column = &table->columns[printed->column];
    if (ws_cell_is_missing(table, printed->column, row))
        return NULL;
    if (column->kind == WS_TEXT)
        return column->text[row];
    bool has_companion = printed->companion != WS_NO_COMPANION && !ws_cell_is_missing(table, printed->companion, row);
    double value = ws_table_number(table, printed->column, row);
    if (has_companion)
        ws_print_pair(buffer, value, table->columns[printed->companion].number[row],
                      strcmp(column->name, "value") == 0);
    else if (column->kind == WS_NUMBER)
        print_plain(buffer, value);
    else
        ws_integer_text(buffer, column->integer[row]);
    return buffer;
}
