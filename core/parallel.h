/* Many items worked on by several threads, their results taken one by one in order, so that the outcome does not
 * depend on the number of threads. Memory holds a few results at a time, however many items there are. */
#ifndef WS_CORE_PARALLEL_H
#define WS_CORE_PARALLEL_H

#include <stddef.h>

typedef struct ws_parallel_task {
    void *state;
    size_t part_size; /* bytes of the result of an item */
    /* On any thread, several at a time: `part` is zeroed and belongs to the item; nothing else may be changed. */
    void (*work)(void *state, size_t item, void *part);
    /* On the calling thread, item after item; without `drop` it frees what the part holds. */
    void (*take)(void *state, size_t item, void *part);
    /* Frees what is left of a part that was taken, on the thread that worked on it: memory that many threads hand to
     * each other costs more than the work. NULL: nothing is. */
    void (*drop)(void *part);
} ws_parallel_task;

/* Items 0..n-1 on `threads` threads, the calling one among them; returns when all are taken. */
void ws_parallel_run(const ws_parallel_task *task, size_t n, unsigned threads);

/* The same for large parts: at most parts_a_thread of them for each thread exist at a time. */
void ws_parallel_run_few(const ws_parallel_task *task, size_t n, unsigned threads, size_t parts_a_thread);

/* The cores that this process may use: those of its affinity, of SLURM_CPUS_PER_TASK and of its control group's quota,
 * whichever are fewest; at least 1. */
unsigned ws_cores_allowed(void);

#endif
