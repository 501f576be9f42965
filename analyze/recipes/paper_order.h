/* The order in which the recipes of papers take runs and configurations: by what their columns say, so that what a
 * series is called moves nothing. */
#ifndef WS_ANALYZE_PAPER_ORDER_H
#define WS_ANALYZE_PAPER_ORDER_H

#include "core/table.h"

/* "huber/fig4", "frey/table2": a recipe of a paper, not of any campaign. */
bool ws_is_of_paper(const char *recipe);

/* A copy with the rows of a series together, the series by class, model, device, phase (pre-training first), falling
 * caps, the batch size that is held (local before global, and by its size), the data (the same on all GPUs before one
 * that grows), epochs and only then by name; within a series likewise, then by GPUs. Rows that agree keep their order.
 * False, and `out` untouched, where the table has that order already. */
bool ws_paper_order(const ws_table *table, ws_table *out);

#endif
