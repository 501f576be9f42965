#include "report/figure/figure_style.h"

#include <math.h>

#define PI 3.14159265358979323846

/* Three hues of Paul Tol's high and medium contrast schemes, then three and three more: of each three the first is
 * dark, the second between, the third light (L* near 29, 50, 70), so that they stay apart in greyscale, too, and all
 * nine for the common colour-vision deficiencies. Light texts are darker: 4.5 to 1 on white. */
static const ws_colour hues[WS_HUES] = {{0x00, 0x44, 0x88}, {0xbb, 0x55, 0x66}, {0xdd, 0xaa, 0x33},
                                        {0x5a, 0x3a, 0x00}, {0x22, 0x88, 0x33}, {0x44, 0xb8, 0xd8},
                                        {0x7a, 0x1f, 0x5a}, {0x8c, 0x66, 0xd2}, {0xf0, 0x90, 0x6a}};
static const ws_colour text_hues[WS_HUES] = {{0x00, 0x44, 0x88}, {0xbb, 0x55, 0x66}, {0x8a, 0x6a, 0x00},
                                             {0x5a, 0x3a, 0x00}, {0x1f, 0x7e, 0x2f}, {0x10, 0x70, 0x8c},
                                             {0x7a, 0x1f, 0x5a}, {0x78, 0x50, 0xc4}, {0xae, 0x4c, 0x24}};
static const ws_colour trace_hues[WS_HUES] = {{0x55, 0x8c, 0xc4}, {0xde, 0x7c, 0x8f}, {0xe2, 0xb4, 0x3c},
                                              {0xaa, 0x94, 0x66}, {0x88, 0xc4, 0x90}, {0x90, 0xd6, 0xe8},
                                              {0xbb, 0x80, 0xa8}, {0xbc, 0xa4, 0xe6}, {0xf6, 0xbc, 0xa4}};
static const ws_colour bar_hues[] = {{0x00, 0x44, 0x88}, {0x66, 0x99, 0xcc}, {0xbb, 0xbb, 0xbb}, {0xbb, 0x55, 0x66},
                                     {0xee, 0x99, 0xaa}, {0xdd, 0xaa, 0x33}, {0xee, 0xcc, 0x66}, {0x55, 0x55, 0x55}};
static const ws_colour grey = {0x77, 0x77, 0x77}, light_grey = {0xbb, 0xbb, 0xbb};

/* One row for each three series. Open markers go with dashes, filled ones without; twelve markers tell twelve series
 * apart in any copy. */
static const struct {
    ws_marker first;
    bool open;
    ws_dash dash;
} rounds[] = {
    {WS_MARKER_CIRCLE, false, WS_DASH_NONE},
    {WS_MARKER_DIAMOND, true, WS_DASH_LONG},
    {WS_MARKER_DIAMOND, false, WS_DASH_NONE},
    {WS_MARKER_CIRCLE, true, WS_DASH_LONG},
};

ws_style ws_style_of(int style)
{
    if (style < 0)
        return (ws_style){grey, grey, light_grey, light_grey, WS_MARKER_CIRCLE, false, WS_DASH_NONE};
    size_t i = (size_t)style % WS_MARKER_STYLES, round = i / 3;
    size_t again = (size_t)style % WS_STYLES / WS_MARKER_STYLES; /* the same markers, in another colour and dash */
    size_t hue = (i + again) % 3 + round * 3 % WS_HUES;
    return (ws_style){hues[hue],
                      text_hues[hue],
                      round % 2 ? hues[hue] : trace_hues[hue],
                      bar_hues[i % (sizeof bar_hues / sizeof *bar_hues)],
                      (ws_marker)((size_t)rounds[round].first + i % 3),
                      rounds[round].open,
                      (ws_dash)(((size_t)rounds[round].dash + again) % WS_DASH_N)};
}

static ws_colour mixed(ws_colour a, int other, double share)
{
    return (ws_colour){(uint8_t)(a.r + share * (other - a.r)), (uint8_t)(a.g + share * (other - a.g)),
                       (uint8_t)(a.b + share * (other - a.b))};
}

/* Dark enough to read on white: light colours are darkened to a third of white's lightness. */
static ws_colour for_text(ws_colour c)
{
    double lightness = (0.299 * c.r + 0.587 * c.g + 0.114 * c.b) / 255;
    return lightness > 0.45 ? mixed(c, 0, 1 - 0.45 / lightness) : c;
}

ws_style ws_style_in(const ws_figure *figure, int style)
{
    ws_style s = ws_style_of(style);
    for (size_t i = 0; i < figure->n_looks; i++) {
        const ws_figure_look *look = &figure->looks[i];
        if (look->style != style)
            continue;
        if (look->colour >= 0) {
            s.line = (ws_colour){(uint8_t)(look->colour >> 16), (uint8_t)(look->colour >> 8), (uint8_t)look->colour};
            s.bar = s.line;
            s.text = for_text(s.line);
            s.trace = mixed(s.line, 255, 0.4);
        }
        s.marker = look->marker >= 0 && look->marker < WS_MARKER_N ? (ws_marker)look->marker : s.marker;
    }
    return s;
}

/* Corners, direction of the first one in degrees, circumradius over the radius of the circle. Pointed ones are drawn a
 * little smaller than equal area, since they look larger. */
static const struct {
    size_t corners;
    double first_deg, radius;
} outlines[WS_MARKER_N] = {
    [WS_MARKER_CIRCLE] = {32, 0, 1},       [WS_MARKER_SQUARE] = {4, 45, 1.2533}, [WS_MARKER_TRIANGLE] = {3, 90, 1.35},
    [WS_MARKER_DIAMOND] = {4, 90, 1.2533}, [WS_MARKER_DOWN] = {3, 270, 1.35},    [WS_MARKER_PENTAGON] = {5, 90, 1.1},
};

size_t ws_marker_outline(ws_marker marker, double diameter_mm, double *x, double *y)
{
    size_t n = outlines[marker].corners;
    double radius = outlines[marker].radius * diameter_mm / 2;
    for (size_t i = 0; i < n; i++) {
        double angle = (outlines[marker].first_deg / 360 + (double)i / (double)n) * 2 * PI;
        x[i] = radius * cos(angle);
        y[i] = radius * sin(angle);
    }
    return n;
}

size_t ws_dash_lengths(ws_dash dash, double *mm)
{
    static const struct {
        size_t n;
        double mm[WS_DASH_LENGTHS];
    } patterns[] = {
        [WS_DASH_NONE] = {0, {0}},
        [WS_DASH_LONG] = {2, {1.8, 1.0}},
        [WS_DASH_DOT] = {2, {0.5, 0.8}},
        [WS_DASH_LONG_DOT] = {4, {1.8, 0.7, 0.5, 0.7}},
    };
    for (size_t i = 0; i < patterns[dash].n; i++)
        mm[i] = patterns[dash].mm[i];
    return patterns[dash].n;
}
