/* Exporters of power beside DCGM's: series of a range, and pages one below the other. Names of metrics and labels as
 * the exporters write them, numbers known by hand. */
#include "reader_case.h"

#include <stdlib.h>

extern const ws_format ws_format_prometheus_json, ws_format_prometheus_text, ws_format_prometheus_csv;

#define JOIN_4(a, b, c, d) a "," b "," c "," d
#define JOIN_5(a, b, c, d, e) a "," b "," c "," d "," e
#define JOIN_6(a, b, c, d, e, f) a "," b "," c "," d "," e "," f
#define JOIN_7(a, b, c, d, e, f, g) a "," b "," c "," d "," e "," f "," g
#define ANSWER(series) "{\"status\":\"success\",\"data\":{\"resultType\":\"matrix\",\"result\":[" series "]}}"
#define SERIES(name, labels, first, second)                                                                           \
    "{\"metric\":{\"__name__\":\"" name "\"," labels "},\"values\":[[1770796800,\"" first "\"],[1770796801,\"" second \
    "\"]]}"

static void domain_is(const char *column, ws_domain domain)
{
    const recorded *c = recorder_find(&r, NULL, column);
    ck_assert_msg(c && c->channel.domain == domain, "%s: %s", column,
                  c ? ws_domain_name(c->channel.domain) : "nothing");
}

START_TEST(rapl_and_hwmon_of_node_exporter)
{
    static const char text[] = ANSWER(JOIN_7(
        SERIES("node_rapl_package_joules_total",
               "\"index\":\"0\",\"path\":\"/host/sys/class/powercap/intel-rapl:0\",\"instance\":\"n1:9100\"", "100",
               "150"),
        SERIES("node_rapl_package_joules_total",
               "\"index\":\"0\",\"path\":\"/host/sys/class/powercap/intel-rapl-mmio:0\",\"instance\":\"n1:9100\"",
               "100", "150"),
        SERIES("node_rapl_package_joules_total",
               "\"index\":\"1\",\"path\":\"/host/sys/class/powercap/intel-rapl:1\",\"instance\":\"n1:9100\"", "7", "8"),
        SERIES("node_rapl_core_joules_total",
               "\"index\":\"0\",\"path\":\"/sys/class/powercap/intel-rapl:0:0\",\"instance\":\"n1:9100\"", "1", "2"),
        SERIES("node_rapl_dram_joules_total",
               "\"index\":\"0\",\"path\":\"/sys/class/powercap/intel-rapl:0:1\",\"instance\":\"n1:9100\"", "10", "14"),
        SERIES("node_hwmon_power_average_watt",
               "\"chip\":\"lnxsybus:00_acpi000d:00\",\"sensor\":\"power1\",\"instance\":\"n1:9100\"", "416", "420"),
        SERIES("node_hwmon_power_average_watt",
               "\"chip\":\"0000:03:00_0\",\"sensor\":\"power1\",\"instance\":\"n1:9100\"", "15", "16")));
    is_recognised(&ws_format_prometheus_json, text);
    read_ok(&ws_format_prometheus_json, text);
    has("cpu0", "node_rapl_package_joules_total", "100 150"); /* the copy in mmio is left out */
    has("cpu1", "node_rapl_package_joules_total", "7 8");
    has("dram0", "node_rapl_dram_joules_total", "10 14");
    has("node", "node_hwmon_power_average_watt", "416 420");
    domain_is("node_rapl_core_joules_total", WS_CPU_CORE);
    ck_assert_uint_eq(r.n, 6);
    ck_assert_str_eq(channel("cpu0", NULL)->channel.node, "n1");
    ck_assert_int_eq(channel("cpu0", NULL)->channel.rule, WS_RULE_COUNTER);
    has_note("measured-twice", 0);
}
END_TEST

/* Since 0.10 a zone is a label; before, it was a name, and the energy lay in two series that make one. */
START_TEST(kepler_new_and_old)
{
    read_ok(
        &ws_format_prometheus_json,
        ANSWER(JOIN_6(
            SERIES("kepler_node_cpu_joules_total",
                   "\"zone\":\"package\",\"path\":\"/sys/class/powercap/intel-rapl:1\",\"node_name\":\"w1\"", "5", "9"),
            SERIES("kepler_node_cpu_watts",
                   "\"zone\":\"package\",\"path\":\"/sys/class/powercap/intel-rapl:1\",\"node_name\":\"w1\"", "4", "4"),
            SERIES("kepler_node_cpu_joules_total", "\"zone\":\"dram\",\"node_name\":\"w1\"", "2", "3"),
            SERIES("kepler_node_cpu_joules_total", "\"zone\":\"psys\",\"node_name\":\"w1\"", "20", "30"),
            SERIES("kepler_platform_watts", "\"source\":\"redfish\",\"node_name\":\"w1\",\"chassis_id\":\"1\"", "450.5",
                   "451"),
            SERIES("kepler_node_cpu_idle_joules_total", "\"zone\":\"package\",\"node_name\":\"w1\"", "1", "1"))));
    has("cpu1", "kepler_node_cpu_joules_total", "5 9");
    has("cpu1", "kepler_node_cpu_watts", "4 4"); /* of the same device */
    has("dram0", NULL, "2 3");
    has("psys", NULL, "20 30");
    has("node", NULL, "450.5 451");
    ck_assert_ptr_null(recorder_find(&r, NULL, "kepler_node_cpu_idle_joules_total")); /* is in the zone's */
    ck_assert_str_eq(channel("cpu1", NULL)->channel.node, "w1");
    read_ok(
        &ws_format_prometheus_json,
        ANSWER(JOIN_4(SERIES("kepler_node_package_joules_total",
                             "\"instance\":\"w1\",\"package\":\"0\",\"mode\":\"dynamic\"", "100", "140"),
                      SERIES("kepler_node_package_joules_total",
                             "\"instance\":\"w1\",\"package\":\"0\",\"mode\":\"idle\"", "1000", "1010"),
                      SERIES("kepler_node_gpu_joules_total", "\"instance\":\"w1\",\"mode\":\"idle\"", "7", "NaN"),
                      SERIES("kepler_node_gpu_joules_total", "\"instance\":\"w1\",\"mode\":\"dynamic\"", "1", "2"))));
    has("cpu0", NULL, "1100 1150");
    has("gpu0", NULL, "8 -"); /* a half is no sum */
    has_note("duplicate-series", 0);
}
END_TEST

/* The same packages by three exporters count once; two vendors' GPUs are different GPUs. */
START_TEST(several_exporters_of_one_node)
{
    read_ok(&ws_format_prometheus_json,
            ANSWER(JOIN_5(SERIES("scaph_socket_power_microwatts", "\"socket_id\":\"0\",\"instance\":\"n1:8080\"",
                                 "40000000", "41000000"),
                          SERIES("scaph_domain_power_microwatts",
                                 "\"socket_id\":\"0\",\"domain_name\":\"dram\",\"instance\":\"n1:8080\"", "3000000",
                                 "3000000"),
                          SERIES("scaph_host_power_microwatts", "\"instance\":\"n1:8080\"", "45000000", "45000000"),
                          SERIES("kepler_node_cpu_watts", "\"zone\":\"package\",\"node_name\":\"n1\"", "40", "41"),
                          SERIES("node_rapl_package_joules_total",
                                 "\"index\":\"0\",\"path\":\"x/intel-rapl:0\",\"instance\":\"n1:9100\"", "1", "42"))));
    has("cpu0", NULL, "1 42");
    has("dram0", NULL, "3 3");
    has("psys", NULL, "45 45");
    domain_is("kepler_node_cpu_watts", WS_OTHER);
    domain_is("scaph_socket_power_microwatts", WS_OTHER);
    has_note("measured-twice", 2);
    read_ok(
        &ws_format_prometheus_json,
        ANSWER(JOIN_4(
            SERIES("DCGM_FI_DEV_POWER_USAGE", "\"gpu\":\"0\",\"Hostname\":\"n1\"", "250", "250"),
            SERIES("rocm_average_socket_power_watts", "\"card\":\"0\",\"instance\":\"a1:8001\"", "500", "501"),
            SERIES("omnistat_vendor_accel_power_watts", "\"accel\":\"0\",\"vendor\":\"cray\",\"instance\":\"a1:8001\"",
                   "520", "520"),
            SERIES("omnistat_vendor_power_watts", "\"vendor\":\"cray\",\"instance\":\"a1:8001\"", "2000", "2000"))));
    domain_is("DCGM_FI_DEV_POWER_USAGE", WS_GPU);
    domain_is("rocm_average_socket_power_watts", WS_GPU);
    domain_is("omnistat_vendor_accel_power_watts", WS_OTHER);
    domain_is("omnistat_vendor_power_watts", WS_NODE);
    has_note("measured-twice", 1);
}
END_TEST

/* --- pages --- */

#define PAGE(time, joules)                                                                                        \
    "# HELP node_cpu_seconds_total Seconds the CPUs spent in each mode.\n# TYPE node_cpu_seconds_total counter\n" \
    "node_cpu_seconds_total{cpu=\"0\",mode=\"idle\"} 1.5e+06\n"                                                   \
    "# TYPE node_rapl_package_joules_total counter\n"                                                             \
    "node_rapl_package_joules_total{index=\"0\",path=\"/sys/class/powercap/intel-rapl:0\"} " joules "\n"          \
    "node_rapl_dram_joules_total{index=\"0\",path=\"/sys/class/powercap/intel-rapl:0:0\"} 2.5e+01\n" time

START_TEST(pages_by_their_own_clock)
{
    static const char text[] = PAGE("node_time_seconds 1.7707968005e+09\n", "2.582e+05")
        PAGE("node_time_seconds 1.7707968105e+09\n", "2.583e+05");
    is_recognised(&ws_format_prometheus_text, text);
    read_ok(&ws_format_prometheus_text, text);
    has("cpu0", NULL, "258200 258300");
    has("dram0", NULL, "25 25");
    ck_assert_int_eq(channel("cpu0", NULL)->t_ns[0], T0 + S / 2);
    ck_assert_int_eq(channel("dram0", NULL)->t_ns[1], T0 + 10 * S + S / 2);
    ck_assert_uint_eq(r.notes.n, 0);
}
END_TEST

START_TEST(pages_below_dates)
{
    static const char text[] = "# 2026-02-11T08:00:00Z\n" PAGE("", "1") "# 2026-02-11T08:00:05Z\n" PAGE("", "2");
    is_recognised(&ws_format_prometheus_text, text);
    read_ok(&ws_format_prometheus_text, text);
    has("cpu0", NULL, "1 2");
    ck_assert_int_eq(channel("cpu0", NULL)->t_ns[0], T0);
    ck_assert_int_eq(channel("cpu0", NULL)->t_ns[1], T0 + 5 * S);
    read_ok(&ws_format_prometheus_text,
            "Wed Feb 11 08:00:00 UTC 2026\n" PAGE("", "1") "Wed Feb 11 08:00:09 UTC 2026\n" PAGE("", "2"));
    ck_assert_int_eq(channel("cpu0", NULL)->t_ns[1], T0 + 9 * S);
    read_ok(&ws_format_prometheus_text, "1770796800\n" PAGE("", "1") PAGE("", "2"));
    has("cpu0", NULL, "1");
    has_note("bad-stamp", 1); /* the date is of one page */
    ck_assert_int_eq(read_case(&ws_format_prometheus_text, "t", PAGE("", "1") PAGE("", "2") PAGE("", "4"), 2 * S),
                     WS_OK);
    has("cpu0", NULL, "1 2 4");
    ck_assert_int_eq(channel("cpu0", NULL)->t_ns[2], 4 * S);
}
END_TEST

START_TEST(pages_with_stamps_of_samples)
{
    static const char text[] =
        "DCGM_FI_DEV_POWER_USAGE{gpu=\"0\",UUID=\"GPU-a\",Hostname=\"n1\",modelName=\"A \\\"x\\\", B\"} "
        "250.5 1770796800250\n"
        "DCGM_FI_DEV_POWER_USAGE{gpu=\"1\",UUID=\"GPU-b\",Hostname=\"n1\"} 60 1770796800250\n"
        "DCGM_FI_DEV_POWER_USAGE{gpu=\"0\",UUID=\"GPU-a\",Hostname=\"n1\"} NaN 1770796801250\n"
        "kepler_node_gpu_watts{gpu=\"0\"} 1\n# EOF\n";
    is_recognised(&ws_format_prometheus_text, text);
    read_ok(&ws_format_prometheus_text, text);
    has("gpu0", NULL, "250.5 -");
    has("gpu1", NULL, "60");
    ck_assert_int_eq(channel("gpu0", NULL)->t_ns[1], T0 + S + S / 4);
    ck_assert_str_eq(channel("gpu0", NULL)->channel.node, "n1");
    domain_is("DCGM_FI_DEV_POWER_USAGE", WS_GPU);
    /* OpenMetrics counts seconds */
    read_ok(
        &ws_format_prometheus_text,
        "rocm_energy_joules{card=\"2\"} 5 1770796800.5\n# EOF\nrocm_energy_joules{card=\"2\"} 7 1770796801.5\n# EOF\n");
    has("gpu2", NULL, "5 7");
    ck_assert_int_eq(channel("gpu2", NULL)->t_ns[1], T0 + S + S / 2);
}
END_TEST

#define GPU_LINE(gpu, other, watts) \
    "DCGM_FI_DEV_POWER_USAGE{gpu=\"" gpu "\",UUID=\"GPU-" gpu "\"," other ",Hostname=\"n1\"} " watts "\n"
#define INSTANCE(gpu, instance, watts) GPU_LINE(gpu, "GPU_I_ID=\"" instance "\"", watts)
#define INSTANCES(a, b) \
    INSTANCE("0", "1", a) INSTANCE("0", "2", a) INSTANCE("0", "3", a) INSTANCE("1", "1", b) INSTANCE("1", "2", b)

/* The series of a GPU's instances, or of the pods that share it, repeat its power in one page: they begin no other. */
START_TEST(instances_in_a_page)
{
    static const char type[] = "# TYPE DCGM_FI_DEV_POWER_USAGE gauge\n";
    read_ok(&ws_format_prometheus_text,
            "# 2026-02-11T08:00:00Z\n" INSTANCES("100", "200") "# 2026-02-11T08:00:05Z\n" INSTANCES("110", "220"));
    has("gpu0", NULL, "100 110");
    has("gpu1", NULL, "200 220");
    ck_assert_uint_eq(r.n, 2);
    has_note("duplicate-series", 6);
    has_note("shared-stamps", 0);
    has_note("bad-stamp", 0);
    /* without dates, with comments and without: the times are those of the pages */
    char text[2048];
    for (int comments = 0; comments < 2; comments++) {
        snprintf(text, sizeof text, "%s" INSTANCES("100", "200") "%s" INSTANCES("110", "220"), comments ? type : "",
                 comments ? type : "");
        ck_assert_int_eq(read_case(&ws_format_prometheus_text, "t", text, 2 * S), WS_OK);
        has("gpu0", NULL, "100 110");
        has("gpu1", NULL, "200 220");
        ck_assert_int_eq(channel("gpu1", NULL)->t_ns[1], 2 * S);
    }
    /* a GPU that another pod takes from page to page */
    ck_assert_int_eq(read_case(&ws_format_prometheus_text, "t",
                               GPU_LINE("0", "pod=\"a\"", "100") GPU_LINE("0", "pod=\"b\"", "110"), 2 * S),
                     WS_OK);
    has("gpu0", NULL, "100 110");
    /* other powers at one time are those of other devices, which nothing tells apart */
    read_ok(&ws_format_prometheus_text,
            "# 2026-02-11T08:00:00Z\n" GPU_LINE("0", "cluster=\"a\"", "100") GPU_LINE("0", "cluster=\"b\"", "300"));
    has("gpu0", NULL, "100");
    has_note("shared-stamps", 1);
}
END_TEST

/* Counters of two packages whose labels are not known here: the first counts, and that is told. */
START_TEST(counters_that_no_label_tells_apart)
{
    read_ok(
        &ws_format_prometheus_json,
        ANSWER(SERIES("kepler_node_cpu_joules_total", "\"zone\":\"package\",\"place\":\"0\"", "100", "150") "," SERIES(
            "kepler_node_cpu_joules_total", "\"zone\":\"package\",\"place\":\"1\"", "7", "80")));
    has("cpu0", NULL, "100 150");
    has_note("shared-stamps", 2);
}
END_TEST

/* Of a node with many cores, whose lines fill the head before those with the power come. */
START_TEST(page_of_a_large_node)
{
    enum { CORES = 1500 };
    char *text = malloc(CORES * 80);
    size_t n = 0;
    for (int core = 0; core < CORES; core++)
        n += (size_t)sprintf(text + n, "node_cpu_seconds_total{cpu=\"%d\",mode=\"idle\"} 1.5e+06\n", core);
    sprintf(text + n, "node_rapl_package_joules_total{index=\"0\",path=\"x\"} 7\n");
    ck_assert_uint_gt(n, WS_HEAD_SIZE);
    is_recognised(&ws_format_prometheus_text, text);
    read_ok(&ws_format_prometheus_text, text);
    has("cpu0", NULL, "7");
    free(text);
}
END_TEST

START_TEST(what_is_no_page)
{
    static const char *const others[] = {"node_cpu_seconds_total{cpu=\"0\"} 1\n",
                                         "node_rapl_package_joules_total went up\n", "  kepler_node_cpu_watts\n",
                                         "DCGM_FI_DEV_POWER_USAGE{gpu=\"0\" 5\n"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        ck_assert_msg(ws_format_prometheus_text.score("t", ws_span_of(others[i])) == 0, "%s", others[i]);
    read_fails(&ws_format_prometheus_text, "node_cpu_seconds_total{cpu=\"0\"} 1\n", WS_DATA, "no metric");
    read_ok(&ws_format_prometheus_text,
            "rocm_energy_joules{card=\"0\"} 5 1770796800000\nrocm_energy_joules{card=\"1\"} 6 17707");
    ck_assert_uint_eq(r.n, 1);
    has_note("truncated-line", 1);
}
END_TEST

/* --- as CSV --- */

static const recorded *of_node(const char *node, const char *device)
{
    for (size_t i = 0; i < r.n; i++)
        if (strcmp(r.channels[i].channel.node, node) == 0 && strcmp(r.channels[i].channel.device, device) == 0)
            return &r.channels[i];
    ck_abort_msg("no %s of %s", device, node);
}

/* A saved panel of Grafana: a column a series, empty where only others have that time. */
START_TEST(a_column_a_series)
{
    static const char text[] =
        "\"Time\",\"DCGM_FI_DEV_POWER_USAGE{gpu=\"\"0\"\", Hostname=\"\"n1\"\"}\","
        "\"DCGM_FI_DEV_POWER_USAGE{gpu=\"\"1\"\", Hostname=\"\"n1\"\"}\","
        "\"DCGM_FI_DEV_POWER_USAGE{gpu=\"\"0\"\", Hostname=\"\"n2\"\"}\",\"node_load1{instance=\"\"n1:9100\"\"}\"\n"
        "2026-02-11 08:00:00,100,200,300,4\n2026-02-11 08:00:15,101 W,,301,5\n2026-02-11 08:00:30,102,202,302,6\n";
    is_recognised(&ws_format_prometheus_csv, text);
    read_ok(&ws_format_prometheus_csv, text);
    ck_assert_uint_eq(r.n, 3);
    ck_assert_uint_eq(of_node("n1", "gpu0")->n, 3);
    ck_assert_uint_eq(of_node("n1", "gpu1")->n, 2);
    ck_assert_double_eq(of_node("n1", "gpu1")->value[1], 202);
    ck_assert_double_eq(of_node("n2", "gpu0")->value[0], 300);
    ck_assert_int_eq(of_node("n2", "gpu0")->t_ns[0], T0);
    has_note("naive-time", 1);
}
END_TEST

/* Of a client: a row a reading, labels in columns; and Grafana's long form, labels behind the metric. */
START_TEST(a_row_a_reading)
{
    static const char client[] = "name,timestamp,value,Hostname,UUID,gpu\n"
                                 "DCGM_FI_DEV_POWER_USAGE,1770796800.003,65.5,n1,GPU-0aa,0\n"
                                 "DCGM_FI_DEV_GPU_UTIL,1770796800.003,97,n1,GPU-0aa,0\n"
                                 "DCGM_FI_DEV_POWER_USAGE,1770796815.002,66.5,n1,GPU-0aa,0\n"
                                 "DCGM_FI_DEV_POWER_USAGE,1770796815.002,75.5,n1,GPU-0bb,1\nbad\n";
    static const char panel[] = "\"Series\";\"Time\";\"Value\"\n"
                                "\"node_rapl_package_joules_total{index=\"\"0\"\", instance=\"\"n1:9100\"\"}\";"
                                "\"2026-02-11T08:00:00+00:00\";100\n"
                                "\"node_rapl_package_joules_total{index=\"\"0\"\", instance=\"\"n1:9100\"\"}\";"
                                "\"2026-02-11T08:00:15+00:00\";150\n";
    is_recognised(&ws_format_prometheus_csv, client);
    read_ok(&ws_format_prometheus_csv, client);
    has("gpu0", "DCGM_FI_DEV_POWER_USAGE", "65.5 66.5");
    has("gpu1", "DCGM_FI_DEV_POWER_USAGE", "75.5");
    has("gpu0", "DCGM_FI_DEV_GPU_UTIL", "0.97");
    ck_assert_int_eq(channel("gpu0", "DCGM_FI_DEV_POWER_USAGE")->t_ns[0], T0 + 3 * S / 1000);
    has_note("ragged-row", 1);
    is_recognised(&ws_format_prometheus_csv, panel);
    read_ok(&ws_format_prometheus_csv, panel);
    has("cpu0", "node_rapl_package_joules_total", "100 150");
    has_note("naive-time", 0);
}
END_TEST

/* A column a metric, and labels in columns beside them. Where a column that says whose a row is has a name that no
 * label has, the energy of what is left out is missed. */
START_TEST(a_column_a_metric)
{
    static const char labels[] = "timestamp,Hostname,gpu_id,DCGM_FI_DEV_POWER_USAGE,DCGM_FI_DEV_GPU_UTIL\n"
                                 "1770796800,n1,0,65.5,97\n1770796800,n1,1,75.5,96\n"
                                 "1770796815,n1,0,66.5,\n1770796815,n1,1,76.5,50\n";
    static const char other[] = "timestamp,minor,DCGM_FI_DEV_POWER_USAGE\n1770796800,0,65.5\n1770796800,1,75.5\n";
    static const char unknown[] = "timestamp,whose,DCGM_FI_DEV_POWER_USAGE\n"
                                  "1770796800,a,65.5\n1770796800,b,75.5\n1770796815,a,66.5\n1770796815,b,76.5\n";
    static const char instances[] = "timestamp,GPU_I_PROFILE,whose,DCGM_FI_DEV_POWER_USAGE\n"
                                    "1770796800,1g.5gb,a,65.5\n1770796800,1g.5gb,b,65.5\n"
                                    "1770796815,1g.5gb,a,66.5\n1770796815,1g.5gb,b,66.5\n";
    is_recognised(&ws_format_prometheus_csv, labels);
    read_ok(&ws_format_prometheus_csv, labels);
    has("gpu0", "DCGM_FI_DEV_POWER_USAGE", "65.5 66.5");
    has("gpu1", "DCGM_FI_DEV_POWER_USAGE", "75.5 76.5");
    has("gpu1", "DCGM_FI_DEV_GPU_UTIL", "0.96 0.5");
    has_note("duplicate-series", 0);
    has_note("shared-stamps", 0);
    read_ok(&ws_format_prometheus_csv, other);
    has("gpu0", "DCGM_FI_DEV_POWER_USAGE", "65.5");
    has("gpu1", "DCGM_FI_DEV_POWER_USAGE", "75.5");
    read_ok(&ws_format_prometheus_csv, unknown);
    has("gpu0", "DCGM_FI_DEV_POWER_USAGE", "65.5 66.5");
    has_note("shared-stamps", 2);
    read_ok(&ws_format_prometheus_csv, "timestamp,card,rocm_average_socket_power_watts\n1770796800,0,65.5\n"
                                       "1770796800,1,75.5\n1770796815,0,66.5\n1770796815,1,76.5\n");
    has("gpu1", "rocm_average_socket_power_watts", "75.5 76.5");
    has_note("shared-stamps", 0);
    read_ok(&ws_format_prometheus_csv, instances);
    has_note("duplicate-series", 2);
    has_note("shared-stamps", 0);
}
END_TEST

TEST_MAIN("exporters of Prometheus", a_column_a_series, a_row_a_reading, a_column_a_metric,
          rapl_and_hwmon_of_node_exporter, kepler_new_and_old, several_exporters_of_one_node, pages_by_their_own_clock,
          pages_below_dates, pages_with_stamps_of_samples, instances_in_a_page, counters_that_no_label_tells_apart,
          page_of_a_large_node, what_is_no_page)
