#include "harness.h"

#include "core/stamp.h"
#include "core/zone.h"

#include <string.h>

#define S INT64_C(1000000000)

/* The seconds are those of date(1): date -u -d TEXT +%s. */

static void ck_stamp(ws_stamp_form form, const char *text, int64_t ns, ws_time_base base)
{
    ws_stamp stamp = {7, WS_TIME_NONE};
    ck_assert_msg(ws_stamp_parse(form, ws_span_of(text), WS_ZONE_NONE, &stamp), "'%s' is refused", text);
    ck_assert_msg(stamp.ns == ns, "'%s' is read as %lld, not %lld", text, (long long)stamp.ns, (long long)ns);
    ck_assert_msg(stamp.base == base, "'%s' has the base %d, not %d", text, (int)stamp.base, (int)base);
}

START_TEST(year_first)
{
    ck_stamp(WS_STAMP_YMD, "2023/07/14 10:12:46.483", 1689329566 * S + 483000000, WS_TIME_NAIVE);
    ck_stamp(WS_STAMP_YMD, "2025-09-08T17:26:50+08:00", 1757323610 * S, WS_TIME_UTC);
    ck_stamp(WS_STAMP_YMD, "2026-01-15", 1768435200 * S, WS_TIME_NAIVE);
    ck_stamp(WS_STAMP_YMD, " 2025-10-04T15:37:27.529773Z ", 1759592247 * S + 529773000, WS_TIME_UTC);
    ck_stamp(WS_STAMP_YMD, "2025-10-04 15:37:27,5 UTC", 1759592247 * S + 500000000, WS_TIME_UTC);
    ck_stamp(WS_STAMP_YMD, "2023-7-14 10:12", 1689329566 * S - 46 * S, WS_TIME_NAIVE);
    ck_stamp(WS_STAMP_YMD, "2023-07-14_10:12:46", 1689329566 * S, WS_TIME_NAIVE); /* date +%F_%T, s-tui */
    ck_stamp(WS_STAMP_YMD, "2023_07_14_10:12", 1689329566 * S - 46 * S, WS_TIME_NAIVE);
    ck_stamp(WS_STAMP_YMD, "2023_07_14 10:12:46", 1689329566 * S, WS_TIME_NAIVE);
}
END_TEST

/* 2026-03-14 09:27:01 UTC is 1773480421. */
START_TEST(compact)
{
    static const char *const naive[] = {"20260314T092701", "20260314 092701",   "20260314092701",
                                        "20260314_092701", "20260314T09:27:01", "20260314   09:27:01"};
    for (size_t i = 0; i < sizeof naive / sizeof *naive; i++) {
        ck_stamp(WS_STAMP_YMD, naive[i], 1773480421 * S, WS_TIME_NAIVE);
        ck_assert_int_eq(ws_stamp_guess(ws_span_of(naive[i])), WS_STAMP_YMD);
    }
    ck_stamp(WS_STAMP_YMD, "20260314T092701.25Z", 1773480421 * S + 250000000, WS_TIME_UTC);
    ck_stamp(WS_STAMP_YMD, "20260314T102701,25+0100", 1773480421 * S + 250000000, WS_TIME_UTC);
}
END_TEST

/* Numbers of as many digits are no dates: a date alone, an epoch in ms, us or ns, a 25th hour. */
START_TEST(numbers_are_no_compact_dates)
{
    static const struct {
        const char *text;
        ws_stamp_form form;
    } numbers[] = {{"20260314", WS_STAMP_ELAPSED},         {"1773480421000", WS_STAMP_EPOCH},
                   {"1773480421000000", WS_STAMP_EPOCH},   {"20261314092701", WS_STAMP_EPOCH},
                   {"20260314252701", WS_STAMP_EPOCH},     {"1773480421", WS_STAMP_EPOCH},
                   {"1773480421000000000", WS_STAMP_EPOCH}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        ck_assert_msg(ws_stamp_guess(ws_span_of(numbers[i].text)) == numbers[i].form, "'%s'", numbers[i].text);
}
END_TEST

START_TEST(twelve_hours)
{
    ck_stamp(WS_STAMP_MDY, "3/14/2026 9:27:01 AM", 1773480421 * S, WS_TIME_NAIVE);
    ck_stamp(WS_STAMP_MDY, "3/14/2026 9:27:01 PM", (1773480421 + 12 * 3600) * S, WS_TIME_NAIVE);
    ck_stamp(WS_STAMP_MDY, "03/14/2026 09:27:01.021 am", 1773480421 * S + 21000000, WS_TIME_NAIVE);
    ck_stamp(WS_STAMP_MDY, "3/14/2026, 9:27:01 AM", 1773480421 * S, WS_TIME_NAIVE);
    ck_stamp(WS_STAMP_MDY,
             "3/14/2026, 9:27:01\xe2\x80\xaf"
             "AM",
             1773480421 * S, WS_TIME_NAIVE);
    ck_stamp(WS_STAMP_MDY, "3/14/2026 9:27 AM UTC", (1773480421 - 1) * S, WS_TIME_UTC);
    ck_stamp(WS_STAMP_DMY, "14/03/2026 9:27:01AM", 1773480421 * S, WS_TIME_NAIVE);
    ck_stamp(WS_STAMP_YMD, "2026-03-14 09:27:01 AM", 1773480421 * S, WS_TIME_NAIVE);
    ck_stamp(WS_STAMP_MDY, "3/14/2026 12:27:01 AM", (1773480421 - 9 * 3600) * S, WS_TIME_NAIVE);
    ck_stamp(WS_STAMP_MDY, "3/14/2026 12:27:01 PM", (1773480421 + 3 * 3600) * S, WS_TIME_NAIVE);
    ck_stamp(WS_STAMP_CLOCK, "9:27:01 PM", (21 * 3600 + 27 * 60 + 1) * S, WS_TIME_RELATIVE);
    ck_assert_int_eq(ws_stamp_guess(ws_span_of("3/14/2026 9:27:01 AM")), WS_STAMP_MDY);
}
END_TEST

START_TEST(day_or_month_first)
{
    ck_stamp(WS_STAMP_DMY, "04-03-2021 13:32:39", 1614864759 * S, WS_TIME_NAIVE);
    ck_stamp(WS_STAMP_DMY, "16/06/2020 09:59", 1592301540 * S, WS_TIME_NAIVE);
    ck_stamp(WS_STAMP_DMY, "16.06.2020  9:59", 1592301540 * S, WS_TIME_NAIVE);
    ck_stamp(WS_STAMP_MDY, "02-17-2022 13:17:14.749", 1645103834 * S + 749000000, WS_TIME_NAIVE);
}
END_TEST

START_TEST(ctime_and_date)
{
    ck_stamp(WS_STAMP_CTIME, "Wed Jan  5 15:09:50 2022", 1641395390 * S, WS_TIME_NAIVE);
    ck_stamp(WS_STAMP_CTIME, "Wed Feb 26 01:50:18 PM EST 2025", 1740595818 * S, WS_TIME_UTC);
    ck_stamp(WS_STAMP_CTIME, "Wed Feb 26 12:50:18 AM EST 2025", 1740549018 * S, WS_TIME_UTC);
    ck_stamp(WS_STAMP_CTIME, "Wed 26 Feb 2025 01:50:18 PM EST", 1740595818 * S, WS_TIME_UTC);
    ck_stamp(WS_STAMP_CTIME, "Wed 26 Feb 2025 12:50:18 AM EST", 1740549018 * S, WS_TIME_UTC);
    ck_stamp(WS_STAMP_CTIME, "Wednesday, 26 February 2025 13:50:18 -0500", 1740595818 * S, WS_TIME_UTC);
    ck_stamp(WS_STAMP_CTIME, "Wed,26 Feb 2025 13:50:18 -0500", 1740595818 * S, WS_TIME_UTC);
    ck_stamp(WS_STAMP_CTIME, "Wed Feb 26 13:50:18 2025 -0500", 1740595818 * S, WS_TIME_UTC);
    ck_stamp(WS_STAMP_CTIME, "Wed Feb 26 18:50:18 UTC 2025", 1740595818 * S, WS_TIME_UTC);
    ck_stamp(WS_STAMP_CTIME, "Wed Feb 26 2025 18:50:18", 1740595818 * S, WS_TIME_NAIVE); /* iDRAC's page */
    ck_stamp(WS_STAMP_CTIME, "Wed Feb 26 2025 13:50:18 GMT-0500 (Eastern Standard Time)", 1740595818 * S, WS_TIME_UTC);
    ck_stamp(WS_STAMP_CTIME, "Wed Feb 26 2025 18:50:18 GMT", 1740595818 * S, WS_TIME_UTC);
}
END_TEST

START_TEST(twelve_oclock)
{
    ws_stamp noon, midnight;
    ck_assert(ws_stamp_parse(WS_STAMP_CTIME, ws_span_of("Wed Feb 26 12:00:00 PM 2025"), WS_ZONE_NONE, &noon));
    ck_assert(ws_stamp_parse(WS_STAMP_CTIME, ws_span_of("Wed Feb 26 12:00:00 AM 2025"), WS_ZONE_NONE, &midnight));
    ck_assert_int_eq(noon.ns - midnight.ns, 12 * 3600 * S);
}
END_TEST

/* The magnitude tells the unit; nothing of 19 digits may pass through a double. */
START_TEST(epoch_of_any_magnitude)
{
    ck_stamp(WS_STAMP_EPOCH, "1763638585.215", 1763638585 * S + 215000000, WS_TIME_UTC);
    ck_stamp(WS_STAMP_EPOCH, "1763638585215", 1763638585 * S + 215000000, WS_TIME_UTC);
    ck_stamp(WS_STAMP_EPOCH, "1763638585215.25", 1763638585 * S + 215250000, WS_TIME_UTC);
    ck_stamp(WS_STAMP_EPOCH, "1763638585215123", 1763638585 * S + 215123000, WS_TIME_UTC);
    ck_stamp(WS_STAMP_EPOCH, "1763638585215123457", INT64_C(1763638585215123457), WS_TIME_UTC);
    ck_stamp(WS_STAMP_EPOCH, "1763638585215123457.9", INT64_C(1763638585215123457), WS_TIME_UTC);
    ck_stamp(WS_STAMP_EPOCH, "1763638585.123456789", INT64_C(1763638585123456789), WS_TIME_UTC);
    ck_stamp(WS_STAMP_EPOCH, "0", 0, WS_TIME_UTC);
}
END_TEST

START_TEST(elapsed_and_time_of_day)
{
    ck_stamp(WS_STAMP_ELAPSED, "0.08", 80000000, WS_TIME_RELATIVE);
    ck_stamp(WS_STAMP_ELAPSED, "-1.5", -1500000000, WS_TIME_RELATIVE);
    ck_stamp(WS_STAMP_CLOCK, "18:51:13:298", (18 * 3600 + 51 * 60 + 13) * S + 298000000, WS_TIME_RELATIVE);
    ck_stamp(WS_STAMP_CLOCK, "0:00:00.000000001", 1, WS_TIME_RELATIVE);
    ck_stamp(WS_STAMP_CLOCK, "09:59", (9 * 60 + 59) * 60 * S, WS_TIME_RELATIVE);
    ck_assert_int_eq(ws_stamp_guess(ws_span_of("05:30.0")), WS_STAMP_NONE); /* minutes and seconds of a spreadsheet */
    ck_assert_int_eq(ws_stamp_guess(ws_span_of("2026-02-11 05:30.0")), WS_STAMP_NONE);
}
END_TEST

START_TEST(a_given_zone_counts_for_naive_stamps_only)
{
    ws_stamp stamp;
    ck_assert(ws_stamp_parse(WS_STAMP_YMD, ws_span_of("2025-09-08T17:26:50"), 8 * 3600, &stamp));
    ck_assert_int_eq(stamp.ns, 1757323610 * S);
    ck_assert_int_eq(stamp.base, WS_TIME_UTC);
    ck_assert(ws_stamp_parse(WS_STAMP_YMD, ws_span_of("2025-09-08T17:26:50+08:00"), -5 * 3600, &stamp));
    ck_assert_int_eq(stamp.ns, 1757323610 * S);
}
END_TEST

START_TEST(month_ends_and_leap_years)
{
    ck_stamp(WS_STAMP_YMD, "2000-02-29", 951782400 * S, WS_TIME_NAIVE);
    ck_stamp(WS_STAMP_YMD, "1700-01-01", INT64_C(-8520336000) * S, WS_TIME_NAIVE);
    ck_stamp(WS_STAMP_YMD, "2200-12-31 23:59:59", INT64_C(7289654399) * S, WS_TIME_NAIVE);
    ck_stamp(WS_STAMP_YMD, "1900-03-01", INT64_C(-2203891200) * S, WS_TIME_NAIVE);
    static const char *const none[] = {"1900-02-29", "2023-02-29", "2024-02-30", "2023-04-31",
                                       "2023-01-32", "2023-13-01", "2023-00-10", "2023-10-00",
                                       "1699-12-31", "2201-01-01", "0000-01-01"};
    ws_stamp stamp;
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        ck_assert_msg(!ws_stamp_parse(WS_STAMP_YMD, ws_span_of(none[i]), WS_ZONE_NONE, &stamp), "'%s' is taken",
                      none[i]);
}
END_TEST

START_TEST(midnight_and_leap_seconds)
{
    ck_stamp(WS_STAMP_YMD, "2023-11-19 24:00:00", 1700438400 * S, WS_TIME_NAIVE);
    ck_stamp(WS_STAMP_YMD, "2024-12-31T23:59:60Z", (1735689540 + 60) * S, WS_TIME_UTC);
    ws_stamp stamp;
    static const char *const none[] = {"2023-11-19 24:00:01", "2023-11-19 24:30",    "2023-11-19 25:00:00",
                                       "2023-11-19 23:60:00", "2023-11-19 23:59:61", "2023-11-19 24:00:00.5"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        ck_assert_msg(!ws_stamp_parse(WS_STAMP_YMD, ws_span_of(none[i]), WS_ZONE_NONE, &stamp), "'%s' is taken",
                      none[i]);
}
END_TEST

START_TEST(nonsense_is_no_stamp)
{
    static const char *const none[] = {"",
                                       " ",
                                       "-",
                                       ".",
                                       "+",
                                       "x",
                                       "N/A",
                                       "10:12:46.",
                                       "2023-07-14T",
                                       "2023/07-14",
                                       "2023-07-14 10:12:46 XYZ",
                                       "2023-07-14 10",
                                       "Wed Jan  5",
                                       "Wed Jan 5 15:09:50",
                                       "1e12",
                                       "12:3",
                                       "99999999999999999999",
                                       "9223372036854775807",
                                       "1763638585 s",
                                       "::",
                                       "2023-07-14 10:12:46+15:00",
                                       "-1763638585"};
    ws_stamp stamp;
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        for (int form = WS_STAMP_YMD; form <= WS_STAMP_EPOCH; form++)
            ck_assert_msg(!ws_stamp_parse((ws_stamp_form)form, ws_span_of(none[i]), WS_ZONE_NONE, &stamp),
                          "'%s' is taken as %d", none[i], form);
        ck_assert_msg(!ws_stamp_parse(WS_STAMP_CLOCK, ws_span_of(none[i]), WS_ZONE_NONE, &stamp), "'%s' is taken",
                      none[i]);
    }
    ck_assert(!ws_stamp_parse(WS_STAMP_NONE, ws_span_of("0"), WS_ZONE_NONE, &stamp));
    ck_assert(!ws_stamp_parse(WS_STAMP_ELAPSED, ws_span_of(""), WS_ZONE_NONE, &stamp));
    ck_assert(!ws_stamp_parse(WS_STAMP_ELAPSED, ws_span_of("-"), WS_ZONE_NONE, &stamp));
}
END_TEST

START_TEST(the_form_is_guessed)
{
    static const struct {
        const char *text;
        ws_stamp_form form;
    } cases[] = {{"2023/07/14 10:12:46.483", WS_STAMP_YMD},
                 {"04-03-2021 13:32:39", WS_STAMP_DMY},
                 {"02-17-2022 13:17:14.749", WS_STAMP_MDY},
                 {"Wed Jan  5 15:09:50 2022", WS_STAMP_CTIME},
                 {"1763638585.215", WS_STAMP_EPOCH},
                 {"1763638585215123457", WS_STAMP_EPOCH},
                 {"0.08", WS_STAMP_ELAPSED},
                 {"99999999", WS_STAMP_ELAPSED},
                 {"100000000", WS_STAMP_EPOCH},
                 {"1e-3", WS_STAMP_ELAPSED},
                 {"18:51:13:298", WS_STAMP_CLOCK},
                 {"", WS_STAMP_NONE},
                 {"-", WS_STAMP_NONE},
                 {"gpu0", WS_STAMP_NONE},
                 {"17-17-2022", WS_STAMP_NONE}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        ck_assert_msg(ws_stamp_guess(ws_span_of(cases[i].text)) == cases[i].form, "'%s' is guessed to be %d",
                      cases[i].text, (int)ws_stamp_guess(ws_span_of(cases[i].text)));
}
END_TEST

START_TEST(days_and_months_settle_over_stamps)
{
    ws_stamp_form form = ws_stamp_settle(WS_STAMP_NONE, ws_span_of("03-04-2022 10:00:00"));
    ck_assert_int_eq(form, WS_STAMP_DMY);
    ck_assert_int_eq(ws_stamp_settle(form, ws_span_of("13-04-2022 10:00:00")), WS_STAMP_DMY);
    form = ws_stamp_settle(form, ws_span_of("03-13-2022 10:00:00"));
    ck_assert_int_eq(form, WS_STAMP_MDY);
    ck_assert_int_eq(ws_stamp_settle(form, ws_span_of("13-03-2022 10:00:00")), WS_STAMP_NONE);
    ck_assert_int_eq(ws_stamp_settle(WS_STAMP_YMD, ws_span_of("13-03-2022")), WS_STAMP_NONE);
    ck_assert_int_eq(ws_stamp_settle(WS_STAMP_EPOCH, ws_span_of("1763638585.4")), WS_STAMP_EPOCH);
}
END_TEST

START_TEST(stamps_print_and_read_back)
{
    static const struct {
        int64_t ns;
        const char *text;
    } cases[] = {{0, "1970-01-01T00:00:00Z"},
                 {-1, "1969-12-31T23:59:59.999999999Z"},
                 {1759592247 * S + 529773000, "2025-10-04T15:37:27.529773Z"},
                 {951782400 * S + 500000000, "2000-02-29T00:00:00.5Z"},
                 {INT64_C(-8520336000) * S, "1700-01-01T00:00:00Z"},
                 {INT64_C(7289654399) * S, "2200-12-31T23:59:59Z"},
                 {INT64_MIN, "1677-09-21T00:12:43.145224192Z"},
                 {INT64_MAX, "2262-04-11T23:47:16.854775807Z"}};
    char buffer[WS_STAMP_TEXT];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ck_assert_uint_eq(ws_stamp_text(buffer, cases[i].ns), strlen(cases[i].text));
        ck_assert_str_eq(buffer, cases[i].text);
    }
    for (int64_t ns = INT64_C(-8520336000) * S; ns < INT64_C(7289654399) * S; ns += INT64_C(3137123456789012)) {
        ws_stamp_text(buffer, ns);
        ck_stamp(WS_STAMP_YMD, buffer, ns, WS_TIME_UTC);
    }
}
END_TEST

START_TEST(decimal_seconds)
{
    static const struct {
        const char *text;
        int64_t ns;
    } cases[] = {{"1.001048308", 1001048308},
                 {"0.0000000005", 1},
                 {"0.0000000004", 0},
                 {"-0.5", -500000000},
                 {"1e-3", 1000000},
                 {"2.5e3", 2500 * S},
                 {"3", 3 * S},
                 {".25", 250000000},
                 {"7.", 7 * S},
                 {"0.9999999999", S},
                 {"1.00000000049999999", S},
                 {" 4 ", 4 * S},
                 {"4500000000", 4500000000 * S}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int64_t ns = -7;
        ck_assert_msg(ws_seconds_to_ns(ws_span_of(cases[i].text), &ns), "'%s' is refused", cases[i].text);
        ck_assert_msg(ns == cases[i].ns, "'%s' is read as %lld", cases[i].text, (long long)ns);
    }
    static const char *const none[] = {"",    "-",     ".",           "-.",           "s",   "1 s",
                                       "1:2", "1e300", "99999999999", "-99999999999", "inf", "--1"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        int64_t ns = -7;
        ck_assert_msg(!ws_seconds_to_ns(ws_span_of(none[i]), &ns), "'%s' is taken", none[i]);
        ck_assert_int_eq(ns, -7);
    }
}
END_TEST

START_TEST(durations)
{
    static const struct {
        const char *text;
        int64_t s;
    } cases[] = {{"01:02:03", 3723},
                 {"1-00:00:01", 86401},
                 {"02:03", 123},
                 {"300:00:00", 1080000},
                 {"42", 42},
                 {"0:00", 0},
                 {"10-23:59:59", 950399},
                 {"1 day, 2:52:22", 96742},
                 {"12 days, 0:00:01", 1036801},
                 {"0 days, 0:00:01", 1}};
    int64_t ns;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ck_assert_msg(ws_duration_parse(ws_span_of(cases[i].text), &ns), "'%s' is refused", cases[i].text);
        ck_assert_msg(ns == cases[i].s * S, "'%s' is read as %lld ns", cases[i].text, (long long)ns);
    }
    ck_assert(ws_duration_parse(ws_span_of("00:00:01.25"), &ns));
    ck_assert_int_eq(ns, 1250000000);
    static const char *const none[] = {"",
                                       ":",
                                       "1:",
                                       ":1",
                                       "1:2:3:4",
                                       "1-",
                                       "-1:00",
                                       "1-2-3:00",
                                       "a:b",
                                       "1:00 h",
                                       "999999-00:00:00",
                                       "INVALID",
                                       "UNLIMITED",
                                       "-",
                                       "1 day",
                                       "1 days 0:01:00",
                                       "1 day, ",
                                       "-1 day, 0:01:00",
                                       "1 dayz, 0:01:00",
                                       " day, 0:01:00",
                                       "9999999 days, 0:01:00"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        ck_assert_msg(!ws_duration_parse(ws_span_of(none[i]), &ns), "'%s' is taken", none[i]);
    ck_assert(!ws_duration_parse((ws_span){NULL, 0}, &ns));
}
END_TEST

START_TEST(zones)
{
    static const struct {
        const char *text;
        int32_t offset_s;
    } cases[] = {{"UTC", 0},     {"Z", 0},           {"+02:00", 7200}, {"-0500", -18000}, {"+8", 28800},
                 {"CET", 3600},  {"-03:30", -12600}, {"cest", 7200},   {" PST ", -28800}, {"+14:00", 50400},
                 {"IST", 19800}, {"AEST", 36000},    {"MSK", 10800},   {"HST", -36000}};
    int32_t offset;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ck_assert_msg(ws_zone_parse(ws_span_of(cases[i].text), &offset), "'%s' is refused", cases[i].text);
        ck_assert_int_eq(offset, cases[i].offset_s);
    }
    ck_assert(ws_zone_is_ambiguous(ws_span_of("CST")) && !ws_zone_is_ambiguous(ws_span_of("CET")));
    ck_assert(!ws_zone_is_ambiguous(ws_span_of("")));
    ws_stamp usual, given, clear;
    ck_assert(ws_stamp_parse(WS_STAMP_YMD, ws_span_of("2026-02-11 08:00:00 CST"), WS_ZONE_NONE, &usual));
    ck_assert(ws_stamp_parse(WS_STAMP_YMD, ws_span_of("2026-02-11 08:00:00 CST"), 8 * 3600, &given));
    ck_assert(ws_stamp_parse(WS_STAMP_YMD, ws_span_of("2026-02-11 08:00:00 CET"), 8 * 3600, &clear));
    ck_assert_int_eq(usual.ns - given.ns, INT64_C(14) * 3600 * 1000000000);
    ck_assert_int_eq(clear.ns - given.ns, INT64_C(7) * 3600 * 1000000000);
    static const char *const none[] = {"", "+", "+25", "2", "+02:0", "+02:60", "Mars", "+2:000", "UTC+2"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        ck_assert_msg(!ws_zone_parse(ws_span_of(none[i]), &offset), "'%s' is taken", none[i]);
}
END_TEST

TEST_MAIN("stamp", year_first, compact, numbers_are_no_compact_dates, twelve_hours, day_or_month_first, ctime_and_date,
          twelve_oclock, epoch_of_any_magnitude, elapsed_and_time_of_day, a_given_zone_counts_for_naive_stamps_only,
          month_ends_and_leap_years, midnight_and_leap_seconds, nonsense_is_no_stamp, the_form_is_guessed,
          days_and_months_settle_over_stamps, stamps_print_and_read_back, decimal_seconds, durations, zones)
