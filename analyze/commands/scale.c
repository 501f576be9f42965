#include "analyze/commands/data.h"

static const ws_option options[] = {
    WS_OPTIONS_SCALING,
    WS_OPTIONS_CAMPAIGN,
    {NULL, 0, NULL, NULL},
};

static int run_scale(ws_cli *cli)
{
    ws_campaign campaign;
    ws_table runs, scale = {0};
    int status = ws_data_runs(cli, cli->arguments[0], &campaign, &runs);
    if (status == WS_EXIT_OK)
        status = ws_data_scale(cli, &campaign, &runs, NULL, &scale);
    if (status == WS_EXIT_OK)
        status = ws_cli_output(cli, &scale);
    ws_table_free(&scale);
    ws_table_free(&runs);
    ws_campaign_free(&campaign);
    return status;
}

const ws_command ws_command_scale = {
    .name = "scale",
    .arguments = "CAMPAIGN",
    .summary = "one row a configuration: repeats, speed-up, efficiency, energy",
    .description =
        "Groups the runs into configurations and averages the repeats: X is the mean, X_rmse the root mean square "
        "about it (divisor n, as Huber et al. 2025 print it), X_sd the sample standard deviation (divisor n - 1, with "
        "--sd).\n\n"
        "speedup = mean wall time of the reference / mean wall time. efficiency = speedup x n_ref / n for strong "
        "scaling, speedup for weak scaling, where every GPU has the same samples to see; the column scaling says "
        "which. The standard errors come from the repeats of both sides; the reference has none.\n\n"
        "The reference is the configuration with the fewest GPUs of the same series; --reference all takes the fewest "
        "of all, --reference gpus=4 that number. A run that stands twice in one configuration is refused by name.",
    .options = options,
    .example = "wattscale scale datasets/demo --format csv",
    .least = 1,
    .most = 1,
    .run = run_scale,
};
