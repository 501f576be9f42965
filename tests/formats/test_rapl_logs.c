/* Logs of RAPL energies: powercap counters, rows of intervals, the Green Metrics Tool, and a logger's own summary. */
#include "harness.h"

#include "formats/format.h"
#include "recorder.h"

#include <string.h>

extern const ws_format ws_format_powercap_csv, ws_format_rapl_interval_csv, ws_format_gmt_log,
    ws_format_gpu_summary_csv, ws_format_generic_csv;

static recorder r;

static void read_ok(const ws_format *format, const char *text)
{
    recorder_free(&r);
    ws_status status = recorder_read_text(&r, format, "t.csv", text);
    ck_assert_msg(status == WS_OK, "%s", r.error.message);
}

static const recorded *channel(const char *device, const char *column)
{
    const recorded *c = recorder_find(&r, device, column);
    ck_assert_msg(c != NULL, "no channel %s of %s", column, device);
    return c;
}

START_TEST(powercap_one_column_a_zone)
{
    read_ok(&ws_format_powercap_csv, "# max_energy_range_uj package-0=262143328850 dram-0=65712999613\n"
                                     "timestamp,package-0,dram-0\n1700000000.0,262143000000,1200000\n"
                                     "1700000001.0,21671150,\n1700000002.5,42671150,3200000\n");
    const recorded *package = channel("cpu0", "package-0"), *dram = channel("dram0", "dram-0");
    ck_assert_int_eq(package->channel.quantity, WS_ENERGY_COUNTER);
    ck_assert_int_eq(package->channel.rule, WS_RULE_COUNTER);
    ck_assert_int_eq(package->channel.domain, WS_CPU);
    ck_assert_int_eq(package->channel.time, WS_TIME_UTC);
    ck_assert_double_eq(package->channel.counter_range_j, 262143.32885);
    ck_assert_double_eq(dram->channel.counter_range_j, 65712.999613);
    ck_assert_uint_eq(package->n, 3);
    ck_assert_double_eq(package->value[0], 262143);
    ck_assert_double_eq(package->value[1], 21.67115);
    ck_assert_int_eq(package->t_ns[2], INT64_C(1700000002500000000));
    ck_assert(isnan(dram->value[1])); /* an empty cell is missing, not zero */
    ck_assert_double_eq(dram->value[2], 3.2);
    ck_assert_int_eq(dram->channel.domain, WS_DRAM);
}
END_TEST

START_TEST(powercap_ranges_in_columns_and_units_in_names)
{
    read_ok(&ws_format_powercap_csv,
            "time_s,intel-rapl:1_energy_uj,intel-rapl:1_max_energy_range_uj,psys (uJ),intel-rapl:1:0_energy_uj\n"
            "0.5,2000000,262143328850,7000000,1\n1.5,3000000,262143328850,9000000,2\n");
    const recorded *package = channel("cpu1", NULL), *psys = channel("psys", NULL), *inside = channel("other", NULL);
    ck_assert_str_eq(package->channel.device_id, "intel-rapl:1");
    ck_assert_double_eq(package->channel.counter_range_j, 262143.32885);
    ck_assert_int_eq(package->channel.time, WS_TIME_RELATIVE);
    ck_assert_double_eq(package->value[1], 3);
    ck_assert_int_eq(psys->channel.domain, WS_PSYS);
    ck_assert_double_eq(psys->channel.counter_range_j, 0);
    ck_assert_double_eq(psys->value[0], 7);
    ck_assert_str_eq(inside->channel.device_id, "intel-rapl:1:0");
    ck_assert_ptr_nonnull(ws_notes_find(&r.notes, WS_FINDING_UNKNOWN_ZONE));
    ck_assert_uint_eq(r.n, 3);
}
END_TEST

START_TEST(powercap_one_row_a_zone)
{
    read_ok(&ws_format_powercap_csv,
            "timestamp,domain,energy_uj,max_energy_range_uj\n2026-01-01 00:00:00,package-0,1000000,262143328850\n"
            "2026-01-01 00:00:00,core,400000,262143328850\n2026-01-01 00:00:00,uncore,1,5\n"
            "2026-01-01 00:00:01,package-0,51000000,262143328850\n");
    const recorded *package = channel("cpu0", "energy_uj");
    ck_assert_uint_eq(package->n, 2);
    ck_assert_double_eq(package->value[1], 51);
    ck_assert_double_eq(package->channel.counter_range_j, 262143.32885);
    ck_assert_int_eq(r.channels[1].channel.domain, WS_CPU_CORE);
    ck_assert_int_eq(r.channels[2].channel.domain, WS_CPU_GFX);
    ck_assert_ptr_nonnull(ws_notes_find(&r.notes, WS_FINDING_NAIVE_TIME));
}
END_TEST

/* Names come twice where there are two sockets: the path, the socket or the host tells them apart. */
START_TEST(powercap_rows_without_a_zone)
{
    read_ok(&ws_format_powercap_csv, "timestamp,zone,energy_uj\n1,package-0,1000000\n2,,\n3,N/A,\n"
                                     "4,package-0,3000000\n5,disk,5\n");
    const ws_note *note = ws_notes_find(&r.notes, WS_FINDING_NO_DEVICE);
    ck_assert(note && note->line == 3 && note->count == 2);
    note = ws_notes_find(&r.notes, WS_FINDING_UNKNOWN_ZONE);
    ck_assert(note && note->line == 6 && note->count == 1);
}
END_TEST

START_TEST(powercap_zones_of_one_name)
{
    static const struct {
        const char *text;
        const char *device[4];
    } cases[] = {
        {"timestamp,zone,name,energy_uj\n1700000000,intel-rapl:0,package-0,1000000\n"
         "1700000000,intel-rapl:0:0,dram,2000000\n"
         "1700000000,intel-rapl:1,package-1,3000000\n1700000000,intel-rapl:1:0,dram,4000000\n",
         {"cpu0", "dram0", "cpu1", "dram1"}},
        {"timestamp,socket,domain,energy_uj\n1700000000,0,package,1000000\n1700000000,0,dram,2000000\n"
         "1700000000,1,package,3000000\n1700000000,1,dram,4000000\n",
         {"cpu0", "dram0", "cpu1", "dram1"}},
        {"timestamp;package_id;domain;energy_uj\n1700000000;0;package;1000000\n1700000000;0;dram;2000000\n"
         "1700000000;1;package;3000000\n1700000000;1;dram;4000000\n",
         {"cpu0", "dram0", "cpu1", "dram1"}},
        {"timestamp,host,domain,energy_uj\n1700000000,n0,package-0,1000000\n1700000000,n0,dram-0,2000000\n"
         "1700000000,n1,package-0,3000000\n1700000000,n1,dram-0,4000000\n",
         {"cpu0", "dram0", "cpu0", "dram0"}},
        {"timestamp,host,package-0_uj,dram-0_uj\n1700000000,n0,1000000,2000000\n1700000000,n1,3000000,4000000\n",
         {"cpu0", "dram0", "cpu0", "dram0"}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        read_ok(&ws_format_powercap_csv, cases[i].text);
        ck_assert_uint_eq(r.n, 4);
        ck_assert_ptr_null(ws_notes_find(&r.notes, WS_FINDING_REPEATED_ZONE));
        for (size_t c = 0; c < 4; c++) {
            ck_assert_str_eq(r.channels[c].channel.device, cases[i].device[c]);
            ck_assert_str_eq(r.channels[c].channel.node, i < 3 ? "" : c < 2 ? "n0" : "n1");
            ck_assert_uint_eq(r.channels[c].n, 1);
            ck_assert_double_eq(r.channels[c].value[0], (double)c + 1);
        }
    }
    read_ok(&ws_format_powercap_csv, "timestamp,name,energy_uj\n1700000000,dram,1000000\n1700000000,dram,5000000\n"
                                     "1700000001,dram,2000000\n1700000001,dram,6000000\n");
    ck_assert_ptr_nonnull(ws_notes_find(&r.notes, WS_FINDING_REPEATED_ZONE));
    /* One repeated stamp, or stamps of whole seconds, and a counter that wraps. */
    read_ok(&ws_format_powercap_csv, "timestamp,package-0_uj,package-0_max_energy_range_uj\n1,5000000,9000000\n"
                                     "2,6000000,9000000\n2,7000000,9000000\n3,1000000,9000000\n4,0,9000000\n");
    ck_assert_ptr_null(ws_notes_find(&r.notes, WS_FINDING_REPEATED_ZONE));
    read_ok(&ws_format_powercap_csv, "timestamp,package-0_uj\n1,1000000\n1,2000000\n2,3000000\n2,4000000\n3,5000000\n"
                                     "3,6000000\n4,7000000\n4,8000000\n5,9000000\n5,10000000\n6,1000000\n"
                                     "6,2000000\n7,3000000\n7,4000000\n");
    ck_assert_ptr_null(ws_notes_find(&r.notes, WS_FINDING_REPEATED_ZONE));
}
END_TEST

/* Watts under the names of zones rise and fall or have decimals, and are no microjoules. */
START_TEST(zones_in_watts_are_no_counters)
{
    static const char *const watts[] = {
        "timestamp,package,dram\n1700000000,100,10\n1700000001,101,10\n1700000002,102,10\n",
        "timestamp,pkg0,pkg1\n1700000000,100.5,110.5\n1700000001,99.5,120.5\n",
        "timestamp,package-0,core,dram,psys\n1700000000,100,60,10,150\n1700000001,100,60,10,150\n",
        "timestamp,package,core,dram,psys\n1700000000,100,60,10,150\n1700000001,100,60,10,150\n",
    };
    static const char *const columns[] = {"power=package,power=dram", "power=pkg0,power=pkg1",
                                          "power=package-0,power=core,power=dram,power=psys",
                                          "power=package,power=core,power=dram,power=psys"};
    for (size_t i = 0; i < sizeof watts / sizeof *watts; i++) {
        bool has_number_only = i == 1; /* as a wide file of GPUs: the note assumed-power */
        ck_assert_int_eq(ws_format_powercap_csv.score("t.csv", ws_span_of(watts[i])), 0);
        ck_assert_int_eq(ws_format_generic_csv.score("t.csv", ws_span_of(watts[i])) > 0, has_number_only);
        ws_read_options options = WS_READ_DEFAULTS;
        options.columns = columns[i];
        recorder_free(&r);
        ws_input *input = ws_input_from_memory("t.csv", watts[i], strlen(watts[i]));
        ck_assert_int_eq(recorder_read_input(&r, &ws_format_generic_csv, input, &options), WS_OK);
        ck_assert_int_eq(channel("cpu0", NULL)->channel.quantity, WS_POWER);
        ck_assert_int_eq(channel("cpu0", NULL)->channel.domain, WS_CPU);
        if (strstr(watts[i], "psys"))
            ck_assert_int_eq(channel("psys", "psys")->channel.domain, WS_PSYS);
    }
    ck_assert_int_eq(channel("dram0", "dram")->channel.domain, WS_DRAM);
    ck_assert_int_eq(channel("psys", "psys")->channel.domain, WS_PSYS);
    ck_assert_int_gt(
        ws_format_powercap_csv.score("t.csv", ws_span_of("timestamp,package,dram\n"
                                                         "1700000000,5000000,100\n1700000001,105000000,100\n")),
        0);
}
END_TEST

START_TEST(powercap_odd_rows)
{
    read_ok(&ws_format_powercap_csv,
            "timestamp,package-0\n1,1000000\nsoon,2000000\n3,permission denied\ntimestamp,package-0\n"
            "4,4000000\n5,50");
    const recorded *c = channel("cpu0", "package-0");
    ck_assert_uint_eq(c->n, 3);
    ck_assert(isnan(c->value[1]));
    ck_assert_double_eq(c->value[2], 4);
    ck_assert_ptr_nonnull(ws_notes_find(&r.notes, WS_FINDING_BAD_STAMP));
    ck_assert_ptr_nonnull(ws_notes_find(&r.notes, WS_FINDING_UNREADABLE_CELL));
    ck_assert_ptr_nonnull(ws_notes_find(&r.notes, WS_FINDING_TRUNCATED_LINE));
    recorder_free(&r);
    ck_assert_int_eq(recorder_read_text(&r, &ws_format_powercap_csv, "t.csv", "a,b\n1,2\n"), WS_FORMAT);
    recorder_free(&r);
    ck_assert_int_eq(recorder_read_text(&r, &ws_format_powercap_csv, "t.csv", "timestamp,package-0\n"), WS_DATA);
}
END_TEST

/* A logger that began again with its zones in another order must not lend one zone's counter to the other. */
START_TEST(powercap_header_again)
{
    read_ok(&ws_format_powercap_csv, "timestamp,package-0,dram-0\n1,1000000,2000000\n"
                                     "timestamp,package-0,dram-0\n2,3000000,4000000\n");
    ck_assert_uint_eq(channel("cpu0", NULL)->n, 2);
    const char *text = "timestamp,package-0,dram-0\n1,1000000,2000000\ntimestamp,dram-0,package-0\n2,3000000,4000000\n";
    recorder_free(&r);
    ck_assert(recorder_read_text(&r, &ws_format_powercap_csv, "t.csv", text) == WS_FORMAT);
    ck_assert_ptr_nonnull(strstr(r.error.message, "the columns change"));
    /* in another order host and socket would change places */
    recorder_free(&r);
    ck_assert_int_eq(
        recorder_read_text(&r, &ws_format_powercap_csv, "t.csv",
                           "timestamp,host,socket,domain,energy_uj\n1700000000.0,1,0,package,1000000000\n"
                           "timestamp,socket,host,domain,energy_uj\n1700000001.0,0,1,package,1001000000\n"),
        WS_FORMAT);
    read_ok(&ws_format_powercap_csv, "timestamp,host,socket,domain,energy_uj\n1700000000.0,1,0,package,1000000000\n"
                                     "timestamp,host,socket,domain,energy_uj\n1700000001.0,1,0,package,1001000000\n");
    ck_assert_uint_eq(channel("cpu0", NULL)->n, 2);
}
END_TEST

START_TEST(rows_of_intervals)
{
    read_ok(&ws_format_rapl_interval_csv,
            "#timestamp,interval,socket,domain,energy,power\n0.005,0.005,N0,package,0.1,20\n"
            "0.005,0.005,N0,ram,0.01,2\n0.005,0.005,N1,package,0.2,40\n"
            "0.015,0.010,N0,package,0.5,50\n### Meta\n");
    const recorded *energy = channel("cpu0", "energy"), *power = channel("cpu0", "power");
    ck_assert_uint_eq(energy->n, 2);
    ck_assert_int_eq(energy->channel.rule, WS_RULE_INTERVAL);
    ck_assert_int_eq(power->channel.rule, WS_RULE_RECTANGLE);
    ck_assert_int_eq(energy->interval_ns[1], 10000000);
    ck_assert_double_eq(recorded_sum(energy), 0.6);
    ck_assert_double_eq(power->value[1], 50);
    ck_assert_str_eq(channel("cpu1", "energy")->channel.device_id, "N1/package");
    ck_assert_int_eq(channel("dram0", "energy")->channel.domain, WS_DRAM);
    ck_assert_uint_eq(r.n, 6);
    ck_assert_uint_eq(r.notes.n, 0);
}
END_TEST

/* Of "110,5" between commas the joules would be 110 and the watts 5. */
START_TEST(intervals_between_other_signs)
{
    static const char *const texts[] = {
        "#timestamp;interval;socket;domain;energy;power\n1.0;1.0;N0;package;100;100\n1.0;1.0;N0;ram;10;10\n",
        "#timestamp\tinterval\tsocket\tdomain\tenergy\tpower\n1.0\t1.0\tN0\tpackage\t100\t100\n"
        "1.0\t1.0\tN0\tram\t10\t10\n",
        "\"#timestamp\",\"interval\",\"socket\",\"domain\",\"energy\",\"power\"\n"
        "\"1.0\",\"1.0\",\"N0\",\"package\",\"100\",\"100\"\n\"1.0\",\"1.0\",\"N0\",\"ram\",\"10\",\"10\"\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        ck_assert_int_eq(ws_format_rapl_interval_csv.score("t.csv", ws_span_of(texts[i])), 92);
        read_ok(&ws_format_rapl_interval_csv, texts[i]);
        ck_assert_double_eq(recorded_sum(channel("cpu0", NULL)), 100);
        ck_assert_double_eq(recorded_sum(channel("dram0", NULL)), 10);
    }
    read_ok(&ws_format_rapl_interval_csv,
            "timestamp,interval,domain,energy\n1.0,1.0,package,100\n2.0,1.0,package,110,5\n"
            "3.0,1.0,package,120,\n");
    ck_assert_double_eq(recorded_sum(channel("cpu0", NULL)), 220);
    ck_assert_ptr_nonnull(ws_notes_find(&r.notes, WS_FINDING_EXTRA_CELLS));
}
END_TEST

/* Cores and graphics lie inside the package, psys around it; a zone that nobody knows is left out. */
START_TEST(domains_of_intervals)
{
    static const struct {
        const char *of_row, *of_gmt;
        ws_domain domain;
    } domains[] = {{"package", "Package_0", WS_CPU}, {"ram", "DRAM_0", WS_DRAM},         {"dram", "dram_1", WS_DRAM},
                   {"core", "Core_0", WS_CPU_CORE},  {"uncore", "Uncore_0", WS_CPU_GFX}, {"psys", "PSYS", WS_PSYS}};
    for (size_t i = 0; i < sizeof domains / sizeof *domains; i++) {
        char text[200];
        snprintf(text, sizeof text, "#timestamp,interval,socket,domain,energy,power\n1.0,1.0,N0,%s,50,50\n",
                 domains[i].of_row);
        read_ok(&ws_format_rapl_interval_csv, text);
        ck_assert_msg(r.channels[0].channel.domain == domains[i].domain, "%s", domains[i].of_row);
        snprintf(text, sizeof text, "1759592247529773 397277 %s\n", domains[i].of_gmt);
        read_ok(&ws_format_gmt_log, text);
        ck_assert_msg(r.channels[0].channel.domain == domains[i].domain, "%s", domains[i].of_gmt);
    }
    read_ok(&ws_format_rapl_interval_csv, "#timestamp,interval,socket,domain,energy,power\n1.0,1.0,N0,package,50,50\n"
                                          "1.0,1.0,N0,mmio,60,60\n");
    ck_assert_uint_eq(r.n, 2); /* energy and power of the package */
    ck_assert_ptr_nonnull(ws_notes_find(&r.notes, WS_FINDING_UNKNOWN_ZONE));
}
END_TEST

/* The length of an interval is the file's own: a gap of 65 ms in a log of 5 ms holds no energy. */
START_TEST(intervals_with_a_gap_between)
{
    read_ok(&ws_format_rapl_interval_csv, "#timestamp,interval,socket,domain,energy,power\n"
                                          "0.005,0.005,N0,package,0.1,20\n0.070,0.005,N0,package,0.2,40\n");
    const recorded *energy = channel("cpu0", "energy");
    ck_assert_int_eq(energy->interval_ns[1], 5000000);
    ck_assert_int_eq(energy->t_ns[1], 70000000);
}
END_TEST

START_TEST(intervals_by_a_clock_without_zone)
{
    read_ok(&ws_format_rapl_interval_csv, "timestamp,interval,domain,energy\n2026-01-01 00:00:01,1,package,50\n"
                                          "2026-01-01 00:00:02,1,package,50\n");
    ck_assert_int_eq(channel("cpu0", NULL)->channel.time, WS_TIME_NAIVE);
    const ws_note *note = ws_notes_find(&r.notes, WS_FINDING_NAIVE_TIME);
    ck_assert_ptr_nonnull(note);
    ck_assert_uint_eq(note->count, 1);
}
END_TEST

/* No machine has so many: a file of them is read as no log of RAPL, and not for minutes. */
START_TEST(more_zones_than_there_can_be)
{
    static const struct {
        const ws_format *format;
        const char *header, *row;
    } forms[] = {
        {&ws_format_rapl_interval_csv, "timestamp,interval,socket,domain,energy\n", "1.0,1.0,N%d,package,50\n"},
        {&ws_format_powercap_csv, "timestamp,socket,domain,energy_uj\n", "1700000000.0,N%d,package,1000000000\n"},
    };
    enum { ROWS = 20000, LONGEST = 64 };
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        char *text = malloc((size_t)LONGEST * (ROWS + 1)), *end = text;
        end += sprintf(end, "%s", forms[i].header);
        for (int k = 0; k < ROWS; k++)
            end += sprintf(end, forms[i].row, k);
        recorder_free(&r);
        ck_assert_int_eq(recorder_read_text(&r, forms[i].format, "t.csv", text), WS_FORMAT);
        ck_assert_ptr_nonnull(strstr(r.error.message, "more than"));
        free(text);
    }
}
END_TEST

START_TEST(logs_that_are_cut)
{
    static const struct {
        const ws_format *format;
        const char *text, *device;
        size_t n;
    } cuts[] = {
        {&ws_format_rapl_interval_csv,
         "#timestamp,interval,socket,domain,energy,power\n1.0,1.0,N0,package,0.5,20\n2.0,1.0,N0,package,0.7,3", "cpu0",
         1},
        {&ws_format_rapl_interval_csv,
         "#timestamp,interval,socket,domain,energy,power\n1.0,1.0,N0,package,0.5,20\n2.0,1.0,N0,pack", "cpu0", 1},
        {&ws_format_gmt_log, "1759592247529773 500000 Package_0\n1759592247629773 38", "cpu0", 1},
        {&ws_format_gmt_log, "1759592247529773 500000 Package_0\n1759592247629773 380000 Package_1", "cpu0", 1},
        {&ws_format_gpu_summary_csv, "metric,gpu_index,value,unit\nTIME,ALL,32.5,sec\nENERGY,0,0.5,J\nENERGY,1,66",
         "gpu0", 1},
        {&ws_format_gpu_summary_csv, "metric,gpu_index,value,unit\nTIME,ALL,32.5,sec\nENERGY,0,0.5,J\nENERGY,1,66,k",
         "gpu0", 1},
    };
    for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++) {
        read_ok(cuts[i].format, cuts[i].text);
        const recorded *c = channel(cuts[i].device, NULL);
        ck_assert_uint_eq(c->n, cuts[i].n);
        ck_assert_double_eq(c->value[0], 0.5);
        ck_assert_msg(ws_notes_find(&r.notes, WS_FINDING_TRUNCATED_LINE) != NULL, "case %zu", i);
        for (size_t k = 0; k < r.n; k++)
            ck_assert_msg(strcmp(r.channels[k].channel.device, cuts[i].device) == 0, "case %zu: %s", i,
                          r.channels[k].channel.device);
    }
}
END_TEST

START_TEST(green_metrics_tool)
{
    read_ok(&ws_format_gmt_log, "1759592247529773 397277 Package_0\n1759592247629050 378051 Package_0\n"
                                "1759592247629050 - Package_1\nrubbish\n1759592247728275 380615 Package_0\n"
                                "9715592247529773 1 Package_0\n"); /* in nanoseconds beyond 64 bits */
    const recorded *c = channel("cpu0", "#2");
    ck_assert_uint_eq(c->n, 3);
    ck_assert_double_eq(c->value[0], 0.397277);
    ck_assert_int_eq(c->t_ns[0], INT64_C(1759592247529773000));
    ck_assert(!c->has_interval);
    ck_assert(isnan(channel("cpu1", "#2")->value[0]));
    ck_assert_uint_eq(ws_notes_find(&r.notes, WS_FINDING_SKIPPED_LINE)->count, 2);
    /* numbers as everywhere, and what is none is a missing reading */
    read_ok(&ws_format_gmt_log, "1759592247529773 1e6 Package_0\n1759592247629050 .5e6 Package_0\n"
                                "1759592247729050 250000.000 Package_0\n1759592247829050 0x64 Package_0\n"
                                "1759592247929050 inf Package_0\n");
    static const double want_j[] = {1, 0.5, 0.25};
    c = channel("cpu0", "#2");
    ck_assert_uint_eq(c->n, 5);
    for (size_t i = 0; i < 5; i++)
        ck_assert(i < 3 ? c->value[i] == want_j[i] : isnan(c->value[i]));
    ck_assert_uint_eq(ws_notes_find(&r.notes, WS_FINDING_UNREADABLE_CELL)->count, 2);
    recorder_free(&r);
    ck_assert_int_eq(recorder_read_text(&r, &ws_format_gmt_log, "t.log", "a b c\n"), WS_DATA);
}
END_TEST

START_TEST(own_summary_of_a_logger)
{
    read_ok(&ws_format_gpu_summary_csv, "metric,gpu_index,value,unit\nTIME,ALL,32.5,sec\nPOWER,0,202.841,W\n"
                                        "ENERGY,0,6616.065,J\nENERGY,1,2,kJ\nENERGY_TOTAL,ALL,8616.065,J\n");
    ck_assert_uint_eq(r.n, 3);
    const recorded *c = channel("gpu0", "ENERGY");
    ck_assert_int_eq(c->channel.rule, WS_RULE_GIVEN);
    ck_assert_int_eq(c->channel.domain, WS_GPU);
    ck_assert(c->has_interval);
    ck_assert_int_eq(channel("total", "ENERGY_TOTAL")->channel.domain, WS_OTHER);
    ck_assert_int_eq(c->interval_ns[0], INT64_C(32500000000));
    ck_assert_double_eq(c->value[0], 6616.065);
    ck_assert_double_eq(channel("gpu1", "ENERGY")->value[0], 2000);
    ck_assert_ptr_nonnull(ws_notes_find(&r.notes, WS_FINDING_TOTAL_COLUMN));
}
END_TEST

START_TEST(scores)
{
    static const struct {
        const ws_format *format;
        const char *head;
        int least, most;
    } cases[] = {
        {&ws_format_powercap_csv, "timestamp,package-0,dram-0\n1,2000000000,3\n", 80, 100},
        {&ws_format_powercap_csv, "ts,intel-rapl:0,intel-rapl:1\n1,2000000000,3\n", 80, 100},
        {&ws_format_powercap_csv, "timestamp,zone,energy_uj\n1,package-0,3\n", 80, 100},
        {&ws_format_powercap_csv, "timestamp,project_name,cpu_energy,ram_energy\n2026-01-01,a,1,2\n", 0, 0},
        {&ws_format_powercap_csv, "timestamp,cpu,memory\n1,2,3\n", 0, 0},
        {&ws_format_powercap_csv, "time_s,package-0_energy_uj,package-0_power_w\n1,2000000000,3\n", 0, 0},
        {&ws_format_generic_csv, "time_s,package-0_energy_uj,package-0_power_w\n1,2000000000,3\n", 1, 100},
        {&ws_format_powercap_csv, "time_s,package-0_energy_uj,dram_energy_uj\n1,2000000000,3\n", 80, 100},
        {&ws_format_powercap_csv, "time_s,package-0,package-0_power_w\n1,2000000000,3\n", 80, 100},
        {&ws_format_powercap_csv, "time_s,core_energy_uj,package-0_power_w\n1,2000000000,3\n", 80, 100},
        {&ws_format_powercap_csv,
         "time_s,package-0_energy_uj,package-0_max_energy_range_uj,package-0_power_w\n1,2000000000,262143328850,3\n",
         80, 100},
        {&ws_format_powercap_csv, "timestamp,GPU0,GPU1\n1,2,3\n", 0, 0},
        {&ws_format_powercap_csv, /* runs, in any order */
         "run,elapsed,package_energy_uj\na,60,9000000000\nb,40,6000000000\nc,90,13000000000\nd,50,7000000000\n", 0, 0},
        {&ws_format_powercap_csv, /* a counter that was polled by two in turn */
         "elapsed,package_energy_uj\n1.01,9000000000\n1,9000000000\n2.01,9100000000\n2,9100000000\n", 80, 100},
        {&ws_format_rapl_interval_csv, "#timestamp,interval,socket,domain,energy,power\n", 90, 100},
        {&ws_format_rapl_interval_csv, "timestamp,domain,energy\n", 0, 0},
        {&ws_format_gmt_log, "1759592247529773 397277 Package_0\n1759592247629050 378051 Package_0\n", 80, 100},
        {&ws_format_gmt_log, "1759592247529773 397277 eth0\n", 0, 0},
        {&ws_format_gmt_log, "some text here\n", 0, 0},
        {&ws_format_gpu_summary_csv, "metric,gpu_index,value,unit\n", 90, 100},
        {&ws_format_gpu_summary_csv, "metric,value\n", 0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int score = cases[i].format->score("t", ws_span_of(cases[i].head));
        ck_assert_msg(score >= cases[i].least && score <= cases[i].most, "%s: %s scores %d", cases[i].head,
                      cases[i].format->name, score);
    }
}
END_TEST

TEST_MAIN("rapl logs", powercap_one_column_a_zone, powercap_ranges_in_columns_and_units_in_names,
          powercap_one_row_a_zone, powercap_rows_without_a_zone, powercap_zones_of_one_name,
          zones_in_watts_are_no_counters, powercap_odd_rows, powercap_header_again, rows_of_intervals,
          intervals_between_other_signs, domains_of_intervals, intervals_with_a_gap_between,
          intervals_by_a_clock_without_zone, more_zones_than_there_can_be, logs_that_are_cut, green_metrics_tool,
          own_summary_of_a_logger, scores)
