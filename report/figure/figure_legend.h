/* The legend: one entry a label, over all panels, placed above the panels, in an empty cell of their grid, or inside.
 */
#ifndef WS_REPORT_FIGURE_LEGEND_H
#define WS_REPORT_FIGURE_LEGEND_H

#include "report/figure/figure_geometry.h"
#include "report/figure/figure_text.h"
#include "report/figure/figure_room.h"

#define WS_MM_LEGEND_ROW 4.0 /* from one entry to that below it */

typedef struct ws_legend_entry {
    const char *label;
    ws_legend_key key;
    double width_mm;    /* of the text alone */
    const char *letter; /* of the panel that it is from, or NULL */
} ws_legend_entry;

typedef struct ws_legend {
    ws_legend_entry *entries;
    size_t n, rows, columns;
    double row_mm;     /* from one entry to that below it */
    double key_mm;     /* width of the keys: less where no key has a line */
    double *column_mm; /* width of each column, key and text */
    double gap_mm;     /* from column to column */
    double width_mm, height_mm;
    bool repeats_names; /* panels say different things of one series */
} ws_legend;

/* What the legend calls a layer: its label, or the annotation of its style that begins with it, where annotations
 * stand outside of the panels. */
const char *ws_legend_label(const ws_panel *panel, const ws_layer *layer, bool notes_outside);

/* In the order of the layers, means of traces last. Arrays live in the layout's arena. */
void ws_legend_collect(ws_legend *legend, ws_layout *layout, const ws_figure *figure, const ws_text_measure *measure);

/* Of the panels from `first` to before `end` alone, in names that tell their series apart; without lines of references
 * unless asked for. A single series that has the name of its panels needs no entry. */
void ws_legend_collect_facet(ws_legend *legend, ws_layout *layout, const ws_figure *figure,
                             const ws_text_measure *measure, size_t first, size_t end, bool has_references);

/* What a panel says of its series beyond their names ("0.94" of "resnet: 0.94"), for layouts with notes in strips. */
void ws_legend_collect_notes(ws_legend *legend, ws_layout *layout, const ws_figure *figure,
                             const ws_text_measure *measure, size_t panel);

/* Without the series that have the title of all of their panels for their name, and no other beside them there. */
void ws_legend_leave_out_told(ws_legend *legend, const ws_figure *figure);

/* How high it is on that width, where none of its names is cut. */
double ws_legend_height(ws_legend *legend, ws_layout *layout, double width_mm);

/* Arrange in columns, read one after the other, of together that width and at most that height, or `most_mm` where
 * that keeps all names whole. Where not all entries find a place, long ones are cut; what still finds none is counted
 * in the last one. */
void ws_legend_arrange(ws_legend *legend, ws_layout *layout, const ws_text_measure *measure, double width_mm,
                       double height_mm, double most_mm);

/* Add keys and texts to the layout, the upper left corner at (x, y). */
void ws_legend_put(const ws_legend *legend, ws_layout *layout, const ws_text_measure *measure, double x, double y);

/* The upper left corner of a free place inside the frame; false where there is none. */
bool ws_legend_find_place(const ws_legend *legend, const ws_room *room, const ws_box *frame, double *x, double *y);

#endif
