/* Rules over readings, for what only the rows can tell: whose rows they are, whether they state intervals, what the
 * numbers mean. See column_rules.h. The form of the stamps is known by then (trace_plan.c). Rules of energies are in
 * energy_rules.c, those of powers without a unit in power_rules.c; they are asked where a table has such columns. */
#include "formats/table/column_rules.h"

#include "core/arena.h"
#include "formats/table/column_limits.h"
#include "formats/table/dictionary.h"
#include "formats/table/trace_plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NS_PER_S INT64_C(1000000000)

static const ws_column_stats *stats_of(const ws_columns *t, uint32_t column)
{
    return ws_stats_of_column(t->sample, (int32_t)column);
}

static const char *header_of(const ws_columns *t, int32_t column)
{
    return t->plan->header ? t->plan->header[column] : "";
}

static bool has_rows(const ws_columns *t)
{
    return t->sample->n > 0;
}

/* --- whose rows they are --- */

/* Without a header: a word before the stamp, as `echo -n "$(hostname),"` writes it. */
static bool is_node(const ws_columns *t, uint32_t column)
{
    const ws_plan *plan = t->plan;
    return column == 0 && !plan->header && plan->node < 0 && plan->time == 1 && has_rows(t) && !ws_plan_uses(plan, 0) &&
           !stats_of(t, 0)->not_hosts;
}

static void take_node(ws_columns *t, uint32_t column)
{
    t->plan->node = (int32_t)column;
    ws_rule_note(t, "", "no header: column #%u holds words before the stamp and is taken for the node", column + 1);
}

/* No header, no id, and the user has not said how many devices take turns. */
static bool may_have_index(const ws_columns *t)
{
    const ws_plan *plan = t->plan;
    bool has_identity = false;
    for (int role = WS_ROLE_UUID; role <= WS_ROLE_INDEX; role++)
        has_identity |= plan->ids[role] >= 0;
    return !plan->header && !plan->is_wide && !t->context->map->devices && !has_identity;
}

static bool may_be_index(const ws_columns *t, uint32_t column)
{
    return stats_of(t, column)->round && !ws_plan_uses(t->plan, column);
}

static bool is_index(const ws_columns *t, uint32_t column)
{
    for (uint32_t c = 0; c < column; c++)
        if (may_be_index(t, c))
            return false;
    return may_be_index(t, column);
}

static void take_index(ws_columns *t, uint32_t column)
{
    t->plan->ids[WS_ROLE_INDEX] = (int32_t)column;
    ws_rule_note(t, "", "no header: column #%u counts devices in turn and is taken for their index", column + 1);
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

/* "socket,domain" */
static bool names_zones(const ws_columns *t, uint32_t column)
{
    const ws_plan *plan = t->plan;
    return plan->socket >= 0 && plan->node < 0 && plan->ids[WS_ROLE_PART] >= 0 &&
           (int32_t)column == find_part_column(plan) && stats_of(t, column)->distinct >= t->least_zones &&
           are_zones(plan, t->sample, (int32_t)column);
}

static void take_zones(ws_columns *t, uint32_t column)
{
    t->zones = t->plan->ids[WS_ROLE_PART] = (int32_t)column;
}

/* Some cells are neither numbers nor names of a machine's parts. */
static bool names_no_parts(const ws_columns *t, uint32_t column)
{
    return (int32_t)column == t->plan->ids[WS_ROLE_PART] && stats_of(t, column)->not_parts;
}

static void drop_parts(ws_columns *t, uint32_t column)
{
    (void)column;
    t->plan->ids[WS_ROLE_PART] = WS_NO_COLUMN;
}

/* An "index" with a new value in every row, if the rows last more than a second. */
static bool counts_rows(const ws_columns *t, uint32_t column)
{
    size_t n = t->sample->n, distinct = stats_of(t, column)->distinct;
    if ((int32_t)column != t->plan->ids[WS_ROLE_INDEX] || distinct < 3 || distinct < n)
        return false;
    return t->t_ns ? t->t_ns[n - 1] - t->t_ns[0] > NS_PER_S : n > 16;
}

static void drop_row_counter(ws_columns *t, uint32_t column)
{
    t->plan->ids[WS_ROLE_INDEX] = WS_NO_COLUMN;
    ws_rule_note(t, "", "the column '%s' counts rows and is no device number", header_of(t, (int32_t)column));
}

static bool has_stamps_of_their_own(const ws_columns *t)
{
    for (size_t i = 1; t->t_ns && i < t->sample->n; i++)
        if (t->t_ns[i] <= t->t_ns[i - 1])
            return false;
    return t->t_ns && t->sample->n >= 3;
}

/* "gpu,cpu,power" with loads in %: numbers up to 100 that cannot be indices, in rows that all have different stamps. */
static bool holds_loads(const ws_columns *t, uint32_t column)
{
    const ws_column_stats *s = stats_of(t, column);
    return (int32_t)column == t->plan->ids[WS_ROLE_GPU] && s->bare == t->sample->n && s->least >= 0 && s->most <= 100 &&
           s->most >= WS_MOST_GPUS_OF_A_NODE && s->distinct >= 2 && (double)s->distinct <= s->most && !s->round;
}

static void drop_loads(ws_columns *t, uint32_t column)
{
    const char *name = header_of(t, (int32_t)column);
    t->plan->ids[WS_ROLE_GPU] = WS_NO_COLUMN;
    ws_rule_note(t, "", "the column '%s' holds loads and no device numbers (--columns util=%s reads them)", name, name);
}

/* The strongest of the roles for which the plan has this column; WS_ROLE_UNKNOWN: none. */
static ws_role id_role(const ws_columns *t, uint32_t column)
{
    for (int role = WS_ROLE_UUID; role <= WS_ROLE_NAME; role++)
        if (t->plan->ids[role] == (int32_t)column)
            return (ws_role)role;
    return WS_ROLE_UNKNOWN;
}

/* A column named "index" that is 0 in every row must not hide the column that names the device. Among equals the
 * strongest wins: uuid, bus id, number, name. */
static bool tells_most_apart(const ws_columns *t, uint32_t column)
{
    ws_role own = id_role(t, column);
    size_t distinct = stats_of(t, column)->distinct;
    for (int role = WS_ROLE_UUID; role <= WS_ROLE_NAME; role++) {
        size_t other = ws_trace_sample_count(t->sample, t->plan->ids[role]);
        if (other > distinct || (other == distinct && role < (int)own))
            return false;
    }
    return own != WS_ROLE_UNKNOWN && distinct;
}

static void take_identity(ws_columns *t, uint32_t column)
{
    t->plan->identity = id_role(t, column);
    t->plan->n_ids = stats_of(t, column)->distinct;
}

static bool has_identity(const ws_columns *t)
{
    return t->plan->identity != WS_ROLE_UNKNOWN;
}

static bool numbers_devices(const ws_columns *t, uint32_t column)
{
    const ws_plan *plan = t->plan;
    int32_t gpu = plan->ids[WS_ROLE_GPU], index = plan->ids[WS_ROLE_INDEX];
    bool gpu_does = gpu >= 0 && ws_trace_sample_count(t->sample, gpu) == plan->n_ids;
    bool index_does = index >= 0 && ws_trace_sample_count(t->sample, index) == plan->n_ids;
    return gpu_does ? (int32_t)column == gpu : index_does && (int32_t)column == index;
}

static void take_number(ws_columns *t, uint32_t column)
{
    t->plan->number = (int32_t)column;
}

static bool zones_tell_apart(const ws_columns *t)
{
    return t->zones >= 0 && t->plan->identity == WS_ROLE_PART;
}

static void take_sockets(ws_columns *t, uint32_t column)
{
    (void)column;
    t->plan->has_sockets = true;
    t->plan->node = t->plan->socket;
}

static void settle_turns(ws_columns *t, uint32_t column)
{
    (void)column;
    ws_plan_context own = *t->context;
    own.notes = &t->notes[WS_FACT_TURNS];
    t->status = ws_plan_settle_turns(t->plan, &own, t->sample, t->error);
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
static double mean_step_s(const ws_columns *t)
{
    uint32_t owners;
    size_t n = t->sample->n;
    free(ws_trace_sample_owners(t->plan, t->sample, &owners));
    double steps = (double)n / owners - 1;
    return t->t_ns && steps > 0 ? ((double)t->t_ns[n - 1] - (double)t->t_ns[0]) / 1e9 / steps : NAN;
}

/* An interval that disagrees with the stamps may be a setting, or in a unit that its name does not state. */
static bool contradicts_stamps(const ws_columns *t)
{
    if (t->plan->interval < 0 || map_names_interval(t->context->map))
        return false;
    double stated_s = mean_stated_s(t->plan, t->sample), step_s = mean_step_s(t);
    return step_s > 0 && !(stated_s < step_s * WS_INTERVAL_FAR && stated_s > step_s / WS_INTERVAL_FAR);
}

static void drop_interval(ws_columns *t, uint32_t column)
{
    (void)column;
    const char *name = header_of(t, t->plan->interval);
    double stated_s = mean_stated_s(t->plan, t->sample), step_s = mean_step_s(t);
    if (isnan(stated_s))
        ws_rule_note(t, "", "'%s' holds no length of an interval: it is passed over", name);
    else
        ws_rule_note(
            t, "",
            "'%s' says %.4g s a row and the stamps %.4g s: it is passed over (interval= in the column map takes it)",
            name, stated_s, step_s);
    t->plan->interval = WS_NO_COLUMN;
}

/* --- the unit of the time --- */

static int by_length(const void *left, const void *right)
{
    int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    return (a > b) - (a < b);
}

/* The median time between rows that are not of one time, in s; NaN: there is none. */
static double usual_step_s(const ws_columns *t)
{
    int64_t *step = ws_alloc((t->sample->n + 1) * sizeof *step);
    size_t n = 0;
    for (size_t i = 1; t->t_ns && i < t->sample->n; i++)
        if (t->t_ns[i] > t->t_ns[i - 1])
            step[n++] = t->t_ns[i] - t->t_ns[i - 1];
    qsort(step, n, sizeof *step, by_length);
    double usual_s = n ? (double)step[n / 2] / 1e9 : NAN;
    free(step);
    return usual_s;
}

static bool has_parts_of_seconds(const ws_columns *t)
{
    for (size_t i = 0; t->t_ns && i < t->sample->n; i++)
        if (t->t_ns[i] % NS_PER_S)
            return true;
    return false;
}

/* Counts from the start in no unit that is known, and no other column says how long a row lasts. */
static bool has_bare_time(const ws_columns *t)
{
    return t->plan->stamps.form == WS_STAMP_ELAPSED && !t->plan->stamps.unit && t->plan->interval < 0 &&
           t->sample->n >= WS_BARE_TIME_LEAST_ROWS;
}

static bool may_be_milliseconds(const ws_columns *t, uint32_t column)
{
    double least = has_parts_of_seconds(t) ? WS_BARE_PARTED_STEP : WS_BARE_STEP;
    return t->value[column] && t->value[column]->meaning.quantity == WS_POWER && usual_step_s(t) >= least;
}

static void ask_time_unit(ws_columns *t, uint32_t column)
{
    t->value[column]->ask = "ask:unit";
    ws_rule_note(t, t->value[column]->name,
                 "'%s' names no unit: its rows are %.6g s or ms apart, and either may be (--columns unit=s, unit=ms or "
                 "the like says which)",
                 header_of(t, t->plan->time), usual_step_s(t));
}

/* --- commas --- */

/* Does some column of values have this property? */
static bool has_value_with(const ws_columns *t, bool (*holds)(const ws_column_stats *))
{
    for (size_t i = 0; i < t->plan->n_values; i++)
        if (holds(stats_of(t, t->plan->values[i].column)))
            return true;
    return false;
}

static bool has_point(const ws_column_stats *s)
{
    return s->has_point;
}

static bool has_decimal(const ws_column_stats *s)
{
    return s->has_decimal;
}

static bool has_groups_only(const ws_column_stats *s)
{
    return s->has_group && !s->has_whole;
}

static bool has_groups_and_whole(const ws_column_stats *s)
{
    return s->has_group && s->has_whole;
}

static bool has_points(const ws_columns *t)
{
    return t->context->delimiter == ',' || has_value_with(t, has_point);
}

static bool has_decimal_commas(const ws_columns *t)
{
    return has_value_with(t, has_decimal);
}

/* Powers and energies of three decimals throughout, that may as well be a thousand times as much: 1,030 W. */
static bool may_be_thousands(const ws_columns *t, const ws_plan_value *value)
{
    const ws_column_stats *s = stats_of(t, value->column);
    if (!has_groups_only(s) || !ws_is_metered(value->meaning.quantity))
        return false;
    double most_w = value->meaning.domain == WS_GPU ? WS_GPU_MOST_W : WS_ENERGY_MOST_W;
    return value->meaning.quantity != WS_POWER || s->range_of_commas.least * 1000 * value->to_si <= most_w;
}

/* Beside whole numbers of the same column, as in 990, 1,030, they may be thousands, too. */
static bool has_comma_in_all_numbers(const ws_columns *t)
{
    for (size_t i = 0; i < t->plan->n_values; i++)
        if (may_be_thousands(t, &t->plan->values[i]))
            return false;
    return has_value_with(t, has_groups_only) && !has_value_with(t, has_groups_and_whole);
}

static void take_points(ws_columns *t, uint32_t column)
{
    (void)column;
    t->plan->commas = WS_COMMAS_ARE_NOT;
}

static void take_commas(ws_columns *t, uint32_t column)
{
    (void)column;
    t->plan->commas = WS_COMMAS_ARE_DECIMAL;
}

/* --- units --- */

static const ws_number_range *range_of(const ws_columns *t, uint32_t column)
{
    const ws_column_stats *s = stats_of(t, column);
    return t->plan->commas == WS_COMMAS_ARE_DECIMAL ? &s->range_of_commas : &s->range;
}

/* A power that may be a GPU's, in a unit that neither the user nor its cells state. */
static bool has_open_unit(const ws_columns *t, uint32_t column)
{
    const ws_plan_value *value = t->value[column];
    const ws_number_range *range = range_of(t, column);
    return value && value->meaning.quantity == WS_POWER && !value->unit_is_given && value->meaning.domain == WS_GPU &&
           range->n && !range->with_unit;
}

static bool is_too_large(const ws_columns *t, uint32_t column)
{
    return has_open_unit(t, column) && range_of(t, column)->least * t->value[column]->to_si > WS_GPU_MOST_W;
}

static bool is_about_gpus(const ws_columns *t)
{
    return t->plan->is_about_gpus;
}

static bool is_about_others(const ws_columns *t)
{
    return !t->plan->is_about_gpus;
}

static bool is_too_large_in_watts(const ws_columns *t, uint32_t column)
{
    return is_too_large(t, column) && t->value[column]->to_si >= 1;
}

static bool is_too_small_in_milliwatts(const ws_columns *t, uint32_t column)
{
    return has_open_unit(t, column) && range_of(t, column)->most * t->value[column]->to_si < WS_GPU_LEAST_W &&
           t->value[column]->to_si == 1e-3;
}

/* Less than any GPU that is on draws, at its most and not only while it sleeps: the load doubles it. */
static bool is_too_small_in_watts(const ws_columns *t, uint32_t column)
{
    return has_open_unit(t, column) && t->value[column]->to_si == 1 && range_of(t, column)->least > 0 &&
           range_of(t, column)->most < WS_GPU_BUSY_LEAST_W &&
           range_of(t, column)->most > 2 * range_of(t, column)->least;
}

static void ask_watts(ws_columns *t, uint32_t column)
{
    ws_plan_value *power = t->value[column];
    power->ask = "ask:unit";
    ws_rule_note(
        t, power->name,
        "'%s' varies below %g W, which no GPU that computes does: --columns unit=UNIT says which it is (kW, W)",
        power->name, WS_GPU_BUSY_LEAST_W);
}

/* A node or wall meter without a unit, which may be a board in W or a server in kW. */
static bool may_be_kilowatts(const ws_columns *t, uint32_t column)
{
    const ws_plan_value *value = t->value[column];
    const ws_number_range *range = range_of(t, column);
    const ws_span name = ws_span_trim(ws_span_of(value ? value->name : ""));
    return value && value->meaning.quantity == WS_POWER && !value->unit_is_given && !value->meaning.unit &&
           (value->meaning.domain == WS_NODE || value->meaning.domain == WS_WALL) && value->to_si == 1 &&
           !ws_is_board_input(name) && !ws_unit_find(name) && range->n && !range->with_unit && range->most > 0 &&
           range->most <= WS_NODE_MOST_W / 1e3;
}

static void ask_kilowatts(ws_columns *t, uint32_t column)
{
    ws_plan_value *power = t->value[column];
    power->ask = "ask:unit";
    ws_rule_note(t, power->name,
                 "'%s' has at most %g, a board in W or a server in kW: --columns unit=UNIT says which it is (W, kW)",
                 power->name, range_of(t, column)->most);
}

static void note_large_power(ws_columns *t, uint32_t column)
{
    const char *name = t->value[column]->name;
    ws_rule_note(t, name, "'%s' is above %g W throughout: if it is no GPU say domain=node, if it is in mW say unit=mW",
                 name, WS_GPU_MOST_W);
}

static void take_smaller_unit(ws_columns *t, uint32_t column)
{
    ws_plan_value *value = t->value[column];
    bool is_micro = range_of(t, column)->least * value->to_si * 1e-3 > WS_GPU_MOST_W;
    value->to_si *= is_micro ? 1e-6 : 1e-3;
    t->has_wrong_unit = true;
    ws_rule_note(t, value->name,
                 "'%s' is above %g W throughout, so it is read as %s (unit=W in the column map keeps W)", value->name,
                 WS_GPU_MOST_W, is_micro ? "uW" : "mW");
}

static void take_watts(ws_columns *t, uint32_t column)
{
    t->value[column]->to_si = 1;
    t->has_wrong_unit = true;
    ws_rule_note(t, t->value[column]->name,
                 "'%s' is below %g W throughout, so it is read as W (unit=mW in the column map keeps mW)",
                 t->value[column]->name, WS_GPU_LEAST_W);
}

/* Readings of a column whose cells are in W, without a header. */
typedef struct watts_column {
    double mean;
    bool is_constant;
} watts_column;

static bool read_watts(const ws_columns *t, uint32_t column, watts_column *found)
{
    double value, first = NAN, sum = 0;
    size_t n = 0;
    ws_span rest;
    *found = (watts_column){.is_constant = true};
    for (size_t i = 0; i < t->sample->n; i++) {
        if (!ws_span_number(ws_row_cell(t->sample->rows[i], (int32_t)column), &value, &rest))
            continue;
        const ws_unit *unit = ws_unit_find(rest);
        if (!unit || unit->dimension != WS_DIM_POWER)
            return false;
        first = n ? first : value;
        found->is_constant &= value == first;
        sum += value;
        n++;
    }
    found->mean = sum / (double)n;
    return n > 0;
}

/* Of several columns in W the first is taken (name_rules.c). Another one that is constant beside it is the limit; one
 * of about the same mean is an average or the reading of the moment. Else the first may be the limit, or anything. */
static bool is_first_of_other_watts(const ws_columns *t, uint32_t column)
{
    watts_column own, other;
    const ws_plan_value *value = t->value[column];
    if (t->plan->header || t->context->map->n || !value || value->meaning.quantity != WS_POWER ||
        !read_watts(t, column, &own))
        return false;
    for (uint32_t c = 0; c < t->n; c++) {
        bool is_known = c == column || !read_watts(t, c, &other) || (other.is_constant && !own.is_constant) ||
                        fabs(other.mean - own.mean) <= WS_SAME_POWER * own.mean;
        if (!is_known)
            return true;
    }
    return false;
}

static void refuse_watts(ws_columns *t, uint32_t column)
{
    t->status = ws_fail_at(t->error, WS_DATA, t->context->source, t->plan->line,
                           "no header and several columns in W, of which the first, #%u, may be a limit: --columns "
                           "time=#1,power=#N,header=no says which one is the power",
                           column + 1);
}

/* --- columns of one name --- */

/* The next column of the same name whose readings are others; WS_NO_COLUMN: there is none. */
static int32_t other_of_name(const ws_columns *t, uint32_t column)
{
    for (uint32_t c = column + 1; c < t->n; c++) {
        if (t->value[c] || strcmp(header_of(t, (int32_t)c), header_of(t, (int32_t)column)) != 0)
            continue;
        for (size_t i = 0; i < t->sample->n; i++) {
            ws_span own = ws_span_trim(ws_row_cell(t->sample->rows[i], (int32_t)column));
            ws_span other = ws_span_trim(ws_row_cell(t->sample->rows[i], (int32_t)c));
            double number;
            ws_span rest;
            if (ws_span_number(other, &number, &rest) && !ws_span_same(own, other))
                return (int32_t)c;
        }
    }
    return WS_NO_COLUMN;
}

static bool has_header_and_no_map(const ws_columns *t)
{
    return t->plan->header && !t->context->map->n;
}

/* A copy of the first is left out (name_rules.c). */
static bool is_one_of_a_name(const ws_columns *t, uint32_t column)
{
    const ws_plan_value *value = t->value[column];
    return value && ws_is_metered(value->meaning.quantity) && other_of_name(t, column) >= 0;
}

static void ask_which_of_a_name(ws_columns *t, uint32_t column)
{
    ws_plan_value *value = t->value[column];
    const char *key = value->meaning.quantity == WS_POWER ? "power" : value->is_counter ? "counter" : "energy";
    int32_t time = t->plan->time, other = other_of_name(t, column);
    const char *stamp = time >= 0 ? ws_arena_printf(t->context->arena, "time=#%d,", time + 1) : "";
    value->ask = "ask:devices";
    ws_rule_note(t, value->name,
                 "columns #%u and #%d are called '%s' and hold other readings: --columns %s%s=#%u,%s=#%d,devices=2 "
                 "takes each for a device of its own, %s%s=#%u the first alone",
                 column + 1, other + 1, value->name, stamp, key, column + 1, key, other + 1, stamp, key, column + 1);
}

/* Loads from 0 to 1. */
static bool is_share(const ws_columns *t, uint32_t column)
{
    const ws_plan_value *value = t->value[column];
    const ws_number_range *range = range_of(t, column);
    return value && (value->meaning.quantity == WS_UTIL || value->meaning.quantity == WS_MEM_UTIL) &&
           !value->meaning.unit && range->n && range->most <= 1 && range->has_fraction;
}

static void take_share(ws_columns *t, uint32_t column)
{
    t->value[column]->to_si = 1;
}

static bool has_wrong_unit(const ws_columns *t)
{
    return t->has_wrong_unit;
}

static void doubt_energy(ws_columns *t, uint32_t column)
{
    ws_plan_value *value = t->value[column];
    value->meaning.preference = WS_DOUBTFUL;
    ws_rule_note(t, value->name, "the unit of the power beside it is wrong, so that the logger's own '%s' may be, too",
                 value->name);
}

static bool is_power_of_others(const ws_columns *t, uint32_t column)
{
    const ws_plan_value *value = t->value[column];
    return value && value->meaning.quantity == WS_POWER && value->meaning.domain != WS_GPU && value->to_si == 1 &&
           !value->ask;
}

static void doubt_power(ws_columns *t, uint32_t column)
{
    const char *name = t->value[column]->name;
    ws_rule_note(t, name,
                 "the unit of the GPUs' power is wrong, so that of '%s' may be, too, and is kept (unit= in the column "
                 "map gives all powers one)",
                 name);
}

/* --- domains --- */

/* Neither the user nor a column that only GPU logs have says whose the powers are. */
static bool has_open_domains(const ws_columns *t)
{
    const ws_plan *plan = t->plan;
    return plan->header && !plan->is_marked && !t->context->map->n && !t->context->map->gives_domain &&
           plan->identity != WS_ROLE_PART;
}

static bool names_no_owner(const ws_columns *t, uint32_t column)
{
    const ws_plan_value *value = t->value[column];
    return value && ws_is_metered(value->meaning.quantity) && value->meaning.domain == WS_GPU &&
           !value->meaning.names_domain && !value->meaning.device.n;
}

/* The domain does not change the sum, but the table prints it. */
static void note_assumed_domain(ws_columns *t, uint32_t column)
{
    ws_rule_note(t, "",
                 "nothing says whose power '%s' is: it is taken for a GPU's (--columns domain=node, or cpu, dram, "
                 "wall, other, says otherwise)",
                 t->value[column]->name);
}

/* --- the rules --- */

#define BEFORE_TURNS                                                                                          \
    (WS_FACT(NODE) | WS_FACT(INDEX) | WS_FACT(ZONES) | WS_FACT(NO_ID) | WS_FACT(IDENTITY) | WS_FACT(NUMBER) | \
     WS_FACT(SOCKET))

static const ws_column_rule rules_of_readings[] = {
    {"host-before-stamp", WS_FACT_NODE, 1, 0, NULL, is_node, take_node, WS_FINDING_ASSUMED_NODE,
     "echo -n \"$(hostname),\" before nvidia-smi --format=csv,noheader"},
    {"numbers-in-turn", WS_FACT_INDEX, 1, WS_FACT(NODE), may_have_index, is_index, take_index,
     WS_FINDING_ASSUMED_DEVICE, "nvidia-smi --query-gpu=timestamp,index,power.draw --format=csv,noheader"},
    {"socket-and-zone", WS_FACT_ZONES, 1, WS_FACT(NODE), NULL, names_zones, take_zones, 0,
     "'#timestamp,interval,socket,domain,energy,power': the files of rapl-interval-csv; all words are zones of RAPL"},
    {"no-parts", WS_FACT_NO_ID, 3, WS_FACT(ZONES), NULL, names_no_parts, drop_parts, 0,
     "no guess: words that are not known tell no devices apart"},
    {"row-counter", WS_FACT_NO_ID, 2, WS_FACT(INDEX), has_rows, counts_rows, drop_row_counter, WS_FINDING_ROW_COUNTER,
     "no guess: no node has a new device in every row; the index of pandas' to_csv"},
    {"load-column", WS_FACT_NO_ID, 1, WS_FACT(INDEX), has_stamps_of_their_own, holds_loads, drop_loads,
     WS_FINDING_LOAD_COLUMN, "no guess: it is left out, as more numbers than GPUs fit into a node are no indices"},
    {"tells-most-apart", WS_FACT_IDENTITY, 1, WS_FACT(NO_ID) | WS_FACT(ZONES), NULL, tells_most_apart, take_identity, 0,
     "an index that is 0 for eight GPUs beside their uuids: gpu80gb_x8_tz_mislabelled.csv of gpu-wrapper-csv"},
    {"numbers-of-devices", WS_FACT_NUMBER, 1, WS_FACT(IDENTITY), has_identity, numbers_devices, take_number, 0,
     "'timestamp, index, name, pci.bus_id': rtx2070_repeated_header.csv of nvidia-smi-csv"},
    {"zones-tell-apart", WS_FACT_SOCKET, 1, WS_FACT(IDENTITY), zones_tell_apart, NULL, take_sockets, 0,
     "as socket-and-zone, where no other column tells more devices apart"},
    {"turns", WS_FACT_TURNS, 1, BEFORE_TURNS, NULL, NULL, settle_turns, 0, "trace_turns.c"},

    {"interval-of-others", WS_FACT_INTERVAL, 1, WS_FACT(TURNS), contradicts_stamps, NULL, drop_interval,
     WS_FINDING_INTERVAL_MISFIT, "no guess: it disagrees with the stamps"},

    {"seconds-or-milliseconds", WS_FACT_CLOCK, 1, WS_FACT(INTERVAL), has_bare_time, may_be_milliseconds, ask_time_unit,
     WS_FINDING_ASK_UNIT, "no guess: it is asked for; loggers poll every 10 ms as well as every 10 s"},

    {"points-are-decimal", WS_FACT_COMMAS, 3, 0, has_points, NULL, take_points, 0, "no guess: numbers have points"},
    {"commas-must-be-decimal", WS_FACT_COMMAS, 2, 0, has_decimal_commas, NULL, take_commas, 0,
     "no guess: '1,5' and '1,2345' part no thousands"},
    {"commas-in-all-numbers", WS_FACT_COMMAS, 1, 0, has_comma_in_all_numbers, NULL, take_commas, 0,
     "proven: as thousands they would be more than anything draws"},

    {"too-large-for-gpus", WS_FACT_UNIT, 4, WS_FACT(COMMAS), is_about_gpus, is_too_large_in_watts, take_smaller_unit,
     WS_FINDING_IMPLAUSIBLE_UNIT, "jetson_milliwatt_named_w.csv of gpu-wrapper-csv: no GPU draws kilowatts"},
    {"too-small-for-gpus", WS_FACT_UNIT, 3, WS_FACT(COMMAS), NULL, is_too_small_in_milliwatts, take_watts,
     WS_FINDING_IMPLAUSIBLE_UNIT, "'Timestamp (s),Power (mW)' over 4.39: logs of E2FL, a public repository"},
    {"too-small-in-watts", WS_FACT_UNIT, 5, WS_FACT(COMMAS), is_about_gpus, is_too_small_in_watts, ask_watts,
     WS_FINDING_ASK_UNIT, "no guess: it is asked for"},
    {"kilowatts-of-nodes", WS_FACT_UNIT, 6, WS_FACT(COMMAS), NULL, may_be_kilowatts, ask_kilowatts, WS_FINDING_ASK_UNIT,
     "no guess: it is asked for"},
    {"too-large-for-others", WS_FACT_UNIT, 2, WS_FACT(COMMAS), is_about_others, is_too_large, note_large_power,
     WS_FINDING_IMPLAUSIBLE_POWER, "no guess: it is read as it stands"},
    {"load-as-share", WS_FACT_UNIT, 1, WS_FACT(COMMAS), NULL, is_share, take_share, 0,
     "torch.cuda.utilization and NVML state percent, loggers of it divide by 100; no energy depends on it"},
    {"energy-beside-wrong-unit", WS_FACT_DOUBT, 2, WS_FACT(UNIT), has_wrong_unit, ws_holds_energy, doubt_energy,
     WS_FINDING_IMPLAUSIBLE_ENERGY, "no guess: jetson_milliwatt_named_w.csv states kWh that are as wrong as its W"},
    {"power-beside-wrong-unit", WS_FACT_DOUBT, 1, WS_FACT(UNIT), has_wrong_unit, is_power_of_others, doubt_power,
     WS_FINDING_DOUBTFUL_UNIT, "no guess: it is read as it stands"},

    {"one-of-a-name", WS_FACT_DOUBT, 4, WS_FACT(UNIT), has_header_and_no_map, is_one_of_a_name, ask_which_of_a_name,
     WS_FINDING_ASK_DEVICES,
     "no guess: two CPUs or GPUs whose columns are called alike, as logs of Open Hardware Monitor"},
    {"one-of-several-watts", WS_FACT_DOUBT, 3, WS_FACT(UNIT), has_rows, is_first_of_other_watts, refuse_watts, 0,
     "no guess: it is asked for"},

    {"power-of-nobody", WS_FACT_DOMAIN, 1, WS_FACT(IDENTITY), has_open_domains, names_no_owner, note_assumed_domain,
     WS_FINDING_ASSUMED_DOMAIN, "minimal_50ms.csv of nvidia-smi-csv: 'timestamp, power.draw [W]'"},
};
const ws_rule_table ws_reading_rules = {rules_of_readings, sizeof rules_of_readings / sizeof *rules_of_readings};

static bool has_bare_power(const ws_plan *plan)
{
    for (size_t v = 0; v < plan->n_values; v++)
        if (plan->values[v].meaning.quantity == WS_POWER && !plan->values[v].meaning.unit)
            return true;
    return false;
}

static bool reading_rules_has_energy(const ws_plan *plan)
{
    for (size_t v = 0; v < plan->n_values; v++)
        if (ws_is_energy(plan->values[v].meaning.quantity))
            return true;
    return false;
}

/* The table that the rules over readings work on. */
static ws_columns columns_of(ws_plan *plan, const ws_plan_context *context, const ws_trace_sample *sample,
                             ws_error *error)
{
    ws_columns t = {.context = context,
                    .plan = plan,
                    .n = plan->n_columns,
                    .sample = sample,
                    .least_zones = 2,
                    .zones = WS_NO_COLUMN,
                    .tables = {&ws_reading_rules, has_bare_power(plan) ? &ws_power_rules : NULL,
                               reading_rules_has_energy(plan) ? &ws_energy_rules : NULL},
                    .error = error};
    t.value = ws_alloc((t.n + 1) * sizeof *t.value);
    t.steps = ws_alloc((t.n + 1) * sizeof *t.steps);
    t.level = ws_alloc((t.n + 1) * sizeof *t.level);
    for (size_t v = 0; v < plan->n_values; v++)
        t.value[plan->values[v].column] = &plan->values[v];
    return t;
}

static void free_columns(ws_columns *t)
{
    free(t->value);
    free(t->steps);
    free(t->level);
    free(t->t_ns);
}

ws_status ws_plan_decide_readings(ws_plan *plan, const ws_plan_context *context, const ws_trace_sample *sample,
                                  ws_error *error)
{
    ws_columns t = columns_of(plan, context, sample, error);
    t.t_ns = ws_trace_sample_stamps(plan, sample);
    ws_status status = ws_columns_decide(&t, WS_FACTS_OF_READINGS);
    free_columns(&t);
    return status;
}

void ws_plan_decide_identity(ws_plan *plan, const ws_plan_context *context, const ws_trace_sample *sample,
                             bool may_name_zones)
{
    ws_columns t = columns_of(plan, context, sample, NULL);
    t.least_zones = may_name_zones ? 1 : SIZE_MAX;
    ws_columns_decide(&t, WS_FACT(ZONES) | WS_FACT(NO_ID) | WS_FACT(IDENTITY) | WS_FACT(NUMBER) | WS_FACT(SOCKET));
    free_columns(&t);
}
