/* The one reader of delimited traces: `nvidia-smi --query-gpu` in all its forms and the CSV that wrappers and loggers
 * write. Header or none, repeated or changed headers, one row a device or one column a device, units in names or cells.
 *
 * Its files, in the order in which a trace goes through them:
 *   trace_head      the first rows: the delimiter, the header, how many rows are needed to decide the rest
 *   columnmap       the meaning of one name in a header (from the dictionary); usermap: the user's column map
 *   trace_meanings  the meanings of all columns together
 *   trace_plan      the plan made from them: which columns hold the time, the device and the values
 *   trace_settle    what only the first rows can decide (trace_sample): the form of the stamps, the column that tells
 *                   devices apart, whether devices take turns (trace_turns), units and counters (trace_energy)
 *   trace_rows      each row: data, another header, or something odd
 *   trace_section   the rows under one header: the device of each, its channels (trace_devices), its lane to the sink
 *   trace_plain     the fast path for lines of a known layout (line_layout), which skips the rows
 *   trace_csv       the whole file, large plain ones on several threads */
#ifndef WS_FORMATS_TRACE_CSV_H
#define WS_FORMATS_TRACE_CSV_H

#include "formats/format.h"

ws_status ws_trace_csv_read(ws_input *input, const ws_read_options *options, const ws_sink *sink, ws_notes *notes,
                            ws_error *error);

#endif
