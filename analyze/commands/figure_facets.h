/* A figure once for each value of a column, side by side: facets. */
#ifndef WS_ANALYZE_FIGURE_FACETS_H
#define WS_ANALYZE_FIGURE_FACETS_H

#include "analyze/commands/data.h"
#include "analyze/recipes/figure_recipe.h"

/* The column that facets of this figure of a campaign's figure are best made by, where it has more series than can be
 * told apart in one panel: that with the fewest values that leaves few enough in each, else one with a value for each
 * series, some of which share a facet. NULL: no need, or none does. */
const char *ws_facets_needed(const ws_figure_recipe *recipe, const ws_figure_input *input);
/* The same of the values of --by: the column itself where it has more of them than can be told apart in one panel, and
 * no more than a figure has styles for; else NULL. */
const char *ws_facets_of_values(const ws_table *table, const char *by);

/* The recipe's figure for each value of `column` among input->runs, in the order of the values' names; the panels of
 * `letters` (NULL: all). `figure` is initialised here; the caller frees it, always. Axes are shared with
 * `shares_axes`. Returns an exit status; after anything but 0 a message was printed. Where no facet has anything to
 * draw that is 0, the figure has no panels, and *nothing says why (WS_DATA; else it is clear). */
int ws_figure_make_facets(const ws_cli *cli, const ws_campaign *campaign, const ws_figure_recipe *recipe,
                          const ws_figure_input *input, const char *column, const char *letters, bool shares_axes,
                          ws_figure *figure, ws_error *nothing);

#endif
