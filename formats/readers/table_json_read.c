/* Tables as JSON: what this program writes, a list of objects, or an object a line.
 *
 *   {"schema":"wattscale.runs/1","rows":[{"gpus":4,"energy_kwh":0.46},{"gpus":8,"energy_kwh":null}],"notes":[]}
 *   [{"gpus": 4, "energy_kwh": 0.46}, ...]
 *   {"gpus": 4, "config": {"lbs": 256}}
 *   {"model": "m", "results": [{"gpus": 4}, ...]}
 *   {"gpus": [4, 8], "energy_kwh": [0.46, 0.47]}
 *   {"gpus": {"0": 4, "1": 8}, "energy_kwh": {"0": 0.46, "1": 0.47}}
 *   {"first": {"gpus": 4, "energy_kwh": 0.46}, "second": {...}}
 *
 * An object is a row; inner objects give columns named "config.lbs". null and the NaN and Infinity that Python writes
 * are missing. */
#include "formats/format.h"
#include "formats/table/dictionary.h"
#include "formats/table/infer.h"
#include "formats/table/json_file.h"
#include "formats/table/rows.h"

#include "core/arena.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES_LIMIT = 1 << 30, DEEPEST = 16 };

typedef struct json_table {
    ws_table texts;
    ws_table *table;
    int64_t line;   /* of the value being read */
    bool has_lines; /* rows are values of their own, so that their lines are known */
} json_table;

static void set_cell(json_table *t, const char *name, size_t row, const json_t *value)
{
    char number[WS_DOUBLE_TEXT];
    size_t column;
    if (json_is_null(value))
        return;
    if (!ws_table_find(&t->texts, name, &column))
        column = ws_table_add_column(&t->texts, name, WS_TEXT);
    switch (json_typeof(value)) {
    case JSON_STRING:
        ws_table_set_text(&t->texts, column, row, json_string_value(value));
        break;
    case JSON_INTEGER:
        snprintf(number, sizeof number, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
        ws_table_set_text(&t->texts, column, row, number);
        break;
    case JSON_REAL:
        ws_double_text(number, json_real_value(value));
        ws_table_set_text(&t->texts, column, row, number);
        break;
    default:
        ws_table_set_text(&t->texts, column, row, json_is_true(value) ? "true" : "false");
    }
}

/* "a.csv;b.csv" of ["a.csv", "b.csv"], as the traces of a run may be named. */
static bool is_list_of_texts(const json_t *value)
{
    for (size_t i = 0; i < json_array_size(value); i++)
        if (!json_is_string(json_array_get(value, i)))
            return false;
    return json_array_size(value) > 0;
}

static void set_list(json_table *t, const char *name, size_t row, const json_t *list)
{
    const char *text = "";
    for (size_t i = 0; i < json_array_size(list); i++)
        text =
            ws_arena_printf(&t->texts.arena, "%s%s%s", text, i ? ";" : "", json_string_value(json_array_get(list, i)));
    json_t *joined = json_string(text);
    set_cell(t, name, row, joined);
    json_decref(joined);
}

static void set_members(json_table *t, const char *prefix, size_t row, json_t *object, int depth)
{
    const char *key;
    json_t *value;
    json_object_foreach(object, key, value)
    {
        const char *name = *prefix ? ws_arena_printf(&t->texts.arena, "%s.%s", prefix, key) : key;
        if (json_is_object(value) && depth < DEEPEST)
            set_members(t, name, row, value, depth + 1);
        else if (is_list_of_texts(value))
            set_list(t, name, row, value);
        else if (json_is_object(value) || json_is_array(value))
            ws_notes_add(&t->table->notes, WS_FINDING_LIST_IN_CELL, t->table->source, name, t->line,
                         "'%s' holds a list, which is not a value of a table, and was left out", name);
        else
            set_cell(t, name, row, value);
    }
}

static ws_status table_json_read_add_row(json_table *t, json_t *row, ws_error *error)
{
    if (!json_is_object(row))
        return ws_fail_at(error, WS_FORMAT, t->table->source, t->line, "a row is not an object like {\"gpus\": 4}");
    set_members(t, "", t->has_lines ? ws_table_add_row_at(&t->texts, t->line) : ws_table_add_row(&t->texts), row, 0);
    return WS_OK;
}

static ws_status add_rows(json_table *t, json_t *rows, ws_error *error)
{
    ws_status status = WS_OK;
    for (size_t i = 0; i < json_array_size(rows) && status == WS_OK; i++)
        status = table_json_read_add_row(t, json_array_get(rows, i), error);
    return status;
}

/* "wattscale.runs/1": the table's name, and the version of its columns. */
static ws_status take_schema(json_table *t, const char *schema, ws_error *error)
{
    ws_span name, version, rest = ws_span_of(schema);
    if (!ws_span_has_prefix(rest, "wattscale."))
        return WS_OK;
    rest = (ws_span){rest.p + strlen("wattscale."), rest.n - strlen("wattscale.")};
    if (!ws_span_cut(rest, "/", &name, &version) || !ws_span_eq(version, "1"))
        return ws_fail_at(error, WS_FORMAT, t->table->source, t->line,
                          "schema '%.100s' is not known: version 1 can be read", schema);
    t->table->name = ws_arena_strndup(&t->table->arena, name.p, name.n);
    return WS_OK;
}

static void take_note(json_table *t, const json_t *note)
{
    const char *text = json_string_value(json_object_get(note, "text"));
    const char *code = json_string_value(json_object_get(note, "code"));
    const char *source = json_string_value(json_object_get(note, "source"));
    const char *subject = json_string_value(json_object_get(note, "subject"));
    json_int_t count = json_integer_value(json_object_get(note, "count"));
    ws_finding finding = WS_FINDING_OTHER;
    if (!code || !text)
        return;
    bool known = ws_finding_named(code, &finding);
    ws_notes_add_many(&t->table->notes, count > 0 ? (uint64_t)count : 1, finding, source ? source : "",
                      subject ? subject : "", json_integer_value(json_object_get(note, "line")), "%s%s%s",
                      known ? "" : code, known ? "" : ": ", text);
}

/* This program's rows, or the log of a trainer_state.json. */
static json_t *rows_of(const json_t *value)
{
    json_t *rows = json_object_get(value, "rows");
    return rows ? rows : json_object_get(value, "log_history");
}

/* --- other shapes of one document; each gives a new list of rows, or NULL --- */

static bool is_scalar(const json_t *value)
{
    return !json_is_object(value) && !json_is_array(value);
}

static bool are_objects(const json_t *list)
{
    for (size_t i = 0; i < json_array_size(list); i++)
        if (!json_is_object(json_array_get(list, i)))
            return false;
    return json_array_size(list) > 0;
}

/* A setting of all rows, as "model" or "n_gpus". A time or an energy beside them may be that of all together. */
static bool is_common(const char *name, const json_t *value)
{
    static const char *const settings[] = {"model",  "device",          "gpus",        "nodes",       "lbs", "gbs",
                                           "epochs", "dataset_samples", "power_cap_w", "clock_cap_hz"};
    const ws_known_name *known = ws_dictionary_find_spelled(ws_span_of(name));
    const char *called = known && known->run ? known->run : known ? known->name : "";
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        if (strcmp(called, settings[i]) == 0 && is_scalar(value))
            return true;
    return !known && json_is_string(value);
}

/* {"model": "m", "results": [{"gpus": 4}, {"gpus": 8}]}: settings beside the one list are of every row. */
static json_t *rows_in_results(json_t *document)
{
    static const char *const names[] = {"results", "runs",         "data",      "experiments",
                                        "records", "measurements", "benchmarks"};
    json_t *list = NULL, *row, *value;
    const char *key;
    size_t i, n = 0;
    for (i = 0; i < sizeof names / sizeof *names; i++) {
        json_t *one = json_object_get(document, names[i]);
        list = are_objects(one) ? one : list;
        n += are_objects(one);
    }
    if (n != 1)
        return NULL;
    json_array_foreach(list, i, row)
    {
        json_object_foreach(document, key, value)
        {
            if (is_common(key, value) && !json_object_get(row, key))
                json_object_set(row, key, value);
        }
    }
    return json_incref(list);
}

/* {"gpus": [4, 8], "energy_kwh": [0.46, 0.47]} */
static json_t *rows_in_lists(json_t *document)
{
    const char *key;
    json_t *list, *one;
    size_t n = 0, i, numbers = 0;
    json_object_foreach(document, key, list)
    {
        numbers += json_is_number(json_array_get(list, 0));
        n = n ? n : json_array_size(list);
        if (n < 2 || json_array_size(list) != n)
            return NULL;
        json_array_foreach(list, i, one)
        {
            if (!is_scalar(one))
                return NULL;
        }
    }
    if (json_object_size(document) < 2 || !numbers) /* texts alone may be the traces and nodes of one run */
        return NULL;
    json_t *rows = json_array();
    for (i = 0; i < n; i++) {
        json_t *row = json_object();
        json_object_foreach(document, key, list) json_object_set(row, key, json_array_get(list, i));
        json_array_append_new(rows, row);
    }
    return rows;
}

/* All members are objects of scalars that have the same keys, two at least. */
static bool are_alike(json_t *document)
{
    const char *key, *inner;
    json_t *member, *value, *first = NULL;
    json_object_foreach(document, key, member)
    {
        first = first ? first : member;
        if (json_object_size(member) < 2 || json_object_size(member) != json_object_size(first))
            return false;
        json_object_foreach(member, inner, value)
        {
            if (!is_scalar(value) || !json_object_get(first, inner))
                return false;
        }
    }
    return json_object_size(document) > 1;
}

static bool names_gpus(const char *name)
{
    const ws_known_name *known = ws_dictionary_find_spelled(ws_span_of(name));
    return known && strcmp(known->run ? known->run : known->name, "gpus") == 0;
}

static bool has_gpus(json_t *object)
{
    const char *key;
    json_t *value;
    json_object_foreach(object, key, value)
    {
        if (names_gpus(key))
            return true;
    }
    return false;
}

/* {"gpus": {"0": 4, "1": 8}, "energy_kwh": {"0": 0.46, "1": 0.47}}, as pandas writes it, and
 * {"first": {"gpus": 4, "energy_kwh": 0.46}, "second": {"gpus": 8, ...}}, where the numbers of GPUs say that these are
 * runs. */
static json_t *rows_in_objects(json_t *document)
{
    const char *key, *inner;
    json_t *member, *value, *first = json_object_iter_value(json_object_iter(document));
    bool are_columns = has_gpus(document) && json_object_get(first, "0");
    if (!are_alike(document) || (!are_columns && !has_gpus(first)))
        return NULL;
    json_t *rows = json_array();
    json_object_foreach(are_columns ? first : document, key, member)
    {
        json_t *row = json_object();
        if (!are_columns)
            json_object_set_new(row, "run", json_string(key));
        json_object_foreach(are_columns ? document : member, inner, value)
            json_object_set(row, inner, are_columns ? json_object_get(value, key) : value);
        json_array_append_new(rows, row);
    }
    return rows;
}

static json_t *rows_of_shape(json_t *document)
{
    json_t *rows = rows_in_results(document);
    rows = rows ? rows : rows_in_lists(document);
    return rows ? rows : rows_in_objects(document);
}

/* `is_only`: no other value stands in the file. */
static ws_status add_value(json_table *t, json_t *value, bool is_only, ws_error *error)
{
    json_t *rows = rows_of(value), *notes = json_object_get(value, "notes");
    const char *schema = json_string_value(json_object_get(value, "schema"));
    if (t->texts.n_rows == 0)
        t->has_lines = json_is_object(value) && !json_is_array(rows);
    if (json_is_array(value))
        return add_rows(t, value, error);
    json_t *shaped = json_is_array(rows) || !is_only ? NULL : rows_of_shape(value);
    if (shaped) {
        t->has_lines = false;
        ws_status status = add_rows(t, shaped, error);
        json_decref(shaped);
        return status;
    }
    if (!json_is_array(rows))
        return table_json_read_add_row(t, value, error);
    ws_status status = schema ? take_schema(t, schema, error) : WS_OK;
    for (size_t i = 0; i < json_array_size(notes); i++)
        take_note(t, json_array_get(notes, i));
    return status == WS_OK ? add_rows(t, rows, error) : status;
}

static ws_status fail_json(json_table *t, const json_error_t *why, ws_error *error)
{
    bool is_cut = json_error_code(why) == json_error_premature_end_of_input;
    if (is_cut && t->has_lines && t->texts.n_rows) {
        ws_note_cut_line(&t->table->notes, t->table->source, "", t->line);
        return WS_OK;
    }
    return ws_fail_at(error, WS_FORMAT, t->table->source, t->line + why->line - 1, "is no valid JSON: %s", why->text);
}

/* One value after the other: a document is one value, JSON lines are many. */
static ws_status read_values(json_table *t, ws_span rest, ws_error *error)
{
    ws_status status = WS_OK;
    bool is_first = true;
    t->line = 1;
    while (status == WS_OK) {
        for (; rest.n && strchr(" \t\r\n", *rest.p) && *rest.p; rest.p++, rest.n--)
            t->line += *rest.p == '\n';
        if (!rest.n)
            break;
        json_error_t why;
        json_t *value = json_loadb(rest.p, rest.n, JSON_DISABLE_EOF_CHECK, &why);
        if (!value)
            return fail_json(t, &why, error);
        const size_t used = (size_t)why.position;
        bool is_only = is_first && !ws_span_trim((ws_span){rest.p + used, rest.n - used}).n;
        status = add_value(t, value, is_only, error);
        json_decref(value);
        for (size_t i = 0; i < used; i++, rest.p++, rest.n--)
            t->line += *rest.p == '\n';
        is_first = false;
    }
    return status;
}

static ws_status read_table_json(ws_input *input, const ws_read_options *options, ws_table *table, ws_error *error)
{
    (void)options;
    ws_span bytes;
    json_table t = {.table = table};
    table->source = ws_arena_strdup(&table->arena, ws_input_path(input));
    ws_status status = ws_input_read_all(input, BYTES_LIMIT, &bytes, error);
    if (status != WS_OK)
        return status;
    char *copy;
    bytes = ws_json_without_nan(bytes, &copy);
    ws_table_init(&t.texts, "texts");
    status = read_values(&t, bytes, error);
    ws_infer_columns(&t.texts, table);
    ws_table_free(&t.texts);
    free(copy);
    return status;
}

static int score_table_json_read(const char *path, ws_span head)
{
    (void)path;
    ws_span line, rest = ws_span_trim(head);
    if (ws_span_has_prefix(rest, "["))
        return ws_span_has_prefix(ws_span_trim((ws_span){rest.p + 1, rest.n - 1}), "{") ? 30 : 0;
    if (!ws_span_has_prefix(rest, "{") || !ws_span_contains(rest, "\""))
        return 0;
    if (ws_span_contains(rest, "\"wattscale.") && ws_span_contains(rest, "\"rows\""))
        return 95;
    ws_span_split(&rest, '\n', &line);
    return ws_span_has_suffix(ws_span_trim(line), "}") ? 25 : 10;
}

const ws_format ws_format_table_json = {
    .name = "table-json",
    .title = "table as JSON: of this program, a list of objects, or an object a line",
    .example = "{\"schema\":\"wattscale.runs/1\",\"rows\":[{\"gpus\":4,\"energy_kwh\":0.46}],\"notes\":[]}",
    .is_record = true,
    .is_any_table = true,
    .tier = 1,
    .tried = WS_TRIED_REAL,
    .score = score_table_json_read,
    .read_table = read_table_json,
};
