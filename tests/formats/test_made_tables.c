/* Traces that are no tables of a row a sample: JSON of a logger of one's own, InfluxDB's line protocol,"
                       " a row a metric.
 * Powers are such that joules of a second each are known by hand. */
#include "reader_case.h"

extern const ws_format ws_format_json_trace, ws_format_line_protocol, ws_format_tidy_csv, ws_format_generic_csv;

START_TEST(json_lists_of_gpus)
{
    const char *text = "{\"ts\": 1770796800, \"cpu\": {\"power_w\": 80}, \"gpus\": [{\"index\": 0, \"power\": 250, "
                       "\"util\": 97}, {\"index\": 1, \"power\": 240, \"util\": 96}]}\n"
                       "{\"ts\": 1770796801, \"cpu\": {\"power_w\": 81}, \"gpus\": [{\"index\": 0, \"power\": 251, "
                       "\"util\": 97}, {\"index\": 1, \"power\": null, \"util\": 95}]}\n";
    is_recognised(&ws_format_json_trace, text);
    read_ok(&ws_format_json_trace, text);
    has("gpu0", "gpu_power", "250 251");
    has("gpu1", "gpu_power", "240 -");
    has("cpu0", "cpu_power_w", "80 81"); /* once, not once a GPU */
    ck_assert_int_eq(channel("gpu1", "gpu_power")->t_ns[0], T0);
}
END_TEST

START_TEST(json_power_beside_a_list_of_gpus)
{
    read_ok(&ws_format_json_trace,
            "{\"ts\": 1770796800, \"power\": 700, \"gpus\": [{\"index\": 0, \"power_w\": 250}, {\"index\": 1, "
            "\"power_w\": 240}]}\n{\"ts\": 1770796801, \"power\": 701, \"gpus\": [{\"index\": 0, \"power_w\": 251}, "
            "{\"index\": 1, \"power_w\": 241}]}\n");
    has("gpu0", "gpu_power_w", "250 251");
    has("gpu1", "gpu_power_w", "240 241");
    has("node", "node_power", "700 701");
    read_ok(&ws_format_json_trace,
            "{\"t\": 0.5, \"total_power\": 490, \"gpus\": [{\"power\": 250}, {\"power\": 240}]}\n"
            "{\"t\": 1.5, \"total_power\": 492, \"gpus\": [{\"power\": 251}, {\"power\": 241}]}\n");
    has("gpu1", "gpu_power", "240 241");
}
END_TEST

static const recorded *of_node(const char *node)
{
    for (size_t i = 0; i < r.n; i++)
        if (strcmp(r.channels[i].channel.node, node) == 0)
            return &r.channels[i];
    return NULL;
}

/* Lists of GPUs in several members are of the nodes that these are; the second one was in no sum. */
START_TEST(json_lists_of_gpus_of_nodes)
{
#define GPUS(watts) "{\"gpus\": [{\"index\": 0, \"power_w\": " watts "}]}"
#define POLL(t, front, a, first, b, second, behind) \
    "{\"ts\": " t ", \"cpu_power_w\": 80, " front "\"" a "\": " GPUS(first) ", \"" b "\": " GPUS(second) behind "}\n"
#define POLLS(front, a, b, behind) \
    POLL("1770796800", front, a, "250", b, "100", behind) POLL("1770796801", front, a, "251", b, "101", behind)
    static const struct {
        const char *text, *first, *second;
    } cases[] = {{POLLS("\"hosts\": {", "alpha", "beta", "}"), "alpha", "beta"},
                 {POLLS("\"cluster\": {\"Nodes\": {", "n1", "n2", "}}"), "n1", "n2"},
                 {POLLS("", "gpua01", "gpua02", ""), "gpua01", "gpua02"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        read_ok(&ws_format_json_trace, cases[i].text);
        const recorded *first = of_node(cases[i].first), *second = of_node(cases[i].second);
        ck_assert_msg(first && second && first->n == 2 && second->n == 2, "%s", cases[i].text);
        ck_assert_double_eq(first->value[1], 251);
        ck_assert_double_eq(second->value[0], 100);
        ck_assert_int_eq(second->channel.domain, WS_GPU);
        ck_assert_int_eq(second->channel.ask, WS_ASK_NOTHING);
        ck_assert_str_eq(second->channel.device, "gpu0");
    }
    enum { POLLS_ASKED = 64, POLL_TEXT = 160 };
    char text[POLLS_ASKED * POLL_TEXT]; /* nodes, or two sources of one GPU */
    for (int i = 0, n = 0; i < POLLS_ASKED; i++)
        n += snprintf(text + n, sizeof text - (size_t)n,
                      "{\"ts\": %d, \"nvml\": {\"gpus\": [{\"index\": 0, \"power_w\": %d.5}]}, "
                      "\"dcgm\": {\"gpus\": [{\"index\": 0, \"power_w\": %d.5}]}}\n",
                      1770796800 + i, 250 + i % 7, 100 + i % 5);
    read_ok(&ws_format_json_trace, text);
    ck_assert_int_eq(channel("gpu0", NULL)->channel.ask, WS_ASK_DEVICES);
}
END_TEST

START_TEST(json_objects_of_gpus)
{
    read_ok(&ws_format_json_trace,
            "{\"time\": 0.5, \"gpu\": {\"0\": {\"power_draw\": 250}, \"1\": {\"power_draw\": 240}}}"
            "{\"time\": 1.5, \"gpu\": {\"1\": {\"power_draw\": 241}}}");
    has("gpu0", "gpu_power_draw", "250");
    has("gpu1", "gpu_power_draw", "240 241");
    read_ok(
        &ws_format_json_trace,
        "{\"t\": 0.5, \"gpus\": {\"GPU-5e717b42-0c1d\": {\"power.draw\": {\"value\": 250000, \"unit\": \"mW\"}}}}\n"
        "{\"t\": 1.5, \"gpus\": {\"GPU-5e717b42-0c1d\": {\"power.draw\": {\"value\": 251000, \"unit\": \"mW\"}}}}\n");
    has("gpu0", "gpu_power.draw", "250 251");
    ck_assert_str_eq(channel("gpu0", NULL)->channel.identity, "uuid");
}
END_TEST

START_TEST(json_places_tell_gpus_apart)
{
    read_ok(&ws_format_json_trace,
            "[{\"t\": 0.5, \"devices\": [{\"name\": \"A100\", \"power_w\": 250}, {\"name\": \"A100\", "
            "\"power_w\": 240}]},\n {\"t\": 1.5, \"devices\": [{\"name\": \"A100\", \"power_w\": 251}, "
            "{\"name\": \"A100\", \"power_w\": 241}]}]");
    has("gpu0", "gpu_power_w", "250 251");
    has("gpu1", "gpu_power_w", "240 241");
}
END_TEST

START_TEST(json_of_flat_objects_and_lists_side_by_side)
{
    read_ok(&ws_format_json_trace, "{\"host\": \"n1\", \"samples\": [{\"t\": 0.5, \"gpu_power\": [250, 240]}, "
                                   "{\"t\": 1.5, \"gpu_power\": [251, 241]}]}");
    has("gpu0", "gpu_power_0", "250 251");
    has("gpu1", "gpu_power_1", "240 241");
    read_ok(&ws_format_json_trace,
            "{\"timestamps\": [0.5, 1.5, 2.5], \"gpu_power_w\": [250, 251, null], \"gpu_name\": \"A100\"}");
    has("gpu0", "gpu_power_w", "250 251 -");
    read_ok(&ws_format_json_trace,
            "{\"t\": 0.5, \"gpu_power_w\": 250}\n{\"t\": 1.5, \"gpu_power_w\": 251}\n{\"t\": 2.");
    has("gpu0", "gpu_power_w", "250 251");
    has_note("truncated-document", 1);
}
END_TEST

START_TEST(json_of_gpustat)
{
    read_ok(&ws_format_json_trace,
            "{\"hostname\": \"n1\", \"query_time\": \"2026-02-11T08:00:00.5\", \"gpus\": [{\"index\": 0, "
            "\"uuid\": \"GPU-5e71\", \"power.draw\": 250, \"processes\": [{\"pid\": 12}]}]}\n"
            "{\"hostname\": \"n1\", \"query_time\": \"2026-02-11T08:00:01.5\", \"gpus\": [{\"index\": 0, "
            "\"uuid\": \"GPU-5e71\", \"power.draw\": 251, \"processes\": []}]}\n");
    has("gpu0", "gpu_power.draw", "250 251");
    ck_assert_str_eq(channel("gpu0", "gpu_power.draw")->channel.node, "n1");
}
END_TEST

START_TEST(json_points_of_telegraf)
{
    const char *text = "{\"fields\":{\"memory_used\":31210,\"power_draw\":250},\"name\":\"nvidia_smi\","
                       "\"tags\":{\"host\":\"n1\",\"index\":\"0\",\"uuid\":\"GPU-5e71\"},\"timestamp\":1770796800}\n"
                       "{\"fields\":{\"memory_used\":31210,\"power_draw\":240},\"name\":\"nvidia_smi\","
                       "\"tags\":{\"host\":\"n1\",\"index\":\"1\",\"uuid\":\"GPU-6f82\"},\"timestamp\":1770796800}\n"
                       "{\"fields\":{\"memory_used\":31210,\"power_draw\":251},\"name\":\"nvidia_smi\","
                       "\"tags\":{\"host\":\"n1\",\"index\":\"0\",\"uuid\":\"GPU-5e71\"},\"timestamp\":1770796810}\n"
                       "{\"fields\":{\"memory_used\":31210,\"power_draw\":241},\"name\":\"nvidia_smi\","
                       "\"tags\":{\"host\":\"n1\",\"index\":\"1\",\"uuid\":\"GPU-6f82\"},\"timestamp\":1770796810}\n";
    is_recognised(&ws_format_json_trace, text);
    read_ok(&ws_format_json_trace, text);
    has("gpu0", "power_draw", "250 251");
    has("gpu1", "power_draw", "240 241");
    ck_assert_str_eq(channel("gpu0", "power_draw")->channel.node, "n1");
}
END_TEST

/* Plugs of Tasmota and of Kasa: what they wrap their readings in names nothing. */
START_TEST(json_messages_of_plugs)
{
    read_ok(&ws_format_json_trace,
            "{\"Time\":\"2026-02-11T08:00:00\",\"ENERGY\":{\"Total\":3.185,\"Today\":0.127,\"Power\":27,"
            "\"ApparentPower\":40,\"ReactivePower\":29,\"Factor\":0.68,\"Voltage\":118,\"Current\":0.333}}\n"
            "{\"Time\":\"2026-02-11T08:00:10\",\"ENERGY\":{\"Total\":3.185,\"Today\":0.127,\"Power\":28,"
            "\"ApparentPower\":41,\"ReactivePower\":29,\"Factor\":0.68,\"Voltage\":118,\"Current\":0.333}}\n");
    has("node", "Power", "27 28");
    read_ok(&ws_format_json_trace,
            "{\"timestamp\":\"2026-02-11 08:00:00\",\"emeter\":{\"get_realtime\":{\"voltage_mv\":230100,"
            "\"current_ma\":120,\"power_mw\":27000,\"total_wh\":1000}}}\n"
            "{\"timestamp\":\"2026-02-11 08:00:10\",\"emeter\":{\"get_realtime\":{\"voltage_mv\":230100,"
            "\"current_ma\":121,\"power_mw\":28000,\"total_wh\":1000}}}\n");
    has("node", "power_mw", "27 28");
}
END_TEST

START_TEST(xpu_smi_dump_names_devices)
{
    const char *text =
        "Timestamp, DeviceId, GPU Utilization (%), GPU Power (W)\n08:00:00.000,    0, 98.01, 250\n"
        "08:00:00.000,    1, 97.01, 240\n08:00:01.000,    0, 98.01, 251\n08:00:01.000,    1, 97.01, 241\n";
    read_ok(&ws_format_generic_csv, text);
    has("gpu0", "GPU Power (W)", "250 251");
    has("gpu1", "GPU Power (W)", "240 241");
}
END_TEST

START_TEST(loads_of_jtop_number_no_gpus)
{
    read_ok(&ws_format_generic_csv, "time,GPU,Power VDD_GPU_SOC,Power TOT\n2026-02-11 08:00:00,0,2000,8000\n"
                                    "2026-02-11 08:00:01,1,2001,8001\n2026-02-11 08:00:02,2,2002,8002\n"
                                    "2026-02-11 08:00:03,3,2003,8003\n");
    ck_assert_uint_eq(channel("gpu0", "Power VDD_GPU_SOC")->n, 4);
    ck_assert_uint_eq(channel("node", "Power TOT")->n, 4);
}
END_TEST

START_TEST(json_numbers_of_devices)
{
    read_ok(&ws_format_json_trace, "{\"t\": 0.5, \"gpu_power_mw\": {\"0\": 250000, \"1\": 240000}}\n"
                                   "{\"t\": 1.0, \"event\": \"epoch\", \"loss\": 0.5}\n" /* no poll */
                                   "{\"t\": 1.5, \"gpu_power_mw\": {\"0\": 251000, \"1\": null}}\n");
    has("gpu0", NULL, "250 251");
    has("gpu1", NULL, "240 -");
    read_ok(&ws_format_json_trace,
            "{\"t\": 0.5, \"gpu_powers\": [250, 240]}\n{\"t\": 1.5, \"gpu_powers\": [251, 241]}\n");
    has("gpu1", NULL, "240 241");
}
END_TEST

START_TEST(json_history_of_weights_and_biases)
{
    const char *text = "{\"loss\": 2.5, \"epoch\": 1, \"_step\": 0, \"_timestamp\": 1770796799.5,"
                       " \"_runtime\": 0.5}\n"
                       "{\"system.gpu.0.powerWatts\": 250, \"system.gpu.0.gpu\": 97,"
                       " \"system.gpu.1.powerWatts\": 240, "
                       "\"system.gpu.process.0.powerWatts\": 250, \"_timestamp\": 1770796800, \"_runtime\": 1}\n"
                       "{\"loss\": 2.4, \"epoch\": 1, \"_step\": 1, \"_timestamp\": 1770796807, \"_runtime\": 8}\n"
                       "{\"system.gpu.0.powerWatts\": 251, \"system.gpu.0.gpu\": 98,"
                       " \"system.gpu.1.powerWatts\": 241, "
                       "\"system.gpu.process.0.powerWatts\": 251, \"_timestamp\": 1770796815, \"_runtime\": 16}\n";
    is_recognised(&ws_format_json_trace, text);
    read_ok(&ws_format_json_trace, text);
    has("gpu0", "system.gpu.0.powerWatts", "250 251");
    has("gpu1", "system.gpu.1.powerWatts", "240 241");
    ck_assert_int_eq(channel("gpu0", "system.gpu.0.powerWatts")->channel.rule, WS_RULE_RECTANGLE);
}
END_TEST

START_TEST(json_tables_of_runs_are_none)
{
    static const char *const tables[] = {
        "{\"timestamp\": 1770796800, \"model\": \"a\", \"gpus\": 4, \"energy_kwh\": 0.4}\n"
        "{\"timestamp\": 1770800400, \"model\": \"a\", \"gpus\": 8, \"energy_kwh\": 0.5}\n",
        "{\"timestamp\": 1770796800, \"loss\": 2.5}\n{\"timestamp\": 1770796801, \"loss\": 2.4}\n",
    };
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        ck_assert_int_eq(ws_format_json_trace.score("t.jsonl", ws_span_of(tables[i])), 0);
}
END_TEST

START_TEST(points_of_influxdb)
{
    const char *text =
        "# made by telegraf\n"
        "cpu,cpu=cpu-total,host=n1 usage_user=4.5 1770796800000000000\n"
        "nvidia_smi,host=n1,index=0,name=NVIDIA\\ A100 power_draw=250,utilization_gpu=97i 1770796800000000000\n"
        "nvidia_smi,host=n1,index=1,name=NVIDIA\\ A100 power_draw=240,utilization_gpu=96i 1770796800000000000\n"
        "nvidia_smi,host=n1,index=0,name=NVIDIA\\ A100 power_draw=251,pstate=\"P0, max\" 1770796801000000000\n"
        "nvidia_smi,host=n1,index=1,name=NVIDIA\\ A100 power_draw=241 1770796801000000000\n"
        "nvidia_smi,host=n1,ind";
    is_recognised(&ws_format_line_protocol, text);
    read_ok(&ws_format_line_protocol, text);
    has("gpu0", "power_draw", "250 251");
    has("gpu1", "power_draw", "240 241");
    ck_assert_str_eq(channel("gpu0", "power_draw")->channel.node, "n1");
    has_note("truncated-line", 1);
    read_ok(&ws_format_line_protocol,
            "gpu_power,gpu=0 value=250 1770796800000\ngpu_power,gpu=0 value=251 1770796801000\n");
    has("gpu0", "gpu_power", "250 251");
    read_ok(
        &ws_format_line_protocol,
        "powerstat_package,package_id=0 current_power_watts=80,thermal_design_power_watts=250 1770796800000000000\n"
        "powerstat_package,package_id=1 current_power_watts=90,thermal_design_power_watts=250 1770796800000000000\n"
        "powerstat_package,package_id=0 current_power_watts=81,thermal_design_power_watts=250 1770796801000000000\n"
        "powerstat_package,package_id=1 current_power_watts=91,thermal_design_power_watts=250 1770796801000000000\n");
    has("cpu0", NULL, "80 81");
    has("cpu1", NULL, "90 91");
}
END_TEST

START_TEST(rows_of_single_metrics)
{
    const char *text = "time,device,metric,value\n1770796800,gpu0,power_w,250\n1770796800,gpu0,temperature,61\n"
                       "1770796800,gpu1,power_w,240\n1770796800,gpu1,note,7\n1770796801,gpu0,power_w,251\n"
                       "1770796801,gpu1,power_w,241\n";
    is_recognised(&ws_format_tidy_csv, text);
    read_ok(&ws_format_tidy_csv, text);
    has("gpu0", "power_w", "250 251");
    has("gpu1", "power_w", "240 241");
    read_ok(&ws_format_tidy_csv, "time;variable;value;unit\n0.5;gpu0_power;250000;mW\n1.5;gpu0_power;251000;mW\n"
                                 "0.5;gpu1_power;240000;mW\n1.5;gpu1_power;241000;mW\n"); /* melted */
    has("gpu0", NULL, "250 251");
    has("gpu1", NULL, "240 241");
    read_ok(
        &ws_format_tidy_csv,
        "#datatype,string,long,dateTime:RFC3339,double,string,string,string\n"
        ",result,table,_time,_value,_field,_measurement,index\n"
        ",,0,2026-02-11T08:00:00Z,250,power_draw,nvidia_smi,0\n,,0,2026-02-11T08:00:01Z,251,power_draw,nvidia_smi,0\n"
        ",,1,2026-02-11T08:00:00Z,240,power_draw,nvidia_smi,1\n,,1,2026-02-11T08:00:01Z,241,power_draw,"
        "nvidia_smi,1\n");
    has("gpu0", "power_draw", "250 251");
    has("gpu1", "power_draw", "240 241");
    read_fails(&ws_format_tidy_csv, "time,metric,value\n0.5,power,250\n0.5,power,240\n1.5,power,251\n", WS_DATA,
               "stand twice");
}
END_TEST

/* MLflow's history of a metric, and a loop over ipmitool. */
START_TEST(json_of_single_metrics)
{
    const char *history = "{\"metrics\": [{\"key\": \"system/gpu_0_power_usage_watts\", \"value\": 250.5, "
                          "\"timestamp\": 1770796800000, \"step\": 0}, {\"key\": "
                          "\"system/gpu_0_power_usage_watts\", \"value\": 251.5, \"timestamp\": 1770796801000, "
                          "\"step\": 1}]}";
    is_recognised(&ws_format_json_trace, history);
    read_ok(&ws_format_json_trace, history);
    has("gpu0", "system/gpu_0_power_usage_watts", "250.5 251.5");
    read_ok(&ws_format_json_trace,
            "{\"date\": \"2026-02-11T08:00:00Z\", \"metric\": \"watts\", \"value\": \"212\"},\n"
            "{\"date\": \"2026-02-11T08:00:01Z\", \"metric\": \"watts\", \"value\": \"213\"},\n");
    has("gpu0", "watts", "212 213");
}
END_TEST

/* Graphite's render API and Ganglia's graph.php. */
START_TEST(json_of_datapoints)
{
    const char *graphite = "[{\"target\": \"n1.gpu0.power_w\", \"datapoints\": [[250.5, 1770796800], [null, "
                           "1770796801], [251.5, 1770796802]]}, {\"target\": \"n1.gpu1.power_w\", \"datapoints\": "
                           "[[240, 1770796800], [241, 1770796802]]}]";
    is_recognised(&ws_format_json_trace, graphite);
    read_ok(&ws_format_json_trace, graphite);
    has("gpu0", "n1.gpu0.power_w", "250.5 - 251.5");
    has("gpu1", "n1.gpu1.power_w", "240 - 241");
    read_ok(&ws_format_json_trace, "[{\"ds_name\": \"sum\", \"host_name\": \"n1\", \"metric_name\": \"power\", "
                                   "\"datapoints\": [[342, 1770796800], [343, 1770796801]]}]");
    ck_assert_uint_eq(r.n, 1);
}
END_TEST

START_TEST(json_of_shellys_first_plugs)
{
    read_ok(&ws_format_json_trace, "{\"time\": 1770796800, \"meters\": [{\"power\": 120.5, \"is_valid\": true}]}\n"
                                   "{\"time\": 1770796801, \"meters\": [{\"power\": 121.5, \"is_valid\": true}]}\n");
    has("gpu0", "power", "120.5 121.5");
}
END_TEST

START_TEST(json_of_gpus_by_their_numbers)
{
    read_ok(&ws_format_json_trace,
            "{\"time\": 0.5, \"stats\": {\"0\": {\"gpu_util\": 97, \"power_watts\": 250.5}, \"1\": {\"gpu_util\": 96, "
            "\"power_watts\": 240.5}}}\n{\"time\": 1.5, \"stats\": {\"0\": {\"gpu_util\": 97, \"power_watts\": 251.5}, "
            "\"1\": {\"gpu_util\": 96, \"power_watts\": 241.5}}}\n");
    has("gpu0", "gpu_power_watts", "250.5 251.5");
    has("gpu1", "gpu_power_watts", "240.5 241.5");
    read_ok(&ws_format_json_trace,
            "{\"time\": 0.5, \"sockets\": {\"0\": {\"power_watts\": 50.5}, \"1\": {\"power_watts\": "
            "40.5}}}\n{\"time\": 1.5, \"sockets\": {\"0\": {\"power_watts\": 51.5}, \"1\": "
            "{\"power_watts\": 41.5}}}\n");
    ck_assert_ptr_null(recorder_find(&r, "gpu0", NULL));
}
END_TEST

/* "date; nvtop -s" in a loop, and a tool that prints an object. */
START_TEST(json_below_dates)
{
    const char *nvtop = "Wed Feb 11 08:00:00 UTC 2026\n[\n {\"device_name\": \"A100\", \"power_draw\": \"250W\", "
                        "\"gpu_util\": \"97%\"},\n {\"device_name\": \"A100\", \"power_draw\": \"240W\"}\n]\n"
                        "Wed Feb 11 08:00:01 UTC 2026\n[\n {\"device_name\": \"A100\", \"power_draw\": \"251W\", "
                        "\"gpu_util\": \"97%\"},\n {\"device_name\": \"A100\", \"power_draw\": \"241W\"}\n]\n";
    is_recognised(&ws_format_json_trace, nvtop);
    read_ok(&ws_format_json_trace, nvtop);
    has("gpu0", "gpu_power_draw", "250 251");
    has("gpu1", "gpu_power_draw", "240 241");
    ck_assert_int_eq(channel("gpu1", NULL)->t_ns[1], T0 + S);
    read_ok(&ws_format_json_trace, "2026-02-11 08:00:00\n{\"cpu\": {\"power_w\": 80}}\n2026-02-11 08:00:01\n{\"cpu\": "
                                   "{\"power_w\": 81}}\n2026-02-11 08:00:02\n{\"cpu\": {\"pow");
    has("cpu0", "cpu_power_w", "80 81");
    has_note("truncated-document", 1);
    read_ok(&ws_format_json_trace,
            "2026-02-11 08:00:00\n[{\"ts\": 1.5, \"power_w\": 80}, {\"ts\": 2.5, \"power_w\": 81}]\n");
    has("gpu0", "power_w", "80 81"); /* polls that say their times themselves */
}
END_TEST

/* Telegraf's ipmi_sensor has the unit in a tag, and its snmp plugin's measurement says nothing. */
START_TEST(points_with_their_units_in_tags)
{
    read_ok(&ws_format_line_protocol,
            "ipmi_sensor,host=n1,name=pwr_consumption,unit=watts value=340,status=1i 1770796800000000000\n"
            "ipmi_sensor,host=n1,name=inlet_temp,unit=degrees_c value=22,status=1i 1770796800000000000\n"
            "ipmi_sensor,host=n1,name=pwr_consumption,unit=watts value=350,status=1i 1770796801000000000\n");
    has("node", "pwr_consumption [W]", "340 350");
    ck_assert_uint_eq(r.n, 1);
    read_ok(&ws_format_line_protocol, "snmp,outlet=3 power_watts=340i,energy_wh=1000i 1770796800000000000\n"
                                      "snmp,outlet=3 power_watts=350i,energy_wh=1000i 1770796801000000000\n");
    ck_assert_ptr_nonnull(channel("gpu0", "power_watts"));
    ck_assert_ptr_nonnull(channel("gpu0", "energy_wh")); /* of one device: both in a sum would count twice */
}
END_TEST

TEST_MAIN("made tables", json_below_dates, json_lists_of_gpus_of_nodes, json_of_gpus_by_their_numbers,
          json_of_single_metrics, json_of_datapoints, json_of_shellys_first_plugs, points_with_their_units_in_tags,
          json_lists_of_gpus, json_power_beside_a_list_of_gpus, json_objects_of_gpus, json_places_tell_gpus_apart,
          json_of_flat_objects_and_lists_side_by_side, json_of_gpustat, json_points_of_telegraf, json_messages_of_plugs,
          xpu_smi_dump_names_devices, loads_of_jtop_number_no_gpus, json_numbers_of_devices,
          json_history_of_weights_and_biases, json_tables_of_runs_are_none, points_of_influxdb, rows_of_single_metrics)
