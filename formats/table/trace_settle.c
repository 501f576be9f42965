/* What only the rows themselves can tell. ws_plan_settle, towards the end, takes the steps in the order in which they
 * stand here: stamps, node, identity, turns (trace_turns.c), intervals, decimal commas, units, domain. */
#include "formats/table/column_limits.h"
#include "formats/table/rapl_zone.h"
#include "formats/table/trace_plan.h"
#include "core/arena.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NS_PER_S INT64_C(1000000000)

/* --- is this a trace? --- */

/* A cell of a table of runs that holds a whole series: "49.68,57.02,55.76,108.37". */
static bool is_series(ws_span cell)
{
    size_t numbers = 0;
    ws_span piece;
    double value;
    if (!cell.n || !memchr(cell.p, ',', cell.n))
        return false;
    while (ws_span_split(&cell, ',', &piece)) {
        if (!ws_span_double(piece, &value))
            return false;
        numbers++;
    }
    return numbers >= WS_SERIES_LEAST;
}

static ws_status refuse_run_tables(const ws_plan *plan, const ws_plan_context *context, const ws_trace_sample *sample,
                                   ws_error *error)
{
    for (size_t i = 0; i < sample->n; i++) {
        const ws_row *row = sample->rows[i];
        for (uint32_t c = 0; c < row->n_cells; c++) {
            if (is_series(row->cells[c]))
                return ws_fail_at(error, WS_FORMAT, context->source, row->line,
                                  "column '%s' holds a whole series in one cell: this is a table of runs and no trace",
                                  plan->header && c < plan->n_columns ? plan->header[c] : "");
        }
    }
    return WS_OK;
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

/* --- whose rows these are --- */

/* "n01": one word that does not name a device, and is not "[N/A]" or the like. */
static bool is_host(ws_span cell)
{
    bool is_word = cell.n > 1 && ((*cell.p >= 'a' && *cell.p <= 'z') || (*cell.p >= 'A' && *cell.p <= 'Z'));
    ws_device_name device = ws_device_name_of(cell);
    return is_word && !memchr(cell.p, ' ', cell.n) && !memchr(cell.p, ':', cell.n) &&
           (!device.is_known || device.domain == WS_NODE);
}

/* Without a header: a word before the stamp, as `echo -n "$(hostname),"` writes it. */
static void find_node(ws_plan *plan, const ws_plan_context *context, const ws_trace_sample *sample)
{
    if (plan->header || plan->node >= 0 || plan->time != 1 || !sample->n || ws_plan_uses(plan, 0))
        return;
    for (size_t i = 0; i < sample->n; i++)
        if (!is_host(ws_row_cell(sample->rows[i], 0)))
            return;
    plan->node = 0;
    ws_notes_add(context->notes, WS_FINDING_ASSUMED_NODE, context->source, "", plan->line,
                 "no header: column #1 holds words before the stamp and is taken for the node");
}

static bool has_identity(const ws_plan *plan)
{
    for (int role = WS_ROLE_UUID; role <= WS_ROLE_INDEX; role++)
        if (plan->ids[role] >= 0)
            return true;
    return false;
}

/* Without a header: a column whose numbers count devices in turn. */
static void find_index(ws_plan *plan, const ws_plan_context *context, const ws_trace_sample *sample)
{
    if (plan->header || plan->is_wide || context->map->devices || has_identity(plan))
        return;
    for (uint32_t c = 0; c < plan->n_columns; c++) {
        if (ws_plan_uses(plan, c) || !ws_trace_sample_counts_in_turn(sample, c))
            continue;
        plan->ids[WS_ROLE_INDEX] = (int32_t)c;
        ws_notes_add(context->notes, WS_FINDING_ASSUMED_DEVICE, context->source, "", plan->line,
                     "no header: column #%u counts devices in turn and is taken for their index", c + 1);
        return;
    }
}

/* An "index" with a new value in every row counts rows, not devices, if the rows last more than a second. */
static bool counts_rows(const ws_plan *plan, const ws_trace_sample *sample, size_t distinct)
{
    if (distinct < 3 || distinct < sample->n)
        return false;
    int64_t *t = ws_trace_sample_stamps(plan, sample);
    bool moves = t ? t[sample->n - 1] - t[0] > NS_PER_S : sample->n > 16;
    free(t);
    return moves;
}

/* "gpu,cpu,power" with loads in %: numbers up to 100 that cannot be indices, in rows that all have different stamps. */
static bool holds_loads(const ws_plan *plan, const ws_trace_sample *sample, int32_t column, size_t distinct)
{
    double most = 0, load;
    for (size_t i = 0; i < sample->n; i++) {
        if (!ws_span_double(ws_row_cell(sample->rows[i], column), &load) || load < 0 || load > 100)
            return false;
        most = fmax(most, load);
    }
    if (distinct < 2 || sample->n < 3 || most < WS_MOST_GPUS_OF_A_NODE || (double)distinct > most ||
        ws_trace_sample_counts_in_turn(sample, (uint32_t)column))
        return false;
    int64_t *t = ws_trace_sample_stamps(plan, sample);
    bool all_new = t != NULL;
    for (size_t i = 1; i < sample->n && all_new; i++)
        all_new = t[i] > t[i - 1];
    free(t);
    return all_new;
}

/* Numbers, or words that name a part of the machine. */
static bool names_parts(const ws_trace_sample *sample, int32_t column)
{
    bool all = true;
    for (size_t i = 0; i < sample->n && all; i++) {
        int64_t number;
        ws_span cell = ws_row_cell(sample->rows[i], column);
        ws_device_name name = ws_device_name_of(cell);
        all = name.is_known || name.is_total || ws_span_i64(cell, &number) || ws_span_is_missing(cell);
    }
    return all;
}

/* The column of parts beside that of the sockets; WS_NO_COLUMN if there is none. */
static int32_t find_part_column(const ws_plan *plan)
{
    for (uint32_t c = 0; plan->header && c < plan->n_columns; c++)
        if ((int32_t)c != plan->socket && ws_meaning_of(ws_span_of(plan->header[c])).role == WS_ROLE_PART)
            return (int32_t)c;
    return WS_NO_COLUMN;
}

static bool are_zones(const ws_plan *plan, const ws_trace_sample *sample, int32_t words)
{
    for (size_t i = 0; i < sample->n; i++) {
        ws_rapl_zone zone;
        ws_span word = ws_row_cell(sample->rows[i], words), socket = ws_row_cell(sample->rows[i], plan->socket);
        if (!ws_span_is_missing(word) && (!ws_rapl_zone_at((ws_span){"", 0}, socket, word, &zone) || zone.is_unclear))
            return false;
    }
    return true;
}

/* "socket,domain": both columns together name RAPL zones, at least so many different ones. */
static void join_sockets(ws_plan *plan, const ws_trace_sample *sample, size_t least)
{
    if (plan->socket < 0 || plan->node >= 0 || plan->ids[WS_ROLE_PART] < 0)
        return;
    int32_t words = find_part_column(plan);
    plan->has_sockets = words >= 0 && ws_trace_sample_count(sample, words) >= least && are_zones(plan, sample, words);
    if (!plan->has_sockets)
        return;
    plan->ids[WS_ROLE_PART] = words;
    plan->node = plan->socket;
}

/* Undoes it, if another column tells more devices apart. */
static void separate_sockets(ws_plan *plan)
{
    plan->has_sockets = false;
    plan->node = WS_NO_COLUMN;
}

/* The identity is the column that tells the most devices apart: a column named "index" that is 0 in every row must not
 * hide the column that names the device. Among equals the strongest wins: uuid, bus id, number, name. */
static void settle_identity(ws_plan *plan, const ws_plan_context *context, const ws_trace_sample *sample)
{
    size_t most = 0;
    join_sockets(plan, sample, 2);
    if (plan->ids[WS_ROLE_PART] >= 0 && !names_parts(sample, plan->ids[WS_ROLE_PART]))
        plan->ids[WS_ROLE_PART] = WS_NO_COLUMN;
    for (int role = WS_ROLE_UUID; role <= WS_ROLE_NAME; role++) {
        int32_t column = plan->ids[role];
        size_t distinct = column >= 0 ? ws_trace_sample_count(sample, column) : 0;
        if (role == WS_ROLE_INDEX && distinct && counts_rows(plan, sample, distinct)) {
            ws_notes_add(context->notes, WS_FINDING_ROW_COUNTER, context->source, "", plan->line,
                         "the column '%s' counts rows and is no device number",
                         plan->header ? plan->header[column] : "");
            plan->ids[role] = WS_NO_COLUMN;
        } else if (role == WS_ROLE_GPU && distinct && holds_loads(plan, sample, column, distinct)) {
            ws_notes_add(context->notes, WS_FINDING_LOAD_COLUMN, context->source, "", plan->line,
                         "the column '%s' holds loads and no device numbers (--columns util=%s reads them)",
                         plan->header ? plan->header[column] : "", plan->header ? plan->header[column] : "");
            plan->ids[role] = WS_NO_COLUMN;
        } else if (distinct > most) {
            most = plan->n_ids = distinct;
            plan->identity = (ws_role)role;
        }
    }
    if (plan->has_sockets && plan->identity != WS_ROLE_PART)
        separate_sockets(plan);
    for (int role = WS_ROLE_GPU; role <= WS_ROLE_INDEX; role++) {
        bool is_new = plan->ids[role] >= 0 && ws_trace_sample_count(sample, plan->ids[role]) == most;
        if (is_new && plan->number < 0 && plan->identity != WS_ROLE_UNKNOWN)
            plan->number = plan->ids[role];
    }
}

/* --- intervals --- */

static bool map_names_interval(const ws_map *map)
{
    for (size_t i = 0; i < map->n; i++)
        if (map->columns[i].meaning.role == WS_ROLE_INTERVAL)
            return true;
    return false;
}

/* The mean of the stated intervals in s; NaN if no row states one. */
static double mean_stated_s(const ws_plan *plan, const ws_trace_sample *sample)
{
    double sum_s = 0;
    size_t n = 0;
    for (size_t i = 0; i < sample->n; i++) {
        int64_t ns;
        if (ws_plan_read_interval(plan, ws_row_cell(sample->rows[i], plan->interval), &ns)) {
            sum_s += (double)ns / 1e9;
            n++;
        }
    }
    return n ? sum_s / (double)n : NAN;
}

/* The mean time between rows of one source in s; NaN if the stamps cannot tell. */
static double mean_step_s(const ws_plan *plan, const ws_trace_sample *sample)
{
    uint32_t sources;
    int64_t *t = ws_trace_sample_stamps(plan, sample);
    free(ws_trace_sample_sources(plan, sample, &sources));
    double steps = (double)sample->n / sources - 1;
    double step_s = t && steps > 0 ? ((double)t[sample->n - 1] - (double)t[0]) / 1e9 / steps : NAN;
    free(t);
    return step_s;
}

/* A column "interval" may be a setting, or in a unit that its name does not state: it is ignored if it disagrees with
 * the stamps. */
static void settle_interval(ws_plan *plan, const ws_plan_context *context, const ws_trace_sample *sample)
{
    if (plan->interval < 0 || map_names_interval(context->map))
        return;
    double stated_s = mean_stated_s(plan, sample), step_s = mean_step_s(plan, sample);
    if (!(step_s > 0) || (stated_s < step_s * WS_INTERVAL_FAR && stated_s > step_s / WS_INTERVAL_FAR))
        return;
    const char *name = plan->header ? plan->header[plan->interval] : "";
    if (isnan(stated_s))
        ws_notes_add(context->notes, WS_FINDING_INTERVAL_MISFIT, context->source, "", plan->line,
                     "'%s' holds no length of an interval: it is passed over", name);
    else
        ws_notes_add(
            context->notes, WS_FINDING_INTERVAL_MISFIT, context->source, "", plan->line,
            "'%s' says %.4g s a row and the stamps %.4g s: it is passed over (interval= in the column map takes it)",
            name, stated_s, step_s);
    plan->interval = WS_NO_COLUMN;
}

/* --- numbers --- */

/* How the numbers of a column are written. */
typedef struct spelling {
    bool has_point;   /* "1.5" */
    bool has_decimal; /* a comma that must be a decimal one: "1,5" */
    bool has_group;   /* a comma that may separate thousands: "1,030" */
    bool has_whole;   /* "990" */
} spelling;

static spelling spelling_of(const ws_trace_sample *sample, uint32_t column)
{
    spelling s = {false};
    for (size_t i = 0; i < sample->n; i++) {
        double x;
        ws_span rest, cell = ws_row_cell(sample->rows[i], (int32_t)column);
        if (!ws_span_number(cell, &x, &rest))
            continue;
        bool is_comma = rest.n > 1 && *rest.p == ',' && rest.p[1] >= '0' && rest.p[1] <= '9';
        bool is_group = is_comma && ws_is_of_thousands(cell);
        s.has_point |= memchr(cell.p, '.', cell.n) != NULL;
        s.has_decimal |= is_comma && !is_group;
        s.has_group |= is_group;
        s.has_whole |= !is_comma && x != 0;
    }
    return s;
}

/* If some number has a decimal point, no comma is a decimal one. Otherwise all are if one of them must be, or if every
 * number of a column has a comma and three digits: beside whole numbers of the same column, as in 990, 1,030, those may
 * be thousands. */
static void settle_commas(ws_plan *plan, const ws_plan_context *context, const ws_trace_sample *sample)
{
    bool has_point = context->delimiter == ',', has_decimal = false, is_even = false, is_mixed = false;
    for (size_t i = 0; i < plan->n_values && !has_point; i++) {
        spelling s = spelling_of(sample, plan->values[i].column);
        has_point = s.has_point;
        has_decimal |= s.has_decimal;
        is_even |= s.has_group && !s.has_whole;
        is_mixed |= s.has_group && s.has_whole;
    }
    bool is_decimal = has_decimal || (is_even && !is_mixed);
    plan->commas = has_point ? WS_COMMAS_NO_DECIMAL : is_decimal ? WS_COMMAS_DECIMAL : WS_COMMAS_UNKNOWN;
}

/* The numbers of one column, in the unit of its cells and without zeros. */
typedef struct value_range {
    size_t n, with_unit;
    double least, most;
    bool has_fraction;
} value_range;

static value_range range_of(const ws_plan *plan, const ws_plan_value *value, const ws_trace_sample *sample)
{
    char buffer[WS_POINT_CELL];
    value_range s = {.least = INFINITY, .most = -INFINITY};
    double x;
    ws_span rest;
    for (size_t i = 0; i < sample->n; i++) {
        ws_span cell = ws_plan_point(plan, buffer, ws_row_cell(sample->rows[i], (int32_t)value->column));
        if (!ws_span_number(cell, &x, &rest) || x == 0 || x == WS_AMD_NO_READING)
            continue;
        s.with_unit += ws_unit_find(rest) != NULL;
        s.least = fmin(s.least, x);
        s.most = fmax(s.most, x);
        s.has_fraction |= x != floor(x);
        s.n++;
    }
    return s;
}

/* A logger that states one wrong unit may state others: energies become doubtful, other powers get a note. */
static void doubt_others(ws_plan *plan, const ws_plan_context *context)
{
    for (size_t i = 0; i < plan->n_values; i++) {
        ws_plan_value *value = &plan->values[i];
        if (ws_is_energy(value->meaning.quantity)) {
            value->meaning.preference = WS_DOUBTFUL;
            ws_notes_add(context->notes, WS_FINDING_IMPLAUSIBLE_ENERGY, context->source, value->name, plan->line,
                         "the unit of the power beside it is wrong, so that the logger's own '%s' may be, too",
                         value->name);
        } else if (value->meaning.quantity == WS_POWER && value->meaning.domain != WS_GPU) {
            ws_notes_add(context->notes, WS_FINDING_DOUBTFUL_UNIT, context->source, value->name, plan->line,
                         "the unit of the GPUs' power is wrong, so that of '%s' may be, too, and is kept (unit= in the "
                         "column map gives all powers one)",
                         value->name);
        }
    }
}

/* A GPU's power reveals milliwatts or microwatts in a column named W, and watts in a column named mW. */
static void settle_power_unit(ws_plan *plan, const ws_plan_context *context, ws_plan_value *value,
                              const ws_trace_sample *sample)
{
    value_range s = range_of(plan, value, sample);
    if (value->unit_is_given || !s.n || s.with_unit || value->meaning.domain != WS_GPU)
        return;
    bool is_too_large = s.least * value->to_si > WS_GPU_MOST_W, is_too_small = s.most * value->to_si < WS_GPU_LEAST_W;
    if (!is_too_large && !is_too_small)
        return;
    if (is_too_large && !plan->is_about_gpus) {
        ws_notes_add(context->notes, WS_FINDING_IMPLAUSIBLE_POWER, context->source, value->name, plan->line,
                     "'%s' is above %g W throughout: if it is no GPU say domain=node, if it is in mW say unit=mW",
                     value->name, WS_GPU_MOST_W);
    } else if (is_too_large && value->to_si >= 1) {
        bool is_micro = s.least * value->to_si * 1e-3 > WS_GPU_MOST_W;
        value->to_si *= is_micro ? 1e-6 : 1e-3;
        ws_notes_add(context->notes, WS_FINDING_IMPLAUSIBLE_UNIT, context->source, value->name, plan->line,
                     "'%s' is above %g W throughout, so it is read as %s (unit=W in the column map keeps W)",
                     value->name, WS_GPU_MOST_W, is_micro ? "uW" : "mW");
        doubt_others(plan, context);
    } else if (is_too_small && value->to_si == 1e-3) {
        value->to_si = 1;
        ws_notes_add(context->notes, WS_FINDING_IMPLAUSIBLE_UNIT, context->source, value->name, plan->line,
                     "'%s' is below %g W throughout, so it is read as W (unit=mW in the column map keeps mW)",
                     value->name, WS_GPU_LEAST_W);
        doubt_others(plan, context);
    }
}

static void settle_values(ws_plan *plan, const ws_plan_context *context, const ws_trace_sample *sample)
{
    for (size_t i = 0; i < plan->n_values; i++) {
        ws_plan_value *value = &plan->values[i];
        ws_quantity quantity = value->meaning.quantity;
        if (quantity == WS_POWER)
            settle_power_unit(plan, context, value, sample);
        else if ((quantity == WS_UTIL || quantity == WS_MEM_UTIL) && !value->meaning.unit) {
            value_range s = range_of(plan, value, sample);
            if (s.n && s.most <= 1 && s.has_fraction)
                value->to_si = 1;
        }
    }
    ws_plan_settle_energies(plan, context, sample);
}

/* If nothing says that a power is a GPU's: the domain does not change the sum, but the table prints it. */
static void note_assumed_domain(const ws_plan *plan, const ws_plan_context *context)
{
    if (!plan->header || plan->is_marked || context->map->n || context->map->gives_domain ||
        plan->identity == WS_ROLE_PART)
        return;
    for (size_t v = 0; v < plan->n_values; v++) {
        const ws_meaning *m = &plan->values[v].meaning;
        if (ws_is_metered(m->quantity) && m->domain == WS_GPU && !m->names_domain && !m->device.n)
            ws_notes_add(context->notes, WS_FINDING_ASSUMED_DOMAIN, context->source, "", plan->line,
                         "nothing says whose power '%s' is: it is taken for a GPU's (--columns domain=node, or cpu, "
                         "dram, wall, other, says otherwise)",
                         plan->values[v].name);
    }
}

/* --- the steps together --- */

ws_status ws_plan_settle(ws_plan *plan, const ws_plan_context *context, const ws_trace_sample *sample, ws_error *error)
{
    ws_status status = refuse_run_tables(plan, context, sample, error);
    if (status == WS_OK)
        status = settle_stamps(plan, context, sample, error);
    if (status != WS_OK)
        return status;
    find_node(plan, context, sample);
    find_index(plan, context, sample);
    settle_identity(plan, context, sample);
    status = ws_plan_settle_turns(plan, context, sample, error);
    if (status != WS_OK)
        return status;
    settle_interval(plan, context, sample);
    settle_commas(plan, context, sample);
    settle_values(plan, context, sample);
    note_assumed_domain(plan, context);
    plan->is_settled = true;
    return WS_OK;
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
    ws_trace_sample sample = {&first, &turn, 1};
    plan->stamps.form = before->stamps.form;
    plan->stamps.is_guessed = before->stamps.is_guessed;
    plan->uses_date_lines = before->uses_date_lines;
    plan->commas = before->commas;
    if (plan->time >= 0 && !ws_timecol_settle(&plan->stamps, ws_plan_stamp(plan, first, buffer))) {
        plan->stamps.form = WS_STAMP_NONE;
        if (!ws_timecol_settle(&plan->stamps, ws_plan_stamp(plan, first, buffer)))
            return;
    }
    if (before->has_sockets)
        join_sockets(plan, &sample, 1);
    settle_identity(plan, context, &sample);
    if (before->identity != WS_ROLE_UNKNOWN && plan->ids[before->identity] >= 0)
        plan->identity = before->identity;
    if (plan->identity == before->identity) {
        plan->n_ids = before->n_ids;
        plan->positions = before->positions;
        plan->poll_ns = before->poll_ns;
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
