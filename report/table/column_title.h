/* Column names as people read them. */
#ifndef WS_REPORT_COLUMN_TITLE_H
#define WS_REPORT_COLUMN_TITLE_H

#include "core/arena.h"
#include "core/looks.h"

#include <stdbool.h>

/* "energy_kwh" gives "energy [kWh]", "kwh_per_gpuh" gives "kWh per GPUh". `spread` names what follows a
 * plus-minus sign in the column's cells ("rmse": "energy ± rmse [kWh]"), or is NULL. Only columns of numbers have
 * units. Names and units of `looks`, those of the column's table, go before; NULL: it has none. */
const char *ws_column_title(const ws_looks *looks, ws_arena *arena, const char *name, bool is_number,
                            const char *spread);

/* What numbers of a column are printed times of, where no look has a unit for it: 1e-6 of clocks in Hz, else 1. */
double ws_usual_factor(const char *name);

/* The unit that the name ends in, and the length of the name before it: "energy_kwh" gives "kWh" and 6. NULL and the
 * whole length where there is none. */
const char *ws_column_unit(const char *name, size_t *stem);

#endif
