#include "analyze/commands/data.h"

#include "analyze/ingest/propose.h"
#include "analyze/ingest/scan_report.h"
#include "formats/campaign_json.h"

static ws_status write_campaign(FILE *stream, const void *campaign, ws_error *error)
{
    return ws_campaign_json_write(stream, campaign, error);
}

static const ws_option options[] = {
    {"set", 0, "NAME=VALUE", "what no path says of every run: dataset_samples=50000; may be given again"},
    {"pattern", 0, "PATTERN", "how paths are read: '{model}_{gpus}gpu_bs{gbs}_rep{repeat}/gpu.csv'"},
    WS_OPTION_THREADS,
    {NULL, 0, NULL, NULL}};

static bool take_options(ws_cli *cli, ws_propose_options *propose)
{
    propose->pattern = ws_cli_value(cli, "pattern");
    return ws_cli_threads(cli, &propose->threads) && ws_cli_take_set(cli, &propose->set, &cli->arena);
}

static int run_scan(ws_cli *cli)
{
    ws_campaign campaign;
    ws_proposal proposal;
    ws_propose_options propose = {0};
    ws_notes notes = {0};
    ws_error error = {0};
    if (!take_options(cli, &propose)) {
        ws_fields_free(&propose.set);
        return WS_EXIT_USAGE;
    }
    ws_status status = ws_propose_campaign(cli->arguments[0], &propose, &campaign, &proposal, &notes, &error);
    campaign.synthetic = ws_is_in_synthetic_campaign(cli->arguments[0]);
    ws_cli_count_unread(cli, cli->arguments[0], &notes);
    if (!cli->quiet)
        ws_notes_write(cli->err, &notes);
    if (!cli->quiet && status == WS_OK)
        ws_scan_report(cli->err, &campaign, &proposal);
    if (status == WS_OK)
        status = ws_cli_write(cli, write_campaign, &campaign, &error);
    ws_notes_free(&notes);
    ws_fields_free(&propose.set);
    ws_proposal_free(&proposal);
    ws_campaign_free(&campaign);
    return status == WS_OK ? WS_EXIT_OK : ws_cli_fail(cli, &error);
}

const ws_command ws_command_scan = {
    .name = "scan",
    .arguments = "DIR",
    .summary = "find runs and propose a campaign.json",
    .description =
        "Looks at every file below DIR, recognises traces and side files by content, and proposes a campaign.json "
        "whose path rules turn the names of folders and files into fields: {gpus}, {lbs}, {epochs}, {job}, {node}. "
        "What was understood goes to standard error: the fields with their values, three paths and what was read off "
        "them, what is missing for which numbers, what was not understood. --set adds what no path says, --pattern "
        "says at once how paths are read; paths that it does not take are read as without it. The proposal goes to "
        "standard output or to -o FILE; put it into the folder, edit it, and every command on campaigns will follow "
        "it.",
    .options = options,
    .example = "wattscale scan datasets/demo",
    .least = 1,
    .most = 1,
    .no_table = "what scan proposes is a campaign.json",
    .run = run_scan,
};
