/* The intervals of `wattscale fit --predict` over 600 campaigns of each kind, planted here by code that shares nothing
 * with the program, at twice the most GPUs: that of the curve holds the planted one, and that of one more run a run of
 * a configuration which was not measured, in 95 % (four binomial standard deviations below, and up to 99.9 % where the
 * defaults are wide on purpose). `--errors equal` on errors in proportion, which ignores them, shows that the campaigns
 * tell a wrong interval.
 *
 * A campaign: 6 GPU counts that double, 2 to 5 runs of each. Every configuration is off by 1 to 5 %, its runs by a
 * fifth to twice that, or runs alone vary: a further one with the level as they do. */
#include "fit/simulate.h"
#include "find_program.h"
#include "harness.h"

#include "core/text.h"

#include <string.h>
#include <unistd.h>

enum { CAMPAIGNS = 600, COUNTS = 6, PLACE = 1 << COUNTS };

static double run_time(double gpus)
{
    return 3600 * pow(gpus, -0.8);
}

static double energy(double gpus)
{
    return 20 + gpus;
}

typedef struct kind {
    const char *options;
    double (*truth)(double gpus);
    bool in_logs; /* errors are factors; else they are added in proportion */
    double curve_from, curve_to, run_from, run_to;
    bool by_runs; /* runs alone vary, by 2 to 5 %, five of each count */
} kind;

static const kind kinds[] = {
    {"powerlaw", run_time, true, 91.4, 99.9, 91.4, 99.9, false},
    {"line", energy, false, 91.4, 99.9, 91.4, 99.9, false},
    {"line", energy, false, 91.4, 99.9, 93, 99.9, true},
    {"line --weights proportional", energy, false, 91.4, 98.6, 91.4, 98.6, false},
    {"line --weights proportional", energy, false, 91.4, 98.6, 91.4, 99.9, true},
    {"line --errors equal", energy, false, 60, 90, 60, 90, false},
};

typedef struct score {
    size_t n, curve, run;
} score;

static double off(const kind *k, double truth, double error)
{
    return k->in_logs ? truth * exp(error) : truth * (1 + error);
}

/* Writes the runs of a campaign; returns a run at the place that is predicted. */
static double plant(sim *s, const kind *k, size_t number, FILE *csv)
{
    double of_configurations = exp(sim_uniform(s, log(0.01), log(0.05))),
           of_runs = of_configurations * exp(sim_uniform(s, log(0.2), log(2)));
    if (k->by_runs) {
        of_configurations = 0;
        of_runs = sim_uniform(s, 0.02, 0.05);
    }
    for (size_t i = 0; i < COUNTS; i++) {
        double gpus = (double)(1U << i), common = of_configurations * sim_normal(s);
        for (size_t r = k->by_runs ? 5 : sim_from_to(s, 2, 5); r; r--)
            fprintf(csv, "c%zu,%.0f,%.12g\n", number, gpus, off(k, k->truth(gpus), common + of_runs * sim_normal(s)));
    }
    return off(k, k->truth(PLACE), of_configurations * sim_normal(s) + of_runs * sim_normal(s));
}

/* A line of "group,model,x,value,ci_lo,ci_hi,prediction_lo,prediction_hi,...". */
static void read_line(const char *line, const kind *k, const double *further, score *s)
{
    ws_span rest = ws_span_of(line), cell[8];
    double number[8] = {0};
    for (size_t i = 0; i < 8; i++)
        ck_assert(ws_span_split(&rest, ',', &cell[i]));
    if (ws_span_eq(cell[0], "group"))
        return;
    for (size_t i = 2; i < 8; i++)
        ck_assert_msg(ws_span_double(cell[i], &number[i]), "%s", line);
    double truth = k->truth(PLACE), run = further[strtoul(cell[0].p + 1, NULL, 10)];
    s->n++;
    s->curve += number[4] <= truth && truth <= number[5];
    s->run += number[6] <= run && run <= number[7];
}

static bool is_within(size_t hits, size_t n, double from, double to)
{
    double share = 100 * (double)hits / (double)n;
    return from <= share && share <= to;
}

START_TEST(predictions_hold_the_truth)
{
    static double further[CAMPAIGNS];
    const kind *k = &kinds[_i];
    char program[4096], folder[] = "/tmp/wattscale-predict-XXXXXX", path[100], command[5000], line[2000];
    score s = {0};
    if (!find_program(program, sizeof program))
        skip_because("wattscale is not built");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/runs.csv", folder);
    FILE *csv = fopen(path, "w");
    sim random = sim_begin(20261125, (uint64_t)_i);
    fprintf(csv, "series,gpus,result\n");
    for (size_t i = 0; i < CAMPAIGNS; i++)
        further[i] = plant(&random, k, i, csv);
    ck_assert_int_eq(fclose(csv), 0);
    snprintf(command, sizeof command,
             "'%s' fit %s %s --x gpus --y result --by series --predict gpus=%d --format csv -q", program, k->options,
             path, PLACE);
    FILE *answers = popen(command, "r");
    while (fgets(line, sizeof line, answers))
        read_line(line, k, further, &s);
    ck_assert_int_eq(pclose(answers), 0);
    unlink(path);
    rmdir(folder);
    ck_assert_uint_eq(s.n, CAMPAIGNS);
    ck_assert_msg(is_within(s.curve, s.n, k->curve_from, k->curve_to) && is_within(s.run, s.n, k->run_from, k->run_to),
                  "%s: the curve is held in %zu of %zu, a further run in %zu", k->options, s.curve, s.n, s.run);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("predict_campaigns");
    TCase *all = tcase_create("kinds");
    tcase_set_timeout(all, 0);
    tcase_add_loop_test(all, predictions_hold_the_truth, 0, sizeof kinds / sizeof *kinds);
    suite_add_tcase(suite, all);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
