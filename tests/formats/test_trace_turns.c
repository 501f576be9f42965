/* The numbers by which devices that take turns are told (column_limits.h), each from both sides. */
#include "trace_case.h"

#include <math.h>
#include <stdarg.h>

enum { MOST_BYTES = 512 * 1024 };

static char text[MOST_BYTES];
static char named_header[64];
static size_t n_text;
static uint32_t seed;
static double power_w; /* of the row before */

static void begin(const char *header)
{
    n_text = (size_t)snprintf(text, sizeof text, "%s\n", header);
    seed = 12345;
    power_w = 150;
}

/* 0 to 999, in no order. */
static uint32_t some_number(void)
{
    seed = seed * UINT32_C(1664525) + UINT32_C(1013904223);
    return (seed >> 8) % 1000;
}

/* W, about 150, up and down by a few from row to row as the power of one device is. */
static double some_power(void)
{
    power_w += ((double)some_number() - 499.5) / 100 + (150 - power_w) / 20;
    return power_w;
}

static void add(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void add(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    n_text += (size_t)vsnprintf(text + n_text, sizeof text - n_text, format, values);
    va_end(values);
}

static void add_stamp(int ms, bool is_fine)
{
    add("2026-02-11 08:%02d:%02d", ms / 60000, ms / 1000 % 60);
    if (is_fine)
        add(".%03d", ms % 1000);
}

static void add_power(int ms, bool is_fine)
{
    add_stamp(ms, is_fine);
    add(",%.1f\n", some_power());
}

/* How many devices the rows are read as; 0: that is asked. */
static size_t devices_of_rows(uint32_t described)
{
    ws_read_options options = WS_READ_DEFAULTS;
    options.described_devices = described;
    recorder_free(&r);
    ws_input *input = ws_input_from_memory("t.csv", text, n_text);
    ck_assert_int_eq(recorder_read_input(&r, &ws_format_generic_csv, input, &options), WS_OK);
    if (ws_notes_find(&r.notes, WS_FINDING_ASK_DEVICES))
        return 0;
    size_t n = 0;
    char name[16];
    do
        snprintf(name, sizeof name, "gpu%zu", n);
    while (recorder_find(&r, name, "gpu_power_w") && ++n);
    return n;
}

/* 100 rows, so many of which have the stamp of the one above. */
static size_t of_shared_stamps(int shared)
{
    begin("timestamp,gpu_power_w");
    for (int i = 0, s = 0; i < 100; i++) {
        s += i && i * shared / 99 == (i - 1) * shared / 99;
        add_power(1000 * s, false);
    }
    return devices_of_rows(0);
}

START_TEST(shared_stamps)
{
    ck_assert_uint_eq(of_shared_stamps(39), 1);
    ck_assert_uint_eq(of_shared_stamps(40), 0);
}
END_TEST

/* 40 polls of three rows with one stamp, `step_ms` apart; the stamps count in tenths of a second. */
static size_t of_equal_stamps(int step_ms, bool one_power)
{
    begin("timestamp,gpu_power_w");
    for (int i = 0; i < 120; i++) {
        double power = some_power();
        static double first;
        first = i % 3 ? first : power;
        add_stamp(100 + i / 3 * step_ms, true);
        add(",%.1f\n", one_power ? first : power);
    }
    return devices_of_rows(0);
}

START_TEST(polls_of_equal_stamps)
{
    ck_assert_uint_eq(of_equal_stamps(1000, false), 3);
    ck_assert_uint_eq(of_equal_stamps(900, false), 0); /* ten rows a second, rounded to tenths? */
    ck_assert_uint_eq(of_equal_stamps(1000, true), 1); /* a row for each process of one GPU */
}
END_TEST

/* Rows every `step_s`, whose stamps end with the minute or with the day. */
static size_t of_short_stamps(int step_s, int rows_of_a_poll, bool has_minutes)
{
    begin("timestamp,gpu_power_w");
    for (int i = 0; i < 120; i++) {
        int s = i / rows_of_a_poll * step_s, minute = s / 60;
        add("2026-02-%02d", 1 + minute / 1440);
        if (has_minutes)
            add(" %02d:%02d", minute / 60 % 24, minute % 60);
        add(",%.1f\n", some_power());
    }
    return devices_of_rows(0);
}

/* Six rows of one device a minute look like a row of six. */
START_TEST(stamps_without_seconds)
{
    ck_assert_uint_eq(of_short_stamps(10, 1, true), 0);
    ck_assert_uint_eq(of_short_stamps(30, 1, true), 0);
    ck_assert_uint_eq(of_short_stamps(60, 1, true), 1);
    ck_assert_uint_eq(of_short_stamps(9 * 60, 3, true), 0);
    ck_assert_uint_eq(of_short_stamps(10 * 60, 3, true), 3);
    ck_assert_uint_eq(of_short_stamps(43200, 1, false), 0);
    ck_assert_uint_eq(of_short_stamps(86400, 3, false), 0);
}
END_TEST

/* Two devices of different memory whose load comes back after so many polls. */
static size_t of_common_wave(int polls)
{
    begin("timestamp,gpu_power_w,memory_used_mib");
    for (int i = 0; i < 2000; i++) {
        add_stamp(i / 2 * 1000 + i % 2 * 5, true);
        add(",%.1f,%d\n", 150 + 40 * sin(6.283185307179586 * (i / 2) / polls) + some_power() / 100 + 3 * (i % 2),
            i % 2 ? 500 : 501);
    }
    return devices_of_rows(0);
}

START_TEST(common_loads_contradict_nothing)
{
    ck_assert_uint_eq(of_common_wave(17), 2);
    ck_assert_uint_eq(of_common_wave(8), 0); /* sixteen rows may be as many devices */
}
END_TEST

/* 100 rows, so many steps between which are 300 ms instead of 1 s, in no order. */
static size_t of_uneven_steps(int uneven)
{
    bool is_short[100] = {false};
    begin("timestamp,gpu_power_w");
    for (int n = 0; n < uneven;) {
        size_t at = 1 + (size_t)(some_power() * 10) % 99;
        n += !is_short[at];
        is_short[at] = true;
    }
    for (int i = 0, ms = 1; i < 100; i++) {
        ms += i == 0 ? 0 : is_short[i] ? 300 : 1000;
        add_power(ms, true);
    }
    return devices_of_rows(0);
}

START_TEST(uneven_steps)
{
    ck_assert_uint_eq(of_uneven_steps(19), 1);
    ck_assert_uint_eq(of_uneven_steps(20), 0);
}
END_TEST

/* Two devices with much and little memory in use, in so many rows. */
static size_t of_two_memories(int rows)
{
    begin("timestamp,gpu_power_w,memory_used_mib");
    for (int i = 0; i < rows; i++) {
        add_stamp(i / 2 * 1000, false);
        add(",%.1f,%d\n", some_power(), i % 2 ? 2000 : 500);
    }
    return devices_of_rows(0);
}

START_TEST(polls_that_prove_enough)
{
    ck_assert_uint_eq(of_two_memories(31), 0);
    ck_assert_uint_eq(of_two_memories(32), 2);
}
END_TEST

/* Polls of so many rows, `gap_ms` apart, once a second. */
static size_t of_polls(int polls, int size, int gap_ms)
{
    begin("timestamp,gpu_power_w");
    for (int i = 0; i < polls * size; i++)
        add_power(1 + i / size * 1000 + i % size * gap_ms, true);
    return devices_of_rows(0);
}

START_TEST(sizes_of_polls)
{
    ck_assert_uint_eq(of_polls(6, 64, 1), 64);
    ck_assert_uint_ne(of_polls(6, 65, 1), 65);
    ck_assert_uint_eq(of_polls(2, 3, 5), 3);
    ck_assert_uint_eq(of_polls(50, 2, 240), 2); /* an even spacing would be 500 ms */
    ck_assert_uint_eq(of_polls(50, 2, 260), 0);
}
END_TEST

/* Two devices in 101 polls, `odd` of which come `late_ms` later than a second after the one before. */
static size_t of_late_polls(int late_ms, int odd)
{
    begin("timestamp,gpu_power_w");
    for (int poll = 0, ms = 1; poll < 101; poll++) {
        add_power(ms, true);
        add_power(ms + 5, true);
        ms += 1000 + (poll * odd / 100 != (poll + 1) * odd / 100 ? late_ms : 0);
    }
    return devices_of_rows(0);
}

START_TEST(usual_times_between_polls)
{
    ck_assert_uint_eq(of_late_polls(240, 40), 2);
    ck_assert_uint_eq(of_late_polls(260, 40), 0);
    ck_assert_uint_eq(of_late_polls(500, 30), 2);
    ck_assert_uint_eq(of_late_polls(500, 33), 0);
}
END_TEST

/* 22 polls of two devices, `lost` of which lack a row. The first and the last do not count. */
static size_t of_described_polls(int lost)
{
    begin("timestamp,gpu_power_w");
    for (int poll = 0; poll < 22; poll++) {
        add_power(1000 * poll, false);
        if (poll == 0 || poll % 5 != 0 || poll / 5 > lost)
            add_power(1000 * poll, false);
    }
    return devices_of_rows(2);
}

START_TEST(described_devices)
{
    ck_assert_uint_eq(of_described_polls(2), 2);
    ck_assert_uint_eq(of_described_polls(3), 0);
}
END_TEST

/* Devices that draw 300 W, each on its own by so much more or less: 0 from row to row as chance has it, 1 slowly. They
 * are polled at even steps. */
static size_t of_equal_devices(int devices, double slowly)
{
    double own[8] = {0};
    begin("timestamp,gpu_power_w");
    for (int i = 0; i < 512; i++) {
        double *w = &own[i % devices];
        *w = *w * slowly + ((double)some_number() - 499.5) / 100;
        add_stamp(250 * i, true);
        add(",%.2f\n", 300 + *w);
    }
    return devices_of_rows(0);
}

/* Nothing in their rows tells them from one device, and nothing shows one either: they are read as one, and the energy
 * says that this is assumed. */
START_TEST(equal_devices)
{
    ck_assert_uint_eq(of_equal_devices(2, 0), 1);
    ck_assert_int_eq(recorder_find(&r, "gpu0", "gpu_power_w")->channel.assumed, WS_STATUS_ASSUMED_DEVICE);
    ck_assert_uint_eq(of_equal_devices(4, 0), 1);
    ck_assert_int_eq(recorder_find(&r, "gpu0", "gpu_power_w")->channel.assumed, WS_STATUS_ASSUMED_DEVICE);
    ck_assert_uint_eq(of_equal_devices(8, 0.9), 1);
    ck_assert_int_eq(recorder_find(&r, "gpu0", "gpu_power_w")->channel.assumed, WS_STATUS_ASSUMED_DEVICE);
    ck_assert_uint_eq(of_equal_devices(1, 0.5), 1);
    ck_assert_int_eq(recorder_find(&r, "gpu0", "gpu_power_w")->channel.assumed, WS_STATUS_OK);
    ck_assert_uint_eq(of_equal_devices(1, 0.9), 1);
    ck_assert_int_eq(recorder_find(&r, "gpu0", "gpu_power_w")->channel.assumed, WS_STATUS_OK);
}
END_TEST

/* Polls of more devices than a node has, 1 ms from row to row. */
static size_t of_large_polls(int devices, int polls, int period_ms)
{
    begin("timestamp,gpu_power_w");
    for (int i = 0; i < polls; i++)
        for (int d = 0; d < devices; d++)
            add_power(period_ms * i + d, true);
    return devices_of_rows(0);
}

START_TEST(polls_of_many_devices)
{
    ck_assert_uint_eq(of_large_polls(65, 20, 1000), 0);
    ck_assert_uint_eq(of_large_polls(100, 20, 1000), 0);
    ck_assert_uint_eq(of_large_polls(200, 5, 1000), 0);
    ck_assert_uint_eq(of_large_polls(200, 4, 1000), 1); /* three gaps */
    ck_assert_uint_eq(of_large_polls(100, 20, 210), 0); /* 19 gaps of 111 ms fill 52 % of 4.09 s */
    ck_assert_uint_eq(of_large_polls(100, 20, 190), 1); /* 19 of 91 ms, 47 % of 3.71 s */
}
END_TEST

/* Bursts of 6 to 9 rows, 10 ms from row to row, with gaps between that fill more than half of the time. */
static size_t of_uneven_bursts(int gap_ms)
{
    begin("timestamp,gpu_power_w");
    for (int burst = 0, ms = 1; burst < 60; burst++, ms += gap_ms - 10)
        for (uint32_t rows = 6 + some_number() % 4; rows; rows--, ms += 10)
            add_power(ms, true);
    return devices_of_rows(0);
}

START_TEST(gaps_between_bursts)
{
    ck_assert_uint_eq(of_uneven_bursts(81), 0); /* of more than eight steps */
    ck_assert_uint_eq(of_uneven_bursts(79), 1);
}
END_TEST

/* Two nodes take turns at even steps, each with GPUs 0 and 1, of which one draws more in the second node. */
static size_t of_two_nodes(double second_node_w, bool has_uuids, int step_ms)
{
    begin(has_uuids ? "timestamp,uuid,gpu_power_w" : "timestamp,index,gpu_power_w");
    for (int i = 0; i < 400; i++)
        for (int d = 0; d < 2; d++) {
            add_stamp(step_ms * i + 4 * d, true);
            add(has_uuids ? ",GPU-5b0fa12a-0000-0000-0000-00000000000%d,%.1f\n" : ",%d,%.1f\n", d,
                280 + (i % 2 && d ? second_node_w : 0) + (double)some_number() / 200);
        }
    return devices_of_rows(0);
}

/* Powers that change places from poll to poll, at stamps that scatter by 10 ms: of one logger, as where the load's
 * period is that of two polls, or of two that are 30 ms off half a period. */
static size_t of_scattered_stamps(bool two_loggers)
{
    begin("timestamp,index,gpu_power_w");
    for (int i = 0; i < 400; i++) {
        add_stamp(1000 * i + (two_loggers && i % 2 ? 30 : 0) + (int)(some_number() % 20), true);
        add(",0,%.1f\n", 280 + (i % 2 ? 40 : 0) + (double)some_number() / 100);
    }
    return devices_of_rows(0);
}

/* One node whose powers are a pattern to the last digit. */
static size_t of_pattern(void)
{
    begin("timestamp,index,gpu_power_w");
    for (int i = 0; i < 800; i++) {
        add_stamp(500 * (i / 2), true);
        add(",%d,%d\n", i % 2, 280 + 10 * (i / 2 % 2));
    }
    return devices_of_rows(0);
}

/* One node whose load comes back after about so many rows of a GPU, and a bit more in those of the second. */
static size_t of_periodic_load(double rows)
{
    begin("timestamp,index,gpu_power_w");
    for (int i = 0; i < 1600; i++) {
        double round = i / 2 / (rows + 0.001 * (i % 2));
        add_stamp(1000 * (i / 2) + 4 * (i % 2), true);
        add(",%d,%.1f\n", i % 2, (round - floor(round) < 0.5 ? 300 : 220) + (double)some_number() / 200);
    }
    return devices_of_rows(0);
}

/* The same with levels that differ by about as much as the readings vary; a row is lost, so that the first and the last
 * one of the sample are of one GPU. */
static size_t of_two_near_nodes(double second_node_w)
{
    begin("timestamp,index,gpu_power_w");
    for (int i = 0; i < 400; i++)
        for (int d = 0; d < (i == 5 ? 1 : 2); d++) {
            add_stamp(1000 * i + 4 * d, true);
            add(",%d,%.1f\n", d, 280 + (i % 2 && d ? second_node_w : 0) + (double)some_number() / 100);
        }
    return devices_of_rows(0);
}

/* One node with one load whose dip each fifth reading of both GPUs meets: what they do at once. The GPUs differ by so
 * much of their power, in those of each third reading too where there are three nodes. */
static size_t of_dips(bool has_nodes)
{
    begin("timestamp,index,gpu_power_w");
    for (int i = 0; i < 400; i++)
        for (int d = 0; d < 2; d++) {
            double gain = d ? 1.02 : 1;
            gain += has_nodes && i % 3 == 1 && d ? 0.02 : 0;
            add_stamp(1000 * i + 4 * d, true);
            add(",%d,%.2f\n", d, gain * (i % 5 == 3 ? 240 : 300) + (double)some_number() / 200);
        }
    return devices_of_rows(0);
}

START_TEST(nodes_in_turn)
{
    ck_assert_uint_eq(of_dips(false), 2);
    ck_assert_uint_eq(of_dips(true), 0);
    ck_assert_uint_eq(of_periodic_load(1.99), 2);
    ck_assert_uint_eq(of_periodic_load(3.02), 2);
    ck_assert_uint_eq(of_periodic_load(2.51), 2);
    ck_assert_uint_eq(of_periodic_load(0.495), 2);
    ck_assert_uint_eq(of_pattern(), 2);
    ck_assert_uint_eq(of_scattered_stamps(false), 1);
    ck_assert_uint_eq(of_scattered_stamps(true), 0);
    ck_assert_uint_eq(of_two_nodes(10, false, 1000), 0);
    ck_assert_uint_eq(of_two_nodes(10, false, 251), 0);
    ck_assert_uint_eq(of_two_nodes(10, false, 249), 2); /* no two nodes over a network */
    ck_assert_uint_eq(of_two_nodes(0, false, 1000), 2);
    ck_assert_uint_eq(of_two_nodes(10, true, 1000), 2);
    ck_assert_uint_eq(of_two_near_nodes(6), 0);
    ck_assert_uint_eq(of_two_near_nodes(0), 2);
}
END_TEST

/* Polls a second apart of nodes whose rows hold two GPUs each; the second node's draw some more. Is it asked? `named`:
 * a column without a known name says whose the rows are, in a word or a number. */
static bool asks_of_wide_rows(int nodes, int apart, int above, bool is_fine, const char *named)
{
    begin(*named ? "timestamp,gpu0_w,gpu1_w,pod" : "timestamp,gpu0_w,gpu1_w");
    for (int i = 0; i < 100; i++)
        for (int node = 0; node < nodes; node++) {
            add_stamp(1000 * i + node * apart, is_fine);
            double first = some_power() + node * above, second = some_power() + node * above / 4;
            add(",%.1f,%.1f", first, second);
            add(*named ? ",%s%d\n" : "\n", named[0] == 'w' ? "w" : "", node);
        }
    devices_of_rows(0);
    return ws_notes_find(&r.notes, WS_FINDING_ASK_DEVICES) != NULL;
}

START_TEST(nodes_in_turn_in_wide_rows)
{
    ck_assert(asks_of_wide_rows(2, 300, 200, true, ""));
    ck_assert(!asks_of_wide_rows(2, 500, 200, true, "")); /* as one that is polled at 2 Hz in a load of 1 Hz */
    ck_assert(asks_of_wide_rows(2, 0, 200, false, ""));
    ck_assert(asks_of_wide_rows(3, 0, 200, false, ""));
    ck_assert(!asks_of_wide_rows(1, 0, 0, true, ""));
    ck_assert(!asks_of_wide_rows(2, 300, 0, true, ""));
    ck_assert(!asks_of_wide_rows(2, 0, 0, false, "")); /* polled twice a second */
    ck_assert(asks_of_wide_rows(2, 0, 0, false, "word"));
    ck_assert(!asks_of_wide_rows(2, 0, 0, false, "number")); /* may count the rows of a second */
    ck_assert(asks_of_wide_rows(2, 0, 200, false, "number"));
    ck_assert(!asks_of_wide_rows(2, 300, 0, true, "word")); /* may be begin and end of a step */
}
END_TEST

/* Readings of a node's meter, or of those of two nodes that write into one file. Is it asked? */
static bool asks_of_node_meters(bool are_two)
{
    begin("timestamp,node_power_w");
    for (int i = 0; i < 200; i++) {
        add_stamp(500 * (i - i % 2) + (are_two ? 300 : 500) * (i % 2), true);
        add(",%.1f\n", some_power() + (are_two && i % 2 ? 200 : 0));
    }
    devices_of_rows(0);
    const recorded *node = recorder_find(&r, NULL, "node_power_w");
    ck_assert_ptr_nonnull(node);
    return node->channel.ask == WS_ASK_DEVICES;
}

START_TEST(node_meters_in_turn)
{
    ck_assert(!asks_of_node_meters(false));
    ck_assert(asks_of_node_meters(true));
}
END_TEST

/* Two devices whose memory in use is 1500 MiB apart; that of both changes from poll to poll: back and forth, or on and
 * on. */
static size_t of_changing_memories(int change_mib, bool goes_on)
{
    begin("timestamp,gpu_power_w,memory_used_mib");
    for (int i = 0; i < 100; i++) {
        int poll = i / 2;
        add_stamp(poll * 1000, false);
        add(",%.1f,%d\n", some_power(), (i % 2 ? 2000 : 500) + change_mib * (goes_on ? poll : poll % 2));
    }
    return devices_of_rows(0);
}

/* `polls` polls a second apart of two nodes with two GPUs of one number each, as like as one GPU is to itself; the
 * second node's rows are `apart` ms behind the first one's. Every `skipped`th poll lacks them; 0: none does. */
static size_t of_alike_nodes(const char *column, int polls, int apart, bool is_fine, int skipped)
{
    snprintf(named_header, sizeof named_header, "timestamp,gpu,gpu_power_w,%s", column);
    begin(*column ? named_header : "timestamp,gpu,gpu_power_w");
    for (int i = 0; i < polls; i++)
        for (int node = 0; node < 2; node++)
            for (int gpu = 0; gpu < 2 && !(node && skipped && i % skipped == 0); gpu++) {
                add_stamp(1000 * i + node * apart + 3 * gpu, is_fine);
                add(",%d,%.1f%s\n", gpu, some_power(), !*column ? "" : node ? ",right" : ",left");
            }
    return devices_of_rows(0);
}

static size_t of_processes(void)
{
    begin("timestamp,gpu,gpu_power_w,process");
    for (int i = 0; i < 100; i++) {
        double watts = some_power();
        for (int process = 0; process < 2; process++) {
            add_stamp(1000 * i, false);
            add(",0,%.1f,%s\n", watts, process ? "train.py" : "Xorg");
        }
    }
    return devices_of_rows(0);
}

/* One node whose two GPUs are polled twice a second, at stamps of whole seconds, or two such nodes of one load that are
 * polled once, in n rows of each GPU: a temperature that rises by 1 degree every so many rows, and in so many single
 * ones. That of the second node is a degree higher; GPU 1 may stay as it is. */
static size_t of_temperatures(int nodes, int every, int single, int n, bool is_idle)
{
    begin("timestamp,gpu,gpu_power_w,temperature_c");
    for (int i = 0; i < n; i++)
        for (int gpu = 0; gpu < 2; gpu++) {
            int above = nodes == 2 ? i % 2 : i % every == 3 && i / every < single;
            add_stamp(500 * (i - i % 2), false);
            add(",%d,%.1f,%d\n", gpu, some_power(),
                gpu && is_idle ? 33 : 40 + (nodes == 2 ? i - above : i) / every + above);
        }
    return devices_of_rows(0);
}

/* The same with an energy counter that begins at so many J and is 0 in every so many rows; the second node's is 5 kJ
 * higher, or, where both begin at 0, of a card that draws 1 % more. */
static size_t of_counters(int nodes, int begins, int every, int n)
{
    begin("timestamp,gpu,gpu_power_w,total_energy_j");
    for (int i = 0; i < n; i++)
        for (int gpu = 0; gpu < 2; gpu++) {
            add_stamp(500 * (i - i % 2), false);
            int above = nodes < 2 ? 0 : begins ? i % 2 * 5000 : i % 2 * (3 * i / 4 - 75);
            add(",%d,%.1f,%d\n", gpu, some_power(), i % every ? begins + 75 * i + above : 0);
        }
    return devices_of_rows(0);
}

START_TEST(columns_that_prove_one)
{
    ck_assert_uint_eq(of_temperatures(2, 4, 0, 200, false), 0);
    ck_assert_uint_eq(of_temperatures(1, 4, 0, 200, false), 2);
    ck_assert(ws_notes_find(&r.notes, WS_FINDING_PROVEN_DEVICE));
    ck_assert_uint_eq(of_temperatures(1, 4, 0, 200, true), 0);
    ck_assert_uint_eq(of_temperatures(1, 1, 0, 200, false), 0); /* no change is there in the next row */
    ck_assert_uint_eq(of_temperatures(1, 8, 0, 130, false), 2); /* 16 changes */
    ck_assert_uint_eq(of_temperatures(1, 8, 0, 128, false), 0); /* 15 */
    ck_assert_uint_eq(of_temperatures(1, 8, 3, 200, false), 2); /* 27 of 30 changes are kept */
    ck_assert_uint_eq(of_temperatures(1, 8, 4, 200, false), 0); /* 28 of 32 */
    ck_assert_uint_eq(of_counters(2, 700000, 1000, 200), 0);
    ck_assert_uint_eq(of_counters(1, 700000, 1000, 200), 2);
    ck_assert(ws_notes_find(&r.notes, WS_FINDING_PROVEN_DEVICE));
    ck_assert_uint_eq(of_counters(1, 700000, 20, 211), 2); /* 200 rises, 10 falls */
    ck_assert_uint_eq(of_counters(1, 700000, 20, 210), 0); /* 199 */
    /* counters of two cards that began together stay within a step of each other for a while */
    ck_assert_uint_eq(of_counters(2, 0, 1000, 90), 0);
    ck_assert_uint_eq(of_counters(1, 0, 1000, 90), 0);
    /* 89 rises, of which 88 are 75 J: 74.16 on average, of which the first reading, 75 J on, is 1001 and 999 */
    ck_assert_uint_eq(of_counters(1, 74160, 1000, 90), 2);
    ck_assert_uint_eq(of_counters(1, 74010, 1000, 90), 0);
}
END_TEST

/* Nodes that number their GPUs alike, though their powers are alike, too: the same seconds, a column that says whose
 * row it is, or polls show them. */
START_TEST(alike_nodes_in_turn)
{
    ck_assert_uint_eq(of_alike_nodes("", 100, 0, false, 0), 0);
    ck_assert_uint_eq(of_alike_nodes("", 16, 0, false, 0), 0);
    ck_assert_uint_eq(of_alike_nodes("", 15, 0, false, 0), 2);
    ck_assert_uint_eq(of_alike_nodes("", 100, 0, false, 20), 0); /* 5 of 100 */
    ck_assert_uint_eq(of_alike_nodes("", 100, 0, false, 19), 2);
    ck_assert_uint_eq(of_alike_nodes("worker", 100, 500, true, 0), 0);
    ck_assert_uint_eq(of_alike_nodes("", 100, 500, true, 0), 2); /* one logger at twice the rate */
    ck_assert_uint_eq(of_alike_nodes("", 100, 200, true, 0), 0);
    ck_assert_uint_eq(of_alike_nodes("host", 100, 0, false, 0), 2); /* of each, which the name of the node tells */
    ck_assert_uint_eq(of_processes(), 1);
}
END_TEST

START_TEST(memory_comes_back)
{
    ck_assert_uint_eq(of_changing_memories(149, false), 2); /* of 1500 */
    ck_assert_uint_eq(of_changing_memories(151, false), 4); /* four rows are as good as equal */
    /* neighbours differ by 1500 and 1500 - change: 0.35 of their mean is 447 */
    ck_assert_uint_eq(of_changing_memories(440, true), 2);
    ck_assert_uint_eq(of_changing_memories(455, true), 0);
}
END_TEST

static size_t samples_of(const char *device)
{
    return recorder_find(&r, device, "gpu_power_w")->n;
}

/* 100 polls of two devices, in so many of which both rows are the same. */
static size_t of_equal_rows(int equal)
{
    begin("timestamp,gpu_power_w");
    for (int poll = 0; poll < 100; poll++) {
        double power = some_power();
        for (int i = 0; i < 2; i++) {
            add_stamp(1000 * poll, false);
            add(",%.1f\n", i && (poll + 1) * equal / 100 == poll * equal / 100 ? power + 100 : power);
        }
    }
    ck_assert_uint_eq(devices_of_rows(2), 2);
    return samples_of("gpu0") + samples_of("gpu1");
}

START_TEST(equal_rows_are_repeats)
{
    ck_assert_uint_eq(of_equal_rows(10), 190);
    ck_assert_uint_eq(of_equal_rows(11), 200); /* of 200 */
}
END_TEST

/* 50 polls of two devices once a second; the second row of one is late. */
static void read_late_row(int late_ms)
{
    begin("timestamp,gpu_power_w");
    for (int poll = 0; poll < 50; poll++) {
        add_power(1 + 1000 * poll, true);
        add_power(1 + 1000 * poll + (poll == 25 ? late_ms : 5), true);
    }
    ck_assert_uint_eq(devices_of_rows(0), 2);
}

START_TEST(late_rows)
{
    read_late_row(740);
    ck_assert(samples_of("gpu0") == 50 && samples_of("gpu1") == 50 &&
              !ws_notes_find(&r.notes, WS_FINDING_SHORT_SAMPLE));
    read_late_row(760); /* is one of the next poll, and this one lacks a row */
    ck_assert(ws_notes_find(&r.notes, WS_FINDING_SHORT_SAMPLE));
}
END_TEST

/* Three devices of 100, 200 and 300 W that are read in turn every 500 ms; so many of 400 steps last 700 ms, and a row
 * is missing. The mean power of the first. */
static double of_spread_rows(int longer)
{
    begin("timestamp,gpu_power_w");
    for (int i = 0, ms = 1; i < 401; i++) {
        ms += i == 0 ? 0 : i * longer / 400 != (i - 1) * longer / 400 ? 700 : 500;
        if (i == 201)
            continue;
        add_stamp(ms, true);
        add(",%.1f\n", 100 * (i % 3 + 1) + some_power() / 100);
    }
    ck_assert_uint_eq(devices_of_rows(3), 3);
    return recorded_sum(recorder_find(&r, "gpu0", "gpu_power_w")) / (double)samples_of("gpu0");
}

START_TEST(steps_show_missing_rows)
{
    ck_assert_double_lt(of_spread_rows(38), 103);
    ck_assert_double_gt(of_spread_rows(41), 140); /* places are counted, and change behind the missing row */
}
END_TEST

/* Two rows of each device at each of a few stamps, of parts of a second or of whole ones. */
static ws_question asked_of_few_polls(const char *fraction, const char *second_w)
{
    char log[1024] = "timestamp,gpu,power_w\n";
    for (int poll = 0, n = (int)strlen(log); poll < 3; poll++)
        for (int row = 0; row < 4; row++)
            n += snprintf(log + n, sizeof log - (size_t)n, "2026-01-01 00:00:0%d%s,%d,%s\n", poll, fraction, row % 2,
                          row < 2 ? "250.5" : second_w);
    read_ok(log);
    ck_assert_uint_eq(r.n, 2);
    return r.channels[0].channel.ask;
}

/* No sensor shows two powers in one millisecond: a short log of two nodes. Of whole seconds a few polls may be those of
 * a logger that is faster than its stamps. */
START_TEST(few_polls_with_several_rows_of_a_device)
{
    ck_assert_int_eq(asked_of_few_polls(".125", "100.5"), WS_ASK_DEVICES);
    ck_assert_int_eq(asked_of_few_polls(".125", "250.5"), WS_ASK_NOTHING); /* rows that were written twice */
    ck_assert_int_eq(asked_of_few_polls("", "100.5"), WS_ASK_NOTHING);
}
END_TEST

TEST_MAIN("trace turns", few_polls_with_several_rows_of_a_device, equal_devices, polls_of_many_devices,
          gaps_between_bursts, nodes_in_turn, nodes_in_turn_in_wide_rows, node_meters_in_turn, alike_nodes_in_turn,
          columns_that_prove_one, shared_stamps, polls_of_equal_stamps, stamps_without_seconds,
          common_loads_contradict_nothing, uneven_steps, polls_that_prove_enough, sizes_of_polls,
          usual_times_between_polls, described_devices, memory_comes_back, equal_rows_are_repeats, late_rows,
          steps_show_missing_rows)
