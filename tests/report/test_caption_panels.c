#include "report/figure/caption_panels.h"
#include "report/figure/coincident_series.h"

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

/* Three series of three points over 2, 4 and 8 in a panel from 0 to 100: one lies under another within a third of a
 * marker, and not beyond. */
static void add_series(ws_figure *figure, ws_panel *panel, const char *name, int style, double a, double b, double c)
{
    const double x[] = {2, 4, 8}, y[] = {a, b, c};
    ws_panel_add_layer(figure, panel, name, WS_LAYER_LINE | WS_LAYER_MARKERS, style, 3, x, y);
}

START_TEST(series_that_cover_each_other)
{
    ws_figure figure;
    ws_figure_init(&figure, "f", 180, 70, 1, 3);
    for (int p = 0; p < 3; p++) {
        const char *const letters[] = {"A", "B", "C"};
        double off = p == 2 ? 1.3 : 1.1; /* per cent of the span */
        ws_panel *panel = ws_figure_add_panel(&figure, letters[p], NULL);
        add_series(&figure, panel, "GBS 8: \xce\xb2 = 0.82", 0, 10, 20, 30);
        add_series(&figure, panel, "LBS 8", 1, 10 + off, 20 - off, 50); /* two of three */
        add_series(&figure, panel, "far", 2, 0, 100, 70);
    }
    figure.caption = "Energy.";
    ws_figure_say_coincident(&figure);
    ck_assert_str_eq(figure.caption, "Energy. A, B: points of GBS 8 lie behind those of LBS 8.");
    ws_figure_free(&figure);

    ws_figure_init(&figure, "f", 180, 70, 1, 1);
    ws_panel *panel = ws_figure_add_panel(&figure, NULL, NULL);
    for (int k = 0; k < 3; k++)
        add_series(&figure, panel, (const char *const[]){"a", "b", "c"}[k], k, 1, 2, 3);
    figure.caption = "Energy.";
    ws_figure_say_coincident(&figure); /* three pairs */
    ck_assert_str_eq(figure.caption, "Energy. Points of a lie behind those of b; of a behind c; of b behind c.");
    add_series(&figure, &figure.panels[0], "d", 3, 1, 2, 3);
    figure.caption = "Energy.";
    ws_figure_say_coincident(&figure); /* six would be a list that nobody reads */
    ck_assert_str_eq(figure.caption, "Energy. Points of several series lie on each other.");
    ws_figure_free(&figure);
}
END_TEST

TEST_MAIN("captions of panels", items_of_panels_that_are_not_drawn_go, brackets_keep_what_else_they_hold,
          a_lead_is_of_every_panel, parts_and_facets_go_with_their_panels, captions_without_letters_stay,
          series_that_cover_each_other)
