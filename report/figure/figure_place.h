/* Texts of a layout on their places: fixed ones, and those that look for a free one. */
#ifndef WS_REPORT_FIGURE_PLACE_H
#define WS_REPORT_FIGURE_PLACE_H

#include "report/figure/figure_geometry.h"
#include "report/figure/figure_text.h"
#include "report/figure/figure_room.h"

/* Append a text, whose `text` is clean, shortened to room_mm; its box is computed. Empty texts are left out. */
void ws_layout_add_text(ws_layout *layout, const ws_text_measure *measure, const ws_placed_text *text, double room_mm);

/* Labels of reference lines, and annotations, each where neither data nor another text stands; what finds no place is
 * left out and counted. False where an annotation of the panel (in_panel) has no such place: then all of them belong
 * outside, and are passed over where the layout says so. */
bool ws_layout_place_labels(ws_layout *layout, const ws_panel_layout *place, const ws_panel *panel,
                            const ws_text_measure *measure, ws_room *room);

#endif
