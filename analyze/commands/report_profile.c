#include "analyze/commands/report_profile.h"

#include "analyze/ingest/run_columns.h"
#include "analyze/recipes/verdict_marks.h"

#include <string.h>

static void read_trace(const char *path, const char *node, const ws_source_options *options, ws_profiles *profiles)
{
    ws_sink sink = ws_profiles_sink(profiles);
    ws_profiles_begin(profiles, path, node);
    ws_source_read(path, options, &sink, NULL, NULL, NULL);
}

/* Where the traces of a run go: profiles, or levels. */
typedef struct trace_taker {
    ws_profiles *profiles;
    ws_power_levels *levels;
} trace_taker;

static void take_trace(const char *path, const char *node, const ws_source_options *options, const trace_taker *taker)
{
    if (taker->profiles) {
        read_trace(path, node, options, taker->profiles);
        return;
    }
    ws_sink sink = ws_power_levels_sink(taker->levels);
    ws_power_levels_begin(taker->levels, node);
    ws_source_read(path, options, &sink, NULL, NULL, NULL);
}

/* A row; that of no run where none has a name and an energy. */
static size_t largest_run(const ws_table *runs)
{
    size_t largest = runs->n_rows;
    double most = -1;
    for (size_t row = 0; row < runs->n_rows; row++) {
        double gpus = ws_runs_get(runs, WS_COL_GPUS, row);
        bool has_energy = ws_runs_get(runs, WS_COL_ENERGY, row) > 0;
        gpus = gpus > 0 ? gpus : 0;
        if (has_energy && gpus > most && runs->columns[WS_COL_RUN].text[row]) {
            largest = row;
            most = gpus;
        }
    }
    return largest;
}

static void read_run(const ws_campaign *campaign, const ws_run_list *list, const char *name,
                     const ws_source_options *options, const trace_taker *taker)
{
    for (size_t i = 0; i < list->n; i++) {
        for (size_t f = 0; strcmp(list->runs[i].id, name) == 0 && f < list->runs[i].n_files; f++) {
            const struct ws_run_file *file = &list->runs[i].files[f];
            ws_source_options own = ws_run_file_options(file, options);
            take_trace(file->path, file->node, &own, taker);
        }
    }
    /* A file that no rule matches is a run of its own. */
    for (size_t i = 0; i < list->unmatched.n; i++)
        if (strcmp(ws_campaign_path(campaign, list->unmatched.paths[i]), name) == 0)
            take_trace(list->unmatched.paths[i], "", options, taker);
}

void ws_report_profile(const char *path, const ws_campaign *campaign, const ws_run_list *list, const ws_table *runs,
                       ws_drawn_run *drawn, const ws_source_options *options, ws_profiles *profiles, const char **run,
                       ws_domain *domain)
{
    size_t row = largest_run(runs);
    const char *name = row < runs->n_rows ? runs->columns[WS_COL_RUN].text[row] : NULL;
    bool is_drawn = ws_drawn_run_is_whole(drawn) && (!campaign->source || (name && strcmp(drawn->id, name) == 0));
    *profiles = (ws_profiles){0};
    if (is_drawn) {
        *profiles = drawn->profiles;
        drawn->profiles = (ws_profiles){0};
    } else if (!campaign->source)
        read_trace(path, "", options, profiles);
    else if (name) {
        /* The first domain, which is the one that is drawn, if the traces have it. */
        profiles->has_domain = ws_runs_get(runs, WS_COL_ENERGY_GPU, row) > 0;
        profiles->domain = WS_GPU;
        read_run(campaign, list, name, options, &(const trace_taker){.profiles = profiles});
        if (profiles->has_domain && ws_profiles_domain(profiles) == WS_DOMAIN_N) {
            ws_profiles_free(profiles);
            read_run(campaign, list, name, options, &(const trace_taker){.profiles = profiles});
        }
    }
    *domain = ws_profiles_domain(profiles);
    *run = *domain != WS_DOMAIN_N ? name : NULL;
}

ws_status ws_read_run_profiles(const ws_campaign *campaign, const ws_run_list *list, const ws_table *runs,
                               const ws_figure_recipe *recipe, const ws_source_options *options, const double *window,
                               ws_run_profiles *read, ws_figure_input *input, ws_error *error)
{
    *read = (ws_run_profiles){0};
    if (!campaign->source)
        return ws_fail_recipe(error, runs->source, recipe->name, " ", "draws traces, and a table of runs has none");
    ws_status status = recipe->choose(runs, read, error);
    if (status == WS_OK && window) {
        read->from_s = window[0];
        read->to_s = window[1];
    }
    for (size_t i = 0; status == WS_OK && i < read->n; i++) {
        const char *name = runs->columns[WS_COL_RUN].text[read->rows[i]];
        ws_profiles *all = &read->whole[i], *part = &read->windows[i];
        if (!name)
            continue;
        all->has_domain = part->has_domain = true;
        all->domain = part->domain = WS_GPU; /* as `input` says */
        read_run(campaign, list, name, options, &(const trace_taker){.profiles = all});
        if (ws_profiles_take_window(part, all, WS_GPU, (int64_t)(read->from_s * 1e9), (int64_t)(read->to_s * 1e9)))
            read_run(campaign, list, name, options, &(const trace_taker){.profiles = part});
    }
    input->profiles = read->whole;
    input->windows = read->windows;
    input->n_profiles = read->n;
    input->titles = read->titles;
    input->labels = read->labels;
    input->subject = read->subject;
    input->remark = read->remark;
    input->from_s = read->from_s;
    input->to_s = read->to_s;
    input->domain = WS_GPU;
    return status;
}

void ws_run_profiles_free(ws_run_profiles *read)
{
    for (size_t i = 0; i < WS_MOST_RUN_PROFILES; i++) {
        ws_profiles_free(&read->whole[i]);
        ws_profiles_free(&read->windows[i]);
    }
    ws_arena_free(&read->arena);
    *read = (ws_run_profiles){0};
}

ws_status ws_make_table_of_traces(const ws_campaign *campaign, const ws_run_list *list, const ws_table *runs,
                                  const ws_table *scale, const ws_table_recipe *recipe,
                                  const ws_source_options *options, ws_table *out, ws_error *error)
{
    ws_chosen_runs chosen = {.remark = ""};
    if (!campaign->source)
        return ws_table_init(out, "table"),
               ws_fail_recipe(error, runs->source, recipe->name, " ", "is about traces, and a table of runs has none");
    ws_table counted;
    ws_copy_counted_runs(runs, scale, &counted);
    ws_status status = recipe->choose(&counted, &chosen, error);
    for (size_t i = 0; status == WS_OK && i < chosen.n; i++) {
        const char *name = counted.columns[WS_COL_RUN].text[chosen.rows[i]];
        if (name)
            read_run(campaign, list, name, options, &(const trace_taker){.levels = &chosen.levels[i]});
    }
    if (status == WS_OK)
        status = ws_table_recipe_make_of_traces(recipe, &counted, &chosen, out, error);
    else
        ws_table_init(out, "table");
    if (status == WS_OK)
        ws_tell_runs_left_out(runs, scale, recipe->rests_on_energy, out);
    ws_table_free(&counted);
    for (size_t i = 0; i < chosen.n; i++)
        ws_power_levels_free(&chosen.levels[i]);
    ws_arena_free(&chosen.arena);
    return status;
}
