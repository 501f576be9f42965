/* Programs that rotate logs either rename the file (power.log becomes power.log.1) or begin one with another date at
 * midnight or at a full hour. The logger goes on meanwhile: between the last reading of a file and the first of the
 * next lies about one period. Runs that a script starts one behind the other leave a longer break, or at least another
 * one each time. */
#include "analyze/ingest/path_rotation.h"

#include <math.h>
#include <stdlib.h>

/* A logger that is started again is back within seconds; a slow one may miss half a period. */
static const double BREAK_S = 5, BREAK_PERIODS = 1.5;
/* Readings that go on keep their grid; the break of a new start has any length. */
static const double GRID_SHARE = 0.2;
static const int64_t HOUR_NS = INT64_C(3600000000000);

static int path_rotation_by_start(const void *a, const void *b)
{
    const ws_scan_file *x = *(ws_scan_file *const *)a, *y = *(ws_scan_file *const *)b;
    return (x->span.start_ns > y->span.start_ns) - (x->span.start_ns < y->span.start_ns);
}

static double longest_break_ns(const ws_scan_file *a)
{
    return fmax(BREAK_S * 1e9, BREAK_PERIODS * a->span.period_ns);
}

/* Half-hour zones have their hours elsewhere. */
static bool is_cut_at_hour(const ws_scan_file *a, const ws_scan_file *b)
{
    int64_t hour_ns = b->span.start_ns - b->span.start_ns % HOUR_NS;
    return a->span.end_ns < hour_ns + HOUR_NS / 3600 && (double)(b->span.start_ns - hour_ns) <= longest_break_ns(a);
}

static bool keeps_grid(const ws_scan_file *a, const ws_scan_file *b)
{
    return fabs((double)(b->span.start_ns - a->span.end_ns) - a->span.period_ns) <= GRID_SHARE * a->span.period_ns;
}

static bool goes_on(const ws_scan_file *a, const ws_scan_file *b)
{
    double break_ns = (double)(b->span.start_ns - a->span.end_ns);
    return a->span.gpus == b->span.gpus && break_ns > 0 && break_ns <= longest_break_ns(a);
}

bool ws_goes_on_at_hour(const ws_scan_file *a, const ws_scan_file *b)
{
    return goes_on(a, b) && is_cut_at_hour(a, b);
}

ws_rotation ws_find_rotation(ws_scan_file **files, size_t n, bool is_named)
{
    bool all_go_on = n > 1, at_hours = true, on_grid = true;
    for (size_t i = 0; i < n; i++)
        if (!files[i]->span.is_dated)
            return WS_ROTATION_NONE;
    qsort(files, n, sizeof *files, path_rotation_by_start);
    for (size_t i = 1; i < n && all_go_on; i++) {
        all_go_on = goes_on(files[i - 1], files[i]);
        at_hours &= is_cut_at_hour(files[i - 1], files[i]);
        on_grid &= keeps_grid(files[i - 1], files[i]);
    }
    if (all_go_on && (is_named || at_hours))
        return WS_ROTATION_PROVEN;
    return all_go_on && on_grid ? WS_ROTATION_OPEN : WS_ROTATION_NONE;
}
