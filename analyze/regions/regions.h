/* Named regions of a trace: when they were entered and left. Marker files and perun say so.
 *
 * A visit is one region at one place (a host of a run): its stretches are sorted and do not overlap, so that a host
 * that several ranks enter together is counted once. Stretches of different regions may overlap. */
#ifndef WS_ANALYZE_REGIONS_H
#define WS_ANALYZE_REGIONS_H

#include "analyze/measure/metered.h"
#include "core/table.h"

/* A marker file's last region has no end of its own: it goes on to the end of the trace. */
#define WS_REGION_OPEN INT64_MAX

typedef struct ws_region_stretch {
    int64_t start_ns, end_ns; /* start < end */
} ws_region_stretch;

typedef struct ws_region_visit {
    size_t region;          /* index in the names */
    const char *run, *node; /* NULL: every one */
    uint64_t entries;
    ws_region_stretch *stretches;
    size_t n, capacity;
} ws_region_visit;

typedef struct ws_regions {
    bool is_relative;   /* they count from the trace's start; else from the epoch */
    const char **names; /* in the order of their first entry */
    size_t n_names, name_capacity;
    ws_region_visit *visits;
    size_t n_visits, visit_capacity;
    ws_arena arena;
} ws_regions;

void ws_regions_free(ws_regions *regions); /* leaves a valid empty one */

/* The visit of that name and place, which is added where there is none. Texts are copied. Good until the next call. */
ws_region_visit *ws_regions_visit(ws_regions *regions, const char *name, const char *run, const char *node);
void ws_region_add(ws_region_visit *visit, int64_t start_ns, int64_t end_ns); /* nothing where it has no length */
void ws_region_unite(ws_region_visit *visit); /* sorts the stretches, and makes one of those that overlap */

/* From the rows of a table with the columns time and label: a region begins at its row and ends at the next one; an
 * empty label or "end" begins none. Times are dates (those without a zone in `zone`) or seconds since the trace's
 * start, and rise from row to row. WS_DATA with the line and the remedy for anything else. */
ws_status ws_regions_of_markers(ws_regions *regions, const ws_table *markers, int32_t zone, ws_notes *notes,
                                ws_error *error);

/* From the facts of a measure of perun's files (formats/hdf5/perun_facts.h): of each host the time in which any of its
 * ranks was in the region. Passes that have no end are left out. */
void ws_regions_of_perun(ws_regions *regions, const ws_measure *measure, ws_notes *notes);

#endif
