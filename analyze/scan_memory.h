/* What each file of a folder without a description was found to be, so that none has to be read again to understand
 * the folder: kept in its store (docs/store.md), and good for files that have not changed since. */
#ifndef WS_ANALYZE_SCAN_MEMORY_H
#define WS_ANALYZE_SCAN_MEMORY_H

#include "analyze/measure/pack.h"
#include "analyze/store/file_state.h"
#include "core/arena.h"
#include "core/name_index.h"
#include "formats/format.h"

/* What the readings of a trace say of the file that holds them. */
typedef struct ws_file_span {
    bool is_read; /* else nothing of it is known */
    bool is_dated;
    int64_t start_ns, end_ns;
    double undated_ns; /* how long its readings without dates last; 0: there are none */
    double period_ns;  /* mean, of the first channel that holds dates; 0: one reading */
    size_t gpus;
    char node[64];        /* that the file names inside, the same for all GPUs; or "" */
    int64_t only_gpu;     /* number of its GPU where it holds one alone; -1: several or none */
    uint64_t device_hash; /* of the identities of its GPUs that hold anywhere, as a uuid; 0: some have none */
} ws_file_span;

struct ws_packer;                                                /* measure/packer_internal.h */
void ws_file_span_pack(struct ws_packer *p, ws_file_span *span); /* but for is_read */

/* What it is, as its beginning says. */
typedef struct ws_file_head {
    const ws_format *format; /* NULL: no reader knows it */
    uint64_t run_hash;       /* of the beginning, end and name of the run that a log of MLPerf records; 0: none */
    bool is_constant;        /* holds a constant that somebody estimated, and no reading */
    bool is_run_table;       /* ExperimentRunner's */
    bool is_total;           /* a total that somebody summed up */
    bool is_mute;            /* a job's output that says nothing of the job but that there was one */
} ws_file_head;

typedef struct ws_scan_fact {
    const char *path; /* below the folder */
    ws_file_state state;
    ws_file_head head;
    ws_file_span span;
} ws_scan_fact;

/* {0} knows nothing. */
typedef struct ws_scan_memory {
    const char *store;   /* that knows of before; NULL: the one beside the campaign; "": none */
    ws_scan_fact *known; /* of before */
    size_t n_known, known_capacity;
    ws_name_index by_path, inodes;
    ws_scan_fact *found; /* now */
    size_t n_found;
    ws_arena arena;
} ws_scan_memory;

/* Takes in what the store at this path knows; nothing where there is none, or one of other readers. */
void ws_scan_memory_load(ws_scan_memory *memory, const char *store);

/* The facts of so many files, to be filled: ws_scan_recall takes those of before for the path in it. False: they are
 * not known, or the file has changed. Of a fact without a state nothing will be kept. */
ws_scan_fact *ws_scan_expect(ws_scan_memory *memory, size_t n);
bool ws_scan_recall(const ws_scan_memory *memory, const char *file, ws_scan_fact *fact);

/* What was found, as bytes for the store; the caller frees them. n = 0: there is nothing. They are unpacked to what is
 * known; of such as somebody else made what is sound comes in. */
ws_packed ws_scan_memory_pack(const ws_scan_memory *memory);
void ws_scan_memory_unpack(ws_scan_memory *memory, const ws_packed *packed);

void ws_scan_memory_free(ws_scan_memory *memory);

#endif
