#include "report/draw/draw.h"

#include <string.h>

bool ws_figure_form_find(const char *suffix, ws_figure_form *form)
{
    static const char *const names[] = {[WS_FIGURE_PDF] = "pdf", [WS_FIGURE_SVG] = "svg", [WS_FIGURE_PNG] = "png"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(suffix, names[i]) == 0) {
            *form = (ws_figure_form)i;
            return true;
        }
    }
    return false;
}
