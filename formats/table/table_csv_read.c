/* A table of runs or results that people and scripts write: a head of column names, then rows.
 *
 *   # campaign of May
 *   series,gpus,lbs,energy_kwh,wall_s
 *   lbs256,4,256,0.4606460902761998,1545.7
 *   lbs256,8,256,[N/A],1566.9
 *
 * Lines of a spreadsheet with one filled cell stand above the head, and a row of units may stand below it.
 * Separated by , ; tab or |, whichever the head has most of. Between ; or tabs a column may be written as 0,46
 * throughout. Lines that begin with # before the head are comments. */
#include "formats/table/dictionary.h"
#include "formats/table/head_cells.h"
#include "formats/table/infer.h"
#include "formats/table/rows.h"
#include "formats/table/table_csv.h"

#include "core/arena.h"

#include <string.h>

enum { MOST_COLUMNS = 10000 };

typedef struct csv_table {
    ws_table texts; /* every cell as written */
    ws_table *table;
    ws_row_policy policy;
    char delimiter;
    size_t *order; /* of a head that came again in another order: the column of each cell; NULL: as they stand */
} csv_table;

static bool is_comment(ws_span line)
{
    return ws_span_has_prefix(ws_span_trim(line), "#");
}

/* The next line that is neither blank nor a comment, cut off the front; empty when there is none. */
static ws_span next_line(ws_span *bytes)
{
    ws_span line;
    while (ws_span_split(bytes, '\n', &line))
        if (ws_span_trim(line).n && !is_comment(line))
            return line;
    return (ws_span){"", 0};
}

static char sniff_delimiter(ws_span head)
{
    static const char candidates[] = ",;\t|";
    char best = candidates[0];
    size_t most = 0;
    for (const char *c = candidates; *c; c++) {
        size_t n = ws_span_count_unquoted(head, *c);
        if (n > most)
            best = *c, most = n;
    }
    return best;
}

static ws_status take_head(csv_table *t, const ws_row *row, ws_error *error)
{
    size_t numbers = 0;
    double value;
    if (row->n_cells > MOST_COLUMNS)
        return ws_fail_at(error, WS_FORMAT, t->table->source, row->line, "has %u columns, a table at most %d",
                          (unsigned)row->n_cells, MOST_COLUMNS);
    for (uint32_t c = 0; c < row->n_cells; c++) {
        ws_span name = row->cells[c];
        numbers += ws_span_double(name, &value);
        const char *free_name = ws_infer_free_name(&t->texts, name);
        ws_table_add_column(&t->texts, free_name, WS_TEXT);
        if (name.n && !ws_span_eq(name, free_name))
            ws_notes_add(&t->table->notes, WS_FINDING_DUPLICATE_COLUMN, t->table->source, free_name, row->line,
                         "column '%.*s' comes again and is called '%s'", WS_SPAN_ARG(name), free_name);
    }
    ws_row_policy_header(&t->policy, &t->texts.arena, row);
    if (numbers == row->n_cells)
        return ws_fail_at(error, WS_FORMAT, t->table->source, row->line,
                          "the first line holds numbers where column names are needed");
    return WS_OK;
}

static bool is_empty_row(const ws_row *row)
{
    for (uint32_t c = 0; c < row->n_cells; c++)
        if (row->cells[c].n)
            return false;
    return true;
}

/* "|------|:-----:|" below the head of a table drawn for people. */
static bool is_rule(const ws_row *row)
{
    size_t longest = 0;
    for (uint32_t c = 0; c < row->n_cells; c++) {
        for (size_t i = 0; i < row->cells[c].n; i++)
            if (!memchr("-:=+", row->cells[c].p[i], 4))
                return false;
        longest = row->cells[c].n > longest ? row->cells[c].n : longest;
    }
    return longest > 2;
}

/* The column of each cell of a row that holds every name of the head once, and nothing else; false: it does not. */
static bool find_order(const csv_table *t, const ws_row *row, size_t *order)
{
    for (size_t c = 0; c < row->n_cells; c++) {
        size_t at = 0;
        while (at < t->texts.n_columns && !ws_span_eq(row->cells[c], t->texts.columns[at].name))
            at++;
        for (size_t k = 0; k < c; k++)
            if (order[k] == at)
                return false;
        order[c] = at;
        if (at == t->texts.n_columns)
            return false;
    }
    return row->n_cells == t->texts.n_columns;
}

static bool is_in_head(const csv_table *t, ws_span cell)
{
    for (size_t at = 0; at < t->texts.n_columns; at++)
        if (ws_span_eq(cell, t->texts.columns[at].name))
            return true;
    return false;
}

/* "energy_j", "runtime", "gpus": a column whose values would stand under the name of another one. */
static bool names_column(ws_span cell)
{
    ws_span bare;
    const ws_unit *unit = ws_unit_in_name(cell, &bare);
    return ws_dictionary_find_spelled(cell) || (unit && bare.n);
}

/* Not one number, and names of the head, all or half of them or more beside names of other columns (*has_others). */
static bool is_like_head(const csv_table *t, const ws_row *row, bool *has_others)
{
    size_t known = 0, other = 0;
    double value;
    *has_others = false;
    for (size_t c = 0; c < row->n_cells; c++) {
        if (!row->cells[c].n || ws_span_double(row->cells[c], &value))
            return false;
        known += is_in_head(t, row->cells[c]);
        other += !is_in_head(t, row->cells[c]) && names_column(row->cells[c]);
    }
    bool is_like = known > 1 && 2 * known >= row->n_cells;
    *has_others = is_like && other;
    return is_like && (other || known == row->n_cells);
}

/* A head inside the file: the same again, the same in another order, or another one, which is refused. */
static ws_status take_head_again(csv_table *t, const ws_row *row, bool *is_head, ws_error *error)
{
    *is_head = true;
    if (ws_row_is_header_again(&t->policy, row)) {
        t->order = NULL;
        return WS_OK;
    }
    bool has_others;
    size_t *order = NULL;
    bool is_again = is_like_head(t, row, &has_others) && !has_others;
    if (is_again) {
        order = ws_arena_alloc(&t->texts.arena, (row->n_cells + 1) * sizeof *order);
        is_again = find_order(t, row, order);
    }
    *is_head = is_again || has_others;
    if (!*is_head)
        return WS_OK;
    if (!is_again)
        return ws_fail_at(error, WS_FORMAT, t->table->source, row->line,
                          "another line of column names begins a second table here: a file each ('head -n %lld', "
                          "'tail -n +%lld') can be read",
                          (long long)row->line - 1, (long long)row->line);
    ws_notes_add(&t->table->notes, WS_FINDING_REPEATED_HEADER, t->table->source, "", row->line,
                 "the header is repeated in another order, which the rows below it have");
    t->order = order;
    return WS_OK;
}

static const ws_unit *unit_of_cell(ws_span cell)
{
    cell = ws_span_trim(cell);
    bool is_in_brackets = cell.n > 2 && memchr("[(", *cell.p, 2) && memchr("])", cell.p[cell.n - 1], 2);
    return ws_unit_find(is_in_brackets ? (ws_span){cell.p + 1, cell.n - 2} : cell);
}

/* ",s,kWh" below "gpus,time,energy": units and empty cells, one of a time, an energy or a power at least, go behind the
 * names. False: the row is none. */
static bool take_units(csv_table *t, const ws_row *row)
{
    size_t measured = 0;
    if (t->texts.n_rows || row->n_cells != t->texts.n_columns)
        return false;
    for (size_t c = 0; c < row->n_cells; c++) {
        const ws_unit *unit = unit_of_cell(row->cells[c]);
        if (ws_span_trim(row->cells[c]).n && !unit)
            return false;
        measured += unit && (unit->dimension == WS_DIM_TIME || unit->dimension == WS_DIM_ENERGY ||
                             unit->dimension == WS_DIM_POWER);
    }
    for (size_t c = 0; c < row->n_cells && measured; c++) {
        const ws_unit *unit = unit_of_cell(row->cells[c]);
        if (unit)
            t->texts.columns[c].name =
                ws_arena_printf(&t->texts.arena, "%s [%s]", t->texts.columns[c].name, unit->name);
    }
    return measured > 0;
}

/* "Scaling study,," of a spreadsheet, above the head. */
static bool is_title(const ws_row *row)
{
    enum { LEAST = 3 }; /* "x," is a column of numbers with a comma behind each */
    size_t others = 0;
    for (uint32_t c = 1; c < row->n_cells; c++)
        others += row->cells[c].n > 0;
    return row->n_cells >= LEAST && !others;
}

static ws_status take_data(csv_table *t, const ws_row *row, ws_error *error)
{
    bool is_head;
    if (take_units(t, row))
        return WS_OK;
    if (is_empty_row(row) || is_rule(row))
        return WS_OK;
    ws_status status = take_head_again(t, row, &is_head, error);
    if (status != WS_OK || is_head || !ws_row_is_usable(&t->policy, row))
        return status;
    size_t at = ws_table_add_row_at(&t->texts, row->line);
    for (size_t c = 0; c < t->texts.n_columns; c++)
        ws_table_set_span(&t->texts, t->order ? t->order[c] : c, at, row->cells[c]);
    return WS_OK;
}

static ws_status table_csv_read_take_row(void *state, const ws_row *row, ws_error *error)
{
    csv_table *t = state;
    if (t->policy.n_columns)
        return take_data(t, row, error);
    if (!is_comment(row->cells[0]) && !is_title(row))
        return take_head(t, row, error);
    return WS_OK;
}

static ws_status read_rows(csv_table *t, ws_rows *rows, ws_error *error)
{
    ws_status status = ws_rows_take(rows, table_csv_read_take_row, t, error);
    if (status == WS_OK && !t->policy.n_columns)
        return ws_fail_at(error, WS_DATA, t->table->source, 0, "has no line of column names");
    return status;
}

static bool is_decimal_comma(ws_span cell)
{
    ws_span whole, part;
    int64_t left, right;
    return ws_span_cut(cell, ",", &whole, &part) && ws_span_i64(whole, &left) && ws_span_i64(part, &right) &&
           *part.p != '-' && *part.p != '+';
}

/* How many cells have a decimal comma; 0 where any other cell is no whole number and not missing, as "1.5" and
 * "1,234.5". `first` is the row of the first one. */
static size_t count_decimal_commas(const ws_table *texts, size_t column, size_t *first)
{
    size_t commas = 0;
    bool only = true;
    int64_t whole;
    for (size_t row = 0; row < texts->n_rows; row++) {
        ws_span cell = ws_span_of(texts->columns[column].text[row]);
        if (is_decimal_comma(cell))
            *first = commas++ ? *first : row;
        else
            only &= !cell.n || ws_span_is_missing(cell) || ws_span_i64(cell, &whole);
    }
    return only ? commas : 0;
}

static void put_points(ws_table *texts, size_t column)
{
    for (size_t row = 0; row < texts->n_rows; row++) {
        const char *cell = texts->columns[column].text[row];
        ws_span whole, part;
        if (cell && is_decimal_comma(ws_span_of(cell)) && ws_span_cut(ws_span_of(cell), ",", &whole, &part))
            ws_table_set_text(texts, column, row,
                              ws_arena_printf(&texts->arena, "%.*s.%.*s", WS_SPAN_ARG(whole), WS_SPAN_ARG(part)));
    }
}

/* How a number is written: "1,234.5" or "1.234,5". */
typedef struct grouping {
    char group, decimal;
} grouping;

/* Writes the number without its groups and with a decimal point. *has_both: it has groups and decimals. False: the cell
 * is no number so written. */
static bool read_grouped(ws_span cell, grouping g, char *to, size_t size, bool *has_both)
{
    size_t n = 0, digits = 0, groups = 0, decimals = 0;
    bool in_decimals = false;
    if (!cell.n || cell.n >= size)
        return false;
    for (size_t i = 0; i < cell.n; i++) {
        char c = cell.p[i];
        bool ends_group = groups ? digits == 3 : digits >= 1 && digits <= 3;
        if (c >= '0' && c <= '9') {
            to[n++] = c;
            digits++, decimals += in_decimals;
        } else if (c == g.group && !in_decimals && ends_group) {
            groups++, digits = 0;
        } else if (c == g.decimal && !in_decimals && digits && (!groups || digits == 3)) {
            to[n++] = '.';
            in_decimals = true;
        } else {
            return false;
        }
    }
    to[n] = '\0';
    *has_both = groups && decimals;
    return in_decimals ? decimals > 0 : !groups || digits == 3;
}

enum { GROUPED_CELL = 40 };

/* Cells with groups of thousands, where all cells of the column are numbers so written and one at least has decimals,
 * too: "1,234" alone may be either, and "128,256,512" a list. 0: they are not. */
static size_t count_grouped(const ws_table *texts, size_t column, grouping g, size_t *first)
{
    size_t n = 0;
    for (size_t row = 0; row < texts->n_rows; row++) {
        char number[GROUPED_CELL];
        bool has_both = false;
        ws_span cell = ws_span_trim(ws_span_of(texts->columns[column].text[row]));
        if (!cell.n || ws_span_is_missing(cell))
            continue;
        if (!read_grouped(cell, g, number, sizeof number, &has_both))
            return 0;
        *first = has_both && !n++ ? row : *first;
    }
    return n;
}

static void leave_groups_out(ws_table *texts, size_t column, grouping g)
{
    for (size_t row = 0; row < texts->n_rows; row++) {
        char number[GROUPED_CELL];
        bool has_both;
        ws_span cell = ws_span_trim(ws_span_of(texts->columns[column].text[row]));
        if (read_grouped(cell, g, number, sizeof number, &has_both))
            ws_table_set_text(texts, column, row, number);
    }
}

static void read_groups(ws_table *texts, ws_table *table)
{
    static const grouping groupings[] = {{',', '.'}, {'.', ','}};
    for (size_t c = 0; c < texts->n_columns; c++)
        for (size_t k = 0; k < sizeof groupings / sizeof *groupings; k++) {
            size_t first = 0, n = count_grouped(texts, c, groupings[k], &first);
            if (!n)
                continue;
            ws_notes_add_many(&table->notes, n, WS_FINDING_DECIMAL_COMMA, table->source, texts->columns[c].name,
                              texts->line[first], "'%s' is read as a number with groups of thousands",
                              texts->columns[c].text[first]);
            leave_groups_out(texts, c, groupings[k]);
        }
}

void ws_table_csv_read_commas(ws_table *texts, char delimiter, ws_table *table)
{
    read_groups(texts, table);
    for (size_t c = 0; (delimiter == ';' || delimiter == '\t') && c < texts->n_columns; c++) {
        size_t first = 0, commas = count_decimal_commas(texts, c, &first);
        if (!commas)
            continue;
        ws_notes_add_many(&table->notes, commas, WS_FINDING_DECIMAL_COMMA, table->source, texts->columns[c].name,
                          texts->line[first], "'%s' is read as a number with a decimal comma",
                          texts->columns[c].text[first]);
        put_points(texts, c);
    }
}

char ws_table_csv_delimiter(ws_span head)
{
    return sniff_delimiter(next_line(&head));
}

ws_row_policy ws_table_row_policy(ws_table *table)
{
    return (ws_row_policy){
        .source = table->source, .notes = &table->notes, .last_line = WS_LAST_LINE_KEPT, .is_of_runs = true};
}

ws_status ws_table_csv_read(ws_input *input, const ws_read_options *options, ws_table *table, ws_error *error)
{
    csv_table t = {.table = table, .delimiter = ws_table_csv_delimiter(ws_input_head(input))};
    ws_rows *rows;
    table->source = ws_arena_strdup(&table->arena, ws_input_path(input));
    ws_status status = ws_rows_open(&rows, input, t.delimiter, &options->rows, error);
    if (status != WS_OK)
        return status;
    ws_table_init(&t.texts, "texts");
    t.policy = ws_table_row_policy(table);
    status = read_rows(&t, rows, error);
    ws_table_csv_read_commas(&t.texts, t.delimiter, table);
    ws_infer_columns(&t.texts, table);
    ws_table_free(&t.texts);
    ws_rows_close(rows);
    return status;
}

static bool has_name(ws_span head, char delimiter, const char *name)
{
    ws_span cell;
    while (ws_head_cell(&head, delimiter, &cell))
        if (ws_span_eq(cell, name))
            return true;
    return false;
}

static bool has_names(ws_span line, const char *const *names)
{
    char delimiter = sniff_delimiter(line);
    while (*names && has_name(line, delimiter, *names))
        names++;
    return !*names;
}

bool ws_table_csv_has(ws_span head, const char *const *names)
{
    return has_names(next_line(&head), names);
}

ws_span ws_table_csv_find(ws_span head, const char *const *names)
{
    ws_span line, from = head;
    while (ws_span_contains(head, *names) && ws_span_split(&head, '\n', &line)) {
        if (ws_span_contains(line, *names) && has_names(line, names))
            return from;
        from = head;
    }
    return (ws_span){"", 0};
}

enum { LIKE_RUNS = 60, LIKE_TABLE = 8 }; /* scores */

/* A head of names, and a next line with as many cells: prose has commas too. */
static int score_table_csv_read(const char *path, ws_span bytes)
{
    ws_span head = next_line(&bytes), next = next_line(&bytes), name;
    char delimiter = sniff_delimiter(head);
    size_t n = ws_span_count_unquoted(head, delimiter), known = 0;
    if (n == 0 || memchr(head.p, '\0', head.n) || *head.p == '{' || *head.p == '[' ||
        ws_span_has_suffix(ws_span_of(path), ".md"))
        return 0;
    while (ws_head_cell(&head, delimiter, &name)) {
        double value;
        if (ws_span_double(name, &value))
            return 0;
        known += ws_name_has(name, WS_NAME_OF_RUNS);
    }
    if (known >= 2)
        return LIKE_RUNS;
    return !next.n || ws_span_count_unquoted(next, delimiter) == n ? LIKE_TABLE : 0;
}

const ws_format ws_format_table_csv = {
    .name = "table-csv",
    .title = "table with a head of column names, separated by comma, semicolon, tab or |",
    .example = "series,gpus,lbs,energy_kwh,wall_s",
    .is_record = true,
    .is_any_table = true,
    .tier = 1,
    .tried = WS_TRIED_REAL,
    .score = score_table_csv_read,
    .highest_score = LIKE_RUNS,
    .read_table = ws_table_csv_read,
};
