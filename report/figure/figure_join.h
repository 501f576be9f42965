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

/* Which look the series of several figures have, by their names. Zero is none yet; ws_known_styles_free empties it. */
typedef struct ws_known_styles {
    struct ws_known_style {
        const char *label;
        int style;
    } * items;
    size_t n, capacity;
    ws_arena arena;
} ws_known_styles;

void ws_known_styles_free(ws_known_styles *known);

/* A series that another figure has named keeps its colour and marker; the others of the figure get theirs around it,
 * and are known from here on. */
void ws_figure_keep_styles(ws_figure *figure, ws_known_styles *known);

/* Grid, size, letters and legend for the panels that were joined. `columns` 0: as many as suit their number. */
void ws_figure_settle(ws_figure *whole, size_t columns);

/* Of a narrow figure, unless its grid is to stay, at most two panels stand side by side, and one where they have names
 * of categories below; its height follows. */
void ws_figure_set_width(ws_figure *figure, double width_mm, bool keeps_grid);

#endif
