#include "analyze/ingest/run_energy.h"
#include "analyze/ingest/ingest.h"

#include "analyze/condition.h"
#include "analyze/ingest/field_names.h"
#include "analyze/ingest/manifest.h"
#include "analyze/ingest/measure_run.h"
#include "analyze/ingest/record_fields.h"
#include "analyze/ingest/run_columns.h"
#include "analyze/ingest/file_roles.h"
#include "analyze/ingest/run_history.h"
#include "analyze/scan_memory.h"
#include "analyze/shard.h"
#include "analyze/ingest/run_names.h"
#include "analyze/ingest/tidy.h"
#include "analyze/ingest/windows.h"
#include "analyze/store/store.h"
#include "formats/input/input.h"
#include "core/name_index.h"
#include "core/parallel.h"
#include "core/zone.h"
#include "formats/campaign_json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Without a description every trace outside of the built-in rules is a run of its own. */
static void add_single_traces(const ws_campaign *campaign, ws_run_list *list, ws_notes *notes)
{
    for (size_t i = 0; i < list->unmatched.n; i++) {
        const char *path = list->unmatched.paths[i];
        const ws_format *format;
        ws_error error = {0};
        if (ws_source_recognise(path, NULL, &format, NULL, &error) != WS_OK) {
            ws_note_failure(notes, WS_FINDING_UNREADABLE, path, &error);
            continue;
        }
        if (!format || format->is_record) {
            ws_notes_add(notes, WS_FINDING_NOT_A_TRACE, "", "", 0, "%s is no trace and is left out", path);
            continue;
        }
        list->runs = ws_grow(list->runs, &list->capacity, list->n + 1, sizeof *list->runs);
        ws_run_files *run = &list->runs[list->n++];
        *run = (ws_run_files){.id = ws_arena_strdup(&list->arena, ws_campaign_path(campaign, path))};
        run->files = ws_grow(NULL, &run->capacity, 1, sizeof *run->files);
        run->files[run->n_files++] = (struct ws_run_file){path, "", NULL};
    }
}

static void note_unmatched(const ws_campaign *campaign, const ws_run_list *list, ws_notes *notes)
{
    if (list->unmatched.n)
        ws_notes_add_many(notes, list->unmatched.n, WS_FINDING_UNMATCHED_FILE, campaign->folder, "", 0,
                          "files that no path rule and no side file rule takes, the first is %s",
                          list->unmatched.paths[0]);
}

static bool has_usable_run(const ws_table *runs)
{
    for (size_t row = 0; row < runs->n_rows; row++)
        if (!isnan(ws_runs_get(runs, WS_COL_ENERGY, row)) || !isnan(ws_runs_get(runs, WS_COL_WALL, row)) ||
            ws_question_of(runs->columns[WS_COL_STATUS].text[row]))
            return true;
    return false;
}

static size_t parent_length(const char *id)
{
    const char *slash = strrchr(id, '/');
    return slash ? (size_t)(slash - id) : 0;
}

typedef struct folder_search {
    const char **ids;
    const char *wanted;
    size_t n; /* of the wanted folder's name */
} folder_search;

/* Does the run of the row lie in the wanted folder? */
static bool is_in_folder(const void *state, size_t row)
{
    const folder_search *s = state;
    return parent_length(s->ids[row]) == s->n && strncmp(s->ids[row], s->wanted, s->n) == 0;
}

/* Runs that lie in one folder are repeats of each other, numbered in the order of their names. */
static void number_repeats(ws_table *runs)
{
    ws_name_index folders = {0};                                /* the first run of each */
    size_t *seen = ws_alloc((runs->n_rows + 1) * sizeof *seen); /* runs of the folder whose first one this is */
    folder_search s = {.ids = runs->columns[WS_COL_RUN].text};
    for (size_t row = 0; row < runs->n_rows; row++) {
        char text[24];
        s.wanted = s.ids[row];
        s.n = parent_length(s.wanted);
        if (!s.n)
            continue;
        uint64_t hash = ws_name_hash_n(0, s.wanted, s.n);
        size_t first = ws_name_find(&folders, hash, is_in_folder, &s);
        if (first == WS_NO_PLACE)
            ws_name_add(&folders, hash, first = row);
        snprintf(text, sizeof text, "%zu", ++seen[first]);
        if (ws_table_is_missing(runs, WS_COL_REPEAT, row))
            ws_table_set_text(runs, WS_COL_REPEAT, row, text);
    }
    free(seen);
    ws_name_index_free(&folders);
}

static ws_status apply_exclusions(const ws_campaign *campaign, ws_table *runs, ws_error *error)
{
    for (size_t i = 0; i < campaign->n_exclusions; i++) {
        ws_error why = {0};
        ws_status status =
            ws_condition_exclude(runs, campaign->exclusions[i].where, campaign->exclusions[i].reason, &why);
        if (status != WS_OK)
            return ws_fail_at(error, WS_FORMAT, campaign->source, 0, "%s", why.message);
    }
    return WS_OK;
}

/* A table in a folder is not looked for among traces: it may repeat what these hold. */
static const char *find_table(const ws_run_list *list, bool *is_of_runs)
{
    const ws_source_options options = {.read = WS_READ_DEFAULTS};
    const char *found = NULL;
    *is_of_runs = false;
    for (size_t i = 0; i < list->unmatched.n && !*is_of_runs; i++) {
        ws_table table;
        ws_error error = {0};
        bool is_table = ws_source_read_table(list->unmatched.paths[i], &options, &table, &error) == WS_OK &&
                        table.n_rows && table.n_columns > 1;
        *is_of_runs = is_table && ws_run_names_any_quantity(&table);
        bool is_csv = ws_span_has_suffix(ws_span_of(list->unmatched.paths[i]), ".csv") ||
                      ws_span_has_suffix(ws_span_of(list->unmatched.paths[i]), ".tsv");
        found = *is_of_runs || (is_table && is_csv && !found) ? list->unmatched.paths[i] : found;
        ws_table_free(&table);
    }
    return found;
}

static ws_status fail_without_runs(const ws_campaign *campaign, const ws_run_list *list, bool described,
                                   ws_error *error)
{
    bool is_of_runs;
    const char *table = described ? NULL : find_table(list, &is_of_runs);
    if (table)
        return ws_fail_at(error, WS_DATA, campaign->source, 0,
                          "none of the files below '%s' is a run, of %zu looked at; '%s' is a table of %s: pass that "
                          "file instead of the folder%s",
                          campaign->folder, list->all.n, table, is_of_runs ? "runs" : "results",
                          is_of_runs
                              ? ""
                              : " ('wattscale fit MODEL FILE --x COLUMN --y COLUMN'; a time, an energy or a power "
                                "is named by --columns wall_s=NAME)");
    return ws_fail_at(error, WS_DATA, campaign->source, 0,
                      "none of the files below '%s' is a run, of %zu looked at (%s)", campaign->folder, list->all.n,
                      described ? "no rule of 'paths' takes them" : "'wattscale inspect' shows what they are");
}

static ws_status check_campaign(const ws_campaign *campaign, const ws_run_list *list, const ws_table *runs,
                                ws_error *error)
{
    bool described = ws_campaign_is_described(campaign);
    if (!list->n && !list->all.n)
        return ws_fail_at(error, WS_DATA, campaign->source, 0, "no files are below '%s'", campaign->folder);
    if (!list->n)
        return fail_without_runs(campaign, list, described, error);
    if (!runs->n_rows && ws_notes_find(&runs->notes, WS_FINDING_WINDOW_WITHOUT_TRACE))
        return ws_fail_at(
            error, WS_DATA, campaign->source, 0,
            "the traces of 'paths' have no reading inside the windows of 'windows' (--tz says the zone of "
            "stamps that name none; are the nodes called the same?)");
    if (!runs->n_rows)
        return ws_fail_at(error, WS_DATA, campaign->source, 0, "'exclude' leaves out every run, of %zu found", list->n);
    if (!has_usable_run(runs))
        return ws_fail_at(
            error, WS_DATA, campaign->source, 0,
            "no run has an energy or a wall time, of %zu found ('wattscale inspect' shows what the files hold)",
            list->n);
    return WS_OK;
}

/* The command line beats the description. */
static ws_status take_timezone(const ws_campaign *campaign, int32_t *zone, ws_error *error)
{
    if (!campaign->timezone || *zone != WS_ZONE_NONE || ws_zone_find(ws_span_of(campaign->timezone), zone))
        return WS_OK;
    return ws_fail_at(
        error, WS_FORMAT, campaign->source, 0,
        "'timezone' is '%s', which is no zone (UTC, +02:00, CET, or one that this system knows, as Europe/Berlin)",
        campaign->timezone);
}

static ws_status take_back_steps(const ws_campaign *campaign, ws_back_steps *policy, ws_error *error)
{
    if (!campaign->back_steps || *policy != WS_BACK_UNSAID || ws_back_steps_find(campaign->back_steps, policy))
        return WS_OK;
    return ws_fail_at(error, WS_FORMAT, campaign->source, 0, "'back_steps' is '%s', none of keep, drop and sort",
                      campaign->back_steps);
}

static void take_verdict_rules(const ws_campaign *campaign, ws_verdict_rules *rules)
{
    rules->doubtful_share = campaign->verdict.doubtful_share;
    rules->unusable_share = campaign->verdict.unusable_share;
    for (size_t i = 0; i < sizeof rules->ignored.bits / sizeof *rules->ignored.bits; i++)
        rules->ignored.bits[i] |= campaign->verdict.ignored.bits[i];
}

/* What is known by now holds for the stages from `first` on. */
static void complete(const ws_ingest_options *options, ws_table *runs, ws_run_stage first)
{
    for (int stage = (int)first; stage < WS_STAGE_N; stage++)
        ws_history_take_stage(options->history, runs, (ws_run_stage)stage);
    ws_runs_complete(runs, &options->measure.verdict);
    ws_history_take_names(options->history, runs);
    if (options->devices)
        ws_run_marks_take(&options->devices->marks, runs);
}

static double described(const ws_run_files *run, const char *name)
{
    double number;
    const char *text = ws_fields_get(&run->fields, name);
    return text && ws_span_double(ws_span_of(text), &number) ? number : NAN;
}

typedef struct nodes_and_gpus {
    double nodes, gpus;
} nodes_and_gpus;

static int by_nodes(const void *left, const void *right)
{
    const nodes_and_gpus *a = left, *b = right;
    return a->nodes != b->nodes ? (a->nodes > b->nodes) - (a->nodes < b->nodes)
                                : (a->gpus > b->gpus) - (a->gpus < b->gpus);
}

static void find_growing_gpus(ws_run_list *list)
{
    nodes_and_gpus *size = ws_alloc((list->n + 1) * sizeof *size);
    size_t n = 0;
    for (size_t i = 0; i < list->n; i++) {
        nodes_and_gpus of_run = {described(&list->runs[i], "nodes"), described(&list->runs[i], "gpus")};
        if (of_run.nodes > 0 && of_run.gpus > 0)
            size[n++] = of_run;
    }
    qsort(size, n, sizeof *size, by_nodes);
    for (size_t i = 1; i < n; i++) /* the fewest GPUs on at most so many nodes */
        size[i].gpus = fmin(size[i].gpus, size[i - 1].gpus);
    for (size_t i = 0; i < list->n && n; i++) {
        double nodes = described(&list->runs[i], "nodes"), gpus = described(&list->runs[i], "gpus");
        size_t low = 0, high = n;
        while (low < high) {
            size_t middle = (low + high) / 2;
            if (size[middle].nodes < nodes)
                low = middle + 1;
            else
                high = middle;
        }
        list->runs[i].gpus_grow = low && size[low - 1].gpus < gpus;
    }
    free(size);
}

static ws_status read_runs(const ws_campaign *campaign, const ws_ingest_options *options, ws_run_list *list,
                           ws_table *runs, ws_error *error)
{
    bool described = ws_campaign_is_described(campaign);
    if (described)
        note_unmatched(campaign, list, &runs->notes);
    else
        add_single_traces(campaign, list, &runs->notes);
    ws_note_misspelt_fields(campaign, list, &options->set, &runs->notes);
    ws_find_windows(campaign, options->source.read.zone, list, &runs->notes);
    ws_take_settings(campaign, list);
    find_growing_gpus(list);
    if (options->n_shards)
        ws_take_shard(list, options->shard, options->n_shards);
    ws_measure_runs(campaign, list->runs, list->n, options, runs);
    ws_history_take_stage(options->history, runs, WS_STAGE_MEASURED);
    ws_join_side_files(campaign, list, &options->measure.verdict, options->history, runs);
    ws_history_take_stage(options->history, runs, WS_STAGE_JOINED);
    if (campaign->excerpts)
        ws_runs_extend_excerpts(runs);
    number_repeats(runs);
    complete(options, runs, WS_STAGE_WHOLE);
    ws_status status = apply_exclusions(campaign, runs, error);
    if (options->n_shards > 1) /* what a part lacks (runs, energies, the column of an 'exclude') another one may have */
        return WS_OK;
    return status == WS_OK ? check_campaign(campaign, list, runs, error) : status;
}

/* The store beside the campaign, where nobody said no. What is wrong with it is told, and the files are read. */
static ws_store *open_store(const ws_campaign *campaign, const ws_ingest_options *options, ws_notes *notes)
{
    ws_arena arena = {0};
    ws_error error = {0};
    ws_store *store = NULL;
    const char *path =
        options->store_path ? options->store_path : ws_arena_printf(&arena, "%s/%s", campaign->folder, WS_STORE_NAME);
    if (options->uses_store && !options->store && ws_is_file(path) &&
        ws_store_open(&store, path, campaign->folder, &error) != WS_OK)
        ws_note_failure(notes, WS_FINDING_STORE_NOT_USED, path, &error);
    ws_arena_free(&arena);
    return store;
}

static void close_store(ws_store *store)
{
    ws_store_keep_hashes(store);
    ws_store_close(store);
}

/* The files are listed while another thread reads what the store has of them. */
typedef struct opened_campaign {
    const ws_campaign *campaign;
    const ws_ingest_options *options;
    ws_run_list list;
    ws_store *store;
    ws_notes of_files, of_store;
    ws_status status;
    ws_error error;
} opened_campaign;

enum { OPENED_FILES, OPENED_STORE, OPENED_N };

static void open_part(void *state, size_t item, void *part)
{
    (void)part;
    opened_campaign *o = state;
    if (item == OPENED_STORE)
        o->store = open_store(o->campaign, o->options, &o->of_store);
    else if (o->status == WS_OK)
        o->status = ws_find_runs(o->campaign, &o->list, &o->of_files, &o->error);
}

static void take_part(void *state, size_t item, void *part)
{
    (void)state, (void)item, (void)part;
}

static void open_campaign(opened_campaign *o, ws_notes *notes)
{
    ws_parallel_run(&(ws_parallel_task){.state = o, .part_size = 1, .work = open_part, .take = take_part}, OPENED_N,
                    o->options->threads);
    ws_notes_append(notes, &o->of_files);
    ws_notes_append(notes, &o->of_store);
    ws_notes_free(&o->of_files);
    ws_notes_free(&o->of_store);
}

ws_status ws_ingest_campaign(const ws_campaign *campaign, const ws_ingest_options *options, ws_table *runs,
                             ws_error *error)
{
    ws_ingest_options own = *options;
    opened_campaign o = {.campaign = campaign, .options = options};
    runs->source = ws_arena_strdup(&runs->arena, campaign->source);
    runs->synthetic = campaign->synthetic;
    ws_status status = take_timezone(campaign, &own.source.read.zone, error);
    if (status == WS_OK)
        status = take_back_steps(campaign, &own.measure.back_steps, error);
    take_verdict_rules(campaign, &own.measure.verdict);
    o.status = status;
    open_campaign(&o, &runs->notes);
    if (status == WS_OK && o.status != WS_OK && error)
        *error = o.error;
    o.list.inputs = own.source.inputs;
    own.store = o.store ? o.store : options->store;
    status = o.status == WS_OK ? read_runs(campaign, &own, &o.list, runs, error) : o.status;
    close_store(o.store);
    if (options->list)
        *options->list = o.list;
    else
        ws_run_list_free(&o.list);
    return status;
}

/* A single trace is a campaign of one run. */
static ws_status ingest_trace(const char *path, const ws_ingest_options *options, ws_table *runs, ws_error *error)
{
    ws_campaign none = {.folder = "", .source = path};
    ws_run_files run = {.id = path};
    struct ws_run_file file = {path, "", NULL};
    run.files = &file;
    run.n_files = 1;
    ws_measure_runs(&none, &run, 1, options, runs);
    complete(options, runs, WS_STAGE_MEASURED);
    runs->synthetic = ws_is_in_synthetic_campaign(path);
    if (has_usable_run(runs))
        return WS_OK;
    const ws_note *why = ws_notes_find(&runs->notes, WS_FINDING_UNREADABLE);
    if (!why)
        return ws_fail_at(error, WS_DATA, path, 0, "holds neither an energy nor a duration");
    ws_fail_at(error, WS_FORMAT, path, why->line, "%s", why->text);
    ws_notes_free(&runs->notes); /* said once */
    return WS_FORMAT;
}

static bool has_quantity(const ws_table *runs, size_t row)
{
    for (int c = 0; c < WS_RUN_COLUMN_N; c++)
        if (ws_run_column_about((ws_run_column)c)->role == WS_ROLE_QUANTITY &&
            !isnan(ws_runs_get(runs, (ws_run_column)c, row)))
            return true;
    return false;
}

/* Prose with commas and tables of other things have columns too, but none that a run has. */
static ws_status check_table(const ws_table *raw, const ws_table *runs, ws_error *error)
{
    char names[300] = "";
    for (size_t row = 0; row < runs->n_rows; row++)
        if (ws_question_of(runs->columns[WS_COL_STATUS].text[row]) || has_quantity(runs, row))
            return WS_OK;
    for (size_t i = 0; i < raw->n_columns && strlen(names) < sizeof names - 40; i++)
        snprintf(names + strlen(names), sizeof names - strlen(names), "%s%.30s", i ? ", " : "", raw->columns[i].name);
    return ws_fail_at(
        error, WS_DATA, raw->source, 0,
        "is a table, but no column is known as a time, an energy, a power or samples a second of runs (--columns "
        "wall_s=NAME says what is what; there are: %s)",
        names);
}

/* Rows that name their traces are read like the runs of a description. */
static ws_status complete_table(const ws_ingest_options *options, ws_campaign *campaign, ws_table *runs,
                                ws_error *error)
{
    if (!ws_manifest_follow(runs, campaign)) {
        if (options->about_traces)
            return ws_fail(error, WS_USAGE, "--%s is about traces, and '%.200s' is a table: nothing would change",
                           options->about_traces, runs->source);
        complete(options, runs, WS_STAGE_MEASURED);
        return WS_OK;
    }
    ws_ingest_options own = *options;
    own.source.open = NULL;
    own.source.as = own.source.read.columns = NULL; /* of the table */
    ws_table listed = *runs;
    ws_runs_init(runs);
    ws_notes_append(&runs->notes, &listed.notes);
    ws_table_free(&listed);
    return ws_ingest_campaign(campaign, &own, runs, error);
}

static ws_status ingest_table(const char *path, const ws_ingest_options *options, ws_campaign *campaign, ws_table *runs,
                              ws_error *error)
{
    ws_table raw;
    ws_source_options source = options->source;
    source.read.columns = NULL;
    ws_status status = ws_source_read_table(path, &source, &raw, error);
    if (status == WS_OK && !raw.n_rows) {
        ws_notes_append(&runs->notes, &raw.notes);
        status = ws_fail_at(error, WS_DATA, raw.source, 0, "is a table without rows");
    }
    if (status == WS_OK) {
        ws_table_free(runs);
        ws_record_drop_steps(&raw);
        status = ws_tidy_columns(&raw, options->source.read.columns, &options->set, runs, error);
    }
    if (status == WS_OK)
        status = complete_table(options, campaign, runs, error);
    if (status == WS_OK)
        status = check_table(&raw, runs, error);
    ws_table_free(&raw);
    return status;
}

typedef enum kind { TRACE, TABLE, CAMPAIGN } kind;

static bool says_verdicts(const ws_table *runs)
{
    size_t column;
    bool found = ws_table_find(runs, "energy_verdict", &column);
    for (size_t row = 0; found && row < runs->n_rows; row++)
        if (!ws_table_is_missing(runs, column, row))
            return true;
    return false;
}

static ws_status ingest_judge(const ws_input *input, const char *path, const char *as, kind *what, ws_error *error)
{
    const ws_format *format = as ? ws_format_by_name(as) : ws_format_recognise(input, NULL);
    *what = ws_campaign_json_is(ws_input_head(input)) ? CAMPAIGN : format && format->is_record ? TABLE : TRACE;
    if (!ws_input_head(input).n)
        return ws_fail_at(error, WS_FORMAT, ws_input_path(input), 0, "is empty");
    if (*what == CAMPAIGN && ws_is_pipe(path))
        return ws_fail_at(error, WS_FORMAT, ws_input_path(input), 0,
                          "is a campaign description, whose files lie beside it: its path is needed here");
    bool is_any_table = format && !as && strcmp(format->name, "table-csv") == 0;
    if (*what != CAMPAIGN && (!format || is_any_table) && ws_source_tell(input, error) != WS_OK)
        return WS_FORMAT;
    if (*what != CAMPAIGN && !format)
        return ws_fail_at(
            error, WS_FORMAT, ws_input_path(input), 0,
            "is no campaign description, no table of runs and no trace in a known format ('wattscale formats' "
            "lists them)");
    return WS_OK;
}

/* A table or a trace is read on from where its head was looked at: a pipe cannot be opened again. */
static ws_status ingest_file(const char *path, const ws_ingest_options *options, kind *what, ws_campaign *campaign,
                             ws_table *runs, ws_error *error)
{
    ws_ingest_options own = *options;
    ws_status status = own.source.open ? WS_OK : ws_input_open(&own.source.open, path, error);
    if (status == WS_OK)
        status = ingest_judge(own.source.open, path, own.source.as, what, error);
    const char *name = status == WS_OK ? ws_input_path(own.source.open) : path;
    if (status == WS_OK && *what == TABLE)
        status = ingest_table(name, &own, campaign, runs, error);
    if (status == WS_OK && *what == TABLE && own.about_verdicts && !says_verdicts(runs))
        status = ws_fail(error, WS_USAGE,
                         "--%s is about traces and verdicts on energies, and '%.200s' is a table without any: nothing "
                         "would change",
                         own.about_verdicts, name);
    else if (status == WS_OK && *what == TRACE)
        status = ingest_trace(name, &own, runs, error);
    if (own.source.open != options->source.open)
        ws_input_close(own.source.open);
    return status;
}

static ws_status open_remembered(const char *path, const ws_ingest_options *options, ws_campaign *campaign,
                                 ws_table *runs, ws_error *error)
{
    ws_scan_memory memory = {.store = options->store_path};
    ws_status status = ws_campaign_open(path, campaign, options->source.inputs, options->uses_store ? &memory : NULL,
                                        &runs->notes, error);
    ws_scan_memory_free(&memory);
    return status;
}

/* A store stands for its campaign, which it lies beside, or whose folder it names. `--no-store` holds for it, too. */
static ws_status ingest_store(const char *path, const ws_ingest_options *options, ws_campaign *campaign, ws_table *runs,
                              ws_error *error)
{
    ws_arena arena = {0};
    ws_ingest_options own = *options;
    const char *folder = NULL;
    ws_status status = ws_store_campaign(path, &arena, &folder, error);
    own.store_path = path;
    if (status == WS_OK)
        status = open_remembered(folder, &own, campaign, runs, error);
    if (status == WS_OK)
        status = ws_ingest_campaign(campaign, &own, runs, error);
    ws_arena_free(&arena);
    return status;
}

ws_status ws_ingest(const char *path, const ws_ingest_options *options, ws_campaign *campaign, ws_table *runs,
                    ws_error *error)
{
    kind what = CAMPAIGN;
    *campaign = (ws_campaign){0};
    ws_runs_init(runs);
    if (ws_store_is(path))
        return ingest_store(path, options, campaign, runs, error);
    ws_status status = ws_is_directory(path) ? WS_OK : ingest_file(path, options, &what, campaign, runs, error);
    if (status != WS_OK || what != CAMPAIGN)
        return status;
    status = open_remembered(path, options, campaign, runs, error);
    return status == WS_OK ? ws_ingest_campaign(campaign, options, runs, error) : status;
}
