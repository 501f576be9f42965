/* One verdict a group, with one chance of a mistake for all groups together.
 *
 * Step by step (Holm 1979, Scand. J. Statistics 6): k groups that are still open get intervals of level
 * 1 - (1 - level) / k each. Those that an interval decides leave, and the rest get intervals for the smaller k, until
 * no further group is decided. A verdict names a direction, worse or not; of independent groups the chance of a wrong
 * one anywhere stays below 1 - level (Shaffer 1980, Annals of Statistics 8). */
#include "fit/tests/verdict.h"

#include "core/arena.h"

#include <math.h>
#include <stdlib.h>

static bool is_decided(const ws_verdict *v)
{
    return v->kind == WS_WORSE || v->kind == WS_NO_WORSE;
}

/* Verdicts on the open groups, each at its share of the chance of a mistake; `n_open` becomes how many stay open. */
static ws_status judge_open(ws_verdict_input *in, size_t n, double level, bool *open, size_t *n_open,
                            ws_verdict *verdict, ws_error *error)
{
    double share = (1 - level) / (double)*n_open;
    ws_status status = WS_OK;
    for (size_t i = 0; i < n && status == WS_OK; i++) {
        if (!open[i])
            continue;
        in[i].level = 1 - share;
        status = ws_judge(&in[i], &verdict[i], error);
        open[i] = !is_decided(&verdict[i]);
        *n_open -= !open[i];
    }
    return status;
}

ws_status ws_judge_family(ws_verdict_input *in, size_t n, double level, ws_verdict *verdict, size_t *n_judged,
                          ws_error *error)
{
    bool *open = ws_realloc(NULL, n + 1, sizeof *open);
    size_t n_open = 0;
    ws_status status = WS_OK;
    for (size_t i = 0; i < n && status == WS_OK; i++) {
        in[i].level = level;
        status = ws_judge(&in[i], &verdict[i], error);
        open[i] = !isnan(verdict[i].ci_lo); /* what has no interval here has none at a higher level */
        n_open += open[i];
    }
    *n_judged = n_open;
    for (size_t before = SIZE_MAX; status == WS_OK && n_open && n_open < before;) {
        before = n_open;
        status = judge_open(in, n, level, open, &n_open, verdict, error);
    }
    free(open);
    return status;
}
