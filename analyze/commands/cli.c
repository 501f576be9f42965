#include "analyze/commands/cli.h"

#include "analyze/condition.h"
#include "analyze/measure/measure.h"
#include "core/arena.h"
#include "core/parallel.h"
#include "core/zone.h"
#include "formats/campaign.h"
#include "core/power_sensors.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const ws_option common_options[] = {
    {"format", 0, "FORM", "text (default), csv, json, jsonl, md or tex; as -o FILE ends where it is not given"},
    {"output", 'o', "FILE", "write there instead of standard output"},
    {"force", 0, NULL, "replace FILE if it exists"},
    {"color", 0, "WHEN", "auto (default: on a terminal, unless NO_COLOR is set), always or never"},
    {"all-columns", 0, NULL, "text, md and tex: also the columns of detail and those that are empty"},
    {"quiet", 'q', NULL, "no notes on standard error"},
    {"verbose", 'v', NULL, "every note, not one line a kind"},
    {"help", 'h', NULL, "this text"},
    {NULL, 0, NULL, NULL},
};

const ws_option *ws_cli_common_options(void);
const ws_option *ws_cli_common_options(void)
{
    return common_options;
}

int ws_cli_usage(const ws_cli *cli, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fprintf(cli->err, "wattscale %s: ", cli->command->name);
    vfprintf(cli->err, format, args);
    fprintf(cli->err, " ('wattscale %s --help' shows how)\n", cli->command->name);
    va_end(args);
    return WS_EXIT_USAGE;
}

int ws_cli_fail(const ws_cli *cli, const ws_error *error)
{
    fprintf(cli->err, "wattscale %s: %s\n", cli->command->name, error->message);
    return error->status == WS_USAGE ? WS_EXIT_USAGE : WS_EXIT_DATA;
}

static bool is_common(const ws_option *option)
{
    return option >= common_options && option < common_options + sizeof common_options / sizeof *common_options;
}

bool ws_cli_has_use(const ws_command *command, const ws_option *option)
{
    bool is_of_tables = strcmp(option->name, "format") == 0 || strcmp(option->name, "all-columns") == 0;
    return !command->no_table || !is_common(option) || !is_of_tables;
}

static const ws_option *find_in(const ws_option *options, const char *name, size_t n, char letter)
{
    for (; options && options->name; options++)
        if (name ? strlen(options->name) == n && memcmp(options->name, name, n) == 0 : options->letter == letter)
            return options;
    return NULL;
}

static const ws_option *find_option(const ws_cli *cli, const char *name, size_t n, char letter)
{
    const ws_option *own = find_in(cli->command->options, name, n, letter);
    return own ? own : find_in(common_options, name, n, letter);
}

static void give(ws_cli *cli, const ws_option *option, const char *value)
{
    cli->given = ws_grow(cli->given, &cli->given_capacity, cli->n_given + 1, sizeof *cli->given);
    cli->given[cli->n_given++] = (ws_given){option, value, cli->n_arguments, 0};
}

/* --name, --name=value, --name value, -o value, -ovalue. Returns how many words were used, 0 after a message. */
static int take_option(ws_cli *cli, int argc, char **argv)
{
    const char *word = argv[0], *value = NULL;
    const ws_option *option;
    if (word[1] == '-') {
        const char *equals = strchr(word, '=');
        size_t n = equals ? (size_t)(equals - word) - 2 : strlen(word) - 2;
        option = find_option(cli, word + 2, n, 0);
        value = equals ? equals + 1 : NULL;
    } else {
        option = find_option(cli, NULL, 0, word[1]);
        value = word[1] && word[2] ? word + 2 : NULL;
    }
    if (!option)
        return ws_cli_usage(cli, "there is no option '%s'", word), 0;
    if (!option->argument && value)
        return ws_cli_usage(cli, "--%s takes no value", option->name), 0;
    int used = 1;
    if (option->argument && !value) {
        if (argc < 2)
            return ws_cli_usage(cli, "--%s needs a value (%s)", option->name, option->argument), 0;
        value = argv[1];
        used = 2;
    }
    give(cli, option, value);
    return used;
}

/* One of the words that an option knows; *choice stays where it is not given. False after a message. */
static bool choose(const ws_cli *cli, const char *option, const char *const *words, int n, int *choice)
{
    const char *value = ws_cli_value(cli, option);
    if (!value)
        return true;
    for (int i = 0; i < n; i++) {
        if (strcmp(value, words[i]) == 0) {
            *choice = i;
            return true;
        }
    }
    ws_cli_usage(cli, "--%s must be %s, %s or %s, not '%s'", option, words[0], words[1], words[2], value);
    return false;
}

bool ws_cli_is_launched(void)
{
    return getenv("OMPI_COMM_WORLD_SIZE") || getenv("PMI_RANK") || getenv("PMIX_RANK");
}

static bool wants_colour(const ws_cli *cli, int choice)
{
    enum { AUTO, ALWAYS };
    const char *forbidden = getenv("NO_COLOR"), *terminal = getenv("TERM");
    if (choice != AUTO)
        return choice == ALWAYS;
    bool dumb = !terminal || strcmp(terminal, "dumb") == 0;
    bool is_terminal = isatty(fileno(cli->out)) && !ws_cli_is_launched() && !ws_cli_has(cli, "output");
    return is_terminal && !dumb && !(forbidden && *forbidden);
}

static bool is_pipe(const char *argument, struct stat *about)
{
    bool is_there = strcmp(argument, "-") == 0 ? fstat(STDIN_FILENO, about) == 0 : stat(argument, about) == 0;
    return is_there && S_ISFIFO(about->st_mode);
}

/* Who reads a pipe twice would get what the first left over, or wait for ever. */
static int check_pipes(ws_cli *cli)
{
    struct stat *pipes = ws_arena_alloc(&cli->arena, cli->n_arguments * sizeof *pipes + 1), about;
    size_t dashes = 0, n = 0;
    for (size_t i = 0; i < cli->n_arguments; i++) {
        dashes += strcmp(cli->arguments[i], "-") == 0;
        if (dashes > 1)
            return ws_cli_usage(cli, "'-' stands more than once, and there is one standard input");
        if (!is_pipe(cli->arguments[i], &about))
            continue;
        for (size_t k = 0; k < n; k++)
            if (pipes[k].st_dev == about.st_dev && pipes[k].st_ino == about.st_ino)
                return ws_cli_usage(cli, "'%s' is a pipe that stands more than once, and it can be read once",
                                    cli->arguments[i]);
        pipes[n++] = about;
    }
    return WS_EXIT_OK;
}

/* "csv" of "out/runs.csv", "" where there is none. */
static const char *ending_of(const char *path)
{
    const char *name = strrchr(path, '/'), *dot = strrchr(name ? name : path, '.');
    return dot ? dot + 1 : "";
}

/* --format, or the ending of -o FILE: what is called table.csv is one. */
static bool choose_form(ws_cli *cli)
{
    const char *form = ws_cli_value(cli, "format"), *file = NULL;
    ws_table_form of_file;
    bool is_table = !cli->command->no_table || (!cli->n_arguments && !ws_cli_has(cli, "spec"));
    for (size_t i = 0; i < cli->n_given; i++) {
        const ws_option *option = cli->given[i].option;
        if (!is_table && !ws_cli_has_use(cli->command, option))
            return ws_cli_usage(cli, "--%s is of tables: %s", option->name, cli->command->no_table), false;
        if (is_table && file && strcmp(option->name, "output") == 0)
            return ws_cli_usage(cli, "-o is given twice, and there is one table to write: '%s' and '%s'", file,
                                cli->given[i].value),
                   false;
        file = strcmp(option->name, "output") == 0 ? cli->given[i].value : file;
    }
    if (form && !ws_table_form_find(form, &cli->form))
        return ws_cli_usage(cli, "there is no output form '%s'; there are: text, csv, json, jsonl, md and tex", form),
               false;
    if (!is_table || !file || !ws_table_form_find(ending_of(file), &of_file))
        return true;
    if (form && of_file != cli->form)
        return ws_cli_usage(cli, "--format %s contradicts the ending of -o '%s'", form, file), false;
    cli->form = of_file;
    return true;
}

/* --- options that do nothing by themselves, or beside others: refused before anything is read --- */

typedef struct option_need {
    const char *command;     /* NULL: any */
    const char *options[10]; /* as "per" or "edges=hold" */
    const char *needs[3];    /* one of these, likewise; none: nothing is needed */
    const char *excludes[4]; /* none of these */
    const char *why;
} option_need;

static const option_need needs[] = {
    {"ingest", {"output", "force"}, {"nothing"}, {NULL}, "a store is written where --store says, and replaced"},
    {NULL, {"force"}, {"output", "benchmark"}, {NULL}, "it replaces the file of -o, and there is none"},
    {"inspect", {"channels"}, {NULL}, {"facts"}, "--facts has rows of its own: ask for one of the two"},
    {"inspect", {"summary"}, {NULL}, {"facts", "channels"}, "it counts the rows of files, and there are none"},
    {"energy", {"all"}, {NULL}, {"by=domain", "by=node", "by=run", "by=source"}, "a sum takes the best column of each"},
    {"energy", {"edges=hold"}, {"window"}, {NULL}, "it is of a --window, and there is none"},
    {"energy", {"baseline", "idle"}, {NULL}, {"budget"}, "--budget is of the gross energy"},
    {"runs", {"budget"}, {NULL}, {"files"}, "--files has a row a file, and --budget a row a component"},
    {"scale",
     {"per", "reference", "scaling", "sd"},
     {NULL},
     {"runs"},
     "--runs lists runs, which have no ratios and no spread"},
    {"explain",
     {"model", "x", "y", "by", "level", "unit", "logs", "no-logs", "degree"},
     {"of=fit"},
     {NULL},
     "it is of a fit: --of fit"},
    {"explain", {"group", "reference", "scaling", "sd"}, {NULL}, {"of=fit", "of=runs"}, "it is of configurations"},
    {"explain", {"per"}, {NULL}, {"of=runs"}, "a run is not compared with others"},
    {"correlate", {"seed"}, {"permutations"}, {NULL}, "nothing is drawn by chance without --permutations"},
    {"compare", {"resamples", "seed"}, {"bootstrap"}, {NULL}, "nothing is drawn by chance without --bootstrap"},
    {"advise", {"risk"}, {"deadline", "cap"}, {NULL}, "there is no --deadline and no --cap to miss"},
    {"advise", {"slowdown"}, {"cap"}, {NULL}, "it is of a --cap"},
    {"advise",
     {"law", "per-node", "beyond", "deadline", "budget", "error"},
     {NULL},
     {"cap"},
     "it is about numbers of GPUs, and --cap about caps"},
    {NULL, {NULL}, {NULL}, {NULL}, NULL}};

/* "output", or "of=fit" with its value. */
static bool is_given(const ws_cli *cli, const char *what)
{
    const char *equals = strchr(what, '=');
    ws_span name = equals ? (ws_span){what, (size_t)(equals - what)} : ws_span_of(what);
    for (size_t i = 0; i < cli->n_given; i++)
        if (ws_span_eq(name, cli->given[i].option->name) &&
            (!equals || (cli->given[i].value && strcmp(cli->given[i].value, equals + 1) == 0)))
            return true;
    return false;
}

static bool is_any_given(const ws_cli *cli, const char *const *what, size_t room)
{
    for (size_t i = 0; i < room && what[i]; i++)
        if (is_given(cli, what[i]))
            return true;
    return false;
}

/* Some commands copy or replace without -o. */
static bool has_output_of_its_own(const ws_cli *cli)
{
    return strcmp(cli->command->name, "dataset") == 0 && cli->n_arguments > 0;
}

bool ws_cli_names_output(const ws_cli *cli, const ws_option *option)
{
    bool is_output = is_common(option) && strcmp(option->name, "output") == 0 && !has_output_of_its_own(cli);
    return is_output || strcmp(option->name, "benchmark") == 0;
}

static bool check_need(const ws_cli *cli, const option_need *need)
{
    const size_t room = sizeof need->needs / sizeof *need->needs, more = sizeof need->excludes / sizeof *need->excludes;
    if (need->command && strcmp(need->command, cli->command->name) != 0)
        return true;
    if (!need->command && has_output_of_its_own(cli))
        return true;
    bool lacks = need->needs[0] && !is_any_given(cli, need->needs, room);
    if (!lacks && !is_any_given(cli, need->excludes, more))
        return true;
    for (size_t i = 0; i < sizeof need->options / sizeof *need->options && need->options[i]; i++)
        if (is_given(cli, need->options[i]))
            return ws_cli_usage(cli, "--%s changes nothing here: %s", need->options[i], need->why), false;
    return true;
}

bool ws_cli_check_use(const ws_cli *cli)
{
    if (cli->unread->named) /* it may have had a use for them */
        return true;
    if (ws_cli_has(cli, "period") && !atomic_load(&cli->use->read.period))
        return ws_cli_usage(cli, "--period changes nothing here: it is of files that hold no time, and none is read"),
               false;
    if (cli->use->meters && cli->sensors->n && !atomic_load(&cli->use->sensors))
        return ws_cli_usage(cli, "--sensors changes nothing here: no row of '%s' fits a sensor that is read",
                            ws_cli_value(cli, "sensors")),
               false;
    return true;
}

static bool check_needs(const ws_cli *cli)
{
    bool is_list = cli->command->least == 0 && cli->command->most != 0 && !cli->n_arguments && !ws_cli_has(cli, "spec");
    for (const ws_option *o = is_list ? cli->command->options : NULL; o && o->name; o++)
        if (ws_cli_has(cli, o->name))
            return ws_cli_usage(cli, "--%s changes nothing here: this lists what there is, and reads nothing", o->name),
                   false;
    for (size_t i = 0; needs[i].why; i++)
        if (!check_need(cli, &needs[i]))
            return false;
    return true;
}

/* --- the whole line --- */

int ws_cli_parse(ws_cli *cli, int argc, char **argv)
{
    cli->arguments = ws_alloc(((size_t)argc + 1) * sizeof *cli->arguments);
    bool options_end = false;
    for (int i = 0; i < argc;) {
        const char *word = argv[i];
        if (!options_end && strcmp(word, "--") == 0) {
            options_end = true;
            i++;
        } else if (!options_end && word[0] == '-' && word[1]) {
            int used = take_option(cli, argc - i, argv + i);
            if (!used)
                return WS_EXIT_USAGE;
            i += used;
        } else {
            cli->arguments[cli->n_arguments++] = word;
            i++;
        }
    }
    cli->quiet = ws_cli_has(cli, "quiet");
    cli->verbose = ws_cli_has(cli, "verbose");
    cli->lines = ws_arena_alloc(&cli->arena, sizeof *cli->lines);
    cli->unread = ws_arena_alloc(&cli->arena, sizeof *cli->unread);
    cli->looks = ws_arena_alloc(&cli->arena, sizeof *cli->looks);
    cli->sensors = ws_arena_alloc(&cli->arena, sizeof *cli->sensors);
    cli->use = ws_arena_alloc(&cli->arena, sizeof *cli->use);
    cli->sensors->are_of_use = &cli->use->sensors;
    static const char *const colours[] = {"auto", "always", "never"};
    int colour = 0;
    if (!choose(cli, "color", colours, 3, &colour))
        return WS_EXIT_USAGE;
    cli->colour = wants_colour(cli, colour);
    if (ws_cli_has(cli, "help"))
        return WS_EXIT_OK;
    if (!choose_form(cli))
        return WS_EXIT_USAGE;
    if (check_pipes(cli) != WS_EXIT_OK)
        return WS_EXIT_USAGE;
    if (!check_needs(cli))
        return WS_EXIT_USAGE;
    if ((int)cli->n_arguments < cli->command->least)
        return ws_cli_usage(cli, "an argument is missing: %s %s", cli->command->name, cli->command->arguments);
    if (cli->command->most >= 0 && (int)cli->n_arguments > cli->command->most)
        return ws_cli_usage(cli, "there is one argument too many: '%s'", cli->arguments[cli->command->most]);
    return WS_EXIT_OK;
}

void ws_cli_free(ws_cli *cli)
{
    if (cli->sensors)
        ws_sensors_free(cli->sensors);
    if (cli->looks)
        ws_looks_free(cli->looks);
    free(cli->arguments);
    free(cli->given);
    ws_arena_free(&cli->arena);
}

const char *ws_cli_value(const ws_cli *cli, const char *option)
{
    for (size_t i = cli->n_given; i-- > 0;)
        if (strcmp(cli->given[i].option->name, option) == 0)
            return cli->given[i].value;
    return NULL;
}

bool ws_cli_has(const ws_cli *cli, const char *option)
{
    for (size_t i = 0; i < cli->n_given; i++)
        if (strcmp(cli->given[i].option->name, option) == 0)
            return true;
    return false;
}

static bool choose_reader(const ws_cli *cli, ws_rows_options *rows)
{
    static const char *const names[] = {
        [WS_READER_FAST] = "fast", [WS_READER_PORTABLE] = "portable", [WS_READER_CSV] = "csv"};
    const char *wanted = ws_cli_value(cli, "reader");
    rows->counts = cli->lines;
    for (int i = 0; wanted && i <= WS_READER_CSV; i++) {
        if (strcmp(wanted, names[i]) == 0) {
            rows->reader = (ws_reader)i;
            return true;
        }
    }
    if (wanted)
        ws_cli_usage(cli, "--reader must be fast, portable or csv, not '%s'", wanted);
    return !wanted;
}

bool ws_cli_source_options(const ws_cli *cli, ws_source_options *options)
{
    *options = (ws_source_options){.as = ws_cli_value(cli, "as"), .read = WS_READ_DEFAULTS};
    options->read.columns = ws_cli_value(cli, "columns");
    options->read.use = &cli->use->read;
    const char *period = ws_cli_value(cli, "period"), *zone = ws_cli_value(cli, "tz");
    if (options->as && !ws_format_by_name(options->as)) {
        ws_error error = {0};
        ws_fail(&error, WS_USAGE, "no format is called '%s' ('wattscale formats' lists them)", options->as);
        ws_cli_fail(cli, &error);
        return false;
    }
    if (period && (!ws_seconds_to_ns(ws_span_of(period), &options->read.period_ns) || options->read.period_ns <= 0))
        return ws_cli_usage(cli, "--period '%s' is no positive number of seconds", period), false;
    if (zone && !ws_zone_find(ws_span_of(zone), &options->read.zone))
        return ws_cli_usage(
                   cli, "--tz '%s' is no zone: write UTC, +02:00, CET or, where this system knows it, Europe/Berlin",
                   zone),
               false;
    return choose_reader(cli, &options->read.rows);
}

/* "2026-01-01T10:00:00,2026-01-01T11:00:00" or "12.5,60". */
bool ws_cli_window(const ws_cli *cli, const char *option, ws_meter_options *meter)
{
    const char *text = ws_cli_value(cli, option), *zone = ws_cli_value(cli, "tz");
    if (!text)
        return true;
    int32_t offset = WS_ZONE_NONE;
    if (zone)
        ws_zone_find(ws_span_of(zone), &offset);
    ws_span to = ws_span_of(text), from;
    ws_stamp start, end;
    ws_span_split(&to, ',', &from);
    meter->window_is_relative = ws_seconds_to_ns(from, &start.ns) && ws_seconds_to_ns(to, &end.ns);
    bool has_dates = !meter->window_is_relative && to.p && ws_stamp_parse(ws_stamp_guess(from), from, offset, &start) &&
                     ws_stamp_parse(ws_stamp_guess(to), to, offset, &end);
    if ((!meter->window_is_relative && !has_dates) || start.ns >= end.ns) {
        ws_cli_usage(cli, "--%s '%s' is no FROM,TO: two dates or two numbers of seconds, the earlier one first", option,
                     text);
        return false;
    }
    meter->has_window = true;
    meter->window_start_ns = start.ns;
    meter->window_end_ns = end.ns;
    return true;
}

bool ws_cli_measure_options(const ws_cli *cli, ws_measure_options *options)
{
    static const char *const gaps[] = {"bridge", "exclude", "refuse"}, *const edges[] = {"inside", "hold", "trim"};
    *options = (ws_measure_options){0};
    const char *rule = ws_cli_value(cli, "rule");
    if (rule && (!ws_rule_find(rule, &options->rule) || options->rule == WS_RULE_NONE))
        return ws_cli_usage(
                   cli,
                   "there is no rule '%s'; there are: counter, interval, trapezoid, rectangle, given, perun and "
                   "mean-times-time",
                   rule),
               false;
    int gap = 0, edge = 0;
    if (!choose(cli, "gaps", gaps, 3, &gap) || !choose(cli, "edges", edges, 3, &edge))
        return false;
    options->meter.gaps = (ws_gap_policy)gap;
    options->meter.edges = (ws_edge_policy)edge;
    const char *back = ws_cli_value(cli, "back-steps");
    if (back && !ws_back_steps_find(back, &options->back_steps))
        return ws_cli_usage(cli, "--back-steps must be keep, drop or sort, not '%s'", back), false;
    cli->use->meters = true;
    return ws_cli_sensors(cli, &options->sensors) && ws_cli_window(cli, "window", &options->meter);
}

bool ws_cli_sensors(const ws_cli *cli, const ws_sensors **sensors)
{
    const char *path = ws_cli_value(cli, "sensors");
    ws_source_options options = {.as = "table-csv", .read = WS_READ_DEFAULTS};
    ws_table table;
    ws_error error = {0};
    *sensors = path ? cli->sensors : NULL;
    if (!path || cli->sensors->n)
        return true;
    ws_status status = ws_source_read_table(path, &options, &table, &error);
    if (status == WS_OK)
        status = ws_sensors_add(cli->sensors, &table, &error);
    ws_table_free(&table);
    if (status != WS_OK)
        ws_cli_fail(cli, &error);
    return status == WS_OK;
}

bool ws_cli_threads(const ws_cli *cli, unsigned *threads)
{
    enum { MOST = 1024 };
    const char *text = ws_cli_value(cli, "jobs");
    int64_t n = 0;
    *threads = text ? 0 : ws_cores_allowed();
    if (text && (!ws_span_i64(ws_span_of(text), &n) || n < 1 || n > MOST))
        return ws_cli_usage(cli, "--jobs '%s' is not a number of threads from 1 to %d", text, MOST), false;
    *threads = text ? (unsigned)n : *threads;
    return true;
}

void ws_cli_count_unread(const ws_cli *cli, const char *argument, const ws_notes *notes)
{
    const char *named = ws_source_name(argument);
    for (size_t i = 0; i < notes->n; i++)
        if (ws_finding_about(notes->items[i].finding)->severity == WS_SEVERITY_FAILURE)
            *(strcmp(notes->items[i].source, named) == 0 ? &cli->unread->named : &cli->unread->found) += 1;
}

/* Of two tables that are compared one may have no such row. */
static bool may_miss(const ws_cli *cli, ws_given *given)
{
    return strcmp(cli->command->name, "compare") == 0 && !given->missed++;
}

/* A slip in a condition would leave everything in, and nobody would see it. */
static ws_status select_by(const ws_cli *cli, ws_given *given, const char *condition, ws_table *table, ws_error *error)
{
    bool keeps = strcmp(given->option->name, "only") == 0;
    ws_error missing = {0};
    ws_status status = ws_condition_test(table, condition, NULL, error);
    if (status == WS_OK && ws_condition_must_fit(table, condition, &missing) != WS_OK && !may_miss(cli, given)) {
        *error = missing;
        status = missing.status;
    }
    if (status != WS_OK)
        return status;
    return keeps ? ws_condition_keep(table, condition, "--only", error)
                 : ws_condition_exclude(table, condition, "--exclude", error);
}

/* --only takes several conditions, parted by commas. Of --exclude they could leave out what fulfils all or any of them.
 */
static ws_status select_rows(const ws_cli *cli, ws_given *given, ws_table *table, ws_error *error)
{
    const char *rest = given->value;
    bool is_list = ws_condition_length(table, rest) < strlen(rest);
    if (is_list && strcmp(given->option->name, "exclude") == 0)
        return ws_fail(error, WS_USAGE, "--exclude '%.80s' holds several conditions: give --exclude once for each",
                       rest);
    for (ws_status status = WS_OK; is_list;) {
        size_t n = ws_condition_length(table, rest);
        status = select_by(cli, given, ws_arena_strndup(&((ws_cli *)cli)->arena, rest, n), table, error);
        if (status != WS_OK || !rest[n])
            return status;
        rest += n + 1;
    }
    return select_by(cli, given, rest, table, error);
}

/* The subset that "@NAME" means; NULL, and an error that lists those there are. */
static const ws_subset *find_subset(const ws_campaign *campaign, const char *name, ws_error *error)
{
    char names[300] = "";
    for (size_t i = 0; campaign && i < campaign->n_subsets; i++) {
        if (strcmp(campaign->subsets[i].name, name) == 0)
            return &campaign->subsets[i];
        snprintf(names + strlen(names), sizeof names - strlen(names), " %.40s", campaign->subsets[i].name);
    }
    ws_fail(error, WS_USAGE, "there is no subset '%.60s'; 'subsets' of campaign.json has%s", name,
            *names ? names : " none");
    return NULL;
}

/* The rows that fulfil all conditions of a subset: kept alone, or left out together. */
static ws_status select_subset(const ws_cli *cli, ws_given *given, const ws_campaign *campaign, ws_table *table,
                               ws_error *error)
{
    const ws_subset *subset = find_subset(campaign, given->value + 1, error);
    if (!subset)
        return WS_USAGE;
    bool keeps = strcmp(given->option->name, "only") == 0;
    bool *all = ws_alloc(2 * table->n_rows * sizeof *all + 1), *one = all + table->n_rows;
    size_t before = table->n_rows, n = 0;
    ws_status status = WS_OK;
    for (size_t row = 0; row < before; row++)
        all[row] = true;
    for (size_t i = 0; i < subset->n && status == WS_OK; i++) {
        status = ws_condition_test(table, subset->conditions[i], one, error);
        for (size_t row = 0; row < before; row++)
            all[row] = all[row] && one[row];
    }
    for (size_t row = 0; row < before; row++) {
        n += all[row];
        all[row] = all[row] == keeps;
    }
    if (status == WS_OK && !n && before && !may_miss(cli, given))
        status = ws_fail(error, WS_USAGE, "no row belongs to the subset '%.60s'", subset->name);
    if (status == WS_OK) {
        ws_table_filter(table, all);
        char subject[100];
        snprintf(subject, sizeof subject, "%.80s", given->value);
        if (table->n_rows < before && keeps)
            ws_notes_add_choice(&table->notes, table->source, subject, table->n_rows, before,
                                ws_arena_printf(&table->arena, "--%s", given->option->name));
        else if (table->n_rows < before)
            ws_notes_add(&table->notes, WS_FINDING_EXCLUDED, table->source, subject, 0,
                         "%zu of %zu rows are left out (--%s)", before - table->n_rows, before, given->option->name);
    }
    free(all);
    return status;
}

bool ws_cli_exclude(const ws_cli *cli, const ws_campaign *campaign, ws_table *table)
{
    size_t before = table->n_rows;
    const char *said = "";
    for (size_t i = 0; i < cli->n_given; i++) {
        ws_error error = {0};
        const char *name = cli->given[i].option->name;
        if (strcmp(name, "exclude") != 0 && strcmp(name, "only") != 0)
            continue;
        ws_status status = *cli->given[i].value == '@' ? select_subset(cli, &cli->given[i], campaign, table, &error)
                                                       : select_rows(cli, &cli->given[i], table, &error);
        if (status != WS_OK) {
            ws_cli_fail(cli, &error);
            return false;
        }
        said = ws_arena_printf(&((ws_cli *)cli)->arena, "%s%s--%s '%.60s'", said, *said ? ", " : "", name,
                               cli->given[i].value);
    }
    if (before && !table->n_rows && *said && strcmp(cli->command->name, "compare") != 0)
        return ws_cli_usage(cli, "%s: no row is left of %zu in '%.200s'", said, before, table->source), false;
    return true;
}
