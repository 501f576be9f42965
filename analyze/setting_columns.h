/* Which columns of a table of runs are settings, what the experiment set: the one rule for recipes that must not
 * average over them and for references that must not differ in them. */
#ifndef WS_ANALYZE_SETTING_COLUMNS_H
#define WS_ANALYZE_SETTING_COLUMNS_H

#include "core/arena.h"
#include "core/table.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct ws_setting_columns {
    size_t *columns, n; /* ascending */
} ws_setting_columns;

/* Of the columns that are known those that name a setting, but the series, which is a name, and the nodes where they
 * follow from device and GPUs. Of others texts that come again, unless they say which run it is or how it went; and
 * numbers that come again and decide: where runs that agree in all other settings take times or energies that are apart
 * by a factor of 1.5, each value's from the other's. Smaller effects of an unknown number may be those of an outcome
 * (the last epoch, readings of a trace). In the arena. */
ws_setting_columns ws_setting_columns_of(const ws_table *runs, ws_arena *arena);

/* Those of them in which rows of one unit differ (unit[i], below n, is that of rows[i]), epochs only where work is not
 * compared by epoch. In the arena. */
ws_setting_columns ws_settings_that_differ(const ws_table *runs, const ws_setting_columns *settings, const size_t *rows,
                                           size_t n, const size_t *unit, bool by_epoch, ws_arena *arena);

/* "lbs, optimizer"; "" for none. In the arena. */
const char *ws_setting_names(const ws_table *runs, const ws_setting_columns *settings, ws_arena *arena);

#endif
