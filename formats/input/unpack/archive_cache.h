/* An archive that stays open: what files it holds, how far it was gone through, and the small files passed on the way.
 *
 * Files are mostly asked for by their names in order, and an archive holds them in any. A walk to one of them keeps the
 * small ones that it passes, those first that come next by name, as far as WS_ARCHIVE_CACHE_BYTES go. */
#ifndef WS_FORMATS_ARCHIVE_CACHE_H
#define WS_FORMATS_ARCHIVE_CACHE_H

#include "core/status.h"
#include "formats/input/unpack/unpack.h"

#include <stdbool.h>
#include <stddef.h>

enum { WS_ARCHIVE_CACHE_SMALL = 4 * 1024 * 1024, WS_ARCHIVE_CACHE_BYTES = 64 * 1024 * 1024 };

typedef struct ws_archive_cache ws_archive_cache;

/* The archive at `path`, gone through once if it was not yet, or was changed since; NULL with *error set where it
 * cannot be opened at all. To be put back. */
ws_archive_cache *ws_archive_cache_get(const char *path, ws_error *error);
void ws_archive_cache_put(ws_archive_cache *shelf);

/* Names of the regular files, by the bytes at each level, and repeated where the archive repeats them. Good until the
 * shelf is put back. */
size_t ws_archive_cache_count(const ws_archive_cache *shelf);
const char *ws_archive_cache_name(const ws_archive_cache *shelf, size_t i);
bool ws_archive_cache_find(const ws_archive_cache *shelf, const char *name,
                           size_t *i); /* the first of that name in the archive */

/* WS_OK, or why the names end early. */
ws_status ws_archive_cache_status(const ws_archive_cache *shelf, ws_error *error);

/* A place in the archive: behind the head of a file, whose data come next. */
typedef struct ws_walk {
    ws_unpack *unpack;
    size_t next; /* the place of the next file in the archive */
    struct ws_walk *other;
} ws_walk;

/* What was asked for: all bytes of a small file, the caller's to free; else the walk that stands at its data, to be
 * given back. Both: of a damaged file, what could be read, and where it could not. */
typedef struct ws_archived_file {
    char *bytes;
    size_t n;
    ws_walk *walk;
} ws_archived_file;

ws_status ws_archive_cache_take(ws_archive_cache *shelf, size_t i, ws_archived_file *file, ws_error *error);
/* Unsound after an error. */
void ws_archive_cache_give_back(ws_archive_cache *shelf, ws_walk *walk, bool is_sound);

#endif
