/* How the numbers of `wattscale fit` came about: the points behind an estimate, and the runs behind the points. */
#ifndef WS_ANALYZE_EXPLAIN_FIT_H
#define WS_ANALYZE_EXPLAIN_FIT_H

#include "analyze/commands/fit_parts.h"
#include "analyze/explain/explain_run.h"

/* Options of fit that explain reads: --model stands for its argument. */
#define WS_OPTIONS_EXPLAIN_FIT                                                                       \
    {"model", 0, "MODEL", "--of fit: line, origin, powerlaw, ... as 'wattscale fit' has them"},      \
        {"x", 0, "COLUMN", "--of fit: the predictor"}, {"y", 0, "COLUMN", "--of fit: the response"}, \
        {"by", 0, "COLUMNS", "--of fit: a fit for each group of rows that agree in these"},          \
        {"level", 0, "LEVEL", "--of fit: of the intervals, 0.95 unless given"},                      \
        {"unit", 0, "WHICH", "--of fit: a point is a configuration (default) or a run"},             \
        {"logs", 0, NULL, "--of fit: as 'wattscale fit' has it"},                                    \
        {"no-logs", 0, NULL, "--of fit: as 'wattscale fit' has it"},                                 \
    {                                                                                                \
        "degree", 0, "N", "--of fit: of a polynomial"                                                \
    }

typedef struct ws_fit_cells {
    ws_fitter fitter;
    ws_table data, out; /* out: what `fit` prints */
    ws_row_groups groups;
} ws_fit_cells;

/* Fits as --model, --x, --y ... of the command say, to cli->arguments[1]; filled from empty, closed by the caller.
 * Returns an exit status. */
int ws_fit_cells_open(ws_cli *cli, ws_fit_cells *cells);
void ws_fit_cells_close(ws_fit_cells *cells);

/* A cell of cells->out. The explainer's runs are cells->data. */
ws_step *ws_explain_fit(const ws_explainer *explainer, ws_fit_cells *cells, size_t row, size_t column);

#endif
