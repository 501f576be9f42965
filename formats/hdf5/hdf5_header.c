/* A header of version 1 (HDF5 file format specification, IV.A). Numbers have their little end first, (n) is a size in
 * bytes:
 *
 *   01 00  messages (2)  references (4)  size of the messages (4)  zero (4)
 *   kind (2)  size (2)  flags (1)  zero (3)  and what the message says, up to a multiple of 8       each message
 *
 *   kind  0  nothing
 *         1  space         01 01 01 zero (5)  length (8)  largest length (8)
 *         3  type          as in hdf5_number.c
 *         5  fill value    none of its own
 *         8  layout        03 01  address (8)  size (8)
 *        0c  attribute     01 00  size of its name (2), type (2), space (2); each, up to a multiple of 8; the values
 *        10  continuation  address (8)  size (8) of further messages
 *        11  names         address of their index (8), of the heap that holds them (8), of a group
 *        12  time          01 zero (3)  s (4)
 *
 * Each message is held against what HDF5 writes: one that differs anywhere is left to the library, to be read or
 * refused. */
#include "formats/hdf5/hdf5_header.h"

#include "core/arena.h"
#include "formats/hdf5/hdf5_heap.h"
#include "formats/hdf5/hdf5_little_endian.h"

#include <stdlib.h>
#include <string.h>

enum { PREFIX = 16, MESSAGE = 8, MOST_BLOCKS = 32 };
enum { NOTHING = 0, SPACE = 1, TYPE = 3, FILL = 5, LAYOUT = 8, ATTRIBUTE = 0xc, CONTINUATION = 0x10, NAMES, TIME };
enum { NO_FLAG = 0, CONSTANT = 1 };

static const unsigned char one_dimension[] = {1, 1, 1, 0, 0, 0, 0, 0}, one_value[] = {1, 0, 0, 0, 0, 0, 0, 0};

/* None that the user chose, and none at all. */
static const unsigned char fills[][8] = {{2, 2, 2, 1}, {2, 2, 2, 0}};

/* A text of variable length in UTF-8 and in ASCII, made of integers of one byte. */
static const unsigned char text_types[][20] = {
    {0x19, 1, 1, 0, 16, 0, 0, 0, 0x10, 0, 0, 0, 1, 0, 0, 0, 0, 0, 8},
    {0x19, 1, 0, 0, 16, 0, 0, 0, 0x10, 0, 0, 0, 1, 0, 0, 0, 0, 0, 8},
};

/* Two names for integers of one byte. */
static const unsigned char truth_type[38] = {0x18, 2, 0,   0,   1,   0,   0, 0,   0x10, 8,   0,   0,   1,
                                             0,    0, 0,   0,   0,   8,   0, 'F', 'A',  'L', 'S', 'E', 0,
                                             0,    0, 'T', 'R', 'U', 'E', 0, 0,   0,    0,   0,   1};

/* Where messages lie; those of the first block behind the prefix. */
typedef struct block {
    uint64_t at, n;
} block;

typedef struct reader {
    ws_hdf5_blocks *file;
    ws_hdf5_header *header;
    size_t used;             /* of the header's bytes */
    unsigned messages, seen; /* seen: a bit for each kind that stands once */
    uint64_t stored_size;
    block blocks[MOST_BLOCKS]; /* in the order in which they are named */
    size_t n_blocks;
} reader;

static size_t padded(size_t n)
{
    return (n + 7) / 8 * 8;
}

static ws_span span_of(const unsigned char *p, size_t n)
{
    return (ws_span){(const char *)p, n};
}

/* Of a vector that cannot grow. */
static bool take_length(const unsigned char *p, size_t n, uint64_t *length)
{
    *length = n == 24 ? ws_u64_at(p + 8) : 0;
    return n == 24 && memcmp(p, one_dimension, sizeof one_dimension) == 0 && ws_u64_at(p + 16) == *length;
}

static bool take_type(reader *r, const unsigned char *p, size_t n)
{
    static const size_t sizes[] = {12, 20};
    for (size_t i = 0; i < 2 && !r->header->type; i++)
        if (n == padded(sizes[i]) && ws_are_zeros(p + sizes[i], n - sizes[i]))
            r->header->type = ws_hdf5_number_type_spelled(span_of(p, sizes[i]));
    return r->header->type != NULL;
}

static bool take_fill(const unsigned char *p, size_t n)
{
    return n == sizeof fills[0] && (memcmp(p, fills[0], n) == 0 || memcmp(p, fills[1], n) == 0);
}

static bool take_layout(reader *r, const unsigned char *p, size_t n)
{
    r->header->at = n == 24 ? ws_u64_at(p + 2) : 0;
    r->stored_size = n == 24 ? ws_u64_at(p + 10) : 0;
    return n == 24 && p[0] == 3 && p[1] == 1 && ws_are_zeros(p + 18, 6);
}

static bool is_text_type(const unsigned char *p, size_t n)
{
    return n == sizeof text_types[0] && (memcmp(p, text_types[0], n) == 0 || memcmp(p, text_types[1], n) == 0);
}

/* Size of a value; 0 for a type that is unknown here. */
static size_t take_value_type(ws_hdf5_attribute *a, const unsigned char *p, size_t n)
{
    a->type = ws_hdf5_number_type_spelled(span_of(p, n));
    if (a->type)
        return a->kind = WS_HDF5_NUMBER, a->type->size;
    if (is_text_type(p, n))
        return a->kind = WS_HDF5_TEXT, WS_HDF5_REFERENCE_SIZE;
    a->kind = WS_HDF5_TRUTH;
    return n == sizeof truth_type && memcmp(p, truth_type, n) == 0;
}

static bool take_value_count(ws_hdf5_attribute *a, const unsigned char *p, size_t n)
{
    a->n = 1;
    return n == sizeof one_value ? memcmp(p, one_value, n) == 0 : take_length(p, n, &a->n);
}

static bool take_attribute(reader *r, const unsigned char *p, size_t n)
{
    ws_hdf5_header *h = r->header;
    if (n < MESSAGE || p[0] != 1 || p[1] != 0 || h->n_attributes == WS_HDF5_MOST_ATTRIBUTES)
        return false;
    size_t name_n = (size_t)ws_u16_at(p + 2), type_n = (size_t)ws_u16_at(p + 4), space_n = (size_t)ws_u16_at(p + 6);
    size_t type = MESSAGE + padded(name_n), space = type + padded(type_n), value = space + padded(space_n);
    ws_hdf5_attribute a = {.name = (const char *)p + MESSAGE, .value = p + value};
    if (value > n || !name_n || memchr(a.name, '\0', name_n) != a.name + name_n - 1 ||
        !take_value_count(&a, p + space, space_n))
        return false;
    size_t size = take_value_type(&a, p + type, type_n);
    h->attributes[h->n_attributes++] = a;
    return size && a.n && a.n <= n / size && n == value + padded((size_t)a.n * size);
}

static bool take_continuation(reader *r, const unsigned char *p, size_t n)
{
    if (n != 16 || r->n_blocks == MOST_BLOCKS)
        return false;
    r->blocks[r->n_blocks++] = (block){ws_u64_at(p), ws_u64_at(p + 8)};
    return true;
}

static bool take_names(reader *r, const unsigned char *p, size_t n)
{
    r->header->is_group = n == 16;
    r->header->tree = n == 16 ? ws_u64_at(p) : 0;
    r->header->heap = n == 16 ? ws_u64_at(p + 8) : 0;
    return n == 16;
}

static bool take_time(const unsigned char *p, size_t n)
{
    return n == 8 && p[0] == 1 && ws_are_zeros(p + 1, 3);
}

static bool is_first(reader *r, unsigned kind)
{
    bool was_seen = r->seen >> kind & 1;
    r->seen |= 1U << kind;
    return !was_seen;
}

static bool take_message(reader *r, unsigned kind, unsigned flags, const unsigned char *p, size_t n)
{
    switch (kind) {
    case NOTHING:
        return flags == NO_FLAG;
    case SPACE:
        return is_first(r, kind) && flags == NO_FLAG && take_length(p, n, &r->header->n);
    case TYPE:
        return is_first(r, kind) && flags == CONSTANT && take_type(r, p, n);
    case FILL:
        return is_first(r, kind) && flags == CONSTANT && take_fill(p, n);
    case LAYOUT:
        return is_first(r, kind) && flags == NO_FLAG && take_layout(r, p, n);
    case ATTRIBUTE:
        return flags == NO_FLAG && take_attribute(r, p, n);
    case CONTINUATION:
        return flags == NO_FLAG && take_continuation(r, p, n);
    case NAMES:
        return is_first(r, kind) && flags == NO_FLAG && take_names(r, p, n);
    case TIME:
        return is_first(r, kind) && flags == NO_FLAG && take_time(p, n);
    default:
        return false;
    }
}

static bool take_messages(reader *r, const unsigned char *p, size_t n)
{
    while (n) {
        size_t size = n < MESSAGE ? n : (size_t)ws_u16_at(p + 2);
        if (n < MESSAGE || size > n - MESSAGE || size % 8 || !ws_are_zeros(p + 5, 3) ||
            !take_message(r, (unsigned)ws_u16_at(p), p[4], p + MESSAGE, size))
            return false;
        r->messages++;
        p += MESSAGE + size, n -= MESSAGE + size;
    }
    return true;
}

static bool lie_apart(const block *a, const block *b)
{
    return a->at + a->n <= b->at || b->at + b->n <= a->at;
}

static bool lies_apart_from_others(const reader *r, size_t i)
{
    for (size_t other = 0; other < i; other++)
        if (!lie_apart(&r->blocks[i], &r->blocks[other]))
            return false;
    return true;
}

/* Messages of one block, which may name further ones. */
static bool read_block(reader *r, size_t i)
{
    const block *b = &r->blocks[i];
    unsigned char *to = r->header->bytes + r->used;
    size_t prefix = i == 0 ? PREFIX : 0;
    if (b->n > WS_HDF5_LARGEST_HEADER - r->used || !ws_hdf5_blocks_copy_inside(r->file, b->at, to, b->n) ||
        !lies_apart_from_others(r, i))
        return false;
    r->used += (size_t)b->n;
    return take_messages(r, to + prefix, (size_t)b->n - prefix);
}

static bool describes_a_vector(const reader *r)
{
    const unsigned needed = 1U << SPACE | 1U << TYPE | 1U << FILL | 1U << LAYOUT;
    const ws_hdf5_header *h = r->header;
    return (r->seen & ~(1U << TIME)) == needed && h->n <= UINT64_MAX / h->type->size &&
           r->stored_size == h->n * h->type->size && ws_hdf5_lies_inside(r->file, h->at, r->stored_size);
}

static bool describes_a_group(const reader *r)
{
    return r->seen == 1U << NAMES;
}

bool ws_hdf5_header_read(ws_hdf5_blocks *file, uint64_t address, ws_hdf5_header *header)
{
    unsigned char prefix[PREFIX];
    reader r = {.file = file, .header = header, .n_blocks = 1};
    header->is_group = false;
    header->type = NULL;
    header->n_attributes = 0;
    if (!ws_hdf5_blocks_copy_inside(file, address, prefix, PREFIX) || prefix[0] != 1 || prefix[1] != 0 ||
        ws_u32_at(prefix + 4) != 1 || !ws_are_zeros(prefix + 12, 4))
        return false;
    r.blocks[0] = (block){address, PREFIX + ws_u32_at(prefix + 8)};
    for (size_t i = 0; i < r.n_blocks; i++)
        if (!read_block(&r, i))
            return false;
    return r.messages == ws_u16_at(prefix + 2) && (describes_a_vector(&r) || describes_a_group(&r));
}

/* In one block of messages; further ones are added to `blocks`. */
static bool find_names_in(const unsigned char *p, size_t n, block *blocks, size_t *n_blocks, block *names)
{
    while (n >= MESSAGE && ws_u16_at(p + 2) <= n - MESSAGE) {
        unsigned kind = (unsigned)ws_u16_at(p);
        size_t size = (size_t)ws_u16_at(p + 2);
        block two_numbers = size >= 16 ? (block){ws_u64_at(p + MESSAGE), ws_u64_at(p + MESSAGE + 8)} : (block){0};
        if (kind == NAMES && size == 16)
            return *names = two_numbers, true;
        if (kind == CONTINUATION && size >= 16 && *n_blocks < MOST_BLOCKS)
            blocks[(*n_blocks)++] = two_numbers;
        p += MESSAGE + size, n -= MESSAGE + size;
    }
    return false;
}

bool ws_hdf5_header_find_names(ws_hdf5_blocks *file, uint64_t address, uint64_t *tree, uint64_t *heap)
{
    unsigned char prefix[PREFIX];
    if (!ws_hdf5_blocks_copy_inside(file, address, prefix, PREFIX) || prefix[0] != 1)
        return false;
    block blocks[MOST_BLOCKS] = {{address + PREFIX, ws_u32_at(prefix + 8)}}, names = {0};
    unsigned char *bytes = ws_alloc(UINT16_MAX);
    bool found = false;
    for (size_t i = 0, n = 1; i < n && !found; i++)
        found = blocks[i].n <= UINT16_MAX && ws_hdf5_blocks_copy_inside(file, blocks[i].at, bytes, blocks[i].n) &&
                find_names_in(bytes, (size_t)blocks[i].n, blocks, &n, &names);
    free(bytes);
    *tree = names.at, *heap = names.n;
    return found;
}

const ws_hdf5_attribute *ws_hdf5_header_attribute(const ws_hdf5_header *header, const char *name)
{
    for (size_t i = 0; i < header->n_attributes; i++)
        if (strcmp(header->attributes[i].name, name) == 0)
            return &header->attributes[i];
    return NULL;
}
