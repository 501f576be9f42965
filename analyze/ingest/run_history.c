#include "analyze/ingest/run_history.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void ws_history_free(ws_history *history)
{
    for (size_t i = 0; i < history->n; i++)
        free(history->runs[i].words);
    free(history->runs);
    ws_run_marks_free(&history->marks);
    ws_arena_free(&history->arena);
    *history = (ws_history){0};
}

static ws_run_history *run_at(ws_history *history, size_t row)
{
    if (row >= history->n) {
        history->runs = ws_grow(history->runs, &history->capacity, row + 1, sizeof *history->runs);
        memset(history->runs + history->n, 0, (row + 1 - history->n) * sizeof *history->runs);
        history->n = row + 1;
    }
    return &history->runs[row];
}

static const char *run_history_keep(ws_history *history, const char *text)
{
    return text && *text ? ws_arena_strdup(&history->arena, text) : "";
}

static const ws_channel_summary no_summary = {.energy_j = NAN, .mean = NAN, .sd = NAN, .coverage = NAN};

static const ws_channel_summary *keep_summary(ws_history *history, const ws_metered_channel *c)
{
    if (!c)
        return &no_summary;
    ws_channel_summary *kept = ws_arena_alloc(&history->arena, sizeof *kept);
    *kept = c->summary;
    return kept;
}

static bool is_other(const ws_device *d, const ws_metered_channel *c)
{
    return c != d->energy && ws_quantity_gives_energy(c->channel.quantity);
}

/* NULL without. */
static ws_history_channel *keep_others(ws_history *history, const ws_measure *m, const ws_device *d, size_t *n)
{
    size_t others = 0;
    *n = 0;
    for (size_t i = 0; i < d->n_channels; i++)
        others += is_other(d, &m->channels[d->channels[i]]);
    ws_history_channel *kept = others ? ws_arena_alloc(&history->arena, others * sizeof *kept) : NULL;
    for (size_t i = 0; i < d->n_channels; i++) {
        const ws_metered_channel *c = &m->channels[d->channels[i]];
        if (is_other(d, c))
            kept[(*n)++] = (ws_history_channel){.column = run_history_keep(history, c->channel.column),
                                                .quantity = c->channel.quantity,
                                                .rule = c->meter.rule,
                                                .is_doubtful = c->channel.preference >= WS_DOUBTFUL,
                                                .samples = c->summary.samples,
                                                .energy_j = c->summary.energy_j};
    }
    return kept;
}

static void take_device(ws_history *history, ws_history_device *to, const ws_measure *m, size_t device, double wall_s)
{
    const ws_device *d = &m->devices[device];
    *to = (ws_history_device){.source = run_history_keep(history, d->source),
                              .node = run_history_keep(history, d->node),
                              .device = run_history_keep(history, d->device),
                              .device_id = run_history_keep(history, d->device_id),
                              .column = run_history_keep(history, d->energy ? d->energy->channel.column : ""),
                              .domain = d->domain,
                              .counts = !d->is_alternative,
                              .quantity = d->energy ? d->energy->channel.quantity : WS_OTHER_VALUE,
                              .rule = d->energy ? d->energy->meter.rule : WS_RULE_NONE,
                              .stake = d->stake,
                              .energy = d->energy ? d->energy->summary : no_summary,
                              .util = keep_summary(history, d->util),
                              .mem_util = keep_summary(history, d->mem_util)};
    if (d->energy)
        to->budget = d->energy->budget;
    to->shared_coverage = ws_coverage_of_run(&to->energy, wall_s);
    to->others = keep_others(history, m, d, &to->n_others);
}

/* The channel whose span is the run's time. */
static void take_longest(ws_history *history, ws_run_history *run, const ws_measure *m, const ws_measure_group *of)
{
    run->wall_s = NAN;
    for (size_t i = 0; i < of->n_channels; i++) {
        const ws_metered_channel *c = &m->channels[of->channels[i]];
        if (!c->summary.samples || !(isnan(run->wall_s) || c->summary.span_s > run->wall_s))
            continue;
        run->wall_s = c->summary.span_s;
        run->wall_source = run_history_keep(history, c->source);
        run->wall_channel = ws_arena_printf(&history->arena, "'%s' of %s", c->channel.column, c->channel.device);
    }
}

void ws_history_take_devices(ws_history *history, size_t row, const ws_measure *m, const ws_measure_group *of)
{
    if (!history)
        return;
    ws_run_history *run = run_at(history, row);
    run->is_traced = true;
    take_longest(history, run, m, of);
    run->devices = ws_arena_alloc(&history->arena, of->n_devices * sizeof *run->devices + 1);
    for (size_t i = 0; i < of->n_devices; i++)
        take_device(history, &run->devices[run->n_devices++], m, of->devices[i], run->wall_s);
}

void ws_history_take_budget(ws_history *history, size_t row, const ws_budget *budget, const ws_totals *totals)
{
    if (!history)
        return;
    ws_run_history *run = run_at(history, row);
    run->has_budget = true;
    run->budget = *budget;
    run->domain_budget = ws_arena_alloc(&history->arena, WS_DOMAIN_N * sizeof *run->domain_budget);
    for (int d = 0; d < WS_DOMAIN_N; d++)
        run->domain_budget[d] = totals->domain[d].budget;
}

void ws_history_take_files(ws_history *history, size_t row, const ws_run_files *files, const ws_run_window *window)
{
    if (!history)
        return;
    ws_run_history *run = run_at(history, row);
    run->files = ws_arena_alloc(&history->arena, files->n_files * sizeof *run->files + 1);
    for (size_t i = 0; i < files->n_files; i++) {
        const struct ws_run_file *file = &files->files[i];
        run->files[run->n_files++] =
            (ws_history_file){run_history_keep(history, file->path), run_history_keep(history, file->node),
                              file->rule ? run_history_keep(history, file->rule->match) : NULL};
    }
    run->has_window = window != NULL;
    if (!window)
        return;
    run->window_start_ns = window->start_ns;
    run->window_end_ns = window->end_ns;
    run->window_row = window->row;
    run->window_nodes = window->n_nodes;
    run->window_record = window->record ? run_history_keep(history, window->record) : NULL;
}

void ws_history_take_word(ws_history *history, size_t row, const char *name, const char *value, const char *by)
{
    if (!history)
        return;
    ws_run_history *run = run_at(history, row);
    run->words = ws_grow(run->words, &run->word_capacity, run->n_words + 1, sizeof *run->words);
    run->words[run->n_words++] = (ws_history_word){run_history_keep(history, name), run_history_keep(history, value),
                                                   run_history_keep(history, by)};
}

void ws_history_take_fields(ws_history *history, size_t row, const ws_fields *fields, const char *by)
{
    for (size_t i = 0; history && i < fields->n; i++)
        ws_history_take_word(history, row, fields->items[i].name, fields->items[i].value, by);
}

void ws_history_take_stage(ws_history *history, const ws_table *runs, ws_run_stage stage)
{
    for (size_t row = 0; history && row < runs->n_rows; row++) {
        ws_run_history *run = run_at(history, row);
        if (!run->stage)
            run->stage = ws_arena_alloc(&history->arena, WS_STAGE_N * sizeof *run->stage);
        for (int c = 0; c < WS_RUN_COLUMN_N; c++)
            run->stage[stage][c] = ws_table_number(runs, (size_t)c, row);
    }
}

void ws_history_take_names(ws_history *history, const ws_table *runs)
{
    if (!history)
        return;
    ws_run_marks_take(&history->marks, runs);
    for (size_t row = 0; row < runs->n_rows; row++)
        run_at(history, row)->line = history->marks.items[row].line;
}

const ws_run_history *ws_history_find_next(const ws_history *history, const ws_table *runs, size_t row, size_t *from)
{
    size_t at = history ? ws_run_marks_find_next(&history->marks, runs, row, from) : SIZE_MAX;
    return at == SIZE_MAX ? NULL : &history->runs[at];
}

const ws_run_history *ws_history_find(const ws_history *history, const ws_table *runs, size_t row)
{
    size_t from = 0;
    return ws_history_find_next(history, runs, row, &from);
}
