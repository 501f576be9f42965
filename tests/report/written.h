/* What a table is written as. */
#ifndef WS_TESTS_REPORT_WRITTEN_H
#define WS_TESTS_REPORT_WRITTEN_H

#include "harness.h"

#include "report/table/table_write.h"

static inline char *written(const ws_table *table, ws_table_form form, const ws_write_options *options)
{
    char *text = NULL;
    size_t n;
    FILE *stream = open_memstream(&text, &n);
    ck_assert_int_eq(ws_table_write(stream, table, form, options, NULL), WS_OK);
    fclose(stream);
    return text;
}

static inline void check_bytes(const ws_table *table, ws_table_form form, const char *want)
{
    char *got = written(table, form, NULL);
    ck_assert_str_eq(got, want);
    free(got);
}

#endif
