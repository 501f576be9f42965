/* wattscale energy: threads read and meter the files (read_item), the calling thread adds their rows to the table in
 * order (take_item). It begins with run_energy, at the end. */
#include "analyze/commands/budget_table.h"
#include "analyze/commands/cli.h"
#include "analyze/commands/energy_ranks.h"
#include "analyze/commands/energy_table.h"
#include "analyze/commands/progress_line.h"

#include "analyze/measure/measure.h"
#include "analyze/unusable_runs.h"
#include "core/parallel.h"
#include "formats/input/input.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const ws_option options[] = {
    WS_OPTIONS_READ,
    WS_OPTIONS_METER,
    WS_OPTION_THREADS,
    {"column", 0, "NAME", "take the energy from this column of the file"},
    {"quantity", 0, "LIST", "read only these quantities, as power,util: faster where a file has many columns"},
    {"all", 0, NULL, "a row for every column that holds power or energy, not only for the best"},
    {"by", 0, "WHAT", "device (default), domain, node, run or source: one row each"},
    {"baseline", 0, "LIST", "watts of each device without load, as gpu=60,cpu=45: net energy beside the gross one"},
    {"idle", 0, "FROM,TO", "baseline of each device: what it draws in this stretch; of others that of --baseline"},
    {"regions", 0, "FILE", "a row a region: from a table of time,label, or `perun` for those that perun recorded"},
    {"budget", 0, NULL,
     "the parts of each energy's uncertainty, a row a part: sampling, sensor, gaps, edges, clock, counter"},
    {"strict", 0, NULL, "a file of a folder that cannot be read, or an unusable energy: exit status 3"},
    {NULL, 0, NULL, NULL},
};

static bool choose_grouping(const ws_cli *cli, ws_energy_grouping *by)
{
    static const char *const names[] = {"device", "domain", "node", "run", "source"};
    const char *wanted = ws_cli_value(cli, "by");
    *by = WS_BY_DEVICE;
    for (size_t i = 0; wanted && i < sizeof names / sizeof *names; i++) {
        if (strcmp(wanted, names[i]) == 0) {
            *by = (ws_energy_grouping)i;
            return true;
        }
    }
    if (wanted)
        ws_cli_usage(cli, "--by must be device, domain, node, run or source, not '%s'", wanted);
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

static void fail_folder(ws_energy_job *j, size_t argument)
{
    ws_error error = {0};
    ws_fail_at(&error, WS_DATA, j->cli->arguments[argument], 0, "holds no trace that can be read (files tried: %zu)",
               j->paths.folders[argument].n);
    ws_cli_fail(j->cli, &error);
    j->cli->unread->named++;
}

static void fail_empty_folders(ws_energy_job *j)
{
    for (size_t i = 0; i < j->cli->n_arguments; i++)
        if (j->paths.is_folder[i] && !j->paths.folders[i].n)
            fail_folder(j, i);
}

static bool choose_baseline(const ws_cli *cli, ws_baseline *baseline)
{
    const char *stated = ws_cli_value(cli, "baseline");
    for (int d = 0; d < WS_DOMAIN_N; d++)
        baseline->watts[d] = NAN;
    baseline->is_measured = ws_cli_has(cli, "idle");
    if (stated && !ws_baseline_state(baseline, stated))
        return ws_cli_usage(cli, "--baseline '%s' is no list of watts by domain, each once, as gpu=60,cpu=45", stated),
               false;
    return ws_cli_window(cli, "idle", &baseline->stretch);
}

static void read_item(void *state, size_t index, void *out)
{
    const ws_energy_job *j = state;
    const char *path = j->paths.paths[index].path;
    ws_energy_part *p = out;
    ws_rank_answer answer = {0};
    if (!j->round || !ws_energy_take_answer(j, index, p, &answer))
        ws_energy_read(j, path, p);
    if (*answer.refusal)
        ws_rank_note_refusal(&p->notes, &answer);
    if (p->measure.asks_period)
        ws_read_period(&j->source.read);
    ws_measure_finish(&p->measure, &p->notes);
    if (ws_energy_has_baseline(j))
        ws_energy_add_baselines(j, path, p);
    if (j->region_file)
        ws_energy_add_regions(j, path, p);
}

/* By name or found in a folder: they end in other exit statuses. */
static void count_unread(ws_energy_job *j, const ws_path *of)
{
    *(of->named ? &j->cli->unread->named : &j->cli->unread->found) += 1;
}

static void count_result(ws_energy_job *j, const ws_path *of, ws_energy_part *p)
{
    if (p->status == WS_OK) {
        j->read++;
        if (p->measure.is_incomplete)
            count_unread(j, of);
    } else if (of->named) {
        j->usage |= ws_cli_fail(j->cli, &p->error) == WS_EXIT_USAGE;
        j->cli->unread->named++;
    } else {
        ws_note_failure(&j->table.notes, WS_FINDING_NOT_A_TRACE, of->path, &p->error);
        j->cli->unread->found++;
    }
}

static bool has_energy(const ws_measure *m)
{
    for (size_t i = 0; i < m->n_devices; i++)
        if (m->devices[i].energy && !isnan(m->devices[i].energy->summary.energy_j))
            return true;
    return false;
}

static bool any_has_energy(const ws_energy_job *j, const ws_energy_part *p)
{
    if (!p->in_each)
        return has_energy(&p->measure);
    for (size_t i = 0; i <= ws_energy_regions_of(j, p)->n_names; i++)
        if (has_energy(&p->in_each[i]))
            return true;
    return false;
}

/* The columns of power or energy, each once: "power.draw [W] (power), energy (energy-counter)". */
static const char *list_columns(const ws_measure *m, ws_arena *arena)
{
    const char *list = "";
    for (size_t i = 0; i < m->n_channels; i++) {
        const ws_channel *c = &m->channels[i].channel;
        if (!ws_quantity_gives_energy(c->quantity))
            continue;
        const char *entry = ws_arena_printf(arena, "%s (%s)", c->column, ws_quantity_name(c->quantity));
        if (!strstr(list, entry))
            list = ws_arena_printf(arena, "%s%s%s", list, *list ? ", " : "", entry);
    }
    return *list ? list : "no column of power or energy";
}

/* Notes what was asked of a source without energy, and what it has instead; printed if no source gives energy. */
static void explain(ws_energy_job *j, const ws_measure *m)
{
    const char *rule = ws_cli_value(j->cli, "rule"), *column = m->options.column;
    if ((!rule && !column) || !m->n_channels || j->has_energy)
        return;
    const char *and_rule = column && rule ? " and --rule " : rule ? " by --rule " : "";
    j->explanations =
        ws_grow(j->explanations, &j->explanation_capacity, j->n_explanations + 1, sizeof *j->explanations);
    j->explanations[j->n_explanations++] = ws_arena_printf(
        &j->texts, "%s: no energy came out%s%s%s%s%s; the file holds %s", m->source, column ? " of --column '" : "",
        column ? column : "", column ? "'" : "", and_rule, rule ? rule : "", list_columns(m, &j->texts));
}

static void print_explanations(const ws_energy_job *j)
{
    for (size_t i = 0; i < j->n_explanations; i++)
        fprintf(j->cli->err, "wattscale energy: %s\n", j->explanations[i]);
    if (!ws_cli_has(j->cli, "rule") && !j->measure.column)
        fprintf(j->cli->err, "wattscale energy: no energy came out, the column status says why ('wattscale inspect "
                             "--channels' shows what the files hold)\n");
}

static void count_unusable(ws_energy_job *j, size_t first_row)
{
    for (size_t row = first_row; row < j->table.n_rows; row++)
        j->cli->unread->found += ws_run_is_unusable(&j->table, row);
}

static void take_item(void *state, size_t index, void *in)
{
    ws_energy_job *j = state;
    const ws_path *of = &j->paths.paths[index];
    ws_energy_part *p = in;
    size_t first_row = j->table.n_rows;
    ws_notes_append(&j->table.notes, &p->notes);
    count_result(j, of, p);
    if (j->wants_budget)
        ws_energy_budget_add(&j->table, &p->measure, j->by);
    else if (p->in_each)
        ws_region_table_add(&j->table, p->in_each, ws_energy_regions_of(j, p), j->by);
    else
        ws_energy_table_add(&j->table, &p->measure, j->by);
    if (ws_cli_has(j->cli, "strict") && !j->wants_budget)
        count_unusable(j, first_row);
    if (j->perun_columns)
        ws_energy_table_set_perun(&p->measure, j->by, &j->table, j->perun_columns, first_row);
    j->has_energy |= any_has_energy(j, p);
    if (p->status == WS_OK && (j->paths.n > 1 || p->measure.n_devices > 1))
        ws_seen_devices_add(&j->seen, &p->measure, index);
    if (ws_measure_asks(&p->measure))
        count_unread(j, of);
    explain(j, &p->measure);
    if (of->is_last && !of->named && j->read == j->read_before)
        fail_folder(j, of->argument);
    if (of->is_last)
        j->read_before = j->read;
    if (p->in_each)
        ws_region_measures_free(p->in_each, ws_energy_regions_of(j, p));
    if (j->region_file)
        ws_regions_free(&p->regions);
}

static void drop_item(void *in)
{
    ws_energy_part *p = in;
    if (p->identity)
        ws_identity_free(p->identity);
    ws_measure_free(&p->measure);
    ws_notes_free(&p->notes);
}

/* Utilisation alone is a result, where nothing else was asked for. */
static bool wants_energy(const ws_measure_options *measure)
{
    const unsigned energies = 1u << WS_POWER | 1u << WS_ENERGY_COUNTER | 1u << WS_ENERGY_INTERVAL;
    return !measure->quantities || measure->quantities & energies;
}

static int exit_status(const ws_energy_job *j, int written)
{
    if (written != WS_EXIT_OK || j->usage)
        return j->usage ? WS_EXIT_USAGE : written;
    if (wants_energy(&j->measure) && !j->has_energy) {
        print_explanations(j);
        return WS_EXIT_DATA;
    }
    return WS_EXIT_OK;
}

static int report(ws_energy_job *j)
{
    for (size_t i = 0; i < j->cli->n_arguments; i++)
        j->table.synthetic |= ws_is_in_synthetic_campaign(j->cli->arguments[i]);
    int status = WS_EXIT_DATA;
    if (j->table.n_rows)
        status = ws_cli_output(j->cli, &j->table);
    else
        ws_cli_notes(j->cli, &j->table.notes);
    if (!j->table.n_rows && !j->cli->unread->named)
        fprintf(j->cli->err, "wattscale energy: the files hold no samples\n");
    return exit_status(j, status);
}

static void free_job(ws_energy_job *j)
{
    ws_path_list_free(&j->paths);
    ws_arena_free(&j->texts);
    free(j->explanations);
    ws_table_free(&j->table);
    free(j->states);
    if (j->region_file)
        ws_regions_free(&j->markers);
}

static int read_markers(ws_energy_job *j)
{
    ws_source_options how = {.as = "table-csv", .read = WS_READ_DEFAULTS};
    ws_table table;
    ws_error error = {0};
    ws_status status = ws_source_read_table(j->region_file, &how, &table, &error);
    if (status == WS_OK)
        status = ws_regions_of_markers(&j->markers, &table, j->source.read.zone, &j->table.notes, &error);
    ws_table_free(&table);
    return status == WS_OK ? WS_EXIT_OK : ws_cli_fail(j->cli, &error);
}

static int choose_regions(ws_energy_job *j)
{
    if (!j->region_file)
        return WS_EXIT_OK;
    if (j->wants_budget)
        return ws_cli_usage(j->cli, "--budget has no rows for regions: ask for one of the two");
    for (size_t i = 0; i < j->cli->n_arguments; i++)
        if (ws_is_pipe(j->cli->arguments[i]))
            return ws_cli_usage(j->cli, "--regions reads a trace twice, and '%s' can be read once: write it to a file",
                                j->cli->arguments[i]);
    return ws_energy_wants_perun_regions(j) ? WS_EXIT_OK : read_markers(j);
}

static void init_table(ws_energy_job *j)
{
    if (j->region_file)
        ws_region_table_init(&j->table, j->by, ws_energy_has_baseline(j));
    else if (j->wants_budget)
        ws_budget_table_init(&j->table, "j");
    else
        ws_energy_table_init(&j->table, j->by);
    if (j->wants_budget) /* the device, its domain and the component */
        j->table.screen_keys = j->by == WS_BY_DEVICE ? 3 : 2;
    if (ws_energy_has_baseline(j) && !j->wants_budget && !j->region_file)
        ws_energy_table_add_baselines(&j->table);
    if (j->measure.rule == WS_RULE_PERUN && !j->wants_budget && !j->region_file)
        j->perun_columns = ws_energy_table_add_perun(&j->table);
}

/* Budgets of one file fit a screen of 80 columns without its name in every row. */
static void hide_only_source(ws_energy_job *j)
{
    size_t source;
    if (j->wants_budget && j->paths.n == 1 && ws_table_find(&j->table, "source", &source))
        ws_table_set_detail(&j->table, source);
}

static int run_energy(ws_cli *cli)
{
    ws_energy_job j = {.cli = cli};
    ws_progress progress = {0};
    ws_progress_line line;
    unsigned threads;
    if (!ws_cli_source_options(cli, &j.source) || !ws_cli_measure_options(cli, &j.measure) ||
        !choose_baseline(cli, &j.baseline) || !choose_grouping(cli, &j.by) ||
        !choose_quantities(cli, &j.measure.quantities) || !ws_cli_threads(cli, &threads))
        return WS_EXIT_USAGE;
    j.source.progress = &progress;
    j.measure.column = ws_cli_value(cli, "column");
    j.measure.all_channels = ws_cli_has(cli, "all");
    j.measure.every_fact = j.measure.rule == WS_RULE_PERUN;
    j.wants_budget = ws_cli_has(cli, "budget");
    j.region_file = ws_cli_value(cli, "regions");
    init_table(&j);
    int chosen = choose_regions(&j);
    if (chosen != WS_EXIT_OK) {
        free_job(&j);
        return chosen;
    }
    ws_path_list_fill(&j.paths, cli, &j.table.notes);
    fail_empty_folders(&j);
    hide_only_source(&j);
    ws_energy_begin_round(&j, threads);
    size_t processes = j.round ? ws_ranks_n() : 1;
    size_t share = (j.paths.n + processes - 1) / processes; /* of files, of this process */
    if (share && share < threads)                           /* the other threads help inside large files */
        j.source.read.rows.threads = threads / (unsigned)share;
    ws_parallel_task task = {&j, sizeof(ws_energy_part), read_item, take_item, drop_item};
    ws_progress_line_start(&line, cli, &j.paths, &progress);
    ws_parallel_run(&task, j.paths.n, threads);
    ws_progress_line_stop(&line);
    if (j.round)
        ws_ranks_end(j.round);
    if (j.seen.n)
        ws_seen_devices_note(&j.seen, &j.table, &j.measure.verdict.ignored);
    int status = report(&j);
    free_job(&j);
    return status;
}

const ws_command ws_command_energy = {
    .name = "energy",
    .arguments = "PATH...",
    .summary = "energy, power and utilisation per device",
    .description =
        "Reads traces of any known format and prints one row a device below its file: over what time, the energy, mean "
        "power, utilisation, how much of the time has readings. --all-columns adds how many samples, since when, the "
        "rule that gave the energy and its column, lowest and highest power and the longest gap.\n\n"
        "A counter is preferred to interval energies and these to powers; of several power columns of one GPU "
        "power.draw comes first, then its average, then its instant form. Totals never add overlapping domains, "
        "and no missing cell is taken as zero. Readings stay as they are, with three exceptions: wraps, failed reads "
        "and jumps of a counter are undone, copies of readings count once, and a GPU's power in a unit that cannot be "
        "right is read in the one that can. Whatever is odd is a note on standard error.\n\n"
        "--rule perun takes perun's own rule (trapezoid of the power that it derived) and shows beside it the energy "
        "that perun stored. As perun does, --by node adds its power overhead, and --by run multiplies by its PUE, "
        "too.\n\n"
        "--quantity takes power, energy-counter, energy-interval, util, mem-util, mem-used, clock, temp, power-limit "
        "and other; columns of other quantities are not read.\n\n"
        "--baseline and --idle add baseline_j, what the devices would have drawn without the load, and net_energy_j, "
        "the energy less that; energy_j stays the gross energy.\n\n"
        "--regions FILE gives a row a region and device: a table with the columns time and label, where a region "
        "begins at its row and ends at the next one, and an empty label begins none. Times are dates or seconds, as "
        "in --window. --regions perun takes the regions that perun recorded. What lies in no region has the row "
        "(outside), so that the rows add up to the energy of the file unless regions overlap.\n\n"
        "energy_lo_j and energy_hi_j are the 95 % interval of the energy: what sampling, the sensor, long gaps, the "
        "time before the first and after the last reading, the clock and the counter leave open. --budget shows each "
        "of these.",
    .options = options,
    .example = "wattscale energy datasets/demo/gbs256/1g256b4w10e --by domain",
    .least = 1,
    .most = -1,
    .run = run_energy,
};
