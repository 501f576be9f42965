/* What the devices of one run are made to read, in the whole numbers that go into the files.
 *
 * The truth of a run is computed from these numbers and from nothing else, so it holds for the files to the last digit:
 * GPU energy is the trapezoid of the readings, CPU and DRAM energy is the difference of the counters. */
#ifndef WS_SYNTH_TRACE_H
#define WS_SYNTH_TRACE_H

#include "datasets/synth/plan.h"

#include <stddef.h>

typedef struct ws_synth_device {
    ws_domain domain; /* WS_GPU: readings in mW; WS_CPU (a package) and WS_DRAM: counters in uJ that wrap at range_uj */
    int node, index;  /* from 0; the index counts within the node */
    size_t n;
    int64_t *t_ns; /* since the first sample of the run */
    uint64_t *reading;
    uint64_t range_uj;
} ws_synth_device;

typedef struct ws_synth_trace {
    ws_synth_device *devices; /* by node, then GPUs, packages, memories */
    size_t n;
    ws_arena arena; /* owns all of it */
} ws_synth_trace;

/* Frees nothing of an earlier trace: call ws_synth_trace_free between two runs. */
void ws_synth_trace_make(ws_synth_trace *trace, const ws_synth_campaign *campaign, const ws_synth_run *run);
void ws_synth_trace_free(ws_synth_trace *trace);

double ws_synth_trace_energy_j(const ws_synth_trace *trace, ws_domain domain); /* sum over its devices */
double ws_synth_trace_wall_s(const ws_synth_trace *trace);                     /* of the longest device */

/* The device, or NULL: nodes and indices count from 0. */
const ws_synth_device *ws_synth_trace_find(const ws_synth_trace *trace, int node, ws_domain domain, int index);

/* Step of a counter from sample i - 1 to i, a wrap undone. */
uint64_t ws_synth_counter_step(const ws_synth_device *device, size_t i);

#endif
