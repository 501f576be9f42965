/* What the files of `plot` share. Internal to plot*.c. */
#ifndef WS_ANALYZE_PLOT_PARTS_H
#define WS_ANALYZE_PLOT_PARTS_H

#include "analyze/commands/data.h"
#include "analyze/recipes/figure_recipe.h"

/* The recipe's figure, or the panels of it that --panels names, added to `whole`; an exit status, after a message. */
int ws_plot_make(const ws_cli *cli, const ws_figure_recipe *recipe, const ws_figure_input *input, const ws_notes *notes,
                 ws_figure *whole);

/* The same of traces; frees what it read. */
int ws_plot_traces(ws_cli *cli, const ws_figure_recipe *recipe, ws_figure_input *input, ws_figure *whole);

/* Does --panels tell runs apart, in a panel each or in one of all, instead of one run of several files? */
bool ws_plot_has_run_each(const ws_cli *cli);

/* The window that --window names, in seconds from the start of each run; false after a message. */
bool ws_plot_window(const ws_cli *cli, ws_figure_input *input);

#endif
