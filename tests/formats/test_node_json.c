/* Powers of whole nodes as JSON, an object a poll: Variorum and Redfish. Numbers known by hand. */
#include "reader_case.h"

extern const ws_format ws_format_variorum_json, ws_format_redfish_json;

/* --- Variorum --- */

START_TEST(variorum_of_sockets)
{
    static const char text[] =
        "{\"n1\": {\"timestamp\": 1770796800500000, \"power_node_watts\": 384.5, \"socket_0\": {\"power_cpu_watts\": "
        "85.0, \"power_mem_watts\": -1.0,"
        " \"power_gpu_watts\": {\"GPU_0\": 66.0, \"GPU_1\": 64.0}}, \"socket_1\": {\"power_cpu_watts\": 77.0}}}\n"
        "{\"n1\": {\"timestamp\": 1770796801500000, \"power_node_watts\": 390, \"socket_0\": {\"power_cpu_watts\": "
        "86.0, \"power_mem_watts\": -1.0,"
        " \"power_gpu_watts\": {\"GPU_0\": 67.0, \"GPU_1\": 65.0}}, \"socket_1\": {\"power_cpu_watts\": 78.0}}}\n";
    is_recognised(&ws_format_variorum_json, text);
    read_ok(&ws_format_variorum_json, text);
    has("node", NULL, "384.5 390");
    has("cpu0", NULL, "85 86");
    has("cpu1", NULL, "77 78");
    has("dram0", NULL, "- -"); /* -1 is no reading */
    has("gpu1", NULL, "64 65");
    ck_assert_str_eq(channel("gpu0", NULL)->channel.node, "n1");
    ck_assert_int_eq(channel("cpu1", NULL)->t_ns[1], T0 + 3 * S / 2);
    ck_assert_int_eq(channel("cpu1", NULL)->channel.time, WS_TIME_UTC);
    ck_assert_uint_eq(r.notes.n, 0);
}
END_TEST

START_TEST(variorum_of_older_releases)
{
    static const char text[] =
        "[{\"host\": \"n1\", \"timestamp\": 1770796800000000, \"power_node_watts\": 384.0, "
        "\"power_cpu_watts_socket_0\": 85.0, "
        "\"power_mem_watts_socket_0\": 23.0, \"power_gpu_watts_socket_0\": 130.0, \"power_cpu_watts_socket_1\": 77.0}, "
        "{\"host\": \"n2\", \"timestamp\": 1770796800000000, \"power_node_watts\": 400.0}]";
    is_recognised(&ws_format_variorum_json, text);
    read_ok(&ws_format_variorum_json, text);
    has("cpu0", "power_cpu_watts_socket", "85");
    has("cpu1", NULL, "77");
    has("dram0", NULL, "23");
    has("gpu0", NULL, "130");
    has_note("assumed-device", 1);
    ck_assert_uint_eq(r.n, 6);
    ck_assert_str_eq(r.channels[5].channel.node, "n2");
    ck_assert_int_eq(r.channels[5].channel.domain, WS_NODE);
}
END_TEST

/* --- Redfish --- */

#define CONTROL(watts)                                                                                          \
    "\"PowerControl\": [{\"@odata.id\": \"/redfish/v1/Chassis/1/Power#/PowerControl/0\", \"MemberId\": \"0\", " \
    "\"Name\": \"System Power Control\", \"PowerConsumedWatts\": " watts                                        \
    ", \"PowerMetrics\": {\"AverageConsumedWatts\": 300}}, "                                                    \
    "{\"MemberId\": \"1\", \"Name\": \"CPU Sub-system Power\", \"PowerConsumedWatts\": 120}, "                  \
    "{\"MemberId\": \"2\", \"Name\": \"Accelerator1 Power Control\", \"PowerConsumedWatts\": 200}], "           \
    "\"PowerSupplies\": [{\"Name\": \"PSU1\", \"LastPowerOutputWatts\": 170}]"

START_TEST(redfish_power_of_controls)
{
    static const char text[] = "{\"timestamp\": \"2026-02-11T08:00:00Z\", \"host\": \"n1\", " CONTROL(
        "344") "}\n"
               "{\"timestamp\": \"2026-02-11T08:00:05Z\", \"host\": \"n1\", " CONTROL(
                   "null") "}\n"
                           "{\"timestamp\": \"2026-02-11T08:00:10Z\", \"host\": \"n1\", \"data\": {" CONTROL(
                               "350") "}}\n";
    is_recognised(&ws_format_redfish_json, text);
    read_ok(&ws_format_redfish_json, text);
    has("node", NULL, "344 - 350");
    has("cpu0", NULL, "120 120 120");
    has("gpu1", NULL, "200 200 200");
    ck_assert_uint_eq(r.n, 3);
    ck_assert_str_eq(channel("node", NULL)->channel.node, "n1");
    ck_assert_int_eq(channel("node", NULL)->t_ns[2], T0 + 10 * S);
}
END_TEST

/* One line with a date above the answers of two nodes, and the same again. */
START_TEST(redfish_answers_below_dates)
{
    static const char text[] = "Wed Feb 11 08:00:00 UTC 2026\n{\"host\": \"n1\", \"PowerConsumedWatts\": 100}\n"
                               "{\"host\": \"n2\", \"PowerConsumedWatts\": 200}\n"
                               "Wed Feb 11 08:00:30 UTC 2026\n{\"host\": \"n1\", \"PowerConsumedWatts\": 110}\n"
                               "{\"host\": \"n2\", \"PowerConsumedWatts\": 210}\n";
    is_recognised(&ws_format_redfish_json, text);
    read_ok(&ws_format_redfish_json, text);
    ck_assert_uint_eq(r.n, 2);
    for (size_t i = 0; i < 2; i++) {
        ck_assert_double_eq(r.channels[i].value[1], i ? 210 : 110);
        ck_assert_int_eq(r.channels[i].t_ns[1], T0 + 30 * S);
        ck_assert_int_eq(r.channels[i].channel.domain, WS_NODE);
    }
    has_note("bad-stamp", 0);
    ck_assert_int_eq(read_case(&ws_format_redfish_json, "t",
                               "{\"PowerConsumedWatts\": 100}\n{\"PowerConsumedWatts\": 110}\n", 5 * S),
                     WS_OK);
    has("node", NULL, "100 110");
    ck_assert_int_eq(channel("node", NULL)->t_ns[0], 0);
    ck_assert_int_eq(channel("node", NULL)->t_ns[1], 5 * S);
}
END_TEST

/* A chassis inside another is not added to it; a GPU's is a GPU. */
START_TEST(redfish_environment_of_chassis)
{
#define METRICS(id, watts)                                                                                    \
    "{\"@odata.id\": \"/redfish/v1/Chassis/" id "/EnvironmentMetrics\", \"PowerWatts\": {\"Reading\": " watts \
    "}, \"EnergykWh\": {\"Reading\": 3638}}\n"
    static const char text[] = "2026-02-11T08:00:00Z\n" METRICS("Chassis_0", "2875.5") METRICS("HGX_Chassis_0", "1700")
        METRICS("HGX_GPU_3", "231.5") "2026-02-11T08:01:00Z\n" METRICS("Chassis_0", "2900")
            METRICS("HGX_Chassis_0", "1701") METRICS("HGX_GPU_3", "232");
    is_recognised(&ws_format_redfish_json, text);
    read_ok(&ws_format_redfish_json, text);
    has("node", "PowerWatts", "2875.5 2900");
    has("gpu3", "PowerWatts", "231.5 232");
    const recorded *energy = channel("node", "EnergykWh");
    ck_assert_double_eq(energy->value[0], 3638 * 3.6e6);
    ck_assert_int_eq(energy->channel.preference, WS_DOUBTFUL); /* in steps of a whole kWh */
    size_t others = 0;
    for (size_t i = 0; i < r.n; i++)
        others += r.channels[i].channel.domain == WS_OTHER && r.channels[i].channel.quantity == WS_POWER;
    ck_assert_uint_eq(others, 1);
    has_note("nested-sensor", 2);
}
END_TEST

/* Of Dell's iDRAC and of OpenBMC: a reading a metric and time. */
START_TEST(redfish_reports)
{
    static const char text[] =
        "{\"@odata.type\": \"#MetricReport.v1_2_0.MetricReport\", \"Id\": \"PowerMetrics\", \"host\": \"n1\", "
        "\"Timestamp\": \"2026-02-11T08:00:10Z\", \"MetricValues\": ["
        "{\"MetricId\": \"SystemInputPower\", \"Timestamp\": \"2026-02-11T08:00:00Z\", "
        "\"MetricValue\": \"344\"}, "
        "{\"MetricId\": \"SystemInputPower\", \"Timestamp\": \"2026-02-11T08:00:05Z\", "
        "\"MetricValue\": \"350\"}, "
        "{\"MetricId\": \"SystemPowerConsumption\", \"Timestamp\": \"2026-02-11T08:00:00Z\", "
        "\"MetricValue\": \"330\"}, "
        "{\"MetricId\": \"TotalCPUPower\", \"Timestamp\": \"2026-02-11T08:00:00Z\", "
        "\"MetricValue\": \"120\"}, "
        "{\"MetricId\": \"TotalMemoryPower\", \"Timestamp\": \"2026-02-11T08:00:05Z\", "
        "\"MetricValue\": \"30\"}, "
        "{\"MetricId\": \"TotalFanPower\", \"Timestamp\": \"2026-02-11T08:00:00Z\", "
        "\"MetricValue\": \"20\"}, "
        "{\"MetricId\": \"RPMReading\", \"Timestamp\": \"2026-02-11T08:00:00Z\", "
        "\"MetricValue\": \"9000\"}]}\n";
    is_recognised(&ws_format_redfish_json, text);
    read_ok(&ws_format_redfish_json, text);
    has("node", "SystemInputPower", "344 350");
    has("node", "SystemPowerConsumption", "330");
    has("cpu0", "TotalCPUPower", "120");
    has("dram0", "TotalMemoryPower", "30");
    ck_assert_int_eq(channel("node", "SystemInputPower")->t_ns[1], T0 + 5 * S);
    ck_assert_int_eq(channel("dram0", NULL)->t_ns[0], T0 + 5 * S);
    ck_assert_str_eq(channel("cpu0", NULL)->channel.node, "n1");
    ck_assert_int_eq(recorder_find(&r, NULL, "TotalFanPower")->channel.domain, WS_OTHER);
    ck_assert_ptr_null(recorder_find(&r, NULL, "RPMReading"));
    static const char by_path[] =
        "{\"Id\": \"x\", \"Timestamp\": \"2026-02-11T08:00:00Z\", \"MetricValues\": [{\"MetricProperty\": "
        "\"/redfish/v1/Chassis/chassis/Power#/PowerControl/0/PowerConsumedWatts\", \"MetricValue\": \"300.0\"}]}\n"
        "{\"Id\": \"x\", \"Timestamp\": \"2026-02-11T08:00:01Z\", \"MetricValues\": [{\"MetricProperty\": "
        "\"/redfish/v1/Chassis/chassis/Power#/PowerControl/0/PowerConsumedWatts\", \"MetricValue\": \"310.0\"}]}\n";
    is_recognised(&ws_format_redfish_json, by_path);
    read_ok(&ws_format_redfish_json, by_path);
    has("node", NULL, "300 310");
    ck_assert_int_eq(ws_format_redfish_json.score("t", ws_span_of("{\"MetricValues\": [{\"MetricId\": \"x\"}]}")), 0);
}
END_TEST

START_TEST(what_is_no_power)
{
    ck_assert_int_eq(ws_format_redfish_json.score("t", ws_span_of("{\"PowerWatts\": 5}")), 0);
    ck_assert_int_eq(ws_format_variorum_json.score("t", ws_span_of("{\"power_node_watts\": 5}")), 0);
    read_fails(&ws_format_redfish_json, "{\"PowerSupplies\": []}", WS_DATA, "no PowerConsumedWatts");
    read_fails(&ws_format_variorum_json, "{\"n1\": {\"timestamp\": 1}}", WS_DATA, "no powers of Variorum");
}
END_TEST

/* A program, a page or a record that quotes such output is not a log of it. */
START_TEST(what_shows_such_output)
{
    extern const ws_format ws_format_rocm_smi_json, ws_format_amd_smi_json;
    static const struct {
        const ws_format *format;
        const char *output;
    } cases[] = {
        {&ws_format_rocm_smi_json, "{\"card0\": {\"Average Graphics Package Power (W)\": \"89.0\"}}\n"},
        {&ws_format_amd_smi_json, "[{\"gpu\": 0, \"power\": {\"socket_power\": 100}}]\n"},
        {&ws_format_redfish_json, "{\"PowerConsumedWatts\": 100}\n"},
        {&ws_format_variorum_json, "{\"n1\": {\"power_node_watts\": 1, \"socket_0\": {\"power_cpu_watts\": 1}}}\n"}};
    static const char *const before[] = {"import json\nsample = \"\"\"\n", "# Output\n\n```json\n", "x = parse(\n",
                                         "<pre>\n"};
    static const char *const logs[] = {"",
                                       "\n",
                                       "Loading modules\nnode n1: 4 GPUs\n",
                                       "2026-02-11 08:00:00\n",
                                       "2026-02-11T08:00:00Z ",
                                       "[2026-02-11 08:00:00] "};
    char text[400];
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        for (size_t i = 0; i < sizeof before / sizeof *before; i++) {
            snprintf(text, sizeof text, "%s%s", before[i], cases[c].output);
            ck_assert_msg(cases[c].format->score("t", ws_span_of(text)) == 0, "%s", text);
        }
        for (size_t i = 0; i < sizeof logs / sizeof *logs; i++) {
            if (*cases[c].output == '[' && strchr(logs[i], ' ') && !strchr(logs[i], '\n'))
                continue; /* a stamp stands in front of an object */
            snprintf(text, sizeof text, "%s%s", logs[i], cases[c].output);
            ck_assert_msg(cases[c].format->score("t", ws_span_of(text)) > 90, "%s", text);
        }
    }
}
END_TEST

TEST_MAIN("nodes as JSON", variorum_of_sockets, variorum_of_older_releases, redfish_power_of_controls,
          redfish_answers_below_dates, redfish_environment_of_chassis, redfish_reports, what_is_no_power,
          what_shows_such_output)
