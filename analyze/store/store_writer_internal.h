/* A store that is being written. */
#ifndef WS_ANALYZE_STORE_WRITER_INTERNAL_H
#define WS_ANALYZE_STORE_WRITER_INTERNAL_H

#include "analyze/store/store_internal.h"

#include <time.h>

/* A record of the old store and one of its files. */
typedef struct stored_member {
    int64_t input;
    const stored_record *record;
} stored_member;

/* What was read of a unit, on its way into the new store: a copy with texts of its own. */
typedef struct kept_unit {
    ws_read_unit unit;            /* without its log */
    char (*sums)[WS_SHA256_TEXT]; /* of each of its files, "" where it was not computed */
    size_t record_end, log_end;   /* in the bytes that wait: the record with its seal, and behind it that of the log */
} kept_unit;

typedef struct ws_store_writer {
    const char *part, *joined, *lock_path; /* joined: the part from which ws_store_go_on went on */
    int lock_fd;                           /* -1: not held */
    sqlite3 *db;                           /* the new one */
    sqlite3_stmt *new_input, *set_input, *add_record, *drop_record;
    stored_member *members; /* by input; NULL: nobody has asked yet */
    size_t n_members, member_capacity;
    kept_unit *waiting; /* to be written together */
    size_t n_waiting, waiting_capacity;
    unsigned char *bytes; /* of their records, one behind the other */
    size_t n_bytes, byte_capacity;
    ws_arena waiting_arena;
    bool failed;    /* from then on all of this does nothing */
    ws_error error; /* the first */
    time_t published;
    bool goes_on; /* from w->joined: nothing is put in place before all of it is there */
    ws_store_counts counts;
} ws_store_writer;

/* --- statements for the new database; a failure stays in the writer --- */

void ws_writer_exec(ws_store *store, const char *sql);
void ws_writer_prepare(ws_store *store, const char *sql, sqlite3_stmt **statement);
/* Runs a statement to its first row or its end; the caller resets it. */
void ws_writer_step(ws_store *store, sqlite3_stmt *statement);
void ws_writer_run(ws_store *store, sqlite3_stmt *statement); /* to its end, and resets it */
int64_t ws_writer_number(sqlite3 *db, const char *sql);       /* its first number; 0 without */

/* --- the new file --- */

/* It is whole, and takes the place of the old one. */
ws_status ws_writer_put_in_place(ws_store *store, ws_error *error);
/* Every few minutes what was read so far is put in place, for those who read meanwhile and in case that this process is
 * killed. */
bool ws_writer_is_to_publish(const ws_store *store);
void ws_writer_publish(ws_store *store);
/* Pages that changed files have left empty are given back when they are a good part of the store. */
void ws_writer_compact(ws_store *store);

#endif
