#include "core/finding.h"

#include <assert.h>
#include <string.h>

static const ws_finding_info table[] = {
#define WS_FINDING(name, code, severity, takes, effect, section, meaning) \
    [WS_FINDING_##name] = {code, WS_SEVERITY_##severity, WS_TAKES_##takes, WS_EFFECT_##effect, section, meaning},
#include "core/finding_table.h"
#undef WS_FINDING
};

const ws_finding_info *ws_finding_about(ws_finding finding)
{
    assert(finding < WS_FINDING_N);
    return &table[finding];
}

const char *ws_finding_code(ws_finding finding)
{
    return ws_finding_about(finding)->code;
}

const char *ws_severity_name(ws_severity severity)
{
    static const char *const names[WS_SEVERITY_N] = {
        [WS_SEVERITY_RESULT] = "result",  [WS_SEVERITY_REMARK] = "remark", [WS_SEVERITY_ASSUMED] = "assumed",
        [WS_SEVERITY_DOUBT] = "doubt",    [WS_SEVERITY_LOSS] = "loss",     [WS_SEVERITY_ASKED] = "asked",
        [WS_SEVERITY_FAILURE] = "failure"};
    assert(severity < WS_SEVERITY_N);
    return names[severity];
}

const char *ws_takes_name(ws_takes takes)
{
    static const char *const names[WS_TAKES_N] = {
        [WS_TAKES_NOTHING] = "nothing",   [WS_TAKES_CELLS] = "cells",   [WS_TAKES_ROWS] = "rows",
        [WS_TAKES_READINGS] = "readings", [WS_TAKES_DEVICE] = "device", [WS_TAKES_FILE] = "file",
        [WS_TAKES_ENERGY] = "energy",     [WS_TAKES_RUN] = "run"};
    assert(takes < WS_TAKES_N);
    return names[takes];
}

const char *ws_finding_effect_name(ws_finding_effect effect)
{
    static const char *const names[WS_EFFECT_N] = {[WS_EFFECT_NOTHING] = "nothing",
                                                   [WS_EFFECT_INTERVAL] = "interval",
                                                   [WS_EFFECT_JOULES] = "joules",
                                                   [WS_EFFECT_DOUBTFUL] = "doubtful",
                                                   [WS_EFFECT_UNUSABLE] = "unusable"};
    assert(effect < WS_EFFECT_N);
    return names[effect];
}

bool ws_finding_named(const char *code, ws_finding *finding)
{
    for (int f = 0; f < WS_FINDING_N; f++)
        if (strcmp(table[f].code, code) == 0)
            return *finding = (ws_finding)f, true;
    return false;
}
