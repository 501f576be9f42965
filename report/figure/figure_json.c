/* Reads what figure_json_write.c shows; people write such files too, so keys that mean nothing are refused by name. */
#include "report/figure/figure_json.h"

#include "core/looks.h"

#include <jansson.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const scales[] = {
    [WS_AXIS_LINEAR] = "linear", [WS_AXIS_LOG2] = "log2", [WS_AXIS_LOG10] = "log10", [WS_AXIS_CATEGORY] = "category"};
static const char *const kinds[] = {"line",   "markers", "errors", "band", "bars",
                                    "dashed", "open",    "trace",  "mean", "doubtful"};
static const char *const places[] = {[WS_LEGEND_NONE] = "none",
                                     [WS_LEGEND_TOP] = "top",
                                     [WS_LEGEND_INSIDE] = "inside",
                                     [WS_LEGEND_CELL] = "cell",
                                     [WS_LEGEND_FACETS] = "facets"};
#define COUNT(array) (sizeof(array) / sizeof *(array))

const char *ws_axis_scale_name(ws_axis_scale scale)
{
    return scales[scale];
}

const char *ws_layer_kind_name(unsigned bit)
{
    for (size_t i = 0; i < COUNT(kinds); i++)
        if (bit == 1u << i)
            return kinds[i];
    return NULL;
}

/* Where in the file we are; the first failure stays in `error`. */
typedef struct place {
    const char *source;
    char path[120]; /* "panels[0].layers[2]" */
    ws_figure *figure;
    ws_error *error;
} place;

static ws_status fail(const place *at, const char *key, const char *what)
{
    return ws_fail_at(at->error, WS_FORMAT, at->source, 0, "%s%s%s: %s", at->path, *at->path && *key ? "." : "", key,
                      what);
}

static place inside(const place *at, const char *key, size_t index)
{
    place inner = *at;
    snprintf(inner.path, sizeof inner.path, "%.80s%s%s[%zu]", at->path, *at->path ? "." : "", key, index);
    return inner;
}

/* The value of a key; NULL where there is none or it is null. */
static const json_t *get(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    return value && !json_is_null(value) ? value : NULL;
}

/* An object that has no keys but these, which end with NULL. */
static ws_status check_keys(const place *at, const json_t *object, const char *const *keys)
{
    const char *key;
    json_t *value;
    if (!json_is_object(object))
        return fail(at, "", "an object is wanted here");
    json_object_foreach((json_t *)(uintptr_t)object, key, value)
    {
        size_t i = 0;
        while (keys[i] && strcmp(keys[i], key) != 0)
            i++;
        if (!keys[i])
            return ws_fail_at(at->error, WS_FORMAT, at->source, 0, "%s%s'%.80s' is no key here; see figure.schema.json",
                              at->path, *at->path ? ": " : "", key);
    }
    return WS_OK;
}

static ws_status read_text(const place *at, const json_t *object, const char *key, const char **text)
{
    const json_t *value = get(object, key);
    *text = NULL;
    if (!value)
        return WS_OK;
    if (!json_is_string(value))
        return fail(at, key, "a text is wanted here");
    *text = ws_arena_strdup(&at->figure->arena, json_string_value(value));
    return WS_OK;
}

static ws_status read_bool(const place *at, const json_t *object, const char *key, bool *flag)
{
    const json_t *value = get(object, key);
    if (value && !json_is_boolean(value))
        return fail(at, key, "true or false is wanted here");
    *flag = json_is_true(value);
    return WS_OK;
}

/* Missing: `otherwise`; NaN as that asks for one. */
static ws_status read_number(const place *at, const json_t *object, const char *key, double otherwise, double *number)
{
    const json_t *value = get(object, key);
    *number = otherwise;
    if (!value && isnan(otherwise))
        return fail(at, key, "a number is wanted here");
    if (value && !json_is_number(value))
        return fail(at, key, "this is not a number");
    if (value)
        *number = json_number_value(value);
    return WS_OK;
}

static ws_status read_count(const place *at, const json_t *object, const char *key, double otherwise, double least,
                            double most, double *count)
{
    ws_status status = read_number(at, object, key, otherwise, count);
    if (status == WS_OK && (*count < least || *count > most || *count != floor(*count)))
        return ws_fail_at(at->error, WS_FORMAT, at->source, 0, "%s%s%s: %g is not a whole number from %g to %g",
                          at->path, *at->path ? "." : "", key, *count, least, most);
    return status;
}

static ws_status read_word(const place *at, const char *key, const json_t *value, const char *const *words, size_t n,
                           size_t *found)
{
    const char *word = json_string_value(value);
    for (size_t i = 0; word && i < n; i++)
        if (strcmp(word, words[i]) == 0) {
            *found = i;
            return WS_OK;
        }
    return ws_fail_at(at->error, WS_FORMAT, at->source, 0, "%s%s%s: '%.80s' is not known here; '%s' would be, for one",
                      at->path, *at->path ? "." : "", key, word ? word : "", words[0]);
}

/* Numbers of an array, null as NaN, in the figure's arena; *numbers is NULL where the key is missing. */
static ws_status read_numbers(const place *at, const json_t *object, const char *key, size_t n, const double **numbers)
{
    const json_t *list = get(object, key);
    *numbers = NULL;
    if (!list)
        return WS_OK;
    if (!json_is_array(list) || json_array_size(list) != n)
        return ws_fail_at(at->error, WS_FORMAT, at->source, 0, "%s.%s: a list of %zu numbers is wanted here", at->path,
                          key, n);
    double *values = ws_arena_alloc(&at->figure->arena, (n + 1) * sizeof *values);
    for (size_t i = 0; i < n; i++) {
        const json_t *value = json_array_get(list, i);
        if (!json_is_number(value) && !json_is_null(value))
            return ws_fail_at(at->error, WS_FORMAT, at->source, 0, "%s.%s[%zu]: this is neither a number nor null",
                              at->path, key, i);
        values[i] = json_is_null(value) ? NAN : json_number_value(value);
    }
    *numbers = values;
    return WS_OK;
}

static ws_status read_categories(const place *at, const json_t *object, ws_axis *axis)
{
    const json_t *list = get(object, "categories");
    size_t n = json_array_size(list);
    if (list && !json_is_array(list))
        return fail(at, "categories", "a list of texts is wanted here");
    const char **names = ws_arena_alloc(&at->figure->arena, (n + 1) * sizeof *names);
    for (size_t i = 0; i < n; i++) {
        const char *name = json_string_value(json_array_get(list, i));
        if (!name)
            return fail(at, "categories", "a list of texts is wanted here");
        names[i] = ws_arena_strdup(&at->figure->arena, name);
    }
    axis->categories = names;
    axis->n_categories = n;
    return WS_OK;
}

static ws_status read_ticks(const place *at, const json_t *object, ws_axis *axis)
{
    axis->n_tick_values = json_array_size(get(object, "ticks"));
    ws_status status = read_numbers(at, object, "ticks", axis->n_tick_values, &axis->tick_values);
    for (size_t i = 0; status == WS_OK && i < axis->n_tick_values; i++) {
        double value = axis->tick_values[i];
        if (!isfinite(value) || (i && value <= axis->tick_values[i - 1]))
            status = fail(at, "ticks", "numbers are wanted here, the smaller ones first");
        else if (isnan(ws_axis_position(axis, value)))
            status = fail(at, "ticks", "one has no place on this axis");
    }
    return status;
}

static ws_status read_axis(const place *panel, const json_t *object, const char *key, ws_axis *axis)
{
    static const char *const keys[] = {"scale",       "label",      "range", "from_zero",
                                       "hide_labels", "categories", "ticks", NULL};
    const json_t *source = get(object, key);
    place at = *panel;
    size_t scale = WS_AXIS_LINEAR;
    const double *range;
    if (!source)
        return WS_OK;
    snprintf(at.path, sizeof at.path, "%.100s.%s", panel->path, key);
    ws_status status = check_keys(&at, source, keys);
    if (status == WS_OK && get(source, "scale"))
        status = read_word(&at, "scale", get(source, "scale"), scales, COUNT(scales), &scale);
    axis->scale = (ws_axis_scale)scale;
    if (status == WS_OK)
        status = read_text(&at, source, "label", &axis->label);
    if (status == WS_OK)
        status = read_bool(&at, source, "from_zero", &axis->from_zero);
    if (status == WS_OK)
        status = read_bool(&at, source, "hide_labels", &axis->hide_labels);
    if (status == WS_OK)
        status = read_categories(&at, source, axis);
    if (status == WS_OK)
        status = read_numbers(&at, source, "range", 2, &range);
    if (status == WS_OK && range)
        axis->has_range = true, axis->lo = range[0], axis->hi = range[1];
    return status == WS_OK ? read_ticks(&at, source, axis) : status;
}

static ws_status read_kind(const place *at, const json_t *object, unsigned *kind)
{
    const json_t *list = get(object, "kind");
    *kind = 0;
    if (!json_is_array(list) || !json_array_size(list))
        return fail(at, "kind", "a list such as [\"line\",\"markers\"] is wanted here");
    for (size_t i = 0; i < json_array_size(list); i++) {
        size_t bit;
        ws_status status = read_word(at, "kind", json_array_get(list, i), kinds, COUNT(kinds), &bit);
        if (status != WS_OK)
            return status;
        *kind |= 1u << bit;
    }
    return WS_OK;
}

static ws_status read_layer(const place *at, const json_t *source, ws_panel *panel)
{
    static const char *const keys[] = {"label", "kind", "style", "x", "y", "error", "x_error", "lo", "hi", NULL};
    ws_layer layer = {.n = json_array_size(get(source, "x"))};
    double style = 0;
    ws_status status = check_keys(at, source, keys);
    if (status == WS_OK)
        status = read_text(at, source, "label", &layer.label);
    if (status == WS_OK)
        status = read_kind(at, source, &layer.kind);
    if (status == WS_OK)
        status = read_count(at, source, "style", 0, -1, INT_MAX, &style);
    const struct {
        const char *key;
        const double **numbers;
    } lists[] = {{"x", &layer.x},   {"y", &layer.y},  {"error", &layer.error}, {"x_error", &layer.x_error},
                 {"lo", &layer.lo}, {"hi", &layer.hi}};
    for (size_t i = 0; i < COUNT(lists) && status == WS_OK; i++)
        status = read_numbers(at, source, lists[i].key, layer.n, lists[i].numbers);
    if (status != WS_OK)
        return status;
    if (!layer.x || !layer.y)
        return fail(at, layer.x ? "y" : "x", "a list of numbers is wanted here");
    if (!layer.lo != !layer.hi)
        return fail(at, layer.lo ? "hi" : "lo", "lo and hi belong together");
    layer.style = (int)style;
    panel->layers = ws_grow(panel->layers, &panel->layer_capacity, panel->n_layers + 1, sizeof *panel->layers);
    panel->layers[panel->n_layers++] = layer;
    return WS_OK;
}

static ws_status read_annotation(const place *at, const json_t *source, ws_panel *panel)
{
    static const char *const keys[] = {"text", "style", "in_panel", "x", "y", NULL};
    const char *text = NULL;
    bool in_panel = false;
    double style = -1, x = 0, y = 0;
    ws_status status = check_keys(at, source, keys);
    if (status == WS_OK)
        status = read_text(at, source, "text", &text);
    if (status == WS_OK)
        status = read_bool(at, source, "in_panel", &in_panel);
    if (status == WS_OK)
        status = read_count(at, source, "style", -1, -1, INT_MAX, &style);
    if (status == WS_OK)
        status = read_number(at, source, "x", NAN, &x);
    if (status == WS_OK)
        status = read_number(at, source, "y", NAN, &y);
    if (status == WS_OK)
        ws_panel_annotate(at->figure, panel, text, (int)style, in_panel, x, y);
    return status;
}

static ws_status read_reference(const place *at, const json_t *source, ws_panel *panel)
{
    static const char *const keys[] = {"vertical", "value", "label", NULL};
    const char *label = NULL;
    bool vertical = false;
    double value = 0;
    ws_status status = check_keys(at, source, keys);
    if (status == WS_OK)
        status = read_text(at, source, "label", &label);
    if (status == WS_OK)
        status = read_bool(at, source, "vertical", &vertical);
    if (status == WS_OK)
        status = read_number(at, source, "value", NAN, &value);
    if (status == WS_OK)
        ws_panel_add_reference(at->figure, panel, vertical, value, label);
    return status;
}

typedef ws_status item_reader(const place *at, const json_t *source, ws_panel *panel);

static ws_status read_items(const place *at, const json_t *object, const char *key, item_reader *read, ws_panel *panel)
{
    const json_t *list = get(object, key);
    ws_status status = list && !json_is_array(list) ? fail(at, key, "a list is wanted here") : WS_OK;
    for (size_t i = 0; status == WS_OK && i < json_array_size(list); i++) {
        place item = inside(at, key, i);
        status = read(&item, json_array_get(list, i), panel);
    }
    return status;
}

/* The panel is the newest of the figure. */
static ws_status read_panel(const place *at, const json_t *source, ws_panel *unused)
{
    (void)unused;
    static const char *const keys[] = {"letter", "title",       "share",      "x", "y",
                                       "layers", "annotations", "references", NULL};
    double share = 0;
    ws_panel *panel = ws_figure_add_panel(at->figure, NULL, NULL);
    ws_status status = check_keys(at, source, keys);
    if (status == WS_OK)
        status = read_text(at, source, "letter", &panel->letter);
    if (status == WS_OK)
        status = read_text(at, source, "title", &panel->title);
    if (status == WS_OK)
        status = read_count(at, source, "share", 0, 0, 1000, &share);
    panel->share = (int)share;
    if (status == WS_OK)
        status = read_axis(at, source, "x", &panel->x);
    if (status == WS_OK)
        status = read_axis(at, source, "y", &panel->y);
    if (status == WS_OK)
        status = read_items(at, source, "layers", read_layer, panel);
    if (status == WS_OK)
        status = read_items(at, source, "annotations", read_annotation, panel);
    if (status == WS_OK)
        status = read_items(at, source, "references", read_reference, panel);
    return status;
}

static ws_status read_page(const place *at, const json_t *root)
{
    static const char *const keys[] = {"schema",  "name",     "width_mm", "height_mm", "rows",   "columns", "synthetic",
                                       "caption", "footnote", "legend",   "looks",     "panels", NULL};
    ws_figure *figure = at->figure;
    double rows = 1, columns = 1;
    size_t legend = WS_LEGEND_TOP;
    ws_status status = check_keys(at, root, keys);
    const char *schema = json_string_value(get(root, "schema"));
    if (status == WS_OK && (!schema || strcmp(schema, "wattscale.figure/1") != 0))
        return fail(at, "schema", "'wattscale.figure/1' is wanted here");
    const struct {
        const char *key, **text;
    } texts[] = {{"name", &figure->name}, {"caption", &figure->caption}, {"footnote", &figure->footnote}};
    for (size_t i = 0; i < COUNT(texts) && status == WS_OK; i++)
        status = read_text(at, root, texts[i].key, texts[i].text);
    if (status == WS_OK)
        status = read_number(at, root, "width_mm", NAN, &figure->width_mm);
    if (status == WS_OK)
        status = read_number(at, root, "height_mm", NAN, &figure->height_mm);
    if (status == WS_OK)
        status = read_count(at, root, "rows", 1, 1, 100, &rows);
    if (status == WS_OK)
        status = read_count(at, root, "columns", 1, 1, 100, &columns);
    if (status == WS_OK)
        status = read_bool(at, root, "synthetic", &figure->synthetic);
    if (status == WS_OK && get(root, "legend"))
        status = read_word(at, "legend", get(root, "legend"), places, COUNT(places), &legend);
    figure->rows = (size_t)rows, figure->columns = (size_t)columns, figure->legend = (ws_legend_place)legend;
    return status;
}

static ws_status read_look(const place *at, const json_t *source, ws_panel *unused)
{
    (void)unused;
    static const char *const keys[] = {"style", "colour", "marker", NULL};
    double style;
    ws_look look = {.column = "", .colour = -1, .marker = -1};
    ws_error why = {0};
    ws_status status = check_keys(at, source, keys);
    if (status == WS_OK)
        status = read_count(at, source, "style", NAN, 0, INT_MAX, &style);
    for (size_t i = 1; keys[i] && status == WS_OK; i++) {
        const char *text = NULL;
        status = read_text(at, source, keys[i], &text);
        if (status == WS_OK && text &&
            ws_look_set(&look, &at->figure->arena, ws_span_of(keys[i]), ws_span_of(text), &why) != WS_OK)
            return fail(at, keys[i], why.message);
    }
    if (status == WS_OK)
        ws_figure_set_look(at->figure, (int)style, look.colour, look.marker);
    return status;
}

ws_status ws_figure_read_json(ws_figure *figure, const char *text, size_t n, const char *source, ws_error *error)
{
    json_error_t problem;
    json_t *root = json_loadb(text, n, JSON_REJECT_DUPLICATES, &problem);
    ws_figure_init(figure, "", 0, 0, 1, 1);
    if (!root)
        return ws_fail_at(error, WS_FORMAT, source, problem.line, "%s", problem.text);
    place at = {source, "", figure, error};
    ws_status status = read_page(&at, root);
    if (!figure->name)
        figure->name = "";
    if (status == WS_OK)
        status = read_items(&at, root, "looks", read_look, NULL);
    if (status == WS_OK)
        status = read_items(&at, root, "panels", read_panel, NULL);
    json_decref(root);
    return status;
}
