/* Tables of runs that read as traces: "size,time_s,energy_j" with a row for each size, whose times rise because the
 * sizes do. */
#ifndef WS_FORMATS_SWEPT_COLUMN_H
#define WS_FORMATS_SWEPT_COLUMN_H

#include "formats/table/trace_context.h"
#include "formats/table/trace_sample.h"

/* "elapsed", "time_s": what a run took, by the name of the column. *to_s: seconds in one of its unit. */
bool ws_is_run_length(const char *name, double *to_s);

/* Sets the question (WS_ASK_ROWS) of every power and energy, with a note, where a column that sets what is measured (a
 * size, a batch, a cap, a frequency) has each of its values once or in one block of rows, the time may as well be how
 * long each row took, and nothing proves it to be a trace's. A map that names the time is the answer. */
void ws_plan_ask_of_sweep(ws_plan *plan, const ws_plan_context *context, const ws_trace_sample *sample);

#endif
