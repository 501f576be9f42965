#include "formats/input/unpack/unpack_gzip.h"

#include "core/arena.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { ROOM = 64 * 1024, GZIP_ONLY = 16 };

struct ws_gunzip {
    ws_unpack_source *source;
    void *state;
    z_stream z;
    bool has_begun, is_gzip, source_ended;
    bool in_member, ended, has_junk;
    char out[ROOM];
};

ws_gunzip *ws_gunzip_new(ws_unpack_source *source, void *state)
{
    ws_gunzip *g = ws_alloc(sizeof *g);
    g->source = source;
    g->state = state;
    return g;
}

void ws_gunzip_free(ws_gunzip *g)
{
    if (g && g->is_gzip)
        inflateEnd(&g->z);
    free(g);
}

/* More packed bytes, where none are left; false where they cannot be read. */
static bool refill(ws_gunzip *g, const char **why)
{
    const char *bytes;
    if (g->z.avail_in || g->source_ended)
        return true;
    ssize_t n = g->source(g->state, &bytes, why);
    if (n < 0)
        return false;
    g->source_ended = n == 0;
    g->z.next_in = (Bytef *)(uintptr_t)bytes;
    g->z.avail_in = (uInt)n;
    return true;
}

static bool unpack_gzip_begin(ws_gunzip *g, const char **why)
{
    static const char magic[] = "\x1f\x8b";
    if (!refill(g, why))
        return false;
    g->has_begun = true;
    g->is_gzip =
        g->z.avail_in >= 2 && memcmp(g->z.next_in, magic, 2) == 0 && inflateInit2(&g->z, MAX_WBITS + GZIP_ONLY) == Z_OK;
    g->in_member = true;
    return true;
}

/* As it came. */
static ssize_t pass_on(ws_gunzip *g, const char **bytes, const char **why)
{
    if (!refill(g, why))
        return -1;
    *bytes = (const char *)g->z.next_in;
    size_t n = g->z.avail_in;
    g->z.avail_in = 0;
    return (ssize_t)n;
}

/* Of the next member its first byte is enough: what is wrong with the others is a damage. Zeros fill up a tape's block.
 */
static void begin_member(ws_gunzip *g)
{
    unsigned char next = g->z.avail_in ? *g->z.next_in : 0;
    g->in_member = next == 0x1f;
    g->ended = !g->in_member;
    g->has_junk = g->ended && next;
    if (g->in_member)
        inflateReset(&g->z);
}

ssize_t ws_gunzip_next(void *gunzip, const char **bytes, const char **why)
{
    ws_gunzip *g = gunzip;
    if (!g->has_begun && !unpack_gzip_begin(g, why))
        return -1;
    if (!g->is_gzip)
        return pass_on(g, bytes, why);
    *bytes = g->out;
    g->z.next_out = (Bytef *)g->out;
    g->z.avail_out = ROOM;
    int rc = Z_OK;
    while (g->z.avail_out && !g->ended && rc == Z_OK) {
        if (!refill(g, why))
            return -1;
        if (!g->in_member)
            begin_member(g);
        rc = g->in_member ? inflate(&g->z, Z_NO_FLUSH) : Z_OK;
        g->in_member &= rc != Z_STREAM_END;
        rc = rc == Z_STREAM_END ? Z_OK : rc;
    }
    size_t made = ROOM - g->z.avail_out;
    if (made || (rc == Z_OK && !g->has_junk))
        return (ssize_t)made;
    /* zlib says it again with every further call */
    *why = rc == Z_OK          ? "bytes that are no gzip stand behind its end"
           : rc == Z_BUF_ERROR ? "truncated gzip input"
           : g->z.msg          ? g->z.msg
                               : "no gzip data";
    return -1;
}
