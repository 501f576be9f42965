#include "fit/laws/law.h"

#include "core/arena.h"
#include "fit/estimate.h"
#include "fit/linear/least_squares.h"
#include "fit/linear/qr.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct curve_state {
    const ws_law_form *form;
    const double *x, *ln_x; /* ln_x: NULL where the form takes x */
    double middle;          /* mean of ln_x */
} curve_state;

static double form_at(const curve_state *s, size_t i, const double *b, double *gradient)
{
    return s->ln_x ? s->form->value_at_log(s->ln_x[i], b, gradient) : s->form->value(s->x[i], b, gradient);
}

static double plain_curve(const void *state, size_t i, const double *b, double *gradient)
{
    const curve_state *s = state;
    return form_at(s, i, b, gradient);
}

static double log_curve(const void *state, size_t i, const double *b, double *gradient)
{
    const curve_state *s = state;
    double value = form_at(s, i, b, gradient);
    if (!(value > 0))
        return NAN;
    for (size_t j = 0; j < s->form->p; j++)
        gradient[j] /= value;
    return log(value);
}

static double plain_even(const void *state, size_t i, const double *even, double *gradient)
{
    const curve_state *s = state;
    return s->form->even_value(s->ln_x ? s->ln_x[i] - s->middle : s->x[i], even, gradient);
}

static double log_even(const void *state, size_t i, const double *even, double *gradient)
{
    const curve_state *s = state;
    double value = plain_even(state, i, even, gradient);
    if (!(value > 0))
        return NAN;
    for (size_t j = 0; j < s->form->p; j++)
        gradient[j] /= value;
    return log(value);
}

static void law_even_parameters(const void *state, const double *b, double *even)
{
    const curve_state *s = state;
    s->form->even_parameters(s->middle, b, even);
}

static void law_from_even(const void *state, const double *even, double *b)
{
    const curve_state *s = state;
    s->form->from_even(s->middle, even, b);
}

bool ws_law_has_values(const ws_fit *fit)
{
    return fit->n_estimates > 0 && !isnan(fit->estimate[0].value);
}

bool ws_law_refuse_few(const double *x, size_t least, ws_fit *fit)
{
    size_t distinct = ws_count_distinct(x, fit->n);
    if (distinct >= least)
        return false;
    fit->status = WS_FIT_TOO_FEW;
    ws_say(fit->sentence, sizeof fit->sentence, "%s: fewer than the %zu that the model needs",
           ws_words_values(distinct, "x").text, least);
    return true;
}

static bool law_refuse(const ws_law_form *form, const ws_law_input *in, ws_fit *fit)
{
    return ws_fit_refuse_logs(in->x, in->in_logs ? in->y : NULL, form->model, fit) ||
           ws_law_refuse_few(in->x, form->least, fit);
}

static void leave_undefined(const ws_law_form *form, ws_fit *fit, double *residual)
{
    for (size_t j = 0; j < form->p; j++)
        ws_fit_add(fit, form->name[j], NAN, NAN);
    for (size_t i = 0; residual && i < fit->n; i++)
        residual[i] = NAN;
}

static size_t find_starts(const ws_law_form *form, const ws_law_input *in, double *start)
{
    if (!in->near)
        return form->starts(in->x, in->y, in->n, start);
    memcpy(start, in->near, form->p * sizeof *start);
    return 1;
}

ws_status ws_law_fit(const ws_law_form *form, const ws_law_input *in, ws_fit *fit, double *residual,
                     ws_nls_detail *detail, ws_error *error)
{
    ws_fit_begin(fit, form->model, in->in_logs ? "centred, in logs" : "centred", in->n);
    ws_status status = ws_fit_check(in->x, in->y, in->n, in->level, error);
    if (status != WS_OK)
        return status;
    if (law_refuse(form, in, fit)) {
        leave_undefined(form, fit, residual);
        return WS_OK;
    }
    double start[WS_LAW_STARTS * WS_FIT_MAX_ESTIMATES];
    double *y = ws_realloc(NULL, 2 * in->n, sizeof *y), *ln_x = y + in->n, middle = 0;
    for (size_t i = 0; i < in->n; i++) {
        y[i] = in->in_logs ? log(in->y[i]) : in->y[i];
        ln_x[i] = form->value_at_log ? log(in->x[i]) : 0;
        middle += ln_x[i] / (double)in->n;
    }
    const curve_state state = {form, in->x, form->value_at_log ? ln_x : NULL, middle};
    const ws_nls_input search = {.curve = in->in_logs ? log_curve : plain_curve,
                                 .even_curve = !form->even_value ? NULL
                                               : in->in_logs     ? log_even
                                                                 : plain_even,
                                 .even_parameters = law_even_parameters,
                                 .from_even = law_from_even,
                                 .state = &state,
                                 .name = form->name,
                                 .p = form->p,
                                 .y = y,
                                 .weight = in->weight,
                                 .n = in->n,
                                 .level = in->level,
                                 .start = start,
                                 .without_loocv = in->without_loocv,
                                 .replication = in->weight ? NULL : in->replication,
                                 .n_starts = find_starts(form, in, start)};
    status = ws_nls_fit(&search, form->model, fit, residual, detail, error);
    fit->n_x = ws_count_distinct(in->x, in->n);
    if (in->in_logs)
        fit->r2_kind = in->weight ? "centred, weighted, in logs" : "centred, in logs";
    free(y);
    return status;
}

ws_estimate *ws_law_add(ws_fit *fit, const char *name, double value, const double *gradient, size_t p,
                        const ws_nls_detail *detail, double level)
{
    ws_variance variance = ws_nls_variance(detail, gradient, p, fit->df);
    double se = sqrt(variance.value);
    ws_estimate *e = ws_fit_add(fit, name, isfinite(value) ? value : NAN, NAN);
    if (!isnan(detail->covariance[0][0]) && isfinite(se) && isfinite(value))
        e->se = se;
    ws_estimate_take_df(e, variance.df, fit->df, level);
    return e;
}

/* The square of an error may be beyond all numbers where the error is not. */
static void say_missing(ws_fit *fit, size_t count)
{
    bool any = false;
    for (size_t j = 0; j < count && fit->status == WS_FIT_OK; j++) {
        if (!isnan(fit->estimate[j].se))
            continue;
        ws_say(fit->sentence, sizeof fit->sentence, "%s%s", any ? " and " : "; no interval of ", fit->estimate[j].name);
        any = true;
    }
    if (any)
        ws_say(fit->sentence, sizeof fit->sentence, ": beyond the range of a number");
}

void ws_law_say(ws_fit *fit, size_t count, const char *scale)
{
    char *text = fit->sentence;
    size_t size = sizeof fit->sentence;
    for (size_t j = 0; j < count; j++)
        ws_say(text, size, "%s%s %s", j ? ", " : "", fit->estimate[j].name, ws_ls_words(fit, &fit->estimate[j]).text);
    if (fit->status == WS_FIT_CONSTANT)
        ws_say(text, size, "; y does not vary: R2 and likelihood are undefined");
    ws_ls_say_quality(fit, "x", scale);
    say_missing(fit, count);
}

/* y on 1 and one column: a start needs no more digits than these. */
static bool start_line(const double *x, const double *y, size_t n, double *b)
{
    double mean_x = 0, mean_y = 0, xx = 0, xy = 0, all = 0;
    for (size_t i = 0; i < n; i++) {
        mean_x += x[i] / (double)n;
        mean_y += (y[i] - y[0]) / (double)n; /* none of it is rounding where y does not vary */
    }
    for (size_t i = 0; i < n; i++) {
        xx += (x[i] - mean_x) * (x[i] - mean_x);
        xy += (x[i] - mean_x) * (y[i] - y[0] - mean_y);
        all += x[i] * x[i];
    }
    b[1] = xy / xx;
    b[0] = y[0] + mean_y - b[1] * mean_x;
    return n > 1 && xx > 1e-24 * all && isfinite(b[0]) && isfinite(b[1]);
}

bool ws_law_start(const double *const *column, size_t p, const double *y, size_t n, double *b)
{
    if (p == 2 && !column[0])
        return start_line(column[1], y, n, b);
    ws_qr qr;
    ws_qr_init(&qr, n, p);
    for (size_t j = 0; j <= p; j++)
        for (size_t i = 0; i < n; i++)
            ws_qr_column(&qr, j)[i] = j == p ? y[i] : column[j] ? column[j][i] : 1;
    ws_qr_solve(&qr);
    bool found = n >= p && qr.rank == p;
    for (size_t j = 0; j < p; j++) {
        b[j] = (double)qr.b[j];
        found = found && isfinite(b[j]);
    }
    ws_qr_free(&qr);
    return found;
}

bool ws_law_start_power(const double *x, const double *y, size_t n, double floor, double *b)
{
    double *ln_x = ws_realloc(NULL, 2 * n, sizeof *ln_x), *ln_y = ln_x + n;
    bool defined = true;
    for (size_t i = 0; i < n; i++) {
        ln_x[i] = log(x[i]);
        ln_y[i] = log(y[i] - floor);
        defined = defined && y[i] > floor;
    }
    const double *const column[] = {NULL, ln_x};
    defined = defined && ws_law_start(column, 2, ln_y, n, b);
    if (defined)
        b[0] = exp(b[0]);
    free(ln_x);
    return defined;
}
