/* plot: what options say of a figure that is made: its panels, their ranges, ticks, titles and letters, its size. */
#include "analyze/commands/plot_parts.h"
#include "report/figure/caption_panels.h"
#include "report/figure/figure_settle.h"

#include <math.h>
#include <string.h>

/* The panel that "B:..." names by its letter (by its place where it has none), or all; *rest is what stands behind.
 * SIZE_MAX: no such panel, after a message. */
static size_t panel_named(const ws_cli *cli, ws_figure *figure, const char *option, const char *text, const char **rest)
{
    bool has_letter = text[0] && text[1] == ':';
    *rest = has_letter ? text + 2 : text;
    if (!has_letter)
        return figure->n_panels;
    const char *letters = "";
    for (size_t i = 0; i < figure->n_panels; i++) {
        char place[2] = {(char)('A' + i % 26), '\0'};
        const char *letter = figure->panels[i].letter ? figure->panels[i].letter : place;
        if (ws_span_eq_nocase((ws_span){text, 1}, letter))
            return i;
        letters = ws_arena_printf(&figure->arena, "%s%s%s", letters, i ? ", " : "", letter);
    }
    ws_cli_usage(cli, "--%s '%s': the figure has the panel%s %s", option, text, figure->n_panels == 1 ? "" : "s",
                 letters);
    return SIZE_MAX;
}

static bool set_range(const ws_cli *cli, ws_figure *figure, const ws_given *given)
{
    const char *rest, *name = given->option->name;
    size_t panel = panel_named(cli, figure, name, given->value, &rest);
    ws_span to = ws_span_of(rest), from;
    double lo, hi;
    if (panel == SIZE_MAX)
        return false;
    if (!ws_span_split(&to, ',', &from) || !ws_span_double(ws_span_trim(from), &lo) ||
        !ws_span_double(ws_span_trim(to), &hi) || !(lo < hi))
        return ws_cli_usage(cli, "--%s '%s' is no LO,HI: two numbers, the smaller one first", name, given->value),
               false;
    for (size_t i = 0; i < figure->n_panels; i++) {
        ws_axis *axis = *name == 'x' ? &figure->panels[i].x : &figure->panels[i].y;
        if (panel < figure->n_panels && i != panel)
            continue;
        if (isnan(ws_axis_position(axis, lo)) || axis->scale == WS_AXIS_CATEGORY)
            return ws_cli_usage(cli, "--%s '%s' has no place on the axis '%s'", name, given->value,
                                axis->label ? axis->label : ""),
                   false;
        axis->has_range = true;
        axis->lo = lo;
        axis->hi = hi;
    }
    return true;
}

static bool read_ticks(const ws_cli *cli, ws_arena *arena, const ws_given *given, const char *list, double **ticks,
                       size_t *n)
{
    ws_span rest = ws_span_of(list), one;
    *ticks = ws_arena_alloc(arena, (strlen(list) + 1) * sizeof **ticks);
    *n = 0;
    while (ws_span_split(&rest, ',', &one)) {
        if (!ws_span_double(ws_span_trim(one), &(*ticks)[*n]) || (*n && (*ticks)[*n] <= (*ticks)[*n - 1]))
            return ws_cli_usage(cli, "--%s '%s' is no list of numbers, the smaller ones first, as 1,8,64",
                                given->option->name, given->value),
                   false;
        ++*n;
    }
    return true;
}

/* After the ranges are set: a tick outside of one would never be seen. */
static bool set_ticks(const ws_cli *cli, ws_figure *figure, const ws_given *given)
{
    const char *rest, *name = given->option->name;
    size_t panel = panel_named(cli, figure, name, given->value, &rest), n;
    double *ticks;
    if (panel == SIZE_MAX || !read_ticks(cli, &figure->arena, given, rest, &ticks, &n))
        return false;
    for (size_t i = 0; i < figure->n_panels; i++) {
        ws_axis *axis = *name == 'x' ? &figure->panels[i].x : &figure->panels[i].y;
        const char *label = axis->label ? axis->label : "";
        if (panel < figure->n_panels && i != panel)
            continue;
        if (axis->scale == WS_AXIS_CATEGORY)
            return ws_cli_usage(cli, "--%s: the axis of panel %c has names and no numbers", name, (int)('A' + i % 26)),
                   false;
        for (size_t k = 0; k < n; k++) {
            if (isnan(ws_axis_position(axis, ticks[k])))
                return ws_cli_usage(cli, "--%s: %g has no place on the axis '%s'", name, ticks[k], label), false;
            if (axis->has_range && (ticks[k] < axis->lo || ticks[k] > axis->hi))
                return ws_cli_usage(cli, "--%s: %g lies outside of the axis '%s', which reaches from %g to %g", name,
                                    ticks[k], label, axis->lo, axis->hi),
                       false;
        }
        axis->tick_values = ticks;
        axis->n_tick_values = n;
    }
    return true;
}

static bool set_title(const ws_cli *cli, ws_figure *figure, const ws_given *given)
{
    const char *rest;
    size_t panel = panel_named(cli, figure, "title", given->value, &rest);
    if (panel == SIZE_MAX)
        return false;
    if (panel == figure->n_panels && panel != 1)
        return ws_cli_usage(cli, "there are %zu panels: --title A:TEXT names one", panel), false;
    figure->panels[panel == figure->n_panels ? 0 : panel].title = rest;
    return true;
}

/* The caption speaks of panels by the letters that they have. */
static bool set_letters(const ws_cli *cli, ws_figure *figure, const char *text)
{
    ws_span rest = ws_span_of(text), letter;
    bool none = strcmp(text, "none") == 0;
    size_t n = 0;
    const char **was = ws_arena_alloc(&figure->arena, (figure->n_panels + 1) * sizeof *was);
    const char **is = ws_arena_alloc(&figure->arena, (figure->n_panels + 1) * sizeof *is);
    for (size_t i = 0; i < figure->n_panels; i++) {
        was[i] = figure->panels[i].letter ? figure->panels[i].letter : "";
        figure->panels[i].letter = none ? NULL : figure->panels[i].letter;
    }
    while (!none && ws_span_split(&rest, ',', &letter)) {
        letter = ws_span_trim(letter);
        if (n < figure->n_panels)
            figure->panels[n].letter = is[n] = ws_arena_strndup(&figure->arena, letter.p, letter.n);
        n++;
    }
    if (!none && n != figure->n_panels)
        return ws_cli_usage(cli, "--letters names %zu, and there are %zu panels", n, figure->n_panels), false;
    const ws_panel_letters letters = {was, is, n};
    if (!none && figure->caption)
        figure->caption = ws_caption_of_panels(&figure->arena, figure->caption, &letters);
    return true;
}

static bool set_length(const ws_cli *cli, const char *option, double *mm)
{
    const char *text = ws_cli_value(cli, option);
    if (text && (!ws_span_double(ws_span_of(text), mm) || !(*mm >= 20 && *mm <= 1000)))
        return ws_cli_usage(cli, "--%s '%s' is no length from 20 to 1000 mm", option, text), false;
    return true;
}

bool ws_plot_width(const ws_cli *cli, double *width_mm)
{
    return set_length(cli, "width", width_mm);
}

bool ws_plot_set_whole(const ws_cli *cli, ws_figure *figure, bool is_joined)
{
    const char *grid = ws_cli_value(cli, "grid"), *letters = ws_cli_value(cli, "letters");
    int64_t columns = 0;
    if (grid && (!ws_span_i64(ws_span_of(grid), &columns) || columns < 1 || columns > 12))
        return ws_cli_usage(cli, "--grid '%s' is no number of columns from 1 to 12", grid), false;
    if (is_joined || grid)
        ws_figure_settle(figure, (size_t)columns);
    double width_mm = figure->width_mm;
    if (!set_length(cli, "width", &width_mm))
        return false;
    if (ws_cli_has(cli, "width"))
        ws_figure_set_width(figure, width_mm, grid != NULL);
    if (!set_length(cli, "height", &figure->height_mm))
        return false;
    figure->grows &= !ws_cli_has(cli, "height");
    for (size_t i = 0; i < cli->n_given; i++) {
        const char *name = cli->given[i].option->name;
        bool is_range = strcmp(name, "x-range") == 0 || strcmp(name, "y-range") == 0;
        if ((is_range && !set_range(cli, figure, &cli->given[i])) ||
            (strcmp(name, "title") == 0 && !set_title(cli, figure, &cli->given[i])))
            return false;
    }
    for (size_t i = 0; i < cli->n_given; i++) {
        const char *name = cli->given[i].option->name;
        bool is_ticks = strcmp(name, "x-ticks") == 0 || strcmp(name, "y-ticks") == 0;
        if (is_ticks && !set_ticks(cli, figure, &cli->given[i]))
            return false;
    }
    return !letters || set_letters(cli, figure, letters);
}
