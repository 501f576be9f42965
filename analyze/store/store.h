/* What was read of a campaign's files, kept beside it in campaign.wattscale, an SQLite database (docs/store.md): one
 * record a unit, which is what is read as one - a file, or the files of a run that belong together.
 *
 * A store is never changed in place. It is opened to be read, or it is written: then the old one stays as it is until
 * ws_store_finish puts the new one in its place. Who reads files asks the store first, by ws_store_recall, and hands
 * it what it had to read, by ws_store_keep; both from any thread. A NULL store knows nothing and keeps nothing. */
#ifndef WS_ANALYZE_STORE_H
#define WS_ANALYZE_STORE_H

#include "analyze/measure/pack.h"
#include "analyze/store/read_unit.h"
#include "core/sha256.h"
#include "core/status.h"
#include "core/table.h"

#define WS_STORE_NAME "campaign.wattscale" /* beside the campaign */

typedef struct ws_store ws_store;

/* Does this program know SQLite? */
bool ws_store_is_built_in(void);

/* Is it a database of SQLite, by its first bytes? */
bool ws_store_is(const char *path);
/* And of wattscale, of whatever version and however damaged behind its head? */
bool ws_store_is_ours(const char *path);

/* The campaign that the store is of: the folder in which it lies where a file of it lies there, or its campaign.json;
 * else the one that it names; of a description of another name, that file there. In the arena. */
ws_status ws_store_campaign(const char *path, ws_arena *arena, const char **campaign, ws_error *error);

/* Opens the store at `path` of the campaign in `folder` for reading. WS_FORMAT: it is no store, one of another version
 * or damaged; WS_IO: it cannot be read; the message says what to do. */
ws_status ws_store_open(ws_store **store, const char *path, const char *folder, ws_error *error);
void ws_store_close(ws_store *store); /* NULL too; what was not finished is dropped */

/* Gives the record that was read of these files, if they still are what they were, and their formats in the unit. The
 * caller frees the bytes. */
bool ws_store_recall(ws_store *store, ws_read_unit *unit, ws_packed *record);

/* Gives what was kept of the unit's only file beside its record when it was shorter (ws_read_unit.log), and was read in
 * the same way. Whether it is the same file up to there the caller has to find out. The caller frees the bytes. */
bool ws_store_recall_log(ws_store *store, const ws_read_unit *unit, ws_packed *log);

/* What is kept of the campaign's folder (scan_memory.h). The caller frees the bytes. False: there is none. */
bool ws_store_read_scan(const char *path, ws_packed *facts);

/* From now on no size and no time counts: the content of each file has to be that of before, by its SHA-256, and of
 * each file that is kept the store gets it. */
void ws_store_verify(ws_store *store);

/* Would ws_store_recall give one? */
bool ws_store_has(ws_store *store, ws_read_unit *unit);

/* Is this store being written? Did it begin as an older one? */
bool ws_store_keeps(const ws_store *store);
bool ws_store_has_old(const ws_store *store);

/* Keeps what was read of the unit, its record and its log, if its files have not changed meanwhile. */
void ws_store_keep(ws_store *store, const ws_read_unit *unit, const ws_packed *record);

/* What is known of a file of a recalled unit: its size and SHA-256 ("" where it is not known). False: nothing. Texts
 * are good until the store is closed. */
bool ws_store_about(const ws_store *store, const char *path, uint64_t *size, const char **sha256);

/* The SHA-256 of such a file, for the next who asks; ws_store_keep_hashes puts what was learnt into the store, if
 * nobody else is writing it. */
void ws_store_learn(ws_store *store, const char *path, const char *sha256);
void ws_store_keep_hashes(ws_store *store);

/* --- writing --- */

/* Begins to write the store at `path`: it takes over what is in the one that is there. One at a time writes: WS_IO
 * where another process does, WS_FORMAT as in ws_store_open. */
ws_status ws_store_begin(ws_store **store, const char *path, const char *folder, ws_error *error);
/* The same, without what is in the one that is there. */
ws_status ws_store_begin_empty(ws_store **store, const char *path, const char *folder, ws_error *error);

/* The files beside `path` that a killed writer leaves; the next one removes them. In the arena. */
const char *ws_store_part_path(ws_arena *arena, const char *path);
const char *ws_store_joined_path(ws_arena *arena, const char *path); /* of one that goes on */
const char *ws_store_lock_path(ws_arena *arena, const char *path);

/* SHA-256 of all of a file. False, and that of nothing: it cannot be read. */
bool ws_store_hash_file(const char *path, char sha256[WS_SHA256_TEXT]);

/* A table for people, by its name; replaces the one that is there. `key`: the column of integers by which its rows are
 * found, none twice; NULL: there is none. */
void ws_store_set_table(ws_store *store, const ws_table *table, const char *key);
void ws_store_add_rows(ws_store *store, const ws_table *table); /* more rows for it, of the same columns; any thread */
void ws_store_drop_table(ws_store *store, const char *name);    /* if there is one */
void ws_store_rename_table(ws_store *store, const char *from, const char *to); /* replaces what has that name */
void ws_store_add_view(ws_store *store, const char *name, const char *select);
void ws_store_set_scan(ws_store *store, const ws_packed *facts); /* n = 0: there is nothing to keep */
void ws_store_set_meta(ws_store *store, const char *key, const char *value);
const char *ws_store_meta(ws_store *store, const char *key); /* of the one that was there; NULL without */

const char *ws_store_written_meta(ws_store *store, const char *key); /* of the one that is being written */

/* The path of a file as a store has it: below the campaign's folder, which is ".". The text may go on behind it. */
const char *ws_store_relative(const ws_store *store, const char *path);

/* Is there anything below the campaign's folder whose path begins as that of the folder does ("c/c")? */
bool ws_store_holds_its_name(const ws_store *store);

typedef struct ws_store_counts {
    /* Files; went_on: of those read the ones whose new lines alone were read; gone: in the store, and no longer there
     */
    size_t inputs, recalled, read, went_on, gone;
} ws_store_counts;

/* Puts the new store into its place. With `prune` it forgets files that are not there any more. On failure the old one
 * stays, and *error says why. */
ws_status ws_store_finish(ws_store *store, bool prune, ws_store_counts *counts, ws_error *error);

/* What was written into an empty store is from now on what was there before, of the campaign in `folder`: recall gives
 * it, and what is written goes behind it. Nothing is in place yet. A failure is told by ws_store_finish. */
void ws_store_go_on(ws_store *store, const char *folder);
void ws_store_go_back(ws_store *store); /* to what it was then: nothing that was written since is kept */

/* Takes in the files and records of another store of the same campaign. Of files that have changed between them, if
 * any (*has_changed), what was read last stays. WS_DATA: both have read the same file, and differently. */
ws_status ws_store_merge(ws_store *into, const char *path, bool *has_changed, ws_error *error);

#endif
