#include "report/figure/caption_panels.h"

#include "core/text.h"
#include "harness.h"

#include <string.h>

static const char *const was[] = {"A", "B", "C", "D", "E"};

/* `places`: "B.A.." for panels A and C, drawn in the places B and A. */
static const char *of(ws_arena *arena, const char *caption, const char *places)
{
    const char *is[5];
    size_t n = strlen(places);
    for (size_t i = 0; i < n; i++)
        is[i] = places[i] == '.' ? NULL : places[i] == '-' ? "" : ws_arena_strndup(arena, places + i, 1);
    const ws_panel_letters letters = {was, is, n};
    return ws_caption_of_panels(arena, caption, &letters);
}

static const char four[] =
    "Speed-up (A), top-1 error (B) and energy (C) against the number of GPUs, and energy against "
    "compute resources (D) with the same data set. A: against 1 GPU, dashed: ideal. n = 5 runs.";

START_TEST(items_of_panels_that_are_not_drawn_go)
{
    ws_arena arena = {0};
    ck_assert_str_eq(of(&arena, four, "ABCD"), four);
    ck_assert_str_eq(of(&arena, four, "B.A."),
                     "Speed-up (B) and energy (A) against the number of GPUs with the same data set. B: against 1 GPU, "
                     "dashed: ideal. n = 5 runs.");
    ck_assert_str_eq(
        of(&arena, four, ".A.B"),
        "Top-1 error (A) against the number of GPUs, and energy against compute resources (B) with the same "
        "data set. n = 5 runs.");
    ck_assert_str_eq(of(&arena, four, "...-"), "Energy against compute resources with the same data set. n = 5 runs.");
    ck_assert_str_eq(of(&arena, four, "-..."), "Speed-up against the number of GPUs with the same data set. Against 1 "
                                               "GPU, dashed: ideal. n = 5 runs.");
    ws_arena_free(&arena);
}
END_TEST

START_TEST(brackets_keep_what_else_they_hold)
{
    static const char caption[] =
        "Energy per GPUh (A; the paper has it in kW), power (B) and passes (C; one an update) "
        "against the number of GPUs (Huber et al. 2025, Fig. 6). Bars: the spread (C).";
    ws_arena arena = {0};
    ck_assert_str_eq(of(&arena, caption, "A.B"),
                     "Energy per GPUh (A; the paper has it in kW) and passes (B; one an update) against the number of "
                     "GPUs (Huber et al. 2025, Fig. 6). Bars: the spread (B).");
    ck_assert_str_eq(of(&arena, caption, "..-"),
                     "Passes (one an update) against the number of GPUs (Huber et al. 2025, "
                     "Fig. 6). Bars: the spread.");
    ck_assert_str_eq(of(&arena, caption, ".-."), "Power against the number of GPUs (Huber et al. 2025, Fig. 6).");
    ws_arena_free(&arena);
}
END_TEST

START_TEST(a_lead_is_of_every_panel)
{
    ws_arena arena = {0};
    static const char caption[] = "Variation: utilisation of SMs (A) and of memory (B) against GPUs.";
    ck_assert_str_eq(of(&arena, caption, ".-"), "Variation: of memory against GPUs.");
    ws_arena_free(&arena);
}
END_TEST

START_TEST(parts_and_facets_go_with_their_panels)
{
    static const char parts[] =
        "A, B (huber/fig2): Speed-up (A) and error (B) against GPUs. n = 5 runs. C (xy): y against "
        "x. n = 3 points. D (xy): z against x.";
    static const char facets[] = "A, B: 250 W. Energy against GPUs. C, D: 200 W.";
    ws_arena arena = {0};
    ck_assert_str_eq(of(&arena, parts, ".ABC"), "A (huber/fig2): Error (A) against GPUs. n = 5 runs. B (xy): y against "
                                                "x. n = 3 points. C (xy): z against x.");
    ck_assert_str_eq(of(&arena, parts, "...-"), "Z against x.");
    ck_assert_str_eq(of(&arena, facets, "..AB"), "Energy against GPUs. A, B: 200 W.");
    ws_arena_free(&arena);
}
END_TEST

START_TEST(captions_without_letters_stay)
{
    static const char caption[] = "Energy of A100 against GPUs. A point is a mean; a B200 (A100: none) has none.";
    ws_arena arena = {0};
    ck_assert_str_eq(of(&arena, caption, ".A"), caption);
    ck_assert_str_eq(of(&arena, "", "A"), "");
    ws_arena_free(&arena);
}
END_TEST

TEST_MAIN("captions of panels", items_of_panels_that_are_not_drawn_go, brackets_keep_what_else_they_hold,
          a_lead_is_of_every_panel, parts_and_facets_go_with_their_panels, captions_without_letters_stay)
