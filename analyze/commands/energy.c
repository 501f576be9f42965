#include "analyze/commands/cli.h"

#include "analyze/measure/energy_table.h"
#include "analyze/measure/measure.h"
#include "analyze/measure/perun_compare.h"

#include <math.h>
#include <string.h>

static const ws_option options[] = {
    WS_OPTIONS_READ,
    WS_OPTIONS_METER,
    {"column", 0, "NAME", "take the energy from this column of the file"},
    {"quantity", 0, "LIST", "read only these quantities, as power,util: faster where a file has many columns"},
    {"all", 0, NULL, "a row for every column that holds power or energy, not only for the best"},
    {"by", 0, "WHAT", "device (default), domain, node, run or source: one row each"},
    {"strict", 0, NULL, "a file of a folder that cannot be read makes the exit status 3"},
    {NULL, 0, NULL, NULL},
};

static bool choose_grouping(const ws_cli *cli, ws_energy_grouping *by)
{
    static const char *const names[] = {"device", "domain", "node", "run", "source"};
    const char *wanted = ws_cli_value(cli, "by");
    *by = WS_BY_DEVICE;
    for (int i = 0; wanted && i < 5; i++) {
        if (strcmp(wanted, names[i]) == 0) {
            *by = (ws_energy_grouping)i;
            return true;
        }
    }
    if (wanted)
        ws_cli_usage(cli, "--by '%s' is none of device, domain, node, run and source", wanted);
    return !wanted;
}

static bool find_quantity(ws_span name, ws_quantity *quantity)
{
    for (int q = 0; q < WS_QUANTITY_N; q++) {
        *quantity = (ws_quantity)q;
        if (ws_span_eq(name, ws_quantity_name(*quantity)))
            return true;
    }
    return false;
}

/* "power,util" as bits; 0 where nothing was asked for. */
static bool choose_quantities(const ws_cli *cli, unsigned *quantities)
{
    const char *list = ws_cli_value(cli, "quantity");
    ws_span rest = ws_span_of(list), name;
    ws_quantity quantity;
    *quantities = 0;
    while (list && ws_span_split(&rest, ',', &name)) {
        name = ws_span_trim(name);
        if (!find_quantity(name, &quantity)) {
            ws_cli_usage(cli, "--quantity '%.*s' is no quantity", WS_SPAN_ARG(name));
            return false;
        }
        *quantities |= 1u << quantity;
    }
    return true;
}

typedef struct job {
    const ws_cli *cli;
    ws_source_options source;
    ws_measure measure;
    ws_notes notes;
    size_t read, failed_named, failed_found;
    bool usage; /* an option does not fit the files */
} job;

/* A path named on the command line must be readable; what lies in a folder may be anything. */
static void read_path(job *j, const char *path, bool named)
{
    ws_error error = {0};
    ws_sink sink = ws_measure_sink(&j->measure);
    ws_measure_begin(&j->measure, strcmp(path, "-") == 0 ? "standard input" : path, "");
    ws_status status = ws_source_read(path, &j->source, &sink, &j->notes, NULL, &error);
    if (status == WS_OK) {
        j->read++;
    } else if (named) {
        j->usage |= ws_cli_fail(j->cli, &error) == WS_EXIT_USAGE;
        j->failed_named++;
    } else {
        ws_note_failure(&j->notes, "not-a-trace", path, &error);
        j->failed_found++;
    }
}

static void read_argument(job *j, const char *path)
{
    ws_file_list files = {0};
    ws_error error = {0};
    if (!ws_is_directory(path)) {
        read_path(j, path, true);
        return;
    }
    size_t before = j->read;
    ws_walk(path, &files, &j->notes, &error);
    for (size_t i = 0; i < files.n; i++)
        read_path(j, files.paths[i], false);
    if (j->read == before) {
        ws_fail_at(&error, WS_DATA, path, 0, "holds no trace that can be read (files tried: %zu)", files.n);
        ws_cli_fail(j->cli, &error);
        j->failed_named++;
    }
    ws_file_list_free(&files);
}

static bool has_energy(const ws_measure *m)
{
    for (size_t i = 0; i < m->n_devices; i++)
        if (m->devices[i].energy && !isnan(m->devices[i].energy->reading.energy_j))
            return true;
    return false;
}

static bool holds_energy(const ws_measured *c)
{
    return c->channel.quantity == WS_POWER || c->channel.quantity == WS_ENERGY_COUNTER ||
           c->channel.quantity == WS_ENERGY_INTERVAL;
}

/* The columns of power or energy of one source, each once: "power.draw [W] (power), energy (energy-counter)". */
static const char *list_columns(const ws_measure *m, const char *source, ws_arena *arena)
{
    const char *list = "";
    for (size_t i = 0; i < m->n_channels; i++) {
        const ws_channel *c = &m->channels[i].channel;
        if (!holds_energy(&m->channels[i]) || strcmp(m->channels[i].source, source) != 0)
            continue;
        const char *entry = ws_arena_printf(arena, "%s (%s)", c->column, ws_quantity_name(c->quantity));
        if (!strstr(list, entry))
            list = ws_arena_printf(arena, "%s%s%s", list, *list ? ", " : "", entry);
    }
    return *list ? list : "no column of power or energy";
}

/* Why there is no energy at all: for each source what was asked of it, and what it has. */
static void explain(const job *j)
{
    const ws_measure *m = &j->measure;
    const char *rule = ws_cli_value(j->cli, "rule"), *column = m->options.column;
    ws_arena arena = {0};
    if (!rule && !column)
        fprintf(j->cli->err, "wattscale energy: no energy came out, the column status says why ('wattscale inspect "
                             "--channels' shows what the files hold)\n");
    for (size_t i = 0; (rule || column) && i < m->n_channels; i++) {
        const char *source = m->channels[i].source;
        if (i && strcmp(source, m->channels[i - 1].source) == 0)
            continue;
        fprintf(j->cli->err, "wattscale energy: %s: no energy came out", source);
        if (column)
            fprintf(j->cli->err, " of --column '%s'", column);
        if (rule)
            fprintf(j->cli->err, "%s --rule %s", column ? " and" : " by", rule);
        fprintf(j->cli->err, "; the file holds %s\n", list_columns(m, source, &arena));
    }
    ws_arena_free(&arena);
}

/* Utilisation alone is a result, where nothing else was asked for. */
static bool wants_energy(const ws_measure_options *measure)
{
    const unsigned energies = 1u << WS_POWER | 1u << WS_ENERGY_COUNTER | 1u << WS_ENERGY_INTERVAL;
    return !measure->quantities || measure->quantities & energies;
}

static int exit_status(const job *j, int written)
{
    bool failed = j->failed_named || (j->failed_found && ws_cli_has(j->cli, "strict"));
    if (written != WS_EXIT_OK || j->usage)
        return j->usage ? WS_EXIT_USAGE : written;
    if (wants_energy(&j->measure.options) && !has_energy(&j->measure)) {
        explain(j);
        return WS_EXIT_DATA;
    }
    return failed ? WS_EXIT_DATA : WS_EXIT_OK;
}

static int report(job *j, ws_energy_grouping by)
{
    ws_table table;
    ws_measure_finish(&j->measure, &j->notes);
    ws_energy_table(&j->measure, by, &table);
    if (j->measure.options.rule == WS_RULE_PERUN)
        ws_perun_compare(&j->measure, by, &table);
    ws_notes_append(&table.notes, &j->notes);
    for (size_t i = 0; i < j->cli->n_arguments; i++)
        table.synthetic |= ws_is_in_synthetic_campaign(j->cli->arguments[i]);
    int status = WS_EXIT_DATA;
    if (table.n_rows)
        status = ws_cli_output(j->cli, &table);
    else if (!j->failed_named)
        fprintf(j->cli->err, "wattscale energy: the files hold no samples\n");
    ws_table_free(&table);
    return exit_status(j, status);
}

static int run(ws_cli *cli)
{
    job j = {.cli = cli};
    ws_energy_grouping by;
    ws_measure_options measure;
    if (!ws_cli_source_options(cli, &j.source) || !ws_cli_measure_options(cli, &measure) ||
        !choose_grouping(cli, &by) || !choose_quantities(cli, &measure.quantities))
        return WS_EXIT_USAGE;
    measure.column = ws_cli_value(cli, "column");
    measure.all_channels = ws_cli_has(cli, "all");
    measure.every_fact = measure.rule == WS_RULE_PERUN;
    ws_measure_init(&j.measure, &measure);
    for (size_t i = 0; i < cli->n_arguments; i++)
        read_argument(&j, cli->arguments[i]);
    int status = report(&j, by);
    ws_measure_free(&j.measure);
    ws_notes_free(&j.notes);
    return status;
}

const ws_command ws_command_energy = {
    .name = "energy",
    .arguments = "PATH...",
    .summary = "energy, power and utilisation per device",
    .description =
        "Reads traces of any known format and prints one row a device: how many samples, over what time, the energy and the\n"
        "rule that gave it, mean, lowest and highest power, utilisation, the longest gap.\n"
        "\n"
        "A counter is preferred to interval energies and these to powers; of several power columns of one GPU power.draw\n"
        "comes first, then its average, then its instant form. Nothing is added that contains each other, no missing cell\n"
        "is taken as zero, and nothing is repaired: what is odd is a note on standard error.\n"
        "\n"
        "--rule perun takes perun's own rule (trapezoid of the power that it derived) and shows beside it what perun stored, its\n"
        "power overhead and its PUE, which perun puts into the energy of a node and of a run: --by device, domain, node, run.\n"
        "\n"
        "--quantity takes power, energy-counter, energy-interval, util, mem-util, mem-used, clock, temp, power-limit and other;\n"
        "columns of other quantities are not read.\n"
        "\n"
        "energy_lo_j and energy_hi_j bound what long gaps leave open: there the power could have been anything between the\n"
        "lowest and the highest reading.",
    .options = options,
    .example = "wattscale energy datasets/demo/gbs256/1g256b4w10e --by domain",
    .least = 1,
    .most = -1,
    .run = run,
};
