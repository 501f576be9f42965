/* A run counts once, and repeats of a configuration are one observation of a law (docs/methods.md, section 5). */
#include "analyze/units.h"

#include "analyze/chance_repeats.h"
#include "analyze/ingest/name_words.h"
#include "analyze/ingest/run_columns.h"
#include "analyze/same_rows.h"
#include "core/arena.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Is it a measured column of the table of runs? Unknown names are settings. */
static bool is_measured(const ws_table *table, size_t column)
{
    ws_run_column known;
    return table->columns[column].kind != WS_TEXT && ws_run_column_find(table->columns[column].name, &known) &&
           ws_run_column_about(known)->role == WS_ROLE_QUANTITY;
}

/* Rows without a measured number agree by chance: jobs of an array whose energies were not recorded. */
static bool has_measurement(const ws_table *table, const size_t *measured, size_t n, size_t row)
{
    bool has = !n;
    for (size_t i = 0; i < n && !has; i++)
        has = !isnan(ws_table_number(table, measured[i], row));
    return has;
}

/* Rows without a name that repeat one of their own series: runs that agree by rounding are runs of their own. */
static void keep_chance_repeats(const ws_table *table, const ws_column *run, size_t *same, bool *alike)
{
    size_t series, again = 0;
    bool has_series = ws_table_find(table, "series", &series);
    bool *decided = ws_alloc(table->n_rows + 1);
    for (size_t row = 0; row < table->n_rows; row++) {
        bool has_name = run && run->text[row] && *run->text[row];
        decided[row] = has_name || (has_series && !ws_same_cell(table, series, same[row], row));
        again += same[row] != row && !decided[row];
        alike[row] = false;
    }
    if (again)
        ws_chance_repeats(table, same, decided, alike);
    for (size_t row = 0; again && row < table->n_rows; row++)
        same[row] = alike[row] ? row : same[row];
    free(decided);
}

void ws_units_same_runs(const ws_table *table, size_t *same, bool *alike)
{
    const ws_column *run = ws_table_column(table, "run");
    size_t n = 0, *columns = ws_alloc((table->n_columns + 1) * sizeof *columns);
    size_t n_measured = 0, *measured = ws_alloc((table->n_columns + 1) * sizeof *measured);
    ws_same_rows index;
    if (run && run->kind != WS_TEXT)
        run = NULL;
    for (size_t c = 0; c < table->n_columns; c++)
        if (&table->columns[c] != run && strcmp(table->columns[c].name, "series") != 0)
            columns[n++] = c;
    for (size_t c = 0; c < table->n_columns; c++)
        if (is_measured(table, c))
            measured[n_measured++] = c;
    ws_same_rows_init_named(&index, table, columns, n, run);
    for (size_t row = 0; row < table->n_rows; row++)
        same[row] = has_measurement(table, measured, n_measured, row) ? ws_same_rows_first(&index, row) : row;
    ws_same_rows_free(&index);
    free(measured);
    free(columns);
    bool *kept = alike ? alike : ws_alloc(table->n_rows + 1);
    keep_chance_repeats(table, run, same, kept);
    if (!alike)
        free(kept);
}

/* A text that is no setting, as the name of a run or of a file, or the number of a job. */
static bool tells_runs_apart(const ws_table *table, size_t column)
{
    ws_run_column known;
    const ws_column *c = &table->columns[column];
    bool is_setting = ws_run_column_find(c->name, &known) && ws_run_column_about(known)->role == WS_ROLE_SETTING;
    return strcmp(c->name, "job") == 0 || (c->kind == WS_TEXT && !is_setting && strcmp(c->name, "series") != 0);
}

size_t ws_units_twins(const ws_table *table, const size_t *same, bool *twin)
{
    size_t n = 0, count = 0, again = 0, *columns = ws_alloc((table->n_columns + 1) * sizeof *columns);
    size_t n_measured = 0, *measured = ws_alloc((table->n_columns + 1) * sizeof *measured);
    size_t *kind = ws_alloc((table->n_rows + 1) * sizeof *kind);
    bool *named = ws_alloc(table->n_rows + 1), *by_chance = ws_alloc(table->n_rows + 1);
    ws_same_rows index;
    for (size_t c = 0; c < table->n_columns; c++) {
        if (!tells_runs_apart(table, c))
            columns[n++] = c;
        if (is_measured(table, c))
            measured[n_measured++] = c;
    }
    ws_same_rows_init(&index, table, columns, n);
    for (size_t row = 0; row < table->n_rows; row++) {
        bool counts = same[row] == row && n_measured && has_measurement(table, measured, n_measured, row);
        kind[row] = counts ? ws_same_rows_first(&index, row) : row;
        named[row] = !counts;
        again += kind[row] != row;
    }
    ws_same_rows_free(&index);
    if (again)
        ws_chance_repeats(table, kind, named, by_chance);
    for (size_t row = 0; row < table->n_rows; row++) {
        twin[row] = kind[row] != row && !by_chance[row];
        count += twin[row];
    }
    free(by_chance);
    free(named);
    free(kind);
    free(measured);
    free(columns);
    return count;
}

size_t ws_units_alike(const bool *alike, const size_t *rows, size_t n)
{
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        count += alike[rows[i]];
    return count;
}

size_t ws_units_once(const size_t *same, size_t *rows, size_t n)
{
    size_t kept = 0, n_slots = 16;
    while (n_slots < 2 * n)
        n_slots *= 2;
    size_t *seen = ws_alloc(n_slots * sizeof *seen); /* run + 1, where the product of its number points; 0: free */
    for (size_t i = 0; i < n; i++) {
        size_t run = same[rows[i]], at = run * 0x9e3779b97f4a7c15U % n_slots;
        while (seen[at] && seen[at] != run + 1)
            at = (at + 1) % n_slots;
        if (!seen[at])
            rows[kept++] = rows[i];
        seen[at] = run + 1;
    }
    free(seen);
    return kept;
}

static bool units_varies(const ws_table *table, const size_t *rows, size_t n, size_t column)
{
    for (size_t r = 1; r < n; r++)
        if (!ws_same_cell(table, column, rows[0], rows[r]))
            return true;
    return false;
}

/* Sizes of machines: the first that varies, which is the GPUs unless they do not. */
static bool find_size(const ws_table *table, const size_t *rows, size_t n, size_t *column)
{
    static const char *const sizes[] = {"gpus", "nodes", "chips", "ranks", "tasks", "cores", "threads"};
    static const char *const before[] = {"", "n_", "num_"};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        for (size_t b = 0; b < sizeof before / sizeof *before; b++) {
            char name[32];
            snprintf(name, sizeof name, "%s%s", before[b], sizes[i]);
            if (!ws_table_find(table, name, column))
                continue;
            if (units_varies(table, rows, n, *column))
                return true;
        }
    }
    return false;
}

/* The sum of squares of a column about the means of the units, as a share of that about the mean of all rows, and in
 * `farthest` how far a row is off the mean of its unit, as a share of that; rows without a number count in neither. */
static double share_within(const ws_table *table, const size_t *rows, size_t n, const size_t *unit, size_t column,
                           double *farthest)
{
    struct {
        double n, mean;
    } *units = ws_alloc((n + 1) * sizeof *units), all = {0, 0};
    double within = 0, whole = 0;
    *farthest = 0;
    for (size_t i = 0; i < n; i++) {
        double x = ws_table_number(table, column, rows[i]);
        if (!isfinite(x))
            continue;
        double off = x - units[unit[i]].mean, off_all = x - all.mean;
        units[unit[i]].mean += off / ++units[unit[i]].n;
        within += off * (x - units[unit[i]].mean);
        all.mean += off_all / ++all.n;
        whole += off_all * (x - all.mean);
    }
    for (size_t i = 0; i < n; i++) {
        double mean = units[unit[i]].mean, x = ws_table_number(table, column, rows[i]);
        if (isfinite(x))
            *farthest = fmax(*farthest, mean != 0 ? fabs(x / mean - 1) : INFINITY);
    }
    free(units);
    return whole > 0 ? within / whole : 1;
}

/* Is a number of a name that says nothing a result of each run, as a rate is, and no setting? No two rows of a
 * configuration share a value, most rows have repeats, and those are far nearer to each other than configurations are:
 * ours, as runs that are repeated differ by a few per cent and a study's configurations by a factor. */
static bool looks_measured(const ws_table *table, const size_t *rows, size_t n, const size_t *key, size_t n_key,
                           size_t column)
{
    static const double WITHIN = 0.1, OFF = 0.2; /* of the sum of squares; of the mean of a configuration */
    ws_run_column known;
    const ws_column *c = &table->columns[column];
    if (c->kind != WS_NUMBER || ws_run_column_find(c->name, &known) || !n)
        return false;
    size_t *unit = ws_alloc((n + 1) * sizeof *unit), *columns = ws_alloc((n_key + 1) * sizeof *columns), n_units = 0;
    bool all_differ = true;
    double within = 1, farthest = INFINITY;
    ws_same_rows units, values;
    memcpy(columns, key, n_key * sizeof *key);
    columns[n_key] = column;
    ws_same_rows_init(&units, table, columns, n_key);
    ws_same_rows_init(&values, table, columns, n_key + 1);
    for (size_t i = 0; i < n && all_differ; i++) {
        unit[i] = ws_same_rows_number(&units, rows[i]);
        n_units = unit[i] + 1 > n_units ? unit[i] + 1 : n_units;
        all_differ = ws_same_rows_number(&values, rows[i]) == i;
    }
    ws_same_rows_free(&units);
    ws_same_rows_free(&values);
    bool repeats = all_differ && 2 * n_units <= n;
    if (repeats)
        within = share_within(table, rows, n, unit, column, &farthest);
    free(unit);
    free(columns);
    return repeats && within <= WITHIN && farthest <= OFF;
}

/* A measured x joins the key, too, if no batch size, cap or number of GPUs tells configurations apart. */
static size_t key_columns(const ws_table *table, const size_t *rows, size_t n, const size_t *x, size_t n_x,
                          size_t *columns)
{
    static const struct {
        const char *name;
        bool tells; /* by itself one configuration from another of the same study */
    } settings[] = {{"series", false}, {"model", false},        {"model_class", false},
                    {"device", false}, {"energy_scope", false}, {"lbs", true},
                    {"gbs", true},     {"power_cap_w", true},   {"clock_cap_hz", true}};
    size_t count = 0;
    bool told = find_size(table, rows, n, &columns[0]);
    count += told;
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        if (!ws_table_find(table, settings[i].name, &columns[count]))
            continue;
        told = told || (settings[i].tells && units_varies(table, rows, n, columns[count]));
        count++;
    }
    size_t n_settings = count;
    for (size_t i = 0; i < n_x; i++)
        if (!told || (!is_measured(table, x[i]) && !looks_measured(table, rows, n, columns, n_settings, x[i])))
            columns[count++] = x[i];
    return count;
}

size_t ws_units_configurations(const ws_table *table, const size_t *rows, size_t n, const size_t *x, size_t n_x,
                               size_t *number)
{
    size_t *columns = ws_alloc((16 + n_x) * sizeof *columns), count = 0;
    ws_same_rows index;
    size_t n_columns = key_columns(table, rows, n, x, n_x, columns);
    ws_same_rows_init(&index, table, columns, n_columns);
    for (size_t i = 0; i < n; i++) {
        number[i] = n_columns ? ws_same_rows_number(&index, rows[i]) : i;
        count = number[i] + 1 > count ? number[i] + 1 : count;
    }
    ws_same_rows_free(&index);
    free(columns);
    return count;
}

bool ws_units_averages(const ws_table *table, const size_t *rows, size_t n, const size_t *unit, size_t x)
{
    return !is_measured(table, x) && ws_units_differ(table, rows, n, unit, x);
}

bool ws_units_names_setting(const char *name)
{
    static const char *const others[] = {"seed",  "repeat", "rep",  "trial", "round", "fold", "acc",       "loss",
                                         "error", "rmse",   "top1", "top5",  "score", "auc",  "perplexity"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strstr(name, others[i]))
            return false;
    return true;
}

/* What says how a run went, or which it is. */
static bool names_run(const char *name)
{
    static const char *const names[] = {
        "run",   "series", "job",       "status", "energy_verdict", "energy_findings", "state", "source", "date",
        "start", "end",    "synthetic", "host",   "node",           "nodelist",        "path",  "file",   "job_state"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

/* A setting comes again: of so many rows at most half are the first of their value. Numbers of an unknown name may be
 * measured. */
static bool comes_again(const ws_table *table, const size_t *rows, size_t n, size_t column)
{
    size_t firsts = 0;
    ws_same_rows index;
    ws_same_rows_init(&index, table, &column, 1);
    for (size_t i = 0; i < n; i++)
        firsts += ws_same_rows_first(&index, rows[i]) == rows[i];
    ws_same_rows_free(&index);
    return firsts * 2 <= n;
}

bool ws_units_may_be_setting(const ws_table *table, size_t column)
{
    const char *name = table->columns[column].name;
    size_t kinds = 0, n = 0;
    ws_same_rows index;
    if (names_run(name) || !ws_units_names_setting(name) || ws_name_use(name) != WS_USE_SETTING)
        return false;
    ws_same_rows_init(&index, table, &column, 1);
    for (size_t row = 0; row < table->n_rows; row++) {
        if (ws_table_is_missing(table, column, row))
            continue;
        kinds += ws_same_rows_first(&index, row) == row;
        n++;
    }
    ws_same_rows_free(&index);
    return kinds * 2 <= n;
}

static bool may_be_setting(const ws_table *table, size_t column)
{
    const ws_column *c = &table->columns[column];
    ws_run_column known;
    if (ws_run_column_find(c->name, &known))
        return ws_run_column_about(known)->role == WS_ROLE_SETTING;
    return !names_run(c->name) && ws_units_names_setting(c->name) && c->kind != WS_NUMBER;
}

bool ws_units_differ(const ws_table *table, const size_t *rows, size_t n, const size_t *unit, size_t column)
{
    bool differ = false;
    size_t *first = ws_alloc((n + 1) * sizeof *first); /* row of each unit, and 1 */
    for (size_t i = 0; i < n && !differ; i++) {
        size_t *one = &first[unit[i]];
        differ = *one && !ws_same_cell(table, column, *one - 1, rows[i]);
        *one = *one ? *one : rows[i] + 1;
    }
    free(first);
    return differ;
}

size_t ws_units_parts(const ws_table *table, const size_t *rows, size_t n, size_t *column, size_t *part)
{
    static const char *const names[] = {"series", "model", "device", "power_cap_w", "clock_cap_hz"};
    size_t n_parts = 0, c = 0;
    while (c < sizeof names / sizeof *names &&
           !(ws_table_find(table, names[c], column) && units_varies(table, rows, n, *column)))
        c++;
    if (c == sizeof names / sizeof *names)
        return 0;
    ws_same_rows index;
    ws_same_rows_init(&index, table, column, 1);
    for (size_t i = 0; i < n; i++) {
        part[i] = ws_same_rows_number(&index, rows[i]);
        n_parts = part[i] + 1 > n_parts ? part[i] + 1 : n_parts;
    }
    ws_same_rows_free(&index);
    return n_parts;
}

const char *ws_units_mixed(const ws_table *table, const size_t *rows, size_t n, const size_t *unit, ws_arena *arena)
{
    const char *list = "";
    for (size_t c = 0; c < table->n_columns; c++)
        if (may_be_setting(table, c) && ws_units_differ(table, rows, n, unit, c) && comes_again(table, rows, n, c))
            list = ws_arena_printf(arena, "%s%s%s", list, *list ? ", " : "", table->columns[c].name);
    return list;
}
