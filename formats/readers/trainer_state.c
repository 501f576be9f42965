/* trainer_state.json of Hugging Face's Trainer: settings of the run, and what it logged.
 *
 *   {"epoch": 3.0, "global_step": 1200, "num_train_epochs": 3, "train_batch_size": 8, "total_flos": 2.5e+17,
 *    "log_history": [{"epoch": 1.0, "loss": 1.1, "step": 400}, {"epoch": 3.0, "eval_accuracy": 0.71, "step": 1200},
 *                    {"epoch": 3.0, "train_runtime": 1842.5, "train_samples_per_second": 65.1, "step": 1200}]}
 *
 * One row: the plain values, and of every key of the log its last value ("train_runtime" stands in the last record of a
 * finished run and nowhere in a checkpoint). The log row by row: --as table-json. */
#include "formats/format.h"
#include "formats/table/json_file.h"

#include "core/arena.h"

#include <jansson.h>
#include <string.h>

enum { BYTES_LIMIT = 1 << 28 };

static void set_value(ws_table *table, const char *key, const json_t *value)
{
    size_t column;
    if (!json_is_number(value) && !json_is_string(value))
        return;
    if (!ws_table_find(table, key, &column))
        column = ws_table_add_column(table, key, json_is_number(value) ? WS_NUMBER : WS_TEXT);
    if (table->columns[column].kind == WS_NUMBER && json_is_number(value))
        ws_table_set_number(table, column, 0, json_number_value(value));
    else if (table->columns[column].kind == WS_TEXT && json_is_string(value))
        ws_table_set_text(table, column, 0, json_string_value(value));
}

static bool is_of_the_run(const json_t *root, const char *key)
{
    return json_object_get(root, key) || strcmp(key, "step") == 0;
}

static void take_state(ws_table *table, json_t *root)
{
    const char *key;
    json_t *value, *log = json_object_get(root, "log_history");
    json_object_foreach(root, key, value)
    {
        set_value(table, key, value);
    }
    for (size_t i = 0; i < json_array_size(log); i++) {
        json_object_foreach(json_array_get(log, i), key, value)
        {
            if (!is_of_the_run(root, key))
                set_value(table, key, value);
        }
    }
    size_t column = ws_table_add_column(table, "records", WS_INTEGER);
    ws_table_set_integer(table, column, 0, (int64_t)json_array_size(log));
    if (!ws_table_find(table, "train_runtime", &column))
        ws_notes_add(&table->notes, WS_FINDING_NO_RUN_TIME, table->source, "", 0,
                     "no record has a train_runtime: the run was not finished when this was saved");
}

static ws_status read_trainer_state(ws_input *input, const ws_read_options *options, ws_table *table, ws_error *error)
{
    (void)options;
    json_t *root;
    table->source = ws_arena_strdup(&table->arena, ws_input_path(input));
    ws_status status = ws_json_read(input, BYTES_LIMIT, 0, &root, error);
    if (status != WS_OK)
        return status;
    if (json_is_array(json_object_get(root, "log_history"))) {
        ws_table_add_row(table);
        take_state(table, root);
    } else {
        status = ws_fail_at(error, WS_FORMAT, table->source, 0, "has no list 'log_history'");
    }
    json_decref(root);
    return status;
}

static int score_trainer_state(const char *path, ws_span head)
{
    (void)path;
    ws_span before, after, trimmed = ws_span_trim(head);
    if (!ws_span_has_prefix(trimmed, "{") || !ws_span_contains(trimmed, "\"global_step\"") ||
        !ws_span_cut(trimmed, "\"log_history\":", &before, &after))
        return 0;
    return ws_span_has_prefix(ws_span_trim(after), "[") ? 92 : 0;
}

const ws_format ws_format_trainer_state = {
    .name = "trainer-state",
    .title = "trainer_state.json of Hugging Face's Trainer",
    .example = "{\"epoch\": 3.0, \"global_step\": 1200, \"num_train_epochs\": 3, "
               "\"log_history\": [{\"loss\": 1.1, \"step\": 400}]}",
    .is_record = true,
    .tier = 2,
    .tried = WS_TRIED_REAL,
    .score = score_trainer_state,
    .read_table = read_trainer_state,
};
