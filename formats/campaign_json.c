/* {
 *   "schema": "wattscale.campaign/1",
 *   "name": "resnet50",
 *   "defaults": {"model": "ResNet50", "dataset_samples": 1281167},
 *   "paths": [{"match": "{series}/{gpus}g{lbs}b{workers}w{epochs}e/{job}/perun/perun.hdf5"}],
 *   "side_files": [{"match": "sacct.txt", "as": "sacct", "join": "job"}],
 *   "exclude": [{"where": "job=3211179", "reason": "listed twice"}],
 *   "group": ["series", "gpus"], "reference": "series"
 * }
 */
#include "formats/campaign_json.h"

#include "formats/table/columnmap.h"
#include "formats/format.h"

#include <jansson.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

enum { SIZE_LIMIT = 64 * 1024 * 1024 };
static const char schema[] = "wattscale.campaign/1";

/* How traces are read, under a name of the user's: what a path rule says, except for which files. */
typedef struct preset {
    const char *name, *as, *columns;
    int64_t period_ns;
} preset;

typedef struct reader {
    const char *path;
    ws_campaign *campaign;
    preset *presets;
    size_t n_presets;
    ws_error *error;
} reader;

static const char *type_name(const json_t *value)
{
    static const char *const names[] = {"an object", "a list", "a text", "a whole number",
                                        "a number",  "true",   "false",  "null"};
    return names[json_typeof(value)];
}

static ws_status wrong_type(reader *r, const char *key, const json_t *value, const char *wanted)
{
    return ws_fail_at(r->error, WS_FORMAT, r->path, 0, "'%s' is %s, %s belongs there", key, type_name(value), wanted);
}

static ws_status read_text(reader *r, const char *key, const json_t *value, const char **text)
{
    if (!json_is_string(value))
        return wrong_type(r, key, value, "a text");
    *text = ws_arena_strdup(&r->campaign->arena, json_string_value(value));
    return WS_OK;
}

static ws_status read_boolean(reader *r, const char *key, const json_t *value, bool *flag)
{
    *flag = json_is_true(value);
    return json_is_boolean(value) ? WS_OK : wrong_type(r, key, value, "true or false");
}

/* The value of a run's field: a text, a number or true/false, kept as text. */
static ws_status read_field(reader *r, const char *key, const json_t *value, ws_fields *fields)
{
    char number[WS_DOUBLE_TEXT];
    const char *text = number;
    if (json_is_string(value))
        text = json_string_value(value);
    else if (json_is_integer(value))
        snprintf(number, sizeof number, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
    else if (json_is_real(value))
        ws_double_text(number, json_real_value(value));
    else
        return wrong_type(r, key, value, "a text or a number");
    ws_fields_set(fields, &r->campaign->arena, key, text);
    return WS_OK;
}

static ws_status read_fields(reader *r, const char *key, json_t *object, ws_fields *fields)
{
    const char *name;
    json_t *value;
    if (!json_is_object(object))
        return wrong_type(r, key, object, "an object of fields");
    json_object_foreach(object, name, value)
    {
        ws_status status = read_field(r, name, value, fields);
        if (status != WS_OK)
            return status;
    }
    return WS_OK;
}

/* Texts of an object, each to its place; a key that is in no place is an error that names those that are. `other` are
 * keys that the caller reads itself, with a blank between them. */
typedef struct text_place {
    const char *key;
    const char **text;
    bool required;
} text_place;

static ws_status unknown_key(reader *r, const char *where, const char *key, const text_place *places, size_t n,
                             const char *other)
{
    char known[200] = "";
    for (size_t i = 0; i < n; i++) {
        strncat(known, places[i].key, sizeof known - strlen(known) - 2);
        strncat(known, " ", sizeof known - strlen(known) - 1);
    }
    return ws_fail_at(r->error, WS_FORMAT, r->path, 0, "%s has no key '%.60s'; there are: %s%s", where, key, known,
                      other);
}

static bool is_among(const char *words, const char *key)
{
    ws_span rest = ws_span_of(words), word;
    while (ws_span_word(&rest, &word))
        if (ws_span_eq(word, key))
            return true;
    return false;
}

static ws_status read_texts(reader *r, const char *where, json_t *object, const text_place *places, size_t n,
                            const char *other)
{
    const char *key;
    json_t *value;
    if (!json_is_object(object))
        return wrong_type(r, where, object, "an object");
    json_object_foreach(object, key, value)
    {
        size_t i = 0;
        while (i < n && strcmp(places[i].key, key) != 0)
            i++;
        if (i == n && !is_among(other, key))
            return unknown_key(r, where, key, places, n, other);
        if (i < n && read_text(r, key, value, places[i].text) != WS_OK)
            return WS_FORMAT;
    }
    for (size_t i = 0; i < n; i++)
        if (places[i].required && !*places[i].text)
            return ws_fail_at(r->error, WS_FORMAT, r->path, 0, "%s needs the key '%s'", where, places[i].key);
    return WS_OK;
}

/* A brace that is not closed would be taken as it stands and match nothing. */
static ws_status check_pattern(reader *r, const char *pattern)
{
    bool open = false;
    for (const char *c = pattern; *c; c++) {
        bool wrong = *c == '{' ? open : *c == '}' ? !open : *c == '/' && open;
        if (wrong)
            return ws_fail_at(r->error, WS_FORMAT, r->path, 0, "the braces of 'match' \"%s\" do not pair up", pattern);
        open = *c == '{' || (open && *c != '}');
    }
    return open ? ws_fail_at(r->error, WS_FORMAT, r->path, 0, "the braces of 'match' \"%s\" do not pair up", pattern)
                : WS_OK;
}

static ws_status check_value(reader *r, const char *value)
{
    static const char *const known[] = {"last", "min", "max", "mean", "100-last", "1-last", "100-max", "1-max"};
    for (size_t i = 0; value && i < sizeof known / sizeof *known; i++)
        if (strcmp(value, known[i]) == 0)
            return WS_OK;
    return value
               ? ws_fail_at(r->error, WS_FORMAT, r->path, 0,
                            "'value' is '%s', none of last, min, max, mean, 100-last, 1-last, 100-max and 1-max", value)
               : WS_OK;
}

static ws_status read_period(reader *r, const json_t *value, int64_t *period_ns)
{
    static const double LONGEST_S = 1e9;
    double period_s = json_number_value(value);
    if (!json_is_number(value))
        return wrong_type(r, "period", value, "a number of seconds");
    if (!(period_s >= 1e-9 && period_s <= LONGEST_S))
        return ws_fail_at(r->error, WS_FORMAT, r->path, 0, "'period' is %.6g, and no number of seconds above 0",
                          period_s);
    *period_ns = llround(period_s * 1e9);
    return WS_OK;
}

/* {"time": "when", "power": "mw"} is "time=when,power=mw". */
static ws_status join_columns(reader *r, json_t *object, const char **map)
{
    const char *key;
    json_t *value;
    *map = "";
    json_object_foreach(object, key, value)
    {
        if (!json_is_string(value))
            return wrong_type(r, key, value, "a text");
        const char *text = json_string_value(value);
        if (strchr(text, ',') && strcmp(text, ",") != 0)
            return ws_fail_at(r->error, WS_FORMAT, r->path, 0,
                              "'%s' of 'columns' is '%s', and a comma ends a name there: name the column by its place, "
                              "as #2",
                              key, text);
        *map = ws_arena_printf(&r->campaign->arena, "%s%s%s=%s", *map, **map ? "," : "", key, text);
    }
    return WS_OK;
}

static ws_status read_columns(reader *r, json_t *value, const char **map)
{
    ws_map parsed;
    ws_error why = {0};
    ws_status status = WS_OK;
    if (json_is_object(value))
        status = join_columns(r, value, map);
    else if (json_is_string(value))
        status = read_text(r, "columns", value, map);
    else
        status = wrong_type(r, "columns", value, "a text or an object of texts");
    if (status == WS_OK && ws_map_parse(&parsed, *map, &why) != WS_OK)
        return ws_fail_at(r->error, WS_FORMAT, r->path, 0, "%s", why.message);
    if (status == WS_OK)
        ws_map_free(&parsed);
    return status;
}

/* What rules and presets have in common, beside their texts. */
static ws_status read_columns_and_period(reader *r, json_t *object, const char **columns, int64_t *period_ns)
{
    json_t *map = json_object_get(object, "columns"), *period = json_object_get(object, "period");
    ws_status status = map ? read_columns(r, map, columns) : WS_OK;
    return status == WS_OK && period ? read_period(r, period, period_ns) : status;
}

static ws_status read_path_rule(reader *r, json_t *object, void *item)
{
    ws_path_rule *rule = item;
    const text_place places[] = {{"match", &rule->match, true}, {"as", &rule->as, false}, {"ask", &rule->ask, false}};
    ws_status status = read_texts(r, "paths", object, places, 3, "columns set period");
    json_t *set = json_object_get(object, "set");
    if (status == WS_OK && rule->ask && strcmp(rule->ask, "nodes") != 0)
        return ws_fail_at(r->error, WS_FORMAT, r->path, 0, "'ask' of the rule '%s' is '%s', and only 'nodes' is known",
                          rule->match, rule->ask);
    if (status == WS_OK && set)
        status = read_fields(r, "set", set, &rule->set);
    if (status == WS_OK)
        status = read_columns_and_period(r, object, &rule->columns, &rule->period_ns);
    return status == WS_OK ? check_pattern(r, rule->match) : status;
}

static ws_status read_preset(reader *r, json_t *object, preset *p)
{
    const text_place places[] = {{"as", &p->as, false}};
    if (!json_is_object(object))
        return wrong_type(r, p->name, object, "an object");
    const char *where = ws_arena_printf(&r->campaign->arena, "the preset '%s'", p->name);
    ws_status status = read_texts(r, where, object, places, 1, "columns period");
    if (status == WS_OK)
        status = read_columns_and_period(r, object, &p->columns, &p->period_ns);
    if (status == WS_OK && ws_format_by_name(p->name))
        return ws_fail_at(r->error, WS_FORMAT, r->path, 0, "%s has the name of a format: call it otherwise", where);
    if (status == WS_OK && p->as && !ws_format_by_name(p->as))
        return ws_fail_at(r->error, WS_FORMAT, r->path, 0,
                          "'as' of %s is '%s', and no format is called so ('wattscale formats' lists them)", where,
                          p->as);
    return status;
}

static ws_status read_presets(reader *r, json_t *object)
{
    const char *name;
    json_t *value;
    if (!json_is_object(object))
        return wrong_type(r, "presets", object, "an object of presets by their names");
    r->presets = ws_arena_alloc(&r->campaign->arena, json_object_size(object) * sizeof *r->presets + 1);
    json_object_foreach(object, name, value)
    {
        preset *p = &r->presets[r->n_presets++];
        p->name = ws_arena_strdup(&r->campaign->arena, name);
        if (read_preset(r, value, p) != WS_OK)
            return WS_FORMAT;
    }
    return WS_OK;
}

static ws_status no_format(reader *r, const char *as)
{
    const char *names = "";
    for (size_t i = 0; i < r->n_presets; i++)
        names = ws_arena_printf(&r->campaign->arena, "%s%s%s", names, i ? " " : ": ", r->presets[i].name);
    return ws_fail_at(r->error, WS_FORMAT, r->path, 0,
                      "'as' is '%s', and neither a format ('wattscale formats' lists them) nor one of the presets here "
                      "is called so%s",
                      as, names);
}

/* What the rule says itself goes before its preset. */
static ws_status apply_preset(reader *r, ws_path_rule *rule)
{
    if (!rule->as || ws_format_by_name(rule->as))
        return WS_OK;
    for (size_t i = 0; i < r->n_presets; i++) {
        const preset *p = &r->presets[i];
        if (strcmp(p->name, rule->as) != 0)
            continue;
        rule->as = p->as;
        rule->columns = rule->columns ? rule->columns : p->columns;
        rule->period_ns = rule->period_ns ? rule->period_ns : p->period_ns;
        return WS_OK;
    }
    return no_format(r, rule->as);
}

static ws_status apply_presets(reader *r)
{
    ws_status status = WS_OK;
    for (size_t i = 0; i < r->campaign->n_paths && status == WS_OK; i++)
        status = apply_preset(r, &r->campaign->paths[i]);
    return status;
}

static ws_status read_side_rule(reader *r, json_t *object, void *item)
{
    ws_side_rule *rule = item;
    const text_place places[] = {{"match", &rule->match, true},    {"as", &rule->as, false},
                                 {"join", &rule->join, false},     {"field", &rule->field, false},
                                 {"column", &rule->column, false}, {"value", &rule->value, false}};
    ws_status status = read_texts(r, "side_files", object, places, 6, "");
    if (status == WS_OK)
        status = check_pattern(r, rule->match);
    return status == WS_OK ? check_value(r, rule->value) : status;
}

static ws_status read_window_rule(reader *r, json_t *object, void *item)
{
    ws_window_rule *rule = item;
    const text_place places[] = {{"match", &rule->match, true},
                                 {"as", &rule->as, false},
                                 {"start", &rule->start, false},
                                 {"end", &rule->end, false},
                                 {"nodes", &rule->nodes, false}};
    ws_status status = read_texts(r, "windows", object, places, 5, "");
    return status == WS_OK ? check_pattern(r, rule->match) : status;
}

static ws_status read_exclusion(reader *r, json_t *object, void *item)
{
    ws_exclusion *exclusion = item;
    const text_place places[] = {{"where", &exclusion->where, true}, {"reason", &exclusion->reason, true}};
    return read_texts(r, "exclude", object, places, 2, "");
}

static ws_status read_run(reader *r, json_t *object, void *item)
{
    ws_explicit_run *run = item;
    const char *key;
    json_t *value;
    if (!json_is_object(object))
        return wrong_type(r, "runs", object, "an object");
    json_object_foreach(object, key, value)
    {
        if (strcmp(key, "files") != 0) {
            if (read_field(r, key, value, &run->fields) != WS_OK)
                return WS_FORMAT;
            continue;
        }
        if (!json_is_array(value))
            return wrong_type(r, "files", value, "a list of texts");
        run->n_files = json_array_size(value);
        run->files = ws_arena_alloc(&r->campaign->arena, run->n_files * sizeof *run->files + 1);
        for (size_t i = 0; i < run->n_files; i++)
            if (read_text(r, "files", json_array_get(value, i), &run->files[i]) != WS_OK)
                return WS_FORMAT;
    }
    return run->n_files ? WS_OK
                        : ws_fail_at(r->error, WS_FORMAT, r->path, 0,
                                     "a run of 'runs' names no files (its key 'files' lists them)");
}

typedef ws_status item_reader(reader *r, json_t *object, void *item);

static ws_status read_list(reader *r, const char *key, json_t *list, size_t size, void **items, size_t *n,
                           item_reader *read)
{
    if (!json_is_array(list))
        return wrong_type(r, key, list, "a list");
    *n = json_array_size(list);
    *items = ws_arena_alloc(&r->campaign->arena, *n * size + 1);
    for (size_t i = 0; i < *n; i++) {
        ws_status status = read(r, json_array_get(list, i), (char *)*items + i * size);
        if (status != WS_OK)
            return status;
    }
    return WS_OK;
}

static ws_status read_name(reader *r, json_t *value, void *item)
{
    return read_text(r, "a name of the list", value, item);
}

/* Lists of the description: where the items and their number go, and how one is read. */
#define LIST(key, items, n, read)                                                                            \
    {                                                                                                        \
        key, offsetof(ws_campaign, items), offsetof(ws_campaign, n), sizeof *((ws_campaign *)0)->items, read \
    }
static const struct {
    const char *key;
    size_t items, n, size;
    item_reader *read;
} lists[] = {
    LIST("paths", paths, n_paths, read_path_rule),
    LIST("side_files", side_files, n_side_files, read_side_rule),
    LIST("windows", windows, n_windows, read_window_rule),
    LIST("exclude", exclusions, n_exclusions, read_exclusion),
    LIST("runs", runs, n_runs, read_run),
    LIST("ignore", ignore, n_ignore, read_name),
    LIST("group", group, n_group, read_name),
};

static ws_status read_one_list(reader *r, size_t which, json_t *value)
{
    char *campaign = (char *)r->campaign;
    void *items = NULL;
    size_t n = 0;
    ws_status status = read_list(r, lists[which].key, value, lists[which].size, &items, &n, lists[which].read);
    memcpy(campaign + lists[which].items, &items, sizeof items);
    memcpy(campaign + lists[which].n, &n, sizeof n);
    return status;
}

static ws_status read_share(reader *r, const char *key, json_t *value, double *share)
{
    *share = json_number_value(value);
    if (json_is_number(value) && *share > 0 && *share <= 1)
        return WS_OK;
    return ws_fail_at(r->error, WS_FORMAT, r->path, 0, "'%s' of 'verdict' is no share above 0, up to 1", key);
}

static ws_status read_ignored(reader *r, json_t *value, ws_finding_set *ignored)
{
    for (size_t i = 0; i < json_array_size(value); i++) {
        const char *code = json_string_value(json_array_get(value, i));
        ws_finding finding;
        if (!code || !ws_finding_named(code, &finding))
            return ws_fail_at(
                r->error, WS_FORMAT, r->path, 0,
                "'ignore' of 'verdict' holds '%.60s', which is no finding ('wattscale findings' lists them)",
                code ? code : "no text");
        ws_finding_set_add(ignored, finding);
    }
    return json_is_array(value) ? WS_OK
                                : ws_fail_at(r->error, WS_FORMAT, r->path, 0, "'ignore' of 'verdict' is no list");
}

/* "verdict": {"doubtful": 0.02, "unusable": 0.3, "ignore": ["same-readings"]} */
static ws_status read_verdict(reader *r, json_t *object, ws_verdict_rules *rules)
{
    const char *key;
    json_t *value;
    ws_status status = WS_OK;
    if (!json_is_object(object))
        return ws_fail_at(r->error, WS_FORMAT, r->path, 0, "'verdict' is no object");
    json_object_foreach(object, key, value)
    {
        if (status == WS_OK && strcmp(key, "doubtful") == 0)
            status = read_share(r, key, value, &rules->doubtful_share);
        else if (status == WS_OK && strcmp(key, "unusable") == 0)
            status = read_share(r, key, value, &rules->unusable_share);
        else if (status == WS_OK && strcmp(key, "ignore") == 0)
            status = read_ignored(r, value, &rules->ignored);
        else if (status == WS_OK)
            status = ws_fail_at(r->error, WS_FORMAT, r->path, 0,
                                "'verdict' has no key '%.60s'; there are: doubtful unusable ignore", key);
    }
    double doubtful = rules->doubtful_share > 0 ? rules->doubtful_share : WS_DOUBTFUL_SHARE;
    double unusable = rules->unusable_share > 0 ? rules->unusable_share : WS_UNUSABLE_SHARE;
    if (status == WS_OK && doubtful > unusable)
        status = ws_fail_at(r->error, WS_FORMAT, r->path, 0,
                            "'verdict' calls an energy doubtful from %g of it on and unusable from %g on: the first "
                            "must be the smaller",
                            doubtful, unusable);
    return status;
}

/* {"series=lbs256": {"name": "local batch 256", "order": 1}, "model=resnet": "ResNet-50"} */
static ws_status read_looks(reader *r, json_t *object)
{
    const char *key, *setting;
    json_t *value, *of;
    ws_error why = {0};
    ws_arena *arena = &r->campaign->arena;
    if (!json_is_object(object))
        return wrong_type(r, "looks", object, "an object");
    json_object_foreach(object, key, value)
    {
        ws_fields fields = {0};
        ws_look *look = ws_looks_at(&r->campaign->looks, arena, ws_span_of(key), &why);
        ws_status status = look ? WS_OK : WS_USAGE;
        if (status == WS_OK && json_is_string(value))
            status = ws_look_set(look, arena, ws_span_of("name"), ws_span_of(json_string_value(value)), &why);
        else if (status == WS_OK && json_is_object(value)) {
            json_object_foreach(value, setting, of)
            {
                if (read_field(r, setting, of, &fields) != WS_OK) {
                    ws_fields_free(&fields);
                    return WS_FORMAT;
                }
            }
        } else if (status == WS_OK)
            status = wrong_type(r, key, value, "a name or an object");
        for (size_t i = 0; i < fields.n && status == WS_OK; i++)
            status =
                ws_look_set(look, arena, ws_span_of(fields.items[i].name), ws_span_of(fields.items[i].value), &why);
        ws_fields_free(&fields);
        if (status != WS_OK)
            return ws_fail_at(r->error, WS_FORMAT, r->path, 0, "'%.80s' of 'looks': %s", key, why.message);
    }
    return WS_OK;
}

static ws_status read_conditions(reader *r, const char *name, const json_t *value, ws_subset *subset)
{
    size_t n = json_is_array(value) ? json_array_size(value) : 1;
    subset->conditions = ws_arena_alloc(&r->campaign->arena, (n + 1) * sizeof *subset->conditions);
    for (size_t i = 0; i < n; i++) {
        const json_t *one = json_is_array(value) ? json_array_get(value, i) : value;
        if (!json_is_string(one) || !*json_string_value(one) || *json_string_value(one) == '@')
            return ws_fail_at(r->error, WS_FORMAT, r->path, 0,
                              "'%.80s' of 'subsets' is no condition such as \"gpus>=4\", and no list of them", name);
        subset->conditions[subset->n++] = ws_arena_strdup(&r->campaign->arena, json_string_value(one));
    }
    return subset->n ? WS_OK
                     : ws_fail_at(r->error, WS_FORMAT, r->path, 0, "'%.80s' of 'subsets' has no condition", name);
}

/* {"main": ["series=full*", "gpus>=4"], "a100": "device=A100"} */
static ws_status read_subsets(reader *r, json_t *object)
{
    const char *name;
    json_t *value;
    ws_campaign *c = r->campaign;
    if (!json_is_object(object))
        return wrong_type(r, "subsets", object, "an object");
    c->subsets = ws_arena_alloc(&c->arena, (json_object_size(object) + 1) * sizeof *c->subsets);
    json_object_foreach(object, name, value)
    {
        ws_subset *subset = &c->subsets[c->n_subsets++];
        *subset = (ws_subset){.name = ws_arena_strdup(&c->arena, name)};
        if (read_conditions(r, name, value, subset) != WS_OK)
            return WS_FORMAT;
    }
    return WS_OK;
}

static ws_status read_key(reader *r, const char *key, json_t *value)
{
    ws_campaign *c = r->campaign;
    const text_place texts[] = {{"name", &c->name, false},
                                {"reference", &c->reference, false},
                                {"timezone", &c->timezone, false},
                                {"back_steps", &c->back_steps, false}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (strcmp(key, texts[i].key) == 0)
            return read_text(r, key, value, texts[i].text);
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        if (strcmp(key, lists[i].key) == 0)
            return read_one_list(r, i, value);
    if (strcmp(key, "schema") == 0)
        return json_is_string(value) && strcmp(json_string_value(value), schema) == 0
                   ? WS_OK
                   : ws_fail_at(r->error, WS_FORMAT, r->path, 0, "'schema' is not \"%s\"", schema);
    if (strcmp(key, "defaults") == 0)
        return read_fields(r, key, value, &c->defaults);
    if (strcmp(key, "presets") == 0)
        return read_presets(r, value);
    if (strcmp(key, "verdict") == 0)
        return read_verdict(r, value, &c->verdict);
    if (strcmp(key, "looks") == 0)
        return read_looks(r, value);
    if (strcmp(key, "subsets") == 0)
        return read_subsets(r, value);
    if (strcmp(key, "synthetic") == 0)
        return read_boolean(r, key, value, &c->synthetic);
    if (strcmp(key, "excerpts") == 0)
        return read_boolean(r, key, value, &c->excerpts);
    return ws_fail_at(
        r->error, WS_FORMAT, r->path, 0,
        "there is no key '%.60s'; there are: schema name synthetic excerpts defaults presets paths side_files "
        "windows runs exclude ignore group reference looks subsets timezone back_steps verdict",
        key);
}

bool ws_campaign_json_is(ws_span head)
{
    return ws_span_contains(head, "\"wattscale.campaign/");
}

ws_status ws_campaign_json_read(ws_input *input, ws_campaign *campaign, ws_error *error)
{
    reader r = {.path = ws_input_path(input), .campaign = campaign, .error = error};
    ws_span bytes;
    ws_status status = ws_input_read_all(input, SIZE_LIMIT, &bytes, error);
    if (status != WS_OK)
        return status;
    json_error_t why;
    json_t *root = json_loadb(bytes.p, bytes.n, JSON_REJECT_DUPLICATES, &why);
    if (!root)
        return ws_fail_at(error, WS_FORMAT, r.path, why.line, "is no valid JSON: %s", why.text);
    if (!json_is_object(root))
        status = wrong_type(&r, "the whole", root, "an object");
    const char *key;
    json_t *value;
    if (status == WS_OK) {
        json_object_foreach(root, key, value)
        {
            status = read_key(&r, key, value);
            if (status != WS_OK)
                break;
        }
    }
    if (status == WS_OK)
        status = apply_presets(&r);
    if (status == WS_OK && !json_object_get(root, "schema"))
        status = ws_fail_at(error, WS_FORMAT, r.path, 0, "needs the key 'schema': \"%s\"", schema);
    json_decref(root);
    return status;
}

/* Numbers of defaults are written as numbers again. */
static json_t *fields_json(const ws_fields *fields)
{
    json_t *object = json_object();
    for (size_t i = 0; i < fields->n; i++) {
        int64_t whole;
        const char *value = fields->items[i].value;
        json_object_set_new(object, fields->items[i].name,
                            ws_span_i64(ws_span_of(value), &whole) ? json_integer(whole) : json_string(value));
    }
    return object;
}

static void set_text(json_t *object, const char *key, const char *text)
{
    if (text)
        json_object_set_new(object, key, json_string(text));
}

static json_t *names_json(const char *const *names, size_t n)
{
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++)
        json_array_append_new(list, json_string(names[i]));
    return list;
}

static json_t *paths_json(const ws_campaign *c)
{
    json_t *list = json_array();
    for (size_t i = 0; i < c->n_paths; i++) {
        json_t *rule = json_object();
        set_text(rule, "match", c->paths[i].match);
        set_text(rule, "as", c->paths[i].as);
        set_text(rule, "columns", c->paths[i].columns);
        set_text(rule, "ask", c->paths[i].ask);
        if (c->paths[i].period_ns)
            json_object_set_new(rule, "period", json_real((double)c->paths[i].period_ns / 1e9));
        if (c->paths[i].set.n)
            json_object_set_new(rule, "set", fields_json(&c->paths[i].set));
        json_array_append_new(list, rule);
    }
    return list;
}

static json_t *side_files_json(const ws_campaign *c)
{
    json_t *list = json_array();
    for (size_t i = 0; i < c->n_side_files; i++) {
        json_t *rule = json_object();
        set_text(rule, "match", c->side_files[i].match);
        set_text(rule, "as", c->side_files[i].as);
        set_text(rule, "join", c->side_files[i].join);
        set_text(rule, "field", c->side_files[i].field);
        set_text(rule, "column", c->side_files[i].column);
        set_text(rule, "value", c->side_files[i].value);
        json_array_append_new(list, rule);
    }
    return list;
}

static json_t *windows_json(const ws_campaign *c)
{
    json_t *list = json_array();
    for (size_t i = 0; i < c->n_windows; i++) {
        json_t *rule = json_object();
        set_text(rule, "match", c->windows[i].match);
        set_text(rule, "as", c->windows[i].as);
        set_text(rule, "start", c->windows[i].start);
        set_text(rule, "end", c->windows[i].end);
        set_text(rule, "nodes", c->windows[i].nodes);
        json_array_append_new(list, rule);
    }
    return list;
}

static json_t *runs_json(const ws_campaign *c)
{
    json_t *list = json_array();
    for (size_t i = 0; i < c->n_runs; i++) {
        json_t *run = fields_json(&c->runs[i].fields);
        json_object_set_new(run, "files", names_json(c->runs[i].files, c->runs[i].n_files));
        json_array_append_new(list, run);
    }
    return list;
}

static void set_verdict(json_t *root, const ws_verdict_rules *rules)
{
    json_t *verdict = json_object(), *ignored = json_array();
    if (rules->doubtful_share > 0)
        json_object_set_new(verdict, "doubtful", json_real(rules->doubtful_share));
    if (rules->unusable_share > 0)
        json_object_set_new(verdict, "unusable", json_real(rules->unusable_share));
    for (int f = 0; f < WS_FINDING_N; f++)
        if (ws_finding_set_has(&rules->ignored, (ws_finding)f))
            json_array_append_new(ignored, json_string(ws_finding_code((ws_finding)f)));
    if (json_array_size(ignored))
        json_object_set(verdict, "ignore", ignored);
    if (json_object_size(verdict))
        json_object_set(root, "verdict", verdict);
    json_decref(ignored);
    json_decref(verdict);
}

ws_status ws_campaign_json_write(FILE *stream, const ws_campaign *c, ws_error *error)
{
    json_t *root = json_object(), *exclude = json_array();
    set_text(root, "schema", schema);
    set_text(root, "name", c->name);
    if (c->synthetic)
        json_object_set_new(root, "synthetic", json_true());
    if (c->excerpts)
        json_object_set_new(root, "excerpts", json_true());
    json_object_set_new(root, "defaults", fields_json(&c->defaults));
    json_object_set_new(root, "paths", paths_json(c));
    if (c->n_side_files)
        json_object_set_new(root, "side_files", side_files_json(c));
    if (c->n_windows)
        json_object_set_new(root, "windows", windows_json(c));
    if (c->n_runs)
        json_object_set_new(root, "runs", runs_json(c));
    for (size_t i = 0; i < c->n_exclusions; i++)
        json_array_append_new(
            exclude, json_pack("{s:s, s:s}", "where", c->exclusions[i].where, "reason", c->exclusions[i].reason));
    json_object_set_new(root, "exclude", exclude);
    if (c->n_ignore)
        json_object_set_new(root, "ignore", names_json(c->ignore, c->n_ignore));
    json_object_set_new(root, "group", names_json(c->group, c->n_group));
    set_text(root, "reference", c->reference);
    set_text(root, "timezone", c->timezone);
    set_text(root, "back_steps", c->back_steps);
    set_verdict(root, &c->verdict);
    int failed = json_dumpf(root, stream, JSON_INDENT(2) | JSON_ENSURE_ASCII);
    json_decref(root);
    if (failed || fputc('\n', stream) == EOF)
        return ws_fail(error, WS_IO, "the campaign description could not be written");
    return WS_OK;
}
