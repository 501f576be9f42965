/* The figures of a report: drawn, listed with their data, and put on the page. */
#ifndef WS_ANALYZE_REPORT_FIGURES_H
#define WS_ANALYZE_REPORT_FIGURES_H

#include "analyze/commands/cli.h"
#include "analyze/commands/report_folder.h"
#include "analyze/recipes/figure_recipe.h"
#include "formats/campaign.h"
#include "report/page/page.h"

/* Every one of the recipes (NULL-ended) of that source that the input has data for: figures/ID.pdf, .svg, .png,
 * data/ID.csv and .json in the folder, the drawing with its values on the page. `about` is put before each caption.
 * Campaigns with more series than can be told apart are drawn in facets (figure_facets.h).
 * What the figures had to leave out goes to `notes`, and so does what a recipe without data lacks, where `tells` is
 * set. */
ws_status ws_report_figures(const ws_cli *cli, const ws_campaign *campaign, const ws_report_folder *folder,
                            const ws_figure_recipe *const *recipes, bool tells, ws_figure_source source,
                            const ws_figure_input *input, const char *about, ws_page *page, ws_notes *notes,
                            ws_error *error);

#endif
