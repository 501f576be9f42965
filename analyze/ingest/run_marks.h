/* Which row each run got when the table of runs was made, for who knows more of it, whatever rows are left out since:
 * a row is told by the very text of its name, and by its line. */
#ifndef WS_ANALYZE_RUN_MARKS_H
#define WS_ANALYZE_RUN_MARKS_H

#include "core/table.h"

typedef struct ws_run_mark {
    const char *run; /* in the table */
    int64_t line;    /* of the table; 0 without */
} ws_run_mark;

typedef struct ws_run_marks {
    ws_run_mark *items; /* by row */
    size_t n, capacity;
} ws_run_marks;
void ws_run_marks_free(ws_run_marks *marks); /* leaves valid empty ones */

/* Before rows are left out: from now on ws_run_marks_find_next knows them. */
void ws_run_marks_take(ws_run_marks *marks, const ws_table *runs);

/* The row that a row of the table was; SIZE_MAX where it is of no run of the marks. Rows are mostly asked for in order:
 * *from is the row behind the last one, 0 at first. */
size_t ws_run_marks_find_next(const ws_run_marks *marks, const ws_table *runs, size_t row, size_t *from);

#endif
