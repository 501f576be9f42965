/* Records of a scheduler that cut a continuous log, where the clocks go back. */
#include "made_folder.h"

#include "analyze/ingest/ingest.h"
#include "analyze/ingest/run_columns.h"
#include "core/zone.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static ws_table runs;

/* A reading a minute. */
static void write_trace(void)
{
    char text[8192] = "timestamp,power_w\n";
    for (int minute = 0, n = (int)strlen(text); minute <= 180; minute++)
        n += snprintf(text + n, sizeof text - (size_t)n, "2025-10-26T%02d:%02d:00Z,100\n", minute / 60, minute % 60);
    write_file("n1.csv", text);
}

/* 100 W from 00:00 to 03:00 UTC of the day on which Berlin's clocks went from 03:00 back to 02:00, at 01:00 UTC. */
static void cut(const char *records)
{
    ws_ingest_options options = {.source = {.read = WS_READ_DEFAULTS}};
    ws_campaign campaign;
    ws_error error = {0};
    make_folder();
    write_file("campaign.json",
               "{\"schema\": \"wattscale.campaign/1\", \"timezone\": \"Europe/Berlin\", \"paths\": [{\"match\": "
               "\"{node}.csv\"}], \"windows\": [{\"match\": \"jobs.txt\"}]}");
    write_trace();
    write_file("jobs.txt", records);
    ws_status status = ws_ingest(folder, &options, &campaign, &runs, &error);
    ck_assert_msg(status == WS_OK, "%s", error.message);
    ws_campaign_free(&campaign);
    remove_file("campaign.json");
    remove_file("n1.csv");
    remove_file("jobs.txt");
    rmdir(folder);
}

static bool has_database(void)
{
    int32_t zone;
    return ws_zone_find(ws_span_of("Europe/Berlin"), &zone);
}

#define HEAD "JobID|State|Elapsed|Start|End|NNodes\n"
#define DAY "2025-10-26T"
#define JOB(id, elapsed, start, end) id "|COMPLETED|" elapsed "|" DAY start "|" DAY end "|1\n"

START_TEST(elapsed_settles_the_repeated_hour)
{
    static const double minutes[] = {90, 10, 30, 90, 30};
    if (!has_database())
        return;
    cut(HEAD JOB("1", "01:30:00", "02:15:00", "02:45:00") /* from the first hour into the second */
        JOB("2", "00:10:00", "02:55:00", "02:05:00")      /* likewise */
        JOB("3", "00:30:00", "02:15:00", "02:45:00")      /* in either */
        JOB("4", "01:30:00", "02:00:00", "02:30:00")      /* up to the second half */
        JOB("5", "00:30:00", "02:45:00", "03:15:00"));    /* begins in the second */
    ck_assert_uint_eq(runs.n_rows, 5);
    for (size_t row = 0; row < 5; row++) {
        ck_close(ws_runs_get(&runs, WS_COL_WALL, row), minutes[row] * 60, 0, 1e-9);
        ck_close(ws_runs_get(&runs, WS_COL_ENERGY, row), minutes[row] * 60 * 100 / 3.6e6, 1e-12, 0);
    }
    const ws_note *note = ws_notes_find(&runs.notes, WS_FINDING_REPEATED_HOUR);
    ck_assert_ptr_nonnull(note);
    ck_assert_uint_eq(note->count, 1);
    ck_assert_int_eq((int)note->line, 4);
    ws_table_free(&runs);
}
END_TEST

START_TEST(records_without_a_length)
{
    if (!has_database())
        return;
    cut("JobID|State|Start|End|NNodes\n1|COMPLETED|" DAY "02:20:00|" DAY "02:05:00|1\n2|COMPLETED|" DAY "01:30:00|" DAY
        "03:30:00|1\n");
    ck_assert_uint_eq(runs.n_rows, 2);
    ck_close(ws_runs_get(&runs, WS_COL_WALL, 0), 45 * 60, 0, 1e-9);
    ck_assert_ptr_null(ws_notes_find(&runs.notes, WS_FINDING_REPEATED_HOUR));
    ws_table_free(&runs);
}
END_TEST

TEST_MAIN("windows", elapsed_settles_the_repeated_hour, records_without_a_length)
