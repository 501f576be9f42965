/* Papers: what each prints, as a list of recipes, so that `report --paper NAME` makes all of it and `plot` and `table`
 * each by its name. A paper is a file paper_NAME.c and a line of the table in paper.c; a figure or table of it is a
 * line of the lists in its file. */
#ifndef WS_ANALYZE_PAPER_H
#define WS_ANALYZE_PAPER_H

#include "analyze/recipes/figure_recipe.h"
#include "analyze/recipes/recipe.h"
#include "report/figure/series_styles.h"

/* What the paper's figures call the series of a campaign: names[i] of series[i], NULL where it is drawn in none by
 * itself. In the arena. */
typedef void ws_paper_naming(const ws_table *runs, const ws_table *scale, const char *const *series, const char **names,
                             size_t n, ws_arena *arena);
ws_paper_naming ws_huber_names, ws_frey_names;

typedef struct ws_paper {
    const char *name;  /* "huber2025" */
    const char *title; /* "Huber et al. 2025, Energy Consumption in Parallel Neural Network Training" */
    const ws_figure_recipe *const *figures; /* in the order of the paper, NULL-ended; so are the tables */
    const ws_table_recipe *const *tables;
    ws_paper_naming *names; /* NULL: figures have the names of series */
} ws_paper;

/* Gives series without a name in `looks` that of the paper's figures, so that its story and its tables call them the
 * same; two that would have one name have their own behind it, and where that holds for half of them none is named.
 * Returns how many were. */
size_t ws_paper_name_series(const ws_paper *paper, const ws_table *runs, const ws_table *scale, ws_looks *looks,
                            ws_arena *arena);

const ws_paper *ws_paper_find(const char *name);
const ws_paper *ws_paper_of_figure(const ws_figure_recipe *recipe); /* NULL: it is of any campaign */
const ws_paper *ws_paper_of_table(const ws_table_recipe *recipe);
const char *ws_paper_names(ws_arena *arena); /* "huber2025, frey2022 and jigsaw2025" */

/* Colours and markers as the figures of the paper before this one leave them, so that one series has one look in all,
 * made together or one by one. Nothing happens to a figure of any campaign. */
void ws_paper_keep_styles(const ws_figure_recipe *recipe, const ws_figure_input *input, ws_figure *figure);

/* Every recipe by its number, first those of any campaign, then those of the papers; NULL behind the last. */
const ws_figure_recipe *ws_figure_recipe_at(size_t i);
const ws_table_recipe *ws_table_recipe_at(size_t i);
const ws_figure_recipe *ws_figure_recipe_find(const char *name);
const ws_table_recipe *ws_table_recipe_find(const char *name);
const char *ws_figure_recipe_suggest(ws_arena *arena, const char *name); /* names that are like it, as near_names.h */
const char *ws_table_recipe_suggest(ws_arena *arena, const char *name);

extern const ws_paper ws_paper_huber2025, ws_paper_frey2022, ws_paper_jigsaw2025;

#endif
