/* Delimited traces of wrappers, loggers and meters, told by the names of their columns or by the user's map:
 *
 *   timestamp,GPU0,GPU1
 *   1763638585.215,199.975,256.513
 *
 *   DateTime;Voltage/V;Actual Consumption/W
 *   16/06/2020 09:59;227.3;0.0000
 *
 * Tables of runs look much alike: what has no time, or an elapsed time beside columns like "epochs", is left to others,
 * and so is the table of a search, a row a trial:
 *
 *   trial,lr,time,energy
 *   1,0.1,60.2,12010
 *   2,0.01,59.8,11960
 */
#include "formats/table/trace_csv.h"

#include "core/arena.h"
#include "formats/table/column_limits.h"
#include "formats/table/swept_column.h"
#include "formats/table/trace_head.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { HEAD_LOOKED_AT = 16 * 1024 };

/* Names of tables that have a time and energies and are no traces. */
static const char *const never[] = {"emissions", "run_id", "window_name", "run id", "magnitude", "RDTSC"};
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

static bool has_name_of_runs(const ws_plan *plan)
{
    for (uint32_t c = 0; plan->header && c < plan->n_columns; c++)
        if (ws_name_has(ws_span_of(plan->header[c]), WS_NAME_OF_NO_TRACE))
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

/* No table of runs calls a power as rocm-smi does. */
static bool is_of_rocm_smi(const ws_plan *plan)
{
    for (uint32_t c = 0; plan->header && c < plan->n_columns; c++)
        if (ws_span_contains(ws_span_of(plan->header[c]), "Graphics Package Power (W)"))
            return true;
    return false;
}

static bool has_power(const ws_plan *plan)
{
    for (size_t v = 0; v < plan->n_values; v++)
        if (plan->values[v].meaning.quantity == WS_POWER)
            return true;
    return false;
}

/* The first energy whose name does not call it a running total. */
static const ws_plan_value *plain_energy(const ws_plan *plan)
{
    for (size_t v = 0; v < plan->n_values; v++)
        if (plan->values[v].meaning.quantity == WS_ENERGY_INTERVAL)
            return &plan->values[v];
    return NULL;
}

/* Times and energies of trials are in any order, or begin late. A trace's time goes on from row to row of a device, and
 * its first row stands a step or two behind its start. Ours: a fifth, since a trace that is restarted every five rows
 * is none. */
typedef struct trials {
    size_t steps, falls, unlike; /* unlike: rows whose energy over time cannot be the power of a device or a node */
    double first_s, last_s, longest_s, risen_s, fallen_s;
} trials;

static bool read_number(const ws_row *row, int32_t column, double *value)
{
    ws_span rest;
    return column >= 0 && ws_span_number(ws_span_trim(ws_row_cell(row, column)), value, &rest);
}

/* 72.5, or 00:01:12 under a name of durations. */
static bool read_elapsed(const ws_plan *plan, const ws_row *row, double *seconds)
{
    int64_t ns;
    ws_span cell = ws_span_trim(ws_row_cell(row, plan->time));
    if (plan->stamps.form != WS_STAMP_CLOCK)
        return read_number(row, plan->time, seconds);
    if (!ws_duration_parse(cell, &ns))
        return false;
    *seconds = (double)ns / 1e9;
    return true;
}

static trials look_at_trials(const ws_plan *plan, const ws_plan_value *energy, const ws_trace_sample *sample)
{
    uint32_t n;
    uint32_t *owner = ws_trace_sample_owners(plan, sample, &n);
    double *before = ws_alloc((n + 1) * sizeof *before), seconds, joules;
    trials all = {.first_s = INFINITY, .last_s = -INFINITY};
    for (uint32_t i = 0; i < n; i++)
        before[i] = NAN;
    for (size_t i = 0; i < sample->n; i++) {
        if (!read_elapsed(plan, sample->rows[i], &seconds))
            continue;
        double step = seconds - before[owner[i]];
        bool has_energy = energy && read_number(sample->rows[i], (int32_t)energy->column, &joules);
        double watts = has_energy ? joules * energy->to_si / seconds : 0;
        all.steps += isnan(step) ? 0 : 1;
        all.falls += step < 0;
        all.risen_s += fmax(step, 0); /* fmax passes NaN over */
        all.fallen_s += fmax(-step, 0);
        all.unlike += has_energy && !(watts >= WS_RUN_LEAST_W && watts <= WS_NODE_MOST_W);
        all.first_s = fmin(all.first_s, seconds), all.last_s = fmax(all.last_s, seconds);
        all.longest_s = fmax(all.longest_s, step);
        before[owner[i]] = seconds;
    }
    free(before);
    free(owner);
    return all;
}

/* Plain seconds; hours, minutes and seconds are a time of day but under a name of durations. */
static bool is_elapsed(const ws_plan *plan)
{
    double to_s;
    const char *name = plan->header[plan->time];
    const ws_known_name *known = ws_dictionary_find_spelled(ws_span_of(name));
    bool may_be_stamp = known && known->flags & WS_NAME_MAY_BE_STAMP;
    return plan->stamps.form == WS_STAMP_ELAPSED ||
           (plan->stamps.form == WS_STAMP_CLOCK && ws_is_run_length(name, &to_s) && !may_be_stamp);
}

/* A word without digits, as no stamp, number or count of steps is. */
static bool is_plain_word(ws_span cell)
{
    bool is_word = cell.n > 0;
    for (size_t i = 0; i < cell.n; i++)
        is_word &= !isdigit((unsigned char)cell.p[i]);
    return is_word;
}

static bool has_words_of_their_own(uint32_t column, const ws_trace_sample *sample)
{
    for (size_t i = 0; i < sample->n; i++) {
        ws_span cell = ws_span_trim(ws_row_cell(sample->rows[i], (int32_t)column));
        if (!is_plain_word(cell))
            return false;
        for (size_t k = 0; k < i; k++)
            if (ws_span_same(cell, ws_span_trim(ws_row_cell(sample->rows[k], (int32_t)column))))
                return false;
    }
    return true;
}

/* "size": 1000, 2000, 4000, 8000. Nothing that is counted or metered doubles in every row. */
static bool doubles_in_each_row(uint32_t column, const ws_trace_sample *sample)
{
    double before = 0, now;
    for (size_t i = 0; i < sample->n; i++) {
        if (!read_number(sample->rows[i], (int32_t)column, &now) || !(now > 0) || now != floor(now) ||
            (i && now < WS_SIZES_GROW * before))
            return false;
        before = now;
    }
    return sample->n > WS_TRIAL_LEAST_STEPS;
}

/* "kernel,elapsed,power": each row has a word or a size of its own, and what it took. */
static bool names_each_row(const ws_plan *plan, const ws_trace_sample *sample)
{
    double to_s;
    if (sample->n < WS_TRIAL_LEAST_STEPS || !ws_is_run_length(plan->header[plan->time], &to_s))
        return false;
    for (uint32_t c = 0; c < plan->n_columns; c++)
        if (!ws_plan_uses(plan, c) && (has_words_of_their_own(c, sample) || doubles_in_each_row(c, sample)))
            return true;
    return false;
}

/* "run,rank,time_s,energy_j": each rank or node of a run once, in two runs or more of several each. A run of a trace
 * has many rows of each. */
static bool is_rows_of_ranks(const ws_plan *plan, const ws_trace_sample *sample)
{
    static const char *const names[] = {"run", "job", "job_id", "jobid", "run_name"};
    uint32_t n, *owner = ws_trace_sample_owners(plan, sample, &n);
    bool is_once = false;
    for (uint32_t c = 0; c < plan->n_columns && n > 1 && !is_once; c++) {
        size_t same_run = 0, other_run = 0;
        for (size_t k = 0; k < sizeof names / sizeof *names; k++)
            is_once |= ws_eq_nocase(plan->header[c], names[k]);
        for (size_t i = 1; i < sample->n && is_once; i++)
            for (size_t k = 0; k < i && is_once; k++) {
                bool is_same = ws_span_same(ws_span_trim(ws_row_cell(sample->rows[i], (int32_t)c)),
                                            ws_span_trim(ws_row_cell(sample->rows[k], (int32_t)c)));
                is_once = !is_same || owner[i] != owner[k];
                same_run += is_same, other_run += !is_same;
            }
        is_once &= same_run && other_run;
    }
    free(owner);
    return is_once;
}

/* No lengths of runs rise by even steps for so long: a log that was started late, whose energies are a running total.
 */
static bool goes_on_evenly(const trials *t)
{
    return !t->falls && t->steps >= WS_TRIAL_EVEN_STEPS &&
           t->longest_s <= WS_TRIAL_EVEN * t->risen_s / (double)t->steps;
}

/* Mean powers of runs stand beside their times, too, and so do energies that no name calls so, which times in disorder
 * give away: "Language,Program,PowerLimit,Package,Core,GPU,DRAM,Time,Temperature,Memory" of public results. */
static bool is_search(const ws_plan *plan, const ws_head_rows *rows)
{
    const ws_plan_value *energy = has_power(plan) ? NULL : plain_energy(plan);
    double value;
    bool is_metered = has_power(plan) || energy;
    if (!plan->header || plan->time < 0 || !is_elapsed(plan))
        return false;
    const ws_row **row = ws_alloc((rows->n + 1) * sizeof *row);
    ws_trace_sample sample = {.rows = row};
    for (size_t i = 0; i < rows->n; i++)
        if (read_elapsed(plan, &rows->row[i], &value))
            row[sample.n++] = &rows->row[i];
    trials t = look_at_trials(plan, energy, &sample);
    bool has_names = names_each_row(plan, &sample) || is_rows_of_ranks(plan, &sample);
    free(row);
    bool is_in_disorder = t.falls && t.falls * WS_TRIAL_STEPS_A_FALL >= t.steps &&
                          (energy || (t.steps >= WS_TRIAL_LEAST_STEPS && t.fallen_s >= WS_TRIAL_FALLEN * t.risen_s));
    /* "name,time_s,energy_j": each row is a device of its own, at another time. */
    bool is_row_a_device = !t.steps && sample.n >= WS_TRIAL_LEAST_STEPS && t.last_s > t.first_s;
    bool begins_late = energy && t.first_s > WS_TRIAL_STEPS_BEFORE * t.longest_s && !t.unlike && !goes_on_evenly(&t);
    return sample.n && (is_in_disorder || (is_metered && (begins_late || is_row_a_device || has_names)));
}

/* --- results with the date of each run --- */

static int32_t duration_column(const ws_plan *plan, double *to_s)
{
    for (uint32_t c = 0; plan->header && c < plan->n_columns; c++)
        if (!ws_plan_uses(plan, c) && ws_is_run_length(plan->header[c], to_s))
            return (int32_t)c;
    return WS_NO_COLUMN;
}

static const ws_plan_value *any_energy(const ws_plan *plan)
{
    for (size_t v = 0; v < plan->n_values; v++)
        if (ws_is_energy(plan->values[v].meaning.quantity))
            return &plan->values[v];
    return NULL;
}

/* What rows say of their own lengths, beside the steps between their stamps. */
typedef struct dated_rows {
    size_t rises, steps;
    double stepped_s, took_s; /* lengths that grow as the stamps do, from a start, are longer than the steps */
    double least_w, most_w;   /* energies over lengths */
} dated_rows;

static dated_rows look_at_dated(const ws_plan *plan, const ws_plan_value *energy, int32_t duration, double to_s,
                                const ws_trace_sample *sample, const int64_t *t)
{
    uint32_t n;
    uint32_t *owner = ws_trace_sample_owners(plan, sample, &n);
    size_t *last = ws_alloc((n + 1) * sizeof *last); /* counted from 1 */
    double *took = ws_alloc((sample->n + 1) * sizeof *took), *joules = ws_alloc((sample->n + 1) * sizeof *joules);
    dated_rows all = {.least_w = INFINITY};
    for (size_t i = 0; i < sample->n; i++) {
        size_t before = last[owner[i]];
        last[owner[i]] = i + 1;
        read_number(sample->rows[i], duration, &took[i]);
        read_number(sample->rows[i], (int32_t)energy->column, &joules[i]);
        took[i] *= to_s;
        double watts = joules[i] * energy->to_si / took[i];
        all.least_w = fmin(all.least_w, watts), all.most_w = fmax(all.most_w, watts);
        if (!before--)
            continue;
        double step = (double)(t[i] - t[before]) / 1e9;
        all.steps++;
        all.rises += joules[i] > joules[before];
        all.stepped_s += step, all.took_s += took[i];
    }
    free(joules);
    free(took);
    free(last);
    free(owner);
    return all;
}

/* "date,...,duration_s,total_energy_j,samples" of a public logger of CI jobs: what each row's energy took stands beside
 * it. It is shorter than the time since the row above, as of runs with pauses in between, and grows unlike the time
 * since a start. A running total beside the length of an epoch rises from row to row, by other powers. */
static bool is_dated_runs(const ws_plan *plan, const ws_head_rows *rows)
{
    double to_s, value;
    const ws_plan_value *energy = any_energy(plan);
    int32_t duration = plan->time >= 0 && energy ? duration_column(plan, &to_s) : WS_NO_COLUMN;
    if (duration < 0)
        return false;
    const ws_row **row = ws_alloc((rows->n + 1) * sizeof *row);
    ws_trace_sample sample = {.rows = row};
    for (size_t i = 0; i < rows->n; i++)
        if (read_number(&rows->row[i], duration, &value) && value > 0 &&
            read_number(&rows->row[i], (int32_t)energy->column, &value))
            row[sample.n++] = &rows->row[i];
    int64_t *t = sample.n ? ws_trace_sample_stamps(plan, &sample) : NULL;
    dated_rows all = {0};
    if (t)
        all = look_at_dated(plan, energy, duration, to_s, &sample, t);
    bool t_is_read = t != NULL;
    free(t);
    free(row);
    if (!all.steps) /* each row stands alone: no trace has an energy then */
        return t_is_read && sample.n;
    bool has_pauses = all.took_s < WS_DATED_RUNS_MOST * all.stepped_s;
    bool is_running_total = all.rises == all.steps && all.most_w > WS_DATED_RUNS_ALIKE * all.least_w;
    return has_pauses && !is_running_total;
}

/* "timestamp,algorithm,total_energy_j": energies of rows of their own fall as often as they rise, and no running total
 * begins again so often. */
static bool is_total_of_each_row(const ws_plan *plan, const ws_head_rows *rows)
{
    const ws_plan_value *energy = has_power(plan) ? NULL : any_energy(plan);
    double value;
    char buffer[WS_PLAIN_NAME];
    if (!plan->header || plan->time < 0 || !energy || energy->meaning.quantity != WS_ENERGY_COUNTER ||
        !ws_span_contains(ws_plain_name(buffer, ws_span_of(energy->name)), "total")) /* counters of RAPL wrap */
        return false;
    const ws_row **row = ws_alloc((rows->n + 1) * sizeof *row);
    ws_trace_sample sample = {.rows = row};
    for (size_t i = 0; i < rows->n; i++)
        if (read_number(&rows->row[i], (int32_t)energy->column, &value))
            row[sample.n++] = &rows->row[i];
    ws_column_steps steps = ws_column_steps_of(plan, &sample, energy, NULL);
    free(row);
    return steps.falls && steps.falls * WS_DATED_RUNS_STEPS_A_FALL >= steps.rises + steps.falls;
}

static int score_plan(const ws_plan *plan, const ws_head_rows *rows)
{
    bool is_power = has_energy_or_power(plan);
    bool is_dated = plan->uses_date_lines || (plan->time >= 0 && plan->stamps.form != WS_STAMP_ELAPSED);
    if (has_name_of(plan, never, sizeof never / sizeof *never))
        return 0;
    if (!is_power && has_name_of(plan, process_words, sizeof process_words / sizeof *process_words))
        return 0;
    if (is_search(plan, rows) || (is_dated && (is_dated_runs(plan, rows) || is_total_of_each_row(plan, rows))))
        return 0;
    if (!plan->header)
        return plan->time >= 0 ? 30 : rows->n >= 3 ? 5 : 0;
    if (is_dated)
        return is_power ? 40 : 25;
    if (has_name_of_runs(plan))
        return 0;
    if (plan->time >= 0)
        return is_power ? 35 : 20;
    return is_power && (all_names_are_known(plan) || is_of_rocm_smi(plan)) ? 20 : 0;
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

/* Words of a table of results may look like the name of a power: below that of a trace stand numbers, or what says that
 * there is none. Lines of notes may hold some watts: of a log without header most rows do. */
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
        points = has_readings(&plan, &rows) ? score_plan(&plan, &rows) : 0;
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
    .gives = WS_GIVES_ANY,
    .tried = WS_TRIED_REAL,
    .score = score_generic_csv,
    .highest_score = 40,
    .goes_on = true,
    .tells_nodes = true,
    .read = ws_trace_csv_read,
};
