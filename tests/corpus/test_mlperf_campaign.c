/* Published runs of MLPerf Training v4.0 with the power of every node, through a campaign of two rules: cut to the run
 * window of the result log, against numbers that were computed independently (expected.json beside the files). */
#include "harness.h"

#include "analyze/ingest/ingest.h"
#include "analyze/ingest/propose.h"
#include "analyze/ingest/run_columns.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char folder[] = "fixtures/mlperf-training-power";

static void read_runs(ws_edge_policy edges, ws_table *runs)
{
    char path[600];
    ws_error error = {0};
    ws_path_rule paths = {.match = "{config}/power/node_{node}.txt"};
    ws_window_rule windows = {.match = "{config}/result_{*}.txt"};
    ws_side_rule total = {.match = "{config}/power/total_power.txt", .as = "job-log"};
    snprintf(path, sizeof path, "%s/%s", getenv("CORPUS"), folder);
    ws_campaign campaign = {.folder = path,
                            .source = "campaign.json",
                            .paths = &paths,
                            .n_paths = 1,
                            .windows = &windows,
                            .n_windows = 1,
                            .side_files = &total,
                            .n_side_files = 1};
    ws_ingest_options options = {.source.read = WS_READ_DEFAULTS, .measure.meter.edges = edges};
    ws_runs_init(runs);
    ck_assert_msg(ws_ingest_campaign(&campaign, &options, runs, &error) == WS_OK, "%s", error.message);
    ck_assert_uint_eq(runs->n_rows, 3);
}

static size_t row_of(const ws_table *runs, const char *config)
{
    for (size_t row = 0; row < runs->n_rows; row++)
        if (strcmp(runs->columns[WS_COL_RUN].text[row], config) == 0)
            return row;
    ck_abort_msg("there is no run %s", config);
    return 0;
}

static double expected(const char *config, const char *key)
{
    char path[600];
    snprintf(path, sizeof path, "%s/%s/expected.json", getenv("CORPUS"), folder);
    json_t *root = json_load_file(path, 0, NULL);
    double number = json_number_value(json_object_get(json_object_get(json_object_get(root, "files"), config), key));
    ck_assert_msg(number > 0, "%s has no %s of %s", path, key, config);
    json_decref(root);
    return number;
}

/* The numbers of expected.json are rounded to 1e-6 kWh. */
START_TEST(energies_inside_the_runs)
{
    static const struct {
        const char *config;
        double nodes;
    } configs[] = {{"llama2_70b_lora_1x", 1}, {"llama2_70b_lora_8x", 8}, {"llama2_70b_lora_64x", 64}};
    ws_table runs;
    if (!getenv("CORPUS"))
        skip_because("CORPUS is not set");
    read_runs(WS_EDGES_INSIDE, &runs);
    for (size_t i = 0; i < sizeof configs / sizeof *configs; i++) {
        size_t row = row_of(&runs, configs[i].config);
        double kwh = ws_runs_get(&runs, WS_COL_ENERGY, row), wall = ws_runs_get(&runs, WS_COL_WALL, row);
        ck_assert_double_eq_tol(kwh, expected(configs[i].config, "energy_inside_run_kWh"), 0.51e-6);
        ck_assert_double_eq_tol(wall, expected(configs[i].config, "run_duration_s"), 1e-9);
        ck_assert_double_eq(ws_runs_get(&runs, WS_COL_NODES, row), configs[i].nodes);
        ck_assert_str_eq(runs.columns[WS_COL_ENERGY_SCOPE].text[row], "node");
        ck_assert_str_eq(runs.columns[WS_COL_WALL_SOURCE].text[row], "window");
    }
    size_t large = row_of(&runs, "llama2_70b_lora_64x"), column;
    ck_assert_double_lt(ws_runs_get(&runs, WS_COL_COVERAGE, large), 1);
    ck_assert(ws_table_find(&runs, "job_energy_kwh", &column));
    ck_assert_double_eq(ws_table_number(&runs, column, large), 10.57);
    ws_table_free(&runs);
}
END_TEST

/* As scan finds it: the estimates of switches are no traces, total_power.txt is a total beside them. */
START_TEST(scan_finds_the_same_runs)
{
    static const char *const configs[] = {"llama2_70b_lora_1x", "llama2_70b_lora_8x", "llama2_70b_lora_64x"};
    char path[600];
    ws_campaign campaign;
    ws_proposal proposal;
    ws_notes notes = {0};
    ws_table runs;
    ws_error error = {0};
    ws_propose_options propose = {.threads = 1};
    ws_ingest_options options = {.source.read = WS_READ_DEFAULTS, .threads = 1};
    if (!getenv("CORPUS"))
        skip_because("CORPUS is not set");
    snprintf(path, sizeof path, "%s/%s", getenv("CORPUS"), folder);
    ck_assert(ws_propose_campaign(path, &propose, &campaign, &proposal, &notes, &error) == WS_OK);
    campaign.source = "campaign.json";
    ws_runs_init(&runs);
    ck_assert_msg(ws_ingest_campaign(&campaign, &options, &runs, &error) == WS_OK, "%s", error.message);
    ck_assert_uint_eq(runs.n_rows, 3);
    for (size_t i = 0; i < sizeof configs / sizeof *configs; i++) {
        size_t row = row_of(&runs, configs[i]);
        ck_assert_double_eq_tol(ws_runs_get(&runs, WS_COL_ENERGY, row), expected(configs[i], "energy_inside_run_kWh"),
                                0.51e-6);
    }
    ws_table_free(&runs);
    ws_notes_free(&notes);
    ws_proposal_free(&proposal);
    ws_campaign_free(&campaign);
}
END_TEST

/* Held out to the ends of the window: 10.672 kWh, 12.11 MJ. */
START_TEST(held_edges_fill_the_window)
{
    ws_table runs;
    if (!getenv("CORPUS"))
        skip_because("CORPUS is not set");
    read_runs(WS_EDGES_HOLD, &runs);
    size_t large = row_of(&runs, "llama2_70b_lora_64x"), one = row_of(&runs, "llama2_70b_lora_1x");
    ck_assert_double_eq_tol(ws_runs_get(&runs, WS_COL_ENERGY, large), 10.672, 0.5e-3);
    ck_assert_double_eq(ws_runs_get(&runs, WS_COL_COVERAGE, large), 1);
    ck_assert_double_eq_tol(ws_runs_get(&runs, WS_COL_ENERGY, one) * 3.6, 12.11, 0.5e-2);
    ws_table_free(&runs);
}
END_TEST

static size_t count_same(const ws_table *runs, const char *config)
{
    size_t n = 0;
    for (size_t i = 0; i < runs->notes.n; i++)
        n += strcmp(ws_finding_code(runs->notes.items[i].finding), "same-readings") == 0 &&
             strstr(runs->notes.items[i].source, config);
    return n;
}

/* By their bytes the eight files of the 8-node run are four pairs, and 36 of the 64 files are 18 pairs. */
START_TEST(nodes_with_the_same_bytes_are_named)
{
    ws_table runs;
    if (!getenv("CORPUS"))
        skip_because("CORPUS is not set");
    read_runs(WS_EDGES_INSIDE, &runs);
    ck_assert_uint_eq(count_same(&runs, "llama2_70b_lora_8x"), 4);
    ck_assert_uint_eq(count_same(&runs, "llama2_70b_lora_64x"), 18);
    ck_assert_uint_eq(count_same(&runs, "llama2_70b_lora_1x"), 0);
    ws_table_free(&runs);
}
END_TEST

TEST_MAIN("MLPerf campaign", energies_inside_the_runs, scan_finds_the_same_runs, held_edges_fill_the_window,
          nodes_with_the_same_bytes_are_named)
