/* How a record's parts become bytes: each function writes a value, or reads it, so that one description of a struct
 * does both. A whole number below 128 is a byte, most of them; others, and doubles, which end in zeros or are so many
 * thousandths, say how many bytes they need. What was there before is a byte or two: a text by its number, a long
 * number by how many long ones were between, for the same stamps and readings come again and again. */
#ifndef WS_ANALYZE_PACKER_INTERNAL_H
#define WS_ANALYZE_PACKER_INTERNAL_H

#include "core/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* A file that only writes, or only reads, says so before it includes this (true or false): half of the code. */
#ifdef WS_PACKER_ONLY_WRITES
#define WS_PACKER_WRITES(p) (WS_PACKER_ONLY_WRITES)
#else
#define WS_PACKER_WRITES(p) ((p)->writes)
#endif

enum { WS_LONG_NUMBERS = 64 }; /* the last ones are remembered */

typedef struct ws_known_text {
    const char *text;
    size_t place; /* among the texts so far */
} ws_known_text;

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
    uint64_t long_numbers[WS_LONG_NUMBERS]; /* the i-th of all at i % WS_LONG_NUMBERS */
    size_t n_long;
    ws_known_text known[64];   /* writing: the last with such a hash of its address */
    uint32_t long_places[256]; /* writing: where a number with such a hash was last, counted from 1 */
} ws_packer;

void ws_put_byte(ws_packer *p, unsigned byte);
void ws_put_bytes(ws_packer *p, const void *bytes, size_t n);
void ws_write_large(ws_packer *p, uint64_t value); /* these two for ws_pack_u64 */
uint64_t ws_read_large(ws_packer *p);

static inline void ws_pack_u64(ws_packer *p, uint64_t *value)
{
    if (WS_PACKER_WRITES(p) && *value < 0x80 && p->n < p->capacity)
        p->bytes[p->n++] = (unsigned char)*value;
    else if (WS_PACKER_WRITES(p))
        ws_write_large(p, *value);
    else if (p->at < p->end && *p->at < 0x80)
        *value = *p->at++;
    else
        *value = ws_read_large(p);
}

/* Small numbers of either sign as small ones: 0, -1, 1, -2 are 0, 1, 2, 3. */
static inline uint64_t ws_fold(int64_t value)
{
    return (uint64_t)value << 1 ^ (uint64_t)(value < 0 ? -1 : 0);
}

static inline int64_t ws_unfold(uint64_t folded)
{
    return (int64_t)(folded >> 1 ^ (0 - (folded & 1)));
}

static inline void ws_pack_i64(ws_packer *p, int64_t *value)
{
    uint64_t folded = WS_PACKER_WRITES(p) ? ws_fold(*value) : 0;
    ws_pack_u64(p, &folded);
    if (!WS_PACKER_WRITES(p) && !p->failed)
        *value = ws_unfold(folded);
}

/* A number between two bounds, as a choice or an index: fails beyond these. */
static inline void ws_pack_int(ws_packer *p, int *value, int least, int most)
{
    int64_t wide = WS_PACKER_WRITES(p) ? *value : 0;
    ws_pack_i64(p, &wide);
    if (wide < least || wide > most)
        p->failed = true;
    if (!WS_PACKER_WRITES(p) && !p->failed)
        *value = (int)wide;
}

static inline void ws_pack_bool(ws_packer *p, bool *value)
{
    int number = WS_PACKER_WRITES(p) ? *value : 0; /* what is unpacked into may hold anything */
    ws_pack_int(p, &number, 0, 1);
    *value = number;
}

/* At most six in a byte. */
static inline void ws_pack_flags(ws_packer *p, bool *const *flags, size_t n)
{
    int number = 0;
    for (size_t i = 0; i < n && WS_PACKER_WRITES(p); i++)
        number |= (int)*flags[i] << i;
    ws_pack_int(p, &number, 0, (1 << n) - 1);
    for (size_t i = 0; i < n; i++)
        *flags[i] = number >> i & 1;
}

static inline void ws_pack_size(ws_packer *p, size_t *value)
{
    uint64_t wide = WS_PACKER_WRITES(p) ? *value : 0;
    ws_pack_u64(p, &wide);
    *value = (size_t)wide;
}

void ws_pack_count(ws_packer *p, size_t *n); /* of things of a byte at least that follow: 0 where there is no room */
void ws_write_double(ws_packer *p, double value); /* these two for ws_pack_double */
void ws_read_double(ws_packer *p, double *value);
void ws_pack_any_wide(ws_packer *p, uint64_t *limbs, size_t n_limbs); /* for ws_pack_wide; not 0 where it writes */

/* Numbers of one kind, each of as many bytes as the largest of them needs. */
void ws_pack_numbers(ws_packer *p, uint64_t *number, size_t n);

/* The zeros, which are every other one, are a byte of 0. */
static inline bool ws_pack_zero(ws_packer *p, bool is_zero)
{
    bool takes = WS_PACKER_WRITES(p) ? is_zero : p->at < p->end && !*p->at;
    if (takes && WS_PACKER_WRITES(p) && p->n < p->capacity)
        p->bytes[p->n++] = 0;
    else if (takes && WS_PACKER_WRITES(p))
        ws_put_byte(p, 0);
    else if (takes)
        p->at++;
    return takes;
}

static inline void ws_pack_double(ws_packer *p, double *value)
{
    uint64_t bits = 0;
    if (WS_PACKER_WRITES(p))
        memcpy(&bits, value, sizeof bits);
    bool is_zero = ws_pack_zero(p, !bits);
    if (WS_PACKER_WRITES(p) && !is_zero)
        ws_write_double(p, *value);
    else if (!WS_PACKER_WRITES(p) && !is_zero)
        ws_read_double(p, value);
    else if (!WS_PACKER_WRITES(p) && !p->failed)
        *value = 0;
}

/* A two's-complement number of up to four limbs, least first. */
static inline void ws_pack_wide(ws_packer *p, uint64_t *limbs, size_t n_limbs)
{
    uint64_t any = 1;
    if (WS_PACKER_WRITES(p)) {
        any = 0;
        for (size_t i = 0; i < n_limbs; i++)
            any |= limbs[i];
    }
    if (!ws_pack_zero(p, !any))
        ws_pack_any_wide(p, limbs, n_limbs);
    else if (!WS_PACKER_WRITES(p) && !p->failed)
        memset(limbs, 0, n_limbs * sizeof *limbs);
}

/* Texts that are read live in the arena. Those before do not count from here on. */
void ws_begin_texts(ws_packer *p, ws_arena *arena);
void ws_pack_text(ws_packer *p, const char **text); /* may be NULL */
void ws_pack_word(ws_packer *p, const char **text); /* never NULL */

/* Does what follows hold anything? Else it stays as it was made. */
static inline bool ws_pack_whether(ws_packer *p, bool holds)
{
    ws_pack_bool(p, &holds);
    return holds && !p->failed;
}

/* FNV-1a over words of eight bytes: each byte changes the sum, whatever follows. */
uint64_t ws_record_sum(const unsigned char *bytes, size_t n);

/* Of an enumeration from 0. */
#define WS_PACK_ENUM(p, value, number_of)               \
    do {                                                \
        int as_int = (int)*(value);                     \
        ws_pack_int(p, &as_int, 0, (int)(number_of)-1); \
        if (!WS_PACKER_WRITES(p) && !(p)->failed)       \
            memcpy(value, &as_int, sizeof as_int);      \
    } while (0)

#endif
