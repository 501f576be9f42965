#define _DEFAULT_SOURCE /* realpath */
#include "analyze/source.h"

#include "analyze/ingest/path_endings.h"
#include "core/arena.h"
#include "formats/campaign.h"
#include "formats/campaign_json.h"
#include "formats/foreign_file.h"
#include "formats/launcher_prefix.h"
#include "formats/quoted_rows.h"
#include "formats/table/node_watch.h"
#include "formats/input/input.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

ws_status ws_source_recognise_open(const ws_input *input, const char *as, const ws_format **format, ws_notes *notes,
                                   ws_error *error)
{
    if (as) {
        *format = ws_format_by_name(as);
        return *format ? WS_OK
                       : ws_fail(error, WS_USAGE, "no format is called '%s' ('wattscale formats' lists them)", as);
    }
    const ws_format *rival;
    *format = ws_format_recognise(input, &rival);
    bool is_document = *format && !(*format)->is_record && ws_is_document(ws_input_path(input));
    if (*format && (is_document || ws_quotes_rows(*format, ws_input_path(input), ws_input_head(input)))) {
        *format = NULL; /* it shows some rows of a log */
        return WS_OK;
    }
    if (*format && rival)
        ws_notes_add(notes, WS_FINDING_FORMAT_DOUBT, ws_input_path(input), "", 0,
                     "taken for %s, but it could also be %s (--as says which)", (*format)->name, rival->name);
    return WS_OK;
}

ws_status ws_source_recognise(const char *path, const char *as, const ws_format **format, ws_notes *notes,
                              ws_error *error)
{
    ws_input *input;
    *format = NULL;
    ws_status status = ws_input_open(&input, path, error);
    if (status == WS_OK)
        status = ws_source_recognise_open(input, as, format, notes, error);
    ws_input_close(input);
    return status;
}

/* How to unwrap content that could be read if it were not wrapped like this; NULL for other bytes. */
static const char *unread_bytes(ws_span head)
{
    static const char archive[] =
        "is an archive from a pipe, inside another one or under the name of a log, and stays closed: give it as a file "
        "by its path";
    static const char wide[] =
        "is text in UTF-16, as PowerShell writes it: convert it to UTF-8 (iconv -f UTF-16 -t UTF-8, or Out-File "
        "-Encoding utf8)";
    static const struct {
        const char *bytes, *what;
    } known[] = {{"PK\003\004", archive}, {"\xff\xfe", wide}, {"\xfe\xff", wide}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (ws_span_has_prefix(head, known[i].bytes))
            return known[i].what;
    return ws_format_is_tar(head) ? archive : NULL;
}

static ws_status refuse_prefix(const ws_input *input, const ws_launcher_prefix *prefix, ws_error *error)
{
    ws_span text = ws_span_trim(prefix->text);
    size_t field = 1;
    for (size_t i = 0; i < prefix->text.n; i++)
        field += prefix->text.p[i] == ' ';
    char remedy[80] = "sed -E 's/^ *[0-9]+: ?//', each rank in a file of its own (grep '^ *0:')";
    if (prefix->words)
        snprintf(remedy, sizeof remedy, "cut -d' ' -f%zu-", field);
    if (!prefix->format)
        return ws_fail_at(error, WS_FORMAT, ws_input_path(input), 0,
                          "has '%.*s' in front of each line, which a launcher put there: take that off with %s",
                          WS_SPAN_ARG(text), remedy);
    return ws_fail_at(error, WS_FORMAT, ws_input_path(input), 0,
                      "is %s behind '%.*s', which a launcher or ts put in front of each line: take that off with %s",
                      prefix->format->name, WS_SPAN_ARG(text), remedy);
}

static ws_status refuse_channel(void *state, const ws_channel *channel, int *id, ws_error *error)
{
    (void)state, (void)channel, (void)error;
    *id = -1;
    return WS_OK;
}

static ws_status ignore_block(void *state, int id, const ws_block *block, ws_error *error)
{
    (void)state, (void)id, (void)block, (void)error;
    return WS_OK;
}

/* Reads a file's head into the sink; what the reader notes of it is nobody's. `columns`: a map, or NULL. */
static ws_status read_head(const ws_input *input, const char *reader, const char *columns, const ws_sink *sink,
                           ws_error *error)
{
    ws_span head = ws_input_head(input);
    ws_read_options options = WS_READ_DEFAULTS;
    options.columns = columns;
    ws_notes notes = {0};
    ws_input *copy = ws_input_from_memory(ws_input_path(input), head.p, head.n);
    ws_status status = ws_format_by_name(reader)->read(copy, &options, sink, &notes, error);
    ws_notes_free(&notes);
    ws_input_close(copy);
    return status;
}

/* Why this reader cannot read a file's head; false where it can. */
static bool fails_on_head(const ws_input *input, const char *reader, ws_error *why)
{
    const ws_sink sink = {.channel = refuse_channel, .block = ignore_block};
    return read_head(input, reader, NULL, &sink, why) != WS_OK;
}

typedef struct energy_steps {
    size_t rises, falls;
    double before;
} energy_steps;

static ws_status take_energy(void *state, const ws_channel *channel, int *id, ws_error *error)
{
    (void)state, (void)error;
    *id = channel->quantity == WS_ENERGY_INTERVAL ? 0 : -1;
    return WS_OK;
}

static ws_status count_steps(void *state, int id, const ws_block *block, ws_error *error)
{
    energy_steps *steps = state;
    (void)id, (void)error;
    for (size_t i = 0; i < block->n; i++) {
        if (isnan(block->value[i]))
            continue;
        steps->rises += block->value[i] > steps->before;
        steps->falls += block->value[i] < steps->before;
        steps->before = block->value[i];
    }
    return WS_OK;
}

/* Does the one energy of such a map only grow in a file's head? Those of rows rise and fall with the power. */
static bool is_running_total(const ws_input *input, const char *columns)
{
    enum { LEAST_RISES = 4 };
    const char *first = strstr(columns, "energy=");
    if (!first || strstr(first + 1, "energy="))
        return false;
    energy_steps steps = {.before = NAN};
    const ws_sink sink = {.state = &steps, .channel = take_energy, .block = count_steps};
    ws_error error = {0};
    read_head(input, "csv", columns, &sink, &error);
    return steps.rises >= LEAST_RISES && !steps.falls;
}

/* The columns that the reader of traces would have the user name. */
static const char *trace_columns(const ws_error *why)
{
    return *why->columns ? why->columns : "time=...,power=...";
}

static ws_status count_metered(void *state, const ws_channel *channel, int *id, ws_error *error)
{
    (void)error;
    *(size_t *)state += ws_quantity_gives_energy(channel->quantity);
    *id = -1;
    return WS_OK;
}

/* The first power of a head that is read as rows without a time; "": there is none. */
typedef struct timeless {
    char column[80];
} timeless;

static ws_status take_timeless(void *state, const ws_channel *channel, int *id, ws_error *error)
{
    timeless *found = state;
    (void)error;
    if (channel->quantity == WS_POWER && channel->time == WS_TIME_NONE && !*found->column)
        snprintf(found->column, sizeof found->column, "%s", channel->column);
    *id = -1;
    return WS_OK;
}

static timeless find_timeless(const ws_input *input)
{
    timeless found = {""};
    const ws_sink sink = {.state = &found, .channel = take_timeless, .block = ignore_block};
    ws_error error = {0};
    read_head(input, "csv", NULL, &sink, &error);
    return found;
}

/* A row a reading, of metrics that are known by their names, as MLflow exports them. */
static bool is_of_metrics(const ws_input *input)
{
    size_t metered = 0;
    const ws_sink sink = {.state = &metered, .channel = count_metered, .block = ignore_block};
    ws_error error = {0};
    read_head(input, "long-csv", NULL, &sink, &error);
    return metered > 0;
}

/* Numbers below each other, with stamps in front or on lines of their own: the column map to type for them, or the
 * command that makes a table of them. */
static bool trace_headless(const ws_input *input, ws_error *why)
{
    return fails_on_head(input, "csv", why) && (why->remedy == WS_REMEDY_HEADLESS || why->remedy == WS_REMEDY_COMMAND);
}

ws_status ws_source_tell(const ws_input *input, ws_error *error)
{
    const char *what, *path = ws_input_path(input);
    char command[1200];
    ws_span head = ws_input_head(input);
    if (ws_foreign_file(path, head, &what, command, sizeof command) ||
        ws_told_text(path, head, &what, command, sizeof command))
        return ws_fail_at(error, WS_FORMAT, path, 0, "%s: %s makes a CSV of it", what, command);
    if (ws_is_sacct_for_people(head))
        return ws_fail_at(error, WS_FORMAT, path, 0,
                          "is a table of sacct for people, whose cells are cut: sacct --parsable2 "
                          "--format=JobID,JobName,State,Elapsed,Start,End,NNodes,AllocTRES,ConsumedEnergyRaw,NodeList "
                          "prints the one that is read");
    if (ws_labelled_powers(path, head, &what, command, sizeof command))
        return ws_fail_at(error, WS_FORMAT, path, 0, "%s: %s makes a CSV of one", what, command);
    return WS_OK;
}

static ws_status source_refuse(const ws_input *input, const ws_format *format, bool want_table, ws_error *error)
{
    const char *path = ws_input_path(input);
    if (ws_input_head(input).n == 0)
        return ws_fail_at(error, WS_FORMAT, path, 0, "is empty");
    bool is_any_table = format && (strcmp(format->name, "table-csv") == 0 || strcmp(format->name, "torch-list") == 0);
    if ((!format || (is_any_table && !want_table)) && ws_source_tell(input, error) != WS_OK)
        return WS_FORMAT;
    if (!format && unread_bytes(ws_input_head(input)))
        return ws_fail_at(error, WS_FORMAT, path, 0, "%s", unread_bytes(ws_input_head(input)));
    if (!format && memchr(ws_input_head(input).p, '\0', ws_input_head(input).n))
        return ws_fail_at(error, WS_FORMAT, path, 0, "holds bytes of no known format ('wattscale formats' lists them)");
    if (!format && ws_is_document(path))
        return ws_fail_at(
            error, WS_FORMAT, path, 0,
            "is a document or a program by its name: rows that it shows are no log (--as NAME reads them)");
    const ws_format *quoted = format ? NULL : ws_format_recognise(input, NULL);
    if (quoted && ws_quotes_rows(quoted, path, ws_input_head(input)))
        return ws_fail_at(error, WS_FORMAT, path, 0,
                          "is a text that shows some rows of %s: what it quotes is no log (--as %s reads it)",
                          quoted->name, quoted->name);
    ws_error headless = {0};
    if (!format && trace_headless(input, &headless))
        return ws_fail(error, WS_FORMAT, "%s", headless.message);
    ws_launcher_prefix prefix;
    if (!format && ws_launcher_prefix_find(input, &prefix))
        return refuse_prefix(input, &prefix, error);
    ws_error unnamed = {0};
    if (!format && fails_on_head(input, "csv", &unnamed) && strncmp(unnamed.columns, "time=", 5) == 0)
        return ws_fail_at(error, WS_FORMAT, path, 0, "is in no known format (--columns %s says where the powers stand)",
                          unnamed.columns);
    if (!format)
        return ws_fail_at(
            error, WS_FORMAT, path, 0,
            "is in no known format ('wattscale formats' lists them; --as NAME and --columns say how to read "
            "it)");
    if (want_table)
        return ws_fail_at(error, WS_FORMAT, path, 0, "is a trace (%s), a table of runs or a campaign is needed here",
                          format->name);
    bool has_columns = strcmp(format->name, "table-csv") == 0;
    ws_error question = {0};
    bool is_json = strcmp(format->name, "table-json") == 0;
    bool fails = (has_columns || is_json) && fails_on_head(input, has_columns ? "csv" : "json-trace", &question);
    if (has_columns && is_of_metrics(input))
        return ws_fail_at(error, WS_FORMAT, path, 0,
                          "is a table of records (%s): --as long-csv reads it as a trace of the metrics that it names",
                          format->name);
    if (fails && (question.remedy == WS_REMEDY_ANSWER || question.remedy == WS_REMEDY_COMMAND))
        return ws_fail(error, WS_FORMAT, "%s", question.message);
    if (!has_columns)
        return ws_fail_at(error, WS_FORMAT, path, 0, "is a table of records (%s) and not a power or energy trace",
                          format->name);
    timeless bare = fails ? (timeless){""} : find_timeless(input);
    if (*bare.column)
        return ws_fail_at(error, WS_FORMAT, path, 0,
                          "is a table of records (%s) and not a power or energy trace, since no column is known as a "
                          "time (--columns 'time=NAME,power=%s' with the name of the time reads it as one)",
                          format->name, bare.column);
    char counter[sizeof question.columns + sizeof "counter="];
    const char *columns = trace_columns(&question);
    if (is_running_total(input, columns)) {
        const char *at = strstr(columns, "energy=");
        snprintf(counter, sizeof counter, "%.*scounter=%s", (int)(at - columns), columns, at + strlen("energy="));
        columns = counter;
    }
    const char *or_else = strstr(columns, "energy=")    ? "; counter= where it is a running total"
                          : strstr(columns, "devices=") ? ", devices=1 where all are of one"
                                                        : "";
    return ws_fail_at(error, WS_FORMAT, path, 0,
                      "is a table of records (%s) and not a power or energy trace (--columns %s says where the %s "
                      "stands%s)",
                      format->name, columns,
                      strstr(columns, "energy=")    ? "energy of each row"
                      : strstr(columns, "counter=") ? "running total of the energy"
                                                    : "power",
                      or_else);
}

const char *ws_source_format(const ws_source_options *options, const ws_input *input)
{
    const ws_format *points = ws_format_by_name("line-protocol");
    ws_span head = ws_span_trim(ws_input_head(input));
    if (options->as || !options->read.columns)
        return options->as;
    if (head.n && strchr("{[", *head.p))
        return "json-trace";
    return points->score(ws_input_path(input), head) ? points->name : "csv";
}

static ws_status open_source(const char *path, const ws_source_options *options, ws_input **input, ws_error *error)
{
    ws_file_looks *looks = options->looks;
    int64_t since_ns = looks ? ws_file_state_now() : 0;
    if (looks)
        *looks = (ws_file_looks){.before = options->open ? ws_file_state_of(path) : (ws_file_state){0}};
    *input = options->open;
    ws_status status = *input ? WS_OK : ws_input_open(input, path, error);
    if (status != WS_OK || options->open)
        return status;
    if (looks)
        ws_file_looks_open(looks, *input, since_ns);
    if (options->progress)
        ws_input_count(*input, &options->progress->bytes);
    return status;
}

static void close_source(ws_input *input, const ws_format *found, const ws_source_options *options)
{
    if (input && options->inputs)
        ws_input_register_add(options->inputs, ws_input_path(input), found, input);
    if (input && options->looks)
        ws_file_looks_end(options->looks, input);
    if (input != options->open)
        ws_input_close(input);
    if (options->progress)
        atomic_fetch_add(&options->progress->files, 1);
}

typedef struct watched_log {
    ws_node_watch nodes;
    const char *source;
    ws_notes *notes;
    ws_log_reading log, *asked; /* log: what the reader is given for it */
    bool is_noted;
} watched_log;

static void note_nodes(watched_log *w)
{
    if (w->is_noted || !ws_node_watch_sees_several(&w->nodes))
        return;
    w->is_noted = true;
    ws_notes_add_most(w->notes, 1, WS_FINDING_SHARED_STAMPS, w->source, "", 0,
                      "stamps and powers of one device come back in turn, as where several nodes write into one file "
                      "that number their devices alike: one of each is in the energy; a file for each node tells them "
                      "apart");
}

/* A log that is read on later has this note from before. */
static void reach_place(void *state, const ws_log_place *place)
{
    watched_log *w = state;
    note_nodes(w);
    w->asked->reach(w->asked->state, place);
}

static ws_status read_trace(const ws_format *format, ws_input *input, const ws_read_options *options,
                            const ws_sink *sink, ws_notes *notes, ws_error *error)
{
    bool goes_on = options->log && options->log->from;
    if (format->tells_nodes || goes_on || options->columns)
        return format->read(input, options, sink, notes, error);
    watched_log w = {.source = ws_input_path(input), .notes = notes, .asked = options->log};
    ws_read_options own = *options;
    if (options->log) {
        w.log = *options->log;
        w.log.reach = w.log.reach ? reach_place : NULL;
        w.log.state = &w;
        own.log = &w.log;
    }
    ws_node_watch_init(&w.nodes, sink);
    ws_status status = format->read(input, &own, &w.nodes.own, notes, error);
    if (options->log)
        options->log->is_refused = w.log.is_refused;
    note_nodes(&w);
    ws_node_watch_free(&w.nodes);
    return status;
}

ws_status ws_source_read(const char *path, const ws_source_options *options, const ws_sink *sink, ws_notes *notes,
                         const ws_format **format, ws_error *error)
{
    ws_input *input;
    const ws_format *found = NULL;
    ws_status status = open_source(path, options, &input, error);
    ws_log_reading *log = options->read.log;
    bool goes_on = log && log->from; /* what there is to say of its beginning was said */
    if (status == WS_OK)
        status =
            ws_source_recognise_open(input, ws_source_format(options, input), &found, goes_on ? NULL : notes, error);
    if (status == WS_OK && goes_on && !(found && found->goes_on))
        log->is_refused = true;
    else if (status == WS_OK && (!found || found->is_record))
        status = source_refuse(input, found, false, error);
    else if (status == WS_OK)
        status = read_trace(found, input, &options->read, sink, notes, error);
    if (status != WS_OK && input)
        ws_input_explain_damage(input, error);
    if (format)
        *format = found;
    close_source(input, found, options);
    return status;
}

ws_status ws_source_read_table(const char *path, const ws_source_options *options, ws_table *table, ws_error *error)
{
    ws_input *input;
    const ws_format *found = NULL;
    ws_table_init(table, "table");
    ws_status status = open_source(path, options, &input, error);
    if (status == WS_OK)
        status = ws_source_recognise_open(input, options->as, &found, &table->notes, error);
    if (status == WS_OK && (!found || !found->is_record))
        status = source_refuse(input, found, true, error);
    else if (status == WS_OK)
        status = found->read_table(input, &options->read, table, error);
    if (status != WS_OK && input)
        ws_input_explain_damage(input, error);
    ws_table_take_synthetic_mark(table);
    table->units_are_known = found && !found->is_any_table;
    if (input)
        table->source = ws_arena_strdup(&table->arena, ws_input_path(input));
    close_source(input, found, options);
    return status;
}

uint64_t ws_count_damage(const ws_notes *notes)
{
    uint64_t n = 0;
    for (size_t i = 0; i < notes->n; i++)
        n += notes->items[i].finding == WS_FINDING_DAMAGED_OBJECT ? notes->items[i].count : 0;
    return n;
}

const char *ws_source_name(const char *path)
{
    return strcmp(path, "-") == 0 ? "standard input" : path;
}

void ws_note_failure(ws_notes *notes, ws_finding finding, const char *path, const ws_error *error)
{
    path = ws_source_name(path);
    ws_span rest = ws_span_of(error->message), number;
    int64_t line = 0;
    size_t n = strlen(path);
    bool placed = rest.n > n && memcmp(rest.p, path, n) == 0 && rest.p[n] == ':';
    if (placed) {
        rest = (ws_span){rest.p + n + 1, rest.n - n - 1};
        ws_span after = rest;
        if (ws_span_split(&after, ':', &number) && ws_span_i64(number, &line))
            rest = after;
    }
    rest = ws_span_trim(rest);
    ws_notes_add(notes, finding, path, "", line, "%.*s", WS_SPAN_ARG(rest));
}

/* The mark counts even if the description has a mistake further down. */
static bool says_synthetic(const char *path)
{
    ws_campaign campaign = {0};
    ws_input *input = NULL;
    if (access(path, R_OK) != 0)
        return false;
    if (ws_input_open(&input, path, NULL) == WS_OK)
        ws_campaign_json_read(input, &campaign, NULL);
    bool synthetic = campaign.synthetic;
    ws_input_close(input);
    ws_campaign_free(&campaign);
    return synthetic;
}

/* `folder` is cut to the one above it at each step. */
static bool is_below_synthetic(ws_arena *arena, char *folder)
{
    enum { LEVELS = 8 };
    bool found = says_synthetic(ws_arena_printf(arena, "%s/campaign.json", folder));
    for (int level = 0; level < LEVELS && !found; level++) {
        char *slash = strrchr(folder, '/');
        if (!slash)
            break;
        *slash = '\0';
        found = says_synthetic(ws_arena_printf(arena, "%s/campaign.json", folder));
    }
    return found;
}

bool ws_is_in_synthetic_campaign(const char *path)
{
    ws_arena arena = {0};
    char *whole = realpath(path, NULL); /* the campaign may begin above the working folder */
    bool found =
        is_below_synthetic(&arena, ws_arena_strdup(&arena, path)) || (whole && is_below_synthetic(&arena, whole));
    free(whole);
    ws_arena_free(&arena);
    return found;
}
