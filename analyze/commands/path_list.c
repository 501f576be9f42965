#include "analyze/commands/path_list.h"
#include "analyze/folder_walk.h"
#include "formats/input/input.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static void path_list_add(ws_path_list *list, const char *path, size_t argument, bool named, bool is_last)
{
    list->paths = ws_grow(list->paths, &list->capacity, list->n + 1, sizeof *list->paths);
    list->paths[list->n++] = (ws_path){path, argument, named, is_last};
}

/* An archive that standard input was redirected from is a file, and one that comes down a pipe is none. */
static const char *folder_of(const char *argument)
{
    static const char standard_input[] = "/dev/stdin";
    const char *path = strcmp(argument, "-") == 0 ? standard_input : argument;
    return ws_is_directory(path) ? path : NULL;
}

void ws_path_list_fill(ws_path_list *list, const ws_cli *cli, ws_notes *notes)
{
    *list = (ws_path_list){.n_arguments = cli->n_arguments};
    list->folders = ws_alloc(cli->n_arguments * sizeof *list->folders);
    list->is_folder = ws_alloc(cli->n_arguments * sizeof *list->is_folder);
    for (size_t i = 0; i < cli->n_arguments; i++) {
        ws_file_list *files = &list->folders[i];
        ws_error error = {0};
        const char *folder = folder_of(cli->arguments[i]);
        list->is_folder[i] = folder != NULL;
        if (!folder) {
            path_list_add(list, cli->arguments[i], i, true, true);
            continue;
        }
        ws_notes walked = {0};
        ws_walk(folder, files, &walked, &error);
        ws_cli_count_unread(cli, folder, &walked);
        ws_notes_append(notes, &walked);
        ws_notes_free(&walked);
        for (size_t k = 0; k < files->n; k++)
            path_list_add(list, files->paths[k], i, false, k + 1 == files->n);
    }
}

uint64_t ws_path_list_bytes(const ws_path_list *list)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < list->n; i++) {
        struct stat about;
        if (stat(list->paths[i].path, &about) == 0 && S_ISREG(about.st_mode))
            bytes += (uint64_t)about.st_size;
    }
    return bytes;
}

void ws_path_list_free(ws_path_list *list)
{
    for (size_t i = 0; i < list->n_arguments; i++)
        if (list->is_folder[i])
            ws_file_list_free(&list->folders[i]);
    free(list->folders);
    free(list->is_folder);
    free(list->paths);
    *list = (ws_path_list){0};
}
