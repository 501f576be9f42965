#include "core/sample.h"

#include <string.h>

const char *ws_domain_name(ws_domain domain)
{
    static const char *const names[WS_DOMAIN_N] = {"gpu",   "cpu",  "dram", "node", "wall",
                                                   "other", "core", "gfx",  "psys"};
    return names[domain];
}

const char *ws_quantity_name(ws_quantity quantity)
{
    static const char *const names[WS_QUANTITY_N] = {"power",       "energy-counter", "energy-interval", "util",
                                                     "mem-util",    "mem-used",       "clock",           "temp",
                                                     "power-limit", "other"};
    return names[quantity];
}

static const char *const question_statuses[WS_QUESTION_N] = {[WS_ASK_BACK_STEPS] = "ask:back-steps",
                                                             [WS_ASK_DEVICES] = "ask:devices",
                                                             [WS_ASK_NODES] = "ask:nodes",
                                                             [WS_ASK_UNIT] = "ask:unit"};

const char *ws_question_status(ws_question question)
{
    return question_statuses[question];
}

ws_question ws_question_of(const char *status)
{
    for (int q = WS_ASK_NOTHING + 1; status && q < WS_QUESTION_N; q++)
        if (strcmp(status, question_statuses[q]) == 0)
            return (ws_question)q;
    return WS_ASK_NOTHING;
}

static const char *const rule_names[WS_RULE_N] = {"none",      "counter", "interval",        "trapezoid",
                                                  "rectangle", "given",   "mean-times-time", "perun"};

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
