/* Looks of series, found by what the legend calls them. */
#include "analyze/recipes/series_looks.h"

#include "analyze/recipes/axis_names.h"
#include "core/text.h"
#include "report/table/table_print.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

static bool is_name(const char *column)
{
    static const char *const names[] = {"series", "model", "model_class", "device", "run"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(column, names[i]) == 0)
            return true;
    return false;
}

/* "batch size 8", "temp 20 °C": a number alone says nothing in a legend. */
static const char *with_its_column(const ws_looks *looks, ws_arena *arena, const char *column, const char *text)
{
    if (strcmp(column, "gpus") == 0)
        return ws_arena_printf(arena, "%s GPU%s", text, strcmp(text, "1") == 0 ? "" : "s");
    char *words = ws_arena_strdup(arena, ws_axis_label(looks, arena, column)), *unit = strstr(words, " / ");
    if (unit) {
        *unit = '\0';
        unit += strlen(" / ");
    }
    ws_begin_small(words);
    return ws_arena_printf(arena, "%s %s%s%s", words, text, unit ? " " : "", unit ? unit : "");
}

/* "GBS 32 768" */
static const char *batch_words(ws_arena *arena, char kind, const char *number)
{
    char grouped[WS_CELL_TEXT];
    ws_group_digits(grouped, number);
    return ws_arena_printf(arena, "%cBS %s", kind, grouped);
}

const char *ws_series_spelled(const ws_looks *looks, ws_arena *arena, const char *column, const char *text)
{
    double value;
    const ws_look *look = ws_look_of_value(looks, column, text);
    if (look && look->name)
        return look->name;
    bool is_batch = strncmp(text, "lbs", 3) == 0 || strncmp(text, "gbs", 3) == 0;
    if (is_batch && text[3] && strspn(text + 3, "0123456789") == strlen(text + 3))
        return batch_words(arena, (char)(text[0] - 'a' + 'A'), text + 3);
    if (strcmp(column, "lbs") == 0 || strcmp(column, "gbs") == 0)
        return batch_words(arena, (char)(column[0] - 'a' + 'A'), text);
    if (strcmp(column, "power_cap_w") == 0)
        return ws_arena_printf(arena, "%s W", text);
    if (strcmp(column, "clock_cap_hz") == 0 && ws_span_double(ws_span_of(text), &value)) {
        char mhz[WS_DOUBLE_TEXT];
        ws_double_text(mhz, value / 1e6);
        return ws_arena_printf(arena, "%s MHz", mhz);
    }
    if (!is_name(column) && ws_span_double(ws_span_of(text), &value))
        return with_its_column(looks, arena, column, text);
    return ws_arena_strdup(arena, text);
}

/* A label ends before what a fit adds to it, and its parts are told apart by commas; a name may hold commas itself. */
bool ws_label_has_part(const char *label, const char *part)
{
    const char *end = strstr(label, ": ");
    size_t n = strlen(part);
    end = end ? end : label + strlen(label);
    for (const char *at = label; at && at < end;) {
        bool ends = (size_t)(end - at) == n || ((size_t)(end - at) > n && strncmp(at + n, ", ", 2) == 0);
        if (n && ends && strncmp(at, part, n) == 0)
            return true;
        at = strstr(at, ", ");
        at = at ? at + 2 : NULL;
    }
    return false;
}

ws_look ws_look_of_label(const ws_looks *looks, ws_arena *arena, const char *label)
{
    ws_look found = {.order = NAN, .colour = -1, .marker = -1, .factor = 1};
    for (size_t i = 0; looks && label && i < looks->n; i++) {
        const ws_look *look = &looks->items[i];
        if (!look->value || !ws_label_has_part(label, ws_series_spelled(looks, arena, look->column, look->value)))
            continue;
        found.order = isnan(found.order) ? look->order : found.order;
        found.colour = found.colour < 0 ? look->colour : found.colour;
        found.marker = found.marker < 0 ? look->marker : found.marker;
    }
    return found;
}

int ws_looks_order(const ws_looks *looks, const char *a, const char *b)
{
    ws_arena arena = {0};
    if (!looks || !looks->n)
        return 0;
    double x = ws_look_of_label(looks, &arena, a).order, y = ws_look_of_label(looks, &arena, b).order;
    ws_arena_free(&arena);
    x = isnan(x) ? INFINITY : x;
    y = isnan(y) ? INFINITY : y;
    return (x > y) - (x < y);
}

/* An axis that has the usual title of a column takes the name that was given to it. */
static void name_axis(ws_figure *figure, const ws_looks *looks, ws_axis *axis)
{
    for (size_t i = 0; i < looks->n && axis->label; i++) {
        const ws_look *look = &looks->items[i];
        if (!look->value && look->name && !look->unit &&
            strcmp(axis->label, ws_axis_label(NULL, &figure->arena, look->column)) == 0)
            axis->label = ws_axis_label(looks, &figure->arena, look->column);
    }
}

static bool says(const char *text, const char *part)
{
    return text && strstr(text, part);
}

static bool panel_says(const ws_panel *panel, const char *part)
{
    bool found = says(panel->title, part) || says(panel->x.label, part) || says(panel->y.label, part);
    for (size_t i = 0; i < panel->n_layers && !found; i++)
        found = says(panel->layers[i].label, part);
    for (size_t i = 0; i < panel->n_annotations && !found; i++)
        found = says(panel->annotations[i].text, part);
    for (size_t i = 0; i < panel->x.n_categories && !found; i++)
        found = says(panel->x.categories[i], part);
    return found;
}

bool ws_figure_shows_look(const ws_figure *figure, const ws_looks *looks, const ws_look *look)
{
    ws_arena arena = {0};
    const char *part = look->value                 ? ws_series_spelled(looks, &arena, look->column, look->value)
                       : look->unit && *look->unit ? look->unit
                                                   : look->name;
    bool shown = !part || !*part;
    /* "Devices" begins small in a legend: "devices 8". */
    part += !shown && !look->value && (unsigned char)*part < 0x80;
    for (size_t p = 0; p < figure->n_panels && !shown; p++)
        shown = panel_says(&figure->panels[p], part);
    ws_arena_free(&arena);
    return shown;
}

/* The colour of bar `i` of n: between those that print apart in grey, too. */
static int32_t ramp_colour(size_t i, size_t n)
{
    static const double dark[] = {0x00, 0x44, 0x88}, light[] = {0xb5, 0xd3, 0xee}, middle[] = {0x66, 0x99, 0xcc};
    const double *end = n > 2 ? light : middle; /* of two as far apart as in other figures */
    int32_t colour = 0;
    for (size_t k = 0; k < 3; k++) {
        double share = n > 1 ? (double)i / (double)(n - 1) : 0;
        colour = colour * 256 + (int32_t)lround(dark[k] + share * (end[k] - dark[k]));
    }
    return colour;
}

void ws_figure_ramp_bars(ws_figure *figure, const ws_looks *looks, int reference)
{
    const int32_t grey = 0xbbbbbb;
    enum { MOST = 64 };
    const char *labels[MOST] = {NULL};
    size_t n = 0, i = 0;
    for (size_t p = 0; p < figure->n_panels; p++)
        for (size_t l = 0; l < figure->panels[p].n_layers; l++) {
            const ws_layer *layer = &figure->panels[p].layers[l];
            if (layer->kind & WS_LAYER_BARS && layer->style >= 0 && layer->style < MOST && layer->label) {
                n += !labels[layer->style] && layer->style != reference;
                labels[layer->style] = layer->label;
            }
        }
    for (int style = 0; style < MOST; style++) {
        if (!labels[style])
            continue;
        if (ws_look_of_label(looks, &figure->arena, labels[style]).colour < 0)
            ws_figure_set_look(figure, style, style == reference ? grey : ramp_colour(i, n), -1);
        i += style != reference;
    }
}

void ws_figure_take_looks(ws_figure *figure, const ws_looks *looks)
{
    for (size_t p = 0; looks && p < figure->n_panels; p++) {
        name_axis(figure, looks, &figure->panels[p].x);
        name_axis(figure, looks, &figure->panels[p].y);
    }
    for (size_t p = 0; looks && looks->n && p < figure->n_panels; p++)
        for (size_t l = 0; l < figure->panels[p].n_layers; l++) {
            const ws_layer *layer = &figure->panels[p].layers[l];
            ws_look look = ws_look_of_label(looks, &figure->arena, layer->label);
            if (layer->style >= 0 && (look.colour >= 0 || look.marker >= 0))
                ws_figure_set_look(figure, layer->style, look.colour, look.marker);
        }
}

/* The "W" of "100 W" and "100 W, LBS 8", where the name stands at its number; nothing of "100x" and "100". */
static ws_span unit_behind(const char *number)
{
    const char *word = number + strspn(number, "0123456789.");
    word += *word == ' ';
    size_t n = 0;
    while (isalpha((unsigned char)word[n]))
        n++;
    bool is_unit = word > number && word[-1] == ' ' && (!word[n] || word[n] == ',');
    return (ws_span){word, is_unit ? n : 0};
}

static int compare_units(const char *a, const char *b)
{
    ws_span x = unit_behind(a), y = unit_behind(b);
    int order = memcmp(x.p, y.p, x.n < y.n ? x.n : y.n);
    return order ? order : (x.n > y.n) - (x.n < y.n);
}

int ws_series_order(const char *a, const char *b)
{
    while (*a && *b) {
        size_t digits_a = strspn(a, "0123456789"), digits_b = strspn(b, "0123456789");
        int by_unit = digits_a && digits_b ? compare_units(a, b) : 0;
        if (by_unit)
            return by_unit;
        if (digits_a && digits_b && digits_a != digits_b)
            return digits_a < digits_b ? -1 : 1;
        if (*a != *b)
            break;
        a++;
        b++;
    }
    return strcmp(a, b);
}
