#include "report/table/benchmark.h"

#include "core/text.h"
#include "report/table/table_forms.h"

#include <math.h>

static void put_pair(FILE *stream, const char *key, const char *text)
{
    fprintf(stream, ",\"%s\":", key);
    ws_json_put_text(stream, text);
}

ws_status ws_benchmark_write(FILE *stream, const ws_benchmark *entries, size_t n, ws_error *error)
{
    char number[WS_DOUBLE_TEXT], text[700];
    fputs("[", stream);
    for (size_t i = 0; i < n; i++) {
        const ws_benchmark *e = &entries[i];
        fputs(i ? ",\n{\"name\":" : "\n{\"name\":", stream);
        ws_json_put_text(stream, e->name);
        put_pair(stream, "unit", e->unit);
        ws_double_text(number, e->value);
        fprintf(stream, ",\"value\":%s", number);
        if (!isnan(e->spread)) {
            ws_double_text_digits(number, e->spread, 3);
            snprintf(text, sizeof text, "± %s", number);
            put_pair(stream, "range", text);
        }
        snprintf(text, sizeof text, "%zu run%s: %s", e->n, e->n == 1 ? "" : "s", e->remark);
        put_pair(stream, "extra", text);
        fputs("}", stream);
    }
    fputs("\n]\n", stream);
    return ferror(stream) ? ws_fail(error, WS_IO, "the benchmark file cannot be written") : WS_OK;
}
