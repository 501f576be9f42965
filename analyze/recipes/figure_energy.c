/* Energy against the number of GPUs, by domain (Huber et al. 2025, Figs 2 C and 3 C), and against GPU hours with the
 * energy per GPUh as the slope through the origin (their section 3.5). */
#include "analyze/recipes/axis_names.h"
#include "analyze/recipes/figure_series.h"

#include "core/known_to.h"
#include "report/utf8.h"

#include <math.h>
#include <string.h>

static ws_status make_energy(const ws_figure_input *input, ws_figure *figure, ws_error *error)
{
    static const struct {
        const char *column, *what;
    } panels[] = {{"energy_kwh", "Total energy"},
                  {"energy_gpu_kwh", "GPU energy"},
                  {"energy_cpu_kwh", "CPU energy"},
                  {"energy_dram_kwh", "DRAM energy"}};
    (void)error;
    ws_series_list list;
    ws_series_to_draw_against(&list, input->runs, input->scale);
    ws_figure_init(figure, "campaign/energy", 180, 125, 2, 2);
    ws_work work = ws_figure_work_of(input);
    const ws_energy_unit *unit = ws_energy_unit_of(input->facets_scale ? input->facets_scale : input->scale, work);
    const char *of = work == WS_PER_RUN ? "" : ws_arena_printf(&figure->arena, " per %s", ws_work_name(work));
    for (size_t i = 0; i < sizeof panels / sizeof *panels; i++) {
        ws_series_panel panel = {.x = list.against,
                                 .x_label = ws_axis_label(NULL, &figure->arena, list.against),
                                 .x_factor = ws_axis_factor(NULL, list.against),
                                 .y = panels[i].column,
                                 .factor = unit->per_kwh,
                                 .work = work};
        panel.y_label = ws_arena_printf(&figure->arena, "%s%s / %s", panels[i].what, of, unit->name);
        ws_series_add_panel(&list, figure, &panel);
    }
    const char *dropped = ws_figure_drop_proportional(figure);
    ws_figure_arrange(figure, &list);
    figure->caption = ws_arena_printf(
        &figure->arena, "Mean energy of a%s %s against %s.%s%s%s %s", work == WS_PER_EPOCH ? "n" : "",
        ws_work_name(work), ws_series_against_words(&list, &figure->arena), dropped, ws_bars_are(figure),
        ws_energies_are_known(input->scale, &figure->arena), ws_series_counts(&list, &figure->arena));
    ws_series_free(&list);
    return WS_OK;
}

/* The unit of the axis, and that of a factor: kWh/GPUh in every figure and in the story, or what a look says. */
typedef struct energy_axis {
    double per_kwh, of_factor; /* a factor of the axis times this is in its own unit */
    const char *factor_name;
} energy_axis;

static energy_axis name_energy_axis(const ws_figure_input *in, ws_figure *figure, ws_axis *y)
{
    const ws_table *scale = in->scale;
    const ws_look *look = ws_look_of_column(scale->looks, "energy_kwh");
    const ws_energy_unit *own = ws_energy_unit_of(in->facets_scale ? in->facets_scale : scale, WS_PER_RUN);
    bool is_told = look && look->unit;
    energy_axis axis = {is_told ? 1 : own->per_kwh, is_told ? 1 : 1 / own->per_kwh, "kWh"};
    const char *label = ws_arena_printf(&figure->arena, "Energy / %s", is_told ? "kWh" : own->name);
    y->label = ws_axis_named(scale->looks, &figure->arena, "energy_kwh", label, &axis.per_kwh);
    if (is_told)
        axis.factor_name = strstr(y->label, " / ") ? strstr(y->label, " / ") + strlen(" / ") : "";
    return axis;
}

/* "LBS 256: 0.2666 ± 0.0009 kWh/GPUh", and where no single factor holds "GBS 8192: 0.266 to 0.292 kWh/GPUh". */
static void add_factor(const ws_series_list *list, ws_figure *figure, ws_panel *panel, size_t s, const ws_points *p,
                       bool is_single, const energy_axis *unit, const ws_fit *fit)
{
    const ws_estimate *ratio = ws_fit_estimate(fit, "mean-of-ratios");
    if (!ratio || !isfinite(ratio->value))
        return;
    const char *text =
        is_single ? ws_value_text(&figure->arena, fit, ratio->value * unit->of_factor, ratio->se * unit->of_factor)
                  : ws_ratios_are(&figure->arena, p, unit->of_factor);
    ws_panel_note(figure, panel, list->n - 1 - s, true, (int)s,
                  ws_arena_printf(&figure->arena, "%s%s %s/GPUh", ws_label_before(&figure->arena, list->items[s].label),
                                  text, unit->factor_name));
}

static void multiply(ws_points *p, double factor)
{
    for (size_t i = 0; i < p->n; i++) {
        p->y[i] *= factor;
        p->error[i] *= factor;
    }
}

static ws_status add_factors(const ws_series_list *list, const ws_figure_input *input, const energy_axis *unit,
                             ws_figure *figure, ws_panel *panel, bool *has_error, bool *any_apart, ws_error *error)
{
    ws_status status = WS_OK;
    *has_error = *any_apart = false;
    for (size_t s = 0; status == WS_OK && s < list->n; s++) {
        ws_fit fit = {0};
        ws_drawn_curve curve = {"mean-of-ratios", input->level,         true, panel->x.scale == WS_AXIS_LINEAR,
                                (int)s,           list->items[s].label, false};
        ws_series_ratios r;
        status = ws_series_factor(&figure->arena, input->runs, &list->items[s].runs, input->level, &r, error);
        ws_points p = r.points;
        if (status != WS_OK || !p.n)
            continue;
        multiply(&p, unit->per_kwh);
        size_t n = panel->n_layers;
        status = ws_curve_add(figure, panel, &curve, &p, &fit, error);
        /* A line would say that one factor holds, and through one configuration it says no more than its marker. */
        panel->n_layers = r.is_single && list->items[s].configurations.n > 1 ? panel->n_layers : n;
        ws_fit_origin_allow_factor(p.x, p.y, ws_energy_u(input->runs, r.rows.rows, r.rows.n), input->level, &fit);
        add_factor(list, figure, panel, s, &p, r.is_single, unit, &fit);
        *has_error |= fit.status == WS_FIT_OK && panel->n_layers > n;
        *any_apart |= !r.is_single;
    }
    return status;
}

static void add_points(const ws_series_list *list, const energy_axis *unit, ws_figure *figure, ws_panel *panel)
{
    for (size_t s = 0; s < list->n; s++) {
        ws_points p = ws_points_take(&figure->arena, list->scale, &list->items[s].configurations, "gpu_h", "energy_kwh",
                                     "energy_kwh_rmse");
        const char *label = *list->items[s].label ? list->items[s].label : NULL;
        multiply(&p, unit->per_kwh);
        if (p.n)
            ws_points_draw(figure, panel, label, WS_LAYER_MARKERS, (int)s, &p);
    }
}

/* What the lines are fitted to; "" where none is drawn. */
static const char *fitted(const ws_series_list *list, ws_figure *figure, double level, bool has_error)
{
    double full = NAN;
    bool is_cut = false;
    for (size_t s = 0; s < list->n; s++)
        is_cut |= ws_whole_nodes(&figure->arena, list->runs, &list->items[s].runs, &full).n < list->items[s].runs.n;
    if (!ws_figure_has(figure, WS_LAYER_LINE))
        return "";
    char gpus[WS_DOUBLE_TEXT];
    ws_double_text(gpus, full);
    return ws_arena_printf(
        &figure->arena, " Lines: mean of the ratios of energy to GPUh over the configurations of a series%s%s%s%s%s.",
        is_cut ? " on whole nodes of " : "", is_cut ? gpus : "", is_cut ? " GPUs" : "",
        has_error ? ", with their standard error" : "", ws_bands_are(figure, level));
}

/* Does the largest series leave another one a tenth of an axis that begins at zero, or less? */
static bool crushes_others(const ws_series_list *list, const char *column)
{
    const double tenth = 10;
    double least = INFINITY, most = 0;
    size_t of;
    bool found = ws_table_find(list->scale, column, &of);
    for (size_t s = 0; found && s < list->n; s++) {
        double largest = 0;
        for (size_t i = 0; i < list->items[s].configurations.n; i++)
            largest = fmax(largest, ws_table_number(list->scale, of, list->items[s].configurations.rows[i]));
        least = largest > 0 ? fmin(least, largest) : least;
        most = fmax(most, largest);
    }
    return most > tenth * least;
}

/* Do the points of all facets span more than a decade of a column? All are logarithmic then, as the same distance is
 * the same ratio in each. */
static bool spans_a_decade(const ws_table *scale, const char *column)
{
    const double decade = 10;
    double lo = INFINITY, hi = 0;
    size_t of;
    bool found = ws_table_find(scale, column, &of);
    for (size_t row = 0; found && row < scale->n_rows; row++) {
        double value = ws_table_number(scale, of, row);
        lo = value > 0 ? fmin(lo, value) : lo;
        hi = value > 0 ? fmax(hi, value) : hi;
    }
    return hi > decade * lo;
}

static bool is_logarithmic(const ws_figure_input *input, const ws_series_list *list)
{
    const char *const columns[] = {"gpu_h", "energy_kwh"};
    bool all = true;
    for (size_t i = 0; i < 2; i++)
        all &= input->facets_scale ? spans_a_decade(input->facets_scale, columns[i]) : crushes_others(list, columns[i]);
    return all;
}

static ws_status make_energy_vs_gpuh(const ws_figure_input *input, ws_figure *figure, ws_error *error)
{
    ws_series_list list;
    ws_series_to_draw(&list, input->runs, input->scale);
    ws_figure_init(figure, "campaign/energy-vs-gpuh", 88, 70, 1, 1);
    ws_panel *panel = ws_figure_add_panel(figure, NULL, NULL);
    panel->x = (ws_axis){.label = "Compute resources / GPUh", .from_zero = true};
    panel->y = (ws_axis){.from_zero = true};
    energy_axis unit = name_energy_axis(input, figure, &panel->y);
    if (is_logarithmic(input, &list))
        panel->x.scale = panel->y.scale = WS_AXIS_LOG10;
    bool has_error, any_apart;
    ws_status status = add_factors(&list, input, &unit, figure, panel, &has_error, &any_apart, error);
    add_points(&list, &unit, figure, panel);
    if (!input->is_facet)
        ws_panel_notes_to_legend(panel, list.n);
    ws_figure_arrange(figure, &list);
    figure->caption =
        ws_arena_printf(&figure->arena, "Energy against compute resources. Markers: means of the repeats.%s%s%s%s %s",
                        ws_bars_are(figure), ws_energies_are_known(input->scale, &figure->arena),
                        fitted(&list, figure, input->level, has_error),
                        any_apart ? " Ratios of the configurations where no single factor holds." : "",
                        ws_series_counts(&list, &figure->arena));
    ws_series_free(&list);
    return status;
}

static const char *const needs_energy[] = {"gpus", "energy_kwh", NULL};
static const char *const needs_gpuh[] = {"gpu_h", "energy_kwh", NULL};
const ws_figure_recipe ws_figure_campaign_energy = {.name = "campaign/energy",
                                                    .takes = WS_TAKES_PER | WS_TAKES_GROUP,
                                                    .summary = "total, GPU, CPU and DRAM energy against GPUs",
                                                    .title = "%s against GPUs",
                                                    .n_quantities = 4,
                                                    .source = WS_FIGURE_OF_CAMPAIGN,
                                                    .by_series = true,
                                                    .needs = needs_energy,
                                                    .make = make_energy};
const ws_figure_recipe ws_figure_campaign_energy_vs_gpuh = {
    .name = "campaign/energy-vs-gpuh",
    .takes = WS_TAKES_BAND | WS_TAKES_GROUP,
    .summary = "energy against GPUh, with the fitted kWh per GPUh and its band",
    .source = WS_FIGURE_OF_CAMPAIGN,
    .by_series = true,
    .needs = needs_gpuh,
    .make = make_energy_vs_gpuh};
