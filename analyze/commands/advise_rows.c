/* The table of `advise`: its columns, a row, and a sentence beside one. */
#include "analyze/commands/advise.h"

#include <math.h>
#include <stdarg.h>

enum {
    GROUP,
    BASIS,
    QUESTION,
    CHOICE,
    CHOICE_LO,
    CHOICE_HI,
    TIME,
    ENERGY,
    ERROR,
    EDP,
    N_RUNS,
    ON_FRONT,
    FLAG,
    STATUS,
    CHOICE_SE,
    LIMITED_BY,
    FRONT_PROBABILITY,
    FRONT_ERROR,
    ED2P
};

void ws_advice_table(ws_table *t, const char *choice)
{
    static const struct {
        const char *name; /* NULL: that of the choice */
        ws_column_kind kind;
    } columns[] = {[GROUP] = {"group", WS_TEXT},
                   [BASIS] = {"basis", WS_TEXT},
                   [QUESTION] = {"question", WS_TEXT},
                   [CHOICE] = {NULL, WS_NUMBER},
                   [CHOICE_LO] = {"choice_lo", WS_NUMBER},
                   [CHOICE_HI] = {"choice_hi", WS_NUMBER},
                   [TIME] = {"time_h", WS_NUMBER},
                   [ENERGY] = {"energy_kwh", WS_NUMBER},
                   [ERROR] = {"error", WS_NUMBER},
                   [EDP] = {"edp_kwh_h", WS_NUMBER},
                   [N_RUNS] = {"n_runs", WS_INTEGER},
                   [ON_FRONT] = {"on_front", WS_TEXT},
                   [FLAG] = {"flag", WS_TEXT},
                   [STATUS] = {"status", WS_TEXT},
                   [CHOICE_SE] = {"choice_se", WS_NUMBER},
                   [LIMITED_BY] = {"limited_by", WS_TEXT},
                   [FRONT_PROBABILITY] = {"front_probability", WS_NUMBER},
                   [FRONT_ERROR] = {"front_probability_error", WS_NUMBER},
                   [ED2P] = {"ed2p_kwh_h2", WS_NUMBER}};
    ws_table_init(t, "advise");
    t->has_few_digits = true;
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        ws_table_add_column(t, columns[i].name ? columns[i].name : choice, columns[i].kind);
    for (size_t detail = STATUS + 1; detail < t->n_columns; detail++)
        ws_table_set_detail(t, detail);
    ws_table_set_detail(t, EDP);
    ws_table_set_detail(t, N_RUNS);
    ws_table_set_place(t, GROUP, WS_HEADING);
    t->screen_keys = 2; /* question and choice */
    ws_table_set_place(t, BASIS, WS_HEADING);
    ws_table_set_place(t, FLAG, WS_REMARK);
    ws_table_set_place(t, STATUS, WS_REMARK);
}

void ws_advice_add(ws_advice *a, const char *group, const ws_advice_row *row)
{
    size_t r = ws_table_add_row(&a->out);
    const double numbers[] = {row->choice,
                              row->choice_lo,
                              row->choice_hi,
                              row->time_h,
                              row->energy_kwh,
                              row->error,
                              row->time_h * row->energy_kwh};
    const struct {
        size_t column;
        const char *text;
    } texts[] = {{GROUP, group},    {BASIS, row->basis},           {QUESTION, row->question}, {ON_FRONT, row->on_front},
                 {FLAG, row->flag}, {LIMITED_BY, row->limited_by}, {STATUS, row->status}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        ws_table_set_number(&a->out, CHOICE + i, r, numbers[i]);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (texts[i].text)
            ws_table_set_text(&a->out, texts[i].column, r, texts[i].text);
    ws_table_set_number(&a->out, ED2P, r, row->time_h * row->time_h * row->energy_kwh);
    ws_table_set_number(&a->out, CHOICE_SE, r, row->choice_se);
    ws_table_set_number(&a->out, FRONT_PROBABILITY, r, row->front_probability);
    ws_table_set_number(&a->out, FRONT_ERROR, r, row->front_error);
    if (row->n_runs)
        ws_table_set_integer(&a->out, N_RUNS, r, (int64_t)row->n_runs);
}

ws_advice_row ws_advice_measured(const ws_choice_point *p)
{
    return (ws_advice_row){.basis = "measured",
                           .status = "ok",
                           .choice = p->choice,
                           .choice_se = NAN,
                           .choice_lo = NAN,
                           .choice_hi = NAN,
                           .time_h = p->time_h,
                           .energy_kwh = p->energy_kwh,
                           .error = p->error,
                           .front_probability = NAN,
                           .front_error = NAN,
                           .n_runs = p->n_runs};
}

void ws_advice_add_measured(ws_advice *a, const char *group, const char *question, const ws_choice_point *p,
                            const char *on_front)
{
    ws_advice_row row = ws_advice_measured(p);
    row.question = question;
    row.on_front = on_front;
    row.front_probability = on_front ? p->front_probability : NAN;
    row.front_error = on_front ? p->front_error : NAN;
    ws_advice_add(a, group, &row);
}

void ws_advice_add_none(ws_advice *a, const char *group, const char *basis, const char *question)
{
    const ws_advice_row row = {.basis = basis,
                               .question = question,
                               .status = "none",
                               .choice = NAN,
                               .choice_se = NAN,
                               .choice_lo = NAN,
                               .choice_hi = NAN,
                               .time_h = NAN,
                               .energy_kwh = NAN,
                               .error = NAN,
                               .front_probability = NAN,
                               .front_error = NAN};
    ws_advice_add(a, group, &row);
}

void ws_advice_say(ws_advice *a, const char *group, const char *what, const char *format, ...)
{
    char text[500];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    ws_notes_add(&a->out.notes, WS_FINDING_ADVICE, "", ws_arena_printf(&a->cli->arena, "%s %s", group, what), 0, "%s",
                 text);
}
