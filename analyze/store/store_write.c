/* What is written into a store: files, the records of what was read of them, and tables for people. store_publish.c
 * has the file that it goes into. */
#include "analyze/store/store_writer_internal.h"

#include "formats/input/input.h"
#include "core/arena.h"
#include "report/utf8.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- files and records --- */

static void bind_input(sqlite3_stmt *row, const char *path, const ws_file_state *s, const char *sha256,
                       const char *format)
{
    ws_store_bind_bytes(row, 1, path);
    const int64_t numbers[] = {s->size, s->mtime_ns, s->ctime_ns, s->inode, s->seen_ns};
    for (int i = 0; i < 5; i++)
        sqlite3_bind_int64(row, 2 + i, numbers[i]);
    bool has_sum = sha256 && *sha256;
    sqlite3_bind_text(row, 7, has_sum ? sha256 : NULL, -1, SQLITE_STATIC);
    sqlite3_bind_text(row, 8, format && *format ? format : NULL, -1, SQLITE_STATIC);
    if (has_sum)
        sqlite3_bind_int64(row, 9, ws_store_sum(path, s->size, sha256));
    else
        sqlite3_bind_null(row, 9);
}

/* 0: there is one of that path, or writing fails. */
static int64_t add_input(ws_store *store, const char *path, const ws_file_state *s, const char *sha256,
                         const char *format)
{
    ws_store_writer *w = store->writer;
    if (!w->new_input || w->failed)
        return 0;
    bind_input(w->new_input, path, s, sha256, format);
    ws_writer_run(store, w->new_input);
    return !w->failed && sqlite3_changes(w->db) ? sqlite3_last_insert_rowid(w->db) : 0;
}

static int64_t change_input(ws_store *store, const char *path, const ws_file_state *s, const char *sha256,
                            const char *format)
{
    ws_store_writer *w = store->writer;
    if (!w->set_input || w->failed)
        return 0;
    bind_input(w->set_input, path, s, sha256, format);
    ws_writer_step(store, w->set_input);
    int64_t id = w->failed ? 0 : sqlite3_column_int64(w->set_input, 0);
    sqlite3_reset(w->set_input);
    return id;
}

int64_t ws_writer_set_input(ws_store *store, const char *path, const ws_file_state *s, const char *sha256,
                            const char *format)
{
    int64_t id = add_input(store, path, s, sha256, format);
    return id ? id : change_input(store, path, s, sha256, format);
}

void ws_writer_add_record(ws_store *store, int64_t input, const char *key, const char *others, const void *body,
                          size_t n)
{
    sqlite3_stmt *row = store->writer->add_record;
    if (!row || store->writer->failed)
        return;
    ws_store_bind_record(row, input, key, others);
    sqlite3_bind_blob64(row, 4, body, n, SQLITE_STATIC);
    ws_writer_run(store, row);
    sqlite3_clear_bindings(row);
}

static void add_member(ws_store_writer *w, int64_t input, const stored_record *record)
{
    w->members = ws_grow(w->members, &w->member_capacity, w->n_members + 1, sizeof *w->members);
    w->members[w->n_members++] = (stored_member){input, record};
}

static int by_input(const void *a, const void *b)
{
    const stored_member *x = a, *y = b;
    return (x->input > y->input) - (x->input < y->input);
}

static void list_members(const ws_store *store)
{
    ws_store_writer *w = store->writer;
    for (size_t i = 0; i < store->n_records; i++) {
        const stored_record *record = &store->records[i];
        char *end;
        add_member(w, record->input, record);
        for (const char *at = record->others; *at; at = *end == ',' ? end + 1 : end) {
            add_member(w, strtoll(at, &end, 10), record);
            if (end == at) /* no number, in a store of somebody else */
                break;
        }
    }
    if (w->n_members)
        qsort(w->members, w->n_members, sizeof *w->members, by_input);
}

static void drop_record(ws_store *store, const stored_record *record)
{
    sqlite3_stmt *row = store->writer->drop_record;
    if (!row || store->writer->failed)
        return;
    ws_store_bind_record(row, record->input, record->key, record->others);
    ws_writer_run(store, row);
}

/* What was read of a file that has changed is of no use any more. */
static void drop_records(ws_store *store, stored_input *input)
{
    ws_store_writer *w = store->writer;
    if (input->is_dropped)
        return;
    if (!w->members)
        list_members(store);
    size_t first = 0, end = w->n_members;
    while (first < end) {
        size_t middle = first + (end - first) / 2;
        if (w->members[middle].input < input->id)
            first = middle + 1;
        else
            end = middle;
    }
    for (; first < w->n_members && w->members[first].input == input->id; first++)
        drop_record(store, w->members[first].record);
    input->is_dropped = true;
}

/* It was kept already, as another one: it has changed between two units that it is in, and the row that both share can
 * be that of one of them only. */
static void drop_earlier(ws_store *store, const char *path, const ws_file_state *now)
{
    sqlite3_stmt *row = NULL, *drop = NULL;
    ws_writer_prepare(
        store, "SELECT id FROM inputs WHERE path = ?1 AND (size, mtime_ns, ctime_ns, inode) <> (?2, ?3, ?4, ?5)", &row);
    ws_writer_prepare(store, "DELETE FROM records WHERE input = ?1 OR instr(',' || others || ',', ',' || ?1 || ',')",
                      &drop);
    if (row && drop) {
        const int64_t numbers[] = {now->size, now->mtime_ns, now->ctime_ns, now->inode};
        ws_store_bind_bytes(row, 1, path);
        for (int i = 0; i < 4; i++)
            sqlite3_bind_int64(row, 2 + i, numbers[i]);
        ws_writer_step(store, row);
        if (sqlite3_data_count(row)) {
            sqlite3_bind_int64(drop, 1, sqlite3_column_int64(row, 0));
            ws_writer_step(store, drop);
        }
    }
    sqlite3_finalize(row);
    sqlite3_finalize(drop);
}

/* Its row in the new store; the content is summed up only where size and times cannot tell it from another one. */
static int64_t keep_input(ws_store *store, const ws_read_unit *unit, size_t i, const char *sha256)
{
    const char *path = ws_store_relative(store, unit->paths[i]);
    stored_input *old = ws_store_find_input(store, path);
    bool is_same = old && ws_store_input_is_same(old, &unit->before[i]);
    if (old && !is_same)
        drop_records(store, old);
    bool knows = is_same && *old->sha256;
    const char *name = unit->formats[i] ? unit->formats[i] : is_same ? old->format : "";
    sha256 = knows ? old->sha256 : sha256;
    int64_t id = old ? 0 : add_input(store, path, &unit->before[i], sha256, name);
    if (!id && (!old || old->is_kept))
        drop_earlier(store, path, &unit->before[i]);
    if (old) {
        old->is_kept = true;
        old->is_read |= !unit->is_again;
    }
    return id ? id : change_input(store, path, &unit->before[i], sha256, name);
}

/* A large log that goes on being written is always young: it is read on instead. */
static bool has_to_be_summed_up(const ws_store *store, const ws_read_unit *unit, size_t i)
{
    bool is_young = !ws_file_state_is_settled(&unit->before[i]) && !unit->log.n;
    return (store->verifies || is_young) && !unit->before[i].is_packed;
}

static size_t write_unit(ws_store *store, const kept_unit *kept, size_t start, ws_arena *arena)
{
    ws_store_writer *w = store->writer;
    const ws_read_unit *unit = &kept->unit;
    int64_t first = 0;
    const char *others = "";
    for (size_t i = 0; i < unit->n; i++) {
        int64_t id = keep_input(store, unit, i, kept->sums[i]);
        first = i ? first : id;
        others = !i ? others : ws_arena_printf(arena, "%s%s%lld", others, i > 1 ? "," : "", (long long)id);
    }
    ws_writer_add_record(store, first, unit->key, others, w->bytes + start, kept->record_end - start);
    if (kept->log_end > kept->record_end) {
        char key[WS_SHA256_TEXT];
        ws_store_log_key(unit->key, key);
        ws_writer_add_record(store, first, key, "", w->bytes + kept->record_end, kept->log_end - kept->record_end);
    }
    w->counts.read += unit->is_again ? 0 : unit->n;
    w->counts.went_on += unit->went_on;
    return kept->log_end;
}

static void write_waiting(ws_store *store)
{
    ws_store_writer *w = store->writer;
    for (size_t i = 0, start = 0; i < w->n_waiting; i++)
        start = write_unit(store, &w->waiting[i], start, &w->waiting_arena);
    w->n_waiting = w->n_bytes = 0;
    ws_arena_free(&w->waiting_arena);
}

/* Returns where they end. */
static size_t add_bytes(ws_store *store, const ws_read_unit *unit, const char *key, const ws_packed *record)
{
    ws_store_writer *w = store->writer;
    char seal[WS_SHA256_TEXT];
    w->bytes = ws_grow(w->bytes, &w->byte_capacity, w->n_bytes + record->n + unit->n + WS_STORE_SEAL, 1);
    unsigned char *formats = w->bytes + w->n_bytes + record->n;
    memcpy(w->bytes + w->n_bytes, record->bytes, record->n);
    for (size_t i = 0; i < unit->n; i++)
        formats[i] = ws_store_format_number(unit->formats[i]);
    ws_store_seal(store, unit, key, formats, seal);
    memcpy(formats + unit->n, seal, WS_STORE_SEAL);
    return w->n_bytes += record->n + unit->n + WS_STORE_SEAL;
}

static void add_waiting(ws_store *store, const ws_read_unit *unit, char (*sums)[WS_SHA256_TEXT],
                        const ws_packed *record)
{
    ws_store_writer *w = store->writer;
    ws_arena *arena = &w->waiting_arena;
    const char **paths = ws_arena_alloc(arena, unit->n * sizeof *paths);
    kept_unit kept = {.unit = *unit, .sums = ws_arena_alloc(arena, unit->n * sizeof *sums)};
    for (size_t i = 0; i < unit->n; i++)
        paths[i] = ws_arena_strdup(arena, unit->paths[i]);
    kept.unit.paths = paths;
    kept.unit.before = ws_arena_alloc(arena, unit->n * sizeof *unit->before);
    memcpy(kept.unit.before, unit->before, unit->n * sizeof *unit->before);
    kept.unit.formats = ws_arena_alloc(arena, unit->n * sizeof *unit->formats);
    memcpy(kept.unit.formats, unit->formats, unit->n * sizeof *unit->formats);
    kept.unit.log = (ws_packed){0};
    memcpy(kept.sums, sums, unit->n * sizeof *sums);
    kept.record_end = kept.log_end = add_bytes(store, unit, unit->key, record);
    if (unit->log.n) {
        char key[WS_SHA256_TEXT];
        ws_store_log_key(unit->key, key);
        kept.log_end = add_bytes(store, unit, key, &unit->log);
    }
    w->waiting = ws_grow(w->waiting, &w->waiting_capacity, w->n_waiting + 1, sizeof *w->waiting);
    w->waiting[w->n_waiting++] = kept;
}

/* Records are written many at a time: each by itself, between two readings, would drive the readers' code out of the
 * caches of the processor. */
void ws_store_keep(ws_store *store, const ws_read_unit *unit, const ws_packed *record)
{
    enum { MOST_WAITING = 32, MOST_BYTES = 1 << 19 };
    bool is_known_same = unit->was_same;
    if (!ws_store_keeps(store) || !unit->before)
        return;
    char(*sums)[WS_SHA256_TEXT] = ws_alloc(unit->n * sizeof *sums);
    for (size_t i = 0; i < unit->n; i++)
        if (has_to_be_summed_up(store, unit, i)) {
            ws_store_hash_file(unit->paths[i], sums[i]);
            is_known_same = false;
        }
    if (is_known_same || !ws_read_unit_is_another_now(unit)) {
        pthread_mutex_lock(&store->lock);
        const ws_store_writer *w = store->writer;
        add_waiting(store, unit, sums, record);
        bool is_to_publish = ws_writer_is_to_publish(store);
        if (is_to_publish || w->n_waiting == MOST_WAITING || w->n_bytes >= MOST_BYTES)
            write_waiting(store);
        if (is_to_publish)
            ws_writer_publish(store);
        pthread_mutex_unlock(&store->lock);
    }
    free(sums);
}

/* --- tables for people --- */

static const char *quoted(ws_arena *arena, const char *name)
{
    char *text = ws_arena_alloc(arena, strlen(name) * 2 + 3), *out = text;
    *out++ = '"';
    for (const char *c = name; *c; c++) {
        if (*c == '"')
            *out++ = '"';
        *out++ = *c;
    }
    *out = '"';
    return text;
}

/* For programs, many of which refuse a table with a text that is no UTF-8: there U+FFFD, as in JSON. */
static const char *readable(ws_arena *arena, const char *text)
{
    const signed char *c = (const signed char *)text;
    while (*c > 0)
        c++;
    if (!*c || ws_span_is_utf8(ws_span_of(text)))
        return text;
    char *copy = ws_arena_alloc(arena, strlen(text) * 3 + 1), *out = copy;
    for (const char *at = text, *from = text; *from; from = at) {
        bool is_bad = ws_utf8_next(&at) == WS_NOT_UTF8;
        size_t n = is_bad ? 3 : (size_t)(at - from);
        memcpy(out, is_bad ? "\xef\xbf\xbd" : from, n);
        out += n;
    }
    *out = '\0';
    return copy;
}

static bool is_among(const char *const *names, size_t n, size_t but, const char *name)
{
    bool is = false;
    for (size_t i = 0; i < n && !is; i++)
        is = i != but && sqlite3_stricmp(names[i], name) == 0;
    return is;
}

/* Two columns of the user's may be one to SQLite, as "loss" and "Loss": the second is "Loss_2" then. */
static const char **sql_names(const ws_table *table, ws_arena *arena)
{
    size_t n = table->n_columns;
    const char **names = ws_arena_alloc(arena, n * sizeof *names);
    for (size_t i = 0; i < n; i++)
        names[i] = readable(arena, table->columns[i].name);
    for (size_t i = 0; i < n; i++)
        if (is_among(names, i, i, names[i]))
            for (int number = 2; is_among(names, n, i, names[i]); number++)
                names[i] = ws_arena_printf(arena, "%s_%d", readable(arena, table->columns[i].name), number);
    return names;
}

/* What has that name: a table of ours is a view in a store of somebody else, or the other way round. */
static void drop_named(ws_store *store, const char *name, ws_arena *arena)
{
    sqlite3_stmt *row = NULL;
    ws_writer_prepare(store,
                      "SELECT upper(type) FROM sqlite_schema WHERE type IN ('table', 'view') AND "
                      "name = ?1 COLLATE NOCASE",
                      &row);
    if (!row)
        return;
    sqlite3_bind_text(row, 1, name, -1, SQLITE_STATIC);
    ws_writer_step(store, row);
    const char *kind = sqlite3_data_count(row) ? (const char *)sqlite3_column_text(row, 0) : NULL;
    const char *drop = kind ? ws_arena_printf(arena, "DROP %s %s", kind, quoted(arena, name)) : NULL;
    sqlite3_finalize(row);
    if (drop)
        ws_writer_exec(store, drop);
}

static const char *type_of(ws_column_kind kind)
{
    return kind == WS_TEXT ? "TEXT" : kind == WS_INTEGER ? "INTEGER" : "NUMERIC";
}

static void create_table(ws_store *store, const ws_table *table, const char *key, ws_arena *arena)
{
    const char *name = quoted(arena, table->name), *columns = "", **names = sql_names(table, arena);
    for (size_t i = 0; i < table->n_columns; i++) {
        bool is_key = key && strcmp(table->columns[i].name, key) == 0 && table->columns[i].kind == WS_INTEGER;
        columns = ws_arena_printf(arena, "%s%s%s %s", columns, *columns ? ", " : "", quoted(arena, names[i]),
                                  is_key ? "INTEGER PRIMARY KEY" : type_of(table->columns[i].kind));
    }
    drop_named(store, table->name, arena);
    ws_writer_exec(store, ws_arena_printf(arena, "CREATE TABLE %s(%s)", name, columns));
}

/* A table on its way into the store, and its columns with any value: the others are NULL by themselves. */
typedef struct inserted {
    const ws_table *table;
    ws_arena *arena; /* of texts */
    size_t n_filled, *filled;
} inserted;

/* No text and NaN are NULL to SQLite, too. */
static void bind_cell(sqlite3_stmt *insert, int at, const inserted *of, size_t column, size_t row)
{
    const ws_table *table = of->table;
    const char *text = table->columns[column].kind == WS_TEXT ? table->columns[column].text[row] : NULL;
    if (table->columns[column].kind == WS_TEXT)
        sqlite3_bind_text(insert, at, text ? readable(of->arena, text) : NULL, -1, SQLITE_STATIC);
    else
        sqlite3_bind_double(insert, at, ws_table_number(table, column, row));
}

/* INSERT INTO "runs"("run","gpus") VALUES(?,?),(?,?) */
static sqlite3_stmt *prepare_insert(ws_store *store, const inserted *of, size_t rows)
{
    ws_arena arena = {0};
    sqlite3_stmt *insert = NULL;
    const char **names = sql_names(of->table, &arena), *columns = "";
    for (size_t i = 0; i < of->n_filled; i++)
        columns = ws_arena_printf(&arena, "%s%s%s", columns, i ? "," : "", quoted(&arena, names[of->filled[i]]));
    const char *name = quoted(&arena, of->table->name);
    char *sql = ws_arena_alloc(&arena, strlen(name) + strlen(columns) + 40 + rows * (2 * of->n_filled + 2)), *out = sql;
    out += sprintf(out, "INSERT INTO %s(%s) VALUES", name, columns);
    for (size_t r = 0; r < rows; r++) {
        *out++ = r ? ',' : ' ';
        for (size_t c = 0; c < of->n_filled; c++) {
            *out++ = c ? ',' : '(';
            *out++ = '?';
        }
        *out++ = ')';
    }
    *out = '\0';
    ws_writer_prepare(store, sql, &insert);
    ws_arena_free(&arena);
    return insert;
}

/* Rows from `row` on by an insert of `at_once` of them, as far as they go. Returns the row behind. */
static size_t insert_by(ws_store *store, const inserted *of, size_t row, size_t at_once)
{
    const ws_table *table = of->table;
    if (table->n_rows - row < at_once)
        return row;
    sqlite3_stmt *insert = prepare_insert(store, of, at_once);
    for (; table->n_rows - row >= at_once && !store->writer->failed; row += at_once) {
        for (size_t r = 0; r < at_once; r++)
            for (size_t i = 0; i < of->n_filled; i++)
                bind_cell(insert, (int)(r * of->n_filled + i) + 1, of, of->filled[i], row + r);
        ws_writer_run(store, insert);
    }
    sqlite3_finalize(insert);
    return row;
}

/* Several at once, which costs less than each by itself. */
static void insert_rows(ws_store *store, const ws_table *table)
{
    enum { AT_ONCE = 8 };
    ws_arena arena = {0};
    inserted of = {.table = table, .arena = &arena, .filled = ws_alloc(table->n_columns * sizeof *of.filled)};
    for (size_t i = 0; i < table->n_columns; i++)
        if (ws_table_has_values(table, i))
            of.filled[of.n_filled++] = i;
    of.n_filled = of.n_filled ? of.n_filled : 1; /* of rows without any value the first column, which is NULL */
    size_t most = (size_t)sqlite3_limit(store->writer->db, SQLITE_LIMIT_VARIABLE_NUMBER, -1);
    size_t row = of.n_filled * AT_ONCE <= most ? insert_by(store, &of, 0, AT_ONCE) : 0;
    insert_by(store, &of, row, 1);
    ws_arena_free(&arena);
    free(of.filled);
}

/* With the lock held: other threads keep what they have read, and may put it in place. */
static void add_rows(ws_store *store, const ws_table *table)
{
    if (table->n_columns && table->n_rows && !store->writer->failed)
        insert_rows(store, table);
}

void ws_store_add_rows(ws_store *store, const ws_table *table)
{
    pthread_mutex_lock(&store->lock);
    add_rows(store, table);
    pthread_mutex_unlock(&store->lock);
}

void ws_store_set_table(ws_store *store, const ws_table *table, const char *key)
{
    ws_arena arena = {0};
    pthread_mutex_lock(&store->lock);
    create_table(store, table, key, &arena);
    add_rows(store, table);
    pthread_mutex_unlock(&store->lock);
    ws_arena_free(&arena);
}

void ws_store_drop_table(ws_store *store, const char *name)
{
    ws_arena arena = {0};
    drop_named(store, name, &arena);
    ws_arena_free(&arena);
}

void ws_store_rename_table(ws_store *store, const char *from, const char *to)
{
    ws_arena arena = {0};
    drop_named(store, to, &arena);
    ws_writer_exec(store,
                   ws_arena_printf(&arena, "ALTER TABLE %s RENAME TO %s", quoted(&arena, from), quoted(&arena, to)));
    ws_arena_free(&arena);
}

static bool has_as_it_is(ws_store *store, const char *sql)
{
    sqlite3_stmt *row = NULL;
    ws_writer_prepare(store, "SELECT 1 FROM sqlite_schema WHERE sql = ?1", &row);
    if (!row)
        return false;
    sqlite3_bind_text(row, 1, sql, -1, SQLITE_STATIC);
    ws_writer_step(store, row);
    bool has = sqlite3_data_count(row);
    sqlite3_finalize(row);
    return has;
}

void ws_store_add_view(ws_store *store, const char *name, const char *select)
{
    ws_arena arena = {0};
    const char *sql = ws_arena_printf(&arena, "CREATE VIEW %s AS %s", name, select);
    if (!has_as_it_is(store, sql)) {
        drop_named(store, name, &arena);
        ws_writer_exec(store, sql);
    }
    ws_arena_free(&arena);
}

void ws_store_set_scan(ws_store *store, const ws_packed *facts)
{
    sqlite3_stmt *row = NULL;
    ws_writer_exec(store, "DELETE FROM scan");
    if (!facts->n)
        return;
    ws_writer_prepare(store, "INSERT INTO scan(facts) VALUES(?1)", &row);
    if (row) {
        sqlite3_bind_blob64(row, 1, facts->bytes, facts->n, SQLITE_STATIC);
        ws_writer_step(store, row);
    }
    sqlite3_finalize(row);
}

void ws_store_set_meta(ws_store *store, const char *key, const char *value)
{
    sqlite3_stmt *row = NULL;
    ws_writer_prepare(store, "INSERT OR REPLACE INTO meta VALUES(?1, ?2)", &row);
    if (row) {
        sqlite3_bind_text(row, 1, key, -1, SQLITE_STATIC);
        ws_store_bind_bytes(row, 2, value);
        ws_writer_step(store, row);
    }
    sqlite3_finalize(row);
}

const char *ws_store_written_meta(ws_store *store, const char *key)
{
    return ws_store_get_meta(store, ws_writer_database(store), key);
}

/* --- the end --- */

static const char *absolute(const ws_store *store, ws_arena *arena, const char *path)
{
    return *path == '/' ? path : ws_arena_printf(arena, "%s/%s", store->folder, path);
}

static void prune_input(ws_store *store, stored_input *input)
{
    char sql[80];
    drop_records(store, input);
    snprintf(sql, sizeof sql, "DELETE FROM inputs WHERE id = %lld", (long long)input->id);
    ws_writer_exec(store, sql);
}

static void look_for_gone(ws_store *store, bool prune, ws_store_counts *counts)
{
    ws_arena arena = {0};
    for (size_t i = 0; i < store->n_inputs; i++) {
        stored_input *input = &store->inputs[i];
        int verdict = atomic_load(&input->verdict);
        counts->recalled += verdict == WS_FILE_SAME + 1 && !input->is_read;
        const char *path = absolute(store, &arena, input->path);
        ws_file_state now = ws_file_state_of(path);
        bool is_copy = now.inode != input->state.inode; /* what is written into it in place is told by its own times */
        if (ws_store_input_is_same(input, &now) &&
            (is_copy || ws_file_state_compare(&input->state, &now) == WS_FILE_UNSURE))
            ws_writer_set_input(store, input->path, &now, input->sha256, input->format); /* its content was the same */
        if (verdict || (now.is_there && (!now.is_packed || ws_is_file(path)))) /* which the archive may not hold */
            continue;
        counts->gone++;
        if (prune)
            prune_input(store, input);
    }
    ws_arena_free(&arena);
}

ws_status ws_store_finish(ws_store *store, bool prune, ws_store_counts *counts, ws_error *error)
{
    ws_store_writer *w = store->writer;
    write_waiting(store);
    *counts = w->counts;
    if (w->failed) {
        *error = w->error;
        return w->error.status;
    }
    look_for_gone(store, prune, counts);
    counts->inputs = (size_t)ws_writer_number(w->db, "SELECT count(*) FROM inputs");
    ws_writer_compact(store);
    return ws_writer_put_in_place(store, error);
}

/* --- hashes that a report has computed --- */

static void write_hashes(const ws_store *store)
{
    ws_store *again = NULL;
    ws_error error = {0};
    if (ws_store_begin(&again, store->path, store->folder, &error) != WS_OK)
        return; /* somebody else writes, or the folder is not ours: the next one computes them again */
    for (size_t i = 0; i < store->n_inputs; i++) {
        const stored_input *input = &store->inputs[i];
        const stored_input *there = input->learnt ? ws_store_find_input(again, input->path) : NULL;
        if (there && ws_file_state_is_untouched(&there->state, &input->state))
            ws_writer_set_input(again, input->path, &input->state, input->learnt, input->format);
    }
    ws_writer_put_in_place(again, &error);
    ws_store_close(again);
}

/* A signal that ends the program waits so long: it would leave the lock behind, which keeps other machines out. */
void ws_store_keep_hashes(ws_store *store)
{
    if (!store || store->writer || !store->has_learnt)
        return;
    static const int ends[] = {SIGINT, SIGTERM, SIGHUP};
    sigset_t waiting, before;
    sigemptyset(&waiting);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        sigaddset(&waiting, ends[i]);
    pthread_sigmask(SIG_BLOCK, &waiting, &before);
    write_hashes(store);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}
