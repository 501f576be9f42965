/* What lies in a group of an HDF5 file, read without the library. */
#ifndef WS_FORMATS_HDF5_GROUP_H
#define WS_FORMATS_HDF5_GROUP_H

#include "formats/hdf5/hdf5_blocks.h"

typedef struct ws_hdf5_link {
    const char *name;
    uint64_t address; /* of the object's header */
} ws_hdf5_link;

/* {0} is a valid empty one. */
typedef struct ws_hdf5_group {
    ws_hdf5_link *links; /* ordered by name */
    size_t n, capacity;
    bool has_soft_links;
    char *names;
    size_t names_size, names_capacity;
} ws_hdf5_group;

/* Of the group whose index and names lie there (hdf5_header.h). False for anything that is not spelled as HDF5 spells a
 * group: it is damaged, and may hold more than can be listed. The address of a soft link's object is UINT64_MAX. */
bool ws_hdf5_group_read(ws_hdf5_blocks *file, uint64_t tree, uint64_t heap, ws_hdf5_group *group);

/* NULL where there is none. */
const ws_hdf5_link *ws_hdf5_group_find(const ws_hdf5_group *group, const char *name);

void ws_hdf5_group_free(ws_hdf5_group *group);

#endif
