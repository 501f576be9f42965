/* Logs of NVIDIA DCGM: a row a reading, and the exporter's series as Prometheus gives them. Numbers known by hand. */
#include "trace_case.h"

extern const ws_format ws_format_dcgm_long_csv, ws_format_prometheus_json;

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

/* Of two powers of one GPU the mean over its second comes first, as power.draw before power.draw.instant. */
START_TEST(two_powers_of_one_gpu)
{
    read_format_ok(&ws_format_dcgm_long_csv,
                   "GPUId,TimeStampUs,Field,Values\n0,1767225600500000,power_usage_instant,90\n"
                   "0,1767225600500000,power_usage,100\n0,1767225600500000,157,91\n0,1767225600500000,155,101\n");
    ck_assert_int_lt(recorder_find(&r, "gpu0", "power_usage")->channel.preference,
                     recorder_find(&r, "gpu0", "power_usage_instant")->channel.preference);
    ck_assert_int_lt(recorder_find(&r, "gpu0", "155")->channel.preference,
                     recorder_find(&r, "gpu0", "157")->channel.preference);
}
END_TEST

/* The same without fields is read by its columns; stamps in microseconds, each GPU with its own. */
START_TEST(watts_and_no_field)
{
    static const char text[] = "GPUId,TimeStampUs,Watts\n0,1767225600000000,100\n1,1767225600500000,200\n"
                               "0,1767225610000000,110\n1,1767225610500000,\n0,17672256";
    read_format_ok(&ws_format_generic_csv, text);
    has("gpu0", "Watts", "100 110");
    has("gpu1", "Watts", "200 -");
    ck_assert_int_eq(at("gpu1", 0), DAY_2026 + S / 2);
    has_note("truncated-line", 1);
}
END_TEST

/* 71.25 W of a locale with a decimal comma are no 71 W. */
START_TEST(a_value_in_two_cells)
{
    read_format_ok(&ws_format_dcgm_long_csv, "GPUId,TimeStampUs,Field,Values\n0,1767225600500000,power_usage,71,25\n"
                                             "0,1767225601500000,power_usage,70\n0,1767225602500000,power_usage,72,\n");
    has("gpu0", "power_usage", "70 72");
    has_note("extra-cells", 1);
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
    ck_assert_int_eq(read_format(&ws_format_dcgm_long_csv, "a,b\n1,2\n", NULL, 0), WS_DATA);
    ck_assert_int_eq(
        read_format(&ws_format_dcgm_long_csv, "GPUId,TimeStampUs,Field,Values\n0,1767225600500000,xid,0\n", NULL, 0),
        WS_DATA);
}
END_TEST

#define JOIN_2(a, b) a "," b
#define JOIN_3(a, b, c) a "," b "," c
#define ANSWER(series) "{\"status\":\"success\",\"data\":{\"resultType\":\"matrix\",\"result\":[" series "]}}"
#define POWER_OF(gpu, uuid, more, values)                                                        \
    "{\"metric\":{\"__name__\":\"DCGM_FI_DEV_POWER_USAGE\",\"gpu\":\"" gpu "\",\"UUID\":\"" uuid \
    "\",\"Hostname\":\"n1\"" more "},\"values\":[" values "]}"

static const char range[] =
    ANSWER(JOIN_3(POWER_OF("0", "GPU-b", ",\"modelName\":\"A100\"",
                           "[1767225600.337,\"250.5\"],[1767225601.337,\"NaN\"],[1767225602,\"251\"]"),
                  POWER_OF("1", "GPU-a", "", "[1767225600.337,\"60\"]"),
                  "{\"metric\":{\"__name__\":\"DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION\",\"gpu\":\"1\","
                  "\"UUID\":\"GPU-a\",\"Hostname\":\"n1\"},"
                  "\"values\":[[1767225600,\"2147483640\"],[1767225601,\"2147545640\"]]},"
                  "{\"metric\":{\"__name__\":\"up\",\"instance\":\"n1:9400\"},\"values\":[[1767225600,\"1\"]]}"));

START_TEST(range_of_prometheus)
{
    read_format_ok(&ws_format_prometheus_json, range);
    has("gpu0", "DCGM_FI_DEV_POWER_USAGE", "250.5 - 251");
    has("gpu1", "DCGM_FI_DEV_POWER_USAGE", "60");
    has("gpu1", "DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION", "2147483.64 2147545.64");
    ck_assert_uint_eq(r.n, 3);
    const recorded *c = recorder_find(&r, "gpu0", NULL);
    ck_assert_int_eq(c->t_ns[0], DAY_2026 + 337000000); /* to the millisecond, although it stands there as a double */
    ck_assert_int_eq(c->t_ns[2], DAY_2026 + 2 * S);
    ck_assert_int_eq(c->channel.time, WS_TIME_UTC);
    ck_assert_str_eq(c->channel.node, "n1");
    ck_assert_str_eq(c->channel.device_id, "GPU-b");
    ck_assert_str_eq(c->channel.identity, "uuid");
    ck_assert_uint_eq(r.n_facts, 1);
    ck_assert_str_eq(r.facts[0].text, "A100");
    ck_assert_uint_eq(r.notes.n, 0);
}
END_TEST

START_TEST(series_of_one_gpu_are_joined)
{
    read_format_ok(
        &ws_format_prometheus_json,
        ANSWER(JOIN_2(POWER_OF("0", "GPU-a", ",\"pod\":\"x\"", "[1767225602,\"3\"],[1767225603,\"4\"]"),
                      POWER_OF("0", "GPU-a", "", "[1767225600,\"1\"],[1767225601,\"2\"],[1767225602,\"9\"]"))));
    has("gpu0", "DCGM_FI_DEV_POWER_USAGE", "1 2 9 4");
    has_note("duplicate-series", 1);
    read_format_ok(
        &ws_format_prometheus_json,
        ANSWER(JOIN_2(POWER_OF("0", "GPU-a", ",\"GPU_I_ID\":\"1\"", "[1767225600,\"1\"],[1767225601,\"2\"]"),
                      POWER_OF("0", "GPU-a", ",\"GPU_I_ID\":\"2\"", "[1767225600,\"1\"],[1767225601,\"2\"]"))));
    has("gpu0", "DCGM_FI_DEV_POWER_USAGE", "1 2"); /* the instances of a GPU repeat its power */
    has_note("duplicate-series", 2);
}
END_TEST

/* A pod that takes a GPU and gives it back: the series without it goes on behind the one with it. */
START_TEST(series_that_take_turns)
{
    read_format_ok(&ws_format_prometheus_json,
                   ANSWER(JOIN_2(POWER_OF("0", "GPU-a", "", "[1767225600,\"1\"],[1767225601,\"2\"],[1767225604,\"5\"]"),
                                 POWER_OF("0", "GPU-a", ",\"pod\":\"x\"",
                                          "[1767225602,\"3\"],[1767225603,\"4\"],[1767225604,\"9\"]"))));
    has("gpu0", "DCGM_FI_DEV_POWER_USAGE", "1 2 3 4 5");
    ck_assert_int_eq(at("gpu0", 3), DAY_2026 + 3 * S);
    has_note("duplicate-series", 1);
    read_format_ok(
        &ws_format_prometheus_json,
        ANSWER(JOIN_2(POWER_OF("0", "GPU-a", "", "[1767225600,\"1\"],[1767225601,\"NaN\"],[1767225602,\"NaN\"]"),
                      POWER_OF("0", "GPU-a", ",\"pod\":\"x\"", "[1767225601,\"2\"],[1767225602,\"NaN\"]"))));
    has("gpu0", "DCGM_FI_DEV_POWER_USAGE", "1 2 -"); /* what is none hides no reading */
    has_note("duplicate-series", 0);
}
END_TEST

/* An exporter that came back with another address, while Prometheus still repeats the old one's last value. */
START_TEST(one_uuid_under_two_instances)
{
    read_format_ok(&ws_format_prometheus_json,
                   ANSWER("{\"metric\":{\"__name__\":\"DCGM_FI_DEV_POWER_USAGE\",\"gpu\":\"0\",\"UUID\":\"GPU-a\","
                          "\"instance\":\"10.0.0.2:9400\"},\"values\":[[1767225601,\"2\"],[1767225602,\"3\"]]},"
                          "{\"metric\":{\"__name__\":\"DCGM_FI_DEV_POWER_USAGE\",\"gpu\":\"0\",\"UUID\":\"GPU-a\","
                          "\"instance\":\"10.0.0.1:9400\"},\"values\":[[1767225600,\"1\"],[1767225601,\"1\"]]}"));
    ck_assert_uint_eq(r.n, 1);
    has("gpu0", "DCGM_FI_DEV_POWER_USAGE", "1 1 3");
    ck_assert_str_eq(r.channels[0].channel.node, "10.0.0.1");
    has_note("several-nodes", 1);
    has_note("duplicate-series", 1);
}
END_TEST

/* Two nodes with a GPU 0 each, and only what Prometheus itself knows of them. */
START_TEST(nodes_by_their_instance)
{
    read_format_ok(
        &ws_format_prometheus_json,
        ANSWER("{\"metric\":{\"__name__\":\"DCGM_FI_DEV_POWER_USAGE\",\"gpu\":\"0\",\"instance\":\"n1:9400\"},"
               "\"values\":[[1767225600,\"100\"]]},"
               "{\"metric\":{\"__name__\":\"DCGM_FI_DEV_POWER_USAGE\",\"gpu\":\"0\",\"instance\":\"n2:9400\"},"
               "\"values\":[[1767225600,\"200\"]]}"));
    ck_assert_uint_eq(r.n, 2);
    ck_assert_str_eq(r.channels[0].channel.node, "n1");
    ck_assert_str_eq(r.channels[1].channel.node, "n2");
    ck_assert_double_eq(r.channels[1].value[0], 200);
    has_note("duplicate-series", 0);
    read_format_ok(&ws_format_prometheus_json,
                   ANSWER(POWER_OF("0", "GPU-a", ",\"instance\":\"10.0.0.7:9400\"", "[1767225600,\"1\"]")));
    ck_assert_str_eq(r.channels[0].channel.node, "n1"); /* the exporter's own name of the host */
}
END_TEST

START_TEST(other_answers)
{
    read_format_ok(
        &ws_format_prometheus_json,
        "{\"data\":{\"resultType\":\"vector\",\"result\":[{\"metric\":{\"__name__\":\"DCGM_FI_DEV_GPU_UTIL\","
        "\"gpu\":\"2\"},\"value\":[1767225600,\"50\"]}]}}");
    has("gpu2", "DCGM_FI_DEV_GPU_UTIL", "0.5");
    ck_assert_str_eq(r.channels[0].channel.identity, "index");
    read_format_ok(&ws_format_prometheus_json,
                   ANSWER("{\"metric\":{},\"values\":[[1767225600,\"1\"]]}," POWER_OF(
                       "0", "GPU-a", "", "[\"x\",\"1\"],7,[1767225600,3],[1767225601,\"+Inf\"],[1767225602,\"5\"]")));
    has("gpu0", "DCGM_FI_DEV_POWER_USAGE", "- - 5");
    has_note("unnamed-series", 1);
    has_note("bad-stamp", 2);
    has_note("unreadable-cell", 1);
    ck_assert_int_eq(read_format(&ws_format_prometheus_json, ANSWER(""), NULL, 0), WS_DATA);
    ck_assert_int_eq(
        read_format(&ws_format_prometheus_json, "{\"status\":\"error\",\"error\":\"too many samples\"}", NULL, 0),
        WS_DATA);
    ck_assert(strstr(r.error.message, "too many samples"));
    ck_assert_int_eq(read_format(&ws_format_prometheus_json, "[1,2]", NULL, 0), WS_DATA);
}
END_TEST

START_TEST(nested_without_end)
{
    enum { DEPTH = 1000000 };
    char *text = malloc(DEPTH + 1);
    memset(text, '[', DEPTH);
    text[DEPTH] = '\0';
    ck_assert_int_eq(read_format(&ws_format_prometheus_json, text, NULL, 0), WS_FORMAT);
    free(text);
}
END_TEST

START_TEST(cut_at_any_byte)
{
    cut_everywhere(&ws_format_prometheus_json, range);
    cut_everywhere(&ws_format_dcgm_long_csv, long_form);
}
END_TEST

START_TEST(scores)
{
    ck_assert_int_eq(ws_format_dcgm_long_csv.score("t", ws_span_of(long_form)), 93);
    ck_assert_int_eq(ws_format_prometheus_json.score("t", ws_span_of(range)), 96);
    ck_assert_int_eq(ws_format_prometheus_json.score("t", ws_span_of("{\"metric\": 1}")), 0);
    ck_assert_int_eq(ws_format_dcgm_long_csv.score("t", ws_span_of("GPUId,TimeStampUs,Watts\n0,1767225600,7\n")), 0);
    ck_assert_int_eq(ws_format_dcgm_long_csv.score("t", ws_span_of("gpu,time,field,value\n0,1,colour,7\n")), 0);
}
END_TEST

TEST_MAIN("dcgm", one_row_a_reading, other_spellings_and_blanks, two_powers_of_one_gpu, watts_and_no_field,
          a_value_in_two_cells, odd_rows, range_of_prometheus, series_of_one_gpu_are_joined, series_that_take_turns,
          one_uuid_under_two_instances, nodes_by_their_instance, other_answers, nested_without_end, cut_at_any_byte,
          scores)
