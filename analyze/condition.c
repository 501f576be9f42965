#include "analyze/condition.h"

#include "core/text.h"

#include <fnmatch.h>
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
        return c->column.n && c->value.n && !strchr("<>=!", *c->value.p); /* "gpus=<4" is a slip */
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

/* "gbs*" and "?bs256" as a shell has them; '[' stands for itself. */
static bool fits_pattern(const char *cell, ws_span pattern)
{
    char text[256];
    size_t n = 0;
    for (size_t i = 0; i < pattern.n && n + 2 < sizeof text; i++) {
        if (pattern.p[i] == '[' || pattern.p[i] == '\\')
            text[n++] = '\\';
        text[n++] = pattern.p[i];
    }
    text[n] = '\0';
    return n + 2 < sizeof text && fnmatch(text, cell, 0) == 0;
}

static bool is_value(const char *cell, ws_span value)
{
    double want, have;
    if (ws_span_double(value, &want) && ws_span_double(ws_span_of(cell), &have))
        return have == want;
    return ws_span_eq(value, cell) || fits_pattern(cell, value);
}

/* One of the values of "a|b"; a cell that is written like all of it is one, too. */
static bool is_one_of_values(const char *cell, ws_span values)
{
    ws_span value;
    if (is_value(cell, values))
        return true;
    while (ws_span_split(&values, '|', &value))
        if (is_value(cell, ws_span_trim(value)))
            return true;
    return false;
}

static bool holds_at(const ws_table *table, size_t column, size_t row, const condition *c)
{
    char buffer[WS_DOUBLE_TEXT];
    double want, have;
    if (ws_table_is_missing(table, column, row))
        return false;
    const char *cell = ws_table_cell_text(table, column, row, buffer);
    if (c->op == EQUAL || c->op == UNEQUAL)
        return is_one_of_values(cell, c->value) == (c->op == EQUAL);
    return ws_span_double(c->value, &want) && ws_span_double(ws_span_of(cell), &have) &&
           holds_number(c->op, have, want);
}

static ws_status no_column(const ws_table *table, const char *text, ws_error *error)
{
    char names[460] = ""; /* as many as a message has room for */
    bool has_room = true;
    for (size_t i = 0; i < table->n_columns && has_room; i++) {
        if (!ws_table_has_values(table, i))
            continue;
        has_room = strlen(names) < sizeof names - 40;
        snprintf(names + strlen(names), sizeof names - strlen(names), "%s%.30s", *names ? " " : "",
                 has_room ? table->columns[i].name : "...");
    }
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
    for (size_t row = 0; holds && row < table->n_rows; row++)
        holds[row] = holds_at(table, column, row, &c);
    return WS_OK;
}

/* Does a comparison stand behind this comma? */
static bool parts_conditions(const char *comma)
{
    condition next;
    return parse(comma + 1, &next) && !memchr(next.column.p, ',', next.column.n);
}

/* Of "a|x,lr=1": is each value with such a comma one that a row has? */
static bool are_values_of_rows(const ws_table *table, size_t column, ws_span values)
{
    char buffer[WS_DOUBLE_TEXT];
    ws_span value;
    bool are = true;
    while (are && ws_span_split(&values, '|', &value)) {
        for (size_t i = 0; i < value.n && are; i++)
            are = value.p[i] != ',' || !parts_conditions(value.p + i);
        value = ws_span_trim(value);
        for (size_t row = 0; row < table->n_rows && !are; row++)
            are = is_value(ws_table_cell_text(table, column, row, buffer), value);
    }
    return are;
}

static bool is_cell(const ws_table *table, size_t column, ws_span value)
{
    char buffer[WS_DOUBLE_TEXT];
    for (size_t row = 0; row < table->n_rows; row++)
        if (ws_span_eq(value, ws_table_cell_text(table, column, row, buffer)))
            return true;
    return false;
}

size_t ws_condition_length(const ws_table *table, const char *conditions)
{
    condition c;
    char name[128];
    size_t column, n = strlen(conditions);
    if (!parse(conditions, &c))
        return n;
    snprintf(name, sizeof name, "%.*s", WS_SPAN_ARG(c.column));
    bool has_column = ws_table_find(table, name, &column);
    size_t first = n;
    for (size_t end = n; end > (size_t)(c.value.p - conditions); end--) {
        if (end < n && !(conditions[end] == ',' && parts_conditions(conditions + end)))
            continue;
        ws_span values = ws_span_trim((ws_span){c.value.p, (size_t)(conditions + end - c.value.p)});
        if (has_column && (is_cell(table, column, values) || are_values_of_rows(table, column, values)))
            return end;
        first = end;
    }
    return first;
}

/* Of "series=a|b": each value that no row has, which may be a slip. */
static void note_idle_values(ws_table *table, const char *text, const char *reason)
{
    condition c;
    char name[128];
    size_t column;
    ws_span value, rest;
    if (!parse(text, &c) || (c.op != EQUAL && c.op != UNEQUAL))
        return;
    snprintf(name, sizeof name, "%.*s", WS_SPAN_ARG(c.column));
    rest = c.value;
    bool is_list = memchr(rest.p, '|', rest.n) != NULL && ws_table_find(table, name, &column);
    while (is_list && ws_span_split(&rest, '|', &value)) {
        char buffer[WS_DOUBLE_TEXT];
        bool is_there = false;
        value = ws_span_trim(value);
        for (size_t row = 0; !is_there && row < table->n_rows; row++) {
            const char *cell = ws_table_cell_text(table, column, row, buffer);
            is_there = is_value(cell, c.value) || is_value(cell, value);
        }
        char subject[200];
        snprintf(subject, sizeof subject, "%.100s: %.*s", name, WS_SPAN_ARG(value));
        if (!is_there)
            ws_notes_add(&table->notes, WS_FINDING_EXCLUSION_WITHOUT_EFFECT, table->source, subject, 0,
                         "no row has this value of '%.80s' (%s)", text, reason ? reason : "");
    }
}

ws_status ws_condition_exclude(ws_table *table, const char *text, const char *reason, ws_error *error)
{
    bool *flags = ws_alloc(table->n_rows * sizeof *flags + 1);
    ws_status status = ws_condition_test(table, text, flags, error);
    if (status == WS_OK) {
        size_t before = table->n_rows;
        note_idle_values(table, text, reason);
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

ws_status ws_condition_keep(ws_table *table, const char *text, const char *reason, ws_error *error)
{
    bool *holds = ws_alloc(table->n_rows * sizeof *holds + 1);
    ws_status status = ws_condition_test(table, text, holds, error);
    if (status == WS_OK) {
        size_t before = table->n_rows;
        char chosen[200];
        snprintf(chosen, sizeof chosen, "%.180s", text);
        note_idle_values(table, text, reason);
        ws_table_filter(table, holds);
        if (before > table->n_rows)
            ws_notes_add_choice(&table->notes, table->source, chosen, table->n_rows, before, reason);
    }
    free(holds);
    return status;
}

/* Each value of a column once, as far as there is room for them: " 2 4 256". */
static void list_values(const ws_table *table, const char *name, char *values, size_t size)
{
    size_t column, at = 0;
    *values = '\0';
    for (size_t row = 0; ws_table_find(table, name, &column) && row < table->n_rows; row++) {
        char here[WS_DOUBLE_TEXT], before[WS_DOUBLE_TEXT];
        const char *cell = ws_table_cell_text(table, column, row, here);
        bool is_new = *cell != '\0';
        for (size_t k = 0; is_new && k < row; k++)
            is_new = strcmp(ws_table_cell_text(table, column, k, before), cell) != 0;
        if (is_new && at + strlen(cell) + 2 < size)
            at += (size_t)snprintf(values + at, size - at, " %.60s", cell);
    }
}

ws_status ws_condition_must_fit(const ws_table *table, const char *text, ws_error *error)
{
    bool *holds = ws_alloc(table->n_rows * sizeof *holds + 1), any = table->n_rows == 0;
    ws_status status = ws_condition_test(table, text, holds, error);
    for (size_t row = 0; status == WS_OK && row < table->n_rows; row++)
        any |= holds[row];
    free(holds);
    if (status != WS_OK || any)
        return status;
    char name[128], values[300];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(text, "<>=! "), text);
    list_values(table, name, values, sizeof values);
    if (!*values)
        return ws_fail(error, WS_USAGE, "no row fulfils '%.80s': no row has a value of '%s'", text, name);
    return ws_fail(error, WS_USAGE, "no row fulfils '%.80s'; '%s' is one of:%s", text, name, values);
}
