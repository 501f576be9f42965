/* What a run's traces come to in its row: energies, their uncertainty, the wall time of a window. Numbers known by
 * hand. */
#include "made_folder.h"

#include "analyze/ingest/ingest.h"
#include "analyze/ingest/run_columns.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

static ws_table runs;

static void ingest(const char *trace)
{
    ws_ingest_options options = {.source = {.read = WS_READ_DEFAULTS}};
    ws_campaign campaign;
    ws_error error = {0};
    make_folder();
    write_file("gpu.csv", trace);
    ws_status status = ws_ingest(folder, &options, &campaign, &runs, &error);
    ck_assert_msg(status == WS_OK, "%s", error.message);
    ws_campaign_free(&campaign);
    remove_file("gpu.csv");
    rmdir(folder);
    ck_assert_uint_eq(runs.n_rows, 1);
}

static double at(ws_run_column column)
{
    return ws_runs_get(&runs, column, 0);
}

/* 30 s at 100 or 300 W in steps of a second, a gap of 100 s from 300 W to 100 W, a second. The gap could hold anything
 * from its lowest power for 100 s to 700 W, which GPUs draw, or be no time at all; the run may have begun a second
 * earlier and ended a second later. */
START_TEST(what_is_open_of_an_energy_stands_beside_it)
{
    char text[2048] = "timestamp,gpu,power_w\n";
    for (int i = 0; i <= 30; i++)
        sprintf(text + strlen(text), "%d,0,%d\n", 1770796800 + i, i < 10 ? 100 : 300);
    strcat(text, "1770796930,0,100\n1770796931,0,100\n");
    ingest(text);
    /* 9 x 100 + 200 + 20 x 300 + 200 x 100 + 100 J */
    double energy_j = 900 + 200 + 6000 + 20000 + 100;
    ck_close(at(WS_COL_ENERGY), energy_j / 3.6e6, 1e-15, 0);
    ck_close(at(WS_COL_ENERGY_GPU), at(WS_COL_ENERGY), 0, 0);
    ck_close(at(WS_COL_GAPS_LO) * 3.6e6, energy_j - 100 * 100, 1e-12, 0);
    ck_close(at(WS_COL_GAPS_HI) * 3.6e6, energy_j + 500 * 100, 1e-12, 0);
    ck_close(at(WS_COL_CLOCK_LO) * 3.6e6, energy_j - 100 * 100, 1e-12, 0);
    ck_close(at(WS_COL_EDGES_HI) * 3.6e6, energy_j + 2 * 300, 1e-12, 0);
    ck_assert_double_nan(at(WS_COL_COUNTER_LO));
    double u_j = 3.6e6 * hypot(at(WS_COL_SENSOR_U), at(WS_COL_SAMPLING_U)), cover = 1.959963984540054;
    ck_close(at(WS_COL_SENSOR_U) * 3.6e6, 0.05 * energy_j, 1e-12, 0);
    ck_close(at(WS_COL_ENERGY_LO) * 3.6e6, energy_j - 20000 - cover * u_j, 1e-12, 0);
    ck_close(at(WS_COL_ENERGY_HI) * 3.6e6, energy_j + 50600 + cover * u_j, 1e-12, 0);
    ck_close(at(WS_COL_ENERGY_U), (at(WS_COL_ENERGY_HI) - at(WS_COL_ENERGY_LO)) / 2 / cover, 1e-12, 0);
    ck_assert_double_eq(at(WS_COL_WALL), 131);
    ws_table_free(&runs);
}
END_TEST

/* The middle eight of ten seconds at 100 W; the wall time is the window's. */
START_TEST(a_window_gives_the_wall_time)
{
    ws_ingest_options options = {.source = {.read = WS_READ_DEFAULTS}};
    ws_campaign campaign;
    ws_error error = {0};
    char text[512] = "timestamp,gpu,power_w\n";
    for (int i = 0; i <= 10; i++)
        sprintf(text + strlen(text), "2026-02-11T08:00:%02dZ,0,100\n", i);
    make_folder();
    write_file("n1.csv", text);
    write_file("jobs.txt", "JobID|Start|End|ConsumedEnergyRaw\n7|2026-02-11T08:00:01|2026-02-11T08:00:09|7200\n");
    write_file("campaign.json", "{\"schema\": \"wattscale.campaign/1\", \"timezone\": \"UTC\", \"paths\": [{\"match\": "
                                "\"{node}.csv\"}], \"windows\": [{\"match\": \"jobs.txt\"}]}");
    ws_status status = ws_ingest(folder, &options, &campaign, &runs, &error);
    ck_assert_msg(status == WS_OK, "%s", error.message);
    ws_campaign_free(&campaign);
    remove_file("n1.csv");
    remove_file("jobs.txt");
    remove_file("campaign.json");
    rmdir(folder);
    ck_assert_uint_eq(runs.n_rows, 1);
    ck_assert_double_eq(at(WS_COL_WALL), 8);
    ck_close(at(WS_COL_ENERGY), 800 / 3.6e6, 1e-15, 0);
    size_t said;
    ck_assert(ws_table_find(&runs, "job_energy_kwh", &said));
    ck_close(ws_table_number(&runs, said, 0), 0.002, 1e-15, 0);
    ws_table_free(&runs);
}
END_TEST

TEST_MAIN("run row", what_is_open_of_an_energy_stands_beside_it, a_window_gives_the_wall_time)
