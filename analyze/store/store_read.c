/* A store is opened read-only and as it stands (immutable): no lock is taken and nothing is written beside it, so that
 * many nodes may read one file. It is untrusted: its schema has to be ours to the letter, nothing in it is executed. */
#define _GNU_SOURCE
#include "analyze/store/store_internal.h"

#include "formats/format.h"
#include "formats/input/input.h"
#include "core/arena.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool ws_store_is_built_in(void)
{
    return true;
}

ws_status ws_store_fail_damaged(ws_error *error, const char *path)
{
    return ws_fail_at(error, WS_FORMAT, path, 0,
                      "is damaged (the files are still there: remove it, and 'wattscale ingest' makes it anew)");
}

ws_status ws_store_fail(ws_error *error, sqlite3 *db, const char *path, const char *what)
{
    int code = db ? sqlite3_errcode(db) : SQLITE_NOMEM;
    if (code == SQLITE_INTERRUPT) /* by is_endless */
        return ws_store_fail_damaged(error, path);
    bool damaged = code == SQLITE_CORRUPT, is_other = code == SQLITE_NOTADB; /* which may be any file of the user's */
    return ws_fail_at(error, damaged || is_other ? WS_FORMAT : WS_IO, path, 0, "%s: %s%s", what,
                      db ? sqlite3_errmsg(db) : "out of memory",
                      damaged    ? " (the files are still there: remove it, and 'wattscale ingest' makes it anew)"
                      : is_other ? " (if it was one, remove it, and 'wattscale ingest' makes it anew)"
                                 : "");
}

ws_store *ws_store_new(const char *path, const char *folder)
{
    ws_store *store = ws_alloc(sizeof *store);
    store->path = ws_arena_strdup(&store->arena, path);
    store->folder = ws_arena_strdup(&store->arena, folder);
    store->lock = store->judging = (pthread_mutex_t)PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP; /* held for microseconds */
    return store;
}

void ws_store_close(ws_store *store)
{
    if (!store)
        return;
    if (store->writer)
        store->free_writer(store);
    sqlite3_finalize(store->bodies.row);
    for (size_t i = 0; i < WS_STORE_BODIES; i++)
        free(store->bodies.waiting[i].body.bytes);
    sqlite3_close(store->db);
    ws_name_index_free(&store->inodes);
    free(store->inputs);
    free(store->records);
    pthread_mutex_destroy(&store->lock);
    pthread_mutex_destroy(&store->judging);
    ws_arena_free(&store->arena);
    free(store);
}

/* The path as a URI: everything but letters, digits and "/._-" by its number. */
static const char *uri_of(ws_arena *arena, const char *path)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-";
    char *text = ws_arena_alloc(arena, strlen(path) * 3 + 40), *out = text;
    out += sprintf(out, "file:");
    for (const char *c = path; *c; c++)
        out += strchr(plain, *c) ? sprintf(out, "%c", *c) : sprintf(out, "%%%02X", (unsigned char)*c);
    sprintf(out, "?mode=ro&immutable=1");
    return text;
}

static void distrust(sqlite3 *db)
{
    enum { LONGEST = 1 << 28, LONGEST_SQL = 10000, COLUMNS = 1000 };
    sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
    sqlite3_limit(db, SQLITE_LIMIT_LENGTH, LONGEST);
    sqlite3_limit(db, SQLITE_LIMIT_SQL_LENGTH, LONGEST_SQL);
    sqlite3_limit(db, SQLITE_LIMIT_COLUMN, COLUMNS);
    sqlite3_limit(db, SQLITE_LIMIT_ATTACHED, 0);
    sqlite3_limit(db, SQLITE_LIMIT_VDBE_OP, 25000);
    sqlite3_limit(db, SQLITE_LIMIT_TRIGGER_DEPTH, 1);
}

/* Pages of a forged file may lead to the same ones over and over, and to rows without end. */
static int is_endless(void *state)
{
    (void)state;
    return 1;
}

static bool get_number(sqlite3 *db, const char *sql, int64_t *number)
{
    sqlite3_stmt *statement = NULL;
    bool found =
        sqlite3_prepare_v2(db, sql, -1, &statement, NULL) == SQLITE_OK && sqlite3_step(statement) == SQLITE_ROW;
    *number = found ? sqlite3_column_int64(statement, 0) : 0;
    sqlite3_finalize(statement);
    return found;
}

/* Rows of a table, each as so many bytes, and their texts are no more than the file; those of UTF-16 may double. */
enum { LEAST_OF_ROW = 8 };
static int64_t most_bytes(sqlite3 *db)
{
    int64_t pages, page_size;
    return get_number(db, "PRAGMA page_count", &pages) && get_number(db, "PRAGMA page_size", &page_size)
               ? pages * page_size * 2
               : 0;
}

/* Is there a table of that name with exactly this text? */
static bool has_table(sqlite3 *db, const char *name, const char *sql)
{
    sqlite3_stmt *statement = NULL;
    bool same = false;
    if (sqlite3_prepare_v2(db, "SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?1", -1, &statement,
                           NULL) == SQLITE_OK) {
        sqlite3_bind_text(statement, 1, name, -1, SQLITE_STATIC);
        if (sqlite3_step(statement) == SQLITE_ROW) {
            const char *text = (const char *)sqlite3_column_text(statement, 0);
            same = text && strcmp(text, sql) == 0;
        }
    }
    sqlite3_finalize(statement);
    return same;
}

static ws_status check_schema(sqlite3 *db, const char *path, ws_error *error)
{
    int64_t application, version;
    if (!get_number(db, "PRAGMA application_id", &application) || !get_number(db, "PRAGMA user_version", &version))
        return ws_store_fail(error, db, path, "is no store");
    if (application != WS_STORE_APPLICATION)
        return ws_fail_at(error, WS_FORMAT, path, 0, "is a database, but no store of wattscale");
    if (version != WS_STORE_VERSION)
        return ws_fail_at(error, WS_FORMAT, path, 0, "is a store of version %lld, this program reads version %d%s",
                          (long long)version, WS_STORE_VERSION,
                          version > WS_STORE_VERSION ? ": a newer wattscale wrote it: use that one, or remove it, and "
                                                       "'wattscale ingest' makes it anew"
                                                     : ": remove it, and 'wattscale ingest' makes it anew");
    if (!has_table(db, "inputs", WS_STORE_INPUTS) || !has_table(db, "records", WS_STORE_RECORDS) ||
        !has_table(db, "scan", WS_STORE_SCAN) || !has_table(db, "meta", WS_STORE_META))
        return ws_fail_at(error, WS_FORMAT, path, 0,
                          "is a store whose tables are not those of wattscale: remove it, and 'wattscale ingest' makes "
                          "it anew");
    return WS_OK;
}

ws_status ws_store_open_database(sqlite3 **db, const char *path, ws_error *error)
{
    enum { MOST_STEPS = 100000 }; /* of a statement about the schema: some 100 are usual */
    ws_arena arena = {0};
    *db = NULL;
    struct stat about;
    if (access(path, R_OK) != 0 || stat(path, &about) != 0)
        return ws_fail_at(error, WS_IO, path, 0, "cannot be read: %s", strerror(errno));
    if (!S_ISREG(about.st_mode)) /* to open a pipe would wait for somebody to write into it */
        return ws_fail_at(error, WS_FORMAT, path, 0, "is no file, and so no store");
    if (!about.st_size) /* which is a database to SQLite */
        return ws_fail_at(error, WS_FORMAT, path, 0,
                          "is empty, and so no store (remove it, and 'wattscale ingest' makes it anew)");
    int code =
        sqlite3_open_v2(uri_of(&arena, path), db, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, NULL);
    ws_arena_free(&arena);
    ws_status status = WS_OK;
    if (code != SQLITE_OK) {
        status = ws_store_fail(error, *db, path, "cannot be opened");
    } else {
        distrust(*db);
        sqlite3_progress_handler(*db, MOST_STEPS, is_endless, NULL);
        sqlite3_exec(*db, "PRAGMA cell_size_check = ON; PRAGMA query_only = ON; PRAGMA cache_size = -128", NULL, NULL,
                     NULL);
        status = check_schema(*db, path, error);
        sqlite3_progress_handler(*db, 0, NULL, NULL);
    }
    if (status != WS_OK) {
        sqlite3_close(*db);
        *db = NULL;
    }
    return status;
}

static const char *text_of(ws_store *store, sqlite3_stmt *row, int column)
{
    const char *text = (const char *)sqlite3_column_text(row, column);
    store->n_text += (int64_t)(text ? strlen(text) : 0);
    return text ? ws_arena_strdup(&store->arena, text) : "";
}

static void take_input(ws_store *store, sqlite3_stmt *row)
{
    store->inputs = ws_grow(store->inputs, &store->input_capacity, store->n_inputs + 1, sizeof *store->inputs);
    stored_input *input = &store->inputs[store->n_inputs++];
    *input = (stored_input){.id = sqlite3_column_int64(row, 0), .path = text_of(store, row, 1)};
    input->state = (ws_file_state){.is_there = true,
                                   .size = sqlite3_column_int64(row, 2),
                                   .mtime_ns = sqlite3_column_int64(row, 3),
                                   .ctime_ns = sqlite3_column_int64(row, 4),
                                   .inode = sqlite3_column_int64(row, 5),
                                   .seen_ns = sqlite3_column_int64(row, 6)};
    input->sha256 = text_of(store, row, 7);
    if (*input->sha256 && ws_store_sum(input->path, input->state.size, input->sha256) != sqlite3_column_int64(row, 9))
        input->sha256 = "";
    input->format = text_of(store, row, 8);
}

static void take_record(ws_store *store, sqlite3_stmt *row)
{
    const stored_record *before = store->n_records ? &store->records[store->n_records - 1] : NULL;
    const char *key = (const char *)sqlite3_column_text(row, 2);
    bool same_key = before && key && strcmp(before->key, key) == 0; /* as it mostly is */
    const char *others = (const char *)sqlite3_column_text(row, 3);
    stored_record record = {.id = sqlite3_column_int64(row, 0),
                            .input = sqlite3_column_int64(row, 1),
                            .key = same_key ? before->key : text_of(store, row, 2),
                            .others = others && *others ? text_of(store, row, 3) : ""};
    store->records = ws_grow(store->records, &store->record_capacity, store->n_records + 1, sizeof *store->records);
    store->records[store->n_records++] = record;
}

static ws_status load(ws_store *store, const char *sql, void (*take)(ws_store *, sqlite3_stmt *), ws_error *error)
{
    sqlite3_stmt *row = NULL;
    int code = sqlite3_prepare_v2(store->db, sql, -1, &row, NULL);
    int64_t most = most_bytes(store->db), n_rows = 0;
    store->n_text = 0;
    while (code == SQLITE_OK && (code = sqlite3_step(row)) == SQLITE_ROW) {
        take(store, row);
        code = ++n_rows * LEAST_OF_ROW + store->n_text > most ? SQLITE_INTERRUPT : SQLITE_OK;
    }
    sqlite3_finalize(row);
    if (code == SQLITE_INTERRUPT)
        return ws_store_fail_damaged(error, store->path);
    return code == SQLITE_DONE ? WS_OK : ws_store_fail(error, store->db, store->path, "cannot be read");
}

static int by_path(const void *a, const void *b)
{
    return strcmp(((const stored_input *)a)->path, ((const stored_input *)b)->path);
}

static int by_unit(const void *a, const void *b)
{
    const stored_record *x = a, *y = b;
    if (x->input != y->input)
        return x->input < y->input ? -1 : 1;
    int order = strcmp(x->key, y->key);
    return order ? order : strcmp(x->others, y->others);
}

ws_status ws_store_load(ws_store *store, ws_error *error)
{
    ws_status status =
        load(store, "SELECT id, path, size, mtime_ns, ctime_ns, inode, seen_ns, sha256, format, sum FROM inputs",
             take_input, error);
    if (status == WS_OK)
        status = load(store, "SELECT id, input, key, others FROM records INDEXED BY sqlite_autoindex_records_1",
                      take_record, error);
    if (status == WS_OK && sqlite3_prepare_v2(store->db, "SELECT id, body FROM records WHERE id >= ?1 ORDER BY id", -1,
                                              &store->bodies.row, NULL) != SQLITE_OK)
        status = ws_store_fail(error, store->db, store->path, "cannot be read");
    if (store->n_inputs)
        qsort(store->inputs, store->n_inputs, sizeof *store->inputs, by_path);
    if (store->n_records)
        qsort(store->records, store->n_records, sizeof *store->records, by_unit);
    return status;
}

ws_status ws_store_open(ws_store **store, const char *path, const char *folder, ws_error *error)
{
    *store = ws_store_new(path, folder);
    ws_status status = ws_store_open_database(&(*store)->db, path, error);
    if (status == WS_OK)
        status = ws_store_load(*store, error);
    if (status != WS_OK) {
        ws_store_close(*store);
        *store = NULL;
    }
    return status;
}

/* --- asking --- */

const char *ws_store_relative(const ws_store *store, const char *path)
{
    size_t n = strlen(store->folder);
    bool is_below = n && strncmp(path, store->folder, n) == 0;
    return is_below && path[n] == '/' ? path + n + 1 : is_below && !path[n] ? "." : path;
}

bool ws_store_holds_its_name(const ws_store *store)
{
    ws_arena arena = {0};
    bool holds = strcmp(store->folder, ".") != 0 &&
                 ws_is_directory(ws_arena_printf(&arena, "%s/%s", store->folder, store->folder));
    ws_arena_free(&arena);
    return holds;
}

stored_input *ws_store_find_input(const ws_store *store, const char *path)
{
    const stored_input wanted = {.path = path};
    return store->n_inputs ? bsearch(&wanted, store->inputs, store->n_inputs, sizeof wanted, by_path) : NULL;
}

/* Of the first bytes of a file, `most` of them. */
static bool hash_bytes(const char *path, uint64_t most, char sha256[WS_SHA256_TEXT])
{
    enum { PIECE = 32 * 1024 }; /* most files are small */
    char piece[PIECE];
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ws_sha256 hash;
    ws_sha256_init(&hash);
    ssize_t n = fd < 0 ? -1 : 1;
    while (n > 0 && most) {
        n = read(fd, piece, most < PIECE ? (size_t)most : PIECE);
        if (n > 0)
            ws_sha256_add(&hash, piece, (size_t)n);
        most -= n > 0 ? (uint64_t)n : 0;
    }
    ws_sha256_text(&hash, sha256);
    if (fd >= 0)
        close(fd);
    return n >= 0;
}

bool ws_store_hash_file(const char *path, char sha256[WS_SHA256_TEXT])
{
    return hash_bytes(path, UINT64_MAX, sha256);
}

static bool has_same_content(const stored_input *input, const ws_file_state *now, const char *path)
{
    char sha256[WS_SHA256_TEXT];
    return *input->sha256 && !now->is_packed && ws_store_hash_file(path, sha256) && strcmp(sha256, input->sha256) == 0;
}

/* Has another file that was read got its name? */
static bool is_renamed(ws_store *store, const stored_input *input, const ws_file_state *now)
{
    if (now->inode == input->state.inode)
        return false;
    pthread_mutex_lock(&store->judging);
    bool has_inodes = store->inodes.n;
    for (size_t i = 0; i < store->n_inputs && !has_inodes; i++)
        ws_inodes_add(&store->inodes, &store->inputs[i].state);
    bool is = ws_inodes_moved(&store->inodes, &input->state, now);
    pthread_mutex_unlock(&store->judging);
    return is;
}

/* The input of a file, if it still is what was read; looks once. */
static stored_input *fresh_input(ws_store *store, const char *path, const ws_file_state *now)
{
    stored_input *input = now->is_there ? ws_store_find_input(store, ws_store_relative(store, path)) : NULL;
    if (!input)
        return NULL;
    int verdict = atomic_load(&input->verdict);
    if (!verdict) {
        ws_file_change change = ws_file_state_compare(&input->state, now);
        if (change == WS_FILE_SAME && (store->verifies || is_renamed(store, input, now)))
            change = WS_FILE_UNSURE;
        if (change == WS_FILE_UNSURE)
            change = has_same_content(input, now, path) ? WS_FILE_SAME : WS_FILE_CHANGED;
        verdict = (int)change + 1;
        pthread_mutex_lock(&store->judging);
        int before = atomic_load(&input->verdict); /* of another thread, which looked at the same time */
        if (!before) {
            input->judged = *now;
            atomic_store(&input->verdict, verdict);
        }
        verdict = before ? before : verdict;
        pthread_mutex_unlock(&store->judging);
    }
    return verdict == WS_FILE_SAME + 1 ? input : NULL;
}

/* The verdict holds for what the file was then: later it may have become another one. */
bool ws_store_input_is_same(const stored_input *input, const ws_file_state *now)
{
    return atomic_load(&input->verdict) == WS_FILE_SAME + 1 && ws_file_state_is_untouched(&input->judged, now);
}

/* "17,18" of the inputs behind the first; NULL where one of them is not fresh. *first gets that. */
static const char *fresh_others(ws_store *store, const ws_read_unit *unit, ws_arena *arena, stored_input **first)
{
    const char *others = "";
    *first = NULL;
    for (size_t i = 0; i < unit->n; i++) {
        stored_input *input = fresh_input(store, unit->paths[i], &unit->before[i]);
        if (!input)
            return NULL;
        if (i)
            others = ws_arena_printf(arena, "%s%s%lld", others, i > 1 ? "," : "", (long long)input->id);
        else
            *first = input;
    }
    return others;
}

/* --- bodies, with the lock held --- */

static bool step_to_next(stored_bodies *b)
{
    bool is_row = sqlite3_step(b->row) == SQLITE_ROW;
    b->row_id = is_row ? sqlite3_column_int64(b->row, 0) : 0;
    return is_row;
}

static ws_packed body_here(const stored_bodies *b)
{
    const void *bytes = sqlite3_column_blob(b->row, 1);
    size_t n = (size_t)sqlite3_column_bytes(b->row, 1);
    ws_packed body = {ws_realloc(NULL, n + 1, 1), n};
    memcpy(body.bytes, n ? bytes : "", n);
    return body;
}

static stored_body *place_of(stored_bodies *b, int64_t id)
{
    return &b->waiting[(uint64_t)id % WS_STORE_BODIES];
}

static ws_packed take_from(stored_bodies *b, stored_body *place)
{
    ws_packed body = place->body;
    *place = (stored_body){0};
    b->n_bytes -= body.n;
    return body;
}

/* Instead of one that nobody has asked for. */
static void let_wait(stored_bodies *b)
{
    stored_body *place = place_of(b, b->row_id);
    free(take_from(b, place).bytes);
    if (b->n_bytes + (size_t)sqlite3_column_bytes(b->row, 1) > WS_STORE_BODIES_BYTES)
        return;
    *place = (stored_body){b->row_id, body_here(b)};
    b->n_bytes += place->body.n;
}

static bool read_body(stored_bodies *b, int64_t id, ws_packed *body)
{
    bool is_near = b->row_id > 0 && b->row_id < id && id - b->row_id < WS_STORE_BODIES;
    if (!is_near) {
        sqlite3_reset(b->row);
        sqlite3_bind_int64(b->row, 1, id);
    }
    bool is_row;
    int left = WS_STORE_BODIES; /* that there are no more in between is not said in a forged file */
    while ((is_row = step_to_next(b)) && b->row_id < id && left--)
        let_wait(b);
    bool is_it = is_row && b->row_id == id;
    if (is_it)
        *body = body_here(b);
    else if (is_row)
        let_wait(b);
    return is_it;
}

bool ws_store_copy_body(ws_store *store, int64_t id, ws_packed *record)
{
    *record = (ws_packed){0};
    pthread_mutex_lock(&store->lock);
    stored_body *waiting = place_of(&store->bodies, id);
    bool waits = waiting->body.bytes && waiting->id == id;
    if (waits)
        *record = take_from(&store->bodies, waiting);
    bool found = waits || read_body(&store->bodies, id, record);
    pthread_mutex_unlock(&store->lock);
    return found;
}

unsigned char ws_store_format_number(const char *name)
{
    enum { MOST = UCHAR_MAX };
    const ws_format *const *formats = ws_formats();
    unsigned char number = 0;
    while (name && number < MOST && formats[number] && formats[number]->name != name)
        number++;
    return name && formats[number] ? number : MOST;
}

static const char *format_of_number(unsigned char number)
{
    const ws_format *const *f = ws_formats();
    for (unsigned char i = 0; i < number && *f; i++)
        f++;
    return *f ? (*f)->name : NULL;
}

int64_t ws_store_sum(const char *path, int64_t size, const char *sha256)
{
    ws_sha256 hash;
    char text[WS_SHA256_TEXT];
    enum { DIGITS = 15 };
    ws_sha256_init(&hash);
    ws_sha256_add(&hash, path, strlen(path) + 1);
    ws_sha256_add(&hash, sha256, strlen(sha256) + 1);
    ws_sha256_text(&hash, text);
    text[DIGITS] = '\0';
    return strtoll(text, NULL, 16) ^ size;
}

void ws_store_seal(const ws_store *store, const ws_read_unit *unit, const char *key, const unsigned char *formats,
                   char seal[WS_SHA256_TEXT])
{
    ws_sha256 hash;
    ws_sha256_init(&hash);
    ws_sha256_add(&hash, key, strlen(key) + 1);
    for (size_t i = 0; i < unit->n; i++) {
        const char *path = ws_store_relative(store, unit->paths[i]);
        ws_sha256_add(&hash, path, strlen(path) + 1);
    }
    ws_sha256_add(&hash, formats, unit->n);
    ws_sha256_text(&hash, seal);
}

/* The record with this number, if it is one of the unit, whose formats it tells. The bytes are the caller's. */
static bool take_body(ws_store *store, int64_t id, const ws_read_unit *unit, const char *key, ws_packed *record)
{
    char seal[WS_SHA256_TEXT];
    if (!ws_store_copy_body(store, id, record))
        return false;
    if (record->n >= unit->n + WS_STORE_SEAL) {
        const unsigned char *stored = record->bytes + record->n - WS_STORE_SEAL, *formats = stored - unit->n;
        ws_store_seal(store, unit, key, formats, seal);
        if (memcmp(stored, seal, WS_STORE_SEAL) == 0) {
            for (size_t i = 0; i < unit->n; i++)
                unit->formats[i] = format_of_number(formats[i]);
            record->n -= unit->n + WS_STORE_SEAL;
            return true;
        }
    }
    free(record->bytes);
    *record = (ws_packed){0};
    return false;
}

/* The record of these files as they are now; NULL without. */
static const stored_record *find_record(ws_store *store, ws_read_unit *unit)
{
    if (unit->is_opened_once && !store->n_inputs) {
        ws_read_unit_expect(unit);
        return NULL;
    }
    ws_read_unit_look(unit);
    ws_arena arena = {0};
    stored_input *first;
    const char *others = fresh_others(store, unit, &arena, &first);
    const stored_record wanted = {.input = first ? first->id : 0, .key = unit->key, .others = others ? others : ""};
    const stored_record *found =
        others && store->n_records ? bsearch(&wanted, store->records, store->n_records, sizeof wanted, by_unit) : NULL;
    ws_arena_free(&arena);
    return found;
}

bool ws_store_recall(ws_store *store, ws_read_unit *unit, ws_packed *record)
{
    *record = (ws_packed){0};
    const stored_record *found = store && unit->n ? find_record(store, unit) : NULL;
    return found && take_body(store, found->id, unit, unit->key, record);
}

void ws_store_log_key(const char *key, char log_key[WS_SHA256_TEXT])
{
    ws_sha256 hash;
    ws_sha256_init(&hash);
    ws_sha256_add(&hash, "log", 3);
    ws_sha256_add(&hash, key, strlen(key));
    ws_sha256_text(&hash, log_key);
}

void ws_store_verify(ws_store *store)
{
    store->verifies = true;
}

/* Is what was read of it still the beginning of the file, as far as can be known without reading all of it? */
static bool has_grown(const ws_store *store, const stored_input *input, const ws_read_unit *unit)
{
    char sha256[WS_SHA256_TEXT];
    const ws_file_state *now = &unit->before[0], *then = &input->state;
    /* Of the same size it may be one that was read too soon after a change, and not summed up then (keep_log). */
    bool is_longer = now->size > then->size, is_as_then = ws_file_state_is_untouched(then, now) && !*input->sha256;
    if (!now->is_there || now->is_packed || !(is_longer || is_as_then))
        return false;
    return !store->verifies || (*input->sha256 && hash_bytes(unit->paths[0], (uint64_t)input->state.size, sha256) &&
                                strcmp(sha256, input->sha256) == 0);
}

bool ws_store_recall_log(ws_store *store, const ws_read_unit *unit, ws_packed *log)
{
    char key[WS_SHA256_TEXT];
    *log = (ws_packed){0};
    if (!store || unit->n != 1 || !unit->before)
        return false;
    const stored_input *input = ws_store_find_input(store, ws_store_relative(store, unit->paths[0]));
    if (!input || !store->n_records)
        return false;
    ws_store_log_key(unit->key, key);
    const stored_record wanted = {.input = input->id, .key = key, .others = ""};
    const stored_record *found = bsearch(&wanted, store->records, store->n_records, sizeof wanted, by_unit);
    return found && has_grown(store, input, unit) && take_body(store, found->id, unit, key, log);
}

bool ws_store_has(ws_store *store, ws_read_unit *unit)
{
    return store && unit->n && find_record(store, unit);
}

bool ws_store_about(const ws_store *store, const char *path, uint64_t *size, const char **sha256)
{
    const stored_input *input = store ? ws_store_find_input(store, ws_store_relative(store, path)) : NULL;
    if (!input || atomic_load(&input->verdict) != WS_FILE_SAME + 1)
        return false;
    *size = (uint64_t)input->state.size;
    *sha256 = input->sha256;
    return true;
}

void ws_store_learn(ws_store *store, const char *path, const char *sha256)
{
    stored_input *input = store ? ws_store_find_input(store, ws_store_relative(store, path)) : NULL;
    ws_file_state now = ws_file_state_of(path);
    if (!input || *input->sha256 || !ws_store_input_is_same(input, &now)) /* it may have changed since */
        return;
    pthread_mutex_lock(&store->lock);
    input->learnt = ws_arena_strdup(&store->arena, sha256);
    store->has_learnt = true;
    pthread_mutex_unlock(&store->lock);
}

const char *ws_store_get_meta(ws_store *store, sqlite3 *db, const char *key)
{
    sqlite3_stmt *row = NULL;
    const char *value = NULL;
    if (db && sqlite3_prepare_v2(db, "SELECT value FROM meta WHERE key = ?1", -1, &row, NULL) == SQLITE_OK) {
        sqlite3_bind_text(row, 1, key, -1, SQLITE_STATIC);
        if (sqlite3_step(row) == SQLITE_ROW)
            value = text_of(store, row, 0);
    }
    sqlite3_finalize(row);
    return value;
}

const char *ws_store_meta(ws_store *store, const char *key)
{
    return ws_store_get_meta(store, store->db, key);
}

bool ws_store_read_scan(const char *path, ws_packed *facts)
{
    sqlite3 *db;
    sqlite3_stmt *row = NULL;
    *facts = (ws_packed){0};
    if (ws_store_open_database(&db, path, NULL) != WS_OK)
        return false;
    if (sqlite3_prepare_v2(db, "SELECT facts FROM scan", -1, &row, NULL) == SQLITE_OK &&
        sqlite3_step(row) == SQLITE_ROW) {
        const void *bytes = sqlite3_column_blob(row, 0);
        size_t n = (size_t)sqlite3_column_bytes(row, 0);
        *facts = (ws_packed){ws_alloc(n + 1), n};
        memcpy(facts->bytes, n ? bytes : "", n);
    }
    sqlite3_finalize(row);
    sqlite3_close(db);
    return facts->bytes;
}

/* Does a file that it is of lie there? */
static bool has_file_in(ws_store *store, const char *folder)
{
    ws_arena arena = {0};
    sqlite3_stmt *row = NULL;
    bool has = false;
    sqlite3_prepare_v2(store->db, "SELECT path FROM inputs WHERE path NOT LIKE '/%'", -1, &row, NULL);
    int64_t left = most_bytes(store->db);
    while (row && !has && (left -= LEAST_OF_ROW) > store->n_text && sqlite3_step(row) == SQLITE_ROW)
        has = ws_file_state_of(ws_arena_printf(&arena, "%s/%s", folder, text_of(store, row, 0))).is_there;
    sqlite3_finalize(row);
    ws_arena_free(&arena);
    return has;
}

static bool is_of_description(ws_store *store, const char *description)
{
    const char *stored = ws_store_meta(store, "description");
    char sha256[WS_SHA256_TEXT];
    return stored && ws_store_hash_file(description, sha256) && strcmp(stored, sha256) == 0;
}

/* The name of a description that is no campaign.json; NULL. */
static const char *other_description(ws_store *store)
{
    const char *file = ws_store_meta(store, "file");
    return file && *file && !strchr(file, '/') ? file : NULL;
}

static ws_status find_campaign(ws_store *store, const char *own, ws_arena *arena, const char **campaign,
                               ws_error *error)
{
    const char *named = ws_store_meta(store, "folder"), *file = other_description(store);
    const char *description = ws_arena_printf(arena, "%s/%s", own, file ? file : "campaign.json");
    bool is_own = !named || has_file_in(store, own) || is_of_description(store, description);
    const char *folder = is_own ? own : named;
    if (access(folder, R_OK) != 0)
        return ws_fail_at(error, WS_IO, store->path, 0,
                          "is the store of the campaign in '%s', which is not there: put the store beside the "
                          "campaign's campaign.json",
                          named);
    *campaign = file ? ws_arena_printf(arena, "%s/%s", folder, file) : ws_arena_strdup(arena, folder);
    if (file && access(*campaign, R_OK) != 0)
        return ws_fail_at(error, WS_IO, store->path, 0, "is the store of the campaign '%s', which is not there",
                          *campaign);
    return WS_OK;
}

ws_status ws_store_campaign(const char *path, ws_arena *arena, const char **campaign, ws_error *error)
{
    const char *slash = strrchr(path, '/');
    const char *own = !slash ? "." : slash == path ? "/" : ws_arena_strndup(arena, path, (size_t)(slash - path));
    bool is_described = access(ws_arena_printf(arena, "%s/campaign.json", own), R_OK) == 0;
    ws_store store = {.path = (char *)path};
    *campaign = own;
    ws_status status = ws_store_open_database(&store.db, path, is_described ? NULL : error);
    if (status != WS_OK)
        return is_described ? WS_OK : status;
    status = find_campaign(&store, own, arena, campaign, error);
    sqlite3_close(store.db);
    ws_arena_free(&store.arena);
    return status;
}
