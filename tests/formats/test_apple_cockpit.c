/* powermetrics of macOS, as text and property lists, and the job archive of ClusterCockpit. Numbers known by hand. */
#include "reader_case.h"

extern const ws_format ws_format_powermetrics, ws_format_powermetrics_plist, ws_format_clustercockpit;

/* --- powermetrics --- */

#define SAMPLE(second, ms, cpu, gpu)                                                                     \
    "\n*** Sampled system activity (Wed Feb 11 09:00:0" second " 2026 +0100) (" ms "ms elapsed) ***\n\n" \
    "**** Processor usage ****\n\nE-Cluster HW active frequency: 1049 MHz\nE-Cluster Power: 100 mW\n\n"  \
    "CPU Power: " cpu " mW\nGPU Power: " gpu " mW\nANE Power: 0 mW\n"                                    \
    "Combined Power (CPU + GPU + ANE): 1500 mW\n\n**** GPU usage ****\n\n"                               \
    "GPU HW active frequency: 444 MHz\n"                                                                 \
    "GPU HW active residency:   5.00% (444 MHz: 4.1% 612 MHz:   0%)\nGPU Power: " gpu " mW\n"

START_TEST(samples_of_apple_silicon)
{
    static const char text[] =
        "Machine model: Mac14,9\n" SAMPLE("1", "1010.00", "500", "250") SAMPLE("2", "990.00", "1000", "2000");
    is_recognised(&ws_format_powermetrics, text);
    read_ok(&ws_format_powermetrics, text);
    has("cpu0", NULL, "0.5 1");
    has("gpu0", "GPU Power", "0.25 2"); /* printed twice, read once */
    has("gpu0", "GPU active residency", "0.05 0.05");
    has("psys", NULL, "1.5 1.5");
    const recorded *cpu = channel("cpu0", NULL);
    ck_assert_int_eq(cpu->channel.rule, WS_RULE_RECTANGLE);
    ck_assert_int_eq(cpu->interval_ns[0], 1010 * S / 1000);
    ck_assert_int_eq(cpu->t_ns[0], T0 + S);
    ck_assert_int_eq(cpu->channel.time, WS_TIME_UTC);
    ck_assert_int_eq(recorder_find(&r, NULL, "ANE Power")->channel.domain, WS_OTHER);
    ck_assert_uint_eq(r.n, 5);
    ck_assert_uint_eq(r.notes.n, 0);
}
END_TEST

START_TEST(samples_of_intel_macs)
{
    static const char text[] =
        "*** Sampled system activity (Wed Feb 11 09:00:01 2026 +0100) (1001.02ms elapsed) ***\n\n"
        "Intel energy model derived package power (CPUs+GT+SA): 12.39W\n\nLLC flushed residency: 12.5%\n";
    is_recognised(&ws_format_powermetrics, text);
    read_ok(&ws_format_powermetrics, text);
    has("cpu0", NULL, "12.39");
    ck_assert_int_eq(channel("cpu0", NULL)->interval_ns[0], 1001020000);
    read_fails(&ws_format_powermetrics,
               "*** Sampled system activity (Wed Feb 11 09:00:01 2026 +0100) (1001.02ms elapsed) ***\n", WS_DATA,
               "no sample");
}
END_TEST

#define PLIST(second, cpu, gpu)                                                                                   \
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" \"x\">\n" \
    "<plist version=\"1.0\">\n<dict>\n<key>is_delta</key><true/>\n"                                               \
    "<key>elapsed_ns</key><integer>1000000000</integer>\n"                                                        \
    "<key>timestamp</key><date>2026-02-11T08:00:0" second "Z</date>\n<key>processor</key>\n<dict>\n"              \
    "\t<key>clusters</key>\n"                                                                                     \
    "\t<array><dict><key>idle_ratio</key><real>0.9</real><key>power</key><real>3</real></dict></array>\n"         \
    "\t<key>cpu_power</key>\n\t<real>" cpu "</real>\n\t<key>gpu_power</key><real>" gpu "</real>\n"                \
    "\t<key>combined_power</key><real>2500.0</real>\n</dict>\n"                                                   \
    "<key>gpu</key><dict><key>dvfm_states</key><array><dict><key>idle_ratio</key><real>0.1</real></dict></array>" \
    "<key>idle_ratio</key><real>0.75</real></dict>\n</dict>\n</plist>\n"

START_TEST(property_lists)
{
    static const char text[] = PLIST("1", "1500", "250") PLIST(
        "2", "2000", "500") "<plist version=\"1.0\"><dict><key>processor</key><dict><key>cpu_power</key><real>5</real>";
    is_recognised(&ws_format_powermetrics_plist, text);
    read_ok(&ws_format_powermetrics_plist, text);
    has("cpu0", NULL, "1.5 2");
    has("gpu0", "GPU Power", "0.25 0.5");
    has("gpu0", "GPU active residency", "0.25 0.25");
    has("psys", NULL, "2.5 2.5");
    ck_assert_int_eq(channel("cpu0", NULL)->t_ns[1], T0 + 2 * S);
    ck_assert_int_eq(channel("cpu0", NULL)->interval_ns[0], S);
    has_note("truncated-document", 1);
}
END_TEST

/* As the tool writes them, with a zero byte between. */
START_TEST(property_lists_with_zero_bytes)
{
    static const char first[] = PLIST("1", "1000", "200"), second[] = PLIST("2", "2000", "210");
    char text[sizeof first + sizeof second];
    memcpy(text, first, sizeof first); /* its end is the zero byte */
    memcpy(text + sizeof first, second, sizeof second - 1);
    size_t n = sizeof first + sizeof second - 1;
    ws_input *input = ws_input_from_memory("t", text, n);
    ck_assert_ptr_eq(ws_format_recognise(input, NULL), &ws_format_powermetrics_plist);
    recorder_free(&r);
    ck_assert_int_eq(recorder_read_input(&r, &ws_format_powermetrics_plist, input, NULL), WS_OK);
    has("cpu0", NULL, "1 2");
}
END_TEST

/* --- ClusterCockpit --- */

#define SERIES(host, id, data)                   \
    "{\"hostname\": \"" host "\", \"id\": \"" id \
    "\", \"statistics\": {\"avg\": 1, \"min\": 0, \"max\": 2}, \"data\": [" data "]}"
#define METRIC_OF(where, unit, step, series) \
    "\"" where "\": {\"unit\": " unit ", \"timestep\": " step ", \"series\": [" series "]}"
#define WATTS "{\"base\": \"W\"}"
#define JOIN_2(a, b) a "," b

START_TEST(archive_of_a_job)
{
    static const char flops[] =
        METRIC_OF("node", "{\"base\": \"F/s\", \"prefix\": \"G\"}", "60", "{\"hostname\": \"n1\", \"data\": [1]}");
    static const char gpus[] = METRIC_OF(
        "accelerator", WATTS, "60",
        JOIN_2(SERIES("n1", "00000000:17:00.0", "250, null, 252"), SERIES("n2", "00000000:17:00.0", "300, 300, 300")));
    static const char gpus_of_node[] = METRIC_OF("node", WATTS, "60", SERIES("n1", "", "250, 0, 252"));
    static const char node[] = METRIC_OF("node", WATTS, "60", SERIES("n1", "", "180, 181, 182"));
    static const char sockets[] =
        METRIC_OF("socket", WATTS, "60", JOIN_2(SERIES("n1", "0", "100, 101, 102"), SERIES("n1", "1", "80, 80, 80")));
    static const char memory[] = METRIC_OF("node", "\"kW\"", "30", SERIES("n1", "", "0.02, 0.02"));
    char text[4096];
    snprintf(text, sizeof text,
             "{\"flops_any\": {%s}, \"acc_power\": {%s, %s}, \"cpu_power\": {%s, %s}, \"mem_power\": {%s}}", flops,
             gpus, gpus_of_node, node, sockets, memory);
    is_recognised(&ws_format_clustercockpit, text);
    read_ok(&ws_format_clustercockpit, text);
    ck_assert_uint_eq(r.n, 5); /* the reading of the node beside its parts is their sum */
    has("gpu0", NULL, "250 - 252");
    has("cpu0", NULL, "100 101 102");
    has("cpu1", NULL, "80 80 80");
    has("dram0", NULL, "20 20");
    ck_assert_str_eq(r.channels[1].channel.node, "n2");
    ck_assert_int_eq(channel("cpu0", NULL)->t_ns[2], 120 * S);
    ck_assert_int_eq(channel("dram0", NULL)->t_ns[1], 30 * S);
    ck_assert_int_eq(channel("cpu0", NULL)->channel.time, WS_TIME_RELATIVE);
    ck_assert_uint_eq(r.notes.n, 0);
}
END_TEST

START_TEST(archive_with_sums_alone)
{
    read_ok(&ws_format_clustercockpit,
            "{\"acc_power\": {\"node\": {\"unit\": {\"base\": \"W\"}, \"timestep\": 60, \"series\": [" SERIES(
                "n1", "",
                "900, 910") "]}},"
                            " \"node_power\": {\"node\": {\"timestep\": 60, \"series\": [" SERIES(
                                "n1", "",
                                "1500, 1510") "]}},"
                                              " \"ipmi_power\": {\"node\": {\"timestep\": 60, \"series\": [" SERIES(
                                                  "n1", "", "1600, 1610") "]}}}");
    has("gpu0", NULL, "900 910");
    has("node", NULL, "1500 1510");
    has_note("assumed-device", 1);
    has_note("measured-twice", 1);
    read_fails(&ws_format_clustercockpit,
               "{\"flops_any\": {\"node\": {\"timestep\": 60, \"series\": [{\"hostname\": \"n1\", \"data\": [1]}]}}}",
               WS_DATA, "no series");
    read_fails(&ws_format_clustercockpit,
               "{\"acc_power\": {\"node\": {\"timestep\": 0, \"series\": [" SERIES("n1", "", "9") "]}}}", WS_DATA,
               "no series");
}
END_TEST

TEST_MAIN("powermetrics and ClusterCockpit", samples_of_apple_silicon, samples_of_intel_macs, property_lists,
          property_lists_with_zero_bytes, archive_of_a_job, archive_with_sums_alone)
