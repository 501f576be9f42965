/* qsort_r */
#define _GNU_SOURCE
#include "analyze/recipes/figure_series.h"
#include "analyze/scaling/scaling.h"

#include "analyze/same_rows.h"
#include "core/text.h"
#include "report/figure/figure_style.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_KEYS = 16 };

/* Columns of the configurations that tell series apart. */
typedef struct series_keys {
    size_t columns[MAX_KEYS], n;
} series_keys;

/* As ws_scale tells them. */
static bool is_size(const ws_table *scale, const char *name)
{
    size_t samples;
    if (strcmp(name, "factor") == 0)
        return ws_table_find(scale, "dataset_samples", &samples) && ws_table_has_values(scale, samples);
    static const char *const sizes[] = {"gpus", "nodes", "lbs", "gbs", "dataset_samples", "epochs"};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (strcmp(name, sizes[i]) == 0)
            return true;
    return false;
}

/* What ws_scale grouped by stands before n_runs and is no detail. */
static void find_keys(const ws_table *scale, series_keys *keys)
{
    for (size_t i = 0, n_keys = ws_scale_keys(scale); i < n_keys; i++)
        if (!scale->columns[i].detail && !is_size(scale, scale->columns[i].name) && keys->n < MAX_KEYS)
            keys->columns[keys->n++] = i;
}

static bool cells_agree(const ws_table *a, size_t column_a, size_t row_a, const ws_table *b, size_t column_b,
                        size_t row_b)
{
    char text_a[WS_DOUBLE_TEXT], text_b[WS_DOUBLE_TEXT];
    return strcmp(ws_table_cell_text(a, column_a, row_a, text_a), ws_table_cell_text(b, column_b, row_b, text_b)) == 0;
}

static bool is_in_series(const ws_table *scale, const series_keys *keys, size_t configuration, const ws_table *table,
                         size_t row)
{
    for (size_t k = 0; k < keys->n; k++) {
        size_t column;
        if (!ws_table_find(table, scale->columns[keys->columns[k]].name, &column) ||
            !cells_agree(scale, keys->columns[k], configuration, table, column, row))
            return false;
    }
    return true;
}

/* Two of them at one value of the axis. */
static bool has_repeated_places(const ws_table *scale, const series_keys *keys, const char *against)
{
    size_t column;
    if (!ws_table_find(scale, against, &column))
        return false;
    for (size_t a = 0; a < scale->n_rows; a++)
        for (size_t b = 0; b < a; b++)
            if (is_in_series(scale, keys, a, scale, b) && cells_agree(scale, column, a, scale, column, b))
                return true;
    return false;
}

static void add_batch_sizes(const ws_table *scale, series_keys *keys, const char *against)
{
    static const char *const names[] = {"lbs", "gbs"};
    size_t column;
    for (size_t i = 0; i < 2 && has_repeated_places(scale, keys, against); i++)
        if (ws_table_find(scale, names[i], &column) && !scale->columns[column].detail && keys->n < MAX_KEYS)
            keys->columns[keys->n++] = column;
}

static void figure_series_add_row(ws_row_list *list, size_t row)
{
    list->rows = ws_grow(list->rows, &list->capacity, list->n + 1, sizeof *list->rows);
    list->rows[list->n++] = row;
}

/* What paths count without saying what: "6" of "bert_06". It says nothing beside names that tell all apart. */
static bool is_bare_number(const char *column)
{
    return strcmp(column, "number") == 0 || strcmp(column, "number2") == 0;
}

/* Its settings; a name that somebody gave it stands alone, unless another series has that name, too (is_whole). */
static const char *label_of(ws_series_list *list, const series_keys *keys, size_t row, bool is_whole)
{
    const char *label = "";
    char buffer[WS_DOUBLE_TEXT];
    for (size_t k = 0; k < keys->n; k++) {
        size_t column = keys->columns[k];
        const char *name = list->scale->columns[column].name,
                   *cell = ws_table_cell_text(list->scale, column, row, buffer);
        if (!*cell || !ws_column_varies(list->scale, column) || (!is_whole && is_bare_number(name)))
            continue;
        const ws_look *look = ws_look_of_value(list->scale->looks, name, cell);
        const char *text = ws_series_spelled(list->scale->looks, &list->arena, name, cell);
        if (!is_whole && strcmp(name, "series") == 0 && look && look->name)
            return text;
        if (ws_label_has_part(label, text)) /* the name of the series says it */
            continue;
        label = ws_arena_printf(&list->arena, "%s%s%s", label, *label ? ", " : "", text);
    }
    return label;
}

static void tell_apart(ws_series_list *list, const series_keys *keys)
{
    bool *again = ws_arena_alloc(&list->arena, (list->n + 1) * sizeof *again);
    for (size_t a = 0; a < list->n; a++)
        for (size_t b = 0; b < list->n && !again[a]; b++)
            again[a] = a != b && strcmp(list->items[a].label, list->items[b].label) == 0;
    for (size_t i = 0; i < list->n; i++)
        if (again[i])
            list->items[i].label = label_of(list, keys, list->items[i].configurations.rows[0], true);
}

static int compare_series(const void *a, const void *b, void *looks)
{
    const ws_series *x = a, *y = b;
    int order = ws_looks_order(looks, x->label, y->label);
    order = order ? order : ws_series_order(x->label, y->label);
    return order ? order
                 : (x->configurations.rows[0] > y->configurations.rows[0]) -
                       (x->configurations.rows[0] < y->configurations.rows[0]);
}

static ws_series *series_of(ws_series_list *list, const series_keys *keys, const ws_table *table, size_t row)
{
    for (size_t i = 0; i < list->n; i++)
        if (is_in_series(list->scale, keys, list->items[i].configurations.rows[0], table, row))
            return &list->items[i];
    return NULL;
}

/* 0 where one row has no number. */
static size_t count_numbers(const ws_table *scale, size_t column)
{
    size_t n = 0;
    for (size_t row = 0; row < scale->n_rows; row++) {
        bool is_new = true;
        if (scale->columns[column].kind == WS_TEXT || isnan(ws_table_number(scale, column, row)))
            return 0;
        for (size_t before = 0; before < row && is_new; before++)
            is_new = ws_table_number(scale, column, before) != ws_table_number(scale, column, row);
        n += is_new;
    }
    return n;
}

static const char *find_against(const ws_table *scale)
{
    const char *against = "gpus";
    size_t column, most = 1;
    if (!ws_table_find(scale, "gpus", &column) || count_numbers(scale, column) != 1)
        return against;
    for (size_t i = 0, n_keys = ws_scale_keys(scale); i < n_keys; i++) {
        size_t n = scale->columns[i].detail ? 0 : count_numbers(scale, i);
        if (n > most) {
            most = n;
            against = scale->columns[i].name;
        }
    }
    return against;
}

/* Where each value of the setting has a series of its own, their names say no more than the values. */
static bool names_one_row_each(const ws_table *scale, size_t column)
{
    for (size_t a = 0; a < scale->n_rows; a++)
        for (size_t b = 0; b < a; b++)
            if (cells_agree(scale, column, a, scale, column, b))
                return false;
    return strcmp(scale->columns[column].name, "series") == 0;
}

static void leave_out_of_keys(const ws_table *scale, series_keys *keys, const char *against)
{
    size_t n = 0;
    for (size_t k = 0; k < keys->n; k++)
        if (strcmp(scale->columns[keys->columns[k]].name, against) != 0 && !names_one_row_each(scale, keys->columns[k]))
            keys->columns[n++] = keys->columns[k];
    keys->n = n;
}

static void init_against(ws_series_list *list, const ws_table *runs, const ws_table *scale, const char *against)
{
    series_keys keys = {{0}, 0};
    *list = (ws_series_list){.runs = runs, .scale = scale, .against = against};
    find_keys(scale, &keys);
    if (strcmp(against, "gpus") != 0)
        leave_out_of_keys(scale, &keys, against);
    add_batch_sizes(scale, &keys, against);
    for (size_t row = 0; row < scale->n_rows; row++) {
        ws_series *s = series_of(list, &keys, scale, row);
        if (!s) {
            list->items = ws_grow(list->items, &list->capacity, list->n + 1, sizeof *list->items);
            s = &list->items[list->n++];
            *s = (ws_series){.label = label_of(list, &keys, row, false)};
        }
        figure_series_add_row(&s->configurations, row);
    }
    tell_apart(list, &keys);
    for (size_t row = 0; row < runs->n_rows; row++) {
        ws_series *s = series_of(list, &keys, runs, row);
        if (s)
            figure_series_add_row(&s->runs, row);
    }
    if (list->n)
        qsort_r(list->items, list->n, sizeof *list->items, compare_series, (void *)(uintptr_t)scale->looks);
}

void ws_series_init(ws_series_list *list, const ws_table *runs, const ws_table *scale)
{
    init_against(list, runs, scale, "gpus");
}

static int compare_first_rows(const void *a, const void *b, void *looks)
{
    const ws_series *x = a, *y = b;
    int order = ws_looks_order(looks, x->label, y->label);
    return order ? order
                 : (x->configurations.rows[0] > y->configurations.rows[0]) -
                       (x->configurations.rows[0] < y->configurations.rows[0]);
}

void ws_series_by_rows(ws_series_list *list)
{
    if (list->n)
        qsort_r(list->items, list->n, sizeof *list->items, compare_first_rows, (void *)(uintptr_t)list->scale->looks);
}

static void free_rows(ws_series *s)
{
    free(s->configurations.rows);
    free(s->runs.rows);
}

void ws_series_free(ws_series_list *list)
{
    for (size_t i = 0; i < list->n; i++)
        free_rows(&list->items[i]);
    free(list->items);
    ws_arena_free(&list->arena);
    *list = (ws_series_list){0};
}

static void cut_to_styles(ws_series_list *list)
{
    for (; list->n > WS_STYLES; list->n_not_drawn++)
        free_rows(&list->items[--list->n]);
}

void ws_series_to_draw(ws_series_list *list, const ws_table *runs, const ws_table *scale)
{
    ws_series_init(list, runs, scale);
    cut_to_styles(list);
}

void ws_series_to_draw_against(ws_series_list *list, const ws_table *runs, const ws_table *scale)
{
    init_against(list, runs, scale, find_against(scale));
    cut_to_styles(list);
}

/* How many different cells the first configurations of the series have in these columns, and how many series the
 * commonest one has; 0 where one of them says nothing. */
static size_t count_groups(const ws_series_list *list, const size_t *columns, size_t n_columns, size_t *most)
{
    size_t n = 0;
    *most = 0;
    for (size_t a = 0; a < list->n; a++) {
        size_t row = list->items[a].configurations.rows[0], n_alike = 0, n_before = 0;
        if (ws_table_is_missing(list->scale, columns[0], row))
            return 0;
        for (size_t b = 0; b < list->n; b++) {
            bool alike = true;
            for (size_t c = 0; c < n_columns && alike; c++)
                alike = cells_agree(list->scale, columns[c], row, list->scale, columns[c],
                                    list->items[b].configurations.rows[0]);
            n_alike += alike;
            n_before += alike && b < a;
        }
        n += n_before == 0;
        *most = n_alike > *most ? n_alike : *most;
    }
    return n;
}

const char *ws_series_facets_by_model(const ws_series_list *list)
{
    enum { FEW = 6, MOST_FACETS = 12 };
    size_t columns[2], most;
    if (list->n <= FEW || !ws_table_find(list->scale, "model", &columns[0]))
        return NULL;
    size_t n = count_groups(list, columns, 1, &most);
    if (n < 2 || n > MOST_FACETS || list->n < 2 * n)
        return NULL;
    if (most > WS_HUES && ws_table_find(list->scale, "dataset", &columns[1])) {
        size_t n_both = count_groups(list, columns, 2, &most);
        if (n_both > n && n_both <= MOST_FACETS && list->n >= 2 * n_both)
            return "model,dataset";
    }
    return most <= WS_MARKER_STYLES ? "model" : NULL;
}

ws_axis_scale ws_series_gpu_scale(const ws_series_list *list)
{
    enum { WIDE = 10 };
    const ws_table *scale = list->scale;
    size_t column, n_powers = 0, n_others = 0;
    bool is_of_nodes = strcmp(list->against, "gpus") == 0; /* of four GPUs or more: 8, 64, 72, 768, 3472 */
    double lo = INFINITY, hi = -INFINITY;
    bool found = ws_table_find(scale, list->against, &column);
    for (size_t row = 0; found && row < scale->n_rows; row++) {
        double n = ws_table_number(scale, column, row);
        bool is_counted = !(n > 0);
        lo = fmin(lo, n);
        hi = fmax(hi, n);
        for (size_t before = 0; before < row && !is_counted; before++)
            is_counted = ws_table_number(scale, column, before) == n;
        if (is_counted)
            continue;
        *(log2(n) == floor(log2(n)) ? &n_powers : &n_others) += 1;
        is_of_nodes &= fmod(n, 4) == 0;
    }
    if (strcmp(list->against, "gpus") != 0 && !(lo > 0 && (n_others == 0 || hi > WIDE * lo)))
        return WS_AXIS_LINEAR;
    if (is_of_nodes && n_powers > 1)
        return WS_AXIS_LOG2;
    return n_others && n_others >= n_powers ? WS_AXIS_LOG10 : WS_AXIS_LOG2;
}

ws_status ws_series_need_gpu_counts(const ws_table *table, ws_error *error)
{
    size_t column;
    double first = NAN;
    if (!ws_table_find(table, "gpus", &column))
        return WS_OK;
    for (size_t row = 0; row < table->n_rows; row++) {
        double gpus = ws_table_number(table, column, row);
        if (!isnan(gpus) && !isnan(first) && gpus != first)
            return WS_OK;
        first = isnan(first) ? gpus : first;
    }
    return isnan(first)
               ? WS_OK
               : ws_fail_at(error, WS_DATA, table->source, 0, "all runs have %.6g GPU%s: there is no scaling to draw",
                            first, first == 1 ? "" : "s");
}
