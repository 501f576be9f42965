/* Logs of boards, nodes and wall meters: tegrastats, ipmitool, PTDaemon, MLPerf's node power, turbostat. */
#include "reader_case.h"

extern const ws_format ws_format_tegrastats, ws_format_ipmi_sdr, ws_format_ipmi_dcmi, ws_format_ptdaemon,
    ws_format_mllog_power, ws_format_mllog_power_csv, ws_format_total_power, ws_format_turbostat, ws_format_generic_csv;

/* --- tegrastats --- */

#define TEGRA " RAM 2274/6834MB (lfb 27x4MB) SWAP 5/34MB (cached 2MB) CPU [99%@1189,off] EMC_FREQ 0% "

START_TEST(tegrastats_board_and_rails)
{
    static const char text[] =
        "02-11-2026 08:00:00" TEGRA "GR3D_FREQ 22% GPU@38C VDD_IN 5542mW/5500mW VDD_CPU_GPU_CV 1594mW/1500mW\n"
        "02-11-2026 08:00:01" TEGRA
        "GR3D_FREQ 39%@[305,0] GPU@38.5C VDD_IN 6000mW/5700mW VDD_CPU_GPU_CV 2000mW/1700mW\n";
    is_recognised(&ws_format_tegrastats, text);
    read_ok(&ws_format_tegrastats, text);
    const recorded *board = channel("node", "VDD_IN"), *rail = channel("VDD_CPU_GPU_CV", "VDD_CPU_GPU_CV");
    ck_assert_int_eq(board->channel.domain, WS_NODE);
    ck_assert_int_eq(rail->channel.domain, WS_OTHER); /* inside the board: nothing adds it */
    ck_assert_int_eq(board->t_ns[0], T0);             /* month first: 11 February */
    ck_assert_int_eq(board->t_ns[1], T0 + S);
    has("node", "VDD_IN", "5.542 6");
    has("gpu0", "GR3D_FREQ", "0.22 0.39");
    has("gpu0", "GPU", "38 38.5");
    has_note("naive-time", 1);
}
END_TEST

/* AGX Orin has no rail that feeds the board: what is neither GPU nor CPU is added to nothing. */
START_TEST(tegrastats_of_agx_orin)
{
    read_ok(&ws_format_tegrastats,
            "03-04-2026 08:00:00" TEGRA
            "GR3D_FREQ off VDD_GPU_SOC 5000mW/4900mW VDD_CPU_CV 2000mW/1900mW VIN_SYS_5V0 4000mW/3900mW\n"
            "03-04-2026 08:00:01" TEGRA
            "GR3D_FREQ 50% VDD_GPU_SOC 6000mW/4900mW VDD_CPU_CV 2500mW/1900mW VIN_SYS_5V0 4500mW/3900mW\n");
    has("gpu0", "VDD_GPU_SOC", "5 6");
    has("cpu0", "VDD_CPU_CV", "2 2.5");
    has("VIN_SYS_5V0", "VIN_SYS_5V0", "4 4.5");
    ck_assert_int_eq(channel("gpu0", "VDD_GPU_SOC")->channel.domain, WS_GPU);
    ck_assert_int_eq(channel("cpu0", "VDD_CPU_CV")->channel.domain, WS_CPU);
    ck_assert_int_eq(channel("VIN_SYS_5V0", NULL)->channel.domain, WS_OTHER);
    has("gpu0", "GR3D_FREQ", "0.5");                                       /* off is no 0 % */
    ck_assert_int_eq(channel("cpu0", NULL)->t_ns[0], T0 + 21 * 86400 * S); /* 4 March, although it could be 3 April */
    has_note("day-first", 0);
}
END_TEST

/* A rail whose reading is no number is missing there, and NC is no rail. */
/* JetPack 7 writes now, mean and maximum. */
START_TEST(tegrastats_with_maxima)
{
    read_ok(&ws_format_tegrastats,
            "03-04-2026 08:00:00" TEGRA "cpu@51.9C/52C GR3D_FREQ 32% gpu@47.125C/48C VDD_GPU_SOC 4385mW/3787mW/4390mW\n"
            "03-04-2026 08:00:01" TEGRA "cpu@51.9C/52C GR3D_FREQ 40% gpu@47.5C/48C VDD_GPU_SOC 5000mW/x/4390mW\n"
            "03-04-2026 08:00:02" TEGRA "cpu@51.9C/52C GR3D_FREQ 41% gpu@48C/48C VDD_GPU_SOC 5000mW/4000mW/\n"
            "03-04-2026 08:00:03" TEGRA "cpu@51.9C/52C GR3D_FREQ 42% gpu@48C/48C VDD_GPU_SOC 5000mW/4000mW/5000mW\n");
    has("gpu0", "VDD_GPU_SOC", "4.385 - - 5");
    has("gpu0", "gpu", "47.125 47.5 48 48");
    ck_assert_uint_eq(r.n, 3);
}
END_TEST

START_TEST(tegrastats_readings_that_are_none)
{
    read_ok(&ws_format_tegrastats, "03-04-2026 08:00:00" TEGRA "VDD_IN 5000mW/4900mW NC 0mW/0mW NC 0mW/0mW\n"
                                   "03-04-2026 08:00:01" TEGRA "VDD_IN nan/4900mW NC 0mW/0mW NC 0mW/0mW\n"
                                   "03-04-2026 08:00:02" TEGRA "VDD_IN 0x64mW/4900mW NC 0mW/0mW NC 0mW/0mW\n"
                                   "03-04-2026 08:00:03" TEGRA "VDD_IN 6000mW/4900mW NC 0mW/0mW NC 0mW/0mW\n");
    has("node", "VDD_IN", "5 - - 6");
    ck_assert_uint_eq(r.n, 1);
    has_note("unreadable-cell", 2);
    has_note("skipped-line", 0);
}
END_TEST

START_TEST(tegrastats_of_older_boards)
{
    static const char text[] = "RAM 1/2MB CPU [1%@100,off] GR3D_FREQ 0% VDD_IN 5542/5542 VDD_SYS_GPU 300/310\n"
                               "RAM 1/2MB CPU [1%@100,off] GR3D_FREQ 0% VDD_IN 5600/5550 VDD_SYS_GPU 320/310\n";
    ck_assert(read_case(&ws_format_tegrastats, "t", text, 2 * S) == WS_OK);
    has("node", "VDD_IN", "5.542 5.6");
    ck_assert_int_eq(channel("node", "VDD_IN")->t_ns[1], 2 * S);
    ck_assert_int_eq(channel("gpu0", "VDD_SYS_GPU")->channel.domain, WS_GPU);
    read_ok(&ws_format_tegrastats, text);
    ck_assert(!channel("node", "VDD_IN")->has_time);
}
END_TEST

START_TEST(tegrastats_cut_and_broken_lines)
{
    read_ok(&ws_format_tegrastats, "02-11-2026 08:00:00" TEGRA "VDD_IN 5542mW/5500mW\n"
                                   "13-45-2026 08:00:01" TEGRA "VDD_IN 5542mW/5500mW\n"
                                   "02-11-2026 08:00:02" TEGRA "\n"
                                   "02-11-2026 08:00:03" TEGRA "VDD_IN 5542mW/55");
    has("node", "VDD_IN", "5.542");
    has_note("bad-stamp", 1);
    has_note("skipped-line", 1);
    has_note("truncated-line", 1);
}
END_TEST

/* --- ipmitool --- */

START_TEST(sdr_supplies_are_the_node_together)
{
    static const char text[] = "Timestamp: 2026-02-11 08:00:00 UTC\n"
                               "Host Power       | 0x00              | ok\n"
                               "Ambient Temp     | 25 degrees C      | ok\n"
                               "PS1 Input Power  | 200 Watts         | ok\n"
                               "PS2 Input Power  | 210 Watts         | ok\n"
                               "Timestamp: 2026-02-11 08:01:00 UTC\n"
                               "PS1 Input Power  | no reading        | ns\n"
                               "PS2 Input Power  | 400 Watts         | ok\n";
    is_recognised(&ws_format_ipmi_sdr, text);
    read_ok(&ws_format_ipmi_sdr, text);
    has("node", "PS1 Input Power", "200 -");
    has("node1", "PS2 Input Power", "210 400");
    ck_assert_int_eq(channel("node", NULL)->channel.domain, WS_NODE);
    ck_assert_int_eq(channel("node1", NULL)->channel.domain, WS_NODE);
    ck_assert_int_eq(channel("node", NULL)->channel.time, WS_TIME_UTC);
    ck_assert_uint_eq(r.n, 2); /* a status word and a temperature are no powers */
}
END_TEST

START_TEST(sdr_supplies_beside_the_whole_system)
{
    read_ok(&ws_format_ipmi_sdr, "Timestamp: 2026-02-11 08:00:00 UTC\n"
                                 "PS1 Input Power  | 200 Watts  | ok\n"
                                 "Sys Power        | 390 Watts  | ok\n"
                                 "CPU Power        | 120 Watts  | ok\n");
    ck_assert_int_eq(channel("node", "Sys Power")->channel.domain, WS_NODE);
    ck_assert_int_eq(channel("PS1 Input Power", NULL)->channel.domain, WS_OTHER);
    ck_assert_int_eq(channel("cpu0", NULL)->channel.domain, WS_CPU);
    has_note("nested-sensor", 1);
}
END_TEST

/* Ten minutes of 500 W would come out shorter if a sensor that says nothing were passed over. */
START_TEST(sdr_sensors_that_stop)
{
#define AT(time, reading) "Timestamp: 2026-02-11 08:0" time ":00 UTC\nSys Power | " reading "\nFan1 | 3000 RPM | ok\n"
    read_ok(&ws_format_ipmi_sdr,
            AT("0", "500 Watts | ok") AT("1", "disabled | ns") AT("2", "Not Readable | ns") AT("3", "no reading | ns")
                AT("4", "1,500 Watts | ok") AT("5", "inf Watts | ok") AT("6", "5 Volts | ok"));
    has("node", "Sys Power", "500 - - - - -");
    has_note("unreadable-cell", 2);
    ck_assert_uint_eq(r.n, 1);
}
END_TEST

/* The same two rows by `sdr elist` and by `sensor`. */
START_TEST(sdr_of_more_columns)
{
    static const char elist[] = "Timestamp: 2026-02-11 08:00:00 UTC\n"
                                "Pwr Consumption  | 77h | ok  |  7.1 | 980 Watts\n"
                                "Inlet Temp       | 04h | ok  |  7.1 | 22 degrees C\n"
                                "PS1 Input Power  | 78h | ok  | 10.1 | 490 Watts\n"
                                "Timestamp: 2026-02-11 08:01:00 UTC\n"
                                "Pwr Consumption  | 77h | ns  |  7.1 | Disabled\n"
                                "PS1 Input Power  | 78h | ns  | 10.1 | No Reading\n";
#define LIMITS "| na | na | na | 1456.000 | 1570.000 | na"
    static const char sensor[] =
        "Timestamp: 2026-02-11 08:00:00 UTC\n"
        "Pwr Consumption  | 980.000    | Watts      | ok    " LIMITS "\nInlet Temp | 22.000 | degrees C | ok " LIMITS
        "\nPS1 Input Power  | 490.000    | Watts      | ok    " LIMITS "\nTimestamp: 2026-02-11 08:01:00 UTC\n"
        "Pwr Consumption  | na         | Watts      | na    " LIMITS "\nPS1 Input Power | na | Watts | na " LIMITS "\n";
    static const char *const texts[] = {elist, sensor};
    for (size_t i = 0; i < 2; i++) {
        is_recognised(&ws_format_ipmi_sdr, texts[i]);
        read_ok(&ws_format_ipmi_sdr, texts[i]);
        has("node", "Pwr Consumption", "980 -");
        has("PS1 Input Power", "PS1 Input Power", "490 -");
        ck_assert_uint_eq(r.n, 2);
        has_note("nested-sensor", 1);
    }
}
END_TEST

/* The stamp alone above the table, as date(1) or `date -Is` writes it, or in front of every row. */
START_TEST(sdr_stamps_without_a_label)
{
#define TABLE(before, in_front, watts)                                                                      \
    before in_front "Total_Power | " watts " Watts | ok\n" in_front "CPU_Power | 300 Watts | ok\n" in_front \
                    "PSU1_Input | 990 Watts | ok\n" in_front "CPU1 VR PMax | 800 Watts | ok\n"
    static const char *const texts[] = {
        TABLE("Wed Feb 11 08:00:00 UTC 2026\n", "", "1000") TABLE("Wed Feb 11 08:00:10 UTC 2026\n", "", "1010"),
        TABLE("2026-02-11T08:00:00+00:00\n", "", "1000") TABLE("2026-02-11T08:00:10+00:00\n", "", "1010"),
        TABLE("", "2026-02-11 08:00:00Z | ", "1000") TABLE("", "2026-02-11 08:00:10Z | ", "1010"),
        TABLE("", "2026-02-11 08:00:00Z,", "1000") TABLE("", "2026-02-11 08:00:10Z,", "1010")};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        is_recognised(&ws_format_ipmi_sdr, texts[i]);
        read_ok(&ws_format_ipmi_sdr, texts[i]);
        has("node", "Total_Power", "1000 1010");
        ck_assert_int_eq(channel("node", NULL)->channel.domain, WS_NODE);
        ck_assert_int_eq(channel("node", NULL)->t_ns[1], T0 + 10 * S);
        has("cpu0", "CPU_Power", "300 300");
        ck_assert_int_eq(channel("PSU1_Input", NULL)->channel.domain, WS_OTHER);
        ck_assert_int_eq(channel("CPU1 VR PMax", NULL)->channel.domain, WS_OTHER);
        ck_assert_uint_eq(r.n, 4);
        has_note("skipped-line", 0);
    }
}
END_TEST

START_TEST(sdr_days_without_a_reading_and_cut_tables)
{
    read_fails(&ws_format_ipmi_sdr, "Timestamp: 2026-02-11 08:00:00 UTC\nSys Power | no reading | ns\n", WS_DATA,
               "no sensor in Watts");
    read_ok(&ws_format_ipmi_sdr, "Timestamp: nonsense\nSys Power | 1 Watts | ok\n"
                                 "Timestamp: 2026-02-11 08:00:00 UTC\nSys Power | 310 Watts | ok\nSys Power | 31");
    has("node", "Sys Power", "310");
    has_note("bad-stamp", 1);
    has_note("truncated-line", 1);
}
END_TEST

START_TEST(dcmi_whole_and_in_one_line)
{
    static const char text[] = "    Instantaneous power reading:                  2310 Watts\n"
                               "    Average power reading over sample period:     9999 Watts\n"
                               "    IPMI timestamp:                           Wed Feb 11 08:00:00 2026\n"
                               "Instantaneous power reading: 2400 Watts  IPMI timestamp: Wed Feb 11 08:00:01 2026\n";
    is_recognised(&ws_format_ipmi_dcmi, text);
    read_ok(&ws_format_ipmi_dcmi, text);
    has("node", NULL, "2310 2400");
    ck_assert_int_eq(channel("node", NULL)->t_ns[0], T0);
    ck_assert_int_eq(channel("node", NULL)->t_ns[1], T0 + S);
}
END_TEST

/* As ipmitool 1.8.19 prints it in the locales en_US and C. 06:02:12 PM EDT is 22:02:12 UTC. */
START_TEST(dcmi_stamps_by_locale)
{
    read_ok(
        &ws_format_ipmi_dcmi,
        "    Instantaneous power reading:                  2064 Watts\n"
        "    IPMI timestamp:                           10/08/2026 06:02:12 PM EDT    Sampling period:               "
        "           00000005 Seconds.\n    Power reading state is:                   activated\n");
    has("node", NULL, "2064");
    ck_assert_int_eq(channel("node", NULL)->t_ns[0], 1791496932 * S);
    read_ok(&ws_format_ipmi_dcmi, "Instantaneous power reading: 240 Watts\nIPMI timestamp: 03/06/2025 07:40:35 UTC\n");
    ck_assert_int_eq(channel("node", NULL)->t_ns[0], 1741246835 * S);
    read_ok(&ws_format_ipmi_dcmi, "Instantaneous power reading: 240 Watts\nIPMI timestamp: 03/06/25 07:40:35 UTC\n");
    ck_assert_int_eq(channel("node", NULL)->t_ns[0], 1741246835 * S);
    read_ok(&ws_format_ipmi_dcmi, "Instantaneous power reading: 240 Watts\nIPMI timestamp: 06.03.2025 07:40:35 UTC\n");
    ck_assert_int_eq(channel("node", NULL)->t_ns[0], 1741246835 * S);
    has_note("bad-stamp", 0);
}
END_TEST

#define DCMI(watts, second, state)                                                      \
    "    Instantaneous power reading:                  " watts " Watts\n"               \
    "    IPMI timestamp:                           Wed Feb 11 08:00:0" second " 2026\n" \
    "    Sampling period:                          00000005 Seconds.\n"                 \
    "    Power reading state is:                   " state "\n\n"

/* A measurement that is switched off reads 0, which is no power; the last block is cut before it says so. */
START_TEST(dcmi_deactivated)
{
    read_ok(&ws_format_ipmi_dcmi,
            DCMI("240", "0", "activated") DCMI("0", "1", "deactivated") DCMI("0", "2", "deactivated")
                DCMI("250", "3", "activated") "Instantaneous power reading: 260 Watts\n"
                                              "IPMI timestamp: Wed Feb 11 08:00:04 2026\n");
    has("node", NULL, "240 - - 250 260");
    ck_assert_int_eq(channel("node", NULL)->t_ns[3], T0 + 3 * S);
    ck_assert_int_eq(channel("node", NULL)->t_ns[4], T0 + 4 * S);
    has_note("reading-deactivated", 2);
}
END_TEST

START_TEST(dcmi_without_stamps_and_cut)
{
    ck_assert(read_case(&ws_format_ipmi_dcmi, "t",
                        "Instantaneous power reading: 100 Watts\nInstantaneous power reading: 110 Watts\n"
                        "Instantaneous power reading: 12",
                        S) == WS_OK);
    has("node", NULL, "100 110");
    has_note("truncated-line", 1);
    read_ok(&ws_format_ipmi_dcmi, "Instantaneous power reading: 100 Watts\n"
                                  "Instantaneous power reading: x Watts IPMI timestamp: Wed Feb 11 08:00:00 2026\n"
                                  "Instantaneous power reading: 120 Watts IPMI timestamp: soon\n");
    has("node", NULL, "-");
    has_note("bad-stamp", 2);
    has_note("unreadable-cell", 1);
}
END_TEST

static void ck_times(const char *node, const char *watts, int64_t first_ns, int64_t step_ns)
{
    has(node, NULL, watts);
    for (size_t i = 0; i < channel(node, NULL)->n; i++)
        ck_assert_int_eq(channel(node, NULL)->t_ns[i], first_ns + (int64_t)i * step_ns);
    has_note("no-time", 0);
    has_note("bad-stamp", 0);
}

/* Loops write their own stamp. That of the BMC comes first. */
START_TEST(dcmi_stamps_of_a_loop)
{
    read_ok(&ws_format_ipmi_dcmi,
            "2026-02-11 08:00:00 |     Instantaneous power reading:                   100 Watts\n"
            "2026-02-11 08:00:01 |     Instantaneous power reading:                   110 Watts\n");
    ck_times("node", "100 110", T0, S);
    read_ok(&ws_format_ipmi_dcmi, "1770796800.5, Instantaneous power reading: 100 Watts\n"
                                  "1770796802.5, Instantaneous power reading: 110 Watts\n");
    ck_times("node", "100 110", T0 + S / 2, 2 * S);
    read_ok(&ws_format_ipmi_dcmi, "Wed Feb 11 08:00:00 UTC 2026\n    Instantaneous power reading:  100 Watts\n"
                                  "    Minimum during sampling period:  9 Watts\n\n"
                                  "Wed Feb 11 08:00:05 UTC 2026\n    Instantaneous power reading:  110 Watts\n");
    ck_times("node", "100 110", T0, 5 * S);
    read_ok(&ws_format_ipmi_dcmi, "2026-02-11 09:00:00 Instantaneous power reading: 100 Watts  IPMI timestamp: "
                                  "Wed Feb 11 08:00:00 2026\n");
    ck_times("node", "100", T0, S);
    read_ok(&ws_format_ipmi_dcmi, "2026-02-11 08:00:00 n7: Instantaneous power reading: 100 Watts\n");
    ck_assert_str_eq(r.channels[0].channel.node, "n7");
    ck_assert_int_eq(r.channels[0].t_ns[0], T0);
}
END_TEST

/* Two nodes behind their names, as pdsh and clush put them: 200 W and 300 W. In turns of lines they cannot be told
 * apart. */
START_TEST(dcmi_of_several_nodes)
{
#define DCMI_OF(node, watts, s) \
    node ": Instantaneous power reading: " watts " Watts  IPMI timestamp: Wed Feb 11 08:00:0" s " 2026\n"
    read_ok(&ws_format_ipmi_dcmi,
            DCMI_OF("n0", "200", "0") DCMI_OF("n1", "300", "0") DCMI_OF("n0", "210", "1") DCMI_OF("n1", "310", "1"));
    ck_assert_uint_eq(r.n, 2);
    ck_assert_str_eq(r.channels[0].channel.node, "n0");
    ck_assert_str_eq(r.channels[1].channel.node, "n1");
    ck_close(recorded_sum(&r.channels[0]), 410, 0, 0);
    ck_close(recorded_sum(&r.channels[1]), 610, 0, 0);
    read_fails(&ws_format_ipmi_dcmi,
               "n0: Instantaneous power reading: 200 Watts\nn1: Instantaneous power reading: 300 Watts\n"
               "n0: IPMI timestamp: Wed Feb 11 08:00:00 2026\n",
               WS_DATA, "no 'Instantaneous");
    has_note("bad-stamp", 1);
    has_note("mixed-lines", 1);
}
END_TEST

/* --- PTDaemon --- */

#define SPL(stamp, watts, mark) "Time," stamp ",Watts," watts ",Volts,230.1,Amps,0.3,PF,0.41,Mark," mark "\n"

START_TEST(ptdaemon_is_the_mean_of_intervals_by_mark)
{
    static const char text[] =
        SPL("02-10-2026 08:00:00.500", "100.5", "notset") SPL("02-11-2026 08:00:00.000", "110", "a_ranging")
            SPL("02-11-2026 08:00:01.000", "-1.0", "a_testing") SPL("02-13-2026 08:00:02.000", "120", "a_testing");
    is_recognised(&ws_format_ptdaemon, text);
    read_ok(&ws_format_ptdaemon, text);
    ck_assert_uint_eq(r.n, 3);
    ck_assert_str_eq(r.channels[0].channel.run, "");
    ck_assert_str_eq(r.channels[2].channel.run, "a_testing");
    ck_assert_int_eq(r.channels[0].channel.rule, WS_RULE_RECTANGLE);
    ck_assert_int_eq(r.channels[0].channel.domain, WS_WALL);
    ck_assert_int_eq(r.channels[1].t_ns[0], T0); /* the 13th says that the month comes first */
    ck_assert(isnan(r.channels[2].value[0]));    /* -1 is the meter's sign for no reading */
    has_note("failed-reading", 1);
    has_note("day-first", 0);
}
END_TEST

/* a - b - a: each reading holds for the second before it, and a failed one for that of the next. */
/* The header of a table of a plug-in meter begins with the same words. */
START_TEST(ptdaemon_has_a_stamp_behind_its_first_word)
{
    ck_assert_int_eq(
        ws_format_ptdaemon.score("t.csv", ws_span_of("Time,Watts,Volts,Amps\n05/02/2026 08:00:00,99.1,230,0.5\n")), 0);
    ck_assert_int_gt(ws_format_ptdaemon.score("t.csv", ws_span_of("Time,05-02-2026 08:00:00.1,Watts,99.1,Volts,230\n")),
                     0);
}
END_TEST

/* MLPerf's director names a mark by the day, the year in front: of 02-11 it is the one that fits. */
START_TEST(ptdaemon_has_its_date_in_the_mark)
{
    read_ok(&ws_format_ptdaemon, SPL("02-11-2026 08:00:00.000", "100", "2026-02-11_08-00-00_testing"));
    ck_assert_int_eq(r.channels[0].t_ns[0], T0);
    has_note("day-first", 0);
    read_ok(&ws_format_ptdaemon, SPL("11-02-2026 08:00:00.000", "100", "2026-02-11_08-00-00_testing"));
    ck_assert_int_eq(r.channels[0].t_ns[0], T0);
    has_note("day-first", 1);
    read_ok(&ws_format_ptdaemon, SPL("11-02-2026 08:00:00.000", "100", "2026-02-11_08-00-00_ranging")
                                     SPL("13-02-2026 08:00:00.000", "100", "2026-02-13_08-00-00_testing"));
    ck_assert_int_eq(r.channels[0].t_ns[0], T0);
    has_note("day-first", 0);
}
END_TEST

START_TEST(ptdaemon_marks_that_come_again)
{
    static const int64_t of_a[] = {0, S, -1, 2 * S},
                         of_b[] = {S, S}; /* -1: that of the failed reading counts nowhere */
    read_ok(&ws_format_ptdaemon,
            SPL("02-13-2026 08:00:00.000", "100", "a") SPL("02-13-2026 08:00:01.000", "100", "a")
                SPL("02-13-2026 08:00:02.000", "100", "b") SPL("02-13-2026 08:00:03.000", "100", "b")
                    SPL("02-13-2026 08:00:04.000", "-1", "a") SPL("02-13-2026 08:00:05.000", "100", "a"));
    ck_assert_uint_eq(r.n, 2);
    for (size_t i = 0; i < 2; i++)
        ck_assert_int_eq(r.channels[1].interval_ns[i], of_b[i]);
    for (size_t i = 0; i < 4; i++)
        ck_assert(of_a[i] == -1 || r.channels[0].interval_ns[i] == of_a[i]);
}
END_TEST

START_TEST(ptdaemon_day_first_doubt_and_cut)
{
    read_ok(&ws_format_ptdaemon, SPL("28-12-2025 08:00:00.000", "100", "m"));
    ck_assert_int_eq(r.channels[0].t_ns[0], T0 - 45 * 86400 * S);
    read_ok(&ws_format_ptdaemon, SPL("01-02-2026 08:00:00.000", "100", "m") "Time,01-02-2026 08:00:01.000,Watts,1");
    has_note("day-first", 1);
    has_note("truncated-line", 1);
    has("wall", "Watts", "100");
    read_ok(&ws_format_ptdaemon, SPL("02-13-2026 08:00:00.000", "100", "m") SPL("never", "100", "m") "prose\n");
    has_note("bad-stamp", 1);
    has_note("skipped-line", 1);
}
END_TEST

/* A mark that is cut is no run; the same as before, or with something behind it, it is whole. */
START_TEST(ptdaemon_cut_inside_a_mark)
{
    static const struct {
        const char *last;
        size_t runs, cut;
    } cases[] = {{"Mark,a_tes", 1, 1}, {"Mark,", 1, 1}, {"Mark,a_testing", 1, 0}, {"Mark,b_testing,Ch1,Watts,9", 2, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[400];
        snprintf(text, sizeof text, "%sTime,02-13-2026 08:00:01.000,Watts,110,%s",
                 SPL("02-13-2026 08:00:00.000", "100", "a_testing"), cases[i].last);
        read_ok(&ws_format_ptdaemon, text);
        ck_assert_msg(r.n == cases[i].runs, "%s: %zu", cases[i].last, r.n);
        has_note("truncated-line", cases[i].cut);
    }
}
END_TEST

/* Of a Windows that writes 16,79 for 16.79; where other numbers have a point a comma is none. */
START_TEST(ptdaemon_decimal_commas)
{
#define COMMAS(second, watts) \
    "Time,13-02-2026 08:00:0" second ".749,Watts," watts ",Volts,120,64,Amps,0,332,PF,0,41,Mark,m\n"
    static const char text[] = COMMAS("0", "16,79") COMMAS("1", "17") COMMAS("2", "1,000,5");
    is_recognised(&ws_format_ptdaemon, text);
    read_ok(&ws_format_ptdaemon, text);
    has("wall", "Watts", "16.79 17 -");
    ck_assert_str_eq(r.channels[0].channel.run, "m");
    has_note("decimal-comma", 1);
    has_note("unread-number", 1);
    read_ok(&ws_format_ptdaemon,
            SPL("02-13-2026 08:00:00.000", "999.5", "m") SPL("02-13-2026 08:00:01.000", "1,000", "m"));
    has("wall", "Watts", "999.5 -");
    has_note("unread-number", 1);
}
END_TEST

/* A line as an analyser of three channels writes it: 91.96 + 91.87 + 91.80 = 275.63 W. */
START_TEST(ptdaemon_of_several_channels)
{
#define THREE ",Ch1,Watts,91.96,Volts,120.9,Ch2,Watts,91.87,Volts,120.8,Ch3,Watts,91.80,Volts,120.7"
    static const char text[] = SPL("02-13-2026 08:00:00.000", "272.93", "notset" THREE)
        SPL("02-13-2026 08:00:01.000", "275.63", "notset" THREE);
    is_recognised(&ws_format_ptdaemon, text);
    read_ok(&ws_format_ptdaemon, text);
    has("wall", "Watts", "272.93 275.63");
    ck_assert_uint_eq(r.n, 1);
    has_note("channel-sum", 2);
}
END_TEST

/* --- MLPerf --- */

#define MLLOG(ms, key, value)                                                                     \
    ":::MLLOG {\"namespace\": \"\", \"time_ms\": " ms ", \"key\": \"" key "\", \"value\": " value \
    ", \"metadata\": \"\"}\n"

START_TEST(node_power_of_mlperf)
{
    static const char text[] = MLLOG("1770796800000", "power_measurement_start", "\"null\"")
        MLLOG("1770796800000", "power_reading",
              "2795") " 0: " MLLOG("1770796802000", "power_reading",
                                   "\"2800\"") "+ echo shell trace\n" MLLOG("1770796804000", "power_reading", "null");
    is_recognised(&ws_format_mllog_power, text);
    ck_assert(read_case(&ws_format_mllog_power, "power/node_7.txt", text, 0) == WS_OK);
    has("node", "power_reading", "2795 2800 -");
    ck_assert_str_eq(channel("node", NULL)->channel.node, "node_7");
    ck_assert_int_eq(channel("node", NULL)->t_ns[1], T0 + 2 * S);
    has_note("unreadable-cell", 1);
}
END_TEST

START_TEST(node_power_broken)
{
    read_ok(&ws_format_mllog_power, MLLOG("1770796800000", "power_reading", "2795") MLLOG(
                                        "\"x\"", "power_reading",
                                        "1") ":::MLLOG {\"time_ms\": 1770796801000, \"key\": \"power_reading\", \"val");
    has("node", NULL, "2795");
    has_note("bad-line", 1);
    has_note("truncated-line", 1);
    read_fails(&ws_format_mllog_power, MLLOG("1770796800000", "seed", "1"), WS_DATA, "no readings");
}
END_TEST

START_TEST(node_power_as_a_table)
{
    static const char text[] = "time_ms,key,value\n1770796800000,power_measurement_start,null\n"
                               "1770796800000,power_reading,2795\n1770796802000,power_reading,null\nx,power_reading,1\n"
                               "1770796804000,power_reading,28";
    is_recognised(&ws_format_mllog_power_csv, text);
    ck_assert(read_case(&ws_format_mllog_power_csv, "node_3.csv", text, 0) == WS_OK);
    has("node", "power_reading", "2795 -");
    ck_assert_str_eq(channel("node", NULL)->channel.node, "node_3");
    has_note("bad-stamp", 1);
    has_note("truncated-line", 1);
    read_fails(&ws_format_mllog_power_csv, "time_ms,key,value\n", WS_DATA, "no readings");
    /* events of another program, without a reading */
    static const char others[] = "time_ms,key,value\n1770796800220,loss,2.5\n1770796801220,loss,2.4\n";
    ck_assert_int_eq(ws_format_mllog_power_csv.score("t", ws_span_of(others)), 0);
}
END_TEST

START_TEST(estimates_and_totals_are_added_nowhere)
{
    read_ok(&ws_format_mllog_power, MLLOG("1770796800000", "interconnect_power_est", "16100"));
    ck_assert_int_eq(r.channels[0].channel.domain, WS_OTHER);
    is_recognised(&ws_format_total_power, "Total Power Usage: 10.57 kWh\n");
    read_ok(&ws_format_total_power, "Total Power Usage: 10.5 kWh\n");
    has("total", NULL, "37800000");
    ck_assert_int_eq(channel("total", NULL)->channel.domain, WS_OTHER);
    ck_assert_int_eq(channel("total", NULL)->channel.rule, WS_RULE_GIVEN);
    read_fails(&ws_format_total_power, "Total Power Usage: 10.5 kW", WS_DATA, "no line");
}
END_TEST

/* --- turbostat --- */

#define TURBO_HEAD "Core\tCPU\tAvg_MHz\tBusy%\tPkgTmp\tPkgWatt\tCorWatt\tRAMWatt\n"

START_TEST(turbostat_takes_the_summary_rows)
{
    static const char text[] =
        "turbostat version 1 - somebody\nCPUID(0): words 0x16\n" TURBO_HEAD
        "-\t-\t51\t4.50\t50\t3.5\t1.0\t1.25\n0\t0\t60\t4.5\t50\t3.5\t1.0\t1.25\n0\t1\t60\t4.5\n" TURBO_HEAD
        "-\t-\t52\t5.50\t51\t4.5\t2.0\t1.5\n0\t0\t60\t4.5\t50\t4.5\t2.0\t1.5\n";
    is_recognised(&ws_format_turbostat, text);
    ck_assert(read_case(&ws_format_turbostat, "t", text, 60 * S) == WS_OK);
    has("cpu0", "PkgWatt", "3.5 4.5");
    has("core", "CorWatt", "1 2");
    has("dram0", "RAMWatt", "1.25 1.5");
    const recorded *package = channel("cpu0", "PkgWatt");
    ck_assert_int_eq(package->channel.rule, WS_RULE_RECTANGLE);
    ck_assert_int_eq(package->interval_ns[0], 60 * S); /* each row holds a whole period, the first too */
    ck_assert_int_eq(channel("core", NULL)->channel.domain, WS_CPU_CORE);
    ck_assert_uint_eq(r.notes.n, 0);
}
END_TEST

/* Without the row that sums up there is none to take: rows of cores repeat parts. */
START_TEST(turbostat_without_the_summary)
{
    read_fails(&ws_format_turbostat, TURBO_HEAD "0\t0\t60\t4.5\t50\t3.5\t1.0\t1.25\n", WS_DATA, "no row of dashes");
}
END_TEST

/* Two packages of 10 W and 20 W: the row of dashes has both, and graphics and cores lie inside. */
START_TEST(turbostat_of_two_packages)
{
    ck_assert(read_case(&ws_format_turbostat, "t",
                        "Package\tCore\tCPU\tAvg_MHz\tBusy%\tPkgWatt\tCorWatt\tGFXWatt\tRAMWatt\n"
                        "-\t-\t-\t50\t5.00\t30\t12\t2\t3\n0\t0\t0\t50\t5.00\t10\t4\t2\t1\n0\t0\t4\t50\t5.00\n"
                        "1\t0\t1\t50\t5.00\t20\t8\t0\t2\n",
                        5 * S) == WS_OK);
    has("cpu0", "PkgWatt", "30");
    has("dram0", "RAMWatt", "3");
    ck_assert_int_eq(channel("gfx", NULL)->channel.domain, WS_CPU_GFX);
    ck_assert_int_eq(channel("core", NULL)->channel.domain, WS_CPU_CORE);
    ck_assert_ptr_null(recorder_find(&r, "cpu1", NULL));
}
END_TEST

START_TEST(turbostat_with_time_joules_and_other_columns)
{
    read_ok(&ws_format_turbostat, "Time_Of_Day_Seconds\tCPU\tAvg_MHz\tBusy%\tPkg_J\n"
                                  "1770796800.5\t-\t51\t4.5\t210\n1770796801.5\t-\t51\t4.5\t211\n"
                                  "Time_Of_Day_Seconds\tCPU\tAvg_MHz\tBusy%\tPkg_J\tRAM_J\n"
                                  "1770796802.5\t-\t51\t4.5\t212\t7\nxx\t-\t51\t4.5\t213\t8\n1770796803.5\t-\t51\t4.");
    has("cpu0", "Pkg_J", "210 211 212");
    ck_assert_int_eq(channel("cpu0", "Pkg_J")->channel.quantity, WS_ENERGY_INTERVAL);
    ck_assert_int_eq(channel("cpu0", "Pkg_J")->t_ns[0], T0 + S / 2);
    has("dram0", "RAM_J", "7");
    has_note("changed-header", 1);
    has_note("bad-stamp", 1);
    has_note("truncated-line", 1);
    read_ok(&ws_format_turbostat, "Avg_MHz\tBusy%\tPkgWatt\n51\t4.5\t3.5\n"); /* turbostat -S */
    has("cpu0", "PkgWatt", "3.5");
    ck_assert(!channel("cpu0", "PkgWatt")->has_time);
    static const char chosen[] = "usec\tTime_Of_Day_Seconds\tCPU\tPkgWatt\n" /* turbostat --show */
                                 "55\t1770796800.5\t-\t3.5\n5\t1770796800.5\t0\t3.5\n5\t1770796800.5\t1\n"
                                 "56\t1770796801.5\t-\t4.5\n";
    is_recognised(&ws_format_turbostat, chosen);
    read_ok(&ws_format_turbostat, chosen);
    has("cpu0", "PkgWatt", "3.5 4.5");
    ck_assert_int_eq(channel("cpu0", "PkgWatt")->t_ns[1], T0 + S + S / 2);
}
END_TEST

/* --- wall meters --- */

START_TEST(wall_meters)
{
    read_ok(&ws_format_generic_csv, "DateTime;Voltage/V;Current/A;Actual Consumption/W;Apparent Consumption/W\n"
                                    "11/02/2026 08:00;230.1;0.0;0.0000;0.0\n13/02/2026 08:01;230.0;0.2;34.3678;47.7\n");
    has("wall", "Actual Consumption/W", "0 34.3678"); /* zero before the plug went in is a reading */
    ck_assert_int_eq(channel("wall", NULL)->t_ns[0], T0);
    ck_assert_ptr_null(recorder_find(&r, NULL, "Apparent Consumption/W"));
    read_ok(&ws_format_generic_csv, "timestamp,n1_watts,n2_watts,total_watts\n2026-02-11T08:00:00,100,200,300\n"
                                    "2026-02-11T08:00:11,110,0,110\n");
    ck_assert_int_eq(recorder_find(&r, NULL, "n1_watts")->channel.domain, WS_NODE);
    ck_assert_int_eq(recorder_find(&r, NULL, "total_watts")->channel.domain, WS_OTHER);
    has_note("total-column", 1);
}
END_TEST

TEST_MAIN("node logs", tegrastats_readings_that_are_none, tegrastats_board_and_rails, tegrastats_of_agx_orin,
          tegrastats_with_maxima, tegrastats_of_older_boards, tegrastats_cut_and_broken_lines,
          sdr_supplies_are_the_node_together, sdr_supplies_beside_the_whole_system,
          sdr_days_without_a_reading_and_cut_tables, dcmi_whole_and_in_one_line, dcmi_stamps_by_locale,
          dcmi_deactivated, dcmi_of_several_nodes, sdr_sensors_that_stop, sdr_of_more_columns,
          sdr_stamps_without_a_label, dcmi_stamps_of_a_loop, dcmi_without_stamps_and_cut,
          ptdaemon_is_the_mean_of_intervals_by_mark, ptdaemon_has_a_stamp_behind_its_first_word,
          ptdaemon_has_its_date_in_the_mark, ptdaemon_marks_that_come_again, ptdaemon_decimal_commas,
          ptdaemon_day_first_doubt_and_cut, ptdaemon_cut_inside_a_mark, ptdaemon_of_several_channels,
          node_power_of_mlperf, node_power_broken, node_power_as_a_table, estimates_and_totals_are_added_nowhere,
          turbostat_takes_the_summary_rows, turbostat_of_two_packages, turbostat_without_the_summary,
          turbostat_with_time_joules_and_other_columns, wall_meters)
