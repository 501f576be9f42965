/* What recipes put into figures, against numbers computed here from the tables behind them. */
#include "tests/analyze/figures.h"

#include "analyze/ingest/run_columns.h"
#include "analyze/condition.h"
#include "analyze/ingest/ingest.h"
#include "analyze/recipes/figure_series.h"
#include "analyze/scaling/scaling.h"

#include <math.h>
#include <string.h>

static ws_table runs, scale, demo_runs, demo_scale;
static ws_campaign campaign, demo_campaign;

static void load(const char *file, const char *without, ws_campaign *c, ws_table *r, ws_table *s)
{
    ws_arena arena = {0};
    ws_ingest_options options = {.source.read = WS_READ_DEFAULTS};
    const char *folder = getenv("DATASETS");
    ws_error error = {0};
    ws_table_free(s);
    ws_table_free(r);
    ws_campaign_free(c);
    const char *path = ws_arena_printf(&arena, "%s/%s", folder ? folder : "datasets", file);
    ck_assert_msg(ws_ingest(path, &options, c, r, &error) == WS_OK, "%s", error.message);
    if (without)
        ck_assert_int_eq(ws_condition_exclude(r, without, "--exclude", &error), WS_OK);
    ws_scaling_options scaling = {.group = c->group, .n_group = c->n_group, .reference = c->reference};
    ck_assert_msg(ws_scale(r, &scaling, s, &error) == WS_OK, "%s", error.message);
    ws_arena_free(&arena);
}

static void load_huber(void)
{
    load("huber2025/scaled.csv", NULL, &campaign, &runs, &scale);
}

static const ws_layer *layer_of(const ws_panel *panel, const char *label)
{
    for (size_t i = 0; i < panel->n_layers; i++)
        if (panel->layers[i].label && strcmp(panel->layers[i].label, label) == 0)
            return &panel->layers[i];
    ck_abort_msg("no layer '%s'", label);
    return NULL;
}

/* The published rows, as the file prints them. */
static const double gpus_256[] = {1, 2, 4, 8, 16, 32, 64, 128, 256};
static const double energy_256[] = {0.18188253932638007, 0.2669868710051297, 0.4606460902761998,
                                    0.9388569572898305,  1.8773880737510615, 3.8067864522045873,
                                    7.5210982715111925,  15.259855984611093, 30.2074785081961};
static const double rmse_256[] = {0.0006584721675040511, 0.004253398359366104, 0.004508553688952146,
                                  0.0068663146139803675, 0.013660071597147534, 0.010050782120950607,
                                  0.036434596951436964,  0.09094601621826873,  0.09984616597351016};
static const double gpu_h_256[] = {0.4108456963433159, 0.8108969862196181, 1.717406711154514,
                                   3.4819896918402784, 7.0243912760416665, 14.287587239583335,
                                   28.237729600694443, 58.232215277777776, 113.48748437500001};

START_TEST(published_panels_hold_the_published_points)
{
    ws_figure f;
    load_huber();
    ck_make("huber/fig3", &runs, &scale, &f);
    ck_assert_uint_eq(f.n_panels, 3); /* the file has no error for B */
    const double *want_x[] = {gpus_256, gpus_256, gpu_h_256};
    for (size_t p = 0; p < 3; p++) {
        const ws_panel *panel = &f.panels[p];
        ck_assert_str_eq(panel->letter, p == 0 ? "A" : p == 1 ? "C" : "D");
        ck_assert_int_eq(panel->x.scale, p < 2 ? WS_AXIS_LOG2 : WS_AXIS_LOG10);
        ck_assert_int_eq(panel->y.scale, WS_AXIS_LOG10); /* times, too: from 0.41 to 7.1 h */
        ck_assert_uint_eq(panel->n_layers, 3);
        ck_assert_str_eq(panel->layers[1].label, "GBS 256");
        ck_assert_str_eq(panel->layers[2].label, "GBS 8192");
        const ws_layer *layer = layer_of(panel, "LBS 256");
        ck_assert_uint_eq(layer->n, 9);
        ck_assert_int_eq(layer->style, 0);
        for (size_t i = 0; i < 9; i++) {
            ck_assert(layer->x[i] == want_x[p][i]);
            if (p == 0)
                ck_close(layer->y[i], gpu_h_256[i] / gpus_256[i], 1e-12, 0);
            else
                ck_assert(layer->y[i] == energy_256[i] && layer->error[i] == rmse_256[i]);
            ck_assert(!layer->x_error || p == 2);
        }
        ck_assert_uint_eq(layer_of(panel, "GBS 256")->n, 5);
        ck_assert_uint_eq(layer_of(panel, "GBS 8192")->n, 4);
    }
    ck_assert_ptr_nonnull(strstr(f.caption, "n = 5 runs a point"));
    ck_assert(!f.synthetic);
    ws_figure_free(&f);
}
END_TEST

/* The fitted factor of LBS 256 on four and more GPUs: 0.2654 ± 0.0007 kWh/GPUh, computed here by the sums themselves.
 */
START_TEST(factor_and_band_through_the_origin)
{
    ws_figure f;
    load("huber2025/scaled.csv", "gpus<4", &campaign, &runs, &scale);
    ck_make("campaign/energy-vs-gpuh", &runs, &scale, &f);
    double factor = 0, squares = 0; /* the mean of the seven ratios, and their sum of squares about it */
    for (size_t i = 2; i < 9; i++)
        factor += energy_256[i] / gpu_h_256[i] / 7;
    for (size_t i = 2; i < 9; i++)
        squares += pow(energy_256[i] / gpu_h_256[i] - factor, 2);
    const double t6 = 2.446911851144969; /* P(|T| <= t) = 0.95 with 6 degrees of freedom */
    double half = t6 * sqrt(squares / 6 / 7);
    const ws_panel *panel = &f.panels[0];
    const ws_layer *band = NULL;
    for (size_t i = 0; i < panel->n_layers; i++)
        if ((panel->layers[i].kind & WS_LAYER_BAND) && panel->layers[i].style == 2)
            band = &panel->layers[i];
    ck_assert_ptr_nonnull(band);
    size_t last = band->n - 1;
    ck_assert(band->x[0] == 0 && band->x[last] == gpu_h_256[8]);
    ck_close(band->y[last], factor * gpu_h_256[8], 1e-12, 0);
    ck_close(band->hi[last] - band->y[last], half * gpu_h_256[8], 1e-9, 0);
    ck_close(band->y[last] - band->lo[last], half * gpu_h_256[8], 1e-9, 0);
    bool said = false;
    for (size_t i = 0; i < panel->n_annotations; i++)
        said |= panel->annotations[i].style == 2 &&
                strcmp(panel->annotations[i].text, "LBS 256: 0.26659 ± 0.00089 kWh/GPUh") == 0;
    ck_assert(said);
    ck_assert_ptr_nonnull(strstr(f.caption, "gpus<4"));
    ck_assert_ptr_nonnull(strstr(f.caption, "95 % confidence"));
    ws_figure_free(&f);
}
END_TEST

/* Constant samples per GPU: the speed-up is t_1 / t_n with t = GPUh / n, and the efficiency too; one panel has it, and
 * the table the same number. */
START_TEST(weak_scaling_has_one_speedup)
{
    ws_figure f;
    size_t speedup, gpus, series;
    load_huber();
    ck_make("campaign/speedup", &runs, &scale, &f);
    ck_assert_uint_eq(f.n_panels, 1);
    ck_assert_str_eq(f.panels[0].y.label, "Parallel efficiency / %");
    ck_assert_ptr_nonnull(strstr(f.caption, "the speed-up against the fewest GPUs of each series"));
    const ws_layer *layer = layer_of(&f.panels[0], "LBS 256");
    for (size_t i = 0; i < 9; i++)
        ck_close(layer->y[i], 100 * gpus_256[i] * gpu_h_256[0] / gpu_h_256[i], 1e-12, 0);
    ck_assert(ws_table_find(&scale, "speedup", &speedup) && ws_table_find(&scale, "gpus", &gpus));
    ck_assert(ws_table_find(&scale, "series", &series));
    size_t compared = 0;
    for (size_t row = 0; row < scale.n_rows; row++)
        for (size_t i = 0; i < 9; i++)
            if (strcmp(scale.columns[series].text[row], "lbs256") == 0 &&
                ws_table_number(&scale, gpus, row) == gpus_256[i]) {
                ck_close(layer->y[i], 100 * ws_table_number(&scale, speedup, row), 1e-12, 0);
                compared++;
            }
    ck_assert_uint_eq(compared, 9);
    ws_figure_free(&f);
}
END_TEST

/* The same runs called strong scaling: one ideal from 1 GPU, one from 32, where GBS 8192 begins. */
START_TEST(each_reference_has_an_ideal)
{
    ws_figure f;
    ws_error why = {0};
    ws_scaling_options strong = {.kind = "strong"};
    load_huber();
    ws_table_free(&scale);
    ck_assert_msg(ws_scale(&runs, &strong, &scale, &why) == WS_OK, "%s", why.message);
    ck_make("campaign/speedup", &runs, &scale, &f);
    ck_assert_uint_eq(f.n_panels, 2);
    ck_assert_str_eq(f.panels[0].y.label, "Speed-up");
    const ws_layer *layer = layer_of(&f.panels[0], "LBS 256"), *ideal = layer_of(&f.panels[0], "Ideal");
    for (size_t i = 0; i < 9; i++)
        ck_close(layer->y[i], gpus_256[i] * gpu_h_256[0] / gpu_h_256[i], 1e-12, 0);
    ck_assert(ideal->x[0] == 1 && ideal->y[0] == 1 && ideal->x[1] == 256 && ideal->y[1] == 256);
    size_t dashed = 0;
    for (size_t i = 0; i < f.panels[0].n_layers; i++)
        dashed += (f.panels[0].layers[i].kind & WS_LAYER_DASHED) != 0;
    ck_assert_uint_eq(dashed, 2);
    ws_figure_free(&f);
}
END_TEST

static double cell(const ws_table *t, size_t row, const char *name)
{
    size_t column;
    ck_assert_msg(ws_table_find(t, name, &column), "no column %s", name);
    return ws_table_number(t, column, row);
}

static bool is_of(const ws_table *t, size_t row, const char *series, double gpus)
{
    size_t column;
    ck_assert(ws_table_find(t, "series", &column));
    return strcmp(t->columns[column].text[row], series) == 0 && cell(t, row, "gpus") == gpus;
}

/* Mean over the runs of one configuration and their root-mean-square deviation from it. */
static void mean_of(const char *series, double gpus, const char *name, double *mean, double *rmse)
{
    double n = 0, sum = 0, squares = 0;
    for (size_t row = 0; row < demo_runs.n_rows; row++) {
        if (is_of(&demo_runs, row, series, gpus)) {
            n++;
            sum += cell(&demo_runs, row, name);
        }
    }
    ck_assert(n > 0);
    for (size_t row = 0; row < demo_runs.n_rows; row++)
        if (is_of(&demo_runs, row, series, gpus))
            squares += pow(cell(&demo_runs, row, name) - sum / n, 2);
    *mean = sum / n;
    *rmse = sqrt(squares / n);
}

static void ck_panel_is(const ws_panel *panel, const char *column, double factor)
{
    static const char *const labels[] = {"GBS 256", "GBS 1024", "LBS 256"}, *const series[] = {"gbs256", "gbs1024",
                                                                                               "lbs256"};
    ck_assert_uint_eq(panel->n_layers, 3);
    for (size_t s = 0; s < 3; s++) {
        const ws_layer *layer = &panel->layers[s];
        ck_assert_str_eq(layer->label, labels[s]);
        ck_assert_uint_eq(layer->n, 5);
        for (size_t i = 0; i < layer->n; i++) {
            double mean, rmse;
            mean_of(series[s], layer->x[i], column, &mean, &rmse);
            ck_assert(layer->x[i] == (double)(1 << i));
            ck_close(layer->y[i], mean * factor, 1e-12, 0);
            ck_close(layer->error[i], rmse * factor, 1e-9, 1e-12 * fabs(mean * factor));
        }
    }
}

static void load_demo(void)
{
    load("demo", NULL, &demo_campaign, &demo_runs, &demo_scale);
}

START_TEST(energy_by_domain)
{
    static const char *const columns[] = {"energy_kwh", "energy_gpu_kwh", "energy_cpu_kwh", "energy_dram_kwh"};
    ws_figure f;
    load_demo();
    ck_make("campaign/energy", &demo_runs, &demo_scale, &f);
    ck_assert_uint_eq(f.n_panels, 4);
    for (size_t i = 0; i < 4; i++)
        ck_panel_is(&f.panels[i], columns[i], 1000);
    ck_assert_str_eq(f.panels[3].y.label, "DRAM energy / Wh");
    ck_assert(f.synthetic && f.rows == 2 && f.columns == 2);
    ck_assert_ptr_nonnull(strstr(f.caption, "job=9000042"));
    ws_figure_free(&f);
}
END_TEST

START_TEST(five_panels_per_gpuh)
{
    static const struct {
        const char *column;
        double factor;
    } want[] = {{"kwh_per_gpuh", 1},
                {"gpu_power_w", 1},
                {"cpu_power_w", 1},
                {"samples_per_gpuh", 1e-6},
                {"passes_per_gpuh", 1e-3}};
    ws_figure f;
    load_demo();
    ck_make("campaign/per-gpuh", &demo_runs, &demo_scale, &f);
    ck_assert_uint_eq(f.n_panels, 5);
    for (size_t i = 0; i < 5; i++)
        ck_panel_is(&f.panels[i], want[i].column, want[i].factor);
    ck_assert_str_eq(f.panels[3].y.label, "10^{6} samples / GPUh");
    ck_assert_int_eq(f.legend, WS_LEGEND_CELL);
    ws_figure_free(&f);
}
END_TEST

/* β and the band by the normal equations in logarithms, over the runs, which all take ten epochs. */
START_TEST(power_law_over_the_runs)
{
    ws_figure f;
    load_demo();
    ck_make("campaign/time-loglog", &demo_runs, &demo_scale, &f);
    double n = 0, x = 0, y = 0, xx = 0, xy = 0;
    for (size_t row = 0; row < demo_runs.n_rows; row++) {
        bool wanted = false;
        for (int g = 1; g <= 16; g *= 2)
            wanted |= is_of(&demo_runs, row, "gbs1024", g);
        if (!wanted)
            continue;
        double lx = log(cell(&demo_runs, row, "gpus")), ly = log(cell(&demo_runs, row, "wall_s"));
        n++;
        x += lx;
        y += ly;
        xx += lx * lx;
        xy += lx * ly;
    }
    double slope = (n * xy - x * y) / (n * xx - x * x), intercept = (y - slope * x) / n;
    char want[64];
    snprintf(want, sizeof want, "GBS 1024: β = %.3f", -slope);
    bool said = false;
    for (size_t i = 0; i < f.panels[0].n_annotations; i++)
        said |= strncmp(f.panels[0].annotations[i].text, want, strlen(want)) == 0;
    ck_assert_msg(said, "nothing begins with '%s', the second is '%s'", want, f.panels[0].annotations[1].text);
    for (size_t i = 0; i < f.panels[0].n_layers; i++) {
        const ws_layer *layer = &f.panels[0].layers[i];
        if (!(layer->kind & WS_LAYER_BAND) || layer->style != 1)
            continue;
        for (size_t k = 0; k < layer->n; k++) {
            ck_close(layer->y[k], exp(intercept + slope * log(layer->x[k])), 1e-9, 0);
            ck_close(layer->hi[k] / layer->y[k], layer->y[k] / layer->lo[k], 1e-9, 0);
        }
    }
    ws_figure_free(&f);
}
END_TEST

START_TEST(power_against_throughput)
{
    ws_figure f;
    load_demo();
    ck_make("campaign/power-vs-throughput", &demo_runs, &demo_scale, &f);
    ck_assert_uint_eq(f.n_panels, 2);
    ck_assert_uint_eq(f.panels[0].n_layers, 3);
    ck_assert_str_eq(f.panels[0].x.label, "10^{6} samples / GPUh");
    double mean, rmse, samples;
    mean_of("gbs1024", 1, "samples_per_gpuh", &samples, &rmse);
    mean_of("gbs1024", 1, "gpu_power_w", &mean, &rmse);
    const ws_layer *layer = layer_of(&f.panels[0], "GBS 1024");
    size_t found = 0;
    for (size_t i = 0; i < layer->n; i++) {
        if (fabs(layer->x[i] * 1e6 / samples - 1) > 1e-12)
            continue;
        found++;
        ck_close(layer->y[i], mean, 1e-12, 0);
        ck_close(layer->error[i], rmse, 1e-9, 0);
    }
    ck_assert_uint_eq(found, 1);
    ck_assert_uint_eq(f.panels[0].n_annotations, 1);
    ws_figure_free(&f);
}
END_TEST

/* Two models of 1000 and 100 000 samples per GPUh: a logarithmic axis, and a correlation for each. */
START_TEST(each_model_has_its_own_correlation)
{
    ws_table r, s;
    ws_runs_init(&r);
    for (size_t i = 0; i < 10; i++) {
        size_t row = ws_table_add_row(&r), k = i % 5;
        double large = i < 5 ? 1 : 100;
        ws_table_set_text(&r, WS_COL_RUN, row, ws_arena_printf(&r.arena, "run %zu", i));
        ws_table_set_text(&r, WS_COL_SERIES, row, i < 5 ? "a" : "b");
        ws_table_set_text(&r, WS_COL_MODEL, row, i < 5 ? "slow" : "fast");
        ws_runs_set(&r, WS_COL_GPUS, row, (double)(1 << k));
        ws_runs_set(&r, WS_COL_WALL, row, 3600);
        ws_runs_set(&r, WS_COL_SAMPLES_PER_GPUH, row, 1000 * large * (1 + (double)k));
        ws_runs_set(&r, WS_COL_GPU_POWER, row, i < 5 ? 100 + 10 * (double)k : 240 - 10 * (double)(k * k));
    }
    ws_runs_complete(&r, NULL);
    ws_scaling_options options = {0};
    ck_assert_int_eq(ws_scale(&r, &options, &s, NULL), WS_OK);
    ws_figure f;
    ck_make("campaign/power-vs-throughput", &r, &s, &f);
    const ws_panel *panel = &f.panels[0];
    ck_assert_int_eq(panel->x.scale, WS_AXIS_LOG10);
    ck_assert_str_eq(panel->x.label, "Samples / GPUh");
    ck_assert_uint_eq(panel->n_annotations, 2);
    ck_assert_str_eq(panel->annotations[0].text, "slow: r = 1.00, n = 5");
    /* k and k^2 of 0 to 4: 40 / sqrt(10 x 174) */
    ck_assert_str_eq(panel->annotations[1].text, "fast: r = \xe2\x88\x92"
                                                 "0.96, n = 5");
    ck_assert_ptr_nonnull(strstr(f.caption, "over all points of a model."));
    ws_figure_free(&f);
    ws_table_free(&s);
    ws_table_free(&r);
}
END_TEST

START_TEST(what_is_missing_is_named)
{
    ws_figure f;
    ws_error error = {0};
    load("huber2025/table1.csv", NULL, &campaign, &runs, &scale);
    ck_make("campaign/energy", &runs, &scale, &f);
    ck_assert_uint_eq(f.n_panels, 1);
    ck_assert_str_eq(f.panels[0].layers[0].label, "A100");
    ws_figure_free(&f);
    ck_assert_int_eq(figure_of("campaign/power-vs-throughput", &runs, &scale, &f, &error), WS_DATA);
    ck_assert_ptr_nonnull(strstr(error.message, "campaign/power-vs-throughput needs the column 'gpu_power_w'"));
    ck_assert_ptr_nonnull(strstr(error.message, " energy_kwh"));
    ws_figure_free(&f);
    ws_error_clear(&error);
    load("huber2025/table1.csv", "gpus>0", &campaign, &runs, &scale);
    ck_assert_int_eq(figure_of("campaign/energy", &runs, &scale, &f, &error), WS_DATA);
    ck_assert_ptr_nonnull(strstr(error.message, "no row is left to draw"));
    ws_figure_free(&f);
}
END_TEST

START_TEST(names_and_nearest_names)
{
    ck_assert_ptr_null(ws_figure_recipe_find("speedup"));
    ws_arena arena = {0};
    ck_assert_str_eq(ws_figure_recipe_suggest(&arena, "campaign/speed-up"), "campaign/speedup");
    ck_assert_str_eq(ws_figure_recipe_suggest(&arena, "profil"), "trace/profile");
    ck_assert_ptr_nonnull(strstr(ws_figure_recipe_suggest(&arena, "huber/figure3"), "huber/fig3"));
    ck_assert_str_eq(ws_figure_recipe_suggest(&arena, "speergy"), "campaign/speedup or campaign/energy");
    ck_assert(*ws_figure_recipe_suggest(&arena, ""));
    const ws_figure_recipe *a;
    for (size_t i = 0; (a = ws_figure_recipe_at(i)); i++) {
        ck_assert_ptr_nonnull(strstr(ws_figure_recipe_suggest(&arena, a->name), a->name));
        ck_assert(*a->summary);
    }
    ck_assert_str_eq(ws_axis_label(NULL, &arena, "energy_kwh"), "Energy / kWh");
    ck_assert_str_eq(ws_axis_label(NULL, &arena, "gpus"), "Number of GPUs");
    ck_assert_str_eq(ws_axis_label(NULL, &arena, "rmse"), "RMSE");
    ck_assert_str_eq(ws_axis_label(NULL, &arena, ""), "");
    ws_arena_free(&arena);
}
END_TEST

/* Runs on part of a node stay in the picture and out of the fit, as they stay out of the factor in the story. */
START_TEST(factor_of_whole_nodes)
{
    ws_figure f;
    double factor = 0; /* the mean over three configurations of mean energy / mean GPUh of their runs */
    load_demo();
    ck_make("campaign/energy-vs-gpuh", &demo_runs, &demo_scale, &f);
    for (double gpus = 4; gpus <= 16; gpus *= 2) {
        double gpu_h = 0, energy = 0;
        for (size_t row = 0; row < demo_runs.n_rows; row++)
            if (is_of(&demo_runs, row, "gbs256", gpus)) {
                gpu_h += cell(&demo_runs, row, "gpu_h");
                energy += cell(&demo_runs, row, "energy_kwh");
            }
        factor += energy / gpu_h / 3;
    }
    const ws_layer *line = &f.panels[0].layers[0];
    ck_assert_int_eq(line->style, 0);
    ck_assert(line->kind & WS_LAYER_LINE);
    ck_assert_str_eq(f.panels[0].y.label, "Energy / Wh"); /* 30 to 50 of them; the factor is in kWh as in the story */
    ck_close(line->y[line->n - 1] / line->x[line->n - 1], 1000 * factor, 1e-12, 0);
    ck_assert_ptr_nonnull(strstr(f.panels[0].annotations[0].text, " kWh/GPUh"));
    ck_assert_ptr_nonnull(strstr(f.caption, "on whole nodes of 4 GPUs"));
    const ws_layer *points = &f.panels[0].layers[f.panels[0].n_layers - 3];
    ck_assert_uint_eq(points->n, 5);
    ws_figure_free(&f);
}
END_TEST

/* The same energies have one unit in all figures. */
START_TEST(energies_have_one_unit)
{
    static const char *const recipes[] = {"campaign/energy", "campaign/energy-vs-gpuh", "campaign/pareto",
                                          "huber/fig2"};
    load_demo();
    for (size_t r = 0; r < sizeof recipes / sizeof *recipes; r++) {
        ws_figure f;
        size_t n = 0;
        ck_make(recipes[r], &demo_runs, &demo_scale, &f);
        for (size_t p = 0; p < f.n_panels; p++) {
            const char *label = f.panels[p].y.label;
            bool is_energy = strstr(label, "nergy / ") != NULL;
            ck_assert_msg(!is_energy || strstr(label, "nergy / Wh"), "%s: %s", recipes[r], label);
            for (size_t l = 0; l < f.panels[p].n_layers && is_energy && f.panels[p].layers[l].style >= 0; l++)
                ck_assert_msg(f.panels[p].layers[l].y[f.panels[p].layers[l].n - 1] > 0.5, "%s: not in Wh", recipes[r]);
            n += is_energy;
        }
        ck_assert_uint_ge(n, 1);
        ws_figure_free(&f);
    }
}
END_TEST

/* One run: nothing repeated, nothing fitted with a band. */
START_TEST(captions_claim_what_is_drawn)
{
    static const char *const recipes[] = {"campaign/energy", "campaign/energy-vs-gpuh", "campaign/per-gpuh"};
    load("huber2025/scaled.csv", "gpus>1", &campaign, &runs, &scale);
    size_t rmse;
    ck_assert(ws_table_find(&scale, "energy_kwh_rmse", &rmse));
    for (size_t column = 0; column < scale.n_columns; column++)
        for (size_t row = 0; strstr(scale.columns[column].name, "_rmse") && row < scale.n_rows; row++)
            ws_table_set_number(&scale, column, row, NAN);
    for (size_t i = 0; i < sizeof recipes / sizeof *recipes; i++) {
        ws_figure f;
        ck_make(recipes[i], &runs, &scale, &f);
        ck_assert_msg(!strstr(f.caption, "Bars") && !strstr(f.caption, "bands"), "%s: %s", recipes[i], f.caption);
        ck_assert_msg(!strstr(f.caption, "standard error"), "%s: %s", recipes[i], f.caption);
        ws_figure_free(&f);
    }
}
END_TEST

static ws_status make_of_nothing(const ws_figure_input *in, ws_figure *figure, ws_error *error)
{
    (void)in;
    (void)error;
    ws_figure_init(figure, "campaign/nothing", 88, 70, 1, 1);
    return WS_OK;
}

/* A recipe that finds nothing to draw is refused with a word, so that a report leaves it out. */
START_TEST(a_figure_without_panels_is_refused)
{
    static const ws_figure_recipe nothing = {
        .name = "campaign/nothing", .source = WS_FIGURE_OF_CAMPAIGN, .make = make_of_nothing};
    ws_figure f;
    ws_error why = {0};
    load_demo();
    const ws_figure_input in = {.runs = &demo_runs, .scale = &demo_scale, .level = 0.95};
    ck_assert_int_eq(ws_figure_recipe_make(&nothing, &in, &f, &why), WS_DATA);
    ck_assert_msg(strstr(why.message, "campaign/nothing: there is nothing to draw"), "%s", why.message);
    ws_figure_free(&f);
}
END_TEST

/* Runs on one number of GPUs: nothing scales. */
START_TEST(scaling_needs_two_numbers_of_gpus)
{
    static const char *const recipes[] = {"campaign/time-loglog", "campaign/speedup"};
    load("huber2025/scaled.csv", "gpus>1", &campaign, &runs, &scale);
    for (size_t i = 0; i < sizeof recipes / sizeof *recipes; i++) {
        ws_figure f;
        ws_error why = {0};
        ck_assert_int_eq(figure_of(recipes[i], &runs, &scale, &f, &why), WS_DATA);
        ck_assert_msg(strstr(why.message, "all runs have 1 GPU: there is no scaling to draw"), "%s", why.message);
        ws_figure_free(&f);
    }
}
END_TEST

TEST_MAIN("figure recipes", published_panels_hold_the_published_points, factor_and_band_through_the_origin,
          weak_scaling_has_one_speedup, each_reference_has_an_ideal, energy_by_domain, five_panels_per_gpuh,
          power_law_over_the_runs, power_against_throughput, each_model_has_its_own_correlation,
          what_is_missing_is_named, names_and_nearest_names, factor_of_whole_nodes, energies_have_one_unit,
          captions_claim_what_is_drawn, a_figure_without_panels_is_refused, scaling_needs_two_numbers_of_gpus)
