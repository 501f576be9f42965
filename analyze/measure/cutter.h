/* One stream of samples cut into windows, each with a measure of its own: a node's continuous log that holds many runs
 * is read once.
 *
 * A window gets the samples inside it and the one before and after, so that its meter can cut the intervals at its
 * ends. Of the window of a job the powers around it are watched, too (power_times.h). Samples of other nodes than the
 * window's are left out; a source that names no node goes into every window. */
#ifndef WS_ANALYZE_CUTTER_H
#define WS_ANALYZE_CUTTER_H

#include "analyze/measure/measure.h"

typedef struct ws_cut {
    int64_t start_ns, end_ns; /* start < end; on the calendar unless is_relative */
    bool is_relative;         /* they count from the trace's start */
    const char *run;          /* borrowed; NULL: any */
    const char *const *nodes; /* borrowed; a host's name with or without its domain */
    size_t n_nodes;           /* 0: any node */
    bool is_job;
    ws_measure measure;
} ws_cut;

/* All of them in the order of their starts; the caller frees the array. */
ws_cut **ws_cuts_by_start(ws_cut *cuts, size_t n);

typedef struct ws_cutter ws_cutter;

/* The cuts are the caller's, in any order; their measures are initialised here and freed by the caller. */
ws_cutter *ws_cutter_new(ws_cut *cuts, size_t n, const ws_measure_options *options);
void ws_cutter_free(ws_cutter *cutter);

void ws_cutter_begin(ws_cutter *cutter, const char *source, const char *node); /* see ws_measure_begin */
ws_sink ws_cutter_sink(ws_cutter *cutter);

/* Takes the window what a node of that name gives? "" for a source that names none. */
bool ws_cut_wants(const ws_cut *cut, const char *node);

/* "node7" is "node7.cluster.example". */
bool ws_same_host(const char *a, const char *b);

#endif
