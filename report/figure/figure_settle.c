#include "report/figure/figure_settle.h"

#include "report/figure/caption_panels.h"
#include "report/figure/figure_style.h"
#include "report/figure/shared_axes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* How many names the legend has, as far as two. */
static size_t count_labels(const ws_figure *figure)
{
    const char *first = NULL;
    for (size_t p = 0; p < figure->n_panels; p++)
        for (size_t l = 0; l < figure->panels[p].n_layers; l++) {
            const char *label = figure->panels[p].layers[l].label;
            if (label && first && strcmp(label, first) != 0)
                return 2;
            first = label && !first ? label : first;
        }
    return first ? 1 : 0;
}

#define LEGEND_ROW_MM 4.0

/* The names of the legend, and how long the longest is in bytes. */
static size_t count_names(const ws_figure *figure, size_t *longest)
{
    const char *names[WS_STYLES + 2];
    size_t n = 0;
    *longest = 1;
    for (size_t p = 0; p < figure->n_panels; p++)
        for (size_t l = 0; l < figure->panels[p].n_layers; l++) {
            const char *label = figure->panels[p].layers[l].label;
            size_t i = 0;
            while (label && i < n && strcmp(names[i], label) != 0)
                i++;
            if (!label || i < n || n == WS_STYLES + 2)
                continue;
            names[n++] = label;
            *longest = strlen(label) > *longest ? strlen(label) : *longest;
        }
    return n;
}

/* What the legend above the panels needs beyond its first row, by the number of letters of its names. */
static double legend_height(const ws_figure *figure)
{
    const double letter_mm = 1.25, key_mm = 13;
    size_t longest, n = count_names(figure, &longest);
    double columns = fmax(1, floor(figure->width_mm / (key_mm + letter_mm * (double)longest)));
    return LEGEND_ROW_MM * fmax(0, ceil((double)n / columns) - 1);
}

/* Is an empty cell of that height high enough for a row a name? */
static bool has_room_in_cell(const ws_figure *figure, double height_mm)
{
    const double margin_mm = 8;
    size_t longest;
    return LEGEND_ROW_MM * (double)count_names(figure, &longest) <= height_mm - margin_mm;
}

/* A panel by itself has no letter. */
static void forget_letter(ws_figure *figure)
{
    const char *const was[] = {"A"}, *const is[] = {""};
    const ws_panel_letters letters = {was, is, 1};
    if (figure->caption)
        figure->caption = ws_caption_of_panels(&figure->arena, figure->caption, &letters);
}

void ws_figure_settle(ws_figure *whole, size_t columns)
{
    ws_figure_settle_axes(whole);

    /* By the number of panels; and the height of a row by the number of columns, in mm. */
    static const size_t usual[] = {1, 1, 2, 3, 2, 3, 3, 4, 4, 3};
    static const double heights[] = {70, 70, 64, 54, 48};
    enum { N = sizeof usual / sizeof *usual, MOST_COLUMNS = sizeof heights / sizeof *heights - 1 };
    size_t n = whole->n_panels;
    columns = columns ? columns : n < N ? usual[n] : MOST_COLUMNS;
    columns = columns < n ? columns : n ? n : 1;
    whole->columns = columns;
    whole->rows = (n + columns - 1) / columns;
    double height = heights[columns < MOST_COLUMNS ? columns : MOST_COLUMNS];
    whole->width_mm = whole->columns == 1 ? 88 : 180;
    whole->height_mm = height * (double)whole->rows;
    for (size_t i = 0; i < n; i++)
        whole->panels[i].letter = n > 1 ? ws_arena_printf(&whole->arena, "%c", (int)('A' + i % 26)) : NULL;
    if (n == 1)
        forget_letter(whole);
    bool has_cell = whole->rows > 1 && n < whole->rows * whole->columns && has_room_in_cell(whole, height);
    if (count_labels(whole) < 2)
        whole->legend = WS_LEGEND_NONE;
    else
        whole->legend = n == 1     ? (whole->legend == WS_LEGEND_INSIDE ? WS_LEGEND_INSIDE : WS_LEGEND_TOP)
                        : has_cell ? WS_LEGEND_CELL
                                   : WS_LEGEND_TOP;
    if (whole->legend == WS_LEGEND_TOP)
        whole->height_mm += legend_height(whole);
}

void ws_figure_settle_facets(ws_figure *whole, size_t columns)
{
    ws_figure_settle_kinds(whole);
    ws_figure_settle(whole, columns);
    if (whole->legend != WS_LEGEND_TOP)
        return;
    whole->height_mm -= legend_height(whole);
    whole->legend = WS_LEGEND_FACETS;
}

static bool has_categories(const ws_figure *figure)
{
    for (size_t i = 0; i < figure->n_panels; i++)
        if (figure->panels[i].x.scale == WS_AXIS_CATEGORY)
            return true;
    return false;
}

/* Two panels of points that have their names beside them want the whole width each. */
static bool has_names(const ws_figure *figure)
{
    enum { MANY = 4 };
    size_t most = 0;
    for (size_t i = 0; i < figure->n_panels; i++) {
        size_t n = 0;
        for (size_t a = 0; a < figure->panels[i].n_annotations; a++)
            n += !figure->panels[i].annotations[a].in_panel;
        most = n > most ? n : most;
    }
    return figure->n_panels == 2 && most >= MANY;
}

/* Facets in a column of a paper that would be higher than its page get lower rows, down to plots of 20 mm. */
static void fit_to_page(ws_figure *figure)
{
    const double page_mm = 240, of_legends_mm = 36, lowest_row_mm = 36;
    double rows = (double)figure->rows;
    if (figure->legend == WS_LEGEND_FACETS && figure->height_mm > page_mm - of_legends_mm)
        figure->height_mm =
            rows * fmin(figure->height_mm / rows, fmax(lowest_row_mm, (page_mm - of_legends_mm) / rows));
}

void ws_figure_set_width(ws_figure *figure, double width_mm, bool keeps_grid)
{
    enum { NARROW_MM = 120 };           /* three panels side by side would be less than 40 mm wide */
    const double height_of_names = 0.7; /* of a panel that becomes as wide as two */
    bool is_named = has_names(figure);
    size_t most = has_categories(figure) || is_named ? 1 : 2;
    figure->width_mm = width_mm;
    if (keeps_grid || width_mm >= NARROW_MM)
        return;
    if (figure->columns <= most) {
        fit_to_page(figure);
        return;
    }
    size_t rows = (figure->n_panels + most - 1) / most;
    figure->height_mm *= (double)rows / (double)figure->rows * (is_named ? height_of_names : 1);
    figure->rows = rows;
    figure->columns = most;
    fit_to_page(figure);
}
