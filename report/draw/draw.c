/* A panel is drawn from the back to the front: grid, bands, bars, reference lines, lines, error bars, markers, axes,
 * and the texts of the whole page at last. */
#include "report/draw/draw.h"

#include "report/draw/draw_pen.h"
#include "report/draw/draw_surface.h"
#include "report/draw/draw_text.h"
#include "report/figure/figure_axis.h"
#include "report/figure/figure_layout.h"
#include "report/figure/figure_path.h"
#include "report/figure/figure_style.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NEAREST_MARKERS_MM 0.3 /* of very many markers nearer than that, only the first is drawn */
#define DOT_MM 0.5             /* and that as a dot */
#define SWATCH_MM 2.4          /* of bars in the legend */
#define HALF_KEY_ERROR_MM 1.3
#define LEADER_GAP_MM 0.3 /* from a marker to the line that leads to its name */
#define LEADER_END_MM 0.4 /* from there to the name, of which it would look like a part */
enum { MANY_MARKERS = 5000 };

static const ws_colour black = {0, 0, 0}, white = {255, 255, 255};

static void draw_segment(double x0, double y0, double x1, double y1, double width_pt, ws_dash dash)
{
    const double x[] = {x0, x1}, y[] = {y0, y1};
    ws_pen_line(2, x, y, width_pt, dash);
}

/* -- a layer -- */

typedef struct pencil {
    double width_pt;
    ws_dash dash;
} pencil;

static void draw_part(void *state, size_t n, const double *x, const double *y)
{
    const pencil *p = state;
    ws_pen_line(n, x, y, p->width_pt, p->dash);
}

enum { ANY_LINE = WS_LAYER_LINE | WS_LAYER_DASHED | WS_LAYER_TRACE | WS_LAYER_MEAN };

static pencil pencil_of(const ws_figure *figure, unsigned kind, int style)
{
    ws_style look = ws_style_in(figure, style);
    if (kind & WS_LAYER_MEAN)
        return (pencil){WS_PT_MEAN, WS_DASH_LONG};
    if (kind & WS_LAYER_TRACE)
        return (pencil){WS_PT_TRACE, WS_DASH_NONE};
    if (kind & WS_LAYER_DASHED)
        return (pencil){style < 0 ? WS_PT_IDEAL : WS_PT_LINE, WS_DASH_LONG};
    return (pencil){WS_PT_LINE, look.dash};
}

static ws_colour line_colour(const ws_figure *figure, unsigned kind, int style)
{
    ws_style look = ws_style_in(figure, style);
    return kind & WS_LAYER_MEAN ? black : kind & WS_LAYER_TRACE ? look.trace : look.line;
}

static void draw_line(const ws_panel_layout *place, const ws_layer *layer)
{
    bool has_range = (layer->kind & WS_LAYER_TRACE) && layer->lo && layer->hi;
    ws_path path = {0};
    for (size_t i = 0; i < layer->n; i++) {
        double x = ws_layout_x(place, layer, i), y = ws_layout_mm(&place->y, layer->y[i]);
        ws_path_add(&path, x, y);
        if (has_range && isfinite(x) && isfinite(y) && isfinite(layer->lo[i]) && isfinite(layer->hi[i])) {
            ws_path_add(&path, x, fmax(ws_layout_mm(&place->y, layer->lo[i]), place->frame.y0));
            ws_path_add(&path, x, ws_layout_mm(&place->y, layer->hi[i]));
        }
    }
    ws_path_end(&path);
    pencil p = pencil_of(place->figure, layer->kind, layer->style);
    ws_pen_colour(line_colour(place->figure, layer->kind, layer->style), 1);
    ws_path_clip(&path, &place->frame, draw_part, &p);
    ws_path_free(&path);
}

static double within(double value, double lo, double hi)
{
    return isnan(value) ? lo : fmin(fmax(value, lo), hi);
}

/* One closed area for each stretch without gaps: along the upper edge and back along the lower one. */
static void fill_stretch(const double *x, const double *lo, const double *hi, size_t n)
{
    double *outline = ws_alloc(4 * n * sizeof *outline), *ox = outline, *oy = outline + 2 * n;
    for (size_t i = 0; i < n; i++) {
        ox[i] = x[i], oy[i] = hi[i];
        ox[2 * n - 1 - i] = x[i], oy[2 * n - 1 - i] = lo[i];
    }
    ws_pen_fill(2 * n, ox, oy);
    free(outline);
}

static void draw_band(const ws_panel_layout *place, const ws_layer *layer)
{
    const ws_box *f = &place->frame;
    double *buffer = ws_alloc((3 * layer->n + 3) * sizeof *buffer);
    double *x = buffer, *lo = x + layer->n + 1, *hi = lo + layer->n + 1;
    size_t n = 0;
    ws_pen_colour(ws_style_in(place->figure, layer->style).line, WS_ALPHA_BAND);
    for (size_t i = 0; i <= layer->n; i++) {
        double at = i < layer->n ? ws_layout_x(place, layer, i) : NAN;
        if (isnan(at) || !isfinite(layer->lo[i]) || !isfinite(layer->hi[i])) {
            fill_stretch(x, lo, hi, n);
            n = 0;
            continue;
        }
        if (at < f->x0 - 0.01 || at > f->x1 + 0.01)
            continue;
        double low = within(ws_layout_mm(&place->y, layer->lo[i]), f->y0, f->y1);
        double high = within(ws_layout_mm(&place->y, layer->hi[i]), f->y0, f->y1);
        if (n && at - x[n - 1] >= 0 && at - x[n - 1] < WS_COLUMN_MM) {
            lo[n - 1] = fmin(lo[n - 1], low), hi[n - 1] = fmax(hi[n - 1], high);
            continue;
        }
        x[n] = at, lo[n] = low, hi[n++] = high;
    }
    free(buffer);
}

static void draw_error_bar(double x, double lo, double hi, bool has_foot, bool has_head)
{
    draw_segment(x, lo, x, hi, WS_PT_ERROR, WS_DASH_NONE);
    if (has_foot)
        draw_segment(x - WS_MM_CAP / 2, lo, x + WS_MM_CAP / 2, lo, WS_PT_ERROR, WS_DASH_NONE);
    if (has_head)
        draw_segment(x - WS_MM_CAP / 2, hi, x + WS_MM_CAP / 2, hi, WS_PT_ERROR, WS_DASH_NONE);
}

static void draw_error(const ws_panel_layout *place, const ws_layer *layer, size_t i, double x)
{
    const ws_box *f = &place->frame;
    double lo = ws_layout_mm(&place->y, layer->y[i] - layer->error[i]);
    double hi = ws_layout_mm(&place->y, layer->y[i] + layer->error[i]);
    if (isnan(hi) || hi < f->y0 || (lo > f->y1))
        return;
    draw_error_bar(x, within(lo, f->y0, f->y1), fmin(hi, f->y1), lo >= f->y0, hi <= f->y1);
}

/* The same lying down: x plus and minus its error. */
static void draw_x_error(const ws_panel_layout *place, const ws_layer *layer, size_t i, double y)
{
    const ws_box *f = &place->frame;
    double lo = ws_layout_mm(&place->x, layer->x[i] - layer->x_error[i]);
    double hi = ws_layout_mm(&place->x, layer->x[i] + layer->x_error[i]);
    if (isnan(hi) || hi < f->x0 || lo > f->x1)
        return;
    double from = within(lo, f->x0, f->x1), to = fmin(hi, f->x1);
    draw_segment(from, y, to, y, WS_PT_ERROR, WS_DASH_NONE);
    if (lo >= f->x0)
        draw_segment(from, y - WS_MM_CAP / 2, from, y + WS_MM_CAP / 2, WS_PT_ERROR, WS_DASH_NONE);
    if (hi <= f->x1)
        draw_segment(to, y - WS_MM_CAP / 2, to, y + WS_MM_CAP / 2, WS_PT_ERROR, WS_DASH_NONE);
}

/* The white rim of a filled marker, or the marker itself. */
static void draw_part_of_marker(double x, double y, const ws_style *look, bool open, bool halo)
{
    double ox[WS_MARKER_POINTS + 2], oy[WS_MARKER_POINTS + 2];
    size_t n = ws_marker_outline(look->marker, WS_MM_MARKER, ox, oy);
    for (size_t i = 0; i < n; i++)
        ox[i] += x, oy[i] += y;
    /* Twice around the first corner, so that the outline has no notch there. */
    for (size_t i = 0; i < 2; i++)
        ox[n + i] = ox[i], oy[n + i] = oy[i];
    ws_pen_colour(halo ? white : look->line, 1);
    if (open != halo)
        ws_pen_line(n + 2, ox, oy, halo ? 2 * WS_PT_RIM : WS_PT_OPEN_RIM, WS_DASH_NONE);
    else
        ws_pen_fill(n, ox, oy);
    ws_pen_colour(look->line, 1);
}

static void draw_marker(double x, double y, const ws_style *look, bool open)
{
    draw_part_of_marker(x, y, look, open, true);
    draw_part_of_marker(x, y, look, open, false);
}

/* Of very many markers only those that can be told apart: a bit for each place of the frame. */
typedef struct seen {
    unsigned char *bits;
    size_t columns;
} seen;

static bool is_drawn_already(seen *s, const ws_box *frame, double x, double y)
{
    if (!s->bits)
        return false;
    size_t cell = (size_t)((y - frame->y0) / NEAREST_MARKERS_MM + 1) * s->columns +
                  (size_t)((x - frame->x0) / NEAREST_MARKERS_MM + 1);
    bool was_seen = s->bits[cell];
    s->bits[cell] = 1;
    return was_seen;
}

static void draw_dot(double x, double y)
{
    const double r = DOT_MM / 2, ox[] = {x + r, x, x - r, x}, oy[] = {y, y + r, y, y - r};
    ws_pen_fill(4, ox, oy);
}

/* The rim keeps lines off the marker, and not its own bars, whose caps would stand apart as brackets. */
static void draw_point(const ws_panel_layout *place, const ws_layer *layer, size_t i, double x, double y)
{
    ws_style look = ws_style_in(place->figure, layer->style);
    bool open = look.open || (layer->kind & (WS_LAYER_OPEN | WS_LAYER_DOUBTFUL));
    draw_part_of_marker(x, y, &look, open, true);
    if (!open && (layer->kind & WS_LAYER_ERRORS) && layer->error)
        draw_error(place, layer, i, x);
    if (!open && (layer->kind & WS_LAYER_ERRORS) && layer->x_error)
        draw_x_error(place, layer, i, y);
    draw_part_of_marker(x, y, &look, open, false);
}

static void draw_points(const ws_panel_layout *place, const ws_layer *layer, bool errors)
{
    const ws_box *f = &place->frame;
    ws_style look = ws_style_in(place->figure, layer->style);
    seen s = {NULL, (size_t)((f->x1 - f->x0) / NEAREST_MARKERS_MM) + 4};
    if (layer->n > MANY_MARKERS)
        s.bits = ws_alloc(s.columns * ((size_t)((f->y1 - f->y0) / NEAREST_MARKERS_MM) + 4));
    ws_pen_colour(look.line, 1);
    for (size_t i = 0; i < layer->n; i++) {
        double x = ws_layout_x(place, layer, i), y = ws_layout_mm(&place->y, layer->y[i]);
        double at = ws_layout_mm(&place->x, layer->x[i]); /* beside which it may stand */
        bool is_inside = at >= f->x0 - 0.01 && at <= f->x1 + 0.01 && y >= f->y0 - 0.01 && y <= f->y1 + 0.01;
        if (!is_inside || is_drawn_already(&s, f, x, y))
            continue;
        if (errors && layer->error)
            draw_error(place, layer, i, x);
        if (errors && layer->x_error)
            draw_x_error(place, layer, i, y);
        if (errors)
            continue;
        if (s.bits)
            draw_dot(x, y);
        else
            draw_point(place, layer, i, x, y);
        if (layer->kind & WS_LAYER_DOUBTFUL)
            draw_dot(x, y);
    }
    free(s.bits);
}

static void draw_bars(const ws_panel_layout *place, const ws_layer *layer, size_t nth)
{
    ws_box bar;
    ws_pen_colour(ws_style_in(place->figure, layer->style).bar, 1);
    for (size_t i = 0; i < layer->n; i++)
        if (ws_layout_bar(place, layer, nth, i, &bar))
            ws_pen_box(bar.x0, bar.y0, bar.x1, bar.y1);
}

static void draw_bar_errors(const ws_panel_layout *place, const ws_layer *layer, size_t nth)
{
    ws_box bar;
    ws_pen_colour(black, 1);
    for (size_t i = 0; i < layer->n && layer->error; i++)
        if (ws_layout_bar(place, layer, nth, i, &bar))
            draw_error(place, layer, i, (bar.x0 + bar.x1) / 2);
}

/* -- a panel -- */

static void draw_grid(const ws_panel_layout *place)
{
    ws_pen_colour(black, WS_ALPHA_GRID);
    for (size_t i = 0; i < place->y.ticks.n; i++) {
        const ws_tick *tick = &place->y.ticks.items[i];
        double y = ws_axis_mm(&place->y, tick->position);
        if (!tick->minor && y > place->frame.y0 + 0.1)
            draw_segment(place->frame.x0, y, place->frame.x1, y, WS_PT_MINOR, WS_DASH_NONE);
    }
}

static void draw_ticks(const ws_axis_layout *axis, double foot, bool is_x)
{
    for (size_t i = 0; i < axis->ticks.n && axis->axis->scale != WS_AXIS_CATEGORY; i++) {
        const ws_tick *tick = &axis->ticks.items[i];
        double length = tick->minor ? WS_MM_MINOR : WS_MM_TICK, width = tick->minor ? WS_PT_MINOR : WS_PT_AXIS;
        double at = ws_axis_mm(axis, tick->position);
        if (is_x)
            draw_segment(at, foot, at, foot - length, width, WS_DASH_NONE);
        else
            draw_segment(foot, at, foot - length, at, width, WS_DASH_NONE);
    }
}

static void draw_axes(const ws_panel_layout *place)
{
    const ws_box *f = &place->frame;
    const double x[] = {f->x0, f->x0, f->x1}, y[] = {f->y1, f->y0, f->y0};
    ws_pen_colour(black, 1);
    ws_pen_line(3, x, y, WS_PT_AXIS, WS_DASH_NONE);
    draw_ticks(&place->x, f->y0, true);
    draw_ticks(&place->y, f->x0, false);
}

static void draw_references(const ws_panel_layout *place, const ws_panel *panel)
{
    const ws_box *f = &place->frame;
    ws_pen_colour(ws_style_of(-1).line, 1);
    for (size_t i = 0; i < panel->n_references; i++) {
        const ws_reference_line *line = &panel->references[i];
        double at = ws_layout_mm(line->vertical ? &place->x : &place->y, line->value);
        if (line->vertical && at >= f->x0 && at <= f->x1)
            draw_segment(at, f->y0, at, f->y1, WS_PT_IDEAL, WS_DASH_LONG);
        if (!line->vertical && at >= f->y0 && at <= f->y1)
            draw_segment(f->x0, at, f->x1, at, WS_PT_IDEAL, WS_DASH_LONG);
    }
}

static bool has_bars(const ws_layer *layer)
{
    return layer->kind & WS_LAYER_BARS;
}

static void draw_panel(const ws_panel_layout *place, const ws_panel *panel)
{
    const ws_layer *end = panel->layers + panel->n_layers;
    size_t nth = 0;
    draw_grid(place);
    for (const ws_layer *l = panel->layers; l < end; l++)
        if ((l->kind & WS_LAYER_BAND) && l->lo && l->hi)
            draw_band(place, l);
    for (const ws_layer *l = panel->layers; l < end; l++)
        if (has_bars(l))
            draw_bars(place, l, nth++);
    draw_references(place, panel);
    for (const ws_layer *l = panel->layers; l < end; l++)
        if (l->kind & ANY_LINE)
            draw_line(place, l);
    nth = 0;
    for (const ws_layer *l = panel->layers; l < end; l++) {
        if ((l->kind & WS_LAYER_ERRORS) && l->error && has_bars(l))
            draw_bar_errors(place, l, nth);
        else if ((l->kind & WS_LAYER_ERRORS) && (l->error || l->x_error))
            draw_points(place, l, true);
        nth += has_bars(l);
    }
    for (const ws_layer *l = panel->layers; l < end; l++)
        if (l->kind & (WS_LAYER_MARKERS | WS_LAYER_DOUBTFUL))
            draw_points(place, l, false);
    draw_axes(place);
}

/* -- the page -- */

static void draw_key(const ws_figure *figure, const ws_legend_key *key)
{
    ws_style look = ws_style_in(figure, key->style);
    double x = (key->box.x0 + key->box.x1) / 2, y = (key->box.y0 + key->box.y1) / 2;
    if (key->has_band) {
        ws_pen_colour(look.line, WS_ALPHA_BAND);
        ws_pen_box(key->box.x0, y - 1, key->box.x1, y + 1);
    }
    if (key->kind & WS_LAYER_BARS) {
        ws_pen_colour(look.bar, 1);
        ws_pen_box(key->box.x1 - SWATCH_MM, y - SWATCH_MM / 2, key->box.x1, y + SWATCH_MM / 2);
        return;
    }
    if (key->kind & ANY_LINE) {
        pencil p = pencil_of(figure, key->kind, key->style);
        ws_pen_colour(line_colour(figure, key->kind, key->style), 1);
        draw_segment(key->box.x0, y, key->box.x1, y, p.width_pt, p.dash);
    }
    ws_pen_colour(look.line, 1);
    if (key->has_error)
        draw_error_bar(x, y - HALF_KEY_ERROR_MM, y + HALF_KEY_ERROR_MM, true, true);
    if (key->kind & WS_LAYER_MARKERS)
        draw_marker(x, y, &look, look.open || (key->kind & WS_LAYER_OPEN));
}

typedef struct page {
    const ws_figure *figure;
    const ws_layout *layout;
    ws_font *font;
    ws_sheet *sheet;
} page;

/* From the edge of the marker towards the nearest point of the box. */
static void draw_leader(const ws_placed_text *text)
{
    double x = fmin(fmax(text->lead_x, text->box.x0), text->box.x1);
    double y = fmin(fmax(text->lead_y, text->box.y0), text->box.y1);
    double length = hypot(x - text->lead_x, y - text->lead_y), start = WS_MM_MARKER / 2 + LEADER_GAP_MM;
    double share = start / length, end = 1 - LEADER_END_MM / length, dx = x - text->lead_x, dy = y - text->lead_y;
    if (share < end)
        draw_segment(text->lead_x + share * dx, text->lead_y + share * dy, text->lead_x + end * dx,
                     text->lead_y + end * dy, WS_PT_MINOR, WS_DASH_NONE);
}

static void draw_text(const page *p, const ws_placed_text *text)
{
    ws_colour colour = text->style < 0 ? black : ws_style_in(p->figure, text->style).text;
    if (text->has_leader) {
        ws_pen_colour(colour, 1);
        draw_leader(text);
    }
    if (text->role == WS_TEXT_ANNOTATION || text->role == WS_TEXT_REFERENCE) {
        ws_pen_colour(white, 0.8); /* no grid line runs through it */
        ws_pen_box(text->box.x0, text->box.y0, text->box.x1, text->box.y1);
    }
    if (p->sheet->texts)
        ws_font_put_svg(p->font, p->sheet->texts, p->layout->height_mm, text, colour);
    else
        ws_font_draw(p->font, p->sheet->cairo, p->sheet->units, p->layout->height_mm, text, colour);
}

static void draw_page(void *state)
{
    const page *p = state;
    for (size_t i = 0; i < p->layout->n_panels; i++)
        draw_panel(&p->layout->panels[i], &p->figure->panels[i]);
    for (size_t i = 0; i < p->layout->n_keys; i++)
        draw_key(p->figure, &p->layout->keys[i]);
    if (p->sheet->texts && p->layout->n_texts)
        ws_font_put_svg_head(p->sheet->texts);
    for (size_t i = 0; i < p->layout->n_texts; i++)
        draw_text(p, &p->layout->texts[i]);
}

static ws_status draw_layout(const ws_figure *figure, const ws_layout *layout, ws_font *font, ws_figure_form form,
                             FILE *stream, ws_error *error)
{
    ws_sheet sheet;
    page p = {figure, layout, font, &sheet};
    ws_status status = ws_sheet_open(&sheet, form, layout->width_mm, layout->height_mm, figure->name, error);
    if (status == WS_OK)
        status = ws_pen_draw(sheet.cairo, sheet.units, layout->width_mm, layout->height_mm, draw_page, &p, error);
    if (status == WS_OK)
        status = ws_sheet_write(&sheet, figure->name, stream, error);
    ws_sheet_free(&sheet);
    return status;
}

/* With the font that it is measured in. The caller frees the layout and closes the font, also after a failure. */
static ws_status lay_out(ws_layout *layout, ws_font **font, const ws_figure *figure, ws_error *error)
{
    *layout = (ws_layout){0};
    ws_status status = ws_font_open(font, error);
    if (status != WS_OK)
        return status;
    ws_text_measure measure = ws_font_measure(*font);
    return ws_layout_make(layout, figure, &measure, error);
}

ws_status ws_figure_write(const ws_figure *figure, ws_figure_form form, FILE *stream, ws_error *error)
{
    ws_font *font;
    ws_layout layout;
    ws_status status = lay_out(&layout, &font, figure, error);
    if (status == WS_OK)
        status = draw_layout(figure, &layout, font, form, stream, error);
    ws_layout_free(&layout);
    ws_font_close(font);
    return status;
}

ws_status ws_figure_note_layout(const ws_figure *figure, ws_notes *notes, ws_error *error)
{
    ws_font *font;
    ws_layout layout;
    ws_status status = lay_out(&layout, &font, figure, error);
    if (status == WS_OK)
        ws_notes_append(notes, &layout.notes);
    ws_layout_free(&layout);
    ws_font_close(font);
    return status;
}
