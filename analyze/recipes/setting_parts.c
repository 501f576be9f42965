/* Levels of Frey's studies whose runs differ in more than model, cap and clock: frey_studies.h. */
#include "analyze/recipes/frey_studies.h"

#include "analyze/ingest/run_columns.h"
#include "analyze/recipes/series_looks.h"
#include "analyze/same_rows.h"

#include <stdlib.h>
#include <string.h>

/* Lines that differ without colour: figures draw no more. */
enum { MOST_PARTS = 48 };

typedef struct splitter {
    const ws_table *runs;
    const ws_setting_columns *settings;
    bool by_epoch;
    ws_setting_part *parts;
    size_t n;
    ws_arena *arena;
} splitter;

/* Rows on as many GPUs are a unit: batch sizes may grow with the GPUs. */
static ws_setting_columns unlike(const splitter *s, const ws_row_list *rows)
{
    size_t *unit = ws_arena_alloc(s->arena, (rows->n + 1) * sizeof *unit), gpus = WS_COL_GPUS;
    ws_same_rows index;
    ws_same_rows_init(&index, s->runs, &gpus, 1);
    for (size_t i = 0; i < rows->n; i++)
        unit[i] = ws_same_rows_number(&index, rows->rows[i]);
    ws_same_rows_free(&index);
    return ws_settings_that_differ(s->runs, s->settings, rows->rows, rows->n, unit, s->by_epoch, s->arena);
}

/* The rows by the values of a column, in the order of their first ones. Returns how many lists. */
static size_t by_value(const splitter *s, const ws_row_list *rows, size_t column, ws_row_list **lists)
{
    size_t *number = ws_arena_alloc(s->arena, (rows->n + 1) * sizeof *number), n = 0;
    ws_same_rows index;
    ws_same_rows_init(&index, s->runs, &column, 1);
    for (size_t i = 0; i < rows->n; i++) {
        number[i] = ws_same_rows_number(&index, rows->rows[i]);
        n = number[i] + 1 > n ? number[i] + 1 : n;
    }
    ws_same_rows_free(&index);
    *lists = ws_arena_alloc(s->arena, (n + 1) * sizeof **lists);
    for (size_t k = 0; k < n; k++)
        (*lists)[k] = (ws_row_list){ws_arena_alloc(s->arena, (rows->n + 1) * sizeof(size_t)), 0, rows->n};
    for (size_t i = 0; i < rows->n; i++) {
        ws_row_list *list = &(*lists)[number[i]];
        list->rows[list->n++] = rows->rows[i];
    }
    return n;
}

/* "LBS 64", "adam", "learning rate 0.1". */
static const char *value_name(const splitter *s, size_t column, size_t row)
{
    char buffer[WS_DOUBLE_TEXT];
    const ws_column *c = &s->runs->columns[column];
    const char *text = ws_table_cell_text(s->runs, column, row, buffer);
    if (ws_table_is_missing(s->runs, column, row))
        return ws_arena_printf(s->arena, "no %s", c->name);
    if (c->kind == WS_TEXT || ws_look_of_value(s->runs->looks, c->name, text))
        return ws_series_spelled(s->runs->looks, s->arena, c->name, text);
    const char *name = column == WS_COL_LBS ? "LBS" : column == WS_COL_GBS ? "GBS" : c->name;
    return ws_arena_printf(s->arena, "%s %s", name, text);
}

static void add_part(splitter *s, const char *name, const ws_row_list *rows)
{
    s->parts[s->n++] = (ws_setting_part){name, *rows};
}

/* By the differing setting of the fewest values, and so on: a global batch size that follows from the local one and the
 * GPUs has more. */
static void split_by_values(splitter *s, const ws_row_list *rows, const char *name)
{
    ws_setting_columns differ = unlike(s, rows);
    size_t fewest = 0;
    ws_row_list *best = NULL, *lists;
    size_t column = 0;
    for (size_t i = 0; i < differ.n; i++) {
        size_t n = by_value(s, rows, differ.columns[i], &lists);
        if (best && n >= fewest)
            continue;
        fewest = n;
        best = lists;
        column = differ.columns[i];
    }
    if (!best) {
        add_part(s, name, rows);
        return;
    }
    for (size_t k = 0; k < fewest; k++) {
        const char *value = value_name(s, column, best[k].rows[0]);
        split_by_values(s, &best[k], name ? ws_arena_printf(s->arena, "%s, %s", name, value) : value);
    }
}

size_t ws_setting_parts(const ws_table *runs, const ws_setting_columns *settings, const ws_row_list *rows,
                        bool by_series, bool by_epoch, ws_setting_part **parts, ws_arena *arena)
{
    splitter s = {.runs = runs,
                  .settings = settings,
                  .by_epoch = by_epoch,
                  .parts = ws_arena_alloc(arena, (rows->n + 1) * sizeof *s.parts),
                  .arena = arena};
    ws_row_list *series;
    *parts = s.parts;
    if (!by_series || !unlike(&s, rows).n) {
        split_by_values(&s, rows, NULL);
        return s.n;
    }
    size_t n = by_value(&s, rows, WS_COL_SERIES, &series);
    for (size_t i = 0; i < n; i++) {
        const char *name = runs->columns[WS_COL_SERIES].text[series[i].rows[0]];
        split_by_values(&s, &series[i], name && n > 1 ? ws_series_spelled(runs->looks, arena, "series", name) : NULL);
    }
    return s.n;
}

ws_status ws_levels_split(const ws_table *runs, const char *recipe, ws_levels *levels, ws_arena *arena, ws_error *error)
{
    ws_setting_columns settings = ws_setting_columns_of(runs, arena);
    size_t room = 1;
    for (size_t l = 0; l < levels->n; l++)
        room += levels->items[l].rows.n;
    ws_levels split = {ws_arena_alloc(arena, room * sizeof *split.items), 0};
    for (size_t l = 0; l < levels->n; l++) {
        const ws_levels one = {&levels->items[l], 1};
        ws_setting_part *parts;
        size_t n =
            ws_setting_parts(runs, &settings, &one.items->rows, true, ws_levels_have_epochs(runs, &one), &parts, arena);
        if (n > MOST_PARTS) {
            splitter s = {.runs = runs, .settings = &settings, .arena = arena};
            ws_setting_columns differ = unlike(&s, &one.items->rows);
            return ws_fail_recipe(error, runs->source, recipe, ": ",
                                  "runs of %s on as many GPUs differ in %s (--only keeps those that agree)",
                                  one.items->model, ws_setting_names(runs, &differ, arena));
        }
        for (size_t i = 0; i < n; i++) {
            ws_level *level = &split.items[split.n++];
            *level = *one.items;
            level->part = parts[i].name;
            level->rows = parts[i].rows;
        }
    }
    *levels = split;
    return WS_OK;
}

const char *ws_level_name(ws_arena *arena, const ws_level *level)
{
    return level->part ? ws_arena_printf(arena, "%s, %s", level->model, level->part) : level->model;
}
