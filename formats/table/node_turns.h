/* Signs that the rows of one device are those of several nodes, which write into one file and number their devices
 * alike (trace_plan.h asks for them). */
#ifndef WS_FORMATS_NODE_TURNS_H
#define WS_FORMATS_NODE_TURNS_H

#include "formats/table/trace_sample.h"

/* Do readings in a cycle of k rows keep their places in it from beginning to end? Not where there are too few. */
bool ws_cycle_keeps_places(const double *value, size_t n, size_t k);

/* May the rows be of several loggers, as far as the steps between stamps tell, which then differ by their place in a
 * cycle of k rows? Two loggers are hardly ever half a period apart to a part of the scatter of their stamps, and the
 * polls of one know no places. Stamps that do not scatter say nothing: they may. */
bool ws_stamps_may_keep_places(const int64_t *t, size_t n, size_t k);

#endif
