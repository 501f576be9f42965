/* Frey et al. 2022, Figs 2 to 6 and 8 to 17. Which runs stand in which figure: frey_studies.h. */
#include "analyze/scaling/pairs_by_setting.h"
#include "analyze/recipes/frey_studies.h"
#include "analyze/recipes/series_looks.h"

#include "analyze/ingest/run_columns.h"
#include "analyze/same_rows.h"

#include <math.h>
#include <string.h>

static ws_status nothing(const ws_figure_input *in, const char *name, const char *wanted, ws_error *error)
{
    return ws_fail_recipe(error, in->runs->source, name, " ", "needs %s, which these runs do not have", wanted);
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
               ? " Bars: root-mean-square deviation of runs of the same setting from their mean."
               : "";
}

/* "250 W", or "no cap stated". */
static const char *cap_words(ws_figure *figure, const ws_levels *levels)
{
    const char *name = levels->n ? ws_level_cap_name(&figure->arena, &levels->items[0]) : "";
    return *name ? ws_arena_printf(&figure->arena, "a power cap of %s", name) : "no stated power cap";
}

/* --- Figs 3, 4, 15, 16: utilisation of SMs and memory against GPUs --- */

/* Is a series drawn on more than one number of GPUs? */
static bool has_lines(const ws_figure *figure)
{
    for (size_t p = 0; p < figure->n_panels; p++)
        for (size_t l = 0; l < figure->panels[p].n_layers; l++)
            if (figure->panels[p].layers[l].n > 1)
                return true;
    return false;
}

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
    if (ws_levels_split(in->runs, name, &levels, &figure->arena, error) != WS_OK)
        return WS_DATA;
    for (size_t i = 0; i < 2; i++) {
        ws_panel *panel = gpu_panel(figure, i ? "B" : "A", labels[is_cv][i]);
        panel->y.from_zero = true;
        if (is_cv && *ws_level_cap_name(&figure->arena, &levels.items[0])) /* what tells Figs 4, 15 and 16 apart */
            panel->title = ws_level_cap_name(&figure->arena, &levels.items[0]);
        for (size_t l = 0; l < levels.n; l++)
            add_points(figure, panel, ws_level_name(&figure->arena, &levels.items[l]), l,
                       ws_level_points(&figure->arena, in->runs, &levels.items[l], columns[is_cv][i], false), 100);
        if (!panel->n_layers)
            return nothing(in, name, "utilisation of SMs and memory in its traces", error);
    }
    if (!has_lines(figure)) /* frey/fig2 is of single ones */
        return nothing(in, name, "a model on several numbers of GPUs", error);
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

/* From the 20 % below all points, with room for a name, to the 20 % above: most of 0 to 100 % would be empty. */
static void frame_shares(ws_figure *figure)
{
    enum { STEP = 20, ROOM = 8, ROOM_FOR_NAME = 12, ALL = 100 };
    double least = ALL, most = 0, top = 0;
    for (size_t p = 0; p < figure->n_panels; p++)
        for (size_t l = 0; l < figure->panels[p].n_layers; l++) {
            const ws_layer *layer = &figure->panels[p].layers[l];
            most = fmax(most, layer->x[0]);
            top = fmax(top, layer->y[0]);
            least = fmin(least, layer->y[0]);
        }
    for (size_t p = 0; p < figure->n_panels; p++) {
        ws_axis *x = &figure->panels[p].x, *y = &figure->panels[p].y;
        x->has_range = y->has_range = true;
        x->lo = 0, x->hi = fmin(ALL, STEP * ceil((most + ROOM_FOR_NAME) / STEP));
        y->lo = fmax(0, STEP * floor((least - ROOM) / STEP)), y->hi = top > 98.5 ? 105 : ALL;
    }
}

static ws_status make_fig2(const ws_figure_input *in, ws_figure *figure, ws_error *error)
{
    ws_figure_init(figure, "frey/fig2", 180, 82, 1, 2);
    ws_levels levels = ws_study_levels(&figure->arena, in->runs, WS_STUDY_UNCAPPED, WS_ANY_MODEL);
    double counts[2], error_of;
    if (ws_levels_split(in->runs, "frey/fig2", &levels, &figure->arena, error) != WS_OK)
        return WS_DATA;
    size_t n_counts = two_counts(in, &figure->arena, &levels, counts);
    if (!n_counts)
        return nothing(in, "frey/fig2", "a number of GPUs that all models have", error);
    for (size_t l = 0; l < levels.n; l++)
        levels.items[l].model_class = levels.items[l].model_class ? levels.items[l].model_class : "";
    for (size_t c = 0; c < n_counts; c++) {
        ws_panel *panel = ws_figure_add_panel(figure, c ? "B" : "A", gpus_text(&figure->arena, counts[c]));
        panel->x = (ws_axis){.label = "Memory utilisation / %"};
        panel->y = (ws_axis){.label = "SM utilisation / %"};
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
            ws_panel_annotate(figure, panel, ws_level_name(&figure->arena, &levels.items[l]), (int)style, false, x, y);
        }
        if (!panel->n_layers)
            return nothing(in, "frey/fig2", "utilisation of SMs and memory in its traces", error);
    }
    frame_shares(figure);
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
            add_points(figure, panel, ws_level_name(&figure->arena, &levels->items[l]), l, ratios_of(p, is_speed), 1);
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
    if (ws_levels_split(in->runs, "frey/fig5", &levels, &figure->arena, error) != WS_OK)
        return WS_DATA;
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
        ws_figure_drop_panel(figure, figure->n_panels - 1);
    ws_panel *speed = gpu_panel(figure, "B", ws_arena_printf(&figure->arena, "Speed relative to %s", first));
    add_ideal_speed(figure, speed, in->runs, &levels, gpus[0], gpus[n - 1]);
    add_relative(figure, speed, in->runs, &levels, gpus[0], true);
    if (speed->n_layers == 1) /* the ideal alone */
        ws_figure_drop_panel(figure, figure->n_panels - 1);
    if (!figure->n_panels)
        return nothing(in, "frey/fig5", "times or energies of models on the same numbers of GPUs", error);
    const char *what = settle_pair(figure, "Energy (A) and speed (B)");
    figure->caption = ws_arena_printf(
        &figure->arena,
        "%s %sagainst %s, under %s.%s Models that were run "
        "under several power caps, by these runs (their exponents: frey/table4 to 6, not frey/table2).%s",
        what, of, first, cap_words(figure, &levels), strcmp(what, "Speed") == 0 ? "" : energy_is,
        ws_figure_has(figure, WS_LAYER_ERRORS)
            ? " Bars: root-mean-square deviation of the repeats, of a point's runs and of its reference's together."
            : "");
    return WS_OK;
}

/* --- Figs 6 and 17: speed and energy under power caps against the highest --- */

/* Bars of every model under each cap, at one number of GPUs. */
typedef struct cap_bars {
    const ws_table *runs;
    const ws_levels *levels;
    double gpus;
    double *caps; /* ascending */
    size_t n_caps;
    const char **models;
    size_t n_models;
    double level;
    ws_setting_columns settings;
    ws_setting_pairs pairs; /* of all that was drawn */
} cap_bars;

static void list_caps(cap_bars *b, ws_arena *arena)
{
    b->caps = ws_arena_alloc(arena, (b->levels->n + 1) * sizeof *b->caps);
    b->models = ws_arena_alloc(arena, (b->levels->n + 1) * sizeof *b->models);
    for (size_t l = 0; l < b->levels->n; l++) {
        const ws_level *level = &b->levels->items[l];
        size_t at = 0;
        if (!l || strcmp(level->model, level[-1].model) != 0)
            b->models[b->n_models++] = level->model;
        while (at < b->n_caps && b->caps[at] < level->power_cap_w)
            at++;
        if (at < b->n_caps && b->caps[at] == level->power_cap_w)
            continue;
        memmove(b->caps + at + 1, b->caps + at, (b->n_caps - at) * sizeof *b->caps);
        b->caps[at] = level->power_cap_w;
        b->n_caps++;
    }
}

static ws_row_list rows_at(const cap_bars *b, const ws_level *level, ws_arena *arena)
{
    ws_row_list rows = {ws_arena_alloc(arena, (level->rows.n + 1) * sizeof(size_t)), 0, 0};
    for (size_t i = 0; i < level->rows.n; i++)
        if (ws_runs_get(b->runs, WS_COL_GPUS, level->rows.rows[i]) == b->gpus)
            rows.rows[rows.n++] = level->rows.rows[i];
    return rows;
}

/* A time or an energy under a cap over that under another: of runs of one setting, their means; of runs of several
 * (batch sizes, data sets), the mean over those that both have. */
static double over(cap_bars *b, const ws_level *level, const ws_level *highest, const char *column, double *error,
                   ws_arena *arena)
{
    ws_points own = ws_level_points(arena, b->runs, level, column, false),
              other = ws_level_points(arena, b->runs, highest, column, false);
    double own_error, other_error, value = value_at(&own, b->gpus, &own_error),
                                   reference = value_at(&other, b->gpus, &other_error);
    double a = isfinite(own_error) ? own_error / value : 0, z = isfinite(other_error) ? other_error / reference : 0;
    *error = level != highest && a + z > 0 ? value / reference * sqrt(a * a + z * z) : NAN;
    ws_row_list rows = rows_at(b, level, arena), against = rows_at(b, highest, arena);
    const ws_levels one = {(ws_level *)level, 1};
    size_t c;
    if (level == highest || !ws_table_find(b->runs, column, &c))
        return value / reference;
    ws_work work = ws_levels_have_epochs(b->runs, &one) ? WS_PER_EPOCH : WS_PER_RUN;
    ws_setting_pairs pairs =
        ws_pair_by_setting(b->runs, rows.rows, rows.n, against.rows, against.n, &b->settings, c, work, b->level, arena);
    if (!*pairs.columns)
        return value / reference;
    ws_setting_pairs_add(&b->pairs, &pairs, arena);
    *error = pairs.half;
    return pairs.ratio;
}

static void add_cap(cap_bars *b, ws_figure *figure, ws_panel *panel, size_t cap, const char *column, bool is_speed)
{
    ws_arena *arena = &figure->arena;
    double *x = ws_arena_alloc(arena, (b->n_models + 1) * sizeof *x),
           *y = ws_arena_alloc(arena, (b->n_models + 1) * sizeof *y),
           *e = ws_arena_alloc(arena, (b->n_models + 1) * sizeof *e);
    size_t n = 0, model = 0;
    bool has_error = false;
    const ws_level *highest = b->levels->items; /* of the model: it stands first */
    for (size_t l = 0; l < b->levels->n; l++) {
        const ws_level *level = &b->levels->items[l];
        if (strcmp(level->model, highest->model) != 0) {
            highest = level;
            model++;
        }
        double error, ratio = level->power_cap_w == b->caps[cap] ? over(b, level, highest, column, &error, arena) : NAN;
        if (!isfinite(ratio))
            continue;
        x[n] = (double)model;
        y[n] = is_speed ? 1 / ratio : ratio;
        e[n] = is_speed ? error / (ratio * ratio) : error;
        has_error |= isfinite(e[n]);
        n++;
    }
    if (!n)
        return;
    ws_layer *layer = ws_panel_add_layer(figure, panel, ws_arena_printf(arena, "%g W", b->caps[cap]), WS_LAYER_BARS,
                                         (int)cap, n, x, y);
    if (has_error) {
        layer->kind |= WS_LAYER_ERRORS;
        ws_layer_set_error(figure, layer, e);
    }
}

static void add_caps_panel(cap_bars *b, ws_figure *figure, const char *column, bool is_speed)
{
    ws_panel *panel = ws_figure_add_panel(figure, is_speed ? "A" : "B", gpus_text(&figure->arena, b->gpus));
    const char *what = is_speed ? "Speed relative to %g W" : "Energy relative to %g W";
    panel->x = (ws_axis){.scale = WS_AXIS_CATEGORY, .categories = b->models, .n_categories = b->n_models};
    panel->y = (ws_axis){.label = ws_arena_printf(&figure->arena, what, b->caps[b->n_caps - 1]), .from_zero = true};
    for (size_t c = 0; c < b->n_caps; c++)
        add_cap(b, figure, panel, c, column, is_speed);
    if (panel->n_layers > 1) /* beyond the reference */
        ws_panel_add_reference(figure, panel, false, 1, "Reference");
    else
        ws_figure_drop_panel(figure, figure->n_panels - 1);
}

/* Grid, legend and caption for the panels that there are. */
static void settle_caps(const cap_bars *b, ws_figure *figure)
{
    static const char repeats[] =
        " Bars: root-mean-square deviation of the repeats, of a cap's runs and of its reference's together.";
    const char *what = settle_pair(figure, "Speed (A) and energy (B)");
    bool has_bars = ws_figure_has(figure, WS_LAYER_ERRORS);
    figure->caption = ws_arena_printf(
        &figure->arena, "%s%s under power caps at %s, each against the highest cap of its model.%s", what,
        ws_levels_have_epochs(b->runs, b->levels) ? " of an epoch" : "", gpus_text(&figure->arena, b->gpus),
        b->pairs.n ? ws_setting_pairs_are(&figure->arena, "cap", &b->pairs, b->level, has_bars)
        : has_bars ? repeats
                   : "");
}

static ws_status make_caps(const ws_figure_input *in, ws_figure *figure, const char *name, size_t which,
                           ws_error *error)
{
    ws_figure_init(figure, name, 180, 66, 1, 2);
    ws_levels levels = ws_study_levels(&figure->arena, in->runs, WS_STUDY_CAPS, WS_ANY_MODEL);
    cap_bars b = {.runs = in->runs,
                  .levels = &levels,
                  .level = in->level,
                  .settings = ws_setting_columns_of(in->runs, &figure->arena)};
    double counts[2];
    size_t n_counts = two_counts(in, &figure->arena, &levels, counts);
    if (which >= n_counts)
        return nothing(in, name, "models under several power caps at the same numbers of GPUs", error);
    b.gpus = counts[which];
    list_caps(&b, &figure->arena);
    size_t energy, epoch;
    bool has_energy = ws_table_find(in->runs, "energy_kwh", &energy) && ws_table_has_values(in->runs, energy);
    bool by_epoch = !has_energy && ws_table_find(in->runs, "epoch_energy_j", &epoch);
    add_caps_panel(&b, figure, "wall_s", true);
    add_caps_panel(&b, figure, by_epoch ? "epoch_energy_j" : "energy_kwh", false);
    if (!figure->n_panels)
        return nothing(in, name, "times or energies under several power caps of runs that agree in all other settings",
                       error);
    ws_figure_ramp_bars(figure, in->runs->looks, (int)b.n_caps - 1);
    settle_caps(&b, figure);
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

static bool has_one_model(const ws_levels *levels)
{
    for (size_t i = 1; i < levels->n; i++)
        if (strcmp(levels->items[i].model, levels->items[0].model) != 0)
            return false;
    return true;
}

static const char *label_of(ws_figure *figure, const ws_levels *levels, size_t l, ws_study study)
{
    const ws_level *level = &levels->items[l];
    bool one_model = has_one_model(levels);
    const char *setting = study == WS_STUDY_CAPS     ? ws_level_cap_name(&figure->arena, level)
                          : study == WS_STUDY_CLOCKS ? ws_level_clock_name(&figure->arena, level)
                                                     : "";
    const char *own = one_model && *setting ? level->part ? level->part : "" : ws_level_name(&figure->arena, level);
    return ws_arena_printf(&figure->arena, "%s%s%s", own, *own && *setting ? ", " : "", setting);
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
    if (ws_levels_split(in->runs, name, &levels, &figure->arena, error) != WS_OK)
        return WS_DATA;
    bool per_epoch = ws_levels_have_epochs(in->runs, &levels);
    ws_panel *panel = gpu_panel(figure, NULL, per_epoch ? "Time per epoch / s" : "Wall time / s");
    panel->y.scale = WS_AXIS_LOG10;
    if (study != WS_STUDY_UNCAPPED && has_one_model(&levels)) /* which its legend does not name */
        panel->title = levels.items[0].model;
    ws_status status = WS_OK;
    for (size_t l = 0; status == WS_OK && l < levels.n; l++)
        status = add_law(in, figure, panel, &levels, l, study, error);
    if (status == WS_OK && !ws_figure_has(figure, WS_LAYER_LINE))
        return nothing(in, name, "several numbers of GPUs of a model of its class", error);
    figure->legend = WS_LEGEND_TOP;
    const char *held = study == WS_STUDY_CLOCKS ? cap_words(figure, &levels)
                       : study == WS_STUDY_CAPS ? *ws_level_clock_name(&figure->arena, &levels.items[0])
                                                      ? ws_level_clock_name(&figure->arena, &levels.items[0])
                                                      : "clocks that are not stated"
                                                : "the highest stated power cap and clock";
    figure->caption =
        ws_arena_printf(&figure->arena,
                        "%s of %s against the number of GPUs, at %s.%s Lines: power law, the time as n to the "
                        "power of −β, by least squares of the "
                        "logarithms of the means, with the standard error of β%s.%s",
                        per_epoch ? "Time per epoch" : "Wall time", levels.items[0].model, held, bars(figure),
                        ws_bands_are(figure, in->level), table_of(study, kind));
    if (study == WS_STUDY_UNCAPPED)
        figure->caption =
            ws_arena_printf(&figure->arena,
                            "%s against the number of GPUs, at %s.%s Lines: power law, the time as n to the "
                            "power of −β, by least squares of the "
                            "logarithms of the means, with the standard error of β%s.%s",
                            per_epoch ? "Time per epoch" : "Wall time", held, bars(figure),
                            ws_bands_are(figure, in->level), table_of(study, kind));
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
        .pairs_settings = true,                                   \
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
