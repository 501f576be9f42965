/* The run of a campaign whose power over time stands for the others in a report. */
#ifndef WS_ANALYZE_REPORT_PROFILE_H
#define WS_ANALYZE_REPORT_PROFILE_H

#include "analyze/drawn_run.h"
#include "analyze/recipes/recipe.h"
#include "analyze/ingest/run_list.h"
#include "analyze/measure/profile.h"
#include "analyze/recipes/figure_recipe.h"

/* The profiles of the run with the most GPUs (the first of several), which the caller frees: those of `drawn` where it
 * is that run, else its traces are read. *run gets its name, NULL where there are no traces; *domain the first domain
 * with readings. `path` is the CAMPAIGN argument: the trace where `campaign` is empty; `list` holds the campaign's
 * files. A file that cannot be read is passed over: it is among the findings already. */
void ws_report_profile(const char *path, const ws_campaign *campaign, const ws_run_list *list, const ws_table *runs,
                       ws_drawn_run *drawn, const ws_source_options *options, ws_profiles *profiles, const char **run,
                       ws_domain *domain);

/* The runs that the recipe chooses, with their traces, all of each and its window, and `input` pointing at them.
 * `window` holds a window that the user names, or NULL. The caller frees `read`, always. WS_DATA: there are no such
 * runs. */
ws_status ws_read_run_profiles(const ws_campaign *campaign, const ws_run_list *list, const ws_table *runs,
                               const ws_figure_recipe *recipe, const ws_source_options *options, const double *window,
                               ws_run_profiles *read, ws_figure_input *input, ws_error *error);
void ws_run_profiles_free(ws_run_profiles *read);

/* A table of the traces of some runs, which the recipe chooses among those that count in the configurations; the others
 * stand in a footnote. `out` is initialised here. WS_DATA: there are no such
 * runs. */
ws_status ws_make_table_of_traces(const ws_campaign *campaign, const ws_run_list *list, const ws_table *runs,
                                  const ws_table *scale, const ws_table_recipe *recipe,
                                  const ws_source_options *options, ws_table *out, ws_error *error);

#endif
