/* The one reader of delimited traces: `nvidia-smi --query-gpu` in all its forms and the CSV that wrappers and loggers
 * write. Header or none, repeated or changed headers, one row a device or one column a device, units in names or cells.
 *
 * Its files, in the order in which a trace goes through them:
 * - columnmap: the meaning of one name in a header (from the dictionary), and the user's column map
 * - column_rules: how rules decide what columns mean, and those over units and intervals; name_rules: those over names
 * - trace_head: the first rows: the delimiter, the header, and how many rows it takes to settle the plan
 * - trace_plan: which columns hold time, device and values
 * - what only the first rows (trace_sample) can decide: identity_rules: the column that tells devices apart, or whether
 *   devices or nodes (node_turns) take turns; energy_rules, power_rules: where there are energies, or powers without a
 *   unit
 * - trace_section: the rows under one header: the device of each, its channels and its lane to the sink
 * - trace_rows: each row: the fast path for lines of a known layout, which are not cut into cells; data, another
 * header, or something odd
 * - trace_csv: the whole file, a large one on several threads, and a log from where an earlier reading of it ended
 *   (trace_rows.h) */
#ifndef WS_FORMATS_TRACE_CSV_H
#define WS_FORMATS_TRACE_CSV_H

#include "formats/format.h"

ws_status ws_trace_csv_read(ws_input *input, const ws_read_options *options, const ws_sink *sink, ws_notes *notes,
                            ws_error *error);

#endif
