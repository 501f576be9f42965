/* One command as several processes, the ranks of an MPI job. The first leads: it lists, prints and writes. The others
 * serve: they read what it asks them to and answer with the record of it (measure/pack.h), until it says that this is
 * all. How messages travel is the transport's business (commands/ranks_load.c).
 *
 *     ws_rank_round *round = ws_ranks_begin(&task, n);                 the leader; NULL: nobody serves
 *     ... on any of its threads, for each item: ws_ranks_await(round, item, &answer) ? use it : read the item here
 *     ws_ranks_end(round);
 *
 * Items are handed out in bundles, the large ones first and by their size, then the others in their order, the last
 * ones one by one. While a thread of the leader waits for an answer it reads items that nobody has yet.
 */
#ifndef WS_ANALYZE_MPI_RANKS_H
#define WS_ANALYZE_MPI_RANKS_H

#include "analyze/measure/pack.h"

enum { WS_RANK_LONGEST = 1 << 30 };

/* Messages between processes. One thread at a time calls. */
typedef struct ws_rank_transport {
    int (*begin)(int *rank, int *n); /* 0: done */
    void (*finish)(void);
    void (*send)(int to, const void *bytes, size_t n); /* at most WS_RANK_LONGEST bytes */
    /* A message that has come from anybody, as bytes to be freed; false: there is none. */
    bool (*receive)(int *from, unsigned char **bytes, size_t *n);
    void (*abort)(int status); /* ends all ranks */
} ws_rank_transport;

/* What a rank is asked to do with an item. */
typedef struct ws_rank_answer {
    ws_packed packed;
    uint64_t plain_lines, other_lines; /* of delimited files, as ws_line_counts */
    char refusal[300];                 /* why this rank cannot, where another one could; "": packed holds the answer */
} ws_rank_answer;
enum { WS_RANK_HOST = 64 };

/* Any thread. An answer without bytes and refusal: the leader has to read the item itself. */
typedef void ws_rank_work(const unsigned char *request, size_t n, unsigned threads, ws_rank_answer *answer);

enum { WS_RANK_RUNS, WS_RANK_ENERGY, WS_RANK_FOLDERS, WS_RANK_SPANS, WS_RANK_KINDS };

typedef struct ws_rank_task {
    int kind; /* of the above, a number into the table of ws_ranks_serve */
    ws_rank_work *work;
    void *state;
    unsigned threads;                           /* of each rank; the cores that this process may use: theirs */
    uint64_t (*size)(void *state, size_t item); /* in bytes; only for who gets what */
    /* Any thread. The request, whose bytes are freed; false: the leader does the item itself. */
    bool (*describe)(void *state, size_t item, ws_packed *request);
} ws_rank_task;

typedef struct ws_rank_round ws_rank_round;

/* The ranks of this process, for ws_ranks_begin; before any thread is started. Who leads waits here for all to be
 * there: false, and why, where one of them is another program or was started with other arguments. */
typedef struct ws_ranks_setup {
    const ws_rank_transport *transport;
    int rank, n;
    const char *program;   /* what has to be alike: version and sources, */
    const char *arguments; /* and the command line */
} ws_ranks_setup;
bool ws_ranks_lead(const ws_ranks_setup *setup, ws_error *error);
/* Of a rank that serves: returns when the leader is done. `works` is by kind. */
void ws_ranks_serve(const ws_ranks_setup *setup, ws_rank_work *const *works, size_t n_works);
void ws_ranks_dismiss(void);     /* the leader is done: the others end */
void ws_ranks_abort(int status); /* all end; no effect without ranks */
unsigned ws_ranks_n(void);       /* 1 without */

/* What the ranks have done since ws_ranks_lead. */
typedef struct ws_rank_counts {
    double seconds;
    uint64_t items_here, items_elsewhere; /* read for an answer */
    uint64_t answer_bytes;                /* of those from elsewhere */
    uint64_t folders_elsewhere;           /* listed */
} ws_rank_counts;
ws_rank_counts ws_ranks_count(void);

/* NULL, too, while another round goes on. */
ws_rank_round *ws_ranks_begin(const ws_rank_task *task, size_t n);

/* Any thread of the leader. False: the item is to be read here; answer->refusal says why where a rank could not. */
bool ws_ranks_await(ws_rank_round *round, size_t item, ws_rank_answer *answer);
void ws_ranks_end(ws_rank_round *round);

#endif
