/* Frey et al. 2022, Figs 2 to 6 and 8 to 17. Which runs stand in which figure: frey_studies.h. */
#include "analyze/recipes/frey_studies.h"

#include "analyze/ingest/run_columns.h"

#include <math.h>
#include <string.h>

static ws_status nothing(const ws_figure_input *in, const char *name, const char *wanted, ws_error *error)
{
    return ws_fail_at(error, WS_DATA, in->runs->source, 0, "%s needs %s, which these runs do not have", name, wanted);
}

/* Models under several caps where there are some, else each model without a cap: one level a model, the `nth` highest
 * cap of it (a model with fewer caps has none). */
static ws_levels one_a_model(const ws_figure_input *in, ws_arena *arena, size_t nth)
{
    ws_levels all = ws_study_levels(arena, in->runs, WS_STUDY_CAPS, WS_ANY_MODEL), found = {NULL, 0};
    if (!all.n && nth == 0)
        return ws_study_levels(arena, in->runs, WS_STUDY_UNCAPPED, WS_ANY_MODEL);
    found.items = ws_arena_alloc(arena, (all.n + 1) * sizeof *found.items);
    for (size_t i = 0, place = 0; i < all.n; i++) {
        place = i && strcmp(all.items[i].model, all.items[i - 1].model) == 0 ? place + 1 : 0;
        if (place == nth)
            found.items[found.n++] = all.items[i];
    }
    return found;
}

static const char *gpus_text(ws_arena *arena, double count)
{
    return ws_arena_printf(arena, "%.10g GPU%s", count, count == 1 ? "" : "s");
}

static void add_points(ws_figure *figure, ws_panel *panel, const char *label, size_t style, ws_points p, double factor)
{
    for (size_t i = 0; i < p.n; i++) {
        p.y[i] *= factor;
        p.error[i] *= factor;
    }
    if (p.n)
        ws_points_draw(figure, panel, label, WS_LAYER_LINE | WS_LAYER_MARKERS, (int)style, &p);
}

static ws_panel *gpu_panel(ws_figure *figure, const char *letter, const char *y_label)
{
    ws_panel *panel = ws_figure_add_panel(figure, letter, NULL);
    panel->x = (ws_axis){.scale = WS_AXIS_LOG2, .label = "Number of GPUs"};
    panel->y = (ws_axis){.label = y_label};
    return panel;
}

static const char *bars(const ws_figure *figure)
{
    return ws_figure_has(figure, WS_LAYER_ERRORS)
               ? " Bars: root mean square deviation of runs of the same setting from their mean."
               : "";
}

/* "250 W", or "no cap stated". */
static const char *cap_words(ws_figure *figure, const ws_levels *levels)
{
    const char *name = levels->n ? ws_level_cap_name(&figure->arena, &levels->items[0]) : "";
    return *name ? ws_arena_printf(&figure->arena, "a power cap of %s", name) : "no stated power cap";
}

/* --- Figs 3, 4, 15, 16: utilisation of SMs and memory against GPUs --- */

static ws_status make_utilisation(const ws_figure_input *in, ws_figure *figure, const char *name, bool is_cv,
                                  size_t nth, ws_error *error)
{
    static const char *const columns[2][2] = {{"util_mean", "mem_util_mean"}, {"util_cv", "mem_util_cv"}};
    static const char *const labels[2][2] = {{"SM utilisation / %", "Memory utilisation / %"},
                                             {"CV of SM utilisation / %", "CV of memory utilisation / %"}};
    ws_figure_init(figure, name, 180, 70, 1, 2);
    ws_levels levels = one_a_model(in, &figure->arena, nth);
    if (!levels.n)
        return nothing(in, name, nth ? "another, lower power cap" : "a model with numbers of GPUs", error);
    for (size_t i = 0; i < 2; i++) {
        ws_panel *panel = gpu_panel(figure, i ? "B" : "A", labels[is_cv][i]);
        panel->y.from_zero = true;
        for (size_t l = 0; l < levels.n; l++)
            add_points(figure, panel, levels.items[l].model, l,
                       ws_level_points(&figure->arena, in->runs, &levels.items[l], columns[is_cv][i], false), 100);
        if (!panel->n_layers)
            return nothing(in, name, "utilisation of SMs and memory in its traces", error);
    }
    figure->legend = WS_LEGEND_TOP;
    figure->caption = ws_arena_printf(
        &figure->arena,
        "%stilisation of SMs (A) and utilisation of memory (B) against the number of GPUs, under %s; mean over the "
        "GPUs of a run.%s",
        is_cv ? "Coefficient of variation over time: u" : "U", cap_words(figure, &levels), bars(figure));
    return WS_OK;
}

static ws_status make_fig3(const ws_figure_input *in, ws_figure *figure, ws_error *error)
{
    return make_utilisation(in, figure, "frey/fig3", false, 0, error);
}

static ws_status make_fig4(const ws_figure_input *in, ws_figure *figure, ws_error *error)
{
    return make_utilisation(in, figure, "frey/fig4", true, 0, error);
}

static ws_status make_fig15(const ws_figure_input *in, ws_figure *figure, ws_error *error)
{
    return make_utilisation(in, figure, "frey/fig15", true, 1, error);
}

static ws_status make_fig16(const ws_figure_input *in, ws_figure *figure, ws_error *error)
{
    return make_utilisation(in, figure, "frey/fig16", true, 2, error);
}

/* --- Fig. 2: memory against SM utilisation at two numbers of GPUs, by class of model --- */

/* The fewest GPUs that all have, and 128 or the most below it. */
static size_t two_counts(const ws_figure_input *in, ws_arena *arena, const ws_levels *levels, double counts[2])
{
    double *gpus;
    size_t n = ws_levels_common_gpus(arena, in->runs, levels, &gpus), last = n ? n - 1 : 0;
    if (!n)
        return 0;
    while (last > 1 && gpus[last] > 128)
        last--;
    counts[0] = gpus[0];
    counts[1] = gpus[last];
    return n > 1 ? 2 : 1;
}

static double value_at(const ws_points *p, double x, double *error)
{
    for (size_t i = 0; i < p->n; i++)
        if (p->x[i] == x) {
            *error = p->error[i];
            return p->y[i];
        }
    *error = NAN;
    return NAN;
}

/* The place of a class among those of the levels before: classes have one colour. */
static size_t class_style(const ws_levels *levels, size_t level, bool *is_first)
{
    size_t style = 0;
    *is_first = true;
    for (size_t i = 0; i < level; i++) {
        bool is_new = true;
        for (size_t j = 0; j < i; j++)
            is_new &= strcmp(levels->items[i].model_class, levels->items[j].model_class) != 0;
        if (strcmp(levels->items[i].model_class, levels->items[level].model_class) == 0) {
            size_t before = 0;
            for (size_t j = 0; j < i; j++) {
                bool counts = true;
                for (size_t k = 0; k < j; k++)
                    counts &= strcmp(levels->items[j].model_class, levels->items[k].model_class) != 0;
                before += counts;
            }
            *is_first = false;
            return before;
        }
        style += is_new;
    }
    return style;
}

static ws_status make_fig2(const ws_figure_input *in, ws_figure *figure, ws_error *error)
{
    ws_figure_init(figure, "frey/fig2", 180, 82, 1, 2);
    ws_levels levels = ws_study_levels(&figure->arena, in->runs, WS_STUDY_UNCAPPED, WS_ANY_MODEL);
    double counts[2], error_of;
    size_t n_counts = two_counts(in, &figure->arena, &levels, counts);
    if (!n_counts)
        return nothing(in, "frey/fig2", "a number of GPUs that all models have", error);
    for (size_t l = 0; l < levels.n; l++)
        levels.items[l].model_class = levels.items[l].model_class ? levels.items[l].model_class : "";
    for (size_t c = 0; c < n_counts; c++) {
        ws_panel *panel = ws_figure_add_panel(figure, c ? "B" : "A", gpus_text(&figure->arena, counts[c]));
        panel->x = (ws_axis){.label = "Memory utilisation / %", .has_range = true, .lo = 0, .hi = 100};
        panel->y = (ws_axis){.label = "SM utilisation / %", .has_range = true, .lo = 0, .hi = 105};
        for (size_t l = 0; l < levels.n; l++) {
            bool is_first;
            size_t style = class_style(&levels, l, &is_first);
            ws_points sm = ws_level_points(&figure->arena, in->runs, &levels.items[l], "util_mean", false);
            ws_points memory = ws_level_points(&figure->arena, in->runs, &levels.items[l], "mem_util_mean", false);
            double x = 100 * value_at(&memory, counts[c], &error_of), y = 100 * value_at(&sm, counts[c], &error_of);
            if (isnan(x) || isnan(y))
                continue;
            const char *label = is_first && *levels.items[l].model_class ? levels.items[l].model_class : NULL;
            ws_panel_add_layer(figure, panel, label, WS_LAYER_MARKERS, (int)style, 1, &x, &y);
            ws_panel_annotate(figure, panel, levels.items[l].model, (int)style, false, x, y);
        }
        if (!panel->n_layers)
            return nothing(in, "frey/fig2", "utilisation of SMs and memory in its traces", error);
    }
    figure->legend = WS_LEGEND_TOP;
    figure->caption =
        ws_arena_printf(&figure->arena,
                        "Utilisation of SMs against that of memory, mean over time and the GPUs of a run, at %s%s, "
                        "by class of model; highest stated power cap and clock.",
                        n_counts > 1 ? ws_arena_printf(&figure->arena, "%.10g and ", counts[0]) : "",
                        gpus_text(&figure->arena, counts[n_counts > 1]));
    return WS_OK;
}

/* --- Fig. 5: energy and speed of an epoch against the fewest GPUs --- */

/* y / y of the first point, or its inverse; errors by both sides. */
static ws_points ratios_of(ws_points p, bool is_speed)
{
    double first = p.n ? p.y[0] : NAN, first_share = p.n && isfinite(p.error[0]) ? p.error[0] / first : 0;
    for (size_t i = 0; i < p.n; i++) {
        double share = p.error[i] / p.y[i];
        p.y[i] = is_speed ? first / p.y[i] : p.y[i] / first;
        p.error[i] = i ? p.y[i] * sqrt(share * share + first_share * first_share) : NAN;
    }
    return p;
}

/* Speed in proportion to the GPUs, as far as any model was run. */
static void add_ideal_speed(ws_figure *figure, ws_panel *panel, const ws_table *runs, const ws_levels *levels,
                            double first, double last)
{
    double most = last;
    for (size_t l = 0; l < levels->n; l++)
        for (size_t r = 0; r < levels->items[l].rows.n; r++)
            most = fmax(most, ws_table_number(runs, WS_COL_GPUS, levels->items[l].rows.rows[r]));
    const double x[] = {first, most}, y[] = {1, most / first};
    panel->y.scale = WS_AXIS_LOG2;
    ws_panel_add_layer(figure, panel, "Ideal", WS_LAYER_LINE | WS_LAYER_DASHED, -1, 2, x, y);
}

/* Grid and legend for the panels of speed and energy that there are, either of which may be unknown. Returns the words
 * for them, `both` for two. */
static const char *settle_pair(ws_figure *figure, const char *both)
{
    bool is_speed = strncmp(figure->panels[0].y.label, "Speed", 5) == 0;
    figure->legend = WS_LEGEND_TOP;
    figure->columns = figure->n_panels;
    if (figure->n_panels > 1)
        return both;
    figure->panels[0].letter = NULL;
    figure->width_mm = 88;
    return is_speed ? "Speed" : "Energy";
}

/* Energy, or speed, relative to that with `first` GPUs. */
static void add_relative(ws_figure *figure, ws_panel *panel, const ws_table *runs, const ws_levels *levels,
                         double first, bool is_speed)
{
    for (size_t l = 0; l < levels->n; l++) {
        ws_points p =
            ws_level_points(&figure->arena, runs, &levels->items[l], is_speed ? "wall_s" : "energy_kwh", false);
        if (p.n && p.x[0] == first)
            add_points(figure, panel, levels->items[l].model, l, ratios_of(p, is_speed), 1);
    }
}

static ws_status make_fig5(const ws_figure_input *in, ws_figure *figure, ws_error *error)
{
    static const char energy_is[] =
        " Energy: mean power times run time where traces are excerpts, as the paper has it, "
        "else the integral of the power.";
    ws_figure_init(figure, "frey/fig5", 180, 70, 1, 2);
    ws_levels levels = one_a_model(in, &figure->arena, 0);
    double *gpus;
    size_t n = ws_levels_common_gpus(&figure->arena, in->runs, &levels, &gpus);
    if (n < 2)
        return nothing(in, "frey/fig5", "two numbers of GPUs that all models have", error);
    const char *of = ws_levels_have_epochs(in->runs, &levels) ? "of an epoch " : "";
    const char *first = gpus_text(&figure->arena, gpus[0]);
    ws_panel *energy = gpu_panel(figure, "A", ws_arena_printf(&figure->arena, "Energy relative to %s", first));
    add_relative(figure, energy, in->runs, &levels, gpus[0], false);
    if (energy->n_layers)
        ws_panel_add_reference(figure, energy, false, 1, "Ideal"); /* as B has it */
    else
        figure->n_panels--;
    ws_panel *speed = gpu_panel(figure, "B", ws_arena_printf(&figure->arena, "Speed relative to %s", first));
    add_ideal_speed(figure, speed, in->runs, &levels, gpus[0], gpus[n - 1]);
    add_relative(figure, speed, in->runs, &levels, gpus[0], true);
    const char *what = settle_pair(figure, "Energy (A) and speed (B)");
    figure->caption = ws_arena_printf(
        &figure->arena,
        "%s %sagainst %s, under %s.%s Models that were run "
        "under several power caps, by these runs (their exponents: frey/table4 to 6, not frey/table2).%s",
        what, of, first, cap_words(figure, &levels), strcmp(what, "Speed") == 0 ? "" : energy_is, bars(figure));
    return WS_OK;
}

/* --- Figs 6 and 17: speed and energy under power caps against the highest --- */

/* Grid, legend and caption for the panels that there are. */
static void settle_caps(ws_figure *figure, bool is_of_epoch, const char *gpus)
{
    const char *what = settle_pair(figure, "Speed (A) and energy (B)");
    figure->caption =
        ws_arena_printf(&figure->arena, "%s%s under power caps at %s, each against the highest cap of its model.%s",
                        what, is_of_epoch ? " of an epoch" : "", gpus, bars(figure));
}

static ws_status make_caps(const ws_figure_input *in, ws_figure *figure, const char *name, size_t which,
                           ws_error *error)
{
    ws_figure_init(figure, name, 180, 66, 1, 2);
    ws_arena *arena = &figure->arena;
    ws_levels levels = ws_study_levels(arena, in->runs, WS_STUDY_CAPS, WS_ANY_MODEL);
    double counts[2], *caps = ws_arena_alloc(arena, (levels.n + 1) * sizeof *caps);
    size_t n_counts = two_counts(in, arena, &levels, counts), n_caps = 0, n_models = 0;
    if (which >= n_counts)
        return nothing(in, name, "models under several power caps at the same numbers of GPUs", error);
    const char **models = ws_arena_alloc(arena, (levels.n + 1) * sizeof *models);
    for (size_t l = 0; l < levels.n; l++) { /* caps ascend */
        size_t at = 0;
        if (!l || strcmp(levels.items[l].model, levels.items[l - 1].model) != 0)
            models[n_models++] = levels.items[l].model;
        while (at < n_caps && caps[at] < levels.items[l].power_cap_w)
            at++;
        if (at < n_caps && caps[at] == levels.items[l].power_cap_w)
            continue;
        memmove(caps + at + 1, caps + at, (n_caps - at) * sizeof *caps);
        caps[at] = levels.items[l].power_cap_w;
        n_caps++;
    }
    for (size_t i = 0; i < 2; i++) {
        ws_panel *panel = ws_figure_add_panel(figure, i ? "B" : "A", NULL);
        const char *what = i ? "Energy relative to %g W" : "Speed relative to %g W";
        panel->x = (ws_axis){.scale = WS_AXIS_CATEGORY, .categories = models, .n_categories = n_models};
        panel->y = (ws_axis){.label = ws_arena_printf(arena, what, caps[n_caps - 1]), .from_zero = true};
        for (size_t c = 0; c < n_caps; c++) {
            double *x = ws_arena_alloc(arena, (n_models + 1) * sizeof *x),
                   *y = ws_arena_alloc(arena, (n_models + 1) * sizeof *y),
                   *e = ws_arena_alloc(arena, (n_models + 1) * sizeof *e);
            size_t n = 0, model = 0;
            bool has_error = false;
            double reference = NAN, reference_error = NAN;
            for (size_t l = 0; l < levels.n; l++) {
                const ws_level *level = &levels.items[l];
                ws_points p = ws_level_points(arena, in->runs, level, i ? "energy_kwh" : "wall_s", false);
                double error_of, value = value_at(&p, counts[which], &error_of);
                if (!l || strcmp(level->model, levels.items[l - 1].model) != 0) { /* the highest cap stands first */
                    model += l > 0;
                    reference = value;
                    reference_error = error_of;
                }
                if (level->power_cap_w != caps[c] || !isfinite(value) || !isfinite(reference))
                    continue;
                x[n] = (double)model;
                y[n] = i ? value / reference : reference / value;
                double a = isfinite(error_of) ? error_of / value : 0,
                       b = isfinite(reference_error) ? reference_error / reference : 0;
                e[n] = value != reference && a + b > 0 ? y[n] * sqrt(a * a + b * b) : NAN;
                has_error |= isfinite(e[n]);
                n++;
            }
            if (!n)
                continue;
            ws_layer *layer = ws_panel_add_layer(figure, panel, ws_arena_printf(arena, "%g W", caps[c]), WS_LAYER_BARS,
                                                 (int)c, n, x, y);
            if (has_error) {
                layer->kind |= WS_LAYER_ERRORS;
                ws_layer_set_error(figure, layer, e);
            }
        }
        if (panel->n_layers)
            ws_panel_add_reference(figure, panel, false, 1, "Reference");
        else
            figure->n_panels--;
    }
    if (!figure->n_panels)
        return nothing(in, name, "times or energies of models under several power caps", error);
    settle_caps(figure, ws_levels_have_epochs(in->runs, &levels), gpus_text(arena, counts[which]));
    return WS_OK;
}

static ws_status make_fig6(const ws_figure_input *in, ws_figure *figure, ws_error *error)
{
    return make_caps(in, figure, "frey/fig6", 0, error);
}

static ws_status make_fig17(const ws_figure_input *in, ws_figure *figure, ws_error *error)
{
    return make_caps(in, figure, "frey/fig17", 1, error);
}

/* --- Figs 8 to 14: time of an epoch against GPUs, with power laws --- */

static const char *label_of(ws_figure *figure, const ws_levels *levels, size_t l, ws_study study)
{
    const ws_level *level = &levels->items[l];
    bool one_model = true;
    for (size_t i = 1; i < levels->n; i++)
        one_model &= strcmp(levels->items[i].model, levels->items[0].model) == 0;
    const char *setting = study == WS_STUDY_CAPS     ? ws_level_cap_name(&figure->arena, level)
                          : study == WS_STUDY_CLOCKS ? ws_level_clock_name(&figure->arena, level)
                                                     : "";
    return ws_arena_printf(&figure->arena, "%s%s%s", one_model && *setting ? "" : level->model,
                           one_model || !*setting ? "" : ", ", setting);
}

/* "DimeNet: β = 0.82 ± 0.03, R^{2} = 0.990" */
static const char *with_exponent(ws_figure *figure, const char *label, const ws_fit *fit)
{
    const ws_estimate *exponent = ws_fit_estimate(fit, "exponent");
    char r2[WS_DOUBLE_TEXT];
    if (!exponent || !isfinite(exponent->value))
        return label;
    ws_double_text_decimals(r2, fit->r2, 3);
    return ws_arena_printf(&figure->arena, "%s%sβ = %s, R^{2} %s", label, *label ? ": " : "",
                           ws_value_text(&figure->arena, fit, -exponent->value, exponent->se),
                           fit->r2 > 0.999 ? "> 0.999" : ws_arena_printf(&figure->arena, "= %s", r2));
}

static ws_status add_law(const ws_figure_input *in, ws_figure *figure, ws_panel *panel, const ws_levels *levels,
                         size_t l, ws_study study, ws_error *error)
{
    ws_fit fit = {0};
    ws_points p = ws_level_points(&figure->arena, in->runs, &levels->items[l], "wall_s", true);
    ws_points means = ws_level_points(&figure->arena, in->runs, &levels->items[l], "wall_s", false);
    const char *label = label_of(figure, levels, l, study);
    if (!p.n)
        return WS_OK;
    size_t first = panel->n_layers;
    ws_drawn_curve curve = {"powerlaw", in->level, true, false, (int)l, label, false};
    ws_status status = ws_curve_add(figure, panel, &curve, &p, &fit, error);
    label = ws_arena_strdup(&figure->arena, with_exponent(figure, label, &fit));
    for (size_t i = first; i < panel->n_layers; i++)
        panel->layers[i].label = label;
    if (status == WS_OK)
        ws_points_draw(figure, panel, label, WS_LAYER_MARKERS, (int)l, &means);
    return status;
}

/* Of a model that was run for several studies the tables have several exponents, and a caption says which it shows. */
static const char *table_of(ws_study study, ws_model_kind kind)
{
    if (study == WS_STUDY_UNCAPPED)
        return " The exponents are those of frey/table2.";
    if (study == WS_STUDY_CLOCKS)
        return kind == WS_GEOMETRIC ? " The exponents are those of frey/table3." : "";
    return kind == WS_GEOMETRIC  ? " The exponents are those of frey/table4."
           : kind == WS_LANGUAGE ? " The exponents are those of frey/table5."
                                 : " The exponents are those of frey/table6.";
}

static ws_status make_laws(const ws_figure_input *in, ws_figure *figure, const char *name, ws_study study,
                           ws_model_kind kind, ws_error *error)
{
    ws_figure_init(figure, name, 88, 80, 1, 1);
    ws_levels levels = ws_study_levels(&figure->arena, in->runs, study, kind);
    if (!levels.n)
        return nothing(in, name,
                       study == WS_STUDY_UNCAPPED ? "models of its class (model_class)"
                       : study == WS_STUDY_CAPS   ? "a model of its class under several power caps"
                                                  : "a model of its class under several clocks",
                       error);
    bool per_epoch = ws_levels_have_epochs(in->runs, &levels);
    ws_panel *panel = gpu_panel(figure, NULL, per_epoch ? "Time per epoch / s" : "Wall time / s");
    panel->y.scale = WS_AXIS_LOG10;
    ws_status status = WS_OK;
    for (size_t l = 0; status == WS_OK && l < levels.n; l++)
        status = add_law(in, figure, panel, &levels, l, study, error);
    figure->legend = WS_LEGEND_TOP;
    const char *held = study == WS_STUDY_CLOCKS ? cap_words(figure, &levels)
                       : study == WS_STUDY_CAPS ? *ws_level_clock_name(&figure->arena, &levels.items[0])
                                                      ? ws_level_clock_name(&figure->arena, &levels.items[0])
                                                      : "no stated clock"
                                                : "the highest stated power cap and clock";
    figure->caption = ws_arena_printf(
        &figure->arena,
        "%s of %s against the number of GPUs, at %s.%s Lines: power law t = α n^(−β) by least squares of the "
        "logarithms of the means, with the standard error of β%s.%s",
        per_epoch ? "Time per epoch" : "Wall time", levels.items[0].model, held, bars(figure),
        ws_bands_are(figure, in->level), table_of(study, kind));
    if (study == WS_STUDY_UNCAPPED)
        figure->caption = ws_arena_printf(
            &figure->arena,
            "%s against the number of GPUs, at %s.%s Lines: power law t = α n^(−β) by least squares of the "
            "logarithms of the means, with the standard error of β%s.%s",
            per_epoch ? "Time per epoch" : "Wall time", held, bars(figure), ws_bands_are(figure, in->level),
            table_of(study, kind));
    return status;
}

#define LAWS(n, study, kind)                                                                    \
    static ws_status make_fig##n(const ws_figure_input *in, ws_figure *figure, ws_error *error) \
    {                                                                                           \
        return make_laws(in, figure, "frey/fig" #n, study, kind, error);                        \
    }
LAWS(8, WS_STUDY_UNCAPPED, WS_GEOMETRIC)
LAWS(9, WS_STUDY_CLOCKS, WS_GEOMETRIC)
LAWS(10, WS_STUDY_CAPS, WS_GEOMETRIC)
LAWS(11, WS_STUDY_CAPS, WS_LANGUAGE)
LAWS(12, WS_STUDY_UNCAPPED, WS_VISION)
LAWS(13, WS_STUDY_CLOCKS, WS_VISION)
LAWS(14, WS_STUDY_CAPS, WS_VISION)

static const char *const needs[] = {"gpus", NULL};
#define FIGURE(n, what_it_takes, summary_of)                      \
    const ws_figure_recipe ws_figure_frey_fig##n = {              \
        .name = "frey/fig" #n,                                    \
        .summary = summary_of " (Frey et al. 2022, Fig. " #n ")", \
        .source = WS_FIGURE_OF_CAMPAIGN,                          \
        .takes = what_it_takes,                                   \
        .needs = needs,                                           \
        .make = make_fig##n,                                      \
    };
FIGURE(2, 0, "utilisation of SMs against memory at two numbers of GPUs, by class of model")
FIGURE(3, 0, "utilisation of SMs and memory against GPUs")
FIGURE(4, 0, "variation of the utilisation against GPUs under the highest power cap")
FIGURE(5, 0, "energy and speed of an epoch against the fewest GPUs")
FIGURE(6, 0, "speed and energy under power caps on the fewest GPUs")
FIGURE(8, WS_TAKES_BAND, "time per epoch of geometric models against GPUs")
FIGURE(9, WS_TAKES_BAND, "time per epoch of a geometric model under clocks")
FIGURE(10, WS_TAKES_BAND, "time per epoch of a geometric model under power caps")
FIGURE(11, WS_TAKES_BAND, "time per epoch of a language model under power caps")
FIGURE(12, WS_TAKES_BAND, "time per epoch of vision models against GPUs")
FIGURE(13, WS_TAKES_BAND, "time per epoch of a vision model under clocks")
FIGURE(14, WS_TAKES_BAND, "time per epoch of a vision model under power caps")
FIGURE(15, 0, "variation of the utilisation under the next power cap")
FIGURE(16, 0, "variation of the utilisation under the third power cap")
FIGURE(17, 0, "speed and energy under power caps on 128 GPUs, or the most below")
