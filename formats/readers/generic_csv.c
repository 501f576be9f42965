/* Delimited traces of wrappers, loggers and meters, told by the names of their columns or by the user's map:
 *
 *   timestamp,GPU0,GPU1
 *   1763638585.215,199.975,256.513
 *
 *   DateTime;Voltage/V;Actual Consumption/W
 *   16/06/2020 09:59;227.3;0.0000
 *
 * Tables of runs look much alike: what has no time, or an elapsed time beside columns like "epochs", is left to others.
 */
#include "formats/table/trace_csv.h"

#include "core/arena.h"
#include "formats/table/trace_head.h"

enum { HEAD_LOOKED_AT = 16 * 1024 };

/* Names of tables that have a time and energies and are no traces. */
static const char *const never[] = {"emissions", "run_id", "window_name", "run id", "magnitude", "RDTSC"};
static const char *const run_words[] = {
    "gpus",     "n_gpus",     "num_gpus", "world_size", "nodes",
    "epochs",   "batch_size", "lbs",      "gbs",        "local_batch_size",
    "config",   "repeat",     "model",    "dataset",    "network",
    "accuracy", "job_id",     "jobid",    "seed",       "global_batch_size",
};

/* nvidia-smi --query-compute-apps: a row a process, whose memory is not that of the GPU. */
static const char *const process_words[] = {"pid", "process_name"};

static bool has_name_of(const ws_plan *plan, const char *const *names, size_t n)
{
    for (uint32_t c = 0; plan->header && c < plan->n_columns; c++)
        for (size_t i = 0; i < n; i++)
            if (ws_eq_nocase(plan->header[c], names[i]))
                return true;
    return false;
}

static bool has_energy_or_power(const ws_plan *plan)
{
    for (size_t v = 0; v < plan->n_values; v++)
        if (ws_is_metered(plan->values[v].meaning.quantity))
            return true;
    return false;
}

static bool all_names_are_known(const ws_plan *plan)
{
    for (uint32_t c = 0; plan->header && c < plan->n_columns; c++)
        if (ws_meaning_of(ws_span_of(plan->header[c])).role == WS_ROLE_UNKNOWN)
            return false;
    return true;
}

static int score_plan(const ws_plan *plan, size_t n_rows)
{
    bool is_power = has_energy_or_power(plan);
    bool is_dated = plan->uses_date_lines || (plan->time >= 0 && plan->stamps.form != WS_STAMP_ELAPSED);
    if (has_name_of(plan, never, sizeof never / sizeof *never))
        return 0;
    if (!is_power && has_name_of(plan, process_words, sizeof process_words / sizeof *process_words))
        return 0;
    if (!plan->header)
        return plan->time >= 0 ? 30 : n_rows >= 3 ? 5 : 0;
    if (is_dated)
        return is_power ? 40 : 25;
    if (has_name_of(plan, run_words, sizeof run_words / sizeof *run_words))
        return 0;
    if (plan->time >= 0)
        return is_power ? 35 : 20;
    return is_power && all_names_are_known(plan) ? 20 : 0;
}

/* Numbers without a header: the reader says what is needed to read them. */
static bool is_all_numbers(const ws_head_rows *rows)
{
    enum { LEAST = 3 };
    double value;
    for (size_t i = 0; i < rows->n && i < LEAST; i++)
        for (uint32_t c = 0; c < rows->row[i].n_cells; c++)
            if (!ws_span_double(rows->row[i].cells[c], &value))
                return false;
    return rows->n >= LEAST;
}

static bool has_reading(const ws_plan *plan, const ws_row *row)
{
    for (size_t v = 0; v < plan->n_values; v++) {
        double number;
        ws_span rest, cell = ws_span_trim(ws_row_cell(row, (int32_t)plan->values[v].column));
        bool is_rule = ws_span_has_prefix(cell, "---");
        if (ws_span_number(cell, &number, &rest) || (cell.n && !is_rule && ws_span_is_missing(cell)))
            return true;
    }
    return false;
}

/* Words of a table of results may look like the name of a power: below that of a trace stand numbers, or what says that there is none.
 * Lines of notes may hold some watts: of a log without header most rows do. */
static bool has_readings(const ws_plan *plan, const ws_head_rows *rows)
{
    size_t n = 0, all = 0;
    for (size_t i = 0; i < rows->n; i++) {
        n += has_reading(plan, &rows->row[i]);
        all += rows->row[i].n_cells > 1 || ws_row_cell(&rows->row[i], 0).n;
    }
    if (!plan->header)
        return plan->uses_date_lines || n * 4 >= all * 3;
    return n > 0 || all <= 1;
}

static int score_generic_csv(const char *path, ws_span head)
{
    ws_arena arena = {0};
    ws_map map = {0};
    ws_plan plan;
    ws_head_rows rows;
    int points = 0;
    if (head.n > HEAD_LOOKED_AT)
        head.n = HEAD_LOOKED_AT;
    char delimiter = ws_delimiter_guess(head);
    ws_plan_context context = {
        .source = path, .map = &map, .delimiter = delimiter, .zone = WS_ZONE_NONE, .arena = &arena};
    if (ws_head_rows_open(&rows, path, head, delimiter, WS_HEAD_ROWS, NULL, NULL) != WS_OK)
        points = 0;
    else if (ws_first_plan(&plan, &context, &rows, NULL) == WS_OK)
        points = has_readings(&plan, &rows) ? score_plan(&plan, rows.n) : 0;
    else
        points = is_all_numbers(&rows) ? 3 : 0;
    ws_head_rows_close(&rows);
    ws_arena_free(&arena);
    return points;
}

const ws_format ws_format_generic_csv = {
    .name = "csv",
    .title = "any delimited trace: time and power, by column names or a column map",
    .example = "timestamp,GPU0,GPU1\n1763638585.215,199.975,256.513",
    .tier = 1,
    .gives = WS_GIVES_POWER | WS_GIVES_COUNTER | WS_GIVES_ENERGY | WS_GIVES_UTIL | WS_GIVES_MEM_UTIL |
             WS_GIVES_MEM_USED | WS_GIVES_CLOCK | WS_GIVES_TEMP | WS_GIVES_LIMIT,
    .tried = WS_TRIED_REAL,
    .score = score_generic_csv,
    .most = 40,
    .read = ws_trace_csv_read,
};
