/* The look of every figure in one place: sizes of type, lines and markers, colours of series. */
#ifndef WS_REPORT_FIGURE_STYLE_H
#define WS_REPORT_FIGURE_STYLE_H

#include "report/figure/figure.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WS_MM_PER_PT (25.4 / 72.0)

/* Type, in points. */
#define WS_PT_TICK 7.0  /* ticks, legend, annotations */
#define WS_PT_LABEL 7.5 /* axis labels, panel titles */
#define WS_PT_LETTER 9.0
#define WS_PT_FOOTNOTE 6.0

/* Lines, in points. */
#define WS_PT_LINE 1.0
#define WS_PT_TRACE 0.5
#define WS_PT_MEAN 0.8
#define WS_PT_IDEAL 0.9
#define WS_PT_ERROR 0.7
#define WS_PT_AXIS 0.7
#define WS_PT_MINOR 0.5
#define WS_PT_RIM 0.4
#define WS_PT_OPEN_RIM 0.9

/* Lengths, in mm. */
#define WS_MM_MARKER 1.7
#define WS_MM_CAP 1.2
#define WS_MM_TICK 1.0
#define WS_MM_MINOR 0.6
#define WS_MM_KEY 7.0 /* of a legend's entry */

#define WS_ALPHA_BAND 0.18
#define WS_ALPHA_GRID 0.10

typedef struct ws_colour {
    uint8_t r, g, b;
} ws_colour;

typedef enum ws_marker {
    WS_MARKER_CIRCLE = 0,
    WS_MARKER_SQUARE,
    WS_MARKER_TRIANGLE,
    WS_MARKER_DIAMOND,
    WS_MARKER_DOWN,
    WS_MARKER_PENTAGON,
    WS_MARKER_N
} ws_marker;

typedef enum ws_dash { WS_DASH_NONE = 0, WS_DASH_LONG, WS_DASH_DOT, WS_DASH_LONG_DOT, WS_DASH_N } ws_dash;

/* How a series looks: colour never stands alone, marker and dash differ too. */
typedef struct ws_style {
    ws_colour line, text, trace, bar; /* `text` is dark enough to read on white */
    ws_marker marker;
    bool open;
    ws_dash dash;
} ws_style;

/* So many series have a colour of their own. */
enum { WS_HUES = 9 };

/* So many series have a marker, filled or open, and a dash of their own; markers alone differ for twelve, and in their
 * lightness for three times as many. Then looks repeat. */
enum { WS_MARKER_STYLES = 12, WS_STYLES = 4 * WS_MARKER_STYLES };
ws_style ws_style_of(int style);                          /* negative: grey */
ws_style ws_style_in(const ws_figure *figure, int style); /* with the looks of the figure */

/* Outline of a marker around (0, 0); all markers look as large as a circle of that diameter. Returns the number of
 * corners, at most WS_MARKER_POINTS. */
enum { WS_MARKER_POINTS = 32 };
size_t ws_marker_outline(ws_marker marker, double diameter_mm, double *x, double *y);

/* Lengths of strokes and gaps in mm, alternating; the number of lengths, 0 for a whole line. */
enum { WS_DASH_LENGTHS = 4 };
size_t ws_dash_lengths(ws_dash dash, double *mm);

#endif
