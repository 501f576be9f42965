/* plot: from DATA to the figure of a recipe, of runs, of any table or of traces. */
#include "analyze/commands/data.h"
#include "analyze/commands/figure_facets.h"
#include "analyze/commands/plot_parts.h"
#include "analyze/commands/report_profile.h"
#include "analyze/folder_walk.h"
#include "analyze/measure/measure.h"
#include "analyze/recipes/figure_series.h"
#include "analyze/recipes/series_looks.h"
#include "formats/input/input.h"
#include "report/figure/figure_join.h"

#include <string.h>

static bool panels_are(const ws_cli *cli, const char *how)
{
    const char *panels = ws_cli_value(cli, "panels");
    return panels && strcmp(panels, how) == 0;
}

bool ws_plot_has_run_each(const ws_cli *cli)
{
    return panels_are(cli, "each") || panels_are(cli, "overlay");
}

/* Copies of the panels that are wanted, while the tables that they were made of are there. */
int ws_plot_join(const ws_cli *cli, const ws_figure *part, ws_figure *whole)
{
    const char *letters = ws_cli_value(cli, "panels");
    ws_error error = {0};
    const ws_joined_part how = {.letters = ws_plot_has_run_each(cli) ? NULL : letters};
    return ws_figure_join(whole, part, &how, &error) == WS_OK ? WS_EXIT_OK : ws_cli_fail(cli, &error);
}

/* Series look as in a report of the campaign, whose figures before this one have given them their looks. */
static void keep_styles_of_report(const ws_cli *cli, const ws_campaign *campaign, const ws_figure_recipe *recipe,
                                  const ws_figure_input *input, ws_figure *figure)
{
    ws_known_styles known = {0};
    const ws_figure_recipe *const *first = ws_figure_recipes(), *const *r = first;
    while (*r && *r != recipe)
        r++;
    bool is_general = *r != NULL;
    ws_figure_input own = *input;
    own.x = own.y = NULL;
    for (r = first; is_general && *r != recipe; r++) {
        ws_figure before;
        ws_error none = {0};
        if ((*r)->source != WS_FIGURE_OF_CAMPAIGN)
            continue;
        const char *column = ws_facets_needed(*r, &own);
        if (column && own.reference) /* of this figure: facets of others may refuse it */
            continue;
        bool is_made = column ? ws_figure_make_facets(cli, campaign, *r, &own, column, NULL, false, &before, &none) ==
                                        WS_EXIT_OK &&
                                    none.status == WS_OK
                              : ws_figure_recipe_make(*r, &own, &before, &none) == WS_OK;
        if (is_made)
            ws_figure_keep_styles(&before, &known);
        ws_figure_free(&before);
    }
    if (is_general)
        ws_figure_keep_styles(figure, &known);
    ws_known_styles_free(&known);
}

static int make(const ws_cli *cli, const ws_campaign *campaign, const ws_figure_recipe *recipe,
                const ws_figure_input *input, const ws_notes *notes, ws_figure *whole)
{
    ws_figure figure;
    ws_error error = {0};
    int status;
    if (ws_figure_recipe_make(recipe, input, &figure, &error) == WS_OK) {
        if (recipe->source == WS_FIGURE_OF_CAMPAIGN)
            ws_paper_keep_styles(recipe, input, &figure);
        if (recipe->source == WS_FIGURE_OF_CAMPAIGN)
            keep_styles_of_report(cli, campaign, recipe, input, &figure);
        ws_notes_append(&figure.notes, notes);
        status = ws_plot_join(cli, &figure, whole);
    } else {
        ws_cli_notes(cli, notes);
        status = ws_cli_fail(cli, &error);
    }
    ws_figure_free(&figure);
    return status;
}

/* Does the figure show what each --look is about? False after a message. */
static bool check_looks(const ws_cli *cli, const ws_figure_recipe *recipe, const ws_figure *figure)
{
    bool shows = true;
    for (size_t i = 0; i < cli->n_given && shows; i++) {
        ws_looks one = {0};
        if (strcmp(cli->given[i].option->name, "look") != 0 ||
            ws_looks_parse(&one, &((ws_cli *)cli)->arena, cli->given[i].value, NULL) != WS_OK)
            continue;
        for (size_t k = 0; k < one.n && shows; k++) {
            const ws_look *look = &one.items[k];
            const char *unit = look->unit && *look->unit ? look->unit : NULL;
            shows = ws_figure_shows_look(figure, cli->looks, look);
            if (!shows && look->value)
                ws_cli_usage(cli, "--look '%s' changes nothing here: %s shows no %s '%s'", cli->given[i].value,
                             recipe->name, look->column, look->value);
            else if (!shows)
                ws_cli_usage(cli, "--look '%s' changes nothing here: no axis of %s is of %s%s%s", cli->given[i].value,
                             recipe->name, look->column, unit ? " in " : "", unit ? unit : "");
        }
        ws_looks_free(&one);
    }
    return shows;
}

/* In facets where --facets names a column, or where there are more series than can be told apart. */
static int make_in_facets(const ws_cli *cli, const ws_campaign *campaign, const ws_figure_recipe *recipe,
                          const ws_figure_input *input, const ws_notes *notes, ws_figure *whole)
{
    const char *wanted = ws_cli_value(cli, "facets"), *letters = ws_cli_value(cli, "panels");
    const char *column = wanted                                 ? wanted
                         : recipe->source == WS_FIGURE_OF_TABLE ? ws_facets_of_values(input->runs, input->by)
                                                                : ws_facets_needed(recipe, input);
    if (!column) {
        int made = make(cli, campaign, recipe, input, notes, whole);
        return made == WS_EXIT_OK && !check_looks(cli, recipe, whole) ? WS_EXIT_USAGE : made;
    }
    ws_figure figure;
    ws_error error = {0};
    int status = ws_figure_make_facets(cli, campaign, recipe, input, column, letters, wanted != NULL, &figure, &error);
    if (error.status != WS_OK)
        status = ws_cli_fail(cli, &error);
    else if (status == WS_EXIT_OK && recipe->source == WS_FIGURE_OF_CAMPAIGN)
        keep_styles_of_report(cli, campaign, recipe, input, &figure);
    ws_notes_append(&figure.notes, notes);
    const ws_joined_part how = {.letters = NULL};
    if (status == WS_EXIT_OK && ws_figure_join(whole, &figure, &how, &error) != WS_OK)
        status = ws_cli_fail(cli, &error);
    ws_figure_free(&figure);
    return status == WS_EXIT_OK && !check_looks(cli, recipe, whole) ? WS_EXIT_USAGE : status;
}

static int plot_campaign(ws_cli *cli, const ws_figure_recipe *recipe, ws_figure_input *input, ws_figure *whole)
{
    ws_campaign campaign;
    ws_table runs, scale = {0};
    input->reference = ws_cli_value(cli, "reference");
    if (recipe->refers_to_caps && input->reference && strncmp(input->reference, "power_cap_w=", 12) != 0 &&
        strncmp(input->reference, "clock_cap_hz=", 13) != 0)
        return ws_cli_usage(cli, "%s refers to a cap (--reference power_cap_w=250), not to '%s'", recipe->name,
                            input->reference);
    input->x = ws_cli_value(cli, "x");
    input->y = ws_cli_value(cli, "y");
    int status = ws_data_runs(cli, cli->arguments[1], &campaign, &runs);
    if (status == WS_EXIT_OK)
        status = ws_data_scale(cli, &campaign, &runs, NULL, &scale);
    if (status == WS_EXIT_OK)
        ws_data_leave_out(cli, &runs);
    input->runs = &runs;
    input->scale = &scale;
    input->synthetic = scale.synthetic;
    if (status == WS_EXIT_OK)
        status = make_in_facets(cli, &campaign, recipe, input, &scale.notes, whole);
    ws_table_free(&scale);
    ws_table_free(&runs);
    ws_campaign_free(&campaign);
    return status;
}

/* --- any table --- */

/* "x", "y" or "x,y" after --log2 and --log10. */
static bool read_axes(const ws_cli *cli, const char *option, ws_axis_scale scale, ws_figure_input *input)
{
    const char *text = ws_cli_value(cli, option);
    ws_span rest = ws_span_of(text ? text : ""), axis;
    while (text && ws_span_split(&rest, ',', &axis)) {
        bool is_x = ws_span_eq(ws_span_trim(axis), "x"), is_y = ws_span_eq(ws_span_trim(axis), "y");
        ws_axis_scale *of = is_x ? &input->x_scale : &input->y_scale;
        if (!is_x && !is_y)
            return ws_cli_usage(cli, "--%s '%.*s' is neither x nor y", option, WS_SPAN_ARG(axis)), false;
        if (*of != WS_AXIS_LINEAR && *of != scale)
            return ws_cli_usage(cli, "the axis %s cannot have both --log2 and --log10", is_x ? "x" : "y"), false;
        *of = scale;
    }
    return true;
}

static bool read_xy_options(const ws_cli *cli, ws_figure_input *input)
{
    input->x = ws_cli_value(cli, "x");
    input->y = ws_cli_value(cli, "y");
    input->by = ws_cli_value(cli, "by");
    input->fit = ws_cli_value(cli, "fit");
    input->has_band = ws_cli_has(cli, "band");
    input->has_lines = ws_cli_has(cli, "lines");
    if (!input->x || !input->y)
        return ws_cli_usage(cli, "xy needs --x and --y: the columns to draw"), false;
    if (input->fit && !ws_curve_model_exists(input->fit))
        return ws_cli_usage(cli, "--fit must be line, origin, powerlaw, usl or floor, not '%s'", input->fit), false;
    if (input->has_band && !input->fit)
        return ws_cli_usage(cli, "--band is about a fit: name one with --fit line, origin, powerlaw, usl or floor"),
               false;
    return read_axes(cli, "log2", WS_AXIS_LOG2, input) && read_axes(cli, "log10", WS_AXIS_LOG10, input);
}

/* A table of somebody else's may have per cent where ours have shares. */
static bool is_in_percent(const ws_table *table, const char *name)
{
    const double most_of_a_share = 1.5;
    size_t column;
    bool found = ws_table_find(table, name, &column);
    for (size_t row = 0; found && row < table->n_rows; row++)
        if (ws_table_number(table, column, row) > most_of_a_share)
            return true;
    return false;
}

/* The numbers of a column, and their spread, in the unit of its axis. */
static void take_unit(ws_table *table, const char *name)
{
    const char *const suffixes[] = {"", "_rmse"};
    double factor = ws_axis_factor(table->looks, name);
    if (factor == 100 && is_in_percent(table, name))
        return;
    for (size_t i = 0; factor != 1 && i < 2; i++) {
        size_t column;
        if (!ws_table_find(table, ws_arena_printf(&table->arena, "%s%s", name, suffixes[i]), &column))
            continue;
        ws_column *of = &table->columns[column];
        if (of->kind == WS_INTEGER) { /* whole Hz are no whole MHz */
            of->number = ws_alloc((of->capacity + 1) * sizeof *of->number);
            for (size_t row = 0; row < table->n_rows; row++)
                of->number[row] = ws_table_number(table, column, row);
            of->kind = WS_NUMBER;
        }
        for (size_t row = 0; row < table->n_rows && of->kind == WS_NUMBER; row++)
            of->number[row] *= factor;
    }
}

/* Points of unequal work in one panel are drawn by the rule of fits; false after a message. Series and facets are what
 * is compared with itself. */
static bool take_equal_work(ws_cli *cli, ws_table *table, ws_figure_input *input)
{
    const char *facets = ws_cli_value(cli, "facets"), *by = input->by, *per;
    const char *const drawn[] = {input->x, input->y};
    ws_row_groups groups = {0};
    if (by && facets)
        by = ws_arena_printf(&cli->arena, "%s,%s", by, facets);
    bool done = ws_data_per(cli, &per) && ws_data_group(cli, table, by ? by : facets, &groups);
    done = done && ws_data_per_has_use(cli, table, drawn, 2);
    if (done)
        input->work = ws_data_one_work(cli, table, &groups, drawn, 2);
    ws_row_groups_free(&groups);
    return done;
}

static int plot_table(ws_cli *cli, const ws_figure_recipe *recipe, ws_figure_input *input, ws_figure *whole)
{
    ws_table table = {0};
    size_t column;
    if (!read_xy_options(cli, input))
        return WS_EXIT_USAGE;
    const char *needed[] = {input->x, input->y, NULL};
    int status = ws_data_table(cli, cli->arguments[1], needed, &table);
    if (status == WS_EXIT_OK &&
        (!ws_data_column(cli, &table, input->x, &column) || !ws_data_column(cli, &table, input->y, &column) ||
         (input->by && !ws_data_column(cli, &table, input->by, &column))))
        status = WS_EXIT_USAGE;
    if (status == WS_EXIT_OK && !take_equal_work(cli, &table, input))
        status = WS_EXIT_USAGE;
    input->runs = &table;
    input->synthetic = table.synthetic;
    if (status == WS_EXIT_OK) {
        take_unit(&table, input->x);
        if (strcmp(input->x, input->y) != 0)
            take_unit(&table, input->y);
    }
    if (status == WS_EXIT_OK)
        status = make_in_facets(cli, NULL, recipe, input, &table.notes, whole);
    ws_table_free(&table);
    return status;
}

/* --- traces: which runs, under which names, and their windows --- */

enum { MOST_PANELS = 10, MOST_OVERLAID = 6 /* light and dark of three hues */ };

typedef struct trace_reader {
    const ws_cli *cli;
    ws_source_options options;
    ws_profiles *profiles;                                     /* those of the panel that is read */
    const char *names[MOST_PANELS], *short_names[MOST_PANELS]; /* of the runs, one a panel */
    ws_arena arena;
    ws_notes notes;
} trace_reader;

static bool read_window(const ws_cli *cli, ws_figure_input *input)
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
    ws_domain first = ws_profiles_domain(profiles);
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

/* Up to its folder number `n`. */
static size_t leading_folders(const char *name, size_t n)
{
    size_t length = 0;
    for (; name[length] && (name[length] != '/' || --n > 0); length++)
        ;
    return length;
}

/* As many of the first folders of these names as tell all apart: titles have little room. */
static void shorten_names(ws_arena *arena, const char *const *names, size_t n, const char **shortened)
{
    bool is_apart = n < 2;
    for (size_t folders = 1; !is_apart; folders++) {
        bool is_whole = true;
        is_apart = true;
        for (size_t i = 0; i < n; i++) {
            size_t own = leading_folders(names[i], folders);
            is_whole &= !names[i][own];
            shortened[i] = ws_arena_strndup(arena, names[i], own);
            for (size_t k = 0; k < i; k++)
                is_apart &= strcmp(shortened[i], shortened[k]) != 0;
        }
        is_apart |= is_whole;
    }
    for (size_t i = 0; i < n; i++)
        shortened[i] = n < 2 ? names[i] : shortened[i];
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
    if (apart) {
        name_runs(&r->arena, cli->arguments + 1, cli->n_arguments - 1, r->names);
        shorten_names(&r->arena, r->names, cli->n_arguments - 1, r->short_names);
    }
    input->is_overlay = panels_are(cli, "overlay");
    input->titles = apart ? r->short_names : NULL;
    input->whole_titles = apart ? r->names : NULL;
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

static int plot_traces(ws_cli *cli, const ws_figure_recipe *recipe, ws_figure_input *input, ws_figure *whole)
{
    trace_reader r = {.cli = cli};
    ws_profiles panels[MOST_PANELS] = {0}, windows[MOST_PANELS] = {0};
    ws_error error = {0};
    if (!ws_cli_source_options(cli, &r.options) || !read_window(cli, input))
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
                          ? make(cli, NULL, recipe, input, &r.notes, whole)
                          : ws_cli_fail(cli, &error);
    for (size_t i = 0; i < MOST_PANELS; i++) {
        ws_profiles_free(&panels[i]);
        ws_profiles_free(&windows[i]);
    }
    ws_notes_free(&r.notes);
    ws_arena_free(&r.arena);
    return exit_status;
}

/* A recipe that draws the traces of some runs of a campaign. */
static int plot_runs(ws_cli *cli, const ws_figure_recipe *recipe, ws_figure_input *input, ws_figure *whole)
{
    ws_campaign campaign;
    ws_run_list files = {0};
    ws_table runs;
    ws_run_profiles read = {0};
    ws_source_options source;
    ws_error error = {0};
    if (!ws_cli_source_options(cli, &source) || !read_window(cli, input))
        return WS_EXIT_USAGE;
    const double window[] = {input->from_s, input->to_s};
    cli->files = &files;
    int status = ws_data_runs(cli, cli->arguments[1], &campaign, &runs);
    cli->files = NULL;
    input->runs = &runs;
    input->synthetic = runs.synthetic;
    input->device = ws_cli_value(cli, "device");
    if (status == WS_EXIT_OK)
        status = ws_read_run_profiles(&campaign, &files, &runs, recipe, &source, window[1] > window[0] ? window : NULL,
                                      &read, input, &error) == WS_OK
                     ? make(cli, NULL, recipe, input, &runs.notes, whole)
                     : ws_cli_fail(cli, &error);
    if (status == WS_EXIT_OK && !check_looks(cli, recipe, whole))
        status = WS_EXIT_USAGE;
    ws_run_profiles_free(&read);
    ws_run_list_free(&files);
    ws_table_free(&runs);
    ws_campaign_free(&campaign);
    return status;
}

static bool read_level(const ws_cli *cli, double *level)
{
    const char *text = ws_cli_value(cli, "band");
    *level = 0.95;
    if (!text)
        return true;
    if (!ws_span_double(ws_span_of(text), level) || !(*level > 0 && *level < 100))
        return ws_cli_usage(cli, "--band '%s' is no percentage between 0 and 100, such as 95", text), false;
    *level /= *level < 1 ? 1 : 100; /* 0.95 is what other commands call 95 % */
    return true;
}

int ws_plot_from_data(ws_cli *cli, const ws_figure_recipe *recipe, ws_figure *whole)
{
    static int (*const plot[])(ws_cli *, const ws_figure_recipe *, ws_figure_input *,
                               ws_figure *) = {[WS_FIGURE_OF_CAMPAIGN] = plot_campaign,
                                               [WS_FIGURE_OF_TABLE] = plot_table,
                                               [WS_FIGURE_OF_TRACES] = plot_traces,
                                               [WS_FIGURE_OF_RUNS] = plot_runs};
    ws_figure_input input = {0};
    return read_level(cli, &input.level) ? plot[recipe->source](cli, recipe, &input, whole) : WS_EXIT_USAGE;
}
