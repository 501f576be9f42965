#include "analyze/ingest/manifest.h"

#include "analyze/ingest/run_columns.h"
#include "analyze/folder_walk.h"
#include "analyze/source.h"
#include "formats/input/input.h"

#include <stdlib.h>
#include <string.h>

/* Names of such a column. A log may be anything, and a table of results may name the files that it came from: those are
 * followed where a cell leads to a trace. */
static const struct {
    const char *name;
    bool is_sure;
} names[] = {{"trace", true},        {"traces", true},      {"trace_file", true},  {"trace_files", true},
             {"trace_path", true},   {"trace_paths", true}, {"power_trace", true}, {"power_log", true},
             {"energy_trace", true}, {"log", false},        {"logs", false},       {"log_file", false},
             {"log_path", false},    {"file", false},       {"files", false},      {"filename", false},
             {"path", false},        {"path_save", false}};

typedef struct manifest {
    ws_table *runs;
    ws_campaign *campaign;
    size_t column;
    ws_file_list found; /* of the row at hand */
} manifest;

/* The table's own folder, and "." for the working folder. */
static const char *folder_of(ws_arena *arena, const char *source)
{
    const char *slash = strrchr(source, '/');
    if (!slash)
        return ".";
    return slash == source ? "/" : ws_arena_strndup(arena, source, (size_t)(slash - source));
}

/* Relative to the folder, as ws_explicit_run wants it. */
static const char *inside(const ws_campaign *c, const char *path)
{
    size_t n = strlen(c->folder);
    return strncmp(path, c->folder, n) == 0 && path[n] == '/' ? path + n + 1 : path;
}

static bool is_trace(const char *path)
{
    const ws_format *format;
    return ws_source_recognise(path, NULL, &format, NULL, NULL) == WS_OK && format && !format->is_record;
}

static void manifest_note(manifest *m, size_t row, ws_finding finding, const char *path, const char *why)
{
    ws_notes_add(&m->runs->notes, finding, m->runs->source, m->runs->columns[m->column].name,
                 m->runs->line ? m->runs->line[row] : 0, "'%.200s' %s", path, why);
}

static void add_traces_below(manifest *m, const char *folder)
{
    ws_file_list files = {0};
    ws_walk(folder, &files, &m->runs->notes, NULL);
    for (size_t i = 0; i < files.n; i++)
        if (is_trace(files.paths[i]))
            ws_file_list_add(&m->found, files.paths[i]);
    ws_file_list_free(&files);
}

static void follow_path(manifest *m, size_t row, ws_span name)
{
    ws_arena *arena = &m->campaign->arena;
    const char *text = ws_arena_strndup(arena, name.p, name.n);
    const char *path = *text == '/' ? text : ws_arena_printf(arena, "%s/%s", m->campaign->folder, text);
    size_t before = m->found.n;
    bool is_folder = ws_is_directory(path);
    if (is_folder)
        add_traces_below(m, path);
    else if (!ws_is_file(path))
        manifest_note(m, row, WS_FINDING_MISSING_TRACE, text,
                      "is no file or folder beside the table: the run keeps what its row says");
    else if (is_trace(path))
        ws_file_list_add(&m->found, path);
    if (m->found.n == before && (is_folder || ws_is_file(path)))
        manifest_note(m, row, WS_FINDING_NOT_A_TRACE, text,
                      is_folder ? "holds no trace that can be read" : "is no trace: the run keeps what its row says");
}

static void follow_cell(manifest *m, size_t row)
{
    char buffer[WS_DOUBLE_TEXT];
    ws_span rest = ws_span_of(ws_table_cell_text(m->runs, m->column, row, buffer)), name;
    ws_file_list_free(&m->found);
    while (ws_span_split(&rest, ';', &name)) {
        name = ws_span_trim(name);
        if (name.n)
            follow_path(m, row, name);
    }
}

static void add_run(manifest *m, size_t row)
{
    char buffer[WS_DOUBLE_TEXT], place[320];
    ws_campaign *c = m->campaign;
    ws_explicit_run *run = &c->runs[c->n_runs++];
    for (size_t column = 0; column < m->runs->n_columns; column++)
        if (!ws_table_is_missing(m->runs, column, row))
            ws_fields_set(&run->fields, &c->arena, m->runs->columns[column].name,
                          ws_table_cell_text(m->runs, column, row, buffer));
    if (!ws_fields_get(&run->fields, "run"))
        ws_fields_set(&run->fields, &c->arena, "run",
                      m->found.n ? inside(c, m->found.paths[0]) : ws_table_place(m->runs, row, place));
    run->n_files = m->found.n;
    run->files = ws_arena_alloc(&c->arena, run->n_files * sizeof *run->files + 1);
    for (size_t i = 0; i < run->n_files; i++)
        run->files[i] = ws_arena_strdup(&c->arena, inside(c, m->found.paths[i]));
}

/* How many traces the column leads to; the runs that it makes are those of the campaign. */
static size_t follow_column(manifest *m)
{
    size_t found = 0;
    m->campaign->source = ws_arena_strdup(&m->campaign->arena, m->runs->source);
    m->campaign->folder = folder_of(&m->campaign->arena, m->runs->source);
    m->campaign->synthetic = m->runs->synthetic;
    m->campaign->runs = ws_arena_alloc(&m->campaign->arena, m->runs->n_rows * sizeof *m->campaign->runs + 1);
    for (size_t row = 0; row < m->runs->n_rows; row++) {
        follow_cell(m, row);
        found += m->found.n;
        add_run(m, row);
    }
    ws_file_list_free(&m->found);
    return found;
}

static bool leads_to_a_trace(manifest *m)
{
    ws_table *runs = m->runs;
    ws_notes before = runs->notes;
    runs->notes = (ws_notes){0};
    bool found = follow_column(m) > 0;
    ws_notes_free(&runs->notes);
    runs->notes = before;
    ws_campaign_free(m->campaign);
    return found;
}

bool ws_manifest_follow(ws_table *runs, ws_campaign *campaign)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        manifest m = {.runs = runs, .campaign = campaign};
        if (!ws_table_find(runs, names[i].name, &m.column) || runs->columns[m.column].kind != WS_TEXT ||
            (!names[i].is_sure && !leads_to_a_trace(&m)))
            continue;
        follow_column(&m);
        return true;
    }
    return false;
}
