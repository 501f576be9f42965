#include "formats/table/trace_sample.h"

#include "core/arena.h"
#include "formats/table/column_limits.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NS_PER_S INT64_C(1000000000)

bool ws_cell_is_date(ws_span cell)
{
    ws_stamp_form form = ws_stamp_guess(cell);
    return form == WS_STAMP_YMD || form == WS_STAMP_DMY || form == WS_STAMP_MDY || form == WS_STAMP_CTIME;
}

bool ws_plan_uses(const ws_plan *plan, uint32_t column)
{
    int32_t c = (int32_t)column;
    bool is_used = c == plan->time || c == plan->date || c == plan->interval || c == plan->node || c == plan->name;
    for (int role = WS_ROLE_UUID; role <= WS_ROLE_NAME; role++)
        is_used |= c == plan->ids[role];
    for (size_t v = 0; v < plan->n_values; v++)
        is_used |= column == plan->values[v].column;
    return is_used;
}

bool ws_plan_may_be_of_nodes(const ws_plan *plan, const ws_plan_context *context)
{
    return plan->identity != WS_ROLE_UUID && plan->node < 0 && !context->node_is_given;
}

ws_span ws_plan_stamp(const ws_plan *plan, const ws_row *row, char *buffer)
{
    ws_span time = ws_row_cell(row, plan->time);
    if (plan->date < 0)
        return ws_timecol_point(&plan->stamps, buffer, time);
    return ws_timecol_join(buffer, ws_row_cell(row, plan->date), time);
}

/* "1,000" with that sign: three digits behind it, up to three and no 0 before. */
static bool is_of_thousands(ws_span cell, char sign)
{
    enum { GROUP = 3 };
    const char *comma = memchr(cell.p, sign, cell.n);
    size_t front = comma ? (size_t)(comma - cell.p) : 0, behind = 0;
    while (comma && comma + 1 + behind < cell.p + cell.n && comma[1 + behind] >= '0' && comma[1 + behind] <= '9')
        behind++;
    return front && front <= GROUP && behind == GROUP && *cell.p != '0';
}

bool ws_is_of_thousands(ws_span cell)
{
    return is_of_thousands(cell, ',');
}

ws_span ws_plan_point(const ws_plan *plan, char *buffer, ws_span cell)
{
    char decimal;
    ws_span plain = ws_span_without_groups(cell, buffer, WS_POINT_CELL, &decimal);
    ws_commas other = decimal == '.' ? WS_COMMAS_ARE_DECIMAL : WS_COMMAS_ARE_NOT;
    if (plain.p == buffer && (!decimal || plan->commas != other))
        return plain;
    bool is_decimal = plan->commas == WS_COMMAS_ARE_DECIMAL ||
                      (plan->commas == WS_COMMAS_UNKNOWN && cell.n < WS_POINT_CELL && !ws_is_of_thousands(cell));
    return is_decimal ? ws_span_with_point(cell, buffer, WS_POINT_CELL) : cell;
}

bool ws_plan_read_interval(const ws_plan *plan, ws_span cell, int64_t *ns)
{
    double number;
    if (plan->interval_to_s < 1 && ws_span_double(cell, &number) && fabs(number) < 1e12) {
        *ns = (int64_t)(number * plan->interval_to_s * 1e9 + 0.5);
        return true;
    }
    return ws_seconds_to_ns(cell, ns);
}

bool ws_value_read(const ws_plan_value *value, ws_span cell, double *number)
{
    size_t n = ws_span_decimal(cell, number);
    if (n && n == cell.n) {
        if (value->is_blank && value->is_blank(value->meaning.quantity, *number))
            return false;
        *number = value->per_si > 0 ? *number / value->per_si : *number * value->to_si;
        return true;
    }
    if (n && cell.n - n == value->cell_unit_n && ws_same_bytes(cell.p + n, value->cell_unit, value->cell_unit_n)) {
        *number *= value->cell_to_si;
        return true;
    }
    *number = NAN;
    return ws_span_is_missing(cell);
}

const char *ws_list_cells(ws_arena *arena, const ws_span *cells, uint32_t n)
{
    enum { MOST = 24 };
    const char *list = n ? "" : "none";
    for (uint32_t c = 0; c < n && c < MOST; c++)
        list = ws_arena_printf(arena, "%s%s%.*s", list, c ? ", " : "", WS_SPAN_ARG(cells[c]));
    return n > MOST ? ws_arena_printf(arena, "%s ...", list) : list;
}

/* Reads through a copy of the column, which leaves the plan as it is. */
int64_t *ws_trace_sample_stamps(const ws_plan *plan, const ws_trace_sample *sample)
{
    ws_timecol stamps = plan->stamps;
    char buffer[WS_STAMP_CELLS];
    int64_t *t = ws_alloc((sample->n + 1) * sizeof *t);
    for (size_t i = 0; i < sample->n; i++) {
        if (plan->time < 0 || !ws_timecol_read(&stamps, ws_plan_stamp(plan, sample->rows[i], buffer), &t[i])) {
            free(t);
            return NULL;
        }
    }
    return t;
}

uint32_t *ws_trace_sample_owners(const ws_plan *plan, const ws_trace_sample *sample, uint32_t *n)
{
    uint32_t *owner = ws_alloc((sample->n + 1) * sizeof *owner);
    const ws_row **first = ws_alloc((sample->n + 1) * sizeof *first);
    int32_t id = plan->is_wide ? WS_NO_COLUMN : plan->ids[plan->identity];
    *n = 0;
    for (size_t i = 0; i < sample->n; i++) {
        const ws_row *row = sample->rows[i];
        uint32_t s = plan->positions > 1 ? (uint32_t)(i % plan->positions) : 0;
        while (plan->positions <= 1 && s < *n &&
               !(ws_span_same(ws_row_cell(row, id), ws_row_cell(first[s], id)) &&
                 ws_span_same(ws_row_cell(row, plan->node), ws_row_cell(first[s], plan->node))))
            s++;
        if (s >= *n)
            first[(*n)++] = row;
        owner[i] = s;
    }
    free(first);
    return owner;
}

/* --- one pass over the first rows --- */

/* What the pass remembers of a column. */
typedef struct column_pass {
    uint32_t *slots; /* a hash table: place among the texts + 1, 0: empty */
    ws_span *texts;  /* different ones, the missing ones as well */
    size_t n_texts;
    int16_t
        *first_round; /* the numbers of the first round as long as the column may count devices in turn; else NULL */
    size_t round;     /* how many; `is_closed`: the second has begun */
    bool is_closed;
    ws_span behind; /* the last text behind a number, and whether that is a unit */
    bool behind_is_unit;
} column_pass;

/* Is this the first occurrence of the text? Beyond the most that are kept every text counts as new. */
static bool is_new_text(ws_arena *arena, column_pass *pass, size_t most, ws_span text)
{
    size_t n_slots = 2 * most;
    uint64_t hash = UINT64_C(14695981039346656037); /* FNV-1a */
    for (size_t i = 0; i < text.n; i++)
        hash = (hash ^ (unsigned char)text.p[i]) * UINT64_C(1099511628211);
    if (!pass->slots) {
        pass->slots = ws_arena_alloc(arena, n_slots * sizeof *pass->slots);
        pass->texts = ws_arena_alloc(arena, most * sizeof *pass->texts);
    }
    size_t at = (hash ^ hash >> 32) % n_slots;
    for (; pass->slots[at]; at = (at + 1) % n_slots)
        if (ws_span_same(pass->texts[pass->slots[at] - 1], text))
            return false;
    if (pass->n_texts < most) {
        pass->texts[pass->n_texts++] = text;
        pass->slots[at] = (uint32_t)pass->n_texts;
    }
    return true;
}

/* "n01": one word that does not name a device, and is not "[N/A]" or the like. */
static bool is_host(ws_span cell, const ws_device_name *device)
{
    bool is_word = cell.n > 1 && ((*cell.p >= 'a' && *cell.p <= 'z') || (*cell.p >= 'A' && *cell.p <= 'Z'));
    return is_word && !memchr(cell.p, ' ', cell.n) && !memchr(cell.p, ':', cell.n) &&
           (!device->is_known || device->domain == WS_NODE);
}

/* The number at the beginning of a cell and what stands behind it. */
typedef struct column_number {
    bool is_there, has_unit, is_grouped;
    char decimal; /* of one with groups of thousands */
    double x;
    ws_span rest;
} column_number;

static column_number number_of(ws_span cell)
{
    column_number number = {.rest = {"", 0}};
    char buffer[WS_POINT_CELL];
    ws_span plain = ws_span_without_groups(cell, buffer, sizeof buffer, &number.decimal);
    number.is_grouped = plain.p == buffer;
    number.is_there = ws_span_number(plain, &number.x, &number.rest);
    if (number.is_grouped)
        number.rest = (ws_span){cell.p + cell.n - number.rest.n, number.rest.n};
    return number;
}

/* The unit of a column is mostly that of the cell above. */
static bool is_unit(column_pass *pass, ws_span behind)
{
    if (behind.n && !(pass->behind.n && ws_span_same(pass->behind, behind))) {
        pass->behind = behind;
        pass->behind_is_unit = ws_unit_find(behind);
    }
    return behind.n && pass->behind_is_unit;
}

/* What begins with a number is not missing, and with its unit or without it names nothing. */
static void add_text(ws_column_stats *stats, ws_span cell, const column_number *number)
{
    int64_t whole;
    bool is_whole = number->is_there && !number->rest.n && ws_span_i64(cell, &whole);
    bool is_missing = !number->is_there && ws_span_is_missing(cell);
    bool is_reading = number->is_there && (!number->rest.n || number->has_unit);
    ws_device_name name = is_reading ? (ws_device_name){.is_known = false} : ws_device_name_of(cell);
    stats->distinct += !is_missing && stats->distinct < WS_DISTINCT_MOST;
    stats->not_parts += !(name.is_known || name.is_total || is_whole || is_missing);
    stats->not_hosts += !is_host(cell, &name);
}

/* A cell of a table of runs that holds a whole series: "49.68,57.02,55.76,108.37". */
static bool is_series(ws_span cell)
{
    size_t numbers = 0;
    ws_span piece;
    double value;
    while (ws_span_split(&cell, ',', &piece)) {
        if (!ws_span_double(piece, &value))
            return false;
        numbers++;
    }
    return numbers >= WS_SERIES_LEAST;
}

static void add_to_range(ws_number_range *range, double x, bool has_unit)
{
    if (x == 0 || x == WS_AMD_NO_READING)
        return;
    range->with_unit += has_unit;
    range->least = fmin(range->least, x);
    range->most = fmax(range->most, x);
    range->has_fraction |= x != floor(x);
    range->n++;
}

static void add_spelling(ws_column_stats *stats, ws_span cell, double x, ws_span rest)
{
    bool is_comma = rest.n > 1 && *rest.p == ',' && rest.p[1] >= '0' && rest.p[1] <= '9';
    bool is_group = is_comma && ws_is_of_thousands(cell);
    bool is_point = memchr(cell.p, '.', cell.n) != NULL, is_point_group = is_point && is_of_thousands(cell, '.');
    stats->has_point |= is_point;
    stats->has_decimal |= is_comma && !is_group;
    stats->has_group |= is_group;
    stats->has_whole |= !is_comma && x != 0;
    stats->has_other_point |= is_point && !is_point_group;
    stats->n_point_groups += is_point_group;
    if (is_point_group)
        stats->most_point_group = fmax(stats->most_point_group, x);
    else if (!is_point && !is_comma)
        stats->most_whole = fmax(stats->most_whole, x);
}

/* As add_spelling, of a number with groups of thousands: the sign before its decimals, or 0. */
static void add_grouped(ws_column_stats *stats, char decimal)
{
    stats->has_point |= decimal == '.';
    stats->has_decimal |= decimal == ',';
    stats->has_whole |= !decimal;
}

static void add_number(ws_column_stats *stats, ws_span cell, column_number number)
{
    char buffer[WS_POINT_CELL];
    if (number.is_there) {
        if (number.is_grouped)
            add_grouped(stats, number.decimal);
        else
            add_spelling(stats, cell, number.x, number.rest);
        add_to_range(&stats->range, number.x, number.has_unit);
        stats->bare += !number.rest.n;
        stats->least = number.rest.n ? stats->least : fmin(stats->least, number.x);
        stats->most = number.rest.n ? stats->most : fmax(stats->most, number.x);
    }
    ws_span with_point = ws_span_with_point(cell, buffer, sizeof buffer);
    if (with_point.p == buffer && !number.is_grouped) {
        number = number_of(with_point);
        number.has_unit = number.rest.n && ws_unit_find(number.rest);
    }
    if (number.is_there)
        add_to_range(&stats->range_of_commas, number.x, number.has_unit);
}

/* A column counts devices if its whole numbers rise and then repeat in the same order. */
static void count_turns(ws_arena *arena, column_pass *pass, size_t most, size_t row, ws_span cell)
{
    int64_t index;
    bool is_index = ws_span_i64(cell, &index) && index >= 0 && index <= WS_LARGEST_INDEX;
    if (row == 0 && is_index)
        pass->first_round = ws_arena_alloc(arena, most * sizeof *pass->first_round);
    if (!pass->first_round)
        return;
    pass->is_closed |= row && (!is_index || index <= pass->first_round[pass->round - 1]);
    if (is_index && !pass->is_closed)
        pass->first_round[pass->round++] = (int16_t)index;
    else if (!is_index || index != pass->first_round[row % pass->round])
        pass->first_round = NULL;
}

/* most: rows, or different texts that are kept. */
static void add_cell(ws_arena *arena, ws_column_stats *stats, column_pass *pass, size_t most, size_t row, ws_span cell)
{
    column_number number = number_of(cell);
    number.has_unit = is_unit(pass, number.rest);
    if (is_new_text(arena, pass, most, cell))
        add_text(stats, cell, &number);
    add_number(stats, cell, number);
    count_turns(arena, pass, most, row, cell);
    if (!stats->first_series && cell.n && !number.is_grouped && memchr(cell.p, ',', cell.n) && is_series(cell))
        stats->first_series = row + 1;
}

ws_trace_sample ws_trace_sample_of(ws_arena *arena, const ws_row *const *rows, const uint32_t *turn, size_t n,
                                   uint32_t n_columns)
{
    const ws_number_range none = {.least = INFINITY, .most = -INFINITY};
    ws_column_stats *stats = ws_arena_alloc(arena, (n_columns + 1) * sizeof *stats);
    ws_arena of_pass = {0};
    column_pass *pass = ws_arena_alloc(&of_pass, (n_columns + 1) * sizeof *pass);
    for (uint32_t c = 0; c < n_columns; c++)
        stats[c] = (ws_column_stats){.least = INFINITY, .most = -INFINITY, .range = none, .range_of_commas = none};
    for (size_t i = 0; i < n; i++)
        for (uint32_t c = 0; c < n_columns; c++)
            add_cell(&of_pass, &stats[c], &pass[c], n < WS_DISTINCT_MOST ? n : WS_DISTINCT_MOST, i,
                     ws_row_cell(rows[i], (int32_t)c));
    for (uint32_t c = 0; c < n_columns; c++)
        if (pass[c].first_round && pass[c].round >= 2 && n >= WS_LEAST_ROUNDS * pass[c].round)
            stats[c].round = pass[c].round;
    ws_arena_free(&of_pass);
    return (ws_trace_sample){rows, turn, n, stats, n_columns};
}

const ws_column_stats *ws_stats_of_column(const ws_trace_sample *sample, int32_t column)
{
    static const ws_column_stats nothing = {.least = INFINITY, .most = -INFINITY};
    return column < 0 || (uint32_t)column >= sample->n_columns ? &nothing : &sample->columns[column];
}

size_t ws_trace_sample_count(const ws_trace_sample *sample, int32_t column)
{
    return ws_stats_of_column(sample, column)->distinct;
}

bool ws_trace_sample_counts_in_turn(const ws_trace_sample *sample, uint32_t column)
{
    return ws_stats_of_column(sample, (int32_t)column)->round > 0;
}

/* --- steps of energies --- */

/* One row of a device. */
typedef struct device_reading {
    bool is_there;
    double joules, watts;
    int64_t t_ns;
} device_reading;

double ws_plan_reading(const ws_plan *plan, const ws_plan_value *value, const ws_row *row, bool *has_unit)
{
    double x;
    char buffer[WS_POINT_CELL];
    ws_span rest, cell = ws_plan_point(plan, buffer, ws_row_cell(row, (int32_t)value->column));
    if (!ws_span_number(cell, &x, &rest))
        return NAN;
    const ws_unit *unit = rest.n ? ws_unit_find(rest) : NULL;
    *has_unit |= unit != NULL;
    return x * (unit ? unit->to_si : value->to_si);
}

static void add_step(ws_column_steps *all, const device_reading *before, const device_reading *now)
{
    double rise = now->joules - before->joules, seconds = ((double)now->t_ns - (double)before->t_ns) / 1e9;
    all->rises += rise > 0;
    all->falls += rise < 0;
    all->risen_j += fmax(rise, 0);
    all->fallen_j += fmax(-rise, 0);
    all->sum_j += now->joules;
    all->largest_rise = fmax(all->largest_rise, rise);
    if (rise < 0) {
        all->smallest_fall = fmin(all->smallest_fall, -rise);
        all->largest_beginning = fmax(all->largest_beginning, now->joules);
    }
    if (seconds > 0) {
        all->seconds += seconds;
        all->power_j += (before->watts + now->watts) / 2 * seconds;
    }
}

ws_column_steps ws_column_steps_of(const ws_plan *plan, const ws_trace_sample *sample, const ws_plan_value *value,
                                   const ws_plan_value *power)
{
    ws_column_steps all = {.smallest_fall = INFINITY};
    int64_t *t_ns = ws_trace_sample_stamps(plan, sample);
    uint32_t n;
    uint32_t *owner = ws_trace_sample_owners(plan, sample, &n);
    device_reading *before = ws_alloc((n + 1) * sizeof *before);
    for (size_t i = 0; i < sample->n; i++) {
        bool any_unit = false;
        device_reading now = {.is_there = true, .t_ns = t_ns ? t_ns[i] : 0};
        now.joules = ws_plan_reading(plan, value, sample->rows[i], &all.has_unit);
        now.watts = power ? ws_plan_reading(plan, power, sample->rows[i], &any_unit) : 0;
        if (isnan(now.joules) || now.joules == 0)
            continue;
        if (isnan(now.watts))
            now.watts = before[owner[i]].watts;
        all.n++;
        if (before[owner[i]].is_there)
            add_step(&all, &before[owner[i]], &now);
        else
            all.devices++;
        before[owner[i]] = now;
    }
    free(before);
    free(owner);
    free(t_ns);
    return all;
}

/* --- signs that several devices take turns --- */

/* Rows that repeat each other are one device that was polled faster than it updates, not several devices. */
bool ws_turns_rows_differ(const ws_plan *plan, const ws_row *a, const ws_row *b)
{
    for (size_t v = 0; v < plan->n_values; v++) {
        int32_t column = (int32_t)plan->values[v].column;
        if (!ws_span_same(ws_row_cell(a, column), ws_row_cell(b, column)))
            return true;
    }
    return false;
}

static int compare_ns(const void *left, const void *right)
{
    int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    return (a > b) - (a < b);
}

/* The median time over `lag` rows, and the share of such times that are about as long. */
int64_t ws_turns_usual_time(const ws_turns *x, size_t lag, double *share)
{
    size_t n = x->n - lag, usual = 0;
    for (size_t i = 0; i < n; i++)
        x->scratch[i] = x->t[i + lag] - x->t[i];
    qsort(x->scratch, n, sizeof *x->scratch, compare_ns);
    int64_t median = x->scratch[n / 2];
    for (size_t i = 0; i < n; i++)
        usual += fabs((double)(x->scratch[i] - median)) <= WS_TURNS_USUAL * (double)median;
    *share = (double)usual / (double)n;
    return median;
}

/* Mean difference of readings `lag` rows apart; NaN: there are none. */
static double mean_difference(const double *value, size_t n, size_t lag)
{
    double sum = 0;
    size_t pairs = 0;
    for (size_t i = lag; i < n; i++) {
        double d = fabs(value[i] - value[i - lag]);
        sum += isnan(d) ? 0 : d;
        pairs += isnan(d) ? 0 : 1;
    }
    return pairs ? sum / (double)pairs : NAN;
}

/* The fewest rows after which the readings come back although they differ from row to row: so many devices take turns.
 * 0: they do not. */
size_t ws_turns_rows_to_return(const ws_turns *x, const double *value, double most)
{
    double neighbours = value ? mean_difference(value, x->n, 1) : NAN;
    for (size_t lag = 2; neighbours > 0 && lag <= WS_TURNS_MOST && lag * WS_TURNS_LEAST_POLLS <= x->n; lag++)
        if (mean_difference(value, x->n, lag) <= most * neighbours)
            return lag;
    return 0;
}

/* Rows that follow another one closely mostly say something else: a device that is polled faster than it updates
 * repeats itself. */
bool ws_turns_are_fresh(const ws_turns *x, int64_t close_ns)
{
    size_t fresh = 0, close = 0;
    for (size_t i = 1; i < x->n; i++) {
        if (x->t[i] - x->t[i - 1] > close_ns)
            continue;
        close++;
        fresh += ws_turns_rows_differ(x->plan, x->sample.rows[i - 1], x->sample.rows[i]);
    }
    return fresh * 2 > close;
}

/* How many rows are in most polls, where a step of half the usual time between polls parts them. */
static size_t usual_size(const ws_turns *x, int64_t poll_ns, size_t *polls)
{
    size_t alike[WS_TURNS_MOST + 1] = {0}, first = 0, best = 0;
    *polls = 0;
    for (size_t i = 1; i <= x->n; i++) {
        if (i < x->n && x->t[i] - x->t[i - 1] < poll_ns / 2)
            continue;
        ++*polls;
        if (i - first <= WS_TURNS_MOST)
            alike[i - first]++;
        first = i;
    }
    for (size_t k = 1; k <= WS_TURNS_MOST; k++)
        best = alike[k] > alike[best] ? k : best;
    return alike[best] * 2 > *polls ? best : 0;
}

bool ws_turns_repeat_stamps(const ws_turns *x)
{
    size_t repeats = 0;
    for (size_t i = 1; i < x->n; i++)
        repeats += x->t[i] == x->t[i - 1];
    return (double)repeats >= WS_TURNS_SHARED * (double)x->n;
}

/* Rows of one time with one power are of one device, as a row for each of its processes. */
static bool share_powers(const ws_turns *x)
{
    size_t pairs = 0, same = 0;
    for (size_t i = 1; x->power && i < x->n; i++) {
        pairs += x->t[i] == x->t[i - 1];
        same += x->t[i] == x->t[i - 1] && !(x->power[i] < x->power[i - 1] || x->power[i] > x->power[i - 1]);
    }
    return same * 2 > pairs;
}

/* "15:36:53" among the text. */
static bool has_seconds(ws_span text)
{
    for (size_t i = 0; i + 5 < text.n; i++)
        if (text.p[i] == ':' && text.p[i + 3] == ':')
            return true;
    return false;
}

/* What stamps are written to, where that is more than a second: "2026-01-03 15:36", "2026-01-03". */
static int64_t unit_as_written(const ws_turns *x)
{
    char buffer[WS_STAMP_CELLS];
    ws_span text = ws_plan_stamp(x->plan, x->sample.rows[0], buffer);
    size_t digits = 0;
    if (x->plan->stamps.form == WS_STAMP_EPOCH || x->plan->stamps.form == WS_STAMP_ELAPSED || has_seconds(text))
        return NS_PER_S;
    for (size_t i = 0; i < text.n; i++)
        digits += text.p[i] >= '0' && text.p[i] <= '9';
    if (text.n && memchr(text.p, ':', text.n))
        return 60 * NS_PER_S;
    return digits <= 8 ? 86400 * NS_PER_S : NS_PER_S;
}

/* Polls so far apart that rounding is not what makes stamps of their rows equal. */
static bool outlast_rounding(const ws_turns *x, int64_t poll_ns)
{
    int64_t unit = unit_as_written(x);
    for (size_t i = 0; i < x->n; i++)
        while (unit > 1 && x->t[i] % unit)
            unit = unit > NS_PER_S ? NS_PER_S : unit / 10;
    return poll_ns >= WS_TURNS_STAMP_UNITS * unit;
}

/* No step is half as long as another: then none lies inside a poll of several rows. */
static bool are_steps_even(const ws_turns *x)
{
    int64_t least = INT64_MAX, most = 0;
    for (size_t i = 1; i < x->n; i++) {
        int64_t step = x->t[i] - x->t[i - 1];
        least = step < least ? step : least;
        most = step > most ? step : most;
    }
    return (double)least >= WS_TURNS_CLOSE * (double)most;
}

/* Rows that cluster in time into polls of one size. The time from poll to poll is regular, and most rows follow the one
 * before them far more closely than rows of one device, evenly spaced, would. 0: they do not. */
size_t ws_turns_rows_of_polls(const ws_turns *x, bool is_fine, int64_t *poll_ns)
{
    double share;
    bool shares_stamps = ws_turns_repeat_stamps(x);
    if (x->n <= WS_TURNS_FEW_POLLS || (!is_fine && !shares_stamps) || (shares_stamps && share_powers(x)) ||
        are_steps_even(x))
        return 0;
    for (size_t lag = 2; lag <= WS_TURNS_MOST && lag * WS_TURNS_FEW_POLLS <= x->n; lag++) {
        size_t polls, close = 0;
        *poll_ns = ws_turns_usual_time(x, lag, &share);
        if (share < WS_TURNS_USUAL_SHARE || usual_size(x, *poll_ns, &polls) != lag || polls < WS_TURNS_FEW_POLLS)
            continue;
        if (shares_stamps && !outlast_rounding(x, *poll_ns))
            return 0;
        for (size_t i = 1; i < x->n; i++)
            close += (double)(x->t[i] - x->t[i - 1]) * (double)lag < WS_TURNS_CLOSE * (double)*poll_ns;
        if ((double)close >= WS_TURNS_USUAL_SHARE * (double)(x->n - polls))
            return lag;
    }
    return 0;
}

/* Polls of a single device are about equally far apart, except for stalls. */
bool ws_turns_are_uneven(const ws_turns *x)
{
    double share;
    int64_t median = ws_turns_usual_time(x, 1, &share);
    size_t odd = 0;
    for (size_t i = 1; i < x->n; i++) {
        int64_t step = x->t[i] - x->t[i - 1];
        odd += step < median / 2 || step > 2 * median;
    }
    return (double)odd >= WS_TURNS_UNEVEN * (double)x->n;
}

int32_t ws_turns_column_of(const ws_plan *plan, ws_quantity quantity)
{
    for (size_t v = 0; v < plan->n_values; v++)
        if (plan->values[v].meaning.quantity == quantity && !plan->values[v].meaning.device.n)
            return (int32_t)plan->values[v].column;
    return WS_NO_COLUMN;
}

/* The numbers of a column; NULL where there is none. The caller frees. */
double *ws_turns_numbers_of(const ws_plan *plan, const ws_trace_sample *sample, ws_quantity quantity)
{
    int32_t column = ws_turns_column_of(plan, quantity);
    double *value = column >= 0 ? ws_alloc((sample->n + 1) * sizeof *value) : NULL;
    ws_span rest;
    for (size_t i = 0; value && i < sample->n; i++)
        if (!ws_span_number(ws_row_cell(sample->rows[i], column), &value[i], &rest))
            value[i] = NAN;
        else if (ws_unit_find(rest)) /* cells may differ in it */
            value[i] *= ws_unit_find(rest)->to_si;
    return value;
}

/* The rows between two large steps back, the longest such stretch: a log that was begun again, or is sorted by device,
 * steps back by more than a few rows. Clocks that are set and polls that overlap step back by less. */
void ws_turns_leave_out_steps_back(ws_turns *x)
{
    double share;
    enum { FEW_ROWS = 16 };
    int64_t most = FEW_ROWS * ws_turns_usual_time(x, 1, &share);
    size_t first = 0, best = 0, best_n = 0;
    for (size_t i = 1; i <= x->n; i++) {
        if (i < x->n && x->t[i] - x->t[i - 1] >= (most > 0 ? -most : 0))
            continue;
        if (i - first > best_n)
            best = first, best_n = i - first;
        first = i;
    }
    x->steps_back = best_n < x->n;
    for (size_t i = 1; i < x->n; i++)
        x->steps_back |= x->t[i] < x->t[i - 1];
    x->t += best, x->n = best_n;
    x->sample.rows += best, x->sample.turn += best, x->sample.n = best_n;
}

/* --- cycles ---
 *
 * Devices that take turns in the rows of a table: a, b, c, a, b, c ... Each has a level of its own, so the differences
 * d[i] = x[i] - x[i-1] come back every k rows, while a load that all share is smooth and hardly shows in them. In one
 * device's log the differences do not come back, or only with a periodic load, whose shape over the cycle is smooth.
 *
 *   A(L)  autocorrelation of the differences at a lag of L rows; outliers are clipped first
 *   f(j)  A folded: the mean of A(m k + j) over m = 1, 2, ... 16. Noise of single readings is in A(0) and A(1) only
 *   g(j)  f(j) less the mean of f: a trend makes all of f alike
 *   g(0)  the share of the differences' variance that has a cycle of k rows: 0 for one device and for noise
 *   V(L)  mean square difference of levels L places apart, over g(0): L g(0) + 2 sum (L - j) g(j), j = 1 ... L - 1
 *   g(0) / mean of V: 1 for levels in no order, 2 (k = 2) for two of them; small for a smooth or square wave
 *
 * Sums over lags bear rows that are missing: only the pairs across the hole are off. */

enum { MOST = WS_CYCLE_MOST_ROWS, ROUNDS = 16, LAGS = MOST * (ROUNDS + 1) };

static int by_size(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* Clips the steps to twice the median of those that are not zero, since a change of load is not a level; then subtracts
 * their mean. */
static void clip_and_center(double *step, size_t n)
{
    double *size = ws_alloc((n + 1) * sizeof *size);
    size_t used = 0;
    for (size_t i = 0; i < n; i++)
        if (step[i] != 0)
            size[used++] = fabs(step[i]);
    qsort(size, used, sizeof *size, by_size);
    double most = used ? 2 * size[used / 2] : 0;
    double mean = 0;
    for (size_t i = 0; i < n; i++) {
        step[i] = fmin(fmax(step[i], -most), most);
        mean += step[i] / (double)n;
    }
    for (size_t i = 0; i < n; i++)
        step[i] -= mean;
    free(size);
}

static void correlate(const double *step, size_t n, double *a, size_t lags)
{
    double all = 0;
    for (size_t i = 0; i < n; i++)
        all += step[i] * step[i];
    for (size_t lag = 0; lag < lags; lag++) {
        double sum = 0;
        for (size_t i = lag; lag < n && i < n; i++)
            sum += step[i] * step[i - lag];
        a[lag] = all > 0 && lag < n ? sum / all * (double)n / (double)(n - lag) : 0;
    }
}

/* g(0), and how rough the levels of the cycle are. */
static double fold(const double *a, size_t lags, size_t k, double *roughness)
{
    double g[MOST] = {0}, mean = 0, square = 0;
    size_t rounds = lags / k - 1 < ROUNDS ? lags / k - 1 : ROUNDS;
    for (size_t j = 0; j < k; j++) {
        for (size_t m = 1; m <= rounds; m++)
            g[j] += a[m * k + j] / (double)rounds;
        mean += g[j] / (double)k;
    }
    for (size_t j = 0; j < k; j++)
        g[j] -= mean;
    for (size_t lag = 1; lag < k; lag++) {
        double v = (double)lag * g[0];
        for (size_t j = 1; j < lag; j++)
            v += 2 * (double)(lag - j) * g[j];
        square += v / (double)(k - 1);
    }
    *roughness = square > 0 ? g[0] / square : 0;
    return g[0];
}

/* The shortest cycle that is about as strong as the strongest. */
static size_t find_cycle(double *step, size_t n)
{
    double a[LAGS], strength[MOST + 1] = {0}, best = 0;
    size_t lags = n / 2 < LAGS ? n / 2 : LAGS;
    clip_and_center(step, n);
    correlate(step, n, a, lags);
    for (size_t k = 2; k <= MOST && k * WS_CYCLE_LEAST_ROUNDS <= n; k++) {
        double roughness, g = fold(a, lags, k, &roughness);
        strength[k] = roughness >= WS_CYCLE_ROUGH ? g : 0;
        best = strength[k] > best ? strength[k] : best;
    }
    if (best < WS_CYCLE_LEAST || best < WS_CYCLE_NOISE / sqrt((double)n))
        return 0;
    double enough = 0.95 * best - 3 / sqrt((double)(n * ROUNDS));
    for (size_t k = 2; k <= MOST; k++)
        if (strength[k] > 0 && strength[k] >= enough)
            return k;
    return 0;
}

size_t ws_cycle_of_readings(const double *value, size_t n)
{
    double *step = ws_alloc((n + 1) * sizeof *step), last = NAN;
    for (size_t i = 0; i < n; i++) {
        step[i] = isnan(value[i]) || isnan(last) ? 0 : value[i] - last;
        last = isnan(value[i]) ? last : value[i];
    }
    size_t k = n ? find_cycle(step + 1, n - 1) : 0;
    free(step);
    return k;
}

double ws_unit_of_stamps(const int64_t *t, size_t n)
{
    int64_t unit = NS_PER_S, common = 0;
    for (size_t i = 1; i < n; i++) {
        int64_t rest = t[i] - t[i - 1];
        while (rest) {
            int64_t next = common % rest;
            common = rest < 0 ? -rest : rest;
            rest = next;
        }
    }
    for (size_t i = 0; i < n; i++)
        while (unit > 1 && t[i] % unit)
            unit /= 10;
    return (double)(common % 3 == 0 && common > unit ? common : unit);
}

size_t ws_cycle_of_stamps(const int64_t *t, size_t n)
{
    if (n < 2 * WS_CYCLE_LEAST_ROUNDS)
        return 0;
    double *step = ws_alloc(n * sizeof *step), *sorted = ws_alloc(n * sizeof *sorted);
    for (size_t i = 1; i < n; i++)
        step[i - 1] = sorted[i - 1] = (double)(t[i] - t[i - 1]);
    qsort(sorted, n - 1, sizeof *sorted, by_size);
    double rounding = WS_CYCLE_LEAST_STAMP_UNITS * ws_unit_of_stamps(t, n);
    for (size_t i = 0; i + 1 < n; i++) {
        step[i] = fabs(step[i] - sorted[(n - 1) / 2]);
        step[i] = step[i] < rounding ? 0 : step[i];
    }
    size_t k = find_cycle(step, n - 1);
    free(sorted);
    free(step);
    return k;
}

/* --- all signs --- */

/* A GPU's temperature does not jump from row to row, that of one behind another does. */
static bool has_jumps(const ws_turns *x)
{
    return x->temperature && mean_difference(x->temperature, x->n, 1) >= WS_CYCLE_LEAST_JUMP_C;
}

size_t ws_turns_steps_of(const ws_turns *x, const double *value)
{
    return value ? ws_cycle_of_readings(value, x->n < WS_TURNS_STEPS ? x->n : WS_TURNS_STEPS) : 0;
}

/* Where rows are missing readings come back in most rows only, and best after as many rows as there are devices. */
static size_t rows_to_return_or_miss(const ws_turns *x, const double *value, double most)
{
    size_t k = ws_turns_rows_to_return(x, value, most), best = 0;
    if (!value || (k && k <= WS_MOST_GPUS_OF_A_NODE))
        return k;
    double least = WS_TURNS_MISSED_PLACE * mean_difference(value, x->n, 1);
    for (size_t lag = 2; lag <= WS_MOST_GPUS_OF_A_NODE && lag * WS_TURNS_LEAST_POLLS <= x->n; lag++) {
        double d = mean_difference(value, x->n, lag);
        if (d < least)
            best = lag, least = d;
    }
    return best ? best : k;
}

ws_turn_signs ws_turns_read_signs(const ws_turns *x, bool is_fine)
{
    ws_turn_signs s = {.memory = rows_to_return_or_miss(x, x->memory, WS_TURNS_SAME_MEMORY),
                       .power = ws_turns_rows_to_return(x, x->power, WS_TURNS_SAME_PLACE)};
    s.temperature = has_jumps(x) ? rows_to_return_or_miss(x, x->temperature, WS_TURNS_SAME_PLACE) : 0;
    s.temperature_steps = has_jumps(x) ? ws_turns_steps_of(x, x->temperature) : 0;
    s.power_steps = ws_turns_steps_of(x, x->power);
    s.util_steps = ws_turns_steps_of(x, x->util);
    s.clock_steps = ws_turns_steps_of(x, x->clock);
    s.time = ws_turns_rows_of_polls(x, is_fine, &s.poll_ns);
    s.time_steps = is_fine ? ws_cycle_of_stamps(x->t, x->n < WS_TURNS_STEPS ? x->n : WS_TURNS_STEPS) : 0;
    return s;
}

/* The mean of |x[i] - x[i-lag]|, none of them counted as more than `most`. */
static double clipped_difference(const double *value, size_t n, size_t lag, double most)
{
    double sum = 0;
    size_t pairs = 0;
    for (size_t i = lag; i < n; i++) {
        double d = fabs(value[i] - value[i - lag]);
        sum += isnan(d) ? 0 : fmin(d, most);
        pairs += isnan(d) ? 0 : 1;
    }
    return pairs ? sum / (double)pairs : NAN;
}

/* So far apart are most neighbours; a change of the load is more. */
static double usual_difference(const double *value, size_t n)
{
    double *size = ws_alloc((n + 1) * sizeof *size), usual;
    size_t used = 0;
    for (size_t i = 1; i < n; i++)
        if (value[i] < value[i - 1] || value[i] > value[i - 1])
            size[used++] = fabs(value[i] - value[i - 1]);
    qsort(size, used, sizeof *size, by_size);
    usual = used ? size[used / 2] : 0;
    free(size);
    return usual;
}

static bool repeats_itself(const double *value, size_t n)
{
    size_t same = 0;
    for (size_t i = 1; i < n; i++)
        same += value[i] == value[i - 1] ? 1 : 0;
    return (double)same >= WS_NEIGHBOURS_SAME * (double)n;
}

bool ws_neighbours_are_alike(const double *value, size_t n)
{
    if (n < WS_NEIGHBOURS_LEAST_ROWS || repeats_itself(value, n))
        return true;
    double most = WS_NEIGHBOURS_CLIPPED * usual_difference(value, n), nearest = INFINITY;
    double neighbours = clipped_difference(value, n, 1, most);
    for (size_t lag = 2; lag <= MOST && lag < n; lag++)
        nearest = fmin(nearest, clipped_difference(value, n, lag, most));
    return !(neighbours > 0) || nearest >= WS_NEIGHBOURS_NEARER * neighbours;
}

bool ws_turns_stamps_are_fine(const int64_t *t, size_t n)
{
    bool is_fine = false;
    for (size_t i = 0; t && i < n; i++)
        is_fine |= t[i] % NS_PER_S != 0;
    return is_fine;
}
