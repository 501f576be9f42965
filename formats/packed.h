/* Files inside .tar, .tar.gz (.tgz), .tar.zst, .tar.xz, .tar.bz2 and .zip: an archive is looked at as a folder, and
 * "logs.tar.gz/node1/gpu.csv" is the path of a file in it. Archives inside archives stay closed. */
#ifndef WS_FORMATS_PACKED_H
#define WS_FORMATS_PACKED_H

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>

struct archive;

/* Has the path the name of an archive, and is it a file? */
bool ws_packed_is(const char *path);

/* The length of the archive's own path in the path of a file inside; 0 where there is none. */
size_t ws_packed_outer(const char *path);

/* Each regular file of the archive whose name and folders do not begin with a dot, in the order of the archive, with its
 * whole path. WS_FORMAT: damaged; what came before was named. */
typedef void ws_packed_visit(void *state, const char *path);
ws_status ws_packed_list(const char *path, ws_packed_visit *visit, void *state, ws_error *error);

/* The archive, positioned at the file's data; NULL with *error set. The caller closes it. Files are found
 * by going through what stands before them. */
struct archive *ws_packed_open(const char *path, ws_error *error);
void ws_packed_close(struct archive *archive); /* NULL is fine */

#endif
