#include "analyze/commands/data.h"
#include "analyze/commands/progress_line.h"

#include "analyze/condition.h"
#include "analyze/ingest/field_names.h"
#include "analyze/ingest/record_fields.h"
#include "analyze/ingest/run_columns.h"
#include "analyze/ingest/run_names.h"
#include "analyze/ingest/tidy.h"
#include "analyze/recipes/training_results.h"
#include "analyze/run_status.h"
#include "analyze/same_rows.h"
#include "analyze/scaling/work.h"
#include "analyze/store/store.h"
#include "analyze/units.h"
#include "analyze/unusable_runs.h"
#include "core/known_to.h"
#include "formats/input/input.h"
#include "formats/campaign_json.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* How the runs of a table ended that broke off: each word once, in the order of the rows. */
typedef struct broken_off {
    const char *column[16], *word[16];
    size_t n;
    uint64_t times;
    int64_t line; /* of the first */
} broken_off;

static void take_end(broken_off *b, const ws_table *table, size_t row, const char *column, const char *word)
{
    size_t i = 0;
    while (i < b->n && strcmp(b->word[i], word) != 0)
        i++;
    if (i == b->n && i < sizeof b->word / sizeof *b->word)
        b->column[b->n] = column, b->word[b->n++] = word;
    if (b->times++ == 0)
        b->line = table->line ? table->line[row] : 0;
}

static void find_broken_off(const ws_table *table, broken_off *b)
{
    size_t *end = ws_alloc((table->n_columns + 1) * sizeof *end), n = 0;
    for (size_t c = 0; c < table->n_columns; c++)
        if (table->columns[c].kind == WS_TEXT && ws_is_end_name(table->columns[c].name))
            end[n++] = c;
    for (size_t row = 0; row < table->n_rows; row++)
        for (size_t i = 0; i < n; i++)
            if (ws_status_is_unfinished(table->columns[end[i]].text[row])) {
                take_end(b, table, row, table->columns[end[i]].name, table->columns[end[i]].text[row]);
                break;
            }
    free(end);
}

/* Runs that broke off are data like the others, until somebody leaves them out. */
static void note_unfinished(ws_table *table)
{
    ws_arena arena = {0};
    const char *words = "", *options = "";
    broken_off b = {.n = 0};
    find_broken_off(table, &b);
    for (size_t i = 0; i < b.n; i++) {
        words = ws_arena_printf(&arena, "%s%s'%s'", words, i == 0 ? "" : i + 1 == b.n ? " or " : ", ", b.word[i]);
        options = ws_arena_printf(&arena, "%s%s--exclude '%s=%s'", options, i == 0 ? "" : " ", b.column[i], b.word[i]);
    }
    if (b.n)
        ws_notes_add_many(&table->notes, b.times, WS_FINDING_UNFINISHED_RUN, table->source, b.word[0], b.line,
                          "runs with the status %s are used like the others (%s %s them out)", words, options,
                          b.n == 1 ? "leaves" : "leave");
    ws_arena_free(&arena);
}

bool ws_cli_take_set(const ws_cli *cli, ws_fields *fields, ws_arena *arena)
{
    for (size_t i = 0; i < cli->n_given; i++) {
        if (strcmp(cli->given[i].option->name, "set") != 0)
            continue;
        const char *text = cli->given[i].value, *equals = strchr(text, '=');
        if (!equals || equals == text)
            return ws_cli_usage(cli, "--set '%s' is not NAME=VALUE", text), false;
        ws_fields_set(fields, arena, ws_arena_strndup(arena, text, (size_t)(equals - text)), equals + 1);
    }
    return true;
}

/* A file that was named and waits for the user's word is as one that cannot be read. A store stands for its folder. */
static void count_asked(const ws_cli *cli, const char *path, const ws_table *runs)
{
    size_t status, asked = 0;
    bool has_status = ws_table_find(runs, "status", &status) && runs->columns[status].kind == WS_TEXT;
    for (size_t row = 0; has_status && row < runs->n_rows; row++)
        asked += ws_question_of(runs->columns[status].text[row]) != WS_ASK_NOTHING;
    bool is_folder = ws_is_directory(path) || ws_store_is(path);
    *(is_folder ? &cli->unread->found : &cli->unread->named) += asked;
}

/* With --strict an energy that cannot be used is as a file that cannot be read. */
static void count_unusable(const ws_cli *cli, const ws_table *runs)
{
    for (size_t row = 0; row < runs->n_rows; row++)
        cli->unread->found += ws_run_is_unusable(runs, row);
}

void ws_data_leave_out(const ws_cli *cli, ws_table *runs)
{
    if (!ws_cli_has(cli, "keep-unusable"))
        ws_drop_unusable_runs(runs);
}

/* The first of the given options that is about traces, for which a table of runs has no use. */
static const char *about_traces(const ws_cli *cli)
{
    static const char *const names[] = {"window",  "rule",   "gaps", "edges",    "back-steps",
                                        "sensors", "period", "tz",   "no-store", "jobs"};
    for (size_t i = 0; i < cli->n_given; i++)
        for (size_t k = 0; k < sizeof names / sizeof *names; k++)
            if (strcmp(cli->given[i].option->name, names[k]) == 0)
                return names[k];
    return NULL;
}

static int refuse_about_traces(const ws_cli *cli, const char *path)
{
    return ws_cli_usage(cli, "--%s is about traces, and '%.200s' is a table: nothing would change", about_traces(cli),
                        path);
}

/* Excerpts of half a per cent of a run say little about its mean, however well their own mean is known. */
static bool covers_little(const ws_table *runs)
{
    size_t column;
    if (!ws_table_find(runs, "coverage", &column))
        return false;
    for (size_t row = 0; row < runs->n_rows; row++)
        if (ws_table_number(runs, column, row) < ws_little_coverage)
            return true;
    return false;
}

/* Is a name a word of another option ("--by colour", "--only colour=red", "--group model,colour")? */
static bool is_named_by_others(const ws_cli *cli, const char *name)
{
    size_t n = strlen(name);
    for (size_t i = 0; i < cli->n_given; i++) {
        const char *value = strcmp(cli->given[i].option->name, "set") != 0 ? cli->given[i].value : NULL;
        for (const char *at = value ? strstr(value, name) : NULL; at; at = strstr(at + 1, name)) {
            bool begins = at == value || !(isalnum((unsigned char)at[-1]) || at[-1] == '_');
            if (begins && !isalnum((unsigned char)at[n]) && at[n] != '_')
                return true;
        }
    }
    return false;
}

/* Does the command print or draw no column but those that are known or named? */
static bool passes_over_fields(const ws_cli *cli, const ws_campaign *campaign, const ws_table *runs, size_t column)
{
    static const char *const commands[] = {"scale", "plot", "table", "fit", "correlate", "advise"};
    const char *name = runs->columns[column].name;
    bool shows_all = true, is_grouped = false;
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        shows_all &= strcmp(cli->command->name, commands[i]) != 0;
    for (size_t i = 0; i < campaign->n_group; i++)
        is_grouped |= strcmp(campaign->group[i], name) == 0;
    return !shows_all && !is_grouped && !ws_column_varies(runs, column) && !ws_field_is_known(name) &&
           !ws_is_training_result(runs, column) && !is_named_by_others(cli, name);
}

/* Do all runs have a field of their own where --set states one? What others follow from, as the samples of a part of a
 * data set, is not looked at. */
static bool check_set(const ws_cli *cli, const ws_campaign *campaign, const ws_table *runs)
{
    for (size_t i = 0; i < cli->n_given && runs->n_rows; i++) {
        if (strcmp(cli->given[i].option->name, "set") != 0)
            continue;
        char buffer[WS_DOUBLE_TEXT];
        const char *equals = strchr(cli->given[i].value, '='), *value = equals + 1;
        const char *name =
            ws_arena_strndup(&((ws_cli *)cli)->arena, cli->given[i].value, (size_t)(equals - cli->given[i].value));
        double wanted;
        size_t column, n = 0;
        if (!ws_table_find(runs, name, &column) || strcmp(name, "dataset_samples") == 0)
            continue;
        if (passes_over_fields(cli, campaign, runs, column))
            return ws_cli_usage(cli, "--set %s changes nothing here: 'wattscale %s' reads no field of that name",
                                cli->given[i].value, cli->command->name),
                   false;
        bool is_number = runs->columns[column].kind != WS_TEXT && ws_span_double(ws_span_of(value), &wanted);
        for (size_t row = 0; row < runs->n_rows; row++)
            n += is_number ? !(fabs(ws_table_number(runs, column, row) - wanted) > 0)
                           : ws_table_is_missing(runs, column, row) ||
                                 strcmp(ws_table_cell_text(runs, column, row, buffer), value) == 0;
        if (!n)
            return ws_cli_usage(cli, "--set %s changes nothing here: every run has its own %s", cli->given[i].value,
                                name),
                   false;
    }
    return true;
}

/* ... about what energies are worth, for which a table without verdicts has none. */
static const char *about_verdicts(const ws_cli *cli)
{
    return ws_cli_has(cli, "strict") ? "strict" : ws_cli_has(cli, "keep-unusable") ? "keep-unusable" : NULL;
}

/* `open` is the input of `path` where it is open already, or NULL. */
static int read_runs(const ws_cli *cli, const char *path, ws_input *open, ws_campaign *campaign, ws_table *runs)
{
    ws_ingest_options options = {0};
    ws_progress progress = {0};
    ws_progress_line line;
    ws_arena arena = {0};
    ws_error error = {0};
    bool of_several = strcmp(cli->command->name, "compare") == 0; /* the other side may have a use for an option */
    *campaign = (ws_campaign){0};
    *runs = (ws_table){0};
    int exit_status = WS_EXIT_USAGE;
    if (ws_cli_source_options(cli, &options.source) && ws_cli_measure_options(cli, &options.measure) &&
        ws_cli_threads(cli, &options.threads) && ws_cli_take_set(cli, &options.set, &arena)) {
        options.source.open = open;
        options.source.progress = &progress;
        options.source.inputs = cli->inputs;
        options.list = cli->files;
        options.drawn = cli->drawn;
        options.history = cli->history;
        options.about_traces = about_traces(cli);
        options.about_verdicts = about_verdicts(cli);
        options.uses_store = !ws_cli_has(cli, "no-store");
        ws_progress_line_start(&line, cli, NULL, &progress);
        ws_status status = ws_ingest(path, &options, campaign, runs, &error);
        ws_progress_line_stop(&line);
        ws_cli_count_unread(cli, path, &runs->notes);
        count_asked(cli, path, runs);
        exit_status = WS_EXIT_OK;
        if (status != WS_OK) {
            ws_cli_notes(cli, &runs->notes);
            exit_status = ws_cli_fail(cli, &error);
        } else if ((!of_several && !check_set(cli, campaign, runs)) || !ws_cli_take_looks(cli, campaign, runs) ||
                   !ws_cli_exclude(cli, campaign, runs)) {
            exit_status = WS_EXIT_USAGE;
        } else {
            note_unfinished(runs);
            count_unusable(cli, runs);
            runs->has_few_digits = covers_little(runs);
            ws_table_set_energy_u(runs);
            if (!of_several && !ws_cli_check_use(cli))
                exit_status = WS_EXIT_USAGE;
        }
    }
    ws_fields_free(&options.set);
    ws_arena_free(&arena);
    return exit_status;
}

int ws_data_runs(const ws_cli *cli, const char *path, ws_campaign *campaign, ws_table *runs)
{
    return read_runs(cli, path, NULL, campaign, runs);
}

size_t ws_data_list(ws_cli *cli, const char *text, const char ***items)
{
    ws_span rest = ws_span_of(text), piece;
    size_t n = 0, capacity = 1;
    for (const char *c = text; *c; c++)
        capacity += *c == ',';
    *items = ws_arena_alloc(&cli->arena, capacity * sizeof **items);
    while (ws_span_split(&rest, ',', &piece)) {
        piece = ws_span_trim(piece);
        if (piece.n)
            (*items)[n++] = ws_arena_strndup(&cli->arena, piece.p, piece.n);
    }
    return n;
}

bool ws_data_per(const ws_cli *cli, const char **per)
{
    ws_work work;
    *per = ws_cli_value(cli, "per");
    if (!*per || ws_work_named(*per, &work))
        return true;
    return ws_cli_usage(cli, "--per must be run, epoch or sample, not '%s'", *per), false;
}

/* A figure or a table of so much work where no run says how much it did: `scale` still lists the configurations. */
static bool may_be_per(const ws_cli *cli, const ws_table *runs, const char *per)
{
    ws_work work;
    bool is_drawn = strcmp(cli->command->name, "plot") == 0 || strcmp(cli->command->name, "table") == 0;
    if (!per || cli->is_facet || !is_drawn || !ws_work_named(per, &work) || work == WS_PER_RUN || !runs->n_rows)
        return true;
    for (size_t row = 0; row < runs->n_rows; row++)
        if (isfinite(ws_work_in(runs, work, row)) ||
            (work == WS_PER_EPOCH && isfinite(ws_work_value(runs, work, WS_COL_WALL, row))))
            return true;
    return ws_cli_usage(cli, "--per %s: no run says how many %ss there were (%s)", per, per,
                        work == WS_PER_EPOCH ? "epochs" : "epochs, dataset_samples, or samples_per_s and wall_s"),
           false;
}

int ws_data_scale(const ws_cli *cli, const ws_campaign *campaign, const ws_table *runs, ws_scale_members *members,
                  ws_table *scale)
{
    ws_scaling_options options = {.group = campaign->group,
                                  .n_group = campaign->n_group,
                                  .reference = campaign->reference,
                                  .kind = ws_cli_value(cli, "scaling"),
                                  .may_lack_reference = cli->is_facet,
                                  .keeps_unusable = ws_cli_has(cli, "keep-unusable"),
                                  .sd = ws_cli_has(cli, "sd"),
                                  .members = members};
    const char *group = ws_cli_value(cli, "group"), *reference = ws_cli_value(cli, "reference");
    const char **names;
    if (!ws_data_per(cli, &options.per) || !may_be_per(cli, runs, options.per))
        return WS_EXIT_USAGE;
    if (options.kind && strcmp(options.kind, "strong") != 0 && strcmp(options.kind, "weak") != 0)
        return ws_cli_usage(cli, "--scaling '%s' is neither strong nor weak", options.kind);
    if (group) {
        options.n_group = ws_data_list((ws_cli *)cli, group, &names);
        options.group = names;
    }
    if (reference)
        options.reference = reference;
    ws_error error = {0};
    if (ws_scale(runs, &options, scale, &error) == WS_OK)
        return WS_EXIT_OK;
    ws_cli_notes(cli, &scale->notes);
    return ws_cli_fail(cli, &error);
}

int ws_data_scale_named(const ws_cli *cli, const ws_paper *paper, const ws_campaign *campaign, const ws_table *runs,
                        ws_table *scale)
{
    int status = ws_data_scale(cli, campaign, runs, NULL, scale);
    if (status != WS_EXIT_OK || !paper || runs->looks != cli->looks ||
        !ws_paper_name_series(paper, runs, scale, cli->looks, &((ws_cli *)cli)->arena) || scale->looks == cli->looks)
        return status;
    ws_table_free(scale); /* its references are named as series were before */
    return ws_data_scale(cli, campaign, runs, NULL, scale);
}

static bool has_all(const ws_table *table, const char *const *needed)
{
    size_t column;
    for (; *needed; needed++)
        if (!ws_table_find(table, *needed, &column))
            return false;
    return true;
}

static void take_numbers(ws_table *table, const char *const *needed)
{
    size_t column;
    for (; *needed; needed++)
        if (ws_table_find(table, *needed, &column))
            ws_tidy_numbers(table, column);
}

static int exclude(const ws_cli *cli, ws_table *table)
{
    if (!ws_cli_take_looks(cli, NULL, table) || !ws_cli_exclude(cli, NULL, table))
        return WS_EXIT_USAGE;
    note_unfinished(table);
    count_unusable(cli, table);
    ws_data_leave_out(cli, table);
    return WS_EXIT_OK;
}

/* A table down a pipe: it can be read once, so it is made tidy from memory where it lacks a wanted column. */
static int read_piped_table(const ws_cli *cli, const char *path, ws_input *pipe, const char *const *needed,
                            ws_table *table)
{
    ws_source_options options = {.as = ws_cli_value(cli, "as"), .read = WS_READ_DEFAULTS, .open = pipe};
    ws_error error = {0};
    ws_table raw;
    ws_fields set = {0};
    ws_arena arena = {0};
    *table = (ws_table){0};
    ws_status status = ws_source_read_table(path, &options, &raw, &error);
    if (status == WS_OK && has_all(&raw, needed)) {
        take_numbers(&raw, needed);
        *table = raw;
        return exclude(cli, table);
    }
    bool usable = ws_cli_take_set(cli, &set, &arena);
    if (status == WS_OK)
        ws_record_drop_steps(&raw);
    if (status == WS_OK && usable)
        status = ws_tidy(&raw, ws_cli_value(cli, "columns"), &set, table, &error);
    ws_table_free(&raw);
    ws_fields_free(&set);
    ws_arena_free(&arena);
    if (!usable)
        return WS_EXIT_USAGE;
    return status == WS_OK ? exclude(cli, table) : ws_cli_fail(cli, &error);
}

static int read_pipe(const ws_cli *cli, const char *path, const char *const *needed, ws_table *table)
{
    const char *as = ws_cli_value(cli, "as");
    ws_campaign campaign = {0};
    ws_error error = {0};
    ws_input *pipe;
    *table = (ws_table){0};
    if (ws_input_open(&pipe, path, &error) != WS_OK)
        return ws_cli_fail(cli, &error);
    const ws_format *format = as ? ws_format_by_name(as) : ws_format_recognise(pipe, NULL);
    int status = format && format->is_record ? read_piped_table(cli, path, pipe, needed, table)
                                             : read_runs(cli, path, pipe, &campaign, table);
    if (status == WS_EXIT_OK && !(format && format->is_record))
        ws_data_leave_out(cli, table);
    ws_campaign_free(&campaign);
    ws_input_close(pipe);
    return status;
}

/* The wanted columns that a table lacks are slips where it has another of them and nothing else that a run has. */
static const char *misnamed(const ws_table *table, const char *const *needed)
{
    const char *missing = NULL;
    size_t column, found = 0;
    for (; *needed; needed++) {
        if (ws_table_find(table, *needed, &column))
            found++;
        else if (!missing)
            missing = *needed;
    }
    return found && table->n_rows && !ws_run_names_any_quantity(table) ? missing : NULL;
}

/* A table that has the wanted columns is taken as it stands: a fit needs no campaign. False, and nothing is said, where
 * it may be made into one that has them. */
static bool read_as_it_stands(const ws_cli *cli, const char *path, const char *const *needed, ws_table *table,
                              int *exit_status)
{
    ws_source_options options = {.as = ws_cli_value(cli, "as"), .read = WS_READ_DEFAULTS};
    ws_error error = {0};
    bool is_table = ws_source_read_table(path, &options, table, &error) == WS_OK;
    const char *missing = is_table ? misnamed(table, needed) : NULL;
    size_t column;
    if (is_table && has_all(table, needed)) {
        take_numbers(table, needed);
        table->has_few_digits = covers_little(table);
        ws_table_set_energy_u(table);
        *exit_status = about_traces(cli) ? refuse_about_traces(cli, path) : exclude(cli, table);
        if (*exit_status == WS_EXIT_OK && about_verdicts(cli) && !ws_table_find(table, "energy_verdict", &column))
            *exit_status = ws_cli_usage(cli,
                                        "--%s is about traces and verdicts on energies, and '%.200s' is a "
                                        "table without any: nothing would change",
                                        about_verdicts(cli), path);
        return true;
    }
    if (missing) {
        ws_data_column(cli, table, missing, &column);
        *exit_status = WS_EXIT_USAGE;
        return true;
    }
    ws_table_free(table);
    return false;
}

int ws_data_table(const ws_cli *cli, const char *path, const char *const *needed, ws_table *table)
{
    if (ws_is_pipe(path))
        return read_pipe(cli, path, needed, table);
    bool plain = !ws_is_directory(path) && !ws_cli_has(cli, "columns") && !ws_cli_has(cli, "set");
    int status;
    if (plain && read_as_it_stands(cli, path, needed, table, &status))
        return status;
    ws_campaign campaign = {0};
    status = ws_data_runs(cli, path, &campaign, table);
    if (status == WS_EXIT_OK)
        ws_data_leave_out(cli, table);
    ws_campaign_free(&campaign);
    return status;
}

bool ws_data_column(const ws_cli *cli, const ws_table *table, const char *name, size_t *column)
{
    if (ws_table_find(table, name, column))
        return true;
    fprintf(cli->err, "wattscale %s: there is no column '%s'; there are:", cli->command->name, name);
    for (size_t i = 0; i < table->n_columns; i++) {
        bool empty = true;
        for (size_t row = 0; row < table->n_rows && empty; row++)
            empty = ws_table_is_missing(table, i, row);
        if (!empty)
            fprintf(cli->err, " %s", table->columns[i].name);
    }
    fprintf(cli->err, "\n");
    return false;
}

ws_status ws_data_none_left(const ws_table *table, const char *const *columns, ws_error *error)
{
    for (; *columns; columns++) {
        size_t column, values = 0;
        bool found = ws_table_find(table, *columns, &column);
        for (size_t row = 0; found && row < table->n_rows; row++)
            values += isnan(ws_table_number(table, column, row)) ? 0 : 1;
        if (!values && table->n_rows)
            return ws_fail_at(error, WS_DATA, table->source, 0,
                              "no row has a number in '%s' (wattscale runs shows what there is)", *columns);
    }
    return ws_fail_at(error, WS_DATA, table->source, 0, "no row is left that has all of the columns");
}

bool ws_data_level(const ws_cli *cli, double *level)
{
    const char *text = ws_cli_value(cli, "level");
    *level = 0.95;
    if (!text || (ws_span_double(ws_span_of(text), level) && *level > 0 && *level < 1))
        return true;
    ws_cli_usage(cli, "--level '%s' is no number between 0 and 1", text);
    return false;
}

static bool is_word_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

void ws_data_words(const char *sentence, const char *x, const char *y, char *out, size_t size)
{
    size_t used = 0;
    char before = ' ';
    for (const char *c = sentence; *c && used + 1 < size; before = *c++) {
        bool alone = (*c == 'x' || *c == 'y') && !is_word_char(before) && !is_word_char(c[1]);
        const char *name = *c == 'x' ? x : y;
        size_t n = alone ? strlen(name) : 1, room = size - 1 - used;
        memcpy(out + used, alone ? name : c, n < room ? n : room);
        used += n < room ? n : room;
    }
    out[used] = '\0';
}

static const char *label_of(ws_cli *cli, const ws_table *table, const size_t *columns, size_t n, size_t row)
{
    const char *label = "";
    char buffer[WS_DOUBLE_TEXT];
    for (size_t i = 0; i < n; i++)
        label = ws_arena_printf(&cli->arena, "%s%s%s%s%s", label, *label ? " " : "",
                                n > 1 ? table->columns[columns[i]].name : "", n > 1 ? "=" : "",
                                ws_table_cell_text(table, columns[i], row, buffer));
    return n ? label : "all";
}

static ws_row_group *add_group(ws_row_groups *groups, const char *label)
{
    groups->items = ws_grow(groups->items, &groups->capacity, groups->n + 1, sizeof *groups->items);
    groups->items[groups->n] = (ws_row_group){.label = label};
    return &groups->items[groups->n++];
}

static void count_once(const ws_table *table, ws_row_groups *groups)
{
    size_t *same = ws_alloc((table->n_rows + 1) * sizeof *same), again = 0;
    bool *alike = ws_alloc(table->n_rows + 1), *twin = ws_alloc(table->n_rows + 1);
    ws_units_same_runs(table, same, alike);
    again = ws_units_twins(table, same, twin);
    for (size_t row = 0; row < table->n_rows; row++)
        again += same[row] != row || alike[row];
    for (size_t i = 0; again && i < groups->n; i++) {
        ws_row_group *g = &groups->items[i];
        size_t kept = ws_units_once(same, g->rows, g->n);
        g->n_again = g->n - kept;
        g->n = kept;
        g->n_alike = ws_units_alike(alike, g->rows, g->n);
        g->n_twins = ws_units_alike(twin, g->rows, g->n);
    }
    free(twin);
    free(alike);
    free(same);
}

bool ws_data_group(ws_cli *cli, const ws_table *table, const char *by, ws_row_groups *groups)
{
    const char **names = NULL, *unit = ws_cli_value(cli, "unit");
    size_t n = by ? ws_data_list(cli, by, &names) : 0;
    size_t *columns = ws_arena_alloc(&cli->arena, (n + 1) * sizeof *columns);
    *groups = (ws_row_groups){0};
    for (size_t i = 0; i < n; i++)
        if (!ws_data_column(cli, table, names[i], &columns[i]))
            return false;
    ws_same_rows index;
    ws_same_rows_init(&index, table, columns, n);
    for (size_t row = 0; row < table->n_rows; row++) {
        size_t number = ws_same_rows_number(&index, row);
        if (number == groups->n)
            add_group(groups, label_of(cli, table, columns, n, row));
        ws_row_group *g = &groups->items[number];
        g->rows = ws_grow(g->rows, &g->capacity, g->n + 1, sizeof *g->rows);
        g->rows[g->n++] = row;
    }
    ws_same_rows_free(&index);
    if (!unit || strcmp(unit, "run") != 0)
        count_once(table, groups);
    return true;
}

/* Which work the rows of a group are compared by, told from all of its columns; *why as ws_work_of has it. */
static ws_work work_of_group(const ws_cli *cli, const ws_table *table, const ws_row_group *group, const char **why)
{
    const char *per = ws_cli_value(cli, "per");
    ws_work work = WS_PER_RUN;
    *why = NULL;
    if (per && ws_work_named(per, &work))
        return work;
    size_t gpus, *unit = ws_alloc((group->n + 1) * sizeof *unit);
    ws_units_configurations(table, group->rows, group->n, NULL, 0, unit);
    bool is_weak = ws_table_find(table, "gpus", &gpus) && ws_work_is_weak(table, group->rows, group->n, gpus);
    const ws_compared compared = {table, group->rows, unit, group->n, is_weak};
    work = ws_work_of(&compared, why);
    free(unit);
    return work;
}

/* What the user chose needs no note. */
static void note_work(const ws_cli *cli, ws_table *table, ws_work work, const char *why, const char *name)
{
    const ws_compared compared = {.table = table};
    if (!ws_cli_has(cli, "per"))
        ws_work_note(&compared, work, why, name, &table->notes);
}

/* Whole numbers that are divided are whole no more. */
static void make_real(ws_table *table, size_t column)
{
    ws_column *c = &table->columns[column];
    if (c->kind != WS_INTEGER)
        return;
    double *numbers = ws_alloc((c->capacity + 1) * sizeof *numbers);
    for (size_t row = 0; row < table->n_rows; row++)
        numbers[row] = ws_table_number(table, column, row);
    free(c->integer);
    c->integer = NULL;
    c->number = numbers;
    c->kind = WS_NUMBER;
}

enum { MOST_WORK_COLUMNS = 16 };

/* Which columns are divided, and those of their spreads; SIZE_MAX for none. */
typedef struct divided {
    size_t n, value[MOST_WORK_COLUMNS], rmse[MOST_WORK_COLUMNS];
} divided;

/* The work of a row may follow from its time: all is worked out before anything is written. */
static void divide_row(ws_table *table, const divided *d, size_t row, ws_work work)
{
    double value[MOST_WORK_COLUMNS], all = ws_work_in(table, work, row);
    for (size_t i = 0; i < d->n; i++)
        value[i] = ws_work_value(table, work, d->value[i], row);
    for (size_t i = 0; i < d->n; i++) {
        ws_table_set_number(table, d->value[i], row, value[i]);
        if (d->rmse[i] != SIZE_MAX)
            ws_table_set_number(table, d->rmse[i], row, ws_table_number(table, d->rmse[i], row) / all);
    }
}

/* `rows`: which ones; NULL for the first `n`. */
static void divide_by_work(ws_table *table, const size_t *rows, size_t n, const size_t *columns, size_t count,
                           ws_work work)
{
    divided d = {.n = work == WS_PER_RUN ? 0 : count};
    for (size_t i = 0; i < d.n; i++) {
        char beside[160];
        snprintf(beside, sizeof beside, "%s_rmse", table->columns[columns[i]].name);
        d.value[i] = columns[i];
        if (!ws_table_find(table, beside, &d.rmse[i]))
            d.rmse[i] = SIZE_MAX;
        make_real(table, d.value[i]);
        if (d.rmse[i] != SIZE_MAX)
            make_real(table, d.rmse[i]);
    }
    for (size_t i = 0; i < n && d.n; i++)
        divide_row(table, &d, rows ? rows[i] : i, work);
}

static bool is_among(const char *name, const char *const *names, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (names[i] && strcmp(names[i], name) == 0)
            return true;
    return false;
}

/* The columns among `names` that grow with the work of a run, and what is known of an energy with the energy; none
 * where one is the number of epochs itself. */
static size_t work_columns(const ws_table *table, const char *const *names, size_t n, size_t *columns, size_t room)
{
    static const char *const u = "energy_u_kwh";
    size_t count = 0;
    if (is_among("epochs", names, n))
        return 0;
    for (size_t i = 0; i < n && count < room; i++)
        count += names[i] && ws_grows_with_work(names[i]) && ws_table_find(table, names[i], &columns[count]) &&
                 table->columns[columns[count]].kind != WS_TEXT;
    if (count && count < room && is_among("energy_kwh", names, n) && !is_among(u, names, n))
        count += ws_table_find(table, u, &columns[count]) && table->columns[columns[count]].kind != WS_TEXT;
    return count;
}

void ws_data_equal_work(const ws_cli *cli, ws_table *table, const ws_row_groups *groups, const char *const *names,
                        size_t n, ws_work *works)
{
    size_t columns[MOST_WORK_COLUMNS], count = work_columns(table, names, n, columns, MOST_WORK_COLUMNS);
    for (size_t g = 0; g < groups->n; g++) {
        const ws_row_group *group = &groups->items[g];
        const char *why = NULL;
        ws_work work = count ? work_of_group(cli, table, group, &why) : WS_PER_RUN;
        note_work(cli, table, work, why, group->label);
        divide_by_work(table, group->rows, group->n, columns, count, work);
        if (works)
            works[g] = work;
    }
}

bool ws_data_per_has_use(const ws_cli *cli, const ws_table *table, const char *const *names, size_t n)
{
    size_t columns[MOST_WORK_COLUMNS];
    const char *per = ws_cli_value(cli, "per");
    if (!per || work_columns(table, names, n, columns, MOST_WORK_COLUMNS))
        return true;
    for (size_t i = 0; i < n; i++)
        if (names[i] && strcmp(names[i], "epochs") == 0)
            return ws_cli_usage(cli, "--per %s: what goes by the number of epochs itself is of whole runs", per), false;
    return ws_cli_usage(cli, "--per %s: no column that is taken here grows with the work of a run", per), false;
}

/* Do all rows say how much of that work they hold? */
static bool all_say(const ws_table *table, const ws_row_groups *groups, ws_work work)
{
    for (size_t g = 0; g < groups->n; g++)
        for (size_t i = 0; i < groups->items[g].n; i++)
            if (isnan(ws_work_in(table, work, groups->items[g].rows[i])))
                return false;
    return true;
}

ws_work ws_data_one_work(const ws_cli *cli, ws_table *table, const ws_row_groups *groups, const char *const *names,
                         size_t n)
{
    size_t columns[MOST_WORK_COLUMNS], count = work_columns(table, names, n, columns, MOST_WORK_COLUMNS);
    const char *why = NULL, *name = "";
    ws_work of_all = WS_PER_RUN;
    for (size_t g = 0; count && g < groups->n; g++) {
        const char *unknown;
        ws_work work = work_of_group(cli, table, &groups->items[g], &unknown);
        if (unknown && !why)
            name = groups->items[g].label;
        why = why ? why : unknown;
        of_all = work > of_all ? work : of_all;
    }
    if (of_all != WS_PER_RUN && !ws_cli_has(cli, "per") && !all_say(table, groups, of_all)) {
        of_all = WS_PER_RUN;
        why = "not every run says how many epochs it took";
        name = "";
    }
    note_work(cli, table, of_all, of_all == WS_PER_RUN ? why : NULL, of_all == WS_PER_RUN ? name : "");
    divide_by_work(table, NULL, table->n_rows, columns, count, of_all);
    return of_all;
}

const char *ws_data_work_words(ws_cli *cli, const char *name, const ws_work *works, size_t n_groups)
{
    bool alike = name && n_groups && ws_grows_with_work(name) && works[0] != WS_PER_RUN;
    for (size_t i = 1; i < n_groups && alike; i++)
        alike = works[i] == works[0];
    return alike ? ws_arena_printf(&cli->arena, "%s per %s", name, ws_work_name(works[0])) : name;
}

const char *ws_data_parts(ws_cli *cli, const ws_table *table, const size_t *rows, size_t n, ws_row_groups *parts)
{
    size_t column, *part = ws_alloc((n + 1) * sizeof *part), n_parts = ws_units_parts(table, rows, n, &column, part);
    *parts = (ws_row_groups){0};
    for (size_t i = 0; n_parts && i < n; i++) {
        if (part[i] == parts->n)
            add_group(parts, label_of(cli, table, &column, 1, rows[i]));
        ws_row_group *g = &parts->items[part[i]];
        g->rows = ws_grow(g->rows, &g->capacity, g->n + 1, sizeof *g->rows);
        g->rows[g->n++] = i;
    }
    free(part);
    return n_parts ? table->columns[column].name : NULL;
}

bool ws_data_unit(ws_cli *cli, bool *by_run)
{
    const char *text = ws_cli_value(cli, "unit");
    *by_run = text && strcmp(text, "run") == 0;
    if (!text || *by_run || strcmp(text, "configuration") == 0)
        return true;
    return ws_cli_usage(cli, "--unit must be configuration or run, not '%s'", text), false;
}

void ws_data_note_again(const ws_cli *cli, ws_notes *notes, const ws_table *table, const ws_row_group *group)
{
    bool may_take = false;
    for (const ws_option *o = cli->command->options; o->name; o++)
        may_take = may_take || strcmp(o->name, "unit") == 0;
    ws_notes_add_many(notes, group->n_again, WS_FINDING_SAME_RUN, table->source, group->label, 0,
                      "rows of '%s' hold a run that another row holds with the same digits, and count once%s",
                      group->label,
                      may_take ? " (--unit run takes them all)" : " (a column with the run's name tells apart)");
    ws_notes_add_many(notes, group->n_alike, WS_FINDING_ALIKE_RUNS, table->source, group->label, 0, "%s",
                      WS_UNITS_ALIKE);
    ws_notes_add_many(notes, group->n_twins, WS_FINDING_ALIKE_RUNS, table->source, group->label, 0, "%s",
                      WS_UNITS_TWINS);
}

void ws_data_note_averaged(ws_notes *notes, const ws_table *table, const ws_row_group *group, const char *x)
{
    ws_notes_add(notes, WS_FINDING_MIXED_SETTINGS, table->source, group->label, 0,
                 "%s differs in every run, by little within a configuration: it is taken as measured, and averaged "
                 "like y (--unit run takes every run as a point)",
                 x);
}

void ws_row_groups_free(ws_row_groups *groups)
{
    for (size_t i = 0; i < groups->n; i++)
        free(groups->items[i].rows);
    free(groups->items);
    *groups = (ws_row_groups){0};
}
