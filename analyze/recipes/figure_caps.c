/* Speed and energy against the cap of power or clock, each divided by that at the highest cap (Frey et al. 2022, Fig.
 * 6, for any number of caps and any campaign). */
#include "analyze/recipes/figure_series.h"

#include "core/text.h"

#include <math.h>
#include <string.h>

static const char *const cap_columns[] = {"power_cap_w", "clock_cap_hz"};

typedef struct cap_chart {
    const ws_table *scale;
    size_t cap;       /* column */
    double unit;      /* of the axis, in that of the column */
    double reference; /* cap; NaN: the highest of each series */
    ws_work work;
} cap_chart;

/* A power cap where two configurations differ in it, else a clock. */
static bool find_cap(const ws_table *scale, size_t *cap)
{
    for (size_t i = 0; i < 2; i++) {
        double first = NAN;
        for (size_t row = 0; ws_table_find(scale, cap_columns[i], cap) && row < scale->n_rows; row++) {
            double value = ws_table_number(scale, *cap, row);
            first = isnan(first) ? value : first;
            if (isfinite(value) && value != first)
                return true;
        }
    }
    return false;
}

static bool same_cell(const ws_table *t, size_t column, size_t a, size_t b)
{
    char x[WS_DOUBLE_TEXT], y[WS_DOUBLE_TEXT];
    return strcmp(ws_table_cell_text(t, column, a, x), ws_table_cell_text(t, column, b, y)) == 0;
}

static bool is_group_column(const cap_chart *c, size_t column)
{
    return column != c->cap && !c->scale->columns[column].detail &&
           strcmp(c->scale->columns[column].name, "series") != 0;
}

/* Of two configurations: the same but for the cap, and for what their series are called? */
static bool same_group(const cap_chart *c, size_t a, size_t b)
{
    for (size_t i = 0; i < c->scale->n_columns && strcmp(c->scale->columns[i].name, "n_runs") != 0; i++)
        if (is_group_column(c, i) && !same_cell(c->scale, i, a, b))
            return false;
    return true;
}

/* Where series with the same settings cover the same caps twice, their names tell them apart. */
static bool has_twins(const cap_chart *c)
{
    for (size_t a = 0; a < c->scale->n_rows; a++)
        for (size_t b = 0; b < a; b++)
            if (same_group(c, a, b) && same_cell(c->scale, c->cap, a, b))
                return true;
    return false;
}

static bool is_together(const cap_chart *c, bool twins, size_t a, size_t b)
{
    size_t series;
    return same_group(c, a, b) &&
           (!twins || !ws_table_find(c->scale, "series", &series) || same_cell(c->scale, series, a, b));
}

static const char *label_of(const cap_chart *c, ws_arena *arena, bool twins, const size_t *firsts, size_t n, size_t row)
{
    const char *label = "";
    for (size_t i = 0; i < c->scale->n_columns && strcmp(c->scale->columns[i].name, "n_runs") != 0; i++) {
        char buffer[WS_DOUBLE_TEXT];
        const char *name = c->scale->columns[i].name, *text = ws_table_cell_text(c->scale, i, row, buffer);
        bool varies = false, is_series = strcmp(name, "series") == 0;
        for (size_t k = 1; k < n; k++)
            varies |= !same_cell(c->scale, i, firsts[0], firsts[k]);
        bool follows = strcmp(name, "gbs") == 0 && ws_table_column(c->scale, "lbs");
        if (!(is_group_column(c, i) || (is_series && twins)) || !varies || !*text || follows ||
            strcmp(name, "model_class") == 0)
            continue;
        text = strcmp(name, "gpus") == 0 ? ws_arena_printf(arena, "%s GPU%s", text, strcmp(text, "1") == 0 ? "" : "s")
                                         : ws_series_spelled(c->scale->looks, arena, name, text);
        label = ws_arena_printf(arena, "%s%s%s", label, *label ? ", " : "", text);
    }
    return label;
}

/* The configuration of a group that others are divided by. */
static size_t reference_of(const cap_chart *c, bool twins, size_t first)
{
    size_t best = SIZE_MAX;
    for (size_t row = 0; row < c->scale->n_rows; row++) {
        double cap = ws_table_number(c->scale, c->cap, row);
        if (!is_together(c, twins, first, row) || !isfinite(cap) || (!isnan(c->reference) && cap != c->reference))
            continue;
        if (best == SIZE_MAX || cap > ws_table_number(c->scale, c->cap, best))
            best = row;
    }
    return best;
}

static ws_points ratios(const cap_chart *c, ws_arena *arena, bool twins, size_t first, const char *y, bool is_speed)
{
    ws_row_list rows = {ws_arena_alloc(arena, (c->scale->n_rows + 1) * sizeof(size_t)), 0, 0};
    for (size_t row = 0; row < c->scale->n_rows; row++)
        if (is_together(c, twins, first, row))
            rows.rows[rows.n++] = row;
    const char *spread = ws_arena_printf(arena, "%s_rmse", y);
    ws_points p =
        ws_points_take_along(arena, c->scale, &rows, c->scale->columns[c->cap].name, y, spread, NULL, NULL, c->work);
    size_t of = reference_of(c, twins, first);
    double cap = of == SIZE_MAX ? NAN : ws_table_number(c->scale, c->cap, of), base = NAN, share = 0;
    for (size_t i = 0; i < p.n; i++)
        if (p.x[i] == cap) {
            base = p.y[i];
            share = isfinite(p.error[i]) ? p.error[i] / base : 0;
        }
    p.n = isnan(base) ? 0 : p.n;
    p.has_error = false;
    for (size_t i = 0; i < p.n; i++) {
        double own = isfinite(p.error[i]) ? p.error[i] / p.y[i] : 0;
        p.y[i] = is_speed ? base / p.y[i] : p.y[i] / base;
        p.error[i] = p.x[i] != cap && own + share > 0 ? p.y[i] * sqrt(own * own + share * share) : NAN;
        p.has_error |= isfinite(p.error[i]);
        p.x[i] /= c->unit;
    }
    return p;
}

static size_t count_caps(const cap_chart *c, bool twins, size_t first)
{
    size_t n = 0;
    for (size_t row = 0; row < c->scale->n_rows; row++)
        n += is_together(c, twins, first, row) && isfinite(ws_table_number(c->scale, c->cap, row));
    return n;
}

static ws_status make_caps(const ws_figure_input *in, ws_figure *figure, ws_error *error)
{
    enum { MOST_SERIES = 12 };
    cap_chart c = {.scale = in->scale, .unit = 1, .reference = NAN, .work = ws_figure_work(in->scale)};
    size_t firsts[MOST_SERIES], n = 0, left = 0;
    ws_figure_init(figure, "campaign/caps", 180, 70, 1, 2);
    ws_arena *arena = &figure->arena;
    if (!find_cap(in->scale, &c.cap))
        return ws_fail_at(error, WS_DATA, in->scale->source, 0,
                          "campaign/caps needs several power caps (power_cap_w) or clocks (clock_cap_hz)");
    const char *name = in->scale->columns[c.cap].name;
    bool is_clock = strcmp(name, cap_columns[1]) == 0, twins = has_twins(&c);
    size_t length = strlen(name);
    if (in->reference && strncmp(in->reference, name, length) == 0 && in->reference[length] == '=')
        ws_span_double(ws_span_of(in->reference + length + 1), &c.reference);
    c.unit = is_clock ? 1e6 : 1;
    for (size_t row = 0; row < in->scale->n_rows; row++) {
        bool is_new = count_caps(&c, twins, row) > 1;
        for (size_t i = 0; i < n && is_new; i++)
            is_new = !is_together(&c, twins, firsts[i], row);
        left += is_new && n == MOST_SERIES;
        if (is_new && n < MOST_SERIES)
            firsts[n++] = row;
    }
    for (size_t i = 0; i < 2; i++) {
        ws_panel *panel = ws_figure_add_panel(figure, i ? "B" : "A", NULL);
        const char *at = isnan(c.reference)
                             ? "the highest cap"
                             : ws_arena_printf(arena, "%.6g %s", c.reference / c.unit, is_clock ? "MHz" : "W");
        panel->x = (ws_axis){.label = is_clock ? "Clock / MHz" : "Power cap / W"};
        panel->y = (ws_axis){.label = ws_arena_printf(arena, i ? "Energy relative to %s" : "Speed relative to %s", at)};
        for (size_t s = 0; s < n; s++) {
            ws_points p = ratios(&c, arena, twins, firsts[s], i ? "energy_kwh" : "wall_s", i == 0);
            const char *label = label_of(&c, arena, twins, firsts, n, firsts[s]);
            if (p.n > 1)
                ws_points_draw(figure, panel, *label ? label : NULL, WS_LAYER_LINE | WS_LAYER_MARKERS, (int)s, &p);
        }
        if (panel->n_layers)
            ws_panel_add_reference(figure, panel, false, 1, NULL);
        else
            figure->n_panels--;
    }
    if (!figure->n_panels)
        return ws_fail_at(error, WS_DATA, in->scale->source, 0,
                          "campaign/caps: no configuration was run under several caps%s",
                          isnan(c.reference) ? "" : ", that of the reference among them");
    figure->columns = figure->n_panels;
    figure->width_mm = figure->n_panels == 1 ? 88 : 180;
    figure->legend = n > 1 ? WS_LEGEND_TOP : WS_LEGEND_NONE;
    figure->caption = ws_arena_printf(
        arena, "Speed%s of %s %s under caps of the %s, each against %s.%s%s%s",
        figure->n_panels > 1 ? " (A) and energy (B)" : "", c.work == WS_PER_EPOCH ? "an" : "a", ws_work_name(c.work),
        is_clock ? "clock" : "power", isnan(c.reference) ? "the highest of its series" : in->reference,
        ws_bars_are(figure),
        left ? ws_arena_printf(arena, " The first %d of %zu series are drawn.", (int)MOST_SERIES, left + MOST_SERIES)
             : "",
        ws_left_out(&in->scale->notes, arena));
    return WS_OK;
}

static const char *const needs[] = {"wall_s", NULL};
const ws_figure_recipe ws_figure_campaign_caps = {.name = "campaign/caps",
                                                  .summary = "speed and energy under caps of power or clock",
                                                  .source = WS_FIGURE_OF_CAMPAIGN,
                                                  .needs = needs,
                                                  .make = make_caps};
