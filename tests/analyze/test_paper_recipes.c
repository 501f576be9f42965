/* Figures and tables of Huber et al. 2025 from synthetic campaigns: every point against what was planted for its
 * configuration, the same under other names of series, and what changes when one run does.
 *
 * A part of the campaign from one seed; WS_PLANTED_SEEDS="1 2 3" makes it from each. */
#include "planted.h"

#include "analyze/recipes/paper.h"

/* Of means and RMSE over repeats, against the numbers that were planted for a configuration. */
static const double POINT = 1e-3;

static planted huber[CAMPAIGNS];
static planted original, changed;
static size_t n_planted;

static const char few[] = "--scale 0.005 --only lbs256/1g --only lbs256/2g --only lbs256/4g --only lbs256/8g";
static const char part[] =
    "--scale 0.005 --only full- --only lbs256/ --only gbs256/ --only gbs8192/ --only table1 --only fcn-";

static void plant_paper(void)
{
    const char *given = getenv("WS_PLANTED_SEEDS");
    ws_span rest = ws_span_of(given ? given : "17"), seed;
    const char *first = NULL;
    while (n_planted < CAMPAIGNS && ws_span_split(&rest, ' ', &seed)) {
        const char *word = ws_arena_printf(&arena, "--seed %.*s", WS_SPAN_ARG(seed));
        const char *name = ws_arena_printf(&arena, "p%zu", n_planted);
        plant(&huber[n_planted], "huber2025", name, ws_arena_printf(&arena, "%s %s", word, part));
        shell(ws_arena_printf(&arena, "rm -rf '%s/%s'", folder, name));
        first = first ? first : word;
        n_planted++;
    }
    /* The third repeat of lbs256 on 4 GPUs takes a fifth more power. */
    plant(&original, "huber2025", "a", ws_arena_printf(&arena, "%s %s", first, few));
    plant(&changed, "huber2025", "b", ws_arena_printf(&arena, "%s %s --change 9100013=1.2", first, few));
}

static void make(const char *name, const planted *p, ws_figure *figure)
{
    ws_figure_input input = {.runs = &p->runs, .scale = &p->scale, .level = 0.95, .synthetic = true};
    const ws_figure_recipe *recipe = ws_figure_recipe_find(name);
    ws_error error = {0};
    ck_assert_ptr_nonnull(recipe);
    ck_assert_msg(ws_figure_recipe_make(recipe, &input, figure, &error) == WS_OK, "%s", error.message);
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
static const pairing scaled[] = {
    {"LBS 256", "lbs256", 9}, {"GBS 256", "gbs256", 5}, {"GBS 8192", "gbs8192", 4}, {NULL, NULL, 0}};

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

/* A panel against the number of GPUs: y and its bars. */
static void check_panel(const planted *p, const ws_figure *figure, const char *letter, const char *quantity,
                        const char *rmse, const pairing *pairs)
{
    for (; pairs->label; pairs++) {
        const ws_layer *layer = layer_of(panel_of(figure, letter), pairs->label);
        ck_assert_uint_eq(layer->n, pairs->n);
        for (size_t i = 0; i < layer->n; i++) {
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
        const ws_layer *d = layer_of(panel_of(figure, "D"), pairs->label);
        const ws_layer *c = layer_of(panel_of(figure, "C"), pairs->label);
        ck_assert_uint_eq(d->n, pairs->n);
        for (size_t i = 0; i < d->n; i++) {
            double gpus = c->x[i];
            ck_close(d->x[i], planted_of(p, pairs->series, gpus, "gpu_h"), POINT, 0);
            ck_close(d->y[i], planted_of(p, pairs->series, gpus, "energy_kwh"), POINT, 0);
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
            const ws_layer *layer = layer_of(panel_of(&f, "A"), s->label);
            ck_assert_uint_eq(layer->n, s->n);
            for (size_t i = 0; i < layer->n; i++)
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
            const ws_layer *layer = layer_of(panel_of(&f, "A"), s->label);
            for (size_t i = 0; i < layer->n; i++)
                ck_close(layer->y[i], planted_of(p, s->series, layer->x[i], "gpu_h") / layer->x[i], POINT, 0);
        }
        check_panel(p, &f, "B", "error_top1", NULL, scaled);
        check_panel(p, &f, "C", "energy_kwh", "energy_kwh_rmse", scaled);
        check_both_ways(p, &f, scaled);
        ws_figure_free(&f);
    }
}
END_TEST

/* Energy per GPUh of both, six series. */
START_TEST(fig6_is_what_was_planted)
{
    static const pairing six[] = {{"LBS 256", "full-lbs256", 9},
                                  {"GBS 256", "full-gbs256", 5},
                                  {"GBS 8192", "full-gbs8192", 4},
                                  {"LBS 256, S/GPU 5004", "lbs256", 9},
                                  {"GBS 256, S/GPU 80072", "gbs256", 5},
                                  {"GBS 8192, S/GPU 5004", "gbs8192", 4},
                                  {NULL, NULL, 0}};
    static const double per_repeat = 1e-3; /* the mean of ratios is not the ratio of means */
    if (!is_built)
        skip_because("wattscale-synth is not built");
    for (size_t c = 0; c < n_planted; c++) {
        const planted *p = &huber[c];
        ws_figure f;
        make("huber/fig6", p, &f);
        ck_assert_uint_eq(f.n_panels, 5);
        for (const pairing *s = six; s->label; s++) {
            const ws_layer *layer = layer_of(panel_of(&f, "A"), s->label);
            ck_assert_uint_eq(layer->n, s->n);
            ck_assert_int_eq(layer->style, (int)(s - six));
            for (size_t i = 0; i < layer->n; i++)
                ck_close(layer->y[i],
                         planted_of(p, s->series, layer->x[i], "energy_kwh") /
                             planted_of(p, s->series, layer->x[i], "gpu_h"),
                         per_repeat, 0);
        }
        ws_figure_free(&f);
    }
}
END_TEST

static void rename_series(ws_table *table)
{
    size_t series;
    ck_assert(ws_table_find(table, "series", &series));
    for (size_t row = 0; row < table->n_rows; row++) {
        const char *name = table->columns[series].text[row];
        char other[64];
        snprintf(other, sizeof other, "%c%zu study", 'z' - name[0] % 20, strlen(name) * 7 + (size_t)name[1]);
        ws_table_set_text(table, series, row, other);
    }
}

static void ck_same_figure(const ws_figure *a, const ws_figure *b)
{
    ck_assert_uint_eq(a->n_panels, b->n_panels);
    for (size_t p = 0; p < a->n_panels; p++) {
        ck_assert_uint_eq(a->panels[p].n_layers, b->panels[p].n_layers);
        for (size_t l = 0; l < a->panels[p].n_layers; l++) {
            const ws_layer *x = &a->panels[p].layers[l], *y = &b->panels[p].layers[l];
            ck_assert(x->n == y->n && x->style == y->style);
            if (x->label || y->label)
                ck_assert_str_eq(x->label, y->label);
            for (size_t i = 0; i < x->n; i++)
                ck_assert(x->x[i] == y->x[i] && x->y[i] == y->y[i]);
        }
    }
}

START_TEST(names_of_series_do_not_matter)
{
    static const char *const names[] = {"huber/fig2", "huber/fig3", "huber/fig4", "huber/fig6", "huber/fig7"};
    enum { N = sizeof names / sizeof *names };
    ws_figure before[N], after;
    if (!is_built)
        skip_because("wattscale-synth is not built");
    for (size_t i = 0; i < N; i++)
        make(names[i], &huber[0], &before[i]);
    rename_series(&huber[0].runs);
    rename_series(&huber[0].scale);
    for (size_t i = 0; i < N; i++) {
        make(names[i], &huber[0], &after);
        ck_same_figure(&before[i], &after);
        ws_figure_free(&after);
        ws_figure_free(&before[i]);
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
        if (strncmp(made.columns[series].text[row], "GBS 256", 7) != 0)
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

int main(void)
{
    const TTest *const cases[] = {fig2_is_what_was_planted,
                                  fig3_is_what_was_planted,
                                  fig6_is_what_was_planted,
                                  one_changed_run_changes_its_own_points,
                                  small_table_has_ratios_of_the_planted,
                                  names_of_series_do_not_matter};
    int status = run_planted("paper recipes", cases, sizeof cases / sizeof *cases, plant_paper);
    for (size_t i = 0; i < n_planted; i++)
        free_planted(&huber[i]);
    free_planted(&original);
    free_planted(&changed);
    return status;
}
