#include "formats/table/headless.h"

#include "core/unit.h"
#include "formats/table/trace_sample.h"
#include "formats/table/date_lines.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* uW (mW of GPUs): what a domain draws at least, a tenth of a watt. Below that the numbers are watts or loads. Ours. */
#define WS_PYJOULES_LEAST_UW 1e4

enum { MOST_CELLS = 64, MOST_ROWS = 64, LEAST_ROWS = 3, MOST_DEVICES = 16 };

typedef struct cells {
    ws_span cell[MOST_CELLS];
    uint32_t n;
} cells;

typedef struct headless {
    const cells *row;
    size_t n;
    uint32_t n_columns;
    bool is_of_words;     /* blanks stand between the cells */
    bool has_stamp_lines; /* above the rows */
    bool has_stamps;
    int32_t time, daytime; /* columns, or -1 */
} headless;

static bool cells_of(const ws_row *row, bool is_of_words, cells *to)
{
    to->n = 0;
    if (!is_of_words) {
        for (uint32_t c = 0; c < row->n_cells && to->n < MOST_CELLS; c++)
            to->cell[to->n++] = ws_span_trim(row->cells[c]);
        return to->n == row->n_cells;
    }
    ws_span rest = row->cells[0], word;
    while (to->n < MOST_CELLS && ws_span_word(&rest, &word))
        to->cell[to->n++] = word;
    return to->n > 1 && !ws_span_trim(rest).n;
}

static bool is_number(ws_span cell, double *value)
{
    return ws_span_double(cell, value);
}

/* "20261127", before a time of day */
static bool is_digits_of_date(ws_span cell)
{
    int64_t day;
    return cell.n == 8 && ws_span_i64(cell, &day) && day >= 19700101 && day < 21000101;
}

static bool is_clock(ws_span cell)
{
    return ws_stamp_guess(cell) == WS_STAMP_CLOCK;
}

static bool is_of_log(ws_span cell)
{
    double value;
    return is_number(cell, &value) || ws_cell_is_date(cell) || is_clock(cell) || ws_span_is_missing(cell) ||
           ws_unit_find(cell);
}

/* Other words, as names, only beside a stamp and a sign between the cells: else it is any text with numbers. */
static bool are_rows_of_log(const headless *t)
{
    bool takes_words = !t->is_of_words && (t->has_stamp_lines || t->has_stamps);
    for (size_t i = 0; i < t->n; i++) {
        if (t->row[i].n != t->n_columns)
            return false;
        for (uint32_t c = 0; c < t->n_columns; c++)
            if (!takes_words && !is_of_log(t->row[i].cell[c]))
                return false;
    }
    return t->n >= LEAST_ROWS;
}

static bool rises(const headless *t, uint32_t column)
{
    double before, value;
    if (!is_number(t->row[0].cell[column], &before))
        return false;
    for (size_t i = 1; i < t->n; before = value, i++)
        if (!is_number(t->row[i].cell[column], &value) || value <= before)
            return false;
    return true;
}

static void find_time(headless *t)
{
    const cells *first = &t->row[0];
    t->time = t->daytime = -1;
    for (uint32_t c = 0; t->n_columns > 1 && c < t->n_columns && t->time < 0; c++) {
        ws_span cell = first->cell[c];
        bool has_daytime = c + 1 < t->n_columns && is_clock(first->cell[c + 1]);
        if (ws_cell_is_date(cell) || ws_stamp_guess(cell) == WS_STAMP_EPOCH || is_clock(cell))
            t->time = (int32_t)c;
        if (has_daytime && (is_digits_of_date(cell) || (ws_cell_is_date(cell) && !ws_span_contains(cell, ":"))))
            t->time = (int32_t)c, t->daytime = (int32_t)c + 1;
    }
    t->has_stamps = t->time >= 0;
}

static bool is_free(const headless *t, uint32_t column)
{
    return (int32_t)column != t->time && (int32_t)column != t->daytime;
}

/* 0 1 2 3 0 1 2 3, or 0 in each row: as one GPU is counted. */
static bool counts_devices(const headless *t, uint32_t column)
{
    int64_t number, n = 0;
    for (size_t i = 0; i < t->n; i++) {
        if (!ws_span_i64(t->row[i].cell[column], &number) || number < 0 || number >= MOST_DEVICES)
            return false;
        n = number >= n ? number + 1 : n;
    }
    for (size_t i = 0; i < t->n; i++)
        if (!ws_span_i64(t->row[i].cell[column], &number) || number != (int64_t)i % n)
            return false;
    return true;
}

static bool is_in_watts(const headless *t, uint32_t column)
{
    const ws_unit *unit = column + 1 < t->n_columns ? ws_unit_find(t->row[0].cell[column + 1]) : NULL;
    return unit && unit->dimension == WS_DIM_POWER;
}

static bool is_number_of_rows(const headless *t, uint32_t column)
{
    double value;
    size_t n = 0;
    for (size_t i = 0; i < t->n; i++)
        n += is_number(t->row[i].cell[column], &value);
    return n * 2 > t->n;
}

/* The same number in front of each stamp: the kind of a row, as "80" of MSI Afterburner. */
static bool stands_still_in_front(const headless *t, uint32_t column)
{
    double value, first = NAN;
    bool still = t->n > 1 && (int32_t)column < t->time;
    for (size_t i = 0; i < t->n && still; i++)
        if (is_number(t->row[i].cell[column], &value)) {
            first = isnan(first) ? value : first;
            still = value == first;
        }
    return still;
}

/* Volts times amperes are watts, mA times volts mW: within what the cells are rounded to. */
static bool is_product_of(const headless *t, uint32_t column, uint32_t a, uint32_t b)
{
    static const double near = 0.03;
    size_t alike[2] = {0, 0}, n = 0;
    double w, x, y;
    for (size_t i = 0; i < t->n; i++) {
        const ws_span *cell = t->row[i].cell;
        if (!is_number(cell[column], &w) || !is_number(cell[a], &x) || !is_number(cell[b], &y) || w == 0)
            continue;
        n++;
        alike[0] += fabs(x * y / w - 1) < near;
        alike[1] += fabs(x * y / 1e3 / w - 1) < near;
    }
    return n >= LEAST_ROWS && (10 * alike[0] >= 9 * n || 10 * alike[1] >= 9 * n);
}

/* The one column that is the product of two others, as of a plug's volts, watts and amperes; -1: there is none. */
static int32_t find_product(const headless *t)
{
    int32_t found = -1;
    for (uint32_t c = 0; c < t->n_columns; c++) {
        bool is_one = false;
        for (uint32_t a = 0; a < t->n_columns && is_free(t, c) && !is_one; a++)
            for (uint32_t b = a + 1; b < t->n_columns && !is_one; b++)
                is_one = a != c && b != c && is_free(t, a) && is_free(t, b) && is_product_of(t, c, a, b);
        if (is_one && found >= 0)
            return -1;
        found = is_one ? (int32_t)c : found;
    }
    return found;
}

#define WS_LEAST_UJ 1e6 /* 1 J: counters in J or mJ begin below, and those of RAPL have long counted */

/* Whole numbers that never fall and rise in three rows of four, as a counter of energy that a loop reads. Small ones
 * may be the powers of a card that warms up, unless they rise for long. */
static bool only_rises(const headless *t, uint32_t column)
{
    enum { LEAST = 8, LEAST_OF_SMALL = 32 };
    int64_t before, value;
    size_t rises_n = 0;
    if (t->n < LEAST || !ws_span_i64(t->row[0].cell[column], &before) ||
        ((double)before < WS_LEAST_UJ && t->n < LEAST_OF_SMALL))
        return false;
    for (size_t i = 1; i < t->n; before = value, i++) {
        if (!ws_span_i64(t->row[i].cell[column], &value) || value < before)
            return false;
        rises_n += value > before;
    }
    return 4 * rises_n >= 3 * (t->n - 1);
}

static bool stands_still(const headless *t, uint32_t column)
{
    double first, value;
    if (!is_number(t->row[0].cell[column], &first))
        return false;
    for (size_t i = 1; i < t->n; i++)
        if (!is_number(t->row[i].cell[column], &value) || value != first)
            return false;
    return true;
}

/* Of several numbers the first that is in W, else the first; a counter behind a number that stands still. */
static int32_t find_power(const headless *t, const uint32_t *column, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (is_in_watts(t, column[i]))
            return (int32_t)column[i];
    for (size_t i = 1; i < n && stands_still(t, column[0]); i++)
        if (only_rises(t, column[i]))
            return (int32_t)column[i];
    return n ? (int32_t)column[0] : -1;
}

/* The mean of numbers with decimals; NAN for others. */
static double mean_of_decimals(const headless *t, uint32_t column)
{
    double value, sum = 0;
    size_t points = 0;
    for (size_t i = 0; i < t->n; i++) {
        if (!is_number(t->row[i].cell[column], &value))
            return NAN;
        points += memchr(t->row[i].cell[column].p, '.', t->row[i].cell[column].n) != NULL;
        sum += value;
    }
    return 2 * points >= t->n ? sum / (double)t->n : NAN;
}

/* All numbers have decimals and are of the size of the first: a GPU each. Factor ours. */
static void write_each(const headless *t, const uint32_t *column, size_t n, ws_headless_map *map)
{
    enum { LONGEST = sizeof ",power=#64" };
    static const double far = 3;
    double first = n ? mean_of_decimals(t, column[0]) : NAN;
    size_t at = 0;
    map->each[0] = '\0';
    for (size_t i = 0; i < n; i++) {
        double mean = mean_of_decimals(t, column[i]);
        if (!(mean < far * first && first < far * mean) || at + LONGEST >= sizeof map->each) {
            map->each[0] = '\0';
            return;
        }
        at += (size_t)snprintf(map->each + at, sizeof map->each - at, ",power=#%u", column[i] + 1);
    }
}

/* What the reading is: "power=#2", "counter=#2,unit=uJ,domain=cpu". */
static void write_reading(const headless *t, uint32_t column, ws_headless_map *map, char *to, size_t size)
{
    double first = 0;
    map->is_counter = only_rises(t, column);
    if (!map->is_counter)
        snprintf(to, size, "power=#%u", column + 1);
    else if (is_number(t->row[0].cell[column], &first) && first >= WS_LEAST_UJ)
        snprintf(to, size, "counter=#%u,unit=uJ,domain=cpu", column + 1);
    else
        snprintf(to, size, "counter=#%u,unit=J", column + 1);
}

static bool write_map(const headless *t, ws_headless_map *map)
{
    uint32_t numbers[MOST_CELLS];
    int32_t gpu = -1, product = find_product(t);
    size_t at = 0, size = sizeof map->columns, n = 0;
    char *to = map->columns, reading[48];
    for (uint32_t c = 0; c < t->n_columns; c++) {
        if (!is_free(t, c) || !is_number_of_rows(t, c) || stands_still_in_front(t, c))
            continue;
        if (gpu < 0 && !n && t->n_columns > 1 && counts_devices(t, c))
            gpu = (int32_t)c;
        else
            numbers[n++] = c;
    }
    int32_t power = product >= 0 ? product : find_power(t, numbers, n);
    if (power < 0)
        return false;
    write_reading(t, (uint32_t)power, map, reading, sizeof reading);
    map->others = product >= 0 || map->is_counter ? 0 : (int)n - 1;
    map->other = map->others && gpu < 0 ? (int)numbers[numbers[0] == (uint32_t)power] + 1 : 0;
    map->power = power + 1;
    map->has_time = t->time >= 0 || t->has_stamp_lines;
    write_each(t, numbers, n, map);
    if (t->time >= 0)
        at += (size_t)snprintf(to + at, size - at, "%s=#%d,", t->daytime < 0 ? "time" : "date", t->time + 1);
    if (t->daytime >= 0)
        at += (size_t)snprintf(to + at, size - at, "daytime=#%d,", t->daytime + 1);
    if (gpu >= 0)
        at += (size_t)snprintf(to + at, size - at, "gpu=#%d,", gpu + 1);
    snprintf(to + at, size - at, "%s,header=no%s", reading, t->is_of_words ? ",delimiter=space" : "");
    return true;
}

/* The cells of the rows; without lines of stamps, unless `takes_lines`: counters in uJ look like times. */
static bool take_rows(headless *t, cells *row, const ws_row *rows, size_t n, bool takes_lines)
{
    char buffer[WS_DATE_LINE];
    ws_span stamp;
    for (size_t i = 0; i < n && t->n < MOST_ROWS; i++) {
        bool is_line = !takes_lines && rows[i].n_cells == 1 && !ws_unit_find(rows[i].cells[0]) &&
                       ws_row_is_date_line(&rows[i], n > 1, buffer, &stamp);
        t->has_stamp_lines |= is_line;
        if (is_line || !rows[i].n_cells)
            continue;
        ws_span first = ws_span_trim(rows[i].cells[0]), word = {"", 0}, rest = first;
        if (!t->n)
            t->is_of_words = rows[i].n_cells == 1 && ws_span_word(&rest, &word) && word.n < first.n;
        if (!cells_of(&rows[i], t->is_of_words, &row[t->n]))
            return false;
        t->n_columns = row[0].n;
        t->n++;
    }
    return true;
}

bool ws_headless_columns(const ws_row *rows, size_t n, ws_headless_map *map)
{
    cells row[MOST_ROWS];
    headless t = {.row = row};
    bool are_rows = take_rows(&t, row, rows, n, false);
    if (are_rows && !t.n) {
        t.has_stamp_lines = false;
        are_rows = take_rows(&t, row, rows, n, true) && t.n_columns == 1 && only_rises(&t, 0);
    }
    if (!are_rows)
        return false;
    if (!t.n)
        return false;
    find_time(&t);
    if (!are_rows_of_log(&t))
        return false;
    bool may_rise = t.time < 0 && !t.has_stamp_lines && t.n_columns > 1;
    if (may_rise && rises(&t, 0))
        t.time = 0; /* s from the start */
    else if (may_rise && rises(&t, t.n_columns - 1))
        t.time = (int32_t)t.n_columns -
                 1; /* "24.3,22.3,0,0,0.05": powers of RAPL's zones and the time, of a public poller */
    return write_map(&t, map);
}

/* "1770796800.5;train;1.0;45948774.0;5096033.0": the time, a word, a length in s, and energies in uJ, mJ of GPUs. */
bool ws_are_rows_of_pyjoules(const ws_row *rows, size_t n)
{
    enum { TAG = 1, LENGTH = 2, FIRST_ENERGY = 3 };
    double value, length_s;
    for (size_t i = 0; i < n; i++) {
        const ws_row *row = &rows[i];
        if (row->n_cells <= FIRST_ENERGY || row->n_cells != rows[0].n_cells ||
            ws_stamp_guess(row->cells[0]) != WS_STAMP_EPOCH || is_number(ws_span_trim(row->cells[TAG]), &value) ||
            !is_number(ws_span_trim(row->cells[LENGTH]), &length_s) || !(length_s > 0))
            return false;
        for (uint32_t c = FIRST_ENERGY; c < row->n_cells; c++)
            if (!is_number(ws_span_trim(row->cells[c]), &value) || !(value >= WS_PYJOULES_LEAST_UW * length_s))
                return false;
    }
    return n > 0;
}

/* --- tables drawn with blanks, below a header of words --- */

/* "  Time    User  Nice  Watts" over rows of so many words that begin with a time: the names of the time and the first
 * power. */
static bool are_words_below(const ws_row *rows, size_t n, size_t header, uint32_t words)
{
    cells row;
    size_t rows_below = 0;
    for (size_t i = header + 1; i < n && rows_below < LEAST_ROWS; i++, rows_below++) {
        double value;
        if (!rows[i].n_cells || !cells_of(&rows[i], true, &row) || row.n != words ||
            !(is_clock(row.cell[0]) || ws_cell_is_date(row.cell[0]) || is_number(row.cell[0], &value)))
            return false;
    }
    return rows_below == LEAST_ROWS;
}

bool ws_columns_of_words(const ws_row *rows, size_t n, char *columns, size_t size)
{
    cells header;
    for (size_t i = 0; i < n && i < MOST_ROWS; i++) {
        ws_span time = {"", 0};
        size_t at = 0;
        if (rows[i].n_cells != 1 || !cells_of(&rows[i], true, &header))
            continue;
        for (uint32_t c = 0; c < header.n && !time.n; c++)
            if (ws_meaning_of(header.cell[c]).role == WS_ROLE_TIME)
                time = header.cell[c];
        if (!time.n || !are_words_below(rows, n, i, header.n))
            continue;
        /* "timestamp total": what stands in PMT's dumps is a power, whatever it is called */
        bool is_pair = header.n == 2 && ws_span_same(time, header.cell[0]);
        int used = snprintf(columns, size, "time=%.*s", WS_SPAN_ARG(time));
        at = (size_t)used;
        for (uint32_t c = 0; c < header.n && at < size; c++) {
            ws_meaning m = ws_meaning_of(header.cell[c]);
            bool is_power = m.role == WS_ROLE_VALUE && m.quantity == WS_POWER;
            if (is_power || (is_pair && c == 1))
                at += (size_t)snprintf(columns + at, size - at, ",power=%.*s", WS_SPAN_ARG(header.cell[c]));
        }
        if (at == (size_t)used || at >= size)
            continue;
        snprintf(columns + at, size - at, ",delimiter=space");
        return true;
    }
    return false;
}

/* --- headers that name no quantity --- */

/* `{gpu="0", instance="n1:9400"}` */
static bool is_of_labels(ws_span name)
{
    return name.n && *name.p == '{' && ws_span_contains(name, "=");
}

static ws_span without_number(ws_span word)
{
    while (word.n && word.p[word.n - 1] >= '0' && word.p[word.n - 1] <= '9')
        word.n--;
    return word;
}

/* Is a word of the name one of these, with or without a number behind it where that may be? */
static bool has_word(ws_span name, const char *const *words, size_t n, bool may_be_numbered)
{
    char buffer[WS_PLAIN_NAME];
    ws_span word, rest = ws_plain_name(buffer, name);
    while (rest.n && ws_span_split(&rest, '_', &word))
        for (size_t i = 0; i < n; i++)
            if (ws_span_eq(may_be_numbered ? without_number(word) : word, words[i]))
                return true;
    return false;
}

enum { NO_DIMENSION = -1 };

/* The dimension of the unit in the name, or NO_DIMENSION. */
static int dimension_in(ws_span name)
{
    ws_span bare;
    const ws_unit *unit = ws_unit_in_name(name, &bare);
    return unit ? (int)unit->dimension : NO_DIMENSION;
}

/* "avg_power_w", "power1_average", "Board Power Draw", "draw [W]", not "power_limit" or "max_power_w". */
static bool may_be_power(ws_span name)
{
    static const char *const powers[] = {"power", "pwr", "watt", "watts", "powerdraw", "powerwatts"};
    static const char *const others[] = {"min",  "max",   "std",    "limit",  "cap",   "peak",     "idle",  "tdp",
                                         "mode", "state", "factor", "budget", "rated", "apparent", "source"};
    if (has_word(name, others, sizeof others / sizeof *others, false))
        return false;
    return dimension_in(name) == WS_DIM_POWER || has_word(name, powers, sizeof powers / sizeof *powers, true);
}

static int32_t column_called(const ws_row *header, const char *const *names, size_t n)
{
    for (uint32_t c = 0; c < header->n_cells; c++)
        for (size_t i = 0; i < n; i++)
            if (ws_span_eq_nocase(ws_span_trim(header->cells[c]), names[i]))
                return (int32_t)c;
    return -1;
}

/* "gpu", "total": such columns may hold each other. */
static bool names_owner(ws_span word)
{
    const ws_known_word *known = ws_known_word_find(without_number(word));
    return known && (known->is_device || known->is_total);
}

/* nvitop has the mean, the least, the most and the last reading of each GPU: the last is none more beside the mean. */
static bool is_last_beside_mean(const ws_row *header, bool (*is_one)(ws_span name), ws_span name)
{
    static const char *const lasts[] = {"last"}, *const means[] = {"mean", "avg", "average"};
    static const char *const raws[] = {"raw"}, *const values[] = {"value"}; /* PRTG: the same with a unit and without */
    bool is_last = is_one(name) && has_word(name, lasts, 1, false), has_mean = false;
    bool is_raw = is_one(name) && has_word(name, raws, 1, false);
    for (uint32_t c = 0; (is_last || is_raw) && c < header->n_cells; c++) {
        ws_span other = ws_span_trim(header->cells[c]);
        has_mean |= is_last && is_one(other) && has_word(other, means, sizeof means / sizeof *means, false);
        has_mean |= is_raw && is_one(other) && has_word(other, values, 1, false);
    }
    return has_mean;
}

/* Do the names of all such columns differ in one word alone, numbers aside, as those of one kind do: "run-a
 * gpu.0.power" and "run-b gpu.0.power", "gpu0_avg_power" and "gpu1_avg_power", not "GPU inst power" and "CPU avg
 * power"? */
static bool are_of_one_kind(const ws_row *header, bool (*is_power)(ws_span name), int32_t time)
{
    char first_name[WS_PLAIN_NAME], name[WS_PLAIN_NAME];
    ws_span first = {"", 0};
    size_t differs = SIZE_MAX; /* that word's place */
    for (uint32_t c = 0; c < header->n_cells; c++) {
        ws_span own = ws_span_trim(header->cells[c]);
        if ((int32_t)c == time || !is_power(own) || is_last_beside_mean(header, is_power, own))
            continue;
        if (!first.n) {
            first = ws_plain_name(first_name, header->cells[c]);
            continue;
        }
        ws_span a = first, b = ws_plain_name(name, header->cells[c]), word_a, word_b;
        for (size_t place = 0; a.n || b.n; place++) {
            if (!a.n || !b.n || !ws_span_split(&a, '_', &word_a) || !ws_span_split(&b, '_', &word_b))
                return false;
            bool is_same = ws_span_same(without_number(word_a), without_number(word_b));
            if (!is_same && (names_owner(word_a) || names_owner(word_b)))
                return false;
            if (!is_same && differs != SIZE_MAX && differs != place)
                return false;
            differs = is_same ? differs : place;
        }
    }
    return true;
}

/* "Consumption (Wh)", "a_total_act_energy", not what is returned, reactive or of the fundamental wave alone. */
static bool may_be_energy(ws_span name)
{
    static const char *const energies[] = {"energy", "consumption"};
    static const char *const others[] = {"ret",  "returned", "return", "react",  "reactive", "lag",
                                         "lead", "fund",     "export", "aprt",   "apparent", "cost",
                                         "min",  "max",      "price",  "budget", "limit"};
    int dimension = dimension_in(name);
    if (may_be_power(name)) /* "Energy Meter(RAPL_Package0_PKG)\\Power" */
        return false;
    if (has_word(name, others, sizeof others / sizeof *others, false))
        return false;
    return dimension == WS_DIM_ENERGY ||
           (dimension == NO_DIMENSION && has_word(name, energies, sizeof energies / sizeof *energies, false));
}

/* "Cumulative Energy Consumed (Wh)": no energy of its row, as Shelly's "a_total_act_energy" is. */
static bool names_running_total(ws_span name)
{
    static const char *const words[] = {"cumulative", "cumulated", "accumulated", "integrated", "lifetime"};
    return has_word(name, words, sizeof words / sizeof *words, false);
}

/* The first column whose name has a word for a time, where none is known: "time_relative_ms". */
static int32_t time_by_word(const ws_row *header)
{
    static const char *const words[] = {"time", "timestamp", "date", "datetime", "epoch", "elapsed"};
    for (uint32_t c = 0; c < header->n_cells; c++)
        if (has_word(header->cells[c], words, sizeof words / sizeof *words, false))
            return (int32_t)c;
    return -1;
}

/* All such columns, a device each; of energies that may hold each other the first alone. */
static bool write_columns(const ws_row *header, const char *key, bool (*is_one)(ws_span name), int32_t time,
                          char *columns, size_t size)
{
    enum { MOST = 16, LONGEST = sizeof ",counter=#1000" };
    char all[MOST * LONGEST];
    static const char *const joules[] = {"joules", "joule"};
    bool is_of_shelly = false;       /* in Wh, by its documentation */
    bool is_in_joules = true;        /* "nvml_joules_energy": a word that is no ending */
    size_t n = 0, at = 0, first = 0; /* first: the length of the first one */
    for (uint32_t c = 0; c < header->n_cells && n < MOST; c++) {
        ws_span name = ws_span_trim(header->cells[c]);
        if ((int32_t)c == time || !is_one(name) || is_last_beside_mean(header, is_one, name))
            continue;
        const char *of_name = is_one == may_be_energy && names_running_total(name) ? "counter" : key;
        at += (size_t)snprintf(all + at, sizeof all - at, ",%s=#%u", of_name, c + 1);
        is_of_shelly |= ws_span_contains(name, "act_energy");
        is_in_joules &= dimension_in(name) == NO_DIMENSION && has_word(name, joules, 2, false);
        first = n++ ? first : at;
    }
    bool is_told = n && n < MOST && (is_one == is_of_labels || are_of_one_kind(header, is_one, time));
    const char *unit = is_of_shelly ? ",unit=Wh" : n && is_in_joules ? ",unit=J" : "";
    if (n > 1 && !is_told && is_one == may_be_energy) {
        all[first] = '\0';
        is_told = true;
        n = 1;
    }
    if (n == 1)
        snprintf(columns, size, "time=#%d%s%s", time + 1, all, unit);
    else if (is_told)
        snprintf(columns, size, "time=#%d%s,devices=%zu%s", time + 1, all, n, unit);
    return is_told;
}

bool ws_may_be_power_or_energy(ws_span name)
{
    return may_be_power(name) || may_be_energy(name);
}

size_t ws_count_possible_powers(const ws_row *header)
{
    size_t n = 0;
    for (uint32_t c = 0; c < header->n_cells; c++)
        n += may_be_power(ws_span_trim(header->cells[c]));
    return n;
}

void ws_list_possible_powers(const ws_row *header, char *names, size_t size)
{
    size_t at = 0;
    *names = '\0';
    for (uint32_t c = 0; c < header->n_cells && at < size; c++) {
        ws_span name = ws_span_trim(header->cells[c]);
        if (may_be_power(name))
            at += (size_t)snprintf(names + at, size - at, "%s'%.*s'", at ? ", " : "", WS_SPAN_ARG(name));
    }
}

static int32_t column_of_element(const ws_row *header, const char *quantity, ws_span element)
{
    size_t n = strlen(quantity);
    for (uint32_t c = 0; c < header->n_cells; c++) {
        ws_span name = ws_span_trim(header->cells[c]);
        if (name.n == n + element.n && memcmp(name.p, quantity, n) == 0 &&
            memcmp(name.p + n, element.p, element.n) == 0)
            return (int32_t)c;
    }
    return -1;
}

/* "U-1,I-1,P-1" and "Urms1,Irms1,P1" of Yokogawa's power meters: the power of the first element that has all three. */
static int32_t power_of_element(const ws_row *header)
{
    for (uint32_t c = 0; c < header->n_cells; c++) {
        ws_span name = ws_span_trim(header->cells[c]), element = {name.p + 1, name.n - 1};
        if (!name.n || *name.p != 'P')
            continue;
        bool has_volts =
            column_of_element(header, "U", element) >= 0 || column_of_element(header, "Urms", element) >= 0;
        bool has_amperes =
            column_of_element(header, "I", element) >= 0 || column_of_element(header, "Irms", element) >= 0;
        if (has_volts && has_amperes)
            return (int32_t)c;
    }
    return -1;
}

static bool write_element(const ws_row *header, int32_t time, char *columns, size_t size)
{
    static const char *const dates[] = {"date"}, *const clocks[] = {"time"};
    int32_t power = power_of_element(header), date = column_called(header, dates, 1),
            clock = column_called(header, clocks, 1);
    if (power < 0 || (time < 0 && (date < 0 || clock < 0)))
        return false;
    if (date >= 0 && clock >= 0)
        snprintf(columns, size, "date=#%d,daytime=#%d,power=#%d,domain=wall", date + 1, clock + 1, power + 1);
    else
        snprintf(columns, size, "time=#%d,power=#%d,domain=wall", time + 1, power + 1);
    return true;
}

/* Zeus' PowerMonitor: "Time,0,1", the GPUs by their numbers. */
static bool write_numbered(const ws_row *header, int32_t time, char *columns, size_t size)
{
    enum { MOST = 16 };
    size_t at = 0, n = header->n_cells ? header->n_cells - 1 : 0;
    if (time != 0 || !n || n > MOST)
        return false;
    for (uint32_t c = 1; c <= n; c++) {
        int64_t number;
        if (!ws_span_i64(ws_span_trim(header->cells[c]), &number) || number != (int64_t)c - 1)
            return false;
    }
    at = (size_t)snprintf(columns, size, "time=#1");
    for (uint32_t c = 1; c <= n; c++)
        at += (size_t)snprintf(columns + at, size - at, ",power=#%u", c + 1);
    if (n > 1)
        snprintf(columns + at, size - at, ",devices=%zu", n);
    return true;
}

/* "RUN - system.gpu.0.powerWatts", as W&B exports the panel of several runs: empty for other names. */
static ws_span exported_run(ws_span name)
{
    static const char metric[] = " - system.gpu.";
    for (size_t i = 0; i + strlen(metric) < name.n; i++)
        if (memcmp(name.p + i, metric, strlen(metric)) == 0)
            return (ws_span){name.p, i};
    return (ws_span){name.p, 0};
}

/* The columns of the first run: GPUs of several runs are no devices of one. */
static bool write_exported(const ws_row *header, int32_t time, char *columns, size_t size)
{
    enum { MOST = 12 };
    char all[MOST * sizeof ",power=#1000"], stamp[16] = "...";
    ws_span first = {NULL, 0}, last = first;
    size_t n = 0, runs = 0, at = 0;
    for (uint32_t c = 0; c < header->n_cells; c++) {
        ws_span name = ws_span_trim(header->cells[c]), run = exported_run(name);
        if (!run.n || !may_be_power(name) || ws_span_contains(name, "__M"))
            continue;
        runs += !ws_span_same(run, last);
        first = first.n ? first : run;
        last = run;
        if (n < MOST && ws_span_same(run, first) && ++n)
            at += (size_t)snprintf(all + at, sizeof all - at, ",power=#%u", c + 1);
    }
    if (runs < 2 || n == MOST)
        return false;
    if (time >= 0)
        snprintf(stamp, sizeof stamp, "#%d", time + 1);
    at = (size_t)snprintf(columns, size, "time=%s%s", stamp, all);
    if (n > 1)
        at += (size_t)snprintf(columns + at, size - at, ",devices=%zu", n);
    snprintf(columns + at, size - at, " for '%.*s' alone, one of the runs that have columns here,",
             first.n < 60 ? (int)first.n : 60, first.p);
    return true;
}

/* "TIME,TOTAL,SOC,CPU,GPU,DDR", a board's rails without a word of a power: the parts that are known, or their total.
 * Loads have no total. */
static bool write_rails(const ws_row *header, int32_t time, char *columns, size_t size)
{
    enum { MOST = 8 };
    char all[MOST * sizeof ",power=#1000"] = "";
    size_t parts = 0, at = 0;
    int32_t total = -1;
    for (uint32_t c = 0; c < header->n_cells && parts < MOST; c++) {
        char buffer[WS_PLAIN_NAME];
        const ws_known_word *known = ws_known_word_find(ws_plain_name(buffer, header->cells[c]));
        bool is_part = known && known->is_device && !known->needs_number && (int32_t)c != time;
        if (known && known->is_total)
            total = (int32_t)c;
        if (!is_part)
            continue;
        parts++;
        at += (size_t)snprintf(all + at, sizeof all - at, ",power=#%u", c + 1);
    }
    if (parts < 2 || parts == MOST || total < 0)
        return false;
    snprintf(columns, size, "time=#%d%s for the parts, or time=#%d,power=#%d,domain=node for the total,", time + 1, all,
             time + 1, total + 1);
    return true;
}

/* The part of the machine that a name speaks of: "gpu" of "GPU inst power"; empty: none, or a total. */
static ws_span owner_in(char *buffer, ws_span name)
{
    ws_span word, rest = ws_plain_name(buffer, name);
    while (rest.n && ws_span_split(&rest, '_', &word)) {
        const ws_known_word *known = ws_known_word_find(without_number(word));
        if (known && known->is_total)
            break;
        if (known && known->is_device)
            return word;
    }
    return (ws_span){"", 0};
}

/* "time,pwr main,pwr gpu,pwr cpu", "GPU inst power,GPU avg power,CPU inst power": that of each part, of the moment
 * where a mean stands beside it. False where a part has several others. */
static bool write_owned(const ws_row *header, int32_t time, char *columns, size_t size)
{
    enum { MOST = 8 };
    static const char *const means[] = {"avg", "average", "mean"};
    char buffer[MOST][WS_PLAIN_NAME], all[MOST * sizeof ",power=#1000"];
    ws_span owner[MOST];
    size_t n = 0, at = 0;
    for (uint32_t c = 0; c < header->n_cells; c++) {
        ws_span name = ws_span_trim(header->cells[c]);
        if ((int32_t)c == time || !may_be_power(name) || has_word(name, means, sizeof means / sizeof *means, false))
            continue;
        if (n == MOST)
            return false;
        owner[n] = owner_in(buffer[n], name);
        if (!owner[n].n)
            continue;
        for (size_t i = 0; i < n; i++)
            if (ws_span_same(owner[i], owner[n]))
                return false;
        n++;
        at += (size_t)snprintf(all + at, sizeof all - at, ",power=#%u", c + 1);
    }
    if (n > 1)
        snprintf(columns, size, "time=#%d%s", time + 1, all);
    return n > 1;
}

bool ws_columns_by_name(const ws_row *header, int32_t time, char *columns, size_t size)
{
    static const char *const values[] = {"value", "val", "reading", "state"};
    static const char *const series[] = {"series", "name", "metric", "legend", "label", "sensor"};
    int32_t value = column_called(header, values, sizeof values / sizeof *values);
    int32_t name = column_called(header, series, sizeof series / sizeof *series);
    if (write_element(header, time, columns, size))
        return true;
    if (write_exported(header, time, columns, size))
        return true;
    time = time < 0 ? time_by_word(header) : time;
    if (time < 0)
        return false;
    if (write_numbered(header, time, columns, size))
        return true;
    if (write_columns(header, "power", is_of_labels, time, columns, size) ||
        write_columns(header, "power", may_be_power, time, columns, size) || write_owned(header, time, columns, size) ||
        write_columns(header, "energy", may_be_energy, time, columns, size))
        return true;
    if (write_rails(header, time, columns, size))
        return true;
    if (value >= 0 && name >= 0)
        snprintf(columns, size, "time=#%d,gpu=#%d,power=#%d", time + 1, name + 1, value + 1);
    else if (value >= 0)
        snprintf(columns, size, "time=#%d,power=#%d", time + 1, value + 1);
    return value >= 0;
}
