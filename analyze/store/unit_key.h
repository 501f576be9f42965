/* How files are read, as a key: everything that decides what their record holds, but not where they lie. Files with the
 * same content that are read under the same key give the same record. */
#ifndef WS_ANALYZE_UNIT_KEY_H
#define WS_ANALYZE_UNIT_KEY_H

#include "analyze/measure/cutter.h"
#include "analyze/source.h"
#include "core/sha256.h"

enum { WS_KEY_BYTES = 512 }; /* more than a file by itself has */

typedef struct ws_unit_key {
    ws_sha256 hash;
    unsigned char bytes[WS_KEY_BYTES]; /* not hashed yet */
    size_t n;
    bool is_long; /* some bytes are hashed already */
} ws_unit_key;

/* Readers and meters as this program has them, and the options of the measure. What ws_measure_finish alone uses (the
 * column, sensors, the verdict) does not count. */
void ws_unit_key_begin(ws_unit_key *key, const ws_measure_options *options);
/* Then each file in order, with its options as resolved for it, and its node. */
void ws_unit_key_add_file(ws_unit_key *key, const ws_source_options *options, const char *node);
void ws_unit_key_add_window(ws_unit_key *key, const ws_cut *cut); /* then the windows */
void ws_unit_key_add_word(ws_unit_key *key, const char *word);    /* what else tells units apart */
const char *ws_reader_revision(void);                             /* of the readers and meters of this program */
void ws_unit_key_end(ws_unit_key *key, char text[WS_SHA256_TEXT]);

#endif
