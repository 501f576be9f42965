/* Rows of a table that say the same in some columns, found by hash. */
#ifndef WS_ANALYZE_SAME_ROWS_H
#define WS_ANALYZE_SAME_ROWS_H

#include "core/table.h"

#include <stdint.h>

struct ws_same_kind {
    size_t first; /* its first row */
    uint64_t hash;
};

typedef struct ws_same_rows {
    const ws_table *table;
    const size_t *columns;
    size_t n_columns;
    const ws_column *name; /* a further text of which only what follows its last '/' counts; NULL: none */
    size_t *slots;         /* number + 1 of a kind of rows, 0 for an empty slot */
    size_t n_slots;
    struct ws_same_kind *kinds; /* in the order given */
    size_t n, capacity;
} ws_same_rows;

/* The table and the columns must outlive the index. */
void ws_same_rows_init(ws_same_rows *index, const ws_table *table, const size_t *columns, size_t n);
/* The same, and that the names of their runs agree behind the last '/'. */
void ws_same_rows_init_named(ws_same_rows *index, const ws_table *table, const size_t *columns, size_t n,
                             const ws_column *name);
void ws_same_rows_free(ws_same_rows *index);

/* The first row given that says the same as this one; the row itself where it is the first. */
size_t ws_same_rows_first(ws_same_rows *index, size_t row);

/* The number of its kind, counted from 0 in the order given. */
size_t ws_same_rows_number(ws_same_rows *index, size_t row);

/* Do two rows say the same in a column? A missing cell is like another missing one. */
bool ws_same_cell(const ws_table *table, size_t column, size_t a, size_t b);

/* Do two rows differ in a column? */
bool ws_column_varies(const ws_table *table, size_t column);

#endif
