/* The one reader of delimited traces: `nvidia-smi --query-gpu` in all its forms and the CSV that wrappers and loggers
 * write. Header or none, repeated or changed headers, one row a device or one column a device, units in names or cells.
 * Inside formats/ only. */
#ifndef WS_FORMATS_TRACE_CSV_H
#define WS_FORMATS_TRACE_CSV_H

#include "formats/format.h"

ws_status ws_trace_csv_read(ws_input *input, const ws_read_options *options, const ws_sink *sink, ws_notes *notes,
                            ws_error *error);

#endif
