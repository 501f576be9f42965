#include "analyze/commands/budget_table.h"

#include <math.h>
#include <string.h>

enum { RUN, SOURCE, NODE, DEVICE, DOMAIN, COMPONENT, ENERGY, U, LO, HI, METHOD };

static const double J_PER_KWH = 3.6e6;

static const char *const methods[WS_COMPONENT_N] = {
    [WS_COMPONENT_SAMPLING] = "steps of the power between its samples, and the lag of the readings",
    [WS_COMPONENT_SENSOR] = "gain of the sensor, common to the devices of a domain and to repeats",
    [WS_COMPONENT_GAPS] = "long gaps: from the lowest reading to what the device can draw",
    [WS_COMPONENT_EDGES] = "time before the first and after the last reading",
    [WS_COMPONENT_CLOCK] = "steps of the clock that may have been no time, or may hide some",
    [WS_COMPONENT_COUNTER] = "whole rounds, standstills and resets of a counter",
};

void ws_budget_table_init(ws_table *table, const char *unit)
{
    static const char *const texts[] = {"run", "source", "node", "device", "domain", "component"};
    static const char *const numbers[] = {"energy", "u", "energy_lo", "energy_hi"};
    ws_table_init(table, "budget");
    for (int i = 0; i < COMPONENT + 1; i++)
        ws_table_add_column(table, texts[i], WS_TEXT);
    for (int i = 0; i < 4; i++)
        ws_table_add_column(table, ws_arena_printf(&table->arena, "%s_%s", numbers[i], unit), WS_NUMBER);
    ws_table_add_column(table, "method", WS_TEXT);
    ws_table_set_detail(table, METHOD);
    ws_table_set_place(table, RUN, WS_HEADING); /* paths: with them beside its numbers a row is wider than a screen */
    ws_table_set_place(table, SOURCE, WS_HEADING);
    ws_table_set_place(table, NODE, WS_HEADING);
}

static void set_text(ws_table *table, size_t column, size_t row, const char *text)
{
    if (text && *text)
        ws_table_set_text(table, column, row, text);
}

typedef struct row_values {
    const char *component, *method;
    double energy_j, u_j, lo_j, hi_j;
} row_values;

static void add_row(ws_table *table, const ws_budget_subject *s, const row_values *v)
{
    double per = strcmp(table->columns[ENERGY].name, "energy_j") == 0 ? 1 : J_PER_KWH;
    size_t row = ws_table_add_row(table);
    set_text(table, RUN, row, s->run);
    set_text(table, SOURCE, row, s->source);
    set_text(table, NODE, row, s->node);
    set_text(table, DEVICE, row, s->device);
    set_text(table, DOMAIN, row, s->domain);
    set_text(table, COMPONENT, row, v->component);
    ws_table_set_number(table, ENERGY, row, v->energy_j / per);
    ws_table_set_number(table, U, row, v->u_j / per);
    ws_table_set_number(table, LO, row, v->lo_j / per);
    ws_table_set_number(table, HI, row, v->hi_j / per);
    set_text(table, METHOD, row, v->method);
}

void ws_budget_table_add(ws_table *table, const ws_budget_subject *subject, const ws_budget *budget, double energy_j)
{
    if (isnan(energy_j))
        return;
    for (int i = 0; i < WS_COMPONENT_N; i++) {
        const ws_open *open = &budget->of[i];
        row_values v = {ws_component_name((ws_component)i), methods[i], energy_j, NAN, NAN, NAN};
        if (!(open->u_j > 0) && open->lo_j == 0 && open->hi_j == 0)
            continue;
        if (open->u_j > 0)
            v.u_j = open->u_j;
        ws_budget_interval_of(budget, (ws_component)i, energy_j, &v.lo_j, &v.hi_j);
        add_row(table, subject, &v);
    }
    row_values all = {"all", "95 % interval: bounds add up, and sampling and sensor in quadrature", energy_j, 0, 0, 0};
    ws_budget_interval(budget, energy_j, &all.lo_j, &all.hi_j);
    all.u_j = (all.hi_j - all.lo_j) / (2 * WS_COVER_95);
    add_row(table, subject, &all);
}
