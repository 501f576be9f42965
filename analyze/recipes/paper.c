#include "analyze/recipes/paper.h"

#include "analyze/near_names.h"
#include "analyze/recipes/series_looks.h"

#include <string.h>

static const ws_paper *const papers[] = {&ws_paper_huber2025, &ws_paper_frey2022, &ws_paper_jigsaw2025, NULL};

const ws_paper *ws_paper_find(const char *name)
{
    for (const ws_paper *const *p = papers; *p; p++)
        if (strcmp((*p)->name, name) == 0)
            return *p;
    return NULL;
}

const ws_paper *ws_paper_of_figure(const ws_figure_recipe *recipe)
{
    for (const ws_paper *const *p = papers; *p; p++)
        for (const ws_figure_recipe *const *f = (*p)->figures; *f; f++)
            if (*f == recipe)
                return *p;
    return NULL;
}

void ws_paper_keep_styles(const ws_figure_recipe *recipe, const ws_figure_input *input, ws_figure *figure)
{
    const ws_paper *paper = ws_paper_of_figure(recipe);
    ws_known_styles known = {0};
    for (const ws_figure_recipe *const *f = paper ? paper->figures : NULL; f && *f && *f != recipe; f++) {
        ws_figure before;
        ws_error none = {0};
        if ((*f)->source != WS_FIGURE_OF_CAMPAIGN)
            continue;
        if (ws_figure_recipe_make(*f, input, &before, &none) == WS_OK)
            ws_figure_keep_styles(&before, &known);
        ws_figure_free(&before);
    }
    if (paper)
        ws_figure_keep_styles(figure, &known);
    ws_known_styles_free(&known);
}

const ws_paper *ws_paper_of_table(const ws_table_recipe *recipe)
{
    for (const ws_paper *const *p = papers; *p; p++)
        for (const ws_table_recipe *const *t = (*p)->tables; *t; t++)
            if (*t == recipe)
                return *p;
    return NULL;
}

const char *ws_paper_names(ws_arena *arena)
{
    const char *names = "";
    for (const ws_paper *const *p = papers; *p; p++)
        names = ws_arena_printf(arena, "%s%s%s", names, !*names ? "" : p[1] ? ", " : " and ", (*p)->name);
    return names;
}

enum { MOST_RECIPES = 128 }; /* of a list for near names */

static bool is_general_figure(const ws_figure_recipe *recipe)
{
    const ws_figure_recipe *const *r = ws_figure_recipes();
    while (*r && *r != recipe)
        r++;
    return *r != NULL;
}

const ws_figure_recipe *ws_figure_recipe_at(size_t i)
{
    for (const ws_figure_recipe *const *r = ws_figure_recipes(); *r; r++)
        if (i-- == 0)
            return *r;
    for (const ws_paper *const *p = papers; *p; p++)
        for (const ws_figure_recipe *const *r = (*p)->figures; *r; r++)
            if (!is_general_figure(*r) && i-- == 0)
                return *r;
    return NULL;
}

static bool is_general_table(const ws_table_recipe *recipe)
{
    const ws_table_recipe *const *r = ws_table_recipes();
    while (*r && *r != recipe)
        r++;
    return *r != NULL;
}

const ws_table_recipe *ws_table_recipe_at(size_t i)
{
    for (const ws_table_recipe *const *r = ws_table_recipes(); *r; r++)
        if (i-- == 0)
            return *r;
    for (const ws_paper *const *p = papers; *p; p++)
        for (const ws_table_recipe *const *r = (*p)->tables; *r; r++)
            if (!is_general_table(*r) && i-- == 0)
                return *r;
    return NULL;
}

const ws_figure_recipe *ws_figure_recipe_find(const char *name)
{
    const ws_figure_recipe *r;
    for (size_t i = 0; (r = ws_figure_recipe_at(i)); i++)
        if (strcmp(r->name, name) == 0)
            return r;
    return NULL;
}

const ws_table_recipe *ws_table_recipe_find(const char *name)
{
    const ws_table_recipe *r;
    for (size_t i = 0; (r = ws_table_recipe_at(i)); i++)
        if (strcmp(r->name, name) == 0)
            return r;
    return NULL;
}

const char *ws_figure_recipe_suggest(ws_arena *arena, const char *name)
{
    const char *names[MOST_RECIPES];
    const ws_figure_recipe *r;
    size_t n = 0;
    for (; n < MOST_RECIPES && (r = ws_figure_recipe_at(n)); n++)
        names[n] = r->name;
    return ws_names_near(arena, name, names, n);
}

const char *ws_table_recipe_suggest(ws_arena *arena, const char *name)
{
    const char *names[MOST_RECIPES];
    const ws_table_recipe *r;
    size_t n = 0;
    for (; n < MOST_RECIPES && (r = ws_table_recipe_at(n)); n++)
        names[n] = r->name;
    return ws_names_near(arena, name, names, n);
}

/* The values of the column "series", each once. */
static size_t list_series(const ws_table *scale, ws_arena *arena, const char ***series)
{
    const ws_column *column = ws_table_column(scale, "series");
    size_t n = 0;
    *series = ws_arena_alloc(arena, (scale->n_rows + 1) * sizeof **series);
    for (size_t row = 0; column && column->kind == WS_TEXT && row < scale->n_rows; row++) {
        size_t before = 0;
        while (column->text[row] && before < n && strcmp((*series)[before], column->text[row]) != 0)
            before++;
        if (column->text[row] && before == n)
            (*series)[n++] = column->text[row];
    }
    return n;
}

static size_t count_same(const char *const *shown, size_t n, const char *name)
{
    size_t same = 0;
    for (size_t i = 0; i < n; i++)
        same += strcmp(shown[i], name) == 0;
    return same;
}

/* Names that tell less than half of the series apart are no names of them. */
static bool tell_apart(const char *const *names, const char *const *shown, size_t n)
{
    size_t n_named = 0, n_alone = 0;
    for (size_t i = 0; i < n; i++) {
        n_named += names[i] != NULL;
        n_alone += names[i] && count_same(shown, n, names[i]) == 1;
    }
    return 2 * n_alone > n_named;
}

size_t ws_paper_name_series(const ws_paper *paper, const ws_table *runs, const ws_table *scale, ws_looks *looks,
                            ws_arena *arena)
{
    const char **series;
    size_t n = list_series(scale, arena, &series), named = 0;
    const char **names = ws_arena_alloc(arena, (n + 1) * sizeof *names),
               **shown = ws_arena_alloc(arena, (n + 1) * sizeof *shown);
    if (!paper->names || !n)
        return 0;
    paper->names(runs, scale, series, names, n, arena);
    for (size_t i = 0; i < n; i++) {
        const ws_look *look = ws_look_of_value(looks, "series", series[i]);
        bool is_free = !strchr(series[i], '=') && (!look || !look->name);
        names[i] = is_free ? names[i] : NULL;
        shown[i] = names[i] ? names[i] : ws_series_spelled(looks, arena, "series", series[i]);
    }
    for (size_t i = 0; tell_apart(names, shown, n) && i < n; i++) {
        if (!names[i])
            continue;
        const char *key = ws_arena_printf(arena, "series=%s", series[i]);
        ws_looks_at(looks, arena, ws_span_of(key), NULL)->name =
            count_same(shown, n, names[i]) > 1 ? ws_arena_printf(arena, "%s (%s)", names[i], series[i]) : names[i];
        named++;
    }
    return named;
}
