/* The table that nvidia-smi prints without options, with -l again and again:
 *
 *   Wed Feb 11 08:00:00 2026
 *   | NVIDIA-SMI 535.104.05   Driver Version: 535.104.05   CUDA Version: 12.2                  |
 *   | GPU  Name                 Persistence-M | Bus-Id        Disp.A | Volatile Uncorr. ECC |
 *   | Fan  Temp   Perf          Pwr:Usage/Cap |         Memory-Usage | GPU-Util  Compute M. |
 *   |   0  NVIDIA A100-SXM4-40GB          On  | 00000000:17:00.0 Off |                    0 |
 *   | N/A   61C    P0             251W / 400W |  31210MiB / 40960MiB |     97%      Default |
 *
 * Two lines a GPU: who it is, and what it does. Power is in whole watts, time in whole seconds. */
#include "formats/input/lines.h"
#include "formats/readers/smi_record.h"
#include "formats/table/trace_sample.h"
#include "formats/table/date_lines.h"

enum { WHO, PLACE, ECC, CELLS };

typedef struct table_reader {
    ws_smi_records records;
    ws_lines lines;
    char stamp[WS_STAMP_CELLS]; /* of the line that may stand before a table */
    size_t stamp_n;
    int64_t stamp_line;
} table_reader;

/* "| a | b | c |": true with exactly three cells. */
static bool split_cells(ws_span line, ws_span cells[CELLS])
{
    size_t n = 0;
    line = ws_span_trim(line);
    if (line.n < 2 || *line.p != '|' || line.p[line.n - 1] != '|')
        return false;
    line = (ws_span){line.p + 1, line.n - 2};
    ws_span cell;
    while (ws_span_split(&line, '|', &cell)) {
        if (n == CELLS)
            return false;
        cells[n++] = cell;
    }
    return n == CELLS;
}

static void note_cut_gpu(table_reader *r)
{
    if (r->records.in_gpu)
        ws_notes_add(r->records.samples.notes, WS_FINDING_TRUNCATED_DOCUMENT, r->records.samples.source, "",
                     r->records.line, "a GPU's second line is missing: it is left out");
    ws_smi_drop_gpu(&r->records);
}

static bool is_who(const ws_span cells[CELLS], ws_span *bus, int64_t *number)
{
    ws_span word, who = cells[WHO], place = cells[PLACE];
    return ws_span_word(&who, &word) && ws_span_i64(word, number) && *number >= 0 && ws_span_word(&place, bus) &&
           ws_span_contains(*bus, ":");
}

/* "   0  NVIDIA A100-SXM4-40GB          On  " */
static void take_who(table_reader *r, ws_span who, ws_span bus, int64_t number)
{
    ws_span word, rest = who, section = {"", 0};
    ws_span_word(&rest, &word);
    rest = ws_span_trim(rest);
    while (rest.n && rest.p[rest.n - 1] != ' ') /* the persistence mode */
        rest.n--;
    note_cut_gpu(r);
    ws_smi_begin_gpu(&r->records, bus, number, r->lines.number);
    ws_smi_take(&r->records, section, ws_span_of("product_name"), rest, r->lines.number);
}

/* What stands before and after a "/" that is a word of its own: "251W" and "400W". */
static bool find_pair(ws_span cell, ws_span *before, ws_span *after)
{
    ws_span word;
    *before = (ws_span){"", 0};
    while (ws_span_word(&cell, &word)) {
        if (ws_span_eq(word, "/"))
            return before->n && ws_span_word(&cell, after);
        *before = word;
    }
    return false;
}

static void nvidia_smi_table_take(table_reader *r, const char *section, const char *name, ws_span text)
{
    ws_smi_take(&r->records, ws_span_of(section), ws_span_of(name), text, r->lines.number);
}

static ws_status take_readings(table_reader *r, const ws_span cells[CELLS], ws_error *error)
{
    ws_span before, after, word, rest = cells[WHO];
    double value;
    if (!find_pair(cells[WHO], &before, &after))
        return WS_OK;
    nvidia_smi_table_take(r, "power_readings", "power_draw", before);
    nvidia_smi_table_take(r, "power_readings", "power_limit", after);
    while (ws_span_word(&rest, &word)) {
        ws_span unit;
        if (ws_span_number(word, &value, &unit) && ws_span_eq(unit, "C"))
            nvidia_smi_table_take(r, "temperature", "gpu_temp", word);
    }
    if (find_pair(cells[PLACE], &before, &after))
        nvidia_smi_table_take(r, "fb_memory_usage", "used", before);
    rest = cells[ECC];
    if (ws_span_word(&rest, &word))
        nvidia_smi_table_take(r, "utilization", "gpu_util", word);
    return ws_smi_end_gpu(&r->records, error);
}

static void begin_table(table_reader *r)
{
    note_cut_gpu(r);
    ws_smi_begin(&r->records);
    if (r->stamp_n)
        ws_smi_stamp(&r->records, (ws_span){r->stamp, r->stamp_n}, r->stamp_line);
    r->stamp_n = 0;
}

static bool is_title(ws_span line)
{
    return ws_span_has_prefix(line, "| NVIDIA-SMI ");
}

static void keep_stamp(table_reader *r, ws_span line)
{
    ws_span stamp = line;
    if ((!ws_cell_is_date(line) && !ws_text_is_date_line(line, &stamp)) || stamp.n > sizeof r->stamp)
        return;
    for (size_t i = 0; i < stamp.n; i++)
        r->stamp[i] = stamp.p[i];
    r->stamp_n = stamp.n;
    r->stamp_line = r->lines.number;
}

static ws_status nvidia_smi_table_take_line(table_reader *r, ws_span line, ws_error *error)
{
    ws_span cells[CELLS], bus;
    int64_t number;
    line = ws_span_trim(line);
    if (is_title(line))
        begin_table(r);
    else if (!split_cells(line, cells))
        keep_stamp(r, line);
    else if (is_who(cells, &bus, &number))
        take_who(r, cells[WHO], bus, number);
    else if (r->records.in_gpu)
        return take_readings(r, cells, error);
    return WS_OK;
}

static ws_status nvidia_smi_table_take_lines(table_reader *r, ws_error *error)
{
    ws_span line;
    ws_status status;
    while ((status = ws_lines_next(&r->lines, &line, error)) == WS_OK && line.p)
        if ((status = nvidia_smi_table_take_line(r, line, error)) != WS_OK)
            return status;
    note_cut_gpu(r);
    return status;
}

static ws_status read_table(ws_input *input, const ws_read_options *options, const ws_sink *sink, ws_notes *notes,
                            ws_error *error)
{
    table_reader r = {.stamp_n = 0};
    ws_smi_init(&r.records, input, options, sink, notes);
    ws_lines_init(&r.lines, input);
    ws_status status = nvidia_smi_table_take_lines(&r, error);
    ws_lines_free(&r.lines);
    return ws_smi_finish(&r.records, status, error);
}

/* Job logs often begin with one such table: a trace has the second one. */
static int score_nvidia_smi_table(const char *path, ws_span head)
{
    (void)path;
    ws_span line;
    int tables = 0;
    bool has_power = ws_span_contains(head, "Pwr:Usage/Cap");
    while (has_power && tables < 2 && ws_span_split(&head, '\n', &line))
        tables += is_title(ws_span_trim(line));
    return tables == 2 ? 93 : tables ? 60 : 0;
}

const ws_format ws_format_nvidia_smi_table = {
    .name = "nvidia-smi-table",
    .title = "the table that nvidia-smi prints without options, again and again",
    .example = "|   0  NVIDIA A100-SXM4-40GB          On  | 00000000:17:00.0 Off |                    0 |\n"
               "| N/A   61C    P0             251W / 400W |  31210MiB / 40960MiB |     97%      Default |",
    .tier = 2,
    .gives = WS_GIVES_POWER | WS_GIVES_UTIL | WS_GIVES_MEM_USED | WS_GIVES_TEMP | WS_GIVES_LIMIT,
    .tried = WS_TRIED_HAND_MADE,
    .score = score_nvidia_smi_table,
    .read = read_table,
};
