/* The files behind the PATH arguments of a command, for ws_parallel_run. */
#ifndef WS_ANALYZE_PATH_LIST_H
#define WS_ANALYZE_PATH_LIST_H

#include "analyze/commands/cli.h"
#include "analyze/folder_walk.h"

typedef struct ws_path {
    const char *path;
    size_t argument;
    bool named;   /* on the command line: it must be readable; what lies in a folder may be anything */
    bool is_last; /* of its argument */
} ws_path;

typedef struct ws_path_list {
    ws_path *paths;
    size_t n, capacity;
    size_t n_arguments;
    ws_file_list *folders; /* one an argument: its files; empty for a file */
    bool *is_folder;       /* one an argument: a folder or an archive */
} ws_path_list;

/* Every argument in turn, folders walked; damaged archives and closed folders count in cli->unread, whatever of them
 * was listed. Filled from empty. */
void ws_path_list_fill(ws_path_list *list, const ws_cli *cli, ws_notes *notes);
uint64_t ws_path_list_bytes(const ws_path_list *list); /* the sizes of the files, added */
void ws_path_list_free(ws_path_list *list);

#endif
