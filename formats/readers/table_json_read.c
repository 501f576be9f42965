/* Tables as JSON: what this program writes, a list of objects, or an object a line.
 *
 *   {"schema":"wattscale.runs/1","rows":[{"gpus":4,"energy_kwh":0.46},{"gpus":8,"energy_kwh":null}],"notes":[]}
 *   [{"gpus": 4, "energy_kwh": 0.46}, ...]
 *   {"gpus": 4, "config": {"lbs": 256}}
 *
 * An object is a row; inner objects give columns named "config.lbs". null and the NaN and Infinity that Python writes
 * are missing. */
#include "formats/format.h"
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

static ws_status add_value(json_table *t, json_t *value, ws_error *error)
{
    json_t *rows = rows_of(value), *notes = json_object_get(value, "notes");
    const char *schema = json_string_value(json_object_get(value, "schema"));
    if (t->texts.n_rows == 0)
        t->has_lines = json_is_object(value) && !json_is_array(rows);
    if (json_is_array(value))
        return add_rows(t, value, error);
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
        status = add_value(t, value, error);
        json_decref(value);
        for (size_t used = (size_t)why.position; used; used--, rest.p++, rest.n--)
            t->line += *rest.p == '\n';
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
