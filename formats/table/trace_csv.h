/* The one reader of delimited traces: `nvidia-smi --query-gpu` in all its forms and the CSV that wrappers and loggers
 * write. Header or none, repeated or changed headers, one row a device or one column a device, units in names or cells.
 *
 * Its files, in the order in which a trace goes through them:
 *   columnmap       the meaning of one name in a header (from the dictionary), and the user's column map
 *   column_rules    the rules by which it is told what columns mean, and those over names
 *   trace_plan      from the first rows the delimiter, the header, and the plan: which columns hold the time, the
 * device and the values; how many rows are needed to decide it reading_rules   what only the first rows can decide
 * (column_stats): the column that tells devices apart, whether devices take turns (trace_turns), units and counters
 *   trace_section   the rows under one header: the device of each, its channels and its lane to the sink
 *                   (trace_devices)
 *   trace_plain     the fast path for lines of a known layout, which skips the rows
 *   trace_csv       each row: data, another header, or something odd; large plain files on several threads */
#ifndef WS_FORMATS_TRACE_CSV_H
#define WS_FORMATS_TRACE_CSV_H

#include "formats/format.h"

ws_status ws_trace_csv_read(ws_input *input, const ws_read_options *options, const ws_sink *sink, ws_notes *notes,
                            ws_error *error);

#endif
