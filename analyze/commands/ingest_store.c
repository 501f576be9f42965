#define _XOPEN_SOURCE 700 /* realpath */
#include "analyze/commands/data.h"
#include "analyze/commands/ingest_store.h"
#include "analyze/commands/progress_line.h"
#include "analyze/commands/unfinished.h"

#include "analyze/ingest/run_columns.h"
#include "analyze/scan_memory.h"
#include "analyze/store_tables.h"
#include "analyze/store/store.h"
#include "analyze/store/unit_key.h"
#include "formats/campaign_json.h"
#include "formats/input/input.h"

#include <stdlib.h>
#include <string.h>

static const ws_option options[] = {
    {"store", 0, "FILE", "the store to write; default: campaign.wattscale beside the campaign"},
    {"shard", 0, "I/N", "only the runs of part I of N; default: as an array job of Slurm is told"},
    {"prune", 0, NULL, "forget files that are not there any more"},
    {"verify", 0, NULL, "compare the content of every file, whatever its size and time say"},
    {"as", 0, "FORMAT", "read the traces as this format"},
    {"columns", 0, "MAP", "where things stand in traces: time=...,power=..."},
    {"set", 0, "NAME=VALUE", "a field of every run that has none: gpus=1; may be given again"},
    {"period", 0, "SECONDS", "sampling period of traces that hold no time"},
    {"tz", 0, "ZONE", "zone of stamps that name none"},
    WS_OPTIONS_METER,
    WS_OPTION_THREADS,
    {"strict", 0, NULL, "a file that cannot be read to its end: exit status 3"},
    {NULL, 0, NULL, NULL},
};

typedef struct ingester {
    ws_cli *cli;
    ws_ingest_options options;
    ws_campaign campaign;
    ws_table runs;
    ws_store_tables tables;
    ws_scan_memory memory;
    ws_store *store;
    const char *campaign_path, *path; /* of the campaign and of the store */
    ws_progress progress;
    bool is_shard, is_of_array; /* a part; of a job array, which nobody asked for by --shard */
} ingester;

/* The part of a job of an array of Slurm, which may count in steps. Where the array has gaps no job is told how many
 * come before it. Returns why the part cannot be known; NULL: it is, or there is no array, and n stays 0. */
static const char *slurm_shard(ws_arena *arena, unsigned long *shard, unsigned long *n)
{
    enum { TASK, LEAST, COUNT, MOST, STEP, VARIABLES, LARGEST = 100000000 };
    static const char *const names[VARIABLES] = {"SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_MIN",
                                                 "SLURM_ARRAY_TASK_COUNT", "SLURM_ARRAY_TASK_MAX",
                                                 "SLURM_ARRAY_TASK_STEP"};
    long value[VARIABLES] = {0};
    bool is_set[VARIABLES];
    for (int i = 0; i < VARIABLES; i++) {
        const char *text = getenv(names[i]);
        char *end = NULL;
        is_set[i] = text && *text;
        if (!is_set[TASK])
            return NULL;
        if (!is_set[i] && i <= COUNT)
            return ws_arena_printf(arena, "%s is set, and %s is not", names[TASK], names[i]);
        value[i] = is_set[i] ? strtol(text, &end, 10) : 0;
        if (is_set[i] && (*end || value[i] < 0 || value[i] > LARGEST))
            return ws_arena_printf(arena, "%s is '%s', which is no number of a job array", names[i], text);
    }
    long step = value[STEP] > 0 ? value[STEP] : 1, place = value[TASK] - value[LEAST];
    if (place < 0 || (is_set[MOST] && value[TASK] > value[MOST]))
        return ws_arena_printf(arena, "%s is %ld, which is outside of %s and _MAX", names[TASK], value[TASK],
                               names[LEAST]);
    if (place % step != 0 || place / step >= value[COUNT] ||
        (is_set[MOST] && (value[MOST] - value[LEAST]) / step + 1 != value[COUNT]))
        return ws_arena_printf(arena, "the array of this job (%s) has gaps", names[TASK]);
    *shard = (unsigned long)(place / step + 1);
    *n = (unsigned long)value[COUNT];
    return NULL;
}

static bool take_shard(ingester *in)
{
    const char *text = ws_cli_value(in->cli, "shard");
    unsigned long shard = 0, n = 0;
    char rest;
    const char *why = text ? NULL : slurm_shard(&in->cli->arena, &shard, &n);
    if (why)
        return ws_cli_usage(in->cli, "%s: say --shard I/N (1/1 reads all)", why), false;
    if (!text && !n)
        return true;
    if (text && sscanf(text, "%lu/%lu%c", &shard, &n, &rest) != 2)
        n = 0;
    if (shard < 1 || shard > n || n > 1000000)
        return ws_cli_usage(in->cli, "--shard '%s' is no I/N with I from 1 to N", text ? text : ""), false;
    in->options.shard = shard;
    in->options.n_shards = n;
    in->is_shard = n > 1;
    in->is_of_array = in->is_shard && !text;
    return true;
}

static bool take_options(ingester *in)
{
    const ws_cli *cli = in->cli;
    return ws_cli_source_options(cli, &in->options.source) && ws_cli_measure_options(cli, &in->options.measure) &&
           ws_cli_threads(cli, &in->options.threads) && ws_cli_take_set(cli, &in->options.set, &in->cli->arena);
}

/* Beside the campaign; a shard's has its number in its name. */
static const char *usual_path(const ingester *in, const char *folder)
{
    ws_arena *arena = &in->cli->arena;
    if (!in->is_shard)
        return ws_arena_printf(arena, "%s/%s", folder, WS_STORE_NAME);
    return ws_arena_printf(arena, "%s/campaign.%zu-of-%zu.wattscale", folder, in->options.shard, in->options.n_shards);
}

static void sum_options(const ingester *in, char how[WS_SHA256_TEXT])
{
    ws_unit_key key;
    ws_unit_key_begin(&key, &in->options.measure);
    ws_unit_key_add_file(&key, &in->options.source, "");
    ws_unit_key_end(&key, how);
}

/* One of the options that say how a campaign is read; NULL. */
static const ws_option *find_reading_option(const char *name, size_t n)
{
    static const char *const others[] = {"store", "shard", "jobs"};
    for (const ws_option *o = options; o->name; o++) {
        bool is_it = o->argument && strlen(o->name) == n && memcmp(o->name, name, n) == 0;
        for (size_t i = 0; i < sizeof others / sizeof *others; i++)
            is_it &= strcmp(o->name, others[i]) != 0;
        if (is_it)
            return o;
    }
    return NULL;
}

/* Those that were given, a line each: "set=gpus=2". Records depend on some of them, the tables on all. */
static const char *arguments_of(const ws_cli *cli, ws_arena *arena)
{
    const char *text = "";
    for (size_t i = 0; i < cli->n_given; i++) {
        const char *name = cli->given[i].option->name, *value = cli->given[i].value;
        if (!value || !find_reading_option(name, strlen(name)))
            continue;
        char *file = strcmp(name, "sensors") == 0 ? realpath(value, NULL) : NULL;
        text = ws_arena_printf(arena, "%s%s=%s\n", text, name, file ? file : value);
        free(file);
    }
    return text;
}

/* As if these had been given to the command. False: there is no such option, or no such file. */
static bool give_arguments(ws_cli *cli, const char *text)
{
    for (const char *end; *text; text = end + 1) {
        end = strchr(text, '\n');
        size_t n = strcspn(text, "=\n");
        const ws_option *option = end && text[n] == '=' ? find_reading_option(text, n) : NULL;
        if (!option)
            return false;
        const char *value = ws_arena_strndup(&cli->arena, text + n + 1, (size_t)(end - text) - n - 1);
        if (strcmp(option->name, "sensors") == 0 && !ws_is_file(value)) /* a store may name a pipe, which waits */
            return false;
        cli->given = ws_grow(cli->given, &cli->given_capacity, cli->n_given + 1, sizeof *cli->given);
        cli->given[cli->n_given++] = (ws_given){option, value, cli->n_arguments, 0};
    }
    return true;
}

/* The name of the description that is no campaign.json; "": it is one, or there is none. */
static const char *other_description(const ingester *in)
{
    const char *source = in->campaign.source, *slash = strrchr(source, '/');
    const char *name = slash ? slash + 1 : source;
    return ws_is_directory(source) || strcmp(name, "campaign.json") == 0 ? "" : name;
}

/* Which campaign a path of the store stands for, also of one whose ingest was killed on its way. */
static void set_place(ingester *in)
{
    char *folder = realpath(in->campaign.folder, NULL);
    ws_store_set_meta(in->store, "folder", folder ? folder : in->campaign.folder);
    ws_store_set_meta(in->store, "file", other_description(in));
    free(folder);
}

/* What tells campaigns apart, and how they are read: shards of one agree in both. */
static void set_meta(ingester *in)
{
    char how[WS_SHA256_TEXT], description[WS_SHA256_TEXT];
    sum_options(in, how);
    (void)ws_store_hash_file(in->campaign.source, description); /* of a folder without a description: of nothing */
    const char *part =
        in->is_shard ? ws_arena_printf(&in->cli->arena, "%zu/%zu", in->options.shard, in->options.n_shards) : "1/1";
    const char *const pairs[][2] = {{"options", how},
                                    {"description", description},
                                    {"wattscale", WATTSCALE_VERSION},
                                    {"arguments", arguments_of(in->cli, &in->cli->arena)},
                                    {"parts", part}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        ws_store_set_meta(in->store, pairs[i][0], pairs[i][1]);
    set_place(in);
}

static void add_unfinished(const ingester *in)
{
    ws_unfinished_add(ws_store_lock_path(&in->cli->arena, in->path));
    ws_unfinished_add(ws_store_part_path(&in->cli->arena, in->path));
}

/* A trace or a table by itself lies in no campaign. What is no description by its beginning is told by who reads it. */
static ws_status check_campaign(const char *path, ws_error *error)
{
    ws_input *input = NULL;
    if (!ws_is_file(path) || ws_input_open(&input, path, NULL) != WS_OK)
        return WS_OK;
    ws_span head = ws_span_trim(ws_input_head(input));
    bool is_other = head.n && *head.p != '{' && !ws_campaign_json_is(head);
    ws_input_close(input);
    return is_other ? ws_fail_at(error, WS_FORMAT, path, 0,
                                 "is no campaign: a store is of a folder of runs ('wattscale ingest FOLDER')")
                    : WS_OK;
}

static ws_status open_campaign(ingester *in, ws_error *error)
{
    ws_notes ignored = {0}; /* told once more when it is read */
    ws_status status = check_campaign(in->campaign_path, error);
    if (status == WS_OK)
        status = ws_campaign_open(in->campaign_path, &in->campaign, NULL, &in->memory, &ignored, error);
    ws_notes_free(&ignored);
    return status;
}

static ws_status begin(ingester *in, ws_error *error)
{
    const char *path = in->campaign_path, *given = in->path;
    if (!ws_store_is_built_in())
        return ws_store_begin(&in->store, path, "", error);
    ws_status status = WS_OK;
    if (ws_store_is(path)) { /* it stands for its campaign, and is the one to be written */
        given = given || in->is_shard ? given : path;
        status = ws_store_campaign(path, &in->cli->arena, &in->campaign_path, error);
    }
    in->memory.store = ws_cli_has(in->cli, "verify") ? "" : given ? given : usual_path(in, in->campaign_path);
    if (status == WS_OK && (given || ws_is_directory(in->campaign_path)))
        status = ws_cli_check_folder(given ? given : usual_path(in, in->campaign_path), error);
    if (status == WS_OK)
        status = open_campaign(in, error);
    if (status != WS_OK)
        return status;
    in->path = given ? given : usual_path(in, in->campaign.folder);
    ws_unfinished_hold(); /* until it is known whose the lock is */
    status = ws_store_begin(&in->store, in->path, in->campaign.folder, error);
    if (status == WS_OK)
        add_unfinished(in);
    ws_unfinished_release();
    if (status == WS_OK && ws_cli_has(in->cli, "verify"))
        ws_store_verify(in->store);
    if (status == WS_OK)
        set_place(in);
    return status;
}

static ws_status read_all(ingester *in, ws_error *error)
{
    ws_progress_line line;
    in->options.source.progress = &in->progress;
    ws_store_tables_begin(&in->tables, in->store);
    in->options.devices = &in->tables.taker;
    in->options.store = in->store;
    ws_progress_line_start(&line, in->cli, NULL, &in->progress);
    ws_runs_init(&in->runs);
    ws_status status = ws_ingest_campaign(&in->campaign, &in->options, &in->runs, error);
    ws_progress_line_stop(&line);
    ws_cli_count_unread(in->cli, in->campaign_path, &in->runs.notes);
    return status;
}

static void set_tables(ingester *in)
{
    ws_packed facts = ws_scan_memory_pack(&in->memory);
    ws_store_set_scan(in->store, &facts);
    free(facts.bytes);
    set_meta(in);
    ws_store_tables_set(&in->tables, &in->runs);
}

static ws_status finish(ingester *in, ws_store_counts *counts, ws_error *error)
{
    set_tables(in);
    ws_unfinished_hold();
    ws_status status = ws_store_finish(in->store, ws_cli_has(in->cli, "prune"), counts, error);
    ws_store_close(in->store);
    in->store = NULL;
    ws_unfinished_forget();
    ws_unfinished_release();
    return status;
}

static void print_counts(const ingester *in, const ws_store_counts *counts)
{
    fprintf(in->cli->out, "%s: %zu run%s, %zu file%s: %zu read", in->path, in->runs.n_rows,
            in->runs.n_rows == 1 ? "" : "s", counts->inputs, counts->inputs == 1 ? "" : "s",
            counts->read - counts->went_on);
    if (counts->went_on)
        fprintf(in->cli->out, ", %zu read on from where %s ended", counts->went_on,
                counts->went_on == 1 ? "it" : "they");
    fprintf(in->cli->out, ", %zu as they were", counts->recalled);
    if (counts->gone)
        fprintf(in->cli->out, ", %zu not there any more (%s)", counts->gone,
                ws_cli_has(in->cli, "prune") ? "forgotten" : "--prune forgets them");
    if (in->is_of_array)
        fprintf(in->cli->out, "; part %zu of %zu, as the job array says (--shard 1/1 reads all)", in->options.shard,
                in->options.n_shards);
    fprintf(in->cli->out, "\n");
}

static void free_ingester(ingester *in)
{
    ws_fields_free(&in->options.set);
    ws_store_tables_free(&in->tables);
    ws_scan_memory_free(&in->memory);
    ws_table_free(&in->runs);
    ws_campaign_free(&in->campaign);
}

static int run_ingest(ws_cli *cli)
{
    ingester in = {.cli = cli, .campaign_path = cli->arguments[0], .path = ws_cli_value(cli, "store")};
    ws_store_counts counts;
    ws_error error = {0};
    int exit_status = WS_EXIT_USAGE;
    if (take_options(&in) && take_shard(&in)) {
        ws_status status = begin(&in, &error);
        if (status == WS_OK)
            status = read_all(&in, &error);
        bool is_usable = status != WS_OK || in.is_shard || ws_cli_check_use(cli);
        if (status == WS_OK && is_usable)
            status = finish(&in, &counts, &error);
        if (status == WS_OK && is_usable)
            print_counts(&in, &counts);
        ws_cli_notes(cli, &in.runs.notes);
        exit_status = status != WS_OK ? ws_cli_fail(cli, &error) : is_usable ? WS_EXIT_OK : WS_EXIT_USAGE;
    }
    ws_store_close(in.store);
    ws_unfinished_forget();
    free_ingester(&in);
    return exit_status;
}

/* The description is the one that the parts were read with, and so are the options. */
static bool is_of_store(const ingester *in)
{
    const char *how = ws_store_written_meta(in->store, "options"),
               *description = ws_store_written_meta(in->store, "description");
    char our_how[WS_SHA256_TEXT], our_description[WS_SHA256_TEXT];
    sum_options(in, our_how);
    (void)ws_store_hash_file(in->campaign.source, our_description);
    return how && strcmp(how, our_how) == 0 && description && strcmp(description, our_description) == 0;
}

bool ws_ingest_makes_tables(ws_cli *cli, ws_store *store, const char *folder, const char *arguments)
{
    ingester in = {.cli = cli, .campaign_path = folder, .store = store};
    ws_error error = {0};
    for (size_t i = 0; i < cli->n_arguments; i++)
        ws_scan_memory_load(&in.memory, cli->arguments[i]);
    bool makes =
        give_arguments(cli, arguments) && take_options(&in) && open_campaign(&in, &error) == WS_OK && is_of_store(&in);
    if (makes) {
        ws_store_go_on(store, in.campaign.folder);
        makes = read_all(&in, &error) == WS_OK;
        if (makes)
            set_tables(&in);
        else
            ws_store_go_back(store);
    }
    in.store = NULL; /* the caller's */
    free_ingester(&in);
    return makes;
}

const ws_command ws_command_ingest = {
    .name = "ingest",
    .arguments = "CAMPAIGN",
    .summary = "read every run into the campaign's store; again reads only what changed",
    .description =
        "Reads the traces of the campaign and keeps what came of it in campaign.wattscale, beside the campaign.json. "
        "From then on every command that takes the campaign reads only the files that have changed since, and prints "
        "the same; --no-store reads all of them. A command takes the store's own path for a campaign, too.\n\n"
        "A second ingest reads what is new or has changed: size and time of the last change tell, and the content "
        "where they cannot; --verify compares the content of all. Of a long log that has grown only the new lines are "
        "read. The store is a database of SQLite with the tables runs, devices, channels, findings and "
        "inputs: sqlite3 campaign.wattscale \"select gpus, avg(energy_kwh) from runs group by gpus\". It is never "
        "changed in place: whoever reads it sees the old one or the new one.\n\n"
        "--shard I/N reads a part of a large campaign into a store of its own, whole runs by their size, and "
        "'wattscale merge' joins the parts. Options that say how traces are read hold for what is kept: a command "
        "that is given others reads the files.",
    .options = options,
    .example = "wattscale ingest datasets/demo --store demo.wattscale",
    .least = 1,
    .most = 1,
    .no_table = "what ingest writes is a store",
    .run = run_ingest,
};
