/* Files inside .tar, .tar.gz (.tgz), .tar.zst, .tar.xz, .tar.bz2 and .zip: an archive is looked at as a folder, and
 * "logs.tar.gz/node1/gpu.csv" is the path of a file in it. Archives inside archives stay closed.
 *
 * An archive can only be gone through from its beginning. The few archives used last stay open where they are, and
 * small files that are passed on the way to another are kept (archive_cache.h): in any order, reading all files of an
 * archive goes through it a few times and not once a file. Any thread may call. */
#ifndef WS_FORMATS_PACKED_H
#define WS_FORMATS_PACKED_H

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

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
