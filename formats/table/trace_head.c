/* The first rows of a file: which sign stands between cells, which row is a header, and the plan that the rows under it
 * lead to. See trace_head.h. */
#include "formats/table/trace_head.h"

#include "core/arena.h"
#include "core/stamp.h"
#include "formats/table/column_limits.h"
#include "formats/table/trace_sample.h"
#include "formats/table/date_lines.h"
#include "formats/table/headless.h"

#include <stdio.h>
#include <string.h>

static bool map_names_columns(const ws_map *map)
{
    for (size_t i = 0; i < map->n; i++)
        if (*map->columns[i].column != '#')
            return true;
    return false;
}

static bool has_all_of_map(const ws_row *row, const ws_map *map)
{
    uint32_t column;
    for (size_t i = 0; i < map->n; i++)
        if (!ws_map_find(map->columns[i].column, row->cells, row->n_cells, &column))
            return false;
    return true;
}

/* What stands behind the number of "8-Pin #1 Power [W]", a name of GPU-Z, and of "8PIN 1 (W)", one of PCAT. */
static bool is_word_with_number(ws_span rest)
{
    ws_span bare;
    bool is_word = rest.n > 1 && *rest.p == '-' && ((rest.p[1] | 32) >= 'a' && (rest.p[1] | 32) <= 'z');
    return is_word || (rest.n > 3 && strchr(")]", rest.p[rest.n - 1]) && ws_unit_in_name(rest, &bare) && bare.n);
}

/* ",/intelcpu/0/load/1,/gpu-nvidia/0/power/0", above the names of Open Hardware Monitor's and LibreHardwareMonitor's
 * logs. */
static bool is_row_of_identifiers(const ws_row *row)
{
    return row->n_cells > 1 && !ws_span_trim(row->cells[0]).n && ws_span_has_prefix(ws_span_trim(row->cells[1]), "/");
}

/* Names instead of readings. Whole numbers may name the devices of a wide file, but only beside a name for the time:
 * "timestamp,0,1,2,3". */
bool ws_row_is_header(const ws_row *row, const ws_map *map)
{
    if ((map->gives_header && !map->has_header) || is_row_of_identifiers(row))
        return false;
    if (map_names_columns(map) && has_all_of_map(row, map))
        return true;
    size_t known = 0, times = 0, numbers = 0;
    for (uint32_t c = 0; c < row->n_cells; c++) {
        double value;
        int64_t whole;
        ws_span rest, cell = row->cells[c];
        bool is_number = ws_span_number(cell, &value, &rest) && !is_word_with_number(rest);
        if (ws_cell_is_date(cell) || (is_number && (rest.n || !ws_span_i64(cell, &whole))))
            return false;
        ws_role role = is_number ? WS_ROLE_UNKNOWN : ws_meaning_of(cell).role;
        known += role != WS_ROLE_UNKNOWN;
        times += role == WS_ROLE_TIME || role == WS_ROLE_DATE;
        numbers += is_number;
    }
    return numbers ? times > 0 : known > 0;
}

enum { LINES_LOOKED_AT = 32, WS_TOLD_COLUMNS = 12 };

/* The delimiter that occurs equally often in most of the first lines; 0: none does. Semicolons are tried before commas,
 * which may be decimal in such a file. *after gets the text after these lines. */
static char delimiter_of_lines(ws_span head, ws_span *after)
{
    static const char signs[] = {'\t', ';', ',', '|'};
    for (size_t s = 0; s < sizeof signs; s++) {
        ws_span rest = head, line;
        size_t lines = 0, equal = 0, usual = 0;
        while (lines < LINES_LOOKED_AT && ws_span_split(&rest, '\n', &line)) {
            line = ws_span_trim(line);
            size_t n = ws_span_count_unquoted(line, signs[s]);
            if (!line.n || (*line.p == '#' && n == 0))
                continue;
            if (equal == 0)
                usual = n;
            equal += n == usual ? 1 : 0;
            lines++;
            if (n != usual && equal * 2 < lines)
                equal = 0;
        }
        if (usual && equal * 2 >= lines)
            return signs[s];
        *after = rest;
    }
    return 0;
}

static ws_span behind_plain_text(ws_span head)
{
    ws_span rest = head, line;
    while (head.n && ws_span_split(&rest, '\n', &line) && !memchr(line.p, '\t', line.n) &&
           !memchr(line.p, ';', line.n) && !memchr(line.p, ',', line.n) && !memchr(line.p, '|', line.n))
        head = rest;
    return head;
}

/* The output of a job may precede the table. */
char ws_delimiter_guess(ws_span head)
{
    while ((head = behind_plain_text(head)).n) {
        char sign = delimiter_of_lines(head, &head);
        if (sign)
            return sign;
    }
    return ',';
}

/* Cells that point into the head stay valid; those in libcsv's buffer must be copied. */
static void keep_row(ws_head_rows *head, const ws_row *row)
{
    ws_span *cells = ws_arena_alloc(&head->arena, row->n_cells * sizeof *cells);
    for (uint32_t c = 0; c < row->n_cells; c++) {
        cells[c] = row->cells[c];
        if (!row->is_in_text)
            cells[c].p = ws_arena_strndup(&head->arena, cells[c].p, cells[c].n);
    }
    head->row[head->n] = *row;
    head->row[head->n++].cells = cells;
}

ws_status ws_head_rows_open(ws_head_rows *head, const char *source, ws_span bytes, char delimiter, size_t most,
                            const ws_rows_options *options, ws_error *error)
{
    const ws_row *block;
    size_t n = 1;
    ws_rows *rows;
    ws_rows_options uncounted = {.reader = options ? options->reader : WS_READER_FAST};
    memset(head, 0, sizeof *head);
    head->input = ws_input_from_memory(source, bytes.p, bytes.n);
    head->row = ws_arena_alloc(&head->arena, most * sizeof *head->row);
    ws_status status = ws_rows_open(&rows, head->input, delimiter, &uncounted, error);
    while (status == WS_OK && n && head->n < most) {
        status = ws_rows_next(rows, &block, &n, error);
        for (size_t i = 0; status == WS_OK && i < n && head->n < most; i++)
            keep_row(head, &block[i]);
    }
    ws_rows_close(rows);
    if (head->n > 1 && head->row[head->n - 1].unfinished)
        head->n--;
    bool may_have_one_column = head->n && head->row[head->n - 1].n_cells == 1;
    head->has_stamp_lines = may_have_one_column && ws_rows_have_stamp_lines(head->row, head->n);
    if (status != WS_OK && !head->n) {
        ws_head_rows_close(head);
        return status;
    }
    if (error && status != WS_OK) /* reading the whole file meets the damage again, after the rows before it */
        ws_error_clear(error);
    return WS_OK;
}

void ws_head_rows_close(ws_head_rows *head_rows)
{
    ws_input_close(head_rows->input);
    ws_arena_free(&head_rows->arena);
    memset(head_rows, 0, sizeof *head_rows);
}

bool ws_row_is_comment(const ws_row *row)
{
    return row->n_cells && ws_span_has_prefix(row->cells[0], "#");
}

bool ws_row_is_remark(const ws_row *row)
{
    return row->n_cells == 1 && ws_row_is_comment(row);
}

/* Used before the columns are known: the row below shows how many there are. */
static bool is_date_line_of_head(const ws_head_rows *head, size_t i)
{
    char buffer[WS_DATE_LINE];
    ws_span stamp;
    bool takes_bare = head->has_stamp_lines || (i + 1 < head->n && head->row[i + 1].n_cells > 1);
    bool is = ws_row_is_date_line(&head->row[i], takes_bare, buffer, &stamp);
    bool is_of_rows = is && head->row[i].n_cells == 2 && i + 1 < head->n && /* "2026-01-01 00:00:00,101": a power */
                      ws_row_is_date_line(&head->row[i + 1], true, buffer, &stamp);
    return is && !is_of_rows;
}

static ws_row with_first_cell(ws_arena *arena, const ws_row *row, ws_span first)
{
    ws_row copy = *row;
    ws_span *cells = ws_arena_alloc(arena, row->n_cells * sizeof *cells);
    memcpy(cells, row->cells, row->n_cells * sizeof *cells);
    cells[0] = ws_span_trim(first);
    copy.cells = cells;
    return copy;
}

ws_row ws_clean_row(ws_arena *arena, const ws_row *row, const ws_map *map)
{
    if (row->n_cells < 2 || !ws_row_is_comment(row))
        return *row;
    ws_span first = row->cells[0];
    ws_row bare = with_first_cell(arena, row, (ws_span){first.p + 1, first.n - 1});
    return ws_row_is_header(&bare, map) ? bare : *row;
}

static bool has_number(const ws_row *row)
{
    double value;
    ws_span rest;
    for (uint32_t c = 0; c < row->n_cells; c++)
        if (ws_span_number(row->cells[c], &value, &rest))
            return true;
    return false;
}

static bool has_stamp(const ws_plan *plan, const ws_row *row)
{
    char buffer[WS_STAMP_CELLS];
    return ws_stamp_guess(ws_plan_stamp(plan, row, buffer)) != WS_STAMP_NONE ||
           ws_cell_is_date(ws_row_cell(row, plan->time)) || ws_cell_is_date(ws_row_cell(row, plan->date));
}

static bool is_data_of(const ws_plan *plan, const ws_row *row, const ws_map *map)
{
    if (ws_row_is_comment(row) || ws_row_is_header(row, map))
        return false;
    return has_number(row) && (plan->time < 0 || has_stamp(plan, row));
}

/* The data rows from `from` on, up to a header that differs. */
static ws_trace_sample collect_sample(const ws_plan *plan, const ws_plan_context *context, const ws_head_rows *head,
                                      size_t from)
{
    const ws_row **rows = ws_arena_alloc(context->arena, (head->n + 1) * sizeof *rows);
    uint32_t *turn = ws_arena_alloc(context->arena, (head->n + 1) * sizeof *turn);
    uint32_t date_lines = 0;
    char buffer[WS_DATE_LINE];
    ws_span stamp;
    size_t n = 0;
    for (size_t i = from; i < head->n; i++) {
        const ws_row *row = &head->row[i];
        bool is_date_line = plan->time < 0 && ws_row_is_date_line(row, plan->takes_bare_stamps, buffer, &stamp);
        date_lines += is_date_line;
        if (plan->header && row->n_cells != plan->n_columns && ws_row_is_header(row, context->map))
            break;
        if (!is_date_line && is_data_of(plan, row, context->map)) {
            turn[n] = date_lines;
            rows[n++] = row;
        }
    }
    return ws_trace_sample_of(context->arena, rows, turn, n, plan->n_columns);
}

/* Whole rows whose stamps cannot be read, or none at all. */
static ws_status refuse_head(const ws_plan *plan, const ws_plan_context *context, const ws_head_rows *head, size_t from,
                             ws_error *error)
{
    char buffer[WS_STAMP_CELLS];
    if (!plan->header)
        return ws_fail_at(error, WS_DATA, context->source, plan->line, "no rows of data");
    for (size_t i = from; plan->time >= 0 && i < head->n; i++) {
        const ws_row *row = &head->row[i];
        ws_span stamp = ws_plan_stamp(plan, row, buffer);
        if (row->n_cells == plan->n_columns && stamp.n && has_number(row) && !ws_row_is_comment(row))
            return ws_fail_at(error, WS_DATA, context->source, row->line, "'%.*s' is not a time stamp known here",
                              WS_SPAN_ARG(stamp));
    }
    return ws_fail_at(error, WS_DATA, context->source, plan->line, "a header and no rows of data under it");
}

static ws_status settle_plan(ws_plan *plan, const ws_plan_context *context, const ws_head_rows *head, size_t from,
                             bool has_date_line, ws_error *error)
{
    plan->takes_bare_stamps = plan->n_columns > 1 || head->has_stamp_lines;
    ws_trace_sample sample = collect_sample(plan, context, head, from);
    plan->uses_date_lines = plan->time < 0 && (has_date_line || (sample.n && sample.turn[0]));
    if (sample.n) {
        ws_status status = ws_plan_settle(plan, context, &sample, error);
        plan->is_certain = status == WS_OK && ws_plan_is_certain(plan, context, &sample);
        return status;
    }
    return refuse_head(plan, context, head, from, error);
}

/* Names and no numbers, over a row of numbers with as many cells: a header, though none of its names is known. */
static bool looks_like_header(const ws_head_rows *head, size_t i)
{
    const ws_row *row = &head->row[i];
    return !ws_row_is_comment(row) && !is_date_line_of_head(head, i) && !has_number(row) && i + 1 < head->n &&
           head->row[i + 1].n_cells == row->n_cells && has_number(&head->row[i + 1]);
}

/* "# power" is a header over rows of one cell only. */
static bool is_remark_over(const ws_head_rows *head, size_t i, const ws_row *clean)
{
    return ws_row_is_remark(clean) && i + 1 < head->n && head->row[i + 1].n_cells > 1;
}

/* "Host n1" that a job printed over a table: one cell, and what follows has more. */
static bool is_word_over_table(const ws_head_rows *head, size_t i, const ws_row *clean)
{
    size_t next = i + 1;
    while (next < head->n && head->row[next].n_cells == 1 && !has_number(&head->row[next]))
        next++;
    return clean->n_cells == 1 && next < head->n && head->row[next].n_cells > 2;
}

/* Names of the map that no row has are told of the first header. */
static bool has_header_of_map(const ws_head_rows *head, const ws_map *map)
{
    for (size_t i = 0; map_names_columns(map) && i < head->n; i++)
        if (has_all_of_map(&head->row[i], map))
            return true;
    return false;
}

static bool is_first_header(const ws_head_rows *head, size_t i, const ws_row *clean, const ws_map *map)
{
    if (has_header_of_map(head, map))
        return has_all_of_map(clean, map);
    if (is_remark_over(head, i, clean) || is_word_over_table(head, i, clean))
        return false;
    if (map->gives_header)
        return map->has_header && !ws_row_is_comment(clean);
    return ws_row_is_header(clean, map) || looks_like_header(head, i);
}

/* "epoch_ms", "unix", "Zeit (ns)", "Zeitstempel", "tsEpochMs", not "start_time" or "end_time", which tables of runs
 * have. */
static bool may_name_time(ws_span header_cell)
{
    static const char *const fronts[] = {"time", "epoch", "unix", "stamp", "posix", "zeit", "horodat"};
    static const char *const words[] = {"ts",     "utc",   "clock", "milliseconds", "microseconds", "nanoseconds",
                                        "millis", "nanos", "temps", "tiempo",       "tempo"};
    static const char *const never[] = {"start", "end", "begin", "finish", "stop", "submit", "created", "duration"};
    char buffer[WS_PLAIN_NAME];
    ws_span word, rest = ws_plain_name(buffer, header_cell);
    bool may = false;
    while (rest.n && ws_span_split(&rest, '_', &word)) {
        for (size_t i = 0; i < sizeof never / sizeof *never; i++)
            if (ws_span_has_prefix(word, never[i]))
                return false;
        for (size_t i = 0; i < sizeof fronts / sizeof *fronts; i++)
            may |= ws_span_has_prefix(word, fronts[i]);
        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
            may |= ws_span_eq(word, words[i]);
    }
    return may;
}

/* Dates, or seconds since 1970 or parts of them, in every row, which go on and never back. */
static bool holds_instants(const ws_plan *plan, const ws_head_rows *head, size_t from, uint32_t column)
{
    ws_span bare;
    ws_timecol stamps = {.zone = plan->stamps.zone,
                         .may_have_comma = plan->stamps.may_have_comma,
                         .unit = ws_unit_in_name(ws_span_of(plan->header[column]), &bare)};
    int64_t first = 0, last = 0, ns;
    size_t n = 0;
    for (size_t i = from; i < head->n; i++) {
        ws_span cell = ws_row_cell(&head->row[i], (int32_t)column);
        if (head->row[i].n_cells != plan->n_columns || ws_span_is_missing(cell))
            continue;
        if (!ws_timecol_settle(&stamps, cell) || stamps.form == WS_STAMP_ELAPSED || stamps.form == WS_STAMP_CLOCK ||
            !ws_timecol_read(&stamps, cell, &ns) || !ws_is_time_of_log(ns) || (n && ns < last))
            return false;
        first = n++ ? first : ns;
        last = ns;
    }
    return n > 1 && last > first;
}

/* A power without a column that is called a time: one whose name has a word for it and whose cells are instants is the
 * time, as the numbers prove. */
static void find_instants(ws_plan *plan, const ws_plan_context *context, const ws_head_rows *head, size_t from)
{
    int32_t found = WS_NO_COLUMN;
    bool has_power = false;
    for (size_t v = 0; v < plan->n_values; v++)
        has_power |= plan->values[v].meaning.quantity == WS_POWER;
    if (plan->time >= 0 || context->map->n || !has_power)
        return;
    for (uint32_t c = 0; c < plan->n_columns; c++) {
        if (ws_meaning_of(ws_span_of(plan->header[c])).role != WS_ROLE_UNKNOWN ||
            !may_name_time(ws_span_of(plan->header[c])) || !holds_instants(plan, head, from, c))
            continue;
        if (found >= 0)
            return;
        found = (int32_t)c;
    }
    plan->time = found;
}

/* What else the columns may be, behind the map to type. */
static void say_what_else(const ws_headless_map *map, char *text, size_t size)
{
    *text = '\0';
    if (map->is_counter)
        snprintf(text, size, " where it is a counter of energy in that unit, power=#%d where it is a power",
                 map->power);
    else if (map->other && *map->each)
        snprintf(text, size, " (--columns %.*s%s%s,devices=%d where each is the power of a GPU)",
                 (int)(strstr(map->columns, "power=#") - map->columns), map->columns, map->each + 1,
                 strstr(map->columns, ",header=no"), map->others + 1);
    else if (map->other && map->others > 1)
        snprintf(text, size, " (power=#%d,power=#%d,...,devices=N where N of them are powers of a GPU each)",
                 map->power, map->other);
    else if (map->other)
        snprintf(text, size, " (power=#%d,power=#%d,devices=2 where both are powers of a GPU each)", map->power,
                 map->other);
}

/* Cells without a map that make no plan are of no known column. With the map to type, where the rows show one. */
static ws_status refuse_headless(const ws_plan_context *context, const ws_head_rows *head, const ws_error *failure,
                                 ws_error *error)
{
    ws_headless_map map;
    char several[400];
    if (!context->map->n && ws_are_rows_of_pyjoules(head->row, head->n))
        return ws_fail_remedy(error, WS_REMEDY_HEADLESS, NULL,
                              ws_fail_at(error, failure->status, context->source, head->row[0].line,
                                         "these are rows of pyJoules without their header: sed '1i "
                                         "timestamp;tag;duration;package_0;dram_0' FILE puts it in front (with the "
                                         "domains that were measured: package_0, dram_0, nvidia_gpu_0 ...)"));
    if (context->map->n || !ws_headless_columns(head->row, head->n, &map))
        return ws_fail_remedy(error, failure->remedy, failure->columns,
                              ws_fail(error, failure->status, "%s", failure->message));
    say_what_else(&map, several, sizeof several);
    return ws_fail_remedy(error, WS_REMEDY_HEADLESS, NULL,
                          ws_fail_at(error, failure->status, context->source, head->row[0].line,
                                     WS_HEADLESS ": name them, as in --columns %s%s%s", map.columns,
                                     map.has_time ? "" : " --period SECONDS", several));
}

/* The row above the names of Open Hardware Monitor's and LibreHardwareMonitor's logs: ",/intelcpu/0/load/1,
 * /intelcpu/0/power/0,...". `rank`: among that hardware's powers, of which the first is that of the whole. Of
 * batteries, and of GPUs inside of a processor, none is. */
static bool is_identified_power(const ws_row *identifiers, uint32_t column, int64_t *rank)
{
    ws_span id = ws_span_trim(ws_row_cell(identifiers, (int32_t)column)), last = {"", 0}, kind = {"", 0};
    if (!id.n || *id.p != '/')
        return false;
    bool is_of_chip =
        (ws_span_contains(id, "cpu") || ws_span_contains(id, "gpu")) && !ws_span_contains(id, "integrated");
    for (ws_span word; id.n && ws_span_split(&id, '/', &word); last = word)
        kind = last;
    return is_of_chip && ws_span_eq(kind, "power") && ws_span_i64(last, rank);
}

typedef struct identified {
    char map[160]; /* "time=#1,power=#6,power=#14": that of each processor and card; "": there is none */
    size_t left;   /* powers that the plan does not read */
} identified;

/* Names below such a row say what draws ("CPU Package", of its power and of its temperature), and only the identifiers
 * that it is a power. */
static identified identified_powers(const ws_plan *plan, const ws_head_rows *head, size_t header)
{
    identified found = {.left = 0};
    size_t at = 0, size = sizeof found.map;
    int64_t rank;
    if (!header || plan->time < 0 || head->row[header - 1].n_cells != plan->n_columns)
        return found;
    for (uint32_t c = 0; c < plan->n_columns && at + sizeof ",power=#1000" < size; c++) {
        if (!is_identified_power(&head->row[header - 1], c, &rank))
            continue;
        if (!at && rank == 0)
            at = (size_t)snprintf(found.map, size, "time=#%d", plan->time + 1);
        if (rank == 0)
            at += (size_t)snprintf(found.map + at, size - at, ",power=#%u", c + 1);
        found.left += !ws_plan_uses(plan, c);
    }
    return found;
}

static void note_identified_powers(const ws_plan *plan, const ws_plan_context *context, const ws_head_rows *head,
                                   size_t header)
{
    identified found = identified_powers(plan, head, header);
    if (found.left && !context->map->n)
        ws_notes_add_many(context->notes, found.left, WS_FINDING_UNKNOWN_COLUMN, context->source, "",
                          head->row[header - 1].line,
                          "powers by the identifiers above the names are not read (--columns %s takes that of each "
                          "processor and card)",
                          found.map);
}

/* "ryzen_power" beside "gpu0_power_w": whose it is, and in which unit, nothing says. */
static void note_unread_powers(const ws_plan *plan, const ws_plan_context *context, const ws_row *header)
{
    for (uint32_t c = 0; c < header->n_cells && !context->map->n; c++) {
        ws_span name = ws_span_trim(header->cells[c]);
        if (!ws_plan_uses(plan, c) && ws_meaning_of(name).role == WS_ROLE_UNKNOWN && ws_may_be_power_or_energy(name))
            ws_notes_add(context->notes, WS_FINDING_UNKNOWN_COLUMN, context->source,
                         ws_arena_printf(context->arena, "%.*s", WS_SPAN_ARG(name)), header->line,
                         "may be a power or an energy by its name and is not read: if it should count, rename it so "
                         "that it says whose it is, and its unit (cpu_power_w, gpu2_w, memory_j)");
    }
}

/* A table with a load or a temperature, and columns that may be powers by their names. */
static void note_possible_powers(const ws_plan *plan, const ws_plan_context *context, const ws_row *header)
{
    char columns[WS_COLUMNS_BY_NAME] = WS_UNNAMED_POWER;
    for (size_t v = 0; v < plan->n_values; v++)
        if (ws_is_metered(plan->values[v].meaning.quantity)) {
            note_unread_powers(plan, context, header);
            return;
        }
    size_t n = ws_count_possible_powers(header);
    bool is_told = context->notes && ws_notes_find(context->notes, WS_FINDING_UNKNOWN_COLUMN); /* "power_0" */
    if (!n || context->map->n || is_told)
        return;
    if (ws_columns_by_name(header, plan->time, columns, sizeof columns)) {
        ws_notes_add_many(context->notes, n, WS_FINDING_UNKNOWN_COLUMN, context->source, "", header->line,
                          "may be powers by their names and are not read: --columns %s takes them", columns);
        return;
    }
    ws_list_possible_powers(header, columns, sizeof columns);
    ws_notes_add_many(context->notes, n, WS_FINDING_UNKNOWN_COLUMN, context->source, "", header->line,
                      "may be powers by their names, may hold each other, and are not read: --columns 'power=NAME', or "
                      "several of them, with the names that count: %s",
                      columns);
}

/* "time,L1_W,L2_W,L3_W": powers of which each is shown, and no total adds any, since they may hold each other. */
static void note_powers_of_nobody(const ws_plan *plan, const ws_plan_context *context)
{
    ws_arena *arena = context->arena;
    const char *names = "";
    const ws_plan_value *first = NULL;
    size_t n = 0;
    if (context->map->n || context->map->gives_domain)
        return;
    for (size_t v = 0; v < plan->n_values; v++) {
        const ws_plan_value *value = &plan->values[v];
        if (!ws_is_metered(value->meaning.quantity))
            continue;
        if (value->meaning.domain != WS_OTHER || value->meaning.quantity != WS_POWER)
            return;
        names = ws_arena_printf(arena, "%s%s'%s'", names, n++ ? ", " : "", value->name);
        first = first ? first : value;
    }
    const char *stamp = plan->time >= 0 ? ws_arena_printf(arena, "time=#%d,", plan->time + 1) : "";
    if (n > 1 && n <= WS_TOLD_COLUMNS)
        ws_notes_add(context->notes, WS_FINDING_ASSUMED_DOMAIN, context->source, "", plan->line,
                     "nothing says whose powers these are, nor whether one holds the others: %s are shown, and no "
                     "total adds them (--columns %spower=#%d,domain=node takes the first, and a power= more each that "
                     "adds to it)",
                     names, stamp, first->column + 1);
}

static ws_status plan_of_header(ws_plan *plan, const ws_plan_context *context, const ws_head_rows *head, size_t header,
                                bool has_date_line, ws_error *error)
{
    find_instants(plan, context, head, header + 1);
    note_possible_powers(plan, context, &head->row[header]);
    note_identified_powers(plan, context, head, header);
    ws_status status = settle_plan(plan, context, head, header + 1, has_date_line, error);
    if (status == WS_OK)
        note_powers_of_nobody(plan, context);
    return status;
}

/* With the map to type, where identifiers above the names show one, or names between blanks. */
static ws_status refuse_header(const ws_plan *plan, const ws_plan_context *context, const ws_head_rows *head,
                               size_t header, ws_status status, ws_error *error)
{
    char words[WS_COLUMNS_BY_NAME];
    if (error && !context->map->n && plan->n_columns == 1 &&
        ws_columns_of_words(head->row + header, head->n - header, words, sizeof words)) {
        ws_error_clear(error);
        return ws_fail_remedy(error, WS_REMEDY_HEADLESS, NULL,
                              ws_fail_at(error, status, context->source, head->row[header].line,
                                         "blanks stand between the columns: name them, as in --columns %s", words));
    }
    identified found = identified_powers(plan, head, header);
    if (!error || !*found.map || error->remedy != WS_REMEDY_COLUMNS || *error->columns)
        return status;
    ws_error unnamed = *error;
    int before = (int)(strlen(unnamed.message) - strlen(WS_UNNAMED_POWER)); /* which the message ends in */
    ws_error_clear(error);
    return ws_fail_remedy(error, WS_REMEDY_COLUMNS, found.map,
                          ws_fail(error, status, "%.*s%s", before, unnamed.message, found.map));
}

/* "timestamp power[W]" over "0.000 92.58" is no column of one power. */
static bool has_words_in_cells(const ws_head_rows *head, size_t header, const ws_plan *plan,
                               const ws_plan_context *context)
{
    char words[WS_COLUMNS_BY_NAME];
    return !context->map->n && plan->n_columns == 1 &&
           ws_columns_of_words(head->row + header, head->n - header, words, sizeof words);
}

ws_status ws_first_plan(ws_plan *plan, const ws_plan_context *context, const ws_head_rows *head, ws_error *error)
{
    enum { TRIES = 64 };
    ws_error first_failure = {0};
    bool has_date_line = false;
    size_t tries = 0;
    for (size_t i = 0; i < head->n && tries < TRIES; i++) {
        ws_row row = ws_clean_row(context->arena, &head->row[i], context->map);
        if (is_first_header(head, i, &row, context->map)) {
            ws_status status = ws_plan_from_header(plan, context, &row, error);
            if (status == WS_OK && has_words_in_cells(head, i, plan, context))
                status = ws_fail_at(error, WS_DATA, context->source, row.line, "blanks stand between the columns");
            return status == WS_OK ? plan_of_header(plan, context, head, i, has_date_line, error)
                                   : refuse_header(plan, context, head, i, status, error);
        }
        if (ws_row_is_comment(&row))
            continue;
        bool is_date_line = is_date_line_of_head(head, i);
        has_date_line |= is_date_line;
        if (is_date_line || !has_number(&row))
            continue;
        tries++;
        if (ws_plan_from_cells(plan, context, &row, &first_failure) == WS_OK)
            return settle_plan(plan, context, head, i, has_date_line, error);
    }
    if (first_failure.status != WS_OK)
        return refuse_headless(context, head, &first_failure, error);
    if (!head->n)
        return ws_fail_at(error, WS_DATA, context->source, 0, "is empty");
    return ws_fail_at(error, WS_DATA, context->source, head->row[0].line,
                      "no header that is known here and no rows of numbers (first row: %s)",
                      ws_list_cells(context->arena, head->row[0].cells, head->row[0].n_cells));
}

/* --- lines of home-made loops, which are no table --- */

/* Nothing but readings, and what stands for none; a count of devices or an empty line is neither. */
static bool are_readings(const ws_row *row)
{
    bool any = false;
    for (uint32_t c = 0; c < row->n_cells; c++) {
        double value;
        ws_span rest;
        bool is_reading = ws_span_number(row->cells[c], &value, &rest);
        if (!is_reading && !ws_span_is_missing(row->cells[c]))
            return false;
        any |= is_reading;
    }
    return any;
}

static bool begins_with_stamp(const ws_row *row)
{
    return row->n_cells > 1 && ws_cell_is_date(row->cells[0]);
}

/* Rows of a stamp and as many readings as the rows behind it have alone. */
static bool has_bare_readings(const ws_row *rows, size_t n, char delimiter, char what[WS_LOOP_LINES])
{
    size_t stamped = 0, bare = 0, cells = 0;
    for (size_t i = 0; i < n; i++) {
        if (begins_with_stamp(&rows[i])) {
            if (stamped && rows[i].n_cells != cells)
                return false;
            cells = rows[i].n_cells;
            stamped++;
        } else if (stamped && are_readings(&rows[i])) {
            if (rows[i].n_cells + 1 != cells)
                return false;
            bare++;
        }
    }
    if (stamped < 2 || stamped + bare < WS_BARE_READINGS_ROWS ||
        (double)bare < WS_BARE_READINGS * (double)(stamped + bare))
        return false;
    snprintf(what, WS_LOOP_LINES,
             "the stamp stands in front of the first of %zu readings alone: awk -F'%c' 'NF<%zu{$0=t\"%c\"$0}{t=$1}1' "
             "FILE puts it in front of each (then --columns devices=%zu)",
             (stamped + bare + stamped / 2) / stamped, delimiter, cells, delimiter,
             (stamped + bare + stamped / 2) / stamped);
    return true;
}

/* "08:00:00" at the end, the seconds without decimals. */
static bool ends_with_seconds(ws_span cell)
{
    return cell.n >= 8 && cell.p[cell.n - 3] == ':' && cell.p[cell.n - 6] == ':' &&
           ws_span_digits((ws_span){cell.p + cell.n - 2, 2}) == 2;
}

/* "120", "120000", "120000345", "120000345+01:00" */
static size_t fraction_digits(ws_span cell)
{
    size_t n = ws_span_digits(cell);
    bool has_zone = n < cell.n && strchr("+-Z", cell.p[n]);
    return (n == 3 || n == 6 || n == 9) && (n == cell.n || has_zone) ? n : 0;
}

typedef struct comma_stamps {
    size_t rows, with; /* rows with a stamp, and those with a fraction behind it */
    size_t digits;
    size_t in_order, pairs; /* neighbours in one second whose fractions rise */
    bool is_sure;           /* a leading zero, more digits than readings have, a zone */
    ws_span second, fraction;
} comma_stamps;

static void take_stamp(comma_stamps *s, const ws_row *row, uint32_t c)
{
    ws_span fraction = row->cells[c + 1];
    size_t digits = fraction_digits(fraction);
    s->rows++;
    if (!digits || (s->digits && digits != s->digits))
        return;
    s->digits = digits;
    s->with++;
    s->is_sure |= digits > 3 || *fraction.p == '0' || digits < fraction.n;
    if (s->second.n == row->cells[c].n && memcmp(s->second.p, row->cells[c].p, s->second.n) == 0) {
        s->pairs++;
        s->in_order += memcmp(fraction.p, s->fraction.p, digits) > 0;
    }
    s->second = row->cells[c], s->fraction = fraction;
}

/* "2025-11-21T23:41:31,123456789+01:00" of date -Ins, which stands above rows and is none. */
static bool is_comma_stamp_alone(const ws_row *rows, size_t n, size_t i)
{
    char buffer[WS_DATE_LINE];
    ws_span stamp;
    bool is = rows[i].n_cells == 2 && ws_row_is_date_line(&rows[i], false, buffer, &stamp);
    return is && !(i + 1 < n && rows[i + 1].n_cells == 2 && ws_row_is_date_line(&rows[i + 1], false, buffer, &stamp));
}

/* A reading of three digits looks like milliseconds: what tells them apart is a header with fewer cells, a leading
 * zero, or that they rise within each second, as eight readings in a row do by chance in 0.4 %. */
static bool has_comma_stamps(const ws_row *rows, size_t n, char delimiter, char what[WS_LOOP_LINES])
{
    comma_stamps s = {0};
    uint32_t header = 0;
    bool is_behind_header = true;
    for (size_t i = 0; i < n && delimiter == ','; i++) {
        const ws_row *row = &rows[i];
        uint32_t c = 0;
        if (is_comma_stamp_alone(rows, n, i))
            continue;
        while (c + 1 < row->n_cells && !ends_with_seconds(row->cells[c]))
            c++;
        if (c + 1 < row->n_cells) {
            take_stamp(&s, row, c);
            is_behind_header &= header && row->n_cells == header + 1;
        } else if (!s.rows) {
            header = row->n_cells;
        }
    }
    bool rise = s.pairs >= WS_COMMA_STAMP_PAIRS && s.in_order == s.pairs;
    bool is_so = s.rows >= 2 && s.with == s.rows && (is_behind_header || (!header && (s.is_sure || rise)));
    if (is_so)
        snprintf(what, WS_LOOP_LINES,
                 "stamps have a comma in front of their decimals, which parts the cells: sed -E "
                 "'s/(:[0-9]{2}),([0-9]{%zu})/\\1.\\2/' FILE makes a point of it",
                 s.digits);
    return is_so;
}

static size_t digits_in(ws_span cell)
{
    cell = ws_span_trim(cell);
    for (size_t i = 0; i < cell.n; i++)
        if (cell.p[i] < '0' || cell.p[i] > '9')
            return 0;
    return cell.n;
}

static ws_span without_sign(ws_span cell)
{
    cell = ws_span_trim(cell);
    return cell.n && *cell.p == '-' ? (ws_span){cell.p + 1, cell.n - 1} : cell;
}

/* "2026-02-11 08:00:00,134,3" below "Timestamp,Power (W)", where spreadsheets' locales have a decimal comma: each row
 * has a cell more than the header, or none for decimals, and the last is a digit. Of two digits the cell in front of it
 * must not be of three, which may be milliseconds. */
static bool has_comma_numbers(const ws_row *rows, size_t n, char delimiter, char what[WS_LOOP_LINES])
{
    uint32_t header = n ? rows[0].n_cells : 0;
    bool all = delimiter == ',' && n > 2 && header > 1, are_single = true, are_thousandths = true;
    size_t found = 0;
    for (size_t i = 0; i < n && all; i++) {
        const ws_row *row = &rows[i];
        if (row->n_cells == header)
            continue; /* the header, and again; a number without decimals */
        all = row->n_cells == header + 1;
        size_t whole = all ? digits_in(without_sign(row->cells[header - 1])) : 0,
               last = all ? digits_in(row->cells[header]) : 0;
        all &= whole && last && last <= 2;
        are_single &= last == 1;
        are_thousandths &= whole == 3;
        found++;
    }
    bool is_so = all && found >= 2 && !digits_in(rows[0].cells[header - 1]) && (are_single || !are_thousandths);
    if (is_so)
        snprintf(what, WS_LOOP_LINES,
                 "the last numbers have a decimal comma, which parts the cells: sed -E "
                 "'s/,([0-9]+)$/.\\1/' FILE makes a point of it");
    return is_so;
}

/* "2026-02-11_08:00:00<tab>card0,97" below "device,GPU use (%)": the time that a loop over rocm-smi puts in front. */
static bool has_joined_stamps(const ws_row *rows, size_t n, char delimiter, char what[WS_LOOP_LINES])
{
    size_t joined = 0;
    bool is_so = n > 2 && delimiter == ',' && rows[0].n_cells > 1 && !ws_span_contains(rows[0].cells[0], "\t");
    for (size_t i = 1; i < n && is_so; i++) {
        ws_span stamp, rest = rows[i].cells[0];
        is_so = rows[i].n_cells == rows[0].n_cells && ws_span_split(&rest, '\t', &stamp) && rest.p &&
                ws_cell_is_date(ws_span_trim(stamp));
        joined += is_so;
    }
    if (is_so && joined > 1)
        snprintf(what, WS_LOOP_LINES,
                 "a tab stands between the stamp and the first cell: awk -F'\\t' 'NF==1&&!h{h=1;print \"time,\"$0} "
                 "NF==2{print $1\",\"$2}' FILE makes a comma of it");
    return is_so && joined > 1;
}

bool ws_loop_lines_find(const ws_row *rows, size_t n, char delimiter, char what[WS_LOOP_LINES])
{
    return has_joined_stamps(rows, n, delimiter, what) || has_bare_readings(rows, n, delimiter, what) ||
           has_comma_numbers(rows, n, delimiter, what) || has_comma_stamps(rows, n, delimiter, what);
}

/* --- the plan of so many rows as it takes --- */

static ws_status plan_over(ws_plan *plan, const ws_plan_context *context, ws_span bytes, char delimiter, size_t most,
                           const ws_rows_options *options, ws_error *error)
{
    ws_head_rows head;
    char what[WS_LOOP_LINES];
    ws_status status = ws_head_rows_open(&head, context->source, bytes, delimiter, most, options, error);
    if (status == WS_OK && ws_loop_lines_find(head.row, head.n, delimiter, what))
        status = ws_fail_remedy(error, WS_REMEDY_COMMAND, NULL,
                                ws_fail_at(error, WS_DATA, context->source, head.row[0].line, "%s", what));
    if (status == WS_OK)
        status = ws_first_plan(plan, context, &head, error);
    ws_head_rows_close(&head);
    return status;
}

static ws_span first_lines(ws_span bytes, size_t most)
{
    ws_span rest = bytes, line;
    while (most-- && ws_span_split(&rest, '\n', &line))
        ;
    return rest.p ? (ws_span){bytes.p, (size_t)(rest.p - bytes.p)} : bytes;
}

/* The plan over a few rows; WS_OK, and not certain: there is something odd about them, or more rows may change it. */
static ws_status plan_over_few(ws_plan *plan, const ws_plan_context *context, ws_span bytes, char delimiter, size_t few,
                               const ws_rows_options *options)
{
    ws_notes odd = {0};
    ws_plan_context of_few = *context;
    of_few.notes = &odd;
    ws_status status = plan_over(plan, &of_few, first_lines(bytes, few), delimiter, few, options, NULL);
    plan->is_certain &= status == WS_OK && odd.n == 0;
    ws_notes_free(&odd);
    return status;
}

/* Splitting and examining a thousand rows takes longer than reading half a megabyte. In a trace with nothing odd about
 * it a few rows lead to the same plan, once each device has two of them; but not where one index may be that of several
 * nodes, which only many rows tell. If a thousand rows lead to none, the output of a job may precede the trace. */
ws_status ws_plan_of_head(ws_plan *plan, const ws_plan_context *context, ws_span bytes, char delimiter,
                          const ws_rows_options *options, ws_error *error)
{
    enum { LEAST_ROW_BYTES = 2 };
    static const size_t few[] = {16, 64};
    bool takes_many = false;
    for (size_t i = 0; i < sizeof few / sizeof *few && !takes_many; i++) {
        bool is_planned = plan_over_few(plan, context, bytes, delimiter, few[i], options) == WS_OK;
        if (is_planned && plan->is_certain)
            return WS_OK;
        takes_many = is_planned && ws_plan_may_be_of_nodes(plan, context);
    }
    ws_status status = plan_over(plan, context, bytes, delimiter, WS_HEAD_ROWS, options, NULL);
    return status == WS_OK ? WS_OK
                           : plan_over(plan, context, bytes, delimiter, bytes.n / LEAST_ROW_BYTES + 1, options, error);
}
