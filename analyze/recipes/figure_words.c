/* Names of axes, and what captions say about the data. */
#include "analyze/recipes/figure_series.h"

#include "core/budget.h"
#include "core/text.h"
#include "report/figure/figure_range.h"
#include "report/table/column_title.h"
#include "report/table/table_print.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

const ws_energy_unit *ws_energy_unit_of(const ws_table *scale, ws_work work)
{
    static const ws_energy_unit units[] = {
        {"mWh", 5e-4, 1e6}, {"Wh", 0.5, 1000}, {"kWh", 5000, 1}, {"MWh", 5e6, 1e-3}, {"GWh", INFINITY, 1e-6}};
    const ws_energy_unit *unit = units;
    size_t column;
    double largest = 0;
    bool found = ws_table_find(scale, "energy_kwh", &column);
    for (size_t row = 0; found && row < scale->n_rows; row++)
        largest = fmax(largest, ws_work_value(scale, work, column, row));
    while (largest > unit->most_kwh)
        unit++;
    return unit;
}

const char *ws_series_against_words(const ws_series_list *list, ws_arena *arena)
{
    char *words = ws_arena_strdup(arena, ws_axis_label(list->scale->looks, arena, list->against));
    char *unit = strstr(words, " / ");
    if (unit)
        *unit = '\0';
    ws_begin_small(words);
    return ws_arena_printf(arena, "the %s", words);
}

/* "resnet50: 56 of 476 runs" of what alone was kept; NULL for other exclusions. */
static const char *kept_alone(const ws_note *note, ws_arena *arena)
{
    const char *what = note->chosen, *equals = what ? strchr(what, '=') : NULL;
    if (!what)
        return NULL;
    bool is_name = equals && isalpha((unsigned char)equals[1]) && isalnum((unsigned char)equals[-1]) &&
                   !strpbrk(equals, "*|,"); /* it says what it is */
    return ws_arena_printf(arena, "%s: %zu of %zu runs", is_name ? equals + 1 : what, note->n_chosen, note->n_all);
}

const char *ws_left_out(const ws_notes *notes, ws_arena *arena)
{
    const char *only = "";
    const char *text = "";
    size_t n_unusable = 0;
    bool has_unfinished = false;
    for (size_t i = 0; i < notes->n; i++) {
        const ws_note *note = &notes->items[i];
        has_unfinished |= note->finding == WS_FINDING_UNFINISHED_RUN || note->finding == WS_FINDING_RUN_STATUS;
        n_unusable += note->finding == WS_FINDING_UNUSABLE_RUN;
        const char *kept = note->finding == WS_FINDING_EXCLUDED ? kept_alone(note, arena) : NULL;
        if (kept)
            only = ws_arena_printf(arena, "%s%s %s", only, *only ? ";" : " Only", kept);
        else if (note->finding == WS_FINDING_EXCLUDED)
            text = ws_arena_printf(arena, "%s%s %s: %s", text, *text ? ";" : " Excluded:", note->subject, note->text);
    }
    text = ws_arena_printf(arena, "%s%s%s%s", only, *only ? "." : "", text, *text ? "." : "");
    if (has_unfinished)
        text =
            ws_arena_printf(arena, "%s Runs whose status says that they did not end well count like the others.", text);
    return n_unusable ? ws_arena_printf(arena, "%s Left out: %zu run%s whose energy cannot be used.", text, n_unusable,
                                        n_unusable == 1 ? "" : "s")
                      : text;
}

const char *ws_bars_are(const ws_figure *figure)
{
    if (!ws_figure_has(figure, WS_LAYER_ERRORS))
        return "";
    return ws_figure_has(figure, WS_LAYER_MARKERS)
               ? " Bars: root-mean-square deviation of the repeats from their mean, where it is known; one shorter "
                 "than its marker lies behind it."
               : " Bars: root-mean-square deviation of the repeats from their mean, where it is known.";
}

const char *ws_energies_are_known(const ws_table *scale, ws_arena *arena)
{
    char lo[WS_DOUBLE_TEXT], hi[WS_DOUBLE_TEXT];
    double least = INFINITY, most = 0;
    size_t energy, u;
    bool has_both = ws_table_find(scale, "energy_kwh", &energy) && ws_table_find(scale, "energy_u_kwh", &u);
    for (size_t row = 0; has_both && row < scale->n_rows; row++) {
        double share = WS_COVER_95 * ws_table_number(scale, u, row) / ws_table_number(scale, energy, row);
        least = share < least ? share : least;
        most = share > most ? share : most;
    }
    if (!(most > 0) || !isfinite(least) || !isfinite(most))
        return "";
    ws_double_text_digits(lo, 100 * least, 2);
    ws_double_text_digits(hi, 100 * most, 2);
    const char *share = strcmp(lo, hi) == 0 ? hi : ws_arena_printf(arena, "%s to %s", lo, hi);
    return ws_arena_printf(
        arena,
        " Not in the bars: each energy is known to %s %% (95 %%), of which the gain of the sensors is common to all "
        "points.",
        share);
}

/* A fitted line without a band, beside others that have one. */
static bool has_bare_line(const ws_figure *figure)
{
    const unsigned others = WS_LAYER_BAND | WS_LAYER_DASHED | WS_LAYER_MARKERS;
    for (size_t p = 0; p < figure->n_panels; p++)
        for (size_t l = 0; l < figure->panels[p].n_layers; l++)
            if ((figure->panels[p].layers[l].kind & WS_LAYER_LINE) && !(figure->panels[p].layers[l].kind & others))
                return true;
    return false;
}

static bool cuts_bands(const ws_figure *figure)
{
    bool cuts = false;
    for (size_t p = 0; p < figure->n_panels; p++)
        cuts |= ws_panel_cuts_bands(&figure->panels[p]);
    return cuts;
}

const char *ws_bands_are(ws_figure *figure, double level)
{
    char percent[WS_DOUBLE_TEXT];
    ws_double_text_digits(percent, level * 100, 2);
    return ws_figure_has(figure, WS_LAYER_BAND)
               ? ws_arena_printf(&figure->arena, "; bands: %s %% confidence of the mean%s%s", percent,
                                 has_bare_line(figure) ? ", where the points leave two degrees of freedom" : "",
                                 cuts_bands(figure) ? ", wider than the frame where they reach it" : "")
               : "";
}

const char *ws_series_left_out(const ws_series_list *list, ws_arena *arena)
{
    const char *rows = ws_left_out(&list->scale->notes, arena);
    if (list->n_short)
        rows = ws_arena_printf(
            arena, " Not drawn: %zu configuration%s whose batch size was run on two numbers of GPUs alone.%s",
            list->n_short, list->n_short == 1 ? "" : "s", rows);
    if (!list->n_not_drawn)
        return rows;
    return ws_arena_printf(arena, " The first %zu of %zu series are drawn, more cannot be told apart.%s", list->n,
                           list->n + list->n_not_drawn, rows);
}

const char *ws_series_counts(const ws_series_list *list, ws_arena *arena)
{
    size_t column;
    int64_t least = INT64_MAX, most = 0;
    const char *left_out = ws_series_left_out(list, arena);
    if (!ws_table_find(list->scale, "n_runs", &column))
        return left_out;
    for (size_t i = 0; i < list->n; i++) {
        const ws_row_list *of = &list->items[i].configurations;
        for (size_t k = 0; k < of->n; k++) {
            int64_t n = list->scale->columns[column].integer[of->rows[k]];
            least = n && n < least ? n : least; /* without a run there is no point */
            most = n > most ? n : most;
        }
    }
    if (least == most)
        return ws_arena_printf(arena, "n = %lld run%s a point.%s", (long long)most, most == 1 ? "" : "s", left_out);
    return ws_arena_printf(arena, "n = %lld to %lld runs a point.%s", (long long)least, (long long)most, left_out);
}

/* Is this the row that a reference names: "lbs256 A100 250 gpus=4", the cells that group it in their order? */
static bool is_named(const ws_table *scale, size_t row, const char *name)
{
    char buffer[WS_DOUBLE_TEXT];
    size_t n_runs, size, n;
    const char *equals = strrchr(name, '='), *last = strrchr(name, ' ') ? strrchr(name, ' ') + 1 : name;
    double value;
    if (!equals || equals < last || !ws_table_find(scale, "n_runs", &n_runs) ||
        !ws_table_find(scale, ws_arena_strndup(&((ws_table *)scale)->arena, last, (size_t)(equals - last)), &size) ||
        !ws_span_double(ws_span_of(equals + 1), &value) || ws_table_number(scale, size, row) != value)
        return false;
    for (size_t c = 0; c < n_runs && name < last; c++) {
        const char *cell = ws_table_cell_text(scale, c, row, buffer);
        n = strlen(cell);
        bool is_next = n && strncmp(name, cell, n) == 0 && name[n] == ' ';
        if (n && !is_next && scale->columns[c].kind == WS_TEXT && !scale->columns[c].detail)
            return false;
        name += is_next ? n + 1 : 0;
    }
    return name == last;
}

/* "4 GPUs of LBS 256": the series that holds the configuration of that name, which is of no series where it is not
 * drawn. */
static const char *named_reference(const ws_series_list *list, ws_arena *arena, const char *name)
{
    const char *count = strrchr(name, '=') ? strrchr(name, '=') + 1 : "";
    const char *gpus = strcmp(count, "1") == 0 ? "" : "s";
    for (size_t s = 0; s < list->n; s++)
        for (size_t i = 0; i < list->items[s].configurations.n; i++)
            if (*list->items[s].label && is_named(list->scale, list->items[s].configurations.rows[i], name))
                return ws_arena_printf(arena, "%s GPU%s of %s", count, gpus, list->items[s].label);
    return ws_arena_printf(arena, "%s GPU%s", count, gpus);
}

const char *ws_series_reference_words(const ws_series_list *list, ws_arena *arena)
{
    size_t reference, gpus;
    const char *first = NULL;
    bool is_one = true, is_least = true, is_of_series = true;
    if (!ws_table_find(list->scale, "reference", &reference) || !ws_table_find(list->scale, "gpus", &gpus))
        return "the reference of each series";
    for (size_t s = 0; s < list->n; s++) {
        const ws_row_list *rows = &list->items[s].configurations;
        const char *own = NULL;
        double least = INFINITY, n;
        for (size_t i = 0; i < rows->n; i++) {
            const char *name = list->scale->columns[reference].text[rows->rows[i]];
            least = fmin(least, ws_table_number(list->scale, gpus, rows->rows[i]));
            is_of_series &= !own || !name || strcmp(own, name) == 0;
            own = own ? own : name;
        }
        if (!own)
            continue;
        is_least &= strncmp(own, "gpus=", 5) == 0 && ws_span_double(ws_span_of(own + 5), &n) && n == least;
        is_one &= !first || strcmp(first, own) == 0;
        first = first ? first : own;
    }
    if (!first || !is_of_series)
        return "the reference of each configuration";
    if (is_least)
        return "the fewest GPUs of each series";
    if (!is_one)
        return strncmp(first, "gpus=", 5) == 0 ? "the reference of each series"
                                               : "the fewest GPUs of each model, device and cap";
    return strncmp(first, "gpus=", 5) == 0
               ? ws_arena_printf(arena, "%s GPU%s of each series", first + 5, strcmp(first + 5, "1") == 0 ? "" : "s")
               : named_reference(list, arena, first);
}

const char *ws_value_text(ws_arena *arena, const ws_fit *fit, double value, double error)
{
    char number[WS_CELL_TEXT], text[WS_CELL_TEXT];
    if (fit->status == WS_FIT_OK && isfinite(error))
        ws_print_pair(number, value, error);
    else
        ws_double_text_digits(number, value,
                              fit->n > 2 ? 4 : 2); /* through two points: a ratio, of which no error is known */
    ws_group_digits(text, number);
    return text[0] == '-' ? ws_arena_printf(arena, "−%s", text + 1) : ws_arena_strdup(arena, text);
}

void ws_panel_note(ws_figure *figure, ws_panel *panel, size_t row, bool at_bottom, int style, const char *text)
{
    static const double step = 0.07, from_top = 0.95, from_bottom = 0.06, right = 0.97;
    double y = at_bottom ? from_bottom + step * (double)row : from_top - step * (double)row;
    ws_panel_annotate(figure, panel, text, style, true, right, y);
}

void ws_panel_notes_to_legend(ws_panel *panel, size_t n_series)
{
    enum { MOST_LINES = 6 };
    if (n_series <= MOST_LINES)
        return;
    for (size_t a = 0; a < panel->n_annotations; a++)
        for (size_t l = 0; l < panel->n_layers; l++)
            if (panel->layers[l].style == panel->annotations[a].style && panel->layers[l].label)
                panel->layers[l].label = panel->annotations[a].text;
    panel->n_annotations = 0;
}
