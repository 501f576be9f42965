/* What `correlate` prints after its regression: effects, turnovers, the permutation test. */
#include "analyze/commands/correlate.h"

#include "fit/linear/effects.h"
#include "fit/tests/permutation.h"

#include <math.h>

static void add_number(ws_correlator *c, const ws_row_group *group, const char *x, size_t n, const char *parameter,
                       double value)
{
    size_t row = ws_correlate_row(c, group, "regression", x, n, ws_fit_status_name(WS_FIT_OK));
    ws_table_set_text(c->out, WS_CORRELATE_PARAMETER, row, parameter);
    ws_table_set_number(c->out, WS_CORRELATE_VALUE, row, isfinite(value) ? value : NAN);
}

static ws_status add_turnover(ws_correlator *c, const ws_row_group *group, const ws_correlate_values *v, size_t i,
                              size_t j, ws_error *error)
{
    ws_turnover t;
    ws_status status =
        ws_regression_turnover((const double *const *)v->x, c->x_names, c->n_x, v->y, v->n, i, j, c->level, &t, error);
    if (status != WS_OK)
        return status;
    const char *of = ws_arena_printf(&c->cli->arena, "%s per %s", c->x_names[j], c->x_names[i]);
    size_t row = ws_correlate_row(c, group, "regression", of, v->n, ws_fit_status_name(t.status));
    ws_table_set_text(c->out, WS_CORRELATE_PARAMETER, row, "turnover");
    const double values[] = {t.value, t.se, t.ci_lo, t.ci_hi};
    for (size_t k = 0; k < 4; k++)
        ws_table_set_number(c->out, WS_CORRELATE_VALUE + k, row, values[k]);
    char sentence[900];
    ws_data_words(t.sentence, "x", c->y_name, sentence, sizeof sentence);
    ws_correlate_note(c, group, ws_arena_printf(&c->cli->arena, "turnover of %s", of), sentence);
    return WS_OK;
}

ws_status ws_correlate_effects(ws_correlator *c, const ws_row_group *group, const ws_correlate_values *v,
                               ws_error *error)
{
    ws_effects effects;
    ws_status status =
        ws_regression_effects((const double *const *)v->x, c->x_names, c->n_x, v->y, v->n, &effects, error);
    if (status != WS_OK || effects.status != WS_FIT_OK)
        return status;
    for (size_t j = 0; j < effects.n_effects; j++) {
        const ws_effect *e = &effects.effect[j];
        if (c->n_x > 1)
            add_number(c, group, c->x_names[j], v->n, "variance-inflation", e->inflation);
        add_number(c, group, c->x_names[j], v->n, "standardised-slope", e->standardised);
        if (c->n_x > 1)
            add_number(c, group, c->x_names[j], v->n, "partial-r", e->partial);
    }
    add_number(c, group, NULL, v->n, "condition-number", effects.condition);
    for (size_t i = 0; i < c->n_x && status == WS_OK; i++)
        for (size_t j = i + 1; j < c->n_x && status == WS_OK; j++)
            status = add_turnover(c, group, v, i, j, error);
    return status;
}

ws_status ws_correlate_permutations(ws_correlator *c, const ws_row_group *group, const ws_correlate_values *v,
                                    ws_error *error)
{
    for (size_t j = 0; j < c->n_x; j++) {
        ws_test test;
        ws_status status = ws_permutation_test(v->x[j], v->y, v->n, c->draws, c->seed, &test, error);
        if (status != WS_OK)
            return status;
        size_t row = ws_correlate_row(c, group, "permutation", c->x_names[j], v->n, ws_fit_status_name(test.status));
        ws_table_set_text(c->out, WS_CORRELATE_PARAMETER, row, "r");
        ws_table_set_number(c->out, WS_CORRELATE_VALUE, row, test.statistic);
        ws_table_set_number(c->out, WS_CORRELATE_P_VALUE, row, test.p_value);
        ws_correlate_note(c, group,
                          ws_arena_printf(&c->cli->arena, "permutation of %s and %s", c->y_name, c->x_names[j]),
                          test.sentence);
    }
    return WS_OK;
}
