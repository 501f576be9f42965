/* Files that are read as one, and what they were when they were asked for. */
#ifndef WS_ANALYZE_READ_UNIT_H
#define WS_ANALYZE_READ_UNIT_H

#include "analyze/store/file_state.h"
#include "analyze/measure/pack.h"
#include "core/sha256.h"

#include <stddef.h>

/* Zeroed but for the first three, and freed by ws_read_unit_free, which leaves `log` to its owner. */
typedef struct ws_read_unit {
    const char *const *paths; /* as opened, borrowed */
    size_t n;
    char key[WS_SHA256_TEXT]; /* how they are read: unit_key.h */
    ws_file_state *before;    /* each of them when it was asked for, or opened; NULL: it was not */
    const char **formats;     /* that they were read as, for ws_store_keep to know; static texts or NULL */
    ws_packed log;            /* of a single file that may grow: what to keep beside its record; none: n = 0 */
    bool went_on;             /* it was read on from such */
    bool was_same;            /* it was looked at after it was read, and had not changed */
    bool is_opened_once;      /* its only file, which is looked at when it is opened, and again before it is closed */
    ws_file_state after;      /* this one, when it had been read */
    bool is_again;            /* its files were read one by one before, and are counted */
} ws_read_unit;
void ws_read_unit_free(ws_read_unit *unit);

/* Looks at the files, also once more before they are read again. */
void ws_read_unit_look(ws_read_unit *unit);
/* The same without looking: who reads or gives them says what they were. */
void ws_read_unit_expect(ws_read_unit *unit);
void ws_read_unit_take_looks(ws_read_unit *unit, const ws_file_looks *looks); /* of one that is opened once */

/* They were read: have they changed meanwhile? Has the i-th? */
bool ws_read_unit_file_has_changed(const ws_read_unit *unit, size_t i);
bool ws_read_unit_has_changed(const ws_read_unit *unit);
/* The same of what their paths lead to by now. */
bool ws_read_unit_is_another_now(const ws_read_unit *unit);

#endif
