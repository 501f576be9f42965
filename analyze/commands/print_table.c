#include "analyze/commands/data.h"

#include "analyze/commands/report_profile.h"
#include "analyze/recipes/paper.h"

#include <string.h>

static const ws_option options[] = {
    WS_OPTIONS_SCALING,
    WS_OPTION_LOOK,
    WS_OPTIONS_CAMPAIGN,
    {NULL, 0, NULL, NULL},
};

static int list_recipes(ws_cli *cli)
{
    ws_table table;
    ws_cli_list_begin(&table, "recipes", "table");
    const ws_table_recipe *r;
    for (size_t i = 0; (r = ws_table_recipe_at(i)); i++)
        ws_cli_list_add(&table, r->name, r->summary);
    return ws_cli_list_end(cli, &table);
}

static bool is_one_of(const char *name, const char *const *names)
{
    for (; *names; names++)
        if (strcmp(name, *names) == 0)
            return true;
    return false;
}

static bool agree_in_front(const ws_table *table, size_t n, size_t a, size_t b)
{
    char x[WS_DOUBLE_TEXT], y[WS_DOUBLE_TEXT];
    for (size_t c = 0; c < n; c++)
        if (strcmp(ws_table_cell_text(table, c, a, x), ws_table_cell_text(table, c, b, y)) != 0)
            return false;
    return true;
}

/* What tells the rows of a recipe's table apart stands in front. On a screen that it does not fit, its texts stand
 * above the rows that agree in them, if most do, and the other keys in front of each part. */
static void lay_out_for_screen(ws_table *table)
{
    static const char *const texts[] = {"series", "model", "device", "against", NULL};
    static const char *const keys[] = {"model_class", "gpus",        "lbs",           "gbs", "run",
                                       "parameter",   "power_cap_w", "clock_cap_mhz", "n",   NULL};
    size_t heads = 0, n, agree = 0;
    while (heads < table->n_columns && is_one_of(table->columns[heads].name, texts))
        heads++;
    for (n = heads; n < table->n_columns && is_one_of(table->columns[n].name, keys);)
        n++;
    for (size_t row = 1; row < table->n_rows; row++)
        agree += agree_in_front(table, heads, row - 1, row);
    table->screen_keys = n;
    if (agree * 2 < table->n_rows)
        return;
    for (size_t c = 0; c < heads; c++)
        ws_table_set_place(table, c, WS_HEADING);
    table->heads_if_wide = true;
    table->screen_keys = n - heads;
}

static int make(ws_cli *cli, const ws_table_recipe *recipe)
{
    ws_campaign campaign;
    ws_run_list files = {0};
    ws_source_options source;
    ws_table runs, scale = {0}, out = {0};
    ws_error error = {0};
    if (!ws_cli_source_options(cli, &source))
        return WS_EXIT_USAGE;
    cli->files = recipe->choose ? &files : NULL;
    int status = ws_data_runs(cli, cli->arguments[1], &campaign, &runs);
    cli->files = NULL;
    if (status == WS_EXIT_OK)
        status = ws_data_scale_named(cli, ws_paper_of_table(recipe), &campaign, &runs, &scale);
    ws_status made = WS_OK;
    if (status == WS_EXIT_OK && recipe->choose)
        made = ws_make_table_of_traces(&campaign, &files, &runs, &scale, recipe, &source, &out, &error);
    else if (status == WS_EXIT_OK)
        made = ws_table_recipe_make(recipe, &runs, &scale, &out, &error);
    if (made != WS_OK)
        status = ws_cli_fail(cli, &error);
    if (status == WS_EXIT_OK && !ws_cli_check_made_looks(cli, &runs, &out))
        status = WS_EXIT_USAGE;
    if (status == WS_EXIT_OK) {
        lay_out_for_screen(&out);
        status = ws_cli_output(cli, &out);
    }
    ws_run_list_free(&files);
    ws_table_free(&out);
    ws_table_free(&scale);
    ws_table_free(&runs);
    ws_campaign_free(&campaign);
    return status;
}

/* A table of traces reads their powers, whatever energies come to; else --window and the like change the runs. */
static bool check_usable(const ws_cli *cli, const ws_table_recipe *recipe)
{
    static const char *const of_energies[] = {"window", "rule", "gaps", "edges", "sensors", NULL};
    for (size_t i = 0; i < cli->n_given; i++) {
        const char *name = cli->given[i].option->name;
        if (!ws_recipe_takes(recipe->takes, name) || (recipe->choose && is_one_of(name, of_energies)))
            return ws_cli_usage(cli, "%s has no use for --%s", recipe->name, name), false;
    }
    return true;
}

static int run_table(ws_cli *cli)
{
    if (!cli->n_arguments)
        return list_recipes(cli);
    const ws_table_recipe *recipe = ws_table_recipe_find(cli->arguments[0]);
    ws_error error = {0};
    if (!recipe) {
        ws_arena arena = {0};
        ws_fail(&error, WS_USAGE, "there is no table '%s', did you mean %s? ('wattscale table' lists them)",
                cli->arguments[0], ws_table_recipe_suggest(&arena, cli->arguments[0]));
        ws_arena_free(&arena);
        return ws_cli_fail(cli, &error);
    }
    if (cli->n_arguments < 2)
        return ws_cli_usage(cli, "an argument is missing: table %s CAMPAIGN", recipe->name);
    return check_usable(cli, recipe) ? make(cli, recipe) : WS_EXIT_USAGE;
}

const ws_command ws_command_table = {
    .name = "table",
    .arguments = "[TABLE DATA]",
    .summary = "a table as a paper prints it; without arguments, the list of them",
    .description =
        "Makes one of the known tables from a campaign or a table of runs. Uncertainties stand with their values, "
        "units in the head; --format tex gives LaTeX with booktabs, md Markdown, csv and json every digit.",
    .options = options,
    .example = "wattscale table huber/table1 datasets/huber2025/table1.csv",
    .least = 0,
    .most = 2,
    .run = run_table,
};
