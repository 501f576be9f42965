/* Are A and B the same measurements? */
#ifndef WS_ANALYZE_COMPARE_SAME_H
#define WS_ANALYZE_COMPARE_SAME_H

#include "core/table.h"

#include <stdbool.h>

/* Do both tables hold the same runs digit for digit, whatever their order, names and further columns? By `metric` and
 * the measured columns of runs that both have. Few runs in few digits agree by chance and are not the same. */
bool ws_compare_is_same(const ws_table *a, const ws_table *b, const char *metric);

#endif
