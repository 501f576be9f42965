/* The samples of one channel of perun's tree on their way to the sink. */
#ifndef WS_FORMATS_PERUN_SAMPLES_H
#define WS_FORMATS_PERUN_SAMPLES_H

#include "core/sample.h"
#include "formats/hdf5/perun_tree.h"

#include <stddef.h>
#include <stdint.h>

/* So many samples go to the sink at once: few enough to stay in the cache until they are metered. */
enum { WS_PERUN_WINDOW = 8192 };

/* Samples in SI. */
typedef struct ws_perun_window {
    int64_t t_ns[WS_PERUN_WINDOW];
    double value[WS_PERUN_WINDOW];
} ws_perun_window;

typedef struct ws_perun_source {
    const ws_perun_series *time, *values;
    uint64_t n;  /* samples: stamps and readings that have a partner */
    size_t lead; /* 1: values[i] belongs to stamp i + 1, and the first opens the series, too (perun's P_0 := P_1) */
    double to_si;
} ws_perun_source;

/* Room for samples on their way. What was pushed stays as it is for as long as reader_thread.h asks. */
ws_perun_samples *ws_perun_samples_new(void);
/* The same in the caller's windows, which are filled in turn. */
ws_perun_samples *ws_perun_samples_in(ws_perun_window *windows, size_t n_windows);
void ws_perun_samples_free(ws_perun_samples *samples);

/* All samples of a channel; those whose stamp is no time are left out and counted in *bad_times, also where a read
 * fails. */
ws_status ws_perun_push_samples(const ws_perun_tree *tree, const ws_perun_source *from, const ws_sink *sink, int id,
                                uint64_t *bad_times, ws_error *error);

/* A block of n samples, of WS_PERUN_WINDOW at most, that were read elsewhere. False where one has no time that a
 * stamp in seconds could have. */
bool ws_perun_copy_samples(ws_perun_samples *samples, size_t n, const ws_perun_window *from, ws_block *block);

#endif
