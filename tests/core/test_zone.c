/* Zones by name, against what the C library makes of the same database. */
#define _DEFAULT_SOURCE /* tm_gmtoff */
#include "harness.h"

#include "core/stamp.h"
#include "core/zone.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#define S INT64_C(1000000000)

static int32_t zone_of(const char *name)
{
    int32_t zone = 0;
    ck_assert_msg(ws_zone_find(ws_span_of(name), &zone), "there is no zone %s", name);
    return zone;
}

static bool has_database(void)
{
    int32_t zone;
    return ws_zone_find(ws_span_of("Europe/Berlin"), &zone);
}

static int64_t utc(int32_t zone, const char *local, const char *near)
{
    ws_stamp at, close;
    ck_assert(ws_stamp_parse(WS_STAMP_YMD, ws_span_of(local), WS_ZONE_NONE, &at));
    if (!near)
        return ws_zone_to_utc(zone, at.ns, NULL) / S;
    ck_assert(ws_stamp_parse(WS_STAMP_YMD, ws_span_of(near), WS_ZONE_NONE, &close));
    return ws_zone_to_utc(zone, at.ns, &close.ns) / S;
}

/* Directive 2000/84/EC: summer time lasts from the last Sunday in March to the last in October, each at 01:00 UTC. */
START_TEST(berlin)
{
    if (!has_database())
        skip_because("there is no time zone database");
    int32_t zone = zone_of("Europe/Berlin");
    ck_assert_int_eq(utc(zone, "2026-02-11 08:00:00", NULL), 1770793200); /* 07:00 UTC */
    ck_assert_int_eq(utc(zone, "2026-07-11 08:00:00", NULL), 1783749600); /* 06:00 UTC */
    ck_assert_int_eq(utc(zone, "2026-03-29 01:59:59", NULL), 1774745999); /* 00:59:59 UTC */
    ck_assert_int_eq(utc(zone, "2026-03-29 03:00:00", NULL), 1774746000);
    ck_assert_int_eq(utc(zone, "2026-03-29 02:30:00", NULL), 1774747800); /* skipped: 03:30 there */
    ck_assert_int_eq(utc(zone, "2026-10-25 02:30:00", NULL), 1792888200); /* 00:30 UTC, and again: */
    ck_assert_int_eq(utc(zone, "2026-10-25 02:30:00", "2026-10-25 01:29:00"), 1792891800);
    ck_assert_int_eq(utc(zone, "2026-10-25 02:30:00", "2026-10-25 00:29:00"), 1792888200);
    ck_assert_int_eq(utc(zone, "2026-10-25 03:00:00", NULL), 1792893600);
}
END_TEST

static const char *const names[] = {"Europe/Berlin",       "America/New_York",  "Australia/Sydney", "Asia/Kolkata",
                                    "America/Sao_Paulo",   "Africa/Casablanca", "Europe/Dublin",    "America/St_Johns",
                                    "Antarctica/Troll",    "Asia/Tehran",       "America/Nuuk",     "Asia/Tokyo",
                                    "Australia/Lord_Howe", "Pacific/Chatham",   "America/Phoenix",  "Asia/Jerusalem"};

static uint64_t state = 99;
static int64_t draw(int64_t below)
{
    state = state * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return (int64_t)((state >> 16) % (uint64_t)below);
}

/* From 1950 to 2100: the changes that the files list, and the rule behind them. */
START_TEST(offsets_are_those_of_the_c_library)
{
    if (!has_database())
        skip_because("there is no time zone database");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        int32_t zone = zone_of(names[i]);
        setenv("TZ", names[i], 1);
        tzset();
        for (int k = 0; k < 4000; k++) {
            int64_t at = INT64_C(-631152000) + draw(INT64_C(4733510400));
            time_t t = (time_t)at;
            struct tm local;
            ck_assert(localtime_r(&t, &local));
            ck_assert_msg(ws_zone_offset_at(zone, at) == (int32_t)local.tm_gmtoff, "%s at %lld: %d, not %ld", names[i],
                          (long long)at, ws_zone_offset_at(zone, at), local.tm_gmtoff);
            int64_t local_ns = (at + local.tm_gmtoff) * S, near_ns = at * S + draw(600) * S;
            ck_assert_msg(ws_zone_to_utc(zone, local_ns, &near_ns) == at * S, "%s at %lld", names[i], (long long)at);
        }
    }
}
END_TEST

START_TEST(what_is_no_zone)
{
    static const char *const none[] = {"Mars/Olympus",
                                       "",
                                       "..",
                                       "../zoneinfo/Europe/Berlin",
                                       "/etc/passwd",
                                       "Europe",
                                       "Europe/Berlin/",
                                       "tzdata.zi",
                                       "+25:00",
                                       "Europe/Ber lin"};
    int32_t zone;
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        ck_assert_msg(!ws_zone_find(ws_span_of(none[i]), &zone), "'%s' is taken", none[i]);
    ck_assert(ws_zone_find(ws_span_of("+02:00"), &zone));
    ck_assert_int_eq(zone, 7200);
    ck_assert_int_eq(ws_zone_offset_at(zone, 5), 7200);
    ck_assert_int_eq(ws_zone_to_utc(zone, 7200 * S, NULL), 0);
}
END_TEST

/* Files that are cut or spoilt are no zones, and nothing is read beyond their ends. */
START_TEST(damaged_files)
{
    char folder[] = "/tmp/wattscale-zones-XXXXXX", path[100], command[120];
    static unsigned char bytes[64 * 1024];
    FILE *file = fopen("/usr/share/zoneinfo/Europe/Berlin", "rb");
    if (!file)
        skip_because("there is no time zone database");
    size_t n = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    ck_assert(mkdtemp(folder) != NULL);
    setenv("TZDIR", folder, 1);
    for (int k = 0; k < 400; k++) {
        char name[20];
        int32_t zone;
        size_t cut = k < 200 ? (size_t)draw((int64_t)n) : n, spoilt = (size_t)draw((int64_t)n);
        unsigned char kept = bytes[spoilt];
        bytes[spoilt] = k < 200 ? kept : (unsigned char)draw(256);
        snprintf(name, sizeof name, "Z%d", k);
        snprintf(path, sizeof path, "%s/%s", folder, name);
        file = fopen(path, "wb");
        fwrite(bytes, 1, cut, file);
        fclose(file);
        bool found = ws_zone_find(ws_span_of(name), &zone);
        ck_assert(!found || k >= 200);
        for (int64_t t = -3000000000; found && t < 6000000000; t += 100000000)
            ws_zone_to_utc(zone, t * S, NULL);
        bytes[spoilt] = kept;
    }
    snprintf(command, sizeof command, "rm -r %s", folder);
    ck_assert_int_eq(system(command), 0);
}
END_TEST

TEST_MAIN("zone", berlin, offsets_are_those_of_the_c_library, what_is_no_zone, damaged_files)
