/* Measurements for Extra-P's modeller, as its text and JSON input. */
#ifndef WS_REPORT_EXTRAP_H
#define WS_REPORT_EXTRAP_H

#include "core/status.h"

#include <stddef.h>
#include <stdio.h>

/* The repeats of one metric of one region at one point; none where it was not measured. */
typedef struct ws_extrap_cell {
    const double *values;
    size_t n;
} ws_extrap_cell;

typedef struct ws_extrap {
    const char *const *parameters, *const *metrics, *const *regions;
    size_t n_parameters, n_metrics, n_regions, n_points;
    const double *points;        /* n_parameters numbers a point */
    const ws_extrap_cell *cells; /* [region][metric][point] */
} ws_extrap;

/* PARAMETER, POINTS, REGION, METRIC, DATA. Every region needs every metric at every point there: WS_DATA names what is
 * missing. */
ws_status ws_extrap_write_text(FILE *stream, const ws_extrap *data, ws_error *error);

/* {"parameters":[...],"measurements":{REGION:{METRIC:[{"point":[...],"values":[...]}]}}}; points without values are
 * left out. */
ws_status ws_extrap_write_json(FILE *stream, const ws_extrap *data, ws_error *error);

#endif
