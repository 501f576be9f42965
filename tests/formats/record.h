/* Reading a record format into a table, for tests. */
#ifndef WS_TESTS_RECORD_H
#define WS_TESTS_RECORD_H

#include "core/table.h"
#include "formats/format.h"

#include <string.h>

static inline ws_status record_read_input(ws_table *table, const ws_format *format, ws_input *input, ws_error *error)
{
    ws_read_options options = WS_READ_DEFAULTS;
    ws_table_init(table, "record");
    ws_status status = format->read_table(input, &options, table, error);
    ws_input_close(input);
    return status;
}

static inline ws_status record_read_text(ws_table *table, const ws_format *format, const char *name, const char *text,
                                         ws_error *error)
{
    ws_error_clear(error);
    return record_read_input(table, format, ws_input_from_memory(name, text, strlen(text)), error);
}

static inline ws_status record_read_path(ws_table *table, const ws_format *format, const char *path, ws_error *error)
{
    ws_input *input;
    ws_error_clear(error);
    ws_status status = ws_input_open(&input, path, error);
    if (status == WS_OK)
        return record_read_input(table, format, input, error);
    ws_table_init(table, "record");
    return status;
}

/* Text of a cell as CSV prints it; "?" where the column does not exist. Good until the next call. */
static inline const char *record_cell(const ws_table *table, size_t row, const char *column)
{
    static char buffer[WS_DOUBLE_TEXT];
    size_t c;
    return ws_table_find(table, column, &c) ? ws_table_cell_text(table, c, row, buffer) : "?";
}

#endif
