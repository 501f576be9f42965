/* Both sides before they are compared: which runs of A are set against which of B, whether both are the same
 * measurements, and settings that may stand in other shares on either side. */
#include "analyze/commands/compare_parts.h"

#include "analyze/ingest/run_columns.h"
#include "analyze/same_rows.h"
#include "core/arena.h"

#include <stdlib.h>
#include <string.h>

/* --- groups --- */

int ws_compare_keys(const void *a, const void *b)
{
    const ws_compare_key *x = a, *y = b;
    int order = strcmp(x->text, y->text);
    return order ? order : (x->place > y->place) - (x->place < y->place);
}

size_t ws_compare_find_key(const ws_compare_key *keys, size_t n, const char *text)
{
    size_t low = 0, high = n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (strcmp(keys[middle].text, text) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low < n && strcmp(keys[low].text, text) == 0 ? low : n;
}

static void sort_labels(ws_compare_side *s)
{
    free(s->by_label);
    s->by_label = ws_alloc((s->groups.n + 1) * sizeof *s->by_label);
    for (size_t i = 0; i < s->groups.n; i++)
        s->by_label[i] = (ws_compare_key){s->groups.items[i].label, i};
    qsort(s->by_label, s->groups.n, sizeof *s->by_label, ws_compare_keys);
}

const ws_row_group *ws_compare_group_of(const ws_compare_side *s, const char *label)
{
    size_t at = ws_compare_find_key(s->by_label, s->groups.n, label);
    return at < s->groups.n ? &s->groups.items[s->by_label[at].place] : NULL;
}

/* The texts of a column, sorted; in the arena. */
static ws_compare_key *sort_cells(ws_comparison *c, const ws_table *table, size_t column)
{
    size_t n = table->n_rows;
    ws_compare_key *keys = ws_arena_alloc(&c->cli->arena, (n + 1) * sizeof *keys);
    char buffer[WS_DOUBLE_TEXT];
    for (size_t i = 0; i < n; i++)
        keys[i] =
            (ws_compare_key){ws_arena_printf(&c->cli->arena, "%s", ws_table_cell_text(table, column, i, buffer)), i};
    qsort(keys, n, sizeof *keys, ws_compare_keys);
    return keys;
}

/* Has B a value that A has? What differs throughout, as the device, is what is compared. */
static bool meets(ws_comparison *c, size_t column_a, size_t column_b)
{
    size_t n_a = c->a.table.n_rows, n_b = c->b.table.n_rows;
    char buffer[WS_DOUBLE_TEXT];
    const ws_compare_key *of_a = sort_cells(c, &c->a.table, column_a);
    for (size_t j = 0; j < n_b; j++)
        if (ws_compare_find_key(of_a, n_a, ws_table_cell_text(&c->b.table, column_b, j, buffer)) < n_a)
            return true;
    return false;
}

enum { SETTINGS = 12 };

/* The settings that both sides have and that vary in one of them: equal runs in another mix are no change. Those that
 * have to agree most come first. */
static size_t shared_settings(ws_comparison *c, const char *shared[SETTINGS])
{
    static const char *const names[SETTINGS] = {"model",           "device",      "energy_scope", "gpus",
                                                "nodes",           "lbs",         "gbs",          "epochs",
                                                "dataset_samples", "power_cap_w", "clock_cap_hz", "series"};
    size_t n = 0;
    for (size_t i = 0; i < SETTINGS; i++) {
        size_t a, b;
        if (!ws_table_find(&c->a.table, names[i], &a) || !ws_table_find(&c->b.table, names[i], &b) ||
            strcmp(names[i], c->metric) == 0 ||
            (!ws_column_varies(&c->a.table, a) && !ws_column_varies(&c->b.table, b)) || !meets(c, a, b))
            continue;
        shared[n++] = names[i];
    }
    return n;
}

/* What A and B have throughout, and each another: it is compared as well, whatever is meant. */
static void note_other_sizes(ws_comparison *c)
{
    static const char *const names[] = {"model", "gpus", "nodes", "epochs", "dataset_samples"};
    char of_a[WS_DOUBLE_TEXT], of_b[WS_DOUBLE_TEXT];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t a, b;
        bool is_known = ws_table_find(&c->a.table, names[i], &a) && ws_table_find(&c->b.table, names[i], &b) &&
                        c->a.table.n_rows && c->b.table.n_rows && !ws_table_is_missing(&c->a.table, a, 0) &&
                        !ws_table_is_missing(&c->b.table, b, 0);
        if (is_known && strcmp(names[i], c->metric) != 0 && !meets(c, a, b))
            ws_notes_add(&c->out.notes, WS_FINDING_MIXED_SETTINGS, "", c->metric, 0,
                         "no run of B has a %s of A (%s, %s): what that changes is in the answer", names[i],
                         ws_table_cell_text(&c->a.table, a, 0, of_a), ws_table_cell_text(&c->b.table, b, 0, of_b));
    }
}

/* "model,gpus"; NULL for no names. */
static const char *list_of(ws_comparison *c, const char *const *names, size_t n)
{
    const char *list = NULL;
    for (size_t i = 0; i < n; i++)
        list = list ? ws_arena_printf(&c->cli->arena, "%s,%s", list, names[i]) : names[i];
    return list;
}

/* Groups that the other side lacks have nothing to be compared with. */
static void keep_shared(ws_comparison *c, ws_compare_side *s, const ws_compare_side *other)
{
    size_t kept = 0, left_out = 0;
    for (size_t i = 0; i < s->groups.n; i++) {
        if (ws_compare_group_of(other, s->groups.items[i].label)) {
            s->groups.items[kept++] = s->groups.items[i];
            continue;
        }
        left_out += s->groups.items[i].n;
        free(s->groups.items[i].rows);
    }
    s->groups.n = kept;
    ws_notes_add_many(&c->out.notes, left_out, WS_FINDING_NO_PARTNER, s->table.source, "", 0,
                      "runs whose settings the other side lacks are left out (--by names what is to agree)");
}

/* Groups of one column are named by their value alone, which a number is not enough for: "gpus=4". */
static void name_numbers(ws_comparison *c, ws_compare_side *s, const char *by)
{
    size_t column;
    if (!by || !ws_table_find(&s->table, by, &column) || s->table.columns[column].kind == WS_TEXT)
        return;
    for (size_t i = 0; i < s->groups.n; i++)
        s->groups.items[i].label = ws_arena_printf(&c->cli->arena, "%s=%s", by, s->groups.items[i].label);
}

/* How many groups of A are groups of B, too; SIZE_MAX where a column is missing. */
static size_t group_by(ws_comparison *c, const char *by)
{
    size_t meet = 0;
    ws_row_groups_free(&c->a.groups);
    ws_row_groups_free(&c->b.groups);
    if (!ws_data_group(c->cli, &c->a.table, by, &c->a.groups) || !ws_data_group(c->cli, &c->b.table, by, &c->b.groups))
        return SIZE_MAX;
    name_numbers(c, &c->a, by);
    name_numbers(c, &c->b, by);
    sort_labels(&c->a);
    sort_labels(&c->b);
    for (size_t i = 0; i < c->a.groups.n; i++)
        meet += ws_compare_group_of(&c->b, c->a.groups.items[i].label) != NULL;
    return meet;
}

/* By the settings that both sides share; where no mix of them is on both sides, without the last ones of them. */
static int group_by_settings(ws_comparison *c)
{
    const char *shared[SETTINGS];
    size_t n = shared_settings(c, shared), kept = n, meet;
    while ((meet = group_by(c, list_of(c, shared, kept))) == 0 && kept)
        kept--;
    if (meet == SIZE_MAX)
        return WS_EXIT_USAGE;
    if (kept < n)
        ws_notes_add(
            &c->out.notes, WS_FINDING_MIXED_SETTINGS, "", c->metric, 0,
            "no runs of both sides agree in %s: runs that agree in %s are compared (--by names what is to agree)",
            list_of(c, shared, n), kept ? list_of(c, shared, kept) : "none of these");
    c->by = list_of(c, shared, kept);
    if (!kept)
        return WS_EXIT_OK;
    keep_shared(c, &c->a, &c->b);
    sort_labels(&c->a);
    keep_shared(c, &c->b, &c->a);
    sort_labels(&c->b);
    return WS_EXIT_OK;
}

static bool varies_in_groups(const ws_compare_side *s, const char *name)
{
    size_t column;
    if (!ws_table_find(&s->table, name, &column))
        return false;
    for (size_t g = 0; g < s->groups.n; g++)
        for (size_t i = 1; i < s->groups.items[g].n; i++)
            if (!ws_same_cell(&s->table, column, s->groups.items[g].rows[0], s->groups.items[g].rows[i]))
                return true;
    return false;
}

/* What --by leaves out of the settings that it would have gone by itself: its spread hides a difference. */
static void note_mixed_groups(ws_comparison *c, const char *by)
{
    const char *shared[SETTINGS], *list = by, *names = NULL;
    size_t n = shared_settings(c, shared);
    for (size_t i = 0; i < n; i++) {
        if (strcmp(shared[i], "series") == 0 || !varies_in_groups(&c->a, shared[i]) ||
            !varies_in_groups(&c->b, shared[i]))
            continue;
        list = ws_arena_printf(&c->cli->arena, "%s,%s", list, shared[i]);
        names = names ? ws_arena_printf(&c->cli->arena, "%s, %s", names, shared[i]) : shared[i];
    }
    if (names)
        ws_notes_add(&c->out.notes, WS_FINDING_MIXED_SETTINGS, "", c->metric, 0,
                     "runs that are averaged differ in %s: --by %s compares like with like", names, list);
}

int ws_compare_group(ws_comparison *c)
{
    const char *by = c->by = ws_cli_value(c->cli, "by");
    if (by || c->pair) {
        if (group_by(c, by) == SIZE_MAX)
            return WS_EXIT_USAGE;
        if (by && !c->pair)
            note_mixed_groups(c, by);
        return WS_EXIT_OK;
    }
    note_other_sizes(c);
    return group_by_settings(c);
}

/* --- the same measurements ---
 *
 * Measurements do not repeat each other's digits: a table whose measured cells are those of another one, row for row in
 * some order, is a copy, the same file down a pipe, or a selection of the same campaign. */

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

/* --- settings in other shares --- */

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
