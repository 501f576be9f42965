/* Fits of published campaigns against the normal equations, solved here in long double from the raw CSV. */
#include "find_program.h"
#include "harness.h"
#include "plain_fit.h"
#include "raw_csv.h"

#include "analyze/ingest/ingest.h"
#include "analyze/ingest/run_columns.h"
#include "fit/fit.h"
#include "fit/tests/repeats.h"

#include <unistd.h>

static const char zeus[] = "zeus-nsdi23-v100/summary_power_v100.csv";
static const char smc[] = "mlperf-training-v4.0-smc-ac-power/runs.csv";
static const char nvidia[] = "mlperf-training-v4.0-nvidia/runs.csv";
static const char csc[] = "csc-ml-benchmarks/results.csv";

/* Sums of squares in long double keep 19 digits, the solver under test 16; the predictors cost some of them. */
static const double AGREE = 1e-10;

static void campaign_path(char *path, size_t size, const char *file)
{
    snprintf(path, size, "%s/campaigns/%s", getenv("CORPUS"), file);
}

static void read_both(const char *file, raw_csv *raw, ws_table *runs)
{
    char path[600];
    ws_campaign campaign;
    ws_error error = {0};
    ws_ingest_options options = {.source.read = WS_READ_DEFAULTS};
    campaign_path(path, sizeof path, file);
    raw_read(raw, path);
    ck_assert_msg(ws_ingest(path, &options, &campaign, runs, &error) == WS_OK, "%s", error.message);
    ck_assert_uint_eq(runs->n_rows, raw->n_rows);
    ws_campaign_free(&campaign);
}

static void check_estimate(const ws_fit *fit, const char *name, double value, double se)
{
    const ws_estimate *e = ws_fit_estimate(fit, name);
    ck_assert_msg(e != NULL, "%s has no estimate %s", fit->model, name);
    ck_close(e->value, value, AGREE, 0);
    ck_close(e->se, se, AGREE, 0);
}

/* ln y on ln x, and what follows for y = factor x^exponent. */
static void check_powerlaw(const double *x, const double *y, size_t n, plain *f)
{
    ws_fit fit;
    f->terms = 2;
    f->n = n;
    for (size_t i = 0; i < n; i++) {
        f->x[0][i] = 1;
        f->x[1][i] = log(x[i]);
        f->y[i] = log(y[i]);
    }
    solve(f);
    ck_assert_int_eq(ws_fit_powerlaw(x, y, n, 0.95, &fit, NULL, NULL), WS_OK);
    ck_assert_int_eq(fit.status, WS_FIT_OK);
    check_estimate(&fit, "exponent", f->value[1], f->se[1]);
    check_estimate(&fit, "factor", exp(f->value[0]), exp(f->value[0]) * f->se[0]);
    ck_close(fit.r2, f->r2, AGREE, 0);
}

/* Values of one group of runs, from the table under test. */
typedef struct points {
    double x[TERMS][POINTS], y[POINTS];
    size_t n;
} points;

static void take_points(points *p, const ws_table *runs, const char *model, const char *const *x, size_t n_x,
                        const char *y)
{
    size_t at[TERMS], y_at;
    p->n = 0;
    ck_assert(ws_table_find(runs, y, &y_at));
    for (size_t j = 0; j < n_x; j++)
        ck_assert(ws_table_find(runs, x[j], &at[j]));
    for (size_t row = 0; row < runs->n_rows; row++) {
        if (strcmp(runs->columns[WS_COL_MODEL].text[row], model) != 0 || ws_table_is_missing(runs, y_at, row))
            continue;
        for (size_t j = 0; j < n_x; j++)
            p->x[j][p->n] = ws_table_number(runs, at[j], row);
        p->y[p->n++] = ws_table_number(runs, y_at, row);
    }
}

static const char *const networks[] = {"shufflenetv2", "resnet50", "deepspeech2", "ncf", "bert_base_uncased"};

START_TEST(power_on_cap_and_batch)
{
    if (!getenv("CORPUS"))
        skip_because("CORPUS is not set, so power caps of V100 were not fitted");
    static const char *const x[] = {"power_cap_w", "batch_size"};
    raw_csv raw;
    ws_table runs;
    size_t used = 0;
    read_both(zeus, &raw, &runs);
    for (size_t i = 0; i < sizeof networks / sizeof *networks; i++) {
        plain f = {.terms = 3};
        points p;
        ws_fit fit;
        for (size_t row = 0; row < raw.n_rows; row++) {
            if (strcmp(raw_text(&raw, row, "network"), networks[i]) != 0)
                continue;
            f.x[0][f.n] = 1;
            f.x[1][f.n] = raw_number(&raw, row, "power_limit");
            f.x[2][f.n] = raw_number(&raw, row, "batch_size");
            f.y[f.n++] = raw_number(&raw, row, "average_power");
        }
        solve(&f);
        take_points(&p, &runs, networks[i], x, 2, "gpu_power_w");
        ck_assert_uint_eq(p.n, f.n);
        const double *columns[] = {p.x[0], p.x[1]};
        ck_assert_int_eq(ws_fit_regression(columns, x, 2, p.y, p.n, 0.95, &fit, NULL, NULL), WS_OK);
        ck_assert_int_eq(fit.status, WS_FIT_OK);
        check_estimate(&fit, "intercept", f.value[0], f.se[0]);
        check_estimate(&fit, "power_cap_w", f.value[1], f.se[1]);
        check_estimate(&fit, "batch_size", f.value[2], f.se[2]);
        ck_close(fit.r2, f.r2, AGREE, 0);
        used += p.n;
    }
    ck_assert_uint_eq(used, raw.n_rows);
    raw_free(&raw);
    ws_table_free(&runs);
}
END_TEST

START_TEST(time_on_cap)
{
    if (!getenv("CORPUS"))
        skip_because("CORPUS is not set, so power caps of V100 were not fitted");
    static const char *const x[] = {"power_cap_w"};
    raw_csv raw;
    ws_table runs;
    read_both(zeus, &raw, &runs);
    for (size_t i = 0; i < sizeof networks / sizeof *networks; i++) {
        plain f = {0};
        points p;
        size_t n = 0;
        take_points(&p, &runs, networks[i], x, 1, "epoch_s");
        for (size_t row = 0; row < raw.n_rows; row++) {
            if (strcmp(raw_text(&raw, row, "network"), networks[i]) != 0)
                continue;
            ck_assert(p.x[0][n] == raw_number(&raw, row, "power_limit"));
            ck_assert(p.y[n++] == raw_number(&raw, row, "time_per_epoch"));
        }
        ck_assert_uint_eq(n, p.n);
        check_powerlaw(p.x[0], p.y, p.n, &f);
    }
    raw_free(&raw);
    ws_table_free(&runs);
}
END_TEST

static void check_origin(const double *x, const double *y, size_t n, plain *f)
{
    ws_fit fit;
    long double sum_x = 0, sum_y = 0, ratios = 0;
    f->terms = 1;
    f->n = n;
    for (size_t i = 0; i < n; i++) {
        f->x[0][i] = x[i];
        f->y[i] = y[i];
        sum_x += x[i];
        sum_y += y[i];
        ratios += (long double)y[i] / x[i];
    }
    solve(f);
    ck_assert_int_eq(ws_fit_origin(x, y, n, 0.95, &fit, NULL, NULL), WS_OK);
    check_estimate(&fit, "slope", f->value[0], f->se[0]);
    ck_close(ws_fit_estimate(&fit, "ratio-of-sums")->value, (double)(sum_y / sum_x), AGREE, 0);
    ck_close(ws_fit_estimate(&fit, "mean-of-ratios")->value, (double)(ratios / (long double)n), AGREE, 0);
    f->terms = 2;
    for (size_t i = 0; i < n; i++)
        f->x[1][i] = 1;
    solve(f);
    check_estimate(&fit, "slope-with-intercept", f->value[0], f->se[0]);
    check_estimate(&fit, "intercept", f->value[1], f->se[1]);
}

/* 8, 64 and 512 GPUs with ten repeats each: scaling of the time, energy over GPUh. */
START_TEST(time_and_energy_at_the_wall_socket)
{
    if (!getenv("CORPUS"))
        skip_because("CORPUS is not set, so the wall socket campaign was not fitted");
    static const char *const gpus[] = {"gpus"}, *const gpu_h[] = {"gpu_h"};
    static const char model[] = "llama2_70b_lora";
    raw_csv raw;
    ws_table runs;
    points time, energy;
    plain f;
    size_t n = 0;
    read_both(smc, &raw, &runs);
    take_points(&time, &runs, model, gpus, 1, "wall_s");
    take_points(&energy, &runs, model, gpu_h, 1, "energy_kwh");
    ck_assert(time.n == 30 && energy.n == 30);
    for (size_t row = 0; row < raw.n_rows; row++) {
        if (strcmp(raw_text(&raw, row, "benchmark"), model) != 0)
            continue;
        double wall_s = raw_number(&raw, row, "run_time_s"), accelerators = raw_number(&raw, row, "accelerators");
        ck_assert(time.x[0][n] == accelerators && time.y[n] == wall_s);
        ck_close(energy.x[0][n], accelerators * wall_s / 3600, 1e-15, 0);
        ck_close(energy.y[n], raw_number(&raw, row, "node_energy_J") / 3.6e6, 1e-15, 0);
        n++;
    }
    ck_assert_uint_eq(n, 30);
    check_powerlaw(time.x[0], time.y, n, &f);
    check_origin(energy.x[0], energy.y, n, &f);
    raw_free(&raw);
    ws_table_free(&runs);
}
END_TEST

/* The three of these ten repeats each: 0.895, 0.727 and 0.636 kWh per GPUh, so no single factor holds. */
START_TEST(energy_per_gpu_hour_falls_with_the_gpus)
{
    if (!getenv("CORPUS"))
        skip_because("CORPUS is not set, so the wall socket campaign was not fitted");
    static const struct {
        double gpus, kwh_per_gpuh;
    } groups[] = {{8, 0.895}, {64, 0.727}, {512, 0.636}};
    raw_csv raw;
    ws_table runs;
    read_both(smc, &raw, &runs);
    for (size_t g = 0; g < sizeof groups / sizeof *groups; g++) {
        double x[POINTS], y[POINTS], sum_x = 0, sum_y = 0;
        size_t n = 0;
        ws_fit fit;
        for (size_t row = 0; row < raw.n_rows; row++) {
            if (strcmp(raw_text(&raw, row, "benchmark"), "llama2_70b_lora") != 0 ||
                raw_number(&raw, row, "accelerators") != groups[g].gpus)
                continue;
            x[n] = groups[g].gpus * raw_number(&raw, row, "run_time_s") / 3600;
            y[n] = raw_number(&raw, row, "node_energy_J") / 3.6e6;
            sum_x += x[n];
            sum_y += y[n++];
        }
        ck_assert_uint_eq(n, 10);
        ck_assert_int_eq(ws_fit_origin(x, y, n, 0.95, &fit, NULL, NULL), WS_OK);
        ck_close(ws_fit_estimate(&fit, "ratio-of-sums")->value, sum_y / sum_x, 1e-12, 0);
        for (size_t k = 0; k < 3; k++) {
            ck_close(fit.estimate[k].value, groups[g].kwh_per_gpuh, 0, 5e-4);
            ck_assert(fit.estimate[k].ci_hi - fit.estimate[k].ci_lo < 0.01);
        }
    }
    raw_free(&raw);
    ws_table_free(&runs);
}
END_TEST

/* Means of repeats weighted by a pooled variance give the slope of all runs, and its error from the repeats alone:
 * s / sqrt(sum (x - mean x)^2) with n - k degrees of freedom. */
static void check_repeats(const double *ln_x, const double *ln_y, size_t n, const plain *f)
{
    ws_repeats r;
    ws_weighted w;
    ws_test lack;
    long double squares = 0, mean = 0, sxx = 0, rss = 0;
    ck_assert_int_eq(ws_repeats_find(ln_x, ln_y, n, &r, NULL), WS_OK);
    for (size_t i = 0; i < n; i++) {
        long double own = 0, count = 0;
        for (size_t j = 0; j < n; j++)
            if (ln_x[j] == ln_x[i]) {
                own += ln_y[j];
                count++;
            }
        squares += (ln_y[i] - own / count) * (ln_y[i] - own / count);
        rss += powl(ln_y[i] - (long double)f->value[0] - (long double)f->value[1] * ln_x[i], 2);
        mean += ln_x[i] / (long double)n;
    }
    for (size_t i = 0; i < n; i++)
        sxx += (ln_x[i] - mean) * (ln_x[i] - mean);
    long double df = (long double)(n - r.n_groups), s2 = squares / df;
    ck_close(r.pooled_sd, (double)sqrtl(s2), AGREE, 0);
    ws_lack_of_fit(&r, (double)rss, 2, &lack);
    if (r.n_groups > 2)
        ck_close(lack.statistic, (double)((rss - squares) / (long double)(r.n_groups - 2) / s2), 1e-8, 1e-8);
    for (size_t g = 0; g < r.n_groups; g++)
        r.variance_of_mean[g] = (double)s2 / (double)r.count[g];
    ck_assert_int_eq(ws_fit_repeats(&r, 0.95, &w, NULL, NULL), WS_OK);
    ck_close(w.fit.estimate[1].value, f->value[1], AGREE, 0);
    ck_close(w.fit.estimate[1].se, (double)sqrtl(s2 / sxx), AGREE, 0);
    ws_repeats_free(&r);
}

/* One benchmark on one accelerator; false where it ran at a single scale. */
static bool check_benchmark(const raw_csv *raw, size_t first)
{
    static plain f;
    double x[POINTS], y[POINTS];
    size_t n = 0;
    bool scaled = false;
    for (size_t row = first; row < raw->n_rows; row++) {
        if (strcmp(raw_text(raw, row, "benchmark"), raw_text(raw, first, "benchmark")) != 0 ||
            strcmp(raw_text(raw, row, "accelerator"), raw_text(raw, first, "accelerator")) != 0 ||
            strcmp(raw_text(raw, row, "status"), "success") != 0)
            continue;
        x[n] = raw_number(raw, row, "accelerators");
        y[n] = raw_number(raw, row, "run_time_s");
        scaled |= x[n] != x[0];
        n++;
    }
    if (!scaled)
        return false;
    memset(&f, 0, sizeof f);
    check_powerlaw(x, y, n, &f);
    check_repeats(f.x[1], f.y, n, &f);
    return true;
}

START_TEST(time_to_train_with_repeats)
{
    if (!getenv("CORPUS"))
        skip_because("CORPUS is not set, so time to train was not fitted");
    static const char *const files[] = {nvidia, smc};
    static const size_t groups[] = {12, 4};
    for (size_t k = 0; k < 2; k++) {
        raw_csv raw;
        ws_table runs;
        size_t fitted = 0;
        read_both(files[k], &raw, &runs);
        for (size_t row = 0; row < raw.n_rows; row++) {
            bool seen = false;
            for (size_t earlier = 0; earlier < row && !seen; earlier++)
                seen = strcmp(raw_text(&raw, earlier, "benchmark"), raw_text(&raw, row, "benchmark")) == 0 &&
                       strcmp(raw_text(&raw, earlier, "accelerator"), raw_text(&raw, row, "accelerator")) == 0;
            fitted += !seen && check_benchmark(&raw, row);
        }
        ck_assert_msg(fitted == groups[k], "%s: %zu groups were fitted", files[k], fitted);
        raw_free(&raw);
        ws_table_free(&runs);
    }
}
END_TEST

/* Runs the fit by benchmark and cluster; its CSV and its notes are left in `csv` and `notes`. */
static void fit_throughput(const char *program, raw_csv *csv, char *notes, size_t size)
{
    char out[] = "/tmp/campaign-fits-XXXXXX", command[6000];
    int file = mkstemp(out);
    ck_assert_int_ge(file, 0);
    close(file);
    snprintf(command, sizeof command,
             "'%s' fit powerlaw '%s/campaigns/%s' --x gpus --y samples_per_s --by benchmark,cluster "
             "--unit run --format csv 2>&1 >%s",
             program, getenv("CORPUS"), csc, out);
    FILE *said = popen(command, "r");
    ck_assert_ptr_nonnull(said);
    notes[fread(notes, 1, size - 1, said)] = '\0';
    ck_assert_int_eq(pclose(said), 0);
    raw_read(csv, out);
    unlink(out);
}

/* The benchmark and cluster of a group: "benchmark=Horovod, Imagenet data cluster=puhti". */
static bool is_member(const raw_csv *raw, size_t row, const char *group)
{
    char label[200];
    snprintf(label, sizeof label, "benchmark=%s cluster=%s", raw_text(raw, row, "benchmark"),
             raw_text(raw, row, "cluster"));
    return strcmp(label, group) == 0;
}

static size_t count_groups(const raw_csv *raw)
{
    size_t n = 0;
    for (size_t row = 0; row < raw->n_rows; row++) {
        char label[200];
        bool seen = false;
        snprintf(label, sizeof label, "benchmark=%s cluster=%s", raw_text(raw, row, "benchmark"),
                 raw_text(raw, row, "cluster"));
        for (size_t earlier = 0; earlier < row && !seen; earlier++)
            seen = is_member(raw, earlier, label);
        n += !seen;
    }
    return n;
}

static void check_throughput(const raw_csv *raw, const raw_csv *out, size_t row, size_t *n_left_out)
{
    const char *group = raw_text(out, row, "group"), *status = raw_text(out, row, "status");
    plain f = {.terms = 2};
    bool constant = true;
    for (size_t i = 0; i < raw->n_rows; i++) {
        double gpus = raw_number(raw, i, "gpus"), rate = raw_number(raw, i, "samples_per_s");
        if (!is_member(raw, i, group))
            continue;
        *n_left_out += isnan(rate) ? 1 : 0;
        if (isnan(rate))
            continue;
        f.x[0][f.n] = 1;
        f.x[1][f.n] = log(gpus);
        f.y[f.n++] = log(rate);
        constant &= log(gpus) == f.x[1][0];
    }
    ck_assert(raw_number(out, row, "n") == (double)f.n);
    ck_assert_str_eq(status, constant ? "constant" : "ok");
    if (constant)
        return;
    solve(&f);
    ck_assert_str_eq(raw_text(out, row, "parameter"), "exponent");
    ck_close(raw_number(out, row, "value"), f.value[1], AGREE, 0);
    ck_close(raw_number(out, row, "stderr"), f.se[1], AGREE, 0);
}

/* A benchmark that failed left ERROR where its throughput should be. */
START_TEST(a_word_among_numbers_is_noted_and_left_out)
{
    if (!getenv("CORPUS"))
        skip_because("CORPUS is not set, so throughput on three clusters was not fitted");
    char program[4000], path[600], notes[20000];
    if (!find_program(program, sizeof program))
        skip_because("the program wattscale is not built");
    raw_csv raw, out;
    size_t groups = 0, left_out = 0;
    campaign_path(path, sizeof path, csc);
    raw_read(&raw, path);
    fit_throughput(program, &out, notes, sizeof notes);
    ck_assert_msg(strstr(notes, "results.csv:21") && strstr(notes, "[not-a-number]") && strstr(notes, "'ERROR'"), "%s",
                  notes);
    for (size_t row = 0; row < out.n_rows; row++) {
        bool first = !row || strcmp(raw_text(&out, row, "group"), raw_text(&out, row - 1, "group")) != 0;
        groups += first;
        if (first)
            check_throughput(&raw, &out, row, &left_out);
    }
    ck_assert_uint_eq(left_out, 1);
    ck_assert_uint_eq(groups, count_groups(&raw));
    raw_free(&raw);
    raw_free(&out);
}
END_TEST

TEST_MAIN("campaign fits", power_on_cap_and_batch, time_on_cap, time_and_energy_at_the_wall_socket,
          energy_per_gpu_hour_falls_with_the_gpus, time_to_train_with_repeats,
          a_word_among_numbers_is_noted_and_left_out)
