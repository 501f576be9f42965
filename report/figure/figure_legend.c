#include "report/figure/figure_legend.h"

#include "report/figure/figure_place.h"
#include "report/figure/figure_range.h"
#include "report/figure/figure_style.h"

#include <math.h>
#include <string.h>

#define FACET_ROW_MM 3.5
#define KEY_GAP_MM 1.5    /* between key and text */
#define SMALL_KEY_MM 2.6  /* of markers, or of bars, alone */
#define COLUMN_GAP_MM 5.0 /* and less, down to the next, where that saves a row */
#define LEAST_GAP_MM 2.5
#define LEAST_TEXT_MM 12.0 /* a name cut to less than that tells nothing */
#define INSET_MM 1.5       /* from the frame */
#define MARGIN_MM 0.8      /* around a legend inside, free of data */

const char *ws_legend_label(const ws_panel *panel, const ws_layer *layer, bool notes_outside)
{
    for (size_t a = 0; a < panel->n_annotations && notes_outside && layer->style >= 0; a++) {
        const ws_annotation *note = &panel->annotations[a];
        bool is_its = note->in_panel && note->style == layer->style && note->text && *note->text;
        if (is_its && (!layer->label || strncmp(note->text, layer->label, strlen(layer->label)) == 0))
            return note->text;
    }
    return layer->label;
}

/* Of one series a panel may say more than another: the longer text stands. */
static ws_legend_entry *find_entry(ws_legend *legend, int style, const char *label)
{
    for (size_t i = 0; i < legend->n; i++) {
        ws_legend_entry *entry = &legend->entries[i];
        size_t own = strlen(entry->label), other = strlen(label);
        bool is_same = strcmp(entry->label, label) == 0;
        is_same |= other > own && strncmp(label, entry->label, own) == 0 && strncmp(label + own, ": ", 2) == 0;
        is_same |=
            own > other && strncmp(entry->label, label, other) == 0 && strncmp(entry->label + other, ": ", 2) == 0;
        if (entry->key.style != style || !is_same)
            continue;
        entry->label = other > own ? label : entry->label;
        return entry;
    }
    return NULL;
}

/* Is a bar of it longer than its marker, as far as can be told before the frames have their sizes? A key with bars of
 * which no point shows one is looked for in vain. */
static bool has_seen_bar(const ws_figure *figure, const ws_panel *panel, const ws_layer *layer)
{
    const double around_mm = 14; /* titles, labels and letters */
    const double seen_mm = 0.3;  /* beyond the marker, with the cap on it */
    double height = figure->height_mm / (double)(figure->rows ? figure->rows : 1) - around_mm;
    ws_range x, y;
    if (!(layer->kind & WS_LAYER_ERRORS) || !layer->error)
        return false;
    ws_panel_ranges(panel, 0, &x, &y);
    if (panel->y.from_zero || panel->y.has_range)
        y.lo = fmin(y.lo, ws_axis_position(&panel->y, panel->y.from_zero ? 0 : panel->y.lo));
    for (size_t i = 0; i < layer->n; i++) {
        double from = ws_axis_position(&panel->y, layer->y[i]);
        double to = ws_axis_position(&panel->y, layer->y[i] + layer->error[i]);
        if (!(layer->kind & WS_LAYER_MARKERS) || (to - from) / (y.hi - y.lo) * height > WS_MM_MARKER / 2 + seen_mm)
            return true;
    }
    return false;
}

/* A line through the one point of a series is drawn nowhere, and would be looked for. */
static unsigned drawn_kind(const ws_panel *panel, const ws_layer *layer)
{
    size_t n = 0;
    if (!panel || !(layer->kind & WS_LAYER_LINE) || !(layer->kind & WS_LAYER_MARKERS))
        return layer->kind;
    for (size_t i = 0; i < layer->n && n < 2; i++)
        n += isfinite(ws_axis_position(&panel->x, layer->x[i])) && isfinite(ws_axis_position(&panel->y, layer->y[i]));
    return n < 2 ? layer->kind & ~(unsigned)(WS_LAYER_LINE | WS_LAYER_DASHED) : layer->kind;
}

static void add_layer(ws_legend *legend, const ws_figure *figure, const ws_panel *panel, const ws_layer *layer,
                      const char *label)
{
    const char *letter = panel ? panel->letter : NULL;
    ws_legend_entry *entry = find_entry(legend, layer->style, label);
    if (!entry) {
        entry = &legend->entries[legend->n++];
        *entry = (ws_legend_entry){.label = label, .letter = letter, .key = {.style = layer->style}};
    }
    entry->key.kind |= drawn_kind(panel, layer);
    entry->key.has_error = entry->key.has_error || (panel && has_seen_bar(figure, panel, layer));
    entry->key.has_band |= (layer->kind & WS_LAYER_BAND) && layer->lo && layer->hi;
}

/* "resnet" of "resnet: 0.94 +- 0.03". */
static size_t name_length(const char *label)
{
    const char *end = strstr(label, ": ");
    return end ? (size_t)(end - label) : strlen(label);
}

static bool same_name(const char *a, const char *b)
{
    size_t n = name_length(a);
    return n == name_length(b) && memcmp(a, b, n) == 0;
}

/* Does it say more of a layer than its name: a fit of its own, or what another panel says differently? */
static bool has_note(const ws_figure *figure, bool notes_outside, const ws_layer *layer, const char *label)
{
    if (!label || !label[name_length(label)] || layer->style < 0)
        return false;
    bool has = label != layer->label;
    for (size_t p = 0; p < figure->n_panels && !has; p++)
        for (size_t i = 0; i < figure->panels[p].n_layers && !has; i++) {
            const ws_layer *other = &figure->panels[p].layers[i];
            const char *theirs = ws_legend_label(&figure->panels[p], other, notes_outside);
            has = theirs && other->style == layer->style && theirs[name_length(theirs)] && same_name(theirs, label) &&
                  strcmp(theirs, label) != 0;
        }
    return has;
}

/* Panels from `first` to before `end`; lines of references among them or not. */
typedef struct legend_scope {
    size_t first, end;
    bool has_references;
} legend_scope;

/* Means, and grey markers of what is no series of its own, stand behind the series. */
static bool stands_behind(const ws_layer *layer)
{
    bool is_rest = layer->style < 0 && (layer->kind & WS_LAYER_MARKERS) && !(layer->kind & WS_LAYER_DASHED);
    return is_rest || (layer->kind & WS_LAYER_MEAN);
}

static void add_layers(ws_legend *legend, ws_layout *layout, const ws_figure *figure, const legend_scope *of,
                       bool behind)
{
    for (size_t p = of->first; p < of->end; p++)
        for (size_t i = 0; i < figure->panels[p].n_layers; i++) {
            const ws_layer *layer = &figure->panels[p].layers[i];
            const char *label = ws_legend_label(&figure->panels[p], layer, layout->notes_outside);
            if (layout->notes_in_strips && has_note(figure, layout->notes_outside, layer, label))
                label = ws_arena_strndup(&layout->arena, label, name_length(label));
            bool is_line = layer->style < 0 && (layer->kind & WS_LAYER_DASHED);
            bool is_wanted = label && *label && (of->has_references || !is_line);
            if (is_wanted && behind == stands_behind(layer))
                add_layer(legend, figure, &figure->panels[p], layer, label);
        }
}

/* Reference lines stand behind the series. */
static void add_references(ws_legend *legend, const ws_figure *figure)
{
    for (size_t p = 0; p < figure->n_panels; p++)
        for (size_t i = 0; i < figure->panels[p].n_references; i++) {
            const ws_layer line = {.kind = WS_LAYER_LINE | WS_LAYER_DASHED, .style = -1};
            const char *label = figure->panels[p].references[i].label;
            if (label && *label)
                add_layer(legend, figure, NULL, &line, label);
        }
}

/* Of a series that several panels say something else of, each entry names its panel: "resnet: 0.94 (B)". */
static void name_panels(ws_legend *legend, ws_arena *arena)
{
    const char **labels = ws_arena_alloc(arena, (legend->n + 1) * sizeof *labels);
    for (size_t i = 0; i < legend->n; i++) {
        const ws_legend_entry *entry = &legend->entries[i];
        size_t n = name_length(entry->label);
        labels[i] = entry->label;
        for (size_t k = 0; k < legend->n && labels[i] == entry->label && entry->letter; k++) {
            const ws_legend_entry *other = &legend->entries[k];
            if (k != i && other->letter && strcmp(other->letter, entry->letter) != 0 &&
                other->key.style == entry->key.style && name_length(other->label) == n &&
                strncmp(other->label, entry->label, n) == 0)
                labels[i] = ws_arena_printf(arena, "%s (%s)", entry->label, entry->letter);
        }
    }
    for (size_t i = 0; i < legend->n; i++) {
        legend->repeats_names |= legend->entries[i].label != labels[i];
        legend->entries[i].label = labels[i];
    }
}

static bool has_line_key(const ws_legend_entry *entry)
{
    return (entry->key.kind & ~(unsigned)(WS_LAYER_MARKERS | WS_LAYER_OPEN | WS_LAYER_ERRORS)) &&
           !(entry->key.kind & WS_LAYER_BARS);
}

/* Names below each other begin at one place. */
static double key_width(const ws_legend *legend, const ws_legend_entry *entry, size_t rows)
{
    return rows > 1 || has_line_key(entry) ? legend->key_mm : SMALL_KEY_MM;
}

static void begin(ws_legend *legend, ws_layout *layout, const ws_figure *figure, double row_mm)
{
    size_t most = 0;
    for (size_t p = 0; p < figure->n_panels; p++)
        most += figure->panels[p].n_layers + figure->panels[p].n_references;
    *legend =
        (ws_legend){.entries = ws_arena_alloc(&layout->arena, (most + 1) * sizeof *legend->entries), .row_mm = row_mm};
}

static void finish(ws_legend *legend, ws_layout *layout)
{
    legend->key_mm = SMALL_KEY_MM;
    for (size_t i = 0; i < legend->n; i++) {
        if (has_line_key(&legend->entries[i]))
            legend->key_mm = WS_MM_KEY;
        legend->entries[i].label = ws_text_clean(&layout->arena, legend->entries[i].label);
    }
}

static void collect(ws_legend *legend, ws_layout *layout, const ws_figure *figure, const legend_scope *of)
{
    begin(legend, layout, figure, WS_MM_LEGEND_ROW);
    add_layers(legend, layout, figure, of, false);
    add_layers(legend, layout, figure, of, true);
    if (layout->references_in_legend && of->has_references)
        add_references(legend, figure);
    name_panels(legend, &layout->arena);
    finish(legend, layout);
}

static void measure_entries(ws_legend *legend, const ws_text_measure *measure)
{
    for (size_t i = 0; i < legend->n; i++)
        legend->entries[i].width_mm = ws_text_width(measure, legend->entries[i].label, WS_PT_TICK, false);
}

void ws_legend_collect(ws_legend *legend, ws_layout *layout, const ws_figure *figure, const ws_text_measure *measure)
{
    collect(legend, layout, figure, &(legend_scope){0, figure->n_panels, true});
    measure_entries(legend, measure);
}

void ws_legend_collect_notes(ws_legend *legend, ws_layout *layout, const ws_figure *figure,
                             const ws_text_measure *measure, size_t panel)
{
    const ws_panel *of = &figure->panels[panel];
    begin(legend, layout, figure, FACET_ROW_MM);
    for (size_t i = 0; i < of->n_layers; i++) {
        const char *label = ws_legend_label(of, &of->layers[i], layout->notes_outside);
        if (has_note(figure, layout->notes_outside, &of->layers[i], label))
            add_layer(legend, figure, of, &of->layers[i], label + name_length(label) + strlen(": "));
    }
    finish(legend, layout);
    measure_entries(legend, measure);
}

/* What stands in the legend where it has no room for all: first no R^{2} of fits, then of the names no more than tells
 * them apart. Numbers are cut last. */
typedef enum shortening { WHOLE_ENTRIES, WITHOUT_R2, SHORT_NAMES, N_SHORTENINGS } shortening;

/* Part `k` of "table3, DimeNet, 250 W: 0.82 ± 0.03", of the name alone; empty where there is none. */
static ws_span part_of(const char *label, size_t k)
{
    const char *end = label + name_length(label), *at = label;
    for (size_t i = 0;; i++) {
        const char *comma = strstr(at, ", ");
        comma = comma && comma < end ? comma : end;
        if (i == k)
            return (ws_span){at, (size_t)(comma - at)};
        if (comma == end)
            return (ws_span){end, 0};
        at = comma + 2;
    }
}

static bool same_part(const char *a, const char *b, size_t k)
{
    ws_span one = part_of(a, k), other = part_of(b, k);
    return ws_span_same(one, other);
}

enum { MOST_PARTS = 8 };

/* Which parts all series have in common (lines of a reference apart), and how many of the others tell them apart. */
typedef struct name_parts {
    bool is_common[MOST_PARTS];
    size_t wanted;
} name_parts;

static bool are_apart(const ws_legend *legend, const char *const *whole, const name_parts *parts)
{
    for (size_t i = 0; i < legend->n; i++)
        for (size_t k = 0; k < i; k++) {
            bool differ = false, differ_at_all = false;
            for (size_t p = 0; p < MOST_PARTS; p++) {
                bool differs = !same_part(whole[i], whole[k], p);
                differ_at_all |= differs;
                differ |= differs && p < parts->wanted;
            }
            if (differ_at_all && !differ)
                return false;
        }
    return true;
}

static name_parts parts_needed(const ws_legend *legend, const char *const *whole)
{
    name_parts parts = {.wanted = 1};
    size_t first = 0;
    while (first < legend->n && legend->entries[first].key.style < 0)
        first++;
    for (size_t p = 0; p < MOST_PARTS; p++) {
        parts.is_common[p] = first + 1 < legend->n && part_of(whole[first], p).n > 0;
        for (size_t i = first; i < legend->n; i++)
            parts.is_common[p] &= legend->entries[i].key.style < 0 || same_part(whole[first], whole[i], p);
    }
    while (parts.wanted < MOST_PARTS && !are_apart(legend, whole, &parts))
        parts.wanted++;
    return parts;
}

static const char *short_name(ws_arena *arena, const char *label, const name_parts *parts)
{
    const char *name = "";
    for (size_t p = 0; p < parts->wanted; p++) {
        ws_span part = part_of(label, p);
        if (part.n && !parts->is_common[p])
            name = ws_arena_printf(arena, "%s%s%.*s", name, *name ? ", " : "", WS_SPAN_ARG(part));
    }
    return *name ? ws_arena_printf(arena, "%s%s", name, label + name_length(label)) : label;
}

/* Is the series called as its panels are, and the only one there? */
static bool is_told_by_titles(const ws_figure *figure, const ws_legend_entry *entry)
{
    bool is_told = entry->key.style >= 0;
    for (size_t p = 0; p < figure->n_panels && is_told; p++) {
        const ws_panel *panel = &figure->panels[p];
        bool is_here = false, is_alone = true;
        for (size_t l = 0; l < panel->n_layers; l++) {
            is_here |= panel->layers[l].style == entry->key.style;
            is_alone &= panel->layers[l].style < 0 || panel->layers[l].style == entry->key.style;
        }
        is_told = !is_here || (is_alone && panel->title && strcmp(panel->title, entry->label) == 0);
    }
    return is_told;
}

void ws_legend_leave_out_told(ws_legend *legend, const ws_figure *figure)
{
    size_t kept = 0;
    for (size_t i = 0; i < legend->n; i++)
        if (!is_told_by_titles(figure, &legend->entries[i]))
            legend->entries[kept++] = legend->entries[i];
    legend->n = kept;
}

void ws_legend_collect_facet(ws_legend *legend, ws_layout *layout, const ws_figure *figure,
                             const ws_text_measure *measure, size_t first, size_t end, bool has_references)
{
    collect(legend, layout, figure, &(legend_scope){first, end, has_references});
    legend->row_mm = FACET_ROW_MM;
    ws_legend_leave_out_told(legend, figure);
    const char **whole = ws_arena_alloc(&layout->arena, (legend->n + 1) * sizeof *whole);
    for (size_t i = 0; i < legend->n; i++)
        whole[i] = legend->entries[i].label;
    const name_parts parts = parts_needed(legend, whole);
    for (size_t i = 0; i < legend->n; i++)
        if (legend->entries[i].key.style >= 0)
            legend->entries[i].label = short_name(&layout->arena, whole[i], &parts);
    measure_entries(legend, measure);
}

static const char *without_r2(ws_arena *arena, const char *label)
{
    const char *r2 = strstr(label, ", R^{2}"), *panel = strrchr(label, '(');
    if (!r2)
        return label;
    return ws_arena_printf(arena, "%.*s%s%s", (int)(r2 - label), label, panel && panel > r2 ? " " : "",
                           panel && panel > r2 ? panel : "");
}

static void shorten_entries(ws_legend *legend, ws_layout *layout, const ws_text_measure *measure,
                            const char *const *whole, shortening how)
{
    const name_parts parts = how == SHORT_NAMES ? parts_needed(legend, whole) : (name_parts){.wanted = 0};
    for (size_t i = 0; i < legend->n; i++) {
        ws_legend_entry *entry = &legend->entries[i];
        const char *label = how == WHOLE_ENTRIES ? whole[i] : without_r2(&layout->arena, whole[i]);
        if (how == SHORT_NAMES && entry->key.style >= 0)
            label = short_name(&layout->arena, label, &parts);
        entry->label = label;
        entry->width_mm = ws_text_width(measure, label, WS_PT_TICK, false);
    }
}

/* The name is cut and not what stands behind it, as long as a few of its letters stay: "a very lo…: 0.82 ± 0.03". */
static const char *fit_label(ws_arena *arena, const ws_text_measure *measure, const char *label, double room_mm)
{
    const char *number = label + name_length(label);
    double behind_mm = ws_text_width(measure, number, WS_PT_TICK, false);
    if (!*number || room_mm - behind_mm < LEAST_TEXT_MM || ws_text_width(measure, label, WS_PT_TICK, false) <= room_mm)
        return ws_text_fit(arena, measure, label, WS_PT_TICK, false, room_mm);
    const char *name = ws_arena_strndup(arena, label, (size_t)(number - label));
    return ws_arena_printf(arena, "%s%s", ws_text_fit(arena, measure, name, WS_PT_TICK, false, room_mm - behind_mm),
                           number);
}

static void fit_entry(ws_legend_entry *entry, ws_layout *layout, const ws_text_measure *measure, double room_mm)
{
    const char *fitted = fit_label(&layout->arena, measure, entry->label, room_mm);
    if (fitted == entry->label)
        return;
    ws_notes_add(&layout->notes, WS_FINDING_TEXT_SHORTENED, "", "legend", 0,
                 "'%.200s' is longer than its place and is cut", entry->label);
    entry->label = fitted;
    entry->width_mm = ws_text_width(measure, fitted, WS_PT_TICK, false);
}

/* Widths of at most `columns` columns, which are read one after the other; their sum. */
static double column_widths(ws_legend *legend, size_t columns)
{
    size_t rows = (legend->n + columns - 1) / columns;
    columns = (legend->n + rows - 1) / rows;
    double sum = legend->gap_mm * (double)(columns - 1);
    memset(legend->column_mm, 0, columns * sizeof *legend->column_mm);
    for (size_t i = 0; i < legend->n; i++) {
        double *width = &legend->column_mm[i / rows];
        *width = fmax(*width, key_width(legend, &legend->entries[i], rows) + KEY_GAP_MM + legend->entries[i].width_mm);
    }
    for (size_t c = 0; c < columns; c++)
        sum += legend->column_mm[c];
    return sum;
}

static void fit_entries(ws_legend *legend, ws_layout *layout, const ws_text_measure *measure, double column_mm)
{
    for (size_t i = 0; i < legend->n; i++)
        fit_entry(&legend->entries[i], layout, measure, column_mm - legend->key_mm - KEY_GAP_MM);
}

/* Would names that differ be cut to the same? */
static bool cuts_to_the_same(const ws_legend *legend, ws_layout *layout, const ws_text_measure *measure, double room_mm)
{
    const char **cut = ws_arena_alloc(&layout->arena, (legend->n + 1) * sizeof *cut);
    for (size_t i = 0; i < legend->n; i++) {
        cut[i] = fit_label(&layout->arena, measure, legend->entries[i].label, room_mm);
        for (size_t k = 0; k < i; k++)
            if (same_name(cut[i], cut[k]) && !same_name(legend->entries[i].label, legend->entries[k].label))
                return true;
    }
    return false;
}

/* Long names are cut rather than that other series find no place, where they still tell series apart. */
static size_t add_columns(ws_legend *legend, ws_layout *layout, const ws_text_measure *measure, double width_mm,
                          size_t columns, size_t rows)
{
    double least = legend->key_mm + KEY_GAP_MM + LEAST_TEXT_MM + legend->gap_mm;
    size_t most = (size_t)fmax(1, floor((width_mm + legend->gap_mm) / least)), wanted = (legend->n + rows - 1) / rows;
    wanted = wanted < most ? wanted : most;
    double column_mm = (width_mm + legend->gap_mm) / (double)wanted - legend->gap_mm;
    if (wanted <= columns || cuts_to_the_same(legend, layout, measure, column_mm - legend->key_mm - KEY_GAP_MM))
        return columns;
    fit_entries(legend, layout, measure, column_mm);
    return wanted;
}

static void count_the_rest(ws_legend *legend, ws_layout *layout, const ws_text_measure *measure, size_t most)
{
    if (legend->n <= most)
        return;
    ws_legend_entry *last = &legend->entries[most - 1];
    ws_notes_add_many(&layout->notes, legend->n - most + 1, WS_FINDING_LABEL_LEFT_OUT, "", "legend", 0,
                      "series have no place in the legend");
    *last = (ws_legend_entry){.label = ws_arena_printf(&layout->arena, "and %zu more", legend->n - most + 1)};
    last->width_mm = ws_text_width(measure, last->label, WS_PT_TICK, false);
    legend->n = most;
}

/* As many as fit, of equal rows; the legend keeps the gap. */
static size_t columns_that_fit(ws_legend *legend, double width_mm, double gap_mm)
{
    size_t columns = legend->n;
    legend->gap_mm = gap_mm;
    while (columns > 1 && column_widths(legend, columns) > width_mm)
        columns--;
    return columns;
}

double ws_legend_height(ws_legend *legend, ws_layout *layout, double width_mm)
{
    if (!legend->n)
        return 0;
    if (!legend->column_mm)
        legend->column_mm = ws_arena_alloc(&layout->arena, legend->n * sizeof *legend->column_mm);
    size_t columns = columns_that_fit(legend, width_mm, LEAST_GAP_MM);
    return (double)((legend->n + columns - 1) / columns) * legend->row_mm;
}

static bool has_room(ws_legend *legend, double width_mm, double most_mm)
{
    for (size_t i = 0; i < legend->n; i++)
        if (legend->entries[i].width_mm > width_mm - legend->key_mm - KEY_GAP_MM)
            return false;
    size_t columns = columns_that_fit(legend, width_mm, LEAST_GAP_MM);
    return (double)((legend->n + columns - 1) / columns) * legend->row_mm <= most_mm;
}

static void shorten_as_needed(ws_legend *legend, ws_layout *layout, const ws_text_measure *measure, double width_mm,
                              double most_mm)
{
    static const char *const said[] = {[WITHOUT_R2] = "R2 of fits has no room and is left out",
                                       [SHORT_NAMES] =
                                           "R2 of fits, and what names do not need to be told apart, has no "
                                           "room and is left out"};
    const char **whole = ws_arena_alloc(&layout->arena, (legend->n + 1) * sizeof *whole), *first = NULL;
    int how = WHOLE_ENTRIES;
    for (size_t i = 0; i < legend->n; i++)
        whole[i] = legend->entries[i].label;
    while (how < SHORT_NAMES && !has_room(legend, width_mm, most_mm))
        shorten_entries(legend, layout, measure, whole, (shortening)++how);
    for (size_t i = 0; i < legend->n && !first; i++)
        first = strcmp(whole[i], legend->entries[i].label) != 0 ? whole[i] : NULL;
    if (first)
        ws_notes_add(&layout->notes, WS_FINDING_TEXT_SHORTENED, "", "legend", 0, "'%.200s': %s", first, said[how]);
}

void ws_legend_arrange(ws_legend *legend, ws_layout *layout, const ws_text_measure *measure, double width_mm,
                       double height_mm, double most_mm)
{
    if (!legend->n)
        return;
    size_t rows = (size_t)fmax(1, floor(height_mm / legend->row_mm + 1e-6)), columns;
    legend->column_mm = ws_arena_alloc(&layout->arena, legend->n * sizeof *legend->column_mm);
    shorten_as_needed(legend, layout, measure, width_mm, fmax(height_mm, most_mm));
    fit_entries(legend, layout, measure, width_mm);
    columns = columns_that_fit(legend, width_mm, COLUMN_GAP_MM);
    for (double gap = COLUMN_GAP_MM - 0.5; gap >= LEAST_GAP_MM && columns < legend->n; gap -= 0.5) {
        size_t closer = columns_that_fit(legend, width_mm, gap);
        if ((legend->n + closer - 1) / closer < (legend->n + columns - 1) / columns) {
            columns = closer;
            break;
        }
        legend->gap_mm = COLUMN_GAP_MM;
    }
    size_t whole = (legend->n + columns - 1) / columns;
    if (whole > rows && (double)whole * legend->row_mm <= most_mm)
        rows = whole;
    columns = add_columns(legend, layout, measure, width_mm, columns, rows);
    if (legend->n > rows * columns)
        count_the_rest(legend, layout, measure, rows * columns);
    /* Rows of equal length: 4 and 3 rather than 6 and 1. */
    legend->rows = (legend->n + columns - 1) / columns;
    legend->columns = (legend->n + legend->rows - 1) / legend->rows;
    legend->width_mm = column_widths(legend, legend->columns);
    legend->height_mm = (double)legend->rows * legend->row_mm;
}

static void place_entry(const ws_legend *legend, size_t i, ws_layout *layout, const ws_text_measure *measure, double x,
                        double middle)
{
    const ws_legend_entry *entry = &legend->entries[i];
    ws_legend_key key = entry->key;
    double key_mm = key_width(legend, entry, legend->rows);
    key.box = (ws_box){x, middle - legend->row_mm / 2, x + key_mm, middle + legend->row_mm / 2};
    ws_placed_text text = {
        .role = WS_TEXT_LEGEND, .text = entry->label, .x = x, .pt = WS_PT_TICK, .style = WS_TEXT_COLOUR};
    text.y = middle - ws_text_half(text.pt);
    if (key.kind) {
        layout->keys = ws_grow(layout->keys, &layout->key_capacity, layout->n_keys + 1, sizeof *layout->keys);
        layout->keys[layout->n_keys++] = key;
        text.x += key_mm + KEY_GAP_MM;
    }
    ws_layout_add_text(layout, measure, &text, INFINITY);
}

void ws_legend_put(const ws_legend *legend, ws_layout *layout, const ws_text_measure *measure, double x, double y)
{
    double left = x;
    for (size_t i = 0; i < legend->n; i++) {
        size_t column = i / legend->rows, row = i % legend->rows;
        left += column && !row ? legend->column_mm[column - 1] + legend->gap_mm : 0;
        place_entry(legend, i, layout, measure, left, y - ((double)row + 0.5) * legend->row_mm);
    }
}

/* Corners first, then along the edges, then anywhere. */
bool ws_legend_find_place(const ws_legend *legend, const ws_room *room, const ws_box *frame, double *x, double *y)
{
    static const double shares[][2] = {{0, 1},    {1, 1},     {0, 0},     {1, 0},     {0.5, 1},  {0.5, 0},
                                       {1, 0.5},  {0, 0.5},   {0.25, 1},  {0.75, 1},  {0.25, 0}, {0.75, 0},
                                       {0.5, .5}, {0.25, .5}, {0.75, .5}, {0.5, .75}, {0.5, .25}};
    double spare_x = frame->x1 - frame->x0 - 2 * INSET_MM - legend->width_mm;
    double spare_y = frame->y1 - frame->y0 - 2 * INSET_MM - legend->height_mm;
    if (spare_x < 0 || spare_y < 0)
        return false;
    for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
        *x = frame->x0 + INSET_MM + shares[i][0] * spare_x;
        *y = frame->y1 - INSET_MM - (1 - shares[i][1]) * spare_y;
        ws_box box = {*x - MARGIN_MM, *y - legend->height_mm - MARGIN_MM, *x + legend->width_mm + MARGIN_MM,
                      *y + MARGIN_MM};
        if (ws_room_is_free(room, &box, WS_TAKEN))
            return true;
    }
    return false;
}
