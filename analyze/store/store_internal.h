/* What reading and writing a store share. */
#ifndef WS_ANALYZE_STORE_INTERNAL_H
#define WS_ANALYZE_STORE_INTERNAL_H

#include "analyze/store/store.h"
#include "core/name_index.h"
#include "core/text.h"

#include <pthread.h>
#include <sqlite3.h>
#include <stdatomic.h>
#include <string.h>

/* Of the tables below; a store of another one is refused. docs/store.md describes it. */
enum { WS_STORE_VERSION = 4, WS_STORE_APPLICATION = 0x57535354 /* "WSST" */ };

/* The tables that the program reads, as SQLite keeps their text: a store in which they are anything else is none. */
#define WS_STORE_INPUTS                                                                                        \
    "CREATE TABLE inputs(id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, size INTEGER NOT NULL, "           \
    "mtime_ns INTEGER NOT NULL, ctime_ns INTEGER NOT NULL, inode INTEGER NOT NULL, seen_ns INTEGER NOT NULL, " \
    "sha256 TEXT, format TEXT, sum INTEGER)"
#define WS_STORE_RECORDS                                                                                             \
    "CREATE TABLE records(id INTEGER PRIMARY KEY, input INTEGER NOT NULL, key TEXT NOT NULL, others TEXT NOT NULL, " \
    "body BLOB NOT NULL, UNIQUE(input, key, others))"
#define WS_STORE_SCAN "CREATE TABLE scan(id INTEGER PRIMARY KEY, facts BLOB NOT NULL)" /* scan_memory.h; one row */
#define WS_STORE_META "CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL)"

typedef struct stored_input {
    int64_t id;
    const char *path; /* below the campaign's folder, or from the root */
    ws_file_state state;
    const char *sha256, *format; /* "" where they are not known */
    _Atomic int verdict;         /* a ws_file_change + 1, once it was looked at */
    ws_file_state judged;        /* what it was then */
    const char *learnt;          /* a SHA-256 that this process computed; NULL for none */
    bool is_dropped, is_kept;    /* by a writer: its old records are gone; it has new ones, */
    bool is_read;                /* and not only together with other files, as that may be again */
} stored_input;

typedef struct stored_record {
    int64_t id, input;
    const char *key, *others; /* others: the inputs behind the first, "17,18" */
} stored_record;

typedef struct stored_body {
    int64_t id;
    ws_packed body; /* without bytes: none is here */
} stored_body;

/* Records in the order of their rows. Several threads ask for one after the other, nearly in that order: what is passed
 * over for one of them waits for another one, at its number % WS_STORE_BODIES. */
enum { WS_STORE_BODIES = 32, WS_STORE_BODIES_BYTES = 1 << 17 };
typedef struct stored_bodies {
    sqlite3_stmt *row; /* of the records from one on */
    int64_t row_id;    /* where it stands; 0: nowhere */
    stored_body waiting[WS_STORE_BODIES];
    size_t n_bytes; /* of those */
} stored_bodies;

struct ws_store {
    char *path, *folder;
    sqlite3 *db; /* NULL: nothing was there before */
    stored_bodies bodies;
    stored_input *inputs; /* by path */
    size_t n_inputs, input_capacity;
    stored_record *records; /* by input, key and others */
    size_t n_records, record_capacity;
    pthread_mutex_t judging; /* of the verdicts of inputs, and of: */
    ws_name_index inodes;    /* of the inputs, once somebody has asked */
    pthread_mutex_t lock;    /* of everything below and of `bodies` */
    ws_arena arena;
    int64_t n_text; /* bytes of texts that were read */
    bool has_learnt, verifies;
    struct ws_store_writer *writer; /* NULL: it is read only */
    void (*free_writer)(ws_store *store);
};

ws_status ws_store_fail(ws_error *error, sqlite3 *db, const char *path, const char *what);
ws_status ws_store_fail_damaged(ws_error *error, const char *path);
stored_input *ws_store_find_input(const ws_store *store, const char *path);       /* `path` as in the store; NULL */
bool ws_store_input_is_same(const stored_input *input, const ws_file_state *now); /* as it was read, by its verdict */
ws_store *ws_store_new(const char *path, const char *folder);

/* Opens a database that somebody else may have written: nothing in it is run, and no value is larger than `limit`. */
ws_status ws_store_open_database(sqlite3 **db, const char *path, ws_error *error);
ws_status ws_store_load(ws_store *store, ws_error *error); /* inputs and records of store->db */

/* The key of what is kept of a log beside the record with this key. */
void ws_store_log_key(const char *key, char log_key[WS_SHA256_TEXT]);

/* What a record ends with: a byte a file, the number of the format that it was read as, and a seal: which files it is
 * of, and how they are read. Numbers of rows that are damaged may lead from a file to the record of another one, which
 * is whole. */
enum { WS_STORE_SEAL = 16 };
unsigned char ws_store_format_number(const char *name); /* a format's own name, or NULL */
void ws_store_seal(const ws_store *store, const ws_read_unit *unit, const char *key, const unsigned char *formats,
                   char seal[WS_SHA256_TEXT]);

/* What inputs.sum holds where there is a SHA-256: nothing else would tell a damaged one. */
int64_t ws_store_sum(const char *path, int64_t size, const char *sha256);

/* A path, or what may hold one: bytes that are no UTF-8 as such, since a TEXT of them is refused by many programs. */
static inline void ws_store_bind_bytes(sqlite3_stmt *statement, int at, const char *text)
{
    if (ws_span_is_utf8(ws_span_of(text)))
        sqlite3_bind_text(statement, at, text, -1, SQLITE_STATIC);
    else
        sqlite3_bind_blob(statement, at, text, (int)strlen(text), SQLITE_STATIC);
}

/* Which record a statement is about, in its first three parameters. */
static inline void ws_store_bind_record(sqlite3_stmt *statement, int64_t input, const char *key, const char *others)
{
    sqlite3_bind_int64(statement, 1, input);
    sqlite3_bind_text(statement, 2, key, -1, SQLITE_STATIC);
    sqlite3_bind_text(statement, 3, others, -1, SQLITE_STATIC);
}

/* Writing. */
/* Its id in the new store. */
int64_t ws_writer_set_input(ws_store *store, const char *path, const ws_file_state *state, const char *sha256,
                            const char *format);
void ws_writer_add_record(ws_store *store, int64_t input, const char *key, const char *others, const void *body,
                          size_t n);
bool ws_store_copy_body(ws_store *store, int64_t id, ws_packed *record);      /* the bytes are the caller's */
const char *ws_store_get_meta(ws_store *store, sqlite3 *db, const char *key); /* NULL without */
sqlite3 *ws_writer_database(ws_store *store);                                 /* NULL after a failure */

#endif
