/* Numbers as HDF5 files hold them, wherever they stand. */
#ifndef WS_FORMATS_HDF5_LITTLE_ENDIAN_H
#define WS_FORMATS_HDF5_LITTLE_ENDIAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline uint32_t ws_u16_at(const unsigned char *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8;
}

static inline uint32_t ws_u32_at(const unsigned char *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static inline uint64_t ws_u64_at(const unsigned char *p)
{
    return ws_u32_at(p) | (uint64_t)ws_u32_at(p + 4) << 32;
}

/* The few bytes of a field one by one, the hundreds behind the last entry of a node by memcmp: each equals the next. */
static inline bool ws_are_zeros(const unsigned char *p, size_t n)
{
    enum { FEW = 8 };
    if (n > FEW)
        return !p[0] && memcmp(p, p + 1, n - 1) == 0;
    while (n && !p[n - 1])
        n--;
    return n == 0;
}

#endif
