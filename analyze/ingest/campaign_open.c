#include "analyze/ingest/ingest.h"

#include "analyze/ingest/propose.h"
#include "analyze/folder_walk.h"
#include "analyze/store/store.h"
#include "formats/campaign_json.h"
#include "formats/input/input.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How the authors of Huber et al. 2025 (RAI-SCC/ResNet) name their folders. */
static const char *const huber_rules[] = {
    "{series}/{gpus}g{lbs}b{workers}w{epochs}e{factor}sf/{job}/perun/perun.hdf5",
    "{series}/{gpus}g{lbs}b{workers}w{epochs}e{dataset_samples}s/{job}/perun/perun.hdf5",
    "{series}/{gpus}g{lbs}b{workers}w{epochs}e/{job}/perun/perun.hdf5",
    "{gpus}g{lbs}b{workers}w{epochs}e{factor}sf/{job}/perun/perun.hdf5",
    "{gpus}g{lbs}b{workers}w{epochs}e{dataset_samples}s/{job}/perun/perun.hdf5",
    "{gpus}g{lbs}b{workers}w{epochs}e/{job}/perun/perun.hdf5",
    "{gpus}g{lbs}b{epochs}e/{model}/{job}/perun_results/perun.hdf5",
};

enum { HUBER_RULES = sizeof huber_rules / sizeof *huber_rules };

static void add_huber_rules(ws_campaign *c)
{
    c->paths = ws_arena_alloc(&c->arena, HUBER_RULES * sizeof *c->paths);
    for (size_t i = 0; i < HUBER_RULES; i++)
        c->paths[i].match = huber_rules[i];
    c->n_paths = HUBER_RULES;
}

/* Does any file below the folder match one of the rules? */
static bool has_huber_names(const char *folder, const ws_file_list *files)
{
    ws_arena arena = {0};
    bool has = false;
    for (size_t i = 0; i < files->n && !has; i++) {
        const char *path = files->paths[i] + strlen(folder);
        for (size_t k = 0; k < HUBER_RULES && !has; k++) {
            ws_fields fields = {0};
            has = ws_path_match(huber_rules[k], path + (*path == '/'), &fields, &arena);
            ws_fields_free(&fields);
        }
    }
    ws_arena_free(&arena);
    return has;
}

static ws_status open_file(const char *path, ws_campaign *campaign, ws_input_register *inputs, ws_error *error)
{
    ws_input *input;
    ws_status status = ws_input_open(&input, path, error);
    if (status == WS_OK)
        status = ws_campaign_json_read(input, campaign, error);
    if (status == WS_OK && inputs)
        ws_input_register_add(inputs, path, NULL, input);
    ws_input_close(input);
    return status;
}

/* Reads what `wattscale scan` would write for the folder, as if it were there; the campaign owns all of it. False if
 * nothing below the folder is a run. */
static bool read_proposal(const char *path, const ws_file_list *files, ws_scan_memory *memory, ws_campaign *campaign)
{
    ws_propose_options options = {.files = files, .memory = memory};
    ws_campaign proposed = {0};
    ws_proposal proposal = {0};
    ws_notes notes = {0}; /* dropped: reading the files repeats them */
    char *text = NULL;
    size_t n = 0;
    FILE *stream = open_memstream(&text, &n);
    bool is_written = stream && ws_propose_campaign(path, &options, &proposed, &proposal, &notes, NULL) == WS_OK &&
                      ws_campaign_json_write(stream, &proposed, NULL) == WS_OK;
    if (stream)
        is_written &= fclose(stream) == 0;
    ws_input *input = is_written ? ws_input_from_memory(path, text, n) : NULL;
    bool is_read = input && ws_campaign_json_read(input, campaign, NULL) == WS_OK && campaign->n_paths;
    ws_input_close(input);
    free(text);
    ws_notes_free(&notes);
    ws_proposal_free(&proposal);
    ws_campaign_free(&proposed);
    return is_read;
}

static const char *folder_of(ws_arena *arena, const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? ws_arena_strndup(arena, path, (size_t)(slash - path) + (slash == path)) : ".";
}

static void load_memory(ws_scan_memory *memory, const char *folder)
{
    ws_arena arena = {0};
    ws_scan_memory_load(memory,
                        memory->store ? memory->store : ws_arena_printf(&arena, "%s/%s", folder, WS_STORE_NAME));
    ws_arena_free(&arena);
}

/* By Huber's names, else as `wattscale scan` proposes. If nothing below the folder is a run, reading says why. */
static void take_proposal(const char *path, ws_scan_memory *memory, ws_campaign *campaign, ws_notes *notes)
{
    ws_file_list files = {0};
    ws_walk(path, &files, NULL, NULL); /* what cannot be listed is told when the files are read */
    bool is_hubers = has_huber_names(path, &files);
    if (!is_hubers && memory)
        load_memory(memory, path);
    if (is_hubers || !read_proposal(path, &files, memory, campaign)) {
        ws_campaign_free(campaign);
        *campaign = (ws_campaign){0};
        add_huber_rules(campaign);
    }
    ws_file_list_free(&files);
    campaign->synthetic |= ws_is_in_synthetic_campaign(path);
    ws_notes_add(
        notes, WS_FINDING_NO_DESCRIPTION, path, "", 0,
        is_hubers ? "holds no campaign.json: the names of its folders say what its runs are"
                  : "holds no campaign.json: its files are read as 'wattscale scan' proposes ('wattscale scan DIR -o "
                    "DIR/campaign.json' keeps that)");
}

ws_status ws_campaign_open(const char *path, ws_campaign *campaign, ws_input_register *inputs, ws_scan_memory *memory,
                           ws_notes *notes, ws_error *error)
{
    *campaign = (ws_campaign){0};
    if (!ws_is_directory(path)) {
        ws_status status = open_file(path, campaign, inputs, error);
        campaign->source = ws_arena_strdup(&campaign->arena, path);
        campaign->folder = folder_of(&campaign->arena, path);
        return status;
    }
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    ws_arena arena = {0};
    const char *folder = ws_arena_strndup(&arena, path, length);
    const char *description = ws_arena_printf(&arena, "%s/campaign.json", folder);
    bool is_described = ws_is_file(description);
    ws_status status = WS_OK;
    if (is_described)
        status = open_file(description, campaign, inputs, error);
    else
        take_proposal(folder, memory, campaign, notes);
    campaign->folder = ws_arena_strdup(&campaign->arena, folder);
    campaign->source = is_described ? ws_arena_strdup(&campaign->arena, description) : campaign->folder;
    ws_arena_free(&arena);
    return status;
}
