/* Lines that a job printed in front of a log: the log is known behind them, and they are counted. */
#include "trace_case.h"

#include "record.h"

extern const ws_format ws_format_codecarbon, ws_format_sacct, ws_format_ptdaemon, ws_format_gmt_log,
    ws_format_perun_csv;

static const char banner[] = "Loading module cuda/12.1, gcc/12\n"
                             "  (base) the environment \"train\" is active\n"
                             "srun: job 4100001 queued and waiting for resources\n"
                             "\n"
                             "=== prolog of node1 | Feb 11 ===\n";
enum { BANNER_LINES = 4 };

static const struct {
    const ws_format *format;
    const char *text;
} logs[] = {
    {&ws_format_codecarbon, "timestamp,run_id,duration,emissions,energy_consumed\n"
                            "2026-02-11T08:10:00,5f1c,600.0,1.2e-05,2.75e-05\n"},
    {&ws_format_sacct, "JobID|State|Elapsed|ConsumedEnergyRaw\n4100001|COMPLETED|00:10:00|3600\n"},
    {&ws_format_ptdaemon, "Time,02-11-2026 08:00:00.749,Watts,16.5,Volts,120.6,Amps,0.3,PF,0.4,Mark,a_testing\n"
                          "Time,02-11-2026 08:00:01.749,Watts,17.5,Volts,120.6,Amps,0.3,PF,0.4,Mark,a_testing\n"},
    {&ws_format_gmt_log, "1770796800000000 410000 Package_0\n1770796800100000 395000 Package_0\n"
                         "1770796800200000 395000 Package_0\n"},
    {&ws_format_perun_csv, ",run id,hostname,device_group,sensor,unit,magnitude,timestep,value\n"
                           "0,0,node1,gpu,CUDA:0_POWER,W,0.001,0.0,250000\n"
                           "1,0,node1,gpu,CUDA:0_POWER,W,0.001,1.0,251000\n"},
};
enum { LOGS = sizeof logs / sizeof *logs };

static uint64_t count_of(const ws_notes *notes, const char *code)
{
    uint64_t n = 0;
    for (size_t i = 0; i < notes->n; i++)
        n += strcmp(ws_finding_code(notes->items[i].finding), code) == 0 ? notes->items[i].count : 0;
    return n;
}

/* `behind`: the banner is there. */
static ws_input *open_log(int i, bool behind, char *buffer, size_t size)
{
    snprintf(buffer, size, "%s%s", behind ? banner : "", logs[i].text);
    return ws_input_from_memory("log", buffer, strlen(buffer));
}

static uint64_t skipped_lines(int i, bool behind, size_t *size)
{
    char text[2000];
    ws_input *input = open_log(i, behind, text, sizeof text);
    ws_table table;
    ws_error error = {0};
    uint64_t skipped;
    if (logs[i].format->is_record) {
        ck_assert_msg(record_read_input(&table, logs[i].format, input, &error) == WS_OK, "%s", error.message);
        *size = table.n_rows;
        skipped = count_of(&table.notes, "skipped-line");
        ws_table_free(&table);
        return skipped;
    }
    recorder_free(&r);
    ck_assert_msg(recorder_read_input(&r, logs[i].format, input, NULL) == WS_OK, "%s", r.error.message);
    *size = r.n ? r.channels[0].n : 0;
    return count_of(&r.notes, "skipped-line");
}

START_TEST(a_log_behind_a_banner_is_known)
{
    char text[2000];
    for (int i = 0; i < 2 * LOGS; i++) {
        const ws_format *rival, *want = logs[i / 2].format;
        ws_input *input = open_log(i / 2, i % 2, text, sizeof text);
        ck_assert_msg(ws_format_recognise(input, &rival) == want && !rival, "%s, case %d", want->name, i % 2);
        ws_input_close(input);
    }
}
END_TEST

START_TEST(a_banner_is_counted_and_changes_nothing)
{
    for (int i = 0; i < LOGS; i++) {
        size_t plain, behind;
        ck_assert_uint_eq(skipped_lines(i, false, &plain), 0);
        ck_assert_uint_eq(skipped_lines(i, true, &behind), BANNER_LINES);
        ck_assert_uint_gt(plain, 0);
        ck_assert_uint_eq(plain, behind);
    }
}
END_TEST

/* What a job appends to its trace does not make it something else. */
START_TEST(records_behind_a_trace_leave_it_a_trace)
{
    char text[2000];
    for (int i = 0; i < LOGS; i++) {
        snprintf(text, sizeof text,
                 "timestamp, index, power.draw [W]\n2026/02/11 08:00:00.000, 0, 100.00 W\n"
                 "2026/02/11 08:00:01.000, 0, 100.00 W\n%s",
                 logs[i].text);
        ws_input *input = ws_input_from_memory("log", text, strlen(text));
        const ws_format *rival, *found = ws_format_recognise(input, &rival);
        ck_assert_msg(found == &ws_format_nvidia_smi_csv && !rival, "%s", logs[i].format->name);
        ws_input_close(input);
    }
}
END_TEST

TEST_MAIN("banners", a_log_behind_a_banner_is_known, a_banner_is_counted_and_changes_nothing,
          records_behind_a_trace_leave_it_a_trace)
