#include "analyze/measure/packer_internal.h"

#include <stdlib.h>

/* --- numbers --- */

void ws_put_byte(ws_packer *p, unsigned byte)
{
    if (p->n == p->capacity)
        p->bytes = ws_grow(p->bytes, &p->capacity, p->n + 1, 1);
    p->bytes[p->n++] = (unsigned char)byte;
}

static unsigned take_byte(ws_packer *p)
{
    if (p->at < p->end)
        return *p->at++;
    p->failed = true;
    return 0;
}

void ws_pack_u64(ws_packer *p, uint64_t *value)
{
    uint64_t v = *value;
    if (p->writes) {
        for (; v >= 0x80; v >>= 7)
            ws_put_byte(p, (unsigned)(v & 0x7f) | 0x80);
        ws_put_byte(p, (unsigned)v);
        return;
    }
    uint64_t read = 0;
    unsigned byte = 0x80;
    for (int shift = 0; byte & 0x80; shift += 7) {
        byte = take_byte(p);
        p->failed |= shift > 63 || (shift == 63 && byte > 1);
        if (p->failed)
            return;
        read |= (uint64_t)(byte & 0x7f) << shift;
    }
    *value = read;
}

void ws_pack_i64(ws_packer *p, int64_t *value)
{
    uint64_t folded = p->writes ? (uint64_t)*value << 1 ^ (uint64_t)(*value < 0 ? -1 : 0) : 0;
    ws_pack_u64(p, &folded);
    if (!p->writes && !p->failed)
        *value = (int64_t)(folded >> 1 ^ (0 - (folded & 1)));
}

/* A number between two bounds, as a choice or an index. */
void ws_pack_int(ws_packer *p, int *value, int least, int most)
{
    int64_t wide = p->writes ? *value : 0;
    ws_pack_i64(p, &wide);
    p->failed |= wide < least || wide > most;
    if (!p->writes && !p->failed)
        *value = (int)wide;
}

void ws_pack_bool(ws_packer *p, bool *value)
{
    int number = p->writes ? *value : 0; /* what is unpacked into may hold anything */
    ws_pack_int(p, &number, 0, 1);
    *value = number;
}

void ws_pack_size(ws_packer *p, size_t *value)
{
    uint64_t wide = p->writes ? *value : 0;
    ws_pack_u64(p, &wide);
    *value = (size_t)wide;
}

/* How many of something follow, each of a byte at least. */
void ws_pack_count(ws_packer *p, size_t *n)
{
    ws_pack_size(p, n);
    if (!p->writes && !p->failed && *n > (size_t)(p->end - p->at))
        p->failed = true;
    if (p->failed && !p->writes)
        *n = 0;
}

void ws_pack_double(ws_packer *p, double *value)
{
    uint64_t bits = 0;
    if (p->writes)
        memcpy(&bits, value, sizeof bits);
    bits = __builtin_bswap64(bits);
    ws_pack_u64(p, &bits);
    if (p->writes || p->failed)
        return;
    bits = __builtin_bswap64(bits);
    memcpy(value, &bits, sizeof bits);
}

static unsigned byte_of(const uint64_t *limbs, size_t i)
{
    return (unsigned)(limbs[i / 8] >> (i % 8 * 8)) & 0xff;
}

static void write_wide(ws_packer *p, const uint64_t *limbs, size_t n_limbs)
{
    size_t n = n_limbs * 8;
    while (n_limbs > 1 && limbs[n_limbs - 1] == 0 && limbs[n_limbs - 2] >> 63 == 0) /* mostly */
        n = --n_limbs * 8;
    while (n && byte_of(limbs, n - 1) == (n > 1 && byte_of(limbs, n - 2) & 0x80 ? 0xff : 0))
        n--;
    ws_pack_size(p, &n);
    for (size_t i = 0; i < n; i++)
        ws_put_byte(p, byte_of(limbs, i));
}

static void read_wide(ws_packer *p, uint64_t *limbs, size_t n_limbs)
{
    size_t n = 0;
    ws_pack_size(p, &n);
    p->failed |= n > n_limbs * 8 || n > (size_t)(p->end - p->at);
    if (p->failed)
        return;
    for (size_t i = 0; i < n_limbs; i++)
        limbs[i] = n && p->at[n - 1] & 0x80 ? UINT64_MAX : 0;
    for (size_t i = 0; i < n; i++) {
        size_t shift = i % 8 * 8;
        limbs[i / 8] = (limbs[i / 8] & ~(UINT64_C(0xff) << shift)) | (uint64_t)p->at[i] << shift;
    }
    p->at += n;
}

/* Whole bytes of a two's-complement number, without those that only repeat its sign. */
void ws_pack_wide(ws_packer *p, uint64_t *limbs, size_t n_limbs)
{
    if (p->writes)
        write_wide(p, limbs, n_limbs);
    else
        read_wide(p, limbs, n_limbs);
}

/* --- texts --- */

enum { TEXT_NULL = 0, TEXT_NEW, TEXT_OLD }; /* TEXT_OLD + i: the i-th text of the record */

/* Texts live as long as the measure that they are of. */
void ws_begin_texts(ws_packer *p, ws_arena *arena)
{
    p->arena = arena;
    p->n_texts = 0;
}

static void remember(ws_packer *p, const char *text)
{
    p->texts = ws_grow(p->texts, &p->text_capacity, p->n_texts + 1, sizeof *p->texts);
    p->texts[p->n_texts++] = text;
}

/* The longest of the paths that begins here; n_paths: none. One without a folder could be any word. */
static size_t path_at(const ws_packer *p, const char *text)
{
    size_t found = p->n_paths, longest = 0;
    for (size_t i = 0; i < p->n_paths; i++) {
        size_t n = strlen(p->paths[i]);
        if (n > longest && strncmp(text, p->paths[i], n) == 0 && (strchr(p->paths[i], '/') || !text[n]))
            found = i, longest = n;
    }
    return found;
}

/* A piece of a text: letters, and then one of the paths, or the end. */
static const char *put_piece(ws_packer *p, const char *text)
{
    size_t n = 0, path = path_at(p, text);
    while (text[n] && path == p->n_paths)
        path = path_at(p, text + ++n);
    size_t name = path == p->n_paths ? 0 : path + 1;
    ws_pack_size(p, &n);
    for (size_t i = 0; i < n; i++)
        ws_put_byte(p, (unsigned char)text[i]);
    ws_pack_size(p, &name);
    return name ? text + n + strlen(p->paths[path]) : NULL;
}

static void write_text(ws_packer *p, const char *text)
{
    uint64_t code = TEXT_NULL;
    for (size_t i = p->n_texts; text && i-- > 0 && !code;)
        if (p->texts[i] == text || strcmp(p->texts[i], text) == 0)
            code = TEXT_OLD + i;
    if (text && !code)
        code = TEXT_NEW;
    ws_pack_u64(p, &code);
    if (code != TEXT_NEW)
        return;
    remember(p, text);
    while (text)
        text = put_piece(p, text);
}

static const char *read_new_text(ws_packer *p)
{
    char *text = NULL;
    size_t capacity = 0, used = 0, n, name = 1;
    while (name && !p->failed) {
        ws_pack_count(p, &n);
        text = ws_grow(text, &capacity, used + n + 1, 1);
        for (size_t i = 0; i < n; i++)
            text[used++] = (char)take_byte(p);
        ws_pack_size(p, &name);
        p->failed |= name > p->n_paths;
        size_t more = name && !p->failed ? strlen(p->paths[name - 1]) : 0;
        text = ws_grow(text, &capacity, used + more + 1, 1);
        memcpy(text + used, more ? p->paths[name - 1] : "", more);
        used += more;
    }
    p->failed |= memchr(text ? text : "", '\0', used) != NULL;
    const char *kept = p->failed ? "" : ws_arena_strndup(p->arena, text, used);
    free(text);
    remember(p, kept);
    return kept;
}

void ws_pack_text(ws_packer *p, const char **text)
{
    if (p->writes) {
        write_text(p, *text);
        return;
    }
    uint64_t code = TEXT_NULL;
    ws_pack_u64(p, &code);
    p->failed |= code >= TEXT_OLD && code - TEXT_OLD >= p->n_texts;
    if (p->failed)
        *text = "";
    else
        *text = code == TEXT_NULL ? NULL : code == TEXT_NEW ? read_new_text(p) : p->texts[code - TEXT_OLD];
}

/* A text that is never NULL. */
void ws_pack_word(ws_packer *p, const char **text)
{
    ws_pack_text(p, text);
    p->failed |= !*text;
    *text = *text ? *text : "";
}
