/* Options that do nothing by themselves, or beside others: refused with a word, before anything is read. */
#include "analyze/commands/cli.h"

#include "core/power_sensors.h"

#include <string.h>

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
    if (cli->unread->named || cli->leads) /* others may have had a use for them */
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

bool ws_cli_check_needs(const ws_cli *cli)
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
