/* Draws that are kept for each design: the same answer whether they were kept or not, and none of another statistic. */
#include "fit/drawn_law.h"

#include "tests/harness.h"

#include <math.h>

enum { N = 3, MANY = 200, SETS = 3000, USUAL = 93 };

typedef struct counted {
    double first;
    size_t calls;
} counted;

static void draw_up(void *state, double *statistic)
{
    counted *c = state;
    c->calls++;
    for (int i = 0; i < WS_DRAWN_LAW_DRAWS; i++)
        statistic[i] = c->first + (double)((i * 7) % WS_DRAWN_LAW_DRAWS);
}

static void draw_down(void *state, double *statistic)
{
    counted *c = state;
    c->calls++;
    for (int i = 0; i < WS_DRAWN_LAW_DRAWS; i++)
        statistic[i] = c->first - (double)i;
}

START_TEST(drawn_once_for_each_design)
{
    double one[N] = {1, 2, 4}, other[N] = {1, 2, 5};
    counted c = {10, 0};
    const double *drawn = ws_drawn_law(draw_up, &c, one, N);
    for (int i = 0; i < WS_DRAWN_LAW_DRAWS; i++)
        ck_assert_double_eq(drawn[i], 10 + i);
    ck_assert_double_eq(ws_drawn_law(draw_up, &c, one, N)[0], 10);
    ck_assert_uint_eq(c.calls, 1);
    c.first = 20;
    ck_assert_double_eq(ws_drawn_law(draw_up, &c, other, N)[0], 20);
    ck_assert_double_eq(ws_drawn_law(draw_up, &c, one, N - 1)[0], 20);
    ck_assert_double_eq(ws_drawn_law(draw_down, &c, one, N)[WS_DRAWN_LAW_DRAWS - 1], 20);
    ck_assert_uint_eq(c.calls, 4);
}
END_TEST

/* More sets than are kept, and a set that is too long to be kept: drawn again, never another's. */
START_TEST(what_is_not_kept_is_drawn_again)
{
    double set[N] = {0}, many[MANY] = {0};
    for (int round = 0; round < 2; round++)
        for (int k = 0; k < SETS; k++) {
            counted c = {k, 0};
            set[0] = k;
            ck_assert_double_eq(ws_drawn_law(draw_up, &c, set, N)[0], k);
        }
    for (int k = 0; k < 3; k++) {
        counted c = {k, 0};
        ck_assert_double_eq(ws_drawn_law(draw_up, &c, many, MANY)[0], k);
        ck_assert_uint_eq(c.calls, 1);
    }
}
END_TEST

/* Groups with five to eight of eight counts have 93 sets of x, which come in any order. */
START_TEST(usual_sets_are_drawn_once)
{
    counted c = {0, 0};
    for (int round = 0; round < 2; round++)
        for (int k = 0, sets = 0; k < 256; k++) {
            double set[8];
            size_t n = 0;
            for (int i = 0; i < 8; i++)
                if (k >> i & 1)
                    set[n++] = log(pow(2, i + 3));
            if (n < 5)
                continue;
            c.first = ++sets;
            ck_assert_double_eq(ws_drawn_law(draw_up, &c, set, n)[0], sets);
        }
    ck_assert_uint_eq(c.calls, USUAL);
}
END_TEST

START_TEST(tails_hold_what_is_equal)
{
    double set[N] = {7, 8, 9};
    counted c = {1, 0};
    const double *drawn = ws_drawn_law(draw_up, &c, set, N); /* 1 to 999 */
    ck_assert_uint_eq(ws_drawn_at_least(drawn, 999), 1);
    ck_assert_uint_eq(ws_drawn_at_least(drawn, 999.5), 0);
    ck_assert_uint_eq(ws_drawn_at_least(drawn, 0), WS_DRAWN_LAW_DRAWS);
    ck_assert_uint_eq(ws_drawn_at_most(drawn, 1), 1);
    ck_assert_uint_eq(ws_drawn_at_most(drawn, 0.5), 0);
    ck_assert_uint_eq(ws_drawn_at_most(drawn, 2000), WS_DRAWN_LAW_DRAWS);
}
END_TEST

TEST_MAIN("drawn law", drawn_once_for_each_design, what_is_not_kept_is_drawn_again, usual_sets_are_drawn_once,
          tails_hold_what_is_equal)
