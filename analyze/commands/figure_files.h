/* Figures into files: what a suffix stands for. */
#ifndef WS_ANALYZE_FIGURE_FILES_H
#define WS_ANALYZE_FIGURE_FILES_H

#include "analyze/commands/cli.h"
#include "report/figure/figure.h"

#define WS_FIGURE_SUFFIXES ".pdf, .svg, .png, .json and .csv"

/* The writer of a ws_figure for "pdf", "svg", "png", "json" (the figure itself) or "csv" (its data), NULL for another
 * suffix. Case does not matter. */
ws_file_writer *ws_figure_writer(const char *suffix);

/* Read a figure that was written as JSON; "-" is standard input. The caller frees it, also after a failure. */
ws_status ws_figure_read(const char *path, ws_figure *figure, ws_error *error);

#endif
