/* A record: what reading some files came to, before the meters are finished, as bytes that a store, a shard or another
 * process can keep and hand on. Unpacked, it is the same to the last bit.
 *
 * A record is little-endian on every machine, begins with its version and its length and ends with a checksum. One that
 * is cut, damaged or of another version is refused, and its files are read again. It holds no option of the reading
 * and no path: who keeps it says by a key which files it was read from and how, and names both again to unpack it.
 */
#ifndef WS_ANALYZE_PACK_H
#define WS_ANALYZE_PACK_H

#include "analyze/measure/measure.h"

/* Of the layout below; raised where pack_fields_internal.h or packer.c changes it. What readers and meters put into it
 * is a matter of the key. */
enum { WS_RECORD_VERSION = 30 };

/* What the reading of the files of one unit came to. Texts that hold one of the paths follow the files to another
 * folder. */
typedef struct ws_record {
    const char *const *paths; /* as they are named now, borrowed */
    size_t n_paths;
    ws_measure **measures; /* one, or one for each window; initialised with their options, and flushed */
    size_t n_measures;
    ws_notes *notes;
    uint64_t damaged; /* files that could not be read to their end */
} ws_record;

typedef struct ws_packed {
    unsigned char *bytes; /* to be freed */
    size_t n;
} ws_packed;

/* False, and nothing is packed, where a text was cut to its room, so that another folder would have cut it elsewhere.
 */
bool ws_record_pack(const ws_record *record, ws_packed *packed);

/* Fills the measures, which must have been initialised with the options of the packed ones, adds to the notes and sets
 * `damaged`. False: the bytes are no such record; the measures are then to be freed, and the notes are as before. */
bool ws_record_unpack(ws_record *record, const unsigned char *bytes, size_t n);

#endif
