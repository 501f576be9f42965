#include "formats/input/reader_thread.h"

#include <pthread.h>

typedef struct slot {
    int id;
    ws_block block;
} slot;

typedef struct reader_thread {
    ws_reader_thread_read *read;
    void *state;
    const ws_sink *sink;
    pthread_mutex_t sink_lock; /* one call of the sink at a time */

    pthread_mutex_t lock; /* of what follows */
    pthread_cond_t changed;
    slot slots[WS_READER_THREAD_WAITING];
    size_t put, taken; /* blocks since the start; a slot between the two belongs to who takes, the others to who puts */
    bool ended;
    ws_status read_status, sink_status;
    ws_error read_error, sink_error;
} reader_thread;

static ws_status put_channel(void *state, const ws_channel *channel, int *id, ws_error *error)
{
    reader_thread *h = state;
    pthread_mutex_lock(&h->sink_lock);
    ws_status status = h->sink->channel(h->sink->state, channel, id, error);
    pthread_mutex_unlock(&h->sink_lock);
    return status;
}

static void put_fact(void *state, const ws_fact *fact)
{
    reader_thread *h = state;
    pthread_mutex_lock(&h->sink_lock);
    h->sink->fact(h->sink->state, fact);
    pthread_mutex_unlock(&h->sink_lock);
}

static bool reader_thread_wants(void *state, ws_quantity quantity)
{
    const reader_thread *h = state;
    return h->sink->wants(h->sink->state, quantity);
}

static ws_status put_block(void *state, int id, const ws_block *block, ws_error *error)
{
    reader_thread *h = state;
    pthread_mutex_lock(&h->lock);
    while (h->put - h->taken == WS_READER_THREAD_WAITING)
        pthread_cond_wait(&h->changed, &h->lock);
    ws_status status = h->sink_status;
    if (status == WS_OK)
        h->slots[h->put++ % WS_READER_THREAD_WAITING] = (slot){id, *block};
    pthread_cond_signal(&h->changed);
    pthread_mutex_unlock(&h->lock);
    return status == WS_OK ? WS_OK : ws_fail(error, status, "%s", h->sink_error.message);
}

static void *read_all(void *state)
{
    reader_thread *h = state;
    ws_sink sink = {.state = h,
                    .channel = put_channel,
                    .block = put_block,
                    .fact = h->sink->fact ? put_fact : NULL,
                    .every_fact = h->sink->every_fact,
                    .wants = h->sink->wants ? reader_thread_wants : NULL};
    h->read_status = h->read(h->state, &sink, &h->read_error);
    pthread_mutex_lock(&h->lock);
    h->ended = true;
    pthread_cond_signal(&h->changed);
    pthread_mutex_unlock(&h->lock);
    return NULL;
}

static ws_status give_to_sink(reader_thread *h, const slot *s)
{
    pthread_mutex_lock(&h->sink_lock);
    ws_status status = h->sink->block(h->sink->state, s->id, &s->block, &h->sink_error);
    pthread_mutex_unlock(&h->sink_lock);
    return status;
}

/* What still comes behind a block that was refused is thrown away. */
static void take_blocks(reader_thread *h)
{
    pthread_mutex_lock(&h->lock);
    for (;;) {
        while (h->taken == h->put && !h->ended)
            pthread_cond_wait(&h->changed, &h->lock);
        if (h->taken == h->put)
            break;
        const slot *next = &h->slots[h->taken % WS_READER_THREAD_WAITING];
        pthread_mutex_unlock(&h->lock);
        ws_status status = h->sink_status == WS_OK ? give_to_sink(h, next) : h->sink_status;
        pthread_mutex_lock(&h->lock);
        h->sink_status = status;
        h->taken++;
        pthread_cond_signal(&h->changed);
    }
    pthread_mutex_unlock(&h->lock);
}

ws_status ws_reader_thread(ws_reader_thread_read *read, void *state, const ws_sink *sink, ws_error *error)
{
    reader_thread h = {.read = read, .state = state, .sink = sink};
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
    if (!has_thread)
        return read(state, sink, error);
    if (h.sink_status != WS_OK)
        return ws_fail(error, h.sink_status, "%s", h.sink_error.message);
    return h.read_status == WS_OK ? WS_OK : ws_fail(error, h.read_status, "%s", h.read_error.message);
}
