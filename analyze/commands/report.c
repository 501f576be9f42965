#include "analyze/commands/data.h"

#include "analyze/commands/plot_parts.h"
#include "analyze/commands/report_figures.h"
#include "analyze/commands/report_folder.h"
#include "analyze/commands/report_profile.h"
#include "analyze/ingest/inputs.h"
#include "analyze/recipes/figure_series.h"
#include "analyze/recipes/paper.h"
#include "analyze/recipes/prose_numbers.h"
#include "analyze/recipes/story.h"
#include "analyze/recipes/story_words.h"
#include "analyze/same_rows.h"
#include "analyze/folder_walk.h"
#include "formats/input/input.h"
#include "report/page/latex_report.h"
#include "report/page/page.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const ws_option options[] = {
    {"output", 'o', "DIR", "the folder to write; needed"},
    {"force", 0, NULL, "replace DIR, if it holds a report"},
    {"paper", 0, "NAME", "the figures and tables of a paper, by its recipes: huber2025, frey2022 or jigsaw2025"},
    {"macros", 0, "PREFIX", "what the macros of numbers.tex begin with, ws unless given: two reports in one document"},
    {"width", 0, "MM", "of the figures: 85 is one column of a paper, 180 two; as suits each unless given"},
    WS_OPTIONS_SCALING,
    WS_OPTION_LOOK,
    WS_OPTIONS_CAMPAIGN,
    {NULL, 0, NULL, NULL},
};

enum { MOST_TABLES = 64 };

typedef struct reporter {
    ws_cli *cli;
    const ws_paper *paper; /* of --paper; NULL: all recipes that fit any campaign */
    ws_report_folder folder;
    ws_campaign campaign;
    ws_run_list files;
    ws_drawn_run drawn;             /* not of a paper, whose recipes choose */
    ws_table all_runs, runs, scale; /* of `runs` those are left out whose energy cannot be used */
    ws_table tables[MOST_TABLES];   /* on the page until it is written */
    size_t n_tables;
    ws_notes notes;
    ws_provenance provenance;
    ws_page page;
    ws_report_gallery gallery;
} reporter;

static ws_status write_csv(FILE *stream, const void *table, ws_error *error)
{
    return ws_table_write(stream, table, WS_FORM_CSV, NULL, error);
}

static ws_status write_markdown(FILE *stream, const void *table, ws_error *error)
{
    return ws_table_write(stream, table, WS_FORM_MARKDOWN, NULL, error);
}

static ws_status write_latex(FILE *stream, const void *table, ws_error *error)
{
    return ws_table_write(stream, table, WS_FORM_LATEX, NULL, error);
}

static ws_status write_page(FILE *stream, const void *page, ws_error *error)
{
    return ws_page_write(stream, page, error);
}

static ws_status write_latex_report(FILE *stream, const void *page, ws_error *error)
{
    return ws_latex_report_write(stream, page, error);
}

static ws_status write_provenance(FILE *stream, const void *provenance, ws_error *error)
{
    return ws_provenance_write(stream, provenance, error);
}

static ws_status write_numbers(FILE *stream, const void *of, ws_error *error)
{
    const reporter *r = of;
    const char *prefix = ws_cli_value(r->cli, "macros");
    ws_prose_numbers_write(stream, prefix ? prefix : "ws", &r->runs, &r->scale);
    return fflush(stream) == 0 ? WS_OK : ws_fail(error, WS_IO, "cannot be written: %s", strerror(errno));
}

static const char *title_of(const reporter *r)
{
    if (r->campaign.name)
        return r->campaign.name;
    const char *path = r->cli->arguments[0], *slash = strrchr(path, '/');
    const char *name = slash && slash[1] ? slash + 1 : path;
    if (strcmp(name, "runs.csv") != 0 || name - path < 2) /* every campaign's: its folder says more */
        return name;
    const char *from = slash;
    while (from > path && from[-1] != '/')
        from--;
    bool has_name = from < slash && strspn(from, ".") < (size_t)(slash - from);
    return has_name ? ws_arena_strndup(&r->cli->arena, from, (size_t)(slash - from)) : name;
}

/* The command line as it was understood: options stand behind the arguments. */
static void note_command(reporter *r)
{
    ws_provenance *p = &r->provenance;
    ws_provenance_add_word(p, "wattscale");
    ws_provenance_add_word(p, r->cli->command->name);
    for (size_t i = 0; i < r->cli->n_arguments; i++)
        ws_provenance_add_word(p, r->cli->arguments[i]);
    for (size_t i = 0; i < r->cli->n_given; i++) {
        ws_provenance_add_word(p, ws_arena_printf(&p->arena, "--%s", r->cli->given[i].option->name));
        if (r->cli->given[i].value)
            ws_provenance_add_word(p, r->cli->given[i].value);
    }
}

/* Of an archive the whole, once. */
static void note_inputs(reporter *r, const ws_file_list *inputs)
{
    const char *last = "";
    ws_register_inputs(r->cli->inputs, inputs, ws_cli_value(r->cli, "as"));
    for (size_t i = 0; i < inputs->n; i++) {
        size_t outer = ws_packed_outer(inputs->paths[i]);
        const char *path = outer ? ws_arena_strndup(&r->provenance.arena, inputs->paths[i], outer) : inputs->paths[i];
        const ws_registered_input *input = ws_input_register_find(r->cli->inputs, path);
        if (strcmp(path, last) != 0 && input && input->has_digest)
            ws_provenance_add_file(&r->provenance, path, input->size, input->sha256);
        last = path;
    }
}

static ws_status tell(reporter *r, ws_error *error)
{
    ws_file_list inputs = {0};
    ws_arena arena = {0};
    ws_list_inputs(r->cli->arguments[0], &r->campaign, &r->files, &inputs);
    note_inputs(r, &inputs);
    ws_status status =
        ws_story_tell(&r->runs, &r->scale, ws_count_formats(&arena, &inputs, r->cli->inputs), &r->page, error);
    ws_file_list_free(&inputs);
    ws_arena_free(&arena);
    return status;
}

static bool shows_column(const ws_table *table, const ws_column *column)
{
    const ws_column *same = ws_table_column(table, column->name);
    return same != NULL;
}

static bool is_empty(const ws_table *table, size_t column)
{
    for (size_t row = 0; row < table->n_rows; row++)
        if (!ws_table_is_missing(table, column, row))
            return false;
    return true;
}

/* Does a table that is on the page already show all that this one does? */
static bool is_shown(const reporter *r, const ws_table *table)
{
    for (size_t i = 0; i < r->n_tables; i++) {
        bool all = r->tables[i].n_rows == table->n_rows;
        for (size_t c = 0; all && c < table->n_columns; c++)
            all = is_empty(table, c) || shows_column(&r->tables[i], &table->columns[c]);
        if (all)
            return true;
    }
    return false;
}

/* Has a table a column for people whose name ends so? */
static bool shows_suffix(const ws_table *table, const char *suffix)
{
    for (size_t c = 0; c < table->n_columns; c++)
        if (!table->columns[c].detail && !is_empty(table, c) &&
            ws_span_has_suffix(ws_span_of(table->columns[c].name), suffix))
            return true;
    return false;
}

static const char *caption_of(const reporter *r, const ws_table *table, ws_arena *arena)
{
    ws_column_range n = ws_spread_take(table, "n_runs");
    const char *counts =
        n.n ? ws_arena_printf(arena, "n = %s run%s a row", ws_say_range(n.lo, n.hi).text, n.hi == 1 ? "" : "s")
            : ws_arena_strdup(arena, ws_say_count(table->n_rows, "row", "rows").text);
    return ws_arena_printf(arena, "%s%s%s.%s", counts,
                           shows_suffix(table, "_rmse") ? "; ± rmse: root mean square about the mean (divisor n)" : "",
                           shows_suffix(table, "_se") ? "; ± se: standard error" : "",
                           ws_left_out(&r->scale.notes, arena));
}

static ws_status write_table(reporter *r, const char *id, ws_table *table, ws_error *error)
{
    static const struct {
        const char *suffix, *label;
        ws_file_writer *write;
    } forms[] = {{"csv", "CSV", write_csv}, {"md", "Markdown", write_markdown}, {"tex", "LaTeX", write_latex}};
    ws_arena arena = {0};
    ws_page_table *on_page = &r->page.tables[r->page.n_tables - 1];
    ws_status status = WS_OK;
    for (size_t i = 0; status == WS_OK && i < sizeof forms / sizeof *forms; i++) {
        const char *name = ws_arena_printf(&arena, "tables/%s.%s", id, forms[i].suffix);
        if (forms[i].write == write_csv)
            ws_table_add_synthetic_mark(table);
        status = ws_report_folder_write(&r->folder, name, forms[i].write, table, error);
        ws_table_take_synthetic_mark(table);
        ws_page_add_link(&r->page, &on_page->links, forms[i].label, name);
    }
    ws_arena_free(&arena);
    return status;
}

/* Of several recipes for any campaign: one that compares what this campaign has one of says nothing. */
static bool has_to_compare(const reporter *r, const ws_table_recipe *recipe)
{
    size_t column;
    return r->paper || !recipe->compares ||
           (ws_table_find(&r->scale, recipe->compares, &column) && ws_column_varies(&r->scale, column));
}

static ws_status add_table(reporter *r, const ws_table_recipe *recipe, ws_error *error)
{
    ws_table *table = &r->tables[r->n_tables];
    ws_arena arena = {0};
    ws_error why = {0};
    ws_source_options source;
    ws_cli_source_options(r->cli, &source); /* was right for the runs */
    ws_status status = WS_OK, made = recipe->choose
                                         ? ws_make_table_of_traces(&r->campaign, &r->files, &r->all_runs, &r->scale,
                                                                   recipe, &source, table, &why)
                                         : ws_table_recipe_make(recipe, &r->all_runs, &r->scale, table, &why);
    if (made != WS_OK || !table->n_rows || (!r->paper && is_shown(r, table))) {
        ws_table_free(table); /* the campaign has nothing for it */
        if (r->paper && made != WS_OK)
            ws_notes_add_lacking(&r->notes, recipe->name, &why);
    } else {
        char *id = ws_arena_strdup(&arena, recipe->name), *slash = strchr(id, '/');
        if (slash)
            *slash = '-';
        r->n_tables++;
        ws_page_add_table(&r->page, id, ws_say_title(&arena, recipe->summary), caption_of(r, table, &arena), table);
        status = write_table(r, id, table, error);
    }
    ws_arena_free(&arena);
    return status;
}

static ws_status add_tables(reporter *r, ws_error *error)
{
    ws_status status = WS_OK;
    const ws_table_recipe *const *t = r->paper ? r->paper->tables : ws_table_recipes();
    for (; status == WS_OK && *t && r->n_tables < MOST_TABLES; t++)
        if (has_to_compare(r, *t))
            status = add_table(r, *t, error);
    return status;
}

static void list_findings(const ws_notes *notes, ws_table *table)
{
    static const struct {
        const char *name;
        ws_column_kind kind;
    } columns[] = {{"code", WS_TEXT},    {"source", WS_TEXT},   {"subject", WS_TEXT},
                   {"line", WS_INTEGER}, {"count", WS_INTEGER}, {"text", WS_TEXT}};
    ws_table_init(table, "findings");
    for (size_t c = 0; c < sizeof columns / sizeof *columns; c++)
        ws_table_add_column(table, columns[c].name, columns[c].kind);
    for (size_t i = 0; i < notes->n; i++) {
        const ws_note *note = &notes->items[i];
        size_t row = ws_table_add_row(table);
        const char *texts[] = {ws_finding_code(note->finding), note->source, note->subject, NULL, NULL, note->text};
        for (size_t c = 0; c < sizeof texts / sizeof *texts; c++)
            if (texts[c])
                ws_table_set_span(table, c, row, ws_span_of(texts[c]));
        if (note->line > 0)
            ws_table_set_integer(table, 3, row, note->line);
        ws_table_set_integer(table, 4, row, (int64_t)note->count);
    }
}

static ws_status write_data(reporter *r, ws_error *error)
{
    ws_table findings;
    list_findings(&r->notes, &findings);
    struct {
        const char *name, *label;
        ws_table *table;
    } files[] = {{"data/runs.csv", "Runs as CSV", &r->runs},
                 {"data/scale.csv", "Configurations as CSV", &r->scale},
                 {"data/findings.csv", "Findings as CSV", &findings}};
    ws_status status = WS_OK;
    for (size_t i = 0; status == WS_OK && i < sizeof files / sizeof *files; i++) {
        ws_table_add_synthetic_mark(files[i].table);
        status = ws_report_folder_write(&r->folder, files[i].name, write_csv, files[i].table, error);
        ws_table_take_synthetic_mark(files[i].table);
        ws_page_add_link(&r->page, &r->page.files, files[i].label, files[i].name);
    }
    ws_table_free(&findings);
    return status;
}

/* Power over time of one run. */
static ws_status add_profile(reporter *r, ws_figure_input *input, ws_error *error)
{
    ws_source_options source;
    ws_profiles profiles;
    const char *run_report;
    ws_arena arena = {0};
    ws_cli_source_options(r->cli, &source); /* was right for the runs */
    ws_status status = WS_OK;
    ws_report_profile(r->cli->arguments[0], &r->campaign, &r->files, &r->runs, &r->drawn, &source, &profiles,
                      &run_report, &input->domain);
    input->profiles = &profiles;
    r->gallery.about = ws_arena_printf(&arena, "Run %s. ", run_report ? run_report : "");
    if (run_report)
        status = ws_report_figures(&r->gallery, ws_figure_recipes(), WS_FIGURE_OF_TRACES, input, error);
    r->gallery.about = "";
    ws_profiles_free(&profiles);
    ws_arena_free(&arena);
    return status;
}

/* The figures of a paper, in its order; those of traces read what they choose. */
static ws_status add_paper_figures(reporter *r, const ws_figure_input *input, ws_error *error)
{
    ws_source_options source;
    ws_status status = WS_OK;
    ws_cli_source_options(r->cli, &source); /* was right for the runs */
    for (const ws_figure_recipe *const *f = r->paper->figures; status == WS_OK && *f; f++) {
        const ws_figure_recipe *const one[] = {*f, NULL};
        ws_figure_input own = *input;
        ws_run_profiles read = {0};
        ws_error why = {0};
        bool has_data =
            (*f)->source != WS_FIGURE_OF_RUNS ||
            ws_read_run_profiles(&r->campaign, &r->files, &r->runs, *f, &source, NULL, &read, &own, &why) == WS_OK;
        if (has_data)
            status = ws_report_figures(&r->gallery, one, (*f)->source, &own, error);
        else
            ws_notes_add_lacking(&r->notes, (*f)->name, &why);
        ws_run_profiles_free(&read);
    }
    return status;
}

static ws_status add_figures(reporter *r, ws_error *error)
{
    ws_figure_input input = {.runs = &r->runs,
                             .scale = &r->scale,
                             .synthetic = r->scale.synthetic,
                             .level = 0.95,
                             .reference = ws_cli_value(r->cli, "reference")};
    ws_status status = WS_OK;
    r->gallery = (ws_report_gallery){.cli = r->cli,
                                     .campaign = &r->campaign,
                                     .folder = &r->folder,
                                     .page = &r->page,
                                     .notes = &r->notes,
                                     .about = "",
                                     .tells = r->paper};
    if (r->paper)
        return add_paper_figures(r, &input, error);
    if (r->scale.n_rows > 1) /* a single point compares nothing */
        status = ws_report_figures(&r->gallery, ws_figure_recipes(), WS_FIGURE_OF_CAMPAIGN, &input, error);
    return status == WS_OK ? add_profile(r, &input, error) : status;
}

/* On the page of a paper, a sentence for each thing that recipes lack, with their names. */
static void say_what_is_wanting(reporter *r)
{
    ws_arena arena = {0};
    size_t n = 0;
    const char **names = ws_arena_alloc(&arena, (r->notes.n + 1) * sizeof *names);
    const char **reasons = ws_arena_alloc(&arena, (r->notes.n + 1) * sizeof *reasons);
    for (size_t i = 0; i < r->notes.n; i++) {
        const ws_note *note = &r->notes.items[i];
        if (note->finding != WS_FINDING_NO_DATA_FOR_RECIPE)
            continue;
        const char *reason = note->lacking ? note->lacking : note->text;
        size_t at = 0;
        while (at < n && strcmp(reasons[at], reason) != 0)
            at++;
        names[at] = at == n ? note->subject : ws_arena_printf(&arena, "%s, %s", names[at], note->subject);
        reasons[at] = reason;
        n += at == n;
    }
    if (n)
        ws_page_add_section(&r->page, "What could not be made");
    if (n && r->page.n_figures)
        ws_page_fold(&r->page);
    for (size_t i = 0; i < n; i++)
        ws_page_say(&r->page, "%s: %s.", names[i], reasons[i]);
    ws_arena_free(&arena);
}

static ws_status compose(reporter *r, ws_error *error)
{
    ws_notes_append(&r->notes, &r->scale.notes);
    r->page.synthetic = r->scale.synthetic;
    r->page.notes = &r->notes;
    r->page.provenance = &r->provenance;
    ws_status status = tell(r, error);
    if (status == WS_OK)
        status = add_figures(r, error);
    if (status == WS_OK)
        status = add_tables(r, error);
    if (status == WS_OK && r->paper)
        say_what_is_wanting(r);
    if (status == WS_OK)
        status = write_data(r, error);
    ws_page_add_link(&r->page, &r->page.files, "Report as LaTeX", "report.tex");
    ws_page_add_link(&r->page, &r->page.files, "Numbers for LaTeX", "numbers.tex");
    if (status == WS_OK)
        status = ws_report_folder_write(&r->folder, "numbers.tex", write_numbers, r, error);
    if (status == WS_OK)
        status = ws_report_folder_write(&r->folder, "index.html", write_page, &r->page, error);
    if (status == WS_OK)
        status = ws_report_folder_write(&r->folder, "report.tex", write_latex_report, &r->page, error);
    if (status == WS_OK)
        status = ws_report_folder_write(&r->folder, "provenance.json", write_provenance, &r->provenance, error);
    return status == WS_OK ? ws_report_folder_finish(&r->folder, error) : status;
}

static void copy_all(const ws_table *runs, ws_table *out)
{
    bool *keep = ws_alloc((runs->n_rows + 1) * sizeof *keep);
    for (size_t row = 0; row < runs->n_rows; row++)
        keep[row] = true;
    ws_table_copy_rows(runs, keep, out);
    free(keep);
}

static int report_report(reporter *r)
{
    ws_error error = {0};
    r->cli->inputs = ws_input_register_new();
    r->cli->files = &r->files;
    r->cli->drawn = r->paper ? NULL : &r->drawn;
    int status = ws_data_runs(r->cli, r->cli->arguments[0], &r->campaign, &r->runs);
    if (status == WS_EXIT_OK)
        status = ws_data_scale_named(r->cli, r->paper, &r->campaign, &r->runs, &r->scale);
    if (status != WS_EXIT_OK)
        return status;
    copy_all(&r->runs, &r->all_runs);
    ws_data_leave_out(r->cli, &r->runs);
    if (!r->runs.n_rows) {
        ws_cli_notes(r->cli, &r->runs.notes);
        ws_fail_at(&error, WS_DATA, r->cli->arguments[0], 0, "no run is left to report on: every one is excluded");
        return ws_cli_fail(r->cli, &error);
    }
    ws_page_init(&r->page, title_of(r));
    ws_provenance_init(&r->provenance, WATTSCALE_VERSION);
    note_command(r);
    ws_status outcome = compose(r, &error);
    ws_cli_notes(r->cli, &r->notes);
    if (outcome != WS_OK)
        return ws_cli_fail(r->cli, &error);
    fprintf(r->cli->out, "%s/index.html\n", r->folder.target);
    return WS_EXIT_OK;
}

static void free_reporter(reporter *r)
{
    for (size_t i = 0; i < r->n_tables; i++)
        ws_table_free(&r->tables[i]);
    ws_known_styles_free(&r->gallery.styles);
    ws_page_free(&r->page);
    ws_provenance_free(&r->provenance);
    ws_notes_free(&r->notes);
    ws_table_free(&r->scale);
    ws_table_free(&r->runs);
    ws_table_free(&r->all_runs);
    ws_drawn_run_free(&r->drawn);
    ws_run_list_free(&r->files);
    ws_campaign_free(&r->campaign);
    ws_report_folder_free(&r->folder);
    ws_input_register_free(r->cli->inputs);
    r->cli->inputs = NULL;
    r->cli->files = NULL;
    r->cli->drawn = NULL;
    free(r);
}

static int run_report(ws_cli *cli)
{
    const char *target = ws_cli_value(cli, "output");
    ws_error error = {0};
    if (!target || !*target)
        return ws_cli_usage(cli, "-o DIR is needed: the folder to write");
    if (ws_is_pipe(cli->arguments[0]))
        return ws_cli_usage(cli, "a report names the files it rests on, and '%s' is none", cli->arguments[0]);
    const char *paper = ws_cli_value(cli, "paper");
    if (paper && !ws_paper_find(paper))
        return ws_cli_usage(cli, "there is no paper '%s'; there are: %s", paper, ws_paper_names(&cli->arena));
    const char *macros = ws_cli_value(cli, "macros");
    if (macros && !ws_is_macro_prefix(macros))
        return ws_cli_usage(cli, "--macros must be letters, 40 at most and not beginning with 'end', not '%s'", macros);
    double width_mm;
    if (!ws_plot_width(cli, &width_mm))
        return WS_EXIT_USAGE;
    reporter *r = ws_alloc(sizeof *r);
    r->cli = cli;
    r->paper = paper ? ws_paper_find(paper) : NULL;
    int status = ws_report_folder_begin(&r->folder, target, ws_cli_has(cli, "force"), &error) == WS_OK
                     ? report_report(r)
                     : ws_cli_fail(cli, &error);
    free_reporter(r);
    return status;
}

const ws_command ws_command_report = {
    .name = "report",
    .arguments = "CAMPAIGN -o DIR",
    .summary = "a folder with everything: page, figures, tables, data, provenance",
    .description =
        "Writes DIR/index.html, one page that needs nothing else: what was measured, how sure it is and what stands "
        "out in words, every figure and table that the campaign has data for, what was noticed on the way. Beside it "
        "figures/ (PDF, SVG, PNG), tables/ (CSV, Markdown, LaTeX), data/ (runs, configurations, findings and the data "
        "of each figure), report.tex, which LaTeX takes as it is, numbers.tex with a macro "
        "for each number that a sentence may need, and provenance.json: version, command line, every "
        "input with its size and SHA-256.\n\n"
        "--paper NAME makes the figures and tables of a paper instead, in its order and under its names, of any "
        "campaign that has what they need; what is left out, and for want of what, is a note.\n\n"
        "DIR appears when it is complete and not before. An existing DIR needs --force, and one that holds anything "
        "but a report is not replaced. Same inputs, same bytes; there is no date in any of it.",
    .options = options,
    .example = "wattscale report datasets/demo -o report",
    .least = 1,
    .most = 1,
    .no_table = "a report holds every table in every form",
    .run = run_report,
};
