#include "formats/table/preset_header.h"

#include "formats/table/trace_plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- names --- */

/* '#' in the pattern stands for a number. Blanks before a bracket do not count: "Energy_0 (Joules)". */
bool ws_preset_matches(const char *pattern, ws_span name, int64_t *number)
{
    size_t i = 0;
    *number = -1;
    for (; *pattern; pattern++) {
        while (i < name.n && name.p[i] == ' ' && *pattern == '(')
            i++;
        size_t digits = 0;
        while (*pattern == '#' && i + digits < name.n && name.p[i + digits] >= '0' && name.p[i + digits] <= '9')
            digits++;
        if (*pattern == '#' && (!digits || !ws_span_i64((ws_span){name.p + i, digits}, number)))
            return false;
        if (*pattern != '#' && (i == name.n || name.p[i] != *pattern))
            return false;
        i += *pattern == '#' ? digits : 1;
    }
    return i == name.n;
}

/* A name of the header as it is compared, and the unit in it. */
static ws_span name_of(const ws_preset *preset, ws_span cell, char buffer[WS_PLAIN_NAME], const ws_unit **unit)
{
    *unit = NULL;
    if (!preset->loose_names)
        return cell;
    cell = ws_span_has_prefix(cell, "#") ? (ws_span){cell.p + 1, cell.n - 1} : cell;
    *unit = ws_unit_in_name(cell, &cell);
    return ws_plain_name(buffer, cell);
}

/* One of the names between the bars. */
static bool is_one_of(const char *names, ws_span name)
{
    ws_span rest = ws_span_of(names), one;
    while (ws_span_split(&rest, '|', &one))
        if (ws_span_same(one, name))
            return true;
    return false;
}

static bool has_cell(const ws_preset *preset, const ws_row *row, const char *name)
{
    int64_t number;
    char buffer[WS_PLAIN_NAME];
    const ws_unit *unit;
    for (uint32_t c = 0; c < row->n_cells; c++) {
        ws_span cell = row->cells[c];
        if (preset->loose_names ? is_one_of(name, name_of(preset, cell, buffer, &unit))
                                : cell.n && *cell.p == *name && ws_preset_matches(name, cell, &number))
            return true;
    }
    return false;
}

/* "# gpu", "#Date Time gpu", not "#Warming up the GPU": behind a date and a time at most. */
static bool begins_with_column(const ws_preset *preset, const ws_row *row)
{
    enum { DATE_AND_TIME = 2 };
    bool is_sign_alone = row->cells[0].n == 1;
    int at = ws_preset_place(preset, row, preset->must[0]);
    return at != WS_NOT_THERE && at <= DATE_AND_TIME + is_sign_alone;
}

bool ws_preset_is_header(const ws_preset *preset, const ws_row *row)
{
    uint32_t n_must = 0;
    bool has_all = true;
    if (preset->hash_head && (!ws_span_has_prefix(*row->cells, "#") || !begins_with_column(preset, row)))
        return false;
    while (n_must < WS_PRESET_NAMES && preset->must[n_must])
        n_must++;
    if (!ws_row_may_name(row, preset->enough[0] ? 1 : n_must))
        return false;
    for (size_t m = 0; m < WS_PRESET_NAMES && preset->enough[m]; m++)
        if (has_cell(preset, row, preset->enough[m]))
            return true;
    for (size_t m = 0; m < n_must && has_all; m++)
        has_all = has_cell(preset, row, preset->must[m]);
    return has_all && !(preset->without && has_cell(preset, row, preset->without));
}

static bool may_have(ws_span head, const char *name)
{
    return ws_span_holds(head, (ws_span){name, strcspn(name, "#(")});
}

/* Whether it is worth the while to cut the head into rows. */
bool ws_preset_may_have_header(const ws_preset *preset, ws_span head)
{
    bool has_all = true;
    for (size_t m = 0; m < WS_PRESET_NAMES && preset->enough[m]; m++)
        if (may_have(head, preset->enough[m]))
            return true;
    for (size_t m = 0; m < WS_PRESET_NAMES && preset->must[m] && has_all; m++)
        has_all = may_have(head, preset->must[m]);
    return has_all;
}

/* --- columns --- */

int ws_preset_place(const ws_preset *preset, const ws_row *row, const char *name)
{
    char buffer[WS_PLAIN_NAME];
    const ws_unit *unit;
    for (uint32_t c = 0; name && c < row->n_cells; c++)
        if (is_one_of(name, name_of(preset, row->cells[c], buffer, &unit)))
            return (int)c;
    return WS_NOT_THERE;
}

static int first_place_of(const ws_preset *preset, const ws_row *row, const char *const *names)
{
    int place = WS_NOT_THERE;
    for (size_t i = 0; i < WS_PRESET_NAMES && place == WS_NOT_THERE; i++)
        place = ws_preset_place(preset, row, names[i]);
    return place;
}

ws_preset_column ws_preset_column_of(const ws_preset_value *value, const char *name, size_t at, int64_t number)
{
    ws_preset_column column = {.value = value,
                               .reading = {.domain = value->domain,
                                           .quantity = value->quantity,
                                           .rule = value->rule,
                                           .preference = value->preference,
                                           .unit = ws_unit_find(ws_span_of(value->unit ? value->unit : "")),
                                           .column = name,
                                           .number = number},
                               .at = at};
    if (number >= 0)
        ws_integer_text(column.digits, number);
    return column;
}

/* The counter of that name under the header before goes on. */
static void keep_total(ws_preset_column *column, const ws_preset_column *before, size_t n)
{
    for (size_t c = 0; c < n; c++)
        if (before[c].value == column->value && before[c].reading.number == column->reading.number)
            column->before = before[c].before, column->total = before[c].total;
}

static bool has_value(const ws_preset_header *header, const char *name)
{
    for (size_t c = 0; c < header->n_columns; c++)
        if (strcmp(header->columns[c].value->name, name) == 0)
            return true;
    return false;
}

/* "CPU_ENERGY" beside "CPU_ENERGY-package-0" and its like is in no total. */
static void set_sums_aside(ws_preset_header *header, const ws_preset *preset)
{
    for (const ws_preset_sum *s = preset->sums; s && s->sum; s++) {
        size_t n = header->n_columns;
        bool has_parts = has_value(header, s->parts);
        header->n_columns = 0;
        for (size_t c = 0; c < n; c++) {
            ws_preset_column *column = &header->columns[c];
            bool is_sum = has_parts && strcmp(column->value->name, s->sum) == 0;
            if (is_sum && preset->drops_sums)
                continue;
            if (is_sum) {
                column->reading.domain = WS_OTHER;
                snprintf(column->digits, sizeof column->digits, "%s", s->sum);
            }
            header->columns[header->n_columns++] = *column;
        }
    }
}

/* What the column called `plain` is: one of the description's values, or what the hook makes of the name. */
static const ws_preset_value *value_of(const ws_preset *p, ws_span plain, size_t *from, int64_t *number)
{
    for (; *from < p->n_values; ++*from) {
        const ws_preset_value *value = &p->values[*from];
        *number = -1;
        if (is_one_of(value->name, plain) || ws_preset_matches(value->name, plain, number))
            return ++*from, value;
    }
    return NULL;
}

static ws_preset_column *add_column(ws_preset_header *header, ws_preset_column column)
{
    header->columns =
        ws_grow(header->columns, &header->column_capacity, header->n_columns + 1, sizeof *header->columns);
    header->columns[header->n_columns] = column;
    return &header->columns[header->n_columns++];
}

static ws_span without_hash(const ws_preset *p, ws_span cell)
{
    return p->hash_head && ws_span_has_prefix(cell, "#") ? (ws_span){cell.p + 1, cell.n - 1} : cell;
}

void ws_preset_header_take_groups(ws_preset_header *header, const ws_row *row, ws_arena *arena)
{
    const char *last = "";
    header->groups = ws_arena_alloc(arena, row->n_cells * sizeof *header->groups);
    header->n_groups = row->n_cells;
    for (uint32_t c = 0; c < row->n_cells; c++)
        header->groups[c] = last = row->cells[c].n ? ws_arena_strndup(arena, row->cells[c].p, row->cells[c].n) : last;
}

/* Columns that are called `plain`, a column for each value of that name. */
static void add_values(ws_preset_header *header, const ws_preset_header *before, const ws_preset *p, ws_span plain,
                       const ws_unit *unit, const char *name, uint32_t at)
{
    const ws_preset_value *value;
    int64_t number;
    for (size_t v = 0; (value = value_of(p, plain, &v, &number));) {
        ws_preset_column *column = add_column(header, ws_preset_column_of(value, name, at, number));
        column->reading.unit_is_fixed = p->hash_head && value->unit;
        if (unit && !column->reading.unit_is_fixed && unit->dimension == ws_quantity_dimension(value->quantity))
            column->reading.unit = unit;
        keep_total(column, before->columns, before->n_columns);
    }
}

static void take_values(ws_preset_header *header, const ws_preset *p, const ws_row *row, ws_arena *arena)
{
    ws_preset_header before = *header;
    header->columns = NULL;
    header->n_columns = header->column_capacity = 0;
    for (uint32_t c = 0; c < row->n_cells; c++) {
        char buffer[WS_PLAIN_NAME];
        const ws_unit *unit;
        ws_span cell = without_hash(p, row->cells[c]), plain = name_of(p, cell, buffer, &unit);
        add_values(header, &before, p, plain, unit, ws_arena_strndup(arena, cell.p, cell.n), c);
        if (p->has_groups && c < header->n_groups) {
            const char *name = ws_arena_printf(arena, "%s/%.*s", header->groups[c], WS_SPAN_ARG(cell));
            add_values(header, &before, p, ws_span_of(name), NULL, name, c);
        }
        if (p->about && !p->kind[0] && cell.n) {
            const char *name = ws_arena_strndup(arena, cell.p, cell.n);
            ws_preset_column column = ws_preset_column_of(p->values, name, c, -1);
            if (p->about(arena, name, NULL, &column.reading))
                add_column(header, column);
        }
    }
    set_sums_aside(header, p);
    free(before.columns);
}

static void add_naming(ws_preset_header *header, int place)
{
    size_t at = header->n_naming;
    for (size_t i = 0; i < header->n_naming; i++)
        if (header->naming[i] == place)
            return;
    if (place == WS_NOT_THERE)
        return;
    for (; at && header->naming[at - 1] > place; at--)
        header->naming[at] = header->naming[at - 1];
    header->naming[at] = place;
    header->n_naming++;
}

void ws_preset_header_take(ws_preset_header *header, const ws_preset *preset, const ws_row *row, ws_arena *arena)
{
    char buffer[WS_PLAIN_NAME];
    header->time = first_place_of(preset, row, preset->time);
    header->date = ws_preset_place(preset, row, preset->date);
    header->interval = ws_preset_place(preset, row, preset->interval);
    header->interval_unit = NULL;
    if (header->interval != WS_NOT_THERE)
        name_of(preset, row->cells[header->interval], buffer, &header->interval_unit);
    header->node = ws_preset_place(preset, row, preset->node);
    header->summary = ws_preset_place(preset, row, preset->summary);
    header->n_naming = 0;
    add_naming(header, header->node);
    for (size_t i = 0; i < WS_PRESET_NAMES; i++) {
        add_naming(header, header->run[i] = ws_preset_place(preset, row, preset->run[i]));
        add_naming(header, header->id[i] = ws_preset_place(preset, row, preset->id[i]));
    }
    for (size_t i = 0; i < WS_PRESET_KINDS; i++)
        add_naming(header, header->kind[i] = ws_preset_place(preset, row, preset->kind[i]));
    take_values(header, preset, row, arena);
}

void ws_preset_header_take_units(ws_preset_header *header, const ws_row *row, uint32_t n_names)
{
    for (size_t c = 0; c < header->n_columns && row->n_cells == n_names; c++) {
        ws_preset_reading *reading = &header->columns[c].reading;
        const ws_unit *unit = ws_unit_find(row->cells[header->columns[c].at]);
        if (unit && !reading->unit_is_fixed && unit->dimension == ws_quantity_dimension(reading->quantity))
            reading->unit = unit;
    }
}

void ws_preset_header_free(ws_preset_header *header)
{
    free(header->columns);
}
