/* wattscale check: the verdict on each energy, with the findings behind it. A campaign's runs as 'wattscale runs' has
 * them, any other file as a campaign of its own. */
#include "analyze/commands/data.h"
#include "analyze/commands/path_list.h"

#include "analyze/identity/same_data.h"
#include "analyze/ingest/run_columns.h"
#include "analyze/measure/sources.h"
#include "formats/input/input.h"
#include "core/name_index.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const ws_option options[] = {
    {"sources", 0, NULL, "instead a row a source: counters, integrated powers, printed totals and job records"},
    {"ignore", 0, "CODE", "a finding that puts nothing at stake; may be given again"},
    {"as", 0, "FORMAT", "read as this format, whatever the content looks like"},
    {"columns", 0, "MAP", "where things stand: time=Timestamp,power=#2,unit=mW,gpu=dev"},
    {"set", 0, "NAME=VALUE", "a field of every run that has none: gpus=1; may be given again"},
    {"period", 0, "SECONDS", "sampling period of files that hold no time"},
    {"tz", 0, "ZONE", "zone of stamps that name none"},
    WS_OPTIONS_METER,
    WS_OPTION_THREADS,
    {"no-store", 0, NULL, "read the files, whatever 'wattscale ingest' has kept of them"},
    {"strict", 0, NULL, "a file of a folder that cannot be read makes the exit status 3"},
    {NULL, 0, NULL, NULL},
};

static const double J_PER_KWH = 3.6e6;

enum { PATH, RUN, ENERGY, AT_STAKE, SHARE, VERDICT, FINDINGS, STATUS };

static const struct {
    const char *name;
    ws_column_kind kind;
} columns[] = {
    [PATH] = {"path", WS_TEXT},
    [RUN] = {"run", WS_TEXT},
    [ENERGY] = {"energy_j", WS_NUMBER},
    [AT_STAKE] = {"at_stake_j", WS_NUMBER},
    [SHARE] = {"share_at_stake", WS_NUMBER},
    [VERDICT] = {"energy_verdict", WS_TEXT},
    [FINDINGS] = {"energy_findings", WS_TEXT},
    [STATUS] = {"status", WS_TEXT},
};

typedef struct checker {
    const ws_cli *cli;
    ws_ingest_options options;
    ws_table table;
    ws_table sources;     /* with --sources */
    ws_seen_devices seen; /* of all files */
    bool shows_sources, has_unusable;
} checker;

static bool take_ignored(const ws_cli *cli, ws_finding_set *ignored)
{
    for (size_t i = 0; i < cli->n_given; i++) {
        ws_finding finding;
        if (strcmp(cli->given[i].option->name, "ignore") != 0)
            continue;
        if (!ws_finding_named(cli->given[i].value, &finding))
            return ws_cli_usage(cli, "--ignore '%s' is no finding: 'wattscale findings' lists them",
                                cli->given[i].value),
                   false;
        ws_finding_set_add(ignored, finding);
    }
    return true;
}

static void add_row(checker *c, const char *path, const ws_table *runs, size_t from)
{
    size_t row = ws_table_add_row(&c->table);
    const char *run = runs->columns[WS_COL_RUN].text[from], *verdict = runs->columns[WS_COL_VERDICT].text[from];
    double energy_j = ws_runs_get(runs, WS_COL_ENERGY, from) * J_PER_KWH;
    double at_stake_j = ws_runs_get(runs, WS_COL_AT_STAKE, from) * J_PER_KWH;
    ws_table_set_text(&c->table, PATH, row, path);
    if (run && strcmp(run, path) != 0)
        ws_table_set_text(&c->table, RUN, row, run);
    ws_table_set_number(&c->table, ENERGY, row, energy_j);
    ws_table_set_number(&c->table, AT_STAKE, row, at_stake_j);
    ws_table_set_number(&c->table, SHARE, row, energy_j != 0 ? at_stake_j / fabs(energy_j) : NAN);
    static const size_t texts[][2] = {{VERDICT, WS_COL_VERDICT}, {FINDINGS, WS_COL_FINDINGS}, {STATUS, WS_COL_STATUS}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (runs->columns[texts[i][1]].text[from])
            ws_table_set_text(&c->table, texts[i][0], row, runs->columns[texts[i][1]].text[from]);
    c->has_unusable |= ws_energy_verdict_named(verdict) == WS_ENERGY_VERDICT_UNUSABLE;
}

/* The energy of a scheduler's record beside that of the run, whatever its devices are. */
static void add_record(ws_table *sources, const ws_table *runs, size_t from)
{
    size_t column;
    if (!ws_table_find(runs, "job_energy_kwh", &column) || isnan(ws_table_number(runs, column, from)))
        return;
    double record = ws_table_number(runs, column, from), own = ws_runs_get(runs, WS_COL_ENERGY, from);
    size_t row = ws_table_add_row(sources);
    ws_table_set_text(sources, WS_SOURCES_SOURCE, row, "job record");
    ws_table_set_text(sources, WS_SOURCES_COLUMN, row, "job_energy_kwh");
    ws_table_set_number(sources, WS_SOURCES_ENERGY, row, record * J_PER_KWH);
    ws_table_set_number(sources, WS_SOURCES_RATIO, row, record / own);
}

/* The sources of all runs of a path, by run. */
typedef struct run_sources {
    ws_table all;
    ws_name_index index; /* the first row of each run */
    size_t *next;        /* row of the same run; WS_NO_PLACE behind the last one */
    const char *wanted;
} run_sources;

static bool is_of_run(const void *state, size_t row)
{
    const run_sources *s = state;
    return strcmp(s->all.columns[WS_SOURCES_RUN].text[row], s->wanted) == 0;
}

/* `run` is NULL in a table that names none. */
static size_t first_source(run_sources *s, const char *run)
{
    if (!run)
        return WS_NO_PLACE;
    s->wanted = run;
    return ws_name_find(&s->index, ws_name_hash(0, run), is_of_run, s);
}

static void index_sources(run_sources *s)
{
    size_t *last = ws_alloc((s->all.n_rows + 1) * sizeof *last); /* of the run whose first row this is */
    s->next = ws_alloc((s->all.n_rows + 1) * sizeof *s->next);
    for (size_t row = 0; row < s->all.n_rows; row++) {
        const char *run = s->all.columns[WS_SOURCES_RUN].text[row];
        size_t first = first_source(s, run);
        if (first == WS_NO_PLACE)
            ws_name_add(&s->index, ws_name_hash(0, run), first = row);
        else
            s->next[last[first]] = row;
        last[first] = row;
        s->next[row] = WS_NO_PLACE;
    }
    free(last);
}

static void free_sources(run_sources *s)
{
    ws_table_free(&s->all);
    ws_name_index_free(&s->index);
    free(s->next);
}

/* The sources of one run out of those of all runs, and its job's record. */
static void add_sources(ws_table *to, const char *path, run_sources *of, const ws_table *runs, size_t run)
{
    const ws_table *all = &of->all;
    size_t first = to->n_rows;
    for (size_t from = first_source(of, runs->columns[WS_COL_RUN].text[run]); from != WS_NO_PLACE;
         from = of->next[from]) {
        size_t row = ws_table_add_row(to);
        for (size_t c = WS_SOURCES_DOMAIN; c <= WS_SOURCES_COLUMN; c++)
            ws_table_set_text(to, c, row, all->columns[c].text[from]);
        ws_table_set_integer(to, WS_SOURCES_DEVICES, row, all->columns[WS_SOURCES_DEVICES].integer[from]);
        ws_table_set_number(to, WS_SOURCES_ENERGY, row, ws_table_number(all, WS_SOURCES_ENERGY, from));
        ws_table_set_number(to, WS_SOURCES_RATIO, row, ws_table_number(all, WS_SOURCES_RATIO, from));
    }
    add_record(to, runs, run);
    const char *name = runs->columns[WS_COL_RUN].text[run];
    for (size_t row = first; row < to->n_rows; row++) {
        ws_table_set_text(to, WS_SOURCES_PATH, row, path);
        if (name && strcmp(name, path) != 0)
            ws_table_set_text(to, WS_SOURCES_RUN, row, name);
    }
}

static ws_status add_runs(checker *c, const char *path, ws_error *error)
{
    ws_campaign campaign = {0};
    ws_table runs = {0};
    run_sources sources = {0};
    ws_seen_devices seen = {0};
    c->options.seen = &seen;
    ws_sources_init(&sources.all);
    c->options.sources = c->shows_sources ? &sources.all : NULL;
    ws_status status = ws_ingest(path, &c->options, &campaign, &runs, error);
    index_sources(&sources);
    for (size_t row = 0; status == WS_OK && row < runs.n_rows; row++) {
        add_row(c, path, &runs, row);
        if (c->shows_sources)
            add_sources(&c->sources, path, &sources, &runs, row);
    }
    free_sources(&sources);
    ws_seen_devices_move(&c->seen, &seen, path);
    if (status == WS_OK) {
        ws_notes_append(&c->table.notes, &runs.notes);
        c->table.synthetic |= runs.synthetic;
        ws_cli_count_unread(c->cli, path, &runs.notes);
    }
    ws_table_free(&runs);
    ws_campaign_free(&campaign);
    return status;
}

/* A folder without runs is read file by file, and may hold anything. */
static void add_files(checker *c, const ws_path_list *list)
{
    for (size_t i = 0; i < list->n; i++) {
        ws_error error = {0};
        if (add_runs(c, list->paths[i].path, &error) == WS_OK)
            continue;
        ws_note_failure(&c->table.notes, WS_FINDING_NOT_A_TRACE, list->paths[i].path, &error);
        c->cli->unread->found++;
    }
}

static void check_argument(checker *c, size_t argument)
{
    ws_cli one = *c->cli;
    ws_path_list list = {0};
    ws_error error = {0};
    one.arguments = &c->cli->arguments[argument];
    one.n_arguments = 1;
    if (add_runs(c, *one.arguments, &error) == WS_OK)
        return;
    if (error.status == WS_DATA && !ws_is_pipe(*one.arguments))
        ws_path_list_fill(&list, &one, &c->table.notes);
    if (list.n && list.is_folder[0]) {
        add_files(c, &list);
    } else {
        ws_cli_fail(c->cli, &error);
        c->cli->unread->named++;
    }
    ws_path_list_free(&list);
}

/* A long path, and that of several runs, stands above its rows, which fit a screen of 80 columns then. */
static void place_paths(ws_table *table, size_t column)
{
    enum { LONGEST = 16 };
    size_t longest = 0, run = column + 1;
    for (size_t row = 0; row < table->n_rows; row++) {
        const char *path = table->columns[column].text[row];
        longest = path && strlen(path) > longest ? strlen(path) : longest;
    }
    bool has_runs = ws_table_has_values(table, run);
    if (longest > LONGEST || has_runs)
        ws_table_set_place(table, column, WS_HEADING);
    table->screen_keys = has_runs; /* in front of every part, where one line is too long */
}

static int report(checker *c)
{
    int status = WS_EXIT_DATA;
    if (c->shows_sources && c->sources.n_rows) {
        ws_notes_append(&c->sources.notes, &c->table.notes);
        c->sources.synthetic = c->table.synthetic;
        place_paths(&c->sources, WS_SOURCES_PATH);
        ws_table_set_place(&c->sources, WS_SOURCES_RUN, WS_HEADING); /* of its rows: sources stand below each other */
        status = ws_cli_output(c->cli, &c->sources);
    } else if (c->table.n_rows) {
        place_paths(&c->table, PATH);
        status = ws_cli_output(c->cli, &c->table);
    } else {
        ws_cli_notes(c->cli, &c->table.notes);
    }
    if (!c->table.n_rows && !c->cli->unread->named)
        fprintf(c->cli->err, "wattscale check: there is no trace and no table of runs\n");
    return status == WS_EXIT_OK && c->has_unusable ? WS_EXIT_NO : status;
}

static int run_check(ws_cli *cli)
{
    checker c = {.cli = cli};
    ws_arena arena = {0};
    int status = WS_EXIT_USAGE;
    ws_table_init(&c.table, "check");
    ws_sources_init(&c.sources);
    c.shows_sources = ws_cli_has(cli, "sources");
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        ws_table_add_column(&c.table, columns[i].name, columns[i].kind);
    ws_table_set_detail(&c.table, SHARE); /* it follows from the joules, and the table is wide */
    if (ws_cli_source_options(cli, &c.options.source) && ws_cli_measure_options(cli, &c.options.measure) &&
        ws_cli_threads(cli, &c.options.threads) && ws_cli_take_set(cli, &c.options.set, &arena) &&
        take_ignored(cli, &c.options.measure.verdict.ignored)) {
        c.options.uses_store = !ws_cli_has(cli, "no-store");
        for (size_t i = 0; i < cli->n_arguments; i++)
            check_argument(&c, i);
        ws_seen_devices_note_twice(&c.seen, &c.table, "path", &c.options.measure.verdict.ignored);
        status = report(&c);
    }
    ws_fields_free(&c.options.set);
    ws_arena_free(&arena);
    ws_table_free(&c.sources);
    ws_table_free(&c.table);
    return status;
}

const ws_command ws_command_check = {
    .name = "check",
    .arguments = "PATH...",
    .summary = "can the energies be used? a verdict a file and run, with reasons",
    .description =
        "Reads traces, tables of runs and campaigns and prints one row a run: the energy, the joules that its findings "
        "put at stake, their share of the energy, the verdict and the codes of the findings. A folder is taken as "
        "'wattscale runs' takes it, and file by file where it holds no runs.\n\n"
        "Below 1 % of the energy the verdict is ok, up to 20 % doubtful, above or where nothing bounds the joules "
        "unusable ('wattscale findings CODE' says how a code weighs; \"verdict\" of a campaign.json sets other shares "
        "and codes that do not count). The exit status is 1 where an energy is unusable.\n\n"
        "--sources prints a row for each source of an energy instead: the counter, the integrated power and the "
        "printed total of the same devices (of each domain the one that counts comes first), and the job's record. "
        "ratio is a source over the energy that counts; of a job's record, over the energy of the run, even where the "
        "two hold different devices.",
    .options = options,
    .example = "wattscale check datasets/demo/gbs256/1g256b4w10e --ignore long-gap",
    .least = 1,
    .most = -1,
    .run = run_check,
};
