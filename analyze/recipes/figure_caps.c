/* Speed and energy against the cap of power or clock, each divided by that at the highest cap (Frey et al. 2022, Fig.
 * 6, for any number of caps and any campaign). */
#include "analyze/recipes/figure_series.h"

#include "analyze/scaling/pairs_by_setting.h"
#include "analyze/scaling/scaling.h"
#include "core/text.h"

#include <math.h>
#include <string.h>

static const char *const cap_columns[] = {"power_cap_w", "clock_cap_hz"};

typedef struct cap_chart {
    const ws_table *scale, *runs;
    size_t cap;       /* column */
    double unit;      /* of the axis, in that of the column */
    double reference; /* cap; NaN: the highest of each series */
    ws_work work;
    double level;
    ws_setting_columns settings;
    const bool *by_name;    /* of a row: the names of series tell its group apart */
    ws_setting_pairs pairs; /* of all that was drawn */
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

/* What configurations are grouped by, and what else makes runs under two caps incomparable, grouped by or not. */
static bool is_group_column(const cap_chart *c, size_t column)
{
    static const char *const always[] = {"model", "device", "phase", "power_cap_w", "clock_cap_hz"};
    const char *name = c->scale->columns[column].name;
    bool is_always = false;
    for (size_t i = 0; i < sizeof always / sizeof *always; i++)
        is_always |= strcmp(name, always[i]) == 0;
    return column != c->cap && strcmp(name, "series") != 0 && (is_always || !c->scale->columns[column].detail);
}

/* Of two configurations: the same but for the cap, and for what their series are called? */
static bool same_group(const cap_chart *c, size_t a, size_t b)
{
    for (size_t i = 0, n_keys = ws_scale_keys(c->scale); i < n_keys; i++)
        if (is_group_column(c, i) && !same_cell(c->scale, i, a, b))
            return false;
    return true;
}

/* A series that has several caps is one that is drawn, and its name tells it from others of the same settings. Where
 * each cap has a series of its own the names say no more than the caps. */
static const bool *find_by_name(const cap_chart *c, ws_arena *arena)
{
    size_t series, n = c->scale->n_rows;
    bool *by_name = ws_arena_alloc(arena, (n + 1) * sizeof *by_name);
    bool has_series = ws_table_find(c->scale, "series", &series);
    memset(by_name, 0, (n + 1) * sizeof *by_name);
    for (size_t a = 0; has_series && a < n; a++)
        for (size_t b = 0; b < a && !by_name[a]; b++)
            if (same_group(c, a, b) && same_cell(c->scale, series, a, b) && !same_cell(c->scale, c->cap, a, b))
                for (size_t i = 0; i < n; i++)
                    by_name[i] |= same_group(c, a, i);
    return by_name;
}

static bool is_together(const cap_chart *c, size_t a, size_t b)
{
    size_t series;
    return same_group(c, a, b) &&
           (!c->by_name[a] || !ws_table_find(c->scale, "series", &series) || same_cell(c->scale, series, a, b));
}

static const char *label_of(const cap_chart *c, ws_arena *arena, const size_t *firsts, size_t n, size_t row)
{
    const char *label = "";
    for (size_t i = 0, n_keys = ws_scale_keys(c->scale); i < n_keys; i++) {
        char buffer[WS_DOUBLE_TEXT];
        const char *name = c->scale->columns[i].name, *text = ws_table_cell_text(c->scale, i, row, buffer);
        bool varies = false, is_series = strcmp(name, "series") == 0;
        for (size_t k = 1; k < n; k++)
            varies |= !same_cell(c->scale, i, firsts[0], firsts[k]);
        bool follows = strcmp(name, "gbs") == 0 && ws_table_column(c->scale, "lbs");
        if (!(is_group_column(c, i) || (is_series && c->by_name[row])) || !varies || !*text || follows ||
            strcmp(name, "model_class") == 0)
            continue;
        text = ws_series_spelled(c->scale->looks, arena, name, text);
        label = ws_arena_printf(arena, "%s%s%s", label, *label ? ", " : "", text);
    }
    return label;
}

/* The configuration of a group that others are divided by. */
static size_t reference_of(const cap_chart *c, size_t first)
{
    size_t best = SIZE_MAX;
    for (size_t row = 0; row < c->scale->n_rows; row++) {
        double cap = ws_table_number(c->scale, c->cap, row);
        if (!is_together(c, first, row) || !isfinite(cap) || (!isnan(c->reference) && cap != c->reference))
            continue;
        if (best == SIZE_MAX || cap > ws_table_number(c->scale, c->cap, best))
            best = row;
    }
    return best;
}

/* Several configurations under one cap are those of series that differ in their names alone: their mean, each as often
 * as it was run, and the deviation of all runs from it. */
static ws_points pool_caps(const cap_chart *c, ws_arena *arena, const ws_row_list *rows, const char *y)
{
    const char *cap = c->scale->columns[c->cap].name, *spread = ws_arena_printf(arena, "%s_rmse", y);
    ws_points p = ws_points_take_along(arena, c->scale, rows, cap, y, spread, NULL, NULL, c->work);
    ws_points runs = ws_points_take(arena, c->scale, rows, cap, "n_runs", NULL);
    size_t n = 0;
    for (size_t i = 0, next; i < p.n; i = next, n++) {
        double sum = 0, all = 0, squares = 0;
        for (next = i; next < p.n && p.x[next] == p.x[i]; next++) {
            double weight = runs.n == p.n && runs.y[next] > 0 ? runs.y[next] : 1;
            sum += weight * p.y[next];
            all += weight;
        }
        for (size_t k = i; k < next; k++) {
            double weight = runs.n == p.n && runs.y[k] > 0 ? runs.y[k] : 1, off = p.y[k] - sum / all;
            squares += weight * (off * off + (isfinite(p.error[k]) ? p.error[k] * p.error[k] : 0));
        }
        bool is_alone = next == i + 1, is_doubtful = false;
        for (size_t k = i; k < next; k++)
            is_doubtful |= p.is_doubtful[k];
        double error = is_alone ? p.error[i] : sqrt(squares / all);
        p.x[n] = p.x[i];
        p.y[n] = sum / all;
        p.error[n] = error;
        p.is_doubtful[n] = is_doubtful;
    }
    p.n = n;
    return p;
}

/* Is a run of that group, as its columns say? */
static bool is_run_of(const cap_chart *c, size_t first, size_t run)
{
    for (size_t i = 0, n_keys = ws_scale_keys(c->scale); i < n_keys; i++) {
        char x[WS_DOUBLE_TEXT], y[WS_DOUBLE_TEXT];
        size_t column;
        bool counts = is_group_column(c, i) || (c->by_name[first] && strcmp(c->scale->columns[i].name, "series") == 0);
        if (counts && (!ws_table_find(c->runs, c->scale->columns[i].name, &column) ||
                       strcmp(ws_table_cell_text(c->scale, i, first, x), ws_table_cell_text(c->runs, column, run, y))))
            return false;
    }
    return true;
}

static ws_row_list runs_under(const cap_chart *c, ws_arena *arena, size_t first, double cap)
{
    ws_row_list list = {ws_arena_alloc(arena, (c->runs->n_rows + 1) * sizeof(size_t)), 0, 0};
    size_t column;
    for (size_t run = 0; ws_table_find(c->runs, c->scale->columns[c->cap].name, &column) && run < c->runs->n_rows;
         run++)
        if (ws_table_number(c->runs, column, run) == cap && is_run_of(c, first, run))
            list.rows[list.n++] = run;
    return list;
}

/* Where the runs of a group were run in several settings (data sets, batch sizes that nobody grouped by), those of a
 * setting are compared with each other: the mean over settings, with half of its interval for an error. */
static void pair_settings(cap_chart *c, ws_arena *arena, size_t first, double reference, const char *y, bool is_speed,
                          ws_points *p)
{
    size_t column;
    ws_row_list against = runs_under(c, arena, first, reference);
    for (size_t i = 0; ws_table_find(c->runs, y, &column) && i < p->n; i++) {
        ws_row_list rows = runs_under(c, arena, first, p->x[i]);
        ws_setting_pairs pairs = ws_pair_by_setting(c->runs, rows.rows, rows.n, against.rows, against.n, &c->settings,
                                                    column, c->work, c->level, arena);
        if (!*pairs.columns || p->x[i] == reference)
            continue;
        p->y[i] = is_speed ? 1 / pairs.ratio : pairs.ratio;
        p->error[i] = isfinite(pairs.half) ? pairs.half * p->y[i] / pairs.ratio : NAN;
        ws_setting_pairs_add(&c->pairs, &pairs, arena);
    }
}

static ws_points ratios(cap_chart *c, ws_arena *arena, size_t first, const char *y, bool is_speed)
{
    ws_row_list rows = {ws_arena_alloc(arena, (c->scale->n_rows + 1) * sizeof(size_t)), 0, 0};
    for (size_t row = 0; row < c->scale->n_rows; row++)
        if (is_together(c, first, row))
            rows.rows[rows.n++] = row;
    ws_points p = pool_caps(c, arena, &rows, y);
    size_t of = reference_of(c, first);
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
    }
    pair_settings(c, arena, first, cap, y, is_speed, &p);
    size_t kept = 0;
    for (size_t i = 0; i < p.n; i++) {
        if (isnan(p.y[i])) /* under that cap nothing was run as under the reference */
            continue;
        p.has_error |= isfinite(p.error[i]);
        p.x[kept] = p.x[i] / c->unit;
        p.y[kept] = p.y[i];
        p.is_doubtful[kept] = p.is_doubtful[i];
        p.error[kept++] = p.error[i];
    }
    p.n = kept;
    return p;
}

static size_t count_caps(const cap_chart *c, size_t first)
{
    size_t n = 0;
    for (size_t row = 0; row < c->scale->n_rows; row++) {
        bool is_new = is_together(c, first, row) && isfinite(ws_table_number(c->scale, c->cap, row));
        for (size_t before = 0; before < row && is_new; before++)
            is_new = !is_together(c, first, before) || !same_cell(c->scale, c->cap, before, row);
        n += is_new;
    }
    return n;
}

/* Do series that differ in their names alone share a cap? */
static bool are_pooled(const cap_chart *c, const size_t *firsts, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (size_t a = 0; a < c->scale->n_rows; a++)
            for (size_t b = 0; b < a && is_together(c, firsts[i], a); b++)
                if (is_together(c, firsts[i], b) && same_cell(c->scale, c->cap, a, b))
                    return true;
    return false;
}

/* The first row of each group of configurations that differ in the cap alone, and were run under two of them. */
typedef struct cap_groups {
    size_t *firsts, n;
} cap_groups;

static cap_groups find_groups(const cap_chart *c, ws_arena *arena)
{
    cap_groups g = {ws_arena_alloc(arena, (c->scale->n_rows + 1) * sizeof *g.firsts), 0};
    for (size_t row = 0; row < c->scale->n_rows; row++) {
        bool is_new = true;
        for (size_t i = 0; i < g.n && is_new; i++)
            is_new = !is_together(c, g.firsts[i], row);
        if (is_new && count_caps(c, row) > 1)
            g.firsts[g.n++] = row;
    }
    return g;
}

enum { MOST_SERIES = 12 /* as markers tell apart */, MOST_FACETS = 6 };

/* How many groups the most common value of a column has; SIZE_MAX where it has one value, or too many. */
static size_t most_groups(const cap_chart *c, const cap_groups *g, size_t column, size_t *n_values)
{
    size_t most = 0;
    *n_values = 0;
    for (size_t i = 0; i < g->n; i++) {
        size_t n = 0, before = 0;
        for (size_t k = 0; k < g->n; k++) {
            bool is_same = same_cell(c->scale, column, g->firsts[i], g->firsts[k]);
            n += is_same;
            before += is_same && k < i;
        }
        *n_values += before == 0;
        most = n > most ? n : most;
    }
    return *n_values < 2 || *n_values > MOST_FACETS ? SIZE_MAX : most;
}

/* The column with the fewest values that leaves few enough groups in each; the model of several that have as few. */
static const char *facets_of_caps(const ws_figure_input *in)
{
    const ws_table *scale = in->scale;
    cap_chart c = {.scale = scale, .runs = in->runs, .unit = 1, .reference = NAN};
    ws_arena arena = {0};
    const char *best = NULL;
    size_t fewest = SIZE_MAX, n_values;
    cap_groups g = {0};
    if (find_cap(scale, &c.cap)) {
        c.by_name = find_by_name(&c, &arena);
        g = find_groups(&c, &arena);
    }
    for (size_t i = 0, n_keys = ws_scale_keys(scale); g.n > MOST_SERIES && i < n_keys; i++) {
        bool is_model = strcmp(scale->columns[i].name, "model") == 0;
        if (!is_group_column(&c, i) || most_groups(&c, &g, i, &n_values) > MOST_SERIES || n_values > fewest ||
            (n_values == fewest && !is_model))
            continue;
        fewest = n_values;
        best = scale->columns[i].name;
    }
    ws_arena_free(&arena);
    return best;
}

static bool has_values(const ws_table *scale, const char *name)
{
    size_t column;
    return ws_table_find(scale, name, &column) && ws_table_has_values(scale, column);
}

static void add_caps_panel(cap_chart *c, const cap_groups *g, size_t n, ws_figure *figure, const char *y, bool is_speed)
{
    bool is_clock = c->unit > 1;
    ws_panel *panel = ws_figure_add_panel(figure, is_speed ? "A" : "B", NULL);
    const char *at = isnan(c->reference)
                         ? "the highest cap"
                         : ws_arena_printf(&figure->arena, "%.6g %s", c->reference / c->unit, is_clock ? "MHz" : "W");
    panel->x = (ws_axis){.label = is_clock ? "Clock cap / MHz" : "Power cap / W"};
    panel->y = (ws_axis){
        .label = ws_arena_printf(&figure->arena, is_speed ? "Speed relative to %s" : "Energy relative to %s", at)};
    for (size_t s = 0; s < n; s++) {
        ws_points p = ratios(c, &figure->arena, g->firsts[s], y, is_speed);
        const char *label = label_of(c, &figure->arena, g->firsts, n, g->firsts[s]);
        if (p.n > 1)
            ws_points_draw(figure, panel, *label ? label : NULL, WS_LAYER_LINE | WS_LAYER_MARKERS, (int)s, &p);
    }
    if (panel->n_layers)
        ws_panel_add_reference(figure, panel, false, 1, "Reference");
    else
        ws_figure_drop_panel(figure, figure->n_panels - 1);
}

/* What points and bars are. */
static const char *points_are(const cap_chart *c, const cap_groups *g, size_t n, ws_figure *figure)
{
    if (c->pairs.n)
        return ws_setting_pairs_are(&figure->arena, "cap", &c->pairs, c->level, ws_figure_has(figure, WS_LAYER_ERRORS));
    return ws_arena_printf(&figure->arena, "%s%s",
                           are_pooled(c, g->firsts, n) ? " Series that differ in their names alone are averaged." : "",
                           ws_figure_has(figure, WS_LAYER_ERRORS)
                               ? " Bars: root-mean-square deviation of the repeats, of a point's runs and of its "
                                 "reference's together."
                               : "");
}

static void settle_caps(const cap_chart *c, const cap_groups *g, size_t n, ws_figure *figure, bool is_of_epoch,
                        const char *reference)
{
    ws_arena *arena = &figure->arena;
    bool has_speed = strncmp(figure->panels[0].y.label, "Speed", 5) == 0;
    if (figure->n_panels == 1)
        figure->panels[0].letter = NULL;
    figure->columns = figure->n_panels;
    figure->width_mm = figure->n_panels == 1 ? 88 : 180;
    figure->legend = WS_LEGEND_TOP; /* it has the reference beside the series */
    figure->caption = ws_arena_printf(
        arena, "%s of %s %s under %s caps, each against %s (grey dashed line).%s%s%s",
        figure->n_panels > 1 ? "Speed (A) and energy (B)"
        : has_speed          ? "Speed"
                             : "Energy",
        is_of_epoch ? "an" : "a", is_of_epoch ? "epoch" : ws_work_name(c->work), c->unit > 1 ? "clock" : "power",
        isnan(c->reference) ? "the highest of its series" : reference, points_are(c, g, n, figure),
        n < g->n ? ws_arena_printf(arena, " The first %zu of %zu series are drawn, more cannot be told apart.", n, g->n)
                 : "",
        ws_left_out(&c->scale->notes, arena));
}

static ws_status make_caps(const ws_figure_input *in, ws_figure *figure, ws_error *error)
{
    cap_chart c = {.scale = in->scale,
                   .runs = in->runs,
                   .unit = 1,
                   .reference = NAN,
                   .work = ws_figure_work_of(in),
                   .level = in->level};
    ws_figure_init(figure, "campaign/caps", 180, 70, 1, 2);
    if (!find_cap(in->scale, &c.cap))
        return ws_fail_recipe(error, in->scale->source, "campaign/caps", " ",
                              "needs several power caps (power_cap_w) or clocks (clock_cap_hz)");
    const char *name = in->scale->columns[c.cap].name;
    size_t length = strlen(name);
    if (in->reference && strncmp(in->reference, name, length) == 0 && in->reference[length] == '=')
        ws_span_double(ws_span_of(in->reference + length + 1), &c.reference);
    c.unit = strcmp(name, cap_columns[1]) == 0 ? 1e6 : 1;
    c.by_name = find_by_name(&c, &figure->arena);
    c.settings = ws_setting_columns_of(in->runs, &figure->arena);
    bool by_epoch = !has_values(in->scale, "wall_s") && has_values(in->scale, "epoch_s");
    bool has_energy = has_values(in->scale, "energy_kwh") || !by_epoch;
    cap_groups g = find_groups(&c, &figure->arena);
    size_t n = g.n < MOST_SERIES ? g.n : MOST_SERIES;
    add_caps_panel(&c, &g, n, figure, by_epoch ? "epoch_s" : "wall_s", true);
    add_caps_panel(&c, &g, n, figure, has_energy ? "energy_kwh" : "epoch_energy_j", false);
    if (!figure->n_panels)
        return ws_fail_recipe(error, in->scale->source, "campaign/caps", ": ",
                              "no configuration was run under several caps%s",
                              isnan(c.reference) ? "" : ", that of the reference among them");
    settle_caps(&c, &g, n, figure, by_epoch || c.work == WS_PER_EPOCH, in->reference);
    return WS_OK;
}

const ws_figure_recipe ws_figure_campaign_caps = {.name = "campaign/caps",
                                                  .takes = WS_TAKES_REFERENCE | WS_TAKES_PER | WS_TAKES_GROUP,
                                                  .summary = "speed and energy under caps of power or clock",
                                                  .title = "%s under caps of power or clock",
                                                  .n_quantities = 2,
                                                  .source = WS_FIGURE_OF_CAMPAIGN,
                                                  .facets = facets_of_caps,
                                                  .refers_to_caps = true,
                                                  .pairs_settings = true,
                                                  .make = make_caps};
