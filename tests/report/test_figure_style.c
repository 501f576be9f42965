#include "report/figure/series_styles.h"
#include "report/figure/figure_style.h"

#include "harness.h"

#include <math.h>

/* sRGB, IEC 61966-2-1 */
static double linear(double channel)
{
    channel /= 255;
    return channel <= 0.04045 ? channel / 12.92 : pow((channel + 0.055) / 1.055, 2.4);
}

typedef struct lab {
    double l, a, b;
} lab;

static double cube_root(double t)
{
    return t > 216.0 / 24389 ? cbrt(t) : (24389.0 / 27 * t + 16) / 116;
}

/* CIE 1976, white D65, of linear RGB */
static lab lab_of(const double *rgb)
{
    double x = (0.4124 * rgb[0] + 0.3576 * rgb[1] + 0.1805 * rgb[2]) / 0.9505;
    double y = 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2];
    double z = (0.0193 * rgb[0] + 0.1192 * rgb[1] + 0.9505 * rgb[2]) / 1.0890;
    return (lab){116 * cube_root(y) - 16, 500 * (cube_root(x) - cube_root(y)), 200 * (cube_root(y) - cube_root(z))};
}

/* Machado, Oliveira and Fernandes 2009, severity 1: normal sight, protanopia, deuteranopia, tritanopia. */
static const double sights[4][3][3] = {
    {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
    {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}},
    {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}},
    {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}},
};

static lab seen(ws_colour colour, size_t sight)
{
    const double rgb[] = {linear(colour.r), linear(colour.g), linear(colour.b)};
    double out[3];
    for (size_t i = 0; i < 3; i++) {
        const double *m = sights[sight][i];
        out[i] = fmin(fmax(m[0] * rgb[0] + m[1] * rgb[1] + m[2] * rgb[2], 0), 1);
    }
    return lab_of(out);
}

static double apart(lab a, lab b)
{
    return sqrt((a.l - b.l) * (a.l - b.l) + (a.a - b.a) * (a.a - b.a) + (a.b - b.b) * (a.b - b.b));
}

START_TEST(series_differ_in_lightness_and_for_every_sight)
{
    for (int i = 0; i < 3; i++)
        for (int k = i + 1; k < 3; k++)
            for (size_t sight = 0; sight < 4; sight++) {
                lab a = seen(ws_style_of(i).line, sight), b = seen(ws_style_of(k).line, sight);
                double away = apart(a, b);
                if (sight == 0) /* greyscale: a copy in black and white */
                    ck_assert_msg(fabs(a.l - b.l) >= 15, "series %d and %d differ by %g in lightness", i, k, a.l - b.l);
                ck_assert_msg(away >= 25, "series %d and %d are %g apart, sight %zu", i, k, away, sight);
            }
}
END_TEST

/* The figures of two papers have up to eight series a model: three hues for all of them could not be followed. */
START_TEST(nine_series_have_nine_colours)
{
    for (int i = 0; i < WS_HUES; i++)
        for (int k = 0; k < i; k++)
            for (size_t sight = 0; sight < 4; sight++) {
                double away = apart(seen(ws_style_of(i).line, sight), seen(ws_style_of(k).line, sight));
                ck_assert_msg(away >= (sight == 0 ? 30 : 18), "series %d and %d are %g apart, sight %zu", k, i, away,
                              sight);
            }
    for (int i = 0; i < WS_HUES; i++) /* the reference's grey is no series */
        ck_assert(apart(seen(ws_style_of(i).line, 0), seen(ws_style_of(-1).line, 0)) >= 25);
    for (int i = 0; i < WS_HUES; i++) /* nor is black: text and the mean of traces */
        ck_assert(apart(seen(ws_style_of(i).line, 0), (lab){0, 0, 0}) >= 30);
}
END_TEST

START_TEST(ordered_bars_go_from_dark_to_light)
{
    for (int i = 1; i < 3; i++)
        ck_assert(seen(ws_style_of(i).bar, 0).l - seen(ws_style_of(i - 1).bar, 0).l >= 12);
}
END_TEST

static double contrast_with_white(ws_colour c)
{
    return 1.05 / (0.2126 * linear(c.r) + 0.7152 * linear(c.g) + 0.0722 * linear(c.b) + 0.05);
}

START_TEST(texts_in_colour_can_be_read)
{
    for (int i = 0; i < WS_STYLES; i++) /* WCAG 2, level AA */
        ck_assert_msg(contrast_with_white(ws_style_of(i).text) >= 4.5, "style %d: %g", i,
                      contrast_with_white(ws_style_of(i).text));
}
END_TEST

/* A copy in black and white: lines differ in marker or dash, markers alone in shape or lightness. */
START_TEST(no_two_series_look_alike_without_colour)
{
    for (int i = 0; i < WS_STYLES; i++)
        for (int k = i + 1; k < WS_STYLES; k++) {
            ws_style a = ws_style_of(i), b = ws_style_of(k);
            bool same_marker = a.marker == b.marker && a.open == b.open;
            double lighter = fabs(seen(a.line, 0).l - seen(b.line, 0).l);
            ck_assert_msg(!same_marker || a.dash != b.dash, "series %d and %d are drawn alike", i, k);
            ck_assert_msg(!same_marker || k >= 3 * WS_MARKER_STYLES || lighter >= 15,
                          "markers %d and %d differ by %g in lightness", i, k, lighter);
        }
    ck_assert(ws_style_of(WS_STYLES).marker == ws_style_of(0).marker &&
              ws_style_of(WS_STYLES).dash == ws_style_of(0).dash &&
              ws_style_of(WS_STYLES).line.r == ws_style_of(0).line.r);
    ck_assert(ws_style_of(-1).line.r == ws_style_of(-1).line.g);
}
END_TEST

START_TEST(markers_are_about_as_large_as_their_circle)
{
    double x[WS_MARKER_POINTS], y[WS_MARKER_POINTS], circle = 3.14159265358979 / 4 * 1.7 * 1.7;
    for (int m = 0; m < WS_MARKER_N; m++) {
        size_t n = ws_marker_outline((ws_marker)m, 1.7, x, y);
        double area = 0, middle_x = 0, middle_y = 0;
        for (size_t i = 0; i < n; i++) {
            size_t next = (i + 1) % n;
            area += (x[i] * y[next] - x[next] * y[i]) / 2;
            middle_x += x[i], middle_y += y[i];
        }
        ck_close(area, circle, 0.26, 0);
        ck_close(middle_x, 0, 0, 1e-9);
        ck_close(middle_y, 0, 0, 1e-9);
    }
}
END_TEST

/* A figure of one panel with a layer for each name, in the styles 0, 1, 2 ...; "" has no name. */
static void make_named(ws_figure *figure, size_t n, const char *const *names)
{
    static const double at[] = {1};
    ws_figure_init(figure, "named", 85, 64, 1, 1);
    ws_panel *panel = ws_figure_add_panel(figure, NULL, NULL);
    for (size_t i = 0; i < n; i++)
        ws_panel_add_layer(figure, panel, *names[i] ? names[i] : NULL, WS_LAYER_LINE, (int)i, 1, at, at);
}

static void check_styles(const ws_figure *figure, const int *expected)
{
    for (size_t i = 0; i < figure->panels[0].n_layers; i++)
        ck_assert_int_eq(figure->panels[0].layers[i].style, expected[i]);
}

START_TEST(a_series_has_one_look_in_all_figures)
{
    ws_known_styles known = {0};
    ws_figure first, second, third, fourth;
    make_named(&first, 3, (const char *const[]){"a", "b", "c"});
    make_named(&second, 4, (const char *const[]){"new", "c: 0.5", "b", ""}); /* without "a" its place is free */
    make_named(&third, 2, (const char *const[]){"ResNet50", "BERT"});        /* knows nobody: its own */
    make_named(&fourth, 3, (const char *const[]){"BERT", "b", "a"});         /* "b" was 1, too: the first keeps it */
    ws_figure_keep_styles(&first, &known);
    ws_figure_keep_styles(&second, &known);
    ws_figure_keep_styles(&third, &known);
    ws_figure_keep_styles(&fourth, &known);
    check_styles(&first, (const int[]){0, 1, 2});
    check_styles(&second, (const int[]){0, 2, 1, 3});
    check_styles(&third, (const int[]){0, 1});
    check_styles(&fourth, (const int[]){1, 2, 0});
    ws_figure_free(&first);
    ws_figure_free(&second);
    ws_figure_free(&third);
    ws_figure_free(&fourth);
    ws_known_styles_free(&known);
}
END_TEST

/* Of a second facet every series has a colour of its own, though the first facet's have taken nine. */
START_TEST(a_facet_has_each_colour_once)
{
    static const char *const one[] = {"a", "b", "c", "d", "e", "f", "g", "h"};
    static const char *const two[] = {"k", "l", "m", "n", "o", "p", "q", "r"};
    ws_figure whole, part;
    ws_style_map map;
    for (size_t n = 1; n <= 8; n++) {
        make_named(&whole, n, one);
        make_named(&part, 8, two);
        ws_style_map_make(&map, &whole, &part);
        for (int i = 0; i < 8; i++)
            for (int k = 0; k < i; k++)
                ck_assert_msg(apart(seen(ws_style_of(ws_mapped_style(&map, i)).line, 0),
                                    seen(ws_style_of(ws_mapped_style(&map, k)).line, 0)) > 0,
                              "series %d and %d after %zu others", k, i, n);
        ws_figure_free(&whole);
        ws_figure_free(&part);
    }
}
END_TEST

TEST_MAIN("figure style", a_series_has_one_look_in_all_figures, a_facet_has_each_colour_once,
          series_differ_in_lightness_and_for_every_sight, nine_series_have_nine_colours,
          ordered_bars_go_from_dark_to_light, texts_in_colour_can_be_read, no_two_series_look_alike_without_colour,
          markers_are_about_as_large_as_their_circle)
