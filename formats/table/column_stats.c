#include "formats/table/column_stats.h"

#include "core/arena.h"
#include "formats/table/column_limits.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

ws_span ws_plan_stamp(const ws_plan *plan, const ws_row *row, char *buffer)
{
    ws_span time = ws_row_cell(row, plan->time);
    if (plan->date < 0)
        return ws_timecol_point(&plan->stamps, buffer, time);
    return ws_timecol_join(buffer, ws_row_cell(row, plan->date), time);
}

bool ws_is_of_thousands(ws_span cell)
{
    enum { GROUP = 3 };
    const char *comma = memchr(cell.p, ',', cell.n);
    size_t front = comma ? (size_t)(comma - cell.p) : 0, behind = 0;
    while (comma && comma + 1 + behind < cell.p + cell.n && comma[1 + behind] >= '0' && comma[1 + behind] <= '9')
        behind++;
    return front && front <= GROUP && behind == GROUP && *cell.p != '0';
}

ws_span ws_plan_point(const ws_plan *plan, char *buffer, ws_span cell)
{
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
    bool is_there, has_unit;
    double x;
    ws_span rest;
} column_number;

static column_number number_of(ws_span cell)
{
    column_number number = {.rest = {"", 0}};
    number.is_there = ws_span_number(cell, &number.x, &number.rest);
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
    stats->has_point |= memchr(cell.p, '.', cell.n) != NULL;
    stats->has_decimal |= is_comma && !is_group;
    stats->has_group |= is_group;
    stats->has_whole |= !is_comma && x != 0;
}

static void add_number(ws_column_stats *stats, ws_span cell, column_number number)
{
    char buffer[WS_POINT_CELL];
    if (number.is_there) {
        add_spelling(stats, cell, number.x, number.rest);
        add_to_range(&stats->range, number.x, number.has_unit);
        stats->bare += !number.rest.n;
        stats->least = number.rest.n ? stats->least : fmin(stats->least, number.x);
        stats->most = number.rest.n ? stats->most : fmax(stats->most, number.x);
    }
    ws_span with_point = ws_span_with_point(cell, buffer, sizeof buffer);
    if (with_point.p == buffer) {
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
    if (!stats->first_series && cell.n && memchr(cell.p, ',', cell.n) && is_series(cell))
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
