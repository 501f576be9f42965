/* plot trace/profile: which runs, under which names, and their windows. */
#include "analyze/commands/plot_parts.h"
#include "analyze/folder_walk.h"
#include "analyze/measure/measure.h"
#include "formats/input/input.h"

#include <string.h>

enum { MOST_PANELS = 10, MOST_OVERLAID = 6 /* light and dark of three hues */ };

typedef struct trace_reader {
    const ws_cli *cli;
    ws_source_options options;
    ws_profiles *profiles;          /* those of the panel that is read */
    const char *names[MOST_PANELS]; /* of the runs, one a panel */
    ws_arena arena;
    ws_notes notes;
} trace_reader;

bool ws_plot_window(const ws_cli *cli, ws_figure_input *input)
{
    ws_meter_options meter = {0};
    if (!ws_cli_window(cli, "window", &meter))
        return false;
    if (!meter.has_window)
        return true;
    if (!meter.window_is_relative)
        return ws_cli_usage(cli, "--window of a profile counts seconds from the start of each run: --window 0,300"),
               false;
    for (size_t i = 1; i < cli->n_arguments; i++)
        if (ws_is_pipe(cli->arguments[i]))
            return ws_cli_usage(cli, "--window reads a trace twice, and '%s' can be read once", cli->arguments[i]),
                   false;
    input->from_s = (double)meter.window_start_ns / 1e9;
    input->to_s = (double)meter.window_end_ns / 1e9;
    return true;
}

static ws_status read_trace(trace_reader *r, const char *path, ws_error *error)
{
    ws_sink sink = ws_profiles_sink(r->profiles);
    ws_profiles_begin(r->profiles, ws_source_name(path), "");
    return ws_source_read(path, &r->options, &sink, &r->notes, NULL, error);
}

/* A path that was named must be a trace; a folder may hold other files as well. */
static ws_status read_traces(trace_reader *r, const char *path, ws_error *error)
{
    ws_file_list files = {0};
    size_t read = 0;
    if (!ws_is_directory(path))
        return read_trace(r, path, error);
    ws_walk(path, &files, &r->notes, error);
    for (size_t i = 0; i < files.n; i++) {
        ws_error why = {0};
        if (read_trace(r, files.paths[i], &why) == WS_OK)
            read++;
        else
            ws_note_failure(&r->notes, WS_FINDING_NOT_A_TRACE, files.paths[i], &why);
    }
    size_t tried = files.n;
    ws_file_list_free(&files);
    return read ? WS_OK
                : ws_fail_at(error, WS_DATA, path, 0, "holds no trace that can be read (files tried: %zu)", tried);
}

static bool choose_domain(const ws_cli *cli, const ws_profiles *profiles, ws_domain *domain)
{
    const char *wanted = ws_cli_value(cli, "domain");
    ws_domain first = WS_DOMAIN_N;
    for (size_t i = 0; i < profiles->n; i++)
        if (profiles->channels[i].profile.samples && profiles->channels[i].channel.domain < first)
            first = profiles->channels[i].channel.domain;
    *domain = first == WS_DOMAIN_N ? WS_GPU : first;
    for (int d = 0; wanted && d < WS_DOMAIN_N; d++) {
        if (strcmp(wanted, ws_domain_name((ws_domain)d)) == 0) {
            *domain = (ws_domain)d;
            return true;
        }
    }
    if (wanted)
        ws_cli_usage(cli, "--domain must be gpu, cpu, dram, node, wall, other, core, gfx or psys, not '%s'", wanted);
    return !wanted;
}

static bool panels_are(const ws_cli *cli, const char *how)
{
    const char *panels = ws_cli_value(cli, "panels");
    return panels && strcmp(panels, how) == 0;
}

bool ws_plot_has_run_each(const ws_cli *cli)
{
    return panels_are(cli, "each") || panels_are(cli, "overlay");
}

/* How many bytes of all paths are the same at their start (or end), up to a '/'. */
static size_t common_folders(const char *const *paths, size_t n, bool at_end)
{
    size_t common = 0, length = strlen(paths[0]);
    for (size_t i = 0; i < length; i++) {
        char c = paths[0][at_end ? length - 1 - i : i];
        for (size_t k = 1; k < n; k++) {
            size_t own = strlen(paths[k]);
            if (i >= own || paths[k][at_end ? own - 1 - i : i] != c)
                return common;
        }
        common = c == '/' ? i + 1 : common;
    }
    return common;
}

/* What tells runs apart: their paths without the folders and files that all of them share. */
static void name_runs(ws_arena *arena, const char *const *paths, size_t n, const char **names)
{
    size_t from = common_folders(paths, n, false), to = common_folders(paths, n, true);
    for (size_t k = 0; k < n; k++) {
        size_t length = strlen(paths[k]);
        names[k] = length > from + to ? ws_arena_strndup(arena, paths[k] + from, length - from - to) : paths[k];
    }
}

/* Every DATA into one panel as one run, or each a run of its own. */
static ws_status read_panels(trace_reader *r, ws_profiles *panels, ws_figure_input *input, ws_error *error)
{
    const ws_cli *cli = r->cli;
    bool apart = ws_plot_has_run_each(cli);
    ws_status status = WS_OK;
    for (size_t i = 1; status == WS_OK && i < cli->n_arguments; i++) {
        r->profiles = &panels[apart ? i - 1 : 0];
        status = read_traces(r, cli->arguments[i], error);
        input->synthetic |= ws_is_in_synthetic_campaign(cli->arguments[i]);
    }
    input->profiles = panels;
    input->n_profiles = apart ? cli->n_arguments - 1 : 1;
    if (apart)
        name_runs(&r->arena, cli->arguments + 1, cli->n_arguments - 1, r->names);
    input->is_overlay = panels_are(cli, "overlay");
    input->titles = apart ? r->names : NULL;
    return status;
}

/* The traces once more, and of each what lies in the window. */
static ws_status read_windows(trace_reader *r, const ws_profiles *panels, ws_profiles *windows, ws_figure_input *input,
                              ws_error *error)
{
    trace_reader again = {.cli = r->cli, .options = r->options};
    const ws_figure_input all = *input;
    ws_status status = WS_OK;
    if (!(input->to_s > input->from_s))
        return WS_OK;
    for (size_t i = 0; i < input->n_profiles; i++)
        if (!ws_profiles_take_window(&windows[i], &panels[i], input->domain, (int64_t)(input->from_s * 1e9),
                                     (int64_t)(input->to_s * 1e9)))
            return WS_OK; /* the recipe says that there is no power */
    status = read_panels(&again, windows, input, error);
    *input = all;
    input->windows = windows;
    ws_notes_free(&again.notes);
    ws_arena_free(&again.arena);
    return status;
}

int ws_plot_traces(ws_cli *cli, const ws_figure_recipe *recipe, ws_figure_input *input, ws_figure *whole)
{
    trace_reader r = {.cli = cli};
    ws_profiles panels[MOST_PANELS] = {0}, windows[MOST_PANELS] = {0};
    ws_error error = {0};
    if (!ws_cli_source_options(cli, &r.options) || !ws_plot_window(cli, input))
        return WS_EXIT_USAGE;
    if (panels_are(cli, "each") && cli->n_arguments > MOST_PANELS + 1)
        return ws_cli_usage(cli, "a figure has room for %d panels", (int)MOST_PANELS);
    if (panels_are(cli, "overlay") && cli->n_arguments > MOST_OVERLAID + 1)
        return ws_cli_usage(cli, "a panel has colours for %d runs: --panels each has a panel for each of up to %d",
                            (int)MOST_OVERLAID, (int)MOST_PANELS);
    ws_status status = read_panels(&r, panels, input, &error);
    input->device = ws_cli_value(cli, "device");
    int exit_status = WS_EXIT_USAGE;
    if (status != WS_OK)
        exit_status = ws_cli_fail(cli, &error);
    else if (ws_cli_check_use(cli) && choose_domain(cli, &panels[0], &input->domain))
        exit_status = read_windows(&r, panels, windows, input, &error) == WS_OK
                          ? ws_plot_make(cli, recipe, input, &r.notes, whole)
                          : ws_cli_fail(cli, &error);
    for (size_t i = 0; i < MOST_PANELS; i++) {
        ws_profiles_free(&panels[i]);
        ws_profiles_free(&windows[i]);
    }
    ws_notes_free(&r.notes);
    ws_arena_free(&r.arena);
    return exit_status;
}
