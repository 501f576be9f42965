#include "formats/packed.h"

#include "core/arena.h"
#include "core/text.h"

#include <archive.h>
#include <archive_entry.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { BLOCK_SIZE = 256 * 1024, MOST_FILES = 1000000 };

static bool has_archive_name(ws_span path)
{
    static const char *const suffixes[] = {".zip",  ".tar",    ".tar.gz", ".tgz",    ".tar.bz2",
                                           ".tbz2", ".tar.xz", ".txz",    ".tar.zst"};
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
        if (ws_span_has_suffix(path, suffixes[i]))
            return true;
    return false;
}

static bool is_file(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISREG(about.st_mode);
}

bool ws_packed_is(const char *path)
{
    return has_archive_name(ws_span_of(path)) && is_file(path);
}

size_t ws_packed_outer(const char *path)
{
    for (const char *slash = strchr(path, '/'); slash; slash = strchr(slash + 1, '/')) {
        size_t n = (size_t)(slash - path);
        if (!has_archive_name((ws_span){path, n}))
            continue;
        ws_arena arena = {0};
        bool found = is_file(ws_arena_strndup(&arena, path, n));
        ws_arena_free(&arena);
        if (found)
            return n;
    }
    return 0;
}

/* "./a/b" is "a/b". */
static const char *name_of(struct archive_entry *entry)
{
    const char *name = archive_entry_pathname(entry);
    while (name && (strncmp(name, "./", 2) == 0 || *name == '/'))
        name += *name == '/' ? 1 : 2;
    return name;
}

static bool is_visible(const char *name)
{
    return *name && *name != '.' && !strstr(name, "/.");
}

static ws_status fail(struct archive *archive, const char *path, ws_error *error)
{
    const char *why = archive ? archive_error_string(archive) : NULL;
    return ws_fail_at(error, WS_FORMAT, path, 0, "the archive is damaged or cut (%s)", why ? why : "unknown reason");
}

static struct archive *open_archive(const char *path, ws_error *error)
{
    struct archive *archive = archive_read_new();
    if (!archive) {
        ws_fail_at(error, WS_IO, path, 0, "no archive reader could be set up");
        return NULL;
    }
    archive_read_support_filter_all(archive);
    archive_read_support_format_tar(archive);
    archive_read_support_format_zip(archive);
    archive_read_support_format_empty(archive);
    if (archive_read_open_filename(archive, path, BLOCK_SIZE) == ARCHIVE_OK)
        return archive;
    fail(archive, path, error);
    archive_read_free(archive);
    return NULL;
}

/* The next regular file's name; NULL at the end (WS_OK) and after damage. */
static const char *next_file(struct archive *archive, const char *path, ws_status *status, ws_error *error)
{
    struct archive_entry *entry;
    *status = WS_OK;
    for (;;) {
        int rc = archive_read_next_header(archive, &entry);
        if (rc == ARCHIVE_EOF)
            return NULL;
        if (rc != ARCHIVE_OK && rc != ARCHIVE_WARN) {
            *status = fail(archive, path, error);
            return NULL;
        }
        const char *name = name_of(entry);
        if (name && archive_entry_filetype(entry) == AE_IFREG && !archive_entry_hardlink(entry))
            return name;
    }
}

ws_status ws_packed_list(const char *path, ws_packed_visit *visit, void *state, ws_error *error)
{
    ws_status status;
    const char *name;
    size_t n = 0;
    struct archive *archive = open_archive(path, error);
    if (!archive)
        return WS_FORMAT;
    while ((name = next_file(archive, path, &status, error))) {
        ws_arena arena = {0};
        if (++n > MOST_FILES) {
            status = ws_fail_at(error, WS_FORMAT, path, 0, "the archive holds more than %d files", MOST_FILES);
            break;
        }
        if (is_visible(name))
            visit(state, ws_arena_printf(&arena, "%s/%s", path, name));
        ws_arena_free(&arena);
    }
    archive_read_free(archive);
    return status;
}

struct archive *ws_packed_open(const char *path, ws_error *error)
{
    ws_arena arena = {0};
    ws_status status = WS_OK;
    const char *name = NULL, *wanted, *outer = ws_arena_strndup(&arena, path, ws_packed_outer(path));
    wanted = path + strlen(outer) + 1;
    struct archive *archive = open_archive(outer, error);
    while (archive && (name = next_file(archive, outer, &status, error)) && strcmp(name, wanted) != 0)
        ;
    if (archive && !name) {
        if (status == WS_OK)
            ws_fail_at(error, WS_IO, path, 0, "the archive '%s' holds no such file", outer);
        archive_read_free(archive);
        archive = NULL;
    }
    ws_arena_free(&arena);
    return archive;
}

void ws_packed_close(struct archive *archive)
{
    if (archive)
        archive_read_free(archive);
}
