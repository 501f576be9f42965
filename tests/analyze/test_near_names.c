#include "harness.h"

#include "analyze/near_names.h"

START_TEST(slips_are_told_from_other_names)
{
    static const struct {
        const char *name, *known;
        bool is_slip;
    } cases[] = {
        {"gups", "gpus", true},
        {"gpsu", "gpus", true},
        {"gpu", "gpus", true},
        {"epoch", "epochs", true},
        {"sereis", "series", true},
        {"devcie", "device", true},
        {"lsb", "lbs", true},
        {"datset_sampels", "dataset_samples", true},
        {"power-cap-w", "power_cap_w", true},
        {"gpus", "gpus", false},
        {"mode", "model", false},
        {"gpu_w", "gpu_h", false},
        {"epoch_j", "epoch_s", false},
        {"bs", "lbs", false},
        {"lr", "lbs", false},
        {"abs", "lbs", false},
        {"optimizer", "model", false},
        {"seeds_used", "series", false},
        {"energy", "energy_kwh", false},
        {"batch", "", false},
        {"", "gpus", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        ck_assert_msg(ws_name_is_slip(cases[i].name, cases[i].known) == cases[i].is_slip, "%s and %s", cases[i].name,
                      cases[i].known);
}
END_TEST

/* Three letters at least, one wrong; two of eight and more. */
START_TEST(how_much_a_slip_may_be_off)
{
    static const struct {
        const char *name, *known;
        bool is_slip;
    } cases[] = {{"lbs", "lsb", true},          {"lb", "blx", false},           {"ab", "ba", false},
                 {"ab", "abs", false},          {"abxd", "abcd", true},         {"axyd", "abcd", false},
                 {"abxyefg", "abcdefg", false}, {"abxyefgh", "abcdefgh", true}, {"axyzefgh", "abcdefgh", false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        ck_assert_msg(ws_name_is_slip(cases[i].name, cases[i].known) == cases[i].is_slip, "%s and %s", cases[i].name,
                      cases[i].known);
}
END_TEST

/* The nearest, and those one letter further; only the nearest where it is five letters off. */
START_TEST(names_about_as_near_are_named_beside)
{
    static const char *const one_off[] = {"abcde", "abcdx", "abcxy", "qqqqq"};
    static const char *const far[] = {"abcdefgh", "abcdefgi"};
    ws_arena arena = {0};
    ck_assert_str_eq(ws_names_near(&arena, "abcde", one_off, 4), "abcde or abcdx");
    ck_assert_str_eq(ws_names_near(&arena, "abcdvwxy", far, 2), "abcdefgh or abcdefgi"); /* four off */
    ck_assert_str_eq(ws_names_near(&arena, "abcuvwxy", far, 2), "abcdefgh");             /* five off */
    ws_arena_free(&arena);
}
END_TEST

TEST_MAIN("near names", slips_are_told_from_other_names, how_much_a_slip_may_be_off,
          names_about_as_near_are_named_beside)
