/* wattscale plot: which figures, with which options, and into which files. */
#include "analyze/commands/data.h"
#include "analyze/commands/figure_files.h"
#include "analyze/commands/plot_parts.h"
#include "analyze/scaling/ratios.h"
#include "analyze/recipes/paper.h"
#include "report/draw/draw.h"
#include "report/figure/coincident_series.h"

#include <string.h>

static const ws_option options[] = {
    {"x", 0, "COLUMN", "xy, campaign/pareto: the column of the horizontal axis"},
    {"y", 0, "COLUMN", "xy, campaign/pareto, campaign/quality: the column of the vertical axis"},
    {"by", 0, "COLUMN", "xy: a series for each value of this column"},
    {"log2", 0, "AXES", "xy: a logarithmic axis with powers of two: x, y or x,y"},
    {"log10", 0, "AXES", "xy: a logarithmic axis with powers of ten: x, y or x,y"},
    {"lines", 0, NULL, "xy: join the points of a series"},
    {"fit", 0, "MODEL", "xy: line, origin, powerlaw, usl or floor"},
    {"band", 0, "PERCENT", "confidence of the bands about fits, 95 unless given; xy has a band only with it"},
    {"device", 0, "NAME", "trace/profile: the device to draw, as gpu1; the first unless given"},
    {"domain", 0, "DOMAIN", "trace/profile: gpu, cpu, dram, node or wall; the first that there is unless given"},
    {"panels", 0, "LETTERS",
     "only these panels, as A,C; trace/profile: each, for a panel for each DATA, or overlay, "
     "for one panel of all of them"},
    {"facets", 0, "COLUMN", "the figure once for each value of this column, side by side on the same axes"},
    {"grid", 0, "COLUMNS", "of panels, side by side; as many as suit their number unless given"},
    {"width", 0, "MM", "of the figure: 85 is one column of a paper, 180 two"},
    {"height", 0, "MM", "of the figure"},
    {"x-range", 0, "LO,HI", "of the horizontal axis; of panel B alone: B:LO,HI; may be given again"},
    {"y-range", 0, "LO,HI", "of the vertical axis, likewise"},
    {"x-ticks", 0, "LIST", "numbers that the horizontal axis labels, as 1,8,64 or B:1,8,64; may be given again"},
    {"y-ticks", 0, "LIST", "of the vertical axis, likewise"},
    {"title", 0, "TEXT", "above the panel; above panel B: B:TEXT; may be given again"},
    {"letters", 0, "LIST", "of the panels in their order, as a,b,c; none for no letters"},
    {"spec", 0, "FILE", "draw the figure that this JSON file describes ('-o fig.json' writes one)"},
    WS_OPTIONS_SCALING,
    WS_OPTION_LOOK,
    WS_OPTIONS_CAMPAIGN,
    {NULL, 0, NULL, NULL},
};

static int list_recipes(ws_cli *cli)
{
    ws_table table;
    ws_cli_list_begin(&table, "figures", "figure");
    const ws_figure_recipe *r;
    for (size_t i = 0; (r = ws_figure_recipe_at(i)); i++)
        ws_cli_list_add(&table, r->name, r->summary);
    return ws_cli_list_end(cli, &table);
}

static ws_file_writer *writer_of(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot ? ws_figure_writer(dot + 1) : NULL;
}

/* Before any work: is there an output, and is each one of a form that there is? */
static bool check_outputs(const ws_cli *cli)
{
    if (!ws_cli_has(cli, "output"))
        return ws_cli_usage(cli, "-o FILE is needed, with one of the endings " WS_FIGURE_SUFFIXES), false;
    for (size_t i = 0; i < cli->n_given; i++) {
        if (strcmp(cli->given[i].option->name, "output") == 0 && !writer_of(cli->given[i].value))
            return ws_cli_usage(cli, "'-o %s' ends in none of " WS_FIGURE_SUFFIXES, cli->given[i].value), false;
    }
    return true;
}

/* json and csv hold everything; what is drawn may leave something out. */
static bool is_drawn(const ws_cli *cli)
{
    ws_figure_form form;
    for (size_t i = 0; i < cli->n_given; i++) {
        const char *dot = strrchr(cli->given[i].value ? cli->given[i].value : "", '.');
        if (strcmp(cli->given[i].option->name, "output") == 0 && dot && ws_figure_form_find(dot + 1, &form))
            return true;
    }
    return false;
}

static int write_figure(const ws_cli *cli, ws_figure *figure)
{
    ws_error error = {0};
    ws_status status = WS_OK;
    if (figure->caption)
        ws_notes_add(&figure->notes, WS_FINDING_CAPTION, "", figure->name, 0, "%s", figure->caption);
    if (is_drawn(cli))
        status = ws_figure_note_layout(figure, &figure->notes, &error);
    ws_cli_notes(cli, &figure->notes);
    for (size_t i = 0; status == WS_OK && i < cli->n_given; i++) {
        const char *path = cli->given[i].value;
        if (strcmp(cli->given[i].option->name, "output") == 0)
            status = ws_cli_write_file(cli, path, writer_of(path), figure, &error);
    }
    return status == WS_OK ? WS_EXIT_OK : ws_cli_fail(cli, &error);
}

static const ws_figure_recipe *find_recipe(const ws_cli *cli)
{
    const ws_figure_recipe *recipe = ws_figure_recipe_find(cli->arguments[0]);
    ws_error error = {0};
    if (recipe)
        return recipe;
    ws_arena arena = {0};
    ws_fail(&error, WS_USAGE, "there is no figure '%s', did you mean %s? ('wattscale plot' lists them)",
            cli->arguments[0], ws_figure_recipe_suggest(&arena, cli->arguments[0]));
    ws_arena_free(&arena);
    ws_cli_fail(cli, &error);
    return NULL;
}

/* Which recipes can use an option that not all can; those of campaigns can use all that is not here. */
static bool can_use(const ws_figure_recipe *recipe, const char *name)
{
    static const char *const of_xy[] = {"x", "y", "by", "log2", "log10", "lines", "fit", NULL};
    static const char *const of_traces[] = {"device", "domain", NULL};
    static const char *const of_tables[] = {"facets", NULL};
    static const char *const of_runs[] = {"rule",          "gaps", "edges",   "exclude", "set",
                                          "keep-unusable", "only", "sensors", "look",    NULL};
    bool is_of_traces = recipe->source == WS_FIGURE_OF_TRACES;
    bool is_of_tables = recipe->source == WS_FIGURE_OF_CAMPAIGN || recipe->source == WS_FIGURE_OF_TABLE;
    const struct {
        const char *const *names;
        bool usable;
    } rules[] = {{of_xy, recipe->source == WS_FIGURE_OF_TABLE},
                 {of_traces, is_of_traces},
                 {of_tables, is_of_tables},
                 {of_runs, !is_of_traces}};
    if (strcmp(name, "device") == 0 && recipe->source == WS_FIGURE_OF_RUNS)
        return true;
    if (!ws_recipe_takes(recipe->takes, name))
        return false;
    if ((strcmp(name, "x") == 0 || strcmp(name, "y") == 0) && strcmp(recipe->name, "campaign/pareto") == 0)
        return true;
    if (strcmp(name, "y") == 0 && strcmp(recipe->name, "campaign/quality") == 0)
        return true;
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        for (const char *const *n = rules[i].names; *n; n++)
            if (strcmp(*n, name) == 0)
                return rules[i].usable;
    return true;
}

/* Of any two columns: is one of them a ratio, where an option says to what? False after a message. */
static bool check_ratio_options(const ws_cli *cli, const ws_figure_recipe *recipe)
{
    const char *const axes[] = {ws_cli_value(cli, "x"), ws_cli_value(cli, "y")};
    const char *option = ws_cli_has(cli, "reference") ? "reference" : ws_cli_has(cli, "scaling") ? "scaling" : NULL;
    bool has_ratio = (axes[0] && ws_is_ratio_column(axes[0])) || (axes[1] && ws_is_ratio_column(axes[1]));
    if (!option || has_ratio || strcmp(recipe->name, "campaign/pareto") != 0)
        return true;
    return ws_cli_usage(cli, "--%s is about ratios: --x or --y must be one, as speedup or energy_ratio", option), false;
}

static bool check_usable(const ws_cli *cli, const ws_figure_recipe *recipe)
{
    for (size_t i = 0; i < cli->n_given; i++)
        if (!can_use(recipe, cli->given[i].option->name))
            return ws_cli_usage(cli, "%s has no use for --%s", recipe->name, cli->given[i].option->name), false;
    if (recipe->source == WS_FIGURE_OF_TRACES && ws_cli_has(cli, "tz") && !ws_cli_has(cli, "window"))
        return ws_cli_usage(cli, "%s begins at 0 s: --tz is about the dates of a --window", recipe->name), false;
    if (ws_plot_has_run_each(cli) && recipe->source != WS_FIGURE_OF_TRACES)
        return ws_cli_usage(cli, "%s has panels of its own: --panels A,C chooses among them", recipe->name), false;
    return check_ratio_options(cli, recipe);
}

/* Before anything is read: is there such a figure, and can it use what stands with it? */
static bool check_part(const ws_cli *part)
{
    const ws_figure_recipe *recipe = find_recipe(part);
    if (!recipe)
        return false;
    if (part->n_arguments < 2)
        return ws_cli_usage(part, "an argument is missing: plot %s DATA", recipe->name), false;
    if (part->n_arguments > 2 && recipe->source != WS_FIGURE_OF_TRACES)
        return ws_cli_usage(part, "there is one argument too many: '%s'", part->arguments[2]), false;
    return check_usable(part, recipe);
}

/* One figure of those that '+' joins, with the options that stand with it. */
static int plot_part(ws_cli *part, ws_figure *whole)
{
    const ws_figure_recipe *recipe = find_recipe(part);
    if (!*whole->name)
        whole->name = recipe->name;
    return ws_plot_from_data(part, recipe, whole);
}

/* The arguments from `first` up to a '+', and the options among them; behind the last one too. Without DATA it is that
 * of the figure before. */
static size_t take_part(const ws_cli *cli, size_t first, const ws_cli *before, ws_cli *part)
{
    ws_arena *arena = &part->arena;
    size_t end = first, n = 0;
    while (end < cli->n_arguments && strcmp(cli->arguments[end], "+") != 0)
        end++;
    ws_given *given = ws_arena_alloc(arena, (cli->n_given + 1) * sizeof *given);
    const char **arguments = ws_arena_alloc(arena, (cli->n_arguments + 2) * sizeof *arguments);
    for (size_t i = 0; i < cli->n_given; i++)
        if (cli->given[i].place >= first && cli->given[i].place <= end)
            given[n++] = cli->given[i];
    part->given = given;
    part->n_given = n;
    part->arguments = arguments;
    part->n_arguments = end - first;
    memcpy(arguments, cli->arguments + first, part->n_arguments * sizeof *arguments);
    if (part->n_arguments == 1 && before && before->n_arguments > 1) {
        memcpy(arguments + 1, before->arguments + 1, (before->n_arguments - 1) * sizeof *arguments);
        part->n_arguments = before->n_arguments;
    }
    return end;
}

/* Of a figure that is there already, what is about the whole, and which panels. */
static bool can_use_beside_spec(const char *name)
{
    static const char *const usable[] = {"spec",    "panels",  "grid",    "width",   "height", "x-range",
                                         "y-range", "x-ticks", "y-ticks", "letters", "title",  "output",
                                         "force",   "quiet",   "verbose", NULL};
    size_t i = 0;
    while (usable[i] && strcmp(usable[i], name) != 0)
        i++;
    return usable[i] != NULL;
}

static int plot_spec(const ws_cli *cli, const char *path)
{
    ws_figure figure, whole;
    ws_error error = {0};
    bool chooses = ws_cli_has(cli, "panels");
    if (cli->n_arguments)
        return ws_cli_usage(cli, "--spec holds the whole figure: '%s' is one argument too many", cli->arguments[0]);
    for (size_t i = 0; i < cli->n_given; i++)
        if (!can_use_beside_spec(cli->given[i].option->name))
            return ws_cli_usage(cli, "--spec holds the whole figure, which has no use for --%s",
                                cli->given[i].option->name);
    if (ws_plot_has_run_each(cli))
        return ws_cli_usage(cli, "--spec has panels of its own: --panels A,C chooses among them");
    if (!check_outputs(cli))
        return WS_EXIT_USAGE;
    ws_status status = ws_figure_read(path, &figure, &error);
    int exit_status = status == WS_OK ? WS_EXIT_OK : ws_cli_fail(cli, &error);
    ws_figure_init(&whole, "", 180, 70, 1, 1);
    if (exit_status == WS_EXIT_OK && chooses) {
        whole.name = figure.name;
        exit_status = ws_plot_join(cli, &figure, &whole);
    }
    ws_figure *drawn = chooses ? &whole : &figure;
    if (exit_status == WS_EXIT_OK)
        exit_status = ws_plot_set_whole(cli, drawn, chooses) ? write_figure(cli, drawn) : WS_EXIT_USAGE;
    ws_figure_free(&whole);
    ws_figure_free(&figure);
    return exit_status;
}

static int run_plot(ws_cli *cli)
{
    if (ws_cli_has(cli, "spec"))
        return plot_spec(cli, ws_cli_value(cli, "spec"));
    if (!cli->n_arguments)
        return list_recipes(cli);
    ws_figure whole;
    ws_cli part = *cli, before = *cli;
    size_t n_parts = 0;
    int status = WS_EXIT_OK;
    ws_figure_init(&whole, "", 180, 70, 1, 1);
    part.arena = (ws_arena){0};
    for (int pass = 0; pass < 2; pass++) { /* all of them are checked before one is made */
        n_parts = 0;
        for (size_t at = 0; status == WS_EXIT_OK && at <= cli->n_arguments; at++) {
            at = take_part(cli, at, n_parts ? &before : NULL, &part);
            if (!part.n_arguments)
                status = ws_cli_usage(cli, "a figure is missing beside '+'");
            else if (pass == 0)
                status = check_part(&part) ? WS_EXIT_OK : WS_EXIT_USAGE;
            else
                status = plot_part(&part, &whole);
            before = part;
            n_parts++;
        }
        if (status == WS_EXIT_OK && pass == 0 && !check_outputs(cli))
            status = WS_EXIT_USAGE;
    }
    bool is_joined =
        n_parts > 1 || (ws_cli_has(cli, "panels") && !ws_plot_has_run_each(cli) && !ws_cli_has(cli, "facets"));
    if (status == WS_EXIT_OK && !ws_plot_set_whole(cli, &whole, is_joined))
        status = WS_EXIT_USAGE;
    if (status == WS_EXIT_OK) {
        ws_figure_say_coincident(&whole);
        status = write_figure(cli, &whole);
    }
    ws_figure_free(&whole);
    ws_arena_free(&part.arena);
    return status;
}

const ws_command ws_command_plot = {
    .name = "plot",
    .arguments = "[FIGURE DATA...]",
    .summary = "a figure as a paper prints it; without arguments, the list of them",
    .description =
        "Draws one of the known figures from a campaign, a table or traces. The suffix of each -o FILE says what is "
        "written: pdf, svg and png (300 dpi) draw it at its size in print; json writes the figure itself, which --spec "
        "draws again, and csv its data. Points are means over the repeats unless the caption says otherwise; the "
        "caption, on standard error, says how many runs there are, what bars and bands mean and what was left out.\n\n"
        "xy draws any two columns of any table, with a fit through each series.\n\n"
        "Several figures stand in one with '+' between them, each with its own options; one without DATA takes that of "
        "the figure before: plot huber/fig2 demo --panels A,C + xy --x gpus --y error_top1 --by series -o both.pdf. "
        "--width, --height, --grid, --letters, --title, ranges and ticks are of the whole, and go with --spec, too.",
    .options = options,
    .example = "wattscale plot huber/fig3 datasets/huber2025/scaled.csv -o fig3.pdf",
    .least = 0,
    .most = -1,
    .no_table = "a figure is written as the ending of -o FILE says, pdf, svg, png, json or csv",
    .run = run_plot,
};
