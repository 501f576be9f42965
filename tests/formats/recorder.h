/* A sink that keeps everything, for tests of readers. */
#ifndef WS_TESTS_RECORDER_H
#define WS_TESTS_RECORDER_H

#include "core/arena.h"
#include "core/sample.h"
#include "formats/format.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct recorded {
    ws_channel channel; /* its texts are copies */
    size_t n, capacity[4];
    int64_t *t_ns, *interval_ns, *line;
    double *value;
    bool has_time, has_interval, has_line;
} recorded;

typedef struct recorder {
    recorded *channels;
    size_t n, capacity;
    ws_fact *facts;
    size_t n_facts, fact_capacity;
    unsigned unwanted; /* quantities, as bits */
    ws_notes notes;
    ws_error error;
    ws_arena arena;
} recorder;

static inline const char *recorder_copy(recorder *r, const char *text)
{
    return ws_arena_strdup(&r->arena, text ? text : "");
}

static inline ws_status recorder_channel(void *state, const ws_channel *channel, int *id, ws_error *error)
{
    (void)error;
    recorder *r = state;
    if (r->unwanted >> channel->quantity & 1) {
        *id = -1;
        return WS_OK;
    }
    r->channels = ws_grow(r->channels, &r->capacity, r->n + 1, sizeof *r->channels);
    recorded *c = &r->channels[r->n];
    *c = (recorded){.channel = *channel};
    const char **texts[] = {&c->channel.run,       &c->channel.node,     &c->channel.device,
                            &c->channel.device_id, &c->channel.identity, &c->channel.column};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        *texts[i] = recorder_copy(r, *texts[i]);
    *id = (int)r->n++;
    return WS_OK;
}

static inline ws_status recorder_block(void *state, int id, const ws_block *block, ws_error *error)
{
    (void)error;
    recorder *r = state;
    recorded *c = &r->channels[id];
    size_t want = c->n + block->n;
    c->t_ns = ws_grow(c->t_ns, &c->capacity[0], want, sizeof *c->t_ns);
    c->interval_ns = ws_grow(c->interval_ns, &c->capacity[1], want, sizeof *c->interval_ns);
    c->line = ws_grow(c->line, &c->capacity[2], want, sizeof *c->line);
    c->value = ws_grow(c->value, &c->capacity[3], want, sizeof *c->value);
    c->has_time = block->t_ns != NULL;
    c->has_interval = block->interval_ns != NULL;
    c->has_line = block->line != NULL;
    for (size_t i = 0; i < block->n; i++, c->n++) {
        c->t_ns[c->n] = block->t_ns ? block->t_ns[i] : 0;
        c->interval_ns[c->n] = block->interval_ns ? block->interval_ns[i] : 0;
        c->line[c->n] = block->line ? block->line[i] : 0;
        c->value[c->n] = block->value[i];
    }
    return WS_OK;
}

static inline void recorder_fact(void *state, const ws_fact *fact)
{
    recorder *r = state;
    r->facts = ws_grow(r->facts, &r->fact_capacity, r->n_facts + 1, sizeof *r->facts);
    ws_fact *f = &r->facts[r->n_facts++];
    *f = *fact;
    const char **texts[] = {&f->run, &f->node, &f->device, &f->key};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        *texts[i] = recorder_copy(r, *texts[i]);
    if (f->text)
        f->text = recorder_copy(r, f->text);
}

static inline ws_sink recorder_sink(recorder *r)
{
    return (ws_sink){
        .state = r, .channel = recorder_channel, .block = recorder_block, .fact = recorder_fact, .every_fact = true};
}

static inline void recorder_free(recorder *r)
{
    for (size_t i = 0; i < r->n; i++) {
        free(r->channels[i].t_ns);
        free(r->channels[i].interval_ns);
        free(r->channels[i].line);
        free(r->channels[i].value);
    }
    free(r->channels);
    free(r->facts);
    ws_notes_free(&r->notes);
    ws_arena_free(&r->arena);
    *r = (recorder){0};
}

/* Read an opened input into an empty recorder; notes and error are kept in it. Closes the input. */
static inline ws_status recorder_read_input(recorder *r, const ws_format *format, ws_input *input,
                                            const ws_read_options *options)
{
    ws_read_options defaults = WS_READ_DEFAULTS;
    ws_sink sink = recorder_sink(r);
    ws_status status = format->read(input, options ? options : &defaults, &sink, &r->notes, &r->error);
    ws_input_close(input);
    return status;
}

static inline ws_status recorder_read_text(recorder *r, const ws_format *format, const char *name, const char *text)
{
    return recorder_read_input(r, format, ws_input_from_memory(name, text, strlen(text)), NULL);
}

static inline ws_status recorder_read_path(recorder *r, const ws_format *format, const char *path)
{
    ws_input *input;
    ws_status status = ws_input_open(&input, path, &r->error);
    return status == WS_OK ? recorder_read_input(r, format, input, NULL) : status;
}

/* The first channel with that device and column (NULL: any), or NULL. */
static inline const recorded *recorder_find(const recorder *r, const char *device, const char *column)
{
    for (size_t i = 0; i < r->n; i++)
        if ((!device || strcmp(r->channels[i].channel.device, device) == 0) &&
            (!column || strcmp(r->channels[i].channel.column, column) == 0))
            return &r->channels[i];
    return NULL;
}

static inline double recorded_sum(const recorded *c)
{
    double sum = 0;
    for (size_t i = 0; i < c->n; i++)
        sum += isnan(c->value[i]) ? 0 : c->value[i];
    return sum;
}

#endif
