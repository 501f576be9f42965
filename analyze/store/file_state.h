/* Is a file still the one that was read? Size and time of the last change decide. */
#ifndef WS_ANALYZE_FILE_STATE_H
#define WS_ANALYZE_FILE_STATE_H

#include "core/name_index.h"

#include <stdbool.h>
#include <stdint.h>

struct ws_input;

typedef struct ws_file_state {
    bool is_there; /* a regular file, or one inside an archive, whose state is that of the archive */
    bool is_packed;
    int64_t size, mtime_ns;
    int64_t ctime_ns, inode; /* hints */
    int64_t seen_ns;         /* when this was looked at */
} ws_file_state;

ws_file_state ws_file_state_of(const char *path);

/* A file that is read: as it was before its first byte and after its last. Asking the open file costs a fraction of
 * asking for its path. */
typedef struct ws_file_looks {
    ws_file_state before, after;
} ws_file_looks;
void ws_file_looks_open(ws_file_looks *looks, const struct ws_input *input, int64_t since_ns); /* opened since then */
void ws_file_looks_end(ws_file_looks *looks, const struct ws_input *input);
int64_t ws_file_state_now(void);

/* A change leaves its mark in the times, but for one that comes so soon after another that both have one time. Where
 * the time has whole seconds, as on some file systems and out of archives, it may have been set: then that of the inode
 * counts, which nobody sets. Where this is another one and the inode the same, the file has been touched, whatever its
 * own time says; another inode is that of a copy. */
#define WS_SETTLED_NS INT64_C(2000000000)

typedef enum ws_file_change {
    WS_FILE_SAME,   /* surely */
    WS_FILE_UNSURE, /* of the same size: the content has to tell */
    WS_FILE_CHANGED
} ws_file_change;

/* Nothing has touched it: not a byte, and none of the times that are kept of it. */
bool ws_file_state_is_untouched(const ws_file_state *then, const ws_file_state *now);

ws_file_change ws_file_state_compare(const ws_file_state *then, const ws_file_state *now);

/* The inodes of files that were read. Where one of them stands under the name of another file, it has been renamed: no
 * time tells that of two files that were changed at once. */
void ws_inodes_add(ws_name_index *inodes, const ws_file_state *state);
bool ws_inodes_moved(const ws_name_index *inodes, const ws_file_state *then, const ws_file_state *now);

/* Could another change have the same time as the last one? Then the content has to be remembered, too. */
bool ws_file_state_is_settled(const ws_file_state *state);

#endif
