#include "formats/table/trace_head.h"

#include <string.h>

enum { LINES_LOOKED_AT = 32 };

/* The sign that stands equally often in most of the first lines; 0: none does. Semicolons come before commas, which may
 * be decimal there. *after gets what stands behind these lines. */
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

/* The output of a job may stand before the table. */
char ws_delimiter_guess(ws_span head)
{
    while ((head = behind_plain_text(head)).n) {
        char sign = delimiter_of_lines(head, &head);
        if (sign)
            return sign;
    }
    return ',';
}

/* The head stays where it is, and so do cells that lie in it; those of libcsv do not. */
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
    if (status == WS_OK || !head->n)
        return status;
    if (error) /* the damage shows again when the rows before it were read */
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

/* "=== Fri Nov 21 23:41:31 UTC 2025 ===", "Timestamp: 2025-11-21 23:41:31", "[2025-11-21 23:41:31]" */
static ws_span without_ornament(ws_span text)
{
    static const char *const labels[] = {"timestamp:", "time:", "date:"};
    static const char signs[] = "=-*_~[]<>| ";
    while (text.n && strchr(signs, *text.p))
        text.p++, text.n--;
    while (text.n && strchr(signs, text.p[text.n - 1]))
        text.n--;
    for (size_t i = 0; i < sizeof labels / sizeof *labels; i++) {
        size_t n = strlen(labels[i]);
        if (text.n > n && ws_span_eq_nocase((ws_span){text.p, n}, labels[i]))
            return ws_span_trim((ws_span){text.p + n, text.n - n});
    }
    return text;
}

/* Of date -Ins and date -R, which have a comma. */
static ws_span join_two(const ws_row *row, char *buffer)
{
    ws_span first = row->cells[0], second = row->cells[1];
    if (!first.n || !second.n || first.n + second.n + 1 > WS_DATE_LINE)
        return (ws_span){"", 0};
    memcpy(buffer, first.p, first.n);
    buffer[first.n] = ',';
    memcpy(buffer + first.n + 1, second.p, second.n);
    return (ws_span){buffer, first.n + 1 + second.n};
}

bool ws_row_is_date_line(const ws_row *row, uint32_t n_columns, char *buffer, ws_span *stamp)
{
    if (!row->n_cells || row->n_cells > 2)
        return false;
    *stamp = without_ornament(row->n_cells == 1 ? row->cells[0] : join_two(row, buffer));
    return ws_cell_is_date(*stamp) || (row->n_cells == 1 && n_columns > 1 && ws_stamp_guess(*stamp) == WS_STAMP_EPOCH);
}

bool ws_text_is_date_line(ws_span text, ws_span *stamp)
{
    *stamp = without_ornament(ws_span_trim(text));
    return ws_cell_is_date(*stamp) || ws_stamp_guess(*stamp) == WS_STAMP_EPOCH;
}

/* Before the columns are known: the row below tells how many there are. */
static bool is_date_line_of_head(const ws_head_rows *head, size_t i)
{
    char buffer[WS_DATE_LINE];
    ws_span stamp;
    bool is = ws_row_is_date_line(&head->row[i], i + 1 < head->n ? head->row[i + 1].n_cells : 1, buffer, &stamp);
    bool is_of_rows = is && head->row[i].n_cells == 2 && i + 1 < head->n && /* "2026-01-01 00:00:00,101": a power */
                      ws_row_is_date_line(&head->row[i + 1], 2, buffer, &stamp);
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
        bool is_date_line = plan->time < 0 && ws_row_is_date_line(row, plan->n_columns, buffer, &stamp);
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
            return ws_fail_at(error, WS_DATA, context->source, row->line, "'%.*s' is no time stamp that is known here",
                              WS_SPAN_ARG(stamp));
    }
    return ws_fail_at(error, WS_DATA, context->source, plan->line, "a header and no rows of data under it");
}

static ws_status settle(ws_plan *plan, const ws_plan_context *context, const ws_head_rows *head, size_t from,
                        bool has_date_line, ws_error *error)
{
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

static bool is_first_header(const ws_head_rows *head, size_t i, const ws_row *clean, const ws_map *map)
{
    if (is_remark_over(head, i, clean))
        return false;
    if (map->gives_header)
        return map->has_header && !ws_row_is_comment(clean);
    return ws_row_is_header(clean, map) || looks_like_header(head, i);
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
            return status == WS_OK ? settle(plan, context, head, i + 1, has_date_line, error) : status;
        }
        if (ws_row_is_comment(&row))
            continue;
        bool is_date_line = is_date_line_of_head(head, i);
        has_date_line |= is_date_line;
        if (is_date_line || !has_number(&row))
            continue;
        tries++;
        if (ws_plan_from_cells(plan, context, &row, &first_failure) == WS_OK)
            return settle(plan, context, head, i, has_date_line, error);
    }
    if (first_failure.status != WS_OK)
        return ws_fail(error, first_failure.status, "%s", first_failure.message);
    if (!head->n)
        return ws_fail_at(error, WS_DATA, context->source, 0, "is empty");
    return ws_fail_at(error, WS_DATA, context->source, head->row[0].line,
                      "no header that is known here and no rows of numbers (first row: %s)",
                      ws_list_cells(context->arena, head->row[0].cells, head->row[0].n_cells));
}

static ws_status plan_over(ws_plan *plan, const ws_plan_context *context, ws_span bytes, char delimiter, size_t most,
                           const ws_rows_options *options, ws_error *error)
{
    ws_head_rows head;
    ws_status status = ws_head_rows_open(&head, context->source, bytes, delimiter, most, options, error);
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

static bool is_certain_of_few(ws_plan *plan, const ws_plan_context *context, ws_span bytes, char delimiter, size_t few,
                              const ws_rows_options *options)
{
    ws_notes odd = {0};
    ws_plan_context of_few = *context;
    of_few.notes = &odd;
    bool is_certain = plan_over(plan, &of_few, first_lines(bytes, few), delimiter, few, options, NULL) == WS_OK &&
                      plan->is_certain && odd.n == 0;
    ws_notes_free(&odd);
    return is_certain;
}

/* To cut and to look at a thousand rows takes longer than reading half a megabyte. Of a trace with nothing odd about it
 * a few say the same, once each device stands in two of them; where a thousand say nothing the output of a job may
 * stand before the trace. */
ws_status ws_plan_of_head(ws_plan *plan, const ws_plan_context *context, ws_span bytes, char delimiter,
                          const ws_rows_options *options, ws_error *error)
{
    enum { LEAST_ROW_BYTES = 2 };
    static const size_t few[] = {16, 64};
    for (size_t i = 0; i < sizeof few / sizeof *few; i++)
        if (is_certain_of_few(plan, context, bytes, delimiter, few[i], options))
            return WS_OK;
    ws_status status = plan_over(plan, context, bytes, delimiter, WS_HEAD_ROWS, options, NULL);
    return status == WS_OK ? WS_OK
                           : plan_over(plan, context, bytes, delimiter, bytes.n / LEAST_ROW_BYTES + 1, options, error);
}
