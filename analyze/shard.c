#include "analyze/shard.h"

#include "analyze/store/file_state.h"

#include <stdlib.h>
#include <string.h>

/* Runs that share files, by the first of them. */
typedef struct load {
    size_t first;
    uint64_t bytes;
} load;

typedef struct owner {
    const char *path;
    size_t run;
} owner;

static int by_path(const void *a, const void *b)
{
    const owner *x = a, *y = b;
    int order = strcmp(x->path, y->path);
    return order ? order : (x->run > y->run) - (x->run < y->run);
}

static int by_load(const void *a, const void *b)
{
    const load *x = a, *y = b;
    if (x->bytes != y->bytes)
        return x->bytes < y->bytes ? 1 : -1;
    return (x->first > y->first) - (x->first < y->first);
}

static size_t first_of(size_t *group, size_t run)
{
    while (group[run] != run)
        run = group[run] = group[group[run]];
    return run;
}

/* group[i]: the first run that run i shares a file with, itself or another. Adds up sizes, each file once. */
static void find_groups(const ws_run_list *list, size_t *group, load *loads)
{
    size_t n = 0, k = 0;
    for (size_t i = 0; i < list->n; i++)
        n += list->runs[i].n_files;
    owner *owners = ws_alloc((n + 1) * sizeof *owners);
    for (size_t i = 0; i < list->n; i++) {
        group[i] = i;
        loads[i] = (load){.first = i};
        for (size_t f = 0; f < list->runs[i].n_files; f++)
            owners[k++] = (owner){list->runs[i].files[f].path, i};
    }
    qsort(owners, n, sizeof *owners, by_path);
    for (size_t i = 0; i < n; i++) {
        bool again = i && strcmp(owners[i - 1].path, owners[i].path) == 0;
        size_t a = first_of(group, owners[i].run), b = again ? first_of(group, owners[i - 1].run) : a;
        group[a > b ? a : b] = a < b ? a : b;
        if (!again)
            loads[owners[i].run].bytes += (uint64_t)ws_file_state_of(owners[i].path).size;
    }
    free(owners);
    for (size_t i = list->n; i-- > 0;) {
        size_t first = first_of(group, i);
        if (first != i) {
            loads[first].bytes += loads[i].bytes;
            loads[i].bytes = 0;
        }
    }
}

static void free_run(ws_run_files *run)
{
    ws_fields_free(&run->fields);
    ws_fields_free(&run->settings);
    for (size_t w = 0; w < run->n_windows; w++)
        ws_fields_free(&run->windows[w].fields);
    free(run->windows);
    free(run->files);
}

/* The largest goes first to whoever has least. */
static void deal(const load *loads, size_t n, const size_t *group, size_t n_shards, size_t *shard_of)
{
    uint64_t *bytes = ws_alloc(n_shards * sizeof *bytes);
    for (size_t i = 0; i < n; i++) {
        size_t least = 0;
        if (group[loads[i].first] != loads[i].first)
            continue;
        for (size_t s = 1; s < n_shards; s++)
            least = bytes[s] < bytes[least] ? s : least;
        shard_of[loads[i].first] = least + 1;
        bytes[least] += loads[i].bytes + 1; /* an empty run is a run, too */
    }
    free(bytes);
}

void ws_take_shard(ws_run_list *list, size_t shard, size_t n_shards)
{
    size_t *group = ws_alloc((list->n + 1) * sizeof *group), *shard_of = ws_alloc((list->n + 1) * sizeof *shard_of);
    load *loads = ws_alloc((list->n + 1) * sizeof *loads);
    size_t kept = 0;
    find_groups(list, group, loads);
    qsort(loads, list->n, sizeof *loads, by_load);
    deal(loads, list->n, group, n_shards, shard_of);
    for (size_t i = 0; i < list->n; i++) {
        if (shard_of[first_of(group, i)] == shard)
            list->runs[kept++] = list->runs[i];
        else
            free_run(&list->runs[i]);
    }
    list->n = kept;
    list->is_part |= n_shards > 1;
    free(group);
    free(shard_of);
    free(loads);
}
