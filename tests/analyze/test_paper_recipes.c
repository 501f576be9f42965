/* Figures and tables of Huber et al. 2025 from synthetic campaigns: every point against what was planted for its
 * configuration, the same under other names of series, and what changes when one run does.
 *
 * Nearly all of the campaign from one seed, and up to 16 GPUs of it from two more; WS_PLANTED_SEEDS="1 2 3" makes
 * nearly all from each. */
#include "planted.h"

#include "analyze/recipes/paper.h"
#include "report/sound_layout.h"

/* Of means and RMSE over repeats, against the numbers that were planted for a configuration. */
static const double POINT = 1e-3;

static planted huber[CAMPAIGNS];
static planted original, changed;
static size_t n_planted;

static const char few[] = "--raw --scale 0.005 --only lbs256/1g --only lbs256/2g --only lbs256/4g --only lbs256/8g";
static const char part[] =
    "--raw --scale 0.005 --only full- --only lbs256/ --only gbs256/ --only gbs8192/ --only table1 --only fcn-";

static const char up_to_16[] =
    "--raw --scale 0.005 --only full-lbs256/1g --only full-lbs256/2g --only full-lbs256/4g --only "
    "full-lbs256/8g --only full-lbs256/16g --only full-gbs256/ --only gbs256/ --only lbs256/1g --only "
    "lbs256/2g --only lbs256/4g --only "
    "lbs256/8g --only table1-a100/4g --only table1-a100/16g --only table1-h100/4g --only table1-h100/16g --only "
    "fcn-lbs1/4g --only fcn-lbs1/8g --only fcn-lbs1/16g --only fcn-tune-lbs1/4g --only fcn-tune-lbs1/8g --only "
    "fcn-tune-lbs1/16g --only fcn-h100-gbs16/";

/* Of which only some series and GPUs are there. */
static bool is_small(const planted *p)
{
    return getenv("WS_PLANTED_SEEDS") == NULL && p != &huber[0];
}

static void plant_paper(void)
{
    const char *given = getenv("WS_PLANTED_SEEDS");
    ws_span rest = ws_span_of(given ? given : "17 18 19"), seed;
    const char *first = NULL;
    while (n_planted < CAMPAIGNS && ws_span_split(&rest, ' ', &seed)) {
        const char *word = ws_arena_printf(&arena, "--seed %.*s", WS_SPAN_ARG(seed));
        const char *name = ws_arena_printf(&arena, "p%zu", n_planted);
        plant(&huber[n_planted], "huber2025", name,
              ws_arena_printf(&arena, "%s %s", word, given || !n_planted ? part : up_to_16));
        shell(ws_arena_printf(&arena, "rm -rf '%s/%s'", folder, name));
        first = first ? first : word;
        n_planted++;
    }
    /* The third repeat of lbs256 on 4 GPUs takes a fifth more power. */
    plant(&original, "huber2025", "a", ws_arena_printf(&arena, "%s %s", first, few));
    plant(&changed, "huber2025", "b", ws_arena_printf(&arena, "%s %s --change 9100013=1.2", first, few));
}

/* And laid out at 85 and 180 mm: no word over data or over another one. */
static void make(const char *name, const planted *p, ws_figure *figure)
{
    ws_figure laid_out;
    ws_layout layout = {0};
    ws_figure_input input = {.runs = &p->runs, .scale = &p->scale, .level = 0.95, .synthetic = true};
    const ws_figure_recipe *recipe = ws_figure_recipe_find(name);
    ws_error error = {0};
    ck_assert_ptr_nonnull(recipe);
    ck_assert_msg(ws_figure_recipe_make(recipe, &input, figure, &error) == WS_OK, "%s", error.message);
    ck_assert(ws_figure_recipe_make(recipe, &input, &laid_out, &error) == WS_OK);
    must_be_sound_at_all_widths(&layout, &laid_out);
    ws_layout_free(&layout);
    ws_figure_free(&laid_out);
}

/* What was planted for a series on so many GPUs; NaN where nothing was. */
static double planted_of(const planted *p, const char *series, double gpus, const char *quantity)
{
    size_t i, k;
    json_t *c, *item;
    json_array_foreach(json_object_get(p->truth, "configurations"), i, c)
    {
        if (strcmp(text(c, "series"), series) != 0 || number(c, "gpus") != gpus)
            continue;
        json_array_foreach(json_object_get(c, "planted"), k, item)
        {
            if (strcmp(text(item, "quantity"), quantity) == 0)
                return number(item, "value");
        }
    }
    return NAN;
}

/* Series of the generator behind each label of a figure. */
typedef struct pairing {
    const char *label, *series;
    size_t n;
} pairing;

static const pairing whole[] = {
    {"LBS 256", "full-lbs256", 9}, {"GBS 256", "full-gbs256", 5}, {"GBS 8192", "full-gbs8192", 4}, {NULL, NULL, 0}};
static const pairing scaled[] = {{"LBS 256, S/GPU 5004", "lbs256", 9},
                                 {"GBS 256, S/GPU 80 072", "gbs256", 5},
                                 {"GBS 8192, S/GPU 5004", "gbs8192", 4},
                                 {NULL, NULL, 0}};

static const ws_panel *panel_of(const ws_figure *figure, const char *letter)
{
    for (size_t i = 0; i < figure->n_panels; i++)
        if (figure->panels[i].letter && strcmp(figure->panels[i].letter, letter) == 0)
            return &figure->panels[i];
    ck_abort_msg("%s has no panel %s", figure->name, letter);
    return NULL;
}

static const ws_layer *layer_of(const ws_panel *panel, const char *label)
{
    for (size_t i = 0; i < panel->n_layers; i++)
        if (panel->layers[i].label && strcmp(panel->layers[i].label, label) == 0)
            return &panel->layers[i];
    ck_abort_msg("no layer '%s' in %s", label, panel->letter);
    return NULL;
}

/* The points of a series, which are all there; of a small campaign as many as it has, or NULL. */
static const ws_layer *series_of(const planted *p, const ws_figure *figure, const char *letter, const pairing *pair)
{
    const ws_panel *panel = panel_of(figure, letter);
    bool found = false;
    for (size_t i = 0; i < panel->n_layers; i++)
        found |= panel->layers[i].label && strcmp(panel->layers[i].label, pair->label) == 0;
    if (!found && is_small(p))
        return NULL;
    const ws_layer *layer = layer_of(panel, pair->label);
    if (is_small(p))
        ck_assert_uint_ge(layer->n, 3);
    else
        ck_assert_uint_eq(layer->n, pair->n);
    return layer;
}

static bool has_repeats(const planted *p, const char *series, double gpus)
{
    return !isnan(planted_of(p, series, gpus, "energy_kwh_rmse"));
}

/* A panel against the number of GPUs: y and its bars. */
static void check_panel(const planted *p, const ws_figure *figure, const char *letter, const char *quantity,
                        const char *rmse, const pairing *pairs)
{
    for (; pairs->label; pairs++) {
        const ws_layer *layer = series_of(p, figure, letter, pairs);
        for (size_t i = 0; layer && i < layer->n; i++) {
            ck_close(layer->y[i], planted_of(p, pairs->series, layer->x[i], quantity), POINT, 0);
            if (rmse)
                ck_close(layer->error[i], planted_of(p, pairs->series, layer->x[i], rmse), POINT, 0);
        }
    }
}

/* Panel D: energy against GPUh with bars in both directions, in the order of the GPUs. */
static void check_both_ways(const planted *p, const ws_figure *figure, const pairing *pairs)
{
    for (; pairs->label; pairs++) {
        const ws_layer *d = series_of(p, figure, "D", pairs), *c = series_of(p, figure, "C", pairs);
        for (size_t i = 0; d && i < d->n; i++) {
            double gpus = c->x[i];
            ck_close(d->x[i], planted_of(p, pairs->series, gpus, "gpu_h"), POINT, 0);
            ck_close(d->y[i], planted_of(p, pairs->series, gpus, "energy_kwh"), POINT, 0);
            if (!has_repeats(p, pairs->series, gpus))
                continue;
            ck_close(d->x_error[i], planted_of(p, pairs->series, gpus, "gpu_h_rmse"), POINT, 0);
            ck_close(d->error[i], planted_of(p, pairs->series, gpus, "energy_kwh_rmse"), POINT, 0);
        }
    }
}

START_TEST(fig2_is_what_was_planted)
{
    if (!is_built)
        skip_because("wattscale-synth is not built");
    for (size_t c = 0; c < n_planted; c++) {
        const planted *p = &huber[c];
        ws_figure f;
        make("huber/fig2", p, &f);
        check_panel(p, &f, "B", "error_top1", NULL, whole);
        check_panel(p, &f, "C", "energy_kwh", "energy_kwh_rmse", whole);
        check_both_ways(p, &f, whole);
        for (const pairing *s = whole; s->label;
             s++) { /* S = t(1) / t(n) = n GPUh(1) / GPUh(n), of one GPU at LBS 256 */
            const ws_layer *layer = series_of(p, &f, "A", s);
            for (size_t i = 0; layer && i < layer->n; i++)
                ck_close(layer->y[i],
                         layer->x[i] * planted_of(p, "full-lbs256", 1, "gpu_h") /
                             planted_of(p, s->series, layer->x[i], "gpu_h"),
                         POINT, 0);
        }
        ck_assert_ptr_nonnull(strstr(f.caption, "against 1 GPU of LBS 256"));
        ws_figure_free(&f);
    }
}
END_TEST

START_TEST(fig3_is_what_was_planted)
{
    if (!is_built)
        skip_because("wattscale-synth is not built");
    for (size_t c = 0; c < n_planted; c++) {
        const planted *p = &huber[c];
        ws_figure f;
        make("huber/fig3", p, &f);
        for (const pairing *s = scaled; s->label; s++) {
            const ws_layer *layer = series_of(p, &f, "A", s);
            for (size_t i = 0; layer && i < layer->n; i++)
                ck_close(layer->y[i], planted_of(p, s->series, layer->x[i], "gpu_h") / layer->x[i], POINT, 0);
        }
        check_panel(p, &f, "B", "error_top1", NULL, scaled);
        check_panel(p, &f, "C", "energy_kwh", "energy_kwh_rmse", scaled);
        check_both_ways(p, &f, scaled);
        ws_figure_free(&f);
    }
}
END_TEST

static const double SAMPLES[2] = {1281167, 54056},
                    EPOCHS[3] = {100, 80, 50}; /* of ResNet50, FourCastNet, fine-tuning */

typedef struct rates {
    double kwh_per_gpuh, gpu_w, cpu_w, samples, passes;
} rates;

/* What follows for a GPU hour from what was planted for a configuration. */
static rates rates_of(const planted *p, const char *series, double gpus, double lbs, double samples, double epochs)
{
    double gpu_h = planted_of(p, series, gpus, "gpu_h"), wall_h = gpu_h / gpus;
    double sockets = 2 * ceil(gpus / 4);
    return (rates){.kwh_per_gpuh = planted_of(p, series, gpus, "energy_kwh") / gpu_h,
                   .gpu_w = 1000 * planted_of(p, series, gpus, "energy_gpu_kwh") / gpu_h,
                   .cpu_w = 1000 * planted_of(p, series, gpus, "energy_cpu_kwh") / wall_h / sockets,
                   .samples = epochs * samples / gpu_h,
                   .passes = epochs * samples / (gpus * lbs) / wall_h};
}

/* One of the five panels in the unit of its axis, which names 10^{3} or 10^{6} where numbers are long. */
static void check_rate(const ws_figure *f, size_t panel, const ws_layer *layer, size_t i, double wanted)
{
    const char *power = strstr(f->panels[panel].y.label, "10^{");
    ck_close(layer->y[i] * (power ? pow(10, power[4] - '0') : 1), wanted, POINT, 0);
}

static void check_rates(const planted *p, const ws_figure *f, const pairing *s, double lbs, double gbs, double samples,
                        double epochs, bool grows)
{
    for (size_t panel = 0; panel < 5; panel++) {
        const ws_layer *layer = series_of(p, f, f->panels[panel].letter, s);
        for (size_t i = 0; layer && i < layer->n; i++) {
            double gpus = layer->x[i], of = lbs > 0 ? lbs : gbs / gpus;
            double whole_data = grows ? floor(samples / (gbs > 0 && gbs < 1000 ? 16 / gpus : 256 / gpus)) : samples;
            rates r = rates_of(p, s->series, gpus, of, whole_data, epochs);
            const double wanted[] = {r.kwh_per_gpuh, r.gpu_w, r.cpu_w, r.samples, r.passes};
            check_rate(f, panel, layer, i, wanted[panel]);
        }
    }
}

/* Energy, power, samples and passes per GPUh of both, six series: data sets of 1/factor, factor 256 / GPUs, or 16 /
 * GPUs at a global batch of 256. */
START_TEST(fig6_is_what_was_planted)
{
    static const struct {
        pairing pair;
        double lbs, gbs;
        bool grows;
    } six[] = {{{"LBS 256", "full-lbs256", 9}, 256, 0, false},
               {{"GBS 256", "full-gbs256", 5}, 0, 256, false},
               {{"GBS 8192", "full-gbs8192", 4}, 0, 8192, false},
               {{"LBS 256, S/GPU 5004", "lbs256", 9}, 256, 0, true},
               {{"GBS 256, S/GPU 80 072", "gbs256", 5}, 0, 256, true},
               {{"GBS 8192, S/GPU 5004", "gbs8192", 4}, 0, 8192, true}};
    if (!is_built)
        skip_because("wattscale-synth is not built");
    for (size_t c = 0; c < n_planted; c++) {
        ws_figure f;
        make("huber/fig6", &huber[c], &f);
        ck_assert_uint_eq(f.n_panels, 5);
        for (size_t s = 0; s < sizeof six / sizeof *six; s++)
            check_rates(&huber[c], &f, &six[s].pair, six[s].lbs, six[s].gbs, SAMPLES[0], EPOCHS[0], six[s].grows);
        ws_figure_free(&f);
    }
}
END_TEST

static const pairing forecasts[] = {
    {"A100, pre-training, LBS 1", "fcn-lbs1", 7},        {"A100, fine-tuning, LBS 1", "fcn-tune-lbs1", 5},
    {"H100, pre-training, GBS 16", "fcn-h100-gbs16", 3}, {"H100, pre-training, GBS 32", "fcn-h100-gbs32", 3},
    {"A100, pre-training, GBS 64", "fcn-gbs64", 3},      {NULL, NULL, 0}};

/* Speed-ups against the fewest GPUs of each series: S = n / n_ref GPUh_ref / GPUh. */
START_TEST(fig4_is_what_was_planted)
{
    if (!is_built)
        skip_because("wattscale-synth is not built");
    for (size_t c = 0; c < n_planted; c++) {
        const planted *p = &huber[c];
        ws_figure f;
        make("huber/fig4", p, &f);
        check_panel(p, &f, "B", "rmse_z500", NULL, forecasts);
        check_panel(p, &f, "C", "energy_kwh", NULL, forecasts);
        check_both_ways(p, &f, forecasts);
        for (const pairing *s = forecasts; s->label; s++) {
            const ws_layer *layer = series_of(p, &f, "A", s);
            for (size_t i = 0; layer && i < layer->n; i++)
                ck_close(layer->y[i],
                         layer->x[i] / layer->x[0] * planted_of(p, s->series, layer->x[0], "gpu_h") /
                             planted_of(p, s->series, layer->x[i], "gpu_h"),
                         POINT, 0);
        }
        ws_figure_free(&f);
    }
}
END_TEST

START_TEST(fig7_is_what_was_planted)
{
    static const double lbs[] = {1, 1, 0, 0, 0}, gbs[] = {0, 0, 16, 32, 64};
    if (!is_built)
        skip_because("wattscale-synth is not built");
    for (size_t c = 0; c < n_planted; c++) {
        ws_figure f;
        make("huber/fig7", &huber[c], &f);
        for (size_t s = 0; forecasts[s].label; s++)
            check_rates(&huber[c], &f, &forecasts[s], lbs[s], gbs[s], SAMPLES[1], EPOCHS[s == 1 ? 2 : 1], false);
        ws_figure_free(&f);
    }
}
END_TEST

/* Story and tables call the series what every figure of the paper calls them; those of no figure keep their names. */
START_TEST(series_have_one_name)
{
    const pairing *const all[] = {whole, scaled, forecasts};
    ws_looks looks = {0};
    ws_arena names = {0};
    if (!is_built)
        skip_because("wattscale-synth is not built");
    ws_look_set(ws_looks_at(&looks, &names, ws_span_of("series=fcn-lbs1"), NULL), &names, ws_span_of("name"),
                ws_span_of("mine"), NULL);
    ck_assert_uint_eq(ws_paper_name_series(&ws_paper_huber2025, &huber[0].runs, &huber[0].scale, &looks, &names), 10);
    for (size_t a = 0; a < sizeof all / sizeof *all; a++)
        for (const pairing *s = all[a]; s->label; s++) {
            const ws_look *look = ws_look_of_value(&looks, "series", s->series);
            ck_assert_ptr_nonnull(look);
            ck_assert_str_eq(look->name, strcmp(s->series, "fcn-lbs1") == 0 ? "mine" : s->label);
        }
    ck_assert_ptr_null(ws_look_of_value(&looks, "series", "fcn-repeats"));
    ws_figure f; /* in the user's words, and the others as before */
    huber[0].scale.looks = &looks;
    make("huber/fig7", &huber[0], &f);
    huber[0].scale.looks = NULL;
    layer_of(panel_of(&f, "A"), "mine");
    layer_of(panel_of(&f, "A"), forecasts[1].label);
    ws_figure_free(&f);
    ws_looks_free(&looks);
    ws_arena_free(&names);
}
END_TEST

START_TEST(names_of_series_do_not_matter)
{
    static const char *const names[] = {"huber/fig2", "huber/fig3", "huber/fig4", "huber/fig6", "huber/fig7"};
    enum { N = sizeof names / sizeof *names, MOST = 16 };
    ws_figure before[N], after;
    ws_table tables[MOST], renamed;
    ws_error error = {0};
    size_t n = 0;
    if (!is_built)
        skip_because("wattscale-synth is not built");
    for (size_t i = 0; i < N; i++)
        make(names[i], &huber[0], &before[i]);
    for (; ws_paper_huber2025.tables[n]; n++)
        if (!ws_paper_huber2025.tables[n]->choose)
            ck_assert(ws_table_recipe_make(ws_paper_huber2025.tables[n], &huber[0].runs, &huber[0].scale, &tables[n],
                                           &error) == WS_OK);
    rename_series(&huber[0].runs);
    rename_series(&huber[0].scale);
    for (size_t i = 0; i < N; i++) {
        make(names[i], &huber[0], &after);
        ck_same_figure(&before[i], &after);
        ws_figure_free(&after);
        ws_figure_free(&before[i]);
    }
    for (size_t i = 0; i < n; i++) {
        if (ws_paper_huber2025.tables[i]->choose)
            continue;
        ck_assert(ws_table_recipe_make(ws_paper_huber2025.tables[i], &huber[0].runs, &huber[0].scale, &renamed,
                                       &error) == WS_OK);
        ck_same_table(&tables[i], &renamed);
        ws_table_free(&renamed);
        ws_table_free(&tables[i]);
    }
}
END_TEST

/* One run's power changes the energies of its configuration and nothing else. */
START_TEST(one_changed_run_changes_its_own_points)
{
    ws_figure a, b;
    size_t n_changed = 0;
    if (!is_built)
        skip_because("wattscale-synth is not built");
    make("huber/fig3", &original, &a);
    make("huber/fig3", &changed, &b);
    for (size_t p = 0; p < a.n_panels; p++)
        for (size_t l = 0; l < a.panels[p].n_layers; l++) {
            const ws_layer *x = &a.panels[p].layers[l], *y = &b.panels[p].layers[l];
            for (size_t i = 0; x->label && i < x->n; i++) { /* those without repeat the doubtful ones */
                bool is_energy = strcmp(a.panels[p].letter, "C") == 0 || strcmp(a.panels[p].letter, "D") == 0;
                bool is_its = is_energy && i == 2;
                ck_assert_msg((y->y[i] == x->y[i]) == !is_its, "%s %zu", a.panels[p].letter, i);
                ck_assert(y->x[i] == x->x[i]);
                n_changed += y->y[i] != x->y[i];
            }
        }
    ck_assert_uint_eq(n_changed, 2);
    ws_figure_free(&a);
    ws_figure_free(&b);
}
END_TEST

static double table_cell(const ws_table *table, size_t row, const char *name)
{
    size_t column;
    ck_assert_msg(ws_table_find(table, name, &column), "no column %s", name);
    return ws_table_number(table, column, row);
}

/* The authors' small table: energies and their ratio to the fewest GPUs. */
START_TEST(small_table_has_ratios_of_the_planted)
{
    if (!is_built)
        skip_because("wattscale-synth is not built");
    ws_table made;
    ws_error error = {0};
    size_t found = 0;
    const planted *p = &huber[0];
    ck_assert_int_eq(
        ws_table_recipe_make(ws_table_recipe_find("huber/table-small"), &p->runs, &p->scale, &made, &error), WS_OK);
    for (size_t row = 0; row < made.n_rows; row++) {
        size_t series;
        ck_assert(ws_table_find(&made, "series", &series));
        if (strcmp(made.columns[series].text[row], "gbs256") != 0)
            continue;
        double gpus = table_cell(&made, row, "gpus"), energy = planted_of(p, "gbs256", gpus, "energy_kwh");
        ck_close(table_cell(&made, row, "energy_kwh"), energy, POINT, 0);
        ck_close(table_cell(&made, row, "energy_ratio"), energy / planted_of(p, "gbs256", 1, "energy_kwh"), 2 * POINT,
                 0);
        ck_close(table_cell(&made, row, "gpu_h"), planted_of(p, "gbs256", gpus, "gpu_h"), POINT, 0);
        found++;
    }
    ck_assert_uint_eq(found, 5);
    ws_table_free(&made);
}
END_TEST

static void make_table(const char *name, const planted *p, ws_table *made)
{
    ws_error error = {0};
    const ws_table_recipe *recipe = ws_table_recipe_find(name);
    ck_assert_ptr_nonnull(recipe);
    ck_assert_msg(ws_table_recipe_make(recipe, &p->runs, &p->scale, made, &error) == WS_OK, "%s", error.message);
}

static const char *text_cell(const ws_table *table, size_t row, const char *name)
{
    size_t column;
    ck_assert_msg(ws_table_find(table, name, &column), "no column %s", name);
    return table->columns[column].text[row];
}

/* Four GPUs a node. */
START_TEST(table1_is_what_was_planted)
{
    if (!is_built)
        skip_because("wattscale-synth is not built");
    for (size_t c = 0; c < n_planted; c++) {
        ws_table made;
        make_table("huber/table1", &huber[c], &made);
        ck_assert_uint_eq(made.n_rows, is_small(&huber[c]) ? 4 : 6);
        for (size_t row = 0; row < made.n_rows; row++) {
            const char *series = text_cell(&made, row, "series");
            double gpus = table_cell(&made, row, "gpus"), energy = planted_of(&huber[c], series, gpus, "energy_kwh"),
                   gpu_h = planted_of(&huber[c], series, gpus, "gpu_h");
            ck_close(table_cell(&made, row, "energy_kwh"), energy, POINT, 0);
            ck_close(table_cell(&made, row, "energy_per_node_kwh"), energy / (gpus / 4), POINT, 0);
            ck_close(table_cell(&made, row, "gpu_h"), gpu_h, POINT, 0);
            ck_close(table_cell(&made, row, "runtime_h"), gpu_h / gpus, POINT, 0);
            ck_close(table_cell(&made, row, "kwh_per_gpuh"), energy / gpu_h, 2 * POINT, 0);
        }
        ws_table_free(&made);
    }
}
END_TEST

static double gpu_watts_of(const planted *p, const char *series, double gpus)
{
    return planted_of(p, series, gpus, "energy_gpu_kwh") / planted_of(p, series, gpus, "gpu_h");
}

/* H100 over A100 on the same GPUs, and the geometric mean of those ratios. */
START_TEST(device_ratios_are_those_of_the_planted)
{
    if (!is_built)
        skip_because("wattscale-synth is not built");
    for (size_t c = 0; c < n_planted; c++) {
        const planted *p = &huber[c];
        double logs[3] = {0};
        size_t n = 0;
        ws_table made;
        make_table("huber/device-ratio", p, &made);
        for (size_t row = 0; row < made.n_rows; row++) {
            double gpus = table_cell(&made, row, "gpus"), ratio[3];
            bool is_mean = strcmp(text_cell(&made, row, "model"), "geometric mean") == 0;
            ratio[0] = planted_of(p, "table1-h100", gpus, "gpu_h") / planted_of(p, "table1-a100", gpus, "gpu_h");
            ratio[1] =
                planted_of(p, "table1-h100", gpus, "energy_kwh") / planted_of(p, "table1-a100", gpus, "energy_kwh");
            ratio[2] = gpu_watts_of(p, "table1-h100", gpus) / gpu_watts_of(p, "table1-a100", gpus);
            static const char *const columns_of[] = {"runtime_ratio", "energy_ratio", "gpu_power_ratio"};
            for (size_t k = 0; k < 3; k++) {
                double want = is_mean ? exp(logs[k] / (double)n) : ratio[k];
                ck_close(table_cell(&made, row, columns_of[k]), want, 3 * POINT, 0);
                logs[k] += is_mean ? 0 : log(ratio[k]);
            }
            n += !is_mean;
        }
        ck_assert_uint_eq(n, is_small(p) ? 2 : 3);
        ck_assert_uint_eq(made.n_rows, n + 1);
        ws_table_free(&made);
    }
}
END_TEST

static const json_t *run_called(const planted *p, const char *name)
{
    size_t i;
    json_t *run;
    json_array_foreach(json_object_get(p->truth, "runs"), i, run)
    {
        if (strcmp(text(run, "run"), name) == 0)
            return run;
    }
    return NULL;
}

/* The authors' large table: each run, and the mean of each configuration behind its runs. */
START_TEST(large_table_has_every_run)
{
    if (!is_built)
        skip_because("wattscale-synth is not built");
    for (size_t c = 0; c < n_planted; c++) {
        const planted *p = &huber[c];
        double energy = 0, wall = 0, n = 0;
        size_t n_runs = 0;
        ws_table made;
        make_table("huber/table-all", p, &made);
        for (size_t row = 0; row < made.n_rows; row++) {
            const json_t *run = run_called(p, text_cell(&made, row, "run"));
            if (!run) {
                ck_assert_str_eq(text_cell(&made, row, "run"), "mean");
                ck_close(table_cell(&made, row, "energy_kwh"), energy / n, 1e-9, 0);
                ck_close(table_cell(&made, row, "runtime_min"), wall / n, 1e-9, 0);
                energy = wall = n = 0;
                continue;
            }
            ck_close(table_cell(&made, row, "energy_kwh"), number(run, "energy_j") / J_PER_KWH, 1e-9, 0);
            ck_close(table_cell(&made, row, "runtime_min"), number(run, "wall_s") / 60, 1e-9, 0);
            ck_close(table_cell(&made, row, "job_runtime_min"), number(run, "job_wall_s") / 60, 1e-9, 0);
            ck_close(table_cell(&made, row, "job_energy_kwh"), number(run, "job_energy_j") / J_PER_KWH, 0,
                     5.001e-6); /* five decimals in the job's log */
            if (json_object_get(run, "error_top1"))
                ck_close(table_cell(&made, row, "error_top1"), number(run, "error_top1"), 1e-9, 0);
            energy += number(run, "energy_j") / J_PER_KWH;
            wall += number(run, "wall_s") / 60;
            n++, n_runs++;
        }
        ck_assert_uint_ge(n_runs, json_array_size(json_object_get(p->truth, "runs")));
        ws_table_free(&made);
    }
}
END_TEST

/* Of a series that keeps a batch size of ResNet50, with runs of its own that were made. */
static bool is_resnet_of_its_own(const planted *p, const json_t *configuration)
{
    const char *series = text(configuration, "series");
    bool is_made = false;
    size_t i;
    json_t *run;
    json_array_foreach(json_object_get(p->truth, "runs"), i, run)
    {
        is_made |= strcmp(text(run, "series"), series) == 0 && number(run, "gpus") == number(configuration, "gpus");
    }
    return is_made && (strstr(series, "bs256") || strstr(series, "bs8192")) &&
           !json_object_get(configuration, "same_runs_as");
}

/* Least squares of three terms by the normal equations, of terms that are brought to one size first. */
static void least_squares(double (*terms)[3], const double *y, size_t n, double *value, double *stderr_of)
{
    double size[3] = {0}, a[3][7] = {{0}}, rss = 0;
    for (size_t k = 0; k < 3; k++)
        for (size_t i = 0; i < n; i++)
            size[k] = fmax(size[k], fabs(terms[i][k]));
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < 3; j++) {
            for (size_t k = 0; k < 3; k++)
                a[j][k] += terms[i][j] / size[j] * terms[i][k] / size[k];
            a[j][3] += terms[i][j] / size[j] * y[i];
        }
    for (size_t j = 0; j < 3; j++)
        a[j][4 + j] = 1;
    for (size_t j = 0; j < 3; j++) /* Gauss and Jordan */
        for (size_t r = 0; r < 3; r++) {
            double factor = r == j ? 1 - 1 / a[j][j] : a[r][j] / a[j][j];
            for (size_t k = 7; k-- > 0;)
                a[r][k] -= factor * a[j][k];
        }
    for (size_t k = 0; k < 3; k++)
        value[k] = a[k][3] / size[k];
    for (size_t i = 0; i < n; i++)
        rss += pow(y[i] - value[0] * terms[i][0] - value[1] * terms[i][1] - value[2] * terms[i][2], 2);
    for (size_t k = 0; k < 3; k++)
        stderr_of[k] = sqrt(rss / (double)(n - 3) * a[k][4 + k]) / size[k];
}

/* GPU power on samples and passes per GPUh over the configurations of ResNet50, each run once. */
START_TEST(power_model_goes_through_the_planted)
{
    enum { MOST = 64 };
    if (!is_built)
        skip_because("wattscale-synth is not built");
    for (size_t c = 0; c < n_planted; c++) {
        const planted *p = &huber[c];
        double watts[MOST], terms[MOST][3];
        size_t i, n = 0, found = 0;
        json_t *one;
        json_array_foreach(json_object_get(p->truth, "configurations"), i, one)
        {
            if (!is_resnet_of_its_own(p, one))
                continue;
            const char *series = text(one, "series");
            double gpus = number(one, "gpus"), gpu_h = planted_of(p, series, gpus, "gpu_h");
            watts[n] = 1000 * gpu_watts_of(p, series, gpus);
            terms[n][0] = 1;
            terms[n][1] = 1281167 / number(one, "factor") * 100 / gpu_h;
            terms[n][2] = terms[n][1] / number(one, "lbs");
            n++;
        }
        double value[3], stderr_of[3];
        least_squares(terms, watts, n, value, stderr_of);
        static const char *const parameters[] = {"intercept", "samples_per_gpuh", "passes_per_gpuh"};
        ws_table made;
        make_table("huber/power-model", p, &made);
        for (size_t row = 0; row < made.n_rows; row++) {
            for (size_t k = 0; k < 3; k++) {
                if (strcmp(text_cell(&made, row, "model"), "ResNet50") != 0 ||
                    strcmp(text_cell(&made, row, "parameter"), parameters[k]) != 0)
                    continue;
                ck_assert_double_eq(table_cell(&made, row, "n"), (double)n);
                ck_close(table_cell(&made, row, "value"), value[k], 0, 0.02 * stderr_of[k]);
                ck_close(table_cell(&made, row, "stderr"), stderr_of[k], 5 * POINT, 0);
                found++;
            }
        }
        ck_assert_uint_eq(found, 3);
        ws_table_free(&made);
    }
}
END_TEST

/* One run's power changes energies, and what is made of them, in the row of its configuration. */
START_TEST(one_changed_run_changes_its_own_cells)
{
    ws_table a, b;
    ws_error error = {0};
    size_t n_changed = 0;
    if (!is_built)
        skip_because("wattscale-synth is not built");
    const ws_table_recipe *recipe = ws_table_recipe_find("huber/table-small");
    ck_assert_int_eq(ws_table_recipe_make(recipe, &original.runs, &original.scale, &a, &error), WS_OK);
    ck_assert_int_eq(ws_table_recipe_make(recipe, &changed.runs, &changed.scale, &b, &error), WS_OK);
    ck_assert(a.n_rows == b.n_rows && a.n_columns == b.n_columns);
    for (size_t row = 0; row < a.n_rows; row++)
        for (size_t column = 0; column < a.n_columns; column++) {
            char x[WS_DOUBLE_TEXT], y[WS_DOUBLE_TEXT];
            bool differs = strcmp(ws_table_cell_text(&a, column, row, x), ws_table_cell_text(&b, column, row, y)) != 0;
            bool is_its = table_cell(&a, row, "gpus") == 4 && strncmp(a.columns[column].name, "energy", 6) == 0 &&
                          !ws_table_is_missing(&a, column, row) && a.columns[column].kind == WS_NUMBER;
            ck_assert_msg(differs == is_its, "%s on %g GPUs: %s, %s", a.columns[column].name,
                          table_cell(&a, row, "gpus"), x, y);
            n_changed += differs;
        }
    ck_assert_uint_ge(n_changed, 4);
    ws_table_free(&a);
    ws_table_free(&b);
}
END_TEST

int main(void)
{
    const TTest *const cases[] = {fig2_is_what_was_planted,
                                  fig3_is_what_was_planted,
                                  fig4_is_what_was_planted,
                                  fig6_is_what_was_planted,
                                  fig7_is_what_was_planted,
                                  one_changed_run_changes_its_own_points,
                                  one_changed_run_changes_its_own_cells,
                                  small_table_has_ratios_of_the_planted,
                                  table1_is_what_was_planted,
                                  device_ratios_are_those_of_the_planted,
                                  large_table_has_every_run,
                                  power_model_goes_through_the_planted,
                                  series_have_one_name,
                                  names_of_series_do_not_matter};
    int status = run_planted("paper recipes", cases, sizeof cases / sizeof *cases, plant_paper);
    for (size_t i = 0; i < n_planted; i++)
        free_planted(&huber[i]);
    free_planted(&original);
    free_planted(&changed);
    return status;
}
