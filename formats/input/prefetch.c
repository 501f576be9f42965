#include "formats/input/prefetch.h"

#include "core/arena.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

enum { BUFFERS = 2, BUFFER_SIZE = 256 * 1024 };

typedef struct filled {
    char *bytes;
    size_t n;
    ws_status status;
    ws_error error;
} filled;

struct ws_prefetch {
    ws_prefetch_fill *fill;
    void *state;
    filled buffers[BUFFERS];
    size_t made, used; /* buffers since the start; the one in use counts from the next call on */
    bool in_use, stopped;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
};

static bool is_last(const filled *f)
{
    return f->status != WS_OK || f->n == 0;
}

static void fill_buffer(ws_prefetch *a, filled *f)
{
    ws_error_clear(&f->error);
    f->status = a->fill(a->state, f->bytes, BUFFER_SIZE, &f->n, &f->error);
}

static void *work(void *state)
{
    ws_prefetch *a = state;
    bool ended = false;
    pthread_mutex_lock(&a->lock);
    while (!ended && !a->stopped) {
        if (a->made - a->used == BUFFERS) {
            pthread_cond_wait(&a->changed, &a->lock);
            continue;
        }
        filled *f = &a->buffers[a->made % BUFFERS];
        pthread_mutex_unlock(&a->lock);
        fill_buffer(a, f);
        pthread_mutex_lock(&a->lock);
        ended = is_last(f);
        a->made++;
        pthread_cond_signal(&a->changed);
    }
    pthread_mutex_unlock(&a->lock);
    return NULL;
}

static void free_ahead(ws_prefetch *a)
{
    pthread_mutex_destroy(&a->lock);
    pthread_cond_destroy(&a->changed);
    for (size_t i = 0; i < BUFFERS; i++)
        free(a->buffers[i].bytes);
    free(a);
}

ws_prefetch *ws_prefetch_start(ws_prefetch_fill *fill, void *state)
{
    ws_prefetch *a = ws_alloc(sizeof *a);
    *a = (ws_prefetch){.fill = fill, .state = state};
    for (size_t i = 0; i < BUFFERS; i++)
        a->buffers[i].bytes = ws_realloc(NULL, BUFFER_SIZE, 1);
    pthread_mutex_init(&a->lock, NULL);
    pthread_cond_init(&a->changed, NULL);
    if (pthread_create(&a->thread, NULL, work, a) == 0)
        return a;
    free_ahead(a);
    return NULL;
}

ws_status ws_prefetch_next(ws_prefetch *a, ws_span *bytes, ws_error *error)
{
    pthread_mutex_lock(&a->lock);
    if (a->in_use && !is_last(&a->buffers[a->used % BUFFERS])) {
        a->used++;
        pthread_cond_signal(&a->changed);
    }
    while (a->made == a->used)
        pthread_cond_wait(&a->changed, &a->lock);
    a->in_use = true;
    const filled *f = &a->buffers[a->used % BUFFERS];
    pthread_mutex_unlock(&a->lock);
    *bytes = (ws_span){f->bytes, f->n};
    if (f->status != WS_OK)
        return ws_fail(error, f->status, "%s", f->error.message);
    return WS_OK;
}

void ws_prefetch_stop(ws_prefetch *a)
{
    if (!a)
        return;
    pthread_mutex_lock(&a->lock);
    a->stopped = true;
    pthread_cond_signal(&a->changed);
    pthread_mutex_unlock(&a->lock);
    pthread_join(a->thread, NULL);
    free_ahead(a);
}
