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

typedef struct crew crew;

/* A thread and its slots. */
typedef struct member {
    crew *crew;
    size_t first_slot, n_in_use;
    bool waits; /* for room */
    pthread_cond_t room;
    pthread_t id;
} member;

/* Items are begun in their order, and as many as there are slots may be begun and not taken. */
struct crew {
    const ws_parallel_task *task;
    size_t n, next, taken; /* next: not begun yet */
    size_t n_slots, slots_a_thread;
    char *parts;
    slot *slots;
    size_t *slot_of; /* item i at i % n_slots */
    bool *done;      /* likewise */
    member *to_wake; /* once the lock is let go of, which it would find held; NULL: none */
    pthread_mutex_t lock;
    pthread_cond_t ready;
    member *members; /* the first one leads */
};

static void *part_in(const crew *c, size_t at)
{
    return c->parts + at * c->task->part_size;
}

static bool can_begin(const member *m)
{
    return m->crew->next < m->crew->n && m->n_in_use < m->crew->slots_a_thread;
}

static void drop(const crew *c, size_t at)
{
    c->task->drop(part_in(c, at));
    memset(part_in(c, at), 0, c->task->part_size);
}

static void wake(member *m)
{
    if (m)
        pthread_cond_signal(&m->room);
}

static member *take_sleeper(crew *c)
{
    member *m = c->to_wake;
    c->to_wake = NULL;
    return m;
}

static void unlock(crew *c)
{
    member *m = take_sleeper(c);
    pthread_mutex_unlock(&c->lock);
    wake(m);
}

/* With the lock held, which is let go of while the item is worked on. */
static void work_on_next(member *m)
{
    crew *c = m->crew;
    size_t item = c->next++, at = m->first_slot;
    while (c->slots[at] == IN_USE)
        at++;
    bool is_to_drop = c->slots[at] == TAKEN;
    c->slots[at] = IN_USE;
    m->n_in_use++;
    c->slot_of[item % c->n_slots] = at;
    unlock(c);
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
    member *m = state;
    crew *c = m->crew;
    pthread_mutex_lock(&c->lock);
    while (c->next < c->n) {
        if (can_begin(m))
            work_on_next(m);
        else
            m->waits = true;
        while (m->waits)
            pthread_cond_wait(&m->room, &c->lock);
    }
    pthread_mutex_unlock(&c->lock);
    return NULL;
}

/* Waking costs as much as a small item: a thread without room is woken once half of its slots are free. */
static void free_slot(crew *c, size_t at)
{
    member *m = &c->members[at / c->slots_a_thread];
    c->slots[at] = c->task->drop ? TAKEN : EMPTY;
    m->n_in_use--;
    if (!m->waits || m->n_in_use > c->slots_a_thread / 2)
        return;
    m->waits = false;
    c->to_wake = m;
}

static void take_next(crew *c)
{
    size_t at = c->slot_of[c->taken % c->n_slots];
    void *part = part_in(c, at);
    unlock(c);
    c->task->take(c->task->state, c->taken, part);
    if (!c->task->drop)
        memset(part, 0, c->task->part_size);
    pthread_mutex_lock(&c->lock);
    c->done[c->taken++ % c->n_slots] = false;
    free_slot(c, at);
}

static void lead(crew *c)
{
    pthread_mutex_lock(&c->lock);
    while (c->taken < c->n) {
        if (c->done[c->taken % c->n_slots]) {
            take_next(c);
        } else if (can_begin(c->members)) {
            work_on_next(c->members);
        } else {
            wake(take_sleeper(c));
            pthread_cond_wait(&c->ready, &c->lock);
        }
    }
    unlock(c);
}

void ws_parallel_run(const ws_parallel_task *task, size_t n, unsigned threads)
{
    ws_parallel_run_few(task, n, threads, PARTS_A_THREAD);
}

void ws_parallel_run_few(const ws_parallel_task *task, size_t n, unsigned threads, size_t parts_a_thread)
{
    crew c = {.task = task, .n = n, .lock = PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP};
    size_t most = threads > MOST_THREADS ? MOST_THREADS : threads, n_members = 1;
    most = most > n ? n : most;
    most = most ? most : 1;
    c.slots_a_thread = most > 1 ? parts_a_thread : 1;
    c.n_slots = most * c.slots_a_thread;
    c.parts = ws_alloc(c.n_slots * task->part_size);
    c.slots = ws_alloc(c.n_slots * sizeof *c.slots);
    c.slot_of = ws_alloc(c.n_slots * sizeof *c.slot_of);
    c.done = ws_alloc(c.n_slots * sizeof *c.done);
    c.members = ws_alloc(most * sizeof *c.members);
    c.members[0].crew = &c;
    pthread_cond_init(&c.ready, NULL);
    for (; n_members < most; n_members++) { /* with fewer threads than wished for the work is done all the same */
        member *m = &c.members[n_members];
        *m = (member){.crew = &c, .first_slot = n_members * c.slots_a_thread, .room = PTHREAD_COND_INITIALIZER};
        if (pthread_create(&m->id, NULL, help, m) != 0)
            break;
    }
    lead(&c);
    for (size_t i = 1; i < n_members; i++)
        pthread_join(c.members[i].id, NULL);
    for (size_t at = 0; at < c.n_slots; at++)
        if (c.slots[at] == TAKEN)
            drop(&c, at);
    for (size_t i = 1; i < n_members; i++)
        pthread_cond_destroy(&c.members[i].room);
    pthread_cond_destroy(&c.ready);
    pthread_mutex_destroy(&c.lock);
    free(c.members);
    free(c.done);
    free(c.slot_of);
    free(c.slots);
    free(c.parts);
}
