/* Panels of several figures in one. A series has one look in all of them (series_styles.h). */
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

#endif
