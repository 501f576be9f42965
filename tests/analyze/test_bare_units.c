#include "harness.h"

#include "analyze/ingest/run_columns.h"
#include "analyze/ingest/tidy.h"
#include "core/device_limits.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A table of numbers: names with blanks between, then rows of as many cells. NaN is an empty cell. */
static void make_runs(const char *names, const double *cells, size_t n_rows, const ws_fields *defaults, ws_table *runs)
{
    const ws_fields none = {0};
    ws_table raw;
    ws_error error = {0};
    ws_span rest = ws_span_of(names), name;
    char text[80];
    ws_table_init(&raw, "table");
    raw.source = "runs.csv";
    while (ws_span_split(&rest, ' ', &name)) {
        snprintf(text, sizeof text, "%.*s", WS_SPAN_ARG(name));
        ws_table_add_column(&raw, text, WS_NUMBER);
    }
    for (size_t row = 0; row < n_rows; row++) {
        ws_table_add_row_at(&raw, (int64_t)row + 2);
        for (size_t c = 0; c < raw.n_columns; c++)
            ws_table_set_number(&raw, c, row, cells[row * raw.n_columns + c]);
    }
    ck_assert_msg(ws_tidy(&raw, NULL, defaults ? defaults : &none, runs, &error) == WS_OK, "%s", error.message);
    ws_table_free(&raw);
}

static bool is_asked(const ws_table *runs, size_t row)
{
    const char *status = runs->columns[WS_COL_STATUS].text[row];
    return ws_question_of(status) == WS_ASK_UNIT;
}

/* One row; `kwh` and `wall_s` are what it becomes, NaN where the unit is asked for. */
static void expect(const char *names, const double *cells, double kwh, double wall_s)
{
    ws_table runs;
    make_runs(names, cells, 1, NULL, &runs);
    double got_kwh = ws_runs_get(&runs, WS_COL_ENERGY, 0), got_s = ws_runs_get(&runs, WS_COL_WALL, 0);
    bool is_right =
        isnan(kwh) ? isnan(got_kwh) && is_asked(&runs, 0) : fabs(got_kwh - kwh) <= 1e-12 * kwh && !is_asked(&runs, 0);
    is_right &= isnan(wall_s) ? isnan(got_s) : fabs(got_s - wall_s) <= 1e-12 * wall_s;
    ck_assert_msg(is_right, "'%s' %g ... becomes %.17g kWh in %.17g s", names, cells[0], got_kwh, got_s);
    ck_assert_ptr_nonnull(ws_notes_find(&runs.notes, isnan(kwh) ? WS_FINDING_ASK_UNIT : WS_FINDING_ASSUMED_UNIT));
    ck_assert_ptr_null(ws_notes_find(&runs.notes, isnan(kwh) ? WS_FINDING_ASSUMED_UNIT : WS_FINDING_ASK_UNIT));
    ws_table_free(&runs);
}

/* 100 s: the least and the most that a device draws, in a unit whose neighbours are a thousand times off. */
START_TEST(the_range_of_powers)
{
    static const double inside = 1 + 1e-9, outside = 1 - 1e-9;
    const double least_j = WS_RUN_LEAST_W * 100, most_j = WS_RUN_MOST_W * 100;
    expect("energy gpus wall_s", (double[]){least_j * inside, 1, 100}, least_j * inside / 3.6e6, 100);
    expect("energy gpus wall_s", (double[]){least_j * outside, 1, 100}, NAN,
           100); /* 5 W in J, 5 kW in kJ, 18 kW in Wh */
    expect("energy gpus wall_s", (double[]){most_j / inside, 1, 100}, most_j / inside / 3.6e6, 100);
    expect("energy gpus wall_s", (double[]){most_j / outside, 1, 100}, NAN, 100);
    expect("energy gpus wall_s", (double[]){most_j / outside, 2, 100}, most_j / outside / 3.6e6, 100);
}
END_TEST

/* 200 W of one GPU for 500 s, in every unit that is known here. kJ and Wh, MJ and kWh lie 3.6 apart: both mean what a
 * GPU draws. */
START_TEST(an_energy_beside_seconds)
{
    const double kwh = 200.0 * 500 / 3.6e6;
    expect("energy gpus wall_s", (double[]){1e11, 1, 500}, kwh, 500); /* uJ */
    expect("energy gpus wall_s", (double[]){1e8, 1, 500}, kwh, 500);  /* mJ */
    expect("energy gpus wall_s", (double[]){1e5, 1, 500}, kwh, 500);  /* J */
    expect("energy gpus wall_s", (double[]){1e2, 1, 500}, NAN, 500);  /* kJ */
    expect("energy gpus wall_s", (double[]){kwh, 1, 500}, NAN, 500);  /* kWh */
    expect("energy gpus wall_s", (double[]){0.1, 1, 500}, NAN, 500);  /* MJ */
    expect("energy gpus wall_s", (double[]){1e-4, 1, 500}, NAN, 500); /* GJ */
    expect("gpu_energy gpus wall_s", (double[]){1e5, 1, 500}, kwh, 500);
}
END_TEST

/* A time beside J. 60 min are 3600 s: from 300 W on both s and min mean what a device draws. */
START_TEST(a_time_beside_joules)
{
    expect("energy_j gpus duration", (double[]){1e5, 1, 500}, 1e5 / 3.6e6, 500);
    expect("energy_j gpus duration", (double[]){1e5, 1, 5e5}, 1e5 / 3.6e6, 500);    /* ms */
    expect("energy_j gpus duration", (double[]){1.2e5, 1, 10}, 1.2e5 / 3.6e6, 600); /* min */
    ws_table runs;
    make_runs("energy_j gpus duration", (double[]){4e5, 1, 1000}, 1, NULL, &runs); /* 400 W, or 6.7 W over min */
    ck_assert(is_asked(&runs, 0) && isnan(ws_runs_get(&runs, WS_COL_WALL, 0)));
    ck_assert_double_eq_tol(ws_runs_get(&runs, WS_COL_ENERGY, 0), 4e5 / 3.6e6, 1e-12); /* that one is written */
    ws_table_free(&runs);
}
END_TEST

/* J in s is Wh in h and mJ in ms, always; MJ in s is kJ in ms, and kWh in s Wh in ms. */
START_TEST(two_bare_columns)
{
    expect("energy gpus duration", (double[]){1e5, 1, 500}, NAN, NAN);
    expect("energy gpus duration", (double[]){0.0277, 1, 500}, NAN, NAN);
    expect("energy gpus duration", (double[]){0.0277 * 2, 1, 500}, NAN, NAN);
    expect("energy gpus duration", (double[]){1e11, 1, 500}, NAN, NAN); /* uJ and s, or mJ and h (55 W) */
}
END_TEST

/* Every row must fit: 500 kJ in 1000 s are 500 W; a row of 6 kW fits J as little as kJ. */
START_TEST(every_row_counts)
{
    ws_table runs;
    make_runs("energy gpus wall_s", (double[]){5e5, 1, 1000, 6e6, 1, 1000}, 2, NULL, &runs);
    ck_assert(is_asked(&runs, 0) && is_asked(&runs, 1));
    ws_table_free(&runs);
    /* what is missing or zero says nothing, and a run without an energy has nothing to ask */
    make_runs("energy gpus wall_s", (double[]){1.8e6, 1, 3600, 0, 1, 3600, NAN, 1, 3600, 1.44e6, 1, NAN}, 4, NULL,
              &runs);
    ck_assert(!is_asked(&runs, 0));
    ck_assert_double_eq_tol(ws_runs_get(&runs, WS_COL_ENERGY, 3), 0.4, 1e-12);
    ws_table_free(&runs);
    make_runs("energy gpus wall_s", (double[]){3.6, 1, 3600, NAN, 1, 3600}, 2, NULL, &runs);
    ck_assert(is_asked(&runs, 0) && !is_asked(&runs, 1));
    ws_table_free(&runs);
}
END_TEST

/* 200 W, or 200 kW of a thousand GPUs: a count decides. Nodes hold up to 16 GPUs. */
START_TEST(devices_are_counted)
{
    ws_arena own = {0};
    ws_fields defaults = {0};
    ws_table runs;
    const double j = 1e5, node_kwh = 16 * WS_RUN_MOST_W / 1e3;
    expect("energy wall_s", (double[]){j, 500}, NAN, 500);
    expect("energy nodes wall_s", (double[]){node_kwh * 0.999, 1, 3600}, NAN, 3600); /* 32 kW, or 32 W in Wh */
    expect("energy nodes wall_s", (double[]){node_kwh * 1.001, 1, 3600}, NAN,
           3600);                                                       /* too much in kWh, and kJ fits, too */
    expect("energy nodes wall_s", (double[]){0.2, 1, 3600}, NAN, 3600); /* or 0.2 MJ */
    expect("energy nodes wall_s", (double[]){j, 1, 500}, j / 3.6e6, 500);
    ws_fields_set(&defaults, &own, "gpus", "1");
    make_runs("energy wall_s", (double[]){j, 500}, 1, &defaults, &runs);
    ck_assert_double_eq_tol(ws_runs_get(&runs, WS_COL_ENERGY, 0), j / 3.6e6, 1e-15);
    ws_table_free(&runs);
    ws_fields_free(&defaults);
    ws_arena_free(&own);
}
END_TEST

/* Where nothing counts the devices: half of what the largest system draws, in the smallest unit, which has none below.
 */
START_TEST(powers_of_any_number_of_devices)
{
    expect("energy wall_s", (double[]){0.99e7 * 100 * 1e6, 100}, 0.99e7 * 100 / 3.6e6, 100);
    expect("energy wall_s", (double[]){1.01e7 * 100 * 1e6, 100}, NAN, 100);
}
END_TEST

/* mJ or MJ, which are so far apart that the mW of a small board tell: 10 of them. */
START_TEST(names_that_say_one_of_two_units)
{
    expect("energy_mj gpus wall_s", (double[]){1010, 1, 100}, 1.01 / 3.6e6, 100);
    expect("energy_mj gpus wall_s", (double[]){990, 1, 100}, NAN, 100);
}
END_TEST

/* Energies of one table are in one unit: 8 GPUs of 300 W beside the sockets of one node, 60 W, and its memory. */
START_TEST(several_energies)
{
    ws_table runs;
    make_runs("gpu_energy cpu_energy dram_energy gpus wall_s", (double[]){8.64e6, 2.16e5, 3600, 8, 3600}, 1, NULL,
              &runs);
    ck_assert_double_eq_tol(ws_runs_get(&runs, WS_COL_ENERGY_GPU, 0), 2.4, 1e-12);
    ck_assert_double_eq_tol(ws_runs_get(&runs, WS_COL_ENERGY_CPU, 0), 0.06, 1e-12);
    ck_assert_double_eq_tol(ws_runs_get(&runs, WS_COL_ENERGY_DRAM, 0), 0.001, 1e-12);
    ck_assert_double_eq_tol(ws_runs_get(&runs, WS_COL_ENERGY, 0), 2.461, 1e-12);
    ws_table_free(&runs);
    make_runs("gpu_energy cpu_energy gpus wall_s", (double[]){8.64e9, 2.16e11, 8, 3600}, 1, NULL,
              &runs); /* mJ and uJ */
    ck_assert(is_asked(&runs, 0) && isnan(ws_runs_get(&runs, WS_COL_ENERGY_GPU, 0)));
    ws_table_free(&runs);
}
END_TEST

/* kJ or Wh: neither the mean power of a GPU nor the energies whose unit is known stand for the total meanwhile. */
START_TEST(what_is_asked_is_not_made_of_others)
{
    ws_table runs;
    make_runs("gpus energy avg_power wall_s", (double[]){4, 333, 300, 1000}, 1, NULL, &runs);
    ck_assert(is_asked(&runs, 0) && isnan(ws_runs_get(&runs, WS_COL_ENERGY, 0)));
    ck_assert(isnan(ws_runs_get(&runs, WS_COL_ENERGY_GPU, 0)));
    ws_table_free(&runs);
    make_runs("gpus nodes gpu_energy_j cpu_energy wall_s", (double[]){4, 1, 1.2e6, 100, 1000}, 1, NULL, &runs);
    ck_assert(is_asked(&runs, 0) && isnan(ws_runs_get(&runs, WS_COL_ENERGY, 0)));
    ck_assert_double_eq_tol(ws_runs_get(&runs, WS_COL_ENERGY_GPU, 0), 1. / 3, 1e-12);
    ws_table_free(&runs);
}
END_TEST

/* A bare time that no energy hangs on is taken in s, with a word; where a power makes an energy of it, it is asked for.
 */
START_TEST(times_alone)
{
    ws_table runs;
    make_runs("gpus runtime", (double[]){4, 900}, 1, NULL, &runs);
    ck_assert_double_eq(ws_runs_get(&runs, WS_COL_GPU_H, 0), 1);
    ck_assert_ptr_nonnull(ws_notes_find(&runs.notes, WS_FINDING_ASSUMED_UNIT));
    ws_table_free(&runs);
    make_runs("gpus runtime", (double[]){4, 86399, 2, 9e6}, 2, NULL, &runs); /* 86 s, or a day */
    ck_assert(!is_asked(&runs, 0) && !is_asked(&runs, 1));
    ws_table_free(&runs);
    make_runs("gpus runtime", (double[]){4, 86401, 2, 9e6}, 2, NULL, &runs);
    ck_assert(is_asked(&runs, 0) && is_asked(&runs, 1) && isnan(ws_runs_get(&runs, WS_COL_WALL, 0)));
    ws_table_free(&runs);
    make_runs("gpus time_per_epoch wall_s energy_kwh", (double[]){4, 90, 900, 0.2}, 1, NULL, &runs);
    ck_assert_double_eq(ws_runs_get(&runs, WS_COL_EPOCH_S, 0), 90);
    ck_assert(!is_asked(&runs, 0));
    ws_table_free(&runs);
    make_runs("gpus runtime gpu_power_w", (double[]){4, 900, 250}, 1, NULL, &runs);
    ck_assert(is_asked(&runs, 0) && isnan(ws_runs_get(&runs, WS_COL_ENERGY, 0)));
    ws_table_free(&runs);
    make_runs("gpus train_runtime gpu_hours energy_kwh", (double[]){4, 900, 1, 0.2}, 1, NULL,
              &runs); /* these say their unit */
    ck_assert(!is_asked(&runs, 0) && !ws_notes_find(&runs.notes, WS_FINDING_ASSUMED_UNIT));
    ws_table_free(&runs);
    make_runs("gpus epochs energy_j epoch_time", (double[]){1, 10, 1e5, 50}, 1, NULL, &runs); /* 10 x 50 s at 200 W */
    ck_assert_double_eq(ws_runs_get(&runs, WS_COL_WALL, 0), 500);
    ws_table_free(&runs);
    make_runs("gpus energy", (double[]){1, 1e5}, 1, NULL, &runs);
    ck_assert(is_asked(&runs, 0));
    ws_table_free(&runs);
}
END_TEST

/* "time" is a duration where the energy beside it makes it one, else it may be a stamp. */
/* An energy whose name is not known may make hours of the time. */
START_TEST(a_time_beside_an_unknown_energy)
{
    expect("energy_of_node_j duration", (double[]){1000, 3}, NAN, NAN);
    ws_table runs;
    make_runs("energy_per_step duration", (double[]){1000, 3}, 1, NULL, &runs); /* a ratio is none */
    ck_assert_double_eq(ws_runs_get(&runs, WS_COL_WALL, 0), 3);
    ck_assert(!is_asked(&runs, 0));
    ws_table_free(&runs);
}
END_TEST

START_TEST(a_column_called_time)
{
    ws_table runs;
    size_t column;
    make_runs("gpus time energy_j", (double[]){1, 500, 1e5}, 1, NULL, &runs);
    ck_assert_double_eq(ws_runs_get(&runs, WS_COL_WALL, 0), 500);
    ws_table_free(&runs);
    make_runs("gpus time energy_j", (double[]){1, 1770796800, 1e5}, 1, NULL, &runs);
    ck_assert(isnan(ws_runs_get(&runs, WS_COL_WALL, 0)) && ws_table_find(&runs, "time", &column));
    ck_assert(!is_asked(&runs, 0) && ws_table_number(&runs, column, 0) == 1770796800);
    ws_table_free(&runs);
    expect("time energy gpus", (double[]){50.1, 10120.5, 1}, NAN, NAN);
}
END_TEST

/* The status of a run that broke off stays, a good one gives way to the question; a format that states its units is not
 * asked. */
START_TEST(what_is_said_stays)
{
    static const char *const states[] = {"COMPLETED", "FAILED"}, *const want[] = {"ask:unit", "FAILED"};
    const ws_fields none = {0};
    for (int known = 0; known < 2; known++) {
        ws_table raw, runs;
        ws_error error = {0};
        ws_table_init(&raw, "table");
        raw.source = "runs.csv";
        raw.units_are_known = known;
        size_t energy = ws_table_add_column(&raw, "energy", WS_NUMBER);
        size_t state = ws_table_add_column(&raw, "state", WS_TEXT);
        for (size_t row = 0; row < 2; row++) {
            ws_table_add_row_at(&raw, (int64_t)row + 2);
            ws_table_set_number(&raw, energy, row, 3);
            ws_table_set_text(&raw, state, row, states[row]);
        }
        ck_assert_int_eq(ws_tidy(&raw, NULL, &none, &runs, &error), WS_OK);
        for (size_t row = 0; row < 2; row++) {
            ck_assert_str_eq(runs.columns[WS_COL_STATUS].text[row], known ? states[row] : want[row]);
            ck_assert(isnan(ws_runs_get(&runs, WS_COL_ENERGY, row)) == !known);
        }
        ws_table_free(&raw);
        ws_table_free(&runs);
    }
}
END_TEST

/* No unit of energy, unit of time, count of devices and power leads to another number than the one that is meant. */
START_TEST(nothing_is_taken_wrongly)
{
    static const double energy_to_si[] = {1e-6, 1e-3, 1, 1e3, 3600, 1e6, 3.6e6, 1e9, 3.6e9};
    static const double time_to_si[] = {1e-3, 1, 60, 3600}, seconds[] = {0.05, 3, 497, 3600, 5e5};
    static const char *const names[] = {"energy gpus duration", "energy gpus wall_s", "energy_kwh gpus duration",
                                        "energy gpus time", "gpu_energy gpus runtime"};
    static const double gpus[] = {1, 2, 4, 8, 64};
    size_t taken = 0;
    for (size_t i = 0; i < 5 * 9 * 4 * 5 * 5; i++) {
        size_t name = i % 5, e = i / 5 % 9, t = i / 45 % 4, s = i / 180 % 5, g = i / 900 % 5;
        for (double watts = WS_RUN_LEAST_W * 1.04; watts < WS_RUN_MOST_W; watts *= 1.23) {
            ws_table runs;
            double joules = watts * gpus[g] * seconds[s];
            double energy = joules / (name == 2 ? 3.6e6 : energy_to_si[e]);
            double time = seconds[s] / (name == 1 ? 1 : time_to_si[t]);
            make_runs(names[name], (double[]){energy, gpus[g], time, energy * 0.97, gpus[g], time}, 2, NULL, &runs);
            double kwh = ws_runs_get(&runs, WS_COL_ENERGY, 0), wall_s = ws_runs_get(&runs, WS_COL_WALL, 0);
            bool is_right = fabs(kwh * 3.6e6 / joules - 1) < 1e-9 && fabs(wall_s / seconds[s] - 1) < 1e-9;
            taken += is_right;
            ck_assert_msg(is_asked(&runs, 0) || is_right || isnan(wall_s),
                          "%s: %g W of %g GPUs over %g s becomes %g kWh in %g s", names[name], watts, gpus[g],
                          seconds[s], kwh, wall_s);
            ck_assert(is_asked(&runs, 0) || name == 2 || !(fabs(kwh * 3.6e6 / joules - 1) > 1e-9));
            ws_table_free(&runs);
        }
    }
    ck_assert_uint_gt(taken, 1000);
}
END_TEST

TEST_MAIN("bare units", nothing_is_taken_wrongly, the_range_of_powers, an_energy_beside_seconds, a_time_beside_joules,
          two_bare_columns, every_row_counts, devices_are_counted, several_energies, powers_of_any_number_of_devices,
          names_that_say_one_of_two_units, what_is_asked_is_not_made_of_others, times_alone,
          a_time_beside_an_unknown_energy, a_column_called_time, what_is_said_stays)
