/* A line on a terminal that says how far the reading is, from the first second on. */
#ifndef WS_ANALYZE_PROGRESS_LINE_H
#define WS_ANALYZE_PROGRESS_LINE_H

#include "analyze/commands/path_list.h"
#include "analyze/progress.h"

#include <pthread.h>

typedef struct ws_progress_line {
    const ws_cli *cli;
    ws_progress *progress;
    bool is_shown, stop;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t wake;
} ws_progress_line;

/* Nothing is shown where standard error is no terminal, and with --quiet. `paths` are what will be read, or NULL. */
void ws_progress_line_start(ws_progress_line *line, const ws_cli *cli, const ws_path_list *paths,
                            ws_progress *progress);
void ws_progress_line_stop(ws_progress_line *line); /* takes it away */

#endif
