#include "formats/table/line_layout.h"

#include "core/arena.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LOOK_BYTES = 8, MOST_SHAPES = WS_LINE_LAYOUT_SLOTS / 8, LEAST_SHAPES = 8, MOST_BYTES = 256 * 1024 };

void ws_line_layouts_start(ws_line_layouts *shapes, char delimiter, const ws_plan *plan, const uint32_t *used,
                           size_t n_used)
{
    ws_line_layouts_free(shapes);
    size_t stride = sizeof(ws_line_layout) + plan->n_values * sizeof(ws_value_cell), most = MOST_SHAPES;
    while (most > LEAST_SHAPES && most * stride > MOST_BYTES)
        most /= 2;
    shapes->plan = plan;
    shapes->id_column = plan->is_wide ? WS_NO_COLUMN : plan->ids[plan->identity];
    shapes->used = used;
    shapes->n_used = n_used;
    shapes->stride = stride;
    shapes->most = most;
    shapes->items = ws_realloc(NULL, most, stride);
    ws_marks_init(&shapes->marks, delimiter);
}

void ws_line_layouts_free(ws_line_layouts *shapes)
{
    free(shapes->items);
    *shapes = (ws_line_layouts){0};
}

bool ws_value_read(const ws_plan_value *value, ws_span cell, double *number)
{
    size_t n = ws_span_decimal(cell, number);
    if (n && n == cell.n) {
        *number *= value->to_si;
        return true;
    }
    if (n && cell.n - n == value->cell_unit_n && ws_same_bytes(cell.p + n, value->cell_unit, value->cell_unit_n)) {
        *number *= value->cell_to_si;
        return true;
    }
    *number = NAN;
    return ws_span_is_missing(cell);
}

static size_t count_digits(ws_span text)
{
    size_t n = 0;
    while (n < text.n && (unsigned)text.p[n] - '0' <= 9)
        n++;
    return n;
}

/* Where the cell can be read as a word, it gets a look. What stands before it in its line makes up eight bytes. */
static void learn_look(ws_value_cell *cell, const ws_plan_value *value, const char *line)
{
    const char *begin = line + cell->at.begin + (line[cell->at.begin] == ' ' && cell->at.begin < cell->at.end);
    ws_span text = {begin, (size_t)(line + cell->at.end - begin)};
    ws_span trimmed = ws_span_trim(text), unit = {value->cell_unit, value->cell_unit_n};
    size_t whole = count_digits(text), decimals = 0, n = whole;
    if (n < text.n && text.p[n] == '.') {
        decimals = count_digits((ws_span){text.p + n + 1, text.n - n - 1});
        n += 1 + decimals;
    }
    bool is_word = text.n <= LOOK_BYTES && cell->at.end >= LOOK_BYTES && whole + decimals > 0;
    if (!is_word || (n < trimmed.n && !ws_span_same((ws_span){text.p + n, trimmed.n - n}, unit))) {
        cell->at.blank = 0;
        cell->at.is = '\n';
        return;
    }
    cell->look = ws_digit_template_of(text, whole, decimals);
    cell->divisor = ws_exact_powers[decimals];
    cell->to_si = n == trimmed.n ? value->to_si : value->cell_to_si;
}

static ws_place place_of(const ws_cut *cut, int32_t column)
{
    const char *line = cut->begin[0];
    if (column < 0)
        return (ws_place){.is = *line};
    const char *begin = cut->begin[column], *end = cut->begin[column + 1] - 1;
    const char *blank = begin < end && *begin == ' ' ? begin : end;
    return (ws_place){(uint16_t)(begin - line), (uint16_t)(end - line), (uint16_t)(blank - line), *blank};
}

/* Where the two columns are one or two neighbours. */
static void learn_names(ws_line_layout *shape, const ws_cut *cut, int32_t id, int32_t node)
{
    int32_t first = id < 0 || (node >= 0 && node < id) ? node : id, last = id > node ? id : node;
    shape->names = shape->names_n = 0;
    if (last < 0)
        return;
    shape->names = (uint16_t)(cut->begin[first] - cut->begin[0]);
    shape->names_n = last - first > 1 ? UINT16_MAX : (uint16_t)(cut->begin[last + 1] - cut->begin[first]);
}

static void learn(ws_line_layout *shape, const ws_line_layouts *shapes, const ws_cut *cut)
{
    const ws_plan *plan = shapes->plan;
    shape->returns = cut->begin[cut->n] != cut->next;
    shape->stamp = place_of(cut, plan->time);
    shape->date = place_of(cut, plan->date);
    shape->interval = place_of(cut, plan->interval);
    shape->id = place_of(cut, shapes->id_column);
    shape->node = place_of(cut, plan->node);
    learn_names(shape, cut, shapes->id_column, plan->node);
    for (size_t u = 0; u < shapes->n_used; u++) {
        const ws_plan_value *value = &plan->values[shapes->used[u]];
        ws_value_cell *cell = &shape->values[shapes->used[u]];
        cell->at = place_of(cut, (int32_t)value->column);
        learn_look(cell, value, cut->begin[0]);
    }
}

static ws_line_layout *add_shape(ws_line_layouts *shapes, uint64_t hash)
{
    if (shapes->n == shapes->most) {
        shapes->n = 0;
        memset(shapes->slots, 0, sizeof shapes->slots);
    }
    size_t slot = hash >> 54;
    while (shapes->slots[slot])
        slot = (slot + 1) % WS_LINE_LAYOUT_SLOTS;
    return shapes->slots[slot] = (ws_line_layout *)(void *)(shapes->items + shapes->n++ * shapes->stride);
}

const ws_line_layout *ws_line_layouts_learn(ws_line_layouts *shapes, const char *line, const char *end)
{
    ws_cut cut;
    uint64_t ends[WS_LINE_LAYOUT_WORDS] = {0}, hash = 0;
    if (!ws_cut_line(&cut, line, end, &shapes->marks, WS_MOST_CELLS, ws_masks_portable) ||
        cut.n != shapes->plan->n_columns || cut.next - line > WS_LINE_LAYOUT_WORDS * WS_WORD)
        return NULL;
    size_t words = (size_t)(cut.next - 1 - line) / WS_WORD + 1;
    for (size_t i = 1; i <= cut.n; i++) {
        size_t at = (size_t)((i < cut.n ? cut.begin[i] : cut.next) - 1 - line);
        ends[at / WS_WORD] |= UINT64_C(1) << at % WS_WORD;
    }
    for (size_t w = 0; w < words; w++)
        hash = ws_line_layout_hash(hash, ends[w]);
    ws_line_layout *shape = add_shape(shapes, hash);
    shape->words = (uint16_t)words;
    memcpy(shape->ends, ends, sizeof ends);
    learn(shape, shapes, &cut);
    return shape;
}
