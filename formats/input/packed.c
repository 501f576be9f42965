#include "formats/input/packed.h"

#include "core/arena.h"
#include "core/text.h"
#include "formats/input/unpack/archive_cache.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct ws_packed {
    ws_archive_cache *shelf;
    ws_archived_file file;
    size_t given;
    bool failed;
};

static bool has_archive_name(const char *path)
{
    static const char *const suffixes[] = {".zip",  ".tar",    ".tar.gz", ".tgz",    ".tar.bz2",
                                           ".tbz2", ".tar.xz", ".txz",    ".tar.zst"};
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
        if (ws_span_has_suffix(ws_span_of(path), suffixes[i]))
            return true;
    return false;
}

static bool is_file(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISREG(about.st_mode);
}

static bool is_tensor(const ws_unpack_file *first)
{
    return first->name && ws_span_has_suffix(ws_span_of(first->name), "data.pkl");
}

/* Bytes of a ZIP or a tar, or of what may be a packed tar: enough for most files to be known as none. */
static bool may_hold_files(const char *path)
{
    static const struct {
        size_t at;
        const char *bytes;
    } known[] = {{0, "PK\003\004"},
                 {257, "ustar"},
                 {0, "\x1f\x8b"},
                 {0, "\x28\xb5\x2f\xfd"},
                 {0, "\xfd"
                     "7zXZ"},
                 {0, "BZh"}};
    char head[512];
    FILE *file = fopen(path, "rb");
    size_t n = file ? fread(head, 1, sizeof head, file) : 0;
    if (file)
        fclose(file);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (n > known[i].at && ws_span_has_prefix((ws_span){head + known[i].at, n - known[i].at}, known[i].bytes))
            return true;
    return false;
}

/* Does the content begin as an archive does? */
static bool holds_files(const char *path)
{
    enum { ENOUGH = 16 * 1024 };
    ws_unpack *unpack = ws_unpack_archive(path, ENOUGH, NULL);
    ws_unpack_file first;
    bool holds = unpack && ws_unpack_next(unpack, &first) > 0 && !is_tensor(&first);
    ws_unpack_close(unpack);
    return holds;
}

bool ws_packed_is_named(const char *path)
{
    return has_archive_name(path) && is_file(path);
}

bool ws_packed_is(const char *path)
{
    return is_file(path) && (has_archive_name(path) || (may_hold_files(path) && holds_files(path)));
}

/* Of the folders above a path, at most one can be a file. */
size_t ws_packed_outer(const char *path)
{
    ws_arena arena = {0};
    size_t n = 0;
    for (const char *slash = strchr(path, '/'); slash && !n; slash = strchr(slash + 1, '/')) {
        const char *outer = ws_arena_strndup(&arena, path, (size_t)(slash - path));
        if (is_file(outer))
            n = ws_packed_is(outer) ? strlen(outer) : 0;
    }
    ws_arena_free(&arena);
    return n;
}

static bool is_visible(const char *name)
{
    return *name && *name != '.' && !strstr(name, "/.");
}

ws_status ws_packed_list(const char *path, ws_packed_visit *visit, void *state, ws_error *error)
{
    ws_archive_cache *shelf = ws_archive_cache_get(path, error);
    if (!shelf)
        return WS_FORMAT;
    for (size_t i = 0; i < ws_archive_cache_count(shelf); i++) {
        ws_arena arena = {0};
        const char *name = ws_archive_cache_name(shelf, i);
        if (is_visible(name))
            visit(state, ws_arena_printf(&arena, "%s/%s", path, name));
        ws_arena_free(&arena);
    }
    ws_status status = ws_archive_cache_status(shelf, error);
    ws_archive_cache_put(shelf);
    return status;
}

/* The archive that holds a file, and which of its files it is. */
static ws_archive_cache *find_shelf(const char *path, size_t *member, ws_error *error)
{
    ws_arena arena = {0};
    const char *outer = ws_arena_strndup(&arena, path, ws_packed_outer(path));
    ws_archive_cache *shelf = *outer ? ws_archive_cache_get(outer, error) : NULL;
    bool found = shelf && ws_archive_cache_find(shelf, path + strlen(outer) + 1, member);
    if (!*outer)
        ws_fail_at(error, WS_IO, path, 0, "lies in no archive");
    else if (shelf && !found && ws_archive_cache_status(shelf, error) == WS_OK)
        ws_fail_at(error, WS_IO, path, 0, "the archive '%s' holds no such file", outer);
    if (shelf && !found)
        ws_archive_cache_put(shelf);
    ws_arena_free(&arena);
    return found ? shelf : NULL;
}

bool ws_packed_holds(const char *path)
{
    size_t member;
    ws_archive_cache *shelf = find_shelf(path, &member, NULL);
    if (shelf)
        ws_archive_cache_put(shelf);
    return shelf != NULL;
}

ws_packed *ws_packed_open(const char *path, ws_error *error)
{
    size_t member;
    ws_archive_cache *shelf = find_shelf(path, &member, error);
    if (!shelf)
        return NULL;
    ws_packed *packed = ws_alloc(sizeof *packed);
    packed->shelf = shelf;
    if (ws_archive_cache_take(shelf, member, &packed->file, error) == WS_OK)
        return packed;
    ws_packed_close(packed);
    return NULL;
}

void ws_packed_close(ws_packed *packed)
{
    if (!packed)
        return;
    if (packed->file.walk)
        ws_archive_cache_give_back(packed->shelf, packed->file.walk, !packed->failed);
    ws_archive_cache_put(packed->shelf);
    free(packed->file.bytes);
    free(packed);
}

ssize_t ws_packed_read(ws_packed *packed, char *buffer, size_t size)
{
    size_t left = packed->file.n - packed->given, n = left < size ? left : size;
    if (n) {
        memcpy(buffer, packed->file.bytes + packed->given, n);
        packed->given += n;
        return (ssize_t)n;
    }
    ssize_t got = packed->file.walk ? ws_unpack_read(packed->file.walk->unpack, buffer, size) : 0;
    packed->failed |= got < 0;
    return got;
}

const char *ws_packed_why(const ws_packed *packed)
{
    return packed->file.walk ? ws_unpack_why(packed->file.walk->unpack) : NULL;
}
