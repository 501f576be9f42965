/* Cray's pm_counters as raw lines. Numbers known by hand. */
#include "reader_case.h"

extern const ws_format ws_format_pm_counters;

static const char power_lines[] = "316 W 1770796800000000 us\n316 W 1770796800000000 us\n318 W 1770796801500000 us\n";

static void read_called(const char *name, const char *text)
{
    ws_status status = read_case(&ws_format_pm_counters, name, text, 0);
    ck_assert_msg(status == WS_OK, "%s", r.error.message);
}

/* The name of the log says which counter it is. */
START_TEST(logs_by_name)
{
    static const struct {
        const char *name, *device;
        ws_domain domain;
    } cases[] = {{"run/power", "node", WS_NODE},         {"node_power.txt", "node", WS_NODE},
                 {"CRAYPM_pwr_3.txt", "node", WS_NODE},  {"gpu2_power.txt", "gpu2", WS_GPU},
                 {"CRAYPM_accl1_3.txt", "gpu1", WS_GPU}, {"accel0_power", "gpu0", WS_GPU},
                 {"x_cpu_power", "cpu0", WS_CPU},        {"cpu3_power.txt", "cpu3", WS_CPU},
                 {"memory_power.log", "dram0", WS_DRAM}, {"job17_node_power", "node", WS_NODE}};
    is_recognised(&ws_format_pm_counters, power_lines);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        read_called(cases[i].name, power_lines);
        has(cases[i].device, NULL, "316 316 318");
        ck_assert_msg(r.channels[0].channel.domain == cases[i].domain, "%s", cases[i].name);
        ck_assert_int_eq(r.channels[0].t_ns[2], T0 + 3 * S / 2);
        ck_assert_int_eq(r.channels[0].channel.time, WS_TIME_UTC);
        ck_assert_uint_eq(r.notes.n, 0);
    }
    read_called("log.txt", power_lines);
    has("node", NULL, "316 316 318");
    has_note("assumed-domain", 1);
    read_called("gpu0_energy.txt", "700 J 1770796800000000 us\n950 J 1770796801000000 us\n");
    has("gpu0", NULL, "700 950");
    ck_assert_int_eq(channel("gpu0", NULL)->channel.quantity, WS_ENERGY_COUNTER);
}
END_TEST

/* grep . /sys/cray/pm_counters/...: whole and parts in one file, sums of parts apart. */
START_TEST(lines_with_names)
{
    static const char text[] = "/sys/cray/pm_counters/accel0_power:250 W 1770796800000001 us\n"
                               "/sys/cray/pm_counters/accel0_power_cap:560 W 1770796800000001 us\n"
                               "/sys/cray/pm_counters/accel1_power:300 W 1770796800000002 us\n"
                               "/sys/cray/pm_counters/cpu0_power:60 W 1770796800000002 us\n"
                               "/sys/cray/pm_counters/cpu1_power:40 W 1770796800000002 us\n"
                               "/sys/cray/pm_counters/cpu1_temp:54 C 1770796800000002 us\n"
                               "/sys/cray/pm_counters/cpu_power:100 W 1770796800000002 us\n"
                               "/sys/cray/pm_counters/energy:5000 J 1770796800000003 us\n"
                               "/sys/cray/pm_counters/freshness:123\n"
                               "/sys/cray/pm_counters/power:1000 W 1770796800000003 us\n"
                               "/sys/cray/pm_counters/power:1001 W 17707968";
    is_recognised(&ws_format_pm_counters, text);
    read_ok(&ws_format_pm_counters, text);
    has("gpu0", NULL, "250");
    has("gpu1", NULL, "300");
    has("cpu0", NULL, "60");
    has("cpu1", NULL, "40");
    has("node", "energy", "5000");
    has("node", "power", "1000");
    ck_assert_int_eq(recorder_find(&r, NULL, "cpu_power")->channel.domain, WS_OTHER);
    ck_assert_ptr_null(recorder_find(&r, NULL, "accel0_power_cap"));
    has_note("truncated-line", 1);
    has_note("skipped-line", 0);
}
END_TEST

START_TEST(lines_below_names)
{
    static const char text[] = "==> /sys/cray/pm_counters/power <==\n1000 W 1770796800000000 us\n\n"
                               "==> /sys/cray/pm_counters/memory_energy <==\n70 J 1770796800000000 us\n";
    is_recognised(&ws_format_pm_counters, text);
    read_ok(&ws_format_pm_counters, text);
    has("node", NULL, "1000");
    has("dram0", NULL, "70");
}
END_TEST

/* cat of all counters into one log does not say which is which: a guess would be of several devices in one. */
START_TEST(nameless_lines_of_several_counters)
{
    read_fails(&ws_format_pm_counters, "250 W 1770796800000001 us\n300 W 1770796800000001 us\n", WS_FORMAT, "grep .");
    read_fails(&ws_format_pm_counters, "250 W 1770796800000001 us\n300 W 1770796800030000 us\n", WS_FORMAT, "t.log:2:");
    read_called("node.log", "1000 W 1770796800000001 us\n5000 J 1770796800000001 us\n1010 W 1770796800100001 us\n"
                            "5101 J 1770796800100001 us\n");
    has("node", "node", "1000 1010");
}
END_TEST

START_TEST(what_is_no_counter)
{
    ck_assert_int_eq(ws_format_pm_counters.score("t", ws_span_of("took 5 W 12 us\n")), 0);
    ck_assert_int_eq(ws_format_pm_counters.score("t", ws_span_of("12 J 1770796800 us\n")), 0);
    ck_assert_int_eq(ws_format_pm_counters.score("t", ws_span_of("a log\n316 W 1770796800000000 us\n")), 0);
    read_called("power", "316 W 1770796800000000 us\ncat: power: No such file\n317 W 1770796801000000 us\n");
    has("node", NULL, "316 317");
    has_note("skipped-line", 1);
}
END_TEST

TEST_MAIN("pm_counters", logs_by_name, lines_with_names, lines_below_names, nameless_lines_of_several_counters,
          what_is_no_counter)
