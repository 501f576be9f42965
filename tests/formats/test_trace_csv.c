/* Layouts of delimited traces: headers, devices, columns, what is refused. Numbers known by hand. */
#include "trace_case.h"

START_TEST(units_in_cells_and_two_gpus_by_uuid)
{
    read_ok("timestamp, uuid, index, power.draw [W], utilization.gpu [%], memory.used [MiB], clocks.sm [MHz]\n"
            "2026/01/01 00:00:00.500, GPU-b, 1, 100.50 W, 50 %, 2 MiB, 1410 MHz\n"
            "2026/01/01 00:00:00.502, GPU-a, 0, 60.25 W, 5 %, 1 MiB, 345 MHz\n"
            "2026/01/01 00:00:01.500, GPU-b, 1, 200.50 W, 100 %, 3 MiB, 1410 MHz\n");
    has("gpu1", "power.draw [W]", "100.5 200.5");
    has("gpu0", "power.draw [W]", "60.25");
    has("gpu1", "utilization.gpu [%]", "0.5 1");
    has("gpu1", "memory.used [MiB]", "2097152 3145728");
    has("gpu0", "clocks.sm [MHz]", "345000000");
    const recorded *c = recorder_find(&r, "gpu1", "power.draw [W]");
    ck_assert_str_eq(c->channel.device_id, "GPU-b");
    ck_assert_str_eq(c->channel.identity, "uuid");
    ck_assert_int_eq(c->channel.rule, WS_RULE_TRAPEZOID);
    ck_assert_int_eq(c->channel.time, WS_TIME_NAIVE);
    ck_assert_int_eq(c->t_ns[0], DAY_2026 + S / 2);
    ck_assert_int_eq(c->line[1], 4);
    has_note("naive-time", 1);
}
END_TEST

/* amd-smi calls a GPU's power that of its socket; without GPUs it is that of a package. */
START_TEST(socket_power_of_gpus)
{
    read_ok("timestamp,gpu,socket_power,gfx_activity\n"
            "1700000000,0,300,90\n1700000000,1,310,91\n1700000010,0,301,92\n1700000010,1,311,93\n");
    has("gpu0", "socket_power", "300 301");
    has("gpu1", "socket_power", "310 311");
    has("gpu1", "gfx_activity", "0.91 0.93");
    read_ok("timestamp,socket_power\n1700000000,300\n1700000010,301\n");
    has("cpu0", "socket_power", "300 301");
    /* the whole head of -p, with a list in a cell of -u, and without -w called in a loop */
    static const char looped[] =
        "gpu,vcn_activity,socket_power,gfx_voltage,soc_voltage,mem_voltage,throttle_status,power_management\n"
        "0,\"['N/A', 'N/A']\",238,N/A,N/A,N/A,N/A,ENABLED\n1,\"['N/A', 'N/A']\",240,N/A,N/A,N/A,N/A,ENABLED\n";
    char text[2 * sizeof looped];
    snprintf(text, sizeof text, "%s%s", looped, looped);
    ck_assert_int_gt(ws_format_generic_csv.score("t", ws_span_of(text)), 0);
    ck_assert_int_eq(read_format(&ws_format_generic_csv, text, NULL, 10 * S), WS_OK);
    has("gpu0", "socket_power", "238 238");
    has("gpu1", "socket_power", "240 240");
    ck_assert_int_eq(at("gpu1", 1), 10 * S);
}
END_TEST

/* rocm-smi, called again and again: no stamps, a head over each sample, and a package that is the GPU's. */
START_TEST(rocm_smi_called_in_a_loop)
{
    static const char text[] =
        "device,Average Graphics Package Power (W),GPU use (%),GPU memory use (%),Temperature (Sensor edge) (C)\n"
        "card0,100.0,50,10,40\ncard1,200.0,60,20,41\n\n"
        "device,Average Graphics Package Power (W),GPU use (%),GPU memory use (%),Temperature (Sensor edge) (C)\n"
        "card0,110.0,52,10,40\ncard1,Unsupported,62,20,N/A\n";
    ck_assert_int_eq(read_format(&ws_format_generic_csv, text, NULL, 10 * S), WS_OK);
    has("gpu0", "Average Graphics Package Power (W)", "100 110");
    has("gpu1", "Average Graphics Package Power (W)", "200 -");
    has("gpu1", "GPU use (%)", "0.6 0.62");
    has("gpu0", "GPU memory use (%)", "0.1 0.1");
    has("gpu1", "Temperature (Sensor edge) (C)", "41 -");
    ck_assert_str_eq(recorder_find(&r, "gpu1", NULL)->channel.device_id, "card1");
    ck_assert_int_eq(recorder_find(&r, "gpu1", NULL)->channel.domain, WS_GPU);
    ck_assert_int_eq(at("gpu1", 1), 10 * S); /* the second sample */
    has_note("repeated-header", 1);
    ck_assert_int_gt(ws_format_generic_csv.score("t", ws_span_of(text)), 0);
    read_format_ok(&ws_format_generic_csv, "device,Current Socket Graphics Package Power (W)\n"
                                           "card0,130.0\ncard1,131.0\n");
    has("gpu1", "Current Socket Graphics Package Power (W)", "131");
    read_format_ok(&ws_format_generic_csv, "device,Energy counter,Accumulated Energy (uJ)\n"
                                           "card0,1000000,15000000\ncard0,2000000,31000000\n");
    has("gpu0", "Accumulated Energy (uJ)", "15 31"); /* counts of some 15.3 uJ */
    ck_assert_int_lt(recorder_find(&r, NULL, "Accumulated Energy (uJ)")->channel.preference,
                     recorder_find(&r, NULL, "Energy counter")->channel.preference);
}
END_TEST

/* A second power of the same name would be in no sum. Beside several the first may be their total. */
START_TEST(a_power_and_a_second_one_are_asked_for)
{
    static const char rows[] = "2026-01-01 00:00:00,201.5,140.2\n2026-01-01 00:00:01,202.5,141.2\n";
    static const struct {
        const char *header, *map;
        bool is_asked;
    } cases[] = {{"timestamp,power [W],power 2 [W]\n", NULL, true},
                 {"timestamp,Power (W),Power2 (W)\n", NULL, true},
                 {"timestamp,power [W],power 2 [W]\n", "devices=1", false},
                 {"timestamp,power [W],power 2 [W]\n", "time=#1,power=#2,power=#3,domain=gpu", false},
                 {"timestamp,gpu power [W],gpu power 2 [W]\n", NULL, false},
                 {"timestamp,power [W],power limit [W]\n", NULL, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[200];
        snprintf(text, sizeof text, "%s%s", cases[i].header, rows);
        ck_assert_int_eq(read_with(text, cases[i].map, 0), WS_OK);
        ck_assert_msg((recorder_find(&r, "gpu0", NULL)->channel.ask == WS_ASK_DEVICES) == cases[i].is_asked, "case %d",
                      (int)i);
    }
    read_ok("timestamp,power [W],power 1 [W],power 2 [W]\n2026-01-01 00:00:00,300,200,100\n"
            "2026-01-01 00:00:01,301,200,101\n");
    has_note("ask-devices", 0);
}
END_TEST

/* GPU-Z's sensor log. */
START_TEST(a_name_that_begins_with_a_number)
{
    read_ok(
        "        Date        , GPU Load [%] , Board Power Draw [W] , GPU Chip Power Draw [W] , 8-Pin #1 Power [W] ,\n"
        "2026-01-01 00:00:00 ,  97  ,  201.5  ,  140.2  ,  80.1  ,\n"
        "2026-01-01 00:00:01 ,  97  ,  202.5  ,  141.2  ,  81.1  ,\n");
    has("gpu0", "Board Power Draw [W]", "201.5 202.5");
    has("8-Pin #1 Power", "8-Pin #1 Power [W]", "80.1 81.1");
}
END_TEST

/* NVIDIA's PCAT. */
START_TEST(names_with_numbers_and_units_in_front)
{
    read_ok("Time,GPU Power (W),PCIE 12V (W),8PIN 1 (W),12V (W)\n0.0,201.5,20.5,80.5,1\n1.0,202.5,20.5,81.5,1\n");
    has("gpu0", "GPU Power (W)", "201.5 202.5");
    has("8PIN 1", "8PIN 1 (W)", "80.5 81.5");
}
END_TEST

START_TEST(without_header)
{
    read_ok("33.09 W, 2026/01/01 00:00:00.000, 7 %, 5 MiB, P0\n34.00 W, 2026/01/01 00:00:01.000, 8 %, 6 MiB, P0\n");
    has("gpu0", "#1", "33.09 34");
    has("gpu0", "#3", "0.07 0.08");
    has("gpu0", "#4", "5242880 6291456");
    ck_assert_int_eq(at("gpu0", 1), DAY_2026 + S);
}
END_TEST

START_TEST(without_header_and_units_needs_the_map)
{
    const char *text = "1,2026-01-01 00:00:00,40,33.5\n0,2026-01-01 00:00:00,41,30.5\n1,2026-01-01 00:00:01,40,34.5\n";
    fails(text, NULL, WS_DATA, "--columns");
    ck_assert_int_eq(read_with(text, "gpu=#1,time=#2,temp=#3,power=#4,header=no", 0), WS_OK);
    has("gpu1", "#4", "33.5 34.5");
    has("gpu0", "#4", "30.5");
    has("gpu1", "#3", "40 40");
    fails(text, "time=#2,power=#5", WS_USAGE, "no column '#5'");
    /* pollers of RAPL: zones, and the time last */
    const char *zones = "24.3,22.2,0,0,0.05\n20.4,18.3,0,0,0.1\n19.9,17.9,0,0,0.15\n31.8,29.2,0,0,0.2\n";
    fails(zones, NULL, WS_DATA, "as in --columns time=#5,power=#1,header=no");
    ck_assert_int_eq(read_with(zones, "time=#5,power=#1,header=no", 0), WS_OK);
    ck_assert_int_eq(at("gpu0", 3) - at("gpu0", 0), 3 * S / 20);
}
END_TEST

START_TEST(map_names_columns)
{
    const char *text = "when;what;who\n10;5000;a\n11;7000;b\n12;6000;a\n";
    fails(text, NULL, WS_DATA, "when, what, who");
    fails(text, "time=when,power=watts", WS_USAGE, "when, what, who");
    ck_assert_int_eq(read_with(text, "time=when,power=what,unit=mW,gpu=who", 0), WS_OK);
    has("gpu0", "what", "5 6");
    has("gpu1", "what", "7");
    ck_assert_str_eq(recorder_find(&r, "gpu1", "what")->channel.device_id, "b");
}
END_TEST

START_TEST(stamp_in_any_column)
{
    read_ok("name, pstate, timestamp, power.draw [W]\nNVIDIA A100, P0, 2026/01/01 00:00:07, 50 W\n");
    has("gpu0", "power.draw [W]", "50");
    ck_assert_int_eq(at("gpu0", 0), DAY_2026 + 7 * S);
    ck_assert_str_eq(recorder_find(&r, "gpu0", NULL)->channel.identity, "name");
    ck_assert_uint_eq(r.n_facts, 1);
    ck_assert_str_eq(r.facts[0].text, "NVIDIA A100");
}
END_TEST

START_TEST(header_before_every_row)
{
    read_ok("timestamp, power.draw [W]\n2026/01/01 00:00:00, 1 W\ntimestamp, power.draw [W]\n2026/01/01 00:00:01, 2 W\n"
            "timestamp, power.draw [W]\n2026/01/01 00:00:02, 3 W\n");
    has("gpu0", "power.draw [W]", "1 2 3");
    has_note("repeated-header", 2);
    has_note("changed-header", 0);
}
END_TEST

START_TEST(header_changes_inside_the_file)
{
    read_ok("timestamp, index, power.draw [W]\n2026/01/01 00:00:00, 0, 1 W\n2026/01/01 00:00:00, 1, 5 W\n"
            "power.draw [W], index, timestamp, utilization.gpu [%]\n2 W, 0, 2026/01/01 00:00:01, 50 %\n"
            "timestamp, index, power.draw [W]\n2026/01/01 00:00:02, 0, 3 W\n");
    has("gpu0", "power.draw [W]", "1 2 3");
    has("gpu1", "power.draw [W]", "5");
    has("gpu0", "utilization.gpu [%]", "0.5");
    has_note("changed-header", 1);
    ck_assert_int_eq(at("gpu0", 1), DAY_2026 + S);
}
END_TEST

START_TEST(useless_header_inside_the_file)
{
    read_ok("timestamp, power.draw [W]\n2026/01/01 00:00:00, 1 W\ntimestamp, pstate\n2026/01/01 00:00:01, P0\n"
            "timestamp, power.draw [W]\n2026/01/01 00:00:02, 3 W\n");
    has("gpu0", "power.draw [W]", "1 3");
    has_note("unusable-header", 1);
    has_note("skipped-line", 1);
}
END_TEST

START_TEST(column_named_index_that_is_none)
{
    read_ok(
        "timestamp,gpu,index,power.draw\n2026-01-01T08:00:00+08:00,0, 0, 74.01\n2026-01-01T08:00:00+08:00,1, 0, 73.23\n"
        "2026-01-01T08:00:01+08:00,0, 0, 75\n");
    has("gpu0", "power.draw", "74.01 75");
    has("gpu1", "power.draw", "73.23");
    ck_assert_int_eq(at("gpu0", 0), DAY_2026);
    ck_assert_int_eq(recorder_find(&r, "gpu0", NULL)->channel.time, WS_TIME_UTC);
    has_note("naive-time", 0);
}
END_TEST

START_TEST(column_named_index_that_counts_rows)
{
    read_ok("index,timestamp,power.draw\n0,2026-01-01 00:00:00,1\n1,2026-01-01 00:00:01,2\n2,2026-01-01 00:00:02,3\n");
    has("gpu0", "power.draw", "1 2 3");
    has_note("row-counter", 1);
}
END_TEST

START_TEST(devices_by_place_in_bursts)
{
    read_ok("timestamp, name, power.draw [W]\n"
            "2026/01/01 00:00:00.000, A100, 10 W\n2026/01/01 00:00:00.003, A100, 20 W\n2026/01/01 00:00:00.003, A100, "
            "30 W\n"
            "2026/01/01 00:00:00.100, A100, 11 W\n2026/01/01 00:00:00.102, A100, 21 W\n2026/01/01 00:00:00.105, A100, "
            "31 W\n"
            "2026/01/01 00:00:00.200, A100, 12 W\n2026/01/01 00:00:00.202, A100, 22 W\n2026/01/01 00:00:00.204, A100, "
            "32 W\n"
            "2026/01/01 00:00:00.300, A100, 13 W\n2026/01/01 00:00:00.301, A100, 23 W\n");
    has("gpu0", "power.draw [W]", "10 11 12 13");
    has("gpu1", "power.draw [W]", "20 21 22 23");
    has("gpu2", "power.draw [W]", "30 31 32");
    ck_assert_str_eq(recorder_find(&r, "gpu1", NULL)->channel.device_id, "A100 #1");
    ck_assert_str_eq(recorder_find(&r, "gpu1", NULL)->channel.identity, "name and position");
}
END_TEST

START_TEST(a_sample_that_lost_a_row)
{
    read_ok("timestamp, power.draw [W]\n"
            "2026/01/01 00:00:00.000, 10 W\n2026/01/01 00:00:00.001, 20 W\n"
            "2026/01/01 00:00:01.000, 11 W\n2026/01/01 00:00:01.001, 21 W\n"
            "2026/01/01 00:00:02.000, 12 W\n2026/01/01 00:00:02.001, 22 W\n"
            "2026/01/01 00:00:03.000, 13 W\n2026/01/01 00:00:03.001, 23 W\n");
    has("gpu1", "power.draw [W]", "20 21 22 23");
    has_note("short-sample", 0);
    ck_assert_int_eq(read_with("timestamp, power.draw [W]\n"
                               "2026/01/01 00:00:00.000, 10 W\n2026/01/01 00:00:00.001, 20 W\n"
                               "2026/01/01 00:00:01.000, 11 W\n"
                               "2026/01/01 00:00:02.000, 12 W\n2026/01/01 00:00:02.001, 22 W\n",
                               "devices=2", 0),
                     WS_OK);
    has("gpu0", "power.draw [W]", "10 - 12"); /* nothing says whose the 11 W are */
    has("gpu1", "power.draw [W]", "20 22");
    has_note("short-sample", 1);
}
END_TEST

/* Rows of `gpus` devices `inside_ms` apart, a burst each `period_ms`; the row numbers `lost` are left out. Device g
 * draws 10 g + burst W, and what is read is compared with that for the last device, where no row is lost. */
static void write_bursts(char *text, int gpus, int inside_ms, int period_ms, int bursts, const int lost[2])
{
    size_t n = (size_t)sprintf(text, "timestamp, power.draw [W]\n");
    for (int i = 0; i < gpus * bursts; i++) {
        int burst = i / gpus, ms = burst * period_ms + i % gpus * inside_ms;
        if (i != lost[0] && i != lost[1])
            n += (size_t)sprintf(text + n, "2026/01/01 00:00:%02d.%03d, %d W\n", ms / 1000, ms % 1000,
                                 10 * (i % gpus) + burst);
    }
}

START_TEST(slow_bursts_are_several_devices)
{
    static const struct {
        int gpus, inside_ms, period_ms, lost[2];
        const char *first, *last;
    } bursts[] = {
        {8, 9, 1000, {-1, -1}, "0 1 2 3 4 5", "70 71 72 73 74 75"},
        {4, 20, 500, {-1, -1}, "0 1 2 3 4 5", "30 31 32 33 34 35"},
        {4, 20, 500, {10, -1}, "0 1 - 3 4 5", "30 31 33 34 35"},
        {8, 9, 1000, {0, -1}, "- 1 2 3 4 5", "71 72 73 74 75"},
        {2, 200, 2000, {-1, -1}, "0 1 2 3 4 5", "10 11 12 13 14 15"},
    };
    static char text[8000];
    for (size_t i = 0; i < sizeof bursts / sizeof *bursts; i++) {
        write_bursts(text, bursts[i].gpus, bursts[i].inside_ms, bursts[i].period_ms, 6, bursts[i].lost);
        read_ok(text);
        ck_assert_uint_eq(r.n, (size_t)bursts[i].gpus);
        has("gpu0", "power.draw [W]", bursts[i].first);
        char last[16];
        sprintf(last, "gpu%d", bursts[i].gpus - 1);
        has(last, "power.draw [W]", bursts[i].last);
        has_note("short-sample", bursts[i].lost[0] >= 0);
        has_note("maybe-several-devices", 0);
    }
}
END_TEST

START_TEST(bursts_of_changing_size_are_told)
{
    static char text[8000];
    size_t n = (size_t)sprintf(text, "timestamp, power.draw [W]\n");
    for (int burst = 0; burst < 9; burst++)
        for (int i = 0; i < 3 + burst % 3; i++)
            n += (size_t)sprintf(text + n, "2026/01/01 00:00:%02d.%03d, %d W\n", burst, 1 + 9 * i, 50 + 10 * i + burst);
    read_ok(text);
    ck_assert_uint_eq(r.n, 1);
    has_note("ask-devices", 1);
    ck_assert_int_eq(recorder_find(&r, "gpu0", NULL)->channel.ask, WS_ASK_DEVICES);
}
END_TEST

START_TEST(fast_polling_is_one_device)
{
    /* the same readings twice, then steps of a few ms, then whole seconds that repeat: nothing says "several GPUs" */
    read_ok("timestamp, power.draw [W]\n2026/01/01 00:00:00.000, 1 W\n2026/01/01 00:00:00.000, 1 W\n"
            "2026/01/01 00:00:00.014, 2 W\n2026/01/01 00:00:00.014, 2 W\n2026/01/01 00:00:00.028, 3 W\n"
            "2026/01/01 00:00:00.028, 3 W\n2026/01/01 00:00:00.042, 4 W\n2026/01/01 00:00:00.042, 4 W\n");
    has("gpu0", "power.draw [W]", "1 1 2 2 3 3 4 4");
    has_note("shared-stamps", 1);
    read_ok("timestamp, power.draw [W]\n2026/01/01 00:00:00.000, 1 W\n2026/01/01 00:00:00.013, 2 W\n"
            "2026/01/01 00:00:00.027, 3 W\n2026/01/01 00:00:00.041, 4 W\n");
    has("gpu0", "power.draw [W]", "1 2 3 4");
    has_note("shared-stamps", 0);
    read_ok("timestamp,power.draw\n2026-01-01 00:00:00,1\n2026-01-01 00:00:00,2\n2026-01-01 00:00:01,3\n"
            "2026-01-01 00:00:01,4\n2026-01-01 00:00:02,5\n2026-01-01 00:00:02,6\n");
    has("gpu0", "power.draw", "1 2 3 4 5 6");
    has_note("ask-devices", 1);
    ck_assert_int_eq(read_with("timestamp,power.draw\n2026-01-01 00:00:00,1\n2026-01-01 00:00:00,2\n"
                               "2026-01-01 00:00:01,3\n2026-01-01 00:00:01,4\n",
                               "devices=2", 0),
                     WS_OK);
    has("gpu0", "power.draw", "1 3");
    has("gpu1", "power.draw", "2 4");
}
END_TEST

START_TEST(rows_with_too_few_or_many_cells)
{
    read_ok("timestamp,power.draw,memory.used\n1,10,1\n2,11\n3,12,1,\n4,13,1,7\n5,14,1\n");
    has("gpu0", "power.draw", "10 11 12 - 14");
    has_note("unfilled-row", 1);
    has_note("extra-cells", 1);
}
END_TEST

START_TEST(date_lines_before_the_rows)
{
    read_ok("Wed Feb 26 01:50:18 PM EST 2025\n0 %, 82.53 W\n1 %, 32.15 W\nWed Feb 26 01:50:28 PM EST 2025\n"
            "2 %, 83 W\n3 %, 33 W\n");
    has("gpu0", "#2", "82.53 83");
    has("gpu1", "#2", "32.15 33");
    ck_assert_int_eq(at("gpu0", 0), INT64_C(1740595818) * S); /* 2025-02-26T18:50:18Z */
    ck_assert_int_eq(at("gpu1", 1), INT64_C(1740595828) * S);
    ck_assert_str_eq(recorder_find(&r, "gpu1", NULL)->channel.identity, "position");
}
END_TEST

/* Three GPUs, so many polls below lines of dates, the first `extra` of which have the row of the second GPU twice, and
 * the one before the last lacks that of the first. */
static void write_dated_polls(char *out, int polls, int extra, const char *repeated)
{
    size_t n = (size_t)sprintf(out, "power.draw [W], memory.used [MiB]\n");
    for (int i = 0; i < polls; i++) {
        n += (size_t)sprintf(out + n, "Wed Feb 26 01:50:%02d PM EST 2025\n", i);
        if (i != polls - 2)
            n += (size_t)sprintf(out + n, "%d.5 W, 500 MiB\n", 100 + i);
        n += (size_t)sprintf(out + n, "%d.5 W, 600 MiB\n", 200 + i);
        if (i < extra)
            n += (size_t)sprintf(out + n, repeated, 200 + i);
        n += (size_t)sprintf(out + n, "%d.5 W, 700 MiB\n", 300 + i);
    }
}

START_TEST(rows_too_many_and_too_few_below_a_date)
{
    static char text[8000];
    write_dated_polls(text, 10, 2, "%d.5 W, 600 MiB\n");
    read_ok(text);
    ck_assert_ptr_null(recorder_find(&r, "gpu3", NULL));
    has("gpu0", "power.draw [W]", "100.5 101.5 102.5 103.5 104.5 105.5 106.5 107.5 109.5");
    has("gpu1", "power.draw [W]", "200.5 201.5 202.5 203.5 204.5 205.5 206.5 207.5 208.5 209.5");
    has("gpu2", "power.draw [W]", "300.5 301.5 302.5 303.5 304.5 305.5 306.5 307.5 308.5 309.5");
    has_note("repeated-sample", 2);
    write_dated_polls(text, 10, 2, "%d.6 W, 600 MiB\n"); /* one more, which repeats none */
    read_ok(text);
    ck_assert_ptr_null(recorder_find(&r, "gpu3", NULL));
    has_note("repeated-sample", 2);
    write_dated_polls(text, 10, 3, "%d.6 W, 600 MiB\n");
    read_ok(text);
    has_note("ask-devices", 1);
}
END_TEST

START_TEST(one_row_under_each_date_line_is_one_device)
{
    read_ok("Wed Feb 26 01:50:18 PM EST 2025\n82.53 W, 1 %\nWed Feb 26 01:50:28 PM EST 2025\n83 W, 2 %\n");
    has("gpu0", "#1", "82.53 83");
    ck_assert_str_eq(recorder_find(&r, "gpu0", NULL)->channel.device_id, "");
}
END_TEST

START_TEST(one_column_a_gpu)
{
    read_ok("timestamp,GPU0,GPU1\n1763638585.215,199.975,256.513\n1763638585.415,,261.444\n");
    has("gpu0", "GPU0", "199.975 -");
    has("gpu1", "GPU1", "256.513 261.444");
    ck_assert_int_eq(at("gpu0", 0), INT64_C(1763638585215000000));
    ck_assert_str_eq(recorder_find(&r, "gpu1", NULL)->channel.device_id, "GPU1");
    read_ok("time,gpu0_power_w,gpu0_util_pct,gpu1_power_w,gpu1_util_pct\n0.5,10,50,20,100\n");
    has("gpu0", "gpu0_power_w", "10");
    has("gpu0", "gpu0_util_pct", "0.5");
    has("gpu1", "gpu1_util_pct", "1");
}
END_TEST

START_TEST(a_total_is_no_device)
{
    read_ok("timestamp,n1_watts,n2_watts,total_watts\n2026-01-01T00:00:00,2492,2579,5071\n");
    ck_assert_uint_eq(r.n, 3);
    ck_assert_str_eq(r.channels[0].channel.node, "n1");
    ck_assert_str_eq(r.channels[1].channel.node, "n2");
    ck_assert_int_eq(r.channels[0].channel.domain, WS_NODE);
    ck_assert_str_eq(r.channels[2].channel.device, "total");
    ck_assert_int_eq(r.channels[2].channel.domain, WS_OTHER); /* no total over nodes holds it */
    has_note("total-column", 1);
    read_ok("timestamp,total_watts\n2026-01-01T00:00:00,5071\n"); /* alone it is all there is */
    ck_assert_uint_eq(r.n, 1);
    ck_assert_double_eq(r.channels[0].value[0], 5071);
}
END_TEST

/* Not all names of totals say so: beside columns of single devices one of no device holds them. */
START_TEST(what_stands_beside_single_devices_is_their_total)
{
    static const struct {
        const char *head, *total;
        ws_domain domain;
    } cases[] = {
        {"gpu0_power_w,gpu1_power_w,gpu_power_w", "gpu_power_w", WS_GPU},
        {"gpu_power_w,gpu0_power_w,gpu1_power_w", "gpu_power_w", WS_GPU},
        {"gpu0_power,gpu1_power,power", "power", WS_GPU},
        {"gpu_0_power_w,gpu_1_power_w,watts", "watts", WS_GPU},
        {"cpu0_power_w,cpu1_power_w,cpu_power_w", "cpu_power_w", WS_CPU},
        {"node1_w,node2_w,node_power_w", "node_power_w", WS_NODE},
        {"gpu0_energy_j,gpu1_energy_j,gpu_energy_j", "gpu_energy_j", WS_GPU},
        {"gpu0_energy_j,gpu1_energy_j,total_energy_j", "total_energy_j", WS_GPU},
        {"gpu0_w,gpu1_w,energy_j", "energy_j", WS_GPU},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[200];
        snprintf(text, sizeof text, "timestamp,%s\n2026-01-01T00:00:00,3,3,3\n2026-01-01T00:00:01,3,3,3\n",
                 cases[i].head);
        read_ok(text);
        ck_assert_uint_eq(r.n, 3);
        for (size_t c = 0; c < r.n; c++) {
            bool is_total = strcmp(r.channels[c].channel.column, cases[i].total) == 0;
            ck_assert_int_eq(r.channels[c].channel.domain, is_total ? WS_OTHER : cases[i].domain);
        }
        has_note("total-column", 1);
    }
    read_ok("timestamp,gpu0_power_w,cpu_power_w,power_w\n2026-01-01T00:00:00,100,50,150\n");
    ck_assert_int_eq(recorder_find(&r, NULL, "power_w")->channel.domain, WS_NODE); /* beside parts of two kinds */
    read_ok("timestamp,cpu0_power_w,cpu_power_w\n2026-01-01T00:00:00,100,150\n");
    ck_assert_int_eq(recorder_find(&r, NULL, "cpu_power_w")->channel.domain, WS_OTHER);
    read_ok("timestamp,gpu_power_w,gpu1_power_w,gpu2_power_w\n2026-01-01T00:00:00,100,200,300\n");
    ck_assert_int_eq(recorder_find(&r, NULL, "gpu_power_w")->channel.domain, WS_GPU); /* the first of three */
    read_ok("timestamp,gpu0_power_w,gpu1_power_w,cpu_power_w\n2026-01-01T00:00:00,100,200,80\n");
    ck_assert_int_eq(recorder_find(&r, "cpu0", NULL)->channel.domain, WS_CPU); /* of no kind that has single ones */
}
END_TEST

START_TEST(tables_of_runs_are_refused)
{
    fails("Dataset,Engine,TotalTime(S),AvgPower(W),AllDrawSamples(W)\nfe_body,GPULog,5.4,119.2,\"49.68,57.02,55.76,108."
          "37\"\n",
          NULL, WS_FORMAT, "table of runs");
}
END_TEST

START_TEST(no_time_and_several_devices)
{
    ck_assert_int_eq(read_with("index, power.draw [W]\n0, 1 W\n1, 2 W\n0, [N/A]\n1, 4 W\n", NULL, S), WS_OK);
    has("gpu0", "power.draw [W]", "1 -");
    has("gpu1", "power.draw [W]", "2 4");
    ck_assert_int_eq(at("gpu1", 1), S);
}
END_TEST

START_TEST(same_index_on_two_nodes)
{
    read_ok("timestamp,host,gpu_index,utilization_gpu_pct,power_draw_W\n1700000000,n1,0,5,10\n1700000000,n2,0,6,20\n"
            "1700000001,n1,0,7,11\n");
    ck_assert_uint_eq(r.n, 4);
    ck_assert_str_eq(r.channels[1].channel.node, "n1");
    ck_assert_uint_eq(r.channels[1].n, 2);
    ck_assert_str_eq(r.channels[3].channel.node, "n2");
    ck_assert_double_eq(r.channels[3].value[0], 20);
    ck_assert_str_eq(r.channels[3].channel.device, "gpu0");
}
END_TEST

START_TEST(cpu_power_in_the_rows_of_gpus_counts_once)
{
    read_ok("timestamp,gpu,power.draw,cpu_power_w\n1,0,10,95\n1,1,20,95\n2,0,11,96\n2,1,21,96\n");
    has("gpu1", "power.draw", "20 21");
    has("cpu0", "cpu_power_w", "95 96");
    ck_assert_uint_eq(r.n, 3);
}
END_TEST

/* Its readings would come in an order that depends on how the file is cut. */
START_TEST(a_column_of_a_node_in_the_rows_of_others_counts_once)
{
    read_ok("timestamp,node,gpu_index,power_w,n7\n1,n0,0,1,70\n1,n7,1,2,70\n2,n0,0,3,71\n2,n7,1,4,71\n");
    has("gpu0", "power_w", "1 3");
    has("gpu1", "power_w", "2 4");
    has("node", "n7", "70 71");
}
END_TEST

/* Rows that were cut inside of their stamp, or right behind it; words and a number that a program prints are none. */
START_TEST(rows_cut_in_their_stamp)
{
    read_ok("timestamp, index, power.draw [W]\n2026/01/01 00:00:00, 0, 1 W\n2026/01/\n2026/01/01 00:00:0\n"
            "2026/01/01 00:00:03, 0, 3 W\n202\nepoch 2026\n2026/01/01 00:00:04, 0, 4 W\n2026/01/01 0");
    has("gpu0", "power.draw [W]", "1 3 4");
    has_note("short-row", 2);
    has_note("skipped-line", 2);
    has_note("truncated-line", 1);
}
END_TEST

START_TEST(remarks_and_other_lines)
{
    read_ok("# made by a logger\n#timestamp,power\n1,10\n# 3 rows follow\n2,11\nC:\\> date /T\n3,12\n");
    has("gpu0", "power", "10 11 12");
    has_note("skipped-line", 1);
}
END_TEST

/* "power" alone would be a header. */
START_TEST(remarks_that_name_a_column)
{
    read_ok("# GPU power\ntime;gpu;power_w\n2026-01-01T00:00:00Z;0;1.5\n# power\n2026-01-01T00:00:01Z;0;2.5\n");
    has("gpu0", "power_w", "1.5 2.5");
    read_ok("#power_w\n1.5\n2.5\n");
    has(NULL, "#power_w", "1.5 2.5");
}
END_TEST

START_TEST(several_power_columns)
{
    read_ok("timestamp, power.draw [W], power.draw.average [W], power.draw.instant [W], power.limit [W]\n"
            "2026/01/01 00:00:00, 1 W, 2 W, 3 W, 400 W\n");
    ck_assert_int_eq(recorder_find(&r, "gpu0", "power.draw [W]")->channel.preference, 0);
    ck_assert_int_eq(recorder_find(&r, "gpu0", "power.draw.average [W]")->channel.preference, 1);
    ck_assert_int_eq(recorder_find(&r, "gpu0", "power.draw.instant [W]")->channel.preference, 2);
    ck_assert_int_eq(recorder_find(&r, "gpu0", "power.limit [W]")->channel.quantity, WS_POWER_LIMIT);
    ck_assert_int_eq(recorder_find(&r, "gpu0", "power.limit [W]")->channel.rule, WS_RULE_NONE);
}
END_TEST

START_TEST(of_columns_with_one_name_the_first_is_taken)
{
    read_ok("timestamp,power.draw [W],power.draw [W]\n1,10,90\n2,11,91\n3,12,92\n");
    has("gpu0", "power.draw [W]", "10 11 12");
    has_note("duplicate-column", 1);
    ck_assert_int_eq(r.channels[0].channel.ask, WS_ASK_DEVICES);
    ck_assert_ptr_nonnull(
        strstr(ws_notes_find(&r.notes, WS_FINDING_ASK_DEVICES)->text, "time=#1,power=#2,power=#3,devices=2"));
    ck_assert_int_eq(
        read_with("timestamp,power.draw [W],power.draw [W]\n1,10,90\n", "time=#1,power=#2,power=#3,devices=2", 0),
        WS_OK);
    has("gpu0", "power.draw [W]", "10");
    has("gpu1", "power.draw [W]", "90");
    read_ok("timestamp,power.draw [W],power.draw [W]\n1,10,10\n2,11,11\n3,12,12\n"); /* a copy */
    ck_assert_int_eq(r.channels[0].channel.ask, WS_ASK_NOTHING);
    has("gpu0", "power.draw [W]", "10 11 12");
    read_ok("timestamp,GPU0,GPU1,GPU0\n1,10,20,90\n2,11,21,91\n");
    has("gpu0", "GPU0", "10 11");
    has("gpu1", "GPU1", "20 21");
    has_note("duplicate-column", 1);
    ck_assert_int_eq(read_with("timestamp,power.draw [W],power.draw [W]\n1,10,90\n", "time=#1,power=#3", 0), WS_OK);
    has("gpu0", "power.draw [W]", "90");
    has_note("duplicate-column", 0);
}
END_TEST

START_TEST(without_power_the_rest_is_read)
{
    read_ok("timestamp,memory.used,utilization.gpu\n1764189075,1, 0\n1764189135,442, 50\n");
    has("gpu0", "utilization.gpu", "0 0.5");
    has("gpu0", "memory.used", "1048576 463470592");
}
END_TEST

START_TEST(clear_errors)
{
    fails("", NULL, WS_DATA, "t.csv: is empty");
    fails("timestamp, power.draw [W]\n", NULL, WS_DATA, "t.csv:1: a header and no rows");
    fails("timestamp,pstate\n2026-01-01 00:00:00,P0\n", NULL, WS_DATA, "timestamp, pstate");
    fails("hello\nworld\n", NULL, WS_DATA, "hello");
    fails("timestamp,power\nx1,5\ny2,6\n", NULL, WS_DATA, "t.csv:2: 'x1' is not a time stamp");
    fails("timestamp,power\n00:00.0,5\n00:01.0,6\n", NULL, WS_DATA, "'00:00.0' is not a time stamp");
    fails("timestamp,power\n1,5\n", "power=watts", WS_USAGE, "timestamp, power");
    fails("timestamp,power\n1,5\n", "colour=blue", WS_USAGE, "colour");
}
END_TEST

START_TEST(many_rows_keep_their_order)
{
    enum { ROWS = 5000 };
    char *text = malloc(ROWS * 40 + 100);
    size_t n = (size_t)sprintf(text, "timestamp,gpu,power.draw\n");
    for (int i = 0; i < ROWS; i++)
        n += (size_t)sprintf(text + n, "%d,%d,%d\n", 1700000000 + i / 2, i % 2, i);
    read_ok(text);
    for (int gpu = 0; gpu < 2; gpu++) {
        ck_assert_uint_eq(r.channels[gpu].n, ROWS / 2);
        for (int i = 0; i < ROWS / 2; i++)
            ck_assert_double_eq(r.channels[gpu].value[i], 2 * i + gpu);
    }
    free(text);
}
END_TEST

START_TEST(scores)
{
    static const struct {
        const char *head;
        int nvidia_least, nvidia_most, generic_least, generic_most;
    } cases[] = {
        {"timestamp, power.draw [W]\n2026/01/01 00:00:00.000, 1 W\n", 90, 100, 0, 40},
        {"name, pstate, timestamp, utilization.gpu [%]\nA, P0, 2026/01/01 00:00:00.000, 1 %\n", 90, 100, 0, 40},
        {"2026/01/01 00:00:00.000, 33.09 W, 1 %\n", 70, 89, 0, 40},
        {"timestamp,GPU0,GPU1\n1763638585.215,199.975,256.513\n", 0, 0, 40, 40},
        {"# GPU power\ntime;gpu;power_w\n2026-01-01T00:00:00Z;0;1.5\n", 0, 90, 40, 40},
        {"28.44\n28.45\n28.50\n", 0, 0, 1, 10},
        {",run "
         "id,hostname,device_group,sensor,unit,magnitude,timestep,value\n0,0,n1,gpu,CUDA:0_POWER,W,0.001,0.0,61554.0\n",
         0, 0, 0, 0},
        {"timestamp,project_name,run_id,duration,emissions,cpu_power,gpu_energy\n2026-01-01T00:00:00,a,b,1,2,3,4\n", 0,
         0, 0, 0},
        {"gpus,epochs,lbs,time,energy_kwh\n4,100,32,1.5,3.1\n", 0, 0, 0, 0},
        {"gpus,wall_s,energy_kwh\n4,100,3.1\n", 0, 0, 0, 0},
        {"start_time,window_name,elapsed_time,gpu0_energy\n135.2,a,8.2,1067.5\n", 0, 0, 0, 0},
        {"Dataset,TotalEnergy(J),All(W)\na,1.5,\"1,2,3,4,5\"\n", 0, 0, 0, 0},
        {"{\"a\": 1}\n", 0, 0, 0, 0},
        {"", 0, 0, 0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int nvidia = ws_format_nvidia_smi_csv.score("t.csv", ws_span_of(cases[i].head));
        int generic = ws_format_generic_csv.score("t.csv", ws_span_of(cases[i].head));
        ck_assert_msg(nvidia >= cases[i].nvidia_least && nvidia <= cases[i].nvidia_most, "%s: %d", cases[i].head,
                      nvidia);
        ck_assert_msg(generic >= cases[i].generic_least && generic <= cases[i].generic_most, "%s: %d", cases[i].head,
                      generic);
    }
}
END_TEST

/* So many steps that all rise alike are no lengths of runs, however late they begin: energies there are a running
 * total. */
START_TEST(even_steps_of_a_late_log)
{
    static const struct {
        int rows;
        double uneven;
        bool is_trace;
    } cases[] = {{32, 0, true}, {31, 0, false}, {32, 0.24, true}, {32, 0.27, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[2048];
        size_t at = (size_t)sprintf(text, "time_s,energy_j\n");
        for (int row = 0; row < cases[i].rows; row++)
            at += (size_t)sprintf(text + at, "%g,%d\n", 100 + row + (row > 9 ? cases[i].uneven : 0), 6000 + 200 * row);
        ck_assert_msg((ws_format_generic_csv.score("t", ws_span_of(text)) > 0) == cases[i].is_trace, "case %zu", i);
    }
}
END_TEST

/* Times of trials fall in a fifth of the steps or more, or begin late beside energies that are watts of a device or a
 * node over them. What is metered, dated, a running total by its name or in blocks of one device each is a trace. */
START_TEST(tables_of_a_search_are_no_traces)
{
    static const struct {
        const char *text;
        bool is_trace;
    } cases[] = {
        {"time,energy\n12.5,3120\n11.9,3350\n13.1,2990\n12.2,3201\n", false},
        {"time,energy\n1,300\n2,300\n3,300\n4,300\n5,300\n4.5,300\n", false}, /* one fall in five steps */
        {"time,energy\n1,300\n2,300\n3,300\n4,300\n5,300\n6,300\n4.5,300\n", true},
        {"time,energy,power\n12.5,3120,250\n11.9,3350,250\n13.1,2990,250\n", true},
        {"run,time_s,power_w\nr0,4063.2,186.5\nr1,1387.7,69\nr2,2412.9,215\nr3,1805.1,99\n", false},
        {"name,time_s,energy_j\nresnet50,12.5,3120\nvit,40.2,9350\nbert,61.1,12990\n", false}, /* a row each */
        {"kernel,elapsed,power\ngemm,10,200\nfft,40,180\nstencil,70,150\n", false}, /* a word of its own for each */
        {"kernel,elapsed,power\ngemm,10,200\nfft,40,180\n", true},
        {"phase,elapsed,power\nload,10,200\ntrain,40,180\ntrain,70,150\n", true},
        {"phase,elapsed,power\nepoch1,10,200\nepoch2,40,180\nepoch3,70,150\n", true}, /* steps that are counted */
        {"phase,seconds,power\nload,10,200\nfit,40,180\ntest,70,150\n", true},        /* no length by its name */
        {"run,rank,time_s,energy_j\na,0,10,900\na,1,10.1,990\nb,0,19,2000\nb,1,19.1,2100\n", false},
        {"run,rank,time_s,energy_j\na,0,1,900\na,1,1,990\na,0,2,2000\na,1,2,2100\nb,0,3,1\n", true},
        {"run,rank,time_s,power_w\na,0,1,200\na,1,1,210\n", true},                 /* one run */
        {"threads,time_s,energy_j\n8,10,2000\n16,40,8000\n32,100,20000\n", false}, /* scaling */
        {"timestamp,threads,power_w\n2026-01-01 00:00:01,8,200\n2026-01-01 00:00:02,9,210\n", true},
        {"size,time_s,energy_j\n1000,1,200\n1900,9,1500\n3800,66,12000\n7600,520,99000\n", false}, /* sizes double */
        {"size,time_s,energy_j\n1000,1,200\n1899,9,1500\n3800,66,12000\n7600,520,99000\n", true},
        {"size,time_s,energy_j\n1000,1,200\n2000,9,1500\n4000,66,12000\n", true}, /* few */
        {"bench,time_s,energy_kwh\na,3600,3\n", false},                           /* 3 kW of a node */
        {"bench,time_s,energy_kwh\na,3600,3\nb,3700,3.1\nc,3900,3.3\n", false},
        {"name,elapsed,energy_kj\na,00:10:12,900\nb,00:05:36,1080\nc,01:00:00,3600\n", false},
        {"name,elapsed,power\nx,00:00:01,100\nx,00:00:02,101\nx,00:00:03,99\n", true},
        {"name,time,energy_kj\na,10:10:12,900\nb,10:15:36,1080\nc,11:00:00,3600\n", true}, /* times of day */
        {"gpu,time_s,power_w\nA100,12.5,312\nV100,40.2,235\nT4,61.1,69\n", false},
        {"gpu,time_s,power_w\n0,5,312\n1,5,235\n2,5,69\n", true}, /* one poll */
        {"gpu,time_s,power_w\n0,5,312\n1,5.1,235\n2,5.2,69\n0,6,312\n", true},
        {"t,power_w\n1.01,100\n1,200\n2.01,100\n2,200\n3.01,101\n3,201\n", true}, /* two loggers in turn */
        {"t,power_w\n0,100\n1,200\n2,100\n0,200\n1,101\n2,201\n", false},
        {"t,power_w\n0,100\n1,200\n2,100\n3,200\n4,101\n5,201\n0,200\n", true}, /* restarted once */
        {"time,total_energy_consumption\n12.5,3120\n11.9,3350\n13.1,2990\n", true},
        {"elapsed,gpu,energy\n0,0,300\n1,0,300\n0,1,300\n1,1,300\n", true},
        {"frequency,time,energy\n1980,50.1,10120\n1800,52.3,9850\n1600,55.0,9600\n", false},
        {"time,energy\n4.1,700\n6.1,700\n8.1,900\n", false},    /* begins 2.05 steps late */
        {"time,energy\n3.9,700\n5.9,700\n7.9,900\n", true},     /* 1.95 */
        {"time,energy\n400,2000\n402,2020\n404,2040\n", false}, /* 5 W and above */
        {"time,energy\n400,1999\n402,2020\n404,2040\n", true},
        {"time,energy\n100,2000000\n102,2000000\n104,2000000\n", false}, /* 20 kW of a node */
        {"time,energy\n100,2000001\n102,2000000\n104,2000000\n", true},
        {"time,energy\n2026-01-01 00:00:09,300\n2026-01-01 00:00:08,300\n", true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bool is_trace = ws_format_generic_csv.score("t", ws_span_of(cases[i].text)) > 0;
        ck_assert_msg(is_trace == cases[i].is_trace, "%s", cases[i].text);
    }
}
END_TEST

/* A date and a length of its own for each row: loggers of benchmarks and of CI jobs, whose total_energy_j came to the
 * difference of the first and the last run. What fills the time between its stamps, is a time since the start or a
 * running total beside the length of an epoch is a trace. */
START_TEST(dated_tables_of_runs_are_no_traces)
{
#define DAY "2026-01-01 00:"
    static const struct {
        const char *text;
        bool is_trace;
    } cases[] = {
        {"date,duration_s,total_energy_j\n" DAY "00:00,20,1700\n" DAY "01:00,18,1650\n", false},
        {"date,duration_s,total_energy_j\n" DAY "00:00,20,1700\n" DAY "01:00,21,1750\n", false},
        {"timestamp,wall_time_s,energy_j\n" DAY "00:00,20,1700\n" DAY "01:00,20,1700\n", false},
        {"timestamp,runtime_ms,gpu_energy_j\n" DAY "00:00,20000,1700\n" DAY "01:00,20000,1690\n", false},
        {"timestamp,seconds_wall,energy_j\n" DAY "00:00,53.9,1700\n" DAY "01:00,53.9,1700\n", false}, /* 0.898 */
        {"timestamp,seconds_wall,energy_j\n" DAY "00:00,54.1,1700\n" DAY "01:00,54.1,1700\n", true},
        {"timestamp,duration,energy_j\n" DAY "00:00,60,1700\n" DAY "01:00,60,1700\n", true}, /* intervals */
        {"timestamp,duration,energy_j\n" DAY "00:00,3600,1700\n" DAY "01:00,3600,1700\n", true},
        {"timestamp,runtime_s,energy_j\n" DAY "00:10,10,1700\n" DAY "01:10,70,1700\n" DAY "02:10,130,1700\n", true},
        {"timestamp,train_time_s,energy_j\n" DAY "00:00,20,900\n" DAY "01:00,20,2700\n" DAY "02:00,20,4501\n", true},
        {"timestamp,train_time_s,energy_j\n" DAY "00:00,20,900\n" DAY "01:00,40,2700\n" DAY "02:00,30,4500\n", false},
        {"timestamp,duration_s,power_w\n" DAY "00:00,20,170\n" DAY "01:00,18,165\n", true}, /* no energy */
        {"timestamp,duration_s,energy_j\n" DAY "00:00,20,1700\n", false},                   /* one run */
        {"timestamp,duration_s,power_w\n" DAY "00:00,20,85\n", true},
        /* totals of rows, which fall in a third of their changes and more, beside no power */
        {"timestamp,task,total_energy_j\n" DAY "00:00,a,1700\n" DAY "01:00,b,1650\n", false},
        {"timestamp,task,total_energy_j\n" DAY "00:00,a,1\n" DAY "01:00,b,2\n" DAY "02:00,b,3\n" DAY "03:00,c,1\n",
         false},
        {"timestamp,task,total_energy_j\n" DAY "00:00,a,1\n" DAY "01:00,b,2\n" DAY "02:00,b,3\n" DAY "03:00,c,4\n" DAY
         "04:00,c,1\n",
         true},
        {"timestamp,task,energy_uj\n" DAY "00:00,a,200000000\n" DAY "01:00,b,1650000\n", true}, /* a wrap */
        {"timestamp,task,total_energy_j,power_w\n" DAY "00:00,a,1700,80\n" DAY "01:00,b,1650,81\n", true},
        {"timestamp,gpu,duration_s,energy_j\n" DAY "00:00,0,20,1700\n" DAY "00:00,1,20,1600\n" DAY
         "01:00,0,21,1750\n" DAY "01:00,1,21,1640\n",
         false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bool is_trace = ws_format_generic_csv.score("t", ws_span_of(cases[i].text)) > 0;
        ck_assert_msg(is_trace == cases[i].is_trace, "%s", cases[i].text);
    }
#undef DAY
}
END_TEST

TEST_MAIN("trace csv", rows_cut_in_their_stamp, units_in_cells_and_two_gpus_by_uuid, socket_power_of_gpus,
          rocm_smi_called_in_a_loop, names_with_numbers_and_units_in_front, without_header,
          a_power_and_a_second_one_are_asked_for, a_name_that_begins_with_a_number,
          without_header_and_units_needs_the_map, map_names_columns, stamp_in_any_column, header_before_every_row,
          header_changes_inside_the_file, useless_header_inside_the_file, column_named_index_that_is_none,
          column_named_index_that_counts_rows, devices_by_place_in_bursts, a_sample_that_lost_a_row,
          slow_bursts_are_several_devices, bursts_of_changing_size_are_told, fast_polling_is_one_device,
          rows_with_too_few_or_many_cells, date_lines_before_the_rows, rows_too_many_and_too_few_below_a_date,
          one_row_under_each_date_line_is_one_device, one_column_a_gpu, a_total_is_no_device,
          what_stands_beside_single_devices_is_their_total, tables_of_runs_are_refused, no_time_and_several_devices,
          same_index_on_two_nodes, cpu_power_in_the_rows_of_gpus_counts_once,
          a_column_of_a_node_in_the_rows_of_others_counts_once, remarks_and_other_lines, remarks_that_name_a_column,
          several_power_columns, of_columns_with_one_name_the_first_is_taken, without_power_the_rest_is_read,
          clear_errors, many_rows_keep_their_order, scores, even_steps_of_a_late_log, tables_of_a_search_are_no_traces,
          dated_tables_of_runs_are_no_traces)
