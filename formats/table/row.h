/* A row of a delimited file as spans of its cells. */
#ifndef WS_FORMATS_ROW_H
#define WS_FORMATS_ROW_H

#include "core/finding.h"
#include "core/text.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct ws_row {
    const ws_span *cells;
    uint32_t n_cells;
    bool is_in_text; /* the cells lie in the text that was read, and libcsv made no others */
    bool unfinished; /* the file ends inside this row: no line end after it */
    bool is_closed;  /* of words: a blank stands behind the last one, so that it is whole */
    int64_t line;    /* first line of the row, 1-based */
} ws_row;

/* The cell of a column, empty where there is none. */
static inline ws_span ws_row_cell(const ws_row *row, int32_t column)
{
    if (column < 0 || (uint32_t)column >= row->n_cells)
        return (ws_span){"", 0};
    return row->cells[column];
}

/* All of a row whose cells lie in one text, as words do. */
static inline ws_span ws_row_line(const ws_row *row)
{
    const ws_span *last = &row->cells[row->n_cells - 1];
    return (ws_span){row->cells->p, (size_t)(last->p + last->n - row->cells->p)};
}

/* Has the row so many cells that may be names, as those that begin with a digit are not? It settles for nearly all rows
 * of readings that they are no header. */
static inline bool ws_row_may_name(const ws_row *row, uint32_t at_least)
{
    uint32_t n = 0;
    for (uint32_t c = 0; c < row->n_cells && n < at_least; c++)
        n += row->cells[c].n && (unsigned)*row->cells[c].p - '0' > 9;
    return n >= at_least;
}

/* Has the row readings behind its last column? A decimal comma makes such rows: none of their cells can be trusted. */
static inline bool ws_row_has_more(const ws_row *row, uint32_t n_columns)
{
    for (uint32_t c = n_columns; c < row->n_cells; c++)
        if (row->cells[c].n)
            return true;
    return false;
}

/* Whether a row cannot be used for what its number of cells says, and why. */
static inline bool ws_row_is_misfit(const ws_row *row, uint32_t n_columns, ws_finding *why)
{
    *why = row->unfinished            ? WS_FINDING_TRUNCATED_LINE
           : row->n_cells < n_columns ? WS_FINDING_SHORT_ROW
                                      : WS_FINDING_EXTRA_CELLS;
    return *why != WS_FINDING_EXTRA_CELLS || ws_row_has_more(row, n_columns);
}

#endif
