/* qsort_r */
#define _GNU_SOURCE
#include "analyze/scaling.h"

#include "analyze/ingest/run_columns.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Mean and spread of one quantity over the runs of a configuration that have it. */
typedef struct spread {
    size_t n;
    double mean, rmse, sd; /* rmse about the mean with divisor n; sd with n - 1 */
} spread;

typedef struct configuration {
    size_t first; /* row of the runs that stands for it */
    size_t *rows, n_rows, capacity;
    spread wall, energy;
    double gpus;
    bool weak;
    size_t reference; /* configuration index; SIZE_MAX for none */
} configuration;

typedef struct scaler {
    const ws_table *runs;
    const ws_scaling_options *options;
    size_t *group, n_group; /* columns of the runs */
    configuration *configurations;
    size_t n, capacity;
    ws_table *scale;
} scaler;

static bool cell_equal(const ws_table *t, size_t column, size_t a, size_t b)
{
    char text_a[WS_DOUBLE_TEXT], text_b[WS_DOUBLE_TEXT];
    return strcmp(ws_table_cell_text(t, column, a, text_a), ws_table_cell_text(t, column, b, text_b)) == 0;
}

static bool has_values(const ws_table *t, size_t column)
{
    for (size_t row = 0; row < t->n_rows; row++)
        if (!ws_table_is_missing(t, column, row))
            return true;
    return false;
}

/* An energy of the GPUs alone and one of GPUs, CPUs and memory are no repeats of each other. */
static void keep_scopes_apart(scaler *s)
{
    bool differ = false;
    for (size_t row = 1; row < s->runs->n_rows && !differ; row++)
        differ = !cell_equal(s->runs, WS_COL_ENERGY_SCOPE, 0, row);
    for (size_t i = 0; i < s->n_group; i++)
        differ &= s->group[i] != WS_COL_ENERGY_SCOPE;
    if (!differ)
        return;
    s->group[s->n_group++] = WS_COL_ENERGY_SCOPE;
    ws_notes_add(
        &s->scale->notes, "scopes-apart", s->runs->source, "", 0,
        "the energies hold different domains (column energy_scope): runs of different scope are not averaged together");
}

static ws_status choose_group(scaler *s, ws_error *error)
{
    static const ws_run_column usual[] = {WS_COL_SERIES, WS_COL_MODEL, WS_COL_MODEL_CLASS, WS_COL_DEVICE,   WS_COL_GPUS,
                                          WS_COL_LBS,    WS_COL_GBS,   WS_COL_POWER_CAP,   WS_COL_CLOCK_CAP};
    size_t n = s->options->n_group;
    s->group = ws_alloc(((n ? n : sizeof usual / sizeof *usual) + 1) * sizeof *s->group); /* and the scope */
    for (size_t i = 0; i < n; i++) {
        if (!ws_table_find(s->runs, s->options->group[i], &s->group[i]))
            return ws_fail(error, WS_USAGE,
                           "there is no column '%s' to group the runs by (--group, or 'group' of the campaign)",
                           s->options->group[i]);
        s->n_group++;
    }
    for (size_t i = 0; !n && i < sizeof usual / sizeof *usual; i++)
        if (has_values(s->runs, usual[i]))
            s->group[s->n_group++] = usual[i];
    keep_scopes_apart(s);
    return WS_OK;
}

static bool is_grouping(const scaler *s, size_t column)
{
    for (size_t i = 0; i < s->n_group; i++)
        if (s->group[i] == column)
            return true;
    return false;
}

static configuration *configuration_of(scaler *s, size_t row)
{
    for (size_t i = 0; i < s->n; i++) {
        bool same = true;
        for (size_t g = 0; g < s->n_group && same; g++)
            same = cell_equal(s->runs, s->group[g], s->configurations[i].first, row);
        if (same)
            return &s->configurations[i];
    }
    s->configurations = ws_grow(s->configurations, &s->capacity, s->n + 1, sizeof *s->configurations);
    s->configurations[s->n] = (configuration){.first = row, .reference = SIZE_MAX};
    return &s->configurations[s->n++];
}

static bool is_same_run(const ws_table *runs, size_t a, size_t b)
{
    size_t job;
    return !ws_table_is_missing(runs, WS_COL_RUN, a) && cell_equal(runs, WS_COL_RUN, a, b) &&
           (!ws_table_find(runs, "job", &job) || cell_equal(runs, job, a, b));
}

static bool has_same_result(const ws_table *runs, size_t a, size_t b)
{
    return cell_equal(runs, WS_COL_WALL, a, b) && cell_equal(runs, WS_COL_ENERGY, a, b);
}

/* A run that stands twice would make the spread too small: it is refused by its name. */
static ws_status refuse_twins(const scaler *s, const configuration *c, size_t row, ws_error *error)
{
    const ws_table *runs = s->runs;
    for (size_t i = 0; i < c->n_rows; i++) {
        char place[320], other[320];
        if (!is_same_run(runs, c->rows[i], row))
            continue;
        const char *remedy =
            has_same_result(runs, c->rows[i], row)
                ? "its spread would be too small (leave one out, or group by another column)"
                : "with another result (if they are two runs, group by another column or name them apart)";
        return ws_fail(error, WS_DATA, "%s: the run '%s' stands twice in one configuration, also at %s: %s",
                       ws_table_place(runs, row, place), runs->columns[WS_COL_RUN].text[row],
                       ws_table_place(runs, c->rows[i], other), remedy);
    }
    return WS_OK;
}

/* Runs that failed or lack a part stay in the means unless they are excluded; nobody should have to guess that. */
static void note_status(const scaler *s, size_t row)
{
    static const char *const good[] = {"ok", "success", "succeeded", "completed", "complete", "finished", "done"};
    const char *status = s->runs->columns[WS_COL_STATUS].text[row];
    for (size_t i = 0; status && i < sizeof good / sizeof *good; i++)
        if (ws_eq_nocase(status, good[i]))
            return;
    if (status)
        ws_notes_add(&s->scale->notes, "run-status", s->runs->source, status, s->runs->line ? s->runs->line[row] : 0,
                     "runs with the status '%s' count in the means (--exclude 'status=%s' leaves them out)", status,
                     status);
}

static ws_status collect(scaler *s, ws_error *error)
{
    for (size_t row = 0; row < s->runs->n_rows; row++) {
        note_status(s, row);
        configuration *c = configuration_of(s, row);
        ws_status status = refuse_twins(s, c, row, error);
        if (status != WS_OK)
            return status;
        c->rows = ws_grow(c->rows, &c->capacity, c->n_rows + 1, sizeof *c->rows);
        c->rows[c->n_rows++] = row;
    }
    return WS_OK;
}

/* A column of the runs by its name and a suffix; the number in that row, NaN where there is none. */
static double number_beside(const ws_table *runs, const char *name, const char *suffix, size_t row)
{
    char beside[160];
    size_t column;
    snprintf(beside, sizeof beside, "%s%s", name, suffix);
    return ws_table_find(runs, beside, &column) ? ws_table_number(runs, column, row) : NAN;
}

/* A row that is a mean already, as this program and papers print them, says of how many runs and with which spread. */
static size_t runs_behind(const ws_table *runs, const configuration *c)
{
    double n = c->n_rows == 1 ? number_beside(runs, "n_runs", "", c->rows[0]) : NAN;
    return n >= 1 && n < 1e9 ? (size_t)n : c->n_rows;
}

static bool given_spread(const ws_table *runs, const configuration *c, size_t column, spread *s)
{
    size_t n = runs_behind(runs, c), row = c->rows[0];
    double rmse = n > c->n_rows ? number_beside(runs, runs->columns[column].name, "_rmse", row) : NAN;
    if (isnan(rmse))
        return false;
    *s = (spread){n, ws_table_number(runs, column, row), rmse, rmse * sqrt((double)n / (double)(n - 1))};
    return !isnan(s->mean);
}

/* Two passes: the mean first, then the squares about it. */
static spread spread_of(const ws_table *runs, const configuration *c, size_t column)
{
    spread s = {0, 0, 0, 0};
    double squares = 0;
    if (given_spread(runs, c, column, &s))
        return s;
    s = (spread){0, 0, 0, 0};
    for (size_t i = 0; i < c->n_rows; i++) {
        double v = ws_table_number(runs, column, c->rows[i]);
        s.n += isnan(v) ? 0 : 1;
        s.mean += isnan(v) ? 0 : v;
    }
    s.mean = s.n ? s.mean / (double)s.n : NAN;
    for (size_t i = 0; i < c->n_rows; i++) {
        double v = ws_table_number(runs, column, c->rows[i]);
        squares += isnan(v) ? 0 : (v - s.mean) * (v - s.mean);
    }
    s.rmse = s.n ? sqrt(squares / (double)s.n) : NAN;
    s.sd = s.n > 1 ? sqrt(squares / (double)(s.n - 1)) : NAN;
    return s;
}

/* Speed-ups compare whole runs; a table that knows epochs only compares those. */
static size_t time_column(const ws_table *runs)
{
    return !has_values(runs, WS_COL_WALL) && has_values(runs, WS_COL_EPOCH_S) ? WS_COL_EPOCH_S : WS_COL_WALL;
}

/* The size of the machine and what follows from it do not make a series; everything else that groups does. */
static bool is_size(size_t column)
{
    return column == WS_COL_GPUS || column == WS_COL_NODES || column == WS_COL_LBS || column == WS_COL_GBS ||
           column == WS_COL_DATASET_SAMPLES || column == WS_COL_EPOCHS;
}

static bool same_series(const scaler *s, const configuration *a, const configuration *b)
{
    for (size_t g = 0; g < s->n_group; g++)
        if (!is_size(s->group[g]) && !cell_equal(s->runs, s->group[g], a->first, b->first))
            return false;
    return true;
}

/* "gpus=4", and with `whole` the series in front: "lbs256 A100 gpus=4". */
static const char *name_of(const scaler *s, const configuration *c, bool whole)
{
    const char *name = "";
    char text[WS_DOUBLE_TEXT];
    for (size_t g = 0; whole && g < s->n_group; g++)
        if (!is_size(s->group[g]) && !ws_table_is_missing(s->runs, s->group[g], c->first))
            name = ws_arena_printf(&s->scale->arena, "%s%s ", name,
                                   ws_table_cell_text(s->runs, s->group[g], c->first, text));
    ws_double_text(text, c->gpus);
    return ws_arena_printf(&s->scale->arena, "%sgpus=%s", name, text);
}

static double samples_per_gpu(const scaler *s, const configuration *c)
{
    return ws_runs_get(s->runs, WS_COL_DATASET_SAMPLES, c->first) * ws_runs_get(s->runs, WS_COL_EPOCHS, c->first) /
           c->gpus;
}

/* Weak scaling keeps the work of a GPU: the same samples per GPU (within 1 %, for data sets cut to whole samples). */
static bool is_weak(const scaler *s, const configuration *c)
{
    if (s->options->kind)
        return strcmp(s->options->kind, "weak") == 0;
    bool gpus_differ = false;
    double own = samples_per_gpu(s, c);
    for (size_t i = 0; i < s->n; i++) {
        const configuration *other = &s->configurations[i];
        if (!same_series(s, c, other))
            continue;
        if (!(fabs(samples_per_gpu(s, other) / own - 1) < 0.01))
            return false;
        gpus_differ |= other->gpus != c->gpus;
    }
    return gpus_differ;
}

static bool is_candidate(const scaler *s, const configuration *c, const configuration *other, double wanted_gpus)
{
    bool all = s->options->reference && strcmp(s->options->reference, "all") == 0;
    return (all || same_series(s, c, other)) && (isnan(wanted_gpus) || other->gpus == wanted_gpus) &&
           !isnan(other->gpus);
}

static size_t reference_of(const scaler *s, const configuration *c, double wanted_gpus)
{
    size_t best = SIZE_MAX;
    for (size_t i = 0; i < s->n; i++)
        if (is_candidate(s, c, &s->configurations[i], wanted_gpus) &&
            (best == SIZE_MAX || s->configurations[i].gpus < s->configurations[best].gpus))
            best = i;
    return best;
}

static ws_status find_references(scaler *s, ws_error *error)
{
    double wanted = NAN;
    const char *how = s->options->reference;
    bool named = how && strncmp(how, "gpus=", 5) == 0;
    bool known = !how || strcmp(how, "series") == 0 || strcmp(how, "all") == 0;
    if ((named && !ws_span_double(ws_span_of(how + 5), &wanted)) || (!named && !known))
        return ws_fail(
            error, WS_USAGE,
            "the reference '%s' is none of series, all and gpus=N (--reference, or 'reference' of the campaign)", how);
    for (size_t i = 0; i < s->n; i++) {
        configuration *c = &s->configurations[i];
        c->gpus = ws_runs_get(s->runs, WS_COL_GPUS, c->first);
        c->wall = spread_of(s->runs, c, time_column(s->runs));
        c->energy = spread_of(s->runs, c, WS_COL_ENERGY);
    }
    for (size_t i = 0; i < s->n; i++) {
        s->configurations[i].weak = is_weak(s, &s->configurations[i]);
        s->configurations[i].reference = reference_of(s, &s->configurations[i], wanted);
    }
    return WS_OK;
}

/* a / b and its standard error; no error without repeats on both sides. */
static void ratio(const spread *a, const spread *b, double *value, double *se)
{
    *value = a->mean / b->mean;
    double va = a->sd / a->mean, vb = b->sd / b->mean;
    *se = fabs(*value) * sqrt(va * va / (double)a->n + vb * vb / (double)b->n);
}

static void set_ratio(ws_table *t, size_t row, size_t column, double value, double se, bool is_reference)
{
    if (isfinite(value))
        ws_table_set_number(t, column, row, value);
    if (isfinite(se) && !is_reference)
        ws_table_set_number(t, column + 1, row, se);
}

static void set_ratios(scaler *s, size_t index, size_t row, size_t column)
{
    const configuration *c = &s->configurations[index];
    ws_table_set_text(s->scale, column, row, c->weak ? "weak" : "strong");
    if (c->reference == SIZE_MAX) {
        ws_notes_add(&s->scale->notes, "no-reference", s->runs->source, "", 0,
                     "configurations have no reference (%s), so no speed-up",
                     s->options->reference ? s->options->reference : "no GPU count");
        return;
    }
    const configuration *ref = &s->configurations[c->reference];
    double speedup, se, energy, energy_se, factor = c->weak ? 1 : ref->gpus / c->gpus;
    bool self = c->reference == index;
    ratio(&ref->wall, &c->wall, &speedup, &se);
    ratio(&c->energy, &ref->energy, &energy, &energy_se);
    set_ratio(s->scale, row, column + 1, speedup, se, self);
    set_ratio(s->scale, row, column + 3, speedup * factor, se * factor, self);
    set_ratio(s->scale, row, column + 5, energy, energy_se, self);
    bool all = s->options->reference && strcmp(s->options->reference, "all") == 0;
    ws_table_set_text(s->scale, column + 7, row, name_of(s, ref, all));
}

/* A line that fits a screen: time (per epoch where no wall time is known), GPUh, energy and their ratio. Mean powers show
 * where there is no energy. */
static bool is_detail(const scaler *s, size_t column)
{
    bool has_energy = has_values(s->runs, WS_COL_ENERGY);
    if (column == time_column(s->runs))
        return false;
    if (column == WS_COL_GPU_POWER || column == WS_COL_CPU_POWER || column == WS_COL_UTIL_MEAN)
        return has_energy;
    return s->runs->columns[column].detail || column == WS_COL_COVERAGE;
}

static void add_quantity(scaler *s, size_t column)
{
    char name[160];
    const char *base = s->runs->columns[column].name;
    size_t mean = ws_table_add_column(s->scale, base, WS_NUMBER);
    snprintf(name, sizeof name, "%s_rmse", base);
    size_t rmse = ws_table_add_column(s->scale, name, WS_NUMBER);
    snprintf(name, sizeof name, "%s_sd", base);
    size_t sd = s->options->sd ? ws_table_add_column(s->scale, name, WS_NUMBER) : 0;
    s->scale->columns[mean].detail = s->scale->columns[rmse].detail = is_detail(s, column);
    for (size_t i = 0; i < s->n; i++) {
        spread value = spread_of(s->runs, &s->configurations[i], column);
        ws_table_set_number(s->scale, mean, i, value.mean);
        ws_table_set_number(s->scale, rmse, i, value.n > 1 ? value.rmse : NAN);
        if (sd)
            ws_table_set_number(s->scale, sd, i, value.sd);
    }
}

static bool is_constant(const scaler *s, size_t column)
{
    size_t rmse;
    char beside[160];
    snprintf(beside, sizeof beside, "%s_rmse", s->runs->columns[column].name);
    if (ws_table_find(s->runs, beside, &rmse)) /* a mean: it varied before it came here */
        return false;
    for (size_t i = 0; i < s->n; i++)
        for (size_t r = 1; r < s->configurations[i].n_rows; r++)
            if (!cell_equal(s->runs, column, s->configurations[i].first, s->configurations[i].rows[r]))
                return false;
    return true;
}

/* What comes out of here under that name is not copied from what went in. */
static bool is_own_result(const scaler *s, size_t column)
{
    static const char *const names[] = {"n_runs",        "scaling",      "speedup",         "speedup_se", "efficiency",
                                        "efficiency_se", "energy_ratio", "energy_ratio_se", "reference"};
    static const char *const suffixes[] = {"_rmse", "_sd"};
    const char *name = s->runs->columns[column].name;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    for (size_t i = 0; i < 2; i++) {
        char base[160];
        size_t n = strlen(name), suffix = strlen(suffixes[i]), at;
        snprintf(base, sizeof base, "%.*s", n > suffix ? (int)(n - suffix) : 0, name);
        if (n > suffix && strcmp(name + n - suffix, suffixes[i]) == 0 && ws_table_find(s->runs, base, &at))
            return true;
    }
    return false;
}

/* A setting that is the same in all runs of every configuration is worth a column; of the runs' own columns, those that
 * never vary within a configuration are settings. */
static bool is_common_setting(const scaler *s, size_t column)
{
    if (is_grouping(s, column) || is_own_result(s, column) || !has_values(s->runs, column) || !is_constant(s, column))
        return false;
    return column >= WS_RUN_COLUMN_N || ws_run_column_about((ws_run_column)column)->role == WS_ROLE_SETTING;
}

/* Standard settings and labels have no mean; of the runs' own columns, numbers that vary do. */
static bool is_quantity(const scaler *s, size_t column)
{
    if (is_grouping(s, column) || is_own_result(s, column) || s->runs->columns[column].kind == WS_TEXT)
        return false;
    if (column < WS_RUN_COLUMN_N)
        return ws_run_column_about((ws_run_column)column)->role == WS_ROLE_QUANTITY;
    return !is_constant(s, column);
}

static size_t add_setting(scaler *s, size_t from)
{
    const ws_column *c = &s->runs->columns[from];
    size_t to = ws_table_add_column(s->scale, c->name, c->kind);
    for (size_t i = 0; i < s->n; i++) {
        size_t row = s->configurations[i].first;
        if (c->kind == WS_TEXT)
            ws_table_set_text(s->scale, to, i, c->text[row]);
        else if (c->kind == WS_INTEGER)
            ws_table_set_integer(s->scale, to, i, c->integer[row]);
        else
            ws_table_set_number(s->scale, to, i, c->number[row]);
    }
    return to;
}

/* Texts by bytes, numbers by size, missing ones last. */
static int compare_cells(const ws_table *t, size_t column, size_t a, size_t b)
{
    const ws_column *c = &t->columns[column];
    if (c->kind == WS_TEXT)
        return strcmp(c->text[a] ? c->text[a] : "", c->text[b] ? c->text[b] : "");
    double x = ws_table_number(t, column, a), y = ws_table_number(t, column, b);
    return isnan(x) || isnan(y) ? (isnan(x) ? 1 : 0) - (isnan(y) ? 1 : 0) : (x > y) - (x < y);
}

static int compare_configurations(const void *a, const void *b, void *state)
{
    const scaler *s = state;
    const configuration *x = a, *y = b;
    for (size_t g = 0; g < s->n_group; g++) {
        int order = compare_cells(s->runs, s->group[g], x->first, y->first);
        if (order)
            return order;
    }
    return (x->first > y->first) - (x->first < y->first);
}

static void fill_table(scaler *s)
{
    ws_table *t = s->scale;
    for (size_t i = 0; i < s->n; i++)
        ws_table_add_row(t);
    for (size_t g = 0; g < s->n_group; g++)
        add_setting(s, s->group[g]);
    for (size_t c = 0; c < s->runs->n_columns; c++)
        if (is_common_setting(s, c))
            ws_table_set_detail(t, add_setting(s, c));
    size_t count = ws_table_add_column(t, "n_runs", WS_INTEGER);
    for (size_t i = 0; i < s->n; i++)
        ws_table_set_integer(t, count, i, (int64_t)runs_behind(s->runs, &s->configurations[i]));
    for (size_t c = 0; c < s->runs->n_columns; c++)
        if (is_quantity(s, c))
            add_quantity(s, c);
    size_t first = ws_table_add_column(t, "scaling", WS_TEXT);
    static const char *const names[] = {"speedup",       "speedup_se",   "efficiency",
                                        "efficiency_se", "energy_ratio", "energy_ratio_se"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        ws_table_add_column(t, names[i], WS_NUMBER);
    ws_table_add_column(t, "reference", WS_TEXT);
    for (size_t i = 0; i < s->n; i++)
        set_ratios(s, i, i, first);
}

ws_status ws_scale(const ws_table *runs, const ws_scaling_options *options, ws_table *scale, ws_error *error)
{
    scaler s = {.runs = runs, .options = options, .scale = scale};
    ws_table_init(scale, "scale");
    ws_notes_append(&scale->notes, &runs->notes);
    scale->synthetic = runs->synthetic;
    scale->source = ws_arena_strdup(&scale->arena, runs->source);
    ws_status status = choose_group(&s, error);
    if (status == WS_OK)
        status = collect(&s, error);
    if (status == WS_OK) {
        if (s.n)
            qsort_r(s.configurations, s.n, sizeof *s.configurations, compare_configurations, &s);
        status = find_references(&s, error);
    }
    if (status == WS_OK)
        fill_table(&s);
    for (size_t i = 0; i < s.n; i++)
        free(s.configurations[i].rows);
    free(s.configurations);
    free(s.group);
    return status;
}
