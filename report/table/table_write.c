#include "report/table/table_write.h"

#include "report/table/table_forms.h"
#include "report/utf8.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

static const struct {
    const char *name;
    ws_table_writer *write;
} forms[] = {
    [WS_FORM_TEXT] = {"text", ws_table_write_text},       [WS_FORM_CSV] = {"csv", ws_table_write_csv},
    [WS_FORM_JSON] = {"json", ws_table_write_json},       [WS_FORM_JSONL] = {"jsonl", ws_table_write_jsonl},
    [WS_FORM_MARKDOWN] = {"md", ws_table_write_markdown}, [WS_FORM_LATEX] = {"tex", ws_table_write_latex},
};

bool ws_table_form_find(const char *name, ws_table_form *form)
{
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        if (strcmp(name, forms[i].name) == 0) {
            *form = (ws_table_form)i;
            return true;
        }
    }
    return false;
}

/* Forms for people end with the line; programs find the mark in the column "synthetic". */
static void put_synthetic_line(FILE *stream, ws_table_form form)
{
    static const char *const around[][2] = {[WS_FORM_TEXT] = {"\n", "\n"},
                                            [WS_FORM_MARKDOWN] = {"\n*", "*\n"},
                                            [WS_FORM_LATEX] = {"\n\\par{\\footnotesize ", "}\n"}};
    if (form == WS_FORM_TEXT || form == WS_FORM_MARKDOWN || form == WS_FORM_LATEX)
        fprintf(stream, "%sSynthetic data: made by a program, not measured.%s", around[form][0], around[form][1]);
}

ws_status ws_table_write(FILE *stream, const ws_table *table, ws_table_form form, const ws_write_options *options,
                         ws_error *error)
{
    static const ws_write_options defaults;
    errno = 0;
    forms[form].write(stream, table, options ? options : &defaults);
    if (table->synthetic)
        put_synthetic_line(stream, form);
    if (fflush(stream) == 0 && !ferror(stream))
        return WS_OK;
    return ws_fail(error, WS_IO, "table '%s' cannot be written: %s", table->name,
                   errno ? strerror(errno) : "the output takes no more");
}

void ws_notes_write(FILE *stream, const ws_notes *notes)
{
    for (size_t i = 0; i < notes->n; i++) {
        const ws_note *note = &notes->items[i];
        ws_utf8_put(stream, note->source, NULL);
        if (*note->source && note->line > 0)
            fprintf(stream, ":%" PRId64, note->line);
        fputs(*note->source ? ": " : "", stream);
        ws_utf8_put(stream, note->subject, NULL);
        fputs(*note->subject ? ": [" : "[", stream);
        ws_utf8_put(stream, ws_finding_code(note->finding), NULL);
        fputs("] ", stream);
        ws_utf8_put(stream, note->text, NULL);
        if (note->count > 1)
            fprintf(stream, " (%" PRIu64 " times)", note->count);
        fputc('\n', stream);
    }
}
