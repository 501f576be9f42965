/* Every run and every configuration of three synthetic campaigns against plain arithmetic on their truth. */
#include "planted.h"

#include <float.h>

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
        {"ed2p_kwh_h2", kwh * wall_h * wall_h},
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

/* The deviation of the logarithms of a series about the means of its numbers of GPUs, a power of 2 each. */
static double pooled_deviation(const planted *p, const char *series, run_value *value)
{
    double sum[12] = {0}, n[12] = {0}, squares = 0, df = 0;
    for (int pass = 0; pass < 2; pass++) {
        size_t i;
        json_t *run;
        json_array_foreach(json_object_get(p->truth, "runs"), i, run)
        {
            size_t g = (size_t)lround(log2(number(run, "gpus")));
            if (strcmp(text(run, "series"), series) != 0)
                continue;
            sum[g] += pass ? 0 : log(value(run));
            n[g] += pass ? 0 : 1;
            squares += pass ? pow(log(value(run)) - sum[g] / n[g], 2) : 0;
        }
    }
    for (size_t g = 0; g < 12; g++)
        df += n[g] > 1 ? n[g] - 1 : 0;
    return sqrt(squares / df);
}

/* factor x a / b with its standard errors, by the deviation of the series and by the two alone; none for the reference
 * itself. */
static void check_ratio(const planted *p, size_t row, const char *column, double factor, const moments *a,
                        const moments *b, run_value *of)
{
    double value = factor * a->mean / b->mean, va = a->sd / a->mean, vb = b->sd / b->mean;
    double own = value * sqrt(va * va / (double)a->n + vb * vb / (double)b->n);
    double se =
        value * pooled_deviation(p, word(&p->scale, row, "series"), of) * sqrt(1 / (double)a->n + 1 / (double)b->n);
    char name[60], own_name[60];
    snprintf(name, sizeof name, "%s_pooled_se", column);
    snprintf(own_name, sizeof own_name, "%s_se", column);
    ck_close(cell(&p->scale, row, column), value, EXACT, 0);
    if (cell(&p->scale, row, "gpus") == 1) {
        ck_assert(isnan(cell(&p->scale, row, name)) && isnan(cell(&p->scale, row, own_name)));
        return;
    }
    ck_close(cell(&p->scale, row, name), se, 1e-9, 0); /* a spread of 0.5 % costs three digits of EXACT */
    ck_close(cell(&p->scale, row, own_name), own, 1e-9, 0);
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
    check_ratio(p, row, "speedup", 1, &wall_1, &wall, wall_of);
    check_ratio(p, row, "efficiency", 1 / gpus, &wall_1, &wall, wall_of);
    check_ratio(p, row, "energy_ratio", 1, &energy, &energy_1, kwh_of);
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

/* Intervals by a pooled deviation rest on the repeats of the whole series. */
static bool shares_deviation(const ws_table *table, const char *column, size_t row, size_t row_changed)
{
    size_t series;
    bool is_shared =
        (strstr(column, "energy_ratio_") && !strstr(column, "_own_")) || strcmp(column, "interval_by") == 0;
    return is_shared && ws_table_find(table, "series", &series) &&
           strcmp(table->columns[series].text[row], table->columns[series].text[row_changed]) == 0;
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
            ck_assert_msg(same || (row == row_changed && follows_from_energy(name)) ||
                              shares_deviation(before, name, row, row_changed),
                          "%s changed in row %zu", name, row);
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
    planted changed;
    plant(&changed, "small", "d", ws_arena_printf(&arena, "--seed %d --change %s=1.25", seeds[0], job));
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
    free_planted(&changed);
}
END_TEST

int main(void)
{
    const TTest *const cases[] = {runs_are_what_their_files_hold, configurations_are_means_of_the_truth,
                                  one_changed_run_moves_its_own_numbers_only};
    return run_planted("planted", cases, sizeof cases / sizeof *cases, plant_small);
}
