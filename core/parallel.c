#define _GNU_SOURCE /* a mutex that spins before it sleeps: it is held for less than waking takes */
#include "core/parallel.h"

#include "core/arena.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { PARTS_A_THREAD = 4, MOST_THREADS = 1024 };

/* Where a part is. */
typedef enum slot { EMPTY, IN_USE, TAKEN } slot; /* TAKEN: to be dropped before it is used again */

/* Each thread has slots of its own, the leader the first ones. Items are begun in their order, and as many as there are
 * slots may be begun and not taken. */
typedef struct crew {
    const ws_parallel_task *task;
    size_t n, next, taken; /* next: not begun yet */
    size_t n_slots, slots_a_thread;
    char *parts;
    slot *slots;
    size_t *slot_of; /* item i at i % n_slots */
    bool *done;      /* likewise */
    pthread_mutex_t lock;
    pthread_cond_t room, ready;
} crew;

typedef struct member {
    crew *crew;
    size_t first_slot;
    pthread_t id;
} member;

static void *part_in(const crew *c, size_t at)
{
    return c->parts + at * c->task->part_size;
}

/* A slot of that thread for the next item; n_slots: none, or there is no next one. */
static size_t find_room(const crew *c, size_t first_slot)
{
    size_t at = first_slot, end = first_slot + c->slots_a_thread;
    while (at < end && c->slots[at] == IN_USE)
        at++;
    return at < end && c->next < c->n ? at : c->n_slots;
}

static void drop(const crew *c, size_t at)
{
    c->task->drop(part_in(c, at));
    memset(part_in(c, at), 0, c->task->part_size);
}

/* With the lock held, which is let go of while the item is worked on. */
static void work_on_next(crew *c, size_t at)
{
    size_t item = c->next++;
    bool is_to_drop = c->slots[at] == TAKEN;
    c->slots[at] = IN_USE;
    c->slot_of[item % c->n_slots] = at;
    pthread_mutex_unlock(&c->lock);
    if (is_to_drop)
        drop(c, at);
    c->task->work(c->task->state, item, part_in(c, at));
    pthread_mutex_lock(&c->lock);
    c->done[item % c->n_slots] = true;
    if (item == c->taken)
        pthread_cond_signal(&c->ready);
}

static void *help(void *state)
{
    const member *m = state;
    crew *c = m->crew;
    pthread_mutex_lock(&c->lock);
    while (c->next < c->n) {
        size_t at = find_room(c, m->first_slot);
        if (at < c->n_slots)
            work_on_next(c, at);
        else
            pthread_cond_wait(&c->room, &c->lock);
    }
    pthread_mutex_unlock(&c->lock);
    return NULL;
}

static void take_next(crew *c)
{
    size_t at = c->slot_of[c->taken % c->n_slots];
    void *part = part_in(c, at);
    pthread_mutex_unlock(&c->lock);
    c->task->take(c->task->state, c->taken, part);
    if (!c->task->drop)
        memset(part, 0, c->task->part_size);
    pthread_mutex_lock(&c->lock);
    c->slots[at] = c->task->drop ? TAKEN : EMPTY;
    c->done[c->taken++ % c->n_slots] = false;
    pthread_cond_broadcast(&c->room);
}

static void lead(crew *c)
{
    pthread_mutex_lock(&c->lock);
    while (c->taken < c->n) {
        size_t at = find_room(c, 0);
        if (c->done[c->taken % c->n_slots])
            take_next(c);
        else if (at < c->n_slots)
            work_on_next(c, at);
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
    c.slots_a_thread = helpers ? parts_a_thread : 1;
    c.n_slots = (helpers + 1) * c.slots_a_thread;
    c.parts = ws_alloc(c.n_slots * task->part_size);
    c.slots = ws_alloc(c.n_slots * sizeof *c.slots);
    c.slot_of = ws_alloc(c.n_slots * sizeof *c.slot_of);
    c.done = ws_alloc(c.n_slots * sizeof *c.done);
    pthread_cond_init(&c.room, NULL);
    pthread_cond_init(&c.ready, NULL);
    member *members = ws_alloc(helpers * sizeof *members);
    for (; started < helpers && n; started++) { /* with fewer threads than wished for the work is done all the same */
        members[started] = (member){.crew = &c, .first_slot = (started + 1) * c.slots_a_thread};
        if (pthread_create(&members[started].id, NULL, help, &members[started]) != 0)
            break;
    }
    lead(&c);
    for (size_t i = 0; i < started; i++)
        pthread_join(members[i].id, NULL);
    for (size_t at = 0; at < c.n_slots; at++)
        if (c.slots[at] == TAKEN)
            drop(&c, at);
    pthread_cond_destroy(&c.room);
    pthread_cond_destroy(&c.ready);
    pthread_mutex_destroy(&c.lock);
    free(members);
    free(c.done);
    free(c.slot_of);
    free(c.slots);
    free(c.parts);
}
