#define _GNU_SOURCE /* qsort_r */
#include "analyze/commands/figure_facets.h"
#include "analyze/scaling/scaling.h"

#include "analyze/scaling/pairs_by_setting.h"
#include "analyze/recipes/figure_series.h"
#include "report/figure/figure_join.h"
#include "report/figure/figure_settle.h"
#include "report/figure/figure_style.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_FACETS = 12, MOST_BY_ITSELF = 6, MOST_VALUES = MOST_FACETS * WS_MARKER_STYLES };

/* One value, or some that follow each other. */
typedef struct facet {
    const char *title, *value; /* as the legend has it, and the cell */
    const struct facet *parts; /* the values that share this one; NULL: it is its own */
    size_t n_parts;
} facet;

typedef struct facets {
    facet items[MOST_VALUES];
    size_t n;
    bool too_many;
} facets;

static const char *cell_of(const ws_table *table, size_t column, size_t row, ws_arena *arena)
{
    char buffer[WS_DOUBLE_TEXT];
    return ws_arena_strdup(arena, ws_table_cell_text(table, column, row, buffer));
}

/* One column, or two: "ResNet50, ImageNet". */
typedef struct facet_columns {
    size_t at[2], n;
} facet_columns;

static const char *cells_of(const ws_table *table, const facet_columns *columns, size_t row, bool spelled,
                            ws_arena *arena)
{
    const char *cells = "";
    for (size_t i = 0; i < columns->n; i++) {
        const char *cell = cell_of(table, columns->at[i], row, arena);
        if (spelled)
            cell = *cell ? ws_series_spelled(table->looks, arena, table->columns[columns->at[i]].name, cell) : "none";
        cells = i ? ws_arena_printf(arena, "%s, %s", cells, cell) : cell;
    }
    return cells;
}

/* False after a message. */
static bool find_columns(const ws_cli *cli, const ws_table *table, const char *names, facet_columns *columns,
                         ws_arena *arena)
{
    ws_span rest = ws_span_of(names), name;
    columns->n = 0;
    while (columns->n < 2 && ws_span_split(&rest, ',', &name))
        if (!ws_data_column(cli, table, ws_arena_strndup(arena, name.p, name.n), &columns->at[columns->n++]))
            return false;
    return true;
}

static int compare_facets(const void *a, const void *b, void *looks)
{
    const facet *x = a, *y = b;
    int order = ws_looks_order(looks, x->title, y->title);
    return order ? order : ws_series_order(x->value, y->value);
}

/* `most`: values, up to MOST_VALUES. */
static facets find_facets(const ws_table *table, const facet_columns *columns, size_t most, ws_arena *arena)
{
    facets f = {.n = 0};
    for (size_t row = 0; row < table->n_rows; row++) {
        const char *value = cells_of(table, columns, row, false, arena);
        size_t i = 0;
        while (i < f.n && strcmp(f.items[i].value, value) != 0)
            i++;
        if (i < f.n)
            continue;
        if (f.n == most) {
            f.too_many = true;
            return f;
        }
        f.items[f.n++] = (facet){cells_of(table, columns, row, true, arena), value, NULL, 0};
    }
    if (f.n)
        qsort_r(f.items, f.n, sizeof *f.items, compare_facets, (void *)(uintptr_t)table->looks);
    return f;
}

/* The most series that one value of the column has. */
static size_t most_series(const ws_series_list *list, const facets *f, size_t column, ws_arena *arena)
{
    size_t most = 0;
    for (size_t i = 0; i < f->n; i++) {
        size_t n = 0;
        for (size_t s = 0; s < list->n; s++)
            n += strcmp(cell_of(list->scale, column, list->items[s].configurations.rows[0], arena),
                        f->items[i].value) == 0;
        most = n > most ? n : most;
    }
    return most;
}

/* Values that are too many for a facet each share one, as many as can be told apart, in their order: "s00 to s09". */
static void share_facets(facets *f, ws_arena *arena)
{
    size_t n = (f->n + WS_MARKER_STYLES - 1) / WS_MARKER_STYLES, at = 0;
    facet *values = ws_arena_alloc(arena, (f->n + 1) * sizeof *values);
    memcpy(values, f->items, f->n * sizeof *values);
    for (size_t i = 0; i < n; i++) {
        size_t own = f->n / n + (i < f->n % n);
        const char *title = own > 1 ? ws_arena_printf(arena, "%s to %s", values[at].title, values[at + own - 1].title)
                                    : values[at].title;
        f->items[i] = (facet){title, values[at].value, values + at, own};
        at += own;
    }
    f->n = n;
}

static bool belongs(const facet *f, const char *value)
{
    for (size_t i = 0; i < f->n_parts; i++)
        if (strcmp(f->parts[i].value, value) == 0)
            return true;
    return !f->n_parts && strcmp(f->value, value) == 0;
}

const char *ws_facets_of_values(const ws_table *table, const char *by)
{
    size_t column;
    ws_arena arena = {0};
    if (!by || !ws_table_find(table, by, &column))
        return NULL;
    facets f = find_facets(table, &(facet_columns){{column}, 1}, WS_STYLES, &arena); /* more are refused */
    ws_arena_free(&arena);
    return !f.too_many && f.n > WS_MARKER_STYLES ? by : NULL;
}

const char *ws_facets_needed(const ws_figure_recipe *recipe, const ws_figure_input *input)
{
    const ws_table *runs = input->runs, *scale = input->scale;
    if (recipe->facets)
        return recipe->facets(input);
    if (!recipe->by_series)
        return NULL;
    ws_series_list list;
    ws_arena arena = {0};
    const char *best = NULL, *shared = NULL;
    size_t fewest = SIZE_MAX;
    ws_series_init(&list, runs, scale);
    const char *models = ws_series_facets_by_model(&list);
    for (size_t c = 0, n_keys = ws_scale_keys(scale); !models && list.n > WS_MARKER_STYLES && c < n_keys; c++) {
        size_t of_runs;
        if (scale->columns[c].detail || !ws_table_find(runs, scale->columns[c].name, &of_runs))
            continue;
        facets f = find_facets(scale, &(facet_columns){{c}, 1}, MOST_VALUES, &arena);
        size_t most = f.too_many || f.n < 2 ? SIZE_MAX : most_series(&list, &f, c, &arena);
        if (most <= WS_MARKER_STYLES && f.n <= MOST_BY_ITSELF && f.n < fewest) {
            fewest = f.n;
            best = scale->columns[c].name;
        }
        if (most == 1 && !shared)
            shared = scale->columns[c].name;
    }
    ws_series_free(&list);
    ws_arena_free(&arena);
    return models ? models : best ? best : shared;
}

typedef struct facet_maker {
    const ws_cli *cli;
    const ws_campaign *campaign;
    const ws_figure_recipe *recipe;
    const ws_figure_input *input;
    const char *letters;
    facet_columns columns;
    bool shares_axes;
    ws_arena *arena;
    const char *mixed; /* settings that differ among runs that are averaged, of all facets */
} facet_maker;

/* Adds the settings of "epochs, seed" that are not among the others. */
static void include_mixed(facet_maker *m, const ws_table *scale)
{
    ws_span rest = ws_span_of(ws_mixed_settings_shown(m->input->runs, scale, m->arena)), one;
    while (ws_span_split(&rest, ',', &one)) {
        bool is_new = true;
        ws_span known = ws_span_of(m->mixed), other;
        one = ws_span_trim(one);
        while (ws_span_split(&known, ',', &other))
            is_new &= !ws_span_same(ws_span_trim(other), one);
        if (is_new && one.n)
            m->mixed = ws_arena_printf(m->arena, "%s%s%.*s", m->mixed, *m->mixed ? ", " : "", WS_SPAN_ARG(one));
    }
}

/* "A100" of "bert, A100" without "bert". */
static const char *without_part(ws_arena *arena, const char *label, const char *part)
{
    size_t n = strlen(part);
    for (const char *at = label; n && *at; at = strstr(at, ", ") ? strstr(at, ", ") + 2 : "") {
        if (strncmp(at, part, n) != 0 || (at[n] && strncmp(at + n, ", ", 2) != 0))
            continue;
        if (at[n])
            return ws_arena_printf(arena, "%.*s%s", (int)(at - label), label, at + n + 2);
        return ws_arena_strndup(arena, label, at == label ? 0 : (size_t)(at - label) - 2);
    }
    return label;
}

/* The series of all facets, of each the value of its facet and its name without it. */
typedef struct facet_series {
    const char **value, **name;
    size_t n;
} facet_series;

static facet_series find_facet_series(facet_maker *m)
{
    const ws_table *runs = m->input->runs, *scale = m->input->scale;
    facet_columns of_scale = {{0}, m->columns.n};
    facet_series f = {NULL, NULL, 0};
    for (size_t c = 0; c < m->columns.n; c++)
        if (!ws_table_find(scale, runs->columns[m->columns.at[c]].name, &of_scale.at[c]))
            return f;
    ws_series_list list;
    ws_series_init(&list, runs, scale);
    f.value = ws_arena_alloc(m->arena, (list.n + 1) * sizeof *f.value);
    f.name = ws_arena_alloc(m->arena, (list.n + 1) * sizeof *f.name);
    for (f.n = 0; f.n < list.n; f.n++) {
        size_t row = list.items[f.n].configurations.rows[0];
        f.value[f.n] = cells_of(scale, &of_scale, row, false, m->arena);
        f.name[f.n] = ws_arena_strdup(m->arena, list.items[f.n].label);
        for (size_t c = 0; c < of_scale.n; c++)
            f.name[f.n] = without_part(m->arena, f.name[f.n],
                                       ws_series_spelled(scale->looks, m->arena, scale->columns[of_scale.at[c]].name,
                                                         cell_of(scale, of_scale.at[c], row, m->arena)));
    }
    ws_series_free(&list);
    return f;
}

static size_t count_of_facet(const facet_series *all, const char *value)
{
    size_t n = 0;
    for (size_t i = 0; i < all->n; i++)
        n += strcmp(all->value[i], value) == 0;
    return n;
}

/* What the only series of a facet is called in facets of several: "A100"; NULL where none of them has its like. */
static const char *name_in_others(facet_maker *m, const facet *f)
{
    facet_series all = {NULL, NULL, 0};
    if (m->recipe->source == WS_FIGURE_OF_CAMPAIGN && !f->n_parts)
        all = find_facet_series(m);
    for (size_t i = 0; i < all.n; i++)
        for (size_t k = 0; strcmp(all.value[i], f->value) == 0 && k < all.n; k++)
            if (*all.name[i] && strcmp(all.value[k], f->value) != 0 && strcmp(all.name[k], all.name[i]) == 0 &&
                count_of_facet(&all, f->value) == 1 && count_of_facet(&all, all.value[k]) > 1)
                return all.name[i];
    return NULL;
}

/* The only series of a facet beside those of many has no name of its own: it is called as in the others, or as the
 * facet, so that it keeps its colour in all figures. */
static void name_single(ws_figure *part, const char *title)
{
    int style = -1;
    for (size_t p = 0; p < part->n_panels; p++)
        for (size_t l = 0; l < part->panels[p].n_layers; l++) {
            const ws_layer *layer = &part->panels[p].layers[l];
            bool is_named = layer->label && *layer->label && strcmp(layer->label, WS_ONLY_SERIES) != 0;
            if (layer->style >= 0 && (is_named || (style >= 0 && layer->style != style)))
                return;
            style = layer->style >= 0 ? layer->style : style;
        }
    for (size_t p = 0; p < part->n_panels && style >= 0; p++) {
        ws_panel *panel = &part->panels[p];
        for (size_t l = 0; l < panel->n_layers; l++)
            if (panel->layers[l].style == style)
                panel->layers[l].label = ws_arena_strdup(&part->arena, title);
        for (size_t a = 0; a < panel->n_annotations; a++)
            if (panel->annotations[a].in_panel && panel->annotations[a].style == style)
                panel->annotations[a].text = ws_arena_printf(&part->arena, "%s: %s", title, panel->annotations[a].text);
    }
}

/* What fits say of more series than a legend has room for stands in the caption: "β: BERT 0.87 ± 0.03; ...". */
static void notes_to_caption(ws_figure *figure)
{
    size_t n = 0;
    const char *notes = "";
    for (size_t p = 0; p < figure->n_panels; p++)
        for (size_t a = 0; a < figure->panels[p].n_annotations; a++)
            n += figure->panels[p].annotations[a].in_panel && figure->panels[p].annotations[a].style >= 0;
    if (n <= WS_MARKER_STYLES)
        return;
    for (size_t p = 0; p < figure->n_panels; p++) {
        ws_panel *panel = &figure->panels[p];
        size_t kept = 0;
        for (size_t a = 0; a < panel->n_annotations; a++) {
            const ws_annotation note = panel->annotations[a];
            if (note.in_panel && note.style >= 0)
                notes = ws_arena_printf(&figure->arena, "%s%s %s", notes, *notes ? ";" : "", note.text);
            else
                panel->annotations[kept++] = note;
        }
        panel->n_annotations = kept;
    }
    figure->caption = ws_arena_printf(&figure->arena, "%s%sFits:%s.", figure->caption ? figure->caption : "",
                                      figure->caption ? " " : "", notes);
}

/* WS_DATA in `error`: there is nothing to draw of this one. */
static ws_status add_facet(facet_maker *m, const facet *f, ws_figure *figure, int *exit_status, ws_error *error)
{
    const ws_table *all = m->input->runs;
    ws_table rows, scale = {0};
    ws_figure part = {0};
    ws_arena arena = {0};
    bool *keep = ws_alloc(all->n_rows * sizeof *keep + 1);
    for (size_t row = 0; row < all->n_rows; row++)
        keep[row] = belongs(f, cells_of(all, &m->columns, row, false, &arena));
    ws_table_copy_rows(all, keep, &rows);
    ws_figure_input input = *m->input;
    input.runs = &rows;
    input.is_facet = true;
    ws_status status = WS_OK;
    if (m->recipe->source == WS_FIGURE_OF_CAMPAIGN) {
        ws_cli cli = *m->cli;
        cli.is_facet = true;
        *exit_status = ws_data_scale(&cli, m->campaign, &rows, NULL, &scale);
        input.scale = &scale;
        input.facets_scale = m->input->scale;
        input.facets_work = ws_figure_work(m->input->scale);
        include_mixed(m, &scale);
    }
    if (*exit_status == WS_EXIT_OK)
        status = ws_figure_recipe_make(m->recipe, &input, &part, error);
    if (*exit_status == WS_EXIT_OK && status == WS_OK && m->recipe->by_series && !m->shares_axes) {
        const char *name = name_in_others(m, f);
        name_single(&part, name ? name : f->title);
    }
    const ws_joined_part how = {m->letters, f->title, m->shares_axes, true};
    if (*exit_status == WS_EXIT_OK && status == WS_OK)
        status = ws_figure_join(figure, &part, &how, error);
    ws_figure_free(&part);
    ws_table_free(&rows);
    ws_table_free(&scale);
    ws_arena_free(&arena);
    free(keep);
    return status;
}

/* Panels of one facet side by side where there are two or three of them, two facets of pairs where they are many and
 * the figure is wide; else facets side by side. */
static size_t columns_for(size_t n_panels, size_t n_facets, double width_mm)
{
    const double wide_mm = 150; /* four panels as wide as two in a column of 85 mm */
    size_t each = n_facets ? n_panels / n_facets : 1;
    if (each == 2 && n_facets > 3 && width_mm >= wide_mm)
        return 4;
    return each == 2 || each == 3 ? each
           : each > 3             ? (each % 3 == 0 || n_panels > 6 ? 3 : 2)
           : n_facets == 4        ? 2
           : n_facets < 3         ? n_facets
                                  : 3;
}

/* As --width asks for; two columns of a paper unless told otherwise. */
static double wanted_width(const ws_cli *cli)
{
    double width_mm;
    const char *given = ws_cli_value(cli, "width");
    return given && ws_span_double(ws_span_of(given), &width_mm) ? width_mm : 180;
}

int ws_figure_make_facets(const ws_cli *cli, const ws_campaign *campaign, const ws_figure_recipe *recipe,
                          const ws_figure_input *input, const char *column, const char *letters, bool shares_axes,
                          ws_figure *figure, ws_error *nothing)
{
    bool is_table = recipe->source == WS_FIGURE_OF_TABLE;
    ws_arena arena = {0};
    facet_maker m = {cli, campaign, recipe, input, letters, {{0}, 0}, shares_axes || is_table, &arena, ""};
    ws_figure_init(figure, recipe->name, 180, 70, 1, 1);
    if (!find_columns(cli, input->runs, column, &m.columns, &arena)) {
        ws_arena_free(&arena);
        return WS_EXIT_USAGE;
    }
    bool may_share = !shares_axes && !recipe->facets && m.columns.n == 1 &&
                     strcmp(column, "model") != 0; /* nobody chose the column */
    facets f = find_facets(input->runs, &m.columns, may_share ? MOST_VALUES : MOST_FACETS, &arena);
    if (may_share && f.n > MOST_BY_ITSELF)
        share_facets(&f, &arena);
    int exit_status =
        f.too_many ? ws_cli_usage(cli, "'%s' has more than %d values, too many for facets", column, (int)MOST_FACETS)
                   : WS_EXIT_OK;
    ws_error error = {0};
    size_t drawn = 0;
    for (size_t i = 0; exit_status == WS_EXIT_OK && i < f.n; i++) {
        ws_error why = {0};
        ws_status status = add_facet(&m, &f.items[i], figure, &exit_status, &why);
        drawn += status == WS_OK;
        if (status == WS_DATA)
            ws_notes_add(&figure->notes, WS_FINDING_NO_DATA_FOR_RECIPE, "", recipe->name, 0, "%s '%s' is left out: %s",
                         column, f.items[i].title, why.message);
        else if (status != WS_OK)
            exit_status = ws_cli_fail(cli, &why);
        error = error.status == WS_OK ? why : error;
    }
    figure->synthetic |= input->synthetic;
    ws_figure_say_mixed(figure, recipe, input->scale ? input->scale->looks : NULL, m.mixed);
    notes_to_caption(figure);
    *nothing = exit_status == WS_EXIT_OK && !figure->n_panels ? error : (ws_error){0};
    ws_figure_settle_facets(figure, columns_for(figure->n_panels, drawn, wanted_width(cli)));
    ws_arena_free(&arena);
    return exit_status;
}
