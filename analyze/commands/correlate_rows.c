/* The table of `correlate`: its columns, what is in every row, and a note beside one. */
#include "analyze/commands/correlate.h"

void ws_correlate_table(ws_table *t)
{
    static const struct {
        const char *name;
        ws_column_kind kind;
    } columns[] = {{"group", WS_TEXT},     {"method", WS_TEXT},   {"y", WS_TEXT},         {"x", WS_TEXT},
                   {"parameter", WS_TEXT}, {"n", WS_INTEGER},     {"value", WS_NUMBER},   {"stderr", WS_NUMBER},
                   {"ci_lo", WS_NUMBER},   {"ci_hi", WS_NUMBER},  {"p_value", WS_NUMBER}, {"r2", WS_NUMBER},
                   {"status", WS_TEXT},    {"n_runs", WS_INTEGER}};
    ws_table_init(t, "correlate");
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        ws_table_add_column(t, columns[i].name, columns[i].kind);
    static const size_t headings[] = {WS_CORRELATE_GROUP, WS_CORRELATE_Y, WS_CORRELATE_N, WS_CORRELATE_N_RUNS};
    for (size_t i = 0; i < sizeof headings / sizeof *headings; i++)
        ws_table_set_place(t, headings[i], WS_HEADING);
    ws_table_set_place(t, WS_CORRELATE_STATUS, WS_REMARK);
}

size_t ws_correlate_row(ws_correlator *c, const ws_row_group *group, const char *method, const char *x, size_t n,
                        const char *status)
{
    ws_table *t = c->out;
    size_t row = ws_table_add_row(t);
    ws_table_set_text(t, WS_CORRELATE_GROUP, row, group->label);
    if (method)
        ws_table_set_text(t, WS_CORRELATE_METHOD, row, method);
    ws_table_set_text(t, WS_CORRELATE_Y, row, c->y_name);
    if (x)
        ws_table_set_text(t, WS_CORRELATE_X, row, x);
    ws_table_set_integer(t, WS_CORRELATE_N, row, (int64_t)n);
    ws_table_set_text(t, WS_CORRELATE_STATUS, row, status);
    return row;
}

void ws_correlate_note(ws_correlator *c, const ws_row_group *group, const char *what, const char *sentence)
{
    char subject[400];
    snprintf(subject, sizeof subject, "%.200s %.150s", group->label, what);
    ws_notes_add(&c->out->notes, WS_FINDING_CORRELATION, "", subject, 0, "%s", sentence);
}
