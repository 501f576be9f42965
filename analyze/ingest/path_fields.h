/* What all paths of a campaign say together: which parts of their names vary, and what each of them is. */
#ifndef WS_ANALYZE_PATH_FIELDS_H
#define WS_ANALYZE_PATH_FIELDS_H

#include "analyze/ingest/path_places.h"

/* Files that `pattern` takes (NULL: none) have its fields. */
void ws_path_fields(ws_arena *arena, ws_scan_file *files, size_t n, const char *pattern, ws_read_spans *read,
                    void *state);

#endif
