/* Writing a store: into a new file beside the old one, which begins as a copy of it and takes its place when it is
 * whole. SQLite's locks and journals are not used: they may fail unseen on file systems that many nodes share. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "analyze/store/store_internal.h"

#include "core/arena.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* A long ingest puts what it has into place so often. */
enum { PUBLISH_S = 300 };

/* A record of the old store and one of its files. */
typedef struct member {
    int64_t input;
    const stored_record *record;
} member;

typedef struct ws_store_writer {
    const char *part, *lock_path;
    int lock_fd; /* -1: not held */
    sqlite3 *db; /* the new one */
    sqlite3_stmt *new_input, *set_input, *add_record, *drop_record;
    member *members; /* by input; NULL: nobody has asked yet */
    size_t n_members, member_capacity;
    unsigned char *sealed; /* a record with its seal */
    size_t sealed_capacity;
    bool failed;
    ws_error error; /* the first */
    time_t published;
    ws_store_counts counts;
} writer;

/* --- names and locks --- */

/* A link stays one: what it leads to is written anew. */
static const char *behind_link(ws_arena *arena, const char *path)
{
    struct stat about;
    char *real = lstat(path, &about) == 0 && S_ISLNK(about.st_mode) ? realpath(path, NULL) : NULL;
    const char *found = real ? ws_arena_strdup(arena, real) : path;
    free(real);
    return found;
}

/* Hidden, so that nobody takes it for a file of the campaign. */
static const char *beside(ws_arena *arena, const char *path, const char *ending)
{
    path = behind_link(arena, path);
    const char *slash = strrchr(path, '/');
    size_t n = slash ? (size_t)(slash - path) + 1 : 0;
    return ws_arena_printf(arena, "%.*s.%s.%s", (int)n, path, path + n, ending);
}

const char *ws_store_part_path(ws_arena *arena, const char *path)
{
    return beside(arena, path, "part");
}

const char *ws_store_lock_path(ws_arena *arena, const char *path)
{
    return beside(arena, path, "lock");
}

typedef struct owner {
    char host[256];
    long process;
} owner;

static owner myself(void)
{
    owner me = {.process = (long)getpid()};
    if (gethostname(me.host, sizeof me.host - 1) != 0)
        strcpy(me.host, "unknown");
    return me;
}

/* False: the file does not say. */
static bool read_owner(int fd, owner *who)
{
    char text[300] = "";
    return pread(fd, text, sizeof text - 1, 0) > 0 && sscanf(text, "%255s %ld", who->host, &who->process) == 2;
}

static bool write_owner(int fd)
{
    owner me = myself();
    char text[300];
    int n = snprintf(text, sizeof text, "%s %ld\n", me.host, me.process);
    return ftruncate(fd, 0) == 0 && pwrite(fd, text, (size_t)n, 0) == n;
}

static bool is_at(int fd, const char *path)
{
    struct stat a, b;
    return fstat(fd, &a) == 0 && stat(path, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

static ws_status refuse_lock(const writer *w, const char *path, const owner *who, ws_error *error)
{
    return ws_fail_at(error, WS_IO, path, 0, "is being written by process %ld on %s; if that was killed, remove '%s'",
                      who->process, who->host, w->lock_path);
}

/* Killed, and nobody has asked yet how it ended: as where the first process of a container never does. */
static bool is_zombie(long process)
{
    char path[64], text[300] = "";
    snprintf(path, sizeof path, "/proc/%ld/stat", process);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd >= 0 ? read(fd, text, sizeof text - 1) : -1;
    if (fd >= 0)
        close(fd);
    const char *behind_name = n > 0 ? strrchr(text, ')') : NULL; /* "17 (name) Z 1 ..." */
    return behind_name && strncmp(behind_name, ") Z", 3) == 0;
}

static bool is_over(long process)
{
    return kill((pid_t)process, 0) != 0 ? errno == ESRCH : is_zombie(process);
}

/* A lock file whose process is gone: on this machine that can be known, and it is taken over. */
static ws_status take_over(writer *w, const char *path, ws_error *error)
{
    owner who = {.host = "another machine"}, me = myself();
    int fd = open(w->lock_path, O_RDWR | O_CLOEXEC);
    if (fd < 0)
        return ws_fail_at(error, WS_IO, path, 0, "'%s' cannot be opened: %s", w->lock_path, strerror(errno));
    bool known = read_owner(fd, &who);
    bool is_gone = known && strcmp(who.host, me.host) == 0 && is_over(who.process);
    bool is_empty = !known && flock(fd, LOCK_EX | LOCK_NB) == 0; /* killed before it wrote its name */
    if ((is_gone || is_empty) && flock(fd, LOCK_EX | LOCK_NB) == 0 && is_at(fd, w->lock_path) && write_owner(fd)) {
        w->lock_fd = fd;
        return WS_OK;
    }
    ws_status status = refuse_lock(w, path, &who, error);
    close(fd);
    return status;
}

static ws_status lock(writer *w, const char *path, ws_error *error)
{
    int fd = open(w->lock_path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0 && errno == EEXIST)
        return take_over(w, path, error);
    if (fd < 0)
        return ws_fail_at(error, WS_IO, path, 0, "cannot be written: '%s': %s", w->lock_path, strerror(errno));
    /* Another one may have come upon the file before it had a name in it, and taken it over; and may be done already.
     */
    bool is_taken = flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    if (is_taken || !is_at(fd, w->lock_path)) {
        close(fd);
        return is_taken ? take_over(w, path, error) : lock(w, path, error);
    }
    w->lock_fd = fd;
    if (write_owner(fd))
        return WS_OK;
    return ws_fail_at(error, WS_IO, path, 0, "'%s' cannot be written: %s", w->lock_path, strerror(errno));
}

/* --- files --- */

static bool write_all(int fd, const char *bytes, ssize_t n)
{
    while (n > 0) {
        ssize_t k = write(fd, bytes, (size_t)n);
        if (k < 0 && errno != EINTR)
            return false;
        bytes += k > 0 ? k : 0;
        n -= k > 0 ? k : 0;
    }
    return true;
}

static ws_status copy_file(const char *from, const char *to, ws_error *error)
{
    enum { PIECE = 1 << 20 };
    char *piece = ws_alloc(PIECE);
    int in = open(from, O_RDONLY | O_CLOEXEC), out = open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    ssize_t n = in < 0 || out < 0 ? -1 : 1;
    while (n > 0) {
        n = read(in, piece, PIECE);
        if (n > 0 && !write_all(out, piece, n))
            n = -1;
    }
    ws_status status = n == 0 ? WS_OK : ws_fail_at(error, WS_IO, to, 0, "cannot be written: %s", strerror(errno));
    if (in >= 0)
        close(in);
    if (out >= 0 && close(out) != 0 && status == WS_OK)
        status = ws_fail_at(error, WS_IO, to, 0, "cannot be written: %s", strerror(errno));
    free(piece);
    return status;
}

static bool sync_path(const char *path, int flags)
{
    int fd = open(path, flags | O_RDONLY | O_CLOEXEC);
    bool done = fd >= 0 && (fsync(fd) == 0 || errno == EINVAL); /* EINVAL: a file system that has nothing to sync */
    if (fd >= 0)
        close(fd);
    return done;
}

static bool sync_folder_of(const char *path)
{
    ws_arena arena = {0};
    const char *slash = strrchr(path, '/');
    bool done = sync_path(slash ? ws_arena_strndup(&arena, path, (size_t)(slash - path) + 1) : ".", O_DIRECTORY);
    ws_arena_free(&arena);
    return done;
}

/* --- the new database --- */

static void fail_write(ws_store *store)
{
    writer *w = store->writer;
    if (!w->failed)
        ws_store_fail(&w->error, w->db, store->path, "cannot be written");
    w->failed = true;
}

static void writer_exec(ws_store *store, const char *sql)
{
    if (!store->writer->failed && sqlite3_exec(store->writer->db, sql, NULL, NULL, NULL) != SQLITE_OK)
        fail_write(store);
}

static void writer_prepare(ws_store *store, const char *sql, sqlite3_stmt **statement)
{
    if (!store->writer->failed && sqlite3_prepare_v2(store->writer->db, sql, -1, statement, NULL) != SQLITE_OK)
        fail_write(store);
}

/* Runs a statement to its first row or its end; the caller resets it. */
static void writer_step(ws_store *store, sqlite3_stmt *statement)
{
    int code = statement ? sqlite3_step(statement) : SQLITE_ERROR;
    if (code != SQLITE_DONE && code != SQLITE_ROW)
        fail_write(store);
}

static void writer_open(ws_store *store)
{
    writer *w = store->writer;
    if (sqlite3_open_v2(w->part, &w->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, NULL) !=
        SQLITE_OK)
        fail_write(store);
    if (w->failed)
        return;
    sqlite3_db_config(w->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    sqlite3_db_config(w->db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
    writer_exec(store, "PRAGMA page_size = 16384; PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = OFF");
    sqlite3_db_config(w->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL); /* which keeps a journal that is not off yet */
    char sql[200];
    snprintf(sql, sizeof sql, "PRAGMA application_id = %d; PRAGMA user_version = %d", WS_STORE_APPLICATION,
             WS_STORE_VERSION);
    writer_exec(store, "PRAGMA synchronous = OFF; PRAGMA temp_store = MEMORY; BEGIN");
    if (!store->db) {
        writer_exec(store, sql);
        writer_exec(store, WS_STORE_INPUTS);
        writer_exec(store, WS_STORE_RECORDS);
        writer_exec(store, WS_STORE_META);
    }
    writer_prepare(store,
                   "INSERT OR IGNORE INTO inputs(path, size, mtime_ns, ctime_ns, inode, seen_ns, sha256, format) "
                   "VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
                   &w->new_input);
    writer_prepare(store,
                   "INSERT INTO inputs(path, size, mtime_ns, ctime_ns, inode, seen_ns, sha256, format) "
                   "VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT(path) DO UPDATE SET size = ?2, mtime_ns = ?3, "
                   "ctime_ns = ?4, inode = ?5, seen_ns = ?6, sha256 = ?7, format = ?8 RETURNING id",
                   &w->set_input);
    writer_prepare(store, "INSERT OR REPLACE INTO records(input, key, others, body) VALUES(?1, ?2, ?3, ?4)",
                   &w->add_record);
    writer_prepare(store, "DELETE FROM records WHERE input = ?1 AND key = ?2 AND others = ?3", &w->drop_record);
}

static void writer_close_database(writer *w)
{
    sqlite3_finalize(w->new_input);
    sqlite3_finalize(w->set_input);
    sqlite3_finalize(w->add_record);
    sqlite3_finalize(w->drop_record);
    sqlite3_close(w->db);
    w->new_input = w->set_input = w->add_record = w->drop_record = NULL;
    w->db = NULL;
}

static void free_writer(ws_store *store)
{
    writer *w = store->writer;
    writer_close_database(w);
    if (w->lock_fd >= 0) {
        unlink(w->part);
        unlink(w->lock_path);
        close(w->lock_fd);
    }
    free(w->members);
    free(w->sealed);
    free(w);
    store->writer = NULL;
}

static ws_status store_begin(ws_store **out, const char *path, const char *folder, bool takes_old, ws_error *error)
{
    ws_arena arena = {0};
    path = behind_link(&arena, path);
    ws_store *store = ws_store_new(path, folder);
    path = store->path;
    ws_arena_free(&arena);
    writer *w = store->writer = ws_alloc(sizeof *w);
    store->free_writer = free_writer;
    *w = (writer){.lock_fd = -1, .published = time(NULL)};
    w->part = ws_store_part_path(&store->arena, path);
    w->lock_path = ws_store_lock_path(&store->arena, path);
    ws_status status = lock(w, path, error);
    if (status == WS_OK) { /* of a writer that was killed; those of before wrote a journal, too */
        unlink(w->part);
        unlink(ws_arena_printf(&store->arena, "%s-journal", w->part));
    }
    bool is_there = takes_old && access(path, F_OK) == 0;
    if (status == WS_OK && is_there)
        status = ws_store_open_database(&store->db, path, error);
    if (status == WS_OK && is_there)
        status = ws_store_load(store, error);
    if (status == WS_OK && is_there)
        status = copy_file(path, w->part, error);
    if (status == WS_OK)
        writer_open(store);
    if (status == WS_OK && w->failed) {
        *error = w->error;
        status = w->error.status;
    }
    *out = status == WS_OK ? store : NULL;
    if (status != WS_OK)
        ws_store_close(store);
    return status;
}

ws_status ws_store_begin(ws_store **store, const char *path, const char *folder, ws_error *error)
{
    return store_begin(store, path, folder, true, error);
}

ws_status ws_store_begin_empty(ws_store **store, const char *path, const char *folder, ws_error *error)
{
    return store_begin(store, path, folder, false, error);
}

sqlite3 *ws_writer_database(ws_store *store)
{
    return store->writer->failed ? NULL : store->writer->db;
}

bool ws_store_keeps(const ws_store *store)
{
    return store && store->writer;
}

/* The new file is whole: it takes the place of the old one. */
static ws_status put_in_place(ws_store *store, ws_error *error)
{
    writer *w = store->writer;
    writer_exec(store, "COMMIT");
    ws_error failure = w->error;
    bool failed = w->failed;
    writer_close_database(w);
    if (failed) {
        *error = failure;
        return failure.status;
    }
    if (!sync_path(w->part, 0) || rename(w->part, store->path) != 0 || !sync_folder_of(store->path))
        return ws_fail_at(error, WS_IO, store->path, 0, "cannot be written: %s", strerror(errno));
    return WS_OK;
}

/* What was read so far, for those who read meanwhile and in case that this process is killed. */
static void publish(ws_store *store)
{
    writer *w = store->writer;
    ws_status status = put_in_place(store, &w->error);
    if (status == WS_OK)
        status = copy_file(store->path, w->part, &w->error);
    w->failed |= status != WS_OK;
    bool had_old = store->db;
    if (!had_old) /* writer_open must not make the tables again */
        ws_store_open_database(&store->db, store->path, NULL);
    if (!w->failed)
        writer_open(store);
    w->published = time(NULL);
}

/* --- files and records --- */

static void bind_input(sqlite3_stmt *row, const char *path, const ws_file_state *s, const char *sha256,
                       const char *format)
{
    sqlite3_bind_text(row, 1, path, -1, SQLITE_STATIC);
    const int64_t numbers[] = {s->size, s->mtime_ns, s->ctime_ns, s->inode, s->seen_ns};
    for (int i = 0; i < 5; i++)
        sqlite3_bind_int64(row, 2 + i, numbers[i]);
    sqlite3_bind_text(row, 7, sha256 && *sha256 ? sha256 : NULL, -1, SQLITE_STATIC);
    sqlite3_bind_text(row, 8, format && *format ? format : NULL, -1, SQLITE_STATIC);
}

/* 0: there is one of that path, or writing fails. */
static int64_t add_input(ws_store *store, const char *path, const ws_file_state *s, const char *sha256,
                         const char *format)
{
    writer *w = store->writer;
    if (!w->new_input || w->failed)
        return 0;
    bind_input(w->new_input, path, s, sha256, format);
    writer_step(store, w->new_input);
    sqlite3_reset(w->new_input);
    return !w->failed && sqlite3_changes(w->db) ? sqlite3_last_insert_rowid(w->db) : 0;
}

static int64_t change_input(ws_store *store, const char *path, const ws_file_state *s, const char *sha256,
                            const char *format)
{
    writer *w = store->writer;
    if (!w->set_input || w->failed)
        return 0;
    bind_input(w->set_input, path, s, sha256, format);
    writer_step(store, w->set_input);
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
    sqlite3_bind_int64(row, 1, input);
    sqlite3_bind_text(row, 2, key, -1, SQLITE_STATIC);
    sqlite3_bind_text(row, 3, others, -1, SQLITE_STATIC);
    sqlite3_bind_blob64(row, 4, body, n, SQLITE_STATIC);
    writer_step(store, row);
    sqlite3_reset(row);
    sqlite3_clear_bindings(row);
}

static void add_member(writer *w, int64_t input, const stored_record *record)
{
    w->members = ws_grow(w->members, &w->member_capacity, w->n_members + 1, sizeof *w->members);
    w->members[w->n_members++] = (member){input, record};
}

static int by_input(const void *a, const void *b)
{
    const member *x = a, *y = b;
    return (x->input > y->input) - (x->input < y->input);
}

static void list_members(const ws_store *store)
{
    writer *w = store->writer;
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
    sqlite3_bind_int64(row, 1, record->input);
    sqlite3_bind_text(row, 2, record->key, -1, SQLITE_STATIC);
    sqlite3_bind_text(row, 3, record->others, -1, SQLITE_STATIC);
    writer_step(store, row);
    sqlite3_reset(row);
}

/* What was read of a file that has changed is of no use any more. */
static void drop_records(ws_store *store, stored_input *input)
{
    writer *w = store->writer;
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
    writer_prepare(
        store, "SELECT id FROM inputs WHERE path = ?1 AND (size, mtime_ns, ctime_ns, inode) <> (?2, ?3, ?4, ?5)", &row);
    writer_prepare(store, "DELETE FROM records WHERE input = ?1 OR instr(',' || others || ',', ',' || ?1 || ',')",
                   &drop);
    if (row && drop) {
        const int64_t numbers[] = {now->size, now->mtime_ns, now->ctime_ns, now->inode};
        sqlite3_bind_text(row, 1, path, -1, SQLITE_STATIC);
        for (int i = 0; i < 4; i++)
            sqlite3_bind_int64(row, 2 + i, numbers[i]);
        writer_step(store, row);
        if (sqlite3_data_count(row)) {
            sqlite3_bind_int64(drop, 1, sqlite3_column_int64(row, 0));
            writer_step(store, drop);
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
    if (old)
        old->is_kept = true;
    return id ? id : change_input(store, path, &unit->before[i], sha256, name);
}

/* A large log that goes on being written is always young: it is read on instead. */
static bool has_to_be_summed_up(const ws_store *store, const ws_read_unit *unit, size_t i)
{
    bool is_young = !ws_file_state_is_settled(&unit->before[i]) && !unit->log.n;
    return (store->verifies || is_young) && !unit->before[i].is_packed;
}

static void keep_record(ws_store *store, const ws_read_unit *unit, int64_t input, const char *key, const char *others,
                        const ws_packed *record)
{
    writer *w = store->writer;
    char seal[WS_SHA256_TEXT];
    ws_store_seal(store, unit, key, seal);
    w->sealed = ws_grow(w->sealed, &w->sealed_capacity, record->n + WS_STORE_SEAL, 1);
    memcpy(w->sealed, record->bytes, record->n);
    memcpy(w->sealed + record->n, seal, WS_STORE_SEAL);
    ws_writer_add_record(store, input, key, others, w->sealed, record->n + WS_STORE_SEAL);
}

static void keep_log(ws_store *store, const ws_read_unit *unit, int64_t input)
{
    char key[WS_SHA256_TEXT];
    ws_store_log_key(unit->key, key);
    keep_record(store, unit, input, key, "", &unit->log);
}

void ws_store_keep(ws_store *store, const ws_read_unit *unit, const ws_packed *record)
{
    bool is_known_same = unit->was_same;
    if (!ws_store_keeps(store) || !unit->before)
        return;
    ws_arena arena = {0};
    char(*sums)[WS_SHA256_TEXT] = ws_alloc(unit->n * sizeof *sums);
    for (size_t i = 0; i < unit->n; i++)
        if (has_to_be_summed_up(store, unit, i)) {
            ws_store_hash_file(unit->paths[i], sums[i]);
            is_known_same = false;
        }
    if (is_known_same || !ws_read_unit_has_changed(unit)) {
        pthread_mutex_lock(&store->lock);
        int64_t first = 0;
        const char *others = "";
        for (size_t i = 0; i < unit->n; i++) {
            int64_t id = keep_input(store, unit, i, sums[i]);
            first = i ? first : id;
            others = !i ? others : ws_arena_printf(&arena, "%s%s%lld", others, i > 1 ? "," : "", (long long)id);
        }
        keep_record(store, unit, first, unit->key, others, record);
        if (unit->log.n)
            keep_log(store, unit, first);
        store->writer->counts.read += unit->is_again ? 0 : unit->n;
        store->writer->counts.went_on += unit->went_on;
        if (time(NULL) - store->writer->published >= PUBLISH_S)
            publish(store);
        pthread_mutex_unlock(&store->lock);
    }
    free(sums);
    ws_arena_free(&arena);
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

/* A table of the user's may have two columns that SQLite takes for one: the first is kept. The caller frees the list.
 */
static bool *find_kept_columns(const ws_table *table)
{
    bool *kept = ws_alloc(table->n_columns * sizeof *kept);
    for (size_t i = 0; i < table->n_columns; i++) {
        kept[i] = true;
        for (size_t k = 0; k < i; k++)
            kept[i] &= sqlite3_stricmp(table->columns[i].name, table->columns[k].name) != 0;
    }
    return kept;
}

static void create_table(ws_store *store, const ws_table *table, const bool *kept, ws_arena *arena)
{
    const char *name = quoted(arena, table->name), *columns = "";
    for (size_t i = 0; i < table->n_columns; i++)
        if (kept[i])
            columns = ws_arena_printf(arena, "%s%s%s %s", columns, *columns ? ", " : "",
                                      quoted(arena, table->columns[i].name),
                                      table->columns[i].kind == WS_TEXT ? "TEXT" : "NUMERIC");
    writer_exec(store, ws_arena_printf(arena, "DROP TABLE IF EXISTS %s", name));
    writer_exec(store, ws_arena_printf(arena, "CREATE TABLE %s(%s)", name, columns));
}

static void bind_cell(sqlite3_stmt *insert, int at, const ws_table *table, size_t column, size_t row)
{
    if (ws_table_is_missing(table, column, row))
        sqlite3_bind_null(insert, at);
    else if (table->columns[column].kind == WS_TEXT)
        sqlite3_bind_text(insert, at, table->columns[column].text[row], -1, SQLITE_STATIC);
    else
        sqlite3_bind_double(insert, at, ws_table_number(table, column, row));
}

/* "INSERT INTO "runs" VALUES(?,?),(?,?)" */
static sqlite3_stmt *prepare_insert(ws_store *store, const ws_table *table, size_t columns, size_t rows)
{
    ws_arena arena = {0};
    const char *name = quoted(&arena, table->name);
    char *sql = ws_arena_alloc(&arena, strlen(name) + 40 + rows * (2 * columns + 2)), *out = sql;
    sqlite3_stmt *insert = NULL;
    out += sprintf(out, "INSERT INTO %s VALUES", name);
    for (size_t r = 0; r < rows; r++) {
        *out++ = r ? ',' : ' ';
        for (size_t c = 0; c < columns; c++) {
            *out++ = c ? ',' : '(';
            *out++ = '?';
        }
        *out++ = ')';
    }
    *out = '\0';
    writer_prepare(store, sql, &insert);
    ws_arena_free(&arena);
    return insert;
}

/* Rows from `row` on by an insert of `at_once` of them, as far as they go. Returns the row behind. */
static size_t insert_by(ws_store *store, const ws_table *table, const bool *kept, size_t columns, size_t row,
                        size_t at_once)
{
    if (table->n_rows - row < at_once)
        return row;
    sqlite3_stmt *insert = prepare_insert(store, table, columns, at_once);
    for (; table->n_rows - row >= at_once && !store->writer->failed; row += at_once) {
        int at = 0;
        for (size_t r = row; r < row + at_once; r++)
            for (size_t i = 0; i < table->n_columns; i++)
                if (kept[i])
                    bind_cell(insert, ++at, table, i, r);
        writer_step(store, insert);
        sqlite3_reset(insert);
    }
    sqlite3_finalize(insert);
    return row;
}

/* Several at once, which costs less than each by itself. */
static void insert_rows(ws_store *store, const ws_table *table, const bool *kept)
{
    enum { AT_ONCE = 8 };
    size_t columns = 0, row = 0;
    for (size_t i = 0; i < table->n_columns; i++)
        columns += kept[i];
    if (store->writer->failed || !columns)
        return;
    if (columns * AT_ONCE <= (size_t)sqlite3_limit(store->writer->db, SQLITE_LIMIT_VARIABLE_NUMBER, -1))
        row = insert_by(store, table, kept, columns, row, AT_ONCE);
    insert_by(store, table, kept, columns, row, 1);
}

void ws_store_add_rows(ws_store *store, const ws_table *table)
{
    bool *kept = find_kept_columns(table);
    insert_rows(store, table, kept);
    free(kept);
}

void ws_store_set_table(ws_store *store, const ws_table *table)
{
    ws_arena arena = {0};
    bool *kept = find_kept_columns(table);
    create_table(store, table, kept, &arena);
    insert_rows(store, table, kept);
    free(kept);
    ws_arena_free(&arena);
}

void ws_store_add_view(ws_store *store, const char *name, const char *select)
{
    ws_arena arena = {0};
    writer_exec(store, ws_arena_printf(&arena, "DROP VIEW IF EXISTS %s", name));
    writer_exec(store, ws_arena_printf(&arena, "CREATE VIEW %s AS %s", name, select));
    ws_arena_free(&arena);
}

void ws_store_set_meta(ws_store *store, const char *key, const char *value)
{
    sqlite3_stmt *row = NULL;
    writer_prepare(store, "INSERT OR REPLACE INTO meta VALUES(?1, ?2)", &row);
    if (row) {
        sqlite3_bind_text(row, 1, key, -1, SQLITE_STATIC);
        sqlite3_bind_text(row, 2, value, -1, SQLITE_STATIC);
        writer_step(store, row);
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
    writer_exec(store, sql);
}

static void look_for_gone(ws_store *store, bool prune, ws_store_counts *counts)
{
    ws_arena arena = {0};
    for (size_t i = 0; i < store->n_inputs; i++) {
        stored_input *input = &store->inputs[i];
        int verdict = atomic_load(&input->verdict);
        counts->recalled += verdict == WS_FILE_SAME + 1;
        ws_file_state now = ws_file_state_of(absolute(store, &arena, input->path));
        if (ws_store_input_is_same(input, &now) && ws_file_state_compare(&input->state, &now) == WS_FILE_UNSURE)
            ws_writer_set_input(store, input->path, &now, input->sha256, input->format); /* its content was the same */
        if (verdict || now.is_there)
            continue;
        counts->gone++;
        if (prune)
            prune_input(store, input);
    }
    ws_arena_free(&arena);
}

static int64_t pragma(sqlite3 *db, const char *sql)
{
    sqlite3_stmt *row = NULL;
    int64_t number = 0;
    if (sqlite3_prepare_v2(db, sql, -1, &row, NULL) == SQLITE_OK && sqlite3_step(row) == SQLITE_ROW)
        number = sqlite3_column_int64(row, 0);
    sqlite3_finalize(row);
    return number;
}

/* Pages that changed files have left empty are given back when they are a good part of the store. */
static void compact(ws_store *store)
{
    writer *w = store->writer;
    if (w->failed || pragma(w->db, "PRAGMA freelist_count") * 4 < pragma(w->db, "PRAGMA page_count"))
        return;
    writer_exec(store, "COMMIT");
    writer_exec(store, "VACUUM");
    writer_exec(store, "BEGIN");
}

ws_status ws_store_finish(ws_store *store, bool prune, ws_store_counts *counts, ws_error *error)
{
    writer *w = store->writer;
    *counts = w->counts;
    if (w->failed) {
        *error = w->error;
        return w->error.status;
    }
    look_for_gone(store, prune, counts);
    counts->inputs = (size_t)pragma(w->db, "SELECT count(*) FROM inputs");
    compact(store);
    return put_in_place(store, error);
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
    put_in_place(again, &error);
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
