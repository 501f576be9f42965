/* Frey et al. 2022: six networks on 2 to 424 V100 under caps of power and clock (arXiv:2201.12423). */
#include "analyze/recipes/paper.h"

#include "analyze/ingest/run_columns.h"
#include "analyze/recipes/series_looks.h"

#include <math.h>
#include <string.h>

static const ws_figure_recipe *const figures[] = {
    &ws_figure_frey_fig2,  &ws_figure_frey_fig3,  &ws_figure_frey_fig4,  &ws_figure_frey_fig5,
    &ws_figure_frey_fig6,  &ws_figure_frey_fig8,  &ws_figure_frey_fig9,  &ws_figure_frey_fig10,
    &ws_figure_frey_fig11, &ws_figure_frey_fig12, &ws_figure_frey_fig13, &ws_figure_frey_fig14,
    &ws_figure_frey_fig15, &ws_figure_frey_fig16, &ws_figure_frey_fig17, NULL};

static const ws_table_recipe *const tables[] = {&ws_table_frey_table1,    &ws_table_frey_table2, &ws_table_frey_table3,
                                                &ws_table_frey_table4,    &ws_table_frey_table5, &ws_table_frey_table6,
                                                &ws_table_frey_exponents, &ws_table_frey_energy, NULL};

static bool is_of(const ws_table *runs, size_t row, ws_run_column column, const char *text)
{
    const char *is = runs->columns[column].text[row];
    return is && strcmp(is, text) == 0;
}

/* Is a setting the same in all runs of a series or a model? One that is not stated is a value of its own. */
static bool is_same_in(const ws_table *runs, ws_run_column of, const char *text, ws_run_column setting, double *value)
{
    bool found = false;
    *value = NAN;
    for (size_t row = 0; row < runs->n_rows; row++) {
        double own = ws_runs_get(runs, setting, row);
        if (!is_of(runs, row, of, text))
            continue;
        if (found && own != *value && !(isnan(own) && isnan(*value)))
            return false;
        *value = own;
        found = true;
    }
    return true;
}

static bool setting_varies(const ws_table *runs, const char *model, ws_run_column setting)
{
    double value;
    return !is_same_in(runs, WS_COL_MODEL, model, setting, &value);
}

/* The one value of a setting in all runs of a series. */
static double setting_of(const ws_table *runs, const char *series, ws_run_column setting)
{
    double value;
    return is_same_in(runs, WS_COL_SERIES, series, setting, &value) ? value : NAN;
}

static const char *model_of(const ws_table *runs, const char *series)
{
    const char *first = NULL;
    for (size_t row = 0; row < runs->n_rows; row++) {
        const char *model = runs->columns[WS_COL_MODEL].text[row];
        if (!is_of(runs, row, WS_COL_SERIES, series))
            continue;
        if (!model || (first && strcmp(first, model) != 0))
            return NULL;
        first = model;
    }
    return first;
}

/* "BERT, 100 W", "DimeNet, 250 W, 135 MHz": figures have the parts in which their series differ. */
void ws_frey_names(const ws_table *runs, const ws_table *scale, const char *const *series, const char **names, size_t n,
                   ws_arena *arena)
{
    static const struct {
        ws_run_column column;
        const char *name;
    } settings[] = {{WS_COL_POWER_CAP, "power_cap_w"}, {WS_COL_CLOCK_CAP, "clock_cap_hz"}};
    for (size_t i = 0; i < n; i++) {
        const char *model = model_of(runs, series[i]);
        names[i] = model ? ws_series_spelled(scale->looks, arena, "model", model) : NULL;
        for (size_t k = 0; model && k < sizeof settings / sizeof *settings; k++) {
            double value = setting_of(runs, series[i], settings[k].column);
            char text[WS_DOUBLE_TEXT];
            if (isnan(value) || !setting_varies(runs, model, settings[k].column))
                continue;
            ws_double_text(text, value);
            names[i] = ws_arena_printf(arena, "%s, %s", names[i],
                                       ws_series_spelled(scale->looks, arena, settings[k].name, text));
        }
    }
}

const ws_paper ws_paper_frey2022 = {
    "frey2022", "Frey et al. 2022, Benchmarking Resource Usage for Efficient Distributed Deep Learning", figures,
    tables, ws_frey_names};
