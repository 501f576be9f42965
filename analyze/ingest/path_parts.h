/* What one path says by itself: the parts of its folders and of its file name. */
#ifndef WS_ANALYZE_PATH_PARTS_H
#define WS_ANALYZE_PATH_PARTS_H

#include "analyze/ingest/path_segment.h"

typedef struct ws_parted_path {
    ws_path_segment *segments;
    size_t n;
} ws_parted_path;

/* Everything lies in the arena. `splits`: as ws_read_segment has it, for each byte of the path; or NULL. Where a folder
 * is called as those of Huber et al. 2025 (4g256b4w10e), the first one of the path is one part, their series. */
ws_parted_path ws_path_parts(ws_arena *arena, const char *path, const bool *splits);

/* Does the first folder, which is no series then, say what was measured, as "gpu" and "cpu" do? */
bool ws_path_is_of_kind(const ws_parted_path *parted, const char *path);
/* It is a series all the same. */
void ws_path_name_series(ws_arena *arena, ws_parted_path *parted, const char *path);

/* The path as a pattern takes it: each {field} is a part, the text between them stands before it. False where it does
 * not match. */
bool ws_path_parts_by(ws_arena *arena, const char *pattern, const char *path, ws_parted_path *parted);

#endif
