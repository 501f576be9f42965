#include "analyze/recipes/held_batch.h"
#include "analyze/scaling/scaling.h"

#include "analyze/same_rows.h"
#include "core/text.h"
#include "report/figure/figure_style.h"
#include "report/table/table_print.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SETTINGS = 24 };

/* Samples a GPU of a data set that grows are whole numbers: 5004, 5004.5, 5004.6. */
static const double SAME_SHARE = 0.005;

typedef struct group {
    bool is_gbs, is_scaled;
    double batch, samples;
    size_t *rows, n; /* by rising GPUs, each number once */
} group;

typedef struct search {
    const ws_table *scale;
    ws_arena *arena;
    size_t gpus, batch[2], samples, factor; /* columns; samples and factor are n_columns where there is none */
    bool by_factor; /* nobody says how many samples the data set has; folders say by what it was divided */
    size_t settings[MOST_SETTINGS], n_settings;
    bool has_duplicates; /* configurations that differ in nothing but their series */
    bool has_both;       /* series of the same data on every number of GPUs, and of data that grow with them */
    group *groups;
    size_t n, capacity;
} search;

static double value(const ws_table *table, size_t column, size_t row)
{
    return column < table->n_columns ? ws_table_number(table, column, row) : NAN;
}

static bool has_numbers(const ws_table *table, size_t column)
{
    for (size_t row = 0; column < table->n_columns && row < table->n_rows; row++)
        if (!isnan(ws_table_number(table, column, row)))
            return true;
    return false;
}

static bool has_part(const char *text, const char *part)
{
    size_t n = strlen(part);
    for (; text && *text; text++) {
        size_t i = 0;
        while (i < n && tolower((unsigned char)text[i]) == part[i])
            i++;
        if (i == n)
            return true;
    }
    return false;
}

static bool is_one_of(const char *text, const char *const *parts)
{
    for (; parts && *parts; parts++)
        if (has_part(text, *parts))
            return true;
    return false;
}

/* The names of models, each once; "" where there are none. */
static const char *model_names(const ws_table *table, size_t column, ws_arena *arena, size_t *n)
{
    const char *names = "";
    *n = 0;
    for (size_t row = 0; row < table->n_rows; row++) {
        size_t before = 0;
        while (before < row && !ws_same_cell(table, column, before, row))
            before++;
        if (before < row || !table->columns[column].text[row])
            continue;
        names = ws_arena_printf(arena, "%s%s%s", names, *names ? ", " : "", table->columns[column].text[row]);
        ++*n;
    }
    return names;
}

bool ws_model_rows(const ws_table *table, const ws_held_choice *choice, ws_row_list *rows, ws_arena *arena,
                   ws_error *error)
{
    size_t column, n_models, n_others = 0;
    bool has_models = ws_table_find(table, "model", &column) && table->columns[column].kind == WS_TEXT;
    *rows = (ws_row_list){.rows = ws_arena_alloc(arena, (table->n_rows + 1) * sizeof *rows->rows)};
    for (size_t row = 0; has_models && row < table->n_rows; row++) {
        const char *model = table->columns[column].text[row];
        n_others += is_one_of(model, choice->other_models);
        if (is_one_of(model, choice->models))
            rows->rows[rows->n++] = row;
    }
    if (rows->n)
        return true;
    const char *names = has_models ? model_names(table, column, arena, &n_models) : "";
    if (has_models && (n_models > 1 || n_others)) {
        ws_fail_recipe(error, table->source, choice->figure, " ", "is about another model; there %s: %.200s%s",
                       n_models == 1 ? "is" : "are", names, n_others ? "" : " (--only 'model=NAME' chooses one)");
        return false;
    }
    if (!*names && choice->needs_name) {
        ws_fail_recipe(error, table->source, choice->figure, ": ", "no model is named (--set model=NAME names one)");
        return false;
    }
    for (size_t row = 0; row < table->n_rows; row++)
        rows->rows[rows->n++] = row;
    return true;
}

static void add_setting(search *s, const char *name)
{
    size_t column;
    if (!ws_table_find(s->scale, name, &column) || s->n_settings == MOST_SETTINGS)
        return;
    for (size_t i = 0; i < s->n_settings; i++)
        if (s->settings[i] == column)
            return;
    s->settings[s->n_settings++] = column;
}

/* What ws_scale grouped by, sizes and the series apart, and what else makes an experiment another one. */
static void find_settings(search *s)
{
    static const char *const names[] = {"model", "device", "power_cap_w", "clock_cap_hz", "phase", "epochs"};
    static const char *const sizes[] = {"gpus", "nodes", "lbs", "gbs", "dataset_samples", "factor", "series"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        add_setting(s, names[i]);
    for (size_t c = 0, n_keys = ws_scale_keys(s->scale); c < n_keys; c++) {
        bool is_size = s->scale->columns[c].detail;
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
            is_size |= strcmp(s->scale->columns[c].name, sizes[i]) == 0;
        if (!is_size)
            add_setting(s, s->scale->columns[c].name);
    }
}

static bool same_settings(const search *s, size_t a, size_t b)
{
    for (size_t i = 0; i < s->n_settings; i++)
        if (!ws_same_cell(s->scale, s->settings[i], a, b))
            return false;
    return true;
}

/* Stands in two series with the same means to the last digit. */
static bool is_same_configuration(const ws_table *scale, size_t a, size_t b)
{
    static const char *const names[] = {"gpus", "lbs", "gbs", "wall_s", "gpu_h", "energy_kwh"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t column;
        if (ws_table_find(scale, names[i], &column) && !ws_same_cell(scale, column, a, b))
            return false;
    }
    return true;
}

/* Of the data set, or its share where the factor alone is known: 1 without one. */
static double samples_of(const search *s, size_t row)
{
    double factor = value(s->scale, s->factor, row);
    if (!s->by_factor)
        return value(s->scale, s->samples, row);
    return isnan(factor) ? 1 : 1 / factor;
}

static double share_of(const search *s, size_t row, bool is_scaled)
{
    double samples = samples_of(s, row);
    return is_scaled ? samples / value(s->scale, s->gpus, row) : samples;
}

static bool is_in(const search *s, const group *g, size_t first, size_t row)
{
    double samples = share_of(s, row, g->is_scaled);
    bool same_data = isnan(g->samples) ? isnan(samples) : fabs(samples - g->samples) <= SAME_SHARE * g->samples;
    if (!g->is_scaled)
        same_data = isnan(g->samples) ? isnan(samples) : samples == g->samples;
    return value(s->scale, s->batch[g->is_gbs], row) == g->batch && same_data && same_settings(s, first, row);
}

/* Puts the row in its place; a second one on as many GPUs is the same again, or differs in nothing but its
 * series. */
static void take_row(search *s, group *g, size_t row)
{
    double gpus = value(s->scale, s->gpus, row);
    size_t at = g->n;
    for (; at && value(s->scale, s->gpus, g->rows[at - 1]) >= gpus; at--) {
        if (value(s->scale, s->gpus, g->rows[at - 1]) > gpus)
            continue;
        s->has_duplicates |= !is_same_configuration(s->scale, g->rows[at - 1], row);
        return;
    }
    memmove(&g->rows[at + 1], &g->rows[at], (g->n - at) * sizeof *g->rows);
    g->rows[at] = row;
    g->n++;
}

static void add_group(search *s, const ws_row_list *rows, size_t first, bool is_gbs, bool is_scaled)
{
    group g = {is_gbs, is_scaled, value(s->scale, s->batch[is_gbs], first), share_of(s, first, is_scaled), NULL, 0};
    if (!(g.batch > 0) || (is_scaled && !(g.samples > 0)))
        return;
    for (size_t i = 0; i < rows->n && rows->rows[i] != first; i++)
        if (is_in(s, &g, first, rows->rows[i]))
            return; /* is there already */
    g.rows = ws_arena_alloc(s->arena, (rows->n + 1) * sizeof *g.rows);
    for (size_t i = 0; i < rows->n; i++)
        if (is_in(s, &g, first, rows->rows[i]) && value(s->scale, s->gpus, rows->rows[i]) > 0)
            take_row(s, &g, rows->rows[i]);
    s->groups = ws_grow(s->groups, &s->capacity, s->n + 1, sizeof *s->groups);
    s->groups[s->n++] = g;
}

static void find_groups(search *s, const ws_row_list *rows)
{
    s->n = 0;
    s->has_duplicates = false;
    for (size_t i = 0; i < rows->n; i++)
        for (int kind = 0; kind < 4; kind++)
            add_group(s, rows, rows->rows[i], kind & 1, kind & 2);
}

static int by_length(const void *a, const void *b)
{
    const group *p = a, *q = b;
    if (p->n != q->n)
        return p->n > q->n ? -1 : 1;
    if (p->is_gbs != q->is_gbs)
        return p->is_gbs ? 1 : -1;
    return (p->batch > q->batch) - (p->batch < q->batch);
}

static int by_kind(const void *a, const void *b)
{
    const group *p = a, *q = b;
    if (p->is_scaled != q->is_scaled)
        return p->is_scaled ? 1 : -1;
    if (p->is_gbs != q->is_gbs)
        return p->is_gbs ? 1 : -1;
    if (p->batch != q->batch)
        return p->batch > q->batch ? 1 : -1;
    return (p->rows[0] > q->rows[0]) - (p->rows[0] < q->rows[0]);
}

static bool stands_elsewhere(const search *s, const group *g, size_t n_taken)
{
    for (size_t r = 0; r < g->n; r++) {
        bool found = false;
        for (size_t i = 0; i < n_taken; i++)
            for (size_t k = 0; s->groups[i].is_scaled == g->is_scaled && k < s->groups[i].n; k++)
                found |= is_same_configuration(s->scale, s->groups[i].rows[k], g->rows[r]);
        if (!found)
            return false;
    }
    return true;
}

/* Adds the rows of a group that stand in none of the `kept` series to `left`, each configuration once. */
static void leave_out(const search *s, const group *g, size_t kept, ws_row_list *left)
{
    for (size_t r = 0; r < g->n; r++) {
        const group one = {.is_scaled = g->is_scaled, .rows = &g->rows[r], .n = 1};
        bool found = stands_elsewhere(s, &one, kept);
        for (size_t i = 0; i < left->n && !found; i++)
            found = is_same_configuration(s->scale, left->rows[i], g->rows[r]);
        if (found)
            continue;
        left->rows = ws_grow(left->rows, &left->capacity, left->n + 1, sizeof *left->rows);
        left->rows[left->n++] = g->rows[r];
    }
}

static bool is_wanted(const group *g, unsigned data)
{
    return data & (g->is_scaled ? WS_DATA_SCALED : WS_DATA_WHOLE);
}

static bool has_wanted(const search *s, size_t n, unsigned data)
{
    for (size_t i = 0; i < n; i++)
        if (is_wanted(&s->groups[i], data))
            return true;
    return false;
}

static size_t drop_unwanted(search *s, size_t n, unsigned data)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++)
        if (is_wanted(&s->groups[i], data))
            s->groups[kept++] = s->groups[i];
    return kept;
}

/* Returns how many configurations of series that are too short stand in no other. */
static size_t keep_series(search *s, unsigned data)
{
    size_t kept = 0, least = 2;
    ws_row_list left = {0};
    if (s->n)
        qsort(s->groups, s->n, sizeof *s->groups, by_length);
    if (s->n && s->groups[0].n > 2)
        least = 3;
    for (size_t i = 0; i < s->n; i++) {
        const group *g = &s->groups[i];
        if (g->n >= least && !stands_elsewhere(s, g, kept))
            s->groups[kept++] = *g;
        else if (is_wanted(g, data) && g->n == 2 && has_wanted(s, kept, data))
            leave_out(s, g, kept, &left);
    }
    s->has_both = has_wanted(s, kept, WS_DATA_WHOLE) && has_wanted(s, kept, WS_DATA_SCALED);
    kept = drop_unwanted(s, kept, data);
    s->n = kept;
    if (kept)
        qsort(s->groups, kept, sizeof *s->groups, by_kind);
    free(left.rows);
    return left.n;
}

static bool setting_varies(const search *s, size_t column)
{
    for (size_t i = 1; i < s->n; i++)
        if (!ws_same_cell(s->scale, column, s->groups[0].rows[0], s->groups[i].rows[0]))
            return true;
    return false;
}

/* Do two series differ in their epochs alone? */
static bool epochs_tell(const search *s, size_t epochs)
{
    for (size_t a = 0; a < s->n; a++)
        for (size_t b = 0; b < a; b++) {
            const group *p = &s->groups[a], *q = &s->groups[b];
            bool same = p->is_gbs == q->is_gbs && p->batch == q->batch && p->is_scaled == q->is_scaled;
            for (size_t i = 0; same && i < s->n_settings; i++)
                same = s->settings[i] == epochs || ws_same_cell(s->scale, s->settings[i], p->rows[0], q->rows[0]);
            if (same && !ws_same_cell(s->scale, epochs, p->rows[0], q->rows[0]))
                return true;
        }
    return false;
}

static bool has_name(const ws_column *series, size_t row, const char *name)
{
    return series->text[row] && strcmp(series->text[row], name) == 0;
}

bool ws_is_series(const ws_table *scale, const char *name, const ws_row_list *configurations)
{
    const ws_column *series = ws_table_column(scale, "series");
    bool is_same = series && series->kind == WS_TEXT;
    for (size_t i = 0; is_same && i < configurations->n; i++) { /* each of them is there */
        bool found = false;
        for (size_t row = 0; row < scale->n_rows && !found; row++)
            found = has_name(series, row, name) && is_same_configuration(scale, configurations->rows[i], row);
        is_same = found;
    }
    for (size_t row = 0; is_same && row < scale->n_rows; row++) { /* and there are no others */
        bool found = !has_name(series, row, name);
        for (size_t i = 0; i < configurations->n && !found; i++)
            found = is_same_configuration(scale, configurations->rows[i], row);
        is_same = found;
    }
    return is_same;
}

/* What the user calls the series that is this group. */
static const char *name_of_group(const search *s, const group *g)
{
    const ws_looks *looks = s->scale->looks;
    const ws_row_list rows = {g->rows, g->n, g->n};
    for (size_t i = 0; looks && i < looks->n; i++) {
        const ws_look *look = &looks->items[i];
        if (look->name && look->value && strcmp(look->column, "series") == 0 &&
            ws_is_series(s->scale, look->value, &rows))
            return look->name;
    }
    return NULL;
}

/* "LBS 256", "A100, GBS 64", "LBS 256, S/GPU 5004": as the paper's legends, or in the user's words. The samples a GPU
 * tell a series from those of the whole data set in every figure of a campaign that has both. */
static const char *label_of_group(ws_series_list *list, const search *s, const group *g)
{
    const char *label = "", *name = name_of_group(s, g);
    char buffer[WS_DOUBLE_TEXT];
    bool says_batch = false;
    if (name)
        return ws_arena_strdup(&list->arena, name);
    ws_double_text(buffer, g->batch);
    const char *batch = ws_series_spelled(s->scale->looks, &list->arena, g->is_gbs ? "gbs" : "lbs", buffer);
    for (size_t i = 0; i < s->n_settings; i++) {
        const char *text = ws_table_cell_text(s->scale, s->settings[i], g->rows[0], buffer);
        const char *column = s->scale->columns[s->settings[i]].name;
        if (!*text || !setting_varies(s, s->settings[i]) ||
            (strcmp(column, "epochs") == 0 && !epochs_tell(s, s->settings[i])))
            continue;
        bool is_named = strcmp(column, "series") == 0 && ws_look_of_value(s->scale->looks, column, text);
        text = strcmp(column, "epochs") == 0 ? ws_arena_printf(&list->arena, "%s epochs", text)
                                             : ws_series_spelled(s->scale->looks, &list->arena, column, text);
        if (strcmp(text, batch) == 0)
            continue; /* the series is called as the batch that it holds */
        label = ws_arena_printf(&list->arena, "%s%s%s", label, *label ? ", " : "", text);
        says_batch |= is_named; /* in the user's words */
    }
    if (!says_batch)
        label = ws_arena_printf(&list->arena, "%s%s%s", label, *label ? ", " : "", batch);
    if (!s->has_both || !g->is_scaled)
        return label;
    if (s->by_factor) {
        ws_double_text(buffer, round(1 / g->samples));
        return ws_arena_printf(&list->arena, "%s, 1/%s of the data a GPU", label, buffer);
    }
    char grouped[WS_CELL_TEXT];
    ws_double_text(buffer, floor(g->samples));
    ws_group_digits(grouped, buffer);
    return ws_arena_printf(&list->arena, "%s, S/GPU %s", label, grouped);
}

/* The first one of the same batch size and settings, but for the name of its series. */
static size_t first_alike(const search *s, size_t i)
{
    for (size_t k = 0; k < i; k++) {
        bool alike = s->groups[k].is_gbs == s->groups[i].is_gbs && s->groups[k].batch == s->groups[i].batch &&
                     s->groups[k].is_scaled != s->groups[i].is_scaled;
        for (size_t c = 0; c < s->n_settings && alike; c++)
            alike = strcmp(s->scale->columns[s->settings[c]].name, "series") == 0 ||
                    ws_same_cell(s->scale, s->settings[c], s->groups[k].rows[0], s->groups[i].rows[0]);
        if (alike)
            return k;
    }
    return i;
}

static void take_series(ws_series_list *list, const search *s)
{
    list->items = ws_alloc((s->n + 1) * sizeof *list->items);
    for (size_t i = 0; i < s->n && i < WS_STYLES; i++) {
        const group *g = &s->groups[i];
        ws_series *item = &list->items[list->n++];
        *item = (ws_series){.label = label_of_group(list, s, g), .rank = i, .like = first_alike(s, i)};
        item->configurations.rows = ws_alloc((g->n + 1) * sizeof *g->rows);
        memcpy(item->configurations.rows, g->rows, g->n * sizeof *g->rows);
        item->configurations.n = item->configurations.capacity = g->n;
    }
    list->n_not_drawn = s->n - list->n;
    for (size_t i = 1; i < list->n; i++) /* series without an order keep their places */
        for (size_t k = i; k && ws_looks_order(s->scale->looks, list->items[k].label, list->items[k - 1].label) < 0;
             k--) {
            ws_series swapped = list->items[k];
            list->items[k] = list->items[k - 1];
            list->items[k - 1] = swapped;
        }
}

ws_status ws_held_series(ws_series_list *list, const ws_table *runs, const ws_table *scale,
                         const ws_held_choice *choice, ws_error *error)
{
    ws_arena arena = {0};
    search s = {.scale = scale, .arena = &arena, .samples = scale->n_columns, .factor = scale->n_columns};
    ws_row_list rows;
    ws_status status = WS_OK;
    *list = (ws_series_list){.runs = runs, .scale = scale, .against = "gpus"};
    if (!ws_table_find(scale, "gpus", &s.gpus) || !ws_table_find(scale, "lbs", &s.batch[0]) ||
        !ws_table_find(scale, "gbs", &s.batch[1])) {
        status = ws_fail_recipe(error, scale->source, choice->figure, " ", "needs the columns gpus, lbs and gbs");
    } else if (!ws_model_rows(scale, choice, &rows, &arena, error)) {
        status = WS_DATA;
    } else {
        ws_table_find(scale, "dataset_samples", &s.samples);
        ws_table_find(scale, "factor", &s.factor);
        s.by_factor = !has_numbers(scale, s.samples) && has_numbers(scale, s.factor);
        find_settings(&s);
        find_groups(&s, &rows);
        if (s.has_duplicates) {
            add_setting(&s, "series");
            find_groups(&s, &rows);
        }
        list->n_short = keep_series(&s, choice->data);
        take_series(list, &s);
        if (!list->n)
            status = ws_fail_recipe(error, scale->source, choice->figure, ": ",
                                    "no series holds its batch size over several numbers of GPUs%s",
                                    choice->data == WS_DATA_SCALED ? " while its data set grows with them" : "");
    }
    free(s.groups);
    ws_arena_free(&arena);
    return status;
}
