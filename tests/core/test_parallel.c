#include "harness.h"

#include "core/parallel.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

enum { ITEMS = 500 };

typedef struct count {
    size_t taken, in_flight, most_in_flight;
    pthread_mutex_t lock;
} count;

typedef struct part {
    size_t item, square;
    int *owned;
} part;

static void square(void *state, size_t item, void *out)
{
    count *c = state;
    part *p = out;
    ck_assert_ptr_null(p->owned); /* a part begins empty */
    p->owned = calloc(1, sizeof *p->owned);
    p->item = item;
    /* uneven, so that later items are ready before earlier ones */
    for (size_t i = 0; i < (item % 7 ? 10 : 20000); i++)
        p->square = item * item;
    pthread_mutex_lock(&c->lock);
    c->in_flight++;
    c->most_in_flight = c->in_flight > c->most_in_flight ? c->in_flight : c->most_in_flight;
    pthread_mutex_unlock(&c->lock);
}

static void take(void *state, size_t item, void *in)
{
    count *c = state;
    part *p = in;
    ck_assert_uint_eq(item, c->taken);
    ck_assert_uint_eq(p->item, item);
    ck_assert_uint_eq(p->square, item * item);
    free(p->owned);
    c->taken++;
    pthread_mutex_lock(&c->lock);
    c->in_flight--;
    pthread_mutex_unlock(&c->lock);
}

START_TEST(results_come_in_order_whatever_the_threads)
{
    for (unsigned threads = 0; threads <= 9; threads++) {
        count c = {.lock = PTHREAD_MUTEX_INITIALIZER};
        ws_parallel_task task = {&c, sizeof(part), square, take, NULL};
        ws_parallel_run(&task, ITEMS, threads);
        ck_assert_uint_eq(c.taken, ITEMS);
        ck_assert_uint_le(c.most_in_flight, threads > 1 ? 4 * threads : 1);
    }
}
END_TEST

START_TEST(few_parts_are_there_at_a_time)
{
    for (size_t few = 1; few <= 3; few++) {
        count c = {.lock = PTHREAD_MUTEX_INITIALIZER};
        ws_parallel_task task = {&c, sizeof(part), square, take, NULL};
        ws_parallel_run_few(&task, ITEMS, 3, few);
        ck_assert_uint_eq(c.taken, ITEMS);
        ck_assert_uint_le(c.most_in_flight, 3 * few);
    }
}
END_TEST

/* What a part holds until it is dropped, and where that must be. */
typedef struct kept {
    bool is_taken;
    pthread_t worker, leader;
    int *memory;
} kept;

static void keep_worker(void *state, size_t item, void *out)
{
    kept *k = out;
    ck_assert_ptr_null(k->memory); /* dropped, and zeroed */
    ck_assert(!k->is_taken);
    *k = (kept){.worker = pthread_self(), .leader = *(pthread_t *)state, .memory = calloc(1, sizeof(int))};
    for (volatile size_t i = 0; i < (item % 5 ? 10 : 5000); i++) {
    }
}

static void take_kept(void *state, size_t item, void *in)
{
    kept *k = in;
    ck_assert(pthread_equal(*(pthread_t *)state, pthread_self()) && k->memory);
    k->is_taken = true;
    (void)item;
}

static atomic_size_t n_dropped, n_elsewhere;

static void drop_kept(void *in)
{
    kept *k = in;
    bool is_of_worker = pthread_equal(k->worker, pthread_self());
    ck_assert(k->is_taken && k->memory && (is_of_worker || pthread_equal(k->leader, pthread_self())));
    n_elsewhere += !is_of_worker;
    free(k->memory);
    n_dropped++;
}

START_TEST(a_part_is_dropped_once_where_it_was_worked_on)
{
    for (unsigned threads = 1; threads <= 6; threads++) {
        pthread_t leader = pthread_self();
        n_dropped = n_elsewhere = 0;
        ws_parallel_run(&(ws_parallel_task){&leader, sizeof(kept), keep_worker, take_kept, drop_kept}, ITEMS, threads);
        ck_assert_uint_eq(n_dropped, ITEMS);
        ck_assert_uint_le(n_elsewhere, 4 * (threads - 1)); /* the last of each thread, at the end */
    }
}
END_TEST

START_TEST(no_items_and_fewer_items_than_threads)
{
    for (size_t n = 0; n < 3; n++) {
        count c = {.lock = PTHREAD_MUTEX_INITIALIZER};
        ws_parallel_run(&(ws_parallel_task){&c, sizeof(part), square, take, NULL}, n, 8);
        ck_assert_uint_eq(c.taken, n);
    }
}
END_TEST

START_TEST(the_scheduler_limits_the_cores)
{
    ck_assert_uint_ge(ws_cores_allowed(), 1);
    setenv("SLURM_CPUS_PER_TASK", "1", 1);
    ck_assert_uint_eq(ws_cores_allowed(), 1);
    unsetenv("SLURM_CPUS_PER_TASK");
}
END_TEST

TEST_MAIN("parallel", results_come_in_order_whatever_the_threads, few_parts_are_there_at_a_time,
          a_part_is_dropped_once_where_it_was_worked_on, no_items_and_fewer_items_than_threads,
          the_scheduler_limits_the_cores)
