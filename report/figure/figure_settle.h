/* A figure of several panels as a page has it: grid, size, letters, legend, and axes that panels share. */
#ifndef WS_REPORT_FIGURE_SETTLE_H
#define WS_REPORT_FIGURE_SETTLE_H

#include "report/figure/figure.h"

/* Grid, size, letters and legend for the panels that were joined. `columns` 0: as many as suit their number. */
void ws_figure_settle(ws_figure *whole, size_t columns);

/* The same for facets: where they have a legend above all panels, each that has series of its own gets its own. */
void ws_figure_settle_facets(ws_figure *whole, size_t columns);

/* Of a narrow figure, unless its grid is to stay, at most two panels stand side by side, and one where they have names
 * of categories below; its height follows, with lower rows of facets where these would be higher than a page. */
void ws_figure_set_width(ws_figure *figure, double width_mm, bool keeps_grid);

#endif
