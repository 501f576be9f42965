#define _GNU_SOURCE /* a mutex that spins before it sleeps: it is held for less than waking takes */
#include "core/parallel.h"

#include "core/arena.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { PARTS_A_THREAD = 4, MOST_THREADS = 1024 };

typedef struct crew {
    const ws_parallel_task *task;
    size_t n, next, taken; /* next: not begun yet; taken <= next <= taken + n_slots */
    size_t n_slots;
    char *parts; /* item i has the slot i % n_slots */
    bool *done;
    pthread_mutex_t lock;
    pthread_cond_t room, ready;
} crew;

static void *part_of(const crew *c, size_t item)
{
    return c->parts + item % c->n_slots * c->task->part_size;
}

static bool has_room(const crew *c)
{
    return c->next < c->n && c->next < c->taken + c->n_slots;
}

/* With the lock held, which is let go of while the item is worked on. */
static void work_on_next(crew *c)
{
    size_t item = c->next++;
    pthread_mutex_unlock(&c->lock);
    c->task->work(c->task->state, item, part_of(c, item));
    pthread_mutex_lock(&c->lock);
    c->done[item % c->n_slots] = true;
    if (item == c->taken)
        pthread_cond_signal(&c->ready);
}

static void *help(void *state)
{
    crew *c = state;
    pthread_mutex_lock(&c->lock);
    while (c->next < c->n) {
        if (has_room(c))
            work_on_next(c);
        else
            pthread_cond_wait(&c->room, &c->lock);
    }
    pthread_mutex_unlock(&c->lock);
    return NULL;
}

static void take_next(crew *c)
{
    void *part = part_of(c, c->taken);
    pthread_mutex_unlock(&c->lock);
    c->task->take(c->task->state, c->taken, part);
    memset(part, 0, c->task->part_size);
    pthread_mutex_lock(&c->lock);
    c->done[c->taken++ % c->n_slots] = false;
    pthread_cond_broadcast(&c->room);
}

static void lead(crew *c)
{
    pthread_mutex_lock(&c->lock);
    while (c->taken < c->n) {
        if (c->done[c->taken % c->n_slots])
            take_next(c);
        else if (has_room(c))
            work_on_next(c);
        else
            pthread_cond_wait(&c->ready, &c->lock);
    }
    pthread_mutex_unlock(&c->lock);
}

void ws_parallel_run(const ws_parallel_task *task, size_t n, unsigned threads)
{
    ws_parallel_run_few(task, n, threads, PARTS_A_THREAD);
}

void ws_parallel_run_few(const ws_parallel_task *task, size_t n, unsigned threads, size_t parts_a_thread)
{
    crew c = {.task = task, .n = n, .lock = PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP};
    size_t helpers = threads > MOST_THREADS ? MOST_THREADS : threads ? threads - 1 : 0, started = 0;
    helpers = n && helpers > n - 1 ? n - 1 : helpers;
    c.n_slots = helpers ? (helpers + 1) * parts_a_thread : 1;
    c.parts = ws_alloc(c.n_slots * task->part_size);
    c.done = ws_alloc(c.n_slots * sizeof *c.done);
    pthread_cond_init(&c.room, NULL);
    pthread_cond_init(&c.ready, NULL);
    pthread_t *ids = ws_alloc(helpers * sizeof *ids);
    while (started < helpers && n && pthread_create(&ids[started], NULL, help, &c) == 0)
        started++; /* with fewer threads than wished for the work is done all the same */
    lead(&c);
    for (size_t i = 0; i < started; i++)
        pthread_join(ids[i], NULL);
    pthread_cond_destroy(&c.room);
    pthread_cond_destroy(&c.ready);
    pthread_mutex_destroy(&c.lock);
    free(ids);
    free(c.done);
    free(c.parts);
}
