/* How `wattscale energy` reads one file. */
#ifndef WS_COMMANDS_ENERGY_READ_H
#define WS_COMMANDS_ENERGY_READ_H

#include "analyze/commands/cli.h"
#include "analyze/commands/energy_table.h"
#include "analyze/commands/path_list.h"
#include "analyze/identity/identity.h"
#include "analyze/identity/same_data.h"
#include "analyze/measure/baseline.h"
#include "analyze/rank_request.h"
#include "analyze/regions/region_energy.h"

/* What is asked, and the rows so far. */
typedef struct ws_energy_job {
    const ws_cli *cli;
    ws_source_options source;
    ws_measure_options measure;
    ws_energy_grouping by;
    ws_path_list paths;
    ws_table table;
    size_t perun_columns;     /* the first of those of --rule perun */
    size_t read, read_before; /* files; read_before: of the earlier arguments */
    ws_baseline baseline;
    const char *region_file; /* of markers, or "perun"; NULL: no regions */
    ws_regions markers;
    bool wants_budget; /* the table is one of budgets */
    bool usage;        /* an option does not fit the files */
    bool has_energy;
    ws_seen_devices seen;
    ws_arena texts;
    const char **explanations; /* a line for each source without energy, which says why; in `texts` */
    size_t n_explanations, explanation_capacity;
    ws_rank_round *round;  /* other processes read, too; NULL: none */
    ws_file_state *states; /* of the files, before they were handed out */
} ws_energy_job;

/* The result of one file. */
typedef struct ws_energy_part {
    ws_measure measure;
    ws_identity *identity; /* leaves out what the file holds twice; NULL: nothing */
    ws_regions regions;    /* its own, of perun */
    ws_measure *in_each;   /* region (region_energy.h); NULL: none were asked for */
    ws_notes notes;
    ws_status status;
    ws_error error;
} ws_energy_part;

bool ws_energy_has_baseline(const ws_energy_job *job);
bool ws_energy_wants_perun_regions(const ws_energy_job *job);

/* Those of the file, or of all files. */
const ws_regions *ws_energy_regions_of(const ws_energy_job *job, const ws_energy_part *part);

/* The reading of a file, without what its copies add. */
void ws_energy_read(const ws_energy_job *job, const char *path, ws_energy_part *part);

/* Once its measure is finished: they read the file again. */
void ws_energy_add_baselines(const ws_energy_job *job, const char *path, ws_energy_part *part);
void ws_energy_add_regions(const ws_energy_job *job, const char *path, ws_energy_part *part);

#endif
