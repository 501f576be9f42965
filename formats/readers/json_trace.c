/* Traces as JSON of a logger of one's own: an object a line, a list of objects, or lists side by side:
 *
 *   {"ts": 1770796800.5, "gpus": [{"index": 0, "power_w": 251.2, "util": 97}, {"index": 1, "power_w": 249.0}]}
 *   {"time": 1770796800.5, "gpu": {"0": {"power_draw": 251.2}, "1": {"power_draw": 249.0}}}
 *   {"time": 1770796800.5, "nodes": {"n1": {"gpus": [{"index": 0, "power_w": 251.2}]}, "n2": {"gpus": [...]}}}
 *   {"samples": [{"t": 0.5, "power_w": 251.2}, ...]}
 *   {"timestamps": [0.5, 1.5], "power_w": [251.2, 250.8]}
 *   {"fields": {"power_draw": 251.2}, "name": "nvidia_smi", "tags": {"index": "0"}, "timestamp": 1770796800}
 *
 * An object is a poll. A list of GPUs in it, or an object with one each, is a row a GPU, beside what the poll says
 * itself, and several such lists are of the members around them; of other lists and objects each member is a column of
 * the poll: "cpu": {"power": 80} is cpu_power, "gpu_power": [251, 249] is gpu_power_0 and gpu_power_1. What the names
 * mean decides the reader of CSV. A table of runs is none. */
#include "formats/format.h"
#include "formats/table/date_lines.h"
#include "formats/table/dictionary.h"
#include "formats/table/json_file.h"
#include "formats/table/made_table.h"
#include "formats/table/unread_lines.h"
#include "formats/table/rows.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 8, MOST_NAME = 200 };

/* "gpus", "devices": what a list of GPUs is called. */
static bool names_gpus(const char *key)
{
    static const char *const names[] = {"gpu",   "gpus",        "device",       "devices",   "card",        "cards",
                                        "accel", "accelerator", "accelerators", "gpu_stats", "gpu_metrics", "gpu_info"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (ws_eq_nocase(key, names[i]))
            return true;
    return false;
}

/* A value with its unit beside it: {"value": 312, "unit": "W"}. */
static bool has_unit_beside(const json_t *object)
{
    return json_object_size(object) == 2 && json_is_number(json_object_get(object, "value")) &&
           json_is_string(json_object_get(object, "unit"));
}

static ws_span text_of(ws_arena *arena, const json_t *value)
{
    char number[WS_DOUBLE_TEXT];
    if (json_is_string(value))
        return (ws_span){json_string_value(value), json_string_length(value)};
    if (json_is_integer(value))
        return ws_span_of(ws_arena_printf(arena, "%" JSON_INTEGER_FORMAT, json_integer_value(value)));
    if (json_is_real(value)) {
        ws_double_text(number, json_real_value(value));
        return ws_span_of(ws_arena_strdup(arena, number));
    }
    if (json_is_object(value))
        return ws_span_of(ws_arena_printf(arena, "%.*s %s",
                                          WS_SPAN_ARG(text_of(arena, json_object_get(value, "value"))),
                                          json_string_value(json_object_get(value, "unit"))));
    return ws_span_of(json_is_true(value) ? "true" : json_is_false(value) ? "false" : "");
}

/* Of a GPU: "power" is gpu_power, where that is a name. */
static ws_span name_of_gpu(ws_arena *arena, const char *key)
{
    if (strncmp(key, "gpu", 3) != 0) {
        ws_span name = ws_span_of(ws_arena_printf(arena, "gpu_%s", key));
        if (ws_meaning_of(name).role != WS_ROLE_UNKNOWN)
            return name;
    }
    return ws_span_of(key);
}

/* Beside a list of GPUs: "power" is that of all that the poll is about, which is the node. What it is of decides no
 * sum. */
static ws_span name_beside_gpus(ws_arena *arena, const char *key)
{
    ws_meaning m = ws_meaning_of(ws_span_of(key));
    bool names_nobody = m.role == WS_ROLE_VALUE && ws_is_metered(m.quantity) && !m.names_domain && !m.device.n;
    return ws_span_of(names_nobody && !m.is_total ? ws_arena_printf(arena, "node_%s", key) : key);
}

/* "gpu_powers" of many is gpu_power. */
static ws_span singular(const char *name)
{
    size_t n = strlen(name);
    bool is_plural = n > 1 && name[n - 1] == 's' && ws_meaning_of(ws_span_of(name)).role == WS_ROLE_UNKNOWN &&
                     ws_meaning_of((ws_span){name, n - 1}).role != WS_ROLE_UNKNOWN;
    return (ws_span){name, is_plural ? n - 1 : n};
}

/* Of "gpu_power_w": [251, 249] the first is gpu_power_0 [W]. */
static const char *numbered_name(ws_arena *arena, const char *name, const char *number)
{
    ws_span bare;
    const ws_unit *unit = ws_unit_in_name(singular(name), &bare);
    return unit ? ws_arena_printf(arena, "%.*s_%s [%s]", WS_SPAN_ARG(bare), number, unit->name)
                : ws_arena_printf(arena, "%.*s_%s", WS_SPAN_ARG(bare), number);
}

static bool is_whole_number(const char *text)
{
    return *text && strspn(text, "0123456789") == strlen(text);
}

typedef struct poll {
    ws_made_table *table;
    size_t row;
    const json_t *gpus; /* the list that is a row a GPU; NULL: none */
    bool of_gpu, beside_gpus;
    bool has_nodes; /* other members hold such lists, too */
} poll;

static bool holds_objects(const json_t *value);

/* {"gpus": [{...}]}: the list, or NULL. */
static const json_t *list_in(const json_t *object)
{
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)object, key, value)
    {
        if (names_gpus(key) && holds_objects(value))
            return value;
    }
    return NULL;
}

static void add_members(const poll *p, const char *prefix, const json_t *object, int depth);

static void add_value(const poll *p, const char *name, const json_t *value, int depth)
{
    ws_arena *arena = &p->table->arena;
    size_t i;
    json_t *item;
    if (strlen(name) > MOST_NAME || value == p->gpus || (p->has_nodes && list_in(value)))
        return;
    if (json_is_object(value) && !has_unit_beside(value)) {
        if (depth < DEEPEST)
            add_members(p, name, value, depth + 1);
    } else if (json_is_array(value)) {
        json_array_foreach((json_t *)(uintptr_t)value, i, item)
        {
            if (depth < DEEPEST)
                add_value(p, numbered_name(arena, name, ws_arena_printf(arena, "%zu", i)), item, depth + 1);
        }
    } else {
        ws_span named = p->of_gpu        ? name_of_gpu(arena, name)
                        : p->beside_gpus ? name_beside_gpus(arena, name)
                                         : ws_span_of(name);
        ws_made_set(p->table, p->row, named, text_of(arena, value));
    }
}

/* Objects whose names say nothing of their members: Telegraf's, the messages of Tasmota's plugs ("ENERGY": {"Power":
 * 27}) and the answers of Kasa's ("emeter": {"get_realtime": {"power_mw": 27000}}). */
static bool is_wrapper(const char *key, const json_t *value)
{
    static const char *const names[] = {"fields", "tags", "ENERGY", "StatusSNS", "emeter", "get_realtime"};
    for (size_t i = 0; json_is_object(value) && i < sizeof names / sizeof *names; i++)
        if (strcmp(key, names[i]) == 0)
            return true;
    return false;
}

/* Shelly's plugs have a list of one meter. */
static const json_t *one_meter(const char *key, const json_t *value)
{
    bool is = (strcmp(key, "meters") == 0 || strcmp(key, "emeters") == 0) && json_array_size(value) == 1;
    return is && json_is_object(json_array_get(value, 0)) ? json_array_get(value, 0) : NULL;
}

static void add_members(const poll *p, const char *prefix, const json_t *object, int depth)
{
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)object, key, value)
    {
        bool is_numbered = *prefix && is_whole_number(key) && !json_is_object(value);
        const json_t *inside = is_wrapper(key, value) ? value : one_meter(key, value);
        if (!*prefix && depth < DEEPEST && inside) {
            add_members(p, "", inside, depth + 1);
            continue;
        }
        add_value(p,
                  is_numbered ? numbered_name(&p->table->arena, prefix, key)
                  : *prefix   ? ws_arena_printf(&p->table->arena, "%s_%s", prefix, key)
                              : key,
                  value, depth);
    }
}

static bool holds_objects(const json_t *value)
{
    size_t i;
    const char *key;
    json_t *item;
    bool all = true;
    json_array_foreach((json_t *)(uintptr_t)value, i, item) all &= json_is_object(item);
    json_object_foreach((json_t *)(uintptr_t)value, key, item) all &= json_is_object(item) && !has_unit_beside(item);
    return all && (json_array_size(value) || json_object_size(value));
}

/* {"0": {"gpu_util": 97, "power_watts": 251.2}, "1": ...}, whatever it is called: GPUs by their numbers. */
static bool are_numbered_gpus(const json_t *value)
{
    static const char *const words[] = {"gpu", "vram", "sm"};
    const char *key, *name;
    json_t *item, *member;
    bool all = json_object_size(value) > 0;
    json_object_foreach((json_t *)(uintptr_t)value, key, item)
    {
        bool has_load = false, has_power = false;
        json_object_foreach(item, name, member)
        {
            ws_meaning m = ws_meaning_of(ws_span_of(name));
            has_load |= ws_name_has_word(ws_span_of(name), words, sizeof words / sizeof *words);
            has_power |= m.role == WS_ROLE_VALUE && ws_is_metered(m.quantity);
        }
        all &= is_whole_number(key) && has_load && has_power;
    }
    return all;
}

/* The list of GPUs of a poll, or of an object in it. */
static const json_t *find_gpus(const json_t *object, int depth)
{
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)object, key, value)
    {
        if ((names_gpus(key) && holds_objects(value)) || (json_is_object(value) && are_numbered_gpus(value)))
            return value;
    }
    json_object_foreach((json_t *)(uintptr_t)object, key, value)
    {
        const json_t *found = depth < 2 && json_is_object(value) ? find_gpus(value, depth + 1) : NULL;
        if (found)
            return found;
    }
    return NULL;
}

/* A row a GPU: first what it says itself, then what the poll says. "id" is the name of its member, or its place. */
static void add_gpu(poll p, const json_t *of_poll, const char *id, const json_t *gpu)
{
    const json_t *gpus = p.gpus;
    p.row = ws_made_add_row(p.table);
    p.of_gpu = true, p.gpus = NULL;
    add_members(&p, "", gpu, 0);
    bool has_id = false;
    for (size_t c = 0; c < p.table->n_names; c++) {
        ws_span name = ws_span_of(p.table->names[c]);
        ws_role role = ws_meaning_of(name).role;
        has_id |= ws_is_identity(role) && role != WS_ROLE_NAME && ws_made_has(p.table, p.row, name);
    }
    if (!has_id)
        ws_made_set(p.table, p.row, ws_span_of(strncmp(id, "GPU-", 4) == 0 ? "gpu_uuid" : "gpu_id"), ws_span_of(id));
    p.of_gpu = false, p.beside_gpus = true, p.gpus = gpus;
    add_members(&p, "", of_poll, 0);
}

static bool names_nodes(const char *key)
{
    static const char *const names[] = {"nodes", "hosts", "servers", "machines"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (ws_eq_nocase(key, names[i]))
            return true;
    return false;
}

/* The object of which two members and more hold a list of GPUs, or one of what is called "nodes"; NULL: there is none.
 * *name: what it is called. */
static const json_t *find_nodes(const json_t *object, const char **name, int depth)
{
    const char *key, *own_name = *name;
    json_t *value;
    size_t lists = 0;
    json_object_foreach((json_t *)(uintptr_t)object, key, value) lists += list_in(value) != NULL;
    if (lists > 1 || (lists && names_nodes(own_name)))
        return object;
    json_object_foreach((json_t *)(uintptr_t)object, key, value)
    {
        *name = key;
        const json_t *found = depth < 2 && json_is_object(value) ? find_nodes(value, name, depth + 1) : NULL;
        if (found)
            return found;
    }
    *name = own_name;
    return NULL;
}

static bool differ_in_digits_alone(const char *a, const char *b)
{
    static const char digits[] = "0123456789";
    while (*a || *b) {
        size_t in_a = strspn(a, digits), in_b = strspn(b, digits);
        if (!in_a != !in_b || (!in_a && *a != *b))
            return false;
        a += in_a ? in_a : 1, b += in_b ? in_b : 1;
    }
    return true;
}

/* "hosts", or "n1" beside "n2". "nvml" beside "dcgm" may be two sources of the same GPUs. */
static bool are_of_nodes(const json_t *nodes, const char *name)
{
    const char *key, *first = NULL;
    json_t *value;
    bool all = true;
    if (names_nodes(name))
        return true;
    json_object_foreach((json_t *)(uintptr_t)nodes, key, value)
    {
        if (!list_in(value))
            continue;
        first = first ? first : key;
        all &= differ_in_digits_alone(first, key);
    }
    return all;
}

static bool has_role(const ws_made_table *table, size_t row, ws_role role)
{
    for (size_t c = 0; c < table->n_names; c++) {
        ws_span name = ws_span_of(table->names[c]);
        if (ws_meaning_of(name).role == role && ws_made_has(table, row, name))
            return true;
    }
    return false;
}

static void add_list(const poll *p, const json_t *of_poll)
{
    size_t i;
    const char *key;
    json_t *gpu;
    json_array_foreach((json_t *)(uintptr_t)p->gpus, i, gpu)
        add_gpu(*p, of_poll, ws_arena_printf(&p->table->arena, "%zu", i), gpu);
    json_object_foreach((json_t *)(uintptr_t)p->gpus, key, gpu) add_gpu(*p, of_poll, key, gpu);
}

/* Rows of each list, with what it is of and what the poll says beside the lists. A member that may be no node has a
 * name that says nothing, and the reader of CSV asks. */
static void add_nodes(ws_made_table *table, const json_t *object, const json_t *nodes, const char *name)
{
    const char *key, *column = are_of_nodes(nodes, name) ? "node" : "member";
    json_t *node;
    json_object_foreach((json_t *)(uintptr_t)nodes, key, node)
    {
        poll p = {.table = table, .gpus = list_in(node), .beside_gpus = true};
        size_t from = table->n_rows;
        if (!p.gpus)
            continue;
        add_list(&p, node);
        p.has_nodes = true;
        for (p.row = from; p.row < table->n_rows; p.row++) {
            if (!has_role(table, p.row, WS_ROLE_NODE))
                ws_made_set(table, p.row, ws_span_of(column), ws_span_of(ws_arena_strdup(&table->arena, key)));
            add_members(&p, "", object, 0);
        }
    }
}

static void add_poll(ws_made_table *table, const json_t *object)
{
    const char *name = "";
    const json_t *nodes = find_nodes(object, &name, 0);
    if (nodes) {
        add_nodes(table, object, nodes, name);
        return;
    }
    poll p = {.table = table, .gpus = find_gpus(object, 0)};
    if (!p.gpus) {
        p.row = ws_made_add_row(table);
        add_members(&p, "", object, 0);
    }
    add_list(&p, object);
}

/* The list of polls that a document holds; NULL: it is a poll itself. */
static const json_t *polls_of(const json_t *object)
{
    const char *key;
    json_t *value;
    const json_t *found = NULL;
    json_object_foreach((json_t *)(uintptr_t)object, key, value)
    {
        if (json_is_array(value) && json_array_size(value) > 1 && holds_objects(value) && !names_gpus(key))
            found = found ? object : value; /* several lists: none */
    }
    return found == object ? NULL : found;
}

/* Lists of one length, each a column. */
static bool add_columns(ws_made_table *table, const json_t *object)
{
    enum { LEAST = 3 };
    const char *key;
    json_t *value, *item;
    size_t rows = 0, lists = 0, i;
    json_object_foreach((json_t *)(uintptr_t)object, key, value)
    {
        bool is_list = json_is_array(value) && json_array_size(value) >= LEAST &&
                       !json_is_object(json_array_get(value, 0)) && !json_is_array(json_array_get(value, 0));
        lists += is_list && (!rows || json_array_size(value) == rows);
        rows = is_list && !rows ? json_array_size(value) : rows;
    }
    if (lists < 2)
        return false;
    size_t first = table->n_rows;
    for (size_t r = 0; r < rows; r++)
        ws_made_add_row(table);
    json_object_foreach((json_t *)(uintptr_t)object, key, value)
    {
        ws_span name = singular(key); /* "timestamps" */
        if (!json_is_array(value) || json_array_size(value) != rows)
            continue;
        json_array_foreach(value, i, item)
        {
            if (!json_is_object(item) && !json_is_array(item))
                ws_made_set(table, first + i, name, text_of(&table->arena, item));
        }
    }
    return true;
}

/* Graphite's answers, and Ganglia's: {"target": "n1.power_w", "datapoints": [[251.2, 1770796800], ...]}, which are
 * rows by their times. */
static bool add_series(ws_made_table *table, const json_t *object)
{
    ws_arena *arena = &table->arena;
    size_t i;
    json_t *pair;
    const json_t *points = json_object_get(object, "datapoints");
    const char *target = json_string_value(json_object_get(object, "target")),
               *host = json_string_value(json_object_get(object, "host_name")),
               *metric = json_string_value(json_object_get(object, "metric_name"));
    if (!json_is_array(points) || (!target && !metric))
        return false;
    ws_span name = ws_span_of(target ? target : host ? ws_arena_printf(arena, "%s %s", host, metric) : metric);
    json_array_foreach((json_t *)(uintptr_t)points, i, pair)
    {
        if (json_array_size(pair) != 2 || !json_is_number(json_array_get(pair, 1)) || name.n > MOST_NAME)
            continue;
        ws_span time = text_of(arena, json_array_get(pair, 1));
        size_t row = ws_made_row_of(table, time);
        ws_made_set(table, row, ws_span_of("time"), time);
        ws_made_set(table, row, name, text_of(arena, json_array_get(pair, 0)));
    }
    return true;
}

/* Rows without a time of their own, as a loop over a tool leaves them below lines of `date`. */
static void stamp_rows(ws_made_table *table, size_t from, ws_span stamp)
{
    for (size_t r = from; stamp.n && r < table->n_rows; r++) {
        bool has_time = false;
        for (size_t c = 0; c < table->n_names && !has_time; c++) {
            ws_span name = ws_span_of(table->names[c]);
            has_time = ws_meaning_of(name).role == WS_ROLE_TIME && ws_made_has(table, r, name);
        }
        if (!has_time)
            ws_made_set(table, r, ws_span_of("time"), stamp);
    }
}

static bool has_own_time(const json_t *object)
{
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)object, key, value)
    {
        ws_role role = ws_meaning_of(ws_span_of(key)).role;
        if (role == WS_ROLE_TIME || role == WS_ROLE_DATE)
            return true;
    }
    return false;
}

/* A list below a stamp is one poll: of a GPU each, as nvtop -s prints them. */
static void add_poll_of_list(ws_made_table *table, const json_t *list)
{
    size_t i;
    json_t *gpu;
    poll p = {.table = table};
    json_array_foreach((json_t *)(uintptr_t)list, i, gpu)
    {
        if (json_is_object(gpu))
            add_gpu(p, NULL, ws_arena_printf(&table->arena, "%zu", i), gpu);
    }
}

static void add_document(ws_made_table *table, const json_t *value)
{
    size_t i;
    json_t *item;
    const json_t *polls = json_is_array(value) ? value : polls_of(value);
    if (json_is_object(value) && !polls && table->n_rows == 0 && add_columns(table, value))
        return;
    if (json_is_object(value) && !polls)
        add_poll(table, value);
    json_array_foreach((json_t *)(uintptr_t)polls, i, item)
    {
        if (json_is_object(item) && !add_series(table, item))
            add_poll(table, item);
    }
}

/* Values one behind the other, and those of a list that the head of a file cuts. The rest where one is no JSON.
 * `stamp`: of the line above, or empty. */
static ws_span add_values(ws_made_table *table, ws_span rest, size_t most, ws_span stamp)
{
    while (most-- > 0) {
        json_error_t why;
        while (rest.n && strchr(" \t\r\n,", *rest.p) && *rest.p)
            rest.p++, rest.n--;
        json_t *value = rest.n ? json_loadb(rest.p, rest.n, JSON_DISABLE_EOF_CHECK, &why) : NULL;
        if (!value)
            return rest;
        size_t before = table->n_rows;
        if (stamp.n && json_is_array(value) && !has_own_time(json_array_get(value, 0)))
            add_poll_of_list(table, value);
        else
            add_document(table, value);
        stamp_rows(table, before, stamp);
        json_decref(value);
        rest.p += why.position, rest.n -= (size_t)why.position;
    }
    return rest;
}

/* Where the objects of a cut list begin: behind its bracket. */
static ws_span inside_list(ws_span rest)
{
    for (size_t i = 0; i + 1 < rest.n; i++) {
        size_t next = i + 1;
        while (next < rest.n && strchr(" \t\r\n", rest.p[next]) && rest.p[next])
            next++;
        if (rest.p[i] == '[' && next < rest.n && rest.p[next] == '{')
            return (ws_span){rest.p + next, rest.n - next};
    }
    return (ws_span){"", 0};
}

extern const ws_format ws_format_tidy_csv;

/* An object a reading: {"metric": "watts", "value": 212}, {"key": "system/gpu_0_power_usage_watts", "value": 251.2}. */
static bool is_long(const ws_made_table *t)
{
    bool has_metric = false, has_value = false;
    for (size_t c = 0; c < t->n_names; c++) {
        ws_span name = ws_span_of(t->names[c]);
        ws_meaning m = ws_meaning_of(name);
        has_metric |= ws_span_eq(name, "metric") || ws_span_eq(name, "key") || ws_span_eq(name, "field");
        has_value |= ws_span_eq(name, "value");
        if (m.role == WS_ROLE_VALUE && ws_is_metered(m.quantity))
            return false;
    }
    return has_metric && has_value;
}

static int score_table(const char *path, ws_made_table *t)
{
    return is_long(t) && t->n_rows > 1 ? ws_format_tidy_csv.score(path, ws_made_csv(t)) : ws_made_score(path, t);
}

static ws_status read_table(ws_made_table *t, ws_input *input, const ws_read_options *options, const ws_sink *sink,
                            ws_notes *notes, ws_error *error)
{
    if (!is_long(t))
        return ws_made_read(t, input, options, sink, notes, error);
    ws_span text = ws_made_csv(t);
    ws_read_options plain = *options;
    plain.log = NULL; /* as ws_made_read */
    ws_input *made = ws_input_from_memory(ws_input_path(input), text.p, text.n);
    ws_status status = ws_format_tidy_csv.read(made, &plain, sink, notes, error);
    ws_input_close(made);
    return status;
}

static bool speaks_of_power(ws_span head)
{
    static const char *const words[] = {"power", "Power", "watt", "Watt", "energy", "Energy"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (ws_span_contains(head, words[i]))
            return true;
    return false;
}

/* Values below lines of a date each. */
static ws_span add_stamped_values(ws_made_table *table, ws_span rest, size_t most)
{
    ws_span line, stamp;
    while (most-- > 0 && rest.n) {
        ws_span behind = rest;
        if (!ws_span_split(&behind, '\n', &line) || !ws_text_is_date_line(ws_span_trim(line), &stamp) || !behind.p)
            return rest;
        size_t before = table->n_rows;
        behind = ws_span_trim(add_values(table, behind, 1, stamp));
        if (table->n_rows == before)
            return rest;
        rest = behind;
    }
    return rest;
}

static bool begins_with_stamp(ws_span text)
{
    ws_span line, stamp;
    return ws_span_split(&text, '\n', &line) && ws_text_is_date_line(ws_span_trim(line), &stamp) && text.p &&
           ws_span_trim(text).n && strchr("{[", *ws_span_trim(text).p);
}

static int score_json_trace(const char *path, ws_span head)
{
    enum { POLLS = 256, TRACE = 35, POINTS = 60 };
    ws_span text = ws_span_trim(head);
    bool is_stamped = begins_with_stamp(text);
    if (!text.n || (!is_stamped && !strchr("{[", *text.p)) || !speaks_of_power(head) ||
        ws_span_contains(head, "\"wattscale."))
        return 0;
    ws_made_table table = {0};
    char *copy;
    text = ws_json_without_nan(text, &copy);
    ws_span none = {"", 0},
            rest = is_stamped ? add_stamped_values(&table, text, POLLS) : add_values(&table, text, POLLS, none);
    if (table.n_rows < 2 && rest.n && !is_stamped)
        add_values(&table, inside_list(rest), POLLS, none);
    ws_made_drop_events(&table);
    int points = score_table(path, &table);
    ws_made_free(&table);
    free(copy);
    return points >= TRACE ? POINTS : 0;
}

/* The values of a file, with what is no JSON between them. */
typedef struct json_lines {
    ws_made_table *table;
    ws_span rest;
    int64_t line; /* of its first byte */
    ws_unread_lines unread;
    uint64_t skipped;
    int64_t first_skipped;
} json_lines;

static void pass_to(json_lines *j, ws_span rest)
{
    size_t passed = j->rest.n - rest.n;
    for (size_t i = 0; i < passed; i++)
        j->line += j->rest.p[i] == '\n';
    j->rest = rest;
}

/* Moves behind lines that are no JSON, to the next one that begins an object. False: there is none. */
static bool skip_lines(json_lines *j)
{
    ws_span line, rest = j->rest;
    int64_t number = j->line;
    uint64_t n = 0;
    do {
        ws_span_split(&rest, '\n', &line);
        ws_unread_text(&j->unread, line, number++);
        n++;
    } while (rest.n && *rest.p != '{');
    if (!rest.n)
        return false;
    j->first_skipped = j->skipped ? j->first_skipped : j->line;
    j->skipped += n;
    pass_to(j, rest);
    return true;
}

static void add_lines(json_lines *j)
{
    do {
        size_t before = j->table->n_rows;
        pass_to(j, ws_span_trim(add_values(j->table, j->rest, SIZE_MAX, (ws_span){"", 0})));
        if (j->table->n_rows > before)
            ws_unread_reading(&j->unread);
    } while (j->rest.n && j->table->n_rows > 1 && skip_lines(j));
}

static void note_lines(const json_lines *j, const char *source, ws_notes *notes)
{
    double lines = (double)(j->line - 1) - (double)j->skipped, rows = (double)j->table->n_rows;
    ws_notes_add_many(notes, j->skipped, WS_FINDING_SKIPPED_LINE, source, "", j->first_skipped,
                      "what is no JSON was left out");
    if (j->rest.n)
        ws_notes_add(notes, WS_FINDING_TRUNCATED_DOCUMENT, source, "", 0,
                     "what follows is no JSON, or was cut: it was left out");
    ws_unread_note(&j->unread, lines > 0 ? rows / lines : 1, notes, source);
}

static ws_status read_json_trace(ws_input *input, const ws_read_options *options, const ws_sink *sink, ws_notes *notes,
                                 ws_error *error)
{
    ws_span bytes;
    ws_made_table table = {0};
    char *copy;
    ws_status status = ws_input_read_all(input, WS_MADE_MOST_BYTES, &bytes, error);
    if (status != WS_OK)
        return status;
    bytes = ws_json_without_nan(bytes, &copy);
    json_lines lines = {.table = &table, .rest = ws_span_trim(bytes), .line = 1};
    if (begins_with_stamp(lines.rest))
        pass_to(&lines, add_stamped_values(&table, lines.rest, SIZE_MAX));
    else
        add_lines(&lines);
    if (lines.rest.n && table.n_rows < 2) { /* a list that the end of the file cuts */
        ws_made_free(&table);
        lines = (json_lines){.table = &table, .rest = ws_span_trim(inside_list(bytes)), .line = 1};
        add_lines(&lines);
    }
    note_lines(&lines, ws_input_path(input), notes);
    ws_made_drop_events(&table);
    status = read_table(&table, input, options, sink, notes, error);
    ws_made_free(&table);
    free(copy);
    return status;
}

const ws_format ws_format_json_trace = {
    .name = "json-trace",
    .title = "JSON of a logger of one's own: an object a poll, with a list of GPUs or without",
    .example = "{\"ts\": 1770796800.5, \"gpus\": [{\"index\": 0, \"power_w\": 251.2, \"util\": 97}]}\n"
               "{\"ts\": 1770796801.5, \"gpus\": [{\"index\": 0, \"power_w\": 250.8, \"util\": 98}]}",
    .tier = 2,
    .gives = WS_GIVES_ANY,
    .tells_nodes = true,
    .tried = WS_TRIED_HAND_MADE,
    .score = score_json_trace,
    .highest_score = 60,
    .holds = "\"",
    .read = read_json_trace,
};
