#include "harness.h"

#include "record.h"

extern const ws_format ws_format_job_log;

static void check(const char *text, const char *column, const char *want)
{
    ws_table t;
    ws_error error = {0};
    ck_assert_msg(record_read_text(&t, &ws_format_job_log, "slurm_1", text, &error) == WS_OK, "%s", error.message);
    ck_assert_uint_eq(t.n_rows, 1);
    ck_assert_msg(strcmp(record_cell(&t, 0, column), want) == 0, "%s is '%s', not '%s'", column,
                  record_cell(&t, 0, column), want);
    ws_table_free(&t);
}

static const char whole[] = "epoch 99: State: the art of training\r\n"
                            "============================= JOB FEEDBACK =============================\r\n"
                            "Job ID: 3171624\r\n"
                            "Cluster: horeka\r\n"
                            "State: COMPLETED (exit code 0)\r\n"
                            "Nodes: 16\r\n"
                            "Job Wall-clock time: 1-04:23:00\r\n"
                            "Starttime: Wed May 14 09:21:59 2025\r\n"
                            "Energy Consumed: 21600000 Joule / 6000.5 Watthours\r\n"
                            "Average node power draw: 545.4 Watt\r\n";

START_TEST(a_whole_log)
{
    check(whole, "job", "3171624");
    check(whole, "state", "COMPLETED");
    check(whole, "nodes", "16");
    check(whole, "start", "2025-05-14T09:21:59");
    check(whole, "job_wall_s", "102180");
    check(whole, "job_energy_kwh", "6.0005");
}
END_TEST

static const struct {
    const char *line, *column, *want;
} lines[] = {
    {"Energy Consumed: 1234.5 Watthours\n", "job_energy_kwh", "1.2345"},
    {"Energy Consumed: 7200000 Joule\n", "job_energy_kwh", "2"},
    {"Energy Consumed: 1 Watthours / 7200000 Joule\n", "job_energy_kwh", "0.001"},
    {"Energy Consumed: 2.5 kWh\n", "job_energy_kwh", "2.5"},
    {"Energy Utilized: 1.8 MJ\n", "job_energy_kwh", "0.5"},
    {"Memory Utilized: 1.1 GB\nJob Wall-clock time: 04:23:00\n", "job_energy_kwh", ""},
    {"  Job Wall-clock time: 00:57:47\n", "job_wall_s", "3467"},
    {"Job Wall-clock time: 04:23:00\nJob Wall-clock time: 04:24:00\n", "job_wall_s", "15840"},
    {"Job Wall-clock time: 04:23:00\n", "job_energy_kwh", ""},
    {"Job Wall-clock time: 04:23:00\nEnergy Consumed: 0 Joule / 0 Watthours\n", "job_energy_kwh", ""},
    {"Job Wall-clock time: 04:23:00\nStarttime: Unknown\n", "start", ""},
    {"slurmstepd: error: *** JOB 31 ON n1 CANCELLED AT 2025-05-14T13:21:59 DUE TO TIME LIMIT ***\n", "state",
     "TIMEOUT"},
    {"slurmstepd: error: *** STEP 31.0 ON n1 CANCELLED AT 2025-05-14T13:21:59 DUE TO NODE FAILURE, SEE SLURMCTLD LOG "
     "FOR DETAILS ***\n",
     "state", "NODE_FAIL"},
    {"slurmstepd: error: *** JOB 31 ON n1 CANCELLED AT 2025-05-14T13:21:59 DUE TO PREEMPTION ***\n", "state",
     "PREEMPTED"},
    {"slurmstepd: error: *** JOB 31 ON n1 CANCELLED AT 2025-05-14T13:21:59 DUE TO TIME LIMIT ***\n"
     "slurmstepd: error: *** STEP 31.0 ON n1 CANCELLED AT 2025-05-14T13:21:59 ***\n",
     "state", "TIMEOUT"},
    {"slurmstepd: error: *** STEP 31.0 ON n1 CANCELLED AT 2025-05-14T13:21:59 ***\n", "state", "CANCELLED"},
    {"slurmstepd: error: Unable to send a message\nJob Wall-clock time: 04:23:00\n", "state", ""},
    {"Job Wall-clock time: 04:23:00\nStarttime: 2025-05-14T09:21:59\n", "start", "2025-05-14T09:21:59"},
};

START_TEST(forms_of_lines)
{
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        check(lines[i].line, lines[i].column, lines[i].want);
}
END_TEST

START_TEST(values_that_cannot_be_used_are_noted)
{
    ws_table t;
    ws_error error = {0};
    ck_assert_int_eq(record_read_text(&t, &ws_format_job_log, "slurm_1",
                                      "Job Wall-clock time: 04:23:00\nEnergy Consumed: 0 Joule / 0 Watthours\n",
                                      &error),
                     WS_OK);
    const ws_note *note = ws_notes_find(&t.notes, WS_FINDING_UNREADABLE_CELL);
    ck_assert(note && note->line == 2 && strstr(note->text, "'0 Joule / 0 Watthours'"));
    ws_table_free(&t);
    ck_assert_int_eq(record_read_text(&t, &ws_format_job_log, "slurm_1", "epoch 1\nState: RUNNING\n", &error), WS_DATA);
    ck_assert_str_eq(error.message, "slurm_1: has neither 'Job Wall-clock time:' nor 'Energy Consumed:' with a value, "
                                    "nor how the job ended");
    ws_table_free(&t);
}
END_TEST

START_TEST(several_jobs_in_one_file)
{
    ws_table t;
    ws_error error = {0};
    ck_assert_int_eq(record_read_text(&t, &ws_format_job_log, "seff.txt",
                                      "Job ID: 41\nNodes: 4\nJob Wall-clock time: 00:10:00\n"
                                      "Energy Utilized: 7.2 MJ\nJob ID: 42\nState: FAILED (exit code 1)\n"
                                      "Job Wall-clock time: 00:20:00\nJob ID: 42\nNodes: 1\n",
                                      &error),
                     WS_OK);
    ck_assert_uint_eq(t.n_rows, 2);
    ck_assert_str_eq(record_cell(&t, 0, "job_energy_kwh"), "2");
    ck_assert_str_eq(record_cell(&t, 0, "state"), "");
    ck_assert_str_eq(record_cell(&t, 1, "job"), "42");
    ck_assert_str_eq(record_cell(&t, 1, "job_energy_kwh"), "");
    ck_assert_str_eq(record_cell(&t, 1, "nodes"), "1");
    ck_assert_str_eq(record_cell(&t, 1, "job_wall_s"), "1200");
    ws_table_free(&t);
}
END_TEST

/* "01:1" of "01:10:00" would be a minute and a second. */
START_TEST(a_last_line_that_may_be_cut)
{
    static const struct {
        const char *last, *column, *want;
        bool is_cut;
    } cases[] = {
        {"Job Wall-clock time: 01:1", "job_wall_s", "", true},
        {"Nodes: 1", "nodes", "", true},
        {"State: COMP", "state", "", true},
        {"Job ID: 31", "job", "", true},
        {"Starttime: 2025-05-1", "start", "", true},
        {"Energy Consumed: 3600", "job_energy_kwh", "2", false},               /* no unit: the line before counts */
        {"Energy Consumed: 3600000 Joule / 99", "job_energy_kwh", "1", false}, /* the joules are whole */
        {"the job's own outp", "job_energy_kwh", "2", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ws_table t;
        ws_error error = {0};
        char text[200];
        snprintf(text, sizeof text, "Energy Consumed: 7200000 Joule\n%s", cases[i].last);
        ck_assert_int_eq(record_read_text(&t, &ws_format_job_log, "slurm_1", text, &error), WS_OK);
        ck_assert_str_eq(record_cell(&t, 0, cases[i].column), cases[i].want);
        const ws_note *note = ws_notes_find(&t.notes, WS_FINDING_TRUNCATED_LINE);
        ck_assert_msg((note != NULL) == cases[i].is_cut && (!note || note->line == 2), "%s", cases[i].last);
        ws_table_free(&t);
    }
}
END_TEST

START_TEST(recognition)
{
    int (*score)(const char *, ws_span) = ws_format_job_log.score;
    ck_assert_int_gt(score("x.log", ws_span_of(whole)), 50);
    ck_assert_int_eq(score("x.log", ws_span_of("State: ok\nNodes: 4\n")), 0);
    ck_assert_int_gt(score("runs/slurm-3171624.out", ws_span_of("epoch 1\n")), 0);
    ck_assert_int_eq(score("runs/slurm_log.csv", ws_span_of("id_job,state\n1,3\n")), 0);
    ck_assert_int_eq(score("runs/slurm-3171624.h5", (ws_span){"\x89HDF\0\0", 6}), 0);
}
END_TEST

TEST_MAIN("job log", a_whole_log, several_jobs_in_one_file, forms_of_lines, values_that_cannot_be_used_are_noted,
          a_last_line_that_may_be_cut, recognition)
