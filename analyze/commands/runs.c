#include "analyze/commands/data.h"

#include "analyze/ingest/run_energy.h"
#include "analyze/ingest/run_columns.h"
#include "analyze/ingest/run_files.h"
#include "analyze/commands/budget_table.h"

static const ws_option options[] = {
    {"files", 0, NULL, "instead a row a run and file: format, size, SHA-256, readings, findings"},
    WS_OPTION_LOOK,
    WS_OPTIONS_CAMPAIGN,
    {"budget", 0, NULL, "the parts of the uncertainty of each run's energy, a row a part"},
    {NULL, 0, NULL, NULL},
};

static int show_files(ws_cli *cli, const ws_table *runs)
{
    ws_table files;
    ws_run_files_register(cli->history, cli->inputs);
    ws_run_files_table(runs, cli->history, cli->inputs, &files);
    int status = ws_cli_output(cli, &files);
    ws_table_free(&files);
    return status;
}

static int print_budgets(const ws_cli *cli, ws_table *runs)
{
    ws_table table;
    ws_budget budget;
    ws_budget_table_init(&table, "kwh");
    ws_notes_append(&table.notes, &runs->notes);
    table.synthetic = runs->synthetic;
    for (size_t row = 0; row < runs->n_rows; row++) {
        ws_budget_subject subject = {.run = runs->columns[WS_COL_RUN].text[row],
                                     .domain = runs->columns[WS_COL_ENERGY_SCOPE].text[row]};
        if (ws_runs_budget(runs, row, &budget))
            ws_budget_table_add(&table, &subject, &budget, ws_runs_get(runs, WS_COL_ENERGY, row) * 3.6e6);
    }
    table.screen_keys = 2; /* domain and component */
    int status = ws_cli_output(cli, &table);
    ws_table_free(&table);
    return status;
}

/* For a screen: what runs share in a line above them. */
static void lay_out(ws_table *runs)
{
    static const ws_run_column shared[] = {WS_COL_SERIES, WS_COL_MODEL, WS_COL_MODEL_CLASS, WS_COL_DEVICE};
    for (size_t i = 0; i < sizeof shared / sizeof *shared; i++)
        ws_table_set_place(runs, shared[i], WS_HEADING);
    ws_table_set_place(runs, WS_COL_ENERGY_SCOPE, WS_NAMED_HEADING);
    ws_table_set_place(runs, WS_COL_STATUS, WS_REMARK);
    runs->screen_keys = 1;
    runs->heads_if_wide = true;
}

static int run_runs(ws_cli *cli)
{
    ws_campaign campaign;
    ws_table runs;
    ws_history history = {0};
    bool shows_files = ws_cli_has(cli, "files");
    if (shows_files) {
        cli->inputs = ws_input_register_new();
        cli->history = &history;
    }
    int status = ws_data_runs(cli, cli->arguments[0], &campaign, &runs);
    if (status == WS_EXIT_OK)
        lay_out(&runs);
    if (status == WS_EXIT_OK)
        status = shows_files                 ? show_files(cli, &runs)
                 : ws_cli_has(cli, "budget") ? print_budgets(cli, &runs)
                                             : ws_cli_output(cli, &runs);
    ws_input_register_free(cli->inputs);
    cli->inputs = NULL;
    cli->history = NULL;
    ws_history_free(&history);
    ws_table_free(&runs);
    ws_campaign_free(&campaign);
    return status;
}

const ws_command ws_command_runs = {
    .name = "runs",
    .arguments = "CAMPAIGN",
    .summary = "one row a run: time, GPUh, energy by domain, per-GPUh figures",
    .description =
        "CAMPAIGN is a folder, a campaign.json, a table of runs (CSV or JSON) or a single trace. A run's traces are "
        "metered as 'wattscale energy' does; what its path, its side files (job logs, sacct, results) and the "
        "description say is added, and the rest follows:\n\n"
        "GPUh = gpus x wall_s / 3600; energy_kwh = GPU + CPU + DRAM as far as they were measured (energy_scope says "
        "which); kwh_per_gpuh = energy_kwh / gpu_h; samples_per_gpuh = epochs x dataset_samples / gpu_h; "
        "passes_per_gpuh = updates per hour; wh_per_sample counts each sample of the data set once, wh_per_sample_seen "
        "once an epoch.\n\n"
        "The u behind an energy (energy_u_kwh) is its standard uncertainty; --all-columns shows its 95 % interval "
        "(energy_lo_kwh, energy_hi_kwh), --budget what it is made of. Where an energy is doubtful or cannot be used, "
        "a column energy_verdict says so, and 'wattscale check' why.\n\n"
        "A table of runs may use its own names: --columns wall_s=run_time,gpus=accelerators says what is what, usual "
        "synonyms and units are understood, and --set gpus=1 fills what the table does not say.\n\n"
        "--files lists the files that each run was made of, with what was read of them, and the side files that said "
        "something of it. 'wattscale explain' shows how one number of a run came about.",
    .options = options,
    .example = "wattscale runs datasets/demo --exclude 'gpus>1'",
    .least = 1,
    .most = 1,
    .run = run_runs,
};
