/* What each file of a folder is for a campaign: a trace, a record of runs, something beside them, a copy of another
 * one. */
#ifndef WS_ANALYZE_FILE_ROLES_H
#define WS_ANALYZE_FILE_ROLES_H

#include "analyze/scan_memory.h"
#include "core/arena.h"
#include "core/note.h"
#include "core/status.h"
#include "formats/format.h"

#include <stdbool.h>
#include <stdint.h>

struct ws_file_list;

typedef enum ws_file_role {
    WS_FILE_NO_USE = 0,
    WS_FILE_TRACE,
    WS_FILE_ROWS,   /* a table whose rows are runs */
    WS_FILE_WINDOW, /* says when a run took place */
    WS_FILE_SIDE,   /* says something of a run */
    WS_FILE_TABLE,  /* a table of runs, above their folders or files (run_tables.h) */
    WS_FILE_IGNORED /* repeats what another file holds */
} ws_file_role;

typedef struct ws_found_file {
    const char *path, *inside; /* as opened, relative to the folder */
    ws_file_head head;
    ws_scan_fact *fact; /* of the memory, or NULL */
    ws_file_role role;
    const char *run_column; /* of a table of runs: the column that names them */
    size_t run_depth;       /* ... as segment `run_depth` of their paths, without its ending where `run_is_stem` */
    bool run_is_stem;
} ws_found_file;

typedef struct ws_found_files {
    ws_found_file *files; /* in the order of their paths */
    size_t n;
} ws_found_files;

/* Looks at each of the files below the folder that the memory, if any, does not know. What is found, and its texts, lie
 * in the arena. What is unreadable or repeats another file is noted. */
void ws_find_roles(const char *folder, const struct ws_file_list *files, unsigned threads, ws_scan_memory *memory,
                   ws_arena *arena, ws_found_files *found, ws_notes *notes);

size_t ws_count_role(const ws_found_files *found, ws_file_role role);
bool ws_is_format(const ws_found_file *file, const char *name);

/* Bytes of the path down to its last '/', that one included. */
size_t ws_folder_length(const char *path);
bool ws_same_folder(const char *a, const char *b);

#endif
