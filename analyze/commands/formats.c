#include "analyze/commands/cli.h"

#include "formats/format.h"

static int run(ws_cli *cli)
{
    ws_table table;
    ws_table_init(&table, "formats");
    size_t name = ws_table_add_column(&table, "name", WS_TEXT), kind = ws_table_add_column(&table, "kind", WS_TEXT);
    size_t title = ws_table_add_column(&table, "title", WS_TEXT);
    size_t example = cli->verbose ? ws_table_add_column(&table, "example", WS_TEXT) : 0;
    for (const ws_format *const *f = ws_formats(); *f; f++) {
        size_t row = ws_table_add_row(&table);
        ws_table_set_text(&table, name, row, (*f)->name);
        ws_table_set_text(&table, kind, row, (*f)->is_record ? "records" : "trace");
        ws_table_set_text(&table, title, row, (*f)->title);
        if (example)
            ws_table_set_text(&table, example, row, (*f)->example);
    }
    int status = ws_cli_output(cli, &table);
    ws_table_free(&table);
    return status;
}

const ws_command ws_command_formats = {
    .name = "formats",
    .arguments = "",
    .summary = "the formats that are read",
    .description =
        "Lists the readers: traces give samples of power and energy, records give tables of runs and jobs. A file is\n"
        "recognised by its content; --as NAME of the other commands overrides that. -v adds sample lines.",
    .options = NULL,
    .example = "wattscale formats",
    .least = 0,
    .most = 0,
    .run = run,
};
