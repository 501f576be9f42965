/* Finds which of many items has certain names, without going through them: a hash table of places, for items that
 * somebody else keeps. */
#ifndef WS_CORE_NAME_INDEX_H
#define WS_CORE_NAME_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ws_name_slot {
    uint64_t hash;
    size_t place; /* of the item + 1; 0: empty */
} ws_name_slot;

/* {0} is a valid empty index. */
typedef struct ws_name_index {
    ws_name_slot *slots;
    size_t n, n_slots; /* a power of two, at least twice n */
} ws_name_index;

/* Hashes of several names, one after the other: ws_name_hash(ws_name_hash(0, a), b). */
uint64_t ws_name_hash(uint64_t before, const char *name);
uint64_t ws_name_hash_n(uint64_t before, const char *name, size_t n); /* of the first n bytes */

/* Is the item at this place the one that is looked for? */
typedef bool ws_name_is(const void *state, size_t place);

#define WS_NO_PLACE SIZE_MAX
size_t ws_name_find(const ws_name_index *index, uint64_t hash, ws_name_is *is, const void *state);

void ws_name_add(ws_name_index *index, uint64_t hash, size_t place); /* that is not there yet */
void ws_name_index_free(ws_name_index *index);                       /* leaves a valid empty one */

#endif
