#include "analyze/ingest/run_columns.h"

#include "analyze/run_status.h"
#include "core/device_limits.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LABEL(name)                                         \
    {                                                       \
        name, WS_TEXT, WS_ROLE_LABEL, WS_DIM_NONE, 1, false \
    }
#define TEXT_SETTING(name)                                    \
    {                                                         \
        name, WS_TEXT, WS_ROLE_SETTING, WS_DIM_NONE, 1, false \
    }
#define SETTING(name, dimension, si)                           \
    {                                                          \
        name, WS_NUMBER, WS_ROLE_SETTING, dimension, si, false \
    }
#define QUANTITY(name, dimension, si)                           \
    {                                                           \
        name, WS_NUMBER, WS_ROLE_QUANTITY, dimension, si, false \
    }
#define OF_ENERGY(name, dimension, si)                         \
    {                                                          \
        name, WS_NUMBER, WS_ROLE_QUANTITY, dimension, si, true \
    }
/* What is open of an energy. */
#define OPEN(name)                                               \
    {                                                            \
        name, WS_NUMBER, WS_ROLE_LABEL, WS_DIM_ENERGY, KWH, true \
    }
/* Powers beside it, which are no results. */
#define POWER(name)                                           \
    {                                                         \
        name, WS_NUMBER, WS_ROLE_LABEL, WS_DIM_POWER, 1, true \
    }
#define KWH 3.6e6

static const ws_run_column_info about[WS_RUN_COLUMN_N] = {
    [WS_COL_RUN] = LABEL("run"),
    [WS_COL_SERIES] = TEXT_SETTING("series"),
    [WS_COL_REPEAT] = LABEL("repeat"),
    [WS_COL_MODEL] = TEXT_SETTING("model"),
    [WS_COL_MODEL_CLASS] = TEXT_SETTING("model_class"),
    [WS_COL_DEVICE] = TEXT_SETTING("device"),
    [WS_COL_GPUS] = SETTING("gpus", WS_DIM_NONE, 1),
    [WS_COL_NODES] = SETTING("nodes", WS_DIM_NONE, 1),
    [WS_COL_LBS] = SETTING("lbs", WS_DIM_NONE, 1),
    [WS_COL_GBS] = SETTING("gbs", WS_DIM_NONE, 1),
    [WS_COL_EPOCHS] = SETTING("epochs", WS_DIM_NONE, 1),
    [WS_COL_DATASET_SAMPLES] = SETTING("dataset_samples", WS_DIM_NONE, 1),
    [WS_COL_UPDATES] = QUANTITY("updates", WS_DIM_NONE, 1),
    [WS_COL_WORKLOAD] = QUANTITY("workload", WS_DIM_NONE, 1),
    [WS_COL_POWER_CAP] = SETTING("power_cap_w", WS_DIM_POWER, 1),
    [WS_COL_CLOCK_CAP] = SETTING("clock_cap_hz", WS_DIM_FREQUENCY, 1),
    [WS_COL_WALL] = QUANTITY("wall_s", WS_DIM_TIME, 1),
    [WS_COL_WALL_SOURCE] = LABEL("wall_source"),
    [WS_COL_JOB_WALL] = QUANTITY("job_wall_s", WS_DIM_TIME, 1),
    [WS_COL_EPOCH_S] = QUANTITY("epoch_s", WS_DIM_TIME, 1),
    [WS_COL_GPU_H] = QUANTITY("gpu_h", WS_DIM_TIME, 3600),
    [WS_COL_ENERGY] = OF_ENERGY("energy_kwh", WS_DIM_ENERGY, KWH),
    [WS_COL_ENERGY_SCOPE] = LABEL("energy_scope"),
    [WS_COL_ENERGY_GPU] = OF_ENERGY("energy_gpu_kwh", WS_DIM_ENERGY, KWH),
    [WS_COL_ENERGY_CPU] = OF_ENERGY("energy_cpu_kwh", WS_DIM_ENERGY, KWH),
    [WS_COL_ENERGY_DRAM] = OF_ENERGY("energy_dram_kwh", WS_DIM_ENERGY, KWH),
    [WS_COL_GPU_SHARE] = OF_ENERGY("gpu_share", WS_DIM_RATIO, 1),
    [WS_COL_CPU_SHARE] = OF_ENERGY("cpu_share", WS_DIM_RATIO, 1),
    [WS_COL_DRAM_SHARE] = OF_ENERGY("dram_share", WS_DIM_RATIO, 1),
    [WS_COL_ENERGY_PER_NODE] = OF_ENERGY("energy_per_node_kwh", WS_DIM_ENERGY, KWH),
    [WS_COL_ENERGY_U] = OPEN("energy_u_kwh"),
    [WS_COL_ENERGY_LO] = OPEN("energy_lo_kwh"),
    [WS_COL_ENERGY_HI] = OPEN("energy_hi_kwh"),
    [WS_COL_SAMPLING_U] = OPEN("sampling_u_kwh"),
    [WS_COL_SENSOR_U] = OPEN("sensor_u_kwh"),
    [WS_COL_GAPS_LO] = OPEN("gaps_lo_kwh"),
    [WS_COL_GAPS_HI] = OPEN("gaps_hi_kwh"),
    [WS_COL_EDGES_LO] = OPEN("edges_lo_kwh"),
    [WS_COL_EDGES_HI] = OPEN("edges_hi_kwh"),
    [WS_COL_CLOCK_LO] = OPEN("clock_lo_kwh"),
    [WS_COL_CLOCK_HI] = OPEN("clock_hi_kwh"),
    [WS_COL_COUNTER_LO] = OPEN("counter_lo_kwh"),
    [WS_COL_COUNTER_HI] = OPEN("counter_hi_kwh"),
    [WS_COL_LEAST_POWER] = POWER("least_power_w"),
    [WS_COL_MOST_POWER] = POWER("most_power_w"),
    [WS_COL_PLAIN_GPU_POWER] = POWER("plain_gpu_power_w"),
    [WS_COL_KWH_PER_GPUH] = OF_ENERGY("kwh_per_gpuh", WS_DIM_NONE, 1),
    [WS_COL_GPU_POWER] = OF_ENERGY("gpu_power_w", WS_DIM_POWER, 1),
    [WS_COL_CPU_POWER] = OF_ENERGY("cpu_power_w", WS_DIM_POWER, 1),
    [WS_COL_UTIL_MEAN] = QUANTITY("util_mean", WS_DIM_RATIO, 1),
    [WS_COL_UTIL_CV] = QUANTITY("util_cv", WS_DIM_RATIO, 1),
    [WS_COL_MEM_UTIL_MEAN] = QUANTITY("mem_util_mean", WS_DIM_RATIO, 1),
    [WS_COL_MEM_UTIL_CV] = QUANTITY("mem_util_cv", WS_DIM_RATIO, 1),
    [WS_COL_SAMPLES_PER_S] = QUANTITY("samples_per_s", WS_DIM_NONE, 1),
    [WS_COL_SAMPLES_PER_GPUH] = QUANTITY("samples_per_gpuh", WS_DIM_NONE, 1),
    [WS_COL_PASSES_PER_GPUH] = QUANTITY("passes_per_gpuh", WS_DIM_NONE, 1),
    [WS_COL_WH_PER_SAMPLE] = OF_ENERGY("wh_per_sample", WS_DIM_NONE, 1),
    [WS_COL_WH_PER_SAMPLE_SEEN] = OF_ENERGY("wh_per_sample_seen", WS_DIM_NONE, 1),
    [WS_COL_EDP] = OF_ENERGY("edp_kwh_h", WS_DIM_NONE, 1),
    [WS_COL_ED2P] = OF_ENERGY("ed2p_kwh_h2", WS_DIM_NONE, 1),
    [WS_COL_COVERAGE] = QUANTITY("coverage", WS_DIM_RATIO, 1),
    [WS_COL_STATUS] = LABEL("status"),
    [WS_COL_VERDICT] = LABEL("energy_verdict"),
    [WS_COL_AT_STAKE] = OPEN("energy_at_stake_kwh"),
    [WS_COL_FINDINGS] = LABEL("energy_findings"),
};

/* What a person looks at first; the rest is detail. */
static const ws_run_column shown[] = {WS_COL_RUN,          WS_COL_SERIES,       WS_COL_MODEL,     WS_COL_DEVICE,
                                      WS_COL_GPUS,         WS_COL_LBS,          WS_COL_GBS,       WS_COL_POWER_CAP,
                                      WS_COL_CLOCK_CAP,    WS_COL_WALL,         WS_COL_GPU_H,     WS_COL_ENERGY,
                                      WS_COL_ENERGY_SCOPE, WS_COL_KWH_PER_GPUH, WS_COL_GPU_POWER, WS_COL_CPU_POWER,
                                      WS_COL_UTIL_MEAN,    WS_COL_COVERAGE,     WS_COL_STATUS};

const ws_run_column_info *ws_run_column_about(ws_run_column column)
{
    return &about[column];
}

bool ws_run_column_find(const char *name, ws_run_column *column)
{
    for (int i = 0; i < WS_RUN_COLUMN_N; i++) {
        if (*about[i].name == *name && strcmp(about[i].name, name) == 0) {
            *column = (ws_run_column)i;
            return true;
        }
    }
    return false;
}

void ws_runs_init(ws_table *runs)
{
    ws_table_init(runs, "runs");
    for (int i = 0; i < WS_RUN_COLUMN_N; i++) {
        ws_table_add_column(runs, about[i].name, about[i].kind);
        ws_table_set_detail(runs, (size_t)i);
    }
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++)
        runs->columns[shown[i]].detail = false;
}

static void set_verdict(ws_table *runs, size_t row, ws_energy_verdict verdict)
{
    if (verdict != WS_ENERGY_VERDICT_NONE)
        ws_table_set_text(runs, WS_COL_VERDICT, row, ws_energy_verdict_name(verdict));
    if (verdict > WS_ENERGY_VERDICT_OK)
        runs->columns[WS_COL_VERDICT].detail = false;
}

void ws_runs_set_stake(ws_table *runs, size_t row, const ws_stake *stake, ws_energy_verdict verdict)
{
    char codes[400];
    set_verdict(runs, row, verdict);
    if (verdict == WS_ENERGY_VERDICT_NONE)
        return;
    if (isfinite(stake->joules) && (stake->joules > 0 || !stake->is_doubtful)) /* else nobody knows any of them */
        ws_runs_set(runs, WS_COL_AT_STAKE, row, stake->joules / KWH);
    if (*ws_finding_set_text(&stake->findings, codes, sizeof codes))
        ws_table_set_text(runs, WS_COL_FINDINGS, row, codes);
}

void ws_runs_raise_verdict(ws_table *runs, size_t row, ws_finding finding, ws_energy_verdict verdict)
{
    const char *findings = runs->columns[WS_COL_FINDINGS].text[row], *code = ws_finding_code(finding);
    if (ws_energy_verdict_named(runs->columns[WS_COL_VERDICT].text[row]) < verdict)
        set_verdict(runs, row, verdict);
    if (verdict == WS_ENERGY_VERDICT_UNUSABLE || !(ws_runs_get(runs, WS_COL_AT_STAKE, row) > 0))
        ws_runs_set(runs, WS_COL_AT_STAKE, row, NAN);
    if (!findings || !strstr(findings, code))
        ws_table_set_text(runs, WS_COL_FINDINGS, row,
                          findings ? ws_arena_printf(&runs->arena, "%s,%s", findings, code) : code);
}

double ws_runs_get(const ws_table *runs, ws_run_column column, size_t row)
{
    return ws_table_number(runs, column, row);
}

void ws_runs_set(ws_table *runs, ws_run_column column, size_t row, double value)
{
    ws_table_set_number(runs, column, row, value);
}

/* The values of one row by column; NaN is missing, and arithmetic carries it on. */
typedef struct row_values {
    double v[WS_RUN_COLUMN_N];
    double accumulation;  /* passes of each GPU an update, 1 where nothing says so */
    double gpus_per_node; /* NaN is missing, here and below */
    double energy_per_gpu_kwh, run_power_w;
    bool is_asked;   /* a question is open, on which an energy or a time of it waits */
    bool lacks_part; /* an energy of it is impossible: the sum of the others is none of the run */
} row_values;

static void fill(row_values *row, ws_run_column column, double value)
{
    if (isnan(row->v[column]) && isfinite(value))
        row->v[column] = value;
}

static double global_batch(const row_values *r)
{
    return r->v[WS_COL_GPUS] * r->v[WS_COL_LBS] * r->accumulation;
}

static void complete_batches(row_values *r)
{
    double *v = r->v;
    fill(r, WS_COL_GPUS, v[WS_COL_NODES] * r->gpus_per_node);
    fill(r, WS_COL_GBS, global_batch(r));
    fill(r, WS_COL_LBS, v[WS_COL_GBS] / v[WS_COL_GPUS] / r->accumulation);
    fill(r, WS_COL_UPDATES, v[WS_COL_EPOCHS] * v[WS_COL_DATASET_SAMPLES] / v[WS_COL_GBS]);
    fill(r, WS_COL_WORKLOAD, v[WS_COL_UPDATES] * global_batch(r));
}

static void complete_time(row_values *r)
{
    double *v = r->v;
    fill(r, WS_COL_WALL, v[WS_COL_GPU_H] * 3600 / v[WS_COL_GPUS]);
    fill(r, WS_COL_WALL, v[WS_COL_EPOCH_S] * v[WS_COL_EPOCHS]);
    fill(r, WS_COL_EPOCH_S, v[WS_COL_WALL] / v[WS_COL_EPOCHS]);
    fill(r, WS_COL_GPU_H, v[WS_COL_GPUS] * v[WS_COL_WALL] / 3600);
}

static void complete_energy(row_values *r)
{
    double *v = r->v, energy_h = r->is_asked ? NAN : v[WS_COL_WALL] / 3600;
    fill(r, WS_COL_ENERGY_GPU, r->is_asked ? NAN : r->energy_per_gpu_kwh * v[WS_COL_GPUS]);
    fill(r, WS_COL_ENERGY_GPU, v[WS_COL_GPU_POWER] * v[WS_COL_GPUS] * energy_h / 1000);
    fill(r, WS_COL_ENERGY, r->run_power_w * energy_h / 1000);
    fill(r, WS_COL_ENERGY, r->is_asked ? NAN : v[WS_COL_ENERGY_PER_NODE] * v[WS_COL_NODES]);
    double parts = 0;
    bool any = false;
    const ws_run_column domains[] = {WS_COL_ENERGY_GPU, WS_COL_ENERGY_CPU, WS_COL_ENERGY_DRAM};
    for (size_t i = 0; i < 3; i++) {
        any |= !isnan(v[domains[i]]);
        parts += isnan(v[domains[i]]) ? 0 : v[domains[i]];
    }
    bool has_all = !r->is_asked && !r->lacks_part; /* a part may be what is asked for */
    fill(r, WS_COL_ENERGY, any && has_all ? parts : NAN);
    fill(r, WS_COL_GPU_POWER, v[WS_COL_ENERGY_GPU] * 1000 / v[WS_COL_GPU_H]);
    fill(r, WS_COL_GPU_SHARE, v[WS_COL_ENERGY_GPU] / v[WS_COL_ENERGY]);
    fill(r, WS_COL_CPU_SHARE, v[WS_COL_ENERGY_CPU] / v[WS_COL_ENERGY]);
    fill(r, WS_COL_DRAM_SHARE, v[WS_COL_ENERGY_DRAM] / v[WS_COL_ENERGY]);
    fill(r, WS_COL_ENERGY_PER_NODE, v[WS_COL_ENERGY] / v[WS_COL_NODES]);
    fill(r, WS_COL_EDP, v[WS_COL_ENERGY] * v[WS_COL_WALL] / 3600);
    fill(r, WS_COL_ED2P, v[WS_COL_ENERGY] * (v[WS_COL_WALL] / 3600) * (v[WS_COL_WALL] / 3600));
}

static void complete_rates(row_values *r)
{
    double *v = r->v, samples_seen = v[WS_COL_EPOCHS] * v[WS_COL_DATASET_SAMPLES];
    fill(r, WS_COL_KWH_PER_GPUH, v[WS_COL_ENERGY] / v[WS_COL_GPU_H]);
    fill(r, WS_COL_SAMPLES_PER_S, samples_seen / v[WS_COL_WALL]);
    fill(r, WS_COL_SAMPLES_PER_GPUH, samples_seen / v[WS_COL_GPU_H]);
    fill(r, WS_COL_SAMPLES_PER_S, v[WS_COL_SAMPLES_PER_GPUH] * v[WS_COL_GPUS] / 3600);
    fill(r, WS_COL_SAMPLES_PER_GPUH, v[WS_COL_SAMPLES_PER_S] * 3600 / v[WS_COL_GPUS]);
    fill(r, WS_COL_PASSES_PER_GPUH, v[WS_COL_UPDATES] * r->accumulation / (v[WS_COL_WALL] / 3600));
    fill(r, WS_COL_WH_PER_SAMPLE, v[WS_COL_ENERGY] * 1000 / v[WS_COL_DATASET_SAMPLES]);
    fill(r, WS_COL_WH_PER_SAMPLE_SEEN, v[WS_COL_ENERGY] * 1000 / samples_seen);
}

static void scope_of_parts(const row_values *r, ws_table *runs, size_t row)
{
    static const struct {
        ws_run_column column;
        const char *name;
    } parts[] = {{WS_COL_ENERGY_GPU, "gpu"}, {WS_COL_ENERGY_CPU, "cpu"}, {WS_COL_ENERGY_DRAM, "dram"}};
    char scope[32] = "";
    for (size_t i = 0; i < 3; i++) {
        if (isnan(r->v[parts[i].column]))
            continue;
        strcat(scope, *scope ? "+" : "");
        strcat(scope, parts[i].name);
    }
    if (*scope && ws_table_is_missing(runs, WS_COL_ENERGY_SCOPE, row))
        ws_table_set_text(runs, WS_COL_ENERGY_SCOPE, row, scope);
}

/* A total below the parts that are left holds the one that is impossible (a counter that wrapped). */
static void drop_total_of_impossible(ws_table *runs, size_t row, row_values *r)
{
    static const ws_run_column parts[] = {WS_COL_ENERGY_GPU, WS_COL_ENERGY_CPU, WS_COL_ENERGY_DRAM};
    double rest = 0, *total = &r->v[WS_COL_ENERGY];
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        rest += isnan(r->v[parts[i]]) ? 0 : r->v[parts[i]];
    if (!(*total < rest))
        return;
    ws_notes_add(&runs->notes, WS_FINDING_IMPOSSIBLE_VALUE, runs->source, about[WS_COL_ENERGY].name,
                 runs->line ? runs->line[row] : 0,
                 "energy_kwh is %.6g, less than the %.6g of its parts that are left: it holds the impossible one and "
                 "is left out, too",
                 *total, rest);
    *total = NAN;
}

/* Counts and times of a run are more than nothing, and energies no less: anything else is a slip, and no number to
 * divide by. A run that failed is written with no time and no energy: its energy is unknown then, not zero. */
static void drop_impossible(ws_table *runs, size_t row, row_values *r)
{
    static const struct {
        ws_run_column column;
        bool may_be_zero;
    } limits[] = {{WS_COL_GPUS, false},          {WS_COL_NODES, false},     {WS_COL_LBS, false},
                  {WS_COL_GBS, false},           {WS_COL_EPOCHS, false},    {WS_COL_DATASET_SAMPLES, false},
                  {WS_COL_WALL, false},          {WS_COL_EPOCH_S, false},   {WS_COL_GPU_H, false},
                  {WS_COL_SAMPLES_PER_S, false}, {WS_COL_ENERGY, true},     {WS_COL_ENERGY_GPU, true},
                  {WS_COL_ENERGY_CPU, true},     {WS_COL_ENERGY_DRAM, true}};
    enum { ENERGY_PARTS = 3 };
    bool has_failed = r->v[WS_COL_WALL] == 0;
    r->lacks_part = false;
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        double *v = &r->v[limits[i].column];
        if (!(*v < 0) && !(*v == 0 && (!limits[i].may_be_zero || has_failed)))
            continue;
        char place[320];
        bool placed = runs->line != NULL;
        const char *run = runs->columns[WS_COL_RUN].text[row];
        ws_notes_add(&runs->notes, WS_FINDING_IMPOSSIBLE_VALUE, runs->source, about[limits[i].column].name,
                     placed ? runs->line[row] : 0, "%s%s%s is %.6g, which no run has, and is left out",
                     placed ? ""
                     : run  ? run
                            : ws_table_place(runs, row, place),
                     placed ? "" : ": ", about[limits[i].column].name, *v);
        r->lacks_part |= i >= sizeof limits / sizeof *limits - ENERGY_PARTS;
        *v = NAN;
    }
    if (r->lacks_part)
        drop_total_of_impossible(runs, row, r);
}

static void note_contradiction(ws_table *runs, size_t row, ws_finding finding, const char *what, double have,
                               double want, double tolerance)
{
    char place[320];
    bool placed = runs->line != NULL;
    if (fabs(have - want) > tolerance * fabs(want))
        ws_notes_add(&runs->notes, finding, runs->source, "", runs->line ? runs->line[row] : 0,
                     "%s%s%s is %.6g where the other columns give %.6g", placed ? "" : ws_table_place(runs, row, place),
                     placed ? "" : ": ", what, have, want);
}

/* Columns of a table's own that say something of each run, under the first of their names. */
typedef struct own_columns {
    size_t accumulation, gpus_per_node, record, energy_per_gpu, run_power; /* SIZE_MAX for none */
} own_columns;

static size_t own_column(const ws_table *runs, const char *const *names, size_t n)
{
    size_t column;
    for (size_t i = 0; i < n; i++)
        if (ws_table_find(runs, names[i], &column) && runs->columns[column].kind != WS_TEXT)
            return column;
    return SIZE_MAX;
}

enum { OF_EACH_GPU, OF_ALL, OWN_QUANTITIES };

static const ws_own_quantity own_quantities[OWN_QUANTITIES] = {
    [OF_EACH_GPU] = {"energy_per_gpu_kwh", WS_DIM_ENERGY, KWH}, [OF_ALL] = {"run_power_w", WS_DIM_POWER, 1}};

const ws_own_quantity *ws_own_quantity_find(const char *name)
{
    for (size_t i = 0; i < OWN_QUANTITIES; i++)
        if (strcmp(own_quantities[i].name, name) == 0)
            return &own_quantities[i];
    return NULL;
}

size_t ws_find_gpus_per_node(const ws_table *table)
{
    static const char *const names[] = {"gpus_per_node",  "n_gpus_per_node",  "num_gpus_per_node",
                                        "ngpus_per_node", "devices_per_node", "num_devices_per_node"};
    return own_column(table, names, sizeof names / sizeof *names);
}

static own_columns find_own_columns(const ws_table *runs)
{
    static const char *const accumulation[] = {"grad_accum", "gradient_accumulation_steps", "grad_accum_steps",
                                               "gradient_accumulation", "accumulation"};
    size_t record;
    bool has_record = ws_table_find(runs, "job_energy_kwh", &record);
    return (own_columns){own_column(runs, accumulation, sizeof accumulation / sizeof *accumulation),
                         ws_find_gpus_per_node(runs), has_record ? record : SIZE_MAX,
                         own_column(runs, &own_quantities[OF_EACH_GPU].name, 1),
                         own_column(runs, &own_quantities[OF_ALL].name, 1)};
}

static double own_number(const ws_table *runs, size_t column, size_t row)
{
    return column == SIZE_MAX ? NAN : ws_table_number(runs, column, row);
}

static void read_own_counts(const ws_table *runs, const own_columns *own, size_t row, row_values *r)
{
    double accumulation = own_number(runs, own->accumulation, row), gpus = own_number(runs, own->gpus_per_node, row);
    r->accumulation = accumulation >= 1 ? accumulation : 1;
    r->gpus_per_node = gpus >= 1 ? gpus : NAN;
    r->energy_per_gpu_kwh = own_number(runs, own->energy_per_gpu, row);
    r->run_power_w = own_number(runs, own->run_power, row);
}

/* W. A run's energy a GPU: that of a whole node where it used one GPU of it (20 kW), and what a site adds. A unit that
 * is a thousand times off is more for each GPU that draws 50 W. Ours. */
static const double most_of_gpu_w = 50e3;

/* The most that a run's devices draw, by what counts them. A node may be a chassis, and where nothing counts them more
 * than any node draws is a wrong unit, or a large system's. */
static double most_of_run(const row_values *r)
{
    double gpus = r->v[WS_COL_GPUS], nodes = r->v[WS_COL_NODES];
    if (!isnan(gpus))
        return fmax(gpus, 1) * most_of_gpu_w;
    return (isnan(nodes) ? 1 : fmax(nodes, 1)) * ws_limits_of_domain[WS_NODE].odd_w;
}

/* The energy of a whole run over its time: above that, or less than GPUs draw that compute, is a wrong unit. */
static void note_implausible_total(ws_table *runs, size_t row, const row_values *r, bool is_ignored)
{
    char place[320];
    bool placed = runs->line != NULL;
    const char *run = runs->columns[WS_COL_RUN].text[row];
    double watts = r->v[WS_COL_ENERGY] * 3.6e6 / r->v[WS_COL_WALL]; /* NaN is no more than anything */
    bool is_counted = !isnan(r->v[WS_COL_GPUS]) || !isnan(r->v[WS_COL_NODES]);
    bool is_low = watts < r->v[WS_COL_GPUS] * WS_GPU_BUSY_LEAST_W;
    if (!is_low && !(watts > most_of_run(r)))
        return;
    if (!is_ignored && ws_table_is_missing(runs, WS_COL_VERDICT, row))
        ws_runs_raise_verdict(runs, row, WS_FINDING_IMPLAUSIBLE_POWER, WS_ENERGY_VERDICT_DOUBTFUL);
    ws_notes_add(&runs->notes, WS_FINDING_IMPLAUSIBLE_POWER, runs->source, run ? run : "",
                 runs->line ? runs->line[row] : 0, "%s%sthe energy over the time means %.4g W, %s",
                 placed ? "" : ws_table_place(runs, row, place), placed ? "" : ": ", watts,
                 is_low       ? "less than as many GPUs draw: check the units, or gpus"
                 : is_counted ? "more than as many GPUs or nodes draw: check the units, or gpus and nodes"
                              : "more than any node draws: check the units, or say gpus or nodes");
}

/* A part that is more than the whole: one of the two has another unit, another scope or is of another run. By three per
 * cent, which two meters differ by. Ours. */
static bool note_part_above_whole(ws_table *runs, size_t row, const row_values *r, bool is_ignored)
{
    const double between_meters = 1.03;
    char place[320];
    bool placed = runs->line != NULL;
    const char *run = runs->columns[WS_COL_RUN].text[row], *scope = runs->columns[WS_COL_ENERGY_SCOPE].text[row];
    bool holds_gpus = !scope || strstr(scope, "gpu") || strstr(scope, "wall") || strstr(scope, "node");
    if (!holds_gpus || !(r->v[WS_COL_ENERGY_GPU] > between_meters * r->v[WS_COL_ENERGY]))
        return false;
    if (!is_ignored && ws_table_is_missing(runs, WS_COL_VERDICT, row))
        ws_runs_raise_verdict(runs, row, WS_FINDING_IMPLAUSIBLE_POWER, WS_ENERGY_VERDICT_DOUBTFUL);
    ws_notes_add(&runs->notes, WS_FINDING_IMPLAUSIBLE_POWER, runs->source, run ? run : "",
                 runs->line ? runs->line[row] : 0,
                 "%s%sthe energy of the GPUs, or their power times the time, is %.3g times that of the run: check the "
                 "units, and what each is of",
                 placed ? "" : ws_table_place(runs, row, place), placed ? "" : ": ",
                 r->v[WS_COL_ENERGY_GPU] / r->v[WS_COL_ENERGY]);
    return true;
}

/* The check that traces have: more than any GPU draws is a wrong unit, a wrong count or a broken counter. */
static bool note_implausible_gpus(ws_table *runs, size_t row, const row_values *r, bool is_ignored)
{
    char place[320];
    bool placed = runs->line != NULL;
    const char *run = runs->columns[WS_COL_RUN].text[row];
    double by_energy = r->v[WS_COL_ENERGY_GPU] * 3.6e6 / (r->v[WS_COL_WALL] * r->v[WS_COL_GPUS]);
    double watts = fmax(by_energy, r->v[WS_COL_GPU_POWER]); /* either may be missing */
    if (!(watts > WS_GPU_MOST_W))
        return false;
    if (!is_ignored && ws_table_is_missing(runs, WS_COL_VERDICT, row))
        ws_runs_raise_verdict(runs, row, WS_FINDING_IMPLAUSIBLE_POWER, WS_ENERGY_VERDICT_UNUSABLE);
    ws_notes_add(&runs->notes, WS_FINDING_IMPLAUSIBLE_POWER, runs->source, run ? run : "",
                 runs->line ? runs->line[row] : 0,
                 "%s%sthe energy of the GPUs means %.0f W for each, more than any draws: check its unit, gpus and the "
                 "logger",
                 placed ? "" : ws_table_place(runs, row, place), placed ? "" : ": ", watts);
    return true;
}

/* A run is told once, by the gravest. */
static void note_implausible(ws_table *runs, size_t row, const row_values *r, const ws_verdict_rules *rules)
{
    bool is_ignored = rules && ws_finding_set_has(&rules->ignored, WS_FINDING_IMPLAUSIBLE_POWER);
    if (!note_implausible_gpus(runs, row, r, is_ignored) && !note_part_above_whole(runs, row, r, is_ignored))
        note_implausible_total(runs, row, r, is_ignored);
}

/* A job does more than its run: its record is told from this part and this many seconds on that the traces do not
 * cover. Ours: the jobs of fixtures and campaigns take up to 50 s before and after what they trace. */
static const double enough_of_job = 0.97, usual_start_s = 50;

/* And traces that go on for longer than their job by this part and this many seconds hold more than it, or their clock
 * is another one. Ours: a logger starts and stops in some seconds. */
static const double more_than_job = 1.03, logger_stops_s = 20;

/* Which of the two is the run's time, the record does not say: the energy stands. */
static void note_job_time(ws_table *runs, size_t row, const ws_verdict_rules *rules)
{
    double wall_s = ws_runs_get(runs, WS_COL_WALL, row), job_s = ws_runs_get(runs, WS_COL_JOB_WALL, row);
    const char *source = runs->columns[WS_COL_WALL_SOURCE].text[row], *run = runs->columns[WS_COL_RUN].text[row];
    if (!source || strcmp(source, "trace span") != 0 || !(wall_s > 0))
        return;
    bool is_short = wall_s < enough_of_job * job_s && wall_s < job_s - usual_start_s;
    bool is_long = job_s > 0 && wall_s > more_than_job * job_s && wall_s > job_s + logger_stops_s;
    if (!is_short && !is_long)
        return;
    ws_finding finding = is_short ? WS_FINDING_SHORT_OF_JOB : WS_FINDING_LONG_TRACE;
    ws_notes_add(&runs->notes, finding, runs->source, run ? run : "", runs->line ? runs->line[row] : 0,
                 is_short
                     ? "the traces cover %.6g s of the %.6g s of the job, and so does its energy"
                     : "the traces cover %.6g s and the job took %.6g s: they hold more than it, or their clock is "
                       "another one",
                 wall_s, job_s);
    if (!rules || !ws_finding_set_has(&rules->ignored, finding))
        ws_runs_raise_verdict(runs, row, finding, WS_ENERGY_VERDICT_DOUBTFUL);
}

/* A job's record holds all that its run holds. Plugins that count processors alone are usual, so the energy stands. */
static void note_small_record(ws_table *runs, const own_columns *columns, size_t row)
{
    static const double agreement = 0.9;
    const char *run = runs->columns[WS_COL_RUN].text[row];
    double record = own_number(runs, columns->record, row);
    double own = ws_runs_get(runs, WS_COL_ENERGY, row);
    if (record < agreement * own)
        ws_notes_add(&runs->notes, WS_FINDING_SMALL_RECORD, runs->source, run ? run : "", 0,
                     "the job's record has %.6g kWh, less than the %.6g kWh of the devices that were measured: it "
                     "does not count all of them, or one of the two is wrong",
                     record, own);
}

static void complete_row(ws_table *runs, const own_columns *own, size_t row, const ws_verdict_rules *rules)
{
    row_values r;
    read_own_counts(runs, own, row, &r);
    const char *status = runs->columns[WS_COL_STATUS].text[row];
    r.is_asked = ws_question_of(status) != WS_ASK_NOTHING;
    for (int c = 0; c < WS_RUN_COLUMN_N; c++)
        r.v[c] = about[c].kind == WS_NUMBER ? ws_runs_get(runs, (ws_run_column)c, row) : NAN;
    drop_impossible(runs, row, &r);
    bool energy_was_given = !isnan(r.v[WS_COL_ENERGY]);
    complete_batches(&r);
    complete_time(&r);
    complete_energy(&r);
    complete_rates(&r);
    note_implausible(runs, row, &r, rules);
    note_job_time(runs, row, rules);
    note_small_record(runs, own, row);
    /* a wall time printed to 0.01 h does not give GPUh to more than that */
    note_contradiction(runs, row, WS_FINDING_GPUH_CONTRADICTION, "gpu_h", r.v[WS_COL_GPU_H],
                       r.v[WS_COL_GPUS] * r.v[WS_COL_WALL] / 3600, 0.01);
    note_contradiction(runs, row, WS_FINDING_BATCH_CONTRADICTION, "gbs", r.v[WS_COL_GBS], global_batch(&r), 1e-9);
    for (int c = 0; c < WS_RUN_COLUMN_N; c++)
        if (about[c].kind == WS_NUMBER)
            ws_runs_set(runs, (ws_run_column)c, row, r.v[c]);
    if (!energy_was_given && !isnan(r.v[WS_COL_ENERGY]))
        scope_of_parts(&r, runs, row);
}

void ws_runs_complete(ws_table *runs, const ws_verdict_rules *rules)
{
    const own_columns own = find_own_columns(runs);
    for (size_t row = 0; row < runs->n_rows; row++)
        complete_row(runs, &own, row, rules);
    ws_take_ends(runs);
}

bool ws_runs_agree(const ws_table *runs, const ws_run_column *columns, size_t n, size_t a, size_t b)
{
    char text_a[WS_DOUBLE_TEXT], text_b[WS_DOUBLE_TEXT];
    for (size_t k = 0; k < n; k++)
        if (strcmp(ws_table_cell_text(runs, columns[k], a, text_a), ws_table_cell_text(runs, columns[k], b, text_b)) !=
            0)
            return false;
    return true;
}

/* --- marks --- */

void ws_run_marks_free(ws_run_marks *marks)
{
    free(marks->items);
    *marks = (ws_run_marks){0};
}

static ws_run_mark mark_of(const ws_table *runs, size_t row)
{
    return (ws_run_mark){runs->columns[WS_COL_RUN].text[row], runs->line ? runs->line[row] : 0};
}

void ws_run_marks_take(ws_run_marks *marks, const ws_table *runs)
{
    if (runs->n_rows)
        marks->items = ws_grow(marks->items, &marks->capacity, runs->n_rows, sizeof *marks->items);
    for (marks->n = 0; marks->n < runs->n_rows; marks->n++)
        marks->items[marks->n] = mark_of(runs, marks->n);
}

size_t ws_run_marks_find_next(const ws_run_marks *marks, const ws_table *runs, size_t row, size_t *from)
{
    ws_run_mark wanted = mark_of(runs, row);
    for (size_t n = 0; n < marks->n; n++) {
        size_t i = (*from + n) % marks->n;
        if (marks->items[i].run == wanted.run && marks->items[i].line == wanted.line) {
            *from = i + 1;
            return i;
        }
    }
    return SIZE_MAX;
}

const ws_run_formula ws_run_formulas[] = {
    {WS_COL_GPUS, "nodes * gpus_per_node"},
    {WS_COL_GBS, "gpus * lbs"},
    {WS_COL_GBS, "gpus * lbs * accumulation"},
    {WS_COL_LBS, "gbs / gpus"},
    {WS_COL_LBS, "gbs / gpus / accumulation"},
    {WS_COL_UPDATES, "epochs * dataset_samples / gbs"},
    {WS_COL_WORKLOAD, "updates * (gpus * lbs)"},
    {WS_COL_WORKLOAD, "updates * (gpus * lbs * accumulation)"},
    {WS_COL_WALL, "gpu_h * 3600 / gpus"},
    {WS_COL_WALL, "epoch_s * epochs"},
    {WS_COL_EPOCH_S, "wall_s / epochs"},
    {WS_COL_GPU_H, "gpus * wall_s / 3600"},
    {WS_COL_ENERGY_GPU, "gpu_power_w * gpus * (wall_s / 3600) / 1000"},
    {WS_COL_ENERGY, "energy_per_node_kwh * nodes"},
    {WS_COL_ENERGY, "energy_gpu_kwh + energy_cpu_kwh + energy_dram_kwh"}, /* as far as they are there */
    {WS_COL_ENERGY, "energy_gpu_kwh + energy_cpu_kwh"},
    {WS_COL_ENERGY, "energy_gpu_kwh + energy_dram_kwh"},
    {WS_COL_ENERGY, "energy_cpu_kwh + energy_dram_kwh"},
    {WS_COL_ENERGY, "energy_gpu_kwh"},
    {WS_COL_ENERGY, "energy_cpu_kwh"},
    {WS_COL_ENERGY, "energy_dram_kwh"},
    {WS_COL_GPU_SHARE, "energy_gpu_kwh / energy_kwh"},
    {WS_COL_CPU_SHARE, "energy_cpu_kwh / energy_kwh"},
    {WS_COL_DRAM_SHARE, "energy_dram_kwh / energy_kwh"},
    {WS_COL_ENERGY_PER_NODE, "energy_kwh / nodes"},
    {WS_COL_KWH_PER_GPUH, "energy_kwh / gpu_h"},
    {WS_COL_GPU_POWER, "energy_gpu_kwh * 1000 / gpu_h"},
    {WS_COL_SAMPLES_PER_S, "epochs * dataset_samples / wall_s"},
    {WS_COL_SAMPLES_PER_S, "samples_per_gpuh * gpus / 3600"},
    {WS_COL_SAMPLES_PER_GPUH, "epochs * dataset_samples / gpu_h"},
    {WS_COL_SAMPLES_PER_GPUH, "samples_per_s * 3600 / gpus"},
    {WS_COL_PASSES_PER_GPUH, "updates / (wall_s / 3600)"},
    {WS_COL_PASSES_PER_GPUH, "updates * accumulation / (wall_s / 3600)"},
    {WS_COL_WH_PER_SAMPLE, "energy_kwh * 1000 / dataset_samples"},
    {WS_COL_WH_PER_SAMPLE_SEEN, "energy_kwh * 1000 / (epochs * dataset_samples)"},
    {WS_COL_EDP, "energy_kwh * wall_s / 3600"},
    {WS_COL_ED2P, "energy_kwh * (wall_s / 3600) * (wall_s / 3600)"},
};
const size_t ws_run_formulas_n = sizeof ws_run_formulas / sizeof *ws_run_formulas;
