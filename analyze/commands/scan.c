#include "analyze/commands/cli.h"

#include "analyze/ingest/propose.h"
#include "formats/campaign_json.h"

static ws_status write_campaign(FILE *stream, const void *campaign, ws_error *error)
{
    return ws_campaign_json_write(stream, campaign, error);
}

static const ws_option options[] = {WS_OPTION_THREADS, {NULL, 0, NULL, NULL}};

static int run_scan(ws_cli *cli)
{
    ws_campaign campaign;
    ws_proposal proposal;
    ws_propose_options propose = {0};
    ws_notes notes = {0};
    ws_error error = {0};
    if (!ws_cli_threads(cli, &propose.threads))
        return WS_EXIT_USAGE;
    ws_status status = ws_propose_campaign(cli->arguments[0], &propose, &campaign, &proposal, &notes, &error);
    campaign.synthetic = ws_is_in_synthetic_campaign(cli->arguments[0]);
    ws_cli_count_unread(cli, cli->arguments[0], &notes);
    if (!cli->quiet)
        ws_notes_write(cli->err, &notes);
    if (status == WS_OK)
        status = ws_cli_write(cli, write_campaign, &campaign, &error);
    ws_notes_free(&notes);
    ws_proposal_free(&proposal);
    ws_campaign_free(&campaign);
    return status == WS_OK ? WS_EXIT_OK : ws_cli_fail(cli, &error);
}

const ws_command ws_command_scan = {
    .name = "scan",
    .arguments = "DIR",
    .summary = "find runs and propose a campaign.json",
    .description =
        "Looks at every file below DIR, recognises traces and side files by content, and proposes a campaign.json whose path\n"
        "rules turn the names of folders and files into fields: {gpus}, {lbs}, {epochs}, {job}, {node}. What could not\n"
        "be inferred is listed on standard error, with what it is needed for. The proposal goes to standard output or\n"
        "to -o FILE; put it into the folder, edit it, and every command on campaigns will follow it.",
    .options = options,
    .example = "wattscale scan datasets/demo",
    .least = 1,
    .most = 1,
    .run = run_scan,
};
