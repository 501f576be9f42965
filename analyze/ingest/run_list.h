/* The runs of a campaign and their files, before they are read. */
#ifndef WS_ANALYZE_RUN_LIST_H
#define WS_ANALYZE_RUN_LIST_H

#include "analyze/measure/measure.h"
#include "analyze/folder_walk.h"
#include "analyze/ingest/run_columns.h"
#include "analyze/measure/measure_groups.h"
#include "analyze/source.h"
#include "formats/campaign.h"

/* Gets the devices of each run as soon as it has its row, in the order of the rows. */
typedef struct ws_device_taker {
    void (*take)(struct ws_device_taker *taker, size_t row, const ws_measure *measure, const ws_measure_group *of,
                 double wall_s);
    ws_run_marks marks; /* of these rows */
} ws_device_taker;

typedef struct ws_ingest_options {
    ws_source_options source; /* `read.columns` is a trace's column map, or for a table of runs the map of ws_tidy */
    ws_measure_options measure;
    /* What was read before (store/store.h). NULL: where `uses_store` is set, the store beside the campaign if there is
     * one, else none. */
    struct ws_store *store;
    bool uses_store;
    const char *store_path;       /* another one than that beside it, or NULL */
    size_t shard, n_shards;       /* only the runs of this part of the campaign, from 1 (shard.h); 0: all */
    unsigned threads;             /* over runs; 0 and 1: none but the calling one */
    struct ws_run_list *list;     /* gets the files of the runs, and the caller frees it; NULL: nobody needs them */
    struct ws_drawn_run *drawn;   /* gets the profiles of the run that is drawn (drawn_run.h); NULL: nobody draws */
    struct ws_history *history;   /* gets what explains the numbers of the runs (run_history.h); NULL: nobody asks */
    ws_device_taker *devices;     /* NULL: nobody asks for these */
    ws_table *sources;            /* gets the sources of each run's energies (measure/sources.h); NULL: not asked for */
    struct ws_seen_devices *seen; /* gets which devices the runs read (identity/seen_devices.h); NULL: not asked for */
    ws_fields set; /* fields of every run that its path or table does not give; they beat side files and counts */
    const char *about_traces;   /* an option that was given and that a table cannot use: WS_USAGE for one; or NULL */
    const char *about_verdicts; /* the same of one that a table without verdicts cannot use */
} ws_ingest_options;

/* A path below the campaign's folder as its rules see it: relative to the folder. */
const char *ws_campaign_path(const ws_campaign *campaign, const char *path);

/* A run cut out of continuous logs by a record. */
typedef struct ws_run_window {
    int64_t start_ns, end_ns; /* start < end */
    const char **nodes;
    size_t n_nodes; /* 0: all of the files' */
    ws_fields fields;
    size_t row;         /* of the record, from 1 */
    const char *record; /* its file, or NULL */
} ws_run_window;

/* Names a file and not its run: `node`, and `gpu` where it is a number of one or two digits ("3090" is a model). */
bool ws_field_is_of_file(const ws_field *field);

/* Files of one run: those that agree in every captured field but those. */
typedef struct ws_run_files {
    ws_fields fields;
    ws_fields settings; /* counts that files of settings beside it say, where nothing else does: gpus, nodes */
    const char *id;     /* unique among the runs */
    struct ws_run_file {
        const char *path; /* as opened */
        const char *node; /* captured, or "" */
        const ws_path_rule *rule;
    } * files;
    size_t n_files, capacity;
    ws_run_window *windows; /* the files are one continuous log, and these are the runs inside */
    size_t n_windows, window_capacity;
    bool gpus_grow; /* a run is described with fewer nodes and fewer GPUs: the GPUs are not those of each node */
} ws_run_files;

/* How a file is read: by `common`, and by what its path rule says of the format, the columns and the period. */
ws_source_options ws_run_file_options(const struct ws_run_file *file, const ws_source_options *common);

typedef struct ws_run_list {
    ws_input_register *inputs; /* takes the side files that are read, or NULL */
    ws_run_files *runs;
    size_t n, capacity;
    bool is_part;           /* the other runs of the campaign are read by somebody else */
    ws_file_list unmatched; /* files that no rule of any kind took */
    ws_file_list all;       /* every file below the folder */
    ws_arena arena;
} ws_run_list;
void ws_run_list_free(ws_run_list *list);

#endif
