#include "fit/choice/pareto.h"
#include "tests/fit/reference.h"

#include <stdint.h>

static void ck_front(const reference *data, const bool *on_front, const char *key)
{
    size_t expected = 0;
    const json_t *ids = json_object_get(data->expected, key);
    for (size_t i = 0; i < data->n; i++) {
        bool wanted = false;
        for (size_t j = 0; j < json_array_size(ids); j++)
            wanted = wanted || json_number_value(json_array_get(ids, j)) == data->column[0][i];
        expected += wanted;
        ck_assert_msg(on_front[i] == wanted, "id %g", data->column[0][i]);
    }
    ck_assert_uint_eq(expected, json_array_size(ids));
}

START_TEST(reference_case)
{
    reference data = reference_load("case23_pareto");
    const double *const objective[] = {data.column[1], data.column[2], data.column[3]};
    static const double corner[] = {60, 260, 1};
    bool on_front[REFERENCE_ROWS];
    double volume;
    ck_assert_int_eq(ws_pareto_front(objective, 2, data.n, on_front, NULL), WS_OK);
    ck_front(&data, on_front, "front_time_energy_ids");
    ck_assert_int_eq(ws_pareto_front(objective, 3, data.n, on_front, NULL), WS_OK);
    ck_front(&data, on_front, "front_three_ids");
    ck_assert_int_eq(ws_pareto_volume(objective, 2, data.n, corner, &volume, NULL), WS_OK);
    ck_reference(&data, volume, "hypervolume_time_energy_ref_60_260");
    json_decref(data.expected);
}
END_TEST

/* Boxes from (1,2,3) and (2,1,1) to (4,4,4): 3*2*1 + 2*3*3 - their common 2*2*1. */
START_TEST(volume_in_three)
{
    static const double a[] = {1, 2, 3}, b[] = {2, 1, 3}, c[] = {3, 1, 3}, corner[] = {4, 4, 4}, near[] = {1, 1, 1};
    const double *const objective[] = {a, b, c};
    double volume;
    bool on_front[3];
    ck_assert_int_eq(ws_pareto_volume(objective, 3, 3, corner, &volume, NULL), WS_OK);
    ck_close(volume, 6 + 18 - 4, 1e-15, 0);
    ck_assert_int_eq(ws_pareto_front(objective, 3, 3, on_front, NULL), WS_OK);
    ck_assert(on_front[0] && on_front[1] && !on_front[2]);
    ck_assert_int_eq(ws_pareto_volume(objective, 3, 3, near, &volume, NULL), WS_OK);
    ck_close(volume, 0, 0, 0);
}
END_TEST

START_TEST(ties_and_gaps)
{
    static const double time[] = {1, 1, 2, 3}, energy[] = {5, 5, 5, NAN}, bound[] = {INFINITY, 4}, some[] = {2, 9};
    const double *const objective[] = {time, energy};
    bool on_front[4];
    ws_error error = {0};
    ck_assert_int_eq(ws_pareto_front(objective, 2, 3, on_front, NULL), WS_OK);
    ck_assert(on_front[0] && on_front[1] && !on_front[2]);
    ck_assert_int_eq(ws_pareto_front(objective, 2, 4, on_front, &error), WS_DATA);
    ck_assert_str_eq(error.message, "objective 2 of row 4 is missing; leave the row or the objective out");
    ck_assert_int_eq(ws_pareto_front(objective, 0, 4, on_front, NULL), WS_USAGE);
    ck_assert_int_eq(ws_pareto_front(objective, 2, 0, on_front, NULL), WS_OK);
    ck_assert_uint_eq(ws_pareto_least(objective, 2, 4, 0, bound), SIZE_MAX);
    ck_assert_uint_eq(ws_pareto_least(objective, 2, 4, 1, some), 0);
}
END_TEST

/* On 1/x the knee of (1, 8), (2, 3), (4, 2), (8, 1) is at x = 2: 1 - 1/7 - 2/7; x = 4 has 1 - 3/7 - 1/7. */
START_TEST(knee)
{
    const double x[] = {8, 1, 4, 2, 9}, y[] = {1, 8, 2, 3, 9}, line_x[] = {1, 2, 3}, line_y[] = {3, 2, 1};
    const bool front[] = {true, true, true, true, false};
    ck_assert_uint_eq(ws_pareto_knee(x, y, 5, front), 3);
    ck_assert_uint_eq(ws_pareto_knee(line_x, line_y, 3, front), SIZE_MAX);
    ck_assert_uint_eq(ws_pareto_knee(x, y, 1, front), SIZE_MAX);
}
END_TEST

/* Four repeats at (t -+ d, e -+ d), every pairing: no correlation, and a standard error of d / sqrt(3) each; two
 * repeats at both ends together: correlation 1, and a standard error of d. */
enum { DRAWS = 40000 };

static double upper(double z)
{
    return 0.5 * erfc(-z / sqrt(2));
}

static void ck_probability(double got, double error, double want)
{
    ck_close(error, sqrt(want * (1 - want) / DRAWS), 0.05, 1e-4);
    ck_close(got, want, 0, 4 * error);
}

/* The second is worse by 1 and by 0.5 against differences with a standard error of sqrt(2 / 3). */
START_TEST(probability_of_pairs)
{
    const double time[] = {9, 9, 11, 11, 10, 10, 12, 12}, energy[] = {4, 6, 4, 6, 4.5, 6.5, 4.5, 6.5};
    const size_t row[] = {0, 0, 0, 0, 1, 1, 1, 1};
    const double *const objective[] = {time, energy};
    double p[2], e[2], z = sqrt(1.5);
    ck_assert_int_eq(ws_pareto_probability(objective, 2, row, 8, 2, DRAWS, 1, p, e, NULL), WS_OK);
    ck_probability(p[1], e[1], 1 - upper(z) * upper(0.5 * z));
    ck_probability(p[0], e[0], 1 - upper(-z) * upper(-0.5 * z));
    ck_assert_int_eq(ws_pareto_probability(objective, 1, row, 8, 2, DRAWS, 1, p, e, NULL), WS_OK);
    ck_probability(p[1], e[1], upper(-z));
    ck_close(p[0] + p[1], 1, 1e-15, 0);
}
END_TEST

/* Time and energy move together: the second is dominated where the smaller difference, 0.5 against sqrt(2), is above
 * zero. */
START_TEST(probability_with_correlation)
{
    const double time[] = {9, 11, 10, 12}, energy[] = {4, 6, 4.5, 6.5}, same[] = {1, 1, 1, 1};
    const size_t row[] = {0, 0, 1, 1}, single[] = {0, 0, 0, 1};
    const double *const objective[] = {time, energy}, *const equal[] = {same};
    double p[2], e[2];
    ws_error error = {0};
    ck_assert_int_eq(ws_pareto_probability(objective, 2, row, 4, 2, DRAWS, 1, p, e, NULL), WS_OK);
    ck_probability(p[1], e[1], upper(-0.5 / sqrt(2)));
    ck_probability(p[0], e[0], 1 - upper(-1 / sqrt(2)));
    ck_assert_int_eq(ws_pareto_probability(equal, 1, row, 4, 2, DRAWS, 1, p, e, NULL), WS_OK);
    ck_assert(p[0] == 1 && p[1] == 1 && e[0] > 0);
    ck_assert_int_eq(ws_pareto_probability(objective, 2, single, 4, 2, DRAWS, 1, p, e, &error), WS_DATA);
    ck_assert_str_eq(error.message, "row 2 has 1 of the 2 repeats that tell its spread");
}
END_TEST

/* Three that are alike in one objective: a third each. */
START_TEST(probability_of_three)
{
    const double time[] = {9, 11, 9, 11, 9, 11};
    const size_t row[] = {0, 0, 1, 1, 2, 2};
    const double *const objective[] = {time};
    double p[3], e[3];
    ck_assert_int_eq(ws_pareto_probability(objective, 1, row, 6, 3, DRAWS, 1, p, e, NULL), WS_OK);
    for (size_t i = 0; i < 3; i++)
        ck_probability(p[i], e[i], 1.0 / 3);
}
END_TEST

/* Two objectives, with ties and rows that agree in both, against the definition. */
START_TEST(two_objectives_agree_with_the_definition)
{
    enum { N = 60 };
    double first[N], second[N];
    bool on_front[N];
    const double *const objective[] = {first, second};
    unsigned long seed = 7;
    for (size_t round = 0; round < 50; round++) {
        for (size_t i = 0; i < N; i++) {
            first[i] = (double)((seed = seed * 6364136223846793005UL + 1442695040888963407UL) >> 60);
            second[i] = (double)((seed = seed * 6364136223846793005UL + 1442695040888963407UL) >> 60) - first[i] / 2;
        }
        ck_assert_int_eq(ws_pareto_front(objective, 2, N, on_front, NULL), WS_OK);
        for (size_t i = 0; i < N; i++) {
            bool beaten = false;
            for (size_t j = 0; j < N; j++)
                beaten = beaten || (first[j] <= first[i] && second[j] <= second[i] &&
                                    (first[j] < first[i] || second[j] < second[i]));
            ck_assert_int_eq(on_front[i], !beaten);
        }
    }
}
END_TEST

TEST_MAIN("fit pareto", reference_case, volume_in_three, ties_and_gaps, knee, probability_of_pairs,
          probability_with_correlation, probability_of_three, two_objectives_agree_with_the_definition)
