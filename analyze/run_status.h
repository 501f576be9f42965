/* Words for how a run ended, of schedulers, benchmarks and trackers: one list for all commands. Case does not count. */
#ifndef WS_ANALYZE_RUN_STATUS_H
#define WS_ANALYZE_RUN_STATUS_H

#include "core/table.h"

bool ws_status_is_good(const char *status); /* "ok", "COMPLETED", "success" and the like */
bool ws_status_is_unfinished(
    const char *status); /* the run broke off: "FAILED", "NODE_FAIL", "aborted"; not "low-coverage" */

bool ws_is_end_name(const char *name); /* a column or field that may say so: "status", "State", "JobState" */

/* What a description, a file beside the traces or a table says of a run's end is of its job ("job_state"): the status
 * of a run is what its traces say. Other fields keep their name. */
const char *ws_end_field(const char *name, const char *value);

/* Where the status of a run says "ok" or nothing, and what its records say of its end (job_state, run_status) is that
 * it broke off, its status becomes that. */
void ws_take_ends(ws_table *runs);

#endif
