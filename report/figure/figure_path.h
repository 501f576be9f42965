/* Lines of any length, cut down to what paper can show and clipped to a frame.
 *
 * Of consecutive points in one column of 1/300 inch only the first, the lowest, the highest and the last are kept: the
 * columns are fixed on paper, so all forms of output draw the same points, and no spike is lost. */
#ifndef WS_REPORT_FIGURE_PATH_H
#define WS_REPORT_FIGURE_PATH_H

#include "report/figure/figure_geometry.h"

#define WS_COLUMN_MM (25.4 / 300)

typedef struct ws_point {
    double x, y;
} ws_point;

typedef struct ws_path {
    double *x, *y;
    size_t n, capacity_x, capacity_y;
    bool has_column;
    long column;
    ws_point low, high, last;
    bool high_first; /* the highest point came before the lowest */
} ws_path;

void ws_path_add(ws_path *path, double x,
                 double y); /* mm; not finite: breaks the line, which the next point begins again */
void ws_path_end(ws_path *path);
void ws_path_free(ws_path *path);

/* Hand the parts inside the frame on, a polyline each. */
typedef void ws_path_part(void *state, size_t n, const double *x, const double *y);
void ws_path_clip(const ws_path *path, const ws_box *frame, ws_path_part *part, void *state);

#endif
