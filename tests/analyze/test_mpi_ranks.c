/* Ranks without MPI: processes that this one forks, with a pipe to each and one back. */
#define _POSIX_C_SOURCE 200809L
#include "harness.h"

#include "analyze/measure/packer_internal.h"
#include "analyze/rank_request.h"
#include "analyze/mpi_ranks.h"
#include "core/parallel.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_RANKS = 8, ITEMS = 3000 };

static int to_leader[MOST_RANKS][2], to_rank[MOST_RANKS][2], my_rank, n_ranks;

static void write_all(int fd, const void *bytes, size_t n)
{
    const char *at = bytes;
    while (n) {
        ssize_t k = write(fd, at, n);
        ck_assert_int_gt(k, 0);
        at += k;
        n -= (size_t)k;
    }
}

static bool read_all(int fd, void *bytes, size_t n)
{
    char *at = bytes;
    while (n) {
        ssize_t k = read(fd, at, n);
        if (k <= 0)
            return false;
        at += k;
        n -= (size_t)k;
    }
    return true;
}

static void send_pipe(int to, const void *bytes, size_t n)
{
    int fd = my_rank ? to_leader[my_rank][1] : to_rank[to][1];
    write_all(fd, &n, sizeof n);
    write_all(fd, bytes, n);
}

static bool receive_pipe(int *from, unsigned char **bytes, size_t *n)
{
    for (int i = 1; i < n_ranks; i++) {
        int fd = my_rank ? to_rank[my_rank][0] : to_leader[i][0];
        struct pollfd look = {.fd = fd, .events = POLLIN};
        if (poll(&look, 1, 0) <= 0)
            continue;
        if (!read_all(fd, n, sizeof *n))
            _exit(1);
        *from = i;
        *bytes = malloc(*n + 1);
        return read_all(fd, *bytes, *n);
    }
    return false;
}

static const ws_rank_transport pipes = {.send = send_pipe, .receive = receive_pipe};

static uint64_t size_of(void *state, size_t item)
{
    (void)state;
    return item % 100 == 7 ? 100000 + item : item % 3;
}

static bool describe(void *state, size_t item, ws_packed *request)
{
    (void)state;
    if (item % 50 == 3)
        return false;
    request->bytes = malloc(sizeof item);
    request->n = sizeof item;
    memcpy(request->bytes, &item, sizeof item);
    return true;
}

/* Its square; refused by ranks, for a reason or without one, or very long, where the number says so. */
static void square(const unsigned char *request, size_t n, unsigned threads, ws_rank_answer *answer)
{
    size_t item;
    ck_assert_uint_eq(n, sizeof item);
    ck_assert_uint_ge(threads, 1);
    memcpy(&item, request, n);
    if (my_rank && item % 40 == 1) {
        snprintf(answer->refusal, sizeof answer->refusal, "cannot do %zu", item);
        return;
    }
    if (my_rank && item % 60 == 2)
        return;
    size_t room = item % 70 == 5 ? 200000 : sizeof item, result = item * item;
    answer->packed = (ws_packed){calloc(1, room), room};
    answer->plain_lines = item;
    memcpy(answer->packed.bytes, &result, sizeof result);
}

typedef struct counted {
    ws_rank_round *round;
    size_t next, here, refused;
} counted;

typedef struct taken {
    bool has;
    ws_rank_answer answer;
} taken;

static void await(void *state, size_t item, void *part)
{
    taken *t = part;
    t->has = ws_ranks_await(((const counted *)state)->round, item, &t->answer);
}

static void take(void *state, size_t item, void *part)
{
    counted *c = state;
    taken *t = part;
    size_t result;
    ck_assert_uint_eq(item, c->next++);
    c->here += !t->has;
    if (t->has) {
        memcpy(&result, t->answer.packed.bytes, sizeof result);
        ck_assert_uint_eq(result, item * item);
        ck_assert_uint_eq(t->answer.plain_lines, item);
        ck_assert_uint_ne(item % 50, 3);
    }
    if (*t->answer.refusal) {
        c->refused++;
        char wanted[60];
        snprintf(wanted, sizeof wanted, ": cannot do %zu", item);
        ck_assert_ptr_nonnull(strstr(t->answer.refusal, wanted));
    }
    free(t->answer.packed.bytes);
}

static void lead(unsigned threads)
{
    ws_rank_task task = {.work = square, .size = size_of, .describe = describe, .threads = threads};
    for (int times = 0; times < 3; times++) {
        counted c = {.round = ws_ranks_begin(&task, ITEMS)};
        ck_assert_ptr_nonnull(c.round);
        ws_parallel_task all = {.state = &c, .part_size = sizeof(taken), .work = await, .take = take};
        ws_parallel_run(&all, ITEMS, threads);
        ws_ranks_end(c.round);
        ck_assert_uint_eq(c.next, ITEMS);
        ck_assert_uint_ge(c.here, ITEMS / 50);
    }
}

static void run_job(int n, const char *other, unsigned threads)
{
    static ws_rank_work *const works[] = {square};
    ws_ranks_setup setup = {.transport = &pipes, .n = n, .program = "p", .arguments = "runs\ndemo\n"};
    ws_error error = {0};
    pid_t children[MOST_RANKS];
    n_ranks = n;
    my_rank = 0;
    for (int i = 1; i < n; i++) {
        ck_assert_int_eq(pipe(to_leader[i]), 0);
        ck_assert_int_eq(pipe(to_rank[i]), 0);
    }
    for (int i = 1; i < n; i++) {
        children[i] = fork();
        if (children[i])
            continue;
        my_rank = setup.rank = i;
        if (i == n - 1 && other)
            *(strncmp(other, "p", 1) == 0 ? &setup.program : &setup.arguments) = other;
        ws_ranks_serve(&setup, works, 1);
        _exit(0);
    }
    bool fits = ws_ranks_lead(&setup, &error);
    ck_assert_int_eq(fits, !other);
    if (fits)
        lead(threads);
    ws_ranks_dismiss();
    for (int i = 1; i < n; i++) {
        int status;
        waitpid(children[i], &status, 0);
        ck_assert_int_eq(status, 0);
        for (int end = 0; end < 2; end++) {
            close(to_leader[i][end]);
            close(to_rank[i][end]);
        }
    }
    if (other)
        ck_assert_ptr_nonnull(strstr(error.message, *other == 'p' ? "another wattscale" : "other arguments"));
    ck_assert_uint_eq(ws_ranks_n(), 1);
    ck_assert_ptr_null(ws_ranks_begin(&(ws_rank_task){.work = square}, 10)); /* nobody serves */
}

START_TEST(each_item_is_taken_once_and_in_order)
{
    for (int n = 2; n <= MOST_RANKS; n += 3)
        for (unsigned threads = 1; threads <= 3; threads += 2)
            run_job(n, NULL, threads);
}
END_TEST

START_TEST(ranks_that_do_not_fit_are_refused)
{
    run_job(3, "p2", 1);
    run_job(3, "energy\n", 1);
}
END_TEST

/* What a rank is told is what the leader knows. */
START_TEST(requests_are_read_as_written)
{
    const char *nodes[] = {"n1", "n2"};
    ws_measure_options measure = {.rule = WS_RULE_TRAPEZOID, .quantities = 5, .every_fact = true};
    measure.back_steps = WS_BACK_SORT;
    measure.meter = (ws_meter_options){.has_window = true, .window_start_ns = -4, .window_end_ns = INT64_MAX};
    ws_source_options source = {.as = "csv", .read = {.columns = "time=t", .period_ns = 7, .zone = 3600}};
    source.read.described_devices = 4;
    source.read.node_is_given = true;
    source.read.rows.reader = WS_READER_CSV;
    ws_cut cut = {.start_ns = 1, .end_ns = 2, .nodes = nodes, .n_nodes = 2};
    ws_packed bytes = {(unsigned char *)"a\0b", 3};
    ws_file_state state = {.is_there = true, .size = 12, .mtime_ns = 99};
    ws_packer p = {.writes = true};
    ws_rank_pack_measure(&p, &measure);
    ws_rank_pack_source(&p, &source);
    ws_rank_pack_cut(&p, &cut);
    ws_rank_pack_bytes(&p, &bytes);
    ws_rank_pack_state(&p, &state);

    ws_arena arena = {0};
    for (size_t n = 0; n <= p.n; n++) { /* cut anywhere, it is refused */
        ws_packer q = {.at = p.bytes, .end = p.bytes + n};
        ws_measure_options m = {0};
        ws_source_options s = {.read = WS_READ_DEFAULTS};
        ws_cut c = {0};
        ws_packed b = {0};
        ws_file_state f = {0};
        ws_begin_texts(&q, &arena);
        ws_rank_pack_measure(&q, &m);
        ws_rank_pack_source(&q, &s);
        ws_rank_pack_cut(&q, &c);
        ws_rank_pack_bytes(&q, &b);
        ws_rank_pack_state(&q, &f);
        ck_assert_int_eq(q.failed, n < p.n);
        if (n == p.n) {
            ck_assert_int_eq(memcmp(&m, &measure, sizeof m), 0);
            ck_assert_str_eq(s.as, "csv");
            ck_assert_str_eq(s.read.columns, "time=t");
            ck_assert_int_eq(s.read.period_ns, 7);
            ck_assert_int_eq(s.read.zone, 3600);
            ck_assert_uint_eq(s.read.described_devices, 4);
            ck_assert(s.read.node_is_given);
            ck_assert_int_eq(s.read.rows.reader, WS_READER_CSV);
            ck_assert_uint_eq(c.n_nodes, 2);
            ck_assert_str_eq(c.nodes[1], "n2");
            ck_assert_ptr_null(c.run);
            ck_assert_int_eq(memcmp(b.bytes, "a\0b", 3), 0);
            ck_assert_int_eq(f.mtime_ns, 99);
        }
        free(b.bytes);
        free(q.texts);
    }
    free(p.bytes);
    free(p.texts);
    ws_arena_free(&arena);
}
END_TEST

START_TEST(a_rank_that_sees_another_file_says_so)
{
    char why[300] = "", path[] = "/tmp/wattscale-ranks-XXXXXX";
    int fd = mkstemp(path);
    write_all(fd, "x", 1);
    close(fd);
    ws_file_state state = ws_file_state_of(path), none = {0};
    ck_assert(ws_rank_sees(path, &state, why, sizeof why));
    state.size = 2;
    ck_assert(!ws_rank_sees(path, &state, why, sizeof why));
    ck_assert_ptr_nonnull(strstr(why, "sees another file"));
    unlink(path);
    ck_assert(!ws_rank_sees(path, &state, why, sizeof why));
    ck_assert_ptr_nonnull(strstr(why, "cannot read"));
    ck_assert_ptr_nonnull(strstr(why, "No such file"));
    ck_assert(ws_rank_sees(path, &none, why, sizeof why));

    ws_notes notes = {0};
    ws_rank_answer answer = {.refusal = "node7: cannot read 'a'"};
    ws_rank_note_refusal(&notes, &answer);
    ws_rank_note_refusal(&notes, &answer);
    *answer.refusal = '\0';
    ws_rank_note_refusal(&notes, &answer);
    ck_assert_uint_eq(notes.n, 1);
    ck_assert_uint_eq(notes.items->count, 2);
    ck_assert_str_eq(notes.items->subject, "node7");
    ws_notes_free(&notes);
}
END_TEST

TEST_MAIN("mpi_ranks", each_item_is_taken_once_and_in_order, ranks_that_do_not_fit_are_refused,
          requests_are_read_as_written, a_rank_that_sees_another_file_says_so)
