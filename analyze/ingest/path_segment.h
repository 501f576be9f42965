/* What the name of one folder or file says by itself, part by part. */
#ifndef WS_ANALYZE_PATH_SEGMENT_H
#define WS_ANALYZE_PATH_SEGMENT_H

#include "analyze/ingest/name_words.h"
#include "core/arena.h"

enum { WS_JOB_DIGITS = 5 }; /* a bare number with at least this many digits is a job number */

typedef enum ws_part_kind {
    WS_PART_TEXT = 0, /* a name: resnet50, vit-b16, 4096x4096 */
    WS_PART_NUMBER,   /* a number that nothing names */
    WS_PART_FIELD,    /* a number beside a word that is known, or name=value */
    WS_PART_DATE,     /* 20260418_230816, 2026-04-18 */
    WS_PART_ROTATION  /* the number behind the name of a log that was rotated: power.log.1 */
} ws_part_kind;

typedef struct ws_part {
    ws_part_kind kind;
    const char *before; /* the text between the value before and this one: separators and words, "_bs" */
    const char *value;
    const char *field;   /* of a FIELD: what the word means; else NULL */
    const char *of_file; /* and what it means where files cover the same time; or NULL */
    bool is_named;       /* name=value */
    bool is_weak;        /* its word is one letter */
} ws_part;

/* A folder, or the file: "resnet50_4gpu_bs256_rep1", "gpu.csv". */
typedef struct ws_path_segment {
    ws_part *parts;
    size_t n;
    const char *after; /* behind the last value: "gpu", ".csv"; the whole where there is no part */
} ws_path_segment;

/* Reads the first `parted` of the n bytes; behind `rotation`, where it is not 0, stands the number of a log that was
 * rotated. `splits` (NULL: none) marks each byte at which a dash parts a number from a name though others signs part
 * names. Everything lies in the arena. */
ws_path_segment ws_read_segment(ws_arena *arena, const char *text, size_t n, size_t parted, size_t rotation,
                                const bool *splits);

#endif
