/* A header of version 1 (HDF5 file format specification, IV.A). Numbers have their little end first, (n) is a size in bytes:
 *
 *   01 00  messages (2)  references (4)  size of the messages (4)  zero (4)
 *   kind (2)  size (2)  flags (1)  zero (3)  and what the message says, up to a multiple of 8       each message
 *
 *   kind  0  nothing
 *         1  space         01 01 01 zero (5)  length (8)  largest length (8)
 *         3  type          as in hdf5_number.c
 *         5  fill value    none of its own
 *         8  layout        03 01  address (8)  size (8)
 *        0c  attribute     01 00  size of its name (2), type (2), space (2); each of them, up to a multiple of 8; the value
 *        10  continuation  address (8)  size (8) of further messages
 *        12  time          01 zero (3)  s (4)
 *
 * Each message is held against what HDF5 writes: one that differs anywhere is left to the library, to be read or refused. */
#include "formats/hdf5_header.h"

#include "formats/hdf5_text.h"

#include <string.h>

enum { PREFIX = 16, MESSAGE = 8 };
enum { NOTHING = 0, SPACE = 1, TYPE = 3, FILL = 5, LAYOUT = 8, ATTRIBUTE = 0xc, CONTINUATION = 0x10, TIME = 0x12 };
enum { NO_FLAG = 0, CONSTANT = 1 };

static const unsigned char one_dimension[] = {1, 1, 1, 0, 0, 0, 0, 0}, one_value[] = {1, 0, 0, 0, 0, 0, 0, 0};

/* None that the user chose, and none at all. */
static const unsigned char fills[][8] = {{2, 2, 2, 1}, {2, 2, 2, 0}};

/* A text of variable length in UTF-8 and in ASCII, made of integers of one byte. */
static const unsigned char text_types[][20] = {
    {0x19, 1, 1, 0, 16, 0, 0, 0, 0x10, 0, 0, 0, 1, 0, 0, 0, 0, 0, 8},
    {0x19, 1, 0, 0, 16, 0, 0, 0, 0x10, 0, 0, 0, 1, 0, 0, 0, 0, 0, 8},
};

typedef struct reader {
    const ws_hdf5_bytes *bytes;
    uint64_t end;
    ws_hdf5_header *header;
    unsigned messages, seen; /* seen: a bit for each kind that stands once */
    uint64_t stored_size, further, further_size;
} reader;

static uint64_t number(const unsigned char *p, size_t n)
{
    uint64_t v = 0;
    while (n-- > 0)
        v = v << 8 | p[n];
    return v;
}

static bool is_zero(const unsigned char *p, size_t n)
{
    while (n && !p[n - 1])
        n--;
    return n == 0;
}

static size_t padded(size_t n)
{
    return (n + 7) / 8 * 8;
}

static ws_span span_of(const unsigned char *p, size_t n)
{
    return (ws_span){(const char *)p, n};
}

static bool take_space(reader *r, const unsigned char *p, size_t n)
{
    r->header->n = n == 24 ? number(p + 8, 8) : 0;
    return n == 24 && memcmp(p, one_dimension, sizeof one_dimension) == 0 && number(p + 16, 8) == r->header->n;
}

static bool take_type(reader *r, const unsigned char *p, size_t n)
{
    static const size_t sizes[] = {12, 20};
    for (size_t i = 0; i < 2 && !r->header->type; i++)
        if (n == padded(sizes[i]) && is_zero(p + sizes[i], n - sizes[i]))
            r->header->type = ws_hdf5_number_type_spelled(span_of(p, sizes[i]));
    return r->header->type != NULL;
}

static bool take_fill(const unsigned char *p, size_t n)
{
    return n == sizeof fills[0] && (memcmp(p, fills[0], n) == 0 || memcmp(p, fills[1], n) == 0);
}

static bool take_layout(reader *r, const unsigned char *p, size_t n)
{
    r->header->at = n == 24 ? number(p + 2, 8) : 0;
    r->stored_size = n == 24 ? number(p + 10, 8) : 0;
    return n == 24 && p[0] == 3 && p[1] == 1 && is_zero(p + 18, 6);
}

static bool is_text_type(const unsigned char *p, size_t n)
{
    return n == sizeof text_types[0] && (memcmp(p, text_types[0], n) == 0 || memcmp(p, text_types[1], n) == 0);
}

static bool take_attribute(reader *r, const unsigned char *p, size_t n)
{
    if (n < MESSAGE || p[0] != 1 || p[1] != 0 || r->header->n_attributes == WS_HDF5_MOST_ATTRIBUTES)
        return false;
    size_t name_n = (size_t)number(p + 2, 2), type_n = (size_t)number(p + 4, 2), space_n = (size_t)number(p + 6, 2);
    size_t type = MESSAGE + padded(name_n), space = type + padded(type_n), value = space + padded(space_n);
    const char *name = (const char *)p + MESSAGE;
    if (value > n || !name_n || memchr(name, '\0', name_n) != name + name_n - 1 || space_n != sizeof one_value ||
        memcmp(p + space, one_value, sizeof one_value) != 0)
        return false;
    ws_hdf5_attribute a = {name, ws_hdf5_number_type_spelled(span_of(p + type, type_n)), p + value};
    if (!a.type && !is_text_type(p + type, type_n))
        return false;
    r->header->attributes[r->header->n_attributes++] = a;
    return n == value + padded(a.type ? a.type->size : WS_HDF5_REFERENCE_SIZE);
}

static bool take_continuation(reader *r, const unsigned char *p, size_t n)
{
    r->further = n == 16 ? number(p, 8) : 0;
    r->further_size = n == 16 ? number(p + 8, 8) : 0;
    return r->further_size > 0;
}

static bool take_time(const unsigned char *p, size_t n)
{
    return n == 8 && p[0] == 1 && is_zero(p + 1, 3);
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
        return is_first(r, kind) && flags == NO_FLAG && take_space(r, p, n);
    case TYPE:
        return is_first(r, kind) && flags == CONSTANT && take_type(r, p, n);
    case FILL:
        return is_first(r, kind) && flags == CONSTANT && take_fill(p, n);
    case LAYOUT:
        return is_first(r, kind) && flags == NO_FLAG && take_layout(r, p, n);
    case ATTRIBUTE:
        return flags == NO_FLAG && take_attribute(r, p, n);
    case CONTINUATION:
        return is_first(r, kind) && flags == NO_FLAG && take_continuation(r, p, n);
    case TIME:
        return is_first(r, kind) && flags == NO_FLAG && take_time(p, n);
    default:
        return false;
    }
}

static bool take_messages(reader *r, const unsigned char *p, size_t n)
{
    while (n) {
        size_t size = n < MESSAGE ? n : (size_t)number(p + 2, 2);
        if (n < MESSAGE || size > n - MESSAGE || size % 8 || !is_zero(p + 5, 3) ||
            !take_message(r, (unsigned)number(p, 2), p[4], p + MESSAGE, size))
            return false;
        r->messages++;
        p += MESSAGE + size, n -= MESSAGE + size;
    }
    return true;
}

static bool lies_inside(const reader *r, uint64_t at, uint64_t n)
{
    return n <= r->end && at <= r->end - n;
}

/* Messages of one block. */
static bool read_messages(reader *r, uint64_t at, uint64_t n, unsigned char to[WS_HDF5_LARGEST_HEADER])
{
    return n <= WS_HDF5_LARGEST_HEADER && lies_inside(r, at, n) && ws_hdf5_copy(r->bytes, at, to, (size_t)n) &&
           take_messages(r, to, (size_t)n);
}

static bool describes_a_vector(const reader *r)
{
    const unsigned needed = 1U << SPACE | 1U << TYPE | 1U << FILL | 1U << LAYOUT;
    const ws_hdf5_header *h = r->header;
    return (r->seen & needed) == needed && h->n <= UINT64_MAX / h->type->size &&
           r->stored_size == h->n * h->type->size && lies_inside(r, h->at, r->stored_size);
}

bool ws_hdf5_header_read(const ws_hdf5_bytes *bytes, uint64_t end, uint64_t address, ws_hdf5_header *header)
{
    unsigned char prefix[PREFIX];
    reader r = {.bytes = bytes, .end = end, .header = header};
    header->type = NULL;
    header->n_attributes = 0;
    if (!lies_inside(&r, address, PREFIX) || !ws_hdf5_copy(bytes, address, prefix, PREFIX))
        return false;
    uint64_t first = address + PREFIX, first_size = number(prefix + 8, 4);
    bool is_plain = prefix[0] == 1 && prefix[1] == 0 && number(prefix + 4, 4) == 1 && is_zero(prefix + 12, 4);
    if (!is_plain || !read_messages(&r, first, first_size, header->bytes[0]))
        return false;
    if (r.further_size) {
        bool lies_apart = r.further >= first + first_size || r.further + r.further_size <= address;
        if (!lies_apart || !read_messages(&r, r.further, r.further_size, header->bytes[1]))
            return false;
    }
    return r.messages == number(prefix + 2, 2) && describes_a_vector(&r);
}

const ws_hdf5_attribute *ws_hdf5_header_attribute(const ws_hdf5_header *header, const char *name)
{
    for (size_t i = 0; i < header->n_attributes; i++)
        if (strcmp(header->attributes[i].name, name) == 0)
            return &header->attributes[i];
    return NULL;
}
