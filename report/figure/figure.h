/* Figures as plain data: what goes where and in which style, before anything is drawn.
 *
 * A recipe fills a ws_figure; figure_layout.h computes every position in mm; draw.h puts it on paper. Lengths are
 * in mm on paper, sizes of type and lines in points. Data is in the units that the labels name; a logarithmic axis
 * takes the logarithm itself. Texts are UTF-8; "^{}" and "_{}" set scripts, every other byte stands for itself. */
#ifndef WS_REPORT_FIGURE_H
#define WS_REPORT_FIGURE_H

#include "core/arena.h"
#include "core/note.h"
#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum ws_axis_scale { WS_AXIS_LINEAR = 0, WS_AXIS_LOG2, WS_AXIS_LOG10, WS_AXIS_CATEGORY } ws_axis_scale;

typedef struct ws_axis {
    ws_axis_scale scale;
    const char *label; /* "Energy / kWh"; NULL: none */
    bool has_range;    /* lo and hi are wanted; else they follow from the data */
    double lo, hi;
    bool from_zero;                /* a linear axis begins at 0, as bars must */
    bool hide_labels;              /* an inner axis: ticks without labels */
    const char *const *categories; /* of WS_AXIS_CATEGORY, at positions 0, 1, ...; */
    size_t n_categories;
    const double *tick_values; /* what is labelled, rising, inside the axis; NULL: what suits its range */
    size_t n_tick_values;
} ws_axis;

/* What a layer draws; the bits may be combined. */
enum {
    WS_LAYER_LINE = 1,
    WS_LAYER_MARKERS = 2,
    WS_LAYER_ERRORS = 4, /* y +- error, and x +- x_error where a layer has it */
    WS_LAYER_BAND = 8,   /* between lo and hi */
    WS_LAYER_BARS = 16,
    WS_LAYER_DASHED = 32,   /* the line is dashed: ideal, reference, open series */
    WS_LAYER_OPEN = 64,     /* open markers */
    WS_LAYER_TRACE = 128,   /* a power trace: thin and light, lo and hi its envelope */
    WS_LAYER_MEAN = 256,    /* the mean of traces: black, dashed, heavier */
    WS_LAYER_DOUBTFUL = 512 /* open markers with a dot, over those of the same points; never in the legend */
};

typedef struct ws_layer {
    const char *label; /* in the legend; NULL: not in it */
    unsigned kind;
    int style; /* 0, 1, 2, ...: colour and marker of a series, the same in every panel; -1: grey */
    size_t n;
    const double *x, *y; /* n values; a value that is not finite, or not positive on a logarithmic axis, is left out and
                            counted in a note */
    const double *error, *x_error; /* n values or NULL */
    const double *lo, *hi;         /* n values or NULL */
} ws_layer;

typedef struct ws_annotation {
    const char *text;
    int style;     /* colour of a series; -1: text colour */
    bool in_panel; /* x, y are shares of the panel (0..1, right-aligned at x); else data, beside the point */
    double x, y;
} ws_annotation;

typedef struct ws_reference_line {
    bool vertical;
    double value;
    const char *label; /* beside the line, in the legend where the figure has one above or in a cell; NULL: none */
} ws_reference_line;

typedef struct ws_panel {
    const char *letter, *title; /* NULL: none */
    ws_axis x, y;
    int share; /* panels of the same number above 0 have the same range on each axis */
    ws_layer *layers;
    size_t n_layers, layer_capacity;
    ws_annotation *annotations;
    size_t n_annotations, annotation_capacity;
    ws_reference_line *references;
    size_t n_references, reference_capacity;
} ws_panel;

/* Another colour or marker for a style: 0xRRGGBB and a ws_marker of figure_style.h, -1 for that of the style. */
typedef struct ws_figure_look {
    int style;
    int32_t colour;
    int marker;
} ws_figure_look;

typedef enum ws_legend_place {
    WS_LEGEND_NONE = 0,
    WS_LEGEND_TOP,
    WS_LEGEND_INSIDE,
    WS_LEGEND_CELL,
    WS_LEGEND_FACETS /* one above each group of panels that has series of its own */
} ws_legend_place;

typedef struct ws_figure {
    const char *name; /* "campaign/speedup" */
    const char
        *model; /* that it is of, where its recipe names one; "": nobody says which. NULL: as the recipe has it */
    const char *caption;  /* n, meaning of bars and bands, what was left out: plain text */
    const char *footnote; /* printed small below the panels; NULL: none */
    double width_mm, height_mm;
    size_t rows, columns; /* of the grid of panels, filled row by row */
    ws_panel *panels;
    size_t n_panels, panel_capacity;
    ws_legend_place legend;
    ws_figure_look *looks;
    size_t n_looks, look_capacity;
    bool grows;     /* the page becomes higher where its legend would be cut: nobody asked for a height */
    bool synthetic; /* a footnote says that the data was made by a program */
    ws_notes notes;
    ws_arena arena; /* owns panels' texts and arrays that are added through the functions below */
} ws_figure;

void ws_figure_init(ws_figure *figure, const char *name, double width_mm, double height_mm, size_t rows,
                    size_t columns);
void ws_figure_free(ws_figure *figure); /* leaves a valid empty figure */

/* The pointers are good until the next panel or layer is added. Texts and arrays are copied. */
ws_panel *ws_figure_add_panel(ws_figure *figure, const char *letter, const char *title);
void ws_figure_drop_panel(ws_figure *figure, size_t panel); /* those behind it move up, letters stay in their places */
ws_layer *ws_panel_add_layer(ws_figure *figure, ws_panel *panel, const char *label, unsigned kind, int style, size_t n,
                             const double *x, const double *y);
void ws_layer_set_error(ws_figure *figure, ws_layer *layer, const double *error);
void ws_layer_set_x_error(ws_figure *figure, ws_layer *layer, const double *x_error);
void ws_layer_set_range(ws_figure *figure, ws_layer *layer, const double *lo, const double *hi);
void ws_panel_annotate(ws_figure *figure, ws_panel *panel, const char *text, int style, bool in_panel, double x,
                       double y);
void ws_panel_add_reference(ws_figure *figure, ws_panel *panel, bool vertical, double value, const char *label);

void ws_figure_set_look(ws_figure *figure, int style, int32_t colour, int marker); /* the first one stays */

#define WS_LARGEST_ON_AXIS 1e300 /* beyond it, sums of an axis' limits would overflow */

/* Where a value stands on an axis: itself, or its logarithm; NaN where it has no place. */
double ws_axis_position(const ws_axis *axis, double value);

/* Has any layer one of these bits? Captions speak of what was drawn only. */
bool ws_figure_has(const ws_figure *figure, unsigned kind);

/* Count the points that have no place on their axes, a note ("points-dropped") a layer. For a complete figure. */
void ws_figure_note_dropped(const ws_figure *figure, ws_notes *notes);

/* What a figure is written as. */
typedef enum ws_figure_form { WS_FIGURE_PDF = 0, WS_FIGURE_SVG, WS_FIGURE_PNG } ws_figure_form;

#endif
