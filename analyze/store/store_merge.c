/* Stores of parts of a campaign become one: files by their paths, records with the files that they are of. */
#include "analyze/store/store_internal.h"

#include "core/arena.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct renamed {
    int64_t old, new;
    bool is_outdated; /* the new store has the file as it was seen later */
} renamed;

typedef struct merger {
    ws_store *into, *from;
    renamed *ids; /* of the inputs of the other store; by the old ones, once all are there */
    sqlite3_stmt *find_input, *find_record;
    int64_t *outdone; /* inputs of the new store that the other one has seen later, in their order */
    size_t n_outdone, outdone_capacity;
    bool has_changed; /* a file, between the two */
    ws_error *error;
    ws_status status;
} merger;

static void merge_fail(merger *m, const char *what)
{
    if (m->status == WS_OK)
        m->status = ws_store_fail(m->error, ws_writer_database(m->into), m->into->path, what);
}

/* --- is it of the same campaign, and read in the same way? --- */

static ws_status refuse_pair(const merger *m, const char *key, ws_error *error)
{
    return ws_fail_at(error, WS_DATA, m->from->path, 0, "%s",
                      strcmp(key, "description") == 0
                          ? "is of another campaign than the stores before it: their campaign.json differ"
                          : "was read with other options, or by another wattscale, than the stores before it: ingest "
                            "it again");
}

/* Folders without a campaign.json have the same none: there the folder tells them apart. */
static void compare_folders(merger *m)
{
    ws_sha256 hash;
    char none[WS_SHA256_TEXT];
    ws_sha256_init(&hash);
    ws_sha256_text(&hash, none);
    const char *description = ws_store_meta(m->from, "description"), *theirs = ws_store_meta(m->from, "folder"),
               *ours = ws_store_written_meta(m->into, "folder");
    if (m->status == WS_OK && description && strcmp(description, none) == 0 && strcmp(ours, theirs) != 0)
        m->status = ws_fail_at(m->error, WS_DATA, m->from->path, 0,
                               "is of another campaign than the stores before it: neither has a campaign.json, and one "
                               "was made of '%s', the other of '%s'",
                               ours, theirs);
}

static void compare_meta(merger *m)
{
    static const char *const keys[] = {"description", "options", "folder", "wattscale"};
    enum { MUST_AGREE = 2 };
    for (size_t i = 0; i < sizeof keys / sizeof *keys && m->status == WS_OK; i++) {
        const char *theirs = ws_store_meta(m->from, keys[i]),
                   *ours = ws_store_get_meta(m->into, ws_writer_database(m->into), keys[i]);
        if (!theirs)
            m->status = ws_fail_at(m->error, WS_FORMAT, m->from->path, 0, "is a store that no ingest has finished");
        else if (!ours)
            ws_store_set_meta(m->into, keys[i], theirs);
        else if (i < MUST_AGREE && strcmp(ours, theirs) != 0)
            m->status = refuse_pair(m, keys[i], m->error);
    }
}

/* Options of parts that differ and change no record tell of tables that no part is of: none of them is taken. */
static void add_arguments(merger *m)
{
    const char *theirs = ws_store_meta(m->from, "arguments"), *ours = ws_store_written_meta(m->into, "arguments");
    theirs = theirs ? theirs : "";
    const char *file = ws_store_meta(m->from, "file");
    ws_store_set_meta(m->into, "file", file ? file : "");
    ws_store_set_meta(m->into, "arguments", !ours || strcmp(ours, theirs) == 0 ? theirs : "?");
}

/* "1/4,3/4": which parts the new store holds. */
static void add_parts(merger *m)
{
    ws_arena arena = {0};
    const char *theirs = ws_store_meta(m->from, "parts"), *ours = ws_store_written_meta(m->into, "parts");
    if (theirs)
        ws_store_set_meta(m->into, "parts",
                          ws_arena_printf(&arena, "%s%s%s", ours ? ours : "", ours ? "," : "", theirs));
    ws_arena_free(&arena);
}

/* --- files --- */

/* Of a file that has changed between two parts the joined store has the state that was seen last, in whatever order
 * they are joined. If that is not what the file is now, it is read again. */
static bool is_later(const ws_file_state *a, const ws_file_state *b)
{
    if (a->seen_ns != b->seen_ns)
        return a->seen_ns > b->seen_ns;
    return a->mtime_ns != b->mtime_ns ? a->mtime_ns > b->mtime_ns : a->size > b->size;
}

static void outdo(merger *m, const stored_input *input, int64_t id)
{
    ws_writer_set_input(m->into, input->path, &input->state, input->sha256, input->format);
    m->outdone = ws_grow(m->outdone, &m->outdone_capacity, m->n_outdone + 1, sizeof *m->outdone);
    m->outdone[m->n_outdone++] = id;
}

static void merge_input(merger *m, size_t i)
{
    const stored_input *input = &m->from->inputs[i];
    sqlite3_stmt *row = m->find_input;
    ws_store_bind_bytes(row, 1, input->path);
    int code = sqlite3_step(row);
    bool is_there = code == SQLITE_ROW;
    ws_file_state theirs = input->state, ours = {0};
    if (is_there)
        ours = (ws_file_state){.size = sqlite3_column_int64(row, 1),
                               .mtime_ns = sqlite3_column_int64(row, 2),
                               .seen_ns = sqlite3_column_int64(row, 3)};
    bool is_same = is_there && ours.size == theirs.size && ours.mtime_ns == theirs.mtime_ns;
    m->ids[i] = (renamed){.old = input->id, .new = is_there ? sqlite3_column_int64(row, 0) : 0};
    sqlite3_reset(row);
    if (code != SQLITE_ROW && code != SQLITE_DONE)
        merge_fail(m, "cannot be written");
    else if (!is_there)
        m->ids[i].new = ws_writer_set_input(m->into, input->path, &input->state, input->sha256, input->format);
    else if (!is_same && is_later(&theirs, &ours))
        outdo(m, input, m->ids[i].new);
    else
        m->ids[i].is_outdated = !is_same;
    m->has_changed |= is_there && !is_same;
}

static int by_number(const void *a, const void *b)
{
    const int64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static bool is_outdone(const merger *m, int64_t input)
{
    return bsearch(&input, m->outdone, m->n_outdone, sizeof input, by_number);
}

static bool has_outdone(const merger *m, const char *others)
{
    char *end;
    for (const char *at = others; at && *at; at = *end == ',' ? end + 1 : end) {
        bool found = is_outdone(m, strtoll(at, &end, 10));
        if (found || end == at)
            return found;
    }
    return false;
}

/* What the new store has of files that the other one has seen later. */
static void drop_outdone(merger *m)
{
    sqlite3 *db = ws_writer_database(m->into);
    sqlite3_stmt *row = NULL, *drop = NULL;
    if (!m->n_outdone || !db)
        return;
    qsort(m->outdone, m->n_outdone, sizeof *m->outdone, by_number);
    if (sqlite3_prepare_v2(db, "SELECT id, input, others FROM records", -1, &row, NULL) != SQLITE_OK ||
        sqlite3_prepare_v2(db, "DELETE FROM records WHERE id = ?1", -1, &drop, NULL) != SQLITE_OK)
        merge_fail(m, "cannot be written");
    while (m->status == WS_OK && sqlite3_step(row) == SQLITE_ROW) {
        if (!is_outdone(m, sqlite3_column_int64(row, 1)) && !has_outdone(m, (const char *)sqlite3_column_text(row, 2)))
            continue;
        sqlite3_bind_int64(drop, 1, sqlite3_column_int64(row, 0));
        if (sqlite3_step(drop) != SQLITE_DONE)
            merge_fail(m, "cannot be written");
        sqlite3_reset(drop);
    }
    sqlite3_finalize(row);
    sqlite3_finalize(drop);
}

static int by_old(const void *a, const void *b)
{
    const renamed *x = a, *y = b;
    return (x->old > y->old) - (x->old < y->old);
}

/* NULL: it is none of its inputs. */
static const renamed *find_id(const merger *m, int64_t old)
{
    const renamed wanted = {.old = old};
    return m->from->n_inputs ? bsearch(&wanted, m->ids, m->from->n_inputs, sizeof wanted, by_old) : NULL;
}

/* --- records --- */

static const char *new_others(const merger *m, const char *others, bool *is_outdated, ws_arena *arena)
{
    const char *text = "", *at = others;
    while (*at) {
        char *end;
        const renamed *id = find_id(m, strtoll(at, &end, 10));
        if (end == at || !id)
            return NULL;
        *is_outdated |= id->is_outdated;
        text = ws_arena_printf(arena, "%s%s%lld", text, *text ? "," : "", (long long)id->new);
        at = *end == ',' ? end + 1 : end;
        if (*end && *end != ',')
            return NULL;
    }
    return text;
}

/* 0: it is not there; 1: there is the same; -1: there is another one. */
static int look_for_record(merger *m, int64_t input, const char *key, const char *others, const ws_packed *body)
{
    sqlite3_stmt *row = m->find_record;
    ws_store_bind_record(row, input, key, others);
    int code = sqlite3_step(row), found = 0;
    if (code == SQLITE_ROW) {
        const void *bytes = sqlite3_column_blob(row, 0);
        size_t n = (size_t)sqlite3_column_bytes(row, 0);
        bool same = n == body->n && (!n || memcmp(bytes, body->bytes, n) == 0);
        found = same ? 1 : -1;
    } else if (code != SQLITE_DONE)
        merge_fail(m, "cannot be written");
    sqlite3_reset(row);
    return found;
}

static void add_record(merger *m, const stored_record *record, int64_t input, const char *others)
{
    ws_packed body;
    if (!ws_store_copy_body(m->from, record->id, &body)) {
        m->status = ws_fail_at(m->error, WS_FORMAT, m->from->path, 0, "is damaged: a record has no bytes");
        return;
    }
    int found = look_for_record(m, input, record->key, others, &body);
    if (found < 0)
        m->status = ws_fail_at(m->error, WS_DATA, m->from->path, 0,
                               "holds a file that a store before it holds, too, and read it differently: ingest one "
                               "of them again");
    else if (!found && m->status == WS_OK)
        ws_writer_add_record(m->into, input, record->key, others, body.bytes, body.n);
    free(body.bytes);
}

static void merge_record(merger *m, const stored_record *record)
{
    ws_arena arena = {0};
    const renamed *input = find_id(m, record->input);
    bool is_outdated = input && input->is_outdated;
    const char *others = new_others(m, record->others, &is_outdated, &arena);
    if (!input || !others)
        m->status = ws_fail_at(m->error, WS_FORMAT, m->from->path, 0, "is damaged: a record is of no file");
    else if (!is_outdated)
        add_record(m, record, input->new, others);
    ws_arena_free(&arena);
}

static void merge_store(merger *m)
{
    sqlite3 *db = ws_writer_database(m->into);
    compare_meta(m);
    if (m->status == WS_OK)
        compare_folders(m);
    if (m->status == WS_OK) {
        add_arguments(m);
        add_parts(m);
    }
    if (!db ||
        sqlite3_prepare_v2(db, "SELECT id, size, mtime_ns, seen_ns FROM inputs WHERE path = ?1", -1, &m->find_input,
                           NULL) != SQLITE_OK ||
        sqlite3_prepare_v2(db, "SELECT body FROM records WHERE input = ?1 AND key = ?2 AND others = ?3", -1,
                           &m->find_record, NULL) != SQLITE_OK)
        merge_fail(m, "cannot be written");
    for (size_t i = 0; i < m->from->n_inputs && m->status == WS_OK; i++)
        merge_input(m, i);
    if (m->from->n_inputs)
        qsort(m->ids, m->from->n_inputs, sizeof *m->ids, by_old);
    drop_outdone(m);
    for (size_t i = 0; i < m->from->n_records && m->status == WS_OK; i++)
        merge_record(m, &m->from->records[i]);
    sqlite3_finalize(m->find_input);
    sqlite3_finalize(m->find_record);
}

ws_status ws_store_merge(ws_store *into, const char *path, bool *has_changed, ws_error *error)
{
    merger m = {.into = into, .error = error};
    m.status = ws_store_open(&m.from, path, "", error);
    if (m.status != WS_OK)
        return m.status;
    m.ids = ws_alloc((m.from->n_inputs + 1) * sizeof *m.ids);
    merge_store(&m);
    *has_changed |= m.has_changed;
    free(m.ids);
    free(m.outdone);
    ws_store_close(m.from);
    return m.status;
}
