#include "report/figure/figure_axis.h"

#include "report/figure/figure_place.h"
#include "report/figure/figure_style.h"

#include <math.h>
#include <string.h>

#define TOUCH_MM 0.8    /* labels nearer than that are thinned out */
#define X_LABEL_MM 12.0 /* from one label to the next, where one can choose */
#define Y_LABEL_MM 8.0
#define CATEGORY_MM 6.0 /* less than that cannot hold the name of a category */
#define LABEL_SHARE 0.2 /* of a cell's width at most for names of categories on the y axis */
enum { CATEGORY_LINES = 3 };

double ws_axis_label_height(const ws_ticks *ticks)
{
    double above = 0;
    for (size_t i = 0; i < ticks->n; i++)
        if (ticks->items[i].label)
            above = fmax(above, ws_text_above(ticks->items[i].label, WS_PT_TICK));
    return above;
}

size_t ws_axis_label_lines(const ws_ticks *ticks)
{
    size_t most = 1;
    for (size_t i = 0; i < ticks->n; i++) {
        size_t lines = 1;
        for (const char *at = ticks->items[i].label; at && (at = strchr(at, '\n')); at++)
            lines++;
        most = lines > most ? lines : most;
    }
    return most;
}

double ws_axis_label_width(const ws_text_measure *measure, const char *label)
{
    if (!strchr(label, '\n'))
        return ws_text_width(measure, label, WS_PT_TICK, false);
    ws_arena arena = {0};
    ws_span rest = ws_span_of(label);
    double widest = 0;
    for (ws_span line; ws_span_split(&rest, '\n', &line);)
        widest = fmax(widest, ws_text_width(measure, ws_arena_strndup(&arena, line.p, line.n), WS_PT_TICK, false));
    ws_arena_free(&arena);
    return widest;
}

double ws_axis_widest_label(const ws_text_measure *measure, const ws_ticks *ticks)
{
    double widest = 0;
    for (size_t i = 0; i < ticks->n; i++)
        if (ticks->items[i].label)
            widest = fmax(widest, ws_axis_label_width(measure, ticks->items[i].label));
    return widest;
}

/* A name in as many lines as it needs: "LBS 128" in two, "bert_base_uncased" in three; one if it has scripts, which
 * may hold blanks and are higher than a line. False if it is cut. */
static bool break_name(ws_layout *layout, const ws_text_measure *measure, const char *name, double room_mm, size_t most,
                       const char **label)
{
    const char *lines[CATEGORY_LINES], *rest = name;
    most = strchr(name, '{') ? 1 : most;
    size_t n = ws_text_wrap_behind(&layout->arena, measure, name, WS_PT_TICK, room_mm, "_-/", lines, most);
    *label = "";
    for (size_t i = 0; i < n; i++) {
        *label = ws_arena_printf(&layout->arena, "%s%s%s", *label, i ? "\n" : "", lines[i]);
        rest += i + 1 < n ? strlen(lines[i]) + strspn(rest + strlen(lines[i]), " ") : 0;
    }
    return !n || strcmp(lines[n - 1], rest) == 0;
}

/* Names of one form are broken alike: where one has several lines, the others are no wider, if they can be. */
static double room_of_all(ws_layout *layout, const ws_text_measure *measure, const ws_ticks *ticks, double room_mm,
                          size_t most)
{
    double widest = 0;
    const char *label;
    for (size_t i = 0; i < ticks->n; i++) {
        break_name(layout, measure, ticks->items[i].label, room_mm, most, &label);
        if (strchr(label, '\n'))
            widest = fmax(widest, ws_axis_label_width(measure, label));
    }
    bool whole = widest > 0;
    for (size_t i = 0; i < ticks->n && whole; i++)
        whole = break_name(layout, measure, ticks->items[i].label, widest, most, &label);
    return whole ? widest : room_mm;
}

/* What shorter names on both sides leave of their places. */
static double room_between(const ws_text_measure *measure, const ws_ticks *ticks, size_t i, double room_mm)
{
    double least = i && i + 1 < ticks->n ? INFINITY : 0;
    for (size_t k = i - 1; least > 0 && k <= i + 1; k += 2)
        least = fmin(least, room_mm - ws_axis_label_width(measure, ticks->items[k].label));
    return room_mm + fmax(0, least);
}

/* Clean names of categories that fit their places. */
static void fit_categories(ws_layout *layout, const ws_text_measure *measure, ws_ticks *ticks, double room_mm,
                           size_t lines)
{
    const char **names = ws_arena_alloc(&layout->arena, (ticks->n + 1) * sizeof *names);
    bool *is_whole = ws_arena_alloc(&layout->arena, (ticks->n + 1) * sizeof *is_whole);
    for (size_t i = 0; i < ticks->n; i++)
        names[i] = ticks->items[i].label = ws_text_clean(&layout->arena, ticks->items[i].label);
    double all_mm = room_of_all(layout, measure, ticks, room_mm, lines);
    for (size_t i = 0; i < ticks->n; i++)
        is_whole[i] = break_name(layout, measure, names[i], all_mm, lines, &ticks->items[i].label);
    for (size_t i = 0; i < ticks->n; i++) {
        if (is_whole[i])
            continue;
        double between_mm = lines > 1 ? room_between(measure, ticks, i, room_mm) : room_mm;
        if (!break_name(layout, measure, names[i], between_mm, lines, &ticks->items[i].label))
            ws_notes_add(&layout->notes, WS_FINDING_TEXT_SHORTENED, "", "category", 0,
                         "'%.200s' is longer than its place and is cut", names[i]);
    }
}

static double distance_of_labels(const ws_ticks *ticks, double length_mm)
{
    double last = NAN, least = INFINITY;
    for (size_t i = 0; i < ticks->n; i++) {
        if (!ticks->items[i].label)
            continue;
        if (!isnan(last))
            least = fmin(least, ticks->items[i].position - last);
        last = ticks->items[i].position;
    }
    return least / (ticks->hi - ticks->lo) * length_mm;
}

/* What would still touch its neighbour goes, from the second on. */
static void thin_out(const ws_text_measure *measure, ws_ticks *ticks, double length_mm, bool is_x)
{
    double end = -INFINITY, half_line = ws_text_half(WS_PT_TICK);
    for (size_t i = 0; i < ticks->n; i++) {
        const char *label = ticks->items[i].label;
        if (!label || !*label)
            continue;
        double width = ws_axis_label_width(measure, label) + TOUCH_MM / 2;
        double before = is_x ? width / 2 : half_line + ws_text_below(label, WS_PT_TICK);
        double behind = is_x ? width / 2 : ws_text_above(label, WS_PT_TICK) - half_line;
        double at = (ticks->items[i].position - ticks->lo) / (ticks->hi - ticks->lo) * length_mm;
        if (at - before < end)
            ticks->items[i].label = NULL;
        else
            end = at + behind;
    }
}

void ws_axis_make_ticks(ws_axis_layout *axis, ws_layout *layout, const ws_text_measure *measure, ws_range range,
                        double length_mm, bool is_x, double cell_mm)
{
    ws_axis wanted = *axis->axis;
    bool is_category = wanted.scale == WS_AXIS_CATEGORY;
    double line = ws_text_above("0^{0}", WS_PT_TICK);
    ws_tick_room room = {length_mm, is_x ? X_LABEL_MM : Y_LABEL_MM, is_x ? is_category ? CATEGORY_MM : 0 : line};
    if (range.is_tight && wanted.scale == WS_AXIS_LINEAR && !wanted.has_range && range.lo < range.hi)
        wanted.has_range = true, wanted.lo = range.lo, wanted.hi = range.hi;
    for (size_t i = 0; i < wanted.n_tick_values && !axis->axis->has_range; i++) {
        wanted.lo = fmin(wanted.lo, wanted.tick_values[i]);
        wanted.hi = fmax(wanted.hi, wanted.tick_values[i]);
    }
    wanted.from_zero |= !is_x && range.lo == 0;
    ws_ticks_free(&axis->ticks);
    ws_ticks_make(&axis->ticks, &layout->arena, &wanted, range.lo, range.hi, &room);
    if (is_category) {
        double slot = fmin(distance_of_labels(&axis->ticks, length_mm), length_mm);
        fit_categories(layout, measure, &axis->ticks, is_x ? slot - TOUCH_MM : cell_mm * LABEL_SHARE,
                       is_x ? CATEGORY_LINES : 1);
    } else if (is_x) {
        room.least_mm = ws_axis_widest_label(measure, &axis->ticks) + TOUCH_MM;
        room.wanted_mm = fmax(room.wanted_mm, 1.3 * room.least_mm);
        if (distance_of_labels(&axis->ticks, length_mm) < room.least_mm) {
            ws_ticks_free(&axis->ticks);
            ws_ticks_make(&axis->ticks, &layout->arena, &wanted, range.lo, range.hi, &room);
        }
    }
    thin_out(measure, &axis->ticks, length_mm, is_x);
}
