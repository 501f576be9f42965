#include "analyze/ingest/propose.h"

#include "analyze/ingest/campaign_group.h"
#include "analyze/ingest/file_roles.h"
#include "analyze/ingest/run_tables.h"
#include "analyze/ingest/name_words.h"
#include "analyze/ingest/path_endings.h"
#include "analyze/ingest/windows.h"
#include "analyze/folder_walk.h"

#include <stdlib.h>
#include <string.h>

typedef struct proposer {
    ws_campaign *campaign;
    ws_proposal *proposal;
    ws_notes *notes;
    const ws_propose_options *options;
    ws_found_files found;
    ws_found_file **tables; /* of runs, among these */
    size_t n_tables;
    ws_scan_file *scanned;  /* all but those of no use: traces and rows first */
    ws_found_file **behind; /* each of them */
    size_t n_scanned, n_runs;
    bool is_one_run; /* all files that are runs' are of one */
} proposer;

/* --- what paths say --- */

static void read_spans(void *state, ws_scan_file **files, size_t n)
{
    const proposer *p = state;
    ws_read_scan_files(p->campaign->folder, p->options->threads, files, n);
}

static void list_useless(proposer *p)
{
    ws_proposal *proposal = p->proposal;
    proposal->useless = ws_arena_alloc(&proposal->arena, (p->found.n + 1) * sizeof *proposal->useless);
    for (size_t i = 0; i < p->found.n; i++)
        if (p->found.files[i].role == WS_FILE_NO_USE)
            proposal->useless[proposal->n_useless++] = p->found.files[i].inside;
}

static void add_scanned(proposer *p, ws_file_role from, ws_file_role to)
{
    for (size_t i = 0; i < p->found.n; i++) {
        ws_found_file *f = &p->found.files[i];
        if (f->role < from || f->role > to)
            continue;
        p->scanned[p->n_scanned] = (ws_scan_file){.path = f->inside,
                                                  .format = f->head.format->name,
                                                  .fact = f->fact,
                                                  .is_side = f->role >= WS_FILE_WINDOW,
                                                  .is_literal = f->role >= WS_FILE_SIDE};
        p->behind[p->n_scanned++] = f;
    }
}

/* Some of them may turn out to be of no use. */
static void list_tables(proposer *p)
{
    p->tables = ws_arena_alloc(&p->proposal->arena, (p->found.n + 1) * sizeof *p->tables);
    for (size_t i = 0; i < p->found.n; i++)
        if (p->found.files[i].role == WS_FILE_TABLE)
            p->tables[p->n_tables++] = &p->found.files[i];
}

/* The table that says what the run of the path is. */
static const ws_found_file *table_above(const proposer *p, const char *path)
{
    for (size_t i = 0; i < p->n_tables; i++)
        if (ws_run_table_names(p->tables[i], path))
            return p->tables[i];
    return NULL;
}

static bool are_one_run(const proposer *p)
{
    ws_arena arena = {0};
    bool one = p->n_runs > 0;
    for (size_t i = 1; i < p->n_runs && one; i++) {
        const char *key = ws_scan_run_key(&arena, &p->scanned[i]);
        one = *key ? strcmp(key, ws_scan_run_key(&arena, &p->scanned[0])) == 0
                   : p->scanned[i].is_beside && p->scanned[0].is_beside;
    }
    ws_arena_free(&arena);
    return one;
}

/* Logs of nodes that run on from job to job are cut by the one dump of sacct beside them. */
static const char *find_node_logs(proposer *p)
{
    ws_found_file *records = NULL;
    bool all_traces = true;
    for (size_t i = 0; i < p->found.n; i++) {
        ws_found_file *f = &p->found.files[i];
        all_traces &= f->role != WS_FILE_ROWS && f->role != WS_FILE_WINDOW && f->role != WS_FILE_TABLE;
        all_traces &= !records || !ws_is_format(f, "sacct") || f->role != WS_FILE_SIDE;
        records = ws_is_format(f, "sacct") && f->role == WS_FILE_SIDE ? f : records;
    }
    if (!records || !all_traces)
        return NULL;
    const char *pattern =
        ws_node_log_pattern(&p->campaign->arena, p->campaign->folder, records->inside, p->scanned, p->n_runs);
    records->role = pattern ? WS_FILE_WINDOW : records->role;
    return pattern;
}

static void read_paths(proposer *p)
{
    p->scanned = ws_arena_alloc(&p->proposal->arena, (p->found.n + 1) * sizeof *p->scanned);
    p->behind = ws_arena_alloc(&p->proposal->arena, (p->found.n + 1) * sizeof *p->behind);
    add_scanned(p, WS_FILE_TRACE, WS_FILE_ROWS);
    p->n_runs = p->n_scanned;
    const char *pattern = p->options->pattern ? p->options->pattern : find_node_logs(p);
    add_scanned(p, WS_FILE_WINDOW, WS_FILE_IGNORED);
    for (size_t i = p->n_runs; i < p->n_scanned; i++)
        if (ws_is_format(p->behind[i], "settings"))
            ws_hash_settings(p->campaign->folder, &p->proposal->arena, &p->scanned[i], p->scanned, p->n_runs);
    ws_path_fields(&p->proposal->arena, p->scanned, p->n_scanned, pattern, read_spans, p);
    for (size_t i = 0; i < p->n_tables; i++)
        if (!ws_settle_run_table(&p->proposal->arena, p->tables[i], p->scanned, p->n_runs))
            p->proposal->useless[p->proposal->n_useless++] = p->tables[i]->inside;
    p->is_one_run = are_one_run(p);
    for (int pass = 0; pass < 2; pass++) /* what was said on a command line first */
        for (size_t i = p->n_runs; i < p->n_scanned; i++) {
            bool is_override = ws_span_has_suffix(ws_span_of(p->scanned[i].path), "/overrides.yaml");
            if (ws_is_format(p->behind[i], "settings") && is_override == (pass == 0))
                ws_read_settings(p->campaign->folder, &p->proposal->arena, &p->scanned[i], p->scanned, p->n_runs,
                                 p->is_one_run);
        }
    for (size_t i = p->n_runs; i < p->n_scanned; i++)
        if (ws_is_format(p->behind[i], "sacct") && !ws_say_settings(p->scanned, p->n_runs))
            ws_read_job_names(p->campaign->folder, &p->proposal->arena, &p->scanned[i], p->scanned, p->n_runs);
    p->proposal->files = p->scanned;
    p->proposal->n = p->n_runs;
}

static const char *pattern_of(proposer *p, size_t i)
{
    ws_arena *arena = &p->campaign->arena;
    const char *pattern = ws_path_pattern(arena, &p->scanned[i]), *path = p->scanned[i].path;
    const ws_found_file *table = i < p->n_runs ? table_above(p, path) : NULL;
    return table ? ws_run_table_pattern(arena, table, path, pattern) : pattern;
}

/* --- rules --- */

static size_t literal_length(const char *pattern)
{
    size_t n = 0;
    bool inside = false;
    for (; *pattern; pattern++) {
        inside |= *pattern == '{';
        n += !inside;
        inside &= *pattern != '}';
    }
    return n;
}

/* What says more of a path is tried first. */
static ws_path_rule *add_rule(proposer *p, const char *pattern, const char *as)
{
    ws_campaign *c = p->campaign;
    size_t at = 0;
    for (; at < c->n_paths; at++) {
        bool same_as = (!c->paths[at].as && !as) || (c->paths[at].as && as && strcmp(c->paths[at].as, as) == 0);
        if (strcmp(c->paths[at].match, pattern) == 0 && same_as)
            return &c->paths[at];
    }
    for (at = 0; at < c->n_paths && literal_length(c->paths[at].match) >= literal_length(pattern); at++)
        ;
    memmove(&c->paths[at + 1], &c->paths[at], (c->n_paths - at) * sizeof *c->paths);
    c->paths[at] = (ws_path_rule){.match = pattern, .as = as};
    c->n_paths++;
    return &c->paths[at];
}

static bool is_matched(const char *pattern, const char *path)
{
    ws_arena arena = {0};
    ws_fields fields = {0};
    bool matched = ws_path_match(pattern, path, &fields, &arena);
    ws_fields_free(&fields);
    ws_arena_free(&arena);
    return matched;
}

static void add_window(proposer *p, const char *pattern, const char *as)
{
    ws_campaign *c = p->campaign;
    for (size_t i = 0; i < c->n_windows; i++)
        if (strcmp(c->windows[i].match, pattern) == 0)
            return;
    c->windows[c->n_windows++] = (ws_window_rule){.match = pattern, .as = as};
}

/* A run without power whose log is called as those are that cut traces: its folder tells it from them. */
static void add_rows(proposer *p, size_t file)
{
    ws_campaign *c = p->campaign;
    const ws_scan_file *f = &p->scanned[file];
    const char *pattern = pattern_of(p, file), *name = strrchr(pattern, '/');
    bool is_called_as_window = false;
    for (size_t i = 0; i < c->n_windows && !is_called_as_window; i++)
        is_called_as_window = is_matched(c->windows[i].match, f->path);
    if (!is_called_as_window) {
        add_rule(p, pattern, f->format);
        return;
    }
    ws_path_rule *rule = add_rule(
        p,
        ws_arena_printf(&c->arena, "%s%s",
                        ws_pattern_literal(&c->arena, ws_arena_strndup(&c->arena, f->path, ws_folder_length(f->path))),
                        name ? name + 1 : pattern),
        f->format);
    for (size_t depth = 0; depth + 1 < f->parts.n; depth++)
        for (size_t k = 0; k < f->parts.segments[depth].n; k++)
            if (f->names[depth][k])
                ws_fields_set(&rule->set, &c->arena, f->names[depth][k], f->parts.segments[depth].parts[k].value);
}

/* A list of accuracies in % becomes an error, as Huber et al. report it. */
static void name_list(ws_campaign *c, ws_side_rule *rule)
{
    const char *slash = strrchr(rule->match, '/'), *name = slash ? slash + 1 : rule->match;
    const char *stem = ws_arena_strndup(&c->arena, name, strcspn(name, "."));
    bool top1 = strcmp(stem, "valid_top1") == 0, top5 = strcmp(stem, "valid_top5") == 0;
    rule->field = top1 ? "error_top1" : top5 ? "error_top5" : stem;
    rule->value = top1 || top5 ? "100-last" : "last";
}

static void add_side(proposer *p, const char *pattern, const ws_found_file *f)
{
    ws_campaign *c = p->campaign;
    if (ws_is_format(f, "settings") && !strchr(pattern, '{') && !p->is_one_run)
        return; /* of no run by its path */
    for (size_t i = 0; i < c->n_side_files; i++)
        if (strcmp(c->side_files[i].match, pattern) == 0)
            return;
    ws_side_rule *rule = &c->side_files[c->n_side_files++];
    *rule = (ws_side_rule){.match = pattern, .as = f->head.format->name};
    if (ws_is_format(f, "sacct"))
        rule->join = "job";
    if (f->role == WS_FILE_TABLE)
        rule->join = f->run_column;
    if (ws_is_format(f, "torch-list"))
        name_list(c, rule);
    if (f->head.is_total &&
        !ws_count_role(&p->found, WS_FILE_TRACE)) /* of runs without a trace: nothing else says their energy */
        rule->column = "job_energy_kwh", rule->field = "energy_kwh";
}

/* Patterns of files to ignore take no other; one that would is the path itself. */
static void add_ignored(proposer *p, size_t file)
{
    ws_campaign *c = p->campaign;
    const char *pattern = pattern_of(p, file);
    for (size_t i = 0; i < p->n_scanned; i++)
        if (p->behind[i]->role != WS_FILE_IGNORED && is_matched(pattern, p->scanned[i].path))
            pattern = ws_pattern_literal(&c->arena, p->scanned[file].path);
    for (size_t i = 0; i < c->n_ignore; i++)
        if (strcmp(c->ignore[i], pattern) == 0)
            return;
    c->ignore[c->n_ignore++] = pattern;
}

/* --- files of different rules that would be one run --- */

typedef struct keyed {
    const char *key; /* the fields of its run */
    size_t file;     /* of the scanned ones */
    const char *pattern;
} keyed;

static int by_key(const void *a, const void *b)
{
    const keyed *x = a, *y = b;
    int order = strcmp(x->key, y->key);
    return order ? order : (x->file > y->file) - (x->file < y->file);
}

/* What was measured of one run covers the same time; without dates it lies in one folder. */
static bool may_be_one_run(const ws_scan_file *a, const ws_scan_file *b)
{
    if (a->span.is_dated && b->span.is_dated)
        return a->span.start_ns < b->span.end_ns && b->span.start_ns < a->span.end_ns;
    return ws_same_folder(a->path, b->path);
}

static ws_path_rule *rule_of(ws_campaign *c, const char *pattern)
{
    for (size_t i = 0; i < c->n_paths; i++)
        if (strcmp(c->paths[i].match, pattern) == 0)
            return &c->paths[i];
    return NULL;
}

/* Files of the same time that may be of one run or of several: their rule asks, until somebody says it. Where the rule
 * takes more files that are not open, these keep their energies, and the open ones have rules of their own. */
static void ask_for_nodes(proposer *p)
{
    ws_campaign *c = p->campaign;
    size_t *all = ws_alloc((c->n_paths + 1) * sizeof *all), *open = ws_alloc((c->n_paths + 1) * sizeof *open);
    for (size_t i = 0; i < p->n_runs; i++) {
        const ws_path_rule *rule = rule_of(c, pattern_of(p, i));
        if (rule) {
            all[rule - c->paths]++;
            open[rule - c->paths] += p->scanned[i].one_run != NULL;
        }
    }
    for (size_t k = 0; k < c->n_paths; k++)
        if (2 * open[k] > all[k])
            c->paths[k].ask = "nodes";
    free(all);
    free(open);
}

static size_t log_length(const char *path)
{
    size_t n = ws_path_before_rotation(path);
    return n ? n : strlen(path);
}

/* power.log and power.log.1 */
static bool are_one_log(const ws_scan_file *a, const ws_scan_file *b)
{
    size_t n = log_length(a->path);
    bool is_rotated = ws_path_before_rotation(a->path) || ws_path_before_rotation(b->path);
    return is_rotated && n == log_length(b->path) && strncmp(a->path, b->path, n) == 0 &&
           (ws_path_value(a, "part") || ws_path_value(b, "part"));
}

/* The length of "{node}.log" in "{node}.log.{part}" and "{node}.log.{part}.gz". */
static size_t rotated_length(const char *pattern)
{
    size_t n = ws_path_unpacked(pattern, strlen(pattern)), part = strlen(".{part}");
    bool is_rotated = n > part && strncmp(pattern + n - part, ".{part}", part) == 0;
    return is_rotated ? n - part : 0;
}

/* Rules of node1.log.1 and node2.log, which cover other times where both logs were rotated. */
static bool are_rules_of_logs(const char *a, const char *b)
{
    size_t n = rotated_length(a), m = rotated_length(b), length = n ? n : m;
    return length && (n ? n : strlen(a)) == (m ? m : strlen(b)) && strncmp(a, b, length) == 0;
}

static void set_apart(proposer *p, const char *pattern)
{
    ws_path_rule *rule = rule_of(p->campaign, pattern);
    if (rule && !rule->set.n)
        ws_fields_set(&rule->set, &p->campaign->arena, "rule", pattern);
}

/* --pattern says that the file is a part of its run's log. */
static bool is_said_part(const ws_scan_file *f)
{
    return f->is_by_pattern && ws_path_value(f, "part");
}

static void take_rules(proposer *p)
{
    for (size_t i = 0; i < p->n_runs; i++) {
        const ws_path_rule *rule = rule_of(p->campaign, pattern_of(p, i));
        const char *words = rule && !p->scanned[i].rule_field ? ws_fields_get(&rule->set, "rule") : NULL;
        if (words)
            p->scanned[i].rule_field = "rule", p->scanned[i].rule_value = words;
    }
}

/* Rules whose words differ where no field stands: the runs that they find differ, too, and `rule` says in what. */
static void part_rules(proposer *p)
{
    ws_arena arena = {0};
    keyed *k = ws_alloc((p->n_runs + 1) * sizeof *k);
    for (size_t i = 0; i < p->n_runs; i++)
        k[i] = (keyed){ws_scan_run_key(&arena, &p->scanned[i]), i, pattern_of(p, i)};
    qsort(k, p->n_runs, sizeof *k, by_key);
    for (size_t i = 1; i < p->n_runs; i++) {
        for (size_t e = i; e-- > 0 && strcmp(k[e].key, k[i].key) == 0 && i - e < 64;) {
            ws_scan_file *pair[] = {&p->scanned[k[e].file], &p->scanned[k[i].file]};
            bool is_of_path = !ws_scan_has_fields(pair[0]) || !ws_scan_has_fields(pair[1]); /* a run of its own */
            if (is_of_path || strcmp(k[e].pattern, k[i].pattern) == 0 || table_above(p, p->scanned[k[i].file].path) ||
                are_rules_of_logs(k[e].pattern, k[i].pattern) || is_said_part(pair[0]) || is_said_part(pair[1]) ||
                strcmp(ws_path_without_raw(&arena, k[e].pattern), ws_path_without_raw(&arena, k[i].pattern)) == 0)
                continue;
            read_spans(p, pair, 2);
            if (are_one_log(pair[0], pair[1]) || may_be_one_run(pair[0], pair[1]))
                continue;
            set_apart(p, k[e].pattern);
            set_apart(p, k[i].pattern);
        }
    }
    take_rules(p);
    free(k);
    ws_arena_free(&arena);
}

/* --- words that no field holds --- */

/* What a path says of its run's settings. */
static const char *settings_key(ws_arena *arena, const ws_scan_file *f)
{
    const char *key = "";
    for (size_t depth = 0; depth < f->parts.n; depth++)
        for (size_t i = 0; i < f->parts.segments[depth].n; i++)
            if (f->names[depth][i] && ws_name_use(f->names[depth][i]) == WS_USE_SETTING)
                key = ws_arena_printf(arena, "%s%s=%s|", key, f->names[depth][i],
                                      f->parts.segments[depth].parts[i].value);
    return key;
}

/* Bytes that both patterns have in front, up to a sign between words. */
static size_t shared_front(const char *a, const char *b)
{
    size_t cut = 0;
    for (size_t n = 0; a[n] && a[n] == b[n]; n++)
        cut = strchr("/_-., ", a[n]) ? n + 1 : cut;
    return cut;
}

static size_t shared_back(const char *a, const char *b, size_t front)
{
    size_t n = strlen(a), m = strlen(b), cut = 0;
    for (size_t k = 1; k + front <= n && k + front <= m && a[n - k] == b[m - k]; k++)
        cut = strchr("/_-., ", a[n - k]) ? k : cut;
    return cut;
}

/* The words of a pattern between what it shares with others, without its fields. */
static const char *own_words(ws_arena *arena, const char *pattern, size_t front, size_t back)
{
    const char *text = "";
    bool inside = false;
    size_t end = strlen(pattern) > front + back ? strlen(pattern) - back : front;
    for (size_t i = front; i < end; i++) {
        inside |= pattern[i] == '{';
        if (!inside)
            text = ws_arena_printf(arena, "%s%c", text, pattern[i]);
        inside &= pattern[i] != '}';
    }
    return text;
}

/* Words of which one at least is no name of what was measured; that files were packed tells no runs apart. */
static bool differ_in_words(ws_arena *arena, const char *a, const char *b)
{
    a = ws_arena_strndup(arena, a, ws_path_unpacked(a, strlen(a)));
    b = ws_arena_strndup(arena, b, ws_path_unpacked(b, strlen(b)));
    size_t front = shared_front(a, b), back = shared_back(a, b, front);
    const char *x = own_words(arena, a, front, back), *y = own_words(arena, b, front, back);
    bool has_words = strcspn(x, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") < strlen(x) ||
                     strcspn(y, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") < strlen(y);
    bool are_parts = (!*x || ws_name_is_part(ws_span_of(x))) && (!*y || ws_name_is_part(ws_span_of(y)));
    return has_words && !are_parts && strcmp(ws_path_without_raw(arena, a), ws_path_without_raw(arena, b)) != 0;
}

/* The rules of a proposal, by what their runs say of them. */
typedef struct rule_families {
    size_t *into; /* of each rule: the next one of its family, or itself for the last */
    size_t *rule; /* of each run: its rule; SIZE_MAX: none */
    bool *apart;  /* of the last rule of a family: has it runs whose settings are those of another family? */
} rule_families;

static size_t family_of(const rule_families *f, size_t rule)
{
    while (f->into[rule] != rule)
        rule = f->into[rule];
    return rule;
}

static bool has_field(const proposer *p, const char *name)
{
    for (size_t i = 0; i < p->n_runs; i++)
        if (ws_path_value(&p->scanned[i], name))
            return true;
    return false;
}

static rule_families families_of_their_own(proposer *p)
{
    ws_campaign *c = p->campaign;
    rule_families f = {.into = ws_alloc((c->n_paths + 1) * sizeof *f.into),
                       .rule = ws_alloc((p->n_runs + 1) * sizeof *f.rule),
                       .apart = ws_alloc((c->n_paths + 1) * sizeof *f.apart)};
    for (size_t r = 0; r < c->n_paths; r++)
        f.into[r] = r, f.apart[r] = false;
    for (size_t i = 0; i < p->n_runs; i++) {
        const ws_path_rule *of = rule_of(c, pattern_of(p, i));
        f.rule[i] = of ? (size_t)(of - c->paths) : SIZE_MAX;
    }
    return f;
}

static void free_families(rule_families *f)
{
    free(f->apart);
    free(f->rule);
    free(f->into);
}

/* Rules that find files of one run, as of a GPU and a processor, are of one family. */
static void join_families(proposer *p, rule_families *f, keyed *k, ws_arena *arena)
{
    enum { REACH = 16 }; /* runs of one key that are held against each other */
    for (size_t i = 0; i < p->n_runs; i++)
        k[i] = (keyed){ws_scan_run_key(arena, &p->scanned[i]), i, ""};
    qsort(k, p->n_runs, sizeof *k, by_key);
    for (size_t i = 1; i < p->n_runs; i++)
        for (size_t e = i; e-- > 0 && *k[i].key && strcmp(k[e].key, k[i].key) == 0 && i - e < REACH;) {
            ws_scan_file *pair[] = {&p->scanned[k[e].file], &p->scanned[k[i].file]};
            size_t x = f->rule[k[e].file], y = f->rule[k[i].file];
            if (x == SIZE_MAX || y == SIZE_MAX || family_of(f, x) == family_of(f, y))
                continue;
            read_spans(p, pair, 2);
            if (are_one_log(pair[0], pair[1]) || may_be_one_run(pair[0], pair[1]))
                f->into[family_of(f, y)] = family_of(f, x);
        }
}

/* Families whose runs agree in all settings are told apart by a word of their names. */
static void set_families_apart(const proposer *p, rule_families *f, keyed *k, ws_arena *arena)
{
    const ws_campaign *c = p->campaign;
    for (size_t i = 0; i < p->n_runs; i++)
        k[i] = (keyed){settings_key(arena, &p->scanned[i]), i, ""};
    qsort(k, p->n_runs, sizeof *k, by_key);
    for (size_t i = 1; i < p->n_runs; i++) {
        size_t a = f->rule[k[i - 1].file], b = f->rule[k[i].file];
        bool is_pair = strcmp(k[i].key, k[i - 1].key) == 0 && a != SIZE_MAX && b != SIZE_MAX && a != b &&
                       !p->scanned[k[i].file].is_by_pattern && !p->scanned[k[i].file].one_run;
        if (is_pair && family_of(f, a) != family_of(f, b) &&
            differ_in_words(arena, c->paths[a].match, c->paths[b].match))
            f->apart[family_of(f, a)] = f->apart[family_of(f, b)] = true;
    }
}

/* What the patterns of such families share at their ends, in bytes; false where there are none. */
static bool shared_ends(const ws_campaign *c, const rule_families *f, size_t *front_n, size_t *back_n)
{
    const char *first = NULL;
    *front_n = *back_n = SIZE_MAX;
    for (size_t r = 0; r < c->n_paths; r++) {
        const char *match = c->paths[r].match;
        if (!f->apart[family_of(f, r)])
            continue;
        if (first) {
            size_t shared = shared_front(first, match), behind = shared_back(first, match, shared);
            *front_n = *front_n > shared ? shared : *front_n;
            *back_n = *back_n > behind ? behind : *back_n;
        }
        first = first ? first : match;
    }
    return first != NULL;
}

/* Rules of names that are built in several ways ("ResNet-50-tp-1", "ViT-B16-tp-1") may find runs whose settings agree,
 * though a word that stands in no field tells them apart: it becomes their series. */
static void name_series(proposer *p)
{
    ws_campaign *c = p->campaign;
    ws_arena arena = {0};
    keyed *k = ws_alloc((p->n_runs + 1) * sizeof *k);
    rule_families f = families_of_their_own(p);
    const char *name = has_field(p, "series") ? "rule" : "series";
    join_families(p, &f, k, &arena);
    set_families_apart(p, &f, k, &arena);
    size_t front_n, back_n;
    bool has_any = shared_ends(c, &f, &front_n, &back_n);
    for (size_t r = 0; r < c->n_paths && has_any; r++) {
        ws_path_rule *of = &c->paths[r];
        if (!f.apart[family_of(&f, r)] || of->set.n)
            continue;
        const char *words = own_words(&c->arena, c->paths[family_of(&f, r)].match, front_n, back_n);
        if (!back_n)
            words = ws_arena_strndup(&c->arena, words, ws_path_stem(words, strlen(words)));
        ws_fields_set(&of->set, &c->arena, name, *words ? words : of->match);
    }
    for (size_t i = 0; i < p->n_runs; i++) {
        const char *words = f.rule[i] == SIZE_MAX ? NULL : ws_fields_get(&c->paths[f.rule[i]].set, name);
        if (words)
            p->scanned[i].rule_field = name, p->scanned[i].rule_value = words;
    }
    free_families(&f);
    free(k);
    ws_arena_free(&arena);
}

/* "idle.csv" beside "gpus4.csv": a file of which nothing is captured is no repeat of those whose settings the paths
 * say, though it may hold as many GPUs. */
static void name_unsaid(proposer *p)
{
    if (!ws_say_settings(p->scanned, p->n_runs))
        return;
    for (size_t i = 0; i < p->n_runs; i++) {
        ws_scan_file *f = &p->scanned[i];
        ws_path_rule *rule = ws_scan_has_fields(f) || f->is_beside || f->one_run || p->behind[i]->role != WS_FILE_TRACE
                                 ? NULL
                                 : rule_of(p->campaign, pattern_of(p, i));
        if (!rule || rule->set.n || table_above(p, f->path))
            continue;
        f->rule_field = "rule";
        f->rule_value = ws_arena_strndup(&p->campaign->arena, f->path, ws_path_stem(f->path, strlen(f->path)));
        ws_fields_set(&rule->set, &p->campaign->arena, f->rule_field, f->rule_value);
    }
}

/* A file of which nothing is captured is a run of its own. The newest one of a log that was rotated has no number, and
 * is a part too. */
static void number_newest(proposer *p)
{
    for (size_t i = 0; i < p->n_runs; i++) {
        const ws_scan_file *newest = &p->scanned[i];
        bool is_part = false;
        for (size_t k = 0; k < p->n_runs && !is_part && !ws_scan_has_fields(newest); k++)
            is_part = are_one_log(newest, &p->scanned[k]);
        ws_path_rule *rule = is_part ? rule_of(p->campaign, pattern_of(p, i)) : NULL;
        if (rule)
            ws_fields_set(&rule->set, &p->campaign->arena, "part", "0");
    }
}

/* Rules that only say the part of a run find one: the files of a folder that each hold what a tool measured. */
static void join_beside(proposer *p)
{
    const ws_scan_file *first = NULL;
    for (size_t i = 0; i < p->n_runs; i++) {
        const ws_scan_file *f = &p->scanned[i];
        if (!f->is_beside || (first && !ws_same_folder(first->path, f->path)))
            continue;
        first = f;
        ws_path_rule *rule = rule_of(p->campaign, pattern_of(p, i));
        if (rule)
            ws_fields_set(&rule->set, &p->campaign->arena, "part", f->path + ws_folder_length(f->path));
    }
}

/* Do the rules read off the path what was understood of it, and ask what is open? */
static bool is_read_right(const proposer *p, const ws_scan_file *f)
{
    const ws_campaign *c = p->campaign;
    ws_arena arena = {0};
    ws_fields fields = {0};
    const ws_found_file *table = table_above(p, f->path);
    bool right = false, matched = false, asks = false;
    for (size_t i = 0; i < c->n_paths && !matched; i++)
        matched = ws_path_match(c->paths[i].match, f->path, &fields, &arena), asks = c->paths[i].ask;
    right = matched && asks == (f->one_run != NULL);
    for (size_t i = 0; i < fields.n && right; i++) {
        const char *value = ws_path_value(f, fields.items[i].name);
        right = (table && strcmp(fields.items[i].name, table->run_column) == 0) ||
                (value && strcmp(value, fields.items[i].value) == 0);
    }
    ws_fields_free(&fields);
    ws_arena_free(&arena);
    return right;
}

/* A name that other rules read in another way has a rule of its own, with its fields fixed. */
static void add_exact_rules(proposer *p)
{
    ws_campaign *c = p->campaign;
    for (size_t i = 0; i < p->n_runs; i++) {
        const ws_scan_file *f = &p->scanned[i];
        if (is_read_right(p, f))
            continue;
        const ws_path_rule *general = rule_of(c, pattern_of(p, i));
        const ws_fields said = general ? general->set : (ws_fields){0};
        memmove(&c->paths[1], &c->paths[0], c->n_paths++ * sizeof *c->paths);
        ws_path_rule *rule = &c->paths[0];
        *rule = (ws_path_rule){.match = ws_pattern_literal(&c->arena, f->path),
                               .as = p->behind[i]->role == WS_FILE_ROWS ? f->format : NULL,
                               .ask = f->one_run ? "nodes" : NULL};
        for (size_t depth = 0; depth < f->parts.n; depth++)
            for (size_t k = 0; k < f->parts.segments[depth].n; k++)
                if (f->names[depth][k])
                    ws_fields_set(&rule->set, &c->arena, f->names[depth][k], f->parts.segments[depth].parts[k].value);
        for (size_t k = 0; k < said.n; k++)
            if (!ws_fields_get(&rule->set, said.items[k].name))
                ws_fields_set(&rule->set, &c->arena, said.items[k].name, said.items[k].value);
        if (!f->one_run && !f->is_alone)
            ws_notes_add(
                p->notes, WS_FINDING_OWN_RULE, c->folder, "", 0,
                "paths that the rules of others would read in another way have a rule of their own, the first is %s",
                f->path);
    }
}

static void make_rules(proposer *p)
{
    ws_campaign *c = p->campaign;
    c->ignore = ws_arena_alloc(&c->arena, (p->n_scanned + 1) * sizeof *c->ignore);
    c->paths = ws_arena_alloc(&c->arena, (2 * p->n_scanned + 2) * sizeof *c->paths);
    c->windows = ws_arena_alloc(&c->arena, (p->n_scanned + 1) * sizeof *c->windows);
    c->side_files = ws_arena_alloc(&c->arena, (p->n_scanned + 1) * sizeof *c->side_files);
    for (size_t i = p->n_runs; i < p->n_scanned; i++) {
        const ws_found_file *f = p->behind[i];
        if (f->role == WS_FILE_WINDOW)
            add_window(p, pattern_of(p, i), f->head.format->name);
        else if (f->role == WS_FILE_IGNORED)
            add_ignored(p, i);
        else if (!f->head.is_mute && f->role != WS_FILE_NO_USE)
            add_side(p, pattern_of(p, i), f);
    }
    for (size_t i = 0; i < p->n_runs; i++) {
        if (p->behind[i]->role == WS_FILE_ROWS)
            add_rows(p, i);
        else
            add_rule(p, pattern_of(p, i), NULL);
    }
    name_series(p);
    part_rules(p);
    number_newest(p);
    join_beside(p);
    name_unsaid(p);
    ask_for_nodes(p);
    add_exact_rules(p);
}

/* --- the whole --- */

static ws_status check_pattern(const proposer *p, ws_error *error)
{
    size_t n = 0;
    for (size_t i = 0; i < p->n_runs; i++)
        n += p->scanned[i].is_by_pattern;
    if (!p->options->pattern || n)
        return WS_OK;
    return ws_fail(error, WS_USAGE,
                   "the pattern '%s' takes none of the paths, which are relative to the folder; the first is %s",
                   p->options->pattern, p->scanned[0].path);
}

static void propose_begin(proposer *p, const char *folder)
{
    ws_campaign *c = p->campaign;
    for (size_t i = 0; i < p->options->set.n; i++)
        ws_fields_set(&c->defaults, &c->arena, p->options->set.items[i].name, p->options->set.items[i].value);
    size_t length = strlen(folder);
    c->folder = ws_arena_strndup(&c->arena, folder, length - (length > 1 && folder[length - 1] == '/'));
    c->source = c->folder;
    const char *slash = strrchr(c->folder, '/');
    c->name = slash ? slash + 1 : c->folder;
}

static ws_status fail_without_traces(const proposer *p, ws_error *error)
{
    const char *table = NULL;
    for (size_t i = 0; i < p->found.n && !table; i++)
        table = ws_is_format(&p->found.files[i], "table-csv") ? p->found.files[i].inside : NULL;
    if (table)
        return ws_fail_at(error, WS_DATA, p->campaign->folder, 0,
                          "no trace was found (files looked at: %zu); '%s' is a table, which the other commands take "
                          "as it is ('wattscale runs FILE', 'wattscale fit MODEL FILE --x COLUMN --y COLUMN')",
                          p->found.n, table);
    return ws_fail_at(error, WS_DATA, p->campaign->folder, 0, "no trace was found (files looked at: %zu)", p->found.n);
}

static ws_status find_roles(proposer *p, ws_error *error)
{
    const ws_propose_options *o = p->options;
    ws_campaign *campaign = p->campaign;
    ws_file_list files = {0};
    ws_status status = o->files ? WS_OK : ws_walk(campaign->folder, &files, p->notes, error);
    if (status == WS_OK)
        ws_find_roles(campaign->folder, o->files ? o->files : &files, o->threads, o->memory, &campaign->arena,
                      &p->found, p->notes);
    ws_file_list_free(&files);
    return status;
}

ws_status ws_propose_campaign(const char *folder, const ws_propose_options *options, ws_campaign *campaign,
                              ws_proposal *proposal, ws_notes *notes, ws_error *error)
{
    proposer p = {.campaign = campaign, .proposal = proposal, .notes = notes, .options = options};
    *campaign = (ws_campaign){0};
    *proposal = (ws_proposal){0};
    propose_begin(&p, folder);
    ws_status status = find_roles(&p, error);
    ws_find_run_tables(&campaign->arena, &p.found);
    list_useless(&p);
    list_tables(&p);
    if (status == WS_OK && !ws_count_role(&p.found, WS_FILE_TRACE) && !ws_count_role(&p.found, WS_FILE_ROWS))
        status = fail_without_traces(&p, error);
    if (status == WS_OK) {
        read_paths(&p);
        status = check_pattern(&p, error);
    }
    if (status == WS_OK) {
        make_rules(&p);
        ws_group_campaign(campaign, &p.found, p.scanned, p.n_runs);
    }
    return status;
}

void ws_proposal_free(ws_proposal *proposal)
{
    ws_arena_free(&proposal->arena);
    *proposal = (ws_proposal){0};
}
