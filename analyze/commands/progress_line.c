#define _POSIX_C_SOURCE 200809L /* sigfillset */
#include "analyze/commands/progress_line.h"

#include <signal.h>
#include <time.h>
#include <unistd.h>

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* True when the line is to stop. With the lock held. */
static bool sleep_half_a_second(ws_progress_line *line)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 500000000;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    if (!line->stop)
        pthread_cond_timedwait(&line->wake, &line->lock, &until);
    return line->stop;
}

static void *show(void *state)
{
    ws_progress_line *line = state;
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, NULL); /* they are the main thread's, which may have them wait */
    char text[WS_PROGRESS_TEXT];
    double start_s = now_s();
    bool written = false;
    pthread_mutex_lock(&line->lock);
    while (!sleep_half_a_second(line)) {
        double elapsed_s = now_s() - start_s;
        if (elapsed_s < 1)
            continue;
        ws_progress_text(line->progress, elapsed_s, text);
        fprintf(line->cli->err, "\r%s\033[K\r", text); /* messages begin at the left and write over it */
        fflush(line->cli->err);
        written = true;
    }
    pthread_mutex_unlock(&line->lock);
    if (written)
        fprintf(line->cli->err, "\r\033[K");
    return NULL;
}

void ws_progress_line_start(ws_progress_line *line, const ws_cli *cli, const ws_path_list *paths, ws_progress *progress)
{
    *line = (ws_progress_line){
        .cli = cli, .progress = progress, .lock = PTHREAD_MUTEX_INITIALIZER, .wake = PTHREAD_COND_INITIALIZER};
    if (cli->quiet || ws_cli_is_launched() || !isatty(fileno(cli->err)))
        return;
    progress->all_bytes = paths ? ws_path_list_bytes(paths) : 0;
    progress->all_files = paths ? paths->n : 0;
    line->is_shown = pthread_create(&line->thread, NULL, show, line) == 0;
}

void ws_progress_line_stop(ws_progress_line *line)
{
    if (!line->is_shown)
        return;
    pthread_mutex_lock(&line->lock);
    line->stop = true;
    pthread_cond_signal(&line->wake);
    pthread_mutex_unlock(&line->lock);
    pthread_join(line->thread, NULL);
    line->is_shown = false;
}
