/* What the program has of libarchive: packed bytes are unpacked, and a tar or a ZIP is gone through from file to file.
 */
#ifndef WS_FORMATS_UNPACK_H
#define WS_FORMATS_UNPACK_H

#include "core/status.h"
#include "core/text.h"
#include "formats/input/unpack/unpack_gzip.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

typedef struct ws_unpack ws_unpack;

/* `name` stands for what is opened in *error. NULL only where there is no libarchive: whatever is wrong with the bytes
 * shows at the first file. The caller closes. */
ws_unpack *ws_unpack_stream(const char *name, ws_unpack_source *source, void *state, ws_error *error); /* as one file */
ws_unpack *ws_unpack_archive(const char *path, size_t block_size, ws_error *error); /* a tar, packed or not, or a ZIP */
ws_unpack *ws_unpack_zip(const char *name, ws_span bytes, ws_error *error);         /* `bytes` must outlive it */
void ws_unpack_close(ws_unpack *unpack);                                            /* NULL is fine */

typedef struct ws_unpack_file {
    const char *name; /* may be NULL; good until the next file */
    int64_t size;     /* bytes; -1 where it is not known */
    bool is_regular;  /* with data of its own */
} ws_unpack_file;

/* On to the next file: positive; 0 at the end, negative where it is damaged. */
int ws_unpack_next(ws_unpack *unpack, ws_unpack_file *file);

/* The file's next bytes: how many, 0 at its end, negative where it is damaged, after all that lies in front of the
 * damage. */
ssize_t ws_unpack_read(ws_unpack *unpack, char *buffer, size_t size);

/* The same, as they were unpacked. False at the end and where it is damaged (*is_damaged). Good until the next call. */
bool ws_unpack_block(ws_unpack *unpack, ws_span *bytes, bool *is_damaged);

/* What was wrong last. */
const char *ws_unpack_why(const ws_unpack *unpack);

#endif
