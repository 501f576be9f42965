/* Measurements do not repeat each other's digits: a table whose measured cells are those of another one, row for row in
 * some order, is a copy, the same file down a pipe, or a selection of the same campaign. */
#include "analyze/commands/compare_same.h"

#include "analyze/ingest/run_columns.h"
#include "core/arena.h"

#include <stdlib.h>
#include <string.h>

typedef struct shared_columns {
    size_t *of_a, *of_b, n;
} shared_columns;

static bool holds_measurements(const ws_table *t, size_t column, const char *metric)
{
    ws_run_column known;
    const char *name = t->columns[column].name;
    return strcmp(name, metric) == 0 || (t->columns[column].kind != WS_TEXT && ws_run_column_find(name, &known) &&
                                         ws_run_column_about(known)->role == WS_ROLE_QUANTITY);
}

static shared_columns find_shared(const ws_table *a, const ws_table *b, const char *metric, ws_arena *arena)
{
    shared_columns shared = {.of_a = ws_arena_alloc(arena, (2 * a->n_columns + 1) * sizeof *shared.of_a)};
    shared.of_b = shared.of_a + a->n_columns;
    for (size_t c = 0; c < a->n_columns; c++) {
        size_t other;
        if (!holds_measurements(a, c, metric) || !ws_table_find(b, a->columns[c].name, &other))
            continue;
        shared.of_a[shared.n] = c;
        shared.of_b[shared.n++] = other;
    }
    return shared;
}

static int compare_texts(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The cells of each row as one text, sorted. */
static const char **sort_rows(const ws_table *t, const size_t *columns, size_t n, ws_arena *arena)
{
    const char **rows = ws_arena_alloc(arena, (t->n_rows + 1) * sizeof *rows);
    char buffer[WS_DOUBLE_TEXT];
    for (size_t row = 0; row < t->n_rows; row++) {
        rows[row] = "";
        for (size_t c = 0; c < n; c++)
            rows[row] = ws_arena_printf(arena, "%s%s\x1f", rows[row], ws_table_cell_text(t, columns[c], row, buffer));
    }
    qsort(rows, t->n_rows, sizeof *rows, compare_texts);
    return rows;
}

/* Digits of the cells of a row beyond the second of each, which runs of one program share anyway. */
static size_t count_digits(const char *row)
{
    enum { SHARED = 2 };
    size_t all = 0, digits = 0;
    bool is_exponent = false;
    for (; *row; row++) {
        if (*row == '\x1f') {
            all += digits > SHARED ? digits - SHARED : 0;
            digits = 0;
            is_exponent = false;
        }
        is_exponent = is_exponent || *row == 'e';
        digits += !is_exponent && *row >= (digits ? '0' : '1') && *row <= '9';
    }
    return all;
}

/* The same cells in the same order, names included. */
static bool is_copy(const ws_table *a, const ws_table *b)
{
    char of_a[WS_DOUBLE_TEXT], of_b[WS_DOUBLE_TEXT];
    bool same = a->n_rows && a->n_rows == b->n_rows && a->n_columns == b->n_columns;
    for (size_t c = 0; c < a->n_columns && same; c++) {
        same = strcmp(a->columns[c].name, b->columns[c].name) == 0;
        for (size_t row = 0; row < a->n_rows && same; row++)
            same = strcmp(ws_table_cell_text(a, c, row, of_a), ws_table_cell_text(b, c, row, of_b)) == 0;
    }
    return same;
}

bool ws_compare_is_same(const ws_table *a, const ws_table *b, const char *metric)
{
    enum { BEYOND_CHANCE = 8 }; /* digits: one pair of tables in 10^8 */
    ws_arena arena = {0};
    size_t digits = 0;
    bool same = a->n_rows && a->n_rows == b->n_rows;
    if (same) {
        shared_columns shared = find_shared(a, b, metric, &arena);
        const char **of_a = sort_rows(a, shared.of_a, shared.n, &arena),
                   **of_b = sort_rows(b, shared.of_b, shared.n, &arena);
        for (size_t row = 0; row < a->n_rows && same; row++) {
            same = strcmp(of_a[row], of_b[row]) == 0;
            digits += count_digits(of_a[row]);
        }
    }
    ws_arena_free(&arena);
    return (same && digits >= BEYOND_CHANCE) || is_copy(a, b);
}
