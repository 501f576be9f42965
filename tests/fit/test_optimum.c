#include "fit/choice/optimum.h"
#include "tests/fit/reference.h"

static double with_floor(const void *state, double devices)
{
    const double *b = state;
    return b[0] * pow(devices, -b[1]) + b[2];
}

START_TEST(reference_case)
{
    reference data = reference_load("case24_optimum_gpus");
    const double law[] = {data.column[0][0], data.column[1][0], data.column[2][0]};
    ws_optimum_input in = {.time_h = with_floor,
                           .state = law,
                           .power_kw = data.column[3][0],
                           .step = 1,
                           .most = (size_t)data.column[6][0],
                           .deadline_h = data.column[4][0],
                           .budget_kwh = data.column[5][0]};
    ws_optimum best;
    ck_assert_int_eq(ws_find_optimum(&in, &best, NULL), WS_OK);
    ck_reference(&data, (double)best.fewest_in_time, "fewest_gpus_for_deadline");
    ck_reference(&data, (double)best.most_in_budget, "most_gpus_within_energy");
    ck_reference(&data, (double)best.feasible_lo, "feasible_range.0");
    ck_reference(&data, (double)best.feasible_hi, "feasible_range.1");
    ck_reference(&data, (double)best.least_energy, "min_energy_gpus");
    ck_reference(&data, (double)best.least_edp, "min_edp_gpus");
    ck_reference(&data, best.edp_kwh_h, "min_edp");
    in.deadline_h = reference_number(&data, "deadline_below_floor.deadline_h");
    ck_assert_int_eq(ws_find_optimum(&in, &best, NULL), WS_OK);
    ck_assert(best.fewest_in_time == 0 && best.feasible_lo == 0);
    ck_assert_ptr_nonnull(strstr(best.sentence, "no number up to 1024 meets 1.021 h, the shortest is"));
    json_decref(data.expected);
}
END_TEST

/* t = 100 / n + n / 4 is shortest at 20; in nodes of 8 that is 16 (10.25 h) or 24 (10.1667 h). */
static double bowl(const void *state, double devices)
{
    (void)state;
    return 100 / devices + devices / 4;
}

START_TEST(whole_nodes)
{
    ws_optimum_input in = {
        .time_h = bowl, .power_kw = 0.5, .step = 8, .most = 80, .deadline_h = 10.2, .budget_kwh = INFINITY};
    ws_optimum best;
    ck_assert_int_eq(ws_find_optimum(&in, &best, NULL), WS_OK);
    ck_assert_uint_eq(best.least_time, 24);
    ck_assert_uint_eq(best.fewest_in_time, 24);
    ck_assert_uint_eq(best.feasible_hi, 24);
    /* energy = 50 + n^2 / 8 grows with n; times t: 58 * 14.5 = 841 at 8, 82 * 10.25 = 840.5 at 16. */
    ck_assert_uint_eq(best.least_energy, 8);
    ck_assert_uint_eq(best.least_edp, 16);
    ck_close(best.edp_kwh_h, 840.5, 1e-14, 0);
    in.step = 0;
    ck_assert_int_eq(ws_find_optimum(&in, &best, NULL), WS_USAGE);
    in.step = 8;
    in.power_kw = NAN;
    ck_assert_int_eq(ws_find_optimum(&in, &best, NULL), WS_USAGE);
}
END_TEST

static double never(const void *state, double devices)
{
    (void)state;
    return devices > 0 ? NAN : 1;
}

START_TEST(no_time_at_all)
{
    const ws_optimum_input in = {
        .time_h = never, .power_kw = 1, .step = 1, .most = 4, .deadline_h = 1, .budget_kwh = 1};
    ws_optimum best;
    ck_assert_int_eq(ws_find_optimum(&in, &best, NULL), WS_OK);
    ck_assert(best.least_time == 0 && isnan(best.edp_kwh_h) && isnan(best.shortest_h));
    ck_assert_str_eq(best.sentence, "the curve gives no time for any number of devices up to 4");
}
END_TEST

/* 20 / n + n / 5 is least at 10, with 4; it is at most 4.5 between the roots 6.1 and 16.4 of n^2 - 22.5 n + 100. Beyond
 * 30 it is not known. Times the time of 100 / n it falls with n. */
static double own_energy(const void *state, double devices)
{
    (void)state;
    return devices <= 30 ? 20 / devices + devices / 5 : NAN;
}

static double inverse(const void *state, double devices)
{
    (void)state;
    return 100 / devices;
}

START_TEST(energy_of_its_own)
{
    const ws_optimum_input in = {.time_h = inverse,
                                 .energy_kwh = own_energy,
                                 .power_kw = NAN,
                                 .step = 1,
                                 .most = 64,
                                 .deadline_h = 2,
                                 .budget_kwh = 4.5};
    ws_optimum best;
    ck_assert_int_eq(ws_find_optimum(&in, &best, NULL), WS_OK);
    ck_assert_uint_eq(best.least_energy, 10);
    ck_close(best.least_kwh, 4, 1e-15, 0);
    ck_assert_uint_eq(best.most_in_budget, 16);
    ck_assert_uint_eq(best.least_edp, 30);
    ck_assert_uint_eq(best.fewest_in_time, 50); /* a time without an energy still answers for the deadline */
    ck_assert_uint_eq(best.feasible_hi, 0);
}
END_TEST

TEST_MAIN("fit optimum", reference_case, whole_nodes, no_time_at_all, energy_of_its_own)
