/* How a store is written: into a new file beside the old one, which begins as a copy of it and takes its place when it
 * is whole. One process at a time writes, which a lock file tells the others: SQLite's locks and journals are not used,
 * since they may fail unseen on file systems that many nodes share. */
#define _XOPEN_SOURCE 700 /* gethostname, kill */
#include "analyze/store/store_writer_internal.h"

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

/* --- names and locks --- */

/* Where a link leads, there or not: relative to the folder that it lies in. NULL: it is none. */
static const char *end_of_link(ws_arena *arena, const char *path)
{
    char to[4096];
    ssize_t n = readlink(path, to, sizeof to);
    const char *slash = strrchr(path, '/');
    int folder = n > 0 && *to != '/' && slash ? (int)(slash - path) + 1 : 0;
    return n > 0 && (size_t)n < sizeof to ? ws_arena_printf(arena, "%.*s%.*s", folder, path, (int)n, to) : NULL;
}

/* A link stays one: what it leads to is written anew, or for the first time. */
static const char *behind_link(ws_arena *arena, const char *path)
{
    enum { MOST_LINKS = 40 }; /* as many as Linux follows */
    const char *end = path, *next = path;
    for (int i = 0; next && i < MOST_LINKS; i++)
        if ((next = end_of_link(arena, end)))
            end = next;
    return next ? path : end;
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

const char *ws_store_joined_path(ws_arena *arena, const char *path)
{
    return beside(arena, path, "joined");
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
    return fstat(fd, &a) == 0 && lstat(path, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

static ws_status refuse_lock(const ws_store_writer *w, const char *path, const owner *who, ws_error *error)
{
    if (!who)
        return ws_fail_at(
            error, WS_IO, path, 0,
            "'%s' is there and names no process: another one may be about to write; if none is, remove it",
            w->lock_path);
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

static bool is_empty_file(int fd)
{
    struct stat about;
    return fstat(fd, &about) == 0 && S_ISREG(about.st_mode) && about.st_size == 0;
}

/* A lock file whose process is gone: on this machine that can be known, and it is taken over. What else has its name
 * is nobody's lock, and is not written to: a link in the folder of somebody else may lead to any file. */
static ws_status take_over(ws_store_writer *w, const char *path, ws_error *error)
{
    owner who = {.process = 0}, me = myself();
    int fd = open(w->lock_path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    if (fd < 0 && errno == ELOOP)
        return ws_fail_at(error, WS_IO, path, 0, "'%s' is a link and no lock: remove it", w->lock_path);
    if (fd < 0)
        return ws_fail_at(error, WS_IO, path, 0, "'%s' cannot be opened: %s", w->lock_path, strerror(errno));
    bool known = read_owner(fd, &who);
    bool is_gone = known && strcmp(who.host, me.host) == 0 && is_over(who.process);
    bool is_empty = is_empty_file(fd); /* killed before it wrote its name */
    if ((is_gone || is_empty) && flock(fd, LOCK_EX | LOCK_NB) == 0 && is_at(fd, w->lock_path) && write_owner(fd)) {
        w->lock_fd = fd;
        return WS_OK;
    }
    ws_status status = refuse_lock(w, path, known ? &who : NULL, error);
    close(fd);
    return status;
}

static ws_status lock(ws_store_writer *w, const char *path, ws_error *error)
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

/* Nobody reads the copy who may not read what it is of. */
static ws_status copy_file(const char *from, const char *to, ws_error *error)
{
    char piece[64 * 1024];
    int in = open(from, O_RDONLY | O_CLOEXEC), out = open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    struct stat about;
    if (in >= 0 && out >= 0 && fstat(in, &about) == 0)
        fchmod(out, (about.st_mode & 0777) | S_IRUSR | S_IWUSR);
    ssize_t n = in < 0 || out < 0 ? -1 : 1;
    while (n > 0) {
        n = read(in, piece, sizeof piece);
        if (n > 0 && !write_all(out, piece, n))
            n = -1;
    }
    ws_status status = n == 0 ? WS_OK : ws_fail_at(error, WS_IO, to, 0, "cannot be written: %s", strerror(errno));
    if (in >= 0)
        close(in);
    if (out >= 0 && close(out) != 0 && status == WS_OK)
        status = ws_fail_at(error, WS_IO, to, 0, "cannot be written: %s", strerror(errno));
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
    ws_store_writer *w = store->writer;
    if (!w->failed)
        ws_store_fail(&w->error, w->db, store->path, "cannot be written");
    w->failed = true;
}

void ws_writer_exec(ws_store *store, const char *sql)
{
    if (!store->writer->failed && sqlite3_exec(store->writer->db, sql, NULL, NULL, NULL) != SQLITE_OK)
        fail_write(store);
}

void ws_writer_prepare(ws_store *store, const char *sql, sqlite3_stmt **statement)
{
    if (!store->writer->failed && sqlite3_prepare_v2(store->writer->db, sql, -1, statement, NULL) != SQLITE_OK)
        fail_write(store);
}

void ws_writer_step(ws_store *store, sqlite3_stmt *statement)
{
    int code = statement ? sqlite3_step(statement) : SQLITE_ERROR;
    if (code != SQLITE_DONE && code != SQLITE_ROW)
        fail_write(store);
}

void ws_writer_run(ws_store *store, sqlite3_stmt *statement)
{
    ws_writer_step(store, statement);
    sqlite3_reset(statement);
}

/* Somebody else's on the tables that are written row by row: what they are of would be worked out for each. */
static void drop_indexes(ws_store *store)
{
    ws_store_writer *w = store->writer;
    bool is_another = true;
    while (is_another && !w->failed) {
        sqlite3_stmt *row = NULL;
        sqlite3_prepare_v2(w->db,
                           "SELECT i.name FROM (VALUES('inputs'), ('records'), ('scan'), ('meta')) AS t, "
                           "pragma_index_list(t.column1) AS i WHERE i.origin = 'c'",
                           -1, &row, NULL);
        is_another = row && sqlite3_step(row) == SQLITE_ROW;
        char *sql = is_another ? sqlite3_mprintf("DROP INDEX \"%w\"", sqlite3_column_text(row, 0)) : NULL;
        sqlite3_finalize(row);
        if (sql)
            ws_writer_exec(store, sql);
        is_another = sql;
        sqlite3_free(sql);
    }
}

static void writer_open(ws_store *store)
{
    ws_store_writer *w = store->writer;
    if (sqlite3_open_v2(w->part, &w->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, NULL) !=
        SQLITE_OK)
        fail_write(store);
    if (w->failed)
        return;
    sqlite3_db_config(w->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    sqlite3_db_config(w->db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
    ws_writer_exec(store, "PRAGMA page_size = 32768; PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = OFF");
    sqlite3_db_config(w->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL); /* which keeps a journal that is not off yet */
    char sql[200];
    snprintf(sql, sizeof sql, "PRAGMA application_id = %d; PRAGMA user_version = %d", WS_STORE_APPLICATION,
             WS_STORE_VERSION);
    ws_writer_exec(store, "PRAGMA synchronous = OFF; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -512; "
                          "PRAGMA legacy_alter_table = ON; BEGIN"); /* views of somebody else are not looked at */
    if (!store->db) {
        ws_writer_exec(store, sql);
        ws_writer_exec(store, WS_STORE_INPUTS);
        ws_writer_exec(store, WS_STORE_RECORDS);
        ws_writer_exec(store, WS_STORE_SCAN);
        ws_writer_exec(store, WS_STORE_META);
    }
    drop_indexes(store);
    ws_writer_prepare(
        store,
        "INSERT OR IGNORE INTO inputs(path, size, mtime_ns, ctime_ns, inode, seen_ns, sha256, format, sum) "
        "VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
        &w->new_input);
    ws_writer_prepare(
        store,
        "INSERT INTO inputs(path, size, mtime_ns, ctime_ns, inode, seen_ns, sha256, format, sum) "
        "VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) ON CONFLICT(path) DO UPDATE SET size = ?2, mtime_ns = ?3, "
        "ctime_ns = ?4, inode = ?5, seen_ns = ?6, sha256 = ?7, format = ?8, sum = ?9 RETURNING id",
        &w->set_input);
    ws_writer_prepare(store, "INSERT OR REPLACE INTO records(input, key, others, body) VALUES(?1, ?2, ?3, ?4)",
                      &w->add_record);
    ws_writer_prepare(store, "DELETE FROM records WHERE input = ?1 AND key = ?2 AND others = ?3", &w->drop_record);
}

static void writer_close_database(ws_store_writer *w)
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
    ws_store_writer *w = store->writer;
    writer_close_database(w);
    if (w->lock_fd >= 0) {
        unlink(w->part);
        unlink(w->joined);
        unlink(w->lock_path);
        close(w->lock_fd);
    }
    free(w->members);
    free(w->waiting);
    free(w->bytes);
    ws_arena_free(&w->waiting_arena);
    free(w);
    store->writer = NULL;
}

/* What a new store takes the place of is one, or empty: a device, the description of the campaign or one of its traces
 * stays, whoever asks. */
static ws_status check_replaced(const char *path, ws_error *error)
{
    struct stat about;
    if (stat(path, &about) != 0 || (S_ISREG(about.st_mode) && !about.st_size) || ws_store_is_ours(path))
        return WS_OK;
    if (!S_ISREG(about.st_mode))
        return ws_fail_at(error, WS_IO, path, 0, "is no file, and is left as it is: the store needs another name");
    return ws_fail_at(error, WS_IO, path, 0, "is no store, and is left as it is (if it was one, remove it)");
}

/* What another program has begun to write into a store and not finished lies beside it: SQLite would put it into the
 * one that takes its place. The first byte says whether there is any. */
static ws_status check_unfinished(const char *path, ws_error *error)
{
    static const char *const ends[] = {"-journal", "-wal"};
    ws_status status = WS_OK;
    ws_arena arena = {0};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        const char *beside = ws_arena_printf(&arena, "%s%s", path, ends[i]);
        char first = 0;
        int fd = open(beside, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
        if (fd >= 0 && read(fd, &first, 1) == 1 && first)
            status = ws_fail_at(error, WS_IO, beside, 0,
                                "another program writes into the store, or was killed as it did: once it has ended, "
                                "'sqlite3 %s .tables' puts that right (or remove this file, if there is no store)",
                                path);
        if (fd >= 0)
            close(fd);
    }
    ws_arena_free(&arena);
    return status;
}

/* What is written begins as a copy of the old one: damage would go on in it, and spread. */
static ws_status check_old(const ws_store *store, ws_error *error)
{
    sqlite3_stmt *row = NULL;
    sqlite3_exec(store->db, "PRAGMA ignore_check_constraints = ON", NULL, NULL, NULL); /* somebody else's */
    bool is_sound = sqlite3_prepare_v2(store->db, "PRAGMA integrity_check(1)", -1, &row, NULL) == SQLITE_OK &&
                    sqlite3_step(row) == SQLITE_ROW &&
                    sqlite3_stricmp((const char *)sqlite3_column_text(row, 0), "ok") == 0;
    sqlite3_finalize(row);
    return is_sound ? WS_OK : ws_store_fail_damaged(error, store->path);
}

static ws_status store_begin(ws_store **out, const char *path, const char *folder, bool takes_old, ws_error *error)
{
    ws_arena arena = {0};
    path = behind_link(&arena, path);
    ws_store *store = ws_store_new(path, folder);
    path = store->path;
    ws_arena_free(&arena);
    ws_store_writer *w = store->writer = ws_alloc(sizeof *w);
    store->free_writer = free_writer;
    *w = (ws_store_writer){.lock_fd = -1, .published = time(NULL)};
    w->part = ws_store_part_path(&store->arena, path);
    w->joined = ws_store_joined_path(&store->arena, path);
    w->lock_path = ws_store_lock_path(&store->arena, path);
    ws_status status = takes_old ? WS_OK : check_replaced(path, error);
    if (status == WS_OK)
        status = check_unfinished(path, error);
    if (status == WS_OK)
        status = lock(w, path, error);
    if (status == WS_OK) { /* of a writer that was killed; those of before wrote a journal, too */
        unlink(w->part);
        unlink(w->joined);
        unlink(ws_arena_printf(&store->arena, "%s-journal", w->part));
    }
    bool is_there = takes_old && access(path, F_OK) == 0;
    if (status == WS_OK && is_there)
        status = ws_store_open_database(&store->db, path, error);
    if (status == WS_OK && is_there)
        status = check_old(store, error);
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

bool ws_store_has_old(const ws_store *store)
{
    return store && store->db;
}

ws_status ws_writer_put_in_place(ws_store *store, ws_error *error)
{
    ws_store_writer *w = store->writer;
    ws_writer_exec(store, "COMMIT");
    ws_error failure = w->error;
    bool failed = w->failed;
    writer_close_database(w);
    if (failed) {
        *error = failure;
        return failure.status;
    }
    ws_status status = check_unfinished(store->path, error); /* since this one began */
    if (status != WS_OK)
        return status;
    bool is_whole = sync_path(w->part, 0);
    struct stat old; /* whose permissions hold on; some file systems have none */
    if (is_whole && stat(store->path, &old) == 0)
        chmod(w->part, old.st_mode & 0777);
    if (!is_whole || rename(w->part, store->path) != 0 || !sync_folder_of(store->path))
        return ws_fail_at(error, WS_IO, store->path, 0, "cannot be written: %s", strerror(errno));
    return WS_OK;
}

bool ws_writer_is_to_publish(const ws_store *store)
{
    enum { EVERY_S = 300 };
    return !store->writer->goes_on && time(NULL) - store->writer->published >= EVERY_S;
}

void ws_writer_publish(ws_store *store)
{
    ws_store_writer *w = store->writer;
    ws_status status = ws_writer_put_in_place(store, &w->error);
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

/* The next part begins as what was written so far, and as what was there before. */
static ws_status go_on(ws_store *store)
{
    ws_store_writer *w = store->writer;
    if (rename(w->part, w->joined) != 0)
        return ws_fail_at(&w->error, WS_IO, w->joined, 0, "cannot be written: %s", strerror(errno));
    ws_status status = ws_store_open_database(&store->db, w->joined, &w->error);
    if (status == WS_OK)
        status = ws_store_load(store, &w->error);
    return status == WS_OK ? copy_file(w->joined, w->part, &w->error) : status;
}

void ws_store_go_on(ws_store *store, const char *folder)
{
    ws_store_writer *w = store->writer;
    store->folder = ws_arena_strdup(&store->arena, folder);
    ws_writer_exec(store, "COMMIT");
    writer_close_database(w);
    w->failed = w->failed || go_on(store) != WS_OK;
    w->goes_on = true;
    if (!w->failed)
        writer_open(store);
}

void ws_store_go_back(ws_store *store)
{
    ws_store_writer *w = store->writer;
    if (w->failed)
        return;
    writer_close_database(w);
    if (rename(w->joined, w->part) != 0) {
        ws_fail_at(&w->error, WS_IO, w->part, 0, "cannot be written: %s", strerror(errno));
        w->failed = true;
        return;
    }
    writer_open(store);
}

int64_t ws_writer_number(sqlite3 *db, const char *sql)
{
    sqlite3_stmt *row = NULL;
    int64_t number = 0;
    if (sqlite3_prepare_v2(db, sql, -1, &row, NULL) == SQLITE_OK && sqlite3_step(row) == SQLITE_ROW)
        number = sqlite3_column_int64(row, 0);
    sqlite3_finalize(row);
    return number;
}

void ws_writer_compact(ws_store *store)
{
    ws_store_writer *w = store->writer;
    if (w->failed ||
        ws_writer_number(w->db, "PRAGMA freelist_count") * 4 < ws_writer_number(w->db, "PRAGMA page_count"))
        return;
    ws_writer_exec(store, "COMMIT");
    ws_writer_exec(store, "VACUUM");
    ws_writer_exec(store, "BEGIN");
}
