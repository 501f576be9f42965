#include "harness.h"

#include "core/looks.h"

#include <math.h>
#include <string.h>

static ws_arena arena;
static ws_looks looks;

static void take(const char *text)
{
    ws_error error = {0};
    ck_assert_msg(ws_looks_parse(&looks, &arena, text, &error) == WS_OK, "%s", error.message);
}

static void refuse(const char *text, const char *why)
{
    ws_error error = {0};
    ck_assert_int_eq(ws_looks_parse(&looks, &arena, text, &error), WS_USAGE);
    ck_assert_msg(strstr(error.message, why) != NULL, "'%s' says '%s'", text, error.message);
}

START_TEST(settings_of_a_value)
{
    take("series=lbs256: name=local, 256 samples, colour=#bB5566, marker=square, order=2");
    const ws_look *look = ws_look_of_value(&looks, "series", "lbs256");
    ck_assert_str_eq(look->name, "local, 256 samples");
    ck_assert_int_eq(look->colour, 0xbb5566);
    ck_assert_str_eq(ws_marker_names[look->marker], "square");
    ck_assert_double_eq(look->order, 2);
    ck_assert_ptr_null(ws_look_of_value(&looks, "series", "lbs25"));
    ck_assert_ptr_null(ws_look_of_column(&looks, "series"));
    take("power_cap_w=250: name=full power");
    ck_assert_str_eq(ws_look_of_value(&looks, "power_cap_w", "250.0")->name, "full power");
    ws_looks_free(&looks);
    ws_arena_free(&arena);
}
END_TEST

START_TEST(a_later_look_goes_before_an_earlier_one)
{
    ws_looks more = {0};
    take("device=A100: name=old, order=1");
    ck_assert_int_eq(ws_looks_parse(&more, &arena, "device=A100: name=new", NULL), WS_OK);
    ws_looks_merge(&looks, &arena, &more);
    ck_assert_str_eq(ws_look_of_value(&looks, "device", "A100")->name, "new");
    ck_assert_double_eq(ws_look_of_value(&looks, "device", "A100")->order, 1);
    ck_assert_uint_eq(looks.n, 1);
    ws_looks_free(&more);
    ws_looks_free(&looks);
    ws_arena_free(&arena);
}
END_TEST

/* 1 kWh is 3.6 MJ; what has no unit in its name is printed with the given one as it stands. */
START_TEST(units_of_columns)
{
    static const struct {
        const char *look, *column;
        double factor;
    } cases[] = {{"energy_kwh: unit=MJ", "energy_kwh", 3.6},    {"wall_s: unit=h", "wall_s", 1 / 3600.0},
                 {"gpu_power_w: unit=kW", "gpu_power_w", 1e-3}, {"util_mean: unit=%", "util_mean", 100},
                 {"error_top1: unit=%", "error_top1", 1},       {"samples_per_s: unit=1/s", "samples_per_s", 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        take(cases[i].look);
        ck_assert_double_eq_tol(ws_look_of_column(&looks, cases[i].column)->factor, cases[i].factor, 1e-15);
    }
    ws_looks_free(&looks);
    ws_arena_free(&arena);
}
END_TEST

START_TEST(what_is_no_look)
{
    refuse("energy_kwh: colour=#bb5566", "'energy_kwh' is a column, and order, colour and marker are of values");
    refuse("series", "no look such as");
    refuse("series=: name=a", "no COLUMN");
    refuse("series=a: b", "no NAME=VALUE");
    refuse("series=a: color=#000000", "no 'color'");
    refuse("series=a: colour=red", "not written as");
    refuse("series=a: colour=#12345", "not written as");
    refuse("series=a: marker=star", "must be circle");
    refuse("series=a: order=first", "no number");
    refuse("series=a: unit=s", "units are of columns");
    refuse("energy_kwh: unit=s", "in kWh");
    ws_looks_free(&looks);
    ws_arena_free(&arena);
}
END_TEST

TEST_MAIN("looks", settings_of_a_value, a_later_look_goes_before_an_earlier_one, units_of_columns, what_is_no_look)
