/* The report as a LaTeX document: story, tables, figures with their captions. Its figures lie beside it as PDF. */
#ifndef WS_REPORT_LATEX_REPORT_H
#define WS_REPORT_LATEX_REPORT_H

#include "report/page/page.h"

/* Needs booktabs, graphicx, geometry and iftex; pdflatex, xelatex and lualatex take it. A figure is "figures/ID.pdf".
 * A table of more rows than a page holds is named and left in its own file. WS_IO: the stream takes no more. */
ws_status ws_latex_report_write(FILE *stream, const ws_page *page, ws_error *error);

#endif
