/* What the columns of runs and configurations are called on axes and in legends, with their units. */
#ifndef WS_ANALYZE_AXIS_NAMES_H
#define WS_ANALYZE_AXIS_NAMES_H

#include "analyze/scaling/work.h"
#include "core/arena.h"
#include "core/looks.h"
#include "core/table.h"

#include <stdbool.h>

/* The name of an axis: "energy_kwh" is "Energy / kWh", "gpus" is "Number of GPUs". */
const char *ws_axis_label(const ws_looks *looks, ws_arena *arena, const char *column);

/* Is this the column error_top1, in %? Errors of one and less may be fractions as well, and nobody says which. */
bool ws_is_error_in_percent(const ws_table *table, const char *column);
/* The same of a column whose numbers are of that work: "Wall time per epoch / s". */
const char *ws_axis_label_of_work(const ws_looks *looks, ws_arena *arena, const char *column, ws_work work);
void ws_begin_small(char *words); /* "Batch size" becomes "batch size", and "GPU power" stays */
/* What its numbers are multiplied by for that: 100 for "util_mean", which is "GPU utilisation / %". */
double ws_axis_factor(const ws_looks *looks, const char *column);
/* An axis of that column whose recipe calls it `label`, having multiplied by *factor (0 is 1): the looks may have
 * another name and unit for it, and *factor follows. */
const char *ws_axis_named(const ws_looks *looks, ws_arena *arena, const char *column, const char *label,
                          double *factor);

#endif
