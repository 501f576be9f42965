/* gzip, unpacked as it streams by: nothing in front of a damage is lost and the checksum of each member is looked at,
 * which is more than libarchive does. */
#ifndef WS_FORMATS_UNPACK_GZIP_H
#define WS_FORMATS_UNPACK_GZIP_H

#include <stddef.h>
#include <sys/types.h>

/* The next packed bytes, good until the next call: how many, 0 at the end, negative where they cannot be read, and *why
 * is set. */
typedef ssize_t ws_unpack_source(void *state, const char **bytes, const char **why);

typedef struct ws_gunzip ws_gunzip;

/* Bytes that are not gzip stay as they are. The caller frees. */
ws_gunzip *ws_gunzip_new(ws_unpack_source *source, void *state);
void ws_gunzip_free(ws_gunzip *gunzip); /* NULL is fine */

/* A ws_unpack_source. What follows the last member and is none is left out. */
ssize_t ws_gunzip_next(void *gunzip, const char **bytes, const char **why);

#endif
