#include "analyze/condition.h"

#include "core/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum comparison { LESS, LESS_EQUAL, GREATER, GREATER_EQUAL, EQUAL, UNEQUAL } comparison;

/* Longer spellings first. */
static const struct {
    const char *spelling;
    comparison op;
} comparisons[] = {{"<=", LESS_EQUAL}, {">=", GREATER_EQUAL}, {"!=", UNEQUAL}, {"==", EQUAL},
                   {"<", LESS},        {">", GREATER},        {"=", EQUAL}};

typedef struct condition {
    ws_span column, value;
    comparison op;
} condition;

static bool parse(const char *text, condition *c)
{
    size_t at = strcspn(text, "<>=!");
    for (size_t i = 0; i < sizeof comparisons / sizeof *comparisons; i++) {
        size_t n = strlen(comparisons[i].spelling);
        if (strncmp(text + at, comparisons[i].spelling, n) != 0)
            continue;
        c->column = ws_span_trim((ws_span){text, at});
        c->value = ws_span_trim(ws_span_of(text + at + n));
        c->op = comparisons[i].op;
        return c->column.n && c->value.n;
    }
    return false;
}

static bool holds_number(comparison op, double a, double b)
{
    switch (op) {
    case LESS:
        return a < b;
    case LESS_EQUAL:
        return a <= b;
    case GREATER:
        return a > b;
    case GREATER_EQUAL:
        return a >= b;
    case EQUAL:
        return a == b;
    case UNEQUAL:
        return a != b;
    }
    return false;
}

static bool holds_at(const ws_table *table, size_t column, size_t row, const condition *c)
{
    char buffer[WS_DOUBLE_TEXT];
    double want, have;
    if (ws_table_is_missing(table, column, row))
        return false;
    ws_span cell = ws_span_of(ws_table_cell_text(table, column, row, buffer));
    if (ws_span_double(c->value, &want) && ws_span_double(cell, &have))
        return holds_number(c->op, have, want);
    bool same = cell.n == c->value.n && memcmp(cell.p, c->value.p, cell.n) == 0;
    return c->op == EQUAL ? same : c->op == UNEQUAL && !same;
}

static bool has_values(const ws_table *table, size_t column)
{
    for (size_t row = 0; row < table->n_rows; row++)
        if (!ws_table_is_missing(table, column, row))
            return true;
    return false;
}

static ws_status no_column(const ws_table *table, const char *text, ws_error *error)
{
    char names[400] = "";
    for (size_t i = 0; i < table->n_columns && strlen(names) < sizeof names - 40; i++)
        if (has_values(table, i))
            snprintf(names + strlen(names), sizeof names - strlen(names), "%s%.30s", *names ? " " : "",
                     table->columns[i].name);
    return ws_fail(error, WS_USAGE, "the condition '%.60s' names a column that is not there; there are: %s", text,
                   names);
}

ws_status ws_condition_test(const ws_table *table, const char *text, bool *holds, ws_error *error)
{
    condition c;
    if (!parse(text, &c))
        return ws_fail(error, WS_USAGE, "the condition '%.80s' is no comparison such as 'gpus<4' or 'series=a'", text);
    char name[128];
    snprintf(name, sizeof name, "%.*s", WS_SPAN_ARG(c.column));
    size_t column;
    if (!ws_table_find(table, name, &column))
        return no_column(table, text, error);
    double number;
    bool ordered = c.op != EQUAL && c.op != UNEQUAL;
    if (ordered && (table->columns[column].kind == WS_TEXT || !ws_span_double(c.value, &number)))
        return ws_fail(error, WS_USAGE, "the condition '%.80s' orders texts: only = and != are for texts", text);
    for (size_t row = 0; row < table->n_rows; row++)
        holds[row] = holds_at(table, column, row, &c);
    return WS_OK;
}

ws_status ws_condition_exclude(ws_table *table, const char *text, const char *reason, ws_error *error)
{
    bool *flags = ws_alloc(table->n_rows * sizeof *flags + 1);
    ws_status status = ws_condition_test(table, text, flags, error);
    if (status == WS_OK) {
        size_t before = table->n_rows;
        for (size_t row = 0; row < table->n_rows; row++)
            flags[row] = !flags[row];
        ws_table_filter(table, flags);
        size_t dropped = before - table->n_rows;
        if (dropped)
            ws_notes_add(&table->notes, WS_FINDING_EXCLUDED, table->source, text, 0,
                         "%zu of %zu rows are left out (%s)", dropped, before, reason);
        else
            ws_notes_add(&table->notes, WS_FINDING_EXCLUSION_WITHOUT_EFFECT, table->source, text, 0,
                         "no row fulfils it (%s)", reason);
    }
    free(flags);
    return status;
}
