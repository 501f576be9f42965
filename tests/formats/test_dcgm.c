/* Logs of NVIDIA DCGM: a row a reading, and the exporter's series as Prometheus gives them. Numbers known by hand. */
#include "trace_case.h"

extern const ws_format ws_format_dcgm_long_csv;

static const char long_form[] = "GPUId,TimeStampUs,Field,Values\n"
                                "0,1767225600500000,power_usage_instant,70.25\n"
                                "1,1767225600600000,power_usage_instant,80.5\n"
                                "0,1767225600550000,throttle_reason_idle,1\n"
                                "0,1767225600560000,gpu_utilization,97\n"
                                "0,1767225601500001,power_usage_instant,71\n"
                                "1,1767225601600000,power_usage_instant,\n"
                                "0,1767225601560000,total_energy_consumption,2500\n";

START_TEST(one_row_a_reading)
{
    read_format_ok(&ws_format_dcgm_long_csv, long_form);
    has("gpu0", "power_usage_instant", "70.25 71");
    has("gpu1", "power_usage_instant", "80.5 -");
    has("gpu0", "gpu_utilization", "0.97");
    has("gpu0", "total_energy_consumption", "2.5"); /* mJ */
    ck_assert_uint_eq(r.n, 4);
    const recorded *c = recorder_find(&r, "gpu0", "power_usage_instant");
    ck_assert_int_eq(c->t_ns[0], DAY_2026 + S / 2);
    ck_assert_int_eq(c->t_ns[1], DAY_2026 + S + S / 2 + 1000); /* each field has its own time */
    ck_assert_int_eq(c->channel.time, WS_TIME_UTC);
    ck_assert_int_eq(recorder_find(&r, "gpu0", "total_energy_consumption")->channel.rule, WS_RULE_COUNTER);
    ck_assert_uint_eq(r.notes.n, 0);
}
END_TEST

START_TEST(other_spellings_and_blanks)
{
    read_format_ok(&ws_format_dcgm_long_csv, "Hostname,Timestamp,gpu_id,field_id,value\n"
                                             "n1,2026-01-01T00:00:00Z,0,155,100.5\nn2,2026-01-01T00:00:00Z,0,155,200\n"
                                             "n1,2026-01-01T00:00:01Z,0,155,140737488355328\n"
                                             "n1,2026-01-01T00:00:01Z,0,DCGM_FI_DEV_FB_USED,2\n");
    ck_assert_uint_eq(r.n, 3);
    ck_assert_str_eq(r.channels[0].channel.node, "n1");
    ck_assert_double_eq(r.channels[0].value[0], 100.5);
    ck_assert(isnan(r.channels[0].value[1])); /* DCGM's "no reading" */
    ck_assert_str_eq(r.channels[1].channel.node, "n2");
    ck_assert_str_eq(r.channels[2].channel.column, "DCGM_FI_DEV_FB_USED");
    ck_assert_double_eq(r.channels[2].value[0], 2097152);
}
END_TEST

START_TEST(odd_rows)
{
    read_format_ok(&ws_format_dcgm_long_csv,
                   "GPUId,TimeStampUs,Field,Values\n0,1767225600500000,power_usage,70\n0,1767225601500000\n"
                   "0,noon,power_usage,70\n0,1767225602500000,power_usage,high\nGPUId,TimeStampUs,Field,Values\n"
                   "0,1767225603500000,power_usage,71\n0,1767225604500000,power_usage,7");
    has("gpu0", "power_usage", "70 - 71");
    has_note("short-row", 1);
    has_note("bad-stamp", 1);
    has_note("unreadable-cell", 1);
    has_note("repeated-header", 1);
    has_note("truncated-line", 1);
    ck_assert_int_eq(read_format(&ws_format_dcgm_long_csv, "a,b\n1,2\n", NULL, 0), WS_FORMAT);
    ck_assert_int_eq(
        read_format(&ws_format_dcgm_long_csv, "GPUId,TimeStampUs,Field,Values\n0,1767225600500000,xid,0\n", NULL, 0),
        WS_DATA);
}
END_TEST

START_TEST(cut_at_any_byte)
{
    cut_everywhere(&ws_format_dcgm_long_csv, long_form);
}
END_TEST

START_TEST(scores)
{
    ck_assert_int_eq(ws_format_dcgm_long_csv.score("t", ws_span_of(long_form)), 93);
    ck_assert_int_eq(ws_format_dcgm_long_csv.score("t", ws_span_of("GPUId,TimeStampUs,Watts\n0,1767225600,7\n")), 0);
    ck_assert_int_eq(ws_format_dcgm_long_csv.score("t", ws_span_of("gpu,time,field,value\n0,1,colour,7\n")), 0);
}
END_TEST

TEST_MAIN("dcgm", one_row_a_reading, other_spellings_and_blanks, odd_rows, cut_at_any_byte, scores)
