/* `fit choose`: several laws on the same points, and which of them to believe. */
#include "analyze/commands/fit_parts.h"

#include "fit/choice/choice.h"
#include "fit/laws/laws.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* On one scale: of y itself a power law is powerlaw-direct, and lognormal and breakpoint, which are laws of ln y, are
 * compared where they are named. */
static const char DEFAULT_LAWS[] = "powerlaw,floor,amdahl,lognormal,breakpoint,line,origin";
static const char DEFAULT_LAWS_DIRECT[] = "powerlaw-direct,floor,amdahl,line,origin";

/* What a choice needs of a law: the fit alone, without the profiles and drawn tests that the model shows by itself. */
typedef ws_status law_function(const ws_law_input *in, ws_fit *fit, ws_error *error);

#define BY_LAW(name)                                                                     \
    static ws_status choose_##name(const ws_law_input *in, ws_fit *fit, ws_error *error) \
    {                                                                                    \
        return ws_fit_##name(in, fit, NULL, error);                                      \
    }
BY_LAW(powerlaw_direct)
BY_LAW(floor)
BY_LAW(amdahl)
BY_LAW(gustafson)

static ws_status choose_usl(const ws_law_input *in, ws_fit *fit, ws_error *error)
{
    return ws_fit_usl_bounded(in, fit, NULL, error);
}
BY_LAW(lognormal)

static ws_status choose_line(const ws_law_input *in, ws_fit *fit, ws_error *error)
{
    return in->in_logs ? ws_fit_straight(in, false, fit, error)
                       : ws_fit_line(in->x, in->y, in->n, in->level, fit, NULL, error);
}

static ws_status choose_origin(const ws_law_input *in, ws_fit *fit, ws_error *error)
{
    return in->in_logs ? ws_fit_straight(in, true, fit, error)
                       : ws_fit_origin(in->x, in->y, in->n, in->level, fit, NULL, error);
}

static ws_status choose_powerlaw(const ws_law_input *in, ws_fit *fit, ws_error *error)
{
    return ws_fit_powerlaw(in->x, in->y, in->n, in->level, fit, NULL, error);
}

static ws_status choose_breakpoint(const ws_law_input *in, ws_fit *fit, ws_error *error)
{
    return ws_fit_breakpoint(in, fit, NULL, NULL, error);
}

static const struct law {
    const char *name;
    law_function *fit;
    const char *within, *within_direct; /* the law that it holds as a special case, in logs and of y itself */
} laws[] = {
    {"line", choose_line, "origin", "origin"},
    {"origin", choose_origin, NULL, NULL},
    {"powerlaw", choose_powerlaw, NULL, NULL},
    {"powerlaw-direct", choose_powerlaw_direct, NULL, NULL},
    {"floor", choose_floor, "powerlaw", "powerlaw-direct"},
    {"amdahl", choose_amdahl, NULL, NULL},
    {"gustafson", choose_gustafson, NULL, NULL},
    {"usl", choose_usl, NULL, NULL},
    {"lognormal", choose_lognormal, "powerlaw", "powerlaw"},
    {"breakpoint", choose_breakpoint, NULL, NULL}, /* F of a break is too lenient: 'fit breakpoint' has its own test */
};

static const struct law *law_of(const char *name)
{
    for (size_t i = 0; i < sizeof laws / sizeof *laws; i++)
        if (strcmp(laws[i].name, name) == 0)
            return &laws[i];
    return NULL;
}

enum { GROUP, LAW, N, AICC, DELTA, WEIGHT, EVIDENCE, BIC, LOOCV, R2, AGAINST, F_VALUE, P_VALUE, BEST, STATUS, REASON };

static void fit_choose_init(ws_table *t)
{
    static const ws_fit_column columns[] = {[GROUP] = {"group", WS_TEXT},
                                            [LAW] = {"law", WS_TEXT},
                                            [N] = {"n", WS_INTEGER},
                                            [AICC] = {"aicc", WS_NUMBER},
                                            [DELTA] = {"delta", WS_NUMBER},
                                            [WEIGHT] = {"weight", WS_NUMBER},
                                            [EVIDENCE] = {"evidence", WS_NUMBER},
                                            [BIC] = {"bic", WS_NUMBER},
                                            [LOOCV] = {"loocv_rmse", WS_NUMBER},
                                            [R2] = {"r2", WS_NUMBER},
                                            [AGAINST] = {"against", WS_TEXT},
                                            [F_VALUE] = {"f_value", WS_NUMBER},
                                            [P_VALUE] = {"p_value", WS_NUMBER},
                                            [BEST] = {"best_by", WS_TEXT},
                                            [STATUS] = {"status", WS_TEXT},
                                            [REASON] = {"reason", WS_TEXT},
                                            {NULL, WS_TEXT}};
    static const size_t details[] = {EVIDENCE, BIC, R2, AGAINST, F_VALUE, P_VALUE};
    ws_fit_columns(t, "choose", columns);
    for (size_t i = 0; i < sizeof details / sizeof *details; i++)
        ws_table_set_detail(t, details[i]);
    ws_table_set_place(t, GROUP, WS_HEADING);
    ws_table_set_place(t, N, WS_HEADING);
    ws_table_set_place(t, REASON, WS_REMARK);
    ws_table_set_detail(t, STATUS); /* its reason stands below */
}

static void add_nested(ws_table *t, size_t row, const char *within, const ws_fit *fits, size_t n_fits, size_t which)
{
    for (size_t i = 0; within && i < n_fits; i++) {
        if (strcmp(fits[i].model, within) != 0)
            continue;
        ws_test test;
        ws_nested_f(&fits[i], &fits[which], &test);
        ws_table_set_text(t, AGAINST, row, within);
        ws_table_set_number(t, F_VALUE, row, test.statistic);
        ws_table_set_number(t, P_VALUE, row, test.p_value);
    }
}

static void add_candidate(ws_fitter *f, const ws_row_group *group, const ws_choice *choice, const ws_fit *fits,
                          size_t i)
{
    const ws_candidate *c = &choice->candidate[i];
    ws_table *t = f->out;
    size_t row = ws_table_add_row(t);
    char best[40];
    bool has_rivals = choice->n_compared > 1; /* a law that stands alone is the best of nothing */
    snprintf(best, sizeof best, "%s%s%s", has_rivals && choice->best == i ? "AICc " : "",
             has_rivals && choice->best_by_bic == i ? "BIC " : "", choice->best_by_loocv == i ? "LOOCV " : "");
    ws_table_set_text(t, GROUP, row, group->label);
    ws_table_set_text(t, LAW, row, f->settings.laws[i]);
    ws_table_set_integer(t, N, row, (int64_t)c->fit->n);
    const double values[] = {c->aicc,
                             c->is_compared && has_rivals ? c->delta : NAN,
                             c->is_compared && has_rivals ? c->weight : NAN,
                             c->is_compared && has_rivals ? c->evidence : NAN,
                             c->bic,
                             c->loocv_rmse,
                             c->fit->r2};
    for (size_t v = 0; v < sizeof values / sizeof *values; v++)
        ws_table_set_number(t, AICC + v, row, values[v]);
    const struct law *law = law_of(f->settings.laws[i]);
    add_nested(t, row, f->settings.in_logs ? law->within : law->within_direct, fits, choice->n_candidates, i);
    ws_table_set_span(t, BEST, row, ws_span_trim(ws_span_of(best)));
    ws_table_set_text(t, STATUS, row, ws_fit_status_name(c->fit->status));
    if (!c->reason[0])
        return;
    char reason[2 * sizeof c->reason];
    ws_data_words(c->reason, f->x_name, f->y_name, reason, sizeof reason);
    ws_table_set_text(t, REASON, row, reason);
}

static ws_status fit_choose_add(ws_fitter *f, const ws_row_group *group, const ws_fit_points *p, ws_error *error)
{
    ws_fit fits[WS_CHOICE_MAX];
    const ws_fit *pointers[WS_CHOICE_MAX];
    const ws_law_input in = {
        .x = p->x, .y = p->y, .n = p->n, .level = f->settings.level, .in_logs = f->settings.in_logs};
    ws_choice choice;
    ws_status status = WS_OK;
    for (size_t i = 0; status == WS_OK && i < f->settings.n_laws; i++) {
        status = law_of(f->settings.laws[i])->fit(&in, &fits[i], error);
        pointers[i] = &fits[i];
    }
    if (status == WS_OK)
        status = ws_choose(pointers, f->settings.n_laws, p->y, p->n, &choice, error);
    if (status != WS_OK)
        return status;
    for (size_t i = 0; i < choice.n_candidates; i++)
        add_candidate(f, group, &choice, fits, i);
    ws_fit_note(f, group->label, choice.sentence);
    return WS_OK;
}

static void add_failure(ws_fitter *f, const ws_row_group *group, const ws_fit_points *p)
{
    size_t row = ws_table_add_row(f->out);
    ws_table_set_text(f->out, GROUP, row, group->label);
    ws_table_set_integer(f->out, N, row, (int64_t)p->n);
    ws_table_set_text(f->out, STATUS, row, "failed");
}

const ws_fit_view ws_fit_view_choose = {.init = fit_choose_init, .add = fit_choose_add, .add_failure = add_failure};

bool ws_fit_laws_read(ws_cli *cli, ws_fit_settings *settings)
{
    const char *text = ws_cli_value(cli, "laws");
    const char *usual = settings->in_logs ? DEFAULT_LAWS : DEFAULT_LAWS_DIRECT;
    bool has_power = false, has_direct = false;
    settings->n_laws = ws_data_list(cli, text ? text : usual, &settings->laws);
    if (!settings->n_laws || settings->n_laws > WS_CHOICE_MAX)
        return ws_cli_usage(cli, "--laws takes 1 to %d of them", WS_CHOICE_MAX), false;
    for (size_t i = 0; i < settings->n_laws; i++) {
        has_power |= strcmp(settings->laws[i], "powerlaw") == 0;
        has_direct |= strcmp(settings->laws[i], "powerlaw-direct") == 0;
        for (size_t j = 0; j < i; j++)
            if (strcmp(settings->laws[i], settings->laws[j]) == 0)
                return ws_cli_usage(cli, "--laws names '%s' twice: their weights would be shared", settings->laws[i]),
                       false;
        if (law_of(settings->laws[i]))
            continue;
        const char *list = laws[0].name;
        for (size_t j = 1; j < sizeof laws / sizeof *laws; j++)
            list = ws_arena_printf(&cli->arena, "%s, %s", list, laws[j].name);
        return ws_cli_usage(cli, "there is no law '%s' to choose from: there are %s", settings->laws[i], list), false;
    }
    if (settings->in_logs && has_power && has_direct)
        return ws_cli_usage(cli, "powerlaw and powerlaw-direct are one law in logs, and would share their weight: name "
                                 "one of them, or add --no-logs"),
               false;
    return true;
}
