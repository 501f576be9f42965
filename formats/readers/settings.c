/* The settings of a run, as the program that started it wrote them down: flat YAML with one level of groups, or the
 * same as JSON.
 *
 *   - gpus=4                          overrides.yaml of Hydra: what was said on its command line
 *   - optimizer.lr=0.1
 *
 *   batch_size: 64                    params.yaml of DVC, hparams.yaml of Lightning, config.yaml
 *   trainer:
 *     max_epochs: 10                  is called trainer.max_epochs
 *
 *   epochs:                           config.yaml of Weights & Biases
 *     desc: null
 *     value: 10                       is called epochs
 *
 *   {"lr": 0.1, "gpus": 4}            params.json of Ray Tune, args.json; wandb-summary.json holds results the same way
 *
 *   stages:                         dvc.lock of DVC: what the stages of the experiment were run with
 *     train:
 *       params:
 *         params.yaml:
 *           train.lr: 0.1           is called train.lr; all other keys of the file are passed over
 *
 *   0.1                             params/lr of MLflow's file store: a file a key, below the folder of a run
 *
 * One row, a column a key; of a key that comes again the first one. Texts may stand in quotes. Lists, blocks of text,
 * anchors and whatever lies deeper are passed over: this is no YAML library. Known by the names of the files, as
 * nothing in them says what they are. */
#include "formats/format.h"
#include "formats/table/json_file.h"
#include "formats/input/lines.h"

#include "core/arena.h"

#include <jansson.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES_LIMIT = 4 << 20, MOST_KEYS = 500, MOST_VALUE = 200 };

static ws_span file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return ws_span_of(slash ? slash + 1 : path);
}

static bool is_named(const char *path)
{
    static const char *const names[] = {
        "overrides.yaml",     "config.yaml", "config.yml", "params.yaml",  "params.yml",  "hparams.yaml", "args.yaml",
        "wandb-summary.json", "params.json", "args.json",  "hparams.json", "config.json", "dvc.lock"};
    bool named = false;
    for (size_t i = 0; i < sizeof names / sizeof *names && !named; i++)
        named = ws_span_eq(file_name(path), names[i]);
    return named;
}

/* "mlruns/0/5f1c...(32 digits)/params/lr", as mlflow.store.tracking.FileStore writes it. */
static bool is_mlflow_param(const char *path)
{
    enum { ID = 32 };
    static const char folder[] = "/params/";
    ws_span name = file_name(path);
    const char *end = name.p - (sizeof folder - 1), *id = end - ID;
    return name.p - path >= (ptrdiff_t)(ID + sizeof folder - 1) && strncmp(end, folder, sizeof folder - 1) == 0 &&
           strspn(id, "0123456789abcdefghijklmnopqrstuvwxyz") == ID && (id == path || id[-1] == '/');
}

static bool is_key(ws_span key)
{
    bool is = key.n > 0;
    for (size_t i = 0; i < key.n && is; i++)
        is = (unsigned char)key.p[i] > ' ' && !strchr("\"'{}[]#&*!|>,", key.p[i]);
    return is;
}

static void set_value(ws_table *table, ws_span key, ws_span value)
{
    size_t column;
    const char *name = ws_arena_strndup(&table->arena, key.p, key.n);
    bool is_empty = !value.n || value.n > MOST_VALUE || ws_span_eq(value, "null") || ws_span_eq(value, "~") ||
                    ws_span_eq(value, "None");
    if (!is_key(key) || is_empty || table->n_columns == MOST_KEYS || ws_table_find(table, name, &column))
        return;
    column = ws_table_add_column(table, name, WS_TEXT);
    ws_table_set_span(table, column, 0, value);
}

/* A scalar without its quotes and its comment; empty for lists, blocks and the like. */
static ws_span scalar(ws_span text)
{
    text = ws_span_trim(text);
    if (text.n && (*text.p == '"' || *text.p == '\'')) {
        const char *end = memchr(text.p + 1, *text.p, text.n - 1);
        return (ws_span){text.p + 1, end ? (size_t)(end - text.p) - 1 : 0};
    }
    for (size_t i = 1; i < text.n; i++)
        if (text.p[i] == '#' && (text.p[i - 1] == ' ' || text.p[i - 1] == '\t'))
            text.n = i - 1;
    text = ws_span_trim(text);
    return text.n && strchr("[{&*!|>%@#`", *text.p) ? (ws_span){text.p, 0} : text;
}

typedef struct settings {
    ws_table *table;
    char group[MOST_VALUE];
    size_t group_n, group_indent; /* of the keys below the group; 0: none was seen yet; of "params:" */
    bool is_in_params;            /* of dvc.lock */
} settings;

/* "+model.lr=0.1" of a list. */
static void take_override(settings *s, ws_span item)
{
    ws_span key, value;
    if (!ws_span_cut(scalar(item), "=", &key, &value))
        return;
    while (key.n && *key.p == '+')
        key.p++, key.n--;
    if (key.n && *key.p != '~')
        set_value(s->table, ws_span_trim(key), scalar(value));
}

static void take_pair(settings *s, size_t indent, ws_span key, ws_span value)
{
    char name[2 * MOST_VALUE];
    if (!indent) {
        s->group_n = value.n || key.n >= sizeof s->group ? 0 : key.n;
        memcpy(s->group, key.p, s->group_n);
        s->group_indent = 0;
        set_value(s->table, key, value);
        return;
    }
    s->group_indent = s->group_indent ? s->group_indent : indent;
    if (!s->group_n || indent != s->group_indent || key.n >= MOST_VALUE || ws_span_eq(key, "desc"))
        return;
    memcpy(name, s->group, s->group_n);
    name[s->group_n] = '.';
    memcpy(name + s->group_n + 1, key.p, key.n);
    bool is_value = ws_span_eq(key, "value"); /* of Weights & Biases */
    set_value(s->table, (ws_span){name, is_value ? s->group_n : s->group_n + 1 + key.n}, value);
}

static void take_line(settings *s, ws_span line)
{
    size_t indent = 0;
    while (indent < line.n && line.p[indent] == ' ')
        indent++;
    ws_span text = ws_span_trim((ws_span){line.p + indent, line.n - indent}), key, value;
    if (!text.n || *text.p == '#' || ws_span_has_prefix(text, "---"))
        return;
    if (!indent && ws_span_has_prefix(text, "- "))
        take_override(s, (ws_span){text.p + 2, text.n - 2});
    else if (ws_span_cut(text, ": ", &key, &value))
        take_pair(s, indent, ws_span_trim(key), scalar(value));
    else if (ws_span_has_suffix(text, ":"))
        take_pair(s, indent, (ws_span){text.p, text.n - 1}, (ws_span){text.p, 0});
}

/* Of dvc.lock: the keys two levels below a "params:". */
static void take_lock_line(settings *s, ws_span line)
{
    size_t indent = 0;
    while (indent < line.n && line.p[indent] == ' ')
        indent++;
    ws_span text = ws_span_trim((ws_span){line.p + indent, line.n - indent}), key, value;
    if (!text.n)
        return;
    if (s->is_in_params && indent <= s->group_indent)
        s->is_in_params = false;
    if (ws_span_eq(text, "params:")) {
        s->is_in_params = true;
        s->group_indent = indent;
    } else if (s->is_in_params && indent > s->group_indent + 2 && ws_span_cut(text, ": ", &key, &value)) {
        set_value(s->table, ws_span_trim(key), scalar(value));
    }
}

static ws_status read_lines(ws_input *input, ws_table *table, ws_error *error)
{
    ws_lines lines;
    ws_span line;
    settings s = {.table = table};
    size_t seen = 0;
    bool is_lock = ws_span_eq(file_name(ws_input_path(input)), "dvc.lock");
    ws_lines_init(&lines, input);
    ws_status status = ws_lines_next(&lines, &line, error);
    while (status == WS_OK && line.p && seen < BYTES_LIMIT) {
        seen += line.n;
        if (is_lock)
            take_lock_line(&s, line);
        else
            take_line(&s, line);
        status = ws_lines_next(&lines, &line, error);
    }
    ws_lines_free(&lines);
    return status;
}

static void take_json(ws_table *table, const char *group, json_t *object)
{
    const char *key;
    json_t *value;
    json_object_foreach(object, key, value)
    {
        const char *name = *group ? ws_arena_printf(&table->arena, "%s.%s", group, key) : key;
        char *text = json_is_string(value) ? NULL : json_dumps(value, JSON_ENCODE_ANY | JSON_REAL_PRECISION(15));
        if (json_is_object(value) && !*group)
            take_json(table, key, value);
        else if (json_is_string(value))
            set_value(table, ws_span_of(name), ws_span_of(json_string_value(value)));
        else if (json_is_number(value) || json_is_boolean(value))
            set_value(table, ws_span_of(name), ws_span_of(text ? text : ""));
        free(text);
    }
}

static ws_status read_settings(ws_input *input, const ws_read_options *options, ws_table *table, ws_error *error)
{
    (void)options;
    table->source = ws_arena_strdup(&table->arena, ws_input_path(input));
    ws_table_add_row(table);
    if (is_mlflow_param(ws_input_path(input))) {
        set_value(table, file_name(ws_input_path(input)), ws_span_trim(ws_input_head(input)));
        return WS_OK;
    }
    if (!ws_span_has_prefix(ws_span_trim(ws_input_head(input)), "{"))
        return read_lines(input, table, error);
    json_t *root;
    ws_status status = ws_json_read(input, BYTES_LIMIT, 0, &root, error);
    if (status == WS_OK) {
        take_json(table, "", root);
        json_decref(root);
    }
    return status;
}

/* A line of a key and its value, or of an override. */
static bool has_setting(ws_span head)
{
    ws_span line, before, after;
    bool has = false;
    while (!has && ws_span_split(&head, '\n', &line)) {
        line = ws_span_trim(line);
        has = (ws_span_has_prefix(line, "- ") && ws_span_cut(line, "=", &before, &after)) ||
              (ws_span_cut(line, ":", &before, &after) && is_key(before));
    }
    return has;
}

static int score_settings(const char *path, ws_span head)
{
    enum { LONGEST_PARAM = 8000 }; /* MLflow's limit is 6000 */
    if (is_mlflow_param(path))
        return head.n && head.n <= LONGEST_PARAM && !ws_span_has_zero(head) && !memchr(head.p, '\n', head.n - 1) ? 60
                                                                                                                 : 0;
    bool is_json = ws_span_has_suffix(ws_span_of(path), ".json");
    ws_span trimmed = ws_span_trim(head);
    if (!is_named(path) || ws_span_has_zero(head) || is_json != ws_span_has_prefix(trimmed, "{"))
        return 0;
    return is_json || has_setting(head) ? 60 : 0;
}

const ws_format ws_format_settings = {
    .name = "settings",
    .title = "settings beside a run: overrides.yaml, config.yaml, params.yaml, the same as JSON",
    .example = "- gpus=4\n- optimizer.lr=0.1",
    .is_record = true,
    .tier = 2,
    .highest_score = 60,
    .tried = WS_TRIED_HAND_MADE,
    .score = score_settings,
    .read_table = read_settings,
};
