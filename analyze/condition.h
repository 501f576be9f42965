/* Conditions on the rows of a table: "gpus<4", "series=gbs256", "status!=ok". */
#ifndef WS_ANALYZE_CONDITION_H
#define WS_ANALYZE_CONDITION_H

#include "core/status.h"
#include "core/table.h"

#include <stdbool.h>

/* holds[row] says whether the condition is true there (NULL: nobody asks, but is it one of this table?); a missing cell
 * fulfils none. Comparison is by number where both sides are numbers, else by text (= and != only), with several values
 * ("series=a|b") and wildcards ("series=full*"). WS_USAGE: no such column (the message lists them), no comparison. */
ws_status ws_condition_test(const ws_table *table, const char *condition, bool *holds, ws_error *error);

/* Drop the rows that fulfil it and say so in a note: "excluded" with the condition, the count and the reason. A
 * condition that fits no row is a note too. */
ws_status ws_condition_exclude(ws_table *table, const char *condition, const char *reason, ws_error *error);

/* Keep the rows that fulfil it, with a note as above. */
ws_status ws_condition_keep(ws_table *table, const char *condition, const char *reason, ws_error *error);

/* WS_USAGE: no row fulfils it; the message lists the values that there are. A table without rows fits anything. */
ws_status ws_condition_must_fit(const ws_table *table, const char *condition, ws_error *error);

#endif
