/* Which parts of a page are taken: a grid of a quarter of a millimetre, so that labels find a free place. */
#ifndef WS_REPORT_FIGURE_ROOM_H
#define WS_REPORT_FIGURE_ROOM_H

#include "report/figure/figure_geometry.h"

enum { WS_TAKEN_BY_DATA = 1, WS_TAKEN_BY_TEXT = 2, WS_TAKEN = 3 };

typedef struct ws_room {
    size_t columns, rows;
    unsigned char *cells;
} ws_room;

void ws_room_init(ws_room *room, double width_mm, double height_mm);
void ws_room_free(ws_room *room);

/* What lies outside the page is left out. */
void ws_room_take(ws_room *room, const ws_box *box, unsigned what);
bool ws_room_is_free(const ws_room *room, const ws_box *box, unsigned what);

/* What a panel's layers cover: markers, lines, bars, bands and error bars. */
void ws_room_take_panel(ws_room *room, const ws_panel_layout *layout, const ws_panel *panel);

#endif
