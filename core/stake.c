#include "core/stake.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void ws_finding_set_add(ws_finding_set *set, ws_finding finding)
{
    set->bits[finding / 64] |= UINT64_C(1) << (finding % 64);
}

bool ws_finding_set_has(const ws_finding_set *set, ws_finding finding)
{
    return set->bits[finding / 64] >> (finding % 64) & 1;
}

const char *ws_finding_set_text(const ws_finding_set *set, char *buffer, size_t size)
{
    size_t used = 0;
    buffer[0] = '\0';
    for (int word = 0; word * 64 < WS_FINDING_N; word++) {
        for (uint64_t left = set->bits[word]; left; left &= left - 1) {
            const char *code = ws_finding_code((ws_finding)(64 * word + __builtin_ctzll(left)));
            if (used + strlen(code) + 2 <= size)
                used += (size_t)snprintf(buffer + used, size - used, "%s%s", used ? "," : "", code);
        }
    }
    return buffer;
}

void ws_stake_add(ws_stake *stake, const ws_verdict_rules *rules, ws_finding finding, double joules)
{
    ws_finding_effect effect = ws_finding_about(finding)->effect;
    bool counts = effect == WS_EFFECT_DOUBTFUL || effect == WS_EFFECT_UNUSABLE || isnan(joules) || joules > 0;
    if (effect == WS_EFFECT_NOTHING || !counts || (rules && ws_finding_set_has(&rules->ignored, finding)))
        return;
    ws_finding_set_add(&stake->findings, finding);
    if (effect == WS_EFFECT_UNUSABLE)
        stake->joules = INFINITY;
    else if (effect == WS_EFFECT_DOUBTFUL || isnan(joules))
        stake->is_doubtful = true;
    else
        stake->joules += joules;
}

void ws_stake_merge(ws_stake *into, const ws_stake *from)
{
    into->joules += from->joules;
    into->is_doubtful |= from->is_doubtful;
    for (size_t i = 0; i < sizeof into->findings.bits / sizeof *into->findings.bits; i++)
        into->findings.bits[i] |= from->findings.bits[i];
}

static double share_or(double share, double usual)
{
    return share > 0 ? share : usual;
}

ws_energy_verdict ws_energy_verdict_of(const ws_stake *stake, double energy_j, const ws_verdict_rules *rules)
{
    double doubtful = share_or(rules ? rules->doubtful_share : 0, WS_DOUBTFUL_SHARE);
    double unusable = share_or(rules ? rules->unusable_share : 0, WS_UNUSABLE_SHARE);
    if (isnan(energy_j))
        return WS_ENERGY_VERDICT_NONE;
    if (stake->joules > unusable * fabs(energy_j))
        return WS_ENERGY_VERDICT_UNUSABLE;
    bool is_doubtful = stake->is_doubtful || (stake->joules > 0 && stake->joules >= doubtful * fabs(energy_j));
    return is_doubtful ? WS_ENERGY_VERDICT_DOUBTFUL : WS_ENERGY_VERDICT_OK;
}

static const char *const names[WS_ENERGY_VERDICT_N] = {[WS_ENERGY_VERDICT_NONE] = "",
                                                       [WS_ENERGY_VERDICT_OK] = "ok",
                                                       [WS_ENERGY_VERDICT_DOUBTFUL] = "doubtful",
                                                       [WS_ENERGY_VERDICT_UNUSABLE] = "unusable"};

const char *ws_energy_verdict_name(ws_energy_verdict verdict)
{
    return names[verdict];
}

ws_energy_verdict ws_energy_verdict_named(const char *name)
{
    for (int v = WS_ENERGY_VERDICT_OK; name && v < WS_ENERGY_VERDICT_N; v++)
        if (strcmp(name, names[v]) == 0)
            return (ws_energy_verdict)v;
    return WS_ENERGY_VERDICT_NONE;
}
