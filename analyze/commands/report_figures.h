/* The figures of a report: drawn, listed with their data, and put on the page. */
#ifndef WS_ANALYZE_REPORT_FIGURES_H
#define WS_ANALYZE_REPORT_FIGURES_H

#include "analyze/commands/cli.h"
#include "analyze/commands/report_folder.h"
#include "analyze/recipes/figure_recipe.h"
#include "formats/campaign.h"
#include "report/figure/series_styles.h"
#include "report/page/page.h"

/* Where the figures of a report go, and what is said of them. */
typedef struct ws_report_gallery {
    const ws_cli *cli;
    const ws_campaign *campaign;
    const ws_report_folder *folder;
    ws_page *page;
    ws_notes *notes;
    const char *about;      /* before each caption; "" for nothing */
    bool tells;             /* of a recipe without data what it lacks */
    ws_known_styles styles; /* of the figures before: a series has one look in all of them; the owner frees it */
} ws_report_gallery;

/* Every one of the recipes (NULL-ended) of that source that the input has data for: figures/ID.pdf, .svg, .png,
 * data/ID.csv and .json in the folder, the drawing with its values on the page. Campaigns with more series than can be
 * told apart are drawn in facets (figure_facets.h). What the figures had to leave out goes to the notes. */
ws_status ws_report_figures(ws_report_gallery *gallery, const ws_figure_recipe *const *recipes, ws_figure_source source,
                            const ws_figure_input *input, ws_error *error);

#endif
