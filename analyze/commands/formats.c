#include "analyze/commands/cli.h"

#include "formats/format.h"

static const char *const tried_names[] = {
    [WS_TRIED_NOT] = "", [WS_TRIED_HAND_MADE] = "hand-made", [WS_TRIED_REAL] = "real"};

static const char *list_quantities(ws_table *table, const ws_format *format)
{
    const char *list = format->is_record ? "records" : "";
    for (int q = 0; q < WS_QUANTITY_N; q++)
        if (format->gives & 1U << q)
            list = ws_arena_printf(&table->arena, "%s%s%s", list, *list ? " " : "", ws_quantity_name((ws_quantity)q));
    return list;
}

static int run_formats(ws_cli *cli)
{
    ws_table table;
    ws_table_init(&table, "formats");
    size_t name = ws_table_add_column(&table, "name", WS_TEXT), tier = ws_table_add_column(&table, "tier", WS_INTEGER);
    size_t kind = ws_table_add_column(&table, "kind", WS_TEXT), tried = ws_table_add_column(&table, "tried", WS_TEXT);
    size_t title = ws_table_add_column(&table, "title", WS_TEXT), gives = ws_table_add_column(&table, "gives", WS_TEXT);
    size_t example = cli->verbose ? ws_table_add_column(&table, "example", WS_TEXT) : 0;
    for (const ws_format *const *f = ws_formats(); *f; f++) {
        size_t row = ws_table_add_row(&table);
        ws_table_set_text(&table, name, row, (*f)->name);
        ws_table_set_integer(&table, tier, row, (*f)->tier);
        ws_table_set_text(&table, kind, row, (*f)->is_record ? "records" : "trace");
        ws_table_set_text(&table, tried, row, tried_names[(*f)->tried]);
        ws_table_set_text(&table, title, row, (*f)->title);
        ws_table_set_text(&table, gives, row, list_quantities(&table, *f));
        if (example)
            ws_table_set_text(&table, example, row, (*f)->example);
    }
    table.screen_keys = 1;
    table.folds_texts = true;
    int status = ws_cli_output(cli, &table);
    ws_table_free(&table);
    return status;
}

const ws_command ws_command_formats = {
    .name = "formats",
    .arguments = "",
    .summary = "the formats that are read",
    .description =
        "Lists the readers: traces give samples of power and energy, records give tables of runs and jobs. A file is "
        "recognised by its content; --as NAME of the other commands overrides that. -v adds sample lines.\n\n"
        "Tier 1 is what nearly every campaign has, 2 what many have, 3 what some have. A reader was tried on real "
        "files, as people logged them, or on hand-made ones only, after the format's documentation; what it gives are "
        "the quantities that such files can hold.",
    .options = NULL,
    .example = "wattscale formats",
    .least = 0,
    .most = 0,
    .run = run_formats,
};
