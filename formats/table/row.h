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
    bool is_in_text; /* all cells point into the text that was read; libcsv copied none */
    bool unfinished; /* the last row of a file that does not end with a line end */
    bool is_closed;  /* a row of words that ends with a blank, so that its last word is complete */
    int64_t line;    /* first line of the row, 1-based */
} ws_row;

/* The cell of a column, empty if there is none. */
static inline ws_span ws_row_cell(const ws_row *row, int32_t column)
{
    if (column < 0 || (uint32_t)column >= row->n_cells)
        return (ws_span){"", 0};
    return row->cells[column];
}

/* The whole of a row whose cells all point into its line, as words do. At least one cell. */
static inline ws_span ws_row_line(const ws_row *row)
{
    const ws_span *last = &row->cells[row->n_cells - 1];
    return (ws_span){row->cells->p, (size_t)(last->p + last->n - row->cells->p)};
}

/* Do the cells spell these names, one each? */
static inline bool ws_row_spells(const ws_row *row, const char *const *names, uint32_t n)
{
    bool same = row->n_cells == n;
    for (uint32_t c = 0; c < n && same; c++)
        same = ws_span_eq(row->cells[c], names[c]);
    return same;
}

/* Could at least so many cells be names, that is, do not begin with a digit? A quick test that rules out nearly all
 * rows of readings as headers. */
static inline bool ws_row_may_name(const ws_row *row, uint32_t at_least)
{
    uint32_t n = 0;
    for (uint32_t c = 0; c < row->n_cells && n < at_least; c++)
        n += row->cells[c].n && (unsigned)*row->cells[c].p - '0' > 9;
    return n >= at_least;
}

/* Are there cells with content after the last column? Decimal commas cause such rows: none of their cells is
 * reliable. */
static inline bool ws_row_has_more(const ws_row *row, uint32_t n_columns)
{
    for (uint32_t c = n_columns; c < row->n_cells; c++)
        if (row->cells[c].n)
            return true;
    return false;
}

/* Does the number of cells make the row unusable? *why gets the reason. */
static inline bool ws_row_is_misfit(const ws_row *row, uint32_t n_columns, ws_finding *why)
{
    *why = row->unfinished            ? WS_FINDING_TRUNCATED_LINE
           : row->n_cells < n_columns ? WS_FINDING_SHORT_ROW
                                      : WS_FINDING_EXTRA_CELLS;
    return *why != WS_FINDING_EXTRA_CELLS || ws_row_has_more(row, n_columns);
}

#endif
