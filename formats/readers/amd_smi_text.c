/* What rocm-smi and amd-smi print as text, again and again. Lists of readings, as of rocm-smi --showpower --showuse:
 *
 *   GPU[0]		: Average Graphics Package Power (W): 89.0
 *   GPU[0]		: GPU use (%): 10
 *
 * the table of rocm-smi without options, whose cells begin under the first letter of their head, and whose second die
 * of an MI200 module has no power:
 *
 *   GPU  Temp   AvgPwr  SCLK    MCLK     Fan  Perf  PwrCap  VRAM%  GPU%
 *   0    39.0c  102.0W  800Mhz  1600Mhz  0%   auto  560.0W    0%   0%
 *   1    44.0c  N/A     800Mhz  1600Mhz  0%   auto  0.0W      0%   0%
 *
 * the table of amd-smi monitor, with stamps where it was called with -w; partitions behind the first have no power:
 *
 *   TIMESTAMP  GPU  XCP  POWER  PWR_CAP
 *   1770796800    0    0  123 W    750 W
 *
 * and amd-smi metric:
 *
 *   GPU: 0
 *       POWER:
 *           SOCKET_POWER: 137 W
 *
 * A poll has its stamp on a line above that holds a date alone, or else counts by --period. As rocm_smi.py and amd-smi
 * print them, and as published outputs of ROCm 3 to 7 have them. */
#include "formats/table/date_lines.h"
#include "formats/table/row_trace.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_CELLS = 24, NO_CELL = -1 };

typedef enum table_kind { NO_TABLE, CONCISE, MONITOR } table_kind;

/* Where the cells of a table stand: characters from the left in CONCISE, places in MONITOR. */
typedef struct table_places {
    table_kind kind;
    int stamp, gpu, partition, power, limit, load, heat;
} table_places;

typedef struct amd_text {
    table_places table;
    int64_t n_polls, t_ns;
    ws_time_base base;
    bool has_stamp, seen_stamp, is_usable; /* has_stamp: of the next poll */
    int64_t last_power;                    /* number of the GPU whose power was read last in this poll; -1: none */
    int64_t gpu;                           /* of amd-smi metric */
    bool in_power, in_energy, in_usage;    /* its section */
} amd_text;

/* Readings by the names that rocm-smi prints in lists. */
static const struct listed {
    const char *name;
    ws_quantity quantity;
    double to_si;
    int preference;
} listed[] = {
    {"Current Socket Graphics Package Power (W)", WS_POWER, 1, 0},
    {"Average Graphics Package Power (W)", WS_POWER, 1, 1},
    {"Accumulated Energy (uJ)", WS_ENERGY_COUNTER, 1e-6, 0},
    {"GPU use (%)", WS_UTIL, 0.01, 0},
    {"VRAM Total Used Memory (B)", WS_MEM_USED, 1, 0},
    {"Temperature (Sensor edge) (C)", WS_TEMPERATURE, 1, 0},
    {"Temperature (Sensor junction) (C)", WS_TEMPERATURE, 1, 1},
    {"Max Graphics Package Power (W)", WS_POWER_LIMIT, 1, 0},
};

static bool is_whole_number(ws_span text, int64_t *number)
{
    return text.n && isdigit((unsigned char)*text.p) && ws_span_i64(text, number);
}

/* --- polls --- */

static void amd_text_begin_poll(ws_row_trace *t)
{
    amd_text *s = t->state;
    s->is_usable = true;
    s->last_power = -1;
    if (!s->has_stamp && s->seen_stamp) {
        s->is_usable = false;
        ws_row_trace_note(t, WS_FINDING_BAD_STAMP, "a poll without a date above it is left out", (ws_span){"", 0});
    } else if (!s->has_stamp) {
        s->t_ns = ws_period_time(t->options, s->n_polls++, &s->base);
    }
    s->has_stamp = false;
}

/* A date begins a poll, and so does a power of a GPU that had one. */
static void amd_text_settle_poll(ws_row_trace *t, int64_t gpu, ws_quantity quantity)
{
    amd_text *s = t->state;
    bool is_power = quantity == WS_POWER;
    if (s->has_stamp || s->last_power < -1 || (is_power && gpu <= s->last_power))
        amd_text_begin_poll(t);
    if (is_power)
        s->last_power = gpu;
}

static ws_status amd_text_push(ws_row_trace *t, int64_t gpu, const struct listed *what, const char *column,
                               double value, ws_error *error)
{
    amd_text *s = t->state;
    char id[24];
    snprintf(id, sizeof id, "%d", (int)gpu);
    if (!s->is_usable)
        return WS_OK;
    ws_samples_key key = {.id = ws_span_of(id),
                          .identity = "index",
                          .number = gpu,
                          .domain = WS_GPU,
                          .quantity = what->quantity,
                          .column = column,
                          .preference = what->preference,
                          .time = s->base};
    return ws_row_trace_push(t, &key, s->t_ns, value, error);
}

/* "89.0", "102.0W", "123 W", "(800Mhz)", "35.0°C"; NaN is missing. */
static double amd_text_number(ws_row_trace *t, ws_span text)
{
    double value;
    ws_span rest;
    if (ws_span_number(text, &value, &rest))
        return value;
    if (!ws_span_is_missing(text))
        ws_row_trace_note(t, WS_FINDING_UNREADABLE_CELL, "no number, counted as missing:", text);
    return NAN;
}

/* --- lists --- */

/* "GPU[0]		: ": the number and what follows. Hygon's cards are called HCU. */
static bool is_list_line(ws_span line, int64_t *gpu, ws_span *rest)
{
    bool is_list = ws_span_has_prefix(line, "GPU[") || ws_span_has_prefix(line, "HCU[");
    const char *close = is_list ? memchr(line.p, ']', line.n) : NULL;
    if (!close || !is_whole_number((ws_span){line.p + 4, (size_t)(close - line.p - 4)}, gpu))
        return false;
    *rest = ws_span_trim((ws_span){close + 1, line.n - (size_t)(close + 1 - line.p)});
    if (!rest->n || *rest->p != ':')
        return false;
    *rest = ws_span_trim((ws_span){rest->p + 1, rest->n - 1});
    return true;
}

static const struct listed *find_listed(ws_span text, ws_span *value)
{
    for (size_t i = 0; i < sizeof listed / sizeof *listed; i++) {
        size_t n = strlen(listed[i].name);
        if (ws_span_has_prefix(text, listed[i].name) && text.n > n && text.p[n] == ':') {
            *value = ws_span_trim((ws_span){text.p + n + 1, text.n - n - 1});
            return &listed[i];
        }
    }
    return NULL;
}

static ws_status take_listed(ws_row_trace *t, int64_t gpu, ws_span rest, ws_error *error)
{
    ws_span value = {"", 0};
    const struct listed *what = find_listed(rest, &value);
    if (!what)
        return WS_OK;
    amd_text_settle_poll(t, gpu, what->quantity);
    return amd_text_push(t, gpu, what, what->name, amd_text_number(t, value) * what->to_si, error);
}

/* --- tables --- */

/* Characters, not bytes, in front of a word of a header; NO_CELL where it is not there. */
static int place_of(ws_span line, const char *word)
{
    int place = 0;
    size_t n = strlen(word);
    for (size_t i = 0; i + n <= line.n; i++) {
        bool begins = !i || line.p[i - 1] == ' ', ends = i + n == line.n || line.p[i + n] == ' ';
        if (begins && ends && strncmp(line.p + i, word, n) == 0)
            return place;
        place += ((unsigned char)line.p[i] & 0xc0) != 0x80;
    }
    return NO_CELL;
}

/* The word that begins so many characters from the left. */
static ws_span word_at(ws_span line, int place)
{
    size_t i = 0;
    for (int at = 0; i < line.n && at < place;) {
        i++;
        at += i == line.n || ((unsigned char)line.p[i] & 0xc0) != 0x80;
    }
    bool begins = place >= 0 && i < line.n && line.p[i] != ' ' && (!i || line.p[i - 1] == ' ');
    size_t n = 0;
    while (begins && i + n < line.n && line.p[i + n] != ' ')
        n++;
    return (ws_span){line.p + i, n};
}

static bool is_concise_header(ws_span line, table_places *table)
{
    bool is_header = place_of(line, "GPU") == 0 || place_of(line, "Device") == 0;
    int power = place_of(line, "AvgPwr");
    power = power == NO_CELL ? place_of(line, "Power") : power;
    if (!is_header || power == NO_CELL || place_of(line, "PwrCap") == NO_CELL)
        return false;
    *table = (table_places){.kind = CONCISE,
                            .stamp = NO_CELL,
                            .partition = NO_CELL,
                            .power = power,
                            .limit = place_of(line, "PwrCap"),
                            .load = place_of(line, "GPU%"),
                            .heat = place_of(line, "Temp")};
    return true;
}

static bool is_unit(ws_span word)
{
    static const char *const units[] = {"W", "%", "C", "\302\260C", "MHz", "Mhz", "MB", "GB", "Mb/s", "mV"};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (ws_span_eq(word, units[i]))
            return true;
    return false;
}

/* Words of a line, units joined to their numbers: "123 W" is one cell. */
static size_t cells_of(ws_span line, ws_span *cells)
{
    ws_span word;
    size_t n = 0;
    while (ws_span_word(&line, &word)) {
        if (n && is_unit(word))
            cells[n - 1].n = (size_t)(word.p + word.n - cells[n - 1].p);
        else if (n < MOST_CELLS)
            cells[n++] = word;
    }
    return n;
}

static int find_cell(const ws_span *cells, size_t n, const char *name, const char *other)
{
    for (size_t i = 0; i < n; i++)
        if (ws_span_eq(cells[i], name) || ws_span_eq(cells[i], other))
            return (int)i;
    return NO_CELL;
}

static bool is_monitor_header(ws_span line, table_places *table)
{
    ws_span cells[MOST_CELLS];
    size_t n = cells_of(line, cells);
    int gpu = find_cell(cells, n, "GPU", "GPU"), power = find_cell(cells, n, "POWER", "POWER");
    bool begins = n && (ws_span_eq(cells[0], "GPU") || ws_span_eq(cells[0], "TIMESTAMP"));
    if (!begins || gpu == NO_CELL || power == NO_CELL)
        return false;
    *table = (table_places){.kind = MONITOR,
                            .stamp = find_cell(cells, n, "TIMESTAMP", "TIMESTAMP"),
                            .gpu = gpu,
                            .partition = find_cell(cells, n, "XCP", "XCP"),
                            .power = power,
                            .limit = find_cell(cells, n, "PWR_CAP", "PWR_CAP"),
                            .load = find_cell(cells, n, "GFX%", "GFX_UTIL"),
                            .heat = find_cell(cells, n, "GPU_T", "GPU_TEMP")};
    return true;
}

static ws_status take_cell(ws_row_trace *t, int64_t gpu, ws_quantity quantity, const char *column, double to_si,
                           ws_span text, ws_error *error)
{
    struct listed what = {column, quantity, to_si, 0};
    double value = text.n ? amd_text_number(t, text) * to_si : NAN;
    bool is_open = !text.n || (quantity != WS_POWER && isnan(value)) || (quantity == WS_POWER_LIMIT && value == 0);
    return is_open ? WS_OK : amd_text_push(t, gpu, &what, column, value, error);
}

/* A row of the table whose cells were found, by the header's names. */
static ws_status take_cells(ws_row_trace *t, int64_t gpu, ws_span power, ws_span limit, ws_span load, ws_span heat,
                            ws_error *error)
{
    amd_text_settle_poll(t, gpu, WS_POWER);
    ws_status status = take_cell(t, gpu, WS_POWER, "power", 1, power, error);
    if (status == WS_OK)
        status = take_cell(t, gpu, WS_POWER_LIMIT, "power cap", 1, limit, error);
    if (status == WS_OK)
        status = take_cell(t, gpu, WS_UTIL, "GPU%", 0.01, load, error);
    if (status == WS_OK)
        status = take_cell(t, gpu, WS_TEMPERATURE, "temperature", 1, heat, error);
    return status;
}

static ws_status take_concise(ws_row_trace *t, ws_span line, ws_error *error)
{
    const amd_text *s = t->state;
    int64_t gpu;
    if (!is_whole_number(word_at(line, 0), &gpu))
        return WS_OK;
    return take_cells(t, gpu, word_at(line, s->table.power), word_at(line, s->table.limit),
                      word_at(line, s->table.load), word_at(line, s->table.heat), error);
}

static void take_stamp(ws_row_trace *t, ws_span text)
{
    amd_text *s = t->state;
    ws_timecol_settle(&t->stamps, text);
    s->has_stamp = ws_timecol_read(&t->stamps, text, &s->t_ns);
    s->seen_stamp |= s->has_stamp;
    s->base = t->stamps.base;
    if (!s->has_stamp)
        ws_note_bad_stamp(t->samples.notes, t->samples.source, t->line, text);
}

static ws_span cell_at(const ws_span *cells, size_t n, int place)
{
    return place >= 0 && (size_t)place < n ? cells[place] : (ws_span){"", 0};
}

static ws_status take_monitored(ws_row_trace *t, ws_span line, ws_error *error)
{
    amd_text *s = t->state;
    ws_span cells[MOST_CELLS];
    size_t n = cells_of(line, cells);
    int64_t gpu, partition = 0;
    ws_span partition_cell = cell_at(cells, n, s->table.partition);
    if (!is_whole_number(cell_at(cells, n, s->table.gpu), &gpu))
        return WS_OK;
    if (partition_cell.n && is_whole_number(partition_cell, &partition) && partition > 0)
        return WS_OK; /* its power is that of the first */
    if (s->table.stamp != NO_CELL)
        take_stamp(t, cells[s->table.stamp]);
    return take_cells(t, gpu, cell_at(cells, n, s->table.power), cell_at(cells, n, s->table.limit),
                      cell_at(cells, n, s->table.load), cell_at(cells, n, s->table.heat), error);
}

/* --- amd-smi metric --- */

/* "SOCKET_POWER: 137 W"; without a value the beginning of a section. */
static bool is_member(ws_span line, ws_span *name, ws_span *value)
{
    const char *colon = line.n ? memchr(line.p, ':', line.n) : NULL;
    if (!colon)
        return false;
    *name = (ws_span){line.p, (size_t)(colon - line.p)};
    *value = ws_span_trim((ws_span){colon + 1, line.n - name->n - 1});
    for (size_t i = 0; i < name->n; i++)
        if (!isupper((unsigned char)name->p[i]) && !isdigit((unsigned char)name->p[i]) && name->p[i] != '_')
            return false;
    return name->n > 0;
}

static ws_status take_member(ws_row_trace *t, ws_span name, ws_span value, ws_error *error)
{
    static const struct listed members[] = {{"SOCKET_POWER", WS_POWER, 1, 0},
                                            {"TOTAL_ENERGY_CONSUMPTION", WS_ENERGY_COUNTER, 1, 0},
                                            {"GFX_ACTIVITY", WS_UTIL, 0.01, 0}};
    amd_text *s = t->state;
    const bool is_of_section[] = {s->in_power, s->in_energy, s->in_usage};
    if (ws_span_eq(name, "GPU") && is_whole_number(value, &s->gpu))
        return WS_OK;
    if (!value.n) {
        s->in_power = ws_span_eq(name, "POWER");
        s->in_energy = ws_span_eq(name, "ENERGY");
        s->in_usage = ws_span_eq(name, "USAGE");
        return WS_OK;
    }
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        if (!ws_span_eq(name, members[i].name) || !is_of_section[i] || s->gpu < 0)
            continue;
        amd_text_settle_poll(t, s->gpu, members[i].quantity);
        return amd_text_push(t, s->gpu, &members[i], members[i].name, amd_text_number(t, value) * members[i].to_si,
                             error);
    }
    return WS_OK;
}

/* --- all of them --- */

static ws_status amd_text_take(ws_row_trace *t, const ws_row *row, ws_error *error)
{
    amd_text *s = t->state;
    ws_span line = row->cells[0], rest, stamp;
    int64_t gpu;
    char buffer[WS_DATE_LINE];
    table_places table;
    if (ws_row_is_date_line(row, true, buffer, &stamp)) {
        take_stamp(t, stamp);
        return WS_OK;
    }
    if (row->unfinished && ws_row_trace_is_cut(t))
        return WS_OK;
    if (is_list_line(line, &gpu, &rest))
        return take_listed(t, gpu, rest, error);
    if (is_concise_header(line, &table) || is_monitor_header(line, &table)) {
        s->table = table;
        return WS_OK;
    }
    ws_span name, value;
    if (is_member(ws_span_trim(line), &name, &value))
        return take_member(t, name, value, error);
    return s->table.kind == CONCISE   ? take_concise(t, line, error)
           : s->table.kind == MONITOR ? take_monitored(t, line, error)
                                      : WS_OK;
}

static ws_status read_amd_smi_text(ws_input *input, const ws_read_options *options, const ws_sink *sink,
                                   ws_notes *notes, ws_error *error)
{
    static const ws_row_trace_kind kind = {.delimiter = WS_LINES,
                                           .holds_rows_alone = true,
                                           .take = amd_text_take,
                                           .what = "no power of a GPU that rocm-smi or amd-smi printed"};
    amd_text state = {.last_power = -2, .gpu = -1};
    return ws_row_trace_read(&kind, input, options, sink, notes, &state, error);
}

/* A job's log may begin with one table: a trace has the second poll, or a list of powers. */
static int score_amd_smi_text(const char *path, ws_span head)
{
    (void)path;
    ws_span line, rest, value;
    table_places table;
    int64_t gpu, last = -1;
    table.stamp = table.power = NO_CELL;
    int polls = 0;
    bool has_header = false, in_power = false;
    while (polls < 2 && ws_span_split(&head, '\n', &line)) {
        ws_span trimmed = ws_span_trim(line), name;
        if (is_concise_header(trimmed, &table)) {
            polls++;
        } else if (is_monitor_header(trimmed, &table)) {
            has_header = true;
            polls += table.stamp == NO_CELL;
        } else if (is_list_line(trimmed, &gpu, &rest)) {
            const struct listed *what = find_listed(rest, &value);
            bool is_power = what && what->quantity == WS_POWER;
            polls += is_power && (last < 0 || gpu <= last);
            last = is_power ? gpu : last;
        } else if (is_member(trimmed, &name, &value)) {
            in_power = value.n ? in_power : ws_span_eq(name, "POWER");
            polls += in_power && ws_span_eq(name, "SOCKET_POWER");
        } else if (has_header && table.stamp == 0) {
            ws_span cells[MOST_CELLS];
            size_t n = cells_of(trimmed, cells);
            polls += n > (size_t)table.power && ws_span_has_suffix(cells[table.power], "W");
        }
    }
    return polls >= 2 ? 93 : polls ? 60 : 0;
}

const ws_format ws_format_amd_smi_text = {
    .name = "amd-smi-text",
    .title = "what rocm-smi and amd-smi print as text, again and again",
    .example = "GPU[0]\t\t: Average Graphics Package Power (W): 89.0",
    .tier = 2,
    .gives = WS_GIVES_POWER | WS_GIVES_COUNTER | WS_GIVES_UTIL | WS_GIVES_MEM_USED | WS_GIVES_TEMP | WS_GIVES_LIMIT,
    .tried = WS_TRIED_HAND_MADE,
    .score = score_amd_smi_text,
    .holds = "GPU",
    .read = read_amd_smi_text,
};
