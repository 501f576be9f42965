#include "analyze/commands/cli.h"

#include "core/finding.h"

typedef enum column { CODE, SEVERITY, TAKES, EFFECT, MEANING, SECTION } column;

static void add_finding(ws_table *table, ws_finding finding)
{
    const ws_finding_info *about = ws_finding_about(finding);
    size_t row = ws_table_add_row(table);
    ws_table_set_text(table, CODE, row, about->code);
    ws_table_set_text(table, SEVERITY, row, ws_severity_name(about->severity));
    ws_table_set_text(table, TAKES, row, ws_takes_name(about->takes));
    ws_table_set_text(table, EFFECT, row, ws_finding_effect_name(about->effect));
    ws_table_set_text(table, MEANING, row, about->meaning);
    ws_table_set_text(table, SECTION, row, about->section);
}

static int add_named(ws_cli *cli, ws_table *table)
{
    for (size_t i = 0; i < cli->n_arguments; i++) {
        ws_finding finding;
        if (!ws_finding_named(cli->arguments[i], &finding))
            return ws_cli_usage(cli, "there is no finding '%s': 'wattscale findings' lists them", cli->arguments[i]);
        add_finding(table, finding);
    }
    return WS_EXIT_OK;
}

static int run_findings(ws_cli *cli)
{
    static const char *const columns[] = {[CODE] = "code",      [SEVERITY] = "severity", [TAKES] = "takes",
                                          [EFFECT] = "verdict", [MEANING] = "meaning",   [SECTION] = "section"};
    ws_table table;
    ws_table_init(&table, "findings");
    table.screen_keys = 1;
    table.folds_texts = true;
    for (size_t c = 0; c < sizeof columns / sizeof *columns; c++)
        ws_table_add_column(&table, columns[c], WS_TEXT);
    int status = add_named(cli, &table);
    for (int f = 0; f < WS_FINDING_N && !cli->n_arguments; f++)
        add_finding(&table, (ws_finding)f);
    if (status == WS_EXIT_OK)
        status = ws_cli_output(cli, &table);
    ws_table_free(&table);
    return status;
}

const ws_command ws_command_findings = {
    .name = "findings",
    .arguments = "[CODE...]",
    .summary = "what the codes of findings mean",
    .description =
        "Lists the findings that stand in [brackets] on standard error and in the notes of tables, or those named.\n\n"
        "severity says how grave one is: result (what a command found out), remark (how something was read), assumed "
        "(a number depends on a meaning that the input does not state), doubt (the number stands as read, and "
        "something speaks against it), loss (something of the input is not in the numbers), asked (the number is empty "
        "until an option says what the input means), failure (a file or a part of one cannot be read: exit status 3). "
        "takes says what is missing then, and section where docs/ says more.\n\n"
        "verdict says how one weighs in the column energy_verdict: nothing, interval (by how far "
        "the energy may be off because of it, by the device's own readings), joules (by the joules that it may have "
        "added or left out), doubtful (the energy is doubtful at least), unusable (nothing bounds what it means).",
    .options = NULL,
    .example = "wattscale findings long-gap counter-wrap",
    .least = 0,
    .most = -1,
    .run = run_findings,
};
