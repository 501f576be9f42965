/* How the rows under one header are read: which column is the time, which says whose row it is, which hold values. A
 * plan is made from the header (or, without one, from the look of the cells), then settled over some first rows: form
 * of the stamps, the column that tells devices apart, units that the numbers contradict. Inside formats/ only. */
#ifndef WS_FORMATS_TRACE_PLAN_H
#define WS_FORMATS_TRACE_PLAN_H

#include "formats/table/trace_context.h"
#include "formats/table/trace_sample.h"

bool ws_row_is_header(const ws_row *row, const ws_map *map);

/* WS_USAGE: the map names a column that is not there. WS_FORMAT, WS_DATA: nothing in it that can be used. */
ws_status ws_plan_from_header(ws_plan *plan, const ws_plan_context *context, const ws_row *header, ws_error *error);
ws_status ws_plan_from_cells(ws_plan *plan, const ws_plan_context *context, const ws_row *first, ws_error *error);

bool ws_plan_uses(const ws_plan *plan, uint32_t column); /* is it of any use? */

/* What the rows say of the plan: the form of the stamps, then whose rows these are, then what the numbers mean. WS_FORMAT, WS_DATA:
 * they cannot be told apart or are no readings. */
ws_status ws_plan_settle(ws_plan *plan, const ws_plan_context *context, const ws_trace_sample *sample, ws_error *error);

/* Parts of it, in their order; each needs those before.
 * trace_turns.c: how many devices take turns where no column tells their rows apart. Rows that would be mixed up are refused, or read
 * as one device with a note (notes "shared-stamps", "ask-devices"). */
ws_status ws_plan_settle_turns(ws_plan *plan, const ws_plan_context *context, const ws_trace_sample *sample,
                               ws_error *error);
/* Passes a column of intervals over that is not what the stamps say (note "interval-misfit"). */
void ws_plan_settle_interval(ws_plan *plan, const ws_plan_context *context, const ws_trace_sample *sample);
/* trace_energy.c: whether columns that are only called "energy" are running totals (note "assumed-energy"), and the unit of energies
 * that name none. */
void ws_plan_settle_energies(ws_plan *plan, const ws_plan_context *context, const ws_trace_sample *sample);

/* Would more rows lead to the same plan? Asked of a settled plan and of the rows that it was settled over. */
bool ws_plan_is_certain(const ws_plan *plan, const ws_plan_context *context, const ws_trace_sample *sample);

/* A later header of the same file: what was settled before for columns of the same name holds on, and `first`, a row
 * under the new header, says the rest. It stays unsettled while that row has no stamp. */
void ws_plan_settle_after(ws_plan *plan, const ws_plan_context *context, const ws_plan *before, const ws_row *first);

#endif
