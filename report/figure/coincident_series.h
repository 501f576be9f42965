/* Series that cover each other, or stand side by side: what a reader sees as one, the caption tells apart. */
#ifndef WS_REPORT_COINCIDENT_SERIES_H
#define WS_REPORT_COINCIDENT_SERIES_H

#include "report/figure/figure.h"

/* Adds "A, C: points of GBS 256 lie behind those of LBS 256." where most points of a series lie under the markers of
 * one that is drawn later, and "B: series whose bars would meet stand side by side at one place of the horizontal
 * axis." where side_by_side.h moves them. To be called once, on the whole figure; of many such series it says no more
 * than that. */
void ws_figure_say_coincident(ws_figure *figure);

#endif
