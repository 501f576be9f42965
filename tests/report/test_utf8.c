#include "report/utf8.h"

#include "harness.h"

#define ISOLATE "\u2068"
#define END_OF_IT "\u2069"

START_TEST(a_label_before_numbers)
{
    ws_arena arena = {0};
    ck_assert_str_eq(ws_label_before(&arena, "GBS 256"), "GBS 256: ");
    ck_assert_str_eq(ws_label_before(&arena, "größe µ 数"), "größe µ 数: ");
    ck_assert_str_eq(ws_label_before(&arena, ""), "");
    ck_assert_str_eq(ws_label_before(&arena, NULL), "");
    ws_arena_free(&arena);
}
END_TEST

START_TEST(text_from_right_to_left_is_isolated)
{
    /* Hebrew, Arabic, Syriac, a presentation form, Adlam, and an override that nothing ends. */
    static const char *const labels[] = {"\u05d0\u05d1", "run \u0627\u0644", "\u0710",
                                         "\ufb50",       "\U0001e900",       "a\u202eb"};
    ws_arena arena = {0};
    for (size_t i = 0; i < sizeof labels / sizeof *labels; i++) {
        ck_assert_str_eq(ws_label_before(&arena, labels[i]),
                         ws_arena_printf(&arena, ISOLATE "%s" END_OF_IT ": ", labels[i]));
        ck_assert_str_eq(ws_isolated(&arena, labels[i]), ws_arena_printf(&arena, ISOLATE "%s" END_OF_IT, labels[i]));
    }
    ck_assert_str_eq(ws_isolated(&arena, "GBS 256"), "GBS 256");
    ws_arena_free(&arena);
}
END_TEST

START_TEST(long_text_ends_in_an_ellipsis)
{
    ws_arena arena = {0};
    ck_assert_str_eq(ws_utf8_shorten(&arena, "größe", 5), "größe");
    ck_assert_str_eq(ws_utf8_shorten(&arena, "größen", 5), "größ…");
    ck_assert_str_eq(ws_utf8_shorten(&arena, "ab", 1), "…");
    ck_assert_str_eq(ws_utf8_shorten(&arena, "", 1), "");
    ws_arena_free(&arena);
}
END_TEST

TEST_MAIN("utf8", a_label_before_numbers, text_from_right_to_left_is_isolated, long_text_ends_in_an_ellipsis)
