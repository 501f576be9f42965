#include "core/name_index.h"

#include "core/arena.h"

#include <stdlib.h>
#include <string.h>

/* FNV-1a, with a byte behind each name that is in none. */
uint64_t ws_name_hash_n(uint64_t before, const char *name, size_t n)
{
    static const uint64_t prime = UINT64_C(0x100000001b3);
    uint64_t hash = before ? before : UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < n; i++)
        hash = (hash ^ (unsigned char)name[i]) * prime;
    return hash * prime;
}

uint64_t ws_name_hash(uint64_t before, const char *name)
{
    return ws_name_hash_n(before, name, strlen(name));
}

static size_t first_slot(const ws_name_index *index, uint64_t hash)
{
    return (size_t)(hash ^ hash >> 32) & (index->n_slots - 1);
}

size_t ws_name_find(const ws_name_index *index, uint64_t hash, ws_name_is *is, const void *state)
{
    if (!index->n)
        return WS_NO_PLACE;
    for (size_t at = first_slot(index, hash); index->slots[at].place; at = (at + 1) & (index->n_slots - 1))
        if (index->slots[at].hash == hash && is(state, index->slots[at].place - 1))
            return index->slots[at].place - 1;
    return WS_NO_PLACE;
}

static void put(ws_name_index *index, ws_name_slot slot)
{
    size_t at = first_slot(index, slot.hash);
    while (index->slots[at].place)
        at = (at + 1) & (index->n_slots - 1);
    index->slots[at] = slot;
}

void ws_name_add(ws_name_index *index, uint64_t hash, size_t place)
{
    if (2 * (index->n + 1) > index->n_slots) {
        ws_name_index old = *index;
        index->n_slots = old.n_slots ? 2 * old.n_slots : 16;
        index->slots = ws_alloc(index->n_slots * sizeof *index->slots);
        for (size_t i = 0; i < old.n_slots; i++)
            if (old.slots[i].place)
                put(index, old.slots[i]);
        free(old.slots);
    }
    put(index, (ws_name_slot){hash, place + 1});
    index->n++;
}

void ws_name_index_free(ws_name_index *index)
{
    free(index->slots);
    *index = (ws_name_index){0};
}
