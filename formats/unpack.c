#include "formats/unpack.h"

#include "core/arena.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <stdlib.h>

struct ws_unpack {
    struct archive *archive;
    ws_unpack_source *source;
    void *state;
    int opened; /* libarchive's code */
};

static ws_unpack *set_up(const char *name, ws_error *error)
{
    struct archive *archive = archive_read_new();
    if (!archive) {
        ws_fail_at(error, WS_IO, name, 0, "cannot be unpacked: libarchive does not start");
        return NULL;
    }
    ws_unpack *unpack = ws_alloc(sizeof *unpack);
    unpack->archive = archive;
    return unpack;
}

static la_ssize_t feed(struct archive *archive, void *state, const void **bytes)
{
    const ws_unpack *unpack = state;
    const char *p = NULL, *why = NULL;
    ssize_t n = unpack->source(unpack->state, &p, &why);
    if (n < 0)
        archive_set_error(archive, errno, "%s", why);
    *bytes = p;
    return n;
}

ws_unpack *ws_unpack_stream(const char *name, ws_unpack_source *source, void *state, ws_error *error)
{
    ws_unpack *unpack = set_up(name, error);
    if (!unpack)
        return NULL;
    unpack->source = source;
    unpack->state = state;
    archive_read_support_filter_all(unpack->archive);
    archive_read_support_format_raw(unpack->archive);
    archive_read_support_format_empty(unpack->archive);
    unpack->opened = archive_read_open(unpack->archive, unpack, NULL, feed, NULL);
    return unpack;
}

ws_unpack *ws_unpack_archive(const char *path, size_t block_size, ws_error *error)
{
    ws_unpack *unpack = set_up(path, error);
    if (!unpack)
        return NULL;
    archive_read_support_filter_all(unpack->archive);
    archive_read_support_format_tar(unpack->archive);
    archive_read_support_format_zip(unpack->archive);
    archive_read_support_format_empty(unpack->archive);
    unpack->opened = archive_read_open_filename(unpack->archive, path, block_size);
    return unpack;
}

ws_unpack *ws_unpack_zip(const char *name, ws_span bytes, ws_error *error)
{
    ws_unpack *unpack = set_up(name, error);
    if (!unpack)
        return NULL;
    archive_read_support_format_zip(unpack->archive);
    unpack->opened = archive_read_open_memory(unpack->archive, bytes.p, bytes.n);
    return unpack;
}

void ws_unpack_close(ws_unpack *unpack)
{
    if (!unpack)
        return;
    archive_read_free(unpack->archive);
    free(unpack);
}

int ws_unpack_next(ws_unpack *unpack, ws_unpack_file *file)
{
    struct archive_entry *entry;
    if (unpack->opened != ARCHIVE_OK)
        return -1;
    int rc = archive_read_next_header(unpack->archive, &entry);
    if (rc == ARCHIVE_EOF)
        return 0;
    if (rc != ARCHIVE_OK && rc != ARCHIVE_WARN)
        return -1;
    *file = (ws_unpack_file){.name = archive_entry_pathname(entry),
                             .size = archive_entry_size_is_set(entry) ? archive_entry_size(entry) : -1,
                             .is_regular = archive_entry_filetype(entry) == AE_IFREG && !archive_entry_hardlink(entry)};
    return 1;
}

ssize_t ws_unpack_read(ws_unpack *unpack, char *buffer, size_t size)
{
    return archive_read_data(unpack->archive, buffer, size);
}

bool ws_unpack_block(ws_unpack *unpack, ws_span *bytes, bool *is_damaged)
{
    const void *p;
    la_int64_t at;
    int rc = archive_read_data_block(unpack->archive, &p, &bytes->n, &at);
    bytes->p = p;
    *is_damaged = rc != ARCHIVE_OK && rc != ARCHIVE_EOF;
    return rc == ARCHIVE_OK;
}

const char *ws_unpack_why(const ws_unpack *unpack)
{
    const char *why = archive_error_string(unpack->archive);
    return why ? why : "unknown reason";
}
