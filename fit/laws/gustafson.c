/* Gustafson's law: the speed-up of work that grows with the machine, y = x - s (x - 1).
 *
 * Least squares of x - y on x - 1 through the origin; a point with x = 1 has speed-up 1 by definition and says nothing.
 * Assumes errors of the speed-up of one size. The weak efficiency y / x tends to 1 - s. Gustafson 1988, CACM 31. */
#include "fit/laws/laws.h"

#include "core/arena.h"
#include "fit/linear/least_squares.h"

#include <math.h>
#include <stdlib.h>

static void say_gustafson(ws_fit *fit, double level)
{
    const ws_estimate *s = &fit->estimate[0];
    char *text = fit->sentence;
    size_t size = sizeof fit->sentence;
    if (fit->status == WS_FIT_COLLINEAR || (fit->status == WS_FIT_TOO_FEW && fit->n == 0)) {
        fit->status = WS_FIT_TOO_FEW;
        text[0] = '\0';
        ws_say(text, size, "no point has an x other than 1: the serial fraction is undefined");
        return;
    }
    if (fit->status == WS_FIT_CONSTANT) {
        ws_say(text, size,
               "the speed-up is x at every point: the serial fraction is 0, R2 and likelihood are undefined");
        return;
    }
    ws_say(text, size, "serial fraction %s", ws_ls_words(fit, s).text);
    if (fit->status == WS_FIT_OK)
        ws_say(text, size, " (%s: %s to %s)", ws_words_level(level).text, ws_words_to_error(s->ci_lo, s->se).text,
               ws_words_to_error(s->ci_hi, s->se).text);
    ws_ls_say_quality(fit, "x", " about zero");
}

ws_status ws_fit_gustafson(const ws_law_input *in, ws_fit *fit, double *residual, ws_error *error)
{
    static const char *const name[] = {"serial-fraction"};
    ws_fit_begin(fit, "gustafson", "about zero, of x - y", in->n);
    ws_status status = ws_fit_check(in->x, in->y, in->n, in->level, error);
    if (status != WS_OK)
        return status;
    double *more = ws_realloc(NULL, 2 * in->n + 1, sizeof *more), *lost = more + in->n;
    fit->n = 0;
    for (size_t i = 0; i < in->n; i++) {
        if (in->x[i] == 1)
            continue;
        more[fit->n] = in->x[i] - 1;
        lost[fit->n++] = in->x[i] - in->y[i];
    }
    const double *const column[] = {more};
    const ws_ls_input ls = {.column = column, .name = name, .p = 1, .y = lost, .n = fit->n, .level = in->level};
    status = ws_ls_fit(&ls, fit, NULL, error);
    free(more);
    if (status != WS_OK)
        return status;
    say_gustafson(fit, in->level);
    if (ws_ls_has_values(fit) && (fit->estimate[0].ci_hi < 0 || fit->estimate[0].ci_lo > 1))
        ws_say(fit->sentence, sizeof fit->sentence, "; it lies outside of 0 to 1: is y a scaled speed-up?");
    for (size_t i = 0; residual && i < in->n; i++)
        residual[i] = in->y[i] - in->x[i] + fit->estimate[0].value * (in->x[i] - 1);
    return WS_OK;
}
