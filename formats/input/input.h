/* Bytes of a trace or record file: plain or compressed (.gz .zst .xz .bz2, found by content), a path, "-", or a file inside an
 * archive (packed.h). A byte order mark of UTF-8 in front is left out. */
#ifndef WS_FORMATS_INPUT_H
#define WS_FORMATS_INPUT_H

#include "core/status.h"
#include "core/text.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ws_input ws_input;

/* Opens and decompresses the first 64 KiB. A directory, a missing or unreadable path: WS_IO. The caller closes. */
ws_status ws_input_open(ws_input **input, const char *path, ws_error *error);
void ws_input_close(ws_input *input); /* NULL is fine */

/* Bytes already in memory, for tests and fuzzing; `bytes` must outlive the input. `name` stands for the path. */
ws_input *ws_input_from_memory(const char *name, const void *bytes, size_t n);

const char *ws_input_path(const ws_input *input); /* as given; "-" reads "standard input" */

/* Count the bytes of the file as they are read, those of the head included; at close what a library or nobody read is added,
 * so that the counter ends at the sizes of the files. Right after opening. */
void ws_input_count(ws_input *input, atomic_uint_least64_t *counter);

/* The first bytes, up to 64 KiB, for recognition: less only when the file is shorter. Good until close. */
enum { WS_HEAD_SIZE = 64 * 1024 };
ws_span ws_input_head(const ws_input *input);

/* Does a damage end the first bytes? Then the error says which: nothing said of what they hold would be the reason. */
bool ws_input_is_cut_early(const ws_input *input, ws_error *error);

/* The next bytes from the start on; n = 0 at the end. The span is good until the next read. A damaged or cut
 * compressed stream: WS_FORMAT after everything before it was handed out. */
ws_status ws_input_read(ws_input *input, ws_span *bytes, ws_error *error);

/* Everything in one buffer, for formats that cannot stream. More than `limit` bytes: WS_FORMAT. Call it before any
 * ws_input_read; good until close. A zero byte follows the last one. */
ws_status ws_input_read_all(ws_input *input, size_t limit, ws_span *bytes, ws_error *error);

/* The descriptor of a plain, uncompressed, seekable file, for pread, which gives a byte order mark as well; -1 for anything else.
 * Good until close. */
int ws_input_plain_fd(const ws_input *input);

/* The caller has read the file up to there by itself, for ws_input_count. */
void ws_input_passed(ws_input *input, uint64_t offset);

/* Where in `room`, which has WS_ROOM_BYTES more than are read, bytes from `offset` of a file are best put: as far behind the beginning
 * of a page as in the file. Some processors copy several times as slowly to a place that lies a few bytes further. */
enum { WS_ROOM_BYTES = 4096 };
static inline char *ws_place_in(char *room, size_t offset)
{
    return room + (offset - (uintptr_t)room) % WS_ROOM_BYTES;
}

#endif
