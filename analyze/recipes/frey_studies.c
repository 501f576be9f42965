#include "analyze/recipes/frey_studies.h"

#include "analyze/ingest/run_columns.h"
#include "core/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Words for the class of a model, as the paper and others write it. */
static const struct {
    ws_model_kind kind;
    const char *word;
} words[] = {{WS_GEOMETRIC, "geometric"}, {WS_GEOMETRIC, "gdl"}, {WS_GEOMETRIC, "gnn"}, {WS_LANGUAGE, "nlp"},
             {WS_LANGUAGE, "language"},   {WS_VISION, "vision"}, {WS_VISION, "cv"}};

static bool is_of_kind(const char *model_class, ws_model_kind kind)
{
    for (size_t i = 0; model_class && i < sizeof words / sizeof *words; i++)
        for (size_t at = 0; words[i].kind == kind && model_class[at]; at++) {
            size_t n = 0;
            while (words[i].word[n] && (model_class[at + n] | 0x20) == words[i].word[n])
                n++;
            if (!words[i].word[n])
                return true;
        }
    return kind == WS_ANY_MODEL;
}

static const char *text_at(const ws_table *t, ws_run_column column, size_t row)
{
    return t->columns[column].text[row];
}

static bool same_text(const char *a, const char *b)
{
    return strcmp(a ? a : "", b ? b : "") == 0;
}

static bool same_number(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

/* A level before runs of several series are put together. */
typedef struct measured {
    ws_level level;
    const char *device, *series;
} measured;

typedef struct all_measured {
    measured *items;
    size_t n, capacity;
} all_measured;

static const char *model_of(const ws_table *runs, size_t row)
{
    const char *model = text_at(runs, WS_COL_MODEL, row), *series = text_at(runs, WS_COL_SERIES, row);
    return model ? model : series ? series : "";
}

static void add_row(ws_row_list *list, size_t row)
{
    list->rows = ws_grow(list->rows, &list->capacity, list->n + 1, sizeof *list->rows);
    list->rows[list->n++] = row;
}

static void measure_all(const ws_table *runs, ws_model_kind kind, all_measured *all)
{
    for (size_t row = 0; row < runs->n_rows; row++) {
        const char *model = model_of(runs, row), *device = text_at(runs, WS_COL_DEVICE, row),
                   *series = text_at(runs, WS_COL_SERIES, row);
        double cap = ws_runs_get(runs, WS_COL_POWER_CAP, row), clock = ws_runs_get(runs, WS_COL_CLOCK_CAP, row);
        size_t at = 0;
        if (isnan(ws_runs_get(runs, WS_COL_GPUS, row)) || !is_of_kind(text_at(runs, WS_COL_MODEL_CLASS, row), kind))
            continue;
        while (at < all->n &&
               !(same_text(all->items[at].level.model, model) && same_text(all->items[at].device, device) &&
                 same_text(all->items[at].series, series) && same_number(all->items[at].level.power_cap_w, cap) &&
                 same_number(all->items[at].level.clock_cap_hz, clock)))
            at++;
        if (at == all->n) {
            all->items = ws_grow(all->items, &all->capacity, all->n + 1, sizeof *all->items);
            all->items[all->n++] = (measured){.level = {.model = model,
                                                        .model_class = text_at(runs, WS_COL_MODEL_CLASS, row),
                                                        .power_cap_w = cap,
                                                        .clock_cap_hz = clock},
                                              .device = device,
                                              .series = series};
        }
        add_row(&all->items[at].level.rows, row);
    }
}

static bool has_gpus(const ws_table *runs, const ws_row_list *rows, double gpus)
{
    for (size_t i = 0; i < rows->n; i++)
        if (ws_runs_get(runs, WS_COL_GPUS, rows->rows[i]) == gpus)
            return true;
    return false;
}

static size_t count_gpus(const ws_table *runs, const ws_row_list *rows)
{
    size_t n = 0;
    for (size_t i = 0; i < rows->n; i++) {
        const ws_row_list before = {rows->rows, i, i};
        n += !has_gpus(runs, &before, ws_runs_get(runs, WS_COL_GPUS, rows->rows[i]));
    }
    return n;
}

static ws_level *new_level(ws_levels *levels, const ws_level *like, ws_arena *arena, size_t room)
{
    ws_level *level = &levels->items[levels->n++];
    *level = *like;
    level->rows = (ws_row_list){ws_arena_alloc(arena, (room + 1) * sizeof(size_t)), 0, room};
    return level;
}

static void take_rows(ws_level *into, const ws_row_list *from)
{
    for (size_t i = 0; i < from->n; i++)
        into->rows.rows[into->rows.n++] = from->rows[i];
}

static bool same_model(const measured *a, const measured *b)
{
    return same_text(a->level.model, b->level.model) && same_text(a->device, b->device);
}

/* a before b: the higher one, a stated one before one that is not. */
static bool is_higher(double a, double b)
{
    return a > b || (!isnan(a) && isnan(b));
}

static void add_uncapped(const ws_table *runs, const all_measured *all, size_t first, ws_levels *levels,
                         ws_arena *arena)
{
    const measured *best = &all->items[first];
    size_t most = 0;
    for (size_t i = first; i < all->n; i++) {
        const ws_level *l = &all->items[i].level, *b = &best->level;
        if (same_model(&all->items[i], best) &&
            (is_higher(l->power_cap_w, b->power_cap_w) ||
             (same_number(l->power_cap_w, b->power_cap_w) && is_higher(l->clock_cap_hz, b->clock_cap_hz))))
            best = &all->items[i];
    }
    ws_level *level = new_level(levels, &best->level, arena, runs->n_rows);
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = first; i < all->n; i++) {
            const measured *m = &all->items[i];
            if (!same_model(m, best) || !same_number(m->level.power_cap_w, best->level.power_cap_w) ||
                !same_number(m->level.clock_cap_hz, best->level.clock_cap_hz))
                continue;
            size_t n = count_gpus(runs, &m->level.rows);
            most = pass == 0 && n > most ? n : most;
            if (pass == 1 && n == most)
                take_rows(level, &m->level.rows);
        }
}

static double setting_of(const measured *m, ws_study study)
{
    return study == WS_STUDY_CAPS ? m->level.power_cap_w : m->level.clock_cap_hz;
}

static double held_of(const measured *m, ws_study study)
{
    return study == WS_STUDY_CAPS ? m->level.clock_cap_hz : m->level.power_cap_w;
}

/* The settings of a model with something held, highest first. Returns how many. */
static size_t settings_of(const all_measured *all, const measured *like, ws_study study, double *settings)
{
    size_t n = 0;
    for (size_t i = 0; i < all->n; i++) {
        const measured *m = &all->items[i];
        double s = setting_of(m, study);
        size_t at = 0;
        if (!same_model(m, like) || !same_number(held_of(m, study), held_of(like, study)) || isnan(s))
            continue;
        while (at < n && settings[at] > s)
            at++;
        if (at < n && settings[at] == s)
            continue;
        memmove(settings + at + 1, settings + at, (n - at) * sizeof *settings);
        settings[at] = s;
        n++;
    }
    return n;
}

static bool is_at(const measured *m, const measured *like, ws_study study, double setting)
{
    return same_model(m, like) && same_number(held_of(m, study), held_of(like, study)) &&
           setting_of(m, study) == setting;
}

/* Has each setting some run of so many GPUs? */
static bool is_common(const ws_table *runs, const all_measured *all, const measured *like, ws_study study,
                      const double *settings, size_t n, double gpus)
{
    for (size_t s = 0; s < n; s++) {
        bool found = false;
        for (size_t i = 0; i < all->n && !found; i++)
            found = is_at(&all->items[i], like, study, settings[s]) && has_gpus(runs, &all->items[i].level.rows, gpus);
        if (!found)
            return false;
    }
    return true;
}

static void add_settings(const ws_table *runs, const all_measured *all, const measured *like, ws_study study,
                         const double *settings, size_t n, ws_levels *levels, ws_arena *arena)
{
    for (size_t s = 0; s < n; s++) {
        ws_level *level = NULL;
        bool any_within = false;
        for (int pass = 0; pass < 2; pass++)
            for (size_t i = 0; i < all->n; i++) {
                const ws_row_list *rows = &all->items[i].level.rows;
                if (!is_at(&all->items[i], like, study, settings[s]))
                    continue;
                bool is_within = true;
                for (size_t r = 0; r < rows->n; r++)
                    is_within &=
                        is_common(runs, all, like, study, settings, n, ws_runs_get(runs, WS_COL_GPUS, rows->rows[r]));
                any_within |= is_within;
                if (pass == 0 || (any_within && !is_within))
                    continue;
                level = level ? level : new_level(levels, &all->items[i].level, arena, runs->n_rows);
                for (size_t r = 0; r < rows->n; r++)
                    if (is_common(runs, all, like, study, settings, n, ws_runs_get(runs, WS_COL_GPUS, rows->rows[r])))
                        level->rows.rows[level->rows.n++] = rows->rows[r];
            }
    }
}

/* The study of a model with the most settings, with the higher of what is held where two have as many. */
static void add_study(const ws_table *runs, const all_measured *all, size_t first, ws_study study, ws_levels *levels,
                      ws_arena *arena)
{
    double *settings = ws_alloc((all->n + 1) * sizeof *settings);
    const measured *best = NULL;
    size_t most = 1;
    for (size_t i = first; i < all->n; i++) {
        if (!same_model(&all->items[i], &all->items[first]))
            continue;
        size_t n = settings_of(all, &all->items[i], study, settings);
        if (n > most || (best && n == most && is_higher(held_of(&all->items[i], study), held_of(best, study)))) {
            best = &all->items[i];
            most = n;
        }
    }
    if (best)
        add_settings(runs, all, best, study, settings, settings_of(all, best, study, settings), levels, arena);
    free(settings);
}

/* Display names, and models in the order that they are given; levels of one stay together. */
static void name_levels(ws_levels *levels, const ws_looks *looks, ws_arena *arena)
{
    for (size_t i = 0; i < levels->n; i++) {
        ws_level *level = &levels->items[i];
        level->model = ws_series_spelled(looks, arena, "model", level->model);
        if (level->model_class)
            level->model_class = ws_series_spelled(looks, arena, "model_class", level->model_class);
    }
    for (size_t i = 1; i < levels->n; i++)
        for (size_t k = i; k && ws_looks_order(looks, levels->items[k].model, levels->items[k - 1].model) < 0; k--) {
            ws_level swapped = levels->items[k];
            levels->items[k] = levels->items[k - 1];
            levels->items[k - 1] = swapped;
        }
}

ws_levels ws_study_levels(ws_arena *arena, const ws_table *runs, ws_study study, ws_model_kind kind)
{
    all_measured all = {0};
    measure_all(runs, kind, &all);
    ws_levels levels = {ws_arena_alloc(arena, (all.n + 1) * sizeof *levels.items), 0};
    for (size_t i = 0; i < all.n; i++) {
        bool is_first = true;
        for (size_t j = 0; j < i; j++)
            is_first &= !same_model(&all.items[i], &all.items[j]);
        if (is_first && study == WS_STUDY_UNCAPPED)
            add_uncapped(runs, &all, i, &levels, arena);
        else if (is_first)
            add_study(runs, &all, i, study, &levels, arena);
    }
    for (size_t i = 0; i < all.n; i++)
        free(all.items[i].level.rows.rows);
    free(all.items);
    name_levels(&levels, runs->looks, arena);
    return levels;
}

static int compare_numbers(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

size_t ws_levels_common_gpus(ws_arena *arena, const ws_table *runs, const ws_levels *levels, double **gpus)
{
    size_t n = 0, room = levels->n ? levels->items[0].rows.n : 0;
    *gpus = ws_arena_alloc(arena, (room + 1) * sizeof **gpus);
    for (size_t i = 0; i < room; i++) {
        double of = ws_runs_get(runs, WS_COL_GPUS, levels->items[0].rows.rows[i]);
        bool is_in_all = true;
        for (size_t k = 0; k < n; k++)
            is_in_all &= (*gpus)[k] != of;
        for (size_t l = 1; l < levels->n && is_in_all; l++)
            is_in_all = has_gpus(runs, &levels->items[l].rows, of);
        if (is_in_all)
            (*gpus)[n++] = of;
    }
    qsort(*gpus, n, sizeof **gpus, compare_numbers);
    return n;
}

bool ws_levels_have_epochs(const ws_table *runs, const ws_levels *levels)
{
    for (size_t l = 0; l < levels->n; l++)
        for (size_t i = 0; i < levels->items[l].rows.n; i++) {
            size_t row = levels->items[l].rows.rows[i];
            bool has_time = !isnan(ws_work_value(runs, WS_PER_EPOCH, WS_COL_WALL, row)),
                 has_energy = !isnan(ws_work_value(runs, WS_PER_EPOCH, WS_COL_ENERGY, row));
            if (!has_time && (!isnan(ws_runs_get(runs, WS_COL_WALL, row)) ||
                              (!has_energy && !isnan(ws_runs_get(runs, WS_COL_ENERGY, row)))))
                return false;
        }
    return true;
}

ws_points ws_level_points(ws_arena *arena, const ws_table *runs, const ws_level *level, const char *column,
                          bool in_logs)
{
    size_t of, room = level->rows.n + 1;
    const ws_levels one = {(ws_level *)level, 1};
    ws_work work = ws_levels_have_epochs(runs, &one) ? WS_PER_EPOCH : WS_PER_RUN;
    ws_points p = {.x = ws_arena_alloc(arena, room * sizeof(double)),
                   .y = ws_arena_alloc(arena, room * sizeof(double)),
                   .error = ws_arena_alloc(arena, room * sizeof(double)),
                   .is_doubtful = ws_arena_alloc(arena, room * sizeof(bool))};
    double *gpus;
    size_t n = ws_levels_common_gpus(arena, runs, &one, &gpus);
    for (size_t g = 0; ws_table_find(runs, column, &of) && g < n; g++) {
        double sum = 0, squares = 0;
        size_t count = 0;
        for (int pass = 0; pass < 2; pass++)
            for (size_t i = 0; i < level->rows.n; i++) {
                size_t row = level->rows.rows[i];
                double value = ws_work_value(runs, work, of, row);
                value = in_logs ? log(value) : value;
                if (ws_runs_get(runs, WS_COL_GPUS, row) != gpus[g] || !isfinite(value))
                    continue;
                count += pass == 0;
                sum += pass == 0 ? value : 0;
                squares += pass == 1 ? pow(value - sum / (double)count, 2) : 0;
            }
        if (!count)
            continue;
        p.x[p.n] = gpus[g];
        p.y[p.n] = in_logs ? exp(sum / (double)count) : sum / (double)count;
        p.error[p.n] = count > 1 && !in_logs ? sqrt(squares / (double)count) : NAN;
        p.is_doubtful[p.n] = false;
        p.has_error |= isfinite(p.error[p.n]);
        p.n_runs += count;
        p.n++;
    }
    return p;
}

static const char *with_unit(ws_arena *arena, double value, const char *unit)
{
    char text[WS_DOUBLE_TEXT];
    if (isnan(value))
        return "";
    ws_double_text(text, value);
    return ws_arena_printf(arena, "%s %s", text, unit);
}

const char *ws_level_cap_name(ws_arena *arena, const ws_level *level)
{
    return with_unit(arena, level->power_cap_w, "W");
}

const char *ws_level_clock_name(ws_arena *arena, const ws_level *level)
{
    return with_unit(arena, level->clock_cap_hz / 1e6, "MHz");
}
