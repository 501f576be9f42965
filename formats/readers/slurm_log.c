/* slurm-log.csv of the MIT SuperCloud data set, a dump of Slurm's own tables:
 *
 *   id_job,nodes_alloc,nodelist,state,timelimit,time_submit,time_start,time_end,tres_alloc
 *   4100001,2,"['node1', 'node2']",3,4294967295,1770796000,1770796800,1770800400,"1=20,2=170000,4=2,5=20,1002=4"
 *
 * Epoch seconds; minutes of the limit, 4294967295 without one; resources by number: 1 processors, 2 memory, 3 energy,
 * 4 nodes, 5 billing, from 1001 on GPUs. All columns are kept, and those that sacct has are added. */
#include "formats/table/table_csv.h"

#include "core/arena.h"
#include "core/stamp.h"

#include <inttypes.h>
#include <math.h>

static const char *const must[] = {"id_job", "time_start", "time_end", "tres_alloc", NULL};

enum { TRES_CPU = 1, TRES_ENERGY = 3, TRES_NODE = 4, TRES_GPU_FIRST = 1001, TRES_GPU_LAST = 1099 };

typedef struct slurm_tres {
    double cpus, energy_j, nodes, gpus; /* NaN: not there */
    bool has_energy;
} slurm_tres;

static slurm_tres parse_tres(ws_span text)
{
    slurm_tres tres = {NAN, NAN, NAN, NAN, false};
    ws_span item, name, number;
    while (ws_span_split(&text, ',', &item)) {
        int64_t id;
        double value;
        if (!ws_span_cut(item, "=", &name, &number) || !ws_span_i64(name, &id) || !ws_span_double(number, &value))
            continue;
        if (id == TRES_CPU)
            tres.cpus = value;
        else if (id == TRES_NODE)
            tres.nodes = value;
        else if (id == TRES_ENERGY)
            tres.energy_j = value, tres.has_energy = true;
        else if (id >= TRES_GPU_FIRST && id <= TRES_GPU_LAST)
            tres.gpus = isnan(tres.gpus) ? value : tres.gpus + value;
    }
    return tres;
}

/* Slurm's numbers of states, in their order. */
static const char *const states[] = {"PENDING", "RUNNING",   "SUSPENDED", "COMPLETED", "CANCELLED", "FAILED",
                                     "TIMEOUT", "NODE_FAIL", "PREEMPTED", "BOOT_FAIL", "DEADLINE",  "OUT_OF_MEMORY"};

typedef struct added {
    size_t job, state, elapsed, start, end, cpus, nodes, gpus, energy, limit;
} added;

static void add_columns(ws_table *t, added *a)
{
    const struct {
        size_t *place;
        const char *name;
        ws_column_kind kind;
    } wanted[] = {{&a->job, "job", WS_TEXT},
                  {&a->state, "status", WS_TEXT}, /* "state" is a number */
                  {&a->elapsed, "elapsed_s", WS_NUMBER},
                  {&a->start, "start", WS_TEXT},
                  {&a->end, "end", WS_TEXT},
                  {&a->cpus, "cpus", WS_INTEGER},
                  {&a->nodes, "nodes", WS_INTEGER},
                  {&a->gpus, "gpus", WS_INTEGER},
                  {&a->energy, "energy_j", WS_NUMBER},
                  {&a->limit, "timelimit_s", WS_NUMBER}};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        if (!ws_table_find(t, wanted[i].name, wanted[i].place))
            *wanted[i].place = ws_table_add_column(t, wanted[i].name, wanted[i].kind);
}

static double number_of(const ws_table *t, const char *name, size_t row)
{
    size_t column;
    return ws_table_find(t, name, &column) ? ws_table_number(t, column, row) : NAN;
}

static void slurm_log_note(ws_table *t, size_t row, ws_finding finding, const char *text)
{
    ws_notes_add(&t->notes, finding, t->source, "", t->line[row], "%s", text);
}

static void set_count(ws_table *t, size_t column, size_t row, double value)
{
    if (value >= 0 && value < 1e9)
        ws_table_set_integer(t, column, row, (int64_t)value);
}

static void set_stamp(ws_table *t, size_t column, size_t row, double epoch_s)
{
    char text[WS_STAMP_TEXT];
    if (!(epoch_s > 0 && epoch_s < 7e9))
        return;
    ws_stamp_text(text, (int64_t)epoch_s * 1000000000);
    ws_table_set_text(t, column, row, text);
}

static void set_times(ws_table *t, const added *a, size_t row)
{
    double start = number_of(t, "time_start", row), end = number_of(t, "time_end", row),
           limit = number_of(t, "timelimit", row);
    set_stamp(t, a->start, row, start);
    set_stamp(t, a->end, row, end);
    if (start > 0 && end >= start)
        ws_table_set_number(t, a->elapsed, row, end - start);
    if (limit >= 0 && limit < 4294967294.0)
        ws_table_set_number(t, a->limit, row, limit * 60);
}

static void set_resources(ws_table *t, const added *a, size_t row)
{
    size_t column;
    char buffer[WS_DOUBLE_TEXT];
    ws_table_find(t, "tres_alloc", &column);
    slurm_tres tres = parse_tres(ws_span_of(ws_table_cell_text(t, column, row, buffer)));
    double nodes = number_of(t, "nodes_alloc", row);
    set_count(t, a->cpus, row, tres.cpus);
    set_count(t, a->gpus, row, tres.gpus);
    set_count(t, a->nodes, row, isnan(nodes) ? tres.nodes : nodes);
    if (tres.has_energy && tres.energy_j > 1e15)
        slurm_log_note(t, row, WS_FINDING_ENERGY_SENTINEL, "the energy is Slurm's sign for 'not known'");
    else if (tres.energy_j > 0)
        ws_table_set_number(t, a->energy, row, tres.energy_j);
    else if (tres.has_energy)
        slurm_log_note(t, row, WS_FINDING_ZERO_ENERGY, "the node reported no energy, which is missing and not zero");
}

/* An id that went through a floating-point number has lost its last digits. */
static void set_job(ws_table *t, const added *a, size_t row)
{
    size_t column;
    char buffer[WS_DOUBLE_TEXT];
    ws_table_find(t, "id_job", &column);
    ws_table_set_text(t, a->job, row, ws_table_cell_text(t, column, row, buffer));
    if (t->columns[column].kind == WS_NUMBER && !ws_table_is_missing(t, column, row))
        slurm_log_note(t, row, WS_FINDING_ROUNDED_ID,
                       "the job's id is written as a floating-point number: it may have lost digits");
    double state = number_of(t, "state", row);
    if (state >= 0 && state < (double)(sizeof states / sizeof *states))
        ws_table_set_text(t, a->state, row, states[(size_t)state]);
}

static ws_status read_slurm_log(ws_input *input, const ws_read_options *options, ws_table *table, ws_error *error)
{
    added a;
    ws_status status = ws_table_csv_read(input, options, table, error);
    size_t place;
    for (const char *const *name = must; *name && status == WS_OK; name++)
        if (!ws_table_find(table, *name, &place))
            status = ws_fail_at(error, WS_FORMAT, table->source, 1, "has no column '%s'", *name);
    if (status != WS_OK)
        return status;
    add_columns(table, &a);
    for (size_t row = 0; row < table->n_rows; row++) {
        set_job(table, &a, row);
        set_times(table, &a, row);
        set_resources(table, &a, row);
    }
    return WS_OK;
}

static int score_slurm_log(const char *path, ws_span head)
{
    (void)path;
    return ws_table_csv_has(head, must) ? 94 : 0;
}

const ws_format ws_format_slurm_log = {
    .name = "slurm-log",
    .title = "job table of Slurm's database, as slurm-log.csv of MIT SuperCloud",
    .example = "id_job,nodes_alloc,nodelist,state,timelimit,time_submit,time_start,time_end,tres_alloc",
    .is_record = true,
    .tier = 3,
    .tried = WS_TRIED_REAL,
    .score = score_slurm_log,
    .read_table = read_slurm_log,
};
