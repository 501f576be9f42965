/* The handler runs between any two instructions, so the list is whole at every moment: a name is complete before it is
 * in the list, none is ever freed, and the handler calls nothing but pthread_self, pthread_kill, unlink, rmdir, signal
 * and raise. It works on the thread that makes the files alone: on another one (libraries start threads of their own)
 * it would remove files while new ones are made. */
#include "analyze/commands/unfinished.h"

#include "core/arena.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <unistd.h>

typedef struct unfinished {
    struct unfinished *before;
    const char *path;
} unfinished;

static ws_arena arena;
static pthread_t maker; /* of the files */
static _Atomic(unfinished *) last;
static atomic_bool is_held;
static atomic_int waiting; /* a signal that came while they were held, or 0 */

static void end_by(int number)
{
    signal(number, SIG_DFL);
    raise(number);
}

static void on_signal(int number)
{
    if (!pthread_equal(pthread_self(), maker)) {
        pthread_kill(maker, number);
        return;
    }
    if (is_held) {
        waiting = number;
        return;
    }
    ws_unfinished_remove();
    end_by(number);
}

/* A signal that is ignored stays so: the program runs under nohup. */
static void catch_signals(void)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = on_signal}, before;
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (sigaction(numbers[i], NULL, &before) == 0 && before.sa_handler == SIG_DFL)
            sigaction(numbers[i], &action, NULL);
}

void ws_unfinished_add(const char *path)
{
    unfinished *added = ws_arena_alloc(&arena, sizeof *added);
    *added = (unfinished){last, ws_arena_strdup(&arena, path)};
    maker = pthread_self();
    last = added;
    catch_signals();
}

void ws_unfinished_forget(void)
{
    last = NULL;
}

/* Also before there is anything in the list: a file that is being made will be. */
void ws_unfinished_hold(void)
{
    maker = pthread_self();
    is_held = true;
    catch_signals();
}

void ws_unfinished_release(void)
{
    is_held = false;
    if (!waiting)
        return;
    ws_unfinished_remove();
    end_by(waiting);
}

void ws_unfinished_remove(void)
{
    for (const unfinished *at = last; at; at = at->before)
        if (unlink(at->path) != 0)
            rmdir(at->path);
}
