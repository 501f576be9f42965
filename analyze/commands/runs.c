#include "analyze/commands/data.h"

static const ws_option options[] = {
    WS_OPTIONS_CAMPAIGN,
    {NULL, 0, NULL, NULL},
};

static int run_runs(ws_cli *cli)
{
    ws_campaign campaign;
    ws_table runs;
    int status = ws_data_runs(cli, cli->arguments[0], &campaign, &runs);
    if (status == WS_EXIT_OK)
        status = ws_cli_output(cli, &runs);
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
        "metered as 'wattscale energy' does; what its path, the side files and the description say is added, and the "
        "rest follows:\n\n"
        "GPUh = gpus x wall_s / 3600; energy_kwh = GPU + CPU + DRAM as far as they were measured (energy_scope says "
        "which); kwh_per_gpuh = energy_kwh / gpu_h; samples_per_gpuh = epochs x dataset_samples / gpu_h; "
        "passes_per_gpuh = updates per hour; wh_per_sample counts each sample of the data set once, wh_per_sample_seen "
        "once an epoch.\n\n"
        "A table of runs may use its own names: --columns wall_s=run_time,gpus=accelerators says what is what, usual "
        "synonyms and units are understood, and --set gpus=1 fills what the table does not say.",
    .options = options,
    .example = "wattscale runs datasets/demo --exclude 'gpus>1'",
    .least = 1,
    .most = 1,
    .run = run_runs,
};
