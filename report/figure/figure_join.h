/* Panels of several figures in one. A series has one look in all of them: what is called the same gets the same colour
 * and marker, and other series others. */
#ifndef WS_REPORT_FIGURE_JOIN_H
#define WS_REPORT_FIGURE_JOIN_H

#include "report/figure/figure.h"

typedef struct ws_joined_part {
    const char *letters; /* "A,C": panels by their letters, or by their places where they have none; NULL: all */
    const char *title;   /* of each panel, before its own; NULL: none */
    bool shares_axes;    /* with panels of the same place in parts that share theirs, too */
    bool is_facet;       /* its caption follows the others only where it says something else */
} ws_joined_part;

/* Appends copies of panels to `whole`, which ws_figure_init made; captions, footnotes and notes follow. WS_USAGE: there
 * is no panel of that letter (the message lists them). */
ws_status ws_figure_join(ws_figure *whole, const ws_figure *part, const ws_joined_part *how, ws_error *error);

/* Grid, size, letters and legend for the panels that were joined. `columns` 0: as many as suit their number. */
void ws_figure_settle(ws_figure *whole, size_t columns);

/* Of a narrow figure, unless its grid is to stay, at most two panels stand side by side, and one where they have names
 * of categories below; its height follows. */
void ws_figure_set_width(ws_figure *figure, double width_mm, bool keeps_grid);

#endif
