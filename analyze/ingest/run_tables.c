#include "analyze/ingest/run_tables.h"

#include "analyze/ingest/path_endings.h"

#include "analyze/source.h"

#include <string.h>

/* Segment `depth` of the path; empty where there are fewer. */
static ws_span segment_of(const char *path, size_t depth)
{
    for (; depth && (path = strchr(path, '/')); depth--)
        path++;
    return path ? (ws_span){path, strcspn(path, "/")} : (ws_span){"", 0};
}

static bool is_last(const char *path, size_t depth)
{
    ws_span segment = segment_of(path, depth);
    return segment.n && segment.p[segment.n] == '\0';
}

static size_t depth_of_folder(const char *inside)
{
    size_t depth = 0;
    for (; *inside; inside++)
        depth += *inside == '/';
    return depth;
}

static bool is_below(const ws_found_file *table, const char *path)
{
    return strncmp(table->inside, path, ws_folder_length(table->inside)) == 0;
}

/* A file may be named without its ending. */
static ws_span name_of(const char *path, size_t depth, bool is_stem)
{
    ws_span name = segment_of(path, depth);
    if (is_stem && is_last(path, depth))
        name.n = ws_path_stem(name.p, name.n);
    return name;
}

/* "run_0" of "/scratch/study/run_0/" */
static ws_span last_part(const char *cell)
{
    ws_span last = ws_span_trim(ws_span_of(cell));
    while (last.n > 1 && last.p[last.n - 1] == '/')
        last.n--;
    for (size_t i = last.n; i-- > 0;)
        if (last.p[i] == '/')
            return (ws_span){last.p + i + 1, last.n - i - 1};
    return last;
}

bool ws_cell_names(const char *cell, ws_span name)
{
    return ws_span_eq(name, cell) || ws_span_same(last_part(cell), name);
}

static bool has_cell(const ws_table *table, size_t column, ws_span name)
{
    char buffer[WS_DOUBLE_TEXT];
    for (size_t row = 0; row < table->n_rows; row++)
        if (!ws_table_is_missing(table, column, row) &&
            ws_cell_names(ws_table_cell_text(table, column, row, buffer), name))
            return true;
    return false;
}

static bool are_all_other(const ws_table *table, size_t column)
{
    char a[WS_DOUBLE_TEXT], b[WS_DOUBLE_TEXT];
    for (size_t row = 1; row < table->n_rows; row++)
        for (size_t k = 0; k < row; k++)
            if (ws_span_same(last_part(ws_table_cell_text(table, column, row, a)),
                             last_part(ws_table_cell_text(table, column, k, b))))
                return false;
    return table->n_rows > 1;
}

/* Does the column name all traces below by their segment, and not all by the same? */
static bool names_traces(const ws_found_files *found, const ws_found_file *f, const ws_table *table, size_t column,
                         size_t depth, bool is_stem)
{
    ws_span first = {"", 0};
    bool differ = false;
    for (size_t i = 0; i < found->n; i++) {
        const ws_found_file *trace = &found->files[i];
        if (trace->role != WS_FILE_TRACE || !is_below(f, trace->inside))
            continue;
        ws_span name = name_of(trace->inside, depth, is_stem);
        if (!name.n || !has_cell(table, column, name))
            return false;
        differ |= first.n && !ws_span_same(first, name);
        first = name;
    }
    return differ;
}

static bool take_column(ws_arena *arena, const ws_found_files *found, ws_found_file *f, const ws_table *table)
{
    enum { DEEPEST = 4 };
    size_t from = depth_of_folder(f->inside);
    for (size_t c = 0; c < table->n_columns; c++)
        for (size_t depth = from; depth < from + DEEPEST && table->columns[c].kind == WS_TEXT; depth++)
            for (int stem = 1; stem >= 0; stem--)
                if (names_traces(found, f, table, c, depth, stem) && are_all_other(table, c)) {
                    f->role = WS_FILE_TABLE;
                    f->run_column = ws_arena_strdup(arena, table->columns[c].name);
                    f->run_depth = depth;
                    f->run_is_stem = stem;
                    return true;
                }
    return false;
}

void ws_find_run_tables(ws_arena *arena, ws_found_files *found)
{
    enum { MOST_ROWS = 2000 };
    for (size_t i = 0; i < found->n; i++) {
        ws_found_file *f = &found->files[i];
        ws_source_options options = {.as = "table-csv", .read = WS_READ_DEFAULTS};
        ws_table table;
        if (f->role == WS_FILE_TABLE) /* of ExperimentRunner: its folders are beside it */
            f->run_column = "__run_id", f->run_depth = depth_of_folder(f->inside);
        bool is_json = ws_is_format(f, "table-json");
        if (f->role != WS_FILE_NO_USE || (!ws_is_format(f, "table-csv") && !is_json))
            continue;
        options.as = is_json ? "table-json" : options.as;
        if (ws_source_read_table(f->path, &options, &table, NULL) == WS_OK && table.n_rows <= MOST_ROWS)
            take_column(arena, found, f, &table);
        ws_table_free(&table);
    }
}

bool ws_run_table_names(const ws_found_file *table, const char *path)
{
    return table->role == WS_FILE_TABLE && is_below(table, path) && segment_of(path, table->run_depth).n;
}

/* A name, a number or a repeat tells runs apart; these are what a table says more of. */
static bool is_setting(const char *name)
{
    static const char *const names[] = {"series", "config", "number", "run_number", "id"};
    for (size_t i = 0; name && i < sizeof names / sizeof *names; i++)
        if (strncmp(name, names[i], strlen(names[i])) == 0)
            return false;
    return name && ws_name_use(name) == WS_USE_SETTING;
}

static bool says_settings(const ws_scan_file *f, size_t depth)
{
    for (size_t k = 0; k < f->parts.segments[depth].n; k++)
        if (is_setting(f->names[depth][k]))
            return true;
    return false;
}

/* The row of the run, beside its path. */
static void add_row(ws_arena *arena, const ws_found_file *table, const ws_table *rows, ws_scan_file *f)
{
    const char *slash = strrchr(table->inside, '/');
    size_t column;
    char buffer[WS_DOUBLE_TEXT];
    ws_table_find(rows, table->run_column, &column);
    for (size_t row = 0; row < rows->n_rows; row++)
        for (size_t c = 0; c < rows->n_columns &&
                           ws_cell_names(ws_table_cell_text(rows, column, row, buffer), ws_span_of(f->rule_value));
             c++)
            if (c != column && !ws_table_is_missing(rows, c, row)) {
                ws_scan_setting setting = {ws_arena_strdup(arena, rows->columns[c].name),
                                           ws_arena_strdup(arena, ws_table_cell_text(rows, c, row, buffer)),
                                           slash ? slash + 1 : table->inside, false};
                ws_scan_add_setting(arena, f, &setting);
            }
}

bool ws_settle_run_table(ws_arena *arena, ws_found_file *table, ws_scan_file *files, size_t n)
{
    bool is_json = ws_is_format(table, "table-json");
    ws_source_options options = {.as = is_json ? "table-json" : "table-csv", .read = WS_READ_DEFAULTS};
    ws_table rows;
    size_t depth = table->run_depth;
    if (table->head.is_run_table)
        return true;
    for (size_t i = 0; i < n; i++)
        if (ws_run_table_names(table, files[i].path) && !files[i].is_by_pattern && says_settings(&files[i], depth)) {
            table->role = WS_FILE_NO_USE;
            return false;
        }
    bool is_read = ws_source_read_table(table->path, &options, &rows, NULL) == WS_OK;
    for (size_t i = 0; i < n && is_read; i++) {
        ws_scan_file *f = &files[i];
        if (!ws_run_table_names(table, f->path) || f->is_by_pattern)
            continue;
        for (size_t k = 0; k < f->parts.segments[depth].n; k++)
            f->names[depth][k] = NULL;
        ws_span name = name_of(f->path, depth, table->run_is_stem);
        f->rule_field = table->run_column, f->rule_value = ws_arena_strndup(arena, name.p, name.n);
        add_row(arena, table, &rows, f);
    }
    ws_table_free(&rows);
    return true;
}

const char *ws_run_table_pattern(ws_arena *arena, const ws_found_file *table, const char *path, const char *pattern)
{
    ws_span own = segment_of(pattern, table->run_depth), name = name_of(path, table->run_depth, table->run_is_stem);
    ws_span whole = segment_of(path, table->run_depth);
    const char *ending = ws_arena_strndup(arena, name.p + name.n, whole.n - name.n);
    return ws_arena_printf(arena, "%.*s{%s}%s%s", (int)(own.p - pattern), pattern, table->run_column,
                           ws_pattern_literal(arena, ending), own.p + own.n);
}
