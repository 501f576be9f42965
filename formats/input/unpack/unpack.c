#include "formats/input/unpack/unpack.h"

#include "core/arena.h"
#include "formats/input/unpack/unpack_gzip.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct ws_unpack {
    struct archive *archive;
    ws_gunzip *gunzip; /* in front of it, or NULL */
    int opened;        /* libarchive's code */
    int fd;            /* of an archive in gzip; else -1 */
    char *buffer;      /* of the fd */
    size_t buffer_size;
    ws_span block;        /* of the file, not handed out yet */
    int64_t at, block_at; /* in the file: of the next byte, of the block */
    bool is_damaged;      /* the file, from here on or in its checksum */
    bool is_stream, has_fed;
    const char *late; /* why the stream ended early, reported once all bytes before that are handed out */
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
    unpack->fd = -1;
    return unpack;
}

/* libarchive looks ahead to know what comes, and would lose the beginning of a stream that breaks off there. */
static la_ssize_t feed(struct archive *archive, void *state, const void **bytes)
{
    ws_unpack *unpack = state;
    const char *p = NULL, *why = NULL;
    ssize_t n = ws_gunzip_next(unpack->gunzip, &p, &why);
    if (n < 0 && unpack->is_stream && unpack->has_fed) {
        unpack->late = why;
        return 0;
    }
    unpack->has_fed = true;
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
    unpack->gunzip = ws_gunzip_new(source, state);
    unpack->is_stream = true;
    archive_read_support_filter_all(unpack->archive);
    archive_read_support_format_raw(unpack->archive);
    archive_read_support_format_empty(unpack->archive);
    unpack->opened = archive_read_open(unpack->archive, unpack, NULL, feed, NULL);
    return unpack;
}

static ssize_t read_fd(void *state, const char **bytes, const char **why)
{
    const ws_unpack *unpack = state;
    ssize_t n = read(unpack->fd, unpack->buffer, unpack->buffer_size);
    *bytes = unpack->buffer;
    if (n < 0)
        *why = strerror(errno);
    return n;
}

/* Others are libarchive's to open, which seeks in a tar and in a ZIP. */
static bool open_gzip(ws_unpack *unpack, const char *path, size_t block_size)
{
    char magic[2];
    unpack->fd = open(path, O_RDONLY | O_CLOEXEC);
    if (unpack->fd < 0 || pread(unpack->fd, magic, 2, 0) != 2 || memcmp(magic, "\x1f\x8b", 2) != 0)
        return false;
    unpack->buffer = ws_realloc(NULL, block_size, 1);
    unpack->buffer_size = block_size;
    unpack->gunzip = ws_gunzip_new(read_fd, unpack);
    return true;
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
    unpack->opened = open_gzip(unpack, path, block_size)
                         ? archive_read_open(unpack->archive, unpack, NULL, feed, NULL)
                         : archive_read_open_filename(unpack->archive, path, block_size);
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
    ws_gunzip_free(unpack->gunzip);
    if (unpack->fd >= 0)
        close(unpack->fd);
    free(unpack->buffer);
    free(unpack);
}

/* libarchive stops where the archive ends, in front of the checksum. */
static bool is_sound(ws_unpack *unpack)
{
    const char *bytes, *why = NULL;
    ssize_t n = 1;
    while (unpack->gunzip && n > 0)
        n = ws_gunzip_next(unpack->gunzip, &bytes, &why);
    if (n < 0)
        archive_set_error(unpack->archive, EINVAL, "%s", why);
    return n >= 0;
}

int ws_unpack_next(ws_unpack *unpack, ws_unpack_file *file)
{
    struct archive_entry *entry;
    unpack->block = (ws_span){NULL, 0};
    unpack->at = 0;
    unpack->is_damaged = false;
    if (unpack->opened != ARCHIVE_OK)
        return -1;
    int rc = archive_read_next_header(unpack->archive, &entry);
    if (rc == ARCHIVE_EOF)
        return is_sound(unpack) ? 0 : -1;
    if (rc != ARCHIVE_OK && rc != ARCHIVE_WARN)
        return -1;
    *file = (ws_unpack_file){.name = archive_entry_pathname(entry),
                             .size = archive_entry_size_is_set(entry) ? archive_entry_size(entry) : -1,
                             .is_regular = archive_entry_filetype(entry) == AE_IFREG && !archive_entry_hardlink(entry)};
    return 1;
}

bool ws_unpack_block(ws_unpack *unpack, ws_span *bytes, bool *is_damaged)
{
    const void *p = NULL;
    la_int64_t at = unpack->at;
    *bytes = (ws_span){NULL, 0};
    *is_damaged = unpack->is_damaged;
    if (unpack->is_damaged)
        return false;
    /* the last bytes of a ZIP's file come with the warning that its checksum is wrong */
    int rc = archive_read_data_block(unpack->archive, &p, &bytes->n, &at);
    bool is_last = rc == ARCHIVE_WARN && p && bytes->n;
    bytes->p = p;
    unpack->block_at = at;
    unpack->is_damaged = rc == ARCHIVE_EOF ? unpack->late != NULL : rc != ARCHIVE_OK;
    if (rc == ARCHIVE_EOF && unpack->late)
        archive_set_error(unpack->archive, EINVAL, "%s", unpack->late);
    *is_damaged = unpack->is_damaged && !is_last;
    return rc == ARCHIVE_OK || is_last;
}

/* Between the blocks of a sparse file lie zeros. */
static size_t unpack_take_bytes(ws_unpack *unpack, char *buffer, size_t size)
{
    bool is_hole = unpack->at < unpack->block_at;
    size_t left = is_hole ? (size_t)(unpack->block_at - unpack->at) : unpack->block.n, n = left < size ? left : size;
    if (is_hole) {
        memset(buffer, 0, n);
    } else {
        memcpy(buffer, unpack->block.p, n);
        unpack->block.p += n, unpack->block.n -= n;
        unpack->block_at += (int64_t)n;
    }
    unpack->at += (int64_t)n;
    return n;
}

/* Not by archive_read_data, which loses what it had in front of a damage. */
ssize_t ws_unpack_read(ws_unpack *unpack, char *buffer, size_t size)
{
    size_t n = 0;
    bool is_damaged = false, more = true;
    while (n < size && more) {
        if (unpack->block.n)
            n += unpack_take_bytes(unpack, buffer + n, size - n);
        else if (!ws_unpack_block(unpack, &unpack->block, &is_damaged))
            more = false, unpack->block.n = 0;
    }
    return n || !is_damaged ? (ssize_t)n : -1;
}

const char *ws_unpack_why(const ws_unpack *unpack)
{
    const char *why = archive_error_string(unpack->archive);
    return why ? why : "unknown reason";
}
