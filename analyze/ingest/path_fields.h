/* What all paths of a campaign say together: which parts of their names vary, and what each of them is. */
#ifndef WS_ANALYZE_PATH_FIELDS_H
#define WS_ANALYZE_PATH_FIELDS_H

#include "analyze/ingest/path_parts.h"

#include <stddef.h>
#include <stdint.h>

/* A file that is a run's or lies beside one. The caller fills it but for `parts` and `names`. */
typedef struct ws_scan_file {
    const char *path;   /* relative to the campaign's folder */
    const char *format; /* its name */
    bool is_side;       /* no run's own: a part of its name gives no name to those of runs */
    bool is_literal;    /* and the texts of its name stay as they are */
    ws_parted_path parts;
    bool is_by_pattern;

    /* What the readings say, where ws_path_fields_needs asked for it. */
    bool is_read, is_dated;
    int64_t start_ns, end_ns;
    size_t gpus;

    const char ***names; /* of each segment's parts: the field that it became, or NULL where it stays as it is */
} ws_scan_file;

/* Calls `read` for every file whose readings decide what a part of its name is; it fills is_read and the rest. */
typedef void ws_read_spans(void *state, ws_scan_file **files, size_t n);

/* Files that `pattern` takes (NULL: none) have its fields. */
void ws_path_fields(ws_arena *arena, ws_scan_file *files, size_t n, const char *pattern, ws_read_spans *read,
                    void *state);

/* The rule that takes the file: "{series}_{gpus}gpu_bs{batch}_rep{repeat}/gpu.csv". */
const char *ws_path_pattern(ws_arena *arena, const ws_scan_file *file);

/* The file's value of a field; NULL where it has none. */
const char *ws_path_value(const ws_scan_file *file, const char *field);

#endif
