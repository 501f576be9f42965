/* {"schema":"wattscale.energy/1","rows":[
 * {"device":"gpu0","energy_j":1203.5,"util_mean":null}
 * ],"notes":[
 * {"code":"counter-wrap","source":"gpu0.csv","subject":"gpu0","line":418,"count":2,"text":"the counter wrapped"}
 * ]}
 *
 * Written row by row, so that a table of any length needs no second copy in memory. */
#include "report/table/table_forms.h"

#include "core/text.h"
#include "report/table/table_print.h"
#include "report/utf8.h"

#include <inttypes.h>

void ws_json_put_text(FILE *stream, const char *text)
{
    static const char *const escaped[128] = {['"'] = "\\\"", ['\\'] = "\\\\", ['\b'] = "\\b", ['\f'] = "\\f",
                                             ['\n'] = "\\n", ['\r'] = "\\r",  ['\t'] = "\\t"};
    fputc('"', stream);
    while (*text) {
        const char *from = text;
        uint32_t point = ws_utf8_next(&text);
        if (point < 128 && escaped[point])
            fputs(escaped[point], stream);
        else if (point < 0x20 || point == 0x7f)
            fprintf(stream, "\\u%04x", (unsigned)point);
        else if (point == WS_NOT_UTF8)
            fputs("\xef\xbf\xbd", stream);
        else
            fwrite(from, 1, (size_t)(text - from), stream);
    }
    fputc('"', stream);
}

static void put_row(FILE *stream, const ws_table *table, size_t row)
{
    char number[WS_DOUBLE_TEXT];
    fputc('{', stream);
    for (size_t i = 0; i < table->n_columns; i++) {
        fputs(i ? "," : "", stream);
        ws_json_put_text(stream, table->columns[i].name);
        fputc(':', stream);
        if (ws_cell_is_missing(table, i, row))
            fputs("null", stream);
        else if (table->columns[i].kind == WS_TEXT)
            ws_json_put_text(stream, table->columns[i].text[row]);
        else
            fputs(ws_table_cell_text(table, i, row, number), stream);
    }
    fputc('}', stream);
}

/* "" and line 0 stand for "none" in a note: null here. */
static void put_note(FILE *stream, const ws_note *note)
{
    const struct {
        const char *key, *text;
    } fields[] = {{"{\"code\":", ws_finding_code(note->finding)},
                  {",\"source\":", note->source},
                  {",\"subject\":", note->subject}};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        fputs(fields[i].key, stream);
        if (*fields[i].text)
            ws_json_put_text(stream, fields[i].text);
        else
            fputs("null", stream);
    }
    if (note->line > 0)
        fprintf(stream, ",\"line\":%" PRId64, note->line);
    else
        fputs(",\"line\":null", stream);
    fprintf(stream, ",\"count\":%" PRIu64 ",\"text\":", note->count);
    ws_json_put_text(stream, note->text);
    fputc('}', stream);
}

void ws_json_put_notes(FILE *stream, const ws_notes *notes)
{
    fputc('[', stream);
    for (size_t i = 0; i < notes->n; i++) {
        fputs(i ? ",\n" : "\n", stream);
        put_note(stream, &notes->items[i]);
    }
    fputs(notes->n ? "\n]" : "]", stream);
}

void ws_table_write_json(FILE *stream, const ws_table *table, const ws_write_options *options)
{
    (void)options;
    char schema[200];
    snprintf(schema, sizeof schema, "wattscale.%.180s/1", table->name);
    fputs("{\"schema\":", stream);
    ws_json_put_text(stream, schema);
    fputs(",\"rows\":[", stream);
    for (size_t row = 0; row < table->n_rows; row++) {
        fputs(row ? ",\n" : "\n", stream);
        put_row(stream, table, row);
    }
    fputs(table->n_rows ? "\n],\"notes\":" : "],\"notes\":", stream);
    ws_json_put_notes(stream, &table->notes);
    fputs("}\n", stream);
}

void ws_table_write_jsonl(FILE *stream, const ws_table *table, const ws_write_options *options)
{
    (void)options;
    for (size_t row = 0; row < table->n_rows; row++) {
        put_row(stream, table, row);
        fputc('\n', stream);
    }
}
