#include "analyze/commands/compare_mix.h"

#include "analyze/ingest/run_columns.h"

#include <stdlib.h>
#include <string.h>

typedef struct mix_cell {
    const char *text;
    size_t *number; /* its place in of_a or of_b */
    bool is_b;
} mix_cell;

static int mix_order(const void *a, const void *b)
{
    const mix_cell *x = a, *y = b;
    return strcmp(x->text, y->text);
}

static size_t take_cells(const ws_table *t, size_t column, bool is_b, ws_arena *arena, mix_cell *cells, size_t *number)
{
    char buffer[WS_DOUBLE_TEXT];
    for (size_t row = 0; row < t->n_rows; row++)
        cells[row] =
            (mix_cell){ws_arena_printf(arena, "%s", ws_table_cell_text(t, column, row, buffer)), &number[row], is_b};
    return t->n_rows;
}

/* Values of one side alone, values of both, and their numbers. */
typedef struct mix_count {
    size_t a_alone, b_alone, both;
} mix_count;

static mix_count number_values(mix_cell *cells, size_t n)
{
    mix_count count = {0};
    qsort(cells, n, sizeof *cells, mix_order);
    for (size_t first = 0, end; first < n; first = end) {
        bool has_a = false, has_b = false;
        for (end = first; end < n && strcmp(cells[end].text, cells[first].text) == 0; end++) {
            *cells[end].number = first;
            has_a |= !cells[end].is_b;
            has_b |= cells[end].is_b;
        }
        count.both += has_a && has_b;
        count.a_alone += !has_b;
        count.b_alone += !has_a;
    }
    return count;
}

/* Numbers of which either side has its own are measured rather than set. */
static bool is_setting(const mix_count *count, size_t n, bool is_text)
{
    size_t different = count->both + count->a_alone + count->b_alone;
    return different > 1 && 2 * different <= n && count->both && (is_text || !count->a_alone || !count->b_alone);
}

/* What tells runs apart, or says how they went, is no setting of them. */
static bool tells_runs_apart(const char *name)
{
    static const char *const names[] = {"repeat", "seed", "series", "status", "energy_verdict", "source", "trial"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

size_t ws_mix_columns(const ws_table *a, const ws_table *b, const bool *left_out, ws_arena *arena,
                      ws_mix_column **columns)
{
    size_t n = 0, rows = a->n_rows + b->n_rows;
    mix_cell *cells = ws_alloc((rows + 1) * sizeof *cells);
    *columns = ws_arena_alloc(arena, (a->n_columns + 1) * sizeof **columns);
    for (size_t c = 0, other; c < a->n_columns; c++) {
        const char *name = a->columns[c].name;
        ws_run_column known;
        bool is_known = ws_run_column_find(name, &known);
        if (left_out[c] || tells_runs_apart(name) || !ws_table_find(b, name, &other) ||
            (is_known && ws_run_column_about(known)->role != WS_ROLE_SETTING))
            continue;
        ws_arena texts = {0};
        size_t *of_a = ws_arena_alloc(arena, (rows + 1) * sizeof *of_a), *of_b = of_a + a->n_rows;
        size_t half = take_cells(a, c, false, &texts, cells, of_a);
        take_cells(b, other, true, &texts, cells + half, of_b);
        mix_count count = number_values(cells, rows);
        if (is_setting(&count, rows, a->columns[c].kind == WS_TEXT && b->columns[other].kind == WS_TEXT))
            (*columns)[n++] = (ws_mix_column){name, is_known, of_a, of_b};
        ws_arena_free(&texts);
    }
    free(cells);
    return n;
}
