#include "report/table/step_tree.h"

#include "report/table/step_formula.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

const char *ws_step_kind_name(ws_step_kind kind)
{
    static const char *const names[WS_STEP_N] = {
        [WS_STEP_READ] = "read",         [WS_STEP_COUNTED] = "counted", [WS_STEP_STATED] = "stated",
        [WS_STEP_ESTIMATE] = "estimate", [WS_STEP_SUM] = "sum",         [WS_STEP_MEAN] = "mean",
        [WS_STEP_RMSE] = "rmse",         [WS_STEP_SD] = "sd",           [WS_STEP_QUADRATURE] = "quadrature",
        [WS_STEP_LEAST] = "least",       [WS_STEP_MOST] = "most",       [WS_STEP_FORMULA] = "formula",
        [WS_STEP_MISSING] = "missing",   [WS_STEP_ABOUT] = "about"};
    return names[kind];
}

ws_step *ws_step_new(ws_arena *arena, ws_step_kind kind, const char *name, double value, const char *unit)
{
    ws_step *step = ws_arena_alloc(arena, sizeof *step);
    step->kind = kind;
    step->name = ws_arena_strdup(arena, name);
    step->value = value;
    step->unit = ws_arena_strdup(arena, unit);
    return step;
}

void ws_step_say(ws_arena *arena, ws_step *step, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    size_t n = (size_t)vsnprintf(NULL, 0, format, args) + 1;
    char *text = ws_arena_alloc(arena, n);
    vsnprintf(text, n, format, again);
    va_end(again);
    va_end(args);
    step->says = text;
}

/* Room for one more of an array in the arena; what it outgrows stays there. */
static void *grow(ws_arena *arena, void *old, size_t n, size_t *capacity, size_t size)
{
    if (n < *capacity)
        return old;
    *capacity = *capacity ? 2 * *capacity : 4;
    void *new = ws_arena_alloc(arena, *capacity * size);
    if (n)
        memcpy(new, old, n * size);
    return new;
}

static ws_step_fact *add_fact(ws_arena *arena, ws_step *step, const char *name)
{
    step->facts = grow(arena, step->facts, step->n_facts, &step->fact_capacity, sizeof *step->facts);
    ws_step_fact *fact = &step->facts[step->n_facts++];
    *fact = (ws_step_fact){.name = ws_arena_strdup(arena, name)};
    return fact;
}

void ws_step_fact_text(ws_arena *arena, ws_step *step, const char *name, const char *text)
{
    if (text && *text)
        add_fact(arena, step, name)->text = ws_arena_strdup(arena, text);
}

void ws_step_fact_number(ws_arena *arena, ws_step *step, const char *name, double number)
{
    if (isfinite(number))
        add_fact(arena, step, name)->number = number;
}

static void step_tree_add(ws_arena *arena, ws_step_list *list, ws_step *step)
{
    list->items = grow(arena, list->items, list->n, &list->capacity, sizeof *list->items);
    list->items[list->n++] = step;
}

void ws_step_add_part(ws_arena *arena, ws_step *step, ws_step *part)
{
    step_tree_add(arena, &step->parts, part);
}

void ws_step_add_beside(ws_arena *arena, ws_step *step, ws_step *other)
{
    step_tree_add(arena, &step->beside, other);
}

static double sum_of(const ws_step_list *parts)
{
    double sum = parts->n ? parts->items[0]->value : (double)NAN;
    for (size_t i = 1; i < parts->n; i++)
        sum += parts->items[i]->value;
    return sum;
}

static double squares_of(const ws_step_list *parts)
{
    double mean = sum_of(parts) / (double)parts->n, squares = 0;
    for (size_t i = 0; i < parts->n; i++)
        squares += (parts->items[i]->value - mean) * (parts->items[i]->value - mean);
    return squares;
}

static double quadrature_of(const ws_step_list *parts)
{
    double root = 0;
    for (size_t i = 0; i < parts->n; i++)
        root = hypot(root, parts->items[i]->value);
    return root;
}

static double extreme_of(const ws_step_list *parts, bool is_most)
{
    double found = NAN;
    for (size_t i = 0; i < parts->n; i++) {
        double value = parts->items[i]->value;
        found = isnan(found) || (is_most ? value > found : value < found) ? value : found;
    }
    return found;
}

static double part_named(const void *state, ws_span name)
{
    const ws_step *step = state;
    for (size_t i = 0; i < step->parts.n; i++)
        if (ws_span_eq(name, step->parts.items[i]->name))
            return step->parts.items[i]->value;
    return NAN;
}

double ws_step_result(const ws_step *step)
{
    double n = (double)step->parts.n;
    switch (step->kind) {
    case WS_STEP_SUM:
        return sum_of(&step->parts);
    case WS_STEP_MEAN:
        return sum_of(&step->parts) / n;
    case WS_STEP_RMSE:
        return sqrt(squares_of(&step->parts) / n);
    case WS_STEP_SD:
        return sqrt(squares_of(&step->parts) / (n - 1));
    case WS_STEP_QUADRATURE:
        return quadrature_of(&step->parts);
    case WS_STEP_LEAST:
        return extreme_of(&step->parts, false);
    case WS_STEP_MOST:
        return extreme_of(&step->parts, true);
    case WS_STEP_FORMULA:
        return ws_formula_value(step->formula, part_named, step);
    default:
        return step->value;
    }
}

static bool same_bits(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b));
}

const ws_step *ws_step_that_fails(const ws_step *step)
{
    if (!same_bits(step->value, ws_step_result(step)))
        return step;
    for (size_t i = 0; i < step->parts.n + step->beside.n; i++) {
        const ws_step *below = i < step->parts.n ? step->parts.items[i] : step->beside.items[i - step->parts.n];
        const ws_step *failed = ws_step_that_fails(below);
        if (failed)
            return failed;
    }
    return NULL;
}
