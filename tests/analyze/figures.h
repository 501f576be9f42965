/* Figures of campaign recipes, for the tests of what is in them. */
#ifndef WS_TEST_FIGURES_H
#define WS_TEST_FIGURES_H

#include "harness.h"

#include "analyze/recipes/paper.h"

static inline ws_status figure_of(const char *name, const ws_table *r, const ws_table *s, ws_figure *figure,
                                  ws_error *error)
{
    ws_figure_input input = {.runs = r, .scale = s, .level = 0.95, .synthetic = s && s->synthetic};
    const ws_figure_recipe *recipe = ws_figure_recipe_find(name);
    ck_assert_ptr_nonnull(recipe);
    return ws_figure_recipe_make(recipe, &input, figure, error);
}

static inline void ck_make(const char *name, const ws_table *r, const ws_table *s, ws_figure *figure)
{
    ws_error error = {0};
    ck_assert_msg(figure_of(name, r, s, figure, &error) == WS_OK, "%s", error.message);
    ck_assert(figure->caption && *figure->caption);
}

#endif
