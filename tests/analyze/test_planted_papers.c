/* Synthetic campaigns of two papers, from traces back to what the papers print: the 18 points of Huber et al. 2025,
 * Fig. 3, its Table 1 to the printed digits, the intervals of its text, and the exponents of Frey et al. 2022.
 *
 * Parts of both from one seed; WS_PLANTED_SEEDS="1 2 3" makes the whole of both from each (a minute a seed). */
#include "planted.h"

#include "analyze/recipes/paper.h"

/* Of means and RMSE over repeats, against the numbers that were planted for a configuration. */
static const double POINT = 1e-3;

static planted huber[CAMPAIGNS], frey[CAMPAIGNS];
static size_t n_planted;
static bool is_whole;

static void plant_papers(void)
{
    static const char huber_part[] = "--scale 0.01 --only gbs256/ --only lbs256/1g --only lbs256/2g --only lbs256/4g "
                                     "--only lbs256/8g --only table1 --only fcn-repeats";
    static const char frey_part[] = "--scale 0.02 --only table2-dimenet --only table6";
    const char *given = getenv("WS_PLANTED_SEEDS");
    ws_span rest = ws_span_of(given ? given : "31"), seed;
    is_whole = given;
    while (n_planted < CAMPAIGNS && ws_span_split(&rest, ' ', &seed)) {
        const char *word = ws_arena_printf(&arena, "--seed %.*s", WS_SPAN_ARG(seed));
        const char *one = ws_arena_printf(&arena, "h%zu", n_planted), *two = ws_arena_printf(&arena, "f%zu", n_planted);
        plant(&huber[n_planted], "huber2025", one,
              ws_arena_printf(&arena, "%s %s", word, is_whole ? "--scale 0.01" : huber_part));
        plant(&frey[n_planted], "frey2022", two,
              ws_arena_printf(&arena, "%s %s", word, is_whole ? "--scale 0.02" : frey_part));
        shell(ws_arena_printf(&arena, "rm -rf '%s/%s' '%s/%s'", folder, one, folder, two));
        n_planted++;
    }
}

static size_t find_row(const ws_table *table, const char *column, const char *text_there)
{
    size_t row = 0;
    while (row < table->n_rows && strcmp(word(table, row, column), text_there) != 0)
        row++;
    return row;
}

/* The configuration of a series on so many GPUs; n_rows where it is not there. */
static size_t find_configuration(const ws_table *scale, const char *series, double gpus)
{
    size_t row = 0;
    while (row < scale->n_rows && (strcmp(word(scale, row, "series"), series) != 0 || cell(scale, row, "gpus") != gpus))
        row++;
    return row;
}

START_TEST(runs_have_their_planted_time_and_energy)
{
    if (!is_built)
        skip_because("wattscale-synth is not built");
    for (size_t c = 0; c < n_planted; c++) {
        size_t i;
        json_t *run, *runs = json_object_get(huber[c].truth, "runs");
        ck_assert_uint_eq(huber[c].runs.n_rows, json_array_size(runs));
        json_array_foreach(runs, i, run)
        {
            size_t row = find_row(&huber[c].runs, "run", text(run, "run"));
            ck_assert_msg(row < huber[c].runs.n_rows, "no run %s", text(run, "run"));
            ck_close(cell(&huber[c].runs, row, "energy_kwh"), number(run, "energy_j") / J_PER_KWH, 1e-11, 0);
            ck_close(cell(&huber[c].runs, row, "gpu_h"), number(run, "gpu_h"), EXACT, 0);
        }
    }
}
END_TEST

/* Means and spreads of everything that was planted for a configuration, energies by domain and the error included. */
static size_t check_configuration(const ws_table *scale, const json_t *configuration)
{
    size_t i, row = find_configuration(scale, text(configuration, "series"), number(configuration, "gpus"));
    json_t *item;
    if (row == scale->n_rows)
        return 0;
    json_array_foreach(json_object_get(configuration, "planted"), i, item)
    {
        double got = cell(scale, row, text(item, "quantity")), want = number(item, "value");
        ck_assert_msg(fabs(got - want) <= POINT * fabs(want), "%s on %g GPUs: %s is %.10g, not %.10g",
                      text(configuration, "series"), number(configuration, "gpus"), text(item, "quantity"), got, want);
    }
    return 1;
}

START_TEST(configurations_have_their_planted_means)
{
    if (!is_built)
        skip_because("wattscale-synth is not built");
    for (size_t c = 0; c < n_planted; c++) {
        size_t i, n = 0;
        json_t *configuration;
        json_array_foreach(json_object_get(huber[c].truth, "configurations"), i, configuration) n +=
            check_configuration(&huber[c].scale, configuration);
        ck_assert_uint_eq(n, huber[c].scale.n_rows);
        ck_assert_uint_eq(n, is_whole ? i : 5 + 4 + 6 + 1);
    }
}
END_TEST

static void load_published(const char *file, ws_table *runs)
{
    ws_error error = {0};
    ws_campaign campaign = {0};
    ws_ingest_options options = {.source.read = WS_READ_DEFAULTS};
    const char *datasets = getenv("DATASETS");
    const char *path = ws_arena_printf(&arena, "%s/%s", datasets ? datasets : "datasets", file);
    ck_assert_msg(ws_ingest(path, &options, &campaign, runs, &error) == WS_OK, "%s", error.message);
    ws_campaign_free(&campaign);
}

/* Fig. 3 C and D: mean and RMSE of energy and GPUh of 18 configurations. */
START_TEST(published_points_come_out_of_traces)
{
    static const char *const columns[] = {"energy_kwh", "energy_kwh_rmse", "gpu_h", "gpu_h_rmse"};
    ws_table points = {0};
    if (!is_built)
        skip_because("wattscale-synth is not built");
    load_published("huber2025/scaled.csv", &points);
    ck_assert_uint_eq(points.n_rows, 18);
    for (size_t c = 0; c < n_planted; c++) {
        size_t found = 0;
        for (size_t p = 0; p < points.n_rows; p++) {
            size_t row = find_configuration(&huber[c].scale, word(&points, p, "series"), cell(&points, p, "gpus"));
            if (row == huber[c].scale.n_rows)
                continue;
            found++;
            for (size_t k = 0; k < 4; k++)
                ck_close(cell(&huber[c].scale, row, columns[k]), cell(&points, p, columns[k]), POINT, 0);
        }
        ck_assert_uint_eq(found, is_whole ? 18 : 9);
    }
    ws_table_free(&points);
}
END_TEST

static bool is_printed_as(double value, double printed)
{
    return llround(value * 100) == llround(printed * 100); /* two decimals throughout the table */
}

START_TEST(table_1_comes_out_to_the_printed_digits)
{
    ws_table printed = {0};
    if (!is_built)
        skip_because("wattscale-synth is not built");
    load_published("huber2025/table1.csv", &printed);
    for (size_t c = 0; c < n_planted; c++) {
        ws_table made;
        ws_error error = {0};
        ck_assert_int_eq(
            ws_table_recipe_make(ws_table_recipe_find("huber/table1"), &huber[c].runs, &huber[c].scale, &made, &error),
            WS_OK);
        for (size_t p = 0; p < printed.n_rows; p++) {
            const char *series = strcmp(word(&printed, p, "device"), "A100") == 0 ? "table1-a100" : "table1-h100";
            size_t row = find_configuration(&made, series, cell(&printed, p, "gpus"));
            ck_assert_uint_lt(row, made.n_rows);
            ck_assert(is_printed_as(cell(&made, row, "energy_kwh"), cell(&printed, p, "energy_kwh")));
            ck_assert(is_printed_as(cell(&made, row, "gpu_h"), cell(&printed, p, "gpu_h")));
            ck_assert(is_printed_as(cell(&made, row, "runtime_h"), cell(&printed, p, "wall_s") / 3600));
            ck_assert(cell(&made, row, "lbs") == cell(&printed, p, "lbs"));
        }
        ws_table_free(&made);
    }
    ws_table_free(&printed);
}
END_TEST

/* Sec. 3.2.3 and 3.5: 263 ± 9 min, 280 ± 10 GPUh and 52 ± 2 kWh over five repeats; 0.26 to 0.32 kWh per GPUh of
 * ResNet50 on four and more A100. Intervals are those of the text, closed at its digits. */
START_TEST(intervals_of_the_text_hold)
{
    if (!is_built)
        skip_because("wattscale-synth is not built");
    for (size_t c = 0; c < n_planted; c++) {
        const ws_table *scale = &huber[c].scale;
        size_t row = find_configuration(scale, "fcn-repeats", 64);
        ck_close(cell(scale, row, "wall_s") / 60, 263, 0, 0.5);
        ck_close(cell(scale, row, "wall_s_rmse") / 60, 9, 0, 0.5);
        ck_close(cell(scale, row, "gpu_h"), 280, 0, 0.5);
        ck_close(cell(scale, row, "gpu_h_rmse"), 10, 0, 0.5);
        ck_close(cell(scale, row, "energy_kwh"), 52, 0, 0.5);
        ck_close(cell(scale, row, "energy_kwh_rmse"), 2, 0, 0.5);
        for (row = 0; row < scale->n_rows; row++) {
            double factor = cell(scale, row, "kwh_per_gpuh");
            if (strcmp(word(scale, row, "model"), "ResNet50") == 0 && cell(scale, row, "gpus") >= 4)
                ck_assert_msg(factor >= 0.255 && factor < 0.325, "%s: %g kWh per GPUh", word(scale, row, "series"),
                              factor);
        }
    }
}
END_TEST

static double planted_value(const json_t *series, const char *quantity)
{
    size_t i;
    json_t *item;
    json_array_foreach(json_object_get(series, "planted"), i,
                       item) if (strcmp(text(item, "quantity"), quantity) == 0) return number(item, "value");
    ck_abort_msg("%s has no %s", text(series, "series"), quantity);
    return NAN;
}

/* The mean of ln epoch_s over the runs of a series on so many GPUs. */
static double mean_ln_epoch(const json_t *runs, const char *series, double gpus)
{
    size_t i, n = 0;
    double sum = 0;
    const json_t *run;
    json_array_foreach(runs, i, run)
    {
        if (strcmp(text(run, "series"), series) == 0 && number(run, "gpus") == gpus) {
            sum += log(number(run, "epoch_s"));
            n++;
        }
    }
    return sum / (double)n;
}

/* R2 of ln epoch_s on ln gpus over the runs of a series as they were planted: of each, as the paper has it, or of the
 * means of configurations, as the fit has it. A series has as many runs in each configuration, so that a point a run
 * gives the weights of means, too. */
static double r2_of_truth(const json_t *runs, const char *series, bool of_means)
{
    size_t i;
    double n = 0, x = 0, y = 0, xx = 0, xy = 0, yy = 0;
    const json_t *run;
    json_array_foreach(runs, i, run)
    {
        if (strcmp(text(run, "series"), series) != 0)
            continue;
        double gpus = number(run, "gpus"), u = log(gpus);
        double v = of_means ? mean_ln_epoch(runs, series, gpus) : log(number(run, "epoch_s"));
        n++;
        x += u, y += v, xx += u * u, xy += u * v, yy += v * v;
    }
    double covariance = xy - x * y / n;
    return covariance * covariance / ((xx - x * x / n) * (yy - y * y / n));
}

START_TEST(exponents_of_frey_come_out)
{
    if (!is_built)
        skip_because("wattscale-synth is not built");
    for (size_t c = 0; c < n_planted; c++) {
        ws_table made;
        ws_error error = {0};
        size_t i, found = 0;
        json_t *series, *runs = json_object_get(frey[c].truth, "runs");
        ck_assert_int_eq(
            ws_table_recipe_make(ws_table_recipe_find("frey/exponents"), &frey[c].runs, &frey[c].scale, &made, &error),
            WS_OK);
        json_array_foreach(json_object_get(frey[c].truth, "series"), i, series)
        {
            size_t row = find_row(&made, "series", text(series, "series"));
            if (row == made.n_rows)
                continue;
            double beta = planted_value(series, "beta");
            found++;
            ck_assert(is_printed_as(cell(&made, row, "beta"), beta));
            ck_assert(cell(&made, row, "beta_lo") < beta && beta < cell(&made, row, "beta_hi"));
            ck_close(r2_of_truth(runs, text(series, "series"), false), planted_value(series, "r2"), 0, 1e-6);
            ck_close(cell(&made, row, "r2"), r2_of_truth(runs, text(series, "series"), true), 0, 1e-6);
        }
        ck_assert_uint_eq(found, is_whole ? i : 4);
        ws_table_free(&made);
    }
}
END_TEST

/* The traces are windows: energy of the training is their mean power times its time. */
START_TEST(energies_of_frey_are_those_of_the_trainings)
{
    if (!is_built)
        skip_because("wattscale-synth is not built");
    for (size_t c = 0; c < n_planted; c++) {
        size_t i;
        json_t *run, *runs = json_object_get(frey[c].truth, "runs");
        ck_assert_uint_eq(frey[c].runs.n_rows, json_array_size(runs));
        json_array_foreach(runs, i, run)
        {
            size_t row = find_row(&frey[c].runs, "run", text(run, "run"));
            ck_close(cell(&frey[c].runs, row, "energy_kwh"), number(run, "training_kwh"), EXACT, 0);
            ck_close(cell(&frey[c].runs, row, "wall_s"), number(run, "job_wall_s"), EXACT, 0);
            ck_close(cell(&frey[c].runs, row, "util_mean"), number(run, "util_mean"), EXACT, 0);
        }
    }
}
END_TEST

int main(void)
{
    const TTest *const cases[] = {runs_have_their_planted_time_and_energy,
                                  configurations_have_their_planted_means,
                                  published_points_come_out_of_traces,
                                  table_1_comes_out_to_the_printed_digits,
                                  intervals_of_the_text_hold,
                                  exponents_of_frey_come_out,
                                  energies_of_frey_are_those_of_the_trainings};
    int status = run_planted("planted papers", cases, sizeof cases / sizeof *cases, plant_papers);
    for (size_t i = 0; i < n_planted; i++) {
        free_planted(&huber[i]);
        free_planted(&frey[i]);
    }
    return status;
}
