/* Colours and markers of series that stand in several figures, or in several parts of one: what is called the same gets
 * the same, and other series others. */
#ifndef WS_REPORT_SERIES_STYLES_H
#define WS_REPORT_SERIES_STYLES_H

#include "report/figure/figure.h"
#include "report/figure/figure_style.h"

/* Styles of a part as the whole has them. */
typedef struct ws_style_map {
    int from[2 * WS_STYLES], to[2 * WS_STYLES];
    size_t n;
} ws_style_map;

/* `whole` is without this part yet. */
void ws_style_map_make(ws_style_map *map, const ws_figure *whole, const ws_figure *part);
int ws_mapped_style(const ws_style_map *map, int style); /* itself where the map says nothing of it */

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
 * and are known from here on. Bars have colours of their own. */
void ws_figure_keep_styles(ws_figure *figure, ws_known_styles *known);

#endif
