/* Intel PCM, Alumet and GEOPM: tables of energies. Heads and names as the tools' sources write them, numbers known by
 * hand. */
#include "reader_case.h"

extern const ws_format ws_format_pcm_csv, ws_format_alumet_csv, ws_format_geopm_trace, ws_format_geopm_report;

/* --- Intel PCM --- */

#define PCM_GROUPS                                                                                         \
    "System,System,System,System,System Pack C-States,System Pack C-States,Socket 0,Proc Energy (Joules)," \
    "Proc Energy (Joules),DRAM Energy (Joules),DRAM Energy (Joules),LLCRDMISSLAT (ns),\n"
#define PCM_NAMES "Date,Time,EXEC,READ,Proc Energy (Joules),DRAM Energy (Joules),TEMP,SKT0,SKT1,SKT0,SKT1,SKT0,\n"

START_TEST(pcm_energies_of_sockets)
{
    static const char text[] =
        PCM_GROUPS PCM_NAMES "2026-02-11,08:00:01.000,0.021,1.5,101.5,20.25,55,60.5,41,12.25,8,93.5,\n"
                             "2026-02-11,08:00:02.000,0.022,1.5,104,N/A,56,62,42,N/A,9,94.5\n"
                             "2026-02-11,08:00:03.000,0.022,1.5,104,20,56,6";
    is_recognised(&ws_format_pcm_csv, text);
    read_ok(&ws_format_pcm_csv, text);
    has("cpu0", NULL, "60.5 62");
    has("cpu1", NULL, "41 42");
    has("dram0", NULL, "12.25 -");
    has("dram1", NULL, "8 9");
    ck_assert_uint_eq(r.n, 4); /* the system's are the sums of these */
    ck_assert_int_eq(channel("cpu0", NULL)->channel.rule, WS_RULE_INTERVAL);
    ck_assert_int_eq(channel("cpu0", NULL)->t_ns[1], T0 + 2 * S);
    ck_assert_str_eq(channel("cpu1", NULL)->channel.column, "Proc Energy (Joules)/SKT1");
    ck_assert_str_eq(channel("dram1", NULL)->channel.device_id, "1");
    has_note("truncated-line", 1);
    has_note("naive-time", 1);
}
END_TEST

START_TEST(pcm_of_the_system_alone)
{
    read_ok(&ws_format_pcm_csv,
            "System,,,System Pack C-States\nDate,Time,EXEC,Proc Energy (Joules),DRAM Energy (Joules)\n"
            "2026-02-11,08:00:01.000,0.021,101.5,20.25\n2026-02-11,08:00:02.000,0.021,102.5,21.25\n");
    has("cpu0", NULL, "101.5 102.5");
    has("dram0", NULL, "20.25 21.25");
    /* older: semicolons, and a group's name over its first column alone */
    static const char older[] =
        "System;;;;Proc Energy (Joules);;DRAM Energy (Joules);\nDate;Time;EXEC;READ;SKT0;SKT1;SKT0;SKT1\n"
        "2026-02-11;08:00:01.500;0.1;1;10;20;1;2\n";
    is_recognised(&ws_format_pcm_csv, older);
    read_ok(&ws_format_pcm_csv, older);
    has("cpu1", NULL, "20");
    has("dram0", NULL, "1");
    ck_assert_int_eq(channel("dram0", NULL)->t_ns[0], T0 + 3 * S / 2);
    ck_assert_int_eq(ws_format_pcm_csv.score("t", ws_span_of("Date,Time,EXEC,IPC\n2026-02-11,08:00:00,1,2\n")), 0);
}
END_TEST

/* --- Alumet --- */

START_TEST(alumet_attributes_in_columns)
{
    static const char text[] =
        "metric;timestamp;value;resource_kind;resource_id;consumer_kind;consumer_id;domain;__late_attributes\n"
        "rapl_consumed_energy_J;2026-02-11T08:00:01.000734289Z;55.25;cpu_package;0;local_machine;;package;\n"
        "rapl_consumed_energy_J;2026-02-11T08:00:01.000734289Z;44;cpu_package;1;local_machine;;package;\n"
        "rapl_consumed_energy_J;2026-02-11T08:00:01.000734289Z;5;dram;0;local_machine;;dram;\n"
        "rapl_consumed_energy_J;2026-02-11T08:00:01.000734289Z;20;cpu_package;0;local_machine;;pp0;\n"
        "rapl_consumed_energy_J;2026-02-11T08:00:01.000734289Z;99.25;local_machine;;local_machine;;package_total;\n"
        "rapl_consumed_energy_J;2026-02-11T08:00:01.000734289Z;150;local_machine;;local_machine;;platform;\n"
        "attributed_energy_J;2026-02-11T08:00:01.000734289Z;3;cpu_package;0;process;4711;package;\n"
        "nvml_energy_consumption_mJ;2026-02-11T08:00:01.000734289Z;250000;gpu;00000000:17:00.0;local_machine;;;\n"
        "nvml_instant_power_mW;2026-02-11T08:00:01.000734289Z;252000;gpu;00000000:17:00.0;local_machine;;;\n"
        "mem_free_kB;2026-02-11T08:00:01.000734289Z;2673487872;local_machine;;local_machine;;;\n"
        "rapl_consumed_energy_J;2026-02-11T08:00:02.000734289Z;56;cpu_package;0;local_machine;;package;\n";
    is_recognised(&ws_format_alumet_csv, text);
    read_ok(&ws_format_alumet_csv, text);
    has("cpu0", "rapl_consumed_energy_J", "55.25 56");
    has("cpu1", NULL, "44");
    has("dram0", NULL, "5");
    has("core", NULL, "20");
    has("psys", NULL, "150");
    ck_assert_str_eq(channel("cpu1", NULL)->channel.device_id, "package 1");
    ck_assert_str_eq(channel("cpu1", NULL)->channel.identity, "name");
    has("gpu0", "nvml_energy_consumption_mJ", "250");
    has("gpu0", "nvml_instant_power_mW", "252");
    ck_assert_uint_eq(r.n, 7); /* neither totals nor what processes used */
    ck_assert_int_eq(channel("cpu0", NULL)->t_ns[0], T0 + S + 734289);
    ck_assert_str_eq(channel("gpu0", NULL)->channel.identity, "bus id");
    ck_assert_uint_eq(r.notes.n, 0);
}
END_TEST

/* The first buffer had no attribute, so that the column is not there. Without a unit in the name that of the plugin
 * holds. */
START_TEST(alumet_late_attributes)
{
    read_ok(&ws_format_alumet_csv,
            "metric;timestamp;value;resource_kind;resource_id;consumer_kind;consumer_id;__late_attributes\n"
            "mem_total_kB;2026-02-11T08:00:00Z;1;local_machine;;local_machine;;\n"
            "rapl_consumed_energy;2026-02-11T08:00:01Z;7;cpu_package;0;local_machine;;domain=package\n"
            "rapl_consumed_energy;2026-02-11T08:00:01Z;3;cpu_package;0;local_machine;;domain=pp1, x=y\n"
            "grace_instant_power;2026-02-11T08:00:01Z;90000000;cpu_package;0;local_machine;;sensor=grace\n"
            "grace_instant_power;2026-02-11T08:00:01Z;600000000;cpu_package;0;local_machine;;sensor=module\n"
            "nvml_energy_consumption;2026-02-11T08:00:01Z;5000;gpu;0;local_machine;;\n");
    has("cpu0", "rapl_consumed_energy", "7");
    has("gfx", NULL, "3");
    has("gpu0", NULL, "5");
    bool has_grace = false;
    for (size_t i = 0; i < r.n; i++)
        if (strcmp(r.channels[i].channel.column, "grace_instant_power") == 0)
            has_grace |= r.channels[i].channel.domain == WS_CPU && r.channels[i].value[0] == 90.0;
    ck_assert(has_grace);
    /* its names are enough, whatever the first rows measure */
    ck_assert_int_gt(ws_format_alumet_csv.score("t", ws_span_of("metric;timestamp;value;resource_kind;resource_id\n"
                                                                "mem_free_kB;2026-02-11T08:00:00Z;1;local_machine;\n")),
                     90);
    read_fails(&ws_format_alumet_csv,
               "metric;timestamp;value;resource_kind;resource_id\nmem_free_kB;2026-02-11T08:00:00Z;1;local_machine;\n",
               WS_DATA, "no energy or power");
}
END_TEST

/* --- GEOPM --- */

START_TEST(geopm_trace_of_sums_and_parts)
{
    static const char text[] =
        "# geopm_version: 2.0.0\n# start_time: Wed Feb 11 08:00:00 2026\n# profile_name: x\n# node_name: n1\n"
        "# agent: monitor\n"
        "TIME|EPOCH_COUNT|REGION_HASH|REGION_HINT|REGION_PROGRESS|CPU_ENERGY|DRAM_ENERGY|CPU_POWER|"
        "CPU_ENERGY-package-0|CPU_ENERGY-package-1|GPU_ENERGY-gpu-0\n"
        "0.5|-1|0x00000000725e8066|0x0000000100000000|0|300|30|nan|100|200|7\n"
        "1.5|0|0x00000000644f9787|0x0000000100000000|0|420|36|120|150|270|207\n";
    is_recognised(&ws_format_geopm_trace, text);
    read_ok(&ws_format_geopm_trace, text);
    has("cpu0", NULL, "100 150");
    has("cpu1", NULL, "200 270");
    has("dram0", NULL, "30 36");
    has("gpu0", NULL, "7 207");
    const recorded *sum = recorder_find(&r, NULL, "CPU_ENERGY");
    ck_assert_int_eq(sum->channel.domain, WS_OTHER);
    ck_assert_int_eq(recorder_find(&r, NULL, "CPU_POWER")->channel.domain, WS_OTHER);
    ck_assert_int_eq(channel("cpu0", NULL)->t_ns[1], T0 + 3 * S / 2); /* the remarks say when, and where */
    ck_assert_int_eq(channel("cpu0", NULL)->channel.time, WS_TIME_NAIVE);
    ck_assert_str_eq(channel("cpu0", NULL)->channel.node, "n1");
    ck_assert_int_eq(channel("cpu0", NULL)->channel.rule, WS_RULE_COUNTER);
    read_ok(&ws_format_geopm_trace,
            "TIME|EPOCH_COUNT|REGION_HASH|REGION_HINT|ENERGY_PACKAGE|POWER_PACKAGE\n0.5|-1|0x1|0x1|300|nan\n"
            "1.5|-1|0x1|0x1|400|100\n");
    has("cpu0", "ENERGY_PACKAGE", "300 400");
    has("cpu0", "POWER_PACKAGE", "- 100");
    ck_assert_int_eq(channel("cpu0", NULL)->channel.time, WS_TIME_RELATIVE);
}
END_TEST

START_TEST(geopm_report_of_hosts)
{
    static const char text[] =
        "GEOPM Version: 2.0.0~rc2\nStart Time: Wed Feb 11 08:00:00 2026\nProfile: demo\nAgent: power_governor\n"
        "Policy:\n  Initial Controls: {}\n\nHosts:\n"
        "  n1:\n    Final freq map:\n      0x1: 5\n    Regions:\n    -\n      region: \"dgemm\"\n      hash: 0x1\n"
        "      runtime (s): 4.0\n      package-energy (J): 700\n"
        "    Unmarked Totals:\n      runtime (s): 1\n      package-energy (J): 100\n    Epoch Totals:\n"
        "      runtime (s): 0\n      package-energy (J): 0\n"
        "    Application Totals:\n      runtime (s): 5.5\n      count: 0\n      sync-runtime (s): 5.4\n"
        "      package-energy (J): 881.5\n      dram-energy (J): 60.25\n      power (W): 160\n"
        "      gpu-energy (J): 1000\n"
        "  n2:\n    Application Totals:\n      runtime (s): 5\n      package-energy (J): 900\n"
        "      dram-energy (J): nan\n";
    is_recognised(&ws_format_geopm_report, text);
    read_ok(&ws_format_geopm_report, text);
    ck_assert_uint_eq(r.n, 5);
    has("cpu0", NULL, "881.5");
    has("gpu0", NULL, "1000");
    const recorded *cpu = channel("cpu0", NULL);
    ck_assert_str_eq(cpu->channel.node, "n1");
    ck_assert_int_eq(cpu->channel.rule, WS_RULE_GIVEN);
    ck_assert_int_eq(cpu->interval_ns[0], 11 * S / 2);
    ck_assert_int_eq(cpu->t_ns[0], T0 + 11 * S / 2);
    ck_assert_str_eq(r.channels[3].channel.node, "n2");
    ck_assert_double_eq(r.channels[3].value[0], 900);
}
END_TEST

START_TEST(geopm_report_of_older_releases)
{
    static const char text[] =
        "##### geopm 1.1.0 #####\nStart Time: Wed Feb 11 08:00:00 2026\nProfile: x\nAgent: monitor\nPolicy: {}\n\n"
        "Host: n7\n"
        "Region all2all (0x000000003ddc81bf):\n    runtime (sec): 10.0\n    package-energy (joules): 1802.5\n"
        "Application Totals:\n    runtime (sec): 20.5\n    package-energy (joules): 3600.5\n"
        "    dram-energy (joules): 240.25\n    power (watts): 180\n"
        "\nHost: n8\nApplication Totals:\n    runtime (sec): 20.5\n    package-energy (joules): 3500\n";
    is_recognised(&ws_format_geopm_report, text);
    read_ok(&ws_format_geopm_report, text);
    ck_assert_uint_eq(r.n, 3);
    has("cpu0", NULL, "3600.5");
    has("dram0", NULL, "240.25");
    ck_assert_str_eq(r.channels[2].channel.node, "n8");
    ck_assert_int_eq(channel("dram0", NULL)->interval_ns[0], 41 * S / 2);
    read_fails(&ws_format_geopm_report, "GEOPM Version: 2\nStart Time: x\nAgent: monitor\n", WS_DATA,
               "no application totals");
}
END_TEST

TEST_MAIN("PCM, Alumet and GEOPM", pcm_energies_of_sockets, pcm_of_the_system_alone, alumet_attributes_in_columns,
          alumet_late_attributes, geopm_trace_of_sums_and_parts, geopm_report_of_hosts, geopm_report_of_older_releases)
