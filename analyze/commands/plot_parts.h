/* What the files of `plot` share. Internal to plot*.c. */
#ifndef WS_ANALYZE_PLOT_PARTS_H
#define WS_ANALYZE_PLOT_PARTS_H

#include "analyze/commands/cli.h"
#include "analyze/recipes/figure_recipe.h"

/* The recipe's figure of the DATA that stands with it, or the panels of it that --panels names, added to `whole`; an
 * exit status, after a message. */
int ws_plot_from_data(ws_cli *cli, const ws_figure_recipe *recipe, ws_figure *whole);

/* Copies of the panels of `part` that --panels names, or of all, into `whole`. */
int ws_plot_join(const ws_cli *cli, const ws_figure *part, ws_figure *whole);

/* Does --panels tell runs apart, in a panel each or in one of all, instead of one run of several files? */
bool ws_plot_has_run_each(const ws_cli *cli);

/* What --grid, --width and the others say of the whole figure, which several figures may have been joined to; false
 * after a message. */
bool ws_plot_set_whole(const ws_cli *cli, ws_figure *figure, bool is_joined);

/* The width that --width gives, else *width_mm stays; false after a message. */
bool ws_plot_width(const ws_cli *cli, double *width_mm);

#endif
