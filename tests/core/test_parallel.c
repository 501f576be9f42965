#include "harness.h"

#include "core/parallel.h"

#include <pthread.h>

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
        ws_parallel_task task = {&c, sizeof(part), square, take};
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
        ws_parallel_task task = {&c, sizeof(part), square, take};
        ws_parallel_run_few(&task, ITEMS, 3, few);
        ck_assert_uint_eq(c.taken, ITEMS);
        ck_assert_uint_le(c.most_in_flight, 3 * few);
    }
}
END_TEST

START_TEST(no_items_and_fewer_items_than_threads)
{
    for (size_t n = 0; n < 3; n++) {
        count c = {.lock = PTHREAD_MUTEX_INITIALIZER};
        ws_parallel_run(&(ws_parallel_task){&c, sizeof(part), square, take}, n, 8);
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
          no_items_and_fewer_items_than_threads, the_scheduler_limits_the_cores)
