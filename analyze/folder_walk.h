/* The files of folders, in a fixed order. Several processes (mpi_ranks.h) list the sub-folders together, where these
 * are many. */
#ifndef WS_ANALYZE_FOLDER_WALK_H
#define WS_ANALYZE_FOLDER_WALK_H

#include "core/note.h"
#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>

/* Paths of files, in the order of their names at each level. */
typedef struct ws_file_list {
    char **paths;
    size_t n, capacity;
} ws_file_list;

/* Every regular file below `root` (links to files are followed, links to folders are not, names that begin with a dot
 * are left out except .hydra, and so are folders that hold a report of wattscale). A folder that cannot be read is a
 * note. */
ws_status ws_walk(const char *root, ws_file_list *files, ws_notes *notes, ws_error *error);
void ws_file_list_add(ws_file_list *files, const char *path);
void ws_file_list_free(ws_file_list *files);

#endif
