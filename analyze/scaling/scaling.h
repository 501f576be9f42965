/* From runs to configurations: repeats averaged, speed-up, efficiency, energy ratios. */
#ifndef WS_ANALYZE_SCALING_H
#define WS_ANALYZE_SCALING_H

#include "analyze/scaling/work.h"
#include "core/status.h"
#include "core/table.h"

#include <stdbool.h>
#include <stddef.h>

/* The rows of the runs that a row of the table of configurations is made of. */
typedef struct ws_scale_member {
    size_t *rows, n_rows;         /* those that count */
    size_t *left_out, n_left_out; /* those whose energy cannot be used */
    size_t reference;             /* of speed-up: a row of the configurations; SIZE_MAX for none */
    const char *name;             /* "lbs256 A100 gpus=4"; in the arena of the table of configurations */
    double size;                  /* GPUs, or what else says how large the machine was */
    bool is_weak;
    ws_work work; /* whose times and energies are compared */
} ws_scale_member;

typedef struct ws_scale_members {
    ws_scale_member *items; /* by row */
    size_t n;
    size_t time_column; /* of the runs: what speed-ups compare; of PER_EPOCH and PER_SAMPLE by their work (work.h) */
} ws_scale_members;
void ws_scale_members_free(ws_scale_members *members); /* leaves a valid empty one */

typedef struct ws_scaling_options {
    const char *const *group; /* columns that make a configuration; n_group = 0: series, model, device, gpus, lbs, gbs
                                 and the caps, as far as the runs have them, and another size where gpus says nothing */
    size_t n_group;
    const char *reference; /* "series" (default): the fewest GPUs of each series; "all": of all series that agree in
                              model, device, caps and what else groups but sizes; "gpus=N";
                              "power_cap_w=250": the configuration that differs in this alone */
    const char *kind;      /* "strong", "weak" or NULL: weak where samples seen per GPU are the same throughout a series
                                  while the GPUs differ */
    const char *per;       /* "run", "epoch", "sample": the work that is compared; NULL: ws_work_of of each series, or
                              of all runs where the reference is one for all */
    bool may_lack_reference;   /* that of "gpus=N": of a part of the runs */
    bool keeps_unusable;       /* runs whose energy cannot be used count like the others (unusable_runs.h) */
    bool sd;                   /* X_sd (divisor n - 1) beside X_rmse (divisor n) */
    ws_scale_members *members; /* filled from empty and freed by the caller; NULL: nobody asks */
} ws_scaling_options;

/* `runs` needs the columns of run_columns.h. `scale` is initialised here:
 * the grouping columns, n_runs, n_unusable (runs that are left out), energy_verdict (the gravest of those that count),
 * X and X_rmse for every quantity, then
 *   speedup       S = t_ref / t of the mean times of the same work (work.h): of whole runs, or of an epoch or a sample
 *   efficiency    strong scaling: S n_ref / n; weak scaling: S
 *   energy_ratio  E / E_ref of the mean energies of the same work
 * each with a standard error by the repeats of the two, _se, (se_r / r)^2 = (s_a/a)^2/n_a + (s_b/b)^2/n_b with the
 * sample standard deviations s (Hoefler and Belli 2015, rule 4 ff.), and, detail, a 95 % interval (_lo, _hi) about the
 * ratio of geometric means by the deviation of the logarithms pooled over the series of both (ws_ratio_pooled;
 * interval_by says so, or why there is none); speedup_pooled, efficiency_pooled, energy_ratio_pooled: the ratio of
 * geometric means, with the standard error of the ratio by that deviation (_pooled_se) and the same interval. Detail
 * by the repeats of the two alone: _own_lo, _own_hi (ws_ratio_of_logs), missing as _se where a configuration has one
 * run. The reference itself has none. `scaling` says which kind, `per` which work,
 * `reference` names the configuration. Runs whose status, or that of whose job (job_state), is neither ok nor a word
 * for success count, and a note "run-status" says so. WS_DATA: the same run stands twice in one configuration. */
ws_status ws_scale(const ws_table *runs, const ws_scaling_options *options, ws_table *scale, ws_error *error);

/* How many columns a table of configurations begins with that say which they are: those before n_runs; all without. */
size_t ws_scale_keys(const ws_table *scale);

/* The first of them: what runs were grouped by. Behind them stand settings that are the same in all counted runs. */
size_t ws_scale_groups(const ws_table *scale);

/* Is it a run of that configuration, one that counts in it or one that is left out because of its energy? */
bool ws_is_run_of(const ws_table *runs, size_t run, const ws_table *scale, size_t configuration);

#endif
