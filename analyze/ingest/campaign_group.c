#include "analyze/ingest/campaign_group.h"

#include "analyze/ingest/record_fields.h"
#include "analyze/source.h"

#include <stdlib.h>
#include <string.h>

typedef struct grouping {
    const char **names;
    size_t n;
} grouping;

/* Names that have been asked of all files: thousands of files have the same few. */
typedef struct asked_names {
    const char **names;
    size_t n, capacity;
} asked_names;

static bool is_asked(asked_names *asked, const char *name)
{
    for (size_t i = 0; i < asked->n; i++)
        if (strcmp(asked->names[i], name) == 0)
            return true;
    asked->names = ws_grow(asked->names, &asked->capacity, asked->n + 1, sizeof *asked->names);
    asked->names[asked->n++] = name;
    return false;
}

static int by_text(const void *left, const void *right)
{
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

/* Sorts them. */
static size_t count_distinct(const char **values, size_t n)
{
    size_t distinct = n > 0;
    if (n)
        qsort(values, n, sizeof *values, by_text);
    for (size_t i = 1; i < n; i++)
        distinct += strcmp(values[i - 1], values[i]) != 0;
    return distinct;
}

static void add_name(grouping *g, const char *name)
{
    for (size_t i = 0; i < g->n; i++)
        if (strcmp(g->names[i], name) == 0)
            return;
    g->names[g->n++] = name;
}

static bool campaign_group_varies(const ws_scan_file *files, size_t n_files, const char *name)
{
    const char *first = NULL;
    for (size_t i = 0; i < n_files; i++) {
        const char *value = ws_scan_value(&files[i], name);
        if (i && (!first != !value || (value && strcmp(first, value) != 0)))
            return true;
        first = value;
    }
    return false;
}

/* Names of one use, in the order of the paths. */
static void add_names(const ws_scan_file *files, size_t n_files, grouping *g, ws_field_use use)
{
    asked_names asked = {0};
    for (size_t i = 0; i < n_files; i++) {
        const ws_scan_file *f = &files[i];
        for (size_t depth = 0; depth < f->parts.n; depth++)
            for (size_t k = 0; k < f->parts.segments[depth].n; k++)
                if (f->names[depth][k] && *f->names[depth][k] != '*' && ws_name_use(f->names[depth][k]) == use &&
                    !is_asked(&asked, f->names[depth][k]) && campaign_group_varies(files, n_files, f->names[depth][k]))
                    add_name(g, f->names[depth][k]);
    }
    free(asked.names);
}

/* Values that come again from run to run are set; what was measured, or names a run, differs. */
static bool is_repeated(const ws_scan_file *files, size_t n_files, const char *name)
{
    const char **values = ws_alloc((n_files + 1) * sizeof *values);
    size_t n = 0;
    for (size_t i = 0; i < n_files; i++) {
        values[n] = ws_scan_value(&files[i], name);
        n += values[n] != NULL;
    }
    size_t distinct = count_distinct(values, n);
    free(values);
    return distinct * 2 <= n_files;
}

/* Does this setting, which may be a known word, tell runs apart? */
static bool tells_apart(const ws_scan_file *files, size_t n_files, const ws_scan_setting *s)
{
    return campaign_group_varies(files, n_files, s->field) && (s->is_known || is_repeated(files, n_files, s->field));
}

/* What files of settings say: known words, and others that look like settings. */
static void add_settings(const ws_scan_file *files, size_t n_files, grouping *g, size_t most)
{
    asked_names asked[2] = {0}; /* [1]: as known words */
    for (size_t i = 0; i < n_files; i++)
        for (size_t k = 0; k < files[i].n_beside && g->n < most; k++) {
            const ws_scan_setting *s = &files[i].beside[k];
            bool is_repeat = ws_name_use(s->field) != WS_USE_SETTING;
            if (!is_repeat && !is_asked(&asked[s->is_known], s->field) && tells_apart(files, n_files, s))
                add_name(g, s->field);
        }
    free(asked[0].names);
    free(asked[1].names);
}

/* Do files of settings tell the runs apart? */
static bool are_said(const ws_scan_file *files, size_t n_files)
{
    asked_names asked[2] = {0}; /* [1]: as known words */
    bool said = false;
    for (size_t i = 0; i < n_files && !said; i++)
        for (size_t k = 0; k < files[i].n_beside && !said; k++) {
            const ws_scan_setting *s = &files[i].beside[k];
            said = !is_asked(&asked[s->is_known], s->field) && tells_apart(files, n_files, s);
        }
    free(asked[0].names);
    free(asked[1].names);
    return said;
}

/* "rep", "seed" and "date" are none. */
static bool is_setting(const char *column)
{
    const ws_name_word *word = ws_name_word_find(ws_span_of(column), false);
    return ws_name_use(word ? word->field : column) == WS_USE_SETTING;
}

static size_t count_values(const ws_table *table, size_t column)
{
    char text[WS_DOUBLE_TEXT];
    ws_arena arena = {0};
    const char **values = ws_alloc((table->n_rows + 1) * sizeof *values);
    for (size_t row = 0; row < table->n_rows; row++)
        values[row] = ws_arena_strdup(&arena, ws_table_cell_text(table, column, row, text));
    size_t distinct = count_distinct(values, table->n_rows);
    free(values);
    ws_arena_free(&arena);
    return distinct;
}

/* The factors of a table of runs: columns whose values come again from run to run; what was measured
 * differs. */
static void add_factors(ws_campaign *campaign, const ws_found_files *found, grouping *g, size_t most)
{
    for (size_t i = 0; i < found->n; i++) {
        ws_source_options options = {.read = WS_READ_DEFAULTS};
        ws_table table;
        if (found->files[i].role != WS_FILE_TABLE ||
            ws_source_read_table(found->files[i].path, &options, &table, NULL) != WS_OK)
            continue;
        for (size_t c = 0; c < table.n_columns && g->n < most; c++) {
            const char *name = table.columns[c].name;
            if (strcmp(name, found->files[i].run_column) == 0 || !is_setting(name))
                continue;
            size_t distinct = count_values(&table, c);
            if (distinct > 1 && distinct * 2 <= table.n_rows && strncmp(name, "__", 2) != 0)
                add_name(g, ws_arena_strdup(&campaign->arena, name));
        }
        ws_table_free(&table);
    }
}

/* Jobs of other names are none of each other's repeats. */
static bool have_names(const ws_found_files *found)
{
    bool vary = false;
    for (size_t i = 0; i < found->n && !vary; i++) {
        ws_source_options options = {.as = "sacct", .read = WS_READ_DEFAULTS};
        ws_table table;
        size_t name, first = 0;
        char a[WS_DOUBLE_TEXT], b[WS_DOUBLE_TEXT];
        if (found->files[i].role != WS_FILE_WINDOW || !ws_is_format(&found->files[i], "sacct") ||
            ws_source_read_table(found->files[i].path, &options, &table, NULL) != WS_OK)
            continue;
        bool has = ws_table_find(&table, "name", &name) && table.n_rows;
        while (has && first < table.n_rows && ws_record_is_step(&table, first))
            first++;
        for (size_t row = first + 1; has && row < table.n_rows && !vary; row++)
            vary = !ws_record_is_step(&table, row) &&
                   strcmp(ws_table_cell_text(&table, name, row, a), ws_table_cell_text(&table, name, first, b)) != 0;
        ws_table_free(&table);
    }
    return vary;
}

bool ws_say_settings(const ws_scan_file *files, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (size_t depth = 0; depth < files[i].parts.n; depth++)
            for (size_t k = 0; k < files[i].parts.segments[depth].n; k++) {
                const char *name = files[i].names[depth][k];
                ws_field_use use = name ? ws_name_use(name) : WS_USE_FILE;
                if (name && *name != '*' && (use == WS_USE_SETTING || use == WS_USE_REPEAT))
                    return true;
            }
    return false;
}

/* Settings make configurations. Where paths name neither settings nor repeats, every run is one of its own. */
void ws_group_campaign(ws_campaign *c, const ws_found_files *found, const ws_scan_file *files, size_t n_files)
{
    enum { MOST_NAMES = 60 };
    const char *room[2][MOST_NAMES + 1];
    grouping all = {room[0], 0}, identities = {room[1], 0};
    bool has_table = ws_count_role(found, WS_FILE_TABLE) > 0;
    add_names(files, n_files, &identities, WS_USE_IDENTITY);
    add_name(&all, "series");
    add_names(files, n_files, &all, WS_USE_SETTING);
    add_settings(files, n_files, &all, MOST_NAMES / 2);
    add_name(&all, "gpus");
    add_factors(c, found, &all, MOST_NAMES);
    if (c->n_windows && have_names(found))
        add_name(&all, "name");
    for (size_t i = 0; i < c->n_paths; i++)
        if (ws_fields_get(&c->paths[i].set, "rule"))
            add_name(&all, "rule");
    if (!ws_say_settings(files, n_files) && !has_table && !are_said(files, n_files))
        for (size_t i = 0; i < identities.n; i++)
            add_name(&all, identities.names[i]);
    c->group = ws_arena_alloc(&c->arena, (all.n + 1) * sizeof *c->group);
    for (size_t i = 0; i < all.n; i++) {
        if (strcmp(all.names[i], "series") == 0 && !campaign_group_varies(files, n_files, "series"))
            continue;
        bool is_clock = strcmp(all.names[i], "clock_cap_mhz") == 0;
        c->group[c->n_group++] = is_clock ? "clock_cap_hz" : all.names[i];
    }
    c->reference = "series";
}
