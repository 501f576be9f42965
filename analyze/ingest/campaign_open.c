#include "analyze/ingest/ingest.h"

#include "formats/campaign_json.h"

#include <stdio.h>
#include <string.h>

/* Folder grammars that are in use: those of the authors of Huber et al. 2025 (RAI-SCC/ResNet), then one folder a run. */
static const char *const built_in_rules[] = {
    "{series}/{gpus}g{lbs}b{workers}w{epochs}e{factor}sf/{job}/perun/perun.hdf5",
    "{series}/{gpus}g{lbs}b{workers}w{epochs}e{dataset_samples}s/{job}/perun/perun.hdf5",
    "{series}/{gpus}g{lbs}b{workers}w{epochs}e/{job}/perun/perun.hdf5",
    "{gpus}g{lbs}b{workers}w{epochs}e{factor}sf/{job}/perun/perun.hdf5",
    "{gpus}g{lbs}b{workers}w{epochs}e{dataset_samples}s/{job}/perun/perun.hdf5",
    "{gpus}g{lbs}b{workers}w{epochs}e/{job}/perun/perun.hdf5",
    "{gpus}g{lbs}b{epochs}e/{model}/{job}/perun_results/perun.hdf5",
};

static void add_default_rules(ws_campaign *c)
{
    size_t n = sizeof built_in_rules / sizeof *built_in_rules;
    c->paths = ws_arena_alloc(&c->arena, n * sizeof *c->paths);
    for (size_t i = 0; i < n; i++)
        c->paths[i].match = built_in_rules[i];
    c->n_paths = n;
}

static ws_status open_file(const char *path, ws_campaign *campaign, ws_error *error)
{
    ws_input *input;
    ws_status status = ws_input_open(&input, path, error);
    if (status == WS_OK)
        status = ws_campaign_json_read(input, campaign, error);
    ws_input_close(input);
    return status;
}

static const char *folder_of(ws_arena *arena, const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? ws_arena_strndup(arena, path, (size_t)(slash - path) + (slash == path)) : ".";
}

ws_status ws_campaign_open(const char *path, ws_campaign *campaign, ws_notes *notes, ws_error *error)
{
    *campaign = (ws_campaign){0};
    if (!ws_is_directory(path)) {
        ws_status status = open_file(path, campaign, error);
        campaign->source = ws_arena_strdup(&campaign->arena, path);
        campaign->folder = folder_of(&campaign->arena, path);
        return status;
    }
    size_t length = strlen(path);
    bool slash = length > 1 && path[length - 1] == '/';
    const char *folder = ws_arena_strndup(&campaign->arena, path, length - slash);
    const char *description = ws_arena_printf(&campaign->arena, "%s/campaign.json", folder);
    ws_status status = WS_OK;
    if (ws_is_file(description)) {
        status = open_file(description, campaign, error);
        campaign->source = description;
    } else {
        add_default_rules(campaign);
        campaign->source = folder;
        ws_notes_add(
            notes, WS_FINDING_NO_DESCRIPTION, folder, "", 0,
            "holds no campaign.json: the built-in path rules are used, and files outside of them are a run each "
            "('wattscale scan' proposes a description)");
    }
    campaign->folder = folder;
    return status;
}
