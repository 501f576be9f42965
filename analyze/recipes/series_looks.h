/* What series are called, and how they look: names as print has them, and the looks of a campaign (core/looks.h). */
#ifndef WS_ANALYZE_SERIES_LOOKS_H
#define WS_ANALYZE_SERIES_LOOKS_H

#include "core/looks.h"
#include "report/figure/figure.h"

/* The name that the looks give a value of a column; or "lbs256" as "LBS 256", "4 GPUs", "batch size 8". `looks` may be
 * NULL. */
const char *ws_series_spelled(const ws_looks *looks, ws_arena *arena, const char *column, const char *text);

/* Is this one of the parts of a label, which commas tell apart? */
bool ws_label_has_part(const char *label, const char *part);

/* The look of a series by its label ("A100, LBS 64", "DimeNet: β = 0.8"): the first of its parts that has the setting
 * goes before later ones; `column` and `value` mean nothing in it. */
ws_look ws_look_of_label(const ws_looks *looks, ws_arena *arena, const char *label);

/* Below, at or above 0: by the order that the looks give the labels; those without one stand behind, in no order. */
int ws_looks_order(const ws_looks *looks, const char *a, const char *b);

/* Colours and markers of the looks for the series of a complete figure, by their labels. */
void ws_figure_take_looks(ws_figure *figure, const ws_looks *looks);

/* Bars of a setting in its order: from dark to light blue, and the grey of the reference, whose style is `reference`;
 * those that the looks colour keep theirs. */
void ws_figure_ramp_bars(ws_figure *figure, const ws_looks *looks, int reference);

/* Does the figure say the name that a look of it gives to a column or a value, or show the unit? */
bool ws_figure_shows_look(const ws_figure *figure, const ws_looks *looks, const ws_look *look);

/* Order of names of series, below, at or above 0: digits by the number that they write,
 * those of one unit together ("100 W", "250 W" after "135 MHz", "735 MHz"), everything else by bytes. */
int ws_series_order(const char *a, const char *b);

#endif
