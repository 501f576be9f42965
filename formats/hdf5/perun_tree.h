/* perun's tree of a measured application, behind the two files that hold it (HDF5 and JSON).
 *
 * app -> multi-run (one call of `perun monitor`) -> run (a round) -> host -> device group -> sensor; up to 0.3.3 the
 * tree begins at the run. */
#ifndef WS_FORMATS_PERUN_TREE_H
#define WS_FORMATS_PERUN_TREE_H

#include "core/arena.h"
#include "core/note.h"
#include "core/sample.h"
#include "core/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A place in the tree; what it holds is the file's affair. */
typedef union ws_perun_ref {
    int64_t id;
    const void *object;
    void *reader;
} ws_perun_ref;

/* Where the children of a place are kept: its nodes, which are sensors in a device group. */
typedef enum ws_perun_part {
    WS_PERUN_NODES = 0,
    WS_PERUN_SENSORS,
    WS_PERUN_REGIONS,
    WS_PERUN_RAW_DATA,
    WS_PERUN_METRICS,
    WS_PERUN_ITSELF /* all that lies in the place */
} ws_perun_part;

/* "nodes", "regions", ...; not of WS_PERUN_ITSELF. */
const char *ws_perun_part_name(ws_perun_part part);

/* In HDF5 files perun writes these groups for every place, empty ones, too. */
static inline bool ws_perun_is_always_there(ws_perun_part part)
{
    return part == WS_PERUN_NODES || part == WS_PERUN_SENSORS || part == WS_PERUN_METRICS;
}

typedef struct ws_perun_names {
    const char **items; /* in the arena that was given */
    size_t n, capacity;
    bool is_damaged; /* there are more, or may be, but they cannot be listed */
} ws_perun_names;

/* A number that perun computed, in its unit's SI: stored value times magnitude. */
typedef struct ws_perun_metric {
    double value;
    char unit[8];
} ws_perun_metric;

#define WS_PERUN_LOST_UNIT "?"

/* A vector of raw data: SI = value * magnitude, up to the unit. The magnitude is NaN where perun has written one that
 * cannot be read. */
typedef struct ws_perun_series {
    ws_perun_ref ref;
    uint64_t n;
    double magnitude;
} ws_perun_series;

typedef struct ws_perun_samples ws_perun_samples; /* perun_samples.h */

typedef struct ws_perun_tree {
    void *state;
    ws_perun_samples *samples; /* of who holds the tree */
    const char *source;        /* for messages */
    uint64_t bytes;            /* of the file; UINT64_MAX where nothing in it can be reached twice */
    bool (*open)(void *state, ws_perun_ref parent, ws_perun_part part, const char *name, ws_perun_ref *child);
    void (*close)(void *state, ws_perun_ref place);
    /* In any order; *names is empty before. */
    void (*names)(void *state, ws_perun_ref place, ws_perun_part part, ws_arena *arena, ws_perun_names *names);
    bool (*is_sensor)(void *state, ws_perun_ref place); /* has raw data */
    /* Metadata as text, numbers and lists of numbers included; NULL where there is none. */
    const char *(*text)(void *state, ws_perun_ref place, const char *key, ws_arena *arena);
    /* A number of the metadata, or of a metric. False where there is none, or it is no number. */
    bool (*number)(void *state, ws_perun_ref place, const char *key, double *value);
    /* The unit of a sensor's "values" or "alt_values", WS_PERUN_LOST_UNIT where perun has written one that cannot be
     * read. False: there are none. */
    bool (*unit)(void *state, ws_perun_ref place, const char *name, char unit[8]);
    /* The largest of them that is valid, before the magnitude; NaN where not stated. */
    double (*valid_max)(void *state, ws_perun_ref place, const char *name);
    /* "timesteps", "values", "alt_values" of a sensor, a rank's events of a region. False: there is none to use. */
    bool (*series)(void *state, ws_perun_ref place, const char *name, ws_perun_series *series);
    void (*close_series)(void *state, ws_perun_series *series);
    /* first + count <= series->n. Elements that are no numbers become NaN. */
    ws_status (*read)(void *state, const ws_perun_series *series, uint64_t first, size_t count, double *value,
                      ws_error *error);
} ws_perun_tree;

void ws_perun_add_name(ws_perun_names *names, ws_arena *arena, const char *name); /* a copy of it */
/* False, and "", for a text that is NULL or too long to be one. */
bool ws_perun_keep_unit(const char *text, char unit[8]);

/* The metric of a node or region: its value, or the mean where it is a statistic. False where there is none. */
bool ws_perun_metric_of(const ws_perun_tree *tree, ws_perun_ref place, const char *name, ws_perun_metric *metric);

/* Numbers in names count as numbers: "2" comes before "10". */
ws_perun_names ws_perun_children(const ws_perun_tree *tree, ws_perun_ref place, ws_perun_part part, ws_arena *arena);

#endif
