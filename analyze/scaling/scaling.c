/* qsort_r */
#define _GNU_SOURCE
#include "analyze/scaling/scaling_internal.h"

#include "analyze/ingest/run_columns.h"
#include "analyze/ingest/run_energy.h"
#include "analyze/same_rows.h"
#include "analyze/scaling/spread.h"
#include "analyze/units.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How many runs of `a` are runs of `b`, another configuration, too, as those that stand in two series. */
static size_t count_shared(const ws_scaler *s, const ws_configuration *a, const ws_configuration *b)
{
    size_t shared = 0, of_b = (size_t)(b - s->configurations);
    for (size_t i = 0; s->has_shared && i < a->n_rows; i++) {
        size_t row = s->again[a->rows[i]];
        while (row != a->rows[i] && s->holder[row] != of_b)
            row = s->again[row];
        shared += row != a->rows[i];
    }
    return shared;
}

/* Errors of means that have runs in common are not independent: there is no interval. */
static ws_scaled without_errors(const ws_scaled *from)
{
    ws_scaled to = *from;
    for (size_t of = 0; of < WS_OF_N; of++)
        to.value[of].sd = to.ln[of].sd = NAN;
    return to;
}

/* Rates of each GPU stay where the machine grows, and so may those of all; which they are decides the speed-up by the
 * number of GPUs. By these factors: ours. */
static void note_flat_rate(ws_scaler *s, const ws_configuration *c, const ws_configuration *ref)
{
    const double of_machine = 2, of_rate = 1.1;
    bool is_recorded = ws_table_is_missing(s->runs, WS_COL_EPOCHS, c->first) ||
                       ws_table_is_missing(s->runs, WS_COL_DATASET_SAMPLES, c->first);
    double speedup = ref->scaled.value[WS_OF_TIME].mean / c->scaled.value[WS_OF_TIME].mean;
    if (c->scaled.work == WS_PER_SAMPLE && is_recorded && c->scaled.gpus >= of_machine * ref->scaled.gpus &&
        speedup <= of_rate)
        ws_notes_add(&s->scale->notes, WS_FINDING_FLAT_RATE, s->runs->source, ws_configuration_name(s, c, true), 0,
                     "the samples a second do not grow with the machine: if they are those of each GPU, --columns "
                     "samples_per_gpuh=NAME says so");
}

static const char *why_no_reference(const ws_scaler *s, const ws_configuration *c)
{
    const char *asked = s->options->reference;
    return asked && strcmp(asked, "series") != 0 ? asked
           : isnan(c->scaled.gpus)               ? "no GPU count"
                                                 : "none of their runs counts";
}

static void set_ratios(ws_scaler *s, size_t index, size_t first)
{
    const ws_configuration *c = &s->configurations[index];
    if (c->reference == SIZE_MAX) {
        if (!isnan(c->scaled.gpus))
            ws_set_ratio_words(s->scale, first, index, &c->scaled, NULL);
        if (s->lonely)
            ws_notes_add(&s->scale->notes, WS_FINDING_NO_REFERENCE, s->runs->source, s->lonely, 0,
                         "only '%s' tells the runs apart, so that nothing says which belong together: no speed-up "
                         "(--group %s takes runs of as many for repeats)",
                         s->lonely, s->runs->columns[s->size].name);
        else
            ws_notes_add(&s->scale->notes, WS_FINDING_NO_REFERENCE, s->runs->source, why_no_reference(s, c), 0,
                         "configurations have no reference, so no speed-up");
        return;
    }
    const ws_configuration *ref = &s->configurations[c->reference];
    if (c->scaled.work != WS_PER_RUN && !c->scaled.value[WS_OF_TIME].n && !c->scaled.value[WS_OF_ENERGY].n)
        ws_notes_add(&s->scale->notes, WS_FINDING_NO_REFERENCE, s->runs->source, "per", 0,
                     "nothing says how many %s there were, so nothing is compared per %s",
                     c->scaled.work == WS_PER_EPOCH ? "epochs" : "samples",
                     c->scaled.work == WS_PER_EPOCH ? "epoch" : "sample");
    note_flat_rate(s, c, ref);
    const size_t shared = c == ref ? 0 : count_shared(s, c, ref);
    if (shared == c->n_rows && shared == ref->n_rows)
        c = ref;
    const ws_scaled apart = without_errors(&c->scaled);
    const bool is_mixed = c != ref && shared > 0;
    const ws_pooled none[WS_OF_N] = {[WS_OF_TIME] = {NAN, 0}, [WS_OF_ENERGY] = {NAN, 0}};
    ws_set_ratios(s->scale, first, index, is_mixed ? &apart : &c->scaled, c->against ? c->against : &ref->scaled,
                  is_mixed ? none : ws_scaler_pool(s, c->series, ref->series));
    if (is_mixed)
        ws_notes_add(&s->scale->notes, WS_FINDING_SAME_RUN, s->runs->source, ws_configuration_name(s, c, true), 0,
                     "it shares %zu run%s with its reference: their ratios have no interval", shared,
                     shared == 1 ? "" : "s");
    const char *name = ws_configuration_name(s, ref, ws_scaler_is_beyond_series(s));
    if (c->n_references > 1)
        name = ws_arena_printf(&s->scale->arena, "%s and %zu more", name, c->n_references - 1);
    ws_set_ratio_words(s->scale, first, index, &c->scaled, name);
}

/* A line that fits a screen: time (per epoch where no wall time is known), GPUh, energy and their ratio. Mean powers
 * show where there is no energy. */
static bool is_detail(const ws_scaler *s, size_t column)
{
    bool has_energy = ws_table_has_values(s->runs, WS_COL_ENERGY);
    if (column == ws_scaler_time_column(s->runs))
        return false;
    if (column == WS_COL_GPU_POWER || column == WS_COL_CPU_POWER || column == WS_COL_UTIL_MEAN)
        return has_energy;
    return s->runs->columns[column].detail || column == WS_COL_COVERAGE;
}

static void add_quantity(ws_scaler *s, size_t column)
{
    char name[160];
    const char *base = s->runs->columns[column].name;
    size_t mean = ws_table_add_column(s->scale, base, WS_NUMBER);
    snprintf(name, sizeof name, "%s_rmse", base);
    size_t rmse = ws_table_add_column(s->scale, name, WS_NUMBER);
    snprintf(name, sizeof name, "%s_sd", base);
    size_t sd = s->options->sd ? ws_table_add_column(s->scale, name, WS_NUMBER) : 0;
    s->scale->columns[mean].detail = s->scale->columns[rmse].detail = is_detail(s, column);
    const ws_spread_source from = ws_spread_source_of(s->runs, column);
    for (size_t i = 0; i < s->n; i++) {
        const ws_configuration *c = &s->configurations[i];
        ws_spread value = ws_spread_of(&from, c->rows, c->n_rows);
        ws_table_set_number(s->scale, mean, i, value.mean);
        ws_table_set_number(s->scale, rmse, i, value.n > 1 ? value.rmse : NAN);
        if (sd)
            ws_table_set_number(s->scale, sd, i, value.sd);
    }
}

static bool is_constant(const ws_scaler *s, size_t column)
{
    size_t rmse;
    char beside[160];
    snprintf(beside, sizeof beside, "%s_rmse", s->runs->columns[column].name);
    if (ws_table_find(s->runs, beside, &rmse)) /* a mean: it varied before it came here */
        return false;
    for (size_t i = 0; i < s->n; i++)
        for (size_t r = 0; r < s->configurations[i].n_rows; r++)
            if (!ws_same_cell(s->runs, column, s->configurations[i].first, s->configurations[i].rows[r]))
                return false;
    return true;
}

/* What comes out of here under that name is not copied from what went in. */
static bool is_own_result(const ws_scaler *s, size_t column)
{
    static const char *const suffixes[] = {"_rmse", "_sd"};
    const char *name = s->runs->columns[column].name;
    if (strcmp(name, "n_runs") == 0 || strcmp(name, "n_unusable") == 0 || ws_is_ratio_column(name))
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
static bool is_common_setting(const ws_scaler *s, size_t column)
{
    if (ws_scaler_groups_by(s, column) || is_own_result(s, column) || !ws_table_has_values(s->runs, column) ||
        !is_constant(s, column))
        return false;
    return column >= WS_RUN_COLUMN_N || ws_run_column_about((ws_run_column)column)->role == WS_ROLE_SETTING;
}

/* Standard settings and labels have no mean; of the runs' own columns, numbers that vary do. */
static bool is_quantity(const ws_scaler *s, size_t column)
{
    if (ws_scaler_groups_by(s, column) || is_own_result(s, column) || s->runs->columns[column].kind == WS_TEXT)
        return false;
    if (column < WS_RUN_COLUMN_N)
        return ws_run_column_about((ws_run_column)column)->role == WS_ROLE_QUANTITY;
    return !is_constant(s, column);
}

/* Of the standard columns the size of the data set is one that is never grouped by, and others may be left out where
 * the user says what groups (unequal numbers of epochs are told by unequal-work). */
static bool may_be_mixed(const ws_scaler *s, size_t column)
{
    static const ws_run_column usual[] = {WS_COL_MODEL, WS_COL_DEVICE, WS_COL_LBS, WS_COL_POWER_CAP, WS_COL_CLOCK_CAP};
    bool is_left_out = false;
    for (size_t i = 0; i < sizeof usual / sizeof *usual && s->options->n_group; i++)
        is_left_out |= column == usual[i];
    return column >= WS_RUN_COLUMN_N || column == WS_COL_DATASET_SAMPLES || is_left_out;
}

/* What comes again may be a setting; a name, a date or a result of each run is none. */
static bool may_be_setting(const ws_scaler *s, size_t column)
{
    const ws_column *c = &s->runs->columns[column];
    size_t kinds = 0;
    ws_same_rows index;
    if (!may_be_mixed(s, column) || ws_scaler_groups_by(s, column) || strcmp(c->name, WS_JOB_STATE) == 0 ||
        !ws_units_names_setting(c->name) || (c->kind != WS_TEXT && is_own_result(s, column)))
        return false;
    ws_same_rows_init(&index, s->runs, &column, 1);
    for (size_t row = 0; row < s->runs->n_rows; row++)
        kinds += ws_same_rows_first(&index, row) == row;
    ws_same_rows_free(&index);
    return kinds * 2 <= s->runs->n_rows;
}

/* "model,gpus,lbs": what groups, as --group takes it. */
static const char *grouping_list(const ws_scaler *s)
{
    const char *list = "";
    for (size_t c = 0; c < s->runs->n_columns; c++)
        if (ws_scaler_groups_by(s, c) && ws_table_has_values(s->runs, c))
            list = ws_arena_printf(&s->scale->arena, "%s%s,", list, s->runs->columns[c].name);
    return list;
}

/* Means over different settings are nobody's. */
static void note_mixed(const ws_scaler *s)
{
    const char *list = "", *option = grouping_list(s);
    for (size_t c = 0; c < s->runs->n_columns; c++)
        if (may_be_setting(s, c) && !is_constant(s, c)) {
            option = ws_arena_printf(&s->scale->arena, "%s%s%s", option, *list ? "," : "", s->runs->columns[c].name);
            list = ws_arena_printf(&s->scale->arena, "%s%s%s", list, *list ? ", " : "", s->runs->columns[c].name);
        }
    s->scale->mixed_settings = *list ? list : NULL;
    if (*list)
        ws_notes_add(&s->scale->notes, WS_FINDING_MIXED_SETTINGS, s->runs->source, "", 0,
                     "runs that are averaged differ in %s (--group '%s' keeps apart what is a setting)", list, option);
}

/* A mean of fewer runs than stand beside it. */
static void note_without_energy(const ws_scaler *s, const ws_spread_source *energy, const ws_configuration *c)
{
    size_t with = ws_spread_of(energy, c->rows, c->n_rows).n;
    for (size_t i = 0; with && i < c->n_rows; i++)
        if (ws_table_is_missing(s->runs, WS_COL_ENERGY, c->rows[i]))
            ws_notes_add(&s->scale->notes, WS_FINDING_WITHOUT_ENERGY, s->runs->source, "",
                         s->runs->line ? s->runs->line[c->rows[i]] : 0,
                         "a run without energy counts in n_runs, and the mean energy is that of the others");
}

static size_t add_setting(ws_scaler *s, size_t from)
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
    const ws_scaler *s = state;
    const ws_configuration *x = a, *y = b;
    for (size_t g = 0; g < s->n_group; g++) {
        int order = compare_cells(s->runs, s->group[g], x->first, y->first);
        if (order)
            return order;
    }
    return (x->first > y->first) - (x->first < y->first);
}

static ws_energy_verdict verdict_of(const ws_scaler *s, const ws_configuration *c)
{
    ws_energy_verdict gravest = WS_ENERGY_VERDICT_NONE;
    for (size_t i = 0; i < c->n_rows; i++) {
        ws_energy_verdict own = ws_energy_verdict_named(s->runs->columns[WS_COL_VERDICT].text[c->rows[i]]);
        bool has_energy = !ws_table_is_missing(s->runs, WS_COL_ENERGY, c->rows[i]);
        gravest = has_energy && own > gravest ? own : gravest;
    }
    return gravest;
}

/* People see the columns where a run is left out, and where a verdict is not ok. */
static void add_verdicts(ws_scaler *s)
{
    ws_table *t = s->scale;
    size_t count = ws_table_add_column(t, "n_unusable", WS_INTEGER);
    size_t verdict = ws_table_add_column(t, "energy_verdict", WS_TEXT);
    t->columns[count].detail = t->columns[verdict].detail = true;
    for (size_t i = 0; i < s->n; i++) {
        ws_energy_verdict gravest = verdict_of(s, &s->configurations[i]);
        ws_table_set_integer(t, count, i, (int64_t)s->configurations[i].n_left_out);
        if (gravest != WS_ENERGY_VERDICT_NONE)
            ws_table_set_text(t, verdict, i, ws_energy_verdict_name(gravest));
        t->columns[count].detail &= !s->configurations[i].n_left_out;
        t->columns[verdict].detail &= gravest <= WS_ENERGY_VERDICT_OK;
    }
}

/* What is not known of the mean energy, beside its spread. */
static void add_budgets(ws_scaler *s)
{
    ws_runs_add_mean_budget(s->scale);
    for (size_t i = 0; i < s->n; i++)
        ws_runs_set_mean_budget(s->runs, s->configurations[i].rows, s->configurations[i].n_rows, s->scale, i);
}

static void fill_table(ws_scaler *s)
{
    ws_table *t = s->scale;
    const ws_spread_source energy = ws_spread_source_of(s->runs, WS_COL_ENERGY);
    note_mixed(s);
    for (size_t i = 0; i < s->n; i++) {
        ws_table_add_row(t);
        note_without_energy(s, &energy, &s->configurations[i]);
    }
    for (size_t g = 0; g < s->n_group; g++)
        add_setting(s, s->group[g]);
    for (size_t c = 0; c < s->runs->n_columns; c++)
        if (is_common_setting(s, c))
            ws_table_set_detail(t, add_setting(s, c));
    size_t count = ws_table_add_column(t, "n_runs", WS_INTEGER);
    const ws_spread_source runs = ws_spread_source_of(s->runs, s->size);
    for (size_t i = 0; i < s->n; i++)
        ws_table_set_integer(t, count, i,
                             (int64_t)ws_runs_behind(&runs, s->configurations[i].rows, s->configurations[i].n_rows));
    add_verdicts(s);
    for (size_t c = 0; c < s->runs->n_columns; c++)
        if (is_quantity(s, c))
            add_quantity(s, c);
    if (ws_table_has_values(s->runs, WS_COL_ENERGY_LO))
        add_budgets(s);
    size_t first = ws_ratio_columns(t);
    for (size_t i = 0; i < s->n; i++)
        set_ratios(s, i, first);
    ws_scaler_show_references(s);
}

void ws_scale_members_free(ws_scale_members *members)
{
    for (size_t i = 0; i < members->n; i++)
        free(members->items[i].rows), free(members->items[i].left_out);
    free(members->items);
    *members = (ws_scale_members){0};
}

/* The lists of rows change hands. */
static void give_members(ws_scaler *s, ws_scale_members *to)
{
    *to = (ws_scale_members){.n = s->n, .time_column = ws_scaler_time_column(s->runs)};
    to->items = ws_alloc(s->n * sizeof *to->items + 1);
    for (size_t i = 0; i < s->n; i++) {
        ws_configuration *c = &s->configurations[i];
        to->items[i] = (ws_scale_member){c->rows,        c->n_rows,         c->left_out,
                                         c->n_left_out,  c->reference,      ws_configuration_name(s, c, true),
                                         c->scaled.gpus, c->scaled.is_weak, c->scaled.work};
        c->rows = c->left_out = NULL;
    }
}

/* Which rows are one run, and what rounding alone makes equal. */
static void find_same_runs(ws_scaler *s)
{
    size_t n_alike = 0;
    bool *alike = ws_alloc(s->runs->n_rows + 1);
    ws_units_same_runs(s->runs, s->same, alike);
    for (size_t row = 0; row < s->runs->n_rows; row++)
        n_alike += alike[row];
    ws_notes_add_many(&s->scale->notes, n_alike, WS_FINDING_ALIKE_RUNS, s->runs->source, "", 0, "%s", WS_UNITS_ALIKE);
    ws_notes_add_many(&s->scale->notes, ws_units_twins(s->runs, s->same, alike), WS_FINDING_ALIKE_RUNS, s->runs->source,
                      "", 0, "%s", WS_UNITS_TWINS);
    free(alike);
}

ws_status ws_scale(const ws_table *runs, const ws_scaling_options *options, ws_table *scale, ws_error *error)
{
    ws_scaler s = {.runs = runs, .options = options, .scale = scale};
    ws_table_init(scale, "scale");
    ws_notes_append(&scale->notes, &runs->notes);
    scale->synthetic = runs->synthetic;
    scale->looks = runs->looks;
    scale->has_few_digits = runs->has_few_digits;
    scale->energy_u = runs->energy_u;
    scale->source = ws_arena_strdup(&scale->arena, runs->source);
    s.same = ws_alloc((runs->n_rows + 1) * sizeof *s.same);
    find_same_runs(&s);
    ws_status status = ws_scaler_choose_group(&s, error);
    if (status == WS_OK)
        status = ws_scaler_collect(&s, error);
    if (status == WS_OK && !s.n && runs->n_rows)
        status = ws_fail_at(error, WS_DATA, runs->source, 0,
                            "nothing says yet of how many runs the files are (status 'ask:nodes' of 'wattscale runs')");
    if (status == WS_OK && s.n)
        qsort_r(s.configurations, s.n, sizeof *s.configurations, compare_configurations, &s);
    if (status == WS_OK)
        status = ws_scaler_find_references(&s, error);
    if (status == WS_OK) {
        ws_scaler_index_runs(&s);
        fill_table(&s);
    }
    if (status == WS_OK && options->members)
        give_members(&s, options->members);
    for (size_t i = 0; i < s.n; i++)
        free(s.configurations[i].rows), free(s.configurations[i].left_out);
    free(s.configurations);
    free(s.same);
    free(s.again);
    free(s.group);
    return status;
}

size_t ws_scale_keys(const ws_table *scale)
{
    size_t n_runs;
    return ws_table_find(scale, "n_runs", &n_runs) ? n_runs : scale->n_columns;
}

size_t ws_scale_groups(const ws_table *scale)
{
    size_t n = 0;
    while (n < ws_scale_keys(scale) && !scale->columns[n].detail)
        n++;
    return n;
}

bool ws_is_run_of(const ws_table *runs, size_t run, const ws_table *scale, size_t configuration)
{
    char a[WS_DOUBLE_TEXT], b[WS_DOUBLE_TEXT];
    size_t own;
    for (size_t c = 0, n = ws_scale_groups(scale); c < n; c++)
        if (!ws_table_find(runs, scale->columns[c].name, &own) ||
            strcmp(ws_table_cell_text(runs, own, run, a), ws_table_cell_text(scale, c, configuration, b)) != 0)
            return false;
    return true;
}
