/* Completes a plan from the first rows: whether they are those of a trace, the form of the stamps, then what the rules
 * say (reading_rules.c); for a later header, what stays as it was; and whether more rows could change any of it. */
#include "formats/table/column_limits.h"
#include "formats/table/trace_plan.h"
#include "core/arena.h"

#include <stdlib.h>
#include <string.h>

#define NS_PER_S INT64_C(1000000000)

/* A cell of a table of runs may hold a whole series: "49.68,57.02,55.76,108.37". */
static ws_status refuse_run_tables(const ws_plan *plan, const ws_plan_context *context, const ws_trace_sample *sample,
                                   ws_error *error)
{
    uint32_t found = 0;
    size_t first = 0; /* counted from 1 */
    for (uint32_t c = 0; c < sample->n_columns; c++) {
        size_t row = sample->columns[c].first_series;
        if (row && (!first || row < first))
            first = row, found = c;
    }
    return first ? ws_fail_at(error, WS_FORMAT, context->source, sample->rows[first - 1]->line,
                              "column '%s' holds a whole series in one cell: this is a table of runs and no trace",
                              plan->header ? plan->header[found] : "")
                 : WS_OK;
}

/* --- stamps --- */

/* A date column is redundant beside a column with the full stamp. */
static void drop_redundant_date(ws_plan *plan, const ws_trace_sample *sample)
{
    char buffer[WS_STAMP_CELLS];
    ws_span time = ws_row_cell(sample->rows[0], plan->time), date = ws_row_cell(sample->rows[0], plan->date);
    if (ws_stamp_guess(ws_plan_stamp(plan, sample->rows[0], buffer)) != WS_STAMP_NONE)
        return;
    if (!ws_cell_is_date(time) && ws_cell_is_date(date))
        plan->time = plan->date;
    plan->date = WS_NO_COLUMN;
}

/* The length of up to three words in front of a date; 0: none. */
static size_t stamp_prefix_length(ws_span cell)
{
    enum { MOST_WORDS = 3 };
    ws_span rest = cell, word;
    for (int i = 0; i < MOST_WORDS && ws_span_word(&rest, &word); i++)
        if (ws_cell_is_date(ws_span_trim(rest)))
            return (size_t)(word.p + word.n - cell.p);
    return 0;
}

/* Spreadsheets count days from 1900. Read as seconds, day numbers of this century would be a log that begins after ten
 * hours and has over a thousand samples a second, as no sampler writes. */
static bool are_day_numbers(const ws_plan *plan, const ws_trace_sample *sample)
{
    const int64_t least = WS_DAY_NUMBER_FIRST * NS_PER_S, most = WS_DAY_NUMBER_LAST * NS_PER_S;
    int64_t *t =
        plan->stamps.form == WS_STAMP_ELAPSED && !plan->stamps.unit ? ws_trace_sample_stamps(plan, sample) : NULL;
    bool are = t && sample->n > 1 && t[0] >= least && t[sample->n - 1] <= most && t[sample->n - 1] > t[0] &&
               t[sample->n - 1] - t[0] < (int64_t)sample->n * NS_PER_S / WS_MOST_ROWS_A_SECOND;
    free(t);
    return are;
}

/* "0: 2026/02/11 08:00:00" of srun -l, "Feb11 2026/02/11 08:00:00" of ts: with such a prefix the column is not
 * recognised as the time. */
static void note_prefixed_stamp(const ws_plan_context *context, const ws_row *row)
{
    for (uint32_t c = 0; c < row->n_cells; c++) {
        ws_span cell = row->cells[c];
        size_t n = stamp_prefix_length(cell);
        if (n)
            ws_notes_add(context->notes, WS_FINDING_PREFIXED_STAMP, context->source, "", row->line,
                         "a stamp stands behind '%.*s' in one cell and is not read: take off what the launcher put in "
                         "front of each line, and keep what it tells apart in files of their own",
                         (int)n, cell.p);
    }
}

static ws_status settle_stamps(ws_plan *plan, const ws_plan_context *context, const ws_trace_sample *sample,
                               ws_error *error)
{
    char buffer[WS_STAMP_CELLS];
    size_t good = 0, ambiguous = 0;
    if (plan->time < 0 && sample->n)
        note_prefixed_stamp(context, sample->rows[0]);
    if (plan->time < 0 || !sample->n)
        return WS_OK;
    if (plan->date >= 0)
        drop_redundant_date(plan, sample);
    for (size_t i = 0; i < sample->n; i++)
        good += ws_timecol_settle(&plan->stamps, ws_plan_stamp(plan, sample->rows[i], buffer));
    const ws_row *first = sample->rows[0];
    ws_span stamp = ws_plan_stamp(plan, first, buffer);
    if (!good)
        return ws_fail_at(error, WS_DATA, context->source, first->line, "'%.*s' is no time stamp that is known here",
                          WS_SPAN_ARG(stamp));
    if (are_day_numbers(plan, sample))
        return ws_fail_at(error, WS_DATA, context->source, first->line,
                          "'%.*s' is the day number of a spreadsheet: save the column as date and time",
                          WS_SPAN_ARG(stamp));
    for (size_t i = 0; i < sample->n; i++)
        ambiguous += ws_timecol_is_ambiguous(&plan->stamps, ws_plan_stamp(plan, sample->rows[i], buffer));
    stamp = ws_plan_stamp(plan, first, buffer);
    plan->stamps.is_guessed = ambiguous == good;
    if (plan->stamps.is_guessed)
        ws_notes_add(context->notes, WS_FINDING_DAY_FIRST, context->source, "", first->line,
                     "'%.*s' could have day or month first: day first is taken (--columns dates=month-first says "
                     "otherwise)",
                     WS_SPAN_ARG(stamp));
    return WS_OK;
}

/* --- the parts together --- */

ws_status ws_plan_settle(ws_plan *plan, const ws_plan_context *context, const ws_trace_sample *sample, ws_error *error)
{
    ws_status status = refuse_run_tables(plan, context, sample, error);
    if (status == WS_OK)
        status = settle_stamps(plan, context, sample, error);
    if (status == WS_OK)
        status = ws_plan_decide_readings(plan, context, sample, error);
    plan->is_settled = status == WS_OK;
    return status;
}

/* Values of columns with the same name keep their units. */
static void take_over_values(ws_plan *plan, const ws_plan *before)
{
    for (size_t i = 0; i < plan->n_values; i++) {
        for (size_t j = 0; j < before->n_values; j++) {
            if (strcmp(plan->values[i].name, before->values[j].name) == 0) {
                plan->values[i].to_si = before->values[j].to_si;
                plan->values[i].is_counter = before->values[j].is_counter;
                plan->values[i].meaning.preference = before->values[j].meaning.preference;
            }
        }
    }
}

void ws_plan_settle_after(ws_plan *plan, const ws_plan_context *context, const ws_plan *before, const ws_row *first)
{
    char buffer[WS_STAMP_CELLS];
    uint32_t turn = 0;
    ws_trace_sample sample = ws_trace_sample_of(context->arena, &first, &turn, 1, plan->n_columns);
    plan->stamps.form = before->stamps.form;
    plan->stamps.is_guessed = before->stamps.is_guessed;
    plan->uses_date_lines = before->uses_date_lines;
    plan->commas = before->commas;
    if (plan->time >= 0 && !ws_timecol_settle(&plan->stamps, ws_plan_stamp(plan, first, buffer))) {
        plan->stamps.form = WS_STAMP_NONE;
        if (!ws_timecol_settle(&plan->stamps, ws_plan_stamp(plan, first, buffer)))
            return;
    }
    ws_plan_decide_identity(plan, context, &sample, before->has_sockets);
    if (before->identity != WS_ROLE_UNKNOWN && plan->ids[before->identity] >= 0)
        plan->identity = before->identity;
    if (plan->identity == before->identity) {
        plan->n_ids = before->n_ids;
        plan->positions = before->positions;
        plan->poll_ns = before->poll_ns;
        plan->poll_step_ns = before->poll_step_ns;
        plan->drops_repeats = before->drops_repeats;
        plan->ask = before->ask;
    }
    take_over_values(plan, before);
    plan->is_settled = true;
}

/* --- do the first rows settle the plan for good? --- */

/* Forms that no later stamp can put in doubt, unlike 01/02/2026 or seconds that may count from the start of the
 * trace. */
static bool has_certain_stamps(const ws_plan *plan)
{
    return plan->time >= 0 && plan->date < 0 &&
           (plan->stamps.form == WS_STAMP_YMD || plan->stamps.form == WS_STAMP_EPOCH);
}

/* Several devices that come again are reliably told apart. A single one may be the only device, or the column may not
 * tell devices apart at all: then only a uuid or a bus id is certain. */
static bool has_certain_devices(const ws_plan *plan, const ws_trace_sample *sample)
{
    ws_role role = plan->identity;
    if (plan->is_wide || plan->positions > 1 || role == WS_ROLE_UNKNOWN || role == WS_ROLE_NAME)
        return false;
    size_t n = ws_trace_sample_count(sample, plan->ids[role]);
    return n < sample->n && (n > 1 || role == WS_ROLE_UUID || role == WS_ROLE_BUS);
}

/* Is some reading a power that a GPU can draw, in the unit of the column, or does it state its unit? */
static bool has_usual_reading(const ws_plan_value *value, const ws_trace_sample *sample)
{
    for (size_t i = 0; i < sample->n; i++) {
        double number;
        ws_span rest;
        if (ws_span_number(ws_row_cell(sample->rows[i], (int32_t)value->column), &number, &rest) &&
            (ws_unit_find(rest) || (number * value->to_si >= WS_GPU_LEAST_W && number * value->to_si <= WS_GPU_MOST_W)))
            return true;
    }
    return false;
}

static bool has_certain_unit(const ws_plan_value *value, const ws_trace_sample *sample)
{
    switch (value->meaning.quantity) {
    case WS_POWER:
        return value->unit_is_given || value->meaning.domain != WS_GPU || has_usual_reading(value, sample);
    case WS_ENERGY_INTERVAL:
        return value->meaning.names_energy && value->meaning.unit;
    case WS_ENERGY_COUNTER: /* it may stand still in all of the first rows */
    case WS_UTIL:
    case WS_MEM_UTIL:
        return value->meaning.unit != NULL;
    default:
        return true;
    }
}

bool ws_plan_is_certain(const ws_plan *plan, const ws_plan_context *context, const ws_trace_sample *sample)
{
    if (!plan->header || context->map->devices || plan->interval >= 0 || !has_certain_stamps(plan) ||
        !has_certain_devices(plan, sample))
        return false;
    for (size_t v = 0; v < plan->n_values; v++)
        if (!has_certain_unit(&plan->values[v], sample))
            return false;
    return true;
}
