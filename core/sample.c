#include "core/sample.h"

#include <string.h>

const char *ws_domain_name(ws_domain domain)
{
    static const char *const names[WS_DOMAIN_N] = {
        [WS_GPU] = "gpu",     [WS_CPU] = "cpu",       [WS_DRAM] = "dram",   [WS_NODE] = "node", [WS_WALL] = "wall",
        [WS_OTHER] = "other", [WS_CPU_CORE] = "core", [WS_CPU_GFX] = "gfx", [WS_PSYS] = "psys"};
    return names[domain];
}

const char *ws_quantity_name(ws_quantity quantity)
{
    static const char *const names[WS_QUANTITY_N] = {[WS_POWER] = "power",
                                                     [WS_ENERGY_COUNTER] = "energy-counter",
                                                     [WS_ENERGY_INTERVAL] = "energy-interval",
                                                     [WS_UTIL] = "util",
                                                     [WS_MEM_UTIL] = "mem-util",
                                                     [WS_MEM_USED] = "mem-used",
                                                     [WS_CLOCK] = "clock",
                                                     [WS_TEMPERATURE] = "temp",
                                                     [WS_POWER_LIMIT] = "power-limit",
                                                     [WS_OTHER_VALUE] = "other"};
    return names[quantity];
}

ws_energy_status ws_question_status(ws_question question)
{
    static const ws_energy_status of[WS_QUESTION_N] = {
        [WS_ASK_NOTHING] = WS_STATUS_OK,          [WS_ASK_BACK_STEPS] = WS_STATUS_ASK_BACK_STEPS,
        [WS_ASK_DEVICES] = WS_STATUS_ASK_DEVICES, [WS_ASK_NODES] = WS_STATUS_ASK_NODES,
        [WS_ASK_ROWS] = WS_STATUS_ASK_ROWS,       [WS_ASK_UNIT] = WS_STATUS_ASK_UNIT};
    return of[question];
}

ws_question ws_question_of(const char *text)
{
    ws_energy_status status;
    if (!ws_energy_status_named(text, &status))
        return WS_ASK_NOTHING;
    for (int q = WS_ASK_NOTHING + 1; q < WS_QUESTION_N; q++)
        if (ws_question_status((ws_question)q) == status)
            return (ws_question)q;
    return WS_ASK_NOTHING;
}

static const char *const rule_names[WS_RULE_N] = {[WS_RULE_NONE] = "none",
                                                  [WS_RULE_COUNTER] = "counter",
                                                  [WS_RULE_INTERVAL] = "interval",
                                                  [WS_RULE_TRAPEZOID] = "trapezoid",
                                                  [WS_RULE_RECTANGLE] = "rectangle",
                                                  [WS_RULE_GIVEN] = "given",
                                                  [WS_RULE_MEAN_TIMES_TIME] = "mean-times-time",
                                                  [WS_RULE_PERUN] = "perun"};

const char *ws_rule_name(ws_rule rule)
{
    return rule_names[rule];
}

bool ws_rule_find(const char *name, ws_rule *rule)
{
    for (int i = 0; i < WS_RULE_N; i++) {
        if (strcmp(name, rule_names[i]) == 0) {
            *rule = (ws_rule)i;
            return true;
        }
    }
    return false;
}
