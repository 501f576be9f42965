/* Spreadsheets end in a row that is no run:
 *
 *   run,gpus,wall_s,energy_kwh
 *   a,4,4200,1.4
 *   b,4,2100,0.7
 *   TOTAL,,6300,2.1
 *
 * Its name alone proves nothing ("all" and "mean" may be workloads): its numbers do. */
#include "analyze/ingest/summary_rows.h"

#include "analyze/ingest/run_columns.h"
#include "core/energy_status.h"
#include "core/sample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of a sum or mean that was printed with few digits. Ours. */
#define ROUNDED 0.02

/* How closely a last row without a word for it has to agree with the sums of times and of energies above it: to so many
 * digits no run takes what three others take together. Ours. */
#define EXACT 1e-4
enum { LEAST_ROWS = 3 };

typedef enum summary { NO_SUMMARY, SUM, MEAN, SPREAD } summary;

static summary kind_of(const ws_table *runs, size_t row)
{
    static const struct {
        const char *name;
        summary kind;
    } words[] = {{"total", SUM},     {"sum", SUM},    {"totals", SUM}, {"mean", MEAN},    {"average", MEAN},
                 {"avg", MEAN},      {"std", SPREAD}, {"sd", SPREAD},  {"stdev", SPREAD}, {"stddev", SPREAD},
                 {"median", SPREAD}, {"min", SPREAD}, {"max", SPREAD}};
    const char *name = runs->columns[WS_COL_RUN].text[row];
    for (size_t i = 0; name && i < sizeof words / sizeof *words; i++)
        if (ws_span_eq_nocase(ws_span_of(name), words[i].name))
            return words[i].kind;
    return NO_SUMMARY;
}

/* How many sums, or means, of the first n rows the row holds; 0 where some time or energy that it has is none. */
static size_t count_sums(const ws_table *runs, size_t row, size_t n, summary kind, double rounded)
{
    static const ws_run_column columns[] = {WS_COL_WALL, WS_COL_ENERGY, WS_COL_ENERGY_GPU, WS_COL_ENERGY_CPU};
    size_t proofs = 0;
    for (size_t c = 0; c < sizeof columns / sizeof *columns; c++) {
        double sum = 0, value = ws_runs_get(runs, columns[c], row);
        size_t values = 0;
        for (size_t i = 0; i < n; i++) {
            double one = ws_runs_get(runs, columns[c], i);
            sum += isnan(one) ? 0 : one;
            values += isnan(one) ? 0 : 1;
        }
        double want = kind == MEAN ? sum / (double)values : sum;
        if (isnan(value) || !values)
            continue;
        if (fabs(value - want) > rounded * fabs(want))
            return 0;
        proofs += want > 0;
    }
    return proofs;
}

static bool sums_up(const ws_table *runs, size_t row, size_t n, summary kind)
{
    return count_sums(runs, row, n, kind, ROUNDED) > 0;
}

/* "_runnext" below the sections of a public profile of a program. */
static bool is_nameless_sum(const ws_table *runs, size_t row)
{
    bool has_time = ws_runs_get(runs, WS_COL_WALL, row) > 0, has_energy = ws_runs_get(runs, WS_COL_ENERGY, row) > 0;
    return row >= LEAST_ROWS && has_time && has_energy && count_sums(runs, row, row, SUM, EXACT) >= 2;
}

static void drop_nameless_sum(ws_table *runs)
{
    size_t last = runs->n_rows - 1;
    bool *keep = ws_alloc(runs->n_rows * sizeof *keep);
    for (size_t row = 0; row < runs->n_rows; row++)
        keep[row] = row != last;
    ws_notes_add(&runs->notes, WS_FINDING_TOTAL_ROW, runs->source, "", runs->line ? runs->line[last] : 0,
                 "the time and the energies of the last row are the sums of those above it: it is no run");
    ws_table_filter(runs, keep);
    free(keep);
}

void ws_drop_summary_rows(ws_table *runs)
{
    size_t n = runs->n_rows;
    bool is_proven = false;
    while (n > 0 && kind_of(runs, n - 1) != NO_SUMMARY)
        n--;
    for (size_t row = n; n >= 2 && row < runs->n_rows; row++) {
        summary kind = kind_of(runs, row);
        is_proven |= kind != SPREAD && sums_up(runs, row, n, kind);
    }
    if (n && n == runs->n_rows && is_nameless_sum(runs, n - 1))
        drop_nameless_sum(runs);
    if (!is_proven)
        return;
    bool *keep = ws_alloc(runs->n_rows * sizeof *keep);
    for (size_t row = 0; row < runs->n_rows; row++) {
        summary kind = row < n ? NO_SUMMARY : kind_of(runs, row);
        keep[row] = kind == NO_SUMMARY || (kind != SPREAD && !sums_up(runs, row, n, kind));
        if (!keep[row])
            ws_notes_add(&runs->notes, WS_FINDING_TOTAL_ROW, runs->source, runs->columns[WS_COL_RUN].text[row],
                         runs->line ? runs->line[row] : 0, "the row '%s' sums up those above it and is no run",
                         runs->columns[WS_COL_RUN].text[row]);
    }
    ws_table_filter(runs, keep);
    free(keep);
}

/* --- parts of a run: "job,node,energy_j,time_s" --- */

/* Parts of a run begin and end together. Ours. */
#define TOGETHER 0.05
enum { MOST_ROWS_OF_PARTS = 4096 }; /* each is held against each */

static const ws_run_column energies[] = {WS_COL_ENERGY, WS_COL_ENERGY_GPU, WS_COL_ENERGY_CPU, WS_COL_ENERGY_DRAM};
enum { ENERGIES = sizeof energies / sizeof *energies };

static bool is_one_of(const char *name, const char *const *names, size_t n)
{
    char buffer[WS_PLAIN_NAME];
    ws_span plain = name ? ws_plain_name(buffer, ws_span_of(name)) : (ws_span){0};
    for (size_t i = 0; i < n; i++)
        if (ws_span_eq_nocase(plain, names[i]))
            return true;
    return false;
}

static bool names_part(const char *name)
{
    static const char *const parts[] = {"rank",   "local_rank", "global_rank", "mpi_rank", "node_id",  "node_rank",
                                        "gpu_id", "node",       "host",        "hostname", "nodename", "node_name"};
    return is_one_of(name, parts, sizeof parts / sizeof *parts);
}

/* The first row of the same run; the row itself where it is the first, or has no name. */
static size_t first_of_run(const ws_table *runs, size_t row)
{
    const char *name = runs->columns[WS_COL_RUN].text[row];
    for (size_t i = 0; name && i < row; i++)
        if (runs->columns[WS_COL_RUN].text[i] && strcmp(runs->columns[WS_COL_RUN].text[i], name) == 0)
            return i;
    return row;
}

static bool is_same_cell(const ws_table *runs, size_t column, size_t a, size_t b)
{
    char one[WS_DOUBLE_TEXT], other[WS_DOUBLE_TEXT];
    return strcmp(ws_table_cell_text(runs, column, a, one), ws_table_cell_text(runs, column, b, other)) == 0;
}

static bool is_together(const ws_table *runs, size_t a, size_t b)
{
    double one = ws_runs_get(runs, WS_COL_WALL, a), other = ws_runs_get(runs, WS_COL_WALL, b);
    return isnan(one) || isnan(other) ? isnan(one) && isnan(other) : fabs(one - other) <= TOGETHER * fmax(one, other);
}

/* Rows of one run take the same time and never have the same cell in the column. */
static bool are_parts(const ws_table *runs, const size_t *first, size_t column)
{
    bool any = false;
    for (size_t row = 0; row < runs->n_rows; row++) {
        for (size_t i = first[row]; i < row; i++)
            if (first[i] == first[row] && (!is_together(runs, i, row) || is_same_cell(runs, column, i, row)))
                return false;
        any |= first[row] != row;
    }
    return any;
}

static bool has_other_energy(const ws_table *runs, size_t a, size_t b)
{
    for (size_t e = 0; e < ENERGIES; e++)
        if (fabs(ws_runs_get(runs, energies[e], a) - ws_runs_get(runs, energies[e], b)) > 0)
            return true;
    return false;
}

static bool is_time_or_energy(size_t column)
{
    bool is = column == WS_COL_WALL;
    for (size_t e = 0; e < ENERGIES; e++)
        is |= column == (size_t)energies[e];
    return is;
}

/* A job is one run whatever rows say of it, and a named node has an energy of its own, unless the job's stands in each
 * row. Other numbers (GPUs, samples) may be the job's or the node's. */
static bool are_nodes_of_jobs(const ws_table *runs, const size_t *first, size_t column)
{
    static const char *const nodes[] = {"node", "host", "hostname", "nodename", "node_name"};
    static const char *const jobs[] = {"job", "job_id", "jobid", "slurm_job_id", "slurm_jobid"};
    if (!is_one_of(runs->columns[column].name, nodes, sizeof nodes / sizeof *nodes) ||
        !is_one_of(runs->columns[WS_COL_RUN].alias, jobs, sizeof jobs / sizeof *jobs))
        return false;
    for (size_t c = 0; c < WS_RUN_COLUMN_N; c++)
        if (runs->columns[c].kind != WS_TEXT && !is_time_or_energy(c) && ws_table_has_values(runs, c))
            return false;
    for (size_t row = 0; row < runs->n_rows; row++)
        for (size_t i = first[row]; i < row; i++)
            if (first[i] == first[row] && !has_other_energy(runs, i, row))
                return false;
    return true;
}

/* What one row says and the other does not is missing in their sum. */
static void add_part(ws_table *runs, size_t to, size_t from)
{
    for (size_t c = 0; c < runs->n_columns; c++) {
        if (is_time_or_energy(c) || is_same_cell(runs, c, to, from))
            continue;
        if (runs->columns[c].kind == WS_TEXT)
            ws_table_set_span(runs, c, to, (ws_span){0});
        else
            ws_table_set_number(runs, c, to, NAN);
    }
    for (size_t e = 0; e < ENERGIES; e++)
        ws_runs_set(runs, energies[e], to, ws_runs_get(runs, energies[e], to) + ws_runs_get(runs, energies[e], from));
    ws_runs_set(runs, WS_COL_WALL, to, fmax(ws_runs_get(runs, WS_COL_WALL, to), ws_runs_get(runs, WS_COL_WALL, from)));
}

static void join_nodes(ws_table *runs, const size_t *first, size_t column)
{
    bool *keep = ws_alloc(runs->n_rows * sizeof *keep);
    double *nodes = ws_alloc(runs->n_rows * sizeof *nodes);
    for (size_t row = 0; row < runs->n_rows; row++) {
        keep[row] = first[row] == row;
        nodes[first[row]]++;
        if (!keep[row])
            add_part(runs, first[row], row);
    }
    for (size_t row = 0; row < runs->n_rows; row++)
        ws_runs_set(runs, WS_COL_NODES, row, nodes[row]);
    ws_notes_add(&runs->notes, WS_FINDING_COLUMN_TAKEN, runs->source, "nodes", 0,
                 "rows of one job and one time differ in '%s': a run has the sum of their energies and as many nodes",
                 runs->columns[column].name);
    ws_table_filter(runs, keep);
    free(nodes);
    free(keep);
}

static void ask_of_parts(ws_table *runs, const size_t *first, size_t column)
{
    for (size_t row = 0; row < runs->n_rows; row++) {
        if (first[row] == row)
            continue;
        ws_notes_add(
            &runs->notes, WS_FINDING_ASK_NODES, runs->source, "", 0,
            "rows of one run and one time differ in '%s': they may be parts of it, whose energies add up, or runs of "
            "their own: --set nodes=1 says that each is a run, a table with a row for each run that they are "
            "parts",
            runs->columns[column].name);
        for (size_t i = 0; i < 2; i++) {
            size_t asked = i ? row : first[row];
            ws_table_set_text(runs, WS_COL_STATUS, asked, ws_energy_status_name(WS_STATUS_ASK_NODES));
            for (size_t e = 0; e < ENERGIES; e++)
                ws_runs_set(runs, energies[e], asked, NAN);
        }
    }
}

void ws_settle_parts(ws_table *runs, const ws_fields *defaults)
{
    if (runs->n_rows > MOST_ROWS_OF_PARTS || ws_fields_get(defaults, "nodes"))
        return;
    size_t *first = ws_alloc((runs->n_rows + 1) * sizeof *first);
    for (size_t row = 0; row < runs->n_rows; row++)
        first[row] = first_of_run(runs, row);
    for (size_t c = 0; c < runs->n_columns; c++) {
        if (names_part(runs->columns[c].name) && are_parts(runs, first, c)) {
            if (are_nodes_of_jobs(runs, first, c))
                join_nodes(runs, first, c);
            else
                ask_of_parts(runs, first, c);
            break;
        }
    }
    free(first);
}
