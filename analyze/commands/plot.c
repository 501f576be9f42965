#include "analyze/commands/data.h"
#include "analyze/commands/figure_facets.h"
#include "analyze/commands/figure_files.h"
#include "analyze/commands/plot_parts.h"
#include "analyze/commands/report_profile.h"
#include "analyze/ratios.h"
#include "analyze/recipes/figure_recipe.h"
#include "analyze/recipes/figure_series.h"
#include "analyze/recipes/paper.h"
#include "analyze/recipes/series_looks.h"
#include "report/draw/draw.h"
#include "report/figure/caption_panels.h"
#include "report/figure/figure_join.h"

#include <math.h>
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

/* Copies of the panels that are wanted, while the tables that they were made of are there. */
static int join(const ws_cli *cli, const ws_figure *part, ws_figure *whole)
{
    const char *letters = ws_cli_value(cli, "panels");
    ws_error error = {0};
    const ws_joined_part how = {.letters = ws_plot_has_run_each(cli) ? NULL : letters};
    return ws_figure_join(whole, part, &how, &error) == WS_OK ? WS_EXIT_OK : ws_cli_fail(cli, &error);
}

int ws_plot_make(const ws_cli *cli, const ws_figure_recipe *recipe, const ws_figure_input *input, const ws_notes *notes,
                 ws_figure *whole)
{
    ws_figure figure;
    ws_error error = {0};
    int status;
    if (ws_figure_recipe_make(recipe, input, &figure, &error) == WS_OK) {
        ws_notes_append(&figure.notes, notes);
        status = join(cli, &figure, whole);
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
        int made = ws_plot_make(cli, recipe, input, notes, whole);
        return made == WS_EXIT_OK && !check_looks(cli, recipe, whole) ? WS_EXIT_USAGE : made;
    }
    ws_figure figure;
    ws_error error = {0};
    int status = ws_figure_make_facets(cli, campaign, recipe, input, column, letters, wanted != NULL, &figure, &error);
    if (error.status != WS_OK)
        status = ws_cli_fail(cli, &error);
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

/* A recipe that draws the traces of some runs of a campaign. */
static int plot_runs(ws_cli *cli, const ws_figure_recipe *recipe, ws_figure_input *input, ws_figure *whole)
{
    ws_campaign campaign;
    ws_run_list files = {0};
    ws_table runs;
    ws_run_profiles read = {0};
    ws_source_options source;
    ws_error error = {0};
    if (!ws_cli_source_options(cli, &source) || !ws_plot_window(cli, input))
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
                     ? ws_plot_make(cli, recipe, input, &runs.notes, whole)
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
    static int (*const plot[])(ws_cli *, const ws_figure_recipe *, ws_figure_input *,
                               ws_figure *) = {plot_campaign, plot_table, ws_plot_traces, plot_runs};
    const ws_figure_recipe *recipe = find_recipe(part);
    ws_figure_input input = {0};
    if (!read_level(part, &input.level))
        return WS_EXIT_USAGE;
    if (!*whole->name)
        whole->name = recipe->name;
    return plot[recipe->source](part, recipe, &input, whole);
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

/* The panel that "B:..." names by its letter (by its place where it has none), or all; *rest is what stands behind.
 * SIZE_MAX: no such panel, after a message. */
static size_t panel_named(const ws_cli *cli, ws_figure *figure, const char *option, const char *text, const char **rest)
{
    bool has_letter = text[0] && text[1] == ':';
    *rest = has_letter ? text + 2 : text;
    if (!has_letter)
        return figure->n_panels;
    const char *letters = "";
    for (size_t i = 0; i < figure->n_panels; i++) {
        char place[2] = {(char)('A' + i % 26), '\0'};
        const char *letter = figure->panels[i].letter ? figure->panels[i].letter : place;
        if (ws_span_eq_nocase((ws_span){text, 1}, letter))
            return i;
        letters = ws_arena_printf(&figure->arena, "%s%s%s", letters, i ? ", " : "", letter);
    }
    ws_cli_usage(cli, "--%s '%s': the figure has the panel%s %s", option, text, figure->n_panels == 1 ? "" : "s",
                 letters);
    return SIZE_MAX;
}

static bool set_range(const ws_cli *cli, ws_figure *figure, const ws_given *given)
{
    const char *rest, *name = given->option->name;
    size_t panel = panel_named(cli, figure, name, given->value, &rest);
    ws_span to = ws_span_of(rest), from;
    double lo, hi;
    if (panel == SIZE_MAX)
        return false;
    if (!ws_span_split(&to, ',', &from) || !ws_span_double(ws_span_trim(from), &lo) ||
        !ws_span_double(ws_span_trim(to), &hi) || !(lo < hi))
        return ws_cli_usage(cli, "--%s '%s' is no LO,HI: two numbers, the smaller one first", name, given->value),
               false;
    for (size_t i = 0; i < figure->n_panels; i++) {
        ws_axis *axis = *name == 'x' ? &figure->panels[i].x : &figure->panels[i].y;
        if (panel < figure->n_panels && i != panel)
            continue;
        if (isnan(ws_axis_position(axis, lo)) || axis->scale == WS_AXIS_CATEGORY)
            return ws_cli_usage(cli, "--%s '%s' has no place on the axis '%s'", name, given->value,
                                axis->label ? axis->label : ""),
                   false;
        axis->has_range = true;
        axis->lo = lo;
        axis->hi = hi;
    }
    return true;
}

static bool read_ticks(const ws_cli *cli, ws_arena *arena, const ws_given *given, const char *list, double **ticks,
                       size_t *n)
{
    ws_span rest = ws_span_of(list), one;
    *ticks = ws_arena_alloc(arena, (strlen(list) + 1) * sizeof **ticks);
    *n = 0;
    while (ws_span_split(&rest, ',', &one)) {
        if (!ws_span_double(ws_span_trim(one), &(*ticks)[*n]) || (*n && (*ticks)[*n] <= (*ticks)[*n - 1]))
            return ws_cli_usage(cli, "--%s '%s' is no list of numbers, the smaller ones first, as 1,8,64",
                                given->option->name, given->value),
                   false;
        ++*n;
    }
    return true;
}

/* After the ranges are set: a tick outside of one would never be seen. */
static bool set_ticks(const ws_cli *cli, ws_figure *figure, const ws_given *given)
{
    const char *rest, *name = given->option->name;
    size_t panel = panel_named(cli, figure, name, given->value, &rest), n;
    double *ticks;
    if (panel == SIZE_MAX || !read_ticks(cli, &figure->arena, given, rest, &ticks, &n))
        return false;
    for (size_t i = 0; i < figure->n_panels; i++) {
        ws_axis *axis = *name == 'x' ? &figure->panels[i].x : &figure->panels[i].y;
        const char *label = axis->label ? axis->label : "";
        if (panel < figure->n_panels && i != panel)
            continue;
        if (axis->scale == WS_AXIS_CATEGORY)
            return ws_cli_usage(cli, "--%s: the axis of panel %c has names and no numbers", name, (int)('A' + i % 26)),
                   false;
        for (size_t k = 0; k < n; k++) {
            if (isnan(ws_axis_position(axis, ticks[k])))
                return ws_cli_usage(cli, "--%s: %g has no place on the axis '%s'", name, ticks[k], label), false;
            if (axis->has_range && (ticks[k] < axis->lo || ticks[k] > axis->hi))
                return ws_cli_usage(cli, "--%s: %g lies outside of the axis '%s', which reaches from %g to %g", name,
                                    ticks[k], label, axis->lo, axis->hi),
                       false;
        }
        axis->tick_values = ticks;
        axis->n_tick_values = n;
    }
    return true;
}

static bool set_title(const ws_cli *cli, ws_figure *figure, const ws_given *given)
{
    const char *rest;
    size_t panel = panel_named(cli, figure, "title", given->value, &rest);
    if (panel == SIZE_MAX)
        return false;
    if (panel == figure->n_panels && panel != 1)
        return ws_cli_usage(cli, "there are %zu panels: --title A:TEXT names one", panel), false;
    figure->panels[panel == figure->n_panels ? 0 : panel].title = rest;
    return true;
}

/* The caption speaks of panels by the letters that they have. */
static bool set_letters(const ws_cli *cli, ws_figure *figure, const char *text)
{
    ws_span rest = ws_span_of(text), letter;
    bool none = strcmp(text, "none") == 0;
    size_t n = 0;
    const char **was = ws_arena_alloc(&figure->arena, (figure->n_panels + 1) * sizeof *was);
    const char **is = ws_arena_alloc(&figure->arena, (figure->n_panels + 1) * sizeof *is);
    for (size_t i = 0; i < figure->n_panels; i++) {
        was[i] = figure->panels[i].letter ? figure->panels[i].letter : "";
        figure->panels[i].letter = none ? NULL : figure->panels[i].letter;
    }
    while (!none && ws_span_split(&rest, ',', &letter)) {
        letter = ws_span_trim(letter);
        if (n < figure->n_panels)
            figure->panels[n].letter = is[n] = ws_arena_strndup(&figure->arena, letter.p, letter.n);
        n++;
    }
    if (!none && n != figure->n_panels)
        return ws_cli_usage(cli, "--letters names %zu, and there are %zu panels", n, figure->n_panels), false;
    const ws_panel_letters letters = {was, is, n};
    if (!none && figure->caption)
        figure->caption = ws_caption_of_panels(&figure->arena, figure->caption, &letters);
    return true;
}

static bool set_length(const ws_cli *cli, const char *option, double *mm)
{
    const char *text = ws_cli_value(cli, option);
    if (text && (!ws_span_double(ws_span_of(text), mm) || !(*mm >= 20 && *mm <= 1000)))
        return ws_cli_usage(cli, "--%s '%s' is no length from 20 to 1000 mm", option, text), false;
    return true;
}

/* What --grid, --width and the others say of the whole figure. */
static bool set_whole(const ws_cli *cli, ws_figure *figure, bool is_joined)
{
    const char *grid = ws_cli_value(cli, "grid"), *letters = ws_cli_value(cli, "letters");
    int64_t columns = 0;
    if (grid && (!ws_span_i64(ws_span_of(grid), &columns) || columns < 1 || columns > 12))
        return ws_cli_usage(cli, "--grid '%s' is no number of columns from 1 to 12", grid), false;
    if (is_joined || grid)
        ws_figure_settle(figure, (size_t)columns);
    double width_mm = figure->width_mm;
    if (!set_length(cli, "width", &width_mm))
        return false;
    if (ws_cli_has(cli, "width"))
        ws_figure_set_width(figure, width_mm, grid != NULL);
    if (!set_length(cli, "height", &figure->height_mm))
        return false;
    for (size_t i = 0; i < cli->n_given; i++) {
        const char *name = cli->given[i].option->name;
        bool is_range = strcmp(name, "x-range") == 0 || strcmp(name, "y-range") == 0;
        if ((is_range && !set_range(cli, figure, &cli->given[i])) ||
            (strcmp(name, "title") == 0 && !set_title(cli, figure, &cli->given[i])))
            return false;
    }
    for (size_t i = 0; i < cli->n_given; i++) {
        const char *name = cli->given[i].option->name;
        bool is_ticks = strcmp(name, "x-ticks") == 0 || strcmp(name, "y-ticks") == 0;
        if (is_ticks && !set_ticks(cli, figure, &cli->given[i]))
            return false;
    }
    return !letters || set_letters(cli, figure, letters);
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
        exit_status = join(cli, &figure, &whole);
    }
    ws_figure *drawn = chooses ? &whole : &figure;
    if (exit_status == WS_EXIT_OK)
        exit_status = set_whole(cli, drawn, chooses) ? write_figure(cli, drawn) : WS_EXIT_USAGE;
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
    if (status == WS_EXIT_OK)
        status = set_whole(cli, &whole, is_joined) ? write_figure(cli, &whole) : WS_EXIT_USAGE;
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
