#include "formats/handover.h"

#include "core/arena.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* A few blocks may wait, so that neither thread does while the other is at something longer. */
enum { SLOTS = 4 };

/* A block with its arrays, which grow as they are needed. */
typedef struct slot {
    int id;
    ws_block block;
    int64_t *t_ns, *interval_ns, *line;
    double *value;
    size_t capacity[4];
} slot;

typedef struct handover {
    ws_handover_read *read;
    void *state;
    const ws_sink *sink;
    pthread_mutex_t sink_lock; /* one call of the sink at a time */

    pthread_mutex_t lock; /* of what follows */
    pthread_cond_t changed;
    slot slots[SLOTS];
    size_t put, taken; /* blocks since the start; a slot between the two belongs to who takes, the others to who puts */
    bool ended;
    ws_status read_status, sink_status;
    ws_error read_error, sink_error;
} handover;

static ws_status put_channel(void *state, const ws_channel *channel, int *id, ws_error *error)
{
    handover *h = state;
    pthread_mutex_lock(&h->sink_lock);
    ws_status status = h->sink->channel(h->sink->state, channel, id, error);
    pthread_mutex_unlock(&h->sink_lock);
    return status;
}

static void put_fact(void *state, const ws_fact *fact)
{
    handover *h = state;
    pthread_mutex_lock(&h->sink_lock);
    h->sink->fact(h->sink->state, fact);
    pthread_mutex_unlock(&h->sink_lock);
}

static bool wants(void *state, ws_quantity quantity)
{
    const handover *h = state;
    return h->sink->wants(h->sink->state, quantity);
}

static void *copy_array(void *to, size_t *capacity, const void *from, size_t n, size_t size)
{
    if (!from)
        return to;
    to = ws_grow(to, capacity, n, size);
    memcpy(to, from, n * size);
    return to;
}

static void fill_slot(slot *s, int id, const ws_block *b)
{
    s->t_ns = copy_array(s->t_ns, &s->capacity[0], b->t_ns, b->n, sizeof *s->t_ns);
    s->interval_ns = copy_array(s->interval_ns, &s->capacity[1], b->interval_ns, b->n, sizeof *s->interval_ns);
    s->line = copy_array(s->line, &s->capacity[2], b->line, b->n, sizeof *s->line);
    s->value = copy_array(s->value, &s->capacity[3], b->value, b->n, sizeof *s->value);
    s->id = id;
    s->block = (ws_block){.n = b->n,
                          .t_ns = b->t_ns ? s->t_ns : NULL,
                          .value = s->value,
                          .interval_ns = b->interval_ns ? s->interval_ns : NULL,
                          .line = b->line ? s->line : NULL};
}

static ws_status put_block(void *state, int id, const ws_block *block, ws_error *error)
{
    handover *h = state;
    pthread_mutex_lock(&h->lock);
    while (h->put - h->taken == SLOTS)
        pthread_cond_wait(&h->changed, &h->lock);
    ws_status status = h->sink_status;
    pthread_mutex_unlock(&h->lock);
    if (status != WS_OK)
        return ws_fail(error, status, "%s", h->sink_error.message);
    fill_slot(&h->slots[h->put % SLOTS], id, block);
    pthread_mutex_lock(&h->lock);
    h->put++;
    pthread_cond_signal(&h->changed);
    pthread_mutex_unlock(&h->lock);
    return WS_OK;
}

static void *read_all(void *state)
{
    handover *h = state;
    ws_sink sink = {
        h, put_channel, put_block, h->sink->fact ? put_fact : NULL, h->sink->every_fact, h->sink->wants ? wants : NULL};
    h->read_status = h->read(h->state, &sink, &h->read_error);
    pthread_mutex_lock(&h->lock);
    h->ended = true;
    pthread_cond_signal(&h->changed);
    pthread_mutex_unlock(&h->lock);
    return NULL;
}

static ws_status give_to_sink(handover *h, const slot *s)
{
    pthread_mutex_lock(&h->sink_lock);
    ws_status status = h->sink->block(h->sink->state, s->id, &s->block, &h->sink_error);
    pthread_mutex_unlock(&h->sink_lock);
    return status;
}

/* What still comes behind a block that was refused is thrown away. */
static void take_blocks(handover *h)
{
    pthread_mutex_lock(&h->lock);
    for (;;) {
        while (h->taken == h->put && !h->ended)
            pthread_cond_wait(&h->changed, &h->lock);
        if (h->taken == h->put)
            break;
        const slot *next = &h->slots[h->taken % SLOTS];
        pthread_mutex_unlock(&h->lock);
        ws_status status = h->sink_status == WS_OK ? give_to_sink(h, next) : h->sink_status;
        pthread_mutex_lock(&h->lock);
        h->sink_status = status;
        h->taken++;
        pthread_cond_signal(&h->changed);
    }
    pthread_mutex_unlock(&h->lock);
}

static void free_slots(handover *h)
{
    for (size_t i = 0; i < SLOTS; i++) {
        free(h->slots[i].t_ns);
        free(h->slots[i].interval_ns);
        free(h->slots[i].line);
        free(h->slots[i].value);
    }
}

ws_status ws_handover(ws_handover_read *read, void *state, const ws_sink *sink, ws_error *error)
{
    handover h = {.read = read, .state = state, .sink = sink};
    pthread_t thread;
    pthread_mutex_init(&h.sink_lock, NULL);
    pthread_mutex_init(&h.lock, NULL);
    pthread_cond_init(&h.changed, NULL);
    bool has_thread = pthread_create(&thread, NULL, read_all, &h) == 0;
    if (has_thread) {
        take_blocks(&h);
        pthread_join(thread, NULL);
    }
    pthread_cond_destroy(&h.changed);
    pthread_mutex_destroy(&h.lock);
    pthread_mutex_destroy(&h.sink_lock);
    free_slots(&h);
    if (!has_thread)
        return read(state, sink, error);
    if (h.sink_status != WS_OK)
        return ws_fail(error, h.sink_status, "%s", h.sink_error.message);
    return h.read_status == WS_OK ? WS_OK : ws_fail(error, h.read_status, "%s", h.read_error.message);
}
