/* The caps of `wattscale advise --cap` by its curves over 100 campaigns (ADVISE_CAMPAIGNS=500 in `make soak`), planted
 * here by code that shares nothing with the program: how many are truly more than allowed slower than the highest cap,
 * where one in twenty may be. Nine caps, five runs of each and 3 %; a cap is off the law by 0.2 % of its own, its runs
 * by 0.4 %. And five, six or nine caps once each and 5 %: few caps do not tell one curve from another.
 *
 * Where caps are 1 % off and their runs 0.2 %, curves miss the means by more than repeats differ, and the measured caps
 * stand alone: the repeats say nothing of the 1 %, which the scatter of the caps about a curve holds, from four caps
 * on; of three each is taken to be 1 % off.
 *
 * Times of a power law above a floor (of the cap squared, too), which is one of the curves, and sqrt(1 + (p / cap)^2q),
 * flat and then steep, which is none. */
#include "fit/simulate.h"
#include "find_program.h"
#include "harness.h"

#include "core/text.h"

#include <string.h>
#include <unistd.h>

enum { MOST_CAMPAIGNS = 500 };
static const double LOWEST_W = 100, RANGE_W = 200;

enum { FLOORED, FLAT, OF_SQUARE };

typedef struct planted {
    int shape;
    double exponent, knee_w;
} planted;

static const struct {
    int shape, caps, repeats;
    double slow, of_cap, of_run;
    const char *basis;
    size_t least_advised, most_percent;
} cases[] = {
    {FLOORED, 9, 5, 0.03, 0.002, 0.004, "curves", 480, 6},    {FLAT, 9, 5, 0.03, 0.002, 0.004, "curves", 200, 6},
    {FLOORED, 9, 5, 0.03, 0.01, 0.002, "measured", 500, 6},   {OF_SQUARE, 5, 1, 0.05, 0.005, 0.005, "curves", 480, 6},
    {OF_SQUARE, 6, 1, 0.05, 0.005, 0.005, "curves", 480, 6},  {OF_SQUARE, 9, 1, 0.05, 0.005, 0.005, "curves", 480, 6},
    {OF_SQUARE, 5, 3, 0.05, 0.01, 0.002, "curves", 480, 6},   {OF_SQUARE, 5, 1, 0.05, 0.005, 0.005, "measured", 450, 6},
    {FLOORED, 5, 3, 0.05, 0.01, 0.002, "measured", 500, 6},   {FLOORED, 4, 3, 0.05, 0.01, 0.002, "measured", 500, 6},
    {OF_SQUARE, 4, 1, 0.05, 0.01, 0.002, "measured", 480, 6}, {OF_SQUARE, 3, 3, 0.05, 0.01, 0.002, "measured", 500, 6}};
enum { CASES = sizeof cases / sizeof *cases };

static double true_time(const planted *p, double cap_w)
{
    if (p->shape == OF_SQUARE)
        return 1 + (p->exponent - 0.65) / 3.5 * pow(100 / cap_w, 2); /* 0.1 to 0.67 */
    if (p->shape == FLOORED)
        return 1 + 0.4 * pow(100 / cap_w, p->exponent);
    return sqrt(1 + pow(p->knee_w / cap_w, 2 * p->exponent));
}

static void plant(sim *s, int which, size_t number, planted *p, FILE *csv)
{
    p->exponent = sim_uniform(s, 1, 3);
    p->knee_w = sim_uniform(s, 120, 220);
    for (int k = 0; k < cases[which].caps; k++) {
        double cap_w = LOWEST_W + RANGE_W * k / (cases[which].caps - 1),
               time_s = 1000 * true_time(p, cap_w) * exp(cases[which].of_cap * sim_normal(s));
        for (int r = 0; r < cases[which].repeats; r++) {
            double wall_s = time_s * exp(cases[which].of_run * sim_normal(s));
            fprintf(csv, "c%zu,%g,1,%.12g,%.12g\n", number, cap_w, wall_s,
                    wall_s * 0.9 * cap_w * exp(0.001 * sim_normal(s)) / 3.6e6);
        }
    }
}

/* A line of "group,basis,question,power_cap_w,...". */
static void read_line(const char *line, int which, const planted *campaigns, size_t *advised, size_t *slower)
{
    ws_span rest = ws_span_of(line), cell[4];
    double cap_w;
    for (size_t i = 0; i < 4; i++)
        ck_assert(ws_span_split(&rest, ',', &cell[i]));
    if (!ws_span_eq(cell[1], cases[which].basis) || !ws_span_eq(cell[2], "lowest within the slow-down") ||
        !ws_span_double(cell[3], &cap_w))
        return;
    const planted *p = &campaigns[strtoul(cell[0].p + 1, NULL, 10)];
    ++*advised;
    *slower += true_time(p, cap_w) / true_time(p, LOWEST_W + RANGE_W) > (1 + cases[which].slow) * (1 + 1e-9);
}

START_TEST(advised_caps_are_not_too_slow)
{
    static planted campaigns[MOST_CAMPAIGNS];
    const size_t n = sim_campaigns(100, MOST_CAMPAIGNS);
    char program[4096], folder[] = "/tmp/wattscale-caps-XXXXXX", path[100], command[5000], line[2000];
    size_t advised = 0, slower = 0;
    if (!find_program(program, sizeof program))
        skip_because("wattscale is not built");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/runs.csv", folder);
    FILE *csv = fopen(path, "w");
    sim s = sim_begin(20261126, (uint64_t)_i);
    fprintf(csv, "series,power_cap_w,gpus,wall_s,energy_kwh\n");
    for (size_t i = 0; i < n; i++) {
        campaigns[i].shape = cases[_i].shape;
        plant(&s, _i, i, &campaigns[i], csv);
    }
    ck_assert_int_eq(fclose(csv), 0);
    snprintf(command, sizeof command, "'%s' advise %s --by series --cap power_cap_w --slowdown %g%% --format csv -q",
             program, path, 100 * cases[_i].slow);
    FILE *answers = popen(command, "r");
    while (fgets(line, sizeof line, answers))
        read_line(line, _i, campaigns, &advised, &slower);
    ck_assert_int_eq(pclose(answers), 0);
    unlink(path);
    rmdir(folder);
    ck_assert_msg(advised * MOST_CAMPAIGNS >= cases[_i].least_advised * n &&
                      100 * slower <= cases[_i].most_percent * advised,
                  "case %d: of %zu advised caps %zu are too slow", _i, advised, slower);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("advise_cap_campaigns");
    TCase *caps = tcase_create("caps");
    tcase_set_timeout(caps, 0);
    tcase_add_loop_test(caps, advised_caps_are_not_too_slow, 0, CASES);
    suite_add_tcase(suite, caps);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
