/* What the sources of one energy say beside each other: a counter and the integrated power of the same GPUs, the total
 * that a logger printed. */
#ifndef WS_ANALYZE_SOURCES_H
#define WS_ANALYZE_SOURCES_H

#include "analyze/measure/measure_groups.h"
#include "core/table.h"

/* Columns of the table of sources, in this order. */
enum {
    WS_SOURCES_PATH,    /* left empty */
    WS_SOURCES_RUN,     /* as given */
    WS_SOURCES_DOMAIN,  /* "gpu" ... */
    WS_SOURCES_SOURCE,  /* the rule: "counter", "trapezoid", "given" ..., or "stored" */
    WS_SOURCES_COLUMN,  /* as spelled at the first device */
    WS_SOURCES_DEVICES, /* how many have it */
    WS_SOURCES_ENERGY,  /* J, of these devices */
    WS_SOURCES_RATIO    /* to the energy that counts of the same devices; 1 where this is it */
};
void ws_sources_init(ws_table *table);

/* Adds the sources of a run's devices, a row each: domains in their order, of each
 * the one that counts first. Channels without an energy are left out. ws_measure_finish must have run. */
void ws_sources_add(const ws_measure *measure, const ws_measure_group *of, const char *run, ws_table *table);

#endif
