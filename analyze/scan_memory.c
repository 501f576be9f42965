#include "analyze/scan_memory.h"

#include "analyze/measure/packer_internal.h"
#include "analyze/store/store.h"
#include "analyze/store/unit_key.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- as bytes: the readers' revision, the facts, and a sum over both --- */

enum { SUM = 8 };

/* Paths are many and all different: no text that may come again. */
static void pack_path(ws_packer *p, const char **path)
{
    size_t n = p->writes ? strlen(*path) : 0;
    ws_pack_count(p, &n);
    if (p->writes) {
        ws_put_bytes(p, *path, n);
    } else {
        *path = ws_arena_strndup(p->arena, (const char *)p->at, n);
        p->at += n;
    }
}

static void pack_state(ws_packer *p, ws_file_state *state)
{
    bool *const flags[] = {&state->is_there, &state->is_packed};
    ws_pack_flags(p, flags, 2);
    ws_pack_i64(p, &state->size);
    ws_pack_i64(p, &state->mtime_ns);
    ws_pack_i64(p, &state->ctime_ns);
    ws_pack_i64(p, &state->inode);
    ws_pack_i64(p, &state->seen_ns);
}

static void pack_head(ws_packer *p, ws_file_head *head)
{
    const char *format = head->format ? head->format->name : NULL;
    bool *const flags[] = {&head->is_constant, &head->is_run_table, &head->is_total, &head->is_mute};
    ws_pack_text(p, &format);
    ws_pack_u64(p, &head->run_hash);
    ws_pack_flags(p, flags, 4);
    head->format = format && !p->failed ? ws_format_by_name(format) : NULL;
    p->failed |= format && !head->format;
}

void ws_file_span_pack(ws_packer *p, ws_file_span *span)
{
    const char *node = span->node;
    ws_pack_bool(p, &span->is_dated);
    ws_pack_i64(p, &span->start_ns);
    ws_pack_i64(p, &span->end_ns);
    ws_pack_double(p, &span->undated_ns);
    ws_pack_double(p, &span->period_ns);
    ws_pack_size(p, &span->gpus);
    ws_pack_word(p, &node);
    ws_pack_i64(p, &span->only_gpu);
    ws_pack_u64(p, &span->device_hash);
    if (!p->writes)
        snprintf(span->node, sizeof span->node, "%s", node);
}

static void pack_fact(ws_packer *p, ws_scan_fact *fact)
{
    pack_path(p, &fact->path);
    pack_state(p, &fact->state);
    pack_head(p, &fact->head);
    ws_pack_bool(p, &fact->span.is_read);
    if (fact->span.is_read)
        ws_file_span_pack(p, &fact->span);
}

/* Facts of a program that reads otherwise are none. */
static void pack_revision(ws_packer *p)
{
    const char *revision = ws_reader_revision();
    ws_pack_word(p, &revision);
    p->failed |= !p->writes && strcmp(revision, ws_reader_revision()) != 0;
}

static bool is_of_use(const ws_scan_fact *fact)
{
    return fact->state.is_there && ws_file_state_is_settled(&fact->state);
}

ws_packed ws_scan_memory_pack(const ws_scan_memory *memory)
{
    ws_packer p = {.writes = true};
    size_t n = 0;
    for (size_t i = 0; i < memory->n_found; i++)
        n += is_of_use(&memory->found[i]);
    if (!n)
        return (ws_packed){0};
    pack_revision(&p);
    ws_pack_count(&p, &n);
    for (size_t i = 0; i < memory->n_found; i++)
        if (is_of_use(&memory->found[i]))
            pack_fact(&p, &memory->found[i]);
    uint64_t sum = ws_record_sum(p.bytes, p.n);
    for (int i = 0; i < SUM; i++)
        ws_put_byte(&p, (unsigned)(sum >> (8 * i)) & 0xff);
    free(p.texts);
    return (ws_packed){p.bytes, p.n};
}

static bool is_whole(const ws_packed *packed)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < SUM && packed->n >= SUM; i++)
        sum |= (uint64_t)packed->bytes[packed->n - SUM + i] << (8 * i);
    return packed->n >= SUM && sum == ws_record_sum(packed->bytes, packed->n - SUM);
}

/* --- what was known --- */

typedef struct path_search {
    const ws_scan_fact *known;
    const char *path;
} path_search;

static bool has_path(const void *state, size_t place)
{
    const path_search *s = state;
    return strcmp(s->known[place].path, s->path) == 0;
}

static size_t place_of(const ws_scan_memory *memory, const char *path)
{
    const path_search s = {memory->known, path};
    return ws_name_find(&memory->by_path, ws_name_hash(0, path), has_path, &s);
}

static void add_known(ws_scan_memory *memory, const ws_scan_fact *fact)
{
    size_t place = place_of(memory, fact->path);
    if (place == WS_NO_PLACE) {
        memory->known = ws_grow(memory->known, &memory->known_capacity, memory->n_known + 1, sizeof *memory->known);
        place = memory->n_known++;
        ws_name_add(&memory->by_path, ws_name_hash(0, fact->path), place);
    } else if (fact->state.seen_ns < memory->known[place].state.seen_ns) {
        return;
    }
    memory->known[place] = *fact;
    ws_inodes_add(&memory->inodes, &fact->state);
}

void ws_scan_memory_unpack(ws_scan_memory *memory, const ws_packed *packed)
{
    if (!is_whole(packed))
        return;
    ws_packer p = {.at = packed->bytes, .end = packed->bytes + packed->n - SUM};
    size_t n = 0;
    ws_begin_texts(&p, &memory->arena);
    pack_revision(&p);
    ws_pack_count(&p, &n);
    for (size_t i = 0; i < n && !p.failed; i++) {
        ws_scan_fact fact = {0};
        pack_fact(&p, &fact);
        if (!p.failed)
            add_known(memory, &fact);
    }
    free(p.texts);
}

void ws_scan_memory_load(ws_scan_memory *memory, const char *store)
{
    ws_packed packed;
    if (!ws_store_read_scan(store, &packed))
        return;
    ws_scan_memory_unpack(memory, &packed);
    free(packed.bytes);
}

/* --- what is found --- */

ws_scan_fact *ws_scan_expect(ws_scan_memory *memory, size_t n)
{
    memory->found = ws_arena_alloc(&memory->arena, (n + 1) * sizeof *memory->found);
    memory->n_found = n;
    return memory->found;
}

bool ws_scan_recall(const ws_scan_memory *memory, const char *file, ws_scan_fact *fact)
{
    fact->state = ws_file_state_of(file);
    size_t place = memory->n_known ? place_of(memory, fact->path) : WS_NO_PLACE;
    const ws_scan_fact *known = place == WS_NO_PLACE ? NULL : &memory->known[place];
    if (!known || ws_file_state_compare(&known->state, &fact->state) != WS_FILE_SAME ||
        ws_inodes_moved(&memory->inodes, &known->state, &fact->state))
        return false;
    fact->state = known->state; /* as it was looked at */
    fact->head = known->head;
    fact->span = known->span;
    return true;
}

void ws_scan_memory_free(ws_scan_memory *memory)
{
    free(memory->known);
    ws_name_index_free(&memory->by_path);
    ws_name_index_free(&memory->inodes);
    ws_arena_free(&memory->arena);
    *memory = (ws_scan_memory){0};
}
