/* Traps of nvidia-smi's CSV and of the CSV that wrappers write, each as real loggers fall into it. What they have in
 * common with other delimited traces is in test_trace_csv.c and test_trace_values.c. Numbers known by hand. */
#include "trace_case.h"

extern const ws_format ws_format_nvidia_smi_table, ws_format_table_csv;

START_TEST(windows_line_ends_prompts_and_dates)
{
    read_ok("C:\\Users\\u>date /T\r\nThu 01/01/2026 \r\n\r\n"
            "C:\\Users\\u>nvidia-smi --query-gpu=timestamp,name,power.draw,utilization.gpu --format=csv -l 1\r\n"
            "timestamp, name, power.draw [W], utilization.gpu [%]\r\n"
            "2026/01/01 00:00:00.500, NVIDIA RTX, 33.10 W, 1 %\r\n2026/01/01 00:00:01.500, NVIDIA RTX, 34.20 W, 2 %\r\n"
            "C:\\Users\\u>date /T\r\nFri 01/02/2026 \r\n"
            "2026/01/01 00:00:02.500, NVIDIA RTX, 35.30 W, 3 %\r\n\r\nC:\\Users\\u>");
    has("gpu0", "power.draw [W]", "33.1 34.2 35.3");
    has("gpu0", "utilization.gpu [%]", "0.01 0.02 0.03");
    ck_assert_int_eq(at("gpu0", 0), DAY_2026 + S / 2);
    ck_assert_int_eq(at("gpu0", 2), DAY_2026 + 2 * S + S / 2);
    ck_assert_uint_eq(recorder_find(&r, "gpu0", "power.draw [W]")->n, 3);
}
END_TEST

START_TEST(date_lines_under_a_header)
{
    read_ok("utilization.gpu [%], power.draw [W]\nThu Jan  1 00:00:05 UTC 2026\n1 %, 10.00 W\n2 %, 20.00 W\n"
            "Thu Jan  1 00:00:10 UTC 2026\n3 %, 11.00 W\n4 %, 21.00 W\n");
    has("gpu0", "power.draw [W]", "10 11");
    has("gpu1", "power.draw [W]", "20 21");
    ck_assert_int_eq(at("gpu1", 1), DAY_2026 + 10 * S);
}
END_TEST

/* srun -l puts the rank in front of each line, ts a stamp of its own: neither cell is a stamp. */
START_TEST(stamps_behind_a_prefix)
{
    read_ok("0: timestamp, index, power.draw [W]\n0: 2026/01/01 00:00:00, 0, 10.00 W\n"
            "0: 2026/01/01 00:00:01, 0, 20.00 W\n");
    has_note("prefixed-stamp", 1);
    read_ok("2026-01-01T00:00:00+0000 2026/01/01 00:00:00, 0, 10.00 W\n"
            "2026-01-01T00:00:01+0000 2026/01/01 00:00:01, 0, 10.00 W\n");
    has_note("prefixed-stamp", 1);
    read_ok("Jan 01 00:00:00 2026/01/01 00:00:00, 0, 10.00 W\nJan 01 00:00:01 2026/01/01 00:00:01, 0, 10.00 W\n");
    has_note("prefixed-stamp", 1);
}
END_TEST

START_TEST(clocks_by_both_names)
{
    read_ok("timestamp, power.draw [W], clocks.current.sm [MHz], clocks.current.graphics [MHz]\n"
            "2026/01/01 00:00:00, 1 W, 1410 MHz, 1400 MHz\n");
    has("gpu0", "clocks.current.sm [MHz]", "1410000000");
    ck_assert_int_eq(recorder_find(&r, "gpu0", "clocks.current.sm [MHz]")->channel.preference, 0);
    ck_assert_int_eq(recorder_find(&r, "gpu0", "clocks.current.graphics [MHz]")->channel.preference, 1);
    read_ok("timestamp, power.draw [W], clocks.sm [MHz]\n2026/01/01 00:00:00, 1 W, 345 MHz\n");
    has("gpu0", "clocks.sm [MHz]", "345000000");
}
END_TEST

START_TEST(columns_without_unit_and_of_no_use)
{
    read_ok("timestamp, power.draw [W], temperature.gpu, pstate, clocks_throttle_reasons.active, "
            "clocks_event_reasons.active, pcie.link.gen.current, pcie.link.width.current, fan.speed [%], serial\n"
            "2026/01/01 00:00:00, 50.00 W, 61, P0, 0x0000000000000004, Not Active, 4, 16, [N/A], 1650000000000\n");
    has("gpu0", "power.draw [W]", "50");
    has("gpu0", "temperature.gpu", "61");
    ck_assert_uint_eq(r.n, 2); /* neither a mask nor a link is a reading */
    has_note("naive-time", 1);
    ck_assert_uint_eq(r.notes.n, 1);
}
END_TEST

/* Names close to those that are read: limits of the maker, codecs, the other clocks, the memory that is there. */
START_TEST(columns_beside_those_that_are_read)
{
    read_ok("timestamp, index, power.draw [W], enforced.power.limit [W], power.max_limit [W], power.min_limit [W], "
            "power.default_limit [W], utilization.gpu [%], utilization.encoder [%], utilization.decoder [%], "
            "memory.total [MiB], memory.free [MiB], memory.used [MiB], temperature.gpu, temperature.memory, "
            "clocks.sm [MHz], clocks.max.sm [MHz], clocks.current.memory [MHz], clocks.video [MHz], "
            "encoder.stats.sessionCount, ecc.errors.corrected.volatile.total\n"
            "2026/01/01 00:00:00.000, 0, 100.00 W, 250.00 W, 300.00 W, 90.00 W, 260.00 W, 50 %, 7 %, 8 %, "
            "81559 MiB, 81557 MiB, 2 MiB, 40, 50, 1410 MHz, 1980 MHz, 2619 MHz, 1200 MHz, 3, 0\n");
    has("gpu0", "power.draw [W]", "100");
    has("gpu0", "enforced.power.limit [W]", "250");
    has("gpu0", "utilization.gpu [%]", "0.5");
    has("gpu0", "memory.used [MiB]", "2097152");
    has("gpu0", "temperature.gpu", "40");
    has("gpu0", "clocks.sm [MHz]", "1410000000");
    ck_assert_uint_eq(r.n, 6);
}
END_TEST

START_TEST(bus_id_tells_devices_apart)
{
    read_ok("timestamp, name, pci.bus_id, power.draw [W]\n"
            "2026/01/01 00:00:00.000, NVIDIA A100, 00000000:17:00.0, 10.00 W\n"
            "2026/01/01 00:00:00.002, NVIDIA A100, 00000000:65:00.0, 20.00 W\n"
            "2026/01/01 00:00:01.000, NVIDIA A100, 00000000:17:00.0, 11.00 W\n");
    has("gpu0", "power.draw [W]", "10 11");
    has("gpu1", "power.draw [W]", "20");
    ck_assert_str_eq(recorder_find(&r, "gpu1", NULL)->channel.device_id, "00000000:65:00.0");
    ck_assert_str_eq(recorder_find(&r, "gpu1", NULL)->channel.identity, "bus id");
}
END_TEST

START_TEST(serial_tells_devices_apart)
{
    read_ok("timestamp, serial, power.draw [W]\n"
            "2026/01/01 00:00:00.000, 1650000000001, 10.00 W\n2026/01/01 00:00:03.900, 1650000000002, 20.00 W\n"
            "2026/01/01 00:00:10.000, 1650000000001, 11.00 W\n2026/01/01 00:00:15.700, 1650000000002, 21.00 W\n");
    has("gpu0", "power.draw [W]", "10 11");
    has("gpu1", "power.draw [W]", "20 21");
    ck_assert_str_eq(recorder_find(&r, "gpu1", NULL)->channel.device_id, "1650000000002");
    ck_assert_str_eq(recorder_find(&r, "gpu1", NULL)->channel.identity, "serial");
    /* two GPUs on a board, and GPUs that have none */
    read_ok("timestamp, serial, index, power.draw [W]\n"
            "2026/01/01 00:00:00, 1650000000001, 0, 10.00 W\n2026/01/01 00:00:00, 1650000000001, 1, 20.00 W\n");
    has("gpu1", "power.draw [W]", "20");
    ck_assert_str_eq(recorder_find(&r, "gpu1", NULL)->channel.identity, "index");
    read_ok("timestamp, serial, power.draw [W]\n2026/01/01 00:00:00, [N/A], 10.00 W\n"
            "2026/01/01 00:00:01, [N/A], 11.00 W\n");
    has("gpu0", "power.draw [W]", "10 11");
}
END_TEST

START_TEST(every_word_for_no_reading)
{
    static const char *const words[] = {"[N/A]",
                                        "N/A",
                                        "[Not Supported]",
                                        "[Unknown Error]",
                                        "[GPU requires reset]",
                                        "ERR!",
                                        "[Insufficient Permissions]",
                                        "",
                                        "[GPU is lost]",
                                        "nan"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        char text[300];
        snprintf(text, sizeof text,
                 "timestamp, power.draw [W], utilization.gpu [%%]\n2026/01/01 00:00:00, 10.00 W, 1 %%\n"
                 "2026/01/01 00:00:01, %s, 2 %%\n2026/01/01 00:00:02, 12.00 W, 3 %%\n",
                 words[i]);
        read_ok(text);
        has("gpu0", "power.draw [W]", "10 - 12");
        has_note("unreadable-cell", 0);
    }
}
END_TEST

START_TEST(a_column_that_never_reads)
{
    read_ok("timestamp, clocks.sm [MHz], power.draw [W]\n2026/01/01 00:00:00, [Unknown Error], 46.19 W\n"
            "2026/01/01 00:00:01, [Unknown Error], 46.19 W\n");
    has("gpu0", "clocks.sm [MHz]", "- -");
    has("gpu0", "power.draw [W]", "46.19 46.19");
}
END_TEST

START_TEST(nothing_but_missing_readings)
{
    read_ok("timestamp, power.draw [W], utilization.gpu [%]\n2026/01/01 00:00:00, [N/A], [N/A]\n"
            "2026/01/01 00:00:01, [N/A], [N/A]\n");
    has("gpu0", "power.draw [W]", "- -");
    has("gpu0", "utilization.gpu [%]", "- -");
}
END_TEST

/* 1.2 W and 312 W of a laptop's GPU are odd and stay data. */
START_TEST(odd_readings_are_kept)
{
    read_ok("timestamp, power.draw [W], utilization.gpu [%]\n2026/01/01 00:00:00, 1.20, 0\n"
            "2026/01/01 00:00:01, 312.13, 99\n2026/01/01 00:00:02, 60.00, 50\n");
    has("gpu0", "power.draw [W]", "1.2 312.13 60");
    has_note("implausible-unit", 0);
}
END_TEST

START_TEST(the_date_in_a_file_name_means_nothing)
{
    const char *text = "timestamp, power.draw [W]\n2026/01/01 00:00:00, 10.00 W\n2026/01/01 00:00:01, 11.00 W\n";
    recorder_free(&r);
    ck_assert_int_eq(recorder_read_text(&r, &ws_format_nvidia_smi_csv, "run_20240418_205427_power.csv", text), WS_OK);
    ck_assert_int_eq(at("gpu0", 0), DAY_2026);
}
END_TEST

START_TEST(a_table_saved_as_csv_is_a_table)
{
    static const char table[] = "Thu Jan  1 00:00:00 2026\n| NVIDIA-SMI 495.29.05    Driver Version: 495.29.05 |\n"
                                "| Fan  Temp  Perf  Pwr:Usage/Cap|         Memory-Usage | GPU-Util  Compute M. |\n";
    ck_assert_int_gt(ws_format_nvidia_smi_table.score("gpu_stats.csv", ws_span_of(table)),
                     ws_format_nvidia_smi_csv.score("gpu_stats.csv", ws_span_of(table)));
}
END_TEST

START_TEST(a_bare_column_needs_a_period)
{
    const char *text = "296.80 W\n297.10 W\n[N/A]\n298.00 W\n";
    read_ok(text);
    has("gpu0", "#1", "296.8 297.1 - 298");
    ck_assert_int_eq(recorder_find(&r, "gpu0", NULL)->channel.time, WS_TIME_NONE);
    ck_assert_int_eq(read_with(text, NULL, S / 2), WS_OK);
    ck_assert_int_eq(at("gpu0", 3), 3 * S / 2); /* the missing one took its time */
}
END_TEST

/* The hour of the autumn change comes twice: nothing is sorted or dropped, the meter tells the step. */
START_TEST(a_clock_that_steps_back_keeps_the_order)
{
    read_ok(
        "timestamp, power.draw [W]\n2026/10/25 02:59:59, 1 W\n2026/10/25 02:00:00, 2 W\n2026/10/25 02:00:01, 3 W\n");
    has("gpu0", "power.draw [W]", "1 2 3");
    ck_assert_int_eq(at("gpu0", 1) - at("gpu0", 0), -3599 * S);
}
END_TEST

START_TEST(a_logger_restarted_with_other_columns)
{
    read_ok("timestamp, index, power.draw [W]\n2026/01/01 00:00:00, 0, 10.00 W\n2026/01/01 00:00:00, 1, 20.00 W\n"
            "timestamp, utilization.gpu [%], index, clocks.sm [MHz], power.draw [W]\n"
            "2026/01/01 01:00:00, 5 %, 0, 1410 MHz, 11.00 W\n2026/01/01 01:00:00, 6 %, 1, 1400 MHz, 21.00 W\n");
    has("gpu0", "power.draw [W]", "10 11");
    has("gpu1", "power.draw [W]", "20 21");
    has("gpu1", "clocks.sm [MHz]", "1400000000");
    has_note("changed-header", 1);
}
END_TEST

/* What was known by its uuid or address goes on by its index, in any order of rows; an index that was none of theirs is
 * new. */
START_TEST(a_logger_restarted_without_uuids)
{
    static const char *const ids[] = {"uuid, GPU-a, GPU-b", "pci.bus_id, 00000000:17:00.0, 00000000:65:00.0"};
    char text[700], head[20], first[40], second[40];
    for (size_t i = 0; i < 2; i++) {
        ck_assert_int_eq(sscanf(ids[i], "%19[^,], %39[^,], %39s", head, first, second), 3);
        snprintf(text, sizeof text,
                 "timestamp, index, %s, power.draw [W]\n2026/01/01 00:00:00, 0, %s, 10.00 W\n"
                 "2026/01/01 00:00:00, 1, %s, 20.00 W\n"
                 "timestamp, index, power.draw [W]\n2026/01/01 00:00:01, 1, 21.00 W\n2026/01/01 00:00:01, 0, 11.00 W\n"
                 "2026/01/01 00:00:01, 2, 31.00 W\n",
                 head, first, second);
        read_ok(text);
        has("gpu0", "power.draw [W]", "10 11");
        has("gpu1", "power.draw [W]", "20 21");
        has("gpu2", "power.draw [W]", "31");
        ck_assert_str_eq(recorder_find(&r, "gpu1", NULL)->channel.device_id, second);
        ck_assert_uint_eq(r.n, 3);
        has_note("assumed-device", 2);
    }
}
END_TEST

START_TEST(an_empty_limit_is_missing_and_no_power)
{
    read_ok(
        "timestamp,index,power.draw,power.limit\n2026-01-01 00:00:00.250000,0,17,\n2026-01-01 00:00:02.750000,0,18,\n");
    has("gpu0", "power.draw", "17 18");
    has("gpu0", "power.limit", "- -");
    ck_assert_int_eq(at("gpu0", 1), DAY_2026 + 2 * S + 3 * (S / 4));
    ck_assert_int_eq(recorder_find(&r, "gpu0", "power.limit")->channel.rule, WS_RULE_NONE);
}
END_TEST

START_TEST(units_that_contradict_the_column)
{
    read_ok("Timestamp (s),Power (mW)\n2026-01-01 00:00:00,4.39\n2026-01-01 00:00:01,4.41\n");
    has("gpu0", "Power (mW)", "4.39 4.41"); /* a board does not live on 4 mW */
    ck_assert_int_eq(at("gpu0", 1), DAY_2026 + S);
    has_note("implausible-unit", 1);
    read_ok("Timestamp (s),Power (mW)\n2026-01-01 00:00:00,4390\n2026-01-01 00:00:01,4410\n");
    has("gpu0", "Power (mW)", "4.39 4.41");
    has_note("implausible-unit", 0);
}
END_TEST

START_TEST(many_samples_in_one_second)
{
    read_ok("Date,Time, Power Used,Util\n25-03-2021,13:32:39,1,5\n25-03-2021,13:32:39,2,6\n25-03-2021,13:32:39,3,7\n"
            "25-03-2021,13:32:39,4,8\n");
    has("gpu0", "Power Used", "1 2 3 4"); /* one device, not four */
    ck_assert_int_eq(at("gpu0", 3), INT64_C(1616679159) * S);
    has_note("shared-stamps", 1);
    has_note("day-first", 0);
}
END_TEST

START_TEST(a_run_table_is_no_trace)
{
    static const char text[] =
        "Dataset,Engine,TotalEnergy(J),AllDrawSamples(W)\nx,a,646.7,\"49.68,57.02,55.76,108.37\"\n"
        "y,b,0,\n";
    fails(text, NULL, WS_FORMAT, "table of runs");
    ck_assert_int_eq(ws_format_generic_csv.score("t", ws_span_of(text)), 0);
    ck_assert_int_gt(ws_format_table_csv.score("t", ws_span_of(text)), 0);
    const char *results = "model,gpus,power.draw [W],runtime_s\nresnet,4,250.1,100\nresnet,8,251.2,60\n";
    ck_assert_int_gt(ws_format_table_csv.score("t", ws_span_of(results)),
                     ws_format_nvidia_smi_csv.score("t", ws_span_of(results)));
    const char *resaved = "timestamp,power.draw [W]\n2026/01/01 00:00:00,250.1\n";
    ck_assert_int_gt(ws_format_nvidia_smi_csv.score("t", ws_span_of(resaved)), 90);
}
END_TEST

/* --query-compute-apps: rows of one moment are processes of one GPU, and each has its own memory. */
/* PowerAPI's targets and RAPL's domains hold each other: neither one device with the mean of all nor their sum. */
START_TEST(rows_that_an_unknown_column_tells_apart)
{
    const char *domains = "timestamp,realm,power_w\n1700000000,package-0,100\n1700000000,core,60\n"
                          "1700000010,package-0,110\n1700000010,core,70\n";
    fails(domains, NULL, WS_DATA, "rows of one time differ by their 'realm'");
    ck_assert_int_eq(ws_format_generic_csv.score("t", ws_span_of(domains)), 0);
    ck_assert_int_eq(read_with(domains, "gpu=realm,domain=other", 0), WS_OK);
    has("package-0", "power_w", "100 110");
    has("core", "power_w", "60 70");
    ck_assert_int_eq(recorder_find(&r, "core", NULL)->channel.domain, WS_OTHER);
    fails("timestamp,sensor,target,power\n1700000000000,s,global,100\n1700000000000,s,rapl,60\n"
          "1700000001000,s,global,100\n1700000001000,s,rapl,60\n",
          NULL, WS_DATA, "'target'");
    const char *sockets = "timestamp,lane,power_w\n1700000000,0,100\n1700000000,1,200\n1700000010,0,110\n"
                          "1700000010,1,210\n";
    fails(sockets, NULL, WS_DATA, "'lane'");
    ck_assert_int_eq(read_with(sockets, "gpu=lane,domain=cpu", 0), WS_OK);
    has("cpu1", "power_w", "200 210");
    ck_assert_int_eq(read_with(sockets, "devices=1", 0), WS_OK);
    has("gpu0", "power_w", "100 200 110 210");
    read_ok("timestamp,gpu_num,power_w\n1700000000,0,100\n1700000000,1,200\n1700000010,0,110\n1700000010,1,210\n");
    has("gpu1", "power_w", "200 210");
    read_ok("timestamp,pstate,power.draw\n1700000000,P0,1\n1700000000,P8,2\n1700000001,P0,3\n1700000001,P8,4\n");
    has_note("ask-devices", 1); /* a state is no name, whatever it tells apart */
    read_ok("timestamp,sample,power_w\n1700000000,a1,1\n1700000000,a2,2\n1700000001,a3,3\n1700000001,a4,4\n");
    has("gpu0", "power_w", "1 2 3 4"); /* a word a row tells nothing */
    /* a phase that lasts is none of several devices, nor is a host, which is known */
    read_ok("timestamp,phase,power_w\n1700000000,train,1\n1700000000,train,2\n1700000001,train,3\n"
            "1700000001,eval,4\n");
    has("gpu0", "power_w", "1 2 3 4");
    read_ok("timestamp,host,rack,power_w\n1700000000,n1,a,1\n1700000000,n2,b,2\n1700000001,n1,a,3\n"
            "1700000001,n2,b,4\n");
    ck_assert_uint_eq(r.n, 2);
}
END_TEST

enum { POLLS = 8, OF_POLLS = 4096 };

/* Polls a second apart, whose rows are `step_ms` apart: a row for each of the words, of 20 W and 30 W more for each. */
static const char *polls_of(char *text, const char *column, const char *const *words, size_t n, int step_ms)
{
    size_t at = (size_t)snprintf(text, OF_POLLS, "timestamp,%s,watts\n", column);
    for (int i = 0; i < POLLS; i++)
        for (size_t k = 0; k < n; k++)
            at += (size_t)snprintf(text + at, OF_POLLS - at, "17000000%02d.%03zu,%s,%zu.%d\n", i,
                                   (size_t)step_ms * k + (size_t)(i % 2), words[k], 20 + 30 * k, i % 3);
    return text;
}

/* In so many polls the second row has the word of the third. */
static const char *polls_with_other_words(char *text, int n_others)
{
    static const char *const parts[] = {"CPU Package", "CPU Cores", "CPU Memory", "GPU Power"};
    size_t at = (size_t)snprintf(text, OF_POLLS, "timestamp,realm,watts\n");
    for (int i = 0; i < POLLS; i++)
        for (int k = 0; k < 4; k++)
            at += (size_t)snprintf(text + at, OF_POLLS - at, "17000000%02d.%03d,%s,%d.%d\n", i, 5 * k + i % 2,
                                   parts[k == 1 && i % 2 && i < 2 * n_others ? 2 : k], 20 + 30 * k, i % 3);
    return text;
}

/* 24 and 22 of 28 rows have the word of the row a poll above: four in five are enough. */
START_TEST(words_that_come_again_are_parts)
{
    char text[OF_POLLS];
    fails(polls_with_other_words(text, 2), NULL, WS_DATA, "rows of one poll");
    read_ok(polls_with_other_words(text, 3));
}
END_TEST

/* The same where the rows of a poll are a few ms apart, so that their places tell them apart: a logger of
 * LibreHardwareMonitor came to four GPUs, one of which was the package that held another. */
START_TEST(parts_that_take_turns_are_no_gpus)
{
    static const char *const parts[] = {"CPU Package", "CPU Cores", "CPU Memory", "GPU Power"};
    static const char *const others[] = {"cpu_power", "gpu_power"}, *const totals[] = {"gpu0", "gpu1", "total"};
    static const char *const cards[] = {"left", "right"}, *const models[] = {"NVIDIA A100", "RTX 3090"};
    static const char *const known[] = {"Sensor_Name", "sensor", "component"};
    char text[OF_POLLS];
    fails(polls_of(text, "realm", parts, 4, 5), NULL, WS_DATA,
          "rows of one poll are those of different parts, as their 'realm' says: --columns gpu=realm");
    fails(polls_of(text, "realm", parts, 3, 5), NULL, WS_DATA, "rows of one poll");
    fails(polls_of(text, "realm", others, 2, 5), NULL, WS_DATA, "rows of one poll");
    fails(polls_of(text, "realm", totals, 3, 5), NULL, WS_DATA, "rows of one poll");
    for (size_t i = 0; i < 1 + sizeof known / sizeof *known; i++) {
        if (i)
            read_ok(polls_of(text, known[i - 1], parts, 4, 5));
        else
            ck_assert_int_eq(read_with(polls_of(text, "realm", parts, 4, 5), "gpu=realm", 0), WS_OK);
        ck_assert_int_eq(recorder_find(&r, "cpu0", NULL)->channel.domain, WS_CPU);
        ck_assert_int_eq(recorder_find(&r, "core", NULL)->channel.domain, WS_CPU_CORE);
        ck_assert_int_eq(recorder_find(&r, "dram0", NULL)->channel.domain, WS_DRAM);
        has("gpu0", "watts", "110 110.1 110.2 110 110.1 110.2 110 110.1");
    }
    read_ok(polls_of(text, "slot", cards, 2, 5)); /* words that name no parts: as many devices as places */
    ck_assert_uint_eq(r.n, 2);
    read_ok(polls_of(text, "what", models, 2, 5));
    ck_assert_uint_eq(r.n, 2);
}
END_TEST

START_TEST(processes_of_a_gpu_are_no_trace)
{
    const char *apps = "timestamp, gpu_name, gpu_bus_id, gpu_serial, gpu_uuid, pid, process_name, "
                       "used_gpu_memory [MiB]\n"
                       "2026/01/01 00:00:00.000, A100, 00000000:17:00.0, [N/A], GPU-a, 11, python, 100 MiB\n"
                       "2026/01/01 00:00:00.000, A100, 00000000:17:00.0, [N/A], GPU-a, 12, python, 300 MiB\n";
    ck_assert_int_eq(ws_format_generic_csv.score("t", ws_span_of(apps)), 0);
    ck_assert_int_eq(ws_format_nvidia_smi_csv.score("t", ws_span_of(apps)), 0);
    ck_assert_int_gt(ws_format_table_csv.score("t", ws_span_of(apps)), 0);
    const char *own = "timestamp,pid,gpu,power.draw\n1700000000,11,0,100\n1700000001,11,0,110\n";
    ck_assert_int_ge(ws_format_generic_csv.score("t", ws_span_of(own)), 35);
}
END_TEST

START_TEST(stamps_of_wrappers)
{
    static const struct {
        const char *first, *second;
        int64_t ns; /* of the second */
        ws_time_base base;
    } cases[] = {
        {"2026/01/01 00:00:00.000", "2026/01/01 00:00:01.250", DAY_2026 + 5 * (S / 4), WS_TIME_NAIVE},
        {"2026-01-01T00:00:00", "2026-01-01T00:00:01.5", DAY_2026 + 3 * (S / 2), WS_TIME_NAIVE},
        {"2026-01-01T08:00:00+08:00", "2026-01-01T08:00:01+08:00", DAY_2026 + S, WS_TIME_UTC},
        {"2026-01-01 00:00:00+00:00", "2026-01-01 00:00:01+00:00", DAY_2026 + S, WS_TIME_UTC},
        {"2026-01-01T00:00:00Z", "2026-01-01T00:00:01Z", DAY_2026 + S, WS_TIME_UTC},
        {"1767225600.25", "1767225601.25", DAY_2026 + S + S / 4, WS_TIME_UTC},
        {"1767225600250", "1767225601250", DAY_2026 + S + S / 4, WS_TIME_UTC},
        {"1767225600250000", "1767225601250001", DAY_2026 + S + S / 4 + 1000, WS_TIME_UTC},
        {"1767225600250000000", "1767225601250000001", DAY_2026 + S + S / 4 + 1, WS_TIME_UTC}, /* to the last digit */
        {"31/12/2025 23:59", "01/01/2026 00:00", DAY_2026, WS_TIME_NAIVE},
        {"12-31-2025 23:59:59.500", "01-01-2026 00:00:01.500", DAY_2026 + 3 * (S / 2), WS_TIME_NAIVE},
        {"31-12-2025 23:59:59", "01-01-2026 00:00:01", DAY_2026 + S, WS_TIME_NAIVE},
        {"Wed Dec 31 23:59:59 2025", "Thu Jan  1 00:00:01 2026", DAY_2026 + S, WS_TIME_NAIVE},
        {"0.08", "0.34", 340000000, WS_TIME_RELATIVE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[200];
        snprintf(text, sizeof text, "time,power\n%s,5\n%s,6\n", cases[i].first, cases[i].second);
        read_ok(text);
        ck_assert_msg(at("gpu0", 1) == cases[i].ns, "%s: %lld", cases[i].second, (long long)at("gpu0", 1));
        ck_assert_int_eq(recorder_find(&r, "gpu0", NULL)->channel.time, cases[i].base);
    }
    read_ok("time,power\n23:59:59:750,5\n00:00:00:250,6\n"); /* a colon before the milliseconds, past midnight */
    ck_assert_int_eq(at("gpu0", 1) - at("gpu0", 0), S / 2);
}
END_TEST

START_TEST(an_index_without_a_header_tells_devices_apart)
{
    read_ok("2026/01/01 00:00:00.000, 2, 10.00 W, 50 %\n2026/01/01 00:00:00.000, 3, 20.00 W, 50 %\n"
            "2026/01/01 00:00:01.000, 2, 11.00 W, 50 %\n2026/01/01 00:00:01.000, 3, 21.00 W, 50 %\n"
            "2026/01/01 00:00:02.000, 2, 12.00 W, 50 %\n");
    has("gpu2", "#3", "10 11 12");
    has("gpu3", "#3", "20 21");
    ck_assert_str_eq(recorder_find(&r, "gpu3", NULL)->channel.identity, "index");
    has_note("assumed-device", 1);
    ck_assert_int_eq(read_with("2026/01/01 00:00:00,0,10.5,7\n2026/01/01 00:00:00,1,20.5,7\n"
                               "2026/01/01 00:00:01,0,11.5,7\n2026/01/01 00:00:01,1,21.5,7\n",
                               "time=#1,power=#3,header=no", 0),
                     WS_OK);
    has("gpu1", "#3", "20.5 21.5");
    /* a width that never changes, and a column that does not come back in turn */
    read_ok("2026/01/01 00:00:00, 16, 4, 10.00 W\n2026/01/01 00:00:01, 16, 7, 11.00 W\n"
            "2026/01/01 00:00:02, 16, 4, 12.00 W\n2026/01/01 00:00:03, 16, 9, 13.00 W\n");
    has("gpu0", "#4", "10 11 12 13");
    has_note("assumed-device", 0);
}
END_TEST

/* Output of a job before the log, of more lines than a header is usually looked for in, some with signs of their own.
 */
START_TEST(a_header_behind_the_output_of_a_job)
{
    static char text[64 * 1024];
    size_t n = 0;
    while (n < 40000)
        n += (size_t)snprintf(text + n, sizeof text - n, "loading module %zu\tok; 12 of 13\n", n);
    strcpy(text + n, "timestamp, index, power.draw [W], utilization.gpu [%]\n2026/01/01 00:00:00, 0, 10.00 W, 1 %\n"
                     "2026/01/01 00:00:01, 0, 11.00 W, 2 %\n");
    ck_assert_int_ge(ws_format_nvidia_smi_csv.score("t.log", (ws_span){text, strlen(text)}), 90);
    n = 0;
    while (n < 40000)
        n += (size_t)snprintf(text + n, sizeof text - n, "loading module %zu\n", n);
    strcpy(text + n, "timestamp; index; power.draw [W]\n2026/01/01 00:00:00; 0; 10,50 W\n"
                     "2026/01/01 00:00:01; 0; 11,50 W\n");
    read_ok(text);
    has("gpu0", "power.draw [W]", "10.5 11.5");
}
END_TEST

/* Without a value of their own the GPUs become known when their names are told, one after the other. */
START_TEST(names_of_gpus_without_values)
{
    enum { GPUS = 40 };
    char text[GPUS * 30];
    int n = sprintf(text, "timestamp,gpu,name,cpu_power_w\n");
    for (int i = 0; i < GPUS; i++)
        n += sprintf(text + n, "1,%d,GPU %c,100\n", i, 'A' + i);
    read_ok(text);
    ck_assert_uint_eq(r.n_facts, GPUS);
    for (size_t i = 0; i < r.n_facts; i++) {
        snprintf(text, sizeof text, "gpu%zu", i);
        ck_assert_str_eq(r.facts[i].device, text);
        snprintf(text, sizeof text, "GPU %c", (int)('A' + i));
        ck_assert_str_eq(r.facts[i].text, text);
    }
}
END_TEST

TEST_MAIN("smi csv traps", windows_line_ends_prompts_and_dates, date_lines_under_a_header, clocks_by_both_names,
          columns_without_unit_and_of_no_use, columns_beside_those_that_are_read, bus_id_tells_devices_apart,
          serial_tells_devices_apart, every_word_for_no_reading, a_column_that_never_reads,
          nothing_but_missing_readings, odd_readings_are_kept, the_date_in_a_file_name_means_nothing,
          a_table_saved_as_csv_is_a_table, a_bare_column_needs_a_period, a_clock_that_steps_back_keeps_the_order,
          a_logger_restarted_with_other_columns, a_logger_restarted_without_uuids,
          an_empty_limit_is_missing_and_no_power, units_that_contradict_the_column, many_samples_in_one_second,
          a_run_table_is_no_trace, rows_that_an_unknown_column_tells_apart, parts_that_take_turns_are_no_gpus,
          words_that_come_again_are_parts, processes_of_a_gpu_are_no_trace, stamps_of_wrappers,
          an_index_without_a_header_tells_devices_apart, a_header_behind_the_output_of_a_job,
          names_of_gpus_without_values, stamps_behind_a_prefix)
