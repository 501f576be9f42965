/* What the two readers of `perf stat` share: energy counts in, channels out. */
#ifndef WS_FORMATS_PERF_STAT_H
#define WS_FORMATS_PERF_STAT_H

#include "core/note.h"
#include "core/sample.h"
#include "core/text.h"
#include "formats/format.h"

#include <stdbool.h>
#include <stdint.h>

/* One count, its spans good for the call. */
typedef struct ws_perf_count {
    int64_t line;
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

typedef struct ws_perf ws_perf;

ws_perf *ws_perf_new(ws_input *input, const ws_read_options *options, const ws_sink *sink, ws_notes *notes);
void ws_perf_free(ws_perf *perf);

/* True when the line is perf's "# started on Sun Aug 24 12:00:00 2026". */
bool ws_perf_started(ws_perf *perf, ws_span line, int64_t number);

/* A decimal comma where none may be is refused with WS_FORMAT; other values that cannot be read become missing, with a
 * note. */
ws_status ws_perf_add(ws_perf *perf, const ws_perf_count *count, ws_error *error);

/* The totals since the last call cover that long. */
void ws_perf_elapsed(ws_perf *perf, int64_t elapsed_ns);

ws_status ws_perf_finish(ws_perf *perf, ws_error *error); /* push what is still here */

#endif
