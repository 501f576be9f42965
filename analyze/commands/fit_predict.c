/* `--predict gpus=512,1024`: the fit at places that were not measured. */
#include "analyze/commands/fit_parts.h"

#include "fit/laws/predict.h"

#include <math.h>
#include <stdlib.h>

enum { GROUP, MODEL, X, VALUE, CI_LO, CI_HI, LO, HI, MEAN, BEYOND, FLAG, STATUS };

static void fit_predict_init(ws_table *t)
{
    static const ws_fit_column columns[] = {{"group", WS_TEXT},
                                            {"model", WS_TEXT},
                                            {"x", WS_NUMBER},
                                            {"value", WS_NUMBER},
                                            {"ci_lo", WS_NUMBER},
                                            {"ci_hi", WS_NUMBER},
                                            {"prediction_lo", WS_NUMBER},
                                            {"prediction_hi", WS_NUMBER},
                                            {"mean", WS_NUMBER},
                                            {"beyond", WS_NUMBER},
                                            {"flag", WS_TEXT},
                                            {"status", WS_TEXT},
                                            {NULL, WS_TEXT}};
    ws_fit_columns(t, "predict", columns);
    ws_table_set_place(t, GROUP, WS_HEADING);
    ws_table_set_place(t, MODEL, WS_HEADING);
    ws_table_set_detail(t, MEAN);
}

static const char *flag_of(const ws_prediction *p, double limit)
{
    if (isnan(p->beyond))
        return NULL;
    return p->beyond > limit ? "far outside" : p->beyond > 1 ? "outside" : NULL;
}

static void note_far(ws_fitter *f, const ws_row_group *group, const ws_prediction *p)
{
    char x[WS_DOUBLE_TEXT], beyond[WS_DOUBLE_TEXT], limit[WS_DOUBLE_TEXT];
    ws_double_text(x, p->x);
    ws_double_text_digits(beyond, p->beyond, 3);
    ws_double_text(limit, f->settings.beyond);
    ws_notes_add(&f->out->notes, WS_FINDING_EXTRAPOLATION, "", group->label, 0,
                 "%s = %s lies %s times beyond what was measured, more than %s times: the interval holds only if the "
                 "law goes on that far",
                 f->x_name, x, beyond, limit);
}

static void note_undefined(ws_fitter *f, const ws_row_group *group, const ws_prediction *p)
{
    char x[WS_DOUBLE_TEXT];
    ws_double_text(x, p->x);
    ws_notes_add(&f->out->notes, WS_FINDING_NO_PREDICTION, "", group->label, 0,
                 "%s = %s is not above zero, where %s begins", f->x_name, x, f->model->name);
}

static ws_status fit_predict_add(ws_fitter *f, const ws_row_group *group, const ws_fit_points *p, ws_error *error)
{
    ws_fit_result result;
    size_t n = f->settings.n_at;
    ws_prediction *predictions = ws_alloc(n * sizeof *predictions);
    ws_status status = ws_fit_model_run(f->model, &f->settings, p, &result, error);
    if (status == WS_OK)
        status = ws_predict(&result.fit, p->x, p->n, f->settings.level, f->settings.at, n, predictions, error);
    if (status == WS_OK)
        ws_fit_note(f, group->label, result.fit.sentence);
    for (size_t i = 0; i < n && status == WS_OK; i++) {
        const ws_prediction *at = &predictions[i];
        const double values[] = {at->x, at->value, at->ci_lo, at->ci_hi, at->lo, at->hi, at->mean, at->beyond};
        const char *flag = flag_of(at, f->settings.beyond);
        size_t row = ws_table_add_row(f->out);
        ws_table_set_text(f->out, GROUP, row, group->label);
        ws_table_set_text(f->out, MODEL, row, result.fit.model);
        for (size_t v = 0; v < sizeof values / sizeof *values; v++)
            ws_table_set_number(f->out, X + v, row, values[v]);
        if (flag)
            ws_table_set_text(f->out, FLAG, row, flag);
        ws_table_set_text(f->out, STATUS, row, ws_fit_status_name(at->status));
        if (at->status == WS_FIT_NOT_POSITIVE && result.fit.status != WS_FIT_NOT_POSITIVE)
            note_undefined(f, group, at);
        if (at->beyond > f->settings.beyond)
            note_far(f, group, at);
    }
    free(predictions);
    return status;
}

static bool knows(const ws_fit_model *model)
{
    return ws_can_predict(model->name);
}

const ws_fit_view ws_fit_view_predict = {.option = "predict",
                                         .only = "line, origin, powerlaw, powerlaw-direct, floor, amdahl, gustafson, "
                                                 "usl, lognormal, breakpoint, theil-sen and huber",
                                         .knows = knows,
                                         .init = fit_predict_init,
                                         .add = fit_predict_add};
