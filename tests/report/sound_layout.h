/* What every layout must hold, whatever the figure: all of it on the page, nothing over anything else, texts complete
 * or shortened with an ellipsis and said so, points without a place counted. */
#ifndef WS_TESTS_SOUND_LAYOUT_H
#define WS_TESTS_SOUND_LAYOUT_H

#include "harness.h"
#include "report/draw/draw_text.h"
#include "report/figure/figure_settle.h"
#include "report/figure/figure_layout.h"

#include <math.h>
#include <string.h>

#define ELLIPSIS "\xe2\x80\xa6"

static inline bool overlap(const ws_box *a, const ws_box *b)
{
    const double touch = 0.01;
    return a->x0 < b->x1 - touch && b->x0 < a->x1 - touch && a->y0 < b->y1 - touch && b->y0 < a->y1 - touch;
}

static inline void must_lie_on_page(const ws_layout *layout, const ws_box *box, const char *what)
{
    ck_assert_msg(box->x0 >= 0 && box->y0 >= 0 && box->x1 <= layout->width_mm && box->y1 <= layout->height_mm,
                  "'%s' reaches from (%g, %g) to (%g, %g) on a page of %g x %g", what, box->x0, box->y0, box->x1,
                  box->y1, layout->width_mm, layout->height_mm);
}

static inline bool may_stand_in_panel(ws_text_role role)
{
    return role == WS_TEXT_ANNOTATION || role == WS_TEXT_REFERENCE || role == WS_TEXT_LEGEND;
}

static inline void must_not_overlap(const ws_layout *layout)
{
    for (size_t i = 0; i < layout->n_texts; i++) {
        const ws_placed_text *a = &layout->texts[i];
        for (size_t k = i + 1; k < layout->n_texts; k++)
            ck_assert_msg(!overlap(&a->box, &layout->texts[k].box), "'%s' (%d) and '%s' (%d) overlap", a->text, a->role,
                          layout->texts[k].text, layout->texts[k].role);
        for (size_t k = 0; k < layout->n_keys; k++)
            ck_assert_msg(!overlap(&a->box, &layout->keys[k].box), "'%s' and key %zu of the legend overlap", a->text,
                          k);
        for (size_t k = 0; k < layout->n_panels && !may_stand_in_panel(a->role); k++)
            ck_assert_msg(!overlap(&a->box, &layout->panels[k].frame), "'%s' reaches into panel %zu", a->text, k);
    }
}

/* The name of a point covers no marker, and the line that leads from it to its point no other name. */
static inline void must_keep_off_points(const ws_layout *layout, const ws_figure *figure, const ws_placed_text *name)
{
    const double half = 0.8;
    for (size_t p = 0; p < layout->n_panels; p++)
        for (size_t l = 0; l < figure->panels[p].n_layers; l++) {
            const ws_layer *layer = &figure->panels[p].layers[l];
            for (size_t i = 0; i < layer->n && (layer->kind & WS_LAYER_MARKERS); i++) {
                double x = ws_layout_mm(&layout->panels[p].x, layer->x[i]);
                double y = ws_layout_mm(&layout->panels[p].y, layer->y[i]);
                const ws_box *frame = &layout->panels[p].frame;
                bool is_drawn = x >= frame->x0 && x <= frame->x1 && y >= frame->y0 && y <= frame->y1;
                ck_assert_msg(!is_drawn || !overlap(&name->box, &(ws_box){x - half, y - half, x + half, y + half}),
                              "'%s' covers a point", name->text);
            }
        }
    for (size_t i = 0; i < layout->n_texts && name->has_leader; i++) {
        const ws_placed_text *other = &layout->texts[i];
        double x = fmin(fmax(name->lead_x, name->box.x0), name->box.x1);
        double y = fmin(fmax(name->lead_y, name->box.y0), name->box.y1);
        for (double share = 0; share <= 1 && other != name && other->names_point; share += 0.05) {
            double at_x = name->lead_x + share * (x - name->lead_x), at_y = name->lead_y + share * (y - name->lead_y);
            ck_assert_msg(at_x < other->box.x0 || at_x > other->box.x1 || at_y < other->box.y0 || at_y > other->box.y1,
                          "the line to '%s' runs through '%s'", name->text, other->text);
        }
    }
}

static inline bool covers(const ws_box *box, double x, double y, double half)
{
    return box->x0 < x + half && x - half < box->x1 && box->y0 < y + half && y - half < box->y1;
}

/* Does the straight line between two points run through the box, within the frame? Taken in steps of 0.2 mm. */
static inline bool is_crossed(const ws_box *box, const ws_box *frame, double x0, double y0, double x1, double y1)
{
    double steps = ceil(hypot(x1 - x0, y1 - y0) / 0.2);
    if (!isfinite(steps) || steps > 20000 || fmax(x0, x1) < box->x0 || fmin(x0, x1) > box->x1 ||
        fmax(y0, y1) < box->y0 || fmin(y0, y1) > box->y1)
        return false;
    for (double i = 0; i <= steps; i++) {
        double share = steps > 0 ? i / steps : 0, x = x0 + share * (x1 - x0), y = y0 + share * (y1 - y0);
        if (x >= frame->x0 && x <= frame->x1 && y >= frame->y0 && y <= frame->y1 && covers(box, x, y, 0))
            return true;
    }
    return false;
}

static inline bool covers_layer(const ws_box *box, const ws_panel_layout *place, const ws_layer *layer)
{
    const unsigned lines = WS_LAYER_LINE | WS_LAYER_DASHED | WS_LAYER_TRACE | WS_LAYER_MEAN;
    double before_x = NAN, before_y = NAN;
    for (size_t i = 0; i < layer->n; i++) {
        double x = ws_layout_mm(&place->x, layer->x[i]), y = ws_layout_mm(&place->y, layer->y[i]);
        const ws_box *f = &place->frame;
        bool is_inside = x >= f->x0 && x <= f->x1 && y >= f->y0 && y <= f->y1;
        if (is_inside && (layer->kind & WS_LAYER_MARKERS) && covers(box, x, y, 0.6))
            return true;
        if ((layer->kind & lines) && is_crossed(box, f, before_x, before_y, x, y))
            return true;
        if (is_inside && (layer->kind & WS_LAYER_ERRORS) && layer->error &&
            is_crossed(box, f, x, ws_layout_mm(&place->y, layer->y[i] - layer->error[i]), x,
                       ws_layout_mm(&place->y, layer->y[i] + layer->error[i])))
            return true;
        before_x = x, before_y = y;
    }
    return false;
}

static inline bool covers_bars(const ws_box *box, const ws_panel_layout *place, const ws_panel *panel)
{
    for (size_t l = 0, nth = 0; l < panel->n_layers; l++) {
        ws_box bar;
        for (size_t i = 0; i < panel->layers[l].n && (panel->layers[l].kind & WS_LAYER_BARS); i++)
            if (ws_layout_bar(place, &panel->layers[l], nth, i, &bar) && overlap(box, &bar))
                return true;
        nth += (panel->layers[l].kind & WS_LAYER_BARS) != 0;
    }
    return false;
}

/* No word and no key of a legend lies over a line, a marker, an error bar or a bar of its panel. */
static inline void must_keep_off_data(const ws_layout *layout, const ws_figure *figure)
{
    for (size_t p = 0; p < layout->n_panels; p++) {
        const ws_panel_layout *place = &layout->panels[p];
        for (size_t i = 0; i < layout->n_texts + layout->n_keys; i++) {
            bool is_text = i < layout->n_texts;
            const ws_box *box = is_text ? &layout->texts[i].box : &layout->keys[i - layout->n_texts].box;
            if (!overlap(box, &place->frame))
                continue;
            const char *what = is_text ? layout->texts[i].text : "a key";
            ck_assert_msg(!covers_bars(box, place, &figure->panels[p]), "'%s' covers a bar in %s", what, figure->name);
            for (size_t l = 0; l < figure->panels[p].n_layers; l++)
                ck_assert_msg(!covers_layer(box, place, &figure->panels[p].layers[l]),
                              "'%s' covers layer %zu of panel %zu in %s at %g mm", what, l, p, figure->name,
                              layout->width_mm);
        }
    }
}

static inline bool ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);
    return n >= m && strcmp(text + n - m, end) == 0;
}

static inline bool has_place(const ws_axis *axis, double value)
{
    bool is_log = axis->scale == WS_AXIS_LOG2 || axis->scale == WS_AXIS_LOG10;
    return isfinite(value) && (is_log ? value > 0 : fabs(value) <= 1e300);
}

/* A band alone has no y: its edges are what is drawn. */
static inline uint64_t points_without_a_place(const ws_figure *figure)
{
    uint64_t n = 0;
    for (size_t p = 0; p < figure->n_panels; p++) {
        const ws_panel *panel = &figure->panels[p];
        for (size_t l = 0; l < panel->n_layers; l++)
            for (size_t i = 0; i < panel->layers[l].n; i++)
                n += !has_place(&panel->x, panel->layers[l].x[i]) || !has_place(&panel->y, panel->layers[l].y[i]);
    }
    return n;
}

static inline uint64_t counted(const ws_layout *layout, const char *code)
{
    uint64_t n = 0;
    for (size_t i = 0; i < layout->notes.n; i++)
        n += strcmp(ws_finding_code(layout->notes.items[i].finding), code) == 0 ? layout->notes.items[i].count : 0;
    return n;
}

static inline void must_say_what_it_leaves_out(const ws_layout *layout, const ws_figure *figure)
{
    bool shortened = false;
    size_t annotations = 0, placed = 0; /* those that stand in the legend or above a panel count as placed */
    for (size_t i = 0; i < layout->n_texts; i++) {
        shortened |= ends_with(layout->texts[i].text, ELLIPSIS);
        placed += layout->texts[i].role == WS_TEXT_ANNOTATION;
    }
    for (size_t p = 0; p < figure->n_panels; p++)
        for (size_t i = 0; i < figure->panels[p].n_annotations; i++)
            annotations += figure->panels[p].annotations[i].text && *figure->panels[p].annotations[i].text &&
                           !(layout->notes_outside && figure->panels[p].annotations[i].in_panel);
    ck_assert(!shortened || counted(layout, "text-shortened") > 0);
    ck_assert_uint_ge(placed + counted(layout, "label-left-out"), annotations);
    ck_assert_uint_eq(counted(layout, "points-dropped"), points_without_a_place(figure));
}

/* The layout is made anew, and stays for the caller to look at and to free. */
static inline void must_be_sound_with(ws_layout *layout, const ws_figure *figure, const ws_text_measure *measure)
{
    ws_error error = {0};
    ws_layout_free(layout);
    ck_assert_msg(ws_layout_make(layout, figure, measure, &error) == WS_OK, "%s", error.message);
    for (size_t i = 0; i < layout->n_panels; i++)
        must_lie_on_page(layout, &layout->panels[i].frame, "frame");
    for (size_t i = 0; i < layout->n_texts; i++)
        must_lie_on_page(layout, &layout->texts[i].box, layout->texts[i].text);
    for (size_t i = 0; i < layout->n_keys; i++)
        must_lie_on_page(layout, &layout->keys[i].box, "key");
    must_not_overlap(layout);
    must_keep_off_data(layout, figure);
    for (size_t i = 0; i < layout->n_texts; i++)
        if (layout->texts[i].names_point)
            must_keep_off_points(layout, figure, &layout->texts[i]);
    must_say_what_it_leaves_out(layout, figure);
}

/* With the real type where it is installed, and with every character equally wide. */
static inline void must_be_sound(ws_layout *layout, const ws_figure *figure)
{
    ws_font *font;
    if (ws_font_open(&font, NULL) == WS_OK) {
        ws_text_measure type = ws_font_measure(font);
        must_be_sound_with(layout, figure, &type);
        ws_font_close(font);
    }
    ws_text_measure fixed = ws_text_measure_fixed();
    must_be_sound_with(layout, figure, &fixed);
}

#define LONG_LABEL                                                                                                  \
    "a label of two hundred characters that goes on and on, as labels do that were put together by a program from " \
    "the names of a cluster, a partition, a model, an optimiser, a data set and the day of the run 2024"

static const char *const hostile[] = {
    LONG_LABEL,
    "",
    "# of GPUs #u2#d ##",
    "<b>&amp;</b> & <text x=\"0\">",
    "\xd0\xad\xd0\xbd\xd0\xb5\xd1\x80\xd0\xb3\xd0\xb8\xd1\x8f \xe6\xb6\x88\xe8\xb2\xbb\xe9\x9b\xbb\xe5\x8a\x9b "
    "\xd7\x90\xd7\xa0",
    "\\frac{a}{b} $x_1$ 100% ~^ {}",
    "10^{6} samples_{max} ^{ open _{} ^{}",
    "bad \xff\xfe\xc3 bytes\nand\ttabs\x01",
    "nospacesatallinthislabelwhichthereforecannotbebrokenanywhereandmustbeshortenedsomewhereinthemiddle_of_it",
};
enum { HOSTILE = sizeof hostile / sizeof *hostile };

/* At its own size, and in one column of a paper and in two. */
static inline void must_be_sound_at_all_widths(ws_layout *layout, ws_figure *figure)
{
    static const double widths[] = {180, 85};
    must_be_sound(layout, figure);
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        ws_figure_set_width(figure, widths[i], false);
        must_be_sound(layout, figure);
    }
}

#endif
