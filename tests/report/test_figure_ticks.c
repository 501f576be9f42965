#include "report/figure/figure_ticks.h"

#include "harness.h"

#include <math.h>
#include <string.h>

#define MINUS "\xe2\x88\x92"

static ws_ticks ticks;
static ws_arena arena;

static void make(ws_axis axis, double lo, double hi, double length_mm)
{
    ws_ticks_free(&ticks);
    const ws_tick_room room = {length_mm, 8, 3};
    ws_ticks_make(&ticks, &arena, &axis, lo, hi, &room);
}

static void done(void)
{
    ws_ticks_free(&ticks);
    ws_arena_free(&arena);
}

/* All labels, from low to high, with a blank between them. */
static const char *labels(void)
{
    static char text[4000];
    text[0] = '\0';
    for (size_t i = 0; i < ticks.n; i++)
        if (ticks.items[i].label && strlen(text) < 3900)
            strcat(strcat(text, *text ? " " : ""), ticks.items[i].label);
    return text;
}

static size_t count_labels(void)
{
    size_t n = 0;
    for (size_t i = 0; i < ticks.n; i++)
        n += ticks.items[i].label != NULL;
    return n;
}

/* Positions between the two nearest labels. */
static double nearest_labels(void)
{
    double last = -INFINITY, least = INFINITY;
    for (size_t i = 0; i < ticks.n; i++)
        if (ticks.items[i].label) {
            least = fmin(least, ticks.items[i].position - last);
            last = ticks.items[i].position;
        }
    return least;
}

static size_t count(bool minor)
{
    size_t n = 0;
    for (size_t i = 0; i < ticks.n; i++)
        n += ticks.items[i].minor == minor;
    return n;
}

static void must_be_sound(double lo, double hi)
{
    ck_assert(isfinite(ticks.lo) && isfinite(ticks.hi) && ticks.lo < ticks.hi);
    ck_assert(ticks.lo <= lo && ticks.hi >= hi);
    ck_assert(ticks.n < 2000);
    for (size_t i = 0; i < ticks.n; i++) {
        double slack = 1e-6 * (ticks.hi - ticks.lo);
        ck_assert(ticks.items[i].position >= ticks.lo - slack && ticks.items[i].position <= ticks.hi + slack);
    }
}

START_TEST(linear_steps_are_1_2_5_with_equal_decimals)
{
    ws_axis fixed = {.has_range = true, .lo = 0, .hi = 300};
    make(fixed, 0, 0, 56);
    ck_assert_str_eq(labels(), "0 50 100 150 200 250 300");
    ck_assert_uint_eq(count(true), 6 * 4);
    fixed.lo = 0.9, fixed.hi = 1.2;
    make(fixed, 0, 0, 32);
    ck_assert_str_eq(labels(), "0.9 1.0 1.1 1.2");
    fixed.lo = -0.04, fixed.hi = 0.04;
    make(fixed, 0, 0, 40);
    ck_assert_str_eq(labels(), MINUS "0.04 " MINUS "0.02 0.00 0.02 0.04");
    ck_assert_uint_eq(count(true), 4 * 3);
    done();
}
END_TEST

START_TEST(linear_axes_have_four_labels_where_steps_are_coarse)
{
    /* Figure 2 B of the drawing guide: steps of 5 between 26 and 44 would leave three. */
    ws_axis axis = {0};
    make(axis, 27.4, 42.4, 46);
    must_be_sound(27.4, 42.4);
    ck_assert_uint_ge(count(false), 4);
    make((ws_axis){.has_range = true, .lo = 26, .hi = 44}, 0, 0, 46);
    ck_assert_uint_ge(count(false), 4);
    done();
}
END_TEST

START_TEST(ticks_of_hundreds_of_decades_stand_apart)
{
    const double length_mm = 60;
    for (int scale = WS_AXIS_LOG2; scale <= WS_AXIS_LOG10; scale++) {
        make((ws_axis){.scale = (ws_axis_scale)scale}, -300, 300, length_mm);
        must_be_sound(-300, 300);
        ck_assert_uint_ge(count(false), 3);
        for (size_t i = 1; i < ticks.n; i++) {
            double step = ticks.items[i].position - ticks.items[i - 1].position;
            ck_assert_double_ge(step / (ticks.hi - ticks.lo) * length_mm, 0.5);
        }
    }
    done();
}
END_TEST

START_TEST(bars_begin_at_zero)
{
    make((ws_axis){.from_zero = true}, 0.42, 1.02, 50);
    ck_assert(ticks.lo == 0 && ticks.hi >= 1.02);
    make((ws_axis){.from_zero = true}, -5, -2, 50);
    ck_assert(ticks.hi == 0 && ticks.lo <= -5);
    make((ws_axis){.from_zero = true}, 0, 0, 50);
    ck_assert(ticks.lo == 0 && ticks.hi > 0);
    done();
}
END_TEST

START_TEST(large_and_small_numbers_share_a_power_of_ten)
{
    make((ws_axis){.has_range = true, .lo = 0, .hi = 2e9}, 0, 0, 32);
    ck_assert_str_eq(labels(), "0 0.5\xc3\x97"
                               "10^{9} 1.0\xc3\x97"
                               "10^{9} 1.5\xc3\x97"
                               "10^{9} 2.0\xc3\x97"
                               "10^{9}");
    make((ws_axis){.has_range = true, .lo = 0, .hi = 4e-6}, 0, 0, 32);
    ck_assert_ptr_nonnull(strstr(labels(), "4\xc3\x97"
                                           "10^{" MINUS "6}"));
    make((ws_axis){.has_range = true, .lo = 0, .hi = 100000}, 0, 0, 40);
    ck_assert_ptr_nonnull(strstr(labels(), "100\xe2\x80\x89"
                                           "000"));
    make((ws_axis){.has_range = true, .lo = -8000, .hi = 0}, 0, 0, 40);
    ck_assert_ptr_nonnull(strstr(labels(), MINUS "8000"));
    done();
}
END_TEST

/* An axis goes on to the next labelled tick only where that takes an eighth of it or less: 15 % beyond the data of a
 * narrow panel showed nothing. */
START_TEST(no_axis_is_mostly_empty_for_its_last_label)
{
    const ws_tick_room narrow = {25, 12, 6};
    ws_ticks_make(&ticks, &arena, &(ws_axis){0}, 442, 1700, &narrow);
    ck_assert_str_eq(labels(), "500 1000 1500");
    ck_assert(ticks.hi < 1850);
    make((ws_axis){0}, 0.52, 9.3, 40); /* a tenth */
    ck_assert(ticks.hi == 10);
    done();
}
END_TEST

START_TEST(every_power_of_two_is_labelled_and_the_ends_have_room)
{
    make((ws_axis){.scale = WS_AXIS_LOG2}, 0, 8, 76);
    ck_assert_str_eq(labels(), "1 2 4 8 16 32 64 128 256");
    ck_close(ticks.lo, log2(0.8), 1e-12, 0);
    ck_close(ticks.hi, log2(256 * 1.25), 1e-12, 0);
    ck_assert_uint_eq(count(true), 0);
    make((ws_axis){.scale = WS_AXIS_LOG2}, -2, 1, 60);
    ck_assert_str_eq(labels(), "0.25 0.5 1 2");
    make((ws_axis){.scale = WS_AXIS_LOG2}, 2, 2, 60);
    must_be_sound(2, 2);
    ck_assert_uint_ge(count(false), 2);
    done();
}
END_TEST

START_TEST(labels_that_would_touch_are_left_out_evenly)
{
    make((ws_axis){.scale = WS_AXIS_LOG2}, 0, 30, 40);
    ck_assert_str_eq(labels(), "2^{0} 2^{3} 2^{6} 2^{9} 2^{12} 2^{15} 2^{18} 2^{21} 2^{24} 2^{27} 2^{30}");
    make((ws_axis){.scale = WS_AXIS_LOG2}, 1, log2(424), 18); /* the first one keeps its label */
    ck_assert_str_eq(labels(), "2 8 32 128 512");
    make((ws_axis){.scale = WS_AXIS_LOG10}, -300, 300, 40);
    must_be_sound(-300, 300);
    ck_assert_uint_le(count(false), 40 / 3 + 1);
    done();
}
END_TEST

START_TEST(decades_and_what_lies_between)
{
    make((ws_axis){.scale = WS_AXIS_LOG10, .has_range = true, .lo = 2, .hi = 1000}, 0, 0, 51);
    ck_assert_str_eq(labels(), "2 5 10 20 50 100 200 500 1000");
    make((ws_axis){.scale = WS_AXIS_LOG10, .has_range = true, .lo = 0.01, .hi = 1000}, 0, 0, 40);
    ck_assert_str_eq(labels(), "0.01 0.1 1 10 100 1000");
    make((ws_axis){.scale = WS_AXIS_LOG10, .has_range = true, .lo = 200, .hi = 50000}, 0, 0, 51);
    ck_assert_str_eq(labels(), "200 500 1000 2000 5000 10\xe2\x80\x89"
                               "000 20\xe2\x80\x89"
                               "000 50\xe2\x80\x89"
                               "000");
    make((ws_axis){.scale = WS_AXIS_LOG10, .has_range = true, .lo = 100, .hi = 1e6}, 0, 0, 80);
    ck_assert_str_eq(labels(), "10^{2} 10^{3} 10^{4} 10^{5} 10^{6}");
    make((ws_axis){.scale = WS_AXIS_LOG10, .has_range = true, .lo = 16000, .hi = 700000}, 0, 0,
         60); /* one decade in it */
    ck_assert_str_eq(labels(), "20\xe2\x80\x89"
                               "000 50\xe2\x80\x89"
                               "000 100\xe2\x80\x89"
                               "000 200\xe2\x80\x89"
                               "000 500\xe2\x80\x89"
                               "000");
    make((ws_axis){.scale = WS_AXIS_LOG10, .has_range = true, .lo = 370, .hi = 7000}, 0, 0, 20); /* on a short axis */
    ck_assert_str_eq(labels(), "500 1000 2000 5000");
    make((ws_axis){.scale = WS_AXIS_LOG10, .has_range = true, .lo = 3800, .hi = 82000}, 0, 0,
         11); /* one decade alone */
    ck_assert_str_eq(labels(), "10\xe2\x80\x89"
                               "000 30\xe2\x80\x89"
                               "000");
    make((ws_axis){.scale = WS_AXIS_LOG10, .has_range = true, .lo = 1e-4, .hi = 10}, 0, 0, 40);
    ck_assert_str_eq(labels(), "10^{" MINUS "4} 10^{" MINUS "3} 10^{" MINUS "2} 10^{" MINUS "1} 10^{0} 10^{1}");
    done();
}
END_TEST

/* The next label beyond the data where that is a seventh of its span away or less; not where a
 * marker would stand on the other axis. */
START_TEST(logarithmic_axes_end_at_labels)
{
    const ws_axis axis = {.scale = WS_AXIS_LOG10};
    make(axis, log10(0.41), log10(7.1), 42); /* Huber's Fig. 3 A: hours */
    ck_assert_str_eq(labels(), "0.5 1 2 5 10");
    ck_close(ticks.hi, 1, 1e-12, 0);
    make(axis, log10(0.18), log10(33), 42); /* C */
    ck_close(ticks.lo, -1, 1e-12, 0);
    ck_close(ticks.hi, log10(50), 1e-12, 0);
    make(axis, log10(12.4), log10(2300), 60); /* 10 does not lie a hair above the axis */
    ck_close(ticks.lo, 1, 1e-12, 0);
    make(axis, log10(10.1), log10(1900), 60); /* nor a marker on it */
    ck_assert(ticks.lo < 0.95);
    make(axis, log10(11), log10(55), 60); /* 100 is far: a third of the span */
    ck_assert(ticks.hi < log10(70));
    must_be_sound(log10(11), log10(55));
    make(axis, log10(310), log10(58000), 48); /* 100 000 would be 10^5, and nothing between */
    ck_assert_str_eq(labels(), "200 500 1000 2000 5000 10\xe2\x80\x89"
                               "000 20\xe2\x80\x89"
                               "000 50\xe2\x80\x89"
                               "000");
    make(axis, log10(0.18), log10(33), 17); /* 7 mm a decade: decades alone are labelled */
    ck_assert_str_eq(labels(), "0.1 1 10");
    done();
}
END_TEST

/* Three decades have labels between them where lines of text have room, so that three or less are not all. */
START_TEST(few_decades_are_divided)
{
    make((ws_axis){.scale = WS_AXIS_LOG10, .has_range = true, .lo = 10, .hi = 10000}, 0, 0, 47);
    ck_assert_str_eq(labels(), "10 20 50 100 200 500 1000 2000 5000 10\xe2\x80\x89"
                               "000");
    make((ws_axis){.scale = WS_AXIS_LOG10, .has_range = true, .lo = 14, .hi = 10000}, 0, 0, 28);
    ck_assert_str_eq(labels(), "100 1000 10\xe2\x80\x89"
                               "000");
    done();
}
END_TEST

START_TEST(less_than_a_decade_steps_as_a_linear_axis)
{
    make((ws_axis){.scale = WS_AXIS_LOG10, .has_range = true, .lo = 30, .hi = 45}, 0, 0, 40);
    ck_assert_uint_ge(count(false), 3);
    for (size_t i = 0; i < ticks.n; i++)
        if (ticks.items[i].label)
            ck_close(pow(10, ticks.items[i].position), atof(ticks.items[i].label), 1e-9, 0);
    make((ws_axis){.scale = WS_AXIS_LOG10}, 1, 1, 40);
    must_be_sound(1, 1);
    ck_assert_uint_ge(count(false), 2);
    done();
}
END_TEST

/* Two labels of a logarithmic axis do not say how values lie between them. Every part of a decade, and up to three
 * decades, has three or more where three lines of text have room. */
START_TEST(logarithmic_axes_have_three_labels)
{
    const double length_mm = 33; /* of a low panel; a line of text takes 3 */
    for (double lo = -2; lo < 2; lo += 0.031)
        for (double span = 0.1; span < 3; span += 0.05) {
            make((ws_axis){.scale = WS_AXIS_LOG10, .has_range = true, .lo = pow(10, lo), .hi = pow(10, lo + span)}, 0,
                 0, length_mm);
            ck_assert_msg(count_labels() >= 3, "%g to %g: %s", pow(10, lo), pow(10, lo + span), labels());
            ck_assert_msg(nearest_labels() / (ticks.hi - ticks.lo) * length_mm >= 3, "%g to %g: %s", pow(10, lo),
                          pow(10, lo + span), labels());
        }
    make((ws_axis){.scale = WS_AXIS_LOG10}, log10(0.09), log10(0.35), 40); /* 0.1 and 0.2 would be two */
    ck_assert_str_eq(labels(), "0.1 0.2 0.3");
    make((ws_axis){.scale = WS_AXIS_LOG10, .has_range = true, .lo = 8, .hi = 41}, 0, 0, 40);
    ck_assert_str_eq(labels(), "10 20 30");
    done();
}
END_TEST

START_TEST(categories_stand_at_whole_numbers)
{
    static const char *const names[] = {"BERT", "DimeNet", "ResNet50"};
    make((ws_axis){.scale = WS_AXIS_CATEGORY, .categories = names, .n_categories = 3}, 0, 2, 70);
    ck_assert_str_eq(labels(), "BERT DimeNet ResNet50");
    ck_assert(ticks.lo == -0.5 && ticks.hi == 2.5 && ticks.items[1].position == 1);
    make((ws_axis){.scale = WS_AXIS_CATEGORY}, 1, 0, 70);
    must_be_sound(0, 0);
    done();
}
END_TEST

/* Small ticks of a step of 10 mm and of 5, 2.5 and 1 mm: fifths, halves, none. */
START_TEST(small_ticks_stand_apart)
{
    static const struct {
        double hi, length_mm;
        size_t minor;
    } axes[] = {{5, 50, 20}, {5, 25, 5}, {5, 12.5, 0}, {25, 50, 20}, {25, 25, 0}, {10, 50, 15}, {10, 25, 5}};
    for (size_t i = 0; i < sizeof axes / sizeof *axes; i++) {
        const ws_axis axis = {.has_range = true, .lo = 0, .hi = axes[i].hi};
        ws_ticks_free(&ticks);
        const ws_tick_room room = {axes[i].length_mm, axes[i].length_mm / 6, 2};
        ws_ticks_make(&ticks, &arena, &axis, 0, axes[i].hi, &room);
        ck_assert_msg(count(true) == axes[i].minor, "%zu: %zu small ticks beside %s", i, count(true), labels());
    }
    static const struct {
        double length_mm;
        size_t minor;
    } decades[] = {{55.5, 40}, {54.5, 10}, {25.5, 10}, {24.5, 0}}; /* five of them: 11 and 5 mm each */
    for (size_t i = 0; i < sizeof decades / sizeof *decades; i++) {
        make((ws_axis){.scale = WS_AXIS_LOG10, .has_range = true, .lo = 1, .hi = 1e5}, 0, 0, decades[i].length_mm);
        size_t n = 0;
        for (size_t k = 0; k < ticks.n; k++)
            n += fabs(ticks.items[k].position - round(ticks.items[k].position)) > 0.01;
        ck_assert_msg(n == decades[i].minor, "%g mm: %zu between the decades", decades[i].length_mm, n);
    }
    done();
}
END_TEST

/* They are labelled and no others are; the axis reaches from the first to the last. */
START_TEST(ticks_that_are_given)
{
    static const double counts[] = {1, 3, 24, 12800}, shares[] = {-0.5, 0, 2.5}, far[] = {1e-7, 3e7};
    make((ws_axis){.scale = WS_AXIS_LOG2, .tick_values = counts, .n_tick_values = 4}, log2(2), log2(16), 60);
    ck_assert_str_eq(labels(), "1 3 24 12\xe2\x80\x89"
                               "800");
    ck_assert_uint_eq(ticks.n, 4);
    must_be_sound(0, log2(12800));
    make((ws_axis){.tick_values = shares, .n_tick_values = 3}, 0, 1, 60);
    ck_assert_str_eq(labels(), MINUS "0.5 0 2.5");
    must_be_sound(-0.5, 2.5);
    make((ws_axis){.tick_values = shares, .n_tick_values = 3, .has_range = true, .lo = 0, .hi = 1}, 0, 1, 60);
    ck_assert_str_eq(labels(), "0");
    make((ws_axis){.scale = WS_AXIS_LOG10, .tick_values = far, .n_tick_values = 2}, 0, 1, 200);
    ck_assert_str_eq(labels(), "10^{" MINUS "7} 3\xc3\x97"
                               "10^{7}");
    ck_assert_uint_gt(count(true), 20); /* between the decades, in their order */
    for (size_t i = 1; i < ticks.n; i++)
        ck_assert(ticks.items[i].position >= ticks.items[i - 1].position);
    done();
}
END_TEST

START_TEST(odd_ranges_end_and_are_sound)
{
    static const double limits[][2] = {{1, 0},
                                       {0, 0},
                                       {5, 5},
                                       {-5, -5},
                                       {-1e308, 1e308},
                                       {1e-320, 2e-320},
                                       {1e9, 1e9 + 1},
                                       {1e300, 1e308},
                                       {-1e-300, 0},
                                       {0, 5e-324},
                                       {1e15, 1e15},
                                       {-1, 1e12},
                                       {0.1, 0.1 + 1e-17},
                                       {1e6, 1e6 + 3e-7}};
    static const ws_axis_scale scales[] = {WS_AXIS_LINEAR, WS_AXIS_LOG2, WS_AXIS_LOG10};
    for (size_t s = 0; s < 3; s++)
        for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
            for (int fixed = 0; fixed < 2; fixed++) {
                ws_axis axis = {.scale = scales[s], .has_range = fixed, .lo = limits[i][0], .hi = limits[i][1]};
                double lo = ws_axis_position(&axis, axis.lo), hi = ws_axis_position(&axis, axis.hi);
                make(axis, isnan(lo) ? 1 : lo, isnan(hi) ? 0 : hi, 50);
                ck_assert(isfinite(ticks.lo) && isfinite(ticks.hi) && ticks.lo < ticks.hi);
                ck_assert(ticks.n < 2000);
            }
    make((ws_axis){.has_range = true, .lo = NAN, .hi = NAN}, 2, 9, 50);
    must_be_sound(2, 9);
    done();
}
END_TEST

TEST_MAIN("figure ticks", linear_steps_are_1_2_5_with_equal_decimals,
          linear_axes_have_four_labels_where_steps_are_coarse, ticks_of_hundreds_of_decades_stand_apart,
          bars_begin_at_zero, large_and_small_numbers_share_a_power_of_ten, no_axis_is_mostly_empty_for_its_last_label,
          every_power_of_two_is_labelled_and_the_ends_have_room, labels_that_would_touch_are_left_out_evenly,
          decades_and_what_lies_between, logarithmic_axes_end_at_labels, few_decades_are_divided,
          less_than_a_decade_steps_as_a_linear_axis, logarithmic_axes_have_three_labels,
          categories_stand_at_whole_numbers, small_ticks_stand_apart, ticks_that_are_given,
          odd_ranges_end_and_are_sound)
