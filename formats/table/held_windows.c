#include "formats/table/held_windows.h"

#include "core/arena.h"
#include "formats/table/column_limits.h"

#include <stdlib.h>
#include <string.h>

static double behind(int64_t a, int64_t b)
{
    return (double)a - (double)b;
}

static bool is_inside(const ws_held_window *inner, const ws_held_window *outer)
{
    const double tolerance_ns = (double)WS_WINDOW_TOLERANCE_NS;
    return behind(outer->start_ns, inner->start_ns) <= tolerance_ns &&
           behind(inner->end_ns, outer->end_ns) <= tolerance_ns;
}

static bool overlaps(const ws_held_window *a, const ws_held_window *b)
{
    const double tolerance_ns = (double)WS_WINDOW_TOLERANCE_NS;
    return behind(a->end_ns, b->start_ns) > tolerance_ns && behind(b->end_ns, a->start_ns) > tolerance_ns;
}

static void held_windows_add(ws_held_windows *held, const ws_held_window *window, size_t n_values)
{
    held->items = ws_grow(held->items, &held->capacity, held->n + 1, sizeof *held->items);
    ws_held_window *added = &held->items[held->n++];
    *added = *window;
    added->values = ws_alloc((n_values + 1) * sizeof *added->values);
    if (n_values)
        memcpy(added->values, window->values, n_values * sizeof *added->values);
}

ws_window_place ws_held_windows_add(ws_held_windows *held, const ws_held_window *window, size_t n_values)
{
    ws_window_place place = WS_WINDOW_APART;
    for (; held->n && is_inside(&held->items[held->n - 1], window); place = WS_WINDOW_HOLDS)
        free(held->items[--held->n].values);
    const ws_held_window *last = held->n ? &held->items[held->n - 1] : NULL;
    if (last && is_inside(window, last))
        return WS_WINDOW_INSIDE;
    if (last && overlaps(last, window)) {
        held->overlap = true;
        place = WS_WINDOW_OVERLAPS;
    }
    held_windows_add(held, window, n_values);
    return place;
}

void ws_held_windows_clear(ws_held_windows *held)
{
    while (held->n)
        free(held->items[--held->n].values);
    held->overlap = false;
}

void ws_held_windows_free(ws_held_windows *held)
{
    ws_held_windows_clear(held);
    free(held->items);
    *held = (ws_held_windows){0};
}
