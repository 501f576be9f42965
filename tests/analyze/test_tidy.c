#include "harness.h"

#include "analyze/ingest/run_columns.h"
#include "analyze/ingest/tidy.h"
#include "formats/table/dictionary.h"

#include <math.h>
#include <string.h>

static ws_arena arena;

/* A table of one row out of "name=cell" texts; a cell that is a number makes a number column, NULL ends the list. */
static void make_raw(ws_table *raw, const char *const *cells)
{
    ws_table_init(raw, "table");
    raw->source = "runs.csv";
    for (size_t i = 0; cells[i]; i++) {
        ws_span name, cell;
        double number;
        ck_assert(ws_span_cut(ws_span_of(cells[i]), "=", &name, &cell));
        bool is_number = ws_span_double(cell, &number);
        size_t column =
            ws_table_add_column(raw, ws_arena_strndup(&arena, name.p, name.n), is_number ? WS_NUMBER : WS_TEXT);
        if (i == 0)
            ws_table_add_row_at(raw, 2);
        if (is_number)
            ws_table_set_number(raw, column, 0, number);
        else
            ws_table_set_span(raw, column, 0, cell);
    }
}

static ws_status tidy(const char *const *cells, const char *map, const ws_fields *defaults, ws_table *runs,
                      ws_error *error)
{
    const ws_fields none = {0};
    ws_table raw;
    make_raw(&raw, cells);
    ws_status status = ws_tidy(&raw, map, defaults ? defaults : &none, runs, error);
    ws_table_free(&raw);
    ws_arena_free(&arena);
    return status;
}

static void tidy_well(const char *const *cells, const char *map, const ws_fields *defaults, ws_table *runs)
{
    ws_error error = {0};
    ck_assert_msg(tidy(cells, map, defaults, runs, &error) == WS_OK, "%s", error.message);
}

static size_t columns_called(const ws_table *t, const char *name)
{
    size_t n = 0;
    for (size_t i = 0; i < t->n_columns; i++)
        n += strcmp(t->columns[i].name, name) == 0;
    return n;
}

/* Three rows of run, part, time and energy. */
static void parts_are(const char *const *name, const char *const (*cell)[4], const ws_fields *defaults, bool asked)
{
    ws_table raw, runs;
    ws_error error = {0};
    const ws_fields none = {0};
    double number;
    ws_table_init(&raw, "table");
    for (size_t c = 0; c < 4; c++)
        ws_table_add_column(&raw, name[c], ws_span_double(ws_span_of(cell[0][c]), &number) ? WS_NUMBER : WS_TEXT);
    for (size_t row = 0; row < 3; row++) {
        ws_table_add_row_at(&raw, (int64_t)row + 2);
        for (size_t c = 0; c < 4; c++)
            if (ws_span_double(ws_span_of(cell[row][c]), &number))
                ws_table_set_number(&raw, c, row, number);
            else
                ws_table_set_text(&raw, c, row, cell[row][c]);
    }
    ck_assert_int_eq(ws_tidy(&raw, NULL, defaults ? defaults : &none, &runs, &error), WS_OK);
    const char *status = runs.columns[WS_COL_STATUS].text[1];
    ck_assert_int_eq(ws_question_of(status) == WS_ASK_NODES, asked);
    ck_assert_int_eq(ws_question_of(runs.columns[WS_COL_STATUS].text[0]) == WS_ASK_NODES, asked);
    ck_assert_int_eq(isnan(ws_runs_get(&runs, WS_COL_ENERGY, 0)), asked);
    ck_assert(ws_runs_get(&runs, WS_COL_ENERGY, 2) > 0); /* alone in its run */
    ws_table_free(&runs);
    ws_table_free(&raw);
}

/* Rows of job 17, 2000 J in 100 s and `joules` in 104 s, and of job 18: of named nodes they are added up. */
static void nodes_are(const char *run, const char *node, double joules, const char *more, const char *kwh)
{
    ws_table raw, runs;
    ws_error error = {0};
    const ws_fields none = {0};
    char got[80] = "";
    ws_table_init(&raw, "table");
    const size_t job = ws_table_add_column(&raw, run, WS_INTEGER), host = ws_table_add_column(&raw, node, WS_TEXT),
                 time = ws_table_add_column(&raw, "time_s", WS_NUMBER),
                 energy = ws_table_add_column(&raw, "energy_j", WS_NUMBER),
                 other = ws_table_add_column(&raw, more, WS_NUMBER);
    for (size_t row = 0; row < 3; row++) {
        ws_table_add_row_at(&raw, (int64_t)row + 2);
        ws_table_set_integer(&raw, job, row, row < 2 ? 17 : 18);
        ws_table_set_text(&raw, host, row, row == 1 ? "n2" : "n1");
        ws_table_set_number(&raw, time, row, row == 1 ? 104 : 100);
        ws_table_set_number(&raw, energy, row, row == 1 ? joules : 2000);
        ws_table_set_number(&raw, other, row, 4);
    }
    ck_assert_int_eq(ws_tidy(&raw, NULL, &none, &runs, &error), WS_OK);
    for (size_t row = 0; row < runs.n_rows; row++)
        snprintf(got + strlen(got), sizeof got - strlen(got), "%.0f:%.0f:%.0f ", ws_runs_get(&runs, WS_COL_NODES, row),
                 ws_runs_get(&runs, WS_COL_WALL, row), ws_runs_get(&runs, WS_COL_ENERGY, row) * 3.6e6);
    ck_assert_str_eq(got, kwh);
    ws_table_free(&runs);
    ws_table_free(&raw);
}

START_TEST(rows_of_a_jobs_nodes_are_one_run)
{
    nodes_are("job", "node", 2100, "temperature", "2:104:4100 1:100:2000 ");
    nodes_are("job_id", "hostname", 2100, "temperature", "2:104:4100 1:100:2000 ");
    nodes_are("job", "node", 2000, "temperature", "nan:100:nan nan:104:nan nan:100:2000 "); /* the job's in each? */
    nodes_are("job", "node", 2100, "gpus", "nan:100:nan nan:104:nan nan:100:2000 ");        /* of a node, or all? */
    nodes_are("run", "node", 2100, "temperature", "nan:100:nan nan:104:nan nan:100:2000 "); /* a node at a time? */
    nodes_are("job", "rank", 2100, "temperature", "nan:100:nan nan:104:nan nan:100:2000 ");
}
END_TEST

START_TEST(rows_of_one_run_and_time_may_be_its_parts)
{
    static const char *const names[] = {"run", "rank", "time_s", "energy_j"}, *const models[] = {"run", "model_size",
                                                                                                 "time_s", "energy_j"};
    static const char *const parts[][4] = {{"a", "0", "100", "2000"}, {"a", "1", "105", "2100"}, {"b", "0", "9", "90"}};
    static const char *const apart[][4] = {{"a", "0", "100", "2000"}, {"a", "1", "106", "2100"}, {"b", "0", "9", "90"}};
    static const char *const settings[][4] = {
        {"a", "4", "100", "2000"}, {"a", "8", "106", "2100"}, {"b", "4", "9", "90"}};
    static const char *const near[][4] = {{"a", "4", "100", "2000"}, {"a", "8", "105", "2100"}, {"b", "4", "9", "90"}};
    static const char *const experiments[] = {"experiment", "gpu", "time_s", "energy_j"};
    static const char *const again[][4] = {{"a", "0", "100", "2000"}, {"a", "0", "101", "2100"}, {"b", "0", "9", "90"}};
    static const char *const single[][4] = {
        {"a", "0", "100", "2000"}, {"c", "1", "101", "2100"}, {"b", "0", "9", "90"}};
    parts_are(names, parts, NULL, true);
    parts_are(names, apart, NULL, true);
    parts_are(names, settings, NULL, false); /* of an adapter: no rank is 0, and times differ */
    parts_are(names, near, NULL, true);
    parts_are(experiments, apart, NULL, true);
    parts_are(experiments, settings, NULL, false); /* 4 and 8 GPUs */
    parts_are(names, again, NULL, false);
    parts_are(names, single, NULL, false);
    parts_are(models, parts, NULL, false);
    ws_fields defaults = {0};
    ws_arena own = {0};
    ws_fields_set(&defaults, &own, "nodes", "1");
    parts_are(names, parts, &defaults, false);
    ws_fields_free(&defaults);
    ws_arena_free(&own);
}
END_TEST

static void read_csv_rows(ws_table *raw, const char *header, const char *rows)
{
    ws_span rest = ws_span_of(rows), line, cell, names = ws_span_of(header);
    char text[64];
    ws_table_init(raw, "table");
    while (ws_span_split(&names, ',', &cell)) {
        snprintf(text, sizeof text, "%.*s", WS_SPAN_ARG(cell));
        bool is_text = strcmp(text, "run") == 0 || strcmp(text, "phase") == 0 || strcmp(text, "node") == 0;
        ws_table_add_column(raw, ws_arena_strdup(&raw->arena, text), is_text ? WS_TEXT : WS_NUMBER);
    }
    for (size_t row = 0; ws_span_split(&rest, ' ', &line); row++) {
        ws_table_add_row_at(raw, (int64_t)row + 2);
        for (size_t c = 0; ws_span_split(&line, ',', &cell); c++) {
            snprintf(text, sizeof text, "%.*s", WS_SPAN_ARG(cell));
            if (raw->columns[c].kind == WS_TEXT)
                ws_table_set_text(raw, c, row, text);
            else
                ws_table_set_number(raw, c, row, atof(text));
        }
    }
}

/* What the first of n runs says. */
static void first_run_is(const char *header, const char *rows, const char *map, size_t n, double kwh, double gpus,
                         double nodes)
{
    ws_table raw, runs;
    ws_error error = {0};
    const ws_fields none = {0};
    read_csv_rows(&raw, header, rows);
    ck_assert_msg(ws_tidy(&raw, map, &none, &runs, &error) == WS_OK, "%s", error.message);
    ck_assert_uint_eq(runs.n_rows, n);
    const ws_run_column columns[] = {WS_COL_ENERGY, WS_COL_GPUS, WS_COL_NODES};
    const double want[] = {kwh, gpus, nodes};
    for (size_t i = 0; i < 3; i++) {
        double got = ws_runs_get(&runs, columns[i], 0);
        ck_assert_msg((isnan(got) && isnan(want[i])) || fabs(got - want[i]) < 1e-9, "%s: %g, not %g", header, got,
                      want[i]);
    }
    ws_table_free(&runs);
    ws_table_free(&raw);
}

/* Rows of a run become one where the map says what they differ in; counts are not guessed. */
START_TEST(parts_that_are_named_add_up)
{
    static const char rows[] = "a,0,100,3600 a,1,140,3600 b,0,100,7200 b,1,100,7200";
    first_run_is("run,rank,time_s,energy_j", rows, NULL, 4, NAN, NAN, NAN);
    first_run_is("run,rank,time_s,energy_j", rows, "part=rank", 2, 0.002, NAN, NAN);
    first_run_is("run,gpu_id,time_s,energy_j", rows, "part=gpu_id", 2, 0.002, 2, NAN);
    first_run_is("run,node,time_s,energy_j", rows, "part=node", 2, 0.002, NAN, 2);
    static const char counted[] = "a,0,100,3600,4 a,1,140,3600,4 b,0,100,7200,4 b,1,100,7200,4";
    first_run_is("run,node,time_s,energy_j,gpus", counted, "part=node", 2, 0.002, NAN, 2);
    first_run_is("run,node,time_s,energy_j,gpus", counted, "part=node,gpus=gpus", 2, 0.002, 4, 2);
    first_run_is("run,node,time_s,energy_j,gpus", counted, "part=node,gpus_per_node=gpus", 2, 0.002, 8, 2);
    first_run_is("run,rank,time_s,energy_j", "a,0,100,3600 a,0,100,3700", "part=rank", 2, NAN, NAN, NAN);
}
END_TEST

/* More rows than were held against each other before. */
START_TEST(parts_of_many_runs_are_asked_for)
{
    ws_table raw, runs;
    ws_error error = {0};
    const ws_fields none = {0};
    enum { ROWS = 5000 };
    ws_table_init(&raw, "table");
    const size_t run = ws_table_add_column(&raw, "run", WS_NUMBER), rank = ws_table_add_column(&raw, "rank", WS_NUMBER),
                 energy = ws_table_add_column(&raw, "energy_j", WS_NUMBER);
    for (size_t row = 0; row < ROWS; row++) {
        ws_table_add_row_at(&raw, (int64_t)row + 2);
        ws_table_set_number(&raw, run, row, (double)(row / 2));
        ws_table_set_number(&raw, rank, row, (double)(row % 2));
        ws_table_set_number(&raw, energy, row, 3600);
    }
    ck_assert_int_eq(ws_tidy(&raw, NULL, &none, &runs, &error), WS_OK);
    for (size_t row = 0; row < ROWS; row++)
        ck_assert(isnan(ws_runs_get(&runs, WS_COL_ENERGY, row)));
    ws_table_free(&runs);
    ws_table_free(&raw);
}
END_TEST

/* A row "total" that is the sum of its run's phases is none more; one that is not stays. */
START_TEST(totals_of_phases)
{
    first_run_is("run,phase,time_s,energy_j", "a,load,10,3600 a,train,90,7200 a,total,100,10800 b,load,10,3600", NULL,
                 3, 0.001, NAN, NAN);
    first_run_is("run,phase,time_s,energy_j", "a,load,10,3600 a,train,90,7200 a,total,100,12000", NULL, 3, 0.001, NAN,
                 NAN);
    first_run_is("run,phase,time_s,energy_j", "a,load,10,3600 a,total,10,3600", NULL, 2, 0.001, NAN, NAN);
}
END_TEST

/* Energies and GPUs of one node or of all: by the name, by what a node draws, or asked for. */
START_TEST(energies_and_gpus_of_nodes)
{
    static const char rows[] = "a,2,100,3600 b,4,100,3600", megawatts[] = "a,2,100,3600 b,64,10,3600000";
    first_run_is("run,nodes,time_s,energy_per_node_j", rows, NULL, 2, 0.002, NAN, 2);
    first_run_is("run,nodes,time_s,node_energy_j", rows, NULL, 2, NAN, NAN, 2);
    first_run_is("run,nodes,time_s,node_energy_j", rows, "energy_kwh=node_energy_j", 2, 0.001, NAN, 2);
    first_run_is("run,nodes,time_s,node_energy_j", rows, "energy_per_node_kwh=node_energy_j", 2, 0.002, NAN, 2);
    first_run_is("run,nodes,time_s,node_energy_j", megawatts, NULL, 2, 0.001, NAN, 2);
    first_run_is("run,nodes,time_s,node_energy_j", "a,1,100,3600", NULL, 1, 0.001, NAN, 1);
    first_run_is("run,nodes,gpus,energy_j", "a,2,4,3600 b,4,4,3600 c,8,4,3600", NULL, 3, 0.001, NAN, 2);
    first_run_is("run,nodes,gpus,energy_j", "a,2,4,3600 b,4,8,3600", NULL, 2, 0.001, 4, 2);
    first_run_is("run,nodes,gpus,energy_j", "a,1,2,3600 b,1,4,3600 c,2,4,3600", NULL, 3, 0.001, NAN, 1);
    first_run_is("run,nodes,gpus,energy_j", "a,1,2,3600 b,1,4,3600 c,2,8,3600", NULL, 3, 0.001, 2, 1);
    first_run_is("run,nodes,gpus,energy_j", "a,2,4,3600 b,2,4,3600", NULL, 2, 0.001, 4, 2);
    first_run_is("run,nodes,gpus,energy_j", "a,2,4,3600 b,4,4,3600", NULL, 2, 0.001, NAN, 2);
    first_run_is("run,nodes,gpus,energy_j", "a,2,4,3600 b,4,4,3600", "gpus=gpus", 2, 0.001, 4, 2);
    first_run_is("run,nodes,ntasks,energy_j", "a,1,1,3600 b,4,4,3600", NULL, 2, 0.001, NAN, 1);
    first_run_is("run,nodes,ntasks,energy_j", "a,1,1,3600 b,4,4,3600", "gpus=ntasks", 2, 0.001, 1, 1);
    first_run_is("run,nodes,ntasks,energy_j", "a,1,4,3600 b,4,16,3600", NULL, 2, 0.001, 4, 1);
    first_run_is("run,nodes,total_gpus,energy_j", "a,2,4,3600 b,4,4,3600", NULL, 2, 0.001, 4, 2);
    first_run_is("run,nodes,gpus,energy_j", "a,2,4,3600 b,8,4,3600", "gpus_per_node=gpus", 2, 0.001, 8, 2);
}
END_TEST

/* One raw column and what it becomes. */
START_TEST(synonyms_and_units)
{
    static const struct {
        const char *cell;
        ws_run_column column;
        double want;
    } cases[] = {{"gpus=4", WS_COL_GPUS, 4},
                 {"GPUs=4", WS_COL_GPUS, 4},
                 {"world_size=64", WS_COL_GPUS, 64},
                 {"num nodes=3", WS_COL_NODES, 3},
                 {"per-device-train-batch-size=32", WS_COL_LBS, 32},
                 {"wall_s=12.5", WS_COL_WALL, 12.5},
                 {"Wall Time [h]=1.5", WS_COL_WALL, 5400},
                 {"runtime_min=2", WS_COL_WALL, 120},
                 {"train_runtime=17.25", WS_COL_WALL, 17.25},
                 {"time_s=17.25", WS_COL_WALL, 17.25},
                 {"time[s]=17.25", WS_COL_WALL, 17.25},
                 {"Time (min)=2", WS_COL_WALL, 120},
                 {"time=17.25", WS_COL_WALL, NAN}, /* may be a stamp */
                 {"samples=50000", WS_COL_DATASET_SAMPLES, 50000},
                 {"elapsed (ms)=1500", WS_COL_WALL, 1.5},
                 {"time_per_epoch=20", WS_COL_EPOCH_S, 20},
                 {"energy_kwh=2", WS_COL_ENERGY, 2},
                 {"energy_j=7.2e6", WS_COL_ENERGY, 2},
                 {"Total Energy (MJ)=7.2", WS_COL_ENERGY, 2},
                 {"GPU energy [Wh]=250", WS_COL_ENERGY_GPU, 0.25},
                 {"ram_energy_kwh=0.5", WS_COL_ENERGY_DRAM, 0.5},
                 {"gpu_hours=10", WS_COL_GPU_H, 10},
                 {"gpu_h [s]=36000", WS_COL_GPU_H, 10},
                 {"gpu_power_w [mW]=250000", WS_COL_GPU_POWER, 250},
                 {"average_power [mW]=250000", WS_COL_GPU_POWER, NAN}, /* of a GPU, or of the run */
                 {"power_limit (kW)=0.25", WS_COL_POWER_CAP, 250},
                 {"clock_cap_mhz=1410", WS_COL_CLOCK_CAP, 1.41e9},
                 {"util_mean [%]=85", WS_COL_UTIL_MEAN, 0.85},
                 {"power_consumption(kWh)=2", WS_COL_ENERGY, 2}, /* eco2AI; without the unit it may be a power: */
                 {"power_consumption=2", WS_COL_ENERGY, NAN},
                 {"power_consumption(W)=2", WS_COL_ENERGY, NAN},
                 {"PACKAGE_ENERGY (J)=7.2e6", WS_COL_ENERGY_CPU, 2},
                 {"codecarbon__energy_consumed=2", WS_COL_ENERGY, 2}, /* in CodeCarbon's units */
                 {"codecarbon__duration=17.25", WS_COL_WALL, 17.25},
                 {"total_energy_consumption=9877.39mJ", WS_COL_ENERGY, 9.87739 / 3.6e6},
                 {"energy=2 kWh", WS_COL_ENERGY, 2},
                 {"energy_kwh=7.2 MJ", WS_COL_ENERGY, 2},
                 {"execution_time=1.5h", WS_COL_WALL, 5400},
                 {"execution_time=1.5 W", WS_COL_WALL, NAN}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ws_table runs;
        tidy_well((const char *const[]){cases[i].cell, NULL}, NULL, NULL, &runs);
        double got = ws_runs_get(&runs, cases[i].column, 0);
        bool is_right = isnan(cases[i].want) ? isnan(got) : fabs(got - cases[i].want) <= 1e-15 * fabs(cases[i].want);
        ck_assert_msg(is_right, "'%s' becomes %.17g", cases[i].cell, got);
        ws_table_free(&runs);
    }
}
END_TEST

/* A unit of the cells is that of a column that a map names, under its own name, too. */
START_TEST(units_of_cells)
{
    ws_table runs;
    tidy_well((const char *const[]){"drawn=7.2MJ", "took=90min", NULL}, "energy_kwh=drawn,wall_s=took", NULL, &runs);
    ck_assert_double_eq_tol(ws_runs_get(&runs, WS_COL_ENERGY, 0), 2, 1e-15);
    ck_assert_double_eq(ws_runs_get(&runs, WS_COL_WALL, 0), 5400);
    ws_table_free(&runs);
    tidy_well((const char *const[]){"execution_time=90s", NULL}, "wall_s=execution_time", NULL, &runs);
    ck_assert_double_eq(ws_runs_get(&runs, WS_COL_WALL, 0), 90);
    ws_table_free(&runs);
}
END_TEST

static double energy_of(const char *const *cells, const char *map)
{
    ws_table runs;
    tidy_well(cells, map, NULL, &runs);
    double kwh = ws_runs_get(&runs, WS_COL_ENERGY, 0);
    ck_assert(!isnan(kwh) || !runs.columns[WS_COL_ENERGY_SCOPE].text[0]);
    ws_table_free(&runs);
    return kwh;
}

/* A sum lacks what was not read of it: energies of a part that no column of runs fits, and those that no run has. */
START_TEST(a_sum_of_parts_lacks_none)
{
    ck_assert_double_eq_tol(energy_of((const char *const[]){"cpu_energy_kwh=1", "gpu_energy_kwh=2", NULL}, NULL), 3,
                            1e-15);
    ck_assert(isnan(energy_of((const char *const[]){"cpu_energy_kwh=1", "gpu3_energy_kwh=2", NULL}, NULL)));
    ck_assert(isnan(energy_of((const char *const[]){"cpu_energy_kwh=-1", "gpu_energy_kwh=2", NULL}, NULL)));
    /* what lies inside of another part, or holds it, or is none, is not missed */
    ck_assert_double_eq(energy_of((const char *const[]){"cpu_energy_kwh=1", "PP0_ENERGY (J)=2", NULL}, NULL), 1);
    ck_assert_double_eq(energy_of((const char *const[]){"cpu_energy_kwh=1", "psys_energy_kwh=2", NULL}, NULL), 1);
    ck_assert_double_eq(energy_of((const char *const[]){"cpu_energy_kwh=1", "gpu0_energy_kwh=0", NULL}, NULL), 1);
    ck_assert_double_eq(energy_of((const char *const[]){"cpu_energy_kwh=1", "energy_rank=2", NULL}, NULL), 1);
    /* a total, or a map that names the energies, says what counts */
    ck_assert_double_eq(
        energy_of((const char *const[]){"energy_kwh=4", "cpu_energy_kwh=1", "gpu0_energy_kwh=2", NULL}, NULL), 4);
    /* A map says which energies count by its keys, and not by the words of the columns that it names. */
    ck_assert_double_eq(
        energy_of((const char *const[]){"gpu0_energy_kwh=1", "gpu1_energy_kwh=2", "time of energy=10", NULL},
                  "wall_s=time of energy"),
        3);
    ck_assert_double_eq(energy_of((const char *const[]){"cpu_energy_kwh=1", "gpu0_energy_kwh=2", NULL},
                                  "energy_gpu_kwh=gpu0_energy_kwh"),
                        3);
}
END_TEST

/* The sum of the GPUs' energies, each in its unit, and how many there are; not where one is missing, or there are more.
 */
START_TEST(energies_of_numbered_parts_are_added)
{
    static const struct {
        const char *cells[6];
        double kwh, gpus;
    } cases[] = {{{"gpu0_energy_kwh=1", "gpu1_energy [Wh]=500", NULL}, 1.5, 2},
                 {{"gpu_1_energy_kwh=1", "energy_gpu2 (MJ)=7.2", NULL}, 3, 2},
                 {{"gpu0_energy_kwh=1", "cpu_energy_kwh=2", NULL}, 3, 1},
                 {{"cpu0_energy_kwh=1", "cpu1_energy_kwh=2", "dram0_energy_kwh=0.5", NULL}, 3.5, NAN},
                 {{"gpu0_energy_kwh=1", "gpu1_energy_kwh=2", "gpus=2", NULL}, 3, 2},
                 {{"gpu0_energy_kwh=1", "gpu1_energy_kwh=2", "gpus=4", NULL}, NAN, 4},
                 {{"gpu0_energy_kwh=1", "gpu2_energy_kwh=2", NULL}, NAN, NAN},
                 {{"gpu0_energy_kwh=1", "gpu_0_energy_kwh=2", NULL}, NAN, NAN},
                 {{"gpu0_energy_kwh=1", "gpu1_energy_mj=2", NULL}, NAN, NAN}, /* mJ or MJ */
                 {{"gpu0_energy_kwh=1", "gpu1_energy_kwh=-2", NULL}, NAN, 2},
                 {{"gpu0_energy_kwh=3", "gpu1_energy_kwh=-2", NULL}, NAN, 2},
                 {{"gpu1_energy_kwh=2", NULL}, NAN, NAN},
                 {{"gpu0_energy_kwh=1", "gpu1_energy_kwh=2", "gpu_energy_kwh=3.02", NULL}, 3.02, 2},
                 {{"gpu0_energy_kwh=1", "gpu1_energy_kwh=2", "gpu_energy_kwh=3.04", NULL}, NAN, NAN},
                 {{"gpu0_energy_kwh=1", "gpu1_energy_kwh=2", "gpu_energy [J]=10800000", NULL}, 3, 2},
                 {{"gpu0_energy_kwh=1", "gpu1_energy_kwh=2", "gpu_energy_kwh=3", NULL}, 3, 2},
                 {{"gpu0_energy_kwh=1", "gpu1_energy_kwh=2", "gpu_energy_kwh=4", NULL}, NAN, NAN},
                 {{"gpu0_energy_kwh=1", "gpu1_energy_kwh=2", "energy_kwh=5", NULL}, 5, 2}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ws_table runs;
        tidy_well(cases[i].cells, NULL, NULL, &runs);
        double kwh = ws_runs_get(&runs, WS_COL_ENERGY, 0), gpus = ws_runs_get(&runs, WS_COL_GPUS, 0);
        bool is_right = (isnan(cases[i].kwh) ? isnan(kwh) : fabs(kwh - cases[i].kwh) <= 1e-14) &&
                        (isnan(cases[i].gpus) ? isnan(gpus) : gpus == cases[i].gpus);
        ck_assert_msg(is_right, "case %zu: %g kWh, %g GPUs", i, kwh, gpus);
        ws_table_free(&runs);
    }
}
END_TEST

/* A GPU that drew nothing in one run and something in another one is there in both. */
START_TEST(a_part_without_energy_in_one_run_counts)
{
    ws_table raw, runs;
    ws_error error = {0};
    const ws_fields none = {0};
    ws_table_init(&raw, "table");
    const size_t one = ws_table_add_column(&raw, "gpu0_energy_kwh", WS_NUMBER),
                 other = ws_table_add_column(&raw, "gpu1_energy_kwh", WS_NUMBER);
    for (size_t row = 0; row < 2; row++) {
        ws_table_add_row_at(&raw, (int64_t)row + 2);
        ws_table_set_number(&raw, one, row, 1);
        ws_table_set_number(&raw, other, row, row ? 2 : 0);
    }
    ck_assert_int_eq(ws_tidy(&raw, NULL, &none, &runs, &error), WS_OK);
    ck_assert_double_eq_tol(ws_runs_get(&runs, WS_COL_ENERGY, 0), 1, 1e-14);
    ck_assert_double_eq_tol(ws_runs_get(&runs, WS_COL_ENERGY, 1), 3, 1e-14);
    ws_table_free(&runs);
    ws_table_free(&raw);
}
END_TEST

/* The time of a run is its end less its start, with fractions of a second; no time where it ends first. */
START_TEST(times_between_stamps)
{
    static const struct {
        const char *cells[3];
        double wall_s;
    } cases[] = {{{"start=2026-01-02 03:04:05.25", "end=2026-01-02 03:04:07.75", NULL}, 2.5},
                 {{"start=2026-01-02 23:59:59", "end=2026-01-03 00:00:01", NULL}, 2},
                 {{"start_ts=1767300000.5", "end_ts=1767300003", NULL}, 2.5},
                 {{"start=2026-01-02 03:04:07", "end=2026-01-02 03:04:05", NULL}, NAN},
                 {{"start=2026-01-02 03:04:05", "end=2026-01-02 03:04:05", NULL}, NAN},
                 {{"start_ts=1767300003", "end_ts=1767300000", NULL}, NAN},
                 {{"start_ts=10", "end_ts=20", NULL}, NAN}}; /* no seconds since the epoch */
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ws_table runs;
        tidy_well(cases[i].cells, NULL, NULL, &runs);
        double wall_s = ws_runs_get(&runs, WS_COL_WALL, 0);
        ck_assert_msg(isnan(cases[i].wall_s) ? isnan(wall_s) : fabs(wall_s - cases[i].wall_s) <= 1e-6, "case %zu: %g s",
                      i, wall_s);
        ws_table_free(&runs);
    }
}
END_TEST

/* 1.5 kWh in 6.5 s are 830 kW, whatever a header says; runs on many nodes draw as much. */
START_TEST(an_energy_of_a_run_that_no_node_draws)
{
    static const struct {
        const char *cells[4], *verdict;
    } cases[] = {{{"power_consumption(kWh)=1.5", "duration(s)=6.5", NULL}, "doubtful"},
                 {{"energy_kwh=99", "wall_s=3600", NULL}, NULL},
                 {{"energy_kwh=101", "wall_s=3600", NULL}, "doubtful"},
                 {{"energy_kwh=101", "wall_s=3600", "gpus=256", NULL}, NULL},
                 {{"energy_kwh=101", "wall_s=3600", "nodes=64", NULL}, NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ws_table runs;
        tidy_well(cases[i].cells, NULL, NULL, &runs);
        const char *verdict = runs.columns[WS_COL_VERDICT].text[0];
        bool is_right = cases[i].verdict ? verdict && strcmp(verdict, cases[i].verdict) == 0 : !verdict;
        ck_assert_msg(is_right, "case %zu: %s", i, verdict ? verdict : "none");
        ws_table_free(&runs);
    }
}
END_TEST

START_TEST(what_was_taken_is_noted)
{
    ws_table runs;
    tidy_well((const char *const[]){"gpus=4", "Wall Time [h]=1.5", "network=vgg", NULL}, NULL, NULL, &runs);
    ck_assert_uint_eq(runs.notes.n, 2);
    ck_assert_str_eq(ws_finding_code(runs.notes.items[0].finding), "column-taken");
    ck_assert_str_eq(runs.notes.items[0].subject, "wall_s");
    ck_assert_ptr_nonnull(strstr(runs.notes.items[0].text, "Wall Time [h]"));
    ck_assert_str_eq(runs.notes.items[1].subject, "model");
    ck_assert_str_eq(runs.columns[WS_COL_MODEL].text[0], "vgg");
    ck_assert_double_eq(ws_runs_get(&runs, WS_COL_GPU_H, 0), 6); /* and the rest is completed */
    ws_table_free(&runs);
}
END_TEST

START_TEST(a_unit_of_another_kind_is_not_taken)
{
    ws_table runs;
    tidy_well((const char *const[]){"wall_time [W]=300", "energy [s]=5", NULL}, NULL, NULL, &runs);
    ck_assert(isnan(ws_runs_get(&runs, WS_COL_WALL, 0)));
    ck_assert(isnan(ws_runs_get(&runs, WS_COL_ENERGY, 0)));
    ck_assert_uint_eq(columns_called(&runs, "wall_time [W]"), 1);
    ws_table_free(&runs);
}
END_TEST

START_TEST(standard_names_come_before_synonyms)
{
    ws_table runs;
    tidy_well((const char *const[]){"runtime=99", "wall_s=5", "elapsed=77", NULL}, NULL, NULL, &runs);
    ck_assert_double_eq(ws_runs_get(&runs, WS_COL_WALL, 0), 5);
    ck_assert_uint_eq(columns_called(&runs, "runtime"), 1); /* the others stay, under their own names */
    ck_assert_uint_eq(columns_called(&runs, "elapsed"), 1);
    ck_assert_uint_eq(columns_called(&runs, "wall_s"), 1);
    ws_table_free(&runs);
}
END_TEST

START_TEST(own_columns_follow)
{
    ws_table runs;
    size_t column;
    tidy_well((const char *const[]){"gpus=4", "error_top1=23.9", "comment=first try", NULL}, NULL, NULL, &runs);
    ck_assert(ws_table_find(&runs, "error_top1", &column));
    ck_assert_uint_eq(column, WS_RUN_COLUMN_N);
    ck_assert_double_eq(ws_table_number(&runs, column, 0), 23.9);
    ck_assert(ws_table_find(&runs, "comment", &column));
    ck_assert_str_eq(runs.columns[column].text[0], "first try");
    ck_assert_uint_eq(runs.n_columns, WS_RUN_COLUMN_N + 2);
    ws_table_free(&runs);
}
END_TEST

START_TEST(a_map_names_columns)
{
    ws_table runs;
    tidy_well((const char *const[]){"t [ms]=2500", "n=8", "E=0.5", NULL}, "wall_s=t [ms], gpus = n,energy_kwh=E", NULL,
              &runs);
    ck_assert_double_eq(ws_runs_get(&runs, WS_COL_WALL, 0), 2.5);
    ck_assert_double_eq(ws_runs_get(&runs, WS_COL_GPUS, 0), 8);
    ck_assert_double_eq(ws_runs_get(&runs, WS_COL_ENERGY, 0), 0.5);
    ws_table_free(&runs);
}
END_TEST

/* The column of the standard name gives way, and is not there twice. */
START_TEST(a_map_beats_a_name)
{
    ws_table runs;
    tidy_well((const char *const[]){"wall_s=5", "job_s=77", NULL}, "wall_s=job_s", NULL, &runs);
    ck_assert_double_eq(ws_runs_get(&runs, WS_COL_WALL, 0), 77);
    ck_assert_uint_eq(columns_called(&runs, "wall_s"), 1);
    ck_assert_ptr_nonnull(ws_notes_find(&runs.notes, WS_FINDING_COLUMN_SET_ASIDE));
    ws_table_free(&runs);
}
END_TEST

/* The unit of a column whose name has none may be stated behind it. */
START_TEST(a_map_states_units)
{
    ws_table runs;
    tidy_well((const char *const[]){"energy=97736782", "duration=497", NULL},
              "energy_kwh=energy [uJ],wall_s=duration [ms]", NULL, &runs);
    ck_assert_double_eq(ws_runs_get(&runs, WS_COL_WALL, 0), 0.497);
    ck_assert_double_eq_tol(ws_runs_get(&runs, WS_COL_ENERGY, 0), 97736782e-6 / 3.6e6, 1e-18);
    ck_assert_ptr_null(ws_notes_find(&runs.notes, WS_FINDING_ASSUMED_UNIT));
    ws_table_free(&runs);
}
END_TEST

START_TEST(odd_maps_are_refused)
{
    static const struct {
        const char *map, *offender;
    } cases[] = {{"wall_s=nothing", "nothing"},
                 {"colour=n", "colour"},
                 {"wall_s", "wall_s"},
                 {"wall_s=P [W]", "P [W]"},
                 {"=n", ""},
                 {"gpus=n,gpus=m", "gpus"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ws_table runs;
        ws_error error = {0};
        ck_assert_msg(tidy((const char *const[]){"n=8", "P [W]=300", "m=9", NULL}, cases[i].map, NULL, &runs, &error) ==
                          WS_USAGE,
                      "'%s' is taken", cases[i].map);
        ck_assert_msg(strstr(error.message, cases[i].offender), "'%s' says '%s'", cases[i].map, error.message);
        ws_table_free(&runs);
    }
}
END_TEST

START_TEST(texts_among_numbers)
{
    ws_table raw, runs;
    ws_error error = {0};
    const ws_fields none = {0};
    static const char *const cells[] = {"12", "n.a.", NULL, "1e2", "12 s"};
    ws_table_init(&raw, "table");
    raw.source = "runs.csv";
    size_t column = ws_table_add_column(&raw, "wall_s", WS_TEXT);
    for (size_t i = 0; i < 5; i++)
        ws_table_set_text(&raw, column, ws_table_add_row_at(&raw, (int64_t)i + 2), cells[i]);
    ck_assert_int_eq(ws_tidy(&raw, NULL, &none, &runs, &error), WS_OK);
    ck_assert_double_eq(ws_runs_get(&runs, WS_COL_WALL, 0), 12);
    ck_assert(isnan(ws_runs_get(&runs, WS_COL_WALL, 1)));
    ck_assert(isnan(ws_runs_get(&runs, WS_COL_WALL, 2)));
    ck_assert_double_eq(ws_runs_get(&runs, WS_COL_WALL, 3), 100);
    ck_assert(isnan(ws_runs_get(&runs, WS_COL_WALL, 4)));
    const ws_note *note = ws_notes_find(&runs.notes, WS_FINDING_NOT_A_NUMBER);
    ck_assert_ptr_nonnull(note);
    ck_assert_uint_eq(note->count, 2); /* an empty cell is missing, and no finding */
    ck_assert_int_eq(note->line, 3);
    ck_assert_ptr_nonnull(strstr(note->text, "'n.a.'"));
    ws_table_free(&runs);
    ws_tidy_numbers(&raw, column);
    ck_assert_int_eq(raw.columns[column].kind, WS_NUMBER);
    ck_assert_double_eq(ws_table_number(&raw, column, 3), 100);
    ck_assert(ws_table_is_missing(&raw, column, 1));
    ck_assert_uint_eq(ws_notes_find(&raw.notes, WS_FINDING_NOT_A_NUMBER)->count, 2);
    ws_table_free(&raw);
}
END_TEST

START_TEST(a_text_column_stays_one)
{
    ws_table raw;
    ws_table_init(&raw, "table");
    size_t column = ws_table_add_column(&raw, "model", WS_TEXT);
    ws_table_set_text(&raw, column, ws_table_add_row(&raw), "vgg");
    ws_tidy_numbers(&raw, column);
    ck_assert_int_eq(raw.columns[column].kind, WS_TEXT);
    ck_assert_str_eq(raw.columns[column].text[0], "vgg");
    ck_assert_uint_eq(raw.notes.n, 0);
    ws_table_free(&raw);
}
END_TEST

START_TEST(numbers_may_be_labels)
{
    ws_table runs;
    tidy_well((const char *const[]){"run=3211179", "series=256", NULL}, NULL, NULL, &runs);
    ck_assert_str_eq(runs.columns[WS_COL_RUN].text[0], "3211179");
    ck_assert_str_eq(runs.columns[WS_COL_SERIES].text[0], "256");
    ws_table_free(&runs);
}
END_TEST

START_TEST(defaults_fill_what_is_missing)
{
    ws_arena own = {0};
    ws_fields defaults = {0};
    ws_table runs;
    ws_error error = {0};
    size_t column;
    ws_fields_set(&defaults, &own, "gpus", "16");
    ws_fields_set(&defaults, &own, "lbs", "32");
    ws_fields_set(&defaults, &own, "model", "vgg");
    ws_fields_set(&defaults, &own, "cluster", "horeka");
    ws_fields_set(&defaults, &own, "seed", "7");
    tidy_well((const char *const[]){"gpus=4", "note=x", NULL}, NULL, &defaults, &runs);
    ck_assert_double_eq(ws_runs_get(&runs, WS_COL_GPUS, 0), 4);
    ck_assert_double_eq(ws_runs_get(&runs, WS_COL_LBS, 0), 32);
    ck_assert_double_eq(ws_runs_get(&runs, WS_COL_GBS, 0), 128);
    ck_assert_str_eq(runs.columns[WS_COL_MODEL].text[0], "vgg");
    ck_assert(ws_table_find(&runs, "cluster", &column));
    ck_assert_str_eq(runs.columns[column].text[0], "horeka");
    ck_assert(ws_table_find(&runs, "seed", &column));
    ck_assert_double_eq(ws_table_number(&runs, column, 0), 7);
    ws_table_free(&runs);
    ws_fields_set(&defaults, &own, "nodes", "many");
    ck_assert_int_eq(tidy((const char *const[]){"gpus=4", NULL}, NULL, &defaults, &runs, &error), WS_USAGE);
    ck_assert_ptr_nonnull(strstr(error.message, "many"));
    ws_table_free(&runs);
    ws_fields_free(&defaults);
    ws_arena_free(&own);
}
END_TEST

START_TEST(contradictions_of_a_table_are_noted_with_their_line)
{
    ws_table runs;
    tidy_well((const char *const[]){"gpus=4", "lbs=32", "gbs=256", NULL}, NULL, NULL, &runs);
    const ws_note *note = ws_notes_find(&runs.notes, WS_FINDING_BATCH_CONTRADICTION);
    ck_assert_ptr_nonnull(note);
    ck_assert_int_eq(note->line, 2);
    ck_assert_double_eq(ws_runs_get(&runs, WS_COL_GBS, 0), 256);
    ws_table_free(&runs);
}
END_TEST

START_TEST(an_empty_table)
{
    ws_table runs;
    tidy_well((const char *const[]){NULL}, NULL, NULL, &runs);
    ck_assert_uint_eq(runs.n_rows, 0);
    ck_assert_uint_eq(runs.n_columns, WS_RUN_COLUMN_N);
    ws_table_free(&runs);
}
END_TEST

/* 3 nodes x 4 GPUs, 37 samples a pass, 5 passes an update: 2220 samples an update, 100 updates of 2 x 111000 samples.
 */
START_TEST(accumulation_and_gpus_per_node)
{
    ws_table runs;
    tidy_well((const char *const[]){"nodes=3", "gpus_per_node=4", "per_device_train_batch_size=37",
                                    "gradient_accumulation_steps=5", "epochs=2", "samples=111000", "time_s=1800", NULL},
              NULL, NULL, &runs);
    ck_assert_double_eq(ws_runs_get(&runs, WS_COL_GPUS, 0), 12);
    ck_assert_double_eq(ws_runs_get(&runs, WS_COL_GBS, 0), 2220);
    ck_assert_double_eq(ws_runs_get(&runs, WS_COL_UPDATES, 0), 100);
    ck_assert_double_eq(ws_runs_get(&runs, WS_COL_WORKLOAD, 0), 222000);
    ck_assert_double_eq(ws_runs_get(&runs, WS_COL_PASSES_PER_GPUH, 0), 1000);
    ck_assert_double_eq(ws_runs_get(&runs, WS_COL_GPU_H, 0), 6);
    ws_table_free(&runs);
    /* what the batches and the accumulation say must agree, and does not contradict itself for having accumulated */
    tidy_well((const char *const[]){"gpus=12", "lbs=37", "gbs=2220", "grad_accum=5", NULL}, NULL, NULL, &runs);
    ck_assert_ptr_null(ws_notes_find(&runs.notes, WS_FINDING_BATCH_CONTRADICTION));
    ws_table_free(&runs);
    tidy_well((const char *const[]){"gpus=12", "lbs=37", "gbs=444", "grad_accum=5", NULL}, NULL, NULL, &runs);
    ck_assert_ptr_nonnull(ws_notes_find(&runs.notes, WS_FINDING_BATCH_CONTRADICTION));
    ws_table_free(&runs);
    /* counts that are said outright go before what follows from others */
    tidy_well((const char *const[]){"nodes=3", "gpus_per_node=4", "gpus=10", "gbs=2220", "grad_accum=5", NULL}, NULL,
              NULL, &runs);
    ck_assert_double_eq(ws_runs_get(&runs, WS_COL_GPUS, 0), 10);
    ck_assert_double_eq(ws_runs_get(&runs, WS_COL_LBS, 0), 44.4);
    ws_table_free(&runs);
}
END_TEST

/* The dictionary knows columns by name alone. */
START_TEST(names_of_the_dictionary_are_columns)
{
    size_t n, for_runs = 0;
    const ws_known_name *names = ws_dictionary(&n);
    for (size_t i = 0; i < n; i++) {
        ws_run_column column;
        for_runs += names[i].run != NULL;
        ck_assert_msg(!names[i].run || ws_run_column_find(names[i].run, &column), "%s", names[i].name);
        ck_assert_msg(!names[i].run || !ws_run_column_find(names[i].name, &column), "%s", names[i].name);
    }
    ck_assert_uint_gt(for_runs, 50);
}
END_TEST

TEST_MAIN("tidy", rows_of_a_jobs_nodes_are_one_run, rows_of_one_run_and_time_may_be_its_parts,
          parts_that_are_named_add_up, parts_of_many_runs_are_asked_for, totals_of_phases, energies_and_gpus_of_nodes,
          energies_of_numbered_parts_are_added, a_part_without_energy_in_one_run_counts, times_between_stamps,
          names_of_the_dictionary_are_columns, synonyms_and_units, what_was_taken_is_noted,
          an_energy_of_a_run_that_no_node_draws, units_of_cells, a_sum_of_parts_lacks_none,
          a_unit_of_another_kind_is_not_taken, standard_names_come_before_synonyms, own_columns_follow,
          a_map_names_columns, a_map_beats_a_name, a_map_states_units, odd_maps_are_refused, texts_among_numbers,
          a_text_column_stays_one, numbers_may_be_labels, defaults_fill_what_is_missing,
          contradictions_of_a_table_are_noted_with_their_line, an_empty_table, accumulation_and_gpus_per_node)
