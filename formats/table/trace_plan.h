/* How the rows under one header are read: which column is the time, which says whose row it is, which hold values. A
 * plan is made from the header (or, without one, from the look of the cells), then settled over some first rows: form
 * of the stamps, the column that tells devices apart, units that the numbers contradict. */
#ifndef WS_FORMATS_TRACE_PLAN_H
#define WS_FORMATS_TRACE_PLAN_H

#include "formats/table/trace_context.h"
#include "formats/table/trace_sample.h"

/* The plan of a header, or of the first row of a file without one. WS_USAGE: the map names a column that does not
 * exist. WS_FORMAT, WS_DATA: no usable column. */
ws_status ws_plan_from_header(ws_plan *plan, const ws_plan_context *context, const ws_row *header, ws_error *error);
ws_status ws_plan_from_cells(ws_plan *plan, const ws_plan_context *context, const ws_row *first, ws_error *error);

/* What each column is about, by its name, or by the look of its first cell where there is no header (name_rules.c).
 * They live in the context's arena; the texts in them are the row's. WS_USAGE: the map names a column that is not
 * there. */
ws_status ws_meanings_of_names(ws_meaning **meanings, ws_plan *plan, const ws_plan_context *context, const ws_row *row,
                               ws_error *error);

/* Completes the plan from the first rows: the form of the stamps, then whose rows these are, then what the numbers
 * mean. WS_FORMAT, WS_DATA: the devices cannot be told apart, or the rows are not readings. */
ws_status ws_plan_settle(ws_plan *plan, const ws_plan_context *context, const ws_trace_sample *sample, ws_error *error);

/* Would any number of further rows lead to the same plan? `sample`: the rows that the plan was settled with. */
bool ws_plan_is_certain(const ws_plan *plan, const ws_plan_context *context, const ws_trace_sample *sample);

/* For a later header of the same file: columns of the same name keep what was settled before; `first`, a row under the
 * new header, decides the rest. The plan stays unsettled if that row has no stamp. */
void ws_plan_settle_after(ws_plan *plan, const ws_plan_context *context, const ws_plan *before, const ws_row *first);

#endif
