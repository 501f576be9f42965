#include "analyze/ingest/run_marks.h"
#include "analyze/ingest/run_columns.h"

#include <stdlib.h>

void ws_run_marks_free(ws_run_marks *marks)
{
    free(marks->items);
    *marks = (ws_run_marks){0};
}

static ws_run_mark mark_of(const ws_table *runs, size_t row)
{
    return (ws_run_mark){runs->columns[WS_COL_RUN].text[row], runs->line ? runs->line[row] : 0};
}

void ws_run_marks_take(ws_run_marks *marks, const ws_table *runs)
{
    if (runs->n_rows)
        marks->items = ws_grow(marks->items, &marks->capacity, runs->n_rows, sizeof *marks->items);
    for (marks->n = 0; marks->n < runs->n_rows; marks->n++)
        marks->items[marks->n] = mark_of(runs, marks->n);
}

size_t ws_run_marks_find_next(const ws_run_marks *marks, const ws_table *runs, size_t row, size_t *from)
{
    ws_run_mark wanted = mark_of(runs, row);
    for (size_t n = 0; n < marks->n; n++) {
        size_t i = (*from + n) % marks->n;
        if (marks->items[i].run == wanted.run && marks->items[i].line == wanted.line) {
            *from = i + 1;
            return i;
        }
    }
    return SIZE_MAX;
}
