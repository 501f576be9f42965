#include "analyze/recipes/recipe.h"

#include "analyze/near_names.h"
#include "analyze/recipes/paper_order.h"
#include "analyze/scaling/scaling.h"
#include "analyze/recipes/training_results.h"
#include "analyze/recipes/verdict_marks.h"
#include "analyze/same_rows.h"
#include "core/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* X_rmse and X_se follow their X, so that writers print them as one. */
static const ws_recipe_column scaling_columns[] = {{"series", "series", 0},
                                                   {"model", "model", 0},
                                                   {"device", "device", 0},
                                                   {"gpus", "gpus", 0},
                                                   {"lbs", "lbs", 0},
                                                   {"gbs", "gbs", 0},
                                                   {"power_cap_w", "power_cap_w", 0},
                                                   {WS_SETTINGS, "", 0},
                                                   {"n_runs", "n_runs", 0},
                                                   {"wall_s", "wall_s", 0},
                                                   {"wall_s_rmse", "wall_s_rmse", 0},
                                                   {"gpu_h", "gpu_h", 0},
                                                   {"gpu_h_rmse", "gpu_h_rmse", 0},
                                                   {"energy_kwh", "energy_kwh", 0},
                                                   {"energy_kwh_rmse", "energy_kwh_rmse", 0},
                                                   {"energy_scope", "energy_scope", 0},
                                                   {WS_INSTEAD, "", 0},
                                                   {"kwh_per_gpuh", "kwh_per_gpuh", 0},
                                                   {"kwh_per_gpuh_rmse", "kwh_per_gpuh_rmse", 0},
                                                   {"scaling", "scaling", 0},
                                                   {"speedup", "speedup", 0},
                                                   {"speedup_se", "speedup_se", 0},
                                                   {"efficiency", "efficiency", 0},
                                                   {"efficiency_se", "efficiency_se", 0},
                                                   {"reference", "reference", 0},
                                                   {WS_RESULTS, "", 0},
                                                   {NULL, NULL, 0}};

static const ws_recipe_column per_gpuh_columns[] = {{"series", "series", 0},
                                                    {"device", "device", 0},
                                                    {"gpus", "gpus", 0},
                                                    {"lbs", "lbs", 0},
                                                    {WS_SETTINGS, "", 0},
                                                    {"n_runs", "n_runs", 0},
                                                    {"kwh_per_gpuh", "kwh_per_gpuh", 0},
                                                    {"kwh_per_gpuh_rmse", "kwh_per_gpuh_rmse", 0},
                                                    {"gpu_power_w", "gpu_power_w", 0},
                                                    {"gpu_power_w_rmse", "gpu_power_w_rmse", 0},
                                                    {"cpu_power_w", "cpu_power_w", 0},
                                                    {"cpu_power_w_rmse", "cpu_power_w_rmse", 0},
                                                    {"samples_per_gpuh", "samples_per_gpuh", 0},
                                                    {"samples_per_gpuh_rmse", "samples_per_gpuh_rmse", 0},
                                                    {"passes_per_gpuh", "passes_per_gpuh", 0},
                                                    {"passes_per_gpuh_rmse", "passes_per_gpuh_rmse", 0},
                                                    {NULL, NULL, 0}};

static const ws_recipe_column domain_columns[] = {{"series", "series", 0},
                                                  {"device", "device", 0},
                                                  {"gpus", "gpus", 0},
                                                  {WS_SETTINGS, "", 0},
                                                  {"n_runs", "n_runs", 0},
                                                  {"energy_gpu_kwh", "energy_gpu_kwh", 0},
                                                  {"energy_gpu_kwh_rmse", "energy_gpu_kwh_rmse", 0},
                                                  {"gpu_share", "gpu_share", 0},
                                                  {"energy_cpu_kwh", "energy_cpu_kwh", 0},
                                                  {"energy_cpu_kwh_rmse", "energy_cpu_kwh_rmse", 0},
                                                  {"cpu_share", "cpu_share", 0},
                                                  {"energy_dram_kwh", "energy_dram_kwh", 0},
                                                  {"energy_dram_kwh_rmse", "energy_dram_kwh_rmse", 0},
                                                  {"dram_share", "dram_share", 0},
                                                  {"energy_kwh", "energy_kwh", 0},
                                                  {"energy_kwh_rmse", "energy_kwh_rmse", 0},
                                                  {NULL, NULL, 0}};

static const ws_recipe_column repeat_columns[] = {{"series", "series", 0},
                                                  {"gpus", "gpus", 0},
                                                  {WS_SETTINGS, "", 0},
                                                  {"run", "run", 0},
                                                  {"energy_kwh", "energy_kwh", 0},
                                                  {"job_energy_kwh", "job_energy_kwh", 0},
                                                  {"wall_s", "runtime_min", 1.0 / 60},
                                                  {"job_wall_s", "job_runtime_min", 1.0 / 60},
                                                  {"gpu_h", "gpu_h", 0},
                                                  {WS_INSTEAD, "", 0},
                                                  {WS_RESULTS, "", 0},
                                                  {"status", "status", 0},
                                                  {NULL, NULL, 0}};

static const ws_table_recipe campaign_scaling = {
    .name = "campaign/scaling",
    .takes = WS_TAKES_REFERENCE | WS_TAKES_SCALING | WS_TAKES_PER | WS_TAKES_GROUP,
    .summary = "each configuration with its time, its energy and the ratios that follow",
    .columns = scaling_columns};
static const ws_table_recipe campaign_per_gpuh = {
    .name = "campaign/per-gpuh",
    .takes = WS_TAKES_GROUP,
    .summary = "energy, power, samples and passes per GPUh (Huber et al. 2025, Figs 6 and 7)",
    .columns = per_gpuh_columns};
static const ws_table_recipe campaign_domains = {
    .name = "campaign/domains",
    .takes = WS_TAKES_GROUP,
    .summary = "energy of GPU, CPU and DRAM and their shares (Huber et al. 2025, Fig. 2)",
    .columns = domain_columns};
static const ws_table_recipe campaign_repeats = {.name = "campaign/repeats",
                                                 .summary = "every run with what its traces and what its job log say",
                                                 .of_runs = true,
                                                 .columns = repeat_columns};

/* For any campaign; those of a paper alone stand in its list (paper.h). */
static const ws_table_recipe *const recipes[] = {
    &campaign_scaling,      &campaign_per_gpuh,         &campaign_domains,        &campaign_repeats,
    &ws_table_huber_table1, &ws_table_huber_efficiency, &ws_table_frey_exponents, NULL};

const ws_table_recipe *const *ws_table_recipes(void)
{
    return recipes;
}

static void copy_cell(const ws_table *from, size_t from_column, size_t row, ws_table *out, size_t column, double factor)
{
    const ws_column *c = &from->columns[from_column];
    if (ws_table_is_missing(from, from_column, row))
        return;
    if (c->kind == WS_TEXT)
        ws_table_set_text(out, column, row, c->text[row]);
    else if (out->columns[column].kind == WS_INTEGER)
        ws_table_set_integer(out, column, row, c->integer[row]);
    else
        ws_table_set_number(out, column, row, ws_table_number(from, from_column, row) * (factor != 0 ? factor : 1));
}

/* Which work ratios compare, where that is not that of whole runs (analyze/scaling/work.h). */
static void add_works(const ws_table *from, ws_table *out)
{
    size_t per, speedup, energy, row = 0;
    if (!ws_table_find(from, "per", &per) || from->columns[per].kind != WS_TEXT ||
        (!ws_table_find(out, "speedup", &speedup) && !ws_table_find(out, "energy_ratio", &energy)))
        return;
    while (row < from->n_rows && (!from->columns[per].text[row] || strcmp(from->columns[per].text[row], "run") == 0))
        row++;
    if (row == from->n_rows)
        return;
    size_t column = ws_table_add_column(out, "per", WS_TEXT);
    for (row = 0; row < from->n_rows; row++)
        copy_cell(from, per, row, out, column, 0);
}

/* Leaves the rows that the recipe keeps, if it keeps any; *origins are those that stay, in the arena of `out`. */
static ws_row_origin *keep_rows(const ws_table_recipe *recipe, const ws_table *from, ws_table *out)
{
    bool *kept = ws_alloc((from->n_rows + 1) * sizeof *kept), any = false;
    ws_row_origin *origins = ws_arena_alloc(&out->arena, (from->n_rows + 1) * sizeof *origins);
    size_t n = 0;
    for (size_t row = 0; row < from->n_rows; row++) {
        kept[row] = recipe->keeps && recipe->keeps(from, row);
        any |= kept[row];
    }
    for (size_t row = 0; row < from->n_rows; row++)
        if (!any || kept[row])
            origins[n++] = recipe->of_runs ? (ws_row_origin){row, SIZE_MAX} : (ws_row_origin){SIZE_MAX, row};
    if (any)
        ws_table_filter(out, kept);
    free(kept);
    return origins;
}

/* A column as it stands, once; the spread of a mean right behind it. */
static void add_whole_column(const ws_table *from, const char *name, ws_table *out)
{
    size_t source, column;
    if (!ws_table_find(from, name, &source) || ws_table_find(out, name, &column))
        return;
    column = ws_table_add_column(out, name, from->columns[source].kind);
    for (size_t row = 0; row < from->n_rows; row++)
        copy_cell(from, source, row, out, column, 0);
}

static void add_results(const ws_table *from, ws_table *out)
{
    for (size_t c = 0; c < from->n_columns; c++) {
        const char *name = from->columns[c].name;
        if (!ws_is_training_result(from, c))
            continue;
        add_whole_column(from, name, out);
        add_whole_column(from, ws_arena_printf(&out->arena, "%s_rmse", name), out);
    }
}

static bool are_told_apart(const ws_table *out)
{
    size_t *columns = ws_alloc((out->n_columns + 1) * sizeof *columns), row = 0;
    ws_same_rows index;
    for (size_t c = 0; c < out->n_columns; c++)
        columns[c] = c;
    ws_same_rows_init(&index, out, columns, out->n_columns);
    while (row < out->n_rows && ws_same_rows_first(&index, row) == row)
        row++;
    ws_same_rows_free(&index);
    free(columns);
    return row == out->n_rows;
}

static bool is_setting(const ws_table *scale, const char *name)
{
    size_t column;
    return ws_table_find(scale, name, &column) && column < ws_scale_keys(scale) && !scale->columns[column].detail;
}

/* Of what the configurations are grouped by: it stands before n_runs and is no detail. `of` has the columns of `out`
 * for each configuration, and gets those of `from` with it. */
static void add_settings(const ws_table *scale, ws_table *of, const ws_table *from, ws_table *out)
{
    for (size_t c = 0; c < scale->n_columns; c++) {
        const char *name = scale->columns[c].name;
        if (!is_setting(scale, name) || !ws_column_varies(scale, c) || are_told_apart(of))
            continue;
        add_whole_column(scale, name, of);
        if (of != out)
            add_whole_column(from, name, out);
    }
}

/* The same of a table of runs. */
static void add_settings_of_runs(const ws_table *runs, const ws_table *scale, ws_table *out)
{
    ws_table of;
    ws_table_init(&of, "settings");
    for (size_t row = 0; row < scale->n_rows; row++)
        ws_table_add_row(&of);
    for (size_t c = 0; c < out->n_columns; c++)
        add_whole_column(scale, out->columns[c].name, &of);
    add_settings(scale, &of, runs, out);
    ws_table_free(&of);
}

static void add_instead(const ws_table *from, ws_table *out)
{
    static const char *const columns[][2] = {
        {"wall_s", "epoch_s"}, {"wall_s", "samples_per_s"}, {"energy_kwh", "gpu_power_w"}};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        size_t column;
        if (ws_table_find(from, columns[i][0], &column) && ws_table_has_values(from, column))
            continue;
        add_whole_column(from, columns[i][1], out);
        add_whole_column(from, ws_arena_printf(&out->arena, "%s_rmse", columns[i][1]), out);
    }
}

/* False: the column stands for itself. */
static bool add_named_columns(const ws_recipe_column *c, const ws_table_recipe *recipe, const ws_table *runs,
                              const ws_table *scale, ws_table *out)
{
    const ws_table *from = recipe->of_runs ? runs : scale;
    if (strcmp(c->from, WS_RESULTS) == 0)
        add_results(from, out);
    else if (strcmp(c->from, WS_INSTEAD) == 0)
        add_instead(from, out);
    else if (strcmp(c->from, WS_SETTINGS) == 0 && recipe->of_runs)
        add_settings_of_runs(runs, scale, out);
    else if (strcmp(c->from, WS_SETTINGS) == 0)
        add_settings(scale, out, from, out);
    else
        return false;
    return true;
}

/* Does it hold any number beside the settings and the counts of runs? */
static bool has_numbers(const ws_table *scale, const ws_table *out)
{
    for (size_t c = 0; c < out->n_columns; c++)
        if (out->columns[c].kind != WS_TEXT && strcmp(out->columns[c].name, "n_runs") != 0 &&
            !is_setting(scale, out->columns[c].name) && ws_table_has_values(out, c))
            return true;
    return false;
}

static ws_status select_columns(const ws_table_recipe *recipe, const ws_table *runs, const ws_table *scale,
                                ws_table *out, ws_error *error)
{
    const ws_table *from = recipe->of_runs ? runs : scale;
    size_t source;
    for (size_t row = 0; row < from->n_rows; row++)
        ws_table_add_row(out);
    for (const ws_recipe_column *c = recipe->columns; c->from; c++) {
        if (add_named_columns(c, recipe, runs, scale, out))
            continue;
        bool found = ws_table_find(from, c->from, &source);
        ws_column_kind kind = found ? from->columns[source].kind : WS_NUMBER;
        size_t column = ws_table_add_column(out, c->name, c->factor != 0 ? WS_NUMBER : kind);
        for (size_t row = 0; found && row < from->n_rows; row++)
            copy_cell(from, source, row, out, column, c->factor);
    }
    add_works(from, out);
    bool filled = has_numbers(scale, out);
    ws_tell_verdicts(runs, scale, keep_rows(recipe, from, out), out);
    return filled ? WS_OK
                  : ws_fail_recipe(error, from->source, "", "has ", "no column that the table %s shows", recipe->name);
}

static ws_status make_of_counted(const ws_table_recipe *recipe, const ws_table *runs, const ws_table *scale,
                                 ws_table *out, ws_error *error)
{
    ws_table counted;
    ws_copy_counted_runs(runs, scale, &counted);
    ws_status status = recipe->make(&counted, scale, out, error);
    if (status == WS_OK)
        ws_tell_runs_left_out(runs, scale, recipe->rests_on_energy, out);
    ws_table_free(&counted);
    return status;
}

static ws_status make_in_order(const ws_table_recipe *recipe, const ws_table *runs, const ws_table *scale,
                               ws_table *out, ws_error *error)
{
    if (!recipe->make)
        return select_columns(recipe, runs, scale, out, error);
    return recipe->tells_verdicts ? recipe->make(runs, scale, out, error)
                                  : make_of_counted(recipe, runs, scale, out, error);
}

ws_status ws_table_recipe_make(const ws_table_recipe *recipe, const ws_table *runs, const ws_table *scale,
                               ws_table *out, ws_error *error)
{
    ws_table ordered_runs, ordered_scale;
    ws_table_init(out, "table");
    ws_notes_append(&out->notes, &scale->notes);
    out->synthetic = scale->synthetic;
    out->looks = scale->looks;
    out->has_few_digits = scale->has_few_digits;
    out->energy_u = scale->energy_u;
    if (recipe->choose)
        return ws_fail_recipe(error, runs->source, recipe->name, " ", "is about traces, and none were read");
    bool is_of_paper = ws_is_of_paper(recipe->name);
    bool moves_runs = is_of_paper && ws_paper_order(runs, &ordered_runs);
    bool moves_scale = is_of_paper && ws_paper_order(scale, &ordered_scale);
    ws_status status =
        make_in_order(recipe, moves_runs ? &ordered_runs : runs, moves_scale ? &ordered_scale : scale, out, error);
    if (moves_runs)
        ws_table_free(&ordered_runs);
    if (moves_scale)
        ws_table_free(&ordered_scale);
    return status;
}

ws_status ws_table_recipe_make_of_traces(const ws_table_recipe *recipe, const ws_table *runs,
                                         const ws_chosen_runs *chosen, ws_table *out, ws_error *error)
{
    ws_table_init(out, "table");
    out->synthetic = runs->synthetic;
    out->looks = runs->looks;
    return recipe->make_of_traces(runs, chosen, out, error);
}
