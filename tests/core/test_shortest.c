#include "harness.h"

#include "core/shortest.h"
#include "core/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t random_state = 1;

static uint64_t next_random(void)
{
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return random_state ^ random_state >> 29;
}

/* What printf says with the fewest digits that strtod reads as the same number. */
static void ck_as_printf(double value)
{
    char want[64], got[WS_DOUBLE_TEXT];
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(want, sizeof want, "%.*g", digits, value);
        if (strtod(want, NULL) == value)
            break;
    }
    size_t n = ws_shortest_everyday(got, value);
    ck_assert_msg(n == strlen(want) && memcmp(got, want, n + 1) == 0, "%a: %s and not %s", value, n ? got : "nothing",
                  want);
}

/* As many decimals as leave so many digits, after the rounding. */
static void ck_digits_as_printf(double value, int digits)
{
    char want[64], got[WS_DOUBLE_TEXT];
    snprintf(want, sizeof want, "%.*e", digits - 1, value);
    int decimals = digits - 1 - atoi(strchr(want, 'e') + 1);
    snprintf(want, sizeof want, "%.*f", decimals > 0 ? decimals : 0, value);
    size_t n = ws_everyday_digits(got, value, digits);
    ck_assert_msg(n == strlen(want) && memcmp(got, want, n + 1) == 0, "%a to %d digits: %s and not %s", value, digits,
                  n ? got : "nothing", want);
}

static void ck_around(double value)
{
    double below = value, above = value;
    ck_as_printf(value);
    for (int i = 0; i < 3; i++) {
        if ((below = nextafter(below, 0)) >= WS_EVERYDAY_LEAST)
            ck_as_printf(below);
        if ((above = nextafter(above, INFINITY)) < WS_EVERYDAY_BOUND)
            ck_as_printf(above);
    }
}

START_TEST(powers_and_their_neighbours)
{
    for (double ten = 1e-4; ten < WS_EVERYDAY_BOUND; ten *= 10)
        ck_around(ten);
    for (double two = 0x1p-13; two < WS_EVERYDAY_BOUND; two *= 2)
        ck_around(two);
}
END_TEST

START_TEST(halves_between_decimals)
{
    for (int i = 0; i < 4000; i++) {
        ck_as_printf((double)(next_random() >> 15) + 0.5);
        ck_as_printf((double)(next_random() >> 16) + 0.25);
        ck_as_printf((double)(next_random() >> 17) + 0.125);
    }
}
END_TEST

START_TEST(doubles_of_every_size)
{
    for (int i = 0; i < 20000; i++) {
        double mantissa = 1 + (double)(next_random() >> 12) * 0x1p-52;
        double value = ldexp(mantissa, (int)(next_random() >> 32) % 63 - 13);
        if (value >= WS_EVERYDAY_LEAST && value < WS_EVERYDAY_BOUND)
            ck_as_printf(i % 2 ? value : -value);
    }
}
END_TEST

START_TEST(what_people_write)
{
    static const double places[] = {1, 10, 100, 1e3, 1e6, 1e9};
    for (int i = 0; i < 20000; i++)
        ck_as_printf((double)(next_random() >> 40 | 1 << 18) / places[i % 6] + (i % 7 ? 0 : 1e5));
}
END_TEST

START_TEST(so_many_digits)
{
    for (int i = 0; i < 40000; i++) {
        double mantissa = 1 + (double)(next_random() >> 12) * 0x1p-52;
        double value = ldexp(mantissa, (int)(next_random() >> 32) % 63 - 13);
        if (value >= WS_EVERYDAY_LEAST && value < WS_EVERYDAY_BOUND)
            ck_digits_as_printf(i % 2 ? value : -value, 1 + i % 15);
    }
}
END_TEST

START_TEST(so_many_digits_of_halves)
{
    for (int i = 0; i < 20000; i++)
        ck_digits_as_printf((double)(next_random() >> (36 + i % 20)) + (i % 3 ? 0.5 : 0.25), 1 + i % 15);
}
END_TEST

/* 9.996 has one decimal less than 9.994. */
START_TEST(rounding_up_to_the_next_power)
{
    for (double ten = 1e-3; ten < WS_EVERYDAY_BOUND; ten *= 10)
        for (int digits = 1; digits <= 15; digits++)
            for (double share = 1e-17; share < 0.2; share *= 1.7) {
                ck_digits_as_printf(ten - share * ten, digits);
                ck_digits_as_printf(nextafter(ten, 0), digits);
                ck_digits_as_printf(ten, digits);
            }
}
END_TEST

static void ck_decimals_as_printf(double value, int decimals)
{
    char want[64], got[WS_DOUBLE_TEXT];
    snprintf(want, sizeof want, "%.*f", decimals, value);
    const char *unsigned_zero = want[0] == '-' && !strpbrk(want, "123456789") ? want + 1 : want;
    size_t n = ws_everyday_decimals(got, value, decimals);
    if (!n && fabs(value) * pow(10, decimals) > 0.99e18)
        return;
    ck_assert_msg(n == strlen(unsigned_zero) && memcmp(got, unsigned_zero, n + 1) == 0,
                  "%a to %d decimals: %s and not %s", value, decimals, n ? got : "nothing", unsigned_zero);
}

START_TEST(so_many_decimals)
{
    for (int i = 0; i < 200000; i++) {
        double value = ldexp((double)(next_random() >> 11), -1 - (int)(next_random() % 140));
        ck_decimals_as_printf(i % 2 ? value : -value, i % 13);
    }
}
END_TEST

/* 0.125 is 0.12 and 0.375 is 0.38; 0.004 is 0.00 and 0.005 the double above it or below it. */
START_TEST(halves_of_decimals)
{
    for (int i = 1; i < 20000; i++)
        for (int bits = 1; bits <= 13; bits++)
            ck_decimals_as_printf(ldexp(i, -bits), i % 13);
    for (double ten = 1e-14; ten < 1e6; ten *= 10)
        for (int decimals = 0; decimals <= 12; decimals++)
            for (int tenths = 1; tenths < 100; tenths++)
                ck_decimals_as_printf(ten * tenths / 10, decimals);
}
END_TEST

START_TEST(zero_and_what_is_next_to_it_to_decimals)
{
    static const double tiny[] = {0, -0.0, 0x1p-1074, -0x1p-1022, 1e-300, -1e-30, 4.9e-13};
    for (size_t i = 0; i < sizeof tiny / sizeof *tiny; i++)
        for (int decimals = 0; decimals <= 12; decimals++)
            ck_decimals_as_printf(tiny[i], decimals);
}
END_TEST

START_TEST(decimals_beyond_what_an_integer_holds_are_left_alone)
{
    char buffer[WS_DOUBLE_TEXT];
    ck_assert_uint_eq(ws_everyday_decimals(buffer, 1e15, 3), 0);
    ck_assert_uint_eq(ws_everyday_decimals(buffer, 999999999999999.5, 3), strlen("999999999999999.500"));
    ck_assert_uint_eq(ws_everyday_decimals(buffer, 1.5, 13) + ws_everyday_decimals(buffer, 1.5, -1), 0);
    ck_assert_uint_eq(ws_everyday_decimals(buffer, NAN, 2) + ws_everyday_decimals(buffer, -INFINITY, 2), 0);
    ck_assert_uint_eq(ws_everyday_decimals(buffer, 0x1p52, 0), 0);
}
END_TEST

START_TEST(other_magnitudes_are_left_alone)
{
    static const double others[] = {0, -0.0, NAN, INFINITY, -INFINITY, 1e15, -1e15, 9.999e-5, 1e300, 0x1p-1074};
    char buffer[WS_DOUBLE_TEXT];
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        ck_assert_uint_eq(ws_shortest_everyday(buffer, others[i]) + ws_everyday_digits(buffer, others[i], 6), 0);
}
END_TEST

TEST_MAIN("shortest", powers_and_their_neighbours, halves_between_decimals, doubles_of_every_size, what_people_write,
          so_many_digits, so_many_digits_of_halves, rounding_up_to_the_next_power, so_many_decimals, halves_of_decimals,
          zero_and_what_is_next_to_it_to_decimals, decimals_beyond_what_an_integer_holds_are_left_alone,
          other_magnitudes_are_left_alone)
