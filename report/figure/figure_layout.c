/* From the outside in: legend and footnote take their strips, each column of panels the width of its labels, each row
 * the height of its own, and the frames share the rest equally. Tick labels depend on the size of the frames and the
 * frames on the labels, so that is done a few times; the room for labels never shrinks, and the last round settles it.
 */
#include "report/figure/figure_layout.h"

#include "report/figure/figure_axis.h"
#include "report/figure/figure_legend.h"
#include "report/figure/figure_place.h"
#include "report/figure/figure_range.h"
#include "report/figure/figure_room.h"
#include "report/figure/figure_style.h"
#include "report/figure/side_by_side.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MARGIN_MM 1.2
#define COLUMN_GAP_MM 3.0
#define ROW_GAP_MM 1.5
#define TOP_MM 1.5        /* above a frame: half a tick label */
#define LETTER_TOP_MM 4.8 /* the same, with a letter or a title */
#define TITLE_LINE_MM 3.2 /* from one line of a title to the next */
#define HEADING_MM 1.75   /* from the frame to the base line of letter and title */
#define TICK_GAP_MM 0.8   /* from the tick to its label */
#define LABEL_GAP_MM 1.1  /* from the tick labels to the axis label */
#define FOOTNOTE_LINE_MM 2.7
#define STRIP_GAP_MM 2.0  /* above and below the legend of a facet */
#define STRIP_TOP_MM 1.2  /* of it above */
#define NOTES_GAP_MM 0.8  /* notes of a panel above its frame */
#define NARROWER_MM 14.0  /* the frame than its share of the page: labels and gaps */
#define LEGEND_SHARE 0.45 /* of the page's height at most, and the next where that keeps names whole */
#define WHOLE_LEGEND_SHARE 0.55
#define USUAL_LEGEND_SHARE 0.3 /* what a page that grows for its legend was meant to leave it */
#define MOST_GROWTH 1.75
#define MOST_STRIPS 1.3 /* legends of facets, of the height of one for all */
#define FRAME_MM 6.0    /* a smaller frame shows nothing */
#define SMALLEST_PAGE_MM 20.0
#define LARGEST_PAGE_MM 1000.0
#define PAGE_OF_PAPER_MM 240.0 /* A4 without its margins */
enum { ROUNDS = 4, FOOTNOTE_LINES = 4, TITLE_LINES = 2 };

#define SYNTHETIC_LINE "Synthetic data: made by a program, not measured."

typedef struct inset {
    double before, after; /* left and right of a column's frames, below and above a row's */
} inset;

/* The legend above the first panels of a facet. */
typedef struct facet_legend {
    ws_legend legend;
    size_t first, end; /* its panels */
} facet_legend;

typedef struct work {
    const ws_figure *figure;
    const ws_text_measure *measure;
    ws_layout *layout;
    ws_range *x_ranges, *y_ranges; /* of each panel */
    size_t rows, columns;
    inset *column, *row;
    double frame_width, frame_height, bottom, top; /* of the part of the page that has the panels */
    ws_legend legend;
    ws_legend_place legend_place;
    facet_legend *facets;
    size_t n_facets;
    double *strip; /* of each row: what its facets' legends need between titles and frames */
} work;

/* -- insets -- */

static bool has_text(const char *text)
{
    return text && *text;
}

/* The last line as it is, so that it is told if it has to be cut. */
static size_t keep_whole(const char *title, const char *lines[TITLE_LINES], size_t n)
{
    if (n == 1)
        lines[0] = title;
    else if (n == TITLE_LINES)
        lines[1] = title + strlen(lines[0]) + strspn(title + strlen(lines[0]), " ");
    return n;
}

/* A title that is longer than its axis goes on in a second line. */
static size_t wrap_axis_title(const work *w, const ws_axis_layout *axis, double room, size_t most,
                              const char *lines[TITLE_LINES])
{
    ws_arena *arena = &w->layout->arena;
    const char *title = ws_text_clean(arena, axis->axis->label);
    if (!has_text(title))
        return 0;
    lines[0] = title;
    if (most < TITLE_LINES || ws_text_width(w->measure, title, WS_PT_LABEL, false) <= room)
        return 1;
    size_t n = ws_text_wrap(arena, w->measure, title, WS_PT_LABEL, room, lines, TITLE_LINES);
    return keep_whole(title, lines, n);
}

/* Of the titles of both axes, as long as the frame is now. */
static void count_title_lines(const work *w, ws_panel_layout *p, const inset *column)
{
    const char *lines[TITLE_LINES];
    size_t x = wrap_axis_title(w, &p->x, w->frame_width + column->before + column->after, TITLE_LINES, lines);
    size_t y = wrap_axis_title(w, &p->y, w->frame_height + WS_MM_TICK, TITLE_LINES, lines);
    p->x.title_lines = x > p->x.title_lines ? x : p->x.title_lines;
    p->y.title_lines = y > p->y.title_lines ? y : p->y.title_lines;
}

static double room_of_title(const ws_axis_layout *axis)
{
    const char *title = axis->axis->label;
    if (!has_text(title))
        return 0;
    double lines = axis->title_lines > 1 ? (double)(axis->title_lines - 1) * TITLE_LINE_MM : 0;
    return LABEL_GAP_MM + ws_text_above(title, WS_PT_LABEL) + ws_text_below(title, WS_PT_LABEL) + lines;
}

/* What stands below the frame: ticks, their labels, the axis label. */
static double below_frame(const ws_panel_layout *p)
{
    const ws_axis *axis = p->x.axis;
    double height = WS_MM_TICK;
    if (!axis->hide_labels)
        height += TICK_GAP_MM + ws_axis_label_height(&p->x.ticks) + ws_text_below("0", WS_PT_TICK) +
                  WS_AXIS_LINE_MM * (double)(ws_axis_label_lines(&p->x.ticks) - 1);
    return height + room_of_title(&p->x);
}

static double left_of_frame(const work *w, const ws_panel_layout *p, const ws_panel *panel)
{
    const ws_axis *axis = p->y.axis;
    double width = WS_MM_TICK;
    if (!axis->hide_labels)
        width += TICK_GAP_MM + ws_axis_widest_label(w->measure, &p->y.ticks);
    width += room_of_title(&p->y);
    if (has_text(panel->letter))
        width = fmax(width, 5);
    return width;
}

/* Is this annotation told by the legend? */
static bool is_in_legend(const ws_panel *panel, const ws_annotation *note)
{
    for (size_t i = 0; i < panel->n_layers; i++)
        if (ws_legend_label(panel, &panel->layers[i], true) == note->text)
            return true;
    return false;
}

/* The title, and annotations that neither the panel nor the legend has a place for. */
static const char *heading_of(const work *w, const ws_panel *panel)
{
    const char *heading = has_text(panel->title) ? panel->title : "";
    for (size_t i = 0; i < panel->n_annotations && w->layout->notes_outside; i++) {
        const ws_annotation *note = &panel->annotations[i];
        if (note->in_panel && has_text(note->text) && !is_in_legend(panel, note))
            heading = ws_arena_printf(&w->layout->arena, "%s%s%s", heading, *heading ? ", " : "", note->text);
    }
    return heading;
}

/* Broken at its last comma that leaves a line which fits, else at a blank. */
static size_t wrap_title(const work *w, const ws_panel *panel, double room, const char *lines[TITLE_LINES])
{
    ws_arena *arena = &w->layout->arena;
    const char *title = ws_text_clean(arena, heading_of(w, panel));
    bool is_long = *title && ws_text_width(w->measure, title, WS_PT_LABEL, false) > room;
    for (size_t n = is_long ? strlen(title) : 0; n > 1; n--) {
        if (title[n - 1] != ',' || title[n] != ' ')
            continue;
        lines[0] = ws_arena_strndup(arena, title, n);
        if (ws_text_width(w->measure, lines[0], WS_PT_LABEL, false) <= room) {
            lines[1] = title + n + 1;
            return 2;
        }
    }
    size_t n = ws_text_wrap(arena, w->measure, title, WS_PT_LABEL, room, lines, TITLE_LINES);
    return keep_whole(title, lines, n);
}

/* -- legends of facets -- */

static size_t panels_in_row(const work *w, const facet_legend *f)
{
    size_t to_edge = w->columns - f->first % w->columns, all = f->end - f->first;
    return to_edge < all ? to_edge : all;
}

/* From the first panel's letter to the last one's frame. */
static double width_over_panels(const work *w, const facet_legend *f)
{
    size_t first = f->first % w->columns, n = panels_in_row(w, f);
    double width = COLUMN_GAP_MM * (double)(n - 1);
    for (size_t c = first; c < first + n; c++)
        width += w->column[c].before + w->frame_width + (c + 1 < first + n ? w->column[c].after : 0);
    return width;
}

static double strip_gap(const work *w)
{
    return w->layout->notes_in_strips ? NOTES_GAP_MM : STRIP_GAP_MM;
}

/* Notes of a panel begin at its frame. */
static double strip_width(const work *w, const facet_legend *f)
{
    return w->layout->notes_in_strips ? w->frame_width + w->column[f->first % w->columns].after
                                      : width_over_panels(w, f);
}

static void measure_strips(work *w)
{
    for (size_t i = 0; i < w->n_facets; i++) {
        double *strip = &w->strip[w->facets[i].first / w->columns];
        double height = ws_legend_height(&w->facets[i].legend, w->layout, strip_width(w, &w->facets[i]));
        *strip = fmax(*strip, height > 0 ? height + strip_gap(w) : 0);
    }
}

static double above_frame(const work *w, const ws_panel *panel, double room)
{
    const char *lines[TITLE_LINES];
    size_t n = wrap_title(w, panel, room, lines);
    double one = n || has_text(panel->letter) ? LETTER_TOP_MM : TOP_MM;
    return one + (n > 1 ? (double)(n - 1) * TITLE_LINE_MM : 0);
}

/* Half of the outermost labels of the x axis hangs over the frame. */
static void include_overhang(const work *w, const ws_panel_layout *p, inset *column)
{
    for (size_t i = 0; i < p->x.ticks.n && !p->x.axis->hide_labels; i++) {
        const ws_tick *tick = &p->x.ticks.items[i];
        if (!tick->label)
            continue;
        double half = ws_axis_label_width(w->measure, tick->label) / 2;
        double at = (tick->position - p->x.ticks.lo) / (p->x.ticks.hi - p->x.ticks.lo) * w->frame_width;
        column->before = fmax(column->before, half - at);
        column->after = fmax(column->after, at + half - w->frame_width);
    }
}

static void make_ticks(work *w, size_t i)
{
    ws_panel_layout *p = &w->layout->panels[i];
    double cell = w->layout->width_mm / (double)w->columns;
    ws_axis_make_ticks(&p->x, w->layout, w->measure, w->x_ranges[i], w->frame_width, true, cell);
    ws_axis_make_ticks(&p->y, w->layout, w->measure, w->y_ranges[i], w->frame_height, false, cell);
}

static void grow_insets(work *w, size_t i)
{
    const ws_panel *panel = &w->figure->panels[i];
    ws_panel_layout *p = &w->layout->panels[i];
    inset *column = &w->column[i % w->columns], *row = &w->row[i / w->columns];
    make_ticks(w, i);
    count_title_lines(w, p, column);
    column->before = fmax(column->before, left_of_frame(w, p, panel));
    include_overhang(w, p, column);
    row->before = fmax(row->before, below_frame(p));
    row->after = fmax(row->after, above_frame(w, panel, w->frame_width + column->after) + w->strip[i / w->columns]);
}

static void size_frames(work *w)
{
    double width = w->layout->width_mm - 2 * MARGIN_MM - COLUMN_GAP_MM * (double)(w->columns - 1);
    double height = w->top - w->bottom - ROW_GAP_MM * (double)(w->rows - 1);
    for (size_t c = 0; c < w->columns; c++)
        width -= w->column[c].before + w->column[c].after;
    for (size_t r = 0; r < w->rows; r++)
        height -= w->row[r].before + w->row[r].after;
    w->frame_width = width / (double)w->columns;
    w->frame_height = height / (double)w->rows;
}

static ws_status fit_frames(work *w, ws_error *error)
{
    size_frames(w);
    for (int round = 0; round < ROUNDS; round++) {
        measure_strips(w);
        for (size_t i = 0; i < w->layout->n_panels && w->frame_width > 1 && w->frame_height > 1; i++)
            grow_insets(w, i);
        size_frames(w);
    }
    if (w->frame_width >= FRAME_MM && w->frame_height >= FRAME_MM)
        return WS_OK;
    return ws_fail_at(error, WS_USAGE, w->figure->name, 0,
                      "%.0f x %.0f mm leave no room for %zu panels and their labels; make the figure larger",
                      w->layout->width_mm, w->layout->height_mm, w->layout->n_panels);
}

/* The cell of the grid, frame and labels, from its left edge to the next cell's. */
static ws_box cell_box(const work *w, size_t i)
{
    size_t column = i % w->columns, row = i / w->columns;
    ws_box box = {MARGIN_MM, 0, 0, w->top};
    for (size_t c = 0; c < column; c++)
        box.x0 += w->column[c].before + w->frame_width + w->column[c].after + COLUMN_GAP_MM;
    for (size_t r = 0; r < row; r++)
        box.y1 -= w->row[r].after + w->frame_height + w->row[r].before + ROW_GAP_MM;
    box.x1 = box.x0 + w->column[column].before + w->frame_width + w->column[column].after;
    box.y0 = box.y1 - (w->row[row].after + w->frame_height + w->row[row].before);
    return box;
}

static void set_frame(work *w, size_t i)
{
    ws_panel_layout *p = &w->layout->panels[i];
    ws_box cell = cell_box(w, i);
    p->frame.x0 = cell.x0 + w->column[i % w->columns].before;
    p->frame.x1 = p->frame.x0 + w->frame_width;
    p->frame.y0 = cell.y0 + w->row[i / w->columns].before;
    p->frame.y1 = p->frame.y0 + w->frame_height;
    make_ticks(w, i);
    p->x.from_mm = p->frame.x0, p->x.to_mm = p->frame.x1;
    p->y.from_mm = p->frame.y0, p->y.to_mm = p->frame.y1;
    ws_panel_move_series(p, p->panel, p->moved_mm);
}

/* -- texts of a panel -- */

static void add_text(const work *w, ws_text_role role, const char *text, double pt, double x, double y, double just,
                     double room)
{
    ws_placed_text placed = {.role = role, .pt = pt, .x = x, .y = y, .just = just, .style = WS_TEXT_COLOUR};
    placed.text = ws_text_clean(&w->layout->arena, text);
    placed.bold = role == WS_TEXT_LETTER;
    placed.turned = role == WS_TEXT_Y_LABEL;
    ws_layout_add_text(w->layout, w->measure, &placed, room);
}

/* Ticks that were asked for, and would touch their neighbours. */
static void note_bare_ticks(const work *w, const ws_axis_layout *axis, const char *which)
{
    size_t n = 0;
    for (size_t i = 0; i < axis->ticks.n && axis->axis->n_tick_values; i++)
        n += !axis->ticks.items[i].label && !axis->ticks.items[i].minor;
    ws_notes_add_many(&w->layout->notes, n, WS_FINDING_LABEL_LEFT_OUT, "", which, 0,
                      "numbers would touch their neighbours and stand without a label");
}

static void add_x_tick(const work *w, const ws_panel_layout *p, const ws_tick *tick)
{
    double y = p->frame.y0 - WS_MM_TICK - TICK_GAP_MM - ws_axis_label_height(&p->x.ticks);
    ws_span label = ws_span_of(tick->label);
    for (ws_span line; ws_span_split(&label, '\n', &line); y -= WS_AXIS_LINE_MM)
        add_text(w, WS_TEXT_X_TICK, ws_arena_strndup(&w->layout->arena, line.p, line.n), WS_PT_TICK,
                 ws_axis_mm(&p->x, tick->position), y, 0.5, INFINITY);
}

static void add_tick_labels(const work *w, const ws_panel_layout *p)
{
    note_bare_ticks(w, &p->x, "x tick label");
    note_bare_ticks(w, &p->y, "y tick label");
    for (size_t i = 0; i < p->x.ticks.n && !p->x.axis->hide_labels; i++)
        if (p->x.ticks.items[i].label)
            add_x_tick(w, p, &p->x.ticks.items[i]);
    double x = p->frame.x0 - WS_MM_TICK - TICK_GAP_MM;
    for (size_t i = 0; i < p->y.ticks.n && !p->y.axis->hide_labels; i++)
        if (p->y.ticks.items[i].label)
            add_text(w, WS_TEXT_Y_TICK, p->y.ticks.items[i].label, WS_PT_TICK, x,
                     ws_axis_mm(&p->y, p->y.ticks.items[i].position) - ws_text_half(WS_PT_TICK), 1, INFINITY);
}

/* The middle of a text over a frame from lo to hi, moved so that it stays between the limits. */
static double middle_within(double lo, double hi, double width, double least, double most)
{
    return fmin(fmax((lo + hi) / 2, least + width / 2), most - width / 2);
}

static void add_x_title(const work *w, const ws_panel_layout *p, const ws_box *cell)
{
    const char *lines[TITLE_LINES];
    double room = cell->x1 - cell->x0;
    size_t n = wrap_axis_title(w, &p->x, room, p->x.title_lines, lines);
    double y = p->frame.y0 - below_frame(p) + (n ? ws_text_below(p->x.axis->label, WS_PT_LABEL) : 0);
    for (size_t i = n; i-- > 0; y += TITLE_LINE_MM) {
        double width = fmin(room, ws_text_width(w->measure, lines[i], WS_PT_LABEL, false));
        add_text(w, WS_TEXT_X_LABEL, lines[i], WS_PT_LABEL,
                 middle_within(p->frame.x0, p->frame.x1, width, cell->x0, cell->x1), y, 0.5, room);
    }
}

static void add_y_title(const work *w, const ws_panel_layout *p, const ws_box *cell)
{
    const char *lines[TITLE_LINES];
    double least = p->frame.y0 - WS_MM_TICK; /* the labels of the other axis begin below */
    double room = p->frame.y1 - least, x = cell->x0;
    size_t n = wrap_axis_title(w, &p->y, room, p->y.title_lines, lines);
    for (size_t i = 0; i < n; i++) {
        double width = fmin(room, ws_text_width(w->measure, lines[i], WS_PT_LABEL, false));
        add_text(w, WS_TEXT_Y_LABEL, lines[i], WS_PT_LABEL,
                 x + ws_text_above(p->y.axis->label, WS_PT_LABEL) + (double)i * TITLE_LINE_MM,
                 middle_within(p->frame.y0, p->frame.y1, width, least, p->frame.y1), 0.5, room);
    }
}

/* A letter stands before the first line of the title. */
static void add_heading(const work *w, size_t i, const ws_box *frame, const ws_box *cell)
{
    const ws_panel *panel = &w->figure->panels[i];
    const char *lines[TITLE_LINES];
    double notes = w->layout->notes_in_strips ? w->strip[i / w->columns] : 0; /* between title and frame */
    double room = cell->x1 - frame->x0, y = frame->y1 + notes + HEADING_MM;
    size_t n = wrap_title(w, panel, room, lines);
    for (size_t line = n; line-- > 0; y += line ? TITLE_LINE_MM : 0)
        add_text(w, WS_TEXT_TITLE, lines[line], WS_PT_LABEL, frame->x0, y, 0, room);
    double letter_room = (n ? frame->x0 : cell->x1) - cell->x0 - 1;
    if (has_text(panel->letter))
        add_text(w, WS_TEXT_LETTER, panel->letter, WS_PT_LETTER, cell->x0, y, 0, letter_room);
}

static void add_panel_texts(const work *w, size_t i)
{
    ws_box cell = cell_box(w, i);
    const ws_panel_layout *p = &w->layout->panels[i];
    add_tick_labels(w, p);
    add_x_title(w, p, &cell);
    add_y_title(w, p, &cell);
    add_heading(w, i, &p->frame, &cell);
}

/* -- strips above and below the panels -- */

static void add_footnote(work *w)
{
    const char *note = w->figure->footnote, *lines[FOOTNOTE_LINES];
    ws_arena *arena = &w->layout->arena;
    if (w->figure->synthetic)
        note = has_text(note) ? ws_arena_printf(arena, SYNTHETIC_LINE " %s", note) : SYNTHETIC_LINE;
    w->bottom = MARGIN_MM;
    if (!has_text(note))
        return;
    double room = w->layout->width_mm - 2 * MARGIN_MM;
    size_t n = ws_text_wrap(arena, w->measure, ws_text_clean(arena, note), WS_PT_FOOTNOTE, room, lines, FOOTNOTE_LINES);
    for (size_t i = 0; i < n; i++)
        add_text(w, WS_TEXT_FOOTNOTE, lines[i], WS_PT_FOOTNOTE, MARGIN_MM,
                 MARGIN_MM + (double)(n - 1 - i) * FOOTNOTE_LINE_MM + ws_text_below("", WS_PT_FOOTNOTE), 0, room);
    w->bottom += (double)n * FOOTNOTE_LINE_MM + ROW_GAP_MM;
}

static void add_legend_above(work *w)
{
    w->top = w->layout->height_mm - MARGIN_MM;
    if (w->legend_place != WS_LEGEND_TOP || !w->legend.n)
        return;
    double room = w->layout->width_mm - 2 * MARGIN_MM, height = w->layout->height_mm, share = height * LEGEND_SHARE;
    double usual = height * USUAL_LEGEND_SHARE, grown = fmin(height * MOST_GROWTH, LARGEST_PAGE_MM);
    ws_legend_arrange(&w->legend, w->layout, w->measure, room, share,
                      w->figure->grows ? grown - height + usual : height * WHOLE_LEGEND_SHARE);
    if (w->figure->grows && w->legend.height_mm > share)
        w->layout->height_mm = height + w->legend.height_mm - usual;
    w->top = w->layout->height_mm - MARGIN_MM;
    ws_legend_put(&w->legend, w->layout, w->measure, (w->layout->width_mm - w->legend.width_mm) / 2, w->top);
    w->top -= w->legend.height_mm + 0.8;
}

static void add_legend_in_cell(work *w)
{
    ws_box cell = cell_box(w, w->layout->n_panels);
    /* One column: as wide as the widest entry; under the frames above it, or from the cell's edge where it is wider. If
     * that is too low for all entries, the cells beside it, which are empty too, have more. */
    double left = cell.x0 + w->column[w->layout->n_panels % w->columns].before, widest = 0;
    for (size_t i = 0; i < w->legend.n; i++)
        widest = fmax(widest, w->legend.entries[i].width_mm + WS_MM_KEY + 2);
    left = fmax(cell.x0, fmin(left, cell.x1 - widest));
    double height = cell.y1 - cell.y0, width = fmin(cell.x1 - left, widest);
    if ((double)w->legend.n * WS_MM_LEGEND_ROW > height)
        width = cell_box(w, (w->layout->n_panels / w->columns + 1) * w->columns - 1).x1 - left;
    ws_legend_arrange(&w->legend, w->layout, w->measure, width, height, height);
    ws_legend_put(&w->legend, w->layout, w->measure, left, (cell.y0 + cell.y1 + w->legend.height_mm) / 2);
}

static void put_facet_legends(work *w)
{
    for (size_t i = 0; i < w->n_facets; i++) {
        facet_legend *f = &w->facets[i];
        const ws_box *frame = &w->layout->panels[f->first].frame, cell = cell_box(w, f->first);
        size_t row = f->first / w->columns;
        double height = w->strip[row] - STRIP_GAP_MM, top = frame->y1 + w->row[row].after - STRIP_TOP_MM;
        ws_legend_arrange(&f->legend, w->layout, w->measure, width_over_panels(w, f), height, height);
        ws_legend_put(&f->legend, w->layout, w->measure, cell.x0, top - height + f->legend.height_mm);
    }
}

/* Below the title, from the frame's left edge to the end of the cell. */
static void put_note_strips(work *w)
{
    for (size_t i = 0; i < w->n_facets; i++) {
        facet_legend *f = &w->facets[i];
        const ws_box *frame = &w->layout->panels[f->first].frame, cell = cell_box(w, f->first);
        double strip = w->strip[f->first / w->columns], height = strip - NOTES_GAP_MM;
        ws_legend_arrange(&f->legend, w->layout, w->measure, cell.x1 - frame->x0, height, height);
        ws_legend_put(&f->legend, w->layout, w->measure, frame->x0, frame->y1 + strip);
    }
}

static bool add_legend_inside(work *w, const ws_room *room)
{
    double x, y, widest = 0;
    for (size_t i = 0; i < w->legend.n; i++)
        widest = fmax(widest, w->legend.entries[i].width_mm + WS_MM_KEY + 2);
    if (widest > w->frame_width - 4)
        return false;
    ws_legend_arrange(&w->legend, w->layout, w->measure, widest, w->frame_height - 4, w->frame_height - 4);
    for (size_t i = 0; i < w->layout->n_panels; i++)
        if (ws_legend_find_place(&w->legend, room, &w->layout->panels[i].frame, &x, &y)) {
            ws_legend_put(&w->legend, w->layout, w->measure, x, y);
            return true;
        }
    return false;
}

/* -- the whole -- */

static void widen(ws_range *range, const ws_range *other)
{
    range->lo = fmin(range->lo, other->lo);
    range->hi = fmax(range->hi, other->hi);
}

static void share_ranges(work *w)
{
    const ws_figure *figure = w->figure;
    for (int pass = 0; pass < 2; pass++) /* the first panel of each share, then the others after it */
        for (size_t i = 0; i < figure->n_panels; i++)
            for (size_t k = 0; figure->panels[i].share > 0 && k < figure->n_panels; k++)
                if (figure->panels[k].share == figure->panels[i].share) {
                    const ws_panel *a = &figure->panels[i], *b = &figure->panels[k];
                    if (a->x.scale == b->x.scale) /* a range of logarithms is none of numbers */
                        widen(&w->x_ranges[i], &w->x_ranges[k]);
                    if (a->y.scale == b->y.scale)
                        widen(&w->y_ranges[i], &w->y_ranges[k]);
                }
}

/* Names that the cell beside an axis would have to cut stand above the panels instead. */
static bool fits_in_cell(const work *w)
{
    double room = (w->layout->width_mm - 2 * MARGIN_MM - COLUMN_GAP_MM * (double)(w->columns - 1)) / (double)w->columns;
    for (size_t i = 0; i < w->legend.n; i++)
        if (w->legend.entries[i].width_mm + WS_MM_KEY + 2 > room)
            return false;
    return true;
}

static bool have_series_in_common(const ws_panel *a, const ws_panel *b)
{
    for (size_t i = 0; i < a->n_layers; i++)
        for (size_t k = 0; k < b->n_layers && a->layers[i].style >= 0 && a->layers[i].label; k++)
            if (b->layers[k].style >= 0 && b->layers[k].label && strcmp(a->layers[i].label, b->layers[k].label) == 0)
                return true;
    return false;
}

/* Panels that follow each other and have series in common are one facet; no series is in two of them. */
static void find_facets(work *w)
{
    const ws_figure *figure = w->figure;
    w->facets = ws_arena_alloc(&w->layout->arena, (figure->n_panels + 1) * sizeof *w->facets);
    w->n_facets = 0;
    for (size_t p = 0; p < figure->n_panels; p++) {
        size_t first = figure->n_panels;
        for (size_t before = 0; before < p && first == figure->n_panels; before++)
            if (have_series_in_common(&figure->panels[before], &figure->panels[p]))
                first = before;
        facet_legend *last = w->n_facets ? &w->facets[w->n_facets - 1] : NULL;
        if (first == figure->n_panels)
            w->facets[w->n_facets++] = (facet_legend){.first = p, .end = p + 1};
        else if (first >= last->first)
            last->end = p + 1;
        else
            w->n_facets = 0, p = figure->n_panels;
    }
    w->n_facets = w->n_facets > 1 ? w->n_facets : 0;
    for (size_t i = 0; i < w->n_facets; i++)
        ws_legend_collect_facet(&w->facets[i].legend, w->layout, figure, w->measure, w->facets[i].first,
                                w->facets[i].end, i == 0);
}

static double widest_entry(const ws_legend *legend)
{
    double widest = 0;
    for (size_t i = 0; i < legend->n; i++)
        widest = fmax(widest, legend->entries[i].width_mm + WS_MM_KEY + 2);
    return widest;
}

/* Before the frames have their sizes. The page grows for the legends of facets, where it may; they stand above all
 * panels together if that takes less, or they would take too much of the page or be cut. */
static void make_room_for_strips(work *w)
{
    bool cuts = false;
    double sum = 0, cell = (w->layout->width_mm - 2 * MARGIN_MM + COLUMN_GAP_MM) / (double)w->columns;
    for (size_t r = 0; r < w->rows; r++) {
        double most = 0;
        for (size_t i = 0; i < w->n_facets; i++) {
            double width = cell * (double)panels_in_row(w, &w->facets[i]) - 2 * COLUMN_GAP_MM;
            if (w->facets[i].first / w->columns != r)
                continue;
            most = fmax(most, ws_legend_height(&w->facets[i].legend, w->layout, width));
            cuts |= widest_entry(&w->facets[i].legend) > width;
        }
        sum += most;
    }
    double above = ws_legend_height(&w->legend, w->layout, w->layout->width_mm - 2 * MARGIN_MM);
    bool is_too_high = !w->figure->grows && sum > USUAL_LEGEND_SHARE * w->layout->height_mm;
    if (is_too_high || cuts || sum > MOST_STRIPS * above + WS_MM_LEGEND_ROW)
        w->n_facets = 0;
    if (w->figure->grows) /* one row of a legend above is in its height */
        w->layout->height_mm =
            fmin(w->layout->height_mm + (w->n_facets ? sum : fmax(0, above - WS_MM_LEGEND_ROW)), LARGEST_PAGE_MM);
}

/* What panels say differently of one series stands above each of them, and the legend has the name alone. Not where
 * the page may not grow and they would take too much of it. */
static void make_note_strips(work *w)
{
    ws_layout *layout = w->layout;
    const ws_figure *figure = w->figure;
    ws_legend whole = w->legend;
    double sum = 0, cell = layout->width_mm / (double)w->columns - NARROWER_MM;
    layout->notes_in_strips = true;
    w->n_facets = 0;
    w->facets = ws_arena_alloc(&layout->arena, (figure->n_panels + 1) * sizeof *w->facets);
    for (size_t r = 0; r < w->rows; r++) {
        double most = 0;
        for (size_t p = r * w->columns; p < (r + 1) * w->columns && p < figure->n_panels; p++) {
            facet_legend *f = &w->facets[w->n_facets++];
            *f = (facet_legend){.first = p, .end = p + 1};
            ws_legend_collect_notes(&f->legend, layout, figure, w->measure, p);
            most = fmax(most, ws_legend_height(&f->legend, layout, cell));
        }
        sum += most > 0 ? most + NOTES_GAP_MM : 0;
    }
    ws_legend_collect(&w->legend, layout, figure, w->measure);
    ws_legend_leave_out_told(&w->legend, figure);
    double above = ws_legend_height(&w->legend, layout, layout->width_mm - 2 * MARGIN_MM);
    if (!figure->grows && sum > USUAL_LEGEND_SHARE * layout->height_mm) {
        layout->notes_in_strips = false;
        w->n_facets = 0;
        w->legend = whole;
        return;
    }
    bool is_one_row = w->legend_place == WS_LEGEND_FACETS; /* which the height has */
    w->legend_place = w->legend_place == WS_LEGEND_CELL ? WS_LEGEND_CELL : WS_LEGEND_TOP;
    if (figure->grows)
        layout->height_mm =
            fmin(layout->height_mm + sum + (is_one_row ? fmax(0, above - WS_MM_LEGEND_ROW) : 0), LARGEST_PAGE_MM);
}

static void prepare(work *w)
{
    ws_layout *layout = w->layout;
    const ws_figure *figure = w->figure;
    size_t n = figure->n_panels;
    layout->n_panels = n;
    layout->panels = ws_arena_alloc(&layout->arena, (n + 1) * sizeof *layout->panels);
    w->x_ranges = ws_arena_alloc(&layout->arena, (n + 1) * sizeof *w->x_ranges);
    w->y_ranges = ws_arena_alloc(&layout->arena, (n + 1) * sizeof *w->y_ranges);
    w->columns = figure->columns ? figure->columns : 1;
    w->rows = n > figure->rows * w->columns ? (n + w->columns - 1) / w->columns : figure->rows ? figure->rows : 1;
    w->column = ws_arena_alloc(&layout->arena, w->columns * sizeof *w->column);
    w->row = ws_arena_alloc(&layout->arena, w->rows * sizeof *w->row);
    w->strip = ws_arena_alloc(&layout->arena, w->rows * sizeof *w->strip);
    for (size_t i = 0; i < n; i++) {
        ws_panel_layout *p = &layout->panels[i];
        p->x.axis = &figure->panels[i].x, p->y.axis = &figure->panels[i].y;
        p->figure = figure;
        p->panel = &figure->panels[i];
        p->moved_mm = ws_arena_alloc(&layout->arena, (p->panel->n_layers + 1) * sizeof *p->moved_mm);
        p->bar_width = ws_panel_bar_width(&figure->panels[i], &p->n_bar_layers);
        ws_panel_ranges(&figure->panels[i], p->bar_width, &w->x_ranges[i], &w->y_ranges[i]);
    }
    share_ranges(w);
    ws_legend_collect(&w->legend, layout, figure, w->measure);
    if (n > 1)
        ws_legend_leave_out_told(&w->legend, figure);
    w->legend_place = figure->legend;
    if (n > 1 && w->legend.repeats_names)
        make_note_strips(w);
    if (w->legend_place == WS_LEGEND_FACETS) {
        find_facets(w);
        make_room_for_strips(w);
        w->legend_place = w->n_facets ? WS_LEGEND_FACETS : WS_LEGEND_TOP;
    }
    if (w->legend_place == WS_LEGEND_NONE && layout->notes_outside)
        w->legend_place = WS_LEGEND_TOP;
    if (w->legend_place == WS_LEGEND_CELL && (n >= w->rows * w->columns || !fits_in_cell(w)))
        w->legend_place = WS_LEGEND_TOP;
}

static void note_points_outside(work *w)
{
    for (size_t p = 0; p < w->layout->n_panels; p++) {
        const ws_panel_layout *place = &w->layout->panels[p];
        uint64_t outside = 0;
        for (size_t l = 0; l < w->figure->panels[p].n_layers; l++) {
            const ws_layer *layer = &w->figure->panels[p].layers[l];
            for (size_t i = 0; i < layer->n && (place->x.axis->has_range || place->y.axis->has_range); i++) {
                double x = ws_layout_mm(&place->x, layer->x[i]), y = ws_layout_mm(&place->y, layer->y[i]);
                outside += x < place->frame.x0 - 0.01 || x > place->frame.x1 + 0.01 || y < place->frame.y0 - 0.01 ||
                           y > place->frame.y1 + 0.01;
            }
        }
        ws_notes_add_many(&w->layout->notes, outside, WS_FINDING_POINTS_OUTSIDE, w->figure->name, "", 0,
                          "points lie outside the range of the axes and are not drawn");
    }
}

/* Something in the panel looks for a free place. */
static bool needs_room(const work *w, size_t i)
{
    const ws_panel *panel = &w->figure->panels[i];
    return panel->n_annotations || panel->n_references || w->legend_place == WS_LEGEND_INSIDE;
}

/* Everything but a legend inside. */
static ws_status place_all(work *w, ws_room *room, bool *all_placed, ws_error *error)
{
    *all_placed = true;
    add_footnote(w);
    ws_status status = fit_frames(w, error);
    if (status != WS_OK)
        return status;
    for (size_t i = 0; i < w->layout->n_panels; i++) {
        set_frame(w, i);
        add_panel_texts(w, i);
    }
    if (w->legend_place == WS_LEGEND_CELL && w->legend.n)
        add_legend_in_cell(w);
    if (w->legend_place == WS_LEGEND_FACETS)
        put_facet_legends(w);
    if (w->layout->notes_in_strips)
        put_note_strips(w);
    for (size_t i = 0; i < w->layout->n_texts; i++)
        ws_room_take(room, &w->layout->texts[i].box, WS_TAKEN_BY_TEXT);
    for (size_t i = 0; i < w->layout->n_panels; i++) {
        if (needs_room(w, i))
            ws_room_take_panel(room, &w->layout->panels[i], &w->figure->panels[i]);
        *all_placed &=
            ws_layout_place_labels(w->layout, &w->layout->panels[i], &w->figure->panels[i], w->measure, room);
    }
    note_points_outside(w);
    ws_figure_note_dropped(w->figure, &w->layout->notes);
    return WS_OK;
}

/* Annotations that would cover data go into the legend, and a legend that finds no free place inside goes above. */
static ws_status make(ws_layout *layout, const ws_figure *figure, const ws_text_measure *measure,
                      ws_legend_place legend, bool notes_outside, ws_error *error)
{
    work w = {.figure = figure, .measure = measure, .layout = layout};
    ws_room room;
    bool all_placed;
    *layout = (ws_layout){.width_mm = figure->width_mm,
                          .height_mm = figure->height_mm,
                          .notes_outside = notes_outside,
                          .references_in_legend = figure->legend == WS_LEGEND_TOP || figure->legend == WS_LEGEND_CELL ||
                                                  figure->legend == WS_LEGEND_FACETS};
    prepare(&w);
    if (legend != figure->legend)
        w.legend_place = legend;
    add_legend_above(&w); /* which the page may grow for */
    ws_room_init(&room, layout->width_mm, layout->height_mm);
    ws_status status = place_all(&w, &room, &all_placed, error);
    bool moves_notes = status == WS_OK && !all_placed;
    bool moves_legend = status == WS_OK && !moves_notes && w.legend_place == WS_LEGEND_INSIDE && w.legend.n &&
                        !add_legend_inside(&w, &room);
    ws_room_free(&room);
    if (!moves_notes && !moves_legend)
        return status;
    ws_layout_free(layout);
    return make(layout, figure, measure, moves_legend ? WS_LEGEND_TOP : legend, notes_outside || moves_notes, error);
}

ws_status ws_layout_make(ws_layout *layout, const ws_figure *figure, const ws_text_measure *measure, ws_error *error)
{
    *layout = (ws_layout){0};
    if (!(figure->width_mm >= SMALLEST_PAGE_MM && figure->width_mm <= LARGEST_PAGE_MM) ||
        !(figure->height_mm >= SMALLEST_PAGE_MM && figure->height_mm <= LARGEST_PAGE_MM))
        return ws_fail_at(error, WS_USAGE, figure->name, 0,
                          "a page of %g x %g mm cannot be drawn; sides are %g to %g mm", figure->width_mm,
                          figure->height_mm, SMALLEST_PAGE_MM, LARGEST_PAGE_MM);
    if (!figure->n_panels)
        return ws_fail_at(error, WS_USAGE, figure->name, 0, "the figure has no panels");
    ws_status status = make(layout, figure, measure, figure->legend, false, error);
    if (status == WS_OK && layout->height_mm > PAGE_OF_PAPER_MM)
        ws_notes_add(
            &layout->notes, WS_FINDING_HIGHER_THAN_PAGE, "", "figure", 0,
            "%.0f mm high, where a page of a paper has about %.0f: more panels a row (plot --grid), fewer of them or "
            "a wider page make it lower",
            layout->height_mm, PAGE_OF_PAPER_MM);
    return status;
}

void ws_layout_free(ws_layout *layout)
{
    for (size_t i = 0; i < layout->n_panels; i++) {
        ws_ticks_free(&layout->panels[i].x.ticks);
        ws_ticks_free(&layout->panels[i].y.ticks);
    }
    free(layout->texts);
    free(layout->keys);
    ws_notes_free(&layout->notes);
    ws_arena_free(&layout->arena);
    *layout = (ws_layout){0};
}
