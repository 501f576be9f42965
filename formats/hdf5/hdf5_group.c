/* A group in a file with nodes of the usual sizes or smaller ones (HDF5 file format specification, III.A, III.C and
 * III.D). Numbers have their little end first, (n) is a size in bytes:
 *
 *   "HEAP" 00 zero (3)  size of the names (8)  place of the first gap (8)  address of the names (8)
 *     place of the next gap (8), 1 behind the last  size of the gap (8)      each gap, among the names
 *
 *   "TREE" 00  level (1)  children (2)  addresses of the nodes beside it (8) (8)
 *     place of a name (8)  address of a child (8)          each child, whose names come behind that one
 *     place of a name (8)                                  the last of them
 *
 *   "SNOD" 01 00  links (2)
 *     place of its name (8)  address of its object (8)  0 or 1 (4)  zero (4)  notes for HDF5 (16)     each link
 *
 * Level 0 of the tree has SNODs as children. Behind what a node holds it is zero up to its end.
 *
 * All is held against what HDF5 writes. The order of the names: HDF5 lists them one by one, but looks for one by
 * halves, and the two agree only where they are in order. The zeros behind the last link, and the name up to which a
 * child reaches: a count that is too small would hide links, and HDF5 would not tell. A soft link has no object, and
 * its target among the names. */
#include "formats/hdf5/hdf5_group.h"

#include "core/arena.h"
#include "formats/hdf5/hdf5_little_endian.h"

#include <stdlib.h>
#include <string.h>

enum { HEAP = 32, GAP = 16, LAST_GAP = 1, LARGEST_NAMES = 16 * 1024 * 1024 };
enum { NODE = 24, CHILD = 16, KEY = 8, TREE = NODE + WS_HDF5_USUAL_CHILDREN * CHILD + KEY, DEEPEST = 8 };
enum { SNOD = 8, LINK = 40, LEAF = SNOD + WS_HDF5_USUAL_LINKS * LINK, SOFT = 2 };

static const uint64_t NOWHERE = UINT64_MAX;

typedef struct reader {
    ws_hdf5_blocks *file;
    ws_hdf5_group *group;
} reader;

static bool has_sound_gaps(const ws_hdf5_group *g, uint64_t gap)
{
    const unsigned char *names = (const unsigned char *)g->names;
    size_t left = g->names_size / GAP;
    while (gap != LAST_GAP && left--) {
        if (g->names_size < GAP || gap > g->names_size - GAP)
            return false;
        uint64_t next = ws_u64_at(names + gap), size = ws_u64_at(names + gap + 8);
        if (!next || size > g->names_size - gap)
            return false;
        gap = next;
    }
    return gap == LAST_GAP;
}

static bool read_names(const reader *r, uint64_t address)
{
    static const unsigned char begin[] = {'H', 'E', 'A', 'P', 0, 0, 0, 0};
    ws_hdf5_group *g = r->group;
    unsigned char heap[HEAP];
    if (!ws_hdf5_blocks_copy_inside(r->file, address, heap, HEAP) || memcmp(heap, begin, sizeof begin) != 0)
        return false;
    uint64_t size = ws_u64_at(heap + 8), at = ws_u64_at(heap + 24);
    if (size > LARGEST_NAMES || !ws_hdf5_lies_inside(r->file, at, size))
        return false;
    g->names = ws_grow(g->names, &g->names_capacity, (size_t)size + 1, 1);
    g->names_size = (size_t)size;
    return ws_hdf5_blocks_copy_inside(r->file, at, g->names, size) && has_sound_gaps(g, ws_u64_at(heap + 16));
}

/* NULL where there is none, or none that ends. */
static const char *name_at(const ws_hdf5_group *g, const unsigned char *stored_place)
{
    uint64_t place = ws_u64_at(stored_place);
    bool ends = place < g->names_size && memchr(g->names + place, '\0', g->names_size - (size_t)place);
    return ends ? g->names + place : NULL;
}

/* "." would be the group itself, and a slash leads through groups. */
static bool is_plain_name(const char *name)
{
    return *name && strcmp(name, ".") != 0 && !strchr(name, '/');
}

static bool take_link(const reader *r, const unsigned char *p)
{
    ws_hdf5_group *g = r->group;
    const char *name = name_at(g, p);
    uint64_t address = ws_u64_at(p + 8);
    uint32_t kind = ws_u32_at(p + 16);
    bool leads =
        kind == SOFT ? address == NOWHERE && ws_u32_at(p + 24) < g->names_size : kind < SOFT && address < r->file->end;
    if (!name || !leads || !is_plain_name(name) || (g->n && strcmp(g->links[g->n - 1].name, name) >= 0))
        return false;
    g->has_soft_links |= kind == SOFT;
    g->links = ws_grow(g->links, &g->capacity, g->n + 1, sizeof *g->links);
    g->links[g->n++] = (ws_hdf5_link){name, address};
    return true;
}

static bool read_leaf(const reader *r, uint64_t address)
{
    static const unsigned char begin[] = {'S', 'N', 'O', 'D', 1, 0};
    unsigned char leaf[LEAF];
    size_t most = r->file->most_links;
    if (!ws_hdf5_blocks_copy_inside(r->file, address, leaf, SNOD + most * LINK) ||
        memcmp(leaf, begin, sizeof begin) != 0)
        return false;
    size_t n = (size_t)ws_u16_at(leaf + 6);
    if (n > most || !ws_are_zeros(leaf + SNOD + n * LINK, (most - n) * LINK))
        return false;
    for (size_t i = 0; i < n; i++)
        if (!take_link(r, leaf + SNOD + i * LINK))
            return false;
    return true;
}

/* Links from `first` on: some, behind the one name and up to the other, which is the last one's. */
static bool lie_between(const ws_hdf5_group *g, size_t first, const unsigned char *left, const unsigned char *right)
{
    const char *behind = name_at(g, left), *up_to = name_at(g, right);
    return behind && up_to && first < g->n && strcmp(g->links[first].name, behind) > 0 &&
           strcmp(g->links[g->n - 1].name, up_to) == 0;
}

static bool read_tree(const reader *r, uint64_t address, unsigned level)
{
    static const unsigned char begin[] = {'T', 'R', 'E', 'E', 0};
    unsigned char tree[TREE];
    size_t most = r->file->most_children, size = NODE + most * CHILD + KEY;
    if (!ws_hdf5_blocks_copy_inside(r->file, address, tree, size) || memcmp(tree, begin, sizeof begin) != 0 ||
        tree[5] != level)
        return false;
    size_t n = (size_t)ws_u16_at(tree + 6), end = NODE + n * CHILD + (n ? KEY : 0);
    if (n > most || !ws_are_zeros(tree + end, size - end))
        return false;
    for (size_t i = 0; i < n; i++) {
        const unsigned char *key = tree + NODE + i * CHILD;
        uint64_t child = ws_u64_at(key + KEY);
        size_t before = r->group->n;
        bool ok = level ? read_tree(r, child, level - 1) : read_leaf(r, child);
        if (!ok || !lie_between(r->group, before, key, key + CHILD))
            return false;
    }
    return true;
}

bool ws_hdf5_group_read(ws_hdf5_blocks *file, uint64_t tree, uint64_t heap, ws_hdf5_group *group)
{
    reader r = {file, group};
    unsigned char begin[NODE];
    group->n = 0;
    group->has_soft_links = false;
    return read_names(&r, heap) && ws_hdf5_blocks_copy_inside(file, tree, begin, NODE) && begin[5] < DEEPEST &&
           read_tree(&r, tree, begin[5]);
}

static int compare_name(const void *name, const void *link)
{
    return strcmp(name, ((const ws_hdf5_link *)link)->name);
}

const ws_hdf5_link *ws_hdf5_group_find(const ws_hdf5_group *group, const char *name)
{
    return group->n ? bsearch(name, group->links, group->n, sizeof *group->links, compare_name) : NULL;
}

void ws_hdf5_group_free(ws_hdf5_group *group)
{
    free(group->links);
    free(group->names);
    *group = (ws_hdf5_group){0};
}
