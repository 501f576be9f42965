/* SHA-256 of bytes as they pass by (FIPS 180-4). */
#ifndef WS_CORE_SHA256_H
#define WS_CORE_SHA256_H

#include <stddef.h>
#include <stdint.h>

enum { WS_SHA256_BLOCK = 64, WS_SHA256_TEXT = 65 };

/* Mix n blocks into a state. */
typedef void ws_sha256_mix(uint32_t state[8], const unsigned char *blocks, size_t n);

typedef struct ws_sha256 {
    ws_sha256_mix *mix;
    uint32_t state[8];
    uint64_t length;                     /* bytes so far */
    unsigned char rest[WS_SHA256_BLOCK]; /* the first length % 64 are waiting */
} ws_sha256;

void ws_sha256_init(ws_sha256 *hash);
void ws_sha256_add(ws_sha256 *hash, const void *bytes, size_t n);

/* 64 lower-case hexadecimal digits and a terminating zero. The hash takes no more bytes after it. */
void ws_sha256_text(ws_sha256 *hash, char text[WS_SHA256_TEXT]);

/* The two ways to mix; ws_sha256_init takes the processor's own instructions where it has them. They are here so that
 * a test can hold one against the other. */
ws_sha256_mix ws_sha256_mix_plain;
ws_sha256_mix *ws_sha256_mix_fast(void); /* NULL where the processor has none */

#endif
