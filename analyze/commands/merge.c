#include "analyze/commands/data.h"
#include "analyze/commands/ingest_store.h"
#include "analyze/commands/unfinished.h"

#include "analyze/store/store.h"

#include <string.h>
#include <unistd.h>

static const ws_option options[] = {
    {"output", 'o', "FILE", "the store to write"},
    {"force", 0, NULL, "replace it where it exists"},
    {NULL, 0, NULL, NULL},
};

static ws_status merge_all(ws_cli *cli, ws_store *store, ws_error *error)
{
    ws_status status = WS_OK;
    for (size_t i = 0; i < cli->n_arguments && status == WS_OK; i++)
        status = ws_store_merge(store, cli->arguments[i], error);
    return status;
}

static bool has_part(const char *parts, unsigned long wanted, unsigned long of)
{
    for (const char *at = parts; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        unsigned long part, n;
        if (sscanf(at, "%lu/%lu", &part, &n) == 2 && part == wanted && n == of)
            return true;
    }
    return false;
}

/* Are the parts, "2/2,1/2", all there are? */
static bool has_all_parts(const char *parts)
{
    enum { MOST = 1000000 };
    unsigned long part, of = 0, wanted = 1;
    if (!parts || sscanf(parts, "%lu/%lu", &part, &of) != 2 || of > MOST)
        return false;
    while (wanted <= of && has_part(parts, wanted, of))
        wanted++;
    return wanted > of;
}

/* The new store begins empty: an old one at its place is not taken in. */
static ws_status merge_into(ws_cli *cli, const char *path, ws_store_counts *counts, const char **folder,
                            ws_error *error)
{
    *folder = NULL;
    ws_store *store;
    ws_unfinished_hold(); /* until it is known whose the lock is */
    ws_status status = ws_store_begin_empty(&store, path, "", error);
    if (status == WS_OK) {
        ws_unfinished_add(ws_store_lock_path(&cli->arena, path));
        ws_unfinished_add(ws_store_part_path(&cli->arena, path));
    }
    ws_unfinished_release();
    if (status == WS_OK)
        status = merge_all(cli, store, error);
    if (status == WS_OK && has_all_parts(ws_store_written_meta(store, "parts")))
        *folder = ws_arena_strdup(&cli->arena, ws_store_written_meta(store, "folder"));
    ws_unfinished_hold();
    if (status == WS_OK)
        status = ws_store_finish(store, false, counts, error);
    ws_store_close(store);
    ws_unfinished_forget();
    ws_unfinished_release();
    return status;
}

static int run_merge(ws_cli *cli)
{
    const char *path = ws_cli_value(cli, "output"), *folder;
    ws_store_counts counts = {0};
    ws_error error = {0};
    if (!path || !*path)
        return ws_cli_usage(cli, "-o FILE is needed: the store to write");
    if (access(path, F_OK) == 0 && !ws_cli_has(cli, "force")) {
        ws_fail_at(&error, WS_IO, path, 0, "exists already (--force replaces it)");
        return ws_cli_fail(cli, &error);
    }
    if (merge_into(cli, path, &counts, &folder, &error) != WS_OK)
        return ws_cli_fail(cli, &error);
    bool has_tables = folder && ws_ingest_makes_tables(cli, folder, path);
    fprintf(cli->out, "%s: %zu files of %zu stores, %s\n", path, counts.inputs, cli->n_arguments,
            has_tables ? "with the tables of all runs"
                       : "without tables: 'wattscale ingest CAMPAIGN --store FILE' makes them");
    return WS_EXIT_OK;
}

const ws_command ws_command_merge = {
    .name = "merge",
    .arguments = "STORE... -o FILE",
    .summary = "join the stores of the parts of a campaign",
    .description =
        "Joins stores that 'wattscale ingest --shard I/N' has made of one campaign, in any order: commands on the "
        "result print what they print on the store of one ingest. Stores of different campaigns, or read with "
        "different options, are refused, and so are two that read one file differently; what both hold alike counts "
        "once.\n\n"
        "Where all parts are there, and the campaign in its folder as it was, the tables for people are made. Else "
        "'wattscale ingest CAMPAIGN --store FILE', which reads only files that no part has read, makes them.",
    .options = options,
    .example = "wattscale merge part1.wattscale part2.wattscale -o campaign.wattscale",
    .least = 1,
    .most = -1,
    .no_table = "what merge writes is a store",
    .run = run_merge,
};
