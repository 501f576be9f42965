#include "analyze/setting_columns.h"

#include "analyze/ingest/run_columns.h"
#include "analyze/same_rows.h"
#include "analyze/units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Repeats on a shared machine rarely take half as long again as each other; a number whose values are further apart
 * than that, without overlap, is what was set. */
static const double DECIDES = 1.5;

static const size_t *all_rows(const ws_table *runs, ws_arena *arena)
{
    size_t *rows = ws_arena_alloc(arena, (runs->n_rows + 1) * sizeof *rows);
    for (size_t row = 0; row < runs->n_rows; row++)
        rows[row] = row;
    return rows;
}

static size_t *numbers_by(const ws_table *runs, const size_t *columns, size_t n, ws_arena *arena)
{
    size_t *number = ws_arena_alloc(arena, (runs->n_rows + 1) * sizeof *number);
    ws_same_rows index;
    ws_same_rows_init(&index, runs, columns, n);
    for (size_t row = 0; row < runs->n_rows; row++)
        number[row] = n ? ws_same_rows_number(&index, row) : 0;
    ws_same_rows_free(&index);
    return number;
}

static bool nodes_follow(const ws_table *runs, size_t nodes, ws_arena *arena)
{
    static const size_t from[] = {WS_COL_DEVICE, WS_COL_GPUS};
    return !ws_units_differ(runs, all_rows(runs, arena), runs->n_rows, numbers_by(runs, from, 2, arena), nodes);
}

/* Known for one, or a text that may be one by its name and comes again. */
static bool is_setting_by_name(const ws_table *runs, size_t column, ws_arena *arena)
{
    const ws_column *c = &runs->columns[column];
    ws_run_column known;
    if (ws_run_column_find(c->name, &known))
        return ws_run_column_about(known)->role == WS_ROLE_SETTING && known != WS_COL_SERIES &&
               (known != WS_COL_NODES || !nodes_follow(runs, column, arena));
    return c->kind == WS_TEXT && ws_units_may_be_setting(runs, column);
}

/* How far a run came, whose time goes with it (MLPerf's last_epoch), is no setting. */
static bool names_outcome(const char *name)
{
    static const char *const words[] = {"last", "final", "best", "count", "steps", "readings", "_ms"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strstr(name, words[i]))
            return true;
    return false;
}

/* Do the values of a column keep a quantity apart by that factor in runs of one unit? `part`: the rows of a unit with
 * one value. */
static bool keeps_apart(const ws_table *runs, size_t quantity, const size_t *unit, const size_t *part, ws_arena *arena)
{
    size_t n = runs->n_rows;
    double *least = ws_arena_alloc(arena, 4 * (n + 1) * sizeof *least), *most = least + n + 1,
           *highest_least = most + n + 1, *lowest_most = highest_least + n + 1;
    for (size_t i = 0; i <= n; i++) {
        least[i] = lowest_most[i] = INFINITY;
        most[i] = highest_least[i] = 0;
    }
    for (size_t row = 0; row < n; row++) {
        double value = ws_table_number(runs, quantity, row);
        if (value > 0 && isfinite(value)) {
            least[part[row]] = fmin(least[part[row]], value);
            most[part[row]] = fmax(most[part[row]], value);
        }
    }
    for (size_t row = 0; row < n; row++) {
        if (!(most[part[row]] > 0))
            continue;
        highest_least[unit[row]] = fmax(highest_least[unit[row]], least[part[row]]);
        lowest_most[unit[row]] = fmin(lowest_most[unit[row]], most[part[row]]);
    }
    for (size_t i = 0; i < n; i++)
        if (highest_least[i] > DECIDES * lowest_most[i])
            return true;
    return false;
}

static bool decides(const ws_table *runs, const ws_setting_columns *settings, size_t column, ws_arena *arena)
{
    static const size_t quantities[] = {WS_COL_WALL, WS_COL_EPOCH_S, WS_COL_ENERGY};
    size_t *columns = ws_arena_alloc(arena, (settings->n + 1) * sizeof *columns);
    memcpy(columns, settings->columns, settings->n * sizeof *columns);
    columns[settings->n] = column;
    const size_t *unit = numbers_by(runs, columns, settings->n, arena),
                 *part = numbers_by(runs, columns, settings->n + 1, arena);
    for (size_t i = 0; i < sizeof quantities / sizeof *quantities; i++)
        if (keeps_apart(runs, quantities[i], unit, part, arena))
            return true;
    return false;
}

ws_setting_columns ws_setting_columns_of(const ws_table *runs, ws_arena *arena)
{
    ws_setting_columns by_name = {ws_arena_alloc(arena, (runs->n_columns + 1) * sizeof(size_t)), 0}, all = by_name;
    all.columns = ws_arena_alloc(arena, (runs->n_columns + 1) * sizeof(size_t));
    for (size_t c = 0; c < runs->n_columns; c++)
        if (is_setting_by_name(runs, c, arena))
            by_name.columns[by_name.n++] = c;
    for (size_t c = 0, i = 0; c < runs->n_columns; c++) {
        ws_run_column known;
        bool is_named = i < by_name.n && by_name.columns[i] == c;
        i += is_named;
        if (is_named || (runs->columns[c].kind != WS_TEXT && !names_outcome(runs->columns[c].name) &&
                         !ws_run_column_find(runs->columns[c].name, &known) && ws_units_may_be_setting(runs, c) &&
                         decides(runs, &by_name, c, arena)))
            all.columns[all.n++] = c;
    }
    return all;
}

/* Epochs and samples that are others in nearly every run, by less than that factor, are how far each came until it was
 * good enough (MLPerf). */
static bool is_how_far(const ws_table *runs, size_t column, const size_t *rows, size_t n)
{
    size_t firsts = 0;
    double least = INFINITY, most = 0;
    if (column != WS_COL_EPOCHS && column != WS_COL_DATASET_SAMPLES)
        return false;
    for (size_t i = 0; i < n; i++) {
        size_t k = 0;
        while (k < i && !ws_same_cell(runs, column, rows[k], rows[i]))
            k++;
        firsts += k == i;
        least = fmin(least, ws_table_number(runs, column, rows[i]));
        most = fmax(most, ws_table_number(runs, column, rows[i]));
    }
    return firsts * 2 > n && most < DECIDES * least;
}

ws_setting_columns ws_settings_that_differ(const ws_table *runs, const ws_setting_columns *settings, const size_t *rows,
                                           size_t n, const size_t *unit, bool by_epoch, ws_arena *arena)
{
    ws_setting_columns differ = {ws_arena_alloc(arena, (settings->n + 1) * sizeof(size_t)), 0};
    for (size_t i = 0; i < settings->n; i++) {
        size_t c = settings->columns[i];
        if (!(by_epoch && strcmp(runs->columns[c].name, "epochs") == 0) && ws_units_differ(runs, rows, n, unit, c) &&
            !is_how_far(runs, c, rows, n))
            differ.columns[differ.n++] = c;
    }
    return differ;
}

const char *ws_setting_names(const ws_table *runs, const ws_setting_columns *settings, ws_arena *arena)
{
    const char *names = "";
    for (size_t i = 0; i < settings->n; i++)
        names = ws_arena_printf(arena, "%s%s%s", names, *names ? ", " : "", runs->columns[settings->columns[i]].name);
    return names;
}
