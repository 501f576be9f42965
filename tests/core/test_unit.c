#include "harness.h"

#include "core/unit.h"

#include <math.h>

#include <string.h>

static void ck_unit(const char *word, const char *name, double to_si)
{
    const ws_unit *unit = ws_unit_find(ws_span_of(word));
    ck_assert_msg(unit != NULL, "'%s' is no unit", word);
    ck_assert_str_eq(unit->name, name);
    ck_assert_double_eq(unit->to_si, to_si);
}

START_TEST(words_in_any_spelling)
{
    ck_unit("W", "W", 1);
    ck_unit("mW", "mW", 1e-3);
    ck_unit("MW", "MW", 1e6);
    ck_unit("mJ", "mJ", 1e-3);
    ck_unit("MJ", "MJ", 1e6);
    ck_unit("Watts", "W", 1);
    ck_unit("JOULES", "J", 1);
    ck_unit("kwh", "kWh", 3.6e6);
    ck_unit("kWh", "kWh", 3.6e6);
    ck_unit("GWh", "GWh", 3.6e12);
    ck_unit("gwh", "GWh", 3.6e12);
    ck_unit("%", "%", 0.01);
    ck_unit("MiB", "MiB", 1048576);
    ck_unit("MB", "MB", 1e6);
    ck_unit(" mhz ", "MHz", 1e6);
    ck_unit("min", "min", 60);
    ck_unit("\xc2\xb5J", "uJ", 1e-6);
}
END_TEST

START_TEST(no_units)
{
    static const char *const words[] = {"", "mw", "w", "X", "WW", "kmh", "gpus", "J/s"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        ck_assert_msg(!ws_unit_find(ws_span_of(words[i])), "'%s' is taken for a unit", words[i]);
}
END_TEST

START_TEST(dimensions_share_their_si_unit)
{
    ck_assert_int_eq(ws_unit_find(ws_span_of("kWh"))->dimension, WS_DIM_ENERGY);
    ck_assert_int_eq(ws_unit_find(ws_span_of("MHz"))->dimension, WS_DIM_FREQUENCY);
    ck_assert_int_eq(ws_unit_find(ws_span_of("%"))->dimension, WS_DIM_RATIO);
    ck_assert_int_eq(ws_unit_find(ws_span_of("GiB"))->dimension, WS_DIM_BYTES);
    ck_assert_int_eq(ws_unit_find(ws_span_of("degc"))->dimension, WS_DIM_TEMPERATURE);
    ck_assert_int_eq(ws_unit_find(ws_span_of("us"))->dimension, WS_DIM_TIME);
}
END_TEST

START_TEST(units_inside_column_names)
{
    static const struct {
        const char *name, *unit, *bare;
    } cases[] = {{"power.draw [W]", "W", "power.draw"},
                 {"Power (mW)", "mW", "Power"},
                 {"energy_kwh", "kWh", "energy"},
                 {"energy_gwh", "GWh", "energy"},
                 {"Energy gigawatt hours", "GWh", "Energy"},
                 {"wall_s", "s", "wall"},
                 {"Consumption/W", "W", "Consumption"},
                 {"power_mw", "mW", "power"},
                 {"util_pct", "%", "util"},
                 {"mem_mib", "MiB", "mem"},
                 {"clock_mhz", "MHz", "clock"},
                 {" temp_c ", "C", "temp"},
                 {"Package (Joules)", "J", "Package"},
                 {"edp_kwh_h", "h", "edp_kwh"},
                 {"power_MW", "MW", "power"},
                 {"energy_uJ", "uJ", "energy"},
                 {"Energy in J", "J", "Energy"},
                 {"time_in_ms", "ms", "time"},
                 {"energy_watt_hours", "Wh", "energy"},
                 {"Energy kilowatt hours", "kWh", "Energy"},
                 {"total_energy_megajoules", "MJ", "total_energy"},
                 {"gpu_hours", "h", "gpu"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ws_span bare;
        const ws_unit *unit = ws_unit_in_name(ws_span_of(cases[i].name), &bare);
        ck_assert_msg(unit != NULL, "no unit in '%s'", cases[i].name);
        ck_assert_str_eq(unit->name, cases[i].unit);
        ck_assert_msg(ws_span_eq(bare, cases[i].bare), "'%s' leaves '%.*s'", cases[i].name, WS_SPAN_ARG(bare));
    }
}
END_TEST

START_TEST(names_without_unit_stay_whole)
{
    static const char *const names[] = {"gpus", "power.draw", "power (average)",  "index []", "_w",        "W",
                                        "a [b", "",           "samples_per_gpuh", "Energy J", "run in h1", "in J"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        ws_span bare;
        ck_assert_msg(!ws_unit_in_name(ws_span_of(names[i]), &bare), "'%s' has a unit", names[i]);
        ck_assert(ws_span_eq(bare, names[i]));
    }
}
END_TEST

START_TEST(energies_in_sentences_have_no_exponents)
{
    static const struct {
        double j;
        const char *text;
    } cases[] = {{0, "0 J"},          {950.5, "950.5 J"},      {-12.25, "-12.25 J"},  {999999.4, "999999 J"},
                 {999999.5, "1 MJ"},  {1838990, "1.83899 MJ"}, {-2.5e6, "-2.5 MJ"},   {999999499, "999.999 MJ"},
                 {999999500, "1 GJ"}, {2.4e9, "2.4 GJ"},       {3.6e14, "360000 GJ"}, {NAN, "nan J"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        ck_assert_str_eq(ws_joules(cases[i].j).text, cases[i].text);
}
END_TEST

TEST_MAIN("unit", words_in_any_spelling, no_units, dimensions_share_their_si_unit, units_inside_column_names,
          names_without_unit_stay_whole, energies_in_sentences_have_no_exponents)
