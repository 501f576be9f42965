/* What proves that files of the same time, whose names differ in one place only, are of one run: each that of a node or
 * of a rank. Runs side by side look the same otherwise: seeds on the GPUs of a node, tasks of an array of jobs. */
#ifndef WS_ANALYZE_PATH_PROOF_H
#define WS_ANALYZE_PATH_PROOF_H

#include "analyze/ingest/scan_file.h"

/* Kinds of proof as bits: each has to hold for every group of files that would be a run. */
typedef struct ws_path_proof {
    const ws_scan_file *all;
    size_t n_all, depth, part;
    bool is_host; /* the place holds names of the shape of hosts */
    unsigned holding;
    uint64_t counts;          /* numbers of the path that count the files of every group, bits in their order */
    size_t fewest, largest;   /* files of all groups */
    size_t groups;            /* of two files and more */
    size_t least, most;       /* files of a group; those of one file count where the path says that they have one GPU */
    const ws_scan_file *last; /* of the group before */
} ws_path_proof;

/* The place is `part` of the segment `depth`; `all` are the campaign's files, with those that lie beside runs. */
void ws_path_proof_begin(ws_path_proof *proof, const ws_scan_file *all, size_t n, size_t depth, size_t part,
                         bool is_host);

/* The next group: files that agree in all but the place. Their readings are known. */
void ws_path_proof_add(ws_path_proof *proof, ws_scan_file *const *files, size_t n);

bool ws_path_proof_holds(const ws_path_proof *proof);

/* Does every path say in a word that there are as many nodes as files? Then each is that of a node. */
bool ws_path_proof_says_nodes(const ws_path_proof *proof);

/* Is it proven by nothing but that there are as many files as each of them holds GPUs? Then they are those of ranks. */
bool ws_path_proof_says_ranks(const ws_path_proof *proof);

/* Does the path state the number of a job? Bare numbers have no field names yet when host names are examined. */
bool ws_path_is_of_job(const ws_scan_file *file);

#endif
