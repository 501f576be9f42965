/* Files whose names have the same shape form a tree of segments: a folder's name is examined once for all files below
 * it. A place is a part of a segment of that tree, with the values of all files that go through it. */
#ifndef WS_ANALYZE_PATH_PLACES_H
#define WS_ANALYZE_PATH_PLACES_H

#include "analyze/ingest/scan_file.h"

/* Calls back for every file whose readings decide what a part of its name is; fills is_read and the rest. */
typedef void ws_read_spans(void *state, ws_scan_file **files, size_t n);

typedef struct ws_path_shape {
    const struct ws_path_shape *parent;
    const char *key;
    size_t depth;
    bool is_side;         /* a file's name that stays as it is */
    ws_scan_file **files; /* that go through it */
    size_t n, capacity;
} ws_path_shape;

typedef struct ws_path_finder {
    ws_arena *arena;
    ws_scan_file *files;
    size_t n;
    ws_path_shape **shapes; /* parents before their children */
    size_t n_shapes, capacity;
    ws_read_spans *read;
    void *state;
    struct ws_place_file *by_values; /* all files, by the values of the parts of their paths; NULL until it is needed */
} ws_path_finder;

/* Reads the file's path, by the user's pattern (NULL: none) where that takes it. */
void ws_read_parts(ws_path_finder *d, ws_scan_file *f, const char *pattern);

/* "model_a-1", "model_a-2": where such numbers count 0, 1, 2 or 1, 2, 3 over files of different times and about one
 * length that agree in all else, the dash in front of them parts names, though other signs do so already. */
void ws_split_counted_names(ws_path_finder *d);

bool ws_follow_each_other(const ws_scan_file *a, const ws_scan_file *b); /* false without dates */

/* The shapes of all files that no pattern took; freed by the caller. */
void ws_build_shapes(ws_path_finder *d);

const ws_part *ws_part_of(const ws_scan_file *f, size_t depth, size_t part);

/* A place of a shape, its values sorted and each of them once. */
typedef struct ws_path_place {
    const ws_path_shape *of;
    size_t part;
    const char **values;
    size_t n;
} ws_path_place;

/* The caller frees `values`. */
ws_path_place ws_place_of(const ws_path_shape *s, size_t part);
void ws_place_set(const ws_path_place *p, const char *name); /* the field of all its files */
bool ws_place_all(const ws_path_place *p, bool (*test)(ws_span text));
bool ws_place_has(const ws_path_place *p, const char *value);

/* A file and what it is grouped by. */
typedef struct ws_place_file {
    const char *key;
    ws_scan_file *file;
} ws_place_file;

/* Files that differ in this place only may differ in these besides. */
typedef enum ws_passed { WS_PASS_NOTHING, WS_PASS_DATES, WS_PASS_ALL_BUT_SETTINGS } ws_passed;

/* All files of the place, those that differ in nothing else behind each other; freed by the caller. */
ws_place_file *ws_group_place(ws_path_finder *d, const ws_path_place *p, ws_passed passes);
size_t ws_group_end(const ws_place_file *g, size_t from, size_t n);

#endif
