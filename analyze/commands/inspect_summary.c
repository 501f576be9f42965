#include "analyze/commands/inspect_summary.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { S_FORMAT, S_KIND, S_FILES, S_DAMAGED, S_SAMPLES, S_FINDINGS, S_N };
static const struct {
    const char *name;
    ws_column_kind kind;
} columns[S_N] = {{"format", WS_TEXT},    {"kind", WS_TEXT},       {"files", WS_INTEGER},
                  {"not_ok", WS_INTEGER}, {"samples", WS_INTEGER}, {"findings", WS_INTEGER}};

typedef struct format_count {
    const char *format, *kind;
    int64_t files, not_ok, samples, findings;
} format_count;

static const char *text_of(const ws_table *files, const char *name, size_t row)
{
    const ws_column *column = ws_table_column(files, name);
    return column && column->text[row] ? column->text[row] : "";
}

static int64_t number_of(const ws_table *files, const char *name, size_t row)
{
    const ws_column *column = ws_table_column(files, name);
    return column && column->integer[row] != WS_NO_INTEGER ? column->integer[row] : 0;
}

static int more_files(const void *a, const void *b)
{
    const format_count *x = a, *y = b;
    return x->files != y->files ? (x->files < y->files) - (x->files > y->files) : strcmp(x->format, y->format);
}

/* The counts, the most frequent first; the caller frees them. */
static format_count *count_formats(const ws_table *files, size_t *n)
{
    format_count *counts = ws_alloc((files->n_rows + 1) * sizeof *counts);
    *n = 0;
    for (size_t row = 0; row < files->n_rows; row++) {
        const char *format = text_of(files, "format", row);
        size_t i = 0;
        while (i < *n && strcmp(counts[i].format, format) != 0)
            i++;
        if (i == *n)
            counts[(*n)++] = (format_count){.format = format, .kind = text_of(files, "kind", row)};
        counts[i].files++;
        counts[i].not_ok += strcmp(text_of(files, "status", row), "ok") != 0;
        counts[i].samples += number_of(files, "samples", row);
        counts[i].findings += number_of(files, "findings", row);
    }
    qsort(counts, *n, sizeof *counts, more_files);
    return counts;
}

void ws_inspect_summary(const ws_table *files, ws_table *summary)
{
    size_t n;
    format_count *counts = count_formats(files, &n);
    ws_table_init(summary, "inspect-summary");
    for (size_t c = 0; c < S_N; c++)
        ws_table_add_column(summary, columns[c].name, columns[c].kind);
    for (size_t i = 0; i < n; i++) {
        size_t row = ws_table_add_row(summary);
        ws_table_set_text(summary, S_FORMAT, row, counts[i].format);
        if (*counts[i].kind)
            ws_table_set_text(summary, S_KIND, row, counts[i].kind);
        const int64_t numbers[] = {counts[i].files, counts[i].not_ok, counts[i].samples, counts[i].findings};
        for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
            ws_table_set_integer(summary, S_FILES + k, row, numbers[k]);
    }
    free(counts);
}

void ws_inspect_summary_note(const ws_table *files, ws_notes *notes)
{
    char text[1000] = "";
    size_t n;
    format_count *counts = count_formats(files, &n);
    for (size_t i = 0; i < n && strlen(text) < sizeof text - 80; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%lld %s", i ? ", " : "",
                 (long long)counts[i].files, counts[i].format);
    ws_notes_add(notes, WS_FINDING_FILES, "", "", 0, "%zu files: %s", files->n_rows, text);
    free(counts);
}
