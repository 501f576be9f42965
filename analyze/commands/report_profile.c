#include "analyze/commands/report_profile.h"

#include "analyze/ingest/ingest.h"
#include "analyze/ingest/run_columns.h"

#include <string.h>

static void read_trace(const char *path, const char *node, const ws_source_options *options, ws_profiles *profiles)
{
    ws_sink sink = ws_profiles_sink(profiles);
    ws_profiles_begin(profiles, path, node);
    ws_source_read(path, options, &sink, NULL, NULL, NULL);
}

static bool has_readings(const ws_profiles *profiles, ws_domain *domain)
{
    *domain = WS_DOMAIN_N;
    for (size_t i = 0; i < profiles->n; i++)
        if (profiles->channels[i].profile.samples && profiles->channels[i].channel.domain < *domain)
            *domain = profiles->channels[i].channel.domain;
    return *domain != WS_DOMAIN_N;
}

/* NULL where no run has a name and an energy. */
static const char *largest_run(const ws_table *runs)
{
    const char *name = NULL;
    double most = -1;
    for (size_t row = 0; row < runs->n_rows; row++) {
        double gpus = ws_runs_get(runs, WS_COL_GPUS, row);
        bool has_energy = ws_runs_get(runs, WS_COL_ENERGY, row) > 0;
        gpus = gpus > 0 ? gpus : 0;
        if (has_energy && gpus > most && runs->columns[WS_COL_RUN].text[row]) {
            name = runs->columns[WS_COL_RUN].text[row];
            most = gpus;
        }
    }
    return name;
}

static ws_status read_run(const ws_campaign *campaign, const char *name, const ws_source_options *options,
                          ws_profiles *profiles, ws_error *error)
{
    ws_run_list list = {0};
    ws_status status = ws_find_runs(campaign, &list, NULL, error);
    for (size_t i = 0; status == WS_OK && i < list.n; i++) {
        for (size_t f = 0; strcmp(list.runs[i].id, name) == 0 && f < list.runs[i].n_files; f++) {
            const struct ws_run_file *file = &list.runs[i].files[f];
            ws_source_options own = ws_run_file_options(file, options);
            read_trace(file->path, file->node, &own, profiles);
        }
    }
    /* A file that no rule matches is a run of its own. */
    for (size_t i = 0; status == WS_OK && i < list.unmatched.n; i++)
        if (strcmp(ws_campaign_path(campaign, list.unmatched.paths[i]), name) == 0)
            read_trace(list.unmatched.paths[i], "", options, profiles);
    ws_run_list_free(&list);
    return status;
}

ws_status ws_report_profile(const char *path, const ws_campaign *campaign, const ws_table *runs,
                            const ws_source_options *options, ws_profiles *profiles, const char **run,
                            ws_domain *domain, ws_error *error)
{
    ws_status status = WS_OK;
    const char *name = largest_run(runs);
    *profiles = (ws_profiles){0};
    if (!campaign->source)
        read_trace(path, "", options, profiles);
    else if (name)
        status = read_run(campaign, name, options, profiles, error);
    *run = has_readings(profiles, domain) ? name : NULL;
    return status;
}
