/* Signs that the rows of one device are those of several nodes, which write into one file and number their devices
 * alike. */
#ifndef WS_FORMATS_NODE_TURNS_H
#define WS_FORMATS_NODE_TURNS_H

#include "formats/table/trace_sample.h"

/* Do the rows of the first device follow each other as those of one do? Else more of them have to be seen. */
bool ws_plan_has_plain_steps(const ws_plan *plan, const ws_trace_sample *sample);

/* Where rows of one device may be those of several nodes, it is asked whose they are ("ask-devices"). */
void ws_plan_look_within_devices(ws_plan *plan, const ws_plan_context *context, const ws_trace_sample *sample);

/* The same where every column of powers names its device, so that a row is of all devices of a node. */
void ws_plan_look_within_rows(ws_plan *plan, const ws_plan_context *context, const ws_trace_sample *sample);

/* Do readings in a cycle of k rows keep their places in it from beginning to end? Not where there are too few. */
bool ws_cycle_keeps_places(const double *value, size_t n, size_t k);

/* May the rows be of several loggers, as far as the steps between stamps tell, which then differ by their place in a
 * cycle of k rows? Two loggers are hardly ever half a period apart to a part of the scatter of their stamps, and the
 * polls of one know no places. Stamps that do not scatter say nothing: they may. */
bool ws_stamps_may_keep_places(const int64_t *t, size_t n, size_t k);

#endif
