#include "harness.h"

#include "formats/table/timecol.h"

#include <stdint.h>
#include <string.h>

static uint64_t state = 7;

static int below(int n)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int)((state >> 33) % (uint64_t)n);
}

/* Every stamp as ws_stamp_parse reads it, whatever stood before it; a cache that was kept is of use. */
static void same_as_parse(const char *const *stamps, size_t n, int zone)
{
    ws_stamp_cache cache = {0};
    for (size_t i = 0; i < n; i++) {
        ws_span text = ws_span_of(stamps[i]);
        ws_stamp_form form = ws_stamp_guess(text);
        for (int again = 0; again < 2; again++) {
            ws_stamp want = {0}, got = {0};
            bool is_stamp = ws_stamp_parse(form, text, zone, &want);
            ck_assert_msg(ws_stamp_parse_next(&cache, form, text, zone, &got) == is_stamp, "'%s'", stamps[i]);
            ck_assert_msg(!is_stamp || (got.ns == want.ns && got.base == want.base), "'%s' gives %lld, not %lld",
                          stamps[i], (long long)got.ns, (long long)want.ns);
        }
    }
}

START_TEST(stamps_that_follow_each_other)
{
    static const char *const stamps[] = {"2026/03/14 09:27:01.021",
                                         "2026/03/14 09:27:02.9",
                                         "3/14/2026 11:59:59 AM",
                                         "3/14/2026 11:59:58 PM",
                                         "3/14/2026 12:00:00 PM",
                                         "3/14/2026 12:00:01.5 PM",
                                         "3/14/2026 12:00:02 AM",
                                         "3/14/2026 12:00:60 AM",
                                         "20260314T09:27:01.5",
                                         "20260314T09:27:02.5Z",
                                         "20260314T092703",
                                         "20260314T092704+01:00",
                                         "20260314T092705+01:00",
                                         "2026/03/14 09:27:03",
                                         "2026/03/14 09:27:59.999999999",
                                         "2026/03/14 09:27:60.5",
                                         "2026/03/14 09:27:61",
                                         "2026/03/14 09:28:00.0000000005",
                                         "2026/03/14 09:28:01.",
                                         "2026/03/14 09:28:01,5",
                                         "2026/03/14 09:28:01.5x",
                                         "2026/03/14 09:28:1",
                                         "2026/03/14 09:28:59.999",
                                         "2026/03/14 09:28:60.000",
                                         "2026/03/14 09:28:60.999",
                                         "2026/03/14 09:28:61.000",
                                         "2026/03/14 09:28:99.999",
                                         "2026/03/14 09:28:00.000",
                                         "2026/03/14 09:28:0a.123",
                                         "2026/03/14 09:28:a0.123",
                                         "2026/03/14 09:28:00.1b3",
                                         "2026/03/14 09:28:00.12\xff",
                                         "2026/03/14 09:28:0\xff.124",
                                         "2026/03/14 09:28:00:123",
                                         "2026/03/14 09:28:00/123",
                                         "2026/03/14 09:28:000123",
                                         " 2026/03/14 09:28:02.5 ",
                                         "2026/03/14 24:00:00",
                                         "2026/03/14 24:00:01",
                                         "2026-03-14T09:27:01.021+08:00",
                                         "2026-03-14T09:27:02.021+08:00",
                                         "2026-03-14T09:27:02.021+09:00",
                                         "2026-03-14T09:27:02Z",
                                         "2026-03-14 09:27",
                                         "2026-03-14",
                                         "14-03-2026 13:32:39.25",
                                         "14-03-2026 13:32:40.25",
                                         "Wed Feb 26 11:59:58 AM EST 2025",
                                         "Wed Feb 26 11:59:60 AM EST 2025",
                                         "Wed Feb 26 11:59:59 PM EST 2025",
                                         "Wed Jan  5 15:09:50 2022",
                                         "Wed Jan  5 15:09:51 2023",
                                         "18:51:13:298",
                                         "18:51:14:298"};
    same_as_parse(stamps, sizeof stamps / sizeof *stamps, WS_ZONE_NONE);
    same_as_parse(stamps, sizeof stamps / sizeof *stamps, 3600);
}
END_TEST

START_TEST(counts_of_seconds)
{
    static const char *const stamps[] = {"1763638585.215",
                                         "1763638586",
                                         "1763638599.9",
                                         "1763638600.1",
                                         "17636385.5",
                                         "176363858.5",
                                         "6999999999",
                                         "7000000000",
                                         "7000000001",
                                         "3999999999.5",
                                         "4000000001.5",
                                         "0.08",
                                         "12.5",
                                         "99.5",
                                         "100.25",
                                         "101.25",
                                         "1e2",
                                         "100.25e-3",
                                         "-3.5",
                                         "1763638585215",
                                         "1763638586215",
                                         "1763638585.",
                                         "123.1234567891",
                                         "123.123456789",
                                         "1763638585215.5",
                                         "4599999999.75",
                                         "4600000001",
                                         "00100.5",
                                         "00101.5",
                                         "1763638585215123",
                                         "1763638599999999",
                                         "1763638600000000",
                                         "1763638600000001.5",
                                         "6999999999999999",
                                         "7000000000000000",
                                         "7000000000000001",
                                         "7000000099999999",
                                         "1763638585.21512",
                                         "17636385852151.2",
                                         "176363858521.512",
                                         "176363858522.512",
                                         "0.005167",
                                         "0.010406",
                                         "9.999999",
                                         "10.000001",
                                         "10.00000a",
                                         "10.0000.1",
                                         "19.999999",
                                         "20.000001",
                                         "1.0000004",
                                         "2.0000004",
                                         "2.00000045",
                                         "00000012",
                                         "99999999",
                                         "100000000",
                                         "0000000001",
                                         "176363858521512345"};
    same_as_parse(stamps, sizeof stamps / sizeof *stamps, WS_ZONE_NONE);
}
END_TEST

START_TEST(changed_in_one_byte)
{
    enum { ROUNDS = 20000 };
    static const char *const bases[] = {"2026/03/14 09:27:01.021", "2026-03-14T09:27:01.021Z",
                                        "1763638585.215",          "1234.5678",
                                        "1763638585215123",        "1234.567891",
                                        "16/06/2020 09:59:31",     "Wed Jan  5 15:09:50 2022"};
    for (size_t b = 0; b < sizeof bases / sizeof *bases; b++) {
        char now[64], before[64];
        const char *pair[] = {before, now};
        strcpy(now, bases[b]);
        for (int i = 0; i < ROUNDS; i++) {
            strcpy(before, now);
            if (below(8) == 0)
                strcpy(now, bases[b]);
            now[below((int)strlen(now))] = "0123456789.:,/- TZ+e"[below(20)];
            same_as_parse(pair, 2, WS_ZONE_NONE);
        }
    }
}
END_TEST

START_TEST(the_seconds_alone_are_read)
{
    ws_stamp_cache cache = {0};
    ws_stamp stamp;
    int64_t ns, later_ns;
    ck_assert(!ws_stamp_from_cache(&cache, ws_span_of("2026/03/14 09:27:01.021"), ws_digit_template_read, &ns));
    ck_assert(ws_stamp_parse_next(&cache, WS_STAMP_YMD, ws_span_of("2026/03/14 09:27:01.021"), WS_ZONE_NONE, &stamp));
    ck_assert(ws_stamp_from_cache(&cache, ws_span_of("2026/03/14 09:27:01.021"), ws_digit_template_read, &ns) &&
              ns == stamp.ns);
    ck_assert(ws_stamp_from_cache(&cache, ws_span_of("2026/03/14 09:27:59.5"), ws_digit_template_read, &later_ns));
    ck_assert_int_eq(later_ns - ns, INT64_C(58479000000));
    ck_assert(!ws_stamp_from_cache(&cache, ws_span_of("2026/03/14 09:28:00.0"), ws_digit_template_read, &ns));
}
END_TEST

TEST_MAIN("stamp cache", stamps_that_follow_each_other, counts_of_seconds, changed_in_one_byte,
          the_seconds_alone_are_read)
