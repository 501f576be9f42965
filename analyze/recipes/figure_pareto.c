/* Time against energy with the front of what nothing else beats in both, and what a campaign's results (error, loss,
 * accuracy) cost. */
#include "analyze/recipes/figure_series.h"
#include "analyze/recipes/training_results.h"
#include "analyze/same_rows.h"

#include "core/text.h"
#include "report/figure/figure_style.h"

#include <math.h>
#include <string.h>

/* --- campaign/pareto --- */

enum { FEW_POINTS = 2 };

/* One of the two things that configurations are weighed by: less of it is better, of an accuracy more. */
typedef struct aim {
    const char *name;
    size_t column;
    double factor;                /* of its axis */
    bool in_hours;                /* seconds that are many */
    const ws_energy_unit *energy; /* of energy_kwh where nobody says how it is shown; or NULL */
    bool is_more_better;
} aim;

typedef struct front {
    const ws_table *scale;
    aim x, y;
    size_t model;   /* column; that of the series where no model is stated; n_columns where there is neither */
    bool by_series; /* nobody says that series do the same work */
    ws_work work;
} front;

/* Ten hours: longer times are read in hours. */
static const double LONGEST_S = 36000;

static double largest(const ws_table *table, const char *name)
{
    double most = -INFINITY;
    size_t column;
    bool found = ws_table_find(table, name, &column);
    for (size_t row = 0; found && row < table->n_rows; row++)
        most = fmax(most, ws_table_number(table, column, row));
    return most;
}

static ws_status find_aim(const ws_figure_input *in, const char *wanted, const char *usual, aim *a, ws_error *error)
{
    const ws_table *scale = in->scale;
    a->name = wanted ? wanted : usual;
    a->factor = ws_axis_factor(scale->looks, a->name);
    a->is_more_better = ws_is_better_larger(a->name);
    const ws_look *look = ws_look_of_column(scale->looks, a->name);
    a->in_hours = strcmp(a->name, "wall_s") == 0 && !(look && look->unit) && largest(scale, "wall_s") > LONGEST_S;
    a->energy = strcmp(a->name, "energy_kwh") == 0 && !(look && look->unit)
                    ? ws_energy_unit_of(in->facets_scale ? in->facets_scale : scale, ws_figure_work_of(in))
                    : NULL;
    a->factor = a->in_hours ? 1.0 / 3600 : a->energy ? a->energy->per_kwh : a->factor;
    bool has_numbers = ws_table_find(scale, a->name, &a->column) && scale->columns[a->column].kind != WS_TEXT &&
                       ws_table_has_values(scale, a->column);
    return has_numbers ? WS_OK
           : wanted    ? ws_fail_recipe(error, scale->source, "campaign/pareto", ": ",
                                        "'%s' is no column of numbers of the configurations", wanted)
                       : ws_fail_recipe(error, scale->source, "campaign/pareto", " ",
                                        "needs the column '%s', which has no number here (--x and --y name "
                                           "others)",
                                        usual);
}

static bool same_model(const front *f, size_t a, size_t b)
{
    char x[WS_DOUBLE_TEXT], y[WS_DOUBLE_TEXT];
    return f->model == f->scale->n_columns ||
           strcmp(ws_table_cell_text(f->scale, f->model, a, x), ws_table_cell_text(f->scale, f->model, b, y)) == 0;
}

/* As drawn, in the unit of its axis. */
static double value_of(const front *f, const aim *a, size_t row)
{
    return a->factor * ws_work_value(f->scale, f->work, a->column, row);
}

/* As weighed: less is better. */
static double cost_of(const front *f, const aim *a, size_t row)
{
    return a->is_more_better ? -value_of(f, a, row) : value_of(f, a, row);
}

/* No configuration of the same model takes less of the one and no more of the other. */
static bool is_on_front(const front *f, size_t row)
{
    double x = cost_of(f, &f->x, row), y = cost_of(f, &f->y, row);
    if (!isfinite(x) || !isfinite(y))
        return false;
    for (size_t i = 0; i < f->scale->n_rows; i++) {
        double xi = cost_of(f, &f->x, i), yi = cost_of(f, &f->y, i);
        if (i != row && same_model(f, i, row) && xi <= x && yi <= y && (xi < x || yi < y))
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
    ws_panel_annotate(figure, panel, text, -1, false, value_of(f, &f->x, row), value_of(f, &f->y, row));
}

/* Of a few points each says its GPUs; of more, whose numbers would stand among each other's points, the ends do. */
typedef enum point_names { NO_NAMES, NAMES_OF_ENDS, ALL_NAMES } point_names;

static point_names names_for(const front *f)
{
    enum { FEW = 6, MOST_NAMED = 24 };
    size_t n = 0, n_ends = 0, gpus;
    if (!ws_table_find(f->scale, "gpus", &gpus) || !ws_table_has_values(f->scale, gpus))
        return NO_NAMES;
    for (size_t row = 0; row < f->scale->n_rows; row++) {
        bool is_first = true;
        for (size_t before = 0; before < row; before++)
            is_first &= !same_model(f, before, row);
        n += is_on_front(f, row);
        n_ends += is_first ? 2 : 0;
    }
    if (n_ends > MOST_NAMED || ws_series_need_gpu_counts(f->scale, NULL) != WS_OK)
        return NO_NAMES;
    return n <= FEW ? ALL_NAMES : NAMES_OF_ENDS;
}

/* One dashed line a model, along the horizontal axis. */
static void add_front(const front *f, ws_figure *figure, ws_panel *panel, size_t first, point_names names)
{
    size_t *rows = ws_arena_alloc(&figure->arena, (f->scale->n_rows + 1) * sizeof *rows);
    double *x = ws_arena_alloc(&figure->arena, (f->scale->n_rows + 1) * sizeof *x);
    double *y = ws_arena_alloc(&figure->arena, (f->scale->n_rows + 1) * sizeof *y);
    size_t n = 0;
    for (size_t row = first; row < f->scale->n_rows; row++) {
        if (!same_model(f, first, row) || !is_on_front(f, row))
            continue;
        size_t at = n++;
        for (; at && x[at - 1] > value_of(f, &f->x, row); at--) {
            x[at] = x[at - 1];
            y[at] = y[at - 1];
            rows[at] = rows[at - 1];
        }
        x[at] = value_of(f, &f->x, row);
        y[at] = value_of(f, &f->y, row);
        rows[at] = row;
    }
    for (size_t i = 0; i < n; i++)
        if (names == ALL_NAMES || (names == NAMES_OF_ENDS && (i == 0 || i + 1 == n)))
            name_point(f, figure, panel, rows[i]);
    bool is_labelled = false;
    for (size_t l = 0; l < panel->n_layers; l++)
        is_labelled |= panel->layers[l].kind & WS_LAYER_DASHED && panel->layers[l].label;
    if (n > 1)
        ws_panel_add_layer(figure, panel, is_labelled ? NULL : "Front", WS_LAYER_LINE | WS_LAYER_DASHED, -1, n, x, y);
}

static void add_configuration(ws_series *series, size_t row)
{
    ws_row_list *rows = &series->configurations;
    rows->rows = ws_grow(rows->rows, &rows->capacity, rows->n + 1, sizeof *rows->rows);
    rows->rows[rows->n++] = row;
}

/* Series of one configuration each have none. */
static bool has_front(const ws_panel *panel)
{
    bool has = false;
    for (size_t l = 0; l < panel->n_layers && !has; l++)
        has = panel->layers[l].kind & WS_LAYER_DASHED;
    return has;
}

/* The series of that label, the last one unless it is new. */
static ws_series *folded_series(ws_series_list *to, const char *label)
{
    for (size_t i = 0; i < to->n; i++)
        if (strcmp(to->items[i].label, label) == 0)
            return &to->items[i];
    to->items = ws_grow(to->items, &to->capacity, to->n + 1, sizeof *to->items);
    to->items[to->n] = (ws_series){.label = label};
    return &to->items[to->n++];
}

/* Of more series than markers tell apart those on a front stay, under their names or, where these are too many as
 * well, under their model's; the rest is one series, the last. False where nothing had to be folded. */
static bool fold_crowd(const front *f, ws_series_list *list)
{
    size_t n = 0;
    if (list->n <= WS_MARKER_STYLES)
        return false;
    for (size_t s = 0; s < list->n; s++) {
        bool is_there = false;
        for (size_t i = 0; i < list->items[s].configurations.n; i++)
            is_there |= is_on_front(f, list->items[s].configurations.rows[i]);
        n += is_there;
    }
    bool has_models = f->model < f->scale->n_columns && ws_column_varies(f->scale, f->model);
    ws_series_list folded = *list; /* and its arena */
    ws_series others = {.label = has_models ? "Not on a front" : "Not on the front"};
    folded.items = NULL;
    folded.n = folded.capacity = 0;
    for (size_t s = 0; s < list->n; s++)
        for (size_t i = 0; i < list->items[s].configurations.n; i++) {
            size_t row = list->items[s].configurations.rows[i];
            char text[WS_DOUBLE_TEXT];
            const char *label = list->items[s].label;
            if (n > WS_MARKER_STYLES)
                label = has_models ? ws_arena_strdup(&folded.arena, ws_table_cell_text(f->scale, f->model, row, text))
                                   : "On the front";
            add_configuration(is_on_front(f, row) ? folded_series(&folded, label) : &others, row);
        }
    folded.items = ws_grow(folded.items, &folded.capacity, folded.n + 1, sizeof *folded.items);
    folded.items[folded.n++] = others;
    list->arena = (ws_arena){0};
    ws_series_free(list);
    *list = folded;
    return true;
}

/* The last series: grey, without bars, and below the others. */
static void put_behind(ws_panel *panel, int style)
{
    size_t behind = 0;
    for (size_t l = 0; l < panel->n_layers; l++) {
        ws_layer layer = panel->layers[l];
        if (layer.style != style)
            continue;
        layer.style = -1;
        layer.kind &= ~(unsigned)WS_LAYER_ERRORS;
        layer.error = layer.x_error = NULL;
        memmove(panel->layers + behind + 1, panel->layers + behind, (l - behind) * sizeof layer);
        panel->layers[behind++] = layer;
    }
}

static const char *result_label(const ws_table *scale, ws_arena *arena, const char *name)
{
    const char *label = ws_axis_label(scale->looks, arena, name);
    bool is_percent = !ws_look_of_column(scale->looks, name) && ws_is_error_in_percent(scale, name);
    return is_percent ? ws_arena_printf(arena, "%s / %%", label) : label;
}

/* "Time per epoch / s": the words of the usual two, else those of the column. */
static const char *axis_of(const ws_table *scale, ws_arena *arena, const aim *a, const char *of)
{
    if (strcmp(a->name, "wall_s") == 0)
        return ws_arena_printf(arena, "Time%s / %s", of, a->in_hours ? "h" : "s");
    if (strcmp(a->name, "energy_kwh") == 0)
        return ws_arena_printf(arena, "Energy%s / %s", of, a->energy ? a->energy->name : "kWh");
    return strcmp(a->name, "error_top1") == 0 ? result_label(scale, arena, a->name)
                                              : ws_axis_label(NULL, arena, a->name);
}

static double axis_factor(const aim *a)
{
    return a->in_hours || a->energy ? a->factor : ws_axis_factor(NULL, a->name);
}

/* A sentence of the caption; "" where less of both is better. */
/* "Energy / kWh" without its unit, as it stands within a sentence. */
static const char *words_of(const front *f, const aim *a, bool is_first, ws_arena *arena)
{
    char *words = ws_arena_strdup(arena, ws_axis_label(f->scale->looks, arena, a->name)), *unit = strstr(words, " / ");
    if (unit)
        *unit = '\0';
    if (!is_first)
        ws_begin_small(words);
    return words;
}

static const char *what_it_draws(const front *f, const ws_figure_input *in, const char *of, ws_arena *arena)
{
    if (!in->x && !in->y)
        return ws_arena_printf(arena, "Energy against time%s", of);
    return ws_arena_printf(arena, "%s against %s", words_of(f, &f->y, true, arena), words_of(f, &f->x, false, arena));
}

static const char *more_is_better(const front *f, ws_arena *arena)
{
    const aim *more = f->x.is_more_better ? &f->x : f->y.is_more_better ? &f->y : NULL;
    return more ? ws_arena_printf(arena, " More %s is better.", words_of(f, more, false, arena)) : "";
}

static size_t count_points(const ws_panel *panel)
{
    size_t n = 0;
    for (size_t l = 0; l < panel->n_layers; l++)
        for (size_t i = 0; i < panel->layers[l].n && (panel->layers[l].kind & WS_LAYER_MARKERS); i++)
            n += isfinite(panel->layers[l].x[i]) && isfinite(panel->layers[l].y[i]);
    return n;
}

/* One or two points stand between the corners of axes that fit them, which says nothing: axes from 0 show how much
 * less one of them takes. Their names stand beside them. */
static void frame_few_points(ws_figure *figure, ws_panel *panel)
{
    const double height_mm = 60;
    panel->x.from_zero = panel->x.scale == WS_AXIS_LINEAR;
    panel->y.from_zero = panel->y.scale == WS_AXIS_LINEAR;
    for (size_t l = 0; l < panel->n_layers; l++) {
        const ws_layer *layer = &panel->layers[l];
        for (size_t i = 0; i < layer->n && (layer->kind & WS_LAYER_MARKERS) && layer->label; i++)
            ws_panel_annotate(figure, panel, layer->label, layer->style, false, layer->x[i], layer->y[i]);
    }
    figure->legend = WS_LEGEND_NONE;
    figure->height_mm = height_mm;
}

static ws_status make_pareto(const ws_figure_input *in, ws_figure *figure, ws_error *error)
{
    ws_series_list list;
    front f = {.scale = in->scale, .work = ws_figure_work_of(in)};
    if (!ws_table_find(in->scale, "model", &f.model) || !ws_table_has_values(in->scale, f.model)) {
        f.by_series = ws_table_find(in->scale, "series", &f.model) && ws_column_varies(in->scale, f.model);
        f.model = f.by_series ? f.model : in->scale->n_columns;
    }
    ws_figure_init(figure, "campaign/pareto", 88, 78, 1, 1);
    ws_status found = find_aim(in, in->x, "wall_s", &f.x, error);
    if (found == WS_OK)
        found = find_aim(in, in->y, "energy_kwh", &f.y, error);
    if (found != WS_OK)
        return found;
    ws_series_init(&list, in->runs, in->scale);
    bool is_crowded = fold_crowd(&f, &list);
    const char *of = f.work == WS_PER_RUN ? "" : ws_arena_printf(&figure->arena, " per %s", ws_work_name(f.work));
    const ws_series_panel what = {.x = f.x.name,
                                  .x_label = axis_of(in->scale, &figure->arena, &f.x, of),
                                  .y = f.y.name,
                                  .y_label = axis_of(in->scale, &figure->arena, &f.y, of),
                                  .x_error = f.work == WS_PER_RUN ? ws_arena_printf(&figure->arena, "%s_rmse", f.x.name)
                                                                  : NULL,
                                  .along = f.x.name,
                                  .kind = WS_LAYER_MARKERS,
                                  .factor = axis_factor(&f.y), /* a look's unit goes before */
                                  .x_factor = axis_factor(&f.x),
                                  .work = f.work};
    ws_panel *panel = ws_series_add_panel(&list, figure, &what);
    ws_status status = panel ? WS_OK
                             : ws_fail_at(error, WS_DATA, in->scale->source, 0, "no configuration has both %s and %s",
                                          f.x.name, f.y.name);
    if (panel && is_crowded)
        put_behind(panel, (int)list.n - 1);
    point_names names = names_for(&f);
    for (size_t row = 0; panel && row < in->scale->n_rows; row++) {
        bool is_first = true;
        for (size_t before = 0; before < row; before++)
            is_first &= !same_model(&f, before, row);
        if (is_first)
            add_front(&f, figure, panel, row, names);
    }
    if (panel)
        panel->letter = NULL;
    figure->legend = WS_LEGEND_TOP;
    figure->height_mm = list.n > 6 ? 100 : 78;
    figure->width_mm = list.n > 6 ? 180 : 88;
    bool is_bare = panel && !panel->n_annotations && !has_front(panel);
    if (is_bare && count_points(panel) <= FEW_POINTS)
        frame_few_points(figure, panel);
    const char *dashed = !panel || !has_front(panel)
                             ? ""
                             : ws_arena_printf(&figure->arena,
                                               "; dashed: those that no other of %s beats in one "
                                               "without losing in the other",
                                               f.by_series ? "the series (no model is stated)" : "the model");
    figure->caption = ws_arena_printf(
        &figure->arena, "%s of each configuration%s%s%s.%s%s %s", what_it_draws(&f, in, of, &figure->arena), dashed,
        names == ALL_NAMES       ? ", with their numbers of GPUs"
        : names == NAMES_OF_ENDS ? ", with the numbers of GPUs at the ends"
                                 : "",
        is_crowded ? "; grey: all others, without bars" : "", more_is_better(&f, &figure->arena), ws_bars_are(figure),
        ws_series_counts(&list, &figure->arena));
    ws_series_free(&list);
    return status;
}

/* --- campaign/quality --- */

static ws_status make_quality(const ws_figure_input *in, ws_figure *figure, ws_error *error)
{
    enum { MOST = 2 };
    ws_series_list list;
    size_t n = 0;
    ws_series_to_draw_against(&list, in->runs, in->scale);
    ws_figure_init(figure, "campaign/quality", 180, 70, 1, 2);
    ws_work work = ws_figure_work_of(in);
    bool has_energies = false;
    const char *of = work == WS_PER_RUN ? "" : ws_arena_printf(&figure->arena, " per %s", ws_work_name(work));
    const ws_energy_unit *unit = ws_energy_unit_of(in->facets_scale ? in->facets_scale : in->scale, work);
    for (size_t c = 0; c < in->scale->n_columns && n < MOST; c++) {
        if (!(in->y ? strcmp(in->scale->columns[c].name, in->y) == 0 : ws_is_training_result(in->scale, c)))
            continue;
        const char *name = in->scale->columns[c].name, *label = result_label(in->scale, &figure->arena, name);
        const ws_series_panel panels[] = {{.x = list.against,
                                           .x_label = ws_axis_label(NULL, &figure->arena, list.against),
                                           .x_factor = ws_axis_factor(NULL, list.against),
                                           .y = name,
                                           .y_label = label},
                                          {.x = "energy_kwh",
                                           .x_label = ws_arena_printf(&figure->arena, "Energy%s / %s", of, unit->name),
                                           .x_factor = unit->per_kwh,
                                           .x_error = work == WS_PER_RUN ? "energy_kwh_rmse" : NULL,
                                           .along = list.against,
                                           .y = name,
                                           .y_label = label,
                                           .work = work}};
        size_t before = figure->n_panels;
        for (size_t i = 0; i < 2; i++)
            has_energies |= ws_series_add_panel(&list, figure, &panels[i]) && i == 1;
        n += figure->n_panels > before;
    }
    ws_figure_arrange(figure, &list);
    figure->caption =
        ws_arena_printf(&figure->arena, "Results of training against %s%s%s.%s %s",
                        ws_series_against_words(&list, &figure->arena), has_energies ? " and the energy" : "",
                        has_energies ? of : "", ws_bars_are(figure), ws_series_counts(&list, &figure->arena));
    ws_series_free(&list);
    return n       ? WS_OK
           : in->y ? ws_fail_recipe(error, in->scale->source, "campaign/quality", ": ",
                                    "'%s' is no column of numbers of the configurations", in->y)
                   : ws_fail_recipe(error, in->scale->source, "campaign/quality", " ",
                                    "needs a result such as error_top1, rmse_z500, loss or accuracy; --y "
                                    "names another column");
}

const ws_figure_recipe ws_figure_campaign_pareto = {.name = "campaign/pareto",
                                                    .takes = WS_TAKES_REFERENCE | WS_TAKES_SCALING | WS_TAKES_PER |
                                                             WS_TAKES_GROUP,
                                                    .summary = "energy against time, and its front where it has one",
                                                    .source = WS_FIGURE_OF_CAMPAIGN,
                                                    .by_series = true,
                                                    .make = make_pareto};
const ws_figure_recipe ws_figure_campaign_quality = {.name = "campaign/quality",
                                                     .takes = WS_TAKES_PER | WS_TAKES_GROUP,
                                                     .summary = "error, loss or accuracy against GPUs and energy",
                                                     .title = "%s against GPUs",
                                                     .n_quantities = 99,
                                                     .source = WS_FIGURE_OF_CAMPAIGN,
                                                     .by_series = true,
                                                     .make = make_quality};
