/* The generator is a program and no library: its parts are included as they are. */
#include "datasets/synth/power_profile.c"
#include "datasets/synth/rng.c"

#include "harness.h"

/* The first numbers that the authors' programs print for these states. */
START_TEST(generators_match_their_references)
{
    uint64_t state = 1234567;
    ck_assert_uint_eq(splitmix64(&state), UINT64_C(6457827717110365317));
    ck_assert_uint_eq(splitmix64(&state), UINT64_C(3203168211198807973));
    ws_synth_rng rng = {{1, 2, 3, 4}};
    ck_assert_uint_eq(ws_synth_rng_next(&rng), 11520);
    ck_assert_uint_eq(ws_synth_rng_next(&rng), 0);
    ck_assert_uint_eq(ws_synth_rng_next(&rng), 1509978240);
    ck_assert_uint_eq(ws_synth_rng_next(&rng), UINT64_C(1215971899390074240));
}
END_TEST

START_TEST(normal_variates_have_their_moments)
{
    enum { N = 40000 };
    ws_synth_rng rng;
    ws_synth_rng_init(&rng, 7, 3);
    double sum = 0, squares = 0, beyond = 0;
    for (int i = 0; i < N; i++) {
        double z = ws_synth_rng_normal(&rng);
        sum += z;
        squares += z * z;
        beyond += fabs(z) > 1.959964;
    }
    /* four standard errors: 1 / sqrt(N), sqrt(2 / N), sqrt(0.05 * 0.95 / N) */
    ck_close(sum / N, 0, 0, 4 * 0.005);
    ck_close(squares / N, 1, 0, 4 * 0.00708);
    ck_close(beyond / N, 0.05, 0, 4 * 0.00109);
}
END_TEST

START_TEST(streams_differ)
{
    ws_synth_rng a, b, c;
    ws_synth_rng_init(&a, 1, 1);
    ws_synth_rng_init(&b, 1, 2);
    ws_synth_rng_init(&c, 2, 1);
    uint64_t first = ws_synth_rng_next(&a);
    ck_assert_uint_ne(first, ws_synth_rng_next(&b));
    ck_assert_uint_ne(first, ws_synth_rng_next(&c));
}
END_TEST

START_TEST(profile_has_the_mean_that_was_asked_for)
{
    ws_synth_profile profile;
    ws_synth_profile_training(&profile, 314.7, 10, 271.5, 0.12);
    ck_close(ws_synth_profile_energy(&profile, 314.7), 271.5 * 314.7, 1e-13, 0);
    ck_close(ws_synth_profile_energy(&profile, 0), 0, 0, 0);
    ck_close(ws_synth_profile_power(&profile, 20) * 0.88, ws_synth_profile_power(&profile, 27), 1e-13, 0);
    ws_synth_profile_free(&profile);
    ws_synth_profile_free(&profile);
}
END_TEST

/* The midpoint rule on steps that end on every knot is exact for a piecewise linear function. */
START_TEST(closed_form_energy_is_the_integral_of_the_power)
{
    enum { STEPS = 4000 };
    ws_synth_profile profile;
    ws_synth_profile_training(&profile, 200, 2, 100, 0.3);
    double energy_j = 0;
    for (int i = 0; i < STEPS; i++) {
        energy_j += ws_synth_profile_power(&profile, (i + 0.5) * 0.05) * 0.05;
        ck_close(ws_synth_profile_energy(&profile, (i + 1) * 0.05), energy_j, 1e-11, 0);
    }
    ws_synth_profile_free(&profile);
}
END_TEST

START_TEST(profile_stops_at_its_ends)
{
    ws_synth_profile profile;
    ws_synth_profile_training(&profile, 50, 1, 80, 0.1);
    ck_assert(ws_synth_profile_power(&profile, -1) == ws_synth_profile_power(&profile, 0));
    ck_assert(ws_synth_profile_power(&profile, 51) == ws_synth_profile_power(&profile, 50));
    ck_assert(ws_synth_profile_energy(&profile, 51) == ws_synth_profile_energy(&profile, 50));
    ws_synth_profile_free(&profile);
}
END_TEST

TEST_MAIN("synth model", generators_match_their_references, normal_variates_have_their_moments, streams_differ,
          profile_has_the_mean_that_was_asked_for, closed_form_energy_is_the_integral_of_the_power,
          profile_stops_at_its_ends)
