/* Conditions on the rows of a table: "gpus<4", "series=gbs256", "status!=ok". */
#ifndef WS_ANALYZE_CONDITION_H
#define WS_ANALYZE_CONDITION_H

#include "core/status.h"
#include "core/table.h"

#include <stdbool.h>

/* holds[row] says whether the condition is true there; a missing cell fulfils none. With `holds` NULL only the
 * condition itself is checked against the columns. Comparison is by number where both sides are numbers, else by text
 * (= and != only), with several values
 * ("series=a|b") and wildcards ("series=full*"). WS_USAGE: no such column (the message lists them), no comparison. */
ws_status ws_condition_test(const ws_table *table, const char *condition, bool *holds, ws_error *error);

/* The length of the first of several conditions that commas part ("series=a,gpus>4"). A comma begins another one only
 * where a comparison follows, and belongs to the value ("x,lr=1") where a row has it. */
size_t ws_condition_length(const ws_table *table, const char *conditions);

/* Drops the rows that fulfil the condition, and notes it with their count and the reason; a condition that no row
 * fulfils is noted, too. */
ws_status ws_condition_exclude(ws_table *table, const char *condition, const char *reason, ws_error *error);

/* Drops the others instead; a note says how many. */
ws_status ws_condition_keep(ws_table *table, const char *condition, const char *reason, ws_error *error);

/* WS_USAGE: no row fulfils it; the message lists the values that there are. A table without rows fits anything. */
ws_status ws_condition_must_fit(const ws_table *table, const char *condition, ws_error *error);

#endif
