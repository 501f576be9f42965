/* Rows that no other row dominates, and the volume that they dominate (Zitzler and Thiele 1999, IEEE Trans.
 * Evolutionary Computation 3). The volume is cut into slabs along the last objective, each as thick as the step to the
 * next row and as large as the volume of the rows so far in one dimension less: for the tens of rows of a campaign. */
#include "fit/choice/pareto.h"

#include "core/arena.h"

#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

static ws_status pareto_check(const double *const *objective, size_t k, size_t n, ws_error *error)
{
    if (k < 1 || k > WS_PARETO_MAX)
        return ws_fail(error, WS_USAGE, "a front takes 1 to %d objectives, not %zu", WS_PARETO_MAX, k);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < k; j++)
            if (!isfinite(objective[j][i]))
                return ws_fail(error, WS_DATA,
                               "objective %zu of row %zu is missing; leave the row or the objective out", j + 1, i + 1);
    return WS_OK;
}

static bool dominates(const double *const *objective, size_t k, size_t a, size_t b)
{
    bool better = false;
    for (size_t j = 0; j < k; j++) {
        if (objective[j][a] > objective[j][b])
            return false;
        better = better || objective[j][a] < objective[j][b];
    }
    return better;
}

/* Two objectives, for groups of thousands of rows: by the first, a row must be better in the second than all before it,
 * and as good as any that is equal in the first. */
static void sweep(const double *first, const double *second, size_t n, bool *on_front)
{
    size_t *order = ws_alloc((n + 1) * sizeof *order), end;
    double best = INFINITY;
    gsl_sort_index(order, first, 1, n);
    for (size_t begin = 0; begin < n; begin = end) {
        double least = INFINITY;
        for (end = begin; end < n && first[order[end]] == first[order[begin]]; end++)
            least = fmin(least, second[order[end]]);
        for (size_t i = begin; i < end; i++)
            on_front[order[i]] = second[order[i]] == least && least < best;
        best = fmin(best, least);
    }
    free(order);
}

ws_status ws_pareto_front(const double *const *objective, size_t k, size_t n, bool *on_front, ws_error *error)
{
    ws_status status = pareto_check(objective, k, n, error);
    if (status == WS_OK && k == 2)
        sweep(objective[0], objective[1], n, on_front);
    for (size_t i = 0; status == WS_OK && k != 2 && i < n; i++) {
        on_front[i] = true;
        for (size_t other = 0; on_front[i] && other < n; other++)
            on_front[i] = !dominates(objective, k, other, i);
    }
    return status;
}

/* Volume of the first k objectives of the n rows in `row`. */
static double volume_of(const double *const *objective, size_t k, const size_t *row, size_t n, const double *reference)
{
    double lowest = reference[0], volume = 0;
    if (k == 1) {
        for (size_t i = 0; i < n; i++)
            lowest = fmin(lowest, objective[0][row[i]]);
        return reference[0] - lowest;
    }
    double *height = ws_realloc(NULL, n + 1, sizeof *height);
    size_t *order = ws_realloc(NULL, 2 * n + 1, sizeof *order), *sorted = order + n;
    for (size_t i = 0; i < n; i++)
        height[i] = objective[k - 1][row[i]];
    gsl_sort_index(order, height, 1, n);
    for (size_t i = 0; i < n; i++) {
        sorted[i] = row[order[i]];
        double next = i + 1 < n ? height[order[i + 1]] : reference[k - 1], thickness = next - height[order[i]];
        if (thickness > 0)
            volume += thickness * volume_of(objective, k - 1, sorted, i + 1, reference);
    }
    free(height);
    free(order);
    return volume;
}

ws_status ws_pareto_volume(const double *const *objective, size_t k, size_t n, const double *reference, double *volume,
                           ws_error *error)
{
    *volume = NAN;
    ws_status status = pareto_check(objective, k, n, error);
    if (status != WS_OK)
        return status;
    bool *on_front = ws_realloc(NULL, n + 1, sizeof *on_front);
    size_t *row = ws_realloc(NULL, n + 1, sizeof *row), count = 0;
    status = ws_pareto_front(objective, k, n, on_front, error);
    for (size_t i = 0; i < n; i++) {
        bool inside = on_front[i];
        for (size_t j = 0; j < k; j++)
            inside = inside && objective[j][i] < reference[j];
        if (inside)
            row[count++] = i;
    }
    *volume = volume_of(objective, k, row, count, reference);
    free(on_front);
    free(row);
    return status;
}

size_t ws_pareto_least(const double *const *objective, size_t k, size_t n, size_t which, const double *bound)
{
    size_t best = SIZE_MAX;
    for (size_t i = 0; i < n; i++) {
        bool allowed = !isnan(objective[which][i]);
        for (size_t j = 0; j < k; j++)
            allowed = allowed && objective[j][i] <= bound[j];
        if (allowed && (best == SIZE_MAX || objective[which][i] < objective[which][best]))
            best = i;
    }
    return best;
}

/* A row this close to the line between the ends of the front lies on it, but for rounding. */
#define ON_LINE 1e-9

size_t ws_pareto_knee(const double *x, const double *y, size_t n, const bool *on_front)
{
    double x_lo = INFINITY, x_hi = -INFINITY, y_lo = INFINITY, y_hi = -INFINITY, most = ON_LINE;
    size_t knee = SIZE_MAX;
    for (size_t i = 0; i < n; i++) {
        if (!on_front[i])
            continue;
        x_lo = fmin(x_lo, x[i]);
        x_hi = fmax(x_hi, x[i]);
        y_lo = fmin(y_lo, y[i]);
        y_hi = fmax(y_hi, y[i]);
    }
    if (!(x_hi > x_lo) || !(y_hi > y_lo))
        return SIZE_MAX;
    for (size_t i = 0; i < n; i++) {
        double below = 1 - (x[i] - x_lo) / (x_hi - x_lo) - (y[i] - y_lo) / (y_hi - y_lo);
        if (on_front[i] && below > most) {
            most = below;
            knee = i;
        }
    }
    return knee;
}
