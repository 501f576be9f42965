#include "analyze/ingest/settings_fields.h"

#include "analyze/ingest/name_words.h"
#include "analyze/ingest/run_columns.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* Beside the words of paths: what programs call their settings. "" is not a field of a run. */
static const struct {
    const char *key, *field;
} named[] = {
    {"model", "model"},
    {"model_name", "model"},
    {"arch", "model"},
    {"architecture", "model"},
    {"network", "model"},
    {"max_epochs", "epochs"},
    {"num_epochs", "epochs"},
    {"n_epochs", "epochs"},
    {"num_train_epochs", "epochs"},
    {"num_workers", "workers"},
    {"num_gpus", "gpus"},
    {"n_gpus", "gpus"},
    {"num_nodes", "nodes"},
    {"train_batch_size", "batch"},
    {"random_seed", "seed"},
    {"per_gpu_batch_size", "lbs"},
    {"epoch", ""},
    {"device", ""},
    {"devices", "gpus_per_node"}, /* of Lightning's Trainer, as num_nodes */
    {"gpu", ""},
    {"rank", ""},
    {"node", ""},
    {"host", ""},
    {"hostname", ""},
    {"step", ""},
    {"run", ""},
    {"status", ""},
};

static ws_span last_word(const char *key)
{
    const char *dot = strrchr(key, '.'), *slash = strrchr(dot ? dot + 1 : key, '/');
    return ws_span_of(slash ? slash + 1 : dot ? dot + 1 : key);
}

/* "model.name: resnet50" says the model. */
static ws_span word_of(const char *key)
{
    ws_span word = last_word(key);
    const char *dot = strrchr(key, '.');
    bool is_of_group = dot && (ws_span_eq(word, "name") || ws_span_eq(word, "type"));
    if (!is_of_group)
        return word;
    const char *from = dot;
    while (from > key && from[-1] != '.')
        from--;
    return (ws_span){from, (size_t)(dot - from)};
}

static const char *known_field(ws_span word)
{
    for (size_t i = 0; i < sizeof named / sizeof *named; i++)
        if (ws_span_eq_nocase(word, named[i].key))
            return named[i].field;
    const ws_name_word *found = word.n > 1 ? ws_name_word_find(word, false) : NULL;
    return !found ? NULL : found->use == WS_USE_FILE || found->use == WS_USE_IDENTITY ? "" : found->field;
}

/* Training programs say the GPUs of one node where they say the number of nodes. */
static bool has_nodes(const ws_table *settings)
{
    bool has = false;
    for (size_t c = 0; c < settings->n_columns && !has; c++) {
        const char *field = known_field(word_of(settings->columns[c].name));
        char buffer[WS_DOUBLE_TEXT];
        has = field && strcmp(field, "nodes") == 0 && strcmp(ws_table_cell_text(settings, c, 0, buffer), "1") != 0;
    }
    return has;
}

static bool is_of_results(const ws_table *settings)
{
    return settings->source && ws_span_has_suffix(ws_span_of(settings->source), "wandb-summary.json");
}

static bool is_of_command_line(const ws_table *settings)
{
    return settings->source && ws_span_has_suffix(ws_span_of(settings->source), "overrides.yaml");
}

static const char *lower_name(ws_arena *arena, ws_span word)
{
    char *name = ws_arena_strndup(arena, word.p, word.n);
    for (char *c = name; *c; c++)
        *c = isalnum((unsigned char)*c) ? (char)tolower((unsigned char)*c) : '_';
    return name;
}

/* A standard column that holds what was measured, or says how. */
static bool is_measured(const char *name)
{
    ws_run_column column;
    return ws_run_column_find(name, &column) && ws_run_column_about(column)->role != WS_ROLE_SETTING &&
           column != WS_COL_MODEL && column != WS_COL_SERIES;
}

static bool is_field_number(const char *field, ws_span value)
{
    static const char *const numbers[] = {"gpus",  "nodes",  "gpus_per_node", "lbs", "gbs",
                                          "batch", "epochs", "workers",       "seed"};
    double number;
    bool is_number = false, is_count = strcmp(field, "gpus_per_node") == 0; /* "auto", -1: all that there are */
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers && !is_number; i++)
        is_number = strcmp(field, numbers[i]) == 0;
    return !is_number || (ws_span_double(value, &number) && (!is_count || number >= 1));
}

bool ws_setting_field(const ws_table *settings, size_t column, ws_arena *arena, ws_field *field)
{
    const char *key = settings->columns[column].name;
    char buffer[WS_DOUBLE_TEXT];
    ws_span word = word_of(key), value = ws_span_of(ws_table_cell_text(settings, column, 0, buffer));
    const char *known = known_field(word);
    bool is_open = known && strcmp(known, "gpus") == 0 && has_nodes(settings);
    *field = (ws_field){known ? known : lower_name(arena, word), ws_arena_strndup(arena, value.p, value.n)};
    if (!word.n || *key == '_' || *word.p == '_' || !*field->name || is_open || memchr(value.p, '/', value.n))
        return false;
    if (is_of_results(settings))
        return !known && !is_measured(field->name);
    return !is_measured(field->name) && is_field_number(field->name, value);
}

bool ws_setting_is_known(const ws_table *settings, size_t column)
{
    const char *known = known_field(word_of(settings->columns[column].name));
    return is_of_command_line(settings) || (known && *known);
}
