#include "formats/table/made_table.h"

#include "formats/table/dictionary.h"
#include "formats/table/rows.h"
#include "formats/table/trace_csv.h"

#include <stdlib.h>
#include <string.h>

size_t ws_made_add_row(ws_made_table *t)
{
    t->rows = ws_grow(t->rows, &t->row_capacity, t->n_rows + 1, sizeof *t->rows);
    t->rows[t->n_rows] = (ws_made_row){0};
    return t->n_rows++;
}

static uint64_t hash_of(ws_span text)
{
    uint64_t hash = UINT64_C(14695981039346656037); /* FNV-1a */
    for (size_t i = 0; i < text.n; i++)
        hash = (hash ^ (unsigned char)text.p[i]) * UINT64_C(1099511628211);
    return hash;
}

/* Half of the slots at most are taken. */
static void grow_slots(ws_made_table *t)
{
    size_t n = t->n_slots ? 2 * t->n_slots : 1024, *slot = ws_alloc(n * sizeof *slot);
    const char **key = ws_alloc(n * sizeof *key);
    for (size_t i = 0; i < t->n_slots; i++) {
        if (!t->slot[i])
            continue;
        size_t at = hash_of(ws_span_of(t->key[i])) % n;
        while (slot[at])
            at = (at + 1) % n;
        slot[at] = t->slot[i], key[at] = t->key[i];
    }
    free(t->slot);
    free(t->key);
    t->slot = slot, t->key = key, t->n_slots = n;
}

size_t ws_made_row_of(ws_made_table *t, ws_span key)
{
    if (2 * (t->n_keys + 1) > t->n_slots)
        grow_slots(t);
    size_t at = hash_of(key) % t->n_slots;
    while (t->slot[at] && !ws_span_eq(key, t->key[at]))
        at = (at + 1) % t->n_slots;
    if (!t->slot[at]) {
        t->key[at] = ws_arena_strndup(&t->arena, key.p, key.n);
        t->slot[at] = ws_made_add_row(t) + 1;
        t->n_keys++;
    }
    return t->slot[at] - 1;
}

static size_t find_column(const ws_made_table *t, ws_span name)
{
    for (size_t i = 0; i < t->n_names; i++) {
        size_t at = t->next + i < t->n_names ? t->next + i : t->next + i - t->n_names;
        if (ws_span_eq(name, t->names[at]))
            return at;
    }
    return t->n_names;
}

ws_span ws_made_cell(const ws_made_table *t, size_t row, ws_span column)
{
    size_t c = find_column(t, column);
    return c < t->rows[row].n_cells ? t->rows[row].cells[c] : (ws_span){NULL, 0};
}

bool ws_made_has(const ws_made_table *t, size_t row, ws_span column)
{
    return ws_made_cell(t, row, column).p;
}

bool ws_made_set(ws_made_table *t, size_t row, ws_span column, ws_span text)
{
    size_t c = find_column(t, column);
    ws_made_row *r = &t->rows[row];
    if (c == t->n_names) {
        if (c == WS_MADE_MOST_COLUMNS)
            return false;
        t->names = ws_grow(t->names, &t->name_capacity, c + 1, sizeof *t->names);
        t->names[t->n_names++] = ws_arena_strndup(&t->arena, column.p, column.n);
    }
    t->next = c + 1 < t->n_names ? c + 1 : 0;
    if (c < r->n_cells && r->cells[c].p)
        return false;
    r->cells = ws_grow(r->cells, &r->capacity, c + 1, sizeof *r->cells);
    for (; r->n_cells <= c; r->n_cells++)
        r->cells[r->n_cells] = (ws_span){NULL, 0};
    r->cells[c] = (ws_span){ws_arena_strndup(&t->arena, text.p, text.n), text.n};
    return true;
}

/* --- as CSV --- */

static bool must_quote(ws_span text)
{
    for (size_t i = 0; i < text.n; i++)
        if (strchr(",\"\n\r", text.p[i]))
            return true;
    return false;
}

static size_t put_cell(char *to, ws_span text)
{
    size_t n = 0;
    bool quotes = must_quote(text);
    if (quotes)
        to[n++] = '"';
    for (size_t i = 0; i < text.n; i++) {
        if (text.p[i] == '"')
            to[n++] = '"';
        to[n++] = text.p[i] == '\n' || text.p[i] == '\r' ? ' ' : text.p[i];
    }
    if (quotes)
        to[n++] = '"';
    return n;
}

static ws_span cell_of(const ws_made_row *row, size_t column)
{
    ws_span none = {"", 0};
    return column < row->n_cells && row->cells[column].p ? row->cells[column] : none;
}

ws_span ws_made_csv(ws_made_table *t)
{
    size_t most = 1, n = 0;
    for (size_t c = 0; c < t->n_names; c++)
        most += 2 * strlen(t->names[c]) + 4;
    for (size_t r = 0; r < t->n_rows; r++)
        for (size_t c = 0; c < t->n_names; c++)
            most += 2 * cell_of(&t->rows[r], c).n + 4;
    char *text = ws_arena_alloc(&t->arena, most);
    for (size_t c = 0; c < t->n_names; c++) {
        n += put_cell(text + n, ws_span_of(t->names[c]));
        text[n++] = c + 1 < t->n_names ? ',' : '\n';
    }
    for (size_t r = 0; r < t->n_rows; r++)
        for (size_t c = 0; c < t->n_names; c++) {
            n += put_cell(text + n, cell_of(&t->rows[r], c));
            text[n++] = c + 1 < t->n_names ? ',' : '\n';
        }
    return (ws_span){text, n};
}

void ws_made_free(ws_made_table *t)
{
    for (size_t r = 0; r < t->n_rows; r++)
        free(t->rows[r].cells);
    free(t->rows);
    free(t->names);
    free(t->slot);
    free(t->key);
    ws_arena_free(&t->arena);
    *t = (ws_made_table){0};
}

/* --- as a trace --- */

extern const ws_format ws_format_generic_csv, ws_format_wandb_system;

/* "system.gpu.0.powerWatts" of Weights & Biases */
static bool is_power_of_wandb(ws_span name)
{
    return ws_span_has_prefix(name, "system.gpu.") && ws_span_has_suffix(name, ".powerWatts");
}

static bool is_metered(ws_span name)
{
    ws_meaning m = ws_meaning_of(name);
    return is_power_of_wandb(name) || (m.role == WS_ROLE_VALUE && ws_is_metered(m.quantity));
}

static bool is_of_wandb(const ws_made_table *t)
{
    bool is = false;
    for (size_t c = 0; c < t->n_names && !is; c++)
        is = is_power_of_wandb(ws_span_of(t->names[c]));
    return is;
}

void ws_made_drop_events(ws_made_table *t)
{
    bool *metered = ws_alloc(t->n_names + 1), any = false;
    size_t kept = 0;
    for (size_t c = 0; c < t->n_names; c++)
        any |= metered[c] = is_metered(ws_span_of(t->names[c]));
    for (size_t r = 0; r < t->n_rows && any; r++) {
        bool has = false;
        for (size_t c = 0; c < t->rows[r].n_cells; c++)
            has |= metered[c] && t->rows[r].cells[c].p;
        if (has)
            t->rows[kept++] = t->rows[r];
        else
            free(t->rows[r].cells);
    }
    t->n_rows = any ? kept : t->n_rows;
    free(metered);
}

int ws_made_score(const char *path, ws_made_table *t)
{
    enum { LEAST_ROWS = 2 };
    bool any = false;
    if (is_of_wandb(t)) /* what else a history holds, as "epoch", makes it no table of runs */
        return t->n_rows >= LEAST_ROWS ? ws_format_wandb_system.score(path, ws_made_csv(t)) : 0;
    for (size_t c = 0; c < t->n_names; c++) {
        ws_span name = ws_span_of(t->names[c]);
        any |= is_metered(name);
        if (ws_name_has(name, WS_NAME_OF_NO_TRACE) || ws_name_has(name, WS_NAME_OF_RUNS))
            return 0;
    }
    return any && t->n_rows >= LEAST_ROWS ? ws_format_generic_csv.score(path, ws_made_csv(t)) : 0;
}

ws_status ws_made_whole_lines(ws_input *input, ws_span *lines, ws_notes *notes, ws_error *error)
{
    ws_status status = ws_input_read_all(input, WS_MADE_MOST_BYTES, lines, error);
    size_t whole = status == WS_OK ? lines->n : 0;
    while (whole && lines->p[whole - 1] != '\n')
        whole--;
    if (status == WS_OK && whole < lines->n)
        ws_note_cut_line(notes, ws_input_path(input), "", 0);
    lines->n = whole;
    return status;
}

ws_status ws_made_read(ws_made_table *t, ws_input *input, const ws_read_options *options, const ws_sink *sink,
                       ws_notes *notes, ws_error *error)
{
    ws_span text = ws_made_csv(t);
    ws_read_options plain = *options;
    plain.log = NULL; /* where a grown log goes on is a place in the file, and none in this table */
    ws_input *made = ws_input_from_memory(ws_input_path(input), text.p, text.n);
    ws_status status = is_of_wandb(t) ? ws_format_wandb_system.read(made, &plain, sink, notes, error)
                                      : ws_trace_csv_read(made, &plain, sink, notes, error);
    ws_input_close(made);
    return status;
}
