/* --look beside what campaign.json says: taken where the data has what it names and the command draws or prints it. */
#include "analyze/commands/cli.h"

#include "analyze/scaling/ratios.h"
#include "formats/campaign.h"

#include <math.h>
#include <string.h>

/* "a, b, c": the texts of a column that differ, or the names of the columns with values; as many as a line holds. */
static const char *list_values(ws_arena *arena, const ws_table *table, size_t column)
{
    const size_t most = 400;
    const char *list = "";
    char buffer[WS_DOUBLE_TEXT];
    ws_looks seen = {0};
    for (size_t row = 0; row < table->n_rows && strlen(list) < most; row++) {
        const char *text = ws_table_cell_text(table, column, row, buffer);
        if (!*text || ws_look_of_value(&seen, "", text))
            continue;
        list = ws_arena_printf(arena, "%s%s%s", list, *list ? ", " : "", text);
        seen.items = ws_grow(seen.items, &seen.capacity, seen.n + 1, sizeof *seen.items);
        seen.items[seen.n++] = (ws_look){.column = "", .value = ws_arena_strdup(arena, text)};
    }
    ws_looks_free(&seen);
    return *list ? list : "none";
}

static const char *list_columns(ws_arena *arena, const ws_table *table)
{
    const char *list = "";
    for (size_t c = 0; c < table->n_columns; c++)
        if (ws_table_has_values(table, c))
            list = ws_arena_printf(arena, "%s%s%s", list, *list ? " " : "", table->columns[c].name);
    return list;
}

static bool has_value(const ws_table *table, size_t column, const ws_look *look)
{
    char buffer[WS_DOUBLE_TEXT];
    const ws_looks one = {(ws_look *)(uintptr_t)look, 1, 1};
    for (size_t row = 0; row < table->n_rows; row++)
        if (!ws_table_is_missing(table, column, row) &&
            ws_look_of_value(&one, look->column, ws_table_cell_text(table, column, row, buffer)))
            return true;
    return false;
}

/* Columns that a command makes beside those of the runs; only what a recipe makes itself is known later. */
static bool may_be_made(const ws_cli *cli, const char *column)
{
    const char *command = cli->command->name;
    if (strcmp(command, "runs") == 0)
        return false;
    return ws_is_ratio_column(column) || strcmp(column, "n_runs") == 0 || strcmp(command, "table") == 0 ||
           strcmp(command, "report") == 0;
}

/* Colours and markers are of figures, and so is the order, but for a recipe's table. */
static const char *setting_without_use(const ws_cli *cli, const ws_look *look)
{
    const char *command = cli->command->name;
    bool is_table = strcmp(command, "table") == 0;
    if (!is_table && strcmp(command, "runs") != 0 && strcmp(command, "scale") != 0)
        return NULL;
    return look->colour >= 0                    ? "colour"
           : look->marker >= 0                  ? "marker"
           : !is_table && isfinite(look->order) ? "order"
                                                : NULL;
}

static ws_status check_look(const ws_cli *cli, ws_arena *arena, const ws_look *look, const ws_table *table,
                            ws_error *error)
{
    size_t column;
    bool found = ws_table_find(table, look->column, &column);
    const char *setting = setting_without_use(cli, look);
    if (!found && (look->value || !may_be_made(cli, look->column)))
        return ws_fail(error, WS_USAGE, "--look: there is no column '%s'; there are: %s", look->column,
                       list_columns(arena, table));
    if (look->value && !has_value(table, column, look))
        return ws_fail(error, WS_USAGE, "--look: no row has the %s '%s'; there are: %s", look->column, look->value,
                       list_values(arena, table, column));
    if (setting)
        return ws_fail(error, WS_USAGE, "--look: the %s is of figures, and '%s' makes none", setting,
                       cli->command->name);
    return WS_OK;
}

static ws_status take_look(const ws_cli *cli, const char *text, const ws_table *table, ws_error *error)
{
    ws_arena *arena = &((ws_cli *)cli)->arena;
    ws_looks one = {0};
    ws_error why = {0};
    ws_status status = ws_looks_parse(&one, arena, text, &why);
    if (status != WS_OK)
        ws_fail(error, WS_USAGE, "--look: %s", why.message);
    for (size_t i = 0; i < one.n && status == WS_OK; i++)
        status = check_look(cli, arena, &one.items[i], table, error);
    if (status == WS_OK)
        ws_looks_merge(cli->looks, arena, &one);
    ws_looks_free(&one);
    return status;
}

bool ws_cli_take_looks(const ws_cli *cli, const ws_campaign *campaign, ws_table *table)
{
    ws_error error = {0};
    if (campaign)
        ws_looks_merge(cli->looks, &((ws_cli *)cli)->arena, &campaign->looks);
    for (size_t i = 0; i < cli->n_given; i++)
        if (strcmp(cli->given[i].option->name, "look") == 0 &&
            take_look(cli, cli->given[i].value, table, &error) != WS_OK) {
            ws_cli_fail(cli, &error);
            return false;
        }
    table->looks = cli->looks;
    return true;
}

bool ws_cli_check_made_looks(const ws_cli *cli, const ws_table *runs, const ws_table *made)
{
    ws_arena *arena = &((ws_cli *)cli)->arena;
    ws_looks one = {0};
    ws_error error = {0};
    for (size_t i = 0; i < cli->n_given && !error.status; i++) {
        size_t column;
        if (strcmp(cli->given[i].option->name, "look") != 0 ||
            ws_looks_parse(&one, arena, cli->given[i].value, &error) != WS_OK)
            continue;
        const char *name = one.items[one.n - 1].column;
        if (ws_table_find(made, name, &column))
            continue;
        if (ws_table_find(runs, name, &column))
            ws_fail(&error, WS_USAGE, "--look '%s' changes nothing here: the table has no %s; there are: %s",
                    cli->given[i].value, name, list_columns(arena, made));
        else
            ws_fail(&error, WS_USAGE, "--look: there is no column '%s'; there are: %s", name,
                    list_columns(arena, made));
    }
    ws_looks_free(&one);
    return !error.status || (ws_cli_fail(cli, &error), false);
}
