/* The solver is linear, so it is given the derivatives as columns; the y beside them do not matter. */
#include "core/arena.h"
#include "fit/linear/least_squares.h"

#include <stdlib.h>

bool ws_ls_tangent(ws_tangent_value *value, const void *state, size_t p, const double *x, size_t n,
                   ws_ls_detail *detail)
{
    static const char *const names[WS_FIT_MAX_ESTIMATES] = {"b0", "b1", "b2", "b3", "b4",  "b5",
                                                            "b6", "b7", "b8", "b9", "b10", "b11"};
    double gradient[WS_FIT_MAX_ESTIMATES], *all = ws_realloc(NULL, (p + 1) * n + 1, sizeof *all);
    const double *column[WS_FIT_MAX_ESTIMATES];
    for (size_t i = 0; i < n; i++) {
        all[p * n + i] = value(state, x[i], gradient);
        for (size_t j = 0; j < p; j++)
            all[j * n + i] = gradient[j];
    }
    for (size_t j = 0; j < p; j++)
        column[j] = all + j * n;
    const ws_ls_input in = {.column = column, .name = names, .p = p, .y = all + p * n, .n = n, .level = 0.5};
    ws_fit linear;
    ws_fit_begin(&linear, "tangent", "", n);
    bool solved = ws_ls_fit_detail(&in, &linear, NULL, detail, NULL) == WS_OK && ws_ls_has_values(&linear);
    free(all);
    return solved;
}
