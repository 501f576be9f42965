/* A scheduler's records as a table of runs: steps of a job are no runs beside it. */
#include "harness.h"

#include "analyze/ingest/ingest.h"
#include "analyze/ingest/run_columns.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

static const char jobs[] = "JobID|JobName|State|Elapsed|NNodes|AllocTRES|ConsumedEnergyRaw\n"
                           "41|train|COMPLETED|00:10:00|2|gres/gpu=8,node=2|3600000\n"
                           "41.batch|batch|COMPLETED|00:10:00|1|cpu=8|1800000\n"
                           "41.extern|extern|COMPLETED|00:10:00|2|gres/gpu=8,node=2|3600000\n"
                           "41.0|python|COMPLETED|00:09:50|2|gres/gpu=8,node=2|3590000\n"
                           "42_1|train|FAILED|00:05:00|1|gres/gpu=4,node=1|720000\n"
                           "42_1.batch|batch|FAILED|00:05:00|1|cpu=8|720000\n"
                           "42_2|train|COMPLETED|00:20:00|1|gres/gpu=4,node=1|2880000\n";
static const char steps_only[] = "JobID|State|Elapsed|AllocTRES|ConsumedEnergyRaw\n"
                                 "51.0|COMPLETED|00:10:00|gres/gpu=8|3600000\n"
                                 "52.0|COMPLETED|00:20:00|gres/gpu=8|7200000\n";

static void ingest(const char *text, ws_table *runs)
{
    char path[] = "/tmp/wattscale-sacct-XXXXXX";
    int file = mkstemp(path);
    ck_assert_int_ge(file, 0);
    ck_assert_int_eq((int)write(file, text, strlen(text)), (int)strlen(text));
    close(file);
    ws_ingest_options options = {.source = {.read = WS_READ_DEFAULTS}};
    ws_campaign campaign;
    ws_error error = {0};
    ck_assert_msg(ws_ingest(path, &options, &campaign, runs, &error) == WS_OK, "%s", error.message);
    ws_campaign_free(&campaign);
    unlink(path);
}

START_TEST(steps_are_no_runs)
{
    ws_table runs;
    ingest(jobs, &runs);
    ck_assert_uint_eq(runs.n_rows, 3);
    static const char *const ids[] = {"41", "42_1", "42_2"};
    static const double kwh[] = {1, 0.2, 0.8}, seconds[] = {600, 300, 1200}, gpus[] = {8, 4, 4};
    for (size_t row = 0; row < 3; row++) {
        ck_assert_str_eq(runs.columns[WS_COL_RUN].text[row], ids[row]);
        ck_close(ws_runs_get(&runs, WS_COL_ENERGY, row), kwh[row], 1e-12, 0);
        ck_close(ws_runs_get(&runs, WS_COL_WALL, row), seconds[row], 0, 0);
        ck_close(ws_runs_get(&runs, WS_COL_GPUS, row), gpus[row], 0, 0);
    }
    const ws_note *note = ws_notes_find(&runs.notes, WS_FINDING_JOB_STEP);
    ck_assert_ptr_nonnull(note);
    ck_assert_uint_eq(note->count, 4);
    ck_assert_int_eq((int)note->line, 3);
    ck_assert_str_eq(runs.columns[WS_COL_STATUS].text[1], "FAILED");
    ws_table_free(&runs);
}
END_TEST

/* The batch step and a step that it starts measure the same node: their 2 + 1 MJ are not the job's. */
START_TEST(energies_of_steps_are_told)
{
    ws_table runs;
    ingest("JobID|State|Elapsed|AllocTRES|ConsumedEnergyRaw\n41|COMPLETED|00:10:00|gres/gpu=8|\n"
           "41.batch|COMPLETED|00:10:00|cpu=8|2000000\n41.0|COMPLETED|00:05:00|gres/gpu=8|1000000\n",
           &runs);
    ck_assert_uint_eq(runs.n_rows, 1);
    ck_assert(isnan(ws_runs_get(&runs, WS_COL_ENERGY, 0)));
    const ws_note *note = ws_notes_find(&runs.notes, WS_FINDING_STEP_ENERGY);
    ck_assert_ptr_nonnull(note);
    ck_assert_uint_eq(note->count, 2);
    ws_table_free(&runs);
}
END_TEST

START_TEST(steps_without_their_job_stay)
{
    ws_table runs;
    ingest(steps_only, &runs);
    ck_assert_uint_eq(runs.n_rows, 2);
    ck_assert_ptr_null(ws_notes_find(&runs.notes, WS_FINDING_JOB_STEP));
    ck_close(ws_runs_get(&runs, WS_COL_ENERGY, 1), 2, 1e-12, 0);
    ws_table_free(&runs);
}
END_TEST

TEST_MAIN("records of schedulers", steps_are_no_runs, energies_of_steps_are_told, steps_without_their_job_stay)
