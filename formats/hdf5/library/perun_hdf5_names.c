#include "formats/hdf5/library/perun_hdf5_names.h"

#include "formats/hdf5/perun_sensor.h"

#include <stdlib.h>
#include <string.h>

/* Names with a slash ("./a.out") make groups inside groups; deeper than this is no name, and so many in one place are
 * none. */
enum { MOST_SLASHES = 16, MOST_PLAIN_GROUPS = 10000 };

typedef struct listing {
    ws_arena *arena;
    ws_perun_names *names;
    const char *prefix; /* "a/" inside a plain group of a name with a slash */
    bool nodes;         /* groups with attribute `type` only, and below others in search of them */
    bool sensors;       /* nodes that are sensors: those with a name of perun's need no look */
    int depth;
    haddr_t *seen; /* the other groups */
    size_t n_seen, seen_capacity;
} listing;

static void add_name(listing *l, const char *name)
{
    ws_perun_add_name(l->names, l->arena, *l->prefix ? ws_arena_printf(l->arena, "%s%s", l->prefix, name) : name);
}

/* A lost group has its name still, and whoever opens it will say so; a dataset is no node. */
static bool is_lost(hid_t group, const char *name)
{
    hid_t object = H5Oopen(group, name, H5P_DEFAULT);
    if (object >= 0)
        H5Oclose(object);
    return object < 0;
}

static herr_t take_link(hid_t group, const char *name, const H5L_info_t *info, void *state);

/* False where the group was there before: links between groups can make circles, and ways without number. */
static bool see(listing *l, haddr_t address)
{
    for (size_t i = 0; i < l->n_seen; i++)
        if (l->seen[i] == address)
            return false;
    l->seen = ws_grow(l->seen, &l->seen_capacity, l->n_seen + 1, sizeof *l->seen);
    l->seen[l->n_seen++] = address;
    return true;
}

/* A group without the attribute `type` is a part of a name that has a slash. */
static void look_below(hid_t group, const char *name, haddr_t address, listing *l)
{
    if (l->depth == MOST_SLASHES || l->n_seen == MOST_PLAIN_GROUPS || !see(l, address)) {
        l->names->is_damaged = true;
        return;
    }
    hid_t child = H5Gopen2(group, name, H5P_DEFAULT);
    if (child < 0) {
        if (is_lost(group, name))
            add_name(l, name);
        return;
    }
    if (H5Aexists(child, "type") != 0) {
        add_name(l, name); /* its attributes are damaged */
    } else {
        const char *outer = l->prefix;
        l->prefix = ws_arena_printf(l->arena, "%s%s/", outer, name);
        l->depth++;
        H5Literate(child, H5_INDEX_NAME, H5_ITER_INC, NULL, take_link, l);
        l->depth--;
        l->prefix = outer;
    }
    H5Gclose(child);
}

static herr_t take_link(hid_t group, const char *name, const H5L_info_t *info, void *state)
{
    listing *l = state;
    if (info->type != H5L_TYPE_HARD)
        return 0;
    if (!l->nodes || (l->sensors && ws_perun_is_known(name)) || H5Aexists_by_name(group, name, "type", H5P_DEFAULT) > 0)
        add_name(l, name);
    else
        look_below(group, name, info->u.address, l);
    return 0;
}

void ws_perun_list_group(hid_t group, ws_perun_part part, ws_arena *arena, ws_perun_names *names)
{
    listing l = {.arena = arena,
                 .names = names,
                 .prefix = "",
                 .nodes = part == WS_PERUN_NODES || part == WS_PERUN_SENSORS,
                 .sensors = part == WS_PERUN_SENSORS};
    if (H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, NULL, take_link, &l) < 0)
        names->is_damaged = true;
    free(l.seen);
}
