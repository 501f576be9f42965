#include "harness.h"

#include "formats/campaign.h"

#include <string.h>

static ws_arena arena;
static ws_fields fields;

static bool matches(const char *pattern, const char *path)
{
    ws_fields_free(&fields);
    return ws_path_match(pattern, path, &fields, &arena);
}

static void ck_field(const char *name, const char *value)
{
    const char *got = ws_fields_get(&fields, name);
    ck_assert_msg(got != NULL, "no field '%s'", name);
    ck_assert_str_eq(got, value);
}

START_TEST(a_path_gives_its_fields)
{
    ck_assert(
        matches("{series}/{gpus}g{lbs}b{workers}w{epochs}e/{job}/perun.hdf5", "gbs256/4g64b4w90e/3211179/perun.hdf5"));
    ck_assert_uint_eq(fields.n, 6);
    ck_field("series", "gbs256");
    ck_field("gpus", "4");
    ck_field("lbs", "64");
    ck_field("workers", "4");
    ck_field("epochs", "90");
    ck_field("job", "3211179");
}
END_TEST

START_TEST(literal_text_must_agree_to_the_end)
{
    ck_assert(matches("a/b.csv", "a/b.csv"));
    ck_assert_uint_eq(fields.n, 0);
    ck_assert(!matches("a/b.csv", "a/b.csv.gz"));
    ck_assert(!matches("a/b.csv", "a/b"));
    ck_assert(!matches("{run}.csv", "x.csv.gz"));
    ck_assert(!matches("", "x"));
    ck_assert(!matches("x", ""));
    ck_assert(matches("", ""));
}
END_TEST

START_TEST(fields_never_cross_a_folder)
{
    ck_assert(!matches("{run}.csv", "a/b.csv"));
    ck_assert(!matches("{*}/x", "a/b/x"));
    ck_assert(matches("{*}/{*}/x", "a/b/x"));
    ck_assert_uint_eq(fields.n, 0);
    ck_assert(!matches("a{run}/x", "a/x")); /* one byte at least */
    ck_assert(!matches("{run}", ""));
}
END_TEST

START_TEST(fields_back_off)
{
    ck_assert(matches("{model}_{gpus}.csv", "fourcast_net_v2_16.csv"));
    ck_field("model", "fourcast_net_v2");
    ck_field("gpus", "16");
    ck_assert(matches("{series}a{run}ab", "xaayabab"));
    ck_field("series", "x");
    ck_field("run", "ayab");
    ck_assert(matches("{series}{run}", "ab"));
    ck_field("series", "a");
    ck_field("run", "b");
}
END_TEST

START_TEST(counts_take_digits_only)
{
    ck_assert(!matches("{gpus}g/x", "configg/x"));
    ck_assert(!matches("{gpus}.csv", "4x.csv"));
    ck_assert(!matches("{lbs}b", "-4b"));
    ck_assert(matches("{*}_{gpus}g{lbs}b", "config_g_4g8b"));
    ck_field("gpus", "4");
    ck_field("lbs", "8");
    ck_assert(matches("{series}g", "configg"));
    ck_field("series", "config");
}
END_TEST

START_TEST(dates_are_as_long_as_they_can_be)
{
    ck_assert(matches("{run_date}-{series}-224/x", "20260211-080000-vit-224/x"));
    ck_field("run_date", "20260211-080000");
    ck_field("series", "vit");
    ck_assert(matches("{run_date}_{repeat}.csv", "2026-02-11_2.csv"));
    ck_field("run_date", "2026-02-11");
    ck_field("repeat", "2");
    ck_assert(matches("{run_date}.csv", "20260211.csv"));
    ck_field("run_date", "20260211");
    ck_assert(!matches("{run_date}.csv", "vit.csv"));
}
END_TEST

START_TEST(one_field_twice_must_agree)
{
    ck_assert(matches("{job}/log-{job}.txt", "77/log-77.txt"));
    ck_assert_uint_eq(fields.n, 1);
    ck_field("job", "77");
    ck_assert(!matches("{job}/log-{job}.txt", "77/log-78.txt"));
    ck_assert(matches("{run}{*}-{run}", "abc-ab"));
    ck_field("run", "ab");
    ck_assert(matches("{*}/{*}-{*}", "a/b-c")); /* the nameless one is free each time */
}
END_TEST

START_TEST(a_failed_match_keeps_nothing)
{
    ws_fields_free(&fields);
    ws_fields_set(&fields, &arena, "model", "resnet");
    ck_assert(!ws_path_match("{series}/{run}/x", "a/b/y", &fields, &arena));
    ck_assert_uint_eq(fields.n, 1);
    ck_assert(!ws_path_match("{model}.csv", "vgg.csv", &fields, &arena)); /* a field that is set already is held to */
    ck_assert(ws_path_match("{model}.csv", "resnet.csv", &fields, &arena));
    ck_assert_uint_eq(fields.n, 1);
}
END_TEST

START_TEST(broken_patterns_match_nothing)
{
    ck_assert(!matches("{run", "a"));
    ck_assert(!matches("{run", "{run"));
    ck_assert(!matches("a{", "a"));
}
END_TEST

START_TEST(a_later_value_replaces)
{
    char name[] = "gpus", value[] = "4";
    ws_fields_free(&fields);
    ck_assert_ptr_null(ws_fields_get(&fields, "gpus"));
    ws_fields_set(&fields, &arena, name, value);
    memset(name, 'x', 4);
    value[0] = '9';
    ck_field("gpus", "4");
    ws_fields_set(&fields, &arena, "lbs", "32");
    ws_fields_set(&fields, &arena, "gpus", "8");
    ck_assert_uint_eq(fields.n, 2);
    ck_field("gpus", "8");
    ck_assert_str_eq(fields.items[0].name, "gpus");
    ws_fields_free(&fields);
    ws_arena_free(&arena);
}
END_TEST

START_TEST(an_empty_campaign_is_freed)
{
    ws_campaign campaign = {0};
    ws_fields_set(&campaign.defaults, &campaign.arena, "model", "resnet");
    ws_campaign_free(&campaign);
    ck_assert_uint_eq(campaign.defaults.n, 0);
    ws_campaign_free(&campaign);
}
END_TEST

TEST_MAIN("campaign", a_path_gives_its_fields, literal_text_must_agree_to_the_end, fields_never_cross_a_folder,
          fields_back_off, counts_take_digits_only, dates_are_as_long_as_they_can_be, one_field_twice_must_agree,
          a_failed_match_keeps_nothing, broken_patterns_match_nothing, a_later_value_replaces,
          an_empty_campaign_is_freed)
