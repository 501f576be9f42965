/* Means of a measurement as github-action-benchmark reads them (tool customSmallerIsBetter or customBiggerIsBetter). */
#ifndef WS_REPORT_BENCHMARK_H
#define WS_REPORT_BENCHMARK_H

#include "core/status.h"

#include <stddef.h>
#include <stdio.h>

typedef struct ws_benchmark {
    const char *name, *unit;
    double value;
    double spread; /* standard deviation of the runs; NaN: one run */
    size_t n;
    const char *remark;
} ws_benchmark;

/* [{"name": ..., "unit": ..., "value": ..., "range": "± 0.5", "extra": "5 runs: ..."}] */
ws_status ws_benchmark_write(FILE *stream, const ws_benchmark *entries, size_t n, ws_error *error);

#endif
