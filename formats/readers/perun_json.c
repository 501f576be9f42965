/* perun's JSON export: the whole tree in one object. `nodes` is a list that holds one object (a stray comma):
 *
 *   {"id": "perun", "type": 1, "metadata": {...}, "metrics": {"energy": {"mean": 65598.7, "metric_md": {"unit": "J",
 *   "mag": 1.0, ...}}}, "regions": null, "deviceType": null, "processed": true, "nodes": [{"3172377": {"id": ...
 *   ... "raw_data": {"timesteps": [0.0, 0.99], "values": [61554, 61207], "t_md": {"unit": "s", "mag": 1.0, ...},
 *   "v_md": {"unit": "W", "mag": 0.001, "max": 400000, ...}, "alt_values": null, "alt_v_md": null} */
#include "formats/format.h"
#include "formats/table/json_file.h"
#include "formats/hdf5/perun_samples.h"
#include "formats/hdf5/perun_walk.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const size_t LARGEST_TEXT = (size_t)1 << 30;

static int score_perun_json(const char *path, ws_span head)
{
    (void)path;
    static const char *const keys[] = {"\"metadata\"", "\"metrics\"", "\"type\""};
    ws_span text = ws_span_trim(head);
    if (!text.n || *text.p != '{' || !ws_span_contains(text, "\"id\""))
        return 0;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (!ws_span_contains(text, keys[i]))
            return 0;
    return ws_span_contains(text, "\"metric_md\"") || ws_span_contains(text, "\"deviceType\"") ? 95 : 30;
}

/* The object that holds the children, with or without the list around it; NULL where there is none. */
static const json_t *part_of(const json_t *place, ws_perun_part part)
{
    const json_t *inside = json_object_get(place, ws_perun_part_name(part));
    if (json_is_array(inside))
        inside = json_array_get(inside, 0);
    return json_is_object(inside) ? inside : NULL;
}

/* Nodes keep their metrics under "energy"; regions in a list of {"type": "power", ...}, and N_RUNS beside it. */
static const json_t *find_metric(const json_t *place, const char *name)
{
    if (strcmp(name, "N_RUNS") == 0)
        return json_object_get(place, "runs_per_rank");
    const json_t *metrics = json_object_get(place, "metrics");
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)metrics, key, value) if (ws_eq_nocase(key, name)) return value;
    for (size_t i = 0; i < json_array_size(metrics); i++) {
        const char *type = json_string_value(json_object_get(json_array_get(metrics, i), "type"));
        if (type && ws_eq_nocase(type, name))
            return json_array_get(metrics, i);
    }
    return NULL;
}

static bool tree_open(void *state, ws_perun_ref parent, ws_perun_part part, const char *name, ws_perun_ref *child)
{
    (void)state;
    if (part == WS_PERUN_METRICS)
        child->object = find_metric(parent.object, name);
    else if (part == WS_PERUN_ITSELF)
        child->object = NULL;
    else
        child->object = json_object_get(part_of(parent.object, part), name);
    return json_is_object((const json_t *)child->object);
}

static void tree_close(void *state, ws_perun_ref place)
{
    (void)state, (void)place;
}

static void tree_names(void *state, ws_perun_ref place, ws_perun_part part, ws_arena *arena, ws_perun_names *names)
{
    (void)state;
    /* jansson's iterators want the object unprotected, and leave it as it is. */
    json_t *inside = (json_t *)part_of(place.object, part);
    names->items = ws_arena_alloc(arena, (json_object_size(inside) + 1) * sizeof *names->items);
    const char *key;
    json_t *value;
    json_object_foreach(inside, key, value) names->items[names->n++] = ws_arena_strdup(arena, key);
}

static bool tree_is_sensor(void *state, ws_perun_ref place)
{
    (void)state;
    return part_of(place.object, WS_PERUN_RAW_DATA) != NULL;
}

static const char *list_text(const json_t *list, ws_arena *arena)
{
    size_t n = json_array_size(list);
    char *text = ws_arena_alloc(arena, n * (WS_DOUBLE_TEXT + 1) + 1), *end = text;
    for (size_t i = 0; i < n; i++) {
        if (!json_is_number(json_array_get(list, i)))
            continue;
        end += ws_double_text(end, json_number_value(json_array_get(list, i)));
        *end++ = ' ';
    }
    *end = '\0';
    return text;
}

/* Of a place, or of a metric. */
static const json_t *description_of(const json_t *place)
{
    const json_t *metadata = json_object_get(place, "metadata");
    return metadata ? metadata : json_object_get(place, "metric_md");
}

static const char *tree_text(void *state, ws_perun_ref place, const char *key, ws_arena *arena)
{
    (void)state;
    const json_t *value = json_object_get(description_of(place.object), key);
    if (json_is_string(value))
        return ws_arena_strdup(arena, json_string_value(value));
    if (json_is_number(value)) {
        char *text = ws_arena_alloc(arena, WS_DOUBLE_TEXT);
        ws_double_text(text, json_number_value(value));
        return text;
    }
    return json_is_array(value) ? list_text(value, arena) : NULL;
}

/* A metric has its value beside its description. */
static bool tree_number(void *state, ws_perun_ref place, const char *key, double *value)
{
    (void)state;
    const json_t *number = json_object_get(place.object, key);
    if (!json_is_number(number))
        number = json_object_get(description_of(place.object), key);
    *value = json_is_number(number) ? json_number_value(number) : *value;
    return json_is_number(number);
}

static double magnitude_of(const json_t *description)
{
    const json_t *magnitude = json_object_get(description, "mag");
    return json_is_number(magnitude) ? json_number_value(magnitude) : 1;
}

static void read_unit(const json_t *description, char unit[8])
{
    ws_perun_keep_unit(json_string_value(json_object_get(description, "unit")), unit);
}

static const json_t *find_series(ws_perun_ref place, const char *name)
{
    return json_object_get(part_of(place.object, WS_PERUN_RAW_DATA), name);
}

static const json_t *describe_series(ws_perun_ref place, const char *name)
{
    static const char *const descriptions[][2] = {
        {"timesteps", "t_md"}, {"values", "v_md"}, {"alt_values", "alt_v_md"}};
    for (size_t i = 0; i < sizeof descriptions / sizeof *descriptions; i++)
        if (strcmp(name, descriptions[i][0]) == 0)
            return find_series(place, descriptions[i][1]);
    return NULL;
}

static bool tree_unit(void *state, ws_perun_ref place, const char *name, char unit[8])
{
    (void)state;
    read_unit(describe_series(place, name), unit);
    return json_is_array(find_series(place, name));
}

static double tree_valid_max(void *state, ws_perun_ref place, const char *name)
{
    (void)state;
    const json_t *max = json_object_get(describe_series(place, name), "max");
    return json_is_number(max) ? json_number_value(max) : NAN;
}

static bool tree_series(void *state, ws_perun_ref place, const char *name, ws_perun_series *series)
{
    (void)state;
    const json_t *list = find_series(place, name);
    if (!json_is_array(list))
        return false;
    *series = (ws_perun_series){
        .ref.object = list, .n = json_array_size(list), .magnitude = magnitude_of(describe_series(place, name))};
    return true;
}

static void tree_close_series(void *state, ws_perun_series *series)
{
    (void)state, (void)series;
}

static ws_status tree_read(void *state, const ws_perun_series *series, uint64_t first, size_t count, double *value,
                           ws_error *error)
{
    (void)state, (void)error;
    for (size_t i = 0; i < count; i++) {
        const json_t *element = json_array_get(series->ref.object, (size_t)first + i);
        value[i] = json_is_number(element) ? json_number_value(element) : NAN;
    }
    return WS_OK;
}

static ws_status read_json(ws_input *input, const ws_read_options *options, const ws_sink *sink, ws_notes *notes,
                           ws_error *error)
{
    (void)options;
    json_t *root = NULL;
    /* Limits such as 2^64 - 1 are no int64. */
    ws_status status = ws_json_read(input, LARGEST_TEXT, JSON_DECODE_INT_AS_REAL, &root, error);
    if (status != WS_OK)
        return status;
    const char *name = json_string_value(json_object_get(root, "id"));
    const ws_perun_tree tree = {.samples = ws_perun_samples_new(),
                                .source = ws_input_path(input),
                                .bytes = UINT64_MAX,
                                .open = tree_open,
                                .close = tree_close,
                                .names = tree_names,
                                .is_sensor = tree_is_sensor,
                                .text = tree_text,
                                .number = tree_number,
                                .unit = tree_unit,
                                .valid_max = tree_valid_max,
                                .series = tree_series,
                                .close_series = tree_close_series,
                                .read = tree_read};
    if (name && json_is_object(json_object_get(root, "metadata")))
        status = ws_perun_walk(&tree, (ws_perun_ref){.object = root}, name, sink, notes, error);
    else
        status = ws_fail_at(error, WS_FORMAT, ws_input_path(input), 0,
                            "is JSON, but has no 'id' and 'metadata' as perun's export of a tree has");
    ws_perun_samples_free(tree.samples);
    json_decref(root);
    return status;
}

const ws_format ws_format_perun_json = {
    .name = "perun-json",
    .title = "perun, JSON export of an application",
    .example = "{\"id\": \"perun\", \"type\": 1, \"metadata\": {...}, \"metrics\": {\"runtime\": {...",
    .tier = 1,
    .gives = WS_GIVES_POWER | WS_GIVES_COUNTER | WS_GIVES_UTIL | WS_GIVES_MEM_USED | WS_GIVES_CLOCK,
    .tried = WS_TRIED_REAL,
    .score = score_perun_json,
    .read = read_json,
};
