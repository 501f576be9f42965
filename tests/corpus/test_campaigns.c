/* Two published campaigns of MLPerf Training v4.0 from their tables of runs to configurations, against the means that
 * stand in their PROVENANCE.md and against the raw CSV, computed again by plain arithmetic. */
#include "harness.h"
#include "raw_csv.h"

#include "analyze/condition.h"
#include "analyze/ingest/ingest.h"
#include "analyze/ingest/run_columns.h"
#include "analyze/scaling/scaling.h"

static const char smc[] = "mlperf-training-v4.0-smc-ac-power/runs.csv";
static const char nvidia[] = "mlperf-training-v4.0-nvidia/runs.csv";

static void campaign_path(char *path, size_t size, const char *file)
{
    snprintf(path, size, "%s/campaigns/%s", getenv("CORPUS"), file);
}

static void read_runs(const char *file, ws_table *runs)
{
    char path[600];
    ws_campaign campaign;
    ws_error error = {0};
    ws_ingest_options options = {.source.read = WS_READ_DEFAULTS};
    campaign_path(path, sizeof path, file);
    ck_assert_msg(ws_ingest(path, &options, &campaign, runs, &error) == WS_OK, "%s", error.message);
    ws_campaign_free(&campaign);
}

static void scale_runs(const ws_table *runs, ws_table *scale)
{
    ws_error error = {0};
    ck_assert_msg(ws_scale(runs, &(ws_scaling_options){0}, scale, &error) == WS_OK, "%s", error.message);
}

static double number(const ws_table *table, size_t row, const char *name)
{
    size_t column;
    ck_assert_msg(ws_table_find(table, name, &column), "%s has no column %s", table->name, name);
    return ws_table_number(table, column, row);
}

static bool is_text(const ws_table *table, size_t row, const char *name, const char *wanted)
{
    const ws_column *column = ws_table_column(table, name);
    return column && column->text[row] && strcmp(column->text[row], wanted) == 0;
}

/* Plain arithmetic */

typedef struct moments {
    double n, mean, rmse, sd;
} moments;

static void add(moments *m, double value) /* first pass */
{
    m->n += isnan(value) ? 0 : 1;
    m->mean += isnan(value) ? 0 : value;
}

static void add_square(moments *m, double value) /* second pass, the mean known */
{
    m->rmse += isnan(value) ? 0 : (value - m->mean) * (value - m->mean);
}

static void finish_mean(moments *m)
{
    m->mean = m->n > 0 ? m->mean / m->n : NAN;
}

static void finish_spread(moments *m)
{
    double squares = m->rmse;
    m->rmse = m->n > 1 ? sqrt(squares / m->n) : NAN;
    m->sd = m->n > 1 ? sqrt(squares / (m->n - 1)) : NAN;
}

/* Rows of the raw table that agree in benchmark, accelerator, count and global batch. */
enum { WALL, GPUH, ENERGY, PER_GPUH, QUANTITIES, MOST = 64 };
static const char *const quantity_names[QUANTITIES] = {"wall_s", "gpu_h", "energy_kwh", "kwh_per_gpuh"};

typedef struct configuration {
    size_t first, n_runs;
    double gpus;
    moments of[QUANTITIES];
} configuration;

typedef struct expected {
    raw_csv raw;
    bool has_energy;
    const char *only; /* status that counts, NULL for any */
    configuration items[MOST];
    size_t n;
} expected;

static double raw_quantity(const expected *e, size_t row, int quantity)
{
    double wall_s = raw_number(&e->raw, row, "run_time_s");
    double gpu_h = raw_number(&e->raw, row, "accelerators") * wall_s / 3600;
    double kwh = e->has_energy ? raw_number(&e->raw, row, "node_energy_J") / 3.6e6 : NAN;
    const double values[QUANTITIES] = {wall_s, gpu_h, kwh, kwh / gpu_h};
    return values[quantity];
}

static bool same(const expected *e, size_t a, size_t b, const char *const *columns, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(raw_text(&e->raw, a, columns[i]), raw_text(&e->raw, b, columns[i])) != 0)
            return false;
    return true;
}

static const char *const configuration_columns[] = {"benchmark", "accelerator", "accelerators", "global_batch_size"};

static configuration *configuration_of(expected *e, size_t row)
{
    for (size_t i = 0; i < e->n; i++)
        if (same(e, e->items[i].first, row, configuration_columns, 4))
            return &e->items[i];
    ck_assert_uint_lt(e->n, MOST);
    e->items[e->n] = (configuration){.first = row, .gpus = raw_number(&e->raw, row, "accelerators")};
    return &e->items[e->n++];
}

static bool counts(const expected *e, size_t row)
{
    return !e->only || strcmp(raw_text(&e->raw, row, "status"), e->only) == 0;
}

static void expect(expected *e, const char *file, bool has_energy, const char *only)
{
    char path[600];
    *e = (expected){.has_energy = has_energy, .only = only};
    campaign_path(path, sizeof path, file);
    raw_read(&e->raw, path);
    for (size_t row = 0; row < e->raw.n_rows; row++) {
        if (!counts(e, row))
            continue;
        configuration *c = configuration_of(e, row);
        c->n_runs++;
        for (int q = 0; q < QUANTITIES; q++)
            add(&c->of[q], raw_quantity(e, row, q));
    }
    for (size_t i = 0; i < e->n; i++)
        for (int q = 0; q < QUANTITIES; q++)
            finish_mean(&e->items[i].of[q]);
    for (size_t row = 0; row < e->raw.n_rows; row++)
        for (int q = 0; counts(e, row) && q < QUANTITIES; q++)
            add_square(&configuration_of(e, row)->of[q], raw_quantity(e, row, q));
    for (size_t i = 0; i < e->n; i++)
        for (int q = 0; q < QUANTITIES; q++)
            finish_spread(&e->items[i].of[q]);
}

/* The fewest accelerators of the same kind on the same benchmark; the campaigns have one such configuration each. */
static const configuration *reference_of(const expected *e, const configuration *c)
{
    const configuration *best = NULL;
    size_t ties = 0;
    for (size_t i = 0; i < e->n; i++) {
        const configuration *other = &e->items[i];
        if (!same(e, c->first, other->first, configuration_columns, 2))
            continue;
        ties = best && other->gpus == best->gpus ? ties + 1 : !best || other->gpus < best->gpus ? 0 : ties;
        best = !best || other->gpus < best->gpus ? other : best;
    }
    ck_assert_uint_eq(ties, 0);
    return best;
}

static void compare(const ws_table *scale, size_t row, const char *name, double want, double tolerance)
{
    double got = number(scale, row, name);
    ck_assert_msg((isnan(got) && isnan(want)) || fabs(got - want) <= tolerance, "%s in row %zu is %.17g, not %.17g",
                  name, row, got, want);
}

/* a / b with its standard error from the repeats of both. */
static void compare_ratio(const ws_table *scale, size_t row, const char *name, const moments *a, const moments *b,
                          double factor, bool is_reference)
{
    char se_name[60];
    double value = factor * a->mean / b->mean, va = a->sd / a->mean, vb = b->sd / b->mean;
    double se = is_reference ? NAN : value * sqrt(va * va / a->n + vb * vb / b->n);
    snprintf(se_name, sizeof se_name, "%s_se", name);
    compare(scale, row, name, value, 1e-13 * value);
    compare(scale, row, se_name, se, 1e-10 * se);
}

static void compare_configuration(const expected *e, const configuration *c, const ws_table *scale, size_t row)
{
    char name[60];
    for (int q = 0; q < QUANTITIES; q++) {
        const moments *m = &c->of[q];
        compare(scale, row, quantity_names[q], m->mean, 1e-13 * m->mean);
        snprintf(name, sizeof name, "%s_rmse", quantity_names[q]);
        compare(scale, row, name, m->rmse, 1e-13 * m->mean);
    }
    const configuration *reference = reference_of(e, c);
    double share = reference->gpus / c->gpus;
    ck_assert(number(scale, row, "n_runs") == (double)c->n_runs);
    ck_assert(is_text(scale, row, "scaling", "strong")); /* nothing says that the work grows with the machine */
    compare_ratio(scale, row, "speedup", &reference->of[WALL], &c->of[WALL], 1, reference == c);
    compare_ratio(scale, row, "efficiency", &reference->of[WALL], &c->of[WALL], share, reference == c);
    compare_ratio(scale, row, "energy_ratio", &c->of[ENERGY], &reference->of[ENERGY], 1, reference == c);
}

static size_t find_row(const ws_table *scale, const char *model, const char *device, double gpus, double gbs)
{
    size_t found = SIZE_MAX;
    for (size_t row = 0; row < scale->n_rows; row++) {
        if (!is_text(scale, row, "model", model) || !is_text(scale, row, "device", device) ||
            number(scale, row, "gpus") != gpus || number(scale, row, "gbs") != gbs)
            continue;
        ck_assert_uint_eq(found, SIZE_MAX);
        found = row;
    }
    ck_assert_msg(found != SIZE_MAX, "no configuration of %s on %g %s", model, gpus, device);
    return found;
}

static void compare_all(const expected *e, const ws_table *scale, size_t configurations)
{
    ck_assert_uint_eq(e->n, configurations);
    ck_assert_uint_eq(scale->n_rows, configurations);
    for (size_t i = 0; i < e->n; i++) {
        size_t first = e->items[i].first;
        compare_configuration(e, &e->items[i], scale,
                              find_row(scale, raw_text(&e->raw, first, "benchmark"),
                                       raw_text(&e->raw, first, "accelerator"), e->items[i].gpus,
                                       raw_number(&e->raw, first, "global_batch_size")));
    }
}

START_TEST(wall_socket_campaign)
{
    if (!getenv("CORPUS"))
        skip_because("CORPUS is not set, so the wall socket campaign was not scaled");
    expected e;
    ws_table runs, scale;
    expect(&e, smc, true, NULL);
    read_runs(smc, &runs);
    ck_assert_uint_eq(runs.n_rows, 153);
    scale_runs(&runs, &scale);
    compare_all(&e, &scale, 12);
    raw_free(&e.raw);
    ws_table_free(&scale);
    ws_table_free(&runs);
}
END_TEST

/* PROVENANCE.md: "kWh from nodes; kW per GPU = energy/GPUh". */
START_TEST(means_of_the_provenance)
{
    static const struct {
        const char *model;
        double gpus, gbs, wall_s, kwh, kwh_digit, gpu_h, per_gpuh;
    } printed[] = {
        {"llama2_70b_lora", 8, 8, 1687.93, 3.3568, 1e-4, 3.751, 0.895},
        {"llama2_70b_lora", 64, 8, 318.25, 4.1138, 1e-4, 5.658, 0.727},
        {"llama2_70b_lora", 512, 64, 117.25, 10.602, 1e-3, 16.675, 0.636},
        {"resnet", 8, 3200, 801.71, 1.5684, 1e-4, 1.782, 0.880},
        {"resnet", 64, 3200, 152.62, 1.9652, 1e-4, 2.713, 0.724},
    };
    if (!getenv("CORPUS"))
        skip_because("CORPUS is not set, so the means of the wall socket campaign were not compared");
    ws_table runs, scale;
    read_runs(smc, &runs);
    scale_runs(&runs, &scale);
    for (size_t i = 0; i < sizeof printed / sizeof *printed; i++) {
        size_t row = find_row(&scale, printed[i].model, "NVIDIA H100-SXM5-80GB", printed[i].gpus, printed[i].gbs);
        ck_close(number(&scale, row, "wall_s"), printed[i].wall_s, 0, 0.005);
        ck_close(number(&scale, row, "energy_kwh"), printed[i].kwh, 0, printed[i].kwh_digit / 2);
        ck_close(number(&scale, row, "gpu_h"), printed[i].gpu_h, 0, 0.0005);
        ck_close(number(&scale, row, "kwh_per_gpuh"), printed[i].per_gpuh, 0, 0.0005);
    }
    ws_table_free(&scale);
    ws_table_free(&runs);
}
END_TEST

/* Every log is called result_0.txt to result_39.txt, whatever the system: the names repeat across configurations, never
 * within one, unless the grouping throws different machines together. */
START_TEST(systems_share_the_names_of_their_runs)
{
    if (!getenv("CORPUS"))
        skip_because("CORPUS is not set, so the campaign of NVIDIA was not scaled");
    expected e;
    ws_table runs, scale;
    expect(&e, nvidia, false, NULL);
    read_runs(nvidia, &runs);
    ck_assert_uint_eq(runs.n_rows, 474);
    scale_runs(&runs, &scale);
    compare_all(&e, &scale, 44);
    raw_free(&e.raw);
    ws_table_free(&scale);
    static const char *const coarse[] = {"model", "gpus"};
    ws_error error = {0};
    ck_assert_int_eq(ws_scale(&runs, &(ws_scaling_options){.group = coarse, .n_group = 2}, &scale, &error), WS_DATA);
    ck_assert_msg(strstr(error.message, "the run 'result_0.txt' stands twice"), "%s", error.message);
    ws_table_free(&scale);
    ws_table_free(&runs);
}
END_TEST

/* Six runs were aborted: they are in the means until they are excluded, and the table says so. */
START_TEST(aborted_runs_are_named_and_can_be_left_out)
{
    if (!getenv("CORPUS"))
        skip_because("CORPUS is not set, so aborted runs were not left out");
    expected e;
    ws_table runs, scale;
    ws_error error = {0};
    expect(&e, nvidia, false, "success");
    read_runs(nvidia, &runs);
    scale_runs(&runs, &scale);
    const ws_note *note = ws_notes_find(&scale.notes, WS_FINDING_RUN_STATUS);
    ck_assert(note && note->count == 6 && strstr(note->text, "aborted"));
    ws_table_free(&scale);
    ck_assert_int_eq(ws_condition_exclude(&runs, "status!=success", NULL, &error), WS_OK);
    ck_assert_uint_eq(runs.n_rows, 468);
    scale_runs(&runs, &scale);
    ck_assert_ptr_null(ws_notes_find(&scale.notes, WS_FINDING_RUN_STATUS));
    compare_all(&e, &scale, 44);
    raw_free(&e.raw);
    ws_table_free(&scale);
    ws_table_free(&runs);
}
END_TEST

TEST_MAIN("campaigns", wall_socket_campaign, means_of_the_provenance, systems_share_the_names_of_their_runs,
          aborted_runs_are_named_and_can_be_left_out)
