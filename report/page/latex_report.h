/* The report as a LaTeX document: story, tables, figures with their captions. Its figures lie beside it as PDF. */
#ifndef WS_REPORT_LATEX_REPORT_H
#define WS_REPORT_LATEX_REPORT_H

#include "report/page/page.h"

/* Needs booktabs, graphicx, geometry, iftex, longtable and lscape; pdflatex, xelatex and lualatex take it. A figure is
 * "figures/ID.pdf". A table of more rows than a page holds goes over several, with its head on each. WS_IO: the stream
 * takes no more. */
ws_status ws_latex_report_write(FILE *stream, const ws_page *page, ws_error *error);

#endif
