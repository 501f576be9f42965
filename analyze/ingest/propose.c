#include "analyze/ingest/propose.h"

#include "analyze/source.h"
#include "core/parallel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a file is for the campaign. */
typedef enum role {
    NO_USE = 0,
    TRACE,
    ROWS,   /* a table whose rows are runs */
    WINDOW, /* says when a run took place */
    SIDE,   /* says something of a run */
    TABLE,  /* ExperimentRunner's table of runs, above their folders */
    IGNORED /* repeats what another file holds */
} role;

typedef struct found {
    const char *path, *inside; /* as opened, relative to the folder */
    const ws_format *format;
    role role;
} found;

typedef struct proposer {
    ws_campaign *campaign;
    ws_proposal *proposal;
    ws_notes *notes;
    const ws_propose_options *options;
    ws_file_list list;
    found *files;
    size_t n;
    ws_scan_file *scanned; /* all but those of no use: traces and rows first */
    found **behind;        /* each of them */
    size_t n_scanned, n_runs;
} proposer;

/* --- what files are --- */

typedef struct look {
    const ws_format *format;
    ws_status status;
    ws_error error;
    bool is_table_of_runs; /* ExperimentRunner's */
} look;

/* A job may print much before the first line of MLPerf's log. */
static bool holds_mllog(ws_input *input)
{
    enum { MOST = 64 * 1024 * 1024 };
    ws_span bytes = {0};
    bool holds = false;
    for (size_t seen = 0; seen < MOST && !holds; seen += bytes.n) {
        if (ws_input_read(input, &bytes, NULL) != WS_OK || !bytes.n)
            break;
        holds = ws_span_contains(bytes, ":::MLLOG");
    }
    return holds;
}

static bool is_text_log(const char *path)
{
    return ws_span_has_suffix(ws_span_of(path), ".txt") || ws_span_has_suffix(ws_span_of(path), ".log") ||
           ws_span_has_suffix(ws_span_of(path), ".out");
}

static void look_at(void *state, size_t file, void *out)
{
    const proposer *p = state;
    const char *path = p->list.paths[file];
    look *l = out;
    ws_input *input = NULL;
    l->status = ws_input_open(&input, path, &l->error);
    if (l->status == WS_OK)
        l->status = ws_source_recognise_open(input, NULL, &l->format, NULL, &l->error);
    if (l->status == WS_OK && !l->format && is_text_log(path) && holds_mllog(input))
        l->format = ws_format_by_name("mllog");
    l->is_table_of_runs = l->status == WS_OK && ws_span_has_prefix(ws_input_head(input), "__run_id,");
    ws_input_close(input);
}

static bool is_format(const found *f, const char *name)
{
    return f->format && strcmp(f->format->name, name) == 0;
}

static role role_of(const look *l)
{
    static const struct {
        const char *format;
        role role;
    } known[] = {{"sacct", SIDE}, {"job-log", SIDE}, {"torch-list", SIDE}, {"mllog", WINDOW}, {"codecarbon", ROWS}};
    if (!l->format)
        return NO_USE;
    if (!l->format->is_record)
        return TRACE;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i].format, l->format->name) == 0)
            return known[i].role;
    return l->is_table_of_runs ? TABLE : NO_USE;
}

static void take_look(void *state, size_t file, void *done)
{
    proposer *p = state;
    const look *l = done;
    const char *path = p->list.paths[file];
    if (strcmp(strrchr(path, '/') + 1, "campaign.json") == 0)
        return;
    if (l->status != WS_OK)
        ws_note_failure(p->notes, WS_FINDING_UNREADABLE, path, &l->error);
    p->files[p->n++] =
        (found){path, path + strlen(p->campaign->folder) + 1, l->format, l->status == WS_OK ? role_of(l) : NO_USE};
}

static size_t count_role(const proposer *p, role wanted, const char *format)
{
    size_t n = 0;
    for (size_t i = 0; i < p->n; i++)
        n += p->files[i].role == wanted && (!format || is_format(&p->files[i], format));
    return n;
}

static size_t folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) + 1 : 0;
}

static bool same_folder(const char *a, const char *b)
{
    return folder_length(a) == folder_length(b) && strncmp(a, b, folder_length(a)) == 0;
}

static void ignore(proposer *p, found *f, const char *why)
{
    f->role = IGNORED;
    ws_notes_add(p->notes, WS_FINDING_IGNORED, p->campaign->folder, why, 0, "%s; the first is %s", why, f->inside);
}

/* What repeats a file beside it counts once. */
static void drop_copies(proposer *p)
{
    for (size_t i = 0; i < p->n; i++) {
        found *f = &p->files[i];
        const char *name = f->inside + folder_length(f->inside);
        bool is_export = is_format(f, "perun-csv") || is_format(f, "perun-json"), is_copy = false, beside = false;
        for (size_t k = 0; k < p->n; k++) {
            const found *other = &p->files[k];
            if (other->role == NO_USE || other->role == IGNORED || !same_folder(f->inside, other->inside))
                continue;
            beside |= is_export && is_format(other, "perun-hdf5");
            is_copy |=
                strncmp(name, "raw_", 4) == 0 && strcmp(name + 4, other->inside + folder_length(other->inside)) == 0;
        }
        if (f->role == TRACE && beside)
            ignore(p, f, "perun's export repeats its HDF5 file");
        else if (f->role != NO_USE && is_copy)
            ignore(p, f, "the same file without raw_ is beside it");
    }
}

/* Roles that follow from what else there is. */
static void settle_roles(proposer *p)
{
    bool has_traces = count_role(p, TRACE, NULL) > count_role(p, TRACE, "total-power");
    for (size_t i = 0; i < p->n; i++) {
        found *f = &p->files[i];
        if (f->role == TRACE && is_format(f, "total-power") && has_traces)
            f->role = SIDE, f->format = ws_format_by_name("job-log"); /* a given total, beside what it sums up */
        if (f->role == WINDOW && !has_traces)
            f->role = ROWS;
        if (f->role == TABLE && !has_traces)
            f->role = ROWS;
        if (f->role == ROWS && has_traces)
            f->role = NO_USE; /* the same energy, measured once more */
    }
}

static void list_useless(proposer *p)
{
    ws_proposal *proposal = p->proposal;
    proposal->useless = ws_arena_alloc(&proposal->arena, (p->n + 1) * sizeof *proposal->useless);
    for (size_t i = 0; i < p->n; i++)
        if (p->files[i].role == NO_USE)
            proposal->useless[proposal->n_useless++] = p->files[i].inside;
}

/* --- what their readings say --- */

typedef struct span_reader {
    ws_scan_file *file;
    int id;
    bool has_nodes, has_weak_ids; /* several nodes; a GPU without a uuid */
    struct {
        char node[64], device[24];
    } gpus[64];
} span_reader;

/* FNV-1a; the sum over devices does not hang on their order. */
static uint64_t hash_of(const char *text)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * UINT64_C(1099511628211);
    return hash;
}

static void take_identity(span_reader *r, const ws_channel *c)
{
    ws_scan_file *f = r->file;
    const char *node = c->node ? c->node : "", *digits = c->device ? c->device + strcspn(c->device, "0123456789") : "";
    int64_t number;
    r->has_weak_ids |= !c->identity || strcmp(c->identity, "uuid") != 0 || !c->device_id;
    f->device_hash = r->has_weak_ids ? 0 : f->device_hash + hash_of(c->device_id);
    f->only_gpu = f->gpus == 1 && ws_span_i64(ws_span_of(digits), &number) ? number : -1;
    r->has_nodes |= f->gpus > 1 && strcmp(f->node, node) != 0;
    snprintf(f->node, sizeof f->node, "%s", r->has_nodes ? "" : node);
}

static ws_status take_channel(void *state, const ws_channel *channel, int *id, ws_error *error)
{
    enum { MOST = 64 };
    (void)error;
    span_reader *r = state;
    *id = channel->time == WS_TIME_UTC || channel->time == WS_TIME_NAIVE ? 1 : 0;
    if (channel->domain != WS_GPU || !ws_quantity_gives_energy(channel->quantity))
        return WS_OK;
    size_t i = 0;
    for (; i < r->file->gpus && i < MOST; i++)
        if (strncmp(r->gpus[i].node, channel->node ? channel->node : "", 63) == 0 &&
            strncmp(r->gpus[i].device, channel->device ? channel->device : "", 23) == 0)
            return WS_OK;
    if (i < MOST) {
        snprintf(r->gpus[i].node, sizeof r->gpus[i].node, "%s", channel->node ? channel->node : "");
        snprintf(r->gpus[i].device, sizeof r->gpus[i].device, "%s", channel->device ? channel->device : "");
    }
    r->file->gpus++;
    take_identity(r, channel);
    return WS_OK;
}

static ws_status take_block(void *state, int id, const ws_block *block, ws_error *error)
{
    (void)error;
    ws_scan_file *f = ((span_reader *)state)->file;
    for (size_t i = 0; id && block->t_ns && i < block->n; i++) {
        f->start_ns = !f->is_dated || block->t_ns[i] < f->start_ns ? block->t_ns[i] : f->start_ns;
        f->end_ns = !f->is_dated || block->t_ns[i] > f->end_ns ? block->t_ns[i] : f->end_ns;
        f->is_dated = true;
    }
    return WS_OK;
}

typedef struct span_job {
    proposer *p;
    ws_scan_file **files;
} span_job;

static void read_span(void *state, size_t item, void *part)
{
    (void)part;
    const span_job *job = state;
    ws_scan_file *f = job->files[item];
    ws_arena arena = {0};
    span_reader *r = ws_alloc(sizeof *r);
    r->file = f;
    ws_sink sink = {.state = r, .channel = take_channel, .block = take_block};
    ws_source_options source = {.read = WS_READ_DEFAULTS};
    ws_error error = {0};
    ws_notes notes = {0};
    ws_source_read(ws_arena_printf(&arena, "%s/%s", job->p->campaign->folder, f->path), &source, &sink, &notes, NULL,
                   &error);
    ws_notes_free(&notes);
    ws_arena_free(&arena);
    free(r);
}

static void take_span(void *state, size_t item, void *part)
{
    (void)part;
    ((const span_job *)state)->files[item]->is_read = true;
}

static void read_spans(void *state, ws_scan_file **files, size_t n)
{
    proposer *p = state;
    span_job job = {p, ws_alloc((n + 1) * sizeof *files)};
    size_t unread = 0;
    for (size_t i = 0; i < n; i++)
        if (!files[i]->is_read && !files[i]->is_side)
            job.files[unread++] = files[i];
    ws_parallel_run(&(ws_parallel_task){&job, 1, read_span, take_span}, unread, p->options->threads);
    free(job.files);
}

/* --- what their paths say --- */

static void add_scanned(proposer *p, role from, role to)
{
    for (size_t i = 0; i < p->n; i++) {
        found *f = &p->files[i];
        if (f->role < from || f->role > to)
            continue;
        p->scanned[p->n_scanned] = (ws_scan_file){
            .path = f->inside, .format = f->format->name, .is_side = f->role >= WINDOW, .is_literal = f->role >= SIDE};
        p->behind[p->n_scanned++] = f;
    }
}

/* ExperimentRunner's table says what the folders beside it are: each of them is one run. */
static const found *table_above(const proposer *p, const char *path)
{
    for (size_t i = 0; i < p->n; i++) {
        const found *f = &p->files[i];
        size_t n = folder_length(f->inside);
        if (f->role == TABLE && strncmp(f->inside, path, n) == 0 && strchr(path + n, '/'))
            return f;
    }
    return NULL;
}

static void read_paths(proposer *p)
{
    p->scanned = ws_arena_alloc(&p->proposal->arena, (p->n + 1) * sizeof *p->scanned);
    p->behind = ws_arena_alloc(&p->proposal->arena, (p->n + 1) * sizeof *p->behind);
    add_scanned(p, TRACE, ROWS);
    p->n_runs = p->n_scanned;
    add_scanned(p, WINDOW, IGNORED);
    ws_path_fields(&p->proposal->arena, p->scanned, p->n_scanned, p->options->pattern, read_spans, p);
    p->proposal->files = p->scanned;
    p->proposal->n = p->n_runs;
}

static const char *pattern_of(proposer *p, size_t i)
{
    ws_arena *arena = &p->campaign->arena;
    const char *pattern = ws_path_pattern(arena, &p->scanned[i]), *path = p->scanned[i].path;
    const found *table = i < p->n_runs ? table_above(p, path) : NULL;
    if (!table)
        return pattern;
    size_t depth = 1;
    for (const char *c = table->inside; *c; c++)
        depth += *c == '/';
    const char *from = pattern;
    for (size_t d = 1; d < depth; d++)
        from = strchr(from, '/') + 1;
    return ws_arena_printf(arena, "%.*s{__run_id}%s", (int)(from - pattern), pattern, strchr(from, '/'));
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
static void add_rule(proposer *p, const char *pattern, const char *as)
{
    ws_campaign *c = p->campaign;
    size_t at = 0;
    for (; at < c->n_paths; at++) {
        bool same_as = (!c->paths[at].as && !as) || (c->paths[at].as && as && strcmp(c->paths[at].as, as) == 0);
        if (strcmp(c->paths[at].match, pattern) == 0 && same_as)
            return;
    }
    for (at = 0; at < c->n_paths && literal_length(c->paths[at].match) >= literal_length(pattern); at++)
        ;
    memmove(&c->paths[at + 1], &c->paths[at], (c->n_paths - at) * sizeof *c->paths);
    c->paths[at] = (ws_path_rule){.match = pattern, .as = as};
    c->n_paths++;
}

static void add_window(proposer *p, const char *pattern, const char *as)
{
    ws_campaign *c = p->campaign;
    for (size_t i = 0; i < c->n_windows; i++)
        if (strcmp(c->windows[i].match, pattern) == 0)
            return;
    c->windows[c->n_windows++] = (ws_window_rule){.match = pattern, .as = as};
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

static void add_side(proposer *p, const char *pattern, const found *f)
{
    ws_campaign *c = p->campaign;
    for (size_t i = 0; i < c->n_side_files; i++)
        if (strcmp(c->side_files[i].match, pattern) == 0)
            return;
    ws_side_rule *rule = &c->side_files[c->n_side_files++];
    *rule = (ws_side_rule){.match = pattern, .as = f->format->name};
    if (is_format(f, "sacct"))
        rule->join = "job";
    if (f->role == TABLE)
        rule->join = "__run_id";
    if (is_format(f, "torch-list"))
        name_list(c, rule);
}

static void add_ignored(proposer *p, const char *pattern)
{
    ws_campaign *c = p->campaign;
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

static const char *key_of(ws_arena *arena, const ws_scan_file *f)
{
    const char *key = "";
    for (size_t depth = 0; depth < f->parts.n; depth++)
        for (size_t i = 0; i < f->parts.segments[depth].n; i++)
            if (f->names[depth][i] && ws_name_use(f->names[depth][i]) != WS_USE_FILE)
                key = ws_arena_printf(arena, "%s%s=%s|", key, f->names[depth][i],
                                      f->parts.segments[depth].parts[i].value);
    return key;
}

/* What was measured of one run covers the same time; without dates it lies in one folder. */
static bool may_be_one_run(const ws_scan_file *a, const ws_scan_file *b)
{
    if (a->is_dated && b->is_dated)
        return a->start_ns < b->end_ns && b->start_ns < a->end_ns;
    return same_folder(a->path, b->path);
}

static ws_path_rule *rule_of(ws_campaign *c, const char *pattern)
{
    for (size_t i = 0; i < c->n_paths; i++)
        if (strcmp(c->paths[i].match, pattern) == 0)
            return &c->paths[i];
    return NULL;
}

/* Files of the same time that may be of one run or of several: their rule asks, until somebody says it. */
static void ask_for_nodes(proposer *p)
{
    for (size_t i = 0; i < p->n_runs; i++) {
        ws_path_rule *rule = p->scanned[i].one_run ? rule_of(p->campaign, pattern_of(p, i)) : NULL;
        if (rule)
            rule->ask = "nodes";
    }
}

static void set_apart(proposer *p, const char *pattern)
{
    ws_path_rule *rule = rule_of(p->campaign, pattern);
    if (rule && !rule->set.n)
        ws_fields_set(&rule->set, &p->campaign->arena, "rule", pattern);
}

/* Rules whose words differ where no field stands: the runs that they find differ, too, and `rule` says in what. */
static void part_rules(proposer *p)
{
    ws_arena arena = {0};
    keyed *k = ws_alloc((p->n_runs + 1) * sizeof *k);
    for (size_t i = 0; i < p->n_runs; i++)
        k[i] = (keyed){key_of(&arena, &p->scanned[i]), i, pattern_of(p, i)};
    qsort(k, p->n_runs, sizeof *k, by_key);
    for (size_t i = 1; i < p->n_runs; i++) {
        for (size_t e = i; e-- > 0 && *k[i].key && strcmp(k[e].key, k[i].key) == 0 && i - e < 64;) {
            ws_scan_file *pair[] = {&p->scanned[k[e].file], &p->scanned[k[i].file]};
            if (strcmp(k[e].pattern, k[i].pattern) == 0 || strstr(k[i].pattern, "{__run_id}"))
                continue;
            read_spans(p, pair, 2);
            if (may_be_one_run(pair[0], pair[1]))
                continue;
            set_apart(p, k[e].pattern);
            set_apart(p, k[i].pattern);
        }
    }
    free(k);
    ws_arena_free(&arena);
}

/* Do the rules read off the path what was understood of it? */
static bool is_read_right(const proposer *p, const ws_scan_file *f)
{
    const ws_campaign *c = p->campaign;
    ws_arena arena = {0};
    ws_fields fields = {0};
    bool right = false, matched = false;
    for (size_t i = 0; i < c->n_paths && !matched; i++)
        matched = ws_path_match(c->paths[i].match, f->path, &fields, &arena);
    right = matched;
    for (size_t i = 0; i < fields.n && right; i++) {
        const char *value = ws_path_value(f, fields.items[i].name);
        right = strcmp(fields.items[i].name, "__run_id") == 0 || (value && strcmp(value, fields.items[i].value) == 0);
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
        const char *node = ws_path_value(f, "node");
        if (is_read_right(p, f))
            continue;
        memmove(&c->paths[1], &c->paths[0], c->n_paths++ * sizeof *c->paths);
        ws_path_rule *rule = &c->paths[0];
        *rule = (ws_path_rule){
            .match = f->path, .as = p->behind[i]->role == ROWS ? f->format : NULL, .ask = f->one_run ? "nodes" : NULL};
        for (size_t depth = 0; depth < f->parts.n; depth++)
            for (size_t k = 0; k < f->parts.segments[depth].n; k++)
                if (f->names[depth][k] && !(node && strcmp(f->names[depth][k], "node") == 0))
                    ws_fields_set(&rule->set, &c->arena, f->names[depth][k], f->parts.segments[depth].parts[k].value);
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
    for (size_t i = 0; i < p->n_scanned; i++) {
        const found *f = p->behind[i];
        const char *pattern = pattern_of(p, i);
        if (f->role == TRACE || f->role == ROWS)
            add_rule(p, pattern, f->role == ROWS ? f->format->name : NULL);
        else if (f->role == WINDOW)
            add_window(p, pattern, f->format->name);
        else if (f->role == IGNORED)
            add_ignored(p, pattern);
        else
            add_side(p, pattern, f);
    }
    part_rules(p);
    ask_for_nodes(p);
    add_exact_rules(p);
}

/* --- what makes a configuration --- */

typedef struct grouping {
    const char **names;
    size_t n;
} grouping;

static void add_name(grouping *g, const char *name)
{
    for (size_t i = 0; i < g->n; i++)
        if (strcmp(g->names[i], name) == 0)
            return;
    g->names[g->n++] = name;
}

static bool varies(const proposer *p, const char *name)
{
    const char *first = NULL;
    for (size_t i = 0; i < p->n_runs; i++) {
        const char *value = ws_path_value(&p->scanned[i], name);
        if (i && (!first != !value || (value && strcmp(first, value) != 0)))
            return true;
        first = value;
    }
    return false;
}

/* Names of one use, in the order of the paths. */
static void add_names(const proposer *p, grouping *g, ws_field_use use, bool if_varied)
{
    for (size_t i = 0; i < p->n_runs; i++) {
        const ws_scan_file *f = &p->scanned[i];
        for (size_t depth = 0; depth < f->parts.n; depth++)
            for (size_t k = 0; k < f->parts.segments[depth].n; k++)
                if (f->names[depth][k] && *f->names[depth][k] != '*' && ws_name_use(f->names[depth][k]) == use &&
                    (!if_varied || varies(p, f->names[depth][k])))
                    add_name(g, f->names[depth][k]);
    }
}

/* The factors of ExperimentRunner's table: columns whose values come again from run to run; what was measured differs. */
static void add_factors(proposer *p, grouping *g, size_t most)
{
    for (size_t i = 0; i < p->n; i++) {
        ws_source_options options = {.read = WS_READ_DEFAULTS};
        ws_table table;
        if (p->files[i].role != TABLE || ws_source_read_table(p->files[i].path, &options, &table, NULL) != WS_OK)
            continue;
        for (size_t c = 1; c < table.n_columns && g->n < most; c++) {
            const char *name = table.columns[c].name;
            size_t distinct = 0;
            char a[WS_DOUBLE_TEXT], b[WS_DOUBLE_TEXT];
            for (size_t row = 0; row < table.n_rows; row++) {
                size_t k = 0;
                while (k < row &&
                       strcmp(ws_table_cell_text(&table, c, row, a), ws_table_cell_text(&table, c, k, b)) != 0)
                    k++;
                distinct += k == row;
            }
            if (distinct > 1 && distinct * 2 <= table.n_rows && strncmp(name, "__", 2) != 0)
                add_name(g, ws_arena_strdup(&p->campaign->arena, name));
        }
        ws_table_free(&table);
    }
}

/* Settings make configurations. Where paths name neither settings nor repeats, every run is one of its own. */
static void set_grouping(proposer *p)
{
    enum { MOST_NAMES = 60 };
    ws_campaign *c = p->campaign;
    const char *room[4][MOST_NAMES + 1];
    grouping all = {room[0], 0}, named = {room[1], 0}, identities = {room[2], 0};
    bool has_table = count_role(p, TABLE, NULL) > 0;
    add_names(p, &named, WS_USE_SETTING, false);
    add_names(p, &named, WS_USE_REPEAT, false);
    add_names(p, &identities, WS_USE_IDENTITY, true);
    add_name(&all, "series");
    add_names(p, &all, WS_USE_SETTING, true);
    add_name(&all, "gpus");
    add_factors(p, &all, MOST_NAMES);
    for (size_t i = 0; i < c->n_paths; i++)
        if (ws_fields_get(&c->paths[i].set, "rule"))
            add_name(&all, "rule");
    if (!named.n && !has_table)
        for (size_t i = 0; i < identities.n; i++)
            add_name(&all, identities.names[i]);
    c->group = ws_arena_alloc(&c->arena, (all.n + 1) * sizeof *c->group);
    for (size_t i = 0; i < all.n; i++) {
        if (strcmp(all.names[i], "series") == 0 && !varies(p, "series"))
            continue;
        bool is_clock = strcmp(all.names[i], "clock_cap_mhz") == 0;
        c->group[c->n_group++] = is_clock ? "clock_cap_hz" : all.names[i];
    }
    c->reference = "series";
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

static void begin(proposer *p, const char *folder)
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

ws_status ws_propose_campaign(const char *folder, const ws_propose_options *options, ws_campaign *campaign,
                              ws_proposal *proposal, ws_notes *notes, ws_error *error)
{
    proposer p = {.campaign = campaign, .proposal = proposal, .notes = notes, .options = options};
    *campaign = (ws_campaign){0};
    *proposal = (ws_proposal){0};
    begin(&p, folder);
    ws_status status = ws_walk(campaign->folder, &p.list, notes, error);
    p.files = ws_alloc((p.list.n + 1) * sizeof *p.files);
    if (status == WS_OK)
        ws_parallel_run(&(ws_parallel_task){&p, sizeof(look), look_at, take_look}, p.list.n, options->threads);
    for (size_t i = 0; i < p.n; i++) {
        p.files[i].path = ws_arena_strdup(&campaign->arena, p.files[i].path);
        p.files[i].inside = p.files[i].path + strlen(campaign->folder) + 1;
    }
    if (status == WS_OK) {
        drop_copies(&p);
        settle_roles(&p);
        list_useless(&p);
    }
    if (status == WS_OK && !count_role(&p, TRACE, NULL) && !count_role(&p, ROWS, NULL))
        status = ws_fail_at(error, WS_DATA, campaign->folder, 0, "no trace was found (files looked at: %zu)", p.list.n);
    if (status == WS_OK) {
        read_paths(&p);
        status = check_pattern(&p, error);
    }
    if (status == WS_OK) {
        make_rules(&p);
        set_grouping(&p);
    }
    free(p.files);
    ws_file_list_free(&p.list);
    return status;
}

void ws_proposal_free(ws_proposal *proposal)
{
    ws_arena_free(&proposal->arena);
    *proposal = (ws_proposal){0};
}
