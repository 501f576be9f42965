#include "analyze/commands/report_figures.h"

#include "analyze/commands/figure_facets.h"
#include "analyze/commands/figure_files.h"
#include "analyze/commands/plot_parts.h"
#include "analyze/recipes/figure_series.h"
#include "analyze/recipes/story_words.h"
#include "report/draw/draw.h"
#include "report/draw/draw_text.h"
#include "report/figure/coincident_series.h"
#include "report/figure/figure_settle.h"
#include "report/utf8.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* "campaign/speedup" as a file name and as a name on the page. */
static const char *id_of(ws_arena *arena, const char *name)
{
    char *id = ws_arena_strdup(arena, name);
    for (char *c = id; *c; c++)
        *c = *c == '/' || *c == '_' ? '-' : *c;
    return id;
}

/* What is written of each figure, and linked below it. */
typedef struct figure_file {
    const char *folder, *suffix, *label;
} figure_file;

static const figure_file files[] = {{"figures", "pdf", "PDF"},
                                    {"figures", "svg", "SVG"},
                                    {"figures", "png", "PNG"},
                                    {"data", "csv", "CSV"},
                                    {"data", "json", "JSON"}};
enum { N_FILES = sizeof files / sizeof *files };

static const char *file_name(ws_arena *arena, const figure_file *file, const char *id)
{
    return ws_arena_printf(arena, "%s/%s.%s", file->folder, id, file->suffix);
}

/* A script's braces belong to the drawing: "10^{3}" reads 10^3. Other braces are the user's. */
static const char *as_plain_text(ws_arena *arena, const char *text)
{
    static const char *const marks[] = {"_", "", "^"};
    const char *plain = "";
    ws_text_run run;
    while (ws_text_next_run(&text, &run))
        plain = ws_arena_printf(arena, "%s%s%.*s", plain, marks[run.script + 1], WS_SPAN_ARG(run.text));
    return plain;
}

static const char *value_text(ws_arena *arena, const ws_panel *panel, const ws_layer *layer, size_t i)
{
    ws_wording x = ws_say_digits(layer->x[i], 6), y = ws_say_digits(layer->y[i], 5), error = {""};
    if (layer->error && isfinite(layer->error[i]))
        error = ws_say_digits(layer->error[i], 2);
    const char *category =
        panel->x.scale == WS_AXIS_CATEGORY && layer->x[i] >= 0 && layer->x[i] < (double)panel->x.n_categories
            ? panel->x.categories[(size_t)layer->x[i]]
            : NULL;
    const char *text =
        ws_arena_printf(arena, "%s%s %s; %s %s%s%s", ws_label_before(arena, layer->label),
                        panel->x.label ? panel->x.label : "x", category ? category : x.text,
                        panel->y.label ? panel->y.label : "y", y.text, *error.text ? " ± " : "", error.text);
    return as_plain_text(arena, text);
}

static bool holds(const ws_box *box, double x, double y)
{
    return x >= box->x0 && x <= box->x1 && y >= box->y0 && y <= box->y1;
}

/* Values of what is drawn point by point; curves, bands and traces have none of their own. */
static void add_layer_points(ws_page *page, ws_page_figure *on_page, const ws_layout *layout, const ws_panel *panel,
                             const ws_panel_layout *placed, const ws_layer *layer, size_t nth_bars)
{
    ws_arena arena = {0};
    for (size_t i = 0; i < layer->n; i++) {
        double x = ws_layout_x(placed, layer, i), y = ws_layout_mm(&placed->y, layer->y[i]);
        ws_box bar;
        if (layer->kind & WS_LAYER_BARS && ws_layout_bar(placed, layer, nth_bars, i, &bar))
            x = (bar.x0 + bar.x1) / 2, y = bar.y1;
        if (isfinite(x) && isfinite(y) && holds(&placed->frame, x, y))
            ws_page_add_point(page, on_page, x, layout->height_mm - y, value_text(&arena, panel, layer, i));
    }
    ws_arena_free(&arena);
}

static ws_status add_values(ws_page *page, ws_page_figure *on_page, const ws_figure *figure, ws_notes *notes,
                            ws_error *error)
{
    ws_layout layout = {0};
    ws_font *font = NULL;
    ws_status status = ws_font_open(&font, error);
    if (status != WS_OK)
        return status;
    ws_text_measure measure = ws_font_measure(font);
    status = ws_layout_make(&layout, figure, &measure, error);
    on_page->height_mm = status == WS_OK ? layout.height_mm : on_page->height_mm; /* grown for its legend */
    for (size_t p = 0; status == WS_OK && p < layout.n_panels; p++) {
        size_t nth_bars = 0, before = on_page->n_points;
        for (size_t l = 0; l < figure->panels[p].n_layers; l++) {
            const ws_layer *layer = &figure->panels[p].layers[l];
            if (layer->kind & (WS_LAYER_MARKERS | WS_LAYER_BARS))
                add_layer_points(page, on_page, &layout, &figure->panels[p], &layout.panels[p], layer, nth_bars);
            nth_bars += (layer->kind & WS_LAYER_BARS) != 0;
        }
        size_t n = on_page->n_points - before;
        on_page->fullest = n > on_page->fullest ? n : on_page->fullest;
    }
    ws_notes_append(notes, &layout.notes);
    ws_layout_free(&layout);
    ws_font_close(font);
    return status;
}

static ws_status draw_into_memory(const ws_figure *figure, char **svg, ws_error *error)
{
    size_t size;
    FILE *stream = open_memstream(svg, &size);
    if (!stream)
        return ws_fail(error, WS_IO, "figure '%s' cannot be drawn in memory", figure->name);
    ws_status status = ws_figure_write(figure, WS_FIGURE_SVG, stream, error);
    fclose(stream);
    return status;
}

/* "energy", "GPU power" and "samples per GPUh" of "Energy / kWh", "GPU power / W" and "10^{3} samples / GPUh". */
static const char *quantity_of(ws_arena *arena, const char *label)
{
    const char *slash = strstr(label, " / "), *relative = strstr(label, " relative to ");
    const char *from = strncmp(label, "10^", 3) == 0 ? label + strcspn(label, " ") + 1 : label;
    const char *end = slash ? slash : relative ? relative : label + strlen(label);
    char *text = ws_arena_strndup(arena, from, (size_t)(end - from));
    ws_begin_small(text);
    return slash && strcmp(slash, " / GPUh") == 0 ? ws_arena_printf(arena, "%s per GPUh", text) : text;
}

/* "ResNet50: energy ..." of another model is that of this one, and of one that nobody names "energy ...". */
static const char *of_model(ws_arena *arena, const ws_figure_recipe *recipe, const ws_figure *figure, const char *title)
{
    const char *rest = title + (recipe->model ? strlen(recipe->model) : 0);
    if (recipe->model && figure->model && *figure->model)
        return ws_arena_printf(arena, "%s%s", figure->model, rest);
    return ws_say_title(arena, recipe->model && figure->model ? rest + strspn(rest, ",: ") : title);
}

/* "energy against GPUs" of a campaign whose series go over power caps is against these. */
static const char *against_what(ws_arena *arena, const ws_figure *figure, const char *title)
{
    static const char gpus[] = " against GPUs", usual[] = "Number of GPUs";
    const char *label = figure->n_panels && figure->panels[0].x.label ? figure->panels[0].x.label : usual;
    const char *found = strstr(title, gpus);
    if (!found || strncmp(label, usual, strlen(usual)) == 0)
        return title;
    return ws_arena_printf(arena, "%.*s against %s%s", (int)(found - title), title, quantity_of(arena, label),
                           found + strlen(gpus));
}

/* The recipe's summary; of a figure with fewer quantities than it names those that it has. */
static const char *title_of(ws_arena *arena, const ws_figure_recipe *recipe, const ws_figure *figure)
{
    const char **words = ws_arena_alloc(arena, (figure->n_panels + 1) * sizeof *words), *list = "";
    size_t n = 0;
    for (size_t p = 0; p < figure->n_panels; p++) {
        words[n] = quantity_of(arena, figure->panels[p].y.label ? figure->panels[p].y.label : "");
        size_t k = 0;
        while (strcmp(words[k], words[n]) != 0)
            k++;
        n += k == n;
    }
    const char *place = recipe->title ? strstr(recipe->title, "%s") : NULL;
    if (!place || !n || n >= recipe->n_quantities)
        return of_model(arena, recipe, figure, recipe->summary);
    for (size_t i = 0; i < n; i++)
        list = ws_arena_printf(arena, "%s%s%s", list, i == 0 ? "" : i + 1 == n ? " and " : ", ", words[i]);
    const char *title =
        ws_arena_printf(arena, "%.*s%s%s", (int)(place - recipe->title), recipe->title, list, place + strlen("%s"));
    return of_model(arena, recipe, figure, title);
}

static ws_status put_on_page(const ws_report_gallery *g, const ws_figure_recipe *recipe, const ws_figure *figure,
                             const char *svg, ws_error *error)
{
    ws_page *page = g->page;
    ws_arena arena = {0};
    const char *id = id_of(&arena, recipe->name);
    const char *caption =
        ws_arena_printf(&arena, "%s%s", g->about, as_plain_text(&arena, figure->caption ? figure->caption : ""));
    ws_page_figure *on_page =
        ws_page_add_figure(page, id, against_what(&arena, figure, title_of(&arena, recipe, figure)), caption, svg);
    on_page->width_mm = figure->width_mm;
    on_page->height_mm = figure->height_mm;
    for (size_t i = 0; i < N_FILES; i++)
        ws_page_add_link(page, &on_page->links, files[i].label, file_name(&arena, &files[i], id));
    ws_status status = add_values(page, on_page, figure, g->notes, error);
    ws_arena_free(&arena);
    return status;
}

typedef struct drawing {
    const char *name, *svg;
} drawing;

static ws_status write_drawing(FILE *stream, const void *state, ws_error *error)
{
    const drawing *d = state;
    if (fputs(d->svg, stream) == EOF || fflush(stream) != 0)
        return ws_fail_at(error, WS_IO, d->name, 0, "the figure cannot be written: %s", strerror(errno));
    return WS_OK;
}

static ws_status write_files(const ws_report_folder *folder, const ws_figure_recipe *recipe, const ws_figure *figure,
                             const char *svg, ws_error *error)
{
    ws_arena arena = {0};
    const drawing drawn = {figure->name, svg};
    ws_status status = WS_OK;
    for (size_t i = 0; status == WS_OK && i < N_FILES; i++) {
        const char *name = file_name(&arena, &files[i], id_of(&arena, recipe->name));
        status = strcmp(files[i].suffix, "svg") == 0
                     ? ws_report_folder_write(folder, name, write_drawing, &drawn, error)
                     : ws_report_folder_write(folder, name, ws_figure_writer(files[i].suffix), figure, error);
    }
    ws_arena_free(&arena);
    return status;
}

/* The page and the folder have the same drawing. */
static ws_status put_figure(const ws_report_gallery *g, const ws_figure_recipe *recipe, const ws_figure *figure,
                            ws_error *error)
{
    char *svg = NULL;
    ws_status status = draw_into_memory(figure, &svg, error);
    if (status == WS_OK)
        status = write_files(g->folder, recipe, figure, svg, error);
    if (status == WS_OK)
        status = put_on_page(g, recipe, figure, svg, error);
    free(svg);
    return status;
}

/* In facets where one panel has no room for all series. */
static ws_status make_figure(const ws_report_gallery *g, const ws_figure_recipe *recipe, const ws_figure_input *input,
                             ws_figure *figure, ws_error *error)
{
    const char *column = ws_facets_needed(recipe, input);
    if (!column)
        return ws_figure_recipe_make(recipe, input, figure, error);
    int status = ws_figure_make_facets(g->cli, g->campaign, recipe, input, column, NULL, false, figure, error);
    if (error->status != WS_OK)
        return error->status;
    return status == WS_EXIT_OK ? WS_OK : ws_fail(error, WS_DATA, "%s cannot be drawn by %s", recipe->name, column);
}

static ws_status add_figure(ws_report_gallery *g, const ws_figure_recipe *recipe, const ws_figure_input *input,
                            ws_error *error)
{
    ws_figure figure;
    ws_error why = {0};
    ws_status status = make_figure(g, recipe, input, &figure, &why);
    double width_mm = figure.width_mm;
    if (status == WS_OK && ws_cli_has(g->cli, "width") && ws_plot_width(g->cli, &width_mm))
        ws_figure_set_width(&figure, width_mm, false);
    if (status == WS_OK) {
        ws_figure_keep_styles(&figure, &g->styles);
        ws_figure_say_coincident(&figure);
        status = put_figure(g, recipe, &figure, error);
        ws_notes_append(g->notes, &figure.notes);
    } else if (status == WS_DATA) {
        status = WS_OK; /* nothing to draw */
        if (g->tells)
            ws_notes_add_lacking(g->notes, recipe->name, &why);
    } else {
        ws_fail(error, status, "figure %s: %s", recipe->name, why.message);
    }
    ws_figure_free(&figure);
    return status;
}

ws_status ws_report_figures(ws_report_gallery *gallery, const ws_figure_recipe *const *recipes, ws_figure_source source,
                            const ws_figure_input *input, ws_error *error)
{
    ws_status status = WS_OK;
    for (const ws_figure_recipe *const *r = recipes; status == WS_OK && *r; r++)
        if ((*r)->source == source)
            status = add_figure(gallery, *r, input, error);
    return status;
}
