/* A file as scan sees it: its path part by part, what became of each part, and what its readings say. */
#ifndef WS_ANALYZE_SCAN_FILE_H
#define WS_ANALYZE_SCAN_FILE_H

#include "analyze/ingest/path_parts.h"
#include "analyze/mpi_ranks.h"
#include "analyze/scan_memory.h"

#include <stddef.h>
#include <stdint.h>

/* A field that a file of settings beside the run says. */
typedef struct ws_scan_setting {
    const char *field, *value;
    const char *source; /* "overrides.yaml" */
    bool is_known;      /* one of the known words, or said on a command line */
} ws_scan_setting;

/* Patterns that answer whether files of the same time are of one run. */
typedef struct ws_scan_answers {
    /* Of one run, each file of a node, or of a rank (a GPU, a part of a log); or each of its own run. NULL: that is not
     * asked, or no pattern takes all of the files. */
    const char *nodes, *ranks, *several;
    bool is_of_names; /* the names of the files say nothing of it; else `names` has the open part */
} ws_scan_answers;

/* A file that is a run's or lies beside one. The caller fills everything except `parts` and `names`. */
typedef struct ws_scan_file {
    const char *path;   /* relative to the campaign's folder */
    const char *format; /* its name */
    bool is_side;       /* no run's own: a part of its name gives no name to those of runs */
    bool is_literal;    /* and the texts of its name stay as they are */
    ws_parted_path parts;
    bool is_by_pattern;
    uint64_t settings_hash; /* of known settings in the files of settings of its folder; 0: there is none */

    ws_file_span span;  /* what the readings say, where ws_path_fields asked for it */
    ws_scan_fact *fact; /* takes that for the next time; NULL: nobody does */

    const char ***names; /* of each segment's parts: the field that it became, or NULL where it stays as it is */

    /* Files of the same time differ in this part, and nothing proves whether they are of one run (the part is then a
     * node, a rank or a GPU, as `one_run` says) or runs of their own, as `names` has it. NULL: nothing is open. */
    const char *one_run;
    size_t open_depth, open_part;
    bool is_alone; /* others of its place are open; at its time it is the only one, and a run whatever its name means */
    ws_scan_answers answers;
    bool is_beside; /* of one run with others of its folder, though no path says a field */

    const char *rule_field, *rule_value; /* words of its rule that stand in no field and tell runs apart; NULL: none */

    ws_scan_setting *beside; /* of its run, what no path says */
    size_t n_beside, beside_capacity;
} ws_scan_file;

/* The rule that takes the file: "{series}_{gpus}gpu_bs{batch}_rep{repeat}/gpu.csv". */
const char *ws_path_pattern(ws_arena *arena, const ws_scan_file *file);

/* A pattern that matches exactly this name: its braces are escaped. */
const char *ws_pattern_literal(ws_arena *arena, const char *text);

/* What answers the question that the file opens (`one_run` is not NULL). */
ws_scan_answers ws_answers_of(ws_arena *arena, const ws_scan_file *file);

/* The file's value of a field; NULL where it has none. */
const char *ws_path_value(const ws_scan_file *file, const char *field);

/* The same of a field that a path or a file of settings says. */
const char *ws_scan_value(const ws_scan_file *file, const char *field);

/* Has its path any field? */
bool ws_scan_has_fields(const ws_scan_file *file);

/* The fields of the file's run as one text, "gpus=4|repeat=1|": files of one run agree in it. "": its path has none. */
const char *ws_scan_run_key(ws_arena *arena, const ws_scan_file *file);

/* What lies beside the path says so, unless the path or something else does already. */
void ws_scan_add_setting(ws_arena *arena, ws_scan_file *file, const ws_scan_setting *setting);

/* Reads the file of settings, which lies in `folder`, and gives what it says to those of the files whose run it belongs
 * to: they share every field that is read off its path, and one at least, or there is one run alone. */
void ws_read_settings(const char *folder, ws_arena *arena, const ws_scan_file *settings, ws_scan_file *files, size_t n,
                      bool is_one_run);

/* Adds what the file of settings says in known words to the hashes of the files of its folder and of those below. */
void ws_hash_settings(const char *folder, ws_arena *arena, const ws_scan_file *settings, ws_scan_file *files, size_t n);

/* The names of jobs in a dump of sacct, for files whose path says the job, as the field `name`. */
void ws_read_job_names(const char *folder, ws_arena *arena, const ws_scan_file *records, ws_scan_file *files, size_t n);

/* Fills what the readings of the files say, once for each file, except for those beside runs. All ranks read. */
void ws_read_scan_files(const char *folder, unsigned threads, ws_scan_file **files, size_t n);

/* What a rank does for it. */
void ws_rank_read_scan_file(const unsigned char *request, size_t n, unsigned threads, ws_rank_answer *answer);

#endif
