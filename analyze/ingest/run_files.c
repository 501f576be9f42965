#include "analyze/ingest/run_files.h"

#include "analyze/ingest/inputs.h"
#include "analyze/folder_walk.h"
#include "formats/input/input.h"

#include <inttypes.h>
#include <string.h>

enum { RUN, ROLE, PATH, NODE, FORMAT, SIZE, SHA256, RULE, DEVICES, SAMPLES, MISSING, FINDINGS };

static const struct {
    const char *name;
    ws_column_kind kind;
    bool detail;
} columns[] = {
    [RUN] = {"run", WS_TEXT, false},
    [ROLE] = {"role", WS_TEXT, false},
    [PATH] = {"path", WS_TEXT, false},
    [NODE] = {"node", WS_TEXT, false},
    [FORMAT] = {"format", WS_TEXT, false},
    [SIZE] = {"size", WS_INTEGER, true},
    [SHA256] = {"sha256", WS_TEXT, true},
    [RULE] = {"path_rule", WS_TEXT, true},
    [DEVICES] = {"devices", WS_INTEGER, false},
    [SAMPLES] = {"samples", WS_INTEGER, false},
    [MISSING] = {"missing", WS_INTEGER, false},
    [FINDINGS] = {"findings", WS_TEXT, false},
};

typedef struct lister {
    const ws_table *runs;
    const ws_input_register *inputs;
    ws_table *files;
    const char *run;
} lister;

ws_file_readings ws_run_file_readings(const ws_run_history *run, const char *path)
{
    ws_file_readings r = {0};
    for (size_t i = 0; i < run->n_devices; i++) {
        const ws_history_device *d = &run->devices[i];
        if (strcmp(d->source, path) != 0 || !*d->column)
            continue;
        r.devices++;
        r.samples += d->energy.samples;
        r.missing += d->energy.missing;
    }
    return r;
}

const ws_registered_input *ws_run_file_digest(const ws_input_register *inputs, const char *path, bool *is_archived)
{
    size_t outer = ws_packed_outer(path);
    ws_arena arena = {0};
    const char *file = outer ? ws_arena_strndup(&arena, path, outer) : path;
    const ws_registered_input *input = inputs ? ws_input_register_find(inputs, file) : NULL;
    *is_archived = outer > 0;
    ws_arena_free(&arena);
    return input && input->has_digest ? input : NULL;
}

void ws_run_files_register(const ws_history *history, ws_input_register *inputs)
{
    ws_file_list archived = {0};
    for (size_t r = 0; r < history->n; r++)
        for (size_t i = 0; i < history->runs[r].n_files; i++)
            if (ws_packed_outer(history->runs[r].files[i].path))
                ws_file_list_add(&archived, history->runs[r].files[i].path);
    ws_register_inputs(inputs, &archived, NULL);
    ws_file_list_free(&archived);
}

/* "long-gap 2, truncated-line": codes in the order of their notes, a count above 1. */
static const char *findings_of(const lister *l, const char *path)
{
    const char *text = NULL;
    for (size_t i = 0; i < l->runs->notes.n; i++) {
        const ws_note *note = &l->runs->notes.items[i];
        if (strcmp(note->source, path) != 0)
            continue;
        text = ws_arena_printf(&l->files->arena, "%s%s%s", text ? text : "", text ? ", " : "",
                               ws_finding_code(note->finding));
        if (note->count > 1)
            text = ws_arena_printf(&l->files->arena, "%s %" PRIu64, text, note->count);
    }
    return text;
}

static void set_text(ws_table *table, size_t column, size_t row, const char *text)
{
    if (text && *text)
        ws_table_set_text(table, column, row, text);
}

static size_t add_file(const lister *l, const char *role, const char *path)
{
    ws_table *t = l->files;
    size_t row = ws_table_add_row(t);
    const ws_registered_input *input = l->inputs ? ws_input_register_find(l->inputs, path) : NULL;
    set_text(t, RUN, row, l->run);
    set_text(t, ROLE, row, role);
    set_text(t, PATH, row, path);
    set_text(t, FINDINGS, row, findings_of(l, path));
    if (input && input->format)
        set_text(t, FORMAT, row, input->format->name);
    bool is_archived;
    const ws_registered_input *digest = ws_run_file_digest(l->inputs, path, &is_archived);
    if (digest) {
        ws_table_set_integer(t, SIZE, row, (int64_t)digest->size);
        set_text(t, SHA256, row, digest->sha256);
    }
    return row;
}

static void add_trace(const lister *l, const ws_run_history *run, const ws_history_file *file)
{
    ws_table *t = l->files;
    size_t row = add_file(l, "trace", file->path);
    ws_file_readings r = ws_run_file_readings(run, file->path);
    set_text(t, NODE, row, file->node);
    set_text(t, RULE, row, file->rule);
    if (!run->is_traced)
        return;
    ws_table_set_integer(t, DEVICES, row, (int64_t)r.devices);
    ws_table_set_integer(t, SAMPLES, row, (int64_t)r.samples);
    ws_table_set_integer(t, MISSING, row, (int64_t)r.missing);
}

/* A word was said by a file if that was read. */
static bool is_said_by_file(const lister *l, const ws_run_history *run, size_t word)
{
    if (!l->inputs || !ws_input_register_find(l->inputs, run->words[word].by))
        return false;
    for (size_t i = 0; i < word; i++)
        if (strcmp(run->words[i].by, run->words[word].by) == 0)
            return false;
    return true;
}

static void add_run(lister *l, const ws_run_history *run)
{
    for (size_t i = 0; i < run->n_files; i++)
        add_trace(l, run, &run->files[i]);
    if (run->window_record)
        add_file(l, "window", run->window_record);
    if (!run->is_traced && !run->n_files)
        add_file(l, "table", l->runs->source);
    for (size_t i = 0; i < run->n_words; i++)
        if (is_said_by_file(l, run, i))
            add_file(l, "side file", run->words[i].by);
}

void ws_run_files_table(const ws_table *runs, const ws_history *history, const ws_input_register *inputs,
                        ws_table *files)
{
    lister l = {.runs = runs, .inputs = inputs, .files = files};
    ws_table_init(files, "run-files");
    files->synthetic = runs->synthetic;
    files->source = ws_arena_strdup(&files->arena, runs->source);
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        ws_table_add_column(files, columns[i].name, columns[i].kind);
        if (columns[i].detail)
            ws_table_set_detail(files, i);
    }
    ws_table_set_place(files, RUN, WS_HEADING);
    files->screen_keys = 2; /* what the file is to the run, and its path */
    files->heads_if_wide = true;
    for (size_t row = 0, at = 0; row < runs->n_rows; row++) {
        const ws_run_history *run = ws_history_find_next(history, runs, row, &at);
        l.run = runs->columns[WS_COL_RUN].text[row];
        if (run)
            add_run(&l, run);
    }
    ws_notes_append(&files->notes, &runs->notes);
}
