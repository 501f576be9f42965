#include "harness.h"

#include "core/total.h"

#include <math.h>

static ws_total of(double value, int64_t factor)
{
    ws_total total = {.parts = {{0}}};
    ws_total_add_times(&total, value, factor);
    return total;
}

static bool is_decimal(double value)
{
    int64_t whole;
    return ws_millionths(value, &whole);
}

/* What a file states is summed, not the double beside it: ten readings of 0.1 are 1, and a thousand squares of it
 * are 10. */
START_TEST(decimals_count_as_they_are_written)
{
    ws_total tenths = {.parts = {{0}}}, squares = {.parts = {{0}}};
    for (int i = 0; i < 10; i++)
        ws_total_add_times(&tenths, 0.1, 1);
    for (int i = 0; i < 1000; i++)
        ws_total_add_square_times(&squares, 0.1, 1);
    double high, low;
    ck_assert(ws_total_value(&tenths, WS_PARTS) == 1);
    ws_total_pair(&squares, WS_SQUARE_PARTS, &high, &low);
    ck_assert(high == 10 && low == 0);
    ws_total power = of(86.35, 100000000);
    ck_assert(ws_total_value(&power, WS_PARTS) == 8635000000);
}
END_TEST

/* Below 2^53 millionths the processor's division is the one rounding of the exact quotient. */
START_TEST(a_total_of_decimals_is_rounded_once)
{
    uint64_t state = 99;
    for (int i = 0; i < 20000; i++) {
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        int64_t whole = (int64_t)(state >> 36) * (i % 2 ? 1 : -1), factor = (int64_t)(state >> 12 & 0xffffff);
        ws_total total = of((double)whole / 1e6, factor), square = {.parts = {{0}}};
        ck_assert(ws_total_value(&total, WS_PARTS) == (double)(whole * factor) / 1e6);
        int64_t small = whole % 65536, squared = small * small * (factor >> 4);
        ws_total_add_square_times(&square, (double)small / 1e6, factor >> 4);
        ck_assert(ws_total_value(&square, WS_SQUARE_PARTS) == (double)squared / 1e12);
    }
}
END_TEST

/* Is x, which is 1/2 at least, the double nearest to numerator / (5^6 * 2^places)? */
static bool is_nearest(double x, __int128 numerator, int places)
{
    int exponent;
    int64_t mantissa = (int64_t)ldexp(frexp(x, &exponent), 53);
    int shift = places - (53 - exponent); /* of the mantissa's last bit */
    __int128 off = numerator - ((__int128)mantissa * 15625 << shift);
    return 2 * (off < 0 ? -off : off) <= (__int128)15625 << shift;
}

/* m / 2^54 + k / 10^6 = (5^6 m + 2^48 k) / (5^6 * 2^54), in integers of 128 bits and by another way. */
START_TEST(decimals_and_others_come_together_exactly)
{
    const double third = 1 / 3.0;
    const int64_t mantissa = (int64_t)ldexp(third, 54);
    for (int64_t k = 200007; k < 100000000; k += 7777) {
        ws_total sum = of((double)k / 1e6, 1), difference = of((double)k / 1e6 + 1, 1);
        ws_total_add_times(&sum, third, 1);
        ws_total_add_times(&difference, third, -1);
        __int128 sum_parts = ((__int128)k << 48) + (__int128)15625 * mantissa;
        __int128 difference_parts = ((__int128)(k + 1000000) << 48) - (__int128)15625 * mantissa;
        ck_assert(is_nearest(ws_total_value(&sum, WS_PARTS), sum_parts, 54));
        ck_assert(is_nearest(ws_total_value(&difference, WS_PARTS), difference_parts, 54));
    }
}
END_TEST

/* 2^53 + 1 lies between two doubles; what is less than 2^-128 above it decides. */
START_TEST(the_rest_of_a_division_breaks_a_tie)
{
    ws_total tie = of(9007199254740992.0, 1), above = of(9007199254740992.0, 1), below = of(9007199254740992.0, 1);
    ws_total_add_times(&tie, 1, 1);
    ws_total_add_times(&above, 1.001, 1);
    ws_total_add_times(&below, 0.999, 1);
    ck_assert(ws_total_value(&tie, WS_PARTS) == 9007199254740992.0);
    ck_assert(ws_total_value(&above, WS_PARTS) == 9007199254740994.0);
    ck_assert(ws_total_value(&below, WS_PARTS) == 9007199254740992.0);
    for (int sign = -1; sign < 2; sign += 2) { /* 10^-6 cut to 128 places has a rest of less than 2^-128 */
        ws_total part = of(1e-6 * sign, 1);
        ws_sum cut = ws_total_sum(&part, WS_PARTS);
        ck_assert(cut.limb[0] & 1);
        ck_assert(ws_sum_value(&cut) == 1e-6 * sign);
    }
}
END_TEST

START_TEST(a_decimal_is_known_after_scaling_to_si)
{
    for (int64_t k = 0; k <= 100000; k++) {
        int64_t whole = -1;
        double percent = (double)k / 10 * 0.01, milliwatts = (double)k * 1e-3, kilowatts = (double)k / 1e6 * 1e3;
        ck_assert(ws_millionths(percent, &whole) && whole == k * 1000);
        ck_assert(ws_millionths(milliwatts, &whole) && whole == k * 1000);
        ck_assert(ws_millionths(kilowatts, &whole) && whole == k * 1000);
        ck_assert(ws_millionths(-milliwatts, &whole) && whole == -k * 1000);
        ck_assert(ws_millionths((double)k * 1e-6, &whole) && whole == k);
        ck_assert(ws_as_stated(milliwatts) == (double)k / 1000);
    }
}
END_TEST

START_TEST(other_numbers_are_taken_as_they_are)
{
    const double others[] = {86.3500001, 86.35F, 86.35 + 1e-12, 1 / 3.0,  1e-30, 0x1p-1060,
                             2e6,        -2e6,   1e300,         INFINITY, NAN};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        ck_assert_msg(!is_decimal(others[i]), "%.17g", others[i]);
    ck_assert(is_decimal(0) && is_decimal(-0.0) && !signbit(ws_as_stated(-0.0)));
    ck_assert(is_decimal(1099511.627776) && !is_decimal(1099511.627777));
    double third = 1 / 3.0;
    ck_assert(ws_as_stated(third) == third);
    ws_total total = of(86.35F, 3), gap = of(0.1, INT64_C(1) << 41);
    ck_assert(ws_total_value(&total, WS_PARTS) == 3 * (double)86.35F);
    ck_assert(ws_total_value(&gap, WS_PARTS) == ldexp(0.1, 41));
}
END_TEST

/* The double nearest to `whole` millionths, in the unit of which `per_j` make a joule, brought to J as a reader does.
 */
static double read_in(int64_t whole, double per_j)
{
    return (double)whole / (1e6 / per_j) * (1 / per_j);
}

/* A counter that ran for long is no shorter than one that began today: what it rises by is the difference of its
 * digits. */
START_TEST(a_large_counter_rises_by_what_its_digits_say)
{
    const int64_t starts[] = {1099511627775, 2000000123457, 34567891234567, 262143328850123, 999999999654321};
    const double units[] = {1, 1e3, 1e6};
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        for (size_t unit = 0; unit < sizeof units / sizeof *units; unit++)
            for (int64_t rise = 1; rise < 100000000; rise = rise * 3 + 1) {
                double from = read_in(starts[i], units[unit]), to = read_in(starts[i] + rise, units[unit]);
                ws_total total = {.parts = {{0}}};
                ws_total_add_counter(&total, to, 1);
                ws_total_add_counter(&total, from, -1);
                ck_assert(ws_total_value(&total, WS_PARTS) == (double)rise / 1e6);
                ck_assert(ws_counter_rise(from, to) == (double)rise / 1e6);
            }
    /* a GPU's counter of mJ after some years */
    ck_assert(ws_counter_rise(12345678901.234, 12345678902.335) == 1.101);
    ck_assert(ws_counter_rise(12345678901234 * 1e-3, 12345678902335 * 1e-3) == 1.101);
}
END_TEST

START_TEST(a_counter_beyond_its_digits_counts_as_it_is)
{
    const double odd = 1e12 / 3, far = 1e18;
    ck_assert(ws_counter_rise(odd, odd + 0.25) == odd + 0.25 - odd);
    ws_total total = {.parts = {{0}}};
    ws_total_add_counter(&total, far, 1);
    ws_total_add_counter(&total, 1 / 3.0, -1);
    ws_total_add_counter(&total, far, -1);
    ck_assert(ws_total_value(&total, WS_PARTS) == -1 / 3.0);
}
END_TEST

START_TEST(binary_fractions_count_the_same_both_ways)
{
    ck_assert(!ws_is_decimal_only(86.5) && !ws_is_decimal_only(0) && !ws_is_decimal_only(-0.015625));
    ck_assert(ws_is_decimal_only(86.35) && ws_is_decimal_only(nextafter(86.5, 100)));
    for (int sign = -1; sign < 2; sign += 2) {
        ws_total as_decimal = of(86.125, 7 * sign), as_other = {.parts = {{0}}};
        ws_sum_add_times(&as_other.other, 86.125, 7 * sign);
        ws_sum a = ws_total_sum(&as_decimal, WS_PARTS), b = ws_total_sum(&as_other, WS_PARTS);
        ck_assert(memcmp(&a, &b, sizeof a) == 0);
    }
}
END_TEST

/* (-3 * 2^100 + 5) * 10^6, by its limbs. */
START_TEST(parts_of_many_bits_are_scaled_exactly)
{
    ws_total total = {.parts = {{0}}}, expected = {.parts = {{0}}};
    ws_total_add_parts(&total, -((__int128)3 << 100) + 5, 1000000);
    ws_sum_add_units(&expected.parts, -3000000, 28); /* -3 * 10^6 * 2^100, the last place being 2^-128 */
    ws_sum_add_units(&expected.parts, 5000000, 128);
    ck_assert(memcmp(&total.parts, &expected.parts, sizeof total.parts) == 0);
    ck_assert(ws_total_value(&total, WS_PARTS) == -0x3p100);
}
END_TEST

START_TEST(any_order_and_split_give_the_same_total)
{
    ws_total forward = {.parts = {{0}}}, backward = {.parts = {{0}}}, right = {.parts = {{0}}};
    enum { MANY = 4000 };
    for (int i = 0; i < MANY; i++) {
        double value = i % 3 ? (i % 997 - 400) * 0.01 : i / 7.0;
        ws_total_add_square_times(&forward, value, 100000003 + i);
        double other = (MANY - 1 - i) % 3 ? ((MANY - 1 - i) % 997 - 400) * 0.01 : (MANY - 1 - i) / 7.0;
        ws_total_add_square_times(i < 1234 ? &backward : &right, other, 100000003 + MANY - 1 - i);
    }
    ws_total_merge(&backward, &right);
    ck_assert(memcmp(&forward.other, &backward.other, sizeof forward.other) == 0);
    ck_assert(memcmp(&forward.parts, &backward.parts, sizeof forward.parts) == 0);
}
END_TEST

TEST_MAIN("total", decimals_count_as_they_are_written, a_total_of_decimals_is_rounded_once,
          decimals_and_others_come_together_exactly, the_rest_of_a_division_breaks_a_tie,
          a_decimal_is_known_after_scaling_to_si, other_numbers_are_taken_as_they_are,
          a_large_counter_rises_by_what_its_digits_say, a_counter_beyond_its_digits_counts_as_it_is,
          binary_fractions_count_the_same_both_ways, parts_of_many_bits_are_scaled_exactly,
          any_order_and_split_give_the_same_total)
