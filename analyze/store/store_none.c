/* In the place of store_read.c, store_publish.c and store_write.c where SQLite was not there to build them: there is no
 * store, and every command reads the files. */
#include "analyze/store/store.h"

#include <stddef.h>

bool ws_store_is_built_in(void)
{
    return false;
}

static ws_status refuse(ws_store **store, const char *path, ws_error *error)
{
    *store = NULL;
    return ws_fail_at(error, WS_USAGE, path, 0,
                      "this wattscale was built without SQLite and knows no stores (install libsqlite3-dev, build it "
                      "again)");
}

ws_status ws_store_open(ws_store **store, const char *path, const char *folder, ws_error *error)
{
    (void)folder;
    return refuse(store, path, error);
}

ws_status ws_store_begin(ws_store **store, const char *path, const char *folder, ws_error *error)
{
    (void)folder;
    return refuse(store, path, error);
}

ws_status ws_store_merge(ws_store *into, const char *path, bool *has_changed, ws_error *error)
{
    (void)has_changed;
    return refuse(&into, path, error);
}

void ws_store_close(ws_store *store)
{
    (void)store;
}

bool ws_store_recall(ws_store *store, ws_read_unit *unit, ws_packed *record)
{
    (void)store, (void)unit;
    *record = (ws_packed){0};
    return false;
}

bool ws_store_recall_log(ws_store *store, const ws_read_unit *unit, ws_packed *log)
{
    (void)store, (void)unit;
    *log = (ws_packed){0};
    return false;
}

void ws_store_verify(ws_store *store)
{
    (void)store;
}

bool ws_store_has(ws_store *store, ws_read_unit *unit)
{
    (void)store, (void)unit;
    return false;
}

bool ws_store_keeps(const ws_store *store)
{
    (void)store;
    return false;
}

void ws_store_keep(ws_store *store, const ws_read_unit *unit, const ws_packed *record)
{
    (void)store, (void)unit, (void)record;
}

bool ws_store_about(const ws_store *store, const char *path, uint64_t *size, const char **sha256)
{
    (void)store, (void)path, (void)size, (void)sha256;
    return false;
}

void ws_store_learn(ws_store *store, const char *path, const char *sha256)
{
    (void)store, (void)path, (void)sha256;
}

void ws_store_keep_hashes(ws_store *store)
{
    (void)store;
}

const char *ws_store_joined_path(ws_arena *arena, const char *path)
{
    (void)arena;
    return path;
}

const char *ws_store_part_path(ws_arena *arena, const char *path)
{
    return ws_arena_strdup(arena, path);
}

const char *ws_store_lock_path(ws_arena *arena, const char *path)
{
    return ws_arena_strdup(arena, path);
}

void ws_store_set_table(ws_store *store, const ws_table *table, const char *key)
{
    (void)store, (void)table, (void)key;
}

void ws_store_drop_table(ws_store *store, const char *name)
{
    (void)store, (void)name;
}

void ws_store_rename_table(ws_store *store, const char *from, const char *to)
{
    (void)store, (void)from, (void)to;
}

void ws_store_add_rows(ws_store *store, const ws_table *table)
{
    (void)store, (void)table;
}

bool ws_store_hash_file(const char *path, char sha256[WS_SHA256_TEXT])
{
    (void)path;
    *sha256 = 0;
    return false;
}

bool ws_store_read_scan(const char *path, ws_packed *facts)
{
    (void)path;
    *facts = (ws_packed){0};
    return false;
}

bool ws_store_has_old(const ws_store *store)
{
    (void)store;
    return false;
}

void ws_store_set_scan(ws_store *store, const ws_packed *facts)
{
    (void)store, (void)facts;
}

void ws_store_set_meta(ws_store *store, const char *key, const char *value)
{
    (void)store, (void)key, (void)value;
}

const char *ws_store_meta(ws_store *store, const char *key)
{
    (void)store, (void)key;
    return NULL;
}

void ws_store_add_view(ws_store *store, const char *name, const char *sql)
{
    (void)store, (void)name, (void)sql;
}

ws_status ws_store_finish(ws_store *store, bool prune, ws_store_counts *counts, ws_error *error)
{
    (void)prune;
    *counts = (ws_store_counts){0};
    return refuse(&store, "store", error);
}

void ws_store_go_on(ws_store *store, const char *folder)
{
    (void)store, (void)folder;
}

void ws_store_go_back(ws_store *store)
{
    (void)store;
}

const char *ws_store_relative(const ws_store *store, const char *path)
{
    (void)store;
    return path;
}

bool ws_store_holds_its_name(const ws_store *store)
{
    (void)store;
    return false;
}

ws_status ws_store_campaign(const char *path, ws_arena *arena, const char **folder, ws_error *error)
{
    ws_store *none;
    (void)arena;
    *folder = NULL;
    return refuse(&none, path, error);
}

ws_status ws_store_begin_empty(ws_store **store, const char *path, const char *folder, ws_error *error)
{
    (void)folder;
    return refuse(store, path, error);
}

const char *ws_store_written_meta(ws_store *store, const char *key)
{
    (void)store, (void)key;
    return NULL;
}
