#include "harness.h"

#include "core/table.h"
#include "formats/format.h"

#include <math.h>
#include <string.h>

extern const ws_format ws_format_table_csv;

/* Run in the project's folder, as make does. */
static void load(ws_table *table, const char *folder, const char *file)
{
    char path[1000];
    ws_input *input;
    ws_error error = {0};
    ws_read_options options = WS_READ_DEFAULTS;
    snprintf(path, sizeof path, "%s/%s", folder, file);
    ws_table_init(table, "published");
    ck_assert_msg(ws_input_open(&input, path, &error) == WS_OK, "%s", error.message);
    ck_assert_msg(ws_format_table_csv.read_table(input, &options, table, &error) == WS_OK, "%s", error.message);
    ck_assert_msg(table->notes.n == 0, "%s: %s", path, table->notes.n ? table->notes.items[0].text : "");
    ws_input_close(input);
}

static double number(const ws_table *table, size_t row, const char *name)
{
    size_t column;
    ck_assert_msg(ws_table_find(table, name, &column), "%s has no column %s", table->source, name);
    return ws_table_number(table, column, row);
}

static const char *text(const ws_table *table, size_t row, const char *name)
{
    static char buffers[4][WS_DOUBLE_TEXT];
    static int next;
    size_t column;
    ck_assert_msg(ws_table_find(table, name, &column), "%s has no column %s", table->source, name);
    next = (next + 1) % 4;
    return ws_table_cell_text(table, column, row, buffers[next]);
}

START_TEST(checksums)
{
    ck_assert_int_eq(system("cd datasets && sha256sum --check --quiet --strict SHA256SUMS"), 0);
}
END_TEST

START_TEST(the_index_names_every_file)
{
    static const char sums_path[] = "datasets/SHA256SUMS";
    ws_table index;
    char sums[8192];
    FILE *file = fopen(sums_path, "r");
    ck_assert_msg(file != NULL, "%s", sums_path);
    sums[fread(sums, 1, sizeof sums - 1, file)] = '\0';
    fclose(file);
    load(&index, "datasets", "index.csv");
    ck_assert_uint_ge(index.n_rows, 11);
    for (size_t row = 0; row < index.n_rows; row++) {
        ws_table data;
        if (strcmp(text(&index, row, "synthetic"), "no") != 0)
            continue;
        load(&data, "datasets", text(&index, row, "file"));
        ck_assert_uint_gt(data.n_rows, 0);
        ck_assert_msg(strstr(sums, text(&index, row, "file")), "%s has no checksum", text(&index, row, "file"));
        ck_assert_str_ne(text(&index, row, "source"), "");
        ws_table_free(&data);
    }
    ws_table_free(&index);
}
END_TEST

/* Huber et al. 2025, Table 1. The quotients are those of the printed numbers, by hand. */
START_TEST(table1_agrees_with_itself)
{
    static const double kwh_per_gpuh[] = {0.2745, 0.2157, 0.2815, 0.2092, 0.2628, 0.1932};
    ws_table t;
    load(&t, "datasets/huber2025", "table1.csv");
    ck_assert_uint_eq(t.n_rows, 6);
    for (size_t row = 0; row < t.n_rows; row++) {
        double gpus = number(&t, row, "gpus"), gpu_h = number(&t, row, "gpu_h");
        /* hours are printed to 0.01 */
        ck_close(gpus * number(&t, row, "runtime_h"), gpu_h, 0, gpus * 0.005 + 0.005);
        ck_close(number(&t, row, "energy_kwh") / gpu_h, kwh_per_gpuh[row], 0, 0.00005);
        ck_assert(gpus * number(&t, row, "lbs") == number(&t, row, "gbs"));
        ck_assert_str_eq(text(&t, row, "device"), row % 2 ? "A100" : "H100");
    }
    ws_table_free(&t);
}
END_TEST

static size_t find_row(const ws_table *t, const char *series, double gpus)
{
    size_t row = 0;
    while (row < t->n_rows && (strcmp(text(t, row, "series"), series) != 0 || number(t, row, "gpus") != gpus))
        row++;
    ck_assert_msg(row < t->n_rows, "no row for %s at %g GPUs", series, gpus);
    return row;
}

START_TEST(scaled_agrees_with_the_paper)
{
    ws_table t;
    load(&t, "datasets/huber2025", "scaled.csv");
    ck_assert_uint_eq(t.n_rows, 18);
    for (size_t row = 0; row < t.n_rows; row++) {
        double per_gpuh = number(&t, row, "energy_kwh") / number(&t, row, "gpu_h");
        double gbs = number(&t, row, "gbs");
        ck_assert(number(&t, row, "gpus") * number(&t, row, "lbs") == gbs);
        ck_assert(number(&t, row, "n_runs") == 5);
        /* Sec. 3.5: 0.26 to 0.32 kW; below 4 GPUs the CPUs of the whole node count */
        ck_assert_msg(number(&t, row, "gpus") < 4 || (per_gpuh > 0.255 && per_gpuh < 0.325), "row %zu: %g", row,
                      per_gpuh);
    }
    /* 30.207 kWh / 1281167 samples */
    size_t whole = find_row(&t, "lbs256", 256);
    ck_assert(number(&t, whole, "dataset_samples") == 1281167);
    ck_close(number(&t, whole, "energy_kwh"), 30.207, 0, 0.0005);
    ck_close(number(&t, whole, "energy_kwh") * 1000 / number(&t, whole, "dataset_samples"), 0.0236, 0, 0.00005);
    /* the same five runs belong to two series */
    ck_assert(number(&t, find_row(&t, "lbs256", 32), "energy_kwh") ==
              number(&t, find_row(&t, "gbs8192", 32), "energy_kwh"));
    ws_table_free(&t);
}
END_TEST

/* Frey et al. 2022: the same number printed in two tables. */
START_TEST(frey_tables_agree_where_they_overlap)
{
    ws_table all, clock, power, bert;
    load(&all, "datasets/frey2022", "table2.csv");
    load(&clock, "datasets/frey2022", "table3.csv");
    load(&power, "datasets/frey2022", "table4.csv");
    load(&bert, "datasets/frey2022", "table5.csv");
    ck_assert_str_eq(text(&all, 0, "model"), "DimeNet");
    ck_assert(number(&all, 0, "beta") == 0.82 && number(&clock, 2, "beta") == 0.82 &&
              number(&power, 2, "beta") == 0.82);
    ck_assert(number(&all, 2, "beta") == 0.87 && number(&bert, 2, "beta") == 0.87);
    ck_assert(number(&all, 0, "beta_se") == 0.03 && isnan(number(&all, 3, "beta_se")));
    ws_table_free(&all);
    ws_table_free(&clock);
    ws_table_free(&power);
    ws_table_free(&bert);
}
END_TEST

static void compare_row(const ws_table *ours, size_t row, const ws_table *source, size_t from, const char *const *names)
{
    char a[WS_DOUBLE_TEXT], b[WS_DOUBLE_TEXT];
    for (size_t c = 0; c < ours->n_columns; c++) {
        size_t other = c;
        if (names)
            ck_assert_msg(ws_table_find(source, names[c], &other), "%s", names[c]);
        /* kinds may differ ("120.70" and "120.7"), numbers and texts may not */
        double x = ws_table_number(ours, c, row), y = ws_table_number(source, other, from);
        bool same = isnan(x)
                        ? strcmp(ws_table_cell_text(ours, c, row, a), ws_table_cell_text(source, other, from, b)) == 0
                        : x == y;
        ck_assert_msg(same, "%s row %zu, %s: %s and %s", ours->source, row, ours->columns[c].name,
                      ws_table_cell_text(ours, c, row, a), ws_table_cell_text(source, other, from, b));
    }
}

START_TEST(every_number_is_the_published_one)
{
    static const char *const files[][2] = {
        {"huber2025/table1.csv", "huber2025_table1.csv"}, {"huber2025/prose.csv", "huber2025_prose.csv"},
        {"frey2022/table1.csv", "frey2022_table1.csv"},   {"frey2022/table2.csv", "frey2022_table2.csv"},
        {"frey2022/table3.csv", "frey2022_table3.csv"},   {"frey2022/table4.csv", "frey2022_table4.csv"},
        {"frey2022/table5.csv", "frey2022_table5.csv"},   {"frey2022/table6.csv", "frey2022_table6.csv"},
        {"frey2022/prose.csv", "frey2022_prose.csv"},     {"jigsaw2025/prose.csv", "jigsaw2025_prose.csv"},
    };
    const char *corpus = getenv("CORPUS");
    char folder[900];
    if (!corpus)
        skip_because("CORPUS is not set");
    snprintf(folder, sizeof folder, "%s/published", corpus);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        ws_table ours, source;
        load(&ours, "datasets", files[i][0]);
        load(&source, folder, files[i][1]);
        ck_assert_uint_eq(ours.n_rows, source.n_rows);
        ck_assert_uint_eq(ours.n_columns, source.n_columns);
        for (size_t row = 0; row < ours.n_rows; row++)
            compare_row(&ours, row, &source, row, NULL);
        ws_table_free(&ours);
        ws_table_free(&source);
    }
}
END_TEST

START_TEST(every_scaled_number_is_the_published_one)
{
    static const char *const names[] = {
        "series",          "gpus",      "lbs",       "gbs",   "epochs", "train_samples", "energy_kwh_mean",
        "energy_kwh_rmse", "gpuh_mean", "gpuh_rmse", "n_runs"};
    const char *corpus = getenv("CORPUS");
    char folder[900];
    ws_table ours, source;
    if (!corpus)
        skip_because("CORPUS is not set");
    snprintf(folder, sizeof folder, "%s/fixtures/perun/paper_published", corpus);
    load(&ours, "datasets/huber2025", "scaled.csv");
    load(&source, folder, "resnet_scaled_dataset.csv");
    ck_assert_uint_eq(ours.n_rows, source.n_rows);
    ck_assert_uint_eq(ours.n_columns, sizeof names / sizeof *names);
    for (size_t row = 0; row < ours.n_rows; row++)
        compare_row(&ours, row, &source, find_row(&source, text(&ours, row, "series"), number(&ours, row, "gpus")),
                    names);
    ws_table_free(&ours);
    ws_table_free(&source);
}
END_TEST

TEST_MAIN("published numbers", checksums, the_index_names_every_file, table1_agrees_with_itself,
          scaled_agrees_with_the_paper, frey_tables_agree_where_they_overlap, every_number_is_the_published_one,
          every_scaled_number_is_the_published_one)
