#include "analyze/commands/cli.h"

#include "analyze/ingest/propose.h"
#include "formats/campaign_json.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

static ws_status write_to(const ws_cli *cli, const char *path, const ws_campaign *campaign, ws_error *error)
{
    if (!ws_cli_has(cli, "force") && access(path, F_OK) == 0)
        return ws_fail_at(error, WS_IO, path, 0, "exists already (--force replaces it)");
    char *beside = ws_arena_printf((ws_arena *)&cli->arena, "%s.part", path);
    FILE *stream = fopen(beside, "w");
    if (!stream)
        return ws_fail_at(error, WS_IO, path, 0, "cannot be written: %s", strerror(errno));
    ws_status status = ws_campaign_json_write(stream, campaign, error);
    if (fclose(stream) != 0 && status == WS_OK)
        status = ws_fail_at(error, WS_IO, path, 0, "cannot be written: %s", strerror(errno));
    if (status == WS_OK && rename(beside, path) != 0)
        status = ws_fail_at(error, WS_IO, path, 0, "cannot be written: %s", strerror(errno));
    if (status != WS_OK)
        remove(beside);
    return status;
}

static int run(ws_cli *cli)
{
    ws_campaign campaign;
    ws_notes notes = {0};
    ws_error error = {0};
    const char *path = ws_cli_value(cli, "output");
    ws_status status = ws_propose_campaign(cli->arguments[0], &campaign, &notes, &error);
    if (!cli->quiet)
        ws_notes_write(cli->err, &notes);
    if (status == WS_OK)
        status = path ? write_to(cli, path, &campaign, &error) : ws_campaign_json_write(cli->out, &campaign, &error);
    ws_notes_free(&notes);
    ws_campaign_free(&campaign);
    return status == WS_OK ? WS_EXIT_OK : ws_cli_fail(cli, &error);
}

const ws_command ws_command_scan = {
    .name = "scan",
    .arguments = "DIR",
    .summary = "find runs and propose a campaign.json",
    .description = "Looks at every file below DIR, recognises traces and side files by content, and proposes a campaign.json whose path\n"
                   "rules turn the names of folders and files into fields: {gpus}, {lbs}, {epochs}, {job}, {node}. What could not\n"
                   "be inferred is listed on standard error, with what it is needed for. The proposal goes to standard output or\n"
                   "to -o FILE; put it into the folder, edit it, and every command on campaigns will follow it.",
    .options = NULL,
    .example = "wattscale scan datasets/demo",
    .least = 1,
    .most = 1,
    .run = run,
};
