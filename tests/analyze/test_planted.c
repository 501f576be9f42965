/* Three synthetic campaigns from files to fits, against what was planted in them: truth.json holds the exact time and
 * energy of what each run's files hold, and the models behind them. The generator shares core/ alone with the program. */
#include "harness.h"

#include "analyze/ingest/ingest.h"
#include "analyze/ingest/run_columns.h"
#include "analyze/scaling.h"
#include "fit/fit.h"

#include <float.h>
#include <gsl/gsl_cdf.h>
#include <jansson.h>
#include <math.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CAMPAIGNS = 3, RUNS = 45, REPEATS = 3, SERIES = 3, PER_SERIES = 15 };
static const int seeds[CAMPAIGNS] = {21, 22, 23};
static const double J_PER_KWH = 3.6e6;

/* truth.json is exact for the files; between it and a sum of three domains in kWh lie a few roundings. */
static const double EXACT = 1e-12;

typedef struct planted {
    json_t *truth;
    double dataset_samples; /* of campaign.json */
    ws_campaign campaign;
    ws_table runs, scale;
} planted;

/* Made once for all cases, before they fork. */
static ws_arena arena;
static const char *build, *folder;
static bool is_built;
static planted campaigns[CAMPAIGNS], changed;

static int shell(const char *command)
{
    int status = system(command);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static json_t *load(const char *campaign, const char *file)
{
    json_error_t why;
    json_t *json = json_load_file(ws_arena_printf(&arena, "%s/%s/%s", folder, campaign, file), 0, &why);
    ck_assert_msg(json != NULL, "%s:%d: %s", file, why.line, why.text);
    return json;
}

static double number(const json_t *object, const char *name)
{
    const json_t *value = json_object_get(object, name);
    ck_assert_msg(json_is_number(value), "%s is no number", name);
    return json_number_value(value);
}

static const char *text(const json_t *object, const char *name)
{
    return json_string_value(json_object_get(object, name));
}

static void plant(planted *p, const char *name, const char *arguments)
{
    ws_error error = {0};
    ws_ingest_options options = {.source = {NULL, WS_READ_DEFAULTS}};
    const char *command =
        ws_arena_printf(&arena, "cd '%s' && '%s/wattscale-synth' small %s %s", folder, build, name, arguments);
    ck_assert_msg(shell(command) == 0, "%s", command);
    p->truth = load(name, "truth.json");
    json_t *description = load(name, "campaign.json");
    p->dataset_samples = number(json_object_get(description, "defaults"), "dataset_samples");
    json_decref(description);
    ws_status status =
        ws_ingest(ws_arena_printf(&arena, "%s/%s", folder, name), &options, &p->campaign, &p->runs, &error);
    ck_assert_msg(status == WS_OK, "%s", error.message);
    ws_scaling_options scaling = {
        .group = p->campaign.group, .n_group = p->campaign.n_group, .reference = p->campaign.reference};
    ck_assert_msg(ws_scale(&p->runs, &scaling, &p->scale, &error) == WS_OK, "%s", error.message);
}

static void set_up(void)
{
    char path[4000];
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    ck_assert(n > 0);
    path[n] = '\0';
    char *below = strstr(path, "/tests/analyze/"); /* BUILD/tests/analyze/test_planted -> BUILD */
    ck_assert_ptr_nonnull(below);
    *below = '\0';
    build = ws_arena_strdup(&arena, path);
    is_built = access(ws_arena_printf(&arena, "%s/wattscale-synth", build), X_OK) == 0;
    const char *tmp = getenv("TMPDIR");
    char *made = ws_arena_printf(&arena, "%s/wattscale-planted-XXXXXX", tmp ? tmp : "/tmp");
    ck_assert_ptr_nonnull(mkdtemp(made));
    folder = made;
    for (int i = 0; is_built && i < CAMPAIGNS; i++)
        plant(&campaigns[i], ws_arena_printf(&arena, "c%d", i), ws_arena_printf(&arena, "--seed %d", seeds[i]));
    if (is_built)
        plant(&changed, "d", ws_arena_printf(&arena, "--seed %d --change 9000020=1.25", seeds[0]));
}

static void free_planted(planted *p)
{
    json_decref(p->truth);
    ws_table_free(&p->scale);
    ws_table_free(&p->runs);
    ws_campaign_free(&p->campaign);
}

static void tear_down(void)
{
    for (int i = 0; is_built && i < CAMPAIGNS; i++)
        free_planted(&campaigns[i]);
    if (is_built)
        free_planted(&changed);
    shell(ws_arena_printf(&arena, "rm -rf '%s'", folder));
    ws_arena_free(&arena);
}

static double cell(const ws_table *table, size_t row, const char *name)
{
    size_t column;
    ck_assert_msg(ws_table_find(table, name, &column), "%s has no column %s", table->name, name);
    return ws_table_number(table, column, row);
}

static const char *word(const ws_table *table, size_t row, const char *name)
{
    const ws_column *column = ws_table_column(table, name);
    ck_assert_msg(column && column->kind == WS_TEXT, "%s has no texts %s", table->name, name);
    return column->text[row] ? column->text[row] : "";
}

static size_t row_of_job(const planted *p, const char *job)
{
    size_t found = SIZE_MAX;
    for (size_t row = 0; row < p->runs.n_rows; row++) {
        if (strcmp(word(&p->runs, row, "job"), job) != 0)
            continue;
        ck_assert_uint_eq(found, SIZE_MAX);
        found = row;
    }
    ck_assert_msg(found != SIZE_MAX, "no run has the job %s", job);
    return found;
}

/* Runs */

/* What a run must show, from time and joules of its files and from what was set. */
static void check_run(const planted *p, const json_t *run)
{
    size_t row = row_of_job(p, text(run, "job"));
    double gpus = number(run, "gpus"), lbs = number(run, "lbs"), wall_h = number(run, "wall_s") / 3600;
    double seen = number(run, "epochs") * p->dataset_samples, gpu_h = gpus * wall_h;
    double kwh = number(run, "energy_j") / J_PER_KWH;
    const struct {
        const char *column;
        double want;
    } columns[] = {
        {"energy_kwh", kwh},
        {"energy_gpu_kwh", number(run, "energy_gpu_j") / J_PER_KWH},
        {"energy_cpu_kwh", number(run, "energy_cpu_j") / J_PER_KWH},
        {"energy_dram_kwh", number(run, "energy_dram_j") / J_PER_KWH},
        {"gpu_share", number(run, "energy_gpu_j") / number(run, "energy_j")},
        {"energy_per_node_kwh", kwh / number(run, "nodes")},
        {"wall_s", number(run, "wall_s")},
        {"gpu_h", number(run, "gpu_h")},
        {"kwh_per_gpuh", kwh / gpu_h},
        {"samples_per_gpuh", seen / gpu_h},
        /* a GPU passes over its share of the samples in local batches */
        {"passes_per_gpuh", seen / gpus / lbs / wall_h},
        {"updates", seen / (gpus * lbs)},
        {"wh_per_sample", 1000 * kwh / p->dataset_samples},
        {"wh_per_sample_seen", 1000 * kwh / seen},
        {"edp_kwh_h", kwh * wall_h},
        {"epoch_s", number(run, "wall_s") / number(run, "epochs")},
        {"gpus", gpus},
        {"nodes", number(run, "nodes")},
        {"lbs", lbs},
        {"gbs", number(run, "gbs")},
        {"coverage", 1},
        /* from the side files */
        {"error_top1", number(run, "error_top1")},
        {"job_wall_s", number(run, "job_wall_s")},
    };
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        ck_assert_msg(fabs(cell(&p->runs, row, columns[i].column) - columns[i].want) <= EXACT * columns[i].want,
                      "%s: %s is %.17g, not %.17g", text(run, "run"), columns[i].column,
                      cell(&p->runs, row, columns[i].column), columns[i].want);
    ck_assert_str_eq(word(&p->runs, row, "run"), text(run, "run"));
    ck_assert_str_eq(word(&p->runs, row, "series"), text(run, "series"));
    ck_assert_str_eq(word(&p->runs, row, "energy_scope"), "gpu+cpu+dram");
    ck_assert_str_eq(word(&p->runs, row, "status"), "ok");
}

START_TEST(runs_are_what_their_files_hold)
{
    if (!is_built)
        skip_because("wattscale-synth is not built");
    for (int c = 0; c < CAMPAIGNS; c++) {
        size_t i;
        json_t *run, *runs = json_object_get(campaigns[c].truth, "runs");
        ck_assert_uint_eq(json_array_size(runs), RUNS);
        ck_assert_uint_eq(campaigns[c].runs.n_rows, RUNS);
        ck_assert(campaigns[c].runs.synthetic && campaigns[c].scale.synthetic);
        json_array_foreach(runs, i, run) check_run(&campaigns[c], run);
    }
}
END_TEST

/* Configurations */

typedef struct moments {
    size_t n;
    double mean, rmse, sd;
} moments;

typedef double run_value(const json_t *run);

static double wall_of(const json_t *run)
{
    return number(run, "wall_s");
}

static double kwh_of(const json_t *run)
{
    return number(run, "energy_j") / J_PER_KWH;
}

static double gpu_h_of(const json_t *run)
{
    return number(run, "gpus") * number(run, "wall_s") / 3600;
}

static double kwh_per_gpuh_of(const json_t *run)
{
    return kwh_of(run) / gpu_h_of(run);
}

static double error_of(const json_t *run)
{
    return number(run, "error_top1");
}

/* Of the runs of a series on that many GPUs. */
static moments moments_of(const planted *p, const char *series, double gpus, run_value *value)
{
    moments m = {0, 0, 0, 0};
    double squares = 0;
    for (int pass = 0; pass < 2; pass++) {
        size_t i;
        json_t *run;
        json_array_foreach(json_object_get(p->truth, "runs"), i, run)
        {
            if (strcmp(text(run, "series"), series) != 0 || number(run, "gpus") != gpus)
                continue;
            m.n += pass == 0;
            m.mean += pass == 0 ? value(run) : 0;
            squares += pass == 1 ? (value(run) - m.mean) * (value(run) - m.mean) : 0;
        }
        m.mean /= pass == 0 ? (double)m.n : 1;
    }
    m.rmse = sqrt(squares / (double)m.n);
    m.sd = sqrt(squares / (double)(m.n - 1));
    return m;
}

static void check_moments(const planted *p, size_t row, const char *column, run_value *value)
{
    moments m = moments_of(p, word(&p->scale, row, "series"), cell(&p->scale, row, "gpus"), value);
    char rmse[60];
    snprintf(rmse, sizeof rmse, "%s_rmse", column);
    ck_assert_uint_eq(m.n, REPEATS);
    ck_close(cell(&p->scale, row, column), m.mean, EXACT, 0);
    ck_close(cell(&p->scale, row, rmse), m.rmse, 0, EXACT * m.mean);
}

/* factor x a / b with its standard error; none for the reference itself. */
static void check_ratio(const planted *p, size_t row, const char *column, double factor, const moments *a,
                        const moments *b)
{
    double value = factor * a->mean / b->mean, va = a->sd / a->mean, vb = b->sd / b->mean;
    double se = value * sqrt(va * va / (double)a->n + vb * vb / (double)b->n);
    char name[60];
    snprintf(name, sizeof name, "%s_se", column);
    ck_close(cell(&p->scale, row, column), value, EXACT, 0);
    if (cell(&p->scale, row, "gpus") == 1)
        ck_assert(isnan(cell(&p->scale, row, name)));
    else
        ck_close(cell(&p->scale, row, name), se, 1e-9, 0); /* a spread of 0.5 % costs three digits of EXACT */
}

static void check_configuration(const planted *p, size_t row)
{
    static const struct {
        const char *column;
        run_value *value;
    } columns[] = {{"wall_s", wall_of},
                   {"energy_kwh", kwh_of},
                   {"gpu_h", gpu_h_of},
                   {"kwh_per_gpuh", kwh_per_gpuh_of},
                   {"error_top1", error_of}};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        check_moments(p, row, columns[i].column, columns[i].value);
    const char *series = word(&p->scale, row, "series");
    double gpus = cell(&p->scale, row, "gpus");
    moments wall = moments_of(p, series, gpus, wall_of), energy = moments_of(p, series, gpus, kwh_of);
    moments wall_1 = moments_of(p, series, 1, wall_of), energy_1 = moments_of(p, series, 1, kwh_of);
    check_ratio(p, row, "speedup", 1, &wall_1, &wall);
    check_ratio(p, row, "efficiency", 1 / gpus, &wall_1, &wall);
    check_ratio(p, row, "energy_ratio", 1, &energy, &energy_1);
    ck_assert(cell(&p->scale, row, "n_runs") == REPEATS);
    ck_assert_str_eq(word(&p->scale, row, "reference"), "gpus=1");
    ck_assert_str_eq(word(&p->scale, row, "scaling"), "strong"); /* the data set stays whole */
}

START_TEST(configurations_are_means_of_the_truth)
{
    if (!is_built)
        skip_because("wattscale-synth is not built");
    for (int c = 0; c < CAMPAIGNS; c++) {
        ck_assert_uint_eq(campaigns[c].scale.n_rows, RUNS / REPEATS);
        for (size_t row = 0; row < campaigns[c].scale.n_rows; row++)
            check_configuration(&campaigns[c], row);
    }
}
END_TEST

/* Fits */

/* Columns of one series on at least so many GPUs. */
static size_t take(const planted *p, const char *series, double least, const char *x_name, const char *y_name,
                   double *x, double *y)
{
    size_t n = 0;
    for (size_t row = 0; row < p->runs.n_rows; row++) {
        if (strcmp(word(&p->runs, row, "series"), series) != 0 || cell(&p->runs, row, "gpus") < least)
            continue;
        x[n] = cell(&p->runs, row, x_name);
        y[n++] = cell(&p->runs, row, y_name);
        ck_assert_uint_le(n, PER_SERIES);
    }
    return n;
}

/* 95 % for all intervals of one kind together: nine are looked at, so each is stated at 1 - 0.05 / 9 (Bonferroni). */
static const double LEVEL = 1 - 0.05 / (CAMPAIGNS * SERIES);

static void ck_inside(const ws_estimate *e, double planted_value)
{
    ck_assert_msg(e->ci_lo < planted_value && planted_value < e->ci_hi, "%s: %.9g is not in %.9g to %.9g", e->name,
                  planted_value, e->ci_lo, e->ci_hi);
}

/* wall_s = t1_s gpus^-beta times a normal factor of relative standard deviation time_sd. That the interval is not just
 * wide: sigma^2 (n - 2) / time_sd^2 is chi-square distributed, again at 1 - 0.05 / 9. */
START_TEST(planted_exponents_lie_in_their_intervals)
{
    if (!is_built)
        skip_because("wattscale-synth is not built");
    for (int c = 0; c < CAMPAIGNS; c++) {
        size_t i;
        json_t *series;
        ck_assert_uint_eq(json_array_size(json_object_get(campaigns[c].truth, "series")), SERIES);
        json_array_foreach(json_object_get(campaigns[c].truth, "series"), i, series)
        {
            double x[PER_SERIES], y[PER_SERIES], sd = number(series, "time_sd");
            ws_fit fit;
            size_t n = take(&campaigns[c], text(series, "series"), 1, "gpus", "wall_s", x, y);
            ck_assert_uint_eq(n, PER_SERIES);
            ck_assert_int_eq(ws_fit_powerlaw(x, y, n, LEVEL, &fit, NULL, NULL), WS_OK);
            ck_assert_int_eq(fit.status, WS_FIT_OK);
            ck_inside(ws_fit_estimate(&fit, "exponent"), -number(series, "beta"));
            ck_inside(ws_fit_estimate(&fit, "factor"), number(series, "t1_s"));
            double chi2 = fit.df * fit.sigma * fit.sigma / (sd * sd);
            ck_assert_msg(gsl_cdf_chisq_P(chi2, fit.df) > (1 - LEVEL) / 2 &&
                              gsl_cdf_chisq_Q(chi2, fit.df) > (1 - LEVEL) / 2,
                          "sigma is %g where %g was planted", fit.sigma, sd);
        }
    }
}
END_TEST

/* On full nodes a GPUh costs the planted power of a GPU and of its share of sockets and memory. */
START_TEST(planted_factors_lie_in_their_intervals)
{
    if (!is_built)
        skip_because("wattscale-synth is not built");
    for (int c = 0; c < CAMPAIGNS; c++) {
        size_t i;
        json_t *series;
        json_array_foreach(json_object_get(campaigns[c].truth, "series"), i, series)
        {
            double x[PER_SERIES], y[PER_SERIES];
            ws_fit fit;
            size_t n = take(&campaigns[c], text(series, "series"), 4, "gpu_h", "energy_kwh", x, y);
            ck_assert_uint_eq(n, 3 * REPEATS); /* on 4, 8 and 16 GPUs */
            ck_assert_int_eq(ws_fit_origin(x, y, n, LEVEL, &fit, NULL, NULL), WS_OK);
            ck_assert_int_eq(fit.status, WS_FIT_OK);
            ck_inside(ws_fit_estimate(&fit, "slope"), number(series, "kwh_per_gpuh_full_nodes"));
        }
    }
}
END_TEST

/* At constant local batch samples and passes are one rate in two units; at constant global batch they are two. */
START_TEST(regression_says_where_rates_are_one)
{
    if (!is_built)
        skip_because("wattscale-synth is not built");
    static const char *const names[] = {"samples_per_gpuh", "passes_per_gpuh"};
    static const struct {
        const char *series;
        ws_fit_status status;
    } planted_statuses[] = {{"lbs256", WS_FIT_COLLINEAR}, {"gbs256", WS_FIT_OK}, {"gbs1024", WS_FIT_OK}};
    for (int c = 0; c < CAMPAIGNS; c++) {
        for (size_t i = 0; i < SERIES; i++) {
            double x[2][PER_SERIES], y[PER_SERIES], factor = NAN;
            const double *columns[] = {x[0], x[1]};
            bool collinear = planted_statuses[i].status == WS_FIT_COLLINEAR;
            ws_fit fit;
            ws_correlation r;
            take(&campaigns[c], planted_statuses[i].series, 1, names[1], "gpu_power_w", x[1], y);
            size_t n = take(&campaigns[c], planted_statuses[i].series, 1, names[0], "gpu_power_w", x[0], y);
            ck_assert_int_eq(ws_fit_regression(columns, names, 2, y, n, 0.95, &fit, NULL, NULL), WS_OK);
            ck_assert_int_eq(fit.status, planted_statuses[i].status);
            ck_assert(ws_are_proportional(x[1], x[0], n, EXACT, &factor) == collinear);
            ck_assert_int_eq(ws_pearson(x[0], x[1], n, 0.95, &r, NULL), WS_OK);
            ck_assert_int_eq(r.status, collinear ? WS_FIT_PERFECT : WS_FIT_OK);
            if (collinear)
                ck_close(factor, 256, EXACT, 0);
        }
    }
}
END_TEST

/* One run made 1.25 times as hungry */

static bool same_cell(const ws_table *a, const ws_table *b, size_t column, size_t row)
{
    const ws_column *x = &a->columns[column], *y = &b->columns[column];
    ck_assert_str_eq(x->name, y->name);
    if (x->kind == WS_TEXT)
        return (!x->text[row] && !y->text[row]) ||
               (x->text[row] && y->text[row] && strcmp(x->text[row], y->text[row]) == 0);
    if (x->kind == WS_INTEGER)
        return x->integer[row] == y->integer[row];
    return (isnan(x->number[row]) && isnan(y->number[row])) ||
           memcmp(&x->number[row], &y->number[row], sizeof(double)) == 0;
}

/* Energy, power, and what follows from them. */
static bool follows_from_energy(const char *column)
{
    static const char *const words[] = {"energy", "power_w", "kwh", "wh_per", "share"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strstr(column, words[i]))
            return true;
    return false;
}

/* Every cell is the same to the bit, but in one row what follows from its energy; there `energy` must differ. */
static void check_unchanged(const ws_table *before, const ws_table *after, size_t row_changed, const char *energy)
{
    ck_assert_uint_eq(before->n_rows, after->n_rows);
    ck_assert_uint_eq(before->n_columns, after->n_columns);
    for (size_t column = 0; column < before->n_columns; column++) {
        const char *name = before->columns[column].name;
        for (size_t row = 0; row < before->n_rows; row++) {
            bool same = same_cell(before, after, column, row);
            ck_assert_msg(same || (row == row_changed && follows_from_energy(name)), "%s changed in row %zu", name,
                          row);
            ck_assert(!same || row != row_changed || strcmp(name, energy) != 0);
        }
    }
}

static const json_t *truth_of_job(const planted *p, const char *job)
{
    size_t i;
    json_t *run;
    json_array_foreach(json_object_get(p->truth, "runs"), i, run) if (strcmp(text(run, "job"), job) == 0) return run;
    ck_abort_msg("truth.json has no job %s", job);
    return NULL;
}

START_TEST(one_changed_run_moves_its_own_numbers_only)
{
    if (!is_built)
        skip_because("wattscale-synth is not built");
    static const char job[] = "9000020";
    const planted *before = &campaigns[0];
    const json_t *run = truth_of_job(before, job), *now = truth_of_job(&changed, job);
    size_t row = row_of_job(before, job), configuration = 0;
    ck_assert_uint_eq(row_of_job(&changed, job), row);
    check_unchanged(&before->runs, &changed.runs, row, "energy_kwh");
    double moved = kwh_of(now) - kwh_of(run), size = kwh_of(now);
    ck_close(kwh_of(now) / kwh_of(run), 1.25, 1e-5, 0); /* readings are rounded to 0.01 W */
    ck_close(cell(&changed.runs, row, "energy_kwh") - cell(&before->runs, row, "energy_kwh"), moved, 0,
             4 * DBL_EPSILON * size);
    while (strcmp(word(&before->scale, configuration, "series"), text(run, "series")) != 0 ||
           cell(&before->scale, configuration, "gpus") != number(run, "gpus"))
        configuration++;
    check_unchanged(&before->scale, &changed.scale, configuration, "energy_kwh");
    ck_close(cell(&changed.scale, configuration, "energy_kwh") - cell(&before->scale, configuration, "energy_kwh"),
             moved / REPEATS, 0, 4 * DBL_EPSILON * size);
    check_run(&changed, now);
    check_configuration(&changed, configuration);
}
END_TEST

int main(void)
{
    const TTest *const cases[] = {runs_are_what_their_files_hold,           configurations_are_means_of_the_truth,
                                  planted_exponents_lie_in_their_intervals, planted_factors_lie_in_their_intervals,
                                  regression_says_where_rates_are_one,      one_changed_run_moves_its_own_numbers_only};
    Suite *suite = suite_create("planted");
    TCase *tcase = tcase_create("planted");
    tcase_set_timeout(tcase, 0);
    tcase_add_unchecked_fixture(tcase, set_up, tear_down);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        tcase_add_test(tcase, cases[i]);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
