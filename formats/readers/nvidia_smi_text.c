/* nvidia-smi -q, with -l again and again, also cut down with -d POWER,UTILIZATION:
 *
 *   ==============NVSMI LOG==============
 *   Timestamp                                 : Wed Feb 11 08:00:00 2026
 *   GPU 00000000:17:00.0
 *       GPU UUID                              : GPU-5f1c
 *       GPU Power Readings
 *           Power Draw                        : 251.20 W
 *
 * Four blanks a level. What stands deeper than a section of a GPU (MIG devices, links) is none of the GPU's readings.
 */
#include "formats/input/lines.h"
#include "formats/readers/smi_record.h"
#include "formats/table/rows.h"
#include "formats/table/unread_lines.h"

#include <stdlib.h>

enum { SECTION_INDENT = 4, READING_INDENT = 8 };

typedef struct text_reader {
    ws_smi_records records;
    ws_lines lines;
    ws_unread_lines unread;
    ws_span section; /* in `kept` */
    char kept[WS_SMI_TEXT];
} text_reader;

static void keep_section(text_reader *r, ws_span name)
{
    r->section = (ws_span){r->kept, name.n < sizeof r->kept ? name.n : 0};
    for (size_t i = 0; i < r->section.n; i++)
        r->kept[i] = name.p[i];
}

static ws_status nvidia_smi_text_take_line(text_reader *r, ws_span line, ws_error *error)
{
    ws_span word, name, value, rest = line;
    size_t indent = 0;
    while (indent < line.n && line.p[indent] == ' ')
        indent++;
    line = ws_span_trim(line);
    bool has_value = ws_span_cut(line, " : ", &name, &value);
    if (ws_span_contains(line, "NVSMI LOG")) {
        ws_status status = ws_smi_end_gpu(&r->records, error);
        ws_smi_begin(&r->records);
        return status;
    }
    if (!indent && has_value && ws_span_eq(ws_span_trim(name), "Timestamp")) {
        ws_smi_stamp(&r->records, value, r->lines.number);
    } else if (!indent && has_value && ws_span_eq(ws_span_trim(name), "Driver Version")) {
        ws_smi_driver(&r->records, value);
    } else if (!indent && ws_span_word(&rest, &word) && ws_span_eq(word, "GPU") && ws_span_word(&rest, &word) &&
               ws_span_contains(word, ":")) {
        ws_status status = ws_smi_end_gpu(&r->records, error);
        ws_smi_begin_gpu(&r->records, word, -1, r->lines.number);
        return status;
    } else if (indent == SECTION_INDENT) {
        keep_section(r, has_value ? (ws_span){"", 0} : line);
        if (has_value)
            ws_smi_take(&r->records, r->section, name, value, r->lines.number);
    } else if (indent == READING_INDENT && has_value) {
        ws_smi_take(&r->records, r->section, name, value, r->lines.number);
    }
    return WS_OK;
}

static ws_status take_and_count(text_reader *r, ws_span line, ws_error *error)
{
    const ws_smi_records *records = &r->records;
    uint64_t before = records->n_taken;
    ws_status status = nvidia_smi_text_take_line(r, line, error);
    if (records->n_taken > before)
        ws_unread_reading(&r->unread);
    else if (line.n)
        ws_unread_text(&r->unread, line, r->lines.number);
    return status;
}

static ws_status nvidia_smi_text_take_lines(text_reader *r, ws_error *error)
{
    ws_span line;
    ws_status status;
    while ((status = ws_lines_next(&r->lines, &line, error)) == WS_OK && line.p) {
        if (r->lines.unfinished)
            ws_note_cut_line(r->records.samples.notes, r->records.samples.source, "", r->lines.number);
        else if ((status = take_and_count(r, line, error)) != WS_OK)
            return status;
    }
    if (status == WS_OK)
        ws_unread_note(&r->unread, ws_unread_readings_a_line(&r->unread), r->records.samples.notes,
                       r->records.samples.source);
    return status == WS_OK ? ws_smi_end_gpu(&r->records, error) : status;
}

static ws_status read_text(ws_input *input, const ws_read_options *options, const ws_sink *sink, ws_notes *notes,
                           ws_error *error)
{
    text_reader r = {.section = {"", 0}};
    ws_smi_init(&r.records, input, options, sink, notes);
    ws_lines_init(&r.lines, input);
    ws_status status = nvidia_smi_text_take_lines(&r, error);
    ws_lines_free(&r.lines);
    return ws_smi_finish(&r.records, status, error);
}

static int score_nvidia_smi_text(const char *path, ws_span head)
{
    (void)path;
    return ws_span_contains(head, "==NVSMI LOG==") ? 94 : 0;
}

const ws_format ws_format_nvidia_smi_text = {
    .name = "nvidia-smi-text",
    .title = "nvidia-smi -q as printed for people, once or again and again",
    .example =
        "==============NVSMI LOG==============\nTimestamp                                 : Wed Feb 11 08:00:00 2026",
    .tier = 2,
    .gives = WS_GIVES_POWER | WS_GIVES_UTIL | WS_GIVES_MEM_UTIL | WS_GIVES_MEM_USED | WS_GIVES_CLOCK | WS_GIVES_TEMP |
             WS_GIVES_LIMIT,
    .tried = WS_TRIED_HAND_MADE,
    .score = score_nvidia_smi_text,
    .read = read_text,
};
