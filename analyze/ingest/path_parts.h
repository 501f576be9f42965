/* What one path says by itself: the parts of its folders and of its file name. */
#ifndef WS_ANALYZE_PATH_PARTS_H
#define WS_ANALYZE_PATH_PARTS_H

#include "analyze/ingest/name_words.h"
#include "core/arena.h"

enum { WS_JOB_DIGITS = 5 }; /* a bare number of so many digits and more is that of a job */

typedef enum ws_part_kind {
    WS_PART_TEXT = 0, /* a name: resnet50, vit-b16, 4096x4096 */
    WS_PART_NUMBER,   /* a number that nothing names */
    WS_PART_FIELD,    /* a number beside a word that is known, or name=value */
    WS_PART_DATE,     /* 20260418_230816, 2026-04-18 */
    WS_PART_ROTATION  /* the number behind the name of a log that was rotated: power.log.1 */
} ws_part_kind;

typedef struct ws_part {
    ws_part_kind kind;
    const char *before; /* what stands between the value before and this one: separators and words, "_bs" */
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

typedef struct ws_parted_path {
    ws_path_segment *segments;
    size_t n;
} ws_parted_path;

/* Everything lies in the arena. Where a folder is called as those of Huber et al. 2025 (4g256b4w10e), the first one of the path is one
 * part, their series. */
ws_parted_path ws_path_parts(ws_arena *arena, const char *path);

/* Bytes of the path in front of what a program that rotates logs put behind its name: "power.log" of power.log.1, power.log.2.gz and
 * power.log-20260418; 0 where there is no such ending. */
size_t ws_path_before_rotation(const char *path);

/* "result_raw_3.txt" as "result_3.txt": the word and a sign beside it are left out. */
const char *ws_path_without_raw(ws_arena *arena, const char *text);

/* The path as a pattern takes it: each {field} is a part, the text between them stands before it. False where it does not match. */
bool ws_path_parts_by(ws_arena *arena, const char *pattern, const char *path, ws_parted_path *parted);

#endif
