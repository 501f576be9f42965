/* A CSV file read the plain way, so that a test shares nothing with the reader that it tests: cells may be quoted, but
 * hold neither quotes nor line ends. */
#ifndef WS_TESTS_RAW_CSV_H
#define WS_TESTS_RAW_CSV_H

#include "harness.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { RAW_COLUMNS = 32 };

typedef struct raw_csv {
    char *bytes;
    const char *head[RAW_COLUMNS];
    const char *(*rows)[RAW_COLUMNS];
    size_t n_columns, n_rows;
} raw_csv;

/* Cuts the line at `text` into cells, in place, and returns what follows it. */
static inline char *raw_cut_line(char *text, const char **cells, size_t *n)
{
    for (*n = 0; *n < RAW_COLUMNS;) {
        bool quoted = *text == '"';
        text += quoted;
        cells[(*n)++] = text;
        text += strcspn(text, quoted ? "\"" : ",\n");
        if (quoted)
            *text++ = '\0';
        char end = *text;
        if (end)
            *text++ = '\0';
        if (end != ',')
            return text;
    }
    ck_abort_msg("more than %d columns", RAW_COLUMNS);
    return text;
}

static inline void raw_read(raw_csv *csv, const char *path)
{
    FILE *file = fopen(path, "rb");
    ck_assert_msg(file != NULL, "%s cannot be opened", path);
    ck_assert_int_eq(fseek(file, 0, SEEK_END), 0);
    size_t size = (size_t)ftell(file), lines = 0, n;
    rewind(file);
    *csv = (raw_csv){.bytes = calloc(size + 1, 1)};
    ck_assert_uint_eq(fread(csv->bytes, 1, size, file), size);
    fclose(file);
    for (size_t i = 0; i < size; i++)
        lines += csv->bytes[i] == '\n';
    csv->rows = calloc(lines + 1, sizeof *csv->rows);
    char *text = raw_cut_line(csv->bytes, csv->head, &csv->n_columns);
    while (*text) {
        text = raw_cut_line(text, csv->rows[csv->n_rows++], &n);
        ck_assert_msg(n == csv->n_columns, "%s: row %zu has %zu cells", path, csv->n_rows, n);
    }
}

static inline void raw_free(raw_csv *csv)
{
    free(csv->bytes);
    free(csv->rows);
}

static inline const char *raw_text(const raw_csv *csv, size_t row, const char *column)
{
    for (size_t c = 0; c < csv->n_columns; c++)
        if (strcmp(csv->head[c], column) == 0)
            return csv->rows[row][c];
    ck_abort_msg("no column %s", column);
    return "";
}

/* NaN for a cell that is empty or no number. */
static inline double raw_number(const raw_csv *csv, size_t row, const char *column)
{
    char *end;
    const char *text = raw_text(csv, row, column);
    double value = strtod(text, &end);
    return *text && !*end ? value : NAN;
}

#endif
