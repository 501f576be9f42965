/* What the columns of a delimited trace are about, each seen beside the others and as the user's map has it. */
#ifndef WS_FORMATS_TRACE_MEANINGS_H
#define WS_FORMATS_TRACE_MEANINGS_H

#include "formats/table/trace_sample.h"

/* One for each cell of the row, in the context's arena; the texts in them are the row's. WS_USAGE: the map names a
 * column that is not there. */
ws_status ws_meanings_of_header(ws_meaning **meanings, const ws_plan_context *context, const ws_row *header,
                                ws_error *error);
ws_status ws_meanings_of_cells(ws_meaning **meanings, const ws_plan_context *context, const ws_row *first,
                               ws_error *error);

#endif
