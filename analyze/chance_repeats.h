/* Rows without a name that agree in every cell: one run that was pasted again, or repeats that agree by rounding? */
#ifndef WS_ANALYZE_CHANCE_REPEATS_H
#define WS_ANALYZE_CHANCE_REPEATS_H

#include "core/table.h"

#include <stdbool.h>

/* kind[row]: the first row that agrees with it in every cell. by_chance[row]: the row repeats an earlier one, and so
 * few digits were measured that runs of their own may well agree like that. Rows with `named[row]` are left alone. */
void ws_chance_repeats(const ws_table *table, const size_t *kind, const bool *named, bool *by_chance);

#endif
