/* What the two readers of `perf stat` share: energy counts in, channels out. */
#ifndef WS_FORMATS_PERF_STAT_H
#define WS_FORMATS_PERF_STAT_H

#include "core/note.h"
#include "core/sample.h"
#include "core/text.h"
#include "formats/table/row_trace.h"

#include <stdbool.h>
#include <stdint.h>

/* One count, its spans good for the call. */
typedef struct ws_perf_count {
    bool is_timed;       /* written by -I: `t_ns` ends the interval; otherwise a total */
    int64_t t_ns;        /* since perf started */
    ws_span place;       /* "S0", "CPU18", "S0-D0-C4"; empty when all processors are added */
    ws_span value;       /* as written */
    ws_span event;       /* "power/energy-pkg/" */
    int64_t run_ns;      /* run time of the counter, 0 where not written */
    bool may_have_comma; /* the value, for its decimals: the delimiter is another sign */
} ws_perf_count;

bool ws_perf_is_energy(ws_span event);

/* Sort the fields before the value: [seconds] [place [processors]]. Returns how many of them it took. */
size_t ws_perf_take_lead(const ws_span *fields, size_t n, ws_perf_count *count);

/* The state of a reader, or the front of it. {.block = 1} before the first line. */
typedef struct ws_perf {
    int64_t start_ns; /* of perf, since the epoch, or 0 */
    ws_time_base base;
    int64_t stamp_ns;        /* of the last interval, since perf started */
    int64_t interval_ns;     /* its length */
    ws_samples_turns series; /* by event and place */
    struct ws_perf_total *totals;
    size_t n_totals, total_capacity, open_totals; /* the last `open_totals` still wait for their elapsed time */
    int block;
    const char **places; /* in the order of their appearance */
    size_t n_places, place_capacity;
} ws_perf;

/* Reads the lines of a file by `take`, with `state` in the trace, whose front is `perf`. */
ws_status ws_perf_read(ws_perf *perf, void *state, ws_row_trace_taker *take, ws_input *input,
                       const ws_read_options *options, const ws_sink *sink, ws_notes *notes, ws_error *error);

/* True when the line is perf's "# started on Sun Aug 24 12:00:00 2026". */
bool ws_perf_started(ws_row_trace *trace, ws_span line);

/* A decimal comma where none may be is refused with WS_FORMAT; other values that cannot be read become missing, with a
 * note. */
ws_status ws_perf_add(ws_row_trace *trace, const ws_perf_count *count, ws_error *error);

/* The totals since the last call cover that long. */
void ws_perf_elapsed(ws_perf *perf, int64_t elapsed_ns);

#endif
