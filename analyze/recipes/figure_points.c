/* Points out of columns, and panels out of points. */
#include "analyze/recipes/figure_series.h"

#include "analyze/ingest/run_columns.h"
#include "analyze/scaling/ratios.h"
#include "analyze/units.h"
#include "analyze/unusable_runs.h"
#include "core/unit.h"
#include "fit/means.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct point {
    double along, x, y, error, x_error;
    size_t place; /* keeps the order of rows with the same x */
    bool is_doubtful;
} point;

static int compare_points(const void *a, const void *b)
{
    const point *p = a, *q = b;
    int order = (p->along > q->along) - (p->along < q->along);
    return order ? order : (p->place > q->place) - (p->place < q->place);
}

static ws_points from_sorted(ws_arena *arena, const point *sorted, size_t n)
{
    ws_points p = {.n = n, .n_runs = n};
    p.x = ws_arena_alloc(arena, (n + 1) * sizeof *p.x);
    p.y = ws_arena_alloc(arena, (n + 1) * sizeof *p.y);
    p.error = ws_arena_alloc(arena, (n + 1) * sizeof *p.error);
    p.x_error = ws_arena_alloc(arena, (n + 1) * sizeof *p.x_error);
    p.is_doubtful = ws_arena_alloc(arena, (n + 1) * sizeof *p.is_doubtful);
    for (size_t i = 0; i < n; i++) {
        p.x[i] = sorted[i].x;
        p.y[i] = sorted[i].y;
        p.error[i] = sorted[i].error;
        p.is_doubtful[i] = sorted[i].is_doubtful;
        p.x_error[i] = sorted[i].x_error;
        p.has_error |= isfinite(p.error[i]);
        p.has_x_error |= isfinite(p.x_error[i]);
    }
    return p;
}

/* Does the verdict on the energies of the rows hold for the column? Of others than those known an energy's unit says
 * so.
 */
static bool rests_on_energy(const char *column)
{
    ws_run_column known;
    ws_span bare;
    if (ws_run_column_find(column, &known))
        return ws_run_column_about(known)->rests_on_energy;
    const ws_unit *unit = ws_unit_in_name(ws_span_of(column), &bare);
    return ws_is_energy_ratio_column(column) || (unit && unit->dimension == WS_DIM_ENERGY);
}

static double number_or_nan(const ws_table *table, const char *name, size_t row)
{
    size_t column;
    return name && ws_table_find(table, name, &column) ? ws_table_number(table, column, row) : NAN;
}

ws_points ws_points_take(ws_arena *arena, const ws_table *table, const ws_row_list *rows, const char *x, const char *y,
                         const char *error)
{
    return ws_points_take_along(arena, table, rows, x, y, error, NULL, NULL, WS_PER_RUN);
}

ws_points ws_points_take_along(ws_arena *arena, const ws_table *table, const ws_row_list *rows, const char *x,
                               const char *y, const char *error, const char *x_error, const char *along, ws_work work)
{
    size_t column_x, column_y, n = 0;
    if (!ws_table_find(table, x, &column_x) || !ws_table_find(table, y, &column_y))
        return from_sorted(arena, NULL, 0);
    bool may_be_doubtful = rests_on_energy(x) || rests_on_energy(y);
    point *points = ws_alloc((rows->n + 1) * sizeof *points);
    for (size_t i = 0; i < rows->n; i++) {
        size_t row = rows->rows[i];
        double all = ws_grows_with_work(y) ? ws_work_in(table, work, row) : 1;
        point p = {.x = ws_work_value(table, work, column_x, row),
                   .y = ws_work_value(table, work, column_y, row),
                   .error = number_or_nan(table, error, row) / all,
                   .x_error = number_or_nan(table, x_error, row),
                   .place = i,
                   .is_doubtful = may_be_doubtful && ws_row_verdict(table, row) > WS_ENERGY_VERDICT_OK};
        p.along = along ? number_or_nan(table, along, row) : p.x;
        if (isfinite(p.x) && isfinite(p.y))
            points[n++] = p;
    }
    qsort(points, n, sizeof *points, compare_points);
    ws_points taken = from_sorted(arena, points, n);
    free(points);
    return taken;
}

/* The rows of `rows` that have x and y, and their values; returns how many. */
static size_t take_rows(const ws_table *table, const ws_row_list *rows, size_t column_x, size_t column_y, ws_work work,
                        size_t *taken, double *x, double *y)
{
    size_t n = 0;
    for (size_t i = 0; i < rows->n; i++) {
        x[n] = ws_work_value(table, work, column_x, rows->rows[i]);
        y[n] = ws_work_value(table, work, column_y, rows->rows[i]);
        taken[n] = rows->rows[i];
        n += isfinite(x[n]) && isfinite(y[n]);
    }
    return n;
}

static bool have_logs(const double *x, const double *y, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!(x[i] > 0) || !(y[i] > 0))
            return false;
    return true;
}

ws_points ws_points_of_configurations(ws_arena *arena, const ws_table *table, const ws_row_list *rows, const char *x,
                                      const char *y, bool in_logs)
{
    return ws_points_of_work(arena, table, rows, x, y, in_logs, WS_PER_RUN);
}

ws_points ws_points_of_work(ws_arena *arena, const ws_table *table, const ws_row_list *rows, const char *x,
                            const char *y, bool in_logs, ws_work work)
{
    size_t column_x, column_y, room = rows->n + 1;
    if (!ws_table_find(table, x, &column_x) || !ws_table_find(table, y, &column_y))
        return from_sorted(arena, NULL, 0);
    double *of_x = ws_arena_alloc(arena, room * sizeof *of_x), *of_y = ws_arena_alloc(arena, room * sizeof *of_y);
    size_t *taken = ws_arena_alloc(arena, room * sizeof *taken), *unit = ws_arena_alloc(arena, room * sizeof *unit);
    size_t n = take_rows(table, rows, column_x, column_y, work, taken, of_x, of_y);
    ws_means means;
    if (in_logs && !have_logs(of_x, of_y, n))
        return ws_points_take_along(arena, table, rows, x, y, NULL, NULL, NULL, work);
    ws_units_configurations(table, taken, n, &column_x, 1, unit);
    if (ws_means_take(of_x, of_y, unit, n, in_logs, &means, NULL) != WS_OK)
        return from_sorted(arena, NULL, 0);
    point *points = ws_alloc((means.n + 1) * sizeof *points);
    for (size_t i = 0; i < means.n; i++)
        points[i] = (point){means.x[i], means.x[i], means.y[i], NAN, NAN, i, false};
    qsort(points, means.n, sizeof *points, compare_points);
    ws_points p = from_sorted(arena, points, means.n);
    p.n_runs = n;
    free(points);
    ws_means_free(&means);
    return p;
}

typedef struct extent {
    double lo, hi, x_lo, x_hi;
} extent;

static extent extent_of(const ws_points *points, size_t n)
{
    extent e = {INFINITY, -INFINITY, INFINITY, -INFINITY};
    for (size_t s = 0; s < n; s++)
        for (size_t i = 0; i < points[s].n; i++) {
            e.lo = fmin(e.lo, points[s].y[i]);
            e.hi = fmax(e.hi, points[s].y[i]);
            e.x_lo = fmin(e.x_lo, points[s].x[i]);
            e.x_hi = fmax(e.x_hi, points[s].x[i]);
        }
    return e;
}

static void multiply(ws_points *points, size_t n, double factor_x, double factor_y)
{
    for (size_t s = 0; s < n; s++)
        for (size_t i = 0; i < points[s].n; i++) {
            points[s].x[i] *= factor_x;
            points[s].y[i] *= factor_y;
            points[s].error[i] *= factor_y;
            points[s].x_error[i] *= factor_x;
        }
}

/* The power of ten that an axis names, so that its numbers stay short. */
static int thousands(double largest)
{
    return largest >= 1e6 ? 6 : largest >= 1e4 ? 3 : 0;
}

/* "10^{6} samples / GPUh"; a label that stands alone begins with a capital. */
static const char *label_in(ws_figure *figure, int power, const char *label)
{
    if (power)
        return ws_arena_printf(&figure->arena, "10^{%d} %s", power, label);
    char *copy = ws_arena_strdup(&figure->arena, label);
    if (copy[0] >= 'a' && copy[0] <= 'z')
        copy[0] = (char)(copy[0] - 'a' + 'A');
    return copy;
}

static ws_points *take_all(const ws_series_list *list, ws_figure *figure, const ws_series_panel *what,
                           const char **x_label, const char **y_label)
{
    double factor_x = what->x_factor != 0 ? what->x_factor : 1, factor_y = what->factor != 0 ? what->factor : 1;
    *x_label = ws_axis_named(list->scale->looks, &figure->arena, what->x, what->x_label, &factor_x);
    *y_label = ws_axis_named(list->scale->looks, &figure->arena, what->y, what->y_label, &factor_y);
    ws_points *points = ws_arena_alloc(&figure->arena, (list->n + 1) * sizeof *points);
    const char *error = what->error ? what->error : ws_arena_printf(&figure->arena, "%s_rmse", what->y);
    for (size_t s = 0; s < list->n; s++)
        points[s] = ws_points_take_along(&figure->arena, list->scale, &list->items[s].configurations, what->x, what->y,
                                         error, what->x_error, what->along, what->work);
    multiply(points, list->n, factor_x, factor_y);
    return points;
}

static const char *next_letter(ws_figure *figure)
{
    return ws_arena_printf(&figure->arena, "%c", (int)('A' + figure->n_panels % 26));
}

void ws_points_draw(ws_figure *figure, ws_panel *panel, const char *label, unsigned kind, int style,
                    const ws_points *points)
{
    const ws_points *p = points;
    double *x = ws_arena_alloc(&figure->arena, (p->n + 1) * sizeof *x);
    double *y = ws_arena_alloc(&figure->arena, (p->n + 1) * sizeof *y);
    size_t n = 0;
    ws_layer *layer = ws_panel_add_layer(figure, panel, label, kind, style, p->n, p->x, p->y);
    if (p->has_error) {
        layer->kind |= WS_LAYER_ERRORS;
        ws_layer_set_error(figure, layer, p->error);
    }
    if (p->has_x_error) {
        layer->kind |= WS_LAYER_ERRORS;
        ws_layer_set_x_error(figure, layer, p->x_error);
    }
    for (size_t i = 0; i < p->n; i++) {
        x[n] = p->x[i];
        y[n] = p->y[i];
        n += p->is_doubtful[i];
    }
    if (n)
        ws_panel_add_layer(figure, panel, NULL, WS_LAYER_DOUBTFUL, style, n, x, y);
}

static void add_layers(const ws_series_list *list, ws_figure *figure, ws_panel *panel, const ws_series_panel *what,
                       const ws_points *points)
{
    for (size_t s = 0; s < list->n; s++) {
        const ws_points *p = &points[s];
        unsigned kind = what->kind ? what->kind : WS_LAYER_LINE | WS_LAYER_MARKERS;
        if (!p->n)
            continue;
        const char *label = *list->items[s].label ? list->items[s].label : NULL;
        ws_points_draw(figure, panel, label, kind, (int)s, p);
    }
}

ws_panel *ws_series_add_panel(const ws_series_list *list, ws_figure *figure, const ws_series_panel *what)
{
    enum { WIDE = 10 };
    const char *x_label, *y_label;
    ws_points *points = take_all(list, figure, what, &x_label, &y_label);
    extent e = extent_of(points, list->n);
    if (e.lo > e.hi)
        return NULL;
    bool is_gpus = strcmp(what->x, list->against) == 0;
    bool is_wide = what->along && e.x_lo > 0 && e.x_hi > WIDE * e.x_lo;
    int power_x = what->in_thousands && !is_gpus && !is_wide ? thousands(e.x_hi) : 0,
        power_y = what->in_thousands ? thousands(e.hi) : 0;
    multiply(points, list->n, pow(10, -power_x), pow(10, -power_y));
    ws_panel *panel = ws_figure_add_panel(figure, next_letter(figure), NULL);
    panel->x = (ws_axis){.scale = is_gpus   ? ws_series_gpu_scale(list)
                                  : is_wide ? WS_AXIS_LOG10
                                            : WS_AXIS_LINEAR,
                         .label = label_in(figure, power_x, x_label)};
    panel->y = (ws_axis){.scale = e.lo > 0 && e.hi > WIDE * e.lo ? WS_AXIS_LOG10 : WS_AXIS_LINEAR,
                         .label = label_in(figure, power_y, y_label)};
    add_layers(list, figure, panel, what, points);
    return panel;
}

/* Is every y of b that of a times one number, and do they differ at all? Within 2 %, which no eye sees on an axis as
 * high as a panel, and within a tenth of what a changes by: else b may have a course of its own. */
static bool are_proportional(const ws_panel *a, const ws_panel *b, bool *is_exact)
{
    const double rounding = 1e-9, most_off = 0.02, most_of_change = 0.1;
    double lo = INFINITY, hi = -INFINITY, least = INFINITY, largest = -INFINITY;
    size_t n = 0;
    if (a->n_layers != b->n_layers || a->y.scale != b->y.scale || strcmp(a->x.label, b->x.label) != 0)
        return false;
    for (size_t l = 0; l < a->n_layers; l++) {
        const ws_layer *one = &a->layers[l], *other = &b->layers[l];
        if (one->n != other->n)
            return false;
        for (size_t i = 0; i < one->n; i++, n++) {
            double own = other->y[i] / one->y[i];
            if (one->x[i] != other->x[i] || !(own > 0))
                return false;
            least = fmin(least, own);
            largest = fmax(largest, own);
            lo = fmin(lo, one->y[i]);
            hi = fmax(hi, one->y[i]);
        }
    }
    double off = (largest - least) / (largest + least);
    *is_exact = off <= rounding;
    return n > 2 && lo > 0 && hi - lo > 1e-6 * hi && off <= fmin(most_off, most_of_change * (hi - lo) / hi);
}

const char *ws_figure_drop_proportional(ws_figure *figure)
{
    const char *said = "";
    bool is_exact;
    for (size_t b = 1; b < figure->n_panels; b++)
        for (size_t a = 0; a < b; a++) {
            if (!are_proportional(&figure->panels[a], &figure->panels[b], &is_exact))
                continue;
            said = ws_arena_printf(&figure->arena, "%s %s: in proportion to %s (%s)%s, and not drawn.", said,
                                   figure->panels[b].y.label, figure->panels[a].letter, figure->panels[a].y.label,
                                   is_exact ? "" : " within 2 %");
            ws_figure_drop_panel(figure, b);
            b--;
            break;
        }
    return said;
}

void ws_figure_arrange(ws_figure *figure, const ws_series_list *list)
{
    static const struct {
        size_t most_panels, most_series, rows, columns;
        double width_mm, height_mm;
    } sizes[] = {{1, 6, 1, 1, 88, 70},         {1, 12, 1, 1, 180, 100},       {1, SIZE_MAX, 1, 1, 180, 130},
                 {2, 9, 1, 2, 180, 70},        {2, SIZE_MAX, 1, 2, 180, 100}, {4, SIZE_MAX, 2, 2, 180, 125},
                 {6, SIZE_MAX, 2, 3, 180, 100}};
    size_t i = 0;
    while (i + 1 < sizeof sizes / sizeof *sizes &&
           (sizes[i].most_panels < figure->n_panels || sizes[i].most_series < list->n))
        i++;
    figure->rows = sizes[i].rows;
    figure->columns = sizes[i].columns;
    figure->width_mm = sizes[i].width_mm;
    figure->height_mm = sizes[i].height_mm;
    bool has_cell = figure->rows > 1 && figure->n_panels < figure->rows * figure->columns;
    if (figure->n_panels == 1)
        figure->panels[0].letter = NULL;
    figure->legend = list->n < 2             ? WS_LEGEND_NONE
                     : figure->n_panels == 1 ? (list->n > sizes[0].most_series ? WS_LEGEND_TOP : WS_LEGEND_INSIDE)
                     : has_cell              ? WS_LEGEND_CELL
                                             : WS_LEGEND_TOP;
}
