/* Time against energy with the front of what nothing else beats in both, and what a campaign's results (error, loss,
 * accuracy) cost. */
#include "analyze/recipes/figure_series.h"

#include "core/text.h"

#include <math.h>
#include <string.h>

/* --- campaign/pareto --- */

typedef struct front {
    const ws_table *scale;
    size_t time, energy, model; /* columns; model is n_columns where there is none */
    ws_work work;
} front;

static bool same_model(const front *f, size_t a, size_t b)
{
    char x[WS_DOUBLE_TEXT], y[WS_DOUBLE_TEXT];
    return f->model == f->scale->n_columns ||
           strcmp(ws_table_cell_text(f->scale, f->model, a, x), ws_table_cell_text(f->scale, f->model, b, y)) == 0;
}

static double time_of(const front *f, size_t row)
{
    return ws_work_value(f->scale, f->work, f->time, row);
}

static double energy_of(const front *f, size_t row)
{
    return ws_work_value(f->scale, f->work, f->energy, row);
}

/* No configuration of the same model takes less of the one and no more of the other. */
static bool is_on_front(const front *f, size_t row)
{
    double t = time_of(f, row), e = energy_of(f, row);
    if (!isfinite(t) || !isfinite(e))
        return false;
    for (size_t i = 0; i < f->scale->n_rows; i++) {
        double ti = time_of(f, i), ei = energy_of(f, i);
        if (i != row && same_model(f, i, row) && ti <= t && ei <= e && (ti < t || ei < e))
            return false;
    }
    return true;
}

/* Beside a point: its GPUs. */
static void name_point(const front *f, ws_figure *figure, ws_panel *panel, size_t row)
{
    char text[WS_DOUBLE_TEXT];
    size_t gpus;
    if (!ws_table_find(f->scale, "gpus", &gpus) || ws_table_is_missing(f->scale, gpus, row))
        return;
    ws_double_text(text, ws_table_number(f->scale, gpus, row));
    ws_panel_annotate(figure, panel, text, -1, false, time_of(f, row), energy_of(f, row));
}

/* One dashed line a model, from the fastest to the most frugal. */
static void add_front(const front *f, ws_figure *figure, ws_panel *panel, size_t first, bool names)
{
    double *x = ws_arena_alloc(&figure->arena, (f->scale->n_rows + 1) * sizeof *x);
    double *y = ws_arena_alloc(&figure->arena, (f->scale->n_rows + 1) * sizeof *y);
    size_t n = 0;
    for (size_t row = first; row < f->scale->n_rows; row++) {
        if (!same_model(f, first, row) || !is_on_front(f, row))
            continue;
        size_t at = n++;
        for (; at && x[at - 1] > time_of(f, row); at--) {
            x[at] = x[at - 1];
            y[at] = y[at - 1];
        }
        x[at] = time_of(f, row);
        y[at] = energy_of(f, row);
        if (names)
            name_point(f, figure, panel, row);
    }
    bool is_labelled = false;
    for (size_t l = 0; l < panel->n_layers; l++)
        is_labelled |= panel->layers[l].style < 0 && panel->layers[l].label;
    if (n > 1)
        ws_panel_add_layer(figure, panel, is_labelled ? NULL : "Front", WS_LAYER_LINE | WS_LAYER_DASHED, -1, n, x, y);
}

static ws_status make_pareto(const ws_figure_input *in, ws_figure *figure, ws_error *error)
{
    enum { MOST_NAMED = 24 };
    ws_series_list list;
    front f = {.scale = in->scale, .work = ws_figure_work(in->scale)};
    ws_table_find(in->scale, "wall_s", &f.time);
    ws_table_find(in->scale, "energy_kwh", &f.energy);
    if (!ws_table_find(in->scale, "model", &f.model))
        f.model = in->scale->n_columns;
    ws_figure_init(figure, "campaign/pareto", 88, 78, 1, 1);
    ws_series_to_draw(&list, in->runs, in->scale);
    const char *of = f.work == WS_PER_RUN ? "" : ws_arena_printf(&figure->arena, " per %s", ws_work_name(f.work));
    const ws_series_panel what = {.x = "wall_s",
                                  .x_label = ws_arena_printf(&figure->arena, "Time%s / s", of),
                                  .y = "energy_kwh",
                                  .y_label = ws_arena_printf(&figure->arena, "Energy%s / kWh", of),
                                  .x_error = f.work == WS_PER_RUN ? "wall_s_rmse" : NULL,
                                  .along = "wall_s",
                                  .kind = WS_LAYER_MARKERS,
                                  .work = f.work};
    ws_panel *panel = ws_series_add_panel(&list, figure, &what);
    ws_status status =
        panel ? WS_OK : ws_fail_at(error, WS_DATA, in->scale->source, 0, "no configuration has both time and energy");
    size_t n = 0;
    for (size_t row = 0; row < in->scale->n_rows; row++)
        n += is_on_front(&f, row);
    for (size_t row = 0; panel && row < in->scale->n_rows; row++) {
        bool is_first = true;
        for (size_t before = 0; before < row; before++)
            is_first &= !same_model(&f, before, row);
        if (is_first && ws_look_of_column(in->scale->looks, "energy_kwh") == NULL &&
            ws_look_of_column(in->scale->looks, "wall_s") == NULL)
            add_front(&f, figure, panel, row, n <= MOST_NAMED);
    }
    if (panel)
        panel->letter = NULL;
    figure->legend = WS_LEGEND_TOP;
    figure->height_mm = list.n > 6 ? 100 : 78;
    figure->width_mm = list.n > 6 ? 180 : 88;
    figure->caption = ws_arena_printf(
        &figure->arena,
        "Energy against time%s of each configuration; dashed: those that no other of the model beats in one without "
        "losing in the other%s.%s %s",
        of, n <= MOST_NAMED ? ", with their numbers of GPUs" : "", ws_bars_are(figure),
        ws_series_counts(&list, &figure->arena));
    ws_series_free(&list);
    return status;
}

/* --- campaign/quality --- */

static bool begins_with_one_of(const char *name, const char *const *words)
{
    for (; *words; words++)
        if (strncmp(name, *words, strlen(*words)) == 0)
            return true;
    return false;
}

/* Results that say how good a model became, by the words that their names begin with. */
static bool is_quality(const ws_column *column)
{
    static const char *const words[] = {"error", "rmse_", "loss",       "accuracy", "acc_", "top1", "top5",
                                        "val_",  "test_", "perplexity", "score",    "mae",  "bleu", NULL};
    const char *suffix = strrchr(column->name, '_');
    bool is_spread = suffix && (strcmp(suffix, "_rmse") == 0 || strcmp(suffix, "_sd") == 0);
    return column->kind == WS_NUMBER && !is_spread && begins_with_one_of(column->name, words);
}

static ws_status make_quality(const ws_figure_input *in, ws_figure *figure, ws_error *error)
{
    enum { MOST = 2 };
    ws_series_list list;
    size_t n = 0;
    ws_series_to_draw(&list, in->runs, in->scale);
    ws_figure_init(figure, "campaign/quality", 180, 70, 1, 2);
    ws_work work = ws_figure_work(in->scale);
    const char *of = work == WS_PER_RUN ? "" : ws_arena_printf(&figure->arena, " per %s", ws_work_name(work));
    for (size_t c = 0; c < in->scale->n_columns && n < MOST; c++) {
        if (!is_quality(&in->scale->columns[c]))
            continue;
        const char *name = in->scale->columns[c].name, *label = ws_axis_label(in->scale->looks, &figure->arena, name);
        const ws_series_panel panels[] = {{.x = "gpus", .x_label = "Number of GPUs", .y = name, .y_label = label},
                                          {.x = "energy_kwh",
                                           .x_label = ws_arena_printf(&figure->arena, "Energy%s / kWh", of),
                                           .x_error = work == WS_PER_RUN ? "energy_kwh_rmse" : NULL,
                                           .along = "gpus",
                                           .y = name,
                                           .y_label = label,
                                           .work = work}};
        size_t before = figure->n_panels;
        for (size_t i = 0; i < 2; i++)
            ws_series_add_panel(&list, figure, &panels[i]);
        n += figure->n_panels > before;
    }
    ws_figure_arrange(figure, &list);
    figure->caption =
        ws_arena_printf(&figure->arena, "Results of training against the number of GPUs and the energy%s.%s %s", of,
                        ws_bars_are(figure), ws_series_counts(&list, &figure->arena));
    ws_series_free(&list);
    return n ? WS_OK
             : ws_fail_at(error, WS_DATA, in->scale->source, 0,
                          "campaign/quality needs a result such as error_top1, rmse_z500, loss or accuracy");
}

static const char *const needs_both[] = {"wall_s", "energy_kwh", NULL}, *const needs_energy[] = {"energy_kwh", NULL};
const ws_figure_recipe ws_figure_campaign_pareto = {.name = "campaign/pareto",
                                                    .summary = "energy against time, with the front of the best",
                                                    .source = WS_FIGURE_OF_CAMPAIGN,
                                                    .by_series = true,
                                                    .needs = needs_both,
                                                    .make = make_pareto};
const ws_figure_recipe ws_figure_campaign_quality = {.name = "campaign/quality",
                                                     .summary = "error, loss or accuracy against GPUs and energy",
                                                     .source = WS_FIGURE_OF_CAMPAIGN,
                                                     .by_series = true,
                                                     .needs = needs_energy,
                                                     .make = make_quality};
