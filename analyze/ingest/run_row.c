#include "analyze/ingest/run_row.h"

#include "analyze/measure/node_clocks.h"
#include "analyze/ingest/run_energy.h"
#include "analyze/ingest/run_columns.h"
#include "analyze/ingest/run_history.h"
#include "analyze/ingest/windows.h"
#include "analyze/measure/sources.h"
#include "analyze/run_status.h"

#include <math.h>
#include <string.h>

static const double J_PER_KWH = 3.6e6;

void ws_runs_set_field(ws_table *runs, size_t row, const char *name, const char *value)
{
    size_t column;
    double number;
    bool is_number = ws_span_double(ws_span_of(value), &number);
    name = ws_end_field(name, value);
    if (!ws_table_find(runs, name, &column)) {
        /* identifiers stay texts even where they are made of digits */
        bool is_id = strcmp(name, "job") == 0 || strcmp(name, "config") == 0;
        column = ws_table_add_column(runs, name, is_number && !is_id ? WS_NUMBER : WS_TEXT);
    }
    if (runs->columns[column].kind == WS_TEXT)
        ws_table_set_text(runs, column, row, value);
    else if (is_number)
        ws_table_set_number(runs, column, row, number);
    else
        ws_notes_add(&runs->notes, WS_FINDING_NOT_A_NUMBER, runs->source, name, 0,
                     "'%s' is no number for '%s' and is left out", value, name);
}

typedef double device_value(const ws_device *device);

/* The mean of `pick` over the devices of a run inside the files, ignoring NaN; NaN if there are none. */
static double mean_over(const ws_measure *m, const ws_measure_group *inner, ws_domain domain, device_value *pick)
{
    double sum = 0;
    size_t n = 0;
    for (size_t i = 0; i < inner->n_devices; i++) {
        const ws_device *d = &m->devices[inner->devices[i]];
        double value = !d->is_alternative && d->domain == domain ? pick(d) : NAN;
        if (!isnan(value)) {
            sum += value;
            n++;
        }
    }
    return n ? sum / (double)n : NAN;
}

static double power_of(const ws_device *d)
{
    return d->energy ? d->energy->summary.mean : NAN;
}

static double plain_power_of(const ws_device *d)
{
    return d->energy ? d->energy->summary.plain_mean : NAN;
}

static double mean_of(const ws_metered_channel *c)
{
    return c && c->summary.samples ? c->summary.mean : NAN;
}

static double cv_of(const ws_metered_channel *c)
{
    return c && c->summary.mean > 0 ? c->summary.sd / c->summary.mean : NAN;
}

static double util_of(const ws_device *d)
{
    return mean_of(d->util);
}

static double util_cv_of(const ws_device *d)
{
    return cv_of(d->util);
}

static double mem_util_of(const ws_device *d)
{
    return mean_of(d->mem_util);
}

static double mem_util_cv_of(const ws_device *d)
{
    return cv_of(d->mem_util);
}

/* As many as the largest nodes have: NVIDIA's DGX-2, and eight GPUs of two dies each. */
enum { MOST_GPUS_OF_A_NODE = 16 };

static size_t count_nodes(const ws_measure *m, const ws_measure_group *inner)
{
    size_t n = 0;
    for (size_t i = 0; i < inner->n_devices; i++) {
        const ws_device *d = &m->devices[inner->devices[i]];
        bool counts = !d->is_alternative && *d->node;
        for (size_t j = 0; counts && j < i; j++)
            counts = strcmp(m->devices[inner->devices[j]].node, d->node) != 0;
        n += counts;
    }
    return n;
}

/* All from one file a domain, and not more GPUs than a node has: without names of nodes that is one node, as what a
 * logger of one writes. */
static bool is_of_one_node(const ws_measure *m, const ws_measure_group *inner, size_t gpus)
{
    const char *source[WS_DOMAIN_N] = {NULL};
    size_t nodes = 0, n = 0;
    for (size_t i = 0; i < inner->n_devices; i++) {
        const ws_device *d = &m->devices[inner->devices[i]];
        if (d->is_alternative || !d->is_metered)
            continue;
        if (source[d->domain] && strcmp(source[d->domain], d->source) != 0)
            return false;
        source[d->domain] = d->source;
        nodes += d->domain == WS_NODE || d->domain == WS_WALL || d->domain == WS_PSYS;
        n++;
    }
    return n && nodes <= 1 && gpus <= MOST_GPUS_OF_A_NODE;
}

/* The nodes that the traces name; where they name none, and the run is described with several, the one that they can
 * be of, unless the described GPUs are all there. */
static size_t count_nodes_of(const ws_table *runs, size_t row, const ws_measure *m, const ws_measure_group *inner,
                             size_t gpus)
{
    size_t named = count_nodes(m, inner);
    bool has_all = gpus && ws_runs_get(runs, WS_COL_GPUS, row) == (double)gpus;
    bool is_open = !named && ws_runs_get(runs, WS_COL_NODES, row) > 1 && !has_all;
    return is_open && is_of_one_node(m, inner, gpus) ? 1 : named;
}

/* A measured value replaces a stated one; NaN leaves it. */
static void set_measured(ws_table *runs, ws_run_column column, size_t row, double value)
{
    if (!isnan(value))
        ws_runs_set(runs, column, row, value);
}

static void set_energies(ws_table *runs, size_t row, const ws_totals *t)
{
    static const struct {
        ws_domain domain;
        ws_run_column column;
    } domains[] = {{WS_GPU, WS_COL_ENERGY_GPU}, {WS_CPU, WS_COL_ENERGY_CPU}, {WS_DRAM, WS_COL_ENERGY_DRAM}};
    for (size_t i = 0; i < 3 && !t->all.ask; i++) /* the known parts beside an open one would be taken for the whole */
        set_measured(runs, domains[i].column, row, t->domain[domains[i].domain].energy_j / J_PER_KWH);
    set_measured(runs, WS_COL_ENERGY, row, t->all.energy_j / J_PER_KWH);
    set_measured(runs, WS_COL_COVERAGE, row, t->all.coverage);
    if (*t->scope)
        ws_table_set_text(runs, WS_COL_ENERGY_SCOPE, row, t->scope);
}

static void set_wall(ws_table *runs, size_t row, const ws_totals *t, const ws_run_window *window)
{
    if (window) {
        ws_runs_set(runs, WS_COL_WALL, row, (double)(window->end_ns - window->start_ns) / 1e9);
        ws_table_set_text(runs, WS_COL_WALL_SOURCE, row, "window");
        return;
    }
    if (!isnan(ws_runs_get(runs, WS_COL_WALL, row))) {
        ws_table_set_text(runs, WS_COL_WALL_SOURCE, row, "given");
        return;
    }
    if (isnan(t->wall_s))
        return;
    ws_runs_set(runs, WS_COL_WALL, row, t->wall_s);
    ws_table_set_text(runs, WS_COL_WALL_SOURCE, row, "trace span");
}

/* What the verdict on a run's energy follows from. */
typedef struct run_stake {
    ws_stake stake;
    const ws_verdict_rules *rules;
    double energy_j, missing_share; /* of the devices or nodes, to those that were measured */
    ws_finding missing;
} run_stake;

/* Fewer than stated: those that are missing may have had as much as the others, and GPUs are missing with their nodes.
 * More: whether the others belong to the run nobody says. */
static void stake_count(run_stake *s, ws_finding finding, double said, double counted)
{
    double share = said / counted - 1;
    if (share < 0)
        ws_stake_add(&s->stake, s->rules, finding, NAN);
    if (share > s->missing_share) {
        s->missing_share = share;
        s->missing = finding;
    }
}

/* What the traces hold beside what is stated. */
typedef enum count_found { COUNT_AS_SAID, COUNT_FEWER, COUNT_MORE } count_found;

typedef struct run_counts {
    count_found gpus, nodes;
} run_counts;

/* "2nodes_4gpus" over two nodes of 4 GPUs each. */
static bool may_count_each_node(const ws_table *runs, size_t row, ws_run_column column, size_t counted)
{
    return column == WS_COL_GPUS && counted && ws_runs_get(runs, WS_COL_NODES, row) > 1 &&
           ws_runs_get(runs, WS_COL_GPUS, row) * ws_runs_get(runs, WS_COL_NODES, row) == (double)counted;
}

static size_t count_beside(const ws_measure *m, const ws_measure_group *inner, const ws_device *of)
{
    size_t n = 0;
    for (size_t i = 0; i < inner->n_devices; i++) {
        const ws_device *d = &m->devices[inner->devices[i]];
        n += !d->is_alternative && d->domain == WS_GPU && strcmp(d->node, of->node) == 0;
    }
    return n;
}

/* A GPU that idles has less than this part of the load, or of the power, of one that works. Ours. */
static const double idle_share = 0.5;

/* None of the run's GPUs has less than that part of what another one has. False where that is not known of all. */
static bool all_work(const ws_measure *m, const ws_measure_group *inner, device_value *pick)
{
    double least = INFINITY, most = 0;
    bool known = true;
    for (size_t i = 0; i < inner->n_devices && known; i++) {
        const ws_device *d = &m->devices[inner->devices[i]];
        if (d->is_alternative || d->domain != WS_GPU)
            continue;
        double value = pick(d);
        known = !isnan(value);
        least = fmin(least, value), most = fmax(most, value);
    }
    return known && most > 0 && least >= idle_share * most;
}

/* Each node that the traces name holds as many GPUs as are stated, and all of them work: they are those of each node. A
 * job that had a part of them would leave the others idle. */
static bool are_of_each_node(const ws_table *runs, size_t row, const ws_measure *m, const ws_measure_group *inner,
                             size_t counted)
{
    double said = ws_runs_get(runs, WS_COL_GPUS, row);
    bool are = may_count_each_node(runs, row, WS_COL_GPUS, counted) &&
               (double)count_nodes(m, inner) == ws_runs_get(runs, WS_COL_NODES, row);
    for (size_t i = 0; i < inner->n_devices && are; i++) {
        const ws_device *d = &m->devices[inner->devices[i]];
        if (!d->is_alternative && d->domain == WS_GPU)
            are = *d->node && (double)count_beside(m, inner, d) == said;
    }
    return are && (all_work(m, inner, util_of) || all_work(m, inner, power_of));
}

static void take_gpus_of_each_node(ws_table *runs, size_t row, size_t counted)
{
    ws_notes_add(
        &runs->notes, WS_FINDING_GPU_COUNT, runs->source, runs->columns[WS_COL_RUN].text[row], 0,
        "the %.6g GPUs of its description are those of each of its %.6g nodes: its traces hold %zu, and all of "
        "them work",
        ws_runs_get(runs, WS_COL_GPUS, row), ws_runs_get(runs, WS_COL_NODES, row), counted);
    ws_runs_set(runs, WS_COL_GPUS, row, (double)counted);
}

/* Takes the count from the traces if none is stated. */
static count_found set_count(ws_table *runs, size_t row, ws_run_column column, size_t counted, ws_finding finding,
                             const char *what, run_stake *stake)
{
    double said = ws_runs_get(runs, column, row);
    if (isnan(said) && counted)
        ws_runs_set(runs, column, row, (double)counted);
    else if (counted && said != (double)counted)
        ws_notes_add(&runs->notes, finding, runs->source, runs->columns[WS_COL_RUN].text[row], 0,
                     "the run is described with %.6g %s, its traces hold %zu: the energy is that of all of them%s",
                     said, what, counted,
                     may_count_each_node(runs, row, column, counted)
                         ? " (so many on each node? --pattern with gpus_per_node for gpus says so)"
                         : "");
    if (counted && !isnan(said))
        stake_count(stake, finding, said, (double)counted);
    return !counted || isnan(said) || said == (double)counted ? COUNT_AS_SAID
           : said > (double)counted                           ? COUNT_FEWER
                                                              : COUNT_MORE;
}

/* One file holds as many GPUs as the run is described with, and names no node, but the run is described with several:
 * "2nodes_4gpus" over the 4 GPUs of one node lacks those of the other. Not where GPUs grow with the nodes. */
static void doubt_nodes(const ws_run_reading *r, const ws_table *runs, size_t row, const ws_measure_group *inner,
                        size_t gpus, run_stake *stake, ws_notes *notes)
{
    double nodes = ws_runs_get(runs, WS_COL_NODES, row);
    if (r->files->gpus_grow || !(nodes > 1) || !gpus || ws_runs_get(runs, WS_COL_GPUS, row) != (double)gpus ||
        count_nodes(&r->measure, inner) || !is_of_one_node(&r->measure, inner, gpus))
        return;
    ws_stake_add(&stake->stake, stake->rules, WS_FINDING_NODE_COUNT, NAN);
    ws_notes_add(notes, WS_FINDING_NODE_COUNT, runs->source, runs->columns[WS_COL_RUN].text[row], 0,
                 "the run is described with %.6g nodes and %zu GPUs, and one file without names of nodes holds them "
                 "all: if they are those of each node, the others are missing (--pattern with gpus_per_node for gpus "
                 "says so)",
                 nodes, gpus);
}

static double number_of(const ws_fields *fields, const char *name)
{
    double number;
    const char *text = ws_fields_get(fields, name);
    return text && ws_span_double(ws_span_of(text), &number) ? number : NAN;
}

/* Files of settings say more GPUs than the traces hold: others may have run without a logger, or the settings are those
 * of another run. Of GPUs that they say themselves side_files.c tells. */
static void doubt_settings(const ws_run_reading *r, size_t counted, run_stake *stake, ws_notes *notes, const char *id)
{
    const ws_fields *settings = &r->files->settings;
    double gpus = number_of(settings, "gpus"), nodes = number_of(settings, "nodes"),
           each = number_of(settings, "gpus_per_node");
    if (!counted || !((isnan(gpus) ? nodes * each : gpus) > (double)counted))
        return;
    ws_stake_add(&stake->stake, stake->rules, WS_FINDING_GPU_COUNT, NAN);
    if (isnan(gpus))
        ws_notes_add(notes, WS_FINDING_GPU_COUNT, r->campaign->source, id, 0,
                     "its settings say %.6g nodes with %.6g devices each, its traces hold %zu GPUs", nodes, each,
                     counted);
}

static void set_means(ws_table *runs, size_t row, const ws_measure *m, const ws_measure_group *inner)
{
    static const struct {
        ws_run_column column;
        ws_domain domain;
        device_value *pick;
    } means[] = {{WS_COL_PLAIN_GPU_POWER, WS_GPU, plain_power_of},
                 {WS_COL_GPU_POWER, WS_GPU, power_of},
                 {WS_COL_CPU_POWER, WS_CPU, power_of},
                 {WS_COL_UTIL_MEAN, WS_GPU, util_of},
                 {WS_COL_UTIL_CV, WS_GPU, util_cv_of},
                 {WS_COL_MEM_UTIL_MEAN, WS_GPU, mem_util_of},
                 {WS_COL_MEM_UTIL_CV, WS_GPU, mem_util_cv_of}};
    for (size_t i = 0; i < sizeof means / sizeof *means; i++)
        set_measured(runs, means[i].column, row, mean_over(m, inner, means[i].domain, means[i].pick));
}

/* File names and tools state clocks in MHz. */
static bool set_clock(ws_table *runs, size_t row, const ws_field *field)
{
    double mhz;
    bool is_clock = strcmp(field->name, "clock_cap_mhz") == 0 && ws_span_double(ws_span_of(field->value), &mhz);
    if (is_clock)
        ws_runs_set(runs, WS_COL_CLOCK_CAP, row, mhz * 1e6);
    return is_clock;
}

static void set_fields(ws_table *runs, size_t row, const ws_fields *fields)
{
    size_t known = runs->n_columns;
    for (size_t i = 0; i < fields->n; i++)
        if (!ws_field_is_of_file(&fields->items[i]) && !set_clock(runs, row, &fields->items[i]))
            ws_runs_set_field(runs, row, fields->items[i].name, fields->items[i].value);
    for (; known < runs->n_columns; known++)
        ws_table_set_detail(runs, known);
}

/* The sources of stated values, in increasing precedence. */
enum { STATED_BY = 4 };

static void find_stated(const ws_run_reading *r, const ws_fields *stated[STATED_BY])
{
    static const ws_fields nothing;
    stated[0] = &r->options->set;
    stated[1] = &r->campaign->defaults;
    stated[2] = r->window ? &r->window->fields : &nothing;
    stated[3] = &r->files->fields;
}

/* A "1/f" subset of the data set, as the folder names of Huber et al. say it ("4sf"): whole samples. */
static void apply_factor(ws_table *runs, size_t row, const ws_fields *fields)
{
    double factor, samples = ws_runs_get(runs, WS_COL_DATASET_SAMPLES, row);
    const char *text = ws_fields_get(fields, "factor");
    if (text && ws_span_double(ws_span_of(text), &factor) && factor >= 1 && !isnan(samples))
        ws_runs_set(runs, WS_COL_DATASET_SAMPLES, row, floor(samples / factor));
}

/* Could the files of this run belong to several runs? */
static bool may_be_several(const ws_run_reading *r)
{
    const ws_path_rule *rule = r->files->n_files ? r->files->files[0].rule : NULL;
    return rule && rule->ask;
}

/* Is there a question about its files that must be answered before anything is added up? */
static bool asks_for_nodes(const ws_run_reading *r)
{
    return may_be_several(r) || r->duplicates == WS_DUPLICATES_ASK;
}

static void note_question(const ws_run_reading *r, ws_notes *notes)
{
    ws_notes_add(
        notes, WS_FINDING_ASK_NODES, r->campaign->source, "", 0,
        "files of '%s' cover the same time or follow each other, and nothing proves whether they are of one run or of "
        "several: 'wattscale scan' names the --pattern for each answer (in a description: name the field that differs "
        "node, rank or part for one run, and take \"ask\" out of the rule)",
        r->files->files[0].rule->match);
}

/* More than stated says nothing about what was measured, but whose it is. */
static ws_energy_status status_of_counts(const ws_totals *t, const run_counts *counts, const ws_verdict_rules *rules)
{
    ws_energy_status status = ws_device_sum_status(&t->all);
    if (!t->all.devices || status != WS_STATUS_OK)
        return status;
    if (counts->nodes == COUNT_MORE && !ws_finding_set_has(&rules->ignored, WS_FINDING_NODE_COUNT))
        return WS_STATUS_NODE_COUNT;
    return counts->gpus == COUNT_MORE && !ws_finding_set_has(&rules->ignored, WS_FINDING_GPU_COUNT)
               ? WS_STATUS_GPU_COUNT
               : status;
}

static ws_energy_status status_of(const ws_run_reading *r, const ws_totals *t, const run_counts *counts)
{
    if (!r->read && !ws_measure_has_samples(&r->measure))
        return WS_STATUS_UNREADABLE;
    if (r->campaign->n_windows && !r->window)
        return WS_STATUS_NO_WINDOW;
    if (asks_for_nodes(r))
        return WS_STATUS_ASK_NODES;
    if (r->failed)
        return WS_STATUS_INCOMPLETE;
    if (r->window && !ws_measure_has_samples(&r->measure))
        return WS_STATUS_WINDOW_WITHOUT_TRACE;
    if (t->all.devices && counts->nodes == COUNT_FEWER)
        return WS_STATUS_NODES_MISSING;
    if (t->all.devices && counts->gpus == COUNT_FEWER)
        return WS_STATUS_DEVICES_MISSING;
    return t->all.devices && r->duplicates == WS_DUPLICATES_DOUBT
               ? WS_STATUS_MAYBE_MEASURED_TWICE
               : status_of_counts(t, counts, &r->options->measure.verdict);
}

/* Does every node of the run's window have readings? */
static bool check_nodes(const ws_run_reading *r, const char *id, run_stake *stake, ws_notes *notes)
{
    const char *first;
    bool is_read = r->window && ws_measure_has_samples(&r->measure);
    size_t missing = is_read ? ws_window_missing_nodes(r->window, &r->measure, &first) : 0;
    if (missing)
        stake_count(stake, WS_FINDING_NODE_WITHOUT_TRACE, (double)r->window->n_nodes,
                    (double)(r->window->n_nodes - missing));
    if (missing)
        ws_notes_add_many(
            notes, missing, WS_FINDING_NODE_WITHOUT_TRACE, r->files->id, id, 0,
            "nodes of the run's node list have no reading, the first is %s: the energy is that of the others", first);
    return !missing;
}

static bool names_run(const ws_fields *fields)
{
    for (size_t i = 0; i < fields->n; i++)
        if (!ws_field_is_of_file(&fields->items[i]))
            return true;
    return false;
}

const char *ws_run_name(const ws_run_reading *r, ws_arena *arena)
{
    const char *job = r->window ? ws_fields_get(&r->window->fields, "job") : NULL;
    bool is_named = names_run(&r->files->fields);
    if (!r->window || (r->files->n_windows == 1 && is_named))
        return r->files->id;
    job = job ? job : ws_arena_printf(arena, "window%zu", r->window->row);
    return is_named ? ws_arena_printf(arena, "%s/%s", r->files->id, job) : job;
}

/* Traces that end before the time that is stated for the run are told from this share on: a logger starts late and
 * stops early by some seconds. */
static const double enough_of_wall = 0.97;

/* ... and traces that go on for longer from a tenth on, or from a thirtieth on that is more than a logger takes to
 * start and to stop: idle time, another run, or a clock that is not that of the run. Ours. */
static const double more_than_wall = 1.1, longer_than_wall = 1.03, logger_stops_s = 20;

static bool is_longer(double traced_s, double wall_s)
{
    return wall_s > 0 && (traced_s > more_than_wall * wall_s ||
                          (traced_s > longer_than_wall * wall_s && traced_s > wall_s + logger_stops_s));
}

static void stake_more_than_wall(ws_table *runs, size_t row, double wall_s, double traced_s, run_stake *stake)
{
    ws_stake_add(&stake->stake, stake->rules, WS_FINDING_LONG_TRACE, fabs(stake->energy_j) * (1 - wall_s / traced_s));
    ws_notes_add(&runs->notes, WS_FINDING_LONG_TRACE, runs->source, runs->columns[WS_COL_RUN].text[row], 0,
                 "the traces cover %.6g s and the run took %.6g s: the energy is that of the traces, whatever they "
                 "hold beside the run",
                 traced_s, wall_s);
}

static void stake_wall(ws_table *runs, size_t row, const ws_run_reading *r, const ws_totals *t, run_stake *stake)
{
    double wall_s = ws_runs_get(runs, WS_COL_WALL, row);
    if (!r->window && is_longer(t->wall_s, wall_s))
        stake_more_than_wall(runs, row, wall_s, t->wall_s, stake);
    if (r->window || !(t->wall_s > 0) || !(t->wall_s < enough_of_wall * wall_s))
        return;
    ws_stake_add(&stake->stake, stake->rules, WS_FINDING_LOW_COVERAGE,
                 fabs(stake->energy_j) * (wall_s / t->wall_s - 1));
    ws_notes_add(&runs->notes, WS_FINDING_LOW_COVERAGE, runs->source, runs->columns[WS_COL_RUN].text[row], 0,
                 "the traces cover %.6g s of the %.6g s that the run took, and so does its energy", t->wall_s, wall_s);
}

/* Where the run is stated to have taken longer than its traces, nobody knows what it drew in that time; where it is
 * stated to have more devices, they may have drawn what the others drew at most. */
static void set_budget(ws_table *runs, size_t row, const ws_run_reading *r, const ws_totals *t, double missing_share,
                       const ws_clock_doubt *clocks)
{
    ws_budget budget = t->all.budget;
    budget.of[WS_COMPONENT_CLOCK].hi_j += clocks->most_j;
    double rest_s = ws_runs_get(runs, WS_COL_WALL, row) - t->wall_s;
    if (!r->window && !r->campaign->excerpts && rest_s > t->all.max_gap_s)
        ws_budget_leave_out(&budget, rest_s, t->all.least_w, t->all.most_w);
    ws_budget_leave_out(&budget, t->all.duration_s, 0, missing_share * t->all.most_w);
    if (r->campaign->excerpts) {
        ws_runs_set(runs, WS_COL_LEAST_POWER, row, t->all.least_w);
        ws_runs_set(runs, WS_COL_MOST_POWER, row, t->all.most_w);
    }
    ws_runs_set_budget(runs, row, &budget, t->all.energy_j);
    ws_history_take_budget(r->options->history, row, &budget, t);
}

static void set_verdict(ws_table *runs, size_t row, const ws_run_reading *r, const ws_totals *t, run_stake *s)
{
    if (s->missing_share > 0)
        ws_stake_add(&s->stake, s->rules, s->missing, fabs(s->energy_j) * s->missing_share);
    if (r->failed)
        ws_stake_add(&s->stake, s->rules, WS_FINDING_UNREADABLE, INFINITY);
    stake_wall(runs, row, r, t, s);
    ws_runs_set_stake(runs, row, &s->stake,
                      t->all.ask ? WS_ENERGY_VERDICT_UNUSABLE : ws_energy_verdict_of(&s->stake, s->energy_j, s->rules));
}

/* By what ws_run_list, a description and --set say of the run, in increasing precedence. */
static void keep_history(const ws_run_reading *r, size_t row, const ws_fields *const stated[STATED_BY])
{
    static const char *const by[STATED_BY] = {"--set", "the defaults of the campaign", "the record of its window",
                                              "its path or its entry in the description"};
    for (size_t i = 0; i < STATED_BY; i++)
        ws_history_take_fields(r->options->history, row, stated[i], by[i]);
    ws_history_take_files(r->options->history, row, r->files, r->window);
}

static void add_run_row(const ws_run_reading *r, const ws_measure_group *inner, bool several, ws_table *runs)
{
    ws_totals totals;
    ws_group_totals(&r->measure, inner, true, &totals);
    size_t row = ws_table_add_row(runs);
    const char *id = ws_run_name(r, &runs->arena);
    ws_table_set_text(runs, WS_COL_RUN, row, id);
    const ws_fields *stated[STATED_BY];
    find_stated(r, stated);
    for (size_t i = 0; i < STATED_BY; i++)
        set_fields(runs, row, stated[i]);
    keep_history(r, row, stated);
    ws_history_take_devices(r->options->history, row, &r->measure, inner);
    if (r->options->devices)
        r->options->devices->take(r->options->devices, row, &r->measure, inner, totals.wall_s);
    if (several)
        ws_table_set_text(runs, WS_COL_RUN, row,
                          ws_arena_printf(&runs->arena, "%s#%s", id, r->measure.devices[inner->devices[0]].run));
    apply_factor(runs, row, &r->files->fields);
    set_wall(runs, row, &totals, r->window);
    if (asks_for_nodes(r)) {
        if (may_be_several(r))
            note_question(r, &runs->notes);
        ws_table_set_text(runs, WS_COL_STATUS, row,
                          ws_energy_status_name(status_of(r, &totals, &(run_counts){COUNT_AS_SAID, COUNT_AS_SAID})));
        ws_runs_raise_verdict(runs, row, WS_FINDING_ASK_NODES, WS_ENERGY_VERDICT_UNUSABLE);
        return;
    }
    if (r->options->sources)
        ws_sources_add(&r->measure, inner, runs->columns[WS_COL_RUN].text[row], r->options->sources);
    run_stake stake = {totals.all.stake, &r->options->measure.verdict, totals.all.energy_j, 0, WS_FINDING_GPU_COUNT};
    set_energies(runs, row, &totals);
    ws_note_uncounted(&r->measure, inner, &totals, &runs->notes);
    size_t gpus = totals.all.ask ? 0 : ws_measure_count_gpus(&r->measure, inner);
    if (isnan(ws_runs_get(runs, WS_COL_GPUS, row)))
        doubt_settings(r, gpus, &stake, &runs->notes, id);
    if (are_of_each_node(runs, row, &r->measure, inner, gpus))
        take_gpus_of_each_node(runs, row, gpus);
    const size_t nodes = count_nodes_of(runs, row, &r->measure, inner, gpus);
    run_counts counts = {.gpus = set_count(runs, row, WS_COL_GPUS, gpus, WS_FINDING_GPU_COUNT, "GPUs", &stake),
                         .nodes = set_count(runs, row, WS_COL_NODES, nodes, WS_FINDING_NODE_COUNT, "nodes", &stake)};
    if (counts.nodes == COUNT_AS_SAID)
        doubt_nodes(r, runs, row, inner, gpus, &stake, &runs->notes);
    if (!check_nodes(r, id, &stake, &runs->notes))
        counts.nodes = COUNT_FEWER;
    ws_clock_doubt clocks = {0};
    if (r->window)
        clocks =
            ws_measure_find_node_clocks(&r->measure, inner, r->window->start_ns, r->window->end_ns, id, &runs->notes);
    ws_stake_add(&stake.stake, stake.rules, WS_FINDING_NODE_CLOCK, clocks.joules);
    set_budget(runs, row, r, &totals, stake.missing_share, &clocks);
    set_means(runs, row, &r->measure, inner);
    set_verdict(runs, row, r, &totals, &stake);
    if (r->files->n_files) /* a manifest may list runs without a trace */
        ws_table_set_text(runs, WS_COL_STATUS, row, ws_energy_status_name(status_of(r, &totals, &counts)));
}

static void copy_cell(const ws_table *from, size_t column, size_t from_row, ws_table *runs, size_t row)
{
    char buffer[WS_DOUBLE_TEXT];
    const ws_column *c = &from->columns[column];
    size_t to;
    if (ws_table_is_missing(from, column, from_row))
        return;
    if (!ws_table_find(runs, c->name, &to)) {
        to = ws_table_add_column(runs, c->name, c->kind == WS_TEXT ? WS_TEXT : WS_NUMBER);
        ws_table_set_detail(runs, to);
    }
    if (!ws_table_is_missing(runs, to, row))
        return;
    if (runs->columns[to].kind == WS_TEXT)
        ws_table_set_text(runs, to, row, ws_table_cell_text(from, column, from_row, buffer));
    else
        ws_table_set_number(runs, to, row, ws_table_number(from, column, from_row));
}

/* A run for each of the rows; `name`: theirs, with a number where there are several. */
static void copy_rows(const ws_run_reading *r, const ws_table *rows, const char *name, ws_table *runs)
{
    const ws_fields *stated[STATED_BY];
    find_stated(r, stated);
    ws_notes_append(&runs->notes, &rows->notes);
    for (size_t i = 0; i < rows->n_rows; i++) {
        size_t row = ws_table_add_row(runs);
        for (size_t k = 0; k < STATED_BY; k++)
            set_fields(runs, row, stated[k]);
        keep_history(r, row, stated);
        const char *id = rows->n_rows == 1 ? name : ws_arena_printf(&runs->arena, "%s#%zu", name, i + 1);
        ws_table_set_text(runs, WS_COL_RUN, row, id);
        for (size_t c = 0; c < rows->n_columns; c++)
            copy_cell(rows, c, i, runs, row);
        if (!isnan(ws_runs_get(runs, WS_COL_WALL, row)) && ws_table_is_missing(runs, WS_COL_WALL_SOURCE, row))
            ws_table_set_text(runs, WS_COL_WALL_SOURCE, row, "given");
    }
}

static const ws_run_column record_energies[] = {WS_COL_ENERGY, WS_COL_ENERGY_GPU, WS_COL_ENERGY_CPU,
                                                WS_COL_ENERGY_DRAM};
enum { RECORD_ENERGIES = sizeof record_energies / sizeof *record_energies };

static bool has_energies(const ws_table *rows)
{
    bool has = false;
    for (size_t row = 0; row < rows->n_rows; row++)
        for (size_t e = 0; e < RECORD_ENERGIES; e++)
            has |= !isnan(ws_runs_get(rows, record_energies[e], row));
    return has;
}

/* A row in each file, of a node each. */
static bool are_of_nodes(const ws_run_reading *r, const ws_table *records)
{
    const ws_run_files *files = r->files;
    bool are = true;
    for (size_t i = 0; i < files->n_files && are; i++) {
        are = records[i].n_rows == 1 && *files->files[i].node;
        for (size_t k = 0; k < i && are; k++)
            are = strcmp(files->files[i].node, files->files[k].node) != 0;
    }
    return are;
}

/* Nodes are none of each other's machines: their energies and GPUs add up, and the longest time is the run's. What they
 * say differently is none of the run's. */
static void add_nodes(const ws_run_reading *r, ws_table *records)
{
    static const ws_run_column sums[] = {WS_COL_GPUS, WS_COL_ENERGY, WS_COL_ENERGY_GPU, WS_COL_ENERGY_CPU,
                                         WS_COL_ENERGY_DRAM};
    ws_table *run = &records[0];
    char a[WS_DOUBLE_TEXT], b[WS_DOUBLE_TEXT];
    for (size_t i = 1; i < r->files->n_files; i++) {
        double wall_s = fmax(ws_runs_get(run, WS_COL_WALL, 0), ws_runs_get(&records[i], WS_COL_WALL, 0));
        double sum[sizeof sums / sizeof *sums];
        for (size_t k = 0; k < sizeof sums / sizeof *sums; k++)
            sum[k] = ws_runs_get(run, sums[k], 0) + ws_runs_get(&records[i], sums[k], 0);
        for (size_t c = 0, other; c < run->n_columns; c++) {
            bool same = ws_table_find(&records[i], run->columns[c].name, &other) &&
                        strcmp(ws_table_cell_text(run, c, 0, a), ws_table_cell_text(&records[i], other, 0, b)) == 0;
            if (!same && run->columns[c].kind == WS_TEXT)
                ws_table_set_span(run, c, 0, (ws_span){0});
            else if (!same)
                ws_table_set_number(run, c, 0, NAN);
        }
        for (size_t k = 0; k < sizeof sums / sizeof *sums; k++)
            ws_runs_set(run, sums[k], 0, sum[k]);
        ws_runs_set(run, WS_COL_WALL, 0, wall_s);
    }
    ws_runs_set(run, WS_COL_NODES, 0, (double)r->files->n_files);
    ws_notes_add(&run->notes, WS_FINDING_COLUMN_TAKEN, r->files->id, "nodes", 0,
                 "the records of %zu files are those of the nodes of one run: it has the sum of their energies and the "
                 "longest time",
                 r->files->n_files);
}

/* The rule with another field in place of the one that tells the files apart. */
static const char *with_field(ws_arena *arena, const char *match, const char *field)
{
    static const char *const names[] = {"{rank}", "{gpu}", "{node}"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *at = strstr(match, names[i]);
        if (at)
            return ws_arena_printf(arena, "%.*s{%s}%s", (int)(at - match), match, field, at + strlen(names[i]));
    }
    return match;
}

static void ask_of_records(const ws_run_reading *r, size_t first, ws_table *runs)
{
    const char *match = r->files->files[0].rule->match;
    for (size_t row = first; row < runs->n_rows; row++) {
        ws_table_set_text(runs, WS_COL_STATUS, row, ws_energy_status_name(WS_STATUS_ASK_NODES));
        for (size_t e = 0; e < RECORD_ENERGIES; e++)
            ws_runs_set(runs, record_energies[e], row, NAN);
    }
    ws_notes_add(&runs->notes, WS_FINDING_ASK_NODES, r->campaign->source, "", 0,
                 "%zu files of one run have a record each: their energies add up where each is of devices of its own, "
                 "and are the same energy where each is of the whole machine: 'wattscale scan %s --pattern '%s' -o "
                 "%s/campaign.json' adds them, with --pattern '%s' each is a run",
                 r->files->n_files, r->campaign->folder, with_field(&runs->arena, match, "node"), r->campaign->folder,
                 with_field(&runs->arena, match, "member"));
}

void ws_run_records_add(const ws_run_reading *r, ws_table *records, ws_table *runs)
{
    const ws_run_files *files = r->files;
    size_t first = runs->n_rows, n = 1, with_energies = 0;
    for (size_t i = 0; i < files->n_files; i++)
        with_energies += has_energies(&records[i]);
    bool is_sum = with_energies > 1 && are_of_nodes(r, records);
    if (is_sum)
        add_nodes(r, records);
    else if (with_energies > 1)
        n = files->n_files;
    copy_rows(r, &records[0], files->id, runs);
    for (size_t i = 1; i < n; i++)
        copy_rows(r, &records[i], ws_campaign_path(r->campaign, files->files[i].path), runs);
    if (n > 1 && !strstr(files->files[0].rule->match, "{part}"))
        ask_of_records(r, first, runs);
}

static bool run_row_has_energy(const ws_device *d)
{
    return d->energy && !isnan(d->energy->summary.energy_j);
}

/* perun and EAR name the run inside their files; a CSV beside it names none, and belongs to that run. If both measured
 * a domain, what holds more devices is taken, of as many the file that names the run, and the other one leaves the
 * sums. If the files name several runs, nothing is joined. */
static void join_inner_run(ws_run_reading *r, ws_notes *notes)
{
    ws_measure *m = &r->measure;
    const char *inner = "";
    size_t named[WS_DOMAIN_N] = {0}, plain[WS_DOMAIN_N] = {0}, n_plain = 0; /* devices */
    for (size_t i = 0; i < m->n_devices; i++) {
        const ws_device *d = &m->devices[i];
        bool counts = run_row_has_energy(d) && !d->is_alternative;
        n_plain += !*d->run;
        if (*d->run && *inner && strcmp(inner, d->run) != 0)
            return;
        if (*d->run)
            inner = d->run;
        (*d->run ? named : plain)[d->domain] += counts;
    }
    for (size_t i = 0; n_plain && *inner && i < m->n_devices; i++) {
        ws_device *d = &m->devices[i];
        bool is_named = *d->run, plain_goes_first = plain[d->domain] > named[d->domain];
        d->run = inner;
        bool has_rival = is_named ? plain[d->domain] > 0 : named[d->domain] > 0;
        if (!has_rival || is_named != plain_goes_first || !run_row_has_energy(d) || d->is_alternative)
            continue;
        d->is_alternative = true;
        ws_notes_add(notes, WS_FINDING_MEASURED_TWICE, d->source, ws_domain_name(d->domain), 0,
                     "another file of the run measured this domain too: it is left out of the sum");
    }
}

void ws_run_rows_add(ws_run_reading *r, ws_table *runs)
{
    join_inner_run(r, &runs->notes);
    ws_measure_groups inner;
    ws_measure_groups_init(&inner, &r->measure, WS_GROUP_RUN);
    for (size_t i = 0; i < inner.n; i++)
        add_run_row(r, &inner.items[i], inner.n > 1, runs);
    if (!inner.n)
        add_run_row(r, &(ws_measure_group){0}, false, runs);
    ws_measure_groups_free(&inner);
}

double ws_run_described(const ws_run_reading *r, const char *field)
{
    const ws_fields *stated[STATED_BY];
    find_stated(r, stated);
    for (size_t i = STATED_BY; i-- > 0;) {
        double number;
        const char *text = ws_fields_get(stated[i], field);
        if (text && ws_span_double(ws_span_of(text), &number))
            return number;
    }
    const char *beside = ws_fields_get(&r->files->settings, field);
    double number;
    return beside && ws_span_double(ws_span_of(beside), &number) ? number : NAN;
}
