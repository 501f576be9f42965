/* The bytes of a trace or record file: a path, "-" for standard input, or a file inside an archive, plain or
 * compressed (.gz .zst .xz .bz2, recognised by content). A leading UTF-8 byte order mark is removed. */
#ifndef WS_FORMATS_INPUT_H
#define WS_FORMATS_INPUT_H

#include "core/status.h"
#include "core/text.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

typedef struct ws_input ws_input;

/* Opens and decompresses the first 64 KiB. A directory, a missing or unreadable path: WS_IO. The caller closes. */
ws_status ws_input_open(ws_input **input, const char *path, ws_error *error);
void ws_input_close(ws_input *input); /* NULL is fine */

/* Bytes already in memory, for tests and fuzzing; `bytes` must outlive the input. `name` takes the place of the path.
 */
ws_input *ws_input_from_memory(const char *name, const void *bytes, size_t n);

const char *ws_input_path(const ws_input *input); /* as given; "-" reads "standard input" */

/* Adds the bytes of the file to `counter` as they are read, the head included. Closing adds the bytes that nobody read
 * or that a library read by itself, so that the counter ends at the sum of the file sizes. Call it right after
 * opening. */
void ws_input_count(ws_input *input, atomic_uint_least64_t *counter);

/* The first bytes, up to 64 KiB, for recognition; fewer only if the file is shorter. Good until close. */
enum { WS_HEAD_SIZE = 64 * 1024 };
ws_span ws_input_head(const ws_input *input);

/* If compressed data is damaged within the head: true, and *error (may be NULL) says how, which explains a failure
 * better than any complaint about the short content. */
bool ws_input_explain_damage(const ws_input *input, ws_error *error);

/* The next bytes, beginning with the head; n = 0 at the end. The span is good until the next read. A damaged or cut
 * compressed stream: WS_FORMAT, after all bytes before the damage have been handed out. */
ws_status ws_input_read(ws_input *input, ws_span *bytes, ws_error *error);

/* Everything in one buffer, for formats that cannot stream. More than `limit` bytes: WS_FORMAT. Call it before any
 * ws_input_read; good until close. A zero byte follows the last one. */
ws_status ws_input_read_all(ws_input *input, size_t limit, ws_span *bytes, ws_error *error);

/* The descriptor of a plain, uncompressed, seekable file, for pread (which does not remove a byte order mark); -1 for
 * anything else. Good until close. */
int ws_input_plain_fd(const ws_input *input);

/* The descriptor of a regular file as stored, compressed or not, for pread; -1 for bytes in memory, files inside
 * archives and everything else. Good until close. */
int ws_input_file_fd(const ws_input *input);

/* What the file was before its first byte was read; of a file inside an archive the archive. False: it is no regular
 * file, or standard input. */
struct stat;
bool ws_input_opened_as(const ws_input *input, struct stat *about);

/* Tells ws_input_count that the caller has read the file up to `offset` by itself. */
void ws_input_passed(ws_input *input, uint64_t offset);

/* Where in `room` to store bytes read from `offset` of a file: the place has the same offset within its page as the
 * bytes have within theirs, since some processors otherwise copy several times more slowly. `room` must be
 * WS_ROOM_BYTES larger than the bytes. */
enum { WS_ROOM_BYTES = 4096 };
static inline char *ws_place_in(char *room, size_t offset)
{
    return room + (offset - (uintptr_t)room) % WS_ROOM_BYTES;
}

/* --- what a path leads to --- */

/* A folder; an archive of files, and a folder inside one, is a folder too. */
bool ws_is_directory(const char *path);
bool ws_is_file(const char *path); /* a regular file, or one inside an archive */
bool ws_is_pipe(const char *path); /* "-" or a named pipe: it can be opened once, and has no folder */
bool ws_path_is_below(const char *path, const char *folder); /* as they are spelled; folder: with or without a '/' */

/* --- archives --- */

/* Files inside .tar, .tar.gz (.tgz), .tar.zst, .tar.xz, .tar.bz2 and .zip: an archive is looked at as a folder, and
 * "logs.tar.gz/node1/gpu.csv" is the path of a file in it. Archives inside archives stay closed.
 *
 * An archive can only be gone through from its beginning. The few archives used last stay open where they are, and
 * small files that are passed on the way to another are kept (archive_cache.h): in any order, reading all files of an
 * archive goes through it a few times and not once a file. Any thread may call. */

/* Has the path the name of an archive, and is it a file? */
bool ws_packed_is_named(const char *path);

/* Or is it a file that holds files, whatever its name? A saved tensor, which is a ZIP with a data.pkl, is none. */
bool ws_packed_is(const char *path);

/* The length of the archive's own path in the path of a file inside; 0 where there is none. */
size_t ws_packed_outer(const char *path);

/* Each regular file of the archive whose name and folders do not begin with a dot, with its whole path, in the order in
 * which a folder is walked: by the bytes of the names at each level. WS_FORMAT: damaged; what came before was named. */
typedef void ws_packed_visit(void *state, const char *path);
ws_status ws_packed_list(const char *path, ws_packed_visit *visit, void *state, ws_error *error);

/* Is there such a file in an archive? */
bool ws_packed_holds(const char *path);

/* A file inside, of several of the same name the first; NULL with *error set. The caller closes it. */
typedef struct ws_packed ws_packed;
ws_packed *ws_packed_open(const char *path, ws_error *error);
void ws_packed_close(ws_packed *file); /* NULL is fine */

/* The next bytes; 0 at the end, negative where the archive is damaged, which ws_packed_why tells (NULL: not known). */
ssize_t ws_packed_read(ws_packed *file, char *buffer, size_t size);
const char *ws_packed_why(const ws_packed *file);

#endif
