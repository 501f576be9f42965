/* What the devices of a run have to do with its numbers, as trees of steps. */
#ifndef WS_ANALYZE_EXPLAIN_DEVICES_H
#define WS_ANALYZE_EXPLAIN_DEVICES_H

#include "analyze/ingest/run_history.h"
#include "report/table/step_tree.h"

/* The energy of a run in joules, with its devices: the name that `explain` has for it. */
#define WS_EXPLAIN_JOULES "energy_j"

/* "kWh" of "energy_kwh"; "" where the name ends in none. */
const char *ws_explain_unit(const char *column);

/* The energy of a run in J, "energy_j": domains, and their devices; beside it what is left out. NULL: it has none. */
ws_step *ws_explain_energy(const ws_run_history *run, ws_arena *arena);

/* Is a domain in the run's energy? */
bool ws_explain_counts_domain(const ws_run_history *run, ws_domain domain);

/* That of one domain, "gpu"; NULL: it has none. */
ws_step *ws_explain_domain(const ws_run_history *run, ws_domain domain, ws_arena *arena);

/* What the findings of each device put at stake, a list for beside the run's; NULL where none does. */
ws_step *ws_explain_stakes(const ws_run_history *run, ws_arena *arena);

/* A column that is a mean over the devices (powers, utilisations) or the lowest of them (coverage); NULL for any
 * other. The value is the caller's to hold against. */
ws_step *ws_explain_mean_of_devices(const ws_run_history *run, ws_run_column column, double value, ws_arena *arena);

#endif
