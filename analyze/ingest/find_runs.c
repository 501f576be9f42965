#include "analyze/ingest/ingest.h"

#include "analyze/ingest/name_words.h"
#include "analyze/folder_walk.h"
#include "core/arena.h"
#include "core/name_index.h"

#include <stdlib.h>
#include <string.h>

void ws_run_list_free(ws_run_list *list)
{
    for (size_t i = 0; i < list->n; i++) {
        ws_fields_free(&list->runs[i].fields);
        ws_fields_free(&list->runs[i].settings);
        for (size_t w = 0; w < list->runs[i].n_windows; w++)
            ws_fields_free(&list->runs[i].windows[w].fields);
        free(list->runs[i].windows);
        free(list->runs[i].files);
    }
    free(list->runs);
    ws_file_list_free(&list->unmatched);
    ws_file_list_free(&list->all);
    ws_arena_free(&list->arena);
    *list = (ws_run_list){0};
}

const char *ws_campaign_path(const ws_campaign *campaign, const char *path)
{
    size_t n = strlen(campaign->folder);
    if (strncmp(path, campaign->folder, n) != 0)
        return path;
    return path[n] == '/' ? path + n + 1 : path + n;
}

ws_source_options ws_run_file_options(const struct ws_run_file *file, const ws_source_options *common)
{
    ws_source_options own = *common;
    const ws_path_rule *rule = file->rule;
    if (rule && rule->as)
        own.as = rule->as;
    if (rule && rule->columns)
        own.read.columns = rule->columns;
    if (rule && !own.read.period_ns)
        own.read.period_ns = rule->period_ns;
    return own;
}

static void add_file(ws_run_files *run, const char *path, const char *node, const ws_path_rule *rule)
{
    run->files = ws_grow(run->files, &run->capacity, run->n_files + 1, sizeof *run->files);
    run->files[run->n_files++] = (struct ws_run_file){path, node, rule};
}

bool ws_field_is_of_file(const ws_field *field)
{
    enum { MOST_DIGITS = 2 };
    size_t n = strlen(field->value);
    bool is_number = strspn(field->value, "0123456789") == n;
    return strcmp(field->name, "node") == 0 || strcmp(field->name, "rank") == 0 || strcmp(field->name, "part") == 0 ||
           (strcmp(field->name, "gpu") == 0 && is_number && n <= MOST_DIGITS);
}

static ws_run_files *add_run(ws_run_list *list, const ws_fields *fields, const char *id)
{
    list->runs = ws_grow(list->runs, &list->capacity, list->n + 1, sizeof *list->runs);
    ws_run_files *run = &list->runs[list->n++];
    *run = (ws_run_files){.id = id};
    for (size_t i = 0; fields && i < fields->n; i++)
        ws_fields_set(&run->fields, &list->arena, fields->items[i].name, fields->items[i].value);
    return run;
}

/* Equal except for what names the file. */
static bool same_run(const ws_fields *a, const ws_fields *b)
{
    size_t n_a = 0, n_b = 0;
    for (size_t i = 0; i < b->n; i++)
        n_b += !ws_field_is_of_file(&b->items[i]);
    for (size_t i = 0; i < a->n; i++) {
        if (ws_field_is_of_file(&a->items[i]))
            continue;
        if (!ws_fields_hold(b, &a->items[i]))
            return false;
        n_a++;
    }
    return n_a == n_b;
}

/* Does the pattern's brace name a field of the run? */
static bool names_run(const char *brace, const ws_fields *fields)
{
    size_t n = strcspn(brace + 1, "}");
    for (size_t i = 0; i < fields->n; i++)
        if (ws_field_is_of_file(&fields->items[i]) && strlen(fields->items[i].name) == n &&
            strncmp(fields->items[i].name, brace + 1, n) == 0)
            return false;
    return true;
}

/* The last folder or file of a pattern without a brace, counted from 0. */
static size_t last_literal(const char *pattern)
{
    size_t depth = 0, last = 0;
    bool has_brace = false;
    for (const char *c = pattern;; c++) {
        has_brace |= *c == '{';
        if (*c && *c != '/')
            continue;
        last = has_brace ? last : depth;
        has_brace = false;
        depth++;
        if (!*c)
            return last;
    }
}

/* A run is called by its path down to the last folder or file that names a field of it: "lbs256/4g64b/9000001" for
 * "{series}/{gpus}g{lbs}b/{job}/perun/perun.hdf5" and for "{series}/{gpus}g{lbs}b/{job}/gpu_{node}.csv". Where no
 * field but the words of its rule tell it apart, down to the last of those; a rule of one path is that path. */
static const char *id_of(ws_arena *arena, const ws_fields *fields, const char *pattern, const char *path)
{
    size_t depth = 0, last = 0;
    bool is_named = false;
    for (const char *c = pattern; *c; c++) {
        depth += *c == '/';
        if (*c == '{' && names_run(c, fields))
            last = depth, is_named = true;
    }
    if (!is_named && (ws_fields_get(fields, "rule") || (fields->n && !strchr(pattern, '{'))))
        last = last_literal(pattern);
    const char *slash = strrchr(path, '/');
    if (!is_named && slash && !strchr(pattern, '{') && ws_name_is_part(ws_span_of(slash + 1)))
        last -= last > 0; /* "ResNet-50/gpu.csv" is the run of its folder */
    size_t n = 0;
    for (depth = 0; path[n] && (path[n] != '/' || depth < last); n++)
        depth += path[n] == '/';
    return ws_arena_strndup(arena, path, n);
}

/* The runs by their fields, whatever the order of these. */
typedef struct run_search {
    ws_run_list *list;
    ws_name_index index;
    const ws_fields *wanted;
} run_search;

static uint64_t hash_of_run(const ws_fields *fields)
{
    uint64_t hash = 1;
    for (size_t i = 0; i < fields->n; i++)
        if (!ws_field_is_of_file(&fields->items[i]))
            hash += ws_name_hash(ws_name_hash(0, fields->items[i].name), fields->items[i].value);
    return hash;
}

static bool is_wanted_run(const void *state, size_t place)
{
    const run_search *s = state;
    return same_run(&s->list->runs[place].fields, s->wanted);
}

static size_t find_run(run_search *s, const ws_fields *fields)
{
    s->wanted = fields;
    return ws_name_find(&s->index, hash_of_run(fields), is_wanted_run, s);
}

/* Of several runs that agree the last one. */
static run_search index_runs(ws_run_list *list)
{
    run_search s = {.list = list};
    for (size_t i = list->n; i-- > 0;)
        if (list->runs[i].fields.n && find_run(&s, &list->runs[i].fields) == WS_NO_PLACE)
            ws_name_add(&s.index, hash_of_run(&list->runs[i].fields), i);
    return s;
}

static ws_run_files *run_of(run_search *s, const ws_fields *fields, const char *pattern, const char *path)
{
    ws_run_list *list = s->list;
    size_t place = find_run(s, fields);
    if (place != WS_NO_PLACE)
        return &list->runs[place];
    if (fields->n)
        ws_name_add(&s->index, hash_of_run(fields), list->n);
    return add_run(list, fields, id_of(&list->arena, fields, pattern, path));
}

static bool matches(const char *pattern, const char *path, ws_arena *arena)
{
    ws_fields fields = {0};
    bool matched = ws_path_match(pattern, path, &fields, arena);
    ws_fields_free(&fields);
    return matched;
}

/* Side files, files to ignore and the description itself are accounted for, though no run's. */
static bool is_known(const ws_campaign *c, const char *path, ws_arena *arena)
{
    bool known = strcmp(path, "campaign.json") == 0;
    for (size_t i = 0; i < c->n_side_files && !known; i++)
        known = matches(c->side_files[i].match, path, arena);
    for (size_t i = 0; i < c->n_windows && !known; i++)
        known = matches(c->windows[i].match, path, arena);
    for (size_t i = 0; i < c->n_ignore && !known; i++)
        known = matches(c->ignore[i], path, arena);
    return known;
}

/* Said by its own name to be something else, which goes before a pattern that would take it for a trace. */
static bool is_named_otherwise(const ws_campaign *c, const char *path, ws_arena *arena)
{
    bool named = false;
    for (size_t i = 0; i < c->n_paths; i++)
        if (strcmp(c->paths[i].match, path) == 0)
            return false;
    for (size_t i = 0; i < c->n_side_files && !named; i++)
        named = strcmp(c->side_files[i].match, path) == 0;
    for (size_t i = 0; i < c->n_windows && !named; i++)
        named = strcmp(c->windows[i].match, path) == 0;
    for (size_t i = 0; i < c->n_ignore && !named; i++)
        named = matches(c->ignore[i], path, arena);
    return named;
}

static bool match_rules(const ws_campaign *c, const char *full_path, run_search *runs)
{
    ws_arena *arena = &runs->list->arena;
    const char *path = ws_campaign_path(c, full_path);
    for (size_t i = 0; i < c->n_paths; i++) {
        ws_fields fields = {0};
        bool matched = ws_path_match(c->paths[i].match, path, &fields, arena);
        if (matched) {
            for (size_t f = 0; f < c->paths[i].set.n; f++)
                ws_fields_set(&fields, arena, c->paths[i].set.items[f].name, c->paths[i].set.items[f].value);
            const char *node = ws_fields_get(&fields, "node");
            add_file(run_of(runs, &fields, c->paths[i].match, path), full_path, node ? node : "", &c->paths[i]);
        }
        ws_fields_free(&fields);
        if (matched)
            return true;
    }
    return false;
}

static void add_explicit_runs(const ws_campaign *c, ws_run_list *list)
{
    for (size_t i = 0; i < c->n_runs; i++) {
        const ws_explicit_run *r = &c->runs[i];
        const char *id = ws_fields_get(&r->fields, "run");
        ws_run_files *run = add_run(list, &r->fields, id ? id : ws_arena_strdup(&list->arena, r->files[0]));
        for (size_t f = 0; f < r->n_files; f++)
            add_file(run,
                     *r->files[f] == '/' ? r->files[f] : ws_arena_printf(&list->arena, "%s/%s", c->folder, r->files[f]),
                     "", NULL);
    }
}

ws_status ws_find_runs(const ws_campaign *c, ws_run_list *list, ws_notes *notes, ws_error *error)
{
    *list = (ws_run_list){0};
    add_explicit_runs(c, list);
    if (!c->n_paths && c->n_runs)
        return WS_OK;
    ws_status status = ws_walk(c->folder, &list->all, notes, error);
    run_search runs = index_runs(list);
    for (size_t i = 0; status == WS_OK && i < list->all.n; i++) {
        const char *path = list->all.paths[i], *inside = ws_campaign_path(c, path);
        if (!is_named_otherwise(c, inside, &list->arena) && !match_rules(c, path, &runs) &&
            !is_known(c, inside, &list->arena))
            ws_file_list_add(&list->unmatched, path);
    }
    ws_name_index_free(&runs.index);
    return status;
}
