/* nvidia-smi pmon: which process ran on which GPU. No power, so that it is a table of records and no trace:
 *
 *   # gpu         pid   type     sm    mem    enc    dec    command
 *   # Idx           #    C/G      %      %      %      %    name
 *       0       41207     C      97     40      -      -    python
 *       1           -     -       -      -      -      -    -
 *
 * One row a process and sample; idle GPUs have a row without process, which is kept. */
#include "formats/table/dmon.h"
#include "formats/table/infer.h"
#include "formats/input/lines.h"

typedef struct pmon_reader {
    ws_table texts, *table;
    ws_lines lines;
} pmon_reader;

static const ws_dmon_layout layout = {.entity = "gpu"};

static bool is_head(ws_span line)
{
    ws_span words[WS_DMON_WORDS];
    if (!ws_dmon_is_head(&layout, line))
        return false;
    for (size_t i = 0, n = ws_dmon_words(line, words); i < n; i++)
        if (ws_span_eq_nocase(words[i], "pid"))
            return true;
    return false;
}

static int score_nvidia_smi_pmon(const char *path, ws_span head)
{
    (void)path;
    enum { LINES = 60 };
    ws_span line;
    for (int i = 0; i < LINES && ws_span_split(&head, '\n', &line); i++)
        if (is_head(line))
            return 95;
    return 0;
}

static ws_status nvidia_smi_pmon_take_head(pmon_reader *r, ws_span line, ws_error *error)
{
    ws_span words[WS_DMON_WORDS];
    size_t n = ws_dmon_words(line, words), same = 0;
    for (size_t i = 0; i < n && i < r->texts.n_columns; i++)
        same += ws_span_eq(words[i], r->texts.columns[i].name);
    if (r->texts.n_columns && (same != n || n != r->texts.n_columns))
        return ws_fail_at(error, WS_FORMAT, r->table->source, r->lines.number,
                          "the columns change inside the file: cut it in two before this line");
    for (size_t i = 0; i < n && !same; i++)
        ws_table_add_column(&r->texts, ws_infer_free_name(&r->texts, words[i]), WS_TEXT);
    return WS_OK;
}

/* The command is the last column and may hold blanks. */
static void nvidia_smi_pmon_take_row(pmon_reader *r, ws_span line)
{
    size_t n = r->texts.n_columns, c = 0;
    ws_span cells[WS_DMON_WORDS] = {{NULL, 0}}, rest = line;
    while (c + 1 < n && ws_span_word(&rest, &cells[c]))
        c++;
    rest = ws_span_trim(rest);
    if (!n || c + 1 < n || !rest.n || r->lines.unfinished) {
        ws_notes_add(&r->table->notes, r->lines.unfinished ? WS_FINDING_TRUNCATED_LINE : WS_FINDING_SKIPPED_LINE,
                     r->table->source, "", r->lines.number, "a line that is no whole row of a process was left out");
        return;
    }
    cells[n - 1] = rest;
    size_t row = ws_table_add_row_at(&r->texts, r->lines.number);
    for (c = 0; c < n; c++)
        if (!ws_span_is_missing(cells[c]))
            ws_table_set_span(&r->texts, c, row, cells[c]);
}

static ws_status nvidia_smi_pmon_take_lines(pmon_reader *r, ws_error *error)
{
    ws_span line;
    ws_status status;
    while ((status = ws_lines_next(&r->lines, &line, error)) == WS_OK && line.p) {
        ws_span trimmed = ws_span_trim(line);
        if (is_head(line) && (status = nvidia_smi_pmon_take_head(r, line, error)) != WS_OK)
            break;
        if (trimmed.n && *trimmed.p != '#')
            nvidia_smi_pmon_take_row(r, trimmed);
    }
    if (status == WS_OK && !r->texts.n_rows)
        status = ws_fail_at(error, WS_DATA, r->table->source, 0, "no row of a process");
    return status;
}

static ws_status read_pmon(ws_input *input, const ws_read_options *options, ws_table *table, ws_error *error)
{
    (void)options;
    pmon_reader r = {.table = table};
    table->source = ws_arena_strdup(&table->arena, ws_input_path(input));
    ws_table_init(&r.texts, "texts");
    ws_lines_init(&r.lines, input);
    ws_status status = nvidia_smi_pmon_take_lines(&r, error);
    if (status == WS_OK)
        ws_infer_columns(&r.texts, table);
    ws_lines_free(&r.lines);
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
