/* Where the parts of a figure stand, in mm from the lower left corner of the page. */
#ifndef WS_REPORT_FIGURE_GEOMETRY_H
#define WS_REPORT_FIGURE_GEOMETRY_H

#include "report/figure/figure.h"
#include "report/figure/figure_ticks.h"

typedef struct ws_box {
    double x0, y0, x1, y1;
} ws_box;

typedef enum ws_text_role {
    WS_TEXT_LETTER = 0,
    WS_TEXT_TITLE,
    WS_TEXT_X_TICK,
    WS_TEXT_Y_TICK,
    WS_TEXT_X_LABEL,
    WS_TEXT_Y_LABEL,
    WS_TEXT_LEGEND,
    WS_TEXT_ANNOTATION,
    WS_TEXT_REFERENCE,
    WS_TEXT_FOOTNOTE,
    WS_TEXT_N
} ws_text_role;

typedef struct ws_placed_text {
    ws_text_role role;
    const char *text; /* valid UTF-8, with scripts, as long as its place allows */
    double x, y;      /* of the base line's anchor */
    double just;      /* the anchor's share of the width: 0 left, 0.5 middle, 1 right */
    double pt;
    bool bold, turned; /* turned: runs upward */
    int style;         /* colour of that series; WS_TEXT_COLOUR: of text */
    ws_box box;
    bool names_point, has_leader; /* of the data, at (lead_x, lead_y); a thin line leads there */
    double lead_x, lead_y;
} ws_placed_text;
enum { WS_TEXT_COLOUR = -1 };

typedef struct ws_axis_layout {
    const ws_axis *axis;
    ws_ticks ticks;
    double from_mm, to_mm;
    size_t title_lines; /* that there is room for */
} ws_axis_layout;

typedef struct ws_panel_layout {
    ws_box frame;
    ws_axis_layout x, y;
    const ws_figure *figure;
    double bar_width; /* of one bar, in positions of the x axis; 0: no bars */
    size_t n_bar_layers;
    const ws_panel *panel;
    double *moved_mm; /* of each layer, to the right: side_by_side.h */
} ws_panel_layout;

typedef struct ws_legend_key {
    unsigned kind; /* of all layers with this label */
    int style;
    bool has_error, has_band;
    ws_box box;
} ws_legend_key;

typedef struct ws_layout {
    double width_mm, height_mm;
    ws_panel_layout *panels;
    size_t n_panels;
    ws_placed_text *texts;
    size_t n_texts, text_capacity;
    ws_legend_key *keys;
    size_t n_keys, key_capacity;
    bool references_in_legend; /* labels of reference lines */
    bool notes_outside;   /* annotations of panels stand in the legend or in the line above a panel: inside they would
                             have covered data */
    bool notes_in_strips; /* and there each above its own panel, where panels say different things of one series */
    ws_notes notes;       /* "text-shortened", "label-left-out", "points-dropped", "points-outside",
                             "characters-missing" */
    ws_arena arena;
} ws_layout;

/* mm of a value along its axis, NaN where it has no place; it may lie outside the frame. */
double ws_layout_mm(const ws_axis_layout *axis, double value);

/* mm of a point along the x axis; `layer` is one of the panel's. */
double ws_layout_x(const ws_panel_layout *panel, const ws_layer *layer, size_t point);

/* The bar of a point of a layer with WS_LAYER_BARS, cut at the frame; false where there is none. `nth` counts the
 * layers with bars before it. */
bool ws_layout_bar(const ws_panel_layout *panel, const ws_layer *layer, size_t nth, size_t point, ws_box *bar);

double ws_axis_mm(const ws_axis_layout *axis, double position); /* mm of a position */

#define WS_CAPITALS 0.688       /* em: height of capitals and digits */
double ws_text_half(double pt); /* mm: half of that, from the base line to the middle */

#endif
