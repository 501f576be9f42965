/* The one reader of delimited traces: `nvidia-smi --query-gpu` in all its forms and the CSV that wrappers and loggers
 * write. Header or none, repeated or changed headers, one row a device or one column a device, units in names or cells.
 * Inside formats/ only.
 *
 * Where its parts stand, in the order in which a file meets them:
 *   trace_head      the first rows: the delimiter, which of them is the header, how many rows will do
 *   columnmap       what one name in a header says; usermap: what the user says
 *   trace_meanings  what the columns say beside each other
 *   trace_plan      from that, how the rows are read: columns of time, identity and values
 *   trace_settle    what the rows themselves (trace_sample) say of it: the form of their stamps, what their numbers mean (trace_energy), whose
 *                   they are (trace_turns)
 *   trace_rows      then row by row: a row of data, another header, or something odd
 *   trace_section   what stands under one header: the source of each row, its channels (trace_devices), its lane to the sink
 *   trace_plain     the same of lines whose layout is known (line_layout), past the rows
 *   trace_csv       all of it, large plain files by several threads */
#ifndef WS_FORMATS_TRACE_CSV_H
#define WS_FORMATS_TRACE_CSV_H

#include "formats/format.h"

ws_status ws_trace_csv_read(ws_input *input, const ws_read_options *options, const ws_sink *sink, ws_notes *notes,
                            ws_error *error);

#endif
