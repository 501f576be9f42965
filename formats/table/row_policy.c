#include "formats/table/row_policy.h"

#include <string.h>

enum { NOTE_TEXT = 80 };

static int shown(ws_span text)
{
    return text.n > NOTE_TEXT ? NOTE_TEXT : (int)text.n;
}

/* --- headers --- */

void ws_row_note_header_again(const ws_row_policy *policy, const ws_row *row)
{
    if (!policy->scrolls)
        ws_notes_add(policy->notes, WS_FINDING_REPEATED_HEADER, policy->source, "", row->line,
                     "the header is repeated inside the file");
}

bool ws_row_is_header_again(const ws_row_policy *policy, const ws_row *row)
{
    if (!policy->header || !ws_row_spells(row, policy->header, policy->n_columns))
        return false;
    ws_row_note_header_again(policy, row);
    return true;
}

ws_header_kind ws_row_policy_header(ws_row_policy *policy, ws_arena *arena, const ws_row *row)
{
    bool is_first = !policy->header;
    if (ws_row_is_header_again(policy, row))
        return WS_HEADER_AGAIN;
    policy->n_columns = row->n_cells;
    policy->header = ws_arena_alloc(arena, row->n_cells * sizeof *policy->header);
    for (uint32_t c = 0; c < row->n_cells; c++)
        policy->header[c] = ws_arena_strndup(arena, row->cells[c].p, row->cells[c].n);
    if (is_first)
        return WS_HEADER_FIRST;
    ws_notes_add(policy->notes, WS_FINDING_CHANGED_HEADER, policy->source, "", row->line,
                 "the columns change inside the file");
    return WS_HEADER_CHANGED;
}

/* --- the end of the file --- */

void ws_row_policy_remember(ws_row_policy *policy, ws_span last_cell)
{
    policy->last_cell_n = last_cell.n < sizeof policy->last_cell ? last_cell.n : 0;
    memcpy(policy->last_cell, last_cell.p, policy->last_cell_n);
}

static void split_number(ws_span cell, size_t *decimals, ws_span *rest)
{
    double value;
    *decimals = 0;
    if (!ws_span_number(cell, &value, rest)) {
        *rest = cell;
        return;
    }
    size_t end = (size_t)(rest->p - cell.p);
    const char *point = memchr(cell.p, '.', end);
    while (point && point + 1 + *decimals < cell.p + end && point[1 + *decimals] >= '0' && point[1 + *decimals] <= '9')
        ++*decimals;
}

/* A cell with a line end inside may be an unclosed quote that swallowed the rest of the file. */
static bool has_line_end(const ws_row *row)
{
    for (uint32_t c = 0; c < row->n_cells; c++)
        if (row->cells[c].n && memchr(row->cells[c].p, '\n', row->cells[c].n))
            return true;
    return false;
}

static bool is_closed(const ws_row_policy *policy, const ws_row *row)
{
    bool has_end_sign = policy->n_columns && !*policy->header[policy->n_columns - 1];
    return row->is_closed || (has_end_sign && !row->cells[row->n_cells - 1].n);
}

/* WS_LAST_LINE_ALIKE: loggers write the last cell of every row with the same unit and as many decimals. If it has
 * neither, a shorter cell than before is not trusted. */
static bool looks_cut(const ws_row_policy *policy, const ws_row *row)
{
    ws_span cell = ws_row_cell(row, (int32_t)policy->n_columns - 1);
    ws_span before = {policy->last_cell, policy->last_cell_n}, rest, rest_before;
    size_t decimals, decimals_before;
    if (policy->last_line == WS_LAST_LINE_KEPT)
        return row->n_cells < policy->n_columns;
    if (policy->last_line == WS_LAST_LINE_NEVER || has_line_end(row))
        return true;
    if (policy->last_line == WS_LAST_LINE_CLOSED)
        return row->n_cells < policy->n_columns || !is_closed(policy, row);
    if (row->n_cells < policy->n_columns || !before.n)
        return row->n_cells < policy->n_columns;
    split_number(cell, &decimals, &rest);
    split_number(before, &decimals_before, &rest_before);
    if (decimals != decimals_before || rest.n < rest_before.n)
        return true;
    return !decimals && !rest.n && cell.n < before.n;
}

/* --- rows --- */

ws_span ws_row_text(const ws_row *row, char buffer[WS_ROW_TEXT])
{
    size_t n = 0;
    for (uint32_t c = 0; c < row->n_cells && n < WS_ROW_TEXT; c++) {
        ws_span cell = row->cells[c];
        if (c)
            buffer[n++] = ' ';
        size_t room = WS_ROW_TEXT - n, taken = cell.n < room ? cell.n : room;
        if (taken)
            memcpy(buffer + n, cell.p, taken);
        n += taken;
    }
    return (ws_span){buffer, n};
}

static void add_note(const ws_row_policy *policy, ws_finding finding, const ws_row *row, const char *text)
{
    ws_notes_add(policy->notes, finding, policy->source, "", row->line, "%s", text);
}

void ws_note_cut_line(ws_notes *notes, const char *source, const char *subject, int64_t line)
{
    ws_notes_add(notes, WS_FINDING_TRUNCATED_LINE, source, subject, line, "the last line is cut and was refused");
}

void ws_row_note_cut(const ws_row_policy *policy, const ws_row *row)
{
    ws_note_cut_line(policy->notes, policy->source, "", row->line);
}

static void note_ragged(const ws_row_policy *policy, const ws_row *row)
{
    ws_notes_add(policy->notes, WS_FINDING_RAGGED_ROW, policy->source, "", row->line,
                 "the row has %u cells and the head %u: it was left out", (unsigned)row->n_cells,
                 (unsigned)policy->n_columns);
}

/* Cells after the last column come from decimal commas, which move the other cells of the row to wrong columns. */
static bool fits(const ws_row_policy *policy, const ws_row *row)
{
    bool is_short = row->n_cells < policy->n_columns;
    if (!is_short && !ws_row_has_more(row, policy->n_columns))
        return true;
    if (policy->is_of_runs)
        note_ragged(policy, row);
    else if (!is_short)
        add_note(policy, WS_FINDING_EXTRA_CELLS, row, "a row has more cells than columns and was refused");
    else if (policy->keeps_short)
        add_note(policy, WS_FINDING_UNFILLED_ROW, row, "a row ends before its last column: the rest counts as missing");
    else
        add_note(policy, WS_FINDING_SHORT_ROW, row, "a row ends before its last column and was left out");
    return is_short && policy->keeps_short;
}

void ws_row_note_doubt(const ws_row_policy *policy, const ws_row *row)
{
    ws_span cell = row->cells[row->n_cells - 1];
    if (row->unfinished && cell.n)
        ws_notes_add(policy->notes, WS_FINDING_TRUNCATED_LINE, policy->source, policy->header[policy->n_columns - 1],
                     row->line, "the last line has no line end: its last cell may be cut: '%.*s'", shown(cell), cell.p);
}

bool ws_row_is_cut(const ws_row_policy *policy, const ws_row *row)
{
    bool is_cut = row->unfinished && looks_cut(policy, row);
    if (is_cut)
        ws_row_note_cut(policy, row);
    return is_cut;
}

bool ws_row_policy_check(const ws_row_policy *policy, const ws_row *row)
{
    if (ws_row_is_cut(policy, row))
        return false;
    bool is_usable = fits(policy, row);
    if (is_usable && policy->last_line == WS_LAST_LINE_KEPT)
        ws_row_note_doubt(policy, row);
    return is_usable;
}

void ws_row_note_no_data(const ws_row_policy *policy, const ws_row *row)
{
    char buffer[WS_ROW_TEXT];
    ws_span text = ws_row_text(row, buffer);
    if (row->unfinished)
        ws_row_note_cut(policy, row);
    else
        ws_notes_add(policy->notes, WS_FINDING_SKIPPED_LINE, policy->source, "", row->line, "no row of data: '%.*s'",
                     WS_SPAN_ARG(text));
}

void ws_note_unreadable_cell(ws_notes *notes, const char *source, const char *column, int64_t line, ws_span cell)
{
    cell = ws_span_trim(cell);
    ws_notes_add(notes, WS_FINDING_UNREADABLE_CELL, source, column, line,
                 *column ? "'%.*s' is no number for '%s': counted as missing"
                         : "'%.*s' is no number: counted as missing",
                 shown(cell), cell.p, column);
}

void ws_note_bad_stamp(ws_notes *notes, const char *source, int64_t line, ws_span stamp)
{
    ws_notes_add(notes, WS_FINDING_BAD_STAMP, source, "", line, "no stamp: '%.*s'", shown(stamp), stamp.p);
}
