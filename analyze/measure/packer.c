#include "analyze/measure/packer_internal.h"

#include <math.h>
#include <stdlib.h>

/* --- numbers --- */

static __attribute__((noinline)) void make_room(ws_packer *p, size_t n)
{
    enum { FEW = 4096 }; /* of which a record has some thousand */
    p->bytes = ws_grow(p->bytes, &p->capacity, p->n + (n > FEW ? n : FEW), 1);
}

static inline unsigned char *room_for(ws_packer *p, size_t n)
{
    if (n > p->capacity - p->n)
        make_room(p, n);
    return p->bytes + p->n;
}

void ws_put_bytes(ws_packer *p, const void *bytes, size_t n)
{
    memcpy(room_for(p, n), bytes, n);
    p->n += n;
}

void ws_put_byte(ws_packer *p, unsigned byte)
{
    *room_for(p, 1) = (unsigned char)byte;
    p->n++;
}

static unsigned take_byte(ws_packer *p)
{
    if (p->at < p->end)
        return *p->at++;
    p->failed = true;
    return 0;
}

/* All eight bytes, least first. */
static inline void word_to(unsigned char *bytes, uint64_t word)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    memcpy(bytes, &word, sizeof word);
#else
    for (size_t i = 0; i < 8; i++)
        bytes[i] = (unsigned char)(word >> (8 * i));
#endif
}

/* Up to eight bytes, least first. There are so many. */
static uint64_t take_word(ws_packer *p, size_t n)
{
    uint64_t word = 0;
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    if (p->end - p->at >= 8) {
        memcpy(&word, p->at, sizeof word);
        word = n < 8 ? word & ((UINT64_C(1) << 8 * n) - 1) : word;
        p->at += n;
        return word;
    }
#endif
    for (size_t i = 0; i < n; i++)
        word |= (uint64_t)*p->at++ << (8 * i);
    return word;
}

static size_t bytes_of(uint64_t word)
{
    return word ? (71 - (size_t)__builtin_clzll(word)) / 8 : 0;
}

/* A long number, of LONG to 8 bytes, is one byte where it is among the last ones: AGAIN + how many were between. */
enum { LONG = 4, AGAIN = 9 };

static uint32_t *place_of(ws_packer *p, uint64_t word)
{
    return &p->long_places[word * UINT64_C(0x9e3779b97f4a7c15) >> 56];
}

static void remember_long(ws_packer *p, uint64_t word, size_t n)
{
    if (n < LONG)
        return;
    p->long_numbers[p->n_long++ % WS_LONG_NUMBERS] = word;
    *place_of(p, word) = (uint32_t)p->n_long;
}

static size_t count_remembered(const ws_packer *p)
{
    return p->n_long < WS_LONG_NUMBERS ? p->n_long : WS_LONG_NUMBERS;
}

/* How many were between; false: it is not remembered, or another one has taken its place. */
static bool find_long(ws_packer *p, uint64_t word, size_t *between)
{
    size_t place = *place_of(p, word);
    *between = p->n_long - place;
    return place && *between < WS_LONG_NUMBERS && p->long_numbers[(place - 1) % WS_LONG_NUMBERS] == word;
}

/* `mark` is set in the byte that says how many bytes follow. */
static void write_sized(ws_packer *p, uint64_t word, unsigned mark)
{
    size_t n = bytes_of(word), between;
    unsigned char *out = room_for(p, 1 + sizeof word);
    if (n >= LONG && find_long(p, word, &between)) {
        *out = (unsigned char)(mark | (AGAIN + between));
        p->n++;
        return;
    }
    *out = (unsigned char)(mark | n);
    word_to(out + 1, word);
    p->n += 1 + n;
    remember_long(p, word, n);
}

/* `size`: that byte without its mark. */
static uint64_t read_sized(ws_packer *p, size_t size)
{
    bool is_again = size >= AGAIN;
    p->failed |= is_again ? size - AGAIN >= count_remembered(p) : size > (size_t)(p->end - p->at);
    if (p->failed)
        return 0;
    if (is_again)
        return p->long_numbers[(p->n_long - 1 - (size - AGAIN)) % WS_LONG_NUMBERS];
    uint64_t word = take_word(p, size);
    p->failed |= bytes_of(word) != size; /* written in another way */
    remember_long(p, word, size);
    return word;
}

/* Not below 0x80: the byte that says how many has its highest bit set. */
void ws_write_large(ws_packer *p, uint64_t value)
{
    if (value < 0x80)
        ws_put_byte(p, (unsigned)value);
    else
        write_sized(p, value, 0x80);
}

uint64_t ws_read_large(ws_packer *p)
{
    unsigned first = take_byte(p);
    p->failed |= first < 0x80;
    uint64_t read = p->failed ? 0 : read_sized(p, first & 0x7f);
    p->failed |= read < 0x80;
    return read;
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

void ws_pack_numbers(ws_packer *p, uint64_t *number, size_t n)
{
    uint64_t any = 0; /* bit by bit: the largest of them needs as many bytes */
    for (size_t i = 0; i < n && p->writes; i++)
        any |= number[i];
    size_t width = bytes_of(any);
    ws_pack_size(p, &width);
    if (p->writes) {
        unsigned char *out = room_for(p, n * width + sizeof *number); /* each as a whole word, over the one before */
        for (size_t i = 0; i < n; i++)
            word_to(out + i * width, number[i]);
        p->n += n * width;
        return;
    }
    p->failed |= width > sizeof *number || n * width > (size_t)(p->end - p->at);
    for (size_t i = 0; i < n && !p->failed; i++)
        any |= number[i] = take_word(p, width);
    p->failed |= bytes_of(any) != width; /* written in another way */
    if (p->failed)
        memset(number, 0, n * sizeof *number);
}

/* A long number of three decimals at most, as readings are: its thousandths, folded, behind their size with this mark.
 */
enum { THOUSANDTHS = 0x80 };
static const double of_one = 1e3, most_thousandths = 0x1p52;

static bool find_thousandths(double value, uint64_t *folded)
{
    if (!(fabs(value) * of_one < most_thousandths))
        return false;
    int64_t whole = llrint(value * of_one);
    *folded = ws_fold(whole);
    return (double)whole / of_one == value;
}

/* The bytes of a double are reversed, since most of them end in zeros. */
void ws_write_double(ws_packer *p, double value)
{
    uint64_t folded, word;
    memcpy(&word, &value, sizeof word);
    word = __builtin_bswap64(word);
    size_t n = bytes_of(word), between;
    if (n < LONG || find_long(p, word, &between) || !find_thousandths(value, &folded) || bytes_of(folded) >= n) {
        write_sized(p, word, 0);
        return;
    }
    unsigned char *out = room_for(p, 1 + sizeof folded);
    *out = (unsigned char)(THOUSANDTHS | bytes_of(folded));
    word_to(out + 1, folded);
    p->n += 1 + bytes_of(folded);
    remember_long(p, word, n);
}

static uint64_t read_thousandths(ws_packer *p, size_t size)
{
    p->failed |= size > sizeof(uint64_t) || size > (size_t)(p->end - p->at);
    if (p->failed)
        return 0;
    uint64_t folded = take_word(p, size), word;
    double value = (double)ws_unfold(folded) / of_one;
    memcpy(&word, &value, sizeof word);
    word = __builtin_bswap64(word);
    p->failed |= bytes_of(folded) != size || bytes_of(word) < LONG || bytes_of(word) <= size;
    remember_long(p, word, bytes_of(word));
    return word;
}

void ws_read_double(ws_packer *p, double *value)
{
    size_t size = take_byte(p);
    uint64_t bits = 0;
    if (!p->failed)
        bits = size & THOUSANDTHS ? read_thousandths(p, size & ~(size_t)THOUSANDTHS) : read_sized(p, size);
    bits = __builtin_bswap64(bits);
    if (!p->failed)
        memcpy(value, &bits, sizeof bits);
}

/* How many of its bytes say all, the last of them with its sign; not 0. */
static size_t wide_bytes(const uint64_t *limbs, size_t n_limbs)
{
    uint64_t sign = 0 - (limbs[n_limbs - 1] >> 63);
    while (n_limbs > 1 && limbs[n_limbs - 1] == sign && 0 - (limbs[n_limbs - 2] >> 63) == sign)
        n_limbs--;
    uint64_t top = limbs[n_limbs - 1] ^ sign;
    size_t bits = top ? 64 - (size_t)__builtin_clzll(top) : 0;
    return 8 * (n_limbs - 1) + bits / 8 + 1;
}

static void write_wide(ws_packer *p, const uint64_t *limbs, size_t n_limbs)
{
    size_t n = wide_bytes(limbs, n_limbs);
    unsigned char *out = room_for(p, 1 + n_limbs * sizeof *limbs);
    *out = (unsigned char)n;
    for (size_t i = 0; i < n; i += 8)
        word_to(out + 1 + i, limbs[i / 8]);
    p->n += 1 + n;
}

static void read_wide(ws_packer *p, uint64_t *limbs, size_t n_limbs)
{
    size_t n = 0;
    ws_pack_size(p, &n);
    p->failed |= n > n_limbs * 8 || n > (size_t)(p->end - p->at);
    if (p->failed)
        return;
    uint64_t sign = n && p->at[n - 1] & 0x80 ? UINT64_MAX : 0;
    for (size_t i = 0; i < n_limbs; i++) {
        size_t here = n > 8 * i ? n - 8 * i : 0;
        limbs[i] = here >= 8 ? take_word(p, 8) : here ? take_word(p, here) | sign << 8 * here : sign;
    }
}

/* Whole bytes of a two's-complement number, without those that only repeat its sign. */
void ws_pack_any_wide(ws_packer *p, uint64_t *limbs, size_t n_limbs)
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
    memset(p->known, 0, sizeof p->known);
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
        if (*text != *p->paths[i])
            continue;
        size_t n = strlen(p->paths[i]);
        if (n > longest && strncmp(text, p->paths[i], n) == 0 && (strchr(p->paths[i], '/') || !text[n]))
            found = i, longest = n;
    }
    return found;
}

/* So many letters come before any path: mostly all. */
static size_t letters_of(const ws_packer *p, const char *text)
{
    size_t n = strlen(text);
    for (size_t i = 0; i < p->n_paths && n; i++) {
        const char *found = strstr(text, p->paths[i]);
        n = found && (size_t)(found - text) < n ? (size_t)(found - text) : n;
    }
    return n;
}

/* A piece of a text: letters, and then one of the paths, or the end. */
static const char *put_piece(ws_packer *p, const char *text)
{
    size_t n = letters_of(p, text), path = path_at(p, text + n);
    while (text[n] && path == p->n_paths)
        path = path_at(p, text + ++n);
    size_t name = path == p->n_paths ? 0 : path + 1;
    ws_pack_size(p, &n);
    ws_put_bytes(p, text, n);
    ws_pack_size(p, &name);
    return name ? text + n + strlen(p->paths[path]) : NULL;
}

static uint64_t code_of(ws_packer *p, const char *text)
{
    ws_known_text *known = &p->known[(uint64_t)(uintptr_t)text * UINT64_C(0x9e3779b97f4a7c15) >> 58];
    if (known->text == text) /* mostly the very same */
        return TEXT_OLD + known->place;
    size_t i = p->n_texts;
    while (i > 0 && (*p->texts[i - 1] != *text || strcmp(p->texts[i - 1], text) != 0))
        i--;
    *known = (ws_known_text){text, i ? i - 1 : p->n_texts};
    return i ? TEXT_OLD + known->place : TEXT_NEW;
}

static void write_text(ws_packer *p, const char *text)
{
    uint64_t code = text ? code_of(p, text) : TEXT_NULL;
    ws_pack_u64(p, &code);
    if (code != TEXT_NEW)
        return;
    remember(p, text);
    while (text)
        text = put_piece(p, text);
}

/* The text so far, the letters of a piece and its path; nearly all texts have one piece and no path. */
static const char *join_piece(ws_packer *p, const char *text, size_t *used, const unsigned char *letters, size_t n,
                              const char *path)
{
    size_t more = strlen(path);
    char *joined = ws_arena_alloc(p->arena, *used + n + more + 1);
    memcpy(joined, text, *used);
    memcpy(joined + *used, letters, n);
    memcpy(joined + *used + n, path, more);
    *used += n + more;
    return joined;
}

static const char *read_new_text(ws_packer *p)
{
    const char *text = "";
    size_t used = 0, n, name = 1;
    while (name && !p->failed) {
        ws_pack_count(p, &n);
        const unsigned char *letters = p->at;
        p->at += n;
        ws_pack_size(p, &name);
        p->failed |= name > p->n_paths || memchr(letters, '\0', n);
        text = p->failed ? "" : join_piece(p, text, &used, letters, n, name ? p->paths[name - 1] : "");
    }
    remember(p, text);
    return text;
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

/* --- a record as a whole --- */

static uint64_t word_at(const unsigned char *bytes, size_t n)
{
    uint64_t word = 0;
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    memcpy(&word, bytes, n);
#else
    for (size_t k = 0; k < n; k++)
        word |= (uint64_t)bytes[k] << (8 * k);
#endif
    return word;
}

uint64_t ws_record_sum(const unsigned char *bytes, size_t n)
{
    uint64_t sum = UINT64_C(0xcbf29ce484222325);
    size_t i = 0;
    for (; i + 8 <= n; i += 8)
        sum = (sum ^ word_at(bytes + i, 8)) * UINT64_C(0x100000001b3);
    return (sum ^ word_at(bytes + i, n - i)) * UINT64_C(0x100000001b3);
}
