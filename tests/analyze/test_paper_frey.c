/* Figures and tables of Frey et al. 2022 from synthetic campaigns of three seeds: every point and cell against the runs
 * of truth.json, by arithmetic of its own, and what changes when one run does. WS_PLANTED_SEEDS="1 2 3" takes others.
 */
#include "planted.h"

#include "analyze/recipes/paper.h"
#include "report/sound_layout.h"

/* Stamps and watts of nvidia-smi hold the truth to their last digits; means and fits are exact but for rounding. */
static const double MEAN = 1e-9, PLANTED = 1e-6;

static planted frey[CAMPAIGNS], changed;
static size_t n_planted;
static const char *changed_run; /* of the first campaign */

enum { MOST_RUNS = 64 };

/* The runs behind a point or a row: those of up to two series of the generator. */
typedef struct level {
    const char *label, *series[2];
} level;

static const level table2[] = {{"ResNet50", {"table2-resnet50"}},
                               {"BERT", {"table2-bert"}},
                               {"DimeNet", {"table2-dimenet"}},
                               {"SchNet", {"table2-schnet"}},
                               {"InceptionV3", {"table2-inceptionv3"}},
                               {"VGG16", {"table2-vgg16"}},
                               {NULL, {NULL}}};
static const level dimenet_clocks[] = {{"1380", {"table3-dimenet-1380mhz", "table4-dimenet-250w"}},
                                       {"735", {"table3-dimenet-735mhz"}},
                                       {"135", {"table3-dimenet-135mhz"}},
                                       {NULL, {NULL}}};
static const level dimenet_caps[] = {{"250", {"table4-dimenet-250w", "table3-dimenet-1380mhz"}},
                                     {"200", {"table4-dimenet-200w"}},
                                     {"100", {"table4-dimenet-100w"}},
                                     {NULL, {NULL}}};
static const level bert_caps[] = {
    {"250", {"table5-bert-250w"}}, {"200", {"table5-bert-200w"}}, {"100", {"table5-bert-100w"}}, {NULL, {NULL}}};
static const level resnet_caps[] = {{"250", {"table6-resnet50-250w"}},
                                    {"200", {"table6-resnet50-200w"}},
                                    {"100", {"table6-resnet50-100w"}},
                                    {NULL, {NULL}}};
static const level resnet_clocks[] = {{"1380", {"table2-resnet50"}},
                                      {"735", {"fig13-resnet50-735mhz"}},
                                      {"135", {"fig13-resnet50-135mhz"}},
                                      {NULL, {NULL}}};

static void plant_frey(void)
{
    const char *given = getenv("WS_PLANTED_SEEDS");
    ws_span rest = ws_span_of(given ? given : "41 42 43"), seed;
    const char *first = NULL;
    while (n_planted < CAMPAIGNS && ws_span_split(&rest, ' ', &seed)) {
        const char *arguments = ws_arena_printf(&arena, "--seed %.*s --scale 0.02", WS_SPAN_ARG(seed));
        plant(&frey[n_planted], "frey2022", ws_arena_printf(&arena, "f%zu", n_planted), arguments);
        first = first ? first : arguments;
        n_planted++;
    }
    size_t i;
    json_t *run;
    json_array_foreach(json_object_get(frey[0].truth, "runs"), i, run) /* BERT at 250 W on 8 GPUs */
    {
        if (strcmp(text(run, "series"), "table5-bert-250w") == 0 && number(run, "gpus") == 8)
            changed_run = text(run, "job");
    }
    ck_assert_ptr_nonnull(changed_run);
    plant(&changed, "frey2022", "changed", ws_arena_printf(&arena, "%s --change %s=0.8", first, changed_run));
}

/* And laid out at 85 and 180 mm: no word over data or over another one. */
static void make(const char *name, const planted *p, ws_figure *figure)
{
    ws_figure laid_out;
    ws_layout layout = {0};
    ws_figure_input input = {.runs = &p->runs, .scale = &p->scale, .level = 0.95, .synthetic = true};
    ws_error error = {0};
    ck_assert_msg(ws_figure_recipe_make(ws_figure_recipe_find(name), &input, figure, &error) == WS_OK, "%s: %s", name,
                  error.message);
    ck_assert(ws_figure_recipe_make(ws_figure_recipe_find(name), &input, &laid_out, &error) == WS_OK);
    must_be_sound_at_all_widths(&layout, &laid_out);
    ws_layout_free(&layout);
    ws_figure_free(&laid_out);
}

static bool is_of(const json_t *run, const level *l)
{
    for (size_t i = 0; i < 2 && l->series[i]; i++)
        if (strcmp(text(run, "series"), l->series[i]) == 0)
            return true;
    return false;
}

/* Values of a run: those of truth.json, and energy and time of an epoch. */
static double value_of(const json_t *run, const char *quantity)
{
    if (strcmp(quantity, "epoch_kwh") == 0)
        return number(run, "training_kwh") / number(run, "epochs");
    return number(run, quantity);
}

static size_t values_at(const planted *p, const level *l, double gpus, const char *quantity, double *values)
{
    size_t i, n = 0;
    json_t *run;
    json_array_foreach(json_object_get(p->truth, "runs"), i, run)
    {
        if (is_of(run, l) && number(run, "gpus") == gpus && n < MOST_RUNS)
            values[n++] = value_of(run, quantity);
    }
    ck_assert_msg(n > 0, "no run of %s on %g GPUs", l->series[0], gpus);
    return n;
}

static double mean_at(const planted *p, const level *l, double gpus, const char *quantity)
{
    double values[MOST_RUNS], sum = 0;
    size_t n = values_at(p, l, gpus, quantity, values);
    for (size_t i = 0; i < n; i++)
        sum += values[i];
    return sum / (double)n;
}

/* The straight line through the logarithms of geometric means: -beta and R2. */
typedef struct law {
    double beta, r2;
    size_t n, runs;
} law;

static law law_of(const planted *p, const level *l)
{
    double x[16], y[16], values[MOST_RUNS], sx = 0, sy = 0, sxx = 0, sxy = 0, syy = 0;
    law out = {0};
    static const double counts[] = {2, 4, 8, 16, 32, 64, 128, 256, 416, 424};
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        size_t i, found = 0;
        json_t *run;
        json_array_foreach(json_object_get(p->truth, "runs"), i, run) found +=
            is_of(run, l) && number(run, "gpus") == counts[c];
        if (!found)
            continue;
        size_t n = values_at(p, l, counts[c], "epoch_s", values);
        double sum = 0;
        for (size_t k = 0; k < n; k++)
            sum += log(values[k]);
        x[out.n] = log(counts[c]);
        y[out.n++] = sum / (double)n;
        out.runs += n;
    }
    for (size_t i = 0; i < out.n; i++) {
        sx += x[i] / (double)out.n;
        sy += y[i] / (double)out.n;
    }
    for (size_t i = 0; i < out.n; i++) {
        sxx += (x[i] - sx) * (x[i] - sx);
        sxy += (x[i] - sx) * (y[i] - sy);
        syy += (y[i] - sy) * (y[i] - sy);
    }
    out.beta = -sxy / sxx;
    out.r2 = sxy * sxy / sxx / syy;
    return out;
}

static double planted_number(const planted *p, const char *series, const char *quantity)
{
    size_t i, k;
    json_t *s, *item;
    json_array_foreach(json_object_get(p->truth, "series"), i, s)
    {
        json_array_foreach(json_object_get(s, "planted"), k, item)
        {
            if (strcmp(text(s, "series"), series) == 0 && strcmp(text(item, "quantity"), quantity) == 0)
                return number(item, "value");
        }
    }
    return NAN;
}

static double cell_of(const ws_table *table, size_t row, const char *name)
{
    size_t column;
    ck_assert_msg(ws_table_find(table, name, &column), "no column %s", name);
    return ws_table_number(table, column, row);
}

static bool is_row(const ws_table *table, size_t row, const char *key, const char *label)
{
    size_t column;
    char buffer[WS_DOUBLE_TEXT];
    if (strcmp(key, "clock_cap_mhz") == 0) {
        double mhz = ws_table_find(table, "clock_cap_hz", &column) ? ws_table_number(table, column, row) / 1e6
                                                                   : cell_of(table, row, key);
        return fabs(mhz - strtod(label, NULL)) < 1e-6;
    }
    ck_assert_msg(ws_table_find(table, key, &column), "no column %s", key);
    return strcmp(ws_table_cell_text(table, column, row, buffer), label) == 0;
}

static void check_table(const planted *p, const char *name, const char *key, const level *levels)
{
    ws_table made;
    ws_error error = {0};
    size_t n = 0;
    ck_assert_msg(ws_table_recipe_make(ws_table_recipe_find(name), &p->runs, &p->scale, &made, &error) == WS_OK, "%s",
                  error.message);
    for (; levels->label; levels++, n++) {
        size_t row = 0;
        while (row < made.n_rows && !is_row(&made, row, key, levels->label))
            row++;
        ck_assert_msg(row < made.n_rows, "%s has no row %s", name, levels->label);
        law wanted = law_of(p, levels);
        ck_close(cell_of(&made, row, "beta"), wanted.beta, MEAN, 0);
        ck_close(cell_of(&made, row, "r2"), wanted.r2, MEAN, 0);
        ck_assert_double_eq(cell_of(&made, row, "n"), (double)wanted.n);
        ck_assert_double_eq(cell_of(&made, row, "n_runs"), (double)wanted.runs);
        if (wanted.n == wanted.runs) {
            ck_close(wanted.beta, planted_number(p, levels->series[0], "beta"), PLANTED, 0);
            ck_close(wanted.r2, planted_number(p, levels->series[0], "r2"), PLANTED, 0);
        }
    }
    ck_assert_uint_eq(made.n_rows, n);
    ws_table_free(&made);
}

/* Table 1: a row a model of the campaign, with the class that the paper gives it. */
static void check_models(const planted *p)
{
    static const char *const classes[][2] = {{"ResNet50", "CV"}, {"VGG16", "CV"},          {"InceptionV3", "CV"},
                                             {"BERT", "NLP"},    {"DimeNet", "Geometric"}, {"SchNet", "Geometric"}};
    enum { MODELS = sizeof classes / sizeof *classes };
    ws_table made;
    ws_error error = {0};
    size_t i, model, class;
    json_t *s;
    ck_assert_msg(ws_table_recipe_make(ws_table_recipe_find("frey/table1"), &p->runs, &p->scale, &made, &error) ==
                      WS_OK,
                  "%s", error.message);
    ck_assert(ws_table_find(&made, "model", &model) && ws_table_find(&made, "model_class", &class));
    ck_assert_uint_eq(made.n_rows, MODELS);
    json_array_foreach(json_object_get(p->truth, "series"), i, s)
    {
        size_t row = 0, k = 0;
        while (row < made.n_rows && strcmp(made.columns[model].text[row], text(s, "model")) != 0)
            row++;
        while (k < MODELS && strcmp(classes[k][0], text(s, "model")) != 0)
            k++;
        ck_assert_msg(row < made.n_rows && k < MODELS, "no row of '%s'", text(s, "model"));
        ck_assert_str_eq(made.columns[class].text[row], classes[k][1]);
    }
    ws_table_free(&made);
}

/* Sums over the runs of a model under a cap and a clock: what the readings in the window were on average, times the
 * GPUs and the job's time (truth.json has the integral of the window so). The plain mean of 120 readings gives the
 * first and the last their whole weight, the integral half of it. */
START_TEST(energies_by_mean_power_stand_beside_the_integral)
{
    static const level levels[] = {{"VGG16", {"table2-vgg16"}}, {"SchNet", {"table2-schnet"}}, {NULL, {NULL}}};
    for (size_t c = 0; c < n_planted; c++) {
        ws_table made;
        ws_error error = {0};
        size_t n_found = 0;
        ck_assert_int_eq(ws_table_recipe_make(&ws_table_frey_energy, &frey[c].runs, &frey[c].scale, &made, &error),
                         WS_OK);
        ck_assert_uint_eq(made.n_rows, 18);
        for (const level *l = levels; l->label; l++)
            for (size_t row = 0; row < made.n_rows; row++) {
                double sum = 0, by_mean = 0;
                size_t i;
                json_t *run;
                if (!is_row(&made, row, "model", l->label))
                    continue;
                json_array_foreach(json_object_get(frey[c].truth, "runs"), i, run) sum +=
                    is_of(run, l) ? number(run, "training_kwh") : 0;
                for (size_t r = 0; r < frey[c].runs.n_rows; r++)
                    if (is_row(&frey[c].runs, r, "model", l->label))
                        by_mean += cell_of(&frey[c].runs, r, "plain_gpu_power_w") * cell_of(&frey[c].runs, r, "gpus") *
                                   cell_of(&frey[c].runs, r, "wall_s") / 3.6e6;
                n_found++;
                ck_close(cell_of(&made, row, "energy_kwh"), sum, PLANTED, 0);
                ck_close(cell_of(&made, row, "mean_power_energy_kwh"), by_mean, MEAN, 0);
                ck_close(cell_of(&made, row, "mean_power_ratio"), by_mean / sum, PLANTED, 0);
                double least = cell_of(&made, row, "mean_power_ratio_least"),
                       most = cell_of(&made, row, "mean_power_ratio_most");
                ck_assert(0.99 < least && least < by_mean / sum && by_mean / sum < most && most < 1.01);
            }
        ck_assert_uint_eq(n_found, 2);
        ws_table_free(&made);
    }
}
END_TEST

START_TEST(tables_are_what_was_planted)
{
    if (!is_built)
        skip_because("wattscale-synth is not built");
    for (size_t c = 0; c < n_planted; c++) {
        check_models(&frey[c]);
        check_table(&frey[c], "frey/table2", "model", table2);
        check_table(&frey[c], "frey/table3", "clock_cap_mhz", dimenet_clocks);
        check_table(&frey[c], "frey/table4", "power_cap_w", dimenet_caps);
        check_table(&frey[c], "frey/table5", "power_cap_w", bert_caps);
        check_table(&frey[c], "frey/table6", "power_cap_w", resnet_caps);
    }
}
END_TEST

/* The markers of a series, whose label begins with this. */
static const ws_layer *markers_of(const ws_panel *panel, const char *begins)
{
    for (size_t i = 0; i < panel->n_layers; i++)
        if ((panel->layers[i].kind & (WS_LAYER_MARKERS | WS_LAYER_BARS)) && panel->layers[i].label &&
            strncmp(panel->layers[i].label, begins, strlen(begins)) == 0)
            return &panel->layers[i];
    ck_abort_msg("no markers of '%s'", begins);
    return NULL;
}

/* Means of a quantity times `factor`, or their ratio to those on the fewest GPUs. */
static size_t check_points(const planted *p, const ws_panel *panel, const char *label, const level *l,
                           const char *quantity, double factor, bool is_ratio, bool is_inverse)
{
    const ws_layer *layer = markers_of(panel, label);
    for (size_t i = 0; i < layer->n; i++) {
        double wanted = factor * mean_at(p, l, layer->x[i], quantity);
        double first = factor * mean_at(p, l, layer->x[0], quantity);
        wanted = !is_ratio ? wanted : is_inverse ? first / wanted : wanted / first;
        ck_close(layer->y[i], wanted, MEAN, 0);
    }
    ck_assert_uint_ge(layer->n, 8);
    return layer->n;
}

START_TEST(laws_go_through_the_planted_times)
{
    static const struct {
        const char *figure;
        const level *levels;
        size_t from, to;
        const char *unit;
    } figures[] = {{"frey/fig8", table2, 2, 4, ""},         {"frey/fig12", table2, 0, 1, ""},
                   {"frey/fig9", dimenet_clocks, 0, 3, ""}, {"frey/fig10", dimenet_caps, 0, 3, ""},
                   {"frey/fig11", bert_caps, 0, 3, ""},     {"frey/fig13", resnet_clocks, 0, 3, ""},
                   {"frey/fig14", resnet_caps, 0, 3, ""},   {"frey/fig12", table2, 4, 6, ""}};
    if (!is_built)
        skip_because("wattscale-synth is not built");
    for (size_t c = 0; c < n_planted; c++)
        for (size_t f = 0; f < sizeof figures / sizeof *figures; f++) {
            ws_figure figure;
            make(figures[f].figure, &frey[c], &figure);
            for (size_t l = figures[f].from; l < figures[f].to; l++)
                check_points(&frey[c], &figure.panels[0], figures[f].levels[l].label, &figures[f].levels[l], "epoch_s",
                             1, false, false);
            ws_figure_free(&figure);
        }
}
END_TEST

START_TEST(utilisations_and_ratios_are_what_was_planted)
{
    static const struct {
        const char *figure, *quantity[2];
        size_t nth;
    } figures[] = {{"frey/fig3", {"util_mean", "mem_util_mean"}, 0},
                   {"frey/fig4", {"util_cv", "mem_util_cv"}, 0},
                   {"frey/fig15", {"util_cv", "mem_util_cv"}, 1},
                   {"frey/fig16", {"util_cv", "mem_util_cv"}, 2}};
    static const struct {
        const char *model;
        const level *caps;
    } models[] = {{"ResNet50", resnet_caps}, {"BERT", bert_caps}, {"DimeNet", dimenet_caps}};
    if (!is_built)
        skip_because("wattscale-synth is not built");
    for (size_t c = 0; c < n_planted; c++) {
        ws_figure figure;
        for (size_t f = 0; f < sizeof figures / sizeof *figures; f++) {
            make(figures[f].figure, &frey[c], &figure);
            for (size_t m = 0; m < 3; m++)
                for (size_t i = 0; i < 2; i++)
                    check_points(&frey[c], &figure.panels[i], models[m].model, &models[m].caps[figures[f].nth],
                                 figures[f].quantity[i], 100, false, false);
            ws_figure_free(&figure);
        }
        make("frey/fig5", &frey[c], &figure);
        for (size_t m = 0; m < 3; m++) {
            check_points(&frey[c], &figure.panels[0], models[m].model, models[m].caps, "epoch_kwh", 1, true, false);
            check_points(&frey[c], &figure.panels[1], models[m].model, models[m].caps, "epoch_s", 1, true, true);
        }
        ws_figure_free(&figure);
        for (size_t k = 0; k < 2; k++) {
            double gpus = k ? 128 : 2;
            make(k ? "frey/fig17" : "frey/fig6", &frey[c], &figure);
            for (size_t cap = 0; cap < 3; cap++)
                for (size_t i = 0; i < 2; i++) {
                    const ws_layer *bars = markers_of(&figure.panels[i], resnet_caps[cap].label);
                    ck_assert_uint_eq(bars->n, 3);
                    for (size_t m = 0; m < 3; m++) {
                        const char *model = figure.panels[i].x.categories[(size_t)bars->x[m]];
                        size_t at = 0;
                        while (strcmp(models[at].model, model) != 0)
                            at++;
                        double own = mean_at(&frey[c], &models[at].caps[cap], gpus, i ? "epoch_kwh" : "epoch_s");
                        double full = mean_at(&frey[c], &models[at].caps[0], gpus, i ? "epoch_kwh" : "epoch_s");
                        ck_close(bars->y[m], i ? own / full : full / own, MEAN, 0);
                    }
                }
            ws_figure_free(&figure);
        }
    }
}
END_TEST

/* Right or left of it, so near that no line has to lead to it; in one column a panel has the whole width. */
START_TEST(names_of_fig2_stand_level_with_their_points)
{
    if (!is_built)
        skip_because("wattscale-synth is not built");
    for (size_t c = 0; c < n_planted; c++)
        for (size_t w = 0; w < 2; w++) {
            ws_figure figure;
            ws_layout layout = {0};
            size_t n = 0;
            make("frey/fig2", &frey[c], &figure);
            ws_figure_set_width(&figure, w ? 85 : 180, false);
            ck_assert_uint_eq(figure.columns, w ? 1 : 2);
            must_be_sound(&layout, &figure);
            for (size_t i = 0; i < layout.n_texts; i++) {
                const ws_placed_text *t = &layout.texts[i];
                if (t->role != WS_TEXT_ANNOTATION)
                    continue;
                double middle = (t->box.y0 + t->box.y1) / 2;
                ck_assert_msg(!t->has_leader && fabs(middle - t->lead_y) < 1, "'%s' in campaign %zu at %g mm", t->text,
                              c, layout.width_mm);
                n++;
            }
            ck_assert_uint_eq(n, 12);
            ws_layout_free(&layout);
            ws_figure_free(&figure);
        }
}
END_TEST

/* ResNet50 has two exponents, and each caption says whose it shows. */
START_TEST(captions_name_the_table_of_their_exponents)
{
    static const char *const said[][2] = {{"frey/fig5", "frey/table4 to 6, not frey/table2"},
                                          {"frey/fig8", "those of frey/table2."},
                                          {"frey/fig9", "those of frey/table3."},
                                          {"frey/fig10", "those of frey/table4."},
                                          {"frey/fig11", "those of frey/table5."},
                                          {"frey/fig12", "those of frey/table2."},
                                          {"frey/fig14", "those of frey/table6."}};
    if (!is_built)
        skip_because("wattscale-synth is not built");
    for (size_t i = 0; i < sizeof said / sizeof *said; i++) {
        ws_figure figure;
        make(said[i][0], &frey[0], &figure);
        ck_assert_msg(strstr(figure.caption, said[i][1]), "%s: %s", said[i][0], figure.caption);
        ws_figure_free(&figure);
    }
}
END_TEST

/* Two numbers of GPUs, a point a model. */
START_TEST(fig2_has_the_planted_utilisations)
{
    static const double counts[] = {2, 128};
    if (!is_built)
        skip_because("wattscale-synth is not built");
    for (size_t c = 0; c < n_planted; c++) {
        ws_figure figure;
        make("frey/fig2", &frey[c], &figure);
        ck_assert_uint_eq(figure.n_panels, 2);
        for (size_t i = 0; i < 2; i++)
            for (const level *l = table2; l->label; l++) {
                const ws_panel *panel = &figure.panels[i];
                size_t found = 0;
                while (found < panel->n_annotations && strcmp(panel->annotations[found].text, l->label) != 0)
                    found++;
                ck_assert_msg(found < panel->n_annotations, "no point of %s", l->label);
                ck_close(panel->annotations[found].x, 100 * mean_at(&frey[c], l, counts[i], "mem_util_mean"), MEAN, 0);
                ck_close(panel->annotations[found].y, 100 * mean_at(&frey[c], l, counts[i], "util_mean"), MEAN, 0);
            }
        ws_figure_free(&figure);
    }
}
END_TEST

/* Less power in one run of BERT at 250 W on 8 GPUs: one energy of Fig. 5, and no time, speed, utilisation or exponent.
 */
START_TEST(one_changed_run_changes_its_own_points)
{
    size_t n_changed = 0;
    if (!is_built)
        skip_because("wattscale-synth is not built");
    for (size_t i = 0; ws_paper_frey2022.figures[i]; i++) {
        ws_figure a, b;
        const char *name = ws_paper_frey2022.figures[i]->name;
        make(name, &frey[0], &a);
        make(name, &changed, &b);
        for (size_t p = 0; p < a.n_panels; p++)
            for (size_t l = 0; l < a.panels[p].n_layers; l++) {
                const ws_layer *x = &a.panels[p].layers[l], *y = &b.panels[p].layers[l];
                ck_assert_uint_eq(x->n, y->n);
                for (size_t k = 0; k < x->n; k++) {
                    bool is_its = strcmp(name, "frey/fig5") == 0 && p == 0 && x->label &&
                                  strcmp(x->label, "BERT") == 0 && x->x[k] == 8;
                    ck_assert(x->x[k] == y->x[k]);
                    ck_assert_msg((x->y[k] != y->y[k]) == is_its, "%s %zu: %s at %g", name, p, x->label ? x->label : "",
                                  x->x[k]);
                    if (is_its) {
                        ck_close(y->y[k],
                                 mean_at(&changed, bert_caps, 8, "epoch_kwh") /
                                     mean_at(&changed, bert_caps, 2, "epoch_kwh"),
                                 MEAN, 0);
                        ck_assert_double_lt(y->y[k], 0.85 * x->y[k]);
                    }
                    n_changed += is_its;
                }
            }
        ws_figure_free(&a);
        ws_figure_free(&b);
    }
    ck_assert_uint_eq(n_changed, 1);
    for (size_t i = 0; ws_paper_frey2022.tables[i]; i++) {
        ws_table a, b;
        ws_error error = {0};
        const ws_table_recipe *recipe = ws_paper_frey2022.tables[i];
        ck_assert_int_eq(ws_table_recipe_make(recipe, &frey[0].runs, &frey[0].scale, &a, &error), WS_OK);
        ck_assert_int_eq(ws_table_recipe_make(recipe, &changed.runs, &changed.scale, &b, &error), WS_OK);
        ck_assert(a.n_rows == b.n_rows && a.n_columns == b.n_columns);
        for (size_t row = 0; row < a.n_rows; row++)
            for (size_t column = 0; column < a.n_columns; column++) {
                char x[WS_DOUBLE_TEXT], y[WS_DOUBLE_TEXT];
                bool is_its = recipe == &ws_table_frey_energy && is_row(&a, row, "model", "BERT") &&
                              is_row(&a, row, "power_cap_w", "250") && isnan(cell_of(&a, row, "clock_cap_mhz"));
                bool changes = is_its && strstr(a.columns[column].name, "energy");
                n_changed += changes;
                if (changes)
                    ck_assert_double_lt(cell_of(&b, row, a.columns[column].name),
                                        cell_of(&a, row, a.columns[column].name));
                else if (!is_its || !strstr(a.columns[column].name, "ratio"))
                    ck_assert_str_eq(ws_table_cell_text(&a, column, row, x), ws_table_cell_text(&b, column, row, y));
            }
        ws_table_free(&a);
        ws_table_free(&b);
    }
    ck_assert_uint_eq(n_changed, 1 + 2); /* the energies of that setting, by either way */
}
END_TEST

/* Studies are told by caps and clocks, and models stand in the order of their classes. */
START_TEST(names_of_series_do_not_matter)
{
    enum { MOST = 24 };
    ws_figure before[MOST], after;
    ws_table tables[MOST], renamed;
    ws_error error = {0};
    size_t n_figures = 0, n_tables = 0;
    planted *p = &frey[0];
    for (; ws_paper_frey2022.figures[n_figures]; n_figures++)
        make(ws_paper_frey2022.figures[n_figures]->name, p, &before[n_figures]);
    for (; ws_paper_frey2022.tables[n_tables]; n_tables++)
        ck_assert_int_eq(
            ws_table_recipe_make(ws_paper_frey2022.tables[n_tables], &p->runs, &p->scale, &tables[n_tables], &error),
            WS_OK);
    rename_series(&p->runs);
    rename_series(&p->scale);
    for (size_t i = 0; i < n_figures; i++) {
        make(ws_paper_frey2022.figures[i]->name, p, &after);
        ck_same_figure(&before[i], &after);
        ws_figure_free(&after);
        ws_figure_free(&before[i]);
    }
    for (size_t i = 0; i < n_tables; i++) {
        bool is_by_series = ws_paper_frey2022.tables[i] == &ws_table_frey_exponents; /* and then by their names */
        ck_assert_int_eq(ws_table_recipe_make(ws_paper_frey2022.tables[i], &p->runs, &p->scale, &renamed, &error),
                         WS_OK);
        if (!is_by_series)
            ck_same_table(&tables[i], &renamed);
        ws_table_free(&renamed);
        ws_table_free(&tables[i]);
    }
}
END_TEST

int main(void)
{
    const TTest *const cases[] = {energies_by_mean_power_stand_beside_the_integral,
                                  tables_are_what_was_planted,
                                  laws_go_through_the_planted_times,
                                  utilisations_and_ratios_are_what_was_planted,
                                  fig2_has_the_planted_utilisations,
                                  names_of_fig2_stand_level_with_their_points,
                                  captions_name_the_table_of_their_exponents,
                                  one_changed_run_changes_its_own_points,
                                  names_of_series_do_not_matter};
    int status = run_planted("paper frey", cases, sizeof cases / sizeof *cases, plant_frey);
    for (size_t i = 0; i < n_planted; i++)
        free_planted(&frey[i]);
    free_planted(&changed);
    return status;
}
