/* nvidia-smi -q -x, with -l one document after the other in one file:
 *
 *   <?xml version="1.0" ?>
 *   <!DOCTYPE nvidia_smi_log SYSTEM "nvsmi_device_v12.dtd">
 *   <nvidia_smi_log>
 *     <timestamp>Wed Feb 11 08:00:00 2026</timestamp>
 *     <gpu id="00000000:17:00.0">
 *       <uuid>GPU-5f1c</uuid>
 *       <gpu_power_readings><power_draw>251.20 W</power_draw></gpu_power_readings>
 *
 * One document at a time is collected and given to expat as a whole: fed line by line, an endless comment would cost
 * the square of its length. Nothing outside the file is opened, a document that declares entities is refused, and depth
 * and size of a document are bounded. */
#include "core/arena.h"
#include "formats/input/lines.h"
#include "formats/readers/smi_record.h"

#include <expat.h>
#include <stdlib.h>
#include <string.h>

enum { ROOT = 1, GPU, SECTION, READING, DEEPEST = 64, LARGEST_DOCUMENT = 32 * 1024 * 1024, NAME = 64 };

typedef struct xml_reader {
    ws_smi_records records;
    ws_lines lines;
    char *document; /* the one that is being collected */
    size_t n, capacity;
    int64_t first_line; /* of the document */
    bool in_document, has_root;

    XML_Parser parser;
    bool declares_entities, is_too_deep;
    int depth;
    char section[NAME], name[NAME]; /* of the elements that are open below a GPU */
    char *text;                     /* of the innermost one */
    size_t text_n, text_capacity;
    ws_status status; /* of the callbacks */
    ws_error *error;
} xml_reader;

static int64_t line_of(const xml_reader *r)
{
    return r->first_line + (int64_t)XML_GetCurrentLineNumber(r->parser) - 1;
}

static void keep_name(char *kept, const char *name)
{
    size_t n = strlen(name);
    n = n < NAME ? n : NAME - 1;
    memcpy(kept, name, n);
    kept[n] = '\0';
}

static void start_element(void *state, const char *name, const char **attributes)
{
    xml_reader *r = state;
    r->depth++;
    r->text_n = 0;
    if (r->depth > DEEPEST) {
        r->is_too_deep = true;
        XML_StopParser(r->parser, XML_FALSE);
        return;
    }
    if (r->depth == GPU && strcmp(name, "gpu") == 0) {
        const char *id = attributes[0] && strcmp(attributes[0], "id") == 0 ? attributes[1] : "";
        ws_smi_begin_gpu(&r->records, ws_span_of(id), -1, line_of(r));
    }
    if (r->depth == SECTION)
        keep_name(r->section, name);
    if (r->depth == READING)
        keep_name(r->name, name);
}

static void take_text(void *state, const char *text, int n)
{
    xml_reader *r = state;
    r->text = ws_grow(r->text, &r->text_capacity, r->text_n + (size_t)n, 1);
    memcpy(r->text + r->text_n, text, (size_t)n);
    r->text_n += (size_t)n;
}

static void end_element(void *state, const char *name)
{
    xml_reader *r = state;
    ws_span text = {r->text_n ? r->text : "", r->text_n}, nothing = {"", 0};
    if (r->depth == GPU && strcmp(name, "timestamp") == 0)
        ws_smi_stamp(&r->records, text, line_of(r));
    else if (r->depth == GPU && strcmp(name, "driver_version") == 0)
        ws_smi_driver(&r->records, text);
    else if (r->depth == GPU && strcmp(name, "gpu") == 0 && r->status == WS_OK)
        r->status = ws_smi_end_gpu(&r->records, r->error);
    else if (r->depth == SECTION)
        ws_smi_take(&r->records, nothing, ws_span_of(r->section), text, line_of(r));
    else if (r->depth == READING)
        ws_smi_take(&r->records, ws_span_of(r->section), ws_span_of(r->name), text, line_of(r));
    r->text_n = 0;
    r->depth--;
}

static void refuse_entity(void *state, const char *name, int is_parameter, const char *value, int value_n,
                          const char *base, const char *system_id, const char *public_id, const char *notation)
{
    xml_reader *r = state;
    (void)name, (void)is_parameter, (void)value, (void)value_n, (void)base, (void)system_id, (void)public_id;
    (void)notation;
    r->declares_entities = true;
    XML_StopParser(r->parser, XML_FALSE);
}

static ws_status judge_document(xml_reader *r, bool is_read)
{
    const char *source = r->records.samples.source;
    if (r->status != WS_OK)
        return r->status;
    if (r->declares_entities)
        return ws_fail_at(r->error, WS_FORMAT, source, line_of(r),
                          "declares entities, which nvidia-smi never does: refused");
    if (r->is_too_deep)
        return ws_fail_at(r->error, WS_FORMAT, source, line_of(r), "elements more than %d deep", DEEPEST);
    enum XML_Error why = XML_GetErrorCode(r->parser);
    bool is_cut = why == XML_ERROR_NO_ELEMENTS || why == XML_ERROR_UNCLOSED_TOKEN ||
                  why == XML_ERROR_UNCLOSED_CDATA_SECTION || why == XML_ERROR_PARTIAL_CHAR;
    if (!is_read)
        ws_notes_add(r->records.samples.notes, is_cut ? WS_FINDING_TRUNCATED_DOCUMENT : WS_FINDING_DAMAGED_DOCUMENT,
                     source, "", line_of(r), "%s: the GPU that the document was at and the rest of it are left out",
                     XML_ErrorString(why));
    return WS_OK;
}

/* Names of processes are as their system spells them, in Latin-1 as well; what is read here is ASCII either way. */
static const char *encoding_of(xml_reader *r)
{
    if (ws_span_is_utf8((ws_span){r->document, r->n}))
        return "UTF-8";
    ws_notes_add(r->records.samples.notes, WS_FINDING_NOT_UTF8, r->records.samples.source, "", r->first_line,
                 "a document is not written in UTF-8 and is read as Latin-1");
    return "ISO-8859-1";
}

/* Reads what was collected. */
static ws_status end_document(xml_reader *r)
{
    if (!r->in_document)
        return WS_OK;
    XML_ParserReset(r->parser, encoding_of(r));
    XML_SetUserData(r->parser, r);
    XML_SetElementHandler(r->parser, start_element, end_element);
    XML_SetCharacterDataHandler(r->parser, take_text);
    XML_SetEntityDeclHandler(r->parser, refuse_entity);
    r->in_document = false;
    r->depth = 0;
    r->text_n = 0;
    ws_smi_begin(&r->records);
    return judge_document(r, XML_Parse(r->parser, r->document, (int)r->n, 1) == XML_STATUS_OK);
}

static void begin_document(xml_reader *r)
{
    r->in_document = true;
    r->has_root = false;
    r->first_line = r->lines.number;
    r->n = 0;
}

static ws_status collect(xml_reader *r, ws_span piece)
{
    if (!r->in_document || !piece.n)
        return WS_OK;
    if (piece.n > LARGEST_DOCUMENT - r->n)
        return ws_fail_at(r->error, WS_FORMAT, r->records.samples.source, r->lines.number,
                          "a document of more than %d bytes", LARGEST_DOCUMENT);
    r->document = ws_grow(r->document, &r->capacity, r->n + piece.n, 1);
    memcpy(r->document + r->n, piece.p, piece.n);
    r->n += piece.n;
    return WS_OK;
}

enum { PROLOGUE, ROOT_START, ROOT_END, MARKS };
static const char *const marks[MARKS] = {
    [PROLOGUE] = "<?xml", [ROOT_START] = "<nvidia_smi_log", [ROOT_END] = "</nvidia_smi_log>"};

/* The first mark in the text, and the text before it; MARKS if there is none. */
static size_t find_mark(ws_span text, ws_span *before)
{
    for (size_t at = 0; at < text.n; at++) {
        ws_span rest = {text.p + at, text.n - at};
        for (size_t m = 0; m < MARKS && *rest.p == '<'; m++) {
            if (ws_span_has_prefix(rest, marks[m])) {
                *before = (ws_span){text.p, at};
                return m;
            }
        }
    }
    *before = text;
    return MARKS;
}

/* One document may begin behind another on the same line, and before the one before it is whole. */
static ws_status nvidia_smi_xml_take_line(xml_reader *r, ws_span line)
{
    ws_status status = WS_OK;
    ws_span before;
    for (size_t mark = find_mark(line, &before); mark < MARKS && status == WS_OK; mark = find_mark(line, &before)) {
        bool begins = mark == PROLOGUE || (mark == ROOT_START && (!r->in_document || r->has_root));
        status = collect(r, before);
        if (begins && status == WS_OK)
            status = end_document(r);
        if (begins)
            begin_document(r);
        r->has_root |= mark == ROOT_START;
        if (status == WS_OK)
            status = collect(r, ws_span_of(marks[mark]));
        if (mark == ROOT_END && status == WS_OK)
            status = end_document(r);
        size_t used = before.n + strlen(marks[mark]);
        line = (ws_span){line.p + used, line.n - used};
    }
    if (status == WS_OK)
        status = collect(r, line);
    return status == WS_OK ? collect(r, (ws_span){"\n", 1}) : status;
}

static ws_status nvidia_smi_xml_take_lines(xml_reader *r)
{
    ws_span line;
    ws_status status;
    while ((status = ws_lines_next(&r->lines, &line, r->error)) == WS_OK && line.p)
        if ((status = nvidia_smi_xml_take_line(r, line)) != WS_OK)
            return status;
    return status == WS_OK ? end_document(r) : status;
}

static ws_status read_xml(ws_input *input, const ws_read_options *options, const ws_sink *sink, ws_notes *notes,
                          ws_error *error)
{
    xml_reader r = {.error = error};
    ws_smi_init(&r.records, input, options, sink, notes);
    ws_lines_init(&r.lines, input);
    r.parser = XML_ParserCreate("UTF-8");
    ws_status status = r.parser ? nvidia_smi_xml_take_lines(&r) : ws_fail(error, WS_IO, "no memory for the XML parser");
    XML_ParserFree(r.parser);
    free(r.document);
    free(r.text);
    ws_lines_free(&r.lines);
    return ws_smi_finish(&r.records, status, error);
}

static int score_nvidia_smi_xml(const char *path, ws_span head)
{
    (void)path;
    return ws_span_contains(head, "<nvidia_smi_log") ? 97 : 0;
}

const ws_format ws_format_nvidia_smi_xml = {
    .name = "nvidia-smi-xml",
    .title = "nvidia-smi -q -x, one document or many in one file",
    .example = "<?xml version=\"1.0\" ?>\n<nvidia_smi_log>\n  <timestamp>Wed Feb 11 08:00:00 2026</timestamp>",
    .tier = 2,
    .gives = WS_GIVES_POWER | WS_GIVES_UTIL | WS_GIVES_MEM_UTIL | WS_GIVES_MEM_USED | WS_GIVES_CLOCK | WS_GIVES_TEMP |
             WS_GIVES_LIMIT,
    .tried = WS_TRIED_HAND_MADE,
    .score = score_nvidia_smi_xml,
    .read = read_xml,
};
