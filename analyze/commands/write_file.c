/* What a command writes goes into a file beside the target, which is renamed when it is complete. An input of the
 * command is never the target, through whatever name. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "analyze/commands/cli.h"
#include "analyze/commands/unfinished.h"
#include "formats/input/input.h"

#include "core/arena.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static ws_status cannot_write(const char *path, ws_error *error)
{
    return ws_fail_at(error, WS_IO, path, 0, "cannot be written: %s", strerror(errno));
}

/* Everything, closed; what a full disk refuses shows at the close at the latest. */
static ws_status write_stream(FILE *stream, const char *path, ws_file_writer *write, const void *what, ws_error *error)
{
    ws_error why = {0};
    ws_status status = stream ? write(stream, what, &why) : cannot_write(path, error);
    if (stream && status != WS_OK)
        ws_fail_at(error, status, path, 0, "%s", why.message);
    if (stream && fclose(stream) != 0 && status == WS_OK)
        status = cannot_write(path, error);
    return status;
}

/* `replaced` is the file that the new one takes the place and the mode of, or NULL. */
static ws_status write_beside(const char *path, const struct stat *replaced, ws_file_writer *write, const void *what,
                              ws_error *error)
{
    ws_arena arena = {0};
    char *beside = ws_arena_printf(&arena, "%s.%ld.part", path, (long)getpid());
    ws_unfinished_add(beside);
    FILE *stream = fopen(beside, "wx");
    bool opened = stream;
    ws_status status = WS_OK;
    if (stream && replaced && fchmod(fileno(stream), replaced->st_mode & 07777) != 0) {
        status = cannot_write(path, error);
        fclose(stream);
    }
    if (status == WS_OK)
        status = write_stream(stream, path, write, what, error);
    if (status == WS_OK && rename(beside, path) != 0)
        status = cannot_write(path, error);
    if (status != WS_OK && opened)
        remove(beside);
    ws_unfinished_forget();
    ws_arena_free(&arena);
    return status;
}

static bool is_same_file(const char *path, const struct stat *target)
{
    struct stat about;
    return stat(path, &about) == 0 && about.st_dev == target->st_dev && about.st_ino == target->st_ino;
}

/* Does the file, whose name is resolved, lie anywhere below the folder? */
static bool lies_below(const char *folder, const char *file)
{
    char *top = realpath(folder, NULL);
    size_t n = top ? strlen(top) : 0;
    bool below = n && strncmp(file, top, n) == 0 && (file[n] == '/' || top[n - 1] == '/');
    free(top);
    return below;
}

/* Everything in a folder that is read is an input, except the description that scan writes into it. */
static bool is_input(const ws_cli *cli, const char *path, const struct stat *target)
{
    bool found = false;
    char *file = realpath(path, NULL);
    const char *slash = file ? strrchr(file, '/') : NULL;
    bool is_output = strcmp(cli->command->name, "scan") == 0 && slash && strcmp(slash + 1, "campaign.json") == 0;
    for (size_t i = 0; i < cli->n_arguments && !found; i++)
        found = is_same_file(cli->arguments[i], target) ||
                (!is_output && file && ws_is_directory(cli->arguments[i]) && lies_below(cli->arguments[i], file));
    free(file);
    return found;
}

/* A name that is a link stays one: the file that it points to is replaced. */
static ws_status replace(const char *path, const struct stat *about, ws_file_writer *write, const void *what,
                         ws_error *error)
{
    char *target = realpath(path, NULL);
    ws_status status = target ? write_beside(target, about, write, what, error) : cannot_write(path, error);
    free(target);
    return status;
}

ws_status ws_cli_check_folder(const char *path, ws_error *error)
{
    const char *slash = strrchr(path, '/');
    ws_arena arena = {0};
    const char *folder = slash ? ws_arena_strndup(&arena, path, (size_t)(slash - path) + 1) : ".";
    ws_status status = access(folder, W_OK | X_OK) == 0 ? WS_OK : cannot_write(path, error);
    ws_arena_free(&arena);
    return status;
}

/* May the file be written, as far as can be known before? `about` is what stands there, of mode 0: nothing. */
static ws_status check_file(const ws_cli *cli, const char *path, struct stat *about, ws_error *error)
{
    bool exists = stat(path, about) == 0;
    if (!exists && lstat(path, about) == 0)
        return ws_fail_at(error, WS_IO, path, 0, "is a link to a file that is not there");
    if (!exists) {
        about->st_mode = 0;
        return ws_cli_check_folder(path, error);
    }
    if (S_ISDIR(about->st_mode))
        return ws_fail_at(error, WS_IO, path, 0, "is a folder, the name of a file is needed here");
    if (!S_ISREG(about->st_mode))
        return WS_OK;
    if (is_input(cli, path, about))
        return ws_fail_at(error, WS_IO, path, 0, "is an input of this command and is left as it is");
    if (!ws_cli_has(cli, "force"))
        return ws_fail_at(error, WS_IO, path, 0, "exists already (--force replaces it)");
    return WS_OK;
}

ws_status ws_cli_check_outputs(const ws_cli *cli, ws_error *error)
{
    ws_status status = WS_OK;
    struct stat about;
    for (size_t i = 0; i < cli->n_given && status == WS_OK; i++) {
        const char *path = cli->given[i].value;
        if (ws_cli_names_output(cli, cli->given[i].option) && strcmp(path, "-") != 0)
            status = check_file(cli, path, &about, error);
    }
    return status;
}

ws_status ws_cli_write_file(const ws_cli *cli, const char *path, ws_file_writer *write, const void *what,
                            ws_error *error)
{
    struct stat about;
    ws_status status = check_file(cli, path, &about, error);
    if (status != WS_OK)
        return status;
    if (!about.st_mode)
        return write_beside(path, NULL, write, what, error);
    if (!S_ISREG(about.st_mode)) /* a device or a pipe takes bytes and must not be renamed over */
        return write_stream(fopen(path, "w"), path, write, what, error);
    return replace(path, &about, write, what, error);
}

ws_status ws_cli_write(const ws_cli *cli, ws_file_writer *write, const void *what, ws_error *error)
{
    const char *path = ws_cli_value(cli, "output");
    if (path && strcmp(path, "-") != 0)
        return ws_cli_write_file(cli, path, write, what, error);
    ws_error why = {0};
    ws_status status = write(cli->out, what, &why);
    if (status != WS_OK)
        return ws_fail_at(error, status, "standard output", 0, "%s", why.message);
    return fflush(cli->out) == 0 ? WS_OK : cannot_write("standard output", error);
}
