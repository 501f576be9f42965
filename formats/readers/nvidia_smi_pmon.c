/* nvidia-smi pmon: which process ran on which GPU. No power, so that it is a table of records and no trace:
 *
 *   # gpu         pid   type     sm    mem    enc    dec    command
 *   # Idx           #    C/G      %      %      %      %    name
 *       0       41207     C      97     40      -      -    python
 *       1           -     -       -      -      -      -    -
 *
 * One row a process and sample; idle GPUs have a row without process, which is kept. */
#include "formats/format.h"
#include "formats/table/infer.h"
#include "formats/table/trace_head.h"
#include "formats/table/rows.h"

enum { MOST_NAMES = 128 };

typedef struct pmon_reader {
    ws_table texts, *table;
    ws_row_policy policy;
} pmon_reader;

/* The names of a head with a GPU and a process, the '#' before them taken off; how many: 0: the row is no such head. */
static size_t head_names(const ws_row *row, ws_span names[MOST_NAMES])
{
    size_t n = 0;
    bool has_gpu = false, has_pid = false;
    for (uint32_t c = 0; c < row->n_cells && n < MOST_NAMES && ws_span_has_prefix(*row->cells, "#"); c++) {
        ws_span name = row->cells[c];
        if (!c)
            name = (ws_span){name.p + 1, name.n - 1};
        if (!name.n)
            continue;
        has_gpu |= ws_span_eq_nocase(name, "gpu");
        has_pid |= ws_span_eq_nocase(name, "pid");
        names[n++] = name;
    }
    return has_gpu && has_pid ? n : 0;
}

static int score_nvidia_smi_pmon(const char *path, ws_span bytes)
{
    (void)path;
    enum { LINES = 60 };
    ws_head_rows head;
    ws_span names[MOST_NAMES];
    bool is_head = false;
    if (ws_head_rows_open(&head, "", bytes, WS_WORDS, LINES, NULL, NULL) != WS_OK)
        return 0;
    for (size_t i = 0; i < head.n && !is_head; i++)
        is_head = head_names(&head.row[i], names) > 0;
    ws_head_rows_close(&head);
    return is_head ? 95 : 0;
}

static ws_status pmon_take_head(pmon_reader *r, const ws_row *row, const ws_span *names, size_t n, ws_error *error)
{
    bool is_first = !r->policy.header;
    if (ws_row_policy_header(&r->policy, &r->texts.arena, row) == WS_HEADER_CHANGED)
        return ws_fail_at(error, WS_FORMAT, r->table->source, row->line,
                          "the columns change inside the file: cut it in two before this line");
    for (size_t i = 0; i < n && is_first; i++)
        ws_table_add_column(&r->texts, ws_infer_free_name(&r->texts, names[i]), WS_TEXT);
    return WS_OK;
}

/* The command is the last column and may hold blanks. */
static void pmon_take_process(pmon_reader *r, const ws_row *row)
{
    size_t n = r->texts.n_columns;
    if (!n || row->n_cells < n || row->unfinished) {
        ws_row_note_no_data(&r->policy, row);
        return;
    }
    size_t at = ws_table_add_row_at(&r->texts, row->line);
    for (size_t c = 0; c < n; c++) {
        ws_span cell = row->cells[c];
        if (c + 1 == n)
            cell.n = (size_t)(ws_row_line(row).p + ws_row_line(row).n - cell.p);
        if (!ws_span_is_missing(cell))
            ws_table_set_span(&r->texts, c, at, cell);
    }
}

static ws_status pmon_take_row(void *state, const ws_row *row, ws_error *error)
{
    pmon_reader *r = state;
    ws_span names[MOST_NAMES];
    size_t n = head_names(row, names);
    if (n)
        return pmon_take_head(r, row, names, n, error);
    if (!ws_span_has_prefix(*row->cells, "#"))
        pmon_take_process(r, row);
    return WS_OK;
}

static ws_status read_pmon(ws_input *input, const ws_read_options *options, ws_table *table, ws_error *error)
{
    ws_rows *rows;
    pmon_reader r = {.table = table};
    table->source = ws_arena_strdup(&table->arena, ws_input_path(input));
    ws_table_init(&r.texts, "texts");
    r.policy = (ws_row_policy){.source = table->source, .notes = &table->notes, .scrolls = true};
    ws_status status = ws_rows_open(&rows, input, WS_WORDS, &options->rows, error);
    if (status == WS_OK)
        status = ws_rows_take(rows, pmon_take_row, &r, error);
    if (status == WS_OK && !r.texts.n_rows)
        status = ws_fail_at(error, WS_DATA, table->source, 0, "no row of a process");
    if (status == WS_OK)
        ws_infer_columns(&r.texts, table);
    ws_rows_close(rows);
    ws_table_free(&r.texts);
    return status;
}

const ws_format ws_format_nvidia_smi_pmon = {
    .name = "nvidia-smi-pmon",
    .title = "nvidia-smi pmon: processes on each GPU (no power)",
    .example = "# gpu         pid   type     sm    mem    command\n    0       41207     C      97     40    python",
    .is_record = true,
    .tier = 3,
    .tried = WS_TRIED_HAND_MADE,
    .score = score_nvidia_smi_pmon,
    .read_table = read_pmon,
};
