#include "analyze/recipes/paper.h"

#include "analyze/near_names.h"

#include <string.h>

static const ws_paper *const papers[] = {&ws_paper_huber2025, &ws_paper_frey2022, &ws_paper_jigsaw2025, NULL};

const ws_paper *ws_paper_find(const char *name)
{
    for (const ws_paper *const *p = papers; *p; p++)
        if (strcmp((*p)->name, name) == 0)
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
