#include "formats/input/input.h"

#include "core/arena.h"
#include "formats/input/prefetch.h"
#include "formats/input/unpack/archive_cache.h"
#include "formats/input/unpack/unpack.h"

#include <errno.h>
#include <fcntl.h>
#include <libdeflate.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BUFFER_SIZE = 256 * 1024, MAGIC_SIZE = 6 };

/* gzip files up to this size, both packed and unpacked, are unpacked at once: libdeflate is two to three times as fast
 * as zlib but cannot stream. */
enum { LARGEST_WHOLE = 4 * 1024 * 1024 };

/* How often a thread that waits for a silent pipe checks whether the input was closed. */
enum { PATIENCE_MS = 50 };

struct ws_input {
    char *path;
    int fd;                /* -1: from memory, or a member of an archive */
    ws_packed *packed;     /* the member of an archive that is read; else NULL */
    ws_unpack *unpack;     /* NULL: not compressed, or unpacked at once */
    ws_span block;         /* the rest of the last unpacked block */
    ws_prefetch *prefetch; /* unpacks on a thread; NULL before the first read */
    atomic_bool closing;
    atomic_uint_least64_t *counter; /* see ws_input_count; or NULL */
    uint64_t n_read, size;          /* size: of a regular file when it was opened, else 0 */
    struct stat opened_as;          /* of a regular file or the archive; else zeroed */
    char *raw;                      /* buffer of the last read from fd */
    char *head;
    size_t head_n;
    ws_error head_damage; /* the damage that ends the head; WS_OK: none */
    bool head_is_next;    /* the head was not handed out yet */
    bool head_is_all;     /* the file ends with the head */
    bool is_empty;        /* the compressed stream holds no bytes */
    bool seekable;
    bool in_memory; /* from the start, or unpacked at once */
    ws_span memory; /* what is left to hand out if in_memory */
    char *unpacked; /* owns `memory` after unpacking at once */
    char *all;      /* owns the result of ws_input_read_all */
    char magic[MAGIC_SIZE];
    size_t magic_n, magic_given;
};

/* --- archives --- */

struct ws_packed {
    ws_archive_cache *archive;
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

/* Not inside an archive. */
static bool is_plain_file(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISREG(about.st_mode);
}

bool ws_is_pipe(const char *path)
{
    struct stat about;
    return strcmp(path, "-") == 0 || (stat(path, &about) == 0 && S_ISFIFO(about.st_mode));
}

bool ws_path_is_below(const char *path, const char *folder)
{
    size_t n = strlen(folder);
    n -= n && folder[n - 1] == '/';
    return strncmp(path, folder, n) == 0 && path[n] == '/';
}

static bool is_tensor(const ws_unpack_file *first)
{
    return first->name && ws_span_has_suffix(ws_span_of(first->name), "data.pkl");
}

static bool begins_as(ws_span head, size_t at, const char *bytes)
{
    return head.n > at && ws_span_has_prefix((ws_span){head.p + at, head.n - at}, bytes);
}

static bool is_compressed(ws_span head)
{
    static const char *const known[] = {"\x1f\x8b", "\x28\xb5\x2f\xfd", "\3757zXZ", "BZh"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (begins_as(head, 0, known[i]))
            return true;
    return false;
}

/* A ZIP, a tar, or what may be a packed tar: enough for most files to be known as none. */
static bool may_hold_files(const char *path)
{
    char head[512];
    FILE *file = fopen(path, "rb");
    ws_span bytes = {head, file ? fread(head, 1, sizeof head, file) : 0};
    if (file)
        fclose(file);
    return begins_as(bytes, 0, "PK\003\004") || begins_as(bytes, 257, "ustar") || is_compressed(bytes);
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
    return has_archive_name(path) && is_plain_file(path);
}

bool ws_packed_is(const char *path)
{
    return is_plain_file(path) && (has_archive_name(path) || (may_hold_files(path) && holds_files(path)));
}

/* Of the folders above a path, at most one can be a file; none where the path is there, or nothing is at it. */
size_t ws_packed_outer(const char *path)
{
    struct stat about;
    if (stat(path, &about) == 0 || errno == ENOENT)
        return 0;
    ws_arena arena = {0};
    size_t n = 0;
    for (const char *slash = strchr(path, '/'); slash && !n; slash = strchr(slash + 1, '/')) {
        const char *outer = ws_arena_strndup(&arena, path, (size_t)(slash - path));
        if (is_plain_file(outer))
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
    ws_archive_cache *archive = ws_archive_cache_get(path, error);
    if (!archive)
        return WS_FORMAT;
    for (size_t i = 0; i < ws_archive_cache_count(archive); i++) {
        ws_arena arena = {0};
        const char *name = ws_archive_cache_name(archive, i);
        if (is_visible(name))
            visit(state, ws_arena_printf(&arena, "%s/%s", path, name));
        ws_arena_free(&arena);
    }
    ws_status status = ws_archive_cache_status(archive, error);
    ws_archive_cache_put(archive);
    return status;
}

/* The archive that holds a file, and which of its files it is. */
static ws_archive_cache *find_archive(const char *path, size_t *member, ws_error *error)
{
    ws_arena arena = {0};
    const char *outer = ws_arena_strndup(&arena, path, ws_packed_outer(path));
    ws_archive_cache *archive = *outer ? ws_archive_cache_get(outer, error) : NULL;
    bool found = archive && ws_archive_cache_find(archive, path + strlen(outer) + 1, member);
    if (!*outer)
        ws_fail_at(error, WS_IO, path, 0, "lies in no archive");
    else if (archive && !found && ws_archive_cache_status(archive, error) == WS_OK)
        ws_fail_at(error, WS_IO, path, 0, "the archive '%s' holds no such file", outer);
    if (archive && !found)
        ws_archive_cache_put(archive);
    ws_arena_free(&arena);
    return found ? archive : NULL;
}

bool ws_packed_holds(const char *path)
{
    size_t member;
    ws_archive_cache *archive = find_archive(path, &member, NULL);
    if (archive)
        ws_archive_cache_put(archive);
    return archive != NULL;
}

bool ws_is_file(const char *path)
{
    struct stat about;
    if (stat(path, &about) == 0)
        return S_ISREG(about.st_mode);
    return ws_packed_holds(path);
}

/* A folder inside an archive, and whether the archive has a file below it. */
typedef struct packed_folder {
    const char *path;
    bool has_files;
} packed_folder;

static void look_below(void *state, const char *path)
{
    packed_folder *folder = state;
    folder->has_files |= ws_path_is_below(path, folder->path);
}

static bool is_folder_in_archive(const char *path)
{
    ws_arena arena = {0};
    const char *outer = ws_arena_strndup(&arena, path, ws_packed_outer(path));
    packed_folder folder = {path, false};
    if (*outer)
        ws_packed_list(outer, look_below, &folder, NULL);
    ws_arena_free(&arena);
    return folder.has_files;
}

bool ws_is_directory(const char *path)
{
    struct stat about;
    if (stat(path, &about) == 0)
        return S_ISDIR(about.st_mode) || ws_packed_is(path);
    return errno == ENOTDIR && is_folder_in_archive(path);
}

ws_packed *ws_packed_open(const char *path, ws_error *error)
{
    size_t member;
    ws_archive_cache *archive = find_archive(path, &member, error);
    if (!archive)
        return NULL;
    ws_packed *packed = ws_alloc(sizeof *packed);
    packed->archive = archive;
    if (ws_archive_cache_take(archive, member, &packed->file, error) == WS_OK)
        return packed;
    ws_packed_close(packed);
    return NULL;
}

void ws_packed_close(ws_packed *packed)
{
    if (!packed)
        return;
    if (packed->file.walk)
        ws_archive_cache_give_back(packed->archive, packed->file.walk, !packed->failed);
    ws_archive_cache_put(packed->archive);
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

/* --- files --- */

static const char *why_unread(const ws_input *input)
{
    const char *why = input->packed ? ws_packed_why(input->packed) : NULL;
    return why ? why : strerror(errno);
}

static ws_status fail_read(const ws_input *input, ws_error *error)
{
    return ws_fail_at(error, input->packed ? WS_FORMAT : WS_IO, input->path, 0, "cannot be read: %s",
                      why_unread(input));
}

/* Waits for bytes of a pipe; false once the input is closed. */
static bool wait_for_pipe(ws_input *input)
{
    struct pollfd pipe = {.fd = input->fd, .events = POLLIN};
    while (!atomic_load(&input->closing))
        if (poll(&pipe, 1, PATIENCE_MS) != 0)
            return true;
    return false;
}

static void add_read(ws_input *input, uint64_t n)
{
    input->n_read += n;
    if (input->counter)
        atomic_fetch_add(input->counter, n);
}

static ssize_t read_file(ws_input *input, char *buffer, size_t size)
{
    ssize_t n;
    if (input->packed)
        return ws_packed_read(input->packed, buffer, size);
    if (input->unpack && !input->seekable && !wait_for_pipe(input))
        return 0;
    do
        n = read(input->fd, buffer, size);
    while (n < 0 && errno == EINTR);
    if (n > 0)
        add_read(input, (uint64_t)n);
    return n;
}

/* Fills `buffer` as far as the file goes: a pipe may return fewer bytes at a time. */
static ssize_t read_fully(ws_input *input, char *buffer, size_t size)
{
    size_t have = 0;
    while (have < size) {
        ssize_t n = read_file(input, buffer + have, size - have);
        if (n < 0)
            return -1;
        if (n == 0)
            break;
        have += (size_t)n;
    }
    return (ssize_t)have;
}

/* The compressed bytes for the unpacker: the magic bytes, which were read already, then the rest of the file. */
static ssize_t give_compressed(void *state, const char **bytes, const char **why)
{
    ws_input *input = state;
    if (input->magic_given < input->magic_n) {
        input->magic_given = input->magic_n;
        *bytes = input->magic;
        return (ssize_t)input->magic_n;
    }
    ssize_t n = read_file(input, input->raw, BUFFER_SIZE);
    if (n < 0)
        *why = why_unread(input);
    *bytes = input->raw;
    return n;
}

static ws_status fail_compressed(const ws_input *input, ws_error *error)
{
    return ws_fail_at(error, WS_FORMAT, input->path, 0, "the compressed data is damaged or cut (%s)",
                      ws_unpack_why(input->unpack));
}

static ws_status open_compressed(ws_input *input, ws_error *error)
{
    ws_unpack_file file;
    input->unpack = ws_unpack_stream(input->path, give_compressed, input, error);
    if (!input->unpack)
        return WS_IO;
    int found = ws_unpack_next(input->unpack, &file);
    input->is_empty = found == 0;
    return found < 0 ? fail_compressed(input, error) : WS_OK;
}

/* Works block by block, so that everything before a damage is handed out. */
static ws_status read_unpacked(ws_input *input, char *buffer, size_t size, size_t *n, ws_error *error)
{
    while (*n < size) {
        bool is_damaged;
        if (!input->block.n) {
            if (ws_unpack_block(input->unpack, &input->block, &is_damaged))
                continue;
            input->block = (ws_span){NULL, 0};
            return is_damaged && !*n ? fail_compressed(input, error) : WS_OK;
        }
        size_t taken = input->block.n < size - *n ? input->block.n : size - *n;
        memcpy(buffer + *n, input->block.p, taken);
        input->block.p += taken, input->block.n -= taken;
        *n += taken;
    }
    return WS_OK;
}

/* The next decompressed or plain bytes into `buffer`. */
static ws_status read_more(ws_input *input, char *buffer, size_t size, size_t *n, ws_error *error)
{
    *n = 0;
    if (input->is_empty)
        return WS_OK;
    if (input->unpack)
        return read_unpacked(input, buffer, size, n, error);
    if (input->magic_given < input->magic_n) {
        memcpy(buffer, input->magic, input->magic_n);
        *n = input->magic_given = input->magic_n;
        return WS_OK;
    }
    ssize_t got = read_file(input, buffer, size);
    if (got < 0)
        return fail_read(input, error);
    *n = (size_t)got;
    return WS_OK;
}

static void drop_mark(ws_input *input)
{
    ws_span text = ws_span_without_mark((ws_span){input->head, input->head_n});
    if (text.n < input->head_n)
        memmove(input->head, text.p, input->head_n = text.n);
}

static ws_status read_head(ws_input *input, ws_error *error)
{
    input->head = ws_realloc(NULL, WS_HEAD_SIZE, 1);
    while (input->head_n < WS_HEAD_SIZE) {
        size_t n;
        ws_error why = {0};
        ws_status status = read_more(input, input->head + input->head_n, WS_HEAD_SIZE - input->head_n, &n, &why);
        if (status == WS_FORMAT && input->head_n) {
            input->head_damage = why;
            break;
        }
        if (status != WS_OK)
            return ws_fail(error, status, "%s", why.message);
        if (n == 0) {
            input->head_is_all = true;
            break;
        }
        input->head_n += n;
    }
    drop_mark(input);
    input->head_is_next = true;
    return WS_OK;
}

static void take_memory(ws_input *input, const char *bytes, size_t n)
{
    input->in_memory = true;
    input->memory = ws_span_without_mark((ws_span){bytes, n});
    input->head_n = input->memory.n < WS_HEAD_SIZE ? input->memory.n : WS_HEAD_SIZE;
    input->head = ws_realloc(NULL, WS_HEAD_SIZE, 1);
    if (input->head_n)
        memcpy(input->head, input->memory.p, input->head_n);
}

/* All members of a gzip file, one after the other. */
static bool unpack_members(const char *packed, size_t packed_n, char *unpacked, size_t *n)
{
    struct libdeflate_decompressor *inflate = libdeflate_alloc_decompressor();
    size_t at = 0;
    *n = 0;
    while (inflate && at < packed_n) {
        size_t taken, made;
        if (libdeflate_gzip_decompress_ex(inflate, packed + at, packed_n - at, unpacked + *n, LARGEST_WHOLE - *n,
                                          &taken, &made) != LIBDEFLATE_SUCCESS)
            break;
        at += taken;
        *n += made;
    }
    libdeflate_free_decompressor(inflate);
    return at == packed_n;
}

/* False for anything unusual (damaged, cut, larger, packed twice), which is left to libarchive. */
static bool unpack_whole(ws_input *input, size_t packed_n)
{
    size_t n;
    char *packed = ws_realloc(NULL, packed_n, 1);
    input->unpacked = ws_realloc(NULL, LARGEST_WHOLE, 1);
    bool ok = pread(input->fd, packed, packed_n, 0) == (ssize_t)packed_n &&
              unpack_members(packed, packed_n, input->unpacked, &n) && !is_compressed((ws_span){input->unpacked, n});
    free(packed);
    if (ok)
        take_memory(input, input->unpacked, n);
    return ok;
}

/* The last four bytes hold the unpacked size of the last member. */
static bool is_small_gzip(const ws_input *input, off_t size)
{
    unsigned char length[4];
    if (!input->seekable || memcmp(input->magic, "\x1f\x8b", 2) != 0 || size > LARGEST_WHOLE ||
        pread(input->fd, length, sizeof length, size - 4) != sizeof length)
        return false;
    return ((uint32_t)length[0] | (uint32_t)length[1] << 8 | (uint32_t)length[2] << 16 | (uint32_t)length[3] << 24) <=
           LARGEST_WHOLE;
}

static ws_status open_member(ws_input *input, ws_error *error)
{
    char *outer = ws_alloc(strlen(input->path) + 1);
    memcpy(outer, input->path, ws_packed_outer(input->path));
    if (stat(outer, &input->opened_as) != 0)
        input->opened_as = (struct stat){0};
    free(outer);
    input->packed = ws_packed_open(input->path, error);
    return input->packed ? WS_OK : error ? error->status : WS_FORMAT;
}

static ws_status open_file(ws_input *input, bool is_stdin, ws_error *error)
{
    struct stat about = {0};
    input->fd = is_stdin ? dup(STDIN_FILENO) : open(input->path, O_RDONLY | O_CLOEXEC);
    if (input->fd < 0 && errno == ENOTDIR && ws_packed_outer(input->path))
        return open_member(input, error);
    if (input->fd < 0)
        return ws_fail_at(error, WS_IO, input->path, 0, "cannot be opened: %s", strerror(errno));
    if (fstat(input->fd, &about) == 0 && S_ISDIR(about.st_mode))
        return ws_fail_at(error, WS_IO, input->path, 0, "is a directory, a file is needed here");
    input->seekable = !is_stdin && S_ISREG(about.st_mode);
    input->size = S_ISREG(about.st_mode) ? (uint64_t)about.st_size : 0;
    if (input->seekable)
        input->opened_as = about;
    return WS_OK;
}

static ws_status open_path(ws_input *input, bool is_stdin, ws_error *error)
{
    ws_status status = open_file(input, is_stdin, error);
    if (status != WS_OK)
        return status;
    input->raw = ws_realloc(NULL, BUFFER_SIZE + WS_ROOM_BYTES, 1);
    ssize_t n = read_fully(input, input->magic, MAGIC_SIZE);
    if (n < 0)
        return fail_read(input, error);
    input->magic_n = (size_t)n;
    if (is_compressed((ws_span){input->magic, input->magic_n})) {
        if (is_small_gzip(input, (off_t)input->size) && unpack_whole(input, input->size))
            return WS_OK;
        status = open_compressed(input, error);
        if (status != WS_OK)
            return status;
    }
    return read_head(input, error);
}

static ws_input *new_input(const char *path)
{
    ws_input *input = ws_alloc(sizeof *input);
    input->fd = -1;
    input->path = ws_alloc(strlen(path) + 1);
    strcpy(input->path, path);
    return input;
}

ws_status ws_input_open(ws_input **input, const char *path, ws_error *error)
{
    bool is_stdin = strcmp(path, "-") == 0;
    *input = new_input(is_stdin ? "standard input" : path);
    ws_status status = open_path(*input, is_stdin, error);
    if (status != WS_OK) {
        ws_input_close(*input);
        *input = NULL;
    }
    return status;
}

ws_input *ws_input_from_memory(const char *name, const void *bytes, size_t n)
{
    ws_input *input = new_input(name);
    take_memory(input, bytes, n);
    return input;
}

void ws_input_count(ws_input *input, atomic_uint_least64_t *counter)
{
    input->counter = counter;
    if (counter)
        atomic_fetch_add(counter, input->n_read);
}

bool ws_input_explain_damage(const ws_input *input, ws_error *error)
{
    bool is_cut = input->head_damage.status != WS_OK;
    if (is_cut && error)
        *error = input->head_damage;
    return is_cut;
}

void ws_input_passed(ws_input *input, uint64_t offset)
{
    if (offset > input->n_read)
        add_read(input, offset - input->n_read);
}

static void count_rest(ws_input *input)
{
    if (input->counter && input->size > input->n_read)
        atomic_fetch_add(input->counter, input->size - input->n_read);
}

void ws_input_close(ws_input *input)
{
    if (!input)
        return;
    atomic_store(&input->closing, true);
    if (input->prefetch)
        ws_prefetch_stop(input->prefetch);
    ws_unpack_close(input->unpack);
    if (input->packed)
        ws_packed_close(input->packed);
    count_rest(input);
    if (input->fd >= 0)
        close(input->fd);
    free(input->raw);
    free(input->unpacked);
    free(input->head);
    free(input->all);
    free(input->path);
    free(input);
}

const char *ws_input_path(const ws_input *input)
{
    return input->path;
}

ws_span ws_input_head(const ws_input *input)
{
    return (ws_span){input->head, input->head_n};
}

static ws_status fill_prefetch(void *state, char *buffer, size_t size, size_t *n, ws_error *error)
{
    return read_more(state, buffer, size, n, error);
}

ws_status ws_input_read(ws_input *input, ws_span *bytes, ws_error *error)
{
    if (input->in_memory) {
        *bytes = input->memory;
        input->memory = (ws_span){"", 0};
        return WS_OK;
    }
    if ((input->unpack || input->packed) && !input->head_is_all && !input->prefetch)
        input->prefetch = ws_prefetch_start(fill_prefetch, input);
    if (input->head_is_next) {
        input->head_is_next = false;
        *bytes = (ws_span){input->head, input->head_n};
        return WS_OK;
    }
    if (input->prefetch)
        return ws_prefetch_next(input->prefetch, bytes, error);
    *bytes = (ws_span){NULL, 0};
    /* libarchive fills `raw` itself while it decompresses, so its output needs room of its own. */
    char *buffer = input->unpack ? input->head : ws_place_in(input->raw, WS_HEAD_SIZE);
    ws_status status = read_more(input, buffer, input->unpack ? WS_HEAD_SIZE : BUFFER_SIZE, &bytes->n, error);
    bytes->p = buffer;
    return status;
}

ws_status ws_input_read_all(ws_input *input, size_t limit, ws_span *bytes, ws_error *error)
{
    size_t used = 0, capacity = 0;
    ws_span piece;
    do {
        ws_status status = ws_input_read(input, &piece, error);
        if (status != WS_OK)
            return status;
        if (piece.n > limit - used)
            return ws_fail_at(error, WS_FORMAT, input->path, 0,
                              "is larger than %zu bytes, which is too much for its format", limit);
        input->all = ws_grow(input->all, &capacity, used + piece.n + 1, 1);
        if (piece.n)
            memcpy(input->all + used, piece.p, piece.n);
        used += piece.n;
    } while (piece.n);
    input->all[used] = '\0';
    *bytes = (ws_span){input->all, used};
    return WS_OK;
}

bool ws_input_opened_as(const ws_input *input, struct stat *about)
{
    *about = input->opened_as;
    return S_ISREG(about->st_mode);
}

int ws_input_file_fd(const ws_input *input)
{
    return input->seekable ? input->fd : -1;
}

int ws_input_plain_fd(const ws_input *input)
{
    return input->seekable && !input->unpack && !input->in_memory ? input->fd : -1;
}
