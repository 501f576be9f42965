/* What a computing centre appends to a job's log, and what `seff` prints:
 *
 *   Job ID: 3171624
 *   State: COMPLETED (exit code 0)
 *   Nodes: 16
 *   Job Wall-clock time: 1-04:23:00
 *   Starttime: Wed May 14 09:21:59 2025
 *   Energy Consumed: 21934580 Joule / 6092.93888888889 Watthours
 *
 *   slurmstepd: error: *** JOB 3171624 ON n1 CANCELLED AT 2025-05-14T13:21:59 DUE TO TIME LIMIT ***
 *
 * (the last one is what Slurm itself writes where it ends a job). The job's own output stands before it. The energy is
 * that of whole nodes. A job gives one row: another 'Job ID:' begins the next one, as where the output of seff for
 * several jobs was kept in one file. Of a line that comes several times the last one counts. */
#include "formats/format.h"
#include "formats/table/rows.h"

#include "core/arena.h"
#include "core/unit.h"

#include <string.h>

enum { C_JOB, C_STATE, C_NODES, C_START, C_WALL, C_ENERGY, C_N };
static const struct {
    const char *name;
    ws_column_kind kind;
} columns[C_N] = {
    [C_JOB] = {"job", WS_TEXT},     [C_STATE] = {"state", WS_TEXT},       [C_NODES] = {"nodes", WS_INTEGER},
    [C_START] = {"start", WS_TEXT}, [C_WALL] = {"job_wall_s", WS_NUMBER}, [C_ENERGY] = {"job_energy_kwh", WS_NUMBER}};

static size_t last_row(const ws_table *table)
{
    return table->n_rows - 1;
}

static bool set_job(ws_table *table, ws_span value)
{
    ws_table_set_span(table, C_JOB, last_row(table), value);
    return value.n > 0;
}

/* "COMPLETED (exit code 0)" */
static bool set_state(ws_table *table, ws_span value)
{
    ws_span state;
    if (!ws_span_split(&value, ' ', &state) || !state.n)
        return false;
    ws_table_set_span(table, C_STATE, last_row(table), state);
    return true;
}

static bool set_nodes(ws_table *table, ws_span value)
{
    int64_t nodes;
    if (!ws_span_i64(value, &nodes) || nodes < 1)
        return false;
    ws_table_set_integer(table, C_NODES, last_row(table), nodes);
    return true;
}

static bool set_wall(ws_table *table, ws_span value)
{
    int64_t ns;
    if (!ws_duration_parse(value, &ns))
        return false;
    ws_table_set_number(table, C_WALL, last_row(table), (double)ns / 1e9);
    return true;
}

/* Local time, written as sacct does: 2025-05-14T09:21:59, without a zone. */
static bool set_start(ws_table *table, ws_span value)
{
    ws_stamp stamp;
    char text[WS_STAMP_TEXT];
    if (!ws_stamp_parse(ws_stamp_guess(value), value, WS_ZONE_NONE, &stamp) || stamp.base == WS_TIME_RELATIVE)
        return false;
    size_t n = ws_stamp_text(text, stamp.ns);
    if (stamp.base == WS_TIME_NAIVE)
        text[n - 1] = '\0';
    ws_table_set_text(table, C_START, last_row(table), text);
    return true;
}

/* "N Joule / N Watthours", or one of the two alone: the watt hours have the digits, so they come first. */
static bool set_energy(ws_table *table, ws_span value)
{
    bool found = false;
    for (ws_span part; ws_span_split(&value, '/', &part);) {
        double number;
        ws_span word;
        if (!ws_span_number(part, &number, &word) || number <= 0)
            continue;
        bool is_wh = ws_span_eq_nocase(word, "Watthours") || ws_span_eq_nocase(word, "Watthour");
        const ws_unit *unit = is_wh ? NULL : ws_unit_find(word);
        if (is_wh)
            ws_table_set_number(table, C_ENERGY, last_row(table), number / 1000);
        else if (unit && unit->dimension == WS_DIM_ENERGY && !found)
            ws_table_set_number(table, C_ENERGY, last_row(table), number * unit->to_si / 3.6e6);
        else
            continue;
        found = true;
    }
    return found;
}

/* "*** JOB 3171624 ON n1 CANCELLED AT 2025-05-14T13:21:59 DUE TO TIME LIMIT ***", also of a step: "STEP 3171624.0". */
static bool set_end(ws_table *table, ws_span value)
{
    static const struct {
        const char *why, *state;
    } ends[] = {{"DUE TO TIME LIMIT", "TIMEOUT"},
                {"DUE TO NODE FAILURE", "NODE_FAIL"},
                {"DUE TO PREEMPTION", "PREEMPTED"},
                {" CANCELLED AT ", "CANCELLED"}};
    bool is_of_job = ws_span_has_prefix(value, "*** JOB ") || ws_span_has_prefix(value, "*** STEP ");
    for (size_t i = 0; is_of_job && i < sizeof ends / sizeof *ends; i++)
        if (ws_span_contains(value, ends[i].why)) {
            bool has_why = i + 1 < sizeof ends / sizeof *ends; /* said of the job or of one of its steps */
            if (has_why || ws_table_is_missing(table, C_STATE, last_row(table)))
                ws_table_set_text(table, C_STATE, last_row(table), ends[i].state);
            return true;
        }
    return false;
}

static const struct {
    const char *label;
    bool (*set)(ws_table *table, ws_span value);
    int weight; /* for recognition: labels that other programs print too weigh nothing */
} labels[] = {
    {"Job ID:", set_job, 20},
    {"State:", set_state, 10},
    {"Nodes:", set_nodes, 0},
    {"Job Wall-clock time:", set_wall, 60},
    {"Starttime:", set_start, 20},
    {"Energy Consumed:", set_energy, 60},
    {"Energy Utilized:", set_energy, 60}, /* seff, where a centre patched it */
    {"Total Power Usage:", set_energy, 60},
    {"slurmstepd: error:", set_end, 0},
};
enum { LABELS = sizeof labels / sizeof *labels };

/* The label that the line begins with, LABELS when it has none. */
static size_t find_label(ws_span line, ws_span *value)
{
    size_t i = 0;
    line = ws_span_trim(line);
    while (i < LABELS && !ws_span_has_prefix(line, labels[i].label))
        i++;
    if (i < LABELS) {
        size_t n = strlen(labels[i].label);
        *value = ws_span_trim((ws_span){line.p + n, line.n - n});
    }
    return i;
}

/* Of a last line without line end only an energy is whole, as its unit stands behind it. */
static bool may_be_cut(const ws_row *line, size_t label)
{
    return line->unfinished && labels[label].set != set_energy;
}

static bool is_another_job(const ws_table *table, size_t label, ws_span value)
{
    const char *job = table->columns[C_JOB].text[last_row(table)];
    return labels[label].set == set_job && job && value.n && !ws_span_eq(value, job);
}

typedef struct job_log {
    ws_table *table;
    bool any;
} job_log;

static ws_status job_log_take_line(void *state, const ws_row *line, ws_error *error)
{
    (void)error;
    job_log *log = state;
    ws_table *table = log->table;
    ws_span value;
    size_t label = find_label(line->cells[0], &value);
    if (label == LABELS)
        return WS_OK;
    bool is_cut = may_be_cut(line, label);
    if (!is_cut && is_another_job(table, label, value))
        ws_table_add_row_at(table, line->line);
    if (is_cut)
        ws_note_cut_line(&table->notes, table->source, labels[label].label, line->line);
    else if (labels[label].set(table, value))
        log->any = log->any || labels[label].weight >= 60 || labels[label].set == set_end;
    else if (labels[label].set != set_end) /* slurmstepd has more to say than how a job ended */
        ws_notes_add(&table->notes, WS_FINDING_UNREADABLE_CELL, table->source, labels[label].label, line->line,
                     "'%.*s' cannot be used", WS_SPAN_ARG(value));
    return WS_OK;
}

static ws_status read_job_log(ws_input *input, const ws_read_options *options, ws_table *table, ws_error *error)
{
    ws_rows *lines;
    job_log log = {.table = table};
    table->source = ws_arena_strdup(&table->arena, ws_input_path(input));
    for (size_t i = 0; i < C_N; i++)
        ws_table_add_column(table, columns[i].name, columns[i].kind);
    ws_table_add_row_at(table, 1);
    ws_status status = ws_rows_open(&lines, input, WS_LINES, &options->rows, error);
    if (status == WS_OK)
        status = ws_rows_take(lines, job_log_take_line, &log, error);
    ws_rows_close(lines);
    if (status == WS_OK && !log.any)
        return ws_fail_at(
            error, WS_DATA, table->source, 0,
            "has neither 'Job Wall-clock time:' nor 'Energy Consumed:' with a value, nor how the job ended");
    return status;
}

/* The lines stand at the end of a log that can be long, where the head does not reach: then the name must do, which is
 * slurm-3171624.out or slurm_3171624 where nobody chose another. */
static bool has_log_name(const char *path, ws_span head)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    bool named = strncmp(name, "slurm-", 6) == 0 || strncmp(name, "slurm_", 6) == 0;
    return named && name[6] >= '0' && name[6] <= '9' && head.n && !memchr(head.p, '\0', head.n);
}

static int score_job_log(const char *path, ws_span head)
{
    int sum = 0;
    ws_span line, value, rest = head;
    while (ws_span_split(&rest, '\n', &line)) {
        size_t label = find_label(line, &value);
        sum += label < LABELS ? labels[label].weight : 0;
        if (sum >= 60)
            return 80;
    }
    return has_log_name(path, head) ? 12 : 0;
}

const ws_format ws_format_job_log = {
    .name = "job-log",
    .title = "job log of a computing centre with wall-clock time and energy, or the output of seff",
    .example = "Energy Consumed: 21934580 Joule / 6092.93888888889 Watthours",
    .is_record = true,
    .tier = 2,
    .tried = WS_TRIED_HAND_MADE,
    .score = score_job_log,
    .read_table = read_job_log,
};
