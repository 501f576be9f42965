/* The data behind a figure as one table, a row a point, for whoever wants to draw or check it elsewhere. */
#ifndef WS_REPORT_FIGURE_CSV_H
#define WS_REPORT_FIGURE_CSV_H

#include "core/table.h"
#include "report/figure/figure.h"

/* Columns: panel title x_label y_label series kind category x y error lo hi x_error; points that are not drawn
 * included. Initialises the table, which the caller frees. */
void ws_figure_table(const ws_figure *figure, ws_table *table);

#endif
