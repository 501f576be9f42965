/* Figures 2, 3, 4, 6 and 7 of Huber et al. 2025: ResNet50 and FourCastNet on a growing number of GPUs, by the batch
 * size that is held. Fig. 2 and 4 keep the data set, so that a speed-up has a meaning (A); in Fig. 3 it grows with the
 * GPUs, and A is the training time. */
#include "analyze/recipes/held_batch.h"

#include "analyze/recipes/paper.h"
#include "analyze/recipes/paper_order.h"
#include "core/text.h"
#include "report/figure/caption_panels.h"
#include "report/figure/figure_style.h"
#include "report/table/table_print.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

static const char *const resnet[] = {"resnet", NULL}, *const fourcastnet[] = {"fourcast", "afno", NULL};

typedef struct huber_figure {
    ws_held_choice choice;
    const char *speedup;   /* letter of its panel, NULL for none */
    const char *reference; /* of the speed-up, where the user names none: "all" or "series" */
    const char *const *letters;
    const ws_series_panel *panels;
    size_t n_panels;
    const char *caption;
} huber_figure;

static double configuration_value(const ws_table *scale, const char *name, size_t row)
{
    size_t column;
    return ws_table_find(scale, name, &column) ? ws_table_number(scale, column, row) : NAN;
}

static double gpus_of(const ws_series_list *list, const ws_series *s, size_t i)
{
    return configuration_value(list->scale, "gpus", s->configurations.rows[i]);
}

/* The configuration with so many GPUs (NaN: the fewest) in one series; false where it has none. */
static bool find_in_series(const ws_series_list *list, const ws_series *s, double gpus, size_t *row)
{
    for (size_t i = 0; i < s->configurations.n; i++) {
        *row = s->configurations.rows[i];
        if ((isnan(gpus) || gpus_of(list, s, i) == gpus) && configuration_value(list->scale, "wall_s", *row) > 0)
            return true;
    }
    return false;
}

static bool same_cell(const ws_table *t, const char *name, size_t a, size_t b)
{
    char first[WS_DOUBLE_TEXT], second[WS_DOUBLE_TEXT];
    size_t column;
    return !ws_table_find(t, name, &column) ||
           strcmp(ws_table_cell_text(t, column, a, first), ws_table_cell_text(t, column, b, second)) == 0;
}

/* No model, device or cap is the reference of another, as in ws_scale. */
static bool same_setting(const ws_series_list *list, const ws_series *a, const ws_series *b)
{
    static const char *const settings[] = {"model", "model_class", "device", "power_cap_w", "clock_cap_hz"};
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        if (!same_cell(list->scale, settings[i], a->configurations.rows[0], b->configurations.rows[0]))
            return false;
    return true;
}

/* "series": the fewest GPUs of each; "all": the fewest of any with the same model, device and caps, the first series
 * before others, whatever order they are drawn in; "gpus=N": N GPUs of the series, or of the first of these that has
 * them. */
static bool find_reference(const ws_series_list *list, size_t series, const char *which, size_t *row)
{
    double gpus = NAN;
    size_t rank = 0;
    bool found = false;
    if (strncmp(which, "gpus=", 5) == 0)
        ws_span_double(ws_span_of(which + 5), &gpus);
    if (strcmp(which, "all") != 0 && find_in_series(list, &list->items[series], gpus, row))
        return true;
    for (size_t s = 0; strcmp(which, "series") != 0 && s < list->n; s++) {
        size_t one;
        if (!list->items[s].configurations.n || !same_setting(list, &list->items[s], &list->items[series]) ||
            !find_in_series(list, &list->items[s], gpus, &one))
            continue;
        double own = configuration_value(list->scale, "gpus", one),
               best = found ? configuration_value(list->scale, "gpus", *row) : INFINITY;
        if (!found || own < best || (own == best && list->items[s].rank < rank)) {
            *row = one;
            rank = list->items[s].rank;
        }
        found = true;
    }
    return found;
}

/* The squared relative spread of the times of runs about the means of their configurations, pooled over a series
 * (ratios.c has it in logarithms). RMSE has the divisor n. NaN where nothing was repeated. */
static double pooled_variance(const ws_table *scale, const ws_row_list *configurations)
{
    double squares = 0, df = 0;
    for (size_t i = 0; i < configurations->n; i++) {
        size_t row = configurations->rows[i];
        double n = configuration_value(scale, "n_runs", row);
        double share = configuration_value(scale, "wall_s_rmse", row) / configuration_value(scale, "wall_s", row);
        if (!(n > 1) || !isfinite(share))
            continue;
        squares += n * share * share;
        df += n - 1;
    }
    return df > 0 && squares > 0 ? squares / df : NAN;
}

/* As the table of configurations has it, where it refers to the same. */
static double error_of_speedup(const ws_table *scale, size_t row, size_t reference, double speedup, double variance)
{
    double known = configuration_value(scale, "speedup", row);
    if (fabs(known - speedup) < 1e-12 * speedup)
        return configuration_value(scale, "speedup_pooled_se", row);
    double n = configuration_value(scale, "n_runs", row), n_reference = configuration_value(scale, "n_runs", reference);
    return speedup * sqrt(variance * (1 / n + 1 / n_reference));
}

static ws_points speedups(const ws_series_list *list, ws_figure *figure, size_t series, size_t reference)
{
    ws_points p = ws_points_take(&figure->arena, list->scale, &list->items[series].configurations, "gpus", "wall_s",
                                 "wall_s_rmse");
    double time = configuration_value(list->scale, "wall_s", reference);
    double variance = pooled_variance(list->scale, &list->items[series].configurations);
    p.has_error = false;
    for (size_t i = 0; i < p.n; i++) {
        size_t row;
        p.y[i] = time / p.y[i];
        p.error[i] = NAN;
        if (find_in_series(list, &list->items[series], p.x[i], &row) && row != reference)
            p.error[i] = error_of_speedup(list->scale, row, reference, p.y[i], variance);
        p.has_error |= isfinite(p.error[i]);
    }
    return p;
}

/* One ideal line for each number of GPUs that speed-ups refer to, over the GPUs of the series that refer to it. */
static void add_ideal(const ws_series_list *list, const size_t *reference, ws_figure *figure, ws_panel *panel,
                      size_t series)
{
    double n_reference = configuration_value(list->scale, "gpus", reference[series]), lo = INFINITY, hi = -INFINITY;
    for (size_t s = 0; s < list->n; s++) {
        const ws_row_list *of = &list->items[s].configurations;
        if (reference[s] == SIZE_MAX || configuration_value(list->scale, "gpus", reference[s]) != n_reference)
            continue;
        if (s < series)
            return;
        lo = fmin(lo, gpus_of(list, &list->items[s], 0));
        hi = fmax(hi, gpus_of(list, &list->items[s], of->n - 1));
    }
    const double x[] = {lo, hi}, y[] = {lo / n_reference, hi / n_reference};
    ws_panel_add_layer(figure, panel, panel->n_layers ? NULL : "Ideal", WS_LAYER_LINE | WS_LAYER_DASHED, -1, 2, x, y);
}

/* "1 GPU of LBS 256", or "the fewest GPUs of each series". */
static const char *reference_text(const ws_series_list *list, const size_t *reference, const char *which,
                                  ws_arena *arena)
{
    for (size_t s = 1; s < list->n; s++)
        if (reference[s] != reference[0])
            return strcmp(which, "all") == 0 ? "the fewest GPUs of each model, device and cap"
                                             : "the fewest GPUs of each series";
    if (reference[0] == SIZE_MAX)
        return "no configuration";
    char gpus[WS_DOUBLE_TEXT];
    double n = configuration_value(list->scale, "gpus", reference[0]);
    ws_double_text(gpus, n);
    const ws_series *of = NULL; /* the first of those that hold it */
    for (size_t s = 0; s < list->n; s++)
        for (size_t i = 0; i < list->items[s].configurations.n; i++)
            if (list->items[s].configurations.rows[i] == reference[0] && (!of || list->items[s].rank < of->rank))
                of = &list->items[s];
    return ws_arena_printf(arena, "%s GPU%s%s%s", gpus, n == 1 ? "" : "s", of ? " of " : "", of ? of->label : "");
}

static const char *add_speedup(const huber_figure *what, const ws_figure_input *input, const ws_series_list *list,
                               ws_figure *figure)
{
    size_t *reference = ws_arena_alloc(&figure->arena, (list->n + 1) * sizeof *reference), n = 0;
    const char *which = input->reference ? input->reference : what->reference;
    ws_axis_scale scale = ws_series_gpu_scale(list);
    for (size_t s = 0; s < list->n; s++) {
        if (!find_reference(list, s, which, &reference[s]))
            reference[s] = SIZE_MAX;
        n += reference[s] != SIZE_MAX;
    }
    if (!n)
        return "";
    ws_panel *panel = ws_figure_add_panel(figure, what->speedup, NULL);
    panel->x = (ws_axis){.scale = scale, .label = "Number of GPUs"};
    panel->y = (ws_axis){.scale = scale, .label = "Speed-up"};
    for (size_t s = 0; s < list->n; s++)
        if (reference[s] != SIZE_MAX)
            add_ideal(list, reference, figure, panel, s);
    for (size_t s = 0; s < list->n; s++) {
        if (reference[s] == SIZE_MAX)
            continue;
        ws_points p = speedups(list, figure, s, reference[s]);
        ws_points_draw(figure, panel, list->items[s].label, WS_LAYER_LINE | WS_LAYER_MARKERS, (int)s, &p);
    }
    return ws_arena_printf(
        &figure->arena, "against %s%s; dashed: ideal.", reference_text(list, reference, which, &figure->arena),
        ws_figure_has(figure, WS_LAYER_ERRORS) ? ", bars: standard error by the pooled spread of repeats" : "");
}

/* What the short forms in the names of series stand for. */
static const char *short_forms(const ws_series_list *list, ws_arena *arena)
{
    static const char *const forms[][2] = {
        {"LBS", "local batch size (of a GPU)"}, {"GBS", "global batch size (of all GPUs)"}, {"S/GPU", "samples a GPU"}};
    const char *text = "";
    for (size_t f = 0; f < sizeof forms / sizeof *forms; f++) {
        bool found = false;
        for (size_t s = 0; s < list->n && !found; s++)
            found = strstr(list->items[s].label, forms[f][0]) != NULL;
        if (found)
            text = ws_arena_printf(arena, "%s%s %s: %s", text, *text ? ";" : "", forms[f][0], forms[f][1]);
    }
    return *text ? ws_arena_printf(arena, "%s.", text) : "";
}

/* The labels of the series with that cell in one of their configurations: "LBS 256, GBS 8192". */
static const char *series_with(const ws_series_list *list, const char *column, size_t row, ws_arena *arena)
{
    const char *labels = "";
    for (size_t s = 0; s < list->n; s++) {
        const ws_row_list *own = &list->items[s].configurations;
        size_t i = 0;
        while (i < own->n && !same_cell(list->scale, column, own->rows[i], row))
            i++;
        if (i < own->n)
            labels = ws_arena_printf(arena, "%s%s%s", labels, *labels ? ", " : "", list->items[s].label);
    }
    return labels;
}

/* The different cells of the configurations, each with its series: "CIFAR-10 (LBS 256); ImageNet (GBS 8192)"; *n: how
 * many there are. */
static const char *values_of_series(const ws_series_list *list, const char *name, const char *unit, size_t *n,
                                    ws_arena *arena)
{
    const char *text = "";
    size_t column, *rows = ws_arena_alloc(arena, (list->scale->n_rows + 1) * sizeof *rows);
    *n = 0;
    for (size_t s = 0; ws_table_find(list->scale, name, &column) && s < list->n; s++)
        for (size_t i = 0; i < list->items[s].configurations.n; i++) {
            char cell[WS_DOUBLE_TEXT], grouped[WS_CELL_TEXT];
            size_t row = list->items[s].configurations.rows[i], k = 0;
            while (k < *n && !same_cell(list->scale, name, rows[k], row))
                k++;
            if (k < *n || ws_table_is_missing(list->scale, column, row))
                continue;
            rows[(*n)++] = row;
            const char *value = ws_table_cell_text(list->scale, column, row, cell);
            if (*unit)
                ws_group_digits(grouped, value), value = grouped;
            text = ws_arena_printf(arena, "%s%s%s%s (%s)", text, *text ? "; " : "", value, unit,
                                   series_with(list, name, row, arena));
        }
    return text;
}

/* Names in the runs of the model, of which some configuration averages several: "CIFAR-10, ImageNet". */
static const char *names_in_runs(const huber_figure *what, const ws_table *runs, size_t *n, ws_arena *arena)
{
    const char *text = "";
    size_t column;
    ws_row_list rows;
    ws_error none = {0};
    *n = 0;
    if (!ws_table_find(runs, "dataset", &column) || !ws_model_rows(runs, &what->choice, &rows, arena, &none))
        return "";
    for (size_t i = 0; i < rows.n; i++) {
        size_t k = 0;
        while (k < i && !same_cell(runs, "dataset", rows.rows[k], rows.rows[i]))
            k++;
        if (k < i || ws_table_is_missing(runs, column, rows.rows[i]))
            continue;
        char cell[WS_DOUBLE_TEXT];
        text = ws_arena_printf(arena, "%s%s%s", text, (*n)++ ? ", " : "",
                               ws_table_cell_text(runs, column, rows.rows[i], cell));
    }
    return text;
}

/* Which data sets series are of, where there are several; "" for one. */
static const char *data_sets(const huber_figure *what, const ws_series_list *list, ws_arena *arena)
{
    size_t n, column;
    const char *text = values_of_series(list, "dataset", "", &n, arena);
    if (n < 2 && !ws_table_find(list->scale, "dataset", &column))
        text = names_in_runs(what, list->runs, &n, arena);
    if (n < 2 && what->choice.data == WS_DATA_WHOLE)
        text = values_of_series(list, "dataset_samples", " samples", &n, arena);
    return n < 2 ? "" : ws_arena_printf(arena, " Data sets: %s.", text);
}

/* "top-1 error" of "Top-1 error / %". */
static const char *quantity_of(ws_arena *arena, const char *label)
{
    ws_span words = ws_span_trim((ws_span){label, strcspn(label, "/")});
    char *text = ws_arena_strndup(arena, words.p, words.n);
    if (islower((unsigned char)text[1]))
        *text = (char)tolower((unsigned char)*text);
    return text;
}

/* Letters are the paper's, a single panel has none. What the caption says of the panels that are drawn, and which of
 * the others there is no data for: A, C, D read as if a panel was lost. */
static const char *shown(const huber_figure *what, ws_figure *figure)
{
    static const char *const was[] = {"A", "B", "C", "D", "E"};
    const char *is[] = {NULL, NULL, NULL, NULL, NULL}, *without = "";
    size_t last = 0;
    for (size_t p = 0; p < figure->n_panels; p++)
        for (size_t i = 0; i < sizeof is / sizeof *is; i++)
            if (strcmp(figure->panels[p].letter, was[i]) == 0) {
                is[i] = figure->n_panels > 1 ? was[i] : "";
                last = i;
            }
    if (what->speedup && figure->n_panels > 1 && !is[0])
        without = "speed-up";
    for (size_t i = 0; i < what->n_panels && figure->n_panels > 1; i++) {
        size_t at = (size_t)(what->letters[i][0] - *was[0]);
        if (at < last && !is[at])
            without = ws_arena_printf(&figure->arena, "%s%s%s", without, *without ? ", " : "",
                                      quantity_of(&figure->arena, what->panels[i].y_label));
    }
    const ws_panel_letters letters = {was, is, sizeof is / sizeof *is};
    const char *text = ws_caption_of_panels(&figure->arena, what->caption, &letters);
    return *without ? ws_arena_printf(&figure->arena, "%s Without data, and not drawn: %s.", text, without) : text;
}

/* As the paper has it, in %, or without a unit. */
static const char *error_label(const ws_table *scale, const ws_series_panel *panel)
{
    size_t column;
    bool is_error = strcmp(panel->y, "error_top1") == 0 && ws_table_find(scale, panel->y, &column);
    return is_error && !ws_is_error_in_percent(scale, panel->y) ? "Top-1 error" : panel->y_label;
}

/* mWh to GWh as in the figures of any campaign, unless a look says which. */
static void set_energy_unit(const ws_table *scale, ws_series_panel *panel, ws_arena *arena)
{
    const ws_look *look = ws_look_of_column(scale->looks, panel->y);
    if (strcmp(panel->y, "energy_kwh") != 0 || (look && look->unit))
        return;
    const ws_energy_unit *unit = ws_energy_unit_of(scale, WS_PER_RUN);
    panel->y_label = ws_arena_printf(arena, "Energy / %s", unit->name);
    panel->factor = unit->per_kwh;
}

/* A batch size has one colour in both data sets: marker and line tell these. */
static void colour_by_batch(ws_figure *figure, const ws_series_list *list)
{
    for (size_t i = 0; i < list->n; i++)
        for (size_t k = 0; k < list->n && list->items[i].like != list->items[i].rank; k++)
            if (list->items[k].rank == list->items[i].like) {
                ws_colour c = ws_style_in(figure, (int)k).line;
                ws_figure_set_look(figure, (int)i, (int32_t)(c.r << 16 | c.g << 8 | c.b), -1);
            }
}

/* "" where no run or not every run says it. */
static const char *model_of(const ws_series_list *list)
{
    const ws_column *c = ws_table_column(list->scale, "model");
    const char *model = NULL;
    for (size_t s = 0; c && c->kind == WS_TEXT && s < list->n; s++)
        for (size_t i = 0; i < list->items[s].configurations.n; i++) {
            const char *own = c->text[list->items[s].configurations.rows[i]];
            if (!own || (model && strcmp(model, own) != 0))
                return "";
            model = own;
        }
    const ws_look *look = model ? ws_look_of_value(list->scale->looks, "model", model) : NULL;
    return look && look->name ? look->name : model ? model : "";
}

static ws_status fail_without_panels(const huber_figure *what, const ws_figure_input *input, ws_error *error)
{
    ws_arena arena = {0};
    const char *columns = what->speedup ? "wall_s" : "";
    for (size_t i = 0; i < what->n_panels; i++)
        if (strcmp(what->panels[i].x, "gpus") == 0)
            columns = ws_arena_printf(&arena, "%s%s%s", columns, *columns ? ", " : "", what->panels[i].y);
    ws_status status = ws_fail_recipe(error, input->scale->source, what->choice.figure, " ",
                                      "needs one of the columns %s, none of which has a number here", columns);
    ws_arena_free(&arena);
    return status;
}

static ws_status make_huber(const huber_figure *what, const ws_figure_input *input, ws_figure *figure, ws_error *error)
{
    ws_series_list list;
    const char *speedup = "", *which = input->reference ? input->reference : "series";
    if (strcmp(which, "series") != 0 && strcmp(which, "all") != 0 && strncmp(which, "gpus=", 5) != 0)
        return ws_figure_init(figure, what->choice.figure, 180, 125, 2, 2),
               ws_fail(error, WS_USAGE, "%s refers to series, all or gpus=N, not to '%s': campaign/ratios does",
                       what->choice.figure, which);
    ws_status status = ws_held_series(&list, input->runs, input->scale, &what->choice, error);
    ws_figure_init(figure, what->choice.figure, 180, 125, 2, 2);
    if (status == WS_OK)
        figure->model = ws_arena_strdup(&figure->arena, model_of(&list));
    if (status == WS_OK && what->speedup)
        speedup = add_speedup(what, input, &list, figure);
    for (size_t i = 0; status == WS_OK && i < what->n_panels; i++) {
        ws_series_panel wanted = what->panels[i];
        wanted.y_label = error_label(input->scale, &wanted);
        set_energy_unit(input->scale, &wanted, &figure->arena);
        ws_panel *panel = ws_series_add_panel(&list, figure, &wanted);
        if (panel)
            panel->letter = what->letters[i];
    }
    if (status == WS_OK && !figure->n_panels)
        status = fail_without_panels(what, input, error);
    if (status == WS_OK) {
        const char *panels = shown(what, figure); /* before a single one loses its letter */
        ws_figure_arrange(figure, &list);
        colour_by_batch(figure, &list);
        if (figure->legend == WS_LEGEND_NONE && what->speedup)
            figure->legend = WS_LEGEND_TOP; /* the ideal beside the series */
        const char *bars = ws_bars_are(figure);
        bool others = *bars && strstr(speedup, "bars: ");
        if (*speedup)
            speedup = ws_arena_printf(&figure->arena, "%s %s", figure->n_panels > 1 ? " A:" : " Speed-up", speedup);
        figure->caption =
            ws_arena_printf(&figure->arena, "%s%s%s%s%s%s %s", panels, speedup, others ? " Other bars:" : "",
                            others ? bars + strlen(" Bars:") : bars, data_sets(what, &list, &figure->arena),
                            figure->legend == WS_LEGEND_NONE ? "" : short_forms(&list, &figure->arena),
                            ws_series_counts(&list, &figure->arena));
    }
    ws_series_free(&list);
    return status;
}

#define AGAINST_GPUS .x = "gpus", .x_label = "Number of GPUs"
#define ENERGY_PANELS                                                                                  \
    {AGAINST_GPUS, .y = "energy_kwh", .y_label = "Energy / kWh"},                                      \
    {                                                                                                  \
        .x = "gpu_h", .x_label = "Compute resources / GPUh", .x_error = "gpu_h_rmse", .along = "gpus", \
        .y = "energy_kwh", .y_label = "Energy / kWh"                                                   \
    }

static const char *const panels_a[] = {"A", "B", "C", "D"};

static const ws_series_panel fig2_panels[] = {{AGAINST_GPUS, .y = "error_top1", .y_label = "Top-1 error / %"},
                                              ENERGY_PANELS};
static const ws_series_panel fig3_panels[] = {
    {AGAINST_GPUS, .y = "wall_s", .y_label = "Training time / h", .factor = 1.0 / 3600},
    {AGAINST_GPUS, .y = "error_top1", .y_label = "Top-1 error / %"},
    ENERGY_PANELS};
static const ws_series_panel fig4_panels[] = {{AGAINST_GPUS, .y = "rmse_z500", .y_label = "Z500 RMSE"}, ENERGY_PANELS};
static const ws_series_panel per_gpuh_panels[] = {
    {AGAINST_GPUS, .y = "kwh_per_gpuh", .y_label = "Energy per GPUh / kWh"},
    {AGAINST_GPUS, .y = "gpu_power_w", .y_label = "GPU power / W"},
    {AGAINST_GPUS, .y = "cpu_power_w", .y_label = "CPU socket power / W"},
    {AGAINST_GPUS, .y = "samples_per_gpuh", .y_label = "samples / GPUh", .in_thousands = true},
    {AGAINST_GPUS, .y = "passes_per_gpuh", .y_label = "passes / GPUh", .in_thousands = true}};
static const char *const panels_of_five[] = {"A", "B", "C", "D", "E"};

static const huber_figure fig2 = {
    {"huber/fig2", resnet, fourcastnet, WS_DATA_WHOLE, false},
    "A",
    "all",
    panels_a + 1,
    fig2_panels,
    3,
    "Speed-up (A), top-1 error (B) and energy (C) against the number of GPUs, and energy against compute resources (D) "
    "with the same data set on every number of GPUs."};
static const huber_figure fig3 = {
    {"huber/fig3", resnet, fourcastnet, WS_DATA_SCALED, false},
    NULL,
    NULL,
    panels_a,
    fig3_panels,
    4,
    "Training time (A), top-1 error (B) and energy (C) against the number of GPUs, and energy against compute "
    "resources (D) with a data set that grows with the GPUs."};
static const huber_figure fig4 = {
    {"huber/fig4", fourcastnet, resnet, WS_DATA_WHOLE, true},
    "A",
    "series",
    panels_a + 1,
    fig4_panels,
    3,
    "Speed-up (A), RMSE of Z500 (B) and energy (C) against the number of GPUs, and energy against compute resources "
    "(D)."};
static const huber_figure fig6 = {
    {"huber/fig6", resnet, fourcastnet, WS_DATA_WHOLE | WS_DATA_SCALED, false},
    NULL,
    NULL,
    panels_of_five,
    per_gpuh_panels,
    5,
    "Energy per GPUh (A), mean power of a GPU (B), mean power of a CPU socket (C), samples per "
    "GPUh (D) and passes per GPUh (E; forward and backward, one an update) against the number of GPUs."};
static const huber_figure fig7 = {
    {"huber/fig7", fourcastnet, resnet, WS_DATA_WHOLE | WS_DATA_SCALED, true},
    NULL,
    NULL,
    panels_of_five,
    per_gpuh_panels,
    5,
    "Energy per GPUh (A), mean power of a GPU (B), mean power of a CPU socket (C), samples per "
    "GPUh (D) and passes per GPUh (E; forward and backward, one an update) against the number of GPUs."};

/* The series of Figs 6 and 7 are all that the figures draw. */
void ws_huber_names(const ws_table *runs, const ws_table *scale, const char *const *series, const char **names,
                    size_t n, ws_arena *arena)
{
    const ws_held_choice *const choices[] = {&fig6.choice, &fig7.choice};
    ws_table ordered;
    bool moves = ws_paper_order(scale, &ordered);
    memset(names, 0, n * sizeof *names);
    for (size_t c = 0; c < 2; c++) {
        ws_series_list list;
        ws_error none = {0};
        ws_status status = ws_held_series(&list, runs, moves ? &ordered : scale, choices[c], &none);
        for (size_t s = 0; status == WS_OK && s < list.n; s++)
            for (size_t i = 0; i < n; i++)
                if (ws_is_series(list.scale, series[i], &list.items[s].configurations))
                    names[i] = ws_arena_strdup(arena, list.items[s].label);
        ws_series_free(&list);
    }
    if (moves)
        ws_table_free(&ordered);
}

static ws_status make_fig2(const ws_figure_input *input, ws_figure *figure, ws_error *error)
{
    return make_huber(&fig2, input, figure, error);
}

static ws_status make_fig3(const ws_figure_input *input, ws_figure *figure, ws_error *error)
{
    return make_huber(&fig3, input, figure, error);
}

static ws_status make_fig4(const ws_figure_input *input, ws_figure *figure, ws_error *error)
{
    return make_huber(&fig4, input, figure, error);
}

static ws_status make_fig6(const ws_figure_input *input, ws_figure *figure, ws_error *error)
{
    return make_huber(&fig6, input, figure, error);
}

static ws_status make_fig7(const ws_figure_input *input, ws_figure *figure, ws_error *error)
{
    return make_huber(&fig7, input, figure, error);
}

static const char *const needs[] = {"gpus", NULL}; /* a panel needs its own column */

const ws_figure_recipe ws_figure_huber_fig2 = {
    .name = "huber/fig2",
    .takes = WS_TAKES_REFERENCE | WS_TAKES_GROUP,
    .summary = "ResNet50, one data set: speed-up, error, energy against GPUs and GPUh (Huber et al. 2025, Fig. 2)",
    .model = "ResNet50",
    .title = "ResNet50, one data set: %s against GPUs (Huber et al. 2025, Fig. 2)",
    .n_quantities = 3,
    .needs = needs,
    .make = make_fig2};
const ws_figure_recipe ws_figure_huber_fig3 = {
    .name = "huber/fig3",
    .takes = WS_TAKES_GROUP,
    .summary = "ResNet50, growing data set: time, error, energy against GPUs and GPUh (Huber et al. 2025, Fig. 3)",
    .model = "ResNet50",
    .title = "ResNet50, growing data set: %s against GPUs (Huber et al. 2025, Fig. 3)",
    .n_quantities = 3,
    .needs = needs,
    .make = make_fig3};
const ws_figure_recipe ws_figure_huber_fig4 = {
    .name = "huber/fig4",
    .takes = WS_TAKES_REFERENCE | WS_TAKES_GROUP,
    .summary = "FourCastNet: speed-up, Z500 RMSE, energy against GPUs and GPUh (Huber et al. 2025, Fig. 4)",
    .model = "FourCastNet",
    .title = "FourCastNet: %s against GPUs (Huber et al. 2025, Fig. 4)",
    .n_quantities = 3,
    .needs = needs,
    .make = make_fig4};
const ws_figure_recipe ws_figure_huber_fig6 = {
    .name = "huber/fig6",
    .takes = WS_TAKES_GROUP,
    .summary = "ResNet50: energy, power, samples and passes per GPUh (Huber et al. 2025, Fig. 6)",
    .model = "ResNet50",
    .title = "ResNet50: %s against GPUs (Huber et al. 2025, Fig. 6)",
    .n_quantities = 5,
    .needs = needs,
    .make = make_fig6};
const ws_figure_recipe ws_figure_huber_fig7 = {
    .name = "huber/fig7",
    .takes = WS_TAKES_GROUP,
    .summary = "FourCastNet: energy, power, samples and passes per GPUh (Huber et al. 2025, Fig. 7)",
    .model = "FourCastNet",
    .title = "FourCastNet: %s against GPUs (Huber et al. 2025, Fig. 7)",
    .n_quantities = 5,
    .needs = needs,
    .make = make_fig7};
