#include "analyze/commands/report_folder.h"

#include "analyze/commands/unfinished.h"

#include <dirent.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const subfolders[] = {"figures", "tables", "data"};

/* All that a report has at its top, and what LaTeX makes of its document. */
static bool is_of_a_report(const char *name)
{
    static const char *const names[] = {".",           "..",         "figures",          "tables",
                                        "data",        "index.html", "report.tex",       "provenance.json",
                                        "numbers.tex", "report.pdf", "report.aux",       "report.log",
                                        "report.out",  "report.toc", "report.synctex.gz"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

static ws_status refuse_foreign(const char *path, ws_error *error)
{
    DIR *entries = opendir(path);
    ws_status status = WS_OK;
    if (!entries)
        return ws_fail_at(error, WS_IO, path, 0, "cannot be replaced: %s", strerror(errno));
    for (struct dirent *entry; status == WS_OK && (entry = readdir(entries));)
        if (!is_of_a_report(entry->d_name))
            status = ws_fail_at(error, WS_IO, path, 0,
                                "holds '%s', which is of no report, and is not replaced (name another folder)",
                                entry->d_name);
    closedir(entries);
    return status;
}

static ws_status check_target(const char *path, bool force, ws_error *error)
{
    struct stat about;
    if (lstat(path, &about) != 0)
        return WS_OK;
    if (!S_ISDIR(about.st_mode))
        return ws_fail_at(error, WS_IO, path, 0, "exists and is not a folder");
    if (!force)
        return ws_fail_at(error, WS_IO, path, 0, "exists already (--force replaces it)");
    return refuse_foreign(path, error);
}

/* Links are removed and not followed. */
static void remove_tree(const char *path)
{
    DIR *entries = remove(path) == 0 ? NULL : opendir(path);
    if (!entries)
        return;
    for (struct dirent *entry; (entry = readdir(entries));) {
        ws_arena arena = {0};
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            remove_tree(ws_arena_printf(&arena, "%s/%s", path, entry->d_name));
        ws_arena_free(&arena);
    }
    closedir(entries);
    remove(path);
}

static bool make_folder(const char *path)
{
    ws_unfinished_add(path);
    return mkdir(path, 0777) == 0;
}

ws_status ws_report_folder_begin(ws_report_folder *folder, const char *target, bool force, ws_error *error)
{
    *folder = (ws_report_folder){0};
    size_t length = strlen(target);
    while (length > 1 && target[length - 1] == '/')
        length--;
    folder->target = ws_arena_strndup(&folder->arena, target, length);
    ws_status status = check_target(folder->target, force, error);
    if (status != WS_OK)
        return status;
    const char *part = ws_arena_printf(&folder->arena, "%s.%ld.part", folder->target, (long)getpid());
    bool made = make_folder(part);
    if (made)
        folder->part = part;
    for (size_t i = 0; made && i < sizeof subfolders / sizeof *subfolders; i++)
        made = make_folder(ws_arena_printf(&folder->arena, "%s/%s", part, subfolders[i]));
    return made ? WS_OK : ws_fail_at(error, WS_IO, folder->target, 0, "cannot be made: %s", strerror(errno));
}

static ws_status cannot_write(const char *path, ws_error *error)
{
    return ws_fail_at(error, WS_IO, path, 0, "cannot be written: %s", strerror(errno));
}

ws_status ws_report_folder_write(const ws_report_folder *folder, const char *name, ws_file_writer *write,
                                 const void *what, ws_error *error)
{
    ws_arena arena = {0};
    ws_error why = {0};
    const char *shown = ws_arena_printf(&arena, "%s/%s", folder->target, name);
    const char *path = ws_arena_printf(&arena, "%s/%s", folder->part, name);
    ws_unfinished_add(path);
    FILE *stream = fopen(path, "w");
    ws_status status = stream ? write(stream, what, &why) : cannot_write(shown, error);
    if (stream && status != WS_OK)
        ws_fail_at(error, status, shown, 0, "%s", why.message);
    if (stream && fclose(stream) != 0 && status == WS_OK)
        status = cannot_write(shown, error);
    ws_arena_free(&arena);
    return status;
}

/* What was there steps aside first and comes back when the new one cannot take its place. */
static ws_status take_place(ws_report_folder *folder, ws_error *error)
{
    const char *old = ws_arena_printf(&folder->arena, "%s.%ld.old", folder->target, (long)getpid());
    struct stat about;
    bool replaces = lstat(folder->target, &about) == 0;
    if (replaces && rename(folder->target, old) != 0)
        return cannot_write(folder->target, error);
    if (rename(folder->part, folder->target) != 0) {
        cannot_write(folder->target, error);
        if (replaces && rename(old, folder->target) != 0)
            return ws_fail_at(error, WS_IO, old, 0, "is the report that was there before");
        return WS_IO;
    }
    folder->part = NULL;
    ws_unfinished_forget();
    if (replaces)
        remove_tree(old);
    return WS_OK;
}

ws_status ws_report_folder_finish(ws_report_folder *folder, ws_error *error)
{
    ws_unfinished_hold();
    ws_status status = take_place(folder, error);
    ws_unfinished_release();
    return status;
}

void ws_report_folder_free(ws_report_folder *folder)
{
    if (folder->part)
        remove_tree(folder->part);
    ws_unfinished_forget();
    ws_arena_free(&folder->arena);
    *folder = (ws_report_folder){0};
}
