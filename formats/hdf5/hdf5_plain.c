#include "formats/hdf5/hdf5_plain.h"

#include "formats/hdf5/hdf5_superblock.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static const uint64_t NOWHERE = UINT64_MAX;

ws_hdf5_plain *ws_hdf5_plain_open(const ws_hdf5_bytes *bytes)
{
    ws_hdf5_plain *f = ws_realloc(NULL, 1, sizeof *f); /* large, and needs few zeros */
    memset(f, 0, offsetof(ws_hdf5_plain, header));
    f->texts.bytes = bytes;
    for (size_t i = 0; i < WS_HDF5_MOST_KEPT; i++)
        f->kept[i].address = NOWHERE;
    f->is_odd = !ws_hdf5_blocks_init(&f->blocks, bytes) || !ws_hdf5_superblock_read(&f->blocks, &f->root, &f->header);
    f->header_at = f->is_odd ? NOWHERE : f->root;
    return f;
}

void ws_hdf5_plain_close(ws_hdf5_plain *f)
{
    for (size_t i = 0; i < WS_HDF5_MOST_KEPT; i++)
        ws_hdf5_group_free(&f->kept[i].group);
    ws_hdf5_texts_free(&f->texts);
    free(f);
}

/* NULL where the file is odd, and with it the object. Good until the next one is asked for. */
static const ws_hdf5_header *header_of(ws_hdf5_plain *f, uint64_t address)
{
    if (!f->is_odd && address != f->header_at) {
        f->is_odd = !ws_hdf5_header_read(&f->blocks, address, &f->header);
        f->header_at = f->is_odd ? NOWHERE : address;
    }
    return f->is_odd ? NULL : &f->header;
}

const ws_hdf5_header *ws_hdf5_plain_header(ws_hdf5_plain *f, uint64_t address, bool is_group)
{
    const ws_hdf5_header *h = header_of(f, address);
    f->is_odd |= !h || h->is_group != is_group;
    return f->is_odd ? NULL : h;
}

static ws_hdf5_kept_group *find_kept(ws_hdf5_plain *f, uint64_t address)
{
    ws_hdf5_kept_group *oldest = f->kept;
    for (ws_hdf5_kept_group *k = f->kept; k < f->kept + WS_HDF5_MOST_KEPT; k++) {
        if (k->address == address)
            return k;
        if (k->used < oldest->used)
            oldest = k;
    }
    oldest->address = NOWHERE;
    return oldest;
}

const ws_hdf5_group *ws_hdf5_plain_group(ws_hdf5_plain *f, uint64_t address)
{
    if (f->is_odd)
        return NULL;
    ws_hdf5_kept_group *k = find_kept(f, address);
    k->used = ++f->now;
    if (k->address == address)
        return &k->group;
    const ws_hdf5_header *h = ws_hdf5_plain_header(f, address, true);
    f->is_odd |= !h || !ws_hdf5_group_read(&f->blocks, h->tree, h->heap, &k->group) || k->group.has_soft_links;
    if (f->is_odd)
        return NULL;
    k->address = address;
    return &k->group;
}

bool ws_hdf5_plain_find(ws_hdf5_plain *f, uint64_t group, const char *name, uint64_t *address)
{
    const ws_hdf5_group *g = ws_hdf5_plain_group(f, group);
    const ws_hdf5_link *link = g ? ws_hdf5_group_find(g, name) : NULL;
    *address = link ? link->address : NOWHERE;
    return link != NULL;
}

static const ws_hdf5_attribute *find_attribute(ws_hdf5_plain *f, uint64_t address, const char *name)
{
    const ws_hdf5_header *h = header_of(f, address);
    return h ? ws_hdf5_header_attribute(h, name) : NULL;
}

bool ws_hdf5_plain_has(ws_hdf5_plain *f, uint64_t address, const char *name)
{
    return find_attribute(f, address, name) != NULL;
}

static const char *numbers_as_text(const ws_hdf5_attribute *a, ws_arena *arena)
{
    double *value = ws_alloc((size_t)a->n * sizeof *value);
    a->type->convert(a->value, value, (size_t)a->n);
    const char *text = ws_hdf5_numbers_text(value, (size_t)a->n, arena);
    free(value);
    return text;
}

const char *ws_hdf5_plain_text(ws_hdf5_plain *f, uint64_t address, const char *name, ws_arena *arena)
{
    const ws_hdf5_attribute *a = find_attribute(f, address, name);
    if (a && a->kind == WS_HDF5_NUMBER)
        return numbers_as_text(a, arena);
    return a && a->kind == WS_HDF5_TEXT && a->n == 1 ? ws_hdf5_referred_text(&f->texts, a->value, arena) : NULL;
}

bool ws_hdf5_plain_number(ws_hdf5_plain *f, uint64_t address, const char *name, double *value)
{
    const ws_hdf5_attribute *a = find_attribute(f, address, name);
    bool is_number = a && a->kind == WS_HDF5_NUMBER && a->n == 1;
    if (is_number)
        a->type->convert(a->value, value, 1);
    return is_number;
}
