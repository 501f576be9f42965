#include "formats/hdf5/hdf5_bytes.h"

#include <string.h>
#include <unistd.h>

bool ws_hdf5_copy(const ws_hdf5_bytes *bytes, uint64_t at, void *to, size_t n)
{
    if (__builtin_add_overflow(at, bytes->start, &at))
        return false;
    if (!bytes->memory.p)
        return at <= INT64_MAX && pread(bytes->fd, to, n, (off_t)at) == (ssize_t)n;
    if (at > bytes->memory.n || n > bytes->memory.n - at)
        return false;
    memcpy(to, bytes->memory.p + at, n);
    return true;
}
