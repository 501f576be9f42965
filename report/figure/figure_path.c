#include "report/figure/figure_path.h"

#include <math.h>
#include <stdlib.h>

static void figure_path_push(ws_path *path, double x, double y)
{
    if (path->n && path->x[path->n - 1] == x && path->y[path->n - 1] == y)
        return;
    path->x = ws_grow(path->x, &path->capacity_x, path->n + 1, sizeof *path->x);
    path->y = ws_grow(path->y, &path->capacity_y, path->n + 1, sizeof *path->y);
    path->x[path->n] = x;
    path->y[path->n++] = y;
}

static void flush_column(ws_path *path)
{
    if (!path->has_column)
        return;
    const ws_point *first = path->high_first ? &path->high : &path->low;
    const ws_point *second = path->high_first ? &path->low : &path->high;
    figure_path_push(path, first->x, first->y);
    figure_path_push(path, second->x, second->y);
    figure_path_push(path, path->last.x, path->last.y);
    path->has_column = false;
}

void ws_path_add(ws_path *path, double x, double y)
{
    if (!isfinite(x) || !isfinite(y)) {
        flush_column(path);
        if (path->n && !isnan(path->x[path->n - 1]))
            figure_path_push(path, NAN, NAN);
        return;
    }
    long column = (long)fmin(fmax(floor(x / WS_COLUMN_MM), -1e9), 1e9);
    ws_point point = {x, y};
    if (path->has_column && column == path->column) {
        if (y < path->low.y)
            path->low = point, path->high_first = true;
        if (y > path->high.y)
            path->high = point, path->high_first = false;
        path->last = point;
        return;
    }
    flush_column(path);
    figure_path_push(path, x, y);
    path->has_column = true;
    path->column = column;
    path->low = path->high = path->last = point;
    path->high_first = false;
}

void ws_path_end(ws_path *path)
{
    flush_column(path);
}

void ws_path_free(ws_path *path)
{
    free(path->x);
    free(path->y);
    *path = (ws_path){0};
}

/* Narrow the shares [*from, *to] of a segment to where start + share * delta lies between lo and hi. */
static bool narrow(double start, double delta, double lo, double hi, double *from, double *to)
{
    if (delta == 0)
        return start >= lo && start <= hi;
    double a = (lo - start) / delta, b = (hi - start) / delta;
    *from = fmax(*from, fmin(a, b));
    *to = fmin(*to, fmax(a, b));
    return *from <= *to;
}

void ws_path_clip(const ws_path *path, const ws_box *frame, ws_path_part *part, void *state)
{
    ws_path inside = {0};
    for (size_t i = 1; i < path->n; i++) {
        double x = path->x[i - 1], y = path->y[i - 1], dx = path->x[i] - x, dy = path->y[i] - y, from = 0, to = 1;
        bool is_seen = isfinite(dx) && isfinite(dy) && narrow(x, dx, frame->x0, frame->x1, &from, &to) &&
                       narrow(y, dy, frame->y0, frame->y1, &from, &to);
        if (is_seen && (from > 0 || !inside.n)) {
            if (inside.n)
                part(state, inside.n, inside.x, inside.y);
            inside.n = 0;
            figure_path_push(&inside, x + from * dx, y + from * dy);
        }
        if (is_seen)
            figure_path_push(&inside, to < 1 ? x + to * dx : path->x[i], to < 1 ? y + to * dy : path->y[i]);
        if ((!is_seen || to < 1) && inside.n) {
            part(state, inside.n, inside.x, inside.y);
            inside.n = 0;
        }
    }
    if (inside.n)
        part(state, inside.n, inside.x, inside.y);
    ws_path_free(&inside);
}
