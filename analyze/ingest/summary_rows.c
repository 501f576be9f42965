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
#include "analyze/same_rows.h"
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

/* A GPU by its number; "gpu" and "device" may be models. */
static bool names_gpu(const ws_table *runs, size_t column)
{
    static const char *const numbers[] = {"gpu_id", "gpuid", "gpu_index", "gpu_idx", "device_id", "device_index"};
    static const char *const models[] = {"gpu", "cuda", "card"};
    const char *name = runs->columns[column].name;
    return is_one_of(name, numbers, sizeof numbers / sizeof *numbers) ||
           (runs->columns[column].kind != WS_TEXT && is_one_of(name, models, sizeof models / sizeof *models));
}

static bool names_node(const char *name)
{
    static const char *const nodes[] = {"node", "host", "hostname", "nodename", "node_name"};
    return is_one_of(name, nodes, sizeof nodes / sizeof *nodes);
}

static bool names_part(const ws_table *runs, size_t column)
{
    static const char *const parts[] = {"rank", "local_rank", "global_rank", "mpi_rank", "node_id", "node_rank"};
    const char *name = runs->columns[column].name;
    return is_one_of(name, parts, sizeof parts / sizeof *parts) || names_node(name) || names_gpu(runs, column);
}

/* The column that says which run a row is of: `run`, else one that is called an experiment. */
static size_t find_key(const ws_table *runs)
{
    static const char *const names[] = {"experiment", "experiment_id", "experiment_name", "exp", "exp_id", "exp_name"};
    if (ws_table_has_values(runs, WS_COL_RUN))
        return WS_COL_RUN;
    for (size_t c = WS_RUN_COLUMN_N; c < runs->n_columns; c++)
        if (is_one_of(runs->columns[c].name, names, sizeof names / sizeof *names))
            return c;
    return WS_COL_RUN;
}

/* Rows by their run. */
typedef struct rows_of_runs {
    size_t key;
    size_t *first; /* the first row of the same run; the row itself where it is the first, or has no name */
    bool any;      /* some run has several rows */
} rows_of_runs;

static rows_of_runs rows_of_runs_in(const ws_table *runs)
{
    rows_of_runs r = {.key = find_key(runs), .first = ws_alloc((runs->n_rows + 1) * sizeof *r.first)};
    ws_same_rows index;
    ws_same_rows_init(&index, runs, &r.key, 1);
    for (size_t row = 0; row < runs->n_rows; row++) {
        r.first[row] = ws_table_is_missing(runs, r.key, row) ? row : ws_same_rows_first(&index, row);
        r.any |= r.first[row] != row;
    }
    ws_same_rows_free(&index);
    return r;
}

/* No two rows of a run say the same in these columns. */
static bool differ_in(const ws_table *runs, const rows_of_runs *r, const size_t *columns, size_t n)
{
    ws_same_rows index;
    bool differ = true;
    ws_same_rows_init(&index, runs, columns, n);
    for (size_t row = 0; row < runs->n_rows && differ; row++)
        differ = ws_table_is_missing(runs, r->key, row) || ws_same_rows_first(&index, row) == row;
    ws_same_rows_free(&index);
    return differ;
}

/* Rows of one run take the same time, or none says one. */
static bool are_together(const ws_table *runs, const rows_of_runs *r)
{
    double *least = ws_alloc((runs->n_rows + 1) * sizeof *least), *most = ws_alloc((runs->n_rows + 1) * sizeof *most);
    bool are = true;
    for (size_t row = 0; row < runs->n_rows && are; row++) {
        size_t first = r->first[row];
        double wall_s = ws_runs_get(runs, WS_COL_WALL, row);
        least[first] = first == row ? wall_s : fmin(least[first], wall_s);
        most[first] = first == row ? wall_s : fmax(most[first], wall_s);
        are = isnan(wall_s) == isnan(ws_runs_get(runs, WS_COL_WALL, first)) &&
              !(most[first] - least[first] > TOGETHER * most[first]);
    }
    free(least);
    free(most);
    return are;
}

/* A rank may be a setting (of an adapter, of a matrix) and "gpu" a number of GPUs, but none of these is 0. */
static bool may_be_setting(const ws_table *runs, size_t column)
{
    static const char *const names[] = {"rank", "gpu", "cuda", "card"};
    bool may_be = is_one_of(runs->columns[column].name, names, sizeof names / sizeof *names);
    for (size_t row = 0; row < runs->n_rows && may_be; row++)
        may_be = ws_table_cell_number(runs, column, row) != 0;
    return may_be;
}

/* Rows of one run never have the same cell in the column. */
static bool are_parts(const ws_table *runs, const rows_of_runs *r, size_t column)
{
    const size_t columns[] = {r->key, column};
    return r->any && differ_in(runs, r, columns, 2) && (!may_be_setting(runs, column) || are_together(runs, r));
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
static bool are_nodes_of_jobs(const ws_table *runs, const rows_of_runs *r, size_t column)
{
    static const char *const jobs[] = {"job", "job_id", "jobid", "slurm_job_id", "slurm_jobid"};
    size_t columns[ENERGIES + 1] = {r->key};
    if (!names_node(runs->columns[column].name) || r->key != WS_COL_RUN || !are_together(runs, r) ||
        !is_one_of(runs->columns[WS_COL_RUN].alias, jobs, sizeof jobs / sizeof *jobs))
        return false;
    for (size_t c = 0; c < WS_RUN_COLUMN_N; c++)
        if (runs->columns[c].kind != WS_TEXT && !is_time_or_energy(c) && ws_table_has_values(runs, c))
            return false;
    for (size_t e = 0; e < ENERGIES; e++)
        columns[e + 1] = energies[e];
    return differ_in(runs, r, columns, ENERGIES + 1);
}

/* What one row says and the other does not is missing in their sum. */
static void add_part(ws_table *runs, size_t to, size_t from)
{
    for (size_t c = 0; c < runs->n_columns; c++) {
        if (is_time_or_energy(c) || ws_same_cell(runs, c, to, from))
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

/* Counts in each row may be those of a part or of its run: only where parts are GPUs and rows say one or nothing, they
 * are counted. */
static void settle_counts(ws_table *runs, size_t row, size_t column, size_t parts, bool gpus_are_said)
{
    double gpus = ws_runs_get(runs, WS_COL_GPUS, row);
    if (names_node(runs->columns[column].name))
        ws_runs_set(runs, WS_COL_NODES, row, (double)parts);
    if (gpus_are_said || parts < 2)
        return;
    bool is_counted = names_gpu(runs, column) && (isnan(gpus) || gpus == 1 || gpus == (double)parts);
    if (!is_counted && !isnan(gpus))
        ws_notes_add(&runs->notes, WS_FINDING_COLUMN_SET_ASIDE, runs->source, "gpus", 0,
                     "'gpus' beside '%s' may be those of a part or of its run and is left out: --columns gpus=gpus "
                     "says that they are the run's%s",
                     runs->columns[column].name,
                     names_node(runs->columns[column].name) ? ", gpus_per_node=gpus that they are a node's" : "");
    ws_runs_set(runs, WS_COL_GPUS, row, is_counted ? (double)parts : NAN);
    ws_runs_set(runs, WS_COL_GPU_H, row, NAN);
}

static void join_parts(ws_table *runs, const rows_of_runs *r, size_t column, bool gpus_are_said)
{
    bool *keep = ws_alloc((runs->n_rows + 1) * sizeof *keep);
    size_t *parts = ws_alloc((runs->n_rows + 1) * sizeof *parts);
    for (size_t row = 0; row < runs->n_rows; row++) {
        keep[row] = r->first[row] == row;
        parts[r->first[row]]++;
        if (!keep[row])
            add_part(runs, r->first[row], row);
    }
    for (size_t row = 0; row < runs->n_rows; row++)
        if (keep[row])
            settle_counts(runs, row, column, parts[row], gpus_are_said);
    ws_notes_add(
        &runs->notes, WS_FINDING_COLUMN_TAKEN, runs->source, names_node(runs->columns[column].name) ? "nodes" : "", 0,
        "rows of one run differ in '%s' and are its parts: it has the sum of their energies and the longest time",
        runs->columns[column].name);
    ws_table_filter(runs, keep);
    free(parts);
    free(keep);
}

/* The energy of the row stays empty until the user says what it is. */
static void ask_of_row(ws_table *runs, size_t row, ws_energy_status question)
{
    ws_table_set_text(runs, WS_COL_STATUS, row, ws_energy_status_name(question));
    for (size_t e = 0; e < ENERGIES; e++)
        ws_runs_set(runs, energies[e], row, NAN);
}

static void ask_of_parts(ws_table *runs, const rows_of_runs *r, size_t column)
{
    for (size_t row = 0; row < runs->n_rows; row++) {
        if (r->first[row] == row)
            continue;
        ws_notes_add(
            &runs->notes, WS_FINDING_ASK_NODES, runs->source, "", 0,
            "rows of one run differ in '%s': they may be parts of it, whose energies add up, or runs of their own: "
            "--columns part=%s says that they are parts, --set nodes=1 that each is a run",
            runs->columns[column].name, runs->columns[column].name);
        ask_of_row(runs, r->first[row], WS_STATUS_ASK_NODES);
        ask_of_row(runs, row, WS_STATUS_ASK_NODES);
    }
}

/* --- rows of a log: "model,gpus,epoch,time_s,energy_kwh" --- */

static bool names_epoch(const char *name)
{
    static const char *const names[] = {"epoch",    "epoch_id",  "epoch_idx",   "epoch_index",
                                        "epoch_no", "epoch_num", "epoch_number"};
    return is_one_of(name, names, sizeof names / sizeof *names);
}

/* Iterations and steps are of a training, or repeats of what was measured. */
static bool counts_progress(const ws_table *runs, size_t column)
{
    static const char *const names[] = {"iteration", "iter", "step", "global_step"};
    const char *name = runs->columns[column].name;
    return runs->columns[column].kind != WS_TEXT &&
           (names_epoch(name) || is_one_of(name, names, sizeof names / sizeof *names));
}

/* Texts of which each row has another one, as dates, tell no runs apart. */
static bool comes_again(const ws_table *runs, size_t column)
{
    ws_same_rows index;
    ws_same_rows_init(&index, runs, &column, 1);
    bool comes = false;
    for (size_t row = 0; row < runs->n_rows && !comes; row++)
        comes = ws_same_rows_first(&index, row) != row;
    ws_same_rows_free(&index);
    return comes;
}

/* Rows that agree in all that tells runs apart, but for the column. */
static rows_of_runs rows_of_settings(const ws_table *runs, size_t but)
{
    static const ws_run_column known[] = {WS_COL_SERIES,    WS_COL_REPEAT,   WS_COL_MODEL,           WS_COL_MODEL_CLASS,
                                          WS_COL_DEVICE,    WS_COL_GPUS,     WS_COL_NODES,           WS_COL_LBS,
                                          WS_COL_GBS,       WS_COL_EPOCHS,   WS_COL_DATASET_SAMPLES, WS_COL_WORKLOAD,
                                          WS_COL_POWER_CAP, WS_COL_CLOCK_CAP};
    rows_of_runs r = {.key = find_key(runs), .first = ws_alloc((runs->n_rows + 1) * sizeof *r.first)};
    size_t *columns = ws_alloc((runs->n_columns + 1) * sizeof *columns), n = 0;
    for (size_t c = 0; c < runs->n_columns; c++) {
        bool is_own_text = c >= WS_RUN_COLUMN_N && runs->columns[c].kind == WS_TEXT;
        bool is_setting = c == r.key || (is_own_text && comes_again(runs, c));
        for (size_t k = 0; k < sizeof known / sizeof *known; k++)
            is_setting |= c == (size_t)known[k];
        if (is_setting && c != but)
            columns[n++] = c;
    }
    ws_same_rows index;
    ws_same_rows_init(&index, runs, columns, n);
    for (size_t row = 0; row < runs->n_rows; row++) {
        r.first[row] = ws_same_rows_first(&index, row);
        r.any |= r.first[row] != row;
    }
    ws_same_rows_free(&index);
    free(columns);
    return r;
}

/* In the rows of each run, three at least of one of them, the column rises by the same step from row to row. */
static bool counts_up_in_runs(const ws_table *runs, const rows_of_runs *r, size_t column)
{
    size_t *n = ws_alloc((runs->n_rows + 1) * sizeof *n), most = 0;
    double *last = ws_alloc((runs->n_rows + 1) * sizeof *last), *step = ws_alloc((runs->n_rows + 1) * sizeof *step);
    bool counts = true;
    for (size_t row = 0; row < runs->n_rows && counts; row++) {
        size_t first = r->first[row];
        double number = ws_table_cell_number(runs, column, row), rise = number - last[first];
        counts = n[first] == 0 ? !isnan(number) : rise > 0 && (n[first] == 1 || rise == step[first]);
        step[first] = rise, last[first] = number;
        most = ++n[first] > most ? n[first] : most;
    }
    free(n);
    free(last);
    free(step);
    return counts && most >= LEAST_ROWS;
}

/* Do the energies of each run rise from row to row, as totals so far do, to half as many times the first as there are
 * rows at least? */
static bool are_totals(const ws_table *runs, const rows_of_runs *r, ws_run_column energy)
{
    size_t *n = ws_alloc((runs->n_rows + 1) * sizeof *n);
    double *last = ws_alloc((runs->n_rows + 1) * sizeof *last);
    bool are = true;
    for (size_t row = 0; row < runs->n_rows && are; row++) {
        size_t first = r->first[row];
        double joules = ws_runs_get(runs, energy, row);
        are = first == row || joules > last[first];
        last[first] = joules;
        n[first]++;
    }
    for (size_t row = 0; row < runs->n_rows && are; row++)
        are = n[row] < LEAST_ROWS || 2 * last[row] >= (double)n[row] * ws_runs_get(runs, energy, row);
    free(n);
    free(last);
    return are;
}

static bool may_be_of_one_run(const ws_table *runs, const rows_of_runs *r, size_t column)
{
    bool any_totals = names_epoch(runs->columns[column].name);
    for (size_t e = 0; e < ENERGIES; e++)
        any_totals |= ws_table_has_values(runs, energies[e]) && are_totals(runs, r, energies[e]);
    return r->any && any_totals && counts_up_in_runs(runs, r, column);
}

static bool has_energies(const ws_table *runs)
{
    bool has = false;
    for (size_t e = 0; e < ENERGIES; e++)
        has |= ws_table_has_values(runs, energies[e]);
    return has;
}

/* The first row of each run gets the sum of all, one after the other; or the last row is the run. */
static void join_progress(ws_table *runs, const rows_of_runs *r, size_t column, bool is_last)
{
    bool *keep = ws_alloc((runs->n_rows + 1) * sizeof *keep);
    size_t *last = ws_alloc((runs->n_rows + 1) * sizeof *last);
    for (size_t row = 0; row < runs->n_rows; row++) {
        size_t first = r->first[row];
        double wall_s = ws_runs_get(runs, WS_COL_WALL, first) + ws_runs_get(runs, WS_COL_WALL, row);
        last[first] = row;
        if (is_last || first == row)
            continue;
        add_part(runs, first, row);
        ws_runs_set(runs, WS_COL_WALL, first, wall_s);
    }
    for (size_t row = 0; row < runs->n_rows; row++)
        keep[row] = row == (is_last ? last[r->first[row]] : r->first[row]);
    ws_notes_add(
        &runs->notes, WS_FINDING_COLUMN_TAKEN, runs->source, "", 0,
        is_last ? "of the rows of a run that differ in '%s' the last one counts"
                : "rows of a run that differ in '%s' follow each other: it has the sum of their times and energies",
        runs->columns[column].name);
    ws_table_filter(runs, keep);
    free(last);
    free(keep);
}

static void ask_of_progress(ws_table *runs, const rows_of_runs *r, size_t column)
{
    const char *name = runs->columns[column].name;
    size_t n = 0;
    for (size_t row = 0; row < runs->n_rows; row++) {
        if (r->first[row] == row)
            continue;
        n += ws_table_is_missing(runs, WS_COL_STATUS, r->first[row]) ? 2 : 1; /* the first row, too */
        ask_of_row(runs, r->first[row], WS_STATUS_ASK_ROWS);
        ask_of_row(runs, row, WS_STATUS_ASK_ROWS);
    }
    ws_notes_add_many(&runs->notes, n, WS_FINDING_ASK_ROWS, runs->source, name, 0,
                      "'%s' counts up in rows that agree in all settings: they may be the totals of a run so far, its "
                      "parts one after the other, or runs of their own: --columns last=%s, part=%s or repeat=%s says "
                      "which",
                      name, name, name, name);
}

void ws_settle_progress(ws_table *runs, const ws_told_rows *rows)
{
    const char *told = rows->last ? rows->last : rows->part;
    for (size_t c = 0; c < runs->n_columns && has_energies(runs); c++) {
        bool is_told = told && strcmp(runs->columns[c].name, told) == 0 && (rows->last || counts_progress(runs, c));
        if (!is_told && (told || !counts_progress(runs, c)))
            continue;
        rows_of_runs r = rows_of_settings(runs, c);
        bool is_progress = may_be_of_one_run(runs, &r, c);
        if (is_told && r.any)
            join_progress(runs, &r, c, rows->last != NULL);
        else if (is_progress)
            ask_of_progress(runs, &r, c);
        free(r.first);
        if (is_told || is_progress)
            return;
    }
}

/* --- totals of runs: "experiment,phase,time_s,energy_j" with a phase "total" --- */

static bool says_total(const ws_table *runs, size_t row)
{
    static const char *const words[] = {"total", "sum", "all", "overall", "whole"};
    for (size_t c = WS_RUN_COLUMN_N; c < runs->n_columns; c++)
        if (runs->columns[c].kind == WS_TEXT && is_one_of(runs->columns[c].text[row], words, 5))
            return true;
    return false;
}

/* The columns that a total sums up, of the rows of each run that are none. */
typedef struct sums_of_runs {
    double *sum[ENERGIES + 1];
    size_t *parts;
} sums_of_runs;

static ws_run_column summed_column(size_t i)
{
    return i ? energies[i - 1] : WS_COL_WALL;
}

static sums_of_runs sum_runs(const ws_table *runs, const rows_of_runs *r)
{
    sums_of_runs s = {.parts = ws_alloc((runs->n_rows + 1) * sizeof *s.parts)};
    for (size_t i = 0; i <= ENERGIES; i++)
        s.sum[i] = ws_alloc((runs->n_rows + 1) * sizeof *s.sum[i]);
    for (size_t row = 0; row < runs->n_rows; row++) {
        size_t first = r->first[row];
        if (says_total(runs, row))
            continue;
        s.parts[first]++;
        for (size_t i = 0; i <= ENERGIES; i++) {
            double value = ws_runs_get(runs, summed_column(i), row);
            s.sum[i][first] += isnan(value) ? 0 : value;
        }
    }
    return s;
}

static bool is_total_of_run(const ws_table *runs, const rows_of_runs *r, const sums_of_runs *s, size_t row)
{
    size_t first = r->first[row], proofs = 0;
    for (size_t i = 0; i <= ENERGIES; i++) {
        double value = ws_runs_get(runs, summed_column(i), row), want = s->sum[i][first];
        if (isnan(value))
            continue;
        if (fabs(value - want) > ROUNDED * want)
            return false;
        proofs += i && want > 0;
    }
    return s->parts[first] > 1 && proofs;
}

void ws_drop_totals_of_runs(ws_table *runs)
{
    rows_of_runs r = rows_of_runs_in(runs);
    sums_of_runs s = sum_runs(runs, &r);
    bool *keep = ws_alloc((runs->n_rows + 1) * sizeof *keep), any = false;
    for (size_t row = 0; row < runs->n_rows; row++) {
        keep[row] = !says_total(runs, row) || !is_total_of_run(runs, &r, &s, row);
        any |= !keep[row];
        if (!keep[row])
            ws_notes_add(&runs->notes, WS_FINDING_TOTAL_ROW, runs->source, "", runs->line ? runs->line[row] : 0,
                         "a row that says 'total' sums up the others of its %s and is left out",
                         runs->columns[r.key].name);
    }
    if (any)
        ws_table_filter(runs, keep);
    free(keep);
    free(s.parts);
    for (size_t i = 0; i <= ENERGIES; i++)
        free(s.sum[i]);
    free(r.first);
}

/* --- counts of a node --- */

/* "total_gpus", "world_size": names that say whose GPUs they count. */
static bool says_gpus_of_run(const char *name)
{
    char plain[WS_PLAIN_NAME];
    ws_span words = ws_plain_name(plain, ws_span_of(name));
    return ws_span_contains(words, "total") || ws_span_contains(words, "all") || ws_span_contains(words, "world");
}

/* No node of a run is without a GPU where others have some. */
static size_t count_fewer_than_nodes(const ws_table *raw, size_t gpus, size_t nodes)
{
    size_t fewer = 0;
    for (size_t row = 0; row < raw->n_rows; row++) {
        double n = ws_table_cell_number(raw, gpus, row);
        fewer += n > 0 && n < ws_table_cell_number(raw, nodes, row);
    }
    return fewer;
}

/* The number of GPUs is the same whatever the number of nodes, beyond one node: 1, 2, 4 GPUs on one, 4 on two and on
 * four. It may count those of a node as well as those of a run that was spread. */
static bool stays_as_nodes_grow(const ws_table *raw, size_t gpus, size_t nodes)
{
    double on_one = 0, on_many = NAN, few = INFINITY, many = 0;
    for (size_t row = 0; row < raw->n_rows; row++) {
        double n = ws_table_cell_number(raw, gpus, row), on = ws_table_cell_number(raw, nodes, row);
        if (!(n > 0) || !(on >= 1))
            continue;
        few = fmin(few, on), many = fmax(many, on);
        if (on > 1 && !isnan(on_many) && n != on_many)
            return false;
        on_one = on > 1 ? on_one : fmax(on_one, n);
        on_many = on > 1 ? n : on_many;
    }
    return many > few && (on_one == 0 || on_one == on_many);
}

/* "ntasks" of a program that starts one task a node, as torchrun does, counts nodes. */
static bool counts_nodes(const ws_table *raw, size_t gpus, size_t nodes)
{
    char plain[WS_PLAIN_NAME];
    double many = 1;
    if (!ws_span_eq(ws_plain_name(plain, ws_span_of(raw->columns[gpus].name)), "ntasks"))
        return false;
    for (size_t row = 0; row < raw->n_rows; row++) {
        double n = ws_table_cell_number(raw, gpus, row), on = ws_table_cell_number(raw, nodes, row);
        if (n > 0 && on > 0 && n != on)
            return false;
        many = fmax(many, on);
    }
    return many > 1;
}

static size_t column_with(const ws_table *raw, const ws_column_meaning *meanings, ws_run_column column)
{
    size_t at = 0;
    while (at < raw->n_columns && meanings[at].column != column)
        at++;
    return at;
}

void ws_set_aside_gpus_of_nodes(const ws_table *raw, const bool *is_said, ws_column_meaning *meanings, ws_notes *notes)
{
    size_t gpus = column_with(raw, meanings, WS_COL_GPUS), nodes = column_with(raw, meanings, WS_COL_NODES);
    if (gpus == raw->n_columns || nodes == raw->n_columns || is_said[gpus])
        return;
    const char *name = raw->columns[gpus].name;
    size_t fewer = count_fewer_than_nodes(raw, gpus, nodes);
    bool is_of_nodes = counts_nodes(raw, gpus, nodes);
    if (!fewer && !is_of_nodes && (says_gpus_of_run(name) || !stays_as_nodes_grow(raw, gpus, nodes)))
        return;
    meanings[gpus] = (ws_column_meaning){.column = WS_RUN_COLUMN_N, .factor = 1, .is_set_aside = true};
    if (is_of_nodes) {
        ws_notes_add(notes, WS_FINDING_COLUMN_SET_ASIDE, raw->source, name, 0,
                     "'%s' is the number of nodes, each of which may have several GPUs, and is left out: --columns "
                     "gpus=%s says that they are the run's GPUs, a column gpus_per_node or gpus how many there are",
                     name, name);
        return;
    }
    ws_notes_add_many(notes, fewer ? fewer : 1, WS_FINDING_COLUMN_SET_ASIDE, raw->source, name, 0,
                      "'%s' says %s, as where it counts those of a node, and is left out: --columns gpus_per_node=%s "
                      "says so, gpus=%s that they are the run's",
                      name, fewer ? "fewer GPUs than the run has nodes" : "as many GPUs on several nodes as on fewer",
                      name, name);
}

void ws_settle_parts(ws_table *runs, const ws_fields *defaults, const ws_told_rows *rows, bool gpus_are_said)
{
    size_t stated;
    const char *part = rows->part;
    if (ws_fields_get(defaults, "nodes") && !part)
        return;
    rows_of_runs r = rows_of_runs_in(runs);
    if (part && ws_table_find(runs, part, &stated) && !counts_progress(runs, stated)) {
        const size_t columns[] = {r.key, stated};
        if (r.any && differ_in(runs, &r, columns, 2))
            join_parts(runs, &r, stated, gpus_are_said);
        else if (r.any)
            ask_of_parts(runs, &r, stated);
    }
    for (size_t c = 0; c < runs->n_columns && r.any && !part; c++) {
        if (names_part(runs, c) && are_parts(runs, &r, c)) {
            if (are_nodes_of_jobs(runs, &r, c))
                join_parts(runs, &r, c, false);
            else
                ask_of_parts(runs, &r, c);
            break;
        }
    }
    free(r.first);
}
