#include "analyze/ingest/inputs.h"

#include "analyze/ingest/ingest.h"
#include "analyze/folder_walk.h"
#include "formats/input/input.h"

#include <stdlib.h>
#include <string.h>

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* A file may belong to several runs. */
static void sort_and_join(ws_file_list *files)
{
    size_t kept = 0;
    if (files->n)
        qsort(files->paths, files->n, sizeof *files->paths, by_name);
    for (size_t i = 0; i < files->n; i++) {
        if (kept && strcmp(files->paths[kept - 1], files->paths[i]) == 0)
            free(files->paths[i]);
        else
            files->paths[kept++] = files->paths[i];
    }
    files->n = kept;
}

static void add_all(const ws_file_list *from, ws_file_list *inputs)
{
    for (size_t i = 0; i < from->n; i++)
        ws_file_list_add(inputs, from->paths[i]);
}

static void add_run_files(const ws_run_list *list, ws_file_list *inputs)
{
    for (size_t i = 0; i < list->n; i++)
        for (size_t f = 0; f < list->runs[i].n_files; f++)
            ws_file_list_add(inputs, list->runs[i].files[f].path);
}

static bool takes(const ws_campaign *campaign, const char *pattern, const char *path, ws_arena *arena)
{
    ws_fields fields = {0};
    bool matched = ws_path_match(pattern, ws_campaign_path(campaign, path), &fields, arena);
    ws_fields_free(&fields);
    return matched;
}

static void add_side_files(const ws_campaign *campaign, ws_run_list *list, ws_file_list *inputs)
{
    for (size_t i = 0; i < list->all.n; i++) {
        const char *path = list->all.paths[i];
        bool is_taken = false;
        for (size_t r = 0; r < campaign->n_side_files && !is_taken; r++)
            is_taken = takes(campaign, campaign->side_files[r].match, path, &list->arena);
        for (size_t r = 0; r < campaign->n_windows && !is_taken; r++)
            is_taken = takes(campaign, campaign->windows[r].match, path, &list->arena);
        if (is_taken)
            ws_file_list_add(inputs, path);
    }
}

void ws_list_inputs(const char *path, const ws_campaign *campaign, ws_run_list *list, ws_file_list *inputs)
{
    bool described = campaign->source && ws_campaign_is_described(campaign);
    if (!campaign->source)
        ws_file_list_add(inputs, path);
    else if (!described)
        add_all(&list->all, inputs);
    else {
        ws_file_list_add(inputs, campaign->source);
        add_run_files(list, inputs);
        add_side_files(campaign, list, inputs);
    }
    sort_and_join(inputs);
}

typedef struct format_count {
    const char *name;
    size_t n, order;
} format_count;

static int by_count(const void *a, const void *b)
{
    const format_count *x = a, *y = b;
    if (x->n != y->n)
        return x->n < y->n ? 1 : -1;
    return (x->order > y->order) - (x->order < y->order);
}

static void count_format(const char *name, format_count *counts, size_t *n, size_t most)
{
    size_t i = 0;
    while (i < *n && strcmp(counts[i].name, name) != 0)
        i++;
    if (i == most)
        return;
    if (i == *n)
        counts[(*n)++] = (format_count){.name = name, .order = i};
    counts[i].n++;
}

static void register_file(ws_input_register *read, const char *path, const char *as)
{
    ws_input *input = NULL;
    const ws_format *format = NULL;
    if (ws_input_register_find(read, path) || ws_input_open(&input, path, NULL) != WS_OK)
        return; /* one that cannot be read is among the findings already */
    ws_source_recognise_open(input, as, &format, NULL, NULL);
    ws_input_register_add(read, path, format, input);
    ws_input_close(input);
}

void ws_register_inputs(ws_input_register *read, const ws_file_list *inputs, const char *as)
{
    ws_arena arena = {0};
    for (size_t i = 0; i < inputs->n; i++) {
        size_t outer = ws_packed_outer(inputs->paths[i]);
        register_file(read, inputs->paths[i], as);
        if (outer)
            register_file(read, ws_arena_strndup(&arena, inputs->paths[i], outer), NULL);
    }
    ws_arena_free(&arena);
}

const char *ws_count_formats(ws_arena *arena, const ws_file_list *inputs, const ws_input_register *read)
{
    enum { MOST = 32 };
    format_count counts[MOST];
    size_t n = 0;
    for (size_t i = 0; i < inputs->n; i++) {
        const ws_registered_input *input = ws_input_register_find(read, inputs->paths[i]);
        if (input && input->format)
            count_format(input->format->name, counts, &n, MOST);
    }
    qsort(counts, n, sizeof *counts, by_count);
    const char *text = "";
    for (size_t i = 0; i < n; i++)
        text = ws_arena_printf(arena, "%s%s%zu %s", text, i ? ", " : "", counts[i].n, counts[i].name);
    return text;
}
