/* What findings leave open of an energy, and the verdict that follows.
 *
 * Each finding puts joules at stake: what it may have added to the energy or left out of it. They add up, as if all of
 * them erred to the same side. What is at stake below 1 % of the energy leaves it "ok", up to 20 % makes it
 * "doubtful", and more, or what nothing bounds, "unusable". The shares are ours: repeats of training runs differ by
 * some percent (Huber et al. 2025, table 2), and from a fifth on a ranking of configurations turns round. */
#ifndef WS_CORE_STAKE_H
#define WS_CORE_STAKE_H

#include "core/finding.h"

#include <stddef.h>
#include <stdint.h>

typedef enum ws_energy_verdict {
    WS_ENERGY_VERDICT_NONE, /* there is no energy */
    WS_ENERGY_VERDICT_OK,
    WS_ENERGY_VERDICT_DOUBTFUL,
    WS_ENERGY_VERDICT_UNUSABLE,
    WS_ENERGY_VERDICT_N
} ws_energy_verdict;

/* Findings, a bit each. */
typedef struct ws_finding_set {
    uint64_t bits[(WS_FINDING_N + 63) / 64];
} ws_finding_set;

void ws_finding_set_add(ws_finding_set *set, ws_finding finding);
bool ws_finding_set_has(const ws_finding_set *set, ws_finding finding);

/* The codes with commas between, in their order, as far as they fit; "" for none. Returns `buffer`. */
const char *ws_finding_set_text(const ws_finding_set *set, char *buffer, size_t size);

typedef struct ws_verdict_rules {
    double doubtful_share, unusable_share; /* of the energy; 0: the defaults */
    ws_finding_set ignored;                /* put nothing at stake */
} ws_verdict_rules;

#define WS_DOUBTFUL_SHARE 0.01 /* the defaults */
#define WS_UNUSABLE_SHARE 0.2

typedef struct ws_stake {
    double joules;    /* not negative; INFINITY: nothing bounds them */
    bool is_doubtful; /* by a finding whose joules nobody knows */
    ws_finding_set findings;
} ws_stake;

/* Joules that a finding puts at stake, by its effect: none for one of no effect, INFINITY for one that is unusable; 0
 * leaves the stake as it is. NaN: they are not known, and make the energy doubtful. */
void ws_stake_add(ws_stake *stake, const ws_verdict_rules *rules, ws_finding finding, double joules);
void ws_stake_merge(ws_stake *into, const ws_stake *from); /* of energies that are added */

ws_energy_verdict ws_energy_verdict_of(const ws_stake *stake, double energy_j, const ws_verdict_rules *rules);
const char *ws_energy_verdict_name(ws_energy_verdict verdict); /* "ok", "doubtful", "unusable"; "" for none */
ws_energy_verdict
ws_energy_verdict_named(const char *name); /* WS_ENERGY_VERDICT_NONE for any other word and for NULL */

#endif
