#include "core/looks.h"

#include "core/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const ws_marker_names[] = {"circle", "square", "triangle", "diamond", "down", "pentagon"};

static const char *const settings[] = {"name", "unit", "order", "colour", "marker"};
enum { N_SETTINGS = sizeof settings / sizeof *settings };

static bool same_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

/* A number is the same value however it is written. */
static bool is_value(const char *wanted, const char *value)
{
    double a, b;
    return strcmp(wanted, value) == 0 ||
           (ws_span_double(ws_span_of(wanted), &a) && ws_span_double(ws_span_of(value), &b) && a == b);
}

ws_look *ws_looks_at(ws_looks *looks, ws_arena *arena, ws_span key, ws_error *error)
{
    ws_span column = ws_span_trim(key), value = {NULL, 0};
    bool has_value = ws_span_cut(key, "=", &column, &value);
    column = ws_span_trim(column);
    value = ws_span_trim(value);
    if (!column.n || (has_value && !value.n)) {
        ws_fail(error, WS_USAGE, "'%.*s' is no COLUMN or COLUMN=VALUE that could have a look", WS_SPAN_ARG(key));
        return NULL;
    }
    const char *of = ws_arena_strndup(arena, column.p, column.n);
    const char *is = has_value ? ws_arena_strndup(arena, value.p, value.n) : NULL;
    for (size_t i = 0; i < looks->n; i++)
        if (same_text(looks->items[i].column, of) && same_text(looks->items[i].value, is))
            return &looks->items[i];
    looks->items = ws_grow(looks->items, &looks->capacity, looks->n + 1, sizeof *looks->items);
    looks->items[looks->n] = (ws_look){of, is, NULL, NULL, 1, NAN, -1, -1};
    return &looks->items[looks->n++];
}

/* Shares that stand between 0 and 1. */
static bool is_share(const char *column)
{
    static const char *const shares[] = {"util_mean", "util_cv",    "mem_util_mean", "mem_util_cv", "gpu_share",
                                         "cpu_share", "dram_share", "efficiency",    "coverage"};
    for (size_t i = 0; i < sizeof shares / sizeof *shares; i++)
        if (strcmp(column, shares[i]) == 0)
            return true;
    return false;
}

/* Energies for each of something: they may stand in another unit of energy, or in a word of the user's. */
static bool is_energy_per(const char *column)
{
    static const char *const rates[] = {"kwh_per_gpuh", "wh_per_sample", "wh_per_sample_seen"};
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++)
        if (strcmp(column, rates[i]) == 0)
            return true;
    return false;
}

/* "samples_per_s" is no time. */
static const ws_unit *unit_of(const char *column)
{
    ws_span bare;
    const ws_unit *unit = ws_unit_in_name(ws_span_of(column), &bare);
    return unit && !is_share(column) && strcmp(column, "gpu_h") != 0 && !ws_span_has_suffix(bare, "_per") &&
                   !ws_span_has_suffix(bare, "per")
               ? unit
               : NULL;
}

static ws_status set_unit(ws_look *look, const char *name, ws_error *error)
{
    const ws_unit *from = unit_of(look->column), *to = ws_unit_find(ws_span_of(name));
    double share = is_share(look->column) && strcmp(name, "%") == 0 ? 100 : 1;
    if (look->value)
        return ws_fail(error, WS_USAGE, "'%s=%s' is a value, and units are of columns", look->column, look->value);
    if (from && (!to || to->dimension != from->dimension))
        return ws_fail(error, WS_USAGE, "'%s' is in %s, which cannot be written in '%s'", look->column, from->name,
                       name);
    if (is_energy_per(look->column) && to && to->dimension == WS_DIM_ENERGY)
        from = ws_unit_find(ws_span_of(*look->column == 'k' ? "kWh" : "Wh"));
    look->unit = name;
    look->factor = from ? from->to_si / to->to_si : share;
    return WS_OK;
}

static bool read_colour(ws_span text, int32_t *colour)
{
    static const char digits[] = "0123456789abcdef";
    *colour = 0;
    for (size_t i = 1; i < text.n; i++) {
        char c = text.p[i] >= 'A' && text.p[i] <= 'F' ? (char)(text.p[i] | 0x20) : text.p[i];
        const char *at = strchr(digits, c);
        if (!c || !at)
            return false;
        *colour = *colour * 16 + (int32_t)(at - digits);
    }
    return text.n == 7 && text.p[0] == '#';
}

static bool read_marker(ws_span text, int *marker)
{
    for (*marker = 0; *marker < WS_MARKER_NAMES; ++*marker)
        if (ws_span_eq(text, ws_marker_names[*marker]))
            return true;
    return false;
}

ws_status ws_look_set(ws_look *look, ws_arena *arena, ws_span setting, ws_span value, ws_error *error)
{
    size_t i = 0;
    double order;
    while (i < N_SETTINGS && !ws_span_eq(setting, settings[i]))
        i++;
    const char *text = ws_arena_strndup(arena, value.p ? value.p : "", value.n);
    if (i >= 2 && i < N_SETTINGS && !look->value && look->column && *look->column) /* of none: a series of a figure */
        return ws_fail(error, WS_USAGE,
                       "'%s' is a column, and order, colour and marker are of values, as of series=lbs256",
                       look->column);
    switch (i) {
    case 0:
        look->name = text;
        return WS_OK;
    case 1:
        return set_unit(look, text, error);
    case 2:
        if (!ws_span_double(value, &order) || !isfinite(order))
            return ws_fail(error, WS_USAGE, "the order '%s' is no number", text);
        look->order = order;
        return WS_OK;
    case 3:
        return read_colour(value, &look->colour)
                   ? WS_OK
                   : ws_fail(error, WS_USAGE, "the colour '%s' is not written as '#bb5566'", text);
    case 4:
        return read_marker(value, &look->marker)
                   ? WS_OK
                   : ws_fail(error, WS_USAGE,
                             "the marker must be circle, square, triangle, diamond, down or pentagon, not '%s'", text);
    default:
        return ws_fail(error, WS_USAGE, "a look has no '%.*s'; there are: name unit order colour marker",
                       WS_SPAN_ARG(setting));
    }
}

/* The length of "NAME=" where a setting begins here, else 0. */
static size_t setting_at(ws_span text)
{
    for (size_t i = 0; i < N_SETTINGS; i++) {
        size_t n = strlen(settings[i]);
        if (text.n > n && memcmp(text.p, settings[i], n) == 0 && text.p[n] == '=')
            return n + 1;
    }
    return 0;
}

/* Up to a comma behind which another setting begins: a name may hold commas. */
static size_t piece_length(ws_span text)
{
    for (size_t i = 0; i < text.n; i++)
        if (text.p[i] == ',' && setting_at(ws_span_trim((ws_span){text.p + i + 1, text.n - i - 1})))
            return i;
    return text.n;
}

ws_status ws_looks_parse(ws_looks *looks, ws_arena *arena, const char *text, ws_error *error)
{
    ws_span key, rest;
    if (!ws_span_cut(ws_span_of(text), ": ", &key, &rest))
        return ws_fail(error, WS_USAGE, "'%.80s' is no look such as 'series=lbs256: name=local batch 256'", text);
    ws_look *look = ws_looks_at(looks, arena, key, error);
    if (!look)
        return WS_USAGE;
    for (rest = ws_span_trim(rest); rest.n;) {
        size_t n = piece_length(rest);
        ws_span piece = ws_span_trim((ws_span){rest.p, n}), setting, value;
        if (!ws_span_cut(piece, "=", &setting, &value))
            return ws_fail(error, WS_USAGE,
                           "'%.*s' of a look is no NAME=VALUE; there are: name unit order colour marker",
                           WS_SPAN_ARG(piece));
        ws_status status = ws_look_set(look, arena, ws_span_trim(setting), ws_span_trim(value), error);
        if (status != WS_OK)
            return status;
        n += n < rest.n;
        rest = ws_span_trim((ws_span){rest.p + n, rest.n - n});
    }
    return WS_OK;
}

void ws_looks_merge(ws_looks *looks, ws_arena *arena, const ws_looks *from)
{
    for (size_t i = 0; i < from->n; i++) {
        const ws_look *f = &from->items[i];
        const char *key = f->value ? ws_arena_printf(arena, "%s=%s", f->column, f->value) : f->column;
        ws_look *look = ws_looks_at(looks, arena, ws_span_of(key), NULL);
        look->name = f->name ? ws_arena_strdup(arena, f->name) : look->name;
        look->factor = f->unit ? f->factor : look->factor;
        look->unit = f->unit ? ws_arena_strdup(arena, f->unit) : look->unit;
        look->order = isnan(f->order) ? look->order : f->order;
        look->colour = f->colour < 0 ? look->colour : f->colour;
        look->marker = f->marker < 0 ? look->marker : f->marker;
    }
}

void ws_looks_free(ws_looks *looks)
{
    free(looks->items);
    *looks = (ws_looks){0};
}

const ws_look *ws_look_of_column(const ws_looks *looks, const char *column)
{
    for (size_t i = 0; looks && i < looks->n; i++)
        if (!looks->items[i].value && strcmp(looks->items[i].column, column) == 0)
            return &looks->items[i];
    return NULL;
}

const ws_look *ws_look_of_value(const ws_looks *looks, const char *column, const char *value)
{
    for (size_t i = 0; looks && i < looks->n; i++)
        if (looks->items[i].value && strcmp(looks->items[i].column, column) == 0 &&
            is_value(looks->items[i].value, value))
            return &looks->items[i];
    return NULL;
}
