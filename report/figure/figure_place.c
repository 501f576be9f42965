#include "report/figure/figure_place.h"

#include "report/figure/figure_style.h"

#include <math.h>
#include <string.h>

#define CLEAR_MM 0.2   /* around a text that looks for its place */
#define BETWEEN_MM 1.0 /* two numbers side by side are not read as one */
#define BESIDE_MM 0.6  /* from a marker to its label */
#define LINE_MM 3.2    /* from one annotation to the next */
#define LEADER_MM 2.0  /* a name farther from its point than that has a line that leads to it, and not a stub: */
#define LEAST_LEADER_MM 3.2
#define AMBIGUOUS_MM 0.4
#define COST_OF_AMBIGUITY 3.0 /* a name that is as near to another point, in distances from a point to its name */
#define COST_OF_DIAGONAL 0.4  /* a name that stands beside two points stands level with its own, or straight above */
#define COST_OF_NO_NAME 60.0
#define AXIS_MM 0.4 /* from the axes to a text inside */

static ws_box box_of(const ws_placed_text *text, double width)
{
    double left = text->just * width, right = width - left;
    double above = ws_text_above(text->text, text->pt), below = ws_text_below(text->text, text->pt);
    if (text->turned)
        return (ws_box){text->x - above, text->y - left, text->x + below, text->y + right};
    return (ws_box){text->x - left, text->y - below, text->x + right, text->y + above};
}

static const char *const role_names[WS_TEXT_N] = {
    [WS_TEXT_LETTER] = "letter",       [WS_TEXT_TITLE] = "title",           [WS_TEXT_X_TICK] = "x tick label",
    [WS_TEXT_Y_TICK] = "y tick label", [WS_TEXT_X_LABEL] = "x axis label",  [WS_TEXT_Y_LABEL] = "y axis label",
    [WS_TEXT_LEGEND] = "legend",       [WS_TEXT_ANNOTATION] = "annotation", [WS_TEXT_REFERENCE] = "reference line",
    [WS_TEXT_FOOTNOTE] = "footnote"};

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
    return box.x0 >= s->frame->x0 + AXIS_MM && box.x1 <= s->frame->x1 && box.y0 >= s->frame->y0 + AXIS_MM &&
           box.y1 <= s->frame->y1 && ws_room_is_free(s->room, &clear, avoid);
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

/* -- names beside points: where all of them together stand best -- */

/* Where a name may stand, and what that costs: far from its point, or nearer to another one. */
typedef struct beside {
    double x, y, just, cost;
    ws_box box;
} beside;

typedef struct point_name {
    ws_placed_text text;
    double width, x, y; /* of the point */
    beside *places;
    size_t n, chosen; /* n: none of them */
} point_name;

static double gap_of(const ws_box *box, double x, double y)
{
    double dx = fmax(fmax(box->x0 - x, x - box->x1), 0), dy = fmax(fmax(box->y0 - y, y - box->y1), 0);
    return hypot(dx, dy);
}

/* Does the line from a point to the box run over another point's marker? */
static bool runs_over(const ws_box *box, double x, double y, double other_x, double other_y)
{
    double dx = fmin(fmax(x, box->x0), box->x1) - x, dy = fmin(fmax(y, box->y0), box->y1) - y;
    double along = ((other_x - x) * dx + (other_y - y) * dy) / (dx * dx + dy * dy);
    double share = fmin(fmax(along, 0), 1);
    return hypot(x + share * dx - other_x, y + share * dy - other_y) < WS_MM_MARKER / 2;
}

static bool boxes_touch(const ws_box *a, const ws_box *b)
{
    return a->x0 < b->x1 + BETWEEN_MM && b->x0 < a->x1 + BETWEEN_MM && a->y0 < b->y1 && b->y0 < a->y1;
}

/* Right of the point, left, above, below, and the diagonals between; near it, or with a line that leads to it. */
static void find_places(const search *s, point_name *names, size_t n, size_t i)
{
    static const double sides[][2] = {{1, 0},  {-1, 0},  {0, 1},    {0, -1},  {1, 1},     {-1, 1},
                                      {1, -1}, {-1, -1}, {0.5, -1}, {0.5, 1}, {-0.5, -1}, {-0.5, 1}};
    static const double fars[] = {1, 1.7, 2.6, 4, 6};
    enum { SIDES = sizeof sides / sizeof *sides, STRAIGHT = 4, FARS = sizeof fars / sizeof *fars };
    point_name *name = &names[i];
    double away = WS_MM_MARKER / 2 + BESIDE_MM, half = ws_text_half(name->text.pt);
    name->places = ws_arena_alloc(&s->layout->arena, SIDES * FARS * sizeof *name->places);
    for (size_t f = 0; f < FARS; f++)
        for (size_t k = 0; k < SIDES; k++) {
            ws_placed_text text = name->text;
            text.just = 0.5 - sides[k][0] / 2;
            text.x = name->x + sides[k][0] * away * fars[f];
            text.y = name->y - half + sides[k][1] * (away * fars[f] + half);
            if (!fits(s, &text, name->width, WS_TAKEN))
                continue;
            double turn = 0.05 * (double)k + (k >= STRAIGHT ? COST_OF_DIAGONAL : 0);
            beside place = {text.x, text.y, text.just, fars[f] + turn, box_of(&text, name->width)};
            double own = gap_of(&place.box, name->x, name->y);
            bool is_level = sides[k][1] == 0; /* the line would read as a minus sign */
            if (own > LEADER_MM && (own < LEAST_LEADER_MM || is_level))
                continue;
            for (size_t other = 0; other < n; other++) {
                if (other == i)
                    continue;
                place.cost += COST_OF_AMBIGUITY *
                              fmax(0, 1 - gap_of(&place.box, names[other].x, names[other].y) / (own + AMBIGUOUS_MM));
                bool is_led =
                    own > LEADER_MM && runs_over(&place.box, name->x, name->y, names[other].x, names[other].y);
                place.cost += is_led ? COST_OF_AMBIGUITY : 0;
            }
            name->places[name->n++] = place;
        }
    name->chosen = name->n;
}

/* Does the line from the point of a name to its place run through a box? */
static bool leads_through(const point_name *name, const beside *place, const ws_box *box)
{
    enum { STEPS = 16 };
    double x = fmin(fmax(name->x, place->box.x0), place->box.x1), y = fmin(fmax(name->y, place->box.y0), place->box.y1);
    for (int i = 0; i <= STEPS && gap_of(&place->box, name->x, name->y) > LEADER_MM; i++) {
        double share = (double)i / STEPS;
        if (gap_of(box, name->x + share * (x - name->x), name->y + share * (y - name->y)) < CLEAR_MM)
            return true;
    }
    return false;
}

static bool is_open(const point_name *names, size_t n, size_t i, size_t place)
{
    const beside *wanted = &names[i].places[place];
    for (size_t other = 0; other < n; other++) {
        if (other == i || names[other].chosen == names[other].n)
            continue;
        const beside *taken = &names[other].places[names[other].chosen];
        if (boxes_touch(&wanted->box, &taken->box) || leads_through(&names[i], wanted, &taken->box) ||
            leads_through(&names[other], taken, &wanted->box))
            return false;
    }
    return true;
}

/* Each but `fixed` takes the best place that the others leave it, in turn, until none gains. */
static void settle_in_turn(point_name *names, size_t n, size_t first, size_t fixed)
{
    bool has_moved = true;
    for (int round = 0; has_moved && round < 20; round++) {
        has_moved = false;
        for (size_t k = 0; k < n; k++) {
            size_t i = (first + k) % n;
            point_name *name = &names[i];
            size_t best = name->n;
            for (size_t place = 0; place < name->n && i != fixed; place++)
                if ((best == name->n || name->places[place].cost < name->places[best].cost) &&
                    is_open(names, n, i, place))
                    best = place;
            has_moved |= i != fixed && best != name->chosen;
            name->chosen = i == fixed ? name->chosen : best;
        }
    }
}

static double cost_of(const point_name *names, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += names[i].chosen < names[i].n ? names[i].places[names[i].chosen].cost : COST_OF_NO_NAME;
    return sum;
}

/* What was found so far, and what it costs. */
typedef struct best_places {
    size_t *chosen;
    double cost;
} best_places;

static void keep_if_better(point_name *names, size_t n, best_places *best)
{
    double cost = cost_of(names, n);
    bool is_better = cost < best->cost - 1e-9;
    best->cost = is_better ? cost : best->cost;
    for (size_t i = 0; i < n; i++)
        if (is_better)
            best->chosen[i] = names[i].chosen;
        else
            names[i].chosen = best->chosen[i];
}

/* From none placed, beginning with each in turn; then each is held on each of its places while the others make room. */
static void choose_places(point_name *names, size_t n, ws_arena *arena)
{
    enum { MOST_STARTS = 24, MOST_HELD = 16 };
    best_places best = {ws_arena_alloc(arena, (n + 1) * sizeof *best.chosen), INFINITY};
    for (size_t first = 0; first < n && first < MOST_STARTS; first++) {
        for (size_t i = 0; i < n; i++)
            names[i].chosen = names[i].n;
        settle_in_turn(names, n, first, n);
        keep_if_better(names, n, &best);
    }
    for (size_t i = 0; i < n && n <= MOST_HELD; i++)
        for (size_t place = 0; place < names[i].n; place++) {
            names[i].chosen = names[i].n;
            for (size_t other = 0; other < n; other++) {
                size_t at = names[other].chosen;
                names[other].chosen = names[other].n;
                if (other != i && at < names[other].n) {
                    names[i].chosen = place;
                    names[other].chosen = is_open(names, n, other, at) ? at : names[other].n;
                }
            }
            names[i].chosen = place;
            settle_in_turn(names, n, i, i);
            keep_if_better(names, n, &best);
        }
}

static void place_names(const search *s, const ws_panel_layout *place, const ws_panel *panel)
{
    point_name *names = ws_arena_alloc(&s->layout->arena, (panel->n_annotations + 1) * sizeof *names);
    size_t n = 0;
    for (size_t i = 0; i < panel->n_annotations; i++) {
        const ws_annotation *a = &panel->annotations[i];
        if (a->in_panel || !a->text || !*a->text)
            continue;
        point_name *name = &names[n++];
        name->text = (ws_placed_text){.role = WS_TEXT_ANNOTATION, .pt = WS_PT_TICK, .style = a->style};
        name->text.text = ws_text_clean(&s->layout->arena, a->text);
        name->x = ws_layout_mm(&place->x, a->x), name->y = ws_layout_mm(&place->y, a->y);
        name->width = shorten(s, &name->text);
    }
    for (size_t i = 0; i < n; i++)
        if (isfinite(names[i].x) && isfinite(names[i].y))
            find_places(s, names, n, i);
    choose_places(names, n, &s->layout->arena);
    for (size_t i = 0; i < n; i++) {
        point_name *name = &names[i];
        if (name->chosen == name->n) {
            leave_out(s, &name->text);
            continue;
        }
        const beside *chosen = &name->places[name->chosen];
        name->text.x = chosen->x, name->text.y = chosen->y, name->text.just = chosen->just;
        name->text.has_leader = gap_of(&chosen->box, name->x, name->y) > LEADER_MM;
        name->text.names_point = true;
        name->text.lead_x = name->x, name->text.lead_y = name->y;
        figure_place_settle(s, &name->text);
    }
}

/* Those that stand at shares of the panel, the upper ones first. */
typedef struct note_block {
    ws_placed_text *texts;
    double *widths;
    size_t n;
} note_block;

static note_block collect_notes(const search *s, const ws_panel *panel)
{
    ws_arena *arena = &s->layout->arena;
    const ws_box *f = s->frame;
    note_block b = {ws_arena_alloc(arena, (panel->n_annotations + 1) * sizeof *b.texts),
                    ws_arena_alloc(arena, (panel->n_annotations + 1) * sizeof *b.widths), 0};
    for (size_t i = 0; i < panel->n_annotations; i++) {
        const ws_annotation *a = &panel->annotations[i];
        if (!a->in_panel || !a->text || !*a->text)
            continue;
        ws_placed_text text = {.role = WS_TEXT_ANNOTATION, .pt = WS_PT_TICK, .style = a->style, .just = 1};
        text.text = ws_text_clean(arena, a->text);
        text.x = f->x0 + a->x * (f->x1 - f->x0);
        text.y = f->y0 + a->y * (f->y1 - f->y0) - ws_text_half(text.pt);
        size_t at = b.n++;
        for (; at && b.texts[at - 1].y < text.y; at--) {
            b.texts[at] = b.texts[at - 1];
            b.widths[at] = b.widths[at - 1];
        }
        b.texts[at] = text;
        b.widths[at] = ws_text_width(s->measure, text.text, text.pt, false);
    }
    return b;
}

static bool block_fits(const search *s, const note_block *b)
{
    for (size_t i = 0; i < b->n; i++)
        if (!isfinite(b->texts[i].x) || !isfinite(b->texts[i].y) || !fits(s, &b->texts[i], b->widths[i], WS_TAKEN))
            return false;
    return true;
}

/* Where they are wanted, or together a line or more below; then in a corner. False where they would cover data or
 * another text: they are read together, so none of them stands apart. */
static bool place_notes(const search *s, const ws_panel *panel)
{
    enum { LINES = 5 };
    const ws_box *f = s->frame;
    note_block b = collect_notes(s, panel);
    bool found = block_fits(s, &b);
    if (!b.n)
        return true;
    double right = b.texts[0].x, left = f->x0 + f->x1 - right, height = LINE_MM * (double)(b.n - 1);
    double top = f->y1 - LINE_MM, bottom = f->y0 + 1.5;
    const struct {
        double x, y, step, just; /* of the first line; to where the block is tried next */
    } starts[] = {{right, b.texts[0].y, -LINE_MM, 1},
                  {right, top, -LINE_MM, 1},
                  {left, top, -LINE_MM, 0},
                  {right, bottom + height, LINE_MM, 1},
                  {left, bottom + height, LINE_MM, 0}};
    for (size_t k = 0; k < sizeof starts / sizeof *starts && !found; k++)
        for (int shift = 0; shift < LINES && !found; shift++) {
            for (size_t i = 0; i < b.n; i++) {
                b.texts[i].x = starts[k].x;
                b.texts[i].y = starts[k].y + shift * starts[k].step - LINE_MM * (double)i;
                b.texts[i].just = starts[k].just;
            }
            found = block_fits(s, &b);
        }
    for (size_t i = 0; i < b.n && found; i++)
        figure_place_settle(s, &b.texts[i]);
    return found;
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

bool ws_layout_place_labels(ws_layout *layout, const ws_panel_layout *place, const ws_panel *panel,
                            const ws_text_measure *measure, ws_room *room)
{
    search s = {layout, measure, &place->frame, room};
    for (size_t i = 0; i < panel->n_references; i++)
        take_reference(&s, place, &panel->references[i]);
    for (size_t i = 0; i < panel->n_references && !layout->references_in_legend; i++)
        place_reference_label(&s, place, &panel->references[i]);
    bool all_placed = true;
    if (!layout->notes_outside)
        all_placed = place_notes(&s, panel);
    place_names(&s, place, panel);
    return all_placed;
}
