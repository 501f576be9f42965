/* Cells of delimited traces: units, missing and cut ones, stamps. Numbers known by hand. */
#include "core/zone.h"
#include "trace_case.h"

START_TEST(a_cut_device_name_is_no_device)
{
    read_ok("timestamp, uuid, power.draw [W]\n"
            "2026/01/01 00:00:00.000, GPU-aaaa, 10.00 W\n"
            "2026/01/01 00:00:01.000, GPU-aaaa, 11.00 W\n"
            "2026/01/01 00:00:02.000, GPU-a");
    has("gpu0", "power.draw [W]", "10 11");
    has_note("truncated-line", 1);
    ck_assert_uint_eq(r.n, 1);
}
END_TEST

START_TEST(nounits_and_units_mixed)
{
    read_ok("timestamp, power.draw [W]\r\n2026/01/01 00:00:00, 10\r\n2026/01/01 00:00:01, 11 W\r\n"
            "2026/01/01 00:00:02, 12500 mW\r\n2026/01/01 00:00:03, 13 %\r\n");
    has("gpu0", "power.draw [W]", "10 11 12.5 -");
    has_note("unread-number", 1);
}
END_TEST

START_TEST(missing_is_never_zero)
{
    read_ok("timestamp, power.draw [W], clocks.sm [MHz]\n2026/01/01 00:00:00, [N/A], [Unknown Error]\n"
            "2026/01/01 00:00:01, 0.00 W, 1\n2026/01/01 00:00:02, , [Unknown Error]\n"
            "2026/01/01 00:00:03, ERR!, [Unknown Error]\n");
    has("gpu0", "power.draw [W]", "- 0 - -");
    has("gpu0", "clocks.sm [MHz]", "- 1000000 - -");
    has_note("unreadable-cell", 0);
}
END_TEST

START_TEST(clocks_without_seconds_from_the_first_hour_on)
{
    static const char run[] = "Time,CPU Package Power [W]\n0:58,10\n0:59,20\n1:00,30\n1:01,40\n";
    static const char late[] = "Time,CPU Package Power [W]\n0:00,10\n75:30,20\n";
    read_ok(run);
    has_note("ask-unit", 1);
    ck_assert_int_eq(read_with(run, "unit=min", 0), WS_OK);
    has_note("ask-unit", 0);
    ck_assert_int_eq(at("cpu0", 3) - at("cpu0", 0), 180 * S);
    ck_assert_int_eq(read_with(run, "unit=s", 0), WS_OK);
    has_note("ask-unit", 0);
    ck_assert_int_eq(at("cpu0", 0), 58 * S);
    ck_assert_int_eq(at("cpu0", 3), 61 * S);
    ck_assert_int_eq(read_with(late, "unit=s", 0), WS_OK);
    ck_assert_int_eq(at("cpu0", 1), 4530 * S);
    read_ok("Time,CPU Package Power [W]\n1:00,10\n1:01,20\n1:02,30\n1:03,40\n");
    has_note("ask-unit", 0);
    read_ok("Time,CPU Package Power [W]\n0:00:58,10\n0:00:59,20\n0:01:00,30\n0:01:01,40\n");
    has_note("ask-unit", 0);
}
END_TEST

START_TEST(last_line_cut)
{
    static const struct {
        const char *last, *want;
    } cases[] = {
        {"2026/01/01 00:00:02, 3 %, ", "1.25 2.25 -"},  /* an empty cell */
        {"2026/01/01 00:00:02, 3 %", "1.25 2.25 -"},    /* a cell short */
        {"2026/01/01 00:00:02, 3 %, 3", "1.25 2.25 -"}, /* no decimals, no unit */
        {"2026/01/01 00:00:02, 3 %, 3.25", "1.25 2.25 -"},
        {"2026/01/01 00:00:02, 3 %, 3.2 W", "1.25 2.25 -"},
        {"2026/01/01 00:00:02, 3 %, 3.25 W", "1.25 2.25 3.25"}, /* whole, only the line end is missing */
        {"2026/01/01 00:0", "1.25 2.25"},
        {"2026", "1.25 2.25"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[400];
        snprintf(text, sizeof text,
                 "timestamp, utilization.gpu [%%], power.draw [W]\n2026/01/01 00:00:00, 1 %%, 1.25 W\n"
                 "2026/01/01 00:00:01, 2 %%, 2.25 W\n%s",
                 cases[i].last);
        read_ok(text);
        has("gpu0", "power.draw [W]", cases[i].want);
        has_note("truncated-line", strstr(cases[i].last, "3.25 W") ? 0 : 1);
    }
}
END_TEST

START_TEST(a_quote_that_is_never_closed)
{
    ws_status status = read_with("timestamp,gpu,power_w\n2026-01-01 00:00:00,0,100\n2026-01-01 00:00:01,0,150\n"
                                 "2026-01-01 00:00:02,0,\"200\n2026-01-01 00:00:03,0,180\n2026-01-01 00:00:04,0,120\n",
                                 NULL, 0);
    ck_assert_int_eq(status, WS_FORMAT);
    ck_assert_msg(strncmp(r.error.message, "t.csv:4: a quote that opens here is never closed: 2 lines on", 60) == 0,
                  "%s", r.error.message);
    has("gpu0", "power_w", "100 150");
    read_ok("timestamp,gpu,power_w\n2026-01-01 00:00:00,0,100\n2026-01-01 00:00:01,0,150\n"
            "2026-01-01 00:00:02,0,\"200\n"); /* the last line may be cut */
    has("gpu0", "power_w", "100 150 -");
    has_note("truncated-line", 1);
}
END_TEST

START_TEST(last_whole_number_cut)
{
    read_ok("timestamp,power.draw,memory.used\n1,10,90098\n2,10,90098\n3,10,90");
    has("gpu0", "memory.used", "94474600448 94474600448 -");
    has("gpu0", "power.draw", "10 10 -");
    has_note("truncated-line", 1);
}
END_TEST

START_TEST(stamps_that_cannot_be_read)
{
    read_ok("timestamp,power.draw\n2026-01-01 00:00:00,10\nyesterday,11\n2026-01-01 00:00:02,12\n");
    has("gpu0", "power.draw", "10 - 12");
    has_note("bad-stamp", 1);
    ck_assert_str_eq(ws_notes_find(&r.notes, WS_FINDING_BAD_STAMP)->text, "no stamp: 'yesterday'");
    ck_assert_int_eq(ws_notes_find(&r.notes, WS_FINDING_BAD_STAMP)->line, 3);
}
END_TEST

START_TEST(milliwatts_named_watts)
{
    read_ok("timestamp,gpu_power_w,gpu_energy_kwh\n1700000000,4939.00,0.00137194\n1700000001,6472.00,0.00179778\n");
    has("gpu0", "gpu_power_w", "4.939 6.472");
    has_note("implausible-unit", 1);
    has_note("implausible-energy", 1);
    ck_assert_int_eq(read_with("timestamp,gpu_power_w\n1700000000,4939.00\n", "power=gpu_power_w,unit=W", 0), WS_OK);
    has("gpu0", "gpu_power_w", "4939");
    read_ok("timestamp,power_mw\n1700000000,4.39\n1700000001,5.5\n");
    has("gpu0", "power_mw", "4.39 5.5");
    has_note("implausible-unit", 1);
    read_ok("timestamp,power\n1700000000,4939\n1700000001,5000\n"); /* may be a node: nothing says GPU */
    ck_assert_int_eq(r.channels[0].channel.ask, WS_ASK_UNIT);
    read_ok("timestamp,power_w\n1700000000,4939\n1700000001,5000\n");
    has("gpu0", "power_w", "4939 5000");
    has_note("implausible-power", 1);
    read_ok("timestamp,gpu_power_w\n1700000000,1900\n1700000001,2100\n");
    has("gpu0", "gpu_power_w", "1900 2100");
}
END_TEST

/* A board of 5 W whose logger wrote milliwatts throughout: what is no GPU's may be right, and is told. */
START_TEST(powers_beside_milliwatts_named_watts)
{
    const char *text = "timestamp,gpu_power_w,cpu_power_w\n1700000000,4939.00,1200\n1700000001,6472.00,1300\n";
    read_ok(text);
    has("gpu0", "gpu_power_w", "4.939 6.472");
    has("cpu0", "cpu_power_w", "1200 1300");
    has_note("doubtful-unit", 1);
    ck_assert_str_eq(ws_notes_find(&r.notes, WS_FINDING_DOUBTFUL_UNIT)->subject, "cpu_power_w");
    ck_assert_int_eq(read_with(text, "unit=mW", 0), WS_OK);
    has("cpu0", "cpu_power_w", "1.2 1.3");
    has_note("doubtful-unit", 0);
    read_ok("timestamp,gpu_power_w,cpu_power_w\n1700000000,493.9,120\n1700000001,647.2,130\n");
    has_note("doubtful-unit", 0);
}
END_TEST

/* AMD's library gives microwatts on some hosts, and the largest number of 32 bits where a GPU has no such reading. */
START_TEST(microwatts_and_marks_of_amd)
{
    read_ok("timestamp,gpu,socket_power\n1700000000,0,300000000\n1700000010,0,310000000\n");
    has("gpu0", "socket_power", "300 310");
    has_note("implausible-unit", 1);
    ck_assert_ptr_nonnull(strstr(ws_notes_find(&r.notes, WS_FINDING_IMPLAUSIBLE_UNIT)->text, "read as uW"));
    read_ok("timestamp,gpu,current_socket_power,average_socket_power,energy_j\n"
            "1700000000,0,4294967295,300,5\n1700000010,0,4294967295,310,6\n");
    has("gpu0", "average_socket_power", "300 310");
    has_note("implausible-unit", 0); /* no unit makes a reading of a mark, and the energy is not to blame */
    has_note("implausible-energy", 0);
}
END_TEST

START_TEST(several_lines_in_a_cell)
{
    read_ok("elapsed_sec,temp_c,power_w\n0.08,29,\"26.11\n0\"\n0.34,29,\"36.51\n0\"\n");
    has("gpu0", "power_w", "26.11 36.51");
    has_note("multi-line-cell", 2);
    ck_assert_int_eq(at("gpu0", 1), 340000000);
    ck_assert_int_eq(recorder_find(&r, "gpu0", NULL)->channel.time, WS_TIME_RELATIVE);
    ck_assert_int_eq(recorder_find(&r, "gpu0", NULL)->line[1], 4);
}
END_TEST

START_TEST(date_and_time_in_two_columns)
{
    read_ok("Date,Time,Power Used\n04-03-2021,13:32:39,1\n04-03-2021,13:32:40,2\n");
    ck_assert_int_eq(at("gpu0", 0), INT64_C(1614864759) * S); /* 4 March */
    has_note("day-first", 1);
    read_ok("Date,Time,Power Used\n03-04-2021,13:32:39,1\n03-14-2021,13:32:40,2\n"); /* the second row decides */
    ck_assert_int_eq(at("gpu0", 0), INT64_C(1614864759) * S);
    has_note("day-first", 0);
    read_ok("date,timestamp,power\n2026-01-01,2026-01-01 00:00:05,1\n");
    ck_assert_int_eq(at("gpu0", 0), DAY_2026 + 5 * S);
}
END_TEST

START_TEST(forms_of_time)
{
    static const struct {
        const char *name, *stamp;
        int64_t ns;
        ws_time_base base;
    } cases[] = {
        {"timestamp", "1747583343", INT64_C(1747583343000000000), WS_TIME_UTC},
        {"timestamp", "1747583343809", INT64_C(1747583343809000000), WS_TIME_UTC},
        {"timestamp", "1747583343809690", INT64_C(1747583343809690000), WS_TIME_UTC},
        {"Timestamp (ns)", "1747583343809690966", INT64_C(1747583343809690966), WS_TIME_UTC},
        {"Timestamp (s)", "2026-01-01 00:00:00.25", DAY_2026 + S / 4, WS_TIME_NAIVE},
        {"time", "2026-01-01T00:00:00Z", DAY_2026, WS_TIME_UTC},
        {"elapsed_s", "12.5", 12 * S + S / 2, WS_TIME_RELATIVE},
        {"elapsed_ms", "250", S / 4, WS_TIME_RELATIVE},
        {"time_us", "1500000.5", 1500000500, WS_TIME_RELATIVE},
        {"time_ns", "9000000000", 9 * S, WS_TIME_RELATIVE},
        {"time (min)", "2.5", 150 * S, WS_TIME_RELATIVE},
        {"elapsed [hours]", "2", 7200 * S, WS_TIME_RELATIVE},
        {"time_min", "1747583343", INT64_C(1747583343000000000), WS_TIME_UTC},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[200];
        snprintf(text, sizeof text, "%s,power\n%s,5\n", cases[i].name, cases[i].stamp);
        read_ok(text);
        ck_assert_msg(at("gpu0", 0) == cases[i].ns, "%s: %lld", cases[i].stamp, (long long)at("gpu0", 0));
        ck_assert_int_eq(recorder_find(&r, "gpu0", NULL)->channel.time, cases[i].base);
    }
}
END_TEST

START_TEST(day_numbers_of_spreadsheets_are_no_seconds)
{
    fails("timestamp,power\n46064.333333,100\n46064.333345,100\n46064.333356,100\n", NULL, WS_DATA, "day number");
    read_ok("elapsed,power\n46064.3,100\n46064.4,100\n46064.5,100\n");
    ck_assert_int_eq(at("gpu0", 1) - at("gpu0", 0), S / 10);
}
END_TEST

START_TEST(time_of_day_passes_midnight)
{
    read_ok("time,power\n23:59:59.500,1\n00:00:00.500,2\n00:00:01.500,3\n");
    ck_assert_int_eq(at("gpu0", 1) - at("gpu0", 0), S);
    ck_assert_int_eq(at("gpu0", 2) - at("gpu0", 0), 2 * S);
}
END_TEST

START_TEST(zone_given_by_the_user)
{
    ws_read_options options = WS_READ_DEFAULTS;
    options.zone = 3600;
    const char *text = "timestamp,power\n2026-01-01 01:00:00,1\n";
    recorder_free(&r);
    ck_assert_int_eq(
        recorder_read_input(&r, &ws_format_generic_csv, ws_input_from_memory("t.csv", text, strlen(text)), &options),
        WS_OK);
    ck_assert_int_eq(at("gpu0", 0), DAY_2026);
    ck_assert_int_eq(recorder_find(&r, "gpu0", NULL)->channel.time, WS_TIME_UTC);
    has_note("naive-time", 0);
}
END_TEST

/* A load, a temperature, memory, a clock and a power in mW or uW are written in whole numbers, the power in W is not.
 */
START_TEST(whole_numbers_without_a_name_are_asked_for)
{
    ck_assert_int_eq(read_with("1700000000,87\n1700000001,91\n", NULL, 0), WS_DATA);
    ck_assert_ptr_nonnull(strstr(r.error.message, "--columns"));
    ck_assert_int_eq(read_with("1700000000\n71570\n1700000001\n74430\n1700000002\n74430\n", NULL, 0), WS_DATA);
    ck_assert_ptr_nonnull(strstr(r.error.message, "as in --columns power=#1,header=no"));
    read_ok("1700000000,87.0\n1700000001,91\n");
    has("gpu0", "#2", "87 91");
    has_note("assumed-power", 1);
}
END_TEST

/* A plug's volts, watts and amperes, or mA: the power is the product of the others. */
START_TEST(volts_times_amperes_show_the_power_of_rows_without_a_header)
{
    fails("2026-02-11 08:00:00,230.1,61.2,0.266\n2026-02-11 08:00:02,229.8,250.3,1.089\n"
          "2026-02-11 08:00:04,230.4,248.9,1.080\n",
          NULL, WS_DATA, "as in --columns time=#1,power=#3,header=no");
    fails("1700000000,5.1,941,4.80\n1700000001,5.1,300,1.53\n1700000002,5.0,612,3.06\n", NULL, WS_DATA,
          "as in --columns time=#1,power=#4,header=no");
    fails("1700000000,5.1,941,4.9\n1700000001,5.1,300,1.58\n1700000002,5.0,612,3.16\n", NULL, WS_DATA,
          "as in --columns time=#1,power=#2,header=no");
    /* rounded to 2.9 % below, and to 3.1 % */
    fails("1700000000,200,97.1,0.5\n1700000001,220,106.81,0.5\n1700000002,240,116.52,0.5\n", NULL, WS_DATA,
          "as in --columns time=#1,power=#3,header=no");
    fails("1700000000,200,96.9,0.5\n1700000001,220,106.59,0.5\n1700000002,240,116.28,0.5\n", NULL, WS_DATA,
          "as in --columns time=#1,power=#2,header=no");
}
END_TEST

START_TEST(no_time_at_all)
{
    const char *text = "28.44\n28.45\n28.50\n";
    read_ok(text);
    has("gpu0", "#1", "28.44 28.45 28.5");
    const recorded *c = recorder_find(&r, "gpu0", "#1");
    ck_assert_int_eq(c->channel.time, WS_TIME_NONE);
    ck_assert(!c->has_time && !c->has_interval);
    has_note("assumed-power", 1);
    ck_assert_int_eq(read_with(text, NULL, 2 * S), WS_OK);
    c = recorder_find(&r, "gpu0", "#1");
    ck_assert_int_eq(c->channel.time, WS_TIME_RELATIVE);
    ck_assert(c->has_time && c->has_interval);
    ck_assert_int_eq(c->t_ns[0], 0);
    ck_assert_int_eq(c->t_ns[2], 4 * S);
    ck_assert_int_eq(c->interval_ns[0], 2 * S);
    ck_assert_int_eq(c->interval_ns[2], 2 * S);
}
END_TEST

/* However far to the right it stands, a second column of one quantity is one that is trusted. */
START_TEST(a_second_power_far_to_the_right)
{
    read_ok("timestamp,gpu_util,mem_util,mem_used_mib,temp_c,sm_clock_mhz,mem_clock_mhz,power_w,power_draw_w\n"
            "1770796800,50,20,100,50,1000,900,100,101\n1770796801,50,20,100,50,1000,900,110,111\n");
    has_note("same-device", 1);
    int first = recorder_find(&r, "gpu0", "power_w")->channel.preference;
    int second = recorder_find(&r, "gpu0", "power_draw_w")->channel.preference;
    ck_assert_int_lt(first, second);
    ck_assert_int_lt(second, WS_DOUBTFUL);
}
END_TEST

START_TEST(utilisation_as_a_ratio)
{
    read_ok("timestamp,power,util\n1,10,0.5\n2,10,1\n");
    has("gpu0", "util", "0.5 1");
    read_ok("timestamp,power,util\n1,10,1\n2,10,50\n");
    has("gpu0", "util", "0.01 0.5");
}
END_TEST

/* Where powers may have one, stamps may: a quarter second behind the epoch's, and tenths of elapsed seconds. Between
 * commas a quoted "1,234" may be anything. */
START_TEST(decimal_commas_in_stamps)
{
    read_ok("timestamp;power\n1770796800,25;100,5\n1770796801,25;101,5\n1770796802,75;102\n");
    has("gpu0", "power", "100.5 101.5 102");
    ck_assert_int_eq(recorder_find(&r, "gpu0", "power")->t_ns[0], INT64_C(1770796800250000000));
    ck_assert_int_eq(recorder_find(&r, "gpu0", "power")->t_ns[2], INT64_C(1770796802750000000));
    read_ok("time;power\n0,0;100,5\n0,1;100,5\n0,25;100,5\n");
    ck_assert_int_eq(recorder_find(&r, "gpu0", "power")->t_ns[2], 250000000);
    ck_assert_int_ne(read_with("time,power\n\"1,234\",100\n\"1,235\",100\n", NULL, 0), WS_OK);
}
END_TEST

START_TEST(semicolons_decimal_commas_and_byte_order_mark)
{
    read_ok("\xef\xbb\xbf"
            "Zeit;timestamp;power [W]\nx;2026-01-01 00:00:00;1,5\ny;2026-01-01 00:00:01;2,25\n");
    has("gpu0", "power [W]", "1.5 2.25");
    read_ok("\xef\xbb\xbf"
            "timestamp,power\n1700000000,1\n");
    has("gpu0", "power", "1");
    ck_assert_int_eq(read_with("\xef\xbb\xbf"
                               "1700000000,1.5\n1700000001,2.25\n",
                               NULL, 0),
                     WS_OK);
    has("gpu0", "#2", "1.5 2.25");
}
END_TEST

/* A comma is told, and where numbers of the file have a point it is none. "1,030" behind whole numbers may be either.
 */
START_TEST(commas_that_are_no_decimal_ones)
{
    read_ok("timestamp;GPU0;GPU1\n0;999.50;250\n1;1,000;250\n2;999.50;250,5\n");
    has("gpu0", "GPU0", "999.5 - 999.5");
    has("gpu1", "GPU1", "250 250 -");
    has_note("unread-number", 2);
    has_note("decimal-comma", 0);
    read_ok("timestamp\twall_power_w\n0\t990\n1\t992\n2\t1,030\n");
    has("wall", "wall_power_w", "990 992 -");
    read_ok("timestamp;wall_power_w\n0;1,200\n1;1,2\n2;1\n");
    has("wall", "wall_power_w", "1.2 1.2 1");
    has_note("decimal-comma", 2);
    read_ok("timestamp;power;util\n0;101,125;45\n1;103,250;50\n2;0;7\n"); /* loads beside them are no powers */
    has("gpu0", "power", "101.125 103.25 0");
    has("gpu0", "util", "0.45 0.5 0.07");
    has_note("decimal-comma", 2);
    read_ok("timestamp;power\n0;2,001\n1;2,005\n"); /* no GPU draws 2001 W */
    has("gpu0", "power", "2.001 2.005");
    read_ok("timestamp;power\n0;2,001\n1;1,999\n");
    has("gpu0", "power", "- -");
    has_note("unread-number", 2);
    read_ok("timestamp;wall_power_w\n0;101,125\n1;103,250\n"); /* a rack may draw so much */
    has("wall", "wall_power_w", "- -");
    read_ok("timestamp;energy_kwh\n0;1,125\n1;1,250\n");
    has("gpu0", "energy_kwh", "- -");
    read_ok("timestamp;energy_kwh\n0;0,125\n1;1\n2;1,250\n"); /* no thousand begins with a 0 */
    has("gpu0", "energy_kwh", "450000 3600000 4500000");
    read_ok("timestamp;power;util\n0;100,5;0,25\n1;100,5;0,75\n"); /* a share, as with points */
    has("gpu0", "util", "0.25 0.75");
}
END_TEST

/* Commas behind so many whole numbers that nothing was settled by them. */
START_TEST(commas_that_come_late)
{
    char text[20000] = "timestamp\tGPU0\n";
    for (int i = 0, n = (int)strlen(text); i < 2000; i++)
        n += snprintf(text + n, sizeof text - (size_t)n, "%d\t%s\n", i,
                      i == 1998   ? "1,030"
                      : i == 1999 ? "103,5"
                                  : "90");
    read_ok(text);
    const recorded *c = recorder_find(&r, "gpu0", "GPU0");
    ck_assert_uint_eq(c->n, 2000);
    ck_assert(isnan(c->value[1998]));
    ck_assert_double_eq(c->value[1999], 103.5);
    has_note("unread-number", 1);
    has_note("decimal-comma", 1);
}
END_TEST

/* Groups of thousands beside decimals, or between signs that no decimals follow, are nothing else. */
START_TEST(groups_of_thousands)
{
    read_ok("timestamp,wall_power_w\n0,\"1,234.5\"\n1,987.5\n2,\"12,034.25 W\"\n");
    has("wall", "wall_power_w", "1234.5 987.5 12034.25");
    has_note("decimal-comma", 2);
    read_ok("timestamp;wall_power_w\n0;1.234,5\n1;987,5\n2;12.034,25 W\n");
    has("wall", "wall_power_w", "1234.5 987.5 12034.25");
    has_note("unread-number", 0);
    read_ok("timestamp;wall_power_w\n0;1'234\n1;987\n2;1\xC2\xA0"
            "034.5\n3;1 034.5\n");
    has("wall", "wall_power_w", "1234 987 1034.5 1034.5");
    /* in a file of points those of the other kind are none */
    read_ok("timestamp;wall_power_w;util\n0;987.5;1\n1;1.234,5;2\n2;1 234;3\n");
    has("wall", "wall_power_w", "987.5 - -");
    has_note("unread-number", 2);
    /* what is lost because of its size or its form, and what failed */
    read_ok("timestamp;wall_power_w\n0;987\n1;1.2k\n2;OL\n3;>999\n4;####\n5;failed\n6;1.#QNAN\n");
    has("wall", "wall_power_w", "987 - - - - - -");
    has_note("unread-number", 4);
    has_note("unreadable-cell", 2);
}
END_TEST

static ws_question asked_of(const char *text)
{
    read_ok(text);
    ck_assert_uint_eq(r.n, 1);
    return r.channels[0].channel.ask;
}

/* 712 and 1.234 of a node. */
START_TEST(points_that_may_part_thousands)
{
    ck_assert_int_eq(asked_of("timestamp;node_power_w\n0;712\n1;1.234\n2;1.250\n"), WS_ASK_UNIT);
    ck_assert_int_eq(asked_of("timestamp;gpu0_power_w\n0;712\n1;1.034\n2;1.050\n"), WS_ASK_UNIT);
    ck_assert_int_eq(asked_of("timestamp;node_power_w\n0;712\n1;1.234\n2;1.25\n"), WS_ASK_NOTHING);
    ck_assert_int_eq(asked_of("timestamp;node_power_w\n0;712\n1;713\n2;1.250\n"), WS_ASK_NOTHING); /* one */
    ck_assert_int_eq(asked_of("timestamp;node_power_w\n0;99\n1;1.234\n2;1.250\n"), WS_ASK_NOTHING);
    ck_assert_int_eq(asked_of("timestamp;node_power_w\n0;1000\n1;1.234\n2;1.250\n"), WS_ASK_NOTHING);
    ck_assert_int_eq(asked_of("timestamp;node_power_w\n0;712\n1;20.001\n2;1.250\n"), WS_ASK_NOTHING);
    ck_assert_int_eq(asked_of("timestamp;gpu0_power_w\n0;312\n1;302.250\n2;310.125\n"), WS_ASK_NOTHING);
}
END_TEST

/* 4 March in the United States, read as 3 April, until the day after would be a month later. */
START_TEST(a_wrong_guess_of_the_day_is_refused)
{
    read_ok("timestamp,gpu_power\n03/04/2026 10:00:00 AM,100\n03/04/2026 10:00:01 AM,101\n");
    has_note("day-first", 1);
    ck_assert_int_eq(at("gpu0", 0), 1775210400 * S); /* 3 April */
    fails("timestamp,gpu_power\n03/04/2026 23:59:59,100\n03/05/2026 00:00:00,101\n", NULL, WS_FORMAT,
          "t.csv:3: '03/05/2026 00:00:00' speaks for the month being first");
    fails("timestamp,gpu_power\n03/04/2026 23:59:59,100\n03/05/2026 00:00:00,101\n", NULL, WS_FORMAT,
          "--columns dates=month-first");
    /* a day and a half is near, two days and an hour are not */
    fails("timestamp,gpu_power\n03/04/2026 00:00:00,100\n03/05/2026 12:00:00,101\n", NULL, WS_FORMAT,
          "speaks for the month being first");
    read_ok("timestamp,gpu_power\n03/04/2026 00:00:00,100\n03/06/2026 01:00:00,101\n");
    has("gpu0", "gpu_power", "100 101");
    ck_assert_int_eq(
        read_with("timestamp,gpu_power\n03/04/2026 23:59:59,100\n03/05/2026 00:00:00,101\n", "dates=month-first", 0),
        WS_OK);
    has_note("day-first", 0);
    ck_assert_int_eq(at("gpu0", 0), 1772668799 * S);
    ck_assert_int_eq(at("gpu0", 1), 1772668800 * S);
    /* days that follow each other day first are no contradiction, nor is a pause of weeks */
    read_ok("timestamp,gpu_power\n03/04/2026 23:59:59,100\n04/04/2026 00:00:00,101\n09/05/2026 00:00:00,102\n");
    has("gpu0", "gpu_power", "100 101 102");
    ck_assert_int_eq(
        read_with("timestamp,gpu_power\n04/04/2026 00:00:00,101\n04/05/2026 00:00:00,102\n", "dates=day-first", 0),
        WS_OK);
    ck_assert_int_eq(at("gpu0", 1) - at("gpu0", 0), 30 * 86400 * S);
    fails("timestamp,gpu_power\n03/04/2026,100\n", "dates=american", WS_USAGE, "neither day-first nor month-first");
}
END_TEST

/* A row that can only be month first comes behind all that a sample holds. */
START_TEST(a_month_that_shows_late)
{
    static char text[400000];
    size_t n = (size_t)sprintf(text, "timestamp,gpu_power\n");
    for (int i = 0; i < 12000; i++)
        n += (size_t)sprintf(text + n, "03/04/2026 %02d:%02d:%02d,%d.5\n", i / 3600, i / 60 % 60, i % 60, i % 300);
    sprintf(text + n, "03/13/2026 00:00:00,1\n");
    fails(text, NULL, WS_FORMAT, "t.csv:12002: '03/13/2026 00:00:00' speaks for the month being first");
}
END_TEST

/* As Windows' Performance Monitor writes it: the month first, and the minutes that the zone is behind UTC in the head.
 */
START_TEST(performance_monitor)
{
    ck_assert_int_eq(
        read_with("\"(PDH-CSV 4.0) (W. Europe Standard Time)(-60)\",\"\\\\HOST\\Power Meter(_Total)\\Power\"\r\n"
                  "\"03/04/2026 09:27:01.500\",\"100000\"\r\n\"03/04/2026 09:27:02.500\",\" \"\r\n",
                  "power=#2,unit=mW,domain=node", 0),
        WS_OK);
    ck_assert_int_eq(at("node", 0), 1772612821 * S + S / 2); /* 08:27 UTC */
    has_note("day-first", 0);
    has_note("naive-time", 0);
    has(NULL, NULL, "100 -");
    ck_assert_int_eq(read_with("\"(PDH-CSV 4.0)\",\"\\\\HOST\\Power Meter(_Total)\\Power\"\r\n"
                               "\"03/04/2026 09:27:01.500\",\"100000\"\r\n",
                               "power=#2,unit=mW,domain=node", 0),
                     WS_OK);
    ck_assert_int_eq(at("node", 0), 1772616421 * S + S / 2);
    has_note("naive-time", 1);
}
END_TEST

static ws_status read_in_zone(const char *text, const char *zone)
{
    ws_read_options options = WS_READ_DEFAULTS;
    if (!ws_zone_find(ws_span_of(zone), &options.zone))
        return WS_IO;
    recorder_free(&r);
    return recorder_read_input(&r, &ws_format_generic_csv, ws_input_from_memory("t.csv", text, strlen(text)), &options);
}

/* The night of 25 October 2026 in Berlin: 02:59:59 is followed by 02:00:00, a second later. Rows of a moment may be out
 * of order. */
START_TEST(the_hour_that_comes_twice)
{
    if (read_in_zone("time,gpu_power\n2026-02-11 08:00:00,1\n", "Europe/Berlin") == WS_IO)
        skip_because("there is no time zone database");
    ck_assert_int_eq(at("gpu0", 0), 1770793200 * S);
    has_note("naive-time", 0);
    ck_assert_int_eq(read_in_zone("time,gpu_power\n2026-10-25 02:59:58,1\n2026-10-25 02:59:59.5,2\n"
                                  "2026-10-25 02:59:59,3\n2026-10-25 02:00:00,4\n2026-10-25 02:30:00,5\n"
                                  "2026-10-25 02:59:59,6\n2026-10-25 03:00:00,7\n",
                                  "Europe/Berlin"),
                     WS_OK);
    static const int64_t seconds[] = {-2, -1, -1, 0, 1800, 3599, 3600}; /* since 01:00 UTC */
    for (size_t i = 0; i < sizeof seconds / sizeof *seconds; i++)
        ck_assert_int_eq(at("gpu0", i), (1792890000 + seconds[i]) * S + (i == 1 ? S / 2 : 0));
    /* a stamp that names its zone is what it says */
    ck_assert_int_eq(
        read_in_zone("time,gpu_power\n2026-10-25T02:30:00+01:00,1\n2026-10-25T02:31:00+01:00,2\n", "Europe/Berlin"),
        WS_OK);
    ck_assert_int_eq(at("gpu0", 0), (1792890000 + 1800) * S);
}
END_TEST

/* Is a table of that name and these two times, a second apart, a trace? Its time of the second row, ns. */
static int64_t second_time(const char *name, const char *first, const char *second)
{
    char text[200];
    snprintf(text, sizeof text, "%s,power_w,gpu_util\n%s,250,90\n%s,251,91\n", name, first, second);
    ws_read_options options = WS_READ_DEFAULTS;
    recorder_free(&r);
    ws_input *input = ws_input_from_memory("t.csv", text, strlen(text));
    if (!ws_format_generic_csv.score("t.csv", ws_span_of(text))) {
        ws_input_close(input);
        return 0;
    }
    ck_assert_int_eq(recorder_read_input(&r, &ws_format_generic_csv, input, &options), WS_OK);
    return recorder_find(&r, "gpu0", "power_w")->t_ns[1];
}

START_TEST(instants_are_the_time)
{
    const int64_t want = INT64_C(1770796801) * 1000000000;
    ck_assert_int_eq(second_time("epoch_ms", "1770796800000", "1770796801000"), want);
    ck_assert_int_eq(second_time("epochMillis", "1770796800000", "1770796801000"), want);
    ck_assert_int_eq(second_time("unix", "1770796800", "1770796801"), want);
    ck_assert_int_eq(second_time("Zeit (ns)", "1770796800000000000", "1770796801000000000"), want);
    ck_assert_int_eq(second_time("Zeit", "11.02.2026 08:00:00", "11.02.2026 08:00:01"), want); /* of a spreadsheet */
    ck_assert_int_eq(second_time("Zeit", "11.02.2026 08:00:01", "11.02.2026 08:00:00"), 0);
    ck_assert_int_eq(second_time("Zeit", "60.1", "60.2"), 0);                       /* how long it took */
    ck_assert_int_eq(second_time("epoch", "1", "2"), 0);                            /* of a training */
    ck_assert_int_eq(second_time("epoch_ms", "1770796801000", "1770796800000"), 0); /* goes back */
    ck_assert_int_eq(second_time("end_time_s", "1770796800", "1770796801"), 0);     /* of a run */
    ck_assert_int_eq(second_time("clock_ns", "5000000000000", "5001000000000"), 0); /* of a machine's start */
}
END_TEST

START_TEST(times_of_other_centuries_are_none)
{
    ck_assert_int_eq(second_time("time", "946684800", "946684801"), INT64_C(946684801) * 1000000000); /* 2000 */
    ck_assert_int_eq(second_time("time", "946684799", "946684801"), 0);
    ck_assert_int_eq(second_time("time", "4102444799", "4102444800"), INT64_C(4102444800) * 1000000000);
    ck_assert_int_eq(second_time("time", "4102444800", "4102444801"), 0);       /* 2100 */
    ck_assert_int_eq(second_time("time", "5000000000000", "5001000000000"), 0); /* monotonic, in ns */
    ck_assert_int_eq(second_time("monotonic_ns", "5000000000000", "5001000000000"), INT64_C(5001000000000));
}
END_TEST

TEST_MAIN("trace values", a_second_power_far_to_the_right, instants_are_the_time, times_of_other_centuries_are_none,
          a_wrong_guess_of_the_day_is_refused, a_month_that_shows_late, performance_monitor, the_hour_that_comes_twice,
          a_cut_device_name_is_no_device, nounits_and_units_mixed, missing_is_never_zero,
          clocks_without_seconds_from_the_first_hour_on, last_line_cut, a_quote_that_is_never_closed,
          last_whole_number_cut, stamps_that_cannot_be_read, milliwatts_named_watts,
          powers_beside_milliwatts_named_watts, microwatts_and_marks_of_amd, several_lines_in_a_cell,
          date_and_time_in_two_columns, forms_of_time, day_numbers_of_spreadsheets_are_no_seconds,
          time_of_day_passes_midnight, zone_given_by_the_user, no_time_at_all,
          volts_times_amperes_show_the_power_of_rows_without_a_header, whole_numbers_without_a_name_are_asked_for,
          utilisation_as_a_ratio, semicolons_decimal_commas_and_byte_order_mark, decimal_commas_in_stamps,
          commas_that_are_no_decimal_ones, commas_that_come_late, groups_of_thousands, points_that_may_part_thousands)
