/* The folder of a campaign: its runs, and beside them campaign.json, truth.json, README.md, and sacct.txt where the
 * kind has accounting. */
#include "datasets/synth/outfile.h"
#include "datasets/synth/write.h"
#include "datasets/synth/write_sacct.h"
#include "datasets/synth/write_truth.h"

#include <inttypes.h>

static ws_status write_campaign_json(const char *dir, const ws_synth_campaign *campaign, ws_error *error)
{
    ws_synth_text text = {0};
    ws_synth_print(&text, "{\"schema\":\"wattscale.campaign/1\",\"name\":\"%s\",\"synthetic\":true,\n", campaign->name);
    ws_synth_print(&text, "%s", campaign->rules);
    ws_synth_print(&text, " \"exclude\":[");
    const char *separator = "";
    for (size_t i = 0; i < campaign->n_runs; i++)
        if (campaign->runs[i].failed && !campaign->runs[i].left_out) {
            ws_synth_print(&text, "%s{\"where\":\"job=%" PRId64 "\",\"reason\":\"" WS_SYNTH_FAILED_REASON "\"}",
                           separator, campaign->runs[i].job);
            separator = ",";
        }
    ws_synth_print(&text, "],\n \"group\":[\"series\",\"gpus\",\"lbs\",\"gbs\"],\"reference\":\"series\"}\n");
    ws_status status = ws_synth_save(dir, "campaign.json", &text, false, error);
    ws_synth_text_free(&text);
    return status;
}

/* The command line that makes the same campaign again. */
static void print_command(ws_synth_text *text, const ws_synth_campaign *campaign)
{
    ws_synth_print(text, "    wattscale-synth %s DIR --seed %" PRIu64, campaign->kind, campaign->seed);
    if (campaign->scale < 1 || campaign->scale > 1) {
        ws_synth_print(text, " --scale ");
        ws_synth_print_double(text, campaign->scale);
    }
    for (size_t i = 0; i < campaign->n_changes; i++) {
        ws_synth_print(text, " --change %" PRId64 "=", campaign->changes[i].job);
        ws_synth_print_double(text, campaign->changes[i].factor);
    }
    for (size_t i = 0; i < campaign->n_only; i++)
        ws_synth_print(text, " --only %s", campaign->only[i]);
    if (campaign->raw)
        ws_synth_print(text, " --raw");
}

static ws_status write_readme(const char *dir, const ws_synth_campaign *campaign, ws_error *error)
{
    static const char head[] =
        "# A synthetic campaign\n\n"
        "No hardware was measured for these files: `wattscale-synth` made them up. Do not quote them as results.\n\n";
    static const char rules[] =
        "\n\nmakes the same bytes again. `campaign.json` describes the runs, `truth.json` holds what was planted and,\n"
        "for each run, the exact time and energy of what its files hold:\n\n";
    static const char *const files[] = {
        [WS_SYNTH_PERUN] = "`perun/perun.hdf5`, the schema of perun 0.8.10",
        [WS_SYNTH_CSV] = "a node: `gpu_<node>.csv` (nvidia-smi), `rapl_<node>.csv` (powercap counters)",
        [WS_SYNTH_CSV_GZ] = "a node: `gpu_<node>.csv.gz` (nvidia-smi), `rapl_<node>.csv` (powercap counters)"};
    ws_synth_text text = {0};
    ws_synth_put(&text, head, sizeof head - 1);
    print_command(&text, campaign);
    ws_synth_put(&text, rules, sizeof rules - 1);
    ws_synth_print(&text, "%s\n| series | %s |\n|---|---|\n", campaign->readme,
                   campaign->series[0].about ? "what it is" : "files of a run");
    for (size_t i = 0; i < campaign->n_series; i++) {
        const ws_synth_series *series = &campaign->series[i];
        ws_synth_print(&text, "| %s | %s |\n", series->name, series->about ? series->about : files[series->layout]);
    }
    ws_status status = ws_synth_save(dir, "README.md", &text, false, error);
    ws_synth_text_free(&text);
    return status;
}

static ws_status write_files(const ws_synth_job *job, ws_error *error)
{
    typedef ws_status writer(const ws_synth_job *, ws_error *);
    static writer *const perun[] = {ws_synth_write_perun, NULL};
    static writer *const csv[] = {ws_synth_write_nvidia_smi, ws_synth_write_powercap, NULL};
    static writer *const side_files[] = {ws_synth_write_job_log, ws_synth_write_torch_list, NULL};
    bool complete = !job->run->failed;
    ws_status status = WS_OK;
    for (writer *const *w = job->run->series->layout == WS_SYNTH_PERUN ? perun : csv; *w && status == WS_OK; w++)
        status = (*w)(job, error);
    for (writer *const *w = side_files; *w && complete && status == WS_OK; w++)
        status = (*w)(job, error);
    return status;
}

static ws_status write_traced_run(ws_synth_job *job, ws_synth_lists *lists, ws_error *error)
{
    ws_synth_trace trace;
    ws_synth_trace_make(&trace, job->campaign, job->run);
    job->trace = &trace;
    ws_status status = write_files(job, error);
    if (job->campaign->ledger)
        ws_synth_sacct_add_run(&lists->ledger, job);
    if (!job->run->failed) {
        ws_synth_truth_add_run(&lists->truth, job, lists->first);
        lists->first = false;
    }
    ws_synth_trace_free(&trace);
    return status;
}

static ws_status write_run(const char *dir, const ws_synth_campaign *campaign, const ws_synth_run *run,
                           ws_synth_lists *lists, ws_error *error)
{
    ws_arena arena = {0};
    ws_synth_job job = {dir, ws_synth_run_path(&arena, run), campaign, run, NULL, &arena};
    ws_status status = run->series->layout == WS_SYNTH_WINDOW ? ws_synth_write_window_run(&job, lists, error)
                                                              : write_traced_run(&job, lists, error);
    ws_arena_free(&arena);
    return status;
}

static ws_status write_runs(const char *dir, const ws_synth_campaign *campaign, ws_error *error)
{
    ws_arena arena = {0};
    ws_synth_lists lists = {.first = true};
    ws_synth_truth_begin(&lists.truth, campaign, &arena);
    ws_status status = WS_OK;
    for (size_t i = 0; i < campaign->n_runs && status == WS_OK; i++)
        if (!campaign->runs[i].left_out)
            status = write_run(dir, campaign, &campaign->runs[i], &lists, error);
    ws_synth_truth_end(&lists.truth);
    if (status == WS_OK && campaign->ledger)
        status = ws_synth_save(dir, campaign->ledger, &lists.ledger, false, error);
    if (status == WS_OK)
        status = ws_synth_save(dir, "truth.json", &lists.truth, false, error);
    ws_synth_text_free(&lists.truth);
    ws_synth_text_free(&lists.ledger);
    ws_arena_free(&arena);
    return status;
}

ws_status ws_synth_write_campaign(const char *dir, const ws_synth_campaign *campaign, ws_error *error)
{
    ws_status status = write_runs(dir, campaign, error);
    if (status == WS_OK)
        status = write_readme(dir, campaign, error);
    if (status == WS_OK)
        status = write_campaign_json(dir, campaign, error);
    return status;
}
