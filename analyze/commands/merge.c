#include "analyze/commands/data.h"
#include "analyze/commands/ingest_store.h"
#include "analyze/commands/unfinished.h"

#include "analyze/store/store.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const ws_option options[] = {
    {"output", 'o', "FILE", "the store to write"},
    {"force", 0, NULL, "replace it where it exists"},
    {NULL, 0, NULL, NULL},
};

static ws_status merge_all(ws_cli *cli, ws_store *store, bool *has_changed, ws_error *error)
{
    ws_status status = WS_OK;
    for (size_t i = 0; i < cli->n_arguments && status == WS_OK; i++)
        status = ws_store_merge(store, cli->arguments[i], has_changed, error);
    return status;
}

/* Are the parts, "2/2,1/2", all there are? */
static bool has_all_parts(const char *parts)
{
    enum { MOST = 1000000 };
    const char *slash = parts ? strchr(parts, '/') : NULL;
    unsigned long of = slash ? strtoul(slash + 1, NULL, 10) : 0, n = 0;
    if (!of || of > MOST)
        return false;
    bool *is_there = ws_alloc((of + 1) * sizeof *is_there);
    for (const char *at = parts; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        char *end;
        unsigned long part = strtoul(at, &end, 10);
        bool is_new = *end == '/' && strtoul(end + 1, NULL, 10) == of && part && part <= of && !is_there[part];
        if (is_new)
            is_there[part] = true;
        n += is_new;
    }
    free(is_there);
    return n == of;
}

typedef struct merged {
    ws_store_counts counts;
    bool has_changed; /* a file, between two of the stores */
    bool has_tables;
    const char *arguments; /* how it was read; "": as it is without any */
} merged;

/* The folder of the campaign, or its description, where all parts are there; else NULL. */
static const char *campaign_of(ws_cli *cli, ws_store *store)
{
    const char *file = ws_store_written_meta(store, "file");
    return has_all_parts(ws_store_written_meta(store, "parts"))
               ? ws_arena_printf(&cli->arena, "%s%s%s", ws_store_written_meta(store, "folder"),
                                 file && *file ? "/" : "", file ? file : "")
               : NULL;
}

static void make_tables(ws_cli *cli, ws_store *store, merged *m)
{
    const char *campaign = campaign_of(cli, store), *arguments = ws_store_written_meta(store, "arguments");
    m->arguments = ws_arena_strdup(&cli->arena, arguments ? arguments : "");
    m->has_tables = campaign && ws_ingest_makes_tables(cli, store, campaign, m->arguments);
}

/* The new store begins empty: an old one at its place is not taken in. */
static ws_status merge_into(ws_cli *cli, const char *path, merged *m, ws_error *error)
{
    ws_store *store;
    ws_unfinished_hold(); /* until it is known whose the lock is */
    ws_status status = ws_store_begin_empty(&store, path, "", error);
    if (status == WS_OK) {
        ws_unfinished_add(ws_store_lock_path(&cli->arena, path));
        ws_unfinished_add(ws_store_part_path(&cli->arena, path));
        ws_unfinished_add(ws_store_joined_path(&cli->arena, path));
    }
    ws_unfinished_release();
    if (status == WS_OK)
        status = merge_all(cli, store, &m->has_changed, error);
    if (status == WS_OK)
        make_tables(cli, store, m);
    ws_unfinished_hold();
    if (status == WS_OK)
        status = ws_store_finish(store, false, &m->counts, error);
    ws_store_close(store);
    ws_unfinished_forget();
    ws_unfinished_release();
    return status;
}

static int run_merge(ws_cli *cli)
{
    const char *path = ws_cli_value(cli, "output");
    merged m = {.arguments = ""};
    ws_error error = {0};
    if (!path || !*path)
        return ws_cli_usage(cli, "-o FILE is needed: the store to write");
    if (access(path, F_OK) == 0 && !ws_cli_has(cli, "force")) {
        ws_fail_at(&error, WS_IO, path, 0, "exists already (--force replaces it)");
        return ws_cli_fail(cli, &error);
    }
    if (merge_into(cli, path, &m, &error) != WS_OK)
        return ws_cli_fail(cli, &error);
    const char *changed = m.has_changed ? ", those that have changed between them as they were seen last" : "";
    fprintf(cli->out, "%s: %zu file%s of %zu store%s%s, %s\n", path, m.counts.inputs, m.counts.inputs == 1 ? "" : "s",
            cli->n_arguments, cli->n_arguments == 1 ? "" : "s", changed,
            m.has_tables ? "with the tables of all runs"
            : *m.arguments
                ? "without tables: 'wattscale ingest CAMPAIGN --store FILE', with the options that its parts "
                  "had, makes them"
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
        "once. A file that has changed between two ingests counts as it was seen last.\n\n"
        "Where all parts are there, and the campaign in its folder as it was, the tables for people are made. Else "
        "'wattscale ingest CAMPAIGN --store FILE', which reads only files that no part has read, makes them.",
    .options = options,
    .example = "wattscale merge part1.wattscale part2.wattscale -o campaign.wattscale",
    .least = 1,
    .most = -1,
    .no_table = "what merge writes is a store",
    .run = run_merge,
};
