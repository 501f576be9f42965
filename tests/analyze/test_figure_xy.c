/* The free plot: any two columns of a table. */
#include "harness.h"

#include "analyze/recipes/figure_recipe.h"

#include <math.h>
#include <string.h>

/* y = x^2, in the order of the rows; two rows lack a number. */
static ws_table free_table(void)
{
    ws_table t;
    ws_table_init(&t, "t");
    t.source = "t.csv";
    size_t x = ws_table_add_column(&t, "x", WS_NUMBER), y = ws_table_add_column(&t, "y_w", WS_NUMBER),
           g = ws_table_add_column(&t, "g", WS_TEXT);
    static const double xs[] = {4, 1, 2, 3, NAN}, ys[] = {16, 1, 4, NAN, 7};
    for (size_t i = 0; i < 5; i++) {
        ws_table_add_row(&t);
        ws_table_set_number(&t, x, i, xs[i]);
        ws_table_set_number(&t, y, i, ys[i]);
        ws_table_set_text(&t, g, i, i == 1 ? "b#<&" : "a");
    }
    return t;
}

START_TEST(free_plot)
{
    ws_figure f;
    ws_table t = free_table();
    ws_figure_input input = {.runs = &t, .x = "x", .y = "y_w", .by = "g", .level = 0.95, .x_scale = WS_AXIS_LOG2};
    ck_assert_int_eq(ws_figure_recipe_make(&ws_figure_xy, &input, &f, NULL), WS_OK);
    ck_assert_uint_eq(f.panels[0].n_layers, 2);
    const ws_layer *a = &f.panels[0].layers[0];
    ck_assert(a->n == 2 && a->x[0] == 2 && a->y[0] == 4 && a->x[1] == 4 && a->y[1] == 16);
    ck_assert_str_eq(f.panels[0].layers[1].label, "b#<&");
    ck_assert_str_eq(f.panels[0].y.label, "Y / W");
    ck_assert_int_eq(f.panels[0].x.scale, WS_AXIS_LOG2);
    ck_assert_ptr_nonnull(strstr(f.caption, "n = 3 points"));
    ws_figure_free(&f);
    ws_table_free(&t);
}
END_TEST

/* y = x^2 exactly: the curve is there, a band would mean nothing. */
START_TEST(free_plot_with_a_perfect_fit)
{
    ws_figure f;
    ws_table t = free_table();
    ws_figure_input input = {.runs = &t, .x = "x", .y = "y_w", .level = 0.95, .fit = "powerlaw", .has_band = true};
    ck_assert_int_eq(ws_figure_recipe_make(&ws_figure_xy, &input, &f, NULL), WS_OK);
    ck_assert_uint_eq(f.panels[0].n_layers, 2);
    const ws_layer *curve = &f.panels[0].layers[0];
    ck_assert_uint_eq(curve->kind, WS_LAYER_LINE);
    for (size_t i = 0; i < curve->n; i++)
        ck_close(curve->y[i], curve->x[i] * curve->x[i], 1e-12, 0);
    ck_assert_ptr_nonnull(ws_notes_find(&f.notes, WS_FINDING_FIT));
    ws_figure_free(&f);
    ws_table_free(&t);
}
END_TEST

START_TEST(as_many_series_as_can_be_told_apart)
{
    ws_figure f;
    ws_error error = {0};
    ws_table t;
    ws_table_init(&t, "t");
    t.source = "t.csv";
    size_t x = ws_table_add_column(&t, "x", WS_NUMBER);
    for (size_t i = 0; i < 100; i++) {
        ws_table_add_row(&t);
        ws_table_set_number(&t, x, i, (double)i);
    }
    ws_figure_input input = {.runs = &t, .x = "x", .y = "x", .by = "x", .level = 0.95};
    ck_assert_int_eq(ws_figure_recipe_make(&ws_figure_xy, &input, &f, &error), WS_DATA);
    ck_assert_str_eq(
        error.message,
        "t.csv: 'x' has more than 48 values, too many for series of a figure: --only 'x=0|...' takes some, and "
        "numbers stand on an axis, as --x x");
    ws_figure_free(&f);
    ws_table_free(&t);
}
END_TEST

/* y = (s + 1) x in series s: the slopes stand in the panel where there is room for a line each, else in the legend. */
START_TEST(what_is_said_of_many_series_goes_into_the_legend)
{
    for (size_t n = 6; n <= 7; n++) {
        ws_figure f;
        ws_error error = {0};
        ws_table t;
        ws_table_init(&t, "t");
        size_t x = ws_table_add_column(&t, "x", WS_NUMBER), y = ws_table_add_column(&t, "y", WS_NUMBER),
               by = ws_table_add_column(&t, "s", WS_TEXT);
        for (size_t i = 0; i < 3 * n; i++) {
            char name[24];
            snprintf(name, sizeof name, "s%zu", i / 3);
            ws_table_add_row(&t);
            ws_table_set_number(&t, x, i, (double)(i % 3 + 1));
            ws_table_set_number(&t, y, i, (double)((i / 3 + 1) * (i % 3 + 1)));
            ws_table_set_text(&t, by, i, name);
        }
        ws_figure_input input = {.runs = &t, .x = "x", .y = "y", .by = "s", .level = 0.95, .fit = "origin"};
        ck_assert_msg(ws_figure_recipe_make(&ws_figure_xy, &input, &f, &error) == WS_OK, "%s", error.message);
        ck_assert_uint_eq(f.panels[0].n_annotations, n == 6 ? 6 : 0);
        for (size_t l = 0; l < f.panels[0].n_layers; l++) {
            const ws_layer *layer = &f.panels[0].layers[l];
            const char *want = n == 6 ? "s%d" : "s%d: slope %d.000";
            char text[40];
            snprintf(text, sizeof text, want, layer->style, layer->style + 1);
            ck_assert_str_eq(layer->label, text);
        }
        ws_figure_free(&f);
        ws_table_free(&t);
    }
}
END_TEST

START_TEST(caption_claims_no_band_that_is_not_drawn)
{
    ws_table t = free_table();
    ws_figure f;
    ws_table_set_number(&t, 1, 1, -1);
    ws_figure_input input = {.runs = &t, .x = "x", .y = "y_w", .level = 0.95, .fit = "powerlaw", .has_band = true};
    ck_assert_int_eq(ws_figure_recipe_make(&ws_figure_xy, &input, &f, NULL), WS_OK);
    ck_assert_str_eq(f.caption, "Y against the X, n = 3 points.");
    ws_figure_free(&f);
    ws_table_free(&t);
}
END_TEST

/* Zero and less have no place on a logarithmic axis: two of the three points that have both numbers are drawn. */
START_TEST(caption_counts_what_is_drawn)
{
    ws_figure f;
    ws_table t = free_table();
    ws_table_set_number(&t, 1, 1, 0);
    ws_figure_input input = {.runs = &t, .x = "x", .y = "y_w", .level = 0.95, .y_scale = WS_AXIS_LOG10};
    ck_assert_int_eq(ws_figure_recipe_make(&ws_figure_xy, &input, &f, NULL), WS_OK);
    ck_assert_str_eq(f.caption, "Y against the X, n = 2 of 3 points (the others have no place on the axes).");
    ws_figure_free(&f);
    input.y_scale = WS_AXIS_LINEAR;
    ck_assert_int_eq(ws_figure_recipe_make(&ws_figure_xy, &input, &f, NULL), WS_OK);
    ck_assert_str_eq(f.caption, "Y against the X, n = 3 points.");
    ws_figure_free(&f);
    ws_table_free(&t);
}
END_TEST

TEST_MAIN("figure xy", free_plot, free_plot_with_a_perfect_fit, as_many_series_as_can_be_told_apart,
          what_is_said_of_many_series_goes_into_the_legend, caption_claims_no_band_that_is_not_drawn,
          caption_counts_what_is_drawn)
