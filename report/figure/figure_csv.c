/* panel,title,x_label,y_label,series,kind,category,x,y,error,lo,hi,x_error
 * A,,Number of GPUs,Energy / kWh,LBS 256,line+markers+errors,,4,34.7,0.4,,, */
#include "report/figure/figure_csv.h"

#include "report/figure/figure_json.h"

#include <math.h>
#include <stdio.h>

enum { PANEL, TITLE, X_LABEL, Y_LABEL, SERIES, KIND, CATEGORY, X, Y, ERROR, LO, HI, X_ERROR, COLUMNS };

static const char *kind_text(ws_arena *arena, unsigned kind)
{
    const char *text = "";
    for (unsigned bit = 1; ws_layer_kind_name(bit); bit <<= 1)
        if (kind & bit)
            text = ws_arena_printf(arena, "%s%s%s", text, *text ? "+" : "", ws_layer_kind_name(bit));
    return text;
}

static void set_number(ws_table *table, size_t column, size_t row, const double *values, size_t i)
{
    if (values && isfinite(values[i]))
        ws_table_set_number(table, column, row, values[i]);
}

static const char *category_of(const ws_axis *axis, double x)
{
    if (axis->scale != WS_AXIS_CATEGORY || !(x >= 0) || x >= (double)axis->n_categories || x != floor(x))
        return NULL;
    return axis->categories[(size_t)x];
}

static void add_layer(ws_table *table, const ws_panel *panel, const char *name, const ws_layer *layer)
{
    const char *const texts[] = {name,           panel->title, panel->x.label,
                                 panel->y.label, layer->label, kind_text(&table->arena, layer->kind)};
    for (size_t i = 0; i < layer->n; i++) {
        size_t row = ws_table_add_row(table);
        for (size_t c = PANEL; c <= KIND; c++)
            if (texts[c])
                ws_table_set_text(table, c, row, texts[c]);
        const char *category = category_of(&panel->x, layer->x[i]);
        if (category)
            ws_table_set_text(table, CATEGORY, row, category);
        set_number(table, X, row, layer->x, i);
        set_number(table, Y, row, layer->y, i);
        set_number(table, ERROR, row, layer->error, i);
        set_number(table, LO, row, layer->lo, i);
        set_number(table, HI, row, layer->hi, i);
        set_number(table, X_ERROR, row, layer->x_error, i);
    }
}

void ws_figure_table(const ws_figure *figure, ws_table *table)
{
    static const char *const names[COLUMNS] = {[PANEL] = "panel",       [TITLE] = "title",   [X_LABEL] = "x_label",
                                               [Y_LABEL] = "y_label",   [SERIES] = "series", [KIND] = "kind",
                                               [CATEGORY] = "category", [X] = "x",           [Y] = "y",
                                               [ERROR] = "error",       [LO] = "lo",         [HI] = "hi",
                                               [X_ERROR] = "x_error"};
    ws_table_init(table, "figure");
    table->synthetic = figure->synthetic;
    for (size_t c = 0; c < COLUMNS; c++)
        ws_table_add_column(table, names[c], c < X ? WS_TEXT : WS_NUMBER);
    for (size_t p = 0; p < figure->n_panels; p++) {
        const ws_panel *panel = &figure->panels[p];
        const char *name = panel->letter ? panel->letter : ws_arena_printf(&table->arena, "%zu", p + 1);
        for (size_t i = 0; i < panel->n_layers; i++)
            add_layer(table, panel, name, &panel->layers[i]);
    }
}
