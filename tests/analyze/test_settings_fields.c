/* Which keys of a file of settings are fields of its run. */
#include "harness.h"

#include "analyze/ingest/settings_fields.h"

#include <string.h>

typedef struct pair {
    const char *key, *value;
} pair;

/* "gpus=4 lr=0.1 " of the keys; a '!' behind those that are known. */
static void expect(const char *source, const pair *pairs, const char *want)
{
    ws_arena arena = {0};
    ws_table table;
    const char *got = "";
    ws_table_init(&table, "settings");
    table.source = source;
    ws_table_add_row(&table);
    for (; pairs->key; pairs++)
        ws_table_set_text(&table, ws_table_add_column(&table, pairs->key, WS_TEXT), 0, pairs->value);
    for (size_t c = 0; c < table.n_columns; c++) {
        ws_field field;
        if (ws_setting_field(&table, c, &arena, &field))
            got = ws_arena_printf(&arena, "%s%s=%s%s ", got, field.name, field.value,
                                  ws_setting_is_known(&table, c) ? "!" : "");
    }
    ck_assert_str_eq(got, want);
    ws_table_free(&table);
    ws_arena_free(&arena);
}

START_TEST(words_that_programs_use)
{
    static const pair pairs[] = {{"trainer.max_epochs", "10"},  {"optimizer.lr", "0.1"},
                                 {"data/batch_size", "64"},     {"model.name", "resnet50"},
                                 {"random_seed", "3"},          {"num_gpus", "4"},
                                 {"trainer.Precision", "bf16"}, {NULL, NULL}};
    expect("config.yaml", pairs, "epochs=10! lr=0.1! batch=64! model=resnet50! seed=3! gpus=4! precision=bf16 ");
}
END_TEST

/* What is no setting, or may mean several things by a factor. */
START_TEST(keys_that_are_no_fields)
{
    static const pair pairs[] = {{"epoch", "9"},        {"rank", "0"},    {"_wandb", "x"},    {"root", "/data/x"},
                                 {"energy_kwh", "0.3"}, {"wall_s", "12"}, {"device", "cuda"}, {"devices", "auto"},
                                 {"gpus", "auto"},      {"status", "ok"}, {NULL, NULL}};
    static const pair nodes[] = {{"gpus", "4"}, {"num_nodes", "2"}, {NULL, NULL}};
    static const pair lightning[] = {{"devices", "4"}, {"num_nodes", "2"}, {NULL, NULL}};
    static const pair one_node[] = {{"gpus", "4"}, {"num_nodes", "1"}, {NULL, NULL}};
    expect("config.yaml", pairs, "");
    expect("config.yaml", nodes, "nodes=2! ");
    expect("config.yaml", one_node, "gpus=4! nodes=1! ");
    expect("hparams.yaml", lightning, "gpus_per_node=4! nodes=2! ");
}
END_TEST

START_TEST(results_are_no_settings)
{
    static const pair pairs[] = {
        {"lr", "0.001"}, {"gpus", "8"}, {"val_acc", "0.71"}, {"energy_kwh", "3"}, {NULL, NULL}};
    expect("a/files/wandb-summary.json", pairs, "val_acc=0.71 ");
    expect("a/.hydra/overrides.yaml", pairs, "lr=0.001! gpus=8! val_acc=0.71! ");
}
END_TEST

TEST_MAIN("fields of settings", words_that_programs_use, keys_that_are_no_fields, results_are_no_settings)
