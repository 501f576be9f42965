#include "analyze/ingest/propose.h"

#include "analyze/ingest/propose_pattern.h"
#include "analyze/source.h"
#include "core/parallel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct proposal {
    const char *pattern, *as; /* the name of the format */
    size_t files;
} proposal;

typedef struct proposer {
    ws_campaign *campaign;
    ws_notes *notes;
    ws_file_list files;
    proposal *traces, *sides;
    size_t n_traces, trace_capacity, n_sides, side_capacity;
} proposer;

static void count_pattern(proposer *p, bool is_trace, const char *pattern, const char *as)
{
    proposal **list = is_trace ? &p->traces : &p->sides;
    size_t *n = is_trace ? &p->n_traces : &p->n_sides, *capacity = is_trace ? &p->trace_capacity : &p->side_capacity;
    for (size_t i = 0; i < *n; i++) {
        if (strcmp((*list)[i].pattern, pattern) == 0) {
            (*list)[i].files++;
            return;
        }
    }
    *list = ws_grow(*list, capacity, *n + 1, sizeof **list);
    (*list)[(*n)++] = (proposal){ws_arena_strdup(&p->campaign->arena, pattern), as, 1};
}

static bool is_side_format(const ws_format *format)
{
    return strcmp(format->name, "sacct") == 0 || strcmp(format->name, "job-log") == 0 ||
           strcmp(format->name, "torch-list") == 0;
}

/* What a file was recognised as. */
typedef struct look {
    const ws_format *format;
    ws_status status;
    ws_error error;
} look;

static void look_at(void *state, size_t file, void *out)
{
    const proposer *p = state;
    look *l = out;
    l->status = ws_source_recognise(p->files.paths[file], NULL, &l->format, NULL, &l->error);
}

static void take_look(void *state, size_t file, void *done)
{
    proposer *p = state;
    const look *l = done;
    const char *path = p->files.paths[file], *folder = p->campaign->folder;
    char pattern[WS_PATTERN_SIZE];
    if (strcmp(strrchr(path, '/') + 1, "campaign.json") == 0)
        return;
    if (l->status != WS_OK) {
        ws_note_failure(p->notes, "unreadable", path, &l->error);
        return;
    }
    if (!l->format || (l->format->is_record && !is_side_format(l->format))) {
        ws_notes_add(p->notes, "no-use", folder, "", 0,
                     "files that are neither traces nor known side files, the first is %s", path);
        return;
    }
    ws_propose_pattern(path + strlen(folder) + 1, !l->format->is_record, pattern);
    count_pattern(p, !l->format->is_record, pattern, l->format->name);
}

/* Patterns that came to be the same are one. */
static size_t join_equal(proposal *list, size_t n)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        size_t k = 0;
        while (k < kept && strcmp(list[k].pattern, list[i].pattern) != 0)
            k++;
        if (k < kept)
            list[k].files += list[i].files;
        else
            list[kept++] = list[i];
    }
    return kept;
}

static void name_folders(proposer *p)
{
    size_t n = p->n_traces + p->n_sides;
    const char **patterns = ws_alloc(n * sizeof *patterns);
    for (size_t i = 0; i < n; i++)
        patterns[i] = i < p->n_traces ? p->traces[i].pattern : p->sides[i - p->n_traces].pattern;
    ws_propose_folders(&p->campaign->arena, patterns, p->n_traces, n);
    for (size_t i = 0; i < n; i++)
        *(i < p->n_traces ? &p->traces[i].pattern : &p->sides[i - p->n_traces].pattern) = patterns[i];
    free(patterns);
    p->n_traces = join_equal(p->traces, p->n_traces);
    p->n_sides = join_equal(p->sides, p->n_sides);
}

static bool same_folder(const char *a, const char *b)
{
    const char *slash = strrchr(a, '/');
    size_t n = slash ? (size_t)(slash - a) + 1 : 0;
    return strncmp(a, b, n) == 0 && !strchr(b + n, '/');
}

/* `perun export` writes what its HDF5 file holds once more beside it. */
static bool is_perun_export(const proposer *p, const proposal *trace)
{
    bool is_export = strcmp(trace->as, "perun-csv") == 0 || strcmp(trace->as, "perun-json") == 0, beside = false;
    for (size_t i = 0; i < p->n_traces && is_export && !beside; i++)
        beside = strcmp(p->traces[i].as, "perun-hdf5") == 0 && same_folder(p->traces[i].pattern, trace->pattern);
    return beside;
}

static void take_traces(proposer *p, ws_notes *notes)
{
    ws_campaign *c = p->campaign;
    c->paths = ws_arena_alloc(&c->arena, p->n_traces * sizeof *c->paths + 1);
    c->ignore = ws_arena_alloc(&c->arena, p->n_traces * sizeof *c->ignore + 1);
    for (size_t i = 0; i < p->n_traces; i++) {
        if (is_perun_export(p, &p->traces[i])) {
            c->ignore[c->n_ignore++] = p->traces[i].pattern;
            ws_notes_add(notes, "perun-export", p->traces[i].pattern, "", 0,
                         "repeats perun's HDF5 file beside it, and is ignored");
            continue;
        }
        c->paths[c->n_paths++].match = p->traces[i].pattern;
        ws_notes_add(notes, "inferred", p->traces[i].pattern, "", 0, "%zu trace file%s", p->traces[i].files,
                     p->traces[i].files == 1 ? "" : "s");
    }
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

static void take_side_files(proposer *p)
{
    ws_campaign *c = p->campaign;
    c->side_files = ws_arena_alloc(&c->arena, p->n_sides * sizeof *c->side_files + 1);
    for (size_t i = 0; i < p->n_sides; i++) {
        ws_side_rule *rule = &c->side_files[c->n_side_files++];
        rule->match = p->sides[i].pattern;
        rule->as = p->sides[i].as;
        if (strcmp(rule->as, "sacct") == 0)
            rule->join = "job";
        if (strcmp(rule->as, "torch-list") == 0)
            name_list(c, rule);
    }
}

static bool has_field(const ws_campaign *c, const char *field)
{
    char braces[64];
    bool found = false;
    snprintf(braces, sizeof braces, "{%s}", field);
    for (size_t i = 0; i < c->n_paths; i++)
        found |= strstr(c->paths[i].match, braces) != NULL;
    return found;
}

static void list_unknown(const ws_campaign *c, ws_notes *notes)
{
    static const struct {
        const char *field, *use;
    } wanted[] = {{"gpus", "GPUh and scaling; the GPUs in the traces are counted where no path says it"},
                  {"lbs", "global batch size and passes per GPUh"},
                  {"epochs", "samples per GPUh and time per epoch"},
                  {"dataset_samples", "samples per GPUh and energy per sample"},
                  {"model", "tables of several models"},
                  {"device", "tables of several devices"}};
    for (size_t w = 0; w < sizeof wanted / sizeof *wanted; w++)
        if (!has_field(c, wanted[w].field))
            ws_notes_add(notes, "not-inferred", wanted[w].field, "", 0,
                         "no path says it; needed for %s (put it into 'defaults')", wanted[w].use);
}

static void set_grouping(ws_campaign *c)
{
    static const char *const fields[] = {"series", "config", "config2", "gpus", "lbs"};
    c->group = ws_arena_alloc(&c->arena, sizeof fields);
    for (size_t f = 0; f < sizeof fields / sizeof *fields; f++)
        if (has_field(c, fields[f]) || strcmp(fields[f], "gpus") == 0)
            c->group[c->n_group++] = fields[f];
    c->reference = "series";
}

ws_status ws_propose_campaign(const char *folder, unsigned threads, ws_campaign *campaign, ws_notes *notes,
                              ws_error *error)
{
    proposer p = {.campaign = campaign, .notes = notes};
    *campaign = (ws_campaign){0};
    size_t length = strlen(folder);
    campaign->folder = ws_arena_strndup(&campaign->arena, folder, length - (length > 1 && folder[length - 1] == '/'));
    campaign->source = campaign->folder;
    const char *slash = strrchr(campaign->folder, '/');
    campaign->name = slash ? slash + 1 : campaign->folder;
    ws_status status = ws_walk(campaign->folder, &p.files, notes, error);
    if (status == WS_OK)
        ws_parallel_run(&(ws_parallel_task){&p, sizeof(look), look_at, take_look}, p.files.n, threads);
    if (status == WS_OK && !p.n_traces)
        status =
            ws_fail_at(error, WS_DATA, campaign->folder, 0, "no trace was found (files looked at: %zu)", p.files.n);
    if (status == WS_OK) {
        name_folders(&p);
        take_traces(&p, notes);
        take_side_files(&p);
        set_grouping(campaign);
        list_unknown(campaign, notes);
    }
    free(p.traces);
    free(p.sides);
    ws_file_list_free(&p.files);
    return status;
}
