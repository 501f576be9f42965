#include "report/figure/figure_place.h"

#include "report/figure/figure_style.h"

#include <math.h>
#include <string.h>

#define CLEAR_MM 0.2  /* around a text that looks for its place */
#define BESIDE_MM 0.6 /* from a marker to its label */
#define LINE_MM 3.2   /* from one annotation to the next */

static ws_box box_of(const ws_placed_text *text, double width)
{
    double left = text->just * width, right = width - left;
    double above = ws_text_above(text->text, text->pt), below = ws_text_below(text->text, text->pt);
    if (text->turned)
        return (ws_box){text->x - above, text->y - left, text->x + below, text->y + right};
    return (ws_box){text->x - left, text->y - below, text->x + right, text->y + above};
}

static const char *const role_names[WS_TEXT_N] = {"letter",         "title",        "x tick label", "y tick label",
                                                  "x axis label",   "y axis label", "legend",       "annotation",
                                                  "reference line", "footnote"};

void ws_layout_add_text(ws_layout *layout, const ws_text_measure *measure, const ws_placed_text *text, double room_mm)
{
    ws_placed_text placed = *text;
    placed.text = ws_text_fit(&layout->arena, measure, text->text, text->pt, text->bold, room_mm);
    if (placed.text != text->text)
        ws_notes_add(&layout->notes, WS_FINDING_TEXT_SHORTENED, "", role_names[text->role], 0,
                     "'%.200s' is longer than its place and is cut", text->text);
    if (!*placed.text)
        return;
    ws_notes_add_many(&layout->notes, ws_text_missing(measure, placed.text), WS_FINDING_CHARACTERS_MISSING, "",
                      role_names[text->role], 0, "no installed font has a character of '%.200s'", text->text);
    placed.box = box_of(&placed, ws_text_width(measure, placed.text, placed.pt, placed.bold));
    layout->texts = ws_grow(layout->texts, &layout->text_capacity, layout->n_texts + 1, sizeof *layout->texts);
    layout->texts[layout->n_texts++] = placed;
}

/* -- texts that look for a place -- */

typedef struct search {
    ws_layout *layout;
    const ws_text_measure *measure;
    const ws_box *frame;
    ws_room *room;
} search;

static bool fits(const search *s, const ws_placed_text *text, double width, unsigned avoid)
{
    ws_box box = box_of(text, width);
    ws_box clear = {box.x0 - CLEAR_MM, box.y0, box.x1 + CLEAR_MM, box.y1};
    return box.x0 >= s->frame->x0 && box.x1 <= s->frame->x1 && box.y0 >= s->frame->y0 && box.y1 <= s->frame->y1 &&
           ws_room_is_free(s->room, &clear, avoid);
}

static void figure_place_settle(const search *s, const ws_placed_text *text)
{
    size_t before = s->layout->n_texts;
    ws_layout_add_text(s->layout, s->measure, text, INFINITY);
    if (s->layout->n_texts > before)
        ws_room_take(s->room, &s->layout->texts[before].box, WS_TAKEN_BY_TEXT);
}

static void leave_out(const search *s, const ws_placed_text *text)
{
    ws_notes_add(&s->layout->notes, WS_FINDING_LABEL_LEFT_OUT, "", role_names[text->role], 0,
                 "'%.200s' finds no free place", text->text);
}

/* A text no wider than the frame, before it looks for its place. */
static double shorten(const search *s, ws_placed_text *text)
{
    double room_mm = s->frame->x1 - s->frame->x0 - 2;
    const char *whole = text->text;
    text->text = ws_text_fit(&s->layout->arena, s->measure, whole, text->pt, false, room_mm);
    if (text->text != whole)
        ws_notes_add(&s->layout->notes, WS_FINDING_TEXT_SHORTENED, "", role_names[text->role], 0,
                     "'%.200s' is longer than its place and is cut", whole);
    return ws_text_width(s->measure, text->text, text->pt, false);
}

/* Where it is wanted, or a line or more below; then in a corner; at last over data, but never over text. */
static bool find_in_panel(const search *s, ws_placed_text *text, double width)
{
    const ws_box *f = s->frame;
    double right = text->x, top = text->y, left = f->x0 + f->x1 - right, bottom = f->y0 + 1.5;
    const struct {
        double x, y, line, just;
        unsigned avoid;
    } starts[] = {{right, top, -LINE_MM, 1, WS_TAKEN},         {left, f->y1 - LINE_MM, -LINE_MM, 0, WS_TAKEN},
                  {right, bottom, LINE_MM, 1, WS_TAKEN},       {left, bottom, LINE_MM, 0, WS_TAKEN},
                  {right, top, -LINE_MM, 1, WS_TAKEN_BY_TEXT}, {left, bottom, LINE_MM, 0, WS_TAKEN_BY_TEXT}};
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
        int lines = starts[i].avoid == WS_TAKEN ? 5 : 40;
        for (int line = 0; line < lines; line++) {
            text->x = starts[i].x, text->y = starts[i].y + line * starts[i].line, text->just = starts[i].just;
            if (fits(s, text, width, starts[i].avoid))
                return true;
        }
    }
    return false;
}

/* Right of the point, left, above, below, and the diagonals between. */
static bool find_beside(const search *s, ws_placed_text *text, double width)
{
    static const double sides[][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {-1, 1}, {1, -1}, {-1, -1}};
    double x = text->x, y = text->y, away = WS_MM_MARKER / 2 + BESIDE_MM, half = ws_text_half(text->pt);
    for (double far = 1; far < 4; far += 1)
        for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
            text->just = 0.5 - sides[i][0] / 2;
            text->x = x + sides[i][0] * away * far;
            text->y = y - half + sides[i][1] * (away * far + half);
            if (fits(s, text, width, WS_TAKEN))
                return true;
        }
    return false;
}

static void place_annotation(const search *s, const ws_panel_layout *place, const ws_annotation *a)
{
    if (!a->text || !*a->text)
        return;
    const ws_box *f = s->frame;
    ws_placed_text text = {.role = WS_TEXT_ANNOTATION, .pt = WS_PT_TICK, .style = a->style};
    text.text = ws_text_clean(&s->layout->arena, a->text);
    text.x = a->in_panel ? f->x0 + a->x * (f->x1 - f->x0) : ws_layout_mm(&place->x, a->x);
    text.y = a->in_panel ? f->y0 + a->y * (f->y1 - f->y0) - ws_text_half(text.pt) : ws_layout_mm(&place->y, a->y);
    double width = shorten(s, &text);
    bool is_placed = isfinite(text.x) && isfinite(text.y) &&
                     (a->in_panel ? find_in_panel(s, &text, width) : find_beside(s, &text, width));
    if (is_placed)
        figure_place_settle(s, &text);
    else
        leave_out(s, &text);
}

/* Above or below a level line, at its right or left end; beside an upright one, at its top. */
static void place_reference_label(const search *s, const ws_panel_layout *place, const ws_reference_line *line)
{
    if (!line->label || !*line->label)
        return;
    const ws_box *f = s->frame;
    ws_placed_text text = {.role = WS_TEXT_REFERENCE, .pt = WS_PT_TICK, .style = WS_TEXT_COLOUR};
    text.text = ws_text_clean(&s->layout->arena, line->label);
    double width = shorten(s, &text);
    double at = ws_layout_mm(line->vertical ? &place->x : &place->y, line->value);
    double above = at + 0.7 + ws_text_below(text.text, text.pt), below = at - 0.7 - ws_text_above(text.text, text.pt);
    double top = f->y1 - 0.4 - ws_text_above(text.text, text.pt);
    const struct {
        double x, y, just;
    } level[] = {{f->x1 - 0.5, above, 1}, {f->x0 + 0.8, above, 0}, {f->x1 - 0.5, below, 1}, {f->x0 + 0.8, below, 0}},
      upright[] = {{at + 1, top, 0}, {at - 1, top, 1}, {at + 1, f->y0 + 1, 0}, {at - 1, f->y0 + 1, 1}};
    for (size_t i = 0; i < 4 && isfinite(at); i++) {
        text.x = line->vertical ? upright[i].x : level[i].x;
        text.y = line->vertical ? upright[i].y : level[i].y;
        text.just = line->vertical ? upright[i].just : level[i].just;
        if (fits(s, &text, width, WS_TAKEN)) {
            figure_place_settle(s, &text);
            return;
        }
    }
    leave_out(s, &text);
}

static void take_reference(const search *s, const ws_panel_layout *place, const ws_reference_line *line)
{
    const ws_box *f = s->frame;
    double at = ws_layout_mm(line->vertical ? &place->x : &place->y, line->value);
    if (!isfinite(at))
        return;
    ws_box box =
        line->vertical ? (ws_box){at - 0.1, f->y0, at + 0.1, f->y1} : (ws_box){f->x0, at - 0.1, f->x1, at + 0.1};
    ws_room_take(s->room, &box, WS_TAKEN_BY_DATA);
}

void ws_layout_place_labels(ws_layout *layout, const ws_panel_layout *place, const ws_panel *panel,
                            const ws_text_measure *measure, ws_room *room)
{
    search s = {layout, measure, &place->frame, room};
    for (size_t i = 0; i < panel->n_references; i++)
        take_reference(&s, place, &panel->references[i]);
    for (size_t i = 0; i < panel->n_references; i++)
        place_reference_label(&s, place, &panel->references[i]);
    for (size_t i = 0; i < panel->n_annotations; i++)
        place_annotation(&s, place, &panel->annotations[i]);
}
