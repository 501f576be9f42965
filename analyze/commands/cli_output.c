/* What a command says in the end: its table, and its notes for people. */
#include "analyze/commands/cli.h"

#include <inttypes.h>
#include <string.h>

/* What a fit says is a result, however many groups there are. */
static bool is_result(const ws_note *note)
{
    return ws_finding_about(note->finding)->severity == WS_SEVERITY_RESULT;
}

static void write_one(const ws_cli *cli, ws_note *note)
{
    ws_notes one = {.items = note, .n = 1};
    ws_notes_write(cli->err, &one);
}

/* One line for each kind of note: how often, in how many sources, and the first of them whole. */
static void write_kinds(const ws_cli *cli, const ws_notes *notes)
{
    for (size_t i = 0; i < notes->n; i++) {
        const ws_note *note = &notes->items[i];
        if (is_result(note)) {
            write_one(cli, &notes->items[i]);
            continue;
        }
        if (ws_notes_find(notes, note->finding) != note)
            continue;
        ws_note all = *note;
        size_t places = 0;
        for (size_t j = i; j < notes->n; j++) {
            if (notes->items[j].finding != note->finding)
                continue;
            all.count += j > i ? notes->items[j].count : 0;
            places++;
        }
        uint64_t times = all.count;
        all.count = places > 1 ? 1 : times;
        write_one(cli, &all);
        if (places > 1 && times == places)
            fprintf(cli->err, "    the first of %zu places (-v shows all)\n", places);
        else if (places > 1)
            fprintf(cli->err, "    the first of %zu places, %" PRIu64 " times in all (-v shows all)\n", places, times);
    }
}

void ws_cli_notes(const ws_cli *cli, const ws_notes *notes)
{
    enum { FEW = 8 };
    if (cli->quiet)
        return;
    if (cli->verbose || notes->n <= FEW)
        ws_notes_write(cli->err, notes);
    else
        write_kinds(cli, notes);
}

typedef struct table_output {
    const ws_cli *cli;
    const ws_table *table;
} table_output;

static ws_status write_table(FILE *stream, const void *what, ws_error *error)
{
    const table_output *output = what;
    ws_write_options how = {.all_columns = ws_cli_has(output->cli, "all-columns"), .colour = output->cli->colour};
    return ws_table_write(stream, output->table, output->cli->form, &how, error);
}

static void tell_lines(const ws_cli *cli)
{
    uint64_t plain = cli->lines->plain, other = cli->lines->other;
    if (cli->verbose && !cli->quiet && plain + other)
        fprintf(cli->err, "lines: %" PRIu64 " plain, %" PRIu64 " by libcsv\n", plain, other);
}

int ws_cli_output(const ws_cli *cli, ws_table *table)
{
    ws_error error = {0};
    if (!ws_cli_check_use(cli))
        return WS_EXIT_USAGE;
    ws_table_add_synthetic_mark(table);
    table->looks = table->looks ? table->looks : cli->looks;
    if (!cli->verbose)
        ws_notes_gather(&table->notes, WS_FINDING_NAIVE_TIME); /* nearly every logger leaves the zone out */
    table_output output = {cli, table};
    ws_cli_notes(cli, &table->notes);
    tell_lines(cli);
    ws_status status = ws_cli_write(cli, write_table, &output, &error);
    return status == WS_OK ? WS_EXIT_OK : ws_cli_fail(cli, &error);
}

void ws_cli_list_begin(ws_table *table, const char *name, const char *of)
{
    ws_table_init(table, name);
    ws_table_add_column(table, of, WS_TEXT);
    ws_table_add_column(table, "shows", WS_TEXT);
    table->folds_texts = true;
}

void ws_cli_list_add(ws_table *table, const char *name, const char *summary)
{
    size_t row = ws_table_add_row(table);
    ws_table_set_text(table, 0, row, name);
    ws_table_set_text(table, 1, row, summary);
}

int ws_cli_list_end(const ws_cli *cli, ws_table *table)
{
    int status = ws_cli_output(cli, table);
    ws_table_free(table);
    return status;
}
