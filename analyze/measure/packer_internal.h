/* How a record's parts become bytes: each function writes a value, or reads it, so that one description of a struct
 * does both. Whole numbers take as many bytes as they need, seven bits in each; doubles go with their bytes reversed,
 * since most of them end in zeros; a text that was there before is its number. */
#ifndef WS_ANALYZE_PACKER_INTERNAL_H
#define WS_ANALYZE_PACKER_INTERNAL_H

#include "core/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct ws_packer {
    bool writes, failed;  /* failed: what is read is of no use, and may be anything of its type */
    unsigned char *bytes; /* writing */
    size_t n, capacity;
    const unsigned char *at, *end; /* reading */
    ws_arena *arena;               /* takes the texts that are read */
    const char **texts;            /* that occurred so far */
    size_t n_texts, text_capacity;
    const char *const *paths;
    size_t n_paths;
} ws_packer;

void ws_put_byte(ws_packer *p, unsigned byte);
void ws_pack_u64(ws_packer *p, uint64_t *value);
void ws_pack_i64(ws_packer *p, int64_t *value);
void ws_pack_int(ws_packer *p, int *value, int least, int most); /* fails beyond these */
void ws_pack_bool(ws_packer *p, bool *value);
void ws_pack_size(ws_packer *p, size_t *value);
void ws_pack_count(ws_packer *p, size_t *n); /* of things of a byte at least that follow: 0 where there is no room */
void ws_pack_double(ws_packer *p, double *value);

/* A two's-complement number of up to four limbs, least first. */
void ws_pack_wide(ws_packer *p, uint64_t *limbs, size_t n_limbs);

/* Texts that are read live in the arena. Those before do not count from here on. */
void ws_begin_texts(ws_packer *p, ws_arena *arena);
void ws_pack_text(ws_packer *p, const char **text); /* may be NULL */
void ws_pack_word(ws_packer *p, const char **text); /* never NULL */

/* Of an enumeration from 0. */
#define WS_PACK_ENUM(p, value, number_of)               \
    do {                                                \
        int as_int = (int)*(value);                     \
        ws_pack_int(p, &as_int, 0, (int)(number_of)-1); \
        if (!(p)->writes && !(p)->failed)               \
            memcpy(value, &as_int, sizeof as_int);      \
    } while (0)

#endif
