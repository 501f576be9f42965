#include "harness.h"

#include "core/known_to.h"

static void add_run(ws_table *t, double coverage, double energy, double u)
{
    size_t row = ws_table_add_row(t);
    const double values[] = {coverage, energy, u};
    for (size_t i = 0; i < 3; i++)
        ws_table_set_number(t, i, row, values[i]);
}

static void begin(ws_table *t)
{
    ws_table_init(t, "runs");
    ws_table_add_column(t, "coverage", WS_NUMBER);
    ws_table_add_column(t, "energy_kwh", WS_NUMBER);
    ws_table_add_column(t, "energy_u_kwh", WS_NUMBER);
}

/* 10 and 20 % of two excerpts; a run that is covered by a twentieth is known as its own digits say. */
START_TEST(energies_of_excerpts_are_known_to_what_their_rows_say)
{
    ws_table t;
    static const size_t rows[] = {0, 1, 2};
    begin(&t);
    add_run(&t, 0.0499, 4, 0.4);
    add_run(&t, 0.001, 5, 1);
    add_run(&t, 0.05, 5, 2);
    ws_table_set_energy_u(&t);
    ck_close(t.energy_u, 0.15, 1e-15, 0);
    ck_close(ws_energy_u(&t, rows, 1), 0.1, 1e-15, 0);
    ck_close(ws_energy_u(&t, rows, 3), 0.1, 1e-15, 0);
    ck_assert_double_eq(ws_energy_u(&t, rows + 2, 1), 0);
    ck_assert_double_eq(ws_energy_u(&t, rows, 0), 0);
    ws_table_free(&t);
}
END_TEST

/* A table that was made of it may have neither column. */
START_TEST(tables_without_the_columns_take_that_of_the_campaign)
{
    ws_table t;
    static const size_t row = 0;
    ws_table_init(&t, "scale");
    ws_table_add_row(&t);
    t.energy_u = 0.15;
    ck_assert_double_eq(ws_energy_u(&t, &row, 1), 0.15);
    t.energy_u = 0;
    ck_assert_double_eq(ws_energy_u(&t, &row, 1), 0);
    ws_table_free(&t);
}
END_TEST

START_TEST(whole_runs_have_digits_of_their_own)
{
    ws_table t;
    static const size_t row = 0;
    begin(&t);
    add_run(&t, 1, 4, 0.4);
    add_run(&t, NAN, 4, 0.4);
    add_run(&t, 0.05, NAN, NAN);
    ws_table_set_energy_u(&t);
    ck_assert_double_eq(t.energy_u, 0);
    ck_assert_double_eq(ws_energy_u(&t, &row, 1), 0);
    ws_table_free(&t);
}
END_TEST

START_TEST(ratios_are_no_energies)
{
    static const char *const others[] = {"energy_ratio", "gpu_share", "energy_u_kwh", "energy_lo_kwh",
                                         "power_cap_w",  "wall_s",    "speedup",      "util_mean"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        ck_assert_msg(!ws_is_of_energy(others[i]), "%s", others[i]);
    ck_assert(ws_is_of_energy("kwh_per_gpuh") && ws_is_of_energy("gpu_power_w") && ws_is_of_energy("wh_per_sample"));
}
END_TEST

TEST_MAIN("known to", energies_of_excerpts_are_known_to_what_their_rows_say,
          tables_without_the_columns_take_that_of_the_campaign, whole_runs_have_digits_of_their_own,
          ratios_are_no_energies)
